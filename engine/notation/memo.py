"""A dictionary that computes missing values and is cleared when it grows large."""

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")

_KEPT_MAX: Final = 4096


class Memo(dict[K, V]):
    """Values by key, computed by one function; at most so many are kept.

    >>> lengths = Memo(len)
    >>> lengths["SQ"]
    2
    """

    def __init__(self, compute: Callable[[K], V], most: int = _KEPT_MAX) -> None:
        super().__init__()
        self._compute = compute
        self._most = most

    def __missing__(self, key: K) -> V:
        """Compute a value and keep it; what the function raises is not kept."""
        value = self._compute(key)
        if len(self) >= self._most:
            self.clear()
        self[key] = value
        return value
