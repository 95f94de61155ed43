"""Archives: a stream of records, chunk by chunk, as games of a club."""

from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from heapq import heappop, heappush
from itertools import islice
from typing import Any, Final, NamedTuple
from uuid import UUID

from engine.core.faults import Part, Severity
from engine.core.game_identity import GameIdentity
from engine.core.messages import Message, joined_by_semicolons, message_of
from engine.core.player_names import name_key
from engine.games.game_grouping import (
    OPEN_GAMES,
    VOID_ENDINGS,
    OpenGames,
    Placement,
    RecordOrder,
)
from engine.games.hand_sequence import first_hand_faults
from engine.notation.diagnostics import NotationRule
from engine.notation.reader import Reader, RecordEntry
from engine.notation.source import Source
from engine.notation.writer import write_record
from engine.record.record import Detail
from engine.record.rulings import RulingError
from engine.rules.presets import BICYCLE
from engine.rules.rules import Rules, RulesError
from scoring.games.closing import close_games
from scoring.hands.submission import TEXT_BYTES_MAX
from scoring.ledger.transfers import Stamp
from scoring.models import Hand, State
from scoring.models.states import digest
from scoring.settlement.plan import carry_out, lock, plan
from scoring.transfer.importing.club_facts import (
    OUTSIDE,
    WAITING,
    HandFacts,
    entered_text,
    read_game_facts,
    read_hand_facts,
)
from scoring.transfer.importing.club_records import ClubRecords
from scoring.transfer.importing.events import GameOrigin
from scoring.transfer.importing.games import (
    Imported,
    day_of,
    ids_after_removal,
    name_of,
    start_of,
    stored_games,
)
from scoring.transfer.importing.hands import play
from scoring.transfer.importing.identities import ids_of_named_game, unnamed_game_id
from scoring.transfer.importing.log import ArchiveLog
from scoring.transfer.importing.people import People, WrittenPlayer, names_of, people_of
from scoring.transfer.importing.preview import ArchivePreview
from scoring.transfer.importing.report import ImportReport, Problem
from scoring.transfer.importing.rows import OutsideRecord, Rows
from tournaments.database.sql import (
    check_constraints_immediately,
    garbage_collection_paused,
    prefer_indexes,
)
from tournaments.imports import ImportLog
from tournaments.models import Club, PlayerKind

