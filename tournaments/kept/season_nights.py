"""What members played in a season, night by night: as published, and by the sums of the others."""

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from tournaments.kept.added_up import AddedUp, added_up
from tournaments.kept.published import published_nights
from tournaments.kept.season_held import Held, Played, Settled
from tournaments.models import EntryStanding
from tournaments.standings.exact import Exact, plain
from tournaments.standings.season import DROPPING, Season
from tournaments.standings.season_counting import how_many


class _Part(NamedTuple):
    """An event that a member played; ``value`` is what it brings by its weight."""

    value: Exact
    number: int
    weight: Exact
    games: int


_Brought = Mapping[str, _Part]
_NONE: Final = Played(0, 0, 0, 0)


def played_of(held: Held, best: int) -> dict[str, Played] | None:
    """What everybody played; None where an event is behind of which only publishing tells.

    ``best`` is how many events count at most. One query for events published since the last time.
    """
    fresh: list[_Brought] = []
    for one in held.behind:
        event = added_up(one.told)
        if event is None:
            return None
        weight = 1 if held.season.by_game else one.weight
        fresh.append(_brought(_lines(event, held.roll), one.number, weight))
    before = _before(held.settled, held.season, best, frozenset(held.roll))
    found = dict(before.played)
    for player in {name for brought in fresh for name in brought}:
        parts = [brought[player] for brought in fresh if player in brought]
        if held.season.rule in DROPPING:
            found[player] = _counted([*before.parts.get(player, ()), *parts], held.season, best)
        else:
            found[player] = _more(found.get(player, _NONE), parts)
    return found


class _Before(NamedTuple):
    """What was published: event by event, and together."""

    parts: Mapping[str, Sequence[_Part]]
    played: Mapping[str, Played]


@lru_cache(maxsize=128)
def _before(
    settled: tuple[Settled, ...], season: Season, best: int, roll: frozenset[str]
) -> _Before:
    nights = published_nights({one.digest: one.snapshot for one in settled})
    parts: dict[str, list[_Part]] = {}
    for one in settled:
        counted = (line for line in nights[one.digest].lines if line.counts(roll))
        lines = ((line.player, line.points, line.games) for line in counted)
        weight = 1 if season.by_game else one.weight
        for player, part in _brought(lines, one.number, weight).items():
            parts.setdefault(player, []).append(part)
    return _Before(parts, {name: _counted(one, season, best) for name, one in parts.items()})


def _lines(event: AddedUp, roll: Container[str]) -> Iterable[tuple[str, Exact, int]]:
    """What an event brings its players: points and games. Guests need to be on the roll."""
    for one in event.entries:
        is_member = one.standing == EntryStanding.PLAYER or one.player in roll
        if is_member and event.counts(one) and one.number in event.sums:
            points = event.scratch(one.number)
            if points is not None:
                yield one.player, points, event.sums[one.number].games


def _brought(
    lines: Iterable[tuple[str, Exact, int]], number: int, weight: Exact
) -> dict[str, _Part]:
    """One part for each player, of two lines where he has a duplicate."""
    found: dict[str, _Part] = {}
    for player, points, games in lines:
        part = _Part(plain(points if weight == 1 else points * weight), number, weight, games)
        known = found.get(player)
        if known is not None:
            value = plain(part.value + known.value)
            part = part._replace(value=value, games=games + known.games)
        found[player] = part
    return found


def _counted(parts: Sequence[_Part], season: Season, best: int) -> Played:
    """What some events come to, of which the worst may not count."""
    kept = parts
    if season.rule in DROPPING:
        sign = 1 if season.low else -1
        order = sorted(parts, key=lambda part: (sign * part.value, part.number))
        kept = order[: how_many(len(parts), season, best)]
    return Played(
        sum(part.value for part in kept),
        sum(part.weight for part in kept),
        len(parts),
        sum(part.games for part in parts),
    )


def _more(played: Played, parts: Iterable[_Part]) -> Played:
    """The same with some events more, where all count."""
    for part in parts:
        played = Played(
            played.value + part.value,
            played.weight + part.weight,
            played.events + 1,
            played.games + part.games,
        )
    return played
