"""Tables that people bring: members, and openings of a league; hostile ones too."""

import io
import zipfile
from datetime import date
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from openpyxl import Workbook

from scoring.jobs.kinds import JOB_TYPES
from tests.api.asking import account_of, club_of, signed_in
from tests.scoring.club import at, make_club
from tests.tournaments.imports.tables import counts, members, messages, openings
from tournaments import jobs
from tournaments.core.errors import RefusedError
from tournaments.core.time_zones import local
from tournaments.imports.plan import RowAction
from tournaments.models import (
    AuditEntry,
    Club,
    Job,
    JobState,
    League,
    LeagueMember,
    Person,
    Scope,
    Stale,
)

pytestmark = pytest.mark.django_db
MEMBERS = """Name;E-mail;Phone;Type
Adams, Nora;nora@club.example;+31 6 1234;member
Baker, Ed;;;guest
Bäcker, Zoë;zoe@club.example;;
"""


def league_of(club: Club) -> League:
    return League.objects.create(club=club, name="Spring", created_at=at())


def test_members_come_in_once() -> None:
    club = make_club()
    tried = members(club, MEMBERS, dry_run=True)
    assert not Person.objects.exists()
    done = members(club, MEMBERS)
    assert done.as_data() == tried.as_data()
    assert counts(done) == (3, 0, 0, 0)
    assert not done.problems
    nora = Person.objects.get(name="Adams, Nora")
    assert (nora.email, nora.phone, nora.player.kind) == (
        "nora@club.example",
        "+31 6 1234",
        "member",
    )
    assert Person.objects.get(name="Baker, Ed").player.kind == "guest"
    count = AuditEntry.objects.count()
    assert counts(members(club, MEMBERS)) == (0, 0, 3, 0)
    assert (Person.objects.count(), AuditEntry.objects.count()) == (3, count)


def test_what_is_wrong_is_told_by_its_line_and_the_rest_comes_in() -> None:
    club = make_club()
    members(club, MEMBERS)
    found = members(
        club,
        "Name,Email,Kind,Shoes\n"
        ",x@club.example,,\n"
        "Clark,no address,,\n"
        "Dove,d@club.example,king,\n"
        f"{'x' * 201},,,\n"
        "Nora,nora@club.example,,\n"
        '"Adams, Nora",other@club.example,,\n'
        "Evans,e@club.example,member,\n"
        "Evans,e@club.example,member,\n",
    )
    told = messages(found)
    assert sorted(told) == [2, 3, 4, 5, 6, 7, 9]
    assert found.unused == ["Shoes"]
    assert "is it Adams, Nora?" in told[6]
    assert "row 8 is about 'Evans' already" in told[9]
    assert counts(found) == (1, 0, 0, 7)


def test_a_workbook_is_read_as_well_and_merged_cells_are_no_trap() -> None:
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["Name", "E-mail"], ["Adams, Nora", "nora@club.example"], ["Baker, Ed", ""]):
        sheet.append(row)
    sheet.append(["Clark", "c@club.example"])
    sheet.merge_cells("A3:A4")
    out = io.BytesIO()
    book.save(out)
    found = members(make_club(), out.getvalue())
    assert counts(found) == (1, 0, 0, 2)
    assert Person.objects.filter(name="Adams, Nora").exists()


def bomb() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("[Content_Types].xml", "<Types/>")
        packed.writestr("xl/workbook.xml", b" " * (200 * 1024 * 1024))
    return out.getvalue()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00" * 1000,
        b"Full name;Member\na;b\n",
        b"Shoes;Hats\na;b\n",
        b"PK\x03\x04 and no more",
        b"\xff\xfe\x00\xd8" * 30,
        bomb(),
    ],
    ids=["nothing", "zeros", "two names", "no name", "torn", "no text", "bomb"],
)
def test_a_file_that_is_no_table_is_refused_in_words(data: bytes) -> None:
    with pytest.raises(RefusedError) as refused:
        members(make_club(), data)
    assert str(refused.value)
    assert not Person.objects.exists()


