"""Every irregularity a scorer can write down: found, named, placed, and nothing lost by it.

Section 8 of rules.md and 3.5 of notation.md. Each case spoils one thing of a hand that was
properly played and says what must be found, and how grave it is.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import pytest

from engine.core.cards import BIT, SUIT_OF, CardSet, Suit, card, members, parse_cards
from engine.core.faults import Code, Severity
from engine.core.seats import Seat
from engine.games.game import HandResult, judge_hand
from engine.record.facts import Status
from engine.record.game_state import EndReason, GameState
from engine.record.record import (
    PASS_CALL,
    CapturedCards,
    Claim,
    Ending,
    HandRecord,
    Paper,
    ScoreRow,
)
from engine.rules.presets import (
    BICYCLE,
    HOYLE_AUCTION,
    HOYLE_HEARTS,
    INSURANCE,
    SAHARA,
    STANDARD,
)
from engine.rules.rules import Rules
from engine.settlement.tables import pot_row, score_rows
from tests.engine.table import E, N, S, W, deal_of, game, house, playouts, record_of, seeded

Spoil = Callable[[HandRecord], HandRecord]


@dataclass(frozen=True)
class Case:
    """A sound hand under some rules, what is spoilt in its record, and what is found."""

    rules: Rules
    spoil: Spoil
    code: Code
    severity: Severity
    players: int = 4
    seed: int = 1
    before: GameState | None = None


def sound(case: Case) -> tuple[GameState, HandRecord]:
    """A properly played and written hand, with its score and pot tables."""
    hands = playouts(case.rules, case.players, seeded(case.seed), 1)
    hand = hands[0]
    done = hand.settle()
    pot = pot_row(done) if case.rules.settlement == "pot" else None
    record = replace(record_of(hand), scores=score_rows(case.rules, done), pot=pot)
    return hand.before, record


def judged(case: Case) -> HandResult:
    before, record = sound(case)
    return judge_hand(case.rules, case.before or before, case.spoil(record))


# How records are spoilt.


def dealt(change: Callable[[list[CardSet]], None]) -> Spoil:
    def spoil(record: HandRecord) -> HandRecord:
        hands = list(record.deal or ())
        change(hands)
        return replace(record, deal=tuple(hands))

    return spoil


def one_card_twice(hands: list[CardSet]) -> None:
    lost, other = next(members(hands[0])), next(members(hands[1]))
    hands[0] = CardSet(hands[0] & ~BIT[lost] | BIT[other])


def one_card_short(hands: list[CardSet]) -> None:
    hands[2] = CardSet(hands[2] & ~BIT[next(members(hands[2]))])


def a_stripped_card(hands: list[CardSet]) -> None:
    hands[0] = CardSet(hands[0] & ~BIT[next(members(hands[0]))] | BIT[card("C2")])


def plays(change: Callable[[HandRecord, list[int | None]], None]) -> Spoil:
    def spoil(record: HandRecord) -> HandRecord:
        cards: list[int | None] = list(record.play or ())
        change(record, cards)
        return replace(record, play=tuple(cards))  # type: ignore[arg-type]

    return spoil


def cell(seat: int, **values: int) -> Spoil:
    """Another number in a cell of the score table."""

    def spoil(record: HandRecord) -> HandRecord:
        rows = [
            ScoreRow(row.seat, {**row.values, **values}) if row.seat == seat else row
            for row in record.scores or ()
        ]
        return replace(record, scores=tuple(rows))

    return spoil


def pot_cell(**values: int) -> Spoil:
    def spoil(record: HandRecord) -> HandRecord:
        assert record.pot is not None
        return replace(record, pot=replace(record.pot, **values))

    return spoil


def fields(**values: object) -> Spoil:
    return lambda record: replace(record, **values)  # type: ignore[arg-type]


def other_namer(record: HandRecord) -> HandRecord:
    assert record.namer is not None
    return replace(record, namer=Seat((record.namer + 1) % 4))


def other_columns(record: HandRecord) -> HandRecord:
    """The rows written from another seat: as if the next player had led."""
    assert record.play is not None
    assert record.columns is not None
    turned = [
        record.play[base + place]
        for base in range(0, len(record.play), 4)
        for place in (1, 2, 3, 0)
    ]
    columns = (*record.columns[1:], record.columns[0])
    return replace(record, columns=columns, play=tuple(turned))


def passes_two(record: HandRecord) -> HandRecord:
    assert record.exchange is not None
    first, *others = record.exchange
    fewer = CardSet(first.cards & ~BIT[next(members(first.cards))])
    return replace(record, exchange=(replace(first, cards=fewer), *others))


def passes_across(record: HandRecord) -> HandRecord:
    assert record.exchange is not None
    return replace(
        record,
        exchange=tuple(
            replace(passed, to=Seat((passed.seat + 2) % 4)) for passed in record.exchange
        ),
    )


def papers(**numbers: Paper) -> Spoil:
    def spoil(record: HandRecord) -> HandRecord:
        by_name = dict(zip(record.seats, record.papers or (Paper(0),) * 4, strict=True))
        by_name.update(numbers)
        return replace(record, papers=tuple(by_name[name] for name in record.seats))

    return spoil


def centre_bid_too_low(record: HandRecord) -> HandRecord:
    """A bid of nothing for a spade, heart or diamond."""
    assert record.bids is not None
    costly = next(one for one in members(record.centre) if SUIT_OF[one] is not Suit.CLUBS)
    first, *others = record.bids
    return replace(record, bids=(replace(first, card=costly, bid=0), *others))


def centre_cards_exchanged(record: HandRecord) -> HandRecord:
    """Two of those who got centre cards are written with each other's."""
    assert record.bids is not None
    bids = list(record.bids)
    bids[0], bids[1] = (
        replace(bids[0], got=bids[1].got),
        replace(bids[1], got=bids[0].got),
    )
    return replace(record, bids=tuple(bids))


