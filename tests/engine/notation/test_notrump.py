"""Hands as contracts of 1NT: a bridge program, which is not ours, replays every one of them."""

from dataclasses import replace
from pathlib import Path

import pytest
from endplay.parsers import pbn
from endplay.types import Board
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.cards import NAMES, Card
from engine.core.seats import Seat
from engine.live.hand import Hand
from engine.notation import PbnFile, read, read_json, write, write_json, write_pbn
from engine.record.facts import Status
from engine.record.record import Claim, Ending, HandRecord
from engine.rules.presets import PRESETS
from tests.engine.table import playouts, record_of, seeded
from tests.examples import examples

FOURS = [name for name, rules in PRESETS.items() if rules.players.least <= 4 <= rules.players.most]
SAMPLES = Path(__file__).parent / "samples"
INSURANCE = (SAMPLES / "4-insurance-centre-full.phn").read_text()
SEATS = ("N", "E", "S", "W")
seeds = st.integers(0, 10**9)


def boards(exported: PbnFile) -> list[Board]:
    found: list[Board] = pbn.loads(exported.data.decode("latin-1"))
    return found


def replayed(board: Board) -> list[str]:
    """The cards in order of play; each is played from a hand that holds it."""
    table = board.deal.copy()
    for card in board.play:
        table.play(card)
    return [f"{card.suit.name[0].upper()}{card.rank.abbr}" for card in board.play]


def in_order(hand: Hand) -> list[str]:
    tricks = [card for trick in hand.tricks for card in trick.cards]
    return [NAMES[card] for card in (*tricks, *hand.trick)]


@pytest.mark.parametrize(
    ("file", "seats"),
    [("2-hoyle-hearts-5p-play", "NE SE S SW NW"), ("5-sahara-3p-claim-ruling", "E S W")],
)
def test_a_table_that_is_no_table_of_four_stays_as_it_is(file: str, seats: str) -> None:
    text = (SAMPLES / f"{file}.phn").read_text()
    seats_tag = f'[Seats "{seats}"]\n'
    assert seats_tag in text
    exported = write_pbn(read(text.replace(seats_tag, "")), as_notrump=True)
    assert b"1NT" not in exported.data
    assert "no contract of 1NT is made" in exported.diagnostics[0].message


def dressed(record: HandRecord) -> tuple[Board, PbnFile]:
    exported = write_pbn([record], as_notrump=True)
    (board,) = boards(exported)
    return board, exported


