"""A desk: somebody signed in who talks to the API as a program would, one key for each request."""

import json
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from django.test import Client

from tests.scoring.club import START, make_club, make_players, make_rules
from tournaments.models import Account, Club, Role, RuleSet

Plain = dict[str, Any]


def make_account(name: str) -> Account:
    return Account.objects.create_user(
        email=f"{name}@example.org", password=None, name=name, created_at=START
    )


def give_role(account: Account, club: Club | None, kind: str) -> None:
    Role.objects.create(account=account, club=club, kind=kind, created_at=START)


class Answered:
    """What came back: the status, the body as data, the headers."""

    def __init__(self, response: Any) -> None:
        self.status: int = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self.data: Any = json.loads(response.content) if response.content else None

    def __getitem__(self, key: str) -> Any:
        return self.data[key]

    def __repr__(self) -> str:
        return f"{self.status} {str(self.data)[:400]}"


class Desk:
    """Sends requests as one account, or with what it shows in ``authorization``."""

    def __init__(self, account: Account | None = None, authorization: str = "") -> None:
        self.client = Client()
        if account is not None:
            self.client.force_login(account)
        self.headers = {"authorization": authorization} if authorization else {}

    def get(self, path: str, **headers: str) -> Answered:
        return Answered(self.client.get(f"/api/v1/{path}", headers=self.headers | headers))

    def send(self, method: str, path: str, data: Plain | None = None, **headers: str) -> Answered:
        """One write; ``key`` and ``version`` may be given as headers of their names."""
        shown = {"Idempotency-Key": headers.pop("key", "") or str(uuid4()), **self.headers}
        if "version" in headers:
            shown["If-Match"] = f'"{headers.pop("version")}"'
        body = json.dumps(data or {})
        return Answered(
            self.client.generic(
                method.upper(),
                f"/api/v1/{path}",
                body,
                content_type="application/json",
                headers=shown | headers,
            )
        )

    def post(self, path: str, data: Plain | None = None, **headers: str) -> Answered:
        return self.send("POST", path, data, **headers)

    def patch(self, path: str, data: Plain | None = None, **headers: str) -> Answered:
        return self.send("PATCH", path, data, **headers)


class Night:
    """A club night with one table: a director at a desk, and a game by some house rules."""

    def __init__(self, preset: str = "bicycle", players: int = 4, **overrides: str) -> None:
        self.club = make_club()
        self.director = make_account(f"director-{self.club.pk}")
        give_role(self.director, self.club, "director")
        self.desk = Desk(self.director)
        self.rules: RuleSet = make_rules(self.club, preset, overrides)
        self.players = make_players(self.club, players)
        self.game = self.open()

    def open(self, rules: RuleSet | None = None, dealer: int = 0) -> Plain:
        opening = {
            "name": "Table 1",
            "rule_set": str((rules or self.rules).pk),
            "players": [str(player.pk) for player in self.players],
            "dealer": dealer,
        }
        answered = self.desk.post(f"clubs/{self.club.pk}/games", opening)
        assert answered.status == 201, answered
        found: Plain = answered.data
        return found

    def enter(self, result: Plain, number: int | None = None) -> Answered:
        """Enter the result of the next hand."""
        number = self.state()["number"] if number is None else number
        hand = {"id": str(uuid4()), "number": number, "result": result}
        answered = self.desk.post(f"games/{self.game['id']}/hands", hand)
        assert answered.status in (200, 201), answered
        return answered

    def look(self) -> Plain:
        answered = self.desk.get(f"games/{self.game['id']}")
        assert answered.status == 200, answered
        found: Plain = answered.data
        return found

    def state(self) -> Plain:
        """What the next hand inherits."""
        found: Plain = self.look()["next"]
        return found

    def chips(self) -> str:
        """Chips and pot as rules.md writes them: ``50/50/50/50 0``."""
        state = self.state()
        return "/".join(map(str, state["chips"].values())) + f" {state['pot']}"

    def totals(self) -> str:
        return "/".join(map(str, self.state()["totals"].values()))

    def adjust(self, hand: Answered, chips: Plain, pot: int = 0) -> Answered:
        """Move chips by a ruling, so that an example can begin where it does."""
        ruling = {"decision": "CHIP_ADJUST", "chips": chips, "pot": pot, "facts": "set up"}
        answered = self.desk.post(
            f"hands/{hand['id']}/rulings", ruling, version=str(hand["revision"])
        )
        assert answered.status == 201, answered
        return answered


def taken(text: str) -> dict[str, int]:
    """Captures as rules.md writes them: ``3/2/4/4``."""
    return dict(zip("NESW", map(int, text.split("/")), strict=False))
