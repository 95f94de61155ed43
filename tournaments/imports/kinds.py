"""The kinds of tables that can be imported, and import requests from the parameters of a job."""

from collections.abc import Mapping
from typing import Any, Final

from tournaments.imports.dates import DateOrder
from tournaments.imports.members import MEMBERS
from tournaments.imports.nights import NIGHTS
from tournaments.imports.numbers import DecimalMark
from tournaments.imports.openings import OPENINGS
from tournaments.imports.plan import ACCEPT, ImportRequest, TableImport
from tournaments.imports.questions import QUESTIONS
from tournaments.imports.table import TableSettings

TABLE_IMPORTS: Final[Mapping[str, TableImport]] = {
    one.kind: one for one in (MEMBERS, OPENINGS, NIGHTS)
}
"""Every kind of table that can be imported, by its key."""


def request_from_params(kind: str, data: bytes, params: Mapping[str, Any]) -> ImportRequest:
    """Make the request to import a table of a kind from the parameters of a job (plain data)."""
    table_import = TABLE_IMPORTS[kind]
    answers = {key: params.get(key) or params.get("answers", {}).get(key, "") for key in QUESTIONS}
    settings = TableSettings(
        header_row=params.get("header_row"),
        columns={int(column): key for column, key in params.get("columns", {}).items()},
        mapping=params.get("mapping", {}),
        dates=DateOrder(answers["dates"]) if answers["dates"] else None,
        decimals=DecimalMark(answers["decimals"]) if answers["decimals"] else None,
        sheet=params.get("sheet"),
        answers=answers,
        people=params.get("people", {}),
    )
    return ImportRequest(
        table_import=table_import,
        data=data,
        name=params.get("name", ""),
        settings=settings,
        options={option.key: str(params.get(option.key, "")) for option in table_import.options},
        accepts_differences=params.get(ACCEPT) is True,
    )
