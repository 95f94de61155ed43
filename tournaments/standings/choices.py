"""The choices of a scoring, each with its meaning in plain words (tournaments.md 3 and 4)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from enum import Flag, StrEnum
from typing import Final, Self

from engine.core.messages import NO_MESSAGE, Choice, Message


class Method(Choice):
    PLACES = (
        "places",
        Message("Points for the place at the table; a tie shares the points of its places."),
    )
    CHIPS = "chips", Message("Net chips."), Message("Each game brings the chips won or lost.")
    POINTS = "points", Message("Penalty points."), Message("Each game brings its penalty points.")
    SETTLEMENT = (
        "settlement",
        Message("The average of the table less the own score."),
        Message("Each game brings the average of the table less the player's own score."),
    )
    PERCENT = (
        "percent",
        Message("The share of the rivals at the table beaten, a tie for a half."),
        Message(
            "Each game brings the share of the others at the table who were beaten, a tie for half."
        ),
    )
    UMA = "uma", Message("Net chips in units, and points for the place.")
    MATCHPOINTS = (
        "matchpoints",
        Message("2 for each table beaten with the same board and seat, 1 for a tie."),
        Message(
            "Each board brings 2 points for every table beaten in the same seat, and 1 for a tie."
        ),
    )
    DATUM = (
        "datum",
        Message("The score with a board less the mean of the other tables at that seat."),
        Message("Each board brings the score less the mean of the other tables in the same seat."),
    )
    WINS = (
        "wins",
        Message("1 for the first place; a tie shares it."),
        Message("The first at each table gets 1; players who are level share it."),
    )
    WINNER_TAKES_ALL = (
        "winner_takes_all",
        Message("The first place takes everybody's ante; a tie shares."),
    )


class Direction(Choice):
    NATURAL = "natural", Message("As the method has it: chips high, penalty points low.")
    HIGH = "high", Message("The highest score at a table is best.")
    LOW = "low", Message("The lowest score at a table is best.")


class Total(Choice):
    SUM = "sum", Message("The sum of the games."), Message("The games are added up.")
    GAME_AVERAGE = (
        "game_average",
        Message("The average of a game."),
        Message("The total is the average of the games."),
    )
    HAND_AVERAGE = (
        "hand_average",
        Message("The average of a hand, times par if there is one."),
        Message("The total is the average of a hand, times par if there is one."),
    )


class Incomplete(Choice):
    AVERAGE_ONLY = (
        "average_only",
        Message("Its hands count in an average of a hand, otherwise nothing."),
    )
    NEUTRAL = "neutral", Message("Everybody there gets the mean of the round.")
    COUNTS = "counts", Message("It counts as it stands.")


class GuestPolicy(Choice):
    HOLDS_PLACE = "holds_place", Message("A guest keeps the place reached at the table.")
    RE_RANK = "re_rank", Message("Places at a table are shown to members only.")


class Credit(Choice):
    ENTRY = "entry", Message("In the standings it counts for the entry they sat for.")
    PERSON = "person", Message("In the standings it counts for the substitute.")
    FIXED = "fixed", Message("In the standings the entry gets fixed points.")


class ForfeitPolicy(Choice):
    LAST_FOR_MISSING = (
        "last_for_missing",
        Message(
            "They are placed last for the hands that they missed; the hands that they played count."
        ),
    )
    LAST = "last", Message("They are placed last.")
    AVERAGE_LESS = (
        "average_less",
        Message("For each hand missed they get the others' average, less a penalty."),
    )


class SitOutCredit(Choice):
    NEUTRAL = "neutral", Message("The mean of the round, left out of averages.")
    OWN = "own", Message("The own average of the games played.")
    FIXED = "fixed", Message("Fixed points.")
    ZERO = "zero", Message("Nothing, but it counts as a game.")


class UnequalBoards(Choice):
    NEUBERG = (
        "neuberg",
        Message("Neuberg: the matchpoints are raised to the number of the other boards."),
    )
    NONE = "none", Message("The matchpoints stay as they are.")


class UnplayedBoards(Choice):
    AVERAGE = (
        "average",
        Message(
            "The average: half of the matchpoints of the board, no difference to the other tables."
        ),
    )
    NONE = "none", Message("Nothing, and the board is none of those that were played.")


TieBreakScope = Flag("TieBreakScope", "EVENT TEAM SEASON")
"""The standings that have a tie-break."""
_EVENT, _TEAM, _SEASON = TieBreakScope


@dataclass(frozen=True, slots=True, kw_only=True)
class TieBreakSpec:
    """All that is said of a tie-break.

    ``label`` is its name among the settings, ``season_label`` that of a season where it is another.
    ``column`` heads its column, whose ``meaning`` explains it; what has none has no column.
    ``reason`` says what somebody is ahead by. ``shown``: the standings that have its column whether
    or not it is in their chain. ``is_low``: less is better; ``is_low_with_total``: less is better
    where a low total is.
    """

    label: Message
    season_label: Message = NO_MESSAGE
    column: Message = NO_MESSAGE
    meaning: Message = NO_MESSAGE
    reason: Message = NO_MESSAGE
    scopes: TieBreakScope
    shown: TieBreakScope = TieBreakScope(0)
    is_low: bool = False
    is_low_with_total: bool = False


class TieBreak(StrEnum):
    """A tie-break of an event, its teams or a season, in the order in which columns are shown."""

    spec: TieBreakSpec

    def __new__(cls, key: str, spec: TieBreakSpec) -> Self:
        member = str.__new__(cls, key)
        member._value_ = key
        member.spec = spec
        return member

    WINS = (
        "wins",
        TieBreakSpec(
            label=Message("games won, a shared first place counted in part"),
            season_label=Message("events won, a shared first place counted in part"),
            column=Message("Wins"),
            meaning=Message("first places, a shared one counted in part"),
            reason=Message("wins"),
            scopes=_EVENT | _TEAM | _SEASON,
            shown=_EVENT | _SEASON,
        ),
    )
    SOLE_WINS = (
        "sole_wins",
        TieBreakSpec(
            label=Message("games won alone"),
            column=Message("Won alone"),
            meaning=Message("first places that were not shared"),
            reason=Message("sole wins"),
            scopes=_EVENT | _TEAM,
        ),
    )
    PLACES = (
        "places",
        TieBreakSpec(
            label=Message(
                "first places, then second places, and so on, shared ones counted in part"
            ),
            column=Message("Places"),
            meaning=Message("how many first places, second places and so on"),
            reason=Message("places"),
            scopes=_EVENT | _TEAM | _SEASON,
            shown=_EVENT,
        ),
    )
    CHIPS = (
        "chips",
        TieBreakSpec(
            label=Message("chips or points at the tables"),
            column=Message("At the tables"),
            meaning=Message("chips or points at the tables"),
            reason=Message("score at the tables"),
            scopes=_EVENT | _TEAM | _SEASON,
            shown=_EVENT,
        ),
    )
    H2H = (
        "h2h",
        TieBreakSpec(
            label=Message("games against each other"),
            season_label=Message("events that both played"),
            reason=Message("games against each other"),
            scopes=_EVENT | _SEASON,
        ),
    )
    OPP = (
        "opp",
        TieBreakSpec(
            label=Message("the mean score of the opponents met"),
            column=Message("Opponents' mean"),
            meaning=Message("the mean score of the opponents met"),
            reason=Message("opponents' mean score"),
            scopes=_EVENT | _TEAM,
            is_low_with_total=True,
        ),
    )
    OPP_CUT1 = (
        "opp_cut1",
        TieBreakSpec(
            label=Message("the mean score of the opponents met, without the lowest"),
            column=Message("Opponents without the lowest"),
            meaning=Message("the mean score of the opponents met, without the lowest"),
            reason=Message("opponents' mean score without the lowest"),
            scopes=_EVENT | _TEAM,
            is_low_with_total=True,
        ),
    )
    SB = (
        "sb",
        TieBreakSpec(
            label=Message("the scores of the opponents beaten, half of those tied with"),
            column=Message("Opponents beaten"),
            meaning=Message("the scores of the opponents beaten"),
            reason=Message("scores of the opponents beaten"),
            scopes=_EVENT | _TEAM,
        ),
    )
    LAST = (
        "last",
        TieBreakSpec(
            label=Message("the last round"),
            season_label=Message("the last event"),
            column=Message("Latest result"),
            meaning=Message("the score of the last round, in a season of the last event"),
            reason=Message("the last one"),
            scopes=_EVENT | _TEAM | _SEASON,
            is_low_with_total=True,
        ),
    )
    PROGRESSIVE = (
        "progressive",
        TieBreakSpec(
            label=Message("the sum of the totals after each round"),
            column=Message("Running totals"),
            meaning=Message("the sum of the totals after each round"),
            reason=Message("the sum of running totals"),
            scopes=_EVENT | _TEAM,
            is_low_with_total=True,
        ),
    )
    BEST = (
        "best",
        TieBreakSpec(
            label=Message("the best game"),
            season_label=Message("the best event"),
            column=Message("Best result"),
            meaning=Message("the best single result"),
            reason=Message("the best one"),
            scopes=_EVENT | _TEAM | _SEASON,
            shown=_EVENT | _SEASON,
            is_low_with_total=True,
        ),
    )
    WORST = (
        "worst",
        TieBreakSpec(
            label=Message("the best worst game"),
            season_label=Message("the best worst event"),
            column=Message("Worst result"),
            meaning=Message("the worst single result"),
            reason=Message("the worst one"),
            scopes=_EVENT | _TEAM | _SEASON,
            shown=_EVENT | _SEASON,
            is_low_with_total=True,
        ),
    )
    AVERAGE = (
        "average",
        TieBreakSpec(
            label=Message("the average of a game"),
            season_label=Message("the average of an event"),
            column=Message("Average"),
            meaning=Message("the average of all results"),
            reason=Message("average"),
            scopes=_EVENT | _TEAM | _SEASON,
            shown=_EVENT | _SEASON,
            is_low_with_total=True,
        ),
    )
    CLEAN = (
        "clean",
        TieBreakSpec(
            label=Message("hands without a pain card"),
            column=Message("Clean hands"),
            meaning=Message("hands without a penalty card"),
            reason=Message("clean hands"),
            scopes=_EVENT | _TEAM | _SEASON,
            shown=_EVENT,
        ),
    )
    PENALTIES = (
        "penalties",
        TieBreakSpec(
            label=Message("fewer penalties"),
            column=Message("Penalties"),
            meaning=Message("penalties by the director"),
            reason=Message("fewer penalties"),
            scopes=_EVENT | _TEAM | _SEASON,
            is_low=True,
        ),
    )
    SCRATCH = (
        "scratch",
        TieBreakSpec(
            label=Message("the score without handicap"),
            season_label=Message("the total without handicap"),
            column=Message("Without handicap"),
            meaning=Message("the score without handicap"),
            reason=Message("score without handicap"),
            scopes=_EVENT | _TEAM | _SEASON,
            shown=_EVENT,
            is_low_with_total=True,
        ),
    )
    HANDS = (
        "hands",
        TieBreakSpec(
            label=Message("more games played, then more hands"),
            column=Message("Games, hands"),
            meaning=Message("games played, then hands"),
            reason=Message("games and hands played"),
            scopes=_EVENT | _TEAM,
        ),
    )
    EVENTS = (
        "events",
        TieBreakSpec(
            label=Message("more events played"),
            column=Message("Events"),
            meaning=Message("events played"),
            reason=Message("events played"),
            scopes=_SEASON,
            shown=_SEASON,
        ),
    )
    PLAYOFF = (
        "playoff",
        TieBreakSpec(
            label=Message("the play-off, or the director's decision"),
            season_label=Message("the play-off, or the secretary's decision"),
            column=Message("Play-off"),
            meaning=Message("the play-off, or a decision"),
            reason=Message("the play-off"),
            scopes=_EVENT | _SEASON,
            is_low=True,
        ),
    )
    LOT = (
        "lot",
        TieBreakSpec(
            label=Message("the lot, drawn before round 1"),
            season_label=Message("the lot, drawn before the first event"),
            column=Message("Lot"),
            meaning=Message("the lot, drawn before the first round"),
            reason=Message("lot"),
            scopes=_EVENT | _TEAM | _SEASON,
            is_low=True,
        ),
    )
    SHARED = (
        "shared",
        TieBreakSpec(
            label=Message("then the place is shared"),
            scopes=_EVENT | _SEASON,
        ),
    )

    @classmethod
    def of(cls, scope: TieBreakScope) -> Mapping[Self, Message]:
        """The tie-breaks of some standings, with their labels there."""
        return {
            key: (scope is TieBreakScope.SEASON and key.spec.season_label) or key.spec.label
            for key in cls
            if scope in key.spec.scopes
        }


def keys_of_columns(scope: TieBreakScope, chain: Collection[TieBreak]) -> list[TieBreak]:
    """The tie-breaks with a column: those that such standings always show, and the chain's."""
    return [
        key for key in TieBreak if key.spec.column and (scope in key.spec.shown or key in chain)
    ]


SPECS: Final[Mapping[str, TieBreakSpec]] = {key.value: key.spec for key in TieBreak}
