"""House rules of a club: a preset and what differs from it, in versions that never change."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message, message_of
from engine.rules.presets import preset
from engine.rules.rules import Rules, RulesError, change, find_differences
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, NotThereError, RefusedError, StaleError
from tournaments.models import Club, RuleSet

MADE: Final = Message("rule set made")
"""An entry of the trail, with which `verify` compares the rule sets."""
VALUE_MAX: Final = 400
"""Characters of the value of a switch, as somebody writes it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HouseRules:
    """The house rules of a club: switches by name, values as text."""

    name: str
    preset: str
    overrides: Mapping[str, str] = field(default_factory=dict)
    keeps_jackpot: bool = False


def rules_of(row: RuleSet) -> Rules:
    """The engine's rules of a rule set."""
    return change(preset(row.preset), row.overrides)


def read_rules(name: str, overrides: Mapping[str, str]) -> Rules:
    """The rules that are meant. Raises RefusedError naming the switch."""
    try:
        base = preset(name)
    except RulesError as error:
        raise RefusedError(message_of(error), "preset") from error
    try:
        return change(base, overrides)
    except RulesError as error:
        raise RefusedError(message_of(error), f"overrides.{error.switch[:60]}") from error


@transaction.atomic
def make_rule_set(*, club_id: UUID, new: HouseRules, by: Actor, at: datetime) -> RuleSet:
    """Write down house rules under a new name. Raises ConflictError and RefusedError."""
    club = Club.objects.select_for_update(no_key=True).get(pk=club_id)
    if RuleSet.objects.filter(club=club, name=new.name).exists():
        words = Message("The club has rules with this name; a change of them makes a new version.")
        raise ConflictError(words, "name")
    return _write(club, new, 1, by, at)


@transaction.atomic
def change_rule_set(
    *, rule_set_id: UUID, changes: Mapping[str, Any], version: int, by: Actor, at: datetime
) -> RuleSet:
    """Make the next version of house rules, and retire the one before; games keep theirs.

    ``overrides`` replace all that differed before. Raises StaleError and RefusedError.
    """
    row = _lock(rule_set_id)
    last = RuleSet.objects.filter(club=row.club, name=row.name).order_by("-version")[0]
    if (version, row.version) != (last.version, last.version):
        current = {name: getattr(last, name) for name in ("preset", "overrides", "keeps_jackpot")}
        raise StaleError(
            Message("There is a newer version."), last.version, {**current, "id": last.pk}
        )
    new = HouseRules(
        name=row.name,
        preset=changes.get("preset", row.preset),
        overrides=changes.get("overrides", row.overrides),
        keeps_jackpot=changes.get("keeps_jackpot", row.keeps_jackpot),
    )
    found = _write(row.club, new, row.version + 1, by, at)
    RuleSet.objects.filter(pk=row.pk, retired_at=None).update(retired_at=at)
    return found


@transaction.atomic
def retire_rule_set(*, rule_set_id: UUID, by: Actor, at: datetime) -> RuleSet:
    """Offer house rules for no further game; a second time changes nothing."""
    row = _lock(rule_set_id)
    if row.retired_at is None:
        row.retired_at = at
        row.save(update_fields=["retired_at"])
        _note(Message("rule set retired"), row, by, at)
    return row


def _lock(rule_set_id: UUID) -> RuleSet:
    row = RuleSet.objects.filter(pk=rule_set_id).first()
    if row is None:
        raise NotThereError
    Club.objects.select_for_update(no_key=True).get(pk=row.club_id)
    return RuleSet.objects.select_related("club").get(pk=rule_set_id)


def _write(club: Club, new: HouseRules, version: int, by: Actor, at: datetime) -> RuleSet:
    rules = read_rules(new.preset, new.overrides)
    row = RuleSet.objects.create(
        club=club,
        name=new.name,
        version=version,
        preset=new.preset,
        overrides=find_differences(rules, preset(new.preset)),
        digest=rules.digest,
        keeps_jackpot=new.keeps_jackpot,
        made_by=by.label,
        created_at=at,
    )
    _note(MADE, row, by, at)
    return row


def _note(what: Message, row: RuleSet, by: Actor, at: datetime) -> None:
    details = {"rule_set": row.pk, "version": row.version, "digest": row.digest}
    audit.note(
        AuditRecord(what, details=details), chain=row.club_id, club=row.club_id, by=by, at=at
    )
