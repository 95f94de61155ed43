"""Archives by upload and by command: the quota, the kill in the middle, the exit status."""

import json
import re
import signal
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlencode
from uuid import UUID

import pytest
from django.core.management import call_command

from benchmarks.hands import TABLES
from scoring.games import closing
from scoring.games.closing import Closing
from scoring.jobs.kinds import JOB_TYPES
from scoring.models import Game, Hand
from scoring.transfer.verifying import look_at_games
from tests.api.asking import account_of, check_problem, club_of, signed_in
from tests.children import run_main
from tests.committing import shared_database
from tests.scoring.archives import bring, file, game, in_turn, night
from tests.scoring.club import DIRECTOR, at, make_club, make_rules
from tournaments import jobs
from tournaments.jobs import UPLOAD_BYTES_MAX
from tournaments.models import Import, Job, JobState, Person

__all__ = ["shared_database"]
pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    settings.FILES = str(tmp_path / "files")
    return tmp_path / "files"


def work() -> Job:
    while due := Job.objects.due_names(at(10**6), 10):
        for name, _since in due:
            jobs.run(job_id=UUID(name), types=JOB_TYPES, clock=lambda: at(10**6), seconds=0)
    return Job.objects.latest("created_at")


def test_an_archive_comes_in_by_upload_and_tells_how_far_it_is() -> None:
    admin = account_of("admin@club.example")
    club, asking = club_of(admin), signed_in(admin)
    text = file(in_turn(night(4, hands=3)))
    path = f"/api/v1/clubs/{club.pk}/imports?kind=archive"
    tried = asking.post(f"{path}&dry_run=true", text)
    assert tried.status_code == 202, tried.content
    assert work().outcome["hands"] == 12
    assert not Game.objects.exists()
    answer = asking.post(path, text)
    assert answer.json()["state"] == "waiting"
    job = work()
    shown = asking.get(f"/api/v1/jobs/{job.pk}").json()
    assert (shown["state"], shown["done"], shown["total"]) == ("done", 12, 12)
    assert (shown["outcome"]["hands"], shown["outcome"]["new_players"]) == (12, 5)
    assert Hand.objects.count() == 12
    assert not look_at_games(list(Game.objects.values_list("pk", flat=True))).differences


def test_what_is_no_archive_or_too_much_is_refused_with_words(files: Path) -> None:
    admin = account_of("admin@club.example")
    club, asking = club_of(admin), signed_in(admin)
    path = f"/api/v1/clubs/{club.pk}/imports?kind=archive"
    check_problem(asking.post(path, b""), "EMPTY")
    check_problem(asking.post(path, b"x" * (UPLOAD_BYTES_MAX + 1)), "TOO_LONG")
    check_problem(asking.post(f"{path}&rules=whist", b"text"), "RULES")
    check_problem(asking.post(path, b"text", Content_Encoding="gzip"), "MEDIA_TYPE")
    asking.post(path, b'[A "b"]\n\n' * (jobs.UPLOAD_HANDS_MAX + 1))
    job = work()
    assert job.state == JobState.FAILED
    assert "10000 hands" in job.outcome["why"]
    assert not list(files.iterdir())


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
@pytest.mark.parametrize(
    ("chunk", "where"), [(1, "before"), (2, "Hand"), (2, "Result"), (3, "after"), (3, "AuditEntry")]
)
def test_killed_in_the_middle_an_import_ends_right_and_complete(
    chunk: int, where: str, files: Path
) -> None:
    texts = file(in_turn(night(4, hands=3)))
    club, twin = make_club("killed"), make_club("whole")
    wanted = jobs.JobRequest(kind="archive", upload=texts)
    job = jobs.create(club_id=club.pk, request=wanted, by=DIRECTOR, at=at())
    status = run_main(
        "tests.scoring.transfer.import_and_die", str(job.pk), str(files), str(chunk), where
    )
    assert status == -signal.SIGKILL
    assert Hand.objects.count() == 4 * (chunk - 1)
    job = work()
    assert (job.state, job.outcome["hands"], job.outcome["known"]) == (JobState.DONE, 12, 0)
    bring(twin, texts)
    told = [
        list(Game.objects.filter(club=one).order_by("name").values_list("name", "state", "booked"))
        for one in (club, twin)
    ]
    assert told[0] == told[1]
    assert not look_at_games(list(Game.objects.values_list("pk", flat=True))).differences
    assert Person.objects.filter(player__club=club).count() == 5


