"""Signed-in devices, as a list on a page: of an account at the desk and of a player."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils.translation import gettext as _

_BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
)
"""Parts of a user agent and what has them; the first that is found counts."""
_SYSTEMS: Final = (
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Android", "Android"),
    ("CrOS", "Chromebook"),
    ("Windows", "Windows"),
    ("Macintosh", "Mac"),
    ("Linux", "Linux"),
)


@dataclass(frozen=True, slots=True)
class SignedIn:
    """A device in the list; ``value`` is what its button sends, ``place`` about where it is."""

    title: str
    value: str
    made_at: datetime
    used_at: datetime
    is_here: bool
    place: str = ""


def describe_device(user_agent: str) -> str:
    """Name a device by what its browser says of itself.

    >>> describe_device("Mozilla/5.0 (iPhone; CPU iPhone OS 18_0) Version/18.0 Safari/604.1")
    'Safari, iPhone'
    >>> describe_device("curl/8.5.0")
    'Another program'
    """
    names = [
        next((name for part, name in known if part in user_agent), "")
        for known in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, names)) or _("Another program")
