"""Hand submissions: the record, moves or result that a client sent, completed to a record."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from uuid import UUID

from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS
from scoring.models import Form, Game
from scoring.settlement import plan
from scoring.settlement.sealed_papers import fill_in_papers
from scoring.submissions.reading import SubmittedRecord
from scoring.submissions.writing import GameContext, from_actions, from_record, from_result
from tournaments.core.errors import RefusedError

TEXT_BYTES_MAX: Final = 64 * 1024
"""The longest record of one hand (reliability.md section 5)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSubmission:
    """A hand as a client sends it; ``id`` is the client's, ``number`` its place in the game.

    A record comes as ``text``; actions and a result come as ``sent``, JSON, and the text is made
    of them (`complete_submission`). ``sent`` keeps what came wherever the text is something else,
    ``record`` is what the text says, once that is known.
    """

    id: UUID
    number: int
    text: bytes = b""
    form: Form = Form.RECORD
    sent: bytes | None = None
    record: SubmittedRecord | None = None


def check_length(text: bytes) -> None:
    """Raises RefusedError for a record that is longer than a hand can be, and for none."""
    if not text.strip():
        raise RefusedError(Message("Nothing to read yet."), "text")
    if len(text) > TEXT_BYTES_MAX:
        words = Message(
            "A hand may have {most} KiB; this has {size}.",
            most=TEXT_BYTES_MAX // 1024,
            size=len(text) // 1024,
        )
        raise RefusedError(words, "text")


def complete_submission(game: Game, sent: HandSubmission) -> HandSubmission:
    """Return the submission with its record; the caller holds the game's lock.

    Actions and a result need not repeat what the opened papers of the hand say.
    Raises RefusedError for what cannot be written down.
    """
    table = table_of(game, sent.number)
    if sent.form is Form.RECORD:
        record = from_record(table, sent.text)
        came = sent.sent if record.text == sent.text else sent.text
        return replace(sent, text=record.text, sent=came, record=record)
    write = from_actions if sent.form is Form.ACTIONS else from_result
    opened = plan.opened_papers(game, [sent.number]).get(sent.number)
    record = write(table, fill_in_papers(read_fields(sent), opened, table))
    return replace(sent, text=record.text, record=record)


def table_of(game: Game, number: int) -> GameContext:
    """Return the context for writing a hand; without a state while earlier hands are missing."""
    before = plan.state_before(game, number) if number <= game.hands + 1 else None
    return GameContext(
        rules=plan.rules_of(game),
        seats=DEFAULT_SEATS[game.players],
        number=number,
        before=before,
    )


def read_fields(sent: HandSubmission) -> Mapping[str, object]:
    try:
        found = json.loads(sent.sent or b"")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise RefusedError(Message("A JSON object is needed."), str(sent.form))
    return found
