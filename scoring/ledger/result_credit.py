"""The people credited with a seat's result when several players sat in it (rules.md Q62)."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q

from engine.core.chips import apportion
from engine.core.messages import Message
from engine.rules.organisation import credit_shares
from engine.rules.rules import Rules
from scoring.models import Game, Hand, Sitting, State
from tournaments.models import Player


class Share(NamedTuple):
    """A player's part of a seat's result, by weight."""

    player: Player
    weight: int


def survivor(player: Player) -> Player:
    """Return the player that a merged duplicate is now; anybody else is the same player."""
    while player.merged_into is not None:
        player = player.merged_into
    return player


def both_sat(one: Player, other: Player) -> str:
    """Why two players cannot be one: they sat in two seats of a game in the same hand.

    Two queries. Whoever sits down locks no club: what happens in the same moment is not seen.
    """
    mine, theirs = (
        Sitting.objects.filter(
            Q(player=player) | Q(player__merged_into=player), game__removed_at=None
        )
        for player in (one, other)
    )
    later = Q(last=None) | Q(last__gte=OuterRef("first"))
    earlier = Q(first__lte=OuterRef("last"))
    same = theirs.filter(later, game=OuterRef("game"))
    both = mine.filter(
        Q(Exists(same), last=None) | Q(Exists(same.filter(earlier)), last__isnull=False)
    )
    found = both.select_related("game").order_by("game_id").first()
    if found is None:
        return ""
    return Message(
        "Both played in {name}, at the same time: nobody sits in two seats.", name=found.game.name
    )


def first_players(games: Collection[Game]) -> dict[UUID, list[Player]]:
    """Return who sat down first in each seat of games. One query and merged duplicates."""
    found: dict[UUID, list[Player]] = {game.pk: [] for game in games}
    rows = Sitting.objects.filter(game__in=games, first=1).select_related("player__merged_into")
    for row in rows.order_by("seat"):
        found[row.game_id].append(survivor(row.player))
    return found


def shares(games: Mapping[Game, Rules]) -> dict[UUID, list[list[Share]]]:
    """Return the owners of each result of games with their rules, the entrant first.

    Two queries and merged duplicates. Only hands with a result count: nobody earns anything by a
    hand that was void or passed out.
    """
    sittings = Sitting.objects.filter(game__in=games).select_related("player__merged_into")
    by_seat: defaultdict[tuple[UUID, int], list[Sitting]] = defaultdict(list)
    for sitting in sittings.order_by("first"):
        by_seat[sitting.game_id, sitting.seat].append(sitting)
    settled = Hand.objects.filter(
        game__in=games, rival=None, state__in=(State.ACCEPTED, State.RULED)
    )
    numbers: defaultdict[UUID, list[int]] = defaultdict(list)
    for game_id, number in settled.order_by("number").values_list("game", "number"):
        numbers[game_id].append(number)
    return {
        game.pk: [
            _shares(
                rules,
                by_seat[game.pk, seat],
                [number for number in numbers[game.pk] if number <= game.booked],
            )
            for seat in range(game.players)
        ]
        for game, rules in games.items()
    }


def _shares(rules: Rules, sittings: Sequence[Sitting], hands: Sequence[int]) -> list[Share]:
    played = [
        survivor(sitting.player)
        for number in hands
        for sitting in sittings
        if sitting.first <= number and (sitting.last is None or number <= sitting.last)
    ]
    entrant = survivor(sittings[0].player)
    parts = credit_shares(rules, entrant, played)
    known = sorted(parts, key=lambda player: player != entrant)
    whole = max(1, len(played))
    return [Share(player, int(parts[player] * whole)) for player in known]


def divide(amount: int, among: Sequence[Share]) -> list[tuple[Player, int]]:
    """A seat's amount, divided exactly; spare units to the largest fractions, the entrant first."""
    parts = apportion(amount, [share.weight for share in among], range(len(among)))
    return [(share.player, part) for share, part in zip(among, parts, strict=True)]
