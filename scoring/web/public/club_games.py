"""All games of a club with their hands, and the newest hands on its first page."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404
from django.utils.functional import cached_property

from scoring.models import Game, Sitting
from scoring.presentation.game_titles import game_title
from scoring.selectors.visible_games import (
    ListedHand,
    find_newest_hands,
    list_hands,
    visible_games,
    with_cards,
)
from tournaments.access.visibility import visible_rows
from tournaments.core.name_folding import fold_text
from tournaments.models import Event, Player, Result
from tournaments.people.display_names import distinct_names
from tournaments.publishing.player_lines import list_duplicate_ids
from tournaments.selectors import is_hidden, spoken_names
from tournaments.web.base import PublicPage
from tournaments.web.club_page import ClubPage, requested_name
from tournaments.web.number_format import format_number
from tournaments.web.search import MATCHES_MAX
from tournaments.web.viewer import Viewer

_A_PAGE: Final = 20
_NUMBER: Final = re.compile(r"(?<!\w)\d{1,4}(?!\w)")
_PART: Final = re.compile(r"[^\W\d]\S* \d+|\S+")
_NEWEST: Final = 4


@dataclass(frozen=True, slots=True)
class ListedGame:
    """A game with who sits in it and its hands."""

    game: Game
    title: str
    names: list[str]
    hands: list[ListedHand]

    @property
    def with_cards(self) -> int:
        """Count the hands that are known card by card."""
        return sum(hand.has_cards for hand in self.hands)


@dataclass(frozen=True, slots=True)
class NewestHand:
    """A hand known card by card: who named which suit for how much, and who did best."""

    id: UUID
    number: int
    game: str
    bidder: str
    bid: int | None
    suit: str
    best: str
    score: str


class ClubWithHandsPage(ClubPage):
    """The first page of a club, with its newest hands; games are found as well."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        viewer, sought = self.viewer, requested_name(self.request)
        return super().get_context_data(
            newest=_newest_hands(viewer),
            found_games=_find_games(viewer, sought) if sought else [],
            **kwargs,
        )


class ClubGamesPage(PublicPage):
    """The games of a club; of one player, of one night, or those with cards where that is asked."""

    template_name = "window/games.html"

    @cached_property
    def player(self) -> Player | None:
        """The player whose games are asked for. Raises Http404 for one nobody may know of."""
        found = self._named("player", Player.objects.select_related("person", "merged_into"))
        if found is not None and not self.viewer.in_full and is_hidden(found):
            raise Http404
        return found.merged_into or found if found is not None else None

    @cached_property
    def event(self) -> Event | None:
        """The night whose games are asked for. Raises Http404 for one they may not know of."""
        found: Event | None = self._named(
            "event", visible_rows(Event.objects.all(), hidden=self.viewer.sees_hidden)
        )
        return found

    def _named(self, key: str, rows: QuerySet[Any]) -> Any:
        """A row of this club that the address asks for. Raises Http404 where there is none."""
        asked = self.request.GET.get(key, "")
        if not asked:
            return None
        try:
            return rows.get(pk=UUID(asked), club=self.viewer.club)
        except (ValueError, rows.model.DoesNotExist) as error:
            raise Http404 from error

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        viewer, player, event = self.viewer, self.player, self.event
        rows = visible_games(viewer.club, hidden=viewer.sees_hidden)
        if player is not None:
            sat = Sitting.objects.filter(player__in=list_duplicate_ids(player))
            rows = rows.filter(pk__in=sat.values("game"))
        if event is not None:
            rows = rows.filter(table__round__event=event)
        only_cards = "cards" in self.request.GET
        if only_cards:
            rows = with_cards(rows)
        turned = self.turn_to_page(rows, _A_PAGE)
        named = {"player": player, "event": event}
        asked = {key: str(row.pk) for key, row in named.items() if row is not None}
        return super().get_context_data(
            turned=turned,
            everything=urlencode(asked),
            with_cards=urlencode(asked | {"cards": "1"}),
            asked=urlencode(asked | ({"cards": "1"} if only_cards else {})),
            only_cards=only_cards,
            player=player,
            event=event,
            player_name=_name_of(player, viewer),
            games=_list_games(list(turned), viewer),
            **kwargs,
        )


