"""Imports that were made: what they brought, what undoing them would do, and undoing them."""

from typing import TypedDict
from uuid import UUID

from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.response import Response

from tournaments.access.rights import Place, Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import (
    BooleanField,
    DictField,
    IntegerField,
    StrictModelSerializer,
    StrictSerializer,
)
from tournaments.api.views import ApiRequest, ApiViewSet, RetrieveModelMixin
from tournaments.core.language import translate
from tournaments.imports import plan_undo, undo_import, undoer_of
from tournaments.models import Import

OBSTACLES_MAX = 500
"""So many obstacles are told one by one."""


class ListedImportSerializer(StrictModelSerializer):
    """An import in a list. ``finished_at`` is null while it goes on, and if it broke off."""

    counts = DictField(child=IntegerField(), help_text="By what was counted.")
    undone_by = serializers.SerializerMethodField()

    class Meta:
        model = Import
        fields = [
            "id",
            "kind",
            "file_name",
            "job",
            "counts",
            "by",
            "created_at",
            "finished_at",
            "undone_by",
            "undone_at",
        ]

    def get_undone_by(self, row: Import) -> str | None:
        """Return who undid it, None for nobody."""
        return row.undone_by or None


class ObstacleOut(TypedDict):
    """Something that was built upon an import."""

    what: str
    why: str


class UndoOut(TypedDict):
    """What undoing an import would do.

    ``removes``: how many rows would go or be as they were before, by what they are.
    ``obstacles``: what was built upon the import since, which would stay; at most 500 are named,
    ``obstacle_count`` counts them all.
    """

    removes: dict[str, int]
    obstacles: list[ObstacleOut]
    obstacle_count: int


class ImportDetailSerializer(ListedImportSerializer):
    """An import, with what undoing it would do."""

    undo = serializers.SerializerMethodField()

    class Meta(ListedImportSerializer.Meta):
        fields = [*ListedImportSerializer.Meta.fields, "undo"]

    def get_undo(self, row: Import) -> UndoOut:
        """Return what undoing the import would do now."""
        plan = plan_undo(row)
        return {
            "removes": {undoer_of(label).key: count for label, count in plan.counts.items()},
            "obstacles": [
                {"what": obstacle.what, "why": translate(obstacle.why)}
                for obstacle in plan.obstacles[:OBSTACLES_MAX]
            ],
            "obstacle_count": len(plan.obstacles),
        }


@example({"leave_obstacles": True})
class UndoSerializer(StrictSerializer):
    """How an import is undone."""

    leave_obstacles = BooleanField(
        required=False,
        help_text="Let what was built upon it since stay as it is, and undo the rest. "
        "Without it nothing is undone if there is such a thing.",
    )


class ImportRecordViewSet(RetrieveModelMixin, ApiViewSet):
    """One import that was made."""

    queryset = Import.objects.all()
    serializer_class = ImportDetailSerializer
    lookup_url_kwarg = "import_id"
    lookup_value_converter = "uuid"
    inputs = {"undo": UndoSerializer}
    rights = {"retrieve": Right.IMPORTS_MAKE, "undo": Right.IMPORTS_MAKE}

    def get_place(self) -> Place:
        row = Import.objects.select_related("club").filter(pk=self.kwargs["import_id"]).first()
        return Place(None if row is None else row.club)

    def retrieve(self, request: ApiRequest, **ids: UUID) -> Response:
        """Read what an import brought, and what undoing it would do now."""
        return super().retrieve(request, **ids)

    @action(detail=True, methods=["post"])
    @idempotent
    def undo(self, request: ApiRequest, import_id: UUID) -> Response:
        """Undo an import as one step: what it made goes, what it changed is as it was before.

        Games are taken back in the books and counted no more; the same file can be brought in
        again. What was built upon the import since is a 409, and nothing is undone then.
        """
        undo_import(
            import_id=import_id,
            by=request.by,
            at=request.at,
            leave_obstacles=self.validated_data.get("leave_obstacles", False),
        )
        return self.answer(self.get_object())
