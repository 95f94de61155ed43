"""rules.md 9.3: Standard and Insurance Hearts, every number typed from the rules."""

from dataclasses import dataclass, replace

import pytest

from engine.core.cards import Card, CardSet, card, card_set, members, parse_cards
from engine.core.faults import Code, Severity
from engine.core.ranking import places
from engine.core.seats import Seat
from engine.games.game import judge_hand
from engine.live.hand import Hand, Phase, start
from engine.record.actions import CallFoot, Insure, Pass, Seal, TakeCard
from engine.record.facts import Facts, Status
from engine.record.game_state import EndReason, GameState
from engine.record.record import CentreBid, Ending, HandRecord, Paper
from engine.replay.centre import resolve
from engine.replay.insurance import judge_paper
from engine.rules.presets import INSURANCE, STANDARD
from engine.rules.rules import Rules
from engine.settlement.game_end import standing_values
from engine.settlement.scoring import checksum, score
from engine.settlement.settlement import settle
from tests.engine.table import (
    SEAT,
    E,
    N,
    S,
    W,
    deal_of,
    example,
    game,
    house,
    numbers,
    played,
    playout,
    seeded,
    some_action,
    some_deal,
)

# id | hearts | queen to | papers | centre bids | points | switches
POINT_ROWS = """
D-01 | 3/4/6/0 | S | 0/0/0/0 | 0/0/0/0 | 3/4/19/0
D-02 | 13/0/0/0 | N | 0/0/0/0 | 0/0/0/0 | 0/26/26/26
D-03 | 13/0/0/0 | N | 0/0/0/0 | 0/0/0/0 | -26/0/0/0 | moon=subtract_from_self
D-02n | 13/0/0/0 | E | 0/0/0/0 | 0/0/0/0 | 13/13/0/0
D-04 | 3/4/6/0 | S | 2/0/5/1 | 0/0/0/0 | 5/4/14/1
D-05 | 0/13/0/0 | E | 6/4/0/3 | 0/0/0/0 | 22/0/22/22
D-05on | 0/13/0/0 | E | 6/4/0/3 | 0/0/0/0 | 28/0/22/25 | moon_own_insurance=on
D-06 | 0/13/0/0 | E | 6/0/0/3 | 0/0/0/0 | 26/0/26/26
D-07 | 5/8/0/0 | W | 0/0/0/6 | 0/0/0/0 | 5/8/0/7
D-07all | 5/8/0/0 | W | 6/6/6/0 | 0/0/0/0 | 11/14/6/13
D-14 | 3/4/6/0 | S | 2/0/5/1 | 3/0/2/1 | 8/4/16/2
D-15 | 13/0/0/0 | N | 2/0/0/6 | 3/1/0/0 | 3/25/24/24
"""
SUMS = {"D-04": 24, "D-14": 30}


@dataclass(frozen=True)
class Points:
    """Who took what, what was written, and what it counts."""

    rules: Rules
    facts: Facts
    points: tuple[int, ...]


def points_row(line: str) -> Points:
    _, hearts, queen, papers, centre, points, *switches = line.split(" | ")
    overrides = dict(pair.split("=") for pair in switches)
    facts = played(
        numbers(hearts), queen=SEAT[queen], papers=numbers(papers), centre=numbers(centre)
    )
    return Points(house(INSURANCE, **overrides), facts, numbers(points))


POINTS = {line.split(" | ")[0]: points_row(line) for line in POINT_ROWS.strip().splitlines()}


@pytest.mark.parametrize("row", POINTS.values(), ids=POINTS)
class TestPoints:
    def test_the_points_come_out_as_in_the_rules(self, row: Points) -> None:
        assert score(row.rules, row.facts).points == row.points

    def test_they_are_added_to_the_totals(self, row: Points) -> None:
        before = game(row.rules, 4, totals=(10, 20, 30, 40))
        after = settle(row.rules, before, row.facts).after
        assert after.totals == tuple(map(sum, zip(before.totals, row.points, strict=True)))

    def test_their_sum_is_the_checksum(self, row: Points) -> None:
        assert checksum(row.rules, row.facts, score(row.rules, row.facts)) == sum(row.points)


