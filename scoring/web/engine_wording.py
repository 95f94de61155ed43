"""The engine's short messages as sentences of a page."""

from collections.abc import Collection
from re import compile as pattern_of
from typing import Final

from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from engine.core.faults import without_legal
from engine.core.messages import Message
from scoring.presentation.cards import CardFace, faces
from scoring.presentation.checks import Finding
from tournaments.core.language import translate
from tournaments.web.number_format import MINUS

_BELOW_ZERO: Final = pattern_of(r"^-(?=[0-9])")
_CARDS: Final = pattern_of(r"(?<![\w'\"])([SHDC][AKQJT2-9]+)(?![\w'\"])")
"""Cards as the engine writes them, one or several of a suit; what is quoted stays as it is."""


def sentence(message: str | None) -> str:
    """A message of the engine in the reader's language, with a capital in front and a stop behind.

    >>> from engine.core.messages import Message
    >>> sentence(Message("{why}; legal: {cards}", why="no suit was named", cards="CA"))
    'No suit was named.'
    """
    words = translate(without_legal(message or ""))
    if not words:
        return ""
    return words[0].upper() + words[1:] + ("" if words[-1] in ".!?…" else ".")


def with_cards(words: str) -> SafeString:
    """Words of the engine, with the cards in them as a page shows and says cards.

    >>> from django.utils.translation import override
    >>> with override("en"):
    ...     with_cards("S9 fell")
    '<span class="word suit-S" role="img" aria-label="9 of spades">9♠</span> fell'
    """
    found = _CARDS.split(words)
    parts = [_cards(part) if place % 2 else part for place, part in enumerate(found)]
    return format_html_join("", "{}", ((part,) for part in parts))


def with_cards_of(finding: Finding, words: str) -> SafeString:
    """The message of a finding; where no law is broken, what looks like cards may be a name."""
    return conditional_escape(words) if finding["law"] is None else with_cards(words)


def with_cards_in(message: str, fields: Collection[str]) -> SafeString:
    """A message in the reader's language, with the cards that stand in some of its ``fields``.

    What stands in others, such as a name, is no card, whatever it looks like; a number below zero
    has a minus sign.

    >>> from django.utils.html import strip_tags
    >>> from django.utils.translation import override
    >>> said = Message("{name} played {card}: {score}", name="H2", card="S9", score="-4")
    >>> with override("en"):
    ...     strip_tags(with_cards_in(said, {"card"}))
    'H2 played 9♠: \N{MINUS SIGN}4'
    """
    if not isinstance(message, Message):
        return conditional_escape(_BELOW_ZERO.sub(MINUS, message))
    filled = {
        name: with_cards(one)
        if name in fields and isinstance(one, str) and not isinstance(one, Message)
        else with_cards_in(one if isinstance(one, str) else str(one), fields)
        for name, one in message.arguments.items()
    }
    template = gettext(message.template)
    return format_html(template, **filled) if filled else conditional_escape(template)


def _cards(written: str) -> SafeString:
    return format_html_join(" ", "{}", ((show_card(face),) for face in faces(written)))


def show_card(face: CardFace) -> SafeString:
    """Return a card in running text: the rank before the sign of its suit, and its name to hear."""
    shown = '<span class="word suit-{}" role="img" aria-label="{}">{}{}</span>'
    return format_html(shown, face.suit, face.name, face.rank, face.symbol)
