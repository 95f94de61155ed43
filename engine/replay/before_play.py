"""Events before the first lead, as a record tells them: deal, papers, passes, auctions.

Every stage takes the findings so far and adds its own; a fault never stops the next stage.
"""

from dataclasses import replace
from typing import Final

from ..core.cards import EMPTY, CardSet, count, show
from ..core.faults import Code, Part, Severity
from ..core.messages import Message
from ..core.seats import HOLD, Seat, direction_name
from ..record.record import Ending, Paper, PassedCards
from ..rules.switches import OFF, ON, Passing
from .auctions import auction, centre, naming
from .deals import centre_hint, judge_deal
from .exchange import exchange, judge_pass, passed_on
from .findings import Findings
from .insurance import callers, effective_paper, judge_paper, plain_numbers

_CYCLE: Final = Passing.CYCLE
_FOOT: Final = Ending.FOOT
_NO_PAPER: Final = Paper(None)


def lead_up(findings: Findings) -> None:
    """Judge everything up to the first lead, and find the holdings with which it is made."""
    rules, record = findings.rules, findings.record
    _table(findings)
    _deal(findings)
    if record.papers is not None:
        _papers(findings, record.papers)
    elif rules.insurance is ON or record.ending is _FOOT:
        _unwritten_papers(findings)
    if not findings.cancelled:
        if rules.passing is _CYCLE or record.exchange or record.direction:
            _exchange(findings)
        centre(findings)
        auction(findings)
        naming(findings)


def _table(findings: Findings) -> None:
    record, before = findings.record, findings.before
    if record.dealer is not None and record.dealer != before.dealer:
        right = findings.name(before.dealer)
        words = Message(
            "{right} should have dealt, not {wrong}",
            right=right,
            wrong=findings.name(record.dealer),
        )
        hint = Message("write {seat} in the tag Dealer, if nobody dealt out of turn", seat=right)
        findings.note(Code.MISDEAL, "K4", words, Part.DEALER, Severity.WARNING, hint=hint)
    stripped = findings.stock.stripped
    if record.stripped is not None and record.stripped != stripped:
        words = Message(
            "{cards} was left out; it should be {right}",
            cards=show(record.stripped),
            right=show(stripped),
        )
        findings.note(Code.WRONG_STRIP, "K3", words, Part.STRIPPED, Severity.ERROR)


def _deal(findings: Findings) -> None:
    record, (_, pack, aside, size, *_) = findings.record, findings.stock
    if record.deal is None:
        _lone_centre(findings)
        return
    # A hand can end while its centre still lies face down (D9).
    early = findings.is_stopped or record.ending is _FOOT
    hidden = aside and not record.centre and early
    deal = record.deal
    if EMPTY in deal and not hidden:
        deal = _fill_missing_holding(deal, CardSet(pack & ~record.centre))
    sizes = list(map(int.bit_count, deal))
    # Sets of the right sizes that sum to the whole pack have no card in common.
    right = sum(deal) + record.centre == pack and sizes.count(size) == len(sizes)
    if not right or record.centre.bit_count() != aside:
        faults = judge_deal(findings.rules, deal, record.centre, partial=EMPTY in deal)
        findings.add(fault for fault in faults if not hidden or fault.code is not Code.CENTRE_SIZE)
    findings.dealt = deal
    findings.holdings = deal
    findings.whole = EMPTY not in deal


def _fill_missing_holding(deal: tuple[CardSet, ...], pack: CardSet) -> tuple[CardSet, ...]:
    """The deal with the one holding that was not written, if it was only one."""
    if deal.count(EMPTY) != 1:
        return deal
    rest = int(pack)
    for held in deal:
        rest &= ~held
    return tuple(held or CardSet(rest) for held in deal)


def _lone_centre(findings: Findings) -> None:
    centre = findings.record.centre
    aside = findings.stock.aside
    if centre and count(centre) != aside:
        words = Message(
            "{count} cards lie in the centre instead of {aside}", count=count(centre), aside=aside
        )
        hint = centre_hint(aside)
        findings.note(Code.CENTRE_SIZE, "D20", words, Part.CENTRE, Severity.ERROR, hint=hint)


