"""Rounds: proposed, drawn, seated by hand, and who sits where."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.fields import Flag, Identifier, ListOf, Whole, form
from tournaments.api.places import EventDoor, event_of
from tournaments.core.errors import NotThereError
from tournaments.events import rounds, seating
from tournaments.events.entries import ENTRIES_MOST
from tournaments.events.events import ROUNDS_MOST
from tournaments.events.rounds import ByHand
from tournaments.events.seating import DrawProposal, DrawRequest
from tournaments.models import Entry, Round
from tournaments.movements import Certificate, RoundSeating

WANTED = form(
    rounds=Whole(required=False, least=1, most=ROUNDS_MOST, words="How many; else what is usual."),
    attempt=Whole(required=False, most=1000, words="Another number is another draw."),
    expected=Flag(required=False, words="Also those who are entered and not here yet."),
)
PLAYERS = form(
    players=Whole(required=False, least=1, most=ENTRIES_MOST, words="Else those who are entered."),
)
BY_HAND = form(
    tables=ListOf(of=ListOf(of=Identifier(), least=3, most=6), most=300, words="In seat order."),
    sit_outs=ListOf(required=False, of=Identifier(), most=1000),
)


class SeatOut(TypedDict):
    """An entry in its place."""

    entry: UUID
    number: int
    name: str


class TableOut(TypedDict):
    """A table; its seats in order, the first deals first."""

    id: UUID | None
    number: int
    seats: list[SeatOut]
    boards: list[int]
    games: list[UUID]


class RoundOut(TypedDict):
    """A round. ``says`` is its certificate in plain words, that of the whole movement.

    ``outdated`` says why a draw does not fit any more: somebody came or left since.
    """

    number: int
    stage: str | None
    tables: list[TableOut]
    sit_outs: list[SeatOut]
    certificate: dict[str, Any]
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


class Seatings(EventDoor):
    """What a draw would give."""

    @read(Right.EVENTS_EDIT, gives=RoundList, query=WANTED)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """Propose a seating of the rounds to come with its certificate; nothing is written."""
        proposal = seating.propose(event_id=event_id, wanted=DrawRequest(**ask.query))
        return Answer({"items": proposal_out(proposal, ask.rights)})


class RepeatFreeRounds(EventDoor):
    """How many rounds bring nobody together twice."""

    @read(Right.CLUB_READ, gives=RepeatFreeOut, query=PLAYERS)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """Tell how many planned rounds there can be without a repeat meeting."""
        players, found = seating.count_repeat_free_rounds(event_of(ask), ask.query.get("players"))
        out: RepeatFreeOut = {
            "players": players,
            "rounds": found.rounds,
            "at_most": found.at_most,
            "sentence": found.sentence,
        }
        return Answer(dict(out))


class Rounds(EventDoor):
    """The rounds of an event."""

    @read(Right.CLUB_READ, gives=RoundList)
    def get(self, ask: Ask, event_id: UUID) -> Answer:
        """List all rounds that are drawn, with who sits where."""
        return Answer({"items": rounds_out(selectors.rounds(event_of(ask)), ask.rights)})

    @write(Right.EVENTS_EDIT, takes=WANTED, gives=RoundList, status=201)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Draw the rounds to come; those that have begun stay as they are."""
        found = rounds.draw(
            event_id=event_id,
            wanted=DrawRequest(**ask.values),
            version=None,
            by=ask.by,
            at=ask.at,
        )
        numbers = [row.number for row in found]
        rows = selectors.rounds(event_of(ask)).filter(number__in=numbers)
        return Answer({"items": rounds_out(rows, ask.rights)})


class OneRound(EventDoor):
    """A round."""

    @read(Right.CLUB_READ, gives=RoundOut)
    def get(self, ask: Ask, event_id: UUID, number: int) -> Answer:
        """Show a round."""
        return Answer(_one(ask, number))

    @write(Right.EVENTS_EDIT, takes=BY_HAND, gives=RoundOut)
    def put(self, ask: Ask, event_id: UUID, number: int) -> Answer:
        """Seat a round that has not begun by hand."""
        rounds.seat_by_hand(
            event_id=event_id,
            wanted=ByHand(number=number, **ask.values),
            by=ask.by,
            at=ask.at,
        )
        return Answer(_one(ask, number))


def _one(ask: Ask, number: int) -> RoundOut:
    found = rounds_out(selectors.rounds(event_of(ask)).filter(number=number), ask.rights)
    if not found:
        raise NotThereError
    return found[0]


def rounds_out(rows: Iterable[Round], rights: AbstractSet[Right]) -> list[RoundOut]:
    """Rounds as data; they were read with their tables, seats and sit-outs."""
    found = list(rows)
    outdated = rounds.outdated_draws(found[0].event) if found else {}
    return [_round(row, rights, outdated) for row in found]


def _round(row: Round, rights: AbstractSet[Right], outdated: Mapping[int, str]) -> RoundOut:
    tables: list[TableOut] = [
        {
            "id": table.pk,
            "number": table.number,
            "seats": [_seat(seat.entry, rights) for seat in table.seats.all()],
            "boards": table.boards,
            "games": [game.pk for game in table.games.all()],
        }
        for table in row.tables.all()
    ]
    return {
        "number": row.number,
        "stage": row.stage,
        "tables": tables,
        "sit_outs": [_seat(out.entry, rights) for out in row.sit_outs.all()],
        "certificate": row.certificate,
        "says": _says(row.certificate),
        "paired_on": row.paired_on,
        "outdated": outdated.get(row.number),
        "started_at": row.started_at,
        "closed_at": row.closed_at,
    }


def _says(certificate: dict[str, Any]) -> list[str]:
    return list(Certificate.from_data(certificate).sentences()) if certificate else []


def _seat(entry: Entry, rights: AbstractSet[Right]) -> SeatOut:
    name = selectors.shown_name(entry.player, in_full=Right.NAMES_READ in rights)
    return {"entry": entry.pk, "number": entry.number, "name": name}


def proposal_out(proposal: DrawProposal, rights: AbstractSet[Right]) -> list[RoundOut]:
    """A proposal as data, like the rounds that it would become."""
    return [
        _proposed(proposal, number, round_, rights)
        for number, round_ in enumerate(proposal.rounds, proposal.first)
    ]


def _proposed(
    proposal: DrawProposal, number: int, round_: RoundSeating, rights: AbstractSet[Right]
) -> RoundOut:
    entries = proposal.hall.entries
    numbers = seating.number_tables(proposal.hall.event, len(round_.tables))
    tables: list[TableOut] = [
        {
            "id": None,
            "number": place,
            "seats": [_seat(entries[one], rights) for one in entrants],
            "boards": rounds.boards_in(proposal.hall.event, number),
            "games": [],
        }
        for place, entrants in zip(numbers, round_.tables, strict=True)
    ]
    return {
        "number": number,
        "stage": None,
        "tables": tables,
        "sit_outs": [_seat(entries[one], rights) for one in round_.sit_outs],
        "certificate": proposal.certificate.to_data(),
        "says": list(proposal.certificate.sentences()),
        "paired_on": proposal.paired_on,
        "outdated": None,
        "started_at": None,
        "closed_at": None,
    }
