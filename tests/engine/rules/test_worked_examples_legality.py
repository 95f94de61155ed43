"""rules.md 9.5: what may be led and played, asked of the rules of play and of a hand in play."""

from dataclasses import dataclass

import pytest

from engine.core.cards import SUIT_OF_LETTER, CardSet, card, members, parse_cards
from engine.record.actions import Play
from engine.replay.play import legal_follows, legal_leads, restrictions
from engine.rules.presets import BICYCLE, HOYLE_AUCTION, HOYLE_HEARTS, INSURANCE, SAHARA
from engine.rules.rules import Rules
from tests.engine.table import N, house, in_play

MAY_LEAD_HEART = house(INSURANCE, hearts_plus_queen="may_lead_heart")


@dataclass(frozen=True)
class Row:
    """A holding in a situation, and what of it is legal; ``all`` is everything."""

    rules: Rules
    hand: str
    legal: str
    trick: int = 1
    led: str = ""
    broken: bool = False
    pain: str = "H"
    players: int = 4

    @property
    def expected(self) -> CardSet:
        return parse_cards(self.hand if self.legal == "all" else self.legal)


ROWS = {
    "L-01": Row(BICYCLE, "C4 C9 S3 HA", "S3 HA", pain="C"),
    "L-02": Row(BICYCLE, "C4 C9 CJ", "all", pain="C"),
    "L-03": Row(BICYCLE, "C4 C9 S3", "S3", led="D5", pain="C"),
    "L-04": Row(BICYCLE, "C4 C9", "all", led="D5", pain="C"),
    "L-05": Row(BICYCLE, "C4 C9 S3", "all", trick=2, led="D5", pain="C"),
    "L-06": Row(BICYCLE, "C4 C9 S3", "S3", trick=3, pain="C"),
    "L-07": Row(BICYCLE, "C4 C9 S3", "all", trick=3, broken=True, pain="C"),
    "L-08": Row(BICYCLE, "C4 C9", "all", trick=5, pain="C"),
    "L-09": Row(BICYCLE, "H4 C9", "H4", trick=3, pain="C"),
    "L-10": Row(HOYLE_AUCTION, "H4 C9", "all", pain="C"),
    "L-11": Row(HOYLE_AUCTION, "H4 C9", "all", led="D5", pain="C"),
    "L-12": Row(SAHARA, "C2 CA HA", "C2"),
    "L-13": Row(SAHARA, "C3 CA HA", "C3", players=5),
    "L-14": Row(SAHARA, "C2 C3 HA", "C2", players=3),
    "L-15": Row(SAHARA, "HA H2 SQ D5", "D5", led="C5"),
    "L-16": Row(SAHARA, "HA H2 SQ", "all", led="C5"),
    "L-17": Row(SAHARA, "HA SQ S2", "S2", led="C5"),
    "L-18": Row(INSURANCE, "HA H3 S2", "S2", trick=4),
    "L-19": Row(INSURANCE, "HA H3", "all", trick=4),
    "L-20": Row(INSURANCE, "HA H3 SQ", "SQ", trick=4),
    "L-21": Row(MAY_LEAD_HEART, "HA H3 SQ", "all", trick=4),
    "L-22": Row(SAHARA, "SQ S3 H4", "SQ S3", trick=2, led="S7"),
    # The same rows under the other systems that have the rule.
    "L-10b": Row(HOYLE_HEARTS, "H4 C9", "all"),
    "L-11b": Row(HOYLE_HEARTS, "H4 C9", "all", led="D5"),
    "L-12b": Row(INSURANCE, "C2 CA HA", "C2"),
    "L-15b": Row(INSURANCE, "HA H2 SQ D5", "D5", led="C5"),
    "L-16b": Row(INSURANCE, "HA H2 SQ", "all", led="C5"),
    "L-17b": Row(INSURANCE, "HA SQ S2", "S2", led="C5"),
    "L-18b": Row(SAHARA, "HA H3 S2", "S2", trick=4),
    "L-19b": Row(SAHARA, "HA H3", "all", trick=4),
    "L-20b": Row(SAHARA, "HA H3 SQ", "SQ", trick=4),
    "L-22b": Row(INSURANCE, "SQ S3 H4", "SQ S3", led="S7", trick=2),
}


@pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)
class TestLegality:
    def test_the_rules_of_play_allow_exactly_these_cards(self, row: Row) -> None:
        holding, first = parse_cards(row.hand), row.trick == 1
        limits = restrictions(row.rules, SUIT_OF_LETTER[row.pain], row.players)
        if row.led:
            legal = legal_follows(holding, card(row.led), limits, first=first)
        else:
            legal = legal_leads(holding, limits, first=first, broken=row.broken)
        assert legal == row.expected

    def test_a_hand_in_play_allows_exactly_these_cards(self, row: Row) -> None:
        hand = in_play(
            row.rules,
            row.hand,
            trick=row.trick,
            led=row.led,
            broken=row.broken,
            pain=SUIT_OF_LETTER[row.pain],
            players=row.players,
        )
        assert hand.legal_cards == row.expected
        for one in members(parse_cards(row.hand)):
            fault = hand.fault(Play(N, one))
            assert (fault is None) == bool(row.expected >> one & 1)
            assert fault is None or fault.legal == row.expected


@pytest.mark.parametrize("exception", ["L-02", "L-08"])
def test_the_exception_breaks_the_suit(exception: str) -> None:
    row = ROWS[exception]
    hand = in_play(row.rules, row.hand, trick=row.trick, pain=SUIT_OF_LETTER[row.pain])
    assert hand.apply(Play(N, card("C4"))).broken


@pytest.mark.parametrize("exception", ["L-04", "L-16"])
def test_a_penalty_card_on_the_first_trick_breaks_the_suit(exception: str) -> None:
    row = ROWS[exception]
    hand = in_play(row.rules, row.hand, led=row.led, pain=SUIT_OF_LETTER[row.pain])
    assert hand.apply(Play(N, next(members(row.expected)))).broken
