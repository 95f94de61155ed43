"""Collects the findings about a record, stage by stage, during its replay."""

from collections.abc import Iterable
from dataclasses import replace

from ..core.cards import EMPTY, Card, CardSet, Suit
from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import NO_MESSAGE, Message
from ..core.seats import Seat, left_of
from ..record.game_state import GameState
from ..record.record import STOPPED, HandRecord
from ..rules.rules import Rules
from .auction import Contract
from .course import Course


class Findings:
    """The state of a replay. Tuples and lists are by seat; None is not known.

    ``holdings`` are the cards at the first lead, as far as they are known; ``whole`` says that
    they are known completely. ``cancelled`` says that the hand ended before the play;
    ``is_stopped`` that it may have stopped in any phase (DEC-2). ``eldest`` and ``stock`` are asked
    for again and again: who is eldest (K2), and the cards.
    """

    dealt: tuple[CardSet, ...] | None = None
    holdings: tuple[CardSet, ...] | None = None
    whole: bool = False
    papers: tuple[int, ...] = ()
    feet: tuple[Seat, ...] = ()
    centre: tuple[int, ...] = ()
    contract: Contract = Contract(None)
    jackpot: bool = False
    namer: Seat | None = None
    pain: Suit | None = None
    cancelled: bool = False
    course: Course | None = None
    taken: list[CardSet] | None = None
    good: int | None = None
    adjust: tuple[int, ...] = ()
    chips: tuple[int, ...] = ()

    def __init__(self, record: HandRecord, rules: Rules, before: GameState, dealer: Seat) -> None:
        self.record = record
        self.rules = rules
        self.before = before
        self.faults: list[Fault] = []
        self.players = len(record.seats)
        self.eldest = left_of(dealer, self.players)
        self.stock = rules.stock(self.players)
        self.is_stopped = record.ending in STOPPED

    def name(self, seat: Seat) -> str:
        """The name of a seat, for messages."""
        return self.record.seats[seat]

    def add(self, faults: Iterable[Fault | None]) -> None:
        """Note what is wrong, with the name of the seat in front."""
        for fault in filter(None, faults):
            if fault.seat is None:
                self.faults.append(fault)
            else:
                named = self._with_names(fault.seat, fault.message)
                self.faults.append(replace(fault, message=named))

    def _with_names(self, seat: Seat, message: Message) -> Message:
        return Message("{seat}: {message}", seat=self.name(seat), message=message)

    def note(  # noqa: PLR0913 - the parts of one fault, by keyword
        self,
        code: Code,
        rule: str,
        message: Message,
        part: Part,
        severity: Severity = Severity.RULING,
        *,
        seat: Seat | None = None,
        index: int | None = None,
        card: Card | None = None,
        trick: int | None = None,
        legal: CardSet = EMPTY,
        established: bool = False,
        hint: Message = NO_MESSAGE,
    ) -> None:
        """Note one thing that is wrong."""
        self.faults.append(
            Fault(
                code=code,
                rule=rule,
                message=message if seat is None else self._with_names(seat, message),
                part=part,
                severity=severity,
                seat=seat,
                index=index,
                card=card,
                trick=trick,
                legal=legal,
                established=established,
                hint=hint,
            )
        )

    @property
    def is_blocked(self) -> bool:
        """Whether something is so wrong that the hand cannot be settled (K7)."""
        return bool(self.faults) and any(fault.severity is Severity.ERROR for fault in self.faults)
