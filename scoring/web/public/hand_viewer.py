"""The hand viewer: hands fanned, the play trick by trick, notes and rulings at their trick."""

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.translation import gettext
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.generic import TemplateView

from engine.core.seats import Seat
from engine.record.rulings import Decision
from scoring.models import AppealStep, Game, Hand, State
from scoring.presentation.answers import RulingAnswer, ruling_answer, seats_of
from scoring.presentation.cards import faces
from scoring.presentation.game_titles import game_title
from scoring.presentation.ruling_names import title_of
from scoring.presentation.seat_names import sitters_of
from scoring.selectors import queries
from scoring.selectors.games import hand_place
from scoring.web.corrected_hands import corrections_shown
from scoring.web.pending_reasons import reasons_shown
from scoring.web.player_cookie import find_own_seat
from scoring.web.public.game_page import context_of
from scoring.web.public.hand_analysis import view_analysis
from scoring.web.public.travellers import find_board, read_traveller
from scoring.web.public.visible_hand import hand_context, is_part, is_secret
from scoring.web.record_upload import place_of
from tournaments.access.rights import Place
from tournaments.core.entity_tags import tag_of
from tournaments.core.language import translate
from tournaments.core.public_address import public_url
from tournaments.tables.cells import isolate_name
from tournaments.web.base import LinkPreview, PublicPage, link_preview
from tournaments.web.share_picture import Holding, draw_deal, picture_response
from tournaments.web.viewer import Viewer, anonymous_viewer

FRAME_WIDTH: Final = 720
FRAME_HEIGHT: Final = 820
"""In CSS pixels: four hands, the trick between them and the buttons below fit without scrolling."""
_CACHE_SECONDS: Final = 60
"""So long may others keep the page: a club that hides itself is hidden a minute later."""


class HandPage(PublicPage):
    """A hand, opened at the trick that the address names."""

    template_name = "window/hand.html"

    @cached_property
    def hand(self) -> Hand:
        """The hand that the address names. Raises Http404."""
        hand = queries.hand(self.kwargs["hand_id"])
        if hand is None:
            raise Http404
        return hand

    def get_place(self) -> Place:
        return hand_place(self.hand)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        viewer, hand, game = self.viewer, self.hand, self.hand.game
        own_seat = find_own_seat(self.request, hand)
        context = _context_of(self.request, hand, viewer, own_seat)
        hides_cards = context["is_secret"]
        context |= {
            "state": str(State(hand.state).details),
            "state_is_told": hand.state != State.ACCEPTED,
            "is_open": hand.state in ("disputed", "draft"),
            "certainty": hand.get_certainty_display(),
            "reason": reasons_shown([hand], in_full=viewer.in_full and not hides_cards)[hand.pk],
            "is_corrected": hand.current > 1,
            "neighbours": _neighbours(game, hand),
            "rulings_made": _rulings(hand, game, viewer),
            "analysis": view_analysis(hand, viewer, own_seat),
        }
        if context["table"] is not None and not hides_cards:
            board = find_board(context["table"].round.event, hand)
            if board is not None:
                same_board = read_traveller(board, viewer, shows_play=True)
                context |= {"same_board": same_board, "own_row": same_board.row_of(hand.pk)}
        context["preview"] = self._preview(context)
        if viewer.place.is_open and not hides_cards:
            context["frame"] = self._frame()
        return super().get_context_data(**context)

    def _frame(self) -> str:
        """Return the HTML by which other sites show this hand."""
        return format_html(
            '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy"'
            ' style="border:0;max-width:100%"></iframe>',
            public_url(self.request, reverse("hand-embedded", args=[self.hand.pk])),
            FRAME_WIDTH,
            FRAME_HEIGHT,
            gettext("A hand, to step through"),
        )

    def _preview(self, context: Mapping[str, Any]) -> LinkPreview:
        """Name the hand and its players, and say what came of it."""
        hand = self.hand
        title = gettext("Hand %(n)s: %(game)s") % {
            "n": hand.number,
            "game": game_title(hand.game, isolated=True),
        }
        names = sitters_of(hand.game, in_full=self.viewer.in_full).names_at(hand.number)
        lines = [", ".join(map(isolate_name, names.values())), context.get("sentence", "")]
        return link_preview(self.request, title, lines, picture=self._picture(context))

    def _picture(self, context: Mapping[str, Any]) -> str:
        """The address of the deal as a picture, where everybody may see it."""
        hand, deal = self.hand, _deal_of(context)
        if not (deal and self.viewer.place.is_open) or queries.is_still_played(
            hand.game, hand.number
        ):
            return ""
        version = tag_of((hand.current, hand.revision, hand.state))[1:13]
        return f"{reverse('hand-picture', args=[hand.pk])}?v={version}"


