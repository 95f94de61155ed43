"""Entry fees at the desk: a list to tick and to print."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from scoring.games import fees
from tournaments.access.rights import Place, Right
from tournaments.core.ids import parse_id
from tournaments.people.display_names import name_apart, shared_names
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.sessions import event_of, event_place
from tournaments.web.number_format import money


class Fees(DeskPage):
    """Who owes the entry fee of a night, and who has paid it."""

    needs = Right.EVENTS_EDIT
    template = "desk/fees.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return event_place(ids)

    def get(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Everybody who is checked in, with what is owed and what was paid."""
        return self._shown()

    def post(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """Tick a fee as paid, or take the tick back; ``fee`` is a button's: a word, an entry."""
        word, _colon, number = request.POST.get("fee", "").partition(":")
        entry_id = parse_id(number)

        def work() -> str:
            fees.mark_fee(
                event_id=event_id,
                entry_id=entry_id,
                paid=word == "paid",
                by=self.visit.by,
                at=self.visit.at,
            )
            return reverse("desk-fees", args=[event_id])

        return self.tried(work, otherwise=lambda problem: self._shown(problem, REFUSED))

    def _shown(self, problem: str = "", status: int = 200) -> HttpResponse:
        event = event_of(self.visit)
        shared, currency = shared_names(event.club), event.club.currency
        lines = fees.list_fees(event)
        context = {
            "event": event,
            "problem": problem,
            "currency": currency,
            "lines": [
                (line, name_apart(line.entry.player, shared), money(line.due, currency))
                for line in lines
            ],
            "due": money(sum(line.due for line in lines), currency),
            "paid": money(sum(line.paid for line in lines), currency),
        }
        return self.shown(context, status)
