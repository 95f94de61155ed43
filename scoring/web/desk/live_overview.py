"""Live overview of a round: its clock, its tables, and what waits for the director."""

from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scoring.web.desk.floor_tables import find_tables
from scoring.web.desk.floor_tasks import find_tasks
from tournaments.access.rights import Right
from tournaments.events.round_clocks import find_clock
from tournaments.models import Event, Round, SitOut, Stage
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.publishing.deals import find_undecided
from tournaments.web.desk.base import DeskPage, EventMixin
from tournaments.web.round_clock import clock_context


def format_age(then: datetime | None, now: datetime) -> str:
    """Return an age as a director says it."""
    if then is None:
        return _("nothing yet")
    minutes = int((now - then).total_seconds() // 60)
    if minutes < 1:
        return _("just now")
    if minutes < 60:
        return ngettext("%(n)d minute ago", "%(n)d minutes ago", minutes) % {"n": minutes}
    hours = minutes // 60
    return ngettext("%(n)d hour ago", "%(n)d hours ago", hours) % {"n": hours}


def floor_context(event: Event, row: Round | None, at: datetime) -> dict[str, Any]:
    """Return the context of the clock and the tables, if a round is played."""
    clock = find_clock(event.pk)
    found: dict[str, Any] = {"event": event, "playing": row, **clock_context(clock, at)}
    if row is None:
        begun = event.round_rows.exclude(stage=Stage.DRAWN).count()
        return found | {"coming": begun + 1 if begun < event.rounds else None}
    tables, shared = find_tables(event, row, at), shared_names(event.club)
    outs = SitOut.objects.filter(round=row).select_related("entry__player__person")
    misfits = find_undecided(event.pk) if event.duplicate else []
    jackpots = [table.pot for table in tables if table.has_jackpot and table.pot]
    return found | {
        "tables": tables,
        "tasks": [
            (task, format_age(task.since, at) if task.since else "")
            for task in find_tasks(
                tables, clock, at, misfits=[one for one in misfits if one.round == row.number]
            )
        ],
        "done": sum(table.is_done for table in tables),
        "hands": sum(min(table.hands, table.par) for table in tables),
        "hands_in_all": sum(table.par for table in tables),
        "jackpots": jackpots,
        "jackpot": sum(jackpots),
        "sitting_out": [
            distinct_name(out.entry.player, shared) for out in outs.order_by("entry__number")
        ],
        "began": format_age(row.started_at, at),
    }


class LiveOverview(EventMixin, DeskPage):
    """The clock and the tables alone, for a page that looks every few seconds."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/parts/floor.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        rows = Round.objects.filter(event=self.event, stage=Stage.PLAYING).order_by("number")
        return self.render(**floor_context(self.event, rows.first(), self.at))
