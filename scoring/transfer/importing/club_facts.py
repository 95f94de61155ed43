"""Facts of games and hands that an archive has beside their records (notation.md 10)."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias
from uuid import UUID

from engine.core.cards import CARD_OF_NAME
from engine.core.messages import Message, joined_by_semicolons, message_of
from engine.core.seats import DEFAULT_SEATS
from engine.notation.decisions import parse_ruling
from engine.notation.reader import RecordEntry
from engine.record.rulings import Decision, Ruling, RulingError
from scoring.ledger.payouts import Drawn
from scoring.ledger.transfers import Stamp
from scoring.models import Decided, Phase, State, Word
from scoring.models.states import write_ruling
from scoring.settlement.changes import STANDS
from scoring.settlement.plan import find_ruled_at, is_in_force, summarize_words
from scoring.transfer.importing.club_records import read_moment
from tournaments.core.errors import RefusedError
from tournaments.models.limits import max_length

WAITING: Final = "waiting"
OUTSIDE: Final = {"contested": State.DISPUTED, "rejected": State.VOID, WAITING: State.DRAFT}
"""The states of records that are no part of their game."""
CONFIRMED: Final = "confirmed"
OBJECTED: Final = "objected"
OBJECTED_LATER: Final = "objected-later"
"""What a seat said of a hand; the last one after the director had ruled, who has not answered."""
_DIGITS: Final = 9
RULING_COLUMNS: Final = (
    "Ruling;Trick;Card;Law;Facts;At;Number;Supersedes;Restores;Record;LetsStand;Version"
)
NOW: Final = "now"
EARLIER: Final = "earlier"
"""Of the version of a record that stands, or of one that stood before it and did not travel."""
_OF_A_HAND: Final = (
    "[DecisionTable ",
    "[SupersededTable ",
    "[ConfirmationTable ",
    "[BoardStart ",
    "[Outside ",
)


_ToldRuling: TypeAlias = tuple[dict[str, str], Decided]


@dataclass(frozen=True, slots=True)
class HandFacts:
    """Decisions and words on a hand, as rows that are not saved yet.

    ``rulings`` are those in force; ``superseded`` are the others, which decide nothing any more.
    ``board`` is the prepared board as which it began, where boards begin alike (DEC-6);
    ``outside`` says why the record is no part of its game, if it is none: OUTSIDE has the words.
    ``unknown`` says which ruling could not be understood.
    """

    rulings: Sequence[Decided] = ()
    superseded: Sequence[Decided] = ()
    words: Sequence[Word] = ()
    board: int | None = None
    outside: str = ""
    unknown: str = ""

    @property
    def decisions(self) -> tuple[Ruling, ...]:
        """The rulings as the engine takes them."""
        return tuple(ruling.decision() for ruling in self.rulings)

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


NO_FACTS: Final[HandFacts] = HandFacts()


def read_hand_facts(
    entry: RecordEntry,
    players: int,
    stamp: Stamp,
    find_hand: Callable[[int], UUID | None] = lambda _number: None,
) -> HandFacts:
    """Read the facts of one hand; `NO_FACTS` where the record is of the hand alone.

    ``find_hand`` finds the hand of its game, up to this one, that has a number in the archive.
    """
    if not any(words in entry.text for words in _OF_A_HAND):
        return NO_FACTS
    seats = DEFAULT_SEATS[players] if entry.record is None else entry.record.seats
    rulings, superseded, unknown = _read_rulings(entry, seats, stamp, find_hand)
    said_at = find_ruled_at(rulings) or stamp.at
    words = [_word(row, seats, stamp, said_at) for row in entry.table("ConfirmationTable")]
    outside = entry.value("Outside") or ""
    return HandFacts(
        rulings,
        superseded,
        words,
        _number(entry.value("BoardStart")),
        outside if outside in OUTSIDE else "",
        unknown,
    )


def _read_rulings(
    entry: RecordEntry,
    seats: Sequence[str],
    stamp: Stamp,
    find_hand: Callable[[int], UUID | None],
) -> tuple[list[Decided], list[Decided], str]:
    """The rulings in force, all others, and what of them could not be understood.

    Where they do not fit together, those in force are taken alone.
    """
    held: list[_ToldRuling] = []
    doubts: list[str] = []
    for row in entry.table("DecisionTable"):
        try:
            ruling = parse_ruling(row.get("Ruling", ""), seats)
        except RulingError as error:
            doubts.append(message_of(error))
            continue
        held.append((row, _decided(row, ruling, stamp)))
    others: list[_ToldRuling] = []
    try:
        for row in entry.table("SupersededTable"):
            written = row.get("Ruling")
            ruling_or_none = None if written is None else parse_ruling(written, seats)
            others.append((row, _decided(row, ruling_or_none, stamp)))
        if any("Number" in row for row, _ruling in (*held, *others)):
            _link(held, others)
        else:
            held, others = _take_alone(held), []
    except RulingError as error:
        doubts.append(message_of(error))
        held, others = _take_alone(held), []
    for row, decided in (*held, *others):
        try:
            decided.at = min(read_moment(row.get("At", "")) or stamp.at, stamp.at)
        except RefusedError as error:
            doubts.append(error.message)
        if "LetsStand" in row:
            decided.lets_stand_id = find_hand(_number(row["LetsStand"]) or 0)
            decided.of_version = int(row.get("Version") == NOW)
            if decided.lets_stand_id is None:
                decided.of_version = None
                words = Message(
                    "hand {number}, after whose change play was let stand, is missing",
                    number=row["LetsStand"],
                )
                doubts.append(words)
    unknown = joined_by_semicolons(doubts) if doubts else ""
    return [one for _row, one in held], [one for _row, one in others], unknown


def _take_alone(held: list[_ToldRuling]) -> list[_ToldRuling]:
    """Rulings that hold, in the order in which they are written, without those before them."""
    for number, (_row, decided) in enumerate(held, 1):
        decided.number, decided.record = number, ""
    return held


def _link(held: Sequence[_ToldRuling], others: Sequence[_ToldRuling]) -> None:
    """Give the rulings of a hand their numbers, and say which took the place of which.

    Raises RulingError, before it changes any, where others would hold than ``held``.
    """
    rows = {_number(row.get("Number")): (row, decided) for row, decided in (*held, *others)}
    superseded = [
        number for row, _ in rows.values() if (number := _number(row.get("Supersedes"))) is not None
    ]
    holding = [
        number
        for number, (row, decided) in rows.items()
        if number not in superseded and not decided.withdrawn and is_in_force(decided, "")
    ]
    is_chain = (
        rows.keys() == set(range(1, len(held) + len(others) + 1))
        and len(superseded) == len(set(superseded))
        and sorted(map(str, holding)) == sorted(row.get("Number", "") for row, _ in held)
        and all(_fits(number or 0, row) for number, (row, _) in rows.items())
    )
    if not is_chain:
        words = Message("its rulings do not fit together; those that do not hold were left out")
        raise RulingError(words)
    for number, (row, decided) in rows.items():
        decided.number = number or 0
        decided.restores = _number(row.get("Restores"))
        before = _number(row.get("Supersedes"))
        if before is not None:
            decided.supersedes = rows[before][1]


def _fits(number: int, row: dict[str, str]) -> bool:
    """Whether a ruling refers to earlier ones alone; a withdrawal takes the place of one."""
    if "Supersedes" not in row:
        return "Restores" not in row and "Ruling" in row
    referred = [_number(row[name]) or 0 for name in ("Supersedes", "Restores") if name in row]
    return all(0 < earlier < number for earlier in referred)


def entered_text(entry: RecordEntry) -> bytes | None:
    """Return the entry in place of a record, where an archive has one."""
    said = entry.value("EnteredText")
    if said is None:
        return None
    try:
        return str(json.loads(f'"{said}"')).encode("utf-8", "surrogateescape")
    except ValueError:
        return None


def _decided(row: dict[str, str], ruling: Ruling | None, stamp: Stamp) -> Decided:
    """A ruling as a row; None takes another one back.

    ``record`` is empty where it is the record that stands.
    """
    made = Ruling(decision=Decision.WARNING) if ruling is None else ruling
    # Only a sentence of ours stays in the ruling; what people wrote stands where it can be erased.
    text = made.text if made.text == STANDS and "LetsStand" in row else ""
    card = row.get("Card", "")
    return Decided(
        ruling=write_ruling(made, text=text),
        trick=_number(row.get("Trick")),
        card=card if card in CARD_OF_NAME else "",
        law=row.get("Law", "")[: max_length(Decided, "law")],
        facts=(row.get("Facts") or made.text)[: max_length(Decided, "facts")],
        withdrawn=ruling is None,
        record=EARLIER if row.get("Record") == EARLIER else "",
        by=stamp.by.label,
        source=str(stamp.by.source),
        at=stamp.at,
    )


def _word(row: dict[str, str], seats: Sequence[str], stamp: Stamp, at: datetime) -> Word:
    """Return a seat's word; ``at`` is when the director ruled, which settles earlier words."""
    seat = row.get("Seat", "")
    says = row.get("Says")
    later = timedelta(microseconds=1) if says == OBJECTED_LATER else timedelta(0)
    return Word(
        agrees=says == CONFIRMED,
        why=row.get("Text", "")[: max_length(Word, "why")],
        by=stamp.by.label,
        source=str(stamp.by.source),
        seat=seats.index(seat) if seat in seats else None,
        at=at + later,
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


NO_GAME_FACTS: Final[GameFacts] = GameFacts()


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
