"""Texts that do not say how their letters are written: read, or asked about with a preview."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from tests.scoring.club import make_club
from tests.tournaments.imports.tables import counts, members
from tournaments.core.errors import RefusedError
from tournaments.models import Person
from tournaments.tables.csv_reader import TextEncoding, decode_text

NAMES = {
    TextEncoding.WINDOWS_1250: ["Łukasz Żak", "Jiří Dvořák", "Őri Ágnes"],
    TextEncoding.MAC_ROMAN: ["Zoë Grün", "Jörg Bäcker", "Renée Groß"],
    TextEncoding.IBM_850: ["Jörg Bäcker", "Renée Grün"],
    TextEncoding.WINDOWS_1252: ["Søren Ågård", "Hélène Forêt", "Iñigo Muñoz"],
}


@pytest.mark.parametrize("encoding", NAMES)
@pytest.mark.django_db
def test_letters_are_asked_about_with_a_preview_and_read_as_somebody_says(
    encoding: TextEncoding,
) -> None:
    club = make_club()
    data = "\n".join(["Name", *NAMES[encoding]]).encode(encoding)
    asked = members(club, data, dry_run=True)
    assert asked.questions == ["encoding"]
    previews = asked.details["encoding"].previews
    assert NAMES[encoding][0] in previews[encoding]
    with pytest.raises(RefusedError, match="letters"):
        members(club, data)
    assert not Person.objects.exists()
    plan = members(club, data, answers={"encoding": encoding})
    assert counts(plan) == (len(NAMES[encoding]), 0, 0, 0)
    assert set(Person.objects.values_list("name", flat=True)) == set(NAMES[encoding])


@pytest.mark.parametrize("text", ["Zoë Grün; Groß", "Müller; 5 €; § 7", "Jörg Ä", "GRÜN, André"])
def test_german_letters_of_windows_are_read_with_a_remark(text: str) -> None:
    decoded = decode_text(text.encode("cp1252"))
    assert (decoded.text, decoded.encoding) == (text, "windows-1252")
    assert not decoded.is_doubtful


# No name has these; their bytes are those of letters that German names do have.
MAC_LETTERS = st.characters(codec="mac-roman", categories=["Ll"], exclude_characters="ﬁﬂƒ")


@given(st.text(MAC_LETTERS, min_size=1), st.booleans())
def test_no_word_of_a_macintosh_is_read_as_windows_without_a_question(
    word: str, is_open: bool
) -> None:
    text = f"A{word}" if is_open else f"A{word}b"
    data = text.encode("mac-roman")
    assume(not is_unicode(data))  # nothing else is: such bytes are always read as UTF-8
    decoded = decode_text(data)
    assert decoded.text == text or decoded.is_doubtful


def is_unicode(data: bytes) -> bool:
    """Say whether the bytes are UTF-8."""
    try:
        data.decode()
    except UnicodeDecodeError:
        return False
    return True


def test_unicode_is_never_doubted() -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16"):
        decoded = decode_text("Łukasz Żak".encode(encoding), "windows-1250")
        assert (decoded.text, decoded.previews) == ("Łukasz Żak", {})
