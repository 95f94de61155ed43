"""Following the play of a record, card by card, past every irregularity (rules.md K5, section 8).

The table went on after a revoke or a wrong lead, and so does this: each fault is noted with what
would have been legal, and the trick counts as it was played.
"""

from dataclasses import dataclass, replace
from typing import Final

from ..core.cards import BIT, EMPTY, NAMES, Card, CardSet, card_set, members, show
from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import NO_MESSAGE, Message
from ..core.seats import Seat, turns
from ..record.actions import Play
from ..record.facts import Facts
from ..record.record import Ending, HandRecord
from ..rules.switches import Claims, FirstLeader, Toggle
from .course import Course, find_legal_course
from .findings import Findings
from .layout import PlayLayout, fill_missing_card, find_holdings, lay_out, twice
from .play import (
    Restrictions,
    legal_follows,
    legal_leads,
    opening_leader,
    play_fault,
    restrictions,
    winning_place,
)

_PLAYED_OUT: Final = (None, Ending.NORMAL)
"""How a hand ends of which every card was played."""


@dataclass(slots=True)
class _Course:
    """The play while it is followed: what is held, who leads, whether the suit is broken."""

    found: Findings
    layout: PlayLayout
    limits: Restrictions
    held: list[int]
    leader: int
    broken: bool = False


def is_claimed_at_once(record: HandRecord) -> bool:
    """Whether a claim before the first trick says who took everything.

    Without the deal, captures and scores that are written tell more.
    """
    if record.play or record.claim is None or record.claim.tricks:
        return False
    return record.deal is not None or (record.captures is None and record.scores is None)


def follow(findings: Findings) -> None:
    """Judge the play of a record, and find out who took which cards."""
    if is_claimed_at_once(findings.record):
        findings.taken = [EMPTY] * findings.players
        findings.course = Course(turns(Seat(0), findings.players), (), [], [], findings.taken)
        _claim(findings, 0, findings.rules.tricks(findings.players))
        return
    course = _in_order(findings)
    if course is None:
        _look(findings)
    else:
        findings.course, findings.taken = course, course.taken


def _in_order(findings: Findings) -> Course | None:
    """The course of a whole play of whole hands with which nothing is wrong; None of any other."""
    record, columns, players = findings.record, findings.record.columns, findings.players
    play, held = record.play or (), findings.holdings
    if (
        findings.faults
        or not findings.whole
        or held is None
        or columns is None
        or findings.pain is None
    ):
        return None
    if len(play) != players * findings.stock.tricks or record.marks or record.claim is not None:
        return None
    if record.ending not in _PLAYED_OUT or columns != turns(columns[0], players):
        return None
    if columns[0] != opening_leader(findings.rules, findings.eldest, findings.namer, held):
        return None
    if None in play:
        return None
    limits = restrictions(findings.rules, findings.pain, players)
    # Every card is written, as was asked above; the types do not know it.
    return find_legal_course(columns, play, 0, held, limits)  # type: ignore[arg-type]


def _look(findings: Findings) -> None:
    """Judge a play in which something may be wrong, or missing."""
    layout = lay_out(findings)
    if layout is None:
        return
    players, played = findings.players, set(layout.play)
    once = len(played) == len(layout.play)
    if not once or not played.isdisjoint(members(findings.rules.stripped(players))):
        twice(findings, layout)
    find_holdings(findings, layout)
    assert findings.holdings is not None
    assert findings.pain is not None
    layout = fill_missing_card(findings, layout)
    limits = restrictions(findings.rules, findings.pain, players)
    leader = _opening_leader(findings, layout)
    last = _whole_rows(findings, layout)
    course = None
    if once and not layout.leaders:
        place = layout.columns.index(leader)
        whole = layout.play if last == len(layout.play) else layout.play[:last]
        # No card is missing before the first gap; the types do not know it.
        course = find_legal_course(layout.columns, whole, place, findings.holdings, limits)  # type: ignore[arg-type]
    if course is None:
        course = _card_by_card(findings, layout, limits, leader, last)
    findings.course = course
    findings.taken = course.taken
    _rest(findings, layout, last)


