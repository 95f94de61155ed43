"""Bringing a file in at the desk, step by step, as a browser without scripts does it."""

import re
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.template.loader import render_to_string
from openpyxl import Workbook

from benchmarks.hands import TABLES
from engine.rules.presets import PRESETS
from scoring.jobs.kinds import JOB_TYPES
from scoring.web.desk import imports
from scoring.web.desk.import_questions import Answer, AskedQuestion
from tests.scoring.archives import file, game
from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.night import make_event
from tests.web.desk import Director, director_of
from tests.web.test_desk_backup import words
from tournaments import jobs
from tournaments.models import (
    Club,
    Event,
    Import,
    Job,
    JobState,
    League,
    LeagueEvent,
    LeagueMember,
    Person,
)
from tournaments.people.members import NewPlayer, add_player

pytestmark = pytest.mark.django_db

GERMAN = (
    "Mitgliederliste 2025;;;\n;;;\nVorname;Nachname;Seit;Schuhe\n"
    "Zoë;Grün;03/04/2025;39\nEd;Baker;05/06/2025;44\n;;;\nSumme;;;83\n"
)


@pytest.fixture
def office(settings: Any, tmp_path: Path) -> tuple[Director, Club, str]:
    settings.FILES = str(tmp_path / "files")
    club = make_club()
    return director_of(club, "admin"), club, f"/desk/clubs/{club.pk}/import/"


def upload(data: bytes | str, name: str = "members.csv") -> SimpleUploadedFile:
    return SimpleUploadedFile(name, data.encode() if isinstance(data, str) else data)


def choose(admin: Director, path: str, **fields: Any) -> str:
    """The first step; gives the address of the second."""
    answer = admin.fill(path, **{"kind": "members", **fields})
    assert answer.status_code == 302, words(answer)
    address: str = answer["Location"]
    return address


def work() -> None:
    """Do what a worker does."""
    for job in Job.objects.filter(state=JobState.WAITING):
        jobs.run(job_id=job.pk, types=JOB_TYPES, clock=lambda: at(10**6))


def undo(admin: Director, club: Club) -> None:
    """Undo what was brought in last, on the page to which the result leads."""
    made = Import.objects.latest("created_at", "pk")
    answer = admin.fill(f"/desk/clubs/{club.pk}/imports/{made.pk}/", undo="all")
    assert answer.status_code == 302, words(answer)


def follow(admin: Director, form_path: str, **values: Any) -> str:
    answer = admin.fill(form_path, **values)
    assert answer.status_code == 302, words(answer)
    address: str = answer["Location"]
    return address


def test_a_members_list_comes_in_step_by_step_and_goes_again(office: Any) -> None:
    admin, club, path = office
    add_player(club_id=club.pk, new=NewPlayer(person={"name": "Ed Baker"}), by=DIRECTOR, at=at())
    columns = choose(admin, path, file=upload(GERMAN))
    page = words(admin.get(columns))
    assert "Which row has the headings?" in page
    form = admin.form(columns)
    assert form.values["header_row"] == ["3"]
    assert [form.values[f"column_{n}"] for n in (1, 2, 3, 4)] == [
        ["first"], ["surname"], ["since"], [""],
    ]  # fmt: skip
    check = follow(admin, columns)
    asked = words(admin.get(check))
    assert "What comes first in dates such as 03/04/2026?" in asked
    assert "Import it" not in asked
    check = follow(admin, check, answer="1", dates="day-first")
    assert "The table says other things of members" in words(admin.get(check))
    check = follow(admin, check, answer="1", known="keep")
    shown = words(admin.get(check))
    assert "Columns that are not used: Schuhe" in shown
    assert "known as number 1" in shown
    assert "it sums up other rows" in shown
    assert Person.objects.count() == 1, "nothing is written before the last step"
    assert "A list of 2 people" in page
    assert "Go on: 1 question" in page, "what is open is said before it is asked"
    assert "People 1 → 2 New: Zoë Grün" in shown
    result = follow(admin, check, bring="1")
    assert "is being imported" in words(admin.get(result))
    work()
    assert "Done" in words(admin.get(result))
    zoe = Person.objects.get(name="Zoë Grün")
    assert zoe.player.created_at.date().isoformat() == "2025-04-03"
    again = admin.get(check)
    assert "all that could be imported is here already" in words(again)
    undo(admin, club)
    assert not Person.objects.filter(name="Zoë Grün").exists()
    assert "and undone" in words(admin.get(result))


