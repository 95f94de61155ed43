"""The trail: what was done in a club, by whom, why, and whether the record of it is whole."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from engine.messages import Message
from scoring.web.desk.audit_details import AuditDetail, details_of
from scoring.web.desk.audit_names import Words, names_in, uuid_of
from tournaments import audit, selectors
from tournaments.access.rights import Right
from tournaments.core.actors import ActorKind, Source
from tournaments.core.language import translate
from tournaments.models import Account, AuditEntry
from tournaments.web.desk.base import DeskPage
from tournaments.web.desk.forms import plain
from tournaments.web.number_format import parse_number

PAGE: Final = 100
_ACTORS: Final = {
    ActorKind.PERSON: Message("person"),
    ActorKind.KEY: Message("key"),
    ActorKind.LINK: Message("link"),
    ActorKind.SYSTEM: Message("system"),
}
_SOURCES: Final = {
    Source.PAGE: Message("page"),
    Source.API: Message("API"),
    Source.TABLE: Message("table link"),
    Source.IMPORT: Message("import"),
    Source.COMMAND: Message("command"),
}


@dataclass(frozen=True, slots=True)
class Done:
    """One thing that was done, in words; ``place`` is where it happened."""

    at: datetime
    what: str
    who: str
    source: str
    why: str
    place: Words
    hand: Words | None
    details: list[AuditDetail]
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
        chain = uuid_of(asked.get("chain"))
        what = plain(asked.get("what"), 40)
        rows = selectors.audit_entries(club, chain=chain, what=what).order_by("-at", "-pk")
        start = parse_number(asked.get("from"))
        found = list(rows[start : start + PAGE + 1])
        kinds = selectors.audit_entries(club).order_by("what").values_list("what", flat=True)
        is_ours = chain is not None and bool(found)
        context = {
            "rows": list(self.told(found[:PAGE])),
            "more": start + PAGE if len(found) > PAGE else None,
            "kinds": [(one, translate(Message(one))) for one in kinds.distinct()],
            "what": what,
            "chain": chain,
            "broken": [one.number for one in audit.broken(chain)] if chain and is_ours else None,
        }
        return self.shown(context)

    def told(self, rows: Sequence[AuditEntry]) -> Iterator[Done]:
        """Entries in words, as far as this reader may know the names in them."""
        told = [json.loads(row.details) for row in rows]
        names = names_in(rows, told, self.visit.club, self.visit.rights)
        people = _people(rows)
        for row, details in zip(rows, told, strict=True):
            yield Done(
                at=row.at,
                what=translate(Message(row.what)),
                who=people.get(row.by) or translate(_ACTORS[ActorKind(row.by.partition(":")[0])]),
                source=translate(_SOURCES[Source(row.source)]),
                # The service says why itself; whatever a person wrote stays as it is.
                why=translate(Message(row.why)) if row.by == ActorKind.SYSTEM else row.why,
                place=names.known.get(str(row.chain)) or Words(_("the club")),
                hand=names.known.get(str(details.get("hand"))),
                details=list(details_of(row, details, names)),
                number=row.number,
                before=row.before[:12],
                digest=row.digest[:12],
            )


def _people(rows: Sequence[AuditEntry]) -> Mapping[str, str]:
    """The names of the accounts that did it, by their labels."""
    labels = {row.by for row in rows if row.by.startswith("person:")}
    numbers = [uuid_of(label.partition(":")[2]) for label in labels]
    accounts = Account.objects.filter(pk__in=[one for one in numbers if one is not None])
    return {f"person:{account.pk}": account.name for account in accounts}
