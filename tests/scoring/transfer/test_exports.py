"""Exports: every kind in every format, right, harmless, and cancelled half-way without a trace."""

import csv
import json
import re
import signal
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, date, datetime
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from uuid import UUID
from xml.sax.saxutils import unescape
from zipfile import ZipFile

import pytest
from django.db import connections
from django.test import RequestFactory
from django.utils.text import slugify
from openpyxl import load_workbook

from engine.notation.reader import Reader
from scoring.jobs.kinds import JOB_TYPES as JOBS
from scoring.models import Game, Hand, HandVersion
from scoring.models.transfer import Transfer
from scoring.presentation.files import file_name
from scoring.submissions.reading import read_hand
from scoring.transfer import exporting
from scoring.transfer.bundling import heads_of
from scoring.transfer.exporting import KINDS, ExportRequest
from tests.api.asking import Asking, account_of, check_problem, club_of, signed_in
from tests.children import run_main
from tests.committing import shared_database
from tests.scoring.archives import bring, file, in_turn, night
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.publishing.nights import Night
from tournaments import jobs
from tournaments.api.files import download
from tournaments.models import (
    Account,
    Club,
    Event,
    Job,
    JobState,
    League,
    LeagueEvent,
    Person,
    Published,
    Result,
    Round,
    RuleSet,
    Scope,
    StandingsDecision,
    Table,
    Verdict,
)
from tournaments.people.members import NewPlayer, add_player
from tournaments.tables.formats import FORMATS

__all__ = ["shared_database"]

pytestmark = pytest.mark.django_db
OF_GAMES = (("results", "csv"), ("hands", "csv"), ("hands", "phn"), ("chips", "csv"))
EVIL = '=HYPERLINK("http://evil.example", "x")'


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    settings.FILES = str(tmp_path / "files")
    return tmp_path / "files"


@pytest.fixture
def club() -> Club:
    found = club_of(account_of("admin@club.example"), is_public=True)
    new = NewPlayer(person={"name": EVIL, "email": "x@example.org", "phone": "+31 6"})
    add_player(club_id=found.pk, new=new, by=DIRECTOR, at=at())
    bring(found, file(in_turn(night(4, hands=2))))
    return found


@pytest.fixture
def asking(club: Club) -> Asking:
    return signed_in(Account.objects.get())


def event_of(club: Club) -> Event:
    rules = RuleSet.objects.create(
        club=club, name="x", version=1, preset="bicycle", digest="x", made_by="t", created_at=at()
    )
    return Event.objects.create(
        club=club,
        name="Cup; spring, 1\nBEGIN:VALARM",
        starts_at=at(),
        rule_set=rules,
        rounds=1,
        hands=8,
        seed="1",
        created_at=at(),
    )


def got(asking: Asking, what: str, format_: str = "csv", **more: object) -> bytes:
    words = "".join(f"&{name}={value}" for name, value in more.items())
    path = f"/api/v1/clubs/{Club.objects.get().pk}/exports"
    answer = asking.get(f"{path}?what={what}&format={format_}{words}")
    assert answer.status_code == 200, answer.content
    assert answer["Painsuit-Trail-Head"] == heads_of(Club.objects.get().pk).all
    data: bytes = answer.getvalue()
    return data


def table(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(data.decode("utf-8-sig"))))


def test_every_row_is_there_and_says_what_the_database_says(asking: Asking) -> None:
    hands = table(got(asking, "hands", ids="true"))
    assert {row["hand_id"] for row in hands} == {str(hand.pk) for hand in Hand.objects.all()}
    assert len(table(got(asking, "results"))) == Result.objects.count()
    chips = table(got(asking, "chips"))
    posted = Transfer.objects.filter(payer__unit="chips").order_by("id")
    assert [int(row["Entry no."]) for row in chips] == list(posted.values_list("pk", flat=True))
    assert [int(row["Chips"]) for row in chips] == list(posted.values_list("amount", flat=True))
    assert len(table(got(asking, "members"))) == Person.objects.count()
    assert table(got(asking, "trail", ids="true"))[0]["digest"]