def captured(*hearts: str) -> Spoil:
    """Only captures are written."""

    def spoil(record: HandRecord) -> HandRecord:
        rows = tuple(
            CapturedCards(Seat(seat), parse_cards(text)) for seat, text in enumerate(hearts)
        )
        return replace(record, deal=None, play=None, scores=None, captures=rows)

    return spoil


def twice_played(_: HandRecord, cards: list[int | None]) -> None:
    cards[8] = cards[0]


def exchanged(_: HandRecord, cards: list[int | None]) -> None:
    cards[4], cards[5] = cards[5], cards[4]


def cut_off(_: HandRecord, cards: list[int | None]) -> None:
    del cards[-6:]


def a_gap(_: HandRecord, cards: list[int | None]) -> None:
    cards[9] = None


NO_FOOT = house(INSURANCE, foot="off")
AFTER_A06 = game(BICYCLE, (47, 42, 46, 46), 19, jackpot=1, namer=E, pain=Suit.HEARTS)

CASES = {
    "a card dealt twice": Case(BICYCLE, dealt(one_card_twice), Code.CARD_TWICE, Severity.ERROR),
    "a card that is not in the pack of five": Case(
        HOYLE_AUCTION, dealt(a_stripped_card), Code.NOT_IN_PACK, Severity.ERROR, 5
    ),
    "twelve cards": Case(BICYCLE, dealt(one_card_short), Code.HAND_SIZE, Severity.ERROR),
    "the wrong card stripped": Case(
        HOYLE_HEARTS, fields(stripped=parse_cards("D2")), Code.WRONG_STRIP, Severity.ERROR, 3
    ),
    "three centre cards": Case(
        NO_FOOT, fields(centre=parse_cards("C2D2H2")), Code.CENTRE_SIZE, Severity.ERROR
    ),
    "a centre in a game without": Case(
        STANDARD, fields(centre=parse_cards("C2D2H2S2")), Code.CENTRE_SIZE, Severity.ERROR
    ),
    "two cards passed": Case(STANDARD, passes_two, Code.WRONG_PASS, Severity.RULING),
    "passed across instead of left": Case(
        STANDARD, passes_across, Code.WRONG_PASS, Severity.RULING
    ),
    "the wrong direction announced": Case(
        STANDARD, fields(direction="right"), Code.WRONG_PASS, Severity.RULING
    ),
    "a second bid": Case(
        BICYCLE,
        fields(auction=(3, PASS_CALL, PASS_CALL, PASS_CALL, 4)),
        Code.BID_OUT_OF_TURN,
        Severity.RULING,
    ),
    "the dealer bids first": Case(
        BICYCLE, fields(first_caller=W), Code.BID_OUT_OF_TURN, Severity.RULING
    ),
    "a call is missing": Case(
        BICYCLE, fields(auction=(3, None, PASS_CALL, PASS_CALL)), Code.BAD_CALL, Severity.RULING
    ),
    "a bid below the lowest": Case(
        house(BICYCLE, min_bid="3"),
        fields(auction=(1, PASS_CALL, PASS_CALL, PASS_CALL)),
        Code.BAD_CALL,
        Severity.RULING,
        seed=2,
    ),
    "a bid above the chips held": Case(
        BICYCLE,
        fields(auction=(51, PASS_CALL, PASS_CALL, PASS_CALL)),
        Code.OVER_STACK,
        Severity.ERROR,
    ),
    "an equal bid where each must be higher": Case(
        HOYLE_AUCTION,
        fields(auction=(4, 4, PASS_CALL, PASS_CALL)),
        Code.INSUFFICIENT_BID,
        Severity.RULING,
    ),
    "another player names": Case(BICYCLE, other_namer, Code.WRONG_NAMER, Severity.RULING),
    "no suit is named": Case(BICYCLE, fields(pain=None), Code.WRONG_NAMER, Severity.ERROR),
    "an auction in a jackpot hand": Case(
        BICYCLE,
        lambda record: record,
        Code.AUCTION_IN_JACKPOT,
        Severity.RULING,
        before=AFTER_A06,
    ),
    "a jackpot hand where none is carried": Case(
        BICYCLE, fields(jackpot=1), Code.AUCTION_IN_JACKPOT, Severity.RULING
    ),
    "insurance 7": Case(NO_FOOT, papers(E=Paper(7)), Code.BAD_PAPER, Severity.WARNING),
    "insurance 7 where the director decides": Case(
        house(NO_FOOT, bad_paper="ruling"), papers(E=Paper(7)), Code.BAD_PAPER, Severity.RULING
    ),
    "no paper": Case(NO_FOOT, papers(E=Paper(None)), Code.BAD_PAPER, Severity.WARNING),
    "a second foot": Case(
        INSURANCE,
        papers(E=Paper(3, foot=True)),
        Code.BAD_FOOT,
        Severity.WARNING,
        before=game(INSURANCE, 4, feet=frozenset({E})),
    ),
    "played on after a foot": Case(
        INSURANCE, papers(E=Paper(None, foot=True)), Code.BAD_FOOT, Severity.RULING
    ),
    "a foot that nobody called": Case(
        INSURANCE, fields(ending=Ending.FOOT), Code.BAD_FOOT, Severity.RULING
    ),
    "a centre bid below its start": Case(
        NO_FOOT, centre_bid_too_low, Code.BAD_BID, Severity.WARNING
    ),
    "the centre cards of two players exchanged": Case(
        NO_FOOT, centre_cards_exchanged, Code.CENTRE_ORDER, Severity.RULING
    ),
    "a card that was not held": Case(STANDARD, plays(exchanged), Code.NOT_HELD, Severity.ERROR),
    "a card played twice": Case(STANDARD, plays(twice_played), Code.PLAYED_TWICE, Severity.ERROR),
    "the end of the play is missing": Case(
        STANDARD, plays(cut_off), Code.TRICK_COUNT, Severity.ERROR
    ),
    "a gap in the play": Case(STANDARD, plays(a_gap), Code.TRICK_COUNT, Severity.WARNING),
    "a claim of nothing": Case(
        STANDARD, fields(claim=Claim(N, 13), ending=Ending.CLAIM), Code.BAD_CLAIM, Severity.RULING
    ),
    "a claim where none is allowed": Case(
        house(STANDARD, claims="off"), fields(claim=Claim(N, 13)), Code.BAD_CLAIM, Severity.RULING
    ),
    "the wrong opening leader": Case(
        HOYLE_HEARTS, other_columns, Code.WRONG_LEADER, Severity.RULING
    ),
    "a heart captured twice": Case(
        HOYLE_HEARTS,
        captured("H23456", "H789TJ", "HQK", "HA2"),
        Code.CAPTURE_COUNT,
        Severity.ERROR,
    ),
    "a heart that nobody captured": Case(
        HOYLE_HEARTS, captured("H23456", "H789TJ", "HQK", ""), Code.CAPTURE_COUNT, Severity.ERROR
    ),
    "the queen of spades missing": Case(
        STANDARD, captured("H23456", "H789TJ", "HQKA", ""), Code.CAPTURE_COUNT, Severity.ERROR
    ),
    "wrong points": Case(STANDARD, cell(0, Points=99), Code.POINTS, Severity.ERROR),
    "a total that does not follow": Case(
        STANDARD, cell(0, Total=99), Code.RUNNING_TOTAL, Severity.ERROR
    ),
    "a moon that was none": Case(STANDARD, cell(0, Moon=26), Code.MOON, Severity.ERROR),
    "insurance with the wrong sign": Case(
        NO_FOOT, cell(0, Insurance=-9), Code.INSURANCE_SIGN, Severity.ERROR
    ),
    "a pot that does not carry": Case(BICYCLE, pot_cell(before=5), Code.POT, Severity.ERROR),
    "a pot divided wrongly": Case(BICYCLE, pot_cell(won=3), Code.ODD_CHIP, Severity.ERROR),
    "chips from nowhere": Case(BICYCLE, cell(0, After=99), Code.CHIPS, Severity.ERROR),
    "a hand after the end": Case(
        BICYCLE,
        lambda record: record,
        Code.GAME_OVER,
        Severity.RULING,
        before=game(BICYCLE, 4, over=EndReason.BUST),
    ),
    "the wrong dealer": Case(
        BICYCLE,
        lambda record: record,
        Code.MISDEAL,
        Severity.WARNING,
        before=game(BICYCLE, 4, dealer=N),
    ),
    "five at a table of four": Case(
        BICYCLE,
        fields(seats=("NE", "SE", "S", "SW", "NW")),
        Code.PLAYERS,
        Severity.ERROR,
    ),
}


