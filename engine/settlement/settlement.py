"""settle: what a hand costs whom, who takes the pot, and what the next hand inherits.

A pure function of the facts, the state before and the rules (rules.md A7-A9, B6, C6, D6-D12, E6,
D32). Nothing is hidden in it: every chip that moves is a posting between two accounts.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import add
from typing import Final, NamedTuple

from ..core.cards import SUIT_CARDS
from ..core.chips import Chips, Rebuy, RebuyTime, share
from ..core.messages import Choice, Message
from ..core.pictures import draw_table
from ..core.seats import Seat, left_of
from ..core.values import maker, quickly_made
from ..record.facts import SETTLING, Facts, Status
from ..record.game_state import EndReason, GameState
from ..rules.rules import Rules, plays_for_chips
from ..rules.switches import (
    ON,
    AverageRounding,
    Insolvency,
    MoonAllTricks,
    RevokeLaw,
    SettledBy,
)
from . import averages
from .game_end import apply_game_end
from .pot import Jackpot, jackpot_after, pot_winners
from .scoring import Score, score


class Kind(Choice):
    """Purposes of a posting (K8); details are for what is told otherwise of a single hand."""

    BUYIN = "BUYIN", Message("buy-in")
    REBUY = "REBUY", Message("rebuy"), Message("buys in again")
    BID = "BID", Message("bid")
    CAPTURE = "CAPTURE", Message("cards taken")
    AWARD = "AWARD", Message("wins the pot")
    PENALTY = "PENALTY", Message("penalty")
    ADJUST = "ADJUST", Message("adjustment")
    PAYOUT = "PAYOUT", Message("payout")


POT = "pot"
BANK = "bank"
Account = Seat | str
"""A seat, the pot or the bank."""


class Posting(NamedTuple):
    """Chips that move from one account to another, always a positive number (K8)."""

    kind: Kind
    payer: Account
    payee: Account
    amount: int


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Settlement:
    """The settlement of a hand: the state before and after, and everything in between.

    ``clean`` seats captured no pain card; ``shortfalls`` are chips owed and not paid, by seat
    (A9.2); ``odd`` chips stayed behind when the pot was divided (A7.2). ``offered`` says who could
    buy chips again and when (DEC-9). In the pot, before + bid + paid = won + after.
    """

    facts: Facts
    before: GameState
    after: GameState
    postings: tuple[Posting, ...] = ()
    score: Score | None = None
    clean: tuple[Seat, ...] = ()
    winners: tuple[Seat, ...] = ()
    shortfalls: tuple[int, ...] = ()
    odd: int = 0
    offered: tuple[tuple[Seat, RebuyTime], ...] = ()

    def to_rows(self) -> list[dict[str, int]]:
        """A row for each seat: what it took, and what that changed in chips or points."""
        facts, score = self.facts, self.score
        rows: list[dict[str, int]] = []
        for place, taken in enumerate(facts.taken or (0,) * self.before.players):
            seat = Seat(place)
            row = {"Seat": place, "Pain": taken}
            if score is not None:
                row |= {"Points": score.points[seat], "Total": self.after.totals[seat]}
            if self.before.bought:
                row |= {
                    "Before": self.before.chips[seat],
                    "Bid": self.moved(Kind.BID, payer=seat),
                    "Paid": self.moved(Kind.CAPTURE, Kind.PENALTY, payer=seat),
                    "Won": self.moved(Kind.AWARD, payee=seat),
                    "After": self.after.chips[seat],
                }
            rows.append(row)
        return rows

    def _repr_html_(self) -> str:
        rows: list[dict[str, int | str]] = [{**row} for row in self.to_rows()]
        if self.before.bought:
            pot: dict[str, int | str] = {
                "Seat": POT,
                "Before": self.before.pot,
                "After": self.after.pot,
            }
            rows.append({name: pot.get(name, "") for name in rows[0]})
        return draw_table(rows)

    def moved(
        self, *kinds: Kind, payer: Account | None = None, payee: Account | None = None
    ) -> int:
        """Chips moved by postings of some kinds, from or to one account."""
        return sum(
            posting.amount
            for posting in self.postings
            if posting.kind in kinds
            and payer in (None, posting.payer)
            and payee in (None, posting.payee)
        )


_posting: Final = partial(tuple.__new__, Posting)
_carried: Final = maker(GameState)
_settlement: Final = maker(Settlement)
_FOR_POT: Final = SettledBy.POT
_BID, _CAPTURE, _AWARD = Kind.BID, Kind.CAPTURE, Kind.AWARD
_WINS_THE_GAME: Final = MoonAllTricks.GAME


class _Books:
    """The chips while a hand is settled; every move is written down."""

    __slots__ = ("bought", "chips", "decided", "offered", "postings", "pot", "rules", "short")

    def __init__(self, rules: Rules, before: GameState, rebuys: Sequence[Rebuy] = ()) -> None:
        self.rules = rules
        self.decided = {(seat, when): stacks for seat, when, stacks in rebuys}
        self.offered: list[tuple[Seat, RebuyTime]] = []
        self.chips = list(before.chips)
        self.pot = before.pot
        self.bought = before.bought
        self.short = [0] * len(self.chips)
        self.postings: list[Posting] = []

    def pay(self, kind: Kind, seat: Seat, owed: int) -> int:
        """A seat pays the pot what it owes, as far as the rules let it (Q22)."""
        held = self.chips[seat]
        amount = owed if 0 <= owed <= held else self._payable(seat, owed)
        if amount:
            self.chips[seat] -= amount
            self.pot += amount
            self.postings.append(_posting((kind, seat, POT, amount)))
        return amount

    def collect(self, kind: Kind, owed: Sequence[int]) -> None:
        """Every seat pays the pot what it owes."""
        chips = self.chips
        for seat, amount in enumerate(owed):
            if 0 < amount <= chips[seat]:
                chips[seat] -= amount
                self.pot += amount
                self.postings.append(_posting((kind, seat, POT, amount)))
            elif amount or chips[seat] < 0:
                self.pay(kind, Seat(seat), amount)

    def _payable(self, seat: Seat, owed: int) -> int:
        """Return the amount that a seat can pay that has less than it owes."""
        if self.chips[seat] < owed:
            self._offer_rebuy(seat, RebuyTime.SHORT)
        if self.rules.insolvency is Insolvency.DEBT:
            return owed
        amount = max(0, min(owed, self.chips[seat]))
        self.short[seat] += owed - amount
        return amount

    def _offer_rebuy(self, seat: Seat, when: RebuyTime) -> None:
        """Let a seat buy as many stacks again as its table decided (DEC-9)."""
        if self.rules.insolvency is not Insolvency.REBUY or (seat, when) in self.offered:
            return
        self.offered.append((seat, when))
        chips = self.decided.get((seat, when), 0) * self.rules.starting_chips
        if chips > 0:
            self.chips[seat] += chips
            self.bought += chips
            self.postings.append(Posting(Kind.REBUY, BANK, seat, chips))

    def offer_rebuys(self) -> None:
        """Let who has nothing left after the hand buy chips again."""
        for seat, held in enumerate(self.chips):
            if held <= 0:
                self._offer_rebuy(Seat(seat), RebuyTime.EMPTY)

    def move(self, kind: Kind, payer: Account, payee: Account, amount: int) -> None:
        """Write down a move and make it."""
        if amount:
            self._take(payer, amount)
            self._take(payee, -amount)
            self.postings.append(_posting((kind, payer, payee, amount)))

    def _take(self, account: Account, amount: int) -> None:
        if isinstance(account, str):
            self.pot -= amount if account == POT else 0
        else:
            self.chips[account] -= amount


def settle(rules: Rules, before: GameState, facts: Facts) -> Settlement:
    """Settle one hand.

    Conservation is asserted: chips and pot sum to what was bought, points to their checksum.
    Raises ValueError for facts that cannot be: captures that are not the whole suit of this
    pack, a queen of spades that nobody took.
    """
    if facts.status in SETTLING:
        facts = _whole(rules, len(before.chips), facts)
    return settle_sound(rules, before, facts)


def settle_sound(rules: Rules, before: GameState, facts: Facts) -> Settlement:
    """Settle facts of which somebody has seen that they can be."""
    if facts.status not in SETTLING:
        return _settle_nothing(rules, before, facts)
    if rules.settlement is _FOR_POT:
        return _settle_pot(rules, before, facts)
    return _settle_points(rules, before, facts)


def _whole(rules: Rules, players: int, facts: Facts) -> Facts:
    """The facts with the number of pain cards that this pack has (Q16). Raises ValueError."""
    if facts.pain is not None:
        whole = (SUIT_CARDS[facts.pain] & rules.stock(players).pack).bit_count()
        facts = facts if facts.whole == whole else replace(facts, whole=whole)
    if len(facts.taken) != players or sum(facts.taken) != facts.whole or min(facts.taken) < 0:
        raise ValueError(f"{facts.taken} are not captures of {facts.whole} cards by {players}")
    if facts.queen is None and rules.queen is ON:
        raise ValueError("somebody took the queen of spades")
    return facts


def _settle_nothing(rules: Rules, before: GameState, facts: Facts) -> Settlement:
    """A hand without a result: only what rulings gave is settled."""
    after = _state_without_result(rules, before, facts)
    books = _Books(rules, before)
    _adjust_chips(facts, books)
    if facts.adjust:
        totals = tuple(a + b for a, b in zip(after.totals, facts.adjust, strict=True))
        after = replace(after, totals=totals)
    after = replace(after, chips=tuple(books.chips), pot=books.pot)
    return Settlement(facts=facts, before=before, after=after, postings=tuple(books.postings))


def _adjust_chips(facts: Facts, books: _Books) -> None:
    """Chips that rulings gave: the losers pay into the pot, the winners are paid from it."""
    for seat, amount in enumerate(facts.chips):
        books.move(Kind.ADJUST, Seat(seat), POT, max(-amount, 0))
    for seat, amount in enumerate(facts.chips):
        books.move(Kind.ADJUST, POT, Seat(seat), max(amount, 0))


def _state_without_result(rules: Rules, before: GameState, facts: Facts) -> GameState:
    """Return the state after a hand without a result (K4, Q01, D31, D32, Q63)."""
    if facts.status in (Status.VOID_REDEAL, Status.DRAFT):
        return before
    if facts.status is Status.NOT_PLAYED:
        return replace(before, totals=unplayed_totals(rules, before))
    return replace(
        before,
        dealer=left_of(before.dealer, before.players),
        deals=before.deals + 1,
        feet=before.feet | set(facts.feet),
    )


def unplayed_totals(rules: Rules, before: GameState) -> tuple[int, ...]:
    """The totals after a hand that was not played (Q63); the average is rounded, halves up."""
    if rules.settlement is SettledBy.POT or rules.unplayed.kind == "none":
        return before.totals
    if rules.unplayed.kind == "penalty":
        return tuple(total + rules.unplayed.points for total in before.totals)
    hands = max(before.hands, 1)
    return tuple(total + (2 * total + hands) // (2 * hands) for total in before.totals)


def _settle_pot(rules: Rules, before: GameState, facts: Facts) -> Settlement:
    """The pot: bid, captures, award or jackpot (A7, A8, C6, C7)."""
    books = _Books(rules, before, facts.rebuys)
    if facts.bidder is not None:
        books.pay(_BID, facts.bidder, facts.bid)
    _pay_captures(rules, facts, books)
    clean, odd = _clean(facts), 0
    if facts.offenders:
        clean = tuple([seat for seat in clean if seat not in facts.offenders])
    swept = facts.sweep is not None and not facts.offenders
    winners = pot_winners(rules, before, clean, swept=swept) if clean else ()
    if winners:
        each, odd = share(Chips(books.pot), len(winners))
        for seat in winners:
            books.move(_AWARD, POT, seat, each)
    nobody = not clean and not facts.offenders
    carried = jackpot_after(
        rules, before, (facts.bidder, facts.pain), won=bool(winners), nobody=nobody
    )
    if facts.chips:
        _adjust_chips(facts, books)
    books.offer_rebuys()
    after = advance_state(
        before,
        chips=tuple(books.chips),
        pot=books.pot,
        bought=books.bought,
        totals=before.totals,
        tricks=facts.tricks,
        jackpot=carried,
        feet=facts.feet,
    )
    return _settlement(
        facts=facts,
        before=before,
        after=_apply_end_with_tricks(rules, before, after, facts, books),
        offered=tuple(books.offered),
        postings=tuple(books.postings),
        clean=clean,
        winners=winners,
        shortfalls=tuple(books.short),
        odd=odd,
    )


def _clean(facts: Facts) -> tuple[Seat, ...]:
    """Return the seats that captured no pain card."""
    if 0 not in facts.taken:
        return ()
    return tuple([Seat(seat) for seat, taken in enumerate(facts.taken) if taken == 0])


def _pay_captures(rules: Rules, facts: Facts, books: _Books) -> None:
    """One chip a captured pain card (A7); after a revoke the offender pays all (section 8)."""
    if not facts.offenders:
        books.collect(_CAPTURE, facts.taken)
        return
    for seat in range(len(facts.taken)):
        if seat in facts.offenders:
            books.pay(Kind.PENALTY, Seat(seat), facts.whole)
    if rules.revoke_law is RevokeLaw.FOSTER_FULL and facts.bidder is not None:
        for seat in facts.offenders:
            books.pay(Kind.PENALTY, seat, facts.bid if seat != facts.bidder else 0)
        if set(facts.offenders) != {facts.bidder}:
            books.move(Kind.ADJUST, POT, facts.bidder, min(facts.bid, books.pot))


def _settle_points(rules: Rules, before: GameState, facts: Facts) -> Settlement:
    """Points on the totals (B5, D6-D12, E6); in chips too where every hand is settled (B6)."""
    result = score(rules, facts)
    points = result.points
    books = _Books(rules, before, facts.rebuys)
    if plays_for_chips(rules):
        _exchange_chips(rules, points, books)
    if facts.chips:
        _adjust_chips(facts, books)
    if plays_for_chips(rules):
        books.offer_rebuys()
    after = advance_state(
        before,
        chips=tuple(books.chips),
        pot=books.pot,
        bought=books.bought,
        totals=tuple(map(add, before.totals, points)),
        tricks=facts.tricks,
        jackpot=Jackpot(before.jackpot, before.namer, before.pain),
        feet=facts.feet,
    )
    return _settlement(
        facts=facts,
        before=before,
        after=_apply_end_with_tricks(rules, before, after, facts, books),
        offered=tuple(books.offered),
        postings=tuple(books.postings),
        score=result,
        clean=_clean(facts),
        shortfalls=tuple(books.short),
    )


def _exchange_chips(rules: Rules, points: Sequence[int], books: _Books) -> None:
    """Payers pay into the pot, collectors collect from it (B6, Q31)."""
    if rules.average_rounding is AverageRounding.HOWELL_UNITS:
        amounts = averages.howell(points)
    else:
        amounts, _ = averages.odd_to_pot(points)
    for seat, amount in enumerate(amounts):
        if amount < 0:
            books.pay(Kind.CAPTURE, Seat(seat), -amount)
    for seat, amount in enumerate(amounts):
        if amount > 0:
            # Where somebody could not pay there is less to collect, until the table decides.
            books.move(Kind.AWARD, POT, Seat(seat), min(amount, books.pot))


def advance_state(
    before: GameState,
    *,
    chips: tuple[int, ...],
    pot: int,
    bought: int,
    totals: tuple[int, ...],
    tricks: Sequence[int],
    jackpot: Jackpot,
    feet: tuple[Seat, ...] = (),
) -> GameState:
    """One settled hand later: the deal passes left, the counts go up (K4, Q28)."""
    dealt = list(before.dealt)
    dealt[before.dealer] += 1
    return _carried(
        dealer=left_of(before.dealer, len(dealt)),
        chips=chips,
        bought=bought,
        totals=totals,
        tricks=tuple(map(add, before.tricks, tricks)) if tricks else before.tricks,
        dealt=tuple(dealt),
        pot=pot,
        jackpot=jackpot.hand,
        namer=jackpot.namer,
        pain=jackpot.pain,
        deals=before.deals + 1,
        hands=before.hands + 1,
        feet=before.feet.union(feet) if feet else before.feet,
        due=before.due,
        over=before.over,
        winner=before.winner,
    )


def undecided_rebuys(
    rebuys: Sequence[Rebuy], offered: Sequence[tuple[Seat, RebuyTime]]
) -> list[tuple[Seat, RebuyTime]]:
    """The offers on which the table has not decided; who declined to pay is not asked again."""
    decided = {(seat, when): stacks for seat, when, stacks in rebuys}
    return [
        (seat, when)
        for seat, when in offered
        if (seat, when) not in decided
        and (when is RebuyTime.SHORT or decided.get((seat, RebuyTime.SHORT)) != 0)
    ]


def rebuys_as_needed(rules: Rules, before: GameState, facts: Facts) -> tuple[Rebuy, ...]:
    """The stacks that each seat needs to pay what it owes, and no more: the law before DEC-9."""
    first, stack = settle_sound(rules, before, facts), rules.starting_chips
    paying = tuple(
        Rebuy(seat, when, -(-first.shortfalls[seat] // stack))
        for seat, when in first.offered
        if when is RebuyTime.SHORT
    )
    left = settle_sound(rules, before, replace(facts, rebuys=paying)).offered
    return (*paying, *(Rebuy(seat, when, 0) for seat, when in undecided_rebuys(paying, left)))


def _apply_end_with_tricks(
    rules: Rules, before: GameState, after: GameState, facts: Facts, books: _Books
) -> GameState:
    """Apply the end of a game where all the tricks can win it (Q26), as `apply_game_end` does.

    Nobody is out of chips before the table has decided that they buy none (DEC-9).
    """
    if rules.moon_all_tricks is _WINS_THE_GAME:
        whole = rules.tricks(before.players)
        if sum(facts.tricks) == whole and whole in facts.tricks:
            taker = Seat(facts.tricks.index(whole))
            return replace(after, over=EndReason.ALL_TRICKS, winner=taker)
    at_end = apply_game_end(rules, before, after)
    is_open = books.offered and undecided_rebuys(facts.rebuys, books.offered)
    if is_open and EndReason.BUST in (at_end.over, at_end.due):
        return replace(at_end, over=before.over, due=before.due)
    return at_end
