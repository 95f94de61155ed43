"""The rules of a season: one frozen value of all its settings (tournaments.md 5 and 11)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Final

from engine.core.messages import Message, PluralMessage, join_with_and
from engine.rules.switches import Toggle
from tournaments.standings.choices import Credit, TieBreak, TieBreakScope
from tournaments.standings.scales import say_number
from tournaments.standings.season_choices import CountingRule, Joiners, Measure
from tournaments.standings.settings import (
    RuleSettings,
    amount,
    chain,
    choice,
    line,
    maybe,
    names,
    say_ties,
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

    SUMMARIZED = frozenset(
        {
            *("rule", "measure", "lowest_wins", "planned", "best", "drop", "slide_from"),
            *("slide_every", "shrink", "prior", "least_events", "least_games", "rising"),
            *("attendance", "handicaps", "handicap_base", "handicap_share", "handicap_cap"),
            *("tie_breaks", "divisions", "moves", "promoted"),
        }
    )

    def summarize(self, held: int = 0, *, has_weights: bool = False) -> list[str]:
        """Say in few sentences all that is needed to count the season by hand.

        ``held`` is the number of nights so far; ``has_weights``: some count more or less.

        >>> SeasonRules.from_data({"planned": 12}).summarize()[0]
        'Each night brings its points; the best 8 of 12 nights count.'
        """
        least = [
            PluralMessage(one, many, count=count)
            for one, many, count in (
                ("{count} night", "{count} nights", self.least_events),
                ("{count} game", "{count} games", self.least_games),
            )
            if count
        ]
        is_rising = bool(least) and self.rising is Toggle.ON and self.planned is not None
        said: dict[str, bool] = {
            self._summarize_rule(max(self.planned or 0, held)): True,
            Message("A night marked with × counts by that weight."): (  # noqa: RUF001 (for times)
                has_weights and not self.by_game
            ),
            Message("The total is the average of the nights that count."): (
                self.measure is Measure.AVERAGE and not self.by_game
            ),
            Message(
                "Coming brings {n} more a night.", n=say_number(self.attendance)
            ): self.attendance > 0,
            Message(
                "The handicap is {share} of the distance of the average to {base}.",
                share=say_number(self.handicap_share),
                base=say_number(self.handicap_base),
            ): self.net,
            Message(
                "No handicap is above {cap}.", cap=say_number(self.handicap_cap or Fraction(0))
            ): (self.net and self.handicap_cap is not None),
            Message("The lowest total is best."): self.low,
            Message("A place needs {least}.", least=join_with_and(least) if least else ""): bool(
                least
            )
            and not is_rising,
            Message(
                "A place needs {least} by the end, and a like part of them until then.",
                least=join_with_and(least) if least else "",
            ): is_rising,
            say_ties(self.tie_breaks, TieBreakScope.SEASON): True,
            Message("At each boundary of divisions {n} go up and {n} go down.", n=self.moves): len(
                self.divisions
            )
            > 1,
            Message("The first {n} are promoted.", n=self.promoted): self.promoted > 0,
        }
        return [sentence for sentence, holds in said.items() if holds]

    def _summarize_rule(self, planned: int) -> str:
        best = self.best or ceil(Fraction(2 * planned, 3))
        shrunk = {"n": say_number(self.shrink), "mean": say_number(self.prior or Fraction(0))}
        match self.rule:
            case CountingRule.BEST_N if not planned:
                said = Message("Each night brings its points; the best two thirds count.")
            case CountingRule.BEST_N:
                said = Message(
                    "Each night brings its points; the best {best} of {planned} nights count.",
                    best=best,
                    planned=planned,
                )
            case CountingRule.DROP_WORST:
                said = Message(
                    "Each night brings its points; all nights count but a player's worst {drop}.",
                    drop=self.drop,
                )
            case CountingRule.SLIDING:
                said = Message(
                    "Each night brings its points; {start} nights count, and for every {step} that"
                    " a player comes beyond these the worst one is dropped.",
                    start=self.slide_from,
                    step=self.slide_every,
                )
            case CountingRule.AVERAGE:
                said = Message("The total is the average of a game over all nights.")
            case CountingRule.SHRUNK if self.prior is None:
                said = Message(
                    "The total is the average of a game, with {n} more games at the mean of the"
                    " league.",
                    **shrunk,
                )
            case CountingRule.SHRUNK:
                said = Message(
                    "The total is the average of a game, with {n} more games at {mean}.", **shrunk
                )
            case _:
                said = Message("Each night brings its points; all nights count.")
        return said

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
