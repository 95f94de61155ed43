"""Reading a bundle: checked line by line, stored, and then proved by recomputing all of it."""

import hashlib
import json
from array import array
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Protocol
from uuid import UUID

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from engine.core.player_names import mend_name
from scoring.transfer.bundling.cells import cell_from_json, line
from scoring.transfer.bundling.contents import CONTENTS, BundleTable, foreign_tables
from scoring.transfer.bundling.heads import (
    TRAILS_FORMAT,
    TRAILS_VERSION,
    TrailEnd,
    heads_of,
    summarize_heads,
)
from scoring.transfer.bundling.upgrades import (
    add_missing,
    count_hands,
    deal_from_secrets,
    take_fees_as_paid,
    take_hours_of_house_rules,
    take_last_versions_as_official,
)
from scoring.transfer.bundling.writer import FORMAT, VERSION, write
from scoring.transfer.verifying import bundles, look_at_club, look_at_games
from tournaments import invalidation
from tournaments.audit import write_trails_of_club
from tournaments.core.name_folding import fold_name
from tournaments.database.sql import prefer_indexes
from tournaments.models import Club, Person, TableGame

LINE_MAX: Final = 16 * 1024 * 1024
"""The longest line; no row of a club comes near it."""
_AT_ONCE: Final = 1000


class BundleError(Exception):
    """A file that is no bundle of ours, or that was changed; in one clear line."""


class Stream(Protocol):
    """A file open for reading, in bytes."""

    def read(self, size: int, /) -> bytes:
        """Read at most so much; nothing at the end."""


@dataclass(frozen=True, slots=True)
class Restored:
    """The outcome of a bundle; ``was_there``: the very same club was in the database already.

    ``left_out`` counts rows with unplayed deals, which versions before 0.3 encrypted.
    """

    club: UUID
    name: str
    rows: Mapping[str, int]
    was_there: bool = False
    left_out: int = 0


def nothing() -> None:
    """Check nothing more."""


def restore(
    source: Stream, *, dry_run: bool = False, check: Callable[[], None] = nothing
) -> Restored:
    """Build the club of a bundle, all of it or nothing; ``check`` is called once all was read.

    What is kept is recomputed from the records before anything stands: a bundle that was changed
    so that its books, results or trails no longer follow from its hands is refused.
    Raises BundleError.
    """
    try:
        with transaction.atomic():
            found = _restore_club(source, check)
            if dry_run:
                transaction.set_rollback(True)
    except DatabaseError as error:
        words = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise BundleError(f"the database refuses it: {words}") from error
    return found


def _restore_club(source: Stream, check: Callable[[], None]) -> Restored:
    reader = _Lines(source)
    head = _header(next(reader.rows(), None))
    known = Club.objects.filter(pk=head["club"]).first()
    if known is not None:
        return _compare_club(known, reader, check)
    prefer_indexes(afresh=True)
    store = _Store(UUID(head["club"]))
    end: Mapping[str, Any] | None = None
    left_out = 0
    for name, cells in reader.rows():
        if name == "end":
            end = cells
            break
        secrets = (cells.get("deal"), cells.get("key"), cells.get("secret"))
        if name in ("board", "deal secret") and any(isinstance(cell, dict) for cell in secrets):
            left_out += 1
            continue
        store.add(name, cells, reader.number)
    store.finish()
    write_trails_of_club(store.club)
    if ("entry", "fee_paid") in store.lacking:
        take_fees_as_paid(store.club)
    if ("game", "counted") in store.lacking:
        count_hands(store.club)
    reader.check_end(end)
    check()
    _prove(store, end or {})
    if ("board", "key") in store.lacking:
        deal_from_secrets(store.club)
    if ("event", "correction_hours") in store.lacking:
        take_hours_of_house_rules(store.club)
    if ("standings", "official") in store.lacking:
        take_last_versions_as_official(store.club)
    invalidation.mark_players(TableGame.objects.filter(club=store.club), timezone.now())
    counts = {content.name: count for content, count in store.counts.items()}
    return Restored(store.club, str(head["name"]), counts, left_out=left_out)


