"""Convert a record back into the fields of a result or of moves.

What is unwritten, and what the game knows anyway, has no field.
"""

from collections.abc import Mapping
from typing import Any, Final

from engine.core.cards import NAMES, QUEEN_SET, CardSet, Suit, show, suit_ranks
from engine.core.seats import Seat, clockwise, left_of
from engine.record.facts import Facts, Status
from engine.record.record import PASS_CALL, CentreBid, Ending, HandRecord, Paper
from engine.replay.replay import Replay
from engine.rules.switches import MoonAllTricks, PainBy, SettledBy, Toggle
from engine.settlement.scoring import moon_shooter
from scoring.submissions.writing.results import FIELDS
from scoring.submissions.writing.table import REBUYS, GameContext, SubmittedFields

Fields = dict[str, Any]
_ENDINGS: Final = {
    Status.FOOT: "foot",
    Status.PASSED_OUT: "passed out",
    Status.VOID_REDEAL: "redeal",
    Status.VOID_NO_REPLAY: "abandoned",
    Status.NOT_PLAYED: "not played",
    Status.DRAFT: "unfinished",
}


def said_result(table: GameContext, judged: Replay) -> Fields:
    """The result that a record tells, for `from_result`; numbers by seat are all written."""
    record, facts = judged.record, judged.facts
    said = _dealer(table, record) | _papers(table, record)
    if facts.status in _ENDINGS:
        return said | {"ending": _ENDINGS[facts.status]}
    if record.claim is not None:
        said["claim"] = f"{table.seats[record.claim.seat]} {record.claim.tricks}"
    said |= _contract(table, facts) | _centre(table, record, facts)
    if has_only_points(table, record):
        rows = {row.seat: row.values.get("Points", 0) for row in record.scores or ()}
        return said | {"points": _each(table, [rows.get(Seat(n), 0) for n in range(table.players)])}
    if record.captures is not None and judged.taken is not None:
        said |= _cards_taken(table, judged)
    elif facts.taken:
        said |= _counts_taken(table, facts)
    return said | _rebuys(table, record) | (_choice(table, facts) if facts.taken else {})


_BY_SEAT: Final = ("taken", "tricks", "points", "papers", "bought", "bids", "took", *REBUYS)
_NOT_PLAYED: Final = ("redeal", "abandoned", "not played", "passed out", "foot")


def merge_result(table: GameContext, judged: Replay, submitted: Mapping[str, object]) -> Fields:
    """Return the result that a record tells, with what somebody tells otherwise of some of it.

    Of what each seat has, the seats that are named are changed. Raises UnclearError.
    """
    slip = SubmittedFields(table, submitted)
    slip.check(FIELDS, "A result")
    if slip.text("ending").lower() in _NOT_PLAYED:
        return dict(submitted)
    found = said_result(table, judged)
    found.pop("ending", None)
    if slip.has("taken") and judged.facts.taken:
        changed = slip.by_seat("taken").values()
        if not any(isinstance(one, str) and not one.strip().isdigit() for one in changed):
            for name in ("taken", "queen", "tricks"):
                found.pop(name, None)
            found |= _counts_taken(table, judged.facts)
    other: tuple[str, ...] = ("taken", "queen", "tricks") if slip.has("points") else ()
    other = ("points", "moon") if slip.has("taken") or slip.has("queen") else other
    found = {name: value for name, value in found.items() if name not in other}
    for name, value in submitted.items():
        mine = found.get(name)
        if name in _BY_SEAT and isinstance(mine, Mapping) and value:
            by_seat = {table.seats[seat]: one for seat, one in slip.by_seat(name).items()}
            found[name] = {**mine, **by_seat}
        else:
            found[name] = value
    return found


def has_only_points(table: GameContext, record: HandRecord) -> bool:
    """Whether the points are all that is written of what everybody took."""
    columns = {column for row in record.scores or () for column in row.values}
    bare = record.play is None and record.captures is None and "Hearts" not in columns
    return bare and "Points" in columns and table.rules.settlement is not SettledBy.POT


