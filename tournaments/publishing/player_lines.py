"""Lines of statistics, from results: what players did hand by hand and table by table.

Rows are streamed game by game, so that the memory does not grow with what somebody played.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import BigIntegerField, Count, Exists, F, OuterRef, Q, QuerySet
from django.db.models import Sum as SqlSum
from django.db.models.functions import Cast, Coalesce

from engine.analysis.worth import THOUSANDTHS
from engine.core.cards import Suit
from tournaments.core.time_zones import day
from tournaments.models import Event, Player, Result, TableGame
from tournaments.standings.scales import placing
from tournaments.statistics import PlayerHandLine, Rival, Sum, TableLine, without_gain

_SUITS = {suit.letter: suit for suit in Suit}
_AT_ONCE = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSelection:
    """A selection of games: of an event, a league, tables of a size, with an opponent."""

    event: UUID | None = None
    league: UUID | None = None
    size: int | None = None
    opponent: UUID | None = None

    @property
    def key(self) -> str | None:
        """Under which the sums of these games are kept; None where they are counted when asked."""
        chosen = [
            f"{name}:{value}"
            for name, value in (
                ("event", self.event),
                ("league", self.league),
                ("size", self.size),
                ("opponent", self.opponent),
            )
            if value is not None
        ]
        if len(chosen) > 1 or self.event is not None:
            return None
        return chosen[0] if chosen else "all"


def list_duplicate_ids(player: Player) -> list[UUID]:
    """A player and their duplicates. One query."""
    return [player.pk, *player.duplicates.values_list("pk", flat=True)]


def filter_games(player: Player, chosen: GameSelection) -> QuerySet[TableGame]:
    """The games that somebody sat in, as far as they are chosen."""
    games = TableGame.objects.filter(club=player.club_id).filter(
        _has_played(list_duplicate_ids(player))
    )
    if chosen.event is not None:
        games = games.filter(event=chosen.event)
    if chosen.league is not None:
        games = games.filter(event__leagues__league=chosen.league)
    if chosen.size is not None:
        games = games.filter(size=chosen.size)
    if chosen.opponent is not None:
        both = Q(pk=chosen.opponent) | Q(merged_into=chosen.opponent)
        others = Player.objects.filter(both).values_list("pk", flat=True)
        games = games.filter(_has_played(list(others)))
    return games


def _has_played(players: Sequence[UUID]) -> Exists:
    return Exists(Result.objects.filter(game=OuterRef("pk"), player__in=players))


def iterate_lines(games: QuerySet[TableGame]) -> Iterator[PlayerHandLine | TableLine]:
    """The lines of everybody who sat in some games, in the order of play. Two queries, streamed.

    Gains are those of the games in one unit (`find_unit`); of the others no line tells a gain.
    """
    unit = find_unit(games)
    for game, lines in iterate_games(games):
        yield from lines if game.low is unit.low else map(without_gain, lines)


class GainUnit(NamedTuple):
    """The unit whose gains are added up: penalty points if ``low``, else chips.

    ``others`` are the games in the other unit.
    """

    low: bool
    others: int


def find_event_worths(event: Event, boards: Collection[int] | None) -> dict[str, Sum]:
    """The worth of the cards of everybody in an event, in thousandths, by player. One query.

    Somebody who was merged has those of the survivor: older standings name them. Of prepared deals
    only those of ``boards`` count; None for all.
    """
    rows = Result.objects.filter(game__event=event, worth__isnull=False).order_by()
    if boards is not None:
        rows = rows.filter(Q(board=None) | Q(board__in=boards))
    who = Coalesce("player__merged_into", "player")
    worth = Cast("worth", BigIntegerField())
    sums = (
        rows.annotate(who=who, exact=worth)
        .values("who", "player")
        .annotate(n=Count("exact"), total=SqlSum("exact"), squares=SqlSum(F("exact") * F("exact")))
        .values_list("who", "player", "n", "total", "squares")
    )
    found: dict[str, Sum] = {}
    for survivor, player, n, total, squares in sums:
        found.setdefault(str(survivor), Sum()).merge(Sum(n, total, squares))
        found[str(player)] = found[str(survivor)]
    return found


def find_unit(games: QuerySet[TableGame]) -> GainUnit:
    """The unit in which most of some games were played, chips if as many. One query.

    Chips and penalty points are never added (DEC-16).
    """
    counts = Counter(games.order_by().values_list("low", flat=True))
    low = counts[True] > counts[False]
    return GainUnit(low, counts[not low])


def iterate_games(
    games: QuerySet[TableGame],
) -> Iterator[tuple[TableGame, list[PlayerHandLine | TableLine]]]:
    """Some games in the order of play, each with the lines of everybody who sat in it.

    One query, streamed.
    """
    rows = (
        Result.objects.filter(game__in=games)
        .select_related("game__club", "game__event", "player")
        .order_by("game__opened_at", "game_id", "number", "seat")
    )
    counts: dict[tuple[str, str], int] = defaultdict(int)
    tables: dict[tuple[str, str], int] = defaultdict(int)
    for _, found in groupby(rows.iterator(_AT_ONCE), attrgetter("game_id")):
        of_game = list(found)
        yield of_game[0].game, list(_lines(of_game, counts, tables))


def _lines(
    rows: Sequence[Result],
    counts: dict[tuple[str, str], int],
    tables: dict[tuple[str, str], int],
) -> Iterator[PlayerHandLine | TableLine]:
    game = rows[0].game
    began = game.event.starts_at if game.event is not None else game.opened_at
    night = str(day(began, game.club.time_zone))
    nets: dict[int, Fraction] = defaultdict(Fraction)
    for _, found in groupby(rows, attrgetter("number")):
        hand = list(found)
        mean = Fraction(sum(row.score for row in hand), len(hand)) if game.low else Fraction(0)
        for row in hand:
            net = mean - row.score if game.low else Fraction(row.score)
            nets[row.seat] += net
            who = str(row.player.merged_into_id or row.player_id)
            yield _line(row, game, who, (night, counts[who, night]), net)
            counts[who, night] += 1
    yield from _tables(rows, nets, night, tables)


def _line(
    row: Result, game: TableGame, who: str, when: tuple[str, int], net: Fraction
) -> PlayerHandLine:
    names = row.from_namer == 0
    auction = not game.low
    known: dict[str, Any] = {
        "named": None if row.from_namer is None else names,
        "suit": _SUITS.get(row.pain) if auction else None,
        "jackpot": row.jackpot if auction else None,
        "played_for": row.pot if auction and row.played else None,
        "won": row.won if auction and row.played else None,
        "sharers": (row.sharers if row.won else 0) if auction and row.played else None,
    }
    return PlayerHandLine(
        player=who,
        night=when[0],
        number=when[1],
        players=game.size,
        net=net if row.played else None,
        seat=row.to_dealer + 1,
        after_namer=row.from_namer,
        captured=row.taken,
        whole=row.whole,
        bid=row.own_bid,
        paid=row.bid if names and not row.jackpot else None,
        second=row.second if names and not row.jackpot else None,
        queen=row.queen,
        insured=row.insured,
        foot=row.foot,
        worth=None if row.worth is None else Fraction(row.worth, THOUSANDTHS),
        **known,
    )


def _tables(
    rows: Sequence[Result],
    nets: dict[int, Fraction],
    night: str,
    tables: dict[tuple[str, str], int],
) -> Iterator[TableLine]:
    """Yield everybody's places; a seat counts for whoever sat in it alone."""
    sat: dict[int, set[str]] = defaultdict(set)
    for row in rows:
        sat[row.seat].add(str(row.player.merged_into_id or row.player_id))
    seats = sorted(nets)
    if len(seats) < 2 or any(len(sat[seat]) > 1 for seat in seats):
        return
    placed = [one.place for one in placing([nets[seat] for seat in seats])]
    came = [
        Rival(next(iter(sat[seat])), place, nets[seat])
        for seat, place in zip(seats, placed, strict=True)
    ]
    for one in came:
        rivals = tuple(other for other in came if other is not one)
        yield TableLine(
            player=one.player,
            night=night,
            number=tables[one.player, night],
            place=one.place,
            net=one.net,
            rivals=rivals,
        )
        tables[one.player, night] += 1
