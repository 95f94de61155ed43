"""The interpreter: what the engine and the use cases say in English, in the reader's language.

They know no reader: a finding is written into books in the words in which it was found, and a page
says those words again, years later, in the language of whoever looks. So the catalogue of what is
said (`said.po`) has patterns, such as "{0} took none and wins {1}.", and words are told by the one
that fits them best. Words that no pattern fits are shown as they are.

Only the product's own messages may come here. What a person typed (a reason, a note, a name) is
shown as it is; where a message contains it, it is quoted, or the caller names it in ``keep``.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from gettext import GNUTranslations
from pathlib import Path
from re import Match, escape
from re import compile as pattern_of
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.utils.functional import lazy
from django.utils.translation import get_language

from engine.messages import Message
from tournaments.core.language import translated

DOMAIN: Final = "said"
FIELD: Final = pattern_of(r"\{(\w*)(?:![rs])?\}")
_LONGEST: Final = 1000
"""Letters: whatever is longer is nobody's sentence."""
_SURE: Final = 5
"""Letters of a pattern: with fewer it is told inside another one only, as "{0} and {1}" is."""
_STOPS: Final = pattern_of(r"(?<=[.!?]) (?=\S)")
_JOINED: Final = pattern_of(r"[.!?:;] \S")
_NESTED: Final = 4
"""So many names may stand before a message, as in "Table 3: South: ..."."""
_PARTS: Final = pattern_of(r", | and | or ")
_QUOTED: Final = pattern_of(r"(?<!\w)(?:'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|“[^”]*”)(?!\w)")
_KEPT_FIRST: Final = 0xE000
"""Letters for private use stand for words that are kept; a text with one is not translated."""
_KEPT_MOST: Final = 1000
_KEPT: Final = pattern_of(r"[\uE000-\uE3E7]")


class Pattern(NamedTuple):
    """What is said: the words between its fields, and how the reader's language has it."""

    between: tuple[str, ...]
    fields: tuple[str, ...]
    text: str

    @property
    def weight(self) -> int:
        """How much of it is words: the more, the less it fits by chance."""
        return sum(letter.isalpha() for letter in "".join(self.between))


def interpreted(words: str, *, keep: Iterable[str] = ()) -> str:
    """Words of the engine or of a use case, in the language of this request.

    ``keep`` are words of persons that stand in them, and stay as they are.
    """
    if not is_interpreted():
        return words
    if isinstance(words, Message):
        return translated(words)
    return _interpreted(str(get_language()), words, tuple(keep))


interpreted_lazily = lazy(interpreted, str)
"""The same for words that are written before there is a reader."""


def is_interpreted() -> bool:
    """Whether this reader's language is another one than that of the engine."""
    return get_language() not in (None, settings.LANGUAGE_CODE)


Members = Callable[[Mapping[str, Any]], frozenset[str]]
"""Tells which members of an object are messages of the product."""


def in_language_of_reader(data: Any, names: frozenset[str] | Members) -> Any:
    """Plain data with what stands under these names interpreted; the data itself stays.

    The ``name`` and the ``players`` that stand beside or above a message are kept in it.
    """
    if not is_interpreted():
        return data
    members = names if callable(names) else lambda _row: names
    return _in_language_of_reader(data, members, ())


def _in_language_of_reader(data: Any, names: Members, keep: tuple[str, ...]) -> Any:
    match data:
        case dict():
            spoken, keep = names(data), (*keep, *_people_in(data))
            return {
                name: _told(value, keep)
                if name in spoken
                else _in_language_of_reader(value, names, keep)
                for name, value in data.items()
            }
        case list() | tuple():
            return [_in_language_of_reader(one, names, keep) for one in data]
        case Message():
            return translated(data)
        case _:
            return data


def _people_in(row: Mapping[str, Any]) -> list[str]:
    players = row.get("players")
    found = [row.get("name"), *(players.values() if isinstance(players, dict) else ())]
    return [one for one in found if isinstance(one, str)]


def _told(value: Any, keep: tuple[str, ...]) -> Any:
    match value:
        case str():
            return interpreted(value, keep=keep)
        case list() | tuple():
            return [_told(one, keep) for one in value]
        case _:
            return value


@lru_cache(maxsize=8192)
def _interpreted(language: str, words: str, keep: tuple[str, ...]) -> str:
    interpreter = interpreter_of(language)
    return words if interpreter is None else interpreter.tell(words, keep)


@cache
def interpreter_of(language: str) -> "Interpreter | None":
    """Who knows what is said in a language; None where there is no catalogue of it."""
    for folder in settings.LOCALE_PATHS:
        path = Path(folder) / language / "LC_MESSAGES" / f"{DOMAIN}.mo"
        if path.is_file():
            return Interpreter(_messages(path))
    return None


def _messages(path: Path) -> dict[str, str]:
    with path.open("rb") as file:
        kept: Mapping[Any, str] = GNUTranslations(file)._catalog  # type: ignore[attr-defined]  # noqa: SLF001
    return {said: text for said, text in kept.items() if isinstance(said, str) and said}


