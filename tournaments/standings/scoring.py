"""How an event is scored: one frozen value of all its settings (tournaments.md 3, 4 and 11)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from engine.messages import Message
from engine.rules.switches import Toggle
from tournaments.standings import choices as c
from tournaments.standings.exact import Json
from tournaments.standings.scales import LINEAR, Scale, read_scale, say_scale, write_scale
from tournaments.standings.settings import (
    ScoringError,
    Setting,
    amount,
    by_name,
    chain,
    choice,
    describe_settings,
    digest_of,
    line,
    maybe,
    read_settings,
    whole,
    write_settings,
)

CHAIN: Final = (c.TieBreak.WINS, c.TieBreak.PLACES, c.TieBreak.H2H, c.TieBreak.OPP_CUT1)
"""The tie-breaks of a club that chose none."""
BY_TABLE: Final = frozenset([c.Method.CHIPS, c.Method.POINTS, c.Method.SETTLEMENT, c.Method.UMA])
"""The methods that keep margins, so that the number of hands matters."""
BY_HAND: Final = BY_TABLE - {c.Method.UMA}
BY_PLACE: Final = frozenset([c.Method.PLACES, c.Method.UMA])
BY_BOARD: Final = frozenset([c.Method.MATCHPOINTS, c.Method.DATUM])
_LOW: Final = frozenset([c.Method.POINTS, c.Method.SETTLEMENT, c.Method.WINNER_TAKES_ALL])
_RAW: Final = frozenset([c.Method.CHIPS, c.Method.POINTS])
_UNITS: Final = {
    c.Method.CHIPS: "chips",
    c.Method.POINTS: "penalty points",
    c.Method.PERCENT: "share",
    c.Method.MATCHPOINTS: "matchpoints",
    c.Method.WINS: "wins",
}


@dataclass(frozen=True, kw_only=True)
class ScoringRules:
    """Everything about how an event is scored; `SETTINGS` says what each setting means."""

    method: c.Method = c.Method.PLACES
    direction: c.Direction = c.Direction.NATURAL
    scale: Scale = LINEAR
    uma_unit: Fraction = Fraction(1)
    ante: Fraction = Fraction(1)
    total: c.Total = c.Total.SUM
    least_games: int = 0
    per_hand: Toggle = Toggle.OFF
    par: int | None = None
    incomplete: c.Incomplete = c.Incomplete.AVERAGE_ONLY
    incomplete_below: Fraction = Fraction(1, 2)
    guest_policy: c.GuestPolicy = c.GuestPolicy.HOLDS_PLACE
    substitute_credit: c.Credit = c.Credit.ENTRY
    substitute_points: Fraction = Fraction(0)
    forfeit_policy: c.ForfeitPolicy = c.ForfeitPolicy.LAST_FOR_MISSING
    forfeit_penalty: Fraction = Fraction(3)
    sit_out_credit: c.SitOutCredit = c.SitOutCredit.NEUTRAL
    sit_out_points: Fraction = Fraction(0)
    unequal_boards: c.UnequalBoards = c.UnequalBoards.NEUBERG
    unplayed_boards: c.UnplayedBoards = c.UnplayedBoards.AVERAGE
    handicaps: Toggle = Toggle.OFF
    tie_breaks: tuple[c.TieBreak, ...] = CHAIN
    opp_least_games: int = 3
    lot_seed: str = ""

    @property
    def low(self) -> bool:
        """Whether the lowest score at a table is best."""
        if self.direction is c.Direction.NATURAL:
            return self.method in _LOW
        return self.direction is c.Direction.LOW

    @property
    def low_total(self) -> bool:
        """Whether the lowest total is best: only where the total is the score itself."""
        return self.low and self.method in _RAW

    @property
    def keeps_margins(self) -> bool:
        """Whether the values of games are sums over their hands."""
        return self.method in BY_HAND and self.per_hand is Toggle.OFF

    @property
    def unit(self) -> str:
        """What the total counts."""
        average = self.total is not c.Total.SUM
        if self.method is c.Method.MATCHPOINTS and average:
            return "share"
        return _UNITS.get(self.method, "points")

    @cached_property
    def digest(self) -> str:
        """A stable hash of the settings: 64 hexadecimal digits."""
        return digest_of(SETTINGS, self, ScoringRules())

    def to_data(self) -> dict[str, Json]:
        """All settings as JSON."""
        return write_settings(SETTINGS, self)

    @staticmethod
    def from_data(data: object) -> "ScoringRules":
        """The scoring that some settings make, the others as usual.

        >>> ScoringRules.from_data({"method": "chips"}).unit
        'chips'
        >>> ScoringRules.from_data({"methods": "chips"})
        Traceback (most recent call last):
        tournaments.standings.settings.ScoringError: methods: is not a setting; did you mean method?

        Raises ScoringError naming the setting: unknown, with a bad value, or one that cannot go
        together with the others.
        """
        values: Mapping[str, Any] = read_settings(SETTINGS, data)
        scoring = ScoringRules(**values)
        for field, impossible, message in _combinations(scoring):
            if impossible:
                raise ScoringError(field, message)
        return scoring


def _combinations(scoring: ScoringRules) -> Iterator[tuple[str, bool, str]]:
    per_hand = scoring.per_hand is Toggle.ON
    yield "par", per_hand and scoring.par is None, Message("is needed to count by the hand")
    yield (
        "tie_breaks",
        c.TieBreak.SB in scoring.tie_breaks and scoring.low_total,
        Message("sb needs a total of which more is better"),
    )
    yield (
        "total",
        scoring.method in BY_BOARD and scoring.total is c.Total.HAND_AVERAGE,
        Message("boards are averaged by the board: game_average"),
    )


SETTINGS: Final[Mapping[str, Setting]] = by_name(
    [
        choice("method", Message("What does a game bring?"), c.Method),
        choice("direction", Message("Which score at a table is best?"), c.Direction),
        Setting(
            "scale",
            Message("How many points has a place?"),
            read_scale,
            write_scale,
            say_scale,
            (("linear", Message("Evenly from +3 for the first to -3 for the last.")),),
        ),
        amount(
            "uma_unit",
            Message("How many chips are a point?"),
            Message("{value} for a point."),
            Fraction(1, 1_000_000),
        ),
        amount(
            "ante",
            Message("What does everybody put in?"),
            Message("{value} in each game."),
            Fraction(0),
        ),
        choice("total", Message("What is the total of an event?"), c.Total),
        whole(
            "least_games",
            Message("How many games are needed for a rank?"),
            Message("At least {value}."),
        ),
        choice(
            "per_hand", Message("Are scores of games of different length made comparable?"), Toggle
        ),
        maybe(
            whole(
                "par",
                Message("How many hands has a game?"),
                Message("{value} hands, its par."),
                1,
                9999,
            ),
            Message("Not said."),
        ),
        choice("incomplete", Message("What is a game worth that was broken off?"), c.Incomplete),
        amount(
            "incomplete_below",
            Message("When is a game broken off?"),
            Message("With less than {value} of the hands played."),
            Fraction(0),
            Fraction(1),
        ),
        choice("guest_policy", Message("Do guests count at their tables?"), c.GuestPolicy),
        choice("substitute_credit", Message("Whose is what a substitute scores?"), c.Credit),
        amount(
            "substitute_points",
            Message("How many points are fixed for a substitute?"),
            Message("{value} a game."),
        ),
        choice("forfeit_policy", Message("What of somebody who leaves early?"), c.ForfeitPolicy),
        amount(
            "forfeit_penalty",
            Message("What does each hand missed cost?"),
            Message("{value} a hand."),
            Fraction(0),
        ),
        choice(
            "sit_out_credit",
            Message("What is a round worth in which one sits out?"),
            c.SitOutCredit,
        ),
        amount(
            "sit_out_points", Message("How many points has a sit-out?"), Message("{value} a round.")
        ),
        choice("unequal_boards", Message("What of a board played fewer times?"), c.UnequalBoards),
        choice(
            "unplayed_boards",
            Message("What is a board worth that a table did not play?"),
            c.UnplayedBoards,
        ),
        choice("handicaps", Message("Do handicaps count?"), Toggle),
        chain("tie_breaks", Message("What breaks a tie?"), c.TieBreak, c.TieBreak.SHARED),
        whole(
            "opp_least_games",
            Message("Which opponents count in averages?"),
            Message("Those with at least {value} games."),
        ),
        line(
            "lot_seed",
            Message("What is the lot drawn from?"),
            Message("SHA-256 of {value}, a colon, and the entry."),
            Message("SHA-256 of a colon and the entry."),
        ),
    ]
)
"""The settings of a scoring by name."""


def describe(scoring: ScoringRules) -> list[str]:
    """A scoring in plain English: a line for every setting that matters.

    >>> describe(ScoringRules())[2]
    'How many points has a place? Evenly from +3 for the first to -3 for the last.'
    """
    return describe_settings(SETTINGS, scoring, _idle(scoring))


def _idle(scoring: ScoringRules) -> set[str]:
    """Settings that change nothing, as the others stand."""
    method, keys = scoring.method, set(scoring.tie_breaks)
    opponents = (
        bool(keys & {c.TieBreak.OPP, c.TieBreak.OPP_CUT1}) and scoring.total is not c.Total.SUM
    )
    average_less = scoring.forfeit_policy is c.ForfeitPolicy.AVERAGE_LESS
    idle = {
        "scale": method not in BY_PLACE,
        "uma_unit": method is not c.Method.UMA,
        "ante": method is not c.Method.WINNER_TAKES_ALL,
        "per_hand": method not in BY_TABLE,
        "substitute_points": scoring.substitute_credit is not c.Credit.FIXED,
        "forfeit_penalty": not average_less,
        "sit_out_points": scoring.sit_out_credit is not c.SitOutCredit.FIXED,
        "unequal_boards": method is not c.Method.MATCHPOINTS,
        "unplayed_boards": method not in BY_BOARD,
        "opp_least_games": not opponents,
        "lot_seed": c.TieBreak.LOT not in keys,
    }
    return {name for name, nothing in idle.items() if nothing}
