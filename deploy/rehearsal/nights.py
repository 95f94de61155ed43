"""Club nights that are entered through the proxy, over https, as phones and directors do."""

import html
import http.client
import json
import random
import re
import ssl
import threading
import time
import urllib.parse
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.cookies import SimpleCookie
from pathlib import Path
from typing import Any, Final, Protocol

from deploy.rehearsal.machine import HOST, RehearsalError

SEATS: Final = "NESW"
TABLES: Final = 4
ROUNDS: Final = 5
HANDS: Final = 4
"""A night: tables, rounds, and hands of a round."""
SENT_TWICE: Final = 0.2
"""How many hands are sent again although they were acknowledged."""
ACCOUNT: Final = {"email": "nora@club.example", "password": "a shuffled pack of cards"}


class Site(Protocol):
    """The service behind its proxy: a machine, or containers."""

    patience: float
    https_port: int

    @property
    def authority(self) -> Path: ...

    def run(self, name: str, *words: str) -> str: ...


class Client:
    """Requests through the proxy, each sent again with its key until it is answered."""

    def __init__(self, machine: Site, **headers: str) -> None:
        self.headers = headers
        self._patience = machine.patience
        context = ssl.create_default_context(cafile=str(machine.authority))
        self._connection = http.client.HTTPSConnection(
            HOST, machine.https_port, timeout=20, context=context
        )

    def send(
        self, method: str, path: str, data: bytes | None, headers: Mapping[str, str]
    ) -> http.client.HTTPResponse:
        """One request and its answer, of which the body is read. Raises OSError."""
        try:
            self._connection.request(method, path, data, dict(headers))
            answer = self._connection.getresponse()
            self.body = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._connection.close()
            raise OSError(str(error)) from error
        return answer

    def ask(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        version: int | None = None,
        key: str = "",
    ) -> Any:
        """Ask the API until it answers. Raises RehearsalError where it refuses."""
        headers = {"Content-Type": "application/json", **self.headers}
        if method != "GET":
            headers["Idempotency-Key"] = key or str(uuid.uuid4())
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        data = None if body is None else json.dumps(body).encode()
        until = time.monotonic() + self._patience
        said = ""
        while time.monotonic() < until:
            try:
                answer = self.send(method, f"/api/v1{path}", data, headers)
            except OSError as error:
                said = str(error)
            else:
                if answer.status < 300:
                    return json.loads(self.body) if self.body else None
                said = f"{answer.status} {self.body[:500].decode(errors='replace')}"
                is_passing = answer.status in {429, 502, 503, 504} or answer.getheader(
                    "Retry-After"
                )
                if not is_passing:
                    break
            time.sleep(random.uniform(0.05, 0.3))
        raise RehearsalError(f"{method} {path}: {said}")


def first_steps(machine: Site) -> str:
    """Make the first account and its club as the documentation says; the club's id."""
    site = f"https://{HOST}:{machine.https_port}"
    printed = machine.run("web", "python", "manage.py", "setup_code", "--site", site)
    match = re.search(rf"{site}(\S+)#(\S+)", printed)
    if match is None:
        raise RehearsalError(f"setup_code printed no address: {printed}")
    path, code = match.groups()
    client = Client(machine)
    answer = client.send("GET", path, None, {})
    cookie = SimpleCookie(answer.getheader("Set-Cookie", ""))["csrftoken"].value
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', client.body.decode())
    if token is None:
        raise RehearsalError(f"{path} shows no form")
    form = {"csrfmiddlewaretoken": token[1], "code": code, "name": "Nora Reed", **ACCOUNT}
    form |= {"club": "Leiden Hearts", "time_zone": "Europe/Amsterdam", "currency": "EUR"}
    headers = {
        "Cookie": f"csrftoken={cookie}",
        "Origin": site,
        "Content-Type": "application/x-www-form-urlencoded",
    }
    answer = client.send("POST", path, urllib.parse.urlencode(form).encode(), headers)
    club = re.fullmatch(r"/desk/clubs/([\w-]+)/first-night/", answer.getheader("Location", ""))
    if club is None:
        said = html.unescape(re.sub(r"<[^>]*>|\s+", " ", client.body.decode()))
        raise RehearsalError(f"the first account was refused: {answer.status} {said[:500]}")
    return club[1]


def sign_in(machine: Site) -> Client:
    """The first account, signed in by the API."""
    client = Client(machine)
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    answer = client.send("POST", "/api/v1/session", json.dumps(ACCOUNT).encode(), headers)
    if answer.status >= 300:
        raise RehearsalError(f"signing in: {answer.status} {client.body[:500]!r}")
    cookies = SimpleCookie()
    for line in answer.headers.get_all("Set-Cookie", []):
        cookies.load(line)
    client.headers = {
        "Cookie": "; ".join(f"{name}={one.value}" for name, one in cookies.items()),
        "X-CSRFToken": json.loads(client.body)["csrf_token"],
        "Origin": f"https://{HOST}:{machine.https_port}",
    }
    return client


