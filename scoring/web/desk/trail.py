"""The trail: what was done in a club, by whom, why, and whether the record of it is whole."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scoring.models import Game, Hand
from scoring.web.desk.forms import plain
from scoring.web.desk.pages import DeskPage
from scoring.web.submission import whole
from tournaments import audit, queries
from tournaments.access import Right
from tournaments.interpreter import interpreted
from tournaments.models import Account, AuditEntry, Event

PAGE: Final = 100


@dataclass(frozen=True, slots=True)
class Done:
    """One thing that was done, in words; ``place`` is where it happened."""

    at: datetime
    what: str
    who: str
    source: str
    why: str
    place: str
    game: UUID | None
    event: UUID | None
    hand: str
    details: list[tuple[str, str]]
    number: int
    before: str
    digest: str


class Trail(DeskPage):
    """What was done, the newest first."""

    needs = Right.AUDIT_READ
    template = "desk/trail.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """A page of it; with ``chain`` only that, and whether it is whole."""
        club, asked = self.visit.club, request.GET
        chain = _chain(asked.get("chain"))
        what = plain(asked.get("what"), 40)
        rows = queries.audit_entries(club, chain=chain, what=what).order_by("-at", "-pk")
        start = whole(asked.get("from"))
        found = list(rows[start : start + PAGE + 1])
        kinds = queries.audit_entries(club).order_by("what").values_list("what", flat=True)
        is_ours = chain is not None and bool(found)
        context = {
            "rows": list(_told(found[:PAGE])),
            "more": start + PAGE if len(found) > PAGE else None,
            "kinds": [(one, interpreted(one)) for one in kinds.distinct()],
            "what": what,
            "chain": chain,
            "broken": [one.number for one in audit.broken(chain)] if chain and is_ours else None,
        }
        return self.shown(context)


def _chain(text: str | None) -> UUID | None:
    try:
        return UUID(text or "")
    except ValueError:
        return None


def _told(rows: Sequence[AuditEntry]) -> Iterator[Done]:
    chains = [row.chain for row in rows]
    games = dict(Game.objects.filter(pk__in=chains).values_list("pk", "name"))
    events = dict(Event.objects.filter(pk__in=chains).values_list("pk", "name"))
    hands = {
        str(pk) for pk in Hand.objects.filter(pk__in=_hands(rows)).values_list("pk", flat=True)
    }
    people = _people(rows)
    for row in rows:
        details = json.loads(row.details)
        hand = str(details.get("hand", ""))
        yield Done(
            at=row.at,
            what=interpreted(row.what),
            who=people.get(row.by, interpreted(row.by.partition(":")[0])),
            source=interpreted(row.source),
            why=interpreted(row.why),
            place=interpreted(games.get(row.chain, "")) or events.get(row.chain) or _("the club"),
            game=row.chain if row.chain in games else None,
            event=row.chain if row.chain in events else None,
            hand=hand if hand in hands else "",
            details=list(_plain(details)),
            number=row.number,
            before=row.before[:12],
            digest=row.digest[:12],
        )


def _hands(rows: Sequence[AuditEntry]) -> list[UUID]:
    found = (_chain(str(json.loads(row.details).get("hand", ""))) for row in rows)
    return [one for one in found if one is not None]


def _people(rows: Sequence[AuditEntry]) -> Mapping[str, str]:
    """The names of the accounts that did it, by their labels."""
    labels = {row.by for row in rows if row.by.startswith("person:")}
    numbers = [_chain(label.partition(":")[2]) for label in labels]
    accounts = Account.objects.filter(pk__in=[one for one in numbers if one is not None])
    return {f"person:{account.pk}": account.name for account in accounts}


def _plain(details: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for name, value in details.items():
        yield name, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
