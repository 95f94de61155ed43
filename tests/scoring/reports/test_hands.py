"""Hands, results and chips as files: they say who and what, and can be put together."""

from collections import Counter
from datetime import datetime
from typing import Any, Final

import pytest

from scoring.models import Hand, State
from scoring.reports import books, hands
from tests.scoring.archives import bring, file, in_turn, night
from tests.scoring.club import at, chip_hand, enter, make_club, make_game, make_players, state_of
from tests.scoring.reports.reading import csv_rows, read, sheet_rows
from tests.tournaments.night import check_in, draw, make_event, play_round
from tournaments.models import Club, Event, League, LeagueEvent, Result
from tournaments.tables.model import Table

pytestmark = pytest.mark.django_db
KEYS: Final = ("Date", "Event", "Round", "Table", "Game", "Hand")


def key(row: dict[str, Any]) -> tuple[str, ...]:
    return tuple(row.get(name, "") for name in KEYS)


@pytest.fixture(scope="module")
def club(module_db: None) -> Club:
    """Two events of two tables and some games outside of events."""
    found = make_club()
    players = make_players(found, 8)
    for name in ("Spring night", "Summer night"):
        event = make_event(found, name=name, rounds=2)
        check_in(event, players)
        for number in (1, 2):
            draw(event)
            play_round(event, number)
    bring(found, file(in_turn(night(3, hands=2))))
    return found


def test_results_and_chips_find_their_hand_by_what_people_read(club: Club) -> None:
    known = Counter(map(key, csv_rows(hands.hands(club))))
    assert set(known.values()) == {1}
    assert sum(known.values()) == Hand.objects.count()
    assert {key(row) for row in csv_rows(hands.results(club))} <= set(known)
    moved = {key(row) for row in csv_rows(books.chips(club)) if row["Hand"]}
    assert moved
    assert moved <= set(known)


def test_what_a_player_won_in_a_hand_is_what_the_chips_say(club: Club) -> None:
    gains: Counter[tuple[str, ...]] = Counter()
    for row in csv_rows(books.chips(club, event=first_event().pk)):
        if not row["Hand"] or row["What for"] in ("rebuy", "buy-in"):
            continue
        for side, sign in (("From", -1), ("To", 1)):
            gains[(*key(row), row[side], row[f"{side}, member no."])] += sign * int(row["Chips"])
    rows = csv_rows(hands.results(club, event=first_event().pk))
    assert len(rows) == 2 * 2 * 2 * 4
    for row in rows:
        assert int(row["Score"]) == gains[(*key(row), row["Player"], row["Player, member no."])]


def first_event() -> Event:
    return Event.objects.get(name="Spring night")


def test_games_of_a_day_with_one_name_are_told_apart_by_a_number() -> None:
    club = make_club()
    for _ in range(2):
        game = make_game(club)
        enter(game, chip_hand(state_of(game), [5, 4, 3, 1]))
    rows = csv_rows(hands.hands(club))
    assert [(row["Table"], row["Game"], row["Hand"]) for row in rows] == [
        ("Table 1", "1", "1"),
        ("Table 1", "2", "1"),
    ]


def test_everything_is_said_in_words_and_in_names(club: Club) -> None:
    Hand.objects.filter(number=1).update(state=State.RULED)
    rows = read(hands.hands(club))
    assert {row["state"] for row in rows} == {"accepted", "ruled"}
    assert {row["state_code"] for row in rows} == {"accepted", "ruled"}
    seats = {row["seat"] for row in read(hands.results(club))}
    assert {"North", "East", "South", "West"} <= seats
    chips = read(books.chips(club))
    assert {row["payer_seat"] for row in chips} == {*seats, ""}
    assert all(row["payer_number"] for row in chips if row["payer_seat"])
    assert {row["payee"] for row in chips if row["payee_number"] is None} == {"pot", "bank"}


@pytest.mark.parametrize("make", [hands.hands, hands.results, books.chips])
def test_an_event_and_a_league_choose_their_games(club: Club, make: Any) -> None:
    first = first_event()
    league = League.objects.create(club=club, name="Season", created_at=at())
    LeagueEvent.objects.create(league=league, event=first, number=1)
    whole = csv_rows(make(club))
    of_event = csv_rows(make(club, event=first.pk))
    assert of_event == csv_rows(make(club, league=league.pk))
    told = of_event[0].keys()
    assert of_event == [
        {name: row[name] for name in told} for row in whole if row["Event"] == first.name
    ]
    assert 0 < len(of_event) < len(whole)


def test_ids_are_for_programs_and_stand_last(club: Club) -> None:
    tables: list[Table[Any]] = [hands.hands(club), hands.results(club), books.chips(club)]
    for table in (*tables, *books.money(club), *books.balances(club)):
        marks = [column.is_id for column in table.columns]
        assert marks == sorted(marks)
        readable = [column.key for column in table.columns if not column.is_id]
        assert not [one for one in readable if one.endswith(("_id", "_code"))]


def test_scores_are_numbers_in_a_spreadsheet_and_no_column_is_empty(club: Club) -> None:
    rows = sheet_rows(hands.results(club, event=first_event().pk))
    scores = [row["score"] for row in rows]
    assert scores == list(
        Result.objects.filter(game__event=first_event())
        .order_by("game__opened_at", "game_id", "number", "seat")
        .values_list("score", flat=True)
    )
    assert all(isinstance(row["date"], datetime) for row in rows)
    for column in rows[0]:
        assert any(row[column] is not None for row in rows), column
