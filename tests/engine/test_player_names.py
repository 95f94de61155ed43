"""One identity of a person: names compared and refused by one rule (DEC-18)."""

import sys
from unicodedata import category, normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.player_names import PlayerNameError, clean_name, mend_name, name_key

_WORD = st.text(st.characters(categories=["L"]), min_size=1, max_size=8)
_BLANK = st.text(st.sampled_from("".join(filter(str.isspace, map(chr, range(0x3001))))), min_size=1)


@given(_WORD, _WORD, _BLANK, _BLANK)
def test_order_blanks_case_and_form_make_no_other_name(
    first: str, last: str, one: str, two: str
) -> None:
    key = name_key(f"{first} {last}")
    assert key == name_key(f"{two}{first}{one}{last}{two}")
    assert key == name_key(f"{last},{one}{first}") == name_key(f"{last}{one},{first}")
    assert key == name_key(normalize("NFD", f"{first} {last}")) == name_key(key)
    assert key == name_key(f"{first} {last}".casefold())


@given(st.text(max_size=20))
def test_what_is_cleaned_or_mended_is_clean(text: str) -> None:
    mended = mend_name(text)
    assert clean_name(mended) == mended
    assert mend_name(mended) == mended
    assert not {category(sign) for sign in mended} & {"Cc", "Cs", "Zl", "Zp"}


def test_every_character_that_nobody_sees_is_refused_and_named() -> None:
    refused = {"Cc", "Cf", "Cs", "Zl", "Zp"}
    for sign in map(chr, range(sys.maxunicode + 1)):
        if category(sign) in refused and sign not in "\t\n\r\u200c\u200d":
            with pytest.raises(PlayerNameError, match=rf"U\+{ord(sign):04X}, at place 4"):
                clean_name(f"Ann{sign}Lee")


def test_joiners_stay_inside_a_word_only() -> None:
    name = "\u0645\u06cc\u200c\u062e\u0648"  # Persian: a joiner between two letters
    assert clean_name(name) == name
    for name in ("Ann\u200d", "\u200cAnn", "Ann \u200dLee", "Ann\u200d\u200dLee"):
        with pytest.raises(PlayerNameError, match="nobody sees"):
            clean_name(name)
