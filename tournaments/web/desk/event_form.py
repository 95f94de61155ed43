"""The form of an event: every setting in plain words, and what was typed as data."""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from engine.core.messages import message_of
from engine.rules.presets import PRESETS
from engine.rules.rule_sheet import title_of
from engine.rules.rules import Rules
from tournaments import selectors
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.core.name_folding import fold_text
from tournaments.core.time_zones import local
from tournaments.events.events import (
    closed_tables_of,
    default_table_sizes,
    has_played,
    preset_scoring,
    prizes_of,
    scoring_of,
    wishes_of,
)
from tournaments.events.round_rules import common_sizes, rule_sets_in_use
from tournaments.models import EVENT_SETTINGS, Club, Event, Movement, Presence, Stage
from tournaments.models.limits import REASON_MAX
from tournaments.movements import SeatingError, repeat_free_rounds
from tournaments.movements.sizes import sizes as split_players
from tournaments.prizes import Prizes
from tournaments.standings import SETTINGS, ScoringRules
from tournaments.standings.choices import Credit
from tournaments.web.desk import event_consequences as say
from tournaments.web.desk.fields import MomentField
from tournaments.web.desk.forms import FieldGroup, TableNumbersField, field_of_column
from tournaments.web.desk.prize_fields import initial_for_prizes, prize_fields, read_prizes
from tournaments.web.desk.round_rules_fields import (
    PRESET_PREFIX,
    field_of_round,
    initial_for_round_rules,
    last_by_rules,
    read_round_rules,
    round_rules_fields,
    rules_by_choice,
)
from tournaments.web.desk.settings_fields import TIE_BREAKS, SettingsForm

_SIZES: Final = ((3, "3"), (4, "4"), (5, "5"), (6, "6"))
_USUAL_PLAYERS: Final = (8, 12, 15, 16, 19, 20, 22, 24, 28, 32, 36, 40)
_EVENING: Final = ("name", "starts_at", "venue")
_LENGTH: Final = ("rounds", "hands")
_TABLES: Final = ("sizes", "sit_outs", "duplicate")
_CLOCK: Final = ("round_minutes", "break_minutes", "starts_clock", "shows_calls")
_COUNTING: Final = ("rated", "rank_guests", "is_hidden")
_CORRECTIONS: Final = ("correction_hours",)
_SEATING: Final = ("top_first", "closed_tables", "seed")
_COLUMNS: Final = (
    *(*_EVENING, "rule_set", *_LENGTH, "movement", "team_best"),
    *(*_TABLES, *_CLOCK, *_COUNTING, *_CORRECTIONS, *_SEATING),
)
"""The fields of columns, and of wishes for the seating."""
_DECLARED: Final = ("starts_at", "rule_set", "sizes", "sit_outs", "top_first", "closed_tables")
"""Those that the form declares; the others are made from their columns."""
_BY_RULES: Final = (*_LENGTH, "movement", *_TABLES)
"""The fields beside those of the scoring that a new event takes from the last of its rules."""
_SCORING_FIRST: Final = ("scoring_method", "scoring_total")
"""The settings of a scoring that are asked first; all others are folded away."""
_PRIZES_FIRST: Final = ("entry_fee", "prizes_kind", "prizes_prizes")
"""The same of the money."""