def test_openings_are_put_down_changed_and_left_alone() -> None:
    club = make_club()
    members(club, MEMBERS)
    league = league_of(club)
    text = (
        'Player;Points;Nights;Division\nAdams, Nora;12,5;4;1\n"Baker, Ed";-7/3;2;2\nNobody;1;1;1\n'
    )
    assert counts(openings(league, text, dry_run=True)) == (2, 0, 0, 1)
    assert not LeagueMember.objects.exists()
    found = openings(league, text)
    assert counts(found) == (2, 0, 0, 1)
    assert [*messages(found)] == [4]
    nora = LeagueMember.objects.get(player__person__name="Adams, Nora")
    assert (nora.opening, nora.opening_events, nora.division) == ("25/2", 4, 1)
    assert LeagueMember.objects.get(division=2).opening == "-7/3"
    assert Stale.objects.filter(scope=Scope.LEAGUE, subject=league.pk).exists()
    count = AuditEntry.objects.count()
    again = openings(league, text)
    assert counts(again) == (0, 0, 2, 1)
    assert AuditEntry.objects.count() == count
    assert openings(league, "Name;Points\nBaker, Ed;3\n").counts[RowAction.CHANGED] == 1
    odd = openings(league, "Name;Points\nBaker, Ed;1\nBaker, Ed;2\nAdams, Nora;1e9\n")
    assert [*messages(odd)] == [3, 4]
    assert (
        openings(league, "Name;Points\nBaker, Ed;1.234\nAdams, Nora;0,5\n").counts[
            RowAction.CHANGED
        ]
        == 2
    )
    assert LeagueMember.objects.get(division=2).opening == "1234"
    unsure = openings(league, "Name;Points\nBaker, Ed;1.234\n", dry_run=True)
    assert ("two ways" in messages(unsure)[2], unsure.questions) == (True, ["decimals"])
    with pytest.raises(RefusedError, match="begins the decimals"):
        openings(league, "Name;Points\nBaker, Ed;1.234\n")
    told = openings(league, "Name;Points\nBaker, Ed;1.234\n", decimals="point")
    assert told.rows[0].detail == "1234 becomes 617/500"
    League.objects.update(closed_at=at())
    with pytest.raises(RefusedError):
        openings(League.objects.get(), text)


def test_a_table_comes_in_by_upload(settings: Any, tmp_path: Path) -> None:
    settings.FILES = str(tmp_path / "files")
    admin = account_of("admin@club.example")
    club, asking = club_of(admin), signed_in(admin)
    league = league_of(club)
    for kind, text, count in (
        ("members&dry_run=true", MEMBERS, 0),
        ("members", MEMBERS, 3),
        (f"openings&league={league.pk}", "Name;Points\nAdams, Nora;3\n", 3),
    ):
        path = f"/api/v1/clubs/{club.pk}/imports?kind={kind}"
        number = UUID(asking.post(path, text.encode()).json()["id"])
        jobs.run(job_id=number, types=JOB_TYPES, clock=lambda: at(10**6))
        job = Job.objects.get(pk=number)
        assert (job.state, job.outcome["new"] > 0) == (JobState.DONE, True)
        assert Person.objects.count() == count
    assert LeagueMember.objects.get().opening == "3"


def test_a_name_without_its_special_letters_is_asked_about() -> None:
    club = make_club()
    members(club, "Name;E-mail\nŁukasik, Anna;\nØdegård, Jon;jon@club.example\n")
    text = "Name;E-mail\nLukasik, Anna;\nODEGARD, JON;jon@club.example\n"
    again = members(club, text)
    assert counts(again) == (0, 0, 0, 2)
    assert [row.similar for row in again.rows] == [
        (("Łukasik, Anna", 1),),
        (("Ødegård, Jon", 2),),
    ]
    people = {"anna lukasik": "1", "Jon Odegard": "new"}
    assert counts(members(club, text, people=people)) == (1, 0, 1, 0)
    assert Person.objects.count() == 3
    twins = members(club, "Name;E-mail\nGroß, Eva;\nGross, Eva;\n")
    assert counts(twins) == (1, 0, 0, 1), "two rows never become one person in silence"


def test_a_member_since_a_day_to_come_is_a_problem_and_two_digits_are_a_year_that_was() -> None:
    club = make_club()
    plan = members(club, "Name,Since\nBo,12/21/68\nCy,12/21/2068\nDi,13.01.2025\n")
    assert messages(plan) == {3: "2068-12-21 is still to come"}
    bo = Person.objects.get(name="Bo").player
    assert local(bo.created_at, club.time_zone).date() == date(1968, 12, 21)
