"""A game: hand records and rulings judged in order (docs/adr/0004, rules.md section 11).

Chips, pot, jackpot, dealer, passing direction, used feet and the end of the game are nothing but
this fold; folding again from any hand gives the same.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..core.seats import Seat, left_of
from ..core.values import maker, quickly_made
from ..record.facts import SETTLING, Facts
from ..record.game_state import EndReason, GameState, beginning
from ..record.record import HandRecord
from ..record.rulings import NO_RESULT, Decision, Ruling, decides, inherit, rule
from ..replay.claims import compare, rebuy_faults
from ..replay.replay import Replay, replay
from ..rules.rules import Rules, plays_for_chips
from ..rules.switches import (
    OFF,
    AverageEach,
    AverageRounding,
    Insolvency,
    Prize,
    SettledBy,
)
from ..settlement import averages
from ..settlement.game_end import final_places
from ..settlement.payout import Payout, share_pool, winner_takes_all
from ..settlement.settlement import Settlement, rebuys_as_needed, settle_sound
from ..settlement.tables import pot_row, score_rows
from .proposals import proposals

Row = dict[str, str | int | bool | None]
"""Values by column: a settled hand for one seat, for data frames and spreadsheets."""


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class HandResult:
    """One hand of a game: its record judged, its rulings applied, its settlement.

    ``settlement`` is None while something is wrong that only a director can put right; the next
    hand then inherits what this one did. ``claims`` are the written numbers that differ.
    """

    replay: Replay
    rulings: tuple[Ruling, ...]
    facts: Facts
    settlement: Settlement | None
    after: GameState
    claims: tuple[Fault, ...] = ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """Everything that is wrong with the record, claims included."""
        return self.replay.faults + self.claims

    @property
    def provisional(self) -> bool:
        """Whether a decision of the director is still open."""
        decided = [ruling for ruling in self.rulings if ruling.decision is not Decision.WARNING]
        if self.settlement is None:
            return True
        return any(
            fault.severity in (Severity.RULING, Severity.ERROR) and not decides(decided, fault)
            for fault in self.replay.faults
        )

    @property
    def proposals(self) -> tuple[Ruling, ...]:
        """Return the proposals of section 8 to the director, the default first."""
        return proposals(self.faults)

    def to_rows(self) -> list[Row]:
        """A row of plain values for each seat, for a data frame; none while it is not settled.

        The columns of scores are those that the rules have. ``Pot…`` columns are the pot table,
        ``Next…`` what the next hand inherits, ``Place`` the place in the game so far.
        """
        if self.settlement is None:
            return []
        settled = self.settlement
        record, rules, after = self.replay.record, self.replay.rules, settled.after
        seats, names = record.seats, record.names or (None,) * record.players
        pot = pot_row(settled)
        head: Row = {
            "Board": record.number,
            "Dealer": seats[self.replay.before.dealer],
            "Status": str(self.facts.status),
            "Bidder": None if self.facts.bidder is None else seats[self.facts.bidder],
            "HighBid": None if self.facts.bidder is None else self.facts.bid,
            "PainSuit": None if self.facts.pain is None else self.facts.pain.letter,
            "PotBefore": pot.before,
            "PotBid": pot.bid,
            "PotPaid": pot.paid,
            "PotWon": pot.won,
            "PotAfter": pot.after,
        }
        following: Row = {
            "NextDealer": seats[after.dealer],
            "NextJackpot": after.jackpot,
            "NextNamer": None if after.namer is None else seats[after.namer],
            "Over": None if after.over is None else str(after.over),
        }
        places = final_places(rules, after)
        return [
            {
                **head,
                "Seat": seats[row.seat],
                "Player": names[row.seat],
                **row.values,
                **following,
                "Place": places[row.seat],
            }
            for row in score_rows(rules, settled)
        ]


_hand_result = maker(HandResult)


def judge_hand(
    rules: Rules,
    before: GameState | None,
    record: HandRecord,
    rulings: Sequence[Ruling] = (),
    *,
    old_law: bool = False,
) -> HandResult:
    """Judge and settle one hand in the state that the hands before it left.

    Without ``before`` the record itself tells the state, as far as it does. With ``old_law``
    players who cannot pay buy the stacks that they need, as before DEC-9.

    Raises RulingError for a ruling that cannot be; never because of the record.
    """
    judged = replay(record, rules, before)
    if before is not None and before.over is not None:
        judged = _after_the_end(judged, before.over)
    facts = judged.facts
    for ruling in rulings:
        facts = rule(rules, facts, ruling, judged.before.players)
    settled = None
    settles = not judged.faults or judged.settles or _is_overruled(rulings)
    if settles and _sound(rules, facts):
        facts = _by_old_law(rules, judged.before, facts) if old_law else facts
        settled = settle_sound(rules, judged.before, facts)
        judged = _with_rebuys(judged, settled)
    after = settled.after if settled is not None else _skip_unsettled(judged)
    for ruling in rulings:
        after = inherit(after, ruling)
    claims: tuple[Fault, ...] = ()
    if settled is not None and (not rulings or facts == judged.facts):
        claims = compare(record, rules, settled, judged.taken)
    return _hand_result(
        replay=judged,
        rulings=tuple(rulings),
        facts=facts,
        settlement=settled,
        after=after,
        claims=claims,
    )


def _skip_unsettled(judged: Replay) -> GameState:
    """A hand that waits for the director was dealt all the same: the deal passes left (K4)."""
    before = judged.before
    if any(fault.code is Code.PLAYERS for fault in judged.faults):
        return before
    return replace(
        before,
        dealer=left_of(before.dealer, before.players),
        deals=before.deals + 1,
        feet=before.feet | set(judged.facts.feet),
    )


def _is_overruled(rulings: Sequence[Ruling]) -> bool:
    """Whether a decision makes the hand settle in spite of what is wrong with it."""
    decisions = {ruling.decision for ruling in rulings}
    settling = {
        Decision.ASSIGNED_CAPTURES,
        Decision.RESULT_STANDS,
        Decision.CARD_CORRECTED,
        Decision.REVOKE_LAW,
    }
    return bool(decisions & {*settling, *NO_RESULT})


def _sound(rules: Rules, facts: Facts) -> bool:
    """Whether the captures are known and complete, where there is something to settle."""
    if facts.status not in SETTLING:
        return True
    taken = facts.taken
    if not taken or sum(taken) != facts.whole or min(taken) < 0:
        return False
    return facts.queen is not None or rules.queen is OFF


def _by_old_law(rules: Rules, before: GameState, facts: Facts) -> Facts:
    if rules.insolvency is not Insolvency.REBUY or facts.rebuys or facts.status not in SETTLING:
        return facts
    return replace(facts, rebuys=rebuys_as_needed(rules, before, facts))


def _with_rebuys(judged: Replay, settled: Settlement) -> Replay:
    """Add decisions on chips bought again that are missing or were not needed (DEC-9)."""
    if not settled.offered and not settled.facts.rebuys:
        return judged
    return replace(judged, faults=(*judged.faults, *rebuy_faults(judged, settled)))


def _after_the_end(judged: Replay, reason: EndReason) -> Replay:
    words = Message("the game was over before this hand ({reason})", reason=reason)
    fault = Fault(
        code=Code.GAME_OVER,
        rule="A9.3 D8 E7",
        message=words,
        severity=Severity.RULING,
        part=Part.NUMBER,
    )
    return replace(judged, faults=(*judged.faults, fault))


Entry = tuple[HandRecord, tuple[Ruling, ...]]
"""A hand of a game as it is kept: the record, and the rulings on it."""


def fold(rules: Rules, start: GameState, hands: Iterable[Entry]) -> Iterator[HandResult]:
    """Judge and settle hands in order, each in the state that the one before it left."""
    state = start
    for record, rulings in hands:
        result = judge_hand(rules, state, record, rulings)
        yield result
        state = result.after


@dataclass(frozen=True, slots=True)
class Final:
    """The end of a game. Tuples are by seat.

    ``net`` is what each collects from the others in points (average settlement); ``payout``
    the money, where money was played for.
    """

    places: tuple[int, ...]
    net: tuple[Fraction, ...] | None = None
    payout: Payout | None = None
    left: int = 0


@dataclass(frozen=True, slots=True)
class Game:
    """A game in progress: its rules, its first state and its hands so far. A value.

    >>> from ..rules.presets import BICYCLE
    >>> Game.begin(BICYCLE, 4).state.chips
    (50, 50, 50, 50)
    """

    rules: Rules
    start: GameState
    results: tuple[HandResult, ...] = ()

    @classmethod
    def begin(cls, rules: Rules, players: int, dealer: Seat = Seat(0)) -> "Game":
        """A game before its first hand."""
        return cls(rules, beginning(rules, players, dealer))

    @property
    def state(self) -> GameState:
        """The state that the next hand inherits."""
        return self.results[-1].after if self.results else self.start

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The records and rulings that the game is the fold of."""
        return tuple((result.replay.record, result.rulings) for result in self.results)

    def add(self, record: HandRecord, *rulings: Ruling) -> "Game":
        """The game with one hand more. Raises RulingError."""
        result = judge_hand(self.rules, self.state, record, rulings)
        return replace(self, results=(*self.results, result))

    def correct(self, hand: int, record: HandRecord, *rulings: Ruling) -> "Game":
        """The game with hand number ``hand`` (from 0) replaced, and all later ones settled again.

        The rulings given are all that the hand then has. Raises IndexError and RulingError.
        """
        entries = list(self.entries)
        entries[hand] = (record, rulings)
        return self.refold(entries, hand)

    def rule(self, hand: int, *rulings: Ruling) -> "Game":
        """The game with more rulings on hand number ``hand``, and all later ones settled again.

        Raises IndexError and RulingError.
        """
        record, earlier = self.entries[hand]
        return self.correct(hand, record, *earlier, *rulings)

    def refold(self, entries: Sequence[Entry], first: int = 0) -> "Game":
        """The game of other entries, keeping the results of those before ``first``."""
        kept = self.results[:first]
        state = kept[-1].after if kept else self.start
        return replace(self, results=(*kept, *fold(self.rules, state, entries[first:])))

    def to_rows(self) -> list[Row]:
        """A row of plain values for each seat of each settled hand, for a data frame."""
        return [
            {"Hand": number, **row}
            for number, result in enumerate(self.results, 1)
            for row in result.to_rows()
        ]

    def final(self) -> Final:
        """The result if the game ends now: places, average settlement, money (A10, A11, B6, E8)."""
        return final(self.rules, self.state)


