"""The engine's short messages as sentences of a page."""

from tournaments.interpreter import interpreted


def without_legal(text: str) -> str:
    """The engine's messages end with the legal cards; the page shows them as cards.

    >>> without_legal("HK does not follow clubs; legal: CA")
    'HK does not follow clubs'
    """
    return "" if text.startswith("legal: ") else text.partition("; legal: ")[0]


def sentence(text: str | None) -> str:
    """A capital in front and a stop behind.

    >>> sentence("no suit was named; legal: CA")
    'No suit was named.'
    """
    words = interpreted(without_legal(text or ""))
    if not words:
        return ""
    return words[0].upper() + words[1:] + ("" if words[-1] in ".!?…" else ".")
