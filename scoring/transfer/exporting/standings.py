"""Published standings as a table, with names."""

from collections.abc import Mapping
from fractions import Fraction
from functools import partial
from typing import Any
from uuid import UUID

from tournaments.models import Club
from tournaments.people.display_names import distinct_names
from tournaments.publishing.versions import Standings
from tournaments.tables.model import Column, ColumnKind, Table, Value


def standings(found: Standings, title: str, *, in_full: bool) -> Table[Mapping[str, Any]]:
    """The standings of an event or a league as they were published."""
    names = list(dict.fromkeys(name for row in found.rows for name in row.get("columns", {})))
    who = _names(found.row.club, found.data, in_full=in_full)
    columns: list[Column[Mapping[str, Any]]] = [
        Column(key="rank", title="Rank", value=lambda row: row.get("label", ""))
    ]
    if any("division" in row for row in found.rows):
        columns.append(
            Column(key="division", title="Division", value=lambda row: str(row.get("division", "")))
        )
    columns += [
        Column(key="name", title="Name", value=lambda row: who[str(row["entry"])]),
        Column(
            key="total",
            title="Total",
            kind=ColumnKind.DECIMAL,
            value=lambda row: _exact(row.get("total")),
        ),
        *(
            Column(
                key=f"column_{name}", title=_heading(name), value=partial(_column_text, name=name)
            )
            for name in names
        ),
    ]
    return Table(f"{title}, version {found.version}", tuple(columns), found.rows)


def _column_text(row: Mapping[str, Any], *, name: str) -> str:
    return _format_value(row.get("columns", {}).get(name))


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


def _exact(value: Any) -> Value:
    return None if value is None else Fraction(str(value))


def _format_value(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if value is None else str(value)
