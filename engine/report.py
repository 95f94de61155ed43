"""report: a verdict as plain data for JSON; the shape is documented in docs/api.md."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Final

from engine.cards import BIT, NAMES, Card, CardSet, card_set, count, show
from engine.carried import Carried, plays_for_chips
from engine.describe import sheet, title_of
from engine.faults import Code, Fault, Part
from engine.game import HandResult, final
from engine.judge import Finding, Judged, Verdict
from engine.play import Restrictions, legal_follows, legal_leads, restrictions
from engine.presets import variant_of
from engine.record import PASS_CALL, Detail, HandRecord
from engine.replay import Replay
from engine.rules import Rules
from engine.seats import Seat, left_of
from engine.sentences import sentence
from engine.settlement import Account, Settlement
from engine.switches import PainBy, Passing, SettledBy
from engine.tables import pot_row, score_columns, score_rows
from engine.told import with_stakes

Plain = dict[str, Any]
"""Data of dictionaries, lists, texts, whole numbers, truth values and None."""


def report(verdict: Verdict) -> Plain:
    """A whole verdict."""
    records = [report_record(judged) for judged in verdict.records]
    games: dict[int, list[int]] = {}
    for place, judged in enumerate(verdict.records):
        if judged.game is not None:
            games.setdefault(judged.game, []).append(place)
    return {
        "ok": verdict.ok,
        "diagnostics": [_diagnostic(Finding(one), None) for one in verdict.diagnostics],
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
    head |= _written(record)
    if judged.result is not None and judged.rules is not None:
        head |= _judged(judged.result, judged.rules, record)
    return head


def report_settlement(judged: Judged) -> Plain:
    """What is wrong with one record, and what came of it: `report_record` without the cards."""
    record, result = judged.entry.record, judged.result
    found: Plain = {name: _EMPTY[name] for name in SETTLED}
    found["diagnostics"] = [_diagnostic(one, record) for one in judged.findings]
    if record is not None and result is not None and judged.rules is not None:
        found["status"] = str(result.facts.status)
        found["sentence"] = sentence(result, judged.rules)
        if result.settlement is not None:
            found |= _settled(result.settlement, judged.rules, record)
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
    title = ", ".join(
        part for part in (f"Board {board}" if board else "", event or "") if part and part != "?"
    )
    return _EMPTY | {
        "line": judged.entry.line,
        "title": title or f"Record {judged.entry.number}",
        "number": record.number if record is not None else None,
        "date": value("Date"),
        "event": event,
        "site": value("Site"),
        "table": value("Table"),
        "variant": value("Variant"),
        "rules": _rules(judged.rules) if judged.rules is not None and record is not None else None,
        "seats": list(record.seats) if record is not None else [],
        "players": players,
        "diagnostics": [_diagnostic(one, record) for one in judged.findings],
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


def _diagnostic(finding: Finding, record: HandRecord | None) -> Plain:
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


def _by_seat(record: HandRecord, values: Sequence[Any]) -> Plain:
    return dict(zip(record.seats, values, strict=True))


def _seat(record: HandRecord, seat: Seat | None) -> str | None:
    return record.seats[seat] if seat is not None else None


def _hands(record: HandRecord, hands: Sequence[CardSet] | None) -> Plain | None:
    if hands is None or len(hands) != len(record.seats):
        return None
    return _by_seat(record, [show(held) for held in hands])


def _written(record: HandRecord) -> Plain:
    """What the record says, before anybody judged it."""
    claim = record.claim
    first = _first_caller(record)
    return {
        "dealer": _seat(record, record.dealer),
        "detail": str(record.detail) if record.detail else None,
        "status": "GAME" if record.detail is Detail.GAME else None,
        "centre": show(record.centre) if record.centre else None,
        "papers": _papers(record),
        "exchange": _exchange(record),
        "centre_bids": _centre_bids(record),
        "auction": None
        if record.auction is None
        else [
            {"seat": record.seats[left_of(first, record.players, place)], "call": _call(call)}
            for place, call in enumerate(record.auction)
        ],
        "namer": _seat(record, record.namer),
        "pain": record.pain.letter if record.pain is not None else None,
        "claim": {"seat": record.seats[claim.seat], "tricks": claim.tricks} if claim else None,
        "rulings": [
            {
                "trick": row.trick,
                "seat": _seat(record, row.seat),
                "code": row.code,
                "points": row.points,
                "text": row.text,
            }
            for row in record.rulings
        ],
        "totals": _totals(record),
    }


def _first_caller(record: HandRecord) -> Seat:
    """Eldest calls first, where the record does not say who did."""
    if record.first_caller is not None:
        return record.first_caller
    return left_of(record.dealer or Seat(0), record.players)


def _call(call: int | None) -> str:
    if call is None:
        return "-"
    # The notation reads a spoken pass as 0 chips (Q03).
    return "Pass" if call in (PASS_CALL, 0) else str(call)


def _papers(record: HandRecord) -> Plain | None:
    if record.papers is None:
        return None
    texts = [
        ("F" if paper.foot else "") + ("" if paper.number is None else str(paper.number))
        for paper in record.papers
    ]
    return _by_seat(record, [text or "-" for text in texts])


def _exchange(record: HandRecord) -> list[Plain] | None:
    if record.exchange is None:
        return None
    return [
        {
            "from": record.seats[passed.seat],
            "to": record.seats[passed.to],
            "cards": show(passed.cards),
        }
        for passed in record.exchange
    ]


def _centre_bids(record: HandRecord) -> list[Plain] | None:
    if record.bids is None:
        return None
    return [
        {
            "seat": record.seats[paper.seat],
            "card": None if paper.card is None else NAMES[paper.card],
            "bid": paper.bid,
            "shown": None if paper.shown is None else NAMES[paper.shown],
            "got": None if paper.got is None else NAMES[paper.got],
            "pays": paper.pays,
        }
        for paper in record.bids
    ]


def _totals(record: HandRecord) -> list[Plain] | None:
    if record.totals is None:
        return None
    return [
        {
            "rank": row.rank,
            "seat": record.seats[row.seat],
            "name": row.name,
            "total": row.total,
            "average": row.average,
            "settlement": row.settlement,
            "cash": row.cash,
        }
        for row in record.totals
    ]


def _judged(result: HandResult, rules: Rules, record: HandRecord) -> Plain:
    """What the engine found."""
    replayed, facts = result.replay, result.facts
    plain = {
        "status": str(facts.status),
        "provisional": result.provisional,
        "sentence": sentence(result, rules),
        "deal": _hands(record, replayed.dealt),
        "held": _hands(record, replayed.held),
        "passing": rules.direction(replayed.before.deals)
        if rules.passing is Passing.CYCLE
        else None,
        "bidder": _seat(record, facts.bidder),
        "bid": facts.bid if facts.bidder is not None else None,
        "namer": _seat(record, facts.namer),
        "pain": facts.pain.letter if facts.pain is not None else None,
        "jackpot": replayed.before.jackpot,
        "tricks": _tricks(replayed, rules, record),
        "captures": _captures(result, record),
    }
    if result.settlement is not None:
        plain |= _settled(result.settlement, rules, record)
    return plain


def _tricks(replayed: Replay, rules: Rules, record: HandRecord) -> list[Plain]:
    if replayed.facts.pain is None:
        return []
    limits = restrictions(rules, replayed.facts.pain, record.players)
    wrong = {
        (fault.trick, fault.seat)
        for fault in replayed.faults
        if fault.part is Part.PLAY and fault.seat is not None
    }
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


def _legal(  # noqa: PLR0913 - the situation of one play
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
    return _by_seat(record, rows)


def _settled(settled: Settlement, rules: Rules, record: HandRecord) -> Plain:
    chips = plays_for_chips(rules)
    columns = score_columns(rules)
    short = {record.seats[seat]: amount for seat, amount in enumerate(settled.shortfalls) if amount}
    return {
        "columns": list(columns),
        "scores": [
            {"seat": record.seats[row.seat], "values": dict(row.values)}
            for row in score_rows(rules, settled)
        ],
        "pot": asdict(pot_row(settled)) if chips else None,
        "postings": [
            {
                "kind": str(posting.kind),
                "payer": _account(record, posting.payer),
                "payee": _account(record, posting.payee),
                "amount": posting.amount,
            }
            for posting in settled.postings
        ],
        "clean": [record.seats[seat] for seat in settled.clean],
        "winners": [record.seats[seat] for seat in settled.winners],
        "odd": settled.odd,
        "shortfalls": short,
        "next": _next(settled, rules, record),
    }


def _account(record: HandRecord, account: Account) -> str:
    return account if isinstance(account, str) else record.seats[account]


def _next(settled: Settlement, rules: Rules, record: HandRecord) -> Plain:
    after = settled.after
    result = final(with_stakes(rules, record), after) if after.over is not None else None
    payout = result.payout.amounts if result is not None and result.payout is not None else None
    return next_hand(rules, after, record.seats) | {
        "payout": _by_seat(record, payout) if payout is not None else None,
        "currency": currency_of(rules, record) if payout is not None else None,
    }


def next_hand(rules: Rules, state: Carried, seats: Sequence[str]) -> Plain:
    """What the next hand of a game finds, by the names of the seats."""
    phase = "jackpot" if state.jackpot else "deal"
    if rules.pain is PainBy.AUCTION and not state.jackpot:
        phase = "auction"
    over = state.over is not None
    points = rules.settlement is not SettledBy.POT
    return {
        "dealer": seats[state.dealer],
        "phase": "over" if over else phase,
        "namer": None if state.namer is None else seats[state.namer],
        "passing": rules.direction(state.deals) if rules.passing is Passing.CYCLE else None,
        "pot": state.pot,
        "jackpot": state.jackpot,
        "chips": _named(seats, state.chips) if plays_for_chips(rules) else None,
        "totals": _named(seats, state.totals) if points else None,
        "feet_used": [seats[seat] for seat in sorted(state.feet)],
        "over": None if state.over is None else str(state.over),
        "places": _named(seats, final(rules, state).places) if over else None,
    }


def _named(seats: Sequence[str], values: Sequence[int]) -> dict[str, int]:
    return dict(zip(seats, values, strict=True))


def currency_of(rules: Rules, record: HandRecord) -> str | None:
    """The currency in which money amounts are, if the record or its rules name one."""
    named = record.currency or rules.currency
    return None if named == "none" else named


def _game_title(judged: Judged) -> str:
    document = judged.entry.document
    names = ("Event", "Table")
    parts = [document.value(name) for name in names]
    event, table = ((part if part not in (None, "?", "") else None) for part in parts)
    return ", ".join(filter(None, [event, f"table {table}" if table else None])) or "Game"
