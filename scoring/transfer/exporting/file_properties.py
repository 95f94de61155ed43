"""Properties of a file, for its head, its properties and its name."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.formats import date_format
from django.utils.text import slugify
from django.utils.translation import gettext as _

from engine.core.messages import joined_sentences
from scoring.presentation.files import NAME_MAX, file_name, find_director, find_locale, page_address
from scoring.transfer.exporting.kinds import ExportKind, ExportRequest, ExportScope
from tournaments.core.language import translate
from tournaments.core.time_zones import day, local
from tournaments.events.events import scoring_of
from tournaments.events.leagues import season_of
from tournaments.events.round_rules import describe_rules
from tournaments.publishing.official import TableStatus
from tournaments.standings.settings import RuleSettings
from tournaments.tables.model import Detail, Properties


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
    """The name of a file, with the day of its event, or else that on which it is made.

    That of a league has its name too: a club has several of them.
    """
    moment = at if scope.event is None else scope.event.starts_at
    what = wanted.what
    if scope.league is not None:
        what = f"{slugify(scope.league.name)[:NAME_MAX].strip('-_') or 'league'}-{what}"
    return file_name(scope.club, day(moment, scope.club.time_zone), what, extension, scope.status)


def _details(scope: ExportScope, at: datetime) -> Iterator[Detail]:
    clock = scope.club.time_zone
    if scope.event is not None:
        begins = local(scope.event.starts_at, clock)
        yield Detail("date", _("Date"), date_format(begins, "DATE_FORMAT"), scope.event.starts_at)
        yield Detail("place", _("Place"), scope.event.place)
        yield Detail("rules", _("House rules"), describe_rules(scope.event))
        yield Detail("scoring", _("Scoring"), _describe(scoring_of(scope.event)))
    if scope.league is not None:
        yield Detail("scoring", _("Scoring"), _describe(season_of(scope.league)))
    if scope.standings is not None and scope.standings.snapshot is not None:
        snapshot = scope.standings.snapshot
        yield Detail("version", _("Version"), str(snapshot.version))
        computed_at = snapshot.computed_at
        yield Detail("computed", _("Computed"), _moment(computed_at, clock), computed_at)
        if scope.in_full:
            yield Detail("director", _("Director"), find_director(scope.standings))
    yield Detail("made", _("File made"), _moment(at, clock), at)


def _describe(rules: RuleSettings) -> str:
    """Return the way of counting: the first setting, and whatever is not as usual."""
    return str(translate(joined_sentences(rules.highlights())))


def _moment(at: datetime, clock: str) -> str:
    by_the_clock = local(at, clock)
    return f"{date_format(by_the_clock, 'DATE_FORMAT')}, {by_the_clock:%H:%M %Z}"
