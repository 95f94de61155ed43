"""Games: the hands of a stream gathered game by game, in bounded memory, and printed.

Games may be mixed in one file, as a club night records them. A game is printed when it is over
and all that began before it are printed; at the latest when too many hands wait. What comes
after that is printed as its continuation.
"""

from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ..core.messages import Message, PluralMessage
from ..games.game_grouping import RecordOrder
from ..record.game_state import GameState
from ..record.record import HandRecord
from ..rules.rule_sheet import title_of
from ..rules.rules import Rules
from ..verdicts.judge import Judged
from .diagnostics import format_finding
from .language import say
from .screen import Line, Screen, visible
from .settlement import Block, TableWidths, block_of, columns_of, wrap_text
from .standings import standing, totals

GAMES_MAX: Final = 64
HANDS_MAX: Final = 1000


@dataclass(slots=True)
class _Game:
    """The hands of a game that wait to be printed."""

    head: list[Line]
    rules: Rules
    record: HandRecord
    state: GameState
    blocks: list[Block] = field(default_factory=list)


class GamePrinter:
    """Gathers judged records and prints them as games; `close` prints the rest."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._open: OrderedDict[tuple[str, int], _Game] = OrderedDict()
        self._hands = 0
        self._printed = 0

    def add(self, file: str, judged: Judged) -> None:
        """One record more."""
        if judged.game is None or judged.result is None or not judged.counts:
            self._add_other(file, judged)
            return
        key = (file, judged.game)
        game = self._open.get(key)
        if game is None:
            game = self._open[key] = _start_game(file, judged)
        game.blocks.append(block_of(judged))
        if judged.order is RecordOrder.NEXT:
            game.state = judged.result.after
            game.record = judged.result.replay.record
        self._hands += 1
        self._print_ready()

    def close(self) -> None:
        """Print what is left."""
        while self._open:
            self._print_oldest()

    def _add_other(self, file: str, judged: Judged) -> None:
        """A game record, or one that is no hand to count: everything before it comes first."""
        self.close()
        self._gap()
        for line in _heading(file, judged):
            self._screen.line(*line)
        record = judged.entry.record
        if record is None:
            words = Message(
                "line {line}: no hand of a Hearts game can be read here", line=judged.entry.line
            )
            self._screen.line((words, "yellow"))
            return
        if judged.counts:
            title = Message("Result of the game")
            if record.hands:
                title = PluralMessage(
                    "Result of the game after {count} hand",
                    "Result of the game after {count} hands",
                    count=record.hands,
                )
            self._screen.line((title, "bold"))
            for line in totals(record):
                self._screen.line(*line)
        for finding in judged.findings:
            self._screen.line((format_finding(finding.diagnostic), "yellow"))

    def _print_ready(self) -> None:
        while self._open:
            oldest = next(iter(self._open.values()))
            full = self._hands > HANDS_MAX or len(self._open) > GAMES_MAX
            if oldest.state.over is None and not full:
                return
            self._print_oldest()

    def _print_oldest(self) -> None:
        _, game = self._open.popitem(last=False)
        self._hands -= len(game.blocks)
        self._gap()
        for line in self._lines(game):
            self._screen.line(*line)

    def _gap(self) -> None:
        if self._printed:
            self._screen.line()
        self._printed += 1

    def _lines(self, game: _Game) -> Iterator[Line]:
        yield from game.head
        yield []
        layout = TableWidths(columns_of(game.rules, game.record.seats), game.blocks)
        yield from layout.heading()
        for block in game.blocks:
            yield from layout.lines(block, self._screen.width)
        if game.state.players != game.record.players:
            return  # no table for so many under these rules; the hand says so
        yield []
        final = PluralMessage(
            "Final result after {count} hand",
            "Final result after {count} hands",
            count=game.state.hands,
        )
        so_far = PluralMessage(
            "Standing after {count} hand", "Standing after {count} hands", count=game.state.hands
        )
        yield [(so_far if game.state.over is None else final, "bold")]
        yield from standing(game.rules, game.record, game.state)


def _start_game(file: str, judged: Judged) -> _Game:
    assert judged.result is not None
    assert judged.rules is not None
    record, state = judged.result.replay.record, judged.result.after
    head = list(_heading(file, judged))
    return _Game(head, judged.rules, record, state)


def _heading(file: str, judged: Judged) -> Iterator[Line]:
    """Yield the heading of a game: its name, its rules, and who sits where."""
    if judged.game is None:
        title = Message("Record {number}", number=judged.entry.number)
    else:
        title = Message("Game {number}", number=judged.game + 1)
    if judged.hand:
        title = Message("{game}, continued", game=title)
    yield [(title, "bold"), (f" · {visible(file)}", "dim")]
    words = event_words(judged)
    if words:
        yield [(words, "")]
    record = judged.entry.record
    if record is None:
        return
    if judged.rules is not None:
        yield [(title_of(judged.rules), "cyan")]
    if record.names:
        pairs = zip(record.seats, record.names, strict=True)
        players = " · ".join(f"{seat} {visible(name)}" for seat, name in pairs)
        for piece in wrap_text(players, 80):
            yield [(piece, "")]


def event_words(judged: Judged) -> str:
    """Event, site, date and table, as far as they are known."""
    value = judged.entry.document.value
    found = [value(name) for name in ("Event", "Site", "Date")]
    table = value("Table")
    parts = [part for part in found if part and part != "?"]
    if table:
        parts.append(say(Message("table {table}", table=table)))
    return visible(" · ".join(parts))
