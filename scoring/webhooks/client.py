"""The HTTP client of webhooks: posts to addresses that strangers gave us, never to our own network.

A name is resolved once for each request and the connection goes to the very address that was
vetted, so a name that points elsewhere a moment later changes nothing (DNS rebinding). Redirects
are not followed, of the answer only the head is read, and everything together has one deadline.
HTTP and TLS are httpcore's; the network that it uses is ours.
"""

import base64
import hashlib
import hmac
import secrets
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from ipaddress import ip_address
from typing import Any, Final
from uuid import UUID

import httpcore

from scoring.webhooks.addresses import PORTS, Address, is_public, parse_url

SECRET_MARK: Final = "whsec_"  # noqa: S105 (how a secret begins)
SECRET_BYTES: Final = 32


def make_secret() -> str:
    """A new secret, as its owner is shown it."""
    return SECRET_MARK + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


def sign(message: str, stamp: str, body: bytes, *, secret: str) -> str:
    """HMAC-SHA256 over id, time and body, as its header has it."""
    key = base64.b64decode(secret.removeprefix(SECRET_MARK))
    signed = f"{message}.{stamp}.".encode() + body
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def signed_headers(message: UUID, body: bytes, *, secret: str, at: datetime) -> dict[str, str]:
    """Headers that say whose message it is, which, and when it was sent."""
    stamp = str(int(at.timestamp()))
    return {
        "Idempotency-Key": str(message),
        "Webhook-Id": str(message),
        "Webhook-Timestamp": stamp,
        "Webhook-Signature": sign(str(message), stamp, body, secret=secret),
    }


SECONDS: Final = 5.0
"""For one request, from resolving the name to the end of the answer's head."""
ANSWER_BYTES_MAX: Final = 64 * 1024
ADDRESSES_MAX: Final = 4
"""How many addresses of one name are tried."""


class NotSentError(Exception):
    """The request got no response; the text says at which step it failed."""


def resolve(host: str, port: int) -> list[str]:
    """All addresses of a name, as the system finds them."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(one[4][0]) for one in addresses))


@dataclass(frozen=True, slots=True)
class WebhookClient:
    """Posts a message; each part of it can be another one in a test, and only there.

    ``hosts`` are those that the operator allows beside the public internet. ``proxy`` is the
    installation's own way out, if it has one: it is asked for the address that was vetted, never
    for a name, and never for those hosts.
    """

    resolve: Callable[[str, int], Sequence[str]] = resolve
    permits: Callable[[Address], bool] = is_public
    ports: frozenset[int] = PORTS
    hosts: frozenset[str] = frozenset()
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    seconds: float = SECONDS
    proxy: tuple[str, int] | None = None

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Post a message; gives the status of the answer, whatever it is.

        Raises UrlError, and NotSentError when there was no answer.
        """
        target = parse_url(url, self.ports, self.hosts)
        head = {
            "User-Agent": "Painsuit",
            "Accept": "*/*",
            "Content-Type": "application/json",
            "Connection": "close",
            **headers,
        }
        network = _Network(self, time.monotonic() + self.seconds)
        connection = httpcore.HTTPConnection(target.origin, self.context, network_backend=network)
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
            if network.is_at_end:
                raise NotSentError("The connection ended before an answer.") from error
            raise NotSentError("What came back is no answer of a web server.") from error
        except httpcore.NetworkError as error:
            cause = error.__cause__
            if isinstance(cause, ssl.SSLError):
                raise NotSentError(f"No trusted connection ({cause.reason or 'TLS'}).") from error
            raise NotSentError(f"No connection ({type(cause).__name__}).") from error


class _Network(httpcore.NetworkBackend):
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
        is_allowed = host in self._client.hosts
        proxy = None if is_allowed else self._client.proxy
        *others, last = self._vet(host, port, is_allowed=is_allowed)
        for address in others:
            try:
                return self._connect(address, port, proxy, self.left() / 2)
            except (httpcore.NetworkError, httpcore.TimeoutException):
                continue
        return self._connect(last, port, proxy, self.left())

    def _vet(self, host: str, port: int, *, is_allowed: bool) -> list[Address]:
        """Resolve a name; refuse it entirely if any of its addresses is not public."""
        answer: Future[Sequence[str]] = Future()

        def look_up() -> None:
            try:
                answer.set_result(self._client.resolve(host, port))
            except (OSError, UnicodeError) as error:
                answer.set_exception(error)

        # In a thread, because the system's resolver has no timeout that we can set.
        threading.Thread(target=look_up, daemon=True).start()
        try:
            result = answer.result(self.left())
        except TimeoutError as error:
            raise NotSentError("The name could not be looked up in time.") from error
        except (OSError, UnicodeError) as error:
            raise NotSentError("The name is not known.") from error
        # An address with a zone is of a link, never public.
        if not is_allowed and any(
            "%" in text or not self._client.permits(ip_address(text)) for text in result
        ):
            raise NotSentError("The name leads to no public address.")
        if not result:
            raise NotSentError("The name leads nowhere.")
        return [ip_address(text) for text in result[:ADDRESSES_MAX]]

    def _connect(
        self, address: Address, port: int, proxy: tuple[str, int] | None, seconds: float
    ) -> httpcore.NetworkStream:
        """A connection to an address itself, straight or through the proxy."""
        host = str(address)
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

    def __init__(self, stream: httpcore.NetworkStream, network: _Network) -> None:
        self._stream, self._network = stream, network
        self._unsent, self._received = b"", 0

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        self._stream.write(self._unsent, self._network.left())
        self._unsent = b""
        data = self._stream.read(max_bytes, self._network.left())
        self._received += len(data)
        if self._received > ANSWER_BYTES_MAX:
            raise NotSentError("The head of the answer is too long.")
        self._network.is_at_end = not data
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        # Head and body go out together: who answers the head alone would reset the connection.
        self._unsent += buffer

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: Any = None
    ) -> httpcore.NetworkStream:
        left = self._network.left()
        return _Stream(self._stream.start_tls(ssl_context, server_hostname, left), self._network)

    def close(self) -> None:
        self._stream.close()
