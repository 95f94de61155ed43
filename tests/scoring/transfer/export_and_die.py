"""Writes an export and kills itself before a given piece of the file.

`test_exports` runs it in a process of its own.
"""

import os
import signal
from collections.abc import Iterable, Iterator
from unittest.mock import patch
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from scoring.jobs.kinds import JOB_TYPES
from scoring.transfer import exporting
from scoring.transfer.signatures import Signing
from tournaments import jobs


def main(job_id: str, files: str, last_piece: str) -> None:
    class DyingSigning(Signing):
        def passing(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
            for number, piece in enumerate(super().passing(pieces)):
                if number == int(last_piece):
                    os.kill(os.getpid(), signal.SIGKILL)
                # Padded, so that what is written is on the disk when the process dies.
                yield piece + b" " * 100_000

    settings.FILES = files
    with patch.object(exporting.files, "Signing", DyingSigning):
        jobs.run(job_id=UUID(job_id), types=JOB_TYPES, clock=timezone.now, seconds=60)
