"""Standings of an event as a page shows them: rows that open down to the games."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from tournaments.models import Club
from tournaments.people.display_names import distinct_names
from tournaments.publishing import versions
from tournaments.publishing.versions import Standings
from tournaments.reports.labels import COLUMNS, COUNTED, KINDS, MEANINGS, UNITS, label_for
from tournaments.web.number_format import format_exact, format_number
from tournaments.web.standings_query import StandingsQuery
from tournaments.web.tie_break_reasons import Reason, reason

_SCRATCH: Final = "scratch"
_PLACES_SHOWN: Final = 4


@dataclass(frozen=True, slots=True)
class StandingsColumn:
    """A column beside the total."""

    key: str
    title: str
    meaning: str


@dataclass(frozen=True, slots=True)
class StandingsCell:
    """A number; ``exact`` where the one shown is rounded."""

    text: str
    exact: str = ""


@dataclass(frozen=True, slots=True)
class ScorePart:
    """What a total is made of: a game, or a board of one, and what it brought.

    ``reason`` of a decision of the director is for members.
    """

    round: int
    table: int | None
    game: str | None
    board: int | None
    hands: int
    place: str
    score: str
    value: StandingsCell
    why: str
    reason: str
    is_open: bool


@dataclass(frozen=True, slots=True)
class AdjustmentRow:
    """A penalty or a bonus; its reason is for members."""

    amount: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedRow:
    """A row of the standings of an event or of a season. ``is_open``: a dispute touches it.

    ``is_shown``: it shows what it is made of; ``toggle`` is the query of the other way.
    """

    entry: str
    player: str
    name: str
    label: str
    tied: int
    total: StandingsCell
    cells: list[StandingsCell]
    marks: list[str]
    is_open: bool
    reason: Reason | None
    is_shown: bool
    toggle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow(RankedRow):
    """A row of an event. ``heading`` begins a new group of rows."""

    rounds: list[StandingsCell]
    heading: str
    parts: list[ScorePart]
    given: list[AdjustmentRow]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The table of an event."""

    rows: list[StandingsRow]
    columns: list[StandingsColumn]
    rounds: list[int]
    unit: str
    open_mark: str
    width: int
    disputes: int


@dataclass(frozen=True, slots=True)
class EntryNames:
    """Whom the rows of an event are of: player and name by entry."""

    players: Mapping[str, str]
    names: Mapping[str, str]


def names_in(found: Standings, club: Club, *, in_full: bool) -> EntryNames:
    """Everybody in them; a substitute without an entry goes by their player's id. Two queries."""
    data = found.data
    players = {entry: one["player"] for entry, one in data.get("entries", {}).items()}
    for row in (*found.rows, *data.get("house", ())):
        players.setdefault(row["entry"], row["entry"])
    ids = sorted({UUID(player) for player in players.values()})
    known = distinct_names(club, ids, in_full=in_full)
    return EntryNames(players, {entry: known.get(player, "") for entry, player in players.items()})


def build_standings_table(
    found: Standings, names: EntryNames, wanted: StandingsQuery, *, in_full: bool
) -> StandingsTable | None:
    """The rows with their columns; None before anything was computed. A query for reasons."""
    data = found.data
    if not data:
        return None
    rows = found.rows
    columns = _columns(rows)
    rounds = sorted({int(number) for row in rows for number in row["rounds"]})
    games = {game["game"]: game for game in data["games"]}
    reasons = versions.reasons_of(found) if in_full else {}
    entries = data["entries"]
    made = _Maker(columns, rounds, names, games, reasons, wanted)
    lines = []
    before = "ranked"
    for row in rows:
        heading = label_for(KINDS, row["kind"]) if row["kind"] != before else ""
        before = row["kind"]
        is_open = bool(entries.get(row["entry"], {}).get("open"))
        lines.append(made.line(row, heading, is_open=is_open))
    return StandingsTable(
        rows=lines,
        columns=columns,
        rounds=rounds,
        unit=label_for(UNITS, data["unit"]),
        open_mark=_("open dispute"),
        width=3 + len(rounds) + len(columns),
        disputes=sum(1 for game in data["games"] if game["open"]),
    )


