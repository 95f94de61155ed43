"""The peak memory, in KiB, of judging one file: ``python -m benchmarks.memory FILE``."""

import re
import resource
import sys
from pathlib import Path

from benchmarks.growth import judge_file

_STATUS = Path("/proc/self/status")


def peak() -> int:
    """The peak memory of this process, in KiB.

    Where the system tells it, that of this program alone; what ``getrusage`` says begins with
    the memory of the process that started this one.
    """
    if _STATUS.exists():
        match = re.search(r"VmHWM:\s+(\d+) kB", _STATUS.read_text(encoding="utf-8"))
        if match:
            return int(match[1])
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    judge_file(Path(sys.argv[1]))
    print(peak())
