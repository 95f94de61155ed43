"""Styles name no side: what is left for one reader is right for another."""

import re
from pathlib import Path

import pytest
from django.conf import settings

STYLES = sorted((Path(settings.BASE_DIR) / "static" / "css").glob("*.css"))
# Around a table nothing is mirrored: who plays next sits to the left of a player in any language.
AROUND_A_TABLE = r"(?!\s*var\(--x\))"
SIDE = re.compile(
    r"^\s*(?:(?:margin|padding|border)-(?:left|right)\b"
    rf"|(?:left|right)\s*:{AROUND_A_TABLE}"
    r"|border-(?:top|bottom)-(?:left|right)-radius|(?:float|clear)\s*:\s*(?:left|right)\b"
    r"|(?:text-align|justify-[a-z]+|background-position)\s*:[^;]*\b(?:left|right)\b)"
)
FOUR = re.compile(r"^\s*(?:margin|padding|inset)\s*:\s*(\S+)\s+(\S+)\s+(\S+)\s+(\S+);")
INSIDE = re.compile(r"\([^()]*\)")


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_no_style_names_the_left_or_the_right(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if SIDE.search(line)] == []


@pytest.mark.parametrize("path", STYLES, ids=lambda path: path.stem)
def test_four_sides_at_once_are_even(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    found = [FOUR.search(INSIDE.sub("", INSIDE.sub("", line))) for line in lines]
    assert [one[0].strip() for one in found if one and one[2] != one[4]] == []
