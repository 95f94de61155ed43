"""The hand viewer in other sites: a light page of its own, the only one that may be framed.

Whoever looks is a stranger, whether they signed in here or not: a site that frames the page never
gets to see more than everybody may.
"""

from typing import Any, Final
from urllib.parse import SplitResult, urlsplit
from uuid import UUID

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.urls import Resolver404, resolve
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.generic import TemplateView, View

from scoring.models import Game, Hand
from scoring.selectors import queries
from scoring.selectors.places import hand_place
from scoring.web.corrected_hands import corrections_shown
from scoring.web.public.embedding import HEIGHT, WIDTH, frame_of
from scoring.web.public.game_page import context_of
from scoring.web.public.visible_hand import HandVisibility, hand_context, is_part, is_secret
from scoring.web.record_upload import place_of
from tournaments.core.public_address import public_url
from tournaments.web.number_format import parse_number
from tournaments.web.viewer import Viewer, anonymous_viewer

_SECONDS: Final = 60
"""So long may others keep the page: a club that hides itself is hidden a minute later."""


@method_decorator(xframe_options_exempt, name="dispatch")
@method_decorator(csp_replace({"frame-ancestors": ["*"]}), name="dispatch")
class EmbeddedHand(TemplateView):
    """A hand of a public club, for frames in other sites."""

    http_method_names = ["get", "head"]
    template_name = "window/embedded_hand.html"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        answer = super().get(request, *args, **kwargs)
        answer["Cache-Control"] = f"public, max-age={_SECONDS}"
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        hand, viewer = _open_to_all(self.kwargs["hand_id"])
        game = hand.game
        secret = is_secret(game, hand, viewer)
        context: dict[str, Any] = context_of(game) | {
            "club": game.club,
            "hand": hand,
            "corrections": corrections_shown(
                [] if secret else [hand], game.club, in_full=False
            ).get(hand.pk, ()),
            "is_part": is_part(game, hand),
            "is_secret": secret,
            "permalink": True,
        }
        if context["is_part"]:
            seen = HandVisibility(in_full=False, is_secret=secret)
            context |= hand_context(game, hand, place_of(self.request.GET), seen)
        return super().get_context_data(**context)


class OEmbed(View):
    """What a site that was given the address of a hand needs to show it."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """Describe the frame. Raises Http404 for an address of another page or a private club."""
        if request.GET.get("format", "json") != "json":
            words = _("Only JSON is spoken here.")
            return HttpResponse(words, status=501, content_type="text/plain")
        asked = _split(request.GET.get("url", ""))
        if asked.netloc not in {request.get_host(), _split(public_url(request)).netloc}:
            raise Http404
        hand, _viewer = _open_to_all(_hand_at(asked.path))
        width, height = _at_most(request, "maxwidth", WIDTH), _at_most(request, "maxheight", HEIGHT)
        at = place_of(QueryDict(asked.query))
        place = f"{at.record}.{at.trick}.{at.card}" if at.trick else ""
        return JsonResponse(
            {
                "version": "1.0",
                "type": "rich",
                "provider_name": "Painsuit",
                "provider_url": public_url(request),
                "title": _title(hand.game, hand),
                "html": frame_of(request, hand.pk, place, width, height),
                "width": width,
                "height": height,
                "cache_age": _SECONDS,
            }
        )


def _open_to_all(hand_id: UUID) -> tuple[Hand, Viewer]:
    """A hand, and who nobody in particular is there. Raises Http404 where strangers see nothing."""
    hand = queries.hand(hand_id)
    if hand is None:
        raise Http404
    return hand, anonymous_viewer(hand_place(hand))


def _split(address: str) -> SplitResult:
    """The parts of an address. Raises Http404 for what is none."""
    try:
        return urlsplit(address)
    except ValueError as error:
        raise Http404 from error


def _hand_at(path: str) -> UUID:
    """The hand of which this is the path of a page. Raises Http404 for any other path."""
    try:
        match = resolve(path)
    except Resolver404 as error:
        raise Http404 from error
    if match.url_name not in ("hand-page", "hand-embedded"):
        raise Http404
    found: UUID = match.kwargs["hand_id"]
    return found


def _at_most(request: HttpRequest, name: str, usual: int) -> int:
    """The usual length, or the one that the other site has room for."""
    return min(usual, parse_number(request.GET.get(name)) or usual)


def _title(game: Game, hand: Hand) -> str:
    said = {"hand": hand.number, "game": game.name, "club": game.club.name}
    words = _("Hand %(hand)d, %(game)s, %(club)s") if game.name else _("Hand %(hand)d, %(club)s")
    return words % said
