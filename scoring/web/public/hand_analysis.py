"""The last tricks of a hand on its page: what every seat was sure of, and what cards cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Final

from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from engine.analysis.account import AnalysedCard, Analysis
from engine.analysis.report import (
    analysis_from_json,
    describe_account,
    describe_slip,
    format_amount,
    slips_worth_a_sentence,
)
from engine.core.cards import NAMES
from engine.core.seats import Seat
from scoring.hands import analyses
from scoring.models import Hand, HandAnalysis
from scoring.presentation.answers import seats_of
from scoring.presentation.cards import CardFace
from scoring.presentation.seat_names import sitters_of
from scoring.selectors import queries
from scoring.selectors.games import hand_place
from scoring.web.engine_wording import with_cards_in
from scoring.web.player_cookie import find_own_seat
from scoring.web.public.visible_hand import is_part, is_secret
from tournaments.access.rights import Place, Right
from tournaments.core.errors import ConflictError
from tournaments.core.language import translate
from tournaments.models import Analysis as ClubAnalysis
from tournaments.tables.cells import isolate_name
from tournaments.web.base import PublicPage
from tournaments.web.viewer import Viewer

LARGEST: Final = 3
"""So many slips stand above all others."""


_CARD_FIELDS: Final = frozenset({"card", "cards", "items", "last"})
"""The fields of the sentences in which cards stand (`engine.analysis.report`)."""


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

    words: SafeString
    at: str
    play: int


@dataclass(frozen=True, slots=True)
class AnalysisView:
    """The analysis of a hand as its page shows it; without ``tricks`` while it is being made.

    ``why_not`` are sentences that say why there are none and will be none. ``is_own``: it shows
    the viewer's own account alone.
    """

    is_asked_for: bool = True
    is_own: bool = False
    why_not: Sequence[str] = ()
    exact_from: int | None = None
    tricks: Sequence[tuple[int, Sequence[CardMark]]] = ()
    largest: Sequence[SlipSentence] = ()
    others: Sequence[SlipSentence] = ()
    accounts: Sequence[tuple[str, SafeString]] = ()
    caveats: Sequence[str] = ()


def draw_analysis(
    analysis: Analysis,
    seats: Sequence[str],
    called: Sequence[str],
    *,
    only: Seat | None = None,
    record: int = 1,
) -> AnalysisView:
    """The analysis of a hand, with what its seats are called; ``only`` what is about one of them.

    ``record`` is the number of its record on the page.
    """
    caveats = [translate(caveat.words) for caveat in analysis.caveats]
    if analysis.exact_from is None:
        words = _("Too many tricks were left from there on to know anything exactly.")
        return AnalysisView(is_own=only is not None, why_not=[*caveats, words])
    told = [card for card in slips_worth_a_sentence(analysis) if only in (None, card.seat)]
    slips = [_describe_slip(analysis, card, called[card.seat], record) for card in told]
    order = sorted(range(len(slips)), key=lambda place: -told[place].slip)
    return AnalysisView(
        is_own=only is not None,
        exact_from=analysis.exact_from,
        tricks=list(_tricks(analysis, seats, only)),
        largest=[slips[place] for place in order[:LARGEST]],
        others=[slips[place] for place in sorted(order[LARGEST:])],
        accounts=[
            (name, with_cards_in(describe_account(analysis, account), ()))
            for seat, (name, account) in enumerate(zip(called, analysis.seats, strict=True))
            if only in (None, seat)
        ],
        caveats=caveats,
    )


def _tricks(
    analysis: Analysis, seats: Sequence[str], only: Seat | None
) -> Iterator[tuple[int, Sequence[CardMark]]]:
    """The tricks of the exact part, with their cards in order of play.

    ``only``: slips of this seat, and gifts to it.
    """
    unit = analysis.seats[0].unit
    for number, cards in groupby(analysis.cards, attrgetter("trick")):
        yield (
            number,
            [
                CardMark(
                    seat=seats[card.seat],
                    face=CardFace(NAMES[card.card]),
                    slip=format_amount(card.slip * unit)
                    if card.slip and only in (None, card.seat)
                    else "",
                    gift=format_amount(gift * unit) if gift else "",
                )
                for card in cards
                for gift in [sum(one.amount for one in card.gifts if only in (None, one.seat))]
            ],
        )


def _describe_slip(analysis: Analysis, card: AnalysedCard, name: str, record: int) -> SlipSentence:
    return SlipSentence(
        words=with_cards_in(describe_slip(analysis, card, name), _CARD_FIELDS),
        at=f"{record}.{card.trick}.{card.place}",
        play=(card.trick - 1) * len(analysis.seats) + card.place - 1,
    )


def view_analysis(hand: Hand, viewer: Viewer, own_seat: Seat | None) -> AnalysisView | None:
    """The analysis of a hand as far as a viewer may see it; None where there can be none.

    ``own_seat`` is where they sat in this hand, as far as the browser says who they are.
    """
    found = _find_visible(hand, viewer, own_seat)
    if found is None:
        return None
    row, only = found
    view = AnalysisView(row.due_at is not None or row.outcome is not None, is_own=only is not None)
    if row.outcome is None:
        can_ask = viewer.in_full or only is not None
        return view if view.is_asked_for or can_ask else None
    if row.has_failed:
        return replace(view, why_not=[translate(analyses.FAILED)])
    names = sitters_of(hand.game, in_full=viewer.in_full).names_at(hand.number)
    seats = seats_of(hand.game)
    called = [isolate_name(names.get(seat) or seat) for seat in seats]
    return draw_analysis(analysis_from_json(row.outcome), seats, called, only=only)


def _find_visible(
    hand: Hand, viewer: Viewer, own_seat: Seat | None
) -> tuple[HandAnalysis, Seat | None] | None:
    """The analysis of a hand, if there can be one that this viewer may see.

    With it the seat that it is shown of, their own; None for all seats.
    """
    game, shown, is_staff = hand.game, hand.game.club.analysis, Right.EVENTS_EDIT in viewer.rights
    is_at_the_table = own_seat is not None
    if not analyses.may_see(
        shown, is_at_the_table=is_at_the_table, is_staff=is_staff
    ) or not is_part(game, hand):
        return None
    if is_secret(game, hand, viewer) or not analyses.is_open_to_analysis(game, hand.number):
        return None
    try:
        found = analyses.find_analysis(hand)
    except ConflictError:
        return None
    return found, own_seat if shown == ClubAnalysis.OWN and not is_staff else None


class AskForAnalysis(PublicPage):
    """Has the last tricks of a hand looked at, and leads back to its page."""

    http_method_names = ["post"]

    def get_place(self) -> Place:
        return hand_place(queries.hand(self.kwargs["hand_id"]))

    def post(self, request: HttpRequest, **_where: object) -> HttpResponseRedirect:
        viewer, hand = self.viewer, queries.hand(self.kwargs["hand_id"])
        if hand is None:
            raise Http404
        found = _find_visible(hand, viewer, find_own_seat(request, hand))
        if found is None or not (viewer.in_full or found[1] is not None):
            raise Http404
        analyses.request_analysis(found[0], at=timezone.now())
        return redirect(f"{reverse('hand-page', args=[hand.pk])}#analysis")