class EventForm(SettingsForm):
    """An event as it is set up; the settings of its scoring are `SETTINGS`, one field each."""

    settings = SETTINGS
    usual = ScoringRules()
    stem = "scoring"
    settings_help = {
        "scale": _(
            "Left empty: evenly from +3 to -3. Else the points from the first place to the last,"
            " 5 3 1 0 for four players; other sizes after a semicolon: 5 3 1 0; 6 4 2 1 0."
        )
    }

    starts_at = MomentField()
    rule_set = forms.ChoiceField()
    sizes = forms.TypedMultipleChoiceField(
        choices=_SIZES,
        coerce=int,
        required=False,
        help_text=_("None ticked: what the rules allow of 3, 4 and 5."),
        widget=forms.CheckboxSelectMultiple,
    )
    sit_outs = forms.TypedChoiceField(
        choices=(
            ("", _("Only where tables have one size")),
            ("yes", _("Yes")),
            ("no", _("No")),
        ),
        coerce=lambda text: text == "yes",
        empty_value=None,
        required=False,
    )
    why = forms.CharField(
        label=_("Why the scoring changes"),
        max_length=REASON_MAX,
        required=False,
        help_text=_("Needed once hands were played; everybody reads it on the page of the night."),
    )
    top_first = forms.BooleanField(
        label=_("Swiss: pair the tables of the leaders best, others as it comes"), required=False
    )
    closed_tables = TableNumbersField(
        label=_("Tables that are closed"),
        help_text=_("Nobody sits there: their numbers, such as 3, 7."),
    )

    class Meta:
        model = Event
        fields = [name for name in _COLUMNS if name not in _DECLARED]
        formfield_callback = field_of_column

    def __init__(
        self,
        *args: Any,
        club: Club,
        presets: bool = False,
        instance: Event | None = None,
        **kwargs: Any,
    ) -> None:
        if instance is not None:
            kwargs["initial"] = initial_for_event(instance)
        rules = None if instance is None else scoring_of(instance)
        super().__init__(*args, instance=instance, rules=rules, **kwargs)
        self.fields["venue"].help_text = ""  # the words of the question say it
        movements = self.fields["movement"]
        assert isinstance(movements, forms.ChoiceField)
        movements.widget = forms.RadioSelect()
        movements.choices = [(one.value, capfirst(str(one.details))) for one in Movement]
        rule_sets = self.fields["rule_set"]
        assert isinstance(rule_sets, forms.ChoiceField)
        rule_sets.choices = list(_rule_choices(club, instance, presets=presets))
        own = dict(round_rules_fields(rule_sets.choices, instance))
        self.round_rules_names = tuple(own)
        self.fields.update(own)
        self.rules = rules_by_choice(club, _values_in(rule_sets.choices))
        self._offer_sizes(instance)
        if instance is None or not has_played(instance):
            del self.fields["why"]
        if instance is not None:
            del self.fields["seed"]
        self.club, self.currency, self.is_new = club, club.currency, instance is None
        prizes = dict(prize_fields(club.currency))
        self.prize_names = tuple(prizes)
        self.fields.update(prizes)

    def _offer_sizes(self, event: Event | None) -> None:
        """Offer the sizes of tables that some of the rules to choose from allow.

        Once rules are fixed these are those that all of them allow.
        """
        sizes = self.fields["sizes"]
        assert isinstance(sizes, forms.TypedMultipleChoiceField)
        allowed = {size for rules in self.rules.values() for size in _sizes_of(rules)}
        if event is not None:
            if event.round_rows.exclude(stage=Stage.DRAWN).exists():
                allowed = set(common_sizes(rule_sets_in_use(event)))
            sizes.help_text = _split_help_text(event) or sizes.help_text
        sizes.choices = [choice for choice in _SIZES if choice[0] in allowed]

    def rule_data(self) -> dict[str, Any]:
        """Return what fits each of the house rules: sizes of tables, and for a new event the usual.

        What was usual are the values of fields, as at the last event under these rules.
        """
        last = last_by_rules(self.club) if self.is_new else {}
        remembered = [*_BY_RULES, *self.tie_names, *self.setting_names.values()]
        found: dict[str, Any] = {}
        for value, rules in self.rules.items():
            known = last.get(value)
            if known is None or _cannot_be_repeated(known):
                preset = {"substitute_credit": Credit.ENTRY.value} | preset_scoring(rules)
                usual = {self.setting_names[name]: value for name, value in preset.items()}
            else:
                usual = _initial_like(known)
            found[value] = {
                "sizes": list(_sizes_of(rules)),
                "usual": {name: usual[name] for name in remembered if name in usual},
            }
        return found

    def refuse(self, error: RefusedError) -> None:
        """Add a refusal of the house rules of a round at the field in which the round stands."""
        whole, _dot, number = error.field.partition(".")
        name = field_of_round(self.cleaned_data, number) if whole == "round_rules" else None
        if name is None:
            super().refuse(error)
        else:
            self.add_error(name, translate(message_of(error)))

    def groups(self) -> Iterator[FieldGroup]:
        """The six questions of every night, each with what the answer comes to; folded the rest."""
        night = self._sketch()
        players = night.count_players()
        meetings = say.describe_meetings(night, players) or _reach_help_text()
        pick = self.pick_fields
        yield FieldGroup(
            pick(_EVENING), gettext("When and where?"), words=say.describe_evening(night)
        )
        yield FieldGroup(
            pick(["rule_set"]),
            gettext("What is played?"),
            words=say.describe_game(night),
            more=pick(self.round_rules_names),
            more_title=gettext("Another game in some rounds"),
        )
        yield FieldGroup(pick(_LENGTH), gettext("How long?"), words=say.describe_length(night))
        yield FieldGroup(pick(["movement"]), gettext("Who sits with whom?"), words=meetings)
        yield FieldGroup(
            pick((*_SCORING_FIRST, "why")),
            gettext("What counts?"),
            words=say.describe_scoring(night),
        )
        yield FieldGroup(
            pick(_PRIZES_FIRST),
            gettext("What is paid?"),
            words=say.describe_money(night, players),
        )
        yield from self._fold_groups(night)

    def _sketch(self) -> say.NightSketch:
        chosen = [self.answer("rule_set")]
        chosen += [self.answer(name) for name in self.round_rules_names if "_chosen_" in name]
        return say.NightSketch(
            club=self.club,
            event=None if self.is_new else self.instance,
            answers={name: self.answer(name) for name in self.fields},
            rules=[self.rules[one] for one in dict.fromkeys(chosen) if one in self.rules],
            scoring=self.read_settings(),
        )

    def _fold_groups(self, night: say.NightSketch) -> Iterator[FieldGroup]:
        """Yield the groups that are seldom needed, each with its present state in a few words."""

        def group(title: str, names: Iterable[str], *words: str) -> FieldGroup:
            said = " · ".join(filter(None, words))
            return FieldGroup(self.pick_fields(names), title, is_folded=True, words=said)

        answers = night.answers
        minutes, hours = answers["round_minutes"], answers["correction_hours"]
        sizes = ", ".join(map(str, night.sizes))
        yield group(
            gettext("Tables"),
            _TABLES,
            gettext("tables of %(sizes)s") % {"sizes": sizes} if sizes else "",
            gettext("the same deals at all tables") if answers["duplicate"] else "",
        )
        yield group(
            gettext("Clock and wall"),
            _CLOCK,
            gettext("clock %(n)s minutes") % {"n": minutes} if minutes else gettext("no clock"),
        )
        yield group(
            gettext("Ratings, guests and strangers"),
            _COUNTING,
            gettext("counts in ratings") if answers["rated"] else gettext("not in ratings"),
            gettext("guests are ranked") if answers["rank_guests"] else gettext("guests unranked"),
            gettext("hidden from strangers") if answers["is_hidden"] else "",
        )
        ties = sum(bool(answers[name]) for name in self.tie_names)
        rest = [name for name in self.setting_names.values() if name not in _SCORING_FIRST]
        yield group(
            gettext("Tie-breaks and everything else about scoring"),
            [*self.tie_names, *rest, "team_best"],
            ngettext("%(n)s tie-break", "%(n)s tie-breaks", ties) % {"n": ties},
        )
        yield group(
            gettext("More about prizes"),
            [name for name in self.prize_names if name not in _PRIZES_FIRST],
        )
        yield group(
            gettext("Correcting results"),
            _CORRECTIONS,
            ngettext(
                "results may be corrected for %(n)s hour",
                "results may be corrected for %(n)s hours",
                hours,
            )
            % {"n": hours}
            if hours
            else "",
        )
        yield group(gettext("More about the seating"), _SEATING)

    def clean(self) -> dict[str, Any]:
        """Read the prizes, of which the kind says how they are written."""
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        if all(name in typed for name in self.prize_names):
            try:
                typed["prizes"] = read_prizes(typed, self.currency)
            except ValidationError as error:
                self.add_error("prizes_prizes", error)
        typed["round_rules"], wrong = read_round_rules(typed)
        for name, words in wrong.items():
            self.add_error(name, words)
        return typed

    def to_values(self) -> dict[str, Any]:
        """Return what was typed as settings of the event, by name.

        Amounts and minutes left empty are 0; the hours of corrections are left out then.
        """
        typed = self.cleaned_data
        for name in ("round_minutes", "break_minutes", "entry_fee", "added"):
            typed[name] = typed[name] or 0
        names = [name for name in EVENT_SETTINGS if name in typed]
        if typed["correction_hours"] is None:
            names.remove("correction_hours")
        return {name: typed[name] for name in names} | {
            "scoring": self.read_settings(),
            "wishes": {name: typed[name] for name in ("top_first", "closed_tables") if typed[name]},
        }


