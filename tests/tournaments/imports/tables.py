"""Tables that tests bring into a club."""

from typing import Any

from tests.scoring.club import DIRECTOR, at
from tournaments.imports import ImportPlan, plan_import, request_from_params, run_import
from tournaments.models import Club, League


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
