"""Rounds as they are played: begun with a game at every table, closed; and the end of a night."""

from typing import TypedDict
from uuid import UUID

from scoring.games import assign_to_event, nights
from scoring.games.assign_to_event import Where
from scoring.games.nights import Permutation
from scoring.games.undo_round_start import take_back_round
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, write
from tournaments.api.events import EventOut, answer
from tournaments.api.fields import Flag, Identifier, ListOf, Text, Whole, form
from tournaments.api.places import EventDoor, event_of
from tournaments.api.rounds import RoundOut, rounds_out
from tournaments.core.errors import NotThereError
from tournaments.events.events import ROUNDS_MOST
from tournaments.models import Table

WHY = form(why=Text(most=300))
CLOSING = form(why=Text(required=False, most=300, least=0))
GAME = form(
    game=Identifier(),
    round=Whole(
        required=False, nullable=True, least=1, most=ROUNDS_MOST, words="Else the first with room."
    ),
    table=Whole(required=False, nullable=True, least=1, most=1000, words="Else the next free."),
    closes=Flag(required=False, words="Whether the game is closed too, as is usual."),
)
SEATS = form(
    entries=ListOf(of=Identifier(), least=3, most=6, words="Who really sat there, in seat order."),
    why=Text(most=300),
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


class Starting(EventDoor):
    """The start of a round."""

    @write(Right.GAMES_OPEN, gives=StartedRound, status=201)
    def post(self, ask: Ask, event_id: UUID, number: int) -> Answer:
        """Begin a drawn round: a game at every table, and a link for its phones."""
        started = nights.start_round(event_id=event_id, number=number, by=ask.by, at=ask.at)
        tables: list[StartedTable] = [
            {"table": table.number, "game": game.pk} for table, game in started.games
        ]
        tokens = "\n".join(made.token for made in started.links)
        data = {"number": number, "tables": tables, "tokens": None}
        return Answer(data, once={"tokens": tokens})


class RoundClosing(EventDoor):
    """The end of a round."""

    @write(Right.GAMES_OPEN, takes=CLOSING, gives=RoundOut)
    def post(self, ask: Ask, event_id: UUID, number: int) -> Answer:
        """Close a round with its games; what is not played to the end needs a reason."""
        why = ask.values.get("why", "")
        nights.end_round(event_id=event_id, number=number, why=why, by=ask.by, at=ask.at)
        return _round(ask, number)


class RoundTakingBack(EventDoor):
    """A round that was begun too early."""

    @write(Right.GAMES_OPEN, takes=CLOSING, gives=RoundOut)
    def post(self, ask: Ask, event_id: UUID, number: int) -> Answer:
        """Let a round be only drawn again, as long as none of its tables has told anything."""
        why = ask.values.get("why", "")
        take_back_round(event_id=event_id, number=number, why=why, by=ask.by, at=ask.at)
        return _round(ask, number)


class Finishing(EventDoor):
    """The end of the playing."""

    @write(Right.EVENTS_EDIT, gives=EventOut, edits=True)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Say that the playing is over; results can still be corrected."""
        event = nights.finish_night(event_id=event_id, version=ask.version, by=ask.by, at=ask.at)
        return answer(event)


class EventOfficial(EventDoor):
    """The end of the correction period."""

    @write(Right.EVENTS_EDIT, gives=EventOut, edits=True)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Let the results be official."""
        event = nights.make_night_official(
            event_id=event_id, version=ask.version, by=ask.by, at=ask.at
        )
        return answer(event)


class EventReopening(EventDoor):
    """An event goes on."""

    @write(Right.EVENTS_EDIT, takes=WHY, gives=EventOut, edits=True)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Open an event again that was finished or official."""
        event = nights.reopen_night(
            event_id=event_id, why=ask.values["why"], version=ask.version, by=ask.by, at=ask.at
        )
        return answer(event)


class EventGames(EventDoor):
    """The games of an event that were played and written down elsewhere."""

    @write(Right.EVENTS_EDIT, takes=GAME, gives=PlaceOut, status=201)
    def post(self, ask: Ask, event_id: UUID) -> Answer:
        """Make a game of the club part of the event; its players are entered, if they were not."""
        values = dict(ask.values)
        game = values.pop("game")
        spot = assign_to_event.place_game(
            event_id=event_id, game_id=game, where=Where(**values), by=ask.by, at=ask.at
        )
        return Answer({"game": game, "round": spot.round, "table": spot.table})


class OneEventGame(EventDoor):
    """A game that was put into an event."""

    @write(Right.EVENTS_EDIT, takes=WHY, gives=TakenOut)
    def delete(self, ask: Ask, event_id: UUID, game_id: UUID) -> Answer:
        """Take a game out again; it stays a game of the club."""
        assign_to_event.take_out_game(
            event_id=event_id, game_id=game_id, why=ask.values["why"], by=ask.by, at=ask.at
        )
        return Answer({"game": game_id})


class TableSeats(EventDoor):
    """Who sat where at a table."""

    @write(Right.GAMES_OPEN, takes=SEATS, gives=RoundOut)
    def put(self, ask: Ask, event_id: UUID, table_id: UUID) -> Answer:
        """Put right who sat where, all seats at once; hands stay with the seats."""
        table = Table.objects.filter(pk=table_id, round__event=event_of(ask)).first()
        if table is None:
            raise NotThereError
        nights.permute_seats(
            table_id=table_id, permutation=Permutation(**ask.values), by=ask.by, at=ask.at
        )
        return _round(ask, table.round.number)


def _round(ask: Ask, number: int) -> Answer:
    rows = selectors.rounds(event_of(ask)).filter(number=number)
    return Answer(rounds_out(rows, ask.rights)[0])
