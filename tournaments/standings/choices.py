"""The choices of a scoring, each with its meaning in plain words (tournaments.md 3 and 4)."""

from engine.core.messages import Message
from engine.rules.switches import Choice


class Method(Choice):
    PLACES = (
        "places",
        Message("Points for the place at the table; a tie shares the points of its places."),
    )
    CHIPS = "chips", Message("Net chips.")
    POINTS = "points", Message("Penalty points.")
    SETTLEMENT = "settlement", Message("The average of the table less the own score.")
    PERCENT = "percent", Message("The share of the rivals at the table beaten, a tie for a half.")
    UMA = "uma", Message("Net chips in units, and points for the place.")
    MATCHPOINTS = (
        "matchpoints",
        Message("2 for each table beaten with the same board and seat, 1 for a tie."),
    )
    DATUM = (
        "datum",
        Message("The score with a board less the mean of the other tables at that seat."),
    )
    WINS = "wins", Message("1 for the first place; a tie shares it.")
    WINNER_TAKES_ALL = (
        "winner_takes_all",
        Message("The first place takes everybody's ante; a tie shares."),
    )


class Direction(Choice):
    NATURAL = "natural", Message("As the method has it: chips high, penalty points low.")
    HIGH = "high", Message("The highest score at a table is best.")
    LOW = "low", Message("The lowest score at a table is best.")


class Total(Choice):
    SUM = "sum", Message("The sum of the games.")
    GAME_AVERAGE = "game_average", Message("The average of a game.")
    HAND_AVERAGE = "hand_average", Message("The average of a hand, times par if there is one.")


class Incomplete(Choice):
    AVERAGE_ONLY = (
        "average_only",
        Message("Its hands count in an average of a hand, otherwise nothing."),
    )
    NEUTRAL = "neutral", Message("Everybody there gets the mean of the round.")
    COUNTS = "counts", Message("It counts as it stands.")


class GuestPolicy(Choice):
    HOLDS_PLACE = "holds_place", Message("A guest keeps the place reached at the table.")
    RE_RANK = "re_rank", Message("Places at a table are told among members only.")


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


class TieBreak(Choice):
    """A tie-break."""

    WINS = "wins", Message("games won, a shared first place counted in part")
    SOLE_WINS = "sole_wins", Message("games won alone")
    PLACES = (
        "places",
        Message("first places, then second places, and so on, shared ones counted in part"),
    )
    CHIPS = "chips", Message("chips or points at the tables")
    H2H = "h2h", Message("games against each other")
    OPP = "opp", Message("the mean score of the opponents met")
    OPP_CUT1 = "opp_cut1", Message("the same without the lowest of them")
    SB = "sb", Message("the scores of the opponents beaten, half of those tied with")
    LAST = "last", Message("the last round")
    PROGRESSIVE = "progressive", Message("the sum of the totals after each round")
    BEST = "best", Message("the best game")
    WORST = "worst", Message("the best worst game")
    AVERAGE = "average", Message("the average of a game")
    CLEAN = "clean", Message("hands without a pain card")
    PENALTIES = "penalties", Message("fewer penalties")
    SCRATCH = "scratch", Message("the score without handicap")
    HANDS = "hands", Message("more games played, then more hands")
    PLAYOFF = "playoff", Message("the play-off, or the director's decision")
    LOT = "lot", Message("the lot, drawn before round 1")
    SHARED = "shared", Message("then the place is shared")
