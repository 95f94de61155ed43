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


def centre(findings: Findings) -> None:
    if findings.rules.centre_auction is OFF:
        if findings.record.bids:
            words = Message("these house rules know no centre auction")
            hint = Message("remove the centre auction, or correct the house rules")
            findings.note(Code.BAD_BID, "D20", words, Part.BIDS, Severity.WARNING, hint=hint)
        return
    bids, held = findings.record.bids, findings.holdings
    if bids is None:
        findings.centre = _centre_of_scores(findings)
    if bids is None or (findings.is_stopped and len(bids) < findings.players):
        findings.holdings, findings.whole = None, False
        return
    if findings.whole and held is not None and not findings.faults:
        outcome = centre_auction.resolve_valid_bids(
            findings.rules, findings.record.centre, bids, held
        )
        if outcome is not None:
            got, pays = outcome
            findings.centre = tuple(pays)
            findings.holdings = tuple(map(add, held, got))
            return
    _open_papers(findings, bids)


def _centre_of_scores(findings: Findings) -> tuple[int, ...]:
    """Points for centre cards as the written scores tell them, where the bids are not written."""
    if findings.record.scores is None:
        return ()
    points = [0] * findings.players
    for row in findings.record.scores:
        points[row.seat] = max(row.values.get("Centre", 0), 0)
    return tuple(points)


def _open_papers(findings: Findings, bids: tuple[CentreBid, ...]) -> None:
    shown = (EMPTY if paper.shown is None else BIT[paper.shown] for paper in bids)
    held = findings.holdings or tuple(shown)
    by_seat = _by_seat(findings, bids, held)
    lying = findings.record.centre or card_set(paper.got for paper in bids if paper.got is not None)
    result = centre_auction.resolve(findings.rules, lying, bids, by_seat)
    findings.add(result.faults)
    _complete(findings, bids)
    pays = [0] * findings.players
    got = [EMPTY] * findings.players
    for award in result.awards:
        pays[award.seat] = award.pays
        got[award.seat] = BIT[award.card]
    findings.centre = tuple(pays)
    left = result.left
    for seat in result.queue:
        got[seat] = _left_over(findings, seat, left)
        left = CardSet(left & ~got[seat])
    if left and sum(not got[seat] for seat in result.queue) == 1:
        got = [
            left if seat in result.queue and not got[seat] else got[seat]
            for seat in range(len(got))
        ]
    _check_outcome(findings, got, pays)
    if findings.holdings is not None:
        joined = zip(findings.holdings, got, strict=True)
        findings.holdings = tuple(CardSet(held | card) for held, card in joined)
        findings.whole = findings.whole and EMPTY not in got


def _complete(findings: Findings, bids: tuple[CentreBid, ...]) -> None:
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
            findings.note(Code.BAD_BID, "D21", words, Part.BIDS, seat=paper.seat, index=row)
    for place in range(findings.players):
        if Seat(place) not in seats:
            words = Message("hands in no paper in the centre auction")
            hint = Message("write a row for this seat; - is no bid")
            findings.note(Code.BAD_BID, "D21", words, Part.BIDS, seat=Seat(place), hint=hint)


def _by_seat(
    findings: Findings, bids: tuple[CentreBid, ...], held: tuple[CardSet, ...]
) -> tuple[CardSet, ...]:
    """Holdings by seat; where no deal is written, what is shown is believed to be held."""
    if findings.holdings is not None:
        return held
    shown = {paper.seat: cards for paper, cards in zip(bids, held, strict=True)}
    return tuple(shown.get(Seat(seat), EMPTY) for seat in range(findings.players))


def _left_over(findings: Findings, seat: Seat, left: CardSet) -> CardSet:
    """The card that a seat of the queue took, as written, if it was left over (D24)."""
    papers = findings.record.bids or ()
    got = next((paper.got for paper in papers if paper.seat == seat), None)
    if got is None:
        return EMPTY
    if not BIT[got] & left:
        return EMPTY
    return BIT[got]


