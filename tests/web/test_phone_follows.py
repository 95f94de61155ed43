"""The doors by which a phone follows its player or stays with its table."""

import json
import re
from typing import Any

import pytest
from django.core.cache import caches
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scoring.games.links import token_of
from scoring.games.nights import end_round, finish_night
from scoring.games.phones import end_phone
from scoring.games.table_codes import make_club_codes, make_event_codes, revoke_code, short_code_of
from scoring.models import Game, PlayerPhone, TableCode
from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.night import check_in, draw, make_event, make_night, play, start
from tests.web.window import publish_all
from tournaments.events.leagues import add_session, create_league
from tournaments.models import Event, Player, Result, Scope
from tournaments.publishing.versions import find_latest
from tournaments.web.number_format import format_number

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    event = make_night(8, rounds=2)
    draw(event)
    draw(event)
    return event


@pytest.fixture
def games(event: Event) -> list[Game]:
    return start(event, 1)


def code_of(event: Event, number: int = 1) -> TableCode:
    return TableCode.objects.get(event=event, number=number, revoked_at=None)


def scan(client: Client, code: TableCode) -> Any:
    return client.get(f"/t/{token_of(code)}")


def table_on(page: Any) -> dict[str, Any]:
    """What is on the page for its script."""
    text = page.content.decode()
    begin = text.index('<script id="table" type="application/json">')
    end = text.index("</script>", begin)
    found: dict[str, Any] = json.loads(text[text.index(">", begin) + 1 : end])
    return found


def ask(client: Client, path: str, token: str, **headers: str) -> Any:
    return client.get(f"/t/{path}", headers={"authorization": f"Seat {token}", **headers})


def post(client: Client, path: str, token: str) -> Any:
    return client.post(f"/t/{path}", headers={"authorization": f"Seat {token}"})


def own(client: Client, event: Event, seat: str = "N", number: int = 1) -> dict[str, Any]:
    """Scan the code of a table, and say who one is."""
    table = table_on(scan(client, code_of(event, number)))
    answer = post(client, f"own?seat={seat}", table["token"])
    assert answer.status_code == 201, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_the_code_of_a_table_opens_its_game(
    client: Client, event: Event, games: list[Game]
) -> None:
    page = scan(client, code_of(event, 2))
    assert page.status_code == 200
    assert page["Cache-Control"] == "private, no-store"
    assert page["Referrer-Policy"] == "no-referrer"
    table = table_on(page)
    assert table["seating"]["game"] == str(games[1].pk)
    assert (table["code"], table["event"]) == (token_of(code_of(event, 2)), str(event.pk))
    assert ask(client, "seating", table["token"]).json()["game"] == str(games[1].pk)


def test_before_the_round_starts_the_page_waits(client: Client, event: Event) -> None:
    (code,) = make_event_codes(event_id=event.pk, numbers=[1], by=DIRECTOR, at=at())
    page = scan(client, code)
    assert (page.status_code, page["Refresh"]) == (200, "10")
    assert "nothing is played at this table yet" in page.content.decode()
    start(event, 1)
    assert table_on(scan(client, code))["code"] == token_of(code)


def test_a_short_code_is_typed_at_a_readable_address(
    client: Client, event: Event, games: list[Game]
) -> None:
    assert client.get("/table").status_code == 200
    short = str(short_code_of(code_of(event)))
    page = client.post("/t/open", {"code": short.lower().replace("-", " ")})
    assert table_on(page)["seating"]["game"] == str(games[0].pk)
    assert short not in page.content.decode()
    wrong = client.post("/t/open", {"code": "ABCD-EFGH"})
    assert wrong.status_code == 422
    assert "No table has this code" in wrong.content.decode()
    revoke_code(code_id=code_of(event).pk, by=DIRECTOR, at=at(5))
    ended = client.post("/t/open", {"code": short})
    assert ended.status_code == 422
    assert "no longer open" in ended.content.decode()


def test_who_tries_many_codes_has_to_wait(client: Client) -> None:
    caches["default"].clear()
    answers = [client.post("/t/open", {"code": f"ABCD-EF{n:02d}"}) for n in range(61)]
    assert {answer.status_code for answer in answers[:60]} == {422}
    assert answers[60].status_code == 429
    assert int(answers[60]["Retry-After"]) > 0
    caches["default"].clear()


