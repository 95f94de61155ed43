"""A record with errors as the search for repairs sees it, and the repairs to try on it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from ...core.cards import EMPTY, NAMES, Card, CardSet, card_set
from ...core.faults import Code, Fault, Part, Severity
from ...core.messages import Message
from ...core.seats import Seat
from ...games.game import HandResult
from ...record.record import HandRecord
from ...replay.replay import Replay
from ...rules.rules import Rules

SERIOUS: Final = frozenset((Severity.ERROR, Severity.RULING))
CLAIMED: Final = frozenset((Part.SCORES, Part.POT, Part.CAPTURES))
"""Parts that are compared with the settlement, and only where there is one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One repair to try.

    ``record`` is the repaired record and ``finding`` what is reported if the repair is chosen.
    ``least`` is the number of serious findings that it must explain. ``places`` gives for each
    card of the repaired play its place in the written one, -1 for a card that is not written;
    None means that no card moves. ``has_to_be_unique`` says that it is too bold a guess where
    another repair explains as much of one or two findings.
    """

    record: HandRecord
    finding: Fault
    least: int = 2
    places: tuple[int, ...] | None = None
    has_to_be_unique: bool = True


@dataclass(frozen=True, slots=True)
class Repair:
    """The chosen repair.

    ``record`` is the repaired record, ``finding`` what is reported. The findings of the written
    record are ``replaced`` by those of the repaired one: ``remaining``.
    """

    record: HandRecord
    finding: Fault
    replaced: tuple[Fault, ...]
    remaining: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Case:
    """A record that has errors, with what the replay found out about it."""

    result: HandResult
    faults: tuple[Fault, ...]
    codes: frozenset[Code]

    @classmethod
    def of(cls, result: HandResult) -> "Case":
        """The case of a judged hand."""
        faults = result.faults
        return cls(result, faults, frozenset(fault.code for fault in faults))

    @property
    def record(self) -> HandRecord:
        """The record as it is written."""
        return self.result.replay.record

    @property
    def replay(self) -> Replay:
        """The replay of the written record."""
        return self.result.replay

    @property
    def rules(self) -> Rules:
        """The rules by which the hand was played."""
        return self.result.replay.rules

    @property
    def players(self) -> int:
        """The number of players."""
        return self.record.players

    @property
    def tricks(self) -> int:
        """The number of tricks of a whole hand."""
        return self.rules.tricks(self.players)

    @property
    def pack(self) -> CardSet:
        """The cards of the pack of this table."""
        return self.rules.pack(self.players)

    @property
    def whole_holdings(self) -> tuple[CardSet, ...] | None:
        """The cards at the first lead by seat, where they are known and are a whole pack."""
        held = self.replay.held
        if held is None or sum(held) != self.pack or card_set_size(held) != self.pack.bit_count():
            return None
        return held

    def has(self, *codes: Code) -> bool:
        """Whether one of these codes was found."""
        return not self.codes.isdisjoint(codes)

    def name(self, seat: Seat) -> str:
        """The name of a seat, for messages."""
        return self.record.seats[seat]

    def others(self, seat: Seat) -> list[Seat]:
        """All seats but one, clockwise from it."""
        return [Seat((seat + turn) % self.players) for turn in range(1, self.players)]

    def pairs(self) -> list[tuple[Seat, Seat]]:
        """All pairs of seats."""
        seats = range(self.players)
        return [(Seat(one), Seat(two)) for two in seats for one in range(two)]

    def cards_played(self) -> list[CardSet]:
        """The cards that each seat played in whole tricks."""
        cards = [EMPTY] * self.players
        course = self.replay.course
        if course is not None:
            for column, seat in enumerate(course.columns):
                cards[seat] = card_set(course.play[column :: self.players])
        return cards


def card_set_size(sets: Sequence[CardSet]) -> int:
    """Return the size of some sets together, a card in two of them counted twice."""
    return sum(one.bit_count() for one in sets)


def make_finding(  # noqa: PLR0913 - the parts of one fault, by keyword
    code: Code,
    rule: str,
    message: Message,
    part: Part,
    *,
    hint: Message,
    seat: Seat | None = None,
    index: int | None = None,
    trick: int | None = None,
    card: Card | None = None,
    column: str | None = None,
) -> Fault:
    """The finding that proposes a repair."""
    return Fault(
        code=code,
        rule=rule,
        message=message,
        part=part,
        seat=seat,
        index=index,
        trick=trick,
        card=card,
        column=column,
        hint=hint,
    )


def move_cards(record: HandRecord, places: Sequence[int], row: Sequence[Card] = ()) -> HandRecord:
    """The record with the cards of its play in another order; -1 stands for the cards of a row."""
    play, new = record.play or (), iter(row)
    cards = tuple(play[place] if place >= 0 else next(new) for place in places)
    marks: Mapping[int, str] = {
        at: record.marks[place] for at, place in enumerate(places) if place in record.marks
    }
    return replace(record, play=cards, marks=marks)


def write_cards(cards: Sequence[Card]) -> str:
    """Cards as they stand in a row of a play."""
    return " ".join(NAMES[card] for card in cards)


def exchange_cards(cards: CardSet, wrong: CardSet, right: CardSet) -> CardSet:
    """A set with some cards in place of others."""
    return CardSet(cards & ~wrong | right)
