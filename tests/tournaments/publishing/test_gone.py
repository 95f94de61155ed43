"""Who has no row in the standings any more is still shown by name."""

import pytest

from tests.scoring.club import DIRECTOR, at, make_club, make_players
from tests.tournaments.night import check_in, make_event
from tournaments.models import Player
from tournaments.people import members
from tournaments.publishing.versions import DepartedEntry, find_departed
from tournaments.standings.changes import StandingChange

pytestmark = pytest.mark.django_db


def left(entry: object) -> StandingChange:
    return StandingChange(str(entry), None, None, "1", "", left=True)


def test_who_left_was_merged_or_erased_has_a_name_by_entry_and_by_player() -> None:
    club = make_club()
    players = make_players(club, 4)
    entries = check_in(make_event(club), players)
    duplicate, survivor, erased, other = players
    members.merge_player(player_id=duplicate.pk, into=survivor.pk, version=1, by=DIRECTOR, at=at())
    members.erase_person(player_id=erased.pk, version=1, by=DIRECTOR, at=at())
    expected = [
        DepartedEntry("Player 1 (1)", into="Player 2"),
        DepartedEntry("Player 2"),
        DepartedEntry("Former member 3"),
        DepartedEntry("Player 4"),
    ]
    for rows in (entries, players):
        ids = [row.pk for row in rows]
        found = find_departed([left(one) for one in ids], in_full=True)
        assert [found[str(one)] for one in ids] == expected
    assert Player.objects.count() == 4
    assert find_departed([StandingChange(str(other.pk), None, None, "", "1")], in_full=True) == {}
