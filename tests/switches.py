"""Switches of house rules for tests that turn them by chance: a misspelt one is an error."""

from collections.abc import Iterable, Mapping, Sequence

from engine.rules.rules import Rules, RulesError, change, switch_name
from engine.rules.switch_specs import SWITCHES


def turn(rules: Rules, name: str, text: str) -> Rules:
    """The rules with a switch turned; unchanged where it does not go with the other switches.

    Raises RulesError for an unknown switch and ValueError for an unknown value.
    """
    SWITCHES[switch_name(name)].read(text)
    try:
        return change(rules, {name: text})
    except RulesError:
        return rules


def useless_turns(
    turns: Mapping[str, Sequence[str]], bases: Iterable[Rules]
) -> list[tuple[str, str]]:
    """The values that no rules take beside what they have: whoever turns them tests nothing."""
    rules = list(bases)
    return [
        (name, text)
        for name, texts in turns.items()
        for text in texts
        if not any(_takes(base, name, text) for base in rules)
    ]


def _takes(rules: Rules, name: str, text: str) -> bool:
    turned = turn(rules, name, text)
    return turned is not rules
