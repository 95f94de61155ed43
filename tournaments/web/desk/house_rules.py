"""House rules: every switch as a question in plain words, what differs, and a sheet to print."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rule_sheet import sheet, title_of
from engine.rules.presets import PRESETS, TITLES
from engine.rules.rules import Rules
from engine.rules.switch_specs import SWITCHES, Switch
from tournaments import selectors
from tournaments.access import rights
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError
from tournaments.core.language import translate
from tournaments.models import RuleSet
from tournaments.people import rule_sets
from tournaments.people.rule_sets import HouseRules, rules_of
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.forms import DeskForm


class RulesForm(DeskForm):
    """A preset and what differs from it: one field for each switch, empty where it does not."""

    is_quiet = True
    name = forms.CharField(label=gettext_lazy("Name of these rules"), max_length=200)
    keeps_jackpot = forms.BooleanField(
        label=gettext_lazy("A pot that a game leaves waits for the next game"), required=False
    )

    def __init__(self, *args: Any, base: Rules, named: bool = True, **more: Any) -> None:
        super().__init__(*args, **more)
        if not named:
            del self.fields["name"]
        for name, switch in SWITCHES.items():
            self.fields[f"overrides_{name}"] = _field_of(switch, getattr(base, name))

    def switches(self) -> Iterator[forms.BoundField]:
        """The questions, in the order of the rule book."""
        yield from (self[f"overrides_{name}"] for name in SWITCHES)

    def plain(self) -> Iterator[forms.BoundField]:
        """What is no switch."""
        yield from (self[name] for name in ("name", "keeps_jackpot") if name in self.fields)

    def overrides(self) -> dict[str, str]:
        """What differs, as text by switch."""
        typed = {name: self.cleaned_data[f"overrides_{name}"] for name in SWITCHES}
        return {name: text for name, text in typed.items() if text}


def _field_of(switch: Switch, usual: Any) -> forms.Field:
    """A choice in words where there are words for all; else a short text."""
    as_usual = _("as usual: %(words)s") % {"words": translate(switch.say(usual))}
    if len(switch.choices) > 1 and not any(one == "n" or ":" in one for one in switch.choices):
        try:
            choices = [(text, translate(switch.say(switch.read(text)))) for text in switch.choices]
        except ValueError:
            choices = []
        if choices:
            return forms.ChoiceField(
                label=translate(switch.question),
                choices=[("", as_usual), *choices],
                required=False,
            )
    return forms.CharField(
        label=translate(switch.question),
        max_length=400,
        required=False,
        help_text=" ".join([as_usual, *_written_as(switch)]),
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocapitalize": "off"}),
    )


def _written_as(switch: Switch) -> Iterator[str]:
    """How a value is written, where it is no number."""
    shown = [one for one in switch.choices if one not in ("n", "none")]
    if shown:
        yield _("Written as: %(examples)s.") % {"examples": " / ".join(shown)}


def _titles() -> dict[str, str]:
    return {name: translate(title) for name, title in TITLES.items()}


class RuleSets(DeskPage):
    """The rules of a club, and the presets to begin with."""

    needs = Right.NAMES_READ
    template = "desk/rule_sets.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Those in use, then those that were."""
        rows = selectors.rule_sets(self.visit.club).order_by("retired_at", "name", "-version")
        found = [(row, translate(title_of(rules_of(row))), len(row.overrides)) for row in rows]
        return self.shown({"rows": found, "presets": _titles()})


