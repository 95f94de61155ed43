"""The trail of what was done: every chain unbroken and as long as it was (reliability.md I18)."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import groupby
from operator import attrgetter, or_
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db.models import OuterRef, Q, QuerySet, Subquery

from scoring.hands.rulings import APPEAL
from scoring.models import Appeal, Decided, Game
from scoring.models.ruling import RULING
from scoring.transfer.verifying.difference import Discrepancy
from tournaments.audit import ERASED, FIRST_DIGEST, WHY_MAX, find_broken_entries, is_whole
from tournaments.models import AuditEntry, Event, League, Person, Trail
from tournaments.models.limits import max_length

_AT_ONCE: Final = 200
_NAME_MAX: Final = max_length(Person, "name")
_REWRITTEN: Final = "other entries: it was rewritten"


class Fault(NamedTuple):
    """A break in a trail: ``where`` in it, what is kept there, and what should be."""

    where: str
    kept: str
    right: str


def of_games(games: Sequence[Game]) -> Iterator[Discrepancy]:
    """Yield breaks in the trails of some games, or differences from them. Four queries."""
    by_id = {game.pk: game for game in games}
    rulings = {str(one.pk): one for one in Decided.objects.filter(hand__game__in=list(by_id))}
    appeals = {
        (str(ruling), step): text
        for ruling, step, text in Appeal.objects.filter(
            ruling__hand__game__in=list(by_id)
        ).values_list("ruling", "step", "text")
    }
    entries = AuditEntry.objects.filter(chain__in=list(by_id)).order_by("chain", "number")
    for chain, links in groupby(entries.iterator(), attrgetter("chain")):
        before, number = FIRST_DIGEST, 0
        for entry in links:
            follows = (entry.before, entry.number) == (before, number + 1)
            if not follows or not is_whole(entry):
                yield _of_game(by_id[chain], _broken(entry))
            elif entry.what == RULING.template:
                yield from _compare_ruling(by_id[chain], entry, rulings)
            elif entry.what == APPEAL.template:
                yield from _compare_appeal(by_id[chain], entry, appeals)
            before, number = entry.digest, entry.number
    trails = _with_last_entries(Trail.objects.filter(chain__in=list(by_id)))
    found = {trail.chain: trail for trail in trails}
    for chain, game in by_id.items():
        trail = found.get(chain)
        for one in _compare_end(trail):
            yield _of_game(game, one)


def _compare_ruling(
    game: Game, entry: AuditEntry, rulings: Mapping[str, Decided]
) -> Iterator[Discrepancy]:
    """Whether a ruling is still as it was made.

    Rulings that came with an archive have no number in the trail; entries from before 0.3.0 hold
    the facts alone.
    """
    details = json.loads(entry.details)
    number = details.get("ruling")
    if number is None:
        return
    where = f"table {Decided._meta.db_table}, row {number}"
    ruling = rulings.get(number)
    if ruling is None:
        yield _changed(game, entry, where, "deleted")
        return
    has_digest = "digest" in details
    words = ruling.reason() if has_digest else ruling.facts
    if not _says(entry, words):
        yield _changed(game, entry, f"{where}, fields facts and law")
    text = (details.get("decision") or {}).get("text", "")  # of entries from before 0.3.0
    is_known = has_digest and not (text and entry.why_salt == ERASED)
    if is_known and ruling.digest(text=text) != details["digest"]:
        yield _changed(game, entry, where)


def _compare_appeal(
    game: Game, entry: AuditEntry, appeals: Mapping[tuple[str, str], str]
) -> Iterator[Discrepancy]:
    """Whether a step of an appeal still has the words that were said."""
    details = json.loads(entry.details)
    text = appeals.get((details["ruling"], details["step"]))
    if text is None or not _says(entry, text):
        where = f"table {Appeal._meta.db_table}, {details['step']} of ruling {details['ruling']}"
        yield _changed(game, entry, where, "changed" if text is not None else "deleted")


def _says(entry: AuditEntry, words: str) -> bool:
    """Whether an entry has these words; unknown where a name was erased from it.

    A longer text is cut in the trail, and with it perhaps a name that was erased in the text alone.
    """
    most = WHY_MAX if len(words) <= WHY_MAX else WHY_MAX - _NAME_MAX
    return entry.why_salt == ERASED or words[:most] == entry.why[:most]


def _changed(game: Game, entry: AuditEntry, what: str, kept: str = "changed") -> Discrepancy:
    right = f"as in entry {entry.number} of the trail"
    return Discrepancy(club=game.club_id, game=game.pk, what=what, kept=kept, right=right)


def of_club(club: UUID | None) -> Iterator[Discrepancy]:
    """Yield what is broken in the trails of a club that belong to no game; None: of no club."""
    games = Game.all_objects.filter(club=club).values("pk")
    trails = {
        trail.chain: trail
        for trail in _with_last_entries(Trail.objects.filter(club_id=club)).exclude(chain__in=games)
    }
    entries = AuditEntry.objects.filter(club_id=club).exclude(chain__in=games)
    chains = set(entries.order_by().values_list("chain", flat=True).distinct())
    names = _names_of_nights(club)
    for chain in sorted(names.keys() | trails.keys() | chains):
        about = "the club" if chain == club else names.get(chain, f"{chain}")
        faults = map(_broken, find_broken_entries(chain))
        for fault in (*faults, *_compare_end(trails.get(chain))):
            what = f"trail of {about}{fault.where}"
            yield Discrepancy(club=club, what=what, kept=fault.kept, right=fault.right)


def compare_with_earlier(
    club: UUID, earlier: Mapping[UUID, tuple[int, str]]
) -> Iterator[Discrepancy]:
    """The trails of a club that do not go on from where they ended earlier.

    ``earlier`` has the length and the last digest of each trail. Whether the entries that came
    since follow from each other, `of_games` and `of_club` tell.
    """
    events = _names_of_nights(club)
    games = dict(Game.all_objects.filter(club=club).values_list("pk", "name"))
    chains = list(earlier)
    for start in range(0, len(chains), _AT_ONCE):
        some = chains[start : start + _AT_ONCE]
        ends = reduce(or_, (Q(chain=chain, number=earlier[chain][0]) for chain in some))
        digests = dict(AuditEntry.objects.filter(ends).values_list("chain", "digest"))
        for chain in some:
            length, digest = earlier[chain]
            if digests.get(chain) == digest:
                continue
            about = "the club" if chain == club else events.get(chain, str(chain))
            yield Discrepancy(
                club=club,
                game=chain if chain in games else None,
                what=f'trail of "{games[chain]}"' if chain in games else f"trail of {about}",
                kept=_REWRITTEN if chain in digests else _describe_loss(chain),
                right=f"{length} entries as in the file",
            )


def _describe_loss(chain: UUID) -> str:
    count = AuditEntry.objects.filter(chain=chain).count()
    return f"{count} entries: it was cut" if count else "no entry: it was deleted"


def _names_of_nights(club: UUID | None) -> dict[UUID, str]:
    """The events and leagues of a club, each with its kind, its name and its identifier."""
    return {
        pk: f'{kind} "{name}" ({pk})'
        for kind, rows in (
            ("event", Event.objects.filter(club=club)),
            ("league", League.objects.filter(club=club)),
        )
        for pk, name in rows.values_list("pk", "name")
    }


def _with_last_entries(trails: QuerySet[Trail]) -> QuerySet[Any]:
    """Trails, and of each the number and digest of its last entry, seen at the same moment."""
    last = AuditEntry.objects.filter(chain=OuterRef("chain")).order_by("-number")
    return trails.annotate(
        last_number=Subquery(last.values("number")[:1]),
        last_digest=Subquery(last.values("digest")[:1]),
    )


def _compare_end(trail: Any) -> Iterator[Fault]:
    """Whether a trail from `_with_last_entries` ends as was written down with its last entry."""
    if trail is None:
        yield Fault("", "no length of it", "one that was written down with its last entry")
    elif trail.last_number is None:
        yield Fault("", "no entry: it was deleted", f"{trail.length} entries")
    elif trail.last_number < trail.length:
        kept = f"{trail.last_number} entries: it was cut"
        yield Fault("", kept, f"{trail.length} entries")
    elif trail.last_number > trail.length:
        kept = f"{trail.last_number} entries: some were added from outside"
        yield Fault("", kept, f"{trail.length} entries")
    elif trail.last_digest != trail.digest:
        yield Fault(f", entry {trail.length}, the last", "rewritten", "as it was written")


def _broken(entry: AuditEntry) -> Fault:
    where = f", entry {entry.number} ({entry.what})"
    return Fault(where, "changed, or out of its place", "as it was written")


def _of_game(game: Game, fault: Fault) -> Discrepancy:
    return Discrepancy(
        club=game.club_id,
        game=game.pk,
        what=f'trail of "{game.name}"{fault.where}',
        kept=fault.kept,
        right=fault.right,
    )
