"""All reads of clubs, their people and events, and of backups; a fixed number of queries each."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, TypeVar
from uuid import UUID

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet

from engine.core.player_names import name_key
from tournaments.access.rights import Asker, RoleInClub
from tournaments.audit import FORMER
from tournaments.core.name_folding import fold_orders, fold_text
from tournaments.models import (
    UNFINISHED,
    Adjustment,
    ApiKey,
    AuditEntry,
    BackupKind,
    BackupReport,
    Club,
    Entry,
    Event,
    Person,
    Player,
    RecordedResult,
    Result,
    Role,
    Round,
    RuleSet,
    SeatDecision,
    Shown,
    SitOut,
    Stage,
    Table,
    TableGame,
    TableSeat,
)

K = TypeVar("K")
_SURNAME_LEAST: Final = 3
"""Letters of a surname that is looked for alone; shorter ones are words as often."""


def clubs(asker: Asker, *, mine: bool | None = None, search: str = "") -> QuerySet[Club]:
    """The clubs that somebody may know of; ``mine``: only those where they are somebody."""
    own = Q(pk__in=[club for club in asker.roles if club is not None])
    rows = Club.objects.all()
    if mine is not None:
        rows = rows.filter(own if mine else ~own)
    if RoleInClub.FEDERATION not in asker.roles.get(None, frozenset()):
        rows = rows.filter(own | Q(is_public=True))
    return clubs_named(rows, search) if search else rows


def clubs_named(rows: QuerySet[Club], search: str) -> QuerySet[Club]:
    """Return the clubs whose name contains a text, without its case and accents. One query."""
    wanted = fold_text(search)
    names = rows.order_by().values_list("pk", "name")
    return rows.filter(pk__in=[pk for pk, name in names if wanted in fold_text(name)])


def players(
    club: Club, *, search: str = "", kind: str = "", left: bool | None = None
) -> QuerySet[Player]:
    """The players of a club with their names, without those who turned out to be somebody else."""
    rows = Player.objects.filter(club=club, merged_into=None).select_related("person")
    if search:
        rows = rows.filter(person__sought__contains=fold_text(search))
    if kind:
        rows = rows.filter(kind=kind)
    return rows if left is None else rows.filter(left_at__isnull=not left)


def people_named(club: UUID, names: Iterable[str]) -> list[Person]:
    """The people of a club with these names, by their numbers (DEC-18). One query."""
    keys = {name_key(name) for name in names}
    rows = Person.objects.filter(
        player__club=club,
        player__removed_at=None,
        sought__in={form for key in keys for form in fold_orders(key)},
    ).select_related("player")
    return [row for row in rows.order_by("player__number") if name_key(row.name) in keys]


def player(club: Club, player_id: UUID) -> Player | None:
    """A player with their name; for a duplicate the player they turned out to be. One query."""
    row = (
        Player.objects.filter(club=club, pk=player_id)
        .select_related("person", "merged_into__person")
        .first()
    )
    return row and (row.merged_into or row)


def roles(club: Club) -> QuerySet[Role]:
    """Return the roles in a club."""
    return Role.objects.filter(club=club).select_related("account")


def is_own_role(role_id: UUID, asker: Asker) -> bool:
    """Whether a role is that of the asker themselves."""
    return (
        asker.actor.id is not None
        and Role.objects.filter(pk=role_id, account__pk=asker.actor.id).exists()
    )


def api_keys(club: Club) -> QuerySet[ApiKey]:
    """The keys of a club's programs, revoked ones too."""
    return ApiKey.objects.filter(club=club)


def rule_sets(club: Club, *, name: str = "", retired: bool | None = None) -> QuerySet[RuleSet]:
    """A club's house rules, every version."""
    rows = RuleSet.objects.filter(club=club)
    if name:
        rows = rows.filter(name=name)
    return rows if retired is None else rows.filter(retired_at__isnull=not retired)


def rule_set(club: Club, rule_set_id: UUID) -> RuleSet | None:
    """One version of a club's house rules."""
    return RuleSet.objects.filter(club=club, pk=rule_set_id).first()


