"""Drafts of hands that phones of a table have begun to enter."""

import json
from datetime import datetime
from typing import Any, TypedDict
from uuid import UUID

from engine.cards import NAMES, members
from scoring.api import forms
from scoring.api.places import GameDoor, game_of
from scoring.hands import drafts
from scoring.hands.drafts import Telling
from scoring.models import Game, HandDraft
from scoring.presentation.answers import seats_of
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Ask, read, write
from tournaments.api.fields import Identifier, Whole, form
from tournaments.core.errors import NotThereError

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
    """A hand as far as a phone has told it; ``seat`` is the one that tells.

    ``sees_deal``: it was told the cards of the board.
    """

    id: UUID
    number: int
    seat: str | None
    change: int
    answers: dict[str, Any]
    sees_deal: bool
    continues: UUID | None
    seen: int
    kept_at: datetime


class Drafts(TypedDict):
    """The drafts of hands that nobody has put on record yet."""

    drafts: list[DraftOut]


class DealOut(TypedDict):
    """The cards of every seat, as they lay in the board."""

    deal: dict[str, list[str]]


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


class Deal(GameDoor):
    """The prepared deal of a hand that is being told."""

    @write(Right.HANDS_ENTER, gives=DealOut)
    def post(self, ask: Ask, game_id: UUID, draft_id: UUID) -> Answer:
        """Show the cards of the next hand's board once it was played; everybody sees who looked."""
        try:
            held = drafts.show_deal(game_id=game_id, draft_id=draft_id, by=ask.by, at=ask.at)
        except HandDraft.DoesNotExist as error:
            raise NotThereError from error
        seats = seats_of(game_of(ask))
        named = ([NAMES[card] for card in members(cards)] for cards in held)
        return Answer({"deal": dict(zip(seats, named, strict=True))})


def _out(draft: HandDraft, game: Game) -> DraftOut:
    return {
        "id": draft.pk,
        "number": draft.number,
        "seat": None if draft.seat is None else seats_of(game)[draft.seat],
        "change": draft.change,
        "answers": json.loads(draft.answers),
        "sees_deal": draft.sees_deal,
        "continues": draft.continues,
        "seen": draft.seen,
        "kept_at": draft.kept_at,
    }
