"""The versions of a hand's record as they were sent."""

import json
from contextlib import suppress
from typing import Any

from scoring.models import Form, Hand, HandVersion


def as_sent(version: HandVersion) -> dict[str, Any]:
    """A version by the name of its form, as it came: a ``text``, or ``actions`` or a ``result``."""
    sent = bytes(version.text if version.sent is None else version.sent)
    if version.sent is not None and version.form != Form.RECORD:
        with suppress(ValueError):  # an archive may have brought anything
            return {str(version.form): json.loads(sent)}
    return {"text": sent.decode("utf-8", "replace")}


def version_of(hand: Hand, number: int) -> HandVersion:
    """One version of a hand's record. Raises HandVersion.DoesNotExist. One query."""
    found = HandVersion.objects.get(hand=hand, number=number)
    found.hand = hand
    return found
