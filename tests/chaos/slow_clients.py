"""Clients that hold connections and never finish a request, as in a slowloris attack."""

import asyncio
import contextlib
import itertools
import resource
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

DRIP_SECONDS: Final = 1.0
_LINE: Final = b"POST /api/v1/check HTTP/1.1\r\nHost: 127.0.0.1\r\n"
_JSON: Final = _LINE + b"Content-Type: application/json\r\n"
_HEADER: Final = _JSON + b"Content-Length: 4000\r\n"


@dataclass(frozen=True, slots=True)
class Kind:
    """What a client sends at once, and what it sends over and over, a piece each second."""

    start: bytes = b""
    drip: bytes = b""


KINDS: Final = {
    "silent": Kind(),
    "half a header": Kind(_HEADER),
    "a dripping header": Kind(_LINE, b"X-More: 1\r\n"),
    "a dripping body": Kind(_HEADER + b"\r\n{", b" "),
    "a dripping large body": Kind(_JSON + b"Content-Length: 900000\r\n\r\n{", b" "),
}


@dataclass(slots=True)
class SlowClients:
    """How many connections are open now, and how many the server has ended."""

    open: int = 0
    ended: int = 0
    _tasks: set["asyncio.Task[None]"] = field(default_factory=set)

    async def _hold(self, port: int, kind: Kind, tls: ssl.SSLContext | None) -> None:
        """Hold a connection, and open another one whenever the server ends it."""
        while True:
            with contextlib.suppress(OSError):
                reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=tls)
                self.open += 1
                try:
                    writer.write(kind.start)
                    while not reader.at_eof():
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(reader.read(1000), DRIP_SECONDS)
                        writer.write(kind.drip)
                        await writer.drain()
                finally:
                    self.open -= 1
                    writer.transport.abort()  # `close` would wait for a slow server's goodbye
            self.ended += 1
            await asyncio.sleep(DRIP_SECONDS)

    async def run(
        self, port: int, count: int, stop: asyncio.Event, tls: ssl.SSLContext | None
    ) -> None:
        for kind in itertools.islice(itertools.cycle(KINDS.values()), count):
            self._tasks.add(asyncio.create_task(self._hold(port, kind, tls)))
        await stop.wait()
        pending = self._tasks
        while pending:  # `wait_for` of Python 3.11 may swallow that a task is cancelled
            for task in pending:
                task.cancel()
            _, pending = await asyncio.wait(pending, timeout=DRIP_SECONDS)
        await asyncio.sleep(0)  # sockets are closed in the loop's next turn


@contextmanager
def slow_clients(
    port: int, count: int, *, tls: ssl.SSLContext | None = None
) -> Iterator[SlowClients]:
    """Hold ``count`` connections to a port of this machine, in equal parts of each kind."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    clients, stop, loop = SlowClients(), asyncio.Event(), asyncio.new_event_loop()
    thread = threading.Thread(
        target=lambda: loop.run_until_complete(clients.run(port, count, stop, tls)), daemon=True
    )
    thread.start()
    try:
        yield clients
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
