"""The result of a night as plain text, and by e-mail to those who agreed to get it, once."""

from collections.abc import Callable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from operator import itemgetter
from smtplib import SMTPException
from typing import Final
from uuid import UUID

import structlog
from django.core.mail import EmailMessage, get_connection
from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from engine.core.messages import Message
from scoring.games.night_end import NightEnd, compute_night_end
from scoring.handouts.notices import Notice, write_notice
from scoring.handouts.properties import SheetOrder, find_published, sheet_address
from scoring.presentation.payments import format_amount, payment_sentences
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.core.mail import compose_mail
from tournaments.core.time_zones import local
from tournaments.events import events
from tournaments.models import ATTEMPTS_MAX, Club, Event, MailKind, Person, ResultMail, Scope
from tournaments.people.display_names import distinct_names
from tournaments.people.result_consent import (
    Letterhead,
    ask_for_consent,
    confirm_token,
    find_subscribers,
    stop_token,
)
from tournaments.publishing.official import TableStatus, status_of
from tournaments.publishing.versions import Standings
from tournaments.reports.event_standings import event_columns, rank_of
from tournaments.reports.labels import KINDS, label_for
from tournaments.tables.cells import isolate_name, readable
from tournaments.web.number_format import format_number

_RANKED: Final = "ranked"


def find_result_names(
    club: Club,
    standings: Standings,
    end: NightEnd | None = None,
    *,
    in_full: bool = True,
    shared: AbstractSet[str] | None = None,
) -> dict[str, str]:
    """Return the names of everybody in standings and in the money, by entry and by player.

    As `distinct_names`.
    """
    players = {UUID(player) for player in standings.players.values()}
    everybody = sorted(players | (set() if end is None else end.players))
    names = distinct_names(club, everybody, in_full=in_full, shared=shared)
    return names | {entry: names.get(who, "") for entry, who in standings.players.items()}


def write_result_text(
    event: Event,
    order: SheetOrder,
    end: NightEnd | None = None,
    standings: Standings | None = None,
    *,
    names: Mapping[str, str] | None = None,
    status: TableStatus | None = None,
) -> str:
    """Write standings, prizes, who pays whom, and where the page is, a line each.

    Names are those that the people of the club see, unless ``order`` says otherwise; without
    ``end`` nothing is said of money. ``standings`` are those that hold, ``names`` what
    `find_result_names` returns, ``status`` is theirs, if they are read already. Raises RefusedError
    where nothing was published yet.
    """
    published = find_published(Scope.EVENT, event, standings)
    if names is None:
        names = find_result_names(event.club, published, end, in_full=order.in_full)
    if status is None:
        status = status_of(published, in_full=order.in_full)
    begins = date_format(local(event.starts_at, event.club.time_zone), _("l j F Y, H:i"))
    sentence = translate(status.sentence(event.club.time_zone))
    places = (isolate_name(event.club.name), isolate_name(event.place))
    blocks = [
        [isolate_name(event.name), ", ".join(filter(None, (*places, begins))), sentence],
        *_standings(published, names),
        *([] if end is None else _money(event.club, end, names)),
        [sheet_address(event, order.site)],
    ]
    lines = ([readable(line) for line in block if line] for block in blocks)
    return "\n\n".join("\n".join(block) for block in lines if block)


