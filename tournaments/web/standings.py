"""Standings of events and seasons as a page shows them: rows that open down to the games."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cached_property
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from tournaments.models import Club
from tournaments.people.display_names import distinct_names
from tournaments.publishing import versions
from tournaments.publishing.versions import Standings
from tournaments.reports.certainty import (
    BEST_CHANCE,
    LIKELY_PLACES,
    DivisionCertainty,
    certainty_columns,
    measure_standings,
)
from tournaments.reports.event_standings import column_beside_total, event_columns
from tournaments.reports.labels import COUNTED, KINDS, label_for
from tournaments.reports.score_columns import (
    AT_TABLES,
    StandingsColumns,
    decimal_places,
    to_score,
)
from tournaments.standings.rows import RowData, place_of
from tournaments.standings.season import SeasonRules
from tournaments.statistics import WORTHS_LEAST, Sum
from tournaments.tables.model import Column, ColumnKind, DroppedCell, TableLocale
from tournaments.web import number_format
from tournaments.web.number_format import (
    format_exact,
    format_number,
    format_worth,
    reader_locale,
)
from tournaments.web.standings_query import PageLink, StandingsQuery, page_of
from tournaments.web.tie_break_reasons import Reason, reason

CARDS: Final = "cards"
"""The key of what the cards were worth."""
_PLACES_SHOWN: Final = 4
_SCORES_ON_PHONE: Final = 6
_NIGHTS_ON_PHONE: Final = 4
"""So many rounds, or nights with their dates, fit below a name."""


@dataclass(frozen=True, slots=True)
class StandingsCell:
    """A number; ``exact`` where the one shown is rounded. Struck out unless it ``counts``.

    ``address`` is that of the page of a night; no text: they did not play it. ``beside`` are the
    chips or penalty points of the same round; ``title`` heads its column where a reader chose it.
    """

    text: str
    exact: str = ""
    counts: bool = True
    address: str = ""
    beside: str = ""
    title: str = ""


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
class SessionColumn:
    """An event that counts, with the address of its page."""

    number: int
    event: UUID
    address: str
    name: str
    day: date
    weight: str
    is_held: bool
    is_running: bool
    is_cancelled: bool


@dataclass(frozen=True, slots=True)
class SessionPoints:
    """Somebody's night in full, where the row is open."""

    session: SessionColumn
    points: StandingsCell
    why: str
    rank: str
    handicap: str
    stood: str
    total_then: str


@dataclass(frozen=True, slots=True)
class AmountBeside:
    """A part of a total beside games or nights; the reason of an adjustment is for members."""

    title: str
    amount: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsRow:
    """A row of the standings of an event or of a season. ``is_open``: a dispute touches it.

    ``scores`` are those of rounds or nights, ``parts`` are in the total beside them, ``cells`` are
    tie-breaks and counts, ``at_tables`` the chips or penalty points beside a total of points.
    ``heading`` begins a new group of rows. ``is_shown``: the row shows what its total is made of,
    ``played`` and ``beside``, with the ``reason`` for its place; ``toggle`` is the query of the
    other way.

    Of a season ``moved`` is by how many places somebody went up with the last night, ``curve`` a
    line through their ``places`` after the nights shown, and ``to_line`` how far they are from the
    promotion line, which is drawn below the one who is ``is_last_above_line``.
    """

    entry: str
    player: str
    name: str
    label: str
    tied: int
    total: StandingsCell
    scores: list[StandingsCell]
    parts: list[StandingsCell]
    cells: list[StandingsCell]
    at_tables: str
    marks: list[str]
    is_open: bool
    is_shown: bool
    toggle: str
    reason: Reason | None
    played: Sequence[ScorePart | SessionPoints] = ()
    beside: Sequence[AmountBeside] = ()
    heading: str = ""
    moved: int = 0
    places: str = ""
    curve: str = ""
    to_line: str = ""
    is_last_above_line: bool = False

    @property
    def is_first(self) -> bool:
        """Whether they lead, alone or with others."""
        return place_of(self.label) == 1

    @property
    def curve_end(self) -> str:
        """The last point of their curve twice: a line without length is drawn as a dot."""
        return " ".join(self.curve.split()[-1:] * 2)

    @property
    def places_moved(self) -> int:
        """By how many places they moved, up or down."""
        return abs(self.moved)


