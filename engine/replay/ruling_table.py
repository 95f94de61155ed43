"""The ruling table of a record: decisions made at the table, and the points they gave."""

from dataclasses import replace

from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..record.irregularities import covers, find_by_name
from ..record.record import RulingRow
from ..rules.switches import SettledBy
from .findings import Findings


def drop_ruled_faults(findings: Findings) -> tuple[Fault, ...]:
    """The faults; those on which the record itself holds a ruling need no other decision."""
    rows = findings.record.rulings
    return tuple(
        replace(fault, severity=Severity.WARNING)
        if fault.severity is Severity.RULING and any(_decides(row, fault) for row in rows)
        else fault
        for fault in findings.faults
    )


def _decides(row: RulingRow, fault: Fault) -> bool:
    """Whether a ruling is on a fault: the same code, and the trick and seat where they stand."""
    what = find_by_name(row.code)
    if what is None or not covers(what, fault.code):
        return False
    return row.trick in (None, fault.trick) and row.seat in (None, fault.seat)


def adjustments(findings: Findings) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The points and the chips that the rulings of a record give, by seat.

    Where chips are played for, the points of the table are chips, and must sum to zero.
    """
    if not findings.record.rulings:
        return (), ()
    given = [0] * findings.players
    for row in findings.record.rulings:
        if row.seat is not None:
            given[row.seat] += row.points
    if not any(given):
        return (), ()
    if findings.rules.settlement is not SettledBy.POT:
        return tuple(given), ()
    if sum(given):
        words = Message(
            "the chips of the rulings sum to {total}, not to zero; they do not move",
            total=sum(given),
        )
        findings.note(Code.CHIPS, "K8", words, Part.RULINGS)
        return (), ()
    return (), tuple(given)
