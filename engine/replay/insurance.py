"""Insurance papers and the foot (rules.md D10, D30, Q44, Q56, Q58)."""

from collections.abc import Sequence
from dataclasses import replace

from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..core.seats import Seat
from ..record.record import Paper
from ..rules.rules import INSURANCE_MAX, Rules
from ..rules.switches import OFF, ON, BadPaper


def effective_paper(paper: Paper) -> int:
    """The number that counts; 0 for a missing, late or wrong paper (Q44)."""
    number = paper.number
    return number if number is not None and 0 <= number <= INSURANCE_MAX else 0


def callers(rules: Rules, papers: Sequence[Paper], used: frozenset[Seat]) -> tuple[Seat, ...]:
    """Return the callers of a foot that counts: not one who has used theirs (D30, D31, Q56)."""
    if rules.foot is OFF:
        return ()
    called = [Seat(seat) for seat, paper in enumerate(papers) if paper.foot]
    return tuple([seat for seat in called if seat not in used])


def plain_numbers(rules: Rules, papers: Sequence[Paper]) -> tuple[int, ...] | None:
    """The numbers of papers with which nothing is wrong, none of them a foot; else None."""
    numbers: list[int] = []
    for paper in papers:
        number = paper.number
        if paper.foot or number is None or not 0 <= number <= INSURANCE_MAX:
            return None
        numbers.append(number)
    return tuple(numbers) if rules.insurance is ON else None


def judge_paper(rules: Rules, paper: Paper, seat: Seat, used: frozenset[Seat]) -> Fault | None:
    """Return the fault of a paper: a second foot, or no number from 0 to 6."""
    if paper.foot and rules.foot is OFF:
        words = Message("these house rules know no foot")
        hint = Message("write the number on the paper alone")
        return replace(_fault(Code.BAD_FOOT, "D30", seat, words), hint=hint)
    if paper.foot and seat in used:
        words = Message("the foot of this game is used already; it is void and the hand is played")
        return _fault(Code.BAD_FOOT, "Q56", seat, words)
    if paper.foot or rules.insurance is OFF:
        return None
    if paper.number is None:
        return _paper_fault(rules, seat, Message("the paper is missing; it counts as 0"))
    if not 0 <= paper.number <= INSURANCE_MAX:
        words = Message(
            "{number} is not a number from 0 to {most}; it counts as 0",
            number=paper.number,
            most=INSURANCE_MAX,
        )
        return _paper_fault(rules, seat, words)
    return None


def _paper_fault(rules: Rules, seat: Seat, message: Message) -> Fault:
    severity = Severity.RULING if rules.bad_paper is BadPaper.RULING else Severity.WARNING
    fault = _fault(Code.BAD_PAPER, "Q44", seat, message, severity)
    if rules.foot is ON:
        return replace(fault, hint=Message("write a number from 0 to 6, or F for a foot"))
    return fault


def _fault(
    code: Code, rule: str, seat: Seat, message: Message, severity: Severity = Severity.WARNING
) -> Fault:
    return Fault(
        code=code,
        rule=rule,
        message=message,
        severity=severity,
        part=Part.PAPERS,
        index=seat,
        seat=seat,
    )
