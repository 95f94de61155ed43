"""Settings: what a value is called, how it is read from data, written, and put into words."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from difflib import get_close_matches
from fractions import Fraction
from functools import partial
from typing import Any, Final

from engine.messages import (
    Message,
    MessageError,
    joined_by_semicolons,
    joined_sentences,
    message_of,
)
from engine.rules.switches import Choice
from tournaments.standings.exact import Json, canonical

_NUMBER: Final = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{1,6})?")
_MOST: Final = 999_999_999


class ScoringError(ValueError):
    """A setting that cannot be: ``field`` names it, ``message`` says what it needs."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(Message("{field}: {message}", field=field, message=message))
        self.field = field
        self.message = message


@dataclass(frozen=True, slots=True)
class Setting:
    """One setting: the question it answers and its values.

    ``read`` makes a value of JSON and raises ValueError; ``write`` is its inverse; ``say`` puts a
    value into plain words; ``choices`` are the texts to choose from, with their words.
    """

    name: str
    question: str
    read: Callable[[object], Any]
    write: Callable[[Any], Json]
    say: Callable[[Any], str]
    choices: tuple[tuple[str, str], ...] = ()


def choice(name: str, question: str, kind: type[Choice]) -> Setting:
    """A setting with named values."""
    words = tuple((value.value, value.words) for value in kind)
    return Setting(name, question, _text_of(kind.of), str, lambda value: value.words, words)


def chain(name: str, question: str, kind: type[Choice], last: Choice) -> Setting:
    """Several named values in an order of the club's; ``last`` may only stand at the end."""

    def read(value: object) -> tuple[Choice, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > len(kind):
            raise MessageError(Message("a list of names is needed, none of them twice"))
        keys = tuple(_text_of(kind.of)(one) for one in value)
        if len(set(keys)) < len(keys):
            raise MessageError(Message("a name stands twice"))
        if last in keys[:-1]:
            raise MessageError(Message("nothing can follow {last}", last=last))
        return keys

    def say(keys: Sequence[Choice]) -> str:
        listed = [key.words for key in keys if key is not last]
        return Message("{keys}.", keys=joined_by_semicolons([*listed, last.words]))

    words = tuple((value.value, value.words) for value in kind)
    return Setting(name, question, read, list, say, words)


def whole(name: str, question: str, words: Message, least: int = 0, most: int = _MOST) -> Setting:
    """A whole number; ``{value}`` in the words stands for it."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise MessageError(
                Message("a whole number from {least} to {most} is needed", least=least, most=most)
            )
        return value

    return Setting(name, question, read, int, partial(_say, words))


def amount(
    name: str,
    question: str,
    words: Message,
    least: Fraction | None = None,
    most: Fraction | None = None,
) -> Setting:
    """An exact number: whole, or text such as 7/4 or 2.5."""

    def read(value: object) -> Fraction:
        number = exact(value)
        if least is not None and number < least:
            raise MessageError(Message("{least} or more is needed", least=str(least)))
        if most is not None and number > most:
            raise MessageError(Message("{most} or less is needed", most=str(most)))
        return number

    return Setting(name, question, read, str, partial(_say, words))


def _say(words: Message, value: int | Fraction) -> Message:
    return Message(words.template, value=str(value))


def maybe(setting: Setting, nothing: str) -> Setting:
    """The same setting, which may also say nothing."""
    return Setting(
        setting.name,
        setting.question,
        lambda value: None if value is None else setting.read(value),
        lambda value: None if value is None else setting.write(value),
        lambda value: nothing if value is None else setting.say(value),
        setting.choices,
    )


def line(name: str, question: str, words: Message, nothing: str, most: int = 100) -> Setting:
    """A short text of one line."""

    def read(value: object) -> str:
        if not isinstance(value, str) or len(value) > most or not value.isprintable():
            raise MessageError(Message("a line of at most {most} letters is needed", most=most))
        return value

    def say(value: str) -> str:
        return Message(words.template, value=repr(value)) if value else nothing

    return Setting(name, question, read, str, say)


def names(name: str, question: str, nothing: str, most: int = 50) -> Setting:
    """A list of different short texts, in an order that means something."""
    one = line(name, question, Message("{value}"), "")

    def read(value: object) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > most:
            raise MessageError(Message("a list of at most {most} names is needed", most=most))
        found = tuple(one.read(text) for text in value)
        if "" in found or len(set(found)) < len(found):
            raise MessageError(Message("every name is needed once"))
        return found

    return Setting(name, question, read, list, lambda value: ", ".join(value) or nothing)


def exact(value: object) -> Fraction:
    """An exact number out of data. Raises ValueError.

    >>> exact("7/4"), exact("2.5"), exact(-3)
    (Fraction(7, 4), Fraction(5, 2), Fraction(-3, 1))
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _MOST:
        return Fraction(value)
    if isinstance(value, Fraction):
        return value
    if isinstance(value, str) and _NUMBER.fullmatch(value):
        over, slash, under = value.partition("/")
        if not slash:
            return Fraction(over)
        if int(under):
            return Fraction(int(over), int(under))
    raise MessageError(
        Message("a whole number is needed, or an exact one as text, such as 7/4 or 2.5")
    )


def by_name(settings: Iterable[Setting]) -> Mapping[str, Setting]:
    """Settings in their order, to be found by name."""
    return {setting.name: setting for setting in settings}


def read_settings(settings: Mapping[str, Setting], data: object) -> dict[str, Any]:
    """The values that data gives. Raises ScoringError naming the first setting that is wrong."""
    if not isinstance(data, Mapping):
        raise ScoringError("settings", Message("an object of settings is needed"))
    values: dict[str, Any] = {}
    for name, value in data.items():
        setting = settings.get(name) if isinstance(name, str) else None
        if setting is None:
            raise ScoringError(str(name)[:100], _unknown(name, settings))
        try:
            values[name] = setting.read(value)
        except ValueError as error:
            raise ScoringError(name, message_of(error)) from None
    return values


def write_settings(settings: Mapping[str, Setting], value: object) -> dict[str, Json]:
    """All settings of a value as JSON."""
    return {name: setting.write(getattr(value, name)) for name, setting in settings.items()}


def digest_of(settings: Mapping[str, Setting], value: object, plain: object) -> str:
    """A stable hash of what differs from the defaults: a setting added later changes no digest."""
    written, usual = write_settings(settings, value), write_settings(settings, plain)
    special = {name: data for name, data in written.items() if data != usual[name]}
    return hashlib.sha256(canonical(special).encode()).hexdigest()


def describe_settings(
    settings: Mapping[str, Setting], value: object, idle: Iterable[str]
) -> list[str]:
    """Every setting that matters, in words: the question and its answer."""
    skipped = frozenset(idle)
    return [
        joined_sentences([setting.question, setting.say(getattr(value, name))])
        for name, setting in settings.items()
        if name not in skipped
    ]


def covers(settings: Mapping[str, Setting], kind: type) -> bool:
    """Whether every field of a dataclass is a setting, in the same order."""
    return [field.name for field in fields(kind)] == list(settings)


def _text_of(read: Callable[[str], Choice]) -> Callable[[object], Choice]:
    return lambda value: read(value if isinstance(value, str) else "")


def _unknown(name: object, settings: Mapping[str, Setting]) -> Message:
    near = get_close_matches(str(name)[:100], settings, 1)
    if near:
        return Message("is not a setting; did you mean {name}?", name=near[0])
    return Message("is not a setting")
