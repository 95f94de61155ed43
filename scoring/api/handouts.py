"""The printed papers of events, leagues and games."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.http import StreamingHttpResponse

from scoring.api.places import GameViewSetBase
from scoring.handouts.hands import print_hands_of_game
from scoring.handouts.jackpot_certificate import print_jackpot_certificate
from scoring.handouts.league_table import print_league_table
from scoring.handouts.orders import HandoutKind, PrintOrder, print_handout
from scoring.handouts.properties import SheetOrder
from scoring.presentation.files import file_name
from tournaments.access.rights import Right
from tournaments.api.files import PDF_TYPE, FileOutput, download
from tournaments.api.serializers import ChoiceField, IntegerField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase, LeagueViewSetBase
from tournaments.core import time_zones
from tournaments.core.public_address import public_site
from tournaments.models.limits import TABLE_NUMBER_MAX
from tournaments.tables.press import PaperSize


class PaperSerializer(StrictSerializer):
    """On which paper something is printed."""

    paper = ChoiceField(
        required=False,
        choices=[str(size) for size in PaperSize],
        help_text="A4 unless said otherwise.",
    )


class HandoutSerializer(PaperSerializer):
    """What is printed, and on which paper."""

    kind = ChoiceField(
        choices=[str(kind) for kind in HandoutKind],
        help_text="Cards have codes that let phones enter hands.",
    )
    round = IntegerField(
        required=False,
        min_value=1,
        max_value=100,
        help_text="One round; else all that are drawn.",
    )
    table = IntegerField(
        required=False,
        min_value=1,
        max_value=TABLE_NUMBER_MAX,
        help_text="The table of score slips; else all tables.",
    )


class LeagueHandoutSerializer(PaperSerializer):
    """The paper of a season, and its size."""

    kind = ChoiceField(
        required=False,
        choices=["table", "jackpot"],
        help_text="The table unless said otherwise, or the certificate of the largest jackpot.",
    )


class HandoutViewSet(EventViewSetBase):
    """Paper for the night."""

    parameters = {"retrieve": HandoutSerializer}
    outputs = {"retrieve": FileOutput.of(PDF_TYPE)}
    rights = {"retrieve": Right.LINKS_EDIT}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> StreamingHttpResponse:
        """Print the result, the hands, lists, cards or score slips of an event, as PDF."""
        wanted = self.read_parameters()
        order = PrintOrder(
            kind=HandoutKind(wanted["kind"]),
            round=wanted.get("round"),
            table=wanted.get("table"),
            paper=_paper(wanted),
            site=public_site(request),
        )
        event = self.event
        day = time_zones.day(event.starts_at, event.club.time_zone)
        name = file_name(event, day, order.kind, "pdf")
        return _pdf(request, print_handout(event, order, request.at), name)


class LeagueHandoutViewSet(LeagueViewSetBase):
    """Paper for a season."""

    parameters = {"retrieve": LeagueHandoutSerializer}
    outputs = {"retrieve": FileOutput.of(PDF_TYPE)}
    rights = {"retrieve": Right.LINKS_EDIT}

    def retrieve(self, request: ApiRequest, league_id: UUID) -> StreamingHttpResponse:
        """Print the table of a season, or the certificate of its largest jackpot, as PDF."""
        league, wanted = self.league, self.read_parameters()
        order = SheetOrder(at=request.at, paper=_paper(wanted), site=public_site(request))
        day = time_zones.day(request.at, league.club.time_zone)
        if wanted.get("kind") == "jackpot":
            name = file_name(league, day, "jackpot-certificate", "pdf")
            return _pdf(request, print_jackpot_certificate(league, order), name)
        name = file_name(league, day, "league-table", "pdf")
        return _pdf(request, print_league_table(league, order), name)


class GameHandoutViewSet(GameViewSetBase):
    """Paper about one game."""

    parameters = {"retrieve": PaperSerializer}
    outputs = {"retrieve": FileOutput.of(PDF_TYPE)}
    rights = {"retrieve": Right.LINKS_EDIT}

    def retrieve(self, request: ApiRequest, game_id: UUID) -> StreamingHttpResponse:
        """Print the hands of a game as diagrams, as PDF."""
        game = self.game
        order = SheetOrder(
            at=request.at, paper=_paper(self.read_parameters()), site=public_site(request)
        )
        day = time_zones.day(game.opened_at, game.club.time_zone)
        name = file_name(game.table.round.event if game.table else game.club, day, "hands", "pdf")
        return _pdf(request, print_hands_of_game(game, order), name)


def _paper(wanted: Mapping[str, Any]) -> PaperSize:
    return PaperSize(wanted.get("paper", PaperSize.A4))


def _pdf(request: ApiRequest, pages: bytes, name: str) -> StreamingHttpResponse:
    return download(request.django_request, [pages], name, PDF_TYPE)
