"""Diagnostics in a page's words: how grave, where, why, and what would have been right."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy

from scoring.presentation.cards import CardFace, faces, one, seat_name
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


@dataclass(frozen=True, slots=True)
class PageRemark:
    """One diagnostic; ``at`` is the place in the play, empty where there is none."""

    severity: str
    label: str
    rule: str
    law: str
    line: int
    col: int
    end_col: int
    message: SafeString
    hint: str
    where: str
    card: CardFace | None
    legal: list[CardFace]
    at: str
    trick: int
    place: int
    play: int | None
    established: bool


def counts(findings: Iterable[Finding]) -> list[SeverityCount]:
    """Return the number of each severity, the gravest first."""
    found = Counter(one["severity"] for one in findings)
    return [SeverityCount(kind, COUNTS[kind] % found[kind]) for kind in ORDER if found[kind]]


def remarks(findings: list[Finding], record: Judged | None, number: int) -> list[PageRemark]:
    """The findings in the order of the text."""
    places = flat(record) if record else []
    rows = []
    for found in findings[:SHOWN_MAX]:
        play = _play(found, record)
        trick = places[play][0]["number"] if play is not None and play < len(places) else 0
        place = places[play][1] + 1 if play is not None and trick else 0
        rows.append(_remark(found, (number, trick, place), play if trick else None))
    return rows


def _play(found: Finding, record: Judged | None) -> int | None:
    # The flat index counts written cards; a trick and a seat say it more safely.
    if record is None or found["trick"] is None:
        return found["play"] if record else None
    for index, (trick, place) in enumerate(flat(record)):
        if trick["number"] == found["trick"] and trick["plays"][place]["seat"] == found["seat"]:
            return index
    return None


def _remark(found: Finding, at: tuple[int, int, int], play: int | None) -> PageRemark:
    parts = []
    if found["trick"] is not None:
        parts.append(_("trick %(n)d") % {"n": found["trick"]})
    if found["seat"] is not None:
        parts.append(seat_name(found["seat"]))
    return PageRemark(
        severity=found["severity"],
        label=str(LABELS[found["severity"]]),
        rule=found["rule"],
        law=found["law"] or "",
        line=found["line"],
        col=found["col"],
        end_col=found["end_col"],
        message=with_cards_of(found, sentence(found["message"])),
        hint=sentence(found["hint"]),
        where=", ".join(parts),
        card=one(found["card"]),
        legal=faces(found["legal"]),
        at=".".join(map(str, at)) if play is not None else "",
        trick=at[1],
        place=at[2],
        play=play,
        established=found["established"],
    )
