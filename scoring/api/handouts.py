"""What is printed for an event."""

from uuid import UUID

from django.conf import settings

from scoring.games.handouts import HandoutKind, PrintOrder, pages_for_phones, print_handout
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read
from tournaments.api.fields import OneOf, Whole, form
from tournaments.api.jobs import download
from tournaments.api.places import EventDoor, event_of
from tournaments.tables.press import PaperSize

WANTED = form(
    kind=OneOf(
        of=tuple(map(str, HandoutKind)), words="Cards have codes that let phones enter hands."
    ),
    round=Whole(required=False, least=1, most=100, words="One round; else all that are drawn."),
    paper=OneOf(required=False, of=tuple(map(str, PaperSize)), words="A4 unless said otherwise."),
)


class Handouts(EventDoor):
    """Paper for the night."""

    @read(Right.LINKS_EDIT, gives=bytes, query=WANTED)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """Print seating lists, movement cards, score slips or table cards, as PDF."""
        kind = HandoutKind(ask.query["kind"])
        order = PrintOrder(
            kind=kind,
            round=ask.query.get("round"),
            paper=PaperSize(ask.query.get("paper", PaperSize.A4)),
            pages=pages_for_phones(ask.request.build_absolute_uri("/t/"), settings.ALLOWED_HOSTS),
        )
        pdf = print_handout(event_of(ask), order, ask.at)
        return Answer(file=download(iter([pdf]), f"{kind}.pdf", "application/pdf"))
