"""What holds of every event, however strange."""

import json
from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.examples import examples
from tests.tournaments.standings.field import scoring, table
from tests.tournaments.standings.strategies import NAMES, boards, events, scorings
from tournaments.standings import (
    Entrant,
    Ranking,
    RowKind,
    ScoringRules,
    SeatScore,
    TableScore,
    canonical,
    rank_event,
)
from tournaments.standings.boards import board_values
from tournaments.standings.meetings import PossibleScore, split_by_reach

a_few = settings(max_examples=examples(20), deadline=None)
some = settings(max_examples=examples(40), deadline=None)


def ranked(event: dict[str, Any], rule: ScoringRules) -> Ranking:
    rest = {name: event[name] for name in ("adjustments", "boards", "sit_outs")}
    return rank_event(event["tables"], event["entries"], rule, **rest)


@some
@given(events(), scorings(), st.randoms(use_true_random=False))
def test_the_order_of_arrival_changes_nothing(event: Any, rule: ScoringRules, random: Any) -> None:
    before = canonical(ranked(event, rule).to_data())
    shuffled = {name: random.sample(values, len(values)) for name, values in event.items()}
    assert canonical(ranked(shuffled, rule).to_data()) == before


@a_few
@given(events(), scorings())
def test_everybody_has_one_row_and_ranks_follow_the_rows(event: Any, rule: ScoringRules) -> None:
    found = ranked(event, rule)
    entries = [row.entry for row in (*found.rows, *found.house)]
    assert len(entries) == len(set(entries))
    assert {entry.id for entry in event["entries"]} <= set(entries)
    rows = [row for row in found.rows if row.kind is RowKind.RANKED]
    assert sorted(found.cut_order) == sorted(row.entry for row in rows)
    for place, row in enumerate(rows, start=1):
        assert row.rank is not None
        assert row.rank.first <= place <= row.rank.last
        sharing = [other for other in rows if other.rank == row.rank]
        assert len(sharing) == row.rank.tied
        assert row.label == (f"={row.rank_from}" if row.rank.tied > 1 else str(row.rank_from))
    assert all(row.rank is None for row in found.rows if row.kind is not RowKind.RANKED)
    assert not [row for row in rows if row.withdrawn]


@a_few
@given(events(), scorings())
def test_every_row_but_the_last_place_is_told_why(event: Any, rule: ScoringRules) -> None:
    rows = [row for row in ranked(event, rule).rows if row.rank]
    for row in rows:
        below = [other for other in rows if (other.rank_from or 0) > (row.rank_from or 0)]
        assert (row.decided is None) == (not below)
        if row.decided:
            assert row.decided.over == below[0].entry
            assert row.decided.mine != row.decided.theirs
            assert row.decided.sentence({}).startswith(f"ahead of {below[0].entry} by ")


@a_few
@given(events(), scorings())
def test_a_sum_is_the_sum_of_its_lines(event: Any, rule: ScoringRules) -> None:
    found = ranked(event, rule)
    assume(found.unit != "share" and rule.total.value == "sum")
    for row in found.rows:
        lines = sum((line.value or Fraction(0) for line in row.contributions), Fraction(0))
        added, handicap = row.columns["adjustments"], row.columns["handicap"]
        assert isinstance(added, Fraction)
        assert isinstance(handicap, Fraction)
        given = handicap * (rule.handicaps.value == "on") * (-1 if rule.low_total else 1)
        assert row.total == lines + added + given
        assert sum(row.rounds.values(), Fraction(0)) == lines


SCORES = st.lists(st.integers(-9, 9), min_size=2, max_size=6)


@st.composite
def left_early(draw: st.DrawFn) -> TableScore:
    """A table that some leave before the end."""
    scores = draw(SCORES)
    stays = [10, *(draw(st.just(10) | st.integers(0, 9)) for _ in scores[1:])]
    seats = [
        SeatScore(f"s{number}", score, hands, forfeit=hands < 10)
        for number, (score, hands) in enumerate(zip(scores, stays, strict=True))
    ]
    return TableScore("t", 1, 1, 1, 10, tuple(seats))


@given(
    left_early(),
    st.sampled_from(["last_for_missing", "last", "average_less"]),
    st.sampled_from(["high", "low"]),
)
def test_what_places_bring_has_the_same_sum_at_every_table(
    game: TableScore, policy: str, direction: str
) -> None:
    players = len(game.seats)
    sums: dict[str, Fraction | int] = {
        "places": 0,
        "percent": Fraction(players, 2),
        "wins": 1,
        "winner_takes_all": 0,
    }
    for method, expected in sums.items():
        rule = scoring(method, forfeit_policy=policy, direction=direction)
        rows = rank_event([game], [], rule).rows
        assert sum(row.total or 0 for row in rows) == expected
        assert sum(Fraction(str(row.columns["wins"])) for row in rows) == 1


@given(SCORES, st.lists(st.integers(-5, 5), min_size=6, max_size=6))
def test_a_tie_shares_what_its_places_bring(scores: list[int], points: list[int]) -> None:
    falling = sorted(points[: len(scores)], reverse=True)
    rule = scoring("places", scale={str(len(scores)): falling})
    names = NAMES[: len(scores)]
    found = rank_event([table(dict(zip(names, scores, strict=True)))], [], rule)
    order = sorted(scores, reverse=True)
    for name, score in zip(names, scores, strict=True):
        covered = [point for point, at in zip(falling, order, strict=True) if at == score]
        assert found.by_entry[name].total == Fraction(sum(covered), len(covered))