@dataclass(frozen=True, slots=True)
class StandingsDivision:
    """The rows of a division; no name where there is only one.

    ``certainty`` says how sure their places are, if the reader asked for it.
    """

    name: str
    rows: list[StandingsRow]
    certainty: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StandingsTable:
    """The table of an event or a season, or the page of it that is looked at.

    ``scores`` are the columns of rounds or nights, ``parts`` what is in the total beside them,
    ``columns`` those of tie-breaks and counts that the reader chose among the ``choices``.
    ``at_tables`` is the unit of the games where the total has another one. Of a season ``sessions``
    are the events of these nights, and ``left_out`` is how many were held and have no column.
    ``has_curves``: places after the nights are drawn; ``has_line``: there is a promotion line.
    """

    divisions: list[StandingsDivision]
    pages: list[PageLink]
    scores: Sequence[Column[RowData]]
    parts: Sequence[Column[RowData]]
    columns: Sequence[Column[RowData]]
    choices: list[tuple[Column[RowData], bool]]
    unit: str
    at_tables: str = ""
    open_mark: str
    disputes: int
    sessions: Sequence[SessionColumn] | None = None
    left_out: int = 0
    has_curves: bool = False
    has_line: bool = False

    @property
    def rows(self) -> list[StandingsRow]:
        """The rows of all divisions."""
        return [row for division in self.divisions for row in division.rows]

    @property
    def width(self) -> int:
        """The number of columns, those of rank, name and total too."""
        numbers = len(self.scores) + len(self.parts) + len(self.columns)
        return 3 + numbers + self.has_curves + self.has_line + bool(self.at_tables)

    @property
    def on_phone(self) -> str:
        """The slice of the scores that stand below a name on a phone: the last ones."""
        return f"-{_SCORES_ON_PHONE if self.sessions is None else _NIGHTS_ON_PHONE}:"


def names_in(standings: Standings, club: Club, *, in_full: bool) -> Mapping[str, str]:
    """The names of everybody in standings, by entry. Two queries."""
    ids = sorted({UUID(player) for player in standings.players.values()})
    known = distinct_names(club, ids, in_full=in_full)
    return {entry: known.get(player, "") for entry, player in standings.players.items()}


