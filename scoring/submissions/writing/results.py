"""Only the result of a hand: who named what for how much, and what everybody took.

Nothing that follows from earlier hands is written (no chips before or after, no totals), so that
a correction of one of those never contradicts it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypedDict

from engine.core.cards import EMPTY, QUEEN_SET, CardSet, Suit, card_set, count
from engine.core.messages import Message, join_with_and
from engine.core.seats import Seat, left_of
from engine.record.record import CapturedCards, Claim, Ending, ScoreRow
from engine.rules.rules import CENTRE_CARDS, QUEEN_POINTS
from engine.rules.switches import (
    AllPass,
    BidPointsOnMoon,
    Moon,
    PainBy,
    SettledBy,
    Toggle,
    Winner,
)
from scoring.submissions.reading import SubmittedRecord
from scoring.submissions.writing.table import (
    ENDINGS,
    BySeat,
    EndingWord,
    GameContext,
    MoonWord,
    SubmittedFields,
    SuitLetter,
    UnclearError,
    cards_named,
    whole,
)


class ResultFields(TypedDict, total=False):
    """Only what came out of a hand; docs/use/sending-hands.md says what each member means."""

    dealer: str
    ending: EndingWord
    bidder: str
    bid: int
    pain: SuitLetter
    taken: BySeat
    queen: str
    tricks: BySeat
    points: BySeat
    papers: BySeat
    bought: BySeat
    centre: str
    bids: BySeat
    took: BySeat
    moon: MoonWord
    claim: str
    rebuys: BySeat
    rebuys_after: BySeat


FIELDS: Final = tuple(ResultFields.__annotations__)
MOON: Final = {"others": True, "self": False}
"""What who took all the points can choose (Q39b): the others score, or they lose."""

_PLAYED: Final = (Ending.NORMAL, Ending.CLAIM)

UNKNOWN: Final = "unknown"
"""In place of who took the queen of spades where nobody at the table knows: a ruling says so."""


def from_result(table: GameContext, result: Mapping[str, object]) -> SubmittedRecord:
    """The record of a result. Raises UnclearError."""
    slip = SubmittedFields(table, result)
    slip.check(FIELDS, "A result")
    writer = _Writer(slip)
    writer.begin()
    if writer.facts["ending"] in _PLAYED:
        writer.contract()
        writer.captures()
        writer.centre()
        writer.moon()
    return table.write_record(**writer.facts, scores=writer.scores)


@dataclass(slots=True)
class _Writer:
    """The facts of a record, and the columns of its score table by seat."""

    slip: SubmittedFields
    facts: dict[str, Any] = field(default_factory=dict)
    columns: dict[str, list[int]] = field(default_factory=dict)
    shooter: Seat | None = None

    @property
    def table(self) -> GameContext:
        return self.slip.table

    @property
    def scores(self) -> tuple[ScoreRow, ...] | None:
        """The score table, if there is anything in it."""
        return score_rows(self.table, self.columns)

    def begin(self) -> None:
        """Read the ending of the hand, and the papers."""
        slip, papers = self.slip, self.slip.papers()
        claim = read_claim(slip)
        ending = slip.choice("ending", ENDINGS)
        if ending is None and self.table.calls_foot(papers):
            ending = Ending.FOOT
        if ending is None:
            ending = Ending.NORMAL if claim is None else Ending.CLAIM
        if ending is Ending.FOOT and not (papers and any(paper.foot for paper in papers)):
            raise UnclearError(Message("Say whose paper called the foot, such as E:F."), "papers")
        self.facts |= {"dealer": slip.seat("dealer"), "ending": ending, "papers": papers}
        self.facts["claim"] = claim
        self.facts["rebuys"] = slip.rebuys()
        if slip.text("ending").lower() == "abandoned":
            self.facts["deal"] = self.table.unknown_deal
        if ending not in _PLAYED:
            for name in ("bidder", "taken", "points", "queen", "claim", "moon"):
                if slip.has(name):
                    raise UnclearError(Message("This hand was not played to its end."), name)

    def contract(self) -> None:
        """Read the seat that named the pain suit, and for how many chips."""
        slip, rules = self.slip, self.table.rules
        bidder, bid, pain = slip.seat("bidder"), slip.number("bid"), slip.suit("pain")
        self.facts |= {"namer": bidder, "pain": pain}
        if rules.pain is PainBy.HEARTS:
            self.facts["pain"] = None if pain is Suit.HEARTS else pain
            return
        if bidder is not None and bid is None and self.table.has_auction:
            raise UnclearError(Message("Say how many chips were bid."), "bid")
        if bidder is None and bid:
            raise UnclearError(Message("Say who made the bid."), "bidder")
        if bidder is None and self.table.has_auction and self.table.before is not None:
            self._nobody_bid()
        elif pain is None and not self._plays_on_in_hearts:
            raise UnclearError(Message("Say which suit was named: S, H, D or C."), "pain")
        if bidder is not None and (bid or (bid == 0 and self.table.has_auction)):
            self.columns["Bid"] = [bid if seat == bidder else 0 for seat in self._seats]

    @property
    def _plays_on_in_hearts(self) -> bool:
        """Whether this is a jackpot that no bid-winner left: hearts stays the suit (DEC-3)."""
        before = self.table.before
        return before is not None and bool(before.jackpot) and before.namer is None

    def _nobody_bid(self) -> None:
        """Return the outcome of a hand that nobody bid for, by the rules (Q01, DEC-3)."""
        rules, before = self.table.rules, self.table.before
        if rules.all_pass is AllPass.REDEAL:
            raise UnclearError(Message("Say who won the bidding."), "bidder")
        if rules.all_pass is AllPass.PLAY_HEARTS:
            if self.facts["pain"] is None:
                self.facts["pain"] = Suit.HEARTS
            return
        if self.facts["pain"] is None:
            raise UnclearError(Message("Say which suit was named: S, H, D or C."), "pain")
        assert before is not None
        dealer = before.dealer if self.facts["dealer"] is None else self.facts["dealer"]
        eldest = left_of(dealer, self.table.players)
        self.facts["namer"] = eldest
        self.columns["Bid"] = [rules.min_bid if seat == eldest else 0 for seat in self._seats]

    @property
    def _seats(self) -> range:
        return range(self.table.players)

    @property
    def _pain(self) -> Suit:
        return Suit(self.facts["pain"] if self.facts["pain"] is not None else Suit.HEARTS)

    @property
    def _pain_cards(self) -> CardSet:
        return self.table.rules.suit_cards(self._pain, self.table.players)

    def captures(self) -> None:
        """Read everybody's captures: numbers, cards by name, or only the points of them."""
        slip, pot = self.slip, self.table.rules.settlement is SettledBy.POT
        if self.table.rules.winner is Winner.TRICKS and (
            slip.has("points") or not slip.has("tricks")
        ):
            words = Message(
                "Whoever takes most tricks wins here, and this result does not say who took how "
                "many. Enter every card, or say which cards and how many tricks each player took."
            )
            raise UnclearError(words, "tricks")
        if slip.has("points"):
            if pot:
                raise UnclearError(
                    Message("These rules know no points; say what was taken."), "points"
                )
            self.columns["Points"] = self._numbers("points", signed=True)
            return
        if not slip.has("taken"):
            raise UnclearError(
                Message("Say how many cards of the pain suit each seat took."), "taken"
            )
        if self.table.rules.insurance is Toggle.ON and self.facts["papers"] is None:
            raise UnclearError(Message("Say what the insurance papers said."), "papers")
        found = slip.by_seat("taken")
        named = [isinstance(mine, str) and not mine.strip().isdigit() for mine in found.values()]
        if any(named) and not all(named):
            raise UnclearError(Message("Write numbers, or cards, for all seats alike."), "taken")
        if all(named):
            self._by_name({seat: str(mine) for seat, mine in found.items()})
        else:
            self._by_count({seat: whole(mine, "taken") for seat, mine in found.items()})

    def _by_count(self, found: dict[Seat, int]) -> None:
        """Numbers of pain cards; what one seat took may follow from the others."""
        size, out = count(self._pain_cards), [seat for seat in self._seats if seat not in found]
        rest = max(size - sum(found.values()), 0)
        if len(out) > 1 and rest:
            names = join_with_and([self.table.seats[seat] for seat in out])
            raise UnclearError(
                Message(
                    "{rest} cards are left for {names}; say who took them.", rest=rest, names=names
                ),
                "taken",
            )
        taken = [found.get(Seat(seat), rest) for seat in self._seats]
        queen = self._queen_taker(taken)
        pot = self.table.rules.settlement is SettledBy.POT
        self.columns = {"Pain" if pot else "Hearts": taken, **self.columns}
        if queen is not None:
            self.columns["Queen"] = [QUEEN_POINTS if n == queen else 0 for n in self._seats]
        if size in taken and (queen is None or taken[queen] == size):
            self.shooter = Seat(taken.index(size))
        if self.slip.has("tricks"):
            self._with_tricks()

    def _queen_taker(self, taken: list[int]) -> Seat | None:
        if self.table.rules.queen is Toggle.OFF:
            if self.slip.has("queen"):
                raise UnclearError(Message("The queen of spades counts nothing here."), "queen")
            return None
        if self.slip.text("queen") == UNKNOWN:
            return None
        queen = self.slip.seat("queen")
        if queen is None:
            raise UnclearError(Message("Say who took the queen of spades."), "queen")
        return queen

    def _with_tricks(self) -> None:
        """Numbers of tricks stand beside cards; those are known when one seat took them all."""
        if self.shooter is None:
            words = Message(
                "Tricks are written beside the cards taken; write those by name, such as HAK5."
            )
            raise UnclearError(words, "tricks")
        del self.columns["Pain" if "Pain" in self.columns else "Hearts"]
        self.columns.pop("Queen", None)
        self._by_name({Seat(n): "-" for n in self._seats if n != self.shooter})

    def _by_name(self, found: dict[Seat, str]) -> None:
        """Cards by name; what one seat took may follow from the others."""
        queen = QUEEN_SET if self.table.rules.queen is Toggle.ON else EMPTY
        cards = {seat: cards_named(mine, "taken") for seat, mine in found.items()}
        seen = EMPTY
        for mine in cards.values():
            seen = CardSet(seen | mine)
        rest = CardSet((self._pain_cards | queen) & ~seen)
        out = [seat for seat in self._seats if seat not in cards]
        if len(out) > 1 and rest:
            names = join_with_and([self.table.seats[seat] for seat in out])
            raise UnclearError(Message("Say which cards {names} took.", names=names), "taken")
        tricks = self._numbers("tricks") if self.slip.has("tricks") else None
        taken = [cards.get(Seat(seat), rest) for seat in self._seats]
        self.facts["captures"] = tuple(
            CapturedCards(Seat(seat), mine, None if tricks is None else tricks[seat])
            for seat, mine in enumerate(taken)
        )
        full = CardSet(self._pain_cards | queen)
        self.shooter = next((Seat(n) for n in self._seats if taken[n] & full == full), None)

    def _numbers(self, name: str, *, signed: bool = False) -> list[int]:
        """A number for every seat; the tricks of one may follow from the others."""
        read = _parse_signed if signed else whole
        found = {seat: read(mine, name) for seat, mine in self.slip.by_seat(name).items()}
        out = [self.table.seats[seat] for seat in self._seats if seat not in found]
        rest = self.table.rules.tricks(self.table.players) - sum(found.values())
        if (signed and out) or (len(out) > 1 and rest):
            raise UnclearError(
                Message("Nothing is said of {seats}.", seats=join_with_and(out)), name
            )
        numbers = [found.get(Seat(seat), max(rest, 0)) for seat in self._seats]
        if not signed and sum(numbers) != self.table.rules.tricks(self.table.players):
            words = Message(
                "A hand has {tricks} tricks here, and these are {count}.",
                tricks=self.table.rules.tricks(self.table.players),
                count=sum(numbers),
            )
            raise UnclearError(words, name)
        return numbers

    def centre(self) -> None:
        """Read the payments for the cards of the centre."""
        bought, rules, slip = self.slip.bought(), self.table.rules, self.slip
        self.facts["centre"] = cards_named(slip.text("centre"), "centre") or None
        if bought is None and slip.has("bids"):
            if self.facts["centre"] is None:
                raise UnclearError(Message("Say which cards lay in the centre."), "centre")
            self.facts["bids"] = slip.bids()
            return
        if bought is None:
            if rules.centre_auction is Toggle.ON and "Points" not in self.columns:
                words = Message("Say what each seat pays for its centre card; {} if nobody pays.")
                raise UnclearError(words, "bought")
            return
        cards = [card for card, _ in bought.values() if card is not None]
        if len(set(cards)) < len(cards):
            raise UnclearError(Message("Two seats cannot get the same card."), "bought")
        if len(cards) == CENTRE_CARDS:
            self.facts["centre"] = card_set(cards)
        is_moon = self.shooter is not None and rules.moon is not Moon.NONE
        if not (is_moon and rules.bid_points_on_moon is BidPointsOnMoon.WAIVE):
            paid = {seat: points for seat, (_, points) in bought.items()}
            self.columns["Centre"] = [paid.get(Seat(seat), 0) for seat in self._seats]

    def moon(self) -> None:
        """Read the choice of whoever took all the points, where it is theirs."""
        adds, is_free = self.slip.choice("moon", MOON), self.table.rules.moon is Moon.SHOOTER_CHOICE
        if self.shooter is None or not is_free or "Points" in self.columns:
            if adds is not None:
                raise UnclearError(Message("Nobody has that choice in this hand."), "moon")
            return
        if adds is None:
            words = Message('Say what the shooter chose: "others" score 26, or "self" loses 26.')
            raise UnclearError(words, "moon")
        self.columns["Moon"] = moon_line(self.table, self.shooter, adds=adds)


