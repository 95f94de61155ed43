"""The tools of the scripts: what is named exists, and their lock names no registry."""

import json
import re
from pathlib import Path
from typing import Any

from engine.rules.presets import preset

ROOT = Path(__file__).parents[2]


def _json(name: str) -> Any:
    return json.loads((ROOT / name).read_text(encoding="utf-8"))


def test_every_script_of_npm_that_is_named_exists() -> None:
    scripts = _json("package.json")["scripts"]
    texts = [(ROOT / name).read_text(encoding="utf-8") for name in ("Makefile", ".ci/run")]
    named = {name for text in texts for name in re.findall(r"\bnpm run ([\w-]+)", text)}
    assert {"lint", "fmt", "types"} <= named
    assert named | {"test"} <= set(scripts)


def test_packages_are_locked_by_version_and_digest_and_come_from_any_registry() -> None:
    lock = _json("package-lock.json")["packages"]
    root = lock.pop("")
    assert root["devDependencies"] == _json("package.json")["devDependencies"]
    assert all(re.fullmatch(r"[\d.]+", version) for version in root["devDependencies"].values())
    assert all(
        one["integrity"].startswith("sha512-") and "resolved" not in one for one in lock.values()
    )


def test_the_linter_is_locked_for_every_system_that_developers_use() -> None:
    lock = _json("package-lock.json")["packages"]
    for system in ("linux-x64", "linux-arm64", "darwin-x64", "darwin-arm64"):
        assert f"node_modules/@biomejs/cli-{system}" in lock


def test_modules_without_types_exist_and_none_is_of_the_phone() -> None:
    excluded = _json("tsconfig.json")["exclude"]
    assert [name for name in excluded if not (ROOT / name).is_file()] == []
    assert [name for name in excluded if "phone" in name] == []


def test_scripts_are_tested_with_the_rules_of_the_engine() -> None:
    for name, switches in _json("tests/javascript/presets.json").items():
        assert switches.items() <= preset(name).texts.items(), name


def test_a_field_that_only_a_script_reads_is_disabled_until_its_script_is_there() -> None:
    # Enter in it would send the form around it: nobody, or the first name of a list.
    fields = [
        field
        for path in (ROOT / "templates").rglob("*.html")
        for part in re.findall(
            r'<p class="[^"]*needs-script".*?</p>', path.read_text("utf-8"), re.S
        )
        for field in re.findall(r"<input[^>]*>", part)
    ]
    assert len(fields) > 1
    assert [field for field in fields if " disabled" not in re.sub(r"\s+", " ", field)] == []
