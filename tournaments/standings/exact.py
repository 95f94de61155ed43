"""Exact values as plain data and as text: the same bytes for the same standings."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, TypeAlias

Exact: TypeAlias = Fraction | int
Value: TypeAlias = Fraction | int | str | tuple[Exact, ...] | None
"""What stands in a column: a number, a countback, a lot, or nothing."""
Json: TypeAlias = "bool | int | str | Sequence[Json] | Mapping[str, Json] | None"
ValueData: TypeAlias = int | str | list[str] | None
"""A value as JSON: counts are numbers, exact amounts texts such as "7/4"."""


def plain(value: Exact) -> Exact:
    """Return the number, as an int if it is whole: these are added up much faster."""
    return value.numerator if value.denominator == 1 else value


def common(values: Iterable[Exact]) -> tuple[list[int], int]:
    """Numbers as whole parts of one measure, which are compared and added up much faster.

    >>> common([Fraction(1, 2), Fraction(1, 3), 2])
    ([3, 2, 12], 6)
    """
    numbers = list(values)
    measure = lcm(*{number.denominator for number in numbers})
    if measure == 1:
        return [number.numerator for number in numbers], 1
    return [number.numerator * (measure // number.denominator) for number in numbers], measure


class Countback(tuple[Exact, ...]):  # noqa: SLOT001 (a tuple has no room for attributes)
    """The number of times that each place was reached, the best first.

    ``counts`` are the same in whole parts of ``measure``, which are compared much faster.

    >>> Countback([4, 1], 2), Countback([4, 1], 2).counts
    ((2, Fraction(1, 2)), (4, 1))
    """

    counts: tuple[int, ...]
    measure: int

    def __new__(cls, counts: Iterable[int], measure: int) -> "Countback":
        """Parts of one measure, as `common` gives them."""
        known = tuple(counts)
        parts = {count: plain(Fraction(count, measure)) for count in {*known}}
        made = super().__new__(cls, map(parts.__getitem__, known))
        made.counts, made.measure = known, measure
        return made

    def in_parts_of(self, measure: int) -> tuple[int, ...]:
        """The counts in parts of a finer measure."""
        if measure == self.measure:
            return self.counts
        return tuple([count * (measure // self.measure) for count in self.counts])


def total_of(values: Iterable[Exact]) -> Fraction:
    """The sum of many numbers."""
    parts, measure = common(values)
    return Fraction(sum(parts), measure)


def data_of(value: Value) -> ValueData:
    """A value as JSON: counts stay numbers, exact amounts become text.

    >>> data_of(Fraction(7, 4)), data_of(3), data_of((Fraction(1), Fraction(1, 2)))
    ('7/4', 3, ['1', '1/2'])
    """
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [str(part) for part in value]
    return value


def show(value: Value) -> str:
    """A value for people.

    >>> show(Fraction(7, 4)), show((Fraction(2), Fraction(0), Fraction(1, 2))), show(None)
    ('7/4', '2-0-1/2', 'none')
    """
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return "-".join(map(str, value))
    return str(value)


def canonical(data: object) -> str:
    """Data as the one JSON text that it has, to be stored, hashed and compared byte for byte."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


@dataclass(frozen=True)
class Fragment:
    """Plain data with the text that `canonical` makes of it.

    What does not change is written once, and put together with what does: ``pieces`` are joined
    when the text is asked for, so that a part of a long text is copied once.
    """

    data: Any
    pieces: Sequence[str]

    @cached_property
    def text(self) -> str:
        """The canonical text."""
        return "".join(self.pieces)

    @staticmethod
    def of(data: object) -> "Fragment":
        """Data as a fragment."""
        return Fragment(data, [canonical(data)])

    @staticmethod
    def array(parts: Sequence["Fragment"]) -> "Fragment":
        """Fragments as a list.

        >>> Fragment.array([Fragment.of(1), Fragment.of({"b": 2, "a": 1})]).text
        '[1,{"a":1,"b":2}]'
        """
        pieces = [piece for part in parts for piece in (",", *part.pieces)]
        return Fragment([part.data for part in parts], ["[", *pieces[1:], "]"])

    @staticmethod
    def object(parts: Mapping[str, "Fragment"]) -> "Fragment":
        """Fragments by name.

        >>> Fragment.object({"b": Fragment.of([]), "a": Fragment.of("x")}).text
        '{"a":"x","b":[]}'
        """
        pieces = [
            piece
            for name, one in sorted(parts.items())
            for piece in (",", canonical(name), ":", *one.pieces)
        ]
        return Fragment({name: one.data for name, one in parts.items()}, ["{", *pieces[1:], "}"])
