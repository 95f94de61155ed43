"""The process that `manage.py serve` becomes once all is prepared: the supervisor, without Django.

It takes a tenth of the memory, keeps its process id, and holds what was opened for it: the socket
that listens and the lock of the data folder.
"""

import os
import pickle
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from config.supervisor import Child, Supervisor


@dataclass(frozen=True, slots=True)
class Service:
    """What runs, what is said when all of it serves, and a command for every hour, if any.

    ``scratch`` is a folder that is removed in the end.
    """

    children: Sequence[Child]
    announcement: str
    upkeep: Sequence[str] = ()
    scratch: Path | None = None

    def run(self) -> None:
        """Supervise until a signal comes."""
        Supervisor(
            self.children,
            say=_say,
            when_ready=lambda: _say(self.announcement),
            upkeep=self.upkeep,
        ).run()
        if self.scratch is not None:
            shutil.rmtree(self.scratch, ignore_errors=True)
        _say("Stopped.")


def become(service: Service, *, keep_fds: Sequence[int], environ: Mapping[str, str]) -> NoReturn:
    """Replace this process by one that runs the service; ``keep_fds`` stay open in it."""
    # Through a pipe, where nobody else can read it: an announcement may hold a code.
    receiver, sender = os.pipe()
    with os.fdopen(sender, "wb") as pipe:
        pickle.dump(service, pipe)
    for fd in (receiver, *keep_fds):
        os.set_inheritable(fd, True)  # noqa: FBT003 (it takes no keywords)
    command = [sys.executable, "-P", "-m", "config.service", str(receiver)]
    os.execve(sys.executable, command, {**os.environ, **environ})  # noqa: S606 (no shell is the point)


def main() -> None:
    """Run the service that stands in the open file whose number is the first argument."""
    with os.fdopen(int(sys.argv[1]), "rb") as pipe:
        service: Service = pickle.load(pipe)  # noqa: S301 (written by `become`)
    service.run()


def _say(words: str) -> None:
    print(words, flush=True)  # noqa: T201 (to whoever started it)


if __name__ == "__main__":
    # Not as __main__, which what was written does not name.
    from config.service import main as run

    run()
