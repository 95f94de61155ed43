"""Measure everything side by side: ``make bench``, or ``make bench PARTS="engine --write"``."""

import argparse
import os
import platform
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Final

from benchmarks.figures import Figure, page
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
"""The parts of each section of the page, which are written together: times of one run, beside the
work of the engine that they were times of."""
COMMAND: Final = 'make bench PARTS="engine --write"'
PEERS: Final = ("open_spiel", "rlcard", "pokerkit", "chess", "endplay")
PAGE: Final = Path(__file__).parent.parent / "docs" / "performance.md"


def main() -> None:
    """Measure some parts, print them, and write whole sections into the page if asked to."""
    options = _options()
    for section, parts in SECTIONS.items():
        figures: list[Figure] = []
        for name in (name for name in parts if name in options.parts):
            for figure in _part(name)(options.rounds):
                print(figure, flush=True)
                print()
                figures.append(figure)
        if figures and options.write:
            _write(section, page(figures, heading(section, options.rounds)))


def _part(name: str) -> Callable[[int], Iterator[Figure]]:
    module, function = PARTS[name]
    found: Callable[[int], Iterator[Figure]] = getattr(
        import_module(f"benchmarks.{module}"), function
    )
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    names = [*SECTIONS, *PARTS]
    parser.add_argument("parts", nargs="*", choices=[*names, []], help="what to measure (all)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of each (%(default)s)")
    parser.add_argument("--write", action="store_true", help="write into docs/performance.md")
    options = parser.parse_args()
    wanted = options.parts or [*SECTIONS]
    options.parts = {part for name in wanted for part in SECTIONS.get(name, [name])}
    for section, parts in SECTIONS.items():
        if options.write and 0 < len(options.parts & {*parts}) < len(parts):
            parser.error(f"what is written is measured in one run: all of {section}")
    return options


def heading(section: str, rounds: int) -> list[str]:
    """What was measured, when, on what."""
    versions = ", ".join(f"{peer} {version(peer)}" for peer in PEERS)
    today = datetime.now(tz=UTC).date().isoformat()
    return [
        f'Measured {today} with `make bench PARTS="{section} --write"`, medians of '
        f"{rounds} interleaved",
        f"rounds on CPU time; {os.cpu_count()} cores, {_processor()}, "
        f"{platform.python_implementation()} {platform.python_version()};",
        f"{versions}.",
    ]


def _processor() -> str:
    """The class of machine."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def section_of(section: str, text: str) -> str:
    """The figures of a section of the page, between its marks."""
    return text.partition(_begin(section))[2].partition(_end(section))[0]


def _begin(section: str) -> str:
    return f"<!-- figures of the {section}: begin -->"


def _end(section: str) -> str:
    return f"<!-- figures of the {section}: end -->"


def _write(section: str, text: str) -> None:
    before = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(
        before.replace(section_of(section, before), f"\n\n{text}\n\n"), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
