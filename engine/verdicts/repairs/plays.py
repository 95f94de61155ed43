"""Repairs of the play: a trick forgotten, two tricks exchanged, one card wrong, columns turned."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, islice, permutations
from typing import Final

from ...core.cards import BIT, EMPTY, NAMES, Card, CardSet, card_set, members, show
from ...core.faults import Code, Fault, Part
from ...core.messages import NO_MESSAGE, Message
from ...core.seats import Seat, left_of, turns
from ...record.record import Ending
from ...replay.course import Course, find_legal_course
from ...replay.play import Restrictions, opening_leader, restrictions
from .candidates import (
    CLAIMED,
    Candidate,
    Case,
    make_finding,
    move_cards,
    write_cards,
)

LOOKS_MAX: Final = 600
"""How many plays are looked at before a repair of the order is given up."""
_CARD_CODES: Final = (Code.NOT_HELD, Code.PLAYED_TWICE, Code.NOT_IN_PACK)


def played_card(case: Case) -> Iterator[Candidate]:
    """One card of the play that is another one: it was misread, or stands twice."""
    play = case.record.play or ()
    faults = [fault for fault in case.faults if _is_of_a_card(fault)]
    if None in play or len({fault.card for fault in faults}) != 1:
        return
    missing = CardSet(case.pack & ~card_set(card for card in play if card is not None))
    wrong = faults[0].card
    assert wrong is not None
    for place in [place for place, card in enumerate(play) if card == wrong]:
        seat = _seat_at(case, place)
        held = case.whole_holdings
        rights = missing if held is None or seat is None else CardSet(missing & held[seat])
        for right in islice(members(rights), case.tricks):
            yield _with_card(case, place, right, faults[0].code)


def _is_of_a_card(fault: Fault) -> bool:
    return fault.part is Part.PLAY and fault.code in _CARD_CODES and fault.card is not None


def _seat_at(case: Case, place: int) -> Seat | None:
    """The seat of a card of the play, where the columns name it."""
    columns = case.record.columns
    return None if columns is None else columns[place % case.players]


def _with_card(case: Case, place: int, right: Card, code: Code) -> Candidate:
    record, seat = case.record, _seat_at(case, place)
    play = record.play or ()
    wrong, trick = play[place], place // case.players + 1
    assert wrong is not None
    old, new = NAMES[wrong], NAMES[right]
    if seat is None:
        words = Message(
            "{new} was played to trick {trick}, not {old}", new=new, trick=trick, old=old
        )
    else:
        words = Message(
            "{seat}: {new} was played to trick {trick}, not {old}",
            seat=case.name(seat),
            new=new,
            trick=trick,
            old=old,
        )
    finding = make_finding(
        code,
        "K3 K5",
        words,
        Part.PLAY,
        hint=Message("write {new} instead of {old}", new=new, old=old),
        seat=seat,
        index=place,
        trick=trick,
        card=wrong,
    )
    cards = (*play[:place], right, *play[place + 1 :])
    return Candidate(record=replace(record, play=cards), finding=finding, least=1)


def exchanged_cards(case: Case) -> Iterator[Candidate]:
    """Two cards of the play of which each stands where the other one belongs."""
    faults = [fault for fault in filter(_is_of_a_card, case.faults) if fault.code is Code.NOT_HELD]
    places = sorted(fault.index for fault in faults if fault.index is not None)
    if len(places) != 2:
        return
    one, two = places
    play = list(case.record.play or ())
    first, second = play[one], play[two]
    if first is None or second is None:
        return
    play[one], play[two] = second, first
    old, new = NAMES[first], NAMES[second]
    finding = make_finding(
        Code.NOT_HELD,
        "K5",
        Message("{old} and {new} stand in each other's place", old=old, new=new),
        Part.PLAY,
        hint=Message("write {new} for {old}, and {old} for {new}", new=new, old=old),
        seat=_seat_at(case, one),
        index=one,
        trick=one // case.players + 1,
        card=first,
    )
    yield Candidate(record=replace(case.record, play=tuple(play)), finding=finding)


def missing_trick(case: Case) -> Iterator[Candidate]:
    """One trick that was not written: the cards that nobody played."""
    record, players = case.record, case.players
    play = tuple(card for card in record.play or () if card is not None)
    ended = record.ending in (None, Ending.NORMAL) and record.claim is None
    if not ended or len(play) != len(record.play or ()) or len(play) != players * (case.tricks - 1):
        return
    left = CardSet(case.pack & ~card_set(play))
    if left.bit_count() != players:
        return
    known = record.deal is not None and case.whole_holdings is not None
    rows = _missing_rows(case, left) if known else _guessed_rows(case, play, left)
    for trick, row in rows:
        finding = _of_trick(case, trick, left)
        hint = Message("these cards fit as trick {trick}", trick=trick + 1)
        if known:
            cards = write_cards(row)
            hint = Message("write {cards} as trick {trick}", cards=cards, trick=trick + 1)
        yield _with_trick(case, trick, row, replace(finding, hint=hint))


def _missing_rows(case: Case, left: CardSet) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Yield places of a forgotten trick (from 0), with its cards as they would be written."""
    columns = case.record.columns
    cards = [CardSet(cards & left) for cards in case.whole_holdings or ()]
    if any(own.bit_count() != 1 for own in cards):
        return
    by_seat = [next(members(own)) for own in cards]
    for trick in range(case.tricks):
        seats = columns or turns(_leader_of(case, trick), case.players)
        yield trick, tuple(by_seat[seat] for seat in seats)


