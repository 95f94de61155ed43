"""Records of a club that are no hands: its events, leagues and books (notation.md 11).

They carry what standings, seasons and balances are computed from beside the hands, and name what an
archive does not carry. Longer ones are written in several records, each with the people it names.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import F, Q, QuerySet

from engine.notation.completion import clean_value
from engine.notation.document import Document, Row, Tag, quote
from engine.notation.names import CLUB_RECORD, CLUB_RECORD_COLUMNS
from engine.notation.writer import write_record
from engine.record.record import clean_text
from scoring.ledger.transfers import BookEntry
from scoring.models import Appeal, Decided, Game, HandVersion, SealedPaper, Sitting, State
from scoring.selectors import queries
from scoring.transfer.importing.club_records import (
    BOOKS,
    MOMENT,
    NOTHING,
    describe_left,
    event_settings,
    league_settings,
)
from tournaments.core.time_zones import day
from tournaments.models import (
    Adjustment,
    Board,
    BoardDecision,
    Club,
    Entry,
    Event,
    League,
    LeagueEvent,
    LeagueMember,
    RecordedResult,
    SeatDecision,
    SitOut,
    Status,
    TableSeat,
)
from tournaments.models.club import Confirming
from tournaments.publishing.adjourned import find_adjourned
from tournaments.selectors import boards_over

ROWS_MAX: Final = 150
"""So many rows of facts stand in one record: readers take 256 rows and 4,000 words (3.5)."""


@dataclass(frozen=True, slots=True)
class ListedPerson:
    """A player as an archive names them."""

    name: str
    number: int
    kind: str


People = Mapping[UUID, ListedPerson]


class Fact(NamedTuple):
    """A row of a table, with the players that it names by their numbers."""

    table: str
    row: Row
    people: tuple[UUID, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveScope:
    """The events and leagues of which an archive tells; ``books``: the payments of the club too."""

    events: Sequence[Event] = ()
    leagues: Sequence[League] = ()
    books: bool = False

    @classmethod
    def of(
        cls,
        club: Club,
        games: QuerySet[Game],
        *,
        event: UUID | None = None,
        league: UUID | None = None,
    ) -> "ArchiveScope":
        """The scope of some games, with an event or a league: all games are the whole club."""
        events = Event.objects.filter(club=club).order_by("starts_at", "pk")
        leagues = League.objects.filter(club=club).order_by("created_at", "pk")
        played = games.count()
        if (played or not (event or league)) and played == Game.objects.filter(club=club).count():
            return cls(events=list(events), leagues=list(leagues), books=True)
        if event is not None:
            return cls(events=list(events.filter(pk=event)))
        if league is not None:
            some = events.filter(leagues__league=league)
            return cls(events=list(some), leagues=list(leagues.filter(pk=league)))
        return cls(events=list(events.filter(pk__in=games.values("table__round__event"))))


def write_club_records(club: Club, people: People, scope: ArchiveScope) -> Iterator[str]:
    """The records of events, leagues and books, each without a final line feed."""
    payments = list(queries.list_payments(club))
    fees: dict[UUID, list[BookEntry]] = defaultdict(list)
    others = []
    for row in payments:
        fee = getattr(row, "entry_fee", None)
        if fee is None:
            others.append(row)
        else:
            fees[fee.event_id].append(row)
    untold = {league.pk: league for league in scope.leagues}
    for event in scope.events:
        facts = [*_event_facts(event, people), *_payments(fees.get(event.pk, []), people)]
        for number in event.leagues.order_by("league").values_list("league", flat=True):
            league = untold.pop(number, None)
            facts += [] if league is None else _league_facts(league, people)
        yield from _write("event", _event_tags(event), facts, people)
    for league in untold.values():
        facts = list(_league_facts(league, people))
        yield from _write("league", {}, facts, people)
    if scope.books:
        apart = Game.objects.filter(club=club, table=None)
        facts = [*_payments(others, people), *_not_carried(apart)]
        yield from _write("books", {}, facts, people)


def _write(
    kind: str, tags: Mapping[str, str], facts: Sequence[Fact], people: People
) -> Iterator[str]:
    for first in range(0, len(facts), ROWS_MAX):
        tables: dict[str, list[Row]] = {}
        named: dict[int, Row] = {}
        for table, row, players in facts[first : first + ROWS_MAX]:
            tables.setdefault(table, []).append(row)
            for player in players:
                one = people[player]
                named[one.number] = (str(one.number), quote(one.name), one.kind)
        if named:
            tables["PersonTable"] = [named[number] for number in sorted(named)]
        parts = (
            *(Tag(name, value) for name, value in {CLUB_RECORD: kind, **tags}.items()),
            *(
                Tag(name, CLUB_RECORD_COLUMNS[name], rows=tuple(rows))
                for name, rows in tables.items()
            ),
        )
        yield write_record(Document((), parts)).rstrip("\n")


def _event_tags(event: Event) -> dict[str, str]:
    written = f"{day(event.starts_at, event.club.time_zone):%Y.%m.%d}"
    place = event.place or event.club.name
    return {
        "Event": clean_value(event.name),
        "Site": clean_value(place),
        "Date": written,
        "EventDate": written,
    }


def _event_facts(event: Event, people: People) -> Iterator[Fact]:
    """All that is decided and known of an event beside its hands."""
    entries = list(Entry.objects.filter(event=event).order_by("number"))
    games = Game.objects.filter(table__round__event=event)
    if event.status in (Status.PLANNED, Status.CANCELLED) and not games.exists():
        return
    for setting, value in event_settings(event).items():
        yield Fact("SettingTable", (setting, quote(value)))
    for entry in entries:
        who = _cells(entry.number, people[entry.player_id].number, entry.standing, entry.presence)
        row = (
            *who,
            *_cells(entry.first, entry.last, entry.handicap, entry.lot or entry.pk),
            _text(entry.team),
        )
        yield Fact("EntryTable", row, (entry.player_id,))
    numbers = {one.pk: str(one.number) for one in entries}
    yield from _results_and_adjustments(event, numbers)
    yield from _seats(event, numbers)
    yield from _boards(event)
    for session in LeagueEvent.objects.filter(event=event).select_related("league"):
        cells = _cells(session.number, session.weight, session.division)
        yield Fact("SessionTable", (_text(session.league.name), *cells))
    yield from _not_carried(games, event)


def _results_and_adjustments(event: Event, numbers: Mapping[UUID, str]) -> Iterator[Fact]:
    for result in RecordedResult.objects.filter(entry__event=event).order_by("entry__number"):
        cells = _cells(numbers[result.entry_id], result.points, result.place, result.games)
        yield Fact("ResultTable", cells)
    held = Adjustment.objects.filter(entry__event=event, cancelled_at=None)
    for added in held.order_by("at", "pk"):
        place = "place" if added.affects_place else "score"
        cells = _cells(numbers[added.entry_id], added.amount, added.round, place)
        yield Fact("AdjustmentTable", (*cells, _text(added.reason)))
    rows = SeatDecision.objects.filter(game__event=event, cancelled_at=None)
    for made in rows.order_by("at", "pk"):
        entry = numbers[made.entry_id]
        cells = _cells(made.game_id, entry, made.kind, made.hands, made.amount)
        yield Fact("SeatDecisionTable", (*cells, _text(made.reason)))


def _seats(event: Event, numbers: Mapping[UUID, str]) -> Iterator[Fact]:
    """The rounds that entries sat out, and seats in which another player than theirs began."""
    for out in SitOut.objects.filter(round__event=event).select_related("round").order_by("pk"):
        yield Fact("SitOutTable", (str(out.round.number), numbers[out.entry_id]))
    began: dict[tuple[UUID | None, int], set[UUID]] = defaultdict(set)
    rows = Sitting.objects.filter(game__table__round__event=event, first=1)
    survivor = "player__merged_into_id"
    for table, seat, player, into in rows.values_list("game__table", "seat", "player", survivor):
        began[table, seat].add(into or player)
    seats = TableSeat.objects.filter(round__event=event).select_related(
        "round", "table", "entry__player"
    )
    for row in seats.order_by("round__number", "table__number", "seat"):
        own = row.entry.player.merged_into_id or row.entry.player_id
        if began[row.table_id, row.seat] - {own}:
            cells = _cells(row.round.number, row.table.number, row.seat + 1)
            yield Fact("SeatingTable", (*cells, numbers[row.entry_id]))


def _boards(event: Event) -> Iterator[Fact]:
    """The prepared deals that nobody plays any more; the others are secret."""
    over = boards_over(event)
    for board in Board.objects.filter(event=event, number__in=over).order_by("number"):
        cells = _cells(board.number, board.source, board.source_table)
        yield Fact("BoardTable", (*cells, _text(board.deal), _cell(board.key)))
    rows = BoardDecision.objects.filter(game__event=event, cancelled_at=None)
    for made in rows.order_by("at", "pk"):
        cells = _cells(made.game_id, made.number, made.verdict, made.other_board, made.turn)
        yield Fact("BoardDecisionTable", (*cells, _text(made.reason)))


def _league_facts(league: League, people: People) -> Iterator[Fact]:
    """Yield the settings of a league, and its roll."""
    name = _text(league.name)
    for setting, value in league_settings(league).items():
        yield Fact("LeagueTable", (name, setting, quote(value)))
    for member in LeagueMember.objects.filter(league=league).order_by("joined_at", "pk"):
        number = people[member.player_id].number
        cells = _cells(
            number, member.division, member.opening, member.opening_events, member.handicap
        )
        joined = f"{member.joined_at.astimezone(UTC):{MOMENT}}"
        withdrawn = "yes" if member.withdrawn_at is not None else "no"
        row = (name, *cells, joined, withdrawn)
        yield Fact("RollTable", row, (member.player_id,))


def _payments(rows: Sequence[BookEntry], people: People) -> Iterator[Fact]:
    """Payments that hold, in minor units; an account is a player's number or that of the club."""
    for row in rows:
        sides = (row.payer, row.payee)
        accounts = [
            str(side.holder) if side.player_id is None else str(people[side.player_id].number)
            for side in sides
        ]
        at = f"{row.at.astimezone(UTC):{MOMENT}}"
        cells = (row.kind, *accounts, str(row.amount), row.payer.unit, at, _cell(row.game_id))
        players = tuple(side.player_id for side in sides if side.player_id is not None)
        yield Fact("PaymentTable", (*cells, _text(row.note)), players)


