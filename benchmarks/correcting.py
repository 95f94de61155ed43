"""Figure 8: the first hand of a long game corrected, and all after it settled again."""

import json
import time
from collections.abc import Iterator
from datetime import timedelta
from statistics import median
from typing import Any, Final

from benchmarks.club import BY, NIGHT, game_of
from benchmarks.figures import Figure, verdict
from benchmarks.ready import database
from scoring.hands.corrections import Correction, correct_hand
from scoring.hands.recording import enter_hand
from scoring.hands.submission import HandSubmission
from scoring.models import Form, Hand
from tournaments.core.ids import new_id

_HANDS: Final = 100
_SLOWEST: Final = 1.0


def figures(rounds: int) -> Iterator[Figure]:
    """One game of a hundred hands, its first hand corrected again and again."""
    with database():
        game = game_of("bicycle", {"starting_chips": "100000"})
        for number in range(1, _HANDS + 1):
            sent = HandSubmission(
                id=new_id(), number=number, form=Form.RESULT, sent=_result(4, 4, 5)
            )
            moment = NIGHT + timedelta(minutes=number)
            enter_hand(game_id=game, sent=sent, by=BY, at=moment)
        first = Hand.objects.get(game=game, number=1)
        yield _figure([_seconds(first, number) for number in range(1, rounds + 1)])


def _result(north: int, east: int, south: int) -> bytes:
    """West is clean and wins; what the others took differs."""
    taken = {"N": north, "E": east, "S": south, "W": 0}
    said: dict[str, Any] = {"bidder": "W", "bid": 2, "pain": "H", "taken": taken}
    return json.dumps(said).encode()


def _seconds(first: Hand, number: int) -> float:
    result = _result(1 + number % 4, 6, 6 - number % 4)
    correction = Correction(form=Form.RESULT, sent=result, why="read across")
    moment = NIGHT + timedelta(days=number)
    begun = time.perf_counter()
    found = correct_hand(hand_id=first.pk, correction=correction, by=BY, at=moment)
    taken = time.perf_counter() - begun
    assert len(found.consequences) == _HANDS
    return taken


def _figure(seconds: list[float]) -> Figure:
    slowest = max(seconds)
    row = [
        str(_HANDS),
        f"{median(seconds) * 1e3:.0f}",
        f"{slowest * 1e3:.0f}",
        f"<= {_SLOWEST * 1e3:.0f}",
        verdict(reached=slowest <= _SLOWEST),
    ]
    columns = ["hands", "median ms", "slowest ms", "goal", "reached"]
    note = "The first hand corrected, and every later one judged, settled and booked anew."
    return Figure("A correction in a long game", columns, [row], note)
