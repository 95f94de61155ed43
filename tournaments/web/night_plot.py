"""A night of one player, hand by hand: what they have won or lost by then, and where."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final
from uuid import UUID

from django.db.models import Exists, OuterRef
from django.http import HttpRequest
from django.utils.translation import gettext as _

from tournaments.access.visibility import visible_rows
from tournaments.models import Entry, Event, Result
from tournaments.web.number_format import format_number
from tournaments.web.plots import Plot, Series, plot
from tournaments.web.viewer import Viewer

_CHOICES: Final = 100
"""Of so many of the latest nights one can be chosen."""


@dataclass(frozen=True, slots=True)
class NightHand:
    """A hand: where it was played, what it brought, and what they had with it."""

    game: UUID
    place: str
    change: str
    total: str
    is_gain: bool


@dataclass(frozen=True, slots=True)
class NightPlot:
    """The night that is shown, and the others that can be chosen. ``is_low``: points, not chips.

    A night of rounds for chips and rounds for points has no graph: they are never added (DEC-16).
    """

    event: Event
    choices: list[Event]
    graph: Plot | None
    steps: list[NightHand]
    is_low: bool


def night_of(request: HttpRequest, everybody: Sequence[UUID], viewer: Viewer) -> NightPlot | None:
    """The night that the address names, else the last one that they played. Three queries.

    ``everybody`` are a player and their duplicates. None for somebody who has not played a hand of
    any event that the viewer may know of.
    """
    entered = Entry.objects.filter(player__in=everybody)
    entered = visible_rows(entered, hidden=viewer.sees_hidden, way="event")
    latest = entered.order_by("-event__starts_at", "-event_id").values_list("event", flat=True)
    # Only of those events are results looked for: somebody may have thousands.
    played = Exists(Result.objects.filter(game__event=OuterRef("pk"), player__in=everybody))
    events = Event.objects.filter(played, pk__in=list(latest[:_CHOICES]))
    choices = list(events.order_by("-starts_at", "-pk"))
    if not choices:
        return None
    named = request.GET.get("night", "")
    event = next((choice for choice in choices if str(choice.pk) == named), choices[0])
    rows = list(
        Result.objects.filter(game__event=event, player__in=everybody)
        .select_related("game__table__round")
        .order_by("game__opened_at", "game_id", "number")
    )
    return NightPlot(event, choices, _graph(rows), _steps(rows), rows[0].game.low)


def _totals(rows: Sequence[Result]) -> list[int]:
    return list(accumulate(row.score for row in rows))


def _is_mixed(rows: Sequence[Result]) -> bool:
    return len({row.game.low for row in rows}) > 1


def _graph(rows: Sequence[Result]) -> Plot | None:
    """From nothing before the first hand to what they had after the last."""
    if _is_mixed(rows):
        return None
    name = _("Points") if rows[0].game.low else _("Chips")
    return plot([Series(name, "c0", [0, *_totals(rows)])], ["", *map(_place, rows)])


def _steps(rows: Sequence[Result]) -> list[NightHand]:
    is_mixed = _is_mixed(rows)
    return [
        NightHand(
            game=row.game_id,
            place=_place(row),
            change=format_number(row.score, signed=True),
            total="" if is_mixed else format_number(total, signed=not row.game.low),
            is_gain=(row.score < 0) if row.game.low else (row.score > 0),
        )
        for row, total in zip(rows, _totals(rows), strict=True)
    ]


def _place(row: Result) -> str:
    """The round and the hand of it, such as 2.1."""
    table = row.game.table
    return str(row.number) if table is None else f"{table.round.number}.{row.number}"
