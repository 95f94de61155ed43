"""Values that a PBN file states once for several games (PBN 2.1, 4.8).

``"#"`` is the value of the nearest earlier record that has one; ``"##text"`` is a text that holds
for all later records. Both are written out, so that every record stands for itself.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from ..core.faults import Severity
from ..core.messages import Message
from .diagnostics import DiagnosticCollector, NotationRule, Spot
from .document import Document, Tag
from .names import SECTIONS

_FORBIDDEN: Final = ("Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Note", *SECTIONS)
_UNKNOWN: Final = ("Event", "Site", "Date", "West", "North", "East", "South")
_KEPT_MAX: Final = 256
_LAST_MAX: Final = 16
"""Of how many kinds of records the last one is kept as it is."""
_ADDED_MAX: Final = 64
"""How many tags a record may inherit without naming them."""
_FREE: Final = 64 * 1024
_SHARE: Final = 2
"""Records may inherit so many characters, and so many for each character that was read."""


class Inheritance:
    """Inherited facts of later records of a file."""

    def __init__(self) -> None:
        self.standing: dict[str, str] = {}
        self._values: dict[str, str] = {}
        self._last: dict[tuple[str, ...], Sequence[str]] = {}
        self._names: tuple[str, ...] = ()
        self._left = _FREE
        self._missed: set[str] = set()

    def remember(self, names: tuple[str, ...], values: Sequence[str]) -> None:
        """Keep the values of a record that inherits nothing."""
        # Mostly nobody asks for them before a record comes that has the same tags.
        if names is not self._names:
            self._last.pop(names, None)
            self._names = names
        self._last[names] = values
        if len(self._last) > _LAST_MAX:
            self._keep_last()

    def _keep_last(self) -> None:
        for names, values in self._last.items():
            self._values.update(zip(names, values, strict=True))
        self._last.clear()
        self._forget()

    def expand(self, document: Document, report: DiagnosticCollector, size: int) -> Document:
        """The record, a text of some size, with its inherited values written out."""
        self._keep_last()
        self._left += _SHARE * size
        self._missed.clear()
        tags = tuple(
            [self._expand(tag, report) if tag.value[:1] == "#" else tag for tag in document.tags]
        )
        written = {tag.name for tag in tags}
        added = self._inherited_tags(document, written, report)
        missed = self._missed
        own = (tag for tag in tags if not tag.rows and tag.name not in missed)
        self._values.update({tag.name: tag.value for tag in own})
        self._forget()
        changed = added or any(new is not old for new, old in zip(tags, document.tags, strict=True))
        if not (document.tags and changed):
            return document
        return replace(document, tags=_before_tables(tags, added))

    def _inherited_tags(
        self, document: Document, written: set[str], report: DiagnosticCollector
    ) -> tuple[Tag, ...]:
        """Return tags that hold for every record, as far as this one does not say otherwise."""
        added: list[Tag] = []
        for name, value in self.standing.items() if document.tags else ():
            if name in written:
                continue
            if len(added) >= _ADDED_MAX or not self._take(value):
                _too_much(document.tags[0].spot, report)
                break
            added.append(Tag(name, value))
        return tuple(added)

    def _take(self, value: str) -> bool:
        """Whether a value may still be inherited; a few lines must not become megabytes."""
        if len(value) > self._left:
            return False
        self._left -= len(value)
        return True

    def _expand(self, tag: Tag, report: DiagnosticCollector) -> Tag:
        if tag.value != "#" and tag.value[:2] != "##":
            return tag
        if tag.name in _FORBIDDEN or tag.is_table:
            message = Message("{tag} cannot be inherited", tag=tag.name)
            report.add(
                NotationRule.VALUE, tag.value_spot, message, hint=Message("write the value itself")
            )
            return tag
        if tag.value != "#":
            self.standing[tag.name] = tag.value[2:]
            return replace(tag, value=tag.value[2:])
        if tag.name in self._values and not self._take(self._values[tag.name]):
            _too_much(tag.value_spot, report)
            self._missed.add(tag.name)
            return replace(tag, value="?" if tag.name in _UNKNOWN else "")
        if tag.name in self._values:
            return replace(tag, value=self._values[tag.name])
        message = Message("no earlier record has a value of {tag} to inherit", tag=tag.name)
        report.add(
            NotationRule.VALUE,
            tag.value_spot,
            message,
            hint=Message("write the value"),
            severity=Severity.WARNING,
        )
        return replace(tag, value="?" if tag.name in _UNKNOWN else "")

    def _forget(self) -> None:
        while len(self._values) > _KEPT_MAX:
            del self._values[next(iter(self._values))]
        while len(self.standing) > _KEPT_MAX:
            del self.standing[next(iter(self.standing))]


def _too_much(spot: Spot, report: DiagnosticCollector) -> None:
    message = Message(
        "the records of this file inherit too much; not all of it is written out here"
    )
    report.add(
        NotationRule.NOT_CANONICAL, spot, message, hint=Message("write the values themselves")
    )


def _before_tables(tags: tuple[Tag, ...], added: tuple[Tag, ...]) -> tuple[Tag, ...]:
    at = next((place for place, tag in enumerate(tags) if tag.rows), len(tags))
    return tags[:at] + added + tags[at:]
