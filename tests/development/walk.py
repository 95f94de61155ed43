"""Trace the files and functions of ours that one request runs through."""

import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType, TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("config", "engine", "scoring", "tournaments")


@dataclass
class Walk:
    """Counts what runs while it is entered: calls by file, and how often the file changes."""

    files: Counter[str] = field(default_factory=Counter)
    functions: Counter[tuple[str, str]] = field(default_factory=Counter)
    changes: int = 0
    _last: str = ""

    def __enter__(self) -> Self:
        self._before: Any = sys.getprofile()
        sys.setprofile(self._see)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        sys.setprofile(self._before)

    def _see(self, frame: FrameType, event: str, _argument: object) -> None:
        if event != "call" or not frame.f_code.co_filename.startswith(f"{ROOT}/"):
            return
        file = frame.f_code.co_filename[len(f"{ROOT}/") :]
        if file.split("/")[0] not in PACKAGES:
            return
        self.files[file] += 1
        self.functions[file, frame.f_code.co_qualname] += 1
        self.changes += file != self._last
        self._last = file

    @property
    def outside(self) -> list[str]:
        """The files outside the engine, in the order in which they were entered."""
        return [file for file in self.files if not file.startswith("engine/")]

    @property
    def summary(self) -> str:
        """The numbers in a line."""
        return (
            f"{len(self.files)} files, {len(self.outside)} outside the engine;"
            f" {len(self.functions)} functions, {self.functions.total()} calls,"
            f" {self.changes} changes of file"
        )
