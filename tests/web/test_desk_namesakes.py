"""Two people of one name at the desk and on paper: always with the number that tells them apart."""

import io
import re
from typing import Any

import pypdfium2
import pytest

from tests.scoring.club import make_club
from tests.tournaments.night import make_night
from tests.web.desk import Director, director_of
from tournaments.models import Event, Person, Player, SitOut

pytestmark = pytest.mark.django_db

EACH = [f"Jansen, Anna ({number})" for number in range(1, 10)]


def words(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def printed(director: Director, event: Event, kind: str) -> str:
    address = f"/api/v1/events/{event.pk}/handouts?kind={kind}"
    paper = b"".join(director.get(address).streaming_content)
    pages = pypdfium2.PdfDocument(io.BytesIO(paper))
    told = " ".join(page.get_textpage().get_text_range() for page in pages)
    return " ".join(told.split())


def tells_apart(page: str, but: str = "") -> bool:
    """Whether a page names everybody ``but`` one, and nobody without the number."""
    are_told = page.count("Jansen, Anna") == page.count("Jansen, Anna (")
    return are_told and all(one in page for one in EACH if one != but)


def test_namesakes_are_told_apart_all_night() -> None:
    event = make_night(9, rounds=1)
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    Person.objects.filter(player__in=Player.objects.all()).update(name="Jansen, Anna")
    assert tells_apart(words(director.get(path)))
    proposal = director.get(path + "?draw=0").context["proposal"]
    places = [one for table in proposal.tables for one in table.places]
    assert sorted(one.name for one in (*places, *proposal.sit_outs)) == EACH
    director.fill(path + "?draw=0", "/draw/")
    drawn = director.get(path).context["drawn"]
    places = [one for table in drawn.tables for one in table.places]
    assert sorted(one.name for one in (*places, *drawn.sit_outs)) == EACH
    out = f"Jansen, Anna ({SitOut.objects.get().entry.player.number})"
    assert tells_apart(printed(director, event, "seating"))
    assert tells_apart(printed(director, event, "movement"))
    assert tells_apart(printed(director, event, "slips"), out)
    director.fill(path, "/start/")
    assert tells_apart(printed(director, event, "cards"), out)
    assert tells_apart(words(director.get(f"{path}codes/")))
    assert tells_apart(words(director.get(f"{path}floor/")), out)
    game = event.club.games.order_by("opened_at", "id")[0]
    assert tells_apart(words(director.get(f"/desk/games/{game.pk}/")))
    entry = event.entries.get(number=2)
    assert tells_apart(words(director.get(f"{path}entries/{entry.pk}/")))
    assert tells_apart(words(director.get(path + "penalties/")))


def test_whose_name_nobody_shares_has_no_number_behind_it() -> None:
    event = make_night(4, rounds=1)
    page = words(director_of(event.club).get(f"/desk/events/{event.pk}/"))
    assert "Player 4" in page
    assert "Player 4 (" not in page


@pytest.mark.parametrize("name", ["Adams, Nora", "Nora Adms"])
def test_a_new_member_with_the_name_of_another_or_one_like_it_is_asked_about(name: str) -> None:
    club = make_club()
    admin = director_of(club, "admin")
    path = f"/desk/clubs/{club.pk}/members/"
    assert admin.fill(path, name="Nora Adams", kind="member").status_code == 302
    asked = admin.fill(path, name=name, kind="member")
    assert asked.status_code == 422
    assert "The club has Nora Adams (1)." in words(asked)
    assert "This is somebody else" in words(asked)
    assert Person.objects.count() == 1
    assert admin.fill(path, name=name, kind="member", is_new="on").status_code == 302
    hidden = admin.fill(path, name="Eva\u202eGroß", kind="member")
    assert "U+202E" in words(hidden)
    assert Person.objects.count() == 2
