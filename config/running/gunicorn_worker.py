"""The gunicorn worker: an event loop reads requests, threads answer those that are complete.

Tornado reads the header and the body of each request and keeps the deadlines, so that a client that
is slow, or never finishes, holds a connection and some memory, but no thread. ADR 0013 says why.
"""

import asyncio
import logging
import os
import resource
import socket
import ssl
import sys
import time
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from http.client import responses
from io import BytesIO
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import IO, Any, Final
from urllib.parse import unquote_to_bytes

from gunicorn.workers.base import Worker
from tornado import httputil
from tornado.http1connection import HTTP1Connection
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream, SSLIOStream, StreamClosedError

from config.running.limits import BODY_MAX, HEAD_READ_MAX

HEADER_SECONDS: Final = 10.0
"""For a whole header, TLS included; also how long a connection may be idle between requests."""
BODY_DISCARDED_MAX: Final = 256 * 1024 * 1024
"""A body longer than BODY_MAX is thrown away; the application refuses it by its Content-Length."""
BODY_SECONDS: Final = 300.0
"""For a whole body, also on a slow line."""
BODY_RATE_MIN: Final = 1024
"""Bytes of a body that must arrive each second on average, once BODY_GRACE is over."""
BODY_GRACE: Final = 10.0
RATE_CHECK_SECONDS: Final = 2.0
SMALL_BODY_BYTES: Final = 16 * 1024
"""What of a body is held in memory; a larger one waits in a temporary file."""
BODIES_BYTES_MAX: Final = 4 * BODY_MAX
"""How much of all bodies together a process keeps; above it, it asks clients to try again later."""
RETRY_SECONDS: Final = 10
RESPONSE_BYTES: Final = 1024 * 1024
"""What of a response is held in memory; the rest waits in a temporary file."""
PIECE_BYTES: Final = 64 * 1024
"""What of a response is sent at a time."""
PIECE_SECONDS: Final = 30.0
"""For a client to take a piece of its response."""
CHUNK_BYTES: Final = 16 * 1024
"""What is read from a connection at a time."""
BUFFER_BYTES: Final = HEAD_READ_MAX + CHUNK_BYTES
"""What a client may send ahead while its request is being answered."""
HEARTBEAT: Final = 0.5
"""Seconds between two signs of life for gunicorn, and until a stop is noticed."""

Application = Callable[..., Iterable[bytes]]
log = logging.getLogger("gunicorn.error")


class Response:
    """The application's answer: its status line, its headers and its body, to be read."""

    def __init__(self) -> None:
        self.status = ""
        self.headers: list[tuple[str, str]] = []
        self.body: IO[bytes] = SpooledTemporaryFile(RESPONSE_BYTES)  # noqa: SIM115 (closed when sent)
        self.length = 0

    def start(
        self, status: str, headers: list[tuple[str, str]], _exc_info: object = None
    ) -> Callable[[bytes], None]:
        """PEP 3333's ``start_response``; nothing has been sent yet, whatever went wrong."""
        self.status, self.headers = status, headers
        return self.write

    def write(self, piece: bytes) -> None:
        self.body.write(piece)
        self.length += len(piece)


def respond(application: Application, environ: dict[str, Any]) -> Response:
    """Let a WSGI application answer a request, in a thread of the pool."""
    response = Response()
    try:
        pieces = application(environ, response.start)
        try:
            for piece in pieces:
                response.write(piece)
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()
    except Exception:  # the server must go on, whatever an application raises
        log.exception("The application raised an exception.")
        response.body.close()
        response = Response()
        response.start("500 Internal Server Error", [])
    response.body.seek(0)
    return response


