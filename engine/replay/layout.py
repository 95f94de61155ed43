"""The play arranged by seat: the cards that each seat played, and the holdings they imply.

Rows in order of play are turned into columns of seats, so that everything after this step sees
one shape. Where the holdings at the first lead are not known, the play itself tells them.
"""

from dataclasses import dataclass, replace

from ..core.cards import (
    BIT,
    EMPTY,
    FOLLOWING,
    NAMES,
    Card,
    CardSet,
    card_set,
    count,
    members,
    show,
)
from ..core.faults import Code, Part, Severity
from ..core.messages import NO_MESSAGE, Message
from ..core.seats import HOLD, Seat, clockwise, direction_name
from ..rules.rules import Rules
from ..rules.switches import FirstLeader, Toggle
from .exchange import receivers
from .findings import Findings
from .play import opening_leader


@dataclass(slots=True)
class PlayLayout:
    """Rows of cards, column by column in the clockwise order of ``columns``.

    ``places`` gives the place in the record of each card where the record has another order;
    ``leaders`` are tricks (from 0) that somebody led out of turn, and who did.
    """

    columns: tuple[Seat, ...]
    play: tuple[Card | None, ...]
    places: tuple[int, ...] | None
    leaders: dict[int, Seat]

    def complete(self, rules: Rules) -> bool:
        """Whether every card of the hand is written."""
        players = len(self.columns)
        return None not in self.play and len(self.play) == players * rules.tricks(players)

    def place(self, index: int) -> int:
        """The place in the record of a card of the layout."""
        return index if self.places is None else self.places[index]


def lay_out(findings: Findings) -> PlayLayout | None:
    """The play by seat; None, with a fault, when nobody can tell who led first."""
    record = findings.record
    play = record.play or ()
    if record.columns is None:
        return _in_order_of_play(findings, play)
    leaders = {
        place // findings.players: record.columns[place % findings.players]
        for place, mark in record.marks.items()
        if mark == "L"
    }
    turn = tuple(clockwise(record.columns[0], findings.players))
    if record.columns == turn:
        return PlayLayout(turn, play, None, leaders)
    order = [record.columns.index(seat) for seat in turn if seat in record.columns]
    places = [base + column for base in range(0, len(play), findings.players) for column in order]
    places = [place for place in places if place < len(play)]
    return PlayLayout(turn, tuple(play[place] for place in places), tuple(places), leaders)


