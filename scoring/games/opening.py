"""Games at a table: opened, sat down to, ended (rules.md 7.2, 7.5).

Each function is one use case in one transaction; the game's row is locked first, after the club's
where both are needed.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from django.db import transaction
from django.db.models import F, Q

from engine.core.messages import Message, message_of
from engine.core.seats import Seat
from engine.games.board_states import first_state, start_next_board
from engine.record.game_state import GameState, beginning
from engine.rules.organisation import correctable_until
from engine.rules.presets import preset
from engine.rules.rules import Rules, RulesError
from engine.rules.rules import change as changed_rules
from scoring.games import buy_ins
from scoring.ledger import transfers
from scoring.ledger.result_credit import survivor
from scoring.ledger.transfers import Stamp
from scoring.models import Game, Hand, Phase, Sitting
from scoring.models.states import read_state, write_state
from scoring.settlement import reporting
from scoring.settlement.plan import GameOverError, carry_out, lock, plan, rules_of
from scoring.webhooks import subscriptions
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, RefusedError, StaleError
from tournaments.core.time_zones import format_moment
from tournaments.events import events
from tournaments.models import Club, Event, Player, RuleSet, Table
from tournaments.people.bars import check_not_barred


@dataclass(frozen=True, slots=True, kw_only=True)
class NewGame:
    """A new game: its name, its house rules, who sits where, who deals first.

    ``table`` is that of an event's round, if it is one.
    """

    name: str
    rule_set: UUID
    players: Sequence[UUID]
    dealer: int = 0
    id: UUID | None = None
    table: Table | None = None


@transaction.atomic
def open_game(*, club_id: UUID, opening: NewGame, by: Actor, at: datetime) -> Game:
    """Open a game; a pot that the club's jackpot holds for these rules lies in its pot.

    The same again changes nothing. Raises ConflictError for an id that another game has, and
    RefusedError for people who cannot sit down so: BarredError for those whom the club barred.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    known = Game.objects.filter(pk=opening.id).first() if opening.id is not None else None
    if known is not None:
        return _opened_before(known, club, opening)
    rule_set = _rule_set(club, opening.rule_set, retired=opening.table is not None)
    rules = _rules_of(rule_set)
    players = _players(club, opening.players)
    fields = [f"players.{place}" for place in range(len(players))]
    check_not_barred(club, players, fields=fields, at=at)
    start = _start(rules, len(players), opening.dealer)
    boards = [] if opening.table is None else opening.table.boards
    game = Game(
        club=club,
        name=opening.name,
        table=opening.table,
        rule_set=rule_set,
        rules=rules.to_json(),
        digest=rules.digest,
        keeps_jackpot=rule_set.keeps_jackpot,
        confirming=club.confirming,
        players=len(players),
        boards_alike=bool(boards),
        opened_at=at,
        **({"id": opening.id} if opening.id is not None else {}),
    )
    stamp = Stamp(by, at)
    start = _begin(game, start, rule_set, rules)
    game.save(force_insert=True)
    Sitting.objects.bulk_create(
        Sitting(game=game, seat=seat, player=player) for seat, player in enumerate(players)
    )
    transfers.open_accounts(game)
    _post_buy_ins(game, start, stamp)
    reporting.report_new_game(game, rules, at)
    details = {"rules": rules.digest, "players": [player.pk for player in players]}
    note(game, AuditRecord(Message("game opened"), details=details), stamp)
    return game


def _opened_before(known: Game, club: Club, opening: NewGame) -> Game:
    """Return the game opened under this id. Raises ConflictError if it is another one."""
    players = Sitting.objects.filter(game=known, first=1).order_by("seat")
    ours = (known.club_id, known.name, known.rule_set_id, rules_start(known).dealer)
    theirs = (club.pk, opening.name, opening.rule_set, opening.dealer)
    seated = list(players.values_list("player_id", flat=True))
    if ours != theirs or seated != [player.pk for player in _players(club, opening.players)]:
        raise ConflictError(Message("Another game has this id."), "id")
    return known


def _rules_of(rule_set: RuleSet) -> Rules:
    return changed_rules(preset(rule_set.preset), rule_set.overrides)


def _rule_set(club: Club, number: UUID, *, retired: bool = False) -> RuleSet:
    """House rules of a club; an event goes on by those that were retired since it was set up."""
    rule_set = RuleSet.objects.filter(club=club, pk=number).first()
    if rule_set is None or (rule_set.retired_at is not None and not retired):
        raise RefusedError(Message("The club has no such house rules."), "rule_set")
    return rule_set


def _players(club: Club, numbers: Sequence[UUID]) -> list[Player]:
    """The players in seat order; a merged duplicate is who they turned out to be."""
    known = Player.objects.select_related("merged_into").in_bulk(list(numbers))
    found = []
    for place, number in enumerate(numbers):
        player = known.get(number)
        if player is None or player.club_id != club.pk:
            raise RefusedError(Message("The club does not know this player."), f"players.{place}")
        player = survivor(player)
        if player in found:
            raise RefusedError(Message("This player already has a seat."), f"players.{place}")
        found.append(player)
    return found


