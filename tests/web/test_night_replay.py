"""The replay of a night: places after every hand, in the unit of the event, and who sees it."""

import json
import re
from typing import Any

import pytest
from django.test import Client

from scoring.games.nights import finish_night
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import draw, make_night, play_round
from tests.web.desk import director_of
from tests.web.test_desk_nights import text_of, words
from tests.web.window import publish_all
from tournaments.models import Club, Event, Person, Scope
from tournaments.publishing.night_replay import replay_event
from tournaments.publishing.versions import find_latest
from tournaments.web.number_format import MINUS

pytestmark = pytest.mark.django_db


def night_over(players: int = 8, **fields: Any) -> Event:
    """A public night that was played to its end; its results stay provisional."""
    event = make_night(players, **({"rounds": 2, "hands": 2} | fields))
    Club.objects.update(is_public=True)
    for number in range(1, event.rounds + 1):
        if number == 1 or event.movement == "random":
            draw(event)
        play_round(event, number)
    finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=at(9))
    publish_all()
    event.refresh_from_db()
    return event


def steps_of(page: Any) -> list[dict[str, Any]]:
    found = re.search(r'<script id="replay-steps"[^>]*>(.*?)</script>', text_of(page), re.DOTALL)
    assert found is not None
    steps: list[dict[str, Any]] = json.loads(found[1])
    return steps


def test_every_hand_of_every_round_is_a_step_and_the_last_is_the_table(client: Client) -> None:
    event = night_over()
    page = client.get(f"/e/{event.pk}/replay/")
    steps = steps_of(page)
    assert [step["title"] for step in steps] == [
        "Round 1, hand 1",
        "Round 1, hand 2",
        "Round 2, hand 1",
        "Round 2, hand 2",
    ]
    rows = [row for row in find_latest(Scope.EVENT, event.pk).rows if row["rank_from"]]
    assert [cell["label"] for cell in steps[-1]["cells"]] == [row["label"] for row in rows]
    assert words(page).count("Round 2, hand 2") == 2, "in the table for everybody, too"
    assert "The night in 10 seconds" in words(page)


def test_names_are_said_first_name_first_and_many_who_lead_are_counted() -> None:
    event = night_over(24)
    Person.objects.filter(name="Player 1").update(name="Quill, Zach")
    page = director_of(event.club).get(f"/e/{event.pk}/replay/")
    assert "Zach Quill" in text_of(page)
    assert "Quill, Zach" not in text_of(page)
    first = steps_of(page)[0]
    leaders = sum(cell["place"] == 1 for cell in first["cells"])
    assert leaders > 3
    assert first["leads"].startswith(f"{leaders} share the lead: ")


def test_what_was_computed_after_the_last_hand_is_what_was_published() -> None:
    event = night_over()
    last = replay_event(event.pk)[-1]
    rows = [row for row in find_latest(Scope.EVENT, event.pk).rows if row["rank_from"]]
    assert [(row.entry, row.label, str(row.total)) for row in last.rows] == [
        (row["entry"], row["label"], row["total"]) for row in rows
    ]


def test_before_the_last_hand_nobody_knows_what_it_brings() -> None:
    event = night_over()
    first = replay_event(event.pk)[0]
    assert {one.hands for row in first.rows for one in row.contributions} == {1}
    assert {one.round for row in first.rows for one in row.contributions} == {1}


def test_the_bar_of_a_total_below_zero_goes_to_the_other_side(client: Client) -> None:
    cells = [
        cell
        for step in steps_of(client.get(f"/e/{night_over().pk}/replay/"))
        for cell in step["cells"]
    ]
    below = [cell for cell in cells if cell["total"].startswith(MINUS)]
    assert below
    assert all(cell["bar"] < 0 for cell in below)
    assert max(cell["bar"] for cell in cells) - min(cell["bar"] for cell in cells) == 1000


def test_a_hand_in_which_a_jackpot_was_won_is_marked(client: Client) -> None:
    event = night_over(hands=6)
    steps = replay_event(event.pk)
    assert any(step.jackpots for step in steps)
    shown = steps_of(client.get(f"/e/{event.pk}/replay/"))
    assert [bool(step["jackpot"]) for step in shown] == [bool(step.jackpots) for step in steps]


def test_who_is_hidden_stays_hidden_in_the_replay(client: Client) -> None:
    event = night_over()
    hidden = Person.objects.filter(player__club=event.club).order_by("pk")[0]
    Person.objects.filter(pk=hidden.pk).update(shown="hidden", name="Zacharias Quill")
    path = f"/e/{event.pk}/replay/"
    assert "Zacharias" not in text_of(client.get(path))
    assert "Zacharias Quill" in text_of(director_of(event.club).get(path))


def test_there_is_no_replay_of_a_hidden_night_nor_before_its_end(client: Client) -> None:
    event = make_night(4, rounds=1)
    Club.objects.update(is_public=True)
    draw(event)
    publish_all()
    assert client.get(f"/e/{event.pk}/replay/").status_code == 404
    play_round(event, 1)
    publish_all()
    assert client.get(f"/e/{event.pk}/replay/").status_code == 200
    Event.objects.update(is_hidden=True)
    assert client.get(f"/e/{event.pk}/replay/").status_code == 404
