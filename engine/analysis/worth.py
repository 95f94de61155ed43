"""Worth of the cards: what the cards of a hand bring on average, before anybody plays one.

A sum of coefficients over features that anybody can count: how many hearts, how low, the queen of
spades and her guards, voids. The coefficients were fitted once on hands of bots and are shipped in
`worth_of_cards.json`, with a version; they are never fitted on the results of a club. The worths
of a table sum to 0. They tell of the cards alone, nothing of how they were played.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache, lru_cache
from operator import mul
from pathlib import Path
from typing import Any, Final

from ..core.cards import EMPTY, CardSet, Suit, count
from ..core.seats import Seat, left_of
from ..replay.play import opening_leader
from ..replay.replay import Replay
from ..rules.rules import Rules
from ..rules.switches import ON, AverageEach, AverageRounding, PainLead, Passing, SettledBy

THOUSANDTHS: Final = 1000
"""So many units of a worth are one chip, or one penalty point."""
FEATURES: Final = (
    "counting_length",
    "counting_low",
    "counting_high",
    "counting_ranks",
    "queen",
    "king",
    "ace",
    "guards",
    "queen_guards",
    "king_ace_guards",
    "other_ranks",
    "other_low",
    "other_high",
    "voids",
    "singletons",
    "longest",
    "names",
    "leads",
)
"""The counts of a hand at the first lead.

