"""The certificate of the largest jackpot of a season: who won it, where, and how the pot grew."""

from collections.abc import Sequence
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.core.messages import Message
from scoring.handouts.properties import SheetOrder
from scoring.presentation.files import find_locale
from tournaments.core.errors import RefusedError
from tournaments.core.time_zones import local
from tournaments.events.events import OVER
from tournaments.models import Event, League, Result
from tournaments.people.display_names import distinct_names
from tournaments.printing.award_sheet import Award, print_award
from tournaments.web.night_result import find_largest_jackpot

_SUITS: Final = {
    "S": "\N{BLACK SPADE SUIT}",
    "H": "\N{BLACK HEART SUIT}",
    "D": "\N{BLACK DIAMOND SUIT}",
    "C": "\N{BLACK CLUB SUIT}",
}
_HANDS_SHOWN: Final = 6


def print_jackpot_certificate(league: League, order: SheetOrder) -> bytes:
    """Print the certificate of a season's largest jackpot; of equal ones the first.

    Only nights whose playing is over count. Raises RefusedError where no jackpot was won.
    """
    events = Event.objects.filter(pk__in=league.sessions.values("event"), status__in=OVER)
    winners = find_largest_jackpot(Result.objects.filter(game__event__in=events))
    if not winners:
        raise RefusedError(Message("No jackpot has been won in this season yet."), "league")
    game, number = winners[0].game, winners[0].number
    table = game.table
    assert table is not None, "games of events have tables"
    rows = list(Result.objects.filter(game=game, number__lte=number).order_by("number", "seat"))
    people = distinct_names(league.club, [row.player_id for row in rows], in_full=order.in_full)
    won = [people[str(row.player_id)] for row in winners]
    others = [
        name
        for row in rows
        if row.number == number and (name := people[str(row.player_id)]) not in won
    ]
    begins = local(table.round.event.starts_at, league.club.time_zone)
    course = _pots_before(rows, number)
    before = len(course) - 1
    story = _("on %(day)s, in round %(round)s at table %(table)s, with %(names)s.") % {
        "day": date_format(begins, _("l j F Y")),
        "round": table.round.number,
        "table": table.number,
        "names": ", ".join(others),
    }
    filled = ngettext(
        "%(n)d hand without a winner had filled the pot.",
        "%(n)d hands without a winner had filled the pot.",
        before,
    )
    return print_award(
        Award(
            about=f"{league.club.name} · {league.name}",
            title=_("Jackpot of the season"),
            figure=str(winners[0].pot),
            won_by=_("chips, won by %(names)s") % {"names": ", ".join(won)},
            story=[story, *([filled % {"n": before}] if before else [])],
            course=[(_SUITS.get(row.pain, ""), str(row.pot)) for row in course[-_HANDS_SHOWN:]],
            locale=find_locale(),
        )
    )


def _pots_before(rows: Sequence[Result], number: int) -> list[Result]:
    """A result of each hand from the first that left its pot to the one that won it."""
    hands = {row.number: row for row in rows}
    won = {row.number for row in rows if row.won}
    first = number
    while first - 1 in hands and first - 1 not in won:
        first -= 1
    return [hands[one] for one in range(first, number + 1)]
