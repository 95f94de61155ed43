"""A list of names that is pasted at the desk: looked at, asked about, entered as a whole."""

from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from tests.scoring.club import DIRECTOR, make_players
from tests.tournaments.night import make_event
from tests.web.desk import Director, director_of, forms_in
from tests.web.test_desk_nights import words
from tournaments.core.name_folding import fold_name
from tournaments.models import Entry, Event, Person, Player
from tournaments.people.bars import bar_player

pytestmark = pytest.mark.django_db

NAMES = ("Ada Adler", "Bob Baker", "Ann Archer", "Ann Archer")


def night() -> tuple[Director, Event, str]:
    event = make_event()
    make_players(event.club, len(NAMES))
    for player, name in zip(Player.objects.order_by("number"), NAMES, strict=True):
        Person.objects.filter(player=player).update(name=name, sought=fold_name(name))
    return director_of(event.club), event, f"/desk/events/{event.pk}/names/"


def read(director: Director, path: str, names: str, **more: Any) -> Any:
    return director.fill(path, names=names, **more)


def press(director: Director, path: str, page: Any, **more: Any) -> Any:
    (form,) = (one for one in forms_in(page, path) if "names" in one.values)
    return director.send(form, enter="1", **more)


def entered() -> list[tuple[str, str]]:
    rows = Entry.objects.order_by("number")
    return list(rows.values_list("player__person__name", "presence"))


def test_forty_names_are_read_and_entered_with_two_buttons() -> None:
    director, event, path = night()
    people = [f"Person {chr(65 + number // 26)}{chr(97 + number % 26)}" for number in range(38)]
    page = read(director, path, "\n".join(["Adler; Ada", "baker, bob", *people]))
    assert "40 names read" in words(page)
    assert not entered()
    answer = press(director, path, page)
    assert answer.url == f"/desk/events/{event.pk}/#people"
    assert "40 of the list are entered." in words(director.get(answer.url))
    assert [name for name, _here in entered()] == ["Ada Adler", "Bob Baker", *people]
    assert Player.objects.count() == 4 + 38
    # Once more: everybody is here already, and nobody is entered twice.
    again = press(director, path, read(director, path, "\r\n".join(people)))
    assert answer.status_code == again.status_code == 302
    assert Player.objects.count() == 4 + 38


def test_what_is_not_clear_is_asked_and_nothing_is_entered_before_it_is_answered() -> None:
    director, _event, path = night()
    page = read(director, path, "Ada Addler\nAnn Archer\nZoë\nZoe\nBob Baker", kind="guest")
    assert "3 questions" in words(page)
    assert "Nobody is called Ada Addler. Who do you mean?" in words(page)
    assert "The club knows several of this name. Which one is Ann Archer?" in words(page)
    assert "Zoe stands there twice. One person or two?" in words(page)
    ada, _bob, _ann, ann = Player.objects.order_by("number")
    half = press(director, path, page, **{"who-0": str(ada.pk)})
    assert half.status_code == 422
    assert words(half).count("Please choose.") == 2
    assert not entered()
    done = press(director, path, half, **{"who-1": str(ann.pk), "who-3": "nobody"})
    assert done.status_code == 302
    assert [name for name, _ in entered()] == ["Ada Adler", "Ann Archer", "Zoë", "Bob Baker"]
    assert Entry.objects.filter(player=ann).exists()
    assert Person.objects.get(name="Zoë").player.kind == "guest"


def test_a_text_that_was_changed_is_shown_again_before_it_is_entered() -> None:
    director, _event, path = night()
    page = read(director, path, "Ada Adler")
    changed = press(director, path, page, names="Ada Adler\nBob Baker")
    assert "2 names read" in words(changed)
    assert not entered()
    assert press(director, path, changed, presence="expected").status_code == 302
    assert entered() == [("Ada Adler", "expected"), ("Bob Baker", "expected")]


def test_a_file_is_shown_as_text_that_can_be_mended() -> None:
    director, _event, path = night()
    data = "Nr;Nachname;Vorname\n4;Archer;Ann\n;Grün;Zoë\n;;\n9;;\n".encode()
    page = read(director, path, "", file=SimpleUploadedFile("list.csv", data))
    (form,) = (one for one in forms_in(page, path) if "names" in one.values)
    assert form.values["names"] == ["Ann Archer (4)\nZoë Grün"]
    assert "Row 5, column C: there is no name" in words(page)
    assert press(director, path, page).status_code == 302
    assert [entry.player.number for entry in Entry.objects.order_by("number")] == [4, 5]


def test_who_is_barred_or_stands_there_twice_is_left_out_and_said() -> None:
    director, _event, path = night()
    ada = Player.objects.get(number=1)
    bar_player(
        club_id=ada.club_id, player_id=ada.pk, reason="Debts.", by=DIRECTOR, at=timezone.now()
    )
    page = read(director, path, "Ada Adler\nBob Baker")
    assert "barred: is not entered" in words(page)
    assert press(director, path, page).status_code == 302
    assert [name for name, _ in entered()] == ["Bob Baker"]


@pytest.mark.parametrize("text", ["", "  \n", "1.\n2.", "x" * 201, "\x00"])
def test_a_text_without_names_is_refused_and_stays(text: str) -> None:
    director, _event, path = night()
    answer = read(director, path, text)
    assert answer.status_code in (200, 422)
    assert not Entry.objects.exists()
