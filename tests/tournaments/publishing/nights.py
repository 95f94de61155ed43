"""A night at a club: an event with tables that play, as directors and phones make it."""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID

from scoring.games import nights
from scoring.models import Game
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    make_club,
    make_players,
    make_rules,
    state_of,
)
from tests.scoring.club import enter as enter_hand
from tournaments import publishing
from tournaments.events import entries, events, rounds
from tournaments.events.entries import NewEntry
from tournaments.events.rounds import ByHand
from tournaments.models import Club, Entry, Player, Published, Scope, Snapshot, Stale
from tournaments.publishing import PublishOutcome
from tournaments.publishing.publisher import SETTLED

NOW = datetime(2026, 11, 21, 20, 0, tzinfo=UTC)


class Clock:
    """A clock that a test moves on."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now

    def pass_by(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


class Night:
    """An event of some players; rounds are seated by hand, in the order of entry."""

    def __init__(
        self,
        *,
        club: Club | None = None,
        players: Sequence[Player] | int = 8,
        method: str = "chips",
        **fields: Any,
    ) -> None:
        self.club = club or make_club()
        self.players = (
            make_players(self.club, players) if isinstance(players, int) else list(players)
        )
        rules = make_rules(self.club, "bicycle", {"starting_chips": "1000"})
        new = {
            "name": "Thursday",
            "starts_at": at(),
            "rule_set": rules.pk,
            "hands": 2,
            "scoring": {"method": method},
            **fields,
        }
        self.event = events.create_event(club_id=self.club.pk, new=new, by=DIRECTOR, at=at())
        self.entries = [self.enter(player) for player in self.players]
        self.clock = Clock()

    def enter(self, player: Player, **fields: Any) -> Entry:
        return entries.enter(
            event_id=self.event.pk, new=NewEntry(player=player.pk, **fields), by=DIRECTOR, at=at()
        )

    def seat(self, number: int, tables: Sequence[Sequence[Entry]] | None = None) -> list[Game]:
        """Seat a round by fours and begin it."""
        fours = tables or [self.entries[i : i + 4] for i in range(0, len(self.entries) // 4 * 4, 4)]
        seated = {one.pk for table in fours for one in table}
        wanted = ByHand(
            number=number,
            tables=[[one.pk for one in table] for table in fours],
            sit_outs=[one.pk for one in self.entries if one.pk not in seated],
        )
        rounds.seat_by_hand(event_id=self.event.pk, wanted=wanted, by=DIRECTOR, at=at())
        started = nights.start_round(event_id=self.event.pk, number=number, by=DIRECTOR, at=at())
        return [game for _, game in started.games]

    def play(self, game: Game, *hands: Sequence[int]) -> None:
        """Enter hands: what each seat captured."""
        for taken in hands:
            enter_hand(game, chip_hand(state_of(game), taken))

    def end(self, number: int) -> None:
        nights.end_round(event_id=self.event.pk, number=number, why="Late.", by=DIRECTOR, at=at())

    def publish(self) -> PublishOutcome:
        return publish(Scope.EVENT, self.event.pk, self.clock)

    def data(self) -> Any:
        return data_of(Scope.EVENT, self.event.pk)

    def totals(self) -> dict[int, str]:
        """Published totals by number of the entry."""
        numbers = {str(one.pk): one.number for one in Entry.objects.filter(event=self.event)}
        return {numbers[row["entry"]]: row["total"] for row in self.data()["rows"]}

    @property
    def version(self) -> int:
        return Published.objects.get(scope=Scope.EVENT, subject=self.event.pk).version


def publish(scope: Scope, subject: UUID, clock: Clock) -> PublishOutcome:
    clock.pass_by(1)
    return publishing.publish(scope=scope, subject=subject, clock=clock)


def publish_all(clock: Clock) -> None:
    """Until nothing is behind."""
    clock.pass_by(1)
    publishing.publish_due(clock=clock)
    assert not Stale.objects.exclude(scope=Scope.STATISTICS).exists()


def publish_statistics(clock: Callable[[], datetime]) -> None:
    """The statistics of all whose hands changed, as a quarter of an hour later."""
    publishing.publish_due(clock=lambda: clock() + SETTLED, scopes=publishing.STATISTICS)
    assert not Stale.objects.filter(scope=Scope.STATISTICS).exists()


def assert_statistics_are_right(club: Club) -> None:
    """Nobody's statistics are other than their results come to, unless they are marked."""
    behind = set(Stale.objects.filter(scope=Scope.STATISTICS).values_list("subject", flat=True))
    for player in Player.objects.filter(club=club).exclude(pk__in=behind):
        kept = Snapshot.objects.filter(
            published__scope=Scope.STATISTICS, published__subject=player.pk
        )
        cold = publishing.compute(Scope.STATISTICS, player.pk, fresh=True)
        assert [one.data for one in kept] == ([] if cold is None else [cold.text])


def data_of(scope: Scope, subject: UUID) -> Mapping[str, Any]:
    """The last published standings."""
    row = Published.objects.get(scope=scope, subject=subject)
    found: Mapping[str, Any] = json.loads(
        Snapshot.objects.get(published=row, version=row.version).data
    )
    return found


def assert_is_cold(scope: Scope, subject: UUID) -> None:
    """What is published is what the rows come to, byte for byte."""
    row = Published.objects.get(scope=scope, subject=subject)
    snapshot = Snapshot.objects.get(published=row, version=row.version)
    cold = publishing.compute(scope, subject, fresh=True)
    assert cold is not None
    assert cold.text == snapshot.data
    assert (cold.digest, cold.digest) == (row.digest, snapshot.digest)
    assert cold.inputs == row.inputs
