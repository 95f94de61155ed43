"""Corners of the settlement that no worked example reaches; each line here kills a mutant."""

from dataclasses import replace

import pytest

from engine.core.cards import Suit
from engine.core.chips import RebuyTime
from engine.core.seats import Seat
from engine.record.facts import Facts, Status
from engine.record.game_state import EndReason, GameState, beginning
from engine.rules.presets import preset
from engine.rules.rules import Rules, change
from engine.rules.switches import ZeroClean
from engine.settlement.game_end import hands_until_even
from engine.settlement.settlement import POT, Kind, Settlement, settle

BICYCLE = preset("bicycle")
STANDARD = preset("standard")
S = Seat(2)


def hand(
    taken: tuple[int, ...], rules: Rules = BICYCLE, before: GameState | None = None
) -> Settlement:
    facts = Facts(taken=taken, bidder=S, bid=4, pain=Suit.SPADES, namer=S)
    return settle(rules, before or beginning(rules, 4), facts)


def points(taken: tuple[int, ...], queen: int, before: GameState | None = None) -> Settlement:
    facts = Facts(taken=taken, pain=Suit.HEARTS, queen=Seat(queen))
    return settle(STANDARD, before or beginning(STANDARD, 4), facts)


def test_odd_chips_are_told_only_of_a_divided_pot() -> None:
    assert hand((0, 9, 0, 4)).odd == 1
    assert hand((5, 4, 4, 0)).odd == 0
    assert hand((3, 3, 3, 4)).odd == 0
    assert points((3, 4, 6, 0), 2).odd == 0


@pytest.mark.parametrize("taken", [(5, 4, 4), (5, 4, 4, 1), (14, -1, 0, 0), ()])
def test_captures_that_cannot_be_are_refused(taken: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="not captures"):
        hand(taken)


def test_hearts_without_a_queen_are_refused() -> None:
    with pytest.raises(ValueError, match="queen"):
        settle(STANDARD, beginning(STANDARD, 4), Facts(taken=(3, 4, 6, 0), pain=Suit.HEARTS))


def test_the_number_of_pain_cards_is_that_of_the_pack_and_not_thirteen() -> None:
    rules = preset("hoyle_auction")
    facts = Facts(taken=(12, 0, 0), pain=Suit.CLUBS, bidder=Seat(1), bid=3, namer=Seat(1))
    settled = settle(rules, beginning(rules, 3), facts)
    assert settled.facts.whole == 12
    assert settled.after.jackpot == 1


def test_a_second_jackpot_remembers_the_suit_that_was_named_first() -> None:
    first = hand((3, 3, 3, 4)).after
    assert first.pain is Suit.SPADES
    facts = Facts(taken=(3, 3, 3, 4), pain=Suit.CLUBS, namer=S)
    second = settle(BICYCLE, first, facts).after
    assert (second.jackpot, second.pain, second.namer) == (2, Suit.SPADES, S)


def test_who_can_just_pay_does_not_buy_in_again() -> None:
    rules = change(BICYCLE, {"insolvency": "rebuy"})
    before = replace(beginning(rules, 4), chips=(5, 50, 50, 50), bought=155)
    settled = hand((5, 4, 4, 0), rules, before)
    assert settled.moved(Kind.REBUY) == 0
    assert settled.offered == ((Seat(0), RebuyTime.EMPTY),)
    assert all(posting.amount > 0 for posting in settled.postings)
    short = hand((6, 4, 3, 0), rules, before)
    assert short.offered == ((Seat(0), RebuyTime.SHORT), (Seat(0), RebuyTime.EMPTY))
    assert short.moved(Kind.REBUY) == 0


def test_moves_are_counted_by_kind_payer_and_payee() -> None:
    settled = hand((5, 4, 4, 0))
    assert settled.moved(Kind.CAPTURE) == 13
    assert settled.moved(Kind.CAPTURE, payer=Seat(1)) == 4
    assert settled.moved(Kind.CAPTURE, payer=POT) == 0
    assert settled.moved(Kind.AWARD, payer=POT, payee=Seat(3)) == 17
    assert settled.moved(Kind.AWARD, payee=Seat(1)) == 0
    assert settled.moved(Kind.BID, Kind.CAPTURE, payee=POT) == 17


