"""Paper for the night: every name has its letters, every code can be scanned."""

import re
from dataclasses import replace

import pytest
from django.utils import translation

from engine.core.messages import Message
from scoring.presentation.files import find_locale
from tests.tournaments.printing.evening import AT, evening_round, heading, link
from tests.tournaments.printing.paper import badly_placed, keep_pictures, letter_size, pages
from tournaments.printing.cards import movement_cards, table_cards
from tournaments.printing.seating import (
    PrintedSitter,
    SeatedRound,
    SeatedTable,
    journeys,
    seating_list,
)
from tournaments.tables.press import PaperSize

A4, LETTER = (595, 842), (612, 792)
ROUNDS = [evening_round(number) for number in (1, 2, 3)]


@pytest.mark.parametrize(("paper", "size"), [(PaperSize.A4, A4), (PaperSize.LETTER, LETTER)])
def test_a_table_card_has_its_number_its_names_and_a_code_that_scans(
    paper: PaperSize, size: tuple[int, int]
) -> None:
    found = pages(table_cards(heading(paper), ROUNDS[0].tables, "Round 1"), scanned=True)
    assert len(found) == 4
    for number, page in enumerate(found, 1):
        assert page.size == size
        assert page.codes == (link(number),)
        assert f"TABLE\r\n{number}" in page.text
        assert all(seat in page.text for seat in ("North", "East", "South", "West"))
    text = "".join(page.text for page in found)
    for name in ("Zoë O'Connor-Łukaszewicz", "王小明", "김민수", "Жанна Ђорђевић", "Ann Lee"):
        assert name in text


@pytest.mark.parametrize("seats", [2, 3, 5, 6, 12])
def test_cards_of_other_tables(seats: int) -> None:
    each = evening_round(1, tables=2, seats=seats)
    assert len(pages(table_cards(heading(), each.tables))) == 2


def test_a_card_without_an_address_has_no_code() -> None:
    card = SeatedTable(7, (PrintedSitter("North", "Ann"),))
    (page,) = pages(table_cards(heading(), [card]), scanned=True)
    assert page.codes == ()
    assert "Scan" not in page.text


def test_a_long_address_still_scans() -> None:
    url = "https://hearts.example.org/t/" + "x" * 200
    card = SeatedTable(7, (PrintedSitter("North", "Ann"),), url)
    assert pages(table_cards(heading(), [card]), scanned=True)[0].codes == (url,)


def test_a_seating_list_finds_everybody_by_name_and_by_table() -> None:
    text = "\n".join(page.text for page in pages(seating_list(heading(), ROUNDS, AT)))
    assert "Seats by name" in text
    for each in ROUNDS:
        assert f"Round {each.number} by table" in text
        for table in each.tables:
            for sitter in table.sitters:
                if sitter.name == "Ann Lee":
                    assert f"{table.number} {sitter.seat}" in text
    words = " ".join(text.split())
    assert words.count("Gus Sitout sits out") == len(ROUNDS) + 1


@pytest.mark.parametrize("paper", PaperSize)
def test_forty_people_are_on_one_page_in_letters_to_be_read_from_afar(paper: PaperSize) -> None:
    people = iter(range(1, 41))
    tables = tuple(
        SeatedTable(
            table, tuple(PrintedSitter(seat, f"Player, Anna {next(people)}") for seat in "NESW")
        )
        for table in range(1, 11)
    )
    rounds = [SeatedRound(number, tables) for number in (1, 2, 3)]
    data = seating_list(heading(paper), rounds, AT)
    found = pages(data)
    assert len(found) == 1 + len(rounds)
    assert badly_placed(data) == []
    keep_pictures(data, f"seating-{paper}")
    assert all(f"Player, Anna {number}" in found[0].text for number in range(1, 41))
    assert letter_size(data, "Player, Anna 7") >= 12


