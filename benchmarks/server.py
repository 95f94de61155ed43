"""A server that writes to the disk, asked by a process of its own: PostgreSQL beside SQLite."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

from tests import postgresql

ROOT: Final = Path(__file__).resolve().parent.parent


def asked(module: str, *words: object) -> Any:
    """What a module of ours, run as a program on an empty durable server, tells as JSON."""
    with postgresql.running(postgresql.SAFE) as server:
        done = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{module}", *map(str, words)],
            env={**os.environ, "DATABASE_URL": server.url},
            cwd=ROOT,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
    return json.loads(done.stdout.splitlines()[-1])


def tell(answer: object) -> None:
    """Tell what was found, to the process that asked."""
    sys.stdout.write(json.dumps(answer) + "\n")
