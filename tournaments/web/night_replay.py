"""The replay of a night in a minute: places and totals after every hand."""

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from django.core.cache import caches
from django.http import Http404
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from tournaments.core.entity_tags import tag_of
from tournaments.models import Scope
from tournaments.publishing.night_replay import ReplayStep, replay_event
from tournaments.publishing.official import find_current
from tournaments.publishing.versions import Standings
from tournaments.selectors import spoken_names
from tournaments.standings.rows import RowData, total_of
from tournaments.web.base import EventPageMixin
from tournaments.web.night_result import format_total, is_night_over
from tournaments.web.number_format import format_number
from tournaments.web.standings import names_in
from tournaments.web.standings_query import PROJECTOR

_WIDEST: Final = 1000
"""The width of all bars together, from the lowest total to the highest."""
_SECONDS_MAX: Final = 60
"""A hand is shown for 2.5 seconds, or less so that all take no longer (`replay_steps.js`)."""
_NAMED: Final = 3
"""So many who lead are named."""


class ReplayPage(EventPageMixin):
    """A night that is over, hand by hand; 404 for one that is not, or of which no hand is known."""

    template_name = "window/replay.html"

    @cached_property
    def found(self) -> Standings:
        """The standings that hold: the replay ends with them."""
        return find_current(Scope.EVENT, self.event.pk)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        event, found = self.event, self.found
        if event.is_results_only or not is_night_over(event, found):
            raise Http404
        names = spoken_names(names_in(found, event.club, in_full=self.viewer.in_full))
        shown = [row for row in found.rows if row["rank_from"]]
        if not shown:
            raise Http404
        tag = tag_of((event.pk, event.version, found.stamp, sorted(names.items())))
        steps = caches["pages"].get_or_set(
            f"replay-bars-{tag}", lambda: self._build_steps(shown, names)
        )
        if not steps:
            raise Http404
        zero = min((one["bar"] for step in steps for one in step["cells"] if one), default=0)
        return super().get_context_data(
            names=[names[row["entry"]] for row in shown],
            zero=max(-zero, 0),
            steps=steps,
            seconds=min(_SECONDS_MAX, (5 * len(steps) + 1) // 2),
            is_wall=self.request.GET.get("view") == PROJECTOR,
            **kwargs,
        )

    def _build_steps(self, shown: list[RowData], names: Mapping[str, str]) -> list[dict[str, Any]]:
        """Return the steps as the page and its script show them, each with a cell for every name.

        A cell is None for somebody who had no place yet; its ``order`` is the line that it stands
        in, and ``bar`` the length of its bar, negative to the left of zero.
        """
        unit = self.found.data["unit"]
        entries = {row["entry"] for row in shown}
        steps = [
            replace(step, rows=[row for row in step.rows if row.entry in entries])
            for step in replay_event(self.event.pk)
        ]
        totals = [row.total for step in steps for row in step.rows if row.total is not None]
        totals += [total for row in shown if (total := total_of(row)) is not None]
        span = max([*totals, Fraction(0)]) - min([*totals, Fraction(0)]) or Fraction(1)

        def cell(place: int, order: int, label: str, total: Fraction | None) -> dict[str, Any]:
            return {
                "order": order,
                "place": place,
                "label": label,
                "total": format_number(total),
                "bar": 0 if total is None else round(total * _WIDEST / span),
            }

        def cells(step: ReplayStep) -> dict[str, dict[str, Any]]:
            if step is steps[-1]:
                return {
                    row["entry"]: cell(row["rank_from"] or 0, order, row["label"], total_of(row))
                    for order, row in enumerate(shown)
                }
            return {
                row.entry: cell(row.rank_from or 0, order, row.label, row.total)
                for order, row in enumerate(step.rows)
            }

        made = []
        for step in steps:
            known = cells(step)
            first = [entry for entry, one in known.items() if one["place"] == 1]
            leaders = (
                ", ".join(names.get(entry, "") for entry in first)
                if len(first) <= _NAMED
                else _("%(n)s share the lead") % {"n": len(first)}
            )
            total = step.rows[0].total if step.rows else None
            if step is steps[-1]:
                total = total_of(shown[0])
            made.append(
                {
                    "round": step.round,
                    "title": _("Round %(round)s, hand %(hand)s")
                    % {"round": step.round, "hand": step.hand},
                    "leads": _("%(names)s: %(total)s")
                    % {"names": leaders, "total": format_total(total, unit)},
                    "jackpot": ", ".join(
                        _("Jackpot at table %(n)s") % {"n": table} for table in step.jackpots
                    ),
                    "cells": [known.get(row["entry"]) for row in shown],
                }
            )
        return made
