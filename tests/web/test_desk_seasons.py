"""Leagues, money, exports and imports at the desk."""

import html
import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from scoring.games.fees import mark_fee
from scoring.jobs.kinds import JOB_TYPES
from scoring.models.transfer import Transfer
from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.tournaments.night import draw, make_event, make_night, play_round, start
from tests.web.desk import Director, director_of
from tests.web.window import publish_all
from tournaments import jobs
from tournaments.events import leagues
from tournaments.models import (
    Club,
    Entry,
    Event,
    Job,
    JobState,
    League,
    LeagueEvent,
    LeagueMember,
    Person,
    Status,
)
from tournaments.people.members import NewPlayer, add_player

pytestmark = pytest.mark.django_db


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", text))


@pytest.fixture
def office() -> tuple[Director, Club, str]:
    club = make_club()
    return director_of(club, "admin"), club, f"/desk/clubs/{club.pk}/"


def test_a_season_is_begun_with_its_settings_in_words(office: Any) -> None:
    admin, _, path = office
    page = path + "leagues/"
    assert "Which events of a season count?" in words(admin.get(page))
    form = admin.form(page)
    wrong = admin.send(form, name="Winter", season_best="many")
    assert wrong.status_code == 422
    assert 'id="id_season_best_error"' in wrong.content.decode()
    fine = {"name": "Winter", "planned": "8", "season_best": "5"}
    answer = admin.send(form, **fine)
    assert admin.send(form, **fine).status_code == 302, words(answer)
    league = League.objects.get()
    assert answer.headers["Location"] == f"/desk/leagues/{league.pk}/"
    assert (league.planned, league.season["best"], league.is_open) == (8, 5, True)
    assert "The best 5." in words(admin.get(f"/desk/leagues/{league.pk}/"))


def test_sessions_and_the_roll_of_a_season(office: Any) -> None:
    admin, club, path = office
    event = make_event(club)
    (player,) = make_players(club, 1)
    admin.fill(path + "leagues/", name="Winter", divisions="First, Second")
    league = League.objects.get()
    page = f"/desk/leagues/{league.pk}/"
    form = admin.form(page)
    bad = admin.send(form, session="1", event=str(event.pk), weight="heavy")
    assert bad.status_code == 422
    admin.send(form, session="1", event=str(event.pk), weight="3/2")
    assert LeagueEvent.objects.get().weight == "3/2"
    admin.send(form, enrol="1", player=str(player.pk), division="2", opening="12")
    member = LeagueMember.objects.get()
    assert (member.division, member.opening) == (2, "12")
    admin.fill(page, withdraw="1", player=f"{player.pk}:withdraws")
    member.refresh_from_db()
    assert member.withdrawn_at is not None
    stale = admin.form(page)
    admin.fill(page, **change_of(admin, page, name="Winter 2026"))
    assert League.objects.get().name == "Winter 2026"
    late = admin.send(stale, **change_of(admin, page, name="Another"))
    assert late.status_code in (302, 422)
    closing = admin.fill(page, close="1")
    assert "Not official yet" in words(closing)
    admin.fill(page, unsession="1", event=str(event.pk))
    assert not LeagueEvent.objects.exists()
    assert admin.fill(page, unsession="1", event="nonsense").status_code == 422


@pytest.fixture
def season(office: Any) -> tuple[Director, League, str]:
    """A season with a night and two people on its roll, and its page."""
    admin, club, path = office
    admin.fill(path + "leagues/", name="Winter")
    league = League.objects.get()
    leagues.add_session(league_id=league.pk, event=make_event(club).pk, by=DIRECTOR, at=at())
    for player in make_players(club, 2):
        leagues.enrol(league_id=league.pk, player=player.pk, by=DIRECTOR, at=at())
    return admin, league, f"/desk/leagues/{league.pk}/"


def test_a_button_of_a_season_does_nothing_until_something_is_chosen(season: Any) -> None:
    admin, league, page = season
    make_event(league.club, name="Another")
    new = NewPlayer(person={"name": "Somebody New"})
    add_player(club_id=league.club_id, new=new, by=DIRECTOR, at=at())
    names = {"session": "event", "unsession": "event", "enrol": "player", "withdraw": "player"}
    forms = [form for form in admin.forms(page) if form.values.keys() & {"event", "player"}]
    for form, (button, name) in zip(forms, names.items(), strict=True):
        assert form.values[name] == [""]
        answer = admin.send(form, **{button: "1"})
        assert answer.status_code == 422
        assert f'id="{button}_{name}_error"' in answer.content.decode()
    assert (league.sessions.count(), league.members.count()) == (1, 2)
    assert not league.members.exclude(withdrawn_at=None).exists()


