"""How many of our files one request runs through: a mirror of the shape, and a ceiling for it.

`pytest -s` prints the numbers. Raise a ceiling only with the reason in the commit; lower it
whenever a way becomes shorter.
"""

from collections.abc import Callable
from random import Random
from uuid import uuid4

import pytest

import engine
from tests.api.desk import Answered, Night, Plain, taken
from tests.development.walk import Walk
from tests.engine.table import shuffled

pytestmark = pytest.mark.django_db

CEILINGS = {
    "POST a result": (68, 35),
    "POST a full record": (83, 44),
    "PATCH a player": (22, 21),
    "GET a list of players": (15, 15),
}
"""Files, and files outside the engine. The aim: a result 40 and 20, a change 14, a list 10."""


def walk(name: str, request: Callable[[], Answered], *, warm: Callable[[], Answered]) -> None:
    """Make a request that has been made before, so that nothing is imported or cached in it."""
    assert warm().status < 300
    with Walk() as walked:
        answered = request()
    assert answered.status < 300, answered
    print(f"\n{name}: {walked.summary}", *walked.files, sep="\n  ")
    every, outside = CEILINGS[name]
    assert len(walked.files) <= every
    assert len(walked.outside) <= outside


def hand(number: int, **entered: object) -> Plain:
    return {"id": str(uuid4()), "number": number, **entered}


def test_a_result() -> None:
    night = Night()
    path = f"games/{night.game['id']}/hands"
    first = {"bidder": "E", "bid": 6, "pain": "H", "taken": taken("3/2/4/4")}
    second = {"pain": "S", "taken": taken("5/0/5/3")}
    walk(
        "POST a result",
        lambda: night.desk.post(path, hand(2, result=second)),
        warm=lambda: night.desk.post(path, hand(1, result=first)),
    )


def test_a_full_record() -> None:
    rules, dice = engine.preset("bicycle"), Random(1)
    played = engine.start(
        rules, engine.beginning(rules, 4), shuffled(rules, 4, dice, engine.Seat(1))
    )
    while played.turn is not None:
        bid = engine.Bid(played.turn, None if played.calls else 3)
        is_auction = played.phase is engine.Phase.AUCTION
        played = played.apply(bid if is_auction else played.sample_action(dice))
    text, night = played.to_phn(number=1), Night()
    walk(
        "POST a full record",
        lambda: night.desk.post(f"games/{night.open()['id']}/hands", hand(1, text=text)),
        warm=lambda: night.desk.post(f"games/{night.open()['id']}/hands", hand(1, text=text)),
    )


def test_a_change_and_a_list_of_players() -> None:
    night = Night()
    players = f"clubs/{night.club.pk}/players"
    listed = night.desk.get(players)
    walk(
        "GET a list of players",
        lambda: night.desk.get(players),
        warm=lambda: night.desk.get(players),
    )
    one = listed["items"][0]
    path, version = f"{players}/{one['id']}", one["version"]
    walk(
        "PATCH a player",
        lambda: night.desk.patch(path, {"note": "y"}, version=str(version + 1)),
        warm=lambda: night.desk.patch(path, {"note": "x"}, version=str(version)),
    )