def test_rows_that_were_copied_from_a_spreadsheet_are_a_table(office: Any) -> None:
    admin, _club, path = office
    columns = choose(admin, path, text="Name\tE-Mail\nZoë Grün\tzoe@club.example\n")
    result = follow(admin, follow(admin, columns), bring="1")
    work()
    assert "Done" in words(admin.get(result))
    assert Person.objects.get().email == "zoe@club.example"


def test_a_wrong_guess_is_corrected_and_nothing_chosen_is_lost(office: Any) -> None:
    admin, _club, path = office
    columns = choose(admin, path, file=upload("Wer;Was;Name\nZoë;z@club.example;Grün\n"))
    form = admin.form(columns)
    refused = admin.send(form, column_1="name", column_2="email")
    assert refused.status_code == 422
    assert "holds this already" in words(refused)
    assert '<option value="email" selected>' in refused.content.decode()
    refused = admin.send(form, column_3="")
    assert "No column has the name" in words(refused)
    check = admin.send(form, column_1="first", column_2="email", column_3="surname")["Location"]
    assert "Zoë Grün" in words(admin.get(check))
    back = admin.form(columns)
    assert [back.values[f"column_{n}"] for n in (1, 2, 3)] == [["first"], ["email"], ["surname"]]


def test_another_row_of_headings_and_another_worksheet_are_shown_first(office: Any) -> None:
    admin, _club, path = office
    book = Workbook()
    assert book.active is not None
    book.active.title = "Kasse"
    book.active.append(["Name", "Betrag"])
    sheet = book.create_sheet("Mitglieder")
    for row in (["Spielerliste"], ["wer", "name"], ["Anna", "Jansen"]):
        sheet.append(row)
    out = BytesIO()
    book.save(out)
    columns = choose(admin, path, file=upload(out.getvalue(), "club.xlsx"))
    assert follow(admin, columns, sheet="Mitglieder") == columns
    form = admin.form(columns)
    assert (form.values["sheet"], form.values["header_row"]) == (["Mitglieder"], ["2"])
    assert follow(admin, columns, header_row="0") == columns
    form = admin.form(columns)
    assert form.values["column_1"] == [""]
    check = admin.send(form, column_1="first", column_2="surname")["Location"]
    assert "Anna Jansen" in words(admin.get(check))


def test_last_years_nights_become_events_of_a_league(office: Any) -> None:
    admin, club, path = office
    book = Workbook()
    assert book.active is not None
    for row in (
        ["Saison 2025"],
        ["Name", datetime(2025, 9, 2), datetime(2025, 9, 9), "Gesamt"],
        ["Ann Baker", 12.5, 3, 15.5],
        ["Bob Clark", 7, None, 7],
        ["Summe", 19.5, 3, 22.5],
    ):
        book.active.append(row)
    out = BytesIO()
    book.save(out)
    columns = choose(admin, path, kind="nights", file=upload(out.getvalue(), "2025.xlsx"))
    form = admin.form(columns)
    assert [form.values[f"column_{n}"] for n in (1, 2, 3, 4)] == [
        ["name"], ["night"], ["night"], ["total"],
    ]  # fmt: skip
    answer = admin.send(form, league="new", counts="points", new="member")
    assert answer.status_code == 302, words(answer)
    check = answer["Location"]
    asked = words(admin.get(check))
    assert "One question" in asked
    assert "By which house rules were they played?" in asked
    check = follow(admin, check, answer="1", rule_set=f"preset:{next(iter(PRESETS))}")
    shown = words(admin.get(check))
    assert "It comes out as in your file" in shown
    assert "1 Ann Baker new 15.5 agrees 12.5 3 2 Bob Clark new 7 agrees 7 ·" in shown
    assert "Leagues 0 → 1 Nights 0 → 2 People 0 → 2" in shown
    result = follow(admin, check, bring="1")
    work()
    assert "Done" in words(admin.get(result))
    assert LeagueEvent.objects.count() == 2
    assert {event.starts_at.year for event in Event.objects.all()} == {2025}
    undo(admin, club)
    assert not Event.objects.exists()


