"""The HTTP client of webhooks: posts to addresses that strangers gave us, never to our own network.

A name is resolved once for each request and the connection goes to the very address that was
vetted, so a name that points elsewhere a moment later changes nothing (DNS rebinding). Redirects
are not followed, of the answer only the head is read, and everything together has one deadline.
"""

import re
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Final
from urllib.parse import urlsplit

import httpcore

from engine.messages import Message, joined_by_or

SECONDS: Final = 5.0
"""For one request, from resolving the name to the end of the answer's head."""
ANSWER_BYTES_MAX: Final = 64 * 1024
URL_MAX: Final = 500
PORTS: Final = frozenset({443, 8443})
"""Others would make us a scanner of other people's machines."""
ADDRESSES_MAX: Final = 4
"""How many addresses of one name are tried."""

Address = IPv4Address | IPv6Address

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


class NotSentError(Exception):
    """Nobody answered; the text says how far it came."""


def parse_url(url: str, ports: frozenset[int] = PORTS) -> httpcore.URL:
    """Parse an address. Raises UrlError for one that could mean two things, or our own network.

    >>> parse_url("https://Club.Example")
    URL(scheme=b'https', host=b'club.example', port=443, target=b'/')
    >>> parse_url("https://club.example@10.0.0.1/")
    Traceback (most recent call last):
    scoring.webhooks.client.UrlError: An address with a user name or password is not taken.
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
        port = 443 if parts.port is None else parts.port
    except ValueError as error:
        raise UrlError(Message("This is no address.")) from error
    if parts.scheme != "https" or url[:8].lower() != "https://":
        raise UrlError(Message("The address must begin with https://"))
    if "@" in parts.netloc or "%" in parts.netloc:
        raise UrlError(Message("An address with a user name or password is not taken."))
    if port not in ports or parts.netloc.endswith(":"):
        names = joined_by_or(list(map(str, sorted(ports))))
        raise UrlError(Message("The port must be {ports}.", ports=names))
    host = _HOST.fullmatch(parts.hostname or "")
    if host is None or len(host[0]) > 253 or host[2] in _PRIVATE_SUFFIXES:
        raise UrlError(Message("The address needs the full name of a host of the public internet."))
    target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return httpcore.URL(scheme="https", host=host[0], port=port, target=target)


def is_public(address: Address) -> bool:
    """Whether an address is of the public internet, and wraps no other.

    >>> is_public(ip_address("93.184.215.14")), is_public(ip_address("::ffff:10.0.0.1"))
    (True, False)
    """
    if isinstance(address, IPv6Address) and address not in _PUBLIC_V6:
        return False
    if address.is_multicast or any(address in network for network in _NOT_PUBLIC):
        return False
    return address.is_global


def resolve(host: str, port: int) -> list[str]:
    """All addresses of a name, as the system finds them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