CHUNK: Final = 1024
"""How many records are taken together: what is held in memory, and what one transaction stores."""
WAITING_MAX: Final = 4096
"""How many records wait, at most, for hands that should have come before them."""
CLOSED_AT_ONCE: Final = 100
"""How many games are closed in one transaction."""
CLOSED_THERE: Final = Message("It was closed where it was played.")
_AGAIN: Final = (State.VOID, State.NOT_PLAYED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options of an import: ``rules`` instead of what records name, and what new players are.

    ``dry_run``: find out what would happen, and change nothing. The problems of the first
    ``seen`` records were reported before, and are not reported again. ``people``: who the names
    are that are like those of members (`People`). ``event`` is the one that
    games are put into afterwards (`ArchiveImport.games`), or BY_TAGS.
    """

    rules: Rules | None = None
    kind: str = PlayerKind.GUEST
    dry_run: bool = False
    seen: int = 0
    people: Mapping[str, str] = field(default_factory=dict)
    event: UUID | str | None = None


@dataclass(slots=True)
class _Slot:
    """A record that is a hand, with what its game is found by.

    ``odd`` is what is worth a word about its place in its game, once it is stored.
    """

    entry: RecordEntry
    number: int | None
    rules: Rules
    text: bytes
    made: str
    identity: GameIdentity
    people: tuple[WrittenPlayer, ...]
    is_void: bool
    sent: bytes | None = None
    odd: list[str] = field(default_factory=list)


class _Turn(NamedTuple):
    """A record that waits for its turn: in the order of its game, void hands of a number first."""

    number: int
    is_played: bool
    turn: int
    slot: _Slot


@dataclass(slots=True)
class _Queue:
    """The records of one game of the archive in the order of its hands.

    ``number`` is that of the last hand put into the game; ``is_closed``: the game could not be
    begun. ``sitters`` are the players by seat, by the names that were written for them.
    """

    number: int = 0
    game: Imported | None = None
    is_closed: bool = False
    waiting: list[_Turn] = field(default_factory=list)
    sitters: list[dict[WrittenPlayer, UUID]] = field(default_factory=list)

    @property
    def is_ready(self) -> bool:
        """Whether the first record that waits comes next."""
        return bool(self.waiting) and self.waiting[0].number <= self.number + 1


class ArchiveImport:
    """One archive on its way into a club; `take` chunk after chunk until there is none.

    ``log`` is where it notes what it makes; what only tries, and what makes a club, needs none.
    """

    def __init__(
        self,
        club: UUID,
        source: Source,
        options: Options,
        stamp: Stamp,
        log: ImportLog | None = None,
    ) -> None:
        self.report = ImportReport()
        self._log = None if log is None else ArchiveLog(log)
        self.games: dict[UUID, GameOrigin] = {}
        """The games of the archive, where they are to be put into events."""
        self.club_records = ClubRecords()
        """The records of the archive that are no hands."""
        self._club, self._options, self._stamp = club, options, stamp
        self._reader = Reader(source)
        self._entries = self._reader.records()
        self._games = OpenGames()
        self._queues: OrderedDict[int, _Queue] = OrderedDict()
        self._waiting = 0
        self._begun: OrderedDict[UUID, Imported] = OrderedDict()
        self._stored: dict[UUID, Imported] = {}
        self._looked_up: dict[UUID, None] = {}
        self._contested: dict[UUID, int] = {}
        self._to_close: dict[UUID, RecordEntry] = {}
        self._again: dict[UUID, UUID] = {}
        self._count = 0
        self._is_read = False
        self._has_written = False
        self.people = People(
            club,
            options.kind,
            dry=options.dry_run,
            report=self.report,
            decisions=options.people,
            log=log,
        )
        self._preview = ArchivePreview()

    def take(self, most: int = CHUNK) -> bool:
        """Store the next records, in the caller's transaction; whether there were any.

        The club is locked, so that nobody else opens games or adds players meanwhile.
        """
        with garbage_collection_paused():
            entries = list(islice(self._entries, most))
            if entries or self._waiting:
                self._store(entries, is_last=len(entries) < most)
        if not entries and not self._is_read:
            self._is_read = True
            for diagnostic in self._reader.diagnostics:
                # The text as a whole was mended.
                if diagnostic.rule is NotationRule.PASTED and self._is_fresh:
                    self.report.add(
                        Problem(diagnostic.line, diagnostic.col, diagnostic.message, stored=True)
                    )
        if entries or self._options.dry_run:
            return bool(entries)
        return self._settle_games()

    def _settle_games(self) -> bool:
        """Settle games as the archive says of them as a whole; return whether there were any.

        Hands of which two records are known are disputed, and games end that were closed.
        """
        settled = []
        while self._contested:
            game_id, first = self._contested.popitem()
            game = lock(game_id)
            carry_out(plan(game, first), stamp=self._stamp)
            settled.append(game_id)
        some = dict(islice(self._to_close.items(), CLOSED_AT_ONCE))
        if some:
            refused = close_games(
                club_id=self._club,
                game_ids=some,
                reason=str(CLOSED_THERE),
                by=self._stamp.by,
                at=self._stamp.at,
            )
            for game_id, why in refused.items():
                words = Message("the game stays open: {words}", words=why)
                self._problem(some[game_id], words, stored=True)
            for game_id in some:
                del self._to_close[game_id]
        if self._log is not None:
            self._log.note_heads([*settled, *some])
        return bool(some)

    def _store(self, entries: Sequence[RecordEntry], *, is_last: bool) -> None:
        if self._options.dry_run:
            club = Club.objects.get(pk=self._club)
        else:
            club = Club.objects.select_for_update(no_key=True).get(pk=self._club)
        rows = Rows(club, self._stamp)
        slots = [(entry, self._slot(entry)) for entry in entries]
        self._prepare([slot for _entry, slot in slots if slot is not None])
        for entry, slot in slots:
            self._count += 1
            self.report.records += self._is_fresh
            if slot is None:
                if not self.club_records.take(entry):
                    self._leave_out(entry)
            else:
                self._take(slot, rows)
        for queue in self._queues.values() if is_last else ():
            self._put_all(queue, rows)
        if rows.games and not self._options.dry_run:
            prefer_indexes(afresh=not self._has_written)
            check_constraints_immediately()
            rows.write()
            self._has_written = True
            if self._log is not None:
                self._log.note_chunk(self.people.added, rows.games.values())
                self.people.added.clear()

    def list_notices(self) -> list[str]:
        """Say what of the archive was not brought in, and what it left behind from the start."""
        left_out = [] if self._options.event else self.club_records.list_left_out()
        return [*left_out, *self.club_records.list_not_carried()]

    @property
    def stamp(self) -> Stamp:
        """The person who imports it, and the moment."""
        return self._stamp

    @property
    def options(self) -> Options:
        """The options of the import."""
        return self._options

    @property
    def records(self) -> int:
        """The number of records read."""
        return self._count

    @property
    def _is_fresh(self) -> bool:
        return self._count > self._options.seen

    def _slot(self, entry: RecordEntry) -> _Slot | None:
        """A record that is a hand of a game; None for any other."""
        hand = entry.hand
        if hand is not None:
            number, own, players = hand.number, hand.setting.rules, len(hand.setting.seats)
            text, sent, is_void = entry.text.encode(), None, False
        else:
            record = entry.record
            if record is None or record.detail is Detail.GAME:
                return None
            number, own, players = record.number, record.rules or BICYCLE, record.players
            entered = entered_text(entry)
            text, sent = _alone(entry)
            if entered is not None:
                text, sent = entered, text if sent is None else sent
            is_void = record.ending in VOID_ENDINGS
        identity = entry.identity
        return _Slot(
            entry=entry,
            number=number,
            rules=self._options.rules or entry.game_rules or own,
            text=text,
            made=digest(text if sent is None else sent),
            identity=identity,
            sent=sent,
            people=people_of(entry, names_of(identity.spelled, players)),
            is_void=is_void,
        )

    def _prepare(self, slots: Sequence[_Slot]) -> None:
        """Look up at once what these records may belong to, and who is named in them."""
        seen: set[GameIdentity] = set()
        wanted: dict[UUID, None] = {}
        written: dict[WrittenPlayer, None] = {}
        waiting = [turn.slot for queue in self._queues.values() for turn in queue.waiting]
        for slot in [*slots, *waiting]:
            is_new = slot.identity not in seen
            if is_new or slot.number in (None, 1):
                wanted |= dict.fromkeys(self._ids(slot))
            if is_new:
                written |= dict.fromkeys(slot.people)
            seen.add(slot.identity)
        self._looked_up = wanted
        self._again = ids_after_removal(self._club, wanted)
        wanted |= dict.fromkeys(self._again.values())
        locks = not self._options.dry_run
        self._stored = stored_games(self._club, wanted, locks=locks) if wanted else {}
        self.people.look_up(written)

    def _ids(self, slot: _Slot) -> list[UUID]:
        """The identifiers that the game may have of which this is the first record."""
        if slot.identity.game_id:
            return ids_of_named_game(self._club, slot.identity.game_id)
        return [unnamed_game_id(self._club, slot.entry, slot.text)]

    def _take(self, slot: _Slot, rows: Rows) -> None:
        """Put a record into its game when its turn comes, unless it is there already."""
        if slot.entry.value("Outside"):
            # It is no part of its game: a second one, or one that waits.
            facts = read_hand_facts(slot.entry, len(slot.people), self._stamp)
            take = self._take_waiting if facts.outside == WAITING else self._take_rival
            take(slot, facts, rows)
            return
        if self._options.event is not None:
            self.club_records.note_board(slot.entry)
        placed = self._games.place(
            slot.identity, slot.number, slot.entry.content, slot.rules, is_void=slot.is_void
        )
        queue = self._queue(placed.game.game, rows)
        if not self._is_wanted(placed, slot):
            return
        heappush(queue.waiting, _Turn(placed.number, not slot.is_void, self._count, slot))
        self._waiting += 1
        while queue.is_ready:
            self._put_first(queue, placed, rows)
        while self._waiting > WAITING_MAX:
            self._put_all(next(queue for queue in self._queues.values() if queue.waiting), rows)

    def _take_waiting(self, slot: _Slot, facts: HandFacts, rows: Rows) -> None:
        """Keep a hand before which another one is missing, for which it waits."""
        placed = self._games.place(slot.identity, slot.number, slot.entry.content, slot.rules)
        queue = self._queue(placed.game.game, rows)
        self._put_all(queue, rows)
        game, number = self._game(queue, slot, rows), placed.number
        if game is None:
            return
        if not game.is_new and Hand.objects.filter(game=game.id, number=number).exists():
            self.report.known += self._is_fresh
            return
        game.waiting.add(number)
        record = OutsideRecord(slot.text, digest(slot.text), State.DRAFT, facts.words)
        rows.add_waiting(game, number, record)
        self.report.hands += self._is_fresh

    def _take_rival(self, slot: _Slot, facts: HandFacts, rows: Rows) -> None:
        """Keep a second record of a hand beside it."""
        found = self._games.find(slot.identity)
        queue = None if found is None else self._queues.get(found.game)
        game, number = (None if queue is None else queue.game), slot.number
        is_last = queue is not None and queue.number == number
        if game is None or number is None or not (is_last or number in game.waiting):
            words = Message("the hand of which this is a second record is missing")
            self._problem(slot.entry, words)
            return
        made = digest(slot.text)
        if made in game.rivals or game.refused:
            self.report.known += self._is_fresh
            return
        game.rivals.append(made)
        state = OUTSIDE[facts.outside]
        first = number if number in game.waiting else game.hands
        record = OutsideRecord(slot.text, made, state, facts.words)
        rows.add_rival(game, first, len(game.rivals), record)
        if state == State.DISPUTED and first <= game.hands:
            self._contested[game.id] = min(self._contested.get(game.id, first), first)

    def _queue(self, number: int, rows: Rows) -> _Queue:
        queue = self._queues.setdefault(number, _Queue())
        self._queues.move_to_end(number)
        if len(self._queues) > 2 * OPEN_GAMES:
            _number, oldest = self._queues.popitem(last=False)
            self._put_all(oldest, rows)
        return queue

    def _is_wanted(self, placed: Placement, slot: _Slot) -> bool:
        """Whether a record is a hand of its game; what is odd about its place is a problem."""
        if placed.order is RecordOrder.REPEATED:
            self.report.known += self._is_fresh
            self._problem(slot.entry, placed.notes[0].message, stored=True)
            return False
        if placed.order is RecordOrder.CONFLICT:
            (fault,) = [fault for fault in placed.faults if fault not in placed.notes]
            words = joined_by_semicolons([fault.message, fault.hint])
            self._problem(slot.entry, words, is_conflict=True)
            return False
        is_numbered = any(person.number is not None for person in slot.people)
        # An archive of a club knows who sat where; a substitute there is no slip of the pen.
        notes = [note for note in placed.notes if not (is_numbered and note.part is Part.NAMES)]
        slot.odd += [note.message for note in notes]
        return True

    def _put_all(self, queue: _Queue, rows: Rows) -> None:
        """Put the records that wait into their game, although hands are missing before them."""
        while queue.waiting:
            self._put_first(queue, None, rows)

    def _put_first(self, queue: _Queue, placed: Placement | None, rows: Rows) -> None:
        number, _is_played, _turn, slot = heappop(queue.waiting)
        self._waiting -= 1
        game = self._game(queue, slot, rows)
        if game is None:
            queue.number = max(queue.number, number)
            return
        if number > queue.number + 1:
            queue.number = max(queue.number, game.last_stored_number)
        if number > queue.number + 1:
            slot.odd.append(_missing(queue.number + 1, number))
        again = self._store_hand(game, slot, rows, queue)
        queue.number = max(queue.number, number)
        if placed is not None:
            placed.game.note_state(game.state)
            if again:
                placed.game.note_void(number, is_void=True)

    def _game(self, queue: _Queue, slot: _Slot, rows: Rows) -> Imported | None:
        if queue.game is None and not queue.is_closed:
            queue.game = self._begin(slot, rows)
            queue.is_closed = queue.game is None
            if queue.game is not None and queue.game.is_new:
                pairs = zip(slot.people, queue.game.players, strict=True)
                queue.sitters = [{_folded(one): player} for one, player in pairs]
        elif queue.is_closed:
            self._problem(
                slot.entry, Message("a hand of its game before this one could not be imported")
            )
            self._meet(slot)
        return queue.game

    def _begin(self, slot: _Slot, rows: Rows) -> Imported | None:
        """The game of which this is the first record: a new one, or one that was imported."""
        numbers = [self._present(number) for number in self._ids(slot)]
        found = [self._known_game(number) for number in numbers]
        game = next((one for one in found if one is not None), None)
        number = numbers[-1]
        if game is not None:
            game.place = 0
            self._remember(game)
            self._tell_where(game, slot)
            return game
        if len(set(slot.people)) < len(slot.people):
            self._problem(
                slot.entry, Message("one name stands at two seats; nobody sits twice at a table")
            )
            return None
        if doubt := self.people.find_doubt(slot.people):
            self._problem(slot.entry, doubt)
            self._meet(slot)
            return None
        facts = read_game_facts(slot.entry)
        try:
            start = start_of(slot.entry, slot.rules, facts)
        except RulesError as error:
            self._problem(slot.entry, message_of(error))
            return None
        game = Imported(
            id=number,
            rules=slot.rules,
            players=[self.people.player(person, self._stamp) for person in slot.people],
            start=start,
            state=start,
            facts=facts,
            boards_alike=facts.board is not None,
            name=name_of(slot.entry),
            opened_at=day_of(slot.entry, self._stamp.at),
        )
        if len(set(game.players)) < len(game.players):
            self._problem(slot.entry, Message("two names are those of one player of the club"))
            return None
        if slot.number in (None, 1) and facts.drawn is None:
            slot.odd += [fault.message for fault in first_hand_faults(slot.rules, start)]
        if unsure := self.people.unsure(slot.people):
            self._problem(slot.entry, unsure, stored=True)
        self._remember(game)
        rows.begin(game)
        self._tell_where(game, slot)
        self.report.games += self._is_fresh
        if facts.phase is not None:
            self._to_close[game.id] = slot.entry
        return game

    def _meet(self, slot: _Slot) -> None:
        """Note for a preview who is named in a record that is left out."""
        if self._options.dry_run:
            self.people.meet(slot.people)

    def _present(self, number: UUID) -> UUID:
        """The identifier that a game has now: another one if it was removed since."""
        if number not in self._looked_up:
            self._again |= ids_after_removal(self._club, [number])
        while number in self._again:
            number = self._again[number]
        return number

    def _known_game(self, number: UUID) -> Imported | None:
        game = self._begun.get(number) or self._stored.get(number)
        if game is None and number not in self._looked_up:
            locks = not self._options.dry_run
            game = stored_games(self._club, [number], locks=locks).get(number)
        return game

    def _tell_where(self, game: Imported, slot: _Slot) -> None:
        if self._options.event is not None and game.id not in self.games:
            self.games[game.id] = GameOrigin.of(game, slot.entry)
        if self._options.dry_run:
            self._preview.add_game(game, slot.entry, [person.name for person in slot.people])
            self.people.meet(slot.people)

    def preview(self) -> dict[str, Any]:
        """Return the understanding of an archive that is only tried, as plain data."""
        return self._preview.as_data(self.people.met, self.people.find_similar)

    def _remember(self, game: Imported) -> None:
        self._begun[game.id] = game
        self._begun.move_to_end(game.id)
        if len(self._begun) > 2 * OPEN_GAMES:
            self._begun.popitem(last=False)

    def _store_hand(self, game: Imported, slot: _Slot, rows: Rows, queue: _Queue) -> bool:
        """Store the next hand of a game; whether its number may come again."""
        at = game.find(slot.made, slot.entry.content, slot.number)
        if at is None and slot.sent is not None:
            at = game.find_entered(digest(slot.text), slot.number)
        if at is not None:
            game.place = at + 1
            game.numbers[slot.number] = at + 1
            self.report.known += self._is_fresh
            self._preview.count_hand(game, is_new=False)
            return False
        if contradiction := game.find_contradiction(slot.number):
            self._problem(slot.entry, contradiction, is_conflict=True)
            return False
        why_not = game.why_not_next()
        if not why_not and len(slot.text) > TEXT_BYTES_MAX:
            why_not = Message(
                "a hand may have {most} KiB; this has more", most=TEXT_BYTES_MAX // 1024
            )
        if why_not:
            self._problem(slot.entry, why_not)
            return False
        if doubt := self.people.find_doubt(slot.people):
            self._problem(slot.entry, doubt)
            self._meet(slot)
            queue.game, queue.is_closed = None, True
            return False
        for words in slot.odd:
            self._problem(slot.entry, words, stored=True)
        game.place = len(game.known) + 1
        self._seat(game, slot, queue, rows)
        number = game.numbers[slot.number] = game.hands + 1
        facts = read_hand_facts(slot.entry, len(game.players), self._stamp, game.find_hand)
        if facts.unknown:
            self._problem(slot.entry, facts.unknown, stored=True)
        try:
            outcome = play(game.seating, game.state, slot.entry, slot.text, number, facts)
        except RulingError as error:
            self._problem(slot.entry, message_of(error), stored=True)
            facts = replace(facts, rulings=(), superseded=())
            outcome = play(game.seating, game.state, slot.entry, slot.text, number, facts)
        if slot.sent is not None:
            outcome = outcome._replace(sent=slot.sent)
        kept = outcome.text
        made = slot.made if slot.sent is None and kept is slot.text else digest(kept)
        rows.add(game, outcome, made, facts)
        game.known.append(slot.made)
        self.report.hands += self._is_fresh
        self._preview.count_hand(game, is_new=True)
        if outcome.state == State.DISPUTED:
            self.report.disputed += self._is_fresh
            self._problem(slot.entry, outcome.reason, stored=True)
        return outcome.state in _AGAIN

    def _seat(self, game: Imported, slot: _Slot, queue: _Queue, rows: Rows) -> None:
        """Seat substitutes: whoever a record names instead of somebody else (Q62)."""
        if len(slot.people) != len(game.players):
            return
        if not queue.sitters:
            queue.sitters = [{} for _ in game.players]
        players = list(game.players)
        for seat, (one, known) in enumerate(zip(slot.people, queue.sitters, strict=True)):
            if slot.identity.names[seat]:
                folded = _folded(one)
                if folded not in known:
                    known[folded] = self.people.player(one, self._stamp)
                players[seat] = known[folded]
        if players == game.players:
            return
        if len(set(players)) < len(players):
            self._problem(
                slot.entry, Message("two names are those of one player of the club"), stored=True
            )
            return
        rows.seat(game, players)

    def _leave_out(self, entry: RecordEntry) -> None:
        """A record that is no hand: reported, unless it is the sum of a game."""
        record = entry.record
        self.report.left_out += self._is_fresh
        wrong = [
            diagnostic for diagnostic in entry.diagnostics if diagnostic.severity is Severity.ERROR
        ]
        if record is None and (wrong or entry.document.tags):
            words = wrong[0].message if wrong else Message("this is no record of a hand")
            self._problem(entry, words)

    def _problem(
        self,
        entry: RecordEntry,
        words: str,
        *,
        stored: bool = False,
        is_conflict: bool = False,
    ) -> None:
        if not self._is_fresh:
            return
        if not stored and entry.record is not None:
            self.report.left_out += 1
        wrong = [
            diagnostic for diagnostic in entry.diagnostics if diagnostic.severity is Severity.ERROR
        ]
        line, column = (wrong[0].line, wrong[0].col) if wrong else (entry.line, 1)
        self.report.conflicts += is_conflict
        self.report.add(Problem(line, column, words, stored, is_conflict))


def _folded(written: WrittenPlayer) -> WrittenPlayer:
    return written._replace(name=name_key(written.name))


def _missing(first: int, number: int) -> str:
    """That hands are missing before the one with this number."""
    if first + 1 == number:
        return Message("hand {first} is missing before hand {number}", first=first, number=number)
    return Message(
        "hands {first}-{last} are missing before hand {number}",
        first=first,
        last=number - 1,
        number=number,
    )


def _alone(entry: RecordEntry) -> tuple[bytes, bytes | None]:
    """A record's text as it can stand alone, and what the archive says where that differs.

    What a record takes over from the one before it (PBN's #) is written out.
    """
    text = entry.text.encode("utf-8", "surrogateescape")
    if entry.canonical or len(text) > TEXT_BYTES_MAX:
        return text, None
    alone = next(iter(Reader(text)), None)
    if alone is not None and alone.document == entry.document:
        return text, None
    return write_record(entry).encode("utf-8", "surrogateescape"), text
