"""The imports of a club at the desk: what was brought in, when and by whom, and undoing it."""

from collections.abc import Iterator, Sequence
from typing import Any, Final
from uuid import UUID

from django.core.paginator import Paginator
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError
from tournaments.core.language import translate
from tournaments.imports import plan_undo, undo_import, undoer_of
from tournaments.models import ALIVE, Account, Import, Job
from tournaments.web.desk.base import ButtonsMixin, DeskPage

AT_ONCE: Final = 30
OBSTACLES_SHOWN: Final = 100


class Imports(DeskPage):
    """The imports of the club, the newest first."""

    needs = Right.IMPORTS_MAKE
    template_name = "desk/import_history.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = Import.objects.filter(club=self.club).order_by("-created_at", "-pk")
        page = Paginator(rows, AT_ONCE).get_page(self.request.GET.get("page"))
        described = list(describe_imports(list(page.object_list)))
        return super().get_context_data(**{"page": page, "imports": described, **kwargs})


class ImportPage(ButtonsMixin, DeskPage):
    """One import: what it brought, and what would go if it were undone."""

    needs = Right.IMPORTS_MAKE
    template_name = "desk/import_undo.html"
    buttons = ("undo",)

    @property
    def row(self) -> Import:
        """The import that the address names."""
        found = Import.objects.filter(club=self.club, pk=self.kwargs["import_id"]).first()
        if found is None:
            raise NotThereError
        return found

    def undo(self, value: str) -> str:
        """Undo it; ``value`` says whether what was built upon it may stay."""
        plan = undo_import(
            import_id=self.row.pk, by=self.by, at=self.at, leave_obstacles=value == "rest"
        )
        if plan.obstacles:
            return _("Undone, except for what depends on it.")
        return _("Undone: the club is as it was before this import.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        row = self.row
        (described,) = describe_imports([row])
        plan = plan_undo(row)
        obstacles = [translate(obstacle.message) for obstacle in plan.obstacles[:OBSTACLES_SHOWN]]
        context = {
            **described,
            "going": [
                f"{translate(undoer_of(label).title)}: {count}"
                for label, count in plan.counts.items()
                if count
            ],
            "obstacles": obstacles,
            "more": len(plan.obstacles) - len(obstacles),
        }
        return super().get_context_data(**{**context, **kwargs})


def describe_imports(rows: Sequence[Import]) -> Iterator[dict[str, Any]]:
    """Each import with what it is and brought, by whom, and how far it is. Two queries."""
    jobs = [row.job for row in rows if row.job is not None]
    alive = set(Job.objects.filter(pk__in=jobs, state__in=ALIVE).values_list("pk", flat=True))
    people = {row.by.removeprefix("person:") for row in rows if row.by.startswith("person:")}
    accounts = Account.objects.filter(pk__in=map(UUID, people))
    names = {f"person:{pk}": name for pk, name in accounts.values_list("pk", "name")}
    for row in rows:
        if row.undone_at is not None:
            state, words = "left", _("undone")
        elif row.job in alive:
            state, words = "running", _("goes on")
        elif row.finished_at is None:
            state, words = "conflict", _("broke off")
        else:
            state, words = "done", _("done")
        yield {
            "row": row,
            "title": row.get_kind_display(),
            "by": names.get(row.by, _("a program")),
            "brought": "; ".join(_describe_counts(row.counts)) or _("nothing new"),
            "state": state,
            "state_words": words,
        }


def _describe_counts(counts: dict[str, int]) -> Iterator[str]:
    """Describe an import by the counts of tables and of archives."""
    games, hands, people = (counts.get(name, 0) for name in ("games", "hands", "new_players"))
    if games or hands:
        yield ngettext("%(n)d new game", "%(n)d new games", games) % {"n": games}
        yield ngettext("%(n)d hand", "%(n)d hands", hands) % {"n": hands}
    if people:
        yield ngettext("%(n)d new player", "%(n)d new players", people) % {"n": people}
    if new := counts.get("new", 0):
        yield _("%(n)d new") % {"n": new}
    if changed := counts.get("changed", 0):
        yield _("%(n)d changed") % {"n": changed}
    if known := counts.get("known", 0):
        yield _("%(n)d known already") % {"n": known}
