"""The page of a game: chips and pot hand by hand, as a table and as a plot."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final
from uuid import UUID

from django.http import Http404
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.record.game_state import GameState
from engine.rules.rule_sheet import title_of
from engine.rules.rules import plays_for_chips
from scoring.models import Decided, Game, Hand, Phase, State
from scoring.models.states import read_state
from scoring.presentation.game_titles import game_title
from scoring.presentation.seat_names import Sitters, sitters_of
from scoring.selectors import queries
from scoring.selectors.games import find_game_with_club, game_place
from scoring.settlement import plan
from scoring.settlement.replay import JudgedHand
from scoring.web.corrected_hands import CorrectionRow, corrections_shown
from scoring.web.pending_reasons import reasons_shown
from scoring.web.public.visible_hand import is_secret
from tournaments.access.rights import Place
from tournaments.core.language import translate
from tournaments.models import Table
from tournaments.tables.cells import isolate_name
from tournaments.web.base import LivePage, link_preview
from tournaments.web.number_format import format_number
from tournaments.web.plots import Plot, Series, plot
from tournaments.web.viewer import Viewer

_POLL_SECONDS: Final = 5
"""The page of a game that is being played asks for news this often."""


@dataclass(frozen=True, slots=True)
class SeatAfterHand:
    """A seat's number after a hand, and its difference from the one before."""

    total: str
    change: str
    is_gain: bool


@dataclass(frozen=True, slots=True)
class GameHandRow:
    """A hand; ``rivals`` are records that say otherwise of the same one."""

    hand: Hand
    state: str
    is_open: bool
    sentence: str
    reason: SafeString
    rulings: int
    corrections: Sequence[CorrectionRow]
    afters: list[SeatAfterHand]
    pot: str
    rivals: list[UUID]


class GamePage(LivePage):
    """A game, hand by hand."""

    template_name = "window/game.html"
    live_template = "window/hands.html"

    @cached_property
    def game(self) -> Game:
        """The game that the address names. Raises Http404."""
        game = find_game_with_club(self.kwargs["game_id"])
        if game is None:
            raise Http404
        return game

    @cached_property
    def sitters(self) -> Sitters:
        """Return present and former sitters, by the names that the viewer may know."""
        return sitters_of(self.game, in_full=self.viewer.in_full)

    def get_place(self) -> Place:
        return game_place(self.game)

    def get_facts(self) -> object:
        return self.game.version, self.sitters.everybody

    def get_live_context(self) -> dict[str, Any]:
        return _live(self.game, self.sitters, self.viewer)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        game = self.game
        names = ", ".join(isolate_name(one.name) for one in self.sitters.now())
        return super().get_context_data(
            **kwargs,
            preview=link_preview(self.request, game_title(game, isolated=True), [names]),
            **context_of(game),
            phase=str(Phase(game.phase).details),
            rules=translate(title_of(plan.rules_of(game))),
            seconds=_POLL_SECONDS if game.phase == Phase.OPEN else 0,
        )


def _live(game: Game, sitters: Sitters, viewer: Viewer) -> dict[str, Any]:
    """Return everything that changes while a game is played."""
    course = _course(game)
    for_chips = plays_for_chips(plan.rules_of(game))
    return {
        "now": sitters.now(),
        "past": [one for one in sitters.everybody if one.last is not None],
        "for_chips": for_chips,
        "booked": game.booked,
        "start": _afters(read_state(game.start), None, for_chips=for_chips),
        "start_pot": read_state(game.start).pot,
        "lines": _lines(game, course, for_chips=for_chips, viewer=viewer),
        "plot": _plot(course, read_state(game.start), sitters, for_chips=for_chips),
        "curves": [(one, f"c{number}") for number, one in enumerate(sitters.now())],
    }


def _table(game: Game) -> Table | None:
    """Return the table in an event where it is played. One query."""
    tables = Table.objects.select_related("round__event")
    return tables.filter(pk=game.table_id).first() if game.table_id else None


