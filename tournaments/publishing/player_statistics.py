"""Statistics of a player: sums of their games, kept so that a page need not count every hand.

The worker computes them when hands of a player's games change (`tournaments.invalidation`), as it
does standings. Kept are the sums of all games, of tables of each size, of each league, and of the
games with each opponent.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from tournaments.models import LeagueEvent, Player, Scope, TableGame
from tournaments.publishing import versions
from tournaments.publishing.documents import StandingsDocument, digest_of
from tournaments.publishing.player_lines import (
    GameSelection,
    filter_games,
    iterate_games,
    iterate_lines,
)
from tournaments.standings.exact import Fragment
from tournaments.standings.program import PROGRAM
from tournaments.statistics import Book, PlayerSummary, PlayerTally, summarise
from tournaments.statistics.sums import Key, Sum, merge


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """What chosen games say of a player; ``behind_since``: hands changed that are not in it."""

    summary: PlayerSummary
    behind_since: datetime | None = None


@dataclass(slots=True)
class _Part:
    """The counts of a player in some games, and the sums of everybody there."""

    tally: PlayerTally = field(default_factory=PlayerTally)
    usual: dict[Key, Sum] = field(default_factory=dict)


def find_statistics(player: Player, chosen: GameSelection) -> PlayerStatistics:
    """What chosen games say of a player: the kept sums, or, where none are kept, counted anew.

    Three queries, however many games, unless they are counted.
    """
    if chosen.key is not None:
        found = versions.find_latest(Scope.STATISTICS, player.pk)
        if found.snapshot is not None and found.snapshot.program == PROGRAM:
            part = found.data["parts"].get(chosen.key)
            summary = PlayerSummary() if part is None else PlayerSummary.from_json(part)
            return PlayerStatistics(summary, found.behind_since)
    return PlayerStatistics(count_statistics(player, chosen))


def count_statistics(player: Player, chosen: GameSelection) -> PlayerSummary:
    """What chosen games say of a player, counted hand by hand. Two queries."""
    book = Book().add(iterate_lines(filter_games(player, chosen)))
    return summarise(
        book.players.get(str(player.pk), PlayerTally()),
        book.everybody(),
        rival=None if chosen.opponent is None else str(chosen.opponent),
    )


def compute_statistics(player_id: UUID) -> StandingsDocument:
    """The sums of a player from results alone. Four queries.

    Raises Player.DoesNotExist also for a duplicate, and for somebody who has not played.
    """
    player = Player.objects.get(pk=player_id, merged_into=None)
    leagues = defaultdict[UUID, list[UUID]](list)
    for event, league in LeagueEvent.objects.filter(league__club=player.club_id).values_list(
        "event_id", "league_id"
    ):
        leagues[event].append(league)
    parts = defaultdict[str, _Part](_Part)
    for game, lines in iterate_games(filter_games(player, GameSelection())):
        book = Book().add(lines)
        own, usual = book.players[str(player.pk)], book.everybody()
        for key in _keys(game, leagues, book.players.keys() - {str(player.pk)}):
            parts[key].tally.merge(own)
            merge(parts[key].usual, usual)
    if not parts:
        raise Player.DoesNotExist
    data = Fragment.of(
        {
            "scope": Scope.STATISTICS.value,
            "program": PROGRAM,
            "subject": str(player.pk),
            "parts": {
                key: summarise(part.tally, part.usual, rival=_rival(key)).to_json()
                for key, part in parts.items()
            },
        }
    )
    return StandingsDocument(digest_of(data.text), lambda: data)


def _keys(
    game: TableGame, leagues: Mapping[UUID, Iterable[UUID]], others: Iterable[str]
) -> Iterator[str]:
    """The keys of all selections that a game belongs to (`GameSelection.key`)."""
    yield "all"
    yield f"size:{game.size}"
    for league in () if game.event_id is None else leagues.get(game.event_id, ()):
        yield f"league:{league}"
    for other in others:
        yield f"opponent:{other}"


def _rival(key: str) -> str | None:
    """The opponent of a selection of games with one opponent."""
    kind, _, value = key.partition(":")
    return value if kind == "opponent" else None
