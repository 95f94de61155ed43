"""Tie a process to the life of the one that started it (Linux; elsewhere it may live on).

A process that was killed with -9 can stop nothing any more, so the kernel does it: it kills the
children, and those kill theirs in the same way. SIGKILL, because a polite signal lets a process
wait for what died with its parent; every promise that we keep is in the database by then, and
the broker's log takes an end at any byte.
"""

import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1

# Loaded once, in the parent: nothing may be imported or looked up between fork and exec.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with(parent: int) -> None:
    """Ask the kernel, in a new process, to kill it when its parent ends."""
    if _libc is None:
        return
    _libc.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:  # it ended before we could ask
        os._exit(1)
