"""The choices of a season, each with its meaning in plain words (tournaments.md 5)."""

from engine.core.messages import Choice, Message


class CountingRule(Choice):
    BEST_N = "best_n", Message("The best events count.")
    SUM = "sum", Message("All events count.")
    DROP_WORST = "drop_worst", Message("All events but the worst count.")
    SLIDING = "sliding", Message("One more of the worst is dropped the more events one played.")
    WEIGHTED = "weighted", Message("All events count, as their weights say.")
    AVERAGE = "average", Message("The average of a game.")
    SHRUNK = "shrunk", Message("The average of a game, drawn to the mean as long as games are few.")


class Measure(Choice):
    SUM = "sum", Message("The sum of the events that count.")
    AVERAGE = "average", Message("The average of the events that count.")


class Joiners(Choice):
    ABSENT = "absent", Message("As if they had stayed away before.")
    PRO_RATA = "pro_rata", Message("What is asked of them shrinks with the events left to them.")
