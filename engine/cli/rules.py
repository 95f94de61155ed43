"""Rules: the house-rule sheet, the presets and the switches as lines of text."""

from collections.abc import Callable, Iterator
from typing import Final

from ..core.messages import Message
from ..record.json import Plain
from ..rules.presets import BICYCLE, PRESETS, TITLES, VARIANTS, variant_of
from ..rules.rule_sheet import sheet, title_of
from ..rules.rules import Rules, find_differences
from ..rules.switch_specs import SWITCHES, Switch
from .language import say
from .screen import Line, count_columns, pad
from .settlement import wrap_text

_INDENT: Final = 4
_WORDS: Final = 24
_VARIANT_OF: Final = {name: variant for variant, name in VARIANTS.items()}


def sheet_lines(rules: Rules, width: int) -> Iterator[Line]:
    """The sheet of a club: every question that matters, and how the house answers it."""
    variant, overrides = variant_of(rules)
    title = title_of(rules)
    yield [(title, "bold")]
    yield [("─" * count_columns(say(title)), "dim")]
    special = {SWITCHES[name].question for name in overrides}
    for question, answer in sheet(rules):
        mark = "*" if question in special else " "
        yield [(f"{mark} ", "bold yellow"), (question, "dim")]
        for piece in wrap_text(answer, width - _INDENT):
            yield [(" " * _INDENT, ""), (piece, "bold yellow" if mark == "*" else "")]
    yield []
    if overrides:
        title_of_variant = TITLES[VARIANTS[variant]]
        yield [("* ", "bold yellow"), (Message("differs from {game}", game=title_of_variant), "")]
    labels = [say(Message("In a record:")), say(Message("Rule set:"))]
    width = max(map(count_columns, labels)) + 1
    for label, text in zip(labels, (rules_tag(rules), rules.digest[:12]), strict=True):
        yield [(pad(label, width), "dim"), (text, "")]


def rules_tag(rules: Rules) -> str:
    """Return the tag by which a record is judged by these rules."""
    variant, overrides = variant_of(rules)
    pairs = "".join(f";{name.replace('_', '-')}={text}" for name, text in overrides.items())
    return f'[Rules "{variant}/1{pairs}"]' if pairs else f'[Variant "{variant}"]'


def preset_lines() -> Iterator[Line]:
    """All presets: the name, the name in a record, how many play, the title."""
    rows = [
        (name, _VARIANT_OF[name], rules.texts["players"].replace("..", "-"), say(TITLES[name]))
        for name, rules in PRESETS.items()
    ]
    heads = [
        say(head)
        for head in (Message("Preset"), Message("In a record"), Message("Size"), Message("Game"))
    ]
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    head = "  ".join(map(str.ljust, heads, widths))
    yield [(head, "bold")]
    yield [("─" * len(head), "dim")]
    for row in rows:
        name, *rest = map(str.ljust, row, widths)
        yield [(name, "bold"), ("  " + "  ".join(rest), "")]


def switch_lines(width: int) -> Iterator[Line]:
    """Every switch with all its values in plain words; * marks what holds in Bicycle."""
    for name, switch in SWITCHES.items():
        yield [(name, "bold"), (f"  {switch.ids}", "dim")]
        yield [("  ", ""), (switch.question, "cyan")]
        default = BICYCLE.texts[name]
        for text, words in values_of(switch, default, say):
            yield from _value_lines(text, words, width, chosen=text == default)
        yield []
    yield [(Message("* the value in Auction Hearts (Bicycle)"), "dim")]


def _value_lines(text: str, words: str, width: int, *, chosen: bool) -> Iterator[Line]:
    lines = wrap_text(words, width - _WORDS)
    lead = f"  {'*' if chosen else ' '} {text}".ljust(_WORDS - 1)
    if len(lead) >= _WORDS:
        yield [(lead, "bold")]
        lead = ""
    for at, piece in enumerate(lines):
        yield [(lead.ljust(_WORDS) if at == 0 else " " * _WORDS, "bold"), (piece, "")]


def values_of(
    switch: Switch, default: str, translate: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """The values of a switch with their words; a pattern such as hands:n stands for many."""
    texts = dict.fromkeys((*switch.choices, default))
    for text in texts:
        try:
            value = switch.read(text)
        except ValueError:
            shown = text.removesuffix("n") + "7"
            words = translate(switch.say(switch.read(shown))).replace("7", "n")
            yield text, translate(Message("Any whole number.")) if words == "n." else words
        else:
            yield text, translate(switch.say(value))


def rules_plain(rules: Rules) -> Plain:
    """A rule set as data."""
    variant, overrides = variant_of(rules)
    return {
        "title": title_of(rules),
        "variant": variant,
        "overrides": overrides,
        "digest": rules.digest,
        "switches": rules.texts,
        "sheet": [{"question": question, "answer": answer} for question, answer in sheet(rules)],
    }


def presets_plain() -> list[Plain]:
    """All presets as data."""
    return [
        {
            "preset": name,
            "variant": _VARIANT_OF[name],
            "title": TITLES[name],
            "players": rules.texts["players"],
            "differs": find_differences(rules, BICYCLE),
        }
        for name, rules in PRESETS.items()
    ]


def switches_plain() -> list[Plain]:
    """All switches as data."""
    return [
        {
            "switch": name,
            "rules": switch.ids.split(),
            "question": switch.question,
            "default": BICYCLE.texts[name],
            "values": dict(values_of(switch, BICYCLE.texts[name], str)),
        }
        for name, switch in SWITCHES.items()
    ]
