"""Imports of past nights: a table of players and nights becomes events with results only.

The events count in a league, in the order of their days; `night_plan` reads the table.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db.models import Q

from engine.core.messages import Message
from engine.rules.presets import PRESETS, preset
from engine.rules.rule_sheet import title_of
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.time_zones import zone
from tournaments.events import leagues
from tournaments.events.adjustments import adjust_score
from tournaments.events.events import create_event
from tournaments.events.recorded_results import record_results
from tournaments.imports.headings import NIGHT_FIELDS
from tournaments.imports.log import ImportLog
from tournaments.imports.names import missing_name
from tournaments.imports.night_comparison import compare_nights
from tournaments.imports.night_plan import (
    LEAVE_OUT,
    PRESET_PREFIX,
    plan_nights,
    suggest_options,
)
from tournaments.imports.night_units import UNIT_TITLES
from tournaments.imports.plan import (
    ImportOption,
    ImportPlan,
    TableImport,
)
from tournaments.imports.planned_nights import (
    NightPerson,
    NightsPlan,
    PlannedAdjustment,
    PlannedNight,
)
from tournaments.imports.planned_standings import plan_standings
from tournaments.imports.season_nights import NEW_LEAGUE, NO_LEAGUE
from tournaments.imports.table import ImportRow, ImportTable
from tournaments.models import (
    Adjustment,
    Club,
    Entry,
    League,
    LeagueEvent,
    LeagueMember,
    Player,
    PlayerKind,
    RecordedResult,
    RuleSet,
)
from tournaments.people.members import NewPlayer, add_player
from tournaments.people.rule_sets import HouseRules, make_rule_set

_YEARS: Final = 40


def apply_nights(club: Club, plan: ImportPlan, log: ImportLog, by: Actor, at: datetime) -> None:
    """Create the events of a plan and its new players, and let the events count in its league."""
    found: NightsPlan = plan.value
    made: list[Any] = []
    rule_set = found.rule_set
    if rule_set.startswith(PRESET_PREFIX):
        name = rule_set.removeprefix(PRESET_PREFIX)
        new = HouseRules(name=str(title_of(preset(name))), preset=name)
        rules = make_rule_set(club_id=club.pk, new=new, by=by, at=at)
        made.append(rules)
        rule_set = str(rules.pk)
    since = min((night.starts_at for night in found.nights), default=at)
    for person in found.people:
        newcomer = NewPlayer(
            person={"name": person.name}, kind=found.kind, number=person.number, since=since
        )
        player = add_player(club_id=club.pk, new=newcomer, by=by, at=at)
        person.player = player.pk
        made.append(player)
    league = found.league
    if found.new_league is not None:
        league = leagues.create_league(club_id=club.pk, new=found.new_league, by=by, at=at)
        made.append(league)
    for night in found.nights:
        made += _make_night(club, night, found, UUID(rule_set), league, by, at)
    for adjustment in found.adjustments:
        made.append(_adjust(adjustment, by, at))
    if league is not None:
        made += _enrol(league, found, by, at)
    for row in made:
        row.refresh_from_db()
    log.note_new(*made)
    details = {"league": league and league.pk, "nights": len(found.nights)}
    record = AuditRecord(Message("nights brought"), details=details)
    audit.note(record, chain=club.pk, club=club.pk, by=by, at=at)


def _make_night(
    club: Club,
    night: PlannedNight,
    plan: NightsPlan,
    rule_set: UUID,
    league: League | None,
    by: Actor,
    at: datetime,
) -> Iterator[Any]:
    """Create one event with its results, or add results to one; yield the new rows."""
    event, before = night.event, list(night.known.values())
    if event is None:
        new = {
            "name": night.name,
            "starts_at": night.starts_at,
            "rule_set": rule_set,
            "scoring": plan.scoring,
            "is_results_only": True,
        }
        event = create_event(club_id=club.pk, new=new, by=by, at=at)
    results = [replace(one, player=_player_of(who)) for who, one in night.results.items()]
    why = "brought in with a table" if before else ""
    record_results(
        event_id=event.pk, results=[*before, *results], why=why, version=None, by=by, at=at
    )
    if night.event is None:
        night.event = event
        yield event
    rows = Entry.objects.filter(event=event, player__in=[result.player for result in results])
    yield from rows.order_by("number")
    yield from RecordedResult.objects.filter(entry__in=rows).order_by("entry__number")
    is_session = LeagueEvent.objects.filter(league=league, event=event).exists()
    if league is not None and not is_session:
        yield leagues.add_session(league_id=league.pk, event=event.pk, by=by, at=at)


def _adjust(planned: PlannedAdjustment, by: Actor, at: datetime) -> Adjustment:
    event = planned.night.event
    assert event is not None, "its night was made before"
    entry = Entry.objects.get(event=event, player=_player_of(planned.person))
    return adjust_score(
        event_id=event.pk,
        entry=entry.pk,
        amount=str(planned.amount),
        reason=planned.reason,
        by=by,
        at=at,
    )


def _player_of(person: NightPerson) -> UUID:
    assert person.player is not None, "whoever is new was added before"
    return person.player


def _enrol(league: League, plan: NightsPlan, by: Actor, at: datetime) -> list[LeagueMember]:
    """Put the players who would not count otherwise on the roll of a league."""
    people = {person for night in plan.nights for person in night.results}
    rows = Player.objects.filter(pk__in=[_player_of(person) for person in people])
    divisions = {person.player: plan.divisions.get(person.id, 1) for person in people}
    openings = {person.player: str(plan.openings.get(person.id, "")) for person in people}
    if league.is_open and not plan.divisions:
        opened = [player for player, opening in openings.items() if opening]
        rows = rows.exclude(~Q(pk__in=opened), kind=PlayerKind.MEMBER)
    rows = rows.exclude(league_places__league=league).order_by("number")
    return [
        leagues.enrol(
            league_id=league.pk,
            player=row.pk,
            division=divisions.get(row.pk, 1),
            opening=openings.get(row.pk, ""),
            by=by,
            at=at,
        )
        for row in rows
    ]


def plan_compared_nights(
    club: Club,
    table: ImportTable,
    rows: Iterable[ImportRow],
    options: Mapping[str, str],
    at: datetime,
) -> ImportPlan:
    """Plan nights, and compare what they come to with the totals and places in the file."""
    plan = plan_nights(club, table, rows, options, at)
    if table.questions:
        return plan
    found: NightsPlan = plan.value
    comparison = compare_nights(club, found, at)
    plan.differences = comparison.differences
    if comparison.ranking is not None:
        plan.standings = plan_standings(club, found, comparison.ranking)
    understood = [*plan.understood]
    has_places = comparison.has_compared_places
    if any(one.place is not None for one in found.stated) and not has_places:
        understood.append(
            Message("The places in the file are not compared with those of a league.")
        )
    elif not plan.differences and any(one.total or one.place for one in found.stated):
        understood.append(Message("All totals and places are those of the file."))
    plan.understood = understood
    return plan


def missing_nights(keys: Collection[str]) -> str:
    """Return what is missing for a table of nights, or nothing."""
    if "night" not in keys:
        if not {"points", "place"} & set(keys):
            return Message(
                "No column is a night. Say which ones are, or which have the night and its points."
            )
        if not {"day", "event"} & set(keys):
            return Message("No column says of which night a row is. Say which one does.")
    return missing_name(keys)


def _leagues(club: Club) -> list[tuple[str, str]]:
    rows = League.objects.filter(club=club, closed_at=None).order_by("-created_at", "-pk")
    return [
        (NEW_LEAGUE, Message("a new one, called as the table")),
        (NO_LEAGUE, Message("none, they are nights by themselves")),
        *((str(row.pk), row.name) for row in rows),
    ]


def _rule_sets(club: Club) -> list[tuple[str, str]]:
    rows = RuleSet.objects.filter(club=club, retired_at=None).order_by("-created_at", "pk")
    known = {row.name for row in rows}
    presets = ((f"{PRESET_PREFIX}{name}", title_of(rules)) for name, rules in PRESETS.items())
    return [
        *((str(row.pk), row.name) for row in rows),
        *((key, title) for key, title in presets if title not in known),
    ]


def _years(club: Club) -> list[tuple[str, str]]:
    last = max(club.created_at.year, datetime.now(zone(club.time_zone)).year)
    return [(str(year), str(year)) for year in range(last, last - _YEARS, -1)]


NIGHTS: Final = TableImport(
    kind="nights",
    title=Message("Nights of the past"),
    help=Message("Players and nights, with points or places; they become events of a league."),
    fields=NIGHT_FIELDS,
    require=missing_nights,
    plan=plan_compared_nights,
    suggest=suggest_options,
    apply=apply_nights,
    options=(
        ImportOption(
            key="league",
            label=Message("In which league do they count?"),
            choices=_leagues,
            is_required=True,
        ),
        ImportOption(
            key="counts",
            label=Message("What do the numbers of a night mean?"),
            choices=lambda _club: [*UNIT_TITLES.items()],
            is_required=True,
        ),
        ImportOption(
            key="new",
            label=Message("What becomes of people who are new to the club?"),
            choices=lambda _club: [
                (PlayerKind.MEMBER, Message("They become members")),
                (PlayerKind.GUEST, Message("They become guests")),
                (LEAVE_OUT, Message("They are left out")),
            ],
            is_required=True,
        ),
        ImportOption(
            key="year",
            label=Message("Year of the first night"),
            help=Message("Only where the days of the nights have no year."),
            choices=_years,
        ),
        ImportOption(
            key="first",
            label=Message("Day of the first night"),
            help=Message("Only where the nights have no days; the others follow it week by week."),
            is_text=True,
        ),
        ImportOption(
            key="rule_set",
            label=Message("By which house rules were they played?"),
            help=Message("If empty, those of the last night."),
            choices=_rule_sets,
        ),
    ),
)
