"""Who sits where, as paper shows it: plain names, no players of the club."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from engine.messages import Message
from tournaments.core.name_folding import fold_text
from tournaments.tables.locale import ENGLISH, TableLocale
from tournaments.tables.press import PaperSize, Pen

Say = Callable[[str], str]
"""Puts printed words into the language of the paper."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PrintHeading:
    """What stands above everything: the event, and what is known of it, such as its date.

    ``locale`` is the language of the paper.
    """

    title: str
    about: str = ""
    paper: PaperSize = PaperSize.A4
    locale: TableLocale = ENGLISH

    @property
    def say(self) -> Say:
        """Puts printed words into the language of the paper."""
        return self.locale.say

    def title_of(self, kind: Message) -> str:
        """The title of a document of this kind about the event."""
        return self.say(Message("{title}: {kind}", title=self.title, kind=kind))


@dataclass(frozen=True, slots=True)
class PrintedSitter:
    """Somebody in a seat; ``key`` tells two of one name apart, ``mark`` does so for readers."""

    seat: str
    name: str
    key: str = ""
    mark: str = ""

    @property
    def label(self) -> str:
        """The name with its mark."""
        return f"{self.name} {self.mark}".strip()

    def fit_label(self, pen: Pen, room: float) -> str:
        """The name shortened to what fits; the mark behind it stays whole."""
        if not self.mark or pen.width(self.label) <= room:
            return pen.fit(self.label, room)
        behind = f" {self.mark}"
        return pen.fit(self.name, room - pen.width(behind)) + behind


@dataclass(frozen=True, slots=True)
class SeatedTable:
    """A table of one round; ``url``: its page, where there is one.

    ``typed`` is the short code for who has no camera, and ``typing_page`` where it is typed.
    """

    number: int
    sitters: tuple[PrintedSitter, ...]
    url: str = ""
    typed: str = ""
    typing_page: str = ""


@dataclass(frozen=True, slots=True)
class SeatedRound:
    """A round: its tables, and those who sit out."""

    number: int
    tables: tuple[SeatedTable, ...]
    out: tuple[PrintedSitter, ...] = ()


@dataclass(frozen=True, slots=True)
class Journey:
    """Where one player sits by round: None where they sit out, nothing where they are away."""

    name: str
    places: dict[int, tuple[int, str] | None]


def journeys(rounds: Iterable[SeatedRound]) -> list[Journey]:
    """Follow everybody through the rounds, in the order of their names."""
    found: dict[tuple[str, str], Journey] = {}
    for each in rounds:
        for sitter in each.out:
            found.setdefault(_who(sitter), Journey(sitter.label, {})).places[each.number] = None
        for table in each.tables:
            for sitter in table.sitters:
                journey = found.setdefault(_who(sitter), Journey(sitter.label, {}))
                journey.places[each.number] = (table.number, sitter.seat)
    return [journey for _, journey in sorted(found.items(), key=lambda item: _order(item[0]))]


def _who(sitter: PrintedSitter) -> tuple[str, str]:
    return (sitter.key or sitter.name, sitter.name)


def _order(who: tuple[str, str]) -> tuple[str, str, str]:
    key, name = who
    return (fold_text(name), name, key)
