"""Long lists a page at a time, in an order that never changes, from where a cursor points to.

The cursor is signed and bound to its list and filters: nobody makes one, or carries one over.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, TypeVar
from urllib.parse import urlencode

from django.core import signing
from django.db.models import Model, QuerySet

from tournaments.api.fields import Form, Text, Whole
from tournaments.api.problems import ProblemError

PAGE: Final = 50
PAGE_MOST: Final = 100
TURNING: Final = {
    "limit": Whole(required=False, least=1, most=PAGE_MOST, words=f"As a rule {PAGE}."),
    "cursor": Text(required=False, most=400, words="From the address of the next page."),
}
Row = TypeVar("Row", bound=Model)


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
    """One page of some rows, in ascending order of ``key``, which is unique. One query."""
    limit = query.get("limit", PAGE)
    filters = {name: _written(query[name]) for name in sorted(query) if name not in TURNING}
    signer = signing.Signer(salt=f"page {path} {urlencode(filters)}")
    if "cursor" in query:
        rows = rows.filter(**{f"{key}__gt": _after(signer, query["cursor"])})
    found = list(rows.order_by(key)[: limit + 1])
    link = None
    if len(found) > limit:
        cursor = signer.sign(_opaque(str(getattr(found[limit - 1], key))))
        words = {**filters, "limit": limit, "cursor": cursor}
        link = f"{path}?{urlencode(words)}"
    return {"items": [render(row) for row in found[:limit]], "next": link}


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
