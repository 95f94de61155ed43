"""Forms with settings that explain themselves: one field each, and a chain of tie-breaks.

An event's scoring and a season have such settings (`tournaments.standings.settings`).
"""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _

from tournaments.core.language import translate
from tournaments.standings import ScoringRules, SeasonRules, Setting
from tournaments.web.desk.forms import SHORT_TEXT, FoldedForm

TIE_BREAKS: Final = 5
"""So many fields for tie-breaks, unless there are more already."""
_TEXT_MAX: Final = 300
_WRITTEN_OUT: Final = "scale"
"""A setting with choices that is typed all the same: there is more than its choices."""


class SettingsForm(FoldedForm):
    """A form with a field for every setting; left empty it is as usual."""

    settings: ClassVar[Mapping[str, Setting]]
    usual: ClassVar[ScoringRules | SeasonRules]
    stem: ClassVar[str]
    """How the names of the fields begin: ``season`` makes ``season_best``."""
    own_fields: ClassVar[tuple[str, ...]] = ()
    """Settings that have fields of their own."""
    settings_help: ClassVar[Mapping[str, Any]] = {}
    """Help texts of settings that do not just say what is usual."""

    def __init__(
        self, *args: Any, rules: ScoringRules | SeasonRules | None = None, **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        many = max(TIE_BREAKS, len(rules.tie_breaks) if rules is not None else 0)
        self.tie_names = [f"tie_{place}" for place in range(many)]
        self.setting_names = {
            name: f"{self.stem}_{name}"
            for name in self.settings
            if name != "tie_breaks" and name not in self.own_fields
        }
        chain = self.settings["tie_breaks"]
        keys = [("", _("nothing more")), *_choices(chain)]
        for name in self.tie_names:
            label = translate(chain.question) if name == "tie_0" else _("and then?")
            self.fields[name] = forms.ChoiceField(label=label, choices=keys, required=False)
        for name, field in self.setting_names.items():
            self.fields[field] = self._make_field(self.settings[name])

    def _make_field(self, setting: Setting) -> forms.Field:
        question, name = translate(setting.question), setting.name
        if setting.choices and name != _WRITTEN_OUT:
            return forms.ChoiceField(label=question, choices=_choices(setting))
        return forms.CharField(
            label=question,
            max_length=_TEXT_MAX,
            required=False,
            help_text=self.settings_help.get(name)
            or translate(setting.say(getattr(self.usual, name))),
            widget=forms.TextInput if name == _WRITTEN_OUT else SHORT_TEXT,
            validators=[_check_points] if name == _WRITTEN_OUT else [],
        )

    def read_settings(self) -> dict[str, Any]:
        """The settings that were typed; those left empty are as usual and are not among them."""
        ties = [key for name in self.tie_names if (key := self.answer(name))]
        typed = {name: self.answer(field) for name, field in self.setting_names.items()}
        return {"tie_breaks": ties} | {
            name: text if name == "lot_seed" else _read_value(name, str(text))
            for name, text in typed.items()
            if text not in ("", None)
        }

    @classmethod
    def initial_settings(cls, rules: ScoringRules | SeasonRules) -> dict[str, Any]:
        """Return initial values for these rules: none where the value is the usual one."""
        values, usual = rules.to_data(), cls.usual.to_data()
        found: dict[str, Any] = {f"tie_{n}": str(key) for n, key in enumerate(rules.tie_breaks)}
        for name, setting in cls.settings.items():
            value = values[name]
            if setting.choices and name != _WRITTEN_OUT and isinstance(value, str):
                found[f"{cls.stem}_{name}"] = value
            elif value != usual[name]:
                text = value if isinstance(value, str | int) else _write_value(name, value)
                found[f"{cls.stem}_{name}"] = text
        return found


def _write_value(name: str, value: Any) -> str:
    """Return the text that `_read_value` reads."""
    if name == _WRITTEN_OUT:
        return "; ".join(" ".join(map(str, points)) for points in value.values())
    return json.dumps(value)


def _choices(setting: Setting) -> Iterator[tuple[str, str]]:
    for value, words in setting.choices:
        yield value, translate(words).removesuffix(".")


def _read_value(name: str, text: str) -> Any:
    """A number, a list or an object as such, points of places by how many there are.

    Anything else is as it was typed.
    """
    rows = _split_points(text)
    if name == _WRITTEN_OUT and rows and all(len(row) > 1 for row in rows) and "{" not in text:
        return {str(len(row)): row for row in rows}
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, int | dict | list) else text


def _split_points(text: str) -> list[list[str]]:
    """Points of places, a list for each size of table; a comma between digits is a decimal mark."""
    rows = (re.sub(r"(?<=\d),(?=\d)", ".", row) for row in text.split(";"))
    return [row.replace(",", " ").split() for row in rows if row.strip()]


def _check_points(text: str) -> None:
    """Raise ValidationError for points of which something would get lost or another number."""
    if "{" in text:
        return
    if run_on := re.search(r"\d+(?:,\d+){2,}", text):
        raise forms.ValidationError(
            _("“%(points)s” is no number: put a blank between the points of two places.")
            % {"points": run_on[0]}
        )
    sizes = [len(row) for row in _split_points(text)]
    twice = next((size for size in sizes if sizes.count(size) > 1), None)
    if twice is not None:
        raise forms.ValidationError(
            _("Points for tables of %(size)s are there twice: leave one row out.") % {"size": twice}
        )
