"""Repairs: the smallest single slip of the pen that explains what is wrong with a record.

One slip can make dozens of findings: a forgotten trick looks like eleven revokes. `find_repair`
tries a bounded list of repairs on a record that has errors and says which of them explains most.
It changes nothing: the record stays as it is written, and so does what came of it.
"""

from .candidates import Repair
from .search import REPLAYS_MAX, find_repair

__all__ = ["REPLAYS_MAX", "Repair", "find_repair"]
