"""The certainty of standings: likely places, and what it would take to tell two members apart."""

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict
from uuid import UUID

from rest_framework.response import Response

from engine.core.messages import Message
from tournaments.access.rights import Right
from tournaments.api.serializers import UUIDField
from tournaments.api.standings import WhichSerializer, chosen, names_in
from tournaments.api.views import ApiRequest, EventViewSetBase, LeagueViewSetBase
from tournaments.core.entity_tags import tag_of
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.events import leagues
from tournaments.models import Scope
from tournaments.publishing.club_ratings import format_rating
from tournaments.publishing.versions import Standings
from tournaments.reports.certainty import DivisionCertainty, measure_standings
from tournaments.standings.season import SeasonRules
from tournaments.statistics import Certainty


class CertaintyQuerySerializer(WhichSerializer):
    """The version that is asked for, and which two entries are compared."""

    first = UUIDField(required=False, help_text="An entry, to be compared with the second.")
    second = UUIDField(required=False, help_text="The entry to compare it with.")


class PairOut(TypedDict):
    """The probability that ``first`` is really above ``second``.

    ``needed``: about how many more nights or rounds of each would tell; null for more than 60.
    """

    first: str
    second: str
    above: str
    needed: int | None


class LikelyPlaceOut(TypedDict):
    """The place of an entry, and those among which its true place is in eight cases of ten.

    ``mean`` is that of ``n`` nights or rounds, ``shrunk`` the same drawn towards that of the table,
    with its standard ``error``. ``best`` is the probability that nobody is really better.
    """

    entry: str
    label: str
    n: int
    mean: str
    shrunk: str
    error: str
    place_from: int
    place_to: int
    best: str


class DivisionCertaintyOut(TypedDict):
    """The ranked entries of a division; of all where there is none.

    ``why``: what is missing for any figure; there is no row then. ``within`` is the variance of
    the nights or rounds of one entry, ``between`` that of entries beyond it. ``neighbours`` are
    the pairs that stand one above the other.
    """

    division: str | None
    why: str
    sentence: str
    within: str
    between: str
    rows: list[LikelyPlaceOut]
    neighbours: list[PairOut]


class CertaintyOut(TypedDict):
    """The certainty of a version of standings; ``pair`` are the two that were asked for."""

    version: int
    latest: int
    names: dict[str, str]
    divisions: list[DivisionCertaintyOut]
    pair: PairOut | None


class EventCertaintyViewSet(EventViewSetBase):
    """The certainty of the standings of an event."""

    parameters = {"retrieve": CertaintyQuerySerializer}
    outputs = {"retrieve": CertaintyOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Show how sure the places are, by the rounds; nothing else is worked out from this."""
        query = self.read_parameters()
        return _answer(self, chosen(request, query, Scope.EVENT, event_id), query)


class LeagueCertaintyViewSet(LeagueViewSetBase):
    """The certainty of the table of a season."""

    parameters = {"retrieve": CertaintyQuerySerializer}
    outputs = {"retrieve": CertaintyOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, league_id: UUID) -> Response:
        """Show how sure the places are, by the nights; nothing else is worked out from this."""
        query = self.read_parameters()
        found = chosen(request, query, Scope.LEAGUE, league_id)
        return _answer(self, found, query, leagues.season_of(self.league))


def _answer(
    view: EventViewSetBase | LeagueViewSetBase,
    found: Standings,
    query: Mapping[str, Any],
    season: SeasonRules | None = None,
) -> Response:
    """Answer how sure standings are; nothing is measured for who has this answer."""
    names = names_in(found, view.request)
    tag = tag_of(
        {
            "stamp": found.stamp,
            "digest": "" if found.snapshot is None else found.snapshot.digest,
            "rules": repr(season),
            "names": names,
            "query": query,
        }
    )
    if view.is_known(tag):
        return view.answer_document({}, tag)
    divisions = measure_standings(found, season)
    data: CertaintyOut = {
        "version": found.version,
        "latest": found.latest,
        "names": names,
        "divisions": [_division_out(division, names) for division in divisions],
        "pair": _find_pair(divisions, str(query.get("first", "")), str(query.get("second", ""))),
    }
    return view.answer_document(data, tag)


def _division_out(division: DivisionCertainty, names: Mapping[str, str]) -> DivisionCertaintyOut:
    certainty = division.certainty
    return {
        "division": division.name,
        "why": translate(certainty.why),
        "sentence": division.describe(names),
        "within": str(certainty.within),
        "between": str(certainty.between),
        "rows": [
            {
                "entry": row["entry"],
                "label": row["label"],
                "n": place.n,
                "mean": str(place.mean),
                "shrunk": format_rating(place.shrunk),
                "error": format_rating(place.error),
                "place_from": place.low,
                "place_to": place.high,
                "best": f"{place.first:.4f}",
            }
            for row in division.rows
            if (place := certainty.places.get(row["entry"]))
        ],
        "neighbours": [_pair_out(certainty, *pair) for pair in division.neighbours()],
    }


def _find_pair(divisions: Sequence[DivisionCertainty], first: str, second: str) -> PairOut | None:
    """Compare the two that were asked for. Raises RefusedError for who is not compared here."""
    if not (first or second):
        return None
    for division in divisions:
        if {first, second} <= division.certainty.places.keys():
            return _pair_out(division.certainty, first, second)
    raise RefusedError(
        Message("Name two entries of one division, first and second, that have likely places."),
        "second" if first else "first",
    )


def _pair_out(certainty: Certainty, first: str, second: str) -> PairOut:
    return {
        "first": first,
        "second": second,
        "above": f"{certainty.chance_above(first, second):.4f}",
        "needed": certainty.nights_needed(first, second),
    }
