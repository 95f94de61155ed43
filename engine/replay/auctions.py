"""The auctions as a record tells them: the centre cards, the chip auction, naming the suit.

Part of `replay.before_play`: every stage takes the findings so far and adds its own.
"""

from dataclasses import replace
from operator import add
from typing import Final

from ..core.cards import BIT, EMPTY, NAMES, CardSet, Suit, card_set, show
from ..core.chips import in_words
from ..core.faults import Code, Part, Severity
from ..core.messages import Message
from ..core.seats import Seat, left_of
from ..record.record import PASS_CALL, CentreBid, Ending
from ..rules.switches import OFF, AllPass, Cap, JackpotSuit, PainBy, ZeroClean
from . import centre as centre_auction
from .auction import Contract, is_bid, judge_call, undisputed_contract, winner
from .findings import Findings

_BY_HEARTS: Final = PainBy.HEARTS
_HEARTS: Final = Suit.HEARTS
_A_CALL: Final = Message("write a number of chips, or Pass")


def centre(found: Findings) -> None:
    if found.rules.centre_auction is OFF:
        if found.record.bids:
            words = Message("these house rules know no centre auction")
            hint = Message("remove the centre auction, or correct the house rules")
            found.note(Code.BAD_BID, "D20", words, Part.BIDS, Severity.WARNING, hint=hint)
        return
    bids, held = found.record.bids, found.holdings
    if bids is None:
        found.centre = _centre_of_scores(found)
    if bids is None or (found.is_stopped and len(bids) < found.players):
        found.holdings, found.whole = None, False
        return
    if found.whole and held is not None and not found.faults:
        outcome = centre_auction.resolve_valid_bids(found.rules, found.record.centre, bids, held)
        if outcome is not None:
            got, pays = outcome
            found.centre = tuple(pays)
            found.holdings = tuple(map(add, held, got))
            return
    _open_papers(found, bids)


def _centre_of_scores(found: Findings) -> tuple[int, ...]:
    """Points for centre cards as the written scores tell them, where the bids are not written."""
    if found.record.scores is None:
        return ()
    points = [0] * found.players
    for row in found.record.scores:
        points[row.seat] = max(row.values.get("Centre", 0), 0)
    return tuple(points)


def _open_papers(found: Findings, bids: tuple[CentreBid, ...]) -> None:
    shown = (EMPTY if paper.shown is None else BIT[paper.shown] for paper in bids)
    held = found.holdings or tuple(shown)
    by_seat = _by_seat(found, bids, held)
    lying = found.record.centre or card_set(paper.got for paper in bids if paper.got is not None)
    result = centre_auction.resolve(found.rules, lying, bids, by_seat)
    found.add(result.faults)
    _complete(found, bids)
    pays = [0] * found.players
    got = [EMPTY] * found.players
    for award in result.awards:
        pays[award.seat] = award.pays
        got[award.seat] = BIT[award.card]
    found.centre = tuple(pays)
    left = result.left
    for seat in result.queue:
        got[seat] = _left_over(found, seat, left)
        left = CardSet(left & ~got[seat])
    if left and sum(not got[seat] for seat in result.queue) == 1:
        got = [
            left if seat in result.queue and not got[seat] else got[seat]
            for seat in range(len(got))
        ]
    _check_outcome(found, got, pays)
    if found.holdings is not None:
        joined = zip(found.holdings, got, strict=True)
        found.holdings = tuple(CardSet(held | card) for held, card in joined)
        found.whole = found.whole and EMPTY not in got


def _complete(found: Findings, bids: tuple[CentreBid, ...]) -> None:
    """Everybody hands in one paper, with a card of its own on it (D21)."""
    seats = [paper.seat for paper in bids]
    shown = [paper.shown for paper in bids if paper.shown is not None]
    for row, paper in enumerate(bids):
        words = None
        if seats.index(paper.seat) != row:
            words = Message("hands in two papers")
        elif paper.shown is not None and shown.count(paper.shown) > 1:
            words = Message("shows {card}, which another seat shows too", card=NAMES[paper.shown])
        if words is not None:
            found.note(Code.BAD_BID, "D21", words, Part.BIDS, seat=paper.seat, index=row)
    for place in range(found.players):
        if Seat(place) not in seats:
            words = Message("hands in no paper in the centre auction")
            hint = Message("write a row for this seat; - is no bid")
            found.note(Code.BAD_BID, "D21", words, Part.BIDS, seat=Seat(place), hint=hint)


