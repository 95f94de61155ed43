"""What people wrote, as strangers may read it: with names of members as strangers see them.

For the reasons that DEC-7 publishes. Like erasing (docs/adr/0008) it knows names as they are
written in the club's list of members, and the surname alone; a nickname is not found.
"""

import re

from tournaments.models import Club, Player, Shown
from tournaments.selectors import name_for

_SURNAME_LEAST = 3
"""Letters of a surname that is looked for alone; shorter ones are words as often."""


def hide_names(club: Club, text: str) -> str:
    """A text with every member's name in it as strangers see it. One query, none without a text.

    >>> hide_names(Club(), "")
    ''
    """
    if not text:
        return text
    folded = text.casefold()
    people = Player.objects.filter(club=club, person__isnull=False).order_by("number", "pk")
    seen: dict[str, str] = {}
    for number, name, shown in people.values_list("number", "person__name", "person__shown"):
        is_hidden = shown == Shown.HIDDEN
        public = f"Player {number}" if is_hidden else name_for(name, shown)
        if public == name:
            continue
        first, *others = name.replace(",", " ").split() or [""]
        last = others[-1] if others else first
        seen |= {name: public, f"{last}, {first}": public}
        if is_hidden:
            seen.setdefault(first, public)
        if len(last) >= _SURNAME_LEAST and last != first:
            seen.setdefault(last, public if is_hidden else f"{last[0]}.")
    found = [form for form in seen if form and form.casefold() in folded]
    if not found:
        return text
    forms = "|".join(map(re.escape, sorted(found, key=len, reverse=True)))
    return re.sub(rf"(?<!\w)(?:{forms})(?!\w)", lambda match: seen[match[0]], text)
