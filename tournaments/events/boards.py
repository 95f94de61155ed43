"""Boards: the prepared deals of an event, and what every table made of each."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from hashlib import sha256
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Q

from engine.core.messages import Message
from engine.core.seats import Seat
from engine.notation.reader import Reader
from engine.rules.rules import Rules
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.deals import board_key, deal_board, split_deal, write_deal
from tournaments.core.errors import RefusedError
from tournaments.events.deal_secrets import ensure_secret
from tournaments.events.events import check_running, lock, touch
from tournaments.events.round_rules import rule_set_of_round, rule_sets_by_round
from tournaments.events.rounds import boards_in, round_of_board
from tournaments.models import Board, Event, Result, Stage, TableSeat
from tournaments.people.rule_sets import rules_of
from tournaments.publishing.deals import find_table_deals, find_verdicts, fits
from tournaments.standings.boards import datum_differences, matchpoints
from tournaments.standings.exact import Exact

Seated = dict[tuple[UUID | None, int], UUID]
FROM_KEY: Final = "key"
FROM_RECORDS: Final = "records"
FROM_TABLE: Final = "table"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preparation:
    """The source of the deals: the event's secret, or what is named, of all rounds or of one.

    ``records`` is a file of PHN or PBN; ``table`` the number of a table that deals by itself, and
    whose full records tell the deals once they are there.
    """

    records: str = ""
    table: int | None = None
    round: int | None = None


@transaction.atomic
def prepare_boards(
    *, event_id: UUID, preparation: Preparation, by: Actor, at: datetime
) -> list[Board]:
    """Fix the deals of all boards of an event; those that were played with stay as they are.

    Raises RefusedError: no duplicate event, tables of several sizes, no such round or table, too
    few deals in the file, one that is no deal for these rules.
    """
    event = lock(event_id)
    check_running(event)
    size = _size(event)
    played = set(
        Result.objects.filter(game__event=event, board__isnull=False).values_list(
            "board", flat=True
        )
    )
    numbers = [n for n in _numbers(event, preparation.round) if n not in played]
    source = _source(event, preparation)
    if source == FROM_KEY:
        rows = _dealt_boards(event, size, numbers)
    else:
        deals = _deals(event, size, numbers, preparation)
        rows = [
            Board(
                event=event,
                number=number,
                deal=deal,
                source=source,
                source_table=preparation.table,
            )
            for number, deal in zip(numbers, deals, strict=True)
        ]
    Board.objects.filter(event=event, number__in=numbers).delete()
    Board.objects.bulk_create(rows)
    details = {"boards": len(rows), "source": source, "table": preparation.table}
    if source == FROM_KEY:
        details["commitments"] = _digest_commitments(rows)
    touch(event, AuditRecord(Message("boards prepared"), details=details), by, at)
    return rows


def _dealt_boards(event: Event, size: int, numbers: Sequence[int]) -> list[Board]:
    secret, rules = ensure_secret(event), _rules_by_round(event)
    keys = [board_key(secret, number) for number in numbers]
    return [
        Board(
            event=event,
            number=number,
            deal=deal_board(rules[round_of_board(event, number)], size, key),
            source=FROM_KEY,
            key=key.hex(),
        )
        for number, key in zip(numbers, keys, strict=True)
    ]


def _rules_by_round(event: Event) -> dict[int, Rules]:
    return {number: rules_of(row) for number, row in rule_sets_by_round(event).items()}


def deal_anew(event: Event, boards: Iterable[Board]) -> None:
    """Give boards that nobody has played deals from the event's secret."""
    secret, rows = ensure_secret(event), list(boards)
    for row in rows:
        key = board_key(secret, row.number)
        rules = rules_of(rule_set_of_round(event, round_of_board(event, row.number)))
        row.deal = deal_board(rules, len(split_deal(row.deal)), key)
        row.key, row.source = key.hex(), FROM_KEY
    Board.objects.bulk_update(rows, ["deal", "key", "source"])


def _digest_commitments(rows: Sequence[Board]) -> str:
    """SHA-256 of a line ``<number> <commitment>`` for each board: fixed in the trail by this."""
    lines = "".join(f"{row.number} {row.commitment}\n" for row in rows)
    return sha256(lines.encode()).hexdigest()