def read_trails(source: Stream) -> dict[UUID, dict[UUID, TrailEnd]]:
    """Return the ends of the trails of each club when a bundle or a trail file was written.

    The whole file is read. Raises BundleError.
    """
    reader = _Lines(source)
    first = next(reader.rows(), None)
    club = None if _is_trail_file(first) else UUID(_header(first)["club"])
    found: dict[UUID, dict[UUID, TrailEnd]] = {} if club is None else {club: {}}
    end: Mapping[str, Any] | None = None
    for name, cells in reader.rows():
        if name == "end":
            end = cells
            break
        if name == ("trail end" if club is None else "trail"):
            try:
                of_club = found.setdefault(club or UUID(cells["club"]), {})
                chain, entry = UUID(cells["chain"]), TrailEnd(cells["number"], cells["digest"])
                of_club[chain] = max(of_club.get(chain, entry), entry)
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise BundleError(f"line {reader.number} is no entry of a trail") from error
    reader.check_end(end)
    if club is not None:
        heads = summarize_heads(club, {chain: end.digest for chain, end in found[club].items()})
        if end is None or end.get("heads") != heads.all:
            raise BundleError("its trails do not lead to the heads that it names")
    return found


def _is_trail_file(first: tuple[str, Mapping[str, Any]] | None) -> bool:
    """Whether a file begins as a trail file does. Raises BundleError for one of a later version."""
    if first is None or first[0] != TRAILS_FORMAT:
        return False
    _check_version(first[1], TRAILS_VERSION)
    return True


def _header(first: tuple[str, Mapping[str, Any]] | None) -> Mapping[str, Any]:
    if first is None or first[0] != FORMAT:
        raise BundleError("this is no bundle of a club")
    head = first[1]
    _check_version(head, VERSION)
    try:
        UUID(str(head.get("club")))
    except ValueError:
        raise BundleError("it does not say which club it is of") from None
    return head


def _check_version(head: Mapping[str, Any], known: int) -> None:
    if head.get("version") != known:
        words = f"its version is {head.get('version')!r}"[:60]
        raise BundleError(f"{words}; this program knows version {known}")


def _compare_club(club: Club, reader: "_Lines", check: Callable[[], None]) -> Restored:
    """A club that is here already: fine if it is the very same."""
    end: Mapping[str, Any] | None = None
    for name, cells in reader.rows():
        if name == "end":
            end = cells
            break
    reader.check_end(end)
    check()
    if line("end", end) != deque(write(club), maxlen=1).pop():
        words = "a club with this identifier is here already, and is not the same"
        raise BundleError(f"{words}; nothing was changed")
    return Restored(club.pk, club.name, {}, was_there=True)