def _course(game: Game) -> Sequence[tuple[Hand, JudgedHand | None]]:
    """The hands in order, judged as far as they follow one another. Seven queries."""
    rows = list(queries.hands(game).filter(rival=None))
    if not rows:
        return []
    played = plan.plan_of(game, rows).hands if rows[0].number == 1 else ()
    by_number = {one.entered.number: one for one in played}
    return [(row, by_number.get(row.number)) for row in rows]


def _lines(
    game: Game,
    course: Sequence[tuple[Hand, JudgedHand | None]],
    *,
    for_chips: bool,
    viewer: Viewer,
) -> list[GameHandRow]:
    rivals: dict[int, list[UUID]] = {}
    for row in queries.hands(game).exclude(rival=None):
        rivals.setdefault(row.number, []).append(row.pk)
    rulings = _rulings(game)
    reasons = reasons_shown([row for row, _played in course], in_full=viewer.in_full)
    for row, _played in course:
        if row.state == State.DISPUTED and is_secret(game, row, viewer):
            reasons[row.pk] = SafeString()
    seen = [row for row, _played in course if row.current == 1 or not is_secret(game, row, viewer)]
    corrections = corrections_shown(seen, game.club, in_full=viewer.in_full)
    before: GameState | None = read_state(game.start)
    lines = []
    for row, played in course:
        after = None if played is None else played.carried
        lines.append(
            GameHandRow(
                hand=row,
                state=str(State(row.state).details),
                is_open=row.state in (State.DISPUTED, State.DRAFT),
                sentence="" if played is None else translate(played.sentence),
                reason=reasons[row.pk],
                rulings=rulings.get(row.pk, 0),
                corrections=corrections.get(row.pk, ()),
                afters=[] if after is None else _afters(after, before, for_chips=for_chips),
                pot="" if after is None else str(after.pot),
                rivals=rivals.get(row.number, []),
            )
        )
        before = after
    return lines


def _rulings(game: Game) -> dict[UUID, int]:
    """Return the number of rulings that hold of each hand. One query."""
    rows = Decided.objects.filter(hand__game=game, superseded_by=None, withdrawn=False)
    found: dict[UUID, int] = {}
    for hand in rows.filter(lets_stand=None).values_list("hand_id", flat=True):
        found[hand] = found.get(hand, 0) + 1
    return found


def _counts(state: GameState, *, for_chips: bool) -> tuple[int, ...]:
    return state.chips if for_chips else state.totals


def _afters(state: GameState, before: GameState | None, *, for_chips: bool) -> list[SeatAfterHand]:
    counts = _counts(state, for_chips=for_chips)
    old = counts if before is None else _counts(before, for_chips=for_chips)
    return [
        SeatAfterHand(
            total=format_number(total),
            change=format_number(total - past, signed=True) if total != past else "",
            is_gain=total > past,
        )
        for total, past in zip(counts, old, strict=True)
    ]


def _plot(
    course: Sequence[tuple[Hand, JudgedHand | None]],
    start: GameState,
    sitters: Sitters,
    *,
    for_chips: bool,
) -> Plot | None:
    """Chips against those of the start, so that small changes of large stacks are seen."""
    zero = start.chips if for_chips else (0,) * len(start.totals)
    states: list[GameState | None] = [start]
    states += [None if played is None else played.carried for _row, played in course]
    series = [
        Series(
            name=seat,
            style=f"c{place}",
            values=[
                None if state is None else _counts(state, for_chips=for_chips)[place] - zero[place]
                for state in states
            ],
        )
        for place, seat in enumerate(sitters.seats)
    ]
    if for_chips:
        pots = [None if state is None else state.pot for state in states]
        series.append(Series(_("Pot"), "pot-curve", pots))
    ticks = [_("start"), *(str(row.number) for row, _played in course)]
    return plot(series, ticks)


def context_of(game: Game) -> dict[str, Any]:
    """Return the context of the head of a page of this game."""
    return {"game": game, "table": _table(game)}
