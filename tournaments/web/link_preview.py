"""Previews of shared links in a chat or a social network (Open Graph)."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from django.http import HttpRequest
from django.templatetags.static import static
from django.utils.text import Truncator

from tournaments.core.public_address import public_url

LONGEST: Final = 300
"""Characters of a description; readers cut what is longer."""


@dataclass(frozen=True, slots=True)
class LinkPreview:
    """The title, the description, the address and the picture of a shared page."""

    title: str
    description: str
    url: str
    image: str


def link_preview(request: HttpRequest, title: str, lines: Iterable[str]) -> LinkPreview:
    """Describe the page of a request; ``lines`` become one text."""
    description = " · ".join(line for line in lines if line)
    return LinkPreview(
        title=title,
        description=Truncator(description).chars(LONGEST),
        url=public_url(request, request.path),
        image=public_url(request, static("share.png")),
    )
