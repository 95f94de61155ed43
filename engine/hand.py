"""Hand: one deal from the cards on the table to its settlement, step by step.

    >>> from engine.presets import HOYLE_HEARTS
    >>> from engine.carried import beginning
    >>> from engine.deals import deal
    >>> hand = start(HOYLE_HEARTS, beginning(HOYLE_HEARTS, 4), deal(HOYLE_HEARTS, 4, range(52)))
    >>> hand.phase, hand.turn
    (<Phase.PLAY: 'play'>, 1)
    >>> hand = hand.apply(Play(hand.turn, next(members(hand.legal_cards))))
    >>> hand.undo().turn
    1

A hand never changes: `apply` gives the next one, `undo` the one before.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, NamedTuple

from engine import centre as centre_auction
from engine import play
from engine.actions import (
    Action,
    Bid,
    CallFoot,
    ChooseMoon,
    ClaimRest,
    Deal,
    Insure,
    NamePain,
    Pass,
    Play,
    Seal,
    TakeCard,
)
from engine.auction import Contract, is_bid, judge_call, winner
from engine.cards import (
    BIT,
    EMPTY,
    NAMES,
    SUIT_OF,
    Card,
    CardSet,
    Suit,
    card_set,
    count,
    members,
    show,
)
from engine.carried import Carried
from engine.centre import Award
from engine.deals import judge_deal
from engine.exchange import exchange, judge_pass
from engine.facts import Facts, Status
from engine.faults import Code, Fault, Part, Severity
from engine.papers import effective_paper, judge_paper
from engine.play import Restrictions, restrictions
from engine.record import PASS_CALL, CentreBid, Paper, Passed
from engine.rules import Rules
from engine.scoring import moon_shooter
from engine.seats import HOLD, Seat, clockwise, left_of, pass_places
from engine.settlement import Settlement, settle
from engine.switches import AllPass, Claims, JackpotSuit, Moon, PainBy, Toggle


class Phase(StrEnum):
    """What a hand is waiting for."""

    DEAL = "deal"
    PAPERS = "papers"
    EXCHANGE = "exchange"
    CENTRE = "centre"
    LEFT_OVERS = "left_overs"
    AUCTION = "auction"
    NAMING = "naming"
    PLAY = "play"
    MOON = "moon"
    DONE = "done"


class Trick(NamedTuple):
    """A complete trick: who led, the cards in order of play, who won it."""

    leader: Seat
    cards: tuple[Card, ...]
    winner: Seat


class IllegalActionError(ValueError):
    """An action that is not legal now; ``fault`` says why and what is."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.fault = fault


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """A hand at one moment. Tuples are by seat; ``to_act`` are the seats that can act now.

    ``holdings`` are the cards held now, ``dealt`` those at the deal; ``trick`` the cards of the
    trick that is being played, led by ``leader``; ``taken`` the cards won so far.
    """

    rules: Rules
    before: Carried
    phase: Phase = Phase.DEAL
    to_act: tuple[Seat, ...] = ()
    dealt: tuple[CardSet, ...] = ()
    holdings: tuple[CardSet, ...] = ()
    centre: CardSet = EMPTY
    papers: tuple[Paper, ...] = ()
    passes: tuple[Passed, ...] = ()
    bids: tuple[CentreBid, ...] = ()
    awards: tuple[Award, ...] = ()
    left: CardSet = EMPTY
    calls: tuple[int, ...] = ()
    contract: Contract = Contract(None)
    namer: Seat | None = None
    pain: Suit | None = None
    broken: bool = False
    leader: Seat = Seat(0)
    trick: tuple[Card, ...] = ()
    tricks: tuple[Trick, ...] = ()
    taken: tuple[CardSet, ...] = ()
    moon_adds: bool | None = None
    status: Status = Status.DRAFT
    last: Action | None = None
    previous: "Hand | None" = None

    @property
    def players(self) -> int:
        """How many play."""
        return self.before.players

    @property
    def turn(self) -> Seat | None:
        """Whose turn it is; the first of several who act at once; None when the hand is over."""
        return self.to_act[0] if self.to_act else None

    @property
    def actions(self) -> tuple[Action, ...]:
        """All actions so far, in order."""
        done: list[Action] = []
        hand: Hand | None = self
        while hand is not None and hand.last is not None:
            done.append(hand.last)
            hand = hand.previous
        return tuple(reversed(done))

    @property
    def limits(self) -> Restrictions:
        """The restrictions of the play, once the pain suit is known."""
        pain = Suit.HEARTS if self.pain is None else self.pain
        return restrictions(self.rules, pain, self.players)

    @property
    def legal_cards(self) -> CardSet:
        """What the seat in turn may play (K5 and what restricts it); empty outside the play."""
        if self.phase is not Phase.PLAY or self.turn is None:
            return EMPTY
        held, first = self.holdings[self.turn], not self.tricks
        if self.trick:
            return play.legal_follows(held, self.trick[0], self.limits, first=first)
        return play.legal_leads(held, self.limits, first=first, broken=self.broken)

    @property
    def legal_actions(self) -> tuple[Action, ...]:
        """Every legal action of the seat in turn, where they can be listed.

        Papers, passes and centre bids are too many to list; the tuple is then empty, and
        `fault` judges any one of them.
        """
        return _legal_actions(self)

    @property
    def facts(self) -> Facts:
        """What settlement needs to know; of an unfinished hand, as far as it has gone."""
        return _facts(self)

    def fault(self, action: Action) -> Fault | None:
        """Why an action is not legal now, or None when it is."""
        return _fault(self, action)

    def apply(self, action: Action) -> "Hand":
        """The hand after an action. Raises IllegalActionError."""
        fault = self.fault(action)
        if fault is not None and fault.severity is not Severity.WARNING:
            raise IllegalActionError(fault)
        after = _STEPS[type(action)](self, action)
        return replace(after, last=action, previous=self)

    def undo(self) -> "Hand":
        """The hand before the last action. Raises IndexError at the beginning."""
        if self.previous is None:
            raise IndexError("nothing to undo")
        return self.previous

    def settle(self) -> Settlement:
        """The settlement of a hand that is over."""
        assert self.phase is Phase.DONE, "the hand is not over"
        return settle(self.rules, self.before, self.facts)


