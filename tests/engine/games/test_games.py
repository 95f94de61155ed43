"""Whole games: rulings as inputs of the fold, the end, the money, a written final result."""

from dataclasses import replace

import pytest

from benchmarks.hands import TABLES
from engine.core.cards import Suit
from engine.core.chips import Rebuy, RebuyTime
from engine.core.faults import Code
from engine.core.seats import Seat
from engine.games.game import Game, final, judge_hand
from engine.games.proposals import proposals
from engine.record.facts import Facts, Status
from engine.record.game_state import EndReason, GameState
from engine.record.record import Ending, HandRecord, Paper, ScoreRow, TotalRow
from engine.record.rulings import Decision, NextHand, Ruling, RulingError
from engine.replay.claims import judge_totals
from engine.rules.presets import BICYCLE, HOYLE_HEARTS, INSURANCE, SAHARA, STANDARD
from engine.rules.rules import Rules, RulesError
from engine.settlement.game_end import final_places
from engine.settlement.settlement import Kind, settle
from engine.verdicts.judge import judge
from tests.engine.games.test_game_order import a_game
from tests.engine.table import (
    E,
    N,
    S,
    W,
    example,
    game,
    house,
    numbers,
    played,
    playouts,
    record_of,
    seeded,
)


def bid_hand(dealer: Seat, bidder: Seat, bid: int, taken: str) -> HandRecord:
    """A hand of Auction Hearts of which the bid and the captures are written."""
    rows = tuple(
        ScoreRow(Seat(seat), {"Pain": pain, "Bid": bid if seat == bidder else 0})
        for seat, pain in enumerate(numbers(taken))
    )
    return HandRecord(
        seats=("N", "E", "S", "W"),
        dealer=dealer,
        namer=bidder,
        pain=Suit.HEARTS,
        scores=rows,
        ending=Ending.NORMAL,
    )


def points_hand(dealer: Seat, hearts: str, queen: Seat) -> HandRecord:
    """A hand of hearts with the queen, of which the points are written."""
    rows = tuple(
        ScoreRow(Seat(seat), {"Hearts": taken, "Queen": 13 if seat == queen else 0})
        for seat, taken in enumerate(numbers(hearts))
    )
    return HandRecord(seats=("N", "E", "S", "W"), dealer=dealer, scores=rows, ending=Ending.NORMAL)


def revoke(*offenders: Seat) -> Ruling:
    return Ruling(decision=Decision.REVOKE_LAW, code=Code.REVOKE, offenders=offenders)


@example("A-22", "A-31", "A-32")
def test_the_written_bids_and_captures_settle_as_they_are() -> None:
    result = judge_hand(BICYCLE, game(BICYCLE), bid_hand(N, W, 5, "5/4/4/0"))
    assert result.faults == ()
    assert (result.after.chips, result.after.pot) == ((45, 46, 46, 63), 0)


# id | bid | captures | offender | chips | pot | jackpot
REVOKES = """
A-22 | W 5 | 5/4/4/0 | E | 50/37/50/63 | 0 | 0 | foster
A-22 | W 5 | 5/4/4/0 | E | 50/32/50/68 | 0 | 0 | foster_full
A-31 | W 5 | 5/4/4/0 | W | 50/50/50/32 | 18 | 1 | foster
A-32 | E 3 | 0/0/7/6 | N | 37/63/50/50 | 0 | 0 | foster
"""
BY_LETTER = {"N": N, "E": E, "S": S, "W": W}


@pytest.mark.parametrize(
    "line",
    [
        pytest.param(line, id=line[:4] + ("-full" if line.endswith("full") else ""))
        for line in REVOKES.strip().splitlines()
    ],
)
def test_the_director_applies_the_revoke_law(line: str) -> None:
    _, bid, taken, offender, chips, pot, jackpot, law = line.split(" | ")
    rules = house(BICYCLE, revoke_law=law)
    bidder, number = bid.split()
    record = bid_hand(N, BY_LETTER[bidder], int(number), taken)
    result = judge_hand(rules, game(rules), record, [revoke(BY_LETTER[offender])])
    after = result.after
    assert (after.chips, after.pot, after.jackpot) == (numbers(chips), int(pot), int(jackpot))
    assert sum(after.chips) + after.pot == 200


def test_a_revoke_costs_twenty_six_with_the_queen_and_no_moon_nor_paper_helps() -> None:
    facts = played((0, 13, 0, 0), queen=E, papers=(6, 4, 0, 3), offenders=(S,))
    assert settle(INSURANCE, game(INSURANCE), facts).after.totals == (0, 0, 26, 0)
    after = judge_hand(
        STANDARD, game(STANDARD), points_hand(N, "13/0/0/0", N), [revoke(N, W)]
    ).after
    assert after.totals == (26, 0, 0, 26)


