"""Every written cell is checked, or reported as not used: none of another system is believed."""

import re
from collections.abc import Callable
from itertools import product

import pytest

from benchmarks.hands import TABLES
from engine.core.cards import show
from engine.notation.names import TABLES as ORDER
from engine.verdicts.judge import judge
from tests.engine.games.test_game_order import a_game, findings, judged

COLUMNS = (
    *("Pain", "Before", "Bid", "Paid", "Won", "After"),
    *("Hearts", "Queen", "Insurance", "Centre", "Adjust", "Moon", "Points", "Total"),
)


def seats(text: str) -> list[str]:
    found = re.search(r'\[Seats "([^"]*)"', text)
    assert found is not None
    return found[1].split()


def with_tag(name: str, value: str) -> Callable[[str], str]:
    def change(text: str) -> str:
        text = re.sub(rf'\[{name} "[^"]*"\]\n', "", text)
        return text.replace("[Seats", f'[{name} "{value}"]\n[Seats', 1)

    return change


def with_table(header: str, row: str) -> Callable[[str], str]:
    """A record with one more table, in its canonical place; ``row`` is that of each seat."""

    def change(text: str) -> str:
        name = header.split(" ", maxsplit=1)[0]
        if f"[{name} " in text:
            return text
        body = "\n".join(row.format(seat=seat) for seat in seats(text))
        later = re.compile(rf"^\[({'|'.join(ORDER[ORDER.index(name) + 1 :])}) ", re.MULTILINE)
        found = later.search(text)
        at = len(text) if found is None else found.start()
        return f"{text[:at]}[{header}]\n{body}\n{text[at:]}"

    return change


def with_column(name: str, value: int) -> Callable[[str], str]:
    """A record with one more column of scores."""

    def change(text: str) -> str:
        at = text.index("[ScoreTable")
        head, *rows = text[at:].rstrip("\n").split("\n")
        if f";{name}" in head:
            return text
        lines = [head.replace('"]', f';{name}"]'), *[f"{row} {value}" for row in rows]]
        return text[:at] + "\n".join(lines) + "\n"

    return change


FOREIGN: dict[str, Callable[[str], str]] = {
    **{f"the column {name}": with_column(name, 2) for name in COLUMNS},
    "a jackpot": with_tag("Jackpot", "3"),
    "a namer": with_tag("Declarer", "E"),
    "a suit": with_tag("PainSuit", "S"),
    "a pass": with_tag("Pass", "right"),
    "a centre": with_tag("Centre", "S2H2D2C2"),
    "cards left out": with_tag("Stripped", "S3"),
    "a stake": with_tag("Stake", "7"),
    "a number of hands": with_tag("Hands", "77"),
    "another scoring": with_tag("Scoring", "MatchPoints"),
    "totals": with_table('TotalScoreTable "-Rank;Seat;Names;TotalScore"', "9 {seat} - 999"),
    "captures": with_table('CaptureTable "Seat;Tricks;Cards"', "{seat} 9 -"),
    "bids for a centre": with_table(
        'CentreTable "Seat;Card;Bid;Shown;Got;Pays"', "{seat} - 0 S2 - 0"
    ),
    "a pot": lambda text: with_table('PotTable "Before;Bid;Paid;Won;After"', "")(text).replace(
        'After"]\n' + "\n" * len(seats(text)), 'After"]\n1 2 3 4 2\n', 1
    ),
}


USED = {
    "a namer": ("bicycle", "hoyle_auction"),
    "a suit": ("bicycle", "hoyle_auction"),
    "a pass": ("insurance",),
}
"""What some systems have: there it can be right."""


def test_no_foreign_cell_is_believed_silently(subtests: pytest.Subtests) -> None:
    for table in TABLES:
        texts, states = a_game(table, 5, 2)
        foreign = [what for what in sorted(FOREIGN) if table.system not in USED.get(what, ())]
        for what, at in product(foreign, (0, 1)):
            with subtests.test(table=str(table), what=what, at=at):
                changed = list(texts)
                changed[at] = FOREIGN[what](texts[at])
                records = judged(changed)
                found = findings(records)
                assert changed[at] == texts[at] or any(place == at for place, _, _ in found)
                if found and (what.startswith("the column") or "not used" in found[0][2]):
                    assert records[at].after == states[at]


