"""The effect of changing one hand on the hands after it.

Pure. A later hand is unchanged, settled again, or in conflict: it was played on a premise that no
longer holds, or is no longer legal. The director sees this before they decide, and chooses whether
the rules are applied anew or the play is let stand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS, Seat, direction_name
from engine.record.game_state import END_REASONS, GameState
from engine.record.rulings import Decision, NextHand, Ruling
from engine.rules.rules import Rules
from engine.rules.switches import Passing
from scoring.settlement.replay import HandInput, JudgedHand, judge_entered, open_questions


class Policy(StrEnum):
    """Policies for the hands after a changed one."""

    RESETTLE = "resettle"
    """They are judged anew: what they were played for may be gone."""
    LET_STAND = "let_stand"
    """They were played in good faith: what they were played for holds."""


class ConsequenceKind(StrEnum):
    """Kinds of effects of a change on one later hand."""

    UNCHANGED = "unchanged"
    RESETTLED = "resettled"
    CONFLICT = "conflict"


@dataclass(frozen=True, slots=True, kw_only=True)
class Consequence:
    """One hand before and after a change.

    ``chips`` and ``points`` are what each seat gains by the change in this hand alone; ``pot``
    what the pot does. ``premises`` say what the hand was played for and is not so any more;
    ``questions`` what is now open to a ruling and was not.
    """

    number: int
    verdict: ConsequenceKind
    state: str
    was: str
    chips: tuple[int, ...]
    points: tuple[int, ...]
    pot: int
    premises: tuple[str, ...]
    questions: tuple[str, ...]


def consequences(
    rules: Rules, old: Sequence[JudgedHand], new: Sequence[JudgedHand]
) -> tuple[Consequence, ...]:
    """Return the effects of a change on each hand from the changed one on, in both lists."""
    return tuple(_consequence(rules, a, b) for a, b in zip(old, new, strict=True))


def _consequence(rules: Rules, old: JudgedHand, new: JudgedHand) -> Consequence:
    premises = tuple(broken_premises(rules, old.before, new.before, _seats(new)))
    asked = set(open_questions(old.judged, old.entered.rulings))
    questions = tuple(
        question
        for question in open_questions(new.judged, new.entered.rulings)
        if question not in asked
    )
    same = old.postings == new.postings and old.after == new.after and old.state == new.state
    verdict = ConsequenceKind.UNCHANGED if same else ConsequenceKind.RESETTLED
    if premises or questions:
        verdict = ConsequenceKind.CONFLICT
    return Consequence(
        number=new.entered.number,
        verdict=verdict,
        state=str(new.state),
        was=str(old.state),
        chips=_gains(_chips_won(old, "chips"), _chips_won(new, "chips")),
        points=_gains(_chips_won(old, "totals"), _chips_won(new, "totals")),
        pot=(new.after.pot - new.before.pot) - (old.after.pot - old.before.pot),
        premises=premises,
        questions=questions,
    )


def _seats(played: JudgedHand) -> tuple[str, ...]:
    record = played.judged.entry.record
    if record is not None and len(record.seats) == played.before.players:
        return record.seats
    return DEFAULT_SEATS[played.before.players]


def _chips_won(played: JudgedHand, what: str) -> tuple[int, ...]:
    after, before = getattr(played.after, what), getattr(played.before, what)
    return _gains(before, after)


def _gains(old: Sequence[int], new: Sequence[int]) -> tuple[int, ...]:
    return tuple(b - a for a, b in zip(old, new, strict=True))


def broken_premises(
    rules: Rules, old: GameState, new: GameState, seats: Sequence[str]
) -> Iterator[str]:
    """Yield the premises of a hand that no longer hold."""
    if old.jackpot and not new.jackpot:
        yield Message("It was played for a jackpot that was not one.")
    elif new.jackpot and not old.jackpot:
        yield Message("There was an auction, although a jackpot was carried.")
    elif old.namer != new.namer and old.namer is not None and new.namer is not None:
        yield Message(
            "{seat} had no right to name the suit; {other} had.",
            seat=seats[old.namer],
            other=seats[new.namer],
        )
    if new.over is not None and old.over is None:
        yield Message(
            "The game should have ended before it ({reason}).", reason=END_REASONS[new.over]
        )
    if old.over is not None and new.over is None:
        yield Message("The game had ended before it, and now has not.")
    if old.dealer != new.dealer:
        yield Message(
            "{dealer} dealt; it was {other}'s turn.",
            dealer=seats[old.dealer],
            other=seats[new.dealer],
        )
    directions = rules.direction(old.deals), rules.direction(new.deals)
    if rules.passing is Passing.CYCLE and directions[0] != directions[1]:
        yield Message(
            "The cards were passed {direction}; it was the turn of {other}.",
            direction=direction_name(directions[0]),
            other=direction_name(directions[1]),
        )
    for seat in sorted(new.feet - old.feet):
        yield Message("{seat} had used the foot by then.", seat=seats[seat])


def let_stand(
    rules: Rules, before: GameState, old: Sequence[JudgedHand], entered: Sequence[HandInput]
) -> tuple[list[JudgedHand], dict[int, Ruling]]:
    """Judge hands again, adding rulings so that each later hand keeps its starting conditions.

    Returns the hands and the added rulings by hand number. They restore what the next hand
    inherited; a pot for which a jackpot hand was then played stays in the middle.
    """
    state = before
    hands: list[JudgedHand] = []
    rulings: dict[int, Ruling] = {}
    for place, (was, one) in enumerate(zip(old, entered, strict=True)):
        played = judge_entered(rules, state, one)
        is_last = place == len(old) - 1
        # A board that begins alike at all tables inherits nothing.
        ruling = None if is_last or was.slot is not None else _restoring(was.after, played)
        if ruling is not None:
            rulings[one.number] = ruling
            played = judge_entered(rules, state, replace(one, rulings=(*one.rulings, ruling)))
        hands.append(played)
        state = played.carried
    return hands, rulings


def _restoring(was: GameState, played: JudgedHand) -> Ruling | None:
    """Return the ruling that restores the next hand's starting conditions; None if unchanged."""
    now = played.after
    then = NextHand(
        dealer=was.dealer if was.dealer != now.dealer else None,
        jackpot=was.jackpot if was.jackpot != now.jackpot else None,
        namer=was.namer if (was.jackpot, was.namer) != (now.jackpot, now.namer) else None,
        pain=was.pain if was.pain != now.pain and was.jackpot else None,
        deals=was.deals if was.deals != now.deals else None,
        feet=was.feet if was.feet != now.feet else None,
        play_on=now.over is not None and was.over is None,
    )
    if then == NextHand():
        return None
    chips = _chips_to_return(played) if was.jackpot and not now.jackpot else ()
    text = "Later hands were played in good faith; what they were played for stands."
    return Ruling(decision=Decision.WARNING, then=then, chips=chips, pot=-sum(chips), text=text)


def _chips_to_return(played: JudgedHand) -> tuple[int, ...]:
    """Return, by seat, the chips that the winners of a pot give back (0 or less)."""
    settled = played.result.settlement if played.result is not None else None
    if settled is None or not settled.winners:
        return ()
    won = [0] * played.before.players
    for posting in settled.postings:
        if posting.kind == "AWARD" and not isinstance(posting.payee, str):
            won[Seat(posting.payee)] -= posting.amount
    return tuple(won)