def _not_carried(games: QuerySet[Game], event: Event | None = None) -> Iterator[Fact]:
    """Yield what an archive leaves behind; an import names it again."""
    for what, count in _count_left(games, event).items():
        yield Fact("NotCarriedTable", (what, str(count)))


def list_not_carried(club: Club, scope: ArchiveScope) -> list[str]:
    """Say what an archive leaves behind, event by event, as the import says it again."""
    found = []
    for event in scope.events:
        games = Game.objects.filter(table__round__event=event)
        found.append((event.name, _count_left(games, event)))
    if scope.books:
        found.append((BOOKS, _count_left(Game.objects.filter(club=club, table=None), None)))
    return [describe_left(name, counts) for name, counts in found if counts]


def _count_left(games: QuerySet[Game], event: Event | None) -> dict[str, int]:
    hands = Q(hand__game__in=games.values("pk"))
    is_outside = (
        Q(hand__rival__isnull=False)
        | Q(hand__state=State.TAKEN_BACK)
        | Q(hand__number__gt=F("hand__game__hands"))
    )
    counts = {
        "earlier-versions": HandVersion.objects.filter(hands)
        .exclude(number=F("hand__current"))
        .count(),
        "rulings-outside": Decided.objects.filter(hands).filter(is_outside).count(),
        "appeals": Appeal.objects.filter(ruling__hand__game__in=games.values("pk")).count(),
        "sealed-papers": SealedPaper.objects.filter(game__in=games.values("pk"), value="").count(),
        "old-law": games.filter(old_law=True).count(),
        "confirming": games.filter(confirming=Confirming.REQUIRED).count(),
    }
    if event is not None:
        gone = Adjustment.objects.filter(entry__event=event).exclude(cancelled_at=None).count()
        lost = SeatDecision.objects.filter(game__event=event).exclude(cancelled_at=None).count()
        fouls = BoardDecision.objects.filter(game__event=event).exclude(cancelled_at=None).count()
        counts["cancelled-decisions"] = gone + lost + fouls
        boards = Board.objects.filter(event=event)
        counts["secret-boards"] = boards.exclude(number__in=boards_over(event)).count()
        counts["adjourned-tables"] = len(find_adjourned([event.pk]))
        counts["official-table"] = int(event.status == Status.OFFICIAL)
    return {what: count for what, count in counts.items() if count}


def _cell(value: object) -> str:
    return NOTHING if value is None or value == "" else str(value)


def _cells(*values: object) -> tuple[str, ...]:
    return tuple(map(_cell, values))


def _text(words: str) -> str:
    return quote(clean_text(words)) if words else NOTHING
