"""Players of a club; strangers do not get their full names."""

from typing import Any
from uuid import UUID

from django.db.models import Manager, QuerySet
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.response import Response

from engine.core.messages import Message
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.filters import CharFilter, ChoiceFilter, FilterSet, MomentFilter
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import (
    BooleanField,
    ChoiceField,
    StrictModelSerializer,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, ApiViewSet, RetrieveModelMixin
from tournaments.core.errors import NotAllowedError, NotThereError
from tournaments.core.name_folding import fold_text
from tournaments.models import Person, Player, PlayerKind, Shown
from tournaments.people import members
from tournaments.people.members import NewPlayer


class PlayerNameField(serializers.CharField):
    """The name of a player in full for members of the club, else what they let others see."""

    def to_representation(self, value: Any) -> str:
        in_full = Right.NAMES_READ in self.context["request"].rights
        return selectors.shown_name(value, in_full=in_full)


class ContactSerializer(StrictModelSerializer):
    """How to reach somebody."""

    class Meta:
        model = Person
        fields = ["email", "phone", "note", "gets_results"]


class PlayerSerializer(StrictModelSerializer):
    """A player. ``contact``, ``shown`` and ``shows_statistics`` are for editors of players."""

    name = PlayerNameField(source="*")
    is_erased = serializers.SerializerMethodField()
    shown = ChoiceField(source="person.shown", choices=Shown.choices, allow_null=True, default=None)
    shows_statistics = BooleanField(source="person.shows_statistics", allow_null=True, default=None)
    contact = ContactSerializer(source="person", allow_null=True, default=None)

    class Meta:
        model = Player
        fields = [
            "id",
            "number",
            "name",
            "kind",
            "version",
            "created_at",
            "left_at",
            "is_erased",
            "shown",
            "shows_statistics",
            "contact",
        ]

    def get_is_erased(self, player: Player) -> bool:
        """Return whether the person was erased."""
        return not hasattr(player, "person")

    def to_representation(self, player: Player) -> dict[str, Any]:
        found: dict[str, Any] = super().to_representation(player)
        if Right.PLAYERS_EDIT not in self.context["request"].rights:
            found |= {"shown": None, "shows_statistics": None, "contact": None}
        return found


@example({"name": "Ann Lee", "email": "ann@example.org", "kind": "member"})
class NewPlayerSerializer(StrictModelSerializer):
    """A player who is added."""

    kind = ChoiceField(choices=PlayerKind.choices, required=False)

    class Meta:
        model = Person
        fields = [
            "name",
            "email",
            "phone",
            "note",
            "gets_results",
            "kind",
            "shown",
            "shows_statistics",
        ]
        extra_kwargs = {
            "note": {"multiline": True},
            "gets_results": {
                "help_text": "Whether they agreed to get results, invitations and news by e-mail."
            },
            "shown": {
                "help_text": "What strangers see: a first name and an initial, the whole name, "
                "or a number."
            },
            "shows_statistics": {
                "help_text": "Whether they agreed that strangers see their statistics."
            },
        }


@example({"name": "Ann Lee-Brown", "shown": "full"})
class PlayerChangeSerializer(NewPlayerSerializer):
    """What may be changed of a player."""

    left = BooleanField(required=False, help_text="Whether the player has left the club.")

    class Meta(NewPlayerSerializer.Meta):
        fields = [*NewPlayerSerializer.Meta.fields, "left"]


@example({"into": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e"})
class MergeSerializer(StrictSerializer):
    """A player who turned out to be another one."""

    into = UUIDField(help_text="Who the player turned out to be.")


class PlayerFilter(FilterSet):
    """Filters of the list of players."""

    search = CharFilter(
        method="filter_name", max_length=100, help_text="A part of the name; needs names.read."
    )
    kind = ChoiceFilter(choices=PlayerKind.choices)
    left = MomentFilter("left_at", help_text="Only those who left, or only those who did not.")

    def filter_name(self, rows: QuerySet[Player], _name: str, value: str) -> QuerySet[Player]:
        """Filter by a part of the name, without case and accents."""
        if Right.NAMES_READ not in self.request.rights:
            raise NotAllowedError(Message("Names are searched by members of the club."), "search")
        return rows.filter(person__sought__contains=fold_text(value))


class PlayerViewSet(ListModelMixin, RetrieveModelMixin, ApiViewSet):
    """List players, without those who turned out to be somebody else."""

    queryset = Player.objects.all()
    serializer_class = PlayerSerializer
    filterset_class = PlayerFilter
    lookup_url_kwarg = "player_id"
    lookup_value_converter = "uuid"
    version_field = "version"
    inputs = {
        "create": NewPlayerSerializer,
        "partial_update": PlayerChangeSerializer,
        "merge": MergeSerializer,
    }
    rights = {
        "list": Right.CLUB_READ,
        "retrieve": Right.CLUB_READ,
        "create": Right.PLAYERS_EDIT,
        "partial_update": Right.PLAYERS_EDIT,
        "merge": Right.PLAYERS_EDIT,
        "person": Right.PLAYERS_ERASE,
    }

    def get_queryset(self) -> QuerySet[Player]:
        return selectors.players(self.request.club)

    def get_object(self) -> Player:
        return get_player(self.request, self.kwargs["player_id"])

    def check_player(self, players: Manager[Player] = Player.objects) -> None:
        """Refuse a player of another club. Raises NotThereError."""
        if not players.filter(club=self.request.club, pk=self.kwargs["player_id"]).exists():
            raise NotThereError

    @idempotent
    def create(self, request: ApiRequest, club_id: UUID) -> Response:
        """Add a player."""
        person = self.validated_data
        new = NewPlayer(kind=person.pop("kind", PlayerKind.MEMBER), person=person)
        player = members.add_player(club_id=club_id, new=new, by=request.by, at=request.at)
        return self.answer(player, location=f"{request.path}/{player.pk}")

    def retrieve(self, request: ApiRequest, **ids: UUID) -> Response:
        """Read a player; for a duplicate, the player they turned out to be."""
        return super().retrieve(request, **ids)

    @idempotent(if_match=True)
    def partial_update(self, request: ApiRequest, club_id: UUID, player_id: UUID) -> Response:
        """Change a player, or say that they left or came back."""
        self.check_player()
        player = members.change_player(
            player_id=player_id,
            changes=self.validated_data,
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(player)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def merge(self, request: ApiRequest, club_id: UUID, player_id: UUID) -> Response:
        """Say that a player is another one; all results are the other's then.

        The answer is the player who remains.
        """
        self.check_player()
        player = members.merge_player(
            player_id=player_id,
            into=self.validated_data["into"],
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(player)

    @action(detail=True, methods=["delete"])
    @idempotent(if_match=True)
    def person(self, request: ApiRequest, club_id: UUID, player_id: UUID) -> Response:
        """Erase the person: name and contact are gone, results and the trail stay.

        So are names that the player had before, names in records, reasons and notes of the club,
        and the files of its jobs. Players who went with an import that was undone can be erased
        by their identifiers as well.
        """
        self.check_player(Player.all_objects)
        player = members.erase_person(
            player_id=player_id, version=request.if_match, by=request.by, at=request.at
        )
        return self.answer(player)


def get_player(request: ApiRequest, player_id: UUID) -> Player:
    """Return a player of the club that the URL names. Raises NotThereError."""
    player = selectors.player(request.club, player_id)
    if player is None:
        raise NotThereError
    return player
