"""Official tables and their amendments: what a table is, and what is decided of it (DEC-7)."""

from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from rest_framework.response import Response

from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import CharField, IntegerField, StrictSerializer
from tournaments.api.standings import (
    ChangeOut,
    StatusOut,
    changes_out,
    chosen,
    names_in,
    status_out,
)
from tournaments.api.views import ApiRequest, ApiViewSet, EventViewSetBase, LeagueViewSetBase
from tournaments.core.entity_tags import tag_of
from tournaments.events import events, leagues
from tournaments.events.amendments import AmendmentChoice
from tournaments.models import Scope
from tournaments.models.limits import REASON_MAX
from tournaments.publishing.amendment_causes import AmendmentCause, causes_of
from tournaments.publishing.official import status_of


@example({"version": 8, "reason": "Hand 3 of table 2 was entered wrongly."})
class AmendmentSerializer(StrictSerializer):
    """What is decided of an amendment."""

    version = IntegerField(
        min_value=1,
        max_value=10**9,
        help_text="The version that waits, as it was seen.",
    )
    reason = CharField(max_length=REASON_MAX, help_text="Published with the table.")


class PendingOut(TypedDict):
    """The version that waits to be official, and what would move; ``since`` it was computed."""

    version: int
    since: datetime
    causes: list[AmendmentCause]
    changes: list[ChangeOut]


class AmendmentOut(TypedDict):
    """What the table that holds is, and its amendment, where one waits."""

    status: StatusOut
    pending: PendingOut | None


class AmendmentViewSetBase(ApiViewSet):
    """The base of viewsets of the amendment of a table."""

    inputs = {"confirm": AmendmentSerializer, "decline": AmendmentSerializer}
    outputs = {
        "retrieve": AmendmentOut,
        "confirm": AmendmentOut,
        "decline": AmendmentOut,
    }

    @property
    def choice(self) -> AmendmentChoice:
        """Return the choice that was sent."""
        return AmendmentChoice(**self.validated_data)

    def amendment_of(self, scope: Scope, subject: UUID) -> AmendmentOut:
        """Return the state of the table, as far as this asker may know it."""
        in_full = Right.NAMES_READ in self.request.rights
        found = chosen(self.request, {}, scope, subject)
        status = status_of(found, in_full=in_full)
        pending: PendingOut | None = None
        if status.pending is not None:
            pending = {
                "version": status.pending.version,
                "since": status.pending.since,
                "causes": causes_of(status, found.row, in_full=in_full),
                "changes": changes_out(
                    status.pending.changes,
                    {
                        **names_in(found, self.request),
                        **names_in(status.pending.successor, self.request),
                    },
                    in_full=in_full,
                ),
            }
        return {"status": status_out(found, in_full=in_full), "pending": pending}


class EventAmendmentViewSet(AmendmentViewSetBase, EventViewSetBase):
    """The amendment of the official standings of an event."""

    rights = {
        "retrieve": Right.CLUB_READ,
        "confirm": Right.EVENTS_EDIT,
        "decline": Right.EVENTS_EDIT,
    }

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Show what the standings are, and what an amendment would move."""
        data: Any = self.amendment_of(Scope.EVENT, event_id)
        return self.answer_document(data, tag_of(data))

    @idempotent
    def confirm(self, request: ApiRequest, event_id: UUID) -> Response:
        """Let the amended standings be official."""
        events.confirm_amendment(
            event_id=event_id, choice=self.choice, by=request.by, at=request.at
        )
        return Response(self.amendment_of(Scope.EVENT, event_id))

    @idempotent
    def decline(self, request: ApiRequest, event_id: UUID) -> Response:
        """Leave the official standings as they are; the books keep what was corrected."""
        events.decline_amendment(
            event_id=event_id, choice=self.choice, by=request.by, at=request.at
        )
        return Response(self.amendment_of(Scope.EVENT, event_id))


class LeagueAmendmentViewSet(AmendmentViewSetBase, LeagueViewSetBase):
    """The amendment of the official table of a season."""

    rights = {
        "retrieve": Right.CLUB_READ,
        "confirm": Right.LEAGUES_EDIT,
        "decline": Right.LEAGUES_EDIT,
    }

    def retrieve(self, request: ApiRequest, league_id: UUID) -> Response:
        """Show what the table is, and what an amendment would move."""
        data: Any = self.amendment_of(Scope.LEAGUE, league_id)
        return self.answer_document(data, tag_of(data))

    @idempotent
    def confirm(self, request: ApiRequest, league_id: UUID) -> Response:
        """Let the amended table be official."""
        leagues.confirm_amendment(
            league_id=league_id, choice=self.choice, by=request.by, at=request.at
        )
        return Response(self.amendment_of(Scope.LEAGUE, league_id))

    @idempotent
    def decline(self, request: ApiRequest, league_id: UUID) -> Response:
        """Leave the official table as it is; the events keep what was corrected."""
        leagues.decline_amendment(
            league_id=league_id, choice=self.choice, by=request.by, at=request.at
        )
        return Response(self.amendment_of(Scope.LEAGUE, league_id))