def test_the_irregularity_is_found(subtests: pytest.Subtests) -> None:
    for name, case in CASES.items():
        with subtests.test(name):
            result = judged(case)
            found = {(fault.code, fault.severity) for fault in result.faults}
            assert (case.code, case.severity) in found
            for fault in result.faults:
                assert fault.message
                assert fault.rule
                assert fault.code.words


def test_the_same_hand_without_it_is_in_order(subtests: pytest.Subtests) -> None:
    for name, case in CASES.items():
        with subtests.test(name):
            before, record = sound(case)
            assert judge_hand(case.rules, before, record).faults == ()


def test_what_cannot_be_settled_moves_no_chip(subtests: pytest.Subtests) -> None:
    for name, case in CASES.items():
        with subtests.test(name):
            result = judged(case)
            replayed = [fault.severity for fault in result.replay.faults]
            assert result.replay.settles == (Severity.ERROR not in replayed)
            if not result.replay.settles:
                assert result.settlement is None
                before, after = result.replay.before, result.after
                assert (after.chips, after.pot, after.totals) == (
                    before.chips,
                    before.pot,
                    before.totals,
                )
                assert after.hands == before.hands
            assert sum(result.after.chips) + result.after.pot == result.after.bought


# The faults of the play, card by card, on hands made for it.