def test_whoever_has_withdrawn_meanwhile_is_not_brought_back_by_the_same_press(
    season: Any,
) -> None:
    admin, _league, page = season
    member = LeagueMember.objects.order_by("player__number")[0]
    leaves, returns = f"{member.player_id}:withdraws", f"{member.player_id}:back"
    admin.fill(page, withdraw="1", player=leaves)
    answer = admin.fill(page, withdraw="1", player=leaves)
    member.refresh_from_db()
    assert (answer.status_code, member.withdrawn_at is None) == (422, False)
    assert "Player 1 has withdrawn already." in words(answer)
    assert "Player 1 is back" in words(answer)
    assert "Player 1 withdraws" not in words(answer)
    admin.fill(page, withdraw="1", player=returns)
    answer = admin.fill(page, withdraw="1", player=returns)
    assert "Player 1 is on the roll already." in words(answer)
    member.refresh_from_db()
    assert member.withdrawn_at is None


def test_the_next_night_of_a_season_is_not_one_that_never_began(season: Any) -> None:
    admin, league, page = season
    assert admin.get(page).context["next"] is None, "its night was to begin long ago"
    soon = make_event(league.club, name="Soon", starts_at=timezone.now() + timedelta(days=3))
    leagues.add_session(league_id=league.pk, event=soon.pk, by=DIRECTOR, at=at())
    assert admin.get(page).context["next"] == soon


def test_every_division_of_a_large_season_is_on_its_page(office: Any) -> None:
    admin, club, path = office
    admin.fill(path + "leagues/", name="Winter", divisions="First, Second")
    league = League.objects.get()
    LeagueMember.objects.bulk_create(
        LeagueMember(league=league, player=player, division=1 + (place >= 51), joined_at=at())
        for place, player in enumerate(make_players(club, 52))
    )
    publish_all()
    table = admin.get(f"/desk/leagues/{league.pk}/").context["table"]
    assert [division.name for division in table.divisions] == ["First", "Second"]


def test_seasons_that_go_on_stand_before_those_that_are_closed(office: Any) -> None:
    admin, _club, path = office
    for name in ("Winter", "Summer"):
        admin.fill(path + "leagues/", name=name)
    admin.fill(f"/desk/leagues/{League.objects.get(name='Summer').pk}/", close="1")
    page = admin.get(path + "leagues/")
    assert [league.name for league, _leaders in page.context["rows"]] == ["Winter", "Summer"]


def change_of(admin: Director, page: str, **values: str) -> dict[str, Any]:
    """The fields of the form that changes a season, as they stand, but for some."""
    forms = [one for one in admin.forms(page) if "name" in one.values]
    return {**forms[0].values, **values}


def test_the_money_of_a_night_and_a_payment(office: Any) -> None:
    admin, club, path = office
    (player, other) = make_players(club, 2)
    form = admin.form(path + "money/")
    wrong = admin.send(form, player=str(player.pk), kind="FEE", amount="1.234", note="Table fee")
    assert wrong.status_code == 422
    assert 'id="id_amount_error"' in wrong.content.decode()
    fine = {"player": str(player.pk), "kind": "FEE", "amount": "2,50", "note": "Table fee"}
    for _ in range(2):
        answer = admin.send(form, **fine)
        assert answer.status_code == 302, words(answer)
    row = Transfer.objects.get()
    assert row.amount == 250
    assert "Player 1 owes 2.50" in words(admin.get(path + "money/"))
    among = path + "money/?view=among"
    assert "Player 1 pays the club 2.50 EUR" in words(admin.get(among))
    german = admin.client.get(among, headers={"accept-language": "de"})
    assert "Player 1 zahlt an den Club 2,50 EUR" in words(german)
    paid = {"kind": "BETWEEN", "amount": "1", "note": "Beer", "other": str(other.pk)}
    admin.fill(path + "money/", player=str(player.pk), **paid)
    assert Transfer.objects.count() == 2
    event = make_night(4, club=club, rounds=1)
    assert "No money moved" in words(admin.get(f"/desk/events/{event.pk}/money/"))


