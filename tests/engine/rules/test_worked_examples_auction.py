"""rules.md 9.1: chips, auctions and money of Auction Hearts, every number typed from the rules."""

import re
from dataclasses import dataclass, replace

import pytest

from engine.core.cards import SUIT_OF_LETTER, Suit, count
from engine.core.chips import Rebuy, RebuyTime
from engine.core.faults import Code, Severity
from engine.core.ranking import places
from engine.core.seats import Seat
from engine.live.hand import Hand, IllegalActionError, Phase, start
from engine.record.actions import Bid, NamePain
from engine.record.facts import Facts, Status
from engine.record.game_state import EndReason, GameState
from engine.record.record import PASS_CALL
from engine.replay.auction import Contract, judge_call, winner
from engine.replay.play import restrictions
from engine.rules.presets import BICYCLE, HOYLE_AUCTION
from engine.rules.rules import Rules, change
from engine.settlement.game_end import standing_values
from engine.settlement.payout import share_pool
from engine.settlement.settlement import Kind, Settlement, settle
from tests.engine.table import E, N, S, W, example, game, house, names, numbers, played, some_deal

# id | chips before | pot | bid (or "carried X") | captures | chips after | pot after | next | more
CHIP_ROWS = """
A-01 | 50/50/50/50 | 0 | W 5 | 5/4/4/0 | 45/46/46/63 | 0 | AUCTION
A-02 | 50/50/50/50 | 0 | N 4 | 6/0/3/4 | 40/67/47/46 | 0 | AUCTION
A-03 | 50/50/50/50 | 0 | E 3 | 0/0/7/6 | 58/55/43/44 | 0 | AUCTION
A-04 | 50/50/50/50 | 0 | S 4 | 0/9/0/4 | 58/41/54/46 | 1 | AUCTION
A-05 | 58/41/54/46 | 1 | W 2 | 3/5/0/5 | 55/36/70/39 | 0 | AUCTION
A-06 | 50/50/50/50 | 0 | E 6 | 3/2/4/4 | 47/42/46/46 | 19 | JACKPOT E
A-07 | 47/42/46/46 | 19 | carried E | 5/0/5/3 | 42/74/41/43 | 0 | AUCTION
A-08 | 47/42/46/46 | 19 | carried E | 4/4/3/2 | 43/38/43/44 | 32 | JACKPOT E
A-09 | 43/38/43/44 | 32 | carried E | 0/0/13/0 | 43/38/30/44 | 45 | JACKPOT E
A-10 | 43/38/30/44 | 45 | carried E | 0/6/7/0 | 72/32/23/73 | 0 | AUCTION
A-11 | 50/50/50/50 | 0 | N 3 | 13/0/0/0 | 34/50/50/50 | 16 | JACKPOT N
A-13 | 60/7/70/62 | 1 | E 7 | 6/0/2/5 | 54/21/68/57 | 0 | AUCTION
A-14 | 60/7/70/62 | 1 | E 7 | 6/4/0/3 | 54/0/87/59 | 0 | game over; AUCTION
A-16 | 3/80/60/57 | 0 | S 2 | 5/0/4/4 | 0/93/54/53 | 0 | game over; AUCTION
A-16d | 3/80/60/57 | 0 | S 2 | 5/0/4/4 | -2/95/54/53 | 0 | game over; AUCTION | insolvency=debt
A-17 | 2/3/95/100 | 0 | W 5 | 4/5/2/2 | 0/0/93/93 | 14 | game over; JACKPOT W
A-25 | 50/50/50/50 | 0 | E 1 | 1/10/1/1 | 49/39/49/49 | 14 | JACKPOT E
A-26 | 46/36/71/46 | 1 | N 4 | 0/6/0/7 | 51/30/80/39 | 0 | AUCTION
A-28 | 46/42/46/47 | 19 | carried E | 0/0/13/0 | 46/42/33/47 | 32 | JACKPOT E
A-33 | 43/38/30/44 | 45 | carried E | 0/6/7/0 | 43/32/23/44 | 58 | JACKPOT E | \
jackpot_split=sole_winner_only
C-01 | 50/50/50/50 | 0 | N 5 | 2/3/8/0 | 43/47/42/68 | 0 | AUCTION
C-03 | 50/50/50/50 | 0 | S 2 | 0/13/0/0 | 50/37/48/50 | 15 | JACKPOT S
C-04 | 50/50/50/50 | 0 | W 3 | 2/3/4/4 | 48/47/46/43 | 16 | JACKPOT W
C-05 | 50/50/50/50/50 | 0 | C 3 | 0/8/5/0/0 | 50/42/42/50/50 | 16 | JACKPOT C
C-06 | 50/50/50/50/50 | 0 | A 4 | 3/0/5/0/4 | 43/58/45/58/46 | 0 | AUCTION | pain=C
C-07 | 50/50/50/50/50 | 0 | E 1 | 2/3/0/4/3 | 48/47/63/46/46 | 0 | AUCTION | pain=D
C-08 | 50/50/50/50/50/50 | 0 | F 2 | 0/11/0/0/0/0 | 50/39/50/50/50/48 | 13 | JACKPOT F | pain=C
C-09 | 50/50/50/50/50/50 | 0 | D 3 | 7/0/0/5/0/0 | 43/50/50/42/50/50 | 15 | JACKPOT D | pain=S
C-10 | 50/50/50/50/50/50 | 0 | B 2 | 4/3/0/4/0/2 | 46/45/57/46/57/48 | 1 | AUCTION
C-11 | 50/50/50 | 0 | B 3 | 12/0/0 | 38/47/50 | 15 | JACKPOT B | pain=C
C-11d | 50/50/50 | 0 | B 3 | 12/0/0 | 38/54/57 | 1 | AUCTION | pain=C three_player_sweep=divide
C-12 | 50/50/50 | 0 | A 2 | 6/7/0 | 42/43/65 | 0 | AUCTION
C-13 | 50/50/50 | 0 | C 4 | 4/4/5 | 46/46/41 | 17 | JACKPOT C
C-14 | 50/42/42/50/50 | 16 | carried C | 4/4/0/2/2 | 46/38/70/48/48 | 0 | AUCTION | pain=C
C-15 | 50/50/50/50/50/50 | 0 | A 1 | 0/4/4/4/0/1 | 56/46/46/46/57/49 | 0 | AUCTION
"""


