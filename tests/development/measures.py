"""The measures of the house, computed from the source; `make measures` writes them to their page.

What each number means and what it should become is in docs/development/measures.md.
"""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

import django
from django.urls import URLPattern, URLResolver, get_resolver
from django.views.generic import View
from rest_framework.generics import GenericAPIView

ROOT = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "development" / "measures.md"
PACKAGES = ("engine", "tournaments", "scoring", "config")
UNNAMED = frozenset({"Command", "Config", "Media", "Meta", "Migration"})
"""Classes whose names Django prescribes."""
PARTICIPLE = re.compile(
    r"_?(?:[a-z]+ed|told|said|kept|written|drawn|shown|known|given|taken|put|sent|held|made|begun"
    r"|gone|spoken|found)"
)
RECORDS = frozenset({"dataclass", "TypedDict", "NamedTuple"})
FORMS = re.compile(r"(?:Serializer|Form|FormSet)\b")
OPENERS = re.compile(r"(?:What|How|Where|Which|Who|Whose|Whom|As|The same)\b")
PREFIXES = re.compile(r"_?(?:is|has|can|are|have|was|may|should)_|__")
"""Beginnings of the name of a yes or no, or a name that Python prescribes."""
SMALL: Final = 60
SETTING: Final = "starts_clock"
FIRST, LAST = "<!-- written by make measures -->\n", "<!-- end -->"

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Module(NamedTuple):
    """One file of our packages: its source, its tree and all words in it."""

    path: Path
    text: str
    nodes: tuple[ast.AST, ...]
    words: Counter[str]


@cache
def modules(package: str) -> tuple[Module, ...]:
    """Return the modules of a package, without migrations."""
    return tuple(
        Module(path, text, tuple(ast.walk(ast.parse(text))), Counter(re.findall(r"\w+", text)))
        for path in sorted((ROOT / package).rglob("*.py"))
        if "migrations" not in path.parts
        for text in (path.read_text("utf-8"),)
    )


def functions(module: Module) -> Iterator[Function]:
    """Every function and method of a module."""
    for node in module.nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def classes(module: Module) -> Iterator[ast.ClassDef]:
    """Every class of a module."""
    return (node for node in module.nodes if isinstance(node, ast.ClassDef))


def definitions() -> Iterator[ast.ClassDef | Function]:
    """Every class and function of our packages."""
    for package in PACKAGES:
        for module in modules(package):
            yield from classes(module)
            yield from functions(module)


def repeated_classes() -> dict[str, int]:
    """Names of classes that are defined more than twice, and how often."""
    names = (node.name for node in definitions() if isinstance(node, ast.ClassDef))
    counted = Counter(name for name in names if name not in UNNAMED)
    return {name: number for name, number in counted.most_common() if number > 2}


def participles() -> int:
    """Functions that have a bare participle for a name."""
    names = (node.name for node in definitions() if not isinstance(node, ast.ClassDef))
    return sum(PARTICIPLE.fullmatch(name) is not None for name in names)


def missing_documents() -> dict[str, int]:
    """Documents that the code cites and the repository does not have."""
    present = {
        path.name for path in ROOT.rglob("*.md") if not {".venv", "node_modules"} & {*path.parts}
    }
    cited = Counter(
        name
        for package in PACKAGES
        for module in modules(package)
        for name in re.findall(r"\b([\w-]+\.md)\b", module.text)
    )
    return {name: number for name, number in cited.items() if name not in present}


def lines(package: str) -> int:
    """Lines of Python of a package, without migrations."""
    return sum(len(module.text.splitlines()) for module in modules(package))


