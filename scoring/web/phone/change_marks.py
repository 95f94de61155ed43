"""Change marks: values that change when a phone has something new to show.

A phone that waits asks for them alone, and mostly hears that they still stand.
"""

import hashlib
from typing import TypedDict

from django.db.models import Count, Max, Sum

from scoring.models import Game, HandDraft, SealedPaper


class News(TypedDict):
    """What changes by itself: the game, the hands that phones have begun to tell, the papers."""

    game: int
    drafts: str
    papers: str


def news_of(game: Game) -> News:
    """The marks of a game. Two queries."""
    drafts = HandDraft.objects.filter(game=game).aggregate(
        Count("pk"), Sum("change"), Max("kept_at"), Sum("sees_deal")
    )
    papers = SealedPaper.objects.filter(game=game).aggregate(Count("pk"), Count("opened_at"))
    return {"game": game.version, "drafts": _mark(drafts), "papers": _mark(papers)}


def tag_of(news: News) -> str:
    """The ETag of all of them together."""
    return f'"{_mark(news)}"'


def _mark(values: object) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]
