"""Leagues: seasons with their rolls and sessions, and who moves up and down."""

from typing import TypedDict
from uuid import UUID

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from tournaments.access.rights import Right
from tournaments.access.visibility import leagues_seen
from tournaments.api.events import ReasonSerializer
from tournaments.api.filters import FilterSet, MomentFilter
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.players import PlayerNameField
from tournaments.api.serializers import (
    BooleanField,
    CharField,
    DateTimeField,
    JSONObjectField,
    StrictModelSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet, LeagueViewSetBase, RetrieveModelMixin
from tournaments.events import leagues
from tournaments.models import LEAGUE_SETTINGS, League, LeagueEvent, LeagueMember
from tournaments.models.limits import SESSIONS_MAX
from tournaments.standings.season import SeasonRules


@extend_schema_field(SeasonRules.json_schema(), component_name="SeasonSettings")
class SeasonField(JSONObjectField):
    """The settings of `SeasonRules`; those that are left out are as usual."""


class ListedLeagueSerializer(StrictModelSerializer):
    """A league in a list."""

    class Meta:
        model = League
        fields = [
            "id",
            "name",
            "planned",
            "is_open",
            "rated",
            "is_hidden",
            "version",
            "created_at",
            "closed_at",
        ]


class LeagueSerializer(ListedLeagueSerializer):
    """A league; ``counted`` says in plain words how."""

    season = SeasonField()
    counted = serializers.SerializerMethodField()

    class Meta(ListedLeagueSerializer.Meta):
        fields = [*ListedLeagueSerializer.Meta.fields, "season", "counted"]

    def get_counted(self, league: League) -> list[str]:
        """Return how it is counted, in plain words."""
        return list(leagues.season_of(league).describe())


@example({"name": "Winter 2026", "planned": 14})
class LeagueChangeSerializer(StrictModelSerializer):
    """What may be changed of a league."""

    season = SeasonField(required=False, help_text="How it is counted: best_n, drop_worst, so on.")

    class Meta:
        model = League
        fields = [*LEAGUE_SETTINGS]


@example({"name": "Winter", "planned": 12, "season": {"rule": "best_n", "best": 8}})
class NewLeagueSerializer(LeagueChangeSerializer):
    """A season that begins."""

    id = UUIDField(required=False, help_text="The client's own.")

    class Meta(LeagueChangeSerializer.Meta):
        fields = [*LEAGUE_SETTINGS, "id"]


class MemberSerializer(StrictModelSerializer):
    """Somebody on the roll."""

    name = PlayerNameField(source="player")

    class Meta:
        model = LeagueMember
        fields = [
            "player",
            "name",
            "division",
            "opening",
            "opening_events",
            "handicap",
            "joined_at",
            "withdrawn_at",
            "version",
        ]


@example({"division": 2})
class MemberChangeSerializer(StrictModelSerializer):
    """What may be changed of somebody on the roll."""

    withdrawn = BooleanField(required=False)

    class Meta:
        model = LeagueMember
        fields = ["division", "opening", "opening_events", "handicap", "withdrawn"]
        extra_kwargs = {
            "division": {"min_value": 1, "max_value": 100},
            "opening": {"help_text": "Points brought along, such as 21/2."},
            "opening_events": {
                "max_value": SESSIONS_MAX,
                "help_text": "From how many events.",
            },
        }


@example({"player": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e", "opening": "21/2", "opening_events": 3})
class NewMemberSerializer(StrictModelSerializer):
    """Somebody who is put on the roll."""

    player = UUIDField()

    class Meta(MemberChangeSerializer.Meta):
        fields = ["player", "division", "opening", "opening_events", "handicap"]


class SessionSerializer(StrictModelSerializer):
    """An event of the season; ``division`` null: for all."""

    name = CharField(source="event.name")
    starts_at = DateTimeField(source="event.starts_at")
    status = CharField(source="event.status")

    class Meta:
        model = LeagueEvent
        fields = ["event", "name", "starts_at", "status", "number", "weight", "division", "version"]


@example({"number": 3, "weight": "3/2"})
class SessionChangeSerializer(StrictModelSerializer):
    """What may be changed of a session."""

    class Meta:
        model = LeagueEvent
        fields = ["number", "weight", "division"]
        extra_kwargs = {
            "number": {"required": False, "min_value": 1, "max_value": SESSIONS_MAX},
            "weight": {"help_text": "A number above 0, such as 3/2."},
            "division": {"min_value": 1, "max_value": 100, "help_text": "Null: for all."},
        }


@example({"event": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e", "weight": "1"})
class NewSessionSerializer(SessionChangeSerializer):
    """An event that is to count."""

    event = UUIDField()

    class Meta(SessionChangeSerializer.Meta):
        fields = ["event", *SessionChangeSerializer.Meta.fields]


class PlayoffOut(TypedDict):
    """Members who are tied across a boundary; so many of them cross it."""

    entries: list[UUID]
    places: int


class BoundaryOut(TypedDict):
    """What happens between two divisions."""

    upper: str
    lower: str
    up: list[UUID]
    down: list[UUID]
    playoff_up: PlayoffOut | None
    playoff_down: PlayoffOut | None


class Boundaries(TypedDict):
    """All boundaries, from the highest down."""

    items: list[BoundaryOut]


class LeagueFilter(FilterSet):
    """Filters of the list of leagues."""

    closed = MomentFilter("closed_at", help_text="Only seasons that ended, or only the others.")


class ClubLeagueViewSet(ListModelMixin, ApiViewSet):
    """List the leagues of a club."""

    queryset = League.objects.all()
    serializer_class = LeagueSerializer
    filterset_class = LeagueFilter
    version_field = "version"
    inputs = {"create": NewLeagueSerializer}
    outputs = {"list": ListedLeagueSerializer}
    rights = {"list": Right.CLUB_READ, "create": Right.LEAGUES_EDIT}

    def get_queryset(self) -> QuerySet[League]:
        rows = League.objects.filter(club=self.request.club)
        return leagues_seen(rows, hidden=self.request.sees_hidden)

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Begin a season."""
        league = leagues.create_league(
            club_id=club_id, new=self.validated_data, by=request.by, at=request.at
        )
        return self.answer(league, location=f"/api/v1/leagues/{league.pk}")


class LeagueViewSet(RetrieveModelMixin, LeagueViewSetBase):
    """A league."""

    queryset = League.objects.all()
    serializer_class = LeagueSerializer
    lookup_url_kwarg = "league_id"
    lookup_value_converter = "uuid"
    version_field = "version"
    inputs = {"partial_update": LeagueChangeSerializer, "reopen": ReasonSerializer}
    outputs = {"promotions": Boundaries}
    rights = {
        "retrieve": Right.CLUB_READ,
        "promotions": Right.CLUB_READ,
        "partial_update": Right.LEAGUES_EDIT,
        "close": Right.LEAGUES_EDIT,
        "reopen": Right.LEAGUES_EDIT,
    }

    def get_object(self) -> League:
        return self.league

    def retrieve(self, request: ApiRequest, **ids: UUID) -> Response:
        """Show a league with its settings."""
        return super().retrieve(request, **ids)

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, league_id: UUID) -> Response:
        """Change a league; its table follows by itself."""
        league = leagues.change_league(
            league_id=league_id,
            changes=self.validated_data,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(league)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def close(self, request: ApiRequest, league_id: UUID) -> Response:
        """End a season of which every event is official."""
        league = leagues.close_league(
            league_id=league_id, version=request.if_match, by=request.by, at=request.at
        )
        return self.answer(league)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def reopen(self, request: ApiRequest, league_id: UUID) -> Response:
        """Open a closed season again."""
        league = leagues.reopen_league(
            league_id=league_id,
            version=request.if_match,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return self.answer(league)

    @action(detail=True)
    def promotions(self, request: ApiRequest, league_id: UUID) -> Response:
        """Propose who moves up and down, as the table stands now."""
        promotions = leagues.promotions(league_id=league_id)
        return Response({"items": [boundary.to_data() for boundary in promotions]})


class MemberFilter(FilterSet):
    """Filters of the roll."""

    withdrawn = MomentFilter("withdrawn_at", help_text="Only who withdrew, or only the others.")


class MemberViewSet(ListModelMixin, LeagueViewSetBase):
    """List the roll."""

    queryset = LeagueMember.objects.all()
    serializer_class = MemberSerializer
    filterset_class = MemberFilter
    lookup_url_kwarg = "player_id"
    lookup_value_converter = "uuid"
    version_field = "version"
    inputs = {"create": NewMemberSerializer, "partial_update": MemberChangeSerializer}
    rights = {
        "list": Right.CLUB_READ,
        "create": Right.LEAGUES_EDIT,
        "partial_update": Right.LEAGUES_EDIT,
    }

    def get_queryset(self) -> QuerySet[LeagueMember]:
        rows = LeagueMember.objects.filter(league=self.league)
        return rows.select_related("player__person")

    @idempotent
    def create(self, request: ApiRequest, league_id: UUID) -> Response:
        """Put somebody on the roll."""
        member = leagues.enrol(
            league_id=league_id, **self.validated_data, by=request.by, at=request.at
        )
        return self.answer(member, location=f"{request.path}/{member.player_id}")

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, league_id: UUID, player_id: UUID) -> Response:
        """Change their division or what they bring, or let them withdraw."""
        member = leagues.change_member(
            league_id=league_id,
            player_id=player_id,
            changes=self.validated_data,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(member)


class LeagueSessionViewSet(ListModelMixin, LeagueViewSetBase):
    """List the events of a season."""

    queryset = LeagueEvent.objects.all()
    serializer_class = SessionSerializer
    lookup_url_kwarg = "event_id"
    lookup_value_converter = "uuid"
    ordering = "number"
    version_field = "version"
    inputs = {"create": NewSessionSerializer, "partial_update": SessionChangeSerializer}
    rights = {
        "list": Right.CLUB_READ,
        "create": Right.LEAGUES_EDIT,
        "partial_update": Right.LEAGUES_EDIT,
        "destroy": Right.LEAGUES_EDIT,
    }

    def get_queryset(self) -> QuerySet[LeagueEvent]:
        return LeagueEvent.objects.filter(league=self.league).select_related("event")

    @idempotent
    def create(self, request: ApiRequest, league_id: UUID) -> Response:
        """Let an event count for the season."""
        session = leagues.add_session(
            league_id=league_id, **self.validated_data, by=request.by, at=request.at
        )
        return self.answer(session, location=f"{request.path}/{session.event_id}")

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, league_id: UUID, event_id: UUID) -> Response:
        """Change its number, its weight, or for whom it counts."""
        session = leagues.change_session(
            league_id=league_id,
            event_id=event_id,
            changes=self.validated_data,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(session)

    @idempotent(if_match=True)
    def destroy(self, request: ApiRequest, league_id: UUID, event_id: UUID) -> Response:
        """Let an event count no more."""
        response = self.answer(get_object_or_404(self.get_queryset(), event=event_id))
        leagues.remove_session(
            league_id=league_id,
            event_id=event_id,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return response