class NewRules(DeskPage):
    """Rules under a new name."""

    needs = Right.RULES_EDIT
    template = "desk/rules_form.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """The switches of the preset that was chosen."""
        preset = self._preset(request.GET.get("preset"))
        return self._shown(preset, RulesForm(base=PRESETS[preset]))

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Write them down."""
        preset = self._preset(request.POST.get("preset"))
        form = RulesForm(request.POST, base=PRESETS[preset])

        def work() -> str:
            new = HouseRules(
                name=form.cleaned_data["name"],
                preset=preset,
                overrides=form.overrides(),
                keeps_jackpot=form.cleaned_data["keeps_jackpot"],
            )
            made = rule_sets.make_rule_set(
                club_id=club_id, new=new, by=self.visit.by, at=self.visit.at
            )
            return reverse("desk-rules", args=[club_id, made.pk])

        return self.saved(form, work) or self._shown(preset, form, REFUSED)

    def _preset(self, name: str | None) -> str:
        return name if name in PRESETS else next(iter(PRESETS))

    def _shown(self, preset: str, form: RulesForm, status: int = 200) -> HttpResponse:
        context = {"form": form, "preset": preset, "title": translate(TITLES[preset])}
        return self.shown(context, status)


class OneRuleSet(DeskPage):
    """House rules as a sheet: to read, to print, to change, to retire."""

    needs = Right.NAMES_READ
    template = "desk/rules.html"

    def get(self, request: HttpRequest, club_id: UUID, rule_set_id: UUID) -> HttpResponse:
        """Questions and answers, with a mark where the club differs."""
        row = self.row(rule_set_id)
        rules = rules_of(row)
        special = {SWITCHES[name].question for name in row.overrides}
        lines = [
            (translate(question), translate(reply), question in special)
            for question, reply in sheet(rules)
        ]
        context = {
            "row": row,
            "lines": lines,
            "title": translate(TITLES[row.preset]),
            "version": row.version,
        }
        return self.shown(context)

    def post(self, request: HttpRequest, club_id: UUID, rule_set_id: UUID) -> HttpResponse:
        """Offer them for no further game."""
        row = self.row(rule_set_id)
        assert self.visit.place is not None
        rights.admit(self.visit.asker, self.visit.place, Right.RULES_EDIT)

        def work() -> str:
            rule_sets.retire_rule_set(rule_set_id=row.pk, by=self.visit.by, at=self.visit.at)
            return reverse("desk-rule-sets", args=[club_id])

        return self.carried_out(work, said=_("They are offered no more; games keep theirs."))

    def row(self, rule_set_id: UUID) -> RuleSet:
        """The rules that the address names."""
        row = selectors.rule_set(self.visit.club, rule_set_id)
        if row is None:
            raise NotThereError
        return row


class ChangeRules(OneRuleSet):
    """The next version of house rules."""

    needs = Right.RULES_EDIT
    template = "desk/rules_form.html"

    def get(self, request: HttpRequest, club_id: UUID, rule_set_id: UUID) -> HttpResponse:
        """The switches as they stand."""
        row = self.row(rule_set_id)
        initial = {f"overrides_{name}": text for name, text in row.overrides.items()}
        initial["keeps_jackpot"] = row.keeps_jackpot
        return self._shown(row, self._form(row, initial=initial))

    def post(self, request: HttpRequest, club_id: UUID, rule_set_id: UUID) -> HttpResponse:
        """Make the next version; games keep theirs."""
        row, version = self.row(rule_set_id), self.version_seen()
        form = self._form(row, request.POST)

        def work() -> str:
            changes = {
                "overrides": form.overrides(),
                "keeps_jackpot": form.cleaned_data["keeps_jackpot"],
            }
            made = rule_sets.change_rule_set(
                rule_set_id=row.pk,
                changes=changes,
                version=version,
                by=self.visit.by,
                at=self.visit.at,
            )
            return reverse("desk-rules", args=[club_id, made.pk])

        return self.saved(form, work) or self._shown(row, form, REFUSED)

    def _form(self, row: RuleSet, *args: Any, **more: Any) -> RulesForm:
        return RulesForm(*args, base=PRESETS[row.preset], named=False, **more)

    def _shown(self, row: RuleSet, form: RulesForm, status: int = 200) -> HttpResponse:
        context = {
            "form": form,
            "row": row,
            "title": translate(TITLES[row.preset]),
            "version": row.version,
        }
        return self.shown(context, status)
