"""Records of a club in an archive: its events, leagues and books (notation.md 11)."""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import Any, Final

from engine.core.game_identity import parse_day
from engine.core.messages import Message, join_items
from engine.notation.names import CLUB_RECORD, CLUB_RECORD_COLUMNS
from engine.notation.reader import RecordEntry
from engine.notation.sheet import NOTHING as UNNAMED
from scoring.transfer.importing.people import WrittenPlayer, read_kind
from tournaments.core.deals import write_deal
from tournaments.core.errors import RefusedError
from tournaments.models import Event, League

EventKey = tuple[str, date | None]
Row = Mapping[str, str]
NOTHING: Final = "-"
"""An empty cell."""
MOMENT: Final = "%Y-%m-%dT%H:%M:%S.%fZ"
_DIGITS: Final = 15
NOT_CARRIED: Final[Mapping[str, Message]] = {
    "earlier-versions": Message("earlier versions of records"),
    "superseded-rulings": Message("rulings that were superseded"),  # of older archives
    "rulings-outside": Message("rulings on records that are no part of their game"),
    "appeals": Message("steps of appeals"),
    "sealed-papers": Message("papers that are still sealed"),
    "old-law": Message("games begun by the law before 0.2.0"),
    "confirming": Message("games in which a second seat has to confirm"),
    "cancelled-decisions": Message("penalties and decisions that were taken back"),
    "secret-boards": Message("prepared deals that are still secret"),
    "adjourned-tables": Message("tables that are to be finished another day; they are closed"),
    "official-table": Message("the table that was made official"),
}
"""Things that an archive leaves behind, by their words in a NotCarriedTable."""
_CONTENTS: Final[Mapping[str, Message]] = {
    "EntryTable": Message("entries"),
    "ResultTable": Message("results without hands"),
    "SitOutTable": Message("rounds that were sat out"),
    "AdjustmentTable": Message("penalties and bonuses"),
    "SeatDecisionTable": Message("forfeits and assigned scores"),
    "BoardTable": Message("prepared deals"),
    "BoardDecisionTable": Message("decisions on hands with other cards"),
    "SessionTable": Message("weights in leagues"),
    "RollTable": Message("the roll of a league"),
    "PaymentTable": Message("payments"),
}
"""The contents of the tables of such records."""


@dataclass(slots=True)
class ClubRecord:
    """The records of one event put together, or those of the books; rows by their table."""

    name: str = ""
    line: int = 1
    people: dict[int, WrittenPlayer] = field(default_factory=dict)
    tables: dict[str, list[Row]] = field(default_factory=lambda: defaultdict(list))

    def add(self, entry: RecordEntry) -> None:
        """Add the rows of a record."""
        self.line = self.line if self.tables else entry.line
        for row in entry.table("PersonTable"):
            number = find_number(row, "Id")
            if number is not None:
                kind = read_kind(row.get("Kind", ""))
                self.people[number] = WrittenPlayer(row.get("Name", ""), number, kind)
        for table in CLUB_RECORD_COLUMNS:
            self.tables[table] += entry.table(table)

    def rows(self, table: str) -> Sequence[Row]:
        """The rows of a table; none where it is not written."""
        return self.tables.get(table, ())

    def describe_contents(self) -> str:
        """Return its contents in words; empty if there is nothing that counts."""
        items = [words for name, words in _CONTENTS.items() if self.rows(name)]
        return join_items(items) if items else ""

    def count_left(self) -> dict[str, int]:
        """Count what was left behind where it was written."""
        counts: Counter[str] = Counter()
        for row in self.rows("NotCarriedTable"):
            counts[row.get("What", "")] += find_number(row, "Count") or 0
        return dict(counts)


