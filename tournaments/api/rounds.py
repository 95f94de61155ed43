"""Rounds: proposed, drawn, seated by hand, and who sits where."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import date, datetime
from typing import TypedDict, cast
from uuid import UUID

from rest_framework.response import Response

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.idempotency import idempotent
from tournaments.api.openapi import example
from tournaments.api.serializers import (
    BooleanField,
    IntegerField,
    ListField,
    StrictSerializer,
    UUIDField,
)
from tournaments.api.views import ApiRequest, EventViewSetBase
from tournaments.core.errors import NotThereError
from tournaments.events import rounds, seating
from tournaments.events.entries import ENTRIES_MAX
from tournaments.events.rounds import ByHand
from tournaments.events.seating import DrawProposal, DrawRequest
from tournaments.models import Entry, Round, Stage
from tournaments.models.limits import ROUNDS_MAX
from tournaments.movements import Certificate, RoundSeating


@example({"rounds": 5})
class DrawSerializer(StrictSerializer):
    """Which rounds are drawn."""

    rounds = IntegerField(
        required=False,
        min_value=1,
        max_value=ROUNDS_MAX,
        help_text="How many; else what is usual.",
    )
    attempt = IntegerField(
        required=False, min_value=0, max_value=1000, help_text="Another number is another draw."
    )
    expected = BooleanField(
        required=False, help_text="Also those who are entered and not here yet."
    )


class PlayersSerializer(StrictSerializer):
    """How many play."""

    players = IntegerField(
        required=False,
        min_value=1,
        max_value=ENTRIES_MAX,
        help_text="Else those who are entered.",
    )


@example(
    {
        "tables": [
            [
                "0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e",
                "0193f0a5-1c2d-7e3f-8a4b-5c6d7e8f9a0b",
                "0193f0a5-2b3c-7d4e-9f50-617283940a1b",
                "0193f0a5-3c4d-7e5f-8061-728394a5b6c7",
            ]
        ]
    }
)
class SeatingSerializer(StrictSerializer):
    """A round that is seated by hand."""

    tables = ListField(
        child=ListField(child=UUIDField(), min_length=3, max_length=6),
        max_length=300,
        help_text="In seat order.",
    )
    sit_outs = ListField(child=UUIDField(), max_length=1000, required=False)


class SeatOut(TypedDict):
    """An entry in its place."""

    entry: UUID
    number: int
    name: str


class TableOut(TypedDict):
    """A table; its seats in order, the first deals first.

    ``is_adjourned``: it is to be finished another day, on ``finish_on`` if that is known.
    """

    id: UUID | None
    number: int
    seats: list[SeatOut]
    boards: list[int]
    games: list[UUID]
    is_adjourned: bool
    finish_on: date | None


class CertificateOut(TypedDict, total=False):
    """The measures of a seating; empty where it was not judged.

    ``repeats`` are meetings beyond the first one of a pair, ``quality`` is the sum over all pairs
    of C(meetings, 2), ``bound`` the least that is possible under ``conditions``.
    """

    entrants: int
    rounds: int
    repeats: int
    quality: int
    bound: int
    conditions: list[str]
    most_meetings: int
    unmet: int
    fewest_rivals: int | None
    seats: list[int]
    seat_spread: int
    sit_outs: int
    odd_tables: int
    beside: int
    same_table: int
    together: int
    teams: list[int] | None


class RoundOut(TypedDict):
    """A round. ``says`` is its certificate in plain words, that of the whole movement.

    ``outdated`` says why a draw does not fit any more: somebody came or left since.
    """

    number: int
    stage: str | None
    tables: list[TableOut]
    sit_outs: list[SeatOut]
    certificate: CertificateOut
    says: list[str]
    paired_on: int | None
    outdated: str | None
    started_at: datetime | None
    closed_at: datetime | None


class RoundList(TypedDict):
    """Rounds in order."""

    items: list[RoundOut]


class RepeatFreeOut(TypedDict):
    """``rounds`` without a repeat meeting are planned from any seed; ``at_most`` is proved.

    It holds where everybody plays from the first round on and no wishes stand against it.
    """

    players: int
    rounds: int
    at_most: int
    sentence: str


class SeatingViewSet(EventViewSetBase):
    """What a draw would give."""

    parameters = {"retrieve": DrawSerializer}
    outputs = {"retrieve": RoundList}
    rights = {"retrieve": Right.EVENTS_EDIT}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Propose a seating of the rounds to come with its certificate; nothing is written."""
        wanted = DrawRequest(**self.read_parameters())
        proposal = seating.propose(event_id=event_id, wanted=wanted)
        return Response({"items": proposal_out(proposal, request.rights)})


class RepeatFreeRoundsViewSet(EventViewSetBase):
    """How many rounds bring nobody together twice."""

    parameters = {"retrieve": PlayersSerializer}
    outputs = {"retrieve": RepeatFreeOut}
    rights = {"retrieve": Right.CLUB_READ}

    def retrieve(self, request: ApiRequest, event_id: UUID) -> Response:
        """Tell how many planned rounds there can be without a repeat meeting."""
        wanted = self.read_parameters().get("players")
        players, found = seating.count_repeat_free_rounds(self.event, wanted)
        out: RepeatFreeOut = {
            "players": players,
            "rounds": found.rounds,
            "at_most": found.at_most,
            "sentence": found.sentence,
        }
        return Response(out)


