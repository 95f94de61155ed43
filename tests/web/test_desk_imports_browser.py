"""Bringing a file in at the desk, in a real browser."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from scoring.jobs.kinds import JOB_TYPES
from tests.scoring.club import DIRECTOR, at, make_club
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tournaments import jobs
from tournaments.models import Job, JobState, Person
from tournaments.people.members import NewPlayer, add_player

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]
LIST = (
    "Mitgliederliste des Hearts-Clubs Leiden\n\n"
    "Vorname;Nachname;E-Mail-Adresse;Telefon;Mitgliedsart;Seit;Schuhgröße\n"
    "Zoë;Grün;zoe@club.example;+31 6 1234;Mitglied;03/04/2019;39\n"
    "Eduard Maximilian;von Hohenstaufen-Wittgenstein;ed@club.example;;Mitglied;05/06/2020;44\n"
    "Nora;Adams;nora(at)club.example;+31 6 9876;Mitglied;07/08/2021;38\n"
    "Max;Drew;;;König;;41\n"
    "Anna;Jansen;anna@club.example;;Gast;;40\n"
    "Summe;;;;;;202\n"
)


def test_a_members_list_is_brought_in_and_undone(
    visit: Open, settings: Any, tmp_path: Path
) -> None:
    settings.FILES = str(tmp_path / "files")
    club = make_club()
    give_role(make_account(password=PASSWORD), club, "admin")
    new = NewPlayer(person={"name": "Anna Jansen", "email": "anna@club.example"})
    add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    path = tmp_path / "mitglieder.csv"
    path.write_text(LIST, encoding="cp1252")
    page = sign_in(visit)
    page.goto(f"/desk/clubs/{club.pk}/members/")
    page.get_by_role("link", name="Import a table").click()
    page.get_by_label("The file").set_input_files(path)
    look(page, "import-file")
    page.get_by_role("button", name="Next: look at it").click()
    expect(page.get_by_label("A Vorname: holds")).to_have_value("first")
    look(page, "import-columns")
    page.get_by_role("button", name="Next: look at every row").click()
    look(page, "import-question")
    page.get_by_label("the day: 3 April 2026").check()
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_text("known as number 1")).to_be_visible()
    look(page, "import-check")
    page.get_by_role("button", name="Bring it in").click()
    look(page, "import-running")
    job = Job.objects.get(state=JobState.WAITING)
    jobs.run(job_id=job.pk, types=JOB_TYPES, clock=lambda: at(10**6))
    page.reload()
    expect(page.get_by_role("heading", name="It is done")).to_be_visible()
    look(page, "import-done")
    assert Person.objects.count() == 3
    page.get_by_role("link", name="Undo all of it").click()
    page.get_by_role("button", name="Undo this import").click()
    expect(page.get_by_text("the club is as it was before this import")).to_be_visible()
    assert Person.objects.count() == 1