def final(rules: Rules, state: GameState) -> Final:
    """The result of a game that ends in some state."""
    ranked = final_places(rules, state)
    last_dealer = left_of(state.dealer, state.players, -1)
    if rules.settlement is SettledBy.AVERAGE and rules.average_each is AverageEach.SESSION:
        return _settle_by_averages(rules, state, ranked, last_dealer)
    if rules.prize is Prize.WINNER_TAKES_ALL:
        winners = [Seat(seat) for seat, place in enumerate(ranked) if place == 1]
        pool = rules.ante * state.players
        return Final(ranked, payout=winner_takes_all(pool, winners, state.players, last_dealer))
    if plays_for_chips(rules) and rules.buy_in:
        pool = rules.buy_in * state.bought // rules.starting_chips
        return Final(ranked, payout=share_pool(rules, pool, state.chips, state.pot, last_dealer))
    return Final(ranked, left=state.pot)


def _settle_by_averages(
    rules: Rules, state: GameState, ranked: tuple[int, ...], last_dealer: Seat
) -> Final:
    totals = state.totals
    left = 0
    if rules.average_rounding is AverageRounding.HOWELL_UNITS:
        amounts = [Fraction(unit) for unit in averages.howell(totals)]
    elif rules.average_rounding is AverageRounding.ODD_TO_POT:
        whole, left = averages.odd_to_pot(totals)
        amounts = [Fraction(amount) for amount in whole]
    else:
        amounts = averages.net(totals)
    money = tuple(averages.cash(totals, rules.unit, last_dealer)) if rules.unit else None
    return Final(ranked, tuple(amounts), Payout(money) if money is not None else None, left)
