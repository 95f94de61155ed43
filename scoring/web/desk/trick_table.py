"""The cards of a hand as a table in which each can be put right, and what to put there."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from engine.cards import CARD_OF_NAME, NAMES, Card, CardSet, Suit, card_set, members, show
from engine.messages import Message
from engine.seats import Seat
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
from scoring.web.cards import CardFace, faces, seat_name


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


@dataclass(frozen=True, slots=True)
class CardTable:
    """The cards of some moves, for a page. ``faults`` are tricks (from 1) and seats by name."""

    table: GameContext
    moves: Fields
    faults: frozenset[tuple[int, str]] = frozenset()
    at: str = ""

    @property
    def tricks(self) -> list[TrickRow]:
        """The tricks, a line each."""
        return [
            TrickRow(str(number), [self._cell(number, row, Seat(seat)) for seat in self._seats])
            for number, row in enumerate(self._rows(), 1)
        ]

    @property
    def passed(self) -> list[TrickRow]:
        """What each seat passed, a line each."""
        return [
            TrickRow(
                seat_name(self.table.seats[seat]),
                [self._passed(seat, card) for card in sorted(members(cards), reverse=True)],
            )
            for seat, cards in sorted(_passed(self.table, self.moves).items())
        ]

    @property
    def picked(self) -> Picked | None:
        """The card that is to be put right, if there is one."""
        kind, place, name = _place(self.at)
        if name not in self.table.seats:
            return None
        seat = Seat(self.table.seats.index(name))
        old = self._card(kind, place, seat)
        if old is None:
            return None
        own = self._own(seat) & ~card_set([old])
        others = self.table.rules.pack(self.table.players) & ~own & ~card_set([old])
        values = {"card": CardFace(NAMES[old]).name, "seat": seat_name(name), "n": place}
        words = _("Trick %(n)s, %(seat)s: not the %(card)s, but")
        if kind == "pass":
            words = _("%(seat)s did not pass the %(card)s, but")
        by_suit = [
            faces(show(CardSet(others & self.table.rules.suit_cards(suit, self.table.players))))
            for suit in (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS)
        ]
        return Picked(self.at, words % values, faces(show(CardSet(own))), by_suit)

    def put(self, name: str) -> Fields:
        """The moves with that card put right. Raises UnclearError."""
        kind, place, seat_named = _place(self.at)
        if name not in CARD_OF_NAME or seat_named not in self.table.seats:
            raise UnclearError(Message("No card is written there."), "play")
        seat, card = Seat(self.table.seats.index(seat_named)), CARD_OF_NAME[name]
        if kind != "pass":
            number = int(place) - 1 if place.isdigit() else -1
            return with_card(self.table, self.moves, (number, seat), card)
        old = self._card(kind, place, seat)
        if old is None:
            raise UnclearError(Message("No card is written there."), "pass")
        return with_passed(self.table, self.moves, seat, (old, card))

    @property
    def _seats(self) -> range:
        return range(self.table.players)

    def _rows(self) -> list[AmendedTrick]:
        try:
            return rows(self.table, self.moves)
        except UnclearError:
            return []

    def _cell(self, number: int, row: AmendedTrick, seat: Seat) -> CardField | None:
        card, name = row.cards.get(seat), self.table.seats[seat]
        if card is None:
            return None
        at, face = f"trick.{number}.{name}", CardFace(NAMES[card])
        values = {"n": number, "seat": seat_name(name)}
        return CardField(
            at=at,
            face=face,
            label=_("Trick %(n)d, %(seat)s:") % values,
            leads=seat == row.leader,
            wins=seat == row.winner,
            is_faulty=(number, name) in self.faults,
            is_picked=at == self.at,
        )

    def _passed(self, seat: Seat, card: Card) -> CardField:
        name, face = self.table.seats[seat], CardFace(NAMES[card])
        at = f"pass.{NAMES[card]}.{name}"
        label = _("%(seat)s passed:") % {"seat": seat_name(name)}
        return CardField(at=at, face=face, label=label, is_picked=at == self.at)

    def _card(self, kind: str, place: str, seat: Seat) -> Card | None:
        """The card that stands at a place."""
        if kind == "pass":
            card = CARD_OF_NAME.get(place)
            held = _passed(self.table, self.moves).get(seat, CardSet(0))
            return card if card is not None and held & card_set([card]) else None
        tricks = self._rows()
        number = int(place) if place.isascii() and place.isdigit() and len(place) < 4 else 0
        return tricks[number - 1].cards.get(seat) if 1 <= number <= len(tricks) else None

    def _own(self, seat: Seat) -> CardSet:
        """The cards that the seat had, as far as the play shows."""
        return card_set(row.cards[seat] for row in self._rows() if seat in row.cards)


def _passed(table: GameContext, moves: Mapping[str, Any]) -> dict[Seat, CardSet]:
    try:
        passed = SubmittedFields(table, moves).by_seat("pass").items()
        return {seat: cards_named(str(cards), "pass") for seat, cards in passed}
    except UnclearError:
        return {}


def _place(at: str) -> tuple[str, str, str]:
    kind, place, name, *_rest = [*at.split(".", 3), "", "", ""]
    return kind, place, name


def faults_of(diagnostics: Any) -> Iterator[tuple[int, str]]:
    """Where in the play something is wrong."""
    for one in diagnostics:
        if one["trick"] is not None and one["seat"] and one["severity"] != "info":
            yield one["trick"], one["seat"]
