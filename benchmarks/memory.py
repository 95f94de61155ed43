"""The peak memory, in KiB, of judging one file: ``python -m benchmarks.memory FILE``."""

import resource
import sys
from pathlib import Path

from benchmarks.growth import judge_file

if __name__ == "__main__":
    judge_file(Path(sys.argv[1]))
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
