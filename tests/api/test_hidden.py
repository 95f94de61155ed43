"""What a public club hides: every endpoint and every page there is, asked by everybody.

The endpoints are read off the addresses, so that a new one that forgets to look is found. Where an
address names what is hidden, strangers learn no more than of a private club; and nothing that they
may read tells of it, not even by a number.
"""

import copy
import html
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest
from django.test import Client
from django.urls import reverse

from scoring.games import nights
from scoring.games.assign_to_event import Where, place_game
from scoring.models import Game
from tests.api.asking import Asking
from tests.api.test_permissions import (
    ENDPOINTS,
    NEEDS,
    asked,
    expected,
    keys_of,
    patterns,
)
from tests.api.world import OWN, PRIVATE, Corner, World, make_world
from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.night import check_in, draw, make_event, play, play_round
from tests.web.desk import director_of
from tests.web.window import publish_all
from tournaments.events import events, leagues
from tournaments.models import AuditEntry, Club, Event, League, Person, Player, Snapshot

pytestmark = pytest.mark.django_db

NAMES_HIDDEN: Final = frozenset({"event_id", "league_id", "game_id", "hand_id", "ruling_id"})
"""Whatever has one of these in its address is of something hidden."""
STRANGERS: Final = frozenset({"visitor", "stranger", "link"})
SECRET: Final = "Whispering"
_ELSEWHERE: Final = frozenset({"public_id", "name", "path", "token", "code", "factor_id"})
"""Places in addresses that have nothing to do with clubs, or that are secrets themselves."""


def hide(event: Event, *, hidden: bool = True) -> None:
    version = Event.objects.get(pk=event.pk).version
    change = {"is_hidden": hidden}
    events.change_event(event_id=event.pk, changes=change, version=version, by=DIRECTOR, at=at())


def hide_league(league: League, *, hidden: bool = True) -> None:
    version = League.objects.get(pk=league.pk).version
    change = {"is_hidden": hidden}
    leagues.change_league(
        league_id=league.pk, changes=change, version=version, by=DIRECTOR, at=at()
    )


@pytest.fixture(scope="module")
def _whispering(module_db: None) -> World:
    """The club of everybody's roles is public now, and all of its play is hidden."""
    made = make_world()
    own = made.corners[OWN]
    Club.objects.filter(pk=own.club.pk).update(is_public=True)
    event = Event.objects.get(pk=own.ids["event_id"])
    where = Where(closes=False)
    place_game(event_id=event.pk, game_id=own.game.pk, where=where, by=DIRECTOR, at=at())
    Event.objects.filter(pk=event.pk).update(name=f"{SECRET} night")
    League.objects.filter(pk=own.ids["league_id"]).update(name=f"{SECRET} season")
    Game.objects.filter(table__round__event=event).update(name=f"{SECRET} table")
    hide(event)
    publish_all()
    return made


@pytest.fixture
def world(_whispering: World, files: Any) -> Iterator[World]:
    """The same for every test: who signed out in one is signed in again."""
    askers = _whispering.askers
    cookies = {who: copy.deepcopy(one.client.cookies) for who, one in askers.items()}
    yield _whispering
    for who, one in askers.items():
        one.client.cookies = cookies[who]


HIDING: Final = sorted(
    (name, method)
    for name, method in ENDPOINTS
    if NAMES_HIDDEN.intersection(keys_of(name)) or name == "api-ratings"
)
"""The endpoints of what is hidden."""


@pytest.mark.parametrize(("name", "method"), HIDING, ids=lambda word: word)
def test_who_comes_in_where_something_is_hidden(world: World, name: str, method: str) -> None:
    endpoint, ids = ENDPOINTS[name, method], world.corners[OWN].ids
    path = reverse(name, kwargs={key: ids[key] for key in keys_of(name)})
    wrong = []
    for who, asking in world.askers.items():
        place = PRIVATE if who in STRANGERS else OWN
        should = expected(who, place, NEEDS[name][method], method, endpoint)
        status = asked(asking, method, path, takes_body=endpoint.takes_body)
        if (status if status in (401, 403, 404) else 0) != should or status >= 500:
            wrong.append(f"{who}: {status}, not {should or 'let in'}")
    assert not wrong, "\n".join(wrong)