def _leader_of(case: Case, trick: int) -> Seat:
    """Return the leader of a trick, as far as the written play tells it."""
    course = case.replay.course
    if course is None or not trick or trick > len(course.winners):
        return _opening_leader(case)
    return course.columns[course.winners[trick - 1]]


def _opening_leader(case: Case) -> Seat:
    eldest = left_of(case.replay.before.dealer, case.players)
    held = case.replay.held or (EMPTY,) * case.players
    return opening_leader(case.rules, eldest, case.replay.facts.namer, held)


def _guessed_rows(
    case: Case, play: tuple[Card, ...], left: CardSet
) -> Iterator[tuple[int, tuple[Card, ...]]]:
    """Guess missing rows where no deal tells who had which card: the first way that fits."""
    columns, pain, players = case.record.columns, case.replay.facts.pain, case.players
    if columns is None or pain is None or columns != turns(columns[0], players):
        return
    limits = restrictions(case.rules, pain, players)
    rows = (
        (trick, row)
        for trick in range(case.tricks)
        if _goes_on(columns, play[trick * players :], limits)
        for row in permutations(members(left))
    )
    found = -1
    for trick, row in islice(rows, LOOKS_MAX):
        whole = (*play[: trick * players], *row, *play[trick * players :])
        if trick != found and _is_legal(case, columns, whole, limits):
            found = trick
            yield trick, row


def _is_legal(
    case: Case, columns: tuple[Seat, ...], play: tuple[Card, ...], limits: Restrictions
) -> bool:
    """Whether a whole play is legal from the lead of the seat that has to open it."""
    opening = [
        place for place, card in enumerate(play[: len(columns)]) if BIT[card] & limits.opening
    ]
    if limits.opening and not opening:
        return False
    leader = opening[0] if opening else columns.index(_opening_leader(case))
    return find_legal_course(columns, play, leader, _held_by(columns, play), limits) is not None


def _held_by(columns: tuple[Seat, ...], play: Sequence[Card]) -> list[CardSet]:
    """The cards of a play by seat."""
    players = len(columns)
    held = [EMPTY] * players
    for column, seat in enumerate(columns):
        held[seat] = card_set(play[column::players])
    return held


def _goes_on(columns: tuple[Seat, ...], play: tuple[Card, ...], limits: Restrictions) -> bool:
    """Whether the end of a play is legal by itself, whoever leads to it."""
    free = replace(
        limits, opening=EMPTY, first_lead=EMPTY, first_discard=EMPTY, unbroken_lead=EMPTY
    )
    held = _held_by(columns, play)
    return any(
        find_legal_course(columns, play, leader, held, free) is not None
        for leader in range(len(columns))
    )


def _of_trick(case: Case, trick: int, left: CardSet) -> Fault:
    """The finding about a forgotten trick; it is shown at the row that it should stand before."""
    return make_finding(
        Code.TRICK_COUNT,
        "K5",
        Message("one trick is not written; nobody played {cards}", cards=show(left)),
        Part.PLAY,
        hint=NO_MESSAGE,
        index=min(trick * case.players, (case.tricks - 1) * case.players - 1),
        trick=trick + 1,
    )


