"""A club for tests: its house rules, players and a game, and hands as tables write them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from engine.core.seats import DEFAULT_SEATS, Seat
from engine.record.game_state import GameState
from engine.rules.presets import preset
from engine.rules.rules import change
from engine.settlement.settlement import Account
from scoring.games.opening import NewGame, open_game
from scoring.hands import recording
from scoring.hands.recording import RecordedHand
from scoring.hands.submission import HandSubmission
from scoring.ledger import transfers
from scoring.models import Game, Hand, HandVersion
from scoring.models.states import read_state, write_state
from scoring.models.transfer import LedgerAccount
from scoring.settlement import replay
from scoring.settlement.plan import active_rulings, recorded_inputs, rules_of
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.ids import new_id
from tournaments.core.name_folding import fold_name
from tournaments.models import Club, Person, Player, RuleSet

START: Final = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
SEATS: Final = DEFAULT_SEATS[4]


def at(minutes: int = 0) -> datetime:
    """A moment of the club night."""
    return START + timedelta(minutes=minutes)


def seat(number: int) -> Actor:
    """A phone that speaks for a seat."""
    return Actor(ActorKind.LINK, Source.TABLE, UUID(int=number + 1), number)


DIRECTOR: Final = Actor(ActorKind.PERSON, Source.PAGE, UUID(int=99))


def make_club(name: str = "Leiden Hearts", **fields: object) -> Club:
    return Club.objects.create(name=name, created_at=at(), **fields)


def make_rules(
    club: Club, name: str = "bicycle", overrides: Mapping[str, str] | None = None, **fields: object
) -> RuleSet:
    rules = change(preset(name), overrides or {})
    number = RuleSet.objects.filter(club=club).count() + 1
    return RuleSet.objects.create(
        club=club,
        name=f"{name} {number}",
        version=1,
        preset=name,
        overrides=dict(overrides or {}),
        digest=rules.digest,
        made_by="test",
        created_at=at(),
        **fields,
    )


def make_players(club: Club, count: int) -> list[Player]:
    found = []
    for _ in range(count):
        number = Player.objects.filter(club=club).count() + 1
        player = Player.objects.create(club=club, number=number, created_at=at())
        name = f"Player {number}"
        Person.objects.create(player=player, name=name, sought=fold_name(name))
        found.append(player)
    return found


def make_game(
    club: Club | None = None, rule_set: RuleSet | None = None, players: int = 4, dealer: int = 0
) -> Game:
    club = club or make_club()
    rule_set = rule_set or make_rules(club)
    opening = NewGame(
        name="Table 1",
        rule_set=rule_set.pk,
        players=[player.pk for player in make_players(club, players)],
        dealer=dealer,
    )
    return open_game(club_id=club.pk, opening=opening, by=DIRECTOR, at=at())


def chip_hand(
    state: GameState,
    taken: Sequence[int],
    *,
    bidder: str = "E",
    bid: int = 3,
    pain: str = "H",
    seats: Sequence[str] = SEATS,
    variant: str = "auction-bicycle",
) -> bytes:
    """A result that fits a state: an auction, or a jackpot hand if one is carried."""
    namer = bidder if state.namer is None else seats[state.namer]
    tags = {
        "Variant": variant,
        "Seats": " ".join(seats),
        "Dealer": seats[state.dealer],
        "Detail": "score",
        "Declarer": namer,
        "PainSuit": pain,
    }
    if state.jackpot:
        tags["Jackpot"] = str(state.jackpot)
    lines = ["% PHN 1.0", *(f'[{name} "{value}"]' for name, value in tags.items())]
    lines.append('[ScoreTable "Seat;Pain;Bid"]')
    for name, cards in zip(seats, taken, strict=True):
        paid = bid if name == bidder and not state.jackpot else 0
        lines.append(f"{name} {cards} {paid}")
    return ("\n".join(lines) + "\n").encode()


def state_of(game: Game) -> GameState:
    return read_state(Game.objects.get(pk=game.pk).state)


def enter(
    game: Game,
    text: bytes,
    *,
    number: int | None = None,
    by: Actor | None = None,
    id_: UUID | None = None,
    minutes: int = 1,
) -> RecordedHand:
    """Enter the next hand, or one of a number."""
    number = Game.objects.get(pk=game.pk).hands + 1 if number is None else number
    sent = HandSubmission(id=id_ or new_id(), number=number, text=text)
    return recording.enter_hand(game_id=game.pk, sent=sent, by=by or seat(0), at=at(minutes))


def chips(game: Game) -> str:
    """Chips and pot as rules.md writes them: ``50/50/50/50 pot 0``."""
    state = state_of(game)
    return "/".join(map(str, state.chips)) + f" pot {state.pot}"


def chip_balances(game: Game) -> dict[Account, int]:
    """The chips of each seat, the pot and the bank, as the books have them."""
    numbers = transfers.chip_accounts(game)
    held = transfers.balances(LedgerAccount.objects.filter(pk__in=numbers.values()))
    return {name: held[number] for name, number in numbers.items()}


def _held_before_closing(game: Game) -> dict[Account, int]:
    """The chips of a game's accounts without what closing it moved; closed, only the bank has any.

    The bank has what the club's jackpot gave or took.
    """
    held = chip_balances(game)
    if game.closed_at is not None:
        assert not any(chips for name, chips in held.items() if name != "bank")
    names = {number: name for name, number in transfers.chip_accounts(game).items()}
    for row in transfers.closing(game):
        for account, sign in ((row.payer_id, 1), (row.payee_id, -1)):
            if account in names:
                held[names[account]] += sign * row.amount
    return held


def assert_recomputes(game: Game) -> None:
    """Everything that is kept of a game is what its records and rulings come to."""
    game = Game.objects.get(pk=game.pk)
    rows = list(Hand.objects.filter(game=game, rival=None, number__lte=game.hands))
    rows.sort(key=lambda row: row.number)
    assert [row.number for row in rows] == list(range(1, game.hands + 1))
    played = list(replay.fold(rules_of(game), read_state(game.start), recorded_inputs(game, rows)))
    sure = 0
    for row, one in zip(rows, played, strict=True):
        assert row.after == write_state(one.after), row.number
        assert (row.state, row.reason) == (str(one.state), one.reason), row.number
        if one.is_sure and sure == row.number - 1:
            sure = row.number
    assert game.booked == sure
    end = played[-1].after if played else read_state(game.start)
    assert game.state == write_state(end)
    booked = played[sure - 1].after if sure else read_state(game.start)
    held = _held_before_closing(game)
    assert sum(held.values()) == booked.pot + sum(booked.chips) + held["bank"]
    assert held["pot"] == booked.pot
    assert tuple(held[Seat(place)] for place in range(game.players)) == booked.chips
    posted: dict[int, list[tuple[str, int]]] = {}
    for transfer in transfers.list_unreversed([game]):
        if transfer.hand is not None:
            posted.setdefault(transfer.hand.number, []).append((transfer.kind, transfer.amount))
    for one in played[:sure]:
        wanted = [(str(posting.kind), posting.amount) for posting in one.postings]
        assert posted.pop(one.entered.number, []) == wanted
    assert not posted
    for row in Hand.objects.filter(game=game):
        numbers = list(HandVersion.objects.filter(hand=row).values_list("number", flat=True))
        assert sorted(numbers) == list(range(1, len(numbers) + 1))
        assert row.current == len(numbers)
    assert active_rulings(rows) is not None
