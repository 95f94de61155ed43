"""Bundle the phone's JavaScript modules into one script, to save requests.

The modules stay what they are, and are still served one by one; nobody has to build anything.
Understood is what these modules use: imports of names from beside them, also under another name
or all together, and exports in front of what is declared. Anything else is an error here.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

_IMPORT: Final = re.compile(
    r'^import (?:\{(?P<names>[^}]*)\}|\* as (?P<whole>\w+)) from "\./(?P<module>\w+)\.js";\n',
    re.MULTILINE,
)
_EXPORT: Final = re.compile(
    r"^export (?=(?:(?:async )?function\*?|class|const) (?P<name>\w+))", re.MULTILINE
)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
_REMARK: Final = re.compile(r"^[ ]*//.*\n", re.MULTILINE)


class UnlinkableError(ValueError):
    """Modules that cannot become one script."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module as it is written: what it needs, and what it does."""

    name: str
    needs: tuple[str, ...]
    head: tuple[str, ...]
    body: str
    exports: tuple[str, ...]

    @classmethod
    def read(cls, name: str, text: str) -> "Module":
        """Raises UnlinkableError for an import or export that is not understood."""
        found = list(_IMPORT.finditer(text))
        rest = _REMARK.sub("", _IMPORT.sub("", text))
        body = _EXPORT.sub("", rest)
        left = _LEFT.search(body)
        if left is not None:
            raise UnlinkableError(f"{name}.js: {left[0]}")
        return cls(
            name=name,
            needs=tuple(one["module"] for one in found),
            head=tuple(_head(one) for one in found),
            body=body,
            exports=tuple(one["name"] for one in _EXPORT.finditer(rest)),
        )

    @property
    def linked(self) -> str:
        """The module as a value that holds its exports."""
        lines = [*self.head, self.body.strip(), f"return {{ {', '.join(self.exports)} }};"]
        return f"const {_place(self.name)} = (() => {{\n" + "\n".join(lines) + "\n})();\n"


def _place(name: str) -> str:
    return f"its_{name}"


def _head(found: re.Match[str]) -> str:
    target = _place(found["module"])
    if found["whole"]:
        return f"const {found['whole']} = {target};"
    names = [one.strip().replace(" as ", ": ") for one in found["names"].split(",")]
    return f"const {{ {', '.join(filter(None, names))} }} = {target};"


def link(start: str, read: Callable[[str], str]) -> str:
    """One script that does what the module ``start`` does; ``read`` gives a module's text.

    Raises UnlinkableError for modules that need each other in a circle, and for what is not
    understood in one of them.
    """
    known: dict[str, Module] = {}
    found = _in_order(start, read, known, ())
    return '"use strict";\n' + "".join(one.linked for one in found)


def _in_order(
    name: str, read: Callable[[str], str], known: dict[str, Module], above: tuple[str, ...]
) -> Iterator[Module]:
    """Every module once, after those that it needs."""
    if name in above:
        raise UnlinkableError(f"in a circle: {' > '.join((*above, name))}")
    if name in known:
        return
    module = Module.read(name, read(name))
    for need in module.needs:
        yield from _in_order(need, read, known, (*above, name))
    known[name] = module
    yield module
