"""Repairs of one wrong tag: the pain suit, who named it, who dealt, which way cards went."""

from collections.abc import Iterator
from dataclasses import replace

from ...core.cards import SUIT_NAMES, SUITS
from ...core.faults import Code, Part
from ...core.messages import Message
from ...core.seats import HOLD, Seat, direction_name, pass_places
from ...rules.switches import PainBy
from .candidates import Candidate, Case, make_finding


def pain_suit(case: Case) -> Iterator[Candidate]:
    """Another pain suit."""
    record = case.record
    wrong = record.pain
    if wrong is None or case.rules.pain is PainBy.HEARTS:
        return
    for right in SUITS:
        if right is not wrong:
            words = Message(
                "the pain suit is {right}, not {wrong}",
                right=SUIT_NAMES[right],
                wrong=SUIT_NAMES[wrong],
            )
            hint = Message("write {letter} in the tag PainSuit", letter=right.letter)
            finding = make_finding(Code.WRONG_NAMER, "A3 C4", words, Part.PAIN, hint=hint)
            yield Candidate(record=replace(record, pain=right), finding=finding)


def declarer(case: Case) -> Iterator[Candidate]:
    """Another player who named the pain suit."""
    record = case.record
    if record.namer is None:
        return
    for right in case.others(record.namer):
        words = Message(
            "{right} named the pain suit, not {wrong}",
            right=case.name(right),
            wrong=case.name(record.namer),
        )
        hint = Message("write {seat} in the tag Declarer", seat=case.name(right))
        finding = make_finding(Code.WRONG_NAMER, "A3 C4", words, Part.NAMER, hint=hint)
        yield Candidate(record=replace(record, namer=right), finding=finding)


def dealer(case: Case) -> Iterator[Candidate]:
    """Another dealer."""
    record = case.record
    if record.dealer is None:
        return
    for right in case.others(record.dealer):
        words = Message(
            "{right} dealt, not {wrong}", right=case.name(right), wrong=case.name(record.dealer)
        )
        hint = Message("write {seat} in the tag Dealer", seat=case.name(right))
        finding = make_finding(Code.MISDEAL, "K4", words, Part.DEALER, hint=hint)
        yield Candidate(record=replace(record, dealer=right), finding=finding)


def direction(case: Case) -> Iterator[Candidate]:
    """The direction in which the pass table says that the cards went."""
    record = case.record
    ways = {(passed.to - passed.seat) % case.players for passed in record.exchange or ()}
    if record.direction is None or len(ways) != 1:
        return
    (places,) = ways
    for right in case.rules.pass_cycle:
        fits = right != HOLD and pass_places(right, case.players) == places
        if fits and right != record.direction:
            words = Message(
                "the cards were passed {right}, not {wrong}",
                right=direction_name(right),
                wrong=direction_name(record.direction),
            )
            hint = Message("write {word} in the tag Pass", word=right)
            finding = make_finding(Code.WRONG_PASS, "D2", words, Part.EXCHANGE, hint=hint)
            yield Candidate(record=replace(record, direction=right), finding=finding)


def jackpot(case: Case) -> Iterator[Candidate]:
    """A jackpot that was not carried into this hand."""
    record = case.record
    if record.jackpot is not None and case.has(Code.AUCTION_IN_JACKPOT):
        words = Message("no jackpot is carried into this hand")
        hint = Message("remove the tag Jackpot")
        finding = make_finding(Code.AUCTION_IN_JACKPOT, "A8 C7", words, Part.JACKPOT, hint=hint)
        yield Candidate(record=replace(record, jackpot=None), finding=finding)


def claimer(case: Case) -> Iterator[Candidate]:
    """Another player who claimed the rest."""
    claim = case.record.claim
    if claim is None:
        return
    for right in case.others(claim.seat):
        words = Message(
            "{right} claimed the rest, not {wrong}",
            right=case.name(right),
            wrong=case.name(claim.seat),
        )
        hint = Message("write {seat} in the tag Claim", seat=case.name(right))
        finding = make_finding(Code.BAD_CLAIM, "Q65", words, Part.CLAIM, hint=hint)
        claimed = replace(claim, seat=Seat(right))
        yield Candidate(record=replace(case.record, claim=claimed), finding=finding)