@pytest.mark.parametrize(("name", "total"), SUMS.items(), ids=SUMS)
def test_the_sum_stands_in_the_rules(name: str, total: int) -> None:
    assert sum(POINTS[name].points) == total


CENTRE = "S3 HK D7 C2"


@dataclass(frozen=True)
class Centre:
    """Papers by seat as ``card:bid shown`` (``-`` for no bid), the queue, who gets what."""

    papers: dict[str, str]
    queue: str
    gets: dict[str, str]
    picks: str = ""


CENTRES = {
    "D-08": Centre(
        {"N": "S3:3 H4", "E": "C2:0 H5", "S": "D7:2 H6", "W": "C2:1 H7"},
        "E",
        {"N": "S3 +3", "W": "C2 +1", "S": "D7 +2", "E": "HK +0"},
    ),
    "D-09": Centre(
        {"N": "S3:3 H4", "E": "C2:1 HA", "S": "D7:2 H6", "W": "C2:1 S2"},
        "E",
        {"N": "S3 +3", "W": "C2 +1", "S": "D7 +2", "E": "HK +0"},
    ),
    "D-10": Centre(
        {"N": "- D5", "E": "- CA", "S": "D7:1 H6", "W": "- DK"},
        "W N E",
        {"S": "D7 +1", "W": "C2 +0", "N": "S3 +0", "E": "HK +0"},
        "C2 S3",
    ),
    "D-11": Centre(
        {"N": "- D5", "E": "- CA", "S": "S3:2 H9", "W": "- DK"},
        "S W N E",
        {"S": "C2 +0", "W": "D7 +0", "N": "HK +0", "E": "S3 +0"},
        "C2 D7 HK",
    ),
    "D-12": Centre(
        {"N": "S3:4 H4", "E": "HK:2 H5", "S": "D7:1 H6", "W": "C2:0 H7"},
        "",
        {"N": "S3 +4", "E": "HK +2", "S": "D7 +1", "W": "C2 +0"},
    ),
    "D-13": Centre(
        {"N": "C2:5 SA", "E": "C2:6 CA", "S": "C2:6 C9", "W": "C2:0 DK"},
        "N W S",
        {"E": "C2 +6", "N": "D7 +0", "W": "HK +0", "S": "S3 +0"},
        "D7 HK",
    ),
}


def sealed(row: Centre) -> list[CentreBid]:
    """The papers of a row."""
    bids = []
    for seat, paper in row.papers.items():
        wish, shown = paper.split()
        wanted, _, bid = wish.partition(":")
        want = card(wanted) if bid else None
        bids.append(CentreBid(SEAT[seat], want, int(bid or 0), card(shown)))
    return bids


def hands_showing(row: Centre) -> tuple[CardSet, ...]:
    """Four hands that hold the cards shown."""
    shown = {bid.seat: (card_set([bid.shown or Card(0)])) for bid in sealed(row)}
    return tuple(shown[seat] for seat in (N, E, S, W))


@pytest.mark.parametrize("row", CENTRES.values(), ids=CENTRES)
class TestCentreAuction:
    def test_the_papers_are_opened_at_once(self, row: Centre) -> None:
        result = resolve(INSURANCE, parse_cards(CENTRE), sealed(row), hands_showing(row))
        assert result.queue == tuple(SEAT[seat] for seat in row.queue.split())
        won = {award.seat: (award.card, award.pays) for award in result.awards}
        expected = {
            SEAT[seat]: (card(got.split()[0]), int(got.split()[1]))
            for seat, got in row.gets.items()
            if seat not in row.queue.split()
        }
        assert won == expected

    def test_everybody_ends_with_thirteen_cards(self, row: Centre) -> None:
        shown = {seat: paper.split()[1] for seat, paper in row.papers.items()}
        held = {SEAT[seat]: one for seat, one in shown.items()}
        hand = at_the_centre(deal_of(INSURANCE, 4, held, CENTRE).holdings)
        for paper in sealed(row):
            assert paper.shown is not None
            bad = hand.fault(Seal(paper.seat, paper.card, paper.bid, paper.shown))
            assert bad is None or bad.severity is Severity.WARNING
            hand = hand.apply(Seal(paper.seat, paper.card, paper.bid, paper.shown))
        for pick in row.picks.split():
            hand = hand.apply(TakeCard(hand.turn or N, card(pick)))
        assert hand.phase is Phase.PLAY
        got = {award.seat: (award.card, award.pays) for award in hand.awards}
        assert got == {
            SEAT[seat]: (card(what.split()[0]), int(what.split()[1]))
            for seat, what in row.gets.items()
        }
        assert [held.bit_count() for held in hand.holdings] == [13, 13, 13, 13]
        pays = {SEAT[seat]: int(what.split()[1]) for seat, what in row.gets.items()}
        assert hand.facts.centre == tuple(pays[seat] for seat in (N, E, S, W))


