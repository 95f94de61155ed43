"""Static files are collected small, under names that carry their hash."""

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

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


def test_modules_import_each_other_by_names_with_a_hash(collected: dict[str, str]) -> None:
    modules = {name: path for name, path in collected.items() if name.startswith("js/phone/")}
    imported = set()
    for path in modules.values():
        imported.update(re.findall(r'(?:from|import\()"\./([^"]+)"', _text(path)))
    assert len(imported) == len(modules) - 1  # nobody imports the one that all begins with
    assert imported <= {Path(path).name for path in modules.values()}


def test_comments_and_indents_are_not_sent(collected: dict[str, str]) -> None:
    for name in ("js/phone/start.js", "css/phone.css"):
        source, sent = _text(str(SOURCES / name)), _text(collected[name])
        assert len(sent) < 0.85 * len(source), name
        assert "\n  " not in sent
        assert "/* " not in sent
        assert "// " not in sent


def test_no_template_stands_within_another(collected: dict[str, str]) -> None:
    """rjsmin takes the inner one for code, and would close up its spaces."""
    for name in collected:
        if name.startswith("js/"):
            assert not NESTED_TEMPLATE.search(_text(str(SOURCES / name))), name
