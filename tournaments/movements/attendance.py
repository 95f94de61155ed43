"""Attendance: who is there in which round."""

from collections.abc import Collection, Iterable, Mapping

from engine.core.messages import Message
from tournaments.movements.seating import SeatingError


def attendance_by_round(
    n: int, rounds: Iterable[int], present: Mapping[int, Collection[int]]
) -> list[list[int]]:
    """By round, who is there; who is not named by ``present`` always is."""
    unknown = sorted(one for one in present if not 0 <= one < n)
    if unknown:
        raise SeatingError(Message("Somebody is said to be there who is not entered."), unknown)
    return [
        [one for one in range(n) if one not in present or number in present[one]]
        for number in rounds
    ]
