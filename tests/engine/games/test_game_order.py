"""Which records of a text are one game (DEC-1): tags, names, numbers, order and repetition."""

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from benchmarks.hands import TABLES, Table, dice, played_out, record_of
from engine.core.faults import Severity
from engine.core.seats import Seat
from engine.games.game_grouping import OPEN_GAMES, RecordOrder
from engine.notation import to_document, write_record
from engine.record.game_state import GameState, beginning
from engine.verdicts.judge import HELD_MAX, Judge, Judged, judge
from tests.engine.notation.texts import read_slowly
from tests.examples import examples

TAGS = {
    "Event": "Club night",
    "Site": "Ghent",
    "Date": "2026.01.02",
    "Round": "1",
    "Table": "2",
}
NAMES = ("Adams, Nora", "Baker, Ed", "Clark, Sue", "de Vries, Wim", "Evans, Pat", "Fox, Kim")


def a_game(
    table: Table, seed: int, hands: int = 5, tags: dict[str, str] | None = None
) -> tuple[list[str], list[GameState]]:
    """The records of a game as our writer writes them, and the state after each of them."""
    luck, state = dice(f"{table} {seed}"), beginning(table.rules, table.players, Seat(seed % 3))
    texts, states = list[str](), list[GameState]()
    while state.over is None and len(texts) < hands:
        hand = played_out(table.rules, state, luck)
        settled = hand.settle()
        record = record_of(hand, state.hands + 1)
        texts.append(write_record(to_document(record, TAGS | (tags or {}))))
        state = settled.after
        states.append(state)
    return texts, states


def judged(texts: list[str]) -> list[Judged]:
    return list(judge("% PHN 1.0\n" + "\n".join(texts)).records)


def findings(records: list[Judged]) -> list[tuple[int, str, str]]:
    """What is found in each record, apart from names that are not "Last, First"."""
    return [
        (at, str(one.diagnostic.severity), one.diagnostic.message)
        for at, record in enumerate(records)
        for one in record.findings
        if one.diagnostic.rule != "W90"
    ]


def games(records: list[Judged]) -> set[int | None]:
    return {record.game for record in records}


def replaced(text: str, name: str, change: Callable[[str], str]) -> str:
    """A record with another value of a tag."""
    return re.sub(rf'\[{name} "([^"]*)"\]', lambda found: f'[{name} "{change(found[1])}"]', text)


def without(text: str, name: str) -> str:
    return re.sub(rf'\[{name} "[^"]*"\]\n', "", text)


SAME_GAME: dict[str, Callable[[str], str]] = {
    "a trailing blank": lambda text: replaced(text, "Event", lambda value: value + " "),
    "two blanks": lambda text: replaced(text, "Event", lambda value: value.replace(" ", "  ")),
    "capitals": lambda text: replaced(text, "Site", str.upper),
    "no round": lambda text: without(text, "Round"),
    "an unknown table": lambda text: replaced(text, "Table", lambda _: "?"),
    "an unknown site": lambda text: replaced(text, "Site", lambda _: "?"),
    "after midnight": lambda text: replaced(text, "Date", lambda _: "2026.01.03"),
    "an unknown date": lambda text: replaced(text, "Date", lambda _: "????.??.??"),
    "no name at a seat": lambda text: re.sub(r'\[South(East)? "[^"]*"\]', '[South\\1 "?"]', text),
}
games_at_every_table = st.tuples(st.sampled_from(TABLES), st.integers(0, 10**6))


@settings(max_examples=examples(40))
@given(games_at_every_table, st.sampled_from(sorted(SAME_GAME)), st.integers(0, 4))
def test_what_does_not_contradict_leaves_the_game_one(
    drawn: tuple[Table, int], change: str, which: int
) -> None:
    texts, states = a_game(*drawn)
    at = min(which, len(texts) - 1)
    rest = range(at, len(texts)) if "midnight" in change else [at]
    for place in rest:
        texts[place] = SAME_GAME[change](texts[place])
    records = judged(texts)
    assert games(records) == {0}
    assert not findings(records)
    assert [record.after for record in records] == states


