"""Static files are collected under names that carry their hash, in imports of modules too."""

import json
import re
from pathlib import Path
from typing import Any

from django.core.management import call_command


def test_modules_import_each_other_by_names_with_a_hash(tmp_path: Path, settings: Any) -> None:
    settings.STATIC_ROOT = tmp_path
    backend = {"BACKEND": "config.static_files.StaticFilesStorage"}
    settings.STORAGES = {**settings.STORAGES, "staticfiles": backend}
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    call_command("collectstatic", interactive=False, verbosity=0)
    names = json.loads((tmp_path / "staticfiles.json").read_text(encoding="utf-8"))["paths"]
    hashed = set(names.values())
    modules = [name for name in names if name.startswith("js/phone/")]
    imported = set()
    for name in modules:
        text = (tmp_path / names[name]).read_text(encoding="utf-8")
        imported.update(re.findall(r'from "\./([^"]+)"', text))
    assert len(imported) == len(modules) - 1  # nobody imports the one that all begins with
    assert {f"js/phone/{name}" for name in imported} <= hashed