def _card_by_card(
    findings: Findings, layout: PlayLayout, limits: Restrictions, leader: Seat, last: int
) -> Course:
    """Judge every card in its turn."""
    assert findings.holdings is not None
    players = findings.players
    course = _Course(
        found=findings,
        layout=layout,
        limits=limits,
        held=list(findings.holdings),
        leader=leader,
    )
    taken, leaders, winners = [0] * players, [], []
    play, first_column = layout.play, layout.columns[0]
    for base in range(0, last, players):
        if layout.leaders and base // players in layout.leaders:
            _led_out_of_turn(course, base)
        place = (course.leader - first_column) % players
        row = play[base : base + players]
        cards: tuple[Card, ...] = row[place:] + row[:place]  # type: ignore[assignment]
        leaders.append(place)
        cards_of_trick = _trick(course, cards, base)
        taken[course.leader] |= cards_of_trick
        winners.append((course.leader - first_column) % players)
    won = [CardSet(cards) for cards in taken]
    return Course(layout.columns, play[:last], leaders, winners, won)  # type: ignore[arg-type]


def _whole_rows(findings: Findings, layout: PlayLayout) -> int:
    """Up to which place complete tricks are written; note what stands after the first gap."""
    players, play = findings.players, layout.play
    last = len(play) - len(play) % players
    if None in play:
        gap = play.index(None)
        last = min(last, gap - gap % players)
        later = [index for index in range(last + players, len(play)) if play[index] is not None]
        if later:
            words = Message("a trick is not complete, and yet the play goes on")
            trick = last // players + 1
            findings.note(
                Code.TRICK_COUNT,
                "K5",
                words,
                Part.PLAY,
                Severity.ERROR,
                index=layout.place(gap),
                trick=trick,
                hint=Message("write the cards of this trick"),
            )
    return last


def _trick(course: _Course, cards: tuple[Card, ...], base: int) -> CardSet:
    """One complete trick: judge each card, find the winner; returns the cards as a set."""
    players = course.found.players
    led_by, lead = course.leader, cards[0]
    had = bool(BIT[lead] & course.held[led_by])
    for place, card in enumerate(cards):
        seat = Seat((led_by + place) % players)
        holding = CardSet(course.held[seat])
        if place == 0:
            legal = legal_leads(holding, course.limits, first=base == 0, broken=course.broken)
        elif had:
            legal = legal_follows(holding, lead, course.limits, first=base == 0)
        else:
            # Nobody knows what was really led, so nobody can be said to have revoked.
            legal = holding
        if not BIT[card] & legal:
            _note(course, Play(seat, card), legal, lead if place else None, base)
        course.held[seat] &= ~BIT[card]
    course.leader = (led_by + winning_place(cards)) % players
    trick = card_set(cards)
    course.broken = course.broken or bool(trick & course.limits.breakers)
    return trick


def _note(course: _Course, action: Play, legal: CardSet, lead: Card | None, base: int) -> None:
    """Note a card that was not legal, and when it was the first such card."""
    found, seat, card = course.found, action.seat, action.card
    holding = CardSet(course.held[seat])
    if not BIT[card] & holding:
        _narrow(course, seat, base)
        if _is_noted(found, card):
            return
        fault = _not_held(found, seat, card, legal)
    else:
        fault = play_fault(action, holding, legal, lead, course.limits)
    index = base + (seat - course.layout.columns[0]) % found.players
    place, trick = course.layout.place(index), base // found.players + 1
    late = _is_established(found, course.layout, base)
    found.add([replace(fault, index=place, trick=trick, established=late)])
    if found.good is None:
        found.good = base + (seat - course.leader) % found.players