def _rule_choices(club: Club, kept: Event | None, *, presets: bool) -> Iterator[tuple[str, Any]]:
    rows = selectors.rule_sets(club, retired=False)
    for row in sorted(rows, key=lambda row: (fold_text(row.name), row.name, -row.version)):
        yield str(row.pk), row.name
    if kept is not None:
        in_use = {row.pk: row for row in (kept.rule_set, *rule_sets_in_use(kept))}
        for row in in_use.values():
            if row.retired_at is not None:
                yield str(row.pk), str(row)
    if presets:
        known = {row.name for row in rows}
        standard = [
            (f"{PRESET_PREFIX}{name}", translate(title_of(rules)))
            for name, rules in PRESETS.items()
            if translate(title_of(rules)) not in known
        ]
        if standard:
            yield str(_("Standard rules, new in this club")), standard


def _values_in(choices: Any) -> Iterator[str]:
    """Yield the values of choices, of groups of them too."""
    for value, words in choices:
        if isinstance(words, list):
            yield from _values_in(words)
        else:
            yield value


def _sizes_of(rules: Rules) -> range:
    return range(rules.players.least, rules.players.most + 1)


def _split_help_text(event: Event) -> str:
    """Return the help text: at which tables those who have entered would sit, or why not."""
    away = (Presence.LEFT, Presence.WITHDRAWN)
    players = event.entries.exclude(presence__in=away).count()
    if not players or not event.sizes:
        return ""
    try:
        tables = split_players(players, event.sizes, byes=event.sit_outs)
    except SeatingError as error:
        return translate(message_of(error))
    words = ngettext(
        "With %(n)s player there would be tables of %(sizes)s.",
        "With %(n)s players there would be tables of %(sizes)s.",
        players,
    )
    said = [words % {"n": players, "sizes": ", ".join(map(str, tables))}]
    if over := players - sum(tables):
        said.append(
            ngettext("%(n)s player sits out.", "%(n)s players sit out.", over) % {"n": over}
        )
    return " ".join(said)


