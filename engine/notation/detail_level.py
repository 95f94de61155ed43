"""The level of detail of a record, and what it lacks for the next (notation.md 3.1)."""

from collections.abc import Mapping, Set
from typing import Final

from ..core.cards import Suit
from ..core.faults import Severity
from ..core.messages import Message
from ..record.record import Detail, Ending, HandRecord
from ..replay.auction import is_bid
from ..rules.rules import Rules
from ..rules.switches import AllPass, PainBy
from .diagnostics import DiagnosticCollector, NotationRule, Spot
from .document import Document
from .sheet import NOTHING, DocumentReader

_RANK: Final = {Detail.GAME: 0, Detail.SCORE: 1, Detail.PLAY: 2, Detail.FULL: 3}
_UNPLAYED: Final = ("foot", "passed-out", "redeal", "abandoned", "unterminated", "adjudicated")


def level_of(document: Document) -> Detail:
    """The level of detail that a document really has."""
    names = {tag.name for tag in document.tags if tag.rows}
    return level_with(names, {tag.name: tag.value for tag in reversed(document.tags)})


def level_with(names: Set[str], values: Mapping[str, str]) -> Detail:
    """The level of a record with these tables, and these values of its tags."""
    return Detail.from_parts(
        dealt=values.get("Deal", "") not in NOTHING or "DealTable" in names,
        played="PlayTable" in names or "Play" in names,
        needs_no_play=_needs_no_play(values),
        is_total="TotalScoreTable" in names and "ScoreTable" not in names,
    )


def _needs_no_play(values: Mapping[str, str]) -> bool:
    """Whether the hand ended before a trick was played, or may have."""
    ending = values.get("Termination", "").lower()
    tricks = values.get("Claim", "").split()[1:]
    return ending in _UNPLAYED or (ending == "claim" and bool(tricks) and not tricks[0].strip("+0"))


def check_level(sheet: DocumentReader, record: HandRecord, claimed: Detail | None) -> None:
    """Compare the claimed level with the real one, and name the tags that are missing."""
    real = level_of(sheet.document)
    if claimed is not None and _RANK[claimed] > _RANK[real]:
        message = Message(
            "Detail says {written}, but the record has only what {real} needs",
            written=claimed,
            real=real,
        )
        spot = sheet.tags["Detail"].value_spot
        hint = Message("write {text}", text=real)
        sheet.report.add(NotationRule.DETAIL_TOO_HIGH, spot, message, hint=hint)
    elif claimed is not None and claimed is not real and Detail.GAME not in (claimed, real):
        message = Message(
            "Detail says {written}; the record has what {real} needs", written=claimed, real=real
        )
        spot, hint = sheet.tags["Detail"].value_spot, Message("write {text}", text=real)
        severity = Severity.WARNING
        sheet.report.add(NotationRule.DETAIL_TOO_HIGH, spot, message, hint=hint, severity=severity)
    tags = sheet.document.tags
    written = {name for name, tag in sheet.tags.items() if tag.value.strip() not in NOTHING}
    spot = tags[0].spot if tags else Spot(1, 1, 2)
    report_missing_tags(record, claimed or real, written, spot, sheet.report)


def report_missing_tags(
    record: HandRecord,
    level: Detail,
    written: Set[str],
    spot: Spot,
    report: DiagnosticCollector,
) -> None:
    """Report the tags that a level asks for and that do not say anything, at the first tag."""
    for name in _needed_tags(record, level, written):
        if name not in written:
            report.add(
                NotationRule.TAG_MISSING,
                Spot(spot.line, spot.col, spot.end, name),
                Message("the tag {tag} is missing or says nothing", tag=name),
                hint=Message("add [{tag} ...]", tag=name),
                severity=Severity.WARNING if name in _MILD else None,
            )


_MILD: Final = ("Variant", "Detail")


def _needed_tags(record: HandRecord, level: Detail, written: Set[str]) -> list[str]:
    """The tags that the level asks for."""
    needed = ["Detail"] if "Variant" in written or "Rules" in written else ["Variant", "Detail"]
    if level is Detail.GAME:
        needed.append("Hands")
    else:
        needed.append("Dealer")
    if record.ending is Ending.CLAIM:
        needed.append("Claim")
    if _has_pain_named(record, level):
        needed += _of_naming(record)
    return needed


def _of_naming(record: HandRecord) -> list[str]:
    """The tags that tell who named which suit; nobody did where all passed and hearts are played.

    The suit may be written all the same, as hearts (DEC-3).
    """
    assert record.rules is not None
    nobody = record.namer is None and record.pain in (None, Suit.HEARTS)
    if nobody and record.rules.all_pass is AllPass.PLAY_HEARTS and not _shows_bid(record):
        return []
    return ["Declarer", "PainSuit"]


def _shows_bid(record: HandRecord) -> bool:
    """Whether somebody bid: a call is written, or the chips that were paid."""
    assert record.rules is not None
    called = any(is_bid(record.rules, call) for call in record.auction or ())
    paid = any(row.values.get("Bid") for row in record.scores or ())
    return called or paid or (record.pot is not None and record.pot.bid > 0)


def _has_pain_named(record: HandRecord, level: Detail) -> bool:
    if record.rules is None or level is Detail.GAME:
        return False
    played = record.ending in (None, Ending.NORMAL, Ending.CLAIM)
    return played and is_pain_named(record.rules)


def is_pain_named(rules: Rules) -> bool:
    """Whether somebody names the pain suit under these rules."""
    return rules.pain is PainBy.AUCTION
