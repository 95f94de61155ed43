"""replay: a whole record at once, judged at whatever level of detail it was written.

It returns what was good and every irregularity as data, goes on past an irregularity as the
table did, and never raises because of what the record says.
"""

from dataclasses import dataclass, replace
from typing import Final

from ..core.cards import EMPTY, QUEEN_SET, SUIT_CARDS, CardSet, show
from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..core.seats import Seat, direction_name, left_of
from ..core.values import maker, quickly_made
from ..record.facts import SETTLING, Facts, Status
from ..record.game_state import GameState, beginning
from ..record.record import Ending, HandRecord
from ..rules.presets import BICYCLE
from ..rules.rules import Rules
from ..rules.switches import ON, AllPass, PainBy, Winner
from .before_play import lead_up
from .course import Course
from .facts_from_record import (
    artificial,
    facts_without_captures,
    is_artificial,
    of_captures,
    of_play,
    of_scores,
)
from .findings import Findings
from .opening_state import opening, undone
from .play import Trick
from .ruling_table import adjustments, drop_ruled_faults
from .tricks import follow, is_claimed_at_once, judge_claim_of_result
from .unused_options import find_unused


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Replay:
    """A judged record. Tuples are by seat; what is not known is None.

    ``good`` counts the plays, in order of play, before the first irregular one. ``dealt`` are
    the hands at the deal, ``held`` those at the first lead. ``facts`` hold what settlement
    needs; ``settles`` says whether the hand can be settled at all, ``provisional`` whether a
    director has still something to decide.
    """

    record: HandRecord
    rules: Rules
    before: GameState
    faults: tuple[Fault, ...]
    facts: Facts
    good: int = 0
    dealt: tuple[CardSet, ...] | None = None
    held: tuple[CardSet, ...] | None = None
    course: Course | None = None
    taken: tuple[CardSet, ...] | None = None

    @property
    def tricks(self) -> tuple[Trick, ...]:
        """The whole tricks, with their cards in order of play."""
        return self.course.tricks if self.course is not None else ()

    @property
    def settles(self) -> bool:
        """Whether nothing is so wrong that the hand cannot be settled."""
        return not any(fault.severity is Severity.ERROR for fault in self.faults)

    @property
    def provisional(self) -> bool:
        """Whether a director has still something to decide (K7)."""
        return any(fault.severity is Severity.RULING for fault in self.faults)


_replay: Final = maker(Replay)
_NORMAL: Final = Ending.NORMAL
_VOID: Final = (Ending.REDEAL, Ending.ABANDONED)
_PLAYED: Final = Status.PLAYED


def replay(
    record: HandRecord, rules: Rules | None = None, before: GameState | None = None
) -> Replay:
    """Judge one record under some rules, in the state that the hands before it left.

    Without ``rules`` those of the record are used; without ``before`` the state that the record
    itself tells (`opening`). Every defect is a `Fault` of the result.
    """
    rules = rules or record.rules or BICYCLE
    players = len(record.seats)
    least, most = rules.players
    if not least <= players <= most:
        return _no_table(record, rules, before)
    alone = before is None
    before = before or opening(record, rules)
    if len(before.chips) != players:
        return _no_table(record, rules, before)
    dealer = before.dealer if record.dealer is None else record.dealer
    if record.auction is not None and record.first_caller is None:
        record = replace(record, first_caller=left_of(dealer, players))
    findings = Findings(record, rules, before, dealer)
    findings.faults += find_unused(record, rules)
    lead_up(findings)
    shows_tricks = bool(record.play) or is_claimed_at_once(record)
    if not findings.cancelled and shows_tricks and findings.pain is not None:
        follow(findings)
        if record.marks:
            _note_marked_cards(findings)
    facts = _facts(findings)
    if rules.winner is Winner.TRICKS and facts.status.settles and not any(facts.tricks):
        words = Message(
            "the tricks of this hand are not written, and they decide who wins the game"
        )
        hint = Message("write the play, or the column Tricks of the CaptureTable")
        findings.note(Code.TRICK_COUNT, "Q69", words, Part.CAPTURES, Severity.WARNING, hint=hint)
    if alone and facts.taken and not findings.is_blocked:
        before = undone(record, rules, before, facts)
    faults = tuple(findings.faults) if not record.rulings else drop_ruled_faults(findings)
    if record.ending in _VOID and faults:
        faults = tuple(map(_harmless, faults))
    return _replay(
        record=record,
        rules=rules,
        before=before if dealer == before.dealer else replace(before, dealer=dealer),
        faults=faults,
        facts=facts,
        good=len(record.play or ()) if findings.good is None else findings.good,
        dealt=findings.dealt,
        held=findings.holdings,
        course=findings.course,
        taken=tuple(findings.taken) if findings.taken is not None else None,
    )


