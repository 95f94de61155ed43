"""The kinds of jobs that there are, of both applications, for whoever does one."""

from collections.abc import Mapping
from typing import Final

from scoring import exporting, importing
from tournaments.jobs import Kind

ARCHIVE: Final = "archive"
EXPORT: Final = "export"
KINDS: Final[Mapping[str, Kind]] = {
    ARCHIVE: importing.import_part,
    EXPORT: exporting.export_part,
}