def test_a_sheet_names_everybody_who_played_for_money() -> None:
    club = make_club()
    rules = make_rules(club, "bicycle", {"buy_in": "500"})
    event = make_night(4, club=club, rule_set=rules, rounds=1)
    draw(event)
    play_round(event, 1)
    director = director_of(club)
    page = words(director.get(f"/desk/events/{event.pk}/money/"))
    assert "Buy-ins" in page
    assert page.count("\N{MINUS SIGN}5.00") >= 4
    assert all(f"Player {number}" in page for number in range(1, 5))


def test_the_money_of_a_night_tells_who_has_won_a_prize() -> None:
    event = make_night(4, rounds=1, hands=2, entry_fee=500)
    for entry in Entry.objects.filter(event=event):
        mark_fee(event_id=event.pk, entry_id=entry.pk, paid=True, by=DIRECTOR, at=at())
    draw(event)
    play_round(event, 1)
    director = director_of(event.club)
    path = f"/desk/events/{event.pk}/money/"
    publish_all()
    assert "make a pool of" not in words(director.get(path))
    Event.objects.filter(pk=event.pk).update(status=Status.FINISHED)
    page = words(director.get(path))
    told = page[page.index("make a pool of") :]
    assert "make a pool of 20.00 EUR" in told
    won = re.findall(r"Player \d ([0-9]+)\.([0-9]{2}) EUR", told)
    assert sum(100 * int(whole) + int(part) for whole, part in won) == 2000


def test_two_of_one_name_are_told_apart_where_they_owe(office: Any) -> None:
    admin, club, path = office
    players = make_players(club, 3)
    Person.objects.filter(player__in=players[:2]).update(name="Jansen, Anna")
    fee = {"kind": "FEE", "amount": "2", "note": "Table fee"}
    for player in players[1:]:
        admin.fill(path + "money/", player=str(player.pk), **fee)
    page = words(admin.get(path + "money/"))
    assert "Jansen, Anna (2) owes 2.00" in page
    assert "Player 3 owes 2.00" in page
    among = words(admin.get(path + "money/?view=among"))
    assert "Anna Jansen (2) pays the club 2.00 EUR" in among


def test_a_director_sees_the_money_and_books_none(office: Any) -> None:
    _, club, path = office
    (player,) = make_players(club, 1)
    director = director_of(club, name="Ivo Boom")
    page = director.get(path + "money/")
    assert "Record it" not in words(page)
    treasurer = director_of(club, "treasurer", "A Treasurer")
    form = treasurer.form(path + "money/")
    fine = {"player": str(player.pk), "kind": "FEE", "amount": "2", "note": "Fee", "other": ""}
    values = {**director.form("/desk/", "sign-out").values, **form.values, **fine}
    assert director.client.post(path + "money/", values).status_code == 403
    assert treasurer.send(form, **fine).status_code == 302


def test_exports_are_asked_for_once_and_stopped(office: Any) -> None:
    admin, _, path = office
    page = path + "jobs/"
    form = next(one for one in admin.forms(page) if "format" in one.values)
    for _ in range(2):
        answer = admin.send(form, do="export", what="members", format="csv")
        assert answer.status_code == 302
    job = Job.objects.get()
    assert (job.kind, job.params["what"]) == ("export", "members")
    assert "Members" in words(admin.get(page))
    admin.send(admin.forms(page)[1], cancel=str(job.pk))
    job.refresh_from_db()
    assert job.state == "cancelled"
    other = director_of(make_club("Another"), "admin", "Ivo Boom")
    foreign = f"/desk/clubs/{Club.objects.get(name='Another').pk}/jobs/"
    assert other.send(other.forms(foreign)[1], cancel=str(job.pk)).status_code == 404


def test_every_label_of_the_jobs_belongs_to_one_field(office: Any) -> None:
    admin, _club, path = office
    page = admin.get(path + "jobs/").content.decode()
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert sorted(ids) == sorted(set(ids))
    labelled = re.findall(r'<label[^>]*\bfor="([^"]+)"', page)
    assert {"export_league"} <= set(labelled) <= set(ids)


