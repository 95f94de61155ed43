"""Files: one thing that a club knows, in one format, with its properties; at once or as a job."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from scoring.handouts.properties import SheetOrder
from scoring.models import Hand
from scoring.presentation.files import file_name, find_director, find_locale, page_address
from scoring.selectors import queries
from scoring.transfer.bundling import heads_of, write
from scoring.transfer.exporting.archive import write_archive
from scoring.transfer.exporting.club_records import ArchiveScope, list_not_carried
from scoring.transfer.exporting.kinds import (
    BUNDLE,
    MEDIA_TYPES,
    PHN,
    ExportKind,
    ExportRequest,
    ExportScope,
    check_request,
    find_scope,
)
from scoring.transfer.signatures import Signing
from tournaments import jobs
from tournaments.core.actors import Actor
from tournaments.core.language import translate
from tournaments.core.time_zones import day, local
from tournaments.events.events import scoring_of
from tournaments.events.leagues import season_of
from tournaments.events.round_rules import describe_rules
from tournaments.jobs import JobRequest, Part
from tournaments.models import AuditEntry, Club, Job, JobKind, Player, Result
from tournaments.publishing.official import TableStatus
from tournaments.reports.event_standings import summarize_scoring
from tournaments.reports.league_standings import summarize_season
from tournaments.tables import formats
from tournaments.tables.model import ColumnKind, Detail, Properties, Table, Value, Workbook

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


def describe_file(
    kind: ExportKind, scope: ExportScope, *, site: str, digest: str, at: datetime
) -> Properties:
    """Return the properties of a file, in the active language."""
    return Properties(
        title=scope.name,
        subject=translate(kind.title),
        author=scope.club.name,
        details=tuple(detail for detail in _details(scope, at) if detail.text),
        status=translate(scope.status.sentence(scope.club.time_zone)) if scope.status else "",
        status_since=_status_since(scope.status),
        made_at=local(at, scope.club.time_zone),
        address=page_address(scope.event or scope.league or scope.club, site),
        digest=digest,
        locale=find_locale(),
    )


def _status_since(status: TableStatus | None) -> datetime | None:
    return None if status is None else status.amended_at or status.since


def name_file(wanted: ExportRequest, scope: ExportScope, extension: str, at: datetime) -> str:
    """The name of a file, with the day of its event, or else that on which it is made."""
    moment = at if scope.event is None else scope.event.starts_at
    subject = scope.event or scope.league or scope.club
    begun = day(moment, scope.club.time_zone)
    return file_name(subject, begun, wanted.what, extension, scope.status)


def _details(scope: ExportScope, at: datetime) -> Iterator[Detail]:
    clock = scope.club.time_zone
    published = scope.standings.data if scope.standings is not None else {}
    if scope.event is not None:
        begins = local(scope.event.starts_at, clock)
        yield Detail("date", _("Date"), date_format(begins, "DATE_FORMAT"), scope.event.starts_at)
        yield Detail("place", _("Place"), scope.event.place)
        yield Detail("rules", _("House rules"), describe_rules(scope.event))
        counted = summarize_scoring(scoring_of(scope.event), published, on_paper=True)
        yield Detail("scoring", _("Scoring"), " ".join(counted))
    if scope.league is not None:
        counted = summarize_season(season_of(scope.league), published, on_paper=True)
        yield Detail("scoring", _("Scoring"), " ".join(counted))
    if scope.standings is not None and scope.standings.snapshot is not None:
        snapshot = scope.standings.snapshot
        yield Detail("version", _("Version"), str(snapshot.version))
        computed_at = snapshot.computed_at
        yield Detail("computed", _("Computed"), _moment(computed_at, clock), computed_at)
        if scope.in_full:
            yield Detail("director", _("Director"), find_director(scope.standings))
    yield Detail("made", _("File made"), _moment(at, clock), at)


def _moment(at: datetime, clock: str) -> str:
    by_the_clock = local(at, clock)
    return f"{date_format(by_the_clock, 'DATE_FORMAT')}, {by_the_clock:%H:%M %Z}"


_PARAMS: Final = ("what", "format", "event", "league", "ids", "site")


def create_job(club: Club, wanted: ExportRequest, *, by: Actor, at: datetime) -> Job:
    """Have a worker make a file, in the language that is active now.

    Raises RefusedError where there is no such file, TooOftenError.
    """
    check_request(wanted)
    find_scope(club, wanted)
    params = {name: value for name in _PARAMS if (value := getattr(wanted, name))}
    params |= {"language": get_language()}
    texts = {name: str(value) for name, value in params.items()}
    request = JobRequest(kind=JobKind.EXPORT, params=texts)
    return jobs.create(club_id=club.pk, request=request, by=by, at=at)


def _request_of(params: Mapping[str, str]) -> ExportRequest:
    return ExportRequest(
        what=params["what"],
        format=params["format"],
        event=UUID(params["event"]) if params.get("event") else None,
        league=UUID(params["league"]) if params.get("league") else None,
        ids="ids" in params,
        site=params.get("site", ""),
    )


def export_part(job: Job, at: datetime) -> Part:
    """Make the whole file; after a kill it is made anew.

    It is another file then: a worker that was thought dead goes on with one that nobody sees.
    """
    job.result_path.unlink(missing_ok=True)
    size, signing = 0, Signing()
    # Rows are made while they are written: the language of whoever asked is that of them, too.
    with (
        override(job.params.get("language", settings.LANGUAGE_CODE)),
        job.result_path.open("wb") as file,
    ):
        made = export(job.club, _request_of(job.params), at)
        for piece in signing.passing(made.pieces):
            size += file.write(piece)
        file.flush()
        os.fsync(file.fileno())
    signature = signing.sign()
    more: dict[str, Any] = {} if signature is None else {"signature": signature.text()}
    if made.notices:
        more["notices"] = list(made.notices)
    return Part(
        done=size,
        total=size,
        outcome={
            "bytes": size,
            "head": made.head,
            "media_type": made.media_type,
            **more,
        },
        file_name=made.name,
    )
