"""A club's backup at the desk: made by a worker, taken away, and said how it comes back."""

import html
import io
import re
from pathlib import Path
from typing import Any

import pytest

from scoring.jobs.kinds import JOB_TYPES
from scoring.transfer import bundling
from tests.scoring.club import at, enter, make_club, make_game, make_rules
from tests.web.desk import Director, director_of
from tests.web.texts import REVOKE
from tournaments import jobs
from tournaments.models import Club, Job

pytestmark = pytest.mark.django_db


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", text))


@pytest.fixture
def office(settings: Any, tmp_path: Path) -> tuple[Director, Club, str]:
    settings.FILES = tmp_path
    club = make_club()
    enter(make_game(club, make_rules(club, "bicycle")), REVOKE.encode())
    return director_of(club, "admin"), club, f"/desk/clubs/{club.pk}/backup/"


def worked() -> Job:
    job = Job.objects.get()
    jobs.run(job_id=job.pk, types=JOB_TYPES, clock=lambda: at(10**6), seconds=60)
    job.refresh_from_db()
    return job


def test_a_backup_is_made_once_and_is_the_bundle_of_the_club(office: Any) -> None:
    admin, club, path = office
    form = admin.form(path)
    for _ in range(2):
        assert admin.send(form).headers["Location"] == path
    page = admin.get(path)
    assert "data-busy" in page.content.decode()
    assert "a worker begins in a moment" in words(page)
    job = worked()
    page = admin.get(path)
    assert "data-busy" not in page.content.decode()
    assert job.outcome["head"] in page.content.decode()
    link = re.search(r'href="([^"]*/file)"', page.content.decode())
    assert link is not None
    answer = admin.get(link[1])
    taken = b"".join(answer.streaming_content)
    assert taken == b"".join(bundling.write(club))
    assert "attachment" in answer["Content-Disposition"]
    assert bundling.restore(io.BytesIO(taken), dry_run=True).was_there


def test_how_much_is_written_is_said_while_it_is(office: Any) -> None:
    admin, _club, path = office
    admin.send(admin.form(path))
    Job.objects.get().result_path.write_bytes(b"x" * 2048)
    assert "2.0 KB written so far" in words(admin.get(path))


def test_a_backup_that_failed_says_why(office: Any) -> None:
    admin, _club, path = office
    admin.send(admin.form(path))
    Job.objects.update(params={"what": "members", "format": "bundle"})
    assert worked().state == "failed"
    assert "Members cannot be written as bundle" in words(admin.get(path))


def test_only_three_are_made_at_once(office: Any) -> None:
    admin, _club, path = office
    for _ in range(3):
        admin.send(admin.form(path))
    answer = admin.send(admin.form(path))
    assert answer.status_code == 422
    assert "3 jobs at once" in words(answer)


def test_only_an_admin_takes_a_club_away(office: Any) -> None:
    _admin, club, path = office
    for kind in ("player", "director", "treasurer"):
        one = director_of(club, kind, f"A {kind}")
        assert one.get(path).status_code == 403
        assert 'backup/"' not in one.get(f"/desk/clubs/{club.pk}/").content.decode()
    stranger = director_of(make_club("Another"), "admin", "Ivo Boom")
    assert stranger.get(path).status_code == 404


def test_how_it_comes_back_is_said(office: Any) -> None:
    admin, _club, path = office
    page = words(admin.get(path))
    for command in ("import club.bundle --dry-run", "backup painsuit", "restore painsuit"):
        assert f"python3 manage.py {command}" in page