def test_every_problem_is_told_at_its_row_and_column(office: Any) -> None:
    admin, _club, path = office
    text = "Name;E-mail;Art;Seit\nAnn;nowhere;König;31.2.2025\nBob;;Gast;\n"
    shown = words(admin.get(follow(admin, choose(admin, path, file=upload(text)))))
    for told in ("Row 2 Ann left out", "Column B: 'nowhere' is no e-mail address",
                 "Column C: 'König' is no kind", "Column D: '31.2.2025' is no date"):  # fmt: skip
        assert told in shown
    assert "Import it without 1 row" in shown


@pytest.mark.parametrize(
    ("fields", "field", "told"),
    [
        ({"text": ""}, "file", "Choose a file, or paste the rows below."),
        ({"file": upload(b"%PDF-1.7")}, "file", "This is a PDF"),
        ({"text": "% PHN 1.0\n"}, "kind", "These are records of hands."),
        ({"kind": "archive", "text": "Name\nAnn\n"}, "file", "These are no records of hands."),
        ({"kind": "archive", "text": "Name;No\nAnn;3\n"}, "file", "This is a table (CSV)"),
        ({"kind": "archive", "file": upload(b"PK\x03\x04 x")}, "file", "This is a spreadsheet"),
    ],
)
def test_a_file_that_cannot_be_used_is_refused_at_once(
    office: Any, fields: dict[str, Any], field: str, told: str
) -> None:
    admin, _club, path = office
    answer = admin.fill(path, **{"kind": "members", **fields})
    assert answer.status_code == 422
    assert re.search(rf'id="id_{field}_error">{re.escape(told)}', answer.content.decode())
    assert not Job.objects.exists()


def test_opening_balances_ask_for_their_league_and_for_numbers(office: Any) -> None:
    admin, club, path = office
    league = League.objects.create(club=club, name="Winter", created_at=at())
    add_player(club_id=club.pk, new=NewPlayer(person={"name": "Ann"}), by=DIRECTOR, at=at())
    columns = choose(admin, path, kind="openings", text="Name\tPunkte\nAnn\t1.234\n")
    check = follow(admin, columns)
    assert "into the league" in words(admin.get(check)).lower()
    assert "What is a number such as 1.234?" in words(admin.get(check)), "all is asked at once"
    check = follow(admin, check, answer="1", league=str(league.pk), decimals="comma")
    result = follow(admin, check, bring="1")
    work()
    assert "To the league" in words(admin.get(result))
    assert LeagueMember.objects.get().opening == "1234"


def test_rows_at_the_foot_are_asked_about_with_examples(office: Any) -> None:
    admin, _club, path = office
    text = "Name;Number\nAnn;7\nBob;8\nAnzahl Spieler;2\nUnterschrift\n"
    check = follow(admin, choose(admin, path, text=text))
    shown = words(admin.get(check))
    for expected in ("One question", "at the foot of the table about somebody?",
                     "Anzahl Spieler", "Unterschrift"):  # fmt: skip
        assert expected in shown
    follow(admin, follow(admin, check, answer="1", footer="leave-out"), bring="1")
    work()
    assert set(Person.objects.values_list("name", flat=True)) == {"Ann", "Bob"}


