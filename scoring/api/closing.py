"""The end of a game: closed, opened again, official."""

from typing import TypedDict
from uuid import UUID

from scoring.api.forms import WHY
from scoring.api.places import GameDoor
from scoring.games import closing
from scoring.games.closing import Closing
from scoring.ledger.payouts import GamePayout
from scoring.models import Game
from scoring.presentation.answers import GameAnswer, game_answer, seats_of
from scoring.selectors import queries
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, write
from tournaments.api.fields import Flag, Text, form

CLOSING = form(
    reason=Text(
        most=1000, lines=True, required=False, words="Needed where the rules do not end it."
    ),
    leave_out=Flag(required=False, words="Hands that are still open are void."),
)
REOPENING = form(why=WHY)


class OutcomeOut(TypedDict):
    """The money of a game in minor units, by seat and to the club; together the whole pool."""

    pool: int
    amounts: dict[str, int]
    fund: int
    jackpot: int


class ClosedGame(TypedDict):
    """A closed game, its money, and the hands that were left out."""

    game: GameAnswer
    outcome: OutcomeOut
    left_out: list[int]


class ClosingDoor(GameDoor):
    """The closing of a game."""

    @write(Right.GAMES_OPEN, takes=CLOSING, gives=ClosedGame, edits=True)
    def post(self, ask: Ask, game_id: UUID) -> Answer:
        """Close a game: the chips go back, the pool to whom it belongs."""
        wanted = Closing(version=ask.version, **ask.values)
        closed = closing.close_game(game_id=game_id, closing=wanted, by=ask.by, at=ask.at)
        data = {
            "game": game_answer(closed.game, queries.sittings(closed.game)),
            "outcome": _outcome(closed.outcome, closed.game),
            "left_out": list(closed.left_out),
        }
        return Answer(data, version=closed.game.version)


class Reopening(GameDoor):
    """A closed game opened again."""

    @write(Right.GAMES_OPEN, takes=REOPENING, gives=GameAnswer, edits=True)
    def post(self, ask: Ask, game_id: UUID) -> Answer:
        """Open a game again; everything that its closing moved goes back."""
        return _answer(
            closing.reopen_game(
                game_id=game_id,
                why=ask.values["why"],
                by=ask.by,
                at=ask.at,
                version=ask.version,
            )
        )


class Official(GameDoor):
    """A closed game made official."""

    @write(Right.GAMES_OPEN, gives=GameAnswer)
    def post(self, ask: Ask, game_id: UUID) -> Answer:
        """Make the results of a game official, once its correction period is over."""
        return _answer(closing.make_official(game_id=game_id, by=ask.by, at=ask.at))


def _answer(game: Game) -> Answer:
    return Answer(game_answer(game, queries.sittings(game)), version=game.version)


def _outcome(outcome: GamePayout, game: Game) -> OutcomeOut:
    return {
        "pool": outcome.pool,
        "amounts": dict(zip(seats_of(game), outcome.amounts, strict=True)),
        "fund": outcome.fund,
        "jackpot": outcome.jackpot,
    }
