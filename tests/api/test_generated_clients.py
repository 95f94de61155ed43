"""Programs that are generated from the description of the API have every action of it."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client

pytestmark = pytest.mark.slow
OPENAPI_TYPESCRIPT = "openapi-typescript@7.13.0"


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "openapi.json"
    path.write_bytes(Client().get("/api/v1/openapi.json").content)
    return path


def generate(*command: str, where: Path) -> str:
    tools = {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        command,
        cwd=where,
        env={**os.environ, **tools},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    words = done.stdout + done.stderr
    assert done.returncode == 0, words
    assert not re.search("warning|unsupported|cannot|omitted", words, re.IGNORECASE), words
    return words


def test_openapi_python_client_leaves_nothing_out(document: Path, tmp_path: Path) -> None:
    out = tmp_path / "client"
    command = (sys.executable, "-m", "openapi_python_client", "generate")
    generate(*command, "--path", str(document), "--output-path", str(out), where=tmp_path)
    modules = {path.stem for path in out.rglob("api/*/*.py")}
    assert {"clubs_imports_create", "clubs_calendar_retrieve", "jobs_file_retrieve"} <= modules
    calendar = next(out.rglob("clubs_calendar_retrieve.py")).read_text(encoding="utf-8")
    assert "response.text" in calendar
    export = next(out.rglob("clubs_exports_retrieve.py")).read_text(encoding="utf-8")
    assert "response.content" in export


def test_openapi_typescript_knows_the_type_of_every_file(document: Path, tmp_path: Path) -> None:
    npx = shutil.which("npx")
    if npx is None:
        pytest.skip("npx is not on this machine")
    out = tmp_path / "api.ts"
    try:
        generate(npx, "--yes", OPENAPI_TYPESCRIPT, str(document), "-o", str(out), where=tmp_path)
    except AssertionError as error:
        if "npm error" in str(error):
            pytest.skip(f"npm cannot bring {OPENAPI_TYPESCRIPT} here")
        raise
    types = out.read_text(encoding="utf-8")
    assert '"text/calendar": string' in types
    assert "*/*" not in types
