"""Rulings: the director's decisions, as inputs to the settlement (rules.md section 8).

The engine proposes and the director decides; a ruling never changes a record. It changes the
facts that are settled, moves chips that sum to zero, or says what the next hand inherits.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from ..core.cards import Suit, count
from ..core.faults import Fault
from ..core.messages import Choice, Message, MessageError
from ..core.seats import Seat
from ..rules.rules import Rules, plays_for_chips
from ..rules.switches import AllPass, PainBy, SettledBy, Toggle
from .facts import Facts, Status
from .game_state import GameState
from .irregularities import Event, Named, covers


class Decision(Choice):
    """Decisions open to a director.

    The words of a decision name it where it was made, its details where it is to be made.
    """

    RESULT_STANDS = (
        "RESULT_STANDS",
        Message("the result stands"),
        Message("The result stands as it was written"),
    )
    CARD_CORRECTED = (
        "CARD_CORRECTED",
        Message("the card was corrected"),
        Message("A card is put right; the play stands"),
    )
    REVOKE_LAW = (
        "REVOKE_LAW",
        Message("the revoke law"),
        Message("The revoke law: the offender bears the hand"),
    )
    ASSIGNED_CAPTURES = (
        "ASSIGNED_CAPTURES",
        Message("captures assigned"),
        Message("I say who took how many pain cards"),
    )
    SCORE_ADJUST = (
        "SCORE_ADJUST",
        Message("points adjusted"),
        Message("Points are added or taken away"),
    )
    CHIP_ADJUST = "CHIP_ADJUST", Message("chips adjusted"), Message("Chips are moved")
    VOID_REDEAL = (
        "VOID_REDEAL",
        Message("void, dealt again"),
        Message("The hand is void and dealt again"),
    )
    VOID_NO_REPLAY = (
        "VOID_NO_REPLAY",
        Message("void, not dealt again"),
        Message("The hand is void and not played again"),
    )
    ARTIFICIAL_SCORE = (
        "ARTIFICIAL_SCORE",
        Message("an artificial score"),
        Message("The hand gets an artificial score"),
    )
    WARNING = "WARNING", Message("a warning"), Message("A warning; nothing changes")


class RulingError(MessageError):
    """A ruling that cannot be: chips that do not sum to zero, captures that do not add up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextHand:
    """The inheritance of the next hand by the director; None leaves a value as it comes.

    ``play_on``: the game goes on, whatever end this hand brought.
    """

    dealer: Seat | None = None
    jackpot: int | None = None
    namer: Seat | None = None
    pain: Suit | None = None
    deals: int | None = None
    feet: frozenset[Seat] | None = None
    play_on: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One decision on one hand; tuples are by seat.

    ``code`` is what the decision is on; without one it is on everything that is open.
    ``offenders`` bear the hand by the revoke law; ``taken`` and ``queen`` are assigned captures;
    ``score`` are points added; ``chips`` are chips added, which together with ``pot`` sum to
    zero.
    """

    decision: Decision
    code: Named | None = None
    offenders: tuple[Seat, ...] = ()
    taken: tuple[int, ...] = ()
    queen: Seat | None = None
    score: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()
    pot: int = 0
    then: NextHand = NextHand()
    text: str = ""


NO_RESULT: Final = {
    Decision.VOID_REDEAL: Status.VOID_REDEAL,
    Decision.VOID_NO_REPLAY: Status.VOID_NO_REPLAY,
    Decision.ARTIFICIAL_SCORE: Status.VOID_NO_REPLAY,
}
"""Decisions after which nothing of the hand is settled."""


def rule(rules: Rules, facts: Facts, ruling: Ruling, players: int) -> Facts:
    """The facts after a decision. Raises RulingError."""
    _check(rules, ruling, players)
    if ruling.decision in NO_RESULT:
        facts = replace(facts, status=NO_RESULT[ruling.decision], feet=(), adjust=(), chips=())
    if ruling.decision is Decision.REVOKE_LAW:
        offenders = dict.fromkeys((*facts.offenders, *ruling.offenders))
        facts = replace(facts, offenders=tuple(offenders))
    if ruling.decision is Decision.ASSIGNED_CAPTURES:
        facts = _assign_facts(rules, facts, ruling, players)
    if ruling.score:
        facts = replace(facts, adjust=_add_points(facts.adjust, ruling.score))
    if ruling.chips:
        facts = replace(facts, chips=_add_points(facts.chips, ruling.chips))
    return facts


def _check(rules: Rules, ruling: Ruling, players: int) -> None:
    """Refuse what no director can decide. Raises RulingError."""
    for name in ("taken", "score", "chips"):
        values = getattr(ruling, name)
        if values and len(values) != players:
            words = Message(
                "{name}: one number for each of {players} seats is needed",
                name=name,
                players=players,
            )
            raise RulingError(words)
    seats = (*ruling.offenders, ruling.queen, ruling.then.dealer, ruling.then.namer)
    if any(seat is not None and not 0 <= seat < players for seat in seats):
        raise RulingError(Message("a seat is a number from 0 to {most}", most=players - 1))
    for refused, words in _refusals(rules, ruling):
        if refused:
            raise RulingError(words)


def _refusals(rules: Rules, ruling: Ruling) -> list[tuple[bool, Message]]:
    revoke = ruling.decision is Decision.REVOKE_LAW
    lost = sum(ruling.chips) + ruling.pot
    pot = rules.settlement is SettledBy.POT
    nameless = bool(ruling.then.jackpot) and ruling.then.namer is None
    hearts = rules.pain is PainBy.HEARTS or rules.all_pass is AllPass.PLAY_HEARTS
    return [
        (revoke and not ruling.offenders, Message("the revoke law needs an offender")),
        (lost != 0, Message("chips and pot sum to {total}, not to zero", total=lost)),
        (any(ruling.chips) and not plays_for_chips(rules), Message("no chips are played for")),
        (
            ruling.code is Event.PROCEDURE and any((*ruling.chips, ruling.pot)),
            Message("a matter of procedure costs no chips of the table"),
        ),
        (any(ruling.score) and pot, Message("no points are played for; adjust the chips")),
        (nameless and not hearts, Message("a jackpot needs its namer")),
    ]


def _add_points(before: tuple[int, ...], extra: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(a + b for a, b in zip(before, extra, strict=True)) if before else extra


def _assign_facts(rules: Rules, facts: Facts, ruling: Ruling, players: int) -> Facts:
    pain = Suit.HEARTS if rules.pain is PainBy.HEARTS else facts.pain
    whole = facts.whole if pain is None else count(rules.suit_cards(pain, players))
    if min(ruling.taken, default=0) < 0:
        raise RulingError(Message("nobody is assigned fewer than no captures"))
    if sum(ruling.taken) != whole:
        words = Message(
            "assigned captures sum to {total}, not {whole}", total=sum(ruling.taken), whole=whole
        )
        raise RulingError(words)
    queen = ruling.queen if ruling.queen is not None else facts.queen
    if queen is None and rules.queen is Toggle.ON:
        raise RulingError(Message("say who is assigned the queen of spades"))
    status = facts.status if facts.status.settles else Status.PLAYED
    return replace(facts, taken=ruling.taken, queen=queen, status=status, whole=whole, pain=pain)


def decides(rulings: Sequence[Ruling], fault: Fault) -> bool:
    """Whether one of some decisions is on a fault, or on everything that is open."""
    return any(ruling.code is None or covers(ruling.code, fault.code) for ruling in rulings)


def inherit(after: GameState, ruling: Ruling) -> GameState:
    """The state for the next hand, as far as a ruling sets it."""
    then = ruling.then
    changes = {
        name: getattr(then, name)
        for name in ("dealer", "jackpot", "namer", "pain", "deals", "feet")
        if getattr(then, name) is not None
    }
    if then.jackpot == 0:
        changes |= {"namer": None, "pain": None}
    if then.play_on:
        changes |= {"due": None, "over": None, "winner": None}
    return replace(after, **changes) if changes else after
