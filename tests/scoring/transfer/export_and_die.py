"""Writes an export and kills itself before a given piece of the file.

Run by `test_exports` as a process of its own:
python -m tests.scoring.transfer.export_and_die JOB FILES PIECE.
"""

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from unittest.mock import patch
from uuid import UUID

import django
from django.conf import settings
from django.utils import timezone


def main(job_id: str, files: str, last_piece: str) -> None:
    from scoring.jobs.kinds import JOB_TYPES  # noqa: PLC0415 (models are there only now)
    from scoring.transfer.exporting import work  # noqa: PLC0415
    from scoring.transfer.signatures import Signing  # noqa: PLC0415
    from tournaments import jobs  # noqa: PLC0415

    class DyingSigning(Signing):
        def passing(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
            for number, piece in enumerate(super().passing(pieces)):
                if number == int(last_piece):
                    os.kill(os.getpid(), signal.SIGKILL)
                # Padded, so that what is written is on the disk when the process dies.
                yield piece + b" " * 100_000

    settings.FILES = files
    with patch.object(work, "Signing", DyingSigning):
        jobs.run(job_id=UUID(job_id), types=JOB_TYPES, clock=timezone.now, seconds=60)


if __name__ == "__main__":
    django.setup()
    main(*sys.argv[1:])
