"""The moves of a hand, in the order in which they were made at the table."""

from collections.abc import Mapping

from scoring.writing.table import Table


def from_actions(table: Table, actions: Mapping[str, object]) -> bytes:
    """The record of the moves. Raises UnclearError."""
    raise NotImplementedError