def start(rules: Rules, before: Carried, dealt: Deal | None = None) -> Hand:
    """A new hand; with the deal, if it is known. Raises IllegalActionError for a bad deal."""
    hand = Hand(rules=rules, before=before, to_act=(before.dealer,))
    return hand.apply(dealt) if dealt is not None else hand


def _legal_actions(hand: Hand) -> tuple[Action, ...]:
    seat = hand.turn
    if seat is None:
        return ()
    match hand.phase:
        case Phase.PLAY:
            return tuple(Play(seat, card) for card in members(hand.legal_cards))
        case Phase.AUCTION:
            bids = (Bid(seat, n) for n in range(hand.rules.min_bid, hand.before.chips[seat] + 1))
            legal = (bid for bid in bids if hand.fault(bid) is None)
            return (Bid(seat, None), *legal)
        case Phase.NAMING:
            named = (NamePain(seat, suit) for suit in Suit)
            return tuple(action for action in named if hand.fault(action) is None)
        case Phase.LEFT_OVERS:
            return tuple(TakeCard(seat, card) for card in members(hand.left))
        case Phase.MOON:
            return (ChooseMoon(seat, add_to_others=True), ChooseMoon(seat, add_to_others=False))
        case _:
            return ()


# What is wrong with an action.

_WHEN: dict[type[Any], tuple[Phase, str]] = {
    Deal: (Phase.DEAL, "the cards are dealt already"),
    Insure: (Phase.PAPERS, "papers are written before the cards are passed"),
    CallFoot: (Phase.PAPERS, "a foot is written on the insurance paper"),
    Pass: (Phase.EXCHANGE, "no cards are passed now"),
    Seal: (Phase.CENTRE, "there is no centre auction now"),
    TakeCard: (Phase.LEFT_OVERS, "no card is left over to choose"),
    Bid: (Phase.AUCTION, "there is no auction now"),
    NamePain: (Phase.NAMING, "no pain suit is to be named now"),
    Play: (Phase.PLAY, "no card can be played now"),
    ClaimRest: (Phase.PLAY, "there is nothing to claim now"),
    ChooseMoon: (Phase.MOON, "there is no moon to choose for"),
}


