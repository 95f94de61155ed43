"""report: a verdict as plain data for JSON, as the API and the command line give it."""

from collections.abc import Sequence
from typing import Final

from ..core.cards import BIT, NAMES, Card, CardSet, card_set, count, show
from ..core.faults import Code, Fault, Part
from ..core.messages import Message, join_items
from ..core.seats import Seat, left_of
from ..games.game import HandResult
from ..record.json import Plain, by_seat, record_to_json, seat_name
from ..record.record import HandRecord
from ..replay.play import Restrictions, legal_follows, legal_leads, restrictions
from ..replay.replay import Replay
from ..rules.presets import variant_of
from ..rules.rule_sheet import sheet, title_of
from ..rules.rules import Rules
from ..rules.switches import Passing
from .judge import Judged, JudgedFault, Verdict
from .sentences import sentence
from .settlement_json import settlement_to_json


def report(verdict: Verdict) -> Plain:
    """A whole verdict."""
    records = [report_record(judged) for judged in verdict.records]
    games: dict[int, list[int]] = {}
    for place, judged in enumerate(verdict.records):
        if judged.game is not None:
            games.setdefault(judged.game, []).append(place)
    return {
        "ok": verdict.ok,
        "diagnostics": [
            _diagnostic(JudgedFault(diagnostic), None) for diagnostic in verdict.diagnostics
        ],
        "records": records,
        "games": [
            {"records": places, "title": _game_title(verdict.records[places[0]])}
            for places in games.values()
        ],
    }


def report_record(judged: Judged) -> Plain:
    """One record."""
    record = judged.entry.record
    head = _head(judged)
    if record is None:
        return head
    head |= record_to_json(record if judged.result is None else judged.result.replay.record)
    if judged.result is not None and judged.rules is not None:
        head |= _judgement_to_json(judged, judged.result, record)
    return head


def report_settlement(judged: Judged) -> Plain:
    """Report the faults and the settlement of one record: `report_record` without the cards."""
    record, result = judged.entry.record, judged.result
    found: Plain = {name: _EMPTY[name] for name in SETTLED}
    found["diagnostics"] = [_diagnostic(finding, record) for finding in judged.findings]
    if record is not None and result is not None and judged.rules is not None:
        found["status"] = str(result.facts.status)
        found["sentence"] = sentence(result, judged.rules)
        if result.settlement is not None:
            found |= settlement_to_json(result.settlement, judged.rules, record)
    return found


SETTLED: Final = (
    *("status", "diagnostics", "sentence", "columns", "scores", "pot", "postings"),
    *("clean", "winners", "odd", "shortfalls", "next"),
)


def _head(judged: Judged) -> Plain:
    document, record = judged.entry.document, judged.entry.record
    value = document.value
    players = {}
    if record is not None and record.names:
        players = dict(zip(record.seats, record.names, strict=True))
    board, event = value("Board"), value("Event")
    number = Message("Board {number}", number=board) if board else ""
    titles = [part for part in (number, event or "") if part and part != "?"]
    return _EMPTY | {
        "line": judged.entry.line,
        "title": join_items(titles)
        if titles
        else Message("Record {number}", number=judged.entry.number),
        "number": record.number if record is not None else None,
        "date": value("Date"),
        "event": event,
        "site": value("Site"),
        "table": value("Table"),
        "variant": value("Variant"),
        "rules": _rules(judged.rules) if judged.rules is not None and record is not None else None,
        "seats": list(record.seats) if record is not None else [],
        "players": players,
        "diagnostics": [_diagnostic(finding, record) for finding in judged.findings],
    }


_EMPTY: Final[Plain] = {
    "line": 1,
    "title": "",
    "number": None,
    "date": None,
    "event": None,
    "site": None,
    "table": None,
    "variant": None,
    "rules": None,
    "seats": [],
    "players": {},
    "dealer": None,
    "detail": None,
    "status": None,
    "provisional": False,
    "diagnostics": [],
    "sentence": "",
    "deal": None,
    "centre": None,
    "papers": None,
    "passing": None,
    "exchange": None,
    "centre_bids": None,
    "held": None,
    "auction": None,
    "bidder": None,
    "bid": None,
    "namer": None,
    "pain": None,
    "jackpot": 0,
    "tricks": [],
    "claim": None,
    "captures": None,
    "columns": [],
    "scores": None,
    "pot": None,
    "postings": [],
    "clean": [],
    "winners": [],
    "odd": 0,
    "shortfalls": {},
    "rulings": [],
    "next": None,
    "totals": None,
}


def _rules(rules: Rules) -> Plain:
    variant, overrides = variant_of(rules)
    return {
        "title": title_of(rules),
        "variant": variant,
        "overrides": overrides,
        "digest": rules.digest,
        "sheet": [list(line) for line in sheet(rules)],
    }


def _diagnostic(finding: JudgedFault, record: HandRecord | None) -> Plain:
    said, fault = finding
    return {
        "rule": str(said.rule),
        "name": _code_name(str(said.rule)),
        "law": fault.rule if fault is not None else None,
        "severity": str(said.severity),
        "line": said.line,
        "col": said.col,
        "end_col": said.end_col,
        "record": said.record,
        "tag": said.tag or None,
        "message": said.message,
        "hint": said.hint or None,
    } | _fault(fault, record)


