"""The trail: what was done in a club, by whom, why, and whether the record of it is whole."""

from typing import Final
from uuid import UUID

from django.http import HttpRequest, HttpResponse

from engine.messages import Message
from scoring.web.desk.audit_fields import TrailEntry
from scoring.web.desk.audit_references import AuditReferences, uuid_of
from tournaments import audit, selectors
from tournaments.access.rights import Right
from tournaments.core.language import translate
from tournaments.web.desk.base import DeskPage
from tournaments.web.desk.forms import plain
from tournaments.web.number_format import parse_number

PAGE: Final = 100


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
        references = AuditReferences(found[:PAGE], self.visit)
        kinds = selectors.audit_entries(club).order_by("what").values_list("what", flat=True)
        context = {
            "rows": [
                TrailEntry(row, details, references)
                for row, details in zip(found, references.details, strict=False)
            ],
            "more": start + PAGE if len(found) > PAGE else None,
            "kinds": [(one, translate(Message(one))) for one in kinds.distinct()],
            "what": what,
            "chain": chain,
            "broken": [one.number for one in audit.broken(chain)] if chain and found else None,
        }
        return self.shown(context)