def _no_table(record: HandRecord, rules: Rules, before: GameState | None) -> Replay:
    """A record with a number of players for which there is no table here; the game stands."""
    least, most = rules.players
    if before is None:
        words = Message(
            "{count} players are written; these rules are for {players}",
            count=len(record.seats),
            players=rules.players.in_words(),
        )
    else:
        words = Message(
            "{count} players are written; {players} play this game",
            count=len(record.seats),
            players=before.players,
        )
    players = min(max(len(record.seats), least), most)
    fault = Fault(code=Code.PLAYERS, rule="Q20 Q43", message=words, part=Part.HEADER)
    return Replay(
        record=record,
        rules=rules,
        before=before or beginning(rules, players),
        faults=(fault,),
        facts=Facts(status=Status.DRAFT),
    )


def _note_marked_cards(findings: Findings) -> None:
    """Note the scorer's mark at a card: they saw it, whether or not the cards show it.

    A revoke that whole hands do not show was put right.
    """
    record = findings.record
    seen = {fault.index for fault in findings.faults if fault.code is Code.REVOKE}
    leads = (Code.OUT_OF_TURN, Code.WRONG_LEADER)
    late = {fault.index for fault in findings.faults if fault.code in leads}
    play = record.play or ()
    for place, mark in record.marks.items():
        if mark == "L" and place not in late:
            words = Message("marked as led out of turn; it was the turn of this seat")
            code, severity = Code.OUT_OF_TURN, Severity.WARNING
        elif mark == "X":
            words = Message("exposed before its turn")
            code, severity = Code.EXPOSED_CARD, Severity.WARNING
        elif mark != "R" or place in seen:
            continue
        elif findings.whole:
            words = Message("marked as a revoke; the cards show none, so it was put right")
            code, severity = Code.REVOKE_CORRECTED, Severity.WARNING
        else:
            words = Message("marked as a revoke")
            code, severity = Code.REVOKE, Severity.RULING
        trick, column = divmod(place, findings.players)
        findings.note(
            code,
            "section 8",
            words,
            Part.PLAY,
            severity,
            seat=None if record.columns is None else record.columns[column],
            index=place,
            card=play[place],
            trick=trick + 1,
            established=record.claim is not None or len(play) > (trick + 1) * findings.players,
        )


def _facts(findings: Findings) -> Facts:
    """Return the facts from the play if it is written, else from captures or scores."""
    record, status = findings.record, _status(findings)
    if status is not Status.FOOT:
        findings.feet = ()
    if record.rulings:
        findings.adjust, findings.chips = adjustments(findings)
    if findings.taken is not None and findings.pain is not None and status in SETTLING:
        return of_play(findings, status)
    facts = facts_without_captures(findings, status)
    if record.ending is Ending.ADJUDICATED and is_artificial(findings):
        return artificial(findings, facts)
    if not status.settles or findings.pain is None:
        return facts
    has_captures = record.captures is not None
    facts = of_captures(findings, facts) if has_captures else of_scores(findings, facts)
    judge_claim_of_result(findings, facts)
    return facts


def _harmless(fault: Fault) -> Fault:
    """Nothing is paid for a void hand, so what is odd about it needs no decision (DEC-2)."""
    decided = fault.part is Part.RULINGS or fault.severity is Severity.INFO
    return fault if decided else replace(fault, severity=Severity.WARNING)