def cut(hand: Hand, cards: int, *, by_turn: bool = False) -> HandRecord:
    """The record of a hand of which only so many cards are written."""
    record = record_of(hand, in_order=by_turn)
    shown: set[Card] = set()
    for trick in hand.tricks:
        shown |= set(trick.cards[: max(cards - len(shown), 0)])
    tricks = -(-cards // 4)
    play = tuple(card if card in shown else None for card in (record.play or ())[: 4 * tricks])
    return replace(record, ending=Ending.UNTERMINATED, play=play)


@pytest.mark.parametrize("name", FOURS)
@pytest.mark.parametrize("by_turn", [False, True], ids=["by seat", "in order of play"])
@settings(max_examples=examples(8, 1))
@given(seed=seeds)
def test_a_bridge_program_replays_whole_games(name: str, by_turn: bool, seed: int) -> None:
    hands = playouts(PRESETS[name], 4, seeded(seed))
    records = [record_of(hand, in_order=by_turn) for hand in hands]
    found = boards(write_pbn(records, as_notrump=True))
    for number, (hand, board) in enumerate(zip(hands, found, strict=True), 1):
        assert replayed(board) == in_order(hand)
        assert board.board_num == number
        assert not board.claimed
        if hand.status is Status.PLAYED:
            assert board.contract is not None
            leader = hand.tricks[0].leader
            declarer = SEATS[(leader - 1) % 4]
            assert board.contract is not None
            assert board.contract.declarer.abbr == declarer
            won = [
                SEATS[trick.winner] in (declarer, SEATS[(leader + 1) % 4]) for trick in hand.tricks
            ]
            assert board.contract.result == sum(won) - 7
            assert all(len(holding) == 13 for _, holding in board.deal)


def test_a_jackpot_hand_is_among_them() -> None:
    hands = [hand for seed in range(5) for hand in playouts(PRESETS["bicycle"], 4, seeded(seed))]
    jackpots = [hand for hand in hands if hand.before.jackpot]
    assert len(jackpots) > 2
    for hand in jackpots:
        board, exported = dressed(record_of(hand))
        assert replayed(board) == in_order(hand)
        assert b"[Jackpot " in exported.data


@given(seeds, st.sampled_from(FOURS), st.integers(1, 51), st.booleans())
@settings(max_examples=examples(60))
def test_an_unfinished_play_is_replayed_as_far_as_it_goes(
    seed: int, name: str, cards: int, by_turn: bool
) -> None:
    for hand in played_hands(seed, name):
        board, exported = dressed(cut(hand, cards, by_turn=by_turn))
        assert replayed(board) == in_order(hand)[:cards]
        assert board.claimed
        assert b'[Result "?"]' in exported.data
        assert not exported.diagnostics


@given(seeds, st.sampled_from(FOURS), st.integers(0, 12), st.integers(0, 3))
@settings(max_examples=examples(60))
def test_a_claim_ends_the_section_and_counts_in_the_result(
    seed: int, name: str, tricks: int, seat: int
) -> None:
    for hand in played_hands(seed, name):
        claim = Claim(Seat(seat), tricks)
        record = replace(cut(hand, 4 * tricks), ending=Ending.CLAIM, claim=claim)
        board, _ = dressed(replace(record, play=record.play or None))
        assert replayed(board) == in_order(hand)[: 4 * tricks]
        assert board.claimed
        assert board.contract is not None
        leader = hand.tricks[0].leader
        side = ((leader - 1) % 4, (leader + 1) % 4)
        won = sum(trick.winner in side for trick in hand.tricks[:tricks])
        assert board.contract is not None
        assert board.contract.result == won + (13 - tricks) * (seat in side) - 7


def played_hands(seed: int, name: str) -> list[Hand]:
    hands = playouts(PRESETS[name], 4, seeded(seed), hands=2)
    return [hand for hand in hands if hand.status is Status.PLAYED]


@given(seeds, st.sampled_from(FOURS))
@settings(max_examples=examples(30))
def test_a_play_without_its_deal_tells_the_hands(seed: int, name: str) -> None:
    for hand in played_hands(seed, name):
        record = replace(record_of(hand), deal=None, exchange=None, bids=None)
        board, _ = dressed(record)
        assert replayed(board) == in_order(hand)


def test_what_the_hand_had_in_these_places_is_kept_in_private_tags() -> None:
    (entry,) = read(INSURANCE)
    text = write_pbn([entry], as_notrump=True).data.decode().replace("\r\n", "\n")
    document = next(read(text)).document
    assert document.value("X_Deal") == entry.document.value("Deal")
    assert document.value("Deal") != entry.document.value("Deal")
    for name in ("PassTable", "CentreTable", "PlayTable", "ScoreTable"):
        assert document.tag(name) == entry.document.tag(name)


def test_records_from_json_and_of_the_quick_way_are_dressed_alike() -> None:
    (entry,) = read(INSURANCE)
    (document,) = read_json(write_json([entry]))
    exported = {write_pbn([item], as_notrump=True).data for item in (entry, document)}
    exported |= {write_pbn(read(write([entry]) + "\n"), as_notrump=True).data}
    assert len(exported) == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n[PlayTable", "\n[X_Table"),
        ('[Seats "N E S W"]', '[Seats "NE SE SW NW"]'),
    ],
)
def test_what_cannot_be_dressed_is_reported_and_costs_no_neighbour(old: str, new: str) -> None:
    assert old in INSURANCE
    other = INSURANCE.replace(old, new).replace("% PHN 1.0\n", "")
    exported = write_pbn(read(INSURANCE + "\n" + other), as_notrump=True)
    assert [one.rule for one in exported.diagnostics] == ["W93"]
    assert replayed(boards(exported)[0])


def test_a_play_that_does_not_fit_the_hands_is_reported() -> None:
    (entry,) = read(INSURANCE)
    play = list(entry.required_record.play or ())
    play[0], play[-1] = play[-1], None
    board, exported = dressed(replace(entry.required_record, play=tuple(play)))
    assert [one.rule for one in exported.diagnostics] == ["W93"]
    assert not board.play


def test_a_card_missing_in_the_middle_ends_the_section() -> None:
    (entry,) = read(INSURANCE)
    play = list(entry.required_record.play or ())
    play[9] = play[13] = None
    board, exported = dressed(replace(entry.required_record, play=tuple(play)))
    assert [one.rule for one in exported.diagnostics] == ["W93"]
    assert "ends at the first card" in exported.diagnostics[0].message
    assert 8 <= len(replayed(board)) < 12
