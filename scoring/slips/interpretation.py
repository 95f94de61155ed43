"""Interpretation of a slip: the result that its marks tell, and the questions that they leave open.

Pure. What is forced is completed by arithmetic and says so. What is unsure, marked twice, missing,
or does not add up is a `Question` with the answers that are possible: nothing is guessed. A slip
without questions makes a record that the engine finds nothing wrong with.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import product
from typing import Any, Final, cast

from engine.core.cards import SUIT_NAMES, SUIT_OF_LETTER, Suit, count
from engine.core.messages import Message, PluralMessage, join_with_and
from engine.core.seats import Seat
from engine.rules.switches import AllPass, JackpotSuit, PainBy, Toggle
from scoring.settlement.replay import JudgedHand
from scoring.slips.layout import VALUE_WORDS, CircleMark, Mark, RowKey, SlipLayout, SlipRow
from scoring.submissions.reading import SubmittedRecord
from scoring.submissions.writing import GameContext, UnclearError, from_result
from scoring.submissions.writing.results import MOON, ResultFields
from scoring.submissions.writing.table import REBUYS

DARKER_BY: Final = 1.6
"""A mark that is so many times as dark as another one is called darker."""
NO_REASONS: Final[Mapping[str | None, Message]] = {}
REBUYS_TRIED_MAX: Final = 6
"""Of so many rebuys in one hand the moments are found by trying."""


Marks = Mapping[str, Mapping[str, CircleMark]]
"""The circles of a slip, by the name of their row and their value."""


class Origin(StrEnum):
    """Origins of the value of a row."""

    MARK = "mark"
    PERSON = "person"
    ARITHMETIC = "arithmetic"


@dataclass(frozen=True, slots=True, kw_only=True)
class RowValue:
    """The value of a row, None for no mark; ``note`` says why, where arithmetic found it."""

    row: str
    value: str | None
    origin: Origin = Origin.MARK
    note: Message | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A possible answer to a question: this row has this value, None for no mark."""

    row: str
    value: str | None
    reasons: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Something for a person: about these rows, none where it is about the hand as a whole."""

    rows: tuple[str, ...]
    message: str
    answers: tuple[Answer, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Interpretation:
    """The meaning of a slip: every row's value, the fields of a result, and what has to be asked.

    ``played`` is the hand as the engine judges it; None as long as there is no record, or while
    the game has not come to this hand.
    """

    rows: Mapping[str, RowValue]
    fields: ResultFields
    questions: tuple[Question, ...]
    played: JudgedHand | None = None

    @property
    def is_clean(self) -> bool:
        """Whether nothing is left to ask."""
        return not self.questions and self.played is not None

    @property
    def is_waiting(self) -> bool:
        """Whether a hand before this one has to be entered first."""
        return not self.questions and self.played is None


def row_name(row: SlipRow, seats: Sequence[str]) -> str:
    """The name of a row in a slip: its key, and the letters of its seat, such as ``taken N``."""
    return str(row.key) if row.seat is None else f"{row.key} {seats[row.seat]}"


def interpret(
    layout: SlipLayout,
    marks: Marks,
    changes: Mapping[str, str | None],
    table: GameContext,
    judge: Callable[[SubmittedRecord], JudgedHand] | None,
) -> Interpretation:
    """Interpret the marks of a slip, with what a person changed.

    ``judge`` judges a record in the state before the hand; None where that is not known yet.
    """
    reader = _Reader(layout=layout, marks=marks, changes=changes, table=table)
    fields = reader.read()
    played = None
    if not reader.questions and not reader.is_waiting:
        fields, played = reader.judge(fields, judge)
    return Interpretation(
        rows=reader.values, fields=fields, questions=tuple(reader.questions), played=played
    )


@dataclass(slots=True, kw_only=True)
class _Reader:
    layout: SlipLayout
    marks: Marks
    changes: Mapping[str, str | None]
    table: GameContext
    values: dict[str, RowValue] = field(default_factory=dict)
    questions: list[Question] = field(default_factory=list)
    open: set[str] = field(default_factory=set)
    is_waiting: bool = False
    """Whether a hand before this one has to be on record first, to know what is missing."""

    @property
    def seats(self) -> tuple[str, ...]:
        return self.table.seats

    # Rows

    def read(self) -> ResultFields:
        """Read all rows, ask about them, and return the fields as far as they are known."""
        for row in self.layout.rows:
            self._read_row(row)
        if self.value(RowKey.DIRECTOR) is not None:
            words = Message("The table asks for the director.")
            self.ask([RowKey.DIRECTOR], words, [Answer(row=RowKey.DIRECTOR, value=None)])
        rebuys = self._numbers(RowKey.REBUYS)
        fields: dict[str, Any] = {}
        if (ending := self.value(RowKey.ENDING)) is not None:
            fields["ending"] = ending
            self._check_not_played(ending)
        elif RowKey.ENDING not in self.open:
            fields |= self._papers()
            called = [row for row in self.rows(RowKey.FOOT) if self.value(row.key, row.seat)]
            if called:
                self._check_foot(called)
            else:
                fields |= {**self._contract(), **self._captures(), **self._centre()}
        if rebuys:
            fields["rebuys"] = rebuys
        return cast("ResultFields", fields)

    def _read_row(self, row: SlipRow) -> None:
        name = row_name(row, self.seats)
        if name in self.changes:
            self.values[name] = RowValue(row=name, value=self.changes[name], origin=Origin.PERSON)
            return
        read = self.marks.get(name, {})
        found = [one.value for one in row.circles if _mark(read, one.value) is Mark.MARKED]
        unsure = [one.value for one in row.circles if _mark(read, one.value) is Mark.UNSURE]
        if len(found) <= 1 and not unsure:
            self.values[name] = RowValue(row=name, value=found[0] if found else None)
            return
        self.values[name] = RowValue(row=name, value=None)
        self.open.add(name)
        if row.key is not RowKey.TAKEN:  # the sum has something to say of those
            self.ask_which(row, [*found, *unsure])

    def ask_which(self, row: SlipRow, values: Sequence[str], fitting: int | None = None) -> None:
        """Ask which of some marks of a row is meant; ``fitting`` is the number that adds up."""
        name = row_name(row, self.seats)
        read = self.marks.get(name, {})
        ordered = sorted(values, key=lambda one: -read[one].darkness)
        answers = []
        for value in [one.value for one in row.circles if one.value in values]:
            reasons = []
            others = [one for one in ordered if one != value]
            dark = read[value].darkness
            if others and value == ordered[0] and dark >= DARKER_BY * read[others[0]].darkness:
                reasons.append(Message("It is darker."))
            if read[value].mark is Mark.UNSURE:
                reasons.append(Message("It is faint."))
            if fitting is not None and value == str(fitting):
                reasons.append(Message("With it the cards add up."))
            answers.append(Answer(row=name, value=value, reasons=tuple(reasons)))
        if all(read[one].mark is Mark.UNSURE for one in values) or len(values) == 1:
            answers.append(Answer(row=name, value=None))
        what = self.describe(row)
        shown = join_with_and([self.show(row, one.value) for one in answers if one.value])
        words = (
            Message("{what}: it is not sure whether {items} is marked.", what=what, items=shown)
            if len(values) == 1
            else Message("{what}: {items} are marked.", what=what, items=shown)
        )
        self.ask([name], words, answers)

    def ask_missing(
        self,
        row: SlipRow,
        reasons: Mapping[str | None, Message] = NO_REASONS,
        words: Message | None = None,
    ) -> None:
        """Ask for the mark of a row where one is needed; None among ``reasons``: or for none."""
        name = row_name(row, self.seats)
        values = [one.value for one in row.circles]
        answers = [
            Answer(row=name, value=one, reasons=(reasons[one],) if one in reasons else ())
            for one in (*values, *(one for one in reasons if one is None))
        ]
        self.open.add(name)
        words = words or Message("{what}: nothing is marked.", what=self.describe(row))
        self.ask([name], words, answers)

    def ask(self, rows: Sequence[str], message: str, answers: Sequence[Answer] = ()) -> None:
        """Put a question down."""
        rows = tuple(map(str, rows))
        self.questions.append(Question(rows=rows, message=message, answers=tuple(answers)))

    def rows(self, key: RowKey) -> Iterator[SlipRow]:
        """The rows of a key, one or one for each seat."""
        return (row for row in self.layout.rows if row.key is key)

    def value(self, key: RowKey, seat: int | None = None) -> str | None:
        """The value of a row, None where it has none, or none that is sure."""
        name = str(key) if seat is None else f"{key} {self.seats[seat]}"
        found = self.values.get(name)
        return None if found is None else found.value

    def complete(self, row: SlipRow, value: str, note: Message) -> None:
        """Give a row the value that follows from others."""
        name = row_name(row, self.seats)
        self.values[name] = RowValue(row=name, value=value, origin=Origin.ARITHMETIC, note=note)

    def describe(self, row: SlipRow) -> Message:
        """The title of a row."""
        if row.seat is None:
            return row.key.words
        return Message("{seat}, {what}", seat=self.seats[row.seat], what=row.key.words)

    def show(self, row: SlipRow, value: str) -> str:
        """A value as a reader says it."""
        if row.key in (RowKey.BIDDER, RowKey.QUEEN):
            return self.seats[int(value)]
        if row.key in (RowKey.PAIN, RowKey.CENTRE_SUIT):
            return SUIT_NAMES[SUIT_OF_LETTER[value]]
        return VALUE_WORDS.get(value, value)

    def is_open(self, *keys: RowKey) -> bool:
        """Whether something is still asked about rows of these keys."""
        return any(row_name(row, self.seats) in self.open for key in keys for row in self.rows(key))

    # Numbers over several rows

    def number(self, keys: Sequence[RowKey], seat: int | None = None) -> int | None:
        """The sum of the marked values of some rows; None where nothing is marked."""
        found = [value for key in keys if (value := self.value(key, seat)) is not None]
        return sum(map(int, found)) if found else None

    def complete_number(self, keys: Sequence[RowKey], seat: int | None = None) -> int | None:
        """The number of some rows, units first; asks for the units where only more is marked."""
        units = next((row for row in self.rows(keys[0]) if row.seat == seat), None)
        number = self.number(keys, seat)
        if units is not None and number is not None and self.value(keys[0], seat) is None:
            name = row_name(units, self.seats)
            if name not in self.open and name not in self.changes:
                words = Message(
                    "{what}: {number} is marked, and nothing among the units.",
                    what=self.describe(units),
                    number=number,
                )
                then = Message("It is {number} then.", number=number)
                self.ask_missing(units, {"0": then}, words)
        return number

    def _numbers(self, *keys: RowKey) -> dict[str, int]:
        """The numbers of seats that marked one."""
        found = {name: self.number(keys, seat) for seat, name in enumerate(self.seats)}
        return {name: value for name, value in found.items() if value}

    # The parts of a result

    def _check_not_played(self, ending: str) -> None:
        """Ask which is right where a hand that was not played has a result."""
        marked = self._marked_besides(RowKey.ENDING)
        if marked and self.values[RowKey.ENDING].origin is not Origin.PERSON:
            words = Message(
                "It says “{ending}”, and yet there is a result.",
                ending=VALUE_WORDS.get(ending, ending),
            )
            answers = [Answer(row=RowKey.ENDING, value=one) for one in (None, ending)]
            self.ask([RowKey.ENDING, *marked], words, answers)

    def _check_foot(self, called: Sequence[SlipRow]) -> None:
        """Ask which is right where a hand that a foot ended has a result."""
        marked = self._marked_besides(RowKey.PAPER, RowKey.FOOT)
        names = [row_name(row, self.seats) for row in called]
        if marked and not any(self.values[name].origin is Origin.PERSON for name in names):
            seats = [self.seats[row.seat] for row in called if row.seat is not None]
            words = Message(
                "{seats} called a foot, and yet there is a result.", seats=join_with_and(seats)
            )
            answers = [Answer(row=name, value=one) for name in names for one in (None, "F")]
            self.ask([*names, *marked], words, answers)

    def _marked_besides(self, *keys: RowKey) -> list[str]:
        """The rows that say something of a hand, or may, other than those of some keys."""
        return [
            name
            for row in self.layout.rows
            if row.key not in (*keys, *_OF_NO_RESULT)
            and (
                (name := row_name(row, self.seats)) in self.open
                or self.values[name].value is not None
            )
        ]

    def _papers(self) -> dict[str, Any]:
        """The insurance papers, and who called a foot."""
        is_insured = any(True for _row in self.rows(RowKey.PAPER))
        papers = {}
        for row in self.rows(RowKey.PAPER):
            assert row.seat is not None
            name = row_name(row, self.seats)
            number = self.value(RowKey.PAPER, row.seat)
            if number is None and name not in self.open and name not in self.changes:
                self.ask_missing(row, {None: Message("There was no paper.")})
            papers[self.seats[row.seat]] = "-" if number is None else number
        for row in self.rows(RowKey.FOOT):
            assert row.seat is not None
            if self.value(RowKey.FOOT, row.seat) is not None:
                seat = self.seats[row.seat]
                papers[seat] = f"F{papers.get(seat, '').replace('-', '')}"
        is_said = is_insured or bool(papers)
        return {"papers": papers} if is_said else {}

    def _contract(self) -> dict[str, Any]:
        """The seat that named the pain suit, for how much."""
        keys = (RowKey.BID, RowKey.BID_TENS, RowKey.BID_HUNDREDS)
        rules, before = self.table.rules, self.table.before
        fields: dict[str, Any] = {}
        if rules.pain is not PainBy.AUCTION:
            return fields
        bidder = self.value(RowKey.BIDDER)
        bid = self.number(keys) if self.table.jackpot else self.complete_number(keys)
        is_open = self.is_open(RowKey.BIDDER, *keys)
        if self.table.jackpot and self.value(RowKey.PAIN) is None:
            self._complete_pain()
        if (pain := self.value(RowKey.PAIN)) is not None:
            fields["pain"] = pain
        if bidder is not None:
            fields["bidder"] = self.seats[int(bidder)]
        if bid is not None:
            fields["bid"] = bid
        row = self.layout.row(RowKey.BIDDER if bidder is None else RowKey.BID)
        if is_open or row is None:
            return fields
        if self.table.jackpot:
            self._check_jackpot(fields, bidder, bid, keys)
        elif bid if bidder is None else bid is None:
            self.ask_missing(row)
        elif bidder is not None and bid == 0 < rules.min_bid:
            words = Message("The lowest bid is {least}.", least=rules.min_bid)
            values = [one.value for one in row.circles if one.value != "0"]
            self.ask([row.key], words, [Answer(row=row.key, value=one) for one in values])
        elif bidder is None and before is None:
            self.is_waiting = True
        elif bidder is None and RowKey.BIDDER not in self.changes:
            passed: dict[str | None, Message] = {None: Message("Everybody passed.")}
            self.ask_missing(row, NO_REASONS if rules.all_pass is AllPass.REDEAL else passed)
        return fields

    def _complete_pain(self) -> None:
        """Complete the suit of a jackpot hand where it stays that of the hand before."""
        row, before = self.layout.row(RowKey.PAIN), self.table.before
        is_kept = self.table.rules.jackpot_suit is not JackpotSuit.FREE
        if row is None or before is None or before.pain is None or RowKey.PAIN in self.open:
            return
        if is_kept:
            words = Message("In a jackpot hand the suit stays as it was.")
            self.complete(row, before.pain.letter, words)

    def _check_jackpot(
        self, fields: dict[str, Any], bidder: str | None, bid: int | None, keys: Sequence[RowKey]
    ) -> None:
        """A jackpot hand has no bid; the mark of who names the suit is right, and says nothing."""
        namer = None if self.table.before is None else self.table.before.namer
        if bid:
            marked = [key for key in keys if self.value(key) is not None]
            words = Message("This is a jackpot hand: nobody bids in it.")
            self.ask(marked, words, [Answer(row=key, value=None) for key in marked])
        fields.pop("bid", None)
        if bidder is not None and str(namer) != bidder:
            words = Message("In this jackpot hand somebody else names the suit.")
            self.ask([RowKey.BIDDER], words, [Answer(row=RowKey.BIDDER, value=None)])
        fields.pop("bidder", None)

    def _captures(self) -> dict[str, Any]:
        """The cards of the pain suit, completed where that is forced, and the queen."""
        rows = list(self.rows(RowKey.TAKEN))
        size = self._pack()
        if size is None:
            return {}
        self._complete_captures(rows, size)
        taken = {
            self.seats[row.seat]: int(value)
            for row in rows
            if row.seat is not None and (value := self.value(RowKey.TAKEN, row.seat)) is not None
        }
        fields: dict[str, Any] = {"taken": taken}
        shooter = next((seat for seat, cards in taken.items() if cards == size), None)
        queen = self.layout.row(RowKey.QUEEN)
        if queen is not None and RowKey.QUEEN not in self.open:
            taker = self.value(RowKey.QUEEN)
            if taker is None:
                likely: dict[str | None, Message] = {}
                if shooter is not None:
                    place = str(self.seats.index(shooter))
                    likely = {place: Message("Who took all the other cards that count.")}
                self.ask_missing(queen, likely)
            else:
                fields["queen"] = self.seats[int(taker)]
        is_moon = shooter is not None and fields.get("queen", shooter) == shooter
        return fields | self._moon(shooter if is_moon else None)

    def _moon(self, shooter: str | None) -> dict[str, Any]:
        """The fields of a hand in which one seat took everything."""
        moon, tricks = self.layout.row(RowKey.MOON), self.layout.row(RowKey.TRICKS)
        fields: dict[str, Any] = {}
        marked = [
            row for row in (moon, tricks) if row is not None and self.value(row.key) is not None
        ]
        if shooter is None:
            for row in marked:
                words = Message("{what}: nobody took everything.", what=self.describe(row))
                self.ask([row.key], words, [Answer(row=row.key, value=None)])
            return fields
        if moon is not None and RowKey.MOON not in self.open:
            if moon not in marked:
                self.ask_missing(moon)
            else:
                fields["moon"] = self.value(RowKey.MOON)
        if tricks in marked:
            fields["tricks"] = {shooter: self.table.rules.tricks(self.table.players)}
        return fields

    def _pack(self) -> int | None:
        """The number of cards of the pain suit; None while it is not known which that is."""
        rules, players = self.table.rules, self.table.players
        pain = self.value(RowKey.PAIN)
        if pain is not None:
            return count(rules.suit_cards(SUIT_OF_LETTER[pain], players))
        if rules.pain is not PainBy.AUCTION:
            return count(rules.suit_cards(Suit.HEARTS, players))
        sizes = {count(rules.suit_cards(suit, players)) for suit in Suit}
        return sizes.pop() if len(sizes) == 1 else None

    def _complete_captures(self, rows: Sequence[SlipRow], size: int) -> None:
        """Complete what follows from the other seats, and ask where the sum is not that of all."""
        names = {row_name(row, self.seats): row for row in rows}
        unsure = [row for name, row in names.items() if name in self.open]
        missing = [
            row
            for name, row in names.items()
            if name not in self.open and self.values[name].value is None
        ]
        known = [int(one.value) for name in names if (one := self.values.get(name)) and one.value]
        rest = size - sum(known)
        for row in unsure:
            read = self.marks[row_name(row, self.seats)]
            values = [
                one.value
                for one in row.circles
                if _mark(read, one.value) in (Mark.MARKED, Mark.UNSURE)
            ]
            self.ask_which(row, values, rest if len(unsure) == 1 and not missing else None)
        if unsure:
            if len(missing) > 1:
                for row in missing:
                    self.ask_missing(row)
            return
        can_be = {one.value for row in missing for one in row.circles}
        if rest < 0 or (not missing and rest) or (len(missing) == 1 and str(rest) not in can_be):
            self._ask_about_sum(rows, size, rest)
        elif len(missing) == 1:
            words = PluralMessage(
                "The others have all but {count} card of the suit.",
                "The others have all but {count} cards of the suit.",
                count=rest,
            )
            self.complete(missing[0], str(rest), words)
        elif missing and rest == 0:
            for row in missing:
                self.complete(row, "0", Message("The others have all the cards of the suit."))
        else:
            for row in missing:
                self.ask_missing(row)

    def _ask_about_sum(self, rows: Sequence[SlipRow], size: int, rest: int) -> None:
        """Ask which row is wrong, with the value that would fit."""
        answers = []
        marked = [row for row in rows if self.value(RowKey.TAKEN, row.seat) is not None]
        for row in marked:
            assert row.seat is not None
            fitting = str(int(self.value(RowKey.TAKEN, row.seat) or 0) + rest)
            if any(one.value == fitting for one in row.circles):
                reasons = (Message("With it the cards add up."),)
                name = row_name(row, self.seats)
                answers.append(Answer(row=name, value=fitting, reasons=reasons))
        words = PluralMessage(
            "{count} card of the suit is marked; the pack has {size}.",
            "{count} cards of the suit are marked; the pack has {size}.",
            count=size - rest,
            size=size,
        )
        self.ask([row_name(row, self.seats) for row in rows], words, answers)

    def _centre(self) -> dict[str, Any]:
        """The payment of each seat for its card of the centre, and which that is."""
        rules = self.table.rules
        if rules.centre_auction is not Toggle.ON:
            return {}
        bought: dict[str, Any] = {}
        for seat, name in enumerate(self.seats):
            points = self.complete_number((RowKey.CENTRE, RowKey.CENTRE_TENS), seat) or 0
            parts = (RowKey.CENTRE_SUIT, RowKey.CENTRE_RANK)
            suit, rank = (self.value(key, seat) for key in parts)
            if suit is not None and rank is not None:
                bought[name] = f"{suit}{rank} {points}"
                continue
            if (suit is None) != (rank is None):
                row = self.layout.row(parts[suit is not None], Seat(seat))
                if row is not None and row_name(row, self.seats) not in self.open:
                    self.ask_missing(row)
            if points:
                bought[name] = points
        return {"bought": bought}

    # The record

    def judge(
        self, fields: ResultFields, judge: Callable[[SubmittedRecord], JudgedHand] | None
    ) -> tuple[ResultFields, JudgedHand | None]:
        """Judge the record of the fields; what is wrong with it is asked about.

        Gives the fields of the record that was judged: there are several where chips were bought.
        """
        try:
            variants = [(one, from_result(self.table, one)) for one in self._variants(fields)]
        except UnclearError as error:
            self.ask(self._rows_of(error.field), error.message)
            return fields, None
        if judge is None:
            return fields, None
        judged = [(one, judge(record)) for one, record in variants]
        sure = [one for one in judged if one[1].is_sure]
        chosen, played = (sure or judged)[0]
        if not sure:
            self.ask([], played.reason)
        return chosen, played

    def _variants(self, fields: ResultFields) -> list[ResultFields]:
        """The results that the fields may mean: the slip does not say when chips were bought."""
        rebuys = fields.get("rebuys")
        if not isinstance(rebuys, dict) or len(rebuys) > REBUYS_TRIED_MAX:
            return [fields.copy()]
        variants = []
        for when in product(REBUYS, repeat=len(rebuys)):
            variant: dict[str, Any] = {
                key: value for key, value in fields.items() if key != "rebuys"
            }
            for key, (seat, stacks) in zip(when, rebuys.items(), strict=True):
                variant.setdefault(key, {})[seat] = stacks
            variants.append(cast("ResultFields", variant))
        return variants

    def _rows_of(self, name: str) -> list[str]:
        """The rows that a field of a result comes from."""
        keys = _ROWS.get(name, ())
        return [row_name(row, self.seats) for key in keys for row in self.rows(key)]


_OF_NO_RESULT: Final = frozenset(
    {
        RowKey.TABLE,
        RowKey.TABLE_TENS,
        RowKey.HAND,
        RowKey.HAND_TENS,
        RowKey.REBUYS,
        RowKey.DIRECTOR,
    }
)
"""Rows that a hand without a play may have, too."""

_ROWS: Final[Mapping[str, tuple[RowKey, ...]]] = {
    "ending": (RowKey.ENDING,),
    "bidder": (RowKey.BIDDER,),
    "bid": (RowKey.BID, RowKey.BID_TENS, RowKey.BID_HUNDREDS),
    "pain": (RowKey.PAIN,),
    "taken": (RowKey.TAKEN,),
    "queen": (RowKey.QUEEN,),
    "tricks": (RowKey.TRICKS,),
    "papers": (RowKey.PAPER, RowKey.FOOT),
    "bought": (RowKey.CENTRE_SUIT, RowKey.CENTRE_RANK, RowKey.CENTRE, RowKey.CENTRE_TENS),
    "moon": (RowKey.MOON,),
    "rebuys": (RowKey.REBUYS,),
    "rebuys_after": (RowKey.REBUYS,),
}
"""The rows that say what a field of a result says."""

assert MOON.keys() <= VALUE_WORDS.keys()


def _mark(read: Mapping[str, CircleMark], value: str) -> Mark:
    found = read.get(value)
    return Mark.EMPTY if found is None else found.mark
