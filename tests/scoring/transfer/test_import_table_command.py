"""Tables that are brought in by command: every row told, with the messages of the pages."""

from contextlib import nullcontext
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from tests.scoring.club import at, make_club
from tournaments.models import League, LeagueMember, Person, Player

pytestmark = pytest.mark.django_db
LIST = "Liste 2025;;\n;;\nWer;Vorname;Seit\nGrün;Zoë;03/04/2025\nBaker;Ed;\n;;31/12/2025\n"


def bring(*words: object, status: int = 0) -> str:
    out, error = StringIO(), StringIO()
    with pytest.raises(SystemExit) if status else nullcontext() as ended:
        call_command("import", *map(str, words), stdout=out, stderr=error)
    said = out.getvalue() + error.getvalue()
    assert ended is None or ended.value.code == status, said
    return said


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "list.csv"
    path.write_text(LIST, encoding="cp1252")
    return path


def test_a_dry_run_tells_every_row_and_writes_nothing(table: Path) -> None:
    club = make_club()
    said = bring(
        *("members", table, "--club", club.pk, "--dry-run"),
        *("--header-row", 3, "--map", "Wer=surname", "--dates", "day-first"),
        status=1,
    )
    assert "list.csv:4: Zoë Grün: new: gets number 1" in said
    assert "Row 6: there is no name" in said
    assert "would be done: 2 new; 1 left out" in said
    assert not Person.objects.exists()


def test_a_table_comes_in_as_it_was_tried(table: Path) -> None:
    club = make_club()
    said = bring("members", table, "--club", club.pk, "--map", "A=surname", status=1)
    assert "done: 2 new; 1 left out" in said
    assert set(Person.objects.values_list("name", flat=True)) == {"Zoë Grün", "Ed Baker"}
    assert Player.objects.get(person__name="Zoë Grün").created_at.day == 3


def test_what_is_missing_says_with_which_option_it_is_told(table: Path) -> None:
    club = make_club()
    refused = bring("members", table, "--club", club.pk, "--map", "Vorname=", status=2)
    assert "No column has the name." in refused
    assert "(--map)" in refused
    unknown = bring("members", table, "--club", club.pk, "--map", "Schuhe=note", status=2)
    assert "No column is called 'Schuhe'; there are 'Wer', 'Vorname', 'Seit'." in unknown
    table.write_text("Name;Seit\nAnn;03/04/2025\n")
    assert "(--dates)" in bring("members", table, "--club", club.pk, status=2)
    assert "--club CLUB" in bring("members", table, status=2)
    assert "there is no = in it" in bring(
        "members", table, "--club", club.pk, "--map", "x", status=2
    )


def test_an_option_is_said_by_the_words_of_the_pages(table: Path) -> None:
    club = make_club()
    League.objects.create(club=club, name="Winter", created_at=at())
    table.write_text("Name;Punkte\nAnn;3½\n")
    members = table.with_name("members.csv")
    members.write_text("Name\nAnn\n")
    bring("members", members, "--club", club.pk)
    assert "say one of these: Winter" in bring(
        "openings", table, "--club", club.pk, "--option", "league=Summer", status=2
    )
    bring("openings", table, "--club", club.pk, "--option", "league=Winter")
    assert LeagueMember.objects.get().opening == "7/2"


def test_the_messages_are_in_the_language_of_the_reader(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGUAGE", "de")
    club = make_club()
    said = bring("members", table, "--club", club.pk, "--map", "A=surname", "--dry-run", status=1)
    assert "2 neu" in said
