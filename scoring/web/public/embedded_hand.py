"""The hand viewer in other sites: a light page of its own, the only one that may be framed.

Whoever looks is a stranger, whether they signed in here or not: a site that frames the page never
gets to see more than everybody may.
"""

from typing import Any, Final

from csp.decorators import csp_replace
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.generic import TemplateView

from scoring.selectors import queries
from scoring.selectors.games import hand_place
from scoring.web.corrected_hands import corrections_shown
from scoring.web.public.game_page import context_of
from scoring.web.public.visible_hand import HandVisibility, hand_context, is_part, is_secret
from scoring.web.record_upload import place_of
from tournaments.web.viewer import anonymous_viewer

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
        hand = queries.hand(self.kwargs["hand_id"])
        if hand is None:
            raise Http404
        viewer, game = anonymous_viewer(hand_place(hand)), hand.game
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
