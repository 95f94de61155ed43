"""Travellers as a file: every board of a night with what each table made of it."""

import pytest

from scoring.games import nights
from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.scoring.reports.reading import csv_rows, read
from tests.tournaments.night import check_in, draw, make_event, play, start
from tournaments.events.boards import Preparation, prepare_boards
from tournaments.models import Event, Player
from tournaments.reports.travellers import travellers

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """A night of two tables that played two boards."""
    club = make_club()
    scoring = {"method": "matchpoints"}
    found = make_event(club, rounds=1, hands=2, duplicate=True, sizes=[4], scoring=scoring)
    check_in(found, make_players(club, 8))
    draw(found)
    prepare_boards(event_id=found.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    for seed, game in enumerate(start(found, 1)):
        play(game, 2, seed)
    nights.end_round(event_id=found.pk, number=1, by=DIRECTOR, at=at(9))
    return found


def test_matchpoints_of_a_board_and_seat_are_shared_out(event: Event) -> None:
    rows = read(travellers(event.club, event=event.pk))
    assert len(rows) == 2 * 4 * 2
    for board in (1, 2):
        for seat in (1, 2, 3, 4):
            found = [row for row in rows if (row["board"], row["seat"]) == (board, seat)]
            assert sum(row["points"] for row in found) == 2
            assert sum(row["share"] for row in found) == 100
            assert sum(row["datum"] for row in found) == 0


def test_a_line_says_what_was_bid_on_which_suit_and_taken(event: Event) -> None:
    rows = read(travellers(event.club, event=event.pk))
    for board in (1, 2):
        for table in (1, 2):
            found = [row for row in rows if (row["board"], row["table"]) == (board, table)]
            assert sum(row["taken"] for row in found) == 13
            assert {(row["bid"], row["pain"]) for row in found} == {(3, "hearts")}


def test_a_line_says_who_sat_where_and_joins_the_results(event: Event) -> None:
    rows = csv_rows(travellers(event.club))
    assert [*rows[0]][:7] == [
        "Date", "Event", "Board", "Seat from the eldest hand", "Round", "Table", "Hand",
    ]  # fmt: skip
    numbers = {str(number) for number in Player.objects.values_list("number", flat=True)}
    assert {row["Player, member no."] for row in rows} == numbers
    assert not read(travellers(make_club("Other")))