def _is_established(findings: Findings, layout: PlayLayout, base: int) -> bool:
    """Whether it was too late to correct a play: the next trick was begun, or the hand is over."""
    over = findings.record.claim is not None or layout.complete(findings.rules)
    return over or len(layout.play) > base + findings.players


def _narrow(course: _Course, seat: int, base: int) -> None:
    """After a card that was not held, a seat holds for certain only what it goes on to play.

    Otherwise the card that it should have played would make every later trick look like a revoke.
    """
    play, players = course.layout.play, course.found.players
    if course.found.record.claim is None:
        column = (seat - course.layout.columns[0]) % players
        later = play[base + column + players :: players]
        course.held[seat] &= card_set(card for card in later if card is not None)


def _is_noted(findings: Findings, card: Card) -> bool:
    """Whether this very card has been noted already: played twice, or not in the pack."""
    codes = (Code.PLAYED_TWICE, Code.NOT_IN_PACK)
    return any(fault.card == card and fault.code in codes for fault in findings.faults)


def _not_held(findings: Findings, seat: Seat, card: Card, legal: CardSet) -> Fault:
    words = Message("never had {card}", card=NAMES[card])
    for holder, dealt in enumerate(findings.holdings or ()):
        if dealt & BIT[card]:
            name = findings.name(Seat(holder))
            words = Message("never had {card} ({seat} had it)", card=NAMES[card], seat=name)
            break
    return Fault(
        code=Code.NOT_HELD,
        rule="K4",
        message=words,
        part=Part.PLAY,
        seat=seat,
        card=card,
        legal=legal,
    )


def _opening_leader(findings: Findings, layout: PlayLayout) -> Seat:
    """Return the leader of the first trick as written; a fault if it should be another."""
    assert findings.holdings is not None
    right = opening_leader(findings.rules, findings.eldest, findings.namer, findings.holdings)
    if findings.record.columns is not None:
        led = layout.leaders.pop(0, findings.record.columns[0])
    else:
        led = layout.leaders.pop(0, right)
    unknown = findings.rules.first_leader is FirstLeader.LOW_CLUB and not findings.whole
    if led != right and not unknown:
        place = (led - layout.columns[0]) % findings.players
        card = layout.play[place] if layout.play else None
        words = Message("{seat} leads to the first trick", seat=findings.name(right))
        findings.note(
            Code.WRONG_LEADER,
            "A4 B3 C5 D3 E3",
            words,
            Part.PLAY,
            seat=led,
            index=layout.place(place) if layout.play else None,
            trick=1,
            card=card,
            established=_is_established(findings, layout, 0),
        )
        findings.good = 0
    return led


def _led_out_of_turn(course: _Course, base: int) -> None:
    """The table let a lead out of turn stand; so does the replay (section 8)."""
    found, players = course.found, course.found.players
    trick = base // players
    seat = course.layout.leaders[trick]
    if seat == course.leader:
        return
    index = base + (seat - course.layout.columns[0]) % players
    winner = found.name(Seat(course.leader))
    words = Message("{seat} won trick {trick} and leads", seat=winner, trick=trick)
    found.note(
        Code.OUT_OF_TURN,
        "K5",
        words,
        Part.PLAY,
        seat=seat,
        index=course.layout.place(index),
        trick=trick + 1,
        card=course.layout.play[index],
        established=_is_established(found, course.layout, base),
    )
    found.good = base if found.good is None else found.good
    course.leader = seat


