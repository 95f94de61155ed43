"""The choices of a scoring, each with its meaning in plain words (tournaments.md 3 and 4)."""

from engine.rules.switches import Choice


class Method(Choice):
    PLACES = "places", "Points for the place at the table; a tie shares the points of its places."
    CHIPS = "chips", "Net chips."
    POINTS = "points", "Penalty points."
    SETTLEMENT = "settlement", "The average of the table less the own score."
    PERCENT = "percent", "The share of the rivals at the table beaten, a tie for a half."
    UMA = "uma", "Net chips in units, and points for the place."
    MATCHPOINTS = (
        "matchpoints",
        "2 for each table beaten with the same board and seat, 1 for a tie.",
    )
    DATUM = "datum", "The score with a board less the mean of the other tables at that seat."
    WINS = "wins", "1 for the first place; a tie shares it."
    WINNER_TAKES_ALL = "winner_takes_all", "The first place takes everybody's ante; a tie shares."


class Direction(Choice):
    NATURAL = "natural", "As the method has it: chips high, penalty points low."
    HIGH = "high", "The highest score at a table is best."
    LOW = "low", "The lowest score at a table is best."


class Total(Choice):
    SUM = "sum", "The sum of the games."
    GAME_AVERAGE = "game_average", "The average of a game."
    HAND_AVERAGE = "hand_average", "The average of a hand, times par if there is one."


class Incomplete(Choice):
    AVERAGE_ONLY = "average_only", "Its hands count in an average of a hand, otherwise nothing."
    NEUTRAL = "neutral", "Everybody there gets the mean of the round."
    COUNTS = "counts", "It counts as it stands."


class GuestPolicy(Choice):
    HOLDS_PLACE = "holds_place", "A guest keeps the place he reached at the table."
    RE_RANK = "re_rank", "Places at a table are told among members only."


class Credit(Choice):
    ENTRY = "entry", "The points belong to the entry he sat for."
    PERSON = "person", "The points belong to the substitute."
    FIXED = "fixed", "The entry gets fixed points."


class ForfeitPolicy(Choice):
    LAST_FOR_MISSING = (
        "last_for_missing",
        "He is placed last for the hands that he missed; the hands that he played count.",
    )
    LAST = "last", "He is placed last."
    AVERAGE_LESS = (
        "average_less",
        "For each hand missed he gets the others' average, less a penalty.",
    )


class SitOutCredit(Choice):
    NEUTRAL = "neutral", "The mean of the round, left out of averages."
    OWN = "own", "The own average of the games played."
    FIXED = "fixed", "Fixed points."
    ZERO = "zero", "Nothing, but it counts as a game."


class UnequalBoards(Choice):
    NEUBERG = "neuberg", "Neuberg: the matchpoints are raised to the number of the other boards."
    NONE = "none", "The matchpoints stay as they are."


class UnplayedBoards(Choice):
    AVERAGE = (
        "average",
        "The average: half of the matchpoints of the board, no difference to the other tables.",
    )
    NONE = "none", "Nothing, and the board is none of those that were played."


class Key(Choice):
    """A tie-break."""

    WINS = "wins", "games won, a shared first place counted in part"
    SOLE_WINS = "sole_wins", "games won alone"
    PLACES = "places", "first places, then second places, and so on, shared ones counted in part"
    CHIPS = "chips", "chips or points at the tables"
    H2H = "h2h", "games against each other"
    OPP = "opp", "the mean score of the opponents met"
    OPP_CUT1 = "opp_cut1", "the same without the lowest of them"
    SB = "sb", "the scores of the opponents beaten, half of those tied with"
    LAST = "last", "the last round"
    PROGRESSIVE = "progressive", "the sum of the totals after each round"
    BEST = "best", "the best game"
    WORST = "worst", "the best worst game"
    AVERAGE = "average", "the average of a game"
    CLEAN = "clean", "hands without a pain card"
    PENALTIES = "penalties", "fewer penalties"
    SCRATCH = "scratch", "the score without handicap"
    HANDS = "hands", "more games played, then more hands"
    PLAYOFF = "playoff", "the play-off, or the director's decision"
    LOT = "lot", "the lot, drawn before round 1"
    SHARED = "shared", "then the place is shared"
