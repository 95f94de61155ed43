"""Put the modules of a page into few files, since HTTP/1.1 takes a turn for each of them.

Each module becomes a function of its own, after those that it imports, so that none sees the names
of another. What is understood is the part of JavaScript's ``import`` and ``export`` that
``static/js`` uses, at the beginning of a line.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

_IMPORTED: Final = re.compile(
    r'^(import|export) (?:\*(?: as (\w+))?|\{([^}]*)\}) from "\./(\w+)\.js";$', re.MULTILINE
)
_FETCHED: Final = re.compile(r'\bimport\("\./(\w+)\.js"\)')
_LIVE: Final = re.compile(r"^export (let (\w+) = [^;\n]*;)$", re.MULTILINE)
"""A variable that others read as it is now: it stands outside all functions."""
_EXPORTED: Final = re.compile(
    r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE
)
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


@dataclass
class _Module:
    """A module, taken apart: ``body`` has no import and no export; ``$name`` is what it exports."""

    name: str
    body: str
    live: dict[str, str]
    """The lines that declare its live variables, by their names."""
    exported: dict[str, str]
    """What is returned for each name."""
    lines: list[str]
    """What gives names to all that it imports."""

    def text(self) -> str:
        returned = _named((value, name) for name, value in self.exported.items())
        parts = [*self.lines, self.body, f"return {{ {returned} }};"]
        return "\n".join([f"const ${self.name} = (() => {{", *parts, "})();"])


def _named(pairs: Iterable[tuple[str, str]]) -> str:
    """Names or values with their keys, as an object has them."""
    return ", ".join(value if value == key else f"{key}: {value}" for value, key in pairs)


def bundle_modules(modules: Mapping[str, str], start: str, shared: str) -> dict[str, str]:
    """Return the files that stand for ``modules``: texts by names, both without ``.js``.

    ``shared`` has all that ``start`` imports. A module that ``start`` fetches later keeps its name,
    and has what it alone needs. ``start`` stays apart: it names the later ones, these name
    ``shared``, and no file may name itself through others, since its name holds its hash. Raises
    ValueError for what cannot be put together, such as modules that import each other.
    """
    known: dict[str, _Module] = {}
    _take_apart(start, modules, known, within=())
    *first, last = known.values()
    inside = {f"${one.name}" for one in first} | {name for one in first for name in one.live}
    named = f'import {{ {", ".join(sorted(inside))} }} from "./{shared}.js";'
    made = {
        start: "\n".join([named, last.text()]),
        shared: "\n".join([*_join(first), f"export {{ {', '.join(sorted(inside))} }};"]),
    }
    for name in _FETCHED.findall(modules[start]):
        _take_apart(name, modules, known, within=(start,))
        own = [one for one in known.values() if one not in (*first, last)]
        given = f"export const {{ {', '.join(known[name].exported)} }} = ${name};"
        made[name] = "\n".join([named, *_join(own), given])
    return made


def _join(modules: Iterable[_Module]) -> list[str]:
    return [
        *(line for one in modules for line in one.live.values()),
        *(one.text() for one in modules),
    ]


def _take_apart(
    name: str, modules: Mapping[str, str], known: dict[str, _Module], within: tuple[str, ...]
) -> _Module:
    """Add a module to ``known``, after all that it imports."""
    if name in within:
        raise ValueError(f"{name}.js imports itself: {' > '.join((*within, name))}")
    if name in known:
        return known[name]
    text = modules[name]
    live = {variable: line for line, variable in _LIVE.findall(text)}
    exported = {one: one for one in _EXPORTED.findall(text)}
    lines = []
    for kind, whole, names, other in _IMPORTED.findall(text):
        found = _take_apart(other, modules, known, (*within, name))
        chosen = [tuple(one.split(" as ")) for one in re.split(r",\s*", names.strip(", \n")) if one]
        pairs = {one[-1]: one[0] for one in chosen}
        if kind == "export":
            pairs = pairs or {one: one for one in found.exported}
            exported |= {new: f"${other}.{old}" for new, old in pairs.items()}
        elif whole:
            lines.append(f"const {whole} = ${other};")
        if unknown := [old for old in pairs.values() if old not in {*found.exported, *found.live}]:
            raise ValueError(f"{name}.js asks {other}.js for {', '.join(unknown)}")
        if kind == "import" and pairs:
            named = _named((new, old) for new, old in pairs.items() if old not in found.live)
            if any(new != old for new, old in pairs.items() if old in found.live):
                raise ValueError(f"{name}.js gives a variable of {other}.js another name")
            lines.append(f"const {{ {named} }} = ${other};")
    body = _EXPORTED.sub("", _LIVE.sub("", _IMPORTED.sub("", text)))
    if left := _LEFT.search(body):
        raise ValueError(f"{name}.js: not understood: {left[0]}")
    known[name] = _Module(name, body, live, exported, lines)
    return known[name]
