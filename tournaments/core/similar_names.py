"""Similar names: whom a name that nobody has may mean (DEC-18). Nothing is decided here."""

from collections.abc import Iterator
from difflib import SequenceMatcher
from itertools import islice
from typing import Final

from engine.core.player_names import name_key
from tournaments.core.name_folding import fold_text

SIMILAR_MAX: Final = 6
"""How many names are given that may be meant by another one."""
_ALIKE: Final = 0.85
"""How much of two names is alike where one may be the other, mistyped (`difflib`)."""
_START: Final = 2
"""With so many letters one word of both names begins, so that few are compared."""
_SPELLED: Final = (("ae", "a"), ("oe", "o"), ("ue", "u"), ("ss", "s"), ("aa", "a"))
"""How letters with marks are typed, and what is left of them without."""

_Words = tuple[str, ...]


class SimilarNames:
    """An index of known names by their keys."""

    def __init__(self) -> None:
        self._words: dict[str, _Words] = {}
        self._by_start: dict[str, dict[str, None]] = {}

    def add(self, key: str) -> None:
        """Know one more name."""
        words = self._words[key] = _words(key)
        for word in words:
            self._by_start.setdefault(word[:_START], {})[key] = None

    def find(self, name: str) -> list[str]:
        """Return the keys of similar names, `SIMILAR_MAX` at most, without the name's own."""
        return list(islice(self._find(name_key(name)), SIMILAR_MAX))

    def _find(self, key: str) -> Iterator[str]:
        words = _words(key)
        keys: dict[str, None] = {}
        for word in words:
            keys |= self._by_start.get(word[:_START], {})
        return (one for one in keys if one != key and _are_alike(words, self._words[one]))


def _words(key: str) -> _Words:
    folded = fold_text(key.replace(".", " ").replace("-", " "))
    for spelled, plain in _SPELLED:
        folded = folded.replace(spelled, plain)
    return tuple(sorted(folded.split()))


def _are_alike(mine: _Words, theirs: _Words) -> bool:
    """Whether words are the same, left out, shortened or mistyped; numbers never are."""
    if mine == theirs:
        return True
    if _digits(mine) != _digits(theirs):
        return False
    if len(mine) == 1 and any(word.startswith(mine[0]) for word in theirs):
        return True
    only_mine = [word for word in mine if word not in theirs]
    only_theirs = [word for word in theirs if word not in mine]
    if len(only_mine) < len(mine):
        if not only_mine or not only_theirs:
            return True
        if len(only_mine) == len(only_theirs) == 1:
            short, long = sorted((only_mine[0], only_theirs[0]), key=len)
            if long.startswith(short):
                return True
    matcher = SequenceMatcher(None, " ".join(mine), " ".join(theirs), autojunk=False)
    return (
        matcher.real_quick_ratio() >= _ALIKE
        and matcher.quick_ratio() >= _ALIKE
        and matcher.ratio() >= _ALIKE
    )


def _digits(words: _Words) -> str:
    return "".join(letter for word in words for letter in word if letter.isdigit())
