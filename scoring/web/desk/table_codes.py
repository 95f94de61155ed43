"""QR codes of tables, shown on a screen instead of paper."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from scoring.handouts.seating import pages_for_phones, reaches_phones, tables_to_scan
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.models import Stage
from tournaments.printing.seats import PrintedSitter
from tournaments.tables.codes import squares
from tournaments.web.desk.base import DeskPage, EventMixin


@dataclass(frozen=True, slots=True)
class TableCode:
    """A table with its code: the side in squares, the path of the dark ones, and in letters."""

    number: int
    sitters: Sequence[PrintedSitter]
    side: int
    path: str
    address: str


class Codes(EventMixin, DeskPage):
    """The codes of all tables of the round that is played, as big as the screen allows."""

    needs = Right.LINKS_EDIT
    template_name = "desk/codes.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        pages = pages_for_phones(self.request.build_absolute_uri("/t/"), settings.ALLOWED_HOSTS)
        rows = selectors.rounds(self.event)
        playing = next((row for row in rows if row.stage == Stage.PLAYING), None)
        tables = tables_to_scan(self.event, playing.number, pages, self.at) if playing else []
        return super().get_context_data(
            playing=playing,
            codes=[
                TableCode(table.number, table.sitters, *squares(table.url), table.url)
                for table in tables
            ],
            is_reached=reaches_phones(pages),
            **kwargs,
        )
