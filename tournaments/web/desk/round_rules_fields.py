"""The house rules of an event in its form: those of rounds that have others, and what fits them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import OuterRef, Subquery
from django.utils.translation import gettext as _

from engine.rules.presets import PRESETS
from engine.rules.rules import Rules
from tournaments.models import Club, Event, RuleSet
from tournaments.models.limits import ROUNDS_MAX
from tournaments.people.rule_sets import rules_of
from tournaments.web.desk.forms import NumbersField
from tournaments.web.number_format import NOTHING

PRESET_PREFIX: Final = "preset:"
"""Prefix of a choice that names a preset, not house rules of the club."""
_LINES: Final = 4
"""So many other house rules can be given to rounds, unless there are more already."""

Choices = Sequence[tuple[str, Any]]


class RoundNumbersField(NumbersField):
    """Numbers of rounds, typed with commas or blanks between them; empty: none."""

    most = ROUNDS_MAX

    def wrong(self) -> str:
        return _("Numbers of rounds from 1 to %(most)s, such as 2, 4.") % {"most": self.most}


def round_rules_fields(
    choices: Choices, instance: Event | None
) -> Iterator[tuple[str, forms.Field]]:
    """Yield pairs of fields: numbers of rounds, and the house rules of these."""
    own = 0 if instance is None else len(set(instance.round_rules.values()))
    for place in range(max(_LINES, own)):
        again = place > 0
        yield (
            f"round_rules_rounds_{place}",
            RoundNumbersField(label=_("and rounds") if again else _("Rounds")),
        )
        rules = forms.ChoiceField(
            label=_("by these house rules"), choices=[("", NOTHING), *choices], required=False
        )
        yield f"round_rules_chosen_{place}", rules


def initial_for_round_rules(event: Event) -> dict[str, Any]:
    """Return the initial values of the fields: the rounds of each of the house rules."""
    rounds: dict[str, list[int]] = {}
    for number, rule_set in event.round_rules.items():
        rounds.setdefault(rule_set, []).append(int(number))
    found: dict[str, Any] = {}
    for place, (rule_set, numbers) in enumerate(rounds.items()):
        found[f"round_rules_rounds_{place}"] = sorted(numbers)
        found[f"round_rules_chosen_{place}"] = rule_set
    return found


def read_round_rules(typed: Mapping[str, Any]) -> tuple[dict[str, str], dict[str, ValidationError]]:
    """Read the chosen house rules by number of round, and what is wrong, by field."""
    found: dict[str, str] = {}
    wrong: dict[str, ValidationError] = {}
    most = typed.get("rounds") or ROUNDS_MAX
    for name in typed:
        if not name.startswith("round_rules_rounds_"):
            continue
        other = name.replace("_rounds_", "_chosen_")
        numbers, rules = typed[name], typed.get(other, "")
        if numbers and not rules:
            wrong[other] = ValidationError(_("Choose the house rules of these rounds."))
        elif rules and not numbers:
            wrong[name] = ValidationError(_("Say in which rounds."))
        for number in numbers:
            if number > most:
                words = _("There is no round %(n)s: the night has %(most)s.")
                wrong[name] = ValidationError(words % {"n": number, "most": most})
            elif str(number) in found:
                wrong[name] = ValidationError(_("Round %(n)s stands here twice.") % {"n": number})
            else:
                found[str(number)] = rules
    return found, wrong


def field_of_round(typed: Mapping[str, Any], number: str) -> str | None:
    """Return the name of the field in which a round stands."""
    return next(
        (
            name
            for name, numbers in typed.items()
            if name.startswith("round_rules_rounds_") and number in map(str, numbers)
        ),
        None,
    )


def rules_by_choice(club: Club, chosen: Iterable[str]) -> dict[str, Rules]:
    """Return the rules of each choice of a form. One query."""
    rows = {str(row.pk): row for row in RuleSet.objects.filter(club=club)}
    return {
        value: PRESETS[value.removeprefix(PRESET_PREFIX)]
        if value.startswith(PRESET_PREFIX)
        else rules_of(rows[value])
        for value in chosen
    }


def last_by_rules(club: Club) -> dict[str, Event]:
    """Return the last event under each of the house rules of a club, also by older versions.

    Two queries.
    """
    events = Event.objects.filter(club=club, is_results_only=False)
    same = events.filter(rule_set__name=OuterRef("name")).order_by("-starts_at", "-pk")
    rows = RuleSet.objects.filter(club=club, retired_at=None)
    newest = dict(rows.annotate(last=Subquery(same.values("pk")[:1])).values_list("pk", "last"))
    known = events.select_related("club", "rule_set").in_bulk([pk for pk in newest.values() if pk])
    return {str(rules): known[pk] for rules, pk in newest.items() if pk in known}
