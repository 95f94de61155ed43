"""A season of a club through the API alone, from its founding to the books of its last night.

The examples of answers in the OpenAPI document are recorded here, so every operation with a JSON
answer is asked at least once, where it has most to tell. See docs/development/testing.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import quote
from uuid import UUID, uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone

from benchmarks.hands import TABLES
from scoring.hands.papers import seal_of
from scoring.jobs import tasks
from scoring.jobs.kinds import WORK
from scoring.models import Delivery, Game
from tests.api.asking import PASSWORD, account_of
from tests.api.desk import Desk, Plain, taken
from tests.scoring.archives import file, in_turn, night
from tests.scoring.archives import game as played
from tests.scoring.club import DIRECTOR
from tests.scoring.slips.marking import hand_in
from tests.tournaments.events.test_boards import with_deal
from tournaments.events.replies import make_reply_links, note_reply
from tournaments.models import Board, Reply

pytestmark = pytest.mark.django_db

NAMES = (
    "Ann Lee", "Ben Hill", "Cleo Young", "Dan Frost", "Eve Stone", "Finn West", "Gus Park",
    "Hana Reed",
)  # fmt: skip
FULL_HAND = Path(__file__).parents[1] / "engine/analysis/examples/21_hand_bicycle_4.phn"
TUESDAY = {"name": "Tuesday", "starts_at": "2026-11-24T19:30:00Z", "rounds": 2, "hands": 2}
RESULTS: tuple[Plain, ...] = (
    {"bidder": "W", "bid": 5, "pain": "S", "taken": taken("5/4/4/0")},
    {"bidder": "N", "bid": 4, "pain": "H", "taken": taken("0/6/4/3")},
)
SALT = "c2b7e14a9d0f4c68"
MONEY = {"buy_in": "1000", "correction_period": "PT0H"}
SIGNING_KEY = "QkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkJCQkI"


class StoryDesk(Desk):
    """Somebody, or a phone, whose requests all succeed."""

    def ask(self, method: str, path: str, data: Any = None, **headers: str) -> Any:
        """Send a request, which must succeed, and return its answer as data."""
        answered = self.get(path) if method == "GET" else self.send(method, path, data, **headers)
        assert answered.status < 300, (method, path, answered)
        return answered.data


@dataclass(frozen=True)
class Story:
    """A club, its house rules and the ids of its eight players; and the desk of who runs it."""

    desk: StoryDesk
    club: str
    rules: str
    players: Sequence[str]

    @property
    def path(self) -> str:
        """The address of the club."""
        return f"clubs/{self.club}"


@pytest.fixture
def desk() -> StoryDesk:
    return StoryDesk(account_of("nora@example.org"))


@pytest.fixture
def story(desk: StoryDesk) -> Story:
    body = {"name": "Leiden Hearts", "is_public": True, "currency": "EUR"}
    club = desk.ask("POST", "clubs", body)["id"]
    rules = {"name": "As we play", "preset": "bicycle", "overrides": {"min_bid": "2"}}
    rule_set = desk.ask("POST", f"clubs/{club}/rule-sets", rules)["id"]
    people = [{"name": name, "email": f"{name[:3].lower()}@example.org"} for name in NAMES]
    players = [desk.ask("POST", f"clubs/{club}/players", body)["id"] for body in people]
    return Story(desk, club, rule_set, players)


def work(*kinds: str) -> None:
    """Do the background work of some kinds that is due."""
    for _time in range(3):
        for kind in kinds:
            for name, _since in WORK[kind].due(timezone.now(), 100):
                tasks.run(kind=kind, name=name)


def set_up(story: Story, **fields: Any) -> Any:
    """Set an event up and enter everybody."""
    body = {**TUESDAY, "rule_set": story.rules, **fields}
    event = story.desk.ask("POST", f"{story.path}/events", body)
    for player in story.players:
        story.desk.ask("POST", f"events/{event['id']}/entries", {"player": player})
    return event


def version_of(desk: StoryDesk, path: str) -> str:
    return str(desk.ask("GET", path)["version"])


def send_hand(who: StoryDesk, game: str, number: int, result: Plain | None = None) -> Any:
    body = {"id": str(uuid4()), "number": number, "result": result or RESULTS[number - 1]}
    return who.ask("POST", f"games/{game}/hands", body)


def play_rounds(desk: StoryDesk, event: Any) -> None:
    """Draw the rounds of an event; begin each, enter all hands of its tables and close it."""
    path = f"events/{event['id']}/rounds"
    desk.ask("POST", path, {})
    for round_number in range(1, event["rounds"] + 1):
        started = desk.ask("POST", f"{path}/{round_number}/start")
        for table in started["tables"]:
            for number in (1, 2):
                send_hand(desk, table["game"], number)
        desk.ask("POST", f"{path}/{round_number}/close")


def open_game(story: Story, **fields: Any) -> str:
    table = {"name": "Table 1", "rule_set": story.rules, "players": story.players[:4]}
    game: str = story.desk.ask("POST", f"{story.path}/games", {**table, **fields})["id"]
    return game


def phones(story: Story, game: str, *seats: str) -> list[StoryDesk]:
    made = story.desk.ask("POST", f"games/{game}/links", {"seats": list(seats)})
    return [StoryDesk(authorization=f"Seat {token}") for token in made["tokens"].split("\n")]


def test_somebody_signs_in_and_is_known() -> None:
    account = account_of("nora@example.org")
    account.set_password(PASSWORD)
    account.save()
    desk = StoryDesk()
    body = {"email": "nora@example.org", "password": PASSWORD}
    assert desk.ask("POST", "session", body)["csrf_token"]
    desk.ask("POST", "clubs", {"name": "Leiden Hearts"})
    assert desk.ask("GET", "me")["name"] == "Nora Adams"


def test_a_program_learns_what_there_is(desk: StoryDesk) -> None:
    assert desk.ask("GET", "presets")["items"]
    assert desk.ask("GET", "switches")["items"]
    assert desk.ask("GET", "irregularities")
    assert desk.ask("GET", "limits")
    (record,) = played(TABLES[0], 1, hands=1)
    assert desk.ask("POST", "check", {"text": record})["records"]


def test_a_club_is_founded_and_changed(story: Story) -> None:
    desk, path = story.desk, story.path
    assert [club["name"] for club in desk.ask("GET", "clubs")["items"]] == ["Leiden Hearts"]
    changed = desk.ask("PATCH", path, {"venue": "The Blue Room"}, version="1")
    assert desk.ask("GET", path) == changed
    assert desk.ask("GET", f"{path}/audit")["items"]
    assert desk.ask("GET", f"{path}/audit/{story.club}")["broken"] == []


def test_people_of_a_club_are_written_down(story: Story) -> None:
    desk, path = story.desk, f"{story.path}/players"
    ann, ben, cleo, *_ = story.players
    assert len(desk.ask("GET", path)["items"]) == 8
    assert desk.ask("GET", f"{path}/{ann}")["name"] == "Ann Lee"
    desk.ask("PATCH", f"{path}/{ann}", {"name": "Ann Lee-Brown", "shown": "full"}, version="1")
    bars = f"{path}/{ben}/bars"
    bar = desk.ask("POST", bars, {"reason": "Has not paid since March.", "until": "2099-12-31"})
    assert desk.ask("GET", bars)["items"] == [bar]
    assert desk.ask("DELETE", f"{bars}/{bar['id']}")["lifted_at"]
    assert desk.ask("POST", f"{path}/{cleo}/merge", {"into": ann}, version="1")["id"] == ann
    desk.ask("DELETE", f"{path}/{ben}/person", version=version_of(desk, f"{path}/{ben}"))


def test_others_help_to_run_the_club(story: Story) -> None:
    desk, path = story.desk, story.path
    account_of("ben@example.org", "Ben Hill")
    desk.ask("POST", f"{path}/roles", {"email": "ben@example.org", "kind": "director"})
    assert len(desk.ask("GET", f"{path}/roles")["items"]) == 2
    body: Plain = {"email": "cleo@example.org", "kind": "treasurer"}
    invited = desk.ask("POST", f"{path}/invitations", body)
    accepted = {"invitation": invited["invitation"], "name": "Cleo Young", "password": PASSWORD}
    assert StoryDesk().ask("POST", "invitations", accepted)["kind"] == "treasurer"
    body = {"name": "Score board in the hall", "kind": "director", "scopes": ["club.read"]}
    key = desk.ask("POST", f"{path}/keys", body)
    assert len(desk.ask("GET", f"{path}/keys")["items"]) == 1
    assert desk.ask("DELETE", f"{path}/keys/{key['id']}")["revoked_at"]


def test_house_rules_are_written_down_and_changed(story: Story) -> None:
    desk, path = story.desk, f"{story.path}/rule-sets"
    first = f"{path}/{story.rules}"
    assert desk.ask("GET", path)["items"] == [desk.ask("GET", first)]
    assert desk.ask("GET", f"{first}/sheet")
    body = {"preset": "bicycle", "overrides": {"min_bid": "3"}, "keeps_jackpot": True}
    second = desk.ask("PATCH", first, body, version="1")
    assert second["version"] == 2
    assert desk.ask("DELETE", f"{path}/{second['id']}")["retired_at"]


def test_a_program_is_told_what_happens(story: Story) -> None:
    desk, path = story.desk, f"{story.path}/webhooks"
    body: Plain = {"url": "https://club.example/painsuit", "events": ["hand.entered"]}
    hook = desk.ask("POST", path, body)
    one = f"webhooks/{hook['id']}"
    assert len(desk.ask("GET", path)["items"]) == 1
    send_hand(desk, open_game(story), 1)
    (delivery,) = desk.ask("GET", f"{one}/deliveries")["items"]
    given_up = {"due_at": None, "tries": 9, "last_answer": "503 Service Unavailable"}
    Delivery.objects.filter(pk=delivery["id"]).update(**given_up)
    desk.ask("POST", f"deliveries/{delivery['id']}/again")
    desk.ask("POST", f"{one}/secret")
    body = {"events": ["hand.entered", "standings.published"]}
    changed = desk.ask("PATCH", one, body, version="2")
    assert desk.ask("DELETE", one, version=str(changed["version"]))["stopped_at"]


def test_a_night_is_set_up_and_seated(story: Story) -> None:
    desk = story.desk
    event = set_up(story, round_minutes=30, entry_fee=500, wishes={"closed_tables": [3]})
    path = f"events/{event['id']}"
    assert len(desk.ask("GET", f"{story.path}/events")["items"]) == 1
    desk.ask("PATCH", path, {"correction_hours": 48}, version=version_of(desk, path))
    entries = desk.ask("GET", f"{path}/entries")["items"]
    ids = [entry["id"] for entry in entries]
    one = f"{path}/entries/{ids[0]}"
    assert desk.ask("GET", one)["name"] == "Ann Lee"
    assert desk.ask("PATCH", one, {"household": "Hill"})["household"] == "Hill"
    apart = {"one": ids[0], "other": ids[1]}
    desk.ask("POST", f"{path}/apart", apart)
    assert desk.ask("GET", f"{path}/apart")
    desk.ask("POST", f"{path}/meet", apart)
    assert desk.ask("GET", f"{path}/seatings")["items"]
    assert desk.ask("GET", f"{path}/repeat-free-rounds")["players"] == 8
    assert len(desk.ask("POST", f"{path}/rounds", {})["items"]) == 2
    by_hand = {"tables": [ids[:4], ids[4:]]}
    seated = desk.ask("PUT", f"{path}/rounds/1", by_hand)
    assert len(seated["tables"]) == 2
    assert desk.ask("GET", f"{path}/rounds/1") == seated
    assert len(desk.ask("GET", f"{path}/rounds")["items"]) == 2
    door = desk.ask("POST", f"{path}/door")
    assert desk.ask("GET", f"{path}/door") == door
    assert desk.ask("DELETE", f"{path}/door") == {"door": None}
    desk.ask("PUT", f"{one}/fee", {"paid": True})
    assert desk.ask("GET", f"{path}/fees")
    guest = desk.ask("POST", f"{story.path}/players", {"name": "Ida Moss", "kind": "guest"})
    late = desk.ask("POST", f"{path}/entries", {"player": guest["id"]})
    desk.ask("DELETE", f"{path}/entries/{late['id']}")


def test_a_night_is_called_off_reinstated_moved_and_removed(story: Story) -> None:
    desk = story.desk
    event = set_up(story, starts_at="2099-11-24T19:30:00Z")
    path = f"events/{event['id']}"

    def ask(deed: str, **body: str) -> Any:
        return desk.ask("POST", f"{path}/{deed}", body or None, version=version_of(desk, path))

    cancelled = ask("cancel", why="Too few players.")
    assert (cancelled["status"], cancelled["cancel_reason"]) == ("cancelled", "Too few players.")
    assert ask("reinstate")["status"] == "planned"
    moved = ask("move", starts_at="2099-12-01T19:30:00Z", why="The hall is being painted.")
    assert moved["moved_from"] == event["starts_at"]
    make_reply_links(event_id=UUID(event["id"]), by=DIRECTOR, at=timezone.now())
    ann = UUID(story.players[0])
    note_reply(
        event_id=UUID(event["id"]), player_id=ann, reply=Reply.COMES, by=DIRECTOR, at=timezone.now()
    )
    replied = {one["reply"] for one in desk.ask("GET", f"{path}/replies")["items"]}
    assert replied == {"", "comes"}
    version = version_of(desk, path)
    desk.ask("DELETE", path, version=version)
    assert desk.ask("GET", f"{story.path}/events")["items"] == []


def test_a_round_is_played_by_the_clock(story: Story) -> None:
    desk = story.desk
    event = set_up(story, round_minutes=30)
    path = f"events/{event['id']}"
    drawn = desk.ask("POST", f"{path}/rounds", {})["items"][0]
    desk.ask("POST", f"{path}/rounds/1/start")
    desk.ask("POST", f"{path}/rounds/1/take-back")
    desk.ask("POST", f"{path}/rounds/1/start")
    clock = f"{path}/clock"
    desk.ask("POST", f"{clock}/start", {"minutes": 25})
    assert desk.ask("GET", clock)["clock"]["seconds"] == 25 * 60
    for what in ("pause", "resume", "add", "stop"):
        desk.ask("POST", f"{clock}/{what}", {"minutes": 5} if what == "add" else {})
    table = drawn["tables"][0]
    order = [seat["entry"] for seat in table["seats"]]
    body: Plain = {
        "entries": [order[1], order[0], *order[2:]],
        "why": "They sat in each other's seats.",
    }
    desk.ask("PUT", f"{path}/tables/{table['id']}/seats", body)
    body = {
        "kind": "forfeit",
        "round": 1,
        "entry": order[0],
        "reason": "Left after the first hand.",
    }
    decided = desk.ask("POST", f"{path}/decisions", body)["items"][0]
    assert desk.ask("GET", f"{path}/decisions")["items"] == [decided]
    one = f"{path}/decisions/{decided['id']}"
    assert desk.ask("DELETE", one, {"why": "Came back in time."})
    body = {"entry": order[0], "amount": "-1/2", "reason": "Late for round 1", "round": 1}
    given = desk.ask("POST", f"{path}/adjustments", body)
    assert desk.ask("GET", f"{path}/adjustments")["items"] == [given]
    one = f"{path}/adjustments/{given['id']}"
    assert desk.ask("DELETE", one, {"why": "The tram was late."})["cancelled_at"]


def test_a_night_ends_and_its_standings_are_official(story: Story) -> None:
    desk = story.desk
    event = set_up(story, rounds=1, entry_fee=500, scoring={"method": "places"})
    path = f"events/{event['id']}"
    for entry in desk.ask("GET", f"{path}/entries")["items"]:
        desk.ask("PUT", f"{path}/entries/{entry['id']}/fee", {"paid": True})
    play_rounds(desk, event)
    assert desk.ask("GET", f"{path}/cut?places=4")["places"] == 4
    final = {**TUESDAY, "name": "Final", "rule_set": story.rules, "rounds": 1}
    desk.ask("POST", f"{path}/finals", {"event": final, "places": 4})
    for what, body in (
        ("finish", {}),
        ("reopen", {"why": "Two tables had played the wrong boards."}),
        ("finish", {}),
        ("end-corrections", {"why": "All have signed."}),
        ("official", {}),
    ):
        desk.ask("POST", f"{path}/{what}", body, version=version_of(desk, path))
    assert desk.ask("GET", f"{path}")["status"] == "official"
    work("standings", "statistics")
    assert desk.ask("GET", f"{path}/standings")["status"]["state"] == "official"
    assert desk.ask("GET", f"{path}/awards")["awards"]
    assert desk.ask("POST", f"{path}/prizes")["items"]
    assert desk.ask("POST", f"{path}/prizes")["items"] == []
    assert desk.ask("GET", f"{story.path}/ratings")
    assert desk.ask("GET", f"{story.path}/players/{story.players[0]}/statistics")


def test_official_standings_are_amended(story: Story) -> None:
    desk = story.desk
    event = set_up(story, rounds=1)
    path = f"events/{event['id']}"
    play_rounds(desk, event)
    ended = desk.ask("POST", f"{path}/end", {"why": "All agree."}, version=version_of(desk, path))
    assert ended["status"] == "official"
    work("standings")
    entry = desk.ask("GET", f"{path}/entries")["items"][0]["id"]
    for answer in ("decline", "confirm"):
        body: Plain = {"entry": entry, "amount": "-50", "reason": "Was late."}
        desk.ask("POST", f"{path}/adjustments", body)
        work("standings")
        pending = desk.ask("GET", f"{path}/amendment")["pending"]
        body = {"version": pending["version"], "reason": "The director saw it."}
        desk.ask("POST", f"{path}/amendment/{answer}", body)


def test_results_of_another_night_are_written_down(story: Story) -> None:
    desk = story.desk
    body: Plain = {
        "name": "Last year",
        "starts_at": "2025-09-12T19:30:00Z",
        "rule_set": story.rules,
        "is_results_only": True,
    }
    event = desk.ask("POST", f"{story.path}/events", body)
    points = zip(story.players, ("12", "7/2", "-1"), strict=False)
    body = {"results": [{"player": player, "points": one} for player, one in points]}
    written = desk.ask("PUT", f"events/{event['id']}/results", body, version="1")
    assert desk.ask("GET", f"events/{event['id']}/results") == written


def test_boards_are_dealt_and_compared(story: Story) -> None:
    desk = story.desk
    event = set_up(story, rounds=1, duplicate=True)
    path = f"events/{event['id']}"
    assert desk.ask("POST", f"{path}/boards", {"round": 1})["items"]
    desk.ask("POST", f"{path}/rounds", {})
    started = desk.ask("POST", f"{path}/rounds/1/start")
    first, second = (table["game"] for table in started["tables"])
    north = phones(story, first, "N")[0]
    draft = f"games/{first}/drafts/{uuid4()}"
    north.ask("PUT", draft, {"number": 1, "change": 2, "answers": {"cards": True}})
    assert len(north.ask("GET", f"games/{first}/drafts")["drafts"]) == 1
    assert set(north.ask("POST", f"{draft}/deal")["deal"]) == set("NESW")
    for game in (first, second):
        send_hand(desk, game, 1)
    assert len(desk.ask("GET", f"{path}/boards")["items"]) == 2
    assert desk.ask("GET", f"{path}/boards/1")
    game, board = Game.objects.get(pk=second), Board.objects.get(event=event["id"], number=1)
    text = with_deal(game, [0, 4, 4, 5], board.deal).decode()
    body = {"id": str(uuid4()), "number": 2, "text": text}
    hand = desk.ask("POST", f"games/{second}/hands", body)
    verdict = {"verdict": "fouled", "reason": "It had been played before."}
    path = f"hands/{hand['id']}"
    decided = desk.ask("POST", f"{path}/board-decision", verdict, version=str(hand["revision"]))
    assert decided["verdict"] == "fouled"


def test_a_season_is_played(story: Story) -> None:
    desk = story.desk
    season = {"rule": "best_n", "best": 1, "divisions": ["First", "Second"], "moves": 1}
    body: Plain = {"name": "Winter", "planned": 2, "season": season}
    league = desk.ask("POST", f"{story.path}/leagues", body)
    path = f"leagues/{league['id']}"
    assert len(desk.ask("GET", f"{story.path}/leagues")["items"]) == 1
    assert desk.ask("GET", path)["name"] == "Winter"
    for player in story.players:
        body = {"player": player, "opening": "21/2", "opening_events": 1}
        desk.ask("POST", f"{path}/members", body)
    for player in story.players[4:]:
        desk.ask("PATCH", f"{path}/members/{player}", {"division": 2}, version="1")
    assert len(desk.ask("GET", f"{path}/members")["items"]) == 8
    events = [set_up(story, rounds=1) for _night in range(2)]
    for event in events:
        desk.ask("POST", f"{path}/sessions", {"event": event["id"], "weight": "1"})
    desk.ask("PATCH", f"{path}/sessions/{events[0]['id']}", {"weight": "3/2"}, version="1")
    assert len(desk.ask("GET", f"{path}/sessions")["items"]) == 2
    desk.ask("DELETE", f"{path}/sessions/{events[1]['id']}", version="1")
    night = f"events/{events[0]['id']}"
    play_rounds(desk, events[0])
    body = {"why": "All agree."}
    desk.ask("POST", f"{night}/end", body, version=version_of(desk, night))
    work("standings")
    assert desk.ask("GET", f"{path}/standings")["standings"]["rows"]
    assert desk.ask("GET", f"{path}/promotions")["items"]
    desk.ask("PATCH", path, {"name": "Winter 2026"}, version=version_of(desk, path))
    desk.ask("POST", f"{path}/close", version=version_of(desk, path))
    work("standings")
    entry = desk.ask("GET", f"{night}/entries")["items"][0]["id"]
    for answer in ("decline", "confirm"):
        body = {"entry": entry, "amount": "-50", "reason": "Was late."}
        desk.ask("POST", f"{night}/adjustments", body)
        work("standings")
        pending = desk.ask("GET", f"{night}/amendment")["pending"]
        body = {"version": pending["version"], "reason": "The director saw it."}
        desk.ask("POST", f"{night}/amendment/confirm", body)
        work("standings")
        pending = desk.ask("GET", f"{path}/amendment")["pending"]
        body = {"version": pending["version"], "reason": "It was so on the night."}
        desk.ask("POST", f"{path}/amendment/{answer}", body)
    reopened = desk.ask(
        "POST", f"{path}/reopen", {"why": "One night more."}, version=version_of(desk, path)
    )
    assert reopened["closed_at"] is None


def test_tables_say_how_sure_they_are(story: Story) -> None:
    """The example of the specification: four members, four nights."""
    desk, players = story.desk, story.players[:4]
    league = desk.ask("POST", f"{story.path}/leagues", {"name": "Autumn"})
    path = f"leagues/{league['id']}"
    nights = zip((3, 1, 2, 2), (1, 0, 2, 1), (0, -1, 1, 0), (-3, -3, -2, -4), strict=True)
    for number, points in enumerate(nights, 1):
        body = {**TUESDAY, "name": f"Night {number}", "rule_set": story.rules}
        body |= {"is_results_only": True, "rounds": 0}
        night = f"events/{desk.ask('POST', f'{story.path}/events', body)['id']}"
        results = [
            {"player": player, "points": str(one)}
            for player, one in zip(players, points, strict=True)
        ]
        desk.ask("PUT", f"{night}/results", {"results": results}, version=version_of(desk, night))
        desk.ask("POST", f"{path}/sessions", {"event": night.partition("/")[2]})
    work("standings")
    found = desk.ask("GET", f"{path}/certainty?first={players[0]}&second={players[3]}")
    (table,) = found["divisions"]
    assert (table["within"], table["between"]) == ("2/3", "9/2")
    assert [row["shrunk"] for row in table["rows"]] == ["1.929", "0.964", "0.000", "-2.893"]
    assert {row["error"] for row in table["rows"]} == {"0.401"}
    first, second = table["neighbours"][0], table["neighbours"][1]
    assert (first["above"], first["needed"]) == (second["above"], second["needed"])
    assert (first["above"], first["needed"]) == ("0.9555", 3)
    assert found["pair"]["above"] == "1.0000"
    event = set_up(story, rounds=3)
    play_rounds(desk, event)
    work("standings")
    assert desk.ask("GET", f"events/{event['id']}/certainty")["divisions"][0]["rows"]


def test_a_table_enters_its_hands_on_phones(story: Story) -> None:
    desk = story.desk
    game = open_game(story)
    path = f"games/{game}"
    assert len(desk.ask("GET", f"{story.path}/games")["items"]) == 1
    desk.ask("PATCH", path, {"name": "Table by the window"}, version=version_of(desk, path))
    north, east, south, _west = phones(story, game, "N", "E", "S", "W")
    links = desk.ask("GET", f"{path}/links")["links"]
    hand = send_hand(north, game, 1)
    body: Plain = {"id": hand["id"], "number": 1, "result": RESULTS[0]}
    assert north.ask("POST", f"{path}/hands", body)["id"] == hand["id"]
    assert east.ask("POST", f"hands/{hand['id']}/confirmation", {"version": 1})
    second = send_hand(north, game, 2)
    body = {"version": 1, "result": {**RESULTS[1], "bid": 3}}
    north.ask("POST", f"hands/{second['id']}/take-back", body)
    assert len(desk.ask("GET", f"{path}/hands")["items"]) == 2
    assert desk.ask("GET", path)["hands"] == 2
    assert desk.ask("GET", f"{path}/books")["items"]
    body = {"seat": "E", "player": story.players[4], "first": 3, "why": "Ben had to leave."}
    desk.ask("POST", f"{path}/seats", body)
    assert desk.ask("DELETE", f"{path}/links/{links[2]['id']}")["revoked_at"]
    assert south.get(path).status == 410


def test_two_phones_enter_a_hand_differently(story: Story) -> None:
    desk = story.desk
    game = open_game(story)
    north, east, south = phones(story, game, "N", "E", "S")
    for number, settle in ((1, "agreement"), (2, "choice")):
        first = send_hand(north, game, number)
        other = dict(RESULTS[number - 1], bid=3)
        second = send_hand(east, game, number, other)
        assert second["rival_of"] == first["id"]
        assert south.ask("GET", f"hands/{first['id']}/dispute")["comparisons"]
        if settle == "agreement":
            body: Plain = {"version": 1, "choice": "first", "why": "We laid the tricks open."}
            east.ask("POST", f"hands/{second['id']}/agreement", body)
        else:
            assert desk.ask("GET", f"{story.path}/hands?state=disputed")["items"]
            seen = str(desk.ask("GET", f"hands/{first['id']}")["revision"])
            body = {"keep": True, "why": "The tricks lie open: the first one is right."}
            desk.ask("POST", f"hands/{second['id']}/choice", body, version=seen)


def test_a_director_corrects_and_rules(story: Story) -> None:
    desk = story.desk
    game = open_game(story)
    (east,) = phones(story, game, "E")
    path = f"hands/{send_hand(desk, game, 1)['id']}"
    send_hand(desk, game, 2)

    def seen() -> str:
        return str(desk.ask("GET", path)["revision"])

    east.ask("POST", f"{path}/confirmation", {"version": 1})
    fix = {"result": {**RESULTS[0], "bid": 4}, "why": "West bid four.", "policy": "resettle"}
    assert desk.ask("POST", f"{path}/correction-preview", fix, version=seen())["consequences"]
    desk.ask("POST", f"{path}/versions", fix, version=seen())
    assert len(desk.ask("GET", f"{path}/versions")["versions"]) == 2
    desk.ask("POST", f"{path}/undo", {"why": "The director misread the slip."}, version=seen())
    assert desk.ask("GET", f"{path}/proposals?code=revoke&offenders=E")["proposals"]
    facts = "East played to the third trick before South."
    ruling = {"decision": "WARNING", "offenders": ["E"], "facts": facts, "law": "Section 8"}
    desk.ask("POST", f"{path}/ruling-preview", ruling)
    ruled = desk.ask("POST", f"{path}/rulings", ruling, version=seen())
    assert len(desk.ask("GET", f"{path}/rulings")["rulings"]) == 1
    body: Plain = {"step": "pending", "text": "West had already led."}
    desk.ask("POST", f"rulings/{ruled['ruling']['id']}/appeal", body)
    body = {"version": 3, "why": "North took three.", "result": {"taken": {"N": 3, "E": 6}}}
    assert east.ask("POST", f"{path}/objection", body)["state"] == "disputed"


def test_secret_papers_are_sealed_and_opened(story: Story) -> None:
    desk = story.desk
    body: Plain = {"name": "Insured", "preset": "insurance"}
    rules = desk.ask("POST", f"{story.path}/rule-sets", body)
    game = open_game(story, rule_set=rules["id"])
    papers = f"games/{game}/papers"
    values = {"N": "F3", "E": "0", "S": "5", "W": "1"}
    for seat, value in values.items():
        seal = seal_of(value, SALT)
        body = {"hand": 1, "seat": seat, "kind": "insurance", "seal": seal}
        desk.ask("POST", papers, body)
    for seat, value in values.items():
        body = {"hand": 1, "seat": seat, "kind": "insurance", "value": value, "salt": SALT}
        if seat == "W":
            body = {"hand": 1, "kind": "insurance", "why": "Dan has gone home."}
            desk.ask("POST", f"{papers}/revealing", body)
        else:
            desk.ask("POST", f"{papers}/opening", body)
    assert len(desk.ask("GET", f"{papers}?hand=1")["papers"]) == 4


def test_a_game_ends_and_its_money_is_settled(story: Story) -> None:
    desk = story.desk
    body: Plain = {"preset": "bicycle", "name": "For money", "overrides": MONEY}
    rules = desk.ask("POST", f"{story.path}/rule-sets", body)
    game = open_game(story, rule_set=rules["id"])
    path = f"games/{game}"
    for number in (1, 2):
        send_hand(desk, game, number)
    body = {"reason": "The bar closes."}
    desk.ask("POST", f"{path}/closing", body, version=version_of(desk, path))
    why = {"why": "One hand more."}
    desk.ask("POST", f"{path}/reopening", why, version=version_of(desk, path))
    desk.ask("POST", f"{path}/closing", body, version=version_of(desk, path))
    assert desk.ask("POST", f"{path}/official")["phase"] == "official"
    assert desk.ask("GET", f"{story.path}/sheet?games={game}")
    money = f"{story.path}/money"
    body = {"kind": "RECEIVED", "player": story.players[0], "amount": 1500, "note": "In cash"}
    entry = desk.ask("POST", money, body)
    desk.ask("POST", money, {**body, "player": story.players[1]})
    assert desk.ask("GET", money)["balances"]
    desk.ask("POST", f"{money}/reversals", {"entry": entry["id"], "why": "Booked twice."})


def test_a_game_of_the_club_becomes_part_of_a_night(story: Story) -> None:
    desk = story.desk
    event = set_up(story, rounds=1)
    game = open_game(story)
    send_hand(desk, game, 1)
    path = f"events/{event['id']}/games"
    desk.ask("POST", path, {"game": game, "round": 1, "table": 3})
    desk.ask("DELETE", f"{path}/{game}", {"why": "It was played the day before."})


def test_files_are_brought_in_and_taken_away(story: Story, settings: Any) -> None:
    settings.SIGNING_KEY = SIGNING_KEY
    desk = story.desk
    imports = f"{story.path}/imports"
    records = file(in_turn(night(1, hands=2)))
    headers = {**desk.headers, "Idempotency-Key": str(uuid4())}
    sent = desk.client.generic("POST", f"/api/v1/{imports}?kind=archive", records, headers=headers)
    assert sent.status_code == 202, sent.content
    work("job")
    job = sent.json()["id"]
    assert desk.ask("GET", f"jobs/{job}")["state"] == "done"
    (listed,) = desk.ask("GET", imports)["items"]
    hand = desk.ask("GET", f"{story.path}/hands")["items"][0]["id"]
    assert desk.ask("GET", f"hands/{hand}/record")["tricks"]
    one = f"imports/{listed['id']}"
    assert desk.ask("GET", one)["undo"]["removes"]["games"] == 1
    assert desk.ask("POST", f"{one}/undo", {"leave_obstacles": True})["undone_by"]
    made = desk.ask("POST", f"{story.path}/exports", {"what": "members", "format": "xlsx"})
    assert len(desk.ask("GET", f"{story.path}/jobs")["items"]) == 2
    desk.ask("DELETE", f"jobs/{made['id']}")
    file_ = desk.client.get(f"/api/v1/{story.path}/exports?what=members&format=csv")
    digest = sha256(file_.getvalue()).hexdigest()
    signature = quote(file_["Painsuit-Signature"])
    found = desk.ask("GET", f"signature?digest={digest}&signature={signature}")
    assert found["verdict"] == "here"


def test_a_program_can_be_sent_a_test_message(story: Story) -> None:
    body: Plain = {"url": "https://club.example/painsuit", "events": ["hand.entered"]}
    hook = story.desk.ask("POST", f"{story.path}/webhooks", body)
    assert story.desk.ask("POST", f"webhooks/{hook['id']}/test")["event"] == "webhook.test"


def test_a_table_is_finished_another_day(story: Story) -> None:
    desk = story.desk
    event = set_up(story, rounds=2)
    path = f"events/{event['id']}"
    table = desk.ask("POST", f"{path}/rounds", {})["items"][0]["tables"][0]
    desk.ask("POST", f"{path}/rounds/1/start")
    adjourned = {"why": "Ben had to catch his train.", "finish_on": "2099-12-04"}
    place = f"{path}/tables/{table['id']}"
    told = desk.ask("PUT", f"{place}/adjournment", adjourned)
    assert told["tables"][0]["finish_on"] == "2099-12-04"
    assert not desk.ask("DELETE", f"{place}/adjournment")["tables"][0]["is_adjourned"]
    desk.ask("PUT", f"{place}/adjournment", adjourned)
    desk.ask("POST", f"{path}/rounds/1/close", {"why": "The others stopped early."})
    work("standings")
    said = desk.ask("GET", f"{path}/standings")["status"]["sentence"]
    assert said == "Provisional: table 1 of round 1 will be finished on 4 December 2099"
    ended = desk.ask("POST", f"{place}/end", {"why": "Nobody came again."})
    assert not ended["tables"][0]["is_adjourned"]


def test_the_last_tricks_of_a_hand_are_analysed(story: Story) -> None:
    desk, game = story.desk, open_game(story, dealer=0)
    body = {"id": str(uuid4()), "number": 1, "text": FULL_HAND.read_text("utf-8")}
    hand = desk.ask("POST", f"games/{game}/hands", body)
    assert hand["state"] == "accepted"
    close = {"reason": "The bar closes."}
    desk.ask("POST", f"games/{game}/closing", close, version=version_of(desk, f"games/{game}"))
    path = f"hands/{hand['id']}/analysis"
    assert desk.ask("GET", path)["analysis"] is None
    work("analysis")
    assert desk.ask("GET", path)["analysis"]["exact_from"]


def test_slips_are_taken_in_and_accepted(story: Story) -> None:
    desk, event = story.desk, set_up(story, rounds=1)
    path = f"events/{event['id']}/rounds"
    desk.ask("POST", path, {})
    game = Game.objects.get(pk=desk.ask("POST", f"{path}/1/start")["tables"][0]["game"])
    slips = f"events/{event['id']}/slips"
    files = {"pictures": [SimpleUploadedFile("photo.jpg", b"a photo", "image/jpeg")]}
    headers = {"Idempotency-Key": str(uuid4())}
    taken_in = desk.client.post(f"/api/v1/{slips}", files, headers=headers)
    assert taken_in.status_code == 202
    contract = {"bidder": "3", "bid": "5", "pain": "S"}
    first = hand_in(game, 1, {**contract, "taken N": "5", "taken E": "4", "taken S": "3|4"})
    hand_in(game, 2, {"ending": "redeal"})
    listed = desk.ask("GET", slips)["slips"]
    assert [one["hand"] for one in listed] == [1, 2]
    (question,) = desk.ask("GET", f"{slips}/{first.pk}")["questions"]
    answer = {"changes": {question["rows"][0]: "4"}}
    desk.ask("POST", f"{slips}/{first.pk}/answer", answer, version="1")
    accepted = desk.ask("POST", f"{slips}/{first.pk}/accept", {}, version="2")
    assert accepted["state"] == "accepted"
    second = f"{slips}/{listed[1]['id']}"
    desk.ask("POST", f"{second}/set-aside", {"why": "Spilt coffee."}, version="1")
    assert desk.ask("POST", f"{second}/put-back", version="2")["state"] == "read"
