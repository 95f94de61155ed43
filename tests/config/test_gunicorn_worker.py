"""The event loop of the web server: what it reads, what it refuses to wait for, what it answers."""

import asyncio
import http.client
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from config.running import gunicorn_worker
from config.running.certificate import ensure_certificate
from config.running.gunicorn_worker import Server

PATIENCE = 10.0
Start = Callable[[str, list[tuple[str, str]]], object]


class Application:
    """Answers with what it was sent, or as its address says."""

    def __init__(self) -> None:
        self.environs: list[dict[str, Any]] = []
        self.may_answer = threading.Event()
        self.is_asked = threading.Event()

    def __call__(self, environ: dict[str, Any], start: Start) -> Iterable[bytes]:
        self.environs.append(environ)
        if environ["PATH_INFO"] == "/broken":
            raise RuntimeError
        if environ["PATH_INFO"] == "/slow":
            self.is_asked.set()
            assert self.may_answer.wait(PATIENCE)
        twice = [("X-Twice", "1"), ("X-Twice", "2")]
        if environ["PATH_INFO"] == "/split":
            start("200 OK", [("X-Split", "a\r\nX-More: b")])
            return []
        start("200 OK", [("Content-Type", "text/plain"), ("Set-Cookie", " as=Django"), *twice])
        if environ["PATH_INFO"] == "/long":
            return (b"x" * 100_000 for _ in range(30))
        return [environ["wsgi.input"].read(), b"."]


class Running:
    """A server on a port of this machine, with one thread for its application."""

    def __init__(self, certificate: Path | None = None, connections_max: int = 100) -> None:
        self.application = Application()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        self._ready, self._stop = threading.Event(), threading.Event()
        self._thread = threading.Thread(
            target=lambda: asyncio.run(self._serve(certificate, connections_max))
        )
        self._thread.start()
        assert self._ready.wait(PATIENCE)

    async def _serve(self, certificate: Path | None, connections_max: int) -> None:
        server = Server(
            self.application,
            self.listener,
            threads=1,
            connections_max=connections_max,
            certificate=certificate,
        )
        self._ready.set()
        while not self._stop.is_set():
            await asyncio.sleep(0.01)
        await server.stop(PATIENCE)

    def stop(self) -> None:
        self._stop.set()
        self._thread.join(PATIENCE)
        self.listener.close()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def ask(
        self, path: str = "/", body: bytes | None = None, **headers: str
    ) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE)
        connection.request("GET" if body is None else "POST", path, body, headers)
        answer = connection.getresponse()
        found = answer.status, answer.headers, answer.read()
        connection.close()
        return found


def has_ended(connection: socket.socket) -> bool:
    """Send one more byte and say whether the server still waits for others."""
    try:
        connection.sendall(b"X")
        return connection.recv(1) == b""
    except TimeoutError:
        return False
    except ConnectionError:
        return True


@pytest.fixture
def server() -> Iterator[Running]:
    running = Running()
    yield running
    running.stop()


def test_requests_that_are_not_complete_hold_no_thread(server: Running) -> None:
    head = b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n"
    unfinished = [server.connect() for _ in range(30)]
    for number, connection in enumerate(unfinished):
        connection.sendall((b"", head, head + b"\r\n{")[number % 3])
    assert server.ask()[0] == 200
    assert len(server.application.environs) == 1
    unfinished[2].sendall(b"12345678")
    assert unfinished[2].recv(12) == b"HTTP/1.1 200"
    for connection in unfinished:
        connection.close()


def test_a_header_and_a_body_have_a_deadline_however_they_drip(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(gunicorn_worker, "HEADER_SECONDS", 0.5)
    monkeypatch.setattr(gunicorn_worker, "BODY_SECONDS", 0.5)
    server = Running()
    begun = time.monotonic()
    silent, header, body = (server.connect() for _ in range(3))
    header.sendall(b"GET / HTTP/1.1\r\n")
    body.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n")
    for connection in (header, body):
        connection.settimeout(0.1)
        while not has_ended(connection):
            assert time.monotonic() - begun < PATIENCE
    assert silent.recv(1) == b""
    assert server.application.environs == []
    for connection in (silent, header, body):
        connection.close()
    server.stop()


def test_a_request_comes_to_the_application_as_it_was_sent(server: Running) -> None:
    body = bytes(range(256)) * 1000
    status, headers, answer = server.ask(
        "/a%2Fb%C3%BC?q=%C3%BC&r", body, X_Forwarded_Proto="https", Cookie="a=1"
    )
    assert (status, answer) == (200, body + b".")
    assert headers.get_all("X-Twice") == ["1", "2"]
    assert headers["Set-Cookie"] == "as=Django"
    assert headers["Content-Length"] == str(len(answer))
    (environ,) = server.application.environs
    assert environ["PATH_INFO"] == "/a/b\u00c3\u00bc"
    assert environ["QUERY_STRING"] == "q=%C3%BC&r"
    assert environ["CONTENT_LENGTH"] == str(len(body))
    assert environ["HTTP_COOKIE"] == "a=1"
    assert (environ["REMOTE_ADDR"], environ["wsgi.url_scheme"]) == ("127.0.0.1", "http")
    assert "HTTP_X_FORWARDED_PROTO" not in environ, "a name with _ could pass for the proxy's"


def test_one_connection_carries_many_requests_and_head_has_no_body(server: Running) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE)
    for method in ("HEAD", "GET", "HEAD", "GET"):
        connection.request(method, "/")
        answer = connection.getresponse()
        assert answer.read() == (b"." if method == "GET" else b"")
    connection.close()
    with server.connect() as proxy:
        proxy.sendall(b"GET http://club.example/a?b HTTP/1.0\r\n\r\n")
        assert proxy.recv(12) == b"HTTP/1.1 200"
    assert server.application.environs[-1]["PATH_INFO"] == "/a"
    assert server.application.environs[-1]["QUERY_STRING"] == "b"
    for target in (b"http://[", b"*", b"/\xfc?\xfc"):
        with server.connect() as odd:
            odd.sendall(b"OPTIONS " + target + b" HTTP/1.0\r\n\r\n")
            assert odd.recv(12) == b"HTTP/1.1 200"
    assert server.application.environs[-1]["PATH_INFO"] == "/\xfc"


