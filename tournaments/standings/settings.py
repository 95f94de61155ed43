"""Rules made of settings: each has a default, is read from data, written, and put into words.

Rules are a frozen dataclass of fields as `choice`, `whole` and the others make them.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from fractions import Fraction
from functools import cached_property, partial
from typing import Any, ClassVar, Final, Self, TypeVar

from engine.core.messages import (
    Choice,
    Message,
    MessageError,
    joined_by_semicolons,
    joined_sentences,
    message_of,
)
from tournaments.standings.choices import TieBreak, TieBreakScope
from tournaments.standings.exact import Json, canonical

_NUMBER: Final = re.compile(r"-?[0-9]{1,9}(/[0-9]{1,9}|\.[0-9]{1,6})?")
_NUMBER_MAX: Final = 999_999_999
EXACT_SCHEMA: Final = {
    "anyOf": [
        {"type": "string", "pattern": f"^{_NUMBER.pattern}$"},
        {"type": "integer", "minimum": -_NUMBER_MAX, "maximum": _NUMBER_MAX},
    ]
}
"""What `exact` reads: 3, "7/4", "2.5"."""
_SETTING: Final = "setting"

T = TypeVar("T")
C = TypeVar("C", bound=Choice)


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
    value into plain words; ``choices`` are the texts to choose from, with their words. ``name`` is
    that of its field. ``schema`` describes its JSON (JSON Schema).
    """

    question: str
    read: Callable[[object], Any]
    write: Callable[[Any], Json]
    say: Callable[[Any], str]
    schema: Mapping[str, Any]
    choices: tuple[tuple[str, str], ...] = ()
    name: str = ""


@dataclass(frozen=True)
class RuleSettings:
    """Rules that a club chooses; every field of a subclass is a setting.

    ``SUMMARIZED`` names those that `summarize` of the subclass puts into words.
    """

    SUMMARIZED: ClassVar[frozenset[str]] = frozenset()

    @classmethod
    def settings(cls) -> Mapping[str, Setting]:
        """The settings by name, in their order."""
        return {
            field.name: replace(field.metadata[_SETTING], name=field.name) for field in fields(cls)
        }

    @classmethod
    def json_schema(cls) -> dict[str, Any]:
        """The schema of what `from_data` reads, and of what `to_data` writes."""
        described = {
            name: {**one.schema, "description": str(one.question)}
            for name, one in cls.settings().items()
        }
        return {"type": "object", "properties": described, "additionalProperties": False}

    def conflicts(self) -> Iterator[tuple[str, bool, str]]:
        """Settings that may not go with the others: the name, whether so, and what it needs."""
        yield from ()

    def idle(self) -> Mapping[str, bool]:
        """Settings that may change nothing, and whether that is so as the others stand."""
        return {}

    @cached_property
    def digest(self) -> str:
        """A stable hash of what differs from the defaults: a setting added later changes none.

        64 hexadecimal digits.
        """
        usual = type(self)().to_data()
        special = {name: data for name, data in self.to_data().items() if data != usual[name]}
        return hashlib.sha256(canonical(special).encode()).hexdigest()

    def to_data(self) -> dict[str, Json]:
        """All settings as JSON."""
        return {name: one.write(getattr(self, name)) for name, one in self.settings().items()}

    @classmethod
    def from_data(cls, data: object) -> Self:
        """The rules that some settings make, the others as usual.

        Raises ScoringError naming the first setting that is wrong: unknown, with a bad value, or
        one that cannot go together with the others.
        """
        if not isinstance(data, Mapping):
            raise ScoringError("settings", Message("an object of settings is needed"))
        settings, values = cls.settings(), {}
        for name, value in data.items():
            setting = settings.get(name) if isinstance(name, str) else None
            if setting is None:
                raise ScoringError(str(name)[:100], _unknown(name, settings))
            try:
                values[name] = setting.read(value)
            except ValueError as error:
                raise ScoringError(name, message_of(error)) from None
        rules = cls(**values)
        for name, impossible, message in rules.conflicts():
            if impossible:
                raise ScoringError(name, message)
        return rules

    def describe(self) -> list[str]:
        """The rules in plain English: every setting that matters, the question and its answer."""
        return self._say_settings(self.settings())

    def special_cases(self, *, is_usual_left_out: bool = False) -> list[str]:
        """The rules that `summarize` leaves out: they matter only if something special happens."""
        usual = type(self)().describe() if is_usual_left_out else ()
        names = [name for name in self.settings() if name not in self.SUMMARIZED]
        return [line for line in self._say_settings(names) if line not in usual]

    def _say_settings(self, names: Iterable[str]) -> list[str]:
        idle, settings = self.idle(), self.settings()
        return [
            joined_sentences([settings[name].question, settings[name].say(getattr(self, name))])
            for name in names
            if not idle.get(name)
        ]


def declare(default: T, setting: Setting) -> T:
    """A field of rules: its default, and the setting that it is."""
    return field(default=default, metadata={_SETTING: setting})


def choice(default: C, question: str) -> C:
    """A setting with named values."""
    kind = type(default)
    words = tuple((value.value, value.words) for value in kind)
    schema = {"type": "string", "enum": [value.value for value in kind]}
    return declare(default, Setting(question, _text_of(kind.of), str, _words_of, schema, words))


