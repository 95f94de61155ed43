"""The archive of hands: complete records, from which an import builds the same games.

A stored text says what was entered; what the club knows beside it (event, people, carried state,
rulings) is written into the record that goes out (notation.md 10). The stored text stays as it is.
"""

import json
from collections import defaultdict
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import chain, islice
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import F, QuerySet

from engine.core.seats import DEFAULT_SEATS
from engine.notation.building import rules_tags
from engine.notation.completion import (
    ClubTable,
    Completion,
    PlainRecord,
    clean_value,
    complete_record,
)
from engine.notation.decisions import format_ruling
from engine.notation.document import Row, Tag, quote
from engine.notation.memo import Memo
from engine.notation.names import PLAYERS
from engine.notation.writer import build_entry
from engine.record.record import Detail, HandRecord, clean_text
from engine.rules.rules import plays_for_chips
from scoring.games.buy_ins import jackpot_taken_over
from scoring.models import Decided, Game, HandVersion, Phase, Sitting, State, Word
from scoring.models.states import read_state
from scoring.reports.hands import entered_record
from scoring.settlement.plan import find_ruled_at, is_in_force, rules_of, words_that_count
from scoring.submissions.reading import read_hand
from scoring.transfer.exporting.club_records import (
    ArchiveScope,
    ListedPerson,
    write_club_records,
)
from scoring.transfer.importing.club_facts import (
    CONFIRMED,
    EARLIER,
    NOW,
    OBJECTED,
    OBJECTED_LATER,
    RULING_COLUMNS,
)
from scoring.transfer.importing.club_records import MOMENT, NOTHING
from scoring.transfer.importing.games import compose_name
from scoring.transfer.importing.identities import is_imported
from tournaments.core.time_zones import day
from tournaments.models import Club, Player
from tournaments.people.display_names import distinct_name, shared_names

VERSION_LINE: Final = "% PHN 1.0\n"
GAMES_AT_ONCE: Final = 200
_VERSIONS_AT_ONCE: Final = 2000
_COLUMNS: Final = (
    "hand_id", "hand__game_id", "hand__number", "hand__rival_id", "hand__state", "hand__board",
    "hand__after", "text", "digest",
)  # fmt: skip


class _StoredHand(NamedTuple):
    """The version of a hand that stands."""

    hand: UUID
    game: UUID
    number: int
    rival: UUID | None
    state: str
    board: int | None
    after: str
    text: bytes
    digest: str


class _Sitter(NamedTuple):
    """A sitter of a seat from one hand to another, None: to the end."""

    seat: int
    first: int
    last: int | None
    player: UUID


class _Selection(NamedTuple):
    """The hands that are written, and how much of them: see `write_records`."""

    in_full: bool
    number: int | None
    secret: Container[tuple[UUID, int]]


@dataclass(slots=True)
class _Extras:
    """Decisions and words on the hands of some games, by hand."""

    rulings: dict[UUID, list[Decided]] = field(default_factory=lambda: defaultdict(list))
    words: dict[UUID, list[Word]] = field(default_factory=lambda: defaultdict(list))
    reasons: dict[UUID, list[str]] = field(default_factory=lambda: defaultdict(list))


def write_archive(
    club: Club, games: QuerySet[Game], scope: ArchiveScope | None = None
) -> Iterator[bytes]:
    """The hands of some games as one file, game by game, then what the club knows beside them.

    Without a ``scope`` it is that of the games. Memory does not grow with the hands.
    """
    yield VERSION_LINE.encode()
    gap = b""
    told = scope or ArchiveScope.of(club, games)
    beside = write_club_records(club, _people(club, in_full=True), told)
    for text in chain(write_records(club, games), beside):
        yield gap + text.encode("utf-8", "surrogateescape") + b"\n"
        gap = b"\n"


