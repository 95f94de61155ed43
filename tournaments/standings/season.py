"""The rules of a season: one frozen value of all its settings (tournaments.md 5 and 11)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.core.messages import Message
from engine.rules.switches import Toggle
from tournaments.standings.choices import Credit, TieBreak, TieBreakScope
from tournaments.standings.season_choices import CountingRule, Joiners, Measure
from tournaments.standings.settings import (
    RuleSettings,
    amount,
    chain,
    choice,
    line,
    maybe,
    names,
    whole,
)

SEASON_CHAIN: Final = (TieBreak.WINS, TieBreak.PLACES, TieBreak.BEST, TieBreak.LAST)
"""The tie-breaks of a league that chose none."""
BY_GAME: Final = frozenset([CountingRule.AVERAGE, CountingRule.SHRUNK])
"""The rules that average games, wherever they were played."""
DROPPING: Final = frozenset([CountingRule.BEST_N, CountingRule.DROP_WORST, CountingRule.SLIDING])


@dataclass(frozen=True, kw_only=True)
class SeasonRules(RuleSettings):
    """Everything about how a season is counted.

    >>> SeasonRules.from_data({"rule": "best_n", "best": 4}).best
    4
    >>> SeasonRules().describe()[0]
    'Which events of a season count? The best events count.'
    """

    rule: CountingRule = choice(CountingRule.BEST_N, Message("Which events of a season count?"))
    measure: Measure = choice(Measure.SUM, Message("What is the total made of?"))
    lowest_wins: Toggle = choice(Toggle.OFF, Message("Is the lowest total best?"))
    planned: int | None = maybe(
        whole(None, Message("How many events are planned?"), Message("{value} events."), 1, 999),
        Message("Not said: those that were held."),
    )
    best: int | None = maybe(
        whole(None, Message("How many events count?"), Message("The best {value}."), 1, 999),
        Message("Two thirds of those planned, rounded up."),
    )
    drop: int = whole(
        1,
        Message("How many events are dropped?"),
        Message("The worst {value}; one always counts."),
        0,
        999,
    )
    slide_from: int = whole(
        5, Message("How many events count before one is dropped?"), Message("{value}."), 1, 999
    )
    slide_every: int = whole(
        2, Message("When is one more dropped?"), Message("For every {value} beyond these."), 1, 999
    )
    shrink: Fraction = amount(
        Fraction(6),
        Message("How many games at the mean is everybody given?"),
        Message("{value}."),
        Fraction(0),
        Fraction(9999),
    )
    prior: Fraction | None = maybe(
        amount(None, Message("What is that mean?"), Message("{value} a game.")),
        Message("The mean of the league."),
    )
    least_events: int = whole(
        0, Message("How many events are needed for a rank?"), Message("At least {value}."), 0, 999
    )
    least_games: int = whole(
        0, Message("How many games are needed for a rank?"), Message("At least {value}."), 0, 99_999
    )
    rising: Toggle = choice(Toggle.ON, Message("Does that number grow with the events held?"))
    attendance: Fraction = amount(
        Fraction(0), Message("What does coming bring?"), Message("{value} an event.")
    )
    joiners: Joiners = choice(Joiners.ABSENT, Message("What of somebody who joins later?"))
    substitute_credit: Credit = choice(Credit.ENTRY, Message("For whom does a substitute score?"))
    substitute_points: Fraction = amount(
        Fraction(0),
        Message("How many points are fixed for a substitute?"),
        Message("{value} an event."),
    )
    handicaps: Toggle = choice(Toggle.OFF, Message("Do handicaps count?"))
    handicap_base: Fraction = amount(
        Fraction(0), Message("Which average needs no handicap?"), Message("{value}.")
    )
    handicap_share: Fraction = amount(
        Fraction(4, 5),
        Message("How much of the distance to it is the handicap?"),
        Message("{value} of it."),
        Fraction(0),
        Fraction(1),
    )
    handicap_cap: Fraction | None = maybe(
        amount(None, Message("What is the greatest handicap?"), Message("{value}."), Fraction(0)),
        Message("There is none."),
    )
    handicap_after: int = whole(
        1, Message("After how many events is it worked out?"), Message("After {value}."), 1, 999
    )
    tie_breaks: tuple[TieBreak, ...] = chain(
        SEASON_CHAIN, Message("What breaks a tie?"), TieBreakScope.SEASON
    )
    lot_seed: str = line(
        "",
        Message("What is the lot drawn from?"),
        Message("SHA-256 of {value}, a colon, and the member."),
        Message("SHA-256 of a colon and the member."),
    )
    divisions: tuple[str, ...] = names(
        (), Message("Which divisions are there, the highest first?"), Message("Only one.")
    )
    moves: int = whole(
        2, Message("How many go up and down?"), Message("{value} at each boundary."), 0, 99
    )
    division_step: int = whole(
        4, Message("What is the size of a division a multiple of?"), Message("Of {value}."), 1, 99
    )
    promoted: int = whole(
        0,
        Message("How many places are above the promotion line?"),
        Message("{value} of each division; 0 is no line."),
        0,
        999,
    )
    highest: Fraction | None = maybe(
        amount(
            None, Message("What is the most that an event can bring?"), Message("{value} points.")
        ),
        Message("Not said."),
    )
    lowest: Fraction | None = maybe(
        amount(
            None, Message("What is the least that an event can bring?"), Message("{value} points.")
        ),
        Message("Not said."),
    )

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

    def conflicts(self) -> Iterator[tuple[str, bool, str]]:
        """Settings that may not go with the others."""
        bounds = self.highest, self.lowest
        one_bound = (self.highest is None) != (self.lowest is None)
        yield "highest", one_bound, Message("goes together with lowest")
        if bounds[0] is not None and bounds[1] is not None:
            yield "lowest", bounds[1] > bounds[0], Message("cannot be above highest")

    def idle(self) -> Mapping[str, bool]:
        """Settings that change nothing, as the others stand."""
        rule = self.rule
        handicap = {"handicap_base", "handicap_share", "handicap_cap", "handicap_after"}
        return {
            "measure": self.by_game,
            "best": rule is not CountingRule.BEST_N,
            "drop": rule is not CountingRule.DROP_WORST,
            "slide_from": rule is not CountingRule.SLIDING,
            "slide_every": rule is not CountingRule.SLIDING,
            "shrink": rule is not CountingRule.SHRUNK,
            "prior": rule is not CountingRule.SHRUNK,
            "rising": not (self.least_events or self.least_games),
            "substitute_points": self.substitute_credit is not Credit.FIXED,
            "lot_seed": TieBreak.LOT not in self.tie_breaks,
            "moves": not self.divisions,
            "division_step": not self.divisions,
            **dict.fromkeys(handicap, not self.net),
        }


SEASON_SETTINGS: Final = SeasonRules.settings()
"""The settings of a season by name."""
