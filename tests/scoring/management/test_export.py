"""`manage.py export`: every kind, under a name that says what it is, and what cannot be made."""

import csv
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from openpyxl import load_workbook

from tests.scoring.club import make_club, make_players, make_rules
from tests.tournaments.night import make_event
from tournaments.models import Club

pytestmark = pytest.mark.django_db


@pytest.fixture
def club(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Club:
    monkeypatch.chdir(tmp_path)
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    found = make_club("Leiden Hearts")
    make_rules(found)
    make_players(found, 3)
    return found


def run(*words: str, **options: object) -> str:
    out = StringIO()
    call_command("export", *words, club="Leiden Hearts", stdout=out, stderr=out, **options)
    return out.getvalue()


def test_a_file_without_a_name_gets_one_that_says_what_is_in_it(club: Club, tmp_path: Path) -> None:
    said = run(what="members")
    (path,) = tmp_path.glob("*.xlsx")
    assert path.name.startswith("leiden-hearts-20")
    assert path.name.endswith("-members.xlsx")
    assert path.name in said
    assert load_workbook(path).worksheets[0]["A1"].value == "Leiden Hearts: Members"
    run()
    assert list(tmp_path.glob("leiden-hearts-*-club.bundle"))


def test_the_format_is_that_of_the_end_of_the_name(club: Club, tmp_path: Path) -> None:
    run("members.csv", what="members")
    rows = (tmp_path / "members.csv").read_text(encoding="utf-8-sig").splitlines()
    assert len(list(csv.reader(rows))) == 4
    run("members.txt", what="members", format="json")
    assert (tmp_path / "members.txt").read_text().startswith('{"title":"Leiden Hearts"')


def test_a_file_is_in_the_language_of_the_terminal(
    club: Club, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    run("m.xlsx", what="members")
    assert load_workbook(tmp_path / "m.xlsx").worksheets[0]["A1"].value == (
        "Leiden Hearts: Mitglieder"
    )


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"what": "members", "format": "phn"}, "but as xlsx, ods, pdf"),
        ({"what": "standings"}, "Name an event or a league"),
        ({"what": "hands", "event": "Nowhere"}, "there is no event Nowhere"),
        ({"what": "hands", "league": "Nowhere"}, "there is no league Nowhere"),
        ({"what": "trail", "event": "Evening"}, "only of the club as a whole"),
    ],
)
def test_what_cannot_be_made_is_refused_in_words_and_leaves_nothing(
    club: Club, tmp_path: Path, options: dict[str, str], why: str
) -> None:
    event = make_event(club)
    type(event).objects.update(name="Evening")
    out = StringIO()
    with pytest.raises(SystemExit) as exit_:
        call_command("export", club="Leiden Hearts", stdout=out, stderr=out, **options)
    assert exit_.value.code == 2
    assert why in out.getvalue()
    assert not list(tmp_path.iterdir())


def test_an_unknown_kind_is_told_with_those_there_are(club: Club) -> None:
    with pytest.raises(CommandError, match="'standings', 'results'"):
        call_command("export", "--club", "Leiden Hearts", "--what", "secrets")


def test_an_event_is_known_by_its_name_as_long_as_one_has_it(club: Club, tmp_path: Path) -> None:
    event = make_event(club)
    assert "written to" in run("hands.csv", what="hands", event=event.name)
    assert "written to" in run("hands.csv", what="hands", event=str(event.pk))
    type(event).objects.create(
        **{
            field.attname: getattr(event, field.attname)
            for field in event._meta.concrete_fields
            if not field.primary_key
        }
    )
    out = StringIO()
    with pytest.raises(SystemExit):
        call_command(
            "export", club=str(club.pk), what="hands", event=event.name, stdout=out, stderr=out
        )
    assert "give its identifier" in out.getvalue()
