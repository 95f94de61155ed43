"""Convert a hand record to JSON-serializable data, as written and not yet judged."""

from collections.abc import Sequence
from typing import Any

from ..core.cards import NAMES, show
from ..core.seats import Seat, left_of
from .record import PASS_CALL, Detail, HandRecord

Plain = dict[str, Any]
"""Data of dictionaries, lists, texts, whole numbers, truth values and None."""


def by_seat(record: HandRecord, values: Sequence[Any]) -> Plain:
    """Return a mapping from seat name to value."""
    return dict(zip(record.seats, values, strict=True))


def seat_name(record: HandRecord, seat: Seat | None) -> str | None:
    """Return the name of a seat, or None for no seat."""
    return record.seats[seat] if seat is not None else None


def record_to_json(record: HandRecord) -> Plain:
    """Return the record as JSON-serializable data."""
    claim, first = record.claim, record.first_caller or Seat(0)
    return {
        "dealer": seat_name(record, record.dealer),
        "detail": str(record.detail),
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
        "namer": seat_name(record, record.namer),
        "pain": record.pain.letter if record.pain is not None else None,
        "claim": {"seat": record.seats[claim.seat], "tricks": claim.tricks} if claim else None,
        "rulings": [
            {
                "trick": row.trick,
                "seat": seat_name(record, row.seat),
                "code": row.code,
                "points": row.points,
                "text": row.text,
            }
            for row in record.rulings
        ],
        "totals": _totals(record),
    }


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
    return by_seat(record, [text or "-" for text in texts])


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
