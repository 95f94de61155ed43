"""Exporting: what a club knows, as tables that people and programs read, and as its records.

Each table is a generator of rows, so that the memory does not grow with the club; the writers of
`tournaments.tables` make files of them in which no cell can compute anything.
"""

from scoring.transfer.exporting.files import (
    BUNDLE,
    FORMATS,
    KINDS,
    PHN,
    SMALL,
    ExportFile,
    ExportRequest,
    export,
    is_small,
)
from scoring.transfer.exporting.signature_check import (
    SignatureCheckResult,
    SignatureVerdict,
    judge,
)
from scoring.transfer.exporting.work import export_part

__all__ = [
    "BUNDLE",
    "FORMATS",
    "KINDS",
    "PHN",
    "SMALL",
    "ExportFile",
    "ExportRequest",
    "SignatureCheckResult",
    "SignatureVerdict",
    "export",
    "export_part",
    "is_small",
    "judge",
]
