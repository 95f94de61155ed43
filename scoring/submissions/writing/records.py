"""A record as text: it stays as it was sent; only what the game knows and it lacks is added.

Nothing that is written is contradicted, and what cannot be read stays as it is. Tags are added in
the line of the first tag, so that every place in the text is still in the line that was sent.
"""

import io
from codecs import BOM_UTF8
from collections.abc import Mapping
from typing import Final

from engine.notation.building import to_document
from engine.notation.document import Document, Tag, quote
from engine.notation.reader import RecordEntry
from engine.notation.sections import listed_seats
from engine.record.record import Detail, HandRecord
from engine.replay.replay import replay
from engine.rules.switches import JackpotSuit, PainBy
from scoring.submissions.reading import SubmittedRecord, read_hand
from scoring.submissions.writing.table import GameContext

_NOTHING: Final = ("", "?", "-")
_BRIDGE: Final = ("Vulnerable", "Contract", "Result")
"""Tags that say something only in a record of bridge."""


def from_record(
    table: GameContext, text: bytes, entry: RecordEntry | None = None
) -> SubmittedRecord:
    """The record with the tags that the game knows, where it lacks one; else as it was sent.

    ``entry`` is the same text as it was read already (`read_hand`).
    """
    return _complete_record(table, read_hand(text, entry))


def _complete_record(table: GameContext, sent: SubmittedRecord) -> SubmittedRecord:
    # Where there are zero bytes, letters are wider than a byte, and bytes cannot be put between.
    entry = sent.entry
    if not sent.is_one or _lacks_nothing(table, entry) or b"\0" in sent.text or not _is_ours(entry):
        return sent
    wanted = _missing_tags(table, entry)
    if not wanted:
        return sent
    more = read_hand(_set_tags(sent.text, entry.document, wanted))
    says = more.is_one and all(more.entry.value(name) == value for name, value in wanted.items())
    if not says:
        return sent
    # What was no record of ours before has become one, and can tell who won its auction.
    return _complete_record(table, more) if entry.record is None else more


def _lacks_nothing(table: GameContext, entry: RecordEntry) -> bool:
    """Whether all that a game knows is written, as nearly always; seen without the text."""
    record = entry.record
    if record is None or record.rules is None or None in (record.number, record.dealer):
        return False
    if record.namer is None and table.rules.pain is PainBy.AUCTION:
        return False
    return bool(entry.value("Seats")) and (record.jackpot is not None or not table.jackpot)


def _is_ours(entry: RecordEntry) -> bool:
    """Whether this is a record of one hand, or can be one: not of bridge, not of a whole game."""
    document = entry.document
    if not document.tags or not all(_is_blank(document, name) for name in _BRIDGE):
        return False
    if entry.record is None:
        return entry.ok
    return entry.record.detail is not Detail.GAME


def _is_blank(document: Document, name: str) -> bool:
    return (document.value(name) or "").strip() in _NOTHING


def _missing_tags(table: GameContext, entry: RecordEntry) -> dict[str, str]:
    """The tags that the game knows and the record lacks."""
    document, known = entry.document, _game_tags(table)
    names = ["Board", "Dealer", *_jackpot_tags(table, document)]
    if _is_blank(document, "Variant") and _is_blank(document, "Rules"):
        names += ["Variant", "Rules"]
    listed = listed_seats({tag.name: tag for tag in reversed(document.tags)})
    if {*listed} <= {*table.seats}:
        names.append("Seats")
    wanted = {name: known[name] for name in names if known.get(name) and _is_blank(document, name)}
    if "Declarer" not in wanted and _is_blank(document, "Declarer"):
        wanted |= _declarer(table, entry.record)
    return wanted


def _game_tags(table: GameContext) -> Mapping[str, str]:
    """Return the game's knowledge as tags."""
    before = table.before
    record = HandRecord(
        seats=table.seats,
        rules=table.rules,
        number=table.number,
        dealer=None if before is None else before.dealer,
        jackpot=table.jackpot,
        namer=before.namer if before is not None and table.jackpot else None,
        pain=before.pain if before is not None and table.jackpot else None,
    )
    return {tag.name: tag.value for tag in to_document(record).tags}


def _jackpot_tags(table: GameContext, document: Document) -> list[str]:
    """Return the tags of a jackpot hand; none where the table bid all the same."""
    if not table.jackpot or document.tag("AuctionTable") or document.tag("Auction"):
        return []
    same = table.rules.jackpot_suit is JackpotSuit.SAME
    return ["Jackpot", "Declarer", *(["PainSuit"] if same else [])]


def _declarer(table: GameContext, record: HandRecord | None) -> dict[str, str]:
    """Return the winner of the auction that is written."""
    if record is None or record.auction is None or table.rules.pain is not PainBy.AUCTION:
        return {}
    if table.before is None or len(record.seats) != table.players:
        return {}
    bidder = replay(record, table.rules, table.before).facts.bidder
    return {} if bidder is None else {"Declarer": record.seats[bidder]}


def _set_tags(text: bytes, document: Document, wanted: Mapping[str, str]) -> bytes:
    """The text with some tags: a blank value is filled in, what is missing comes first."""
    head = BOM_UTF8 if text.startswith(BOM_UTF8) else b""
    body = text[len(head) :]
    try:
        written, encoding = body.decode(), "utf-8"
    except UnicodeDecodeError:
        written, encoding = body.decode("latin-1"), "latin-1"
    lines = list(io.StringIO(written, newline=""))
    places = {tag.name: tag for tag in reversed(document.tags)}
    new = [(name, value) for name, value in wanted.items() if name not in places]
    filled = [places[name] for name in wanted if name in places]
    for tag in sorted(filled, key=lambda tag: tag.value_spot[:2], reverse=True):
        _fill(lines, tag, wanted[tag.name])
    first = document.tags[0].spot
    if new and first.line <= len(lines):
        line, at = lines[first.line - 1], first.col - 1
        added = "".join(f"[{name} {quote(value)}] " for name, value in new)
        lines[first.line - 1] = line[:at] + added + line[at:]
    return head + "".join(lines).encode(encoding, "replace")


def _fill(lines: list[str], tag: Tag, value: str) -> None:
    """Write a value where there was none; it must stand between quotes on its line."""
    spot = tag.value_spot
    if spot.line > len(lines):
        return
    line, at = lines[spot.line - 1], spot.col - 1
    end = at + len(tag.value)
    if line[at - 1 : at] == '"' and line[end : end + 1] == '"':
        lines[spot.line - 1] = line[:at] + quote(value)[1:-1] + line[end:]