def test_the_command_brings_in_archives_and_says_what_it_did(tmp_path: Path) -> None:
    club, path = make_club(), tmp_path / "night.phn"
    records = game(TABLES[0], 1, hands=3)
    path.write_bytes(file(records))
    out = StringIO()
    call_command("import", str(path), club=str(club.pk), stdout=out, dry_run=True)
    assert "would be stored: 3 hands of 1 new games, 4 new players" in out.getvalue()
    assert not Game.objects.exists()
    call_command("import", str(path), club=club.name, stdout=out)
    assert Hand.objects.count() == 3
    path.write_bytes(file([*records, "nonsense\n"]))
    with pytest.raises(SystemExit) as exit_:
        call_command("import", str(path), club=club.name, stdout=out)
    assert exit_.value.code == 1
    assert "there already: 3" in out.getvalue()
    assert f"{path}:" in out.getvalue().splitlines()[-3]
    with pytest.raises(SystemExit) as exit_:
        call_command("import", str(path), club="nowhere", stdout=out, stderr=StringIO())
    assert exit_.value.code == 2


def test_the_command_undoes_an_import_and_lists_what_there_was(tmp_path: Path) -> None:
    club, path = make_club(), tmp_path / "night.phn"
    path.write_bytes(file(game(TABLES[0], 1, hands=3)))
    out = StringIO()
    call_command("import", str(path), club=str(club.pk), stdout=out)
    row = Import.objects.get()
    assert f"import {row.pk}: manage.py import --undo takes it back" in out.getvalue()
    assert (row.file_name, row.counts["hands"]) == ("night.phn", 3)
    assert row.finished_at is not None
    call_command("import", undo=str(row.pk), stdout=out, dry_run=True)
    assert "would go: 1 games, 4 players" in out.getvalue()
    assert Game.objects.exists()
    closing.close_game(
        game_id=Game.objects.get().pk, closing=Closing(reason="late"), by=DIRECTOR, at=at(1)
    )
    refused = StringIO()
    with pytest.raises(SystemExit) as exit_:
        call_command("import", undo=str(row.pk), stdout=refused, stderr=refused)
    assert exit_.value.code == 2
    assert "changed since: game closed" in refused.getvalue()
    assert "--rest undoes the rest" in refused.getvalue()
    call_command("import", undo=str(row.pk), rest=True, stdout=out)
    assert "undone: nothing" in out.getvalue()
    call_command("import", club=str(club.pk), list=True, stdout=out)
    assert f"{row.pk}  " in out.getvalue()
    assert re.search(r"undone  night.phn: games 1, hands 3, .*records 3", out.getvalue())
    with pytest.raises(SystemExit):
        call_command("import", undo="nonsense", stdout=out, stderr=StringIO())


