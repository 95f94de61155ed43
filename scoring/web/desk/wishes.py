"""The page of an event's seating wishes: pairs kept apart, households, fixed and avoided tables."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar
from uuid import UUID

from django import forms
from django.urls import reverse
from django.utils.functional import cached_property
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.web.desk.check_in import get_entry
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import RefusedError
from tournaments.core.ids import parse_id
from tournaments.events import entries
from tournaments.models import Apart, Entry
from tournaments.models.limits import TABLE_NUMBER_MAX, max_length
from tournaments.people.display_names import distinct_name, shared_names
from tournaments.web.desk.base import ButtonsMixin, DeskPage, EventMixin
from tournaments.web.desk.forms import DeskForm, DeskFormMixin, TableNumbersField


class PeopleForm(DeskForm):
    """A form that chooses entries of an event; ``names`` are pairs of an entry's id and name."""

    people: ClassVar[tuple[str, ...]] = ()

    def __init__(self, *args: Any, names: list[tuple[UUID, str]], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for field in self.people:
            self.set_choices(field, [("", _("Choose")), *names])


class KeepApartForm(PeopleForm):
    """Two who never sit at one table."""

    ids = "apart_%s"
    people = ("one", "other")

    one = forms.ChoiceField(label=gettext_lazy("Keep apart"))
    other = forms.ChoiceField(label=gettext_lazy("and"))


class HouseholdForm(PeopleForm):
    """Two who belong to one household."""

    ids = "household_%s"
    people = ("one", "other")

    one = forms.ChoiceField(label=gettext_lazy("One household"))
    other = forms.ChoiceField(label=gettext_lazy("and"))


class FixedTableForm(PeopleForm):
    """Somebody who always sits at a table, or never at some."""

    ids = "table_%s"
    people = ("one",)

    one = forms.ChoiceField(label=gettext_lazy("Who"))
    stay_table = forms.IntegerField(
        label=gettext_lazy("Always at table"),
        min_value=1,
        max_value=TABLE_NUMBER_MAX,
        required=False,
    )
    never_tables = TableNumbersField(
        label=gettext_lazy("Never at tables"),
        help_text=gettext_lazy("Their numbers, such as 3, 7."),
    )


class SeatingWishes(ButtonsMixin, EventMixin, DeskPage):
    """Lists the wishes of an event, adds to them and removes them."""

    needs = Right.EVENTS_EDIT
    template_name = "desk/wishes.html"
    buttons: ClassVar[tuple[str, ...]] = ("meet", "part", "release")
    button_forms: ClassVar[Mapping[str, type[DeskFormMixin]]] = {
        "apart": KeepApartForm,
        "household": HouseholdForm,
        "table": FixedTableForm,
    }

    @cached_property
    def rows(self) -> list[Entry]:
        """The entries of the event, by number."""
        return list(selectors.entries(self.event).order_by("number"))

    @cached_property
    def names(self) -> dict[UUID, str]:
        """The names of all entries."""
        shared = shared_names(self.club)
        return {row.pk: distinct_name(row.player, shared) for row in self.rows}

    def get_success_url(self) -> str:
        return reverse("desk-wishes", args=[self.event.pk])

    def get_button_form(self, name: str, **kwargs: Any) -> DeskFormMixin:
        return self.button_forms[name](names=list(self.names.items()), **kwargs)

    def apart(self, form: DeskFormMixin) -> str:
        """Keep two apart."""
        one, other = self._pair(form)
        entries.keep_apart(event_id=self.event.pk, one=one, other=other, by=self.by, at=self.at)
        return _("%(one)s and %(other)s are kept apart in rounds that are drawn from now on.") % {
            "one": self.names[one],
            "other": self.names[other],
        }

    def meet(self, value: str) -> str:
        """Let two meet again; the button says both entries."""
        one, _colon, other = value.partition(":")
        entries.let_meet(
            event_id=self.event.pk, one=parse_id(one), other=parse_id(other), by=self.by, at=self.at
        )
        return _("They may meet again.")

    def household(self, form: DeskFormMixin) -> str:
        """Put two entries into one household: that of the first, of the second, or a new one."""
        pair = [get_entry(self.event, entry) for entry in self._pair(form)]
        if pair[0] == pair[1]:
            raise RefusedError(_("Choose two people."), "other")
        known = next((row.household for row in pair if row.household), "")
        name = known or self._new_household()
        # Two households become one: the others of the second entry's household move too.
        old = {row.household for row in pair} - {"", name}
        for row in self.rows:
            if row.pk in (pair[0].pk, pair[1].pk) or row.household in old:
                self._change(row, household=name)
        return _("They meet as seldom as can be in rounds that are drawn from now on.")

    def part(self, value: str) -> str:
        """Take somebody out of their household."""
        self._change(get_entry(self.event, parse_id(value)), household="")
        return _("Saved.")

    def table(self, form: DeskFormMixin) -> str:
        """Give somebody a table of their own, or tables to avoid."""
        typed = form.cleaned_data
        row = get_entry(self.event, parse_id(typed["one"]))
        self._change(row, stay_table=typed["stay_table"], never_tables=typed["never_tables"])
        return _("Saved; rounds that are drawn from now on keep to it.")

    def release(self, value: str) -> str:
        """Let somebody sit at any table."""
        row = get_entry(self.event, parse_id(value))
        self._change(row, stay_table=None, stay_seat=None, never_tables=[])
        return _("Saved.")

    def _pair(self, form: DeskFormMixin) -> tuple[UUID, UUID]:
        typed = form.cleaned_data
        return parse_id(typed["one"]), parse_id(typed["other"])

    def _change(self, row: Entry, **changes: Any) -> None:
        entries.change_entry(entry_id=row.pk, changes=changes, by=self.by, at=self.at)

    def _new_household(self) -> str:
        taken = {row.household for row in self.rows}
        names = (str(number) for number in range(1, len(self.rows) + 2))
        return next(name for name in names if name not in taken)[: max_length(Entry, "household")]

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        pairs = Apart.objects.filter(event=self.event).order_by("one__number", "other__number")
        context = {
            "pairs": [
                (f"{one}:{other}", self.names[one], self.names[other])
                for one, other in pairs.values_list("one_id", "other_id")
            ],
            "households": list(self._households()),
            "kept": [
                (row, self.names[row.pk])
                for row in self.rows
                if row.stay_table is not None or row.never_tables
            ],
        }
        return super().get_context_data(**{**context, **kwargs})

    def _households(self) -> Iterator[list[tuple[UUID, str]]]:
        found: dict[str, list[tuple[UUID, str]]] = {}
        for row in self.rows:
            if row.household:
                found.setdefault(row.household, []).append((row.pk, self.names[row.pk]))
        yield from found.values()
