"""The moves of a hand in the order in which they were made: what a phone's card pad sends.

A hand in progress becomes an unfinished record: what is still going on (papers, passes, bids or
calls that are not all there yet) is not written before it is complete.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypedDict

from engine.core.cards import EMPTY, NAMES, Card, CardSet, Suit
from engine.core.messages import Message, message_of
from engine.core.seats import HOLD, Seat, clockwise, left_of, pass_places
from engine.notation.sheet import ROWS_MAX
from engine.record.record import (
    PASS_CALL,
    STOPPED,
    CentreBid,
    Claim,
    Ending,
    Paper,
    PassedCards,
    ScoreRow,
)
from engine.replay.auction import winner
from engine.replay.play import winning_place
from engine.replay.replay import replay
from engine.rules.switches import AllPass, BidPointsOnMoon, FirstLeader, Toggle
from engine.settlement.scoring import moon_shooter
from scoring.submissions.reading import SubmittedRecord
from scoring.submissions.writing.results import MOON, moon_line, score_rows
from scoring.submissions.writing.table import (
    ENDINGS,
    BySeat,
    EndingWord,
    GameContext,
    MoonWord,
    SubmittedFields,
    SuitLetter,
    UnclearError,
    card_named,
    cards_named,
    whole,
)

MoveFields = TypedDict(
    "MoveFields",
    {
        "dealer": str,
        "deal": str,
        "centre": str,
        "papers": BySeat,
        "direction": str,
        "pass": BySeat,
        "bids": BySeat,
        "took": BySeat,
        "bought": BySeat,
        "calls": str,
        "bidder": str,
        "bid": int,
        "pain": SuitLetter,
        "play": str,
        "claim": str,
        "moon": MoonWord,
        "ending": EndingWord,
        "rebuys": BySeat,
        "rebuys_after": BySeat,
    },
    total=False,
)
MoveFields.__doc__ = (
    "The moves of a hand as they were made; docs/use/sending-hands.md says what each member means."
)
FIELDS: Final = tuple(MoveFields.__annotations__)
_PASSES: Final = ("PASS", "P", "X")


def from_actions(table: GameContext, actions: Mapping[str, object]) -> SubmittedRecord:
    """The record of the moves. Raises UnclearError."""
    slip = SubmittedFields(table, actions)
    slip.check(FIELDS, Message("A list of moves"))
    moves = _Moves.read(slip)
    facts = moves.lead_up() | moves.course()
    scores = _scores(slip, facts)
    return table.write_record(**facts, scores=scores)


@dataclass(slots=True)
class _Moves:
    """The submitted play, read: by seat or in order; ``leads`` are the places of named seats."""

    slip: SubmittedFields
    dealer: Seat | None
    papers: tuple[Paper, ...] | None
    passes: dict[Seat, CardSet]
    bids: tuple[CentreBid, ...]
    calls: tuple[int | None, ...]
    cards: tuple[Card, ...]
    leads: dict[int, Seat]

    @classmethod
    def read(cls, slip: SubmittedFields) -> "_Moves":
        before = slip.table.before
        dealer = slip.seat("dealer")
        passed = slip.by_seat("pass").items()
        cards, leads = cards_in_order(slip)
        calls = tuple(_call(word) for word in slip.words("calls"))
        for name, moves in (("play", cards), ("calls", calls)):
            if len(moves) > ROWS_MAX * slip.table.players:
                raise UnclearError(Message("No hand of cards has so many."), name)
        return cls(
            slip=slip,
            dealer=dealer if dealer is not None or before is None else before.dealer,
            papers=slip.papers(),
            passes={seat: cards_named(str(mine), "pass") for seat, mine in passed},
            bids=slip.bids(),
            calls=calls,
            cards=cards,
            leads=leads,
        )

    @property
    def table(self) -> GameContext:
        return self.slip.table

    @property
    def is_whole(self) -> bool:
        """Whether every card of the hand was played."""
        players = self.table.players
        return len(self.cards) >= players * self.table.rules.tricks(players)

    @property
    def ending(self) -> Ending:
        """Return the ending of the hand, as it is given or as it shows."""
        ending = self.slip.choice("ending", ENDINGS)
        if ending is not None:
            return ending
        if self.table.calls_foot(self.papers):
            return Ending.FOOT
        if self.slip.has("claim"):
            return Ending.CLAIM
        if self.is_whole:
            return Ending.NORMAL
        return Ending.PASSED_OUT if self._is_passed_out else Ending.UNTERMINATED

    @property
    def _is_passed_out(self) -> bool:
        return self._nobody_bid and self.table.rules.all_pass is AllPass.REDEAL

    @property
    def _nobody_bid(self) -> bool:
        calls = self.calls
        return (
            self.table.has_auction
            and len(calls) >= self.table.players
            and all(call in (0, PASS_CALL) for call in calls)
        )

    def lead_up(self) -> dict[str, Any]:
        """Everything before the first lead."""
        slip, ending = self.slip, self.ending
        facts: dict[str, Any] = {"dealer": self.dealer, "ending": ending}
        facts["deal"] = _deal(slip)
        facts["rebuys"] = slip.rebuys()
        if facts["deal"] is None and slip.text("ending").lower() == "abandoned":
            facts["deal"] = self.table.unknown_deal
        facts["centre"] = cards_named(slip.text("centre"), "centre") or None
        facts["direction"] = self._given_direction or None
        going_on = ending is Ending.UNTERMINATED and not self.cards
        papers = slip.by_seat("papers")
        if self.papers is not None and not (going_on and len(papers) < self.table.players):
            facts["papers"] = self.papers
        if self.passes and not (going_on and len(self.passes) < self.table.players):
            players = self.table.players
            places = pass_places(self._direction, players)
            facts["exchange"] = tuple(
                PassedCards(seat, left_of(seat, players, places), cards)
                for seat, cards in self.passes.items()
            )
        if self.bids and not (going_on and len(self.bids) < self.table.players):
            facts["bids"] = self.bids
        if self.calls and not (going_on and len(self.calls) < self.table.players):
            facts |= self._auction()
        if (bidder := slip.seat("bidder")) is not None:
            self._check_highest_bid()
            facts["namer"] = bidder
        pain = slip.suit("pain")
        if pain is not None:
            facts["pain"] = pain
        if ending in (Ending.NORMAL, Ending.CLAIM):
            self._check_whole(facts)
        return facts

    def _check_whole(self, facts: Mapping[str, Any]) -> None:
        """Refuse a hand that was played without what counts beside the play."""
        rules, slip = self.table.rules, self.slip
        if rules.insurance is Toggle.ON and facts.get("papers") is None:
            raise UnclearError(Message("Say what the insurance papers said."), "papers")
        if rules.centre_auction is Toggle.ON and not self.bids and slip.bought() is None:
            raise UnclearError(Message("Say what was bid for the centre cards."), "bids")
        if facts.get("bids") and facts["centre"] is None:
            raise UnclearError(Message("Say which cards lay in the centre."), "centre")

    @property
    def _given_direction(self) -> str:
        """Return the direction in which cards were passed, if it is given."""
        direction = self.slip.text("direction").lower()
        try:
            pass_places(direction or HOLD, self.table.players)
        except ValueError as error:
            raise UnclearError(Message("{fault}.", fault=message_of(error)), "direction") from None
        return direction

    @property
    def _direction(self) -> str:
        direction, before = self._given_direction, self.table.before
        if direction:
            return direction
        if before is None:
            words = Message("An earlier hand is missing; say which way the cards were passed.")
            raise UnclearError(words, "direction")
        return self.table.rules.direction(before.deals)

    def _check_highest_bid(self) -> None:
        """Refuse a bid-winner without a bid, or beside the calls that say the same."""
        if self.calls:
            raise UnclearError(Message("The calls say who won the bidding."), "bidder")
        if self.table.has_auction and self.slip.number("bid") is None:
            raise UnclearError(Message("Say how many chips were bid."), "bid")

    def _auction(self) -> dict[str, Any]:
        rules, players = self.table.rules, self.table.players
        if self.dealer is None:
            raise UnclearError(
                Message("An earlier hand is missing; say who dealt this one."), "dealer"
            )
        bidder = winner(rules, self.calls, left_of(self.dealer, self.table.players), players).bidder
        facts: dict[str, Any] = {"auction": self.calls}
        is_over = len(self.calls) >= players and None not in self.calls
        if self.table.has_auction and (is_over or self.cards or self.ending not in STOPPED):
            facts["namer"] = bidder
        if self._nobody_bid and bidder is None and rules.all_pass is AllPass.PLAY_HEARTS:
            facts["pain"] = Suit.HEARTS
        return facts

    def course(self) -> dict[str, Any]:
        """The play, and the claim that ended it."""
        facts: dict[str, Any] = {"claim": self._claim()}
        if not self.cards:
            return facts
        if not self.leads:
            self._check_leader_shows()
            return facts | {"play": self.cards}
        return facts | self._by_seat()

    def _check_leader_shows(self) -> None:
        """Refuse a play of which nobody can tell who led first (the holder of a club)."""
        rules, slip = self.table.rules, self.slip
        if rules.first_leader is not FirstLeader.LOW_CLUB:
            return
        passed = bool(self.passes) or self._direction == HOLD
        bought = bool(self.bids) or rules.centre_auction is Toggle.OFF
        if not (slip.has("deal") and passed and bought):
            words = Message(
                "Say who led first, such as {seat}:{card}.",
                seat=self.table.seats[0],
                card=NAMES[self.cards[0]],
            )
            raise UnclearError(words, "play")

    def _by_seat(self) -> dict[str, Any]:
        """The play in columns of seats, with a mark where somebody led out of turn."""
        players, first = self.table.players, self.leads.get(0)
        if first is None:
            raise UnclearError(Message("Say who led first, too."), "play")
        cells: list[Card | None] = []
        marks: dict[int, str] = {}
        leader = first
        for base in range(0, len(self.cards), players):
            trick = self.cards[base : base + players]
            led = self.leads.get(base, leader)
            if led != leader:
                marks[base + (led - first) % players] = "L"
            self._check_turns(base, led)
            row: list[Card | None] = [None] * players
            for place, card in enumerate(trick):
                row[(led + place - first) % players] = card
            cells += row
            leader = left_of(led, players, winning_place(trick))
        columns = tuple(clockwise(first, players))
        return {"columns": columns, "play": tuple(cells), "marks": marks}

    def _check_turns(self, base: int, led: Seat) -> None:
        players = self.table.players
        for place in range(1, players):
            due = left_of(led, players, place)
            if self.leads.get(base + place, due) != due:
                words = Message(
                    "In trick {number} it was {seat}'s turn; send a card that was played out of"
                    " turn in a record.",
                    number=base // players + 1,
                    seat=self.table.seats[due],
                )
                raise UnclearError(words, "play")

    def _claim(self) -> Claim | None:
        words = self.slip.words("claim")
        if not words:
            return None
        tricks = len(self.cards) // self.table.players
        if len(words) > 2:
            raise UnclearError(Message("Write the seat that took the rest, such as S."), "claim")
        if len(words) == 2:
            tricks = whole(words[1], "claim")
        return Claim(self.slip.seat_named(words[0], "claim"), tricks)


def _deal(slip: SubmittedFields) -> tuple[CardSet, ...] | None:
    """The hands from a seat on clockwise: ``N:AK2.QJ3.T98.7654 ...``; a dash is not known."""
    written = slip.text("deal")
    if not written:
        return None
    first, _, rest = written.partition(":")
    players, hands = slip.table.players, rest.split()
    seat = slip.seat_named(first, "deal")
    if len(hands) != players:
        raise UnclearError(
            Message(
                "{count} hands are written for {players} seats.", count=len(hands), players=players
            ),
            "deal",
        )
    found = [_hand(hand) for hand in hands]
    return tuple(found[(place - seat) % players] for place in range(players))


def _hand(written: str) -> CardSet:
    if written == "-":
        return EMPTY
    suits = written.split(".")
    if len(suits) != 4:
        words = Message(
            "{written} is no hand; write spades.hearts.diamonds.clubs.", written=repr(written[:20])
        )
        raise UnclearError(words, "deal")
    named = (letter + ranks for letter, ranks in zip("SHDC", suits, strict=True) if ranks)
    return cards_named("".join(named), "deal")


def _call(word: str) -> int | None:
    if word == "-":
        return None
    return PASS_CALL if word.upper() in _PASSES else whole(word, "calls")


def cards_in_order(slip: SubmittedFields) -> tuple[tuple[Card, ...], dict[int, Seat]]:
    """The cards in order of play, and by place the seats that are named (``E:C2``).

    Raises UnclearError.
    """
    cards: list[Card] = []
    leads: dict[int, Seat] = {}
    for word in slip.text("play").replace(",", " ").replace(":", ": ").split():
        if word.endswith(":"):
            leads[len(cards)] = slip.seat_named(word[:-1], "play")
        else:
            cards.append(card_named(word, "play"))
    if len(cards) in leads:
        raise UnclearError(Message("A card must follow the seat that plays it."), "play")
    return tuple(cards), leads


def _scores(slip: SubmittedFields, facts: Mapping[str, Any]) -> tuple[ScoreRow, ...] | None:
    """Return the scores that neither play nor papers show.

    The highest bid where the calls are not told, what was paid in the centre, the moon's choice.
    """
    bought, adds, bid = slip.bought(), slip.choice("moon", MOON), slip.number("bid")
    if adds is None and bid is None and (bought is None or facts.get("bids")):
        return None
    table, columns = slip.table, dict[str, list[int]]()
    if bid is not None:
        bidder = slip.seat("bidder")
        if bidder is None:
            raise UnclearError(Message("Say who made the bid."), "bidder")
        columns["Bid"] = [bid if seat == bidder else 0 for seat in range(table.players)]
    found = replay(table.record(**facts), table.rules, table.before).facts
    shooter = moon_shooter(table.rules, found) if found.taken else None
    waived = table.rules.bid_points_on_moon is BidPointsOnMoon.WAIVE and shooter is not None
    if bought is not None and not facts.get("bids") and not waived:
        paid = {seat: points for seat, (_, points) in bought.items()}
        columns["Centre"] = [paid.get(Seat(seat), 0) for seat in range(table.players)]
    if adds is not None:
        if shooter is None:
            raise UnclearError(Message("Nobody took all the points in this hand."), "moon")
        columns["Moon"] = moon_line(table, shooter, adds=adds)
    return score_rows(table, columns)