def test_what_is_hidden_and_what_is_not_there_look_the_same(world: World) -> None:
    stranger, ids = world.askers["stranger"], world.corners[OWN].ids
    nowhere = {**dict.fromkeys(ids, "0193f000-0000-7000-8000-000000000000"), "number": 1}
    for name, method in HIDING:
        keys = set(keys_of(name))
        if not keys & NAMES_HIDDEN:
            continue
        body: dict[str, Any] | None = {} if ENDPOINTS[name, method].takes_body else None
        answers = [
            stranger.ask(
                method, reverse(name, kwargs={key: of[key] for key in keys}), body, If_Match='"1"'
            )
            for of in (ids, nowhere)
        ]
        assert answers[0].status_code == answers[1].status_code == 404, name
        assert answers[0].content == answers[1].content, name
        assert dict(answers[0].headers) == dict(answers[1].headers), name


def readable(ids: Mapping[str, Any]) -> Iterator[tuple[str, set[str]]]:
    """Every address of the service that can be looked at, and what it names."""
    for pattern in patterns():
        if pattern.name is None:
            continue
        keys = set(keys_of(pattern.name))
        if keys & _ELSEWHERE:
            continue
        assert keys <= set(ids), f"{pattern.name}: give {keys - set(ids)} a row in world.ids"
        yield reverse(pattern.name, kwargs={key: ids[key] for key in keys}), keys


def secrets_of(corner: Corner) -> list[str]:
    club = corner.club
    games = Game.objects.filter(club=club, table__isnull=False).values_list("pk", flat=True)
    own = [corner.ids[key] for key in NAMES_HIDDEN]
    return [SECRET, *map(str, [*games, *own])]


@pytest.mark.parametrize("who", ["visitor", "stranger"])
def test_nothing_that_strangers_may_read_tells_of_it(world: World, who: str) -> None:
    corner, asking = world.corners[OWN], world.askers[who]
    secrets, read = secrets_of(corner), 0
    for path, keys in readable(corner.ids):
        answer = asking.get(path)
        assert answer.status_code < 500, path
        if keys & NAMES_HIDDEN:
            # The desk asks a visitor to sign in, whatever is there.
            absent = answer.status_code in (401, 404, 405)
            assert absent or "/desk/sign-in/" in answer["Location"], path
        if answer.status_code != 200:
            continue
        told = b"".join(answer) if answer.streaming else answer.content
        assert not [one for one in secrets if one.encode() in told], path
        read += 1
    assert read > 10


def test_members_read_of_it_where_strangers_do_not(world: World) -> None:
    corner, member = world.corners[OWN], world.askers["player"]
    club, player = corner.club.pk, corner.ids["player_id"]
    for path in (
        f"/c/{club}/",
        f"/c/{club}/?q={SECRET}",
        f"/e/{corner.ids['event_id']}/",
        f"/l/{corner.ids['league_id']}/",
        f"/p/{player}/",
        f"/g/{corner.ids['game_id']}/",
        f"/h/{corner.ids['hand_id']}/",
        f"/api/v1/clubs/{club}/events",
        f"/api/v1/clubs/{club}/leagues",
        f"/api/v1/clubs/{club}/games",
        f"/api/v1/clubs/{club}/feed",
        f"/api/v1/clubs/{club}/calendar",
    ):
        answer = member.get(path)
        assert (answer.status_code, SECRET in answer.content.decode()) == (200, True), path


def test_questions_that_name_it_are_not_answered(world: World) -> None:
    corner, visitor = world.corners[OWN], world.askers["visitor"]
    ids, club = corner.ids, corner.club.pk
    file = f"/api/v1/clubs/{club}/standings-file?format=csv"
    for path in (
        f"{file}&event={ids['event_id']}",
        f"{file}&league={ids['league_id']}",
        f"/h/{ids['hand_id']}/embed/",
        f"/e/{ids['event_id']}/?view=projector",
        f"/e/{ids['event_id']}/?part=live",
        f"/l/{ids['league_id']}/?part=live",
        f"/g/{ids['game_id']}/?part=live",
    ):
        assert visitor.get(path).status_code == 404, path
    assert SECRET not in visitor.get(f"/c/{club}/?q={SECRET[:5]}").content.decode()
    member = world.askers["player"]
    assert member.get(f"{file}&event={ids['event_id']}").status_code == 200
    # A frame shows what everybody may see, and offers itself nowhere else.
    assert "<iframe" not in html.unescape(member.get(f"/h/{ids['hand_id']}/").content.decode())
    assert member.get(f"/h/{ids['hand_id']}/embed/").status_code == 404


BY_THE_CLOCK: Final = re.compile(r"DTSTAMP:\w+")
"""What is another one with every second."""