def score_rows(table: GameContext, columns: Mapping[str, list[int]]) -> tuple[ScoreRow, ...] | None:
    """The rows of a score table of some columns; None for none."""
    if not columns:
        return None
    return tuple(
        ScoreRow(Seat(seat), {name: values[seat] for name, values in columns.items()})
        for seat in range(table.players)
    )


def moon_line(table: GameContext, shooter: Seat, *, adds: bool) -> list[int]:
    """The Moon column of a choice (D7, Q39b)."""
    size = count(table.rules.suit_cards(Suit.HEARTS, table.players)) + QUEEN_POINTS
    others = size if adds else 0
    mine = -size if adds else -2 * size
    return [mine if seat == shooter else others for seat in range(table.players)]


def read_claim(slip: SubmittedFields) -> Claim | None:
    """Read the claim of the rest after some tricks: ``S 9``."""
    words = slip.words("claim")
    if not words:
        return None
    if len(words) != 2:
        raise UnclearError(
            Message("Write the seat and the tricks played before, such as S 9."), "claim"
        )
    return Claim(slip.seat_named(words[0], "claim"), whole(words[1], "claim"))


def _parse_signed(value: object, name: str) -> int:
    """A whole number, which may be below zero."""
    below = isinstance(value, int) and not isinstance(value, bool) and value < 0
    if below:
        return -whole(-value, name)  # type: ignore[operator]  # a number, as was just seen
    if isinstance(value, str) and value.startswith("-"):
        return -whole(value[1:], name)
    return whole(value, name)
