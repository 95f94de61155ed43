"""Writes an export and kills itself before a given piece of the file.

Run by `test_exporting` as a process of its own:
python -m tests.scoring.export_and_die JOB FILES PIECE.
"""

import os
import signal
import sys
from collections.abc import Iterable, Iterator
from unittest.mock import patch
from uuid import UUID

import django

django.setup()

from django.conf import settings  # noqa: E402 - Django must be set up first
from django.utils import timezone  # noqa: E402

from scoring.jobs.kinds import JOB_TYPES  # noqa: E402
from scoring.transfer.exporting import work  # noqa: E402
from scoring.transfer.signatures import Signing  # noqa: E402
from tournaments import jobs  # noqa: E402

job_id, files, last_piece = sys.argv[1:]
settings.FILES = files


class DyingSigning(Signing):
    def passing(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        for number, piece in enumerate(super().passing(pieces)):
            if number == int(last_piece):
                os.kill(os.getpid(), signal.SIGKILL)
            # Padded, so that what is written is on the disk when the process dies.
            yield piece + b" " * 100_000


with patch.object(work, "Signing", DyingSigning):
    jobs.run(job_id=UUID(job_id), types=JOB_TYPES, clock=timezone.now, seconds=60)
