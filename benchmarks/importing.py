"""Archives brought into a club: hands of the benchmark, and what our own export writes.

The first are compared with the database taking in the same rows as ready bytes.
"""

import gc
import hashlib
import io
import re
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from statistics import median
from typing import Any, Final

from django.db import connection, models, transaction
from django.utils import timezone

from benchmarks import club
from benchmarks.figures import Figure, times, verdict
from benchmarks.hands import Table, games, text_of
from benchmarks.ready import database
from benchmarks.server import asked, tell
from engine.core.seats import Seat
from engine.notation.reader import Reader
from scoring.ledger.transfers import Stamp, chip_accounts, open_accounts
from scoring.management.demo import Size, build
from scoring.models import Certainty, Game, Hand, HandVersion, Phase, Sitting
from scoring.models.states import digest, write_state
from scoring.models.transfer import LedgerAccount, Transfer
from scoring.selectors import queries
from scoring.settlement.replay import HandInput, judge_entered
from scoring.settlement.reporting import SeatTenure, build_results
from scoring.submissions.reading import read_hand
from scoring.transfer.exporting.archive import write_archive
from scoring.transfer.importing import AS_WRITTEN, BY_TAGS, ArchiveImport, Options, place_all
from scoring.transfer.importing.games import start_of
from scoring.transfer.importing.people import names_of
from scoring.transfer.importing.report import ImportReport
from tests.scoring.transfer.test_archive_round_trip import set_up_events_of
from tournaments.audit import FIRST_DIGEST, digest_of
from tournaments.core.ids import new_id
from tournaments.database.sql import prefer_indexes
from tournaments.models import AuditEntry, Club, Person, Player, Result, TableGame
from tournaments.publishing import STANDINGS, publish_due

_HANDS: Final = 3072
_COPY: Final = 0.33
_OBJECTS: Final = 5.0
_SEED: Final = 7
_COPIES: Final = (1, 16)
_GOAL: Final = 1.5
_GOAL_OF_EVENTS: Final = 2.5
"""Milliseconds of CPU for a hand of a club's own archive, without events and with them."""
_GOAL_OF_DEMO: Final = 20
"""Seconds of CPU."""
_GAME_ID: Final = re.compile(r'(\[GameId ")([0-9a-f-]{36})"')
_MODELS: Final[Sequence[type[models.Model]]] = (
    Game, Sitting, TableGame, LedgerAccount, Hand, HandVersion, Transfer, Result, AuditEntry,
)  # fmt: skip
_TABLES: Final = (Table("bicycle", 4), Table("hoyle_auction", 4))


def figures(rounds: int) -> Iterator[Figure]:
    """Whole archives, on both databases."""
    rows = [*_rows(rounds), *asked("importing", rounds)]
    columns = ["archive", "database", "hands/s", "of COPY", ">= 0.33 x", "of objects", ">= 5 x"]
    note = (
        "Read, judged, settled, stored: games, hands, versions, transfers, results and the trail, "
        "in one transaction. COPY: the same rows as ready bytes into the same tables, with their "
        "indexes, keys and guards. Objects: every record judged as a hand that is entered is, made "
        "into objects of the same rows, with the same trail, and these stored by bulk_create, a "
        "thousand at a time, into the same tables with their guards. Wall time, medians; each "
        "starts from an empty club and is undone. SQLite has no COPY."
    )
    yield Figure("An archive brought in", columns, rows, note)
    yield from figures_of_exports(rounds)


def figures_of_exports(rounds: int) -> Iterator[Figure]:
    """The archive of the demo club."""
    columns = ["archive", "hands", "games", "CPU ms a hand", "goal", "reached"]
    note = (
        "What a club exports (here the demo club: results without play, hands with every card,"
        " rulings, duplicate boards, money), brought into a new club, a transaction for each"
        f" chunk, on {connection.display_name}; medians. Copies have other identifiers of games,"
        " the same people, and come after one another in one file. Events are set up before, as a"
        " director does; all that the archive tells of them is brought in too."
    )
    with database():
        begun = time.process_time()
        home = Club.objects.get(pk=build(seed=_SEED, name="Season", size=Size.FULL).club)
        while publish_due(clock=timezone.now, scopes=STANDINGS):
            pass
        made = time.process_time() - begun
        rows = list(_own_archive(home, rounds))
    yield Figure("The archive of a club brought in", columns, rows, note)
    row = [f"{made:.1f}", f"<= {_GOAL_OF_DEMO}", verdict(reached=made <= _GOAL_OF_DEMO)]
    note = "A season of twelve nights as `manage.py demo` makes it, its standings published."
    yield Figure("The demo club made", ["CPU s", "goal", "reached"], [row], note)


def _rows(rounds: int) -> list[list[str]]:
    """Whole archives, again and again into a new club, each undone before the next."""
    with database():
        return [_figure(table, rounds) for table in _TABLES]


