"""Folding: whoever types a name without accents and special letters finds it, everywhere."""

import importlib
import unicodedata
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.night import make_event
from tests.web.desk import director_of
from tournaments import selectors
from tournaments.core.name_folding import fold_name, fold_text
from tournaments.models import Club, FormerDetail, League, Person
from tournaments.people.members import NewPlayer, add_player

NAMES = {
    "Łukasik": "lukasik",
    "Ødegård": "odegard",
    "ØDEGÅRD": "odegard",
    "Đorđević": "dordevic",
    "Groß": "gross",
    "GROẞ": "gross",
    "Æsir": "aesir",
    "Œuvre": "oeuvre",
    "Işık": "isik",
    "İnan": "inan",
    "Þórður": "thordur",
    "Ħamrun": "hamrun",
    "Ŧŋ": "tn",
    "Gal·la": "galla",
    "Nguyễn Đức": "nguyen duc",
    "O’Brien": "o'brien",
    "Müller\u2010Lüdenscheidt": "muller-ludenscheidt",
    "Anna\N{NO-BREAK SPACE}  Kos": "anna kos",
    "Александр Ёж": "александр еж",
    "ΣΊΣΥΦΟΣ": "σισυφοσ",
}


@pytest.mark.parametrize(("name", "typed"), NAMES.items())
def test_a_name_is_folded_to_what_is_typed(name: str, typed: str) -> None:
    assert fold_text(name) == fold_text(typed) == typed


def test_every_letter_of_the_languages_of_europe_is_typed_on_a_plain_keyboard() -> None:
    letters = [chr(code) for code in range(0xC0, 0x180) if chr(code) not in "×÷"]
    assert len(letters) == 190
    assert [letter for letter in letters if not fold_text(letter).isascii()] == []


@given(st.text())
def test_folding_again_changes_nothing_and_case_and_accents_do_not_matter(text: str) -> None:
    folded = fold_text(text)
    assert fold_text(folded) == folded
    for form in ("NFC", "NFD"):
        assert fold_text(unicodedata.normalize(form, text)) == folded


@pytest.mark.django_db
def test_a_name_that_grows_when_it_is_folded_still_fits() -> None:
    club = make_club()
    new = NewPlayer(person={"name": "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 200})
    player = add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    assert len(player.person.sought) == Person._meta.get_field("sought").max_length


@pytest.mark.django_db
def test_clubs_events_leagues_and_players_are_all_found_by_the_folded_name() -> None:
    club = make_club("Bäckerei Łódź", is_public=True)
    event = make_event(club, name="Ångström Øpen")
    League.objects.create(club=club, name="Frühjahr ß", created_at=at())
    add_player(
        club_id=club.pk, new=NewPlayer(person={"name": "Anna Łukasik"}), by=DIRECTOR, at=at()
    )
    anybody, director = Client(), director_of(club)
    assert "Łódź" in anybody.get("/clubs/?q=lodz").content.decode()
    assert "Łódź" not in anybody.get("/clubs/?q=lods").content.decode()
    assert [one["name"] for one in anybody.get("/api/v1/clubs?search=backerei").json()["items"]]
    for sought, found in (("angstrom OPEN", event.name), ("fruhjahr SS", "Frühjahr")):
        assert found in anybody.get(f"/c/{club.pk}/", {"q": sought}).content.decode()
    members = director.get(f"/desk/clubs/{club.pk}/members/?q=LUKASIK").content.decode()
    assert "Anna Łukasik" in members
    assert selectors.players(club, search="lukasik").count() == 1
    assert selectors.players(club, search="łukasik").count() == 1


@pytest.mark.django_db
def test_the_migration_folds_names_as_the_service_does_and_drops_none() -> None:
    club = make_club()
    every = "".join(map(chr, [*range(0xA0, 0x250), *range(0x250, 0x2B0), *range(0x1E00, 0x1F00)]))
    every = every.replace("\xad", "")  # no name may have what nobody sees
    names = [*NAMES, *(every[place : place + 50] for place in range(0, len(every), 50))]
    for name in names:
        person = {"name": name.strip() or "-"}
        add_player(club_id=club.pk, new=NewPlayer(person=person), by=DIRECTOR, at=at())
    Person.objects.update(sought="as it was folded before")
    migration = importlib.import_module("tournaments.migrations.0015_fold_special_letters")
    migration.fold_names(apps, SimpleNamespace(connection=connection))
    assert Person.objects.count() == len(names)
    for one in Person.objects.all():
        assert one.sought == fold_name(one.name)
    assert Club.objects.count() == 1


@pytest.mark.django_db
def test_names_with_characters_that_nobody_sees_are_mended_where_they_are_stored() -> None:
    club = make_club()
    names = (
        "Nora\u202e Adams",
        "Bo\n Holm",
        "Eva\u2028Groß",
        "\u200b",
        "Zoe\u0308 Grün",
        "Ann Lee",
    )
    for _name in names:
        new = NewPlayer(person={"name": "somebody"})
        add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    for person, name in zip(Person.objects.order_by("player__number"), names, strict=True):
        Person.objects.filter(pk=person.pk).update(name=name, sought=fold_name(name))
    migration = importlib.import_module("tournaments.migrations.0057_mend_names")
    migration.mend_names(apps, SimpleNamespace(connection=connection))
    mended = list(Person.objects.order_by("player__number"))
    assert [one.name for one in mended] == [
        *("Nora Adams", "Bo Holm", "Eva Groß", "Player 4", "Zoë Grün", "Ann Lee"),
    ]
    assert [one.sought for one in mended] == [fold_name(one.name) for one in mended]
    assert FormerDetail.objects.get(player__number=1).text == names[0]
