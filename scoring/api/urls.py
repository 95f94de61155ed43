"""The addresses of the API."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from scoring.api.boards import BoardDecisionViewSet, TravellerViewSet
from scoring.api.corrections import CorrectionViewSet, HandVersionViewSet
from scoring.api.disputes import DisputeViewSet
from scoring.api.drafts import DraftViewSet
from scoring.api.exports import (
    ExportViewSet,
    FileSignatureViewSet,
    SignatureViewSet,
    StandingsFileViewSet,
)
from scoring.api.fees import FeeViewSet, PrizeViewSet
from scoring.api.games import ClubGameViewSet, GameEndViewSet, GameTransferViewSet, GameViewSet
from scoring.api.handouts import GameHandoutViewSet, HandoutViewSet, LeagueHandoutViewSet
from scoring.api.hands import ClubHandViewSet, GameHandViewSet, HandViewSet
from scoring.api.imports import ImportViewSet
from scoring.api.limits import LimitsViewSet
from scoring.api.links import DoorViewSet, LinkViewSet
from scoring.api.money import MoneyViewSet
from scoring.api.nights import (
    EventEndViewSet,
    EventGameViewSet,
    RoundPlayViewSet,
    TableAdjournmentViewSet,
    TableSeatsViewSet,
)
from scoring.api.papers import PaperViewSet
from scoring.api.rulings import (
    HandRulingViewSet,
    IrregularityViewSet,
    ProposalViewSet,
    RulingViewSet,
)
from scoring.api.slips import SlipViewSet
from scoring.api.views import CheckViewSet, problems
from scoring.api.webhooks import (
    ClubWebhookViewSet,
    DeliveryViewSet,
    WebhookDeliveryViewSet,
    WebhookViewSet,
)

CLUB = "v1/clubs/<uuid:club_id>"
EVENT = "v1/events/<uuid:event_id>"
GAME = "v1/games/<uuid:game_id>"
HAND = "v1/hands/<uuid:hand_id>"

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
# First of all what phones ask for.
router.register(f"{GAME}/hands", GameHandViewSet, basename="api-game-hand")
router.register(f"{GAME}/drafts", DraftViewSet, basename="api-draft")
router.register(f"{GAME}/papers", PaperViewSet, basename="api-paper")
router.register(f"{GAME}/links", LinkViewSet, basename="api-link")
router.register(f"{GAME}/books", GameTransferViewSet, basename="api-game-transfer")
router.register("v1/games", GameViewSet, basename="api-game")
router.register("v1/games", GameEndViewSet, basename="api-game-end")
router.register("v1/hands", HandViewSet, basename="api-hand")
router.register("v1/hands", DisputeViewSet, basename="api-dispute")
router.register("v1/hands", CorrectionViewSet, basename="api-correction")
router.register("v1/hands", ProposalViewSet, basename="api-proposal")
router.register("v1/hands", BoardDecisionViewSet, basename="api-hand-board")
router.register(f"{HAND}/versions", HandVersionViewSet, basename="api-hand-version")
router.register(f"{HAND}/rulings", HandRulingViewSet, basename="api-hand-ruling")
router.register("v1/rulings", RulingViewSet, basename="api-ruling")
router.register("v1/irregularities", IrregularityViewSet, basename="api-irregularity")
router.register(f"{CLUB}/games", ClubGameViewSet, basename="api-club-game")
router.register(f"{CLUB}/hands", ClubHandViewSet, basename="api-club-hand")
router.register("v1/events", EventEndViewSet, basename="api-event")
router.register(f"{EVENT}/rounds", RoundPlayViewSet, basename="api-round")
router.register(f"{EVENT}/games", EventGameViewSet, basename="api-event-game")
router.register(f"{EVENT}/slips", SlipViewSet, basename="api-slip")
router.register(f"{EVENT}/boards", TravellerViewSet, basename="api-board")
router.register(f"{CLUB}/money", MoneyViewSet, basename="api-money")
router.register(f"{CLUB}/webhooks", ClubWebhookViewSet, basename="api-club-webhook")
router.register("v1/webhooks", WebhookViewSet, basename="api-webhook")
router.register(
    "v1/webhooks/<uuid:webhook_id>/deliveries",
    WebhookDeliveryViewSet,
    basename="api-webhook-delivery",
)
router.register("v1/deliveries", DeliveryViewSet, basename="api-delivery")

urlpatterns = [
    path("", include(router.urls)),
    path(f"{EVENT}/fees", FeeViewSet.as_view({"get": "retrieve"}), name="api-fees"),
    path(f"{EVENT}/prizes", PrizeViewSet.as_view({"post": "create"}), name="api-prizes"),
    path(
        f"{EVENT}/door",
        DoorViewSet.as_view({"get": "retrieve", "post": "create", "delete": "destroy"}),
        name="api-door",
    ),
    path(
        f"{EVENT}/entries/<uuid:entry_id>/fee",
        FeeViewSet.as_view({"put": "update"}),
        name="api-entry-fee",
    ),
    path(
        f"{EVENT}/tables/<uuid:table_id>/seats",
        TableSeatsViewSet.as_view({"put": "update"}),
        name="table-seats",
    ),
    path(
        f"{EVENT}/tables/<uuid:table_id>/adjournment",
        TableAdjournmentViewSet.as_view({"put": "update", "delete": "destroy"}),
        name="table-adjournment",
    ),
    path(
        f"{EVENT}/tables/<uuid:table_id>/end",
        TableAdjournmentViewSet.as_view({"post": "end"}),
        name="table-end",
    ),
    path(f"{EVENT}/handouts", HandoutViewSet.as_view({"get": "retrieve"}), name="handouts"),
    path(
        "v1/leagues/<uuid:league_id>/handouts",
        LeagueHandoutViewSet.as_view({"get": "retrieve"}),
        name="league-handouts",
    ),
    path(
        f"{GAME}/handouts",
        GameHandoutViewSet.as_view({"get": "retrieve"}),
        name="game-handouts",
    ),
    path(
        f"{CLUB}/exports",
        ExportViewSet.as_view({"get": "retrieve", "post": "create"}),
        name="exports",
    ),
    path(
        f"{CLUB}/standings-file",
        StandingsFileViewSet.as_view({"get": "retrieve"}),
        name="standings-file",
    ),
    path(
        f"{CLUB}/imports", ImportViewSet.as_view({"get": "list", "post": "create"}), name="imports"
    ),
    path(
        "v1/jobs/<uuid:job_id>/signature",
        FileSignatureViewSet.as_view({"get": "retrieve"}),
        name="job-signature",
    ),
    path(f"{CLUB}/sheet", MoneyViewSet.as_view({"get": "sheet"}), name="sheet"),
    path("v1/limits", LimitsViewSet.as_view({"get": "retrieve"}), name="api-limits"),
    path("v1/signature", SignatureViewSet.as_view({"get": "retrieve"}), name="signature"),
    path("v1/check", CheckViewSet.as_view({"post": "check"}), name="api-check"),
    path("v1/problems", problems, name="api-problems"),
]