def test_a_long_answer_arrives_whole_and_an_exception_ends_nothing(server: Running) -> None:
    assert server.ask("/broken")[0] == 500
    assert len(server.ask("/long")[2]) == 3_000_000
    with pytest.raises(http.client.RemoteDisconnected):
        server.ask("/split")
    assert server.ask()[0] == 200


def test_the_application_refuses_what_was_not_kept(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gunicorn_worker, "BODY_MAX", 100_000)
    assert server.ask("/", b"x" * 100_000)[2] == b"x" * 100_000 + b"."
    assert server.ask("/", b"x" * 100_001)[2] == b"."
    assert server.application.environs[-1]["CONTENT_LENGTH"] == "100001"


def test_slow_large_bodies_keep_no_place_from_others(server: Running) -> None:
    """Sixteen once held all places for bodies above 16 kB."""
    body = b"x" * (2 * gunicorn_worker.SMALL_BODY_BYTES)
    slow = [server.connect() for _ in range(16)]
    for connection in slow:
        connection.sendall(f"POST / HTTP/1.0\r\nContent-Length: {len(body)}\r\n\r\nx".encode())
    assert server.ask("/", body)[2] == body + b"."
    for connection in slow:
        connection.sendall(body[1:])
        assert connection.recv(12) == b"HTTP/1.1 200"
        connection.close()


def test_who_sends_a_body_more_slowly_than_any_line_is_told_so(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gunicorn_worker, "BODY_GRACE", 0.1)
    monkeypatch.setattr(gunicorn_worker, "RATE_CHECK_SECONDS", 0.05)
    with server.connect() as connection:
        connection.sendall(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999\r\n\r\nx")
        answer = read_all(connection)
    assert answer.startswith(b"HTTP/1.1 408 ")
    assert server.application.environs == []


def test_bodies_above_the_room_for_all_are_asked_to_come_later(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gunicorn_worker, "BODIES_BYTES_MAX", 50_000)
    with server.connect() as first:
        first.sendall(b"POST / HTTP/1.0\r\nContent-Length: 40000\r\n\r\n" + b"x" * 39_999)
        assert server.ask("/", b"x" * 5_000)[0] == 200
        status, headers, why = server.ask("/", b"x" * 20_000)
        assert (status, headers["Retry-After"]) == (503, "10")
        assert b"try again later" in why
        first.sendall(b"x")
        assert first.recv(12) == b"HTTP/1.1 200"
    assert server.ask("/", b"x" * 40_000)[0] == 200


def test_a_request_of_http_1_1_names_its_host(server: Running) -> None:
    for version, status in ((b"1.1", b"400"), (b"1.0", b"200")):
        with server.connect() as connection:
            connection.sendall(b"GET / HTTP/" + version + b"\r\nConnection: close\r\n\r\n")
            assert read_all(connection).startswith(b"HTTP/1.1 " + status)


def read_all(connection: socket.socket) -> bytes:
    """Everything that the server sends until it ends the connection."""
    pieces = []
    while piece := connection.recv(10_000):
        pieces.append(piece)
    return b"".join(pieces)


def test_more_connections_than_may_be_wait_until_others_end() -> None:
    server = Running(connections_max=2)
    first, second = server.connect(), server.connect()
    waiting = threading.Thread(target=server.ask)
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive()
    first.close()
    waiting.join(PATIENCE)
    assert not waiting.is_alive()
    second.close()
    server.stop()


def test_a_stop_answers_what_was_read(server: Running) -> None:
    statuses: list[int] = []
    asking = threading.Thread(target=lambda: statuses.append(server.ask("/slow")[0]))
    asking.start()
    assert server.application.is_asked.wait(PATIENCE)
    threading.Timer(0.2, server.application.may_answer.set).start()
    server.stop()
    asking.join(PATIENCE)
    assert statuses == [200]


def test_a_renewed_certificate_is_shown_without_a_restart(tmp_path: Path) -> None:
    now = datetime.now(UTC)
    first = ensure_certificate(tmp_path, ["localhost"], at=now - timedelta(days=330))
    server = Running(certificate=first.chain)

    def shown() -> bytes | None:
        context = ssl.create_default_context(cafile=first.authority)
        with (
            server.connect() as plain,
            context.wrap_socket(plain, server_hostname="localhost") as tls,
        ):
            tls.sendall(b"GET / HTTP/1.0\r\n\r\n")
            assert tls.recv(12) == b"HTTP/1.1 200"
            return tls.getpeercert(binary_form=True)

    before = shown()
    assert shown() == before
    ensure_certificate(tmp_path, ["localhost"], at=now)
    assert shown() != before
    assert server.application.environs[-1]["wsgi.url_scheme"] == "https"
    server.stop()
