"""Compare roles, operators, bars, house rules and fees with what the trails tell.

Entries of the trail are covered by its digests; these rows are not, but for what is said here.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import Sum

from engine.core.messages import Message
from scoring.games import fees
from scoring.models import EntryFee, EntryKind
from scoring.transfer.verifying import trails
from scoring.transfer.verifying.difference import Discrepancy
from tournaments.audit import BARRED, ERASED
from tournaments.models import Account, AuditEntry, Player, PlayerBar, Role, RoleKind, RuleSet
from tournaments.people import accounts, bars, clubs, roles, rule_sets

_NOT_IN_TRAIL = "there, but the trail does not tell of it"
_AS_IN_TRAIL = "as the trail tells"


_ROLES: Final = (clubs.FOUNDED, roles.GRANTED, roles.REVOKED)
_FEES: Final = (fees.PAID, fees.NOT_PAID)
_OF_CLUB: Final = (*_ROLES, *_FEES, BARRED, bars.LIFTED, rule_sets.MADE)


class _TrailFact(NamedTuple):
    """An entry of a trail, with its details read."""

    what: str
    chain: UUID
    details: Any
    entry: AuditEntry


def of_club(club: UUID) -> Iterator[Discrepancy]:
    """Yield what differs in a club from what its trails tell. Five queries where nothing does."""
    told = defaultdict[str, list[_TrailFact]](list)
    for one in _read_trail(club, _OF_CLUB):
        told[one.what].append(one)
    yield from _compare_roles(club, [one for kind in _ROLES for one in told[kind.template]])
    yield from _compare_bars(club, told[BARRED.template], told[bars.LIFTED.template])
    yield from _compare_rule_sets(club, told[rule_sets.MADE.template])
    yield from _compare_fees(club, [one for kind in _FEES for one in told[kind.template]])


def of_installation() -> Iterator[Discrepancy]:
    """Yield what differs beyond clubs: operators, admins of all clubs, and their trails."""
    for fault in trails.of_club(None):
        yield _difference_beyond_clubs(fault.what, fault.kept, fault.right)
    told: dict[str, set[UUID]] = {"operator": set(), "federation": set()}
    kinds = (accounts.OPERATOR, accounts.NO_OPERATOR, accounts.FEDERATION_ADMIN)
    for one in _read_trail(None, kinds):
        if one.what == accounts.FEDERATION_ADMIN.template:
            told["federation"].add(one.chain)
        elif one.what == accounts.OPERATOR.template:
            told["operator"].add(one.chain)
        else:
            told["operator"].discard(one.chain)
    operators = Account.objects.filter(is_superuser=True).values_list("pk", flat=True)
    admins = Role.objects.filter(club=None).values_list("account", flat=True)
    for right, kept in (("operator", set(operators)), ("federation", set(admins))):
        for account in sorted(kept - told[right]):
            yield _difference_beyond_clubs(
                f"{right} right of account {account}", _NOT_IN_TRAIL, _AS_IN_TRAIL
            )
        for account in _find_existing(Account, told[right] - kept):
            yield _difference_beyond_clubs(
                f"{right} right of account {account}", "none", _AS_IN_TRAIL
            )


def _compare_roles(club: UUID, entries: list[_TrailFact]) -> Iterator[Discrepancy]:
    told: set[tuple[UUID, str]] = set()
    if not any(one.what == clubs.FOUNDED.template for one in entries):
        return  # a trail that does not tell who was the first admin
    for entry in sorted(entries, key=_place):
        account = entry.details.get("account") or entry.details.get("admin")
        if account is None:
            continue
        role = UUID(account), entry.details.get("kind", RoleKind.ADMIN)
        if entry.what == roles.REVOKED.template:
            told.discard(role)
        else:
            told.add(role)
    kept = set(Role.objects.filter(club=club).values_list("account", "kind"))
    for account, kind in sorted(kept - told):
        yield _difference_in(club, f"role {kind} of account {account}", _NOT_IN_TRAIL, _AS_IN_TRAIL)
    # The accounts of a club that was moved here stayed behind.
    here = _find_existing(Account, {account for account, _kind in told - kept})
    for account, kind in sorted(told - kept):
        if account in here:
            yield _difference_in(club, f"role {kind} of account {account}", "none", _AS_IN_TRAIL)


def _compare_bars(
    club: UUID, told: list[_TrailFact], lifts: list[_TrailFact]
) -> Iterator[Discrepancy]:
    lifted = {lift.entry.at for lift in lifts}
    for bar in PlayerBar.objects.filter(player__club=club):
        match = next((one for one in told if _tells_of(one, bar)), None)
        if match is None:
            yield _difference_in(
                club, f"bar {bar.pk} of player {bar.player_id}", "other, or untold", _AS_IN_TRAIL
            )
            continue
        told.remove(match)
        if bar.lifted_at is not None and bar.lifted_at not in lifted:
            yield _difference_in(
                club, f"bar {bar.pk} of player {bar.player_id}", "lifted", "in force"
            )
    here = _find_existing(Player, {UUID(one.details["player"]) for one in told})
    for one in told:
        if UUID(one.details["player"]) in here:
            what = f"bar of player {one.details['player']} (entry {one.entry.number})"
            yield _difference_in(club, what, "other, or none", _AS_IN_TRAIL)


def _tells_of(one: _TrailFact, bar: PlayerBar) -> bool:
    """Whether an entry tells of a bar; a reason from which somebody was erased tells nothing."""
    until = None if bar.until is None else str(bar.until)
    is_erased = one.entry.why_salt == ERASED or not bar.reason
    why = bar.reason[: len(one.entry.why)]
    return (one.entry.at, one.details.get("until")) == (bar.at, until) and (
        is_erased or (bool(one.entry.why) and one.entry.why == why)
    )


def _compare_rule_sets(club: UUID, entries: list[_TrailFact]) -> Iterator[Discrepancy]:
    digests = {entry.details.get("rule_set"): entry.details.get("digest") for entry in entries}
    for row in RuleSet.objects.filter(club=club):
        # The first release noted some of them nowhere.
        told = digests.pop(str(row.pk), row.digest)
        where = f"house rules {row.pk}"
        if row.digest != told:
            yield _difference_in(club, f"{where}, field digest", row.digest, told)
        elif (made := rule_sets.rules_of(row).digest) != told:
            yield _difference_in(club, f"{where}, fields preset and overrides", made, told)
    for number in digests:
        yield _difference_in(club, f"house rules {number}", "none", _AS_IN_TRAIL)


def _compare_fees(club: UUID, entries: list[_TrailFact]) -> Iterator[Discrepancy]:
    told = Counter[tuple[UUID, str]]()
    for entry in sorted(entries, key=_place):
        fee = entry.chain, entry.details["player"]
        sign = 1 if entry.what == fees.PAID.template else -1
        told[fee] += sign * entry.details["amount"]
    rows = EntryFee.objects.filter(
        event__club=club,
        transfer__kind=EntryKind.FEE_PAID,
        transfer__reverses=None,
        transfer__reversed_by=None,
    )
    sums = rows.values("event", "player").annotate(amount=Sum("transfer__amount")).order_by()
    kept = Counter({(row["event"], str(row["player"])): row["amount"] for row in sums})
    for event, player in sorted(told.keys() | kept.keys()):
        fee = event, player
        if told[fee] != kept[fee]:
            yield _difference_in(
                club, f"fee of player {player} in event {event}", kept[fee], f"{told[fee]} paid"
            )


def _read_trail(club: UUID | None, kinds: Iterable[Message]) -> list[_TrailFact]:
    """The entries of these kinds in the trails of a club, chain by chain in their order."""
    rows = AuditEntry.objects.filter(club_id=club, what__in=[kind.template for kind in kinds])
    return [
        _TrailFact(entry.what, entry.chain, json.loads(entry.details), entry)
        for entry in rows.order_by("chain", "number")
    ]


def _place(one: _TrailFact) -> tuple[UUID, int]:
    return one.chain, one.entry.number


def _find_existing(model: Any, keys: set[UUID]) -> set[UUID]:
    """Return those of some keys that are in the database."""
    return set(model.objects.filter(pk__in=keys).values_list("pk", flat=True)) if keys else set()


def _difference_in(club: UUID, what: str, kept: object, right: object) -> Discrepancy:
    return Discrepancy(club=club, what=what, kept=str(kept), right=str(right))


def _difference_beyond_clubs(what: str, kept: str, right: str) -> Discrepancy:
    return Discrepancy(club=None, what=f"beyond clubs: {what}", kept=kept, right=right)
