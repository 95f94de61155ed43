"""Irregularities and decisions in words in place of a code or a name."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy

from engine.core.faults import Code
from engine.record.irregularities import IRREGULARITIES, Event, Named, find_by_name
from engine.record.rulings import Decision
from tournaments.core.language import translate

DECISIONS: Mapping[str, object] = {
    Decision.RESULT_STANDS: gettext_lazy("the result stands"),
    Decision.CARD_CORRECTED: gettext_lazy("the card was corrected"),
    Decision.REVOKE_LAW: gettext_lazy("the revoke law"),
    Decision.ASSIGNED_CAPTURES: gettext_lazy("captures assigned"),
    Decision.SCORE_ADJUST: gettext_lazy("points adjusted"),
    Decision.CHIP_ADJUST: gettext_lazy("chips adjusted"),
    Decision.VOID_REDEAL: gettext_lazy("void, dealt again"),
    Decision.VOID_NO_REPLAY: gettext_lazy("void, not dealt again"),
    Decision.ARTIFICIAL_SCORE: gettext_lazy("an artificial score"),
    Decision.WARNING: gettext_lazy("a warning"),
}


def title(what: Named) -> str:
    """A fault or an event in words, those of section 8 where it is one of its events.

    >>> title(Event.REVOKE), title(Code.PAIN_LED)
    ('did not follow suit though able', 'the pain suit led before it was broken')
    """
    event = Event.__members__.get(what.name)
    if event is not None:
        return translate(IRREGULARITIES[event].title)
    assert isinstance(what, Code)
    return translate(what.words)


def title_of(name: str) -> str:
    """Return the title for a ruling's stored name; empty for none and for what is unknown."""
    what = find_by_name(name)
    return "" if what is None else title(what)
