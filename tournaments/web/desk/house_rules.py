"""House rules: every switch as a question in plain words, what differs, and a sheet to print."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.rules.presets import PRESETS, TITLES
from engine.rules.rule_sheet import sheet, title_of
from engine.rules.switch_specs import SWITCHES, Switch
from tournaments import selectors
from tournaments.access.rights import Right
from tournaments.core.errors import NotThereError
from tournaments.core.language import translate
from tournaments.models import RuleSet
from tournaments.people import rule_sets
from tournaments.people.rule_sets import HouseRules, rules_of
from tournaments.web.desk.base import DeskFormView, DeskMixin, DeskPage, DeskUpdateView
from tournaments.web.desk.forms import DeskForm, DeskModelForm, FieldGroup


class RulesForm(DeskModelForm):
    """A preset and what differs from it: one field for each switch, empty where it does not."""

    is_quiet = True

    class Meta:
        model = RuleSet
        fields = ["name", "keeps_jackpot"]
        labels = {
            "name": gettext_lazy("Name of these rules"),
            "keeps_jackpot": gettext_lazy("A pot that a game leaves waits for the next game"),
        }

    def __init__(self, *args: Any, preset: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, switch in SWITCHES.items():
            usual = getattr(PRESETS[preset], name)
            self.fields[f"overrides_{name}"] = _make_field(switch, usual)

    def groups(self) -> Iterator[FieldGroup]:
        """The fields as they stand on the page, switches in the order of the rule book."""
        yield FieldGroup(self.pick_fields(self.Meta.fields))
        switches = self.pick_fields(f"overrides_{name}" for name in SWITCHES)
        yield FieldGroup(switches, _("Every switch"))

    def to_values(self) -> dict[str, Any]:
        """Return the typed house rules; ``overrides`` is what differs, as text."""
        typed = self.cleaned_data
        own = {name: typed[name] for name in self.Meta.fields}
        switches = {name: typed[f"overrides_{name}"] for name in SWITCHES}
        return own | {"overrides": {name: text for name, text in switches.items() if text}}


class NextRulesForm(RulesForm):
    """The form of rules that keep their name."""

    class Meta(RulesForm.Meta):
        fields = ["keeps_jackpot"]


def _make_field(switch: Switch, usual: Any) -> forms.Field:
    """A choice in words where there are words for all; else a short text."""
    as_usual = _("as usual: %(words)s") % {"words": translate(switch.say(usual))}
    if len(switch.choices) > 1 and not any(
        choice == "n" or ":" in choice for choice in switch.choices
    ):
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
        max_length=rule_sets.VALUE_MAX,
        required=False,
        help_text=" ".join([as_usual, *_written_as(switch)]),
        widget=forms.TextInput(attrs={"spellcheck": "false", "autocapitalize": "off"}),
    )


def _written_as(switch: Switch) -> Iterator[str]:
    """Yield the text for a value, where it is no number."""
    shown = [choice for choice in switch.choices if choice not in ("n", "none")]
    if shown:
        yield _("Written as: %(examples)s.") % {"examples": " / ".join(shown)}


class RuleSets(DeskPage):
    """The rules of a club, those in use first, and the presets to begin with."""

    needs = Right.NAMES_READ
    template_name = "desk/rule_sets.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = selectors.rule_sets(self.club).order_by("retired_at", "name", "-version")
        found = [(row, translate(title_of(rules_of(row))), len(row.overrides)) for row in rows]
        presets = {name: translate(title) for name, title in TITLES.items()}
        return super().get_context_data(rows=found, presets=presets, **kwargs)


class NewRules(DeskFormView[RulesForm]):
    """Rules under a new name, which begin with the preset that was chosen."""

    needs = Right.RULES_EDIT
    template_name = "desk/rules_form.html"
    form_class = RulesForm
    object: RuleSet

    @property
    def preset(self) -> str:
        """The preset that was chosen, or the first one."""
        chosen = self.request.POST.get("preset") or self.request.GET.get("preset")
        return chosen if chosen in PRESETS else next(iter(PRESETS))

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"preset": self.preset}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        title = translate(TITLES[self.preset])
        return super().get_context_data(**{"preset": self.preset, "title": title, **kwargs})

    def save(self, form: RulesForm) -> None:
        new = HouseRules(preset=self.preset, **form.to_values())
        self.object = rule_sets.make_rule_set(club_id=self.club.pk, new=new, by=self.by, at=self.at)

    def get_success_url(self) -> str:
        return reverse("desk-rules", args=[self.club.pk, self.object.pk])


class RuleSetMixin(DeskMixin):
    """A page of one version of house rules."""

    def get_object(self, queryset: object = None) -> RuleSet:
        """The rules that the address names. Raises NotThereError."""
        row = selectors.rule_set(self.club, self.kwargs["rule_set_id"])
        if row is None:
            raise NotThereError
        return row

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        row = self.get_object()
        title = translate(TITLES[row.preset])
        return super().get_context_data(**{"row": row, "title": title, **kwargs})


class OneRuleSet(RuleSetMixin, DeskFormView[DeskForm]):
    """House rules as a sheet, with a mark where the club differs; its form retires them."""

    needs = Right.NAMES_READ
    needs_to_write = Right.RULES_EDIT
    template_name = "desk/rules.html"
    form_class = DeskForm
    success_message = gettext_lazy("They are no longer offered; games keep theirs.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        row = self.get_object()
        special = {SWITCHES[name].question for name in row.overrides}
        lines = [
            (translate(question), translate(reply), question in special)
            for question, reply in sheet(rules_of(row))
        ]
        return super().get_context_data(**{"lines": lines, **kwargs})

    def save(self, form: DeskForm) -> None:
        rule_sets.retire_rule_set(rule_set_id=self.get_object().pk, by=self.by, at=self.at)

    def get_success_url(self) -> str:
        return reverse("desk-rule-sets", args=[self.club.pk])


class ChangeRules(RuleSetMixin, DeskUpdateView[NextRulesForm]):
    """The next version of house rules; games keep theirs."""

    needs = Right.RULES_EDIT
    template_name = "desk/rules_form.html"
    form_class = NextRulesForm
    made: RuleSet

    def get_initial(self) -> dict[str, Any]:
        return {f"overrides_{name}": text for name, text in self.object.overrides.items()}

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"preset": self.object.preset}

    def save(self, form: NextRulesForm) -> None:
        self.made = rule_sets.change_rule_set(
            rule_set_id=self.object.pk,
            changes=form.to_values(),
            version=self.version,
            by=self.by,
            at=self.at,
        )

    def get_success_url(self) -> str:
        return reverse("desk-rules", args=[self.club.pk, self.made.pk])
