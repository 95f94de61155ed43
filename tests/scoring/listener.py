"""A club's own program for tests: an https server on this machine, and the way to let it be found.

The address check is another one in `client_to`, and only there: no setting can do that.
"""

import ssl
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from scoring.webhooks.client import WebhookClient

HOST: Final = "hooks.club.example"
PEM: Final = Path(__file__).with_name("listener.pem")
"""A key and a certificate of HOST for these tests alone."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One request."""

    path: str
    headers: Mapping[str, str]
    body: bytes

    @property
    def id(self) -> str:
        return self.headers["webhook-id"]


@dataclass(slots=True)
class Listener:
    """Hears everything, and does a thing only the first time that it hears its id."""

    port: int
    status: Callable[[Heard], int] = lambda _heard: 204
    heard: list[Heard] = field(default_factory=list)
    done: dict[str, Heard] = field(default_factory=dict)

    @property
    def url(self) -> str:
        return f"https://{HOST}:{self.port}/hook"

    def hear(self, heard: Heard) -> int:
        self.heard.append(heard)
        status = self.status(heard)
        if status < 300:
            self.done.setdefault(heard.id, heard)
        return status


@contextmanager
def listening() -> Iterator[Listener]:
    """Give a running listener."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            self.send_response(listener.hear(Heard(self.path, headers, body)))
            self.send_header("Location", "https://other.example/")
            self.end_headers()

        def log_message(self, *_words: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(PEM)
    server.socket = context.wrap_socket(
        server.socket, server_side=True, do_handshake_on_connect=False
    )
    listener = Listener(server.server_address[1])
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield listener
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def trusting() -> ssl.SSLContext:
    """Trusts the certificate of these tests, and asks for the right name as ever."""
    return ssl.create_default_context(cafile=PEM)


def client_to(
    port: int, found: Sequence[str] = ("127.0.0.1",), *, seconds: float = 5.0
) -> WebhookClient:
    """A client that may come to this machine."""
    return WebhookClient(
        resolve=lambda _host, _port: found,
        permits=lambda _address: True,
        ports=frozenset({port}),
        context=trusting(),
        seconds=seconds,
    )
