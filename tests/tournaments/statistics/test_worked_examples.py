"""The worked examples of tournaments.md 10 that are statistics, by their ids."""

from fractions import Fraction

from engine.core.cards import Suit
from engine.core.seats import Seat
from engine.record.facts import Facts
from engine.record.game_state import beginning
from engine.rules.presets import BICYCLE
from engine.settlement.settlement import settle
from tournaments.statistics import PlayerHandLine, hand_lines, of_deals, split_deal_scores


def test_e20_the_lines_of_five_hands_with_two_jackpots() -> None:
    hands: list[tuple[int | None, int, tuple[int, ...]]] = [
        (1, 3, (5, 0, 4, 4)),
        (2, 4, (3, 3, 4, 3)),
        (None, 0, (0, 7, 0, 6)),
        (3, 2, (0, 13, 0, 0)),
        (None, 0, (6, 0, 0, 7)),
    ]
    state = beginning(BICYCLE, 4)
    lines: list[list[PlayerHandLine]] = []
    for number, (bidder, bid, taken) in enumerate(hands):
        seat = state.namer if bidder is None else Seat(bidder)
        facts = Facts(
            taken=taken,
            bidder=None if bidder is None else seat,
            bid=bid,
            namer=seat,
            pain=Suit.CLUBS,
        )
        settled = settle(BICYCLE, state, facts)
        lines.append(hand_lines(BICYCLE, settled, "abcd", ("2026-11-21", number)))
        state = settled.after
    assert [[line.net for line in hand] for hand in lines] == [
        [-5, 13, -4, -4],
        [-3, -3, -8, -3],
        [15, -7, 15, -6],
        [0, -13, 0, -2],
        [-6, 14, 14, -7],
    ]
    assert [hand[0].jackpot for hand in lines] == [False, False, True, False, True]
    assert [[line.sharers for line in hand] for hand in lines] == [
        [0, 1, 0, 0],
        [0, 0, 0, 0],
        [2, 0, 2, 0],
        [0, 0, 0, 0],
        [0, 2, 2, 0],
    ]
    assert [hand[0].played_for for hand in lines] == [16, 17, 30, 15, 28]
    assert [hand[0].pot for hand in lines] == [0, 0, 17, 0, 15]
    assert [[line.seat for line in hand] for hand in lines[:2]] == [[4, 1, 2, 3], [3, 4, 1, 2]]
    assert [line.after_namer for line in lines[0]] == [3, 0, 1, 2]
    assert [line.named for line in lines[2]] == [False, False, True, False]
    assert [line.paid for line in lines[1]] == [None, None, 4, None]
    assert lines[3][1].captured == lines[3][1].whole == 13


def test_e21_naming_was_worth_six_on_one_deal() -> None:
    rows = [(("deal 1", 2), True, net) for net in (6, 2, 4)]
    rows += [(("deal 1", 2), False, net) for net in (1, -3, -4)]
    found = of_deals(rows)
    assert found is not None
    assert [found.named, found.other, found.value] == [4, -2, 6]
    assert found.shrunk == Fraction(3 * 6, 3 + 20)
    assert found.hidden


def test_e28_luck_and_skill_of_a_duplicate_deal() -> None:
    seat = [7, -2, 7, 0, -5]
    others = [Fraction(-score, 3) for score in seat]
    deal = split_deal_scores({"N": seat, "E": others, "S": others, "W": others})
    first = deal["N"][0]
    assert [first.deal_mean, first.luck, first.skill] == [0, Fraction(7, 5), Fraction(28, 5)]
    assert first.unbiased == 7
    assert [one.unbiased for one in deal["N"]] == [
        7, Fraction(-17, 4), 7, Fraction(-7, 4), -8,
    ]  # fmt: skip
