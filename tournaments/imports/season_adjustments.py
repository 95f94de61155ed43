"""Penalties and bonuses in a table of nights: each changes points of a night or of a season."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Final
from uuid import UUID

from engine.core.messages import Message
from tournaments.imports.planned_nights import (
    CellResult,
    NightPerson,
    PlannedAdjustment,
    PlannedNight,
)
from tournaments.imports.season_counting import SeasonCounting
from tournaments.imports.season_nights import SeasonNights
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.models import Adjustment, LeagueMember
from tournaments.models.limits import max_length
from tournaments.tables.input_model import cell_text

_REASON_MAX: Final = max_length(Adjustment, "reason")
_USUAL_REASONS: Final = {"penalty": Message("penalty"), "bonus": Message("bonus")}

RowAdjustment = tuple[int, str, Fraction]
"""A penalty or a bonus: its column, its reason, and what is added to the points."""


class SeasonAdjustments:
    """Reads the penalties and bonuses of rows, and plans them in the nights of their table.

    ``counting`` and ``is_low``, whether low results win, are known once all rows were looked at.
    ``openings``: penalties that count from the start of the league.
    """

    def __init__(self, table: ImportTable, nights: SeasonNights) -> None:
        self._table = table
        self._nights = nights
        self.counting = SeasonCounting()
        self.is_low = False
        self.planned: list[PlannedAdjustment] = []
        self.openings: dict[UUID, Fraction] = {}

    def read(self, row: ImportRow) -> list[RowAdjustment]:
        """The penalties and bonuses of a row, as they are added to the points."""
        found = []
        for key, factor in (("penalty", self.counting.sign.factor), ("bonus", 1)):
            for column, cell in row.each(key):
                amount = row.number_in(cell, column)
                if amount:
                    reason = cell_text(self._table.heading(column)).strip()[:_REASON_MAX]
                    found.append((column, reason or str(_USUAL_REASONS[key]), amount * factor))
        return found

    def plan(
        self,
        row: ImportRow,
        person: NightPerson,
        night: PlannedNight,
        given: Sequence[RowAdjustment],
    ) -> int:
        """Plan the penalties and bonuses of a row in one of its nights; return how many are new."""
        added = 0
        for column, reason, amount in given:
            known = self._known.get((person.id, reason))
            if known is None:
                self.planned.append(
                    PlannedAdjustment(night=night, person=person, amount=amount, reason=reason)
                )
                added += 1
            elif known != amount:
                words = Message(
                    "{reason} is there already, with another number; correct it at the desk",
                    reason=repr(reason[:60]),
                )
                row.refuse(words, column=column)
        return added

    def plan_season(
        self,
        row: ImportRow,
        person: NightPerson,
        results: Sequence[tuple[PlannedNight, int, CellResult]],
        given: Sequence[RowAdjustment],
    ) -> int:
        """Plan the penalties and bonuses of a season, in a night that counts in any case.

        Where its night would be dropped for it, a penalty counts from the start of the league.
        """
        amount = sum((one[2] for one in given), Fraction())
        sign = -1 if self.is_low else 1
        values = sorted((sign * (one.points or Fraction()) for *_at, one in results), reverse=True)
        kept = self.counting.rule.count_kept(len(values))
        if amount and kept < len(values) and values[0] + sign * amount < values[kept]:
            known = self._openings_of_league.get(person.id)
            if known is None:
                self.openings[person.id] = amount
            if known in (None, amount):
                return int(known is None)
        return self.plan(row, person, self._night_for(results), given)

    @cached_property
    def _openings_of_league(self) -> dict[UUID, Fraction]:
        rows = (
            LeagueMember.objects.filter(league=self._nights.league) if self._nights.league else ()
        )
        return {row.player_id: Fraction(row.opening or 0) for row in rows}

    @cached_property
    def _known(self) -> dict[tuple[UUID, str], Fraction]:
        """Penalties and bonuses on record in the nights of the table."""
        events = [
            night.event.pk for night in self._nights.found.values() if night.event is not None
        ]
        rows = Adjustment.objects.filter(entry__event__in=events, cancelled_at=None)
        return {
            (player, reason): Fraction(amount)
            for player, reason, amount in rows.values_list("entry__player_id", "reason", "amount")
        }

    def _night_for(self, results: Sequence[tuple[PlannedNight, int, CellResult]]) -> PlannedNight:
        """The night whose points a penalty of the season changes: one that counts in any case."""
        if self.counting.rule.count_kept(len(results)) == len(results):
            return max((night for night, *_rest in results), key=lambda night: night.starts_at)
        sign = -1 if self.is_low else 1
        return max(results, key=lambda one: sign * (one[2].points or one[2].place or 0))[0]
