"""Writing a bundle: row by row, in constant memory but for a few numbers."""

import hashlib
from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from scoring.transfer.bundling.cells import cell_to_json, line
from scoring.transfer.bundling.contents import CONTENTS, BundleTable, foreign_tables
from scoring.transfer.bundling.heads import heads_of
from tournaments.models import Board, Club, DealSecret, Result

FORMAT: Final = "painsuit club bundle"
VERSION: Final = 1
_AT_ONCE: Final = 2000


def write(club: Club) -> Iterator[bytes]:
    """A club as a bundle, line by line; the caller holds a transaction, so that it is of one piece.

    The same club gives the same bytes, whatever database it is in.
    """
    whole, count = hashlib.sha256(), 0
    for text in _lines(club):
        whole.update(text)
        count += 1
        yield text
    heads = heads_of(club.pk)
    yield line(
        "end",
        {
            "digest": whole.hexdigest(),
            "lines": count,
            "head": heads.club,
            "trails": heads.trails,
            "heads": heads.all,
        },
    )


def _lines(club: Club) -> Iterator[bytes]:
    yield line(FORMAT, {"version": VERSION, "club": str(club.pk), "name": club.name})
    places: dict[BundleTable, dict[int, int]] = {}
    wanted = _referenced_rows(club)
    for content in CONTENTS:
        names = [field.attname for field in content.fields]
        refers = dict(foreign_tables(content))
        known = places[content] if content in places else places.setdefault(content, {})
        rows = _public_rows(content, club).values("pk", *names)
        for place, row in enumerate(rows.iterator(chunk_size=_AT_ONCE), 1):
            number = row.pop("pk") if "pk" not in names else row["pk"]
            if number in wanted.get(content, ()):
                known[number] = place
            found = {}
            for name, value in row.items():
                if name in refers and value is not None:
                    found[name] = places[refers[name]][value]
                else:
                    found[name] = cell_to_json(value)
            yield line(content.name, found)


def _public_rows(content: BundleTable, club: Club) -> "QuerySet[Any]":
    """Return the rows of a table without deals that no table has played, and their secrets.

    Whoever may take a bundle away need not be a deal maker, and a file can be passed on.
    """
    rows = content.rows(club.pk)
    if content.model is DealSecret:
        return rows.none()
    if content.model is Board:
        played = Result.objects.filter(game__event=OuterRef("event"), board=OuterRef("number"))
        return rows.filter(Exists(played) | Q(deal="", key=""))
    return rows


def _referenced_rows(club: Club) -> dict[BundleTable, set[int]]:
    """The numbered rows that others refer to, table by table."""
    found: dict[BundleTable, set[int]] = {}
    for content in CONTENTS:
        for name, target in foreign_tables(content):
            rows = content.rows(club.pk).exclude(**{name: None}).order_by()
            found.setdefault(target, set()).update(rows.values_list(name, flat=True).distinct())
    return found
