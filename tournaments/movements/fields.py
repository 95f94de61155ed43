"""Finite fields and their products, for rainbow movements of any number of tables.

Elements are whole numbers from 0. In a product of fields of q1, q2, ... elements (H. F. MacNeish
1922) the first so many elements as the smallest field has differ in every one of them, so that
their differences can be divided by.
"""

from collections.abc import Callable
from functools import cache, partial


class FiniteField:
    """The field of ``prime ** degree`` elements; digits in base ``prime`` are the coefficients."""

    def __init__(self, prime: int, degree: int) -> None:
        self.prime = prime
        self.order: int = prime**degree
        self.powers = _find_powers(prime, degree)
        self.logarithms = {element: power for power, element in enumerate(self.powers)}

    def add(self, one: int, other: int) -> int:
        """Return the sum of two elements."""
        return _add(one, other, self.prime)

    def multiply(self, one: int, other: int) -> int:
        """Return the product of two elements."""
        if not one or not other:
            return 0
        power = self.logarithms[one] + self.logarithms[other]
        return self.powers[power % (self.order - 1)]


class Ring:
    """The product of the fields into whose orders a number divides, with that many elements."""

    def __init__(self, order: int) -> None:
        self.fields = [find_field(prime, degree) for prime, degree in factorize(order)]

    @property
    def independent(self) -> int:
        """Return the number of elements with differences that can be divided by."""
        return min(field.order for field in self.fields)

    def shift(self, start: int, step: int, times: int) -> int:
        """Return ``start + step * times``, where ``step`` stands for itself in every field."""
        result, unit = 0, 1
        for field in self.fields:
            start, here = divmod(start, field.order)
            times, factor = divmod(times, field.order)
            result += unit * field.add(here, field.multiply(step, factor))
            unit *= field.order
        return result


@cache
def find_field(prime: int, degree: int) -> FiniteField:
    """Return the field of so many elements; the same object for the same order."""
    return FiniteField(prime, degree)


def factorize(number: int) -> list[tuple[int, int]]:
    """Return the prime powers of a number.

    >>> factorize(72)
    [(2, 3), (3, 2)]
    """
    found = []
    prime = 2
    while number > 1:
        degree = 0
        while number % prime == 0:
            number //= prime
            degree += 1
        if degree:
            found.append((prime, degree))
        prime += 1
    return found


def _add(one: int, other: int, prime: int) -> int:
    result, unit = 0, 1
    while one or other:
        one, left = divmod(one, prime)
        other, right = divmod(other, prime)
        result += unit * ((left + right) % prime)
        unit *= prime
    return result


def _find_powers(prime: int, degree: int) -> list[int]:
    """Return the powers of an element that generates all others but 0, from the power 0 on."""
    order = prime**degree
    steps = (
        (partial(_times, factor=factor, prime=prime) for factor in range(1, prime))
        if degree == 1
        else (partial(_times_x, rest=rest, prime=prime, order=order) for rest in range(order))
    )
    return next(powers for step in steps if len(powers := _orbit(step, order)) == order - 1)


def _times(element: int, factor: int, prime: int) -> int:
    return element * factor % prime


def _times_x(element: int, rest: int, prime: int, order: int) -> int:
    """Return an element times x, where x to the power of the degree equals ``rest``."""
    top, product = divmod(element * prime, order)
    for _ in range(top):
        product = _add(product, rest, prime)
    return product


def _orbit(step: Callable[[int], int], order: int) -> list[int]:
    """Return 1 and what the step leads to, up to a repetition; empty where it never returns."""
    found = [1]
    while (element := step(found[-1])) != 1:
        if not element or len(found) >= order:
            return []
        found.append(element)
    return found
