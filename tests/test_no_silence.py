"""No test passes over its subject in silence."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
MODULES = sorted(TESTS.rglob("test_*.py"))
MAY_SWALLOW = {
    "scoring/test_club_machine.py": "a machine tries what may be refused; its invariants judge",
    "scoring/games/test_money_properties.py": "the game may be over; what was entered is judged",
    "scoring/webhooks/test_client.py": "a server in a thread, to which nobody may have come",
}
"""Modules with a handler that only goes on, and why none of their tests loses its subject."""


def find_tests(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            yield node


def own_nodes(function: ast.FunctionDef) -> Iterator[ast.AST]:
    """The nodes of a function, without those of functions inside it."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))


def goes_on(node: ast.AST) -> bool:
    """Whether an error that is caught here leaves no trace."""
    return isinstance(node, ast.ExceptHandler) and all(
        isinstance(one, ast.Pass | ast.Continue)
        or (isinstance(one, ast.Return) and one.value is None)
        for one in node.body
    )


def is_call(node: ast.AST, *names: str) -> bool:
    if not isinstance(node, ast.Call):
        return False
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    return name in names


def silences(module: Path) -> Iterator[str]:
    """Where a module lets a test end or go on without a word."""
    tree = ast.parse(module.read_text(encoding="utf-8"))
    may_swallow = module.relative_to(TESTS).as_posix() in MAY_SWALLOW
    for node in ast.walk(tree):
        if goes_on(node) and not may_swallow:
            yield f"line {line_of(node)}: an error is caught and forgotten"
        if is_call(node, "skip", "xfail") and not has_arguments(node):
            yield f"line {line_of(node)}: skipped without a reason"
    for test in find_tests(tree):
        for node in own_nodes(test):
            if isinstance(node, ast.Return):
                yield f"line {line_of(node)}: {test.name} returns early; use assume() or two tests"
            if is_call(node, "suppress") and not may_swallow:
                yield f"line {line_of(node)}: {test.name} suppresses an error"


def line_of(node: ast.AST) -> int:
    return int(getattr(node, "lineno", 0))


def has_arguments(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and bool(node.args or node.keywords)


def test_no_test_is_silent(subtests: pytest.Subtests) -> None:
    assert len(MODULES) > 100
    for module in MODULES:
        with subtests.test(module.relative_to(TESTS).as_posix()):
            assert list(silences(module)) == []


def test_every_exception_to_the_rule_is_needed() -> None:
    for name in MAY_SWALLOW:
        tree = ast.parse((TESTS / name).read_text(encoding="utf-8"))
        assert any(goes_on(node) for node in ast.walk(tree)), name


SILENT = """
def test_nothing():
    for name in switches:
        try:
            turn(name)
        except RulesError:
            continue
    if not found:
        return
    with suppress(ValueError):
        read(found)
    pytest.skip()
"""


def test_the_patterns_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "test_silent.py"
    module.write_text(SILENT, encoding="utf-8")
    monkeypatch.setitem(silences.__globals__, "TESTS", tmp_path)
    found = "; ".join(sorted(silences(module)))
    for words in ("caught and forgotten", "returns early", "suppresses", "without a reason"):
        assert words in found
