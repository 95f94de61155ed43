"""Drafts: hands that phones of a table have begun to tell."""

import json
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from scoring import drafts
from scoring.answers import seats_of
from scoring.api import forms
from scoring.api.places import GameDoor, game_of
from scoring.drafts import Telling
from scoring.models import Game, HandDraft
from tournaments.access import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.fields import Identifier, Whole, form

TELLING = form(
    number=Whole(least=1, most=100_000),
    change=Whole(least=1, most=1_000_000, words="Goes up with all that is told or taken back."),
    answers=forms.Slip(words="Question by question; without papers and passed cards."),
    continues=Identifier(
        required=False, words="The draft of another phone that this goes on from."
    ),
    seen=Whole(required=False, most=1_000_000, words="The change of that draft that was seen."),
)


class DraftOut(TypedDict):
    """A hand as far as a phone has told it; ``seat`` is the one that tells."""

    id: UUID
    number: int
    seat: str | None
    change: int
    answers: dict[str, Any]
    continues: UUID | None
    seen: int
    kept_at: datetime


class Drafts(TypedDict):
    """The drafts of hands that nobody has put on record yet."""

    drafts: list[DraftOut]


class DraftList(GameDoor):
    """The drafts of a game."""

    @read(Right.HANDS_ENTER, gives=Drafts)
    def get(self, ask: Ask, game_id: UUID) -> Answer:
        """List hands that phones have begun to tell, so that another phone can go on."""
        game = game_of(ask)
        return Answer({"drafts": [_out(one, game) for one in drafts.drafts_of(game)]})


class OneDraft(GameDoor):
    """The draft of one phone."""

    @write(Right.HANDS_ENTER, takes=TELLING, gives=DraftOut)
    def put(self, ask: Ask, game_id: UUID, draft_id: UUID) -> Answer:
        """Keep what a phone has told so far; a late copy of an older state changes nothing."""
        told = Telling(id=draft_id, **ask.values)
        kept = drafts.keep_draft(game_id=game_id, told=told, by=ask.by, at=ask.at)
        return Answer(_out(kept, game_of(ask)))


def _out(draft: HandDraft, game: Game) -> DraftOut:
    return {
        "id": draft.pk,
        "number": draft.number,
        "seat": None if draft.seat is None else seats_of(game)[draft.seat],
        "change": draft.change,
        "answers": json.loads(draft.answers),
        "continues": draft.continues,
        "seen": draft.seen,
        "kept_at": draft.kept_at,
    }