def test_a_revoke_costs_thirteen_without_the_queen() -> None:
    facts = played((3, 4, 6, 0), offenders=(W,))
    assert settle(HOYLE_HEARTS, game(HOYLE_HEARTS), facts).after.totals == (0, 0, 0, 13)


RECORD = points_hand(N, "3/4/6/0", S)


def ruled(*rulings: Ruling, rules: Rules = STANDARD, record: HandRecord = RECORD) -> GameState:
    return judge_hand(rules, game(rules), record, rulings).after


def test_a_result_that_stands_is_the_result() -> None:
    assert ruled(Ruling(decision=Decision.RESULT_STANDS)).totals == (3, 4, 19, 0)


def test_assigned_captures_replace_those_of_the_table() -> None:
    decision = Ruling(decision=Decision.ASSIGNED_CAPTURES, taken=(4, 4, 5, 0), queen=N)
    assert ruled(decision).totals == (17, 4, 5, 0)


def test_assigned_captures_must_add_up() -> None:
    with pytest.raises(RulingError):
        ruled(Ruling(decision=Decision.ASSIGNED_CAPTURES, taken=(4, 4, 4, 0)))


def test_points_are_adjusted_on_top_of_the_score() -> None:
    decision = Ruling(decision=Decision.SCORE_ADJUST, score=(0, 5, 0, -5))
    assert ruled(decision).totals == (3, 9, 19, -5)


def test_adjusted_chips_move_and_none_is_made() -> None:
    record = bid_hand(N, W, 5, "5/4/4/0")
    decision = Ruling(decision=Decision.CHIP_ADJUST, chips=(5, -9, 4, 0))
    result = judge_hand(BICYCLE, game(BICYCLE), record, [decision])
    assert (result.after.chips, result.after.pot) == ((50, 37, 50, 63), 0)
    assert result.settlement is not None
    assert result.settlement.moved(Kind.ADJUST) > 0
    with pytest.raises(RulingError):
        ruled(Ruling(decision=Decision.CHIP_ADJUST, chips=(5, 0, 0, 0)), rules=BICYCLE)


def test_a_void_hand_is_dealt_again_by_the_same_dealer() -> None:
    after = ruled(Ruling(decision=Decision.VOID_REDEAL))
    assert (after.totals, after.dealer, after.deals, after.hands) == ((0, 0, 0, 0), N, 0, 0)


def test_a_hand_void_without_replay_passes_the_deal_on() -> None:
    after = ruled(Ruling(decision=Decision.VOID_NO_REPLAY))
    assert (after.totals, after.dealer, after.deals, after.hands) == ((0, 0, 0, 0), E, 1, 0)


def test_the_director_may_say_what_the_next_hand_inherits() -> None:
    then = NextHand(dealer=W, jackpot=1, namer=S, deals=3, feet=frozenset({N}))
    after = ruled(Ruling(decision=Decision.RESULT_STANDS, then=then))
    assert (after.dealer, after.jackpot, after.namer) == (W, 1, S)
    assert (after.deals, after.feet) == (3, frozenset({N}))


def test_the_proposals_begin_with_the_default_of_the_law() -> None:
    hand = playouts(STANDARD, 4, seeded(4), 1)[0]
    record = record_of(hand)
    play = list(record.play or ())
    columns = record.columns or ()
    revoked = None
    for place in range(4, len(play)):
        seat = columns[place % 4]
        swapped = play.copy()
        later = place + 4
        if later >= len(play):
            break
        swapped[place], swapped[later] = swapped[later], swapped[place]
        judged = judge_hand(STANDARD, hand.before, replace(record, play=tuple(swapped)))
        if judged.faults and judged.faults[0].code is Code.REVOKE:
            revoked = seat, judged
            break
    assert revoked is not None
    seat, judged = revoked
    offered = proposals(judged.faults)
    assert offered[0].decision is Decision.REVOKE_LAW
    assert seat in offered[0].offenders
    assert judged.provisional
    assert proposals(()) == ()


@pytest.mark.parametrize("hand", [0, 1, 2])
def test_a_ruling_changes_only_its_hand_and_those_after_it(hand: int) -> None:
    hands = playouts(BICYCLE, 4, seeded(9), 3)
    played_game = Game.begin(BICYCLE, 4, hands[0].before.dealer)
    for one in hands:
        played_game = played_game.add(record_of(one))
    ruling = Ruling(decision=Decision.CHIP_ADJUST, chips=(-2, 1, 1, 0))
    changed = played_game.correct(hand, record_of(hands[hand]), ruling)
    assert changed.results[:hand] == played_game.results[:hand]
    before, after = played_game.results[hand].after.chips, changed.results[hand].after.chips
    assert tuple(b - a for a, b in zip(before, after, strict=True)) == (-2, 1, 1, 0)
    for result in changed.results:
        assert sum(result.after.chips) + result.after.pot == result.after.bought == 200
    assert changed.correct(hand, record_of(hands[hand])) == played_game


