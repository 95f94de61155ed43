"""Plans of imports as pages show them: what was found in a file, and what will be different."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.db.models import QuerySet
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from engine.core.messages import Message, PluralMessage
from tournaments.core.language import translate
from tournaments.core.time_zones import day as day_of
from tournaments.imports import ACTION_TITLES, ImportPlan, RowAction, RowPlan, TableImport
from tournaments.imports.planned_nights import NightsPlan
from tournaments.models import Club, Event, JobKind, League, Player
from tournaments.tables.input_model import column_letters

PLAN_SHOWN: Final = 200
PROBLEMS_SHOWN: Final = 200
_LEFT_OUT_SHOWN: Final = 5


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row of a plan as a page shows it."""

    line: int
    action: str
    badge: str
    subject: str
    detail: str
    problems: list[tuple[str, str]]
    similar: list[Mapping[str, Any]]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> "ShownRow":
        """From its data, with the letters of columns beside the problems in them."""
        problems = [
            (column_letters(problem["column"]) if problem["column"] else "", problem["message"])
            for problem in row["problems"]
        ]
        action = RowAction(row["action"])
        return cls(
            line=row["line"],
            action=translate(ACTION_TITLES[action]),
            badge=str(action),
            subject=row["subject"],
            detail=row["detail"],
            problems=problems,
            similar=row.get("similar", []),
        )

    @property
    def differs(self) -> bool:
        """Whether it says something else of a member who is known."""
        is_known = self.badge == RowAction.KNOWN and bool(self.problems)
        return is_known or self.badge == RowAction.CHANGED


def describe_file(table_import: TableImport, plan: ImportPlan) -> str:
    """Return the headline of a file: what it is, and how much is in it."""
    if not plan.has_work and not plan.counts[RowAction.KNOWN]:
        return _("Nothing in it can be imported")
    people = len({row.subject for row in plan.rows if not _is_beside(row)})
    if isinstance(plan.value, NightsPlan):
        nights = [*plan.value.nights, *plan.value.known_nights]
        people = len({who for night in plan.value.nights for who in night.results})
        headline: Message = Message(
            "A season of {nights}, {people}",
            nights=PluralMessage("{count} night", "{count} nights", count=len(nights)),
            people=PluralMessage("{count} person", "{count} people", count=people),
        )
    elif table_import.kind == JobKind.MEMBERS:
        headline = PluralMessage(
            "A list of {count} person", "A list of {count} people", count=people
        )
    else:
        headline = PluralMessage(
            "Points of {count} person from before",
            "Points of {count} people from before",
            count=people,
        )
    return translate(headline)


def describe_findings(club: Club, plan: ImportPlan) -> Iterator[str]:
    """Yield sentences about what was found in a file."""
    if isinstance(plan.value, NightsPlan) and plan.value.nights:
        days = sorted(day_of(night.starts_at, club.time_zone) for night in plan.value.nights)
        first, last = (date_format(days[place], _("j F Y")) for place in (0, -1))
        count = sum(len(night.results) for night in plan.value.nights)
        words = ngettext(
            "%(count)s result, %(first)s to %(last)s",
            "%(count)s results, %(first)s to %(last)s",
            count,
        )
        yield words % {"count": count, "first": first, "last": last}
        if plan.value.is_stated:
            yield _("The totals and places in your file are kept to check mine against.")
    yield from map(translate, plan.understood)
    said = 0
    for row in plan.rows:
        if _is_beside(row):
            said += 1
            if said <= _LEFT_OUT_SHOWN:
                yield _("Row %(line)s, “%(subject)s”, is left out: %(detail)s.") % {
                    "line": row.line,
                    "subject": row.subject,
                    "detail": translate(row.detail),
                }
    if plan.unused:
        yield _("Columns that are not used: %(names)s") % {"names": ", ".join(plan.unused)}
    yield from (translate(remark.sentence) for remark in plan.remarks)


def describe_growth(club: Club, outcome: Mapping[str, Any]) -> list[tuple[str, int, int]]:
    """Return what the club gets more of: the name, how many there are, how many there will be."""
    people = Player.objects.filter(club=club, merged_into=None, person__isnull=False)
    rows: Sequence[tuple[str, QuerySet[Any], int]] = (
        (_("Leagues"), League.objects.filter(club=club), outcome.get("new_leagues", 0)),
        (_("Nights"), Event.objects.filter(club=club), outcome.get("new_nights", 0)),
        (_("People"), people, len(outcome.get("newcomers", []))),
    )
    counts = [(title, known.count(), new) for title, known, new in rows if new]
    return [(title, before, before + new) for title, before, new in counts]


def _is_beside(row: RowPlan) -> bool:
    """Whether a row of the file is about nobody, such as one with sums."""
    return row.action is RowAction.LEFT_OUT and bool(row.detail) and not row.problems
