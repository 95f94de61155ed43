"""Archives: a stream of records, chunk by chunk, as games of a club."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final
from uuid import UUID

from engine.faults import Severity
from engine.following import OPEN_GAMES, Followed, Games
from engine.notation.reader import Entry, Reader
from engine.notation.source import Source
from engine.notation.writer import write_record
from engine.presets import BICYCLE
from engine.record import Detail
from engine.rules import Rules, RulesError
from scoring.importing.evenings import Told
from scoring.importing.games import Imported, day_of, name_of, start_of, stored_games
from scoring.importing.identities import game_id, key_of
from scoring.importing.people import People, names_of
from scoring.importing.playing import play
from scoring.importing.report import Problem, Report
from scoring.importing.rows import Rows
from scoring.ledger import Stamp
from scoring.models import State
from scoring.sent import TEXT_BYTES_MAX
from scoring.states import digest
from tournaments.bulk import by_index, collecting_later, keys_at_once
from tournaments.models import Club, PlayerKind

CHUNK: Final = 1024
"""How many records are taken together: what is held in memory, and what one transaction stores."""
_AGAIN: Final = (State.VOID, State.NOT_PLAYED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to import: ``rules`` instead of what records name, and what new players are.

    ``dry_run``: find out what would happen, and change nothing. The first ``seen`` records were
    told of before: what is wrong with them is not told again. ``event`` is the one that games are
    put into afterwards (`Archive.games`), or BY_TAGS.
    """

    rules: Rules | None = None
    kind: str = PlayerKind.GUEST
    dry_run: bool = False
    seen: int = 0
    event: UUID | str | None = None


@dataclass(slots=True)
class _Slot:
    """A record that is a hand, with what its game is found by."""

    entry: Entry
    number: int | None
    rules: Rules
    text: bytes
    made: str
    key: Hashable
    names: tuple[str, ...]
    sent: bytes | None = None


