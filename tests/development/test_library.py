"""The library as people install it: the wheel, in an environment that has nothing else."""

import subprocess
import sys
import sysconfig
import venv
import zipfile
from email import message_from_bytes
from pathlib import Path
from shutil import copy, copytree, ignore_patterns

import pytest

from tests.cli.calling import GOLDEN, NAMES, SAMPLES

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
OURS = [path for ending in ("py", "mo", "typed") for path in (ROOT / "engine").rglob(f"*.{ending}")]
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


def copy_of_the_sources(target: Path) -> Path:
    """All that the library is built from: building leaves files beside its sources."""
    (target / "docs").mkdir(parents=True)
    for name in ("pyproject.toml", "LICENSE", "docs/library.md"):
        copy(ROOT / name, target / name)
    copytree(ROOT / "engine", target / "engine", ignore=ignore_patterns("__pycache__"))
    return target


def in_german(program: Path) -> str:
    return run("env", "LANGUAGE=de", program, "settle", NAMES["1"], where=SAMPLES).stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    source = copy_of_the_sources(tmp_path_factory.mktemp("build") / "source")
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
        names = set(file.namelist())
        folders = {name.split("/")[0] for name in names}
        metadata = next(name for name in file.namelist() if name.endswith("/METADATA"))
        head = message_from_bytes(file.read(metadata))
    assert {name for name in folders if not name.endswith(".dist-info")} == {"painsuit"}
    assert names >= {f"painsuit/{path.relative_to(ROOT / 'engine')}" for path in OURS}
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
    assert "Stand nach 1 Spiel" in in_german(installed / "painsuit")


def test_an_editable_install_follows_the_checkout(tmp_path: Path) -> None:
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    source = copy_of_the_sources(tmp_path / "source")
    # The new environment has nothing to build with; it borrows that.
    build_tools = ("env", f"PYTHONPATH={sysconfig.get_path('purelib')}")
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--no-index")
    words = ("--no-build-isolation", "--editable", source)
    done = run(*build_tools, *pip, *words, where=tmp_path)
    assert done.returncode == 0, done.stderr
    with (source / "engine" / "__init__.py").open("a") as module:
        module.write("\nCHANGED_AFTERWARDS = True\n")
    answer = run(python, "-c", "import painsuit; painsuit.CHANGED_AFTERWARDS", where=environment)
    assert answer.returncode == 0, answer.stderr
    assert "Stand nach 1 Spiel" in in_german(environment / "bin" / "painsuit")
