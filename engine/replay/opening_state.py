"""The state before a hand in its record: chips, pot, totals, jackpot, deal, pass.

A record can stand alone, and then this is all there is; in a game it is what the table believed.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from ..core.seats import Seat, left_of, pass_places
from ..core.values import maker
from ..record.facts import Facts
from ..record.game_state import GameState
from ..record.raw_hand import RawHand
from ..record.record import HandRecord, ScoreRow
from ..rules.rules import Rules, plays_for_chips
from ..rules.switches import FirstLeader, Passing, SettledBy
from ..settlement.settlement import settle

_carried: Final = maker(GameState)


def opening(record: HandRecord | RawHand, rules: Rules) -> GameState:
    """The state before a hand as its own record tells it, and nothing else is known."""
    nothing = (0,) * len(record.seats)
    chips, totals, pot, jackpot = nothing, nothing, 0, 0
    if rules.settlement is SettledBy.POT:
        jackpot = record.jackpot or 0
    if plays_for_chips(rules):
        stacks = (rules.starting_chips,) * len(record.seats)
        chips = _overlaid(stacks, record.scores, _declared_chips(record, rules))
        pot = 0 if record.pot is None else record.pot.before
    else:
        totals = _overlaid(nothing, record.scores, total_before)
    return _carried(
        dealer=declared_dealer(record, rules),
        chips=chips,
        pot=pot,
        bought=sum(chips) + pot,
        totals=totals,
        tricks=nothing,
        dealt=nothing,
        jackpot=jackpot,
        namer=record.namer if jackpot else None,
        deals=declared_deals(record, rules),
    )


def believe(state: GameState, record: HandRecord, rules: Rules) -> GameState:
    """A state with what the record writes about it; what it does not write stays."""
    rows = record.scores
    if rows is None and record.pot is None:
        return state
    if not plays_for_chips(rules):
        return replace(state, totals=_overlaid(state.totals, rows, total_before))
    chips = _overlaid(state.chips, rows, _declared_chips(record, rules))
    pot = state.pot if record.pot is None else record.pot.before
    return replace(state, chips=chips, pot=pot, bought=sum(chips) + pot)


def agrees(state: GameState, record: HandRecord, rules: Rules) -> bool:
    """Whether a record tells nothing else about the state before its hand."""
    rows = record.scores or ()
    if plays_for_chips(rules):
        if record.pot is not None and record.pot.before != state.pot:
            return False
        declared = list(map(_declared_chips(record, rules), rows))
        known = [state.chips[row.seat] for row in rows]
    else:
        declared = [total_before(row) for row in rows]
        known = [state.totals[row.seat] for row in rows]
    return declared == known or _agree(declared, known)


def _agree(declared: list[int | None], known: list[int]) -> bool:
    """Whether nothing is told, or the same, one by one."""
    return all(value in (None, right) for value, right in zip(declared, known, strict=True))


def written_after(state: GameState, record: HandRecord) -> GameState:
    """A state after a hand with the chips, the pot and the totals that the record writes."""
    chips, totals = list(state.chips), list(state.totals)
    for row in record.scores or ():
        chips[row.seat] = row.values.get("After", chips[row.seat])
        totals[row.seat] = row.values.get("Total", totals[row.seat])
    pot = state.pot if record.pot is None else record.pot.after
    bought = sum(chips) + pot
    return replace(state, chips=tuple(chips), pot=pot, bought=bought, totals=tuple(totals))


def _overlaid(
    known: tuple[int, ...],
    rows: tuple[ScoreRow, ...] | None,
    declared: Callable[[ScoreRow], int | None],
) -> tuple[int, ...]:
    if not rows:
        return known
    values = list(known)
    for row in rows:
        value = declared(row)
        if value is not None:
            values[row.seat] = value
    return tuple(values)


def chips_before(row: ScoreRow) -> int | None:
    """The chips before a hand that a row tells: written, or what is left when it is undone."""
    values = row.values
    before = values.get("Before")
    if before is not None:
        return before
    if values.keys() >= {"Bid", "Paid", "Won", "After"}:
        return values["After"] + values["Bid"] + values["Paid"] - values["Won"]
    return None


def _declared_chips(record: HandRecord | RawHand, rules: Rules) -> Callable[[ScoreRow], int | None]:
    """Return the chips where stacks that a seat bought again are among what is left (DEC-9)."""
    if not record.rebuys:
        return chips_before

    def chips_without_rebuys(row: ScoreRow) -> int | None:
        chips = chips_before(row)
        if chips is None or "Before" in row.values:
            return chips
        stacks = sum(rebuy.stacks for rebuy in record.rebuys if rebuy.seat == row.seat)
        return chips - stacks * rules.starting_chips

    return chips_without_rebuys


def total_before(row: ScoreRow) -> int | None:
    """The total before a hand that a row tells."""
    values = row.values
    total, points = values.get("Total"), values.get("Points")
    return None if total is None or points is None else total - points


def undone(record: HandRecord, rules: Rules, before: GameState, facts: Facts) -> GameState:
    """The state before a lone record that writes only what came out: its hand, undone.

    Where a row has After without the columns before it, or Total without Points, the amount
    before is what the settlement of these facts leaves when it is taken off.
    """
    rows = record.scores or ()
    chips = plays_for_chips(rules)
    column, beside = ("After", "Before") if chips else ("Total", "Points")
    some = [row for row in rows if beside not in row.values and column in row.values]
    if not some:
        return before
    declared = _declared_chips(record, rules) if chips else total_before
    bare = [row for row in some if declared(row) is None]
    if not bare:
        return before
    after = settle(rules, before, facts).after
    if column == "Total":
        totals = list(before.totals)
        for row in bare:
            totals[row.seat] += row.values[column] - after.totals[row.seat]
        return replace(before, totals=tuple(totals))
    held = list(before.chips)
    for row in bare:
        held[row.seat] += row.values[column] - after.chips[row.seat]
    return replace(before, chips=tuple(held), bought=sum(held) + before.pot)


def with_stakes(rules: Rules, record: HandRecord) -> Rules:
    """The rules with the ante and the currency that a record names, where it names any (E8)."""
    if record.ante is None:
        return rules
    currency = record.currency if record.currency is not None else rules.currency
    return replace(rules, ante=record.ante, currency=currency)


def declared_dealer(record: HandRecord | RawHand, rules: Rules) -> Seat:
    """The dealer: written, or the seat before the one that calls or leads as eldest."""
    players = len(record.seats)
    if record.dealer is not None:
        return record.dealer
    if record.first_caller is not None:
        return left_of(record.first_caller, players, -1)
    if rules.first_leader is FirstLeader.ELDEST and record.columns:
        return left_of(record.columns[0], players, -1)
    return Seat(0)


def declared_deals(record: HandRecord | RawHand, rules: Rules) -> int:
    """Return the turn of the passing direction: as written, or as the cards were passed."""
    if rules.passing is Passing.NONE:
        return 0
    if record.direction in rules.pass_cycle:
        return rules.pass_cycle.index(record.direction)
    if record.direction is None and record.exchange:
        players = len(record.seats)
        places = (record.exchange[0].to - record.exchange[0].seat) % players
        for turn, direction in enumerate(rules.pass_cycle):
            if pass_places(direction, players) == places:
                return turn
    return 0