def at_the_centre(holdings: tuple[CardSet, ...]) -> Hand:
    """A hand of Insurance Hearts whose centre cards were just turned up."""
    return Hand(
        rules=INSURANCE,
        before=game(INSURANCE, 4),
        phase=Phase.CENTRE,
        to_act=(E, S, W, N),
        dealt=holdings,
        holdings=holdings,
        centre=parse_cards(CENTRE),
        taken=(CardSet(0),) * 4,
    )


@example("D-11")
def test_a_bid_below_the_start_is_no_bid_and_is_told() -> None:
    row = CENTRES["D-11"]
    faults = resolve(INSURANCE, parse_cards(CENTRE), sealed(row), hands_showing(row)).faults
    assert [(fault.code, fault.seat, fault.severity) for fault in faults] == [
        (Code.BAD_BID, S, Severity.WARNING)
    ]


def with_papers(before: GameState, **papers: Insure | CallFoot) -> Hand:
    """A hand of Insurance Hearts on which some papers are written; the others write 0."""
    hand = start(INSURANCE, before, some_deal(INSURANCE))
    for name, seat in SEAT.items():
        hand = hand.apply(papers.get(name, Insure(seat, 0)))
    return hand


BEFORE_FOOT = game(INSURANCE, 4, dealer=S, deals=2, totals=(12, 30, 8, 40))


@example("D-16")
def test_a_foot_cancels_the_hand_and_moves_the_deal_and_the_pass_on() -> None:
    assert INSURANCE.direction(BEFORE_FOOT.deals) == "across"
    hand = with_papers(BEFORE_FOOT, E=CallFoot(E))
    assert (hand.phase, hand.status, hand.to_act) == (Phase.DONE, Status.FOOT, ())
    after = hand.settle().after
    assert (after.totals, after.feet, after.dealer) == ((12, 30, 8, 40), frozenset({E}), W)
    assert INSURANCE.direction(after.deals) == "hold"
    assert after.hands == 0


@pytest.mark.parametrize("unwritten", [(), (1,), (0, 2)], ids=["all hands", "one not", "two not"])
def test_a_hand_cancelled_by_a_foot_may_leave_its_centre_unsaid(
    unwritten: tuple[int, ...],
) -> None:
    dealt = list(some_deal(INSURANCE, eldest=E).holdings)
    for seat in unwritten:
        dealt[seat] = CardSet(0)
    papers = (Paper(2), Paper(None, foot=True), Paper(0), Paper(3))
    foot = HandRecord(
        seats=("N", "E", "S", "W"), deal=tuple(dealt), papers=papers, ending=Ending.FOOT
    )
    found = judge_hand(INSURANCE, game(INSURANCE), foot)
    assert (found.faults, found.replay.facts.status) == ((), Status.FOOT)
    played_on = judge_hand(INSURANCE, game(INSURANCE), replace(foot, ending=Ending.NORMAL))
    assert Code.CENTRE_SIZE in {fault.code for fault in played_on.faults}
    dealt[3] = CardSet(dealt[3] & dealt[3] - 1)
    short = judge_hand(INSURANCE, game(INSURANCE), replace(foot, deal=tuple(dealt)))
    assert [fault.code for fault in short.faults] == [Code.HAND_SIZE]