@settings(max_examples=examples(30))
@given(games_at_every_table, st.integers(1, 4))
def test_one_other_name_is_a_substitute_and_is_told_with_both_spellings(
    drawn: tuple[Table, int], which: int
) -> None:
    texts, states = a_game(*drawn)
    at = min(which, len(texts) - 1)
    name = re.search(r'\[South(?:East)? "([^"]+)"\]', texts[at])
    assert name is not None
    texts[at] = texts[at].replace(name[1], "Klark, Sue")
    records = judged(texts)
    assert games(records) == {0}
    words = f"Klark, Sue is taken as a substitute for {name[1]}"
    assert findings(records) == ([(at, "warning", words)] if at else [(1, "warning", words)])
    assert [record.after for record in records] == states


@settings(max_examples=examples(20))
@given(games_at_every_table, st.integers(1, 4))
def test_two_other_names_are_another_game_which_does_not_begin_silently(
    drawn: tuple[Table, int], which: int
) -> None:
    texts, _ = a_game(*drawn)
    at = min(which, len(texts) - 1)
    names = [name for name in NAMES if f'"{name}"' in texts[at]][:2]
    for name in names:
        texts[at] = texts[at].replace(name, f"X{name}")
    records = judged(texts)
    if at:
        assert len(games(records)) == 2
        missing = "hand 1" if at == 1 else f"hands 1-{at}"
        assert any(words.startswith(f"{missing} missing; ") for _, _, words in findings(records))


@settings(max_examples=examples(30))
@given(games_at_every_table, st.integers(0, 4), st.integers(0, 4))
def test_a_record_that_is_repeated_counts_once(
    drawn: tuple[Table, int], which: int, where: int
) -> None:
    texts, states = a_game(*drawn)
    at = min(which, len(texts) - 1)
    to = min(at + 1 + where, len(texts))
    records = judged([*texts[:to], texts[at], *texts[to:]])
    assert games(records) == {0}
    words = "this record is written before, with the same content; it counts once"
    assert findings(records) == [(to, "warning", words)]
    assert [record.order for record in records].count(RecordOrder.REPEATED) == 1
    assert [record.after for record in records if record.counts] == states


@settings(max_examples=examples(40))
@given(games_at_every_table, st.randoms(use_true_random=False))
def test_records_in_another_order_are_put_in_order(drawn: tuple[Table, int], luck: Random) -> None:
    texts, states = a_game(*drawn)
    order = list(range(len(texts)))
    luck.shuffle(order)
    records = judged([texts[at] for at in order])
    assert games(records) == {0}
    late = [place for place, at in enumerate(order) if any(one > at for one in order[:place])]
    assert [at for at, _, _ in findings(records)] == late
    assert all(severity == "warning" for _, severity, _ in findings(records))
    assert [record.after for record in records] == [states[at] for at in order]


@settings(max_examples=examples(30))
@given(games_at_every_table, st.integers(0, 3))
def test_a_missing_hand_is_told_and_the_next_one_is_believed(
    drawn: tuple[Table, int], which: int
) -> None:
    texts, states = a_game(*drawn)
    at = min(which, len(texts) - 2)
    assume(at >= 0)
    del texts[at]
    records = judged(texts)
    assert games(records) == {0}
    (finding,) = findings(records)
    assert finding[:2] == (at, "warning")
    assert finding[2].startswith(f"hand {at + 1} missing; ")
    last, due = records[-1].after, states[-1]
    assert last is not None
    told = (last.chips, last.pot, last.jackpot, last.totals, last.namer)
    assert told == (due.chips, due.pot, due.jackpot, due.totals, due.namer)


def a_game_with_a_jackpot() -> tuple[list[str], list[GameState]]:
    """A game of four hands of which the third leaves a jackpot."""
    for seed in range(1000):
        texts, states = a_game(TABLES[0], seed, 4)
        if len(states) == 4 and states[2].jackpot and not states[1].jackpot:
            return texts, states
    raise AssertionError


FORGETTING: dict[str, Callable[[str], str]] = {
    "a misspelt name": lambda text: text.replace("Clark", "Klark"),
    "a substitute": lambda text: text.replace("Clark, Sue", "Young, Ann"),
    "two other names": lambda text: text.replace("Clark", "Klark").replace("Baker", "Becker"),
    "another event": lambda text: replaced(text, "Event", lambda _: "Open"),
    "another round": lambda text: replaced(text, "Round", lambda _: "2"),
    "next week": lambda text: replaced(text, "Date", lambda _: "2026.01.09"),
    "another identifier": lambda text: text.replace("[Seats", '[GameId "other"]\n[Seats'),
    **SAME_GAME,
}


