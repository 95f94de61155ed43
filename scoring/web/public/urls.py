"""The addresses of games and hands."""

from django.urls import path

from scoring.web.public.embedded_hand import EmbeddedHand, OEmbed
from scoring.web.public.game_page import GamePage
from scoring.web.public.hand_viewer import HandPage
from scoring.web.public.signature_page import SignaturePage

urlpatterns = [
    path("g/<uuid:game_id>/", GamePage.as_view(), name="game-page"),
    path("h/<uuid:hand_id>/", HandPage.as_view(), name="hand-page"),
    path("h/<uuid:hand_id>/embed/", EmbeddedHand.as_view(), name="hand-embedded"),
    path("oembed/", OEmbed.as_view(), name="oembed"),
    path("signature/", SignaturePage.as_view(), name="signature-page"),
]
