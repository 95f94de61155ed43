"""Sections of PBN are read word by word: where their lines break says nothing."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.notation import Document, read_json, read_text, write, write_json
from engine.notation.diagnostics import DiagnosticCollector
from engine.notation.meaning import record_of
from engine.verdicts.judge import Judged, judge

SAMPLES = Path(__file__).parent / "samples"
BICYCLE = (SAMPLES / "1-bicycle-auction-full.phn").read_text()
PLAY_ONLY = (SAMPLES / "2-hoyle-hearts-5p-play.phn").read_text()
CLAIMED = (SAMPLES / "5-sahara-3p-claim-ruling.phn").read_text()
CENTRE = (SAMPLES / "4-insurance-centre-full.phn").read_text()
TEXTS = [BICYCLE, PLAY_ONLY, CLAIMED, CENTRE]
EARLY = ["$1", "=1=", "!", "?", "$3 =2=", "{slow}", "{slow} $9", "; slow\n", "%slow\n"]


def cut_out(text: str, table: str) -> tuple[str, str, list[str], str]:
    """The text before a table, the first seat of the table, its words, and the text after it."""
    before, found, rest = text.partition(f"[{table} ")
    assert found
    head, _, body = rest.partition("\n")
    rows, bracket, after = body.partition("[")
    return before, head.split('"')[1].split(";")[0], rows.split(), bracket + after


def with_lines(text: str, lines: Sequence[str], *, section: str = "Play") -> str:
    before, first, _, after = cut_out(text, f"{section}Table")
    body = "".join(f"{line}\n" for line in "\n".join(lines).split("\n") if line)
    return f'{before}[{section} "{first}"]\n{body}{after}'


def only(text: str) -> Judged:
    (judged,) = judge(text).records
    return judged


def said(judged: Judged) -> list[tuple[str, str]]:
    return [(one.diagnostic.rule, one.diagnostic.message) for one in judged.findings]


@st.composite
def broken(draw: st.DrawFn) -> tuple[str, str]:
    """A sample, and the same with its play broken into lines anywhere."""
    text = draw(st.sampled_from(TEXTS))
    words = cut_out(text, "PlayTable")[2]
    ends = sorted(draw(st.sets(st.integers(1, len(words) - 1), max_size=len(words) - 1)))
    lines = [
        " ".join(words[start:end])
        for start, end in zip([0, *ends], [*ends, len(words)], strict=True)
    ]
    return text, with_lines(text, lines)


@given(broken())
def test_a_play_may_be_broken_into_lines_anywhere(texts: tuple[str, str]) -> None:
    sound, lax = map(only, texts)
    assert lax.entry.record == sound.entry.record
    assert said(lax) == said(sound)
    assert write([lax.entry]) == write([sound.entry])


@given(broken(), st.sampled_from(EARLY))
def test_what_stands_before_the_first_card_costs_nothing(
    texts: tuple[str, str], early: str
) -> None:
    sound = only(texts[0])
    before, bracket, after = texts[1].partition('[Play "')
    head, _, rest = after.partition("\n")
    lax = only(f"{before}{bracket}{head}\n{early} {rest}")
    assert lax.entry.record == sound.entry.record
    assert said(lax) == said(sound)
    for word in early.split():
        assert word.strip("{};%!?=") in write([lax.entry])


@pytest.mark.parametrize("early", EARLY)
def test_what_stands_before_the_first_call_costs_nothing(early: str) -> None:
    words = cut_out(BICYCLE, "AuctionTable")[2]
    lax = only(with_lines(BICYCLE, [early, *words], section="Auction"))
    assert lax.entry.record == only(BICYCLE).entry.record
    assert said(lax) == said(only(BICYCLE))


@pytest.mark.parametrize("wide", [7, 8, 13, 52])
@pytest.mark.parametrize("at", [0, 9, 33, 51])
def test_a_wrong_card_is_told_at_its_place_however_long_the_lines_are(wide: int, at: int) -> None:
    words = cut_out(BICYCLE, "PlayTable")[2]
    words[at] = "XX"
    rows = [" ".join(words[start : start + wide]) for start in range(0, 52, wide)]
    text = with_lines(BICYCLE, rows)
    lines = text.split("\n")
    told = [one.diagnostic for one in only(text).findings if one.diagnostic.rule == "T27"]
    assert [lines[one.line - 1][one.col - 1 : one.end_col - 1] for one in told] == ["XX"]


def test_a_section_of_nothing_else_has_no_finding_without_a_line(subtests: pytest.Subtests) -> None:
    for text in [*EARLY, "*", "+", "", "^R", "$1 *", "{why}\n*"]:
        for section in ["Play", "Auction"]:
            with subtests.test(text=text, section=section):
                lax = only(with_lines(BICYCLE, [text], section=section))
                assert all(one.diagnostic.line > 0 for one in lax.findings)
                assert lax.entry.record is not None


def meant(document: Document) -> object:
    return record_of(document, [], 1, DiagnosticCollector())


@pytest.mark.parametrize("trick", [0, 4, 12])
@pytest.mark.parametrize("place", [0, 3])
def test_a_short_row_stays_in_its_seats_on_the_way_through_json(trick: int, place: int) -> None:
    words = cut_out(BICYCLE, "PlayTable")[2]
    rows = [words[start : start + 4] for start in range(0, 52, 4)]
    del rows[trick][place]
    (entry,) = read_text(with_lines(BICYCLE, [" ".join(row) for row in rows]))
    (document,) = read_json(write_json([entry]))
    assert write([document]) == write([entry])
    assert meant(document) == entry.record


def test_an_empty_cell_in_json_is_a_cell() -> None:
    (entry,) = read_text(BICYCLE)
    emptied = write_json([entry]).replace('"S6"', '""', 1)
    (document,) = read_json(emptied)
    assert "S2 S5 - SA\n" in write([document])