def test_a_code_for_every_night_asks_which_where_there_are_two(client: Client) -> None:
    one = make_night(8)
    (code,) = make_club_codes(club_id=one.club_id, numbers=[1], by=DIRECTOR, at=at())
    assert "Nothing is played in your club" in scan(client, code).content.decode()
    draw(one)
    start(one, 1)
    assert table_on(scan(client, code))["event"] == str(one.pk)
    other = make_event(one.club, name="In the other room")
    check_in(other, list(Player.objects.filter(club=one.club_id)))
    draw(other)
    (game, _second) = start(other, 1)
    page = scan(client, code).content.decode()
    assert {other.name, one.name} <= set(
        re.findall(r"<bdi>([^<>]+)</bdi>\s+Round 1\s+</button>", page)
    )
    chosen = client.post("/t/open", {"code": str(short_code_of(code)), "play": str(other.pk)})
    assert table_on(chosen)["seating"]["game"] == str(game.pk)
    stranger = make_night(8, club=make_club("Delft"))
    draw(stranger)
    start(stranger, 1)
    none = client.post("/t/open", {"code": str(short_code_of(code)), "play": str(stranger.pk)})
    assert "Nothing is played in your club" in none.content.decode()
    token = str(token_of(code))
    assert ask(client, f"between?event={stranger.pk}", token).status_code == 404
    assert ask(client, f"between?event={other.pk}", token).json()["event"] == str(other.pk)


def test_a_phone_follows_its_player_and_is_told_where(
    client: Client, event: Event, games: list[Game]
) -> None:
    made = own(client, event)
    told = ask(client, "between", made["phone"]).json()
    assert (told["round"], told["is_playing"], told["game"]) == (1, True, str(games[0].pk))
    assert (told["table"]["number"], told["table"]["own"]) == (1, "N")
    for game in games:
        play(game, event.hands)
    end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(20))
    told = ask(client, "between", made["phone"]).json()
    assert (told["round"], told["is_playing"], told["game"]) == (2, False, None)
    assert told["table"]["called"][told["table"]["own"]] == told["player"]
    assert post(client, "follow", made["phone"]).status_code == 404
    tables = start(event, 2)
    told = ask(client, "between", made["phone"]).json()
    game = next(one for one in tables if str(one.pk) == told["game"])
    opened = post(client, "follow", made["phone"]).json()
    assert opened["seating"]["game"] == str(game.pk)
    assert opened["seating"]["seat"] == told["table"]["own"]
    assert post(client, "follow", made["phone"]).json()["token"] == opened["token"]


def test_nobody_is_sent_to_a_seat_of_a_draw_that_no_longer_fits(
    client: Client, event: Event, games: list[Game]
) -> None:
    made = own(client, event)
    for game in games:
        play(game, event.hands)
    end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(20))
    before = ask(client, "between", made["phone"])
    assert before.json()["round"] == 2
    check_in(event, make_players(event.club, 1))
    told = ask(client, "between", made["phone"], **{"if-none-match": before["ETag"]}).json()
    assert (told["round"], told["table"], told["sits_out"]) == (None, None, False)


def test_the_phone_of_a_table_stays_there(client: Client, event: Event, games: list[Game]) -> None:
    code = token_of(code_of(event, 2))
    assert code is not None
    end_round(event_id=event.pk, number=1, why="Time.", by=DIRECTOR, at=at(20))
    told = ask(client, "between", code).json()
    assert (told["round"], told["game"], told["player"]) == (2, None, None)
    assert (told["table"]["number"], told["table"]["own"]) == (2, None)
    tables = start(event, 2)
    assert ask(client, "between", code).json()["game"] == str(tables[1].pk)
    opened = post(client, "follow", code).json()
    assert (opened["seating"]["game"], opened["seating"]["seat"]) == (str(tables[1].pk), None)