@dataclass(frozen=True)
class Row:
    """One row of the chip table."""

    rules: Rules
    before: GameState
    facts: Facts
    chips: tuple[int, ...]
    pot: int
    following: str
    whole: int

    @property
    def after(self) -> Settlement:
        return settle(self.rules, self.before, self.facts)


def chip_row(line: str) -> Row:
    name, chips, pot, bid, taken, left, stays, following, *more = line.split(" | ")
    extra = dict(pair.split("=") for pair in " ".join(more).split())
    pain = SUIT_OF_LETTER[extra.pop("pain", "H")]
    rules = change(BICYCLE if name.startswith("A") else HOYLE_AUCTION, extra)
    stacks = numbers(chips)
    word, value = bid.split()
    seat = names(len(stacks))
    if word == "carried":
        namer = seat[value]
        before = game(rules, stacks, int(pot), jackpot=1, namer=namer, pain=Suit.HEARTS)
        facts = played(numbers(taken), namer=namer, pain=pain)
    else:
        before = game(rules, stacks, int(pot))
        bidder = seat[word]
        facts = played(numbers(taken), bidder=bidder, bid=int(value), namer=bidder, pain=pain)
    whole = count(restrictions(rules, pain, len(stacks)).pain)
    return Row(rules, before, facts, numbers(left), int(stays), following, whole)


ROWS = {
    line.split(" | ")[0]: chip_row(line) for line in CHIP_ROWS.strip().splitlines() if line.strip()
}


def in_words(state: GameState) -> str:
    """What the next hand is, as the table of rules.md says it."""
    seat = {place: name for name, place in names(state.players).items()}
    nxt = f"JACKPOT {seat[state.namer]}" if state.jackpot and state.namer is not None else "AUCTION"
    return f"game over; {nxt}" if state.over else nxt


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
class TestChipTable:
    def test_the_chips_and_the_pot_come_out_as_in_the_rules(self, row: Row) -> None:
        after = row.after.after
        assert (after.chips, after.pot) == (row.chips, row.pot)

    def test_the_next_hand_is_what_the_rules_say(self, row: Row) -> None:
        assert in_words(row.after.after) == row.following

    def test_no_chip_is_lost(self, row: Row) -> None:
        before, after = row.before, row.after.after
        assert sum(after.chips) + after.pot == sum(before.chips) + before.pot

    def test_the_captures_are_the_whole_suit_of_this_pack(self, row: Row) -> None:
        assert row.facts.whole == row.whole

    def test_the_deal_passes_left_and_the_hand_counts(self, row: Row) -> None:
        after = row.after.after
        assert (after.dealer, after.deals, after.hands) == (Seat(1), 1, 1)


