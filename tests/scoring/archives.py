"""Archives for tests: nights of games of every system, as a careful club keeps them."""

from collections.abc import Iterable
from io import BytesIO
from itertools import zip_longest

from django.db import transaction

from benchmarks.hands import TABLES, Table, dice, played_out, record_of
from engine.core.seats import Seat
from engine.notation import to_document, write_record
from engine.record.game_state import GameState, beginning
from scoring.ledger.transfers import Stamp
from scoring.transfer.importing import ArchiveImport, Options
from scoring.transfer.importing.report import ImportReport
from tests.scoring.club import DIRECTOR, at
from tournaments.models import Club

VERSION = "% PHN 1.0\n"


def game(table: Table, seed: int, hands: int = 6, name: str = "1") -> list[str]:
    """The records of one game."""
    luck = dice(f"{table} {seed}")
    state: GameState = beginning(table.rules, table.players, Seat(seed % table.players))
    found: list[str] = []
    tags = {"Event": "Club night", "Date": "2019.03.14", "Round": "1", "Table": name}
    while state.over is None and len(found) < hands:
        hand = played_out(table.rules, state, luck)
        record = record_of(hand, state.hands + 1)
        found.append(write_record(to_document(record, tags)))
        state = hand.settle().after
    return found


def night(games: int = len(TABLES), hands: int = 6) -> list[list[str]]:
    """Games at every table in turn."""
    return [
        game(TABLES[number % len(TABLES)], number, hands, str(number)) for number in range(games)
    ]


def in_turn(games: list[list[str]]) -> list[str]:
    """As several tables write into one file."""
    return [text for round_ in zip_longest(*games) for text in round_ if text]


def file(records: Iterable[str]) -> bytes:
    return (VERSION + "\n".join(records)).encode()


def bring(
    club: Club, text: bytes, chunk: int = 1024, minutes: int = 0, **options: object
) -> ImportReport:
    """Import a whole archive, each chunk in its own transaction."""
    stamp = Stamp(DIRECTOR, at(minutes))
    archive = ArchiveImport(club.pk, BytesIO(text), Options(**options), stamp)  # type: ignore[arg-type]
    while True:
        with transaction.atomic():
            if not archive.take(chunk):
                return archive.report
