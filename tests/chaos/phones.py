"""Phones at tables, on a network that loses answers: they send until they are told it is kept."""

import http.client
import json
import random
import threading
import time
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from tournaments.core.ids import new_id

LOST: Final = 0.2
"""How many answers never reach the phone."""
TWICE: Final = 0.2
"""How many hands a second phone at the table sends too."""
PATIENCE: Final = 120.0
RETRIED: Final = frozenset({409, 429, 500, 502, 503})


@dataclass(frozen=True, slots=True)
class Slip:
    """A hand on a phone: where it goes, and what is written on it."""

    game: str
    key: str
    number: int
    text: str
    id: str = field(default_factory=lambda: str(new_id()))


@dataclass
class Phone:
    """Sends its slips, each again and again with the same key until it was acknowledged."""

    port: int
    slips: Sequence[Slip]
    seed: int
    deadline: float
    acknowledged: dict[str, Slip] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)
    refused: list[str] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    """Seconds from the first sending of each slip to the first answer that it is kept."""

    def run(self) -> None:
        """Until the slips or the time are used up; a slip that was begun is seen through."""
        dice = random.Random(self.seed)
        for slip in self.slips:
            if time.monotonic() > self.deadline:
                return
            self._see_through(slip, dice)
            if dice.random() < TWICE:
                self._see_through(slip, dice)

    def _see_through(self, slip: Slip, dice: random.Random) -> None:
        key = str(uuid.UUID(int=dice.getrandbits(128)))
        begun, is_kept = time.monotonic(), False
        while time.monotonic() < begun + PATIENCE:
            status, body = self._send(slip, key)
            self.answers[str(status)] += 1
            if status in (200, 201):
                self.acknowledged[slip.id] = slip
                if not is_kept:
                    is_kept = True
                    self.waits.append(time.monotonic() - begun)
                if dice.random() >= LOST:
                    return
            elif status and status not in RETRIED:
                self.refused.append(f"{status} {body[:300]!r} for hand {slip.number}")
                return
            else:
                time.sleep(dice.uniform(0.05, 0.4))
        self.refused.append(f"no answer for hand {slip.number}")

    def _send(self, slip: Slip, key: str) -> tuple[int, bytes]:
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
        values: dict[str, Any] = {"id": slip.id, "number": slip.number, "text": slip.text}
        try:
            line.request(
                "POST",
                f"/api/v1/games/{slip.game}/hands",
                json.dumps(values),
                {
                    "Content-Type": "application/json",
                    "Idempotency-Key": key,
                    "Authorization": f"Bearer {slip.key}",
                },
            )
            answer = line.getresponse()
            return answer.status, answer.read()
        except (OSError, http.client.HTTPException):
            return 0, b""
        finally:
            line.close()


def at_work(phones: Sequence[Phone]) -> list[threading.Thread]:
    """Start them all."""
    threads = [threading.Thread(target=phone.run, daemon=True) for phone in phones]
    for thread in threads:
        thread.start()
    return threads
