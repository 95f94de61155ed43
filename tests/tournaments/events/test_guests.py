"""Guests: ranked in the events they play unless an event says otherwise (DEC-8)."""

from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection

from tests.scoring.club import make_club
from tests.tournaments.night import make_event
from tests.tournaments.publishing.nights import Night
from tests.web.desk import director_of
from tournaments.models import Entry, EntryStanding, Event, Scope, Status
from tournaments.publishing import compute

pytestmark = pytest.mark.django_db


def standings(night: Night) -> dict[str, Any]:
    computed = compute(Scope.EVENT, night.event.pk)
    assert computed is not None
    data: Any = computed.data
    return {row["entry"]: (row["kind"], row["rank_from"]) for row in data["rows"]}


@pytest.mark.parametrize("rank_guests", [True, False])
def test_a_night_of_guests_alone_has_places_if_it_ranks_guests(*, rank_guests: bool) -> None:
    night = Night()
    Event.objects.update(rank_guests=rank_guests)
    Entry.objects.update(standing=EntryStanding.GUEST)
    first, second = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    night.play(second, (0, 0, 13, 0), (5, 4, 2, 2))
    kinds = {kind for kind, _ in standings(night).values()}
    places = {place for _, place in standings(night).values()}
    assert kinds == ({"ranked"} if rank_guests else {"guest"})
    assert (None in places) != rank_guests


def test_the_setting_is_on_the_form_and_in_the_api() -> None:
    event = make_event()
    director = director_of(event.club)
    path = f"/desk/events/{event.pk}/settings/"
    form = director.form(path)
    assert form.values["rank_guests"] == ["on"]
    del form.values["rank_guests"]
    director.send(form)
    assert not Event.objects.get().rank_guests
    shown = director.get(f"/api/v1/events/{event.pk}").json()
    assert shown["rank_guests"] is False


def test_events_that_have_begun_keep_their_standings_when_they_are_upgraded() -> None:
    club = make_club()
    known_then = [status for status in Status if status != Status.CANCELLED]
    for status in known_then:
        event = make_event(club, name=str(status))
        Event.objects.filter(pk=event.pk).update(status=status)
    migration = import_module("tournaments.migrations.0018_rank_guests")
    migration.leave_guests_unranked(apps, SimpleNamespace(connection=connection))
    ranked = Event.objects.filter(rank_guests=True).values_list("name", flat=True)
    assert list(ranked) == ["planned"]
