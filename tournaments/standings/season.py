"""How a season is counted: one frozen value of all its settings (tournaments.md 5 and 11)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

from engine.messages import Message
from engine.rules.switches import Toggle
from tournaments.standings.choices import Credit
from tournaments.standings.exact import Json
from tournaments.standings.season_choices import CountingRule, Joiners, Measure, SeasonKey
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
    names,
    read_settings,
    whole,
    write_settings,
)

SEASON_CHAIN: Final = (SeasonKey.WINS, SeasonKey.PLACES, SeasonKey.BEST, SeasonKey.LAST)
"""The tie-breaks of a league that chose none."""
BY_GAME: Final = frozenset([CountingRule.AVERAGE, CountingRule.SHRUNK])
"""The rules that average games, wherever they were played."""
DROPPING: Final = frozenset([CountingRule.BEST_N, CountingRule.DROP_WORST, CountingRule.SLIDING])


@dataclass(frozen=True, kw_only=True)
class SeasonRules:
    """Everything about how a season is counted; `SEASON_SETTINGS` says what each means."""

    rule: CountingRule = CountingRule.BEST_N
    measure: Measure = Measure.SUM
    lowest_wins: Toggle = Toggle.OFF
    planned: int | None = None
    best: int | None = None
    drop: int = 1
    slide_from: int = 5
    slide_every: int = 2
    shrink: Fraction = Fraction(6)
    prior: Fraction | None = None
    least_events: int = 0
    least_games: int = 0
    rising: Toggle = Toggle.ON
    attendance: Fraction = Fraction(0)
    joiners: Joiners = Joiners.ABSENT
    substitute_credit: Credit = Credit.ENTRY
    substitute_points: Fraction = Fraction(0)
    handicaps: Toggle = Toggle.OFF
    handicap_base: Fraction = Fraction(0)
    handicap_share: Fraction = Fraction(4, 5)
    handicap_cap: Fraction | None = None
    handicap_after: int = 1
    tie_breaks: tuple[SeasonKey, ...] = SEASON_CHAIN
    lot_seed: str = ""
    divisions: tuple[str, ...] = ()
    moves: int = 2
    division_step: int = 4
    highest: Fraction | None = None
    lowest: Fraction | None = None

    @property
    def low(self) -> bool:
        """Whether the lowest total is best."""
        return self.lowest_wins is Toggle.ON

    @property
    def by_game(self) -> bool:
        """Whether games are averaged, not events."""
        return self.rule in BY_GAME

    @property
    def net(self) -> bool:
        """Whether handicaps count."""
        return self.handicaps is Toggle.ON

    @cached_property
    def digest(self) -> str:
        """A stable hash of the settings: 64 hexadecimal digits."""
        return digest_of(SEASON_SETTINGS, self, SeasonRules())

    def to_data(self) -> dict[str, Json]:
        """All settings as JSON."""
        return write_settings(SEASON_SETTINGS, self)

    @staticmethod
    def from_data(data: object) -> "SeasonRules":
        """The season that some settings make, the others as usual.

        >>> SeasonRules.from_data({"rule": "best_n", "best": 4}).best
        4

        Raises ScoringError naming the setting: unknown, with a bad value, or one that cannot go
        together with the others.
        """
        values: Mapping[str, Any] = read_settings(SEASON_SETTINGS, data)
        season = SeasonRules(**values)
        for field, impossible, message in _combinations(season):
            if impossible:
                raise ScoringError(field, message)
        return season


def _combinations(season: SeasonRules) -> Iterator[tuple[str, bool, str]]:
    bounds = season.highest, season.lowest
    one_bound = (season.highest is None) != (season.lowest is None)
    yield "highest", one_bound, Message("goes together with lowest")
    if bounds[0] is not None and bounds[1] is not None:
        yield "lowest", bounds[1] > bounds[0], Message("cannot be above highest")


SEASON_SETTINGS: Final[Mapping[str, Setting]] = by_name(
    [
        choice("rule", Message("Which events of a season count?"), CountingRule),
        choice("measure", Message("What is the total made of?"), Measure),
        choice("lowest_wins", Message("Is the lowest total best?"), Toggle),
        maybe(
            whole(
                "planned",
                Message("How many events are planned?"),
                Message("{value} events."),
                1,
                999,
            ),
            Message("Not said: those that were held."),
        ),
        maybe(
            whole("best", Message("How many events count?"), Message("The best {value}."), 1, 999),
            Message("Two thirds of those planned, rounded up."),
        ),
        whole(
            "drop",
            Message("How many events are dropped?"),
            Message("The worst {value}; one always counts."),
            0,
            999,
        ),
        whole(
            "slide_from",
            Message("How many events count before one is dropped?"),
            Message("{value}."),
            1,
            999,
        ),
        whole(
            "slide_every",
            Message("When is one more dropped?"),
            Message("For every {value} beyond these."),
            1,
            999,
        ),
        amount(
            "shrink",
            Message("How many games at the mean is everybody given?"),
            Message("{value}."),
            Fraction(0),
            Fraction(9999),
        ),
        maybe(
            amount("prior", Message("What is that mean?"), Message("{value} a game.")),
            Message("The mean of the league."),
        ),
        whole(
            "least_events",
            Message("How many events are needed for a rank?"),
            Message("At least {value}."),
            0,
            999,
        ),
        whole(
            "least_games",
            Message("How many games are needed for a rank?"),
            Message("At least {value}."),
            0,
            99_999,
        ),
        choice("rising", Message("Does that number grow with the events held?"), Toggle),
        amount("attendance", Message("What does coming bring?"), Message("{value} an event.")),
        choice("joiners", Message("What of somebody who joins later?"), Joiners),
        choice("substitute_credit", Message("Whose is what a substitute scores?"), Credit),
        amount(
            "substitute_points",
            Message("How many points are fixed for a substitute?"),
            Message("{value} an event."),
        ),
        choice("handicaps", Message("Do handicaps count?"), Toggle),
        amount("handicap_base", Message("Which average needs no handicap?"), Message("{value}.")),
        amount(
            "handicap_share",
            Message("How much of the distance to it is the handicap?"),
            Message("{value} of it."),
            Fraction(0),
            Fraction(1),
        ),
        maybe(
            amount(
                "handicap_cap",
                Message("What is the greatest handicap?"),
                Message("{value}."),
                Fraction(0),
            ),
            Message("There is none."),
        ),
        whole(
            "handicap_after",
            Message("After how many events is it worked out?"),
            Message("After {value}."),
            1,
            999,
        ),
        chain("tie_breaks", Message("What breaks a tie?"), SeasonKey, SeasonKey.SHARED),
        line(
            "lot_seed",
            Message("What is the lot drawn from?"),
            Message("SHA-256 of {value}, a colon, and the member."),
            Message("SHA-256 of a colon and the member."),
        ),
        names(
            "divisions",
            Message("Which divisions are there, the highest first?"),
            Message("Only one."),
        ),
        whole(
            "moves",
            Message("How many go up and down?"),
            Message("{value} at each boundary."),
            0,
            99,
        ),
        whole(
            "division_step",
            Message("What is the size of a division a multiple of?"),
            Message("Of {value}."),
            1,
            99,
        ),
        maybe(
            amount(
                "highest",
                Message("What is the most that an event can bring?"),
                Message("{value} points."),
            ),
            Message("Not said."),
        ),
        maybe(
            amount(
                "lowest",
                Message("What is the least that an event can bring?"),
                Message("{value} points."),
            ),
            Message("Not said."),
        ),
    ]
)
"""The settings of a season by name."""


def describe_season(season: SeasonRules) -> list[str]:
    """A season in plain English: a line for every setting that matters.

    >>> describe_season(SeasonRules())[0]
    'Which events of a season count? The best events count.'
    """
    return describe_settings(SEASON_SETTINGS, season, _idle(season))


def _idle(season: SeasonRules) -> set[str]:
    """Settings that change nothing, as the others stand."""
    rule = season.rule
    handicap = {"handicap_base", "handicap_share", "handicap_cap", "handicap_after"}
    idle = {
        "measure": season.by_game,
        "best": rule is not CountingRule.BEST_N,
        "drop": rule is not CountingRule.DROP_WORST,
        "slide_from": rule is not CountingRule.SLIDING,
        "slide_every": rule is not CountingRule.SLIDING,
        "shrink": rule is not CountingRule.SHRUNK,
        "prior": rule is not CountingRule.SHRUNK,
        "rising": not (season.least_events or season.least_games),
        "substitute_points": season.substitute_credit is not Credit.FIXED,
        "lot_seed": SeasonKey.LOT not in season.tie_breaks,
        "moves": not season.divisions,
        "division_step": not season.divisions,
        **dict.fromkeys(handicap, not season.net),
    }
    return {name for name, nothing in idle.items() if nothing}