@pytest.mark.parametrize("what", sorted(set(KINDS) - {"standings", "club"}))
def test_every_kind_goes_out_in_every_format(
    asking: Asking, what: str, subtests: pytest.Subtests
) -> None:
    for format_ in sorted(FORMATS):
        with subtests.test(format_):
            data = got(asking, what, format_)
            assert len(data) > 30
            if format_ == "json":
                assert json.loads(data)


def test_records_go_out_whole_and_say_nothing_else_of_their_hands(asking: Asking) -> None:
    data = got(asking, "hands", "phn")
    entries = list(Reader(data))
    kept = HandVersion.objects.order_by("hand__game__opened_at", "hand__game_id", "hand__number")
    assert [entry.content for entry in entries] == [
        read_hand(bytes(version.text)).entry.content for version in kept
    ]
    named = [str(version.hand.game_id) for version in kept.select_related("hand")]
    assert [entry.value("GameId") for entry in entries] == named
    assert all(entry.canonical for entry in entries)
    assert {entry.value("Site") for entry in entries} == {Club.objects.get().name}
    numbers = {row["Id"] for entry in entries for row in entry.table("SeatTable")}
    assert numbers == {
        str(number) for number in Result.objects.values_list("player__number", flat=True)
    }
    assert bring(Club.objects.get(), data).known == len(entries)


@pytest.mark.parametrize("format_", ["csv", "xlsx", "html"])
def test_a_name_that_is_a_formula_computes_nothing(asking: Asking, format_: str) -> None:
    data = got(asking, "members", format_)
    if format_ == "xlsx":
        sheet = load_workbook(BytesIO(data)).worksheets[0]
        cells = [
            cell for row in sheet.iter_rows() for cell in row if "HYPERLINK" in str(cell.value)
        ]
        assert cells
        assert all(cell.data_type == "s" for cell in cells)
    elif format_ == "csv":
        assert [row["Name"] for row in table(data) if "HYPERLINK" in row["Name"]] == [f"'{EVIL}"]
    else:
        assert b"&quot;http" in data or b"&#34;http" in data or b'"http' not in data


