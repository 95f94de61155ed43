"""Files: one thing that a club knows, in one format."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db.models import QuerySet

from scoring.handouts.properties import SheetOrder
from scoring.models import Hand
from scoring.selectors import queries
from scoring.transfer.bundling import heads_of, write
from scoring.transfer.exporting.archive import write_archive
from scoring.transfer.exporting.club_records import ArchiveScope, list_not_carried
from scoring.transfer.exporting.file_properties import describe_file, name_file
from scoring.transfer.exporting.kinds import (
    BUNDLE,
    MEDIA_TYPES,
    PHN,
    ExportRequest,
    check_request,
    find_scope,
)
from tournaments.core.time_zones import local
from tournaments.models import AuditEntry, Club, Player, Result
from tournaments.tables import formats
from tournaments.tables.model import ColumnKind, Table, Value, Workbook

SMALL: Final = 5000
"""How many rows are answered at once; more are a job."""


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file on its way out. ``head`` is that of all trails of the club when it was made.

    ``notices`` say what of the club the file does not carry, where it is to be brought in again.
    """

    name: str
    media_type: str
    pieces: Iterator[bytes]
    head: str
    notices: Sequence[str] = ()


def export(club: Club, wanted: ExportRequest, at: datetime) -> ExportFile:
    """A file in the active language, whose pieces are read from the database while they are taken.

    The language must stay active meanwhile. Raises RefusedError for a file that there is not, and
    NotThereError.
    """
    kind = check_request(wanted)
    scope = find_scope(club, wanted)
    head = heads_of(club.pk).all
    if wanted.format == BUNDLE:
        name = name_file(wanted, scope, BUNDLE, at)
        return ExportFile(name, MEDIA_TYPES[BUNDLE], write(club), head)
    if wanted.format == PHN:
        games = queries.select_games(club, **scope.where)
        told = ArchiveScope.of(club, games, **scope.where)
        name, pieces = name_file(wanted, scope, PHN, at), write_archive(club, games, told)
        return ExportFile(name, MEDIA_TYPES[PHN], pieces, head, list_not_carried(club, told))
    form = formats.FORMATS[wanted.format]
    if wanted.format == "pdf" and kind.printed is not None:
        order = SheetOrder(at=at, site=wanted.site, in_full=wanted.in_full)
        name = name_file(wanted, scope, form.extension, at)
        return ExportFile(name, form.media_type, iter([kind.printed(scope, order)]), head)
    with_ids = wanted.ids or wanted.format == "json"
    tables = [
        _arrange(table, club.time_zone, with_ids=with_ids).drop_empty_columns()
        for table in kind.tables(scope)
    ]
    properties = describe_file(kind, scope, site=wanted.site, digest=head, at=at)
    pieces = form.write(Workbook(tuple(tables), properties))
    return ExportFile(name_file(wanted, scope, form.extension, at), form.media_type, pieces, head)


def _arrange(table: Table[Any], clock: str, *, with_ids: bool) -> Table[Any]:
    """A table with moments as the clock on the club's wall showed them, and ids last or not."""
    columns = [
        replace(column, value=partial(_local_value, column.value, clock))
        if column.kind is ColumnKind.DATETIME
        else column
        for column in table.columns
        if with_ids or not column.is_id
    ]
    return replace(table, columns=tuple(sorted(columns, key=lambda column: column.is_id)))


def _local_value(value: Callable[[Any], Value], clock: str, record: Any) -> Value:
    cell = value(record)
    return local(cell, clock) if isinstance(cell, datetime) else cell


def is_small(club: Club, wanted: ExportRequest) -> bool:
    """Whether a file can be made while somebody waits for it. One query."""
    rows: QuerySet[Any] = Player.objects.filter(club=club)
    most = SMALL
    if wanted.what in ("results", "travellers", "statistics"):
        rows = Result.objects.filter(game__club=club)
    elif wanted.what == "trail":
        rows = AuditEntry.objects.filter(club_id=club.pk)
    elif wanted.what == "hands" and wanted.format == "pdf":
        # Each is judged anew and drawn; an evening is printed at once, a season is not.
        games = queries.select_games(club, event=wanted.event, league=wanted.league)
        rows, most = Hand.objects.filter(game__in=games), SMALL // 10
    elif wanted.what in ("hands", "chips", "money", "balances", "club"):
        rows = Hand.objects.filter(game__club=club)
        most = SMALL if wanted.what == "hands" else SMALL // 8
    return not rows.order_by()[most : most + 1]
