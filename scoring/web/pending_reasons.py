"""Why hands are not simply accepted, as pages show it."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from uuid import UUID

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

from scoring.models import Hand, State, Word
from scoring.presentation.answers import reason_of
from scoring.presentation.seat_names import name_people
from scoring.selectors import queries
from scoring.web.engine_wording import with_cards
from tournaments.core.language import translate


def reasons_shown(
    hands: Sequence[Hand],
    *,
    in_full: bool,
    names: Mapping[UUID, Mapping[str, str]] = MappingProxyType({}),
    objections: Iterable[Word] | None = None,
) -> dict[UUID, SafeString]:
    """The engine's words with cards as cards, those of a seat as they were written.

    ``names`` are what people are called, by hand and seat; without them they are their seats. One
    query where somebody may have objected, the viewer may read it, and ``objections`` were not
    read.
    """
    disputed = [hand.pk for hand in hands if hand.state == State.DISPUTED and in_full]
    if objections is None:
        objections = queries.objections(disputed) if disputed else ()
    said = queries.objected_reasons(objections)
    shown = {}
    for hand in hands:
        reason = reason_of(hand, in_full=in_full) or ""
        if (hand.pk, hand.reason) in said:
            shown[hand.pk] = conditional_escape(hand.reason)
        else:
            shown[hand.pk] = with_cards(translate(name_people(reason, names.get(hand.pk, {}))))
    return shown
