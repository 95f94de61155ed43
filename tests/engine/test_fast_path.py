"""The fast path tells what judging hand by hand says, of texts right and wrong."""

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import Any, Final

import pytest

from benchmarks.hands import TABLES, Table, played_out, record_of
from engine.core.chips import Rebuy
from engine.core.seats import Seat
from engine.notation import to_document, write_record
from engine.notation.fast import FastRecord
from engine.record.game_state import GameState, beginning
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules
from engine.rules.switches import SettledBy
from engine.settlement.settlement import undecided_rebuys
from engine.verdicts.judge import Judge, Judged
from tests.engine.table import seeded
from tests.examples import examples
from tests.switches import turn, useless_turns

_JUDGE: Final = sys.modules["engine.verdicts.judge"]
_HANDS: Final = 7
_MISTAKES: Final = examples(20, 2)
_OTHER_RULES: Final = examples(12, 2)
_CHANGES: Final[tuple[dict[str, str], ...]] = (
    {},
    {"first_trick_penalty": "allowed", "moon": "none", "tie": "extra_hand"},
    {"pain_lead": "free", "length": "hands:3", "moon": "shooter_choice"},
    {"first_leader": "low_club", "limit": "20", "hearts_plus_queen": "may_lead_heart"},
    {"jackpot_split": "sole_winner_only", "zero_clean": "carry_with_auction", "insurance": "off"},
    {"three_player_sweep": "divide", "starting_chips": "9", "insolvency": "debt"},
    {"jackpot_suit": "same", "starting_chips": "12", "insolvency": "rebuy", "foot": "off"},
    {"starting_chips": "7"},
    {"max_bid": "none", "moon_all_tricks": "game", "passing": "none"},
    {"end_pot": "play_until_won", "starting_chips": "15", "centre_auction": "off"},
    {"misdeal_if_all_forbidden": "on", "first_leader": "eldest", "broken_by": "heart"},
    {"average_rounding": "howell_units", "insolvency": "debt", "average_each": "hand"},
)


def changed(rules: Rules, changes: dict[str, str]) -> Rules:
    """The rules with those of the changes that go with them."""
    for name, text in changes.items():
        rules = turn(rules, name, text)
    return rules


def test_every_value_that_is_turned_is_one_that_some_rules_take() -> None:
    every = [(name, text) for changes in _CHANGES for name, text in changes.items()]
    for name, text in every:
        assert useless_turns({name: [text]}, PRESETS.values()) == []


def text_of_game(rules: Rules, players: int, luck: Random) -> list[str]:
    """The records of one or more games, one after the other; some go on after their end."""
    state: GameState | None = None
    texts = list[str]()
    for number in range(_HANDS):
        if state is None or state.over is not None:
            state = beginning(rules, players, Seat(number % players))
        hand = played_out(rules, state, luck)
        settled = hand.settle()
        while offers := undecided_rebuys(settled.facts.rebuys, settled.offered):
            bought = Rebuy(*offers[0], luck.choice((1, 1, 2, 0)))
            settled = hand.settle((*settled.facts.rebuys, bought))
        record = record_of(hand, state.hands + 1)
        record = replace(record, rebuys=settled.facts.rebuys)
        tags = {"Event": "Open", "Site": "Ghent", "Date": "2026.01.02", "Round": "1", "Table": "1"}
        texts.append(write_record(to_document(record, tags)))
        state = settled.after
        if state.over is not None and luck.random() < 0.5 and _can_bid(rules, state):
            state = replace(state, over=None, due=None)
    return texts


def _can_bid(rules: Rules, state: GameState) -> bool:
    return rules.settlement is not SettledBy.POT or min(state.chips) > 0


def judged(text: str, rules: Rules | None = None) -> list[Judged]:
    """All records of a text."""
    return list(Judge("% PHN 1.0\n" + text, rules))


