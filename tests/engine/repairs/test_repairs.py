"""One slip of the pen is one finding, which says what is to be written instead."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.hands import TABLES as TABLES_WITH_TEXTS
from engine.core.cards import BIT, FOLLOWING, Card, CardSet, Suit, card_set, members
from engine.core.faults import Code
from engine.core.seats import Seat
from engine.games.game import HandResult, judge_hand
from engine.live.hand import Hand
from engine.record.record import HandRecord
from engine.replay.play import (
    legal_follows,
    legal_leads,
    restrictions,
    winning_place,
)
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules
from engine.settlement.settlement import settle_sound
from engine.settlement.tables import pot_row, score_rows
from engine.verdicts.judge import SEARCHES_MAX, judge
from engine.verdicts.repairs import REPLAYS_MAX, Repair, find_repair
from engine.verdicts.repairs.candidates import SERIOUS
from tests.engine.games.test_game_order import a_game, a_game_with_a_jackpot, replaced
from tests.engine.table import playouts, record_of, seeded
from tests.examples import examples

TABLES = [
    pytest.param(rules, players, id=f"{name}-{players}")
    for name, rules in PRESETS.items()
    for players in range(rules.players.least, rules.players.most + 1)
]
at_every_table = pytest.mark.parametrize(("rules", "players"), TABLES)
seeds = st.integers(0, 2**32 - 1)
a_few = settings(max_examples=examples(3, 1), deadline=None)


def full_record(hand: Hand) -> HandRecord:
    """The record of a hand with everything that can be written, scores and pot included."""
    record, done = record_of(hand), hand.settle()
    pot = pot_row(done) if hand.rules.settlement == "pot" else None
    return replace(record, scores=score_rows(hand.rules, done), pot=pot)


def played_hands(rules: Rules, players: int, dice: Random) -> Iterator[Hand]:
    """Hands of a game that were played to their end."""
    for hand in playouts(rules, players, dice, 2):
        whole = len(hand.tricks) == rules.tricks(players)
        if hand.status.settles and whole and hand.settle().after.over is None:
            yield hand


def serious(result: HandResult) -> list[Code]:
    return [fault.code for fault in result.faults if fault.severity in SERIOUS]


# The slips. Each takes a sound record and makes a slip of it; None where it cannot happen.

Slip = Callable[[HandRecord, Random], HandRecord | None]


def forgotten_trick(record: HandRecord, dice: Random) -> HandRecord | None:
    play, players = record.play or (), record.players
    base = dice.randrange(len(play) // players) * players
    return replace(record, play=play[:base] + play[base + players :])


def exchanged_tricks(record: HandRecord, dice: Random) -> HandRecord | None:
    play, players = record.play or (), record.players
    rows = [play[base : base + players] for base in range(0, len(play), players)]
    one, two = dice.sample(range(len(rows)), 2)
    rows[one], rows[two] = rows[two], rows[one]
    return replace(record, play=tuple(card for row in rows for card in row))


def misread_card(record: HandRecord, dice: Random) -> HandRecord | None:
    """Any other card stands where one was played: one of the pack, so it stands twice."""
    play = record.play or ()
    place = dice.randrange(len(play))
    other = dice.choice([card for card in play if card != play[place]])
    return replace(record, play=(*play[:place], other, *play[place + 1 :]))


def exchanged_hands(record: HandRecord, dice: Random) -> HandRecord | None:
    deal = list(record.deal or ())
    one, two = dice.sample(range(record.players), 2)
    deal[one], deal[two] = deal[two], deal[one]
    return replace(record, deal=tuple(deal))


def misread_deal(record: HandRecord, dice: Random) -> HandRecord | None:
    deal = list(record.deal or ())
    seat, giver = dice.sample(range(record.players), 2)
    old = dice.choice(list(members(deal[seat])))
    new = dice.choice(list(members(deal[giver])))
    deal[seat] = CardSet(deal[seat] & ~BIT[old] | BIT[new])
    return replace(record, deal=tuple(deal))


def misread_pass(record: HandRecord, dice: Random) -> HandRecord | None:
    if not record.exchange or record.deal is None:
        return None
    passes = list(record.exchange)
    row = dice.randrange(len(passes))
    old = dice.choice(list(members(passes[row].cards)))
    new = dice.choice([card for card in range(52) if not BIT[Card(card)] & passes[row].cards])
    cards = CardSet(passes[row].cards & ~BIT[old] | BIT[Card(new)])
    passes[row] = replace(passes[row], cards=cards)
    return replace(record, exchange=tuple(passes))


def misread_centre(record: HandRecord, dice: Random) -> HandRecord | None:
    if not record.centre:
        return None
    old = dice.choice(list(members(record.centre)))
    new = dice.choice([card for card in range(52) if not BIT[Card(card)] & record.centre])
    return replace(record, centre=CardSet(record.centre & ~BIT[old] | BIT[Card(new)]))


def wrong_suit(record: HandRecord, dice: Random) -> HandRecord | None:
    if record.pain is None:
        return None
    return replace(record, pain=dice.choice([suit for suit in Suit if suit is not record.pain]))


def wrong_declarer(record: HandRecord, dice: Random) -> HandRecord | None:
    if record.namer is None:
        return None
    others = [seat for seat in range(record.players) if seat != record.namer]
    return replace(record, namer=Seat(dice.choice(others)))


def wrong_dealer(record: HandRecord, dice: Random) -> HandRecord | None:
    others = [seat for seat in range(record.players) if seat != record.dealer]
    return replace(record, dealer=Seat(dice.choice(others)))


def wrong_leader(record: HandRecord, dice: Random) -> HandRecord | None:
    """The columns begin with another seat, each card under its own."""
    players, columns, play = record.players, record.columns or (), record.play or ()
    turn = dice.randrange(1, players)
    order = [*range(turn, players), *range(turn)]
    cards = [play[base + at] for base in range(0, len(play), players) for at in order]
    return replace(record, columns=tuple(columns[at] for at in order), play=tuple(cards))


def rotated_calls(record: HandRecord, dice: Random) -> HandRecord | None:
    calls = record.auction
    if not calls or len(set(calls)) == 1:
        return None
    turn = dice.randrange(1, record.players)
    return replace(record, auction=(*calls[turn:], *calls[:turn]))


SLIPS: list[Slip] = [
    forgotten_trick,
    exchanged_tricks,
    misread_card,
    exchanged_hands,
    misread_deal,
    misread_pass,
    misread_centre,
    wrong_suit,
    wrong_declarer,
    wrong_dealer,
    wrong_leader,
    rotated_calls,
]


# What really went wrong at the table is no slip of the pen.


def play_on(hand: Hand, revokes: int, dice: Random) -> HandRecord | None:
    """The record of the same hand played with some revokes; None where nobody can revoke."""
    record, rules, players = record_of(hand), hand.rules, hand.players
    held = [CardSet(sum(BIT[card] for card in own)) for own in _own_cards(hand)]
    assert hand.pain is not None
    limits, leader, broken = restrictions(rules, hand.pain, players), hand.tricks[0].leader, False
    rows: list[Card] = []
    chosen = dice.sample(range(1, rules.tricks(players) - 1), revokes)
    for trick in range(rules.tricks(players)):
        cards: list[Card] = []
        revoked = trick not in chosen
        for turn in range(players):
            seat = (leader + turn) % players
            if turn == 0:
                legal = legal_leads(held[seat], limits, first=trick == 0, broken=broken)
            else:
                legal = legal_follows(held[seat], cards[0], limits, first=trick == 0)
                others = CardSet(held[seat] & ~FOLLOWING[cards[0]])
                if not revoked and held[seat] & FOLLOWING[cards[0]] and others:
                    legal, revoked = others, True
            cards.append(dice.choice(list(members(legal))))
            held[seat] = CardSet(held[seat] & ~BIT[cards[-1]])
        if not revoked:
            return None
        first = record.columns[0] if record.columns else Seat(0)
        turned = (first - leader) % players
        rows += [*cards[turned:], *cards[:turned]]
        leader = Seat((leader + winning_place(tuple(cards))) % players)
        broken = broken or bool(card_set(cards) & limits.breakers)
    return replace(record, play=tuple(rows))


def _own_cards(hand: Hand) -> list[list[Card]]:
    """The cards that each seat played."""
    own: list[list[Card]] = [[] for _ in range(hand.players)]
    for trick in hand.tricks:
        for turn, card in enumerate(trick.cards):
            own[(trick.leader + turn) % hand.players].append(card)
    return own


def with_scores(record: HandRecord, rules: Rules, hand: Hand) -> HandRecord:
    """The record with the scores to which its play comes."""
    result = judge_hand(rules, hand.before, record)
    assert result.settlement is not None
    pot = pot_row(result.settlement) if rules.settlement == "pot" else None
    return replace(record, scores=score_rows(rules, result.settlement), pot=pot)


def repaired(rules: Rules, hand: Hand, bad: HandRecord) -> tuple[list[Code], Repair | None]:
    """The serious findings of a record as it is written, and the repair of it."""
    result = judge_hand(rules, hand.before, bad)
    return serious(result), find_repair(result, hand.before)


def is_plain(slip: Slip, codes: list[Code]) -> bool:
    """Whether a slip may be reported as it looks: few findings, which several slips explain."""
    if slip is exchanged_tricks and len(codes) > 2:
        legal = not any(code.value.startswith("P") for code in codes)
        few = {Code.REVOKE, Code.PAIN_LED, Code.FIRST_TRICK, Code.OPENING_CARD}
        return legal or set(codes) <= few
    return len(codes) <= 2


@at_every_table
@settings(max_examples=examples(2, 1), deadline=None)
@given(seed=seeds)
def test_a_slip_is_one_finding_and_its_repair_makes_the_record_legal(
    rules: Rules, players: int, seed: int
) -> None:
    dice = seeded(seed)
    for hand in played_hands(rules, players, dice):
        for slip in SLIPS:
            bad = slip(full_record(hand), dice)
            codes, repair = ([], None) if bad is None else repaired(rules, hand, bad)
            if repair is None:
                assert not codes or is_plain(slip, codes), slip
                continue
            again = judge_hand(rules, hand.before, repair.record)
            assert repair.finding.hint
            assert not serious(again), slip
            assert not [fault for fault in repair.remaining if fault.severity in SERIOUS]


@at_every_table
@a_few
@given(seed=seeds)
def test_a_sound_record_has_no_repair(rules: Rules, players: int, seed: int) -> None:
    for hand in played_hands(rules, players, seeded(seed)):
        assert repaired(rules, hand, full_record(hand)) == ([], None)


@at_every_table
@a_few
@given(seed=seeds, revokes=st.integers(1, 3))
def test_a_revoke_stays_a_revoke(rules: Rules, players: int, seed: int, revokes: int) -> None:
    dice = seeded(seed)
    for hand in played_hands(rules, players, dice):
        record = play_on(hand, revokes, dice)
        if record is not None:
            codes, repair = repaired(rules, hand, with_scores(record, rules, hand))
            assert Code.REVOKE in codes
            assert repair is None


@at_every_table
@a_few
@given(seed=seeds)
def test_a_revoke_is_shown_beside_the_repair_of_a_slip(
    rules: Rules, players: int, seed: int
) -> None:
    """What a repair does not explain stays: here a wrong pass, suit or deal beside a revoke."""
    dice = seeded(seed)
    for hand in played_hands(rules, players, dice):
        record = play_on(hand, 1, dice)
        if record is None:
            continue
        sound = with_scores(record, rules, hand)
        for slip in (exchanged_hands, misread_deal, wrong_suit):
            bad = slip(sound, dice)
            codes, repair = ([], None) if bad is None else repaired(rules, hand, bad)
            if repair is not None:
                assert codes
                assert Code.REVOKE in {fault.code for fault in repair.remaining}


@at_every_table
@settings(max_examples=examples(5, 2), deadline=None)
@given(seed=seeds)
def test_counts_that_are_mixed_up_never_make_true_tricks_false(
    rules: Rules, players: int, seed: int
) -> None:
    dice = seeded(seed)
    for hand in played_hands(rules, players, dice):
        record, facts = full_record(hand), judge_hand(rules, hand.before, record_of(hand)).facts
        taken = list(facts.taken)
        giver = dice.choice([seat for seat, cards in enumerate(taken) if cards])
        taken[giver] -= 1
        taken[dice.choice([seat for seat in range(players) if seat != giver])] += 1
        wrong = settle_sound(rules, hand.before, replace(facts, taken=tuple(taken)))
        pot = None if record.pot is None else pot_row(wrong)
        bad = replace(record, scores=score_rows(rules, wrong), pot=pot)
        _, repair = repaired(rules, hand, bad)
        assert repair is None or repair.record.play == record.play


@at_every_table
@a_few
@given(seed=seeds)
def test_two_slips_are_never_one(rules: Rules, players: int, seed: int) -> None:
    """Two independent slips are at least two findings, whatever repair is proposed."""
    dice = seeded(seed)
    kinds = (misread_card, misread_deal, misread_pass, wrong_suit, exchanged_hands, forgotten_trick)
    for hand in played_hands(rules, players, dice):
        first, second = dice.sample(kinds, 2)
        once = first(full_record(hand), dice)
        twice = None if once is None else second(once, dice)
        if once is None or twice is None:
            continue
        codes, repair = repaired(rules, hand, twice)
        if repair is not None and repair.record not in (once, full_record(hand)):
            left = [fault for fault in repair.remaining if fault.severity in SERIOUS]
            assert left or not codes


def test_a_repair_takes_a_bounded_number_of_replays(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = []

    def judge_counted(*arguments: object) -> HandResult:
        counted.append(arguments)
        return judge_hand(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr("engine.verdicts.repairs.search.judge_hand", judge_counted)
    rules = PRESETS["insurance"]
    dice = seeded(5)
    for hand in played_hands(rules, 4, dice):
        record = full_record(hand)
        play = list(record.play or ())
        dice.shuffle(play)
        counted.clear()
        find_repair(judge_hand(rules, hand.before, replace(record, play=tuple(play))), hand.before)
        assert len(counted) <= REPLAYS_MAX
        long = replace(record, play=(*play, *play))
        counted.clear()
        assert find_repair(judge_hand(rules, hand.before, long), hand.before) is None
        assert not counted


# In texts: what people see.

EXAMPLES = Path(__file__).parents[3] / "scoring" / "web" / "examples"
BICYCLE = (EXAMPLES / "1-bicycle-auction-full.phn").read_text(encoding="utf-8")
HOYLE = (EXAMPLES / "2-hoyle-hearts-5p-play.phn").read_text(encoding="utf-8")
INSURANCE = (EXAMPLES / "4-insurance-centre-full.phn").read_text(encoding="utf-8")


def errors(text: str) -> list[tuple[str, int, str, str]]:
    """The serious findings of the one record of a text: code, line, message and hint."""
    (judged,) = judge(text).records
    assert not judged.ok
    return [
        (one.diagnostic.rule, one.diagnostic.line, one.diagnostic.message, one.diagnostic.hint)
        for one in judged.findings
        if one.diagnostic.severity in SERIOUS
    ]


UNPAID = """[PotTable "Before;Bid;Paid;Won;After"]
0 0 13 13 0
[ScoreTable "Seat;Pain;Before;Bid;Paid;Won;After"]
N 7 50 0 7 0 43
E 0 41 0 0 13 54
S 5 59 0 5 0 54
W 1 50 0 1 0 49
"""
SAHARA = """% PHN 1.0
[Board "1"]
[Dealer "N"]
[Detail "score"]
[Seats "N E S W"]
[Termination "normal"]
[Variant "sahara"]
[ScoreTable "Seat;Hearts;Queen;Points;Total"]
{}
"""
IN_TEXTS = {
    "a forgotten trick": (
        BICYCLE.replace("CJ C5 CA C4\n", ""),
        (
            "P57",
            27,
            "one trick is not written; nobody played CAJ54",
            "write CJ C5 CA C4 as trick 1; this is one of 3 possible repairs",
        ),
    ),
    "two hands": (
        BICYCLE.replace("A9.973.76.Q98743 K32.A6.J9843.JT2", "K32.A6.J9843.JT2 A9.973.76.Q98743"),
        (
            "D37",
            12,
            "the hands of E and S stand in each other's place",
            "write the hand of E for S, and that of S for E",
        ),
    ),
    "a wrong suit": (
        BICYCLE.replace('[PainSuit "H"]', '[PainSuit "C"]'),
        ("A44", 18, "the pain suit is hearts, not clubs", "write H in the tag PainSuit"),
    ),
    "rotated calls": (
        BICYCLE.replace("2 Pass 4 3", "3 2 Pass 4"),
        ("A40", 25, "the calls stand under the wrong seats", "write the calls as 2 Pass 4 3"),
    ),
    "a card twice": (
        BICYCLE.replace("S3 S7 S8 S9", "S3 S7 S8 CA"),
        ("P56", 28, "E: S9 was played to trick 2, not CA", "write S9 instead of CA"),
    ),
    "a card twice of one seat": (
        BICYCLE.replace("S3 S7 S8 S9", "S3 S7 S8 SA"),
        (
            "P56",
            28,
            "E: SA was played in trick 1 too",
            "E still holds S9; write what was really played",
        ),
    ),
    "a passed card that was not held": (
        INSURANCE.replace("S W SQHQT", "S W SQHQ9"),
        ("D35", 31, "S: HT was passed, not H9", "write HT instead of H9"),
    ),
    "a centre card": (
        INSURANCE.replace('"SAHAKDA"', '"SAHAKD2"'),
        (
            "D30",
            17,
            "DA lay in the centre, not D2",
            "write DA instead of D2",
        ),
    ),
    "a card twice in a holding": (
        BICYCLE.replace("AK.K65 ", "AK.K66 "),
        (
            "D32",
            12,
            "C6 is written twice in 'CK66'; C5 was dealt to W too",
            "write C5 for one of the two",
        ),
    ),
    "a bid that was not paid": (
        BICYCLE[: BICYCLE.index("[PotTable")] + UNPAID,
        (
            "C64",
            45,
            "S: the bid of 4 was not paid into the pot",
            "pay the bid, and count the pot and the chips again",
        ),
    ),
    "columns exchanged": (
        BICYCLE.replace("Bid;Paid;Won;After", "Won;Paid;Bid;After").replace(
            '[PotTable "Before;Won;Paid;Bid;After"]', '[PotTable "Before;Bid;Paid;Won;After"]'
        ),
        (
            "C61",
            42,
            "the columns Won and Bid stand in each other's place",
            "exchange the names of the two columns, or their numbers",
        ),
    ),
    "cells of the pot exchanged": (
        BICYCLE.replace("0 4 13 17 0", "0 13 4 17 0"),
        (
            "C61",
            41,
            "the columns Bid and Paid stand in each other's place",
            "exchange the names of the two columns, or their numbers",
        ),
    ),
    "the queen in another row": (
        SAHARA.format("N 5 0 18 18\nE 3 13 3 3\nS 5 0 5 5\nW 0 0 0 0"),
        (
            "C60",
            10,
            "the queen stands in the row of E; N took her",
            "write 13 in the row of N",
        ),
    ),
    "a moon that was not scored": (
        SAHARA.format("N 13 13 26 26\nE 0 0 0 0\nS 0 0 0 0\nW 0 0 0 0"),
        (
            "C62",
            9,
            "N took everything, and the points are not those of this house rule",
            "see the house rule for taking all the points, and write all points anew",
        ),
    ),
    "a moon by another rule": (
        SAHARA.format("N 13 13 -26 0\nE 0 0 0 26\nS 0 0 0 26\nW 0 0 0 26"),
        (
            "C62",
            9,
            "N took everything, and the points are not those of this house rule",
            "see the house rule for taking all the points, and write all points anew",
        ),
    ),
    "O for East": (
        BICYCLE.replace('[Dealer "W"]', '[Dealer "O"]'),
        ("T22", 10, "Dealer: 'O' is not a seat", "O is no seat; East is E"),
    ),
    "O for zero": (
        BICYCLE.replace("S 5 59 4 5 0 50", "S 5 59 4 5 O 50"),
        (
            "T28",
            45,
            "ScoreTable: 'O' is not a whole number",
            "write 0, with the digit 0",
        ),
    ),
    "a forgotten trick without a deal": (
        HOYLE.replace("D6 DJ D5 D3 D8\n", ""),
        (
            "P57",
            29,
            "one trick is not written; nobody played DJ8653",
            "these cards fit as trick 1; this is one of 5 possible repairs",
        ),
    ),
}


@pytest.mark.parametrize("name", IN_TEXTS)
def test_a_slip_in_a_text_is_one_finding(name: str) -> None:
    text, finding = IN_TEXTS[name]
    assert errors(text) == [finding]


def test_a_forgotten_jackpot_is_said_first_and_its_pot_is_forgotten_with_it() -> None:
    texts, _ = a_game_with_a_jackpot()
    other, _ = a_game(TABLES_WITH_TEXTS[0], 7, 1)
    records = judge(
        "% PHN 1.0\n" + "\n".join([*texts[:3], replaced(other[0], "Board", lambda _: "4")])
    )
    found = [one.diagnostic.message for one in records.records[3].findings]
    assert found[0] == "this is a jackpot hand; there is no bidding"
    assert not [words for words in found if "in the pot" in words]


def test_a_wrong_number_stays_beside_the_repair() -> None:
    text = BICYCLE.replace('[PainSuit "H"]', '[PainSuit "C"]').replace(
        "N 7 50 0 7 0 43", "N 6 50 0 7 0 43"
    )
    assert [found[0] for found in errors(text)] == ["A44", "C60"]


def test_the_hint_about_a_pot_is_about_this_hand() -> None:
    """Nobody is told of two clean players where only one was clean."""
    ((_, _, _, hint),) = errors(BICYCLE.replace("0 4 13 17 0", "0 4 13 16 0"))
    assert hint == "E wins all that is in the pot"


def test_the_search_of_a_text_is_bounded() -> None:
    wrong = BICYCLE.replace('[PainSuit "H"]', '[PainSuit "C"]').removeprefix("% PHN 1.0\n")
    texts = (wrong.replace("round 3", f"round {number}") for number in range(SEARCHES_MAX + 2))
    judged = judge("\n".join(texts)).records
    assert judged[0].repair is not None
    assert judged[SEARCHES_MAX + 1].repair is None
    assert len(judged[SEARCHES_MAX + 1].findings) > 2


def test_a_hand_with_too_few_players_for_its_rules_is_not_searched() -> None:
    text = BICYCLE.replace('"auction-bicycle"', '"insurance"').replace('"N E S W"', '"N E S"')
    text = text.replace(
        "[PlayTable", '[Pass "across"]\n[PassTable "From;To;Cards"]\nN E S2S3S4\n[PlayTable'
    )
    (judged,) = judge(text).records
    assert "T23" in [one.diagnostic.rule for one in judged.findings]
    assert judged.repair is None


def test_of_the_tricks_that_may_be_exchanged_neighbours_come_first() -> None:
    (text, *_), _ = a_game(TABLES_WITH_TEXTS[0], 3, 1)
    one, two = "D9 DA C3 CJ\n", "H6 HA D3 SJ\n"
    assert one + two in text
    (error,) = errors(text.replace(one + two, two + one))
    assert error[2:] == (
        "tricks 12 and 13 stand in each other's place",
        "write the row of trick 13 as trick 12, and that of 12 as 13; "
        "this is one of 2 possible repairs",
    )
