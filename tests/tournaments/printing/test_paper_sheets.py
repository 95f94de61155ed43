"""Sheets to hang up: everybody is on them, nothing is cut off, and the code leads to the page."""

from dataclasses import replace
from operator import itemgetter
from typing import Any

import pytest

from tests.tournaments.printing.evening import AT, NAMES
from tests.tournaments.printing.paper import badly_placed, keep_pictures, pages
from tournaments.printing.paper_sheets import PaperSheet, RowGroup, Winner, print_sheets
from tournaments.tables.model import Column, ColumnKind, Detail, Properties
from tournaments.tables.page_frame import Note
from tournaments.tables.press import PaperSize

ADDRESS = "https://hearts.example.org/e/0193a1f2-7c4b-7e1d-9f3a-0193a1f27c4b/"
MINUS = "\N{MINUS SIGN}"
ABOUT = Properties(
    title="Tuesday night 9",
    author="Tuesday Hearts Club",
    status="Official\nVersion 3",
    details=(
        Detail("date", "Date", "Tuesday 24 November 2026, 19:30"),
        Detail("place", "Place", "Parish Hall, Mill Lane 4"),
        Detail("director", "Director", "Pat Reed"),
    ),
    made_at=AT,
    address=ADDRESS,
    digest="7f3a91c204de55ab" * 4,
)
NOTES = (
    Note("Jackpot of the night", ("Nora Adams won 37 chips (Round 3, table 2, hand 5).",)),
    Note("Rulings and corrections", ("Round 3, table 7, hand 5: a warning.",)),
    Note("How it is scored", ("Points for the place at the table.",)),
)


def sheet(names: list[str], rounds: int = 4, **fields: Any) -> PaperSheet:
    """Everybody with the same score; a column of tie-breaks that can be left out."""
    titles = ["", "Name", *(f"R{number}" for number in range(1, rounds + 1)), "Points", "Tie-break"]
    keys = ["rank", "name", *(f"r{number}" for number in range(1, rounds + 1)), "total", "tie"]
    columns = tuple(
        Column(
            key=key,
            title=title,
            kind=ColumnKind.TEXT if key in ("name", "tie") else ColumnKind.INTEGER,
            value=itemgetter(place),
        )
        for place, (key, title) in enumerate(zip(keys, titles, strict=True))
    )
    rows = [
        (str(place), name, *[f"{MINUS}12"] * rounds, f"{MINUS}48", "Wins: 1.5")
        for place, name in enumerate(names, 1)
    ]
    winners = [Winner(row[0], row[1], (f"{MINUS}48 Points", "12.00 EUR")) for row in rows[:3]]
    usual: dict[str, Any] = {"groups": [RowGroup("", rows)], "winners": winners, "notes": NOTES}
    return PaperSheet(columns=columns, spare=frozenset({"tie"}), **(usual | fields))


def printed(made: PaperSheet, paper: PaperSize = PaperSize.A4) -> bytes:
    return print_sheets(ABOUT, [made], paper)


@pytest.mark.parametrize("paper", PaperSize)
@pytest.mark.parametrize(("players", "rounds"), [(40, 3), (40, 6), (8, 2), (1, 1)])
def test_forty_players_fit_on_one_page_with_all_that_is_told_of_the_night(
    players: int, rounds: int, paper: PaperSize
) -> None:
    names = [f"Player {number}, Anna" for number in range(1, players + 1)]
    made = sheet(names, rounds)
    data = printed(made, paper)
    (page,) = pages(data, scanned=True)
    assert badly_placed(data) == []
    keep_pictures(data, f"night-{players}-{rounds}-{paper}")
    assert page.codes == (ABOUT.link,)
    text = "".join(page.text.split())
    for place, name in enumerate(names):
        assert text.count("".join(name.split())) == (2 if place < len(made.winners) else 1)
    for words in ("Tuesday Hearts Club", "Official", "Parish Hall", "Director: Pat Reed"):
        assert words in page.text
    for words in ("Nora Adams won 37 chips", "a warning", "7F3A 91C2 04DE 55AB"):
        assert words in page.text


def test_tie_breaks_are_left_out_only_where_the_page_is_full() -> None:
    few, many = (printed(sheet([f"Player {n}" for n in range(count)])) for count in (12, 40))
    assert "Wins: 1.5" in pages(few)[0].text
    assert "Wins: 1.5" not in pages(many)[0].text


def test_a_long_table_goes_on_below_its_headings_with_its_notes_at_the_end() -> None:
    names = [f"Player {number}, Anna" for number in range(1, 201)]
    data = printed(sheet(names, rounds=12))
    found = pages(data, scanned=True)
    assert len(found) > 3
    assert badly_placed(data) == []
    for number, page in enumerate(found, 1):
        assert page.codes == (ABOUT.link,)
        assert f"Page {number} of {len(found)}" in page.text
        assert "Tuesday night 9" in page.text
    assert all("R12" in page.text for page in found[:-1])
    assert "How it is scored" in found[-1].text
    text = "".join("".join(page.text for page in found).split())
    assert [name for name in names if "".join(name.split()) not in text] == []


def test_a_season_of_forty_players_in_two_divisions_and_twelve_nights_has_two_pages() -> None:
    names = [f"Player Number {number}" for number in range(1, 41)]
    made = sheet(names, 12, winners=(), is_across=True)
    rows = made.rows
    groups = [RowGroup("Division 1", rows[:20]), RowGroup("Division 2", rows[20:])]
    found = pages(printed(replace(made, groups=groups)))
    assert len(found) == 2
    assert "How it is scored" in found[-1].text


def test_a_wide_table_goes_on_beside_its_names() -> None:
    names = [f"Player {number}" for number in range(1, 11)]
    data = printed(sheet(names, rounds=60, is_across=True, winners=()))
    found = pages(data)
    assert len(found) > 1
    assert badly_placed(data) == []
    assert all(page.size == (842, 595) for page in found)
    assert all(name in page.text for page in found[:2] for name in names)
    assert "R60" in found[-1].text or "R60" in found[-2].text


@pytest.mark.parametrize("paper", PaperSize)
def test_names_from_everywhere_are_printed_whole(paper: PaperSize) -> None:
    long = "Wolfeschlegelsteinhausenbergerdorff" * 2
    names = [long, *NAMES]
    data = printed(sheet(names), paper)
    assert badly_placed(data) == []
    text = "".join("".join(page.text for page in pages(data)).split())
    assert text.count(long) == 2
    for name in ("Zoë O'Connor-Łukaszewicz", "王小明", "김민수", "Жанна Ђорђевић", "B" * 300):
        assert "".join(name.split()) in text
    assert "…" not in text


def test_groups_have_their_titles() -> None:
    made = sheet(["Ann", "Bob"])
    rows = made.rows
    groups = [RowGroup("First division", rows[:1]), RowGroup("Second division", rows[1:])]
    (page,) = pages(printed(sheet(["Ann", "Bob"], groups=groups)))
    at = [page.text.rindex(words) for words in ("First division", "Ann", "Second division", "Bob")]
    assert at == sorted(at)


def test_equal_sheets_are_equal_bytes() -> None:
    assert printed(sheet(["Ann", "Bob"])) == printed(sheet(["Ann", "Bob"]))
