"""Imports an archive in chunks of four hands and kills itself at a given place of one chunk.

Run by `test_import_jobs` as a process of its own:
python -m tests.scoring.import_and_die JOB FILES CHUNK PLACE, where PLACE is `before` or `after`
the chunk is written, or the name of the model whose rows have just been inserted.
"""

import os
import signal
import sys
from typing import Any
from unittest.mock import patch
from uuid import UUID

import django

django.setup()

from django.conf import settings  # noqa: E402 - Django must be set up first
from django.utils import timezone  # noqa: E402

from scoring.jobs.kinds import JOB_TYPES  # noqa: E402
from scoring.transfer.importing import archives, rows, work  # noqa: E402
from tournaments import jobs  # noqa: E402
from tournaments.database.bulk_insert import bulk_insert  # noqa: E402

HANDS_PER_CHUNK = 4
job_id, files, last_chunk, place = sys.argv[1:]
settings.FILES = files
archives.ArchiveImport.take.__defaults__ = (HANDS_PER_CHUNK,)
write = rows.Rows.write
chunk = 0


def die_at(reached: str) -> None:
    if chunk == int(last_chunk) and place == reached:
        os.kill(os.getpid(), signal.SIGKILL)


def write_and_die(self: rows.Rows) -> None:
    global chunk  # noqa: PLW0603 - the script counts its chunks
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
