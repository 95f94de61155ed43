"""Seating lists: everybody by name through all rounds, then each round by table."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import partial
from operator import attrgetter, itemgetter
from typing import Any

from engine.messages import Message
from tournaments.printing.paper_sheets import PaperSheet, RowGroup, print_sheets
from tournaments.printing.seats import Journey, PrintHeading, Say, SeatedRound, journeys
from tournaments.tables.model import Column, ColumnKind, Detail, Properties, Row, Table
from tournaments.tables.paper_rows import table_texts

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