def test_nothing_new_is_not_told_again(
    client: Client,
    event: Event,
    games: list[Game],
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    made = own(client, event)
    tag = ask(client, "between", made["phone"])["ETag"]
    with django_assert_max_num_queries(6):
        again = ask(client, "between", made["phone"], **{"if-none-match": tag})
    assert (again.status_code, again.content) == (304, b"")
    end_round(event_id=event.pk, number=1, why="Time.", by=DIRECTOR, at=at(20))
    assert ask(client, "between", made["phone"], **{"if-none-match": tag}).status_code == 200


def test_what_is_ended_stays_ended(client: Client, event: Event, games: list[Game]) -> None:
    made = own(client, event)
    phone = PlayerPhone.objects.get()
    end_phone(event_id=event.pk, phone_id=phone.pk, by=DIRECTOR, at=at(5))
    for answer in (
        ask(client, "between", made["phone"]),
        post(client, "follow", made["phone"]),
        ask(client, "seating", made["token"]),
        post(client, "own?seat=N", made["token"]),
    ):
        assert (answer.status_code, answer.json()["code"]) == (410, "GONE")
        assert answer["Cache-Control"] == "private, no-store"


def test_a_phone_speaks_for_its_seat_alone(client: Client, event: Event, games: list[Game]) -> None:
    made = own(client, event, "E")
    answer = post(client, "own?seat=N", made["token"])
    assert (answer.status_code, answer.json()["code"]) == (422, "UNPROCESSABLE")
    for seat in ("", "X", "NN"):
        assert post(client, f"own?seat={seat}", made["token"]).status_code == 422
    assert PlayerPhone.objects.count() == 1


@pytest.mark.parametrize("token", ["", "x", "0" * 32, "N" * 500])
def test_a_token_of_nobody_is_nothing(client: Client, token: str) -> None:
    assert ask(client, "between", token).status_code == 404
    assert post(client, "follow", token).status_code == 404
    assert post(client, "own?seat=N", token).status_code == 404


def test_the_end_of_the_night_is_told(client: Client, event: Event, games: list[Game]) -> None:
    made = own(client, event)
    for game in games:
        play(game, event.hands)
    end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(20))
    for game in start(event, 2):
        play(game, event.hands, 2)
    now = timezone.now()
    end_round(event_id=event.pk, number=2, by=DIRECTOR, at=now)
    finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=now)
    publish_all()
    told = ask(client, "between", made["phone"]).json()
    assert told["status"] == "finished"
    assert (told["round"], told["table"], told["game"]) == (None, None, None)
    assert [one["number"] for one in told["end"]["rounds"]] == [1, 2]
    player = PlayerPhone.objects.get().player
    results = Result.objects.filter(player=player)
    assert [(one["round"], one["number"]) for one in told["hands"]] == [
        (number, hand) for number in (2, 1) for hand in range(event.hands or 0, 0, -1)
    ]
    shown = sorted(one["value"] for one in told["hands"])
    assert shown == sorted(format_number(row.score, signed=True) for row in results)
    assert told["standings"]["place"]
    assert sum(line["is_own"] for line in told["standings"]["lines"]) == 1
    table = ask(client, "between", str(token_of(code_of(event)))).json()
    assert (table["end"], table["hands"]) == (None, [])


def test_at_the_end_a_phone_tells_the_place_in_the_league(
    client: Client, event: Event, games: list[Game]
) -> None:
    made = own(client, event)
    event.refresh_from_db()
    league = create_league(
        club_id=event.club_id, new={"name": "Winter", "planned": 4}, by=DIRECTOR, at=at()
    )
    add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
    for game in games:
        play(game, event.hands)
    end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(20))
    for game in start(event, 2):
        play(game, event.hands, 2)
    now = timezone.now()
    end_round(event_id=event.pk, number=2, by=DIRECTOR, at=now)
    finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=now)
    first = ask(client, "between", made["phone"])
    publish_all()
    later = ask(client, "between", made["phone"], **{"if-none-match": first["ETag"]})
    told = later.json()["end"]["league"]
    row = next(
        row
        for row in find_latest(Scope.LEAGUE, league.pk).rows
        if row["entry"] == str(PlayerPhone.objects.get().player_id)
    )
    assert told == {"name": "Winter", "place": row["label"], "of": 8}