@dataclass(frozen=True, slots=True)
class AcknowledgedHand:
    """A hand that was acknowledged, and when it was first sent and acknowledged (monotonic)."""

    game: str
    number: int
    sent_at: float
    acknowledged_at: float


@dataclass
class Club:
    """A club that plays one night after the other, each table with a key of its own."""

    machine: Site
    id: str
    director: Client
    keys: list[str]
    pause: float
    """Seconds between two hands of a table."""
    entered: dict[str, AcknowledgedHand] = field(default_factory=dict)
    """Acknowledged hands by id."""
    event: str = ""
    troubles: list[str] = field(default_factory=list)
    is_over: threading.Event = field(default_factory=threading.Event)
    players: list[str] = field(default_factory=list)
    rules: str = ""

    def play(self, nights: int = 1_000_000) -> None:
        """So many nights, or until it is over; what goes wrong is kept in ``troubles``."""
        try:
            for _ in range(nights):
                if self.is_over.is_set():
                    return
                self._night()
        except RehearsalError as error:
            self.troubles.append(str(error))

    def _night(self) -> None:
        ask = self.director.ask
        new = {
            "name": "Tuesday",
            "starts_at": "2026-11-24T19:30:00Z",
            "rule_set": self.rules,
            "rounds": ROUNDS,
            "hands": HANDS,
            "scoring": {"method": "places"},
        }
        event = ask("POST", f"/clubs/{self.id}/events", new)["id"]
        for player in self.players:
            ask("POST", f"/events/{event}/entries", {"player": player})
        ask("POST", f"/events/{event}/rounds", {})
        self.event = event
        for number in range(1, ROUNDS + 1):
            started = ask("POST", f"/events/{event}/rounds/{number}/start")
            tables = [
                threading.Thread(target=self._table, args=(table["game"], key))
                for table, key in zip(started["tables"], self.keys, strict=True)
            ]
            for table in tables:
                table.start()
            for table in tables:
                table.join()
            if self.is_over.is_set() or self.troubles:
                return
            ask("POST", f"/events/{event}/rounds/{number}/close", {})
        version = ask("GET", f"/events/{event}")["version"]
        ask("POST", f"/events/{event}/end", {"why": "All have agreed."}, version=version)

    def _table(self, game: str, key: str) -> None:
        """The hands of one table: each time another seat takes nothing and wins."""
        phone = Client(self.machine, Authorization=f"Bearer {key}")
        for number in range(1, HANDS + 1):
            if self.is_over.wait(self.pause):
                return
            winner = SEATS[number % len(SEATS)]
            others = [seat for seat in SEATS if seat != winner]
            result = {
                "bidder": winner,
                "bid": 2,
                "pain": "SHDC"[number % 4],
                "taken": dict(zip(others, (5, 4, 4), strict=True)),
            }
            self._enter(phone, game, number, result)

    def _enter(self, phone: Client, game: str, number: int, result: object) -> None:
        hand, again = str(uuid.uuid4()), str(uuid.uuid4())
        body = {"id": hand, "number": number, "result": result}
        sent_at = time.monotonic()
        try:
            kept = phone.ask("POST", f"/games/{game}/hands", body, key=again)
            self.entered[hand] = AcknowledgedHand(game, number, sent_at, time.monotonic())
            if random.random() < SENT_TWICE:
                phone.ask("POST", f"/games/{game}/hands", body, key=again)
        except RehearsalError as error:
            self.troubles.append(str(error))
        else:
            if (kept["id"], kept["state"]) != (hand, "accepted"):
                self.troubles.append(f"hand {number} {hand} of {game} is {kept}")


def make_club(machine: Site, admin: Client, club: str, *, pause: float) -> Club:
    """Players, house rules and keys of a club, so that it can play."""
    scopes = ["club.read", "names.read", "players.edit", "rules.edit", "events.edit", "games.open"]
    made = [
        admin.ask("POST", f"/clubs/{club}/keys", {"name": name, "kind": "admin", "scopes": may})[
            "key"
        ]
        for name, may in (
            ("Director", [*scopes, "hands.enter"]),
            *((f"Table {number}", ["hands.enter"]) for number in range(1, TABLES + 1)),
        )
    ]
    director = Client(machine, Authorization=f"Bearer {made[0]}")
    found = Club(machine, club, director, made[1:], pause)
    for number in range(1, 4 * TABLES + 1):
        new = {"name": f"Player {number}"}
        found.players.append(director.ask("POST", f"/clubs/{club}/players", new)["id"])
    new = {"name": "As we play", "preset": "bicycle"}
    found.rules = director.ask("POST", f"/clubs/{club}/rule-sets", new)["id"]
    return found
