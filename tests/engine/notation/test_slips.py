"""One slip of the pen in the play is one finding, at its line, and costs no other trick."""

from pathlib import Path

import pytest

from engine.notation import read_text, write
from engine.verdicts.judge import Judged, judge

SAMPLES = Path(__file__).parent / "samples"
BICYCLE = (SAMPLES / "1-bicycle-auction-full.phn").read_text()
PLAY_ONLY = (SAMPLES / "2-hoyle-hearts-5p-play.phn").read_text()
CLAIMED = (SAMPLES / "5-sahara-3p-claim-ruling.phn").read_text()
WHOLE = [BICYCLE, PLAY_ONLY, CLAIMED]


def with_slip(text: str, trick: int, *, doubled: bool, section: bool) -> tuple[str, int]:
    """The text with a cell of one trick missing, or written twice, and the line of the trick."""
    lines = text.splitlines(keepends=True)
    table = next(at for at, line in enumerate(lines) if line.startswith("[PlayTable"))
    at = table + trick
    first, second, *rest = lines[at].split()
    cells = [first, second, second, *rest] if doubled else [first, *rest]
    lines[at] = " ".join(cells) + "\n"
    if section:
        lines[table] = f'[Play "{lines[table].split(chr(34))[1].split(";")[0]}"]\n'
    return "".join(lines), at + 1


def only(text: str) -> Judged:
    (judged,) = judge(text).records
    return judged


def said(judged: Judged) -> list[tuple[str, int]]:
    return [(one.diagnostic.rule, one.diagnostic.line) for one in judged.findings]


def last_trick(text: str) -> int:
    rows = text[text.index("[PlayTable") :].split("\n[", maxsplit=1)[0]
    return rows.count("\n")


@pytest.mark.parametrize("section", [False, True], ids=["PlayTable", "Play"])
@pytest.mark.parametrize("doubled", [False, True], ids=["missing", "doubled"])
@pytest.mark.parametrize("text", WHOLE, ids=["bicycle", "play only", "claimed"])
def test_a_cell_too_many_or_too_few_is_one_finding(text: str, doubled: bool, section: bool) -> None:
    before = said(only(text))
    # In a section the trick in which somebody claimed may be unfinished.
    last = last_trick(text) - (section and text is CLAIMED)
    for trick in (1, 5, last):
        slipped, line = with_slip(text, trick, doubled=doubled, section=section)
        found = said(only(slipped))
        assert sorted(found) == sorted([*before, ("S14", line)])


@pytest.mark.parametrize("section", [False, True], ids=["PlayTable", "Play"])
def test_the_cards_of_the_trick_stand_where_they_were_dealt(section: bool) -> None:
    sound = only(BICYCLE).entry.record
    missing = only(with_slip(BICYCLE, 3, doubled=False, section=section)[0]).entry.record
    doubled = only(with_slip(BICYCLE, 3, doubled=True, section=section)[0]).entry.record
    assert sound is not None
    assert sound.play is not None
    assert missing is not None
    assert missing.play == (*sound.play[:9], None, *sound.play[10:])
    assert doubled is not None
    assert doubled.play == sound.play


def test_what_was_written_is_kept() -> None:
    slipped, _ = with_slip(BICYCLE, 3, doubled=False, section=True)
    written = write(read_text(slipped))
    assert written == with_slip(BICYCLE, 3, doubled=False, section=False)[0]
    assert write(read_text(written)) == written


def test_a_later_fault_of_a_section_with_a_slip_has_its_own_place() -> None:
    slipped, line = with_slip(BICYCLE, 3, doubled=False, section=True)
    lines = slipped.splitlines(keepends=True)
    lines[line] = lines[line].replace("D3 DK D2 D6", "D3 DK D3 D6")
    assert lines[line].startswith("D3 DK D3")
    found = said(only("".join(lines)))
    assert ("P56", line + 1) in found


@pytest.mark.parametrize(
    "play",
    [
        "S2 S5 S6 SA S3 S7 S8 S9\nCJ C5 CA C4\n",
        "S2 S5 S6\nSA\nS3 S7 S8 S9\nCJ C5 CA C4\n",
        "S2\nS5\nS6\nSA\nS3\nS7\nS8\nS9\nCJ\nC5\nCA\nC4\n",
        "S2 {slow\nplay} S5 S6 SA\nS3 S7 S8 S9\nCJ C5 CA C4\n*\n",
        "S2 S5 S6 SA\nS3 S7 S8 S9\nCJ C5 CA C4 *\n",
    ],
)
def test_rows_may_be_broken_between_lines(play: str) -> None:
    text = f'[Dealer "W"]\n[Variant "insurance"]\n[Play "S"]\n{play}'
    (entry,) = read_text(text)
    assert "S14" not in [one.rule for one in entry.diagnostics]
    rows = entry.document.tag("Play")
    assert rows is not None
    written = write([entry])
    assert '[PlayTable "S;W;N;E"]\n' in written
    assert "S2 S5 S6 SA\nS3 S7 S8 S9\nCJ C5 CA C4\n" in written


def test_the_last_trick_may_be_unfinished() -> None:
    text = '[Dealer "W"]\n[Variant "insurance"]\n[Play "S"]\nS2 S5 S6 SA\nS3 S7 S8 S9\nCJ\n'
    for end in ("", "*\n"):
        assert "CJ - - -\n" in write(read_text(text + end))