class Archive:
    """One archive on its way into a club; `take` chunk after chunk until there is none."""

    def __init__(self, club: UUID, source: Source, options: Options, stamp: Stamp) -> None:
        self.report = Report()
        self.games: dict[UUID, Told] = {}
        """The games of the archive, where they are to be put into events."""
        self._club, self._options, self._stamp = club, options, stamp
        self._reader = Reader(source)
        self._entries = iter(self._reader)
        self._games = Games()
        self._open: OrderedDict[int, Imported] = OrderedDict()
        self._begun: OrderedDict[UUID, Imported] = OrderedDict()
        self._keys: dict[Hashable, bytes] = {}
        self._stored: dict[UUID, Imported] = {}
        self._looked_up: dict[UUID, None] = {}
        self._count = 0
        self._has_written = False
        self.people = People(club, options.kind, dry=options.dry_run, report=self.report)

    def take(self, most: int = CHUNK) -> bool:
        """Store the next records, in the caller's transaction; whether there were any.

        The club is locked, so that nobody else opens games or adds players meanwhile.
        """
        with collecting_later():
            entries = list(islice(self._entries, most))
            if entries:
                self._store(entries)
        return bool(entries)

    def _store(self, entries: Sequence[Entry]) -> None:
        if self._options.dry_run:
            club = Club.objects.get(pk=self._club)
        else:
            club = Club.objects.select_for_update(no_key=True).get(pk=self._club)
        rows = Rows(club, self._stamp)
        slots = [(entry, self._slot(entry)) for entry in entries]
        self._prepare([slot for _entry, slot in slots if slot is not None])
        for entry, slot in slots:
            self._count += 1
            if self._is_fresh:
                self.report.records += 1
            if slot is None:
                self._leave_out(entry)
            else:
                self._take(slot, rows)
        if rows.games and not self._options.dry_run:
            by_index(afresh=not self._has_written)
            keys_at_once()
            rows.write()
            self._has_written = True

    @property
    def records(self) -> int:
        """How many records were read."""
        return self._count

    @property
    def _is_fresh(self) -> bool:
        return self._count > self._options.seen

    def _slot(self, entry: Entry) -> _Slot | None:
        """A record that is a hand of a game; None for any other."""
        found = entry.hand
        if found is not None:
            number, own, players = found.number, found.setting.rules, len(found.setting.seats)
            text, sent = entry.text.encode(), None
        else:
            record = entry.record
            if record is None or record.detail is Detail.GAME:
                return None
            number, own, players = record.number, record.rules or BICYCLE, record.players
            text, sent = _alone(entry)
        key = entry.game
        assert isinstance(key, tuple)
        return _Slot(
            entry=entry,
            number=number,
            rules=self._options.rules or own,
            text=text,
            made=digest(text if sent is None else sent),
            key=key,
            sent=sent,
            names=names_of(key[2] if len(key) > 2 else (), players),
        )

    def _prepare(self, slots: Sequence[_Slot]) -> None:
        """Look up at once what these records may belong to, and who is named in them."""
        last: dict[Hashable, int | None] = {}
        wanted: dict[UUID, None] = {}
        names: dict[str, None] = {}
        for slot in slots:
            before = last.get(slot.key, -1)
            if before == -1 or slot.number is None or before is None or slot.number <= before:
                wanted[self._identity(slot)] = None
                names |= dict.fromkeys(slot.names)
            last[slot.key] = slot.number
        self._looked_up = wanted
        locks = not self._options.dry_run
        self._stored = stored_games(self._club, wanted, locks=locks) if wanted else {}
        self.people.look_up(names)

    def _identity(self, slot: _Slot) -> UUID:
        key = self._keys.get(slot.key)
        if key is None:
            if len(self._keys) > OPEN_GAMES:
                self._keys.clear()
            key = self._keys[slot.key] = key_of(self._club, slot.key)
        return game_id(key, slot.text)

    def _take(self, slot: _Slot, rows: Rows) -> None:
        """Put a record into its game, unless it is there already."""
        followed = self._games.of(slot.key, slot.number, slot.rules)
        game = self._game(followed, slot, rows)
        if game is None:
            followed.go_on(slot.number, followed.state)  # type: ignore[arg-type]
            return
        again = self._put(game, slot, rows)
        followed.go_on(slot.number, game.state)
        followed.again = again

    def _game(self, followed: Followed, slot: _Slot, rows: Rows) -> Imported | None:
        game = self._open.get(followed.game)
        if game is None:
            game = self._begin(slot, rows)
            if game is None:
                return None
            self._open[followed.game] = game
        self._open.move_to_end(followed.game)
        if len(self._open) > 2 * OPEN_GAMES:
            self._open.popitem(last=False)
        return game

    def _begin(self, slot: _Slot, rows: Rows) -> Imported | None:
        """The game of which this is the first record: a new one, or one that was imported."""
        number = self._identity(slot)
        game = self._begun.get(number) or self._stored.get(number)
        if game is None and number not in self._looked_up:
            locks = not self._options.dry_run
            game = stored_games(self._club, [number], locks=locks).get(number)
        if game is not None:
            game.place = 0
            self._remember(game)
            self._tell_where(game, slot.entry)
            return game
        if len(set(slot.names)) < len(slot.names):
            self._problem(slot.entry, "one name stands at two seats; nobody sits twice at a table")
            return None
        try:
            start = start_of(slot.entry, slot.rules)
        except RulesError as error:
            self._problem(slot.entry, str(error))
            return None
        game = Imported(
            id=number,
            rules=slot.rules,
            players=[self.people.player(name, self._stamp) for name in slot.names],
            start=start,
            state=start,
            name=name_of(slot.entry),
            opened_at=day_of(slot.entry, self._stamp.at),
        )
        if len(set(game.players)) < len(game.players):
            self._problem(slot.entry, "two names are those of one player of the club")
            return None
        if unsure := self.people.unsure(slot.names):
            self._problem(slot.entry, unsure, stored=True)
        self._remember(game)
        rows.begin(game)
        self._tell_where(game, slot.entry)
        self.report.games += self._is_fresh
        return game

    def _tell_where(self, game: Imported, entry: Entry) -> None:
        if self._options.event is not None and game.id not in self.games:
            self.games[game.id] = Told.of(game, entry)

    def _remember(self, game: Imported) -> None:
        self._begun[game.id] = game
        self._begun.move_to_end(game.id)
        if len(self._begun) > 2 * OPEN_GAMES:
            self._begun.popitem(last=False)

    def _put(self, game: Imported, slot: _Slot, rows: Rows) -> bool:
        """Store the next hand of a game; whether its number may come again."""
        game.place += 1
        if game.place <= len(game.known):
            if game.known[game.place - 1] == slot.made:
                self.report.known += self._is_fresh
            else:
                words = f"hand {game.place} of this game was imported with another record"
                self._problem(slot.entry, f"{words}; nothing was changed")
            return False
        why_not = game.refused
        if not why_not and game.state.over is not None:
            why_not = f"the game ended with hand {game.hands} ({game.state.over})"
        if len(slot.text) > TEXT_BYTES_MAX:
            why_not = f"a hand may have {TEXT_BYTES_MAX // 1024} KiB; this has more"
        if why_not:
            game.place -= 1
            self._problem(slot.entry, why_not)
            return False
        outcome = play(game.seating, game.state, slot.entry, slot.text, game.hands + 1)
        if slot.sent is not None:
            outcome = outcome._replace(sent=slot.sent)
        kept = outcome.text
        made = slot.made if slot.sent is None and kept is slot.text else digest(kept)
        rows.add(game, outcome, made)
        game.known.append(slot.made)
        self.report.hands += self._is_fresh
        if outcome.state == State.DISPUTED:
            self.report.disputed += self._is_fresh
            self._problem(slot.entry, outcome.reason, stored=True)
        return outcome.state in _AGAIN

    def _leave_out(self, entry: Entry) -> None:
        """A record that is no hand: said, unless it is only a remark or the sum of a game."""
        record = entry.record
        self.report.left_out += self._is_fresh
        wrong = [one for one in entry.diagnostics if one.severity is Severity.ERROR]
        if record is None and (wrong or entry.document.tags):
            words = wrong[0].message if wrong else "this is no record of a hand"
            self._problem(entry, words)

    def _problem(self, entry: Entry, words: str, *, stored: bool = False) -> None:
        if not self._is_fresh:
            return
        if not stored and entry.record is not None:
            self.report.left_out += 1
        wrong = [one for one in entry.diagnostics if one.severity is Severity.ERROR]
        line, column = (wrong[0].line, wrong[0].col) if wrong else (entry.line, 1)
        self.report.add(Problem(line, column, words, stored))


def _alone(entry: Entry) -> tuple[bytes, bytes | None]:
    """A record's text as it can stand alone, and what the archive says where that differs.

    What a record takes over from the one before it (PBN's #) is written out.
    """
    text = entry.text.encode("utf-8", "surrogateescape")
    if len(text) > TEXT_BYTES_MAX:
        return text, None
    alone = next(iter(Reader(text)), None)
    if alone is not None and alone.document == entry.document:
        return text, None
    return write_record(entry).encode("utf-8", "surrogateescape"), text