def said_moves(table: GameContext, judged: Replay) -> Fields | None:
    """The moves that a record tells, for `from_actions`; None for what no moves can tell.

    A card out of turn, a card that nobody can read, marks and rulings stand only in a record.
    """
    record, facts = judged.record, judged.facts
    play = _play(table, judged)
    if play is None or record.rulings or set(record.marks.values()) - {"L"}:
        return None
    calls = _calls(table, judged)
    if calls is None:
        return None
    said = _dealer(table, record) | _before_the_play(table, record) | _papers(table, record)
    said |= _centre(table, record, facts)
    if calls:
        said["calls"] = calls
    if facts.pain is not None and table.rules.pain is PainBy.AUCTION:
        said["pain"] = facts.pain.letter
    if play:
        said["play"] = play
    if record.claim is not None:
        said["claim"] = table.seats[record.claim.seat]
    if record.ending in (Ending.REDEAL, Ending.ABANDONED, Ending.UNTERMINATED):
        said["ending"] = _ENDINGS[facts.status]
    return said | _rebuys(table, record) | _choice(table, facts)


def _each(table: GameContext, values: Any) -> Fields:
    return dict(zip(table.seats, values, strict=True))


def _rebuys(table: GameContext, record: HandRecord) -> Fields:
    """Return the seats that bought chips again: to pay, or with nothing left (DEC-9)."""
    said: Fields = {}
    for name, when in REBUYS.items():
        stacks = {
            table.seats[rebuy.seat]: rebuy.stacks for rebuy in record.rebuys if rebuy.when is when
        }
        said |= {name: stacks} if stacks else {}
    return said


def _dealer(table: GameContext, record: HandRecord) -> Fields:
    """Return the dealer, where the game knows otherwise, or not at all."""
    known = table.before.dealer if table.before is not None else None
    if record.dealer is None or record.dealer == known:
        return {}
    return {"dealer": table.seats[record.dealer]}


def _papers(table: GameContext, record: HandRecord) -> Fields:
    if record.papers is None:
        return {}
    return {"papers": _each(table, map(paper_text, record.papers))}


def paper_text(paper: Paper) -> str:
    """A paper as it is sent: ``3``, ``F``, ``F3``, a dash.

    >>> [paper_text(one) for one in (Paper(3), Paper(None, True), Paper(3, True), Paper(None))]
    ['3', 'F', 'F3', '-']
    """
    number = "" if paper.number is None else str(paper.number)
    return ("F" if paper.foot else "") + number or "-"


def _contract(table: GameContext, facts: Facts) -> Fields:
    if table.rules.pain is not PainBy.AUCTION:
        return {}
    said: Fields = {} if facts.pain is None else {"pain": facts.pain.letter}
    if facts.bidder is not None:
        said |= {"bidder": table.seats[facts.bidder], "bid": facts.bid}
    return said


def _centre(table: GameContext, record: HandRecord, facts: Facts) -> Fields:
    if table.rules.centre_auction is not Toggle.ON:
        return {}
    said: Fields = {"centre": show(record.centre)} if record.centre else {}
    if record.bids:
        said["bids"] = {table.seats[bid.seat]: bid_text(bid) for bid in record.bids}
        took = {table.seats[bid.seat]: NAMES[bid.got] for bid in record.bids if bid.got is not None}
        return said | ({"took": took} if took else {})
    paid = facts.centre or (0,) * table.players
    return said | {"bought": _each(table, paid)}


def bid_text(bid: CentreBid) -> str:
    """A paper of the centre auction as it is sent: ``S3/3/HA``, ``-/HA``."""
    wanted = "-" if bid.card is None else f"{NAMES[bid.card]}/{bid.bid}"
    return wanted if bid.shown is None else f"{wanted}/{NAMES[bid.shown]}"


