"""Long tables a page at a time, so that a page is bounded however many people play."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from django.core.paginator import Paginator

from tournaments.standings.rows import RowData
from tournaments.web.standings_query import PROJECTOR, StandingsQuery

ROWS_SHOWN: Final = 50
"""So many rows are on a page: more than most clubs have members, few enough to be sent at once."""


class PageLink(NamedTuple):
    """A page of a table by its first and last row, and the query that leads to it."""

    label: str
    query: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class TablePage:
    """The rows on a page, and the links to all pages; none where there is only one."""

    rows: Sequence[RowData]
    links: list[PageLink]


def page_of(rows: Sequence[RowData], wanted: StandingsQuery, opened: Collection[Any]) -> TablePage:
    """The page that is wanted, or else the first one with an ``opened`` entry, or the first.

    A screen on a wall has all rows: it turns its pages by itself.
    """
    if wanted.view == PROJECTOR:
        return TablePage(rows, [])
    pages = Paginator(rows, ROWS_SHOWN)
    at = (place for place, row in enumerate(rows) if row["entry"] in opened)
    found = pages.get_page(wanted.page or next(at, 0) // ROWS_SHOWN + 1)
    if pages.num_pages == 1:
        return TablePage(rows, [])
    shown = [pages.page(number) for number in pages.page_range]
    return TablePage(
        list(found.object_list),
        [
            PageLink(
                f"{one.start_index()}\N{EN DASH}{one.end_index()}",
                wanted.page_query(one.number),
                one.number == found.number,
            )
            for one in shown
        ],
    )
