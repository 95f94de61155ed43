"""What a file says of itself above its table."""

from tournaments.tables.cells import readable
from tournaments.tables.model import Properties

_LONG = frozenset({"scoring"})
"""Details that need a line of their own."""


def head_lines(properties: Properties) -> list[str]:
    """Give the lines of a file's head below its title; none where nothing is said.

    They are few, as a spreadsheet keeps them in view together with the headings.
    """
    about = properties
    author = "" if about.author == about.title else about.author
    said = {
        one.key: f"{one.label}: {one.text}" if one.label else one.text
        for one in about.details
        if one.text
    }
    short = [text for key, text in said.items() if key not in _LONG]
    lines = [[author, about.status], short, *([said[key]] for key in said if key in _LONG)]
    texts = [" \u00b7 ".join(filter(None, parts)) for parts in lines]
    return [readable(text) for text in texts if text]
