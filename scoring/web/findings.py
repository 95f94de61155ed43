"""Diagnostics in a page's words: how grave, where, why, and what would have been right."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy

from scoring.presentation.cards import faces, seat_name
from scoring.presentation.checks import Finding, Judged
from scoring.web.board import flat
from scoring.web.engine_wording import sentence, with_cards_of
from scoring.web.record_listing import ORDER

SHOWN_MAX = 200
LABELS = {
    "error": gettext_lazy("Error"),
    "ruling": gettext_lazy("Ruling"),
    "warning": gettext_lazy("Warning"),
    "info": pgettext_lazy("a finding", "Note"),
}
COUNTS = {
    "error": ngettext_lazy("%d error", "%d errors"),
    "ruling": ngettext_lazy("%d ruling", "%d rulings"),
    "warning": ngettext_lazy("%d warning", "%d warnings"),
    "info": ngettext_lazy("%d note", "%d notes"),
}


@dataclass(frozen=True, slots=True)
class SeverityCount:
    severity: str
    text: str


def counts(findings: Iterable[Finding]) -> list[SeverityCount]:
    """Return the number of each severity, the gravest first."""
    found = Counter(finding["severity"] for finding in findings)
    return [SeverityCount(kind, COUNTS[kind] % found[kind]) for kind in ORDER if found[kind]]


def remarks(findings: list[Finding], record: Judged | None, number: int) -> list[dict[str, Any]]:
    """The findings in the order of the text, in the words of a page.

    ``at`` is the place in the play, empty where there is none, and ``play`` the card there.
    """
    places = flat(record) if record else []
    rows = []
    for found in findings[:SHOWN_MAX]:
        play = _play(found, record)
        trick, place = places[play] if play is not None and play < len(places) else (None, 0)
        parts = []
        if found["trick"] is not None:
            parts.append(_("trick %(n)d") % {"n": found["trick"]})
        if found["seat"] is not None:
            parts.append(seat_name(found["seat"]))
        rows.append(
            {
                **found,
                "label": str(LABELS[found["severity"]]),
                "message": with_cards_of(found, sentence(found["message"])),
                "hint": sentence(found["hint"]),
                "where": ", ".join(parts),
                "legal": faces(found["legal"]),
                "at": "" if trick is None else f"{number}.{trick['number']}.{place + 1}",
                "trick": 0 if trick is None else trick["number"],
                "play": None if trick is None else play,
            }
        )
    return rows


def _play(finding: Finding, record: Judged | None) -> int | None:
    # The flat index counts written cards; a trick and a seat say it more safely.
    if record is None or finding["trick"] is None:
        return finding["play"] if record else None
    for index, (trick, place) in enumerate(flat(record)):
        if trick["number"] == finding["trick"] and trick["plays"][place]["seat"] == finding["seat"]:
            return index
    return None