def test_what_cannot_be_is_refused(asking: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    path = f"/api/v1/clubs/{Club.objects.get().pk}/exports"
    mine, unknown = event_of(Club.objects.get()), UUID(int=7)
    theirs = event_of(Club.objects.create(name="Others", created_at=at()))
    for query, field in (
        ("what=members&format=phn", "format"),
        ("what=members&format=bundle", "format"),
        ("what=club&format=xlsx", "format"),
        ("what=standings&format=phn", "format"),
        ("what=standings&format=csv", "event"),
        (f"what=trail&format=csv&event={mine.pk}", "event"),
        (f"what=trail&format=csv&league={unknown}", "league"),
        (f"what=hands&format=csv&event={mine.pk}&league={unknown}", "league"),
        ("what=secrets&format=csv", "what"),
    ):
        problem = check_problem(asking.get(f"{path}?{query}"), "VALUE")
        assert problem["where"] == {"key": field}
        asked = dict(part.split("=") for part in query.split("&"))
        assert check_problem(asking.post(path, asked), "VALUE")["where"] == {"key": field}
    for query in (f"event={unknown}", f"event={theirs.pk}", f"league={unknown}"):
        for kind in ("standings", "results", "hands", "chips", "money"):
            asked = {"what": kind, "format": "csv", **dict([query.split("=")])}
            problem = check_problem(asking.post(path, asked), "UNPROCESSABLE")
            assert problem["where"] == {"key": query.split("=")[0]}
            check_problem(asking.get(f"{path}?what={kind}&format=csv&{query}"), "UNPROCESSABLE")
    assert not Job.objects.exists()
    monkeypatch.setattr(exporting.files, "SMALL", 3)
    check_problem(asking.get(f"{path}?what=hands&format=csv"), "UNPROCESSABLE")


def work(job: UUID) -> Job:
    jobs.run(job_id=job, types=JOBS, clock=lambda: at(10**6), seconds=60)
    return Job.objects.get(pk=job)


def test_a_long_export_is_a_job_and_its_file_is_that_of_the_short_way(asking: Asking) -> None:
    path = f"/api/v1/clubs/{Club.objects.get().pk}/exports"
    answer = asking.post(path, {"what": "club", "format": "bundle"})
    assert answer.status_code == 202
    job = work(UUID(answer.json()["id"]))
    assert job.state == JobState.DONE
    taken = asking.get(f"/api/v1/jobs/{job.pk}/file")
    whole = taken.getvalue()
    assert whole == got(asking, "club", "bundle")
    assert job.file_name in taken["Content-Disposition"]
    assert taken["Content-Type"] == "application/jsonl"
    where = f"/api/v1/jobs/{job.pk}/file"
    assert asking.get(where, Accept="application/jsonl").getvalue() == whole
    bare = asking.get(where, Accept="application/octet-stream")
    assert bare["Content-Type"] == "application/octet-stream"
    check_problem(asking.get(where, Accept="text/csv"), "NOT_ACCEPTABLE")


@pytest.mark.django_db(transaction=True)
def test_an_export_cancelled_half_way_leaves_nothing(
    asking: Asking, files: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"/api/v1/clubs/{Club.objects.get().pk}/exports"
    number = UUID(asking.post(path, {"what": "hands", "format": "csv"}).json()["id"])
    part = exporting.export_part

    def cancelled(job: Job, moment: datetime) -> jobs.Part:
        made = part(job, moment)
        assert list(files.iterdir())
        Job.objects.filter(pk=number).update(state=JobState.CANCELLED, due_at=None)
        return made

    types = {"export": jobs.JobType(cancelled)}  # which cancels itself, and so writes
    jobs.run(job_id=number, types=types, clock=lambda: at(10**6))
    jobs.cancel(job_id=number, at=at())
    assert not list(files.iterdir())
    check_problem(asking.get(f"/api/v1/jobs/{number}/file"), "NOT_FOUND")


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database", "files")
def test_hands_come_in_while_a_long_export_is_made(asking: Asking) -> None:
    club = Club.objects.get()
    path = f"/api/v1/clubs/{club.pk}/exports"
    number = UUID(asking.post(path, {"what": "club", "format": "bundle"}).json()["id"])

    def write() -> None:
        Club.objects.filter(pk=club.pk).update(name="Renamed meanwhile")
        connections.close_all()

    def part(job: Job, moment: datetime) -> jobs.Part:
        assert Club.objects.get().name == club.name
        with ThreadPoolExecutor(1) as others:
            others.submit(write).result()
        assert Club.objects.get().name == club.name
        return exporting.export_part(job, moment)

    types = {"export": jobs.JobType(part, is_read_only=True)}
    jobs.run(job_id=number, types=types, clock=lambda: at(10**6))
    assert Club.objects.get().name == "Renamed meanwhile"
    assert b"Renamed" not in asking.get(f"/api/v1/jobs/{number}/file").getvalue()


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("shared_database")
def test_an_export_whose_worker_is_killed_is_made_anew_by_itself(
    asking: Asking, files: Path
) -> None:
    club = Club.objects.get()
    path = f"/api/v1/clubs/{club.pk}/exports"
    number = UUID(asking.post(path, {"what": "hands", "format": "phn"}).json()["id"])
    status = run_main("tests.scoring.transfer.export_and_die", str(number), str(files), "5")
    assert status == -signal.SIGKILL
    seen = asking.get(f"/api/v1/jobs/{number}").json()
    assert (seen["state"], seen["file_name"]) == ("running", None)
    assert seen["done"] > 100_000
    check_problem(asking.get(f"/api/v1/jobs/{number}/file"), "NOT_FOUND")
    job = Job.objects.get(pk=number)
    assert job.due_at is not None
    assert Job.objects.due_names(job.due_at, 9) == [(str(number), job.due_at)]
    assert work(number).state == JobState.DONE
    seen = asking.get(f"/api/v1/jobs/{number}").json()
    taken = asking.get(f"/api/v1/jobs/{number}/file").getvalue()
    assert taken == got(asking, "hands", "phn")
    assert (seen["state"], seen["done"], seen["total"]) == ("done", len(taken), len(taken))


def test_published_standings_go_out_with_names_for_who_may_know_them(
    asking: Asking, club: Club
) -> None:
    played = Night(club=club, players=4)
    names = ["Quist, Nora", "Rask, Ed", "Sund, Ann", "Toft, Bo"]
    for player, name in zip(played.players, names, strict=True):
        Person.objects.filter(player=player).update(name=name)
    path = f"/api/v1/clubs/{club.pk}/standings-file?format=csv&event={played.event.pk}"
    check_problem(Asking().get(path), "UNPROCESSABLE")
    (game,) = played.seat(1)
    played.play(game, [13, 0, 0, 0], [0, 13, 0, 0])
    played.publish()
    mine, theirs = table(asking.get(path).getvalue()), table(Asking().get(path).getvalue())
    assert sorted(line["Name"] for line in mine) == names
    assert sorted(line["Name"] for line in theirs) == ["Ann S.", "Bo T.", "Ed R.", "Nora Q."]
    assert "Member no." in mine[0]
    assert "Member no." not in theirs[0]
    assert [line["Chips"] for line in mine] == [line["R1"] for line in mine]
    event = played.event
    row = Published.objects.get(scope=Scope.EVENT, subject=event.pk)
    page = path.replace("csv", "html")
    assert b"Provisional" in asking.get(page).getvalue()
    assert (
        name_of(asking.get(path))
        == f"hearts-{event.starts_at:%Y-%m-%d}-{slugify(event.name)}-standings-v1-provisional.csv"
    )
    StandingsDecision.objects.create(
        published=row, number=1, version=1, verdict=Verdict.OFFICIAL, by=DIRECTOR.label, at=at()
    )
    Published.objects.filter(pk=row.pk).update(official=1)
    assert b"Official since" in asking.get(page).getvalue()
    assert (
        name_of(asking.get(page))
        == f"hearts-{event.starts_at:%Y-%m-%d}-{slugify(event.name)}-standings-v1-official.html"
    )


def name_of(answer: Any) -> str:
    found = re.search(r'filename="(.*)"', answer["Content-Disposition"])
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("club_name", "name"),
    [
        ("Leiden Hearts & Spades", "leiden-hearts-spades-2023-11-15-members.csv"),
        ("Žižkov Pik", "zizkov-pik-2023-11-15-members.csv"),
        ("نادي القلوب", "نادي-القلوب-2023-11-15-members.csv"),
        ("ハーツ会", "ハーツ会-2023-11-15-members.csv"),
        ("♥♥♥", "club-2023-11-15-members.csv"),
        ("x" * 200, f"{'x' * 60}-2023-11-15-members.csv"),
    ],
)
def test_a_file_has_a_readable_name_whatever_the_club_is_called(
    club: Club, club_name: str, name: str
) -> None:
    club.name = club_name
    wanted = ExportRequest(what="members", format="csv")
    made = exporting.export(club, wanted, datetime(2023, 11, 15, tzinfo=UTC))
    assert made.name == name
    header = download(RequestFactory().get("/"), [], made.name, "text/csv")["Content-Disposition"]
    assert name.isascii() == ("filename*=" not in header)


def test_only_the_games_of_an_event_or_a_league_are_in_its_file(asking: Asking, club: Club) -> None:
    event = event_of(club)
    league = League.objects.create(club=club, name="Season", created_at=at())
    LeagueEvent.objects.create(league=league, event=event, number=1)
    for what, form in OF_GAMES:
        whole = got(asking, what, form)
        assert len(got(asking, what, form, event=event.pk)) < len(whole)
        assert len(got(asking, what, form, league=league.pk)) < len(whole)
    round_ = Round.objects.create(event=event, number=1, drawn_at=at())
    Game.objects.update(table=Table.objects.create(round=round_, number=1, size=4))
    for what, form in OF_GAMES:
        whole = got(asking, what, form)
        assert got(asking, what, form, event=event.pk) == whole
        assert got(asking, what, form, league=league.pk) == whole


def test_a_file_is_in_the_language_of_who_asks_for_it(asking: Asking, club: Club) -> None:
    german = Asking(asking.client, {**asking.headers, "Accept-Language": "de"})
    event = event_of(club)
    at_once = got(german, "results", "html", event=event.pk).decode()
    path = f"/api/v1/clubs/{club.pk}/exports"
    asked = {"what": "results", "format": "html", "event": str(event.pk)}
    job = work(UUID(german.post(path, asked).json()["id"]))
    later = asking.get(f"/api/v1/jobs/{job.pk}/file").getvalue().decode()
    for page in (at_once, later):
        assert '<html lang="de">' in page
        assert "Hausregeln: x" in page
        assert "House rules" not in page
    assert job.file_name == f"hearts-{event.starts_at:%Y-%m-%d}-{slugify(event.name)}-results.html"


def test_a_semicolon_csv_has_decimal_commas(asking: Asking, club: Club) -> None:
    data = got(asking, "results", "csv-semicolon").decode("utf-8-sig")
    assert csv.Sniffer().sniff(data.splitlines()[0]).delimiter == ";"
    commas = list(csv.reader(StringIO(got(asking, "results").decode("utf-8-sig"))))
    assert list(csv.reader(StringIO(data), delimiter=";")) == commas


def test_a_sheet_of_hands_carries_the_records_of_the_archive(asking: Asking) -> None:
    records = [entry.text.strip() for entry in Reader(got(asking, "hands", "phn"))]
    sheet = ZipFile(BytesIO(got(asking, "hands", "ods"))).read("content.xml")
    document = unescape(sheet.decode())
    for record in records:
        assert all(line in document for line in record.split("\n")[1:6])


@pytest.mark.parametrize("format_", ["csv", "xlsx", "json"])
def test_tables_of_hands_carry_the_records_of_the_archive(asking: Asking, format_: str) -> None:
    records = [entry.text.strip() for entry in Reader(got(asking, "hands", "phn"))]
    data = got(asking, "hands", format_)
    if format_ == "csv":
        cells = [row["Record"] for row in table(data)]
    elif format_ == "xlsx":
        rows = list(load_workbook(BytesIO(data)).worksheets[0].values)
        at_column = next(row.index("Record") for row in rows if "Record" in row)
        cells = [str(row[at_column]) for row in rows if str(row[at_column]).startswith("% PHN")]
    else:
        cells = [row["record"] for row in json.loads(data)["tables"][0]["rows"]]
    assert [cell.removeprefix("% PHN 1.0\n").strip() for cell in cells] == records
    entry = next(iter(Reader(cells[0])))
    assert entry.value("South"), "the names are in it"
    assert entry.value("GameId")


@pytest.mark.parametrize(
    ("name", "slug"), [("Žižkov Cup", "zizkov-cup"), ("ハーツ", "ハーツ"), ("♥", "event")]
)
def test_a_file_of_an_event_carries_its_name(name: str, slug: str) -> None:
    event = Event(name=name, club=Club(name="Leiden Hearts"))
    made = file_name(event, date(2026, 11, 20), "standings", "csv")
    assert made == f"leiden-hearts-2026-11-20-{slug}-standings.csv"
    header = download(RequestFactory().get("/"), [], made, "text/csv")["Content-Disposition"]
    assert ("filename*=utf-8''" in header) is not made.isascii()
