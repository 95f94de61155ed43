"""Words as people write them: cards in either order, numbers with a sign or zeros in front."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards import CARDS, NAMES, card, card_set, parse_cards, show
from engine.notation import RecordEntry, read_text, write
from engine.notation.values import plain_numbers, read_card, read_cards
from engine.verdicts.judge import judge
from tests.engine.notation.texts import read_slowly

SAMPLES = Path(__file__).parent / "samples"
TEXTS = [path.read_text() for path in sorted(SAMPLES.glob("*.phn"))]
CENTRE = (SAMPLES / "4-insurance-centre-full.phn").read_text()
BICYCLE = (SAMPLES / "1-bicycle-auction-full.phn").read_text()
GLYPHS = dict(zip("SHDC", "♠♥♦♣", strict=True))


def spellings(name: str) -> list[str]:
    """All ways in which people write a card."""
    suit, rank = name[0], name[1]
    ranks = {rank, rank.lower()} | ({"10"} if rank == "T" else set())
    suits = {suit, suit.lower(), GLYPHS[suit]}
    return [pair for s in suits for r in ranks for pair in (s + r, r + s)]


def test_every_spelling_of_every_card_is_that_card() -> None:
    for one in CARDS:
        for text in spellings(NAMES[one]):
            assert card(text) == read_card(text) == one
            assert parse_cards(text) == read_cards(text)[0] == card_set([one])


@given(st.lists(st.sampled_from(NAMES), min_size=1, max_size=6, unique=True), st.data())
def test_a_list_of_spelled_cards_is_that_list(names: list[str], data: st.DataObject) -> None:
    words = [data.draw(st.sampled_from(spellings(name))) for name in names]
    assert show(parse_cards(" ".join(words))) == show(card_set(map(card, names)))


@pytest.mark.parametrize("text", ["S", "SH", "SA K7 H", "10", "1S", "S1", "S10S", "SS"])
def test_what_is_no_list_of_cards_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a card"):
        parse_cards(text)


@given(st.sampled_from(TEXTS), st.data())
def test_records_are_read_the_same_however_their_cards_are_spelled(
    text: str, data: st.DataObject
) -> None:
    before, table, after = text.partition("[PlayTable")

    def respelled(found: re.Match[str]) -> str:
        return data.draw(st.sampled_from(spellings(found[0])))

    lax = before + table + re.sub(r"\b[SHDC][2-9TJQKA]\b", respelled, after)
    (sound,), (read,) = read_text(text), read_text(lax)
    assert read.record == sound.record
    assert write([read]) == text


def test_ranks_come_first_in_every_place_of_a_record() -> None:
    places = [
        ('[Centre "', '"]'),
        ("[CentreTable", "\n["),
        ("[PassTable", "\n["),
    ]
    lax = CENTRE
    for start, end in places:
        at = lax.index(start)
        stop = lax.index(end, at)
        part = re.sub(
            r"(?<=[ \"])(?:[SHDC][2-9TJQKA]+)+",
            lambda found: found[0][::-1].replace("T", "10"),
            lax[at:stop],
        )
        assert part != lax[at:stop]
        lax = lax[:at] + part + lax[stop:]
    (sound,), (read,) = read_text(CENTRE), read_text(lax)
    assert read.record == sound.record
    assert write([read]) == CENTRE


NUMBERS = [
    (CENTRE, r'\[Board "(\d+)"'),
    (CENTRE, r"\[InsuranceTable [^]]*\]\n(\d)"),
    (CENTRE, r"\[CentreTable [^]]*\]\n\S+ \S+ (\d+)"),
    (CENTRE, r"\[ScoreTable [^]]*\]\n\S+ (\d+)"),
    (BICYCLE, r"\[AuctionTable [^]]*\]\n(\d+)"),
    (BICYCLE, r"\[PotTable [^]]*\]\n(\d+)"),
    (TEXTS[4], r'\[Claim "S (\d+)"'),
    (TEXTS[6], r'\[Hands "(\d+)"'),
    (TEXTS[5], r'\[Jackpot "(\d+)"'),
    (TEXTS[6], r'\[TotalScoreTable [^]]*\]\n\S+ \S+ (?:"[^"]*"|\S+) (\d+)'),
]


def warnings(entry: RecordEntry) -> list[tuple[str, str, str]]:
    return [
        (one.rule, str(one.severity), one.hint) for one in entry.diagnostics if one.rule == "T28"
    ]


def test_a_sign_or_zeros_in_front_of_a_number_get_a_warning(subtests: pytest.Subtests) -> None:
    for text, where in NUMBERS:
        for start in ["+", "0", "00", "+0"]:
            with subtests.test(where=where, start=start):
                found = re.search(where, text)
                assert found is not None
                at, number = found.start(1), found[1]
                lax = text[:at] + start + text[at:]
                (sound,), (read,), (slowly,) = read_text(text), read_text(lax), read_slowly(lax)
                assert read.record == slowly.record == sound.record
                plain = f"S {number}" if "Claim" in where else number
                assert warnings(read) == [("T28", "warning", f"write {plain}")]
                assert judge(lax).records[0].ok
                told = next(one for one in read.diagnostics if one.rule == "T28")
                assert lax.split("\n")[told.line - 1][told.col - 1 : told.end_col - 1].endswith(
                    start + number
                )
                assert write([read]) == write([sound])


@pytest.mark.parametrize("text", TEXTS)
def test_the_samples_have_no_such_number(text: str) -> None:
    assert not [found for entry in read_slowly(text) for found in warnings(entry)]


@given(st.integers(-999, 999), st.sampled_from(["", "0", "00"]))
def test_a_plain_number_is_what_it_was(number: int, zeros: str) -> None:
    sign = "-" if number < 0 else ""
    assert plain_numbers(f"{sign}{zeros}{abs(number)}") == str(number)
    assert plain_numbers(f"+{zeros}{abs(number)}") == str(abs(number))