def _code_name(rule: str) -> str | None:
    return next((code.name for code in Code if code == rule), None)


def _fault(fault: Fault | None, record: HandRecord | None) -> Plain:
    if fault is None or record is None:
        return dict.fromkeys(("trick", "seat", "card", "legal", "play")) | {"established": False}
    return {
        "trick": fault.trick,
        "seat": record.seats[fault.seat] if fault.seat is not None else None,
        "card": NAMES[fault.card] if fault.card is not None else None,
        "legal": show(fault.legal) if fault.legal else None,
        "play": fault.index if fault.part is Part.PLAY else None,
        "established": fault.established,
    }


def _hands(record: HandRecord, hands: Sequence[CardSet] | None) -> Plain | None:
    if hands is None or len(hands) != len(record.seats):
        return None
    return by_seat(record, [show(held) for held in hands])


def _judgement_to_json(judged: Judged, result: HandResult, record: HandRecord) -> Plain:
    """Return the engine's findings."""
    replayed, facts, rules = result.replay, result.facts, judged.rules or result.replay.rules
    plain = {
        "status": str(facts.status),
        "provisional": result.provisional,
        "sentence": sentence(result, rules),
        "deal": _hands(record, replayed.dealt),
        "held": _hands(record, replayed.held),
        "passing": rules.direction(replayed.before.deals)
        if rules.passing is Passing.CYCLE
        else None,
        "bidder": seat_name(record, facts.bidder),
        "bid": facts.bid if facts.bidder is not None else None,
        "namer": seat_name(record, facts.namer),
        "pain": facts.pain.letter if facts.pain is not None else None,
        "jackpot": replayed.before.jackpot,
        "tricks": _tricks(replayed, record, _wrong_plays(judged)),
        "captures": _captures(result, record),
    }
    if result.settlement is not None:
        plain |= settlement_to_json(result.settlement, rules, record)
    return plain


def _wrong_plays(judged: Judged) -> set[tuple[int | None, Seat]]:
    """Trick and seat of every card that a finding is about; a repair explains the others."""
    faults = [finding.fault for finding in judged.findings]
    return {
        (fault.trick, fault.seat)
        for fault in faults
        if fault is not None and fault.part is Part.PLAY and fault.seat is not None
    }


def _tricks(
    replayed: Replay, record: HandRecord, wrong: set[tuple[int | None, Seat]]
) -> list[Plain]:
    if replayed.facts.pain is None:
        return []
    limits = restrictions(replayed.rules, replayed.facts.pain, record.players)
    held = list(replayed.held or ())
    broken = False
    plain = []
    for number, trick in enumerate(replayed.tricks, 1):
        plays = []
        for place, card in enumerate(trick.cards):
            seat = left_of(trick.leader, record.players, place)
            lead = trick.cards[0] if place else None
            legal = _legal(held, seat, lead, limits, first=number == 1, broken=broken)
            if held:
                held[seat] = CardSet(held[seat] & ~BIT[card])
            plays.append(
                {
                    "seat": record.seats[seat],
                    "card": NAMES[card],
                    "legal": legal,
                    "fault": (number, seat) in wrong,
                }
            )
        cards = card_set(trick.cards)
        broken = broken or bool(cards & limits.breakers)
        plain.append(
            {
                "number": number,
                "leader": record.seats[trick.leader],
                "plays": plays,
                "winner": record.seats[trick.winner],
                "pain": count(CardSet(cards & limits.pain)),
            }
        )
    return plain


def _legal(
    held: list[CardSet],
    seat: Seat,
    lead: Card | None,
    limits: Restrictions,
    *,
    first: bool,
    broken: bool,
) -> str | None:
    if not held:
        return None
    if lead is None:
        return show(legal_leads(held[seat], limits, first=first, broken=broken))
    return show(legal_follows(held[seat], lead, limits, first=first))


def _captures(result: HandResult, record: HandRecord) -> Plain | None:
    replayed, facts = result.replay, result.facts
    if not facts.taken or facts.pain is None:
        return None
    limits = restrictions(replayed.rules, facts.pain, record.players)
    rows = []
    for seat in range(record.players):
        cards = replayed.taken[seat] if replayed.taken is not None else None
        rows.append(
            {
                "cards": None if cards is None else show(CardSet(cards & limits.penalty)),
                "pain": facts.taken[seat],
                "queen": facts.queen == seat,
                "tricks": facts.tricks[seat] if facts.tricks else None,
            }
        )
    return by_seat(record, rows)


def _game_title(judged: Judged) -> str:
    document = judged.entry.document
    names = ("Event", "Table")
    parts = [document.value(name) for name in names]
    event, table = ((part if part not in (None, "?", "") else None) for part in parts)
    titles = [event] if event else []
    if table:
        titles.append(Message("table {table}", table=table))
    return join_items(titles) if titles else Message("Game")
