"""Repairs of calls and numbers: a rotated row of calls, one wrong bid, two rows exchanged."""

from collections.abc import Iterator
from dataclasses import replace

from ...core.faults import Code, Part
from ...core.messages import Message
from ...core.seats import Seat, left_of
from ...record.record import PASS_CALL
from .candidates import Candidate, Case, make_finding


def rotated_calls(case: Case) -> Iterator[Candidate]:
    """Calls that stand under the wrong seats, each as many places away from the right one."""
    calls = case.record.auction or ()
    if len(calls) != case.players:
        return
    for turn in range(1, case.players):
        turned = (*calls[turn:], *calls[:turn])
        written = " ".join(map(_write_call, turned))
        finding = make_finding(
            Code.BID_OUT_OF_TURN,
            "A3 C3",
            Message("the calls stand under the wrong seats"),
            Part.AUCTION,
            hint=Message("write the calls as {calls}", calls=written),
            index=0,
        )
        yield Candidate(record=replace(case.record, auction=turned), finding=finding)


def first_caller(case: Case) -> Iterator[Candidate]:
    """An auction whose columns begin with a seat that does not bid first."""
    first = case.record.first_caller
    eldest = left_of(case.replay.before.dealer, case.players)
    if first is None or first == eldest:
        return
    right, wrong = case.name(eldest), case.name(first)
    finding = make_finding(
        Code.BID_OUT_OF_TURN,
        "A3 C3",
        Message("{right} bids first, not {wrong}", right=right, wrong=wrong),
        Part.AUCTION,
        hint=Message("begin the columns of the auction with {seat}", seat=right),
        index=0,
    )
    yield Candidate(record=replace(case.record, first_caller=eldest), finding=finding)


def _write_call(call: int | None) -> str:
    return "-" if call is None else "Pass" if call == PASS_CALL else str(call)


def winning_bid(case: Case) -> Iterator[Candidate]:
    """A bid other than the one that the pot or the scores tell of."""
    record, calls = case.record, case.record.auction or ()
    if record.namer is None or len(calls) != case.players:
        return
    written_bids = {row.values["Bid"] for row in record.scores or () if row.values.get("Bid")}
    if record.pot is not None:
        written_bids.add(record.pot.bid)
    first = left_of(case.replay.before.dealer, case.players)
    first = first if record.first_caller is None else record.first_caller
    for right in sorted(written_bids - {0}):
        for place, call in enumerate(calls):
            if call != right:
                yield _with_call(case, place, right, left_of(first, case.players, place))


def _with_call(case: Case, place: int, right: int, seat: Seat) -> Candidate:
    calls = list(case.record.auction or ())
    wrong, calls[place] = _write_call(calls[place]), right
    finding = make_finding(
        Code.BAD_CALL,
        "A3 C3",
        Message(
            "{seat}: the call is {right}, not {wrong}",
            seat=case.name(seat),
            right=right,
            wrong=wrong,
        ),
        Part.AUCTION,
        hint=Message("write {call} as the call of {seat}", call=right, seat=case.name(seat)),
        seat=seat,
        index=place,
    )
    return Candidate(record=replace(case.record, auction=tuple(calls)), finding=finding)


def exchanged_scores(case: Case) -> Iterator[Candidate]:
    """Two rows of the score table of which each stands where the other one belongs."""
    rows = case.record.scores or ()
    wrong = {fault.seat for fault in case.faults if fault.part is Part.SCORES}
    for two in range(len(rows)):
        for one in range(two):
            first, second = rows[one], rows[two]
            if not wrong <= {first.seat, second.seat}:
                continue
            table = list(rows)
            table[one] = replace(first, values=second.values)
            table[two] = replace(second, values=first.values)
            left, right = case.name(first.seat), case.name(second.seat)
            finding = make_finding(
                Code.POINTS,
                "11.2",
                Message(
                    "the scores of {left} and {right} stand in each other's place",
                    left=left,
                    right=right,
                ),
                Part.SCORES,
                hint=Message(
                    "write the row of {left} for {right}, and that of {right} for {left}",
                    left=left,
                    right=right,
                ),
                seat=first.seat,
            )
            yield Candidate(record=replace(case.record, scores=tuple(table)), finding=finding)


def exchanged_captures(case: Case) -> Iterator[Candidate]:
    """Two rows of the capture table of which each stands where the other one belongs."""
    rows = case.record.captures or ()
    for two in range(len(rows)):
        for one in range(two):
            first, second = rows[one], rows[two]
            table = list(rows)
            table[one] = replace(second, seat=first.seat)
            table[two] = replace(first, seat=second.seat)
            left, right = case.name(first.seat), case.name(second.seat)
            finding = make_finding(
                Code.CAPTURE_COUNT,
                "11.2",
                Message(
                    "the captured cards of {left} and {right} stand in each other's place",
                    left=left,
                    right=right,
                ),
                Part.CAPTURES,
                hint=Message(
                    "write the row of {left} for {right}, and that of {right} for {left}",
                    left=left,
                    right=right,
                ),
                seat=first.seat,
                index=one,
            )
            yield Candidate(record=replace(case.record, captures=tuple(table)), finding=finding)