@example("A-14", "A-16")
def test_a_shortfall_is_noted() -> None:
    assert ROWS["A-14"].after.shortfalls == (0, 4, 0, 0)
    assert ROWS["A-16"].after.shortfalls == (2, 0, 0, 0)
    assert ROWS["A-16d"].after.shortfalls == (0, 0, 0, 0)


@example("A-13")
def test_a_player_may_bid_his_last_chip_and_win_it_back() -> None:
    before = game(BICYCLE, (60, 7, 70, 62), 1)
    hand = start(BICYCLE, before, some_deal(BICYCLE)).apply(Bid(E, 7))
    for seat in (S, W, N):
        hand = hand.apply(Bid(seat, None))
    assert (hand.contract, hand.phase, hand.turn) == (Contract(E, 7), Phase.NAMING, E)
    assert ROWS["A-13"].after.after.over is None


@example("A-17")
def test_two_players_run_out_at_once_and_the_others_tie_for_the_first_place() -> None:
    after = ROWS["A-17"].after.after
    assert after.over is EndReason.BUST
    assert places(standing_values(BICYCLE, after)) == [3, 3, 1, 1]


@example("A-04", "A-05")
def test_an_odd_chip_waits_in_the_pot_of_an_ordinary_auction() -> None:
    divided = ROWS["A-04"].after
    assert (divided.odd, divided.winners, divided.after.jackpot) == (1, (N, S), 0)
    facts = ROWS["A-05"].facts
    after = settle(BICYCLE, divided.after, facts).after
    assert (after.chips, after.pot) == ((55, 36, 70, 39), 0)


def chain(rules: Rules, first: GameState, *hands: Facts) -> list[GameState]:
    """The states after each of several hands."""
    states = [first]
    for facts in hands:
        states.append(settle(rules, states[-1], facts).after)
    return states[1:]


@example("A-06", "A-07", "A-08", "A-09", "A-10")
def test_a_jackpot_grows_from_hand_to_hand_until_it_is_won() -> None:
    made = ROWS["A-06"].facts
    won = chain(BICYCLE, game(BICYCLE), made, ROWS["A-07"].facts)
    assert [(state.chips, state.pot, state.jackpot) for state in won] == [
        ((47, 42, 46, 46), 19, 1),
        ((42, 74, 41, 43), 0, 0),
    ]
    grown = chain(BICYCLE, game(BICYCLE), made, *(ROWS[f"A-{n:02}"].facts for n in (8, 9, 10)))
    assert [(state.chips, state.pot, state.jackpot, state.namer) for state in grown] == [
        ((47, 42, 46, 46), 19, 1, E),
        ((43, 38, 43, 44), 32, 2, E),
        ((43, 38, 30, 44), 45, 3, E),
        ((72, 32, 23, 73), 0, 0, None),
    ]


@example("A-08")
def test_the_original_bidder_names_again_whoever_is_written_down_as_the_namer() -> None:
    facts = replace(ROWS["A-08"].facts, namer=W)
    assert settle(BICYCLE, ROWS["A-08"].before, facts).after.namer == E


@example("C-05", "C-14")
def test_a_jackpot_of_five_is_won_in_another_suit() -> None:
    hands = ROWS["C-05"].facts, ROWS["C-14"].facts
    after = chain(HOYLE_AUCTION, game(HOYLE_AUCTION, 5), *hands)[-1]
    assert (after.chips, after.pot, after.jackpot) == ((46, 38, 70, 48, 48), 0, 0)


@example("A-30")
def test_three_hands_in_a_row() -> None:
    hands = [
        played((0, 9, 0, 4), bidder=S, bid=4),
        played((3, 5, 0, 5), bidder=W, bid=2),
        played((4, 3, 3, 3), bidder=E, bid=6),
    ]
    after = chain(BICYCLE, game(BICYCLE), *hands)[-1]
    assert (after.chips, after.pot) == ((51, 27, 67, 36), 19)
    assert in_words(after) == "JACKPOT E"


def auction(rules: Rules, before: GameState, *calls: int | None) -> Hand:
    """The auction of a hand dealt by North: East, South, West and North call."""
    hand = start(rules, before, some_deal(rules))
    for seat, chips in zip((E, S, W, N), calls, strict=False):
        hand = hand.apply(Bid(seat, chips))
    return hand


