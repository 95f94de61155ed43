"""Values: frozen dataclasses that cost little to make.

A frozen dataclass sets each of its fields past its own guard, which is slow; and a hand takes
many values. These are made open, filled like any object, and then closed.
"""

from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from typing import Any, TypeVar, cast

T = TypeVar("T")


def quickly_made(cls: type[T]) -> type[T]:
    """A frozen, slotted dataclass, the same in everything, with an ``__init__`` that is quicker.

    The class must stay without subclasses: what is made is of this very class.

    >>> from dataclasses import dataclass
    >>> @quickly_made
    ... @dataclass(frozen=True, slots=True)
    ... class Pair:
    ...     one: int
    ...     two: int = 2
    >>> Pair(1)
    Pair(one=1, two=2)
    >>> Pair(1).one = 3
    Traceback (most recent call last):
    dataclasses.FrozenInstanceError: cannot assign to field 'one'
    """
    init = _generate_init(cls, "__init__", "_become(self, '__class__', _open)")
    init.__annotations__ = cls.__init__.__annotations__
    cls.__init__ = init  # type: ignore[method-assign]
    return cls


def maker(cls: type[T], *, is_checked: bool = False) -> type[T]:
    """A function that makes values of such a class, quicker still; to be called like the class.

    ``is_checked``: the values given need no ``__post_init__``, and it is not called.

    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Pair:
    ...     one: int
    ...     two: int = 2
    >>> maker(Pair)(1)
    Pair(one=1, two=2)
    """
    init = _generate_init(cls, "made", "self = _open()", is_checked=is_checked)
    return cast("type[T]", init)


def _generate_init(
    cls: type, name: str, opening: str, *, is_checked: bool = False
) -> Callable[..., None]:
    """A function that fills the fields of a value and closes it."""
    items = fields(cls)
    slots = {"__slots__": cls.__dict__["__slots__"]}
    known = {"_open": type(cls.__name__, (), slots), "_become": object.__setattr__, "_closed": cls}
    known |= {f"_{item.name}": _default(item) for item in items}
    body = [opening, *map(_assign_field, items), "self.__class__ = _closed"]
    if hasattr(cls, "__post_init__") and not is_checked:
        body.append("self.__post_init__()")
    if name != "__init__":
        body.append("return self")
    itself = "self, " if name == "__init__" else ""
    source = f"def {name}({itself}{_parameters(items)}):\n " + "\n ".join(body)
    made: dict[str, Callable[..., None]] = {}
    exec(source, known, made)  # noqa: S102 - as the dataclasses of the standard library are made
    made[name].__qualname__ = f"{cls.__qualname__}.{name}"
    return made[name]


def _parameters(items: tuple[Field[Any], ...]) -> str:
    """The parameters for all fields, with defaults where they have some."""
    written = [
        item.name if _default(item) is MISSING else f"{item.name}=_{item.name}" for item in items
    ]
    named = [text for text, item in zip(written, items, strict=True) if item.kw_only]
    places = [text for text, item in zip(written, items, strict=True) if not item.kw_only]
    return ", ".join([*places, *(["*", *named] if named else [])])


def _default(item: Field[Any]) -> Any:
    """Return the default of a field: a value, or the function that makes one."""
    return item.default if item.default_factory is MISSING else item.default_factory


def _assign_field(item: Field[Any]) -> str:
    name = item.name
    fresh = item.default_factory is not MISSING
    return f"self.{name} = {f'_{name}() if {name} is _{name} else ' if fresh else ''}{name}"