def is_dealt_from_key(board: Board) -> bool:
    """Whether the deal of a board is the one that its key makes by the rules of its round."""
    players = len(split_deal(board.deal))
    key = bytes.fromhex(board.key)
    row = rule_set_of_round(board.event, round_of_board(board.event, board.number))
    return deal_board(rules_of(row), players, key) == board.deal


def _size(event: Event) -> int:
    if not event.duplicate:
        raise RefusedError(Message("This event has no prepared deals."), "duplicate")
    if len(event.sizes) != 1:
        raise RefusedError(Message("Prepared deals need tables of one size."), "sizes")
    size: int = event.sizes[0]
    return size


def _numbers(event: Event, only: int | None) -> Sequence[int]:
    """The boards of an event, or of one of its rounds."""
    if only is None:
        return range(1, event.rounds * event.hands + 1)
    if not 1 <= only <= event.rounds:
        raise RefusedError(Message("There is no round {number}.", number=only), "round")
    return boards_in(event, only)


def _source(event: Event, preparation: Preparation) -> str:
    if preparation.table is None:
        return FROM_RECORDS if preparation.records else FROM_KEY
    if preparation.records:
        raise RefusedError(Message("The deals come from a file or from a table."), "table")
    begun = event.round_rows.exclude(stage=Stage.DRAWN)
    if preparation.round is not None:
        begun = begun.filter(number=preparation.round)
    for row in begun.order_by("number"):
        if not row.tables.filter(number=preparation.table).exists():
            words = Message(
                "There is no table {table} in round {number}.",
                table=preparation.table,
                number=row.number,
            )
            raise RefusedError(words, "table")
    return FROM_TABLE


def _deals(event: Event, size: int, numbers: Sequence[int], wanted: Preparation) -> list[str]:
    records = wanted.records
    if wanted.table is not None:
        return [""] * len(numbers)
    rules = _rules_by_round(event)
    deals = list(_read_deals(records, size))
    if len(deals) < len(numbers):
        words = Message(
            "{needed} deals are needed; the file has {found}.",
            needed=len(numbers),
            found=len(deals),
        )
        raise RefusedError(words, "records")
    for place, (number, deal) in enumerate(zip(numbers, deals, strict=False)):
        pack = rules[round_of_board(event, number)].pack(size)
        if sum(held.bit_count() for held in deal.held) != deal.cards or deal.all & ~pack:
            raise RefusedError(
                Message("Deal {number} has cards that these rules leave out.", number=place + 1),
                "records",
            )
    return [deal.text for deal in deals[: len(numbers)]]


@dataclass(frozen=True, slots=True)
class _Read:
    text: str
    held: tuple[int, ...]

    @property
    def all(self) -> int:
        """Every card of the deal."""
        cards = 0
        for held in self.held:
            cards |= held
        return cards

    @property
    def cards(self) -> int:
        """Count the different cards."""
        return self.all.bit_count()


def _read_deals(records: str, size: int) -> Iterator[_Read]:
    """The deals of a file, those that are whole and for so many players."""
    for entry in Reader(records):
        record = entry.record
        held = None if record is None else record.deal
        if record is not None and held is not None and len(held) == size and all(held):
            dealer = Seat(0) if record.dealer is None else record.dealer
            yield _Read(write_deal(held, dealer), tuple(held))


def with_deals(rows: Iterable[Board]) -> list[Board]:
    """Boards of one event, in their order, with the deals that tables tell. At most two queries."""
    found = list(rows)
    if any(board.source_table is not None for board in found):
        table_deals = find_table_deals(found[0].event_id)
        for board in found:
            board.deal = table_deals.get(board.number, board.deal)
    return found