def _check_outcome(findings: Findings, got: list[CardSet], pays: list[int]) -> None:
    """Compare who got what for how much, as written, with what the papers say (D23, D24)."""
    for row, paper in enumerate(findings.record.bids or ()):
        right = got[paper.seat]
        if paper.got is not None and BIT[paper.got] != right:
            words = Message("does not get {card}", card=NAMES[paper.got])
            if right:
                words = Message(
                    "does not get {card} but {right}", card=NAMES[paper.got], right=show(right)
                )
            findings.note(
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
            findings.note(
                Code.CENTRE_ORDER, "D23 D24", words, Part.BIDS, seat=paper.seat, index=row
            )


def auction(findings: Findings) -> None:
    if findings.rules.pain is _BY_HEARTS:
        if findings.record.auction is not None:
            words = Message("hearts is always the pain suit; there is no auction")
            hint = Message("remove the auction; nobody bids for the pain suit here")
            findings.note(Code.BAD_CALL, "C3", words, Part.AUCTION, Severity.WARNING, hint=hint)
        return
    findings.jackpot = _is_jackpot(findings)
    if findings.jackpot:
        findings.namer = findings.before.namer
        return
    if findings.record.auction is None:
        findings.contract = _bid_of_tables(findings)
    else:
        _calls(findings, findings.record.auction)
    findings.namer = findings.contract.bidder
    passed_out = findings.contract.bidder is None and findings.rules.all_pass is AllPass.REDEAL
    if passed_out and _is_auction_over(findings):
        findings.cancelled = True
        if findings.record.play:
            words = Message("everybody passed, and yet the hand was played")
            hint = Message("correct the calls, or remove the play")
            findings.note(Code.BAD_CALL, "Q01", words, Part.PLAY, hint=hint)


def _is_auction_over(findings: Findings) -> bool:
    """Whether an auction was held, and the hand did not stop in the middle of it."""
    calls = findings.record.auction
    if calls is None:
        return findings.record.ending is Ending.PASSED_OUT
    return not findings.is_stopped or (len(calls) >= findings.players and None not in calls)


def _is_jackpot(findings: Findings) -> bool:
    """Whether this hand is played for a carried pot; the record and the game must agree (A8)."""
    record, before = findings.record, findings.before
    if not before.jackpot and record.jackpot is None and before.pot <= 1:
        return False
    bids = any(is_bid(findings.rules, call) for call in record.auction or ())
    if before.jackpot:
        if bids:
            words = Message("this is a jackpot hand; there is no bidding")
            hint = Message("remove the calls, if nobody bid")
            findings.note(Code.AUCTION_IN_JACKPOT, "A8 C7", words, Part.AUCTION, hint=hint)
            return record.pot is None or record.pot.bid == 0
        if record.jackpot not in (None, before.jackpot):
            words = Message(
                "this is hand {number} for the carried jackpot, not {written}",
                number=before.jackpot,
                written=record.jackpot,
            )
            hint = Message("write {number} in the tag Jackpot", number=before.jackpot)
            code, part, severity = Code.AUCTION_IN_JACKPOT, Part.JACKPOT, Severity.WARNING
            findings.note(code, "A8 C7", words, part, severity, hint=hint)
        return True
    if record.jackpot is not None:
        words = Message("no jackpot is carried into this hand; an auction is due")
        hint = Message("remove the tag Jackpot, and write the auction")
        findings.note(Code.AUCTION_IN_JACKPOT, "A8 C7", words, Part.JACKPOT, hint=hint)
        return not bids
    if before.pot > 1 and bids and findings.rules.zero_clean is ZeroClean.JACKPOT:
        words = Message(
            "{chips} lie in the pot; that should be a jackpot, with no auction",
            chips=in_words(before.pot),
        )
        hint = Message("correct what was in the pot before, or remove the auction")
        findings.note(Code.POT, "11.3", words, Part.POT, Severity.WARNING, hint=hint)
    return False


def _bid_of_tables(findings: Findings) -> Contract:
    """The bid, where no auction is written: from the pot table or the score table (K6)."""
    record = findings.record
    if record.ending is Ending.PASSED_OUT:
        return Contract(None)
    bids = {row.seat: row.values["Bid"] for row in record.scores or () if "Bid" in row.values}
    is_declared = record.pot is not None or bool(bids)
    bid = record.pot.bid if record.pot is not None else sum(bids.values())
    bidder = record.namer if record.namer is not None else next(filter(bids.get, bids), None)
    if findings.is_stopped and not is_declared:
        return Contract(bidder)
    if _is_forced(findings, bidder, bid if is_declared else None):
        return Contract(findings.eldest, findings.rules.min_bid)
    if bidder is None:
        _nobody_bid(findings)
        return Contract(None)
    if not is_declared and (record.play or record.captures or record.scores):
        words = Message("no bid is written: neither an auction, nor a pot, nor a column Bid")
        hint = Message("write the auction, or the bid in the pot or the scores")
        part, severity = Part.AUCTION, Severity.ERROR
        findings.note(Code.BAD_CALL, "K6", words, part, severity, seat=bidder, hint=hint)
    elif is_declared and not is_bid(findings.rules, bid):
        words = Message(
            "named the suit for a bid of {bid}; the lowest bid is {least}",
            bid=bid,
            least=findings.rules.min_bid,
        )
        hint = Message("write {least} or more", least=findings.rules.min_bid)
        findings.note(Code.BAD_CALL, "Q03", words, Part.AUCTION, seat=bidder, hint=hint)
    findings.add([judge_call(findings.rules, bid, bidder, findings.before.chips[bidder], None)])
    return Contract(bidder, min(bid, _most(findings, bidder)))


def _is_forced(findings: Findings, bidder: Seat | None, bid: int | None) -> bool:
    """Whether the eldest had to take the hand for the lowest bid (Q01); they may hold less."""
    if findings.rules.all_pass is not AllPass.ELDEST_PAYS_MIN:
        return False
    least = findings.rules.min_bid
    return bidder is None or (bidder == findings.eldest and bid is not None and bid <= least)


def _nobody_bid(findings: Findings) -> None:
    ended = findings.record.ending in (None, Ending.NORMAL, Ending.CLAIM)
    if ended and findings.rules.all_pass is AllPass.REDEAL:
        words = Message("neither an auction nor a bid-winner is written")
        hint = Message("write the auction, or the tag Declarer")
        findings.note(Code.BAD_CALL, "A3 C3", words, Part.AUCTION, Severity.ERROR, hint=hint)


def _most(findings: Findings, seat: Seat) -> int:
    """A bid above the chips held counts as all of them (section 8, OVER_STACK)."""
    return max(findings.before.chips[seat], 0) if findings.rules.max_bid is Cap.STACK else 10**9


def _calls(findings: Findings, calls: tuple[int | None, ...]) -> None:
    first = (
        findings.eldest if findings.record.first_caller is None else findings.record.first_caller
    )
    if first != findings.eldest:
        words = Message(
            "{right} bids first, not {wrong}",
            right=findings.name(findings.eldest),
            wrong=findings.name(first),
        )
        findings.note(Code.BID_OUT_OF_TURN, "A3 C3", words, Part.AUCTION, index=0)
    undisputed = undisputed_contract(findings.rules, findings.before.chips, calls, first)
    findings.contract = undisputed or _judge_calls(findings, calls, first)


def _judge_calls(findings: Findings, calls: tuple[int | None, ...], first: Seat) -> Contract:
    """Return the outcome of calls, each of them judged."""
    players, highest = findings.players, None
    if not findings.is_stopped:
        _missing_calls(findings, calls, first)
    for place, call in enumerate(calls):
        seat = left_of(first, players, place)
        if place >= players:
            words = Message("there is no second bid")
            findings.note(
                Code.BID_OUT_OF_TURN, "A3 C3", words, Part.AUCTION, seat=seat, index=place
            )
            continue
        if call is None:
            continue
        fault = judge_call(findings.rules, call, seat, findings.before.chips[seat], highest)
        if fault is not None:
            findings.add([replace(fault, index=place)])
        if is_bid(findings.rules, call):
            highest = max(call, highest or 0)
    if not _is_auction_over(findings) and findings.record.namer is None:
        return Contract(None)
    counted = [
        _effective_call(findings, call, left_of(first, players, n)) for n, call in enumerate(calls)
    ]
    return winner(findings.rules, counted[:players], first, players)


def _missing_calls(findings: Findings, calls: tuple[int | None, ...], first: Seat) -> None:
    for place in range(findings.players):
        if place < len(calls) and calls[place] is not None:
            continue
        seat, index = left_of(first, findings.players, place), place if place < len(calls) else None
        words, part = Message("the call is missing"), Part.AUCTION
        findings.note(Code.BAD_CALL, "A3 C3", words, part, seat=seat, index=index, hint=_A_CALL)


def _effective_call(findings: Findings, call: int | None, seat: Seat) -> int | None:
    """A call as far as it counts: cancelled below the lowest bid, reduced to the chips held."""
    if call is None or call == PASS_CALL or call < findings.rules.min_bid:
        return call if call is None else PASS_CALL
    return min(call, _most(findings, seat))


def naming(findings: Findings) -> None:
    """The pain suit, and whether the right player named it (A3, A8, C4, C7, Q08)."""
    record = findings.record
    unnamed = findings.namer is None and (findings.jackpot or not findings.is_stopped)
    nobody_bid = findings.namer is None and _is_auction_over(findings)
    if findings.rules.pain is _BY_HEARTS or ((unnamed or nobody_bid) and not findings.cancelled):
        findings.pain = _HEARTS
        if record.pain not in (None, _HEARTS):
            words = Message("hearts is the pain suit of this hand")
            hint = Message("write H in the tag PainSuit, or remove it")
            findings.note(Code.WRONG_NAMER, "B5 Q01", words, Part.PAIN, hint=hint)
        if record.namer is not None and findings.rules.pain is not _BY_HEARTS:
            words = Message(
                "nobody names the pain suit of this hand, not {seat}",
                seat=findings.name(record.namer),
            )
            hint = Message("leave the tag Declarer empty, if everybody passed")
            findings.note(Code.WRONG_NAMER, "DEC-3", words, Part.NAMER, Severity.WARNING, hint=hint)
        return
    if findings.cancelled:
        return
    findings.pain = record.pain
    if record.namer is not None and findings.namer is not None and record.namer != findings.namer:
        words = Message(
            "{right} names the pain suit, not {wrong}",
            right=findings.name(findings.namer),
            wrong=findings.name(record.namer),
        )
        rule = "A8 C7" if findings.jackpot else "A3 C4"
        findings.note(Code.WRONG_NAMER, rule, words, Part.NAMER)
    if record.pain is None and not findings.is_stopped:
        rule = "A8 C7" if findings.jackpot else "A3 C4"
        words = Message("no pain suit is named")
        hint = Message("write the letter of the suit in the tag PainSuit")
        findings.note(Code.WRONG_NAMER, rule, words, Part.PAIN, Severity.ERROR, hint=hint)
    same = findings.jackpot and findings.rules.jackpot_suit is JackpotSuit.SAME
    if same and findings.before.pain not in (None, record.pain):
        words = Message("the pain suit of a jackpot hand is the one named first")
        findings.note(Code.WRONG_NAMER, "Q08", words, Part.PAIN)
