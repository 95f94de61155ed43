"""Repairs of what comes before the play: hands exchanged, one card dealt or passed wrongly."""

from collections.abc import Iterator
from dataclasses import replace

from ...core.cards import BIT, EMPTY, NAMES, Card, CardSet, card_set, members, show
from ...core.faults import Code, Part
from ...core.messages import Message
from ...core.seats import Seat, left_of
from ...record.record import CentreBid, PassedCards
from .candidates import Candidate, Case, exchange_cards, make_finding

_HOLDING_CODES = (Code.NOT_HELD, Code.WRONG_PASS, Code.BAD_BID, Code.WRONG_LEADER)
_DEAL_CODES = (Code.CARD_TWICE, Code.NOT_IN_PACK, Code.HAND_SIZE, Code.CENTRE_SIZE)


def exchanged_hands(case: Case) -> Iterator[Candidate]:
    """Two hands of the deal of which each stands where the other one belongs."""
    deal = case.record.deal
    if deal is None or EMPTY in deal or not case.has(*_HOLDING_CODES):
        return
    for one, two in case.pairs():
        hands = list(deal)
        hands[one], hands[two] = hands[two], hands[one]
        left, right = case.name(one), case.name(two)
        finding = make_finding(
            Code.HANDS_EXCHANGED,
            "K4",
            Message(
                "the hands of {left} and {right} stand in each other's place",
                left=left,
                right=right,
            ),
            Part.DEAL,
            hint=Message(
                "write the hand of {left} for {right}, and that of {right} for {left}",
                left=left,
                right=right,
            ),
            seat=one,
        )
        yield Candidate(record=replace(case.record, deal=tuple(hands)), finding=finding)


def turned_deal(case: Case) -> Iterator[Candidate]:
    """A deal of which every hand stands as many seats away from the right one."""
    deal, players = case.record.deal, case.players
    if deal is None or EMPTY in deal or not case.has(*_HOLDING_CODES):
        return
    first = case.record.dealer if case.record.dealer is not None else Seat(0)
    for turn in range(1, players):
        hands = tuple(deal[(seat - turn) % players] for seat in range(players))
        wrong, right = case.name(first), case.name(left_of(first, players, turn))
        finding = make_finding(
            Code.HANDS_EXCHANGED,
            "K4",
            Message(
                "the hand written for {wrong} is that of {right}, and so on round the table",
                wrong=wrong,
                right=right,
            ),
            Part.DEAL,
            hint=Message(
                "write the hand of {wrong} for {right}, and so on round the table",
                wrong=wrong,
                right=right,
            ),
            seat=first,
        )
        yield Candidate(record=replace(case.record, deal=hands), finding=finding)


def dealt_card(case: Case) -> Iterator[Candidate]:
    """One card of the deal or the centre that is another one, is missing, or is one too many."""
    deal, centre = case.record.deal, case.record.centre
    if deal is None or EMPTY in deal or not case.has(*_DEAL_CODES):
        return
    holders = [*deal, centre]
    together, twice = EMPTY, EMPTY
    for cards in holders:
        twice = CardSet(twice | together & cards)
        together = CardSet(together | cards)
    wrong = CardSet(twice | together & ~case.pack)
    missing = CardSet(case.pack & ~together)
    if wrong.bit_count() > 1 or missing.bit_count() > 1:
        return
    for place, cards in enumerate(holders):
        if cards & wrong or (not wrong and missing):
            yield _with_dealt(case, place, CardSet(cards & wrong), missing)


def _with_dealt(case: Case, place: int, wrong: CardSet, right: CardSet) -> Candidate:
    record, in_centre = case.record, place == case.players
    deal = list(record.deal or ())
    if in_centre:
        made = replace(record, centre=exchange_cards(record.centre, wrong, right))
    else:
        deal[place] = exchange_cards(deal[place], wrong, right)
        made = replace(record, deal=tuple(deal))
    name = "" if in_centre else case.name(Seat(place))
    old, new = show(wrong), show(right)
    if not right:
        words = Message("{card} was not dealt to {seat}", card=old, seat=name)
        if in_centre:
            words = Message("{card} did not lie in the centre", card=old)
        hint = Message("remove {card} here", card=old)
    elif not wrong:
        words = Message("{card} was dealt to {seat} too", card=new, seat=name)
        if in_centre:
            words = Message("{card} lay in the centre too", card=new)
        hint = Message("write {card} here too", card=new)
    else:
        words = Message("{seat} was dealt {new}, not {old}", seat=name, new=new, old=old)
        if in_centre:
            words = Message("{new} lay in the centre, not {old}", new=new, old=old)
        hint = Message("write {new} instead of {old}", new=new, old=old)
    size = Code.CENTRE_SIZE if in_centre else Code.HAND_SIZE
    finding = make_finding(
        Code.CARD_TWICE if wrong & case.pack else Code.NOT_IN_PACK if wrong else size,
        "K3 K4",
        words,
        Part.CENTRE if in_centre else Part.DEAL,
        hint=hint,
        seat=None if in_centre else Seat(place),
        card=next(members(wrong or right), None),
    )
    return Candidate(record=made, finding=finding, least=1)