def judged_completely(text: str, rules: Rules | None = None) -> list[Judged]:
    """The same, each judged the complete way."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(FastRecord, "state_after", lambda *_: None)
        return judged(text, rules)


def seen(record: Judged) -> tuple[Any, ...]:
    """Everything that anybody can see of a judged record."""
    entry = record.entry
    return (
        record.ok, record.after, record.game, record.hand, record.rules, record.faults,
        record.findings, record.result, entry.record, entry.canonical, entry.line, entry.text,
    )  # fmt: skip


def other_number(text: str, luck: Random) -> str:
    """A number has changed: of a score, a pot, a call, a paper, a hand."""
    return _replaced(r"(?<=[ \n\"])-?\d+(?=[ \n\"])", text, luck, lambda: str(luck.randint(-1, 30)))


def other_card(text: str, luck: Random) -> str:
    """A card of the play or of a bid is another one."""
    return _replaced(r"(?<=[ \n])[SHDC][2-9TJQKA](?=[ \n])", text, luck, lambda: _card(luck))


def exchanged(text: str, luck: Random) -> str:
    """Two cards of the play have changed places."""
    found = list(re.finditer(r"(?<=[ \n])[SHDC][2-9TJQKA](?=[ \n])", text))
    one, two = sorted(luck.sample(found, 2), key=lambda match: match.start())
    return text[: one.start()] + two[0] + text[one.end() : two.start()] + one[0] + text[two.end() :]


def of_one_column(text: str, luck: Random) -> str:
    """A player's cards in two tricks have changed places."""
    begin = text.index("\n", text.index("[PlayTable")) + 1
    rows = text[begin : text.index("\n[", begin)].split("\n")
    cells = [row.split(" ") for row in rows]
    column, (one, two) = luck.randrange(len(cells[0])), luck.sample(range(len(cells)), 2)
    cells[one][column], cells[two][column] = cells[two][column], cells[one][column]
    return text.replace("\n".join(rows), "\n".join(map(" ".join, cells)))


def other_seat(text: str, luck: Random) -> str:
    """A seat is another one: of the dealer, the bid-winner, a row, a pass."""
    seats = re.findall(r'(?<=\[Seats ")[^"]*', text)[0].split(" ")
    return _replaced(r"(?<=[ \n\"])[NESW]{1,2}(?=[ \n\"])", text, luck, lambda: luck.choice(seats))


def other_suit(text: str, luck: Random) -> str:
    """The pain suit is another one, or a direction."""
    named = _replaced(r'(?<=\[PainSuit ")[SHDC]', text, luck, lambda: luck.choice("SHDC"))
    directions = ("left", "right", "hold", "across")
    return _replaced(r'(?<=\[Pass ")\w+', named, luck, lambda: luck.choice(directions))


def rows_exchanged(text: str, luck: Random) -> str:
    """Two lines that follow each other have changed places."""
    lines = text.split("\n")
    place = luck.randrange(len(lines) - 2)
    lines[place : place + 2] = lines[place + 1], lines[place]
    return "\n".join(lines)


def line_left_out(text: str, luck: Random) -> str:
    """A line is missing."""
    lines = text.split("\n")
    del lines[luck.randrange(1, len(lines) - 1)]
    return "\n".join(lines)


def tag_added(text: str, luck: Random) -> str:
    """A tag is there that does not belong to the hand."""
    tag = luck.choice(('Jackpot "1"', 'Jackpot "2"', 'Stripped "C2"', 'Claim "N 5"', 'Pass "left"'))
    return re.sub(r"(?=\[Round )", f"[{tag}]\n", text)


