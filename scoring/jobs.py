"""The kinds of jobs that there are, of both applications, for whoever does one."""

from collections.abc import Mapping
from typing import Final

from scoring.transfer import exporting, importing
from scoring.transfer.importing import tables
from tournaments.jobs import Kind, Reading

ARCHIVE: Final = "archive"
EXPORT: Final = "export"
MEMBERS: Final = "members"
OPENINGS: Final = "openings"
KINDS: Final[Mapping[str, Kind]] = {
    ARCHIVE: importing.import_part,
    MEMBERS: tables.members_part,
    OPENINGS: tables.openings_part,
    EXPORT: Reading(exporting.export_part),
}
