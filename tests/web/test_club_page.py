"""The first page of a club: the next night, the last one, the league, records, all nights."""

import json
import re
from datetime import timedelta
from fractions import Fraction
from functools import partial

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.db.models import Max, Sum
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.tournaments.night import check_in, draw, make_event, play_round
from tests.tournaments.people.test_club_pictures import picture_file
from tests.web.desk import director_of
from tests.web.test_desk_nights import words
from tests.web.window import member_of, publish_all
from tournaments.events import leagues
from tournaments.models import (
    Club,
    ClubPicture,
    Entry,
    Event,
    League,
    Person,
    Player,
    Presence,
    Result,
    Scope,
    Shown,
    Snapshot,
    Status,
)
from tournaments.ratings import RatingSettings, rate
from tournaments.web.club_records import compute_records
from tournaments.web.club_summaries import find_league, find_nights

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _empty_cache() -> None:
    cache.clear()


@pytest.fixture
def club() -> Club:
    """Eight members, two nights of a league that are over, and one that is planned."""
    club = make_club(is_public=True)
    players = make_players(club, 8)
    rules = make_rules(club, "bicycle", {"starting_chips": "1000"})
    league = leagues.create_league(
        club_id=club.pk,
        new={"name": "Winter", "planned": 4, "season": {"rule": "best_n", "best": 2}},
        by=DIRECTOR,
        at=at(),
    )
    for number in (1, 2):
        event = make_event(
            club, name=f"Night {number}", rule_set=rules, rounds=1, hands=2, seed=str(number)
        )
        Event.objects.filter(pk=event.pk).update(starts_at=at() + timedelta(days=7 * number))
        check_in(event, players if number == 1 else players[:4])
        draw(event)
        play_round(event, 1)
        Event.objects.filter(pk=event.pk).update(status=Status.FINISHED)
        leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
    coming = make_event(club, name="Next week", rule_set=rules)
    Event.objects.filter(pk=coming.pk).update(
        starts_at=timezone.now() + timedelta(days=3), entry_fee=500
    )
    publish_all()
    return club


def path_of(club: Club) -> str:
    return f"/c/{club.pk}/"


def test_what_is_next_says_when_where_how_much_and_in_how_many_days(
    client: Client, club: Club
) -> None:
    Club.objects.update(venue="Parish Hall")
    page = words(client.get(path_of(club)))
    assert "Next night" in page
    assert "Next week" in page
    assert "Parish Hall" in page
    assert "entry 5.00" in page
    assert "3 days" in page


def test_the_last_night_has_its_winner_its_players_and_its_hands(
    client: Client, club: Club
) -> None:
    event = Event.objects.get(name="Night 2")
    summary = find_nights([event.pk])[event.pk]
    names = {str(player.pk): player.person.name for player in Player.objects.all()}
    member = member_of(club)
    page = words(member.get(path_of(club)))
    winners = [names[player] for player in summary.winners]
    assert f"{', '.join(winners)} won" in page
    assert "4 players · 2 hands" in page
    strangers = words(client.get(path_of(club)))
    assert f"{', '.join(winners)} won" not in strangers
    Person.objects.filter(name=winners[0]).update(name="Quill, Zach")
    assert "Zach Quill won" in words(member.get(path_of(club)))


def test_nights_are_told_with_winner_and_players_and_old_ones_are_folded(
    client: Client, club: Club
) -> None:
    event = Event.objects.get(name="Night 1")
    assert find_nights([event.pk])[event.pk].players == 8
    page = client.get(path_of(club)).content.decode()
    assert page.count('class="winner"') == 2
    assert "Older nights" not in page
    template = Event.objects.get(name="Night 1")
    for number in range(6):
        make_event(club, name=f"Old {number}", rule_set=template.rule_set)
    Event.objects.filter(name__startswith="Old").update(
        status=Status.FINISHED, starts_at=at() - timedelta(days=30)
    )
    page = client.get(path_of(club)).content.decode()
    assert page.index("Night 1</bdi>") < page.index("Older nights") < page.index("Old 0</bdi>")


def test_the_league_has_its_top_five_in_the_order_of_the_table(club: Club) -> None:
    league = League.objects.get()
    found = find_league(league.pk, hidden=False)
    assert found is not None
    assert len(found.top) == 5
    totals = [one.placed.total for one in found.top]
    assert totals == sorted(totals, reverse=True)
    assert found.nights == 2
    page = words(member_of(club).get(path_of(club)))
    assert "Winter, after 2 of 4" in page
    names = {str(player.pk): player.person.name for player in Player.objects.all()}
    top = page[page.index("Top five") :]
    places = [top.index(f"{names[one.placed.player]} ") for one in found.top]
    assert places == sorted(places)


def test_a_hidden_night_takes_the_league_the_records_and_itself_from_strangers(
    client: Client, club: Club
) -> None:
    assert "Records of the club" in words(client.get(path_of(club)))
    Event.objects.filter(name="Night 2").update(is_hidden=True)
    page = words(client.get(path_of(club)))
    assert "Night 2" not in page
    assert "Records of the club" not in page
    assert "Top five" not in page
    member = words(member_of(club).get(path_of(club)))
    assert "Night 2" in member
    assert "Records of the club" in member


def test_who_is_but_a_number_to_strangers_is_named_without_a_link(
    client: Client, club: Club
) -> None:
    Person.objects.update(shown=Shown.HIDDEN)
    page = client.get(path_of(club)).content.decode()
    assert "Top five" in page
    assert "Records of the club" in page
    assert 'href="/p/' not in page
    assert 'href="/p/' in member_of(club).get(path_of(club)).content.decode()