def table_added(text: str, luck: Random) -> str:
    """A table is there that not every hand has: an auction in a jackpot hand, a ruling."""
    seats = re.findall(r'(?<=\[Seats ")[^"]*', text)[0].split(" ")
    if luck.random() < 0.5 and "[AuctionTable" not in text:
        dealer = re.findall(r'(?<=\[Dealer ")[^"]*', text)[0]
        turn = seats.index(dealer) + 1
        calls = " ".join(luck.choice("0001") for _ in seats)
        table = f'[AuctionTable "{";".join(seats[turn:] + seats[:turn])}"]\n{calls}\n'
        return text.replace("[PlayTable", f"{table}[PlayTable")
    table = f'[RulingTable "Trick;Seat;Code;Points;Text"]\n3 {seats[0]} revoke 0 "Said so"\n'
    return re.sub(r"(?=\[(PotTable|ScoreTable))", table, text, count=1)


def other_ending(text: str, luck: Random) -> str:
    """The hand is said to have ended in another way."""
    ending = luck.choice(("claim", "redeal", "foot", "adjudicated", "abandoned", "unterminated"))
    return text.replace('"normal"', f'"{ending}"')


def revoke_marked(text: str, luck: Random) -> str:
    """A card is marked, or noted."""
    return _replaced(r"(?<=[ \n])[SHDC][2-9TJQKA](?=[ \n])", text, luck, lambda: _card(luck) + "R")


def as_it_was(text: str, _: Random) -> str:
    """No mistake."""
    return text


def _card(luck: Random) -> str:
    return luck.choice("SHDC") + luck.choice("23456789TJQKA")


def _replaced(pattern: str, text: str, luck: Random, by: Callable[[], str]) -> str:
    found = list(re.finditer(pattern, text))
    if not found:
        return text
    one = luck.choice(found)
    return text[: one.start()] + by() + text[one.end() :]


_MAKERS: Final[tuple[Callable[[str, Random], str], ...]] = (
    other_number, other_number, other_number, other_card, exchanged, of_one_column, of_one_column,
    other_seat, other_suit, rows_exchanged, line_left_out, tag_added, table_added, other_ending,
    revoke_marked, as_it_was,
)  # fmt: skip


def mistaken(texts: Sequence[str], luck: Random) -> Iterator[str]:
    """A game as it was, and with a mistake in one of its hands, or two, or one left out."""
    yield "\n".join(texts)
    for _ in range(_MISTAKES):
        wrong = list(texts)
        for place in luck.sample(range(len(wrong)), luck.choice((1, 1, 2))):
            wrong[place] = luck.choice(_MAKERS)(wrong[place], luck)
        if luck.random() < 0.1:
            del wrong[luck.randrange(len(wrong))]
        yield "\n".join(wrong)


@pytest.mark.property
@pytest.mark.parametrize(("table", "changes"), list(product(TABLES, _CHANGES)), ids=str)
def test_the_fast_path_tells_what_the_complete_way_does(
    table: Table, changes: dict[str, str]
) -> None:
    luck, rules = seeded(f"{table} {changes}"), changed(table.rules, changes)
    texts = text_of_game(rules, table.players, luck)
    for text in mistaken(texts, luck):
        for one, other in zip(judged(text), judged_completely(text), strict=True):
            assert seen(one) == seen(other)


@pytest.mark.property
@pytest.mark.parametrize(("table", "changes"), list(product(TABLES, _CHANGES)), ids=str)
def test_the_fast_path_tells_it_under_other_rules(table: Table, changes: dict[str, str]) -> None:
    luck, rules = seeded(f"{table} {changes}, other rules"), changed(table.rules, changes)
    text = "\n".join(text_of_game(rules, table.players, luck))
    for others in luck.sample(_CHANGES, _OTHER_RULES):
        other_rules = changed(table.rules, others)
        one = judged(text, other_rules)
        other = judged_completely(text, other_rules)
        assert list(map(seen, one)) == list(map(seen, other))


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_hands_in_order_take_the_fast_path(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = text_of_game(table.rules, table.players, seeded(str(table)))

    def never(*_: object) -> None:
        pytest.fail("a hand in order was judged the complete way")

    monkeypatch.setattr(_JUDGE, "judge_hand", never)
    assert all(record.ok and record.after for record in judged(texts[0] + "\n" + texts[1]))
