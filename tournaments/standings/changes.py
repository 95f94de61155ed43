"""Changes between two stored tables of standings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import TypedDict

from engine.core.messages import Message, join_items
from tournaments.standings.rows import RankedRowData, total_of


class ChangeData(TypedDict):
    """An entry that moved since an older version."""

    entry: str
    before: str | None
    after: str | None
    label_before: str
    label_after: str
    came: bool
    left: bool


@dataclass(frozen=True, slots=True)
class StandingChange:
    """One entry that moved; a total or a label that is not there is None or empty."""

    entry: str
    before: Fraction | None
    after: Fraction | None
    label_before: str
    label_after: str
    came: bool = False
    left: bool = False

    @property
    def difference(self) -> Fraction | None:
        """By how much the total changed."""
        if self.before is None or self.after is None:
            return None
        return self.after - self.before

    def sentence(self, names: Mapping[str, str]) -> str:
        """The change in words.

        >>> StandingChange("b", Fraction(10), Fraction(7), "3", "4").sentence({"b": "Bo"})
        'Bo -3, 3 -> 4'
        """
        name = names.get(self.entry, self.entry)
        if self.left:
            return Message("{name} is gone", name=name)
        parts = [self._points(name)]
        if self.label_before != self.label_after:
            unranked = Message("unranked")
            old, new = self.label_before or unranked, self.label_after or unranked
            parts.append(new if self.came else Message("{old} -> {new}", old=old, new=new))
        return join_items(parts)

    def _points(self, name: str) -> str:
        difference = self.difference
        if self.came:
            if self.after is None:
                return Message("{name} is new", name=name)
            return Message("{name} is new with {total}", name=name, total=str(self.after))
        if difference:
            signed = f"+{difference}" if difference > 0 else str(difference)
            return Message("{name} {difference}", name=name, difference=signed)
        if self.before != self.after:
            old, new = (
                Message("no total") if total is None else str(total)
                for total in (self.before, self.after)
            )
            return Message("{name} {old} -> {new}", name=name, old=old, new=new)
        return name

    def to_data(self) -> ChangeData:
        """The change as JSON."""
        return {
            "entry": self.entry,
            "before": None if self.before is None else str(self.before),
            "after": None if self.after is None else str(self.after),
            "label_before": self.label_before,
            "label_after": self.label_after,
            "came": self.came,
            "left": self.left,
        }


def compare(old: Iterable[RankedRowData], new: Iterable[RankedRowData]) -> list[StandingChange]:
    """Return moves, in the order of the new table; who is gone comes last."""
    before = {str(row["entry"]): row for row in old}
    found = []
    for row in new:
        past = before.pop(str(row["entry"]), None)
        change = _change(past, row)
        if (
            past is None
            or change.before != change.after
            or change.label_before != change.label_after
        ):
            found.append(change)
    return [*found, *(_change(row, None) for row in before.values())]


def _change(old: RankedRowData | None, new: RankedRowData | None) -> StandingChange:
    row = new if new is not None else old
    assert row is not None
    return StandingChange(
        entry=str(row["entry"]),
        before=_total(old),
        after=_total(new),
        label_before=str(old["label"]) if old else "",
        label_after=str(new["label"]) if new else "",
        came=old is None,
        left=new is None,
    )


def _total(row: RankedRowData | None) -> Fraction | None:
    return None if row is None else total_of(row)