def trick_by_trick(
    rules: Rules, holdings: dict[Seat, str], first: str, **more: object
) -> HandResult:
    """A hand of four of which only the first trick is written, in order of play."""
    deal = deal_of(rules, 4, holdings)
    record = HandRecord(
        seats=("N", "E", "S", "W"),
        dealer=N,
        deal=deal.holdings,
        play=tuple(card(name) for name in first.split()),
        ending=Ending.UNTERMINATED,
        **more,  # type: ignore[arg-type]
    )
    return judge_hand(rules, game(rules), record)


HOLD = house(STANDARD, passing="none")


def only_fault(result: HandResult) -> tuple[Code, Seat | None, int | None, str]:
    assert len(result.faults) == 1
    fault = result.faults[0]
    legal = " ".join(sorted(str(one) for one in members(fault.legal)))
    assert fault.index == result.replay.good
    return fault.code, fault.seat, fault.trick, legal


def names(text: str) -> str:
    return " ".join(sorted(str(one) for one in members(parse_cards(text))))


def test_a_revoke_says_what_should_have_been_played() -> None:
    held = {E: "C2 C9 D3 DK", S: "C4 C7 D2 S3", W: "CA", N: "C5"}
    result = trick_by_trick(HOLD, held, "C2 D2 CA C5")
    code, seat, trick, legal = only_fault(result)
    assert (code, seat, trick) == (Code.REVOKE, S, 1)
    clubs = [one for one in members(result.replay.dealt[S]) if SUIT_OF[one] is Suit.CLUBS]  # type: ignore[index]
    assert legal == " ".join(sorted(str(one) for one in clubs))


def test_a_heart_on_the_first_trick_is_forbidden_unless_there_is_nothing_else() -> None:
    hearts = "H23456789TJQKA"
    held = {E: "C2", S: hearts, W: "C5", N: "C6"}
    assert trick_by_trick(HOLD, held, "C2 H2 C5 C6").faults == ()
    with_a_spade = {E: "C2", S: "H23456789TJQK S2", W: "C5", N: "C6"}
    result = trick_by_trick(HOLD, with_a_spade, "C2 H2 C5 C6")
    assert only_fault(result) == (Code.FIRST_TRICK, S, 1, names("S2"))


