"""The table that a hand is replayed on: running chips, the line of tricks, the steps before."""

import pytest

from scoring.presentation.checks import Judged, check
from scoring.presentation.hand_view import HandView
from scoring.web.board import TableView, board
from tests.web.texts import BICYCLE, example


def judged(text: str) -> Judged:
    return check(text)["records"][0]


def table_of(record: Judged, cursor: int = 0, **called: str) -> TableView:
    shown = board(HandView(record, called=called), cursor)
    assert shown is not None
    return shown


@pytest.mark.parametrize("slug", ["1-bicycle-auction-full", "3-hoyle-auction-6p-jackpot"])
def test_no_chip_is_lost_between_the_stacks_and_the_pot(slug: str) -> None:
    shown = table_of(judged(example(slug)))
    stacks = [list(map(int, fan.counts.split())) for fan in shown.fans]
    pots = list(map(int, shown.pots.split()))
    assert {len(stack) for stack in stacks} == {len(pots)} == {shown.tricks + 1}
    assert len({sum(held) for held in zip(*stacks, pots, strict=True)}) == 1


def test_the_line_of_tricks_tells_who_took_how_many_points() -> None:
    record = judged(BICYCLE)
    shown = table_of(record, cursor=8, N="Nora")
    assert [trick.pain for trick in shown.timeline] == [t["pain"] for t in record["tricks"]]
    assert sum(trick.pain for trick in shown.timeline) == 13
    assert [trick.number for trick in shown.timeline if trick.current] == [2]
    assert [trick.end for trick in shown.timeline] == [4 * n for n in range(1, 14)]
    takes = [trick.label for trick in shown.timeline if "Nora" in trick.label]
    assert len(takes) == sum(trick["winner"] == "N" for trick in record["tricks"])


def test_the_calls_are_steps_with_the_names_of_those_who_called() -> None:
    calls = table_of(judged(BICYCLE), N="Nora", E="Ed").lead_up
    assert [(one.who, one.what) for one in calls] == [
        ("Nora", "2"),
        ("Ed", "pass"),
        ("South", "4"),
        ("West", "3"),
    ]


def test_papers_and_passes_are_steps_before_the_calls() -> None:
    groups = [one.group for one in table_of(judged(example("4-insurance-centre-full"))).lead_up]
    assert groups == sorted(groups, key=groups.index)
    assert groups[0] == "Insurance papers"
    assert "Auction for the centre" in groups


def test_a_settlement_is_explained_for_those_who_took_nothing_too() -> None:
    told = HandView(judged(BICYCLE), called={"S": "Sue", "E": "Ed"}).explained
    assert told == [
        "North: pays 7 for 7 taken.",
        "Ed: took none, wins 17 of the pot.",
        "Sue: pays the bid of 4 whatever is taken, pays 5 for 5 taken.",
        "West: pays 1 for 1 taken.",
    ]
