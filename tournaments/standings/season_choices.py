"""The choices of a season, each with its meaning in plain words (tournaments.md 5)."""

from engine.rules.switches import Choice


class Rule(Choice):
    BEST_N = "best_n", "The best events count."
    SUM = "sum", "All events count."
    DROP_WORST = "drop_worst", "All events but the worst count."
    SLIDING = "sliding", "One more of the worst is dropped the more events one played."
    WEIGHTED = "weighted", "All events count, as their weights say."
    AVERAGE = "average", "The average of a game."
    SHRUNK = "shrunk", "The average of a game, drawn to the mean as long as games are few."


class Measure(Choice):
    SUM = "sum", "The sum of the events that count."
    AVERAGE = "average", "The average of the events that count."


class Joiners(Choice):
    ABSENT = "absent", "As if he had stayed away before."
    PRO_RATA = "pro_rata", "What is asked of him shrinks with the events left to him."


class SeasonKey(Choice):
    """A tie-break of a season."""

    WINS = "wins", "events won, a shared first place counted in part"
    PLACES = "places", "first places, then second places, and so on, shared ones counted in part"
    H2H = "h2h", "events that both played"
    BEST = "best", "the best event"
    WORST = "worst", "the best worst event"
    LAST = "last", "the last event"
    AVERAGE = "average", "the average of an event"
    EVENTS = "events", "more events played"
    CHIPS = "chips", "chips or points at the tables"
    CLEAN = "clean", "hands without a pain card"
    PENALTIES = "penalties", "fewer penalties"
    SCRATCH = "scratch", "the total without handicap"
    PLAYOFF = "playoff", "the play-off, or the secretary's decision"
    LOT = "lot", "the lot, drawn before the first event"
    SHARED = "shared", "then the place is shared"
