"""Games: opened, looked at, changed; who sits in them; what the books say."""

from typing import TypedDict
from uuid import UUID

from scoring.api import forms
from scoring.api.places import GameDoor, game_of, in_full
from scoring.games.opening import NewGame, SeatChange, change_game, open_game, seat_player
from scoring.ledger.transfers import CHIPS
from scoring.models import Game
from scoring.presentation.answers import (
    GameAnswer,
    TransferAnswer,
    game_answer,
    seats_of,
    transfer_answer,
)
from scoring.selectors import queries
from tournaments.access.rights import Right
from tournaments.access.visibility import visible_rows
from tournaments.api.doors import Answer, Ask, Door, read, write
from tournaments.api.fields import OneOf, changes, form


class ListedGame(TypedDict):
    """A game in a list."""

    id: UUID
    name: str
    phase: str
    hands: int
    booked: int
    version: int


PHASES = form(phase=OneOf(of=("open", "over", "closed", "official"), required=False))


class Games(Door):
    """The games of a club."""

    @read(Right.CLUB_READ, gives=ListedGame, query=PHASES, pages=True)
    def get(self, ask: Ask, club_id: UUID) -> Answer:
        """List the games of a club, in order of opening."""
        rows = visible_rows(
            queries.games(club_id), hidden=ask.sees_hidden, way="table__round__event"
        )
        if "phase" in ask.query:
            rows = rows.filter(phase=ask.query["phase"])
        return ask.page(rows, _line)

    @write(Right.GAMES_OPEN, takes=forms.OPENING, gives=GameAnswer, status=201)
    def post(self, ask: Ask, club_id: UUID) -> Answer:
        """Open a game at a table."""
        opening = NewGame(**ask.values)
        game = open_game(club_id=club_id, opening=opening, by=ask.by, at=ask.at)
        return _answer(game, location=f"/api/v1/games/{game.pk}")


class OneGame(GameDoor):
    """A game."""

    @read(Right.CLUB_READ, gives=GameAnswer)
    def get(self, ask: Ask, game_id: UUID) -> Answer:
        """Show a game: its rules, who sits where, and what the next hand inherits."""
        return _answer(game_of(ask))

    @write(Right.GAMES_OPEN, takes=changes(forms.GAME), gives=GameAnswer, edits=True)
    def patch(self, ask: Ask, game_id: UUID) -> Answer:
        """Change a game's name or, before its first hand, its house rules."""
        game = change_game(
            game_id=game_id, changes=ask.values, version=ask.version, by=ask.by, at=ask.at
        )
        return _answer(game)


class Seats(GameDoor):
    """Who sits where."""

    @write(Right.GAMES_OPEN, takes=forms.SUBSTITUTE, gives=GameAnswer)
    def post(self, ask: Ask, game_id: UUID) -> Answer:
        """Let a substitute take a seat from some hand on; the seat keeps what it has.

        From the hand of the seat's last change, or an earlier one, it puts that change right.
        """
        game = game_of(ask)
        change = SeatChange(
            seat=forms.seat_named(ask.values["seat"], game, "seat"),
            player=ask.values["player"],
            first=ask.values["first"],
            why=ask.values.get("why", ""),
        )
        seat_player(game_id=game_id, change=change, by=ask.by, at=ask.at)
        return _answer(Game.objects.get(pk=game_id))


class Books(GameDoor):
    """What the books say of a game."""

    @read(Right.CLUB_READ, gives=TransferAnswer, pages=True)
    def get(self, ask: Ask, game_id: UUID) -> Answer:
        """List every transfer of a game in order of posting, reversals included.

        Money is shown to those who may see the club's money; chips to everybody.
        """
        game = game_of(ask)
        seats = seats_of(game)
        rows = queries.transfers(game)
        if Right.MONEY_READ not in ask.rights:
            rows = rows.filter(payer__unit=CHIPS)
        return ask.page(rows, lambda row: transfer_answer(row, seats, in_full=in_full(ask)))


def _line(game: Game) -> ListedGame:
    return {
        "id": game.pk,
        "name": game.name,
        "phase": game.phase,
        "hands": game.hands,
        "booked": game.booked,
        "version": game.version,
    }


def _answer(game: Game, location: str | None = None) -> Answer:
    data = game_answer(game, queries.sittings(game))
    return Answer(data, version=game.version, location=location)
