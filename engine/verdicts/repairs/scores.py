"""Repairs of what a hand came to: columns exchanged, the queen in another row, other rules."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations

from ...core.faults import Code, Fault, Part
from ...core.messages import Message
from ...record.record import PotRow, ScoreRow
from ...rules.rules import QUEEN_POINTS, Rules
from ...rules.switches import Moon
from ...settlement.settlement import Settlement, settle_sound
from ...settlement.tables import pot_row, score_rows
from .candidates import CLAIMED, SERIOUS, Candidate, Case, make_finding


def exchanged_columns(case: Case) -> Iterator[Candidate]:
    """Two columns of the scores, or two cells of the pot, in each other's place."""
    if not _is_of_numbers(case):
        return
    rows, pot = case.record.scores or (), case.record.pot
    columns = list(rows[0].values) if rows else []
    wrong = {fault.column for fault in case.faults if fault.part is Part.SCORES}
    for left, right in combinations(columns, 2):
        if {left, right} & wrong or {"Before", "After"} >= {left, right}:
            table = tuple(ScoreRow(row.seat, _exchange(row.values, left, right)) for row in rows)
            finding = _of_columns(Part.SCORES, left, right)
            yield Candidate(record=replace(case.record, scores=table), finding=finding)
    if pot is not None:
        for left, right in combinations(("before", "bid", "paid", "won", "after"), 2):
            cells = {left: getattr(pot, right), right: getattr(pot, left)}
            finding = _of_columns(Part.POT, left.capitalize(), right.capitalize())
            turned = replace(case.record, pot=replace(pot, **cells))
            if cells[left] != cells[right]:
                yield Candidate(record=turned, finding=finding)


def _is_of_numbers(case: Case) -> bool:
    """Whether nothing but numbers is seriously wrong."""
    parts = (*CLAIMED, Part.JACKPOT)
    return all(fault.part in parts for fault in case.faults if fault.severity in SERIOUS)


def _exchange(values: Mapping[str, int], left: str, right: str) -> dict[str, int]:
    other = {left: right, right: left}
    return {name: values.get(other.get(name, name), 0) for name in values}


def _of_columns(part: Part, left: str, right: str) -> Fault:
    words = Message(
        "the columns {left} and {right} stand in each other's place", left=left, right=right
    )
    hint = Message("exchange the names of the two columns, or their numbers")
    return make_finding(Code.POINTS, "11.2", words, part, hint=hint, column=left)


def queen_in_another_row(case: Case) -> Iterator[Candidate]:
    """The queen's points written beside another player than the one who took her."""
    rows = case.record.scores or ()
    if not _is_of_numbers(case):
        return
    takers = [row.seat for row in rows if row.values.get("Queen") == QUEEN_POINTS]
    if len(takers) != 1:
        return
    (wrong,) = takers
    for right in case.others(wrong):
        table = tuple(
            ScoreRow(row.seat, {**row.values, "Queen": QUEEN_POINTS if row.seat == right else 0})
            for row in rows
        )
        words = Message(
            "the queen stands in the row of {wrong}; {right} took her",
            wrong=case.name(wrong),
            right=case.name(right),
        )
        hint = Message(
            "write {points} in the row of {right}", points=QUEEN_POINTS, right=case.name(right)
        )
        finding = make_finding(
            Code.CAPTURE_COUNT, "D6", words, Part.SCORES, hint=hint, seat=wrong, column="Queen"
        )
        yield Candidate(record=replace(case.record, scores=table), finding=finding)


def settled_otherwise(case: Case) -> Iterator[Candidate]:
    """Numbers that are right but for one thing: a bid not paid, or a moon by another house rule."""
    settled, record = case.result.settlement, case.record
    if settled is None or not _is_of_numbers(case):
        return
    for other, finding in _other_settlements(case, settled):
        if _matches_tables(case, other):
            rows = _with_columns(record.scores or (), score_rows(case.rules, settled))
            pot = None if record.pot is None else pot_row(settled)
            right = replace(record, pot=pot, scores=rows if record.scores is not None else None)
            yield Candidate(record=right, finding=finding, has_to_be_unique=False)


def _other_settlements(case: Case, settled: Settlement) -> Iterator[tuple[Settlement, Fault]]:
    """Other ways to settle the hand, each with what was wrong in it."""
    facts, rules, before = settled.facts, case.rules, case.replay.before
    if facts.bid and facts.bidder is not None:
        seat, bid = case.name(facts.bidder), facts.bid
        words = Message("{seat}: the bid of {bid} was not paid into the pot", seat=seat, bid=bid)
        hint = Message("pay the bid, and count the pot and the chips again")
        finding = make_finding(
            Code.POT, "A3 C3", words, Part.SCORES, hint=hint, seat=facts.bidder, column="Bid"
        )
        yield settle_sound(rules, before, replace(facts, bid=0)), finding
    shooter = settled.score.shooter if settled.score is not None else None
    if shooter is not None:
        words = Message(
            "{seat} took everything, and the points are not those of this house rule",
            seat=case.name(shooter),
        )
        hint = Message("see the house rule for taking all the points, and write all points anew")
        finding = make_finding(
            Code.MOON, "D7 E6", words, Part.SCORES, hint=hint, seat=shooter, column="Points"
        )
        for moon in Moon:
            if moon not in (rules.moon, Moon.SHOOTER_CHOICE):
                other: Rules = replace(rules, moon=moon)
                yield settle_sound(other, before, facts), finding


def _matches_tables(case: Case, other: Settlement) -> bool:
    """Whether the tables of a record say what another settlement comes to."""
    record, pot = case.record, case.record.pot
    # A total follows from the points; a lone record tells only by it what was before.
    skipped = (
        {"Moon", "Total"} if any("Points" in row.values for row in record.scores or ()) else ()
    )
    due = {row.seat: row.values for row in score_rows(case.rules, other)}
    fits = all(
        value == due[row.seat].get(name, value)
        for row in record.scores or ()
        for name, value in row.values.items()
        if name not in skipped
    )
    is_pot: PotRow | None = pot_row(other) if pot is not None else None
    return fits and is_pot == pot


def _with_columns(rows: tuple[ScoreRow, ...], right: tuple[ScoreRow, ...]) -> tuple[ScoreRow, ...]:
    """The right numbers in the columns that are written."""
    due = {row.seat: row.values for row in right}
    return tuple(
        ScoreRow(row.seat, {name: due[row.seat].get(name, 0) for name in row.values})
        for row in rows
    )
