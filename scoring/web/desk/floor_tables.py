"""The tables of a round as a director sees them: who sits where, how far they are, what waits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from statistics import median
from typing import Final
from uuid import UUID

from django.db.models import Max, Prefetch, Q

from engine.core.seats import DEFAULT_SEATS
from engine.rules.rules import plays_for_chips
from engine.settlement.game_end import hands_until_even
from scoring.models import Game, Hand, Phase, Sitting, State
from scoring.models.states import read_state
from scoring.settlement.plan import rules_of
from tournaments.models import Event, Round
from tournaments.people.display_names import table_names
from tournaments.web.number_format import format_number

BEHIND: Final = 2
"""Hands behind the middle table that make a table slow."""
PATIENCE: Final = timedelta(minutes=10)
"""Nobody is slow who entered something so shortly ago."""
HEARD_WITHIN: Final = timedelta(minutes=15)
"""A phone that is open and has a network is heard of more often: each ten minutes at least."""


@dataclass(frozen=True, slots=True)
class TableProgress:
    """The progress of a table: hands entered, since when it plays, when it last entered one."""

    hands: int
    began_at: datetime
    last_at: datetime | None
    is_done: bool


def find_slow(tables: Sequence[TableProgress], at: datetime) -> list[bool]:
    """For each table whether it needs a look: it is behind, or silent for twice the usual time.

    >>> from datetime import UTC
    >>> start = datetime(2026, 11, 20, 19, 30, tzinfo=UTC)
    >>> now = start + timedelta(minutes=40)
    >>> find_slow([TableProgress(4, start, now, False), TableProgress(4, start, now, False),
    ...       TableProgress(1, start, start + timedelta(minutes=15), False)], now)
    [False, False, True]
    """
    if not tables:
        return []
    middle = median(table.hands for table in tables)
    paces = [
        (table.last_at - table.began_at) / table.hands
        for table in tables
        if table.last_at and table.hands
    ]
    usual = sorted(paces)[len(paces) // 2] if paces else PATIENCE
    limit = max(PATIENCE, 2 * usual)
    return [
        not table.is_done
        and (table.hands + BEHIND <= middle or (table.last_at or table.began_at) < at - limit)
        for table in tables
    ]


_OVER: Final = (Phase.OVER, Phase.CLOSED, Phase.OFFICIAL)
_STEPS_MAX: Final = 12
"""So many hands of a round are drawn one by one."""


@dataclass(frozen=True, slots=True)
class FloorSeat:
    """A person in a seat, by the name used at the table, and their chips or points."""

    seat: str
    name: str
    has: str


@dataclass(frozen=True, slots=True)
class FloorTable(TableProgress):
    """One table of a round that plays, or of one that has been played.

    ``recorded`` counts all its hands, ``hands`` those of the round (DEC-4), of which there are
    ``par``. ``pot`` is None where nobody plays for chips; ``has_jackpot``: it was carried.
    ``waiting`` hands wait for a second seat, or for an earlier hand. ``is_adjourned``: it is to be
    finished another day, on ``finish_on`` if that is known; its round need not wait for it.
    ``even_in`` is after how many hands it is fair to stop, 0 now; None where that is not within
    the round.
    """

    round: int
    number: int
    game: UUID
    seats: Sequence[FloorSeat]
    recorded: int
    par: int
    pot: int | None
    has_jackpot: bool
    disputed: Sequence[Hand]
    waiting: Sequence[Hand]
    is_closed: bool
    is_adjourned: bool = False
    finish_on: date | None = None
    even_in: int | None = None
    is_slow: bool = False
    silent_minutes: int = 0
    """How long no phone of the table was heard of, once that is longer than `HEARD_WITHIN`."""

    @property
    def hand(self) -> int:
        """The hand of the round that is played; of a table that is done, the last one."""
        return self.hands if self.is_done else min(self.hands + 1, self.par)

    @property
    def steps(self) -> list[str]:
        """Each hand of the round: "played", "now" or "to come"; empty if there are many."""
        if self.par > _STEPS_MAX:
            return []
        now = self.hands if not self.is_done else -1
        return [
            "played" if number < self.hands else "now" if number == now else "to come"
            for number in range(self.par)
        ]

    @property
    def key(self) -> str:
        """The number of the table, which an adjourned one may share with one that is played."""
        return f"{self.round}.{self.number}" if self.is_adjourned else str(self.number)

    @property
    def has_rivals(self) -> bool:
        """Whether two records of a hand differ."""
        return any(hand.rival_id is not None for hand in self.disputed)

    def name_at(self, seat: int | None) -> str | None:
        """Return who sits in a seat by its number; None for a device of the whole table."""
        return None if seat is None or seat >= len(self.seats) else self.seats[seat].name


def find_tables(event: Event, row: Round | None, at: datetime) -> list[FloorTable]:
    """Return the tables of a round with their games, by number, then adjourned ones of others.

    Four queries, or one where there are none.
    """
    adjourned = Q(
        table__round__event=event,
        table__adjourned_at__isnull=False,
        phase__in=(Phase.OPEN, Phase.OVER),
    )
    sitting = Sitting.objects.filter(last=None).order_by("seat").select_related("player__person")
    games = (
        Game.objects.filter(adjourned if row is None else adjourned | Q(table__round=row))
        .select_related("table__round")
        .annotate(heard_at=Max("links__used_at"))
        .prefetch_related(
            Prefetch("hand_rows", Hand.objects.order_by("number", "id")),
            Prefetch("sittings", sitting),
        )
        .order_by("-table__round__number", "table__number", "opened_at")
    )
    tables = [_table(game, event.hands) for game in games]
    silent = [at - game.heard_at if game.heard_at else timedelta() for game in games]
    return [
        replace(
            table,
            is_slow=is_slow,
            silent_minutes=int(time.total_seconds() // 60)
            if time > HEARD_WITHIN and not table.is_done
            else 0,
        )
        for table, is_slow, time in zip(tables, find_slow(tables, at), silent, strict=True)
    ]


def _table(game: Game, par: int) -> FloorTable:
    assert game.table is not None
    hands = [hand for hand in game.hand_rows.all() if hand.state != State.TAKEN_BACK]
    state = read_state(game.state)
    if game.boards_alike:
        # The game's own state is that in which its next board begins.
        afters = [
            hand.after for hand in hands if hand.rival_id is None and hand.number == game.hands
        ]
        state = read_state(afters[0] if afters else game.start)
    rules = rules_of(game)
    for_chips = plays_for_chips(rules)
    has, seats = state.chips if for_chips else state.totals, DEFAULT_SEATS[game.players]
    sittings = list(game.sittings.all())
    names = table_names([sitting.player for sitting in sittings])
    disputed = [hand for hand in hands if hand.state == State.DISPUTED or hand.director_called_at]
    drafts = [hand for hand in hands if hand.state == State.DRAFT and hand.rival_id is None]
    is_adjourned = game.table.adjourned_at is not None and game.phase in (Phase.OPEN, Phase.OVER)
    is_done = (
        is_adjourned or game.phase in _OVER or (game.counted >= par and not disputed and not drafts)
    )
    even_in = None if is_done or game.boards_alike else hands_until_even(rules, state)
    early = [hand for hand in hands if hand.number > game.hands and hand not in disputed]
    return FloorTable(
        round=game.table.round.number,
        number=game.table.number,
        game=game.pk,
        seats=[
            FloorSeat(seats[one.seat], name, format_number(has[one.seat]))
            for one, name in zip(sittings, names, strict=True)
        ],
        hands=game.counted,
        recorded=game.hands,
        par=par,
        pot=state.pot if for_chips else None,
        has_jackpot=state.jackpot > 0,
        began_at=game.opened_at,
        last_at=max((hand.entered_at for hand in hands), default=None),
        disputed=disputed,
        waiting=[hand for hand in hands if hand in drafts or hand in early],
        is_done=is_done,
        is_adjourned=is_adjourned,
        finish_on=game.table.finish_on if is_adjourned else None,
        is_closed=game.phase in (Phase.CLOSED, Phase.OFFICIAL),
        even_in=None if even_in is None or game.counted + even_in > par else even_in,
    )
