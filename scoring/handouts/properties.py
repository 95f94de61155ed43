"""What stands at the head and the foot of a sheet of standings."""

from collections.abc import Iterator
from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.rule_sheet import title_of
from scoring.presentation.files import find_locale
from tournaments.core.language import translate
from tournaments.core.time_zones import local
from tournaments.models import Event, League
from tournaments.people.rule_sets import rules_of
from tournaments.publishing.official import TableState, TableStatus, status_of
from tournaments.publishing.versions import Standings
from tournaments.tables.model import Detail, Properties


def describe_sheet(
    subject: Event | League, found: Standings, address: str, at: datetime
) -> Properties:
    """What a sheet says of itself: of what it is, and whether it can still change."""
    clock = subject.club.time_zone
    status = status_of(found)
    details = _event_details(subject) if isinstance(subject, Event) else ()
    return Properties(
        title=subject.name,
        author=subject.club.name,
        details=(*details, *_status_details(status, clock)),
        status=_stamp(status),
        made_at=local(at, clock),
        address=address,
        digest="" if found.snapshot is None else found.snapshot.digest,
        locale=find_locale(),
    )


def _event_details(event: Event) -> Iterator[Detail]:
    begins = local(event.starts_at, event.club.time_zone)
    yield Detail("date", _("Date"), date_format(begins, _("l j F Y, H:i")))
    yield Detail("place", _("Place"), event.place)
    parts = [
        ngettext("%(n)s round", "%(n)s rounds", event.rounds) % {"n": event.rounds},
        ngettext("%(n)s hand each", "%(n)s hands each", event.hands) % {"n": event.hands},
    ]
    yield Detail("rounds", "", "" if event.is_results_only else ", ".join(parts))
    rules = translate(title_of(rules_of(event.rule_set)))
    yield Detail("rules", _("House rules"), f"{event.rule_set.name}, {rules}")


def _status_details(status: TableStatus, clock: str) -> Iterator[Detail]:
    if status.is_official:
        yield Detail("status", "", translate(status.sentence(clock)))


def _stamp(status: TableStatus) -> str:
    words = {
        TableState.PROVISIONAL: _("Provisional"),
        TableState.OFFICIAL: _("Official"),
        TableState.AMENDED: _("Official, amended"),
    }
    version = _("Version %(n)s") % {"n": status.version}
    return f"{words[status.state]}\n{version}"