def write_records(
    club: Club,
    games: QuerySet[Game],
    *,
    in_full: bool = True,
    number: int | None = None,
    secret: Container[tuple[UUID, int]] = (),
) -> Iterator[str]:
    """The records one by one, each without a final line feed; ``number``: of this hand alone.

    Unless ``in_full`` they are for strangers: names as they may see them, no member numbers,
    nothing that people wrote, and no record that is not part of its game. ``secret`` are hands,
    by game and number, that are left out.
    """
    which = _Selection(in_full, number, secret)
    people = _people(club, in_full=in_full)
    ordered = games.select_related("table__round__event", "club").order_by("opened_at", "pk")
    for some in batched(ordered.iterator(GAMES_AT_ONCE)):
        for _hand, text in _write_games(some, people, which):
            yield text


def batched(games: Iterator[Game]) -> Iterator[list[Game]]:
    """The games, so many at once."""
    while some := list(islice(games, GAMES_AT_ONCE)):
        yield some


class CompletedRecords:
    """The records of hands with all that the club knows of them, each as a file of its own.

    They are asked for in the order of their games; those of some games at once are held.
    """

    def __init__(self, club: Club, games: QuerySet[Game], *, in_full: bool) -> None:
        ordered = games.select_related("table__round__event", "club").order_by("opened_at", "pk")
        self._batches = batched(ordered.iterator(GAMES_AT_ONCE))
        self._people = _people(club, in_full=in_full)
        self._which = _Selection(in_full, None, ())
        self._games: frozenset[UUID] = frozenset()
        self._texts: dict[UUID, str] = {}

    def __call__(self, version: HandVersion) -> str:
        """The completed record; what was entered where there is none."""
        while version.hand.game_id not in self._games:
            some = next(self._batches, [])
            if not some:
                break
            self._games = frozenset(game.pk for game in some)
            self._texts = dict(_write_games(some, self._people, self._which))
        text = self._texts.get(version.hand_id)
        return entered_record(version) if text is None else f"{VERSION_LINE}{text}\n"


def _people(club: Club, *, in_full: bool) -> dict[UUID, ListedPerson]:
    """Everybody; a merged duplicate is the survivor. Two queries."""
    shared = shared_names(club, in_full=in_full)
    rows = Player.objects.filter(club=club).select_related("person", "merged_into__person")
    found = {}
    for row in rows:
        survivor = row.merged_into or row
        name = clean_value(distinct_name(survivor, shared, in_full=in_full))
        found[row.pk] = ListedPerson(name, survivor.number, survivor.kind)
    return found


def _write_games(
    games: Sequence[Game], people: Mapping[UUID, ListedPerson], which: _Selection
) -> Iterator[tuple[UUID, str]]:
    """The records of some games by their hands, in their order.

    Seven queries, and one for each jackpot taken.
    """
    if not games:
        return
    keys = [game.pk for game in games]
    sitters: dict[UUID, list[_Sitter]] = defaultdict(list)
    sat = Sitting.objects.filter(game__in=keys).order_by("seat", "first")
    for one in sat:
        sitters[one.game_id].append(_Sitter(one.seat, one.first, one.last, one.player_id))
    in_full = which.in_full
    writers = {
        game.pk: GameWriter(game, sitters[game.pk], people, in_full=in_full) for game in games
    }
    extras = _extras(keys) if in_full else _Extras()
    rows = HandVersion.objects.filter(hand__game__in=keys, number=F("hand__current"))
    if which.number is not None:
        # The hand before it says what everybody had.
        rows = rows.filter(hand__number__in=(which.number - 1, which.number))
    rows = rows.exclude(hand__rival=None, hand__state=State.TAKEN_BACK)
    if not in_full:
        rows = rows.filter(hand__rival=None, hand__number__lte=F("hand__game__hands"))
    # A second record stands after the one that counts, also where it was sent before it.
    is_second = F("hand__rival").asc(nulls_first=True)
    game = ("hand__game__opened_at", "hand__game_id")
    rows = rows.order_by(*game, "hand__number", is_second, "hand__entered_at", "pk")
    for row in rows.values_list(*_COLUMNS).iterator(_VERSIONS_AT_ONCE):
        hand = _StoredHand(*row)
        writer = writers[hand.game]
        is_wanted = which.number in (None, hand.number)
        if is_wanted and (hand.game, hand.number) not in which.secret:
            text = writer.write(hand, extras)
            if text:
                yield hand.hand, text
        writer.remember(hand)


