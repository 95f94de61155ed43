"""A Hearts hand as a contract of 1NT, so that bridge software replays its tricks.

The deal becomes the hands as they were at the first lead, after passing and the centre auction;
the play becomes a Play section of PBN 2.1 (3.6). What the hand had in these places moves to
private tags. Nothing else of the record changes.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import Final, NamedTuple

from ..core.cards import NAMES, Card, CardSet, card_set, count
from ..core.messages import Message
from ..core.seats import HOLD, Seat, clockwise
from ..record.record import Ending, HandRecord
from ..replay.before_play import lead_up
from ..replay.findings import Findings
from ..replay.layout import PlayLayout, fill_missing_card, find_holdings, lay_out
from ..replay.opening_state import opening
from ..replay.play import opening_leader, winning_place
from ..rules.presets import BICYCLE
from .building import format_deal
from .diagnostics import DiagnosticCollector, NotationRule
from .document import NOWHERE, Document, Row, Tag
from .meaning import record_of
from .names import SECTIONS

_PLAYERS: Final = 4
_SEATS: Final = tuple(clockwise(Seat(0), _PLAYERS))
_TRICKS_MAX: Final = 13
"""A Play section with fewer has an end mark."""


class _Play(NamedTuple):
    """The play as bridge software follows it.

    ``held`` are the hands at the first lead by seat, ``rows`` the cards by seat from the opening
    leader, ``winners`` who won each whole trick. ``cut`` says that written cards are left out.
    """

    leader: Seat
    held: tuple[CardSet, ...]
    rows: tuple[Row, ...]
    winners: tuple[Seat, ...]
    cut: bool


def dress_as_notrump(document: Document, number: int, report: DiagnosticCollector) -> Document:
    """The record as a contract of 1NT; as it is, and reported, where that cannot be.

    ``number`` is its place in the file, and the board of a record that has no number: bridge
    software reads no file in which one is missing.
    """
    document = _with_board_number(document, number)
    record = record_of(document, [], 1, DiagnosticCollector())
    play = _replay(record) if record is not None else None
    spot = document.tags[0].spot if document.tags else NOWHERE
    if record is None or play is None:
        message = Message(
            "who held and played which card is not known, so no contract of 1NT is made of it"
        )
        report.add(NotationRule.VALUE_LOST, spot, message)
        return document
    if play.cut:
        message = Message("the Play section ends at the first card that is missing")
        report.add(NotationRule.VALUE_LOST, spot, message)
    declarer = Seat((play.leader - 1) % _PLAYERS)
    values = {
        "Vulnerable": "None",
        "Deal": format_deal(replace(record, deal=play.held)),
        "Declarer": record.seats[declarer],
        "Contract": "1NT",
        "Result": _count_tricks(record, play, declarer),
    }
    plain = [tag for tag in document.tags if not tag.is_table and tag.name not in SECTIONS]
    private = [
        Tag(f"X_{tag.name}", tag.value)
        for tag in plain
        if tag.name in values and tag.value not in ("", values[tag.name])
    ]
    dressed = [replace(tag, value=values.get(tag.name, tag.value)) for tag in plain]
    section = Tag("Play", record.seats[play.leader], rows=play.rows)
    tables = [tag for tag in document.tags if tag.is_table]
    return replace(document, tags=(*dressed, *private, section, *tables))


def _with_board_number(document: Document, number: int) -> Document:
    if document.value("Board"):
        return document
    tags = (
        replace(tag, value=str(number)) if tag.name == "Board" else tag for tag in document.tags
    )
    return replace(document, tags=tuple(tags))


def _replay(record: HandRecord) -> _Play | None:
    """The play of a record; None where the hands or the leader cannot be told."""
    rules = record.rules or BICYCLE
    allowed = rules.players.least <= record.players <= rules.players.most
    # The seats of a damaged record may be others than those of its tags.
    if record.players != _PLAYERS or not allowed or not (record.play or record.claim):
        return None
    if record.exchange is None and record.direction is None:
        # Nothing says that cards were passed; a play that shows it fits no such hands.
        record = replace(record, direction=HOLD)
    before = opening(record, rules)
    findings = Findings(record, rules, before, before.dealer)
    lead_up(findings)
    layout = lay_out(findings) if record.play else PlayLayout(_SEATS, (), None, {})
    if layout is None:
        return None
    find_holdings(findings, layout)
    if record.ending in (None, Ending.NORMAL):
        layout = fill_missing_card(findings, layout)
    held = _hands(findings, layout)
    return None if held is None else _follow(layout, _leader(findings, layout, held), held)


def _hands(findings: Findings, layout: PlayLayout) -> tuple[CardSet, ...] | None:
    """The hands at the first lead that fit the play; None where nobody can tell them."""
    columns = [layout.play[place::_PLAYERS] for place in range(_PLAYERS)]
    cards = [[card for card in column if card is not None] for column in columns]
    played = tuple(card_set(cards[layout.columns.index(seat)]) for seat in _SEATS)
    if sum(map(len, cards)) != count(CardSet(reduce(or_, played))):
        return None
    held = findings.holdings if findings.whole else None
    if held is not None and _are_apart(held) and _hold(held, played):
        return held
    # Columns of seats say whose each card was, whatever is written of the deal.
    by_seat = findings.record.columns is not None
    return played if by_seat and layout.complete(findings.rules) else None


def _hold(hands: Sequence[CardSet], played: Sequence[CardSet]) -> bool:
    return all(not own & ~hand for hand, own in zip(hands, played, strict=True))


def _are_apart(hands: Sequence[CardSet]) -> bool:
    """Whether no card is in two hands."""
    return sum(map(count, hands)) == count(CardSet(reduce(or_, hands)))


def _leader(findings: Findings, layout: PlayLayout, held: tuple[CardSet, ...]) -> Seat:
    """Return the leader of the first trick, as written; else who had to lead."""
    columns = findings.record.columns
    due = opening_leader(findings.rules, findings.eldest, findings.namer, held)
    return layout.leaders.get(0, due if columns is None else columns[0])


def _follow(layout: PlayLayout, leader: Seat, held: tuple[CardSet, ...]) -> _Play:
    """The rows up to the first card that is missing; the winner of a trick leads to the next."""
    order = clockwise(leader, _PLAYERS)
    places = [layout.columns.index(seat) for seat in order]
    rows: list[Row] = []
    winners: list[Seat] = []
    turn = written = 0
    for base in range(0, len(layout.play), _PLAYERS):
        row = [*layout.play[base : base + _PLAYERS], None, None, None]
        cards = [row[place] for place in places]
        trick = _known_so_far(cards[turn:] + cards[:turn])
        if trick:
            rows.append(tuple("-" if card not in trick else NAMES[card] for card in cards))
        written += len(trick)
        if len(trick) < _PLAYERS:
            break
        turn = (turn + winning_place(trick)) % _PLAYERS
        winners.append(order[turn])
    if len(winners) < _TRICKS_MAX:
        rows.append(("*",))
    known = sum(card is not None for card in layout.play)
    return _Play(leader, held, tuple(rows), tuple(winners), written < known)


def _known_so_far(cards: Sequence[Card | None]) -> tuple[Card, ...]:
    """The cards up to the first that is missing."""
    known: list[Card] = []
    for card in cards:
        if card is None:
            break
        known.append(card)
    return tuple(known)


def _count_tricks(record: HandRecord, play: _Play, declarer: Seat) -> str:
    """The tricks of the declarer's side; ? where the hand was neither played out nor claimed."""
    side = (declarer, (declarer + 2) % _PLAYERS)
    won = sum(winner in side for winner in play.winners)
    rest = count(play.held[declarer]) - len(play.winners)
    if rest and record.claim is None:
        return "?"
    return str(won + rest * (record.claim is not None and record.claim.seat in side))