def _by_seat(
    found: Findings, bids: tuple[CentreBid, ...], held: tuple[CardSet, ...]
) -> tuple[CardSet, ...]:
    """Holdings by seat; where no deal is written, what is shown is believed to be held."""
    if found.holdings is not None:
        return held
    shown = {paper.seat: cards for paper, cards in zip(bids, held, strict=True)}
    return tuple(shown.get(Seat(seat), EMPTY) for seat in range(found.players))


def _left_over(found: Findings, seat: Seat, left: CardSet) -> CardSet:
    """The card that a seat of the queue took, as written, if it was left over (D24)."""
    papers = found.record.bids or ()
    got = next((paper.got for paper in papers if paper.seat == seat), None)
    if got is None:
        return EMPTY
    if not BIT[got] & left:
        return EMPTY
    return BIT[got]


def _check_outcome(found: Findings, got: list[CardSet], pays: list[int]) -> None:
    """Compare who got what for how much, as written, with what the papers say (D23, D24)."""
    for row, paper in enumerate(found.record.bids or ()):
        right = got[paper.seat]
        if paper.got is not None and BIT[paper.got] != right:
            words = Message("does not get {card}", card=NAMES[paper.got])
            if right:
                words = Message(
                    "does not get {card} but {right}", card=NAMES[paper.got], right=show(right)
                )
            found.note(
                Code.CENTRE_ORDER,
                "D23 D24",
                words,
                Part.BIDS,
                seat=paper.seat,
                index=row,
                legal=right,
            )
        if paper.pays is not None and paper.pays != pays[paper.seat]:
            words = Message(
                "pays {due} for the centre card, not {written}",
                due=pays[paper.seat],
                written=paper.pays,
            )
            found.note(Code.CENTRE_ORDER, "D23 D24", words, Part.BIDS, seat=paper.seat, index=row)


def auction(found: Findings) -> None:
    if found.rules.pain is _BY_HEARTS:
        if found.record.auction is not None:
            words = Message("hearts is always the pain suit; there is no auction")
            hint = Message("remove the auction; nobody bids for the pain suit here")
            found.note(Code.BAD_CALL, "C3", words, Part.AUCTION, Severity.WARNING, hint=hint)
        return
    found.jackpot = _is_jackpot(found)
    if found.jackpot:
        found.namer = found.before.namer
        return
    if found.record.auction is None:
        found.contract = _bid_of_tables(found)
    else:
        _calls(found, found.record.auction)
    found.namer = found.contract.bidder
    passed_out = found.contract.bidder is None and found.rules.all_pass is AllPass.REDEAL
    if passed_out and _is_auction_over(found):
        found.cancelled = True
        if found.record.play:
            words = Message("everybody passed, and yet the hand was played")
            hint = Message("correct the calls, or remove the play")
            found.note(Code.BAD_CALL, "Q01", words, Part.PLAY, hint=hint)


def _is_auction_over(found: Findings) -> bool:
    """Whether an auction was held, and the hand did not stop in the middle of it."""
    calls = found.record.auction
    if calls is None:
        return found.record.ending is Ending.PASSED_OUT
    return not found.is_stopped or (len(calls) >= found.players and None not in calls)


