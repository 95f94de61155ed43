"""The wall of a club's room: standings or seats, in columns that are read from afar."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, Final, Generic, TypeVar

from django.db.models import OuterRef, Subquery

from engine.rules.switches import ZeroClean
from tournaments.core.name_folding import fold_name
from tournaments.events.round_rules import rule_set_of_round
from tournaments.models import Event, Result, Round, Scope, Stage
from tournaments.people.rule_sets import rules_of
from tournaments.publishing.versions import find_as_of
from tournaments.standings.rows import place_of
from tournaments.web.seating import EventRounds, RoundNow
from tournaments.web.standings import StandingsCell, StandingsRow, StandingsTable

ROWS_MAX: Final = 20
"""So many rows of a column can be read across a room; a column has fewer where fewer play."""
_ROWS_LEAST: Final = 8
COLUMNS: Final = 2
"""So many columns stand beside each other; more go by, a screen at a time."""
_IN_ONE_COLUMN: Final = 16
"""So many names stand in one column, in large letters."""
_ROUNDS_IN_ONE: Final = 12
_ROUNDS_IN_TWO: Final = 6
"""At most so many rounds or nights stand beside the names of one column, and of two."""
_WIDTH_IN_ONE: Final = 41.0
_WIDTH_IN_TWO: Final = 30.5
"""The width of a column in the units of `wall.css`, where it stands alone or beside another."""
_WIDTH_OF_REST: Final = 8.4
"""The width of rank, moves and total together."""
_WIDTH_OF_SCORE: Final = 2.4
_WIDTH_OF_LETTER: Final = 0.56
"""The mean width of a letter of a name, as a part of its height."""
_LONG_NAME: Final = 27
"""Longer names stand in smaller letters."""
_LONG_MOVE: Final = 7
"""Who moved by so many places stands out."""
_PODIUM: Final = 3
_BEGINS_ALIKE: Final = 6
"""Names with so many letters in common at their beginning are split."""
_SHOWN_BEFORE: Final = 6
"""So many letters of a long word are kept before the one that differs."""
_NUMBER: Final = re.compile(r"\s\(\d+\)$")
_WORD: Final = re.compile(r"\w+")

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WallScreen(Generic[T]):
    """A screen: columns of at most ``rows`` rows, which fill the height."""

    columns: list[Sequence[T]]
    rows: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class WallName:
    """A name in two parts: where it is too long, ``start`` is cut and ``end`` is not.

    ``end`` is what tells somebody from others on the wall whose names begin alike; empty where
    nobody's does.
    """

    start: str
    end: str = ""

    @property
    def is_long(self) -> bool:
        """Whether it stands in smaller letters."""
        return len(self.start) + len(self.end) > _LONG_NAME


@dataclass(frozen=True, slots=True)
class WallRow:
    """A row of the standings on the wall; ``scores`` are those of the last rounds or nights."""

    row: StandingsRow
    name: WallName
    scores: Sequence[StandingsCell]

    @property
    def is_long_move(self) -> bool:
        """Whether they moved by so many places that it stands out."""
        return self.row.places_moved >= _LONG_MOVE

    @property
    def is_on_podium(self) -> bool:
        """Whether they are among the first three."""
        place = place_of(self.row.label)
        return place is not None and place <= _PODIUM


@dataclass(frozen=True, slots=True)
class WallSeat:
    """Somebody's seat in the round to come; without a table they sit out."""

    name: WallName
    table: int | None = None
    seat: str = ""


@dataclass(frozen=True, slots=True)
class WallJackpot:
    """The largest jackpot that is played for now: its chips, and the number of its table."""

    chips: int
    table: int