def test_a_column_of_zeros_says_nothing_wrong(subtests: pytest.Subtests) -> None:
    for table in TABLES:
        texts, _ = a_game(table, 5, 1)
        for name in COLUMNS:
            with subtests.test(table=str(table), name=name):
                assert not findings(judged([with_column(name, 0)(texts[0])]))


def test_an_ante_is_used_only_where_the_winner_takes_it_all() -> None:
    for table in TABLES:
        texts, _ = a_game(table, 5, 1)
        found = findings(judged([with_tag("Ante", "500")(texts[0])]))
        assert bool(found) is (table.system != "sahara"), table


def test_the_tricks_and_the_cards_of_a_capture_table_are_those_of_the_play() -> None:
    table = next(table for table in TABLES if table.system == "sahara")
    texts, _ = a_game(table, 5, 1)
    (record,) = judged(texts)
    assert record.result is not None
    taken, won = record.result.replay.taken, record.result.facts.tricks
    assert taken is not None

    def captures(tricks: tuple[int, ...], cards: tuple[int, ...]) -> str:
        rows = [
            f"{seat} {number} {show(held) or '-'}"  # type: ignore[arg-type]
            for seat, number, held in zip(seats(texts[0]), tricks, cards, strict=True)
        ]
        body = "\n".join(rows)
        table_text = f'[CaptureTable "Seat;Tricks;Cards"]\n{body}\n'
        return texts[0].replace("[ScoreTable", table_text + "[ScoreTable")

    assert not findings(judged([captures(won, taken)]))
    wrong = (won[0] + 1, won[1] - 1, *won[2:])
    assert len(findings(judged([captures(wrong, taken)]))) == 2
    moved = (taken[0] | taken[1], *taken[1:])
    assert findings(judged([captures(won, moved)]))


def test_the_result_of_a_game_is_compared_with_names_and_hands() -> None:
    text = (
        '[Board "1"]\n[North "Adams, Nora"]\n[Dealer ""]\n[Detail "game"]\n[Hands "1"]\n'
        '[Seats "N E S W"]\n[Variant "sahara"]\n[TotalScoreTable "{}"]\n{}\n'
    )
    plain = "-Rank;Seat;Names;TotalScore", "1 W - 0\n2 N {} 3\n3 E - 4\n4 S - 19"
    right = text.format(plain[0], plain[1].format('"Adams, Nora"'))
    wrong = text.format(plain[0], plain[1].format('"Baker, Ed"'))
    words = [
        [one.diagnostic.message for one in judge(one_text).records[0].findings if one.fault]
        for one_text in (right, wrong)
    ]
    assert words == [[], ["N: Adams, Nora sits here, not Baker, Ed"]]
    settled = text.format("-Rank;Seat;TotalScore;Settlement", "1 W 0 7\n2 N 3 0\n3 E 4 0\n4 S 19 0")
    (found,) = [one for one in judge(settled).records[0].findings if one.fault]
    assert "Settlement is not settled under these rules" in found.diagnostic.message


def test_a_column_that_nobody_knows_is_reported_once() -> None:
    (text, *_), _ = a_game(TABLES[0], 5, 1)
    texts = [re.sub(r'(ScoreTable "[^"]*)"\]\n((?:.+\n)+)', _with_column, text)]
    (found,) = findings(judged(texts))
    assert found[1:] == ("info", "Foo is no column of ScoreTable; it is kept, but not read")


def _with_column(table: re.Match[str]) -> str:
    rows = "".join(f"{row} 5\n" for row in table[2].splitlines())
    return f'{table[1]};Foo"]\n{rows}'


def test_a_pass_where_no_cards_are_passed_is_one_warning() -> None:
    (text, *_), _ = a_game(TABLES[0], 5, 1)
    (found,) = findings(judged([text.replace("[PainSuit", '[Pass "left"]\n[PainSuit')]))
    words = "no cards are passed under these rules; the tag Pass is not used"
    assert found == (0, "warning", words)