def _with_trick(case: Case, trick: int, row: tuple[Card, ...], finding: Fault) -> Candidate:
    record, base = case.record, trick * case.players
    places = (*range(base), *(-1 for _ in row), *range(base, len(record.play or ())))
    return Candidate(
        record=move_cards(record, places, row),
        finding=finding,
        least=1,
        places=places,
        has_to_be_unique=False,
    )


def exchanged_tricks(case: Case) -> Iterator[Candidate]:
    """Two tricks of which each stands where the other one belongs."""
    course, held, pain = case.replay.course, case.whole_holdings, case.replay.facts.pain
    players, size = case.players, case.tricks
    if course is None or held is None or pain is None or len(course.play) != players * size:
        return
    # Where the play is in order, only the numbers are wrong; and somebody who does not follow suit
    # twice or three times has revoked: the order is not to blame.
    seats = {fault.seat for fault in case.faults if fault.part is Part.PLAY}
    is_revoke = len(seats) == 1 and not any(fault.part in CLAIMED for fault in case.faults)
    if not seats or is_revoke:
        return
    limits = restrictions(case.rules, pain, players)
    leader = course.columns.index(_opening_leader(case))
    # Two rows that follow each other are exchanged more easily than two that lie apart.
    pairs = sorted(combinations(range(size), 2), key=lambda pair: pair[1] - pair[0])
    for one, two in pairs:
        rows = list(range(size))
        rows[one], rows[two] = two, one
        places = tuple(row * players + place for row in rows for place in range(players))
        play = [course.play[place] for place in places]
        legal_course = find_legal_course(course.columns, play, leader, held, limits)
        if legal_course is not None and _is_in_order(case, legal_course, rows):
            yield _with_tricks(case, one, two, places)


def _is_in_order(case: Case, course: Course, rows: Sequence[int]) -> bool:
    """Whether rows in order of play begin with the card of the seat that leads."""
    play, players = case.record.play or (), case.players
    if case.record.columns is not None:
        return True
    leads = [course.play[row * players + place] for row, place in enumerate(course.leaders)]
    return leads == [play[row * players] for row in rows]


def _with_tricks(case: Case, one: int, two: int, places: tuple[int, ...]) -> Candidate:
    first, second = one + 1, two + 1
    finding = make_finding(
        Code.TRICKS_EXCHANGED,
        "K5",
        Message(
            "tricks {first} and {second} stand in each other's place", first=first, second=second
        ),
        Part.PLAY,
        hint=Message(
            "write the row of trick {second} as trick {first}, and that of {first} as {second}",
            second=second,
            first=first,
        ),
        index=one * case.players,
        trick=first,
    )
    record = move_cards(case.record, places)
    return Candidate(record=record, finding=finding, least=3, places=places)


def first_leader(case: Case) -> Iterator[Candidate]:
    """Columns that begin with a seat which did not lead to the first trick."""
    record, players = case.record, case.players
    columns, play = record.columns, record.play or ()
    if columns is None or not case.has(Code.WRONG_LEADER) or len(play) % players:
        return
    for turn in range(1, players):
        order = [*range(turn, players), *range(turn)]
        places = tuple(base + place for base in range(0, len(play), players) for place in order)
        seats = tuple(columns[at] for at in order)
        right, wrong = case.name(seats[0]), case.name(columns[0])
        finding = make_finding(
            Code.WRONG_LEADER,
            "A4 B3 C5 D3 E3",
            Message("{right} led to the first trick, not {wrong}", right=right, wrong=wrong),
            Part.PLAY,
            hint=Message("begin the columns of the play with {seat}", seat=right),
            index=0,
            trick=1,
        )
        turned = replace(move_cards(record, places), columns=seats)
        yield Candidate(record=turned, finding=finding, places=places)


def turned_columns(case: Case) -> Iterator[Candidate]:
    """Columns that name the wrong seats, each as many places away from the right one."""
    columns = case.record.columns
    if columns is None or not case.has(Code.NOT_HELD, Code.WRONG_LEADER):
        return
    for turn in range(1, case.players):
        seats = tuple(left_of(seat, case.players, turn) for seat in columns)
        right = ";".join(case.record.seats[seat] for seat in seats)
        finding = make_finding(
            Code.WRONG_LEADER,
            "K4",
            Message("the columns should be {columns}", columns=right),
            Part.PLAY,
            hint=Message("write {columns} in the tag PlayTable", columns=right),
        )
        yield Candidate(record=replace(case.record, columns=seats), finding=finding)
