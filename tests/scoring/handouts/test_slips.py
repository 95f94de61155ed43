"""Score slips of a night: what they are printed for, and that their codes say so."""

from itertools import product
from typing import Any

import pytest

from engine.rules.presets import BICYCLE, PRESETS
from scoring.handouts.orders import HandoutKind, PrintOrder, print_handout
from scoring.handouts.slips import find_missing_tricks
from scoring.slips.codes import Corner, SlipCode, read_code, short_digest, short_id
from scoring.slips.matching import own_installation
from tests.scoring.club import at, make_rules
from tests.tournaments.night import draw, make_event, make_night, start
from tests.tournaments.printing.paper import Page, pages
from tournaments.core.errors import RefusedError
from tournaments.models import Event, Table

pytestmark = pytest.mark.django_db


def _print(event: Event, kind: HandoutKind = HandoutKind.SLIPS, **wanted: Any) -> list[Page]:
    order = PrintOrder(kind=kind, **wanted)
    return pages(print_handout(event, order, at()), scanned=True)


def _codes(found: list[Page]) -> set[SlipCode]:
    return {read_code(code) for page in found for code in page.codes}


def test_every_hand_of_every_table_has_a_slip() -> None:
    event = make_night(8, rounds=1, hands=3)
    draw(event)
    tables = Table.objects.filter(round__event=event)
    assert _codes(_print(event)) == {
        SlipCode(
            installation=own_installation(),
            event=short_id(event.pk),
            table=short_id(table.pk),
            round=1,
            number=table.number,
            players=4,
            hand=hand,
            rules=short_digest(BICYCLE),
            corner=corner,
        )
        for table, hand, corner in product(tables, (1, 2, 3), Corner)
    }


def test_the_slips_of_one_table_are_printed_alone() -> None:
    event = make_night(8, rounds=1, hands=3)
    draw(event)
    assert {code.number for code in _codes(_print(event, round=1, table=2))} == {2}


def test_who_sits_there_is_on_the_slip_under_the_name_that_the_table_uses() -> None:
    event = make_night(4, rounds=1, hands=1)
    draw(event)
    (page,) = _print(event)
    assert all(f"Player {number}" in page.text for number in range(1, 5))
    assert event.rule_set.name in page.text


def test_a_table_that_plays_keeps_the_rules_of_its_game() -> None:
    event = make_night(4, rounds=1, hands=1)
    draw(event)
    start(event, 1)
    event.rule_set.overrides = {"max_bid": "9"}
    event.rule_set.save()
    assert {code.rules for code in _codes(_print(event))} == {short_digest(BICYCLE)}


def test_blank_slips_are_printed_before_anything_is_drawn() -> None:
    event = make_event()
    (page,) = _print(event, HandoutKind.BLANK_SLIPS)
    assert "Score slip" in page.text
    (first, last) = sorted(_codes([page]), key=lambda code: code.corner)
    assert first.is_blank
    assert (first.event, first.players, first.round) == (short_id(event.pk), 4, 0)
    assert last.corner is Corner.LAST


def test_blank_slips_are_there_for_every_size_of_table() -> None:
    event = make_event()
    event.rule_set = make_rules(event.club, "hoyle_auction")
    event.sizes = [3, 5]
    event.save()
    found = _codes(_print(event, HandoutKind.BLANK_SLIPS, round=2))
    assert {(code.players, code.round) for code in found} == {(3, 2), (5, 2)}


@pytest.mark.parametrize("kind", [HandoutKind.SLIPS, HandoutKind.BLANK_SLIPS])
def test_no_slips_are_printed_where_most_tricks_win(kind: HandoutKind) -> None:
    event = make_night(4, rounds=1)
    draw(event)
    event.rule_set.overrides = {"winner": "tricks"}
    event.rule_set.save()
    with pytest.raises(RefusedError, match="whoever takes most tricks wins"):
        _print(event, kind)


def test_slips_are_printed_where_tricks_only_separate_equal_results() -> None:
    event = make_event()
    event.rule_set = make_rules(event.club, "auction_moon")
    event.save()
    assert _codes(_print(event, HandoutKind.BLANK_SLIPS))
    ((words, is_refused),) = find_missing_tricks([event.rule_set])
    assert "tricks separate equal results" in words
    assert not is_refused


def test_one_preset_counts_tricks_in_ties_and_none_to_win() -> None:
    event = make_event()
    found = {
        name: [
            is_refused for _words, is_refused in find_missing_tricks([make_rules(event.club, name)])
        ]
        for name in PRESETS
    }
    assert {name: gaps for name, gaps in found.items() if gaps} == {"auction_moon": [False]}


def test_a_table_that_is_not_drawn_has_no_slips() -> None:
    event = make_night(4, rounds=1)
    draw(event)
    with pytest.raises(RefusedError, match="No such table is drawn"):
        _print(event, table=7)


def test_a_pile_that_nobody_could_mark_is_refused() -> None:
    event = make_night(24, rounds=1)
    draw(event)
    event.hands = 200
    with pytest.raises(RefusedError, match="These are 1200 slips"):
        _print(event)