def _rest(findings: Findings, layout: PlayLayout, last: int) -> None:
    """Tricks that were not played: claimed, or missing, or more than there can be."""
    record, players = findings.record, findings.players
    size = findings.rules.tricks(players)
    tricks = last // players
    if record.claim is not None:
        _claim(findings, tricks, size)
        return
    if record.ending is Ending.CLAIM:
        words = Message("the hand ended by a claim; write whose, and after how many tricks")
        hint = Message("write a seat and {tricks} in the tag Claim", tricks=tricks)
        findings.note(Code.BAD_CLAIM, "Q65", words, Part.ENDING, Severity.ERROR, hint=hint)
        return
    if tricks > size or (tricks < size and record.ending in _PLAYED_OUT):
        words = Message(
            "complete tricks written: {tricks}; this hand has {size}", tricks=tricks, size=size
        )
        findings.note(
            Code.TRICK_COUNT,
            "K5",
            words,
            Part.PLAY,
            Severity.ERROR,
            index=layout.place(min(last, len(layout.play) - 1)) if layout.play else None,
            hint=_missing(findings, layout, tricks, size),
        )


def _missing(findings: Findings, layout: PlayLayout, tricks: int, size: int) -> Message:
    """Return advice on a wrong number of tricks."""
    if tricks > size:
        return Message("remove the rows that are no tricks of this hand")
    left = findings.rules.pack(findings.players) & ~card_set(
        c for c in layout.play if c is not None
    )
    if tricks == size - 1 and len(layout.play) == tricks * findings.players:
        return Message(
            "write the trick that is missing; nobody played {cards}", cards=show(CardSet(left))
        )
    return Message("write every trick, or how the hand ended")


def _claim(findings: Findings, tricks: int, size: int) -> None:
    claim = findings.record.claim
    assert claim is not None
    assert findings.taken is not None
    words, hint = _refusal(findings, size)
    if claim.tricks != tricks and findings.rules.claims is not Claims.OFF:
        words = Message(
            "claimed after {tricks} tricks, but {complete} complete tricks are written",
            tricks=claim.tricks,
            complete=tricks,
        )
        hint = Message(
            "write {tricks} in the tag Claim, or the tricks as they were played", tricks=tricks
        )
    if words:
        findings.note(Code.BAD_CLAIM, "Q65", words, Part.CLAIM, seat=claim.seat, hint=hint)
    pack = findings.rules.pack(findings.players)
    rest = CardSet(pack & ~sum(findings.taken))
    findings.taken[claim.seat] = CardSet(findings.taken[claim.seat] | rest)


def _refusal(findings: Findings, size: int) -> tuple[Message, Message]:
    """Why nobody could claim, and what to do; empty where somebody could."""
    claim = findings.record.claim
    assert claim is not None
    if findings.rules.claims is Claims.OFF:
        words = Message("these house rules allow no claims")
        return words, Message("remove the tag Claim, and write every trick")
    if claim.tricks >= size:
        words = Message(
            "nothing is left to claim after {tricks} of {size} tricks",
            tricks=claim.tricks,
            size=size,
        )
        return words, Message("remove the tag Claim")
    return NO_MESSAGE, NO_MESSAGE


def judge_claim_of_result(findings: Findings, facts: Facts) -> None:
    """Compare a claim with captures or scores, where no play is written (Q65)."""
    claim = findings.record.claim
    if claim is None:
        return
    words, hint = _refusal(findings, findings.rules.tricks(findings.players))
    others = [seat for seat in range(len(facts.taken)) if seat != claim.seat]
    cards = sum(facts.taken[seat] for seat in others)
    if findings.rules.queen is Toggle.ON and facts.queen not in (None, claim.seat):
        cards += 1
    if findings.taken is not None:
        cards = max(cards, sum(findings.taken[seat].bit_count() for seat in others))
    tricks = sum(facts.tricks[seat] for seat in others) if facts.tricks else 0
    if not words and max(cards, tricks * findings.players) > claim.tricks * findings.players:
        words = Message(
            "claimed after {tricks} tricks; in these the others cannot have taken {count} cards",
            tricks=claim.tricks,
            count=max(cards, tricks * findings.players),
        )
        hint = Message("see who claimed, and after how many tricks; then what everybody took")
    if words:
        findings.note(Code.BAD_CLAIM, "Q65", words, Part.CLAIM, seat=claim.seat, hint=hint)
