"""Settlement: the hands of a game as lines of a table, one block a hand.

A block has a line for each thing that is counted, with a column for each seat; beside it the pot,
and what the next hand inherits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from ..core.faults import Severity
from ..core.messages import Message
from ..core.seats import direction_name
from ..games.game import HandResult
from ..record.facts import Status
from ..record.game_state import END_REASONS
from ..record.record import HandRecord
from ..rules.rules import Rules, plays_for_chips
from ..rules.switches import PainBy, Passing, SettledBy
from ..settlement.settlement import Settlement
from ..settlement.tables import pot_row, score_rows
from ..verdicts.judge import Judged
from ..verdicts.sentences import sentence
from .cards import suit
from .diagnostics import STYLES, format_finding
from .language import say
from .screen import Line, Part

_POT: Final = tuple(map(Message, ("Before", "Bid", "Paid", "Won", "After")))


class CountLine(NamedTuple):
    """One line of a block: what is counted, and how much by seat."""

    words: str
    values: tuple[str, ...]
    style: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """One hand of the table, ready to be laid out.

    ``head`` are the cells on the left, ``pot`` those on the right, if chips are played for;
    ``then`` is what the next hand inherits; ``notes`` what is wrong.
    """

    head: tuple[Part, ...]
    counts: tuple[CountLine, ...]
    pot: tuple[str, ...]
    then: str = ""
    notes: tuple[Part, ...] = ()


@dataclass(frozen=True, slots=True)
class Columns:
    """Headings above the blocks of a game."""

    head: tuple[str, ...]
    seats: tuple[str, ...]
    pot: tuple[str, ...] = field(default=())


def columns_of(rules: Rules, seats: tuple[str, ...]) -> Columns:
    """The columns of a game under some rules."""
    head = [Message("Hand"), Message("Deal")]
    if rules.pain is PainBy.AUCTION:
        head += [Message("Bid"), Message("Suit")]
    elif rules.passing is Passing.CYCLE:
        head.append(Message("Pass"))
    pot = _POT if plays_for_chips(rules) else ()
    return Columns(tuple(map(say, head)), seats, tuple(map(say, pot)))


def block_of(judged: Judged) -> Block:
    """One judged hand."""
    result, rules = judged.result, judged.rules
    assert result is not None
    assert rules is not None
    record, settled = result.replay.record, result.settlement
    head = (*_first_cells(judged, result), *_format_namer(result, rules))
    notes = tuple(_notes(judged, result, rules))
    if settled is None:
        return Block(head, (), (), notes=notes)
    pot = pot_row(settled)
    row = (pot.before, pot.bid, pot.paid, pot.won, pot.after)
    chips = tuple(map(str, row)) if plays_for_chips(rules) else ()
    return Block(
        head, tuple(counts_of(rules, settled)), chips, say(_then(settled, rules, record)), notes
    )


def _first_cells(judged: Judged, result: HandResult) -> Iterator[Part]:
    record = result.replay.record
    number = record.number if record.number is not None else judged.hand + 1
    yield (f"{number}{'' if judged.ok else '!'}", "bold" if judged.ok else "bold red")
    yield (record.seats[result.replay.before.dealer], "")


def _format_namer(result: HandResult, rules: Rules) -> Iterator[Part]:
    """Yield the bid or the named suit with its seat; or the passing direction."""
    facts, seats = result.facts, result.replay.record.seats
    if rules.pain is PainBy.AUCTION:
        if facts.bidder is not None:
            yield (f"{seats[facts.bidder]} {facts.bid}", "")
        elif facts.namer is not None:
            yield (say(Message("{seat} names", seat=seats[facts.namer])), "")
        else:
            yield (say(Message("pass")) if facts.status is Status.PASSED_OUT else "-", "")
        yield suit(facts.pain.letter) if facts.pain is not None else ("-", "")
    elif rules.passing is Passing.CYCLE:
        yield (say(direction_name(rules.direction(result.replay.before.deals))), "")


def counts_of(rules: Rules, settled: Settlement) -> Iterator[CountLine]:
    """The lines of a settled hand."""
    rows = [row.values for row in score_rows(rules, settled)]
    if rules.settlement is SettledBy.POT:
        yield from _chip_counts(settled, rows)
        return
    if settled.facts.status.settles:
        for column, words in _POINTS.items():
            if column in rows[0] and not _is_idle(column, rows):
                yield _count(words, rows, column, "")
    yield _count(Message("total"), rows, "Total", "bold")
    if plays_for_chips(rules):
        yield _count(Message("paid"), rows, "Paid", "")
        yield _count(Message("won"), rows, "Won", "green")
        yield _count(Message("chips"), rows, "After", "bold")


_POINTS: Final = {
    "Hearts": Message("hearts"),
    "Queen": Message("queen"),
    "Insurance": Message("insurance"),
    "Centre": Message("centre"),
    "Adjust": Message("adjustment"),
    "Moon": Message("moon"),
    "Points": Message("points"),
}
"""The columns of points, as the lines of a block are called."""


def _is_idle(column: str, rows: Sequence[Mapping[str, int]]) -> bool:
    """Whether a line would say nothing, or only what the next one says."""
    values = [row[column] for row in rows]
    if column == "Hearts":
        return values == [row["Points"] for row in rows]
    return column != "Points" and not any(values)


def _chip_counts(settled: Settlement, rows: Sequence[Mapping[str, int]]) -> Iterator[CountLine]:
    if settled.facts.status.settles:
        yield _count(Message("took"), rows, "Pain", "")
        if any(row["Paid"] != row["Pain"] for row in rows):
            yield _count(Message("paid"), rows, "Paid", "")
        if any(row["Won"] for row in rows):
            yield _count(Message("won"), rows, "Won", "green")
    yield _count(Message("chips"), rows, "After", "bold")


def _count(words: Message, rows: Sequence[Mapping[str, int]], column: str, style: str) -> CountLine:
    zero = "-" if column in ("Queen", "Insurance", "Centre", "Adjust", "Moon", "Won") else "0"
    return CountLine(
        say(words), tuple(str(row[column]) if row[column] else zero for row in rows), style
    )


def _then(settled: Settlement, rules: Rules, record: HandRecord) -> Message:
    """Return the inheritance of the next hand, in a few words."""
    after, seats = settled.after, record.seats
    feet = [seats[seat] for seat in sorted(after.feet - settled.before.feet)]
    if after.over is not None:
        return Message("game over: {reason}", reason=END_REASONS[after.over])
    dealer = seats[after.dealer]
    if after.jackpot:
        namer = seats[after.namer] if after.namer is not None else Message("no one")
        return Message(
            "next: {seat} deals, jackpot {number}, {namer} names",
            seat=dealer,
            number=after.jackpot,
            namer=namer,
        )
    if rules.pain is PainBy.AUCTION:
        return Message("next: {seat} deals, auction", seat=dealer)
    then = Message("next: {seat} deals", seat=dealer)
    if rules.passing is Passing.CYCLE:
        direction = direction_name(rules.direction(after.deals))
        then = Message("{next}, pass {direction}", next=then, direction=direction)
    if feet:
        then = Message("{next}; foot used: {seats}", next=then, seats=" ".join(feet))
    return then


def _notes(judged: Judged, result: HandResult, rules: Rules) -> Iterator[Part]:
    """Yield faults of a hand, in a line each, the worst first."""
    settled = result.settlement
    if settled is not None:
        if not settled.facts.status.settles:
            yield (sentence(result, rules), "")
        for seat, short in enumerate(settled.shortfalls):
            if short:
                name = result.replay.record.seats[seat]
                owed = Message("{seat} owes {chips} more than they hold", seat=name, chips=short)
                yield (owed, "yellow")
    serious = [
        finding
        for finding in judged.findings
        if finding.diagnostic.severity in (Severity.ERROR, Severity.RULING)
    ]
    if settled is None or result.provisional:
        provisional = Message("provisional, a ruling is needed")
        yield (Message("not settled") if settled is None else provisional, "bold red")
    for finding in serious[:_NOTED_MAX]:
        said = finding.diagnostic
        yield (format_finding(said), STYLES[said.severity])
    if len(serious) > _NOTED_MAX:
        yield (Message("and {count} more", count=len(serious) - _NOTED_MAX), "")


_NOTED_MAX: Final = 3


class TableWidths:
    """The widths of a table, so that every block stands under the same heads."""

    def __init__(self, columns: Columns, blocks: Sequence[Block]) -> None:
        self._columns = columns
        self._head = [
            max(len(name), *(len(block.head[at][0]) for block in blocks))
            for at, name in enumerate(columns.head)
        ]
        counts = [count for block in blocks for count in block.counts]
        self._words = max((len(count.words) for count in counts), default=5)
        longest = max((len(cell) for count in counts for cell in count.values), default=1)
        self._seat = max(longest, 2, 3 if len(columns.seats) > 4 else 4)
        self._pot = [
            max(len(name), *(len(block.pot[at]) for block in blocks if block.pot), 1)
            for at, name in enumerate(columns.pot)
        ]

    def heading(self) -> Iterator[Line]:
        """The heads of the columns, and a rule under them."""
        columns = self._columns
        text = " ".join(
            name.ljust(width) for name, width in zip(columns.head, self._head, strict=True)
        )
        text += " " * (self._words + 1)
        text += "".join(f" {name:>{self._seat}}" for name in columns.seats)
        if columns.pot:
            text += "  " + self._right(columns.pot)
        yield [(text, "bold")]
        yield [("─" * len(text), "dim")]

    def lines(self, block: Block, width: int) -> Iterator[Line]:
        """One block: its lines, and its notes."""
        margin = sum(self._head) + len(self._head)
        head = self._align_left(block.head)
        counts = block.counts or (CountLine("", ()),)
        for at, count in enumerate(counts):
            left = head if at == 0 else [(" " * margin, "")]
            line = [*left, *self._numbers(count)]
            if at == 0 and block.pot:
                line.append(("  " + self._right(block.pot), "cyan"))
            if at == len(counts) - 1 and self._fits(block, width, alone=at > 0 or not block.pot):
                line.append(("  " + block.then, "dim"))
            yield line
        if not self._fits(block, width, alone=len(counts) > 1 or not block.pot):
            yield [(" " * margin, ""), (block.then, "dim")]
        for text, style in block.notes:
            for piece in wrap_text(text, width - margin):
                yield [(" " * margin, ""), (piece, style)]

    def _fits(self, block: Block, width: int, *, alone: bool) -> bool:
        seats = self._words + (self._seat + 1) * len(self._columns.seats)
        left = sum(self._head) + len(self._head) + seats + 2
        return alone and left + len(block.then) <= width

    def _align_left(self, head: tuple[Part, ...]) -> list[Part]:
        parts: list[Part] = []
        for (text, style), width in zip(head, self._head, strict=True):
            parts += [(text, style), (" " * (width - len(text) + 1), "")]
        return parts

    def _numbers(self, count: CountLine) -> list[Part]:
        if not count.words:
            return []
        values = [
            (f" {value:>{self._seat}}", "dim" if value == "-" else count.style)
            for value in count.values
        ]
        return [(count.words.ljust(self._words), "dim"), *values]

    def _right(self, cells: Sequence[str]) -> str:
        return " ".join(cell.rjust(width) for cell, width in zip(cells, self._pot, strict=True))


def wrap_text(text: str, width: int) -> list[str]:
    """A text in lines of some width, broken between words."""
    lines = [""]
    for word in say(text).split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
