"""rules.md 9.4: Sahara Sands Hearts, and the packs, every number typed from the rules."""

import pytest

from engine.core.cards import SUIT_CARDS, Suit, parse_cards
from engine.core.ranking import places
from engine.core.seats import Seat
from engine.record.game_state import EndReason
from engine.rules.presets import HOYLE_AUCTION, HOYLE_HEARTS, SAHARA
from engine.rules.rules import Rules
from engine.settlement.game_end import standing_values
from engine.settlement.payout import winner_takes_all
from engine.settlement.scoring import score
from engine.settlement.settlement import settle
from tests.engine.table import example, game, numbers, played

# id | totals | ante each | last dealer (seats from 1) | payout by seat
STAKE_ROWS = """
E-01 | 101/62/80/95 | 500 | 1 | 0/2000/0/0
E-05 | 104/62/62/80 | 500 | 1 | 0/1000/1000/0
E-06 | 40/100/40/40/64 | 100 | 1 | 166/0/167/167/0
E-08 | 104/112/70/66 | 500 | 1 | 0/0/0/2000
"""


@pytest.mark.parametrize(
    "line", [pytest.param(line, id=line[:4]) for line in STAKE_ROWS.strip().splitlines()]
)
def test_the_lowest_total_takes_the_antes(line: str) -> None:
    _, totals, ante, dealer, expected = line.split(" | ")
    state = game(SAHARA, len(numbers(totals)), totals=numbers(totals))
    ranks = places(standing_values(SAHARA, state))
    winners = [Seat(seat) for seat, rank in enumerate(ranks) if rank == 1]
    pool = int(ante) * state.players
    payout = winner_takes_all(pool, winners, state.players, Seat(int(dealer) - 1))
    assert (payout.amounts, payout.fund) == (numbers(expected), 0)


# id | hearts | queen to (seats from 0) | points
POINT_ROWS = """
E-02 | 0/0/13 | 2 | 26/26/0
E-03 | 0/0/13/0/0 | 2 | 26/26/0/26/26
E-04 | 2/0/5/6/0 | 3 | 2/0/5/19/0
"""


@pytest.mark.parametrize(
    "line", [pytest.param(line, id=line[:4]) for line in POINT_ROWS.strip().splitlines()]
)
def test_points_with_three_and_five_players(line: str) -> None:
    _, hearts, queen, points = line.split(" | ")
    facts = played(numbers(hearts), queen=Seat(int(queen)))
    assert score(SAHARA, facts).points == numbers(points)


# id | before | hearts | queen to | after | over | winner (seats from 0)
END_ROWS = """
E-07a | 86/60/57/31 | 0/0/13/0 | 0 | 99/60/70/31 | on |
E-07b | 87/60/57/30 | 0/0/13/0 | 0 | 100/60/70/30 | over | 3
E-09 | 70/75/80/90 | 0/0/0/13 | 3 | 96/101/106/90 | over | 3
E-10 | 10/75/60/40 | 0/13/0/0 | 1 | 36/75/86/66 | on |
"""


@pytest.mark.parametrize(
    "line", [pytest.param(line, id=line[:5].strip()) for line in END_ROWS.strip().splitlines()]
)
def test_the_game_ends_with_the_hand_in_which_one_hits_or_exceeds_a_hundred(line: str) -> None:
    _, totals, hearts, queen, ended, over, winner = (cell.strip() for cell in line.split("|"))
    before = game(SAHARA, 4, totals=numbers(totals))
    after = settle(SAHARA, before, played(numbers(hearts), queen=Seat(int(queen)))).after
    assert after.totals == numbers(ended)
    assert after.over is (EndReason.LIMIT if over == "over" else None)
    if winner:
        assert places(standing_values(SAHARA, after)).index(1) == int(winner)


@example("E-07")
def test_exactly_ninety_nine_plays_on_and_exactly_a_hundred_ends() -> None:
    hand = played((1, 12, 0, 0), queen=Seat(1))
    assert settle(SAHARA, game(SAHARA, 4, totals=(98, 0, 0, 0)), hand).after.over is None
    ended = settle(SAHARA, game(SAHARA, 4, totals=(99, 0, 0, 0)), hand).after
    assert ended.over is EndReason.LIMIT


@pytest.mark.parametrize(
    ("rules", "players", "cards", "suits"),
    [
        pytest.param(SAHARA, 3, 17, (13, 12, 13, 13), id="E-11-3"),
        pytest.param(SAHARA, 4, 13, (13, 13, 13, 13), id="E-11-4"),
        pytest.param(SAHARA, 5, 10, (12, 12, 13, 13), id="E-11-5"),
        pytest.param(HOYLE_HEARTS, 3, 17, (12, 13, 13, 13), id="C-00-B3"),
        pytest.param(HOYLE_HEARTS, 4, 13, (13, 13, 13, 13), id="C-00-B4"),
        pytest.param(HOYLE_HEARTS, 5, 10, (12, 12, 13, 13), id="C-00-B5"),
        pytest.param(HOYLE_HEARTS, 6, 8, (11, 12, 13, 12), id="C-00-B6"),
        pytest.param(HOYLE_AUCTION, 3, 17, (12, 13, 13, 13), id="C-00-3"),
        pytest.param(HOYLE_AUCTION, 4, 13, (13, 13, 13, 13), id="C-00-4"),
        pytest.param(HOYLE_AUCTION, 5, 10, (12, 12, 13, 13), id="C-00-5"),
        pytest.param(HOYLE_AUCTION, 6, 8, (11, 12, 13, 12), id="C-00-6"),
    ],
)
def test_the_packs_deal_out_evenly(
    rules: Rules, players: int, cards: int, suits: tuple[int, ...]
) -> None:
    pack = rules.pack(players)
    assert rules.hand_size(players) == cards
    assert tuple((pack & SUIT_CARDS[suit]).bit_count() for suit in Suit) == suits


@example("C-00", "E-11")
def test_the_very_cards_that_are_left_out() -> None:
    assert [SAHARA.stripped(n) for n in (3, 4, 5)] == [
        parse_cards(cards) for cards in ("D2", "", "D2 C2")
    ]
    assert [HOYLE_AUCTION.stripped(n) for n in (3, 4, 5, 6)] == [
        parse_cards(cards) for cards in ("C2", "", "C2 D2", "C2 C3 D2 S2")
    ]
