"""Irregularities in words in place of a code or a name."""

from engine.core.faults import Code
from engine.record.irregularities import IRREGULARITIES, Event, Named, find_by_name
from tournaments.core.language import translate


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
