"""QR codes of tables, shown on a screen instead of paper."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from scoring.games.handouts import pages_for_phones, reaches_phones, tables_to_scan
from tournaments import selectors
from tournaments.access.rights import Place, Right
from tournaments.models import Stage
from tournaments.printing.codes import squares
from tournaments.printing.seats import PrintedSitter
from tournaments.web.desk.base import DeskPage
from tournaments.web.desk.sessions import event_of, event_place


@dataclass(frozen=True, slots=True)
class TableCode:
    """A table with its code: the side in squares, the path of the dark ones, and in letters."""

    number: int
    sitters: Sequence[PrintedSitter]
    side: int
    path: str
    address: str


class Codes(DeskPage):
    """The codes of all tables of the round that is played."""

    needs = Right.LINKS_EDIT
    template = "desk/codes.html"

    def find(self, ids: Mapping[str, Any]) -> Place:
        return event_place(ids)

    def get(self, request: HttpRequest, event_id: UUID) -> HttpResponse:
        """One code a table, as big as the screen allows."""
        event = event_of(self.visit)
        pages = pages_for_phones(request.build_absolute_uri("/t/"), settings.ALLOWED_HOSTS)
        playing = next((r for r in selectors.rounds(event) if r.stage == Stage.PLAYING), None)
        tables = tables_to_scan(event, playing.number, pages, self.visit.at) if playing else []
        return self.shown(
            {
                "event": event,
                "playing": playing,
                "codes": [
                    TableCode(table.number, table.sitters, *squares(table.url), table.url)
                    for table in tables
                ],
                "is_reached": reaches_phones(pages),
            }
        )
