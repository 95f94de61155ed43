"""The addresses of the API."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from scoring.api.closing import ClosingDoor, Official, Reopening
from scoring.api.drafts import Deal, DraftList, OneDraft
from scoring.api.exports import ExportViewSet, FileSignatureViewSet, StandingsFileViewSet
from scoring.api.fees import FeeViewSet
from scoring.api.games import Books, Games, OneGame, Seats
from scoring.api.handouts import HandoutViewSet
from scoring.api.hands import (
    Choice,
    ClubHands,
    Confirmation,
    CorrectionPreview,
    HandRecord,
    Hands,
    Objection,
    OneHand,
    Undoing,
    Versions,
)
from scoring.api.imports import ImportViewSet
from scoring.api.links import Links, OneLink
from scoring.api.money import MoneyViewSet
from scoring.api.nights import (
    EventEndViewSet,
    EventGameViewSet,
    RoundPlayViewSet,
    TableSeatsViewSet,
)
from scoring.api.papers import PaperDoor, PaperOpening, Revealing
from scoring.api.rulings import Appeals, Irregularities, ProposalList, RulingPreview, Rulings
from scoring.api.signatures import SignatureViewSet
from scoring.api.views import CheckViewSet, problems
from scoring.api.webhooks import (
    ClubWebhookViewSet,
    DeliveryViewSet,
    WebhookDeliveryViewSet,
    WebhookViewSet,
)

OF_A_GAME = [
    path("seats", Seats.as_view(), name="seats"),
    path("books", Books.as_view(), name="books"),
    path("hands", Hands.as_view(), name="hands"),
    path("drafts", DraftList.as_view(), name="drafts"),
    path("drafts/<uuid:draft_id>", OneDraft.as_view(), name="draft"),
    path("drafts/<uuid:draft_id>/deal", Deal.as_view(), name="draft-deal"),
    path("closing", ClosingDoor.as_view(), name="closing"),
    path("reopening", Reopening.as_view(), name="reopening"),
    path("official", Official.as_view(), name="official"),
    path("links", Links.as_view(), name="links"),
    path("links/<uuid:link_id>", OneLink.as_view(), name="link"),
    path("papers", PaperDoor.as_view(), name="papers"),
    path("papers/opening", PaperOpening.as_view(), name="paper-opening"),
    path("papers/revealing", Revealing.as_view(), name="paper-revealing"),
]

CLUB = "v1/clubs/<uuid:club_id>"
EVENT = "v1/events/<uuid:event_id>"

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("v1/events", EventEndViewSet, basename="api-event")
router.register(f"{EVENT}/rounds", RoundPlayViewSet, basename="api-round")
router.register(f"{EVENT}/games", EventGameViewSet, basename="api-event-game")
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
    path(f"{EVENT}/handouts", HandoutViewSet.as_view({"get": "retrieve"}), name="handouts"),
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
    path(f"{CLUB}/imports", ImportViewSet.as_view({"post": "create"}), name="imports"),
    path(
        "v1/jobs/<uuid:job_id>/signature",
        FileSignatureViewSet.as_view({"get": "retrieve"}),
        name="job-signature",
    ),
    path(f"{CLUB}/sheet", MoneyViewSet.as_view({"get": "sheet"}), name="sheet"),
    path("v1/signature", SignatureViewSet.as_view({"get": "retrieve"}), name="signature"),
    path("v1/check", CheckViewSet.as_view({"post": "check"}), name="api-check"),
    # First of all what phones ask for.
    path("v1/games/<uuid:game_id>", OneGame.as_view(), name="game"),
    path("v1/games/<uuid:game_id>/", include(OF_A_GAME)),
    path("v1/clubs/<uuid:club_id>/games", Games.as_view(), name="games"),
    path("v1/clubs/<uuid:club_id>/hands", ClubHands.as_view(), name="club-hands"),
    path("v1/hands/<uuid:hand_id>", OneHand.as_view(), name="hand"),
    path("v1/hands/<uuid:hand_id>/record", HandRecord.as_view(), name="hand-record"),
    path("v1/hands/<uuid:hand_id>/versions", Versions.as_view(), name="versions"),
    path(
        "v1/hands/<uuid:hand_id>/correction-preview",
        CorrectionPreview.as_view(),
        name="correction-preview",
    ),
    path("v1/hands/<uuid:hand_id>/undo", Undoing.as_view(), name="undo"),
    path("v1/hands/<uuid:hand_id>/confirmation", Confirmation.as_view(), name="confirmation"),
    path("v1/hands/<uuid:hand_id>/objection", Objection.as_view(), name="objection"),
    path("v1/hands/<uuid:hand_id>/choice", Choice.as_view(), name="choice"),
    path("v1/hands/<uuid:hand_id>/rulings", Rulings.as_view(), name="rulings"),
    path("v1/irregularities", Irregularities.as_view(), name="irregularities"),
    path("v1/hands/<uuid:hand_id>/proposals", ProposalList.as_view(), name="proposals"),
    path("v1/hands/<uuid:hand_id>/ruling-preview", RulingPreview.as_view(), name="ruling-preview"),
    path("v1/rulings/<uuid:ruling_id>/appeal", Appeals.as_view(), name="appeal"),
    path("v1/problems", problems, name="api-problems"),
]