def test_records_are_what_the_results_say(club: Club) -> None:
    found = {one.kind: one for one in compute_records(club)}
    assert found["pot"].value == Result.objects.aggregate(most=Max("won"))["most"]
    nights = Result.objects.values("game__event", "player").annotate(sum=Sum("score"))
    assert found["night"].value == max(row["sum"] for row in nights)
    assert found["streak"].value == 2
    assert found["streak"].is_lasting
    assert "nights" not in found


def test_who_missed_a_night_begins_anew(club: Club) -> None:
    assert "streak" in {one.kind for one in compute_records(club)}
    Entry.objects.filter(event__name="Night 2").update(presence=Presence.EXPECTED)
    assert "streak" not in {one.kind for one in compute_records(club)}


def test_a_night_that_is_still_played_is_no_record_yet(club: Club) -> None:
    Event.objects.filter(name="Night 2").update(status=Status.RUNNING)
    assert "streak" not in {one.kind for one in compute_records(club)}


def test_a_merged_player_holds_the_records_of_both(club: Club) -> None:
    record = next(one for one in compute_records(club) if one.kind == "pot")
    into = Player.objects.create(club=club, number=99, created_at=at())
    Person.objects.create(player=into, name="The Other One")
    Player.objects.filter(pk=record.player).update(merged_into=into)
    merged = next(one for one in compute_records(club) if one.kind == "pot")
    assert merged.player == str(into.pk)


def test_the_page_asks_few_questions_and_fewer_when_nothing_has_changed(
    client: Client, club: Club
) -> None:
    asked = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as questions:
            client.get(path_of(club))
        asked.append(len(questions))
    assert asked[0] <= 32
    assert asked[1] < asked[0]
    assert asked[1] <= 25


def test_a_club_says_something_of_itself_and_shows_a_picture(client: Client) -> None:
    club = make_club()
    admin = director_of(club, "admin")
    settings = f"/desk/clubs/{club.pk}/settings/"
    admin.fill(settings, about="We play on Tuesdays.\n\n<b>Beginners</b> are welcome.")
    upload = f"/desk/clubs/{club.pk}/picture/"
    refused = admin.fill(upload, file=SimpleUploadedFile("a.jpg", b"<script>alert(1)</script>"))
    assert refused.status_code == 422
    assert "no picture that we can read" in words(refused)
    admin.fill(upload, file=SimpleUploadedFile("room.jpg", picture_file()))
    Club.objects.filter(pk=club.pk).update(is_public=True)
    page = client.get(path_of(club)).content.decode()
    assert "<p>We play on Tuesdays.</p>" in page
    assert "&lt;b&gt;Beginners&lt;/b&gt; are welcome." in page
    address = re.findall(r'src="(/c/[^"]+\.webp)"', page)[0]
    answer = client.get(address)
    assert answer["Content-Type"] == "image/webp"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer.content == bytes(ClubPicture.objects.get().image)
    same = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert same.status_code == 304
    Club.objects.filter(pk=club.pk).update(is_public=False)
    assert client.get(address).status_code == 404
    assert admin.client.get(address).status_code == 200
    admin.fill(upload, remove="1")
    assert admin.client.get(address).status_code == 404


def test_only_an_admin_changes_the_picture() -> None:
    club = make_club()
    assert director_of(club).client.get(f"/desk/clubs/{club.pk}/picture/").status_code == 403


def test_directors_read_that_the_model_is_fitted_to_their_club(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    own = partial(rate, settings=RatingSettings(beta=Fraction(20)))
    monkeypatch.setattr("tournaments.publishing.club_ratings.rate_with_fitted_beta", own)
    club = make_club(is_public=True)
    event = make_event(club, rounds=10, hands=1)
    check_in(event, make_players(club, 8))
    draw(event)
    for number in range(1, 11):
        play_round(event, number)
    publish_all()
    director = member_of(club, "director")
    assert "The model is fitted to this club: beta 20 in place of 10" in words(
        director.get(f"/c/{club.pk}/")
    )
    prediction = director.get(f"/api/v1/clubs/{club.pk}/ratings").json()["prediction"]
    assert (prediction["beta"], prediction["is_own_beta"]) == ("20", True)


def test_directors_alone_learn_how_well_the_ratings_predict() -> None:
    club = make_club(is_public=True)
    event = make_event(club, rounds=10, hands=1)
    check_in(event, make_players(club, 8))
    draw(event)
    for number in range(1, 11):
        play_round(event, number)
    publish_all()
    page, answer = f"/c/{club.pk}/", f"/api/v1/clubs/{club.pk}/ratings"
    director = member_of(club, "director")
    assert "winners of the last 1 nights (20 games)" in words(director.get(page))
    prediction = director.get(answer).json()["prediction"]
    assert (prediction["nights"], prediction["games"]) == (1, 20)
    assert prediction["even"] == "1.3863"
    assert (prediction["beta"], prediction["is_own_beta"]) == ("10", False)
    # A table that was published before a club could have a beta of its own has no word of it.
    for snapshot in Snapshot.objects.filter(published__scope=Scope.RATINGS):
        data = json.loads(snapshot.data)
        del data["prediction"]["beta"], data["prediction"]["is_own_beta"]
        Snapshot.objects.filter(pk=snapshot.pk).update(data=json.dumps(data))
    assert director.get(answer).json()["prediction"] == prediction
    for other in (Client(), member_of(club)):
        assert "log loss" not in words(other.get(page))
        assert other.get(answer).json()["prediction"] is None
