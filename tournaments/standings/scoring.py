"""The scoring of an event: one frozen value of all its settings (tournaments.md 3, 4 and 11)."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from engine.core.messages import Message, PluralMessage
from engine.rules.switches import Toggle
from tournaments.standings import choices as c
from tournaments.standings.scales import (
    LINEAR,
    SCALE_SCHEMA,
    Scale,
    read_scale,
    say_number,
    say_points,
    say_scale,
    write_scale,
)
from tournaments.standings.settings import (
    RuleSettings,
    Setting,
    amount,
    chain,
    choice,
    declare,
    line,
    maybe,
    say_ties,
    whole,
)

CHAIN: Final = (c.TieBreak.WINS, c.TieBreak.PLACES, c.TieBreak.H2H, c.TieBreak.OPP_CUT1)
"""The tie-breaks of a club that chose none."""
BY_TABLE: Final = frozenset([c.Method.CHIPS, c.Method.POINTS, c.Method.SETTLEMENT, c.Method.UMA])
"""The methods that keep margins, so that the number of hands matters."""
BY_HAND: Final = BY_TABLE - {c.Method.UMA}
BY_PLACE: Final = frozenset([c.Method.PLACES, c.Method.UMA])
BY_BOARD: Final = frozenset([c.Method.MATCHPOINTS, c.Method.DATUM])
_LOW: Final = frozenset([c.Method.POINTS, c.Method.SETTLEMENT, c.Method.WINNER_TAKES_ALL])
_USUAL_SIZE: Final = 4
_RAW: Final = frozenset([c.Method.CHIPS, c.Method.POINTS])
_IN_ONE_UNIT: Final = BY_TABLE | {c.Method.DATUM}
"""The methods that add or compare scores as they are, so that all must be in one unit."""
_UNITS: Final = {
    c.Method.CHIPS: "chips",
    c.Method.POINTS: "penalty points",
    c.Method.PERCENT: "share",
    c.Method.MATCHPOINTS: "matchpoints",
    c.Method.WINS: "wins",
}


@dataclass(frozen=True, kw_only=True)
class ScoringRules(RuleSettings):
    """Everything about how an event is scored.

    >>> ScoringRules.from_data({"method": "chips"}).unit
    'chips'
    >>> ScoringRules.from_data({"methods": "chips"})
    Traceback (most recent call last):
    tournaments.standings.settings.ScoringError: methods: is not a setting; did you mean method?
    >>> ScoringRules().describe()[2]
    'How many points has a place? Evenly from +3 for the first to -3 for the last.'
    """

    method: c.Method = choice(c.Method.PLACES, Message("What does a game bring?"))
    direction: c.Direction = choice(c.Direction.NATURAL, Message("Which score at a table is best?"))
    scale: Scale = declare(
        LINEAR,
        Setting(
            Message("How many points has a place?"),
            read_scale,
            write_scale,
            say_scale,
            SCALE_SCHEMA,
            (("linear", Message("Evenly from +3 for the first to -3 for the last.")),),
        ),
    )
    uma_unit: Fraction = amount(
        Fraction(1),
        Message("How many chips are a point?"),
        Message("{value} for a point."),
        Fraction(1, 1_000_000),
    )
    ante: Fraction = amount(
        Fraction(1),
        Message("What does everybody put in?"),
        Message("{value} in each game."),
        Fraction(0),
    )
    total: c.Total = choice(c.Total.SUM, Message("What is the total of a night?"))
    least_games: int = whole(
        0, Message("How many games are needed for a rank?"), Message("At least {value}.")
    )
    per_hand: Toggle = choice(
        Toggle.OFF, Message("Are scores of games of different length made comparable?")
    )
    par: int | None = maybe(
        whole(
            None, Message("How many hands has a game?"), Message("{value} hands, its par."), 1, 9999
        ),
        Message("Not said."),
    )
    incomplete: c.Incomplete = choice(
        c.Incomplete.AVERAGE_ONLY, Message("What is a game worth that was broken off?")
    )
    incomplete_below: Fraction = amount(
        Fraction(1, 2),
        Message("When is a game broken off?"),
        Message("With less than {value} of the hands played."),
        Fraction(0),
        Fraction(1),
    )
    guest_policy: c.GuestPolicy = choice(
        c.GuestPolicy.HOLDS_PLACE, Message("Do guests count at their tables?")
    )
    substitute_credit: c.Credit = choice(
        c.Credit.ENTRY, Message("For whom does a substitute score?")
    )
    substitute_points: Fraction = amount(
        Fraction(0),
        Message("How many points are fixed for a substitute?"),
        Message("{value} a game."),
    )
    forfeit_policy: c.ForfeitPolicy = choice(
        c.ForfeitPolicy.LAST_FOR_MISSING, Message("What of somebody who leaves early?")
    )
    forfeit_penalty: Fraction = amount(
        Fraction(3),
        Message("What does each hand missed cost?"),
        Message("{value} a hand."),
        Fraction(0),
    )
    sit_out_credit: c.SitOutCredit = choice(
        c.SitOutCredit.NEUTRAL, Message("What is a round worth in which one sits out?")
    )
    sit_out_points: Fraction = amount(
        Fraction(0), Message("How many points has a sit-out?"), Message("{value} a round.")
    )
    unequal_boards: c.UnequalBoards = choice(
        c.UnequalBoards.NEUBERG, Message("What of a board played fewer times?")
    )
    unplayed_boards: c.UnplayedBoards = choice(
        c.UnplayedBoards.AVERAGE, Message("What is a board worth that a table did not play?")
    )
    handicaps: Toggle = choice(Toggle.OFF, Message("Do handicaps count?"))
    tie_breaks: tuple[c.TieBreak, ...] = chain(
        CHAIN, Message("What breaks a tie?"), c.TieBreakScope.EVENT
    )
    opp_least_games: int = whole(
        3,
        Message("Which opponents count in averages?"),
        Message("Those with at least {value} games."),
    )
    lot_seed: str = line(
        "",
        Message("What is the lot drawn from?"),
        Message("SHA-256 of {value}, a colon, and the entry."),
        Message("SHA-256 of a colon and the entry."),
    )

    SUMMARIZED = frozenset(
        {
            *("method", "direction", "scale", "uma_unit", "ante", "total", "least_games"),
            *("per_hand", "par", "handicaps", "tie_breaks"),
        }
    )

    def summarize(self, sizes: Collection[int] = ()) -> list[str]:
        """Say in few sentences all that is needed to count the standings by hand.

        ``sizes`` are those of the tables; tables of four where nobody has sat down yet.

        >>> ScoringRules().summarize()[1]
        'The games are added up.'
        """
        points = say_points(self.scale, sizes or (_USUAL_SIZE,))
        match self.method:
            case c.Method.PLACES:
                game = Message(
                    "From first to last place {points}; players who are level share those of their"
                    " places.",
                    points=points,
                )
            case c.Method.UMA:
                game = Message(
                    "Each game brings its chips, {unit} for a point, and from first to last place"
                    " {points}; players who are level share those of their places.",
                    unit=say_number(self.uma_unit),
                    points=points,
                )
            case c.Method.WINNER_TAKES_ALL:
                game = Message(
                    "In each game everybody puts in {ante}, and the first takes all of it;"
                    " players who are level share it.",
                    ante=say_number(self.ante),
                )
            case _:
                game = self.method.details
        said: dict[str, bool] = {
            game: True,
            Message("The lowest score at a table is best."): (
                self.low and self.method is not c.Method.SETTLEMENT
            ),
            Message("Scores are brought to {par} hands a game.", par=self.par or 0): (
                self.per_hand is Toggle.ON and self.method in BY_TABLE
            ),
            self.total.details: True,
            Message("Handicaps are added."): self.handicaps is Toggle.ON,
            PluralMessage(
                "A place needs {count} game.",
                "A place needs {count} games.",
                count=self.least_games,
            ): self.least_games > 0,
            say_ties(self.tie_breaks, c.TieBreakScope.EVENT): True,
        }
        return [sentence for sentence, holds in said.items() if holds]

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
        """The unit of the total."""
        average = self.total is not c.Total.SUM
        if self.method is c.Method.MATCHPOINTS and average:
            return "share"
        return _UNITS.get(self.method, "points")

    def conflicts(self) -> Iterator[tuple[str, bool, str]]:
        """Settings that may not go with the others."""
        per_hand = self.per_hand is Toggle.ON
        yield "par", per_hand and self.par is None, Message("is needed to count by the hand")
        yield (
            "tie_breaks",
            c.TieBreak.SB in self.tie_breaks and self.low_total,
            Message("sb needs a total of which more is better"),
        )
        yield (
            "total",
            self.method in BY_BOARD and self.total is c.Total.HAND_AVERAGE,
            Message("boards are averaged by the board: game_average"),
        )

    def conflicts_of_systems(self, *, mixed_ways: bool) -> Iterator[tuple[str, bool, str]]:
        """Settings that may not be where rounds are played by different systems, as `conflicts`.

        ``mixed_ways``: in some of them the most chips are best, in others the fewest points.
        """
        yield (
            "method",
            self.method in _IN_ONE_UNIT,
            Message(
                "The rounds are played by different systems, and chips and points of different"
                " systems cannot be added. Score by places, by the share of rivals beaten, by"
                " wins, by the winner's takings, or on boards by matchpoints."
            ),
        )
        yield (
            "tie_breaks",
            c.TieBreak.CHIPS in self.tie_breaks,
            Message("Chips and points of different systems cannot be added to break a tie."),
        )
        yield (
            "direction",
            mixed_ways and self.direction is not c.Direction.NATURAL,
            Message(
                "Some rounds count chips and others penalty points: the best score at a table is"
                " that of its own system."
            ),
        )
        yield (
            "tie_breaks",
            mixed_ways and c.TieBreak.PENALTIES in self.tie_breaks,
            Message("Penalties in chips and in penalty points cannot be counted together."),
        )

    def idle(self) -> Mapping[str, bool]:
        """Settings that change nothing, as the others stand."""
        method, keys = self.method, set(self.tie_breaks)
        opponents = (
            bool(keys & {c.TieBreak.OPP, c.TieBreak.OPP_CUT1}) and self.total is not c.Total.SUM
        )
        average_less = self.forfeit_policy is c.ForfeitPolicy.AVERAGE_LESS
        return {
            "scale": method not in BY_PLACE,
            "uma_unit": method is not c.Method.UMA,
            "ante": method is not c.Method.WINNER_TAKES_ALL,
            "per_hand": method not in BY_TABLE,
            "substitute_points": self.substitute_credit is not c.Credit.FIXED,
            "forfeit_penalty": not average_less,
            "sit_out_points": self.sit_out_credit is not c.SitOutCredit.FIXED,
            "unequal_boards": method is not c.Method.MATCHPOINTS,
            "unplayed_boards": method not in BY_BOARD,
            "opp_least_games": not opponents,
            "lot_seed": c.TieBreak.LOT not in keys,
        }


SETTINGS: Final = ScoringRules.settings()
"""The settings of a scoring by name."""