@dataclass(frozen=True, slots=True)
class WebhookClient:
    """How a message is posted: each part of it can be another one in a test, and only there.

    ``proxy`` is the installation's own way out, if it has one: it is asked for the address that
    was vetted, never for a name.
    """

    resolve: Callable[[str, int], Sequence[str]] = resolve
    permits: Callable[[Address], bool] = is_public
    ports: frozenset[int] = PORTS
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    seconds: float = SECONDS
    proxy: tuple[str, int] | None = None

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post a message; gives the status of the answer, whatever it is.

        Raises UrlError, and NotSentError when there was no answer.
        """
        target = parse_url(url, self.ports)
        head = {
            "User-Agent": "Painsuit",
            "Accept": "*/*",
            "Content-Type": "application/json",
            "Content-Length": str(len(body)),
            "Connection": "close",
            **headers,
        }
        backend = _VettingBackend(self, time.monotonic() + self.seconds)
        connection = httpcore.HTTPConnection(target.origin, self.context, network_backend=backend)
        try:
            with (
                connection,
                connection.stream(
                    "POST", target, headers=list(head.items()), content=body
                ) as answer,
            ):
                return answer.status
        except httpcore.TimeoutException as error:
            raise NotSentError(f"No answer within {self.seconds:g} s.") from error
        except httpcore.ProtocolError as error:
            if backend.is_at_end:
                raise NotSentError("The connection ended before an answer.") from error
            raise NotSentError("What came back is no answer of a web server.") from error
        except httpcore.NetworkError as error:
            cause = error.__cause__
            if isinstance(cause, ssl.SSLError):
                raise NotSentError(f"No trusted connection ({cause.reason or 'TLS'}).") from error
            raise NotSentError(f"No connection ({type(cause).__name__}).") from error


class _VettingBackend(httpcore.NetworkBackend):
    """Connects to addresses that a client permits, until one deadline."""

    def __init__(self, client: WebhookClient, deadline: float) -> None:
        self._client, self._deadline = client, deadline
        self._sockets = httpcore.SyncBackend()
        self.is_at_end = False
        """Whether the other side closed the connection."""

    def left(self) -> float:
        """Seconds to the deadline. Raises TimeoutException after it."""
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise httpcore.TimeoutException
        return left

    def connect_tcp(self, host: str, port: int, *_: Any, **__: Any) -> httpcore.NetworkStream:
        """A connection to the first of the name's addresses that takes one."""
        addresses = self._vet(host, port)
        for address in addresses[:-1]:
            try:
                return self._connect(address, port, self.left() / 2)
            except (httpcore.NetworkError, httpcore.TimeoutException):
                continue
        return self._connect(addresses[-1], port, self.left())

    def _vet(self, host: str, port: int) -> list[Address]:
        """What the name stands for; nothing at all where one of its addresses is not public."""
        found = list[Address]()
        for text in self._resolve(host, port):
            # An address with a zone is of a link, never public.
            if "%" in text or not self._client.permits(ip_address(text)):
                raise NotSentError("The name leads to no public address.")
            found.append(ip_address(text))
        if not found:
            raise NotSentError("The name leads nowhere.")
        return found[:ADDRESSES_MAX]

    def _resolve(self, host: str, port: int) -> Sequence[str]:
        """Resolve a name; the system's own patience would be far longer than ours."""
        answer: Future[Sequence[str]] = Future()

        def look_up() -> None:
            try:
                answer.set_result(self._client.resolve(host, port))
            except (OSError, UnicodeError) as error:
                answer.set_exception(error)

        threading.Thread(target=look_up, daemon=True).start()
        try:
            return answer.result(self.left())
        except TimeoutError as error:
            raise NotSentError("The name could not be looked up in time.") from error
        except (OSError, UnicodeError) as error:
            raise NotSentError("The name is not known.") from error

    def _connect(self, address: Address, port: int, seconds: float) -> httpcore.NetworkStream:
        """A connection to an address itself, straight or through the proxy."""
        host, proxy = str(address), self._client.proxy
        to = proxy or (host, port)
        stream = _Stream(self._sockets.connect_tcp(*to, timeout=seconds), self)
        if proxy is None:
            return stream
        where = f"{host}:{port}" if address.version == 4 else f"[{host}]:{port}"
        url = httpcore.URL(scheme="http", host=host, port=port, target=where)
        tunnel = httpcore.HTTP11Connection(url.origin, stream)
        status = tunnel.handle_request(
            httpcore.Request("CONNECT", url, headers={"Host": where})
        ).status
        if status >= 300:
            stream.close()
            raise NotSentError(f"The proxy lets nothing through (status {status}).")
        return stream


class _Stream(httpcore.NetworkStream):
    """A connection that ends at the deadline, and from which little is read."""

    def __init__(self, stream: httpcore.NetworkStream, backend: _VettingBackend) -> None:
        self._stream, self._backend = stream, backend
        self._unsent, self._received = b"", 0

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._stream.write(self._unsent, self._backend.left())
        self._unsent = b""
        data = self._stream.read(max_bytes, self._backend.left())
        self._received += len(data)
        if self._received > ANSWER_BYTES_MAX:
            raise NotSentError("The head of the answer is too long.")
        self._backend.is_at_end = not data
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # Head and body go out together: who answers the head alone would reset the connection.
        self._unsent += buffer

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: Any = None
    ) -> httpcore.NetworkStream:
        left = self._backend.left()
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left), self._backend)

    def close(self) -> None:
        self._stream.close()
