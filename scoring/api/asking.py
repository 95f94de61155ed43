"""Parse the request of the check endpoint: a JSON object or a plain text."""

from collections.abc import Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, Final

from django.http import HttpRequest

from engine.notation import Mode
from tournaments.api.bodies import JSON_TYPE, media_type, object_of, text_of
from tournaments.api.problems import ProblemError

KEYS: Final = ("text", "rules", "mode")
MODES: Final = tuple(str(mode) for mode in Mode)


@dataclass(frozen=True, slots=True)
class Question:
    """A text to judge, by which rules, and how strictly."""

    text: bytes | str
    rules: str
    mode: str


def question_of(request: HttpRequest) -> Question:
    """Read the request. Raises ProblemError."""
    if media_type(request) == JSON_TYPE:
        _only(request.GET, ())
        return _from_object(object_of(request))
    asked = request.GET.dict()
    _only(asked, ("rules", "mode"))
    return Question(text_of(request), _rules(asked), _mode(asked))


def _from_object(value: Mapping[str, Any]) -> Question:
    _only(value, KEYS)
    if "text" not in value:
        raise ProblemError("KEY_REQUIRED", "The key 'text' is missing.", where={"key": "text"})
    return Question(_text(value, "text"), _rules(value), _mode(value))


def _only(value: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for key in value:
        if key not in known:
            near = get_close_matches(key[:60], known, 1)
            hint = f"Did you mean {near[0]!r}?" if near else f"Known: {', '.join(known) or 'none'}."
            raise ProblemError(
                "KEY_UNKNOWN", f"{key[:60]!r} is not known.", where={"key": key[:60]}, hint=hint
            )


def _text(value: Mapping[str, Any], key: str) -> str:
    text = value.get(key)
    if text is None and key != "text":
        return ""
    if not isinstance(text, str):
        raise ProblemError("TYPE", f"{key!r} must be a string.", where={"key": key})
    try:
        text.encode()
    except UnicodeEncodeError as error:
        where = {"key": key, "character": error.start}
        words = f"{key!r} holds half a surrogate pair at character {error.start}."
        raise ProblemError("ENCODING", words, where=where) from error
    return text


def _rules(value: Mapping[str, Any]) -> str:
    rules = _text(value, "rules")
    if "\0" in rules:
        raise ProblemError("RULES", "A NUL character is no part of rules.", where={"key": "rules"})
    return rules


def _mode(value: Mapping[str, Any]) -> str:
    mode = _text(value, "mode")
    if mode and mode not in MODES:
        raise ProblemError(
            "VALUE",
            f"{mode[:40]!r} is not a mode.",
            where={"key": "mode"},
            hint=f"One of {', '.join(MODES)}.",
        )
    return mode