def wall_context(
    event: Event, sheet: StandingsTable | None, rounds: EventRounds, *, is_over: bool
) -> dict[str, Any]:
    """Return the wall: the seating until a hand of the round is told, else the standings.

    Once the night ``is_over`` a field that fits into one column stands beside the podium. Six
    queries at most.
    """
    now = rounds.shown
    seats = [] if now is None or not _shows_seats(event, now) else _seats(now)
    before = {} if seats or is_over or sheet is None else _places_before(event)
    scores = sheet.scores if sheet is not None else []
    shown = _last(scores, _rounds_shown(sheet, in_one=is_over))
    return {
        "seat_screens": list(_screens(seats)),
        "rank_screens": [] if seats else _rank_screens(sheet, before, in_one=is_over),
        "column_titles": [one.title for one in shown],
        "players": 0 if sheet is None else len(sheet.rows),
        "round": now,
        "jackpot": None if now is None or not now.is_playing else _find_jackpot(event, now),
        "hands_played": 0 if now is None else _hands_played(now, event.hands),
        "hands_in_all": 0 if now is None else len(now.tables) * event.hands,
    }


def _find_jackpot(event: Event, now: RoundNow) -> WallJackpot | None:
    """Find the largest pot that nobody won in the last hand of a table (A7.3, A7.4, Q13).

    Where the house rules let the pot stay when nobody is clean, such a pot is no jackpot.
    """
    tables = {
        game.id: table.number for table in now.tables for game in table.games if not game.is_over
    }
    played = Result.objects.filter(played=True)
    last = played.filter(game=OuterRef("game")).order_by("-number").values("number")[:1]
    rows = list(played.filter(game__in=tables, pot__gt=0, number=Subquery(last)))
    won = {row.game_id for row in rows if row.won}
    zero_clean = rules_of(rule_set_of_round(event, now.number)).zero_clean
    if zero_clean is ZeroClean.CARRY_WITH_AUCTION:
        won |= tables.keys() - {row.game_id for row in rows if row.taken == 0}
    pots = [WallJackpot(row.pot, tables[row.game_id]) for row in rows if row.game_id not in won]
    return max(pots, key=lambda one: (one.chips, -one.table), default=None)


def _shows_seats(event: Event, now: RoundNow) -> bool:
    """Whether people look for their seats: the round is drawn, or nobody told a hand of it yet."""
    return now.is_drawn or (now.is_playing and not _hands_played(now, event.hands))


def _hands_played(now: RoundNow, most: int) -> int:
    return sum(min(game.hands, most) for table in now.tables for game in table.games)


def _seats(now: RoundNow) -> list[WallSeat]:
    seated = [(seat.name, table.number, seat.seat) for table in now.tables for seat in table.seats]
    out = [(one.name, None, "") for one in now.sits_out]
    seats = sorted([*seated, *out], key=lambda one: fold_name(one[0]))
    names = split_names([name for name, *_seat in seats])
    return [WallSeat(names[name], table, seat) for name, table, seat in seats]


def split_names(names: Iterable[str]) -> dict[str, WallName]:
    """Split names that begin alike before what tells them apart.

    >>> split_names(["Ann Lee", "Johanna Meyer", "Johanna Mertens (7)"])["Johanna Meyer"]
    WallName(start='Johanna ', end='Meyer')
    """
    ordered = sorted(set(names))
    alike = [_common_start(one, other) for one, other in pairwise(ordered)]
    found = {}
    for name, before, after in zip(ordered, [0, *alike], [*alike, 0], strict=True):
        number = _NUMBER.search(name)
        differs = max(before, after)
        end = len(name) if number is None else number.start()
        if differs >= _BEGINS_ALIKE:
            starts = (word.start() for word in _WORD.finditer(name))
            last_word = max((start for start in starts if start <= differs), default=0)
            end = min(end, max(last_word, differs - _SHOWN_BEFORE))
        found[name] = WallName(name[:end], name[end:])
    return found


def _common_start(one: str, other: str) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    shorter = min(len(one), len(other))
    return next((place for place, (mine, theirs) in pairs if mine != theirs), shorter)


