"""Rounds of an event: open and close all their games together, and finish the event.

The tables of a round get their games in one transaction: all of them, or none. Locks are taken as
docs/locks.md says: club, event, then one game after another by table, which nobody else does.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from itertools import groupby
from typing import Any, Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from engine.core.messages import Message, joined_by_semicolons
from scoring.games import buy_ins
from scoring.games.closing import Closing, close_game, open_hands
from scoring.games.links import NewSeatLink, make_links
from scoring.games.opening import NewGame, open_game
from scoring.games.opening import touch as touch_game
from scoring.games.table_codes import make_event_codes
from scoring.ledger.transfers import Stamp
from scoring.models import Game, Hand, Phase, Sitting, State
from scoring.settlement import reporting
from scoring.settlement.plan import carry_out, lock, plan
from scoring.webhooks import subscriptions
from scoring.webhooks.subscriptions import WebhookEvent as Told
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.core.time_zones import day
from tournaments.events import entries, events, rounds
from tournaments.events.entries import NewEntry
from tournaments.events.events import OVER, check_running, create_event, lock_with_club, touch
from tournaments.events.events import lock as lock_event
from tournaments.events.notices import enqueue_adjournment, enqueue_resumption
from tournaments.events.round_rules import rule_set_of_round
from tournaments.events.seating import DrawRequest
from tournaments.models import (
    UNFINISHED,
    Club,
    Entry,
    Event,
    PlayerKind,
    Round,
    Stage,
    Status,
    Table,
    TableGame,
    TableSeat,
)
from tournaments.people.members import NewPlayer, add_player
from tournaments.publishing.deals import find_undecided

ROUND_OVER: Final = Message("The round is over.")
_STANDING_UP: Final = 2**31 - 1
_DONE: Final = (Phase.CLOSED, Phase.OFFICIAL)


@dataclass(frozen=True, slots=True)
class Started:
    """A started round: its games and new table links; a link's token is shown only once."""

    row: Round
    games: tuple[tuple[Table, Game], ...]
    links: tuple[NewSeatLink, ...]


@transaction.atomic
def start_round(*, event_id: UUID, number: int, by: Actor, at: datetime) -> Started:
    """Begin a drawn round: open a game at every table, with a link for the phones there.

    A table without a code gets one, which is good for the whole event.
    Raises RefusedError: not drawn, begun already, the round before it not closed.
    """
    lock_with_club(event_id)
    row = rounds.begin_round(event_id=event_id, number=number, by=by, at=at)
    games = tuple(_open_games(row, by, at))
    links = tuple(
        made
        for _, game in games
        for made in make_links(game_id=game.pk, seats=[None], by=by, at=at)
    )
    numbers = [table.number for table, _ in games]
    make_event_codes(event_id=event_id, numbers=numbers, by=by, at=at)
    subscriptions.enqueue_night_event(row.event, Told.ROUND_STARTED, round_=row, at=at)
    return Started(row, games, links)


def _open_games(row: Round, by: Actor, at: datetime) -> Iterator[tuple[Table, Game]]:
    event = row.event
    rule_set = rule_set_of_round(event, row.number).pk
    seats = TableSeat.objects.filter(round=row).select_related("entry")
    ordered = seats.order_by("table__number", "seat")
    players = {
        table: [seat.entry.player_id for seat in found]
        for table, found in groupby(ordered, key=lambda seat: seat.table_id)
    }
    for table in Table.objects.filter(round=row).order_by("number"):
        table.round = row
        opening = NewGame(
            name=f"{event.name[:160]}, round {row.number}, table {table.number}",
            rule_set=rule_set,
            players=players[table.pk],
            table=table,
        )
        yield table, open_game(club_id=event.club_id, opening=opening, by=by, at=at)


@transaction.atomic
def end_round(*, event_id: UUID, number: int, why: str = "", by: Actor, at: datetime) -> Round:
    """Close the games of a round that are played to the end, and then the round.

    A table that has not played its hands, or where something is undecided, is named and stops it,
    unless it is said why: then its games are closed with the hands that they have. The games of
    tables that are to be finished another day stay open.
    """
    event = lock_with_club(event_id)
    check_running(event)
    games = Game.objects.filter(
        table__round__event=event, table__round__number=number, table__adjourned_at=None
    )
    rows = list(games.select_related("table").order_by("table__number", "opened_at"))
    if stopped := [] if why.strip() else list(_list_unfinished(event, rows)):
        words = Message(
            "Round {number} cannot be closed: {reasons}. Say why, if so.",
            number=number,
            reasons=joined_by_semicolons(stopped),
        )
        raise RefusedError(words, "why")
    _close_games(rows, why, by, at)
    row = rounds.close_round(event_id=event_id, number=number, why=why, by=by, at=at)
    subscriptions.enqueue_night_event(row.event, Told.ROUND_CLOSED, round_=row, at=at)
    return row


