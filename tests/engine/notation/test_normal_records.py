"""A record in hand and the record that is read from its writing are one and the same."""

from dataclasses import replace
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.seats import Seat
from engine.live.hand import Hand
from engine.live.scorer import record_hand
from engine.notation import read, write
from engine.notation.writer import build_entry
from engine.record.record import PASS_CALL, Claim, Ending, HandRecord, TotalRow
from engine.rules.presets import PRESETS
from tests.engine.notation.texts import SAMPLES, mutated_samples, read_slowly, records
from tests.engine.table import playouts, record_of
from tests.examples import examples

patient = settings(deadline=None)


def assert_is_read_back(record: HandRecord) -> None:
    """Writing and reading give an equal record, the entry of which is known without reading."""
    text = write([record])
    (quickly,), (slowly,) = read(text), read_slowly(text)
    assert quickly.record == slowly.record == record
    built = build_entry(record)
    for entry in (quickly, slowly):
        assert built.text == entry.text
        assert (built.line, built.number) == (entry.line, entry.number)
        assert built.diagnostics == entry.diagnostics
        assert built.document == entry.document
        assert built.content == entry.content
        assert write([built]) == write([entry]) == text


@patient
@given(records(), st.data())
def test_any_record(record: HandRecord, data: st.DataObject) -> None:
    """Of all presets, with any parts left out, as repairs and unfinished hands leave them out."""
    draw = data.draw
    cut = draw(st.integers(0, len(record.play or ())))
    calls = draw(st.none() | st.lists(st.none() | st.integers(PASS_CALL, 60), max_size=9))
    assert_is_read_back(
        replace(
            record,
            rules=draw(st.sampled_from([record.rules, None])),
            dealer=draw(st.sampled_from([record.dealer, None])),
            namer=draw(st.sampled_from([record.namer, None])),
            pain=draw(st.sampled_from([record.pain, None])),
            deal=draw(st.sampled_from([record.deal, None])),
            ending=draw(st.none() | st.sampled_from(Ending)),
            columns=draw(st.sampled_from([record.columns, None])),
            play=None if record.play is None else draw(st.sampled_from([None, record.play[:cut]])),
            auction=None if calls is None else tuple(calls),
            first_caller=draw(st.sampled_from([Seat(0), Seat(1), None])),
            claim=draw(st.sampled_from([None, Claim(Seat(0), 0), Claim(Seat(1), 9)])),
            scores=draw(st.sampled_from([record.scores, None, ()])),
            names=draw(st.sampled_from([record.names, ("",) * record.players])),
            jackpot=draw(st.sampled_from([record.jackpot, 0])),
            totals=draw(st.sampled_from([None, (), (TotalRow(Seat(0), "1", "A, B", -3, "5"),)])),
            hands=draw(st.sampled_from([None, 12])),
        )
    )


@settings(deadline=None, max_examples=examples(60))
@given(st.sampled_from(sorted(PRESETS)), st.integers(3, 6), st.integers(0, 2**32), st.booleans())
def test_a_hand_at_every_moment_of_its_play(
    name: str, players: int, seed: int, in_order: bool
) -> None:
    rules = PRESETS[name]
    players = min(max(players, rules.players.least), rules.players.most)
    hand = playouts(rules, players, Random(seed), 2)[-1]
    assert_is_read_back(record_of(hand))
    moment: Hand | None = hand
    while moment is not None:
        assert_is_read_back(record_hand(moment, in_order=in_order))
        moment = moment.undo() if moment.previous is not None else None


def test_every_sample() -> None:
    for sample in SAMPLES:
        for entry in read(sample):
            assert_is_read_back(entry.required_record)


@patient
@given(mutated_samples())
def test_a_damaged_text_gives_a_normal_record(source: bytes) -> None:
    """What is read of a damaged text is itself read back, whatever else the text said."""
    for entry in read(source):
        if entry.record is not None:
            (again,) = read(write([entry.record]))
            assert again.record == entry.record
