"""The list for check-in, and the table of a season."""

import pytest

from scoring.handouts.league_table import print_league_table
from scoring.handouts.lists import print_check_in_list, print_members_list
from scoring.handouts.properties import SheetOrder
from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.night import check_in, make_event
from tests.tournaments.printing.paper import badly_placed, keep_pictures, pages
from tests.tournaments.publishing.nights import Clock, publish_all
from tests.tournaments.publishing.test_leagues import make_league, play_night
from tournaments.core.errors import RefusedError
from tournaments.events import leagues

pytestmark = pytest.mark.django_db
BOX, TICKED = "\N{BALLOT BOX}", "\N{BALLOT BOX WITH CHECK}"


def test_the_list_for_check_in_has_boxes_for_everybody_and_for_some_more() -> None:
    event = make_event(entry_fee=500)
    entries = check_in(event, make_players(event.club, 40))
    entries[0].fee_paid = 500
    entries[0].save()
    data = print_check_in_list(event, SheetOrder(at=at()))
    (page,) = pages(data)
    assert badly_placed(data) == []
    keep_pictures(data, "check-in")
    assert page.text.count("5.00") == 40
    assert page.text.count(TICKED) == 1
    assert page.text.count(BOX) == 39


def test_before_anybody_has_entered_the_list_has_all_who_play_at_the_club() -> None:
    event = make_event()
    make_players(event.club, 12)
    (page,) = pages(print_check_in_list(event, SheetOrder(at=at())))
    assert all(f"Player {number}" in page.text for number in range(1, 13))
    assert "Fee" not in page.text


def test_the_table_of_a_season_has_its_nights_across_with_what_does_not_count_struck() -> None:
    club = make_club()
    players = make_players(club, 4)
    league = make_league(club, season={"rule": "best_n", "best": 1})
    for taken in ((13, 0, 0, 0), (0, 13, 0, 0)):
        play_night(league, players, taken)
    publish_all(Clock())
    data = print_league_table(league, SheetOrder(at=at(999), site="https://hearts.example.org"))
    (page,) = pages(data, scanned=True)
    assert page.size == (842, 595)
    assert badly_placed(data) == []
    keep_pictures(data, "season")
    assert page.codes[0].startswith(f"https://hearts.example.org/l/{league.pk}/?sheet=")
    words = " ".join(page.text.split())
    assert "What is struck through does not count." in words
    assert all(f"Player {number}" in words for number in range(1, 5))


def test_a_season_without_a_night_has_no_table() -> None:
    event = make_event()
    new = {"name": "Winter season"}
    league = leagues.create_league(club_id=event.club_id, new=new, by=DIRECTOR, at=at())
    with pytest.raises(RefusedError, match="No standings"):
        print_league_table(league, SheetOrder(at=at()))


def test_the_list_of_members_has_no_ids_and_no_empty_columns() -> None:
    club = make_club()
    first, second, gone = make_players(club, 3)
    first.person.phone = "030 1234"
    first.person.save()
    gone.left_at = at()
    gone.save()
    (page,) = pages(print_members_list(club, SheetOrder(at=at())))
    for words in ("Player 1", "Player 2", "Phone", "030 1234", "Member no."):
        assert words in page.text
    for words in ("Player 3", "E-mail", "Note", str(first.pk), str(second.pk), "None"):
        assert words not in page.text