def _fault(hand: Hand, action: Action) -> Fault | None:
    phase, words = _WHEN[type(action)]
    if hand.phase is not phase:
        return _not_now(words)
    if isinstance(action, Deal):
        return next(
            iter(judge_deal(hand.rules, hand.players, action.holdings, action.centre)), None
        )
    if action.seat not in hand.to_act and not isinstance(action, ClaimRest):
        turn = ", ".join(map(str, hand.to_act))
        return _not_now(f"it is not the turn of seat {action.seat} but of {turn}", action.seat)
    return _JUDGES[type(action)](hand, action)


def _not_now(message: str, seat: Seat | None = None) -> Fault:
    return Fault(code=Code.OUT_OF_TURN, rule="K2", message=message, seat=seat, part=Part.PLAY)


def _judge_play(hand: Hand, action: Play) -> Fault | None:
    legal = hand.legal_cards
    if BIT[action.card] & legal:
        return None
    held = hand.holdings[action.seat]
    lead = hand.trick[0] if hand.trick else None
    return play_fault(action, held, legal, lead, len(hand.tricks) + 1)


def play_fault(action: Play, held: CardSet, legal: CardSet, lead: Card | None, trick: int) -> Fault:
    """Why a card that is not in the legal set is not: the rule, and what was legal instead."""
    name = NAMES[action.card]
    severity = Severity.RULING
    if not BIT[action.card] & held:
        code, rule, words = Code.NOT_HELD, "K4", f"{name} is not in this hand"
        severity = Severity.ERROR
    elif lead is not None and SUIT_OF[action.card] != SUIT_OF[lead] and held & play.FOLLOWING[lead]:
        suit = SUIT_OF[lead].name.lower()
        code, rule, words = Code.REVOKE, "K5", f"{name} does not follow {suit}"
    elif lead is not None:
        code, rule, words = Code.FIRST_TRICK, "A5 D4 E4", f"{name} costs, on the first trick"
    elif count(legal) == 1 and trick == 1:
        code, rule, words = Code.OPENING_CARD, "D3 E3", f"{name} is not the opening card"
    else:
        code, rule, words = Code.PAIN_LED, "A4 A6 D5 E5", f"{name} is led before the suit is broken"
    return Fault(
        code=code,
        rule=rule,
        message=f"{words}; legal: {show(legal)}",
        severity=severity,
        part=Part.PLAY,
        seat=action.seat,
        trick=trick,
        card=action.card,
        legal=legal,
    )


def _judge_claim(hand: Hand, action: ClaimRest) -> Fault | None:
    if hand.rules.claims is Claims.OFF or hand.trick or not 0 <= action.seat < hand.players:
        words = "claims are made between two tricks, where the house rules allow them"
        return Fault(code=Code.BAD_CLAIM, rule="Q65", message=words, part=Part.CLAIM)
    return None


def _judge_bid(hand: Hand, action: Bid) -> Fault | None:
    call = PASS_CALL if action.chips is None else action.chips
    highest = max(filter(lambda bid: is_bid(hand.rules, bid), hand.calls), default=None)
    return judge_call(hand.rules, call, action.seat, hand.before.chips[action.seat], highest)


def _judge_pass(hand: Hand, action: Pass) -> Fault | None:
    direction = hand.rules.direction(hand.before.deals)
    held, cards = hand.holdings[action.seat], hand.rules.pass_count
    return judge_pass(_passed(hand, action), held, direction, hand.players, cards)


