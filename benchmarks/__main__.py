"""Measure everything side by side: ``make bench``, or ``python -m benchmarks replay --write``."""

import argparse
import os
import platform
from collections.abc import Callable, Iterator, Mapping
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
PEERS: Final = ("open_spiel", "rlcard", "pokerkit", "chess", "endplay")
PAGE: Final = Path(__file__).parent.parent / "docs" / "performance.md"
BEGIN, END = "<!-- figures: begin -->", "<!-- figures: end -->"


def main() -> None:
    """Measure some parts, print them, and write them into the page if asked to."""
    options = _options()
    figures: list[Figure] = []
    for name in options.parts or PARTS:
        for figure in _part(name)(options.rounds):
            print(figure, flush=True)
            print()
            figures.append(figure)
    if options.write:
        _write(page(figures, heading(options.rounds)))


def _part(name: str) -> Callable[[int], Iterator[Figure]]:
    module, function = PARTS[name]
    found: Callable[[int], Iterator[Figure]] = getattr(
        import_module(f"benchmarks.{module}"), function
    )
    return found


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], help="what to measure (all)")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="rounds of each (%(default)s)")
    parser.add_argument("--write", action="store_true", help="write into docs/performance.md")
    return parser.parse_args()


def heading(rounds: int) -> list[str]:
    """What was measured, when, on what."""
    versions = ", ".join(f"{peer} {version(peer)}" for peer in PEERS)
    today = datetime.now(tz=UTC).date().isoformat()
    return [
        f"Measured {today} with `make bench` (`python -m benchmarks --write`), medians of "
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


def _write(text: str) -> None:
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    after = rest.split(END)[1]
    PAGE.write_text(f"{before}{BEGIN}\n\n{text}\n\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()
