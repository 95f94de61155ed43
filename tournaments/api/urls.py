"""The addresses of clubs and their people, under /api/v1/."""

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from tournaments.api.api_keys import KeyViewSet
from tournaments.api.awards import EventAwards
from tournaments.api.bars import BarViewSet
from tournaments.api.boards import Boards, OneBoard
from tournaments.api.clubs import ClubViewSet
from tournaments.api.decisions import Decisions, OneDecision
from tournaments.api.entries import (
    Adjustments,
    Apartness,
    Entries,
    Meeting,
    OneAdjustment,
    OneEntry,
)
from tournaments.api.events import (
    Events,
    OneEvent,
)
from tournaments.api.feeds import Calendar, Feed
from tournaments.api.finals import EventCut, Finals
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
from tournaments.api.rounds import OneRound, RepeatFreeRounds, Rounds, Seatings
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

urlpatterns = [
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
    path(f"{CLUB}/events", Events.as_view(), name="api-events"),
    path(EVENT, OneEvent.as_view(), name="api-event"),
    path(f"{EVENT}/entries", Entries.as_view(), name="api-entries"),
    path(f"{EVENT}/entries/<uuid:entry_id>", OneEntry.as_view(), name="api-entry"),
    path(f"{EVENT}/apart", Apartness.as_view(), name="api-apart"),
    path(f"{EVENT}/meet", Meeting.as_view(), name="api-meet"),
    path(f"{EVENT}/adjustments", Adjustments.as_view(), name="api-adjustments"),
    path(
        f"{EVENT}/adjustments/<uuid:adjustment_id>",
        OneAdjustment.as_view(),
        name="api-adjustment",
    ),
    path(f"{EVENT}/decisions", Decisions.as_view(), name="api-decisions"),
    path(f"{EVENT}/decisions/<uuid:decision_id>", OneDecision.as_view(), name="api-decision"),
    path(f"{EVENT}/cut", EventCut.as_view(), name="api-event-cut"),
    path(f"{EVENT}/finals", Finals.as_view(), name="api-finals"),
    path(f"{EVENT}/awards", EventAwards.as_view(), name="api-event-awards"),
    path(f"{EVENT}/boards", Boards.as_view(), name="api-boards"),
    path(f"{EVENT}/boards/<int:number>", OneBoard.as_view(), name="api-board"),
    path(f"{EVENT}/seatings", Seatings.as_view(), name="api-seatings"),
    path(
        f"{EVENT}/repeat-free-rounds",
        RepeatFreeRounds.as_view(),
        name="api-repeat-free-rounds",
    ),
    path(f"{EVENT}/rounds", Rounds.as_view(), name="api-rounds"),
    path(f"{EVENT}/rounds/<int:number>", OneRound.as_view(), name="api-round"),
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