@given(SCORES)
def test_settlements_and_data_sum_to_nothing(scores: list[int]) -> None:
    names = NAMES[: len(scores)]
    game = table(dict(zip(names, scores, strict=True)))
    assert sum(row.total or 0 for row in rank_event([game], [], scoring("settlement")).rows) == 0


@given(boards())
def test_matchpoints_of_a_seat_have_the_mean_of_the_field(rows: Any) -> None:
    seats: dict[tuple[int, int], list[Fraction]] = defaultdict(list)
    for one in board_values(rows, scoring("matchpoints")):
        seats[one.row.board, one.row.seat].append(one.value)
    most = max(map(len, seats.values()), default=0)
    assert all(sum(values) / len(values) == most - 1 for values in seats.values())
    plain = board_values(rows, scoring("matchpoints", unequal_boards="none"))
    assert sum(one.value for one in plain) == sum(len(v) * (len(v) - 1) for v in seats.values())
    data = board_values(rows, scoring("datum"))
    assert sum(one.value for one in data) == 0


@given(
    st.lists(
        st.tuples(st.lists(st.sampled_from("ABCD"), min_size=2, unique=True), st.randoms()),
        max_size=6,
    ).map(lambda games: [(names, [r.randrange(3) for _ in names]) for names, r in games])
)
def test_head_to_head_parts_those_whom_no_missing_meeting_could_bring_level(
    games: list[tuple[list[str], list[int]]],
) -> None:
    """The definition, followed to the letter with every pair and every cut."""
    tables = [table(dict(zip(names, scores, strict=True))) for names, scores in games]
    level = [table({name: 0}, fixed={name: 0}) for name in "ABCD"]
    rule = scoring("winner_takes_all", ante=0, direction="high", tie_breaks=["h2h"])
    found = rank_event([*tables, *level], [], rule)
    groups = _parted(tuple("ABCD"), games)
    expected = [sorted(group) for group in groups]
    actual: dict[Any, list[str]] = defaultdict(list)
    for row in found.rows:
        actual[row.rank].append(row.entry)
    assert [sorted(group) for group in actual.values()] == expected


def _parted(tied: tuple[str, ...], games: Sequence[tuple[list[str], list[int]]]) -> list[list[str]]:
    met = {pair: _results(pair, games) for pair in permutations(tied, 2)}
    most = max((len(results) for results in met.values()), default=0)
    low, high = {}, {}
    for one in tied:
        own = [met[one, other] for other in tied if other != one]
        missing = sum(most - len(results) for results in own)
        points = sum(map(sum, own))
        low[one], high[one] = points - missing, points + missing
    groups, begin = [], 0
    order = sorted(tied, key=lambda name: -low[name])
    for end in range(1, len(tied) + 1):
        above, below = order[:end], order[end:]
        if not below or min(low[n] for n in above) > max(high[n] for n in below):
            groups.append(tuple(order[begin:end]))
            begin = end
    if len(groups) == 1:
        return [list(tied)]
    return [finer for group in groups for finer in _parted(group, games)]


def _results(pair: tuple[str, str], games: Sequence[tuple[list[str], list[int]]]) -> list[int]:
    found = []
    for names, scores in games:
        score = dict(zip(names, scores, strict=True))
        if pair[0] in score and pair[1] in score:
            mine, theirs = score[pair[0]], score[pair[1]]
            found.append((mine > theirs) - (mine < theirs))
    return found


@given(st.dictionaries(st.sampled_from("abcdef"), st.tuples(st.integers(-3, 3), st.integers(0, 2))))
def test_groups_are_parted_only_where_their_reaches_are_disjoint(
    points: dict[str, tuple[int, int]],
) -> None:
    reaches = {name: PossibleScore(least, least + more) for name, (least, more) in points.items()}
    groups = split_by_reach(sorted(points), reaches)
    for upper, lower in combinations(groups, 2):
        assert min(reaches[n].least for n in upper) > max(reaches[n].most for n in lower)
    assert sorted(name for group in groups for name in group) == sorted(points)


@a_few
@given(events(), scorings())
def test_a_countback_counts_every_game_once(event: Any, rule: ScoringRules) -> None:
    found = ranked(event, rule)
    for row in found.rows:
        places = row.columns["places"]
        assert isinstance(places, tuple)
        assert row.columns["wins"] == (places[0] if places else 0)
        assert not places or places[-1] > 0


@given(scorings())
def test_a_scoring_survives_its_data_and_tells_itself(rule: ScoringRules) -> None:
    data = json.loads(json.dumps(rule.to_data()))
    again = ScoringRules.from_data(data)
    assert (again, again.digest, again.to_data()) == (rule, rule.digest, rule.to_data())
    assert all("{" not in line for line in rule.describe())


@pytest.mark.parametrize("count", [0, 1])
def test_nobody_and_one_alone(count: int) -> None:
    entries = [Entrant(name) for name in NAMES[:count]]
    found = rank_event([], entries, ScoringRules())
    assert [(row.kind, row.label) for row in found.rows] == [(RowKind.IDLE, "")] * count
