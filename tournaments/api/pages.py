"""Long lists a page at a time, in an order that never changes, from where a cursor points to.

The cursor is signed and bound to its list and filters: nobody makes one, or carries one over.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from django.core import signing
from django.db.models import Model, Q, QuerySet

from tournaments.api.fields import Form, Text, Whole
from tournaments.api.problems import ProblemError

PAGE: Final = 50
PAGE_MOST: Final = 100
TURNING: Final = {
    "limit": Whole(required=False, least=1, most=PAGE_MOST, words=f"As a rule {PAGE}."),
    "cursor": Text(required=False, most=400, words="From the address of the next page."),
}
Row = TypeVar("Row", bound=Model)
Item = TypeVar("Item")


def paged(filters: Form | None) -> Form:
    """The words in the address of a list: its filters, and those for turning the page."""
    return Form(fields={**(filters.fields if filters else {}), **TURNING})


def page_of(
    rows: QuerySet[Row],
    render: Callable[[Row], Any],
    *,
    path: str,
    query: Mapping[str, Any],
    key: str = "pk",
) -> dict[str, Any]:
    """One page of some rows, in ascending order of ``key``, which is unique. One query.

    A key may be of several fields, with blanks between: no two rows have all of them the same.
    """
    names = key.split()
    turning = _Turning(path, query, "" if names == [key] else key)
    if turning.after is not None:
        rows = rows.filter(_after_place(names, turning.after.split(" ", len(names) - 1)))
    limit = turning.limit
    found = list(rows.order_by(*names)[: limit + 1])
    link = None
    if len(found) > limit:
        link = turning.link(" ".join(str(getattr(found[limit - 1], name)) for name in names))
    return {"items": [render(row) for row in found[:limit]], "next": link}


def _after_place(names: Sequence[str], last: Sequence[str]) -> Q:
    """What comes after a row of which the fields ``names`` have the values ``last``."""
    found = Q()
    for at, (name, value) in enumerate(zip(names, last, strict=True)):
        same = dict(zip(names[:at], last, strict=False))
        found |= Q(**same, **{f"{name}__gt": value})
    return found


def part_of(
    rows: Iterable[Item],
    place: Callable[[Item], tuple[Any, ...]],
    *,
    path: str,
    query: Mapping[str, Any],
) -> tuple[list[Item], str | None]:
    """One page of a list that was worked out, by the ``place`` of each, and the next address.

    A place is made of texts and whole numbers, and no two have the same.
    """
    turning = _Turning(path, query)
    waiting = sorted(rows, key=place)
    if turning.after is not None:
        last = json.loads(turning.after)
        waiting = [row for row in waiting if list(place(row)) > last]
    limit = turning.limit
    link = turning.link(json.dumps(list(place(waiting[limit - 1])))) if waiting[limit:] else None
    return waiting[:limit], link


class _Turning:
    """How far a list has been read. Raises ProblemError for a cursor that is not of this list."""

    def __init__(self, path: str, query: Mapping[str, Any], order: str = "") -> None:
        self.limit: int = query.get("limit", PAGE)
        self._path = path
        self._filters = {
            name: _written(query[name]) for name in sorted(query) if name not in TURNING
        }
        self._signer = signing.Signer(salt=f"page {path} {urlencode(self._filters)}{order}")
        self.after = _after(self._signer, query["cursor"]) if "cursor" in query else None

    def link(self, last: str) -> str:
        """The address of the next page."""
        words = {**self._filters, "limit": self.limit, "cursor": self._signer.sign(_opaque(last))}
        return f"{self._path}?{urlencode(words)}"


def _after(signer: signing.Signer, cursor: str) -> str:
    try:
        return signing.b64_decode(signer.unsign(cursor).encode()).decode()
    except signing.BadSignature as error:
        where = {"key": "cursor"}
        words = "This cursor does not belong to this list."
        hint = "Take the address from 'next', or begin without a cursor."
        raise ProblemError("PAGE", words, where=where, hint=hint) from error


def _opaque(text: str) -> str:
    return signing.b64_encode(text.encode()).decode()


def _written(value: Any) -> str:
    """A value as it stands in an address."""
    return str(value).lower() if isinstance(value, bool) else str(value)
