"""A blank line inside a record does not cut it in two, and is said once for a file."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine.core.faults import Severity
from engine.notation import write_record
from engine.verdicts.judge import Verdict, judge
from tests.cli.calling import RECORDS
from tests.engine.notation.texts import SAMPLES
from tests.examples import examples

NIGHT = (RECORDS / "night.phn").read_text(encoding="utf-8")


def documents(verdict: Verdict) -> list[str]:
    return [write_record(record.entry.document) for record in verdict.records]


def gaps(verdict: Verdict) -> list[tuple[str, int]]:
    found = [one for one in verdict.diagnostics if one.rule == "S16"]
    assert all(one.severity is Severity.WARNING for one in found)
    return [(one.message, one.line) for one in found]


@settings(max_examples=examples(60))
@given(st.sampled_from(SAMPLES), st.integers(1, 3), st.data())
def test_a_blank_line_anywhere_in_a_record_is_said_and_changes_nothing(
    sample: bytes, blank: int, data: st.DataObject
) -> None:
    lines = sample.decode().splitlines(keepends=True)
    at = data.draw(st.integers(2, len(lines) - 1))
    # A record that is whole is not held back for notes that may come.
    assume(not lines[at].startswith("[NoteTable"))
    cut = judge("".join(lines[:at]) + "\n" * blank + "".join(lines[at:]))
    whole = judge(sample)
    assert documents(cut) == documents(whole)
    assert cut.ok == whole.ok
    words = "a blank line stands inside this record; it was read as one"
    assert gaps(cut) == [(words, at + 1)]


@pytest.mark.parametrize("end", ["\n\n", "\r\n\r\n", "\r\r", "\n\n\n"])
def test_blank_lines_after_every_line_are_said_once(end: str) -> None:
    spaced, whole = judge(NIGHT.replace("\n", end)), judge(NIGHT)
    assert documents(spaced) == documents(whole)
    assert [record.ok for record in spaced.records] == [record.ok for record in whole.records]
    ((words, _),) = gaps(spaced)
    assert words.startswith(f"blank lines stand inside {len(whole.records)} records")


def test_what_repeats_a_tag_or_has_other_rows_is_another_record() -> None:
    assert not gaps(judge(NIGHT))
    (first, second) = judge('[Board "1"]\n[Variant "sahara"]\n\n[Board "2"]\n[Hands "3"]\n').records
    assert (first.entry.value("Board"), second.entry.value("Board")) == ("1", "2")
    prose = judge(SAMPLES[0].decode() + "\nThat was a fine evening, was it not?\n")
    assert not gaps(prose)
    assert len(prose.records) == 2
