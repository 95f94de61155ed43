"""Slips on paper: each has its codes, its names and its words, and nothing covers anything."""

import time
from collections.abc import Sequence

import pytest
from django.utils import translation

from engine.core.seats import DEFAULT_SEATS
from engine.rules.presets import HOYLE_AUCTION, INSURANCE, PRESETS
from engine.rules.rules import Rules, change
from scoring.presentation.files import find_locale
from scoring.slips.codes import Corner, SlipCode, short_digest, write_code
from scoring.slips.printing import PrintedSlip, print_slips
from tests.tournaments.printing.evening import NAMES
from tests.tournaments.printing.paper import badly_placed, keep_pictures, letter_size, pages
from tournaments.printing.seating import PrintedSitter, PrintHeading
from tournaments.tables.press import PaperSize

BICYCLE = PRESETS["bicycle"]


def _heading(paper: PaperSize = PaperSize.A4) -> PrintHeading:
    return PrintHeading(
        title="Tuesday Hearts Club, night 9",
        about="24 November 2026",
        paper=paper,
        locale=find_locale(),
    )


def _slips(
    rules: Rules, players: int, *, hands: int = 4, names: Sequence[str] = ("Fay", "Dora", "Jo")
) -> list[PrintedSlip]:
    return [
        PrintedSlip(
            code=SlipCode(
                installation=1,
                event=2,
                players=players,
                rules=short_digest(rules),
                table=3,
                round=4,
                number=2,
                hand=hand,
            ),
            rules=rules,
            game="Auction Hearts",
            sitters=[
                PrintedSitter(seat, names[place % len(names)])
                for place, seat in enumerate(DEFAULT_SEATS[players])
            ],
        )
        for hand in range(1, hands + 1)
    ]


def _blank(rules: Rules, players: int) -> PrintedSlip:
    code = SlipCode(installation=1, event=2, players=players, rules=short_digest(rules))
    return PrintedSlip(code=code, rules=rules, game="Auction Hearts")


def _codes(slips: Sequence[PrintedSlip]) -> list[str]:
    return sorted(write_code(slip.code.at(corner)) for slip in slips for corner in Corner)


@pytest.mark.parametrize("paper", PaperSize)
@pytest.mark.parametrize("preset", PRESETS)
def test_all_codes_of_a_sheet_are_read(preset: str, paper: PaperSize) -> None:
    rules = PRESETS[preset]
    slips = _slips(rules, rules.players.most)
    found = pages(print_slips(_heading(paper), slips), scanned=True)
    assert sorted(code for page in found for code in page.codes) == _codes(slips)


@pytest.mark.parametrize("paper", PaperSize)
@pytest.mark.parametrize("preset", PRESETS)
def test_nothing_covers_anything_or_stands_at_the_edge(preset: str, paper: PaperSize) -> None:
    rules = PRESETS[preset]
    for players in range(rules.players.least, rules.players.most + 1):
        for name, slips in (("", _slips(rules, players)), ("-blank", [_blank(rules, players)])):
            with translation.override("de"):
                data = print_slips(_heading(paper), slips)
            assert badly_placed(data, margin=12) == []
            keep_pictures(data, f"slips-{preset}-{players}{name}-{paper}")


@pytest.mark.parametrize(
    ("switches", "players"),
    [({"moon_all_tricks": "game"}, 6), ({"insolvency": "rebuy", "starting_chips": "1000"}, 5)],
)
def test_house_rules_that_ask_for_more_have_room(switches: dict[str, str], players: int) -> None:
    rules = change(HOYLE_AUCTION, switches)
    assert badly_placed(print_slips(_heading(), _slips(rules, players)), margin=12) == []


def test_names_from_everywhere_have_their_place() -> None:
    for first in range(0, len(NAMES), 4):
        data = print_slips(_heading(), _slips(BICYCLE, 4, names=NAMES[first : first + 4]))
        assert len(pages(data)) == 1


def test_four_small_slips_or_two_large_ones_are_on_a_sheet() -> None:
    small, large = _slips(BICYCLE, 4, hands=8), _slips(INSURANCE, 4, hands=3)
    found = pages(print_slips(_heading(), [*small, *large]))
    assert [page.size for page in found] == [(842, 595), (842, 595), (595, 842), (595, 842)]


def test_each_quarter_of_the_pile_is_in_order_once_it_is_cut() -> None:
    found = pages(print_slips(_heading(), _slips(BICYCLE, 4, hands=8)))
    hands = [
        {hand for hand in range(1, 9) if f"Table 2, hand {hand}" in page.text} for page in found
    ]
    assert hands == [{1, 3, 5, 7}, {2, 4, 6, 8}]


def test_names_are_large_and_seats_small() -> None:
    data = print_slips(_heading(), _slips(BICYCLE, 4))
    assert letter_size(data, "Dora") >= 12
    assert letter_size(data, "North") <= 7


def test_the_name_at_the_table_is_printed() -> None:
    (slip,) = _slips(BICYCLE, 4, hands=1)
    sitters = [PrintedSitter("N", "Fay Flint", called="Fay"), *slip.sitters[1:]]
    named = PrintedSlip(code=slip.code, rules=slip.rules, game=slip.game, sitters=sitters)
    (page,) = pages(print_slips(_heading(), [named]))
    assert "Fay" in page.text
    assert "Flint" not in page.text


def test_a_blank_slip_names_its_seats_and_asks_for_table_and_hand() -> None:
    (page,) = pages(print_slips(_heading(), [_blank(BICYCLE, 4)]))
    for words in ("Score slip", "Table", "Hand", "North", "West"):
        assert words in page.text


def test_a_slip_is_in_one_language() -> None:
    with translation.override("de"):
        (page,) = pages(print_slips(_heading(), _slips(BICYCLE, 4)))
    for words in ("Tisch 2, Spiel 1", "Straffarbe", "bitte die Turnierleitung", "Runde 4", "Nord"):
        assert words in page.text
    for words in ("Table", "Suit", "director", "North"):
        assert words not in page.text


def test_equal_slips_are_equal_bytes() -> None:
    slips = _slips(BICYCLE, 4)
    assert print_slips(_heading(), slips) == print_slips(_heading(), slips)


def test_a_night_of_forty_tables_is_printed_while_one_waits() -> None:
    slips = [slip for _table in range(40) for slip in _slips(BICYCLE, 4, hands=8)]
    begun = time.process_time()
    assert len(pages(print_slips(_heading(), slips))) == 80
    assert time.process_time() - begun < 20
