"""Bringing a table in, in a browser: questions with examples, sentences, and differences."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.scoring.club import DIRECTOR, at, make_club, make_rules
from tests.tournaments.night import make_event
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_browser import (
    SCHEMES,
    TAKES_PICTURES,
    overflow,
    settled,
    take_picture,
    violations,
)
from tests.web.test_desk_browser import PASSWORD, sign_in
from tournaments.events.door import open_door
from tournaments.people.members import NewPlayer, add_player

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]
TABLE = (
    "Meisterschaft 2025;;;;;;\nRang;Name;12.09.25;19.09.25;26.09.25;Strafe;Gesamt\n"
    "1;Wilhelmina van den Berghe-Oosterhuis;12;10;3;;25\n2;Bob Clark;9;x;(4);-1;8\n"
)


def look(page: Page, name: str) -> list[str]:
    """Take pictures of a page on every screen; return what is wrong with it."""
    wrong = []
    for scheme in SCHEMES:
        page.emulate_media(color_scheme=scheme)
        for width in (320, 390, 1280) if scheme == "light" or TAKES_PICTURES else ():
            page.set_viewport_size({"width": width, "height": 900})
            settled(page)
            take_picture(page, f"desk-import-{name}-{width}-{scheme}")
            if overflow(page) > 0:
                wrong.append(f"{name} is too wide at {width}")
        wrong += violations(page, only_colours=scheme == "dark")
    return wrong


def test_a_table_is_brought_in_with_its_questions_and_differences(
    visit: Open, settings: Any, tmp_path: Path
) -> None:
    settings.FILES = str(tmp_path / "files")
    club = make_club()
    make_rules(club)
    give_role(make_account(password=PASSWORD), club, "admin")
    page = sign_in(visit)
    page.goto(f"/desk/clubs/{club.pk}/import/?kind=nights")
    page.get_by_label("Or paste it here").fill(TABLE)
    page.get_by_role("button", name="Read it").click()
    assert look(page, "columns") == []
    page.get_by_role("button", name="Go on: 2 questions").click()
    expect(page.get_by_text("Which nights count in the league?")).to_be_visible()
    assert look(page, "question") == []
    page.get_by_label("They become members").check()
    page.get_by_label("All nights count.").check()
    page.get_by_role("button", name="Show me the result").click()
    expect(page.get_by_role("heading", level=1)).to_have_text(
        "1 total or place differs from your file"
    )
    assert look(page, "differences") == []
    page.get_by_role("button", name="Import it").click()
    assert page.locator("input[name=accept_differences]:invalid").count() == 1, "it is required"
    page.get_by_label("I accept the difference").check()
    page.get_by_role("button", name="Import it").click()
    expect(page.get_by_text("The file is being imported")).to_be_visible()


def test_similar_people_what_differs_and_letters_are_asked_about_on_every_screen(
    visit: Open, settings: Any, tmp_path: Path
) -> None:
    settings.FILES = str(tmp_path / "files")
    club = make_club()
    give_role(make_account(password=PASSWORD), club, "admin")
    for name in ("Wilhelmina van den Berghe-Oosterhuis", "Łukasz Żak"):
        new = NewPlayer(person={"name": name, "phone": "0171"})
        add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    page = sign_in(visit)
    page.goto(f"/desk/clubs/{club.pk}/import/?kind=members")
    path = tmp_path / "members.csv"
    text = "Name;Telefon\nWilhelmina v. d. Berghe-Oosterhuis;1\nŁukasz Żak;0172\n"
    path.write_bytes(text.encode("cp1250"))
    page.get_by_label("The file").set_input_files(path)
    page.get_by_role("button", name="Read it").click()
    assert look(page, "letters") == []
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("Windows-1250, Central Europe").check()
    question = page.get_by_role("group", name="Is Wilhelmina v. d. Berghe-Oosterhuis your")
    assert look(page, "people") == []
    question.get_by_label("Yes, the same person").check()
    page.get_by_role("button", name="Show me the result").click()
    page.get_by_label("is replaced by what the table says").check()
    page.get_by_role("button", name="Show me the result").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("What will be different")
    expect(question).to_be_hidden()
    assert look(page, "replaced") == []


def test_a_similar_name_at_the_door_is_asked_about_on_every_screen(visit: Open) -> None:
    club = make_club()
    new = NewPlayer(person={"name": "Wilhelmina van den Berghe-Oosterhuis"})
    add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    door = open_door(event_id=make_event(club).pk, by=DIRECTOR, at=at())
    page = visit(f"/in/{door.code}/")
    page.get_by_label("Your first name and surname").fill("Wilhelmina Berghe-Oosterhuis")
    page.get_by_role("button", name="Check in").last.click()
    expect(page.get_by_text("Is one of these you?")).to_be_visible()
    assert look(page, "door") == []
