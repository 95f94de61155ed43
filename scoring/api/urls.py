"""The addresses of the API."""

from django.urls import include, path
from drf_spectacular.views import SpectacularJSONAPIView
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
from scoring.api.money import MoneyDoor, MoneyReversal, NightSheet
from scoring.api.nights import (
    EventEndViewSet,
    EventGameViewSet,
    RoundPlayViewSet,
    TableSeatsViewSet,
)
from scoring.api.papers import PaperDoor, PaperOpening, Revealing
from scoring.api.rulings import Appeals, Irregularities, ProposalList, RulingPreview, Rulings
from scoring.api.signatures import SignatureCheck
from scoring.api.views import Check, problems
from scoring.api.webhooks import Again, Deliveries, OneWebhook, Secret, Webhooks

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
    # First of all what phones ask for.
    path("v1/games/<uuid:game_id>", OneGame.as_view(), name="game"),
    path("v1/games/<uuid:game_id>/", include(OF_A_GAME)),
    path("v1/clubs/<uuid:club_id>/games", Games.as_view(), name="games"),
    path("v1/clubs/<uuid:club_id>/hands", ClubHands.as_view(), name="club-hands"),
    path("v1/clubs/<uuid:club_id>/money", MoneyDoor.as_view(), name="money"),
    path(
        "v1/clubs/<uuid:club_id>/money/reversals", MoneyReversal.as_view(), name="money-reversals"
    ),
    path("v1/clubs/<uuid:club_id>/sheet", NightSheet.as_view(), name="sheet"),
    path("v1/clubs/<uuid:club_id>/webhooks", Webhooks.as_view(), name="webhooks"),
    path("v1/webhooks/<uuid:webhook_id>", OneWebhook.as_view(), name="webhook"),
    path("v1/webhooks/<uuid:webhook_id>/secret", Secret.as_view(), name="webhook-secret"),
    path("v1/deliveries/<uuid:delivery_id>/again", Again.as_view(), name="delivery-again"),
    path("v1/webhooks/<uuid:webhook_id>/deliveries", Deliveries.as_view(), name="deliveries"),
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
    path("v1/signature", SignatureCheck.as_view(), name="signature"),
    path("v1/irregularities", Irregularities.as_view(), name="irregularities"),
    path("v1/hands/<uuid:hand_id>/proposals", ProposalList.as_view(), name="proposals"),
    path("v1/hands/<uuid:hand_id>/ruling-preview", RulingPreview.as_view(), name="ruling-preview"),
    path("v1/rulings/<uuid:ruling_id>/appeal", Appeals.as_view(), name="appeal"),
    path("v1/check", Check.as_view(), name="api-check"),
    path("v1/schema", SpectacularJSONAPIView.as_view(), name="schema"),
    path("v1/problems", problems, name="api-problems"),
]
