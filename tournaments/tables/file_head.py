"""What a file says of itself above its table, as lines of a label and a text."""

from tournaments.tables.cells import readable
from tournaments.tables.model import Properties


def head_lines(properties: Properties) -> list[tuple[str, str]]:
    """Give the lines of a file's head below its title; none where nothing is said."""
    about = properties
    author = "" if about.author == about.title else about.author
    lines = [("", about.status), ("", author), *((one.label, one.text) for one in about.details)]
    return [(readable(label), readable(text)) for label, text in lines if text]
