"""Slips as a pencil fills them in, without paper: the marks that recognition would read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine.core.seats import DEFAULT_SEATS, Seat
from engine.record.game_state import GameState, beginning
from engine.rules.presets import preset
from engine.rules.rules import Rules, change
from scoring.models import Game, Slip
from scoring.settlement.plan import rules_of
from scoring.settlement.replay import HandInput, JudgedHand, judge_entered
from scoring.slips.codes import SlipCode, write_code
from scoring.slips.intake import save_slip
from scoring.slips.interpretation import (
    Interpretation,
    Marks,
    interpret,
    row_name,
)
from scoring.slips.layout import CircleMark, Mark, SlipLayout, lay_out
from scoring.slips.matching import SlipMatcher, code_of
from scoring.submissions.reading import SubmittedRecord
from scoring.submissions.writing import GameContext
from tests.scoring.club import at
from tournaments.models import Event

DARK: Final = CircleMark(Mark.MARKED, 400)
FAINT: Final = CircleMark(Mark.UNSURE, 90)
WHITE: Final = CircleMark(Mark.EMPTY, 10)
NOTHING: Final[Mapping[str, str | None]] = {}


def mark_slip(layout: SlipLayout, players: int, marked: Mapping[str, str]) -> Marks:
    """The circles of a slip, by row: the values that are marked, with ``?`` faint ones."""
    seats = DEFAULT_SEATS[players]
    rows = {row_name(row, seats): row for row in layout.rows}
    assert marked.keys() <= rows.keys(), marked.keys() - rows.keys()
    found = {}
    for name, row in rows.items():
        said = marked.get(name, "").split("|")
        found[name] = {
            one.value: DARK if one.value in said else FAINT if f"{one.value}?" in said else WHITE
            for one in row.circles
        }
    return found


@dataclass
class PaperTable:
    """A table that tells its next hand on a slip."""

    rules: Rules
    players: int = 4
    before: GameState | None = None
    number: int = 1

    @classmethod
    def of(cls, name: str, players: int = 4, **overrides: str) -> "PaperTable":
        """A new game by some rules."""
        rules = change(preset(name), overrides)
        return cls(rules, players, beginning(rules, players, Seat(0)))

    @property
    def layout(self) -> SlipLayout:
        return lay_out(self.rules, self.players)

    def judge(self, record: SubmittedRecord) -> JudgedHand:
        """Judge a record as the next hand."""
        assert self.before is not None
        entered = HandInput(number=self.number, record=record)
        return judge_entered(self.rules, self.before, entered)

    def read(
        self, marked: Mapping[str, str], changes: Mapping[str, str | None] = NOTHING
    ) -> Interpretation:
        """Interpret a slip with these marks."""
        context = GameContext(
            rules=self.rules,
            seats=DEFAULT_SEATS[self.players],
            number=self.number,
            before=self.before,
        )
        marks = mark_slip(self.layout, self.players, marked)
        judge = None if self.before is None else self.judge
        return interpret(self.layout, marks, changes, context, judge)

    def play(self, marked: Mapping[str, str]) -> Interpretation:
        """Read a clean slip, and go on to the next hand."""
        found = self.read(marked)
        assert found.is_clean, found.questions
        assert found.played is not None
        self.before, self.number = found.played.carried, self.number + 1
        return found


def code_at(game: Game, number: int) -> SlipCode:
    """The code of the slip for a hand of a game at a table."""
    assert game.table is not None
    event = game.table.round.event
    return code_of(event, rules_of(game), game.players, table=game.table, hand=number)


def hand_in(
    game: Game, number: int, marked: Mapping[str, str], crop: bytes | None = b"crop"
) -> Slip:
    """Have a slip of a table read."""
    assert game.table is not None
    return read_in(game.table.round.event, code_at(game, number), marked, crop)


def read_in(
    event: Event, code: SlipCode, marked: Mapping[str, str], crop: bytes | None = b"crop"
) -> Slip:
    """Have a slip read, whatever its code says; the newest slip that it became."""
    matcher = SlipMatcher(Event.objects.get(pk=event.pk))
    layout = matcher.find_layout(code)
    marks = {} if layout is None else mark_slip(layout, code.players, marked)
    save_slip(None, matcher, code, marks, crop, at())
    return Slip.objects.filter(code=write_code(code)).latest("read_at", "pk")