def _is_jackpot(found: Findings) -> bool:
    """Whether this hand is played for a carried pot; the record and the game must agree (A8)."""
    record, before = found.record, found.before
    if not before.jackpot and record.jackpot is None and before.pot <= 1:
        return False
    bids = any(is_bid(found.rules, call) for call in record.auction or ())
    if before.jackpot:
        if bids:
            words = Message("this is a jackpot hand; there is no bidding")
            hint = Message("remove the calls, if nobody bid")
            found.note(Code.AUCTION_IN_JACKPOT, "A8 C7", words, Part.AUCTION, hint=hint)
            return record.pot is None or record.pot.bid == 0
        if record.jackpot not in (None, before.jackpot):
            words = Message(
                "this is hand {number} for the carried jackpot, not {written}",
                number=before.jackpot,
                written=record.jackpot,
            )
            hint = Message("write {number} in the tag Jackpot", number=before.jackpot)
            code, part, severity = Code.AUCTION_IN_JACKPOT, Part.JACKPOT, Severity.WARNING
            found.note(code, "A8 C7", words, part, severity, hint=hint)
        return True
    if record.jackpot is not None:
        words = Message("no jackpot is carried into this hand; an auction is due")
        hint = Message("remove the tag Jackpot, and write the auction")
        found.note(Code.AUCTION_IN_JACKPOT, "A8 C7", words, Part.JACKPOT, hint=hint)
        return not bids
    if before.pot > 1 and bids and found.rules.zero_clean is ZeroClean.JACKPOT:
        words = Message(
            "{chips} lie in the pot; that should be a jackpot, with no auction",
            chips=in_words(before.pot),
        )
        hint = Message("correct what was in the pot before, or remove the auction")
        found.note(Code.POT, "11.3", words, Part.POT, Severity.WARNING, hint=hint)
    return False


def _bid_of_tables(found: Findings) -> Contract:
    """The bid, where no auction is written: from the pot table or the score table (K6)."""
    record = found.record
    if record.ending is Ending.PASSED_OUT:
        return Contract(None)
    bids = {row.seat: row.values["Bid"] for row in record.scores or () if "Bid" in row.values}
    is_declared = record.pot is not None or bool(bids)
    bid = record.pot.bid if record.pot is not None else sum(bids.values())
    bidder = record.namer if record.namer is not None else next(filter(bids.get, bids), None)
    if found.is_stopped and not is_declared:
        return Contract(bidder)
    if _is_forced(found, bidder, bid if is_declared else None):
        return Contract(found.eldest, found.rules.min_bid)
    if bidder is None:
        _nobody_bid(found)
        return Contract(None)
    if not is_declared and (record.play or record.captures or record.scores):
        words = Message("no bid is written: neither an auction, nor a pot, nor a column Bid")
        hint = Message("write the auction, or the bid in the pot or the scores")
        part, severity = Part.AUCTION, Severity.ERROR
        found.note(Code.BAD_CALL, "K6", words, part, severity, seat=bidder, hint=hint)
    elif is_declared and not is_bid(found.rules, bid):
        words = Message(
            "named the suit for a bid of {bid}; the lowest bid is {least}",
            bid=bid,
            least=found.rules.min_bid,
        )
        hint = Message("write {least} or more", least=found.rules.min_bid)
        found.note(Code.BAD_CALL, "Q03", words, Part.AUCTION, seat=bidder, hint=hint)
    found.add([judge_call(found.rules, bid, bidder, found.before.chips[bidder], None)])
    return Contract(bidder, min(bid, _most(found, bidder)))


def _is_forced(found: Findings, bidder: Seat | None, bid: int | None) -> bool:
    """Whether the eldest had to take the hand for the lowest bid (Q01); they may hold less."""
    if found.rules.all_pass is not AllPass.ELDEST_PAYS_MIN:
        return False
    least = found.rules.min_bid
    return bidder is None or (bidder == found.eldest and bid is not None and bid <= least)


def _nobody_bid(found: Findings) -> None:
    ended = found.record.ending in (None, Ending.NORMAL, Ending.CLAIM)
    if ended and found.rules.all_pass is AllPass.REDEAL:
        words = Message("neither an auction nor a bid-winner is written")
        hint = Message("write the auction, or the tag Declarer")
        found.note(Code.BAD_CALL, "A3 C3", words, Part.AUCTION, Severity.ERROR, hint=hint)


def _most(found: Findings, seat: Seat) -> int:
    """A bid above the chips held counts as all of them (section 8, OVER_STACK)."""
    return max(found.before.chips[seat], 0) if found.rules.max_bid is Cap.STACK else 10**9


def _calls(found: Findings, calls: tuple[int | None, ...]) -> None:
    first = found.eldest if found.record.first_caller is None else found.record.first_caller
    if first != found.eldest:
        words = Message(
            "{right} bids first, not {wrong}",
            right=found.name(found.eldest),
            wrong=found.name(first),
        )
        found.note(Code.BID_OUT_OF_TURN, "A3 C3", words, Part.AUCTION, index=0)
    undisputed = undisputed_contract(found.rules, found.before.chips, calls, first)
    found.contract = undisputed or _judge_calls(found, calls, first)


