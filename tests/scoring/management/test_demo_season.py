"""The season of the demo club: everything happens in it, and every table is what it must be."""

import json
from typing import Any

import pytest
from django.utils import timezone

from scoring.management import demo
from scoring.management.demo import Size
from scoring.models import Game
from scoring.transfer.verifying import bundles, look_at_games
from tests.scoring.club import assert_recomputes
from tournaments.models import (
    Adjustment,
    AuditEntry,
    Board,
    Entry,
    EntryStanding,
    Event,
    League,
    Player,
    PlayerKind,
    Presence,
    Scope,
    SitOut,
    Snapshot,
    Stale,
    Status,
    Table,
)
from tournaments.publishing import compute, publish_due

pytestmark = [pytest.mark.django_db, pytest.mark.slow]
NIGHTS = 9


def test_a_season_has_everything_in_it_and_its_tables_are_right() -> None:
    club = demo.build(seed=3, name="Club 3", size=Size.SMALL, nights=NIGHTS)
    while publish_due(clock=timezone.now):
        pass
    assert not Stale.objects.exclude(scope=Scope.STATISTICS).exists()
    for game in Game.objects.filter(table__isnull=False)[:10]:
        assert_recomputes(game)
    differences = [
        one for bundle in bundles([club.club]) for one in look_at_games(bundle.games).differences
    ]
    assert differences == []
    assert [what for what, is_there in _contents() if not is_there] == []
    for snapshot in _latest():
        fresh = compute(snapshot.published.scope, snapshot.published.subject)
        assert fresh is not None
        assert fresh.text == snapshot.data


@pytest.mark.parametrize("seed", [1, 2, 4, 5, 7])
def test_every_seed_gives_a_season_with_late_corrections(seed: int) -> None:
    demo.build(seed=seed, name=f"Club {seed}", size=Size.SMALL, nights=NIGHTS)
    assert _is_corrected_weeks_later()


def _latest() -> list[Snapshot]:
    rows = Snapshot.objects.select_related("published")
    return [row for row in rows if row.version == row.published.version]


def _contents() -> list[tuple[str, bool]]:
    sizes = set(Table.objects.values_list("size", flat=True))
    return [
        ("forty members", Player.objects.filter(kind=PlayerKind.MEMBER).count() == 40),
        ("nights that are finished", set(_statuses()) == {Status.FINISHED}),
        ("walk-ins", Entry.objects.filter(standing=EntryStanding.GUEST).exists()),
        ("latecomers", Entry.objects.filter(first__gt=1).exists()),
        ("leavers", Entry.objects.filter(presence=Presence.LEFT).exists()),
        ("sit-outs", SitOut.objects.exists()),
        ("tables of several sizes", {4, 5} <= sizes),
        ("a duplicate night", Board.objects.exists()),
        ("a penalty", Adjustment.objects.exists()),
        ("corrections weeks later", _is_corrected_weeks_later()),
        ("two divisions", _divisions() == {"1", "2"}),
        ("dropped nights", _has_dropped()),
    ]


def _is_corrected_weeks_later() -> bool:
    late = AuditEntry.objects.filter(what="hand corrected")
    games = {game.pk: game.opened_at for game in Game.objects.all()}
    return any((one.at - games[one.chain]).days > 20 for one in late)


def _statuses() -> list[str]:
    return list(Event.objects.values_list("status", flat=True))


def _season() -> dict[str, Any]:
    league = League.objects.get()
    row = Snapshot.objects.filter(published__scope=Scope.LEAGUE, published__subject=league.pk)
    found: dict[str, Any] = json.loads(row.order_by("-version")[0].data)
    return found


def _divisions() -> set[str]:
    return {row["division"] for row in _season()["rows"] if row["division"] is not None}


def _has_dropped() -> bool:
    return any(not line["counted"] for row in _season()["rows"] for line in row["lines"])
