"""Where an event is played: what it says itself counts before what its club says."""

import pytest
from django.test import Client
from django.utils.html import escape

from tests.scoring.club import DIRECTOR, at
from tests.web.window import make_window
from tournaments.events.events import change_event
from tournaments.models import Event
from tournaments.people.clubs import change_club

pytestmark = pytest.mark.django_db


def test_an_event_is_played_where_its_club_plays_unless_it_says_otherwise(client: Client) -> None:
    window = make_window()
    event, club = window.event, window.event.club
    assert Event.objects.get(pk=event.pk).place == ""
    change_club(
        club_id=club.pk,
        changes={"venue": "Old <Mill>, Canal Street 4"},
        version=club.version,
        by=DIRECTOR,
        at=at(),
    )
    assert Event.objects.get(pk=event.pk).place == "Old <Mill>, Canal Street 4"
    assert escape("Old <Mill>, Canal Street 4") in client.get(f"/e/{event.pk}/").content.decode()
    change_event(
        event_id=event.pk,
        changes={"venue": "Town hall"},
        version=Event.objects.get(pk=event.pk).version,
        by=DIRECTOR,
        at=at(),
    )
    assert Event.objects.get(pk=event.pk).place == "Town hall"