class RoundViewSetBase(EventViewSetBase):
    """The base of viewsets whose URL names a round."""

    queryset = Round.objects.all()
    lookup_url_kwarg = "number"
    lookup_value_converter = "int"

    def answer_round(self, number: int) -> Response:
        """Return a round as it stands. Raises NotThereError."""
        rows = selectors.rounds(self.event).filter(number=number)
        found = rounds_out(rows, self.request.rights)
        if not found:
            raise NotThereError
        return Response(found[0])


class RoundViewSet(RoundViewSetBase):
    """The rounds of an event."""

    pagination_class = None
    inputs = {"create": DrawSerializer, "update": SeatingSerializer}
    outputs = {
        "list": RoundList,
        "create": RoundList,
        "retrieve": RoundOut,
        "update": RoundOut,
    }
    rights = {
        "list": Right.CLUB_READ,
        "retrieve": Right.CLUB_READ,
        "create": Right.EVENTS_EDIT,
        "update": Right.EVENTS_EDIT,
    }

    def list(self, request: ApiRequest, event_id: UUID) -> Response:
        """List all rounds that are drawn, with who sits where."""
        return Response({"items": rounds_out(selectors.rounds(self.event), request.rights)})

    def retrieve(self, request: ApiRequest, event_id: UUID, number: int) -> Response:
        """Show a round."""
        return self.answer_round(number)

    @idempotent
    def create(self, request: ApiRequest, event_id: UUID) -> Response:
        """Draw the rounds to come; those that have begun stay as they are."""
        drawn = rounds.draw(
            event_id=event_id,
            wanted=DrawRequest(**self.validated_data),
            version=None,
            by=request.by,
            at=request.at,
        )
        rows = selectors.rounds(self.event).filter(number__in=[row.number for row in drawn])
        return Response({"items": rounds_out(rows, request.rights)}, 201)

    @idempotent
    def update(self, request: ApiRequest, event_id: UUID, number: int) -> Response:
        """Seat a round that has not begun by hand."""
        wanted = ByHand(number=number, **self.validated_data)
        rounds.seat_by_hand(event_id=event_id, wanted=wanted, by=request.by, at=request.at)
        return self.answer_round(number)


def rounds_out(
    rows: Iterable[Round],
    rights: AbstractSet[Right],
    outdated: Mapping[int, str] | None = None,
) -> list[RoundOut]:
    """Rounds as data; they were read with their tables, seats and sit-outs.

    ``outdated`` is what `outdated_draws` returns, if that is known already.
    """
    found = list(rows)
    if outdated is None:
        is_drawn = any(row.stage == Stage.DRAWN for row in found)
        outdated = rounds.outdated_draws(found[0].event) if is_drawn else {}
    return [_round(row, rights, outdated) for row in found]


def _round(row: Round, rights: AbstractSet[Right], outdated: Mapping[int, str]) -> RoundOut:
    tables: list[TableOut] = [
        {
            "id": table.pk,
            "number": table.number,
            "seats": [_seat(seat.entry, rights) for seat in table.seats.all()],
            "boards": table.boards,
            "games": [game.pk for game in table.games.all()],
            "is_adjourned": table.is_adjourned,
            "finish_on": table.finish_on if table.is_adjourned else None,
        }
        for table in row.tables.all()
    ]
    certificate = row.certificate
    return {
        "number": row.number,
        "stage": row.stage,
        "tables": tables,
        "sit_outs": [_seat(out.entry, rights) for out in row.sit_outs.all()],
        "certificate": cast("CertificateOut", certificate),
        "says": list(Certificate.from_data(certificate).sentences()) if certificate else [],
        "paired_on": row.paired_on,
        "outdated": outdated.get(row.number),
        "started_at": row.started_at,
        "closed_at": row.closed_at,
    }


def _seat(entry: Entry, rights: AbstractSet[Right]) -> SeatOut:
    name = selectors.shown_name(entry.player, in_full=Right.NAMES_READ in rights)
    return {"entry": entry.pk, "number": entry.number, "name": name}


def proposal_out(proposal: DrawProposal, rights: AbstractSet[Right]) -> list[RoundOut]:
    """A proposal as data, like the rounds that it would become."""
    return [
        _proposal_out(proposal, number, round_, rights)
        for number, round_ in enumerate(proposal.rounds, proposal.first)
    ]


def _proposal_out(
    proposal: DrawProposal, number: int, round_: RoundSeating, rights: AbstractSet[Right]
) -> RoundOut:
    entries = proposal.hall.entries
    numbers = seating.number_tables(proposal.hall.event, len(round_.tables))
    tables: list[TableOut] = [
        {
            "id": None,
            "number": place,
            "seats": [_seat(entries[entrant], rights) for entrant in entrants],
            "boards": rounds.boards_in(proposal.hall.event, number),
            "games": [],
            "is_adjourned": False,
            "finish_on": None,
        }
        for place, entrants in zip(numbers, round_.tables, strict=True)
    ]
    return {
        "number": number,
        "stage": None,
        "tables": tables,
        "sit_outs": [_seat(entries[sit_out], rights) for sit_out in round_.sit_outs],
        "certificate": cast("CertificateOut", proposal.certificate.to_data()),
        "says": list(proposal.certificate.sentences()),
        "paired_on": proposal.paired_on,
        "outdated": None,
        "started_at": None,
        "closed_at": None,
    }