class _Lines:
    """The lines of a bundle, with the digest of all before the last."""

    def __init__(self, source: Stream) -> None:
        self._source = source
        self._rest = b""
        self._digest = hashlib.sha256()
        self._before = b""
        self.number = 0

    def raw(self) -> Iterator[bytes]:
        """The lines as they are. Raises BundleError for one that is too long or breaks off."""
        while True:
            end = self._rest.find(b"\n") + 1
            if end:
                text, self._rest = self._rest[:end], self._rest[end:]
                self.number += 1
                yield text
                continue
            block = self._source.read(1 << 16)
            if not block:
                if self._rest:
                    raise BundleError(f"line {self.number + 1} breaks off")
                return
            self._rest += block
            if len(self._rest) > LINE_MAX:
                raise BundleError(f"line {self.number + 1} is too long")

    def rows(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Names and cells. Raises BundleError."""
        for text in self.raw():
            self._digest.update(self._before)
            self._before = text
            yield self._row(text)

    def _row(self, text: bytes) -> tuple[str, Mapping[str, Any]]:
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        match found:
            case [str(name), dict(cells)]:
                return name, cells
            case _:
                raise BundleError(f"line {self.number} is no row of a bundle")

    def check_end(self, end: Mapping[str, Any] | None) -> None:
        """Whether this was the end, and nothing before it was changed. Raises BundleError."""
        if end is None:
            raise BundleError("the end is missing; the file broke off")
        if end.get("digest") != self._digest.hexdigest() or end.get("lines") != self.number - 1:
            raise BundleError("it was changed after it was written: its digest is another one")
        if next(self.raw(), None) is not None:
            raise BundleError("something comes after its end")


@dataclass(slots=True)
class _Store:
    """Rows on their way into the database, table by table."""

    club: UUID
    counts: dict[BundleTable, int] = field(default_factory=lambda: dict.fromkeys(CONTENTS, 0))
    lacking: set[tuple[str, str]] = field(default_factory=set)
    _numbers: dict[BundleTable, "array[int]"] = field(default_factory=dict)
    _rows: list[Any] = field(default_factory=list)
    _at: int = 0

    def add(self, name: str, cells: Mapping[str, Any], place: int) -> None:
        """Take a row. Raises BundleError for one that cannot be."""
        while CONTENTS[self._at].name != name:
            self._flush()
            self._at += 1
            if self._at == len(CONTENTS):
                raise BundleError(f"line {place}: {name[:40]!r} is unknown, or out of its order")
        content = CONTENTS[self._at]
        try:
            row = self._make_row(content, cells)
        except (ValueError, TypeError, KeyError, OverflowError) as error:
            raise BundleError(f"line {place}: {error}") from error
        self._rows.append(row)
        if len(self._rows) >= _AT_ONCE:
            self._flush()

    def _make_row(self, content: BundleTable, cells: Mapping[str, Any]) -> Any:
        refers = dict(foreign_tables(content))
        columns = {field.attname: field for field in content.fields}
        written, cells = cells.keys(), add_missing(content, cells)
        self.lacking |= {(content.name, name) for name in cells.keys() - written}
        if cells.keys() != columns.keys():
            odd = sorted(cells.keys() ^ columns.keys())
            raise ValueError(f"{content.name} with or without {odd[0][:40]!r}")
        values = dict(content.passing)
        for name, column in columns.items():
            value = cells[name]
            if name in refers and value is not None:
                values[name] = self._number(refers[name], value)
            else:
                values[name] = cell_from_json(column, value)
        row = content.model(**values)
        if isinstance(row, Person):
            # An older program may have taken more characters, and folded them otherwise.
            row.name = mend_name(row.name) or "?"
            row.sought = fold_name(row.name)
        return row

    def _number(self, target: BundleTable, place: Any) -> int:
        if target is CONTENTS[self._at]:
            # A reversal needs the number of a transfer that may have come a line before.
            self._flush()
        numbers = self._numbers.get(target, ())
        if type(place) is not int or not 1 <= place <= len(numbers):
            raise ValueError(f"there is no {target.name} {place!r}"[:80])
        return numbers[place - 1]

    def _flush(self) -> None:
        rows, self._rows = self._rows, []
        if not rows:
            return
        content = CONTENTS[self._at]
        manager: Any = content.model._default_manager
        made = manager.bulk_create(rows)
        self.counts[content] += len(made)
        if content.is_numbered:
            self._numbers.setdefault(content, array("q")).extend(row.pk for row in made)

    def finish(self) -> None:
        """Store what is left."""
        self._flush()


def _prove(store: _Store, end: Mapping[str, Any]) -> None:
    """Whether all of it belongs to the club, and follows from its records. Raises BundleError."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        else:
            connection.check_constraints()
    for content, count in store.counts.items():
        if content.rows(store.club).count() != count:
            raise BundleError(f"a row of {content.name!r} belongs to another club")
    for part in bundles([store.club]):
        for difference in look_at_games(part.games).differences:
            raise BundleError(f"it does not follow from its records: {difference}")
    for difference in look_at_club(store.club):
        raise BundleError(f"it does not follow from its records: {difference}")
    heads = heads_of(store.club)
    if (end.get("head"), end.get("heads")) != (heads.club, heads.all):
        raise BundleError("its trails do not lead to the heads that it names")
