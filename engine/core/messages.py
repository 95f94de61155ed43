"""Messages: sentences of the product as values, an English template and named arguments.

A message is a text, its English sentence. Whoever shows it to a reader translates the template
and fills in the arguments (`Message.in_language`); the engine knows no language. Cards, seats,
numbers and whatever a person typed are arguments, which are never translated; an argument that is
itself a message is.

Templates have plain fields, ``{name}``, and are written as literals, because they are collected
from the source for translation. An f-string, ``+``, ``%``, ``join`` or a slice makes a plain text
of a message, which then stays English; `tests/test_message_literals.py` forbids them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Any, Final, Self, TypeVar

Argument = str | int
"""What stands in a field of a message; a `Message` is a text too."""
Text = TypeVar("Text", bound=str)
_FIELD: Final = re.compile(r"\{(\w+)\}")


class Message(str):
    """A sentence that remembers what it is made of; equal to its English text.

    >>> why = Message("{card} does not follow {suit}", card="SQ", suit=Message("hearts"))
    >>> why
    'SQ does not follow hearts'
    >>> Message("{why}; legal: {cards}", why=why, cards="H2").arguments["why"].template
    '{card} does not follow {suit}'
    """

    __slots__ = ("arguments", "template")
    template: str
    plural = ""
    arguments: Mapping[str, Argument]

    def __new__(cls, template: str, /, **arguments: Argument) -> Self:
        self = str.__new__(cls, template.format_map(arguments) if arguments else template)
        self.template, self.arguments = template, arguments
        return self

    def __reduce__(self) -> Any:
        return _rebuilt, (self.template, self.plural, self.arguments)

    def in_language(
        self, gettext: Callable[[str], str], ngettext: Callable[[str, str, int], str]
    ) -> str:
        """The sentence in another language; the two functions translate a template.

        >>> german = {"{card} does not follow {suit}": "{card} bedient {suit} nicht"}
        >>> german["hearts"] = "Herz"
        >>> why = Message("{card} does not follow {suit}", card="SQ", suit=Message("hearts"))
        >>> why.in_language(german.__getitem__, lambda one, many, n: one if n == 1 else many)
        'SQ bedient Herz nicht'
        """
        # The translation of the empty text is the head of the catalogue.
        text = gettext(self.template) if self.template else ""
        return self._filled_in(text, gettext, ngettext)

    def _filled_in(
        self,
        text: str,
        gettext: Callable[[str], str],
        ngettext: Callable[[str, str, int], str],
    ) -> str:
        arguments = {
            name: one.in_language(gettext, ngettext) if isinstance(one, Message) else one
            for name, one in self.arguments.items()
        }
        return text.format_map(arguments) if arguments else text

    def as_json(self) -> dict[str, Any]:
        """The message as plain data, to be stored; `from_json` reads it.

        >>> Message("the bid of {bid} is not higher than {highest}", bid=3, highest=4).as_json()
        {'say': 'the bid of {bid} is not higher than {highest}', 'with': {'bid': 3, 'highest': 4}}
        """
        stored: dict[str, Any] = {"say": self.template}
        if self.plural:
            stored["plural"] = self.plural
        if self.arguments:
            stored["with"] = {name: _argument_to_json(one) for name, one in self.arguments.items()}
        return stored


_NOTHING = ""
NO_MESSAGE: Final = Message(_NOTHING)
"""Where there is nothing to say. (A literal would be collected as the head of the catalogue.)"""


class PluralMessage(Message):
    """A message whose wording depends on a number, ``count``.

    >>> PluralMessage("{count} chip", "{count} chips", count=1)
    '1 chip'
    >>> PluralMessage("{count} chip", "{count} chips", count=3)
    '3 chips'
    """

    __slots__ = ("plural",)

    def __new__(cls, template: str, plural: str, /, *, count: int, **arguments: Argument) -> Self:
        arguments = {"count": count, **arguments}
        text = (template if count == 1 else plural).format_map(arguments)
        self = str.__new__(cls, text)
        self.template, self.plural, self.arguments = template, plural, arguments
        return self

    def in_language(
        self, gettext: Callable[[str], str], ngettext: Callable[[str, str, int], str]
    ) -> str:
        text = ngettext(self.template, self.plural, int(self.arguments["count"]))
        return self._filled_in(text, gettext, ngettext)


class MessageError(ValueError):
    """An error whose text is a message; ``str(error)`` is the English sentence.

    >>> error = MessageError(Message("a bid is {least} or more", least=2))
    >>> str(error), error.message.template
    ('a bid is 2 or more', 'a bid is {least} or more')
    """

    def __init__(self, message: Message) -> None:
        super().__init__(message)
        self.message = message


def message_of(error: Exception) -> str:
    """Return the message of an error; ``str(error)`` is the English text alone.

    >>> message_of(MessageError(Message("write 0 or more"))).template
    'write 0 or more'
    """
    found = error.args[0] if error.args else ""
    return found if isinstance(found, str) else str(error)


class Choice(StrEnum):
    """Named values; every value explains itself in ``words``, and at more length in ``details``."""

    words: Message
    details: Message

    def __new__(cls, value: str, words: Message, details: Message = NO_MESSAGE) -> Self:
        member = str.__new__(cls, value)
        member._value_ = value
        member.words, member.details = words, details
        return member

    @classmethod
    def of(cls, text: str) -> Self:
        """The value written as some text. Raises MessageError."""
        for value in cls:
            if value == text:
                return value
        raise MessageError(Message("one of {words} is needed", words=", ".join(cls)))


class Sentence(Message):
    """A message with a capital in front and a full stop behind, in every language.

    >>> Sentence(PluralMessage("one hand is missing", "{count} hands are missing", count=1))
    'One hand is missing.'
    """

    __slots__ = ()

    def __new__(cls, message: str, /) -> Self:
        self = str.__new__(cls, _begun_large(f"{message}."))
        self.template, self.arguments = "{message}.", {"message": message}
        return self

    def __reduce__(self) -> Any:
        return Sentence, (self.arguments["message"],)

    def in_language(
        self, gettext: Callable[[str], str], ngettext: Callable[[str, str, int], str]
    ) -> str:
        return _begun_large(super().in_language(gettext, ngettext))

    def as_json(self) -> dict[str, Any]:
        return {"sentence": _argument_to_json(self.arguments["message"])}


def _begun_large(text: str) -> str:
    return text[:1].upper() + text[1:]


def join_items(items: Sequence[str]) -> str:
    """The items, one at least, with commas between them.

    >>> join_items(["H2", "H5", Message("a joker")])
    'H2, H5, a joker'
    """
    whole, *rest = items
    for item in rest:
        whole = Message("{items}, {last}", items=whole, last=item)
    return whole


def join_with_and(items: Sequence[str]) -> str:
    """The items, one at least, as an enumeration.

    >>> join_with_and(["Ann", "Bea", "Cy"])
    'Ann, Bea and Cy'
    """
    *rest, last = items
    return Message("{items} and {last}", items=join_items(rest), last=last) if rest else last


def join_with_or(items: Sequence[str]) -> str:
    """The items, one at least, as alternatives.

    >>> join_with_or(["pass", "hold"])
    'pass or hold'
    """
    *rest, last = items
    return Message("{items} or {last}", items=join_items(rest), last=last) if rest else last


def joined_by_semicolons(items: Sequence[Text]) -> Text | Message:
    """The items, one at least, with semicolons between them.

    >>> joined_by_semicolons([Message("the last round"), Message("the lot")])
    'the last round; the lot'
    """
    first, *rest = items
    whole: Text | Message = first
    for item in rest:
        whole = Message("{items}; {last}", items=whole, last=item)
    return whole


def joined_sentences(sentences: Sequence[str]) -> str:
    """The sentences, one at least, one after the other.

    >>> joined_sentences([Message("South bid 4."), Message("East wins 17.")])
    'South bid 4. East wins 17.'
    """
    whole, *rest = sentences
    for sentence in rest:
        whole = Message("{sentences} {last}", sentences=whole, last=sentence)
    return whole


def from_json(stored: object) -> str:
    """Return the message that `Message.as_json` wrote; a plain text is given back as it is.

    A plain text is one from before messages were stored, or somebody's own words. Raises
    ValueError for anything else.

    >>> from_json(Message("{count} of {whole}", count=3, whole=PluralMessage(
    ...     "{count} card", "{count} cards", count=52)).as_json())
    '3 of 52 cards'
    >>> from_json({"say": "{name.__class__}", "with": {"name": "Ann"}})
    Traceback (most recent call last):
    ValueError: not a stored message: {'say': '{name.__class__}', 'with': {'name': 'Ann'}}
    """
    if isinstance(stored, str):
        return stored
    match stored:
        case {"sentence": message, **rest} if not rest:
            return Sentence(from_json(message))
        case {"say": str(template), **rest} if rest.keys() <= {"plural", "with"}:
            plural, given = rest.get("plural", ""), rest.get("with", {})
            if isinstance(plural, str) and isinstance(given, dict):
                arguments = {str(name): _argument(one) for name, one in given.items()}
                if _fits(template, arguments) and _fits(plural, arguments):
                    return _rebuilt(template, plural, arguments)
    raise ValueError(f"not a stored message: {stored!r}")


def _argument_to_json(argument: Argument) -> Any:
    if isinstance(argument, Message):
        return argument.as_json()
    # A card is a number that is shown by its name, and an enumeration a text of its own.
    return argument if type(argument) is int else str(argument)


def _argument(stored: object) -> Argument:
    return stored if isinstance(stored, int) else from_json(stored)


def _fits(template: str, arguments: Mapping[str, Argument]) -> bool:
    """Whether a template has plain fields only, and an argument for each."""
    if not arguments:
        return True
    between = _FIELD.sub("", template.replace("{{", "").replace("}}", ""))
    return "{" not in between and "}" not in between and {*_FIELD.findall(template)} <= {*arguments}


def _rebuilt(template: str, plural: str, arguments: Mapping[str, Argument]) -> Message:
    if plural:
        count = arguments.get("count")
        if not isinstance(count, int):
            raise ValueError(f"a plural needs a count: {template!r}")
        rest = {name: one for name, one in arguments.items() if name != "count"}
        return PluralMessage(template, plural, count=count, **rest)
    return Message(template, **arguments)
