"""Build the library `painsuit` from the package `engine`.

The wheel holds the package under its own name only: an installed top-level module called `engine`
would be hidden by any file `engine.py` beside a user's script, and would hide theirs. So every
module is copied with ``engine`` as a module name written ``painsuit``: in imports, in doctests and
in references such as ``engine.rules``. Everything else about the project is in pyproject.toml.
"""

import re
from pathlib import Path
from typing import Any

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.editable_wheel import editable_wheel
from setuptools.errors import SetupError

MODULE_NAME = re.compile(r"(?<=\bfrom )engine\b|(?<=\bimport )engine\b|\bengine(?=\.[A-Za-z_])")


class BuildLibrary(build_py):
    """Copies the modules of `engine`, renamed, and the catalogues that its command line reads."""

    def run(self) -> None:
        super().run()
        for catalogue in Path("locale").rglob("*.mo"):
            target = Path(self.build_lib, "painsuit", catalogue)
            target.parent.mkdir(parents=True, exist_ok=True)
            self.copy_file(str(catalogue), str(target))

    def build_module(self, module: str, module_file: str, package: Any) -> Any:
        outfile, copied = super().build_module(module, module_file, package)
        path = Path(outfile)
        path.write_text(MODULE_NAME.sub("painsuit", path.read_text("utf-8")), "utf-8")
        return outfile, copied


class RefuseEditable(editable_wheel):
    """An editable install would offer `painsuit` with imports of `engine` inside."""

    def run(self) -> None:
        raise SetupError("painsuit cannot be installed editable; in the repository import engine")


packages = [f"painsuit{name.removeprefix('engine')}" for name in find_packages(include=["engine*"])]
setup(
    packages=packages,
    package_dir={"painsuit": "engine"},
    package_data={"painsuit": ["py.typed"]},
    cmdclass={"build_py": BuildLibrary, "editable_wheel": RefuseEditable},
)
