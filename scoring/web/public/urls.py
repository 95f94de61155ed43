"""The addresses of games and hands."""

from django.urls import path

from scoring.web.public.embedded_hand import embedded_hand, oembed
from scoring.web.public.game_page import game_page
from scoring.web.public.hand_viewer import hand_page
from scoring.web.public.signature_page import signature_page

urlpatterns = [
    path("g/<uuid:game_id>/", game_page, name="game-page"),
    path("h/<uuid:hand_id>/", hand_page, name="hand-page"),
    path("h/<uuid:hand_id>/embed/", embedded_hand, name="hand-embedded"),
    path("oembed/", oembed, name="oembed"),
    path("signature/", signature_page, name="signature-page"),
]