def test_a_wrong_hand_blocks_only_itself() -> None:
    hands = playouts(HOYLE_HEARTS, 4, seeded(2), 3)
    records = [record_of(hand) for hand in hands]
    short = replace(records[1], play=(records[1].play or ())[:-4])
    played_game = Game.begin(HOYLE_HEARTS, 4, hands[0].before.dealer)
    for record in (records[0], short, records[2]):
        played_game = played_game.add(record)
    first, wrong, last = played_game.results
    assert wrong.settlement is None
    assert wrong.provisional
    assert (wrong.after.totals, wrong.after.hands) == (first.after.totals, 1)
    assert wrong.after.dealer == hands[2].before.dealer
    assert last.settlement is not None
    mended = played_game.correct(1, records[1])
    assert mended.state == hands[-1].settle().after


# The end.


@example("A-17", "P-01")
def test_a_game_for_money_pays_out_its_pool() -> None:
    rules = house(BICYCLE, buy_in="1000")
    ended = game(rules, (0, 0, 93, 93), 14, dealer=E)
    assert final(rules, ended).places == (3, 3, 1, 1)
    payout = final(rules, ended).payout
    assert payout is not None
    assert payout.amounts == (70, 70, 1930, 1930)


@example("A-27")
def test_a_rebuy_is_paid_for_and_enters_the_pool() -> None:
    rules = house(BICYCLE, insolvency="rebuy", buy_in="1000")
    bought = (Rebuy(N, RebuyTime.SHORT, 1),)
    facts = played((5, 0, 4, 4), bidder=S, bid=2, rebuys=bought)
    after = settle(rules, game(rules, (3, 80, 60, 57)), facts).after
    payout = final(rules, after).payout
    assert payout is not None
    assert sum(payout.amounts) == 5000


@example("E-01")
def test_the_winner_of_sahara_takes_all() -> None:
    rules = house(SAHARA, ante="500")
    result = final(rules, game(rules, totals=(101, 62, 80, 95)))
    assert result.places == (4, 1, 2, 3)
    assert result.payout is not None
    assert result.payout.amounts == (0, 2000, 0, 0)


@example("A-21")
def test_who_takes_all_the_tricks_wins_the_game_whatever_the_chips() -> None:
    rules = house(BICYCLE, moon_all_tricks="game")
    facts = played((0, 0, 13, 0), bidder=N, bid=2, tricks=(0, 0, 13, 0))
    after = settle(rules, game(rules), facts).after
    assert after.over is EndReason.ALL_TRICKS
    assert final(rules, after).places[S] == 1


def test_an_extra_hand_is_played_until_the_tie_is_broken() -> None:
    rules = house(STANDARD, tie="extra_hand")
    tied = game(rules, totals=(94, 57, 44, 80))
    after = settle(rules, tied, played((6, 0, 13 - 6, 0), queen=N)).after
    assert after.totals == (113, 57, 51, 80)
    assert after.over is EndReason.LIMIT
    tied = game(rules, totals=(94, 51, 44, 80))
    after = settle(rules, tied, played((6, 0, 7, 0), queen=N)).after
    assert (after.totals, after.over) == ((113, 51, 51, 80), None)


def test_a_pot_is_played_for_until_it_is_won() -> None:
    rules = house(BICYCLE, length="hands:1", end_pot="play_until_won")
    jackpot = settle(rules, game(rules), played((3, 2, 4, 4), bidder=E, bid=6)).after
    assert jackpot.over is None
    won = settle(rules, jackpot, played((5, 0, 5, 3), namer=E)).after
    assert (won.over, won.pot) == (EndReason.HANDS, 0)


def test_foots_void_and_passed_out_hands_do_not_count() -> None:
    """Q28."""
    rules = house(INSURANCE, length="hands:2")
    state = game(rules)
    for facts in (
        played((3, 4, 6, 0), queen=S),
        Facts(status=Status.FOOT, feet=(N,)),
        Facts(status=Status.VOID_REDEAL),
    ):
        state = settle(rules, state, facts).after
        assert state.over is None
    assert settle(rules, state, played((3, 4, 6, 0), queen=S)).after.over is EndReason.HANDS


def test_a_foot_is_written_on_a_paper_and_replayed() -> None:
    papers = (Paper(0), Paper(None, foot=True), Paper(2), Paper(1))
    record = HandRecord(seats=("N", "E", "S", "W"), dealer=N, papers=papers, ending=Ending.FOOT)
    result = judge_hand(INSURANCE, game(INSURANCE), record)
    assert result.faults == ()
    assert result.facts.status is Status.FOOT
    assert (result.after.feet, result.after.dealer) == (frozenset({E}), E)


