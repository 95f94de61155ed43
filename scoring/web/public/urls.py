"""The addresses of games, hands and boards, and of the club whose first page names the newest."""

from django.urls import path

from scoring.web.public.board_page import BoardPage
from scoring.web.public.club_games import ClubGamesPage, ClubWithHandsPage
from scoring.web.public.game_page import GamePage
from scoring.web.public.hand_analysis import AskForAnalysis
from scoring.web.public.hand_viewer import EmbeddedHand, HandPage, HandPicture
from scoring.web.public.record_files import JSON, PBN, PHN, EventFile, GameFile, HandFile
from scoring.web.public.side_by_side import SideBySidePage
from scoring.web.public.signature_page import SignaturePage

_FILES = [
    path(f"{start}.{form}", view.as_view(form=form), name=f"{name}-{form}")
    for start, view, name in (
        ("e/<uuid:event_id>/hands", EventFile, "event"),
        ("g/<uuid:game_id>/hands", GameFile, "game"),
        ("h/<uuid:hand_id>/hand", HandFile, "hand"),
    )
    for form in (PHN, JSON, PBN)
]
"""Files of records: event-phn, game-json, hand-pbn and so on."""

urlpatterns = [
    *_FILES,
    path("c/<uuid:club_id>/", ClubWithHandsPage.as_view(), name="club-page"),
    path("c/<uuid:club_id>/games/", ClubGamesPage.as_view(), name="club-games"),
    path("e/<uuid:event_id>/boards/<int:number>/", BoardPage.as_view(), name="board-page"),
    path("g/<uuid:game_id>/", GamePage.as_view(), name="game-page"),
    path("h/<uuid:hand_id>/", HandPage.as_view(), name="hand-page"),
    path("h/<uuid:hand_id>/analysis/", AskForAnalysis.as_view(), name="hand-analysis"),
    path("h/<uuid:hand_id>/picture.png", HandPicture.as_view(), name="hand-picture"),
    path("h/<uuid:hand_id>/embed/", EmbeddedHand.as_view(), name="hand-embedded"),
    path("h/<uuid:hand_id>/beside/<uuid:other_id>/", SideBySidePage.as_view(), name="side-by-side"),
    path("signature/", SignaturePage.as_view(), name="signature-page"),
]
