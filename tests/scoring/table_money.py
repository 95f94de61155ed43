"""Games for money in tests: house rules with stakes, chips arranged by the director, balances."""

from collections.abc import Sequence
from uuid import UUID

from engine.core.seats import DEFAULT_SEATS
from engine.record.rulings import Decision, Ruling
from scoring.games.closing import Closed, Closing, close_game
from scoring.games.opening import NewGame, open_game
from scoring.hands import rulings
from scoring.models import Game, Hand, Sitting
from scoring.selectors import queries
from scoring.settlement.changes import RulingRequest
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    enter,
    make_players,
    make_rules,
    state_of,
)
from tournaments.models import Club

VARIANTS = {
    "bicycle": "auction-bicycle",
    "hoyle_auction": "auction-hoyle",
    "hoyle_hearts": "hearts-hoyle",
    "sahara": "sahara",
}


def open_table(
    club: Club,
    preset: str = "bicycle",
    *,
    players: int = 4,
    dealer: int = 0,
    keeps: bool = False,
    **overrides: str,
) -> Game:
    """A game of its own house rules, with players who sit down for the first time."""
    rule_set = make_rules(club, preset, overrides, keeps_jackpot=keeps)
    seated = [player.pk for player in make_players(club, players)]
    opening = NewGame(name="Table", rule_set=rule_set.pk, players=seated, dealer=dealer)
    return open_game(club_id=club.pk, opening=opening, by=DIRECTOR, at=at())


def hand_of_points(game: Game, points: Sequence[int]) -> bytes:
    """A result in points of a game without an auction."""
    seats = DEFAULT_SEATS[game.players]
    assert game.rule_set is not None
    tags = {
        "Variant": VARIANTS[game.rule_set.preset],
        "Seats": " ".join(seats),
        "Dealer": seats[state_of(game).dealer],
        "Detail": "score",
    }
    lines = ["% PHN 1.0", *(f'[{name} "{value}"]' for name, value in tags.items())]
    lines.append('[ScoreTable "Seat;Points"]')
    lines += [f"{name} {mine}" for name, mine in zip(seats, points, strict=True)]
    return ("\n".join(lines) + "\n").encode()


def hand_of_chips(game: Game, taken: Sequence[int], *, bidder: str = "E", bid: int = 3) -> bytes:
    """A result of an auction game with any number of players."""
    seats = DEFAULT_SEATS[game.players]
    assert game.rule_set is not None
    variant = VARIANTS[game.rule_set.preset]
    return chip_hand(state_of(game), taken, bidder=bidder, bid=bid, seats=seats, variant=variant)


def arrange(
    game: Game, *, chips: Sequence[int] = (), pot: int = 0, totals: Sequence[int] = ()
) -> None:
    """Let the director bring about a standing by a void hand; the deal passes on."""
    state = state_of(game)
    recorded = enter(game, b"% PHN 1.0\n" + b'[Variant "auction-bicycle"]\n')
    moved = tuple(new - old for new, old in zip(chips, state.chips, strict=True)) if chips else ()
    ruling = Ruling(
        decision=Decision.VOID_NO_REPLAY, chips=moved, pot=pot - state.pot, score=tuple(totals)
    )
    decree = RulingRequest(ruling=ruling, facts="so they stand")
    rulings.decide(hand_id=recorded.hand.pk, decree=decree, revision=1, by=DIRECTOR, at=at(2))
    assert Hand.objects.get(pk=recorded.hand.pk).state == "void"


def close(game: Game, *, leave_out: bool = False) -> Closed:
    closing = Closing(reason="It is late.", leave_out=leave_out)
    return close_game(game_id=game.pk, closing=closing, by=DIRECTOR, at=at(200))


def balance(player: UUID, club: Club, unit: str = "EUR") -> int:
    return queries.balances(club.pk).get((player, unit), 0)


def seated(game: Game) -> list[UUID]:
    """Who sat down first in each seat."""
    rows = Sitting.objects.filter(game=game, first=1).order_by("seat")
    return [row.player_id for row in rows]


def won(game: Game, unit: str = "EUR") -> list[int]:
    """What each seat's entrant has after the game, by seat: payouts less what they put in."""
    return [balance(player, game.club, unit) for player in seated(game)]
