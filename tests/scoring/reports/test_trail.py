"""The audit trail as a file: read by people, and proved by programs."""

import pytest

from scoring.reports.trail import trail
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, make_club, make_game, state_of
from tests.scoring.reports.reading import csv_rows
from tournaments.models import Account, AuditEntry
from tournaments.people.members import NewPlayer, add_player

pytestmark = pytest.mark.django_db


def test_the_trail_says_when_who_what_and_where_first() -> None:
    club = make_club()
    Account.objects.create(pk=DIRECTOR.id, email="d@club.example", name="Dora", created_at=at())
    add_player(club_id=club.pk, new=NewPlayer(person={"name": "Ann"}), by=DIRECTOR, at=at())
    game = make_game(club)
    enter(game, chip_hand(state_of(game), [5, 4, 3, 1]))
    rows = csv_rows(trail(club))
    assert [*rows[0]][:6] == ["Time", "By", "What", "Where", "Through", "chain"]
    assert {row["By"] for row in rows} == {"Dora", "table link"}
    assert {row["Where"] for row in rows} == {club.name, game.name}
    assert [row["digest"] for row in rows] == list(
        AuditEntry.objects.order_by("id").values_list("digest", flat=True)
    )


def test_an_entry_that_nobody_wrote_by_the_rules_goes_out_as_it_stands() -> None:
    club = make_club()
    odd = {"source": "nowhere", "by": "nobody:7", "what": "{odd", "why": "{no"}
    AuditEntry.objects.create(chain=club.pk, club_id=club.pk, number=1, at=at(), **odd)
    (row,) = csv_rows(trail(club))
    assert (row["By"], row["Through"], row["What"]) == ("nobody:7", "nowhere", "{odd")
