"""Damaged records: whatever a text says, the page and the API answer."""

import json
import random

import pytest
from django.core.cache import cache
from django.test import Client

from tests.examples import examples
from tests.web.texts import BICYCLE, SLUGS, example

pytestmark = pytest.mark.django_db

PIECES = [
    *'"[]{};-?*+#F0\0\n\u202eé',
    "^R", "^L", "=1=", "$3", "99", "-5", "9" * 21, "HA", "S2", "D2", "NE", "Pass", "\n\n",
    '[Seats "N E S"]', '[Detail "full"]', '[Jackpot "2"]', '[Claim "N 3"]', "% PHN 9.0",
    '[Rules "auction-bicycle/1;players=3..6"]', '[Termination "foot"]', '[Pass "across"]',
    '[Termination "passed-out"]', '[Variant "sahara"]', '[Variant "insurance"]',
    '[Variant "hearts-hoyle"]', '[Variant "auction-hoyle"]',
]  # fmt: skip


def damage(text: str, chance: random.Random) -> str:
    """A text as a tired scorer, a bad scanner or an enemy would leave it."""
    for _ in range(chance.randint(1, 6)):
        lines, words = text.split("\n"), text.split(" ")
        match chance.randrange(5):
            case 0:
                at = chance.randrange(len(text) + 1)
                text = text[:at] + chance.choice(PIECES) + text[at + chance.randint(0, 3) :]
            case 1:
                at = chance.randrange(len(lines))
                del lines[at : at + chance.randint(1, 3)]
                text = "\n".join(lines)
            case 2:
                one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
                lines[one], lines[other] = lines[other], lines[one]
                text = "\n".join(lines)
            case 3:
                words[chance.randrange(len(words))] = chance.choice(PIECES)
                text = " ".join(words)
            case _:
                other_text = example(chance.choice(SLUGS))
                at = chance.randrange(len(other_text))
                text += chance.choice(["\n", "\n\n"]) + other_text[at : at + 400]
    return text


@pytest.mark.property
@pytest.mark.parametrize("first", range(0, 300, 50))
def test_a_damaged_record_is_answered(client: Client, first: int) -> None:
    """The client raises what a view raises, so nothing can hide behind an error page."""
    cache.clear()
    for seed in range(first, first + examples(50)):
        chance = random.Random(seed)
        text = damage(example(chance.choice(SLUGS)), chance)
        at = ".".join(str(chance.randint(0, 14)) for _ in range(3))
        page = client.post("/check/", {"text": text, "at": at, "part": "answer"})
        assert page.status_code == 200, seed
        answer = client.generic("POST", "/api/v1/check", text.encode(), content_type="text/plain")
        assert answer.status_code == 200, seed
        assert set(answer.json()) == {"ok", "diagnostics", "records", "games"}


@pytest.mark.parametrize("length", range(0, len(BICYCLE), 97))
def test_a_record_may_end_anywhere(client: Client, length: int) -> None:
    cache.clear()
    text = BICYCLE[:length]
    assert client.post("/check/", {"text": text, "part": "answer"}).status_code == 200
    body = json.dumps({"text": text})
    answer = client.post("/api/v1/check", body, content_type="application/json")
    assert answer.status_code == (200 if text else 400)
