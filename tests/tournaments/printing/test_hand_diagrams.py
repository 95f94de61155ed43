"""Diagrams of hands: every card of every seat, every trick, and nothing over anything else."""

import pytest

from engine.core.seats import DEFAULT_SEATS
from tests.tournaments.printing.evening import AT, NAMES
from tests.tournaments.printing.paper import badly_placed, keep_pictures, pages
from tournaments.printing.hand_diagrams import HandDiagram, HeldCards, SmallTable, print_hands
from tournaments.tables.model import Properties
from tournaments.tables.press import PaperSize

ABOUT = Properties(title="Night 1: Hands", author="Club", made_at=AT, address="https://c.example/")
NONE, MINUS = "\N{EN DASH}", "\N{MINUS SIGN}"
RANKS = "A K Q J 10 9 8 7 6 5 4 3 2"


def diagram(players: int, number: int = 1, **fields: object) -> HandDiagram:
    """A hand in which everybody has a long name, and somebody all cards of a suit."""
    seats = DEFAULT_SEATS[players]
    held = {
        seat: HeldCards(seat, NAMES[place], ("♠ A 10 3", f"♡ {RANKS}", f"♣ {NONE}", "♢ 10 9"))
        for place, seat in enumerate(seats)
    }
    headings = ("", "Lead", *seats, "Won", "Pain")
    cards = ["♡10"] * players
    tricks = tuple((str(trick), seats[0], *cards, seats[1], "2") for trick in range(1, 14))
    numbers = ("13", "1000", f"{MINUS}12", f"{MINUS}13", "+100", "1075")
    usual: dict[str, object] = {
        "title": f"Hand {number}",
        "place": "Round 1, table 2, board 3",
        "held": held,
        "facts": ("Dealer: North", "Auction: North 3, East pass, South 4, West pass"),
        "tricks": SmallTable(headings, tricks, len(headings) - 1),
        "result": "North bid 4 and named hearts. East took none and wins 20.",
        "settlement": SmallTable(
            ("", "Taken", "Before", "Bid", "Paid", "Won", "After"),
            tuple((seat, *numbers) for seat in seats),
        ),
        "payments": "North → the pot 4 (bid) · West → the pot 7 (cards taken)",
    }
    return HandDiagram(**(usual | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize("paper", PaperSize)
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_a_diagram_has_every_card_every_trick_and_every_chip(
    players: int, paper: PaperSize
) -> None:
    data = print_hands(ABOUT, [diagram(players)], paper)
    (page,) = pages(data, scanned=True)
    assert badly_placed(data) == []
    keep_pictures(data, f"hands-{players}-{paper}")
    assert page.codes == (ABOUT.link,)
    text = "".join(page.text.split())
    assert text.count("".join(f"♡ {RANKS}".split())) == players
    assert text.count("♡10") >= 13 * players
    assert text.count("1075") == players
    assert "Pain" in text
    assert "North→thepot4(bid)" in text


@pytest.mark.parametrize("paper", PaperSize)
def test_several_hands_share_a_page_and_none_is_torn_apart(paper: PaperSize) -> None:
    hands = [diagram(4, number) for number in range(1, 10)]
    data = print_hands(ABOUT, hands, paper)
    found = pages(data)
    assert badly_placed(data) == []
    assert 3 <= len(found) <= 5
    for page in found:
        assert page.text.count("Dealer: North") == page.text.count("Round 1, table 2, board 3")
        assert page.text.count("1075") == 4 * page.text.count("Dealer: North")
    assert sum(page.text.count("Dealer: North") for page in found) == 9


def test_a_result_without_cards_is_brief() -> None:
    brief = [diagram(4, number, held={}, tricks=None) for number in range(1, 7)]
    data = print_hands(ABOUT, brief, PaperSize.A4)
    (page,) = pages(data)
    assert badly_placed(data) == []
    assert page.text.count("Round 1, table 2, board 3") == 6


def test_equal_hands_are_equal_bytes() -> None:
    one, other = (print_hands(ABOUT, [diagram(4)], PaperSize.A4) for _ in range(2))
    assert one == other