def visitor_reads(club: Club) -> dict[str, str]:
    """All that a visitor can read of a club, page by page, without what differs by itself."""
    visitor, found = Client(), {}
    event, league = club.events.get(name="Open night"), club.leagues.get()
    table = Game.objects.filter(table__round__event=event).first()
    assert table is not None
    one = f"/api/v1/clubs/{club.pk}"
    paths = [f"/c/{club.pk}/", f"/e/{event.pk}/", f"/l/{league.pk}/", f"/g/{table.pk}/"]
    paths += [f"/c/{club.pk}/?q=Player", f"/l/{league.pk}/?version=1"]
    for player in Player.objects.filter(club=club):
        paths += [f"/p/{player.pk}/", f"{one}/players/{player.pk}"]
    lists = ("events", "leagues", "games", "players", "feed", "calendar", "ratings")
    paths += [f"{one}/{name}" for name in lists]
    for of in (f"/api/v1/events/{event.pk}", f"/api/v1/leagues/{league.pk}"):
        paths += [of, f"{of}/standings"]
    paths += [f"{one}/standings-file?format=csv&league={league.pk}"]
    for path in paths:
        answer = visitor.get(path)
        body = b"".join(answer) if answer.streaming else answer.content
        found[path] = f"{answer.status_code} {BY_THE_CLOCK.sub('', body.decode())}"
    return found


def test_nothing_can_be_reckoned_out_of_what_strangers_see() -> None:
    club = make_club(is_public=True)
    players = make_players(club, 8)
    shown = make_event(club, name="Open night", rounds=1)
    hidden = make_event(club, name=f"{SECRET} night", rounds=2, is_hidden=True)
    league = leagues.create_league(club_id=club.pk, new={"name": "Winter"}, by=DIRECTOR, at=at())
    leagues.add_session(league_id=league.pk, event=shown.pk, by=DIRECTOR, at=at())
    games = {}
    # Three of them play on the hidden night alone.
    for event, people in ((shown, players[:4]), (hidden, players[1:])):
        check_in(event, people)
        draw(event)
        games[event] = nights.start_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(1)).games
    for _, game in games[shown]:
        play(game, 2)
    nights.end_round(event_id=shown.pk, number=1, by=DIRECTOR, at=at(2))
    publish_all()
    before = visitor_reads(club)
    for number, (_, game) in enumerate(games[hidden]):
        play(game, 2, number)
    nights.end_round(event_id=hidden.pk, number=1, by=DIRECTOR, at=at(3))
    publish_all()
    after = visitor_reads(club)
    assert before == after
    assert not any(SECRET in text for text in after.values())
    found = after[f"/c/{club.pk}/?q=Player"]
    assert [f"/p/{player.pk}/" in found for player in players] == [True] * 4 + [False] * 4
    ratings = f"/api/v1/clubs/{club.pk}/ratings"
    assert [path for path, text in after.items() if text.startswith("404")] == [ratings]
    hide(hidden, hidden=False)
    assert Client().get(ratings).json()["games"] == 1 + len(games[hidden])
    assert visitor_reads(club) != after


@pytest.fixture
def season() -> tuple[Club, Event, League]:
    """A season that two nights count for, published with both."""
    club = make_club(is_public=True)
    players = make_players(club, 4)
    new = {"name": "Winter"}
    league = leagues.create_league(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    nights_of = [make_event(club, name=name, rounds=1) for name in ("One", "Two")]
    for event in nights_of:
        check_in(event, players)
        draw(event)
        for _, game in nights.start_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(1)).games:
            play(game, 1, event.name)
        leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
        publish_all()
    return club, nights_of[-1], league


def test_a_season_is_hidden_with_a_night_that_it_counts(season: Any) -> None:
    club, event, league = season
    page, visitor = f"/l/{league.pk}/", Client()
    answers = f"/api/v1/leagues/{league.pk}/standings"
    assert visitor.get(page).status_code == visitor.get(answers).status_code == 200
    hide(event)
    listed = f"/api/v1/clubs/{club.pk}/leagues"
    assert visitor.get(page).status_code == visitor.get(answers).status_code == 404
    assert visitor.get(listed).json()["items"] == []
    assert "hidden from strangers" in director_of(club).get(f"/e/{event.pk}/").content.decode()
    taken = {"league_id": league.pk, "event_id": event.pk}
    leagues.remove_session(**taken, version=None, by=DIRECTOR, at=at())
    # The table that was published last still tells of it, until the next is.
    assert visitor.get(page).status_code == 404
    publish_all()
    assert visitor.get(page).status_code == 200
    rows = Snapshot.objects.filter(published__subject=league.pk).order_by("version")
    told = [row for row in rows if str(event.pk) in row.data]
    versions = [row.version for row in told]
    assert versions
    for version in versions:
        for words in (f"version={version}", f"since={version}"):
            assert visitor.get(f"{page}?{words}").status_code == 404
            assert visitor.get(f"{answers}?{words}").status_code == 404
            assert director_of(club).get(f"{page}?{words}").status_code == 200
    moment = told[-1].computed_at.isoformat().replace("+00:00", "Z")
    assert visitor.get(answers, {"at": moment}).status_code == 404


