"""Why an entry is ranked ahead of the next one, in words."""

from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from django.utils.translation import get_language_bidi
from django.utils.translation import gettext as _

from tournaments.core.language import translate
from tournaments.selectors import spoken_name
from tournaments.standings.order import reason_for
from tournaments.web.number_format import format_number


class Reason(NamedTuple):
    """``sentence`` says it in one line; ``mine`` and ``theirs`` are what was compared."""

    sentence: str
    by: str
    over: str
    mine: str
    theirs: str


def reason(decided: Mapping[str, Any] | None, names: Mapping[str, str]) -> Reason | None:
    """Why an entry is ahead of the one that ``decided`` names; None where there is no such one."""
    if decided is None:
        return None
    by, mine, theirs = _compared_values(decided)
    over = names.get(decided["over"], "")
    sentence = _("ahead of %(name)s by %(by)s %(mine)s v %(theirs)s") % {
        "name": isolate_direction(spoken_name(over)),
        "by": by,
        "mine": format_number(mine),
        "theirs": format_number(theirs),
    }
    return Reason(sentence, by, over, format_number(mine), format_number(theirs))


def isolate_direction(name: str) -> str:
    """A name within a sentence: where this runs from right to left, its signs stay in order.

    >>> isolate_direction("Bo L.")
    'Bo L.'
    """
    return (
        f"\N{FIRST STRONG ISOLATE}{name}\N{POP DIRECTIONAL ISOLATE}"
        if get_language_bidi()
        else name
    )


def _compared_values(decided: Mapping[str, Any]) -> tuple[str, Any, Any]:
    """A countback is told by the first place in which two differ."""
    mine, theirs = decided["mine"], decided["theirs"]
    if decided["key"] == "places" and _is_list(mine) and _is_list(theirs):
        for number, (one, other) in enumerate(zip_longest(mine, theirs, fillvalue="0"), 1):
            if one != other:
                return _("places %(n)d") % {"n": number}, one, other
    return translate(reason_for(decided["key"])), mine, theirs


def _is_list(value: object) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)
