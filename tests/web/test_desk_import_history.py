"""The imports of a club at the desk: listed, looked at before they are undone, and undone."""

import html
import re
from typing import Any

import pytest

from benchmarks.hands import TABLES
from scoring.games import closing
from scoring.games.closing import Closing
from scoring.models import Game
from tests.scoring.archives import file, game, in_turn
from tests.scoring.club import DIRECTOR, at, make_club
from tests.scoring.transfer.test_import_undo import bring
from tests.web.desk import Director, director_of
from tournaments.models import Club, Import, Job, JobState, Player

pytestmark = pytest.mark.django_db


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", text))


def office() -> tuple[Director, Club, Import, str]:
    club = make_club()
    row = bring(club, file(in_turn([game(TABLES[0], 1, 3, "1"), game(TABLES[0], 2, 3, "2")])))
    return director_of(club, "admin"), club, row, f"/desk/clubs/{club.pk}/imports/"


def test_an_import_is_listed_and_undone_after_a_look_at_what_goes() -> None:
    admin, _club, row, path = office()
    listed = words(admin.get(path))
    assert "Records of hands a.phn" in listed
    assert "2 new games; 6 hands; 4 new players" in listed
    page = words(admin.get(f"{path}{row.pk}/"))
    assert "games: 2" in page
    assert "players: 4" in page
    form = admin.form(f"{path}{row.pk}/")
    done = admin.send(form, undo="all")
    assert done.status_code == 302
    after = words(admin.get(f"{path}{row.pk}/"))
    assert "the club is as it was before this import" in after
    assert "Undone on" in after
    assert "Undo this import" not in after
    assert not Game.objects.exists()
    assert not Player.objects.exists()


def test_what_was_built_upon_it_is_shown_and_stays() -> None:
    admin, _club, row, path = office()
    one = Game.objects.order_by("name").first()
    assert one is not None
    closing.close_game(game_id=one.pk, closing=Closing(reason="late"), by=DIRECTOR, at=at(1))
    page = words(admin.get(f"{path}{row.pk}/"))
    assert "changed since: game closed" in page
    form = admin.form(f"{path}{row.pk}/")
    refused = admin.send(form, undo="all")
    assert refused.status_code == 422
    assert "nothing was undone" in words(refused)
    assert Game.objects.count() == 2
    assert admin.send(admin.form(f"{path}{row.pk}/"), undo="rest").status_code == 302
    assert Game.objects.get() == one


def test_an_import_that_broke_off_says_so() -> None:
    admin, club, row, path = office()
    Import.objects.update(finished_at=None)
    assert "broke off" in words(admin.get(path))
    assert "import the same file again" in words(admin.get(f"{path}{row.pk}/"))
    job = Job.objects.create(
        club=club,
        kind="archive",
        state=JobState.RUNNING,
        by=DIRECTOR.label,
        source="page",
        created_at=at(),
    )
    Import.objects.update(job=job.pk)
    page = words(admin.get(f"{path}{row.pk}/"))
    assert "It is still running" in page
    assert "Undo this import" not in page


def test_an_import_of_another_club_is_not_there() -> None:
    _admin, _club, row, _path = office()
    other = make_club("Other")
    stranger = director_of(other, "admin")
    assert stranger.get(f"/desk/clubs/{other.pk}/imports/{row.pk}/").status_code == 404