@pytest.mark.parametrize("paper", PaperSize)
def test_nothing_overlaps_on_lists_with_names_from_everywhere(paper: PaperSize) -> None:
    assert badly_placed(seating_list(heading(paper), ROUNDS, AT)) == []


def test_a_seating_list_of_tables_of_different_sizes_names_each_seat() -> None:
    four, three = evening_round(1, tables=1), evening_round(1, tables=1, seats=3)
    mixed = SeatedRound(1, (four.tables[0], SeatedTable(2, three.tables[0].sitters)))
    text = "\n".join(page.text for page in pages(seating_list(heading(), [mixed], AT)))
    assert "North: Zoë" in text
    assert "Seat 1: Zoë" in text


def test_two_of_one_name_stay_apart_and_absence_is_not_sitting_out() -> None:
    first = SeatedRound(
        1, (SeatedTable(1, (PrintedSitter("N", "Ann", "1"), PrintedSitter("S", "Ann", "2"))),)
    )
    second = SeatedRound(
        2, (SeatedTable(1, (PrintedSitter("N", "Ann", "2"),)),), (PrintedSitter("", "Bo", "3"),)
    )
    found = journeys([first, second])
    assert [journey.name for journey in found] == ["Ann", "Ann", "Bo"]
    assert [journey.places for journey in found] == [
        {1: (1, "N")},
        {1: (1, "S"), 2: (1, "N")},
        {2: None},
    ]


@pytest.mark.parametrize("rounds", [1, 6, 10, 23, 60])
def test_everybody_gets_a_movement_card_with_all_his_rounds(rounds: int) -> None:
    evening = [evening_round(number + 1) for number in range(rounds)]
    text = "\n".join(page.text for page in pages(movement_cards(heading(), evening)))
    people = len(journeys(evening))
    assert text.count("21 November 2025") == people == 17
    assert len(re.findall(rf"Round {rounds}\b", text)) == people
    assert text.count("sit out") == rounds


def test_a_hundred_tables_are_printed() -> None:
    big = evening_round(1, tables=100)
    assert len(pages(table_cards(heading(), big.tables))) == 100
    assert len(pages(seating_list(heading(), [big], AT))) > 10


def test_equal_nights_are_equal_bytes() -> None:
    assert table_cards(heading(), ROUNDS[0].tables) == table_cards(heading(), ROUNDS[0].tables)
    assert movement_cards(heading(), ROUNDS) == movement_cards(heading(), ROUNDS)
    assert seating_list(heading(), ROUNDS, AT) == seating_list(heading(), ROUNDS, AT)


def test_what_was_printed_before_changes_nothing() -> None:
    cards = table_cards(heading(), ROUNDS[0].tables)
    name = PrintedSitter("North", "क्षत्रिय ज्ञान श्री لا إله ﷺ g\u0308\u0301")
    table_cards(heading(), [SeatedTable(1, (name,))])
    assert table_cards(heading(), ROUNDS[0].tables) == cards


def test_nobody_and_nothing_still_make_a_file() -> None:
    empty = SeatedRound(1, (SeatedTable(1, ()),))
    assert pages(table_cards(heading(), empty.tables))
    assert pages(seating_list(heading(), [], AT))
    assert pages(seating_list(heading(), [SeatedRound(1, ())], AT))
    assert pages(movement_cards(heading(), []))


def test_paper_is_in_one_language() -> None:
    with translation.override("de"):
        paper = replace(heading(), locale=find_locale())
        printed = [
            seating_list(paper, ROUNDS, AT),
            movement_cards(paper, ROUNDS),
            table_cards(paper, ROUNDS[0].tables, Message("Round {number}", number=1)),
        ]
    text = "\n".join(page.text for one in printed for page in pages(one))
    assert "Stand: 21. November 2025" in text
    for word in ("Sitze nach Namen", "Runde 1", "Tisch 1", "TISCH"):
        assert word in text
    assert not re.search(r"\b(?:Round|Table|sits? out)\b", text)