def _words_of(value: Choice) -> str:
    return value.words


def chain(default: T, question: str, scope: TieBreakScope) -> T:
    """Tie-breaks in an order of the club's; that a place is shared may only stand at the end."""
    labels, last = TieBreak.of(scope), TieBreak.SHARED
    known = {key.value: key for key in labels}

    def read(value: object) -> tuple[TieBreak, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > len(labels):
            raise MessageError(Message("a list of names is needed, none of them twice"))
        if not {*map(str, value)} <= known.keys():
            raise MessageError(Message("one of {words} is needed", words=", ".join(known)))
        keys = tuple(known[str(one)] for one in value)
        if len(set(keys)) < len(keys):
            raise MessageError(Message("a name stands twice"))
        if last in keys[:-1]:
            raise MessageError(Message("nothing can follow {last}", last=last))
        return keys

    words = tuple((key.value, label) for key, label in labels.items())
    names = {"type": "string", "enum": [*known]}
    schema = {"type": "array", "items": names, "maxItems": len(labels), "uniqueItems": True}
    said = partial(_say_chain, labels=labels)
    return declare(default, Setting(question, read, list, said, schema, words))


def _say_chain(keys: Sequence[TieBreak], labels: Mapping[TieBreak, Message]) -> Message:
    last = TieBreak.SHARED
    listed = [labels[key] for key in keys if key is not last]
    return Message("{keys}.", keys=joined_by_semicolons([*listed, labels[last]]))


def say_ties(keys: Sequence[TieBreak], scope: TieBreakScope) -> Message:
    """Say what decides between equal totals."""
    return Message("Level totals: {keys}", keys=_say_chain(keys, TieBreak.of(scope)))


def whole(default: T, question: str, words: Message, least: int = 0, most: int = _NUMBER_MAX) -> T:
    """A whole number; ``{value}`` in the words stands for it."""

    def read(value: object) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise MessageError(
                Message("a whole number from {least} to {most} is needed", least=least, most=most)
            )
        return value

    schema = {"type": "integer", "minimum": least, "maximum": most}
    return declare(default, Setting(question, read, int, partial(_say, words), schema))


def amount(
    default: T,
    question: str,
    words: Message,
    least: Fraction | None = None,
    most: Fraction | None = None,
) -> T:
    """An exact number: whole, or text such as 7/4 or 2.5."""

    def read(value: object) -> Fraction:
        number = exact(value)
        if least is not None and number < least:
            raise MessageError(Message("{least} or more is needed", least=str(least)))
        if most is not None and number > most:
            raise MessageError(Message("{most} or less is needed", most=str(most)))
        return number

    return declare(default, Setting(question, read, str, partial(_say, words), EXACT_SCHEMA))


def _say(words: Message, value: int | Fraction) -> Message:
    return Message(words.template, value=str(value))


def maybe(made: Any, nothing: str) -> Any:
    """Return the field, which may also say nothing, and does so by default."""
    setting: Setting = made.metadata[_SETTING]
    return declare(
        None,
        Setting(
            setting.question,
            lambda value: None if value is None else setting.read(value),
            lambda value: None if value is None else setting.write(value),
            lambda value: nothing if value is None else setting.say(value),
            {"anyOf": [setting.schema, {"type": "null"}]},
            setting.choices,
        ),
    )


def line(default: str, question: str, words: Message, nothing: str, most: int = 100) -> str:
    """A short text of one line."""

    def say(value: str) -> str:
        return Message(words.template, value=repr(value)) if value else nothing

    schema = {"type": "string", "maxLength": most}
    return declare(default, Setting(question, partial(_read_line, most=most), str, say, schema))


def _read_line(value: object, most: int = 100) -> str:
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        raise MessageError(Message("a line of at most {most} letters is needed", most=most))
    return value


def names(default: tuple[str, ...], question: str, nothing: str, most: int = 50) -> tuple[str, ...]:
    """A list of different short texts, in an order that means something."""

    def read(value: object) -> tuple[str, ...]:
        if isinstance(value, str) or not isinstance(value, Sequence) or len(value) > most:
            raise MessageError(Message("a list of at most {most} names is needed", most=most))
        found = tuple(_read_line(text) for text in value)
        if "" in found or len(set(found)) < len(found):
            raise MessageError(Message("every name is needed once"))
        return found

    def say(value: Sequence[str]) -> str:
        return ", ".join(value) or nothing

    text = {"type": "string", "minLength": 1, "maxLength": 100}
    schema = {"type": "array", "items": text, "maxItems": most, "uniqueItems": True}
    return declare(default, Setting(question, read, list, say, schema))


def exact(value: object) -> Fraction:
    """An exact number out of data. Raises ValueError.

    >>> exact("7/4"), exact("2.5"), exact(-3)
    (Fraction(7, 4), Fraction(5, 2), Fraction(-3, 1))
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) <= _NUMBER_MAX:
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


def _text_of(read: Callable[[str], Choice]) -> Callable[[object], Choice]:
    return lambda value: read(value if isinstance(value, str) else "")


def _unknown(name: object, settings: Mapping[str, Setting]) -> Message:
    near = get_close_matches(str(name)[:100], settings, 1)
    if near:
        return Message("is not a setting; did you mean {name}?", name=near[0])
    return Message("is not a setting")
