"""Group the records of a text into games.

`OpenGames.place` finds the game of a record by DEC-1: an explicit GameId decides alone; without it
a record belongs to an open game when nothing that identifies the game contradicts it. What a hand
inherits from those before it is for `hand_sequence`.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from itertools import islice
from typing import Final, TypeAlias

from ..core.faults import Code, Fault, Part, Severity
from ..core.game_identity import COMPARED, GameIdentity, fold_text
from ..core.messages import Message, joined_by_semicolons
from ..core.seats import Seat
from ..record.game_state import GameState
from ..record.irregularities import Event, find_by_name
from ..record.record import Ending, HandRecord, RulingRow
from ..replay.opening_state import (
    written_after,
)
from ..rules.rules import Rules, plays_for_chips

_Bucket: TypeAlias = tuple[int, str, int | None]
"""What games are looked for by: the number of players, the event and the day."""
OPEN_GAMES: Final = 1024
"""How many games are followed at once; the one that rested longest is forgotten first."""
REMEMBERED_HANDS: Final = 65_536
"""How many hands of open games are remembered, to recognise a record that comes twice."""
_COMPARED_GAMES: Final = 256
"""With how many games, at most, a record is compared that continues none of them."""
_LISTED: Final = 1000
"""How many missing hands are looked up one by one."""
_LETTING_MOVE: Final = (Event.PROCEDURE, Code.RUNNING_TOTAL)
"""The subject of a ruling that lets people change seats."""
VOID_ENDINGS: Final = (Ending.REDEAL, Ending.ABANDONED)
"""Endings after which the same hand number may come once more."""


class RecordOrder(StrEnum):
    """The order of a record among the records of its game that came before it."""

    NEXT = "next"
    """It comes after all of them."""
    LATE = "late"
    """It fits into a gap between them, or before the first of them."""
    REPEATED = "repeated"
    """It is there already, with the same content."""
    CONFLICT = "conflict"
    """Its number is there already, with another content."""


@dataclass(frozen=True, slots=True)
class GameProgress:
    """The progress of a game after some of its hands.

    ``is_settled``: the last hand was settled, so that the state is known. ``last`` is the state
    that the table believes, and the record that says so, where that may differ.
    """

    number: int = 0
    state: GameState | None = None
    is_settled: bool = False
    last: tuple[GameState, HandRecord | None] | None = None

    @property
    def table(self) -> GameState | None:
        """The state after the last hand as the table wrote it."""
        if self.last is None:
            return None
        state, record = self.last
        return state if record is None else written_after(state, record)

    def comes_next(self, number: int, players: int) -> bool:
        """Whether the state in which a hand of this number is played is known."""
        state = self.state
        return (
            self.is_settled
            and state is not None
            and state.players == players
            and number in (self.number, self.number + 1)
        )


@dataclass(slots=True)
class OpenGame:
    """An open game.

    ``number`` is the highest hand number so far, ``numbers`` are all of them, ``contents`` what
    the records say; ``voids`` are numbers of which only a void hand is known. ``names`` are all
    the names that were written at each seat.
    """

    game: int
    rules: Rules
    identity: GameIdentity
    game_id: str
    tags: tuple[str, ...]
    written: tuple[str, ...]
    names: list[set[str]]
    spelled: list[str]
    days: tuple[int, int] | None
    bucket: "_Bucket"
    number: int = 0
    hands: int = 0
    progress: GameProgress = field(default_factory=GameProgress)
    numbers: set[int] = field(default_factory=set)
    contents: set[bytes] = field(default_factory=set)
    voids: set[int] = field(default_factory=set)

    @classmethod
    def begin(cls, game: int, rules: Rules, identity: GameIdentity) -> "OpenGame":
        """A game of which the first record is read."""
        return cls(
            game=game,
            rules=rules,
            identity=identity,
            game_id=identity.game_id,
            tags=identity.tags,
            written=identity.written,
            names=[{name} - {""} for name in identity.names],
            spelled=list(identity.spelled),
            days=None if identity.day is None else (identity.day, identity.day),
            bucket=(identity.players, identity.tags[0], identity.day),
        )

    @property
    def is_over(self) -> bool:
        """Whether the game has ended by its rules."""
        return self.progress.state is not None and self.progress.state.over is not None

    def follows(self, number: int | None) -> bool:
        """Whether a record of this number is the very next hand."""
        if number is None:
            return not self.is_over
        return number == self.number + 1 or (number == self.number and number in self.voids)

    def differing_seats(self, identity: GameIdentity) -> list[int] | None:
        """The seats at which somebody new is written; None where that makes it another game.

        One is a substitute, if another seat has the same player as before; several are the same
        people in other seats (DEC-22).
        """
        new = self.newcomers(identity)
        if len(new) == 1:
            pairs = zip(identity.names, self.names, strict=False)
            return new if any(name in known for name, known in pairs if name) else None
        return new if not new or self.has_moved(identity) else None

    def newcomers(self, identity: GameIdentity) -> list[int]:
        """The seats at which somebody is written who did not sit there before."""
        pairs = enumerate(zip(identity.names, self.names, strict=False))
        return [seat for seat, (name, known) in pairs if name and known and name not in known]

    def has_moved(self, identity: GameIdentity) -> bool:
        """Whether a record has the same people in other seats (DEC-22)."""
        new = self.newcomers(identity)
        if len(new) < 2 or identity.players != len(self.names):
            return False
        moved = {identity.names[seat] for seat in new}
        left = [
            known
            for name, known in zip(identity.names, self.names, strict=True)
            if name not in known
        ]
        return len(moved) == len(new) and moved <= set[str]().union(*left)

    def contradicts(self, identity: GameIdentity) -> bool:
        """Whether a tag of a record says that it belongs to another game."""
        if identity.players != self.identity.players:
            return True
        if identity.game_id and self.game_id:
            return True
        return any(
            mine != theirs and mine and theirs
            for mine, theirs in zip(identity.tags, self.tags, strict=True)
        )

    def reasons_against(self, identity: GameIdentity) -> list[Message]:
        """List what keeps a record out of this game, tag by tag."""
        found = list[Message]()
        if identity.players != self.identity.players:
            count, others = identity.players, self.identity.players
            found.append(Message("{count} players are not {others}", count=count, others=others))
        elif self.differing_seats(identity) is None:
            new = self.newcomers(identity)
            words = Message(
                "{players} sit where {others} sat",
                players=joined_by_semicolons([identity.spelled[seat].strip() for seat in new]),
                others=joined_by_semicolons([self.spelled[seat].strip() for seat in new]),
            )
            found.append(words)
        names = ("GameId", *COMPARED)
        mine, theirs = (identity.game_id, *identity.written), (self.game_id, *self.written)
        for name, value, other in zip(names, mine, theirs, strict=True):
            if fold_text(value) and fold_text(other) and fold_text(value) != fold_text(other):
                words = Message(
                    "{tag} {value} is not {other}",
                    tag=name,
                    value=value.strip(),
                    other=other.strip(),
                )
                found.append(words)
        if identity.day is not None and self.days is not None and not self.moves_on(identity):
            first, last = self.days
            day, is_earlier = _format_day(identity.day), identity.day < first
            words = Message("Date {day} is before {other}", day=day, other=_format_day(first))
            if not is_earlier:
                other = _format_day(last)
                words = Message("Date {day} is days after {other}", day=day, other=other)
            found.append(words)
        return found

    def moves_on(self, identity: GameIdentity) -> bool:
        """Whether the date of a record fits those of the game: one day later at most."""
        if identity.day is None or self.days is None:
            return True
        first, last = self.days
        return max(last, identity.day) - min(first, identity.day) <= 1

    def is_same_day(self, identity: GameIdentity) -> bool:
        """Whether the date of a record is one of the game's, or not known."""
        return identity.day is None or self.days is None or identity.day in self.days

    def take(self, identity: GameIdentity, number: int, content: bytes, *, is_void: bool) -> None:
        """Count a record to the game."""
        if identity is not self.identity and not self.has_moved(identity):
            self.learn(identity)
        if is_void and number not in self.numbers:
            self.voids.add(number)
        elif self.voids and not is_void:
            self.voids.discard(number)
        self.numbers.add(number)
        self.contents.add(content)
        self.number = max(self.number, number)
        self.hands += 1

    def learn(self, identity: GameIdentity) -> None:
        """Take over what a record says of the game that was not known before."""
        self.identity = identity
        self.game_id = self.game_id or identity.game_id
        if identity.players == len(self.names):
            pairs = zip(self.tags, self.written, identity.tags, identity.written, strict=True)
            known = [(mine, said) if mine else (new, now) for mine, said, new, now in pairs]
            self.tags, self.written = zip(*known, strict=True)
            for seat, name in enumerate(identity.names):
                if name:
                    self.names[seat].add(name)
                    self.spelled[seat] = identity.spelled[seat]
        if identity.day is not None:
            first, last = self.days or (identity.day, identity.day)
            self.days = min(first, identity.day), max(last, identity.day)

    def note_void(self, number: int, *, is_void: bool) -> None:
        """Note that the last hand came to nothing, if it did: its number may come once more."""
        if is_void and self.number == number:
            self.voids.add(number)

    def note_state(self, state: GameState) -> None:
        """Note the state after the hands so far, where somebody else settles them."""
        self.progress = GameProgress(self.number, state)

    def go_on(self, number: int, after: GameState) -> None:
        """Note how a hand left the game where the table believes just that."""
        self.progress = GameProgress(number, after, is_settled=True, last=(after, None))


