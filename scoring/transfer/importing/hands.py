"""Judge one record of an archive in its game, by the fast path where nothing is wrong.

What is told is what `scoring.hands.recording` would write of the same hand. The fast path tells it
without judging the hand a second time; where it does not, the complete way does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, TypeAlias
from uuid import UUID

from engine.analysis.worth import worth_of_cards
from engine.core.cards import EMPTY, Card, Suit, card_set
from engine.core.seats import DEFAULT_SEATS, Seat
from engine.games.board_states import start_board
from engine.notation.fast import FastHand
from engine.notation.reader import RecordEntry
from engine.record.game_state import GameState
from engine.record.record import PASS_CALL
from engine.rules.rules import Rules
from engine.rules.switches import PainBy, SettledBy, Toggle
from engine.settlement.settlement import POT, Kind, Posting
from scoring.models import Game, State
from scoring.models.states import write_state
from scoring.settlement.replay import HandInput, judge_entered
from scoring.settlement.reporting import SeatTenure, build_result_values
from scoring.submissions.writing import GameContext, from_record
from scoring.transfer.importing.club_facts import NO_FACTS, HandFacts

Cells: TypeAlias = tuple[object, ...]
RESULT: Final = (
    "game_id", "number", "seat", "player_id", "score", "taken", "whole", "queen", "to_dealer",
    "from_namer", "bid", "second", "own_bid", "pain", "pot", "won", "sharers", "jackpot",
    "insured", "foot", "played", "counts", "board", "fits", "worth",
)  # fmt: skip
"""The columns of a result."""
_ACCEPTED: Final = str(State.ACCEPTED)


class ImportedHand(NamedTuple):
    """The outcome of a hand: the text that is kept, its state, and what it gives to whom.

    ``sent`` is what the archive says, where the text is something else. ``results`` count once
    the hand is in the books; their columns are RESULT. ``board`` is the prepared board as which it
    began, where boards begin alike.
    """

    text: bytes
    sent: bytes | None
    state: str
    reason: str
    before: GameState
    after: GameState
    written: str
    postings: Sequence[Posting]
    results: Sequence[Cells]
    is_sure: bool
    board: int | None = None


@dataclass(slots=True)
class ImportedSeating:
    """A game as its hands need it: who sits where, and the same by hexadecimal numbers."""

    game: UUID
    rules: Rules
    players: Sequence[UUID]
    game_hex: str = field(init=False)
    players_hex: Sequence[str] = field(init=False)

    def __post_init__(self) -> None:
        self.game_hex = self.game.hex
        self.players_hex = [player.hex for player in self.players]


def play(
    at: ImportedSeating,
    before: GameState,
    entry: RecordEntry,
    text: bytes,
    number: int,
    facts: HandFacts = NO_FACTS,
) -> ImportedHand:
    """Judge a record as hand ``number`` of a game, in the state that the hand before left.

    Raises RulingError for a ruling that cannot be.
    """
    hand = entry.hand
    if facts.is_plain and hand is not None and _needs_nothing(at, hand, number):
        after = entry.state_after(at.rules, before)
        if after is not None:
            return _judge_quickly(at, before, after, hand, text)
    is_same = entry.text.encode("utf-8", "surrogateescape") == text
    return judge_completely(at, before, text, number, facts, entry if is_same else None)


def _needs_nothing(at: ImportedSeating, hand: FastHand, number: int) -> bool:
    """Whether all is written that a record is completed by (`scoring.submissions.writing`)."""
    rules = hand.setting.rules
    if rules is not at.rules and rules.digest != at.rules.digest:
        return False
    named = hand.namer is not None or at.rules.pain is not PainBy.AUCTION
    return hand.number is not None and named and len(hand.setting.seats) == len(at.players)


def judge_completely(
    at: ImportedSeating,
    before: GameState,
    text: bytes,
    number: int,
    facts: HandFacts = NO_FACTS,
    entry: RecordEntry | None = None,
) -> ImportedHand:
    """Judge a hand in the complete way, with the same outcome."""
    seats = DEFAULT_SEATS[len(at.players)]
    board = facts.board
    begun = before if board is None else start_board(at.rules, before, board)
    table = GameContext(rules=at.rules, seats=seats, number=number, before=begun)
    record = from_record(table, text, entry)
    whole = record.text
    entered = HandInput(
        number=number,
        record=record,
        rulings=facts.decisions,
        objection=facts.objection,
        confirmed=facts.is_confirmed,
        boards=() if board is None else (board,),
        slot=board,
    )
    one = judge_entered(at.rules, before, entered)
    game = Game(id=at.game)
    sat = [SeatTenure(seat, player, 1, None) for seat, player in enumerate(at.players)]
    results: Sequence[Cells] = ()
    if one.is_sure and one.judged.rules is not None:
        rows = build_result_values(game, [one], sat)
        results = [tuple([row[name] for name in RESULT]) for row in rows]
    return ImportedHand(
        whole,
        None if whole == text else text,
        str(one.state.value),
        one.reason,
        one.before,
        one.carried,
        write_state(one.carried),
        one.postings,
        [tuple([cell.hex if isinstance(cell, UUID) else cell for cell in row]) for row in results],
        one.is_sure,
        one.slot,
    )


def _judge_quickly(
    at: ImportedSeating, before: GameState, after: GameState, hand: FastHand, text: bytes
) -> ImportedHand:
    # The score table, column by column, each by seat.
    wide = len(hand.score_cells) // len(at.players)
    columns = [hand.score_cells[column::wide] for column in range(wide)]
    by_pot = at.rules.settlement is SettledBy.POT
    postings = _postings(columns) if by_pot else ()
    results = _results(at, before, after, hand, columns)
    return ImportedHand(
        text,
        None,
        _ACCEPTED,
        "",
        before,
        after,
        write_state(after),
        postings,
        results,
        is_sure=True,
    )


def _postings(columns: Sequence[Sequence[int]]) -> list[Posting]:
    """The chips that moved, in the order of settling: the bid, the captures, the award."""
    _pain, _before, bids, paid, won, _after = columns
    made = [Posting(Kind.BID, Seat(seat), POT, chips) for seat, chips in enumerate(bids) if chips]
    made += [
        Posting(Kind.CAPTURE, Seat(seat), POT, chips) for seat, chips in enumerate(paid) if chips
    ]
    made += [Posting(Kind.AWARD, POT, Seat(seat), chips) for seat, chips in enumerate(won) if chips]
    return made


def _results(
    at: ImportedSeating,
    before: GameState,
    after: GameState,
    found: FastHand,
    columns: Sequence[Sequence[int]],
) -> list[Cells]:
    """Return each seat's result of a valid hand, as `reporting.build_results` does."""
    rules, game = at.rules, at.game_hex
    players, dealer = len(at.players), before.dealer
    taken = columns[0]
    calls = _calls(found, players)
    highest = sorted([max(bids) for bids in calls.values() if bids]) if calls else []
    nobody: Sequence[int] = (0,) * players
    queen, won, contract = None, nobody, None
    pain = found.pain.letter if found.pain is not None else "H"
    if rules.settlement is SettledBy.POT:
        won, bids, paid = columns[4], columns[2], columns[3]
        scores = [won[seat] - bids[seat] - paid[seat] for seat in range(players)]
        contract = sum(bids) if calls else None
    else:
        scores = [new - old for new, old in zip(after.totals, before.totals, strict=True)]
        queen = columns[1] if rules.queen is Toggle.ON else None
    hand = (
        contract,
        None if not calls else highest[-2] if len(highest) > 1 else 0,
    )
    end = (pain, sum(won) + after.pot)
    rest = (sum(1 for amount in won if amount), before.jackpot > 0)
    whole, namer = sum(taken), found.namer if rules.pain is PainBy.AUCTION else None
    papers = [paper.number for paper in found.papers] if found.papers else [None] * players
    worths = _worths(rules, found)
    return [
        (
            game,
            found.number,
            seat,
            player,
            scores[seat],
            taken[seat],
            whole,
            None if queen is None else queen[seat] > 0,
            (seat - dealer - 1) % players,
            None if namer is None else (seat - namer) % players,
            *hand,
            max(calls[seat], default=0) if seat in calls else None,
            *end,
            won[seat],
            *rest,
            papers[seat],
            False,
            True,
            True,
            None,
            None,
            worths[seat],
        )
        for seat, player in enumerate(at.players_hex)
    ]


def _worths(rules: Rules, hand: FastHand) -> tuple[int, ...]:
    """Return what everybody's cards were worth: all of them were played."""
    assert hand.cards is not None
    assert hand.columns is not None
    players = len(hand.columns)
    held = [EMPTY] * players
    for place, seat in enumerate(hand.columns):
        held[seat] = card_set(map(Card, hand.cards[place::players]))
    pain = Suit.HEARTS if hand.pain is None else hand.pain
    return worth_of_cards(rules, held, counting=pain, namer=hand.namer, leader=hand.columns[0])


def _calls(hand: FastHand, players: int) -> dict[int, list[int]]:
    """Return each seat's bid; nothing where the auction is not written down whole."""
    first = hand.first_caller
    if hand.auction is None or first is None or None in hand.auction:
        return {}
    bids: dict[int, list[int]] = {}
    for turn, call in enumerate(hand.auction):
        made = bids.setdefault((first + turn) % players, [])
        if call is not None and call != PASS_CALL:
            made.append(call)
    return bids
