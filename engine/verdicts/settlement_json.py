"""A settlement as plain data for JSON: what a hand came to, and what the next one finds."""

from collections.abc import Sequence
from dataclasses import asdict

from ..games.game import final
from ..record.game_state import GameState
from ..record.json import Plain, by_seat
from ..record.record import HandRecord
from ..replay.opening_state import with_stakes
from ..rules.rules import Rules, plays_for_chips
from ..rules.switches import PainBy, Passing, SettledBy
from ..settlement.settlement import Account, Settlement
from ..settlement.tables import pot_row, score_columns, score_rows


def settlement_to_json(settlement: Settlement, rules: Rules, record: HandRecord) -> Plain:
    """Return the settlement seat by seat and chip by chip, and the next hand's inheritance."""
    chips = plays_for_chips(rules)
    columns = score_columns(rules)
    short = {
        record.seats[seat]: amount for seat, amount in enumerate(settlement.shortfalls) if amount
    }
    return {
        "columns": list(columns),
        "scores": [
            {"seat": record.seats[row.seat], "values": dict(row.values)}
            for row in score_rows(rules, settlement)
        ],
        "pot": asdict(pot_row(settlement)) if chips else None,
        "postings": [
            {
                "kind": str(posting.kind),
                "payer": _account(record, posting.payer),
                "payee": _account(record, posting.payee),
                "amount": posting.amount,
            }
            for posting in settlement.postings
        ],
        "clean": [record.seats[seat] for seat in settlement.clean],
        "winners": [record.seats[seat] for seat in settlement.winners],
        "odd": settlement.odd,
        "shortfalls": short,
        "next": _next(settlement, rules, record),
    }


def _account(record: HandRecord, account: Account) -> str:
    return account if isinstance(account, str) else record.seats[account]


def _next(settled: Settlement, rules: Rules, record: HandRecord) -> Plain:
    after = settled.after
    result = final(with_stakes(rules, record), after) if after.over is not None else None
    payout = result.payout.amounts if result is not None and result.payout is not None else None
    return next_hand(rules, after, record.seats) | {
        "payout": by_seat(record, payout) if payout is not None else None,
        "currency": currency_of(rules, record) if payout is not None else None,
    }


def next_hand(rules: Rules, state: GameState, seats: Sequence[str]) -> Plain:
    """Return the inheritance of the next hand, by the names of the seats."""
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
        "chips": _by_seat_name(seats, state.chips) if plays_for_chips(rules) else None,
        "totals": _by_seat_name(seats, state.totals) if points else None,
        "feet_used": [seats[seat] for seat in sorted(state.feet)],
        "over": None if state.over is None else str(state.over),
        "places": _by_seat_name(seats, final(rules, state).places) if over else None,
    }


def _by_seat_name(seats: Sequence[str], values: Sequence[int]) -> dict[str, int]:
    return dict(zip(seats, values, strict=True))


def currency_of(rules: Rules, record: HandRecord) -> str | None:
    """The currency in which money amounts are, if the record or its rules name one."""
    named = record.currency or rules.currency
    return None if named == "none" else named