def _standings(standings: Standings, names: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the ranked rows, headed by what their totals are, then each other kind of rows."""
    unit = event_columns(standings.data).total[0].title
    for kind, rows in groupby(standings.rows, key=itemgetter("kind")):
        heading = f"{_('Standings')} ({unit})" if kind == _RANKED else label_for(KINDS, kind)
        lines = []
        for row in rows:
            name, total = isolate_name(names[row["entry"]]), format_number(row["total"])
            lines.append(f"{rank_of(row) or ''} {name}: {total}".strip())
        yield [f"{heading}:", *lines]


def _money(club: Club, end: NightEnd, names: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the prizes, then who pays whom in each currency."""
    if end.prizes:
        yield [
            _("Prizes:"),
            *(
                f"{isolate_name(names[str(player)])}: {format_amount(amount, club.currency)}"
                for player, amount in end.prizes.items()
            ),
        ]
    for sheet in end.accounts:
        if sheet.payments:
            yield [_("Who pays whom:"), *payment_sentences(sheet.payments, names, sheet.currency)]


log = structlog.get_logger(__name__)

_AGAIN: Final = timedelta(minutes=2)


@dataclass(frozen=True, slots=True, kw_only=True)
class MailOrder:
    """An order to send results: with links to ``site``, and perhaps with who pays whom."""

    site: str
    language: str
    has_money: bool


def find_recipients(event: Event) -> QuerySet[Person]:
    """Those of the club who want results, confirmed their address and were not sent this one."""
    sent = ResultMail.objects.filter(event=event, kind=MailKind.RESULT).values("player")
    return find_subscribers(event.club_id).exclude(player__in=sent)


def find_unconfirmed(event: Event) -> QuerySet[Person]:
    """Those who want results, and did not confirm their address yet."""
    people = Person.objects.filter(
        player__club=event.club_id,
        player__left_at=None,
        player__merged_into=None,
        player__removed_at=None,
        gets_results=True,
    )
    return people.exclude(email="").exclude(email=F("confirmed_email"))


def enqueue_result_mails(*, event_id: UUID, order: MailOrder, by: Actor, at: datetime) -> int:
    """Have the result of an event sent to all who want it and were not sent it; how many."""
    event = events.lock_with_club(event_id)
    for player_id in find_unconfirmed(event).order_by("pk").values_list("pk", flat=True):
        letterhead = Letterhead(site=order.site, language=order.language)
        ask_for_consent(player_id=player_id, letterhead=letterhead, at=at)
    mails = [
        ResultMail(
            event=event,
            player_id=person.player_id,
            language=order.language,
            site=order.site,
            has_money=order.has_money,
            made_at=at,
            due_at=at,
        )
        for person in find_recipients(event).order_by("player")
    ]
    if mails:
        ResultMail.objects.bulk_create(mails)
        events.note(
            event, AuditRecord(Message("result sent"), details={"recipients": len(mails)}), by, at
        )
    return len(mails)


def send_result_mail(*, mail_id: UUID, clock: Callable[[], datetime]) -> bool:
    """Send one mail, if it is due and no other worker does; whether it was sent.

    A notice that is not true any more is not sent.

    A mail server that cannot be reached is tried again, `ATTEMPTS_MAX` times. What it was given
    once is never sent again, even where nobody knows what came of it.
    """
    mail = ResultMail.objects.claim(mail_id, clock())
    if mail is None:
        return False
    person = (
        Person.objects.select_related("player__club")
        .filter(player=mail.player_id, gets_results=True)
        .first()
    )
    is_question = mail.kind == MailKind.QUESTION
    is_wanted = person is not None and person.is_confirmed != is_question
    if mail.attempts > ATTEMPTS_MAX or person is None or not is_wanted or not person.email:
        mail.update_leased(due_at=None)
        return False
    try:
        with translation.override(mail.language or None):
            message = _compose(mail, person, clock())
        if message is None:
            mail.update_leased(due_at=None)
            return False
        connection = get_connection()
        connection.open()
    except (OSError, RefusedError) as error:  # also smtplib.SMTPException
        log.warning("a result was not sent", mail=str(mail.pk), error=type(error).__name__)
        mail.update_leased(due_at=clock() + _AGAIN)
        return False
    if not mail.update_leased(due_at=None, sent_at=clock()):
        return False
    try:
        return bool(connection.send_messages([message]))
    except (OSError, SMTPException) as error:
        log.warning("a result was perhaps not sent", mail=str(mail.pk), error=type(error).__name__)
        return False
    finally:
        connection.close()


def _compose(mail: ResultMail, person: Person, at: datetime) -> EmailMessage | None:
    if mail.kind == MailKind.QUESTION:
        return _compose_question(mail, person)
    if mail.kind == MailKind.RESULT:
        assert mail.event is not None
        end = compute_night_end(mail.event) if mail.has_money else None
        text = write_result_text(mail.event, SheetOrder(at=at, site=mail.site), end)
        return _compose_wanted(mail, person, Notice(mail.event.name, text))
    notice = write_notice(mail, at)
    return None if notice is None else _compose_wanted(mail, person, notice)


def _compose_wanted(mail: ResultMail, person: Person, notice: Notice) -> EmailMessage:
    """Compose a mail of the club that can be ended by the link in it."""
    stop = mail.site + reverse("my-no-results", args=[stop_token(mail.player_id)])
    why = _("You get this because you asked %(club)s for it. To stop these e-mails:") % {
        "club": isolate_name(person.player.club.name)
    }
    return compose_mail(
        subject=isolate_name(" ".join(notice.subject.split())),
        body=f"{notice.text}\n\n-- \n{why}\n{stop}\n",
        to=[person.email],
        headers={
            "List-Unsubscribe": f"<{stop}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
    )


def _compose_question(mail: ResultMail, person: Person) -> EmailMessage:
    words = _(
        "%(name)s, %(club)s noted that you would like its e-mails: results of its nights,"
        " invitations to them, a reminder the day before, what is called off, moved or corrected,"
        " and your division. If so, please confirm here:\n\n%(link)s\n\nIf not, ignore this"
        " message: nothing more will come."
    )
    return compose_mail(
        subject=_("Results by e-mail"),
        body=words
        % {
            "name": isolate_name(person.name),
            "club": isolate_name(person.player.club.name),
            "link": mail.site + reverse("my-results", args=[confirm_token(person)]),
        },
        to=[person.email],
    )