@pytest.mark.parametrize("change", sorted(FORGETTING))
def test_a_jackpot_is_never_forgotten_without_a_word(change: str) -> None:
    texts, _ = a_game_with_a_jackpot()
    other, _ = a_game(TABLES[0], 7, 1)
    fresh = replaced(other[0], "Board", lambda _: "4")
    texts[3] = FORGETTING[change](fresh)
    records = judged(texts)
    assert findings(records)
    if len(games(records)) == 1:
        assert not records[3].ok


def test_an_identifier_decides_alone() -> None:
    texts, states = a_game(TABLES[0], 3, 4)
    mine = [text.replace("[Seats", '[GameId "  Night 7 "]\n[Seats') for text in texts]
    changed = [
        replaced(replaced(text, "Event", lambda _, at=at: f"Event {at}"), "Date", lambda _: "?")  # type: ignore[misc]
        for at, text in enumerate(mine)
    ]
    changed[2] = changed[2].replace("Night 7", "night 7").replace("Adams", "X").replace("Ed", "Y")
    records = judged(changed)
    assert games(records) == {0}
    assert [record.after for record in records] == states
    others = [text.replace("Night 7", "Night 8") for text in mine]
    both = judged([text for pair in zip(mine, others, strict=True) for text in pair])
    assert [record.game for record in both] == [0, 1] * 4
    assert not findings(both)


def test_a_hand_without_the_identifier_belongs_to_the_game_that_has_one() -> None:
    texts, states = a_game(TABLES[0], 3, 4)
    texts[1] = texts[1].replace("[Seats", '[GameId "7"]\n[Seats')
    texts[3] = texts[3].replace("[Seats", '[GameId "7"]\n[Seats')
    records = judged(texts)
    assert games(records) == {0}
    assert not findings(records)
    assert records[3].after == states[3]


def test_a_number_that_is_taken_is_a_conflict_with_the_next_free_number() -> None:
    texts, states = a_game(TABLES[0], 3, 4)
    other, _ = a_game(TABLES[0], 4, 2)
    records = judged([*texts[:2], other[1], *texts[2:]])
    assert games(records) == {0}
    (finding,) = [one for one in records[2].findings if one.diagnostic.tag == "Board"]
    assert finding.diagnostic.severity is Severity.ERROR
    assert finding.diagnostic.hint.startswith("5 is the next free number")
    assert [record.after for record in records if record.counts] == states


def test_a_first_hand_after_the_end_or_on_another_day_begins_another_game() -> None:
    sahara = next(table for table in TABLES if table.system == "sahara")
    whole, _ = a_game(sahara, 1, 99)
    again, _ = a_game(sahara, 2, 3)
    records = judged([*whole, *again])
    assert records[len(whole)].game == 1
    assert not findings(records)
    texts, _ = a_game(TABLES[0], 3, 3)
    tomorrow, _ = a_game(TABLES[0], 4, 3, {"Date": "2026.01.03"})
    records = judged([*texts, *tomorrow])
    assert [record.game for record in records] == [0, 0, 0, 1, 1, 1]
    assert not findings(records)


def test_a_record_without_a_number_is_the_next_hand() -> None:
    texts, states = a_game(TABLES[0], 3, 4)
    texts[1] = replaced(texts[1], "Board", lambda _: "")
    records = judged(texts)
    assert games(records) == {0}
    assert not findings(records)
    assert records[3].after == states[3]


FIRST_HANDS = [
    (
        "auction-bicycle",
        "starts from 46, 54, 50, 50 chips, not 50 each",
        "Before",
        (46, 54, 50, 50),
    ),
    ("auction-bicycle", "with 19 in the pot, not 0", "pot", ()),
    ("sahara", "starts from totals of 5, 0, 0, 0, not 0", "Total", (5, 0, 0, 0)),
]


