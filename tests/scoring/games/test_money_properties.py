"""Whatever is played for money: nothing is lost, and closing can be taken back and done again."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine.core.seats import DEFAULT_SEATS
from scoring.games import closing_postings, night_sheets
from scoring.games.closing import reopen_game
from scoring.games.opening import NewGame, SeatChange, open_game, seat_player
from scoring.hands.corrections import Correction, correct_hand
from scoring.ledger import payouts, transfers
from scoring.ledger.transfers import CHIPS
from scoring.models import Game, Hand, Holder
from scoring.selectors import queries
from scoring.settlement.consequences import Policy
from scoring.settlement.plan import GameOverError, rules_of
from scoring.transfer.verifying import look_at_games
from tests.examples import examples
from tests.scoring.club import DIRECTOR, at, enter, make_club, make_players, make_rules, state_of
from tests.scoring.table_money import close, hand_of_chips, hand_of_points
from tournaments.core.errors import RefusedError
from tournaments.models import Club

pytestmark = pytest.mark.django_db

CHIP_RULES = st.fixed_dictionaries(
    {
        "buy_in": st.integers(0, 2000).map(str),
        "starting_chips": st.sampled_from(["7", "20", "50"]),
        "end_pot": st.sampled_from(["equal_split", "pro_rata", "club_fund", "play_until_won"]),
        "spare_units": st.sampled_from(["largest_fraction", "club_fund"]),
        "insolvency": st.sampled_from(["pay_what_you_have", "debt", "rebuy"]),
        "credit": st.sampled_from(["entrant", "per_hand", "majority"]),
        "length": st.sampled_from(["bust", "hands:2", "session"]),
    }
)
FEW_STAKES = st.builds(
    lambda rules, buy_in: {**rules, "buy_in": buy_in},
    CHIP_RULES,
    st.sampled_from(["0", "350", "1000"]),
)
POINT_RULES = st.fixed_dictionaries(
    {
        "ante": st.integers(0, 999).map(str),
        "limit": st.sampled_from(["30", "100"]),
        "credit": st.sampled_from(["entrant", "per_hand", "majority"]),
    }
)
AVERAGE_RULES = st.fixed_dictionaries({"unit": st.integers(0, 99).map(str)})
HOUSES = st.one_of(
    st.tuples(st.sampled_from(["bicycle", "hoyle_auction"]), CHIP_RULES),
    st.tuples(st.just("sahara"), POINT_RULES),
    st.tuples(st.just("hoyle_hearts"), AVERAGE_RULES),
)
PLAYERS = {"bicycle": (4, 4), "hoyle_auction": (3, 6), "sahara": (3, 5), "hoyle_hearts": (3, 6)}
SOME = settings(
    max_examples=examples(15, 4),
    deadline=None,
    # Shrinking a night takes longer than reading it.
    phases=(Phase.explicit, Phase.reuse, Phase.generate),
    suppress_health_check=list(HealthCheck),
)


@contextmanager
def undone() -> Iterator[None]:
    """Whatever is written is rolled back."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def divided(data: st.DataObject, cards: int, players: int) -> tuple[int, ...]:
    cuts = sorted(data.draw(st.integers(0, cards)) for _ in range(players - 1))
    return tuple(b - a for a, b in zip([0, *cuts], [*cuts, cards], strict=True))


def play(game: Game, preset: str, data: st.DataObject) -> None:
    """A few hands with substitutes, some of them wrong."""
    for _ in range(data.draw(st.integers(0, 5))):
        if data.draw(st.integers(0, 3)) == 0:
            first = Game.objects.get(pk=game.pk).hands + 1
            (player,) = make_players(game.club, 1)
            seat = data.draw(st.integers(0, game.players - 1))
            change = SeatChange(seat=seat, player=player.pk, first=first)
            seat_player(game_id=game.pk, change=change, by=DIRECTOR, at=at(2))
        try:
            enter(game, some_hand(game, preset, data))
        except GameOverError:
            return


def some_hand(game: Game, preset: str, data: st.DataObject) -> bytes:
    """A result that fits the game as it stands, or nearly."""
    if preset in ("bicycle", "hoyle_auction"):
        taken = divided(data, 13, game.players)
        bidder = data.draw(st.sampled_from(DEFAULT_SEATS[game.players]))
        return hand_of_chips(game, taken, bidder=bidder, bid=data.draw(st.integers(1, 5)))
    points = 26 if preset == "sahara" else 13
    return hand_of_points(game, divided(data, points, game.players))


def open_one(club: Club, house: tuple[str, dict[str, str]], data: st.DataObject) -> Game:
    preset, overrides = house
    keeps = data.draw(st.booleans())
    rule_set = make_rules(club, preset, overrides, keeps_jackpot=keeps)
    players = make_players(club, data.draw(st.integers(*PLAYERS[preset])))
    opening = NewGame(name="Table", rule_set=rule_set.pk, players=[one.pk for one in players])
    return open_game(club_id=club.pk, opening=opening, by=DIRECTOR, at=at())