def _status(findings: Findings) -> Status:
    record = findings.record
    if record.ending is Ending.REDEAL:
        return Status.VOID_REDEAL
    if record.ending is Ending.ABANDONED:
        return Status.VOID_NO_REPLAY if _is_dealt(findings) else Status.NOT_PLAYED
    if findings.cancelled:
        return _status_unplayed(findings)
    if findings.rules.misdeal_if_all_forbidden is ON and _is_misdeal(findings):
        return Status.VOID_REDEAL
    if record.ending is _NORMAL:
        return _PLAYED if record.claim is None else Status.CLAIMED
    if record.ending is Ending.UNTERMINATED:
        return Status.DRAFT
    if record.ending is Ending.PASSED_OUT:
        _refuse_passing_out(findings)
    return Status.CLAIMED if record.claim is not None else Status.PLAYED


def _status_unplayed(findings: Findings) -> Status:
    """The end of a hand that was not played; what it was not to reach is not written."""
    record = findings.record
    is_foot = bool(findings.feet) or record.ending is Ending.FOOT
    if record.ending not in (None, Ending.FOOT if is_foot else Ending.PASSED_OUT):
        words = Message("everybody passed; the tag Termination says {ending}", ending=record.ending)
        if is_foot:
            words = Message(
                "a foot was called; the tag Termination says {ending}", ending=record.ending
            )
        ending = Ending.FOOT if is_foot else Ending.PASSED_OUT
        hint = Message("write {word} in the tag Termination", word=ending)
        code = Code.BAD_FOOT if is_foot else Code.BAD_CALL
        findings.note(code, "Q01 D30", words, Part.ENDING, Severity.WARNING, hint=hint)
    due = findings.rules.direction(findings.before.deals)
    if is_foot and record.direction not in (None, due):
        words = Message(
            "the cards go {right}, not {wrong}",
            right=direction_name(due),
            wrong=direction_name(record.direction),
        )
        findings.note(Code.WRONG_PASS, "D2", words, Part.EXCHANGE, Severity.WARNING)
    later = {
        Part.EXCHANGE: is_foot and record.exchange,
        Part.BIDS: is_foot and record.bids,
        Part.AUCTION: is_foot and record.auction,
        Part.NAMER: record.namer is not None,
        Part.PAIN: record.pain is not None,
        Part.CAPTURES: record.captures,
    }
    for part in (part for part, is_written in later.items() if is_written):
        words = Message("the hand ended before this; it is not used")
        hint = Message("delete it, or correct how the hand ended")
        findings.note(Code.BAD_CALL, "DEC-2", words, part, Severity.WARNING, hint=hint)
    return Status.FOOT if is_foot else Status.PASSED_OUT


def _refuse_passing_out(findings: Findings) -> None:
    """Report a hand that is said to be passed out and was not, or cannot be by its rules."""
    if findings.rules.pain is PainBy.AUCTION and findings.rules.all_pass is not AllPass.REDEAL:
        words = Message("under these rules a hand that everybody passed is played")
        hint = Message("correct the tag Termination, and write the play")
    else:
        words = Message("the record says that everybody passed, and shows something else")
        hint = Message("correct the tag Termination, or remove what was not played")
    findings.note(Code.BAD_CALL, "Q01", words, Part.ENDING, hint=hint)


def _is_dealt(findings: Findings) -> bool:
    """Whether the record shows that the cards of its hand were dealt (Q63, DEC-2).

    The suit of a jackpot hand shows nothing: it can be the one that was named first (Q08).
    """
    record = findings.record
    shown = (record.deal, record.centre, record.papers, record.exchange, record.bids)
    named = record.pain is not None and not findings.jackpot
    return any((*shown, record.auction, named, record.play, record.captures, record.claim))


def _is_misdeal(findings: Findings) -> bool:
    """A hand of only forbidden cards, where the house rules make that a misdeal (Q19)."""
    if findings.pain is None:
        return False
    penalty = SUIT_CARDS[findings.pain] | (QUEEN_SET if findings.rules.queen is ON else EMPTY)
    hands = findings.holdings if findings.whole and findings.holdings is not None else ()
    for place, held in enumerate(hands):
        if held & ~penalty == 0:
            words = Message(
                "holds nothing but penalty cards ({cards}): a misdeal, deal again", cards=show(held)
            )
            hint = Message("the same dealer deals again")
            findings.note(Code.MISDEAL, "Q19", words, Part.DEAL, seat=Seat(place), hint=hint)
            return True
    return False
