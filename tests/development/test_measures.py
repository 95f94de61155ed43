"""The house does not grow unseen: its measures stand on their page, and some have a ceiling."""

import pytest

from tests.development.measures import (
    MEASURES,
    PACKAGES,
    page_part,
    setting_mentions,
    statements,
    written_part,
)

STATEMENTS = {"engine": 15_400, "tournaments": 32_690, "scoring": 30_305, "config": 3_160}
"""Ceilings, with room for a small change. A feature that needs more pays with a merge, or raises
one and says in its commit why it cannot."""
OUTSIDE = {
    "files": 745,
    "files of at most 60 lines": 116,
    "dataclasses, TypedDicts, NamedTuples": 881,
    "of them named at most three times": 205,
    "private functions called at one place": 1_460,
    "docstrings that begin with *What*, *How*, *Which* …": 107,
    "yes or no under a name without *is*, *has*, *can*": 247,
}
"""The same for the three packages outside the engine."""


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_has_no_more_statements_than_its_ceiling(package: str) -> None:
    assert statements(package) <= STATEMENTS[package]


@pytest.mark.parametrize("name", OUTSIDE)
def test_nothing_that_repeats_grows(name: str) -> None:
    assert sum(MEASURES[name](package) for package in PACKAGES[1:]) <= OUTSIDE[name]


def test_a_setting_of_an_event_is_mentioned_at_few_places() -> None:
    assert setting_mentions() <= 4


def test_the_page_is_as_new_as_the_code() -> None:
    assert written_part() == page_part(), "run `make measures`"
