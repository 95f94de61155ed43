"""Search of the help: sections of pages by the beginnings of their words, headings first."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import unescape
from typing import Final

from django.utils.html import strip_tags

from tournaments.core.name_folding import fold_text

_HEADING: Final = re.compile(r'<h[2-6][^>]* id="([^"]+)"[^>]*>(.*?)</h[2-6]>', re.DOTALL)
_WORD: Final = re.compile(r"\w+")
_CELLS: Final = re.compile(r"</t[dh]>\s*<t[dh]\b")
_BLOCK: Final = re.compile(r"<(?=/?(?:p|li|tr|div|pre|h[1-6])\b)")
_BEFORE: Final = 60
_EXCERPT: Final = 180
"""Characters of a section that are shown, and how many of them before what was found."""
FOUND_MAX: Final = 20


@dataclass(frozen=True)
class Section:
    """A part of a page under one heading; the first part of a page has none."""

    address: str
    title: str
    heading: str
    text: str
    language: str
    is_offered: bool
    """Whether its page is in the list of the help."""

    @cached_property
    def words(self) -> tuple[frozenset[str], ...]:
        """The folded words of the heading, of the page's title and of the text."""
        parts = (self.heading or self.title, self.title, self.text)
        return tuple(frozenset(_WORD.findall(fold_text(part))) for part in parts)

    def rank(self, wanted: Sequence[str]) -> int | None:
        """Say how far off the words are: 0 if all are in the heading, None if one is missing."""
        total = 0
        for word in wanted:
            for off, words in enumerate(self.words):
                if any(one.startswith(word) for one in words):
                    total += off
                    break
            else:
                return None
        return total

    def excerpt(self, wanted: Sequence[str]) -> str:
        """The words around the first that is wanted, or those at the beginning."""
        parts = self.text.split("\n")
        for part in parts:
            for word in _WORD.finditer(part):
                if fold_text(word[0]).startswith(tuple(wanted)):
                    start = max(0, word.start() - _BEFORE)
                    return _cut(part, part.find(" ", start) + 1 if start else 0)
        return _cut(parts[0], 0)


def _cut(text: str, start: int) -> str:
    cut = text[start : start + _EXCERPT]
    if start + _EXCERPT < len(text):
        cut = f"{cut.rpartition(' ')[0]} …"
    return f"… {cut}" if start else cut


def split_sections(page: str) -> Iterator[tuple[str, str, str]]:
    r"""Split the HTML of a page, without its title, into anchor, heading and text of each section.

    A line of the text is a paragraph, an item of a list, or a row of a table.

    >>> list(split_sections('<p>One.</p><h2 id="a">A &amp; B</h2><p>Two,\n<b>3</b>.</p><p>4</p>'))
    [('', '', 'One.'), ('a', 'A & B', 'Two, 3.\n4')]
    """

    def plain(html: str) -> str:
        # Ends of lines within a paragraph mean nothing.
        html = _CELLS.sub(" \N{EN DASH} <i", " ".join(html.replace("\\|", "|").split()))
        lines = unescape(strip_tags(_BLOCK.sub("\n<", html))).split("\n")
        return "\n".join(stripped for line in lines if (stripped := line.strip()))

    before, *parts = _HEADING.split(page)
    yield "", "", plain(before)
    for anchor, heading, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        yield anchor, plain(heading), plain(text)


def search_sections(
    sought: str, sections: Sequence[Section], others: Sequence[Sequence[Section]]
) -> list[tuple[Section, str]]:
    """The sections that have all words sought, or words that begin so, each with an excerpt.

    Words in headings come before words in titles and text; pages outside the list a step later.
    A section is also found by its words in ``others``, which are ``sections`` in other languages.
    """
    wanted = _WORD.findall(fold_text(sought))
    if not wanted:
        return []
    translations = [{section.address: section for section in other} for other in others]
    found = []
    for at, section in enumerate(sections):
        forms = [section, *(t[section.address] for t in translations if section.address in t)]
        ranks = [
            (rank, is_translation)
            for is_translation, form in enumerate(forms)
            if (rank := form.rank(wanted)) is not None
        ]
        if ranks:
            rank, is_translation = min(ranks)
            step = rank + (not section.is_offered)
            found.append(((step, is_translation, at), section))
    found.sort(key=lambda one: one[0])
    return [(section, section.excerpt(wanted)) for _key, section in found[:FOUND_MAX]]
