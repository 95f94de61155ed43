"""Rows: settled hands for other programs, as lines of JSON or CSV."""

import csv
import json
from typing import Final

from ..games.game import HandResult
from ..notation.csv_profile import guard_formula
from ..record.json import Plain
from ..rules.rules import Rules
from ..verdicts.judge import Judged
from ..verdicts.report import report_record
from ..verdicts.settlement_json import currency_of
from .screen import Screen
from .standings import end_of_game

_SCORES: Final = (
    "Pain",
    "Hearts",
    "Queen",
    "Insurance",
    "Centre",
    "Adjust",
    "Moon",
    "Points",
    "Total",
    "Before",
    "Bid",
    "Paid",
    "Won",
    "After",
)
_POT: Final = ("Before", "Bid", "Paid", "Won", "After")
_HEAD: Final = ("File", "Record", "Game", "Hand", "Board", "Dealer", "Status", "Ok")
_NEXT: Final = ("NextDealer", "NextJackpot", "NextNamer", "Over", "Place")
HEADER: Final = (
    *_HEAD,
    "Bidder",
    "HighBid",
    "PainSuit",
    *(f"Pot{name}" for name in _POT),
    "Seat",
    "Player",
    *_SCORES,
    *_NEXT,
)
"""The columns of the CSV rows: one row for each seat of each settled hand."""


class JsonRows:
    """One line of JSON for each record, and one for each game that is over."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen

    def add(self, file: str, judged: Judged) -> None:
        """One record: the same data as the page and the API have."""
        place = {"file": file, "game": judged.game, "hand": judged.hand}
        self._write(place | report_record(judged) | {"ok": judged.ok})
        result, rules = judged.result, judged.rules
        if not judged.counts or result is None or rules is None:
            return
        if result.after.over is not None:
            self._write(place | {"final": _final(result, rules)})

    def close(self) -> None:
        """Nothing waits."""

    def _write(self, plain: Plain) -> None:
        self._screen.raw(json.dumps(plain, ensure_ascii=self._screen.ascii_only) + "\n")


def _final(result: HandResult, rules: Rules) -> Plain:
    record = result.replay.record
    end = end_of_game(rules, record, result.after)
    seats = record.seats
    return {
        "over": str(result.after.over),
        "places": dict(zip(seats, end.places, strict=True)),
        "settlement": end.net and dict(zip(seats, map(str, end.net), strict=True)),
        "payout": end.payout and dict(zip(seats, end.payout.amounts, strict=True)),
        "club": end.payout.fund if end.payout else 0,
        "currency": currency_of(rules, record) if end.payout else None,
        "left": end.left,
    }


class CsvRows:
    """CSV with one row for each seat of each settled hand; spreadsheets take no cell for code."""

    def __init__(self, screen: Screen) -> None:
        self._writer = csv.writer(_Lines(screen), lineterminator="\n")
        self._writer.writerow(HEADER)

    def add(self, file: str, judged: Judged) -> None:
        """One record; what is not settled, and what does not count, has no rows."""
        for row in judged.to_rows():
            cells = [file, *(_cell(row.get(name)) for name in HEADER[1:])]
            self._writer.writerow([guard_formula(cell) for cell in cells])

    def close(self) -> None:
        """Nothing waits."""


class _Lines:
    """A screen as the file that the csv module wants."""

    def __init__(self, screen: Screen) -> None:
        self.write = screen.raw


def _cell(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)