def _cards_taken(table: GameContext, judged: Replay) -> Fields:
    """The cards that count, by name, and the tricks beside them."""
    facts, taken, players = judged.facts, judged.taken or (), table.players
    suit = Suit.HEARTS if facts.pain is None else facts.pain
    queen = QUEEN_SET if table.rules.queen is Toggle.ON else 0
    counted = table.rules.suit_cards(suit, players) | queen
    said: Fields = {"taken": _each(table, [show(CardSet(mine & counted)) for mine in taken])}
    return said | ({"tricks": _each(table, facts.tricks)} if facts.tricks else {})


def _counts_taken(table: GameContext, facts: Facts) -> Fields:
    said: Fields = {"taken": _each(table, facts.taken)}
    if facts.queen is not None:
        said["queen"] = table.seats[facts.queen]
    every = table.rules.tricks(table.players)
    if table.rules.moon_all_tricks is MoonAllTricks.GAME and every in facts.tricks:
        said["tricks"] = _each(table, facts.tricks)
    return said


def _choice(table: GameContext, facts: Facts) -> Fields:
    """Return the choice of whoever took everything (Q39b)."""
    if facts.moon_adds is None or moon_shooter(table.rules, facts) is None:
        return {}
    return {"moon": "others" if facts.moon_adds else "self"}


def _before_the_play(table: GameContext, record: HandRecord) -> Fields:
    said: Fields = {}
    if record.deal is not None:
        said["deal"] = f"{table.seats[0]}:{' '.join(map(_format_cards, record.deal))}"
    if record.direction:
        said["direction"] = record.direction
    if record.exchange:
        said["pass"] = {table.seats[one.seat]: show(one.cards) for one in record.exchange}
    return said


def _format_cards(cards: CardSet) -> str:
    if not cards:
        return "-"
    return ".".join(suit_ranks(cards, suit) for suit in reversed(Suit))


def _calls(table: GameContext, judged: Replay) -> str | None:
    """The calls from the eldest on; a dash for one that is not written.

    None where they are written from another seat on.
    """
    record, facts, players = judged.record, judged.facts, table.players
    if table.rules.pain is not PainBy.AUCTION or judged.before.jackpot:
        return ""
    eldest = left_of(judged.before.dealer, players)
    if record.auction is None:
        if facts.bidder is None:
            return ""
        turn = clockwise(eldest, players)
        return " ".join(str(facts.bid) if seat == facts.bidder else "-" for seat in turn)
    if record.first_caller not in (None, eldest):
        return None
    return " ".join(map(_call, record.auction))


def _call(call: int | None) -> str:
    if call is None:
        return "-"
    return "P" if call == PASS_CALL else str(call)


def _play(table: GameContext, judged: Replay) -> str | None:
    """The cards in order of play, with who led; empty for none, None for unclear ones."""
    record, players = judged.record, table.players
    if not record.play:
        return ""
    if judged.course is None:
        return None
    words: list[str] = []
    due: Seat | None = None
    for trick in judged.tricks:
        words.append("" if trick.leader == due else f"{table.seats[trick.leader]}:")
        words[-1] += NAMES[trick.cards[0]]
        words += [NAMES[card] for card in trick.cards[1:]]
        due = trick.winner
    rest = record.play[len(judged.tricks) * players :]
    last = _last_trick(judged, rest, due) if any(card is not None for card in rest) else []
    if last is None:
        return None
    return " ".join([*words, *last])


def _last_trick(judged: Replay, rest: Any, due: Seat | None) -> list[str] | None:
    """A trick that was begun; None where it has a gap."""
    record, players = judged.record, judged.before.players
    if due is None or len(rest) > players or any(mark for mark in record.marks.values()):
        return None
    columns = record.columns
    row = list(rest) + [None] * (players - len(rest))
    if columns is not None:
        by_seat = dict(zip(columns, row, strict=True))
        row = [by_seat[seat] for seat in clockwise(due, players)]
    played = [NAMES[card] for card in row if card is not None]
    gap = any(card is not None for card in row[len(played) :])
    return None if gap else played
