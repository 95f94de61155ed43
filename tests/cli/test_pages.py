"""What the documents show of the command line is what it prints."""

import re
import shlex

import pytest

from tests.cli.calling import RECORDS, ROOT, ask

PAGES = ("README.md", "docs/use/command-line.md")
_BLOCK = re.compile(r"```console\n\$ python3 manage\.py ([^\n]+)\n(.*?)\n```", re.DOTALL)
SHOWN = [
    pytest.param(words, shown, id=f"{page} {words}")
    for page in PAGES
    for words, shown in _BLOCK.findall((ROOT / page).read_text())
]


@pytest.mark.parametrize(("words", "shown"), SHOWN)
def test_a_page_shows_what_is_printed(
    words: str, shown: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(RECORDS)
    out = ask(*shlex.split(words)).out
    begins, ends = not shown.startswith("…"), not shown.endswith("…")
    text = shown.removeprefix("…\n").removesuffix("\n…")
    assert text in out
    assert out.startswith(text) or not begins
    assert out == text + "\n" or not (begins and ends)


def test_every_page_shows_something() -> None:
    assert all("```console\n$ python3 manage.py " in (ROOT / page).read_text() for page in PAGES)