def _close_games(games: Iterable[Game], why: str, by: Actor, at: datetime) -> None:
    for game in games:
        if game.phase not in _DONE:
            closing = Closing(reason=why.strip() or ROUND_OVER, leave_out=bool(open_hands([game])))
            close_game(game_id=game.pk, closing=closing, by=by, at=at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adjournment:
    """The reason for which a table ends another day, and on which, if that is known."""

    why: str
    finish_on: date | None = None


@transaction.atomic
def adjourn_table(*, table_id: UUID, wanted: Adjournment, by: Actor, at: datetime) -> Table:
    """Let a table be finished another day: its round can be closed, and standings stay provisional.

    Its game stays open for hands, rulings and corrections until `end_table`. Again it changes the
    day and the reason. Raises NotThereError, and RefusedError naming the field: no reason, a day
    that is past, or no game that is not closed.
    """
    table, event = _lock_table(table_id)
    why, clock = wanted.why.strip(), event.club.time_zone
    if not why:
        raise RefusedError(Message("Say why the table is finished another day."), "why")
    if wanted.finish_on is not None and wanted.finish_on < day(at, clock):
        raise RefusedError(Message("This date is in the past."), "finish_on")
    if not TableGame.objects.filter(table=table, phase__in=UNFINISHED).exists():
        raise RefusedError(Message("Nothing is played at this table that is not closed."), "table")
    if table.adjourned_at is None or table.finish_on != wanted.finish_on:
        table.adjourned_at = at
    table.finish_on, table.adjourn_reason = wanted.finish_on, why
    _save_adjournment(table, event, AuditRecord(Message("table adjourned"), why), by, at)
    sitting = Sitting.objects.filter(game__table=table, game__phase__in=UNFINISHED, last=None)
    enqueue_adjournment(table, sitting.values_list("player", flat=True), at)
    subscriptions.enqueue_night_event(event, Told.TABLE_ADJOURNED, table=table, at=at)
    return table


@transaction.atomic
def play_on(*, table_id: UUID, by: Actor, at: datetime) -> Table:
    """Take it back that a table is finished another day: it plays in its round like the others.

    Raises NotThereError, and RefusedError: it is not adjourned, or its round is closed.
    """
    table, event = _lock_table(table_id)
    _check_adjourned(table)
    if table.round.stage != Stage.PLAYING:
        words = Message(
            "Round {number} is closed, so this table is played by itself: enter its hands, then end"
            " its game.",
            number=table.round.number,
        )
        raise RefusedError(words, "table")
    table.adjourned_at, table.finish_on, table.adjourn_reason = None, None, ""
    _save_adjournment(table, event, AuditRecord(Message("table plays on")), by, at)
    enqueue_resumption(table, at)
    subscriptions.enqueue_night_event(event, Told.TABLE_RESUMED, table=table, at=at)
    return table


@transaction.atomic
def end_table(*, table_id: UUID, why: str = "", by: Actor, at: datetime) -> Table:
    """End an adjourned table: its game is closed and counts as it is now.

    Raises NotThereError, and RefusedError: it is not adjourned, or it has not played its hands or
    something is undecided, and nobody says why it ends so.
    """
    known = Table.objects.only("round").filter(pk=table_id).select_related("round").first()
    if known is None:
        raise NotThereError
    lock_with_club(known.round.event_id)
    table, event = _lock_table(table_id)
    _check_adjourned(table)
    rows = list(Game.objects.filter(table=table).select_related("table").order_by("opened_at"))
    if stopped := [] if why.strip() else list(_list_unfinished(event, rows)):
        words = Message(
            "The table cannot be ended: {reasons}. Say why, if so.",
            reasons=joined_by_semicolons(stopped),
        )
        raise RefusedError(words, "why")
    _close_games(rows, why, by, at)
    # Opened again it is not adjourned; the day and the reason stay in the trail.
    table.adjourned_at, table.finish_on, table.adjourn_reason = None, None, ""
    _save_adjournment(table, event, AuditRecord(Message("table ended"), why), by, at)
    return table


def _lock_table(table_id: UUID) -> tuple[Table, Event]:
    """Lock the event of a table that is played. Raises NotThereError, RefusedError."""
    known = Table.objects.only("round").filter(pk=table_id).select_related("round").first()
    if known is None:
        raise NotThereError
    event = lock_event(known.round.event_id)
    check_running(event)
    return Table.objects.select_related("round").get(pk=table_id), event


def _check_adjourned(table: Table) -> None:
    if not table.is_adjourned:
        raise RefusedError(Message("This table is not to be finished another day."), "table")


def _save_adjournment(
    table: Table, event: Event, action: AuditRecord, by: Actor, at: datetime
) -> None:
    table.save(update_fields=["adjourned_at", "finish_on", "adjourn_reason"])
    details: dict[str, Any] = {"round": table.round.number, "table": table.number}
    if table.finish_on is not None:
        details["finish_on"] = table.finish_on.isoformat()
    touch(event, replace(action, details=details), by, at)
    invalidation.mark_event(event.pk, at)


def _list_unfinished(event: Event, games: Sequence[Game]) -> Iterator[str]:
    for game in games:
        assert game.table is not None
        table = Message("table {number}", number=game.table.number)
        if waiting := open_hands([game]):
            yield Message("hand {number} of {table} is open", number=waiting[0].number, table=table)
        elif game.phase == Phase.OPEN and game.counted < event.hands:
            yield Message(
                "{table} has played {count} of {hands} hands",
                table=table,
                count=game.counted,
                hands=event.hands,
            )


@dataclass(frozen=True, slots=True)
class Obstacle:
    """A reason why the results of a night are not official: a game, or an open hand of it.

    ``board`` is the one that the hand was to be played with, where it has other cards (DEC-15).
    """

    game: Game
    hand: Hand | None = None
    board: int | None = None


def list_obstacles(event: Event) -> list[Obstacle]:
    """List what is undecided or not played to the end in the rounds that have begun.

    Hands that are open come first, each by itself, then those with other cards than their boards,
    then tables that have hands to play or are adjourned; in the order of rounds and tables.
    """
    ordered = ("table__round__number", "table__number", "opened_at")
    games = Game.objects.filter(table__round__event=event).select_related("table__round")
    states = (State.DRAFT, State.DISPUTED)
    waiting = Hand.objects.filter(game__in=games, state__in=states, rival=None)
    hands = waiting.select_related("game__table__round")
    found = [
        Obstacle(hand.game, hand)
        for hand in hands.order_by(*(f"game__{name}" for name in ordered), "number")
    ]
    found += list_foreign_hands(event)
    named = {one.game.pk for one in found}
    unplayed = Q(phase=Phase.OPEN, counted__lt=event.hands)
    adjourned = Q(phase__in=(Phase.OPEN, Phase.OVER), table__adjourned_at__isnull=False)
    waiting_games = games.filter(unplayed | adjourned).order_by(*ordered)
    return [*found, *(Obstacle(game) for game in waiting_games if game.pk not in named)]


def list_foreign_hands(event: Event) -> list[Obstacle]:
    """List the hands with other cards than their boards on which nothing is decided (DEC-15)."""
    if not event.duplicate:
        return []
    rows = Hand.objects.filter(game__table__round__event=event, rival=None)
    hands = rows.select_related("game__table__round")
    return [
        Obstacle((hand := hands.get(game=one.game, number=one.number)).game, hand, one.board)
        for one in find_undecided(event.pk)
    ]


@transaction.atomic
def finish_night(*, event_id: UUID, version: int | None, by: Actor, at: datetime) -> Event:
    """Say that the playing is over, and tell the club's webhooks. As `events.finish_event`."""
    lock_event(event_id)
    event = events.finish_event(event_id=event_id, version=version, by=by, at=at)
    subscriptions.enqueue_night_event(event, Told.EVENT_FINISHED, at=at)
    return event


@transaction.atomic
def close_and_make_official(
    *, event_id: UUID, why: str = "", version: int | None, by: Actor, at: datetime
) -> Event:
    """Close the round that is played, end the playing, and make the results official at once.

    Where results could still be corrected, ``why`` says why that time ends now (DEC-7); it stays
    on record. Rounds that have not begun are not played. Raises StaleError, and RefusedError as
    `end_round`, `finish_night`, `events.end_corrections` and `make_night_official` do.
    """
    event = lock_with_club(event_id)
    events.check_version(event, version)
    playing = Round.objects.filter(event=event, stage=Stage.PLAYING).first()
    if playing is not None:
        end_round(event_id=event_id, number=playing.number, by=by, at=at)
    if event.status not in OVER:
        if not Round.objects.filter(event=event, stage=Stage.CLOSED).exists():
            raise RefusedError(Message("No round of this night has been played."), "status")
        event = finish_night(event_id=event_id, version=None, by=by, at=at)
    until = events.corrections_until(event)
    if event.status == Status.FINISHED and until is not None and at < until:
        events.end_corrections(event_id=event_id, why=why, version=None, by=by, at=at)
    return make_night_official(event_id=event_id, version=None, by=by, at=at)


@transaction.atomic
def make_night_official(*, event_id: UUID, version: int | None, by: Actor, at: datetime) -> Event:
    """Let results be official, and tell the club's webhooks. As `events.publish_officially`."""
    lock_with_club(event_id)
    event = events.publish_officially(event_id=event_id, version=version, by=by, at=at)
    subscriptions.enqueue_night_event(event, Told.EVENT_OFFICIAL, at=at)
    return event


@transaction.atomic
def reopen_night(
    *, event_id: UUID, why: str, version: int | None, by: Actor, at: datetime
) -> Event:
    """Let an event go on that was over, and tell the club's webhooks. As `events.reopen_event`."""
    lock_with_club(event_id)
    event = events.reopen_event(event_id=event_id, why=why, version=version, by=by, at=at)
    subscriptions.enqueue_night_event(event, Told.EVENT_REOPENED, at=at)
    return event


@dataclass(frozen=True, slots=True, kw_only=True)
class Permutation:
    """The true seating of a table: entries in seat order, and why it is put right."""

    entries: Sequence[UUID]
    why: str


@transaction.atomic
def permute_seats(*, table_id: UUID, permutation: Permutation, by: Actor, at: datetime) -> Table:
    """Correct who sat where at a table, all seats at once; results stay with the seats.

    Chips, captures and the books of a seat are now those of whoever really sat in it. Raises
    RefusedError: other people than those of the table, or a substitute played there.
    """
    table = Table.objects.only("round").filter(pk=table_id).select_related("round").first()
    if table is None:
        raise NotThereError
    event = lock_event(table.round.event_id)
    check_running(event)
    if not permutation.why.strip():
        raise RefusedError(Message("Say why the seats are changed."), "why")
    seats = list(TableSeat.objects.filter(table=table).select_related("entry").order_by("seat"))
    entries = {seat.entry_id: seat.entry for seat in seats}
    if sorted(permutation.entries) != sorted(entries):
        raise RefusedError(Message("Name everybody at this table once, in seat order."), "entries")
    order = [entries[number] for number in permutation.entries]
    TableSeat.objects.filter(table=table).delete()
    TableSeat.objects.bulk_create(
        TableSeat(round=table.round, table=table, seat=seat, entry=entry)
        for seat, entry in enumerate(order)
    )
    for game in Game.objects.filter(table=table).order_by("opened_at"):
        _permute(lock(game.pk), order, permutation.why, Stamp(by, at))
    details = {"table": table.pk, "entries": [entry.pk for entry in order]}
    touch(event, AuditRecord(Message("seats permuted"), permutation.why, details), by, at)
    return table


def _permute(game: Game, order: Sequence[Entry], why: str, stamp: Stamp) -> None:
    if game.phase in _DONE:
        raise RefusedError(
            Message("The game of this table is closed; open it again first."), "table"
        )
    sittings = list(Sitting.objects.filter(game=game).order_by("seat"))
    if len(sittings) != len(order):
        words = Message("A substitute played at this table; change the seats one by one.")
        raise RefusedError(words, "entries")
    # Nobody sits in two seats of a game, so all stand up before they change places.
    Sitting.objects.filter(game=game).update(last=_STANDING_UP)
    for sitting, entry in zip(sittings, order, strict=True):
        Sitting.objects.filter(pk=sitting.pk).update(player=entry.player_id)
    Sitting.objects.filter(game=game).update(last=None)
    buy_ins.change_payers(game, stamp)
    if game.hands:
        carry_out(plan(game, 1), stamp=stamp)
    reporting.report_phases([game], stamp.at)
    details = {"players": [entry.player_id for entry in order]}
    touch_game(game, AuditRecord(Message("seats permuted"), why, details), stamp)


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstNight:
    """An event and who is there: the ids of players, and the names of people new to the club.

    ``event`` are its settings, as `create_event` takes them; ``kind`` is what the new people are to
    the club.
    """

    event: Mapping[str, Any]
    people: Sequence[UUID | str]
    kind: str = PlayerKind.MEMBER


@transaction.atomic
def begin_first_night(
    *, club_id: UUID, new: FirstNight, is_started: bool, by: Actor, at: datetime
) -> Event:
    """Set the event up, check everybody in and, if ``is_started``, draw and begin round 1.

    All of it or nothing. Raises RefusedError.
    """
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    event = create_event(club_id=club_id, new=new.event, by=by, at=at)
    for person in new.people:
        player = person
        if isinstance(person, str):
            added = NewPlayer(person={"name": person}, kind=new.kind)
            player = add_player(club_id=club_id, new=added, by=by, at=at).pk
        assert isinstance(player, UUID)
        entries.enter(event_id=event.pk, new=NewEntry(player=player), by=by, at=at)
    if is_started:
        rounds.draw(event_id=event.pk, wanted=DrawRequest(), version=None, by=by, at=at)
        start_round(event_id=event.pk, number=1, by=by, at=at)
    event.refresh_from_db()
    return event
