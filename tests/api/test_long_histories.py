"""Versions, rulings and balances a page at a time: everything once, in order."""

from typing import Any
from uuid import UUID

import pytest

from tests.api.asking import Asking
from tests.api.desk import Desk, Night, give_role, make_account
from tests.api.test_table_phones import HANDS, phones, send
from tests.scoring.club import make_players

pytestmark = pytest.mark.django_db


def walk(desk: Desk, path: str, key: str, most: int) -> list[Any]:
    found: list[Any] = []
    link: str | None = f"/api/v1/{path}"
    while link:
        page = desk.get(link.removeprefix("/api/v1/"))
        assert page.status == 200, page
        assert len(page[key]) <= most
        found += page[key]
        link = page["next"]
    return found


@pytest.fixture
def night() -> Night:
    return Night()


@pytest.mark.parametrize("limit", [1, 2, 5, 100])
def test_versions_and_what_was_said_of_them(night: Night, limit: int) -> None:
    north, east = phones(night, "N", "E")
    hand = send(north, night, 1, HANDS[0])
    path = f"hands/{hand['id']}/versions"
    for number in range(1, 5):
        word = {"version": number, "why": f"why {number}"}
        assert east.post(f"hands/{hand['id']}/objection", word).status == 200
        fix = {"result": {**HANDS[0], "bid": number}, "why": "told wrong"}
        seen = night.desk.get(f"hands/{hand['id']}")["revision"]
        answered = night.desk.post(path, fix, version=str(seen))
        assert answered.status == 200, answered
    query = f"{path}?limit={limit}"
    assert [one["number"] for one in walk(night.desk, query, "versions", limit)] == [*range(1, 6)]
    said = walk(night.desk, query, "words", 100)
    assert [(one["version"], one["why"]) for one in said] == [(n, f"why {n}") for n in range(1, 5)]
    for_everybody = night.desk.get(path)
    assert (len(for_everybody["versions"]), for_everybody["next"]) == (5, None)
    assert "ETag" in for_everybody.headers


@pytest.mark.parametrize("limit", [1, 3, 100])
def test_rulings(night: Night, limit: int) -> None:
    (north,) = phones(night, "N")
    path = f"hands/{send(north, night, 1, HANDS[0])['id']}"
    for number in range(3):
        seen = str(night.desk.get(path)["revision"])
        ruling = {"decision": "WARNING", "facts": str(number)}
        assert night.desk.post(f"{path}/rulings", ruling, version=seen).status == 201
    found = walk(night.desk, f"{path}/rulings?limit={limit}", "rulings", limit)
    assert [(one["number"], one["facts"]) for one in found] == [(1, "0"), (2, "1"), (3, "2")]


@pytest.mark.parametrize("limit", [1, 2, 3, 100])
def test_balances_with_each_payment_on_one_page(night: Night, limit: int) -> None:
    treasurer = make_account("treasurer")
    give_role(treasurer, night.club, "treasurer")
    desk = Desk(treasurer)
    path = f"clubs/{night.club.pk}/money"
    players = make_players(night.club, 6)
    for number, (player, kind) in enumerate(
        zip(players, ("FEE", "FEE", "PRIZE", "FEE", "PRIZE", "PRIZE"), strict=True)
    ):
        entry = {"kind": kind, "player": str(player.pk), "amount": 100 * number + 50, "note": "-"}
        answered = desk.post(path, entry)
        assert answered.status == 201, answered
    rows = walk(desk, f"{path}?limit={limit}", "balances", limit)
    assert [one["amount"] for one in rows] == [-350, -150, -50, 250, 450, 550]
    payments: list[Any] = []
    link: str | None = f"{path}?limit={limit}"
    while link:
        page = desk.get(link.removeprefix("/api/v1/"))
        here = {UUID(one["player"]) for one in page["balances"]}
        for one in page["payments"]["EUR"]:
            assert UUID(one["payer"] or one["payee"]) in here
            payments.append(one)
        link = page["next"]
    after = {UUID(one["player"]): one["amount"] for one in rows}
    for one in payments:
        for side, sign in (("payer", 1), ("payee", -1)):
            if one[side] is not None:
                after[UUID(one[side])] += sign * one["amount"]
    assert not any(after.values())

    def key(one: dict[str, Any]) -> tuple[str, str]:
        return one["payer"] or "", one["payee"] or ""

    assert sorted(payments, key=key) == sorted(desk.get(path)["payments"]["EUR"], key=key)


def test_a_cursor_of_balances_is_of_its_club_alone(night: Night) -> None:
    other = Night()
    for one in (night, other):
        give_role(night.director, one.club, "treasurer")
    path = f"clubs/{night.club.pk}/money"
    for player in night.players:
        entry = {"kind": "FEE", "player": str(player.pk), "amount": 5, "note": "-"}
        assert night.desk.post(path, entry).status == 201
    link = night.desk.get(f"{path}?limit=1")["next"]
    cursor = link.partition("cursor=")[2]
    refused = night.desk.get(f"clubs/{other.club.pk}/money?limit=1&cursor={cursor}")
    assert (refused.status, refused["code"]) == (400, "PAGE")
    assert Asking().get(link).status_code in (401, 404)
