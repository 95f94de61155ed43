"""The head and the foot of a printed sheet, and the order for one."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.core.messages import Message
from engine.rules.rule_sheet import title_of
from scoring.presentation.files import find_director, find_locale, page_address
from tournaments.access.rights import Place
from tournaments.access.visibility import EventPlace, LeaguePlace, sheet_token
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.core.time_zones import local
from tournaments.events.round_rules import describe_rules
from tournaments.models import Club, Event, League, Scope
from tournaments.people.rule_sets import rules_of
from tournaments.publishing.official import TableState, TableStatus, find_current, status_of
from tournaments.publishing.versions import Standings
from tournaments.standings import ScoringRules
from tournaments.tables.model import Detail, Properties
from tournaments.tables.press import PaperSize


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetOrder:
    """An order for a sheet: at which moment, on which paper, with full names or not.

    ``site`` is where the pages are, such as ``https://hearts.example.org``; empty where nobody
    knows, and then there is no code that leads to them.
    """

    at: datetime
    paper: PaperSize = PaperSize.A4
    site: str = ""
    in_full: bool = True


def find_published(
    scope: Scope, subject: Event | League, standings: Standings | None = None
) -> Standings:
    """The standings that hold, or those given. Raises RefusedError where nothing was published."""
    standings = standings or find_current(scope, subject.pk)
    if not standings.data:
        raise RefusedError(Message("No standings have been published yet."), str(scope))
    return standings


def describe_sheet(
    subject: Event | League | Club,
    order: SheetOrder,
    standings: Standings | None = None,
    what: str = "",
) -> Properties:
    """Return the properties of a sheet: its kind, ``what`` of it, and whether it can still change.

    ``standings`` are those on it, if it has some.
    """
    club = subject if isinstance(subject, Club) else subject.club
    status = None if standings is None else status_of(standings, in_full=order.in_full)
    details = _event_details(subject) if isinstance(subject, Event) else ()
    snapshot = None if standings is None else standings.snapshot
    director = (
        [Detail("director", _("Director"), find_director(standings))]
        if standings is not None and order.in_full
        else []
    )
    return Properties(
        title=f"{subject.name}: {what}" if what else subject.name,
        author="" if subject is club else club.name,
        details=(*details, *director, *_status_details(status, club.time_zone)),
        status=_stamp(status),
        made_at=local(order.at, club.time_zone),
        address=sheet_address(subject, order.site),
        digest="" if snapshot is None else snapshot.digest,
        locale=find_locale(),
    )


def sheet_address(subject: Event | League | Club, site: str) -> str:
    """Return the address of a sheet's page, also for a sheet that strangers may not see.

    Empty where nobody knows the ``site``, and for sheets of a private club as a whole.
    """
    address = page_address(subject, site)
    place: Place
    match subject:
        case Club():
            return address if subject.is_public else ""
        case Event():
            place = EventPlace(subject.club, None, subject)
        case League():
            place = LeaguePlace(subject.club, None, subject)
    return address if place.is_open or not address else f"{address}?sheet={sheet_token(subject.pk)}"


def _event_details(event: Event) -> Iterator[Detail]:
    begins = local(event.starts_at, event.club.time_zone)
    yield Detail("date", _("Date"), date_format(begins, _("l j F Y, H:i")))
    yield Detail("place", _("Place"), event.place)
    parts = [
        ngettext("%(n)s round", "%(n)s rounds", event.rounds) % {"n": event.rounds},
        ngettext("%(n)s hand each", "%(n)s hands each", event.hands) % {"n": event.hands},
    ]
    yield Detail("rounds", "", "" if event.is_results_only else ", ".join(parts))
    system = "" if event.round_rules else translate(title_of(rules_of(event.rule_set)))
    rules = ", ".join(filter(None, (describe_rules(event), system)))
    yield Detail("rules", _("House rules"), rules)
    yield Detail("substitutes", _("Substitutes"), _describe_credit(event))


def _describe_credit(event: Event) -> str:
    """Say who wins and pays for a substitute, and whose standings it counts for (DEC-20)."""
    money = rules_of(event.rule_set).credit
    standings = ScoringRules.from_data(event.scoring).substitute_credit
    return f"{translate(money.words)} {translate(standings.words)}"


def _status_details(status: TableStatus | None, clock: str) -> Iterator[Detail]:
    if status is not None and (status.is_official or status.adjourned):
        yield Detail("status", "", translate(status.sentence(clock)))


def _stamp(status: TableStatus | None) -> str:
    if status is None:
        return ""
    words = {
        TableState.PROVISIONAL: _("Provisional"),
        TableState.OFFICIAL: _("Official"),
        TableState.AMENDED: _("Official, amended"),
    }
    version = _("Version %(n)s") % {"n": status.version}
    return f"{words[status.state]}\n{version}"