def _passed(hand: Hand, action: Pass) -> Passed:
    places = pass_places(hand.rules.direction(hand.before.deals), hand.players)
    return Passed(action.seat, left_of(action.seat, hand.players, places), action.cards)


def _judge_seal(hand: Hand, action: Seal) -> Fault | None:
    if not BIT[action.shown] & hand.holdings[action.seat]:
        words = f"{NAMES[action.shown]} is not in the hand"
        return Fault(code=Code.BAD_BID, rule="Q52", message=words, part=Part.BIDS, seat=action.seat)
    paper = CentreBid(action.seat, action.card, action.bid, action.shown)
    return centre_auction.effective_bid(hand.rules, hand.centre, paper, len(hand.bids))[1]


def _judge_take(hand: Hand, action: TakeCard) -> Fault | None:
    if BIT[action.card] & hand.left:
        return None
    words = f"{NAMES[action.card]} is not left over; left are {show(hand.left)}"
    return Fault(code=Code.CENTRE_ORDER, rule="D24", message=words, part=Part.BIDS, legal=hand.left)


def _judge_naming(hand: Hand, action: NamePain) -> Fault | None:
    before = hand.before
    same = (
        hand.rules.jackpot_suit is JackpotSuit.SAME and before.jackpot and before.pain is not None
    )
    if same and action.suit != before.pain:
        words = "the pain suit of a jackpot hand is the one named first"
        return Fault(code=Code.WRONG_NAMER, rule="Q08", message=words, part=Part.PAIN)
    return None


def _judge_written(hand: Hand, action: Insure | CallFoot) -> Fault | None:
    return judge_paper(hand.rules, _paper(action), action.seat, hand.before.feet)


def _paper(action: Insure | CallFoot) -> Paper:
    return Paper(action.number, foot=isinstance(action, CallFoot))


_JUDGES: dict[type[Any], Callable[[Hand, Any], Fault | None]] = {
    Insure: _judge_written,
    CallFoot: _judge_written,
    Pass: _judge_pass,
    Seal: _judge_seal,
    TakeCard: _judge_take,
    Bid: _judge_bid,
    NamePain: _judge_naming,
    Play: _judge_play,
    ClaimRest: _judge_claim,
    ChooseMoon: lambda _hand, _action: None,
}


# What an action does.


def _deal(hand: Hand, action: Deal) -> Hand:
    dealt = replace(hand, dealt=action.holdings, holdings=action.holdings, centre=action.centre)
    return _to_papers(replace(dealt, taken=(EMPTY,) * hand.players))


def _everybody(hand: Hand) -> tuple[Seat, ...]:
    return tuple(clockwise(left_of(hand.before.dealer, hand.players), hand.players))


def _to_papers(hand: Hand) -> Hand:
    if Toggle.ON in (hand.rules.insurance, hand.rules.foot):
        return replace(hand, phase=Phase.PAPERS, to_act=_everybody(hand))
    return _to_exchange(hand)


def _write_paper(hand: Hand, action: Insure | CallFoot) -> Hand:
    blank = (Paper(None),) * hand.players
    papers = list(hand.papers or blank)
    papers[action.seat] = _paper(action)
    waiting = tuple(seat for seat in hand.to_act if seat != action.seat)
    after = replace(hand, papers=tuple(papers), to_act=waiting)
    if waiting:
        return after
    if _callers(after):
        return replace(after, phase=Phase.DONE, status=Status.FOOT)
    return _to_exchange(after)


def _callers(hand: Hand) -> tuple[Seat, ...]:
    """Who called a foot that counts: not one who has used his (D30, Q56)."""
    if hand.rules.foot is Toggle.OFF:
        return ()
    called = (Seat(seat) for seat, paper in enumerate(hand.papers) if paper.foot)
    return tuple(seat for seat in called if seat not in hand.before.feet)


def _to_exchange(hand: Hand) -> Hand:
    if hand.rules.direction(hand.before.deals) == HOLD:
        return _to_centre(hand)
    return replace(hand, phase=Phase.EXCHANGE, to_act=_everybody(hand))