def _figure(table: Table, rounds: int) -> list[str]:
    text = ("% PHN 1.0\n" + "\n".join(map(text_of, games(table, _HANDS)))).encode()
    spent: dict[str, list[float]] = {"archive": [], "copy": [], "objects": []}
    has_copy = connection.vendor == "postgresql"
    for number in range(rounds + 1):
        gc.collect()
        with _undone():
            seconds = _seconds(partial(_import, text))
            ready = _ready() if has_copy else []
        found = {"archive": seconds}
        if has_copy:
            with _undone():
                found["copy"] = _seconds(partial(_copy, ready))
        with _undone():
            found["objects"] = _seconds(partial(_objects, text))
        if number:
            for name, seconds in found.items():
                spent[name].append(seconds)
    quick = median(spent["archive"])
    of_copy = _ratio(spent["copy"], spent["archive"]) if has_copy else 0.0
    of_objects = _ratio(spent["objects"], spent["archive"])
    return [
        f"{_HANDS} hands, {table}",
        connection.vendor,
        f"{_HANDS / quick:.0f}",
        times(of_copy) if has_copy else "-",
        verdict(reached=of_copy >= _COPY) if has_copy else "-",
        times(of_objects),
        verdict(reached=of_objects >= _OBJECTS),
    ]


def _own_archive(home: Club, rounds: int) -> Iterator[list[str]]:
    """A club's own archive, once and in many copies, and once into events."""
    text = b"".join(write_archive(home, queries.select_games(home)))
    for copies in _COPIES:
        times_ = rounds if copies == 1 else 1
        measured = [_import_export(_copied(text, copies), None) for _ in range(times_)]
        name = "as exported" if copies == 1 else f"{copies} copies"
        yield _export_row(name, measured, _GOAL)
    measured = [_import_export(text, home) for _ in range(rounds)]
    yield _export_row("as exported, into events", measured, _GOAL_OF_EVENTS)


def _export_row(
    name: str, measured: Sequence[tuple[float, ImportReport]], goal: float
) -> list[str]:
    report = measured[0][1]
    spent = median(1000 * seconds / report.hands for seconds, report in measured)
    reached = verdict(reached=spent <= goal)
    return [name, f"{report.hands:,}", f"{report.games:,}", f"{spent:.2f}", f"{goal}", reached]


def _import_export(text: bytes, home: Club | None) -> tuple[float, ImportReport]:
    """Seconds of CPU for an archive, and what came of it; with ``home`` into events like its."""
    there, stamp = _new_club(), Stamp(club.BY, datetime.now(UTC))
    if home is not None:
        set_up_events_of(home, there)
    event = None if home is None else BY_TAGS
    gc.collect()
    begun = time.process_time()
    options = Options(kind=AS_WRITTEN, event=event)
    archive = ArchiveImport(there.pk, io.BytesIO(text), options, stamp)
    more = True
    while more:
        with transaction.atomic():
            more = archive.take()
    if event is not None:
        place_all(archive, event, there.pk, stamp)
    return time.process_time() - begun, archive.report


def _copied(text: bytes, copies: int) -> bytes:
    """The hands of an archive so many times, as other games; the whole archive for one."""
    if copies == 1:
        return text
    head, _, body = text.decode().partition("\n")
    hands = [one for one in body.strip().split("\n\n") if "[ClubRecord " not in one]
    body = "\n\n".join(hands)
    return "\n".join(
        (head, *(_GAME_ID.sub(partial(_other_id, number), body) + "\n" for number in range(copies)))
    ).encode()


def _other_id(copy: int, found: re.Match[str]) -> str:
    other = hashlib.sha256(f"{copy} {found[2]}".encode()).hexdigest()
    return f'{found[1]}{other[:8]}{found[2][8:]}"'


def _ratio(theirs: Sequence[float], mine: Sequence[float]) -> float:
    return median(other / own for other, own in zip(theirs, mine, strict=True))


@contextmanager
def _undone() -> Iterator[None]:
    """A new club, and nothing of it afterwards."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _seconds(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    _check_keys()
    return time.perf_counter() - begun


def _check_keys() -> None:
    """Let the database check now what it would check at the commit."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def _new_club() -> Club:
    return Club.objects.create(name="Archive", created_at=club.NIGHT)


def _import(text: bytes) -> None:
    archive = ArchiveImport(_new_club().pk, io.BytesIO(text), Options(), Stamp(club.BY, club.NIGHT))
    while archive.take():
        pass
    assert archive.report.hands == _HANDS, archive.report
    assert not archive.report.problem_count


def _ready() -> list[tuple[str, bytes]]:
    """What is in the tables now, as COPY gives and takes it: clubs and people first."""
    found = []
    with connection.cursor() as cursor:
        tables: Sequence[type[models.Model]] = (Club, Player, Person, *_MODELS)
        for model in tables:
            table = model._meta.db_table
            with cursor.copy(f"COPY {table} TO STDOUT") as copy:
                found.append((table, b"".join(map(bytes, copy))))
    return found


def _copy(ready: Sequence[tuple[str, bytes]]) -> None:
    prefer_indexes(afresh=True)
    with connection.cursor() as cursor:
        for table, data in ready:
            with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                copy.write(data)