class Request(httputil.HTTPMessageDelegate):
    """A request: its body is collected, then a thread answers it."""

    def __init__(self, server: "Server", connection: HTTP1Connection) -> None:
        self.server, self.connection = server, connection
        self.body: IO[bytes] = BytesIO()
        self.is_kept = True
        self.kept = self.received = 0
        self.begun = 0.0
        self.rate_check: asyncio.TimerHandle | None = None

    async def headers_received(
        self,
        start_line: httputil.RequestStartLine | httputil.ResponseStartLine,
        headers: httputil.HTTPHeaders,
    ) -> None:
        assert isinstance(start_line, httputil.RequestStartLine)
        self.start_line, self.headers = start_line, headers
        if start_line.version == "HTTP/1.1" and "Host" not in headers:
            self.refuse(400, "A request of HTTP/1.1 names its host.")
            return
        length = headers.get("Content-Length", "0")
        size = int(length[:20]) if length.isascii() and length.isdigit() else 0
        # The application does not read a body whose length is not said.
        self.is_kept = size <= BODY_MAX and "Transfer-Encoding" not in headers
        if size > SMALL_BODY_BYTES and self.is_kept:
            self.body = SpooledTemporaryFile(SMALL_BODY_BYTES)  # noqa: SIM115 (see `release`)
        self.begun = time.monotonic()
        if size or not self.is_kept:
            self.check_rate()

    def check_rate(self) -> None:
        """Refuse a body that arrives too slowly, else look again soon."""
        seconds = time.monotonic() - self.begun
        if seconds > BODY_GRACE and self.received < seconds * BODY_RATE_MIN:
            self.refuse(408, "The request arrived too slowly.")
        else:
            loop = asyncio.get_running_loop()
            self.rate_check = loop.call_later(RATE_CHECK_SECONDS, self.check_rate)

    def data_received(self, chunk: bytes) -> None:
        self.received += len(chunk)
        if not self.is_kept:
            return
        if self.server.kept_bytes + len(chunk) > BODIES_BYTES_MAX:
            self.refuse(503, "Many large files are arriving just now. Please try again later.")
            return
        self.kept += len(chunk)
        self.server.kept_bytes += len(chunk)
        self.body.write(chunk)

    def finish(self) -> None:
        self.stop_rate_check()
        self.server.begin(self.answer())

    def on_connection_close(self) -> None:
        self.release()

    def stop_rate_check(self) -> None:
        if self.rate_check is not None:
            self.rate_check.cancel()

    def release(self) -> None:
        """Forget the body."""
        self.stop_rate_check()
        self.body.close()
        self.server.kept_bytes -= self.kept
        self.kept = 0

    def refuse(self, status: int, why: str) -> None:
        """Answer before the whole request is read; the connection ends with that."""
        self.release()
        headers = httputil.HTTPHeaders(
            {"Content-Type": "text/plain", "Content-Length": str(len(why)), "Connection": "close"}
        )
        if status == 503:
            headers["Retry-After"] = str(RETRY_SECONDS)
        line = httputil.ResponseStartLine("HTTP/1.1", status, responses[status])
        self.connection.write_headers(line, headers, why.encode("ascii"))
        self.connection.finish()

    async def answer(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            response = await loop.run_in_executor(
                self.server.threads, respond, self.server.application, self.environ()
            )
            self.release()
            with response.body:
                await self.send(response)
        except (StreamClosedError, TimeoutError):
            self.connection.close()  # the client has gone, or takes nothing
        except Exception:  # a connection without an answer would wait for ever
            log.exception("A response could not be sent.")
            self.connection.close()
        finally:
            self.release()

    async def send(self, response: Response) -> None:
        """Send a response piece by piece, as fast as the client takes it."""
        code = int(response.status[:3])
        headers = httputil.HTTPHeaders()
        for name, value in response.headers:
            headers.add(name, value.strip())  # Django begins cookies with a space
        headers["Date"] = httputil.format_timestamp(time.time())
        has_body = self.start_line.method != "HEAD" and code not in {204, 304}
        if has_body and "Content-Length" not in headers:
            headers["Content-Length"] = str(response.length)
        line = httputil.ResponseStartLine("HTTP/1.1", code, response.status[4:] or responses[code])
        sent = self.connection.write_headers(
            line, headers, response.body.read(PIECE_BYTES) if has_body else None
        )
        await asyncio.wait_for(sent, PIECE_SECONDS)
        while has_body and (piece := response.body.read(PIECE_BYTES)):
            await asyncio.wait_for(self.connection.write(piece), PIECE_SECONDS)
        self.connection.finish()

    def environ(self) -> dict[str, Any]:
        """The request as PEP 3333 has it."""
        target = self.start_line.path
        if not target.startswith("/"):  # as sent to a proxy
            target = "/" + target.partition("://")[2].partition("/")[2]
        path, _, query = target.partition("?")
        context: Any = self.connection.context
        host, port = self.server.address
        environ = {
            "REQUEST_METHOD": self.start_line.method,
            "SCRIPT_NAME": "",
            "PATH_INFO": unquote_to_bytes(path.encode("latin-1")).decode("latin-1"),
            "QUERY_STRING": query,
            "SERVER_NAME": host,
            "SERVER_PORT": str(port),
            "SERVER_PROTOCOL": self.start_line.version,
            "REMOTE_ADDR": context.remote_ip,
            "wsgi.version": (1, 0),
            "wsgi.url_scheme": context.protocol,
            "wsgi.input": self.body,
            "wsgi.errors": sys.stderr,
            "wsgi.multithread": True,
            "wsgi.multiprocess": True,
            "wsgi.run_once": False,
        }
        self.body.seek(0)
        for name, value in self.headers.items():
            if "_" not in name:  # it would pass for the same name with hyphens, which proxies set
                key = name.upper().replace("-", "_")
                is_special = key in {"CONTENT_TYPE", "CONTENT_LENGTH"}
                environ[key if is_special else f"HTTP_{key}"] = value
        return environ


class _Connections(HTTPServer):
    """The connections of a server, which is told when one ends."""

    def on_close(self, server_conn: object) -> None:
        super().on_close(server_conn)
        assert isinstance(self.request_callback, Server)
        self.request_callback.on_close(server_conn)


class Server(httputil.HTTPServerConnectionDelegate):
    """Accepts connections and hands complete requests to a bounded number of threads."""

    def __init__(
        self,
        application: Application,
        listener: socket.socket,
        *,
        threads: int,
        connections_max: int,
        certificate: Path | None,
    ) -> None:
        """Serve https with a ``certificate``: a PEM file with the key, read when it changes."""
        self.application, self.listener = application, listener
        self.address = listener.getsockname()[:2]
        self.threads = ThreadPoolExecutor(threads, "web")
        self.kept_bytes = 0
        self.connections_max = connections_max
        self.connections = 0
        self.certificate = certificate
        self._certificate_time = 0
        self._tls: ssl.SSLContext | None = None
        self._answers: set[asyncio.Task[None]] = set()
        self._http = _Connections(
            self,
            chunk_size=CHUNK_BYTES,
            max_header_size=HEAD_READ_MAX,
            idle_connection_timeout=HEADER_SECONDS,
            max_body_size=BODY_DISCARDED_MAX,
            body_timeout=BODY_SECONDS,
        )
        self._loop = asyncio.get_running_loop()
        self._is_open = True
        listener.setblocking(False)  # noqa: FBT003 (the name of its parameter is not documented)
        self._loop.add_reader(listener, self._accept)

    def start_request(
        self, server_conn: object, request_conn: httputil.HTTPConnection
    ) -> httputil.HTTPMessageDelegate:
        assert isinstance(request_conn, HTTP1Connection)
        return Request(self, request_conn)

    def on_close(self, server_conn: object) -> None:
        self.connections -= 1
        if self._is_open and self.connections == self.connections_max - 1:
            self._loop.add_reader(self.listener, self._accept)

    def begin(self, answer: Coroutine[Any, Any, None]) -> None:
        """Answer a request that is complete."""
        task = self._loop.create_task(answer)
        self._answers.add(task)
        task.add_done_callback(self._answers.discard)

    async def stop(self, seconds: float) -> None:
        """Accept nothing more, and answer for some seconds what was read."""
        self._is_open = False
        self._loop.remove_reader(self.listener)
        if self._answers:
            await asyncio.wait(self._answers, timeout=seconds)
        await self._http.close_all_connections()
        self.threads.shutdown(wait=False, cancel_futures=True)

    def _accept(self) -> None:
        """Take one connection: another process may take the next one sooner."""
        with suppress(OSError):  # another process has taken it, or the client has gone
            connection, address = self.listener.accept()
            stream = self._stream(connection)
            self.connections += 1
            if self.connections >= self.connections_max:
                self._loop.remove_reader(self.listener)
            self._http.handle_stream(stream, address)

    def _stream(self, connection: socket.socket) -> IOStream:
        if self.certificate is None:
            return IOStream(connection, max_buffer_size=BUFFER_BYTES)
        changed = self.certificate.stat().st_mtime_ns
        if self._tls is None or changed != self._certificate_time:
            self._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            self._tls.load_cert_chain(self.certificate)
            self._certificate_time = changed
        tls = self._tls.wrap_socket(
            connection,
            server_side=True,
            do_handshake_on_connect=False,
            suppress_ragged_eofs=False,
        )
        return SSLIOStream(tls, max_buffer_size=BUFFER_BYTES)


class BufferingWorker(Worker):
    """A process of gunicorn: its settings, signals and heartbeat."""

    def run(self) -> None:
        asyncio.run(self._serve())

    async def _serve(self) -> None:
        # It warns of each browser that does not trust the certificate.
        logging.getLogger("tornado.general").setLevel(logging.ERROR)
        (listener,) = self.sockets
        server = Server(
            self.wsgi,
            listener,
            threads=self.cfg.threads,
            # Half of the files that may be open are left for all else.
            connections_max=min(
                self.cfg.worker_connections, resource.getrlimit(resource.RLIMIT_NOFILE)[0] // 2
            ),
            certificate=Path(self.cfg.certfile) if self.cfg.certfile else None,
        )
        while self.alive and self.ppid == os.getppid():
            self.notify()
            await asyncio.sleep(HEARTBEAT)
        await server.stop(self.cfg.graceful_timeout)
