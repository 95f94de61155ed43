"""The cards of a hand as a table in which each can be put right, and what to put there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.core.cards import CARD_OF_NAME, NAMES, Card, CardSet, Suit, card_set, members, show
from engine.core.messages import Message
from engine.core.seats import Seat
from scoring.presentation.cards import CardFace, faces, seat_name
from scoring.submissions.writing.card_correction import (
    AmendedTrick,
    rows,
    with_card,
    with_passed,
)
from scoring.submissions.writing.fields_from_record import Fields
from scoring.submissions.writing.table import (
    GameContext,
    SubmittedFields,
    UnclearError,
    cards_named,
)


@dataclass(frozen=True, slots=True)
class CardField:
    """A card that can be put right; ``at`` names its place, ``label`` says it."""

    at: str
    face: CardFace
    label: str
    leads: bool = False
    wins: bool = False
    is_faulty: bool = False
    is_picked: bool = False


@dataclass(frozen=True, slots=True)
class TrickRow:
    """A trick, or what a seat passed: a cell for each seat, None where no card is written."""

    title: str
    cells: list[CardField | None]


@dataclass(frozen=True, slots=True)
class Picked:
    """A card that is to be put right: what stands there, and what can stand there instead."""

    at: str
    title: str
    own: list[CardFace]
    others: list[list[CardFace]]


class CardTable:
    """The cards of some moves, for a page.

    ``names`` are what people are called, by seat; ``faults`` are tricks (from 1) and seats; ``at``
    names the place of the card that is to be put right: ``trick.4.N``, or ``pass.SQ.N``.
    """

    def __init__(
        self,
        table: GameContext,
        moves: Fields,
        names: Mapping[str, str],
        *,
        faults: frozenset[tuple[int, str]] = frozenset(),
        at: str = "",
    ) -> None:
        self.table, self.moves, self.names = table, moves, names
        self.faults, self.at = faults, at
        self._kind, self._place, name, *_rest = [*at.split(".", 3), "", "", ""]
        self._seat = Seat(table.seats.index(name)) if name in table.seats else None
        try:
            self._rows = rows(table, moves)
        except UnclearError:
            self._rows = []
        try:
            passed = SubmittedFields(table, moves).by_seat("pass").items()
            self._passed = {seat: cards_named(str(cards), "pass") for seat, cards in passed}
        except UnclearError:
            self._passed = {}

    @property
    def tricks(self) -> list[TrickRow]:
        """The tricks, a line each."""
        seats = [Seat(seat) for seat in range(self.table.players)]
        return [
            TrickRow(str(number), [self._cell(number, row, seat) for seat in seats])
            for number, row in enumerate(self._rows, 1)
        ]

    @property
    def passed(self) -> list[TrickRow]:
        """Return each seat's passed cards, a line each."""
        found = []
        for seat, cards in sorted(self._passed.items()):
            name = self.table.seats[seat]
            label = _("%(seat)s passed:") % {"seat": seat_name(name, self.names)}
            cells: list[CardField | None] = []
            for card in sorted(members(cards), reverse=True):
                at, face = f"pass.{NAMES[card]}.{name}", CardFace(NAMES[card])
                cells.append(CardField(at=at, face=face, label=label, is_picked=at == self.at))
            found.append(TrickRow(seat_name(name, self.names), cells))
        return found

    @property
    def picked(self) -> Picked | None:
        """The card that is to be put right, if there is one."""
        old, seat = self._card(), self._seat
        if old is None or seat is None:
            return None
        rules, players = self.table.rules, self.table.players
        played = card_set(row.cards[seat] for row in self._rows if seat in row.cards)
        own = CardSet(played & ~card_set([old]))
        others = rules.pack(players) & ~own & ~card_set([old])
        seat_words = seat_name(self.table.seats[seat], self.names)
        values = {"card": CardFace(NAMES[old]).name, "seat": seat_words, "n": self._place}
        words = _("Trick %(n)s, %(seat)s: not the %(card)s, but")
        if self._kind == "pass":
            words = _("%(seat)s did not pass the %(card)s, but")
        by_suit = [
            faces(show(CardSet(others & rules.suit_cards(suit, players))))
            for suit in (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
        ]
        return Picked(self.at, words % values, faces(show(own)), by_suit)

    def put(self, name: str) -> Fields:
        """The moves with that card put right. Raises UnclearError."""
        if name not in CARD_OF_NAME or self._seat is None:
            raise UnclearError(Message("No card is written there."), "play")
        if self._kind != "pass":
            number = int(self._place) - 1 if self._place.isdecimal() else -1
            return with_card(self.table, self.moves, (number, self._seat), CARD_OF_NAME[name])
        old = self._card()
        if old is None:
            raise UnclearError(Message("No card is written there."), "pass")
        return with_passed(self.table, self.moves, self._seat, (old, CARD_OF_NAME[name]))

    def _cell(self, number: int, row: AmendedTrick, seat: Seat) -> CardField | None:
        card, name = row.cards.get(seat), self.table.seats[seat]
        if card is None:
            return None
        at = f"trick.{number}.{name}"
        return CardField(
            at=at,
            face=CardFace(NAMES[card]),
            label=_("Trick %(n)d, %(seat)s:") % {"n": number, "seat": seat_name(name, self.names)},
            leads=seat == row.leader,
            wins=seat == row.winner,
            is_faulty=(number, name) in self.faults,
            is_picked=at == self.at,
        )

    def _card(self) -> Card | None:
        """The card that stands at the place that is to be put right."""
        place, seat = self._place, self._seat
        if seat is None:
            return None
        if self._kind == "pass":
            card = CARD_OF_NAME.get(place)
            held = self._passed.get(seat, CardSet(0))
            return card if card is not None and held & card_set([card]) else None
        number = int(place) if place.isascii() and place.isdigit() and len(place) < 4 else 0
        return self._rows[number - 1].cards.get(seat) if 1 <= number <= len(self._rows) else None


def faults_of(diagnostics: Any) -> Iterator[tuple[int, str]]:
    """Yield the places in the play where something is wrong."""
    for diagnostic in diagnostics:
        if (
            diagnostic["trick"] is not None
            and diagnostic["seat"]
            and diagnostic["severity"] != "info"
        ):
            yield diagnostic["trick"], diagnostic["seat"]
