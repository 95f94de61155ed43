"""Whole events, boards and settings at random."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, TypeVar

from hypothesis import strategies as st

from tournaments.standings import (
    SEASON_SETTINGS,
    SETTINGS,
    BoardScore,
    Entrant,
    EventResult,
    RoundSitOut,
    ScoreAdjustment,
    ScoringError,
    ScoringRules,
    SeasonEvent,
    SeasonMember,
    SeasonRules,
    SeatScore,
    Setting,
    TableScore,
)

T = TypeVar("T")
NAMES = [f"p{number}" for number in range(9)]
names = st.sampled_from(NAMES)
small = st.fractions(-9, 9, max_denominator=4)

junk = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=8)
    | st.sampled_from(["1/0", "9" * 5000, "linear", "٣", "1e5", " 1", "-0", "½"]),
    lambda inner: st.lists(inner, max_size=7) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=8,
)
"""What a hostile client may send."""


@st.composite
def seats(draw: st.DrawFn, hands: int, entry: str) -> SeatScore:
    """A seat of a table of so many hands; most play all of them."""
    played = draw(st.just(hands) | st.integers(0, hands))
    return SeatScore(
        entry,
        draw(st.integers(-20, 20)),
        played,
        draw(st.integers(0, played)),
        forfeit=played < hands and draw(st.booleans()),
        fixed=draw(st.none() | st.none() | small),
        substitute=draw(st.none() | st.none() | st.sampled_from(["sub", *NAMES])),
    )


@st.composite
def tables(draw: st.DrawFn, number: int) -> TableScore:
    """A table of two to six with a number of hands."""
    seated = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    hands = draw(st.just(10) | st.integers(0, 12))
    row = tuple(draw(seats(hands, name)) for name in seated)
    return TableScore(f"t{number}", draw(st.integers(1, 3)), number, 1, hands, row)


@st.composite
def events(draw: st.DrawFn) -> dict[str, Any]:
    """All that `rank_event` takes but the scoring."""
    count = draw(st.integers(0, 5))
    entries = [
        Entrant(
            name,
            is_guest=draw(st.booleans()),
            is_house=number == 0,
            withdrawn=draw(st.booleans()),
            handicap=draw(st.integers(0, 5)),
            playoff=draw(st.none() | st.integers(1, 3)),
        )
        for number, name in enumerate(draw(st.lists(names, unique=True)))
    ]
    return {
        "tables": [draw(tables(number)) for number in range(count)],
        "entries": entries,
        "adjustments": draw(
            st.lists(
                st.builds(
                    ScoreAdjustment,
                    names,
                    small,
                    st.sampled_from(["event", "t0", "t1"]),
                    affects_place=st.booleans(),
                    cancelled=st.booleans(),
                ),
                max_size=4,
            )
        ),
        "boards": draw(boards()),
        "sit_outs": draw(st.lists(st.builds(RoundSitOut, names, st.integers(1, 4)), max_size=3)),
    }


def boards() -> st.SearchStrategy[list[BoardScore]]:
    """Scores with boards, no board twice at a table and seat."""
    row = st.builds(
        BoardScore,
        st.integers(1, 2),
        st.integers(0, 1),
        st.sampled_from(["t0", "t1", "t2"]),
        names,
        st.integers(-9, 9),
    )
    return st.lists(row, max_size=8, unique_by=lambda one: (one.board, one.seat, one.table))


def scorings() -> st.SearchStrategy[ScoringRules]:
    """A scoring with settings at random."""
    return _drawn(SETTINGS, {"par": 10}, ScoringRules.from_data)


def leagues() -> st.SearchStrategy[SeasonRules]:
    """A season with settings at random."""
    return _drawn(SEASON_SETTINGS, {"highest": 9, "lowest": -9}, SeasonRules.from_data)


@st.composite
def _drawn(
    draw: st.DrawFn,
    settings: Mapping[str, Setting],
    data: Mapping[str, object],
    made: Callable[[object], T],
) -> T:
    """What some settings make; one that cannot go with the others is left out."""
    values = {**data}
    for name in draw(st.lists(st.sampled_from(sorted(settings)), unique=True)):
        choices = [text for text, _ in settings[name].choices]
        if name == "tie_breaks":
            chain = draw(st.permutations(choices[:-1]))
            values[name] = chain[: draw(st.integers(0, len(chain)))]
        elif choices:
            values[name] = draw(st.sampled_from(choices))
        elif name not in data:
            values[name] = draw(st.integers(0, 6) | st.just("7/4") | st.just(["A", "B"]))
    while True:
        try:
            return made(values)
        except ScoringError as error:
            del values[error.field]


@st.composite
def seasons(draw: st.DrawFn) -> dict[str, Any]:
    """All that `rank_season` takes but the season."""
    members = [
        SeasonMember(
            name,
            division=draw(st.sampled_from([None, "A", "B"])),
            joined=draw(st.integers(0, 4)),
            opening=draw(st.just(0) | small),
            opening_games=draw(st.integers(0, 2)),
            withdrawn=draw(st.booleans()),
        )
        for name in draw(st.lists(names, unique=True))
    ]
    held = []
    for number in range(draw(st.integers(0, 5))):
        played = draw(st.lists(names, unique=True))
        results = tuple(
            EventResult(
                name,
                draw(small),
                draw(st.integers(0, 3)),
                draw(st.none() | st.integers(1, 9)),
                draw(st.integers(1, 2)),
                draw(st.none() | st.none() | names),
            )
            for name in played
        )
        weight = draw(st.sampled_from([Fraction(1), Fraction(2), Fraction(0)]))
        held.append(SeasonEvent(f"e{number}", number, results, weight))
    adjustments = draw(st.lists(st.builds(ScoreAdjustment, names, small), max_size=3))
    return {"events": held, "members": members, "adjustments": adjustments}
