"""A result is enough to settle a hand: captures, counts, or nothing but the points."""

import pytest

from engine.core.faults import Code
from engine.core.seats import Seat
from engine.record.facts import Status
from engine.record.record import Ending, HandRecord, Paper, ScoreRow
from engine.replay.replay import replay
from engine.rules.presets import preset
from engine.rules.rules import change
from engine.settlement.settlement import settle

SEATS = ("N", "E", "S", "W")


def result(
    name: str, points: tuple[int, ...], papers: tuple[Paper, ...] | None = None
) -> HandRecord:
    """A record of nothing but points."""
    return HandRecord(
        seats=SEATS,
        rules=preset(name),
        dealer=Seat(0),
        ending=Ending.NORMAL,
        papers=papers,
        scores=tuple(ScoreRow(Seat(n), {"Points": mine}) for n, mine in enumerate(points)),
    )


@pytest.mark.parametrize(
    ("name", "points"),
    [
        ("sahara", (3, 4, 19, 0)),
        ("sahara", (13, 13, 0, 0)),
        ("sahara", (0, 26, 26, 26)),
        ("standard", (25, 1, 0, 0)),
        ("hoyle_hearts", (5, 4, 3, 1)),
    ],
)
def test_points_alone_are_settled_as_they_stand(name: str, points: tuple[int, ...]) -> None:
    judged = replay(result(name, points))
    assert judged.faults == ()
    settled = settle(judged.rules, judged.before, judged.facts)
    assert settled.after.totals == points


def test_points_with_insurance_papers_tell_who_took_the_queen() -> None:
    papers = (Paper(2), Paper(0), Paper(5), Paper(1))
    judged = replay(result("insurance", (5, 4, 14, 1), papers))
    assert judged.facts.queen == 2
    assert judged.facts.taken == (3, 4, 6, 0)


def test_points_that_no_play_can_give_are_refused_with_their_sum() -> None:
    judged = replay(result("sahara", (13, 12, 0, 0)))
    assert [fault.code for fault in judged.faults] == [Code.POINTS]
    assert not judged.settles
    assert judged.facts.status is Status.PLAYED


@pytest.mark.parametrize(
    ("points", "totals"), [(-26, (-26, 0, 0, 0)), (0, (0, 26, 26, 26))], ids=["self", "others"]
)
def test_the_shooters_choice_is_read_from_the_written_points(
    points: int, totals: tuple[int, ...]
) -> None:
    rows = [{"Hearts": 0, "Queen": 0, "Points": 26 + points} for _ in SEATS]
    rows[0] = {"Hearts": 13, "Queen": 13, "Points": points}
    record = HandRecord(
        seats=SEATS,
        rules=change(preset("standard"), {"moon": "shooter_choice"}),
        dealer=Seat(0),
        scores=tuple(ScoreRow(Seat(n), row) for n, row in enumerate(rows)),
    )
    judged = replay(record)
    assert judged.faults == ()
    assert settle(judged.rules, judged.before, judged.facts).after.totals == totals
