"""Change marks: values that change when a phone has something new to show.

A phone that waits asks for them alone, and mostly hears that they still stand.
"""

import hashlib
from datetime import datetime
from typing import TypedDict

from django.db.models import Count, Max, Q, Sum

from scoring.models import Game, HandDraft, SealedPaper
from tournaments.events.round_clocks import ClockData, clock_data
from tournaments.models import RoundClock


class News(TypedDict):
    """News of everything that changes by itself: the game, the hands begun on phones, the papers.

    ``clock`` is no mark, but that of the round or the break itself; null where none is set.
    """

    game: int
    drafts: str
    papers: str
    clock: ClockData | None


def news_of(game: Game, at: datetime) -> News:
    """The marks of a game. Two queries, and one more for the clock of an event."""
    drafts = HandDraft.objects.filter(game=game).aggregate(
        Count("pk"),
        Sum("change"),
        Max("kept_at"),
        deals_seen=Count("pk", filter=Q(sees_deal=True)),
    )
    papers = SealedPaper.objects.filter(game=game).aggregate(Count("pk"), Count("opened_at"))
    clock = None
    if game.table_id is not None:
        clock = RoundClock.objects.filter(event__round_rows__tables=game.table_id).first()
    return {
        "game": game.version,
        "drafts": _mark(drafts),
        "papers": _mark(papers),
        "clock": clock_data(clock, at),
    }


def tag_of(news: News) -> str:
    """The ETag of all of them together, whenever they were read."""
    clock = news["clock"]
    return f'"{_mark({**news, "clock": clock and {**clock, "at": None}})}"'


def _mark(values: object) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]
