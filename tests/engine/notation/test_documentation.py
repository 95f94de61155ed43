"""Every rule has its place in the user's documentation."""

from pathlib import Path

import pytest

from engine.faults import Code
from engine.notation import NotationRule

PAGE = Path(__file__).parents[3] / "docs" / "rules" / "notation.md"


@pytest.mark.parametrize("rule", sorted({*map(str, NotationRule), *map(str, Code)}))
def test_a_rule_has_one_anchor(rule: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.count(f'<a id="{rule.lower()}"></a>') == 1