@dataclass(frozen=True, kw_only=True)
class RowMaker:
    """Makes the rows of a page of published standings; ``opened`` are entries.

    ``worths`` of the cards, by player, are a column that readers may choose beside the others.
    ``season`` are the rules of those of a league.
    """

    found: Standings
    columns: StandingsColumns
    names: Mapping[str, str]
    wanted: StandingsQuery
    opened: AbstractSet[str]
    at_tables: Column[RowData] | None = None
    worths: Mapping[str, Sum] = field(default_factory=dict)
    season: SeasonRules | None = None
    locale: TableLocale = field(default_factory=reader_locale)

    @cached_property
    def certainty(self) -> list[DivisionCertainty]:
        """The certainty of the places, by division; nothing unless the reader asked for it."""
        is_wanted = any(map(self.wanted.has_column, (LIKELY_PLACES, BEST_CHANCE)))
        return measure_standings(self.found, self.season) if is_wanted else []

    def describe_certainty(self, division: str | None = None) -> str:
        """Say how sure the places of a division are; empty unless the reader asked for it."""
        found = (one.describe(self.names) for one in self.certainty if one.name == division)
        return next(found, "")

    @cached_property
    def choices(self) -> list[tuple[Column[RowData], bool]]:
        """The columns that the reader may have shown, each with whether it is."""
        cards = [self._cards] if self.worths else []
        columns = [*self.columns.optional, *cards, *certainty_columns(self.certainty)]
        return [(one, self.wanted.has_column(one.key)) for one in columns]

    @cached_property
    def _cards(self) -> Column[RowData]:
        """The worth of somebody's cards; standings are never ordered by it."""
        return Column(
            key=CARDS,
            title=_("Cards"),
            description=_(
                "what the cards of the night were worth, where all cards of %(least)s hands or more"
                " are on record; it counts for nothing"
            )
            % {"least": WORTHS_LEAST},
            kind=ColumnKind.DECIMAL,
            decimal_places=1,
            value=lambda row: None if (one := self._worth(row)) is None else Fraction(one.total),
        )

    def _worth(self, row: RowData) -> Sum | None:
        found = self.worths.get(self.found.players[row["entry"]])
        return found if found is not None and found.n >= WORTHS_LEAST else None

    @cached_property
    def chosen(self) -> list[Column[RowData]]:
        """Those of them that are shown."""
        return [column for column, is_shown in self.choices if is_shown]

    def row(self, row: RowData, *, marks: Iterable[str], **more: Any) -> StandingsRow:
        """A row, with what only an event or only a season says of it."""
        entry = row["entry"]
        player = self.found.players[entry]
        is_shown = entry in self.opened
        return StandingsRow(
            entry=entry,
            player=player,
            name=self.names.get(entry, ""),
            label=row["label"],
            tied=row["tied"],
            total=self.cell(self.columns.total[0], row),
            parts=self.cells(self.columns.parts, row),
            cells=[replace(self.cell(one, row), title=one.title) for one in self.chosen],
            at_tables="" if self.at_tables is None else self.margin(row["columns"][AT_TABLES]),
            marks=list(marks),
            is_shown=is_shown,
            toggle=self.wanted.toggle_query(entry, player),
            reason=reason(row["decided"], self.names) if is_shown else None,
            **more,
        )

    def cells(self, columns: Sequence[Column[RowData]], row: RowData) -> list[StandingsCell]:
        """The cells of some columns in a row."""
        return [self.cell(column, row) for column in columns]

    def rounds(self, row: RowData) -> list[StandingsCell]:
        """The scores of the rounds of an event, each with the chips or penalty points beside it."""
        cells = self.cells(self.columns.scores, row)
        sums: defaultdict[str, Fraction] = defaultdict(Fraction)
        for one in row["contributions"] if self.at_tables else ():
            # The line of a board is in that of its game.
            if one.get("score") is not None and "board" not in one:
                sums[f"round_{one['round']}"] += Fraction(one["score"])
        return [
            replace(cell, beside=self.margin(str(sums[column.key]))) if column.key in sums else cell
            for column, cell in zip(self.columns.scores, cells, strict=True)
        ]

    def margin(self, score: object) -> str:
        """Format chips won or lost; penalty points, of which all are above zero, have no sign."""
        return format_number(score, signed=not self.found.data["low"])

    def cell(self, column: Column[RowData], row: RowData) -> StandingsCell:
        """The cell of a column in a row."""
        if column.key == CARDS:
            return self._cards_cell(self._worth(row))
        value = column.value(row)
        return StandingsCell(
            number_format.format_cell(column, value, self.locale),
            number_format.format_exact_cell(column, value),
            counts=not isinstance(value, DroppedCell),
        )

    def _cards_cell(self, worth: Sum | None) -> StandingsCell:
        if worth is None or worth.error is None:
            return StandingsCell(number_format.NOTHING)
        sure = _("%(n)s hands with cards, ± %(error)s") % {
            "n": worth.n,
            "error": format_worth(worth.error * worth.n, signed=False),
        }
        return StandingsCell(format_worth(worth.total), sure)


def entries_opened(standings: Standings, wanted: StandingsQuery) -> frozenset[str]:
    """The entries whose rows an address opens, by themselves or by their players."""
    return frozenset(
        entry
        for entry, player in standings.players.items()
        if not {entry, player}.isdisjoint(wanted.opened)
    )