@example("A-12")
def test_when_everybody_passes_the_chips_stay_and_the_deal_goes_on() -> None:
    before = game(BICYCLE, (51, 30, 80, 38), 1)
    hand = auction(BICYCLE, before, None, None, None, None)
    assert (hand.phase, hand.status) == (Phase.DONE, Status.PASSED_OUT)
    after = hand.settle().after
    assert (after.chips, after.pot, after.dealer, after.hands) == ((51, 30, 80, 38), 1, E, 0)
    assert in_words(after) == "AUCTION"


@example("A-15")
def test_nobody_may_bid_more_chips_than_he_holds() -> None:
    before = game(BICYCLE, (60, 7, 70, 62), 1)
    fault = judge_call(BICYCLE, 8, E, 7, None)
    assert fault is not None
    assert (fault.code, fault.severity, fault.seat) == (Code.OVER_STACK, Severity.ERROR, E)
    with pytest.raises(IllegalActionError) as refused:
        auction(BICYCLE, before, 8)
    assert refused.value.fault.code is Code.OVER_STACK
    assert auction(BICYCLE, before, 7).calls == (7,)


@example("A-21")
def test_all_thirteen_tricks_are_only_a_sweep_unless_the_house_says_otherwise() -> None:
    facts = played((0, 0, 13, 0), bidder=N, bid=2, tricks=(0, 0, 13, 0))
    after = settle(BICYCLE, game(BICYCLE), facts).after
    assert (after.chips, after.pot, after.over) == ((48, 50, 37, 50), 15, None)
    assert in_words(after) == "JACKPOT N"
    moon = house(BICYCLE, moon_all_tricks="game")
    after = settle(moon, game(moon), facts).after
    assert (after.over, after.winner) == (EndReason.ALL_TRICKS, S)


@example("A-22")
def test_a_revoke_costs_all_losses_of_the_hand() -> None:
    facts = played((5, 4, 4, 0), bidder=W, bid=5, offenders=(E,))
    after = settle(BICYCLE, game(BICYCLE), facts).after
    assert (after.chips, after.pot) == ((50, 37, 50, 63), 0)
    full = house(BICYCLE, revoke_law="foster_full")
    after = settle(full, game(full), facts).after
    assert (after.chips, after.pot) == ((50, 32, 50, 68), 0)


@example("A-31")
def test_a_clean_player_who_revoked_cannot_collect() -> None:
    facts = played((5, 4, 4, 0), bidder=W, bid=5, offenders=(W,))
    after = settle(BICYCLE, game(BICYCLE), facts).after
    assert (after.chips, after.pot) == ((50, 50, 50, 32), 18)
    assert in_words(after) == "JACKPOT W"


@example("A-32")
def test_the_other_clean_player_collects_alone() -> None:
    facts = played((0, 0, 7, 6), bidder=E, bid=3, offenders=(N,))
    after = settle(BICYCLE, game(BICYCLE), facts).after
    assert (after.chips, after.pot) == ((37, 63, 50, 50), 0)


@example("A-23")
def test_the_first_of_equal_bids_wins_and_the_others_are_ordinary() -> None:
    assert winner(BICYCLE, (4, 4, PASS_CALL, 4), E, 4) == Contract(E, 4)
    for seat in (S, N):
        assert judge_call(BICYCLE, 4, seat, 50, 4) is None
    hand = auction(BICYCLE, game(BICYCLE), 4, 4, None, 4)
    assert (hand.contract, hand.turn) == (Contract(E, 4), E)


@example("A-24")
def test_a_lower_bid_is_ordinary_in_one_system_and_insufficient_in_the_other() -> None:
    hand = auction(BICYCLE, game(BICYCLE), 4, 3, None, None)
    assert hand.contract == Contract(E, 4)
    assert judge_call(BICYCLE, 3, S, 50, 4) is None
    with pytest.raises(IllegalActionError) as refused:
        auction(HOYLE_AUCTION, game(HOYLE_AUCTION), 4, 3)
    fault = refused.value.fault
    assert (fault.code, fault.seat, fault.severity) == (Code.INSUFFICIENT_BID, S, Severity.RULING)


@example("C-02")
def test_each_bid_must_be_higher_than_the_one_before() -> None:
    with pytest.raises(IllegalActionError) as refused:
        auction(HOYLE_AUCTION, game(HOYLE_AUCTION), 3, 3)
    assert (refused.value.fault.code, refused.value.fault.seat) == (Code.INSUFFICIENT_BID, S)
    hand = auction(HOYLE_AUCTION, game(HOYLE_AUCTION), 2, 3, None, 5)
    assert hand.contract == Contract(N, 5)


