"""URLs that webhooks may have: plain https ones on the public internet.

An operator may allow hosts beside it, by their names (`PAINSUIT_WEBHOOK_HOSTS`).

The URL is checked when a webhook is added (`parse_url`), the addresses to which its host name
resolves before each post (`is_public`).
"""

import re
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_network
from typing import Final, TypeAlias
from urllib.parse import urlsplit

import httpcore

from engine.core.messages import Message, join_with_or
from scoring.models import Webhook
from tournaments.models.limits import max_length

URL_MAX: Final = max_length(Webhook, "url")
PORTS: Final = frozenset({443, 8443})
"""Others would make us a scanner of other people's machines."""

Address: TypeAlias = IPv4Address | IPv6Address

_PUBLIC_V6: Final = IPv6Network("2000::/3")
_NOT_PUBLIC: Final = tuple(
    map(
        ip_network,
        (
            "168.63.129.16/32",  # a cloud's own service, at a public address
            "192.0.0.0/24",  # protocols; the metadata of one cloud
            "192.88.99.0/24",  # relays of 6to4
            "2001::/23",  # protocols, among them Teredo, which wraps an IPv4 address
            "2002::/16",  # 6to4 wraps an IPv4 address
            "3fff::/20",  # documentation
        ),
    )
)
"""What `ipaddress` calls global, or did in some version of Python."""
_PRIVATE_SUFFIXES: Final = frozenset(
    {"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private"}
    | {"arpa", "onion", "invalid"}
)
_URL: Final = re.compile(r"[^\x00-\x20\"#<>\\^`{|}\x7f-\U0010ffff]*")
# The last label begins with a letter: one of digits makes a number, which has a dozen spellings.
_HOST: Final = re.compile(r"((?!-)[a-z0-9_-]{1,63}(?<!-)\.)+(?!-)([a-z][a-z0-9_-]{0,62})(?<!-)")


class UrlError(Exception):
    """An address that nothing will ever be sent to; the text says what is wrong with it."""


def parse_url(
    url: str, ports: frozenset[int] = PORTS, hosts: frozenset[str] = frozenset()
) -> httpcore.URL:
    """Parse an address. Raises UrlError for one that could mean two things, or our own network.

    ``hosts`` may be told by http as well, at any port, wherever they are.

    >>> parse_url("http://localhost:8787/hook", hosts=frozenset({"localhost"}))
    URL(scheme=b'http', host=b'localhost', port=8787, target=b'/hook')
    >>> parse_url("https://Club.Example")
    URL(scheme=b'https', host=b'club.example', port=443, target=b'/')
    >>> parse_url("https://club.example@10.0.0.1/")
    Traceback (most recent call last):
    scoring.webhooks.addresses.UrlError: An address with a user name or password is not taken.
    """
    if len(url) > URL_MAX:
        raise UrlError(Message("An address has at most {most} characters.", most=URL_MAX))
    if not _URL.fullmatch(url):
        raise UrlError(
            Message(
                "The address has a character that none may have; write a name of other letters"
                " in its ASCII form (xn--...), leave out what follows #, and write others as %XX."
            )
        )
    try:
        parts = urlsplit(url)
        is_allowed = parts.hostname in hosts
        port = (80 if parts.scheme == "http" else 443) if parts.port is None else parts.port
    except ValueError as error:
        raise UrlError(Message("This is no address.")) from error
    schemes = ("https", "http") if is_allowed else ("https",)
    if parts.scheme not in schemes or not url.lower().startswith(f"{parts.scheme}://"):
        raise UrlError(Message("The address must begin with https://"))
    if "@" in parts.netloc or "%" in parts.netloc:
        raise UrlError(Message("An address with a user name or password is not taken."))
    if (port not in ports and not is_allowed) or not port or parts.netloc.endswith(":"):
        names = join_with_or(list(map(str, sorted(ports))))
        raise UrlError(Message("The port must be {ports}.", ports=names))
    host = parts.hostname or ""
    if not is_allowed and not _is_public_name(host):
        raise UrlError(Message("The address needs the full name of a host of the public internet."))
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return httpcore.URL(scheme=parts.scheme, host=host, port=port, target=target)


def _is_public_name(host: str) -> bool:
    name = _HOST.fullmatch(host)
    return name is not None and len(host) <= 253 and name[2] not in _PRIVATE_SUFFIXES


def is_public(address: Address) -> bool:
    """Whether an address is of the public internet, and wraps no other.

    >>> from ipaddress import ip_address
    >>> is_public(ip_address("93.184.215.14")), is_public(ip_address("::ffff:10.0.0.1"))
    (True, False)
    """
    if isinstance(address, IPv6Address) and address not in _PUBLIC_V6:
        return False
    if address.is_multicast or any(address in network for network in _NOT_PUBLIC):
        return False
    return address.is_global
