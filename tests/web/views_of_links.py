"""One address of every view: how those who look at all pages tell one page from another."""

from urllib.parse import urlsplit

from django.urls import Resolver404, resolve

OURS = (None, "localhost", "127.0.0.1")
BEGINNINGS = ("/desk/", "/", "/clubs/")
FOREIGN = {"api-docs"}
"""Drawn by a library as it has drawn it everywhere."""


def view_of(address: str) -> str | None:
    """Return the view of an address and what its query chooses; None where it is no page of ours.

    >>> view_of("/desk/"), view_of("/clubs/?q=leiden"), view_of("https://example.org/")
    ('desk', 'clubs-page?q', None)
    """
    parts = urlsplit(address)
    if parts.hostname not in OURS:
        return None
    try:
        view = resolve(parts.path).view_name
    except Resolver404:
        return None
    if view in FOREIGN:
        return None
    chosen = sorted({one.partition("=")[0] for one in parts.query.split("&") if one})
    return f"{view}?{'&'.join(chosen)}" if chosen else view
