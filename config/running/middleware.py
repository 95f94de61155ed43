"""Middleware: compression, language, time zone and metrics; requests that are refused.

A page follows the reader's own choice of language, kept in a cookie, then what the browser asks
for. The API follows what the request asks for and nothing else, so that a program hears English
unless it wants another language.
"""

import time
from collections.abc import Callable
from typing import Final
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.middleware.http import ConditionalGetMiddleware
from django.middleware.locale import LocaleMiddleware
from django.utils import timezone, translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation.trans_real import parse_accept_lang_header
from prometheus_client import Counter, Histogram

from config.running import limits
from scoring.web import errors
from tournaments.api.files import accepts_gzip
from tournaments.core.storage import is_disk_full

API: Final = "/api/"
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
PERMISSIONS_POLICY: Final = "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
UNMATCHED: Final = "unmatched"
"""The route of an address that leads nowhere."""

FAMILIES: Final = frozenset(
    {"admin", "api", "desk", "phone", "my", "club", "event", "league", "player", "game", "hand"}
    | {"help", "check", "door", "landing", "openapi", "healthz", "metrics", "robots"}
)
"""The families of routes that metrics tell apart; all others are "other"."""

REQUESTS: Final = Counter(
    "painsuit_http_requests",
    "Requests answered.",
    ["route", "method", "status"],
    registry=None,
)
DURATION: Final = Histogram(
    "painsuit_http_request_duration_seconds",
    "Seconds from a request to the beginning of its answer.",
    ["route", "method"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5, 30),
    registry=None,
)


def route_family(view_name: str | None) -> str:
    """Return the first word of a route's name: each value of the label costs dozens of series.

    >>> [route_family(name) for name in ("api-hand-detail", "admin:index", "signature-page")]
    ['api', 'admin', 'other']
    """
    family = (view_name or "").partition(":")[0].partition("-")[0]
    return family if family in FAMILIES else "other"


def method_label(method: str | None) -> str:
    """Return a method as metrics tell it; a HEAD is the GET that it stands for."""
    return "GET" if method == "HEAD" else method if method in METHODS else "other"


class CompressionMiddleware(GZipMiddleware):
    """Compresses texts such as HTML and JSON; pictures, sheets and PDF are packed already.

    A file that is sent piece by piece keeps its length, by which a browser shows how far it is.
    Django adds bytes by chance, so that lengths tell nobody a secret (BREACH), and makes the entity
    tag of what it compresses weak.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        kind = response.get("Content-Type", "").partition(";")[0]
        if response.streaming or not (
            kind.startswith("text/") or kind.endswith(("/json", "+json", "/xml", "+xml"))
        ):
            return response
        if not accepts_gzip(request):  # Django looks for the word alone, also in "gzip;q=0"
            patch_vary_headers(response, ["Accept-Encoding"])
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        return answer


class BrowserPolicyMiddleware(MiddlewareMixin):
    """Says what browsers keep from our pages, and from pages of others that show our files."""

    def process_response(
        self, _request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        response.headers.setdefault("Permissions-Policy", PERMISSIONS_POLICY)
        response.headers.setdefault("Cross-Origin-Resource-Policy", "same-origin")
        return response


class LanguageMiddleware(LocaleMiddleware):
    """Answers in the reader's language, and says which one that is."""

    def process_request(self, request: HttpRequest) -> None:
        if not request.path_info.startswith(API):
            super().process_request(request)
            return
        translation.activate(accepted_language(request.headers.get("Accept-Language", "")))
        # The name that Django's own middleware gives it.
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if "immutable" in response.get("Cache-Control", ""):
            return response  # a file, the same for everybody
        answer: HttpResponseBase = super().process_response(request, response)
        if not request.path_info.startswith(API):
            patch_vary_headers(answer, ["Cookie"])
        return answer


def accepted_language(header: str) -> str:
    """The language that is liked best of those there are; English where none is asked for."""
    for code, _weight in parse_accept_lang_header(header.lower()):
        if code == "*":
            break
        try:
            return translation.get_supported_language_variant(code)
        except LookupError:
            continue
    return settings.LANGUAGE_CODE


class ConditionalPageMiddleware(ConditionalGetMiddleware):
    """Send a page again only if it has changed. The API says itself what its tags stand for."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        if request.path_info.startswith(API):
            return response
        answer: HttpResponseBase = super().process_response(request, response)
        return answer


class TimeZoneMiddleware:
    """Keeps the time zone that a page of a club activates to its own response.

    Threads answer one request after another.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with timezone.override(None):
            return self.get_response(request)


def check_port(request: HttpRequest) -> None:
    """Raise DisallowedHost for a port in the Host header that is not ours.

    Ours are the one that we listen on, that of `PUBLIC_ADDRESS`, and the usual one of the scheme.
    """
    host = request.get_host()
    port = split_domain_port(host)[1]
    usual = "443" if request.is_secure() else "80"
    public = urlsplit(settings.PUBLIC_ADDRESS).port
    if port not in {"", usual, request.META.get("SERVER_PORT"), str(public)}:
        raise DisallowedHost(
            f"The service is not reached at {host}; PAINSUIT_ADDRESS says where it is."
        )


class RequestSizeMiddleware(MiddlewareMixin):
    """Refuse what is not ours or too long, before a view is chosen.

    That is a port in the Host header, and an address, headers or a body above the `limits` of this
    package. The API refuses bodies itself, by lower limits of its own.
    """

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        check_port(request)
        if len(request.get_full_path()) > limits.ADDRESS_MAX:
            return errors.address_too_long(request)
        headers = sum(len(name) + len(value) for name, value in request.headers.items())
        if headers > limits.HEADERS_MAX:
            return errors.headers_too_long(request)
        length = request.headers.get("Content-Length", "")
        is_long = length.isdecimal() and int(length[:20]) > limits.BODY_MAX
        if is_long and not request.path_info.startswith(API):
            return errors.body_too_long(request)
        return None


class DiskFullMiddleware(MiddlewareMixin):
    """Say in plain words that the disk is full, where a page could not be made for that."""

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponse | None:
        """Answer 507 for a write that failed for want of space, and leave all else to Django."""
        return errors.disk_full(request, exception) if is_disk_full(exception) else None


class RequestMetricsMiddleware:
    """Count requests by the family of their route, never by address, which may hold a secret."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        begun = time.perf_counter()
        response = self.get_response(request)
        match = request.resolver_match
        route = route_family(match.view_name) if match is not None else UNMATCHED
        method = method_label(request.method)
        REQUESTS.labels(route, method, response.status_code).inc()
        DURATION.labels(route, method).observe(time.perf_counter() - begun)
        return response
