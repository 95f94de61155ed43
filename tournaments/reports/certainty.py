"""The certainty of published standings: likely places, as columns and in sentences.

Pages and the API show it to those who ask for it. It is worked out from the rows that were
published and goes nowhere else: not into files of standings, prizes, ratings or seeding.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Final, cast

from django.core.cache import cache
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.core.language import translate
from tournaments.publishing.versions import Standings
from tournaments.standings.contributions import ContributionStatus
from tournaments.standings.rows import RowData, RowKind
from tournaments.standings.season import SeasonRules
from tournaments.standings.season_books import PointsSource
from tournaments.statistics import Certainty, LikelyPlace, measure_certainty
from tournaments.tables.cells import isolate_name
from tournaments.tables.model import Column

LIKELY_PLACES: Final = "likely_places"
BEST_CHANCE: Final = "best_chance"
"""The keys of the columns."""
_KEPT_SECONDS: Final = 86_400
_RAW_UNITS: Final = frozenset({"chips", "penalty points"})
"""The units of a total that is made of scores of tables; points of a scale are best when high."""


@dataclass(frozen=True, slots=True)
class DivisionCertainty:
    """The ranked rows of a division, or of all where there is one, and how sure their places are.

    ``is_by_rounds``: by the rounds of an event, not by the nights of a season.
    """

    name: str | None
    rows: Sequence[RowData]
    certainty: Certainty
    is_by_rounds: bool

    def neighbours(self) -> list[tuple[str, str]]:
        """Return the entries with likely places, each with the next one below."""
        places = self.certainty.places
        return list(pairwise(row["entry"] for row in self.rows if row["entry"] in places))

    def describe(self, names: Mapping[str, str]) -> str:
        """Say who leads, who else could be the best, and what it would take to tell."""
        if not (pairs := self.neighbours()):
            return translate(self.certainty.why)
        leader, second = pairs[0]
        others = len(self.certainty.contenders() - {leader})
        words = {
            "leader": isolate_name(names.get(leader, "")),
            "second": isolate_name(names.get(second, "")),
            "n": others,
        }
        first = (
            ngettext(
                "%(leader)s leads; %(n)d other could really be the best.",
                "%(leader)s leads; %(n)d others could really be the best.",
                others,
            )
            if others
            else _("%(leader)s leads; nobody else is likely to be really the best.")
        )
        return f"{first % words} {self._say_needed(leader, second) % words}"

    def _say_needed(self, leader: str, second: str) -> str:
        """Say what it takes to tell two apart, with the names left open."""
        needed = self.certainty.nights_needed(leader, second)
        if needed is None:
            return (
                _("Between %(leader)s and %(second)s it would take more than 60 more rounds.")
                if self.is_by_rounds
                else _("Between %(leader)s and %(second)s it would take more than a season.")
            )
        if self.is_by_rounds:
            text = ngettext(
                "Between %(leader)s and %(second)s it would take about %(needed)d more round.",
                "Between %(leader)s and %(second)s it would take about %(needed)d more rounds.",
                needed,
            )
        else:
            text = ngettext(
                "Between %(leader)s and %(second)s it would take about %(needed)d more night.",
                "Between %(leader)s and %(second)s it would take about %(needed)d more nights.",
                needed,
            )
        return text.replace("%(needed)d", str(needed))


def measure_standings(
    standings: Standings, season: SeasonRules | None = None
) -> list[DivisionCertainty]:
    """Measure how sure published standings are, division by division; of an event as one.

    ``season`` are the rules of standings of a league. Counted are the nights or rounds that
    somebody played, those too that are dropped from the total; only who has a rank is compared.
    What was measured is kept for others who ask for the same version.
    """
    data = standings.data
    is_low = season.low if season else bool(data.get("low")) and data.get("unit") in _RAW_UNITS
    ranked = [row for row in standings.rows if row["kind"] == RowKind.RANKED]
    divisions = [
        (name, list(rows)) for name, rows in groupby(ranked, key=lambda row: row.get("division"))
    ]

    def measure() -> list[Certainty]:
        return [
            measure_certainty(
                {
                    row["entry"]: _nights_of(row, season) if season else _rounds_of(row)
                    for row in rows
                },
                is_low=is_low,
            )
            for _name, rows in divisions
        ]

    by = f"games-{season.by_game}" if season else "rounds"
    digest = "" if standings.snapshot is None else standings.snapshot.digest
    key = f"certainty-{digest}-{is_low}-{by}"
    kept = cache.get_or_set(key, measure, _KEPT_SECONDS) if digest else measure()
    measured = cast("list[Certainty]", kept)
    return [
        DivisionCertainty(name, rows, certainty, season is None)
        for (name, rows), certainty in zip(divisions, measured, strict=True)
    ]


def _nights_of(row: RowData, season: SeasonRules) -> list[Fraction]:
    """Return what a member's nights brought, a game where games are averaged."""
    return [
        Fraction(line["net"]) / (line["games"] if season.by_game else 1)
        for line in row["lines"]
        if line["source"] != PointsSource.SUBSTITUTE and (line["games"] or not season.by_game)
    ]


def _rounds_of(row: RowData) -> list[Fraction]:
    """Return what an entry's rounds brought that were played to the end."""
    rounds: dict[int, Fraction] = {}
    for one in row["contributions"]:
        if one["status"] == ContributionStatus.PLAYED and "value" in one:
            rounds[one["round"]] = rounds.get(one["round"], Fraction(0)) + Fraction(one["value"])
    return list(rounds.values())


def certainty_columns(divisions: Sequence[DivisionCertainty]) -> list[Column[RowData]]:
    """The likely places and the chance to be the best, in columns that a reader chooses."""
    places: dict[str, LikelyPlace] = {}
    for division in divisions:
        places |= division.certainty.places

    def likely(row: RowData) -> str:
        place = places.get(row["entry"])
        return f"{row['label']} ({place.low}\N{EN DASH}{place.high})" if place else ""

    def first(row: RowData) -> str:
        place = places.get(row["entry"])
        return f"{round(100 * place.first)} %" if place else ""

    return [
        Column(
            key=LIKELY_PLACES,
            title=_("Likely places"),
            value=likely,
            description=_("the place, and those among which the true one is in 8 cases of 10"),
        ),
        Column(
            key=BEST_CHANCE,
            title=_("Could be the best"),
            value=first,
            description=_("the chance that nobody here is really better"),
        ),
    ]