def is_text(node: ast.AST) -> bool:
    """Say whether a statement is a string alone: a docstring."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def statements(package: str) -> int:
    """Statements of a package, without docstrings and migrations."""
    return sum(
        isinstance(node, ast.stmt) and not is_text(node)
        for module in modules(package)
        for node in module.nodes
    )


def small_files(package: str) -> int:
    """Files of at most `SMALL` lines that have statements."""
    return sum(0 < len(module.text.splitlines()) <= SMALL for module in modules(package))


def is_record(node: ast.ClassDef) -> bool:
    """Say whether a class is a dataclass, a TypedDict or a NamedTuple."""
    marks = (*node.decorator_list, *node.bases)
    return any(word in RECORDS for mark in marks for word in re.findall(r"\w+", ast.unparse(mark)))


def records(package: str) -> list[str]:
    """Names of the record types of a package."""
    return [node.name for module in modules(package) for node in classes(module) if is_record(node)]


def form_types(package: str) -> int:
    """Forms and serializers of a package."""
    return sum(
        any(FORMS.search(ast.unparse(base)) for base in node.bases)
        for module in modules(package)
        for node in classes(module)
    )


@cache
def mentions() -> Counter[str]:
    """Words of all packages, and how often each is written."""
    return sum((module.words for name in PACKAGES for module in modules(name)), Counter[str]())


def rare_records(package: str) -> int:
    """Record types that are named at most three times, their definition included."""
    return sum(mentions()[name] <= 3 for name in records(package))


def helpers(package: str) -> int:
    """Private functions that their module calls at one place."""
    return sum(
        node.name.startswith("_") and not node.name.startswith("__") and words[node.name] == 2
        for module in modules(package)
        for words in (module.words,)
        for node in functions(module)
    )


def openers(package: str) -> int:
    """Docstrings that begin with a relative word instead of a noun or a verb."""
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return sum(
        OPENERS.match(ast.get_docstring(node) or "") is not None
        for module in modules(package)
        for node in module.nodes
        if isinstance(node, kinds)
    )


def plain_booleans(package: str) -> int:
    """Fields and functions that hold yes or no under a name that does not say so."""
    return sum(
        not PREFIXES.match(name)
        for module in modules(package)
        for node in module.nodes
        for name in boolean_names(node)
    )


def boolean_names(node: ast.AST) -> Iterator[str]:
    """Names that a class gives to yes or no: its fields, and functions that return it."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        if node.returns is not None and ast.unparse(node.returns) == "bool":
            yield node.name
    elif isinstance(node, ast.ClassDef):
        for field in node.body:
            if isinstance(field, ast.AnnAssign) and ast.unparse(field.annotation) == "bool":
                yield ast.unparse(field.target)


MEASURES: Final[dict[str, Callable[[str], int]]] = {
    "lines": lines,
    "statements": statements,
    "files": lambda package: len(modules(package)),
    "files of at most 60 lines": small_files,
    "dataclasses, TypedDicts, NamedTuples": lambda package: len(records(package)),
    "of them named at most three times": rare_records,
    "forms and serializers": form_types,
    "private functions called at one place": helpers,
    "docstrings that begin with *What*, *How*, *Which* …": openers,
    "yes or no under a name without *is*, *has*, *can*": plain_booleans,
}


def row_shapes() -> list[str]:
    """Record types of a row of standings outside the engine."""
    pattern = re.compile(r"(?:Ranked|Standings?|Season|Event|League)\w*Row\b")
    return [name for package in PACKAGES[1:] for name in records(package) if pattern.match(name)]


def setting_mentions() -> int:
    """Mentions of one setting of an event in the packages, and in templates."""
    pages = (path.read_text("utf-8") for path in (ROOT / "templates").rglob("*.html"))
    return mentions()[SETTING] + sum(len(re.findall(rf"\b{SETTING}\b", page)) for page in pages)


def page_part() -> str:
    """Return the part of the page that the source alone decides."""
    table = [
        f"| measure | {' | '.join(PACKAGES)} | outside the engine |",
        f"|---|{'--:|' * (len(PACKAGES) + 1)}",
    ]
    for name, measure in MEASURES.items():
        counted = [measure(package) for package in PACKAGES]
        cells = (*counted, sum(counted[1:]))
        table.append(f"| {name} | {' | '.join(f'{number:,}' for number in cells)} |")
    lengths = [len(module.text.splitlines()) for name in PACKAGES[1:] for module in modules(name)]
    rows = row_shapes()
    rest = [
        f"- Median file outside the engine: {median(lengths):.0f} lines.",
        f"- Mentions of `{SETTING}`, a setting of an event: {setting_mentions()}.",
        f"- Shapes of a row of standings: {len(rows)} ({', '.join(map('`{}`'.format, rows))}).",
        f"- Functions named by a bare participle: {participles()}.",
    ]
    return "\n".join([*table, "", *rest, ""])


def written_part() -> str:
    """Return that part as the page has it."""
    return PAGE.read_text("utf-8").partition(FIRST)[2].partition(LAST)[0]


def write_page() -> None:
    """Bring the page up to date."""
    head, _, rest = PAGE.read_text("utf-8").partition(FIRST)
    PAGE.write_text(f"{head}{FIRST}{page_part()}{LAST}{rest.partition(LAST)[2]}", "utf-8")


def contracts() -> tuple[int, int]:
    """How many import contracts there are, and how many layers stand in parentheses."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    rules = project["tool"]["importlinter"]["contracts"]
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
    outside = [(address, view) for address, view in ours if not address.startswith("admin/")]
    api = {view for address, view in outside if "api/" in address}
    pages = [view for address, view in outside if "api/" not in address]
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
    """Write what the source decides to the page, and print it with the rest."""
    django.setup()
    write_page()
    print(page_part())
    print("Files per request")
    for line in walks():
        print(f"  {line}")
    rules, parentheses = contracts()
    print(f"Import contracts: {rules}, layers in parentheses: {parentheses}")
    for kind, (generic, every) in shares().items():
        print(f"Generic views, {kind}: {generic} of {every}")


if __name__ == "__main__":
    main()
