"""The measures of the house, computed from the source: `make measures` prints them.

What each number means, what it was and what it should become is in docs/development/measures.md.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import django
from django.urls import URLPattern, URLResolver, get_resolver
from django.views.generic import View
from rest_framework.generics import GenericAPIView

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("engine", "tournaments", "scoring", "config")
UNNAMED = frozenset({"Command", "Config", "Media", "Meta", "Migration"})
"""Classes whose names Django prescribes."""
PARTICIPLE = re.compile(
    r"_?(?:[a-z]+ed|told|said|kept|written|drawn|shown|known|given|taken|put|sent|held|made|begun"
    r"|gone|spoken|found)"
)


def sources(package: str) -> Iterator[Path]:
    """The modules of a package, without migrations."""
    paths = sorted((ROOT / package).rglob("*.py"))
    return (path for path in paths if "migrations" not in path.parts)


def definitions() -> Iterator[ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef]:
    """Every class and function of our packages."""
    for package in PACKAGES:
        for path in sources(package):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
                    yield node


def repeated_classes() -> dict[str, int]:
    """Names of classes that are defined more than twice, and how often."""
    names = (node.name for node in definitions() if isinstance(node, ast.ClassDef))
    counted = Counter(name for name in names if name not in UNNAMED)
    return {name: number for name, number in counted.most_common() if number > 2}


def participles() -> tuple[int, int]:
    """How many functions have a bare participle for a name, and how many there are."""
    names = [node.name for node in definitions() if not isinstance(node, ast.ClassDef)]
    return sum(PARTICIPLE.fullmatch(name) is not None for name in names), len(names)


def missing_documents() -> dict[str, int]:
    """Documents that the code cites and the repository does not have."""
    present = {path.name for path in ROOT.rglob("*.md") if ".venv" not in path.parts}
    cited = Counter(
        name
        for package in PACKAGES
        for path in sources(package)
        for name in re.findall(r"\b([\w-]+\.md)\b", path.read_text("utf-8"))
    )
    return {name: number for name, number in cited.items() if name not in present}


def lines(package: str) -> int:
    """Lines of Python of a package, without migrations."""
    return sum(len(path.read_text("utf-8").splitlines()) for path in sources(package))


def contracts() -> tuple[int, int]:
    """How many import contracts there are, and how many layers stand in parentheses."""
    found = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    rules = found["tool"]["importlinter"]["contracts"]
    layers = " ".join(layer for rule in rules for layer in rule.get("layers", ()))
    return len(rules), layers.count("(")


def views(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, type]]:
    """Every view class of ours, with its address; a function counts as its own type."""
    for pattern in patterns:
        address = f"{prefix}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from views(pattern.url_patterns, address)
            continue
        callback = pattern.callback
        view = getattr(callback, "cls", getattr(callback, "view_class", type(callback)))
        if callback.__module__.startswith(PACKAGES) or view.__module__.startswith(PACKAGES):
            yield address, view


def shares() -> dict[str, tuple[int, int]]:
    """How many views are generic: of the API those of DRF, of the pages those of Django.

    The views of the admin are Django's own, and not counted.
    """
    ours = views(get_resolver().url_patterns)
    found = [(address, view) for address, view in ours if not address.startswith("admin/")]
    api = {view for address, view in found if "api/" in address}
    pages = [view for address, view in found if "api/" not in address]
    return {
        "API": (sum(issubclass(view, GenericAPIView) for view in api), len(api)),
        "pages": (sum(issubclass(view, View) for view in pages), len(pages)),
    }


def walks() -> Iterator[str]:
    """The files that single requests run through, from the test that counts them."""
    pytest = (sys.executable, "-m", "pytest", "-n", "0", "-q", "-s")
    test = "tests/development/test_walk.py"
    done = subprocess.run((*pytest, test), cwd=ROOT, capture_output=True, text=True, check=False)
    yield from re.findall(r"^.+: \d+ files, \d+ outside.+$", done.stdout, re.MULTILINE)


def main() -> None:
    """Print every measure."""
    django.setup()
    print("Files per request")
    for line in walks():
        print(f"  {line}")
    print("Lines of Python, without tests and migrations")
    counted = {package: lines(package) for package in PACKAGES}
    for package, number in counted.items():
        print(f"  {package:12} {number:>7,}")
    print(f"  {'service':12} {sum(counted.values()) - counted['engine']:>7,}  (all but the engine)")
    names = ", ".join(f"{name} {number}" for name, number in repeated_classes().items())
    print(f"Class names defined more than twice: {names or 'none'}")
    bare, functions = participles()
    print(f"Functions named by a bare participle: {bare} of {functions}")
    missing = ", ".join(missing_documents())
    print(f"Cited documents that are not here: {missing or 'none'}")
    rules, parentheses = contracts()
    print(f"Import contracts: {rules}, layers in parentheses: {parentheses}")
    for kind, (generic, every) in shares().items():
        print(f"Generic views, {kind}: {generic} of {every}")


if __name__ == "__main__":
    main()