@dataclass(frozen=True, slots=True)
class BoardLine:
    """A table's result of a board in one seat, counted from the eldest hand.

    ``taken``, ``bid``, ``pain`` (a suit letter) and ``namer`` (the entry who named it) are None or
    empty where the record does not tell them; ``worth`` of the cards is in thousandths, and known
    where all are. ``fits`` False: it was played with other cards, and
    is compared with nobody.
    """

    table: int
    round: int
    game: UUID
    number: int
    entry: UUID
    score: int
    fits: bool | None
    taken: int | None = None
    bid: int | None = None
    pain: str = ""
    namer: UUID | None = None
    worth: int | None = None
    points: int | None = None
    top: int = 0
    datum: Exact | None = None


@dataclass(frozen=True, slots=True)
class Traveller:
    """Everything that was made of a board: by seat the lines, best first, and how often which."""

    board: Board
    seats: dict[int, list[BoardLine]] = field(default_factory=dict)

    def frequencies(self, seat: int) -> list[tuple[int, int]]:
        """Scores with how many tables had them, best first."""
        lines = [line for line in self.seats.get(seat, ()) if line.points is not None]
        counts = Counter(line.score for line in lines)
        return [(score, counts[score]) for score in dict.fromkeys(line.score for line in lines)]

    @property
    def hands(self) -> set[tuple[UUID, int]]:
        """The hands with which tables played the board, by game and number."""
        return {(line.game, line.number) for lines in self.seats.values() for line in lines}

    @property
    def mean(self) -> Fraction:
        """The mean score of all seats."""
        scores = [
            line.score for lines in self.seats.values() for line in lines if line.points is not None
        ]
        return Fraction(sum(scores), len(scores)) if scores else Fraction(0)


def traveller(board: Board) -> Traveller:
    """Return all tables' results of a board. Three queries, two more where a table tells the deal.

    A hand with other cards stands where the director decided (DEC-15).
    """
    verdicts = find_verdicts(board.event_id)
    own = Q(board=board.number)
    for (game, number), verdict in verdicts.items():
        if verdict.other_board == board.number:
            own |= Q(game=game, number=number)
    rows = Result.objects.filter(own, game__event=board.event_id, board__isnull=False)
    rows = rows.select_related("game__table__round")
    table_deals = find_table_deals(board.event_id) if board.source_table is not None else {}
    found = []
    for row in rows:
        if table_deals:
            row.fits = fits(table_deals, row.board, row.dealt)
        held = verdicts.get((row.game_id, row.number)) if row.fits is False else None
        if held is not None:
            assert row.board is not None
            place = held.place(row.board, row.to_dealer, row.game.size)
            if place is not None:
                row.board, row.to_dealer = place
                row.fits = None
        if row.board == board.number:
            found.append(row)
    tables = {row.game.table_id for row in found}
    seats = TableSeat.objects.filter(table__in=tables).values_list("table_id", "seat", "entry_id")
    entries: Seated = {(table, seat): entry for table, seat, entry in seats}
    made = Traveller(board)
    by_seat: dict[int, list[Result]] = defaultdict(list)
    for row in found:
        if (row.game.table_id, row.seat) in entries:
            by_seat[row.to_dealer].append(row)
    for seat, results in sorted(by_seat.items()):
        made.seats[seat] = _compare_results(results, entries)
    return made


def _compare_results(results: Sequence[Result], entries: Seated) -> list[BoardLine]:
    fair = [row for row in results if row.fits is not False]
    scores = [-row.score if row.game.low else row.score for row in fair]
    points = dict(zip((row.pk for row in fair), matchpoints(scores), strict=True))
    datums = dict(zip((row.pk for row in fair), datum_differences(scores), strict=True))
    lines = []
    for row in results:
        table = row.game.table
        assert table is not None
        namer = None if row.from_namer is None else (row.seat - row.from_namer) % row.game.size
        lines.append(
            BoardLine(
                table=table.number,
                round=table.round.number,
                game=row.game_id,
                number=row.number,
                entry=entries[row.game.table_id, row.seat],
                score=row.score,
                fits=row.fits,
                taken=row.taken,
                bid=row.bid,
                pain=row.pain,
                namer=None if namer is None else entries.get((row.game.table_id, namer)),
                worth=row.worth,
                points=points.get(row.pk),
                top=2 * (len(fair) - 1),
                datum=datums.get(row.pk),
            )
        )
    return sorted(lines, key=lambda line: (line.points is None, -(line.points or 0), line.table))