def test_an_export_whose_worker_died_is_seen_to_begin_anew(
    office: Any, settings: Any, tmp_path: Path
) -> None:
    settings.FILES = str(tmp_path / "files")
    admin, club, path = office
    wanted = jobs.JobRequest(kind="export", params={"what": "hands", "format": "csv"})
    job = jobs.create(club_id=club.pk, request=wanted, by=DIRECTOR, at=at())
    Job.objects.update(state=JobState.RUNNING, attempts=1)  # as a dead worker leaves it
    job.result_path.write_bytes(b"x" * 1234)
    assert "1.2 KB" in words(admin.get(path + "jobs/"))
    jobs.run(job_id=job.pk, types=JOB_TYPES, clock=at)
    job.refresh_from_db()
    size = jobs.find_result(job).stat().st_size
    assert (job.state, job.done) == (JobState.DONE, size)
    done = words(admin.get(path + "jobs/"))
    assert "Hands (CSV)" in done
    assert f", {size} bytes " in done


@pytest.mark.parametrize(
    ("asked", "field"),
    [({"what": "members", "format": "bundle"}, "format"),
     ({"what": "members", "format": "phn"}, "format"),
     ({"what": "standings", "format": "csv"}, "event")],
)  # fmt: skip
def test_what_no_file_can_be_is_said_at_once(
    office: Any, asked: dict[str, str], field: str
) -> None:
    admin, _, path = office
    form = next(one for one in admin.forms(path + "jobs/") if "format" in one.values)
    answer = admin.send(form, do="export", **asked)
    assert answer.status_code == 422
    assert f'id="export_{field}_error"' in answer.content.decode()
    assert not Job.objects.exists()


def test_a_whole_club_is_a_bundle_and_what_failed_says_why(office: Any) -> None:
    admin, _, path = office
    form = next(one for one in admin.forms(path + "jobs/") if "format" in one.values)
    admin.send(form, do="export", what="club", format="csv")
    job = Job.objects.get()
    assert job.params["format"] == "bundle"
    Job.objects.update(state="failed", due_at=None, outcome={"why": "No such event."})
    assert "No such event." in words(admin.get(path + "jobs/"))


def test_these_pages_ask_for_their_rights(office: Any) -> None:
    admin, club, path = office
    admin.fill(path + "leagues/", name="Winter")
    league = League.objects.get()
    event = make_night(4, club=club, rounds=1)
    draw(event)
    start(event, 1)
    player = director_of(club, "player", "A Player")
    treasurer = director_of(club, "treasurer", "A Treasurer")
    director = director_of(club, name="Ivo Boom")
    money = f"/desk/events/{event.pk}/money/"
    season = f"/desk/leagues/{league.pk}/"
    for page in (path + "leagues/", season, path + "money/", money, path + "jobs/"):
        assert player.get(page).status_code == 403
    assert treasurer.get(money).status_code == 200
    assert treasurer.get(season).status_code == 403
    assert director.get(season).status_code == 200
    assert director.get(path + "jobs/").status_code == 403


def test_a_season_is_hidden_from_strangers_also_when_it_is_closed(office: Any) -> None:
    admin, _, path = office
    admin.fill(path + "leagues/", name="Winter", is_hidden="on")
    league = League.objects.get()
    page = f"/desk/leagues/{league.pk}/"
    assert league.is_hidden
    assert "hidden" in words(admin.get(page))
    admin.fill(page, close="1")
    admin.fill(page, hide="no")
    league.refresh_from_db()
    assert (league.is_hidden, league.closed_at is None) == (False, False)
    admin.fill(page, hide="yes")
    assert League.objects.get().is_hidden


def test_a_season_says_with_which_night_it_is_hidden(office: Any) -> None:
    admin, club, path = office
    event = make_event(club, name="Quiet night", is_hidden=True)
    admin.fill(path + "leagues/", name="Winter")
    page = f"/desk/leagues/{League.objects.get().pk}/"
    assert "Strangers do not see this season" not in words(admin.get(page))
    admin.send(admin.form(page), session="1", event=str(event.pk), weight="1")
    assert "Strangers do not see this season: Quiet night is hidden." in words(admin.get(page))
