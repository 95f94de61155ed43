"""Calling our commands: inside this process, or as a process of their own."""

import io
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "tests" / "engine" / "notation" / "samples"
RECORDS = ROOT / "tests" / "cli" / "records"
GOLDEN = ROOT / "tests" / "cli" / "golden"
NAMES = {path.name[0]: path.name for path in SAMPLES.glob("*.phn")}


@dataclass(frozen=True)
class Answer:
    status: int
    out: str
    err: str


class Screenlike(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def ask(*words: str, stdin: bytes | None = None, tty: bool = False) -> Answer:
    """What a command answers."""
    out, err = (Screenlike() if tty else io.StringIO()), io.StringIO()
    with pytest.MonkeyPatch.context() as patch:
        if stdin is not None:
            patch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        try:
            call_command(*words, stdout=out, stderr=err)
        except SystemExit as end:
            return Answer(int(end.code or 0), out.getvalue(), err.getvalue())
        except CommandError as refused:
            return Answer(refused.returncode, out.getvalue(), str(refused))
    return Answer(0, out.getvalue(), err.getvalue())


def command(*words: str) -> list[str]:
    """The command line of a process of its own."""
    return [sys.executable, str(ROOT / "manage.py"), *words]


def environ(**more: str) -> dict[str, str]:
    """An environment without a data folder, so that nothing of ours can be written."""
    kept = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
    return kept | {"PAINSUIT_DATA": "/nonexistent/painsuit"} | more


def run(*words: str, stdin: bytes = b"", **more: str) -> "subprocess.CompletedProcess[bytes]":
    """A command as a process of its own."""
    return subprocess.run(
        command(*words),
        input=stdin,
        capture_output=True,
        env=environ(**more),
        check=False,
        timeout=120,
    )