def _columns(rows: Sequence[Mapping[str, Any]]) -> list[StandingsColumn]:
    """The columns that say something of somebody; scratch only where it is not the total."""
    if not rows:
        return []
    keys = list(dict.fromkeys(key for row in rows for key in row["columns"]))
    if all(row["columns"].get(_SCRATCH, row["total"]) == row["total"] for row in rows):
        keys = [key for key in keys if key != _SCRATCH]
    keys = [key for key in keys if any(_says(row["columns"].get(key)) for row in rows)]
    return columns_of(keys)


def columns_of(keys: Iterable[str]) -> list[StandingsColumn]:
    """Columns beside the total, in the order in which every table has them."""
    order = {key: number for number, key in enumerate(COLUMNS)}
    ordered = sorted(keys, key=lambda key: order.get(key, len(order)))
    return [
        StandingsColumn(key, label_for(COLUMNS, key), label_for(MEANINGS, key)) for key in ordered
    ]


@dataclass(frozen=True, slots=True)
class _Maker:
    columns: Sequence[StandingsColumn]
    rounds: Sequence[int]
    names: EntryNames
    games: Mapping[str, Mapping[str, Any]]
    reasons: Mapping[str, str]
    wanted: StandingsQuery

    def line(self, row: Mapping[str, Any], heading: str, *, is_open: bool) -> StandingsRow:
        entry = row["entry"]
        player = self.names.players[entry]
        is_shown = not {entry, player}.isdisjoint(self.wanted.opened)
        return StandingsRow(
            entry=entry,
            player=player,
            name=self.names.names[entry],
            label=row["label"],
            tied=row["tied"],
            total=format_cell(row["total"]),
            rounds=[format_cell(row["rounds"].get(str(number))) for number in self.rounds],
            cells=[format_cell(row["columns"].get(column.key)) for column in self.columns],
            marks=list(_marks(row)),
            is_open=is_open,
            reason=reason(row["decided"], self.names.names),
            heading=heading,
            is_shown=is_shown,
            toggle=self.wanted.toggle_query(entry, player),
            parts=[self._part(one, entry) for one in row["contributions"]] if is_shown else [],
            given=[self._given(one) for one in row["adjustments"]] if is_shown else [],
        )

    def _part(self, one: Mapping[str, Any], entry: str) -> ScorePart:
        game = self.games.get(one.get("table", ""), {})
        place = one.get("place")
        tied = (one.get("tied") or 1) > 1
        return ScorePart(
            round=one["round"],
            table=game.get("table"),
            game=game.get("game"),
            board=one.get("board"),
            hands=one["hands"],
            place="" if place is None else f"{'=' if tied else ''}{place}",
            score=format_number(one.get("score"), signed=True),
            value=format_cell(one.get("value")),
            why="" if one["status"] == "played" else label_for(COUNTED, one["status"]),
            reason=self._decision(game, entry),
            is_open=bool(game.get("open")),
        )

    def _decision(self, game: Mapping[str, Any], entry: str) -> str:
        """Why the director decided on a seat, where they did."""
        seats = [seat for seat in game.get("seats", ()) if seat["entry"] == entry]
        return self.reasons.get(seats[0].get("decision", ""), "") if seats else ""

    def _given(self, one: Mapping[str, Any]) -> AdjustmentRow:
        return AdjustmentRow(
            format_number(one["amount"], signed=True), self.reasons.get(one["reason"], "")
        )


def _says(value: Any) -> bool:
    return value not in (None, 0, "0", [])


def format_cell(value: Any) -> StandingsCell:
    """A number of the standings; of a long countback only the beginning."""
    if isinstance(value, list) and len(value) > _PLACES_SHOWN:
        return StandingsCell(f"{format_number(value[:_PLACES_SHOWN])}…", format_number(value))
    return StandingsCell(format_number(value), format_exact(value))


def _marks(row: Mapping[str, Any]) -> Iterator[str]:
    if row.get("team"):
        yield row["team"]
    if row["withdrawn"]:
        yield _("withdrawn")
    if row["needs"]:
        yield _("%(n)d more") % {"n": row["needs"]}
    if row["adjustments"]:
        yield _("adjusted")
