"""Undoing an import: what it brought goes as one step, and nothing that was built upon it."""

from datetime import date
from io import BytesIO
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.transfer.bundling import restore, write
from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.imports import tables
from tournaments.core.errors import ConflictError, NotThereError
from tournaments.core.ids import new_id
from tournaments.events import leagues
from tournaments.imports import (
    ImportPlan,
    ObstaclesError,
    plan_undo,
    undo_import,
)
from tournaments.models import (
    AuditEntry,
    Club,
    Import,
    League,
    LeagueMember,
    Person,
    Player,
    Scope,
    Stale,
)
from tournaments.people import bars, members

pytestmark = pytest.mark.django_db
MEMBERS = "Name;Number;E-mail\nAdams, Nora;7;nora@club.example\nBaker, Ed;9;\n"


def summary(club: Club) -> list[Any]:
    """Members and openings of a club, without identifiers and times."""
    people = Person.objects.filter(player__club=club, player__removed_at=None)
    places = LeagueMember.objects.filter(league__club=club)
    return [
        sorted(people.values_list("player__number", "name", "email", "player__kind", "sought")),
        sorted(
            places.values_list(
                "league__name", "player__person__name", "opening", "opening_events", "division"
            )
        ),
        Player.objects.filter(club=club).count(),
    ]


def bring(club: Club, text: str, kind: str = "members", **into: Any) -> tuple[Import, ImportPlan]:
    if "league" in into:
        into["league"] = str(into["league"].pk)
    found = tables.bring(kind, club, text, name="list.csv", **into)
    return Import.objects.latest("pk"), found


def undo(row: Import, **how: Any) -> Any:
    return undo_import(import_id=row.pk, by=DIRECTOR, at=at(9), **how)


def test_members_who_came_go_again_and_can_come_again() -> None:
    club = make_club()
    before = summary(club)
    row, first = bring(club, MEMBERS)
    after = summary(club)
    assert row.counts == {"rows": 2, "new": 2, "known": 0, "changed": 0, "left_out": 0}
    undo(row)
    assert summary(club) == before
    assert not Player.all_objects.exists()
    row.refresh_from_db()
    assert (row.undone_at, row.undone_by) == (at(9), DIRECTOR.label)
    entry = AuditEntry.objects.filter(chain=club.pk).latest("number")
    assert entry.what == "import undone"
    _row, second = bring(club, MEMBERS)
    assert (second.as_data(), summary(club)) == (first.as_data(), after)


def test_who_was_known_before_stays() -> None:
    club = make_club()
    bring(club, "Name;E-mail\nAdams, Nora;\n")
    row, found = bring(club, "Name;E-mail\nAdams, Nora;\nBaker, Ed;\n")
    assert tables.counts(found) == (1, 0, 1, 0)
    undo(row)
    assert list(Person.objects.values_list("name", flat=True)) == ["Adams, Nora"]


def test_what_was_built_upon_an_import_is_named_and_nothing_is_undone() -> None:
    club = make_club()
    row, _ = bring(club, MEMBERS + "Clark, Sue;;\nDrew, Max;;\nEvans, Pat;;\n")
    nora, ed, sue, _max, pat = Player.objects.order_by("pk")
    members.change_player(
        player_id=nora.pk, changes={"note": "drives"}, version=1, by=DIRECTOR, at=at(1)
    )
    league = League.objects.create(club=club, name="Spring", created_at=at())
    LeagueMember.objects.create(league=league, player=ed, joined_at=at())
    bars.bar_player(
        club_id=club.pk,
        player_id=sue.pk,
        reason="Threw the cards.",
        until=date(2027, 1, 1),
        by=DIRECTOR,
        at=at(),
    )
    before = summary(club)
    with pytest.raises(ObstaclesError) as refused:
        undo(row)
    assert [str(one.message) for one in refused.value.obstacles] == [
        "Adams, Nora (7): changed since",
        "Baker, Ed (9): is a member of a league",
        "Clark, Sue (10): was barred",
    ]
    assert summary(club) == before
    plan = undo(row, leave_obstacles=True)
    assert plan.counts == {"tournaments.player": 2}
    assert Player.objects.filter(pk__in=[nora.pk, ed.pk, sue.pk]).count() == 3
    assert not Player.objects.filter(pk=pat.pk).exists()
    LeagueMember.objects.all().delete()
    assert undo(row, leave_obstacles=True).counts == {"tournaments.player": 1}, "the rest later"
    assert not Player.objects.filter(pk=ed.pk).exists()