def _pass_cards(hand: Hand, action: Pass) -> Hand:
    passes = (*hand.passes, _passed(hand, action))
    waiting = tuple(seat for seat in hand.to_act if seat != action.seat)
    after = replace(hand, passes=passes, to_act=waiting)
    if waiting:
        return after
    return _to_centre(replace(after, holdings=exchange(hand.holdings, passes)))


def _to_centre(hand: Hand) -> Hand:
    if hand.rules.centre_auction is Toggle.ON:
        return replace(hand, phase=Phase.CENTRE, to_act=_everybody(hand))
    return _to_auction(hand)


def _seal(hand: Hand, action: Seal) -> Hand:
    bids = (*hand.bids, CentreBid(action.seat, action.card, action.bid, action.shown))
    waiting = tuple(seat for seat in hand.to_act if seat != action.seat)
    after = replace(hand, bids=bids, to_act=waiting)
    if waiting:
        return after
    result = centre_auction.resolve(hand.rules, hand.centre, bids, hand.holdings)
    for award in result.awards:
        after = _award(after, award)
    return _to_left_overs(replace(after, to_act=result.queue, left=result.left))


def _award(hand: Hand, award: Award) -> Hand:
    holdings = list(hand.holdings)
    holdings[award.seat] = CardSet(holdings[award.seat] | BIT[award.card])
    return replace(hand, holdings=tuple(holdings), awards=(*hand.awards, award))


def _to_left_overs(hand: Hand) -> Hand:
    if not hand.to_act:
        return _to_auction(hand)
    if len(hand.to_act) == 1:
        last = Award(hand.to_act[0], next(members(hand.left)), 0)
        return _to_auction(_award(replace(hand, to_act=(), left=EMPTY), last))
    return replace(hand, phase=Phase.LEFT_OVERS)


def _take(hand: Hand, action: TakeCard) -> Hand:
    after = _award(hand, Award(action.seat, action.card, 0))
    left = CardSet(hand.left & ~BIT[action.card])
    return _to_left_overs(replace(after, left=left, to_act=hand.to_act[1:]))


def _to_auction(hand: Hand) -> Hand:
    if hand.rules.pain is PainBy.HEARTS:
        return _to_play(replace(hand, pain=Suit.HEARTS))
    if hand.before.jackpot:
        return _to_naming(replace(hand, namer=hand.before.namer))
    return replace(hand, phase=Phase.AUCTION, to_act=_everybody(hand))


def _call(hand: Hand, action: Bid) -> Hand:
    calls = (*hand.calls, PASS_CALL if action.chips is None else action.chips)
    after = replace(hand, calls=calls, to_act=hand.to_act[1:])
    if after.to_act:
        return after
    eldest = left_of(hand.before.dealer, hand.players)
    contract = winner(hand.rules, calls, eldest, hand.players)
    after = replace(after, contract=contract, namer=contract.bidder)
    if contract.bidder is None and hand.rules.all_pass is AllPass.REDEAL:
        return replace(after, phase=Phase.DONE, status=Status.PASSED_OUT)
    return _to_naming(after)


def _to_naming(hand: Hand) -> Hand:
    if hand.namer is None:
        return _to_play(replace(hand, pain=Suit.HEARTS))
    return replace(hand, phase=Phase.NAMING, to_act=(hand.namer,))


def _name(hand: Hand, action: NamePain) -> Hand:
    return _to_play(replace(hand, pain=action.suit))


def _to_play(hand: Hand) -> Hand:
    penalty = hand.limits.penalty
    misdeal = hand.rules.misdeal_if_all_forbidden is Toggle.ON
    if misdeal and any(held & ~penalty == 0 for held in hand.holdings):
        return replace(hand, phase=Phase.DONE, status=Status.VOID_REDEAL, to_act=())
    eldest = left_of(hand.before.dealer, hand.players)
    leader = play.opening_leader(hand.rules, eldest, hand.namer, hand.holdings)
    return replace(hand, phase=Phase.PLAY, leader=leader, to_act=(leader,))


