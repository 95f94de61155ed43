"""The addresses of the window."""

from django.urls import path

from tournaments.web.club_page import ClubPictureFile, ClubsPage
from tournaments.web.event_page import DealsPage, EventPage, EventPicture
from tournaments.web.league_page import LeaguePage
from tournaments.web.night_replay import ReplayPage
from tournaments.web.player_page import PlayerPage

urlpatterns = [
    path("clubs/", ClubsPage.as_view(), name="clubs-page"),
    path(
        "c/<uuid:club_id>/picture/<str:digest>.webp",
        ClubPictureFile.as_view(),
        name="club-picture",
    ),
    path("e/<uuid:event_id>/", EventPage.as_view(), name="event-page"),
    path("e/<uuid:event_id>/picture.png", EventPicture.as_view(), name="event-picture"),
    path("e/<uuid:event_id>/deals/", DealsPage.as_view(), name="deals-page"),
    path("e/<uuid:event_id>/replay/", ReplayPage.as_view(), name="replay-page"),
    path("l/<uuid:league_id>/", LeaguePage.as_view(), name="league-page"),
    path("p/<uuid:player_id>/", PlayerPage.as_view(), name="player-page"),
]
