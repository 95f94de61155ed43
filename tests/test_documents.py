"""What the documents show is what happens."""

import ast
import doctest
import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import get_commands

from engine.rules.switch_specs import SWITCHES
from scoring.webhooks.subscriptions import WebhookEvent
from tournaments.standings import TieBreak

ROOT = Path(__file__).parents[1]


@pytest.mark.parametrize("page", ["README.md", "docs/library.md", "docs/webhooks.md"])
def test_the_examples_of_a_page_run(page: str) -> None:
    """What is installed as `painsuit` is `engine` here; tests/development runs it installed."""
    text = (ROOT / page).read_text(encoding="utf-8").replace("painsuit", "engine")
    test = doctest.DocTestParser().get_doctest(text, {"__name__": "__main__"}, page, page, 0)
    result = doctest.DocTestRunner().run(test)
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


def test_every_tie_break_has_a_row_in_the_rule_book() -> None:
    page = (ROOT / "docs" / "rules" / "tournaments.md").read_text(encoding="utf-8")
    assert [key for key in TieBreak if f"\n| `{key}` | " not in page] == []


def test_every_event_of_a_webhook_is_in_its_page() -> None:
    page = (ROOT / "docs" / "webhooks.md").read_text(encoding="utf-8")
    assert [event for event in WebhookEvent if f"`{event}`" not in page] == []


CITATION = re.compile(
    r"\b([a-z]+)\.md(?:,? sections?)? (\d+(?:\.\d+)*|[A-EKIPLQ]-?\d+[a-d]?(?:\.\d+)?)(?![\w-])"
)
OURS = (
    *("benchmarks", "config", "deploy", "docs", "engine", "scoring", "static", "templates"),
    *("tests", "tournaments"),
)
QUESTION = re.compile(r"\b(?:Q[0-8]\d[ab]?|DEC-\d+)\b")


def our_texts() -> Iterator[tuple[str, str]]:
    """Our own sources and pages, with line breaks and comment marks folded to blanks."""
    inside = (path for folder in OURS for path in (ROOT / folder).rglob("*"))
    for path in (*ROOT.glob("*.md"), *inside):
        if path.suffix in {".py", ".md", ".js", ".css", ".html"} and path != Path(__file__):
            text = re.sub(r"\n\s*#?\s*", " ", path.read_text(encoding="utf-8"))
            yield str(path.relative_to(ROOT)), text


def is_resolved(page: str, reference: str) -> bool:
    """Whether a page has a section of this number, or a rule of this id."""
    mark = re.escape(reference)
    if reference[0].isdigit():
        return re.search(rf"^#+ {mark}[. ]", page, re.MULTILINE) is not None
    return re.search(rf"(?:\*\*|\| ?|/ |## ){mark}(?!\d)", page) is not None


def test_every_citation_leads_to_a_section_or_a_rule() -> None:
    pages = {path.name: path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")}
    cited = [
        (name, f"{match[1]}.md", match[2])
        for name, text in our_texts()
        for match in CITATION.finditer(text)
    ]
    assert len(cited) > 100
    assert [one for one in cited if not is_resolved(pages.get(one[1], ""), one[2])] == []


def test_every_question_and_decision_that_is_named_is_in_the_rule_book() -> None:
    rules = (ROOT / "docs" / "rules" / "rules.md").read_text(encoding="utf-8")
    decisions = (ROOT / "docs" / "rules" / "decisions.md").read_text(encoding="utf-8")
    named = {match for _, text in our_texts() for match in QUESTION.findall(text)}
    assert len(named) > 50
    assert [one for one in sorted(named) if not is_resolved(rules + decisions, one)] == []


def test_every_switch_stands_in_the_rule_book() -> None:
    rules = (ROOT / "docs" / "rules" / "rules.md").read_text(encoding="utf-8")
    assert len(SWITCHES) > 30
    assert [name for name in SWITCHES if f"`{name}" not in rules] == []


def test_every_link_of_a_page_leads_to_a_file() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").glob("*.md")]
    broken = [
        (str(page.relative_to(ROOT)), target)
        for page in pages
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []


PATH = re.compile(
    r"`((?:benchmarks|config|deploy|docs|engine|locale|scoring|static|templates|tests|tournaments)"
    r"/[\w./-]+)`"
)
MADE_BY_OPERATORS = {"deploy/.env", "deploy/secrets"}


def test_every_path_that_a_page_names_is_there() -> None:
    """The changelog names paths as they were then."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").glob("*.md")]
    named = {
        (str(page.relative_to(ROOT)), path)
        for page in pages
        if page.name != "CHANGELOG.md"
        for path in PATH.findall(page.read_text(encoding="utf-8"))
    }
    assert len(named) > 100
    assert [
        one
        for one in sorted(named)
        if one[1] not in MADE_BY_OPERATORS and not (ROOT / one[1]).exists()
    ] == []


def texts_with_commands() -> Iterator[tuple[str, str]]:
    """Everything in which people or programs read what to type."""
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "deploy").glob("*.md")]
    programs = [
        *(ROOT / name for name in (".ci/run", ".pre-commit-config.yaml", "Makefile")),
        *(ROOT / ".github").rglob("*.yml"),
        *(path for path in (ROOT / "deploy").iterdir() if path.is_file()),
    ]
    for path in (*pages, *programs):
        if path.name != "CHANGELOG.md":  # it names commands as they were then
            yield str(path.relative_to(ROOT)), path.read_text(encoding="utf-8")


def test_every_target_of_make_that_is_named_exists() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][\w-]*):", makefile, re.MULTILINE))
    named = {
        (name, target)
        for name, text in texts_with_commands()
        for targets_named in re.findall(
            r"(?:`|^\s*(?:- )?(?:entry: |run: )?)make ([a-z -]+)(?:`|$|  #)", text, re.MULTILINE
        )
        for target in targets_named.split()
    }
    assert (".pre-commit-config.yaml", "docs") in named
    assert [place for place in sorted(named) if place[1] not in targets] == []


def test_every_command_of_manage_py_that_is_named_exists() -> None:
    commands = {*get_commands(), "version"}
    named = {
        (name, command)
        for name, text in texts_with_commands()
        for command in re.findall(
            r"(?:^ +|`|python3? )(?:\./)?manage\.py ([a-z_]+)\b", text, re.MULTILINE
        )
    }
    assert len(named) > 50
    assert [place for place in sorted(named) if place[1] not in commands] == []


def test_every_module_that_is_to_be_run_exists() -> None:
    named = {
        (name, module)
        for name, text in texts_with_commands()
        for module in re.findall(r"python3? -m ((?:benchmarks|deploy|tests|engine)[\w.]*)", text)
    }
    assert len(named) > 5
    assert [place for place in sorted(named) if find_spec(place[1].rstrip(".")) is None] == []


def test_every_invariant_names_tests_that_hold_it() -> None:
    page = (ROOT / "docs" / "development" / "reliability.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (I\d+) \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    assert [name for name, _ in rows] == [f"I{number}" for number in range(1, 23)]
    assert [name for name, held_by in rows if "`tests/" not in held_by] == []
