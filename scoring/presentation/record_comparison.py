"""Two records of one hand beside each other: what differs, and what each would settle to.

Pure: takes two judged hands, returns plain data for the API, the phones of the table and the desk.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple, TypedDict

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.cards import NAMES, CardSet, Suit, show
from engine.core.faults import Code
from engine.core.messages import Message
from engine.core.seats import left_of
from engine.record.facts import SETTLING, Facts, Status
from engine.record.record import PASS_CALL, HandRecord
from engine.replay.play import restrictions
from engine.replay.replay import Replay
from engine.rules.rules import Rules, plays_for_chips
from engine.rules.switches import BidPointsOnMoon, PainBy, SettledBy, Toggle
from engine.settlement.scoring import moon_shooter
from scoring.presentation.cards import SUITS, faces, seat_name
from scoring.settlement.replay import OPEN_QUESTIONS, JudgedHand, open_questions
from scoring.submissions.writing.fields_from_record import bid_text, paper_text
from tournaments.core.language import translate

Value = int | str

AGAINST_THE_PACK: Final = frozenset(
    (
        Code.CARD_TWICE,
        Code.NOT_IN_PACK,
        Code.HAND_SIZE,
        Code.WRONG_STRIP,
        Code.CENTRE_SIZE,
        Code.NOT_HELD,
        Code.PLAYED_TWICE,
        Code.TRICK_COUNT,
        Code.CAPTURE_COUNT,
    )
)
"""Faults that no table can have committed: such a record is wrong as it stands."""


class ItemSpec(NamedTuple):
    """All that is said of an item: its label at the desk, and the question that asks for it.

    ``is_always_shown``: it stands in the table also where both records say the same, as it is on a
    paper slip. ``is_cards``: its values are cards.
    """

    label: Promise
    question: Promise
    is_always_shown: bool = False
    is_cards: bool = False


ITEMS: Final[Mapping[str, ItemSpec]] = {
    "ending": ItemSpec(
        gettext_lazy("The hand"), gettext_lazy("How did the hand end: %(one)s or %(other)s?")
    ),
    "dealer": ItemSpec(gettext_lazy("Dealer"), gettext_lazy("Who dealt: %(one)s or %(other)s?")),
    "paper": ItemSpec(
        gettext_lazy("Paper of %(name)s"),
        gettext_lazy("%(name)s's paper: %(one)s or %(other)s?"),
        is_always_shown=True,
    ),
    "call": ItemSpec(
        gettext_lazy("Bid of %(name)s"), gettext_lazy("What %(name)s bid: %(one)s or %(other)s?")
    ),
    "bidder": ItemSpec(
        gettext_lazy("Highest bid by"),
        gettext_lazy("Whose bid was the highest: that of %(one)s or of %(other)s?"),
        is_always_shown=True,
    ),
    "bid": ItemSpec(
        gettext_lazy("Bid"),
        gettext_lazy("The highest bid: %(one)s or %(other)s?"),
        is_always_shown=True,
    ),
    "pain": ItemSpec(
        gettext_lazy("Suit"),
        gettext_lazy("Which suit was named: %(one)s or %(other)s?"),
        is_always_shown=True,
    ),
    "pass": ItemSpec(
        gettext_lazy("Passed by %(name)s"),
        gettext_lazy("What %(name)s passed: %(one)s or %(other)s?"),
        is_cards=True,
    ),
    "card": ItemSpec(
        gettext_lazy("Trick %(n)s, %(name)s"),
        gettext_lazy("Trick %(n)s, the card of %(name)s: %(one)s or %(other)s?"),
        is_cards=True,
    ),
    "queen": ItemSpec(
        gettext_lazy("Queen of spades"),
        gettext_lazy("Who took the queen of spades: %(one)s or %(other)s?"),
        is_always_shown=True,
    ),
    "taken": ItemSpec(
        gettext_lazy("%(name)s took"),
        gettext_lazy("Turn over the tricks of %(name)s and count %(suit)s: %(one)s or %(other)s?"),
        is_always_shown=True,
    ),
    "captured": ItemSpec(
        gettext_lazy("Cards of %(name)s"),
        gettext_lazy("What %(name)s took: %(one)s or %(other)s?"),
        is_cards=True,
    ),
    "points": ItemSpec(
        gettext_lazy("Points of %(name)s"),
        gettext_lazy("The points of %(name)s: %(one)s or %(other)s?"),
        is_always_shown=True,
    ),
    "bought": ItemSpec(
        gettext_lazy("%(name)s paid for the centre"),
        gettext_lazy("What %(name)s paid for the centre: %(one)s or %(other)s?"),
        is_always_shown=True,
    ),
    "centre bid": ItemSpec(
        gettext_lazy("Centre paper of %(name)s"),
        gettext_lazy("The centre paper of %(name)s: %(one)s or %(other)s?"),
    ),
    "tricks": ItemSpec(
        gettext_lazy("Tricks of %(name)s"),
        gettext_lazy("The tricks of %(name)s: %(one)s or %(other)s?"),
    ),
    "moon": ItemSpec(gettext_lazy("The moon"), gettext_lazy("The moon: %(one)s or %(other)s?")),
    "rebuys": ItemSpec(
        gettext_lazy("Stacks bought by %(name)s"),
        gettext_lazy("The stacks that %(name)s bought: %(one)s or %(other)s?"),
    ),
}
"""In the order in which to settle what differs: later items may follow from earlier ones."""
_ORDER: Final = tuple(ITEMS)


class ComparedItem(TypedDict):
    """One thing that a record of a hand can say, as both say it; None: not said.

    ``status``: "same", "differs", "first only" or "second only". ``trick`` counts from 1. Cards are
    codes (``SQ``, ``HAHK``), suits letters, seats their names.
    """

    item: str
    seat: str | None
    trick: int | None
    first: Value | None
    second: Value | None
    status: str


class ComparedRecord(TypedDict):
    """The settlement of one record by itself, without rulings and objections.

    ``impossible`` says why the pack refuses it as it stands; ``questions`` are all that would be
    open to a ruling. ``taken`` of ``whole`` cards of the pain suit are accounted for. ``gained`` is
    what the hand brings each seat, in chips, or in points where there are none; ``held`` what each
    has then. Those and the ``pot`` are null where the record cannot be settled.
    """

    state: str
    impossible: list[str]
    questions: list[str]
    taken: int | None
    whole: int | None
    gained: dict[str, int] | None
    held: dict[str, int] | None
    pot: int | None
    clean: list[str]
    winners: list[str]


class FirstQuestion(TypedDict):
    """The question to ask first at the table, as a sentence, and which item it is about."""

    item: str
    seat: str | None
    trick: int | None
    text: str


class RecordComparison(TypedDict):
    """Two records of a hand. ``fits``: "first" or "second" if the pack allows only that one."""

    in_chips: bool
    items: list[ComparedItem]
    first: ComparedRecord
    second: ComparedRecord
    fits: str | None
    question: FirstQuestion | None


class _Key(NamedTuple):
    """The key of a statement: the item, and whose or where, in the order of a paper slip."""

    item: str
    seat: str | None = None
    trick: int | None = None


def compare_records(
    first: JudgedHand, second: JudgedHand, *, seats: Sequence[str], names: Mapping[str, str]
) -> RecordComparison:
    """Compare two records of one hand, both judged in the state in which it was played.

    ``names`` are those that people use at the table, by seat, as far as the reader may know them.
    Compared with itself a record differs in nothing; the other way round, the sides change places.
    """
    ours, theirs = _statements(first, seats), _statements(second, seats)
    order = [*ours, *(key for key in theirs if key not in ours)]
    order.sort(key=lambda key: (_ORDER.index(key.item), key.trick or 0, _place(key, seats)))
    items = [_item(key, ours.get(key), theirs.get(key)) for key in order]
    sides = _outcome(first, seats), _outcome(second, seats)
    wrong = [bool(side["impossible"]) for side in sides]
    fits = None if wrong[0] == wrong[1] else "second" if wrong[0] else "first"
    rules = first.judged.rules or second.judged.rules
    return {
        "in_chips": rules is not None and plays_for_chips(rules),
        "items": items,
        "first": sides[0],
        "second": sides[1],
        "fits": fits,
        "question": _first_question(items, _suit_in_question(first, second), names),
    }


def _place(key: _Key, seats: Sequence[str]) -> int:
    return -1 if key.seat is None else seats.index(key.seat)


def _item(key: _Key, first: Value | None, second: Value | None) -> ComparedItem:
    if first is None:
        status = "second only"
    elif second is None:
        status = "first only"
    else:
        status = "same" if first == second else "differs"
    return {**key._asdict(), "first": first, "second": second, "status": status}  # type: ignore[typeddict-item]  # the fields of a key are those of an item


def _statements(played: JudgedHand, seats: Sequence[str]) -> dict[_Key, Value]:
    """Everything that a record says and settlement needs, and every card that it tells."""
    result = played.result
    if result is None or len(result.replay.record.seats) != len(seats):
        return {}
    return dict(_list_statements(result.replay, seats))


def _list_statements(judged: Replay, seats: Sequence[str]) -> Iterator[tuple[_Key, Value]]:
    record, facts, rules = judged.record, judged.facts, judged.rules
    ended = "played" if facts.status in SETTLING else str(facts.status).lower().replace("_", " ")
    yield _Key("ending"), ended
    yield _Key("dealer"), seats[judged.before.dealer]
    yield from _before_the_play(record, seats)
    if rules.pain is PainBy.AUCTION and facts.status in (*SETTLING, Status.DRAFT):
        if facts.bidder is not None:
            yield _Key("bidder"), seats[facts.bidder]
            yield _Key("bid"), facts.bid
        if facts.pain is not None:
            yield _Key("pain"), facts.pain.letter
    for number, trick in enumerate(judged.tricks, 1):
        for place, card in enumerate(trick.cards):
            seat = seats[left_of(trick.leader, len(seats), place)]
            yield _Key("card", seat, number), NAMES[card]
    yield from _captures(judged, facts, rules, seats)
    for rebuy in record.rebuys:
        yield _Key("rebuys", seats[rebuy.seat]), rebuy.stacks


def _before_the_play(record: HandRecord, seats: Sequence[str]) -> Iterator[tuple[_Key, Value]]:
    for place, paper in enumerate(record.papers or ()):
        yield _Key("paper", seats[place]), paper_text(paper)
    if record.auction is not None and record.first_caller is not None:
        for turn, call in enumerate(record.auction[: len(seats)]):
            if call is not None:
                said = "pass" if call == PASS_CALL else str(call)
                yield _Key("call", seats[left_of(record.first_caller, len(seats), turn)]), said
    for given in record.exchange or ():
        yield _Key("pass", seats[given.seat]), show(given.cards)
    for bid in record.bids or ():
        yield _Key("centre bid", seats[bid.seat]), bid_text(bid)


def _captures(
    judged: Replay, facts: Facts, rules: Rules, seats: Sequence[str]
) -> Iterator[tuple[_Key, Value]]:
    if facts.status not in SETTLING:
        return
    waived = rules.centre_auction is not Toggle.ON or (
        rules.bid_points_on_moon is BidPointsOnMoon.WAIVE and moon_shooter(rules, facts) is not None
    )
    for place, seat in enumerate(seats):
        if facts.taken:
            yield _Key("taken", seat), facts.taken[place]
        if judged.record.captures is not None and judged.taken is not None and facts.pain:
            limits = restrictions(rules, facts.pain, len(seats))
            yield _Key("captured", seat), show(CardSet(judged.taken[place] & limits.penalty))
        if facts.tricks:
            yield _Key("tricks", seat), facts.tricks[place]
        if facts.centre and not waived:
            yield _Key("bought", seat), facts.centre[place]
    if facts.queen is not None and rules.queen is Toggle.ON:
        yield _Key("queen"), seats[facts.queen]
    if facts.moon_adds is not None:
        yield _Key("moon"), "others" if facts.moon_adds else "self"
    if rules.settlement is not SettledBy.POT:
        for row in judged.record.scores or ():
            if "Points" in row.values:
                yield _Key("points", seats[row.seat]), row.values["Points"]


def _outcome(played: JudgedHand, seats: Sequence[str]) -> ComparedRecord:
    result = played.result
    settled = None if result is None else result.settlement
    facts = None if result is None else result.facts
    held, pot = settled_holdings(played, seats)
    gained = None
    if held is not None:
        before = played.before.chips if pot is not None else played.before.totals
        gained = {seat: held[seat] - before[n] for n, seat in enumerate(seats)}
    counted = facts if facts is not None and facts.taken and facts.status in SETTLING else None
    return {
        "state": str(played.state),
        "impossible": _against_the_pack(played),
        "questions": list(open_questions(played.judged, ())),
        "taken": None if counted is None else sum(counted.taken),
        "whole": None if counted is None else counted.whole,
        "gained": gained,
        "held": held,
        "pot": pot,
        "clean": [] if settled is None else [seats[seat] for seat in settled.clean],
        "winners": [] if settled is None else [seats[seat] for seat in settled.winners],
    }


def settled_holdings(
    played: JudgedHand | None, seats: Sequence[str]
) -> tuple[dict[str, int] | None, int | None]:
    """Return what each seat has after a hand, chips or points, and the pot where there is one.

    None where the hand cannot be settled.
    """
    if played is None or played.result is None or played.result.settlement is None:
        return None, None
    assert played.judged.rules is not None, "it was settled by them"
    for_chips = plays_for_chips(played.judged.rules)
    held = played.after.chips if for_chips else played.after.totals
    return dict(zip(seats, held, strict=True)), played.after.pot if for_chips else None


def _against_the_pack(played: JudgedHand) -> list[str]:
    """Why a record cannot be right as it stands."""
    if played.result is None:
        return [Message("This is no record of a hand.")]
    return [
        fault.message
        for fault in played.judged.faults
        if fault.code in AGAINST_THE_PACK and fault.severity in OPEN_QUESTIONS
    ]


def _suit_in_question(first: JudgedHand, second: JudgedHand) -> Suit | None:
    """The pain suit, where both say the same; hearts where hearts always is."""
    suits: set[Suit | None] = set()
    for one in (first, second):
        pain = None if one.result is None else one.result.facts.pain
        suits.add(Suit.HEARTS if one.result is not None and pain is None else pain)
    return suits.pop() if len(suits) == 1 else None


def _first_question(
    items: Sequence[ComparedItem], suit: Suit | None, names: Mapping[str, str]
) -> FirstQuestion | None:
    """Choose what to ask first; of counts, the smallest, which is the easiest to lay open."""
    open_items = [one for one in items if one["status"] == "differs"]
    if not open_items:
        return None
    kind = min(open_items, key=lambda one: _ORDER.index(one["item"]))["item"]
    alike = [one for one in open_items if one["item"] == kind]
    if kind == "card":
        alike = [one for one in alike if one["trick"] == alike[0]["trick"]]
    asked = min(alike, key=_size)
    return {
        "item": asked["item"],
        "seat": asked["seat"],
        "trick": asked["trick"],
        "text": _ask(asked, suit, names),
    }


def _size(item: ComparedItem) -> int:
    """Return the larger of two numbers; 0 of anything else."""
    values = [value for value in (item["first"], item["second"]) if isinstance(value, int)]
    return max(values, default=0)


def _ask(item: ComparedItem, suit: Suit | None, names: Mapping[str, str]) -> str:
    """Return an item as a question, such as ``Who took the queen of spades: Ann or Bob?``."""
    sides = sorted((item["first"], item["second"]), key=lambda one: (isinstance(one, str), one))
    said = {
        "name": _name(item["seat"], names),
        "suit": _("cards of the pain suit") if suit is None else str(SUITS[suit.letter]),
        "n": item["trick"],
        "one": show_value(item["item"], sides[0], names),
        "other": show_value(item["item"], sides[1], names),
    }
    return str(ITEMS[item["item"]].question) % said


def show_value(item: str, value: Value | None, names: Mapping[str, str]) -> str:
    """Return a record's value of an item, in the reader's words; empty for nothing."""
    if value is None:
        return ""
    text = str(value)
    if item in ("bidder", "dealer", "queen"):
        return _name(text, names)
    if item == "pain":
        return str(SUITS[text])
    if item == "ending":
        return translate(Status[text.upper().replace(" ", "_")].words)
    if item == "call":
        return _("pass") if text == "pass" else text
    if ITEMS[item].is_cards:
        return " ".join(face.rank + face.symbol for face in faces(text)) or _("none")
    if item == "moon":
        return _("the others score") if text == "others" else _("the shooter's points go down")
    return text


def _name(seat: str | None, names: Mapping[str, str]) -> str:
    return "" if seat is None else names.get(seat) or seat_name(seat)
