"""Seats as paper shows them, and seating lists; plain names, no players of the club."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from engine.core.messages import Message
from tournaments.core.name_folding import fold_text
from tournaments.printing.paper_sheets import PaperSheet, RowGroup, print_sheets
from tournaments.tables.model import (
    ENGLISH,
    Column,
    ColumnKind,
    Detail,
    Properties,
    Row,
    Table,
    TableLocale,
)
from tournaments.tables.paper_rows import table_texts
from tournaments.tables.press import PaperSize, Pen

Say = Callable[[str], str]
"""Puts printed words into the language of the paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintHeading:
    """The heading above everything: the event, and what is known of it, such as its date.

    ``locale`` is the language of the paper.
    """

    title: str
    about: str = ""
    paper: PaperSize = PaperSize.A4
    locale: TableLocale = ENGLISH

    @property
    def say(self) -> Say:
        """Puts printed words into the language of the paper."""
        return self.locale.say

    def title_of(self, kind: Message) -> str:
        """The title of a document of this kind about the event."""
        return self.say(Message("{title}: {kind}", title=self.title, kind=kind))


@dataclass(frozen=True, slots=True)
class PrintedSitter:
    """Somebody in a seat; ``key`` tells two of one name apart, ``mark`` does so for readers.

    ``called`` is the name that the others at the table use.
    """

    seat: str
    name: str
    key: str = ""
    mark: str = ""
    called: str = ""

    @property
    def label(self) -> str:
        """The name with its mark."""
        return f"{self.name} {self.mark}".strip()

    def fit_label(self, pen: Pen, room: float) -> str:
        """The name shortened to what fits; the mark behind it stays whole."""
        if not self.mark or pen.width(self.label) <= room:
            return pen.fit(self.label, room)
        behind = f" {self.mark}"
        return pen.fit(self.name, room - pen.width(behind)) + behind


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of one round; ``url``: its page, where there is one.

    ``typed`` is the short code for who has no camera, and ``typing_page`` where it is typed.
    """

    number: int
    sitters: tuple[PrintedSitter, ...]
    url: str = ""
    typed: str = ""
    typing_page: str = ""


@dataclass(frozen=True, slots=True)
class SeatedRound:
    """A round: its tables, and those who sit out."""

    number: int
    tables: tuple[SeatedTable, ...]
    out: tuple[PrintedSitter, ...] = ()


@dataclass(frozen=True, slots=True)
class Journey:
    """One player's seats by round: None where they sit out, nothing where they are away."""

    name: str
    places: dict[int, tuple[int, str] | None]


def journeys(rounds: Iterable[SeatedRound]) -> list[Journey]:
    """Follow everybody through the rounds, in the order of their names."""
    found: dict[tuple[str, str], Journey] = {}
    for each in rounds:
        for sitter in each.out:
            found.setdefault(_who(sitter), Journey(sitter.label, {})).places[each.number] = None
        for table in each.tables:
            for sitter in table.sitters:
                journey = found.setdefault(_who(sitter), Journey(sitter.label, {}))
                journey.places[each.number] = (table.number, sitter.seat)
    return [journey for _, journey in sorted(found.items(), key=lambda item: _order(item[0]))]


def _who(sitter: PrintedSitter) -> tuple[str, str]:
    return (sitter.key or sitter.name, sitter.name)


def _order(who: tuple[str, str]) -> tuple[str, str, str]:
    key, name = who
    return (fold_text(name), name, key)


OUT, AWAY = Message("sits out"), "\u2013"


def seating_list(heading: PrintHeading, rounds: Sequence[SeatedRound], at: datetime) -> bytes:
    """Print who sits where in the rounds; ``at``: the moment that this is true of.

    Each list is on a page of its own, in the largest letters in which it fits there.
    """
    about = Properties(
        title=heading.title,
        details=(Detail("date", heading.say(Message("Date")), heading.about),),
        made_at=at,
        locale=heading.locale,
    )
    lists = [_by_name(rounds, heading.say), *(_by_table(each, heading.say) for each in rounds)]
    return print_sheets(about, lists, heading.paper)


def _by_name(rounds: Sequence[SeatedRound], say: Say) -> PaperSheet:
    name: Column[Journey] = Column(key="name", title=say(Message("Name")), value=attrgetter("name"))
    places: list[Column[Journey]] = [
        Column(
            key=f"r{each.number}",
            title=say(Message("R{number}", number=each.number)),
            value=partial(_place, number=each.number, say=say),
        )
        for each in rounds
    ]
    table = Table(say(Message("Seats by name")), (name, *places), journeys(rounds))
    return _sheet(table)


def _place(journey: Journey, *, number: int, say: Say) -> str:
    if number not in journey.places:
        return AWAY
    place = journey.places[number]
    return say(OUT) if place is None else f"{place[0]} {place[1]}"


def _by_table(each: SeatedRound, say: Say) -> PaperSheet:
    most = max((len(table.sitters) for table in each.tables), default=0)
    number: Column[Row] = Column(
        key="table", title=say(Message("Table")), kind=ColumnKind.RANK, value=itemgetter(0)
    )
    seats: list[Column[Row]] = [
        Column(key=f"s{place}", title=say(title), value=itemgetter(place))
        for place, title in enumerate(_titles(each), 1)
    ]
    title = say(Message("Round {number} by table", number=each.number))
    return _sheet(Table(title, (number, *seats), list(_rows(each, most, say))))


def _sheet(table: Table[Any]) -> PaperSheet:
    return PaperSheet(
        title=table.title,
        columns=table.columns,
        groups=[RowGroup("", table_texts(table))],
        strong=frozenset({"name", "table"}),
        kept=1,
    )


def _titles(each: SeatedRound) -> list[str]:
    """Name the columns after the seats where all tables have the same, else by number."""
    sets = {tuple(sitter.seat for sitter in table.sitters) for table in each.tables}
    if len(sets) == 1:
        return list(next(iter(sets)))
    most = max((len(one) for one in sets), default=0)
    return [Message("Seat {number}", number=place + 1) for place in range(most)]


def _rows(each: SeatedRound, most: int, say: Say) -> Iterator[Row]:
    alike = len({tuple(s.seat for s in table.sitters) for table in each.tables}) == 1
    for table in each.tables:
        cells = [s.label if alike else f"{s.seat}: {s.label}" for s in table.sitters]
        yield (table.number, *cells, *[""] * (most - len(cells)))
    if most:
        for start in range(0, len(each.out), most):
            names = [f"{sitter.label} {say(OUT)}" for sitter in each.out[start : start + most]]
            yield (None, *names, *[""] * (most - len(names)))
