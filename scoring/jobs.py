"""The kinds of jobs that there are, of both applications, for whoever does one."""

from collections.abc import Mapping
from typing import Final

from tournaments.jobs import Kind

KINDS: Final[Mapping[str, Kind]] = {}
