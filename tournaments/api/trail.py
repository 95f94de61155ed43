"""The trail of what was done."""

import json
from typing import TypedDict, cast
from uuid import UUID

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from tournaments import audit, selectors
from tournaments.access.rights import Right
from tournaments.api.filters import CharFilter, FilterSet, UUIDFilter
from tournaments.api.serializers import StrictModelSerializer
from tournaments.api.views import ApiRequest, ApiViewSet
from tournaments.core.errors import NotThereError
from tournaments.models import AuditEntry
from tournaments.models.limits import max_length

AuditValue = str | int | bool | None
AuditDetails = dict[str, AuditValue | list[AuditValue] | dict[str, AuditValue]]


class AuditEntrySerializer(StrictModelSerializer):
    """One thing that was done; ``digest`` covers it and all that came before in its chain."""

    details = serializers.SerializerMethodField()

    class Meta:
        model = AuditEntry
        fields = [
            "chain",
            "number",
            "what",
            "by",
            "source",
            "why",
            "details",
            "at",
            "before",
            "digest",
        ]

    def get_details(self, entry: AuditEntry) -> AuditDetails:
        """Return identifiers and numbers."""
        return cast("AuditDetails", json.loads(entry.details))


class AuditFilter(FilterSet):
    """Filters of the trail."""

    chain = UUIDFilter(help_text="A club or a game.")
    what = CharFilter(max_length=max_length(AuditEntry, "what"), help_text="As in an entry.")


class Chain(TypedDict):
    """A chain, recomputed: ``head`` is the digest of all; ``broken`` the numbers that are wrong."""

    chain: UUID
    entries: int
    head: str
    is_whole: bool
    broken: list[int]


class AuditViewSet(ListModelMixin, ApiViewSet):
    """List what was done in a club and its games, in the order of doing."""

    queryset = AuditEntry.objects.all()
    serializer_class = AuditEntrySerializer
    filterset_class = AuditFilter
    lookup_url_kwarg = "chain_id"
    lookup_value_converter = "uuid"
    outputs = {"retrieve": Chain}
    rights = {"list": Right.AUDIT_READ, "retrieve": Right.AUDIT_READ}

    def get_queryset(self) -> QuerySet[AuditEntry]:
        return selectors.audit_entries(self.request.club)

    def retrieve(self, request: ApiRequest, club_id: UUID, chain_id: UUID) -> Response:
        """Verify a chain, of the club or a game: nothing was changed, left out or put in."""
        last = self.get_queryset().filter(chain=chain_id).order_by("-number").first()
        if last is None:
            raise NotThereError
        broken = [entry.number for entry in audit.find_broken_entries(chain_id)]
        return Response(
            Chain(
                chain=chain_id,
                entries=last.number,
                head=last.digest,
                is_whole=not broken,
                broken=broken,
            )
        )
