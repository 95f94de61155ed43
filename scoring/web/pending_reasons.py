"""Why hands are not simply accepted, as pages show it."""

from collections.abc import Sequence
from uuid import UUID

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from scoring.models import Hand, State
from scoring.presentation.answers import reason_of
from scoring.selectors import queries
from scoring.web.engine_wording import with_cards
from tournaments.core.language import translate


def reasons_shown(hands: Sequence[Hand], *, in_full: bool) -> dict[UUID, SafeString]:
    """The engine's words with cards as cards, those of a seat as they were written.

    One query where somebody may have objected, and the viewer may read it.
    """
    disputed = [hand.pk for hand in hands if hand.state == State.DISPUTED and in_full]
    said = queries.objections(disputed) if disputed else frozenset()
    return {hand.pk: _format_reason(hand, said, in_full=in_full) for hand in hands}


def _format_reason(hand: Hand, said: frozenset[tuple[UUID, str]], *, in_full: bool) -> SafeString:
    if (hand.pk, hand.reason) in said:
        return conditional_escape(hand.reason)
    return with_cards(translate(reason_of(hand, in_full=in_full) or ""))
