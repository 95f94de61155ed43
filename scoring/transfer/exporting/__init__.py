"""Exporting: what a club knows, as tables that people and programs read, and as its records.

Each table is a generator of rows, so that the memory does not grow with the club; the writers of
`tournaments.tables` make files of them in which no cell can compute anything.
"""

from scoring.transfer.exporting.files import (
    SMALL,
    ExportFile,
    create_job,
    export,
    export_part,
    is_small,
)
from scoring.transfer.exporting.kinds import (
    BUNDLE,
    FORMATS,
    KINDS,
    PHN,
    TABLES,
    ExportKind,
    ExportRequest,
    check_request,
    list_standings_facts,
)
from scoring.transfer.exporting.signature_check import (
    SignatureCheckResult,
    SignatureVerdict,
    judge,
)

__all__ = [
    "BUNDLE",
    "FORMATS",
    "KINDS",
    "PHN",
    "SMALL",
    "TABLES",
    "ExportFile",
    "ExportKind",
    "ExportRequest",
    "SignatureCheckResult",
    "SignatureVerdict",
    "check_request",
    "create_job",
    "export",
    "export_part",
    "is_small",
    "judge",
    "list_standings_facts",
]
