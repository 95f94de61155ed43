"""The documentation for people, served at ``/help/``: ``docs/use`` and ``docs/rules`` as pages.

The Markdown files are part of the installation, so nothing is fetched. A page is rendered when it
is first asked for, and cached as long as the process runs. A translation stands in a folder beside
the English page that is called as its language, such as ``docs/use/de``, and has its anchors.
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
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.generic import TemplateView, View
from markdown import Markdown
from markdown.extensions import Extension
from markdown.treeprocessors import Treeprocessor

from scoring.web.help_search import Section, search_sections, split_sections
from tournaments.web.club_page import requested_name

_DOCS: Final = Path(settings.BASE_DIR) / "docs"
_PICTURES: Final = _DOCS / "pictures"
_HOME: Final = "use/README.md"
_FOLDER: Final = re.compile(r"(use|rules)(?:/([a-z]{2}))?")
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
_PICTURE: Final = re.compile(r"(?:[a-z]{2}/)?[a-z0-9-]+\.webp")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a page, with the anchor that leads to it."""

    anchor: str
    name: str


@dataclass(frozen=True, slots=True)
class HelpText:
    """A rendered page; ``text`` is HTML without its title, in ``language``."""

    title: str
    language: str
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
            path = posixpath.normpath(posixpath.join(self.folder, picture.get("src", "")))
            name = path.removeprefix("pictures/")
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
    """The address of a page by its path below ``docs/``; None if it is not served.

    A page has one address in all languages.
    """
    folder, _slash, name = path.rpartition("/")
    known = _FOLDER.fullmatch(folder)
    page = name.removesuffix(".md")
    if page == name or known is None:
        return None
    if known[1] == "rules":
        return reverse("help-rules", args=[page])
    return reverse("help") if name == "README.md" else reverse("help-page", args=[page])


def find_translation(path: str, language: str) -> str:
    """The path of a page in a language; that of the English page where there is no translation.

    >>> find_translation("use/nights.md", "de"), find_translation("use/nights.md", "xx")
    ('use/de/nights.md', 'use/nights.md')
    """
    folder, _slash, name = path.partition("/")
    translation = f"{folder}/{language}/{name}"
    return translation if (_DOCS / translation).is_file() else path


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
            "attr_list",
            _LinksExtension(posixpath.dirname(path)),
        ]
    )
    text = reader.convert(source)
    tokens: list[Mapping[str, Any]] = getattr(reader, "toc_tokens", [])
    first = tokens[0]
    # A table or a text that is wider than a phone is scrolled by itself, also by keys.
    text = text.replace("<table>", '<div class="scroll" tabindex="0"><table>')
    text = text.replace("</table>", "</table></div>").replace("<pre>", '<pre tabindex="0">')
    text = re.sub(r"<h1.*?</h1>", "", text, count=1)
    folder = _FOLDER.fullmatch(posixpath.dirname(path))
    return HelpText(
        title=first["name"],
        language=(folder and folder[2]) or "en",
        text=mark_safe(text),  # noqa: S308 (our own files)
        headings=tuple(Heading(one["id"], one["name"]) for one in first["children"]),
    )


@cache
def _list_chapters(language: str) -> list[tuple[Any, list[tuple[str, HelpText]]]]:
    """The list beside each page: chapters with the address and the text of their pages."""
    return [
        (
            title,
            [
                (_address_of(path) or "", render_page(find_translation(path, language)))
                for path in paths
            ],
        )
        for title, paths in CHAPTERS
    ]


@cache
def _list_sections(language: str) -> list[Section]:
    """All that can be found, pages of the list first, in a language or else in English."""
    offered = [_HOME, *(path for _title, paths in CHAPTERS for path in paths)]
    served = sorted(
        path.relative_to(_DOCS).as_posix()
        for folder in ("use", "rules")
        for path in (_DOCS / folder).glob("*.md")
    )
    found = []
    for path in dict.fromkeys(offered + served):
        page = render_page(find_translation(path, language))
        for anchor, heading, text in split_sections(page.text):
            address = f"{_address_of(path)}#{anchor}" if anchor else _address_of(path) or ""
            found.append(
                Section(address, page.title, heading, text, page.language, path in offered)
            )
    return found


class HelpPage(TemplateView):
    """A page of the documentation for people; without a name the first one, or a search."""

    http_method_names = ["get", "head"]
    template_name = "help.html"
    folder = "use"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        path = f"{self.folder}/{kwargs['name']}.md" if "name" in kwargs else _HOME
        language = (get_language() or "en").partition("-")[0]
        try:
            page = render_page(find_translation(path, language))
        except FileNotFoundError as error:
            raise Http404 from error
        sought = requested_name(self.request)
        if sought and "name" not in kwargs:
            others = [
                _list_sections(code) for code, _name in settings.LANGUAGES if code != language
            ]
            kwargs["found"] = search_sections(sought, _list_sections(language), others)
        return super().get_context_data(
            page=page, chapters=_list_chapters(language), sought=sought, **kwargs
        )


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
