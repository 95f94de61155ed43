"""Views of the phone's page."""

import json
from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Final

from django.conf import settings
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotModified,
    JsonResponse,
)
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe

from scoring.games import links
from scoring.models import SeatLink
from scoring.web.phone import files
from scoring.web.phone.change_marks import news_of, tag_of
from scoring.web.phone.table_data import is_over, opened_at, places, seating_of
from scoring.web.phone.wording import words
from tournaments.api.exceptions import problem_response
from tournaments.core.errors import GoneError, NotThereError

Page = Callable[..., HttpResponse]
AtTable = Callable[[HttpRequest, SeatLink], HttpResponse]
_PRIVATE: Final = "private, no-store"
_LETTERS_MOST: Final = 200
_WAITING: Final = timedelta(minutes=10)
"""How exactly the last use of a link is known while its phone only waits."""


def _secretive(page: Page) -> Page:
    """Decorate a page with a link's secrets: no cache, search engine or referrer may keep them."""

    @wraps(page)
    def wrapper(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        answer = page(request, *args, **kwargs)
        answer["Cache-Control"] = _PRIVATE
        answer["Referrer-Policy"] = "no-referrer"
        answer["X-Robots-Tag"] = "noindex, nofollow"
        return answer

    return wrapper


@gzip_page
@require_safe
@_secretive
def link(request: HttpRequest, token: str) -> HttpResponse:
    """What the code on a table opens: the page, or why this link leads nowhere."""
    try:
        found = links.find_link(token, at=timezone.now())
    except NotThereError:
        said = _("This code belongs to no table. Scan it again, or ask the director for another.")
        return _show_closed(request, 404, _("No such table"), said)
    except GoneError:
        said = _("This code is no longer open. Scan the one that lies on your table now.")
        return _show_closed(request, 410, _("This link is closed"), said)
    return _table(request, found)


@gzip_page
@require_safe
@_secretive
def table(request: HttpRequest) -> HttpResponse:
    """The page without a link: it opens the table that this phone was at."""
    return _table(request)


def _table(request: HttpRequest, link: SeatLink | None = None) -> HttpResponse:
    """The page; with a link, the table as it stands is on it, so that nothing has to be asked."""
    opened = None if link is None else opened_at(link)
    context = {
        "words": words(),
        "styles": files.STYLES,
        "scripts": files.scripts(),
        "to": reverse("phone"),
        "language_door": reverse("phone-language"),
        "table": opened,
        "is_over": opened is not None and is_over(opened),
        "places": [] if opened is None else places(opened),
    }
    return render(request, "phone/table.html", context)


def _show_closed(request: HttpRequest, status: int, title: str, said: str) -> HttpResponse:
    # Back to the page, never to the link: no address but its own may hold a token.
    context = {"title": title, "words": said, "to": reverse("phone")}
    return render(request, "phone/closed.html", context, status=status)


def _of_table(seen_every: timedelta = links.SEEN_EVERY) -> Callable[[AtTable], Page]:
    """Decorate a view for phones, which send their link in the Authorization header."""

    def decorate(view: AtTable) -> Page:
        @require_safe
        @_secretive
        @wraps(view)
        def wrapper(request: HttpRequest) -> HttpResponse:
            try:
                return view(request, _shown_link(request, seen_every))
            except NotThereError:
                return problem_response("NOT_FOUND", "There is nothing at this address.")
            except GoneError as error:
                return problem_response("GONE", str(error))

        return wrapper

    return decorate


@_of_table()
def seating(_request: HttpRequest, shown: SeatLink) -> HttpResponse:
    """Who sits where."""
    return JsonResponse(seating_of(shown))


@_of_table(seen_every=_WAITING)
def news(request: HttpRequest, shown: SeatLink) -> HttpResponse:
    """Whether anything has changed; 304 as long as nothing has. Three queries."""
    found = news_of(shown.game)
    tag = tag_of(found)
    if request.META.get("HTTP_IF_NONE_MATCH", "").strip() == tag:
        return HttpResponseNotModified(headers={"ETag": tag})
    return JsonResponse(found, headers={"ETag": tag})


def _shown_link(request: HttpRequest, seen_every: timedelta) -> SeatLink:
    word, _space, rest = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    token = str(rest).strip()[:_LETTERS_MOST].partition(" ")[0]
    if word.lower() != "seat":
        raise NotThereError
    return links.find_link(token, at=timezone.now(), seen_every=seen_every)


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, with all that it keeps."""
    page = _table(request).content.decode()
    context = {
        "edition": files.edition(page),
        "addresses": json.dumps(files.addresses()),
        "static": settings.STATIC_URL,
        "language": reverse("phone-language"),
    }
    answer = render(request, "phone/worker.js", context, content_type="text/javascript")
    answer["Cache-Control"] = "no-cache"
    return answer


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """What a phone needs to know to install the page."""
    said = {
        "name": _("Painsuit at the table"),
        "short_name": "Painsuit",
        "start_url": "/t/",
        "scope": "/t/",
        "display": "standalone",
        "background_color": "#f5f1e8",
        "theme_color": "#1e5a49",
        "icons": [
            {
                "src": static(files.ICON),
                "sizes": "any",
                "type": "image/svg+xml",
                "purpose": "any maskable",
            }
        ],
    }
    return JsonResponse(said, content_type="application/manifest+json")
