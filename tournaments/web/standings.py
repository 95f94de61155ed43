"""Standings of an event as a page shows them: rows that open down to the games."""

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from tournaments.models import Club
from tournaments.people.display_names import distinct_names
from tournaments.publishing import versions
from tournaments.publishing.versions import Standings
from tournaments.reports.event_standings import event_columns
from tournaments.reports.labels import COUNTED, KINDS, label_for
from tournaments.reports.score_columns import StandingsColumns
from tournaments.standings.rows import RowData
from tournaments.tables.model import Column, TableLocale
from tournaments.web import number_format
from tournaments.web.number_format import format_exact, format_number, reader_locale
from tournaments.web.standings_query import NONE, PageLink, StandingsQuery, page_of
from tournaments.web.tie_break_reasons import Reason, reason

_PLACES_SHOWN: Final = 4


@dataclass(frozen=True, slots=True)
class StandingsCell:
    """A number; ``exact`` where the one shown is rounded."""

    text: str
    exact: str = ""


@dataclass(frozen=True, slots=True)
class ScorePart:
    """A part of a total: a game, or a board of one, and what it brought.

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

    ``parts`` are in the total beside rounds or nights, ``cells`` are tie-breaks and counts.
    ``is_shown``: it shows what it is made of, with the ``reason`` for its place; ``toggle`` is the
    query of the other way.
    """

    entry: str
    player: str
    name: str
    label: str
    tied: int
    total: StandingsCell
    cells: list[StandingsCell]
    marks: list[str]
    parts: list[StandingsCell]
    is_open: bool
    reason: Reason | None
    is_shown: bool
    toggle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow(RankedRow):
    """A row of an event. ``heading`` begins a new group of rows."""

    rounds: list[StandingsCell]
    heading: str
    scores: list[ScorePart]
    given: list[AdjustmentRow]


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The table of an event, or the page of it that is looked at.

    ``parts`` are what is in the total beside the rounds, ``columns`` tie-breaks and counts.
    """

    rows: list[StandingsRow]
    pages: list[PageLink]
    columns: Sequence[Column[RowData]]
    parts: Sequence[Column[RowData]]
    rounds: Sequence[Column[RowData]]
    unit: str
    open_mark: str
    width: int
    disputes: int


def names_in(found: Standings, club: Club, *, in_full: bool) -> Mapping[str, str]:
    """The names of everybody in standings, by entry. Two queries."""
    ids = sorted({UUID(player) for player in found.players.values()})
    known = distinct_names(club, ids, in_full=in_full)
    return {entry: known.get(player, "") for entry, player in found.players.items()}


def build_standings_table(
    found: Standings, names: Mapping[str, str], wanted: StandingsQuery, *, in_full: bool
) -> StandingsTable | None:
    """The rows with their columns; None before anything was computed. A query for reasons."""
    data = found.data
    if not data:
        return None
    opened = {
        entry
        for entry, player in found.players.items()
        if not {entry, player}.isdisjoint(wanted.opened)
    }
    page = page_of(found.rows, wanted, opened)
    columns = event_columns({**data, "rows": page.rows})
    if wanted.columns == NONE:
        columns = replace(columns, others=())
    games = {game["game"]: game for game in data["games"]}
    reasons = versions.reasons_of(found) if in_full and opened else {}
    entries = data["entries"]
    made = _Maker(columns, found.players, names, games, reasons, wanted, opened, reader_locale())
    lines = []
    before = "ranked"
    for row in page.rows:
        heading = label_for(KINDS, row["kind"]) if row["kind"] != before else ""
        before = row["kind"]
        is_open = bool(entries.get(row["entry"], {}).get("open"))
        lines.append(made.line(row, heading, is_open=is_open))
    return StandingsTable(
        rows=lines,
        pages=page.links,
        columns=columns.tie_breaks,
        parts=columns.parts,
        rounds=columns.scores,
        unit=columns.total[0].title,
        open_mark=_("open dispute"),
        width=3 + len(columns.scores) + len(columns.parts) + len(columns.tie_breaks),
        disputes=sum(1 for game in data["games"] if game["open"]),
    )


@dataclass(frozen=True, slots=True)
class _Maker:
    columns: StandingsColumns
    players: Mapping[str, str]
    names: Mapping[str, str]
    games: Mapping[str, Mapping[str, Any]]
    reasons: Mapping[str, str]
    wanted: StandingsQuery
    opened: AbstractSet[str]
    locale: TableLocale

    def line(self, row: RowData, heading: str, *, is_open: bool) -> StandingsRow:
        entry = row["entry"]
        player = self.players[entry]
        is_shown = entry in self.opened
        return StandingsRow(
            entry=entry,
            player=player,
            name=self.names[entry],
            label=row["label"],
            tied=row["tied"],
            total=show_cell(self.columns.total[0], row, self.locale),
            rounds=self._cells(self.columns.scores, row),
            parts=self._cells(self.columns.parts, row),
            cells=self._cells(self.columns.tie_breaks, row),
            marks=list(_marks(row)),
            is_open=is_open,
            reason=reason(row["decided"], self.names) if is_shown else None,
            heading=heading,
            is_shown=is_shown,
            toggle=self.wanted.toggle_query(entry, player),
            scores=[self._part(one, entry) for one in row["contributions"]] if is_shown else [],
            given=[self._given(one) for one in row["adjustments"]] if is_shown else [],
        )

    def _cells(self, columns: Sequence[Column[RowData]], row: RowData) -> list[StandingsCell]:
        return [show_cell(column, row, self.locale) for column in columns]

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


def show_cell(column: Column[RowData], row: RowData, locale: TableLocale) -> StandingsCell:
    """The cell of a column in a row."""
    value = column.value(row)
    return StandingsCell(
        number_format.format_cell(column, value, locale),
        number_format.format_exact_cell(column, value),
    )


def format_cell(value: Any) -> StandingsCell:
    """A number of the standings; of a long countback only the beginning."""
    if isinstance(value, list) and len(value) > _PLACES_SHOWN:
        return StandingsCell(f"{format_number(value[:_PLACES_SHOWN])}…", format_number(value))
    return StandingsCell(format_number(value), format_exact(value))


def _marks(row: RowData) -> Iterator[str]:
    if team := row.get("team"):
        yield team
    if row["withdrawn"]:
        yield _("withdrawn")
    if row["needs"]:
        yield _("%(n)d more") % {"n": row["needs"]}
    if row["adjustments"]:
        yield _("adjusted")