def audit_entries(club: Club, *, chain: UUID | None = None, what: str = "") -> QuerySet[AuditEntry]:
    """Return the entries about a club and its games."""
    rows = AuditEntry.objects.filter(club_id=club.pk)
    if chain is not None:
        rows = rows.filter(chain=chain)
    return rows.filter(what=what) if what else rows


def events(club: Club, *, status: str = "") -> QuerySet[Event]:
    """The events of a club."""
    rows = Event.objects.filter(club=club).select_related("club", "rule_set")
    return rows.filter(status=status) if status else rows


def event(event_id: UUID) -> Event | None:
    """An event with its club and house rules."""
    return Event.objects.select_related("club", "rule_set").filter(pk=event_id).first()


def entries(event: Event) -> QuerySet[Entry]:
    """Return the entries of an event, with names."""
    return Entry.objects.filter(event=event).select_related("player__person")


def recorded_results(event: Event) -> QuerySet[RecordedResult]:
    """Return the results on record of an event, with names, in the order of entry."""
    rows = RecordedResult.objects.filter(entry__event=event)
    return rows.select_related("entry__player__person").order_by("entry__number")


def adjustments(event: Event) -> QuerySet[Adjustment]:
    """Penalties and bonuses of an event."""
    return Adjustment.objects.filter(entry__event=event)


def decisions(event: Event) -> QuerySet[SeatDecision]:
    """Forfeits and given scores of an event, with round, table and name; cancelled ones too."""
    rows = SeatDecision.objects.filter(game__event=event)
    return rows.select_related("game__table__round", "entry__player__person")


def rounds(event: Event, *, named: bool = True) -> QuerySet[Round]:
    """The rounds of an event in order, with tables, seats, games and sit-outs. Five queries.

    Unless ``named`` of who sits there only the entry is read.
    """
    who = "entry__player__person" if named else "entry"
    seats = TableSeat.objects.select_related(who).order_by("seat")
    tables = Table.objects.order_by("number").prefetch_related(Prefetch("seats", seats), "games")
    outs = SitOut.objects.select_related(who).order_by("entry__number")
    rounds = Round.objects.filter(event=event).select_related("event").order_by("number")
    return rounds.prefetch_related(Prefetch("tables", tables), Prefetch("sit_outs", outs))


def boards_played(event: Event) -> dict[int, int]:
    """By board, how many tables have a result with it. One query."""
    rows = Result.objects.filter(game__event=event, board__isnull=False)
    counted = rows.values_list("board").annotate(tables=Count("game", distinct=True))
    return dict(counted)


def boards_over(event: Event) -> set[int]:
    """The boards of rounds that are closed: nobody plays them any more. One query.

    Those of a table that is to be finished another day may still be played.
    """
    still_played = TableGame.objects.filter(
        table=OuterRef("pk"), table__adjourned_at__isnull=False, phase__in=UNFINISHED
    )
    tables = Table.objects.filter(round__event=event).annotate(goes_on=Exists(still_played))
    closed: set[int] = set()
    others: set[int] = set()
    for stage, goes_on, boards in tables.values_list("round__stage", "goes_on", "boards"):
        is_over = stage == Stage.CLOSED and not goes_on
        (closed if is_over else others).update(boards)
    return closed - others


def shown_name(row: Player, *, in_full: bool) -> str:
    """The name of a player whose person was read with them; for strangers what they let them see.

    An erased person's player is "Former member 7".
    """
    person: Person | None = getattr(row, "person", None)
    if person is None:
        return former_name(row.number)
    return player_name(row.number, person.name, person.shown, in_full=in_full)


def player_name(number: int, name: str | None, shown: str | None, *, in_full: bool) -> str:
    """The name of the player with this number; None for the name and the choice of who is erased.

    >>> player_name(7, "Ann Example", "short", in_full=False)
    'Ann E.'
    """
    if name is None or shown is None:
        return former_name(number)
    if not in_full and shown == Shown.HIDDEN:
        return f"Player {number}"
    return name if in_full else name_for(name, shown)


