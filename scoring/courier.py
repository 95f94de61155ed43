"""The courier takes one message to an address that a stranger gave us, and never to our own house.

The name is looked up once; what is connected to is the very address that was looked at, so a name
that points elsewhere a moment later changes nothing. Nothing is followed, and of the answer no
more is read than its head. Everything together has one deadline.
"""

import queue
import socket
import ssl
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

SECONDS: Final = 5.0
"""For one try, from the look-up of the name to the end of the answer's head."""
ANSWER_BYTES_MAX: Final = 64 * 1024
URL_MAX: Final = 500
PORTS: Final = frozenset({443, 8443})
"""Others would make us a scanner of other people's machines."""
ADDRESSES_MAX: Final = 4
"""How many addresses of one name are tried."""

Address = IPv4Address | IPv6Address

_NOT_PUBLIC: Final = tuple(
    ip_network(text)
    for text in (
        "0.0.0.0/8",  # this network
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # behind a provider's NAT
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # a cloud's own service, at a public address
        "169.254.0.0/16",  # link-local: the metadata of most clouds
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # protocols; the metadata of one cloud
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # relays of 6to4
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
        # Of IPv6 only 2000::/3 is public at all; in it:
        "2001::/23",  # protocols, among them Teredo, which wraps an IPv4 address
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4 wraps an IPv4 address
        "3fff::/20",  # documentation
    )
)
_PUBLIC_V6: Final = IPv6Network("2000::/3")
_HOUSE_NAMES: Final = frozenset(
    {"localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private"}
    | {"arpa", "onion", "invalid"}
)
_LETTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyz")
_IN_A_NAME: Final = _LETTERS | frozenset("0123456789-_")
_IN_A_TARGET: Final = frozenset(map(chr, range(0x21, 0x7F))) - frozenset('"<>\\^`{|}#')


class UrlError(Exception):
    """An address that nothing will ever be sent to; the text says what is wrong with it."""


class NotSentError(Exception):
    """Nobody answered; the text says how far it came."""


@dataclass(frozen=True, slots=True)
class Target:
    """An https address in its parts; ``target`` is path and query."""

    host: str
    port: int
    target: str

    @property
    def authority(self) -> str:
        """The host as a request names it.

        >>> target_of("https://club.example:8443/hook?x=1").authority
        'club.example:8443'
        """
        return self.host if self.port == 443 else f"{self.host}:{self.port}"


def target_of(url: str, ports: frozenset[int] = PORTS) -> Target:
    """The parts of an address. Raises UrlError for one that could mean two things, or our house.

    >>> target_of("https://Club.Example")
    Target(host='club.example', port=443, target='/')
    >>> target_of("https://club.example@10.0.0.1/")
    Traceback (most recent call last):
    scoring.courier.UrlError: An address with a user name or password is not taken.
    """
    if len(url) > URL_MAX:
        raise UrlError(f"An address has at most {URL_MAX} characters.")
    if not all(letter in _IN_A_TARGET for letter in url):
        raise UrlError(
            "The address has a character that none may have; write a name of other letters"
            " in its ASCII form (xn--...), leave out what follows #, and write others as %XX."
        )
    try:
        parts = urlsplit(url)
        port = 443 if parts.port is None else parts.port
    except ValueError as error:
        raise UrlError("This is no address.") from error
    if parts.scheme != "https" or not url[:8].lower() == "https://":
        raise UrlError("The address must begin with https://")
    if "@" in parts.netloc or "%" in parts.netloc:
        raise UrlError("An address with a user name or password is not taken.")
    if port not in ports or parts.netloc.endswith(":"):
        raise UrlError(f"The port must be {' or '.join(map(str, sorted(ports)))}.")
    host = _name(parts.hostname or "")
    query = f"?{parts.query}" if parts.query else ""
    return Target(host, port, (parts.path or "/") + query)


def _name(host: str) -> str:
    """A full name of the public internet: no number in any spelling, no name of a house."""
    labels = host.split(".")
    if not all(0 < len(one) <= 63 and set(one) <= _IN_A_NAME for one in labels) or len(host) > 253:
        raise UrlError("The address needs the full name of a host.")
    if any(one.startswith("-") or one.endswith("-") for one in labels):
        raise UrlError("The address needs the full name of a host.")
    # A last label of digits (or 0x7f) makes it a number, which has a dozen spellings.
    if len(labels) < 2 or labels[-1][0] not in _LETTERS or labels[-1] in _HOUSE_NAMES:
        raise UrlError("The address needs the full name of a host of the public internet.")
    return host


def is_public(address: Address) -> bool:
    """Whether an address is of the public internet, and wraps no other.

    >>> is_public(ip_address("93.184.215.14")), is_public(ip_address("::ffff:10.0.0.1"))
    (True, False)
    """
    if isinstance(address, IPv6Address) and address not in _PUBLIC_V6:
        return False
    return not any(address in network for network in _NOT_PUBLIC) and address.is_global


def resolve(host: str, port: int) -> list[str]:
    """All addresses of a name, as the system finds them."""
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, proto=socket.IPPROTO_TCP)
    return list(dict.fromkeys(str(one[4][0]) for one in found))


