"""Games and hands that people look for in a club, and which are known card by card."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from re import IGNORECASE
from re import compile as pattern_of
from typing import Final
from uuid import UUID

from django.db.models import Exists, F, OuterRef, QuerySet

from scoring.models import Form, Game, Hand, HandVersion, State
from tournaments.access.visibility import visible_rows
from tournaments.models import Club

_HAS_PLAY: Final = pattern_of(rb"\[\s*Play(Table)?\s", IGNORECASE)
"""The section of a record that holds the cards in the order of the play."""
_NEWEST_GAMES: Final = 16
"""Newest hands are looked for in so many games, however many a club has."""


@dataclass(frozen=True, slots=True)
class ListedHand:
    """A hand in a list; ``has_cards``: every card of its play was written down."""

    id: UUID
    game: UUID
    number: int
    has_cards: bool
    is_corrected: bool


def visible_games(club: Club, *, hidden: bool) -> QuerySet[Game]:
    """The games of a club that somebody may know of, in events or not, the newest first.

    ``hidden``: they may know of hidden events too.
    """
    rows = Game.objects.filter(club=club).select_related("table__round__event")
    seen = visible_rows(rows, hidden=hidden, way="table__round__event")
    return seen.order_by("-opened_at", "-id")


def with_cards(games: QuerySet[Game]) -> QuerySet[Game]:
    """Games of which hands were sent card by card, or as records, which may tell less."""
    sent = HandVersion.objects.filter(hand__game=OuterRef("pk"), hand__rival=None)
    return games.filter(Exists(sent.exclude(form=Form.RESULT)))


def list_hands(games: Iterable[UUID]) -> list[ListedHand]:
    """The hands of some games in their order. Two queries, however many games."""
    rows = Hand.objects.filter(game__in=list(games), rival=None, number__lte=F("game__hands"))
    rows = rows.exclude(state=State.TAKEN_BACK).order_by("game", "number")
    columns = "id", "game_id", "number", "current"
    found = list(rows.values_list(*columns))
    with_cards = _hands_with_cards([row[0] for row in found])
    return [
        ListedHand(pk, game, number, has_cards=pk in with_cards, is_corrected=current > 1)
        for pk, game, number, current in found
    ]


def _hands_with_cards(hands: Sequence[UUID]) -> set[UUID]:
    """Those of some hands whose standing version has every card played. One query."""
    versions = HandVersion.objects.filter(hand__in=hands, number=F("hand__current"))
    rows = versions.exclude(form=Form.RESULT).values_list("hand_id", "text")
    return {hand for hand, text in rows if _HAS_PLAY.search(bytes(text))}


def find_newest_hands(club: Club, *, hidden: bool, most: int) -> list[tuple[Game, ListedHand]]:
    """The newest hands that are known card by card, of as many games as there are, one of each.

    Games of prepared deals that others may still play are left out. Three queries.
    """
    games = with_cards(visible_games(club, hidden=hidden)).exclude(
        table__round__event__duplicate=True, closed_at=None
    )
    newest = {game.pk: game for game in games[:_NEWEST_GAMES]}
    last: dict[UUID, ListedHand] = {}
    for hand in list_hands(newest):
        if hand.has_cards:
            last[hand.game] = hand
    return [(game, last[pk]) for pk, game in newest.items() if pk in last][:most]