def former_name(number: int) -> str:
    """Return the name of a player whose person was erased."""
    return f"{FORMER}{number}"


def name_for(name: str, shown: str) -> str:
    """A name as strangers see it who may see it at all: in full, or a first name and an initial."""
    return name if shown == Shown.FULL else short_name(name)


def hide_names(club: Club, text: str) -> str:
    """Return people's words, with every member's name in them as strangers see it (DEC-7).

    As for erasing (docs/adr/0008) names are found as they are in the list of members, and the
    surname alone; a nickname is not. One query, none without a text.

    >>> hide_names(Club(), "")
    ''
    """
    if not text:
        return text
    folded = text.casefold()
    people = Player.objects.filter(club=club, person__isnull=False).order_by("number", "pk")
    seen: dict[str, str] = {}
    for number, name, shown in people.values_list("number", "person__name", "person__shown"):
        is_hidden = shown == Shown.HIDDEN
        public = f"Player {number}" if is_hidden else name_for(name, shown)
        if public == name:
            continue
        first, *others = name.replace(",", " ").split() or [""]
        last = others[-1] if others else first
        seen |= {name: public, f"{last}, {first}": public}
        if is_hidden:
            seen.setdefault(first, public)
        if len(last) >= _SURNAME_LEAST and last != first:
            seen.setdefault(last, public if is_hidden else f"{last[0]}.")
    found = [form for form in seen if form and form.casefold() in folded]
    if not found:
        return text
    forms = "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{forms})(?!\w)", lambda match: seen[match[0]], text)


def is_hidden(row: Player) -> bool:
    """Whether somebody, whose person was read with them, is no more than a number to strangers."""
    person: Person | None = getattr(row, "person", None)
    return person is not None and person.shown == Shown.HIDDEN


def short_name(name: str) -> str:
    """A first name and an initial, without a title.

    >>> short_name("Nora Jane Adams"), short_name("Adams, Nora"), short_name("Nora")
    ('Nora A.', 'Nora A.', 'Nora')
    >>> short_name("Dr. Nora Adams"), short_name("N. Adams")
    ('Nora A.', 'N. A.')
    """
    last, comma, first = name.partition(",")
    words = f"{first} {last}".split() if comma else name.split()
    while len(words) > 2 and len(words[0]) > 2 and words[0].endswith("."):
        del words[0]  # a title
    return words[0] if len(words) == 1 else f"{words[0]} {words[-1][0]}."


def spoken_name(name: str) -> str:
    """Return a name as a sentence has it, first name first; lists keep the form for sorting.

    >>> spoken_name("Adams, Nora"), spoken_name("Adams, Nora (7)"), spoken_name("Nora Adams")
    ('Nora Adams', 'Nora Adams (7)', 'Nora Adams')
    """
    last, comma, first = name.partition(", ")
    if not comma or "," in first:
        return name
    first, *number = first.split(" (", 1)
    return " (".join([f"{first} {last}", *number])


def spoken_names(names: Mapping[K, str]) -> dict[K, str]:
    """Return names by key as a sentence has them."""
    return {key: spoken_name(name) for key, name in names.items()}


def first_name(name: str) -> str:
    """Return what somebody is called to their face.

    >>> first_name("Nora Jane Adams"), first_name("Adams, Nora")
    ('Nora', 'Nora')
    """
    return short_name(name).split()[0]


@dataclass(frozen=True, slots=True)
class BackupLine:
    """The last backup, or the last rehearsal of a restore; None where there was none."""

    kind: BackupKind
    last: BackupReport | None
    is_missed: bool


def describe_backups(at: datetime) -> list[BackupLine]:
    """A line for each kind of report. One query."""
    found = {row.kind: row for row in BackupReport.objects.all()}
    return [
        BackupLine(kind, row, is_missed=row is not None and row.is_missed(at))
        for kind, row in ((kind, found.get(kind)) for kind in BackupKind)
    ]