def _start(rules: Rules, players: int, dealer: int) -> GameState:
    if not 0 <= dealer < max(players, 1):
        raise RefusedError(
            Message("There is no seat {seat} at this table.", seat=dealer + 1), "dealer"
        )
    try:
        return beginning(rules, players, Seat(dealer))
    except RulesError as error:
        raise RefusedError(message_of(error), "players") from error


def _begin(game: Game, start: GameState, rule_set: RuleSet, rules: Rules) -> GameState:
    """Put the first state down; on prepared boards that is the one in which all tables begin."""
    if game.boards_alike:
        assert game.table is not None
        start = first_state(rules, game.players, game.table.boards[0])
        game.start, game.state = write_state(start), write_state(start_next_board(rules, start))
        return start
    start = _with_jackpot(start, game.club, rule_set, rules)
    game.start = game.state = write_state(start)
    return start


def _with_jackpot(start: GameState, club: Club, rule_set: RuleSet, rules: Rules) -> GameState:
    """The first state with what the club's jackpot holds in its pot; the club is locked."""
    if not rule_set.keeps_jackpot:
        return start
    drawn = buy_ins.chips_to_draw(club, rules)
    return replace(start, pot=drawn, bought=start.bought + drawn)


def freeze(game: Game, at: datetime) -> None:
    """The first hand freezes the house rules into the game (Q68); the caller saves it."""
    if game.frozen_at is None:
        game.frozen_at = at


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatChange:
    """Somebody takes a seat, from hand ``first`` on; ``why`` where hands were played already."""

    seat: int
    player: UUID
    first: int
    why: str = ""


@transaction.atomic
def seat_player(*, game_id: UUID, change: SeatChange, by: Actor, at: datetime) -> Sitting:
    """Let a substitute (or the entrant again) sit down (Q62); the seat keeps what it has.

    From the hand of the last change there, or an earlier one after the change before it, this
    puts that last change right: it was another player, or an earlier hand.

    Raises RefusedError: no such seat, a hand before that or after the next one, a seat elsewhere
    at that time, no reason for a change of hands that were played.
    """
    game = lock(game_id)
    check_open(game)
    if not 0 <= change.seat < game.players:
        raise RefusedError(
            Message("There is no seat {seat} at this table.", seat=change.seat + 1), "seat"
        )
    player = _players(game.club, [change.player])[0]
    sittings = list(Sitting.objects.filter(game=game, seat=change.seat).order_by("first"))
    sitting = sittings[-1]
    if sitting.player_id == player.pk and change.first >= sitting.first:
        return sitting
    check_not_barred(game.club, [player], fields=["player"], at=at)
    _check_seating(game, sittings, player, change)
    stamp = Stamp(by, at)
    details = {"seat": change.seat, "player": player.pk, "first": change.first}
    if change.first <= sitting.first:
        details |= {"instead of": sitting.player_id, "from": sitting.first}
        sitting = _seat_instead(sittings, player, change.first)
        if sitting.first == 1:
            buy_ins.change_payers(game, stamp)
    else:
        Sitting.objects.filter(pk=sitting.pk).update(last=change.first - 1)
        sitting = Sitting.objects.create(
            game=game,
            seat=change.seat,
            player=player,
            first=change.first,
            is_entrant=player.pk == sittings[0].player_id,
        )
    if change.first <= game.hands:
        carry_out(plan(game, change.first), stamp=stamp)
    touch(game, AuditRecord(Message("seat taken"), change.why, details), stamp)
    return sitting


def _check_seating(
    game: Game, sittings: Sequence[Sitting], player: Player, change: SeatChange
) -> None:
    """Whether somebody can take a seat from a hand on: nobody plays one hand in two seats."""
    first = change.first
    if first > game.hands + 1:
        words = Message(
            "The next hand of this game is number {number}; nobody sits down later.",
            number=game.hands + 1,
        )
        raise RefusedError(words, "first")
    if first <= (before := sittings[-2].first if len(sittings) > 1 else 0):
        words = Message(
            "The seat changed at hand {number}; it cannot change before that.", number=before
        )
        raise RefusedError(words, "first")
    mine = Sitting.objects.filter(
        Q(player=player) | Q(player__merged_into=player), Q(last=None) | Q(last__gte=first)
    )
    if mine.filter(game=game).exclude(seat=change.seat).exists():
        raise RefusedError(Message("This player sits in another seat of this game then."), "player")
    if first <= game.hands and not change.why.strip():
        raise RefusedError(Message("Say why it changes who played a hand that was played."), "why")


def _seat_instead(sittings: Sequence[Sitting], player: Player, first: int) -> Sitting:
    """Put the last change of a seat right: by whom it is taken, and from which hand on."""
    sitting = sittings[-1]
    if len(sittings) > 1:
        Sitting.objects.filter(pk=sittings[-2].pk).update(last=first - 1)
        sitting.is_entrant = player.pk == sittings[0].player_id
    sitting.player, sitting.first = player, first
    sitting.save(update_fields=["player", "first", "is_entrant"])
    return sitting


