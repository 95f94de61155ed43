"""Results on paper: the standings, how ties were decided, and what state they were made from."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from tournaments.printing.seats import PrintHeading
from tournaments.tables.pdf_writer import write_pdf
from tournaments.tables.sheets import (
    CellKind,
    Column,
    Properties,
    RankCell,
    TableSheet,
    Value,
    Workbook,
)

OFFICIAL, PROVISIONAL = "Official", "Provisional"


@dataclass(frozen=True, slots=True)
class ResultLine:
    """One line of the standings; ``decided_by``: what put it there where points did not."""

    rank: RankCell
    name: str
    values: tuple[Value, ...]
    decided_by: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultState:
    """What the standings were made from; ``head``: the hash at the head of the chain then."""

    official: bool
    at: datetime
    head: str = ""
    notes: tuple[str, ...] = ()


def results(
    heading: PrintHeading,
    columns: Sequence[Column],
    lines: Sequence[ResultLine],
    state: ResultState,
) -> bytes:
    """Print standings; ``columns``: of the values of each line, after rank and name."""
    return b"".join(write_pdf(results_book(heading, columns, lines, state), heading.paper))


def results_book(
    heading: PrintHeading,
    columns: Sequence[Column],
    lines: Sequence[ResultLine],
    state: ResultState,
) -> Workbook:
    """Give the same as a table, for the other formats."""
    everything = (
        Column(name="Rank", key="rank", kind=CellKind.RANK),
        Column(name="Name", key="name"),
        *columns,
        Column(name="Decided by", key="decided_by"),
    )
    rows = [(line.rank, line.name, *line.values, line.decided_by) for line in lines]
    properties = Properties(
        title=heading.title,
        subject=heading.about,
        made_at=state.at,
        mark=OFFICIAL if state.official else PROVISIONAL,
        seal=f"Head {state.head}" if state.head else "",
        notes=state.notes,
    )
    return Workbook((TableSheet("Results", everything, rows),), properties)
