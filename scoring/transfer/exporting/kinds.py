"""Exports of a club: kinds, the formats each can be written in, and what they take."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Any, Final
from uuid import UUID

from django.db.models import Q
from django.utils.translation import gettext

from engine.core.messages import Message, join_items, join_with_or
from scoring.handouts.hands import print_hand_diagrams
from scoring.handouts.league_table import print_league_table
from scoring.handouts.lists import print_members_list
from scoring.handouts.properties import SheetOrder, describe_sheet
from scoring.handouts.result_sheet import print_result_sheet
from scoring.reports import books, hands
from scoring.reports.trail import trail
from scoring.selectors import queries
from scoring.transfer.exporting.archive import CompletedRecords
from tournaments.access.visibility import leagues_seen, tells_of_hidden, visible_rows
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events.leagues import season_of
from tournaments.models import Club, Event, League, Scope, TableGame, Trail
from tournaments.publishing.answer_facts import (
    list_club_facts,
    list_name_facts,
    list_published_facts,
)
from tournaments.publishing.official import TableStatus, find_current, status_of
from tournaments.publishing.versions import Standings
from tournaments.reports.event_standings import event_standings
from tournaments.reports.league_standings import league_standings
from tournaments.reports.members import members
from tournaments.reports.statistics import statistics
from tournaments.reports.travellers import travellers
from tournaments.tables import formats
from tournaments.tables.model import Table

PHN, BUNDLE = "phn", "bundle"
MEDIA_TYPES: Final = {PHN: formats.RECORDS_TYPE, BUNDLE: formats.BUNDLE_TYPE}
FORMATS: Final[Mapping[str, Message]] = {
    **{key: form.description for key, form in formats.FORMATS.items()},
    PHN: Message("records of hands, as programs of the game read them"),
    BUNDLE: Message("everything, to build the same club elsewhere"),
}
"""Every format of a file, with what it is good for."""
TABLES: Final = tuple(formats.FORMATS)
"""The formats of a table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportRequest:
    """A request for an export: a kind, a format, and of which event or league, where it is of one.

    ``in_full``: with full names. ``hidden``: they may know of what the club hides from strangers.
    ``ids``: columns for programs are put behind the others. ``site`` is where the pages stand that
    the file leads to, such as "https://painsuit.example"; empty where nobody knows.
    """

    what: str
    format: str
    event: UUID | None = None
    league: UUID | None = None
    ids: bool = False
    in_full: bool = True
    hidden: bool = True
    site: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportScope:
    """The scope of a file: a club, or one event or league of it.

    ``standings`` are what was published of that, and ``status`` whether they can still change; None
    of what is no table of standings.
    """

    club: Club
    event: Event | None = None
    league: League | None = None
    standings: Standings | None = None
    status: TableStatus | None = None
    in_full: bool = True

    @property
    def name(self) -> str:
        """The name of the event, the league or the club."""
        return (self.event or self.league or self.club).name

    @property
    def where(self) -> Mapping[str, UUID | None]:
        """The event and the league, as the declarations of tables take them."""
        event, league = self.event, self.league
        return {
            "event": None if event is None else event.pk,
            "league": None if league is None else league.pk,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportKind:
    """One kind of file: what it is called, what is in it, and its ``tables``.

    ``takes_scope``: it can be of one event or league, ``needs_scope``: it is of exactly one.
    ``printed`` makes its PDF, where that is another paper than its tables.
    """

    title: Message
    description: Message
    tables: Callable[[ExportScope], Sequence[Table[Any]]]
    formats: Sequence[str] = TABLES
    takes_scope: bool = True
    needs_scope: bool = False
    printed: Callable[[ExportScope, SheetOrder], bytes] | None = None


def _standings(scope: ExportScope) -> Sequence[Table[Any]]:
    assert scope.standings is not None
    if scope.league is None:
        return [event_standings(scope.standings, in_full=scope.in_full)]
    season = season_of(scope.league)
    return league_standings(scope.standings, season, in_full=scope.in_full)


def _printed_standings(scope: ExportScope, order: SheetOrder) -> bytes:
    if scope.league is not None:
        return print_league_table(scope.league, order)
    assert scope.event is not None
    return print_result_sheet(scope.event, order)


def _printed_hands(scope: ExportScope, order: SheetOrder) -> bytes:
    subject = scope.event or scope.league or scope.club
    about = describe_sheet(subject, order, what=gettext("Hands"))
    return print_hand_diagrams(queries.select_games(scope.club, **scope.where), about, order)


def _hands(scope: ExportScope) -> Table[Any]:
    games = queries.select_games(scope.club, **scope.where)
    records = CompletedRecords(scope.club, games, in_full=scope.in_full)
    return hands.hands(scope.club, read_record=records, **scope.where)


def _printed_members(scope: ExportScope, order: SheetOrder) -> bytes:
    return print_members_list(scope.club, order, **scope.where)


KINDS: Final[Mapping[str, ExportKind]] = {
    "standings": ExportKind(
        title=Message("Standings"),
        description=Message("places and points of an event or a league, as published"),
        tables=_standings,
        printed=_printed_standings,
        needs_scope=True,
    ),
    "results": ExportKind(
        title=Message("Results"),
        description=Message("what every hand gave every seat"),
        tables=lambda scope: [hands.results(scope.club, **scope.where)],
    ),
    "hands": ExportKind(
        title=Message("Hands"),
        description=Message("every hand with its record"),
        printed=_printed_hands,
        tables=lambda scope: [_hands(scope)],
        formats=(*TABLES, PHN),
    ),
    "travellers": ExportKind(
        title=Message("Travellers"),
        description=Message("what every table made of each prepared board"),
        tables=lambda scope: [travellers(scope.club, **scope.where)],
    ),
    "statistics": ExportKind(
        title=Message("Statistics"),
        description=Message("what the games say of every player, number by number"),
        tables=lambda scope: [statistics(scope.club, **scope.where)],
    ),
    "chips": ExportKind(
        title=Message("Ledger of chips"),
        description=Message("every movement of chips at the tables"),
        tables=lambda scope: [books.chips(scope.club, **scope.where)],
    ),
    "money": ExportKind(
        title=Message("Ledger of money"),
        description=Message("everything that was paid and is owed, entry by entry"),
        tables=lambda scope: books.money(scope.club, **scope.where),
    ),
    "balances": ExportKind(
        title=Message("Balances"),
        description=Message("what everybody has with the club, and what it is made of"),
        tables=lambda scope: books.balances(scope.club, **scope.where),
    ),
    "members": ExportKind(
        title=Message("Members"),
        description=Message("everybody who plays at the club, and how to reach them"),
        printed=_printed_members,
        tables=lambda scope: [members(scope.club, **scope.where)],
    ),
    "trail": ExportKind(
        title=Message("Audit trail"),
        description=Message("what was done, by whom and when"),
        tables=lambda scope: [trail(scope.club)],
        takes_scope=False,
    ),
    "club": ExportKind(
        title=Message("The whole club"),
        description=Message("everything in one file, to keep or to move elsewhere"),
        tables=lambda scope: [],
        formats=(BUNDLE,),
        takes_scope=False,
    ),
}
"""Everything that can be taken away; a club as a whole only as a bundle."""


def check_request(wanted: ExportRequest) -> ExportKind:
    """Check that there is such a file. Raises RefusedError naming the parameter that is wrong."""
    kind = KINDS.get(wanted.what)
    if kind is None:
        raise RefusedError(
            Message(
                "There is no export {what}; there are {kinds}.",
                what=wanted.what,
                kinds=join_items([*KINDS]),
            ),
            "what",
        )
    if wanted.format not in kind.formats:
        raise RefusedError(
            Message(
                "{kind} cannot be written as {format}, but as {formats}.",
                kind=kind.title,
                format=wanted.format,
                formats=join_with_or([*kind.formats]),
            ),
            "format",
        )
    if wanted.event and wanted.league:
        raise RefusedError(Message("Name an event or a league, not both."), "league")
    if not kind.takes_scope and (wanted.event or wanted.league):
        raise RefusedError(
            Message("{kind}: only of the club as a whole, of no event or league.", kind=kind.title),
            "event" if wanted.event else "league",
        )
    if kind.needs_scope and not (wanted.event or wanted.league):
        raise RefusedError(Message("Name an event or a league."), "event")
    return kind


def find_scope(club: Club, wanted: ExportRequest) -> ExportScope:
    """Find what a file is about; the request has been checked.

    Raises RefusedError for an event or a league that the club does not have; NotThereError
    instead where the asker must not learn which there are.
    """
    events = visible_rows(Event.objects.filter(club=club), hidden=wanted.hidden)
    leagues = leagues_seen(League.objects.filter(club=club), hidden=wanted.hidden)
    event = wanted.event and events.select_related("rule_set").filter(pk=wanted.event).first()
    league = wanted.league and leagues.filter(pk=wanted.league).first()
    for field, is_missing, words in (
        ("event", wanted.event and event is None, Message("This club has no such event.")),
        ("league", wanted.league and league is None, Message("This club has no such league.")),
    ):
        if is_missing:
            raise RefusedError(words, field) if wanted.hidden else NotThereError
    scope = ExportScope(
        club=club, event=event or None, league=league or None, in_full=wanted.in_full
    )
    if wanted.what != "standings":
        return scope
    kind, subject = (Scope.EVENT, event) if event else (Scope.LEAGUE, league)
    assert subject
    standings = find_current(kind, subject.pk)
    if not wanted.hidden and tells_of_hidden(standings.row, [standings.version]):
        raise NotThereError
    if not standings.version:
        raise RefusedError(Message("No standings have been published yet."), kind.value)
    return replace(scope, standings=standings, status=status_of(standings, in_full=wanted.in_full))


def list_standings_facts(club: Club, wanted: ExportRequest) -> Sequence[Any]:
    """Return all that a file of standings for strangers is made of, without making it.

    That is which versions are published, names, and the ends of the trails of whatever else is told
    of: the club, the league and its nights, or the event and its games. Whether this
    reader may have the file is not looked at. Nine queries at most.
    """
    subjects = [] if wanted.league is None else [wanted.league]
    played = [] if wanted.event is None else [wanted.event]
    games = TableGame.objects.filter(event__in=played)
    events = Event.objects.filter(Q(pk__in=played) | Q(leagues__league__in=subjects))
    rows = list(events.order_by("pk").values_list())
    nights = [pk for pk, *_more in rows]
    trails = Trail.objects.filter(
        Q(chain__in=[club.pk, *subjects, *nights]) | Q(chain__in=games.values("pk"))
    )
    hidden = Event.objects.filter(club=club, is_hidden=True)
    return (
        astuple(wanted),
        list_club_facts(club),
        list_name_facts(club.pk),
        rows,
        list(League.objects.filter(pk__in=subjects).values_list()),
        list(trails.order_by("chain").values_list("chain", "digest")),
        list(hidden.order_by("pk").values_list("pk")),
        list_published_facts(club, Scope.EVENT, nights),
        list_published_facts(club, Scope.LEAGUE, subjects),
    )
