"""Events and leagues in a few lines, for feeds, calendars and previews of links."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from fractions import Fraction
from typing import Any, Final
from uuid import UUID

from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from engine.core.messages import Sentence
from engine.core.seats import DEFAULT_SEATS
from tournaments.core.language import translate
from tournaments.core.time_zones import local
from tournaments.events.round_rules import describe_rules
from tournaments.events.rounds import since_drawn
from tournaments.models import Event, Round, Stage, Status, Table, TableSeat
from tournaments.people.display_names import distinct_names
from tournaments.publishing.adjourned import (
    AdjournedTable,
    describe_adjourned,
    find_adjourned,
    is_day_over,
)
from tournaments.publishing.official import TableStatus
from tournaments.publishing.versions import Standings
from tournaments.tables.cells import decimal_text, isolate_name, readable

STILL_NEXT: Final = timedelta(hours=12)
"""A night that was planned for so long ago and has not begun is not the next one any more."""
PLACES: Final = 3
"""How many places are named, with everybody who shares the last of them."""


def describe_schedule(event: Event) -> str:
    """The sentence that says it is called off, or moved, and why; empty if it is neither."""
    if event.status == Status.CANCELLED:
        return gettext("Called off: “%(why)s”") % {"why": isolate_name(event.cancel_reason)}
    if event.moved_from is None:
        return ""
    clock, written = event.club.time_zone, gettext("l j F Y, H:i")
    return gettext("Moved from %(before)s to %(now)s: “%(why)s”") % {
        "before": date_format(local(event.moved_from, clock), written),
        "now": date_format(local(event.starts_at, clock), written),
        "why": isolate_name(event.move_reason),
    }


def describe_adjourned_tables(tables: Iterable[Table]) -> str:
    """Say in a sentence when adjourned tables, as `find_adjourned` reads them, end."""
    return translate(Sentence(describe_adjourned(list(map(AdjournedTable.of, tables)))))


def describe_finish(finish_on: date | None, clock: str) -> str:
    """Say to those at an adjourned table on which day, by the clock of the club, its game ends."""
    if finish_on is None:
        return gettext("This game is finished another day. The code of its table opens it then.")
    written = date_format(finish_on, gettext("l j F"))
    if is_day_over(finish_on, clock):
        said = gettext("This game was to be finished on %(day)s. The code of its table opens it.")
    else:
        said = gettext("This game is finished on %(day)s. The code of its table opens it then.")
    return said % {"day": written}


def find_nights_to_finish(events: Iterable[Event], at: datetime) -> dict[UUID, str]:
    """The nights of which nothing but adjourned tables is left, and the sentence that says so.

    They are running, began on another day than now, and none of their rounds is played. Two queries
    at most, none where no such night is running.
    """
    running = [
        event.pk
        for event in events
        if event.status == Status.RUNNING and event.starts_at < at - STILL_NEXT
    ]
    found: dict[UUID, list[Table]] = {}
    for table in find_adjourned(running) if running else ():
        found.setdefault(table.round.event_id, []).append(table)
    if not found:
        return {}
    played = Round.objects.filter(event__in=found, stage=Stage.PLAYING).values_list("event")
    for (event,) in played:
        found.pop(event, None)
    return {event: describe_adjourned_tables(tables) for event, tables in found.items()}


def describe_seat(event: Event, player_ids: Sequence[UUID]) -> str:
    """A player's seat in the round played or drawn; empty if people came or left since."""
    seats = TableSeat.objects.filter(round__event=event, entry__player__in=player_ids)
    ahead = seats.exclude(round__stage=Stage.CLOSED).select_related("round", "table")
    seat = ahead.order_by("round__number").first()
    if seat is None or (
        seat.round.stage == Stage.DRAWN and seat.round.number in since_drawn(event)
    ):
        return ""
    return gettext("Round %(round)s: table %(table)s, seat %(seat)s") % {
        "round": seat.round.number,
        "table": seat.table.number,
        "seat": DEFAULT_SEATS[seat.table.size][seat.seat],
    }


def describe_event(event: Event) -> list[str]:
    """When and where it is, by which rules, and whether it is called off or was moved."""
    begins = local(event.starts_at, event.club.time_zone)
    played = ngettext("%(n)s round", "%(n)s rounds", event.rounds) % {"n": event.rounds}
    if event.is_results_only:
        played = gettext("results only; no hands were recorded")
    day = date_format(begins, gettext("l j F Y, H:i"))
    rules = f"{describe_rules(event, isolated=True)}, {played}"
    lines = (day, describe_schedule(event), isolate_name(event.place), rules)
    return [readable(line) for line in lines if line]


def list_first_places(
    standings: Standings, status: TableStatus, names: Mapping[str, str], clock: str
) -> Iterator[str]:
    """The status of standings, then the first places, a line each; nothing while there are none.

    ``names`` are those of the players, by entry; ``clock`` is the time zone of the club.
    """
    rows = _first_rows(standings)
    if rows:
        yield translate(status.sentence(clock))
    for row in rows:
        total = decimal_text(Fraction(row["total"]), 2)
        name = isolate_name(names.get(row["entry"], ""))
        yield readable(f"{row['label']} {name} ({total})")


def find_first_names(standings: Standings, *, in_full: bool) -> dict[str, str]:
    """The names of the first places, by entry; or as strangers see them. Two queries."""
    players = {row["entry"]: standings.players[row["entry"]] for row in _first_rows(standings)}
    ids = [UUID(player) for player in players.values()]
    names = distinct_names(standings.row.club, ids, in_full=in_full) if ids else {}
    return {entry: names.get(player, "") for entry, player in players.items()}


def _first_rows(standings: Standings) -> list[Mapping[str, Any]]:
    return [row for row in standings.rows if row["rank_from"] and row["rank_from"] <= PLACES]