def _objects(text: bytes) -> None:
    """The plain way: a record after the other into objects, and these into the database."""
    prefer_indexes(afresh=True)
    home, stamp = _new_club(), Stamp(club.BY, club.NIGHT)
    rows: dict[type[models.Model], list[Any]] = {model: [] for model in _MODELS}
    people: dict[str, Player] = {}
    now: dict[object, _Going] = {}
    all_of_them: list[_Going] = []
    for entry in Reader(text):
        going = now.get(entry.identity)
        if going is None or entry.required_record.number == 1:
            going = now[entry.identity] = _Going(home, entry, people, rows, stamp)
            all_of_them.append(going)
        going.add(entry.text.encode(), rows, stamp)
    for going in all_of_them:
        going.finish()
    for model in _MODELS:
        if model not in (Game, LedgerAccount):
            model._default_manager.bulk_create(rows[model], batch_size=1000)


class _Going:
    """A game on its way into the database as objects."""

    def __init__(
        self, home: Club, entry: Any, people: dict[str, Player], rows: Any, stamp: Stamp
    ) -> None:
        rules = entry.required_record.rules
        self.rules, self.state = rules, start_of(entry, rules)
        self.game = Game(
            club=home,
            name="Imported",
            rules=rules.to_json(),
            digest=rules.digest,
            confirming="off",
            players=entry.required_record.players,
            start=write_state(self.state),
            opened_at=stamp.at,
            frozen_at=stamp.at,
        )
        self.game.state = self.game.start
        self.sat, self.trail = [], FIRST_DIGEST
        for seat, name in enumerate(
            names_of(entry.required_record.names, entry.required_record.players)
        ):
            if name not in people:
                number = len(people) + 1
                player = Player.objects.create(club=home, number=number, created_at=stamp.at)
                Person.objects.create(player=player, name=name)
                people[name] = player
            self.sat.append(SeatTenure(seat, people[name].pk, 1, None))
            rows[Sitting].append(Sitting(game=self.game, seat=seat, player=people[name]))
        Game.objects.bulk_create([self.game])
        open_accounts(self.game)
        self.accounts = chip_accounts(self.game)
        for seat, chips in enumerate(self.state.chips):
            if chips:
                payee = self.accounts[Seat(seat)]
                self._post(rows, ("BUYIN", self.accounts["bank"], payee, chips), stamp)
        rows[TableGame].append(
            TableGame(
                id=self.game.pk,
                club=home,
                phase="open",
                low=False,
                size=self.game.players,
                opened_at=stamp.at,
            )
        )
        self._note(rows, "game opened", stamp)

    def _post(self, rows: Any, move: tuple[str, Any, Any, int], stamp: Stamp) -> None:
        kind, payer, payee, amount = move
        rows[Transfer].append(
            Transfer(
                game=self.game,
                hand=getattr(self, "hand", None),
                kind=kind,
                payer_id=payer,
                payee_id=payee,
                amount=amount,
                by=stamp.by.label,
                at=stamp.at,
            )
        )

    def _note(self, rows: Any, what: str, stamp: Stamp) -> None:
        entry = AuditEntry(
            chain=self.game.pk,
            number=self.game.hands + 1 + (what != "game opened"),
            club_id=self.game.club_id,
            what=what,
            by=stamp.by.label,
            source=str(stamp.by.source),
            at=stamp.at,
            before=self.trail,
        )
        self.trail = entry.digest = digest_of(entry)
        rows[AuditEntry].append(entry)

    def add(self, text: bytes, rows: Any, stamp: Stamp) -> None:
        """The next hand, judged and made into objects."""
        number = self.game.hands + 1
        played = judge_entered(
            self.rules, self.state, HandInput(number=number, record=read_hand(text))
        )
        self.hand = Hand(
            id=new_id(),
            game=self.game,
            number=number,
            state=played.state,
            certainty=Certainty.PROVISIONAL,
            after=write_state(played.after),
            entered_at=stamp.at,
        )
        rows[Hand].append(self.hand)
        rows[HandVersion].append(
            HandVersion(
                hand=self.hand,
                number=1,
                text=text,
                digest=digest(text),
                by=stamp.by.label,
                source=str(stamp.by.source),
                at=stamp.at,
            )
        )
        for kind, payer, payee, amount in played.postings:
            move = (str(kind), self.accounts[payer], self.accounts[payee], amount)
            self._post(rows, move, stamp)
        rows[Result] += build_results(self.game, [played], self.sat)
        self._note(rows, "hand entered", stamp)
        self.state = played.after
        self.game.hands = self.game.booked = number

    def finish(self) -> None:
        """Write down how the game stands in the end."""
        self.game.state = write_state(self.state)
        self.game.phase = Phase.OPEN if self.state.over is None else Phase.OVER
        self.game.version += self.game.hands
        self.game.save()


if __name__ == "__main__":
    tell(_rows(int(sys.argv[1])))
