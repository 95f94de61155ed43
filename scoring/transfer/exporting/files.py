"""Files: one thing that a club knows, in one format."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.db.models import QuerySet

from engine.messages import Message
from scoring.models import Hand
from scoring.reports import books, hands
from scoring.transfer.bundling import heads_of, write
from scoring.transfer.exporting import people
from scoring.transfer.exporting.archive import games_of, write_archive
from scoring.transfer.exporting.standings import standings
from tournaments.access.visibility import leagues_seen, tells_of_hidden, visible_rows
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.core.time_zones import day, local
from tournaments.models import AuditEntry, Club, Event, League, Player, Result, Scope
from tournaments.publishing.official import find_current, status_of
from tournaments.tables import formats
from tournaments.tables.model import ColumnKind, Properties, Table, Value, Workbook

SMALL: Final = 5000
"""How many rows are answered at once; more are a job."""
PHN, BUNDLE = "phn", "bundle"
FORMATS: Final = (*formats.FORMATS, PHN, BUNDLE)
_MEDIA: Final = {PHN: "application/x-phn", BUNDLE: "application/jsonl"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """What is asked for: a kind, a format, and of which event or league, where it is of one.

    ``hidden``: they may know of what the club hides from strangers.
    """

    what: str
    format: str
    event: UUID | None = None
    league: UUID | None = None
    in_full: bool = True
    hidden: bool = True


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file on its way out. ``head`` is that of all trails of the club when it was made."""

    name: str
    media_type: str
    pieces: Iterator[bytes]
    head: str


Tables = Callable[[Club, ExportRequest], Sequence[Table[Any]]]


def _standings(club: Club, wanted: ExportRequest) -> Sequence[Table[Any]]:
    events = visible_rows(Event.objects.filter(club=club), hidden=wanted.hidden)
    leagues = leagues_seen(League.objects.filter(club=club), hidden=wanted.hidden)
    event = events.filter(pk=wanted.event).first() if wanted.event else None
    league = leagues.filter(pk=wanted.league).first() if wanted.league else None
    if (wanted.event is None) == (wanted.league is None):
        raise RefusedError(Message("Name an event or a league."), "event")
    scope, found = (Scope.LEAGUE, league) if event is None else (Scope.EVENT, event)
    if found is None:
        raise NotThereError
    latest = find_current(scope, found.pk)
    if not wanted.hidden and tells_of_hidden(latest.row, [latest.version]):
        raise NotThereError
    return [standings(latest, found.name, in_full=wanted.in_full)]


KINDS: Final[Mapping[str, Tables]] = {
    "standings": _standings,
    "results": lambda club, wanted: [hands.results(club, event=wanted.event, league=wanted.league)],
    "hands": lambda club, wanted: [hands.hands(club, event=wanted.event, league=wanted.league)],
    "chips": lambda club, wanted: [books.chips(club, event=wanted.event, league=wanted.league)],
    "money": lambda club, wanted: books.money(club, event=wanted.event, league=wanted.league),
    "balances": lambda club, wanted: books.balances(club, event=wanted.event, league=wanted.league),
    "members": lambda club, _wanted: [people.members(club)],
    "trail": lambda club, _wanted: [people.trail(club)],
    "club": lambda _club, _wanted: [],
}
"""Everything that can be taken away; a club as a whole only as a bundle."""


def export(club: Club, wanted: ExportRequest, at: datetime) -> ExportFile:
    """A file, whose pieces are read from the database while they are taken.

    Raises RefusedError for a format that a kind does not have, and NotThereError.
    """
    head = heads_of(club.pk).all
    clock = club.time_zone
    name = f"{wanted.what}-{day(at, clock)}"
    if (wanted.what == "club") != (wanted.format == BUNDLE):
        raise RefusedError(
            Message("A club as a whole is a bundle, and nothing else is one."), "format"
        )
    if wanted.format == BUNDLE:
        return ExportFile(f"{name}.bundle", _MEDIA[BUNDLE], write(club), head)
    if wanted.format == PHN:
        if wanted.what != "hands":
            raise RefusedError(Message("Only hands are records."), "format")
        games = games_of(club, event=wanted.event, league=wanted.league)
        return ExportFile(f"{name}.phn", _MEDIA[PHN], write_archive(club, games), head)
    form = formats.FORMATS.get(wanted.format)
    if form is None:
        # A job may have been asked for with a format that is no more.
        raise RefusedError(Message("There is no format {format}.", format=wanted.format), "format")
    tables = [_by_the_clock(table, clock) for table in KINDS[wanted.what](club, wanted)]
    title = f"{club.name}: {wanted.what}"
    properties = Properties(
        title=title,
        author=club.name,
        made_at=local(at, clock),
        status=_mark(club, wanted),
        digest=head,
    )
    pieces = form.write(Workbook(tuple(tables), properties))
    return ExportFile(f"{name}.{form.extension}", form.media_type, pieces, head)


def _mark(club: Club, wanted: ExportRequest) -> str:
    """What standings are, provisional or official since when, for each page; else empty."""
    if wanted.what != "standings":
        return ""
    scope, subject = (Scope.EVENT, wanted.event) if wanted.event else (Scope.LEAGUE, wanted.league)
    if subject is None:
        return ""
    return translate(status_of(find_current(scope, subject)).sentence(club.time_zone))


def _by_the_clock(table: Table[Any], clock: str) -> Table[Any]:
    """A table with its moments as the clock on the club's wall showed them."""
    columns = [
        replace(column, value=partial(_local_value, column.value, clock))
        if column.kind is ColumnKind.DATETIME
        else column
        for column in table.columns
    ]
    return replace(table, columns=tuple(columns))


def _local_value(value: Callable[[Any], Value], clock: str, record: Any) -> Value:
    cell = value(record)
    return local(cell, clock) if isinstance(cell, datetime) else cell


def is_small(club: Club, wanted: ExportRequest) -> bool:
    """Whether a file can be made while somebody waits for it. One query."""
    rows: QuerySet[Any] = Player.objects.filter(club=club)
    most = SMALL
    if wanted.what == "results":
        rows = Result.objects.filter(game__club=club)
    elif wanted.what == "trail":
        rows = AuditEntry.objects.filter(club_id=club.pk)
    elif wanted.what in ("hands", "chips", "money", "balances", "club"):
        rows = Hand.objects.filter(game__club=club)
        most = SMALL if wanted.what == "hands" else SMALL // 8
    return not rows.order_by()[most : most + 1]