def test_an_import_is_read_and_undone_by_the_api() -> None:
    admin = account_of("admin@club.example")
    club, asking = club_of(admin), signed_in(admin)
    path = f"/api/v1/clubs/{club.pk}/imports"
    asking.post(f"{path}?kind=archive", file(in_turn(night(2, hands=3))))
    work()
    (listed,) = asking.get(path).json()["items"]
    assert (listed["kind"], listed["counts"]["hands"], listed["undone_at"]) == ("archive", 6, None)
    one = f"/api/v1/imports/{listed['id']}"
    shown = asking.get(one).json()["undo"]
    assert shown["removes"]["games"] == 2
    assert (shown["obstacles"], shown["obstacle_count"]) == ([], 0)
    first = Game.objects.order_by("pk").first()
    assert first is not None
    closing.close_game(game_id=first.pk, closing=Closing(reason="late"), by=DIRECTOR, at=at(1))
    check_problem(asking.post(f"{one}/undo", {}), "CONFLICT")
    assert Game.objects.count() == 2
    shown = asking.get(one).json()["undo"]
    assert {"what": first.name, "why": "changed since: game closed"} in shown["obstacles"]
    undone = asking.post(f"{one}/undo", {"leave_obstacles": True})
    assert undone.status_code == 200, undone.content
    assert undone.json()["undone_by"]
    assert Game.objects.get() == first


def test_a_dry_run_says_what_it_understood(tmp_path: Path) -> None:
    admin = account_of("admin@club.example")
    club, asking = club_of(admin), signed_in(admin)
    first = game(TABLES[0], 1, hands=3, name="1")
    bring(club, file(first))
    known = Person.objects.order_by("player__number").first()
    assert known is not None
    Person.objects.filter(pk=known.pk).update(name=f"{known.name}son")
    another = game(TABLES[0], 5, hands=2, name="1")[1]
    new = game(TABLES[2], 2, hands=2, name="2")
    text = file([first[0], another, "nonsense\n", *new])
    path = f"/api/v1/clubs/{club.pk}/imports?kind=archive&dry_run=true"
    asking.post(path, text)
    undecided = work()
    assert undecided.outcome["preview"]["game_count"] == 1
    assert f"no member is called {known.name!r}; is it {known.name}son (" in str(undecided.problems)
    asking.post(f"{path}&{urlencode({'people': json.dumps({known.name: 'new'})})}", text)
    outcome = work().outcome
    preview = outcome["preview"]
    assert outcome["conflicts"] == 1
    (conflict,) = [one for one in work().problems if one["conflict"]]
    assert conflict["line"] > 1
    told = [(one["name"], one["is_new"], one["new_hands"]) for one in preview["games"]]
    assert len(told) == preview["game_count"] == 2
    assert [is_new for _name, is_new, _hands in told] == [False, True]
    assert preview["games"][1]["players"]
    assert preview["games"][0]["date"] == "2019-03-14"
    assert preview["known_game_count"] == 1
    (similar,) = [one for one in preview["new_people"] if one["name"] == known.name]
    assert similar["similar"] == [{"name": f"{known.name}son", "number": known.player.number}]
    assert {one["number"] for one in preview["known_people"]}
    assert not Import.objects.exists(), "nothing was written"
    archive = tmp_path / "night.phn"
    archive.write_bytes(text)
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command("import", str(archive), club=str(club.pk), stdout=out, dry_run=True)
    assert f"new: {known.name}; is this {known.name}son ({known.player.number})?" in out.getvalue()


TABLE = "Platz;Name;12.09.;19.09.;Gesamt\n1;Ann;2;3;5\n2;Bob;4;3;7\n3;Cy;1;1;2\n"


def test_the_api_asks_and_has_differences_accepted() -> None:
    admin = account_of("admin@club.example")
    club, asking = club_of(admin), signed_in(admin)
    make_rules(club)
    path = f"/api/v1/clubs/{club.pk}/imports?kind=nights&year=2025"
    asking.post(f"{path}&dry_run=true", TABLE.encode())
    outcome = asking.get(f"/api/v1/jobs/{work().pk}").json()["outcome"]
    assert outcome["difference_count"] == 2
    assert outcome["differences"][0] == {
        "line": 2, "column": 1, "message": "place 2 in the league, 1 in the file",
    }  # fmt: skip
    assert "All nights count." in outcome["understood"]
    asking.post(path, TABLE.encode())
    job = work()
    assert job.state == JobState.FAILED
    assert "First: Row 2, column A: place 2 in the league, 1 in the file." in job.outcome["why"]
    asking.post(f"{path}&accept_differences=true", TABLE.encode())
    assert work().state == JobState.DONE
    asking.post(f"{path}&dry_run=true", b"Name;1.9.;8.9.\nAnn;5;6\nBob;7;(4)\n")
    outcome = work().outcome
    assert outcome["questions"] == ["marked"]
    assert outcome["details"]["marked"] == {
        "examples": ["(4)"], "answers": ["dropped", "negative", "counted"],
    }  # fmt: skip


