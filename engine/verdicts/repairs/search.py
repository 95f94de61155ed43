"""The search: every repair is replayed, and the one that leaves the fewest findings is chosen."""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from ...core.faults import Code, Fault, Part, Severity
from ...core.messages import Message
from ...games.game import HandResult, judge_hand
from ...record.game_state import GameState
from ...record.record import Detail, HandRecord
from . import calls, deals, plays, scores, tags
from .candidates import CLAIMED, SERIOUS, Candidate, Case, Repair

REPLAYS_MAX: Final = 100
"""How many repairs of one record are replayed."""
ROWS_MAX: Final = 16
"""A record with longer tables than any table of players makes is not searched."""
CARDS_MAX: Final = 60
_PERFECT: Final = (0, 0)

_KINDS: Final[tuple[Callable[[Case], Iterator[Candidate]], ...]] = (
    plays.played_card,
    plays.exchanged_cards,
    deals.dealt_card,
    deals.passed_card,
    plays.missing_trick,
    tags.pain_suit,
    tags.declarer,
    tags.dealer,
    tags.direction,
    tags.jackpot,
    tags.claimer,
    calls.first_caller,
    calls.rotated_calls,
    calls.winning_bid,
    plays.first_leader,
    plays.turned_columns,
    deals.exchanged_hands,
    deals.turned_deal,
    deals.exchanged_passes,
    deals.centre_paper,
    scores.settled_otherwise,
    scores.queen_in_another_row,
    scores.exchanged_columns,
    calls.exchanged_scores,
    calls.exchanged_captures,
    plays.exchanged_tricks,
)
"""The kinds of slips, the likelier first: of two that explain as much the first is chosen."""
_KINDS_OF_CARDS: Final = frozenset(
    (
        *(plays.played_card, plays.exchanged_cards, plays.turned_columns),
        *(deals.dealt_card, deals.passed_card, deals.exchanged_hands, deals.turned_deal),
        *(deals.exchanged_passes, deals.centre_paper),
    )
)
_CARD_CODES: Final = frozenset(
    (Code.NOT_HELD, Code.PLAYED_TWICE, Code.CARD_TWICE, Code.NOT_IN_PACK, Code.HAND_SIZE)
)
"""Findings that only a repair of cards can explain."""


@dataclass(frozen=True, slots=True)
class _Attempt:
    """A candidate that explains enough, and the findings that it leaves."""

    candidate: Candidate
    remaining: tuple[Fault, ...]
    worth: tuple[int, int]


def find_repair(result: HandResult, before: GameState | None) -> Repair | None:
    """The one slip of the pen that explains the errors of a judged hand; None where none does.

    ``before`` is the state in which the hand was judged. At most `REPLAYS_MAX` repairs are
    replayed. A single finding is its own best explanation, unless the repair says what exactly
    is to be written instead.
    """
    serious = [fault for fault in result.faults if fault.severity in SERIOUS]
    case = Case.of(result)
    if not serious or case.has(Code.PLAYERS) or not _is_small(case.record):
        return None
    good: list[_Attempt] = []
    left = REPLAYS_MAX
    for kind in _kinds(serious):
        candidates = [one for one in islice(kind(case), left) if one.least <= len(serious)]
        left -= len(candidates)
        good += filter(None, (_try(case, before, candidate, serious) for candidate in candidates))
        if any(one.worth == _PERFECT for one in good):
            break
    if not good:
        return None
    best = min(good, key=lambda one: one.worth)
    equals = [one for one in good if one.worth == best.worth]
    if len(serious) <= 2 and len(equals) > 1 and best.candidate.has_to_be_unique:
        return None
    finding = _grade_repair(best, serious)
    if len(equals) > 1:
        hint = Message(
            "{hint}; this is one of {count} possible repairs", hint=finding.hint, count=len(equals)
        )
        finding = replace(finding, hint=hint)
    return Repair(best.candidate.record, finding, case.faults, best.remaining)


def _kinds(serious: list[Fault]) -> list[Callable[[Case], Iterator[Candidate]]]:
    """The kinds of slips that can explain half of these findings."""
    of_cards = sum(fault.code in _CARD_CODES for fault in serious)
    return [kind for kind in _KINDS if kind in _KINDS_OF_CARDS or 2 * of_cards <= len(serious)]


def _is_small(record: HandRecord) -> bool:
    """Whether a record is no longer than those that people write."""
    tables = (
        *(record.exchange, record.bids, record.auction, record.scores, record.captures),
        *(record.rulings, record.marks),
    )
    short = all(len(table or ()) <= ROWS_MAX for table in tables)
    return short and len(record.play or ()) <= CARDS_MAX and record.detail is not Detail.GAME


def _try(
    case: Case, before: GameState | None, candidate: Candidate, serious: list[Fault]
) -> _Attempt | None:
    """A candidate that explains what it has to, and makes nothing wrong that was right."""
    faults = judge_hand(case.rules, before, candidate.record).faults
    remaining = tuple(_moved_back(fault, candidate, case.players) for fault in faults)
    bad = [fault for fault in remaining if fault.severity in SERIOUS]
    old, left = Counter(map(_key, serious)), Counter(map(_key, bad))
    explained = (old - left).total()
    new = [fault for fault in bad if _key(fault) not in old]
    if any(fault.part not in CLAIMED for fault in new):
        return None
    # Where nothing could be settled, wrong numbers show only now: no repair has made them.
    made = len(bad) - (len(new) if case.result.settlement is None else 0)
    if explained < candidate.least or 2 * made > len(serious):
        return None
    return _Attempt(candidate, remaining, (len(bad), len(remaining)))


def _key(fault: Fault) -> tuple[object, ...]:
    return (fault.code, fault.part, fault.seat, fault.index, fault.column)


def _moved_back(fault: Fault, candidate: Candidate, players: int) -> Fault:
    """A finding about a card that a repair moved, at the place where the card is written."""
    places, index = candidate.places, fault.index
    if places is None or fault.part is not Part.PLAY or index is None or index >= len(places):
        return fault
    place = max(places[index], 0)
    return replace(fault, index=place, trick=place // players + 1 if fault.trick else None)


def _grade_repair(tried: _Attempt, serious: list[Fault]) -> Fault:
    """The finding of a repair, as grave as the gravest that it explains."""
    left = Counter(map(_key, tried.remaining))
    explained = [fault for fault in serious if _key(fault) not in left]
    is_error = any(fault.severity is Severity.ERROR for fault in explained)
    severity = Severity.ERROR if is_error else Severity.RULING
    return replace(tried.candidate.finding, severity=severity)