def _extras(games: Sequence[UUID]) -> _Extras:
    """Return decisions and words on the hands of some games. Three queries."""
    extras = _Extras()
    made = Decided.objects.filter(hand__game__in=games).select_related("lets_stand")
    for ruling in made.order_by("hand_id", "number"):
        extras.rulings[ruling.hand_id].append(ruling)
    for word in (
        Word.objects.filter(version__hand__game__in=games).select_related("version").order_by("id")
    ):
        extras.words[word.version.hand_id].append(word)
    reasons = HandVersion.objects.filter(hand__game__in=games).exclude(why="")
    for hand, number, why in reasons.order_by("number").values_list("hand_id", "number", "why"):
        extras.reasons[hand].append(f"Version {number}: {why}")
    return extras


class GameWriter:
    """Writes the records of one game, completed by what the club knows of it."""

    def __init__(
        self,
        game: Game,
        sitters: Sequence[_Sitter],
        people: Mapping[UUID, ListedPerson],
        *,
        in_full: bool,
    ) -> None:
        self._game, self._sitters, self._people = game, sitters, people
        self._in_full = in_full
        self._tags, self._defaults = _tags_of(game, in_full=in_full)
        self._seats = tuple(DEFAULT_SEATS[game.players])
        rules = rules_of(game)
        self._for_chips = plays_for_chips(rules)
        self._rules = rules_tags(rules)
        self._is_imported = is_imported(game.pk)
        self._changes = sorted({sitter.first for sitter in sitters if sitter.first > 1})
        self._known: dict[tuple[int, tuple[str, ...]], tuple[dict[str, str], ClubTable]] = {}
        self._state, self._state_number = game.start, 0
        self._boards: dict[int, str] = {}

    def write(self, hand: _StoredHand, extras: _Extras) -> str:
        """A record, without a final line feed; nothing for strangers of what is no record."""
        text = bytes(hand.text)
        if not self._in_full:
            return self._write_for_strangers(hand, text)
        plain = _read_plain(text)
        if plain is not None:
            seats = _SEATS[plain.values["Seats"]]
            known = self._completion(hand, plain.values["Board"], seats, extras)
            return plain.complete(self._with_rules(known, plain.values.get))
        said = read_hand(text)
        entry = said.entry
        record = entry.record
        if not said.is_one or record is None or record.detail is Detail.GAME:
            return self._write_unreadable(hand, text, extras)
        board = entry.value("Board") or ""
        known = self._completion(hand, board, record.seats, extras)
        return complete_record(entry, self._with_rules(known, entry.value))

    def _with_rules(self, known: Completion, read: Callable[[str], str | None]) -> Completion:
        """The rules of the game, where the record names others or none: it was judged by these."""
        variant, pairs = self._rules["Variant"], self._rules.get("Rules")
        if ((read("Variant") or "").lower(), read("Rules")) == (variant, pairs):
            return known
        return replace(known, tags={**known.tags, "GameRules": pairs or f"{variant}/1"})

    def _write_unreadable(self, hand: _StoredHand, text: bytes, extras: _Extras) -> str:
        """Write an entry in place of a record, in a record that says what the club knows."""
        record = HandRecord(seats=self._seats, rules=rules_of(self._game), number=hand.number)
        entry = build_entry(record)
        known = self._completion(hand, "", self._seats, extras)
        entered = json.dumps(text.decode("utf-8", "surrogateescape"))[1:-1]
        return complete_record(entry, replace(known, tags={**known.tags, "EnteredText": entered}))

    def _write_for_strangers(self, hand: _StoredHand, text: bytes) -> str:
        """A record of the moves and numbers alone, without anything that is free text."""
        record = read_hand(text).entry.record
        if record is None or record.detail is Detail.GAME:
            return ""
        rulings = tuple(replace(row, code="", text="") for row in record.rulings)
        entry = build_entry(replace(record, names=(), rulings=rulings, totals=None))
        return complete_record(entry, self._completion(hand, "", record.seats, _Extras()))

    def _completion(
        self, hand: _StoredHand, board: str, seats: Sequence[str], extras: _Extras
    ) -> Completion:
        """Return the known facts of a hand; ``board`` and ``seats`` are those of its record."""
        seats = tuple(seats) if len(seats) == self._game.players else self._seats
        names, who = self._sitting(hand.number, seats)
        tags = {**self._tags, **names}
        # Hands may be missing in a game that was imported; its records have numbers of their own.
        tags["Board"] = board if self._is_imported and board else str(hand.number)
        if hand.rival is None:
            self._boards[hand.number] = tags["Board"]
        if self._game.boards_alike and hand.board is not None:
            tags["BoardStart"] = str(hand.board)
        if hand.rival is not None:
            tags["Outside"] = "contested" if hand.state == State.DISPUTED else "rejected"
        elif hand.number > self._game.hands:
            tags["Outside"] = "waiting"
        tables = [who] if self._in_full else []
        tables += self._decisions(hand, seats, extras)
        carried = self._carried(hand, seats)
        tables += [carried] if carried is not None else []
        return Completion(
            tags=tags,
            defaults=self._defaults,
            tables=tuple(tables),
            remarks=tuple(extras.reasons.get(hand.hand, ())),
        )

    def _sitting(self, number: int, seats: tuple[str, ...]) -> tuple[dict[str, str], ClubTable]:
        """The names of those who sit at a hand, and the table that says who they are."""
        turn = sum(first <= number for first in self._changes)
        known = self._known.get((turn, seats))
        if known is None:
            names, rows = {}, []
            for sitter in self._sitters:
                if sitter.first <= number and (sitter.last is None or number <= sitter.last):
                    person, seat = self._people[sitter.player], seats[sitter.seat]
                    names[PLAYERS[seat]] = person.name
                    rows.append((seat, str(person.number), person.kind))
            known = names, ClubTable(Tag("SeatTable", "Seat;Id;Kind", rows=tuple(rows)))
            self._known[turn, seats] = known
        return known

    def _decisions(
        self, hand: _StoredHand, seats: tuple[str, ...], extras: _Extras
    ) -> Iterator[ClubTable]:
        """The rulings, and what second seats said of the record that stands."""
        rulings = extras.rulings.get(hand.hand, ())
        numbers = {one.pk: one.number for one in rulings}
        superseded = {one.supersedes_id for one in rulings}
        made: list[Decided] = []
        others: list[Decided] = []
        for ruling in rulings:
            is_over = (
                ruling.pk in superseded or ruling.withdrawn or not is_in_force(ruling, hand.digest)
            )
            (others if is_over else made).append(ruling)
        for name, some in (("DecisionTable", made), ("SupersededTable", others)):
            if some:
                rows = tuple(self._ruling(one, hand, seats, numbers) for one in some)
                yield ClubTable(Tag(name, RULING_COLUMNS, rows=rows))
        ruled_at = find_ruled_at(made)
        said = [
            (
                "-" if word.seat is None else seats[word.seat],
                _says(word, ruled_at),
                _text(word.why),
            )
            for word in words_that_count(
                [
                    one
                    for one in extras.words.get(hand.hand, ())
                    if one.version.digest == hand.digest
                ]
            )
        ]
        if said:
            yield ClubTable(Tag("ConfirmationTable", "Seat;Says;Text", rows=tuple(said)))

    def _ruling(
        self, one: Decided, hand: _StoredHand, seats: Sequence[str], numbers: Mapping[UUID, int]
    ) -> Row:
        """A ruling; ``numbers`` are those of the rulings of its hand."""
        changed, version = NOTHING, NOTHING
        if one.lets_stand is not None:
            changed = self._boards.get(one.lets_stand.number, str(one.lets_stand.number))
            version = NOW if one.of_version == one.lets_stand.current else EARLIER
        superseded = None if one.supersedes_id is None else numbers[one.supersedes_id]
        numbered = [str(number or NOTHING) for number in (one.number, superseded, one.restores)]
        return (
            NOTHING if one.withdrawn else quote(clean_text(format_ruling(one.decision(), seats))),
            NOTHING if one.trick is None else str(one.trick),
            one.card or NOTHING,
            _text(one.law),
            _text(one.facts),
            f"{one.at.astimezone(UTC):{MOMENT}}",
            *numbered,
            NOTHING if one.record == hand.digest else EARLIER,
            changed,
            version,
        )

    def remember(self, hand: _StoredHand) -> None:
        """Note what a hand left to the next one."""
        if hand.rival is None:
            self._state, self._state_number = hand.after, hand.number

    def _carried(self, hand: _StoredHand, seats: tuple[str, ...]) -> ClubTable | None:
        """The chips or points that everybody has before a hand, where the game has come to it."""
        if self._game.boards_alike or hand.rival is not None:
            return None
        if not self._state or self._state_number != hand.number - 1:
            return None
        # Only these amounts are needed; parsing the whole state takes longer than all the rest.
        state = json.loads(self._state)
        amounts = state["chips" if self._for_chips else "totals"]
        rows = [(seat, str(amount)) for seat, amount in zip(seats, amounts, strict=True)]
        if self._for_chips:
            rows.append(("Pot", str(state["pot"])))
        return ClubTable(Tag("CarriedTable", "Seat;Amount", rows=tuple(rows)))


