"""Static files are collected small, under names that carry their hash."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from config.running.script_bundles import bundle_modules
from tests.collected_files import collected_files

SOURCES = Path(settings.BASE_DIR) / "static"
NESTED_TEMPLATE = re.compile(r"`[^`]*\$\{[^}`]*`")


@pytest.fixture(scope="module")
def collected(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Where each file lies, by its name in the sources."""
    folder = tmp_path_factory.mktemp("static")
    with collected_files(folder):
        names = json.loads((folder / "staticfiles.json").read_text(encoding="utf-8"))["paths"]
        yield {name: str(folder / hashed) for name, hashed in names.items()}


def _text(path: str) -> str:
    return Path(path).read_text(encoding="utf-8")


def test_the_files_of_the_phone_import_each_other_by_names_with_a_hash(
    collected: dict[str, str],
) -> None:
    files = {name: path for name, path in collected.items() if name.startswith("js/phone/")}
    assert {Path(name).stem for name in files} == {
        "start",
        "shared",
        "screens",
        "practice",
        "practice_parts",
    }
    imported = [
        name
        for path in files.values()
        for name in re.findall(r'(?:from|import\()"\./([^"]+)"', _text(path))
    ]
    shared, screens, parts = (
        Path(files[f"js/phone/{one}.js"]).name for one in ("shared", "screens", "practice_parts")
    )
    assert sorted(imported) == sorted([shared, shared, screens, parts])


def test_a_stylesheet_has_in_it_what_it_imports(collected: dict[str, str]) -> None:
    page = _text(collected["css/page.css"])
    assert "@import" not in page
    for part in ("fonts", "tokens", "base", "site", "figures"):
        assert _text(collected[f"css/{part}.css"]).strip() in page
    fonts = re.findall(r'url\("?\.\./fonts/([^")]+)', page)
    assert fonts, "the fonts are named from the same folder"
    assert {*fonts} <= {Path(path).name for path in collected.values()}, "with their hashes"


def test_modules_in_one_file_see_what_they_import_and_no_other_names() -> None:
    bundles = bundle_modules(
        {
            "start": 'import { one, state as now } from "./state.js";\n  import("./later.js");',
            "state": "export const state = 1;\nexport function one() {}\nconst own = 2;",
            "later": 'import * as all from "./state.js";\nexport { own } from "./own.js";',
            "own": "export const own = 3;",
        },
        start="start",
        shared="shared",
    )
    assert "const { one, state: now } = $state;" in bundles["start"]
    assert bundles["shared"].count("const $") == 1
    assert "return { state, one };" in bundles["shared"]
    assert "const all = $state;" in bundles["later"]
    assert "export const { own } = $later;" in bundles["later"]


def test_a_variable_that_changes_is_the_same_one_in_all_files() -> None:
    bundles = bundle_modules(
        {
            "start": 'import { count } from "./state.js";',
            "state": "export let count = 0;\nexport function add() {\n  count += 1;\n}",
        },
        start="start",
        shared="shared",
    )
    assert bundles["shared"].startswith("let count = 0;\n")
    assert 'import { $state, count } from "./shared.js";' in bundles["start"]


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ('import { a } from "./start.js";', "imports itself: start > other > start"),
        ("export default 1;", "not understood: export default 1;"),
        ("export const b = 1;", "asks other.js for a"),
        ("export let a = 1;", "gives a variable of other.js another name"),
    ],
)
def test_modules_that_cannot_be_put_together_are_refused(module: str, words: str) -> None:
    start = 'import { a as c } from "./other.js";'
    with pytest.raises(ValueError, match=re.escape(words)):
        bundle_modules({"start": start, "other": module}, start="start", shared="shared")


def test_comments_and_indents_are_not_sent(collected: dict[str, str]) -> None:
    for name in ("js/replay.js", "css/phone.css"):
        source, sent = _text(str(SOURCES / name)), _text(collected[name])
        assert len(sent) < 0.85 * len(source), name
        assert "\n  " not in sent
        assert "/* " not in sent
        assert "// " not in sent


def test_no_template_stands_within_another() -> None:
    """rjsmin takes the inner one for code, and would close up its spaces."""
    for path in (SOURCES / "js").rglob("*.js"):
        assert not NESTED_TEMPLATE.search(_text(str(path))), path