def build_standings_table(
    standings: Standings,
    names: Mapping[str, str],
    wanted: StandingsQuery,
    *,
    in_full: bool,
    worths: Mapping[str, Sum] | None = None,
) -> StandingsTable | None:
    """The rows with their columns; None before anything was computed. A query for reasons."""
    data = standings.data
    if not data:
        return None
    opened = entries_opened(standings, wanted)
    page = page_of(standings.rows, wanted, opened)
    columns = event_columns({**data, "rows": page.rows})
    at_tables = column_beside_total(columns, data)
    games = {game["game"]: game for game in data["games"]}
    reasons = versions.reasons_of(standings) if in_full and opened else {}
    entries = data["entries"]
    maker = RowMaker(
        found=standings,
        columns=columns,
        names=names,
        wanted=wanted,
        opened=opened,
        at_tables=at_tables,
        worths=worths or {},
    )
    rows = []
    before = "ranked"
    for row in page.rows:
        entry, kind = row["entry"], row["kind"]
        rows.append(
            maker.row(
                row,
                marks=_marks(row),
                is_open=bool(entries.get(entry, {}).get("open")),
                heading=label_for(KINDS, kind) if kind != before else "",
                scores=maker.rounds(row),
                **(_open_row(row, games, reasons) if entry in opened else {}),
            )
        )
        before = kind
    return StandingsTable(
        divisions=[StandingsDivision("", rows, maker.describe_certainty())],
        pages=page.links,
        scores=columns.scores,
        parts=columns.parts,
        columns=maker.chosen,
        choices=maker.choices,
        unit=columns.total[0].title,
        at_tables="" if at_tables is None else at_tables.title,
        open_mark=_("open dispute"),
        disputes=sum(1 for game in data["games"] if game["open"]),
    )


def _open_row(
    row: RowData, games: Mapping[str, Mapping[str, Any]], reasons: Mapping[str, str]
) -> dict[str, Any]:
    """Return the games and adjustments that the total of an opened row is made of."""
    amounts = [one["amount"] for one in row["adjustments"]]
    values = [one.get("value") for one in row["contributions"]]
    places = decimal_places(map(to_score, [*values, *amounts]))
    return {
        "played": [
            _part(contribution, row["entry"], games, reasons, places)
            for contribution in row["contributions"]
        ],
        "beside": [
            AmountBeside(
                _("Adjustment"),
                format_number(adjustment["amount"], signed=True, places=places),
                reasons.get(adjustment["reason"], ""),
            )
            for adjustment in row["adjustments"]
        ],
    }


def _part(
    one: Mapping[str, Any],
    entry: str,
    games: Mapping[str, Mapping[str, Any]],
    reasons: Mapping[str, str],
    places: int,
) -> ScorePart:
    game = games.get(one.get("table", ""), {})
    seats = game.get("seats", ())
    decisions = (seat.get("decision", "") for seat in seats if seat["entry"] == entry)
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
        value=format_cell(one.get("value"), places),
        why="" if one["status"] == "played" else label_for(COUNTED, one["status"]),
        reason=reasons.get(next(decisions, ""), ""),
        is_open=bool(game.get("open")),
    )


def format_cell(value: Any, places: int | None = None) -> StandingsCell:
    """A number of the standings; of a long countback only the beginning. See `format_number`."""
    if isinstance(value, list) and len(value) > _PLACES_SHOWN:
        return StandingsCell(f"{format_number(value[:_PLACES_SHOWN])}…", format_number(value))
    return StandingsCell(format_number(value, places=places), format_exact(value))


def _marks(row: RowData) -> Iterator[str]:
    if team := row.get("team"):
        yield team
    if row["withdrawn"]:
        yield _("withdrawn")
    if row["needs"]:
        yield _("%(n)d more") % {"n": row["needs"]}
    if row["adjustments"]:
        yield _("adjusted")