@dataclass(frozen=True, slots=True)
class Courier:
    """How a message is taken: each part of it can be another one in a test, and only there.

    ``proxy`` is the house's own way out, if it has one: it is asked for the address that was
    looked at, never for a name.
    """

    find: Callable[[str, int], Sequence[str]] = resolve
    permits: Callable[[Address], bool] = is_public
    ports: frozenset[int] = PORTS
    context: ssl.SSLContext = field(default_factory=ssl.create_default_context)
    seconds: float = SECONDS
    proxy: tuple[str, int] | None = None

    def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> int:
        """Take a message there; gives the status of the answer, whatever it is.

        Raises UrlError, and NotSentError when there was no answer.
        """
        target = target_of(url, self.ports)
        deadline = time.monotonic() + self.seconds
        vetted = self._vetted(target, deadline)
        try:
            with self._connect(vetted, target, deadline) as line:
                return _ask(line, _request(target, body, headers), deadline)
        except TimeoutError as error:
            raise NotSentError(f"No answer within {self.seconds:g} s.") from error
        except ssl.SSLError as error:
            raise NotSentError(f"No trusted connection ({error.reason or 'TLS'}).") from error
        except OSError as error:
            raise NotSentError(f"No connection ({type(error).__name__}).") from error

    def _vetted(self, target: Target, deadline: float) -> list[Address]:
        """What the name stands for; nothing at all where one of its addresses is not public."""
        found = []
        for text in _in_time(lambda: self.find(target.host, target.port), deadline):
            try:
                address = ip_address(text)
            except ValueError as error:  # an address with a zone: of a link, never public
                raise NotSentError("The name leads to no public address.") from error
            if not self.permits(address):
                raise NotSentError("The name leads to no public address.")
            found.append(address)
        if not found:
            raise NotSentError("The name leads nowhere.")
        return found[:ADDRESSES_MAX]

    def _connect(self, vetted: Sequence[Address], target: Target, deadline: float) -> ssl.SSLSocket:
        """A trusted connection to the first of these addresses that takes one."""
        for place, address in enumerate(vetted):
            is_last = place == len(vetted) - 1
            try:
                raw = self._reach(address, target.port, deadline if is_last else _half(deadline))
            except OSError:
                if is_last:
                    raise
                continue
            try:
                raw.settimeout(_left(deadline))
                return self.context.wrap_socket(raw, server_hostname=target.host)
            except OSError:
                raw.close()
                raise
        raise NotSentError("The name leads nowhere.")

    def _reach(self, address: Address, port: int, deadline: float) -> socket.socket:
        """A line to an address itself, straight or through the proxy."""
        if self.proxy is None:
            family = socket.AF_INET if address.version == 4 else socket.AF_INET6
            line = socket.socket(family, socket.SOCK_STREAM)
        else:
            line = socket.create_connection(self.proxy, timeout=_left(deadline))
        try:
            line.settimeout(_left(deadline))
            if self.proxy is None:
                line.connect((str(address), port))
            else:
                _pass_through(line, address, port, deadline)
        except (OSError, NotSentError):
            line.close()
            raise
        return line


def _pass_through(line: socket.socket, address: Address, port: int, deadline: float) -> None:
    where = f"{address}:{port}" if address.version == 4 else f"[{address}]:{port}"
    request = f"CONNECT {where} HTTP/1.1\r\nHost: {where}\r\n\r\n"
    status = _ask(line, request.encode("ascii"), deadline)
    if status >= 300:
        raise NotSentError(f"The proxy lets nothing through (status {status}).")


def _half(deadline: float) -> float:
    """The first half of the time that is left."""
    return time.monotonic() + _left(deadline) / 2


def _in_time(find: Callable[[], Sequence[str]], deadline: float) -> Sequence[str]:
    """Look a name up; the system's own patience would be far longer than ours."""
    answers: queue.SimpleQueue[Sequence[str] | None] = queue.SimpleQueue()

    def look() -> None:
        try:
            answers.put(find())
        except (OSError, UnicodeError):
            answers.put(None)

    threading.Thread(target=look, daemon=True).start()
    try:
        found = answers.get(timeout=_left(deadline))
    except queue.Empty as error:
        raise NotSentError("The name could not be looked up in time.") from error
    if found is None:
        raise NotSentError("The name is not known.")
    return found


def _left(deadline: float) -> float:
    left = deadline - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


def _request(target: Target, body: bytes, headers: Mapping[str, str]) -> bytes:
    lines = {
        "Host": target.authority,
        "User-Agent": "Painsuit",
        "Accept": "*/*",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Connection": "close",
        **headers,
    }
    head = [
        f"POST {target.target} HTTP/1.1",
        *(f"{name}: {value}" for name, value in lines.items()),
    ]
    return "\r\n".join([*head, "", ""]).encode("ascii") + body


def _ask(line: socket.socket, request: bytes, deadline: float) -> int:
    view = memoryview(request)
    while view:
        line.settimeout(_left(deadline))
        view = view[line.send(view) :]
    read, total = b"", 0
    while True:
        head, end, rest = read.partition(b"\r\n\r\n")
        if end:
            status = _status(head)
            if status >= 200:
                return status
            read = rest  # "go on", "here are hints": the answer is still to come
            continue
        line.settimeout(_left(deadline))
        more = line.recv(4096)
        if not more:
            raise NotSentError("The connection ended before an answer.")
        read, total = read + more, total + len(more)
        if total > ANSWER_BYTES_MAX:
            raise NotSentError("The head of the answer is too long.")


def _status(head: bytes) -> int:
    """The status of an answer's head. Raises NotSentError for what is no answer.

    >>> _status(b"HTTP/1.1 204 No Content")
    204
    """
    words = head.split(b"\r\n", 1)[0].split(b" ", 2)
    is_http = len(words) > 1 and words[0] in (b"HTTP/1.1", b"HTTP/1.0")
    if not is_http or not (words[1].isdigit() and len(words[1]) == 3 and words[1] >= b"100"):
        raise NotSentError("What came back is no answer of a web server.")
    return int(words[1])
