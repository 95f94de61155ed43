"""The form of an event: every setting in plain words, and what was typed as data."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.formats import date_format
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.rule_sheet import title_of
from engine.rules.presets import PRESETS
from tournaments import selectors
from tournaments.core.errors import RefusedError
from tournaments.core.language import translate
from tournaments.core.time_zones import local
from tournaments.events.events import (
    HANDS_MOST,
    ROUNDS_MOST,
    closed_tables_of,
    prizes_of,
    scoring_of,
    usual_sizes,
    wishes_of,
)
from tournaments.events.seating import count_repeat_free_rounds
from tournaments.models import Club, Event, Movement
from tournaments.movements import repeat_free_rounds
from tournaments.prizes import Prizes
from tournaments.standings import SETTINGS, ScoringRules
from tournaments.web.desk.datetime_field import MomentField
from tournaments.web.desk.forms import DeskForm, TableNumbersField
from tournaments.web.desk.prize_fields import prize_fields, prizes_in, typed_prizes
from tournaments.web.desk.settings_fields import data_of, field_of, tie_fields, typed_of

NEW: Final = "preset:"
"""Before the name of a preset: rules that the club does not have yet."""
TIE_BREAKS: Final = 5
_SIZES: Final = ((3, "3"), (4, "4"), (5, "5"), (6, "6"))
_MOVEMENTS: Final = (
    (Movement.PLANNED, _("Planned: everybody meets as many others as can be")),
    (Movement.RANDOM, _("Drawn by lot, round by round, without meeting again")),
    (Movement.SWISS, _("Swiss: neighbours in the standings meet, nobody twice")),
    (Movement.DANISH, _("Danish: neighbours in the standings meet, also again")),
    (Movement.LADDER, _("Ladder: the best of a table move up, the last move down")),
    (Movement.SNAKE, _("Snake: every table is as strong as the others")),
    (Movement.FIXED, _("Fixed: everybody stays at his table")),
    (Movement.PRESCRIBED, _("Prescribed: a perfect plan from the books, where there is one")),
)
_SEATING: Final = ("top_first", "closed_tables", "seed")
_TEAM_BEST_MOST: Final = 100
_SEED_MOST: Final = 64
_USUAL_PLAYERS: Final = (8, 12, 15, 16, 19, 20, 22, 24, 28, 32, 36, 40)
_FIRST: Final = ("method", "total")
"""The settings of a scoring that are asked first; all others stand below."""


class EventForm(DeskForm):
    """An event as it is set up; the settings of its scoring are `SETTINGS`, one field each."""

    name = forms.CharField(label=_("Name"), max_length=200)
    starts_at = MomentField(label=_("Begins"))
    rule_set = forms.ChoiceField(label=_("House rules"))
    rounds = forms.IntegerField(label=_("Rounds"), min_value=1, max_value=ROUNDS_MOST, initial=5)
    hands = forms.IntegerField(
        label=_("Hands in a round"), min_value=1, max_value=HANDS_MOST, initial=4
    )
    movement = forms.ChoiceField(label=_("Who meets whom"), choices=_MOVEMENTS)
    sizes = forms.TypedMultipleChoiceField(
        label=_("Tables of"),
        choices=_SIZES,
        coerce=int,
        required=False,
        help_text=_("None ticked: what the rules allow of 3, 4 and 5."),
        widget=forms.CheckboxSelectMultiple,
    )
    sit_outs = forms.TypedChoiceField(
        label=_("May somebody sit out a round?"),
        choices=(
            ("", _("Only where tables have one size")),
            ("yes", _("Yes")),
            ("no", _("No")),
        ),
        coerce=lambda text: text == "yes",
        empty_value=None,
        required=False,
    )
    duplicate = forms.BooleanField(
        label=_("All tables play the same deals (duplicate)"), required=False
    )
    rated = forms.BooleanField(label=_("It counts in ratings"), required=False, initial=True)
    rank_guests = forms.BooleanField(
        label=_("Guests are ranked"),
        required=False,
        initial=True,
        help_text=_("In a season guests count only if they are on its roll."),
    )
    is_hidden = forms.BooleanField(
        label=_("Hidden from strangers"),
        required=False,
        help_text=_(
            "Only the club's people see it and its games. With it are hidden every season that it"
            " counts for and, once it is played, the club's ratings."
        ),
    )

    def __init__(
        self, *args: Any, club: Club, presets: bool = False, kept: Event | None = None, **more: Any
    ) -> None:
        super().__init__(*args, **more)
        self.fields["starts_at"].help_text = clock_said(club)
        self.fields["rounds"].help_text = _repeat_free_words(kept)
        keys = () if kept is None else scoring_of(kept).tie_breaks
        self.many = max(TIE_BREAKS, len(keys))
        choices = list(_rule_choices(club, kept, presets=presets))
        rules = self.fields["rule_set"]
        assert isinstance(rules, forms.ChoiceField)
        rules.choices = choices
        for name, setting in SETTINGS.items():
            if name == "tie_breaks":
                self.fields.update(tie_fields(setting, self.many))
            else:
                usual = translate(setting.say(getattr(ScoringRules(), name)))
                words = _scale_help() if name == "scale" else usual
                self.fields[f"scoring_{name}"] = field_of(setting, words)
        self.fields.update(_rarer_fields(is_new=kept is None))
        self.currency = club.currency
        self.prize_names = [name for name, _field in prize_fields(club.currency)]
        self.fields.update(prize_fields(club.currency))

    def first(self) -> Iterator[forms.BoundField]:
        """The fields that every event needs."""
        yield from (self[name] for name in type(self).base_fields)

    def scoring_first(self) -> Iterator[forms.BoundField]:
        """How it is scored, in short."""
        yield from (self[f"scoring_{name}"] for name in _FIRST)

    def ties(self) -> Iterator[forms.BoundField]:
        """What breaks a tie."""
        yield from (self[f"tie_{place}"] for place in range(self.many))

    def scoring_rest(self) -> Iterator[forms.BoundField]:
        """All other settings of the scoring."""
        for name in SETTINGS:
            if name not in (*_FIRST, "tie_breaks"):
                yield self[f"scoring_{name}"]
        yield self["team_best"]

    def prizes(self) -> Iterator[forms.BoundField]:
        """What is paid, and what there is to win."""
        yield from (self[name] for name in self.prize_names)

    def seating_rest(self) -> Iterator[forms.BoundField]:
        """What few ask of a seating."""
        yield from (self[name] for name in _SEATING if name in self.fields)

    @property
    def rest_is_wrong(self) -> bool:
        """Whether something is to be said at a field that is folded away."""
        return any(field.errors for field in (*self.ties(), *self.scoring_rest()))

    @property
    def prizes_are_open(self) -> bool:
        """Whether there is money, or something to be said of it."""
        if any(field.errors for field in self.prizes()):
            return True
        return bool(self["entry_fee"].value() or self["added"].value())

    @property
    def seating_is_open(self) -> bool:
        """Whether something is to be said of the seating."""
        return any(field.errors for field in self.seating_rest())

    def clean(self) -> dict[str, Any]:
        """Read the prizes, of which the kind says how they are written."""
        typed: dict[str, Any] = super().clean() or self.cleaned_data
        if all(name in typed for name in self.prize_names):
            try:
                typed["prizes"] = prizes_in(typed, self.currency)
            except ValidationError as error:
                self.add_error("prizes_prizes", error)
        return typed

    def wanted(self) -> dict[str, Any]:
        """What was typed, as an event has it."""
        typed = self.cleaned_data
        found = {name: typed[name] for name in type(self).base_fields}
        if "seed" in typed:
            found["seed"] = typed["seed"]
        return found | {
            "scoring": dict(self._scoring()),
            "wishes": {name: typed[name] for name in ("top_first", "closed_tables") if typed[name]},
            "team_best": typed["team_best"],
            "entry_fee": typed["entry_fee"] or 0,
            "added": typed["added"] or 0,
            "prizes": typed["prizes"],
        }

    def _scoring(self) -> Iterator[tuple[str, Any]]:
        for name in SETTINGS:
            if name == "tie_breaks":
                keys = [self.cleaned_data[f"tie_{place}"] for place in range(self.many)]
                yield name, [key for key in keys if key]
            elif (text := self.cleaned_data[f"scoring_{name}"]) != "":
                yield name, text if name == "lot_seed" else data_of(text)
        # What is left empty is as usual.


def _rule_choices(club: Club, kept: Event | None, *, presets: bool) -> Iterator[tuple[str, Any]]:
    rows = selectors.rule_sets(club, retired=False).order_by("name", "-version")
    for row in rows:
        yield str(row.pk), row.name
    if kept is not None and kept.rule_set.retired_at is not None:
        yield str(kept.rule_set_id), str(kept.rule_set)
    if presets:
        known = {row.name for row in rows}
        standard = [
            (f"{NEW}{name}", translate(title_of(rules)))
            for name, rules in PRESETS.items()
            if translate(title_of(rules)) not in known
        ]
        if standard:
            yield str(_("Standard rules, new in this club")), standard


def _rarer_fields(*, is_new: bool) -> Iterator[tuple[str, forms.Field]]:
    yield (
        "team_best",
        forms.IntegerField(
            label=_("Of a team, how many of its members count?"),
            min_value=1,
            max_value=_TEAM_BEST_MOST,
            required=False,
            help_text=_("The best of them. Left empty: all."),
        ),
    )
    yield (
        "top_first",
        forms.BooleanField(
            label=_("Swiss: pair the tables of the leaders best, others as it comes"),
            required=False,
        ),
    )
    yield (
        "closed_tables",
        TableNumbersField(
            label=_("Tables that are closed"),
            help_text=_("Nobody sits there: their numbers, such as 3, 7."),
        ),
    )
    if is_new:
        yield (
            "seed",
            forms.CharField(
                label=_("What draws and lots are made from"),
                max_length=_SEED_MOST,
                required=False,
                help_text=_("Any text, made public: whoever has it can draw again. Empty: ours."),
            ),
        )


def _repeat_free_words(event: Event | None) -> str:
    """How many planned rounds there are without a repeat meeting, by how many play."""
    found = [] if event is None else list(_repeat_free_sentence(event))
    if found:
        return found[0]
    reach = ", ".join(
        f"{players}: {repeat_free_rounds(players).rounds}" for players in _USUAL_PLAYERS
    )
    words = gettext("Rounds without meeting anybody twice, by the number of players: %(reach)s.")
    return words % {"reach": reach}


def _repeat_free_sentence(event: Event) -> Iterator[str]:
    try:
        players, found = count_repeat_free_rounds(event)
    except RefusedError:
        return  # too few have entered yet
    words = gettext("With %(players)s players:") % {"players": players}
    yield f"{words} {translate(found.sentence)}"


def _scale_help() -> Any:
    return _('Evenly from +3 to -3, or points by size of table: {"4": [5, 3, 1, 0]}')


def initial_of(event: Event) -> dict[str, Any]:
    """An event as its form shows it."""
    scoring = scoring_of(event).to_data()
    found: dict[str, Any] = {name: getattr(event, name) for name in EventForm.base_fields}
    found["rule_set"] = str(event.rule_set_id)
    found["sit_outs"] = "yes" if event.sit_outs else "no"
    keys = scoring["tie_breaks"]
    assert isinstance(keys, list)
    found |= {f"tie_{place}": key for place, key in enumerate(keys)}
    for name, value in typed_of(SETTINGS, scoring, ScoringRules().to_data()):
        found[f"scoring_{name}"] = value
    found |= typed_prizes(prizes_of(event), event.club.currency)
    return found | {
        "entry_fee": event.entry_fee or None,
        "added": event.added or None,
        "team_best": event.team_best,
        "top_first": wishes_of(event).top_first,
        "closed_tables": closed_tables_of(event),
    }


def clock_said(club: Club) -> str:
    """Which clock a time is typed by."""
    return gettext("By the club's clock: %(zone)s.") % {"zone": club.time_zone.replace("_", " ")}


def usual_of(at: datetime, club: Club, last: Event | None = None) -> Mapping[str, Any]:
    """A new event: tonight at half past seven by the club's clock, and else as the last one."""
    tonight = local(at, club.time_zone)
    evening = tonight.replace(hour=19, minute=30, second=0, microsecond=0, fold=0)
    return {
        **(_plain(club) if last is None or _is_unusual(last) else _as_at(last)),
        "name": date_format(evening, "l j F"),
        "starts_at": evening,
    }


def _as_at(last: Event) -> dict[str, Any]:
    """Everything as at another event; tables that its rules alone decided follow the rules."""
    found = initial_of(last)
    if last.sizes == usual_sizes(last.rule_set):
        found["sizes"] = []
    if last.sit_outs == (len(last.sizes) == 1):
        found["sit_outs"] = None
    return found


def _is_unusual(last: Event) -> bool:
    """Whether no form of a new event can say the same."""
    return last.rule_set.retired_at is not None or len(scoring_of(last).tie_breaks) > TIE_BREAKS


def _plain(club: Club) -> Mapping[str, Any]:
    plain = ScoringRules().to_data()
    keys = plain["tie_breaks"]
    assert isinstance(keys, list)
    return {
        **typed_prizes(Prizes(), club.currency),
        **{f"tie_{place}": key for place, key in enumerate(keys[:TIE_BREAKS])},
        **{f"scoring_{name}": plain[name] for name in SETTINGS if SETTINGS[name].choices},
        "scoring_scale": "",
    }
