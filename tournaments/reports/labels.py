"""Words for what standings and events are made of."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.models import Movement, Stage, Status

Words = Mapping[str, object]

UNITS: Final[Words] = {
    "chips": _("Chips"),
    "points": _("Points"),
    "penalty points": _("Penalty points"),
    "share": _("Share"),
    "matchpoints": _("Matchpoints"),
    "wins": _("Wins"),
}
COLUMNS: Final[Words] = {
    "wins": _("Wins"),
    "sole_wins": _("Sole wins"),
    "places": _("Places"),
    "chips": _("At the tables"),
    "opp": _("Opponents"),
    "opp_cut1": _("Opponents, cut 1"),
    "sb": _("Beaten"),
    "last": _("Last round"),
    "progressive": _("Progressive"),
    "best": _("Best"),
    "worst": _("Worst"),
    "average": _("Average"),
    "clean": _("Clean"),
    "penalties": _("Penalties"),
    "scratch": _("Scratch"),
    "hands": _("Games, hands"),
    "hands_played": _("Hands"),
    "adjustments": _("Adjusted"),
    "handicap": _("Handicap"),
    "games": _("Games"),
    "events": _("Events"),
    "playoff": _("Play-off"),
    "lot": _("Lot"),
}
MEANINGS: Final[Words] = {
    "wins": _("first places, a shared one counted in part"),
    "sole_wins": _("first places that were not shared"),
    "places": _("how many first places, second places and so on"),
    "chips": _("chips or points at the tables"),
    "opp": _("the mean score of the opponents met"),
    "opp_cut1": _("the mean score of the opponents met, without the lowest"),
    "sb": _("the scores of the opponents beaten"),
    "last": _("the score of the last round"),
    "progressive": _("the sum of the totals after each round"),
    "best": _("the best one"),
    "worst": _("the worst one"),
    "average": _("the average"),
    "clean": _("hands without a penalty card"),
    "penalties": _("penalties by the director"),
    "scratch": _("the score without handicap"),
    "hands": _("games played, then hands"),
    "hands_played": _("hands played"),
    "adjustments": _("penalties and bonuses by the director"),
    "handicap": _("the handicap in the total"),
    "games": _("games played"),
    "events": _("events played"),
    "playoff": _("the play-off, or a decision"),
    "lot": _("the lot, drawn before the first round"),
}
REASONS: Final[Words] = {
    "score": _("score"),
    "wins": _("wins"),
    "sole_wins": _("sole wins"),
    "chips": _("score at the tables"),
    "h2h": _("games against each other"),
    "opp": _("opponents' mean score"),
    "opp_cut1": _("opponents' mean score without the lowest"),
    "sb": _("scores of the opponents beaten"),
    "last": _("the last one"),
    "progressive": _("the sum of running totals"),
    "best": _("the best one"),
    "worst": _("the worst one"),
    "average": _("average"),
    "clean": _("clean hands"),
    "penalties": _("fewer penalties"),
    "scratch": _("score without handicap"),
    "hands": _("games and hands played"),
    "events": _("events played"),
    "playoff": _("the play-off"),
    "lot": _("lot"),
    "place": _("the place on record"),
}
KINDS: Final[Words] = {
    "unqualified": _("Too few games for a rank"),
    "withdrawn": _("Have withdrawn"),
    "idle": _("Have not played yet"),
    "guest": _("Guests, not ranked"),
}
COUNTED: Final[Words] = {
    "fixed": _("set by the director"),
    "forfeit": _("left early, or did not come"),
    "substitute": _("a substitute sat there"),
    "credited away": _("credited to the substitute"),
    "incomplete": _("too few hands"),
    "not played": _("not played"),
    "sit-out": _("sat out"),
    "recorded": _("as it was written down"),
}
STATUSES: Final[Words] = {
    Status.PLANNED: _("planned"),
    Status.RUNNING: _("running"),
    Status.FINISHED: _("finished"),
    Status.OFFICIAL: _("official"),
}
STAGES: Final[Words] = {
    Stage.DRAWN: _("drawn"),
    Stage.PLAYING: _("being played"),
    Stage.CLOSED: _("finished"),
}
MOVEMENTS: Final[Words] = {
    Movement.PLANNED: _("everybody meets as many others as possible"),
    Movement.RANDOM: _("drawn by lot"),
    Movement.SWISS: _("seated by the standings"),
    Movement.DANISH: _("seated by the standings, repeats allowed"),
    Movement.LADDER: _("up and down a ladder of tables"),
    Movement.SNAKE: _("seeded into even tables"),
    Movement.FIXED: _("fixed tables"),
    Movement.PRESCRIBED: _("a prescribed movement"),
}
SOURCES: Final[Words] = {
    "substitute": _("a substitute played"),
    "as substitute": _("as a substitute"),
}


def label_for(words: Words, key: str) -> str:
    """Return the label of a key; the key itself where nobody gave it a name."""
    return str(words.get(key, key))
