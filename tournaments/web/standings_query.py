"""Query parameters of pages with standings: version, moment and opened rows; a page at a time."""

import re
from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qsl
from uuid import UUID

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, QueryDict
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from tournaments.access.visibility import tells_of_hidden
from tournaments.models import Scope
from tournaments.publishing import official, versions
from tournaments.publishing.versions import Standings
from tournaments.standings.rows import RowData
from tournaments.web.viewer import Viewer

OPEN_MAX: Final = 50
"""So many rows can be open at once."""
COLUMNS_MAX: Final = 40
"""So many columns can be chosen at once, which are more than there are."""
_KEY: Final = re.compile("[a-z][a-z0-9_]{0,30}")
_DIGITS: Final = 9
PROJECTOR: Final = "projector"
ALL: Final = "all"
NONE: Final = "none"
_CHOICES: Final = {
    "view": frozenset({PROJECTOR}),
    "nights": frozenset({ALL, NONE}),
}
"""What these parameters can say; anything else is as if they said nothing."""
_PATIENCE: Final = timedelta(seconds=5)
"""Only then a page says that something is missing: as a rule the next version is there sooner."""
ROWS_SHOWN: Final = 50
"""So many rows are on a page: more than most clubs have members, few enough to be sent at once."""


@dataclass(frozen=True, slots=True)
class StandingsQuery:
    """``version`` or ``at`` choose older standings; ``opened`` rows show what they are made of.

    ``page`` is a page of a long table; without it, the one with the first row that is opened.
    ``nights`` chooses those with a column: all of them or none, or what suits most readers;
    ``columns`` are the keys of more columns, or `ALL`.
    """

    version: int | None = None
    at: datetime | None = None
    since: int | None = None
    opened: tuple[str, ...] = ()
    round: int | None = None
    view: str = ""
    page: int | None = None
    nights: str = ""
    columns: tuple[str, ...] = ()

    @property
    def is_past(self) -> bool:
        """Whether something other than the latest is looked at: that does not change any more."""
        return self.version is not None or self.at is not None

    def query(self) -> str:
        """The address after its question mark, in one order."""
        said = QueryDict(mutable=True)
        pairs: Mapping[str, object] = {
            "view": self.view,
            "version": self.version,
            "at": "" if self.at is None else self.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%MZ"),
            "since": self.since,
            "round": self.round,
            "page": self.page,
            "nights": self.nights,
        }
        for name, value in pairs.items():
            if value:
                said[name] = str(value)
        said.setlist("columns", list(self.columns))
        said.setlist("open", list(self.opened))
        return said.urlencode()

    def has_column(self, key: str) -> bool:
        """Whether the reader chose a column that is not shown to everybody."""
        return key in self.columns or ALL in self.columns

    def toggle_query(self, *names: str) -> str:
        """The query that opens a row, or closes it where it is open under any of these names."""
        rest = tuple(one for one in self.opened if one not in names)
        is_open = len(rest) < len(self.opened)
        return replace(self, opened=rest if is_open else (*rest, names[0])).query()

    def page_query(self, number: int) -> str:
        """The query of another page of the same table, with no row open."""
        return replace(self, page=number, opened=()).query()

    def fields_beside(self, *chosen: str) -> list[tuple[str, str]]:
        """Names and values of a form that changes nothing but what is ``chosen`` in it."""
        return [pair for pair in parse_qsl(self.query()) if pair[0] not in chosen]


def parse_standings_query(request: HttpRequest) -> StandingsQuery:
    """Read an address. Raises Http404 for what no page of ours links to."""
    said = request.GET
    return StandingsQuery(
        version=_number(said.get("version", "")),
        at=_moment(said.get("at", "")),
        since=_number(said.get("since", "")),
        opened=tuple(dict.fromkeys(map(_id, said.getlist("open")[:OPEN_MAX]))),
        round=_number(said.get("round", "")),
        page=_number(said.get("page", "")),
        columns=tuple(filter(_KEY.fullmatch, said.getlist("columns")[:COLUMNS_MAX])),
        **{name: _choice(said.get(name, ""), known) for name, known in _CHOICES.items()},
    )


def standings_for(wanted: StandingsQuery, scope: Scope, subject: UUID, viewer: Viewer) -> Standings:
    """The standings that an address asks for; empty ones of a moment before there were any.

    Of what is no longer kept, the last ones before it that are. Raises Http404 for a version that
    never was, and for one that the viewer may not know of.
    """
    standings = _without_haste(_standings(wanted, scope, subject))
    since = wanted.since and versions.find_last_kept(standings.row, wanted.since)
    told = (standings.version, since)
    if not viewer.sees_hidden and tells_of_hidden(standings.row, told):
        raise Http404
    return standings


def _without_haste(standings: Standings) -> Standings:
    """Return the state, not called behind for what was entered a moment ago."""
    since = standings.behind_since
    if since is None or timezone.now() - since > _PATIENCE:
        return standings
    return replace(standings, behind_since=None)


def _standings(wanted: StandingsQuery, scope: Scope, subject: UUID) -> Standings:
    if wanted.version is not None:
        standings = versions.find_version_or_before(scope, subject, wanted.version)
        if standings is None:
            raise Http404
        return standings
    if wanted.at is not None:
        then = official.find_as_of(scope, subject, wanted.at)
        return then or replace(versions.find_latest(scope, subject), snapshot=None)
    return official.find_current(scope, subject)


def _choice(text: str, known: AbstractSet[str]) -> str:
    return text if text in known else ""


def _number(text: str) -> int | None:
    if not text:
        return None
    if not (text.isascii() and text.isdigit()) or len(text) > _DIGITS or not int(text):
        raise Http404
    return int(text)


def _moment(text: str) -> datetime | None:
    if not text:
        return None
    try:
        moment = parse_datetime(text)
        if moment is None:
            raise Http404
        # What is typed is read by the club's clock; of an hour that comes twice, the first.
        clock = moment.tzinfo or timezone.get_current_timezone()
        return moment.replace(tzinfo=clock).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Http404 from error


def _id(text: str) -> str:
    try:
        return str(UUID(text))
    except ValueError as error:
        raise Http404 from error


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
    page = pages.get_page(wanted.page or next(at, 0) // ROWS_SHOWN + 1)
    if pages.num_pages == 1:
        return TablePage(rows, [])
    shown = [pages.page(number) for number in pages.page_range]
    return TablePage(
        list(page.object_list),
        [
            PageLink(
                f"{one.start_index()}\N{EN DASH}{one.end_index()}",
                wanted.page_query(one.number),
                one.number == page.number,
            )
            for one in shown
        ],
    )
