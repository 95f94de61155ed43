"""What is on record about hands: their versions, the rulings, what seats said, second records.

About a single hand it is asked with every request, so for that the SQL is made once.
"""

import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import Any, Final, Generic, TypeVar

from django.db.models import IntegerField, Model, QuerySet, UUIDField

from scoring.models import Decided, Form, Hand, HandVersion, State, Word
from tournaments.prepared import Blank, Prepared

M = TypeVar("M", bound=Model)

_VERSION: Final = Prepared(
    lambda: HandVersion.objects.filter(
        hand=Blank("hand", UUIDField()), number=Blank("number", IntegerField())
    )
)


class About(Generic[M]):
    """Rows about hands; ``to`` is the way from a row to its hand."""

    def __init__(self, rows: "Callable[[], QuerySet[M]]", to: str) -> None:
        self._rows = rows
        self._to = to
        self._one = Prepared(lambda: rows().filter(**{to: Blank("hand", UUIDField())}))

    def of(self, hands: Sequence[Hand]) -> Iterable[M]:
        """The rows about some hands. One query."""
        if len(hands) == 1:
            return self._one.rows(hand=hands[0].pk)
        return self._rows().filter(**{f"{self._to}__in": hands})


VERSIONS: Final = About(HandVersion.objects.all, "hand")
STANDING_RULINGS: Final = About(
    lambda: Decided.objects.filter(superseded_by=None, withdrawn=False).order_by(
        "hand_id", "number"
    ),
    "hand",
)
"""Neither superseded nor withdrawals."""
WORDS: Final = About(lambda: Word.objects.select_related("version").order_by("id"), "version__hand")
"""With the versions that they are about."""
OPEN_RIVALS: Final = About(lambda: Hand.objects.filter(state=State.DISPUTED), "rival")
"""Second records that say otherwise, and about which nobody has decided yet."""


def as_sent(version: HandVersion) -> dict[str, Any]:
    """A version by the name of its form, as it came: a ``text``, or ``actions`` or a ``result``."""
    sent = bytes(version.text if version.sent is None else version.sent)
    if version.sent is not None and version.form != Form.RECORD:
        with suppress(ValueError):  # an archive may have brought anything
            return {str(version.form): json.loads(sent)}
    return {"text": sent.decode("utf-8", "replace")}


def version_of(hand: Hand, number: int) -> HandVersion:
    """One version of a hand's record. Raises HandVersion.DoesNotExist. One query."""
    found = _VERSION.first(hand=hand.pk, number=number)
    if found is None:
        raise HandVersion.DoesNotExist
    found.hand = hand
    return found