def _rank_screens(
    sheet: StandingsTable | None, before: Mapping[str, int], *, in_one: bool = False
) -> list[WallScreen[WallRow]]:
    """The table, each division on screens of its own; ``before`` are earlier places by entry.

    ``in_one``: in one column, if it holds all of them.
    """
    if sheet is None:
        return []
    names = split_names(row.name for row in sheet.rows)
    most = _rounds_shown(sheet, in_one=in_one)
    return [
        screen
        for division in sheet.divisions
        for screen in _screens(
            [_wall_row(row, names[row.name], before.get(row.entry), most) for row in division.rows],
            division.name,
            in_one=in_one,
        )
    ]


def _rounds_shown(sheet: StandingsTable | None, *, in_one: bool = False) -> int:
    """The number of rounds or nights in each row: those for which whole names leave room."""
    divisions = [one for one in sheet.divisions if one.rows] if sheet is not None else []
    has_one = all(_is_one_column(len(one.rows), in_one=in_one) for one in divisions)
    most = _ROUNDS_IN_ONE if has_one else _ROUNDS_IN_TWO
    # The podium stands beside a table ``in_one`` column.
    width = _WIDTH_IN_ONE if has_one and not in_one else _WIDTH_IN_TWO
    for division in divisions:
        height = next(_screens(division.rows, in_one=in_one)).rows
        letter = min(1.5, 0.68 * min(2.8, 28 / height)) * _WIDTH_OF_LETTER
        longest = min(max(len(row.name) for row in division.rows), _LONG_NAME)
        most = min(most, int((width - _WIDTH_OF_REST - longest * letter) / _WIDTH_OF_SCORE))
    return max(most, 0)


def _last(columns: Sequence[T], most: int) -> Sequence[T]:
    return columns[max(len(columns) - most, 0) :]


def _is_one_column(rows: int, *, in_one: bool) -> bool:
    return rows <= (ROWS_MAX if in_one else _IN_ONE_COLUMN)


def _wall_row(one: StandingsRow, name: WallName, before: int | None, most: int) -> WallRow:
    after = place_of(one.label)
    if before is not None and after is not None:
        one = replace(one, moved=before - after)
    return WallRow(one, name, _last(one.scores, most))


def _places_before(event: Event) -> dict[str, int]:
    """The places by entry as they stood when the last round began.

    None in the first round, and where that version is no longer kept.
    """
    begun = Round.objects.filter(event=event, number__gt=1).exclude(stage=Stage.DRAWN)
    last = begun.order_by("-number").first()
    if last is None or last.started_at is None:
        return {}
    standings = find_as_of(Scope.EVENT, event.pk, last.started_at)
    if standings is None or standings.thinned is not None:
        return {}
    places = {row["entry"]: place_of(row["label"]) for row in standings.rows}
    return {entry: place for entry, place in places.items() if place is not None}


def _screens(
    rows: Sequence[T], title: str = "", *, in_one: bool = False
) -> Iterator[WallScreen[T]]:
    """Rows in columns, and columns in screens, all as even as they can be."""
    if not rows:
        return
    screens = -(-len(rows) // (ROWS_MAX * COLUMNS))
    columns_in_all = 1 if _is_one_column(len(rows), in_one=in_one) else screens * COLUMNS
    height = max(_ROWS_LEAST, -(-len(rows) // columns_in_all))
    columns = [rows[start : start + height] for start in range(0, len(rows), height)]
    for start in range(0, len(columns), COLUMNS):
        yield WallScreen(columns[start : start + COLUMNS], height, title)


def league_wall_context(sheet: StandingsTable | None) -> dict[str, Any]:
    """Return the wall of a season: its table, each division on screens of its own."""
    sessions = [] if sheet is None else sheet.sessions or []
    shown = _last(sessions, _rounds_shown(sheet))
    return {
        "seat_screens": [],
        "rank_screens": _rank_screens(sheet, {}),
        "column_titles": [f"{session.day.day}.{session.day.month}." for session in shown],
        "players": 0 if sheet is None else len(sheet.rows),
        "nights": 0 if sheet is None else len(sessions) + sheet.left_out,
    }