@pytest.mark.parametrize(("variant", "words", "column", "amounts"), FIRST_HANDS)
def test_a_first_hand_does_not_start_from_anything_silently(
    variant: str, words: str, column: str, amounts: tuple[int, ...]
) -> None:
    table = next(one for one in TABLES if one.players == 4 and variant.endswith(one.system))
    state = beginning(table.rules, 4)
    if column == "Before":
        state = replace(state, chips=amounts)
    elif column == "Total":
        state = replace(state, totals=amounts)
    hand = played_out(table.rules, state, dice("first"))
    text = write_record(to_document(record_of(hand, 1), TAGS))
    if column == "pot":
        text = re.sub(r"(\[PotTable [^\n]*\n)0 ", r"\g<1>19 ", text)
    found = findings(judged([text]))
    assert any(severity == "warning" and words in said for _, severity, said in found), found


@settings(max_examples=examples(20))
@given(games_at_every_table, st.sampled_from(sorted(FORGETTING)), st.integers(0, 3))
def test_the_complete_way_finds_the_same_game_as_the_quick_one(
    drawn: tuple[Table, int], change: str, which: int
) -> None:
    texts, _ = a_game(*drawn)
    texts[min(which, len(texts) - 1)] = FORGETTING[change](texts[min(which, len(texts) - 1)])
    for text in texts:
        (slow,) = read_slowly("% PHN 1.0\n" + text)
        (quick,) = (record.entry for record in judged([text]))
        assert (slow.identity, slow.content) == (quick.identity, quick.content)


def test_a_long_gap_holds_back_no_more_than_so_many_records() -> None:
    rows = "N 3\nE 4\nS 19\nW 0"
    record = (
        '[Board "{}"]\n[Dealer "N"]\n[Detail "score"]\n[Seats "N E S W"]\n[Variant "sahara"]\n'
        '[ScoreTable "Seat;Points"]\n' + rows + "\n"
    )
    numbers = [1, *range(3, HELD_MAX + 10), 2]
    text = "% PHN 1.0\n" + "\n".join(record.format(number) for number in numbers)
    records = list(Judge(text))
    assert [one.entry.number for one in records] == list(range(1, len(numbers) + 1))
    assert games(records) == {0}
    assert records[-1].order is RecordOrder.LATE


def test_games_that_rested_long_are_forgotten_and_not_begun_silently() -> None:
    record = (
        '[Event "{}"]\n[Date "2026.01.02"]\n[Board "{}"]\n[Dealer "N"]\n[Detail "score"]\n'
        '[Seats "N E S W"]\n[Variant "sahara"]\n[ScoreTable "Seat;Points"]\nN 3\nE 4\nS 19\nW 0\n'
    )
    texts = [record.format(number, 1) for number in range(OPEN_GAMES + 1)]
    records = judged([*texts, record.format(0, 2)])
    assert records[-1].game == OPEN_GAMES + 1
    assert "hand 1 missing" in findings(records)[-1][2]


def test_every_order_of_three_hands_with_a_misdeal() -> None:
    table = next(table for table in TABLES if table.system == "sahara")
    texts, states = a_game(table, 3, 3)
    void = re.sub(r"\[PlayTable.*", "", texts[1], flags=re.DOTALL)
    void = replaced(void, "Termination", lambda _: "redeal")
    for order in permutations([texts[0], void, texts[1], texts[2]]):
        records = judged(list(order))
        assert games(records) == {0}
        after = {one.entry.text: one.after for one in records}
        # After a void hand 2 a hand 3 may be its repetition: then no hand is missing.
        if order.index(void) < order.index(texts[1]) < order.index(texts[2]):
            assert [after[text] for text in texts] == states


def test_a_void_hand_after_the_one_that_was_played_counts_before_it() -> None:
    texts, states = a_game(TABLES[0], 3, 3)
    void = re.sub(r"\[(PlayTable|PotTable|ScoreTable|AuctionTable).*", "", texts[1], flags=re.S)
    void = without(without(void, "Declarer"), "PainSuit").replace('"normal"', '"redeal"')
    records = judged([*texts[:2], void.rstrip("\n") + "\n", texts[2]])
    assert games(records) == {0}
    assert records[-1].after == states[-1]
    messages = [words for at, _, words in findings(records) if at == 2]
    assert "hand 2 is written twice; the void one counts first" in messages