def _reach_help_text() -> str:
    """Return how many rounds are possible without repeat meetings, by the number of players."""
    reach = ", ".join(
        f"{players}: {repeat_free_rounds(players).rounds}" for players in _USUAL_PLAYERS
    )
    return gettext("Rounds without meeting anybody twice, by the number of players: %(reach)s.") % {
        "reach": reach
    }


def initial_for_event(event: Event) -> dict[str, Any]:
    """Return the form's initial values for an event."""
    names = [name for name in EventForm.Meta.fields if name != "seed"]
    return (
        {name: getattr(event, name) for name in ("starts_at", "sizes", *names)}
        | EventForm.initial_settings(scoring_of(event))
        | initial_for_prizes(prizes_of(event), event.club.currency)
        | initial_for_round_rules(event)
        | {
            "rule_set": str(event.rule_set_id),
            "sit_outs": "yes" if event.sit_outs else "no",
            "round_minutes": event.round_minutes or None,
            "break_minutes": event.break_minutes or None,
            "entry_fee": event.entry_fee or None,
            "added": event.added or None,
            "top_first": wishes_of(event).top_first,
            "closed_tables": closed_tables_of(event),
        }
    )


def initial_for_new_event(at: datetime, club: Club, last: Event | None = None) -> dict[str, Any]:
    """Return initial values of a new event: tonight at 19:30 club time, else like ``last``."""
    evening = local(at, club.time_zone).replace(hour=19, minute=30, second=0, microsecond=0, fold=0)
    usual = initial_for_prizes(Prizes(), club.currency) | EventForm.initial_settings(ScoringRules())
    return {
        **(usual if last is None or _cannot_be_repeated(last) else _initial_like(last)),
        "name": date_format(evening, "l j F"),
        "starts_at": evening,
    }


def _initial_like(last: Event) -> dict[str, Any]:
    """Copy another event; table sizes and sit-outs that were defaults of its rules stay open."""
    found = initial_for_event(last)
    if last.sizes == default_table_sizes(*rule_sets_in_use(last)):
        found["sizes"] = []
    if last.sit_outs == (len(last.sizes) == 1):
        found["sit_outs"] = None
    return found


def _cannot_be_repeated(last: Event) -> bool:
    """Whether the form cannot express the settings of this event."""
    is_retired = any(row.retired_at is not None for row in (last.rule_set, *rule_sets_in_use(last)))
    return is_retired or len(scoring_of(last).tie_breaks) > TIE_BREAKS
