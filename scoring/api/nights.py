"""Rounds as they are played: begun with a game at every table, closed; and the end of a night."""

from typing import TypedDict
from uuid import UUID

from django.shortcuts import get_object_or_404
from rest_framework.decorators import action
from rest_framework.response import Response

from scoring.games import assign_to_event, nights
from scoring.games.assign_to_event import Where
from scoring.games.nights import Adjournment, Permutation
from scoring.games.undo_round_start import undo_round_start
from scoring.models import Game
from tournaments.access.rights import Right, admit
from tournaments.api.events import EventSerializer, ReasonSerializer
from tournaments.api.idempotency import OneTimeResponse, idempotent
from tournaments.api.openapi import example
from tournaments.api.rounds import RoundOut, RoundViewSetBase
from tournaments.api.serializers import (
    BooleanField,
    CharField,
    DateField,
    IntegerField,
    ListField,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.events import events
from tournaments.models import Event, Table
from tournaments.models.limits import REASON_MAX, ROUNDS_MAX, TABLE_NUMBER_MAX


@example({"why": "Table 3 stopped after two hands."})
class ClosingSerializer(StrictSerializer):
    """The reason, where one is needed."""

    why = CharField(required=False, allow_blank=True, max_length=REASON_MAX)


@example({"game": "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e", "round": 2, "table": 3})
class EventGameSerializer(StrictSerializer):
    """A game of the club, and where it belongs in the event."""

    game = UUIDField()
    round = IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=ROUNDS_MAX,
        help_text="Else the first with room.",
    )
    table = IntegerField(
        required=False,
        allow_null=True,
        min_value=1,
        max_value=TABLE_NUMBER_MAX,
        help_text="Else the next free.",
    )
    closes = BooleanField(required=False, help_text="Whether the game is closed too, as is usual.")


@example(
    {
        "entries": [
            "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
            "0193f0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
            "0193f0a5-2b3c-7d4e-9f50-617283940a1b",
            "0193f0a5-3c4d-7e5f-8061-728394a5b6c7",
        ],
        "why": "Ann and Ben sat in each other's seats.",
    }
)
class TableSeatsSerializer(StrictSerializer):
    """Who really sat at a table."""

    entries = ListField(
        child=UUIDField(),
        min_length=3,
        max_length=6,
        help_text="Who really sat there, in seat order.",
    )
    why = CharField(max_length=REASON_MAX)


@example({"why": "Ben had to catch his train.", "finish_on": "2026-12-04"})
class AdjournmentSerializer(StrictSerializer):
    """Why a table is finished another day, and on which."""

    why = CharField(max_length=REASON_MAX)
    finish_on = DateField(
        required=False, allow_null=True, help_text="By the club's clock; left out if unknown."
    )


class StartedTable(TypedDict):
    """A table that plays, and its game."""

    table: int
    game: UUID


class StartedRound(TypedDict):
    """A round that has begun. ``tokens`` open the tables' links, one a line, by table; once."""

    number: int
    tables: list[StartedTable]
    tokens: str | None


class PlaceOut(TypedDict):
    """Where a game is in an event."""

    game: UUID
    round: int
    table: int


class TakenOut(TypedDict):
    """A game that is in no event any more."""

    game: UUID


class RoundPlayViewSet(RoundViewSetBase):
    """A round as it is played."""

    inputs = {"close": ClosingSerializer, "take_back": ClosingSerializer}
    outputs = {"start": StartedRound, "close": RoundOut, "take_back": RoundOut}
    statuses = {"start": (201,)}
    rights = {
        "start": Right.GAMES_OPEN,
        "close": Right.GAMES_OPEN,
        "take_back": Right.GAMES_OPEN,
    }

    @action(detail=True, methods=["post"])
    @idempotent
    def start(self, request: ApiRequest, event_id: UUID, number: int) -> Response:
        """Begin a drawn round: a game at every table, and a link for its phones."""
        started = nights.start_round(event_id=event_id, number=number, by=request.by, at=request.at)
        tables: list[StartedTable] = [
            {"table": table.number, "game": game.pk} for table, game in started.games
        ]
        tokens = "\n".join(made.token for made in started.links)
        return OneTimeResponse({"number": number, "tables": tables}, {"tokens": tokens}, status=201)

    @action(detail=True, methods=["post"])
    @idempotent
    def close(self, request: ApiRequest, event_id: UUID, number: int) -> Response:
        """Close a round with its games; what is not played to the end needs a reason."""
        why = self.validated_data.get("why", "")
        nights.end_round(event_id=event_id, number=number, why=why, by=request.by, at=request.at)
        return self.answer_round(number)

    @action(detail=True, methods=["post"], url_path="take-back")
    @idempotent
    def take_back(self, request: ApiRequest, event_id: UUID, number: int) -> Response:
        """Let a round be only drawn again, as long as none of its tables has told anything."""
        why = self.validated_data.get("why", "")
        undo_round_start(event_id=event_id, number=number, why=why, by=request.by, at=request.at)
        return self.answer_round(number)