class HandPicture(HandPage):
    """The deal of a hand as a picture for chats, as strangers see it; 404 where it is not known."""

    @cached_property
    def viewer(self) -> Viewer:
        """Anybody: a picture goes to everybody who has the link."""
        return anonymous_viewer(self.get_place())

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        hand = self.hand
        context = _context_of(request, hand, self.viewer)
        deal = _deal_of(context)
        if not deal:
            raise Http404
        called = context["record"]["players"]
        hands = [
            Holding(called.get(seat, ""), [card.code for card in faces(cards)])
            for seat, cards in deal.items()
        ]
        title = gettext("Hand %(n)s: %(game)s") % {
            "n": hand.number,
            "game": game_title(hand.game),
        }
        facts = (title, context["sentence"], hands)
        return picture_response(request, facts, lambda: draw_deal(*facts))


def _deal_of(context: Mapping[str, Any]) -> Mapping[str, str]:
    """The cards of each seat; empty where they are not known, or may not be seen."""
    record = context.get("record") or {}
    return record.get("deal") or {}


@method_decorator(xframe_options_exempt, name="dispatch")
@method_decorator(csp_replace({"frame-ancestors": ["*"]}), name="dispatch")
class EmbeddedHand(TemplateView):
    """A hand of a public club in other sites, on the only light page that may be framed.

    Whoever looks is a stranger, whether they signed in here or not: a site that frames the page
    never gets to see more than everybody may.
    """

    http_method_names = ["get", "head"]
    template_name = "window/embedded_hand.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = super().get(request, *args, **kwargs)
        answer["Cache-Control"] = f"public, max-age={_CACHE_SECONDS}"
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        hand = queries.hand(self.kwargs["hand_id"])
        if hand is None:
            raise Http404
        viewer = anonymous_viewer(hand_place(hand))
        context = _context_of(self.request, hand, viewer)
        return super().get_context_data(**context, club=hand.game.club)


def _context_of(
    request: HttpRequest, hand: Hand, viewer: Viewer, own_seat: Seat | None = None
) -> dict[str, Any]:
    """A hand as far as somebody may see it, at the card that the address names.

    ``own_seat``: where they sat in it, as far as their browser says who they are.
    """
    game, hides_cards = hand.game, is_secret(hand.game, hand, viewer)
    seen = [] if hides_cards else [hand]
    context = context_of(game) | {
        "hand": hand,
        "corrections": corrections_shown(seen, game.club, in_full=viewer.in_full).get(hand.pk, ()),
        "is_part": is_part(game, hand),
        "is_secret": hides_cards,
        # Links in place of the buttons of the form of a check.
        "permalink": True,
    }
    if context["is_part"]:
        place = place_of(request.GET)
        context |= hand_context(
            hand, place, in_full=viewer.in_full, is_secret=hides_cards, own_seat=own_seat
        )
    return context


def _neighbours(game: Game, hand: Hand) -> list[tuple[str, UUID, str]]:
    """The first hand of the game, those beside this one, and the last. One query."""
    wanted = {
        "first": (1, gettext("First hand")),
        "prev": (hand.number - 1, gettext("Hand before")),
        "next": (hand.number + 1, gettext("Hand after")),
        "last": (game.hands, gettext("Last hand")),
    }
    rows = queries.hands(game).filter(rival=None, number__in=[n for n, _label in wanted.values()])
    found = {row.number: row.pk for row in rows if row.number != hand.number}
    return [
        (key, found[number], label) for key, (number, label) in wanted.items() if number in found
    ]


def _rulings(hand: Hand, game: Game, viewer: Viewer) -> list[dict[str, Any]]:
    """The director's rulings on a hand, those that hold and those that were superseded."""
    seats = seats_of(game)
    return [
        _ruling(ruling_answer(row, seats, in_full=viewer.in_full))
        for row in queries.rulings(hand)
        if row.lets_stand_id is None
    ]


def _ruling(answer: RulingAnswer) -> dict[str, Any]:
    decided = answer["ruling"]
    return {
        **answer,
        "decision": "" if decided is None else translate(Decision.of(decided["decision"]).words),
        "irregularity": title_of("" if decided is None else decided.get("code", "")),
        "holds": answer["superseded_by"] is None and decided is not None,
        "at_trick": f"1.{answer['trick']}.0" if answer["trick"] else "",
        "said_of_appeal": str(AppealStep(answer["appeal"]).label) if answer["appeal"] else "",
    }
