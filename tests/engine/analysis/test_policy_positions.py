"""The rule of thumb at 500 positions, by which its copy in JavaScript is held to the same cards.

``python -m tests.engine.analysis.test_policy_positions`` writes them anew after it was changed.
"""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random
from typing import Final, TypedDict

from engine.analysis.openings import choose_pass, choose_suit
from engine.analysis.policy import choose_by_thumb, choose_card
from engine.analysis.worlds import Position
from engine.core.cards import (
    CARD_OF_NAME,
    NAMES,
    SUIT_OF_LETTER,
    CardSet,
    members,
    parse_cards,
    show,
)
from engine.replay.play import restrictions
from engine.rules.presets import PRESETS
from tests.engine.analysis.bots import TABLES, first_lead, position_of

FILE: Final = Path(__file__).parents[2] / "javascript" / "policy_positions.json"
COUNT: Final = 500


class Choice(TypedDict):
    """What a seat knows, and by the rule of thumb its card, three to pass, and the suit to name."""

    rules: str
    players: int
    pain: str
    hand: str
    legal: str
    out: str
    best: str | None
    is_last: bool
    card: str
    passed: str
    suit: str


def choice_at(position: Position, rules: str, pain: str) -> Choice:
    """The choice of the seat in turn."""
    hand = position.hands[position.turn]
    out = position.pack & ~position.seen & ~hand
    legal, best = position.legal, position.best
    is_last = len(position.trick) == position.players - 1
    limits = position.limits
    return {
        "rules": rules,
        "players": position.players,
        "pain": pain,
        "hand": show(CardSet(hand)),
        "legal": show(CardSet(legal)),
        "out": show(CardSet(out)),
        "best": None if best < 0 else NAMES[best],
        "is_last": is_last,
        "card": NAMES[choose_card(limits, hand, legal, out, best, is_last=is_last)],
        "passed": show(CardSet(choose_pass(limits, hand, 3))),
        "suit": choose_suit(hand, position.pack).letter,
    }


def choices() -> Iterator[Choice]:
    """Endless choices of hands that are played by thumb and by chance, at every kind of table."""
    dice = Random("positions")
    while True:
        for name, players in TABLES:
            hand = first_lead(PRESETS[name], players, dice)
            position = position_of(hand)
            assert hand.facts.pain is not None
            while any(position.hands):
                if dice.random() < 0.2 and position.legal.bit_count() > 1:
                    yield choice_at(position, name, hand.facts.pain.letter)
                legal = list(members(CardSet(position.legal)))
                by_chance = dice.random() < 0.3
                position.play(dice.choice(legal) if by_chance else choose_by_thumb(position))


def test_the_rule_of_thumb_chooses_what_is_written_down_for_its_copy() -> None:
    found: list[Choice] = json.loads(FILE.read_text(encoding="utf-8"))
    assert len(found) == COUNT
    for one in found:
        limits = restrictions(PRESETS[one["rules"]], SUIT_OF_LETTER[one["pain"]], one["players"])
        hand, legal, out = (parse_cards(cards) for cards in (one["hand"], one["legal"], one["out"]))
        best = -1 if one["best"] is None else CARD_OF_NAME[one["best"]]
        chosen = choose_card(limits, hand, legal, out, best, is_last=one["is_last"])
        assert NAMES[chosen] == one["card"], one
        assert show(CardSet(choose_pass(limits, hand, 3))) == one["passed"], one
        pack = PRESETS[one["rules"]].pack(one["players"])
        assert choose_suit(hand, pack).letter == one["suit"], one


if __name__ == "__main__":
    rows = ",\n".join(json.dumps(one) for one in islice(choices(), COUNT))
    FILE.write_text(f"[\n{rows}\n]\n", encoding="utf-8")
