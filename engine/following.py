"""Following games through a text: which record belongs to which game, and what it inherits.

The hands of one game have the same event, site, date, round, table, variant, seats and names,
and rising numbers; records of several tables may alternate in one file (notation.md 4).
"""

from collections import OrderedDict
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from typing import Final

from engine.carried import Carried, plays_for_chips
from engine.chips import in_words
from engine.ends import standing_values
from engine.facts import Status
from engine.faults import Code, Fault, Part, Severity
from engine.game import HandResult
from engine.record import HandRecord
from engine.rules import Rules
from engine.seats import Seat
from engine.switches import SettledBy
from engine.told import agrees, believe, dealer_told, deals_told, written_after

OPEN_GAMES: Final = 1024
"""How many games are followed at once; the one that rested longest is forgotten first."""


@dataclass(slots=True)
class Followed:
    """A game while its records are read.

    ``sure`` says that the last hand was settled, so that the state is known; ``again`` that it
    was void and its number may come once more. ``last`` is the state that the table believes, and
    the record that says so, where that may differ; ``repeated`` the number of a hand that came
    again and began this game.
    """

    game: int
    rules: Rules
    number: int | None = None
    hands: int = 0
    state: Carried | None = None
    sure: bool = False
    again: bool = False
    last: tuple[Carried, HandRecord | None] | None = None
    repeated: int | None = None

    @property
    def table(self) -> Carried | None:
        """The state after the last hand as the table wrote it."""
        if self.last is None:
            return None
        state, record = self.last
        return state if record is None else written_after(state, record)

    @property
    def begins(self) -> bool:
        """Whether nothing is known of the game yet, and nothing odd about that."""
        return self.state is None and self.repeated is None

    def follows(self, number: int | None) -> bool:
        """Whether a record of this number can be the next hand: it is higher than the last."""
        if self.number is None or number is None:
            return self.number is None and number is None
        return number > self.number or (self.again and number == self.number)

    def comes_next(self, number: int | None, players: int, rules: Rules) -> bool:
        """Whether a record of this number is the very next hand of a state that is known.

        Then what it inherits is that state, and nothing about it is odd (`inherited`).
        """
        if not self.sure or self.state is None or self.state.players != players:
            return False
        if number is not None and self.number is not None and number > self.number + 1:
            return False
        return rules is self.rules or rules.digest == self.rules.digest

    def note(self, record: HandRecord, result: HandResult, told: HandResult | None) -> None:
        """Remember how a hand left the game, and how the table believes it did."""
        self.last = ((told or result).after, record)
        self.number = record.number
        self.hands += 1
        self.state = result.after
        self.sure = result.settlement is not None
        self.again = result.facts.status in (Status.VOID_REDEAL, Status.NOT_PLAYED)

    def go_on(self, number: int | None, after: Carried) -> None:
        """Remember how a hand left the game of which the table believes just that."""
        self.last = (after, None)
        self.number = number
        self.hands += 1
        self.state = after
        self.sure, self.again = True, False


class Games:
    """The games of a text, each found again by what its records have in common."""

    def __init__(self) -> None:
        self._open: OrderedDict[Hashable, Followed] = OrderedDict()
        self._latest: tuple[Hashable, Followed] | None = None
        self._count = 0

    def find(self, key: Hashable) -> Followed | None:
        """The game that is open under a key."""
        return self._open.get(key)

    def of(self, key: Hashable, number: int | None, rules: Rules) -> Followed:
        """The game that a record of this number belongs to; a new one, where it cannot follow."""
        latest = self._latest
        if latest is not None and latest[0] is key and latest[1].follows(number):
            return latest[1]
        game = self._open.pop(key, None)
        if game is None or not game.follows(number):
            again = game is not None and number is not None and number > 1
            game = Followed(self._count, rules, repeated=number if again else None)
            self._count += 1
        self._open[key] = game
        self._latest = (key, game)
        if len(self._open) > OPEN_GAMES:
            self._open.popitem(last=False)
        return game


def inherited(
    game: Followed, record: HandRecord, rules: Rules
) -> tuple[Carried | None, tuple[Fault, ...]]:
    """The state before a hand, as the hands before it left it, and what is odd about that.

    None means that nothing but the record itself tells what the state was.
    """
    state = game.state
    again = game.repeated
    game.repeated = None
    if state is None or state.players != record.players:
        return None, () if again is None else (_repeated(again),)
    changed = (_other_rules(),) if rules.digest != game.rules.digest else ()
    gap = game.number is not None and record.number not in (game.number, game.number + 1)
    if gap or not game.sure:
        missing = (_gap(game.number or 0, record),) if gap else ()
        return _resumed(state, record, game.rules), (*changed, *missing)
    return state, changed


