"""Embedding a hand in other sites: the HTML to paste, and oEmbed 1.0."""

from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _

from tournaments.access.rights import Place
from tournaments.core.public_address import public_url

WIDTH: Final = 720
HEIGHT: Final = 820
"""In CSS pixels: four hands, the trick between them and the buttons below fit without scrolling."""


@dataclass(frozen=True, slots=True)
class Embedding:
    """What a hand's page tells other sites: the frame to paste, and where oEmbed answers."""

    html: str
    discovery: str


def is_embeddable(place: Place) -> bool:
    """Whether other sites may show what is there: only what everybody may see."""
    return place.is_open


def embedding_of(request: HttpRequest, hand: UUID) -> Embedding:
    """How other sites show this hand."""
    page = public_url(request, reverse("hand-page", args=[hand]))
    asked = urlencode({"format": "json", "url": page})
    discovery = f"{public_url(request, reverse('oembed'))}?{asked}"
    return Embedding(frame_of(request, hand, "", WIDTH, HEIGHT), discovery)


def frame_of(request: HttpRequest, hand: UUID, at: str, width: int, height: int) -> str:
    """The text to paste; ``at`` is the place of the play that it opens at, "" for the start."""
    address = public_url(request, reverse("hand-embedded", args=[hand]))
    source = f"{address}?{urlencode({'at': at})}" if at else address
    return format_html(
        '<iframe src="{}" width="{}" height="{}" title="{}" loading="lazy"'
        ' style="border:0;max-width:100%"></iframe>',
        source,
        width,
        height,
        _("A hand, to step through"),
    )
