"""The rules lab: games of bots through the rules themselves, and what their figures say."""

from random import Random

import pytest

from engine import PRESETS, change, preset
from engine.analysis import lab
from engine.analysis.lab import (
    PARTS_OF_HANDS,
    Estimate,
    Figure,
    GameCounts,
    LabLine,
    NoHandsError,
    find_shipped,
    play_game,
    play_games,
    reduce_rules,
    shipped_lines,
)


@pytest.mark.parametrize(
    ("name", "players"),
    [("sweepstake", 4), ("hoyle_hearts", 6), ("insurance", 4), ("sahara", 5), ("howell", 3)],
)
def test_bots_play_a_game_of_any_system_to_its_end(name: str, players: int) -> None:
    settled = play_game(PRESETS[name], players, Random(3))
    assert settled
    assert all(one.facts.status.settles for one in settled)
    ends = [one.after.over is not None for one in settled]
    assert ends[:-1] == [False] * (len(ends) - 1)


def test_bots_bid_by_their_cards_and_the_namer_gains_more_than_others() -> None:
    counts = GameCounts()
    for _ in play_games(preset("bicycle"), 4, games=range(4), seed=1, counts=counts):
        pass
    figures = counts.line(preset("bicycle"), 4, 1, "test").figures
    assert figures[Figure.BID].value > 1
    assert figures[Figure.NAMER].value > figures[Figure.OTHERS].value


def test_a_game_in_which_all_pass_for_ever_ends_and_no_line_is_made_of_such_games(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(lab, "DEALS_MAX", 3)
    dear, counts = change(preset("bicycle"), {"min_bid": "20"}), GameCounts()
    for _ in play_games(dear, 4, games=[1], seed=1, counts=counts):
        pass
    with pytest.raises(NoHandsError, match="never bid as much"):
        counts.line(dear, 4, 1, "test")


def test_games_counted_in_parts_are_the_games_counted_at_once() -> None:
    rules = preset("standard")
    parts, whole = GameCounts(), GameCounts()
    assert [*play_games(rules, 4, games=range(6), seed=1, counts=whole)] == [*range(6)]
    for numbers in (range(2), range(2, 6)):
        parts = GameCounts.from_json(parts.to_json())
        for _ in play_games(rules, 4, games=numbers, seed=1, counts=parts):
            pass
    line = whole.line(rules, 4, 1, "test")
    assert parts.line(rules, 4, 1, "test") == line
    assert line.games == 6
    assert line.figures[Figure.HANDS].value == sum(whole.hands) / 6


def test_figures_differ_from_two_standard_errors_of_their_difference_on() -> None:
    assert Estimate(10, 3).differs_from(Estimate(20.1, 4))
    assert not Estimate(10, 3).differs_from(Estimate(19.9, 4))


def test_rules_that_differ_in_money_alone_have_the_same_figures() -> None:
    rules = change(preset("bicycle"), {"claims": "off", "currency": "EUR", "buy_in": "500"})
    assert find_shipped(rules, 4) == find_shipped(preset("bicycle"), 4) is not None
    limited = change(preset("standard"), {"limit": "50"})
    assert reduce_rules(limited) != reduce_rules(preset("standard"))


def test_every_shipped_line_says_of_how_many_games_it_is_and_how_sure() -> None:
    lines = shipped_lines().values()
    assert len(lines) >= 20
    for line in lines:
        assert line.games >= 30
        assert line.seed
        assert line.program
        assert line.low <= line.figures[Figure.HANDS].value <= line.high
        assert all(one.error >= 0 for one in line.figures.values())
        parts = [line.figures[key].value for key in PARTS_OF_HANDS if key in line.figures]
        assert all(0 <= part <= 1 for part in parts)
        assert LabLine.from_json(line.to_json()) == line


def test_a_sole_winner_alone_and_few_chips_make_a_game_shorter() -> None:
    book = preset("bicycle")
    usual = find_shipped(book, 4)
    sole = find_shipped(change(book, {"jackpot_split": "sole_winner_only"}), 4)
    short = find_shipped(change(book, {"starting_chips": "30"}), 4)
    assert usual is not None
    assert sole is not None
    assert short is not None
    for line in (sole, short):
        assert line.figures[Figure.HANDS].value < usual.figures[Figure.HANDS].value
        assert line.figures[Figure.HANDS].differs_from(usual.figures[Figure.HANDS])
