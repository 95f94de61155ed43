"""Boards of an event: their deals and the commitments to them."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from typing import TypedDict
from uuid import UUID

from rest_framework.response import Response

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import CharField, IntegerField, StrictSerializer
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.events import boards
from tournaments.events.boards import Preparation
from tournaments.events.deal_secrets import list_commitments
from tournaments.models import Board, Event
from tournaments.models.limits import ROUNDS_MAX, TABLE_NUMBER_MAX


@example({"round": 1})
class PreparationSerializer(StrictSerializer):
    """Where the deals come from."""

    records = CharField(
        required=False,
        allow_blank=True,
        raw=True,
        max_length=200_000,
        help_text="PHN or PBN with a deal each.",
    )
    table = IntegerField(
        required=False,
        min_value=1,
        max_value=TABLE_NUMBER_MAX,
        help_text="The deals are those of this table's records.",
    )
    round = IntegerField(
        required=False,
        min_value=1,
        max_value=ROUNDS_MAX,
        help_text="Only the boards of this round.",
    )


class BoardOut(TypedDict):
    """A board. ``deal`` is told to the director, and to others once the board was played.

    ``table`` is whose record tells the deal, if it comes from one; empty while that is awaited.
    ``commitment`` is the SHA-256 of the ``key`` that the deal was made from, null for a deal that
    was brought. The key is shown to nobody before the board is over at all tables.
    """

    number: int
    deal: str | None
    source: str
    table: int | None
    tables: int
    commitment: str | None
    key: str | None


class CommitmentOut(TypedDict):
    """What was published of a board's key in advance; ``key`` is null until the board is over."""

    number: int
    commitment: str
    key: str | None


class BoardList(TypedDict):
    """All boards of an event.

    ``commitments`` has every board that is or can be dealt from the event's secret, prepared or
    not: they are fixed from the moment in which the event is set up.
    """

    items: list[BoardOut]
    commitments: list[CommitmentOut]


class BoardViewSet(EventViewSetBase):
    """The prepared deals of an event."""

    pagination_class = None
    queryset = Board.objects.all()
    inputs = {"create": PreparationSerializer}
    outputs = {"list": BoardList, "create": BoardList}
    rights = {"list": Right.CLUB_READ, "create": Right.EVENTS_EDIT}

    def list(self, request: ApiRequest, event_id: UUID) -> Response:
        """List the boards of an event."""
        return Response(board_list(self.event, request.rights))

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Fix the deals: from records that are sent, a table's own, or the event's secret."""
        preparation = Preparation(**self.validated_data)
        boards.prepare_boards(
            event_id=event_id, preparation=preparation, by=request.by, at=request.at
        )
        return Response(board_list(self.event, request.rights), 201)


def board_list(event: Event, rights: AbstractSet[Right]) -> BoardList:
    """Return all boards as data, for somebody with these rights."""
    rows = Board.objects.filter(event=event).order_by("number")
    published = list_commitments(event) if event.duplicate else []
    return {
        "items": boards_out(event, rows, rights),
        "commitments": [
            {"number": one.number, "commitment": one.commitment, "key": one.key or None}
            for one in published
        ],
    }


def boards_out(event: Event, rows: Iterable[Board], rights: AbstractSet[Right]) -> list[BoardOut]:
    """Return some boards as data, for somebody with these rights."""
    played, over = selectors.boards_played(event), selectors.boards_over(event)
    is_told = Right.EVENTS_EDIT in rights
    return [
        {
            "number": row.number,
            "deal": row.deal if is_told or row.number in over else None,
            "source": row.source,
            "table": row.source_table,
            "tables": played.get(row.number, 0),
            "commitment": row.commitment or None,
            "key": row.key if row.key and row.number in over else None,
        }
        for row in boards.with_deals(rows)
    ]
