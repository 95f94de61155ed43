"""Points of a hand: hearts, queen, insurance, centre, moon (rules.md B5, D6-D12, E6)."""

from dataclasses import dataclass
from typing import Final

from ..core.seats import Seat
from ..core.values import maker, quickly_made
from ..record.facts import Facts
from ..rules.rules import QUEEN_POINTS, Rules
from ..rules.switches import ON, BidPointsOnMoon, Moon


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """The points of a hand, line by line, by seat; the lines of a seat sum to its ``points``."""

    hearts: tuple[int, ...]
    queen: tuple[int, ...]
    insurance: tuple[int, ...]
    centre: tuple[int, ...]
    moon: tuple[int, ...]
    adjust: tuple[int, ...]
    points: tuple[int, ...]
    shooter: Seat | None = None


_score: Final = maker(Score)
_NO_MOON: Final = Moon.NONE


def score(rules: Rules, facts: Facts) -> Score:
    """The points of a hand that was played (B5, D6, D7, D11, D12, E6)."""
    nothing = (0,) * len(facts.taken)
    queen = queen_points(rules, facts)
    papers = (facts.papers or nothing) if rules.insurance is ON else nothing
    centre = facts.centre or nothing
    adjust = facts.adjust or nothing
    shooter = None if facts.offenders else moon_shooter(rules, facts)
    insurance = moon = nothing
    if facts.offenders:
        adjust = _revoke_law(facts, queen, adjust)
    elif shooter is not None:
        insurance, moon = _moon(rules, facts, papers, shooter)
        if rules.bid_points_on_moon is BidPointsOnMoon.WAIVE:
            centre = nothing
    elif papers is not nothing:
        insurance = _insurance(facts, papers)
    lines = (facts.taken, queen, insurance, centre, moon, adjust)
    result = _score(
        hearts=facts.taken,
        queen=queen,
        insurance=insurance,
        centre=centre,
        moon=moon,
        adjust=adjust,
        points=tuple(map(sum, zip(*lines, strict=True))),
        shooter=shooter,
    )
    if not facts.offenders:
        right = checksum(rules, facts, result)
        assert sum(result.points) == right, "the points sum as D11 and D12 say"
    return result


def queen_points(rules: Rules, facts: Facts) -> tuple[int, ...]:
    """The queen's 13 points to who took her (D6)."""
    points = [0] * len(facts.taken)
    if facts.queen is not None and rules.queen is ON:
        points[facts.queen] = QUEEN_POINTS
    return tuple(points)


def moon_shooter(rules: Rules, facts: Facts) -> Seat | None:
    """Return the seat that took every heart and the queen, where that is a moon (D7, E6)."""
    if rules.moon is _NO_MOON:
        return None
    sweep = facts.sweep
    return sweep if facts.queen == sweep else None


def _insurance(facts: Facts, papers: tuple[int, ...]) -> tuple[int, ...]:
    """Return scores where the queen's taker subtracts its number, all others add theirs (D11)."""
    relieved = list(papers)
    if facts.queen is not None:
        relieved[facts.queen] = -papers[facts.queen]
    return tuple(relieved)


def _moon(
    rules: Rules, facts: Facts, papers: tuple[int, ...], shooter: Seat
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Insurance and moon lines of a moon (D7, D12, Q39b, Q45, Q46)."""
    whole = facts.whole + QUEEN_POINTS
    seats = range(len(papers))
    own = rules.moon_own_insurance is ON
    choice_is_self = rules.moon is Moon.SHOOTER_CHOICE and facts.moon_adds is False
    if rules.moon is Moon.SUBTRACT_FROM_SELF or choice_is_self:
        moon = tuple(-2 * whole if seat == shooter else 0 for seat in seats)
        insurance = tuple(papers[shooter] if seat == shooter else 0 for seat in seats)
    else:
        moon = tuple(-whole if seat == shooter else whole for seat in seats)
        insurance = tuple(
            0 if seat == shooter else -papers[shooter] + (papers[seat] if own else 0)
            for seat in seats
        )
    return insurance, moon


def _revoke_law(facts: Facts, queen: tuple[int, ...], adjust: tuple[int, ...]) -> tuple[int, ...]:
    """The offender bears all points of the hand, nobody else any (section 8, REVOKE)."""
    whole = facts.whole + sum(queen)
    return tuple(
        extra + (whole if seat in facts.offenders else 0) - facts.taken[seat] - queen[seat]
        for seat, extra in enumerate(adjust)
    )


def checksum(rules: Rules, facts: Facts, result: Score) -> int:
    """Return the sum of the points of a hand (section 11, 8 and 9, and the checksums of 5.1)."""
    extra = sum(result.centre) + sum(result.adjust)
    whole = facts.whole + sum(result.queen)
    papers = facts.papers if rules.insurance is ON else ()
    if result.shooter is None:
        others = sum(papers) - (papers[facts.queen] if papers and facts.queen is not None else 0)
        taker = papers[facts.queen] if papers and facts.queen is not None else 0
        return whole - taker + others + extra
    paper = papers[result.shooter] if papers else 0
    if min(result.moon) == -2 * whole:
        return -whole + paper + extra
    own = sum(papers) - paper if rules.moon_own_insurance is ON else 0
    return (len(facts.taken) - 1) * (whole - paper) + own + extra
