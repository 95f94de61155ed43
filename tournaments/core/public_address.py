"""Addresses of our pages, for links that leave the service, and addresses of the network.

Links stand in mails, papers, files and feeds; addresses of the network tell a little about who
somebody is.
"""

from ipaddress import IPv6Address, ip_address, ip_interface, ip_network
from typing import Final, Protocol
from urllib.parse import urljoin, urlsplit

from django.conf import settings

_LOCAL: Final = frozenset({"", "*", "localhost", "127.0.0.1", "[::1]"})
_LONGEST: Final = 64


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


def network_of(address: str) -> str:
    """Return what is counted for an address: an IPv4 address, or the /64 of an IPv6 address.

    One machine picks any of the 2**64 addresses of its network as it likes.

    >>> network_of("192.0.2.7"), network_of("::ffff:192.0.2.7"), network_of("2001:db8::5:6")
    ('192.0.2.7', '192.0.2.7', '2001:db8::/64')
    """
    try:
        found = ip_address(address)
    except ValueError:
        return address[:_LONGEST]
    if not isinstance(found, IPv6Address):
        return str(found)
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(ip_network((int(found), 64), strict=False))


def blur(network: str) -> str:
    """Return about where a network is: enough to know one's own again, not to find anybody.

    >>> blur("192.0.2.7"), blur("2001:db8:1:2::/64"), blur("unix socket")
    ('192.0.2.*', '2001:db8:1:*', '')
    """
    try:
        found = ip_interface(network).ip
    except ValueError:
        return ""
    if isinstance(found, IPv6Address):
        return ":".join(format(int(part, 16), "x") for part in found.exploded.split(":")[:3]) + ":*"
    return ".".join([*str(found).split(".")[:3], "*"])