def all_of(club: Club) -> Counter[tuple[str, str]]:
    """What all accounts of a club hold, by unit and holder."""
    accounts = club.accounts.all()
    held = transfers.balances(accounts)
    found: Counter[tuple[str, str]] = Counter()
    for account in accounts:
        found[account.unit, account.holder] += held[account.pk]
    return found


def assert_right(game: Game) -> None:
    """The books balance, and a game's are what its records and its closing come to."""
    assert_balanced(game.club)
    assert closing_postings.find_differences([Game.objects.get(pk=game.pk)])[game.pk] == []
    assert not list(look_at_games([game.pk]).differences)


def worth_of(game: Game) -> str:
    return payouts.worth(game.club.currency, rules_of(game))


def jackpots(club: Club) -> dict[str, tuple[int, int]]:
    """The chips and the money in each jackpot of a club, by what a chip is worth."""
    accounts = club.accounts.filter(holder=Holder.JACKPOT)
    held = transfers.balances(accounts)
    found: dict[str, tuple[int, int]] = {}
    for account in accounts:
        chips, money = found.get(account.worth, (0, 0))
        amount = held[account.pk]
        found[account.worth] = (
            (chips + amount, money) if account.unit == CHIPS else (chips, money + amount)
        )
    return found


def of_game(game: Game) -> dict[Any, int]:
    accounts = game.accounts.exclude(holder=Holder.BANK)
    return transfers.balances(accounts)


def open_now(club: Club) -> dict[tuple[UUID, str], int]:
    """Whoever is owed something, or owes it."""
    return {key: amount for key, amount in queries.balances(club.pk).items() if amount}


def assert_balanced(club: Club) -> None:
    totals: Counter[str] = Counter()
    for (unit, _), amount in all_of(club).items():
        totals[unit] += amount
    assert not any(totals.values())


@SOME
@given(house=HOUSES, data=st.data())
def test_a_game_for_money_loses_nothing(
    house: tuple[str, dict[str, str]], data: st.DataObject
) -> None:
    with undone():
        club = make_club()
        game = open_one(club, house, data)
        play(game, house[0], data)
        assert_right(game)
        before, open_before = all_of(club), open_now(club)
        closed = close(game, leave_out=True)
        result = closed.outcome
        assert sum(result.amounts) + result.fund + result.jackpot == result.pool
        assert not any(of_game(game).values())
        assert_right(game)
        for sheet in night_sheets.payout_sheet(club_id=club.pk, games=[game.pk]):
            assert sheet.pool == 0
            given = sum(line.parts.total for line in sheet.lines)
            assert given + sheet.fund + sheet.jackpot == 0
            assert all(line.carried == 0 for line in sheet.lines)
        after, open_after = all_of(club), open_now(club)
        reopen_game(game_id=game.pk, why="once more", by=DIRECTOR, at=at(210))
        assert_right(game)
        if not closed.left_out:
            assert (all_of(club), open_now(club)) == (before, open_before)
        assert close(game, leave_out=True).outcome == result
        assert (all_of(club), open_now(club)) == (after, open_after)


@SOME
@given(
    houses=st.lists(
        st.tuples(st.sampled_from(["bicycle", "hoyle_auction"]), FEW_STAKES),
        min_size=3,
        max_size=4,
    ),
    data=st.data(),
)
def test_jackpots_of_three_nights_keep_their_chips_and_their_worth(
    houses: list[tuple[str, dict[str, str]]], data: st.DataObject
) -> None:
    with undone():
        club = make_club()
        left: Counter[str] = Counter()
        for house in houses:
            game = open_one(club, house, data)
            drawn, worth = state_of(game).pot, worth_of(game)
            assert drawn == (left[worth] if game.keeps_jackpot else 0)
            left[worth] -= drawn
            play(game, house[0], data)
            result = close(game, leave_out=True).outcome
            pot = state_of(game).pot
            left[worth] += pot if game.keeps_jackpot else 0
            held = all_of(club)
            assert held[CHIPS, "jackpot"] == left.total() == -held[CHIPS, "bank"]
            for of, (chips, money) in jackpots(club).items():
                assert chips == left[of]
                assert money == 0 or (of != "" and money > 0 and chips > 0)
            assert held["EUR", "jackpot"] >= 0
            assert result.pool == sum(result.amounts) + result.fund + result.jackpot
            assert held["EUR", "pool"] == 0
            assert sum(open_now(club).values()) + held["EUR", "fund"] + held["EUR", "jackpot"] == 0
            assert_right(game)


@SOME
@given(house=HOUSES, data=st.data())
def test_the_closing_follows_whatever_is_corrected(
    house: tuple[str, dict[str, str]], data: st.DataObject
) -> None:
    with undone():
        game = open_one(make_club(), house, data)
        play(game, house[0], data)
        close(game, leave_out=True)
        for hand in Hand.objects.filter(game=game, rival=None).order_by("number"):
            text = some_hand(game, house[0], data)
            policy = data.draw(st.sampled_from(Policy))
            correction = Correction(text=text, why="misread", policy=policy)
            with suppress(RefusedError):
                correct_hand(hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(300))
            assert_right(game)
            closed = Game.objects.get(pk=game.pk).closed_at is not None
            assert not closed or not any(of_game(game).values())
