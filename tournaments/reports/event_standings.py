"""The standings of an event as a table: the scores round by round, and the total.

Where a total is a sum, a row adds up: rounds, adjustments and handicap are the total.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final
from uuid import UUID

from django.utils.translation import gettext as _

from tournaments.core.language import translate
from tournaments.people.display_names import distinct_names
from tournaments.publishing.versions import Standings
from tournaments.reports.labels import KINDS, UNITS, heading_for, label_for, unit_at_tables
from tournaments.reports.people import NamedPlayer, named_players
from tournaments.reports.score_columns import (
    AT_TABLES,
    Score,
    StandingsColumns,
    score_column,
    tie_break_columns,
    to_score,
    total_columns,
)
from tournaments.standings.rows import RowData, total_of
from tournaments.standings.scoring import ScoringRules
from tournaments.tables.model import Column, ColumnKind, RankCell, Table

_RANKED: Final = "ranked"
_RECORDED: Final = "recorded"


def event_columns(data: Mapping[str, Any]) -> StandingsColumns:
    """The columns of published standings; those in which there is nothing are left out."""
    rows: Sequence[RowData] = data["rows"]
    numbers = sorted({int(number) for row in rows for number in row["rounds"]})
    rounds = [
        score_column(
            f"round_{number}",
            _("R%(n)d") % {"n": number},
            _round_score(number),
            rows,
            description=_("Round %(n)d") % {"n": number},
        )
        for number in numbers
    ]
    has_recorded = any(_recorded(row) is not None for row in rows)
    if not numbers and has_recorded and any(map(_adjustment, rows)):
        rounds.append(score_column("recorded", _("On record"), _recorded, rows))
    parts = [
        score_column(key, title, value, rows, description=meaning)
        for key, value in (("adjustments", _adjustment), ("handicap", _handicap))
        for title, meaning in [heading_for(key)]
        if any(map(value, rows))
    ]
    return StandingsColumns(
        scores=tuple(rounds),
        about=(),
        parts=tuple(parts),
        total=tuple(total_columns(label_for(UNITS, data["unit"]), rows)),
        others=tuple(_other_columns(data)),
    )


def column_beside_total(
    columns: StandingsColumns, data: Mapping[str, Any]
) -> Column[RowData] | None:
    """The chips or penalty points of a night; None where the total counts them, or none are told.

    Chips and penalty points of one night are not added (DEC-16).
    """
    unit = unit_at_tables(data)
    found = next((column for column in columns.others if column.key == AT_TABLES), None)
    return replace(found, title=label_for(UNITS, unit)) if found and unit != data["unit"] else None


def summarize_scoring(
    scoring: ScoringRules, data: Mapping[str, Any], *, on_paper: bool = False
) -> list[str]:
    """Say how published standings are counted, with the points of the tables that were played.

    ``on_paper`` special cases with other rules than usual are told as well. Results that were
    written down without hands are not counted: nothing is said of them.
    """
    if "results_only" in data:
        return []
    sizes = {len(game["seats"]) for game in data.get("games", ())}
    special = scoring.special_cases(is_usual_left_out=True) if on_paper else []
    return list(map(translate, [*scoring.summarize(sizes), *special]))


def _other_columns(data: Mapping[str, Any]) -> Iterator[Column[RowData]]:
    """Tie-breaks and counts; no games where nobody wrote down how many there were."""
    rows: Sequence[RowData] = data["rows"]
    is_unknown = "results_only" in data and all(row["columns"]["games"] in (0, 1) for row in rows)
    for column in tie_break_columns(rows):
        if not (is_unknown and column.key in ("games", "average")):
            yield column


def _round_score(number: int) -> Callable[[RowData], Score]:
    return lambda row: to_score(row["rounds"].get(str(number)))


def _recorded(row: RowData) -> Score:
    values = [
        contribution.get("value")
        for contribution in row["contributions"]
        if contribution["status"] == _RECORDED
    ]
    return to_score(values[0]) if values else None


def _adjustment(row: RowData) -> Score:
    """Penalties and bonuses in the total; those that moved places are in the score of a round."""
    return to_score(row["columns"]["adjustments"]) or None


def _handicap(row: RowData) -> Score:
    """Return the part of the handicap in the total, negative where the lowest is best."""
    total, scratch = total_of(row), to_score(row["columns"]["scratch"])
    return None if total is None or scratch is None else (total - scratch) or None


def event_standings(standings: Standings, *, in_full: bool = True) -> Table[RowData]:
    """The standings of an event as they were published.

    Unless ``in_full`` people are called as strangers may see them, and have no member numbers.
    """
    return Table(
        _("Standings"),
        (
            *ranked_columns(standings, in_full=in_full),
            *event_columns(standings.data),
            entry_column(),
            player_id_column(standings.players),
        ),
        standings.rows,
    )


def ranked_columns(standings: Standings, *, in_full: bool) -> list[Column[RowData]]:
    """Rank, name and what else is said of somebody: the first columns of any standings."""
    club, rows = standings.row.club, standings.rows
    players = {row["entry"]: UUID(standings.players[row["entry"]]) for row in rows}
    columns: list[Column[RowData]] = [
        Column(key="rank", title=_("Rank"), kind=ColumnKind.RANK, value=rank_of)
    ]
    if in_full:
        known = named_players(club)
        nobody = NamedPlayer("", 0)
        columns += [
            Column(
                key="name",
                title=_("Name"),
                value=lambda row: known.get(players[row["entry"]], nobody).name,
            ),
            Column(
                key="number",
                title=_("Member no."),
                kind=ColumnKind.INTEGER,
                value=lambda row: known.get(players[row["entry"]], nobody).number or None,
            ),
        ]
    else:
        names = distinct_names(club, list(players.values()), in_full=False)
        columns.append(
            Column(
                key="name",
                title=_("Name"),
                value=lambda row: names.get(str(players[row["entry"]]), ""),
            )
        )
    if any(row.get("team") for row in rows):
        columns.append(Column(key="team", title=_("Team"), value=lambda row: row["team"] or ""))
    if any(row.get("division") for row in rows):
        columns.append(
            Column(key="division", title=_("Division"), value=lambda row: row["division"] or "")
        )
    if any(map(_remark, rows)):
        columns.append(Column(key="remark", title=_("Remark"), value=_remark))
    return columns


def rank_of(row: RowData) -> RankCell | None:
    """The place of a row; None where there is none."""
    place = row["rank_from"]
    return None if place is None else RankCell(place, shared=row["tied"] > 1)


def _remark(row: RowData) -> str:
    """Why somebody has no rank."""
    return "" if row["kind"] == _RANKED else label_for(KINDS, row["kind"])


def entry_column() -> Column[RowData]:
    """The id of the entry, for programs."""
    return Column(key="entry_id", title="entry_id", value=lambda row: row["entry"], is_id=True)


def player_id_column(players: Mapping[str, str]) -> Column[RowData]:
    """The id of the player, for programs."""
    return Column(
        key="player_id", title="player_id", value=lambda row: players[row["entry"]], is_id=True
    )
