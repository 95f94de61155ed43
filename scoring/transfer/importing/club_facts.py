"""Facts of games and hands that an archive has beside their records (notation.md 10)."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from engine.cards import CARD_OF_NAME
from engine.notation.decisions import parse_ruling
from engine.notation.reader import RecordEntry
from engine.rulings import Ruling, RulingError
from engine.seats import DEFAULT_SEATS
from scoring.ledger.payouts import Drawn
from scoring.ledger.transfers import Stamp
from scoring.models import Decided, Phase, State, Word
from scoring.models.states import write_ruling
from scoring.settlement.plan import summarize_words
from tournaments.models.limits import max_length

WAITING: Final = "waiting"
OUTSIDE: Final = {"contested": State.DISPUTED, "rejected": State.VOID, WAITING: State.DRAFT}
"""The states of records that are no part of their game."""
CONFIRMED: Final = "confirmed"
OBJECTED: Final = "objected"
OBJECTED_LATER: Final = "objected-later"
"""What a seat said of a hand; the last one after the director had ruled, who has not answered."""
_DIGITS: Final = 9
_OF_A_HAND: Final = ("[DecisionTable ", "[ConfirmationTable ", "[BoardStart ", "[Outside ")


@dataclass(frozen=True, slots=True)
class HandFacts:
    """What was decided and said of a hand, as rows that are not saved yet.

    ``board`` is the prepared board as which it began, where boards begin alike (DEC-6);
    ``outside`` says why the record is no part of its game, if it is none: OUTSIDE has the words.
    ``unknown`` says which ruling could not be understood.
    """

    rulings: Sequence[Decided] = ()
    words: Sequence[Word] = ()
    board: int | None = None
    outside: str = ""
    unknown: str = ""

    @property
    def decisions(self) -> tuple[Ruling, ...]:
        """The rulings as the engine takes them."""
        return tuple(one.decision() for one in self.rulings)

    @property
    def objection(self) -> str:
        """The objection that no ruling has settled, or nothing."""
        return summarize_words(self.words, self.rulings)[0]

    @property
    def is_confirmed(self) -> bool:
        """Whether a second seat agreed."""
        return summarize_words(self.words, self.rulings)[1]

    @property
    def is_plain(self) -> bool:
        """Whether the record alone decides what the hand comes to."""
        return not self.rulings and self.board is None and not self.objection


NO_FACTS: Final = HandFacts()


def read_hand_facts(entry: RecordEntry, players: int, stamp: Stamp) -> HandFacts:
    """Read the facts of one hand; `NO_FACTS` where the record is of the hand alone."""
    if not any(words in entry.text for words in _OF_A_HAND):
        return NO_FACTS
    seats = DEFAULT_SEATS[players] if entry.record is None else entry.record.seats
    rulings, unknown = [], ""
    for row in entry.table("DecisionTable"):
        try:
            rulings.append(_decided(row, seats, stamp))
        except RulingError as error:
            unknown = str(error)
    words = [_word(row, seats, stamp) for row in entry.table("ConfirmationTable")]
    outside = entry.value("Outside") or ""
    return HandFacts(
        rulings,
        words,
        _number(entry.value("BoardStart")),
        outside if outside in OUTSIDE else "",
        unknown,
    )


def entered_text(entry: RecordEntry) -> bytes | None:
    """What was entered in place of a record, where an archive says so."""
    said = entry.value("EnteredText")
    if said is None:
        return None
    try:
        return str(json.loads(f'"{said}"')).encode("utf-8", "surrogateescape")
    except ValueError:
        return None


def _decided(row: dict[str, str], seats: Sequence[str], stamp: Stamp) -> Decided:
    ruling = parse_ruling(row.get("Ruling", ""), seats)
    card = row.get("Card", "")
    return Decided(
        ruling=write_ruling(ruling),
        trick=_number(row.get("Trick")),
        card=card if card in CARD_OF_NAME else "",
        law=row.get("Law", "")[: max_length(Decided, "law")],
        facts=(row.get("Facts") or ruling.text)[: max_length(Decided, "facts")],
        by=stamp.by.label,
        source=str(stamp.by.source),
        at=stamp.at,
    )


def _word(row: dict[str, str], seats: Sequence[str], stamp: Stamp) -> Word:
    seat = row.get("Seat", "")
    says = row.get("Says")
    later = timedelta(microseconds=1) if says == OBJECTED_LATER else timedelta(0)
    return Word(
        agrees=says == CONFIRMED,
        why=row.get("Text", "")[: max_length(Word, "why")],
        by=stamp.by.label,
        source=str(stamp.by.source),
        seat=seats.index(seat) if seat in seats else None,
        at=stamp.at + later,
    )


def _number(text: str | None) -> int | None:
    text = text or ""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= _DIGITS else None


@dataclass(frozen=True, slots=True)
class GameFacts:
    """Facts of a game: whether it was closed, and what it drew from the club's jackpot.

    ``drawn`` None: the club keeps no jackpots. ``board`` is the first of the prepared boards that
    begin alike, where such are played.
    """

    phase: Phase | None = None
    drawn: Drawn | None = None
    board: int | None = None


NO_GAME_FACTS: Final = GameFacts()


def read_game_facts(entry: RecordEntry) -> GameFacts:
    """Read the facts of a game from its first record."""
    phase = entry.value("GamePhase") or ""
    pot = [_number(part) for part in (entry.value("CarriedPot") or "").split()]
    drawn = None
    if len(pot) == 2 and None not in pot:
        chips, money = pot
        drawn = Drawn(chips or 0, money or 0)
    return GameFacts(
        Phase(phase) if phase in _ENDED else None, drawn, _number(entry.value("BoardStart"))
    )


_ENDED: Final = (Phase.CLOSED, Phase.OFFICIAL)
