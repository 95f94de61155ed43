"""Share a record by link: the text is kept as it was given, under an unguessable name."""

import secrets
from datetime import datetime

from django.db import transaction

from engine.core.messages import Message
from engine.rules.presets import parse_rules
from scoring.models import SharedRecord
from scoring.presentation.checks import TEXT_BYTES_MAX, read_mode

PUBLIC_ID_BYTES = 18
"""144 bits: nobody finds a link by guessing, and it is 24 letters without padding."""


class CannotShareError(Exception):
    """There is nothing to share, or too much; the text says which."""


@transaction.atomic
def share(*, text: bytes, rules: str, mode: str, at: datetime) -> SharedRecord:
    """Keep a text byte for byte.

    Raises CannotShareError, RulesError for rules that cannot be and ValueError for the mode.
    """
    if not text.strip():
        raise CannotShareError(Message("There is nothing to share yet."))
    if len(text) > TEXT_BYTES_MAX:
        raise CannotShareError(Message("A shared text may have 1 MiB."))
    parse_rules(rules)
    read_mode(mode)
    public_id = secrets.token_urlsafe(PUBLIC_ID_BYTES)
    return SharedRecord.objects.create(
        public_id=public_id, text=text, rules=rules, mode=mode, created_at=at
    )