class Interpreter:
    """Tells what is said in one language.

    >>> known = {"{0} bid {1} and named {2}.": "{0} bot {1} und nannte {2}.", "hearts": "Herz"}
    >>> Interpreter(known).tell("Ann bid 4 and named hearts.")
    'Ann bot 4 und nannte Herz.'
    """

    def __init__(self, messages: Mapping[str, str]) -> None:
        self.whole = {said: text for said, text in messages.items() if not FIELD.search(said)}
        patterns = [_pattern(said, text) for said, text in messages.items() if FIELD.search(said)]
        patterns.sort(key=lambda one: (-one.weight, one.between))
        # What has not even the longest of its words needs no closer look.
        self.patterns = [(max(one.between, key=len), one) for one in patterns]
        self.sure = [(core, one) for core, one in self.patterns if one.weight >= _SURE]

    def tell(self, words: str, keep: Iterable[str] = ()) -> str:
        """The words in this language; as they are where it does not know them."""
        if len(words) > _LONGEST or _KEPT.search(words):
            return words
        if not keep and words in self.whole:
            return self.whole[words]
        kept: list[str] = []

        def keep_one(found: Match[str]) -> str:
            if len(kept) == _KEPT_MOST:
                return found[0]
            kept.append(found[0])
            return chr(_KEPT_FIRST + len(kept) - 1)

        shielded = words
        for own in sorted({*keep} - {"", words}, key=len, reverse=True):
            shielded = pattern_of(rf"(?<!\w){escape(own)}(?!\w)").sub(keep_one, shielded)
        shielded = _QUOTED.sub(keep_one, shielded)
        told = self._known(shielded)
        if told is None:
            # A message of the product may have quotes of its own.
            told = self._known(words) if kept and not keep else None
            return told or words
        while _KEPT.search(told):
            told = _KEPT.sub(lambda found: kept[ord(found[0]) - _KEPT_FIRST], told)
        return told

    def _known(self, words: str) -> str | None:
        """None where nothing of it is known."""
        found = self._plainly(words) or self._begun_small(words)
        if found:
            return found
        sentences = _STOPS.split(words)
        if len(sentences) > 1:
            return self._all(sentences, " ")
        return self._stopped(words) or self._joined(words)

    def _plainly(self, words: str) -> str | None:
        return self.whole.get(words) or self._by_pattern(words, self.sure)

    def _begun_small(self, words: str) -> str | None:
        """A short message that was made a sentence has a capital in front."""
        if not words[:1].isupper():
            return None
        found = self._plainly(words[0].lower() + words[1:])
        return found and found[0].upper() + found[1:]

    def _by_pattern(self, words: str, patterns: Sequence[tuple[str, Pattern]]) -> str | None:
        for pattern in [pattern for core, pattern in patterns if core in words]:
            values = fitting(pattern.between, words)
            # A field is within one message: what is joined is told part by part.
            if values is not None and not any(map(_JOINED.search, values)):
                said = dict(zip(pattern.fields, map(self._part, values), strict=True))
                return FIELD.sub(lambda field, said=said: said[field[1]], pattern.text)  # type: ignore[misc]
        return None

    def _part(self, words: str) -> str:
        """What stands in a field: a list of known words, a message, or somebody's name."""
        if len(words) < 2:
            return words
        return (
            self._list(words)
            or self._known(words)
            or self._by_pattern(words, self.patterns)
            or words
        )

    def _list(self, words: str) -> str | None:
        parts = _PARTS.split(words)
        if len(parts) < 2:
            return None
        told = [
            part
            if _KEPT.fullmatch(part)
            else self.whole.get(part) or self._by_pattern(part, self.patterns)
            for part in parts
        ]
        if None in told:
            return None
        joints = [self.whole.get(joint, joint) for joint in _PARTS.findall(words)]
        return "".join(_woven([part or "" for part in told], joints))

    def _stopped(self, words: str) -> str | None:
        if not words.endswith("."):
            return None
        found = self._list(words[:-1]) or self._known(words[:-1])
        return found and f"{found}."

    def _joined(self, words: str) -> str | None:
        parts = words.split("; ")
        if len(parts) > 1:
            return self._all(parts, "; ")
        before, found, after = words.partition(": ")
        if found and words.count(": ") <= _NESTED:
            return self._all([before, after], ": ")
        return None

    def _all(self, parts: Sequence[str], joint: str) -> str | None:
        told = [self._known(part) for part in parts]
        if not any(told):
            return None
        return joint.join(new or old for new, old in zip(told, parts, strict=True))


def fitting(between: Sequence[str], words: str) -> list[str] | None:
    """What stands between the words of a pattern; None where it does not fit.

    >>> fitting(("", " bid ", ""), "Ann bid 4")
    ['Ann', '4']
    """
    first, *middle, last = between
    if not (words.startswith(first) and words.endswith(last)):
        return None
    place, end = len(first), len(words) - len(last)
    values = []
    for piece in middle:
        found = words.find(piece, place, end)
        if found < 0:
            return None
        values.append(words[place:found])
        place = found + len(piece)
    return [*values, words[place:end]] if place <= end else None


def _pattern(said: str, text: str) -> Pattern:
    return Pattern(tuple(FIELD.split(said)[::2]), tuple(FIELD.findall(said)), text)


def _woven(parts: Sequence[str], joints: Sequence[str]) -> Iterator[str]:
    for part, joint in zip(parts, [*joints, ""], strict=True):
        yield part
        yield joint