def test_the_lowest_club_opens() -> None:
    result = trick_by_trick(HOLD, {E: "C2 C9", S: "C3", W: "C4", N: "C5"}, "C9 C3 C4 C5")
    code, seat, trick, legal = only_fault(result)
    assert (code, seat, trick, legal) == (Code.OPENING_CARD, E, 1, names("C2"))


def test_the_pain_suit_is_not_opened() -> None:
    auction = {"auction": (3, PASS_CALL, PASS_CALL, PASS_CALL), "namer": E, "pain": Suit.SPADES}
    held = {E: "S2 C2 C3 C4 C5 C6 C7 C8 C9 CT CJ CQ CK", S: "S3", W: "S4", N: "S5"}
    result = trick_by_trick(BICYCLE, held, "S2 S3 S4 S5", **auction)
    code, seat, trick, legal = only_fault(result)
    assert (code, seat, trick, legal) == (Code.PAIN_LED, E, 1, names("C23456789TJQK"))


def test_hearts_are_led_too_early_and_the_table_played_on() -> None:
    held = {E: "C2 H2 D3", S: "C3 H3", W: "C4 H4", N: "C5 CA H5 D2"}
    result = trick_by_trick(HOLD, held, "C2 C3 C4 CA H5 H2 H3 H4")
    fault = result.faults[0]
    assert (fault.code, fault.seat, fault.trick, fault.index) == (Code.PAIN_LED, N, 2, 4)
    assert not fault.legal & parse_cards("H5")
    assert len(result.replay.tricks) == 2


def test_a_lead_out_of_turn_that_all_have_played_to_stands() -> None:
    held = {E: "C2 D3", S: "C3 D4", W: "C4 D5", N: "C5 D6"}
    deal = deal_of(HOLD, 4, held)
    play = "C2 C3 C4 C5 D3 D4 D5 D6"
    record = HandRecord(
        seats=("N", "E", "S", "W"),
        dealer=N,
        deal=deal.holdings,
        columns=(E, S, W, N),
        play=tuple(card(name) for name in play.split()),
        marks={4: "L"},
        ending=Ending.UNTERMINATED,
    )
    result = judge_hand(HOLD, game(HOLD), record)
    assert [(fault.code, fault.seat) for fault in result.faults] == [(Code.OUT_OF_TURN, E)]
    assert [trick.leader for trick in result.replay.tricks] == [E, E]


def test_a_revoke_is_established_once_the_next_trick_was_played_to() -> None:
    held = {E: "C2 C9 D3 DK", S: "C4 C7 D2 S3", W: "C5", N: "CA CK"}
    early = trick_by_trick(HOLD, held, "C2 D2 C5 CA")
    late = trick_by_trick(HOLD, held, "C2 D2 C5 CA CK C9 C4 S9")
    assert [fault.established for fault in early.faults if fault.code is Code.REVOKE] == [False]
    assert [fault.established for fault in late.faults if fault.code is Code.REVOKE] == [True]


def test_every_irregularity_of_play_and_table_has_its_case() -> None:
    elsewhere = {
        Code.REVOKE,
        Code.OPENING_CARD,
        Code.PAIN_LED,
        Code.FIRST_TRICK,
        Code.OUT_OF_TURN,
        Code.REVOKE_CORRECTED,  # marks of a scorer: tests/engine/test_every_fault.py
        Code.EXPOSED_CARD,
        Code.HANDS_EXCHANGED,  # repairs: tests/engine/repairs/test_repairs.py
        Code.TRICKS_EXCHANGED,
        Code.REBUY,  # decisions of the table: tests/engine/games/test_rebuys.py
        Code.RULES,  # of texts: tests/engine/notation
        Code.SETTLEMENT,  # of whole games: test_games.py
    }
    assert {case.code for case in CASES.values()} | elsewhere == set(Code)


def test_a_stripped_pack_is_the_same_for_the_deal_and_the_play() -> None:
    case = CASES["a card that is not in the pack of five"]
    before, record = sound(case)
    assert before.players == 5
    assert record.deal is not None
    assert not sum(record.deal) & parse_cards("C2 D2")
    assert SAHARA.stripped(5) == parse_cards("C2 D2")


def test_a_record_of_a_void_hand_changes_nothing() -> None:
    before, record = sound(CASES["twelve cards"])
    result = judge_hand(BICYCLE, before, replace(record, ending=Ending.REDEAL))
    assert result.facts.status is Status.VOID_REDEAL
    assert result.after == before