@dataclass(slots=True)
class ClubRecords:
    """All that an archive tells beside its hands.

    ``deals`` are those with which tables played boards, by event and board, with how many did.
    """

    events: dict[EventKey, ClubRecord] = field(default_factory=dict)
    books: ClubRecord = field(default_factory=ClubRecord)
    deals: dict[EventKey, dict[int, Counter[str]]] = field(default_factory=dict)

    def take(self, entry: RecordEntry) -> bool:
        """Read a record that tells of the club; return whether it is one."""
        match entry.value(CLUB_RECORD):
            case "event":
                name = (entry.value("Event") or "").strip()
                key = name, parse_day(entry.value("EventDate") or "")
                self.events.setdefault(key, ClubRecord(name)).add(entry)
            case "league" | "books":
                self.books.add(entry)
            case _:
                return False
        return True

    def note_board(self, entry: RecordEntry) -> None:
        """Note with which cards a table played a prepared board, where its record tells."""
        if "[BoardStart " not in entry.text:
            return
        name, number = (
            (entry.value("Event") or "").strip(),
            find_number({"Board": entry.value("BoardStart") or ""}, "Board"),
        )
        record = entry.record
        if name in UNNAMED or number is None or record is None:
            return
        key = name, parse_day(entry.value("EventDate") or entry.value("Date") or "")
        held = self.deals.setdefault(key, {}).setdefault(number, Counter())
        if record.deal is not None and all(record.deal) and record.dealer is not None:
            held[write_deal(record.deal, record.dealer)] += 1

    def all_records(self) -> Iterable[ClubRecord]:
        """The records of events, and that of the books."""
        yield from self.events.values()
        yield self.books

    def people(self) -> dict[WrittenPlayer, None]:
        """Everybody who is named in them."""
        return {person: None for record in self.all_records() for person in record.people.values()}

    def list_left_out(self) -> list[str]:
        """Say what is not brought in where games are put into no events."""
        found: list[str] = []
        for record in self.all_records():
            contents = record.describe_contents()
            if contents:
                found.append(
                    Message(
                        "{name}: not imported, as the games are put into no events: {contents}",
                        name=record.name or BOOKS,
                        contents=contents,
                    )
                )
        return found

    def list_not_carried(self) -> list[str]:
        """Say what the archive left behind where it was written."""
        return [
            describe_left(record.name or BOOKS, counts)
            for record in self.all_records()
            if (counts := record.count_left())
        ]


def describe_left(name: str, counts: Mapping[str, int]) -> Message:
    """Say what of an event, or of the books, is not in an archive."""
    items = [
        Message("{what}: {count}", what=NOT_CARRIED.get(what, what), count=count)
        for what, count in counts.items()
    ]
    return Message("{name}: not in the archive: {what}", name=name, what=join_items(items))


BOOKS: Final = Message("Books of the club")


COUNTED_OF_EVENTS: Final = (
    "rounds", "hands", "scoring", "team_best", "duplicate", "rank_guests", "entry_fee", "added",
    "prizes", "is_results_only",
)  # fmt: skip
COUNTED_OF_LEAGUES: Final = ("planned", "is_open", "rated", "is_hidden")


def event_settings(event: Event) -> dict[str, str]:
    """Return the settings by which an event is counted, as JSON; nested ones by both names.

    >>> event_settings(Event(rounds=3, hands=8, scoring={"method": "chips"}))["scoring.method"]
    '"chips"'
    """
    return _as_json({name: getattr(event, name) for name in COUNTED_OF_EVENTS})


def league_settings(league: League) -> dict[str, str]:
    """Return the settings by which a league is counted, in the same way."""
    values = {name: getattr(league, name) for name in COUNTED_OF_LEAGUES}
    return _as_json({**values, "season": league.season})


def _as_json(values: Mapping[str, Any]) -> dict[str, str]:
    found: dict[str, str] = {}
    for name, value in values.items():
        inner = value if isinstance(value, dict) else None
        parts = {name: value} if inner is None else {f"{name}.{key}": inner[key] for key in inner}
        found |= {key: json.dumps(part, sort_keys=True) for key, part in parts.items()}
    return found


def cell(row: Row, column: str) -> str:
    """A cell of a table; empty where it is empty or missing."""
    text = row.get(column, NOTHING)
    return "" if text == NOTHING else text


def find_number(row: Row, column: str) -> int | None:
    """The whole number in a cell; None where there is none."""
    text = row.get(column, "")
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


def number_in(row: Row, column: str) -> int | None:
    """The whole number in a cell; None where it is empty. Raises RefusedError for anything else."""
    number = find_number(row, column)
    if number is None and cell(row, column):
        raise RefusedError(Message("{text} is no number", text=repr(cell(row, column))), column)
    return number


def read_moment(text: str) -> datetime | None:
    """The moment that a cell tells; None for an empty one. Raises RefusedError."""
    if not text:
        return None
    try:
        return datetime.strptime(text, MOMENT).replace(tzinfo=UTC)
    except ValueError as error:
        raise RefusedError(Message("{text} is no moment", text=repr(text))) from error