def test_an_import_is_undone_once() -> None:
    row, _ = bring(make_club(), MEMBERS)
    undo(row)
    with pytest.raises(ConflictError, match="undone before"):
        undo(row)
    with pytest.raises(NotThereError):
        undo_import(import_id=new_id(), by=DIRECTOR, at=at())


def test_openings_go_back_to_what_they_were() -> None:
    club = make_club()
    bring(club, MEMBERS)
    league = League.objects.create(club=club, name="Spring", created_at=at())
    bring(club, "Name;Points;Nights\nAdams, Nora;3;2\n", "openings", league=league)
    before = summary(club)
    row, found = bring(
        club, "Name;Points;Nights\nAdams, Nora;7/3;4\nBaker, Ed;1;\n", "openings", league=league
    )
    assert tables.counts(found) == (1, 1, 0, 0)
    Stale.objects.all().delete()
    undo(row)
    assert summary(club) == before
    assert Stale.objects.filter(scope=Scope.LEAGUE, subject=league.pk).exists()


def test_an_opening_that_was_changed_by_hand_since_is_in_the_way() -> None:
    club = make_club()
    bring(club, MEMBERS)
    league = League.objects.create(club=club, name="Spring", created_at=at())
    row, _ = bring(club, "Name;Points\nAdams, Nora;3\nBaker, Ed;4\n", "openings", league=league)
    nora = Player.objects.get(number=7)
    leagues.change_member(
        league_id=league.pk,
        player_id=nora.pk,
        changes={"opening": "5"},
        version=1,
        by=DIRECTOR,
        at=at(1),
    )
    (obstacle,) = plan_undo(row).obstacles
    assert str(obstacle.message) == "Spring, Adams, Nora: changed since"
    undo(row, leave_obstacles=True)
    assert LeagueMember.objects.get().opening == "5"


def test_a_club_in_a_bundle_can_undo_its_imports_too() -> None:
    with transaction.atomic():
        club = make_club()
        league = leagues.create_league(
            club_id=club.pk, new={"name": "Spring"}, by=DIRECTOR, at=at()
        )
        row, _ = bring(club, MEMBERS)
        openings, _ = bring(club, "Name;Points\nBaker, Ed;3\n", "openings", league=league)
        bundle = b"".join(write(club))
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    undo(openings)
    undo(row)
    assert not Player.objects.exists()


NAMES = st.lists(st.sampled_from([f"Player {letter}" for letter in "ABCDEFGH"]), unique=True)


@given(first=NAMES, second=NAMES, points=NAMES)
@settings(max_examples=20)
def test_import_and_undo_leave_a_club_as_it_was(
    first: list[str], second: list[str], points: list[str]
) -> None:
    club = make_club(f"club {new_id()}")
    league = League.objects.create(club=club, name="Spring", created_at=at())
    states, rows = [summary(club)], []
    for names, kind in ((first, "members"), (second, "members"), (points, "openings")):
        if not names:
            continue
        columns = "Name;Points" if kind == "openings" else "Name;E-mail"
        lines = [f"{name};{len(name) if kind == 'openings' else ''}" for name in names]
        into = {"league": league} if kind == "openings" else {}
        rows.append(bring(club, "\n".join([columns, *lines, ""]), kind, **into)[0])
        states.append(summary(club))
    for row, before in zip(reversed(rows), reversed(states[:-1]), strict=True):
        undo(row)
        assert summary(club) == before
