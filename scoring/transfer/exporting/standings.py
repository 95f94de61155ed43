"""Published standings as a table, with names."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any
from uuid import UUID

from engine.messages import Message
from tournaments.core.errors import RefusedError
from tournaments.models import Club
from tournaments.people.display_names import distinct_names
from tournaments.publishing.versions import Standings
from tournaments.tables.sheets import CellKind, Column, Row, TableSheet, Value


def standings(found: Standings, title: str, *, in_full: bool) -> TableSheet:
    """The standings of an event or a league as they were published.

    Raises RefusedError where none were published yet.
    """
    if not found.version:
        raise RefusedError(Message("No standings have been published yet."), "event")
    names = list(dict.fromkeys(name for row in found.rows for name in row.get("columns", {})))
    has_divisions = any("division" in row for row in found.rows)
    columns = (
        Column(name="Rank", key="rank"),
        *([Column(name="Division", key="division")] if has_divisions else []),
        Column(name="Name", key="name"),
        Column(name="Total", key="total", kind=CellKind.EXACT),
        *(Column(name=_heading(name), key=f"column_{name}") for name in names),
    )
    who = _names(found.row.club, found.data, in_full=in_full)
    rows = _rows(found.rows, who, names, has_divisions=has_divisions)
    return TableSheet(f"{title}, version {found.version}", columns, rows)


def _heading(name: str) -> str:
    return name.replace("_", " ").capitalize()


def _names(club: Club, data: Mapping[str, Any], *, in_full: bool) -> dict[str, str]:
    """Names by entry: those of its player, or of the player that the entry is."""
    entries: Mapping[str, Any] = data.get("entries", {})
    players = {
        str(row["entry"]): str(entries.get(row["entry"], {}).get("player", row["entry"]))
        for row in data.get("rows", ())
    }
    numbers = [number for number in map(_uuid, players.values()) if number is not None]
    names = distinct_names(club, numbers, in_full=in_full)
    return {entry: names.get(player, player) for entry, player in players.items()}


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None


def _rows(
    rows: Any, who: Mapping[str, str], names: list[str], *, has_divisions: bool
) -> Iterator[Row]:
    for row in rows:
        values = row.get("columns", {})
        yield (
            row.get("label", ""),
            *([str(row.get("division", ""))] if has_divisions else []),
            who[str(row["entry"])],
            _exact(row.get("total")),
            *(_format_value(values.get(name)) for name in names),
        )


def _exact(value: Any) -> Value:
    return None if value is None else Fraction(str(value))


def _format_value(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)