def _in_order_of_play(findings: Findings, play: tuple[Card | None, ...]) -> PlayLayout | None:
    players = findings.players
    leader = _first_leader(findings)
    if leader is None:
        words = Message("nobody can tell who led first; name the seats of the columns")
        findings.note(Code.WRONG_LEADER, "D3 E3", words, Part.PLAY, Severity.ERROR, index=0)
        return None
    columns = tuple(clockwise(Seat(0), players))
    cards: list[Card | None] = []
    places: list[int] = []
    leaders: dict[int, Seat] = {}
    for base in range(0, len(play), players):
        row = play[base : base + players]
        holder = _holder(findings, row[0]) if row else None
        if holder not in (None, leader):
            leaders[base // players] = leader = holder
        turned = _by_holder(findings, row, base) or [(seat - leader) % players for seat in columns]
        cards += [row[turn] if turn < len(row) else None for turn in turned]
        places += [min(base + turn, len(play) - 1) for turn in turned]
        leader = _winner(leader, row, players)
    return PlayLayout(columns, tuple(cards), tuple(places), leaders)


def _by_holder(findings: Findings, row: tuple[Card | None, ...], base: int) -> list[int] | None:
    """The places of a row by seat, where its cards were played out of turn, but each by a seat."""
    holders = [_holder(findings, card) for card in row]
    seats = [seat for seat in holders if seat is not None]
    players = findings.players
    if not findings.whole or len(set(seats)) < players or seats == clockwise(seats[0], players):
        return None
    due = clockwise(seats[0], players)
    place = next(place for place in range(players) if seats[place] != due[place])
    words = Message("played before {seat}, whose turn it was", seat=findings.name(due[place]))
    findings.note(
        Code.OUT_OF_TURN,
        "K5",
        words,
        Part.PLAY,
        seat=seats[place],
        index=base + place,
        trick=base // players + 1,
        card=row[place],
        established=True,
    )
    return [seats.index(Seat(seat)) for seat in range(players)]


def _first_leader(findings: Findings) -> Seat | None:
    record, rules = findings.record, findings.rules
    if rules.first_leader is FirstLeader.LOW_CLUB:
        return _holder(findings, record.play[0]) if record.play else None
    return opening_leader(rules, findings.eldest, findings.namer, (EMPTY,) * findings.players)


def _holder(findings: Findings, card: Card | None) -> Seat | None:
    if card is None or findings.holdings is None:
        return None
    holders = (seat for seat, held in enumerate(findings.holdings) if held & BIT[card])
    return next((Seat(seat) for seat in holders), None)


def _winner(leader: Seat, row: tuple[Card | None, ...], players: int) -> Seat:
    if not row or row[0] is None:
        return leader
    led = FOLLOWING[row[0]]
    following = [card for card in row if card is not None and BIT[card] & led]
    return Seat((leader + row.index(max(following))) % players)


def find_holdings(findings: Findings, layout: PlayLayout) -> None:
    """Find holdings by the play where those at the first lead are not known."""
    if findings.holdings is not None and findings.whole:
        return
    played = [0] * findings.players
    columns, players = layout.columns, findings.players
    for place, card in enumerate(layout.play):
        if card is not None:
            played[columns[place % players]] |= BIT[card]
    complete = layout.complete(findings.rules)
    known = findings.holdings or (EMPTY,) * players
    if complete:
        _check_hidden_pass(findings, played)
    _check_written_pass(findings, played)
    if findings.record.exchange or findings.centre:
        known = (EMPTY,) * players
    findings.holdings = tuple(
        CardSet(held or cards) for held, cards in zip(known, played, strict=True)
    )
    findings.whole = complete


def fill_missing_card(findings: Findings, layout: PlayLayout) -> PlayLayout:
    """The layout with the one card that a seat must have played where none can be read."""
    if (
        findings.is_stopped
        or not findings.whole
        or findings.holdings is None
        or None not in layout.play
    ):
        return layout
    play, players = list(layout.play), findings.players
    if len(play) != players * findings.rules.tricks(players):
        return layout
    for column, seat in enumerate(layout.columns):
        gaps = [place for place in range(column, len(play), players) if play[place] is None]
        left = findings.holdings[seat] & ~card_set(
            c for c in play[column::players] if c is not None
        )
        if len(gaps) == 1 and count(CardSet(left)) == 1:
            card = next(members(CardSet(left)))
            play[gaps[0]] = card
            words = Message(
                "no card is written; {card} is the only one that it can be", card=NAMES[card]
            )
            findings.note(
                Code.TRICK_COUNT,
                "K5",
                words,
                Part.PLAY,
                Severity.WARNING,
                seat=seat,
                index=layout.place(gaps[0]),
                trick=gaps[0] // players + 1,
                card=card,
                hint=Message("write {card} here", card=NAMES[card]),
            )
    return replace(layout, play=tuple(play))


def _check_hidden_pass(findings: Findings, played: list[int]) -> None:
    """A pass that was not written shows in the play: what one gave away another played (D2)."""
    dealt, rules, players = findings.dealt, findings.rules, findings.players
    direction = findings.record.direction or rules.direction(findings.before.deals)
    if dealt is None or EMPTY in dealt or findings.record.exchange is not None or direction == HOLD:
        return
    if rules.centre_auction is Toggle.ON:
        return
    for seat, to in enumerate(receivers(direction, players)):
        moved = CardSet(dealt[seat] & ~played[seat])
        words = None
        if count(moved) != rules.pass_count:
            words = Message(
                "gave away {count} cards instead of {due}", count=count(moved), due=rules.pass_count
            )
        elif moved & ~played[to]:
            words = Message(
                "did not pass {cards} {direction}",
                cards=show(moved),
                direction=direction_name(direction),
            )
        if words is not None:
            findings.note(Code.WRONG_PASS, "D2", words, Part.EXCHANGE, seat=Seat(seat))


def _check_written_pass(findings: Findings, played: list[int]) -> None:
    """Check that only its receiver plays a passed card (D2); told without the deal, too."""
    for row, passed in enumerate(findings.record.exchange or ()):
        for seat, cards in enumerate(played):
            elsewhere = CardSet(passed.cards & cards)
            if elsewhere and seat != passed.to:
                to, player = findings.name(passed.to), findings.name(Seat(seat))
                words = Message(
                    "is written to pass {cards} to {to}; {player} played it",
                    cards=show(elsewhere),
                    to=to,
                    player=player,
                )
                findings.note(
                    Code.WRONG_PASS, "D2", words, Part.EXCHANGE, seat=passed.seat, index=row
                )


def twice(findings: Findings, layout: PlayLayout) -> None:
    """Note every card that was played twice, and every card that is not in this pack (K3)."""
    pack = findings.rules.pack(findings.players)
    seen: dict[Card, int] = {}
    for index, card in enumerate(layout.play):
        if card is None:
            continue
        if card in seen:
            other = seen[card]
            # Of two seats that played a card, the one that was never dealt it is wrong.
            wrong_first = _never_dealt(findings, layout.columns[other % findings.players], card)
            wrong, right = (other, index) if wrong_first else (index, other)
            trick = right // findings.players + 1
            words = Message("{card} was played in trick {trick} too", card=NAMES[card], trick=trick)
            hint = _still_held(findings, layout, wrong)
            _note(findings, layout, wrong, Code.PLAYED_TWICE, words, hint)
        elif not BIT[card] & pack:
            words = Message(
                "{card} is not in the pack of {players} players",
                card=NAMES[card],
                players=findings.players,
            )
            _note(findings, layout, index, Code.NOT_IN_PACK, words)
        seen.setdefault(card, index)


def _still_held(findings: Findings, layout: PlayLayout, index: int) -> Message:
    """A hint with the cards that a seat has not played, or nobody where no deal tells whose."""
    if not layout.complete(findings.rules):
        return NO_MESSAGE
    players, seat = findings.players, layout.columns[index % findings.players]
    if findings.whole and findings.holdings is not None:
        column = layout.play[index % players :: players]
        played = card_set(card for card in column if card is not None)
        left = CardSet(findings.holdings[seat] & ~played)
        if not left:
            return NO_MESSAGE
        return Message(
            "{seat} still holds {cards}; write what was really played",
            seat=findings.name(seat),
            cards=show(left),
        )
    pack = findings.rules.pack(players)
    left = CardSet(pack & ~card_set(card for card in layout.play if card is not None))
    return Message("nobody played {cards}; write what was really played", cards=show(left))


def _note(
    findings: Findings,
    layout: PlayLayout,
    index: int,
    code: Code,
    words: Message,
    hint: Message = NO_MESSAGE,
) -> None:
    findings.note(
        code,
        "K3 K5",
        words,
        Part.PLAY,
        Severity.ERROR,
        seat=layout.columns[index % findings.players],
        index=layout.place(index),
        card=layout.play[index],
        trick=index // findings.players + 1,
        hint=hint,
    )


def _never_dealt(findings: Findings, seat: Seat, card: Card) -> bool:
    """Whether a deal that is known says that a seat never had a card."""
    return (
        findings.whole and findings.holdings is not None and not findings.holdings[seat] & BIT[card]
    )
