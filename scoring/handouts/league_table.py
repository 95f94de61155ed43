"""The table of a season, to be hung up: nights as columns, divisions with who goes up and down."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import Final

from django.utils.translation import gettext as _

from scoring.handouts.properties import SheetOrder, describe_sheet, find_published
from tournaments.core.time_zones import day_and_year
from tournaments.events import leagues
from tournaments.models import League, Scope
from tournaments.printing.paper_sheets import PaperSheet, RowGroup, print_sheets
from tournaments.publishing.versions import Standings
from tournaments.reports.event_standings import rank_of
from tournaments.reports.league_standings import (
    last_above_line,
    league_columns,
    nights_of,
    shorten_titles,
    summarize_season,
)
from tournaments.standings.rows import RowData
from tournaments.tables.model import Column, ColumnKind, Detail, DroppedCell, Table, TableLocale
from tournaments.tables.page_frame import Note
from tournaments.tables.paper_rows import table_texts
from tournaments.web.season import marks_of
from tournaments.web.standings import names_in

_ARROWS: Final = ("\N{BLACK UP-POINTING TRIANGLE}", "\N{BLACK DOWN-POINTING TRIANGLE}")


def print_league_table(league: League, order: SheetOrder) -> bytes:
    """Print the table of a season. Raises RefusedError where nothing was published yet."""
    published = find_published(Scope.LEAGUE, league)
    about = describe_sheet(league, order, published)
    season = leagues.season_of(league)
    names = names_in(published, league.club, in_full=order.in_full)
    nights = nights_of(published, by_game=season.by_game)
    if nights:
        first, last = (day_and_year(str(nights[place].day)) for place in (0, -1))
        dates = (
            first if first == last else _("%(first)s to %(last)s") % {"first": first, "last": last}
        )
        about = replace(about, details=(Detail("date", "", dates), *about.details))
    numbers = league_columns(shorten_titles(nights), published.rows)
    columns: tuple[Column[RowData], ...] = (
        Column(key="rank", title="", kind=ColumnKind.RANK, value=rank_of),
        Column(key="moved", title="", value=_move),
        Column(key="name", title=_("Name"), value=partial(_name, names=names)),
        *numbers.scores,
        *numbers.parts,
        numbers.total[0],
    )
    rising, falling = _crossing(league, published)
    groups = [
        _group(name, list(rows), columns, about.locale, (rising, falling), season.promoted)
        for name, rows in groupby(published.rows, key=itemgetter("division"))
    ]
    counted = summarize_season(season, published.data, on_paper=True)
    notes = [
        Note(_("How it is counted"), (" ".join(counted),)),
        Note(_("How to read it"), tuple(_legend(published.rows, numbers.scores, groups))),
    ]
    sheet = PaperSheet(
        columns=columns,
        groups=groups,
        notes=[note for note in notes if note.lines],
        kept=3,
        is_across=True,
    )
    return print_sheets(about, [sheet], order.paper)


def _name(row: RowData, *, names: Mapping[str, str]) -> str:
    marks = ", ".join(marks_of(row))
    name = names.get(row["entry"], "")
    return f"{name} ({marks})" if marks else name


def _move(row: RowData) -> str:
    """By how many places somebody went up or down with the last night."""
    places = row["delta"] or 0
    return f"{_ARROWS[places < 0]}{abs(places)}" if places else ""


def _crossing(league: League, standings: Standings) -> tuple[frozenset[str], frozenset[str]]:
    """Return those who go up and down as the latest table stands; nobody in an older one."""
    if standings.version != standings.latest:
        return frozenset(), frozenset()
    boundaries = leagues.promotions(league_id=league.pk)
    return (
        frozenset(entry for boundary in boundaries for entry in boundary.up),
        frozenset(entry for boundary in boundaries for entry in boundary.down),
    )


def _group(
    name: str,
    rows: Sequence[RowData],
    columns: tuple[Column[RowData], ...],
    locale: TableLocale,
    crossing: tuple[frozenset[str], frozenset[str]],
    promoted: int,
) -> RowGroup:
    """A division, with a line below those who go up and one above those who go down."""
    up, down = crossing
    last = last_above_line(rows, promoted)
    rising = sum(row["entry"] in up for row in rows) if last is None else rows.index(last) + 1
    falling = [place for place, row in enumerate(rows) if row["entry"] in down]
    return RowGroup(
        _("Division %(name)s") % {"name": name} if name else "",
        table_texts(Table("", columns, rows), locale),
        frozenset({rising, *falling[:1]} - {0}),
    )


def _legend(
    rows: Sequence[RowData], nights: Sequence[Column[RowData]], groups: Sequence[RowGroup]
) -> Iterator[str]:
    if any(isinstance(night.value(row), DroppedCell) for night in nights for row in rows):
        yield _("What is struck through does not count.")
    if any(row["delta"] for row in rows):
        yield _("Arrows: places gained or lost with the last night.")
    if any(group.lines for group in groups):
        yield _("Lines: who is above or below them moves up or down.")
