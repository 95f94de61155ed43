"""The addresses of clubs and their people, under /api/v1/."""

from typing import Any

from django.urls import include, path
from rest_framework.routers import SimpleRouter

from tournaments.api.amendments import EventAmendmentViewSet, LeagueAmendmentViewSet
from tournaments.api.api_keys import KeyViewSet
from tournaments.api.awards import AwardsViewSet
from tournaments.api.bars import BarViewSet
from tournaments.api.boards import BoardViewSet
from tournaments.api.certainty import EventCertaintyViewSet, LeagueCertaintyViewSet
from tournaments.api.clubs import ClubViewSet
from tournaments.api.decisions import DecisionViewSet
from tournaments.api.entries import AdjustmentViewSet, ApartViewSet, EntryViewSet, MeetViewSet
from tournaments.api.events import ClubEventViewSet, EventViewSet
from tournaments.api.feeds import AtomFeedViewSet, CalendarViewSet, JsonFeedViewSet
from tournaments.api.finals import CutViewSet, FinalViewSet
from tournaments.api.imports import ImportRecordViewSet
from tournaments.api.invitations import AcceptanceViewSet, InvitationViewSet
from tournaments.api.jobs import ClubJobViewSet, JobViewSet
from tournaments.api.leagues import (
    ClubLeagueViewSet,
    LeagueSessionViewSet,
    LeagueViewSet,
    MemberViewSet,
)
from tournaments.api.players import PlayerViewSet
from tournaments.api.ratings import PlayerStatisticsViewSet, RatingViewSet
from tournaments.api.recorded_results import RecordedResultViewSet
from tournaments.api.replies import EventReplyViewSet
from tournaments.api.roles import RoleViewSet
from tournaments.api.round_clocks import RoundClockViewSet
from tournaments.api.rounds import RepeatFreeRoundsViewSet, RoundViewSet, SeatingViewSet
from tournaments.api.rule_sets import PresetViewSet, RuleSetViewSet, SwitchViewSet
from tournaments.api.session import MeViewSet, PasswordViewSet, SessionViewSet
from tournaments.api.standings import EventStandingsViewSet, LeagueStandingsViewSet
from tournaments.api.trail import AuditViewSet

CLUB = "clubs/<uuid:club_id>"
PLAYER = f"{CLUB}/players/<uuid:player_id>"
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
router.register("imports", ImportRecordViewSet, basename="api-import")
router.register("invitations", AcceptanceViewSet, basename="api-acceptance")
router.register(f"{CLUB}/events", ClubEventViewSet, basename="api-club-event")
router.register("events", EventViewSet, basename="api-event")
router.register(f"{EVENT}/entries", EntryViewSet, basename="api-entry")
router.register(f"{EVENT}/replies", EventReplyViewSet, basename="api-event-reply")
router.register(f"{EVENT}/apart", ApartViewSet, basename="api-apart")
router.register(f"{EVENT}/meet", MeetViewSet, basename="api-meet")
router.register(f"{EVENT}/adjustments", AdjustmentViewSet, basename="api-adjustment")
router.register(f"{EVENT}/decisions", DecisionViewSet, basename="api-decision")
router.register(f"{EVENT}/rounds", RoundViewSet, basename="api-round")
router.register(f"{EVENT}/boards", BoardViewSet, basename="api-board")
router.register(f"{EVENT}/finals", FinalViewSet, basename="api-final")
router.register(f"{CLUB}/leagues", ClubLeagueViewSet, basename="api-club-league")
router.register("leagues", LeagueViewSet, basename="api-league")
router.register(f"{LEAGUE}/members", MemberViewSet, basename="api-league-member")
router.register(f"{LEAGUE}/sessions", LeagueSessionViewSet, basename="api-league-session")

SHOW: dict[str, Any] = {"get": "retrieve"}

urlpatterns = [
    path(f"{CLUB}/calendar", CalendarViewSet.as_view(SHOW), name="calendar"),
    path(f"{CLUB}/feed", JsonFeedViewSet.as_view(SHOW), name="feed"),
    path(f"{CLUB}/feed.atom", AtomFeedViewSet.as_view(SHOW), name="atom-feed"),
    path(f"{CLUB}/ratings", RatingViewSet.as_view(SHOW), name="api-ratings"),
    path(
        f"{PLAYER}/statistics",
        PlayerStatisticsViewSet.as_view(SHOW),
        name="api-player-statistics",
    ),
    path(f"{EVENT}/awards", AwardsViewSet.as_view(SHOW), name="api-event-awards"),
    path(
        f"{EVENT}/results",
        RecordedResultViewSet.as_view({"get": "retrieve", "put": "update"}),
        name="api-event-results",
    ),
    path(f"{EVENT}/standings", EventStandingsViewSet.as_view(SHOW), name="api-event-standings"),
    path(
        f"{LEAGUE}/standings",
        LeagueStandingsViewSet.as_view(SHOW),
        name="api-league-standings",
    ),
    path(f"{EVENT}/certainty", EventCertaintyViewSet.as_view(SHOW), name="api-event-certainty"),
    path(
        f"{LEAGUE}/certainty",
        LeagueCertaintyViewSet.as_view(SHOW),
        name="api-league-certainty",
    ),
    path(f"{EVENT}/amendment", EventAmendmentViewSet.as_view(SHOW), name="api-event-amendment"),
    path(
        f"{EVENT}/amendment/confirm",
        EventAmendmentViewSet.as_view({"post": "confirm"}),
        name="api-event-amendment-confirm",
    ),
    path(
        f"{EVENT}/amendment/decline",
        EventAmendmentViewSet.as_view({"post": "decline"}),
        name="api-event-amendment-decline",
    ),
    path(f"{LEAGUE}/amendment", LeagueAmendmentViewSet.as_view(SHOW), name="api-league-amendment"),
    path(
        f"{LEAGUE}/amendment/confirm",
        LeagueAmendmentViewSet.as_view({"post": "confirm"}),
        name="api-league-amendment-confirm",
    ),
    path(
        f"{LEAGUE}/amendment/decline",
        LeagueAmendmentViewSet.as_view({"post": "decline"}),
        name="api-league-amendment-decline",
    ),
    path(f"{EVENT}/clock", RoundClockViewSet.as_view(SHOW), name="api-clock"),
    *(
        path(
            f"{EVENT}/clock/{action}",
            RoundClockViewSet.as_view({"post": action}),
            name=f"api-clock-{action}",
        )
        for action in ("start", "pause", "resume", "add", "stop")
    ),
    path(f"{EVENT}/cut", CutViewSet.as_view(SHOW), name="api-event-cut"),
    path(f"{EVENT}/seatings", SeatingViewSet.as_view(SHOW), name="api-seatings"),
    path(
        f"{EVENT}/repeat-free-rounds",
        RepeatFreeRoundsViewSet.as_view(SHOW),
        name="api-repeat-free-rounds",
    ),
    path(
        "session",
        SessionViewSet.as_view({"post": "create", "delete": "destroy"}),
        name="api-session",
    ),
    path("me", MeViewSet.as_view(SHOW), name="api-me"),
    path("me/password", PasswordViewSet.as_view({"post": "create"}), name="api-password"),
    path("presets", PresetViewSet.as_view(SHOW), name="api-presets"),
    path("switches", SwitchViewSet.as_view(SHOW), name="api-switches"),
    path("", include(router.urls)),
]
