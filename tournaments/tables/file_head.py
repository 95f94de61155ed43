"""What a file says of itself above its table, as lines of a label and a text."""

from tournaments.tables.cells import readable
from tournaments.tables.model import Properties


def head_lines(properties: Properties) -> list[tuple[str, str]]:
    """Give the lines of a file's head below its title; none where nothing is said."""
    about = [(detail.label, detail.text) for detail in properties.details]
    status = [("", properties.status)] if properties.status else []
    return [(readable(label), readable(text)) for label, text in (*status, *about) if text]
