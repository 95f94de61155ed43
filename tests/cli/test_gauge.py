"""The progress bar: only for large files, only where somebody watches, never in the way."""

import io

import pytest

from engine.cli.gauge import LARGE, Gauge
from tests.cli.calling import Screenlike


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")


def test_a_large_file_on_a_terminal_has_a_bar() -> None:
    err = Screenlike()
    gauge = Gauge(err, shared=True)
    gauge.start("night.phn", LARGE)
    gauge.advance(LARGE // 2)
    assert "night.phn" in err.getvalue()
    gauge.make_room()
    assert err.getvalue().endswith("\r\x1b[2K")
    size = len(err.getvalue())
    gauge.make_room()
    assert len(err.getvalue()) == size
    gauge.stop()


@pytest.mark.parametrize("size", [None, LARGE - 1])
def test_a_small_file_or_a_stream_has_none(size: int | None) -> None:
    err = Screenlike()
    gauge = Gauge(err, shared=True)
    gauge.start("night.phn", size)
    gauge.advance(1)
    gauge.make_room()
    gauge.stop()
    assert err.getvalue() == ""


def test_a_log_has_none() -> None:
    err = io.StringIO()
    gauge = Gauge(err, shared=False)
    gauge.start("night.phn", LARGE)
    gauge.advance(LARGE)
    gauge.stop()
    assert err.getvalue() == ""