def test_strangers_see_no_ratings_while_games_are_hidden() -> None:
    club = make_club(is_public=True)
    players = make_players(club, 4)
    shown = make_event(club, name="Ten rounds", rounds=10, hands=1)
    hidden = make_event(club, name="Quiet night", rounds=1, hands=1, is_hidden=True)
    for event in (shown, hidden):
        check_in(event, players)
        draw(event)
    for number in range(1, 11):
        play_round(shown, number)
    publish_all()
    pages = {f"/c/{club.pk}/": "Highest ratings", f"/p/{players[0].pk}/": "rating-title"}
    for page, words in pages.items():
        assert words in Client().get(page).content.decode(), page
    play_round(hidden, 1)
    publish_all()
    member = director_of(club)
    for page, words in pages.items():
        assert words not in Client().get(page).content.decode(), page
        assert words in member.get(page).content.decode(), page


def test_what_a_reader_had_before_is_not_confirmed(season: Any) -> None:
    _, event, _ = season
    visitor = Client()
    live, answer = f"/e/{event.pk}/?part=live", f"/api/v1/events/{event.pk}"
    tags = {path: visitor.get(path)["ETag"] for path in (live, answer, f"{answer}/standings")}
    for path, tag in tags.items():
        assert visitor.get(path, headers={"If-None-Match": tag}).status_code == 304
    hide(event)
    for path, tag in tags.items():
        assert visitor.get(path, headers={"If-None-Match": tag}).status_code == 404


def test_a_league_is_hidden_without_its_events(season: Any) -> None:
    club, event, league = season
    hide_league(league)
    visitor = Client()
    assert visitor.get(f"/l/{league.pk}/").status_code == 404
    file = f"/api/v1/clubs/{club.pk}/standings-file?format=csv&league={league.pk}"
    assert visitor.get(file).status_code == 404
    assert director_of(club).get(file).status_code == 200
    page = visitor.get(f"/e/{event.pk}/")
    assert page.status_code == 200
    assert league.name not in page.content.decode()
    assert league.name in director_of(club).get(f"/e/{event.pk}/").content.decode()


def test_who_may_know_of_it_is_on_record_and_can_be_changed_when_all_is_over(season: Any) -> None:
    club, event, league = season
    nights.end_round(event_id=event.pk, number=1, why="Late.", by=DIRECTOR, at=at(8))
    nights.finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=at(9))
    hide(event)
    hide(event, hidden=False)
    League.objects.filter(pk=league.pk).update(closed_at=at(9))
    hide_league(league)
    rows = AuditEntry.objects.filter(club_id=club.pk, what__endswith=" changed").order_by("pk")
    told = [row.details for row in rows if row.chain in (event.pk, league.pk)]
    said = [one for words in told for one in re.findall(r'"is_hidden": ?(\w+)', words)]
    assert said == ["true", "false", "true"]


def test_hidden_people_and_hidden_nights_are_two_things(season: Any) -> None:
    club, event, _ = season
    player = Player.objects.filter(club=club).first()
    assert player is not None
    Person.objects.filter(player=player).update(shown="hidden")
    hide(event)
    assert Client().get(f"/p/{player.pk}/").status_code == 404
    Person.objects.filter(player=player).update(shown="short")
    page = Client().get(f"/p/{player.pk}/").content.decode()
    assert ("One" in page, "Two" in page) == (True, False)


def test_a_phone_at_a_hidden_table_goes_on(world: World) -> None:
    scorer: Asking = world.askers["scorer"]
    ids = world.corners[OWN].ids
    game = f"games/{ids['game_id']}"
    for path in (game, f"{game}/hands", f"hands/{ids['hand_id']}"):
        assert scorer.get(f"/api/v1/{path}").status_code == 200
