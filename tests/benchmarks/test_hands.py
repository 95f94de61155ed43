"""The hands that figures are measured with are legal hands, written canonically."""

import pytest

from benchmarks.hands import TABLES, Table, games, records, text_of
from benchmarks.hostile import SHAPES
from engine.notation import read_text, write
from engine.replay.replay import replay
from engine.verdicts.judge import judge


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_system_gives_whole_legal_hands(table: Table) -> None:
    for hand in records(table, 15):
        judged = replay(hand)
        assert judged.faults == ()
        assert len(judged.tricks) * table.players == len(hand.play or ())


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_their_texts_are_judged_without_a_finding_and_are_canonical(table: Table) -> None:
    text = "% PHN 1.0\n" + "\n".join(map(text_of, games(table, 15)))
    verdict = judge(text)
    assert verdict.ok
    assert [record.findings for record in verdict.records] == [()] * 15
    assert write(read_text(text)) == text


def test_the_same_seed_deals_the_same_hands() -> None:
    table = TABLES[0]
    assert records(table, 3) == records(table, 3) != records(table, 3, seed=2)


def test_hostile_texts_have_the_size_asked_for() -> None:
    # Numbered shapes end with a whole piece.
    assert all(3500 < len(shape(4000)) <= 4000 for shape in SHAPES.values())
