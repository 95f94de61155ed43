"""The brake: so many in a window, smoothly into the next one, and an honest word how long."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import caches
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tournaments.api.permissions import SharedThrottle


class Brake(SharedThrottle):
    rate = "10/min"
    now = 6000.0

    def get_cache_key(self, request: Any, view: Any) -> str:
        return "brake"

    @staticmethod
    def timer() -> float:
        return Brake.now


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    caches["default"].clear()
    yield
    caches["default"].clear()


def passes(at: float) -> bool:
    Brake.now = at
    return Brake().allow_request(None, None)


def test_so_many_pass_and_no_more() -> None:
    assert [passes(6000 + second) for second in range(12)] == [True] * 10 + [False] * 2


def test_the_last_window_counts_as_far_as_it_is_not_over() -> None:
    assert all(passes(6059) for _ in range(10))
    assert not passes(6060)
    assert [passes(6090) for _ in range(6)] == [True] * 5 + [False]
    assert passes(6119.9)


@settings(deadline=None, max_examples=examples(40))
@given(st.lists(st.floats(0, 200, allow_nan=False), max_size=60))
def test_who_waits_as_long_as_he_is_told_comes_in(moments: list[float]) -> None:
    caches["default"].clear()
    for moment in sorted(moments):
        passes(6000 + moment)
    last = 6000 + max(moments, default=0.0)
    Brake.now = last
    brake = Brake()
    if not brake.allow_request(None, None):
        wait = brake.wait()
        assert wait is not None
        assert 0 <= wait <= 60
        assert passes(last + wait + 0.001)


def test_what_is_refused_does_not_count() -> None:
    for _ in range(10):
        passes(6000)
    for _ in range(50):
        assert not passes(6001)
    assert [passes(6119) for _ in range(11)] == [True] * 10 + [False]
