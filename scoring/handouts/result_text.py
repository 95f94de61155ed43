"""The result of a night as plain text, to be sent round."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from operator import itemgetter
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from scoring.games.night_end import NightEnd
from scoring.handouts.properties import SheetOrder, find_published, sheet_address
from scoring.presentation.payments import format_amount, payment_sentences
from tournaments.core.language import translate
from tournaments.core.time_zones import local
from tournaments.models import Club, Event, Scope
from tournaments.people.display_names import distinct_names
from tournaments.publishing.official import status_of
from tournaments.publishing.versions import Standings
from tournaments.reports.event_standings import event_columns, rank_of
from tournaments.reports.labels import KINDS, label_for
from tournaments.tables.cells import isolate_name, readable
from tournaments.web.number_format import format_number
from tournaments.web.standings import names_in

_RANKED: Final = "ranked"


def write_result_text(event: Event, order: SheetOrder, end: NightEnd | None = None) -> str:
    """Write standings, prizes, who pays whom, and where the page is, a line each.

    Names are those that the people of the club see, unless ``order`` says otherwise; without
    ``end`` nothing is said of money. Raises RefusedError where nothing was published yet.
    """
    found = find_published(Scope.EVENT, event)
    names = names_in(found, event.club, in_full=order.in_full).names
    begins = date_format(local(event.starts_at, event.club.time_zone), _("l j F Y, H:i"))
    status = translate(status_of(found, in_full=order.in_full).sentence(event.club.time_zone))
    places = (isolate_name(event.club.name), isolate_name(event.place))
    blocks = [
        [isolate_name(event.name), ", ".join(filter(None, (*places, begins))), status],
        *_standings(found, names),
        *([] if end is None else _money(event.club, end)),
        [sheet_address(event, order.site)],
    ]
    lines = ([readable(line) for line in block if line] for block in blocks)
    return "\n\n".join("\n".join(block) for block in lines if block)


def _standings(found: Standings, names: Mapping[str, str]) -> Iterator[list[str]]:
    """Yield the ranked rows, headed by what their totals are, then each other kind of rows."""
    unit = event_columns(found.data).total[0].title
    for kind, rows in groupby(found.rows, key=itemgetter("kind")):
        heading = f"{_('Standings')} ({unit})" if kind == _RANKED else label_for(KINDS, kind)
        lines = []
        for row in rows:
            name, total = isolate_name(names[row["entry"]]), format_number(row["total"])
            lines.append(f"{rank_of(row) or ''} {name}: {total}".strip())
        yield [f"{heading}:", *lines]


def _money(club: Club, end: NightEnd) -> Iterator[list[str]]:
    """Yield the prizes, then who pays whom in each currency."""
    players = {
        *end.prizes,
        *(
            who
            for sheet in end.accounts
            for one in sheet.payments
            for who in (one.payer, one.payee)
        ),
    }
    names = distinct_names(club, [player for player in players if player is not None])
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