def _judge_calls(found: Findings, calls: tuple[int | None, ...], first: Seat) -> Contract:
    """Return the outcome of calls, each of them judged."""
    players, highest = found.players, None
    if not found.is_stopped:
        _missing_calls(found, calls, first)
    for place, call in enumerate(calls):
        seat = left_of(first, players, place)
        if place >= players:
            words = Message("there is no second bid")
            found.note(Code.BID_OUT_OF_TURN, "A3 C3", words, Part.AUCTION, seat=seat, index=place)
            continue
        if call is None:
            continue
        fault = judge_call(found.rules, call, seat, found.before.chips[seat], highest)
        if fault is not None:
            found.add([replace(fault, index=place)])
        if is_bid(found.rules, call):
            highest = max(call, highest or 0)
    if not _is_auction_over(found) and found.record.namer is None:
        return Contract(None)
    counted = [
        _effective_call(found, call, left_of(first, players, n)) for n, call in enumerate(calls)
    ]
    return winner(found.rules, counted[:players], first, players)


def _missing_calls(found: Findings, calls: tuple[int | None, ...], first: Seat) -> None:
    for place in range(found.players):
        if place < len(calls) and calls[place] is not None:
            continue
        seat, index = left_of(first, found.players, place), place if place < len(calls) else None
        words, part = Message("the call is missing"), Part.AUCTION
        found.note(Code.BAD_CALL, "A3 C3", words, part, seat=seat, index=index, hint=_A_CALL)


def _effective_call(found: Findings, call: int | None, seat: Seat) -> int | None:
    """A call as far as it counts: cancelled below the lowest bid, reduced to the chips held."""
    if call is None or call == PASS_CALL or call < found.rules.min_bid:
        return call if call is None else PASS_CALL
    return min(call, _most(found, seat))


def naming(found: Findings) -> None:
    """The pain suit, and whether the right player named it (A3, A8, C4, C7, Q08)."""
    record = found.record
    unnamed = found.namer is None and (found.jackpot or not found.is_stopped)
    nobody_bid = found.namer is None and _is_auction_over(found)
    if found.rules.pain is _BY_HEARTS or ((unnamed or nobody_bid) and not found.cancelled):
        found.pain = _HEARTS
        if record.pain not in (None, _HEARTS):
            words = Message("hearts is the pain suit of this hand")
            hint = Message("write H in the tag PainSuit, or remove it")
            found.note(Code.WRONG_NAMER, "B5 Q01", words, Part.PAIN, hint=hint)
        if record.namer is not None and found.rules.pain is not _BY_HEARTS:
            words = Message(
                "nobody names the pain suit of this hand, not {seat}",
                seat=found.name(record.namer),
            )
            hint = Message("leave the tag Declarer empty, if everybody passed")
            found.note(Code.WRONG_NAMER, "DEC-3", words, Part.NAMER, Severity.WARNING, hint=hint)
        return
    if found.cancelled:
        return
    found.pain = record.pain
    if record.namer is not None and found.namer is not None and record.namer != found.namer:
        words = Message(
            "{right} names the pain suit, not {wrong}",
            right=found.name(found.namer),
            wrong=found.name(record.namer),
        )
        rule = "A8 C7" if found.jackpot else "A3 C4"
        found.note(Code.WRONG_NAMER, rule, words, Part.NAMER)
    if record.pain is None and not found.is_stopped:
        rule = "A8 C7" if found.jackpot else "A3 C4"
        words = Message("no pain suit is named")
        hint = Message("write the letter of the suit in the tag PainSuit")
        found.note(Code.WRONG_NAMER, rule, words, Part.PAIN, Severity.ERROR, hint=hint)
    same = found.jackpot and found.rules.jackpot_suit is JackpotSuit.SAME
    if same and found.before.pain not in (None, record.pain):
        words = Message("the pain suit of a jackpot hand is the one named first")
        found.note(Code.WRONG_NAMER, "Q08", words, Part.PAIN)
