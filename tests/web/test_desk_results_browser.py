"""Nights with results only in a real browser: put down, brought in as a table, looked at."""

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.scoring.club import DIRECTOR, at, make_club, make_rules
from tests.web.conftest import Open
from tests.web.desk import give_role, make_account
from tests.web.test_desk_browser import PASSWORD, look, sign_in
from tests.web.window import publish_all
from tournaments.events.leagues import create_league
from tournaments.models import Event
from tournaments.people.members import NewPlayer, add_player

pytestmark = [
    pytest.mark.browser,
    pytest.mark.django_db(transaction=True),
]
NAMES = ("Nora Adams", "Eduard Maximilian von Hohenstaufen-Wittgenstein", "Zoë Bäcker", "Pat Oh")
TABLE = (
    "Saison 2024/25\n\n"
    "Spieler;12.09.;Abend 2 (10.10.);09.01.;Finale 6.2.;Summe\n"
    "Nora Adams;12;3½;-2;1.250,25;1.263,75\n"
    "Eduard Maximilian von Hohenstaufen-Wittgenstein;x;7;(4);20;27\n"
    "Zoe Becker;7;-;5;;13\n"
    "Pat O;1;2;drei;4;7\n"
)


def test_results_are_put_down_and_a_table_of_nights_is_brought_in(
    visit: Open, settings: Any, tmp_path: Path
) -> None:
    settings.FILES = str(tmp_path / "files")
    club = make_club(is_public=True)
    make_rules(club)
    give_role(make_account(password=PASSWORD), club, "admin")
    for name in NAMES:
        add_player(club_id=club.pk, new=NewPlayer(person={"name": name}), by=DIRECTOR, at=at())
    create_league(club_id=club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=at())
    page = sign_in(visit)
    page.goto(f"/desk/clubs/{club.pk}/")
    page.get_by_role("link", name="Results of a past night").click()
    page.get_by_label("Name").fill("Summer cup")
    page.get_by_label("When it was").fill("2025-06-28T19:30")
    page.get_by_label("It counts in the league").select_option(label="Autumn")
    look(page, "results-new")
    page.get_by_role("button", name="Go on to the results").click()
    page.get_by_label("Points of Nora Adams").fill("12½")
    page.get_by_label("Points of Zoë Bäcker").fill("a lot")
    page.get_by_role("button", name="Save the results").click()
    expect(page.get_by_text("'a lot' is no number")).to_be_visible()
    look(page, "results-wrong")
    page.get_by_label("Points of Zoë Bäcker").fill("1.234,5")
    page.get_by_role("button", name="Save the results").click()
    expect(page.get_by_text("The results are saved.")).to_be_visible()
    look(page, "results-night")
    publish_all()
    page.goto(f"/e/{Event.objects.get().pk}/")
    expect(page.get_by_text("results only; no hands were recorded")).to_be_visible()
    look(page, "results-event")
    path = tmp_path / "saison.csv"
    path.write_text(TABLE, encoding="utf-8")
    page.goto(f"/desk/clubs/{club.pk}/import/")
    page.get_by_label("Nights of the past").check()
    page.get_by_label("The file").set_input_files(path)
    look(page, "nights-file")
    page.get_by_role("button", name="Read it").click()
    look(page, "nights-columns")
    page.get_by_role("button", name="Go on").click()
    page.get_by_label("a new one, called as the table").check()
    page.get_by_label("They become members").check()
    page.get_by_label("All nights count.").check()
    for group in page.get_by_role("group", name="Is ").all():
        group.get_by_label("I do not know yet").check()
    look(page, "nights-question")
    page.get_by_role("button", name="Show me the result").click()
    expect(page.get_by_text("is it Zoë Bäcker?")).to_be_visible()
    look(page, "nights-check")
    page.get_by_role("button", name="Import it").click()
    look(page, "nights-running")
