"""Jobs: long exports and imports, done by a worker in parts, with progress, and cancelled at will.

A part and the row that says how far the job is commit together, so each part happens exactly once,
whatever dies meanwhile; what only reads is made anew. What there is to do is a `JobType`; scoring
knows types that this package does not, so whoever runs a job passes all of them in.
"""

from tournaments.jobs.requests import (
    KEPT,
    JobRequest,
    cancel,
    change_draft,
    create,
    create_draft,
    create_from_draft,
    delete_old,
    discard,
    find,
    find_draft,
    find_result,
    forget_names,
    try_again,
)
from tournaments.jobs.runner import JobType, Part, run

UPLOAD_BYTES_MAX = 5 * 1024 * 1024
UPLOAD_HANDS_MAX = 10_000
"""What a club may send at once; the command line knows no such limit."""

__all__ = [
    "KEPT",
    "UPLOAD_BYTES_MAX",
    "UPLOAD_HANDS_MAX",
    "JobRequest",
    "JobType",
    "Part",
    "cancel",
    "change_draft",
    "create",
    "create_draft",
    "create_from_draft",
    "delete_old",
    "discard",
    "find",
    "find_draft",
    "find_result",
    "forget_names",
    "run",
    "try_again",
]