def test_a_long_file_is_looked_through_by_a_worker(
    office: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(imports, "AT_ONCE_BYTES", 10)
    admin, _club, path = office
    tried = follow(admin, choose(admin, path, file=upload(GERMAN)))
    assert "is being checked" in words(admin.get(tried))
    work()
    assert "What comes first in dates" in words(admin.get(tried))
    tried = follow(admin, tried, answer="1", dates="month-first")
    work()
    assert "Zoë Grün" in words(admin.get(tried))
    assert not Person.objects.exists()
    result = follow(admin, tried, bring="1")
    work()
    assert "Done" in words(admin.get(result))
    assert Person.objects.count() == 2


def test_who_a_similar_name_is_and_what_differs_is_asked_at_the_desk(office: Any) -> None:
    admin, club, path = office
    person = {"name": "Ed Baker", "phone": "0171"}
    add_player(club_id=club.pk, new=NewPlayer(person=person), by=DIRECTOR, at=at())
    text = "Name\tPhone\nEd Bakker\t0172\nBaker, Ed\t0172\n"
    check = follow(admin, choose(admin, path, text=text))
    shown = words(admin.get(check))
    assert "2 questions" in shown
    assert "Is Ed Bakker your Ed Baker? No other name is near. Yes, the same person" in shown
    later = follow(admin, check, answer="1", **{"who-1": "later"})
    assert "stays '0171'; the table has '0172'" in words(admin.get(later))
    assert "What will be different" in words(admin.get(later))
    check = follow(admin, check, answer="1", **{"who-1": "new"}, known="replace")
    shown = words(admin.get(check))
    assert "Is Ed Bakker your" not in shown
    assert "Telephone: '0172' instead of '0171'" in shown
    follow(admin, check, bring="1")
    work()
    assert list(Person.objects.order_by("name").values_list("name", "phone")) == [
        ("Ed Baker", "0172"),
        ("Ed Bakker", "0172"),
    ]


def test_who_a_similar_name_in_records_is_is_asked_at_the_desk(office: Any) -> None:
    admin, club, path = office
    data = file(game(TABLES[0], 1, hands=1))
    names = re.findall(r'^\[(?:North|East|South|West) "(.+)"\]', data.decode(), re.MULTILINE)
    turned = " ".join(reversed(names[0].split(", ")))
    for name in (turned, f"{names[1]}x"):
        new = NewPlayer(person={"name": name})
        add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    tried = follow(admin, choose(admin, path, kind="archive", file=upload(data, "night.phn")))
    work()
    shown = words(admin.get(tried))
    asked = f"Is {names[1]} your {names[1]}x?"
    assert asked in shown
    assert "One question" in shown
    tried = follow(admin, tried, answer="1", **{"who-1": "2"})
    work()
    result = follow(admin, tried, bring="1")
    work()
    assert "Done" in words(admin.get(result))
    assert Person.objects.count() == len(names), "nobody is doubled"


def test_records_of_hands_are_tried_and_brought_in(office: Any) -> None:
    admin, _club, path = office
    data = file(game(TABLES[0], 1, hands=1))
    archive = choose(admin, path, kind="archive", file=upload(data, "night.phn"))
    refused = admin.fill(archive, rules="no such rules")
    assert 'id="id_rules_error"' in refused.content.decode()
    tried = follow(admin, archive)
    work()
    assert "new games 1 new hands 1" in words(admin.get(tried))
    result = follow(admin, tried, bring="1")
    work()
    assert "Done" in words(admin.get(result))


def test_what_an_archive_left_behind_is_named_on_the_page_of_its_import(office: Any) -> None:
    admin, _club, path = office
    data = file(game(TABLES[0], 1, hands=1))
    data += b'\n[ClubRecord "books"]\n[NotCarriedTable "What;Count"]\nappeals 2\n'
    tried = follow(admin, choose(admin, path, kind="archive", file=upload(data, "night.phn")))
    work()
    assert "Not imported Books of the club: not in the archive: steps of appeals: 2" in words(
        admin.get(tried)
    )


def test_an_import_that_was_begun_is_found_again_and_is_nobody_elses(office: Any) -> None:
    admin, club, path = office
    columns = choose(admin, path, file=upload(GERMAN))
    offices = words(admin.get(f"/desk/clubs/{club.pk}/jobs/"))
    assert "Not finished yet Members: members.csv" in offices
    other = director_of(make_club("Another"), "admin", "Ivo Boom")
    assert other.get(columns).status_code == 404
    treasurer = director_of(club, "treasurer", "A Treasurer")
    assert treasurer.get(columns).status_code == 403
    Job.objects.get().upload_path.unlink()
    assert admin.get(columns).status_code == 404


def test_drafts_go_after_a_week_or_when_somebody_is_erased(office: Any) -> None:
    admin, club, path = office
    choose(admin, path, file=upload(GERMAN))
    draft = Job.objects.get()
    assert jobs.delete_old(at=draft.created_at) == 0
    jobs.forget_names(club.pk)
    assert not Job.objects.exists()
    choose(admin, path, file=upload(GERMAN))
    assert jobs.delete_old(at=Job.objects.get().created_at + jobs.KEPT * 2) == 1


def test_what_failed_says_why_and_the_file_is_still_there(office: Any) -> None:
    admin, club, path = office
    league = League.objects.create(club=club, name="Winter", created_at=at())
    add_player(club_id=club.pk, new=NewPlayer(person={"name": "Ann"}), by=DIRECTOR, at=at())
    columns = choose(admin, path, kind="openings", text="Name\tPunkte\nAnn\t3\n")
    result = follow(admin, follow(admin, columns, league=str(league.pk)), bring="1")
    League.objects.update(closed_at=at())
    work()
    page = words(admin.get(result))
    assert "Nothing was imported. This league is closed." in page
    assert "Back" in page
    assert not Import.objects.exists()
    assert admin.get(columns).status_code == 200


PLAYED = "Rang;Name;12.09.25;19.09.25;26.09.25;Strafe;Gesamt\n"


def test_the_file_answers_for_itself_and_only_what_is_in_doubt_is_asked(office: Any) -> None:
    admin, club, path = office
    text = f"{PLAYED}1;Ann;12;10;3;;25\n2;Bob;9;x;(4);-1;8\n"
    columns = choose(admin, path, kind="nights", text=text)
    form = admin.form(columns)
    assert [form.values[name] for name in ("league", "counts", "new")] == [
        ["new"], ["points"], [""],
    ]  # fmt: skip
    check = follow(admin, columns, new="member", rule_set=f"preset:{next(iter(PRESETS))}")
    asked = words(admin.get(check))
    assert "Which nights count in the league? In your file: Bob: 8" in asked
    assert "Import it" not in asked
    check = follow(admin, check, answer="1", counting="all")
    shown = words(admin.get(check))
    assert "Results such as (4) count like the others." in shown
    assert "All nights count." in shown
    assert "1 penalty or bonus changes the points: Bob: Strafe -1." in shown
    assert "1 total or place differs from your file" in shown
    assert "Row 3 Bob Column G: the nights come to 12, not 8" in shown
    refused = follow(admin, check, bring="1")
    work()
    assert "Nothing was imported. 1 total or place differs from the file." in words(
        admin.get(refused)
    )
    assert not League.objects.exists()
    result = follow(admin, check, bring="1", accept_differences="1")
    work()
    assert "Done" in words(admin.get(result))
    assert League.objects.get().season == {"rule": "drop_worst", "drop": 0}
    assert "accept_differences" not in Job.objects.get(state=JobState.DRAFT).params
    undo(admin, club)
    assert not League.objects.exists()


def test_with_a_person_go_examples_and_sentences_about_them(office: Any) -> None:
    admin, club, path = office
    columns = choose(
        admin, path, kind="nights", text=f"{PLAYED}1;Ann;12;10;3;-1;24\n2;Bob;9;;;;8\n"
    )
    check = follow(admin, columns, new="member", rule_set=f"preset:{next(iter(PRESETS))}")
    follow(admin, check, bring="1", accept_differences="1")
    work()
    assert "Ann" in str(Job.objects.exclude(state=JobState.DRAFT).get().outcome)
    jobs.forget_names(club.pk)
    assert "Ann" not in str(Job.objects.get().outcome)


def test_an_option_that_nobody_chose_is_asked_for_and_never_taken_for_granted(office: Any) -> None:
    admin, club, path = office
    League.objects.create(club=club, name="Winter", created_at=at())
    text = f"{PLAYED}1;Ann;12;10;3;;25\n2;Bob;9;1;4;;14\n"
    columns = choose(admin, path, kind="nights", text=text)
    assert "Go on: 3 questions" in words(admin.get(columns))
    check = follow(admin, columns, rule_set=f"preset:{next(iter(PRESETS))}")
    asked = words(admin.get(check))
    assert "In which league do they count? a new one, called as the table" in asked
    assert "New to the club: Ann, Bob" in asked
    refused = admin.fill(check, bring="1")
    assert refused.status_code == 422
    assert not Job.objects.exclude(state=JobState.DRAFT).exists()
    check = follow(admin, check, answer="1", league="new", new="no such answer")
    assert "What becomes of people who are new" in words(admin.get(check)), "it is asked again"
    check = follow(admin, check, answer="1", new="guest")
    assert "It comes out as in your file" in words(admin.get(check))


def test_answers_say_what_they_do_to_the_totals_and_can_be_given_again(office: Any) -> None:
    admin, _club, path = office
    text = "Name;12.09.25;19.09.25;26.09.25;Strafe;Gesamt\nAnn;12;10;3;-1;24\nBob;9;1;4;;14\n"
    columns = choose(admin, path, kind="nights", text=text)
    preset = f"preset:{next(iter(PRESETS))}"
    chosen = {"new": "member", "counts": "points", "rule_set": preset}
    check = follow(admin, columns, **chosen)
    shown = words(admin.get(check))
    assert "It comes out as in your file" in shown
    text = "Name;12.09.25;19.09.25;26.09.25\nAnn;12;(10);3\nBob;9;1;4\n"
    check = follow(admin, choose(admin, path, kind="nights", text=text), **chosen)
    assert "What are results in brackets or with a star?" in words(admin.get(check))
    check = follow(admin, check, answer="1", marked="dropped")
    assert "What are results in brackets" not in words(admin.get(check))
    columns = follow(admin, check, forget="1")
    check = follow(admin, columns)
    assert "What are results in brackets" in words(admin.get(check)), "it is asked again"


def ticked(admin: Director, path: str) -> dict[str, tuple[str, str]]:
    """The answer that is ticked at each question of a page, and why."""
    questions = admin.get(path).context["questions"]
    return {
        one.name: next(
            ((answer.value, answer.reason) for answer in one.answers if answer.value == one.chosen),
            ("", ""),
        )
        for one in questions
    }


def test_the_likely_answer_is_ticked_and_says_why(office: Any) -> None:
    admin, club, path = office
    held = make_event(club)
    LeagueEvent.objects.create(
        league=League.objects.create(club=club, name="Winter", created_at=at()),
        event=held,
        number=1,
    )
    add_player(club_id=club.pk, new=NewPlayer(person={"name": "Ann Baker"}), by=DIRECTOR, at=at())
    text = "Rang;Name;12.09.25;19.09.25;Gesamt\n1;Ann Bakker;12;10;22\n2;Bob;9;;9\n"
    columns = choose(admin, path, kind="nights", text=text)
    assert "A season of 2 nights, 2 people" in words(admin.get(columns)), "who is asked about plays"
    found = words(admin.get(columns))
    answers = ticked(admin, follow(admin, columns))
    assert f"Go on: {len(answers)} questions" in found, "all of them are said before"
    assert answers["league"] == ("new", "called “Season”"), "Winter has its nights at another time"
    assert answers["new"][0] == "member"
    assert answers["new"][1].startswith("they came to most of the nights")
    assert answers["who-1"] == ("", ""), "Ann Baker has not played: it is only a similar name"


@pytest.mark.parametrize("chosen", ["", "4"])
def test_a_long_list_of_answers_sends_none_that_nobody_chose(chosen: str) -> None:
    answers = [Answer(value=str(n), words=f"It is {n}") for n in range(10)]
    asked = AskedQuestion(name="who-1", text="Who is Ann?", answers=answers, chosen=chosen)
    page = render_to_string("desk/parts/import_questions.html", {"questions": [asked]})
    select = page[page.index("<select") : page.index("</select>")]
    options = re.findall(r'<option value="(\w*)"', select)
    assert options == [*[""][: not chosen], *(answer.value for answer in answers)]
    assert ("required" in select.split(">")[0]) is (not chosen)
    assert re.findall(r'value="(\w*)"\s+selected', select) == [chosen][: bool(chosen)]


def test_leaving_people_out_is_not_likely_because_all_totals_fit_then(office: Any) -> None:
    admin, _club, path = office
    text = (
        "Name;05.09.25;;12.09.25;;Total\n;Pts;Place;Pts;Place;\nAnn;12;1;8;3;20\n"
        "Bob;10;2;9;2;19\nCy;7;3;11;1;18\n"
    )
    check = follow(admin, choose(admin, path, kind="nights", text=text))
    answers = ticked(admin, check)
    assert answers["new"][0] == "member"
    assert answers["counts"] == ("points", "fits all totals and places in your file")


def test_the_letters_that_are_likely_are_those_that_make_words(office: Any) -> None:
    admin, _club, path = office
    data = "Name;Number\nŁukasz Żak;1\nJiří Dvořák;2\n".encode("cp1250")
    check = follow(admin, choose(admin, path, file=upload(data)))
    assert ticked(admin, check)["encoding"] == ("windows-1250", "Łukasz Żak, Jiří Dvořák")


def test_a_table_that_cannot_be_read_opens_what_has_to_be_said(office: Any) -> None:
    admin, _club, path = office
    columns = choose(admin, path, kind="nights", text="Name\tNote\nAnn\tx\n")
    page = admin.get(columns)
    assert "I cannot read it yet" in words(page)
    assert "Read it again" in words(page)
    assert '<details class="folded" open>' in page.content.decode()
