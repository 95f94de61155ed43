"""The process that replaces `manage.py serve` once all is prepared: the supervisor, without Django.

It takes a tenth of the memory and keeps the process id and the file descriptors that were opened
for it: the listening socket and the lock of the data folder.
"""

import os
import pickle
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from config.running.supervisor import Child, Supervisor


@dataclass(frozen=True, slots=True)
class Service:
    """The children, the text that is printed once all of them serve, and an hourly command, if any.

    ``scratch`` is a folder that is removed at the end.
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


def replace_process(
    service: Service, *, keep_fds: Sequence[int], environ: Mapping[str, str]
) -> NoReturn:
    """Replace this process by one that runs the service; ``keep_fds`` stay open in it."""
    # Not by arguments, which everybody can read: an announcement may hold the set-up code.
    receiver, sender = os.pipe()
    with os.fdopen(sender, "wb") as pipe:
        pickle.dump(service, pipe)
    for fd in (receiver, *keep_fds):
        os.set_inheritable(fd, True)  # noqa: FBT003 (it takes no keywords)
    command = [sys.executable, "-P", "-m", "config.running.service", str(receiver)]
    os.execve(sys.executable, command, {**os.environ, **environ})  # noqa: S606 (no shell is the point)


def main() -> None:
    """Run the service that is pickled in the file descriptor named by the first argument."""
    with os.fdopen(int(sys.argv[1]), "rb") as pipe:
        service: Service = pickle.load(pipe)  # noqa: S301 (written by `replace_process`)
    service.run()


def _say(words: str) -> None:
    print(words, flush=True)  # noqa: T201 (to whoever started it)


if __name__ == "__main__":
    main()
