"""Rulings: what the engine proposes, what the director decides, appeals."""

from typing import TypedDict
from uuid import UUID

from engine.record.irregularities import IRREGULARITIES
from scoring.api import forms
from scoring.api.hands import Preview, in_names, shown
from scoring.api.places import HandDoor, RulingDoor, game_of, hand_of, in_full
from scoring.hands import rulings
from scoring.models import AppealStep, Decided
from scoring.presentation.answers import (
    ConsequenceAnswer,
    HandAnswer,
    Proposal,
    RulingAnswer,
    proposal_answer,
    ruling_answer,
    seats_of,
)
from scoring.selectors import queries
from tournaments.access.rights import Right
from tournaments.api.doors import Answer, Anyone, Ask, Door, read, write
from tournaments.api.pages import page_of, paged


class RulingList(TypedDict):
    """Rulings on a hand, a page of them."""

    rulings: list[RulingAnswer]
    next: str | None


class Proposals(TypedDict):
    """What the engine proposes, the default of the law first."""

    proposals: list[Proposal]


class IrregularityOut(TypedDict):
    """One irregularity; ``codes`` are the rules of the findings in which a record shows it."""

    irregularity: str
    title: str
    law: str
    proposal: str
    codes: list[str]


class IrregularityList(TypedDict):
    """Section 8 of the rules, row by row."""

    items: list[IrregularityOut]


class RuledAnswer(TypedDict):
    """A ruling, its hand, and what it did to the hands after; ``phase`` is that of the game."""

    phase: str
    ruling: RulingAnswer
    hand: HandAnswer
    consequences: list[ConsequenceAnswer]


class Rulings(HandDoor):
    """The rulings on a hand."""

    @read(Right.CLUB_READ, gives=RulingList, query=paged(None))
    def get(self, ask: Ask, hand_id: UUID) -> Answer:
        """List every ruling that the hand ever had, in order, a page at a time."""
        seats, whole = seats_of(game_of(ask)), in_full(ask)
        page = page_of(
            queries.ruling_rows(hand_of(ask)),
            lambda row: ruling_answer(row, seats, in_full=whole),
            path=ask.path,
            query=ask.query,
            key="number",
        )
        return Answer({"rulings": page["items"], "next": page["next"]})

    @write(Right.HANDS_RULE, takes=forms.RULING, gives=RuledAnswer, edits=True, status=201)
    def post(self, ask: Ask, hand_id: UUID) -> Answer:
        """Rule on a hand; without a decision, take back the ruling that is superseded.

        Where that one had taken the place of another, the other holds again: ``restores`` is its
        number.
        """
        decree = forms.decree_of(ask.values, game_of(ask))
        ruled = rulings.decide(
            hand_id=hand_id, decree=decree, revision=ask.version, by=ask.by, at=ask.at
        )
        recorded = ruled.recorded
        data = {
            "phase": recorded.game.phase,
            "ruling": ruling_answer(ruled.decided, seats_of(recorded.game), in_full=in_full(ask)),
            "hand": shown(recorded, ask),
            "consequences": in_names(ruled.consequences, recorded.game),
        }
        return Answer(data, location=f"/api/v1/hands/{hand_id}/rulings")


class RulingPreview(HandDoor):
    """What a ruling would do."""

    @write(Right.HANDS_RULE, takes=forms.RULING, gives=Preview)
    def post(self, ask: Ask, hand_id: UUID) -> Answer:
        """Show what a ruling would do to the hand and to those after; nothing is written."""
        decree = forms.decree_of(ask.values, game_of(ask))
        found = rulings.preview(hand_id=hand_id, decree=decree, at=ask.at)
        return Answer({"consequences": in_names(found, game_of(ask))})


class ProposalList(HandDoor):
    """What the engine proposes for a hand."""

    @read(Right.HANDS_RULE, gives=Proposals, query=forms.INCIDENT)
    def get(self, ask: Ask, hand_id: UUID) -> Answer:
        """List what section 8 of the rules proposes, and what each would come to.

        For what the record shows; for an irregularity that the address names, if it names one.
        """
        game, hand = game_of(ask), hand_of(ask)
        if hand.rival_id is not None or hand.number > game.hands:
            return Answer({"proposals": []})
        seats, whole = seats_of(game), in_full(ask)
        proposals = [
            proposal_answer(ruling, played, seats, in_full=whole)
            for ruling, played in rulings.effects(game, hand, forms.incident_of(ask.query, game))
        ]
        return Answer({"proposals": proposals})


class Irregularities(Door):
    """What can go wrong at a table."""

    @read(Anyone.ANYBODY, gives=IrregularityList)
    def get(self, ask: Ask) -> Answer:
        """List the irregularities that a record and a ruling can name, and the law for each."""
        items: list[IrregularityOut] = [
            {
                "irregularity": event.name,
                "title": row.title,
                "law": row.law,
                "proposal": row.proposal,
                "codes": sorted(row.codes),
            }
            for event, row in IRREGULARITIES.items()
        ]
        return Answer({"items": items})


class Appeals(RulingDoor):
    """An appeal against a ruling."""

    @write(Right.HANDS_RULE, takes=forms.APPEAL, gives=RulingAnswer)
    def post(self, ask: Ask, ruling_id: UUID) -> Answer:
        """Take an appeal one step on."""
        rulings.appeal(
            ruling_id=ruling_id,
            step=AppealStep(ask.values["step"]),
            text=ask.values.get("text", ""),
            by=ask.by,
            at=ask.at,
        )
        row = Decided.objects.select_related("superseded_by").get(pk=ruling_id)
        return Answer(ruling_answer(row, seats_of(game_of(ask)), in_full=in_full(ask)))
