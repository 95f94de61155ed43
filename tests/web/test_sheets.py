"""Style sheets: what a script says of an element never meets a rule for something else."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "static"
MEANT_EVERYWHERE = {"minus"}
"""Numbers below zero, which look alike wherever they stand."""
_RULE = re.compile(r"([^{}]+)\{")
_TOGGLED = re.compile(r"classList\.(?:toggle|add)\(\s*\"([\w-]+)\"")


def bare_classes(path: Path) -> set[str]:
    """The classes that a sheet styles on whatever has them."""
    text = re.sub(r"/\*.*?\*/", "", path.read_text(), flags=re.DOTALL)
    selectors = [one.strip() for rule in _RULE.findall(text) for one in rule.split(",")]
    return {one[1:] for one in selectors if re.fullmatch(r"\.[\w-]+", one)}


def toggled_classes() -> set[str]:
    found: set[str] = set()
    for path in (STATIC / "js").glob("*.js"):
        found |= set(_TOGGLED.findall(path.read_text()))
    return found


def test_the_sheets_and_the_scripts_are_read() -> None:
    assert {"is-asked", "turn", "allowed", "asking"} <= toggled_classes()
    assert {"ask", "asked"} <= bare_classes(STATIC / "css" / "window.css")


@pytest.mark.parametrize("path", sorted((STATIC / "css").glob("*.css")), ids=lambda one: one.stem)
def test_a_state_that_a_script_toggles_is_no_block_of_its_own(path: Path) -> None:
    assert bare_classes(path) & toggled_classes() <= MEANT_EVERYWHERE
