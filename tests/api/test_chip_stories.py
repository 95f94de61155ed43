"""The chained chip examples of rules.md section 9, told through the API as club nights."""

import pytest

from tests.api.desk import Night, taken

pytestmark = pytest.mark.django_db


def bid(bidder: str, chips: int, captures: str, pain: str = "H") -> dict[str, object]:
    return {"bidder": bidder, "bid": chips, "pain": pain, "taken": taken(captures)}


def jackpot(captures: str, pain: str) -> dict[str, object]:
    return {"pain": pain, "taken": taken(captures)}


def test_a06_to_a07_a_jackpot_is_made_and_won() -> None:
    night = Night()
    first = night.enter(bid("E", 6, "3/2/4/4"))
    assert (first["state"], night.chips()) == ("accepted", "47/42/46/46 19")
    following = night.state()
    assert (following["phase"], following["namer"], following["jackpot"]) == ("jackpot", "E", 1)
    second = night.enter(jackpot("5/0/5/3", "S"))
    assert (second["state"], night.chips()) == ("accepted", "42/74/41/43 0")
    assert second["settlement"]["winners"] == ["E"]
    assert (night.state()["phase"], night.state()["namer"]) == ("auction", None)


def test_a06_to_a10_a_jackpot_is_carried_three_times_and_split() -> None:
    night = Night()
    night.enter(bid("E", 6, "3/2/4/4"))
    for captures, pain, after in (
        ("4/4/3/2", "S", "43/38/43/44 32"),
        ("0/0/13/0", "D", "43/38/30/44 45"),
    ):
        night.enter(jackpot(captures, pain))
        assert night.chips() == after
        assert (night.state()["phase"], night.state()["namer"]) == ("jackpot", "E")
    last = night.enter(jackpot("0/6/7/0", "C"))
    assert night.chips() == "72/32/23/73 0"
    assert last["settlement"]["winners"] == ["N", "W"]
    assert night.state()["phase"] == "auction"
    assert night.look()["booked"] == 4


def test_a17_two_players_run_out_and_the_jackpot_dies_with_the_game() -> None:
    night = Night()
    first = night.enter(bid("W", 5, "5/4/4/0"))
    night.adjust(first, {"N": 2 - 45, "E": 3 - 46, "S": 95 - 46, "W": 100 - 63})
    assert night.chips() == "2/3/95/100 0"
    last = night.enter(bid("W", 5, "4/5/2/2"))
    assert night.chips() == "0/0/93/93 14"
    assert last["settlement"]["shortfalls"] == {"N": 2, "E": 2}
    over = night.state()
    assert (over["phase"], over["over"]) == ("over", "bust")
    assert over["places"] == {"N": 3, "E": 3, "S": 1, "W": 1}
    refused = night.desk.post(
        f"games/{night.game['id']}/hands",
        {"id": "019aa000-0000-7000-8000-000000000001", "number": 3, "result": {}},
    )
    assert (refused.status, refused["code"]) in {(409, "GAME_OVER"), (422, "UNPROCESSABLE")}


REVOKED = {"bidder": "W", "bid": 5, "pain": "H", "taken": taken("5/4/4/0")}


def revoke(night: Night, offender: str) -> str:
    """The director rules a revoke by the law of the house."""
    hand = night.desk.get(f"games/{night.game['id']}/hands")["items"][-1]
    ruling = {
        "decision": "REVOKE_LAW",
        "code": "REVOKE",
        "offenders": [offender],
        "facts": "found when the tricks were counted",
        "found": "established",
        "trick": 4,
        "told_to": ["all"],
    }
    answered = night.desk.post(f"hands/{hand['id']}/rulings", ruling, version=str(hand["revision"]))
    assert answered.status == 201, answered
    assert answered["hand"]["state"] == "ruled"
    return night.chips()


@pytest.mark.parametrize(
    ("law", "after"), [("foster", "50/37/50/63 0"), ("foster_full", "50/32/50/68 0")]
)
def test_a22_the_offender_pays_for_all(law: str, after: str) -> None:
    night = Night(revoke_law=law)
    night.enter(REVOKED)
    assert night.chips() == "45/46/46/63 0"
    assert revoke(night, "E") == after


def test_a31_the_only_clean_player_revoked_and_cannot_collect() -> None:
    night = Night()
    night.enter(REVOKED)
    assert revoke(night, "W") == "50/50/50/32 18"
    assert (night.state()["phase"], night.state()["namer"]) == ("jackpot", "W")


def test_a32_two_were_clean_and_one_of_them_revoked() -> None:
    night = Night()
    night.enter({"bidder": "E", "bid": 3, "pain": "H", "taken": taken("0/0/7/6")})
    assert revoke(night, "N") == "37/63/50/50 0"


def test_a30_three_hands_in_a_row() -> None:
    night = Night()
    night.enter(bid("S", 4, "0/9/0/4"))
    night.enter(bid("W", 2, "3/5/0/5"))
    night.enter(bid("E", 6, "4/3/3/3"))
    assert night.chips() == "51/27/67/36 19"
    assert night.state()["namer"] == "E"
