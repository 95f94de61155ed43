"""Seating lists: everybody by name through all rounds, then each round by table."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime

from engine.messages import Message
from tournaments.printing.seats import Journey, PrintHeading, SeatedRound, journeys
from tournaments.tables.pdf_writer import write_pdf
from tournaments.tables.sheets import CellKind, Column, Properties, Row, TableSheet, Workbook

Say = Callable[[str], str]
OUT, AWAY = Message("sits out"), "\u2013"


def seating_list(heading: PrintHeading, rounds: Sequence[SeatedRound], at: datetime) -> bytes:
    """Print who sits where in the rounds; ``at``: the moment that this is true of."""
    say = heading.say
    sheets = (_by_name(rounds, say), *(_by_table(each, say) for each in rounds))
    properties = Properties(title=heading.title, subject=heading.about, made_at=at)
    return b"".join(write_pdf(Workbook(sheets, properties), heading.paper))


def _by_name(rounds: Sequence[SeatedRound], say: Say) -> TableSheet:
    columns = [Column(name=say(Message("Name")), key="name")]
    columns += [
        Column(name=say(Message("Round {number}", number=each.number)), key=f"r{each.number}")
        for each in rounds
    ]
    rows = [
        (journey.name, *(_place(journey, each.number, say) for each in rounds))
        for journey in journeys(rounds)
    ]
    return TableSheet(say(Message("Seats by name")), tuple(columns), rows)


def _place(journey: Journey, number: int, say: Say) -> str:
    if number not in journey.places:
        return AWAY
    place = journey.places[number]
    return say(OUT) if place is None else f"{place[0]} {place[1]}"


def _by_table(each: SeatedRound, say: Say) -> TableSheet:
    most = max((len(table.sitters) for table in each.tables), default=0)
    columns = [Column(name=say(Message("Table")), key="table", kind=CellKind.RANK)]
    titles = map(say, _titles(each))
    columns += [Column(name=title, key=f"s{place}") for place, title in enumerate(titles)]
    title = say(Message("Round {number} by table", number=each.number))
    return TableSheet(title, tuple(columns), list(_rows(each, most, say)))


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
