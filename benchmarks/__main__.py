"""Measure everything side by side: ``make bench``, or ``make bench PARTS="engine --write"``.

``make bench PARTS=federation`` measures what grows with a federation, beside its goals.
"""

import argparse
import os
import platform
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, page, processor, write_into
from benchmarks.timing import ROUNDS

PARTS: Final[Mapping[str, tuple[str, str]]] = {
    "replay": ("replays", "figures"),
    "text": ("readers", "figures"),
    "files": ("growth", "long_files"),
    "hostile": ("growth", "hostile_texts"),
    "instructions": ("instructions", "figures"),
    "store": ("storing", "figures"),
    "correct": ("correcting", "figures"),
    "import": ("importing", "figures"),
    "archive": ("archiving", "figures"),
    "backup": ("backups", "figures"),
    "exports": ("exports", "figures"),
    "pages": ("pages", "figures"),
    "public": ("public_pages", "figures"),
    "club": ("club_page", "figures"),
    "players": ("player_pages", "figures"),
    "leagues": ("league_pages", "figures"),
    "anonymous": ("anonymous", "figures"),
    "crowd": ("crowd", "figures"),
    "slow": ("slow_clients", "figures"),
    "nights": ("crowd", "night_figures"),
    "seating": ("seating", "figures"),
    "ranking": ("ranking", "figures"),
    "rating": ("rating", "figures"),
    "standings": ("standings", "figures"),
    "scaling": ("scaling", "figures"),
    "phone": ("first_sight", "figures"),
    "waiting": ("waiting", "figures"),
    "idle": ("idle", "figures"),
    "analysis": ("analysis", "figures"),
    "slips": ("slips", "figures"),
}
"""The module and the function of each part; only what is asked for is imported."""
ENGINE: Final = ("replay", "text", "files", "hostile", "instructions")
SECTIONS: Final[Mapping[str, Sequence[str]]] = {
    "engine": ENGINE,
    "service": [name for name in PARTS if name not in ENGINE],
}
"""The parts of each section of the page. Those of the engine are written together: times of one
run, beside the work of the engine that they were times of."""
FEDERATION: Final = "federation"
"""What calls other parts, and is therefore none of them."""
FEDERATION_ROUNDS: Final = 1
COMMAND: Final = 'make bench PARTS="engine --write"'
PEERS: Final = ("open_spiel", "rlcard", "pokerkit", "chess", "endplay")
PAGE: Final = Path(__file__).parent.parent / "docs" / "performance.md"


def main() -> None:
    """Measure some parts, print them, and write them into the page if asked to."""
    options = _options()
    engine: list[Figure] = []
    for name in options.parts:
        for figure in _measure(name, options.rounds, options.clubs):
            print(figure, flush=True)
            print()
            if name in ENGINE:
                engine.append(figure)
            elif options.write and not _is_of_engine(figure):
                write_into(PAGE, figure, _command(name, options))
    if engine and options.write:
        _write_engine(page(engine, heading(options.rounds or ROUNDS)))


def _measure(name: str, rounds: int | None, clubs: int) -> Iterator[Figure]:
    if name == FEDERATION:
        goals = import_module("benchmarks.goals")
        yield from goals.figures(rounds or FEDERATION_ROUNDS, clubs)
        return
    module, function = PARTS[name]
    yield from getattr(import_module(f"benchmarks.{module}"), function)(rounds or ROUNDS)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [*SECTIONS, *PARTS, FEDERATION]
    parser.add_argument("parts", nargs="*", choices=[*names, []], help="what to measure (all)")
    parser.add_argument(
        "--rounds",
        type=int,
        help=f"rounds of each ({ROUNDS}; of a federation {FEDERATION_ROUNDS})",
    )
    parser.add_argument(
        "--clubs", type=int, default=2, help="clubs of the federation (%(default)s; whole: 202)"
    )
    parser.add_argument("--write", action="store_true", help="write into docs/performance.md")
    options = parser.parse_args()
    wanted = options.parts or [*SECTIONS]
    parts = {part for name in wanted for part in SECTIONS.get(name, [name])}
    if options.write and 0 < len(parts & {*ENGINE}) < len(ENGINE):
        parser.error("what is written is measured in one run: all of engine")
    options.parts = [name for name in (*PARTS, FEDERATION) if name in parts]
    return options


def _command(part: str, options: argparse.Namespace) -> str:
    """Return the command that measures a part as it was measured."""
    words = ["python -m benchmarks", part]
    words += [f"--rounds {options.rounds}"] if options.rounds else []
    words += [f"--clubs {options.clubs}"] if part == FEDERATION else []
    return " ".join(words)


def _is_of_engine(figure: Figure) -> bool:
    """Whether a figure is written with the others of the engine alone."""
    return f"### {figure.title}\n" in section_of("engine", PAGE.read_text(encoding="utf-8"))


def heading(rounds: int) -> list[str]:
    """When the engine was measured, how often, and on what."""
    versions = ", ".join(f"{peer} {version(peer)}" for peer in PEERS)
    today = datetime.now(tz=UTC).date().isoformat()
    return [
        f"Measured {today} with `{COMMAND}`, medians of {rounds} interleaved",
        f"rounds on CPU time; {os.cpu_count()} cores, {processor()}, "
        f"{platform.python_implementation()} {platform.python_version()};",
        f"{versions}.",
    ]


def section_of(section: str, text: str) -> str:
    """The figures of a section of the page, between its marks."""
    return text.partition(_begin(section))[2].partition(_end(section))[0]


def _begin(section: str) -> str:
    return f"<!-- figures of the {section}: begin -->"


def _end(section: str) -> str:
    return f"<!-- figures of the {section}: end -->"


def _write_engine(text: str) -> None:
    before = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        before.replace(section_of("engine", before), f"\n\n{text}\n\n"), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