def passed_card(case: Case) -> Iterator[Candidate]:
    """One card of a pass that is another one."""
    deal, passes = case.record.deal, case.record.exchange or ()
    if deal is None or not case.has(Code.WRONG_PASS, Code.NOT_HELD):
        return
    played = case.cards_played()
    for row, passed in enumerate(passes):
        dealt, kept = deal[passed.seat], played[passed.seat]
        wrongs = CardSet(passed.cards & ~dealt) or CardSet(passed.cards & kept)
        rights = CardSet(dealt & played[passed.to] & ~passed.cards)
        rights = rights or CardSet(dealt & ~kept & ~passed.cards)
        if wrongs.bit_count() == 1:
            wrong = next(members(wrongs))
            yield from (_with_passed(case, row, wrong, right) for right in members(rights))


def _with_passed(case: Case, row: int, wrong: Card, right: Card) -> Candidate:
    passes = list(case.record.exchange or ())
    passed = passes[row]
    old, new = NAMES[wrong], NAMES[right]
    passes[row] = replace(passed, cards=exchange_cards(passed.cards, BIT[wrong], BIT[right]))
    finding = make_finding(
        Code.WRONG_PASS,
        "D2",
        Message(
            "{seat}: {new} was passed, not {old}", seat=case.name(passed.seat), new=new, old=old
        ),
        Part.EXCHANGE,
        hint=Message("write {new} instead of {old}", new=new, old=old),
        seat=passed.seat,
        index=row,
        card=wrong,
    )
    return Candidate(record=replace(case.record, exchange=tuple(passes)), finding=finding, least=1)


def exchanged_passes(case: Case) -> Iterator[Candidate]:
    """The passes of two seats of which each stands where the other one belongs."""
    passes = case.record.exchange or ()
    if len(passes) != case.players or not case.has(Code.WRONG_PASS, Code.NOT_HELD):
        return
    for two in range(len(passes)):
        for one in range(two):
            rows: list[PassedCards] = list(passes)
            rows[one] = replace(passes[one], cards=passes[two].cards)
            rows[two] = replace(passes[two], cards=passes[one].cards)
            left, right = case.name(passes[one].seat), case.name(passes[two].seat)
            finding = make_finding(
                Code.WRONG_PASS,
                "D2",
                Message(
                    "the cards passed by {left} and {right} stand in each other's place",
                    left=left,
                    right=right,
                ),
                Part.EXCHANGE,
                hint=Message(
                    "write the cards of {left} for {right}, and those of {right} for {left}",
                    left=left,
                    right=right,
                ),
                seat=passes[one].seat,
                index=one,
            )
            yield Candidate(record=replace(case.record, exchange=tuple(rows)), finding=finding)


def centre_paper(case: Case) -> Iterator[Candidate]:
    """One paper of the centre auction with another card or number."""
    bids = case.record.bids or ()
    if not case.has(Code.BAD_BID, Code.CENTRE_ORDER, Code.NOT_HELD) or case.record.deal is None:
        return
    got = card_set(paper.got for paper in bids if paper.got is not None)
    left = CardSet(case.record.centre & ~got)
    for row, paper in enumerate(bids):
        for right in members(case.record.centre):
            if paper.card is not None and right != paper.card:
                yield _with_paper(case, row, replace(paper, card=right), "Card")
        if paper.pays is not None and paper.card is not None and paper.pays != paper.bid:
            yield _with_paper(case, row, replace(paper, bid=paper.pays), "Bid")
        if left.bit_count() == 1:
            yield _with_paper(case, row, replace(paper, got=next(members(left))), "Got")
        yield from _other_shown_cards(case, row, paper)


def _other_shown_cards(case: Case, row: int, paper: CentreBid) -> Iterator[Candidate]:
    """Other cards that a seat can have shown, where it did not hold the one that is written."""
    faults = [fault for fault in case.faults if fault.column == "Shown" and fault.index == row]
    held = case.replay.held
    if faults and held is not None:
        for right in members(CardSet(held[paper.seat] & ~case.record.centre)):
            yield _with_paper(case, row, replace(paper, shown=right), "Shown")


def _with_paper(case: Case, row: int, paper: CentreBid, column: str) -> Candidate:
    bids = list(case.record.bids or ())
    old, new = _cell(bids[row], column), _cell(paper, column)
    bids[row] = paper
    finding = make_finding(
        Code.CENTRE_ORDER if column == "Got" else Code.BAD_BID,
        "D21 D23 D24",
        Message(
            "{seat}: in the centre auction {column} is {new}, not {old}",
            seat=case.name(paper.seat),
            column=column,
            new=new,
            old=old,
        ),
        Part.BIDS,
        hint=Message("write {new} instead of {old}", new=new, old=old),
        seat=paper.seat,
        index=row,
        column=column,
    )
    return Candidate(record=replace(case.record, bids=tuple(bids)), finding=finding)


def _cell(paper: CentreBid, column: str) -> str:
    if column == "Bid":
        return str(paper.bid)
    card = {"Card": paper.card, "Got": paper.got, "Shown": paper.shown}[column]
    return "-" if card is None else NAMES[card]
