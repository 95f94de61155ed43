"""The printed papers of an event."""

from uuid import UUID

from django.conf import settings
from django.http import StreamingHttpResponse

from scoring.handouts.orders import HandoutKind, PrintOrder, print_handout
from scoring.handouts.seating import pages_for_phones
from tournaments.access.rights import Right
from tournaments.api.jobs import download
from tournaments.api.serializers import ChoiceField, IntegerField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.tables.press import PaperSize


class HandoutSerializer(StrictSerializer):
    """What is printed, and on which paper."""

    kind = ChoiceField(
        choices=[str(kind) for kind in HandoutKind],
        help_text="A result is hung up; cards have codes that let phones enter hands.",
    )
    round = IntegerField(
        required=False,
        min_value=1,
        max_value=100,
        help_text="One round; else all that are drawn.",
    )
    paper = ChoiceField(
        required=False,
        choices=[str(size) for size in PaperSize],
        help_text="A4 unless said otherwise.",
    )


class HandoutViewSet(EventViewSetBase):
    """Paper for the night."""

    parameters = {"retrieve": HandoutSerializer}
    outputs = {"retrieve": bytes}
    rights = {"retrieve": Right.LINKS_EDIT}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> StreamingHttpResponse:
        """Print the result, seating lists, movement cards, score slips or table cards, as PDF."""
        wanted = self.read_parameters()
        site = pages_for_phones(request.build_absolute_uri("/"), settings.ALLOWED_HOSTS)
        order = PrintOrder(
            kind=HandoutKind(wanted["kind"]),
            round=wanted.get("round"),
            paper=PaperSize(wanted.get("paper", PaperSize.A4)),
            site=site.rstrip("/"),
        )
        pdf = print_handout(self.event, order, request.at)
        return download(iter([pdf]), f"{order.kind}.pdf", "application/pdf")
