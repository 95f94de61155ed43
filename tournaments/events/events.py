"""Events: set up, changed, finished, made official, opened again.

Whoever writes to an event, its entries, rounds or adjustments locks its row first; the club's
before it, where both are needed (docs/locks.md).
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message, PluralMessage, message_of
from engine.rules.organisation import correction_hours
from engine.rules.rules import Rules
from engine.rules.switches import Credit as MoneyCredit
from tournaments import audit, invalidation
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import (
    ConflictError,
    EventCancelledError,
    NotThereError,
    RefusedError,
    StaleError,
)
from tournaments.core.ports import books
from tournaments.core.time_zones import day, format_moment
from tournaments.events import amendments, deal_secrets
from tournaments.events.amendments import AmendmentChoice
from tournaments.events.round_rules import (
    check_round_rules,
    clean_round_rules,
    common_sizes,
    rule_sets_in_use,
)
from tournaments.models import (
    Club,
    Entry,
    EntryStanding,
    Event,
    EventReply,
    Presence,
    Quorum,
    Result,
    Round,
    RoundClock,
    RuleSet,
    Scope,
    Stage,
    Status,
    TableGame,
)
from tournaments.models.limits import (
    CLOCK_MINUTES_MAX,
    CORRECTION_HOURS_MAX,
    HANDS_MAX,
    ROUNDS_MAX,
    TABLE_NUMBER_MAX,
)
from tournaments.movements import SeatingError, Wishes
from tournaments.people.rule_sets import rules_of
from tournaments.prizes import Prizes
from tournaments.publishing.adjourned import (
    AdjournedTable,
    describe_adjourned,
    find_adjourned,
)
from tournaments.publishing.deals import find_undecided
from tournaments.standings import ScoringError, ScoringRules, Total
from tournaments.standings.choices import Credit, Method

_FIXED_ONCE_PLAYED: Final = ("rule_set", "duplicate")
_USUAL_SIZES: Final = (3, 4, 5)
"""The tables that are seated where nobody says which."""
_EVENING: Final = timedelta(hours=4)
"""So long a night takes of which only the results are known."""
OVER: Final = (Status.FINISHED, Status.OFFICIAL)


@transaction.atomic
def create_event(*, club_id: UUID, new: Mapping[str, Any], by: Actor, at: datetime) -> Event:
    """Set an event up; the same again, by an id that the client made, changes nothing.

    ``new`` are settings of the event by name (`EVENT_SETTINGS`), and perhaps its id; ``rule_set``
    is the id of house rules. What is left out is as usual: by the house rules the sizes of tables,
    the hours of corrections (Q64) and whose a substitute's results are; somebody sits out where one
    size of table alone is allowed; draws are made from the id. An event with results only has no
    rounds, hands or tables, whatever is said of them.

    Raises RefusedError naming the field, ConflictError for an id that something else has.
    """
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    known = Event.objects.filter(pk=new["id"]).first() if "id" in new else None
    if known is not None:
        if (known.club_id, known.name) != (club.pk, new["name"]):
            raise ConflictError(Message("Another event has this id."), "id")
        return known
    rule_set = _rule_set(club.pk, new["rule_set"])
    rules = rules_of(rule_set)
    usual = {"correction_hours": correction_hours(rules)}
    looked_up = {"rule_set": rule_set, "round_rules": {}}
    event = Event(club=club, created_at=at, **{**usual, **new, **looked_up})
    event.scoring = preset_scoring(rules) | event.scoring
    event.seed = event.seed or event.pk.hex
    if event.is_results_only:
        event.rounds, event.hands, event.sizes = 0, 0, []
    event.round_rules = clean_round_rules(event, new.get("round_rules", {}))
    if not (event.sizes or event.is_results_only):
        event.sizes = default_table_sizes(*rule_sets_in_use(event))
    if new.get("sit_outs") is None:
        event.sit_outs = len(set(event.sizes)) == 1
    _check(event)
    event.save(force_insert=True)
    if event.duplicate:
        deal_secrets.ensure_secret(event)
    marks = [name for name in ("is_hidden", "is_results_only") if getattr(event, name)]
    details = {"rules": rule_set.digest, **dict.fromkeys(marks, True)}
    note(event, AuditRecord(Message("event created"), details=details), by, at)
    return event


def default_table_sizes(*rule_sets: RuleSet) -> list[int]:
    """The tables that all these rules allow, of those that are seated without being asked."""
    sizes = common_sizes(rule_sets)
    return [size for size in sizes if size in _USUAL_SIZES] or sizes[:1]


def _rule_set(club_id: UUID, number: UUID) -> RuleSet:
    rule_set = RuleSet.objects.filter(club=club_id, pk=number, retired_at=None).first()
    if rule_set is None:
        raise RefusedError(Message("The club has no such house rules."), "rule_set")
    return rule_set


@transaction.atomic
def change_event(
    *,
    event_id: UUID,
    changes: Mapping[str, Any],
    version: int,
    why: str = "",
    by: Actor,
    at: datetime,
) -> Event:
    """Change what is named in ``changes``; standings follow by themselves.

    Once a hand is in the books, another scoring needs a reason, ``why``, which everybody reads.

    Raises StaleError, and RefusedError naming the field: no reason, units that a season would mix;
    house rules are fixed once a round has begun, everything else but who may know of it once the
    event is over.
    """
    event = lock(event_id)
    check_version(event, version)
    if set(changes) != {"is_hidden"}:
        _check_not_over(event)
    has_begun = event.round_rows.exclude(stage=Stage.DRAWN).exists()
    for name in changes:
        if has_begun and name in _FIXED_ONCE_PLAYED:
            raise RefusedError(Message("A round has begun; this is fixed now."), name)
    scored_before, began_before = scoring_of(event), event.starts_at
    _set_fields(event, changes)
    _check(event)
    if event.starts_at != began_before:
        ask_again(event, began_before, at)
    if event.duplicate and not has_begun:
        deal_secrets.ensure_secret(event)
    if scoring_of(event) != scored_before:
        _accept_scoring(event, why)
    details = {"fields": sorted(changes), **describe_hiding(changes)}
    touch(event, AuditRecord(Message("event changed"), why, details=details), by, at)
    if "entry_fee" in changes:
        rows = Entry.objects.filter(event=event).select_related("player__merged_into")
        books().charge_fees(event, list(rows), by, at)
    invalidation.mark_event(event.pk, at)
    if "starts_at" in changes:
        # Statistics go by nights.
        invalidation.mark_players(TableGame.objects.filter(event=event), at)
    return event


def ask_again(event: Event, before: datetime, at: datetime) -> None:
    """Adapt replies to an event that began at ``before`` and begins at another time now.

    Those for another day are forgotten, so that members are asked anew. The time by which enough
    have to come moves too; where it is past then, the event is not called off by itself any more.
    """
    clock = event.club.time_zone
    if day(event.starts_at, clock) != day(before, clock):
        EventReply.objects.filter(event=event).update(
            reply="", replied_at=None, asked_at=None, due_at=None
        )
    if quorum := Quorum.objects.filter(event=event).first():
        quorum.until += event.starts_at - before
        is_automatic = bool(quorum.cancel_reason) and quorum.until > at
        quorum.due_at = quorum.until if is_automatic else None
        quorum.save()


def _set_fields(event: Event, changes: Mapping[str, Any]) -> None:
    if changes.get("starts_at", event.starts_at) != event.starts_at:
        event.moved_from, event.move_reason = None, ""  # another date than this was moved to
    for name, value in changes.items():
        if name == "rule_set":
            event.rule_set = _rule_set(event.club_id, value)
        elif name != "round_rules":
            setattr(event, name, value)
    if "round_rules" in changes:
        event.round_rules = clean_round_rules(event, changes["round_rules"])


def check_unit(event: Event, league: UUID, field: str) -> None:
    """Raise RefusedError if a league would add chips won and penalty points taken (DEC-16)."""
    others = Event.objects.filter(leagues__league=league).exclude(pk=event.pk)
    methods = {
        ScoringRules.from_data(scoring).method
        for scoring in others.values_list("scoring", flat=True)
    }
    own = scoring_of(event).method
    words = {
        Method.CHIPS: Message(
            "This night counts chips, and other nights of this season count penalty points: the"
            " two are never added. Score it by places, say."
        ),
        Method.POINTS: Message(
            "This night counts penalty points, and other nights of this season count chips: the two"
            " are never added. Score it by places, say."
        ),
    }
    if own in words and methods & (words.keys() - {own}):
        raise RefusedError(words[own], field)


def _accept_scoring(event: Event, why: str) -> None:
    """Keep why the scoring changes once hands were played.

    Raises RefusedError without a reason, and where a season would add unlike units.
    """
    for league in event.leagues.values_list("league", flat=True):
        check_unit(event, league, "scoring.method")
    if not has_played(event):
        return
    if not why.strip():
        words = Message("Hands were played: say why the scoring changes. Everybody reads it.")
        raise RefusedError(words, "why")
    event.scoring_reason = why.strip()


def has_played(event: Event) -> bool:
    """Whether a hand of an event is in the books. One query."""
    return Result.objects.filter(game__event=event).exists()


def fee_due(event: Event, entry: Entry) -> int:
    """Return what an entry owes as its fee: everybody who was checked in does, but the house.

    Who withdraws owes it after a round that they were seated in has begun. One query for those.
    Nobody owes the fee of an event that is called off.
    """
    if entry.standing == EntryStanding.HOUSE or event.status == Status.CANCELLED:
        return 0
    if entry.presence == Presence.WITHDRAWN:
        owes = entry.table_seats.exclude(round__stage=Stage.DRAWN).exists()
    else:
        owes = entry.presence in (Presence.HERE, Presence.LEFT)
    return event.entry_fee if owes else 0


def preset_scoring(rules: Rules) -> dict[str, str]:
    """The settings of a scoring that follow from house rules, where an event says nothing else.

    Who wins and pays the money of a substitute's hands is also whose standings they count for
    (DEC-20).
    """
    if rules.credit is MoneyCredit.ENTRANT:
        return {}
    return {"substitute_credit": Credit.PERSON.value}


def describe_hiding(changes: Mapping[str, Any]) -> dict[str, bool]:
    """Return the audit details of a change of ``is_hidden``; empty if it is not changed."""
    return {"is_hidden": changes["is_hidden"]} if "is_hidden" in changes else {}


def _check(event: Event) -> None:
    """Raise RefusedError naming the field of the first thing that cannot be."""
    if event.is_results_only:
        _check_results_only(event)
        return
    if not 1 <= event.rounds <= ROUNDS_MAX:
        raise RefusedError(Message("An event has 1 to {most} rounds.", most=ROUNDS_MAX), "rounds")
    if not 1 <= event.hands <= HANDS_MAX:
        raise RefusedError(Message("A round has 1 to {most} hands.", most=HANDS_MAX), "hands")
    if not 0 <= event.correction_hours <= CORRECTION_HOURS_MAX:
        words = Message(
            "Results can be corrected for 0 to {most} hours.", most=CORRECTION_HOURS_MAX
        )
        raise RefusedError(words, "correction_hours")
    for name in ("round_minutes", "break_minutes"):
        if not 0 <= getattr(event, name) <= CLOCK_MINUTES_MAX:
            words = Message("Say how many minutes: 0 to {most}.", most=CLOCK_MINUTES_MAX)
            raise RefusedError(words, name)
    check_round_rules(event, scoring_of(event))
    _check_sizes(event)
    wishes_of(event)
    prizes_of(event)


def _check_results_only(event: Event) -> None:
    """Raise RefusedError for settings that say something of games, or how these are added up."""
    for name in (
        "rounds",
        "hands",
        "round_rules",
        "sizes",
        "wishes",
        "duplicate",
        "entry_fee",
        "added",
        "prizes",
    ):
        if getattr(event, name):
            words = Message("This event has results only; nothing is played or paid in it.")
            raise RefusedError(words, name)
    if scoring_of(event).total is not Total.SUM:
        words = Message("The total of an event with results only is what was written down.")
        raise RefusedError(words, "scoring.total")


def _check_sizes(event: Event) -> None:
    if not event.sizes:
        raise RefusedError(Message("Say which sizes tables may have."), "sizes")
    for row in rule_sets_in_use(event):
        players = rules_of(row).players
        for place, size in enumerate(event.sizes):
            if not players.least <= size <= players.most:
                words = Message(
                    "{rules} is played by {players}; a table of {size} cannot be.",
                    rules=row.name,
                    players=str(players),
                    size=size,
                )
                raise RefusedError(words, f"sizes.{place}")
    event.sizes = sorted(set(event.sizes))


def wishes_of(event: Event) -> Wishes:
    """Return the limits of every seating of an event, apart from its people.

    ``top_first`` and ``closed_tables`` are what an event can say beside its sizes.
    """
    unknown = set(event.wishes) - {"top_first", "closed_tables"}
    if unknown:
        raise RefusedError(Message("{name} is not a wish.", name=min(unknown)), "wishes")
    closed_tables_of(event)
    try:
        return Wishes(
            allowed=tuple(event.sizes),
            byes=event.sit_outs,
            top_first=bool(event.wishes.get("top_first", False)),
        )
    except SeatingError as error:
        raise RefusedError(message_of(error), "wishes") from error


def closed_tables_of(event: Event) -> list[int]:
    """Return the numbers of the tables at which nobody sits. Raises RefusedError."""
    closed_tables = event.wishes.get("closed_tables", [])
    if not isinstance(closed_tables, list) or not all(
        type(each) is int and 1 <= each <= TABLE_NUMBER_MAX for each in closed_tables
    ):
        words = Message(
            "Closed tables are a list of numbers from 1 to {most}.", most=TABLE_NUMBER_MAX
        )
        raise RefusedError(words, "wishes.closed_tables")
    return sorted(set(closed_tables))


def scoring_of(event: Event) -> ScoringRules:
    """Return the scoring of an event. Raises RefusedError naming the setting."""
    try:
        return ScoringRules.from_data(event.scoring)
    except ScoringError as error:
        raise RefusedError(error.message, f"scoring.{error.field}") from error


def prizes_of(event: Event) -> Prizes:
    """Return the prizes of an event. Raises RefusedError naming the setting."""
    try:
        return Prizes.from_json(json.dumps(event.prizes))
    except RefusedError as error:
        raise RefusedError(message_of(error), f"prizes.{error.field}") from error


@transaction.atomic
def finish_event(*, event_id: UUID, version: int | None, by: Actor, at: datetime) -> Event:
    """Say that the playing is over: the correction period begins.

    Raises RefusedError while a round is not closed, or a table is to be finished another day.
    """
    event = lock(event_id)
    check_version(event, version)
    _check_not_over(event)
    open_round = Round.objects.filter(event=event, stage=Stage.PLAYING).first()
    if open_round is not None:
        raise RefusedError(
            Message("Round {number} is not closed.", number=open_round.number), "status"
        )
    check_not_adjourned(event)
    if event.is_results_only and not event.entries.exists():
        raise RefusedError(Message("Enter at least one result."), "status")
    finish(event, at)
    RoundClock.objects.filter(event=event).delete()
    touch(event, AuditRecord(Message("event finished")), by, at)
    invalidation.mark_event(event.pk, at)
    return event


def finish(event: Event, at: datetime) -> None:
    """Let a locked event be over; the caller saves it.

    One with results only has been over since its night: the time to correct it runs from then.
    """
    event.status, event.finished_at = Status.FINISHED, at
    if event.is_results_only:
        event.finished_at = min(at, event.starts_at + _EVENING)


@transaction.atomic
def publish_officially(
    *,
    event_id: UUID,
    version: int | None,
    by: Actor,
    at: datetime,
) -> Event:
    """Let the results of a finished event be official, after the correction period (DEC-7).

    The standings are computed and published at once: this version holds until another is
    confirmed. Raises RefusedError: not finished, too early, or something at a table is undecided
    or to be finished another day.
    """
    event = lock_with_club(event_id)
    check_version(event, version)
    if event.status != Status.FINISHED or event.finished_at is None:
        raise RefusedError(Message("Only a finished event becomes official."), "status")
    until = corrections_until(event)
    if until is not None and at < until:
        words = Message(
            "The results can be corrected until {time}.",
            time=format_moment(until, event.club.time_zone),
        )
        raise RefusedError(words, "status")
    check_not_adjourned(event)
    undecided = TableGame.objects.filter(event=event, is_open=True).select_related("table")
    if undecided:
        tables = ", ".join(str(game.table.number) for game in undecided if game.table is not None)
        raise RefusedError(
            Message("Something is still undecided at table {tables}.", tables=tables), "status"
        )
    check_boards(event)
    owed = Entry.objects.filter(event=event)
    event.frozen_fees = {str(row.pk): fee_due(event, row) for row in owed}
    event.status, event.official_at = Status.OFFICIAL, at
    event.version += 1
    event.save()
    row = amendments.make_official(event, by=by, at=at)
    details = {"standings": row.version}
    note(event, AuditRecord(Message("event official"), details=details), by, at)
    invalidation.mark_event(event.pk, at)
    return event


def check_not_adjourned(event: Event) -> None:
    """Raise RefusedError while a table of an event is to be finished another day."""
    adjourned = find_adjourned([event.pk])
    if adjourned:
        tables = describe_adjourned(map(AdjournedTable.of, adjourned))
        words = PluralMessage(
            "The results stay provisional: {tables}. End that game first.",
            "The results stay provisional: {tables}. End those {count} games first.",
            count=len(adjourned),
            tables=tables,
        )
        raise RefusedError(words, "status")


def check_boards(event: Event) -> None:
    """Raise RefusedError for a hand with other cards on which nothing is decided (DEC-15)."""
    undecided = find_undecided(event.pk)
    if undecided:
        words = Message(
            "“{event}”: hand {hand} of table {table} in round {round} has other cards than board"
            " {board}. Decide on it first.",
            event=event.name,
            hand=undecided[0].number,
            table=undecided[0].table,
            round=undecided[0].round,
            board=undecided[0].board,
        )
        raise RefusedError(words, "status")


def corrections_until(event: Event) -> datetime | None:
    """The end of the correction period; None while the event is played."""
    if event.finished_at is None:
        return None
    until = event.finished_at + timedelta(hours=event.correction_hours)
    ended = event.corrections_ended_at
    return until if ended is None else min(until, ended)


@transaction.atomic
def end_corrections(
    *, event_id: UUID, why: str, version: int | None, by: Actor, at: datetime
) -> Event:
    """End the correction period early; once it is over this changes nothing.

    Raises RefusedError: not finished, or no reason.
    """
    event = lock(event_id)
    check_version(event, version)
    until = corrections_until(event)
    if event.status != Status.FINISHED or until is None:
        raise RefusedError(Message("Only a finished event has a correction period."), "status")
    if not why.strip():
        raise RefusedError(Message("Say why the correction period ends early."), "why")
    if at < until:
        event.corrections_ended_at = at
        touch(event, AuditRecord(Message("correction period ended"), why), by, at)
    return event


@transaction.atomic
def reopen_event(
    *, event_id: UUID, why: str, version: int | None, by: Actor, at: datetime
) -> Event:
    """Let a finished or official event go on; its official table is withdrawn with the reason.

    Raises RefusedError without a reason.
    """
    event = lock_with_club(event_id)
    check_version(event, version)
    if event.status not in OVER:
        raise RefusedError(Message("This event is not over."), "status")
    if not why.strip():
        raise RefusedError(Message("Say why the event is opened again."), "why")
    event.status, event.finished_at, event.official_at = Status.RUNNING, None, None
    event.corrections_ended_at = event.frozen_fees = None
    amendments.withdraw(event, why=why, by=by, at=at)
    touch(event, AuditRecord(Message("event reopened"), why), by, at)
    invalidation.mark_event(event.pk, at)
    return event


@transaction.atomic
def confirm_amendment(*, event_id: UUID, choice: AmendmentChoice, by: Actor, at: datetime) -> Event:
    """Let the amended standings of an official event be official; a second time changes nothing.

    Raises RefusedError, also for a hand with other cards on which nothing is decided, and
    StaleError where they are other ones by now than those seen.
    """
    event = lock_with_club(event_id)
    check_boards(event)
    made = amendments.confirm(event, choice=choice, by=by, at=at)
    if made is not None:
        details = {"standings": made}
        touch(event, AuditRecord(Message("amendment confirmed"), choice.reason, details), by, at)
        invalidation.mark(Scope.LEAGUE, invalidation.leagues_of(event.pk), at)
    return event


@transaction.atomic
def decline_amendment(*, event_id: UUID, choice: AmendmentChoice, by: Actor, at: datetime) -> Event:
    """Leave the official standings as they are, whatever was corrected; once is enough.

    Raises RefusedError, and StaleError where another amendment waits by now.
    """
    event = lock_with_club(event_id)
    if amendments.decline(event, choice=choice, by=by, at=at):
        details = {"standings": choice.version}
        touch(event, AuditRecord(Message("amendment declined"), choice.reason, details), by, at)
    return event


def lock(event_id: UUID) -> Event:
    """Lock an event for writing, and see it as it is now. Raises NotThereError."""
    rows = Event.objects.select_for_update(of=("self",), no_key=True)
    event = rows.select_related("club", "rule_set").filter(pk=event_id).first()
    if event is None:
        raise NotThereError
    return event


def lock_with_club(event_id: UUID) -> Event:
    """Lock the club of an event before it, for what locks its games too (docs/locks.md).

    Raises NotThereError.
    """
    known = Event.objects.only("club_id").filter(pk=event_id).first()
    if known is None:
        raise NotThereError
    Club.objects.select_for_update(no_key=True).get(pk=known.club_id)
    return lock(event_id)


def check_version(event: Event, version: int | None) -> None:
    """Raises StaleError if somebody changed the event since its version was seen."""
    if version is not None and version != event.version:
        current = {"name": event.name, "status": event.status}
        raise StaleError(
            Message("The event has been changed in the meantime."), event.version, current
        )


def check_running(event: Event) -> None:
    """Raises RefusedError for an event that is over, or in which nothing is played.

    Raises EventCancelledError for one that is called off.
    """
    _check_not_over(event)
    if event.is_results_only:
        words = Message("This event has results only; nothing is played or paid in it.")
        raise RefusedError(words, "status")


def check_not_cancelled(event: Event) -> None:
    """Raises EventCancelledError for an event that is called off."""
    if event.status == Status.CANCELLED:
        words = Message(
            "This night is called off (“{why}”). Let it take place again first.",
            why=event.cancel_reason,
        )
        raise EventCancelledError(words, "status")


def _check_not_over(event: Event) -> None:
    check_not_cancelled(event)
    if event.status in OVER:
        words = Message(
            "This event is {status}; the director can open it again, with a reason.",
            status=event.status,
        )
        raise RefusedError(words, "status")


def touch(event: Event, action: AuditRecord, by: Actor, at: datetime) -> None:
    """Add an audit entry for an event and increment its version."""
    event.version += 1
    event.save()
    note(event, action, by, at)


def touch_all(event: Event, actions: Sequence[AuditRecord], by: Actor, at: datetime) -> None:
    """Add audit entries for an event, and increment its version for each."""
    event.version += len(actions)
    event.save()
    entries = [(event.pk, action) for action in actions]
    audit.note_all(entries, club=event.club_id, by=by, at=at)


def note(event: Event, action: AuditRecord, by: Actor, at: datetime) -> None:
    """Add to the trail of an event; its row is locked."""
    audit.note(action, chain=event.pk, club=event.club_id, by=by, at=at)
