"""Imports an archive in chunks of four hands and kills itself at a given place of one chunk.

`test_import_jobs` runs it in a process of its own. The place is `before` or `after` the chunk is
written, or the name of the model whose rows have just been inserted.
"""

import os
import signal
from typing import Any
from unittest.mock import patch
from uuid import UUID

from django.conf import settings
from django.utils import timezone

from scoring.jobs.kinds import JOB_TYPES
from scoring.transfer.importing import archives, rows, work
from tournaments import jobs
from tournaments.database.sql import bulk_insert

HANDS_PER_CHUNK = 4


def main(job_id: str, files: str, last_chunk: str, place: str) -> None:
    settings.FILES = files
    archives.ArchiveImport.take.__defaults__ = (HANDS_PER_CHUNK,)
    write = rows.Rows.write
    chunk = 0

    def die_at(reached: str) -> None:
        if chunk == int(last_chunk) and place == reached:
            os.kill(os.getpid(), signal.SIGKILL)

    def write_and_die(self: rows.Rows) -> None:
        nonlocal chunk
        chunk += 1
        die_at("before")
        write(self)
        die_at("after")

    def insert_and_die(model: Any, columns: Any, cells: Any) -> None:
        bulk_insert(model, columns, cells)
        die_at(model.__name__)

    with (
        patch.object(work, "CHUNK", HANDS_PER_CHUNK),
        patch.object(archives, "CHUNK", HANDS_PER_CHUNK),
        patch.object(rows.Rows, "write", write_and_die),
        patch.object(rows, "bulk_insert", insert_and_die),
    ):
        jobs.run(job_id=UUID(job_id), types=JOB_TYPES, clock=timezone.now, seconds=60)
