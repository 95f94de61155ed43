"""Messages of webhooks, by kind (docs/webhooks.md): never a name.

The OpenAPI document describes these types; `subscriptions` makes the data.
"""

from datetime import datetime
from typing import Literal, TypedDict


class GameMark(TypedDict):
    """A game, as of some version."""

    id: str
    version: int
    phase: str
    hands: int
    booked: int


class HandMark(TypedDict):
    """A hand, as of some version."""

    id: str
    number: int
    version: int
    state: str
    certainty: str


class EventMark(TypedDict):
    """An event, as of some version."""

    id: str
    version: int
    status: str


class RoundMark(TypedDict):
    """A round of an event."""

    number: int
    stage: str


class TableMark(TypedDict):
    """A table of a round; ``finish_on`` is the day on which it ends, null if that is not known."""

    number: int
    finish_on: str | None


class StandingsMark(TypedDict):
    """Standings ``of`` an event, a league or ratings.

    ``official`` is the version that holds, if one is official.
    """

    of: str
    id: str
    version: int
    official: int | None
    digest: str


class GameData(TypedDict):
    """A game."""

    club: str
    game: GameMark


class HandData(GameData):
    """A hand of a game."""

    hand: HandMark


class EventData(TypedDict):
    """An event."""

    club: str
    event: EventMark


class RoundData(EventData):
    """A round of an event."""

    round: RoundMark


class TableData(RoundData):
    """A table of a round."""

    table: TableMark


class StandingsData(TypedDict):
    """Standings."""

    club: str
    standings: StandingsMark


class WebhookMark(TypedDict):
    """A webhook, by its identifier."""

    id: str


class WebhookData(TypedDict):
    """A webhook itself."""

    club: str
    webhook: WebhookMark


class HandMessage(TypedDict):
    """Something happened to a hand."""

    type: Literal[
        "hand.entered",
        "hand.confirmed",
        "hand.disputed",
        "hand.ruled",
        "hand.appealed",
        "hand.corrected",
        "hand.resettled",
    ]
    timestamp: datetime
    data: HandData


class GameMessage(TypedDict):
    """Something happened to a game."""

    type: Literal["game.opened", "game.changed", "game.closed", "game.reopened", "game.official"]
    timestamp: datetime
    data: GameData


class RoundMessage(TypedDict):
    """A round began or ended."""

    type: Literal["round.started", "round.closed"]
    timestamp: datetime
    data: RoundData


class TableMessage(TypedDict):
    """A table is finished another day, or plays on in its round after all."""

    type: Literal["table.adjourned", "table.resumed"]
    timestamp: datetime
    data: TableData


class EventMessage(TypedDict):
    """An event ended, cannot change any more, goes on, or takes place on another day or not."""

    type: Literal[
        "event.finished",
        "event.official",
        "event.reopened",
        "event.cancelled",
        "event.reinstated",
        "event.moved",
        "event.removed",
    ]
    timestamp: datetime
    data: EventData


class StandingsMessage(TypedDict):
    """Standings were published, or what is official would change or has changed."""

    type: Literal["standings.published", "standings.amendment", "standings.amended"]
    timestamp: datetime
    data: StandingsData


class TestMessage(TypedDict):
    """Somebody wants to see whether messages come: nothing happened."""

    type: Literal["webhook.test"]
    timestamp: datetime
    data: WebhookData