@transaction.atomic
def change_game(
    *, game_id: UUID, changes: Mapping[str, object], version: int, by: Actor, at: datetime
) -> Game:
    """Change a game's name, or, before its first hand, its house rules (Q68).

    Raises StaleError and RefusedError.
    """
    game = lock_with_club(game_id) if "rule_set" in changes else lock(game_id)
    check_version(game, version)
    if "name" in changes:
        game.name = str(changes["name"])
    if "rule_set" in changes:
        _change_rules(game, UUID(str(changes["rule_set"])), Stamp(by, at))
    game.save()
    touch(
        game,
        AuditRecord(Message("game changed"), details={"fields": sorted(changes)}),
        Stamp(by, at),
    )
    return game


def _change_rules(game: Game, number: UUID, stamp: Stamp) -> None:
    if game.frozen_at is not None:
        raise RefusedError(Message("The house rules were frozen with the first hand."), "rule_set")
    rule_set = _rule_set(game.club, number)
    rules = _rules_of(rule_set)
    start = _start(rules, game.players, rules_start(game).dealer)
    transfers.reverse(transfers.opening(game), stamp=stamp, note="other house rules")
    start = _begin(game, start, rule_set, rules)
    game.rule_set, game.rules, game.digest = rule_set, rules.to_json(), rules.digest
    game.keeps_jackpot = rule_set.keeps_jackpot
    _post_buy_ins(game, start, stamp)


def _post_buy_ins(game: Game, start: GameState, stamp: Stamp) -> None:
    """First stacks, stakes, and what is drawn from the club's jackpot."""
    transfers.post(transfers.moves(game, buy_ins.due(game, start)), game=game, stamp=stamp)


def rules_start(game: Game) -> GameState:
    """The state before the first hand."""
    return read_state(game.start)


def lock_with_club(game_id: UUID) -> Game:
    """Lock a game and, before it, its club: whoever touches the club's jackpot needs both.

    Raises Game.DoesNotExist.
    """
    club_id = Game.objects.only("club_id").get(pk=game_id).club_id
    Club.objects.select_for_update(no_key=True).get(pk=club_id)
    return lock(game_id)


def check_version(game: Game, version: int | None) -> None:
    """Raise StaleError if the game changed since ``version`` was seen."""
    if version is not None and version != game.version:
        current = {"name": game.name, "rule_set": game.rule_set_id}
        raise StaleError(
            Message("The game has been changed in the meantime."), game.version, current
        )


def check_open(game: Game, at: datetime | None = None) -> None:
    """Raise GameOverError if the director closed the game.

    It says when the correction period ended, if that is over at ``at``.
    """
    if game.phase not in (Phase.CLOSED, Phase.OFFICIAL):
        return
    until = corrections_until(game)
    if at is None or until is None or at < until:
        raise GameOverError(Message("This game is closed; the director can open it again."))
    words = Message(
        "The time for corrections ended on {time}; only the director can correct results now.",
        time=format_moment(until, game.club.time_zone),
    )
    raise GameOverError(words)


def corrections_until(game: Game) -> datetime | None:
    """The end of the correction period of a game: of its event, else by its rules (Q64, DEC-7).

    None while it is open. One query in an event.
    """
    if game.closed_at is None:
        return None
    event = Event.objects.filter(round_rows__tables=game.table_id).first()
    if game.table_id is None or event is None:
        return correctable_until(rules_of(game), game.closed_at)
    until = events.corrections_until(event)
    return until or game.closed_at + timedelta(hours=event.correction_hours)


def check_changeable(game: Game) -> None:
    """Raises GameOverError for a game whose results are official: it must be opened again first."""
    if game.phase == Phase.OFFICIAL:
        raise GameOverError(
            Message("This game is official; the director can open it again, with a reason.")
        )


def touch(game: Game, action: AuditRecord, stamp: Stamp) -> None:
    """Write an audit entry for a game and raise the game's version."""
    game.version += 1
    game.save(update_fields=["version"])
    note(game, action, stamp)


def touch_all(actions: Mapping[Game, AuditRecord], stamp: Stamp) -> None:
    """Write audit entries for games of one club and raise their versions.

    Uses a constant number of queries.
    """
    if not actions:
        return
    for game in actions:
        game.version += 1
    entries = [(game.pk, action) for game, action in actions.items()]
    Game.objects.filter(pk__in=[game.pk for game in actions]).update(version=F("version") + 1)
    (club,) = {game.club_id for game in actions}
    audit.note_all(entries, club=club, by=stamp.by, at=stamp.at)
    subscriptions.enqueue_game_events(actions, club_id=club, at=stamp.at)


def note(game: Game, action: AuditRecord, stamp: Stamp, hand: Hand | None = None) -> None:
    """Write an audit entry for a game, or a hand of it, and enqueue the club's webhooks.

    The last thing that a use case does: game and ``hand`` are told as they are by now.
    """
    audit.note(action, chain=game.pk, club=game.club_id, by=stamp.by, at=stamp.at)
    subscriptions.enqueue_game_event(game, action, hand=hand, at=stamp.at)
