"""The last tricks of a hand on its page: what every seat was sure of, and what cards cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import Final

from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from engine.analysis.account import Analysis
from engine.analysis.report import (
    analysis_from_json,
    describe_account,
    describe_slip,
    format_amount,
    slips_worth_a_sentence,
)
from engine.core.cards import NAMES
from scoring.hands import analyses
from scoring.models import Hand, HandAnalysis
from scoring.presentation.answers import seats_of
from scoring.presentation.cards import CardFace
from scoring.presentation.seat_names import sitters_of
from scoring.selectors import queries
from scoring.selectors.games import hand_place
from scoring.web.public.visible_hand import is_part, is_secret
from tournaments.access.rights import Place, Right
from tournaments.core.errors import ConflictError
from tournaments.core.language import translate
from tournaments.tables.cells import isolate_name
from tournaments.web.base import PublicPage
from tournaments.web.viewer import Viewer

LARGEST: Final = 3
"""So many slips stand above all others."""


@dataclass(frozen=True, slots=True)
class CardMark:
    """A card of the strip: ``slip`` is how much it lost, ``gift`` how much it spared others."""

    seat: str
    face: CardFace
    slip: str
    gift: str


@dataclass(frozen=True, slots=True)
class SlipSentence:
    """A slip in words, and its place in the play: ``at`` in an address, ``play`` from 0."""

    words: str
    at: str
    play: int


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """The analysis of a hand as its page shows it; without ``tricks`` while it is being made.

    ``why_not`` are sentences that say why there are none and will be none.
    """

    is_asked_for: bool
    why_not: Sequence[str] = ()
    exact_from: int | None = None
    tricks: Sequence[tuple[int, Sequence[CardMark]]] = ()
    largest: Sequence[SlipSentence] = ()
    others: Sequence[SlipSentence] = ()
    accounts: Sequence[tuple[str, str]] = ()
    caveats: Sequence[str] = ()


def view_analysis(hand: Hand, viewer: Viewer) -> AnalysisView | None:
    """The analysis of a hand as far as a viewer may see it; None where there can be none."""
    found = _find_visible(hand, viewer)
    if found is None:
        return None
    if found.outcome is None:
        is_asked_for = found.due_at is not None
        return AnalysisView(is_asked_for) if is_asked_for or viewer.in_full else None
    if found.has_failed:
        return AnalysisView(is_asked_for=True, why_not=[translate(analyses.FAILED)])
    analysis = analysis_from_json(found.outcome)
    caveats = [translate(caveat.words) for caveat in analysis.caveats]
    if analysis.exact_from is None:
        words = _("Too many tricks were left from there on to know anything exactly.")
        return AnalysisView(is_asked_for=True, why_not=[*caveats, words])
    names = sitters_of(hand.game, in_full=viewer.in_full).names_at(hand.number)
    seats = seats_of(hand.game)
    called = [isolate_name(names.get(seat) or seat) for seat in seats]
    slips = list(_slip_sentences(analysis, called))
    sizes = [one.slip for one in slips_worth_a_sentence(analysis)]
    order = sorted(range(len(slips)), key=lambda place: -sizes[place])
    return AnalysisView(
        is_asked_for=True,
        exact_from=analysis.exact_from,
        tricks=list(_tricks(analysis, seats)),
        largest=[slips[place] for place in order[:LARGEST]],
        others=[slips[place] for place in sorted(order[LARGEST:])],
        accounts=[
            (name, translate(describe_account(analysis, account)))
            for name, account in zip(called, analysis.seats, strict=True)
        ],
        caveats=caveats,
    )


def _find_visible(hand: Hand, viewer: Viewer) -> HandAnalysis | None:
    """The analysis of a hand, if there can be one that this viewer may see."""
    game = hand.game
    if not analyses.may_see(
        game.club.analysis,
        is_at_the_table=False,
        is_staff=Right.EVENTS_EDIT in viewer.rights,
    ) or not is_part(game, hand):
        return None
    if is_secret(game, hand, viewer) or not analyses.is_open_to_analysis(game, hand.number):
        return None
    try:
        return analyses.find_analysis(hand)
    except ConflictError:
        return None


def _tricks(analysis: Analysis, seats: Sequence[str]) -> Iterator[tuple[int, Sequence[CardMark]]]:
    """The tricks of the exact part, with their cards in order of play."""
    unit = analysis.seats[0].unit
    for number, cards in groupby(analysis.cards, attrgetter("trick")):
        yield (
            number,
            [
                CardMark(
                    seat=seats[card.seat],
                    face=CardFace(NAMES[card.card]),
                    slip=format_amount(card.slip * unit) if card.slip else "",
                    gift=format_amount(sum(gift.amount for gift in card.gifts) * unit)
                    if card.gifts
                    else "",
                )
                for card in cards
            ],
        )


def _slip_sentences(analysis: Analysis, called: Sequence[str]) -> Iterator[SlipSentence]:
    players = len(analysis.seats)
    for card in slips_worth_a_sentence(analysis):
        yield SlipSentence(
            words=translate(describe_slip(analysis, card, called[card.seat])),
            at=f"1.{card.trick}.{card.place}",
            play=(card.trick - 1) * players + card.place - 1,
        )


class AskForAnalysis(PublicPage):
    """Has the last tricks of a hand looked at, and leads back to its page."""

    http_method_names = ["post"]

    def get_place(self) -> Place:
        return hand_place(queries.hand(self.kwargs["hand_id"]))

    def post(self, request: HttpRequest, **_where: object) -> HttpResponseRedirect:
        viewer, hand = self.viewer, queries.hand(self.kwargs["hand_id"])
        found = None if hand is None else _find_visible(hand, viewer)
        if hand is None or found is None or not viewer.in_full:
            raise Http404
        analyses.request_analysis(found, at=timezone.now())
        return redirect(f"{reverse('hand-page', args=[hand.pk])}#analysis")
