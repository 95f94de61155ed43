"""An evening on paper: rounds of tables with names from everywhere."""

from datetime import UTC, datetime

from tournaments.printing.seating import PrintedSitter, PrintHeading, SeatedRound, SeatedTable
from tournaments.tables.press import PaperSize

AT = datetime(2025, 11, 21, 19, 30, tzinfo=UTC)
SEATS = ("North", "East", "South", "West")
NAMES = (
    "Zoë O'Connor-Łukaszewicz",
    "王小明",
    "김민수",
    "محمد علي",
    "שלום כהן",
    "Ελένη Παπαδοπούλου",
    "Жанна Ђорђевић",
    "สมชาย ใจดี",
    "प्रिया शर्मा",
    "Bartholomew " * 12,
    "B" * 300,
    "=1+1 <b>&amp;</b>",
    "\x00\ud800\u202e",
    "",
    "🧙",
    "Ann Lee",
)


def heading(paper: PaperSize = PaperSize.A4) -> PrintHeading:
    return PrintHeading(title="Thursday League, Evening 7", about="21 November 2025", paper=paper)


def link(table: int) -> str:
    return f"https://hearts.example.org/t/0193a1f2-7c4b-7e1d-9f3a-{table:012x}"


def evening_round(number: int, tables: int = 4, seats: int = 4) -> SeatedRound:
    """Seat the names in order, turned on by one table in each round."""
    count = tables * seats
    found = []
    for table in range(tables):
        places = [(table * seats + seat * (1 + number * seats)) % count for seat in range(seats)]
        sitters = tuple(
            PrintedSitter(
                SEATS[seat] if seats == 4 else f"Seat {seat + 1}",
                NAMES[place % len(NAMES)],
                str(place),
            )
            for seat, place in enumerate(places)
        )
        found.append(SeatedTable(table + 1, sitters, link(table + 1)))
    return SeatedRound(number, tuple(found), (PrintedSitter("", "Gus Sitout", "gus"),))
