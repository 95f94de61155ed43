"""Files of jobs: written whole or not at all, and removed."""

import os
import secrets
from pathlib import Path

from tournaments.models import Job


def write_file(path: Path, data: bytes) -> None:
    """Write a file that is there whole, or not at all. Raises OSError, for a full disk too."""
    draft = path.with_suffix(f".{secrets.token_hex(4)}.part")
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def remove_files(*jobs: Job) -> None:
    """Remove what was uploaded for jobs and what they made."""
    for job in jobs:
        job.upload_path.unlink(missing_ok=True)
        job.result_path.unlink(missing_ok=True)