def believed(
    game: Followed, record: HandRecord, result: HandResult
) -> tuple[Carried | None, tuple[Fault, ...]]:
    """The state from which the table counted on, where that is not the settled one.

    A difference is a fault only when it is new: a table that goes on from its own wrong number
    repeats nothing. None where table and settlement agree.
    """
    if game.state is None or not game.sure or result.replay.before.players != record.players:
        return None, ()
    state = result.replay.before
    if agrees(state, record, game.rules):
        return None, ()
    told = believe(state, record, game.rules)
    if plays_for_chips(game.rules):
        faults = tuple(_other_chips(game, state, told, record))
    else:
        told, faults = _other_totals(game, told, record, result)
    return (None if told == state else told), faults


def is_whole(told: Carried, state: Carried, record: HandRecord) -> bool:
    """Whether the chips that a table counted are complete and as many as there are.

    Then the table has moved on from the settled state on purpose, and the game goes on from
    there; a slip of the pen changes the sum.
    """
    counted = {row.seat for row in record.scores or () if "Before" in row.values}
    return told.bought == state.bought and len(counted) == state.players


def _resumed(state: Carried, record: HandRecord, rules: Rules) -> Carried:
    """The state where the hand before is missing or unsettled: what this record tells, and feet."""
    told = record.direction is not None or bool(record.exchange)
    state = replace(
        state,
        dealer=state.dealer if record.dealer is None else dealer_told(record, rules),
        deals=deals_told(record, rules) if told else state.deals,
        jackpot=record.jackpot or 0,
        namer=record.namer if record.jackpot else None,
        over=None,
        due=None,
    )
    return believe(state, record, rules)


def _other_rules() -> Fault:
    words = "the house rules changed in the middle of a game; those of its first hand are applied"
    return Fault(
        code=Code.RULES,
        rule="Q68",
        message=words,
        severity=Severity.RULING,
        part=Part.HEADER,
    )


def _repeated(number: int) -> Fault:
    words = f"hand {number} came before in this game; this record is taken to begin another one"
    return Fault(
        code=Code.RUNNING_TOTAL,
        rule="11.12",
        message=words,
        severity=Severity.WARNING,
        part=Part.NUMBER,
    )


def _gap(last: int, record: HandRecord) -> Fault:
    words = f"hand {last} comes before hand {record.number} here; the hands between are missing, "
    return Fault(
        code=Code.RUNNING_TOTAL,
        rule="11.12",
        message=words + "so this one is believed",
        severity=Severity.INFO,
        part=Part.NUMBER,
    )


def _other_chips(
    game: Followed, state: Carried, told: Carried, record: HandRecord
) -> Iterator[Fault]:
    table = game.table or state
    if told.pot not in (state.pot, table.pot):
        words = f"the last hand left {in_words(state.pot)} in the pot, not {told.pot}"
        yield Fault(code=Code.POT, rule="11.1", message=words, part=Part.POT, column="Before")
    for row in record.scores or ():
        due, before = state.chips[row.seat], row.values.get("Before", state.chips[row.seat])
        if before not in (due, table.chips[row.seat]):
            words = f"{record.seats[row.seat]}: the last hand left {in_words(due)}, not {before}"
            yield _in_scores(Code.CHIPS, words, row.seat, "Before")


def _other_totals(
    game: Followed, told: Carried, record: HandRecord, result: HandResult
) -> tuple[Carried, tuple[Fault, ...]]:
    """As `_other_chips`; a total that is right in the end is right, whatever stands beside it."""
    state, after = result.replay.before, result.after
    table = (game.table or state).totals
    totals, faults = list(told.totals), []
    for row in record.scores or ():
        seat, total, points = row.seat, row.values.get("Total"), row.values.get("Points")
        before = state.totals[seat]
        if total is None or points is None or total == after.totals[seat]:
            totals[seat] = before
        elif totals[seat] not in (before, table[seat]):
            name, due = record.seats[seat], before + points
            words = f"{name}: {before} before this hand and {points} make {due}, not {total}"
            faults.append(_in_scores(Code.RUNNING_TOTAL, words, seat, "Total"))
    return replace(told, totals=tuple(totals)), tuple(faults)


def _in_scores(code: Code, words: str, seat: Seat, column: str) -> Fault:
    return Fault(code=code, rule="11.1", message=words, part=Part.SCORES, seat=seat, column=column)


def compare_totals(game: Followed | None, record: HandRecord) -> Iterator[Fault]:
    """A game's result beside its hands: the same chips, or the same points (notation.md 4)."""
    if game is None or game.state is None or not game.sure or game.state.players != record.players:
        return
    sign = 1 if game.rules.settlement is SettledBy.POT else -1
    values = standing_values(game.rules, game.state)
    for row in record.totals or ():
        due = sign * values[row.seat]
        if row.total is not None and row.total != due:
            words = f"{record.seats[row.seat]}: the hands before make {due}, not {row.total}"
            yield Fault(
                code=Code.RUNNING_TOTAL,
                rule="11.12",
                message=words,
                part=Part.TOTALS,
                seat=row.seat,
                column="TotalScore",
            )