def _papers(findings: Findings, papers: tuple[Paper, ...]) -> None:
    rules, record = findings.rules, findings.record
    if rules.insurance is OFF and rules.foot is OFF:
        words = Message("these house rules know neither insurance nor foot")
        hint = Message("remove the insurance papers, or correct the house rules")
        findings.note(Code.BAD_PAPER, "D10", words, Part.PAPERS, Severity.WARNING, hint=hint)
        return
    used = findings.before.feet
    numbers = plain_numbers(rules, papers)
    if numbers is not None and record.ending is not _FOOT:
        findings.papers = numbers
        return
    if numbers is None:
        findings.add(
            judge_paper(rules, paper, Seat(n), used)
            for n, paper in enumerate(papers)
            if paper != _NO_PAPER or not findings.is_stopped
        )
    findings.papers = tuple([effective_paper(paper) for paper in papers])
    findings.feet = callers(rules, papers, used)
    findings.cancelled = bool(findings.feet)
    if findings.feet and record.play:
        words = Message("the hand was played although a foot was called")
        hint = Message("remove the play, or the F of who called no foot")
        findings.note(Code.BAD_FOOT, "D31", words, Part.PLAY, hint=hint)
    if record.ending is _FOOT and not findings.feet:
        words = Message("nobody called a foot that counts")
        hint = Message("write F on the paper of who called it, or correct the tag Termination")
        findings.note(Code.BAD_FOOT, "D30", words, Part.ENDING, hint=hint)
        findings.cancelled = True


def _unwritten_papers(findings: Findings) -> None:
    if findings.rules.insurance is ON:
        findings.papers = _papers_of_scores(findings)
    if findings.record.ending is _FOOT:
        words = Message("a foot is written on the insurance paper; no paper says so")
        hint = Message("write the insurance papers, or correct the tag Termination")
        findings.note(Code.BAD_FOOT, "D30", words, Part.ENDING, hint=hint)
        findings.cancelled = True


def _papers_of_scores(findings: Findings) -> tuple[int, ...]:
    """The papers that the written insurance points tell of, where the papers are not written."""
    if findings.record.scores is None:
        return ()
    lines = [0] * findings.players
    shooter = None
    for row in findings.record.scores:
        lines[row.seat] = row.values.get("Insurance", 0)
        shooter = row.seat if row.values.get("Moon", 0) < 0 else shooter
    if shooter is None or lines[shooter]:
        return tuple(map(abs, lines))
    # On a moon the shooter's number is taken off everybody else's points (D12, Q45).
    number = max(-line for line in lines)
    return tuple(number if seat == shooter else line + number for seat, line in enumerate(lines))


def _exchange(findings: Findings) -> None:
    record, rules = findings.record, findings.rules
    due = rules.direction(findings.before.deals)
    direction = record.direction or due
    sound = findings.whole and not findings.faults
    if sound and direction == due and record.exchange and findings.holdings is not None:
        passed = passed_on(findings.holdings, record.exchange, direction, rules.pass_count)
        if passed is not None:
            findings.holdings = passed
            return
    if direction != due and rules.passing is not _CYCLE and record.exchange is None:
        words = Message("no cards are passed under these rules; the tag Pass is not used")
        hint = Message("delete it, or name the house rules that it belongs to")
        findings.note(Code.WRONG_PASS, "D2", words, Part.EXCHANGE, Severity.WARNING, hint=hint)
        return
    if direction != due:
        words = Message(
            "the cards go {right}, not {wrong}",
            right=direction_name(due),
            wrong=direction_name(direction),
        )
        hint = Message("write {word} in the tag Pass, if that is how they went", word=due)
        findings.note(Code.WRONG_PASS, "D2", words, Part.EXCHANGE, hint=hint)
    if record.exchange is None:
        if direction != HOLD:
            findings.holdings, findings.whole = None, False
        return
    if direction == HOLD and record.exchange:
        words = Message("no cards are passed in this hand")
        hint = Message("remove the pass, if nobody passed cards")
        findings.note(Code.WRONG_PASS, "D2", words, Part.EXCHANGE, index=0, hint=hint)
    _judge_passes(findings, direction)
    _pass_on(findings, record.exchange, direction)


def _pass_on(findings: Findings, passes: tuple[PassedCards, ...], direction: str) -> None:
    """The hands after the passes; not known where the hand stopped before all had passed."""
    if findings.is_stopped and direction != HOLD and len(passes) < findings.players:
        findings.holdings, findings.whole = None, False
    if findings.holdings is not None and findings.whole:
        findings.holdings = exchange(findings.holdings, passes)


def _judge_passes(findings: Findings, direction: str) -> None:
    passes = findings.record.exchange or ()
    passers = [passed.seat for passed in passes]
    for row, passed in enumerate(passes):
        if passers.index(passed.seat) != row:
            words = Message("passes twice")
            findings.note(Code.WRONG_PASS, "D2", words, Part.EXCHANGE, seat=passed.seat, index=row)
        elif direction != HOLD:
            held = passed.cards
            if findings.holdings is not None and findings.holdings[passed.seat]:
                held = findings.holdings[passed.seat]
            fault = judge_pass(passed, held, direction, findings.players, findings.rules.pass_count)
            findings.add([fault and replace(fault, index=row)])
    if passes and direction != HOLD and not findings.is_stopped:
        for seat in range(findings.players):
            if seat not in passers:
                words = Message("passes no cards")
                findings.note(Code.WRONG_PASS, "D2", words, Part.EXCHANGE, seat=Seat(seat))
