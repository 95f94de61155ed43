"""Entry fees at the desk: a list to tick and to print."""

from typing import Any

from scoring.games import fees
from tournaments.access.rights import Right
from tournaments.core.ids import parse_id
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.web.desk.base import ActionMixin, DeskPage, EventMixin
from tournaments.web.number_format import money


def mark_fee(page: EventMixin) -> str:
    """Tick a fee as paid, or take the tick back; a button says a word, a colon, an entry."""
    word, _colon, number = page.request.POST.get("fee", "").partition(":")
    fees.mark_fee(
        event_id=page.event.pk,
        entry_id=parse_id(number),
        paid=word == "paid",
        by=page.by,
        at=page.at,
    )
    return ""


class Fees(ActionMixin, EventMixin, DeskPage):
    """Entry fees of a night, owed and paid."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/fees.html"

    def act(self) -> str:
        return mark_fee(self)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        shared, currency = shared_names(self.club), self.club.currency
        lines = fees.list_fees(self.event)
        context = {
            "currency": currency,
            "lines": [
                (line, distinct_name(line.entry.player, shared), money(line.due, currency))
                for line in lines
            ],
            "due": money(sum(line.due for line in lines), currency),
            "paid": money(sum(line.paid for line in lines), currency),
        }
        return super().get_context_data(**{**context, **kwargs})