def _play(hand: Hand, action: Play) -> Hand:
    holdings = list(hand.holdings)
    holdings[action.seat] = CardSet(holdings[action.seat] & ~BIT[action.card])
    trick = (*hand.trick, action.card)
    broken = hand.broken or bool(BIT[action.card] & hand.limits.breakers)
    after = replace(hand, holdings=tuple(holdings), trick=trick, broken=broken)
    if len(trick) < hand.players:
        return replace(after, to_act=(left_of(action.seat, hand.players),))
    won = left_of(hand.leader, hand.players, play.winning_place(trick))
    tricks = (*hand.tricks, Trick(hand.leader, trick, won))
    after = replace(after, tricks=tricks, trick=(), leader=won, to_act=(won,))
    after = _give(after, won, card_set(trick))
    return _to_end(after, Status.PLAYED) if not any(holdings) else after


def _give(hand: Hand, seat: Seat, cards: CardSet) -> Hand:
    taken = list(hand.taken)
    taken[seat] = CardSet(taken[seat] | cards)
    return replace(hand, taken=tuple(taken))


def _claim(hand: Hand, action: ClaimRest) -> Hand:
    rest = CardSet(sum(hand.holdings))
    return _to_end(_give(hand, action.seat, rest), Status.CLAIMED)


def _to_end(hand: Hand, status: Status) -> Hand:
    after = replace(hand, status=status)
    shooter = moon_shooter(hand.rules, _facts(after))
    if hand.rules.moon is Moon.SHOOTER_CHOICE and shooter is not None:
        return replace(after, phase=Phase.MOON, to_act=(shooter,))
    return replace(after, phase=Phase.DONE, to_act=())


def _choose_moon(hand: Hand, action: ChooseMoon) -> Hand:
    return replace(hand, phase=Phase.DONE, to_act=(), moon_adds=action.add_to_others)


_STEPS: dict[type[Any], Callable[[Hand, Any], Hand]] = {
    Deal: _deal,
    Insure: _write_paper,
    CallFoot: _write_paper,
    Pass: _pass_cards,
    Seal: _seal,
    TakeCard: _take,
    Bid: _call,
    NamePain: _name,
    Play: _play,
    ClaimRest: _claim,
    ChooseMoon: _choose_moon,
}


def _facts(hand: Hand) -> Facts:
    limits, seats = hand.limits, range(hand.players)
    tricks = [0] * hand.players
    for trick in hand.tricks:
        tricks[trick.winner] += 1
    if isinstance(hand.last, ClaimRest) or (hand.status is Status.CLAIMED):
        tricks = _with_claimed(hand, tricks)
    pays = {award.seat: award.pays for award in hand.awards}
    queen = (seat for seat in seats if hand.taken and hand.taken[seat] & play.QUEEN_SET)
    counted = hand.rules.queen is Toggle.ON
    return Facts(
        status=hand.status,
        taken=tuple(count(CardSet(taken & limits.pain)) for taken in hand.taken),
        whole=count(limits.pain),
        bidder=hand.contract.bidder,
        bid=hand.contract.bid,
        pain=hand.pain,
        namer=hand.namer,
        queen=next((Seat(seat) for seat in queen), None) if counted else None,
        tricks=tuple(tricks),
        papers=tuple(effective_paper(paper) for paper in hand.papers),
        centre=tuple(pays.get(Seat(seat), 0) for seat in seats),
        feet=_callers(hand) if hand.status is Status.FOOT else (),
        moon_adds=hand.moon_adds,
    )


def _with_claimed(hand: Hand, tricks: list[int]) -> list[int]:
    """Tricks with those that a claim gave; the claimer is who holds the rest of the cards won."""
    whole = hand.rules.hand_size(hand.players) + (1 if hand.centre else 0)
    missing = whole - sum(tricks)
    claimer = max(
        range(hand.players), key=lambda seat: count(hand.taken[seat]) - hand.players * tricks[seat]
    )
    return [n + (missing if seat == claimer else 0) for seat, n in enumerate(tricks)]
