"""What pages say: the words that templates and Python modules put through gettext."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from django.apps import apps
from django.utils.translation.template import templatize

from config.catalogue.messages import Key, Message

_ASKING: Final = re.compile(r"^(?:_|n?p?gettext(?:_lazy)?)$")
_IN_TEMPLATE: Final = re.compile(
    r"""\b(_|gettext|ngettext|pgettext|npgettext)\(((?:u?(?:'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"),?\s?)+)"""
)
_MESSAGE: Final = re.compile(r"^(?:Plural)?Message$")
PROGRAMS: Final = ("config", "engine", "scoring", "tournaments")


def found(root: Path) -> Iterator[Message]:
    """Every message of the pages, once for each place where it stands."""
    for path in sorted((root / "templates").rglob("*")):
        if path.suffix in {".html", ".js"}:
            place = str(path.relative_to(root))
            yield from _in_template(path.read_text("utf-8"), place)
    yield from _states()
    for program in PROGRAMS:
        for path in sorted((root / program).rglob("*.py")):
            yield from _in_module(path.read_text("utf-8"), str(path.relative_to(root)))


def _states() -> Iterator[Message]:
    """What models call the states that their rows can be in."""
    for model in apps.get_models():
        if model.__module__.partition(".")[0] in PROGRAMS:
            for field in model._meta.get_fields():
                for _value, label in getattr(field, "choices", None) or ():
                    yield Message(Key(str(label), "state"), places=(model.__module__,))


def _in_template(source: str, place: str) -> Iterator[Message]:
    for asked in _IN_TEMPLATE.finditer(templatize(source, origin=place)):
        words = ast.literal_eval(f"({asked[2].rstrip().rstrip(',')},)")
        yield _message(asked[1], list(words), place)


def _in_module(source: str, place: str) -> Iterator[Message]:
    if "gettext" not in source and "Message(" not in source:
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            name = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            words = [one.value for one in node.args if isinstance(one, ast.Constant)]
            if _MESSAGE.match(name) and words and isinstance(words[0], str):
                asking = "ngettext" if len(words) > 1 else "gettext"
                yield _message(asking, [str(one) for one in words], place)
            elif _ASKING.match(name) and words:
                yield _message(name.removesuffix("_lazy"), [str(one) for one in words], place)


def _message(asking: str, words: list[str], place: str) -> Message:
    context = words.pop(0) if asking in {"pgettext", "npgettext"} else ""
    plural = words[1] if asking in {"ngettext", "npgettext"} else ""
    return Message(Key(words[0], context), plural, places=(place,))
