"""A hand from the future: the engine has no clock, so today is told, or nothing is said."""

from datetime import date
from pathlib import Path

import pytest

from engine.core.faults import Severity
from engine.notation import Mode
from engine.verdicts.judge import Judged, judge

SAMPLE = (Path(__file__).parent / "notation" / "samples" / "1-bicycle-auction-full.phn").read_text()
PLAYED = "2025.11.14"


def dates_said(day: str, today: date | None, mode: Mode = Mode.LENIENT) -> list[tuple[str, int]]:
    (judged,) = judge(SAMPLE.replace(PLAYED, day), today=today, mode=mode).records
    assert judged.result is not None
    return [
        (one.diagnostic.message, one.diagnostic.line)
        for one in judged.findings
        if one.diagnostic.rule == "T20" and one.diagnostic.severity is Severity.WARNING
    ]


@pytest.mark.parametrize("mode", [Mode.LENIENT, Mode.STRICT])
def test_a_date_after_today_is_a_warning_at_its_place(mode: Mode) -> None:
    today = date(2025, 11, 13)
    assert dates_said(PLAYED, today, mode) == [("2025.11.14 is still to come", 4)]


@pytest.mark.parametrize(
    ("day", "today"),
    [
        (PLAYED, None),
        (PLAYED, date(2025, 11, 14)),
        ("2025.??.??", date(2025, 11, 13)),
        ("2025.11.??", date(2025, 11, 1)),
        ("?", date(2025, 11, 13)),
    ],
)
def test_a_date_that_can_be_past_says_nothing(day: str, today: date | None) -> None:
    assert dates_said(day, today) == []


def test_the_least_date_that_it_can_be_counts() -> None:
    assert dates_said("2026.??.??", date(2025, 11, 13)) == [("2026.??.?? is still to come", 4)]


def test_a_date_that_is_none_is_only_that() -> None:
    assert dates_said("9999", date(2025, 11, 13)) == []


def test_a_bridge_record_is_not_asked() -> None:
    found: Judged
    (found,) = judge('[Event "x"]\n[Date "2999.01.01"]\n', today=date(2025, 1, 1)).records
    assert found.findings == judge('[Event "x"]\n[Date "2999.01.01"]\n').records[0].findings
