"""How much work a hostile text makes: calls are counted, so that no clock can spoil a test."""

import sys
from types import FrameType

import pytest

from benchmarks.hostile import MANY_RECORDS, SHAPES
from engine.verdicts.judge import Judge
from tests.examples import examples

KIB = 1024
BLANK = ("blank rows in a record", "blank lines with spaces", "carriage returns and line feeds")


def calls(text: str) -> int:
    """How many calls of Python functions it takes to judge a text."""
    counted = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal counted
        counted += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        for record in Judge(text):
            assert record.findings is not None
    finally:
        sys.setprofile(before)
    return counted


def test_blank_lines_are_not_looked_at_one_by_one(subtests: pytest.Subtests) -> None:
    for name in BLANK:
        with subtests.test(name=name):
            text = SHAPES[name](128 * KIB)
            assert calls(text) < text.count("\n") / 2


@pytest.mark.property
def test_twice_the_text_makes_at_most_twice_the_calls(subtests: pytest.Subtests) -> None:
    for name in SHAPES:
        with subtests.test(name=name):
            least = 200  # what a text of nothing needs
            size = examples(16, 8) * KIB
            if name in MANY_RECORDS:
                size //= 2
            small, large = calls(SHAPES[name](size)), calls(SHAPES[name](2 * size))
            assert large <= 2.1 * small + least
