"""Everything the templates need for one text, as values."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.rules.rule_sheet import title_of
from scoring.presentation.checks import PROFILES, Report
from scoring.presentation.hand_view import HandView
from scoring.web.board import board, cursor_at
from scoring.web.findings import LABELS, SeverityCount, counts, remarks
from scoring.web.record_listing import listing, worst
from scoring.web.record_upload import RecordPlace
from tournaments.core.language import translate
from tournaments.web.number_format import NOTHING

RECORDS_SHOWN = 100
MARKS_MAX = 2000


@dataclass(frozen=True, slots=True)
class RecordRow:
    """A record in a list: the most severe finding about it, and how many of each there are.

    ``number`` is its place in the text, ``hand`` the number that it bears itself; ``values`` are
    chips or points after it, for each seat of its game.
    """

    number: int
    hand: str
    view: HandView
    severity: str
    label: str
    counts: list[SeverityCount]
    values: list[int | str]


@dataclass(frozen=True, slots=True)
class GameTable:
    title: str
    unit: str
    seats: list[tuple[str, str]]
    rows: list[RecordRow]
    has_pot: bool


def rule_choices() -> list[tuple[str, str]]:
    """The rule sets to choose from, by the name that a record uses."""
    return [(variant, translate(title_of(rules))) for variant, rules in PROFILES.items()]


def answer(report: Report, text: str, place: RecordPlace) -> dict[str, Any]:
    """The context of a checked text, with one of its records opened."""
    records = report["records"]
    number = min(place.record, max(len(records), 1))
    record = records[number - 1] if records else None
    findings = report["diagnostics"] + (record["diagnostics"] if record else [])
    every = report["diagnostics"] + [d for r in records for d in r["diagnostics"]]
    first = max(number - 1 - RECORDS_SHOWN // 2, 0)
    listed = range(first, min(first + RECORDS_SHOWN, len(records))) if len(records) > 1 else ()
    return {
        "report": report,
        "counts": counts(every),
        "worst": worst(every),
        "records": len(records),
        "any_hand": any(r["status"] for r in records),
        "every_card": all(r["tricks"] and r["status"] == "PLAYED" for r in records),
        "choices": list(_rows(report, listed)),
        "number": number,
        "remarks": remarks(findings, record, number),
        "listing": listing(text, every, start=record["line"] if record else 1),
        "marks": " ".join(f"{d['line']}:{d['severity']}" for d in every[:MARKS_MAX]),
        "game": _game(report, number),
        **(view_context(HandView(record, number), place) if record else {}),
    }


def view_context(view: HandView, place: RecordPlace) -> dict[str, Any]:
    """One hand, with its table at a place of its play."""
    cursor = cursor_at(view.record, place.trick, place.card) if place.trick else 0
    shown = board(view, cursor)
    return {
        "hand_view": view,
        "record": view.record,
        "board": shown,
        "tricks": shown.timeline if shown else [],
    }


def _rows(report: Report, places: Iterable[int], seats: Sequence[str] = ()) -> Iterator[RecordRow]:
    for place in places:
        record = report["records"][place]
        view, severity = HandView(record, place + 1), worst(record["diagnostics"])
        yield RecordRow(
            number=view.number,
            hand=str(record["number"] or view.number),
            view=view,
            severity=severity,
            label=str(LABELS.get(severity, "")),
            counts=counts(record["diagnostics"]),
            values=[view.holdings_after.get(seat, NOTHING) for seat in seats],
        )


def _game(report: Report, number: int) -> GameTable | None:
    """The game that the opened record belongs to, when it has more hands."""
    line = next((g for g in report["games"] if number - 1 in g["records"]), None)
    if line is None or len(line["records"]) < 2:
        return None
    places = line["records"][-RECORDS_SHOWN:]
    first = report["records"][places[0]]
    chips = any(report["records"][place]["pot"] for place in places)
    return GameTable(
        title=translate(line["title"]),
        unit=_("chips") if chips else _("points"),
        seats=[(seat, first["players"].get(seat, "")) for seat in first["seats"]],
        rows=list(_rows(report, places, first["seats"])),
        has_pot=chips,
    )
