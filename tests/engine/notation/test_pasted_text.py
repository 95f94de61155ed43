"""Records out of mails and chats are read as they were written, and that is said once."""

import re
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest

from engine.notation.pasted_text import mend_text
from engine.notation.reader import Reader
from tests.engine.notation.test_samples import SAMPLES

_SUITS = "\u2660\u2665\u2666\u2663"


def _quote(text: str) -> str:
    return "".join(f"> {line}\n" for line in text.splitlines())


def _spell_suits(text: str, signs: str = "SHDC") -> str:
    def spell(found: re.Match[str]) -> str:
        hands = [hand.split(".") for hand in found[2].split(" ")]
        if any(len(hand) != 4 for hand in hands):
            return found[0]
        spelled = (".".join(map("".join, zip(signs, hand, strict=True))) for hand in hands)
        return found[1] + " ".join(spelled) + found[3]

    return re.sub(r'(\[Deal "\w:)(.*?)("\])', spell, text)


PASTINGS: dict[str, Callable[[str], str]] = {
    "spelled suits": _spell_suits,
    "signs of suits": lambda text: _spell_suits(text, _SUITS),
    "curly quotes": lambda text: re.sub(
        r'^(\[\w+ )"(.*)"\]', "\\1\u201c\\2\u201d]", text, flags=re.M
    ),
    "no plain blanks": lambda text: text.replace(" ", "\u00a0"),
    "fence": lambda text: f"```phn\n{text}```\n",
    "quoted": _quote,
    "quoted twice": lambda text: _quote(_quote(text)),
    "line ends": lambda text: text.replace("\n", "\r\n"),
}


def _read(text: str) -> list[object]:
    return [
        (entry.record, entry.content, entry.diagnostics == ()) for entry in Reader(text).records()
    ]


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem[:20])
def test_pasted_records_are_the_same_records(path: Path) -> None:
    text = path.read_text()
    whole = _read(text)
    assert mend_text(text) == (text, ())
    for names in (*combinations(PASTINGS, 1), *combinations(PASTINGS, 2)):
        pasted = text
        for name in names:
            pasted = PASTINGS[name](pasted)
        if pasted.replace("\r", "") == text or names == ("spelled suits", "signs of suits"):
            continue
        reader = Reader(pasted)
        found = [(one.record, one.content, one.diagnostics == ()) for one in reader.records()]
        assert found == whole, names
        assert [one.rule for one in reader.diagnostics] == ["W94"], names


def test_what_cannot_be_a_deal_is_left_to_the_reader() -> None:
    for deal in ("N:SAK.DH2.HQ.C3", "N:SAK S2", "N:SXY.H2.DQ.C3"):
        assert mend_text(f'[Deal "{deal}"]\n') == (f'[Deal "{deal}"]\n', ())
