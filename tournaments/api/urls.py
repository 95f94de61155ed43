"""The addresses of clubs and their people, under /api/v1/."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from tournaments.api.api_keys import KeyViewSet
from tournaments.api.awards import EventAwards
from tournaments.api.bars import BarViewSet
from tournaments.api.boards import BoardViewSet
from tournaments.api.clubs import ClubViewSet
from tournaments.api.decisions import DecisionViewSet
from tournaments.api.entries import AdjustmentViewSet, ApartViewSet, EntryViewSet, MeetViewSet
from tournaments.api.events import ClubEventViewSet, EventViewSet
from tournaments.api.feeds import Calendar, Feed
from tournaments.api.finals import CutViewSet, FinalViewSet
from tournaments.api.invitations import AcceptanceViewSet, InvitationViewSet
from tournaments.api.jobs import ClubJobViewSet, JobViewSet
from tournaments.api.leagues import (
    LeagueClosing,
    LeagueReopening,
    Leagues,
    OneLeague,
    OneMember,
    OneSession,
    Promotions,
    Roll,
    Sessions,
)
from tournaments.api.players import PlayerViewSet
from tournaments.api.ratings import ClubRatings, PlayerStatistics
from tournaments.api.roles import RoleViewSet
from tournaments.api.rounds import RepeatFreeRoundsViewSet, RoundViewSet, SeatingViewSet
from tournaments.api.rule_sets import PresetViewSet, RuleSetViewSet, SwitchViewSet
from tournaments.api.session import MeViewSet, PasswordViewSet, SessionViewSet
from tournaments.api.standings import EventStandings, LeagueStandings
from tournaments.api.trail import AuditViewSet

CLUB = "clubs/<uuid:club_id>"
PLAYER = f"{CLUB}/players/<uuid:player_id>"
RULE_SET = f"{CLUB}/rule-sets/<uuid:rule_set_id>"
EVENT = "events/<uuid:event_id>"
LEAGUE = "leagues/<uuid:league_id>"

router = SimpleRouter(trailing_slash=False, use_regex_path=False)
router.register("clubs", ClubViewSet, basename="api-club")
router.register(f"{CLUB}/players", PlayerViewSet, basename="api-player")
router.register(f"{PLAYER}/bars", BarViewSet, basename="api-bar")
router.register(f"{CLUB}/roles", RoleViewSet, basename="api-role")
router.register(f"{CLUB}/keys", KeyViewSet, basename="api-key")
router.register(f"{CLUB}/invitations", InvitationViewSet, basename="api-invitation")
router.register(f"{CLUB}/rule-sets", RuleSetViewSet, basename="api-rule-set")
router.register(f"{CLUB}/audit", AuditViewSet, basename="api-audit")
router.register(f"{CLUB}/jobs", ClubJobViewSet, basename="api-club-job")
router.register("jobs", JobViewSet, basename="api-job")
router.register("invitations", AcceptanceViewSet, basename="api-acceptance")
router.register(f"{CLUB}/events", ClubEventViewSet, basename="api-club-event")
router.register("events", EventViewSet, basename="api-event")
router.register(f"{EVENT}/entries", EntryViewSet, basename="api-entry")
router.register(f"{EVENT}/apart", ApartViewSet, basename="api-apart")
router.register(f"{EVENT}/meet", MeetViewSet, basename="api-meet")
router.register(f"{EVENT}/adjustments", AdjustmentViewSet, basename="api-adjustment")
router.register(f"{EVENT}/decisions", DecisionViewSet, basename="api-decision")
router.register(f"{EVENT}/rounds", RoundViewSet, basename="api-round")
router.register(f"{EVENT}/boards", BoardViewSet, basename="api-board")
router.register(f"{EVENT}/finals", FinalViewSet, basename="api-final")

urlpatterns = [
    path(f"{EVENT}/cut", CutViewSet.as_view({"get": "retrieve"}), name="api-event-cut"),
    path(f"{EVENT}/seatings", SeatingViewSet.as_view({"get": "retrieve"}), name="api-seatings"),
    path(
        f"{EVENT}/repeat-free-rounds",
        RepeatFreeRoundsViewSet.as_view({"get": "retrieve"}),
        name="api-repeat-free-rounds",
    ),
    path(
        "session",
        SessionViewSet.as_view({"post": "create", "delete": "destroy"}),
        name="api-session",
    ),
    path("me", MeViewSet.as_view({"get": "retrieve"}), name="api-me"),
    path("me/password", PasswordViewSet.as_view({"post": "create"}), name="api-password"),
    path("presets", PresetViewSet.as_view({"get": "retrieve"}), name="api-presets"),
    path("switches", SwitchViewSet.as_view({"get": "retrieve"}), name="api-switches"),
    path("", include(router.urls)),
    path(f"{CLUB}/calendar", Calendar.as_view(), name="calendar"),
    path(f"{CLUB}/feed", Feed.as_view(), name="feed"),
    path(f"{EVENT}/awards", EventAwards.as_view(), name="api-event-awards"),
    path(f"{EVENT}/standings", EventStandings.as_view(), name="api-event-standings"),
    path(f"{CLUB}/leagues", Leagues.as_view(), name="api-leagues"),
    path(LEAGUE, OneLeague.as_view(), name="api-league"),
    path(f"{LEAGUE}/close", LeagueClosing.as_view(), name="api-league-close"),
    path(f"{LEAGUE}/reopen", LeagueReopening.as_view(), name="api-league-reopen"),
    path(f"{LEAGUE}/members", Roll.as_view(), name="api-league-members"),
    path(f"{LEAGUE}/members/<uuid:player_id>", OneMember.as_view(), name="api-league-member"),
    path(f"{LEAGUE}/sessions", Sessions.as_view(), name="api-league-sessions"),
    path(f"{LEAGUE}/sessions/<uuid:event_id>", OneSession.as_view(), name="api-league-session"),
    path(f"{LEAGUE}/promotions", Promotions.as_view(), name="api-league-promotions"),
    path(f"{LEAGUE}/standings", LeagueStandings.as_view(), name="api-league-standings"),
    path(f"{CLUB}/ratings", ClubRatings.as_view(), name="api-ratings"),
    path(f"{PLAYER}/statistics", PlayerStatistics.as_view(), name="api-player-statistics"),
]