def _name_of(player: Player | None, viewer: Viewer) -> str:
    if player is None:
        return ""
    return distinct_names(viewer.club, [player.pk], in_full=viewer.in_full)[str(player.pk)]


def _list_games(games: Sequence[Game], viewer: Viewer) -> list[ListedGame]:
    """Games with their people and hands. Five queries, however many games."""
    sat: dict[UUID, list[UUID]] = {}
    sittings = Sitting.objects.filter(game__in=[game.pk for game in games], last=None)
    for game, player in sittings.order_by("seat").values_list("game_id", "player_id"):
        sat.setdefault(game, []).append(player)
    everybody = {player for players in sat.values() for player in players}
    names = distinct_names(viewer.club, list(everybody), in_full=viewer.in_full)
    hands: dict[UUID, list[ListedHand]] = {}
    for hand in list_hands(game.pk for game in games):
        hands.setdefault(hand.game, []).append(hand)
    return [
        ListedGame(
            game=game,
            title=game_title(game),
            names=[names.get(str(player), "") for player in sat.get(game.pk, ())],
            hands=hands.get(game.pk, []),
        )
        for game in games
    ]


def _find_games(viewer: Viewer, sought: str) -> list[tuple[Game, str]]:
    """Games whose title has all words of a text; those of events only by round or table."""
    wanted = fold_text(sought.replace(",", " "))
    numbers = [int(one) for one in _NUMBER.findall(wanted)]
    is_of_event = Q(table__number__in=numbers) | Q(table__round__number__in=numbers)
    rows = visible_games(viewer.club, hidden=viewer.sees_hidden)
    rows = rows.filter(Q(table=None) | is_of_event)
    # "Round 3" is not round 30: a number stays with the word before it.
    parts = [re.compile(rf"{re.escape(one)}(?!\d)") for one in _PART.findall(wanted)]
    titled = ((row, game_title(row)) for row in rows.iterator())
    found = (
        (row, title)
        for row, title in titled
        if all(one.search(fold_text(title.replace(",", " "))) for one in parts)
    )
    return list(islice(found, MATCHES_MAX))


def _newest_hands(viewer: Viewer) -> list[NewestHand]:
    """The newest hands that are known card by card. Six queries."""
    hands = find_newest_hands(viewer.club, hidden=viewer.sees_hidden, most=_NEWEST)
    games = [game.pk for game, _hand in hands]
    results: dict[tuple[UUID, int], list[Result]] = {}
    for row in Result.objects.filter(game__in=games).select_related("game").order_by("seat"):
        results.setdefault((row.game_id, row.number), []).append(row)
    shown = [(game, hand, results.get((game.pk, hand.number), [])) for game, hand in hands]
    people = {row.player_id for _game, _hand, rows in shown for row in rows}
    named = distinct_names(viewer.club, list(people), in_full=viewer.in_full)
    names = spoken_names(named)
    return [_newest_hand(game, hand, rows, names) for game, hand, rows in shown]


def _newest_hand(
    game: Game, hand: ListedHand, rows: Iterable[Result], names: Mapping[str, str]
) -> NewestHand:
    seats = list(rows)
    bidder = next((row for row in seats if row.from_namer == 0), None)
    best = max(seats, key=lambda row: -row.score if row.game.low else row.score, default=None)
    pain = seats[0].pain if seats else ""
    return NewestHand(
        id=hand.id,
        number=hand.number,
        game=game_title(game),
        bidder="" if bidder is None else names.get(str(bidder.player_id), ""),
        bid=None if bidder is None else bidder.bid,
        suit=pain,
        best="" if best is None else names.get(str(best.player_id), ""),
        score="" if best is None else format_number(best.score, signed=not best.game.low),
    )
