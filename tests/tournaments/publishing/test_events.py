"""Standings of an event: gathered from its rows, computed, published."""

import pytest

from tests.tournaments.publishing.nights import Night, assert_is_cold
from tournaments.models import Scope, Stale
from tournaments.publishing import Outcome

pytestmark = pytest.mark.django_db


def test_a_hand_is_in_the_standings_once_it_is_published() -> None:
    night = Night(scoring={"method": "chips"})
    games = night.seat(1)
    night.play(games[0], (13, 0, 0, 0))
    assert night.publish() is Outcome.NEW
    totals = night.totals()
    assert sum(map(int, totals.values())) <= 0
    assert totals[1] is not None
    assert int(totals[1]) < 0
    assert night.data()["up_to"] == {"round": 1, "games": 2, "hands": 1}
    assert not Stale.objects.filter(scope=Scope.EVENT)
    assert_is_cold(Scope.EVENT, night.event.pk)
