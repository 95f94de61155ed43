"""What the documents show is what happens."""

import ast
import doctest
from pathlib import Path

import pytest

from scoring.webhooks import Event

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["README.md", "docs/library.md", "docs/webhooks.md"])
def test_the_examples_of_a_page_run(page: str) -> None:
    result = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert result.attempted
    assert not result.failed


def names_of_settings() -> set[str]:
    """Every variable of the environment that config/ reads by one of its typed readers."""
    found = set()
    for path in (ROOT / "config").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            reader = getattr(node, "func", None)
            if isinstance(node, ast.Call) and getattr(reader, "id", "").startswith("env_"):
                name = node.args[0]
                if isinstance(name, ast.Constant):
                    found.add(str(name.value))
    return found


def test_every_setting_is_in_the_list() -> None:
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    names = names_of_settings()
    assert len(names) > 10
    assert [name for name in sorted(names) if f"`{name}`" not in page] == []


def test_every_event_of_a_webhook_is_in_its_page() -> None:
    page = (ROOT / "docs" / "webhooks.md").read_text(encoding="utf-8")
    assert [event for event in Event if f"`{event}`" not in page] == []
