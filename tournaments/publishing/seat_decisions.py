"""Read the director's decisions on seats: forfeits and assigned scores."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import NamedTuple
from uuid import UUID

from tournaments.models import DecisionKind, Result, SeatDecision
from tournaments.standings import SeatScore
from tournaments.standings.settings import exact


class HeldDecision(NamedTuple):
    """A decision that holds; ``hands`` are the first ones of a forfeit, None: those they sat in."""

    id: UUID
    game: UUID
    entry: UUID
    kind: str
    hands: int | None
    amount: Fraction | None


class OwnHands(NamedTuple):
    """A seat's result in the hands that are its entry's own."""

    score: int
    hands: int
    clean: int


@dataclass(frozen=True, slots=True)
class HeldDecisions:
    """The decisions of an event that hold, by game and entry.

    ``own`` has, by game and seat, the numbers of the hands of those who forfeited the others, and
    what they come to.
    """

    held: Mapping[tuple[UUID, UUID], HeldDecision]
    own: Mapping[tuple[UUID, UUID], tuple[frozenset[int], OwnHands]]

    def facts(self) -> tuple[object, ...]:
        """All of it as one value; nothing where nothing was decided."""
        return (sorted(self.held.values()), sorted(self.own)) if self.held else ()

    def of(self, game: UUID, entry: UUID) -> HeldDecision | None:
        """Return the decisions on an entry in a game."""
        return self.held.get((game, entry))

    def forfeits(self) -> set[UUID]:
        """The games that somebody left, or did not come to."""
        return {game for game, _ in self.own}

    def counts(self, game: UUID, entry: UUID, number: int) -> bool:
        """Whether a hand in the seat of an entry is its own."""
        known = self.own.get((game, entry))
        return known is None or number in known[0]

    def scored(self, game: UUID, entry: UUID, seat: SeatScore) -> SeatScore:
        """Return a seat's result, once decisions are heeded."""
        found = self.of(game, entry)
        if found is None:
            return seat
        if found.kind == DecisionKind.SCORE:
            return replace(seat, fixed=found.amount)
        _, own = self.own[game, entry]
        return SeatScore(seat.entry, own.score, own.hands, own.clean, forfeit=True)

    def hands_of(self, game: UUID, played: int, planned: int) -> int:
        """Count the hands of a game, as those who forfeited some of them see it.

        Where nobody played on in the seat of one of them, the game stopped with them: what was
        planned is missing.
        """
        stopped = any(
            own.hands >= played for (which, _), (_, own) in self.own.items() if which == game
        )
        return max(played, planned) if stopped else played


def decisions_of(event_id: UUID) -> list[HeldDecision]:
    """The decisions of an event that hold. One query."""
    rows = SeatDecision.objects.filter(game__event=event_id, cancelled_at=None).values_list(
        "id", "game_id", "entry_id", "kind", "hands", "amount"
    )
    return sorted(
        HeldDecision(pk, game, entry, kind, hands, exact(amount) if amount else None)
        for pk, game, entry, kind, hands, amount in rows
    )


def apply_decisions(
    decisions: Sequence[HeldDecision],
    places: Mapping[tuple[UUID, UUID], int],
    players: Mapping[UUID, UUID],
) -> HeldDecisions:
    """Heed decisions: ``places`` are seats by game and entry, ``players`` the entries' own.

    One query where there are forfeits, else none.
    """
    held = {(one.game, one.entry): one for one in decisions}
    forfeits = [one for one in decisions if one.kind == DecisionKind.FORFEIT]
    hands = _hands({one.game for one in forfeits}) if forfeits else {}
    own = {}
    for forfeit in forfeits:
        seat = places.get((forfeit.game, forfeit.entry))
        rows = [] if seat is None else hands.get((forfeit.game, seat), [])
        mine = list(_own_hands(forfeit, rows, players[forfeit.entry]))
        sums = OwnHands(
            sum(row.score for row in mine),
            sum(row.counts for row in mine),
            sum(1 for row in mine if row.is_clean),
        )
        own[forfeit.game, forfeit.entry] = (frozenset(row.number for row in mine), sums)
    return HeldDecisions(held, own)


class _Hand(NamedTuple):
    number: int
    player: UUID
    score: int
    is_clean: bool
    counts: bool


def _hands(games: Iterable[UUID]) -> dict[tuple[UUID, int], list[_Hand]]:
    """The hands of some games, by game and seat. One query."""
    rows = Result.objects.filter(game__in=games).values_list(
        "game_id", "seat", "number", "player_id", "player__merged_into_id", "score", "taken",
        "played", "counts",
    )  # fmt: skip
    found: dict[tuple[UUID, int], list[_Hand]] = defaultdict(list)
    for game, seat, number, player, survivor, score, taken, played, counts in rows:
        is_clean = taken == 0 and played
        hand = _Hand(number, survivor or player, score, is_clean, counts)
        found[game, seat].append(hand)
    return found


def _own_hands(decision: HeldDecision, rows: Iterable[_Hand], player: UUID) -> Iterator[_Hand]:
    for row in rows:
        if row.player == player if decision.hands is None else row.number <= decision.hands:
            yield row
