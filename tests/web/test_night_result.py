"""The end of a night on pages: who won, the podium, its moments, at the desk and for everybody."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scoring.games.nights import close_and_make_official, end_round, finish_night
from scoring.models import Game
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, make_rules, state_of
from tests.tournaments.night import draw, make_night, play, start
from tests.web.desk import director_of
from tests.web.test_desk_nights import night_of, text_of, words
from tests.web.window import publish_all
from tournaments.models import Club, Event, Person

pytestmark = pytest.mark.django_db

ONE_CLEAN = (0, 2, 4, 7)
TWO_CLEAN = (0, 7, 0, 6)


def night_played(*hands: tuple[int, ...], **fields: Any) -> Event:
    """A public night of one table and one round, with its last hand told."""
    event = make_night(4, **({"rounds": 1, "hands": len(hands), "correction_hours": 0} | fields))
    Club.objects.update(is_public=True)
    event.refresh_from_db()
    draw(event)
    (game,) = start(event, 1)
    for taken in hands:
        enter(game, chip_hand(state_of(game), taken))
    return event


def end(event: Event) -> str:
    """The playing ends, and its results stay provisional; the address of its page."""
    end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(2))
    finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=at(2))
    publish_all()
    return f"/e/{event.pk}/"


def headings(response: Any, level: int) -> list[str]:
    found = re.findall(rf"<h{level}[^>]*>(.*?)</h{level}>", text_of(response), re.DOTALL)
    return [" ".join(re.sub("<[^>]*>", "", one).split()) for one in found]


def test_the_page_and_the_wall_say_who_won_and_that_it_is_provisional(client: Client) -> None:
    event = night_played(ONE_CLEAN)
    publish_all()
    assert "wins the night" not in words(client.get(f"/e/{event.pk}/"))
    path = end(event)
    for address in (path, f"{path}?view=projector"):
        page = client.get(address)
        assert any(re.fullmatch(r"\S+ \S+ wins the night", one) for one in headings(page, 2))
        assert "provisional" in words(page)
        assert text_of(page).count('class="place-') == 3
    close_and_make_official(event_id=event.pk, version=None, by=DIRECTOR, at=at(3))
    publish_all()
    assert "provisional" not in words(client.get(f"{path}?view=projector"))


def test_who_is_level_to_the_end_shares_the_first_place(client: Client) -> None:
    page = client.get(end(night_played(TWO_CLEAN)))
    assert re.fullmatch(r"\S+ \S+ and \S+ \S+ share first place", headings(page, 2)[0])
    assert text_of(page).count('class="place-1"') == 2
    assert "each" in words(page)


def test_the_closest_finish_and_the_jackpot_of_the_night_are_told(client: Client) -> None:
    event = night_played((4, 3, 3, 3), ONE_CLEAN)
    page = words(client.get(end(event)))
    assert re.search(
        r"Jackpot of the night \S+ \S+ won \d+ chips \(Round 1, table 1, hand 2\)", page
    )
    assert re.search(r"Closest finish \S+ \S+ \+\d+, \S+ \S+ \S+ \(round 1, table 1\)", page)


def test_a_night_that_is_won_has_its_winner_as_the_title_of_its_desk() -> None:
    event = night_played(ONE_CLEAN)
    end(event)
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    page = director.get(path)
    assert re.fullmatch(r"\S+ \S+ wins the night", headings(page, 1)[0])
    assert len(headings(page, 1)) == 1
    assert director.fill(path, "/official/").status_code == 302
    assert "The results are official." in words(director.get(path))


def test_the_desk_names_the_winner_as_one_says_it_and_leads_to_the_table() -> None:
    event = night_played(ONE_CLEAN)
    for person in Person.objects.all():
        first, last = person.name.split()
        person.name = f"{last}, {first}"
        person.save()
    end(event)
    director = director_of(event.club)
    page = director.get(f"/desk/events/{event.pk}/")
    assert re.fullmatch(r"Player \d wins the night", headings(page, 1)[0])
    game = Game.objects.get(table__round__event=event)
    which = text_of(page).partition('id="which-table"')[2]
    assert f'href="/desk/games/{game.pk}/"' in which
    assert "After that, results change only by a correction with a reason." in words(page)
    answer = director.fill(f"/desk/events/{event.pk}/", "/official/")
    assert "#" not in answer["Location"]
    nights = words(director.get(f"/desk/clubs/{event.club_id}/nights/"))
    assert re.search(r"won by Player \d", nights)


def test_the_desk_of_a_night_that_is_over_asks_little_of_the_database() -> None:
    event = night_played((4, 3, 3, 3), ONE_CLEAN, entry_fee=500)
    end(event)
    director = director_of(event.club, "admin")
    pages = {f"events/{event.pk}/": 25, f"events/{event.pk}/money/": 18}
    pages |= {f"clubs/{event.club_id}/nights/": 12}
    for page, most in pages.items():
        with CaptureQueriesContext(connection) as asked:
            assert director.get(f"/desk/{page}").status_code == 200
        assert len(asked) <= most, page


def test_nobody_wins_while_a_round_is_still_played(client: Client) -> None:
    event = night_played(ONE_CLEAN, rounds=2)
    publish_all()
    assert "wins the night" not in words(client.get(f"/e/{event.pk}/"))
    assert "wins the night" not in words(director_of(event.club).get(f"/desk/events/{event.pk}/"))


def test_in_the_last_round_closing_it_is_the_main_button_until_all_tables_are_done() -> None:
    director, event, path = night_of(8, rounds=1)
    draw(event)
    done, late = start(event, 1)
    play(done, 2)
    play(late, 1)

    def main_buttons() -> list[str]:
        play_part = text_of(director.get(path)).partition('id="play"')[2].partition("</section>")[0]
        shown = re.sub(r"<details.*?</details>", "", play_part, flags=re.DOTALL)
        found = re.findall(r'<button(?=[^>]*"go")[^>]*>(.*?)</button>', shown, re.DOTALL)
        return [" ".join(one.split()) for one in found]

    assert main_buttons() == ["Close round 1"]
    play(late, 1)
    assert main_buttons() == ["Close and make official"]


def test_rounds_of_several_systems_have_no_closest_finish(client: Client) -> None:
    event = night_played(ONE_CLEAN)
    other = make_rules(event.club, "sahara")
    Event.objects.filter(pk=event.pk).update(round_rules={"2": str(other.pk)})
    event.refresh_from_db()
    page = words(client.get(end(event)))
    assert "wins the night" in page
    assert "Closest finish" not in page
