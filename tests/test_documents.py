"""What the documents show is what happens."""

import doctest
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["README.md", "docs/library.md"])
def test_the_examples_of_a_page_run(page: str) -> None:
    result = doctest.testfile(str(ROOT / page), module_relative=False, encoding="utf-8")
    assert result.attempted
    assert not result.failed
