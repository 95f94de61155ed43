"""Settlement: the hands of a game as lines of a table, one block a hand.

A block has a line for each thing that is counted, with a column for each seat; beside it the pot,
and what the next hand inherits.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.cli.cards import suit
from engine.cli.diagnostics import STYLES, message_of
from engine.cli.screen import Line, Part, visible
from engine.faults import Severity
from engine.game import HandResult
from engine.game_state import plays_for_chips
from engine.judge import Judged
from engine.record.facts import Status
from engine.record.record import HandRecord
from engine.rules.rules import Rules
from engine.rules.switches import PainBy, Passing, SettledBy
from engine.sentences import sentence
from engine.settlement import Settlement
from engine.tables import pot_row, score_rows

_POT: Final = ("Before", "Bid", "Paid", "Won", "After")


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
    """What stands above the blocks of a game."""

    head: tuple[str, ...]
    seats: tuple[str, ...]
    pot: tuple[str, ...] = field(default=())


def columns_of(rules: Rules, seats: tuple[str, ...]) -> Columns:
    """The columns of a game under some rules."""
    head = ["Hand", "Deal"]
    if rules.pain is PainBy.AUCTION:
        head += ["Bid", "Suit"]
    elif rules.passing is Passing.CYCLE:
        head.append("Pass")
    return Columns(tuple(head), seats, _POT if plays_for_chips(rules) else ())


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
        head, tuple(counts_of(rules, settled)), chips, _then(settled, rules, record), notes
    )


def _first_cells(judged: Judged, result: HandResult) -> Iterator[Part]:
    record = result.replay.record
    number = record.number if record.number is not None else judged.hand + 1
    yield (f"{number}{'' if judged.ok else '!'}", "bold" if judged.ok else "bold red")
    yield (record.seats[result.replay.before.dealer], "")


def _format_namer(result: HandResult, rules: Rules) -> Iterator[Part]:
    """Who bid or named what; or the passing direction."""
    facts, seats = result.facts, result.replay.record.seats
    if rules.pain is PainBy.AUCTION:
        if facts.bidder is not None:
            yield (f"{seats[facts.bidder]} {facts.bid}", "")
        elif facts.namer is not None:
            yield (f"{seats[facts.namer]} names", "")
        else:
            yield ("pass" if facts.status is Status.PASSED_OUT else "-", "")
        yield suit(facts.pain.letter) if facts.pain is not None else ("-", "")
    elif rules.passing is Passing.CYCLE:
        yield (rules.direction(result.replay.before.deals), "")


def counts_of(rules: Rules, settled: Settlement) -> Iterator[CountLine]:
    """The lines of a settled hand."""
    rows = [row.values for row in score_rows(rules, settled)]
    if rules.settlement is SettledBy.POT:
        yield from _chip_counts(settled, rows)
        return
    if settled.facts.status.settles:
        for column in rows[0]:
            if column not in _LATER and not _is_idle(column, rows):
                yield _count(column.lower(), rows, column, "")
    yield _count("total", rows, "Total", "bold")
    if plays_for_chips(rules):
        yield _count("paid", rows, "Paid", "")
        yield _count("won", rows, "Won", "green")
        yield _count("chips", rows, "After", "bold")


_LATER: Final = ("Total", "Before", "Paid", "Won", "After")


def _is_idle(column: str, rows: Sequence[Mapping[str, int]]) -> bool:
    """Whether a line would say nothing, or only what the next one says."""
    values = [row[column] for row in rows]
    if column == "Hearts":
        return values == [row["Points"] for row in rows]
    return column != "Points" and not any(values)


def _chip_counts(settled: Settlement, rows: Sequence[Mapping[str, int]]) -> Iterator[CountLine]:
    if settled.facts.status.settles:
        yield _count("took", rows, "Pain", "")
        if any(row["Paid"] != row["Pain"] for row in rows):
            yield _count("paid", rows, "Paid", "")
        if any(row["Won"] for row in rows):
            yield _count("won", rows, "Won", "green")
    yield _count("chips", rows, "After", "bold")


def _count(words: str, rows: Sequence[Mapping[str, int]], column: str, style: str) -> CountLine:
    zero = "-" if column in ("Queen", "Insurance", "Centre", "Adjust", "Moon", "Won") else "0"
    return CountLine(words, tuple(str(row[column]) if row[column] else zero for row in rows), style)


def _then(settled: Settlement, rules: Rules, record: HandRecord) -> str:
    """What the next hand inherits, in a few words."""
    after, seats = settled.after, record.seats
    feet = [seats[seat] for seat in sorted(after.feet - settled.before.feet)]
    used = f"; foot used: {' '.join(feet)}" if feet else ""
    if after.over is not None:
        return f"game over: {after.over.replace('_', ' ')}"
    words = f"next: {seats[after.dealer]} deals"
    if after.jackpot:
        namer = seats[after.namer] if after.namer is not None else "no one"
        return f"{words}, jackpot {after.jackpot}, {namer} names"
    if rules.pain is PainBy.AUCTION:
        return f"{words}, auction"
    if rules.passing is Passing.CYCLE:
        return f"{words}, pass {rules.direction(after.deals)}{used}"
    return words + used


def _notes(judged: Judged, result: HandResult, rules: Rules) -> Iterator[Part]:
    """What is wrong with a hand, in a line each, the worst first."""
    settled = result.settlement
    if settled is not None:
        if not settled.facts.status.settles:
            yield (sentence(result, rules), "")
        for seat, short in enumerate(settled.shortfalls):
            if short:
                name = result.replay.record.seats[seat]
                yield (f"{name} owes {short} more than they hold", "yellow")
    serious = [
        one
        for one in judged.findings
        if one.diagnostic.severity in (Severity.ERROR, Severity.RULING)
    ]
    if settled is None or result.provisional:
        kind = "not settled" if settled is None else "provisional, a ruling is needed"
        yield (kind, "bold red")
    for finding in serious[:_MOST_NOTED]:
        said = finding.diagnostic
        words = f"{said.severity} {said.rule}, line {said.line}: {visible(message_of(finding))}"
        yield (words, STYLES[said.severity])
    if len(serious) > _MOST_NOTED:
        yield (f"and {len(serious) - _MOST_NOTED} more", "")


_MOST_NOTED: Final = 3


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
    for word in text.split():
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
