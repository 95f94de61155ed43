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
    find_unit,
    iterate_games,
    iterate_lines,
)
from tournaments.standings.exact import Fragment
from tournaments.standings.program import PROGRAM
from tournaments.statistics import Book, PlayerSummary, PlayerTally, summarise, without_gain
from tournaments.statistics.sums import Key, Sum, merge


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    """Statistics of chosen games; ``behind_since``: hands changed that are not in them."""

    summary: PlayerSummary
    behind_since: datetime | None = None


@dataclass(slots=True)
class _Part:
    """The counts of a player in some games, and the sums of everybody there."""

    tally: PlayerTally = field(default_factory=PlayerTally)
    usual: dict[Key, Sum] = field(default_factory=dict)
    games: int = 0

    def add(self, book: Book, player: str) -> None:
        """Count a game."""
        self.tally.merge(book.players[player])
        merge(self.usual, book.everybody())
        self.games += 1

    def merge(self, other: "_Part") -> "_Part":
        """Count all of the other, and give this one back."""
        self.tally.merge(other.tally)
        merge(self.usual, other.usual)
        return self


def find_statistics(player: Player, chosen: GameSelection) -> PlayerStatistics:
    """Return statistics of chosen games: the kept sums, or, where none are kept, counted anew.

    Three queries, however many games, unless they are counted.
    """
    if chosen.key is not None:
        latest = versions.find_latest(Scope.STATISTICS, player.pk)
        if latest.snapshot is not None and latest.snapshot.program == PROGRAM:
            part = latest.data["parts"].get(chosen.key)
            summary = PlayerSummary() if part is None else PlayerSummary.from_json(part)
            return PlayerStatistics(summary, latest.behind_since)
    return PlayerStatistics(count_statistics(player, chosen))


def count_statistics(player: Player, chosen: GameSelection) -> PlayerSummary:
    """Count statistics of chosen games hand by hand. Three queries."""
    games = filter_games(player, chosen)
    book = Book().add(iterate_lines(games))
    return summarise(
        book.players.get(str(player.pk), PlayerTally()),
        book.everybody(),
        rival=None if chosen.opponent is None else str(chosen.opponent),
    )


def compute_statistics(player_id: UUID) -> StandingsDocument:
    """The sums of a player from results alone. Five queries.

    Raises Player.DoesNotExist also for a duplicate, and for somebody who has not played.
    """
    player = Player.objects.get(pk=player_id, merged_into=None)
    leagues = defaultdict[UUID, list[UUID]](list)
    for event, league in LeagueEvent.objects.filter(league__club=player.club_id).values_list(
        "event_id", "league_id"
    ):
        leagues[event].append(league)
    games, who = filter_games(player, GameSelection()), str(player.pk)
    is_mixed = find_unit(games).others > 0
    # By the unit of the games, with gains and without: what has most games tells the gains.
    gains, others = (defaultdict[tuple[str, bool], _Part](_Part) for _ in range(2))
    for game, lines in iterate_games(games):
        book = Book().add(lines)
        bare = Book().add(map(without_gain, lines)) if is_mixed else book
        for key in _keys(game, leagues, book.players.keys() - {who}):
            gains[key, game.low].add(book, who)
            if is_mixed:
                others[key, game.low].add(bare, who)
    if not gains:
        raise Player.DoesNotExist
    keys = dict.fromkeys(key for key, _low in gains)
    parts = {key: _in_one_unit(key, gains, others) for key in keys}
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


def _in_one_unit(
    key: str, gains: Mapping[tuple[str, bool], _Part], others: Mapping[tuple[str, bool], _Part]
) -> _Part:
    """Join what was counted in both units; only one of them tells gains (DEC-16)."""
    chips, points = gains.get((key, False)), gains.get((key, True))
    if chips is None or points is None:
        found = chips or points
        assert found is not None
        return found
    low = points.games > chips.games
    return gains[key, low].merge(others[key, not low])


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
