"""What a file says of itself, in its head, its properties and its name."""

from collections.abc import Iterator
from datetime import datetime

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from engine.messages import joined_sentences
from scoring.presentation.files import file_name, find_locale
from scoring.transfer.exporting.kinds import ExportKind, ExportRequest, ExportScope
from tournaments.core.language import translate
from tournaments.core.time_zones import day, local
from tournaments.events.events import scoring_of
from tournaments.events.leagues import season_of
from tournaments.models import Event, League, Scope
from tournaments.publishing.official import find_decisions
from tournaments.publishing.versions import Standings
from tournaments.reports.people import actor_names
from tournaments.standings.settings import RuleSettings
from tournaments.tables.model import Detail, Properties


def describe_file(
    kind: ExportKind, scope: ExportScope, *, site: str, digest: str, at: datetime
) -> Properties:
    """What a file says of itself, in the active language."""
    return Properties(
        title=scope.name,
        subject=translate(kind.title),
        author=scope.club.name,
        details=tuple(detail for detail in _details(scope, at) if detail.text),
        status=translate(scope.status.sentence(scope.club.time_zone)) if scope.status else "",
        made_at=local(at, scope.club.time_zone),
        address=_address(scope, site),
        digest=digest,
        locale=find_locale(),
    )


def name_file(wanted: ExportRequest, scope: ExportScope, extension: str, at: datetime) -> str:
    """The name of a file, with the day of its event, or else that on which it is made."""
    moment = at if scope.event is None else scope.event.starts_at
    what = f"league-{wanted.what}" if scope.league else wanted.what
    return file_name(scope.club, day(moment, scope.club.time_zone), what, extension, scope.status)


def _address(scope: ExportScope, site: str) -> str:
    """Where the live page of what the file is about stands."""
    if not site:
        return ""
    if scope.event is not None:
        path = reverse("event-page", args=[scope.event.pk])
    elif scope.league is not None:
        path = reverse("league-page", args=[scope.league.pk])
    else:
        path = reverse("club-page", args=[scope.club.pk])
    return f"{site}{path}"


def _details(scope: ExportScope, at: datetime) -> Iterator[Detail]:
    clock = scope.club.time_zone
    if scope.event is not None:
        yield from _event_details(scope.event, clock)
    if scope.league is not None:
        yield from _league_details(scope.league)
    if scope.standings is not None and scope.standings.snapshot is not None:
        snapshot = scope.standings.snapshot
        yield Detail("version", _("Version"), str(snapshot.version))
        yield Detail("computed", _("Computed"), _moment(snapshot.computed_at, clock))
        if scope.in_full:
            yield Detail("director", _("Director"), _find_director(scope.standings))
    yield Detail("made", _("File made"), _moment(at, clock))


def _find_director(found: Standings) -> str:
    """Who made standings official; empty as long as nobody has. At most three queries."""
    decisions = find_decisions(Scope(found.row.scope), found.row.subject)
    made = [one.by for one in decisions if one.version == found.row.official]
    return actor_names(made)[made[-1]] if made else ""


def _event_details(event: Event, clock: str) -> Iterator[Detail]:
    yield Detail("date", _("Date"), date_format(local(event.starts_at, clock), "DATE_FORMAT"))
    yield Detail("place", _("Place"), event.place)
    yield Detail("rules", _("House rules"), event.rule_set.name)
    yield Detail("scoring", _("Scoring"), _describe(scoring_of(event)))


def _league_details(league: League) -> Iterator[Detail]:
    yield Detail("scoring", _("Scoring"), _describe(season_of(league)))


def _describe(rules: RuleSettings) -> str:
    """How something is counted: the first setting, and whatever is not as usual."""
    return str(translate(joined_sentences(rules.highlights())))


def _moment(at: datetime, clock: str) -> str:
    by_the_clock = local(at, clock)
    return f"{date_format(by_the_clock, 'DATE_FORMAT')}, {by_the_clock:%H:%M %Z}"