@example("D-17")
def test_two_feet_at_once_are_both_used() -> None:
    after = with_papers(BEFORE_FOOT, N=CallFoot(N), W=CallFoot(W)).settle().after
    assert (after.totals, after.feet, after.dealer) == ((12, 30, 8, 40), frozenset({N, W}), W)
    assert INSURANCE.direction(after.deals) == "hold"


@example("D-18")
def test_a_second_foot_is_void_and_the_number_on_its_paper_counts() -> None:
    fault = judge_paper(INSURANCE, Paper(3, foot=True), E, frozenset({E}))
    assert fault is not None
    assert (fault.code, fault.severity) == (Code.BAD_FOOT, Severity.WARNING)
    before = game(INSURANCE, 4, dealer=S, deals=3, feet=frozenset({E}))
    hand = with_papers(before, E=CallFoot(E, 3))
    assert hand.status is Status.DRAFT
    assert hand.phase is Phase.CENTRE
    assert hand.facts.papers == (0, 3, 0, 0)
    assert with_papers(before, E=CallFoot(E)).facts.papers == (0, 0, 0, 0)


@example("D-19")
def test_the_game_is_over_after_the_hand_in_which_somebody_reaches_a_hundred() -> None:
    after = settle(
        INSURANCE, game(INSURANCE, 4, totals=(88, 60, 95, 71)), POINTS["D-04"].facts
    ).after
    assert (after.totals, after.over) == ((93, 64, 109, 72), EndReason.LIMIT)
    assert places(standing_values(INSURANCE, after)).index(1) == E


@example("D-20")
def test_equal_totals_share_the_first_place() -> None:
    ended = game(STANDARD, 4, totals=(100, 64, 64, 80))
    assert places(standing_values(STANDARD, ended)) == [4, 1, 1, 3]


@example("D-21")
def test_every_dealt_hand_turns_the_pass_even_a_cancelled_one() -> None:
    state, seen = game(INSURANCE, 4), []
    for number in range(5):
        seen.append((state.dealer, INSURANCE.direction(state.deals)))
        facts = POINTS["D-01"].facts if number else Facts(status=Status.FOOT, feet=(W,))
        state = settle(INSURANCE, state, facts).after
    assert seen == [(N, "left"), (E, "right"), (S, "across"), (W, "hold"), (N, "left")]
    assert (state.hands, state.deals, state.feet) == (4, 5, frozenset({W}))


@pytest.mark.parametrize("deals", range(4))
def test_three_cards_go_to_the_seat_that_the_direction_says(deals: int) -> None:
    """D2: left, right, across, hold."""
    before = game(STANDARD, 4, deals=deals, dealer=Seat(deals % 4))
    hand = start(STANDARD, before, some_deal(STANDARD))
    dealt = hand.holdings
    to = {0: 1, 1: 3, 2: 2, 3: 0}[deals]
    for seat in hand.to_act if hand.phase is Phase.EXCHANGE else ():
        three = card_set(list(members(dealt[seat]))[:3])
        hand = hand.apply(Pass(seat, three))
    for seat in (N, E, S, W):
        kept = sum([1 << one for one in members(dealt[seat])][3 if to else 0 :])
        assert hand.holdings[seat] & kept == kept
        giver = dealt[(seat - to) % 4]
        got = sum(1 << one for one in list(members(giver))[:3]) if to else 0
        assert hand.holdings[seat] & got == got


def test_a_whole_hand_of_insurance_hearts_is_played_to_its_score() -> None:
    """D9: papers, pass, centre auction, play; thirteen tricks of four cards."""
    dice = seeded(3)
    rules = house(INSURANCE, foot="off")
    hand = playout(rules, game(rules, 4), dice)
    assert (len(hand.tricks), hand.status) == (13, Status.PLAYED)
    assert len(hand.passes) == len(hand.bids) == len(hand.awards) == 4
    while hand.previous is not None and hand.phase is not Phase.PAPERS:
        hand = hand.undo()
    assert hand.phase is Phase.PAPERS
    assert hand.fault(some_action(hand, dice)) is None
