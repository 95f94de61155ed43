"""The documentation for people, served at ``/help/``: ``docs/use`` and ``docs/rules`` as pages.

The Markdown files are part of the installation, so nothing is fetched. A page is rendered when it
is first asked for, and cached as long as the process runs.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final
from xml.etree.ElementTree import Element

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext_lazy as _
from django.views.generic import TemplateView, View
from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

_DOCS: Final = Path(settings.BASE_DIR) / "docs"
_PICTURES: Final = _DOCS / "pictures"
_HOME: Final = "use/README.md"
CHAPTERS: Final = (
    (_("For players"), ("use/players.md", "use/phone.md", "use/privacy.md")),
    (_("For directors"), ("use/first-night.md", "use/nights.md", "use/desk.md")),
    (
        _("For secretaries and treasurers"),
        (
            "use/seasons.md",
            "use/members.md",
            "use/account.md",
            "use/money.md",
            "use/paper.md",
        ),
    ),
    (_("The rules"), ("rules/rules.md", "rules/words.md", "rules/deals.md")),
)
"""What the list beside each page offers; other pages are reached by links within the text."""
_PICTURE: Final = re.compile(r"[a-z0-9-]+\.webp")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page, with the anchor that leads to it."""

    anchor: str
    name: str


@dataclass(frozen=True, slots=True)
class HelpText:
    """A rendered page; ``text`` is HTML without its title."""

    title: str
    text: SafeString
    headings: tuple[Heading, ...]


class _Links(Treeprocessor):
    """Leads links between files to pages; a link to what is not served becomes its words."""

    def __init__(self, md: Markdown, folder: str) -> None:
        super().__init__(md)
        self.folder = folder

    def run(self, root: Element) -> None:
        for link in root.iter("a"):
            target, _hash, anchor = link.get("href", "").partition("#")
            if ":" in target or not target:
                continue
            address = _address_of(posixpath.normpath(posixpath.join(self.folder, target)))
            if address is None:
                link.tag = "span"
                link.attrib.clear()
            else:
                link.set("href", f"{address}#{anchor}" if anchor else address)
        for picture in root.iter("img"):
            name = posixpath.basename(picture.get("src", ""))
            picture.set("src", reverse("help-picture", args=[name]))
            picture.set("loading", "lazy")
            from PIL import Image  # noqa: PLC0415 (1 MB, to tell the size of pictures)

            with Image.open(_PICTURES / name) as file:
                # Its place is kept free until it has come.
                picture.attrib |= {"width": str(file.width), "height": str(file.height)}


class _LinksExtension(Extension):
    def __init__(self, folder: str) -> None:
        super().__init__()
        self.folder = folder

    def extendMarkdown(self, md: Markdown) -> None:  # noqa: N802 (its name in the library)
        md.treeprocessors.register(_Links(md, self.folder), "links between pages", 0)


def _address_of(path: str) -> str | None:
    """The address of a page by its path below ``docs/``; None if it is not served."""
    if path == _HOME:
        return reverse("help")
    folder, _slash, name = path.rpartition("/")
    page = name.removesuffix(".md")
    if page == name or folder not in {"use", "rules"}:
        return None
    if folder == "rules":
        return reverse("help-rules", args=[page])
    return reverse("help-page", args=[page])


@cache
def render_page(path: str) -> HelpText:
    """Render a page by its path below ``docs/``. Raises FileNotFoundError."""
    source = (_DOCS / path).read_text(encoding="utf-8")
    reader = Markdown(
        extensions=[
            "sane_lists",
            "tables",
            "fenced_code",
            "toc",
            _LinksExtension(posixpath.dirname(path)),
        ]
    )
    text = reader.convert(source)
    tokens: list[Mapping[str, Any]] = getattr(reader, "toc_tokens", [])
    first = tokens[0]
    # A table that is wider than a phone is scrolled by itself, also by keys.
    text = text.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    text = text.replace("</table>", "</table></div>")
    text = re.sub(r"<h1.*?</h1>", "", text, count=1)
    return HelpText(
        title=first["name"],
        text=mark_safe(text),  # noqa: S308 (our own files)
        headings=tuple(Heading(one["id"], one["name"]) for one in first["children"]),
    )


@cache
def _list_chapters() -> list[tuple[Any, list[tuple[str, str]]]]:
    """The list beside each page: chapters with the address and the title of their pages."""
    return [
        (title, [(_address_of(path) or "", render_page(path).title) for path in paths])
        for title, paths in CHAPTERS
    ]


class HelpPage(TemplateView):
    """A page of the documentation for people; without a name the first one."""

    http_method_names = ["get", "head"]
    template_name = "help.html"
    folder = "use"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        path = f"{self.folder}/{kwargs['name']}.md" if "name" in kwargs else _HOME
        try:
            page = render_page(path)
        except FileNotFoundError as error:
            raise Http404 from error
        return super().get_context_data(page=page, chapters=_list_chapters(), **kwargs)


class HelpPicture(View):
    """A picture of the documentation."""

    http_method_names = ["get", "head"]

    def get(self, request: HttpRequest, name: str) -> HttpResponse:
        path = _PICTURES / name
        if _PICTURE.fullmatch(name) is None or not path.is_file():
            raise Http404
        answer = HttpResponse(path.read_bytes(), content_type="image/webp")
        patch_cache_control(answer, public=True, max_age=3600)
        return answer
