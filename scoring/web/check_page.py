"""Everything the templates need for one text, as values."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.rules.rule_sheet import title_of
from scoring.presentation import hand_summary
from scoring.presentation.cards import faces, seat_name, sitter_name, suit_name
from scoring.presentation.checks import PROFILES, Judged, Report
from scoring.presentation.ruling_names import title_of as irregularity_of
from scoring.web.board import TableView, board, cursor_at
from scoring.web.findings import LABELS, SeverityCount, counts, remarks
from scoring.web.record_listing import listing, worst
from scoring.web.record_upload import RecordPlace
from tournaments.core.language import translate
from tournaments.web.number_format import NOTHING

RECORDS_SHOWN = 100
MARKS_MAX = 2000


@dataclass(frozen=True, slots=True)
class RecordChoice:
    """A record in the list of those in the text."""

    number: int
    title: str
    status: str
    severity: str
    counts: list[SeverityCount]
    current: bool
    at: str


@dataclass(frozen=True, slots=True)
class CheckedHandRow:
    """A hand of a game, and what everybody had after it."""

    number: int
    at: str
    current: bool
    hand: str
    sentence: str
    status: str
    severity: str
    label: str
    values: list[str]
    pot: str


@dataclass(frozen=True, slots=True)
class GameTable:
    title: str
    unit: str
    seats: list[tuple[str, str]]
    lines: list[CheckedHandRow]
    more: int
    has_pot: bool


def rule_choices() -> list[tuple[str, str]]:
    """The rule sets to choose from, by the name that a record uses."""
    return [(variant, translate(title_of(rules))) for variant, rules in PROFILES.items()]


def answer(report: Report, text: str, place: RecordPlace) -> dict[str, Any]:
    """The context of a checked text, with one of its records opened."""
    number = min(place.record, max(len(report["records"]), 1))
    record = report["records"][number - 1] if report["records"] else None
    findings = report["diagnostics"] + (record["diagnostics"] if record else [])
    every = report["diagnostics"] + [d for r in report["records"] for d in r["diagnostics"]]
    return {
        "report": report,
        "counts": counts(every),
        "worst": worst(every),
        "records": len(report["records"]),
        "any_hand": any(r["status"] for r in report["records"]),
        "every_card": all(r["tricks"] and r["status"] == "PLAYED" for r in report["records"]),
        "choices": _choices(report, number),
        "number": number,
        "remarks": remarks(findings, record, number),
        "listing": listing(text, every, start=record["line"] if record else 1),
        "marks": " ".join(f"{d['line']}:{d['severity']}" for d in every[:MARKS_MAX]),
        "game": _game(report, number),
        **(record_context(record, number, place) if record else {}),
    }


def record_context(
    record: Judged, number: int, place: RecordPlace, called: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """One record with its table, its tricks and its settlement.

    ``called``: what people are called in sentences, by seat; without it they are their seats.
    """
    cursor = cursor_at(record, place.trick, place.card) if place.trick else 0
    shown: TableView | None = board(record, number=number, cursor=cursor, called=called)
    return {
        "record": translate(record),
        "record_counts": counts(record["diagnostics"]),
        "board": shown,
        "headline": hand_summary.headline(record),
        "status": hand_summary.status_words(record),
        "pain": suit_name(record["pain"]),
        "calls": hand_summary.calls(record),
        "passes": hand_summary.passes(record),
        "papers": hand_summary.papers(record),
        "centre": hand_summary.centre_lines(record),
        "centre_cards": faces(record["centre"]),
        "passing": str(
            hand_summary.DIRECTIONS.get(record["passing"] or "", record["passing"] or "")
        ),
        "taken": hand_summary.taken_cards(record),
        "columns": hand_summary.column_names(record),
        "score_lines": hand_summary.score_lines(record),
        "pot_facts": hand_summary.pot_facts(record),
        "postings": hand_summary.postings(record),
        "explained": hand_summary.explain_settlement(record, called or {}),
        "next_facts": hand_summary.next_facts(record),
        "standing": hand_summary.standing(record),
        "clean_names": [seat_name(seat) for seat in record["clean"]],
        "shortfalls": [(seat_name(s), n) for s, n in record["shortfalls"].items()],
        "rulings": [
            {
                **row,
                "seat": sitter_name(row["seat"] or "", record["players"]),
                "code": irregularity_of(row["code"] or "") or row["code"],
            }
            for row in record["rulings"]
        ],
        "claim_name": seat_name(record["claim"]["seat"]) if record["claim"] else "",
        "tricks": _tricks(record, shown, number) if shown else [],
    }


def _tricks(record: Judged, shown: TableView, number: int) -> list[dict[str, Any]]:
    """The play as a table: a row a trick, a column a seat."""
    lines: dict[int, dict[str, Any]] = {}
    for card in shown.played:
        lines.setdefault(card.trick, {})[card.seat] = card
    return [
        {
            "number": trick["number"],
            "at": f"{number}.{trick['number']}.0",
            "current": trick["number"] == shown.trick,
            "cells": [lines.get(trick["number"], {}).get(seat) for seat in record["seats"]],
            "winner": seat_name(trick["winner"] or ""),
            "pain": trick["pain"],
            "end": max(
                (card.play + 1 for card in lines.get(trick["number"], {}).values()), default=0
            ),
        }
        for trick in record["tricks"]
    ]


def _choices(report: Report, number: int) -> list[RecordChoice]:
    if len(report["records"]) < 2:
        return []
    first = max(number - 1 - RECORDS_SHOWN // 2, 0)
    return [
        RecordChoice(
            number=place,
            title=translate(record["title"]),
            status=hand_summary.status_words(record),
            severity=worst(record["diagnostics"]),
            counts=counts(record["diagnostics"]),
            current=place == number,
            at=f"{place}.0.0",
        )
        for place, record in enumerate(report["records"][first : first + RECORDS_SHOWN], first + 1)
    ]


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
        lines=[_hand(report["records"][p], p + 1, first["seats"], p + 1 == number) for p in places],
        more=len(line["records"]) - len(places),
        has_pot=chips,
    )


def _hand(record: Judged, number: int, seats: list[str], current: bool) -> CheckedHandRow:  # noqa: FBT001
    after = record["next"]
    counts_after = (after["chips"] or after["totals"] or {}) if after else {}
    return CheckedHandRow(
        number=number,
        at=f"{number}.0.0",
        current=current,
        hand=str(record["number"] or number),
        sentence=translate(record["sentence"]),
        status=hand_summary.status_words(record),
        severity=worst(record["diagnostics"]),
        label=str(LABELS.get(worst(record["diagnostics"]), "")),
        values=[str(counts_after.get(seat, NOTHING)) for seat in seats],
        pot=str(after["pot"]) if after else NOTHING,
    )