Of the counting suit (pain suit, hearts): its length, cards from 2 to 5, cards from the jack up,
and the sum of its ranks, a 2 being 0 and an ace 12. Where the queen of spades counts: she, the king
and the ace, the spades below her (guards), and these times the queen, or times king and ace. Of the
suits that do not count: the sum of ranks, cards from 2 to 4, from the queen up, voids, singletons,
the length of the longest. Whether the hand names the suit, and whether it leads.
"""

_QUEEN, _KING, _ACE = 1 << 10, 1 << 11, 1 << 12
_LOW, _LOWER = 0b1111, 0b111
_HIGH, _HIGHER = 0b1111 << 9, 0b111 << 10
_GUARDS: Final = _QUEEN - 1
_SUIT: Final = (1 << 13) - 1


@dataclass(frozen=True, slots=True)
class WorthModel:
    """The coefficients of one way of scoring, in thousandths, in the order of FEATURES.

    ``explained`` is the part of the variance of a hand's result, in per cent, that the worth of
    its cards explained in hands on which it was not fitted.
    """

    name: str
    coefficients: tuple[int, ...]
    explained: int


@cache
def _read_data() -> Mapping[str, Any]:
    text = Path(__file__).with_name("worth_of_cards.json").read_text(encoding="utf-8")
    data: dict[str, Any] = json.loads(text, parse_float=Decimal)
    return data


def worth_version() -> int:
    """The version of the shipped coefficients; another one gives other worths."""
    version: int = _read_data()["version"]
    return version


@cache
def _read_model(name: str) -> WorthModel:
    one = _read_data()["models"][name]
    return WorthModel(
        name,
        tuple(int(one["coefficients"].get(key, 0) * THOUSANDTHS) for key in FEATURES),
        round(one["r2"] * 100),
    )


def model_of(rules: Rules, players: int) -> WorthModel:
    """The model whose bots scored most like these rules, of as many players where there is one."""
    if rules.settlement is SettledBy.POT:
        name = "hoyle_auction" if rules.pain_lead is PainLead.FREE else "bicycle"
    elif rules.queen is not ON:
        name = "hoyle_hearts"
    else:
        name = "sahara" if rules.passing is Passing.NONE else "standard"
    sized = f"{name} {players}"
    return _read_model(sized if sized in _read_data()["models"] else name)


def worth_of_cards(
    rules: Rules, held: Sequence[CardSet], *, counting: Suit, namer: Seat | None, leader: Seat
) -> tuple[int, ...]:
    """The worth of the cards of each seat against the table's average, in thousandths.

    ``held`` are the hands at the first lead. Positive is good: chips, or points that are not taken.
    They sum to 0: a thousandth that cannot be divided goes to the first seats.

    >>> from .. import Suit, parse_cards, preset
    >>> hands = "SA92H63DJ953CKQT8", "S843HKQT85DQ87C92", "SKJ7HA72DKT4CJ753", "SQT65HJ94DA62CA64"
    >>> held = [parse_cards(hand) for hand in hands]
    >>> worth_of_cards(preset("standard"), held, counting=Suit.HEARTS, namer=None, leader=1)
    (-128, -445, 692, -119)
    """
    players = len(held)
    model = model_of(rules, players)
    has_queen = rules.queen is ON
    sums = [
        sum(
            map(
                mul,
                model.coefficients,
                count_features(
                    cards,
                    counting,
                    has_queen=has_queen,
                    names=seat == namer,
                    leads=seat == leader,
                ),
            )
        )
        for seat, cards in enumerate(held)
    ]
    if _is_paid_by_each(rules):
        sums = [value * players for value in sums]
    total = sum(sums)
    # The remainder of every seat is the same.
    spare = -total % players
    return tuple(
        (value * players - total) // players + (seat < spare) for seat, value in enumerate(sums)
    )


def replayed_worths(hand: Replay) -> tuple[int, ...]:
    """The worth of the cards of a judged hand; empty unless all are known at the first lead."""
    held, counting = hand.held, hand.facts.pain
    if held is None or counting is None or not _knows_all(hand):
        return ()
    return worth_of_cards(
        hand.rules, held, counting=counting, namer=hand.facts.namer, leader=_leader_of(hand, held)
    )


def features_of(hand: Replay) -> list[tuple[int, ...]]:
    """The features of every seat of a judged hand of which all cards are known."""
    held, counting = hand.held, hand.facts.pain
    assert held is not None
    assert counting is not None
    leader = _leader_of(hand, held)
    return [
        count_features(
            cards,
            counting,
            has_queen=hand.rules.queen is ON,
            names=seat == hand.facts.namer,
            leads=seat == leader,
        )
        for seat, cards in enumerate(held)
    ]


def _leader_of(hand: Replay, held: tuple[CardSet, ...]) -> Seat:
    eldest = left_of(hand.before.dealer, hand.before.players)
    return opening_leader(hand.rules, eldest, hand.facts.namer, held)


def _knows_all(hand: Replay) -> bool:
    players, held = hand.before.players, hand.held or ()
    size = hand.rules.tricks(players)
    return len(held) == players and all(count(cards) == size for cards in held)


def _is_paid_by_each(rules: Rules) -> bool:
    """Whether a card taken is paid for to each of the others, not to the average."""
    return (
        rules.settlement is not SettledBy.POT
        and rules.average_each is AverageEach.HAND
        and rules.average_rounding is AverageRounding.HOWELL_UNITS
    )


def count_features(
    cards: CardSet, counting: Suit, *, has_queen: bool, names: bool, leads: bool
) -> tuple[int, ...]:
    """Count FEATURES in the cards of one seat."""
    counted = cards >> 13 * counting & _SUIT
    spades = cards >> 13 * Suit.SPADES & _SUIT if has_queen else EMPTY
    others = [
        cards >> 13 * suit & _SUIT
        for suit in Suit
        if suit is not counting and not (has_queen and suit is Suit.SPADES)
    ]
    lengths = [suit.bit_count() for suit in others]
    queen, king, ace = bool(spades & _QUEEN), bool(spades & _KING), bool(spades & _ACE)
    guards = (spades & _GUARDS).bit_count()
    return (
        counted.bit_count(),
        (counted & _LOW).bit_count(),
        (counted & _HIGH).bit_count(),
        _sum_ranks(counted),
        queen,
        king,
        ace,
        guards,
        queen * guards,
        (king + ace) * guards,
        sum(map(_sum_ranks, others)),
        sum((suit & _LOWER).bit_count() for suit in others),
        sum((suit & _HIGHER).bit_count() for suit in others),
        lengths.count(0),
        lengths.count(1),
        max(lengths),
        names,
        leads,
    )


@lru_cache(maxsize=1 << 13)
def _sum_ranks(suit: int) -> int:
    return sum(rank for rank in range(13) if suit >> rank & 1)