@example("A-27")
def test_who_cannot_pay_buys_in_again_and_the_game_goes_on() -> None:
    rules = house(BICYCLE, insolvency="rebuy")
    facts = replace(ROWS["A-16"].facts, rebuys=(Rebuy(N, RebuyTime.SHORT, 1),))
    done = settle(rules, game(rules, (3, 80, 60, 57)), facts)
    assert sum(done.after.chips) + done.after.pot == 250
    assert (done.after.chips, done.after.over) == ((48, 95, 54, 53), None)
    assert [p.amount for p in done.postings if p.kind is Kind.REBUY] == [50]


@example("A-29")
def test_a_game_of_one_hand_ends_in_a_jackpot_and_the_pot_is_worth_the_same_to_all() -> None:
    rules = house(BICYCLE, length="hands:1")
    after = settle(rules, game(rules), ROWS["A-06"].facts).after
    assert (after.chips, after.pot, after.over) == ((47, 42, 46, 46), 19, EndReason.HANDS)
    assert money(rules, "40.00", after.chips, 19) == "10.35/9.35/10.15/10.15"


def money(
    rules: Rules, pool: str, chips: tuple[int, ...], pot: int = 0, last_dealer: Seat = N
) -> str:
    """A payout as rules.md writes it; the club's part, if any, after a plus."""
    payout = share_pool(rules, int(pool.replace(".", "")), chips, pot, last_dealer)
    parts = "/".join(f"{cents // 100}.{cents % 100:02}" for cents in payout.amounts)
    return parts + (f" + {payout.fund // 100}.{payout.fund % 100:02}" if payout.fund else "")


# id | chips pot | pool | last dealer | end_pot | payout
MONEY_ROWS = """
P-01 | 0/0/93/93 14 | 40.00 | N | equal_split | 0.70/0.70/19.30/19.30
P-01 | 0/0/93/93 14 | 40.00 | N | pro_rata | 0.00/0.00/20.00/20.00
P-01 | 0/0/93/93 14 | 40.00 | N | club_fund | 0.00/0.00/18.60/18.60 + 2.80
P-02 | 61/47/47/45 0 | 28.00 | N | equal_split | 8.54/6.58/6.58/6.30
P-03 | 61/47/47/45 0 | 13.32 | N | equal_split | 4.06/3.13/3.13/3.00
P-03 | 61/47/47/45 0 | 13.32 | E | equal_split | 4.06/3.13/3.13/3.00
P-04 | 55/55/55/35 0 | 1.32 | N | equal_split | 0.36/0.37/0.36/0.23
P-05 | 55/55/55/35 0 | 1.32 | S | equal_split | 0.37/0.36/0.36/0.23
P-06 | 49/39/49/49 14 | 40.00 | N | equal_split | 10.50/8.50/10.50/10.50
P-06 | 49/39/49/49 14 | 40.00 | N | pro_rata | 10.54/8.38/10.54/10.54
P-06 | 49/39/49/49 14 | 40.00 | N | club_fund | 9.80/7.80/9.80/9.80 + 2.80
P-07 | 38/54/57 1 | 15.00 | A | equal_split | 3.83/5.43/5.74
"""


@pytest.mark.parametrize(
    "line", [pytest.param(line, id=line[:4]) for line in MONEY_ROWS.strip().splitlines()]
)
def test_the_pool_is_shared_to_the_cent(line: str) -> None:
    _, table, pool, dealer, end_pot, expected = line.split(" | ")
    chips, pot = table.split()
    rules = house(BICYCLE, end_pot=end_pot)
    stacks = numbers(chips)
    seat = names(len(stacks))[dealer]
    assert money(rules, pool, stacks, int(pot), seat) == expected


@example("C-01")
def test_the_eldest_leads_and_not_the_bidder() -> None:
    hand = auction(HOYLE_AUCTION, game(HOYLE_AUCTION), None, None, None, 5)
    hand = hand.apply(NamePain(N, Suit.SPADES))
    assert (hand.namer, hand.turn) == (N, E)


def test_every_row_of_the_chip_table_is_here() -> None:
    numbered = [row for row in ROWS if re.fullmatch(r"[AC]-\d\d[dn]?", row)]
    assert len(numbered) == len(ROWS) == 33 + 2  # stand in the other table
