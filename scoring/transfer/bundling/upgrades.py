"""Upgrade bundles of older versions as the migrations upgraded the same rows.

An older bundle lacks columns that came later. What the row meant by saying nothing is said here;
what follows from other rows is computed once all of them are there.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import models
from django.db.models import Count, Exists, OuterRef, Subquery
from django.db.models.fields import NOT_PROVIDED
from django.db.models.functions import Coalesce
from django.utils import timezone

from engine.rules.organisation import correction_hours
from scoring.models import NOT_COUNTED, Game, Hand
from scoring.transfer.bundling.contents import BundleTable
from tournaments import invalidation
from tournaments.events.boards import deal_anew
from tournaments.models import (
    Entry,
    EntryStanding,
    Event,
    League,
    LeagueEvent,
    Published,
    Result,
    Round,
    Scope,
    Stage,
    StandingsDecision,
    Status,
    Verdict,
)
from tournaments.people.rule_sets import rules_of

MEANT: Final[Mapping[str, Mapping[str, Callable[[Mapping[str, Any]], Any]]]] = {
    "player": {"removed_at": lambda _cells: None},
    "event": {
        "rank_guests": lambda cells: cells.get("status") == Status.PLANNED,
        "corrections_ended_at": lambda _cells: None,
        "round_rules": lambda _cells: {},
        "frozen_fees": lambda _cells: None,
        "moved_from": lambda _cells: None,
        "schedule_changed_at": lambda _cells: None,
    },
    "entry": {"never_tables": lambda _cells: []},
    "game": {
        "old_law": lambda cells: None if cells.get("frozen_at") is None else True,
        "removed_at": lambda _cells: None,
    },
    "table": {"adjourned_at": lambda _cells: None, "finish_on": lambda _cells: None},
    "hand": {"board": lambda _cells: None},
    "result": {"worth": lambda _cells: None},
    "standings": {"official": lambda _cells: None},
}
"""What a row means that lacks a column, by table, where that is not the column's default."""


def add_missing(content: BundleTable, cells: Mapping[str, Any]) -> dict[str, Any]:
    """Return the cells of a row with those that its program did not know yet.

    Columns that came after the first release are those of ``MEANT``, and all that have a default
    in the database.
    """
    usual = {
        field.attname: _default(field)
        for field in content.fields
        if field.db_default is not NOT_PROVIDED
    }
    meant = {name: value(cells) for name, value in MEANT.get(content.name, {}).items()}
    return usual | meant | dict(cells)


def _default(column: "models.Field[Any, Any]") -> Any:
    value = column.get_default() if column.has_default() else column.db_default
    return value.value if isinstance(value, models.Choices) else value


def take_fees_as_paid(club: UUID) -> None:
    """Keep the pools of events that were over before fees were ticked: all counted as paid."""
    fee = Event.objects.filter(pk=OuterRef("event")).values("entry_fee")[:1]
    over = (Status.FINISHED, Status.OFFICIAL)
    rows = Entry.objects.filter(event__club=club, event__status__in=over)
    rows.exclude(standing=EntryStanding.HOUSE).update(fee_paid=Subquery(fee))


def count_hands(club: UUID) -> None:
    """Count the hands of rounds, and mark the standings in which others counted before (DEC-4)."""
    hands = Hand.objects.filter(game=OuterRef("pk"), rival=None, number__lte=OuterRef("hands"))
    counted = hands.exclude(state__in=NOT_COUNTED).order_by().values("game").annotate(Count("pk"))
    Game.all_objects.filter(club=club).update(
        counted=Coalesce(Subquery(counted.values("pk__count")), 0)
    )
    uncounted = Hand.objects.filter(
        game=OuterRef("game_id"), number=OuterRef("number"), rival=None, state__in=NOT_COUNTED
    )
    rows = Result.objects.filter(Exists(uncounted), game__club=club)
    events = set(rows.exclude(game__event=None).values_list("game__event", flat=True))
    rows.update(counts=False)
    leagues = LeagueEvent.objects.filter(event__in=events).values_list("league", flat=True)
    invalidation.mark(Scope.EVENT, sorted(events), timezone.now())
    invalidation.mark(Scope.LEAGUE, sorted(set(leagues)), timezone.now())


def deal_from_secrets(club: UUID) -> None:
    """Deal boards anew that followed from a public seed, of events that have not begun (DEC-5)."""
    begun = Round.objects.exclude(stage=Stage.DRAWN).values("event")
    waiting = Event.objects.filter(club=club, duplicate=True).exclude(pk__in=begun)
    for event in waiting.select_related("rule_set"):
        deal_anew(event, event.boards.filter(source="seed").exclude(deal=""))


def take_hours_of_house_rules(club: UUID) -> None:
    """Let events keep the correction period of their house rules, which said it before (Q64)."""
    for event in Event.objects.filter(club=club).select_related("rule_set"):
        hours = correction_hours(rules_of(event.rule_set))
        Event.objects.filter(pk=event.pk).update(correction_hours=hours)


def take_last_versions_as_official(club: UUID) -> None:
    """Let the last version of what is official be the one that holds (DEC-7)."""
    rows = Published.objects.filter(club=club, version__gt=0)
    since: dict[UUID, datetime | None] = dict(
        Event.objects.filter(club=club, status=Status.OFFICIAL).values_list("pk", "official_at")
    )
    leagues = League.objects.filter(club=club).exclude(closed_at=None)
    since |= dict(leagues.values_list("pk", "closed_at"))
    for row in rows.filter(scope__in=(Scope.EVENT, Scope.LEAGUE), subject__in=since):
        computed_at = row.snapshots.get(version=row.version).computed_at
        StandingsDecision.objects.create(
            published=row,
            number=1,
            verdict=Verdict.OFFICIAL,
            version=row.version,
            at=max(since[row.subject] or computed_at, computed_at),
        )
        Published.objects.filter(pk=row.pk).update(official=row.version)
