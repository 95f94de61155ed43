"""The addresses of the window."""

from django.urls import path

from tournaments.web.club_page import club_page, clubs_page
from tournaments.web.deals_page import deals_page
from tournaments.web.event_page import board_page, event_page
from tournaments.web.league_page import league_page
from tournaments.web.player_page import player_page

urlpatterns = [
    path("clubs/", clubs_page, name="clubs-page"),
    path("c/<uuid:club_id>/", club_page, name="club-page"),
    path("e/<uuid:event_id>/", event_page, name="event-page"),
    path("e/<uuid:event_id>/boards/<int:number>/", board_page, name="board-page"),
    path("e/<uuid:event_id>/deals/", deals_page, name="deals-page"),
    path("l/<uuid:league_id>/", league_page, name="league-page"),
    path("p/<uuid:player_id>/", player_page, name="player-page"),
]
