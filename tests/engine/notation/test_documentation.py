"""Every rule has its place in the user's documentation."""

from pathlib import Path

import pytest

from engine.core.faults import Code
from engine.notation import NotationRule

PAGE = Path(__file__).parents[3] / "docs" / "rules" / "notation.md"


def test_a_rule_has_one_anchor(subtests: pytest.Subtests) -> None:
    for rule in sorted({*map(str, NotationRule), *map(str, Code)}):
        with subtests.test(rule=rule):
            text = PAGE.read_text(encoding="utf-8")
            assert text.count(f'<a id="{rule.lower()}"></a>') == 1
