"""Tables that tests bring into a club."""

from collections.abc import Mapping, Sequence
from datetime import date
from io import BytesIO
from typing import Any

from openpyxl import Workbook

from tests.scoring.club import DIRECTOR, at
from tournaments.imports import ImportPlan, plan_import, request_from_params, run_import
from tournaments.models import Club, League

Cell = str | int | float | date | None


def xlsx(
    rows: Sequence[Sequence[Cell]], *merged: str, more: Mapping[str, Sequence[Sequence[Cell]]] = {}
) -> bytes:
    """A workbook: a first worksheet with merged cells, and more of them by their names."""
    book = Workbook()
    for number, (name, cells) in enumerate({"Sheet": rows, **more}.items()):
        sheet = book.active if not number else book.create_sheet(name)
        assert sheet is not None
        for row in cells:
            sheet.append(list(row))
        for place in merged if not number else ():
            sheet.merge_cells(place)
    out = BytesIO()
    book.save(out)
    return out.getvalue()


def bring(
    kind: str, club: Club, text: str | bytes, *, dry_run: bool = False, **params: Any
) -> ImportPlan:
    """Bring a table into a club, with parameters as a job has them."""
    data = text.encode() if isinstance(text, str) else text
    request = request_from_params(kind, data, params)
    if dry_run:
        return plan_import(club, request, at())
    return run_import(club_id=club.pk, request=request, by=DIRECTOR, at=at())


def members(club: Club, text: str | bytes, **more: Any) -> ImportPlan:
    return bring("members", club, text, **more)


def openings(league: League, text: str, **more: Any) -> ImportPlan:
    return bring("openings", league.club, text, league=str(league.pk), **more)


def counts(plan: ImportPlan) -> tuple[int, int, int, int]:
    """How many rows are new, changed, known, and left out."""
    told = plan.counts_as_data()
    return (told["new"], told["changed"], told["known"], told["left_out"])


def messages(plan: ImportPlan) -> dict[int, str]:
    """What is wrong, by line."""
    return {one.row: one.words for one in plan.problems}