# The written result of a whole game.

TOTALS = (
    TotalRow(N, "4", "Ann", 20, "13", "-7", "-0.70"),
    TotalRow(E, "2", "Ben", 10, "13", "3", "0.30"),
    TotalRow(S, "3", "Cy", 15, "13", "-2", "-0.20"),
    TotalRow(W, "1", "Di", 7, "13", "+6", "0.60"),
)


def written(*rows: TotalRow) -> HandRecord:
    return HandRecord(seats=("N", "E", "S", "W"), hands=4, totals=rows or TOTALS)


@example("B-02")
def test_the_settlement_of_a_session_is_confirmed() -> None:
    assert judge_totals(written(), HOYLE_HEARTS) == ()


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (replace(TOTALS[0], settlement="-6"), Code.SETTLEMENT),
        (replace(TOTALS[0], cash="-0.60"), Code.SETTLEMENT),
        (replace(TOTALS[0], average="12"), Code.SETTLEMENT),
        (replace(TOTALS[0], rank="1"), Code.POINTS),
        (replace(TOTALS[0], total=21), Code.POINTS),
        (replace(TOTALS[0], total=None), Code.SETTLEMENT),
    ],
)
def test_a_wrong_number_in_the_settlement_is_found(row: TotalRow, code: Code) -> None:
    faults = judge_totals(written(row, *TOTALS[1:]), HOYLE_HEARTS)
    assert code in {fault.code for fault in faults}


@pytest.mark.parametrize(
    ("moon", "totals"), [(-26, (0, 26, 26, 26)), (-52, (-26, 0, 0, 0))], ids=["adds", "subtracts"]
)
def test_what_the_shooter_chose_is_read_from_the_score_table(
    moon: int, totals: tuple[int, ...]
) -> None:
    """Q39b: the choice is recorded."""
    rules = house(STANDARD, moon="shooter_choice")
    record = points_hand(N, "13/0/0/0", N)
    assert record.scores is not None
    shooter, *others = record.scores
    written_moon = replace(shooter, values={**shooter.values, "Moon": moon})
    result = judge_hand(rules, game(rules), replace(record, scores=(written_moon, *others)))
    assert result.after.totals == totals


def test_where_tricks_win_the_game_its_places_are_those_of_the_tricks() -> None:
    rules = house(BICYCLE, winner="tricks")
    state = game(rules, (80, 60, 40, 20), tricks=(10, 20, 20, 2))
    assert final(rules, state).places == (3, 1, 1, 4)
    won = replace(state, over=EndReason.ALL_TRICKS, winner=W)
    assert final(rules, won).places == (4, 2, 2, 1)
    with pytest.raises(RulesError, match="settlement=pot"):
        house(SAHARA, winner="tricks")


def test_a_hand_that_tells_no_tricks_says_so_where_they_win_the_game() -> None:
    rules = house(BICYCLE, winner="tricks")
    words = "the tricks of this hand are not written, and they decide who wins the game"
    record = bid_hand(N, E, 3, "3/4/5/1")
    found = judge_hand(rules, game(rules), record).faults
    assert words in [fault.message for fault in found]
    assert words not in [
        fault.message for fault in judge_hand(BICYCLE, game(BICYCLE), record).faults
    ]


def test_the_written_places_of_a_game_are_compared_with_its_tricks() -> None:
    table = TABLES[0]
    texts, _ = a_game(table, 3, 3)
    tricks = [
        text.replace("[Seats", '[Rules "auction-bicycle/1;winner=tricks"]\n[Seats')
        for text in texts
    ]
    state = judge("% PHN 1.0\n" + "\n".join(tricks)).records[-1].after
    assert state is not None
    due = final_places(house(BICYCLE, winner="tricks"), state)
    rows = "\n".join(
        f"{place} {seat} {chips}"
        for place, seat, chips in zip(due, "NESW", state.chips, strict=True)
    )
    total = (
        '[Event "Club night"]\n[Site "Ghent"]\n[Date "2026.01.02"]\n[Board "3"]\n[Detail "game"]\n'
        '[Hands "3"]\n[Rules "auction-bicycle/1;winner=tricks"]\n[Seats "N E S W"]\n'
        '[Variant "auction-bicycle"]\n[TotalScoreTable "Rank;Seat;TotalScore"]\n'
    )
    whole = judge("% PHN 1.0\n" + "\n".join([*tricks, total + rows + "\n"])).records[-1]
    assert whole.ok, whole.findings
    wrong = rows.replace(f"{due[0]} N", f"{due[0] % 4 + 1} N")
    false = judge("% PHN 1.0\n" + "\n".join([*tricks, total + wrong + "\n"])).records[-1]
    assert "the place is" in str([one.diagnostic.message for one in false.findings])