def test_clean_seats_are_told_of_a_hand_for_points_too() -> None:
    assert points((3, 0, 10, 0), 1).clean == (Seat(1), Seat(3))


def test_a_carried_pot_without_a_jackpot_is_played_for_too() -> None:
    overrides = {
        "zero_clean": "carry_with_auction",
        "end_pot": "play_until_won",
        "length": "hands:1",
    }
    rules = change(BICYCLE, overrides)
    after = hand((3, 3, 3, 4), rules).after
    assert (after.jackpot, after.over, after.due) == (0, None, EndReason.HANDS)
    won = hand((5, 4, 4, 0), rules, after).after
    assert won.over is EndReason.HANDS
    odd = hand((0, 9, 0, 4), rules).after
    assert (odd.pot, odd.over) == (1, EndReason.HANDS)


def test_points_of_a_void_hand_are_added_and_nothing_else() -> None:
    before = replace(beginning(STANDARD, 4), totals=(10, 20, 30, 40), hands=2)
    facts = Facts(status=Status.VOID_NO_REPLAY, adjust=(1, 2, 3, 4))
    assert settle(STANDARD, before, facts).after.totals == (11, 22, 33, 44)


def test_the_average_of_a_hand_that_was_not_played_is_rounded_with_halves_up() -> None:
    rules = change(STANDARD, {"unplayed": "table_average"})
    facts = Facts(status=Status.NOT_PLAYED)
    before = replace(beginning(rules, 4), totals=(5, 4, 3, 0), hands=2)
    assert settle(rules, before, facts).after.totals == (8, 6, 5, 0)
    thirds = replace(beginning(rules, 4), totals=(10, 11, 0, 57), hands=3)
    assert settle(rules, thirds, facts).after.totals == (13, 15, 0, 76)
    assert settle(rules, beginning(rules, 4), facts).after.totals == (0, 0, 0, 0)


def test_centre_points_and_a_ruling_are_both_added() -> None:
    rules = preset("insurance")
    facts = Facts(
        taken=(3, 4, 6, 0),
        pain=Suit.HEARTS,
        queen=S,
        papers=(2, 0, 5, 1),
        centre=(3, 0, 2, 1),
        adjust=(0, 2, 0, 0),
    )
    assert settle(rules, beginning(rules, 4), facts).after.totals == (8, 6, 16, 2)


def test_a_game_is_even_when_everybody_dealt_alike_and_nothing_is_left_over() -> None:
    def left(rules: Rules, players: int, **state: object) -> int | None:
        return hands_until_even(rules, replace(beginning(rules, players), **state))  # type: ignore[arg-type]

    assert [left(BICYCLE, 4, deals=deals) for deals in range(6)] == [4, 3, 2, 1, 0, 3]
    three = replace(STANDARD, pass_cycle=("left", "right", "hold"))
    assert [left(three, 4, deals=deals) for deals in (4, 11, 12)] == [8, 1, 0]
    jackpot = {"namer": S, "pain": Suit.SPADES}
    assert left(BICYCLE, 4, deals=4, jackpot=1, **jackpot) == 4
    assert left(BICYCLE, 4, deals=7, jackpot=1, **jackpot) == 1
    carried = replace(BICYCLE, zero_clean=ZeroClean.CARRY_WITH_AUCTION)
    assert [left(carried, 4, deals=4, pot=pot, bought=200 + pot) for pot in (0, 1, 2, 17)] == [
        0,
        0,
        4,
        4,
    ]
    insurance = preset("insurance")
    feet = [
        left(insurance, 4, deals=4, feet=frozenset(map(Seat, range(many)))) for many in range(5)
    ]
    assert feet == [0, None, None, None, 0]
