"""The audit trail page: what was done, by whom and why, and whether the chain is intact."""

from typing import Any, Final

from scoring.web.desk.audit_fields import TrailEntry
from scoring.web.desk.audit_references import AuditReferences, uuid_of
from tournaments import audit, selectors
from tournaments.access.rights import Right
from tournaments.web.desk.base import DeskPage
from tournaments.web.desk.forms import clean_line
from tournaments.web.number_format import parse_number

PAGE: Final = 60


class Trail(DeskPage):
    """The newest entries first; with ``chain`` only that trail, and whether it is whole."""

    needs = Right.AUDIT_READ
    template_name = "desk/trail.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        club, asked = self.club, self.request.GET
        chain, what = uuid_of(asked.get("chain")), clean_line(asked.get("what"), 40)
        rows = selectors.audit_entries(club, chain=chain, what=what).order_by("-at", "-pk")
        start = parse_number(asked.get("from"))
        found = list(rows[start : start + PAGE + 1])
        references = AuditReferences(found[:PAGE], self.club, self.rights)
        kinds = selectors.audit_entries(club).order_by("what").values_list("what", flat=True)
        return super().get_context_data(
            rows=[
                TrailEntry(row, details, references)
                for row, details in zip(found, references.details, strict=False)
            ],
            more=start + PAGE if len(found) > PAGE else None,
            kinds=[(kind, audit.describe_action(kind)) for kind in kinds.distinct()],
            what=what,
            chain=chain,
            broken=[row.number for row in audit.find_broken_entries(chain)]
            if chain and found
            else None,
            **kwargs,
        )
