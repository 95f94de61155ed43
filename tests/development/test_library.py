"""The library as people install it: the wheel, in an environment that has nothing else."""

import subprocess
import sys
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

import pytest

from tests.cli.calling import GOLDEN, NAMES, SAMPLES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
DOCTESTS = """
import doctest, importlib, pkgutil, sys, painsuit
names = [one.name for one in pkgutil.walk_packages(painsuit.__path__, "painsuit.")]
modules = [importlib.import_module(name) for name in names if not name.endswith("__main__")]
results = [doctest.testmod(module) for module in (painsuit, *modules)]
results += [doctest.testfile(page, module_relative=False) for page in sys.argv[1:]]
assert sum(result.attempted for result in results) > 100
sys.exit(any(result.failed for result in results))
"""


def run(*words: str | Path, where: Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, cwd=where, capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: building leaves files beside its sources."""
    source = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "setup.py", "LICENSE"):
        copy(ROOT / name, source)
    (source / "docs").mkdir()
    copy(ROOT / "docs" / "library.md", source / "docs")
    copytree(ROOT / "engine", source / "engine", ignore=ignore_patterns("__pycache__"))
    copytree(ROOT / "locale", source / "locale")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    built = run(*pip, "--wheel-dir", source / "dist", source, where=source)
    assert built.returncode == 0, built.stderr
    (found,) = (source / "dist").iterdir()
    return found


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    python = folder / "bin" / "python"
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index")
    done = run(*pip, wheel, where=folder)
    assert done.returncode == 0, done.stderr
    return folder / "bin"


def test_the_wheel_needs_nothing_and_holds_one_package(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        folders = {name.split("/")[0] for name in file.namelist()}
        metadata = next(name for name in file.namelist() if name.endswith("/METADATA"))
        head = message_from_bytes(file.read(metadata))
    assert {name for name in folders if not name.endswith(".dist-info")} == {"painsuit"}
    requirements = head.get_all("Requires-Dist", [])
    assert requirements
    assert [one for one in requirements if "extra ==" not in one] == []
    assert head["Version"]
    assert head.get_all("Project-URL")


def test_its_examples_run_without_the_repository(installed: Path, tmp_path: Path) -> None:
    page = tmp_path / "library.md"
    page.write_text((ROOT / "docs" / "library.md").read_text("utf-8"), "utf-8")
    answer = run(installed / "python", "-c", DOCTESTS, page, where=tmp_path)
    assert answer.returncode == 0, answer.stdout + answer.stderr


def test_no_module_of_a_user_is_in_its_way(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "engine.py").write_text("raise ImportError('somebody else')\n")
    words = (installed / "python", "-c", "import painsuit; print(painsuit.card('SQ'))")
    assert run(*words, where=tmp_path).returncode == 0


def test_its_program_answers_as_the_management_commands_do(installed: Path) -> None:
    for words, golden in (
        (("settle", NAMES["1"]), "settle-1.txt"),
        (("show", NAMES["3"]), "show-3.txt"),
        (("rules",), "rules.txt"),
    ):
        answer = run(installed / "painsuit", *words, where=SAMPLES)
        assert answer.stdout == (GOLDEN / golden).read_text("utf-8")
    assert run(installed / "painsuit", "validate", "-", where=SAMPLES).returncode == 1


def test_its_program_speaks_the_language_of_its_reader(installed: Path) -> None:
    program = ("env", "LANGUAGE=de", installed / "painsuit")
    assert "Stand nach 1 Spiel" in run(*program, "settle", NAMES["1"], where=SAMPLES).stdout


def test_an_editable_install_is_refused_with_the_reason(tmp_path: Path) -> None:
    for name in ("pyproject.toml", "setup.py", "LICENSE"):
        copy(ROOT / name, tmp_path)
    (tmp_path / "docs").mkdir()
    copy(ROOT / "docs" / "library.md", tmp_path / "docs")
    copytree(ROOT / "engine", tmp_path / "engine", ignore=ignore_patterns("__pycache__"))
    pip = (sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation")
    answer = run(*pip, "--target", tmp_path / "out", "--editable", tmp_path, where=tmp_path)
    assert answer.returncode != 0
    assert "in the repository import engine" in answer.stdout + answer.stderr
