"""Addresses of our pages for links that leave the service: mails, papers, files, feeds."""

from typing import Final, Protocol
from urllib.parse import urljoin, urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http.request import HttpRequest, split_domain_port

_LOCAL: Final = frozenset({"", "*", "localhost", "127.0.0.1", "[::1]"})


class AbsoluteUriBuilder(Protocol):
    """A request of Django or of the API."""

    def build_absolute_uri(self, location: str | None = None) -> str: ...


def public_url(request: AbsoluteUriBuilder, path: str = "/") -> str:
    """Return the address of a path under `PUBLIC_ADDRESS`.

    Without that setting it is under the address by which the request called the service.
    """
    if settings.PUBLIC_ADDRESS:
        return urljoin(settings.PUBLIC_ADDRESS, path)
    return request.build_absolute_uri(path)


def public_site(request: AbsoluteUriBuilder) -> str:
    """Return the scheme, host and port of the service, without a slash at the end."""
    return public_url(request).removesuffix("/")


def public_host() -> str:
    """Return the host name of `PUBLIC_ADDRESS`, or else the first of `PAINSUIT_HOSTS` that is one.

    Empty where the service has names on its own machine alone.
    """
    public = urlsplit(settings.PUBLIC_ADDRESS).hostname or ""
    public = f"[{public}]" if ":" in public else public
    hosts = (name.lstrip(".") for name in (public, *settings.ALLOWED_HOSTS))
    return next((name for name in hosts if name not in _LOCAL), "")


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