def test_days_and_moments_in_one_table_end_a_job_well() -> None:
    admin = account_of("admin@club.example")
    club, asking = club_of(admin), signed_in(admin)
    make_rules(club)
    path = f"/api/v1/clubs/{club.pk}/imports?kind=nights&league=none"
    asking.post(path, b"Name,12.09.2025,19.09.2025 20:00\nAnn,12,3\nBob,1,2\nCheck,0,0\n")
    job = work()
    assert "In the file: 'Check'." in job.outcome["why"]
    answers = quote('{"footer": "leave-out"}')
    asking.post(
        f"{path}&answers={answers}",
        b"Name,12.09.2025,19.09.2025 20:00\nAnn,12,3\nBob,1,2\nCheck,0,0\n",
    )
    job = work()
    assert (job.state, job.outcome["new"]) == (JobState.DONE, 4)
    for wrong in ('{"footer": "maybe"}', '{"shoes": "take"}'):
        refused = asking.post(f"{path}&answers={quote(wrong)}", b"Name\nAnn\n")
        check_problem(refused, "UNPROCESSABLE")
    archive = f"/api/v1/clubs/{club.pk}/imports?kind=archive&new=none"
    check_problem(asking.post(archive, b"% PHN 1.0\n"), "UNPROCESSABLE")


def command(*files: str, **options: Any) -> tuple[int, str]:
    """The exit status of the command and what it printed."""
    out = StringIO()
    try:
        call_command("import", *files, stdout=out, stderr=out, **options)
    except SystemExit as exit_:
        return int(exit_.code or 0), out.getvalue()
    return 0, out.getvalue()


def test_the_command_names_options_as_they_are_written(tmp_path: Path) -> None:
    club, path = make_club(), tmp_path / "season.csv"
    path.write_text(TABLE)
    wanted: dict[str, Any] = {"club": str(club.pk)}
    status, said = command("nights", str(path), **wanted)
    assert (status, "--option rule_set=" in said) == (2, True), said
    make_rules(club)
    status, said = command("nights", str(path), **wanted)
    assert (status, "in which year the first night was. (--option year=2026 | 2025" in said) == (
        2,
        True,
    )
    wanted["option"] = ["year=2025"]
    status, said = command("nights", str(path), **wanted, dry_run=True)
    assert status == 1
    assert "Row 2, column A: place 2 in the league, 1 in the file" in said
    assert "(--accept-differences)" in said
    status, said = command("nights", str(path), **wanted)
    assert (status, "(--accept-differences)" in said) == (2, True), said
    status, said = command("nights", str(path), **wanted, new="visitor")
    assert (status, "--new is for archives; tables have --option" in said) == (2, True), said
    accepted, said = command("nights", str(path), **wanted, accept_differences=True)
    assert (accepted, Import.objects.filter(kind="nights").count()) == (1, 1), said
    path.write_text("Name;1.9.;8.9.\nAnn;5;6\nBob;7;(4)\n")
    status, said = command("nights", str(path), **wanted)
    assert status == 2
    assert "In the file: '(4)'. (--answer marked=dropped | negative | counted)" in said
    status, said = command("nights", str(path), **wanted, answer=["marked=negative"])
    assert (status, "Results such as (4) are negative." in said) == (0, True), said
    for option in re.findall(r"--[a-z-]+", said):
        assert option in ("--undo",)