def _read_plain(text: bytes) -> PlainRecord | None:
    """A hand's record in plain order; None for one that has to be read."""
    try:
        plain = PlainRecord.read(text.decode().removeprefix(VERSION_LINE))
    except UnicodeDecodeError:
        return None
    if plain is None or not _SEATS[plain.values.get("Seats", "")]:
        return None
    return None if plain.values.get("Detail") == Detail.GAME else plain


def _known_seats(text: str) -> tuple[str, ...]:
    """The seats that are written; none if one of them is no seat."""
    seats = tuple(text.split(" "))
    return seats if len(set(seats)) == len(seats) and PLAYERS.keys() >= set(seats) else ()


_SEATS: Final = Memo(_known_seats, 256)


def _says(word: Word, ruled_at: datetime | None) -> str:
    if word.agrees:
        return CONFIRMED
    return OBJECTED if ruled_at is None or word.at <= ruled_at else OBJECTED_LATER


def _text(words: str) -> str:
    return quote(clean_text(words)) if words else "-"


def _tags_of(game: Game, *, in_full: bool) -> tuple[dict[str, str], dict[str, str]]:
    """The tags of all records of a game, and those for records that do not say themselves."""
    club, table = game.club, game.table
    opened = game.opened_at
    tags = {"GameId": str(game.pk)}
    site = club.venue or club.name
    if table is not None:
        event = table.round.event
        site = event.venue or site
        tags |= {
            "Event": clean_value(event.name),
            "EventDate": f"{day(event.starts_at, club.time_zone):%Y.%m.%d}",
            "Round": str(table.round.number),
            "Table": str(table.number),
        }
    defaults = {"Site": clean_value(site), "Date": f"{day(opened, club.time_zone):%Y.%m.%d}"}
    if in_full:
        tags["UTCDate"] = f"{opened:%Y.%m.%d}"
        tags["UTCTime"] = f"{opened:%H:%M:%S}"
    if game.name != compose_name(tags):
        tags["GameName"] = clean_value(game.name)
    if game.phase in (Phase.CLOSED, Phase.OFFICIAL):
        tags["GamePhase"] = str(game.phase)
    if game.keeps_jackpot and in_full:
        tags["CarriedPot"] = _carried_pot(game)
    return tags, defaults


def _carried_pot(game: Game) -> str:
    """Return the part of the club's jackpot that a game took over, in chips and in minor units."""
    if not read_state(game.start).pot:
        return "0 0"
    drawn = jackpot_taken_over(game)
    return f"{drawn.chips} {drawn.money}"
