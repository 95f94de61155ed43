"""Views of the phone's page."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import wraps
from itertools import chain
from typing import Any, Final
from urllib.parse import urlencode
from uuid import UUID

import structlog
from django import forms
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from engine.core.messages import Message
from engine.core.seats import Seat
from scoring.games import links, phones, table_codes
from scoring.games.director_calls import call_director, withdraw_call
from scoring.models import CallReason, Game, SeatLink, Sitting, TableCode
from scoring.presentation.answers import seats_of
from scoring.web.phone import files
from scoring.web.phone.between import Follower, between_etag, build_between
from scoring.web.phone.table_data import (
    ShownCode,
    is_over,
    news_of,
    opened_at,
    places,
    seating_of,
    tag_news,
)
from scoring.web.phone.wording import words
from scoring.web.rate_limit import CodeThrottle, FailureThrottle
from tournaments.api.exceptions import problem_response
from tournaments.core.actors import Actor, ActorKind, Source
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.events.announcements import describe_schedule
from tournaments.models import Event, Stage, Status
from tournaments.people.display_names import table_names
from tournaments.tables.cells import isolate_name
from tournaments.web.responses import not_modified_response

log = structlog.get_logger(__name__)

Page = Callable[..., HttpResponse]
AtTable = Callable[[HttpRequest, SeatLink], HttpResponse]
AsFollower = Callable[[HttpRequest, Follower], HttpResponse]
_PRIVATE: Final = "private, no-store"
_LETTERS_MAX: Final = 200
_FAILURE_BYTES_MAX: Final = 16_000
_LOOK_AGAIN: Final = 10
"""Seconds after which a phone looks again at a table where nothing is played yet."""
_WAITING: Final = timedelta(minutes=10)
"""How exactly the last use of a link is known while its phone only waits."""


def _protect_link(page: Page) -> Page:
    """Decorate a page with a link's secrets: no cache, search engine or referrer may keep them."""

    @wraps(page)
    def wrapper(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        answer = page(request, *args, **kwargs)
        answer["Cache-Control"] = _PRIVATE
        answer["Referrer-Policy"] = "no-referrer"
        answer["X-Robots-Tag"] = "noindex, nofollow"
        return answer

    return wrapper


@require_safe
@_protect_link
def link(request: HttpRequest, token: str) -> HttpResponse:
    """Open the page behind the code on a table, or say why this link leads nowhere."""
    at = timezone.now()
    try:
        try:
            link = links.find_link(token, at=at)
        except NotThereError:
            code = table_codes.find_code(token, at=at)
            return _open_code(request, code, at, request.GET.get("play", ""))
    except NotThereError:
        said = _("This code belongs to no table. Scan it again, or ask the director for another.")
        return _show_closed(request, 404, _("No such table"), said)
    except GoneError:
        said = _("This code is no longer open. Scan the one that lies on your table now.")
        return _show_closed(request, 410, _("This link is closed"), said)
    return _table(request, link)


class CodeForm(forms.Form):
    """The short code of a table, as somebody types it."""

    code = forms.CharField(
        label=gettext_lazy("Code of your table"),
        max_length=40,
        widget=forms.TextInput(
            attrs={
                "autocapitalize": "characters",
                "autocomplete": "off",
                "autofocus": True,
                "spellcheck": "false",
            }
        ),
    )


@require_safe
@_protect_link
def type_code(request: HttpRequest) -> HttpResponse:
    """Let somebody without a camera type the short code of their table."""
    return _ask_for_code(request, CodeForm())


def _ask_for_code(request: HttpRequest, form: CodeForm, status: int = 200) -> HttpResponse:
    context = {"title": _("Which table?"), "form": form}
    return render(request, "phone/type_code.html", context, status=status)


@csrf_exempt  # The code that is sent opens the table, no cookie does.
@require_POST
@_protect_link
def open_typed(request: HttpRequest) -> HttpResponse:
    """Open the table whose short code was typed; what was typed stands in no address."""
    form, at = CodeForm(request.POST), timezone.now()
    wait = CodeThrottle.wait_for(request)
    if wait is not None:
        form.add_error("code", _("Too many codes were tried here. Wait a minute."))
        answer = _ask_for_code(request, form, 429)
        answer["Retry-After"] = str(math.ceil(wait))
        return answer
    if form.is_valid():
        try:
            code = table_codes.find_short_code(form.cleaned_data["code"], at=at)
            return _open_code(request, code, at, request.POST.get("play", ""))
        except NotThereError:
            form.add_error("code", _("No table has this code. It has 8 letters and digits."))
        except GoneError:
            form.add_error("code", _("This code is no longer open. Ask the director for another."))
    return _ask_for_code(request, form, 422)


@dataclass(frozen=True, slots=True)
class TableChoice:
    """A game that the code of a table may open, if anything is played there yet.

    ``play`` chooses it: the night, for the first of its games, or else the game.
    """

    play: UUID
    night: Event
    game: Game | None

    @property
    def is_adjourned(self) -> bool:
        """Whether it is to be finished another day."""
        return self.game is not None and table_codes.is_adjourned(self.game)

    @property
    def is_secret(self) -> bool:
        """Whether the night is hidden and has not begun: its name is not told to strangers."""
        return self.night.is_hidden and self.night.status == Status.PLANNED

    @property
    def names(self) -> str:
        """The names of those who sit there, as they are called at the table. One query."""
        sat = Sitting.objects.filter(game=self.game, last=None).select_related("player__person")
        names = table_names([sitting.player for sitting in sat.order_by("seat")])
        return ", ".join(map(isolate_name, names))


def _open_code(
    request: HttpRequest, code: TableCode, at: datetime, chosen: str = ""
) -> HttpResponse:
    """The page of the table of a code, or why nothing can be told there now.

    Where it has several games now they are shown, and ``chosen`` is one of them (`TableChoice`).
    """
    nights = table_codes.events_of_code(code, at)
    choices = [
        TableChoice(night.pk if place == 0 or game is None else game.pk, night, game)
        for night in nights
        for place, game in enumerate(table_codes.games_at_table(night, code.number) or [None])
    ]
    choices = [one for one in choices if chosen in ("", str(one.play))]
    nights = [one.night for one in choices]
    context: dict[str, Any] = {"code": code, "short": table_codes.short_code_of(code)}
    if len(choices) > 1:
        context |= {"title": _("Where do you play?"), "choices": choices}
        several = {"is_one_night": len(set(nights)) == 1}
        return render(request, "phone/which_game.html", context | several)
    game = choices[0].game if choices else None
    found = None if game is None else table_codes.table_link(game, at)
    if found is None:
        is_closed = game is not None
        status = 410 if is_closed else 200
        night = nights[0] if nights else table_codes.find_cancelled_tonight(code, at)
        if choices and choices[0].is_secret:
            night = None
        schedule = "" if night is None else describe_schedule(night)
        context["title"] = _("Table %(n)s") % {"n": code.number}
        waiting = context | {"night": night, "schedule": schedule, "is_closed": is_closed}
        play = chosen if choices else ""
        answer = render(request, "phone/not_yet.html", waiting | {"play": play}, status=status)
        if is_closed:
            return answer
        if request.method == "GET":
            answer["Refresh"] = str(_LOOK_AGAIN)
        elif token := links.token_of(code):
            # What was sent cannot be sent again by itself; the code's own address can be opened.
            path = reverse("phone-link", args=[token])
            answer["Refresh"] = f"{_LOOK_AGAIN}; url={path}?{urlencode({'play': play})}"
        return answer
    link, token = found
    assert game is not None
    assert game.table is not None
    stays = table_codes.is_adjourned(game) and game.table.round.stage != Stage.PLAYING
    shown = ShownCode(token=token, code=links.token_of(code), event=nights[0].pk, stays=stays)
    return _table(request, link, shown)


@require_safe
@_protect_link
def table(request: HttpRequest) -> HttpResponse:
    """The page without a link: it opens the table that this phone was at."""
    return _table(request)


def _table(
    request: HttpRequest, link: SeatLink | None = None, shown: ShownCode | None = None
) -> HttpResponse:
    """The page; with a link, the table as it stands is on it, so that nothing has to be asked.

    ``shown`` is for a phone that came by the code of the table.
    """
    opened = None if link is None else opened_at(link, timezone.now())
    context = {
        "words": words(),
        "styles": files.TABLE.styles,
        "scripts": files.TABLE.first_scripts(),
        "to": reverse("phone"),
        "language_door": reverse("phone-language"),
        "table": None if opened is None else {**opened, **(shown or {})},
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
        @_protect_link
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
    """Return the seating."""
    return JsonResponse(seating_of(shown, timezone.now()))


@_of_table(seen_every=_WAITING)
def news(request: HttpRequest, shown: SeatLink) -> HttpResponse:
    """Whether anything has changed; 304 as long as nothing has. Four queries at most."""
    found = news_of(shown.game, timezone.now())
    tag = tag_news(found)
    if (same := not_modified_response(request, tag)) is not None:
        return same
    return JsonResponse(found, headers={"ETag": tag})


def _shown_link(request: HttpRequest, seen_every: timedelta) -> SeatLink:
    return links.find_link(_shown_token(request), at=timezone.now(), seen_every=seen_every)


def _shown_token(request: HttpRequest) -> str:
    word, _space, rest = request.META.get("HTTP_AUTHORIZATION", "").partition(" ")
    token = str(rest).strip()[:_LETTERS_MAX].partition(" ")[0]
    if word.lower() != "seat":
        raise NotThereError
    return token


def _of_follower(view: AsFollower) -> Page:
    """Decorate a view for phones that show their own token, or the code of their table."""

    @csrf_exempt  # The token is in a header, which no other site can send.
    @_protect_link
    @wraps(view)
    def wrapper(request: HttpRequest) -> HttpResponse:
        try:
            return view(request, _shown_follower(request))
        except NotThereError:
            return problem_response("NOT_FOUND", "There is nothing at this address.")
        except GoneError as error:
            return problem_response("GONE", translate(error.message))

    return wrapper


def _shown_follower(request: HttpRequest) -> Follower:
    """Return whose phone asks, or of which table. Raises NotThereError, GoneError."""
    token, at = _shown_token(request), timezone.now()
    try:
        phone = phones.find_phone(token, at=at)
    except NotThereError:
        code = table_codes.find_code(token, at=at)
        # One that stays with a night goes on with it whatever else is played at its table.
        nights = chain(table_codes.events_of_code(code, at), table_codes.running_nights(code))
        named = request.GET.get("event", "")
        event = next((night for night in nights if named in ("", str(night.pk))), None)
        if event is None:
            raise
        return Follower(event, None, code)
    return Follower(phone.event, phone, None)


@require_safe
@_of_follower
def between(request: HttpRequest, follower: Follower) -> HttpResponse:
    """Return the phone's next place, and all standings; 304 as long as nothing changed."""
    at, game = timezone.now(), follower.game()
    tag = between_etag(follower, game, at)
    if (same := not_modified_response(request, tag)) is not None:
        return same
    return JsonResponse(build_between(follower, game, at), headers={"ETag": tag})


@csrf_exempt
@require_POST
@_of_follower
def follow(_request: HttpRequest, follower: Follower) -> HttpResponse:
    """Open the game that is played now where the phone belongs: its link, and the table."""
    at, game = timezone.now(), follower.game()
    if game is None:
        raise NotThereError
    if follower.phone is not None:
        link, token = phones.link_phone(phone=follower.phone, game_id=game.pk, at=at)
        return JsonResponse({**opened_at(link, at), "token": token})
    table_link = table_codes.table_link(game, at)
    if table_link is None:
        raise GoneError(Message("The director has closed the phones of this table."))
    return JsonResponse({**opened_at(table_link[0], at), "token": table_link[1]})


@csrf_exempt
@require_POST
@_of_follower
def leave(request: HttpRequest, follower: Follower) -> HttpResponse:
    """Follow this player no longer: somebody had tapped another name."""
    if follower.phone is None:
        raise NotThereError
    by = Actor(ActorKind.LINK, Source.TABLE, follower.phone.pk)
    phones.end_phone(
        event_id=follower.event.pk, phone_id=follower.phone.pk, by=by, at=timezone.now()
    )
    return HttpResponse(status=204)


def _find_seat(name: str, game: Game) -> Seat:
    seats = seats_of(game)
    if name not in seats:
        raise RefusedError(Message("Choose a seat."), "seat")
    return Seat(seats.index(name))


@csrf_exempt
@require_POST
@_protect_link
def own(request: HttpRequest) -> HttpResponse:
    """Let this phone follow the player in the seat for which its link speaks."""
    at = timezone.now()
    seat = request.GET.get("seat", "")
    try:
        link = links.find_link(_shown_token(request), at=at)
        made = phones.follow_player(link=link, seat=_find_seat(seat, link.game), at=at)
    except NotThereError:
        return problem_response("NOT_FOUND", "There is nothing at this address.")
    except RefusedError as error:
        return problem_response(error.code, translate(error.message))
    data = {"phone": made.token, "token": made.link.token, "seat": seat}
    return JsonResponse(data, status=201)


class CallForm(forms.Form):
    """The reason for which a table calls the director."""

    reason = forms.ChoiceField(choices=CallReason)


@csrf_exempt
@require_http_methods(["POST", "DELETE"])
@_protect_link
def call(request: HttpRequest) -> HttpResponse:
    """Call the director to the table of a link, or withdraw that; the answer is the call."""
    at, seat = timezone.now(), request.GET.get("seat", "")
    try:
        link = links.find_link(_shown_token(request), at=at)
        speaks = _find_seat(seat, link.game) if seat else None
        if request.method == "DELETE":
            withdraw_call(link=link, seat=speaks, at=at)
            return JsonResponse({"call": None})
        form = CallForm(json.loads(request.body[:_FAILURE_BYTES_MAX]))
        if not form.is_valid():
            return problem_response("BAD_REQUEST", "Say why.")
        reason = CallReason(form.cleaned_data["reason"])
        made = call_director(link=link, seat=speaks, reason=reason, at=at)
    except NotThereError:
        return problem_response("NOT_FOUND", "There is nothing at this address.")
    except RefusedError as error:
        return problem_response(error.code, translate(error.message))
    except (ValueError, AttributeError, RecursionError):
        return problem_response("BAD_REQUEST", "A JSON object is needed.")
    return JsonResponse({"call": made}, status=201)


class FailureForm(forms.Form):
    """A failure of the page's script, as its browser tells it."""

    message = forms.CharField(max_length=500)
    stack = forms.CharField(max_length=4000, required=False)


@csrf_exempt
@require_POST
@_protect_link
def failure(request: HttpRequest) -> HttpResponse:
    """Log what failed in the page of a table; nothing that was entered is in it."""
    try:
        shown = _shown_link(request, _WAITING)
    except (NotThereError, GoneError):
        return problem_response("NOT_FOUND", "There is nothing at this address.")
    if FailureThrottle.wait_for(request) is not None:
        return HttpResponse(status=204)
    try:
        form = FailureForm(json.loads(request.body[:_FAILURE_BYTES_MAX]))
        is_valid = form.is_valid()
    except (ValueError, AttributeError, RecursionError):
        return problem_response("BAD_REQUEST", "A JSON object is needed.")
    if not is_valid:
        return problem_response("BAD_REQUEST", "Say what failed.")
    log.error(
        "The page of a table failed",
        game=str(shown.game_id),
        failure=form.cleaned_data["message"],
        stack=form.cleaned_data["stack"],
        browser=request.headers.get("User-Agent", "")[:_LETTERS_MAX],
    )
    return HttpResponse(status=204)


@require_safe
def worker(request: HttpRequest) -> HttpResponse:
    """The service worker, with all that it keeps."""
    door = reverse("phone-language")
    return files.worker_response(
        request, files.TABLE, page=_table(request), at=reverse("phone"), language=door
    )


@require_safe
def manifest(request: HttpRequest) -> JsonResponse:
    """Return the manifest with which a phone installs the page."""
    said = {
        "name": _("Painsuit at the table"),
        "short_name": "Painsuit",
        "start_url": "/t/",
        "scope": "/t/",
        "display": "standalone",
        "background_color": "#f5f1e8",
        "theme_color": "#143f33",
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
