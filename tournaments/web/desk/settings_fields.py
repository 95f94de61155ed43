"""Fields for settings that explain themselves: a choice in words, or a short text."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext as _

from tournaments.core.language import translate
from tournaments.standings import Setting
from tournaments.standings.exact import Json


def field_of(setting: Setting, help_text: Any = "") -> forms.Field:
    """The field of one setting; left empty it is as usual."""
    if setting.choices and setting.name != "scale":
        words = [(value, translate(said).removesuffix(".")) for value, said in setting.choices]
        return forms.ChoiceField(label=translate(setting.question), choices=words)
    return forms.CharField(
        label=translate(setting.question),
        max_length=300,
        required=False,
        help_text=help_text,
        widget=forms.TextInput(attrs={"class": "" if setting.name == "scale" else "short"}),
    )


def tie_fields(setting: Setting, many: int) -> Iterator[tuple[str, forms.Field]]:
    """The fields of a chain: its first key, and then the next, as many as there may be."""
    keys = [(value, translate(said).removesuffix(".")) for value, said in setting.choices]
    for place in range(many):
        label = _("and then?") if place else translate(setting.question)
        yield (
            f"tie_{place}",
            forms.ChoiceField(
                label=label, choices=[("", _("nothing more")), *keys], required=False
            ),
        )


def data_of(text: str) -> Any:
    """A number, a list or an object as such; anything else as it was typed."""
    try:
        value = json.loads(text)
    except ValueError:
        return text
    return value if isinstance(value, int | dict | list) else text


def typed_of(
    settings: Mapping[str, Setting], values: Mapping[str, Json], usual: Mapping[str, Json]
) -> Iterator[tuple[str, Any]]:
    """What stands in the fields of settings, by name: nothing where the value is the usual one."""
    for name, setting in settings.items():
        value = values[name]
        if setting.choices and name != "scale" and isinstance(value, str):
            yield name, value
        elif value != usual[name]:
            yield name, value if isinstance(value, str | int) else json.dumps(value)