@dataclass(slots=True)
class Placement:
    """A record's place in its game.

    ``number`` is its hand number, counted on where none is written; ``gap`` are the first and the
    last number of the hands that should have come before it, and ``mismatch`` says why another game
    in which its number is free does not go on with it. ``faults`` are worked out when they
    are asked for: a hand that is missing may still come.
    """

    game: OpenGame
    order: RecordOrder
    number: int
    gap: tuple[int, int] | None = None
    notes: tuple[Fault, ...] = ()
    mismatch: str = ""

    @property
    def is_open(self) -> bool:
        """Whether a later record may change what is to be said of this one."""
        return self.order is RecordOrder.CONFLICT or bool(self._missing())

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Faults in the place of the record, as far as is known by now."""
        missing = self._missing()
        found = [_missing_hands(missing, self.game.rules, self.mismatch)] if missing else []
        if self.order is RecordOrder.CONFLICT:
            found.append(self._conflict())
        return (*self.notes, *found)

    def _missing(self) -> list[tuple[int, int]]:
        """The hands of the gap that have not come, as first and last numbers."""
        if self.gap is None:
            return []
        first, last = self.gap
        if last - first > _LISTED:
            return [self.gap]
        numbers = self.game.numbers
        return _runs(number for number in range(first, last + 1) if number not in numbers)

    def _conflict(self) -> Fault:
        free = self.number + 1
        while free in self.game.numbers:
            free += 1
        words = Message(
            "hand {number} of this game is written before, and says something else",
            number=self.number,
        )
        hint = Message(
            "{free} is the next free number; another game needs another Round, Table or GameId",
            free=free,
        )
        return _at_number(words, Severity.ERROR, hint)


def _format_day(day: int) -> str:
    return date.fromordinal(day).isoformat().replace("-", ".")


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """Rising numbers as stretches of consecutive ones.

    >>> _runs([2, 3, 4, 7])
    [(2, 4), (7, 7)]
    """
    runs: list[tuple[int, int]] = []
    for number in numbers:
        if runs and runs[-1][1] == number - 1:
            runs[-1] = (runs[-1][0], number)
        else:
            runs.append((number, number))
    return runs


class OpenGames:
    """The open games of a text; `place` finds the one that a record belongs to."""

    def __init__(self) -> None:
        self._open: OrderedDict[int, OpenGame] = OrderedDict()
        self._by_id: dict[str, OpenGame] = {}
        self._exact: dict[GameIdentity, OpenGame] = {}
        self._near: dict[_Bucket, dict[int, OpenGame]] = {}
        self._latest: OpenGame | None = None
        self._count = 0
        self._hands = 0

    def place(
        self,
        identity: GameIdentity,
        number: int | None,
        content: bytes,
        rules: Rules,
        *,
        is_void: bool = False,
        rulings: Iterable[RulingRow] = (),
    ) -> Placement:
        """Find the game of a record, or begin one, and count the record to it.

        A record that is repeated or in conflict is not counted. ``rulings`` are those of the
        record: one on procedure lets people change seats.
        """
        game = self._find(identity, number, content, is_void=is_void)
        if game is None:
            game = self._begin(identity, rules)
        elif game is not self._latest:
            self._open.move_to_end(game.game)
        self._latest = game
        placed = _find_place(game, identity, number, content, is_void=is_void)
        if placed.gap is not None:
            placed.mismatch = self._explain_gap(identity, placed)
        if identity is not game.identity and game.has_moved(identity):
            is_ruled = any(find_by_name(row.code) in _LETTING_MOVE for row in rulings)
            placed.notes = (_exchanged_names(game, identity, is_ruled=is_ruled), *placed.notes)
            if is_ruled:
                game.learn(identity)
        if placed.order in (RecordOrder.NEXT, RecordOrder.LATE):
            self._take(game, identity, placed.number, content, is_void=is_void)
        return placed

    def find(self, identity: GameIdentity) -> OpenGame | None:
        """The open game that a record of a whole game is about."""
        if identity.game_id and identity.game_id in self._by_id:
            return self._by_id[identity.game_id]
        if identity in self._exact:
            return self._exact[identity]
        found = [
            game
            for game in self._candidates(identity)
            if game.moves_on(identity) and game.differing_seats(identity) is not None
        ]
        places = {game: at for at, game in enumerate(self._open)}
        return max(found, key=lambda game: places[game.game], default=None)

    def _find(
        self, identity: GameIdentity, number: int | None, content: bytes, *, is_void: bool
    ) -> OpenGame | None:
        latest = self._latest
        if latest is not None and latest.identity is identity and latest.number + 1 == number:
            return latest
        if identity.game_id and identity.game_id in self._by_id:
            return self._by_id[identity.game_id]
        exact = self._exact.get(identity)
        if exact is not None and number is not None and exact.follows(number):
            return exact
        ranked = []
        for game in self._candidates(identity):
            rank = _rank(game, identity, number, content, is_void=is_void)
            if rank is not None:
                ranked.append((rank, game is not exact, game is not latest, -game.game, game))
        return min(ranked, key=lambda one: one[:-1])[-1] if ranked else None

    def _candidates(self, identity: GameIdentity) -> Iterator[OpenGame]:
        """The open games that no tag of a record contradicts."""
        event, day, players = identity.tags[0], identity.day, identity.players
        if event and day is not None:
            days = (day - 1, day, day + 1, None)
            buckets = [(players, name, day) for name in (event, "") for day in days]
            games = [game for key in buckets for game in self._near.get(key, {}).values()]
        else:
            games = list(self._open.values())
        return (game for game in games if not game.contradicts(identity))

    def _explain_gap(self, identity: GameIdentity, placed: Placement) -> str:
        """Why no other game goes on with a record before which hands are missing (DEC-22).

        A game that has hands already is left for the very next hand of the same people alone.
        """
        best: tuple[int, bool] | None = None
        reasons = list[Message]()
        for game in islice(reversed(self._open.values()), _COMPARED_GAMES):
            follows = game.follows(placed.number)
            same = any(identity.names) and game.differing_seats(identity) == []
            if game is placed.game or (placed.game.hands and not (follows and same)):
                continue
            if placed.number in game.numbers and placed.number not in game.voids:
                continue
            against = game.reasons_against(identity)
            if against and (best is None or (len(against), not follows) < best):
                best, reasons = (len(against), not follows), against
        return joined_by_semicolons(reasons) if reasons else ""

    def _begin(self, identity: GameIdentity, rules: Rules) -> OpenGame:
        game = OpenGame.begin(self._count, rules, identity)
        self._count += 1
        self._open[game.game] = game
        self._near.setdefault(game.bucket, {})[game.game] = game
        return game

    def _take(
        self,
        game: OpenGame,
        identity: GameIdentity,
        number: int,
        content: bytes,
        *,
        is_void: bool,
    ) -> None:
        if not game.hands or identity is not game.identity:
            if self._exact.get(game.identity) is game:
                del self._exact[game.identity]
            self._exact[identity] = game
        game.take(identity, number, content, is_void=is_void)
        if game.game_id:
            self._by_id[game.game_id] = game
        self._hands += 1
        while len(self._open) > OPEN_GAMES or (
            self._hands > REMEMBERED_HANDS and len(self._open) > 1
        ):
            self._forget()
        if self._hands > REMEMBERED_HANDS:
            self._hands -= len(game.contents)
            game.contents.clear()

    def _forget(self) -> None:
        """Forget the game that rested longest."""
        number, game = self._open.popitem(last=False)
        self._hands -= len(game.contents)
        near = self._near[game.bucket]
        del near[number]
        if not near:
            del self._near[game.bucket]
        if self._exact.get(game.identity) is game:
            del self._exact[game.identity]
        if self._by_id.get(game.game_id) is game:
            del self._by_id[game.game_id]


_REPEATED, _NEXT, _LATE, _AHEAD, _CONFLICT = range(5)


def _rank(
    game: OpenGame, identity: GameIdentity, number: int | None, content: bytes, *, is_void: bool
) -> tuple[int, int] | None:
    """Return the rank of a record in a game that no tag contradicts; None for not at all."""
    new = game.differing_seats(identity)
    if new is None or not game.moves_on(identity):
        return None
    differences = len(new) + (not game.is_same_day(identity))
    if content in game.contents:
        return _REPEATED, differences
    if game.follows(number):
        return _NEXT, differences
    if number is None:
        return None
    if number not in game.numbers:
        return (_AHEAD if number > game.number else _LATE), differences
    if number == 1 and (differences or game.is_over):
        return None
    if is_void or number in game.voids:
        return _LATE, differences
    # An identifier that is new here, and a hand that is there already: another game.
    return None if identity.game_id else (_CONFLICT, differences)


def _find_place(
    game: OpenGame, identity: GameIdentity, number: int | None, content: bytes, *, is_void: bool
) -> Placement:
    """The place of a record in the game that it belongs to."""
    next_number = game.number if game.number in game.voids else game.number + 1
    own = next_number if number is None else number
    if content in game.contents:
        words = Message("this record is written before, with the same content; it counts once")
        repeated = _at_number(words, Severity.WARNING, Message("delete one of the two"))
        return Placement(game, RecordOrder.REPEATED, own, notes=(repeated,))
    notes = tuple(_substitutes(game, identity)) if game.hands else ()
    if own > game.number or own == next_number:
        gap = (game.number + 1, own - 1) if own > game.number + 1 else None
        return Placement(game, RecordOrder.NEXT, own, gap, notes)
    if own not in game.numbers or own in game.voids or is_void:
        words = Message(
            "hand {number} is written after hand {later}; it counts in its place",
            number=own,
            later=game.number,
        )
        hint = Message("write the hands in the order of play")
        if own in game.numbers:
            words = Message("hand {number} is written twice; the void one counts first", number=own)
            hint = Message("write the void hand before the one that was played")
        late = _at_number(words, Severity.WARNING, hint)
        return Placement(game, RecordOrder.LATE, own, notes=(*notes, late))
    return Placement(game, RecordOrder.CONFLICT, own, notes=notes)


def _substitutes(game: OpenGame, identity: GameIdentity) -> Iterator[Fault]:
    """Yield players in seats where somebody else sat before in this game (Q62)."""
    if identity is game.identity or identity.players != len(game.names) or game.has_moved(identity):
        return
    for seat, name in enumerate(identity.names):
        if name and game.names[seat] and name not in game.names[seat]:
            new, before = identity.spelled[seat].strip(), game.spelled[seat].strip()
            yield Fault(
                code=Code.RUNNING_TOTAL,
                rule="Q62",
                message=Message(
                    "{player} is taken as a substitute for {before}", player=new, before=before
                ),
                severity=Severity.WARNING,
                part=Part.NAMES,
                seat=Seat(seat),
                hint=Message("if it is the same person, write the name alike"),
            )


def _exchanged_names(game: OpenGame, identity: GameIdentity, *, is_ruled: bool) -> Fault:
    """Report the same people in other seats: chips and points belong to a seat (DEC-22)."""
    seats = [Seat(seat) for seat in game.newcomers(identity)]
    words = [
        Message(
            "{player} stands in the place of {before}",
            player=identity.spelled[seat].strip(),
            before=game.spelled[seat].strip(),
        )
        for seat in seats
    ]
    return Fault(
        code=Code.RUNNING_TOTAL,
        rule="DEC-22",
        message=joined_by_semicolons(words),
        severity=Severity.WARNING if is_ruled else Severity.ERROR,
        part=Part.NAMES,
        seat=seats[0],
        hint=Message("exchange the names; in another game people may sit elsewhere"),
    )


def _at_number(words: Message, severity: Severity, hint: Message) -> Fault:
    return Fault(
        code=Code.RUNNING_TOTAL,
        rule="DEC-1",
        message=words,
        severity=severity,
        part=Part.NUMBER,
        hint=hint,
    )


def _missing_hands(missing: list[tuple[int, int]], rules: Rules, mismatch: str) -> Fault:
    first, last = missing[0]
    listed = ", ".join(f"{one}" if one == end else f"{one}-{end}" for one, end in missing)
    is_one, chips = len(missing) == 1 and first == last, plays_for_chips(rules)
    if is_one and chips:
        words = Message("hand {number} missing; chips, pot and jackpot are believed", number=first)
    elif is_one:
        words = Message("hand {number} missing; the totals are believed", number=first)
    elif chips:
        words = Message(
            "hands {numbers} missing; chips, pot and jackpot are believed", numbers=listed
        )
    else:
        words = Message("hands {numbers} missing; the totals are believed", numbers=listed)
    hint = Message("add the missing hands, or correct the number")
    if mismatch:
        words = Message("{missing}; no hand of the game before: {why}", missing=words, why=mismatch)
        hint = Message("correct what differs, if it is a hand of that game; else add the others")
    return _at_number(words, Severity.WARNING, hint)
