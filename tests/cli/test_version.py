"""The program of the library and the command of the service say which version they are."""

import subprocess
import sys

import pytest

import engine
from engine.cli.main import main
from tests.cli.calling import ROOT


def test_the_program_says_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["--version"])
    assert ended.value.code == 0
    assert capsys.readouterr().out == f"painsuit {engine.__version__}\n"


def test_the_service_says_the_same() -> None:
    said = subprocess.run(
        [sys.executable, "manage.py", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == f"{engine.__version__}\n"