class EventEndViewSet(EventViewSetBase):
    """The end of an event."""

    queryset = Event.objects.all()
    serializer_class = EventSerializer
    lookup_url_kwarg = "event_id"
    lookup_value_converter = "uuid"
    version_field = "version"
    inputs = {
        "end": ClosingSerializer,
        "end_corrections": ReasonSerializer,
        "reopen": ReasonSerializer,
    }
    rights = {
        "end": Right.EVENTS_EDIT,
        "finish": Right.EVENTS_EDIT,
        "end_corrections": Right.EVENTS_EDIT,
        "official": Right.EVENTS_EDIT,
        "reopen": Right.EVENTS_EDIT,
    }

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def end(self, request: ApiRequest, event_id: UUID) -> Response:
        """End a night in one step: close what is played, and let the results be official.

        Where results could still be corrected, `why` says why that time ends now. Rounds that have
        not begun are not played.
        """
        admit(request.asker, request.place, Right.GAMES_OPEN)
        event = nights.close_and_make_official(
            event_id=event_id,
            why=self.validated_data.get("why", ""),
            version=request.if_match,
            by=request.by,
            at=request.at,
        )
        return self.answer(event)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def finish(self, request: ApiRequest, event_id: UUID) -> Response:
        """Say that the playing is over; results can still be corrected."""
        event = nights.finish_night(
            event_id=event_id, version=request.if_match, by=request.by, at=request.at
        )
        return self.answer(event)

    @action(detail=True, methods=["post"], url_path="end-corrections")
    @idempotent(if_match=True)
    def end_corrections(self, request: ApiRequest, event_id: UUID) -> Response:
        """End the correction period early; results can be official at once."""
        event = events.end_corrections(
            event_id=event_id,
            version=request.if_match,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return self.answer(event)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def official(self, request: ApiRequest, event_id: UUID) -> Response:
        """Let the results be official."""
        event = nights.make_night_official(
            event_id=event_id, version=request.if_match, by=request.by, at=request.at
        )
        return self.answer(event)

    @action(detail=True, methods=["post"])
    @idempotent(if_match=True)
    def reopen(self, request: ApiRequest, event_id: UUID) -> Response:
        """Open an event again that was finished or official."""
        event = nights.reopen_night(
            event_id=event_id,
            version=request.if_match,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return self.answer(event)


class EventGameViewSet(EventViewSetBase):
    """The games of an event that were played and written down elsewhere."""

    queryset = Game.objects.all()
    lookup_url_kwarg = "game_id"
    lookup_value_converter = "uuid"
    inputs = {"create": EventGameSerializer, "destroy": ReasonSerializer}
    outputs = {"create": PlaceOut, "destroy": TakenOut}
    rights = {"create": Right.EVENTS_EDIT, "destroy": Right.EVENTS_EDIT}

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Make a game of the club part of the event; its players are entered, if they were not."""
        sent = dict(self.validated_data)
        game = sent.pop("game")
        spot = assign_to_event.place_game(
            event_id=event_id, game_id=game, where=Where(**sent), by=request.by, at=request.at
        )
        return Response({"game": game, "round": spot.round, "table": spot.table}, 201)

    @idempotent
    def destroy(self, request: ApiRequest, event_id: UUID, game_id: UUID) -> Response:
        """Take a game out again; it stays a game of the club."""
        assign_to_event.take_out_game(
            event_id=event_id,
            game_id=game_id,
            by=request.by,
            at=request.at,
            **self.validated_data,
        )
        return Response({"game": game_id})


class TableSeatsViewSet(RoundViewSetBase):
    """Who sat where at a table."""

    inputs = {"update": TableSeatsSerializer}
    outputs = {"update": RoundOut}
    rights = {"update": Right.GAMES_OPEN}

    @idempotent
    def update(self, request: ApiRequest, event_id: UUID, table_id: UUID) -> Response:
        """Put right who sat where, all seats at once; hands stay with the seats."""
        tables = Table.objects.select_related("round")
        table = get_object_or_404(tables, pk=table_id, round__event=self.event)
        nights.permute_seats(
            table_id=table_id,
            permutation=Permutation(**self.validated_data),
            by=request.by,
            at=request.at,
        )
        return self.answer_round(table.round.number)


class TableAdjournmentViewSet(RoundViewSetBase):
    """A table that is finished another day."""

    inputs = {"update": AdjournmentSerializer, "end": ClosingSerializer}
    outputs = {"update": RoundOut, "destroy": RoundOut, "end": RoundOut}
    rights = {
        "update": Right.GAMES_OPEN,
        "destroy": Right.GAMES_OPEN,
        "end": Right.GAMES_OPEN,
    }

    @idempotent
    def update(self, request: ApiRequest, event_id: UUID, table_id: UUID) -> Response:
        """Let a table be finished another day; again changes the day and the reason.

        Its round can be closed. Standings stay provisional until its game is ended.
        """
        table, wanted = self._find_table(table_id), Adjournment(**self.validated_data)
        nights.adjourn_table(table_id=table.pk, wanted=wanted, by=request.by, at=request.at)
        return self.answer_round(table.round.number)

    @idempotent
    def destroy(self, request: ApiRequest, event_id: UUID, table_id: UUID) -> Response:
        """Let it play on in its round, as long as that is not closed."""
        table = self._find_table(table_id)
        nights.play_on(table_id=table.pk, by=request.by, at=request.at)
        return self.answer_round(table.round.number)

    @idempotent
    def end(self, request: ApiRequest, event_id: UUID, table_id: UUID) -> Response:
        """End it: its game is closed. What is not played to the end needs a reason."""
        table, why = self._find_table(table_id), self.validated_data.get("why", "")
        nights.end_table(table_id=table.pk, why=why, by=request.by, at=request.at)
        return self.answer_round(table.round.number)

    def _find_table(self, table_id: UUID) -> Table:
        tables = Table.objects.select_related("round")
        return get_object_or_404(tables, pk=table_id, round__event=self.event)
