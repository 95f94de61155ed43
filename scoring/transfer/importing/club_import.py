"""Bring in what an archive tells beside its hands: of events, leagues and the books (DEC-21).

`prepare` comes before the games are put into events: boards and entries, with the numbers that they
had. `finish` comes after: what hangs on rounds and games, then leagues and payments. Both find what
is there already, so the same archive again changes nothing.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final
from uuid import UUID

import structlog
from django.db import IntegrityError, models, transaction

from engine.core.messages import Message, join_items, message_of
from scoring.games.fees import bring_fee
from scoring.games.money import bring_booking
from scoring.ledger import transfers
from scoring.ledger.transfers import BookAccount, BookEntry, Move, Stamp
from scoring.models import EntryKind, Game, Holder
from scoring.selectors import queries
from scoring.transfer.importing.club_records import (
    COUNTED_OF_LEAGUES,
    ClubRecord,
    ClubRecords,
    EventKey,
    Row,
    cell,
    event_settings,
    find_number,
    league_settings,
    number_in,
    read_moment,
)
from scoring.transfer.importing.events import Evenings, GameOrigin, Seatings
from scoring.transfer.importing.people import People
from scoring.transfer.importing.report import ImportReport, Problem
from tournaments import invalidation
from tournaments.audit import AuditRecord
from tournaments.core.deals import split_deal
from tournaments.core.errors import RefusedError
from tournaments.events import adjustments, decisions, leagues, recorded_results
from tournaments.events.board_decisions import NewBoardDecision, decide_board
from tournaments.events.decisions import NewDecision
from tournaments.events.events import check_running, lock_with_club, touch
from tournaments.events.recorded_results import NewResult
from tournaments.imports import ImportLog
from tournaments.models import (
    Adjustment,
    Board,
    BoardDecision,
    BoardVerdict,
    Club,
    Entry,
    EntryStanding,
    Event,
    League,
    LeagueEvent,
    LeagueMember,
    Player,
    Presence,
    RecordedResult,
    Result,
    Round,
    SeatDecision,
    SitOut,
    TableGame,
)
from tournaments.models.limits import max_length
from tournaments.standings.settings import exact

_ARCHIVE: Final = "archive"
log = structlog.get_logger(__name__)
_SETTLING: Final = (EntryKind.RECEIVED, EntryKind.PAID_OUT)
"""Payments of an event in any currency, also by players who were not entered."""
_OF_ENTRIES: Final = (EntryKind.ENTRY_FEE, EntryKind.FEE_PAID, EntryKind.PRIZE)
_SEASON: Final = "season."


@dataclass(slots=True)
class ClubFactsImport:
    """Brings in the records of a club that came with an archive.

    ``games`` are those of the archive; records refer to them by their GameId.
    """

    club: Club
    records: ClubRecords
    games: Mapping[UUID, GameOrigin]
    people: People
    evenings: Evenings
    report: ImportReport
    stamp: Stamp
    log: ImportLog | None = None
    _payments: Counter[tuple[object, ...]] | None = None
    _leagues: list[League] = field(default_factory=list)
    _players: dict[UUID, Player] = field(default_factory=dict)

    def find_events(self) -> Iterator[tuple[EventKey, ClubRecord, Event]]:
        """The events of which something is told, as far as they are here; others are problems."""
        told = dict.fromkeys([*self.records.events, *self.records.deals])
        if self.evenings.wanted is not None and len(told) > 1:
            words = Message(
                "The archive tells of {count} events, which cannot all be this one;"
                " what it says beside the hands was left out.",
                count=len(told),
            )
            self._problem(next(iter(self.records.events.values()), ClubRecord()), words)
            return
        for key in told:
            record = self.records.events.get(key, ClubRecord(key[0]))
            try:
                yield key, record, self.evenings.find_named(*key)
            except RefusedError as error:
                contents = record.describe_contents()
                if contents:
                    words = Message(
                        "{words} Left out with it: {contents}.",
                        words=error.message,
                        contents=contents,
                    )
                    self._problem(record, words)

    @transaction.atomic
    def prepare(self) -> None:
        """Bring in people, boards and entries, before the games have their places."""
        Club.objects.select_for_update(no_key=True).get(pk=self.club.pk)
        self._meet_people()
        for key, record, found in self.find_events():
            event = lock_with_club(found.pk)
            with self._attempt(record):
                self._bring_boards(event, record, key)
            if event.is_results_only:
                continue  # Whoever has a result is entered with it.
            self._bring_entries(event, record)

    def find_seatings(self) -> Seatings:
        """Return the owners of seats in which others sat down first, by event, round and table."""
        found: Seatings = {}
        self._meet_people()
        for _key, record, event in self._find_known_events():
            numbers = {
                cell(row, "Entry"): find_number(row, "Id") for row in record.rows("EntryTable")
            }
            for row in record.rows("SeatingTable"):
                names = ("Round", "Table", "Seat")
                with self._attempt(record):
                    place, table, seat = (number_in(row, name) or 0 for name in names)
                    player = self._player(record, numbers.get(cell(row, "Entry")))
                    found.setdefault((event.pk, place, table), {})[seat - 1] = player.pk
        return found

    def _find_known_events(self) -> list[tuple[EventKey, ClubRecord, Event]]:
        """Return the events that are here, without reporting the others once more."""
        report, self.report = self.report, ImportReport()
        events = list(self.find_events())
        self.report = report
        return events

    @transaction.atomic
    def finish(self) -> None:
        """Bring in the rest, once the games have their places."""
        Club.objects.select_for_update(no_key=True).get(pk=self.club.pk)
        self._meet_people()
        self._bring_leagues()
        for _key, record, event in self._find_known_events():
            self._finish_event(record, lock_with_club(event.pk))
        for record in self.records.all_records():
            for row in record.rows("RollTable"):
                with self._attempt(record):
                    self._bring_member(record, row)
        books = self.records.books
        for row in books.rows("PaymentTable"):
            with self._attempt(books):
                self._bring_payment(books, row, None)
        if self.log is not None:
            begun = League.objects.filter(pk__in=[league.pk for league in self._leagues])
            self.log.note_later_changes(begun)

    def _meet_people(self) -> None:
        """Find out who is who; the new ones are noted."""
        self.people.look_up(self.records.people())

    def _player(self, record: ClubRecord, number: int | None) -> Player:
        """The player whom a record names by a number, or who they turned out to be."""
        person = None if number is None else record.people.get(number)
        if person is None:
            words = Message(
                "The PersonTable names nobody with the number {number}.", number=number or "?"
            )
            raise RefusedError(words)
        if doubt := self.people.find_doubt([person]):
            raise RefusedError(doubt)
        pk = self.people.player(person, self.stamp)
        if self.log is not None:
            self.log.note_new(*self.people.added)
        self.people.added.clear()
        if pk not in self._players:
            player = Player.objects.select_related("merged_into").get(pk=pk)
            self._players[pk] = player.merged_into or player
        return self._players[pk]

    def _bring_boards(self, event: Event, record: ClubRecord, key: EventKey) -> None:
        wanted = {
            number: Board(event=event, number=number, deal=self._most_played(record, number, held))
            for number, held in self.records.deals.get(key, {}).items()
        }
        for board in wanted.values():
            board.source = _ARCHIVE
        for row in record.rows("BoardTable"):
            number = number_in(row, "Board") or 0
            wanted[number] = Board(
                event=event,
                number=number,
                deal=cell(row, "Deal"),
                source=cell(row, "Source")[: max_length(Board, "source")] or _ARCHIVE,
                source_table=number_in(row, "Table"),
                key=cell(row, "Key"),
            )
        known = {board.number: board for board in Board.objects.filter(event=event)}
        new = [one for one in wanted.values() if not _is_same_board(one, known.get(one.number))]
        if not new:
            return
        if not event.duplicate:
            words = Message("This event has no prepared deals here; those were left out.")
            raise RefusedError(words)
        check_running(event)
        results = Result.objects.filter(game__event=event, board__isnull=False)
        played = set(results.values_list("board", flat=True))
        for board in new:
            there = known.get(board.number)
            if board.number in played or not _is_deal(board.deal, event):
                words = Message(
                    "Board {number} of {event} was left out: another deal was played here, or its"
                    " deal is none.",
                    number=board.number,
                    event=event.name,
                )
                self._problem(record, words)
            elif there is None:
                board.save(force_insert=True)
                self._note_new(board)
            else:
                names = ("deal", "source", "source_table", "key")
                before = {name: getattr(there, name) for name in names}
                for name in names:
                    setattr(there, name, getattr(board, name))
                there.save(update_fields=names)
                if self.log is not None:
                    self.log.note_change(there, before)
        details = {"boards": len(new), "source": _ARCHIVE, "table": None}
        action = AuditRecord(Message("boards prepared"), details=details)
        touch(event, action, self.stamp.by, self.stamp.at)

    def _most_played(self, record: ClubRecord, number: int, held: Counter[str]) -> str:
        """The deal with which most tables played a board; empty where no record tells it."""
        if len(held) > 1:
            words = Message(
                "Board {number} was played with {count} different deals; that of most tables"
                " counts as the board's.",
                number=number,
                count=len(held),
            )
            self._problem(record, words, stored=True)
        return max(held, key=lambda deal: held[deal], default="")

    def _bring_entries(self, event: Event, record: ClubRecord) -> None:
        numbers = dict(event.entries.values_list("player_id", "number"))
        known = len(numbers)
        for row in record.rows("EntryTable"):
            with self._attempt(record):
                self._bring_entry(event, record, row, numbers)
        if len(numbers) > known:
            invalidation.mark_event(event.pk, self.stamp.at)

    def _bring_entry(
        self, event: Event, record: ClubRecord, row: Row, numbers: dict[UUID, int]
    ) -> None:
        """Enter a player; ``numbers`` are those of the entries that there are, by player."""
        player = self._player(record, number_in(row, "Id"))
        if player.pk in numbers:
            return
        check_running(event)
        number = number_in(row, "Entry")
        if number is None or number in numbers.values():
            number = max(numbers.values(), default=0) + 1
        standing, presence = cell(row, "Standing"), cell(row, "Presence")
        entry = Entry(
            event=event,
            number=number,
            player=player,
            standing=_choice(standing, EntryStanding),
            presence=_choice(presence, Presence),
            first=number_in(row, "First") or 1,
            last=number_in(row, "Last"),
            team=cell(row, "Team")[: max_length(Entry, "team")],
            handicap=_amount(cell(row, "Handicap")),
            lot=cell(row, "Lot")[: max_length(Entry, "lot")],
            entered_at=self.stamp.at,
        )
        entry.save(force_insert=True)
        numbers[player.pk] = number
        self._note_new(entry)

    def _finish_event(self, record: ClubRecord, event: Event) -> None:
        before = event.status
        told = {cell(row, "Setting"): cell(row, "Value") for row in record.rows("SettingTable")}
        self._compare(record, event.name, told, event_settings(event))
        steps: list[tuple[str, Callable[[Event, Row, Entry], None]]] = [
            ("SitOutTable", self._bring_sit_out),
            ("AdjustmentTable", self._bring_adjustment),
            ("SeatDecisionTable", self._bring_decision),
        ]
        if record.rows("ResultTable"):
            with self._attempt(record):
                self._bring_results(event, record)
        known = {entry.player_id: entry for entry in event.entries.all()}
        entries = {
            cell(row, "Entry"): known[player.pk]
            for row in record.rows("EntryTable")
            if find_number(row, "Id") in record.people
            and (player := self._player(record, number_in(row, "Id"))).pk in known
        }
        for table, bring in steps:
            for row in record.rows(table):
                with self._attempt(record):
                    bring(event, row, _entry(entries, row))
        for row in record.rows("BoardDecisionTable"):
            with self._attempt(record):
                self._bring_board_decision(event, row)
        for row in record.rows("SessionTable"):
            with self._attempt(record):
                self._bring_session(event, row)
        for row in record.rows("PaymentTable"):
            with self._attempt(record):
                self._bring_payment(record, row, event)
        if self.log is not None:
            event.refresh_from_db()
            if record.rows("ResultTable") and event.status != before:
                self.log.note_change(event, {"status": before})
            self.log.note_later_changes([event, *event.entries.all()])

    def _bring_sit_out(self, event: Event, row: Row, entry: Entry) -> None:
        number = number_in(row, "Round") or 0
        round_row = Round.objects.filter(event=event, number=number).first()
        if round_row is None:
            raise RefusedError(Message("There is no round {round}.", round=cell(row, "Round")))
        if not SitOut.objects.filter(round=round_row, entry=entry).exists():
            check_running(event)
            self._note_new(SitOut.objects.create(round=round_row, entry=entry))
            invalidation.mark_event(event.pk, self.stamp.at)

    def _bring_adjustment(self, event: Event, row: Row, entry: Entry) -> None:
        reason = cell(row, "Text")[: max_length(Adjustment, "reason")] or _ARCHIVE
        given: dict[str, Any] = {
            "reason": reason,
            "round": number_in(row, "Round"),
            "affects_place": cell(row, "Place") == "place",
        }
        held = Adjustment.objects.filter(
            entry=entry, amount=_amount(cell(row, "Amount")), cancelled_at=None, **given
        )
        if not held.exists():
            row_there = adjustments.adjust_score(
                event_id=event.pk,
                entry=entry.pk,
                amount=cell(row, "Amount"),
                by=self.stamp.by,
                at=self.stamp.at,
                **given,
            )
            self._note_new(row_there)

    def _bring_decision(self, event: Event, row: Row, entry: Entry) -> None:
        game = self._game(event, row)
        assert game.table is not None
        round_number = game.table.round.number
        kind, amount = cell(row, "Kind"), _amount(cell(row, "Amount"))
        hands = number_in(row, "Hands")
        held = SeatDecision.objects.filter(game=game, entry=entry, cancelled_at=None).first()
        if held is not None and (held.kind, held.hands, held.amount) == (kind, hands, amount):
            return
        new = NewDecision(
            kind=kind,
            round=round_number,
            reason=cell(row, "Text")[: max_length(SeatDecision, "reason")] or _ARCHIVE,
            entry=entry.pk,
            game=game.pk,
            hands=hands,
            amount=amount,
        )
        made = decisions.decide_seats(
            event_id=event.pk, new=new, by=self.stamp.by, at=self.stamp.at
        )
        self._note_new(*made)

    def _game(self, event: Event, row: Row) -> TableGame:
        """The game of which a row tells. Raises RefusedError."""
        tag = cell(row, "Game")
        numbers = [number for number, one in self.games.items() if tag and one.tag == tag]
        rows = TableGame.objects.filter(pk__in=numbers, event=event, table__isnull=False)
        found = rows.select_related("table__round").first()
        if found is None:
            raise RefusedError(Message("Its game is not part of this event."), "game")
        return found

    def _bring_board_decision(self, event: Event, row: Row) -> None:
        game, number = self._game(event, row), number_in(row, "Hand") or 0
        verdict = _choice(cell(row, "Verdict"), BoardVerdict)
        other, turn = number_in(row, "Board"), number_in(row, "Turn") or 0
        held = BoardDecision.objects.filter(game=game, number=number, cancelled_at=None).first()
        brought = (verdict, other, turn)
        if held is not None and (held.verdict, held.other_board, held.turn) == brought:
            return
        new = NewBoardDecision(
            game=game.pk,
            number=number,
            verdict=BoardVerdict(verdict),
            other_board=other,
            turn=turn,
            reason=cell(row, "Text")[: max_length(BoardDecision, "reason")],
        )
        made = decide_board(event_id=event.pk, new=new, by=self.stamp.by, at=self.stamp.at)
        self._note_new(made)

    def _bring_results(self, event: Event, record: ClubRecord) -> None:
        known = set(RecordedResult.objects.filter(entry__event=event).values_list("pk", flat=True))
        entered = set(event.entries.values_list("pk", flat=True))
        written = {cell(row, "Entry"): row for row in record.rows("EntryTable")}
        results, rows = [], []
        for row in record.rows("ResultTable"):
            entry = written.get(cell(row, "Entry"), row)
            rows.append(entry)
            result = NewResult(
                player=self._player(record, number_in(entry, "Id")).pk,
                points=cell(row, "Points"),
                place=number_in(row, "Place"),
                games=number_in(row, "Games") or 0,
                standing=_choice(cell(entry, "Standing"), EntryStanding),
            )
            results.append(result)
        recorded_results.record_results(
            event_id=event.pk, results=results, version=None, by=self.stamp.by, at=self.stamp.at
        )
        lots = {result.player: cell(row, "Lot") for result, row in zip(results, rows, strict=True)}
        new = event.entries.exclude(pk__in=entered)
        for entered_now in new:
            entered_now.lot = lots.get(entered_now.player_id, "")[: max_length(Entry, "lot")]
        Entry.objects.bulk_update(new, ["lot"])
        self._note_new(*new)
        made = RecordedResult.objects.filter(entry__event=event).exclude(pk__in=known)
        self._note_new(*made)

    def _bring_session(self, event: Event, row: Row) -> None:
        league = self._league(cell(row, "League"))
        weight, division = cell(row, "Weight") or "1", number_in(row, "Division")
        known = LeagueEvent.objects.filter(league=league, event=event).first()
        if known is not None:
            if exact(known.weight) != exact(weight) or known.division != division:
                words = Message(
                    "{event} has the weight {here} in {league}, and {there} in the archive.",
                    event=event.name,
                    league=league.name,
                    here=known.weight,
                    there=weight,
                )
                raise RefusedError(words)
            return
        number = number_in(row, "Session")
        if number and LeagueEvent.objects.filter(league=league, number=number).exists():
            number = None
        made = leagues.add_session(
            league_id=league.pk,
            event=event.pk,
            number=number,
            weight=weight,
            division=division,
            by=self.stamp.by,
            at=self.stamp.at,
        )
        self._note_new(made)

    def _bring_leagues(self) -> None:
        """Begin the leagues that are not here; of others say what is counted otherwise here."""
        told: dict[str, dict[str, str]] = {}
        for record in self.records.all_records():
            for row in record.rows("LeagueTable"):
                name, setting = cell(row, "League"), cell(row, "Setting")
                told.setdefault(name, {})[setting] = cell(row, "Value")
        for name, settings in told.items():
            league = League.objects.filter(club=self.club, name=name).first()
            books = self.records.books
            with self._attempt(books):
                if league is None:
                    self._begin_league(name, settings)
                else:
                    self._compare(books, name, settings, league_settings(league))

    def _begin_league(self, name: str, settings: Mapping[str, str]) -> None:
        values = {key: json.loads(value) for key, value in settings.items()}
        season = {
            key.removeprefix(_SEASON): value
            for key, value in values.items()
            if key.startswith(_SEASON)
        }
        new: dict[str, Any] = {"name": name, "season": season}
        new |= {key: values[key] for key in COUNTED_OF_LEAGUES if key in values}
        made = leagues.create_league(
            club_id=self.club.pk, new=new, by=self.stamp.by, at=self.stamp.at
        )
        self._leagues.append(made)
        self._note_new(made)

    def _compare(
        self, record: ClubRecord, name: str, told: Mapping[str, str], here: Mapping[str, str]
    ) -> None:
        """Say in what an event or a league is counted otherwise here than in the archive."""
        differing = [key for key in sorted({*told, *here}) if told.get(key) != here.get(key)]
        if told and differing:
            words = Message(
                "{name} is counted otherwise here than in the archive: {settings}.",
                name=name,
                settings=join_items(differing),
            )
            self._problem(record, words, stored=True)

    def _league(self, name: str) -> League:
        leagues = list(League.objects.filter(club=self.club, name=name))
        if len(leagues) != 1:
            words = Message("There is no league {name}, or more than one.", name=repr(name))
            raise RefusedError(words, "league")
        return leagues[0]

    def _bring_member(self, record: ClubRecord, row: Row) -> None:
        league = self._league(cell(row, "League"))
        player = self._player(record, number_in(row, "Id"))
        brought: dict[str, Any] = {
            "division": number_in(row, "Division") or 1,
            "opening": _amount(cell(row, "Opening")),
            "opening_events": number_in(row, "Events") or 0,
            "handicap": _amount(cell(row, "Handicap")),
        }
        known = LeagueMember.objects.filter(league=league, player=player).first()
        if known is not None:
            if brought != {key: getattr(known, key) for key in brought}:
                words = Message(
                    "{name} is on the roll of {league} with other values than in the archive;"
                    " they stay.",
                    name=record.people[number_in(row, "Id") or 0].name,
                    league=league.name,
                )
                raise RefusedError(words)
            return
        joined = min(read_moment(cell(row, "Joined")) or self.stamp.at, self.stamp.at)
        member = leagues.enrol(
            league_id=league.pk,
            player=player.pk,
            by=self.stamp.by,
            at=joined,
            **brought,
        )
        if cell(row, "Withdrawn") == "yes":
            member = leagues.change_member(
                league_id=league.pk,
                player_id=player.pk,
                changes={"withdrawn": True},
                version=None,
                by=self.stamp.by,
                at=self.stamp.at,
            )
        self._note_new(member)

    def _bring_payment(self, record: ClubRecord, row: Row, event: Event | None) -> None:
        kind, unit = cell(row, "Kind"), cell(row, "Unit")
        amount = number_in(row, "Amount")
        if not amount:
            raise RefusedError(
                Message("{text} is no number", text=repr(cell(row, "Amount"))), "amount"
            )
        at = read_moment(cell(row, "At")) or self.stamp.at
        note = cell(row, "Text")[: transfers.NOTE_MAX]
        sides = [self._account(record, row, side, unit) for side in ("From", "To")]
        key = (kind, *(side.pk for side in sides), amount, at, note)
        if self._held()[key] > 0:
            self._held()[key] -= 1
            return
        of_player = next((side.player_id for side in sides if side.player_id is not None), None)
        if of_player is None:
            raise RefusedError(Message("A payment has a player on one side."), "player")
        made: BookEntry
        if event is not None:
            is_entered = event.entries.filter(player=of_player).exists()
            is_known = kind in _OF_ENTRIES and is_entered and unit == self.club.currency
            if kind not in _SETTLING and not is_known:
                words = Message("The books here have no payment of this event such as this one.")
                raise RefusedError(words, "kind")
            payer = Player.objects.select_related("merged_into").get(pk=of_player)
            stamp = Stamp(self.stamp.by, at)
            made = bring_fee(event, payer, EntryKind(kind), amount, unit=unit, stamp=stamp)
        else:
            tag = cell(row, "Game")
            numbers = [number for number, one in self.games.items() if tag and one.tag == tag]
            game = Game.objects.filter(pk__in=numbers).first()
            move = Move(kind, sides[0].pk, sides[1].pk, amount, note)
            made = bring_booking(
                self.club, move, player=of_player, unit=unit, game=game, stamp=self.stamp, at=at
            )
        self._note_new(made)

    def _account(self, record: ClubRecord, row: Row, side: str, unit: str) -> BookAccount:
        holder = cell(row, side)
        if holder in (Holder.FUND, Holder.TILL):
            return transfers.club_account(self.club, Holder(holder), unit)
        return transfers.player_account(self._player(record, number_in(row, side)), unit)

    def _held(self) -> Counter[tuple[object, ...]]:
        """The payments that are in the books already, with how often; those found are used up."""
        if self._payments is None:
            self._payments = Counter(
                (row.kind, row.payer_id, row.payee_id, row.amount, row.at, row.note)
                for row in queries.list_payments(self.club)
            )
        return self._payments

    @contextmanager
    def _attempt(self, record: ClubRecord) -> Iterator[None]:
        """Bring something in, whole or not at all; what is refused is a problem of its record."""
        try:
            with transaction.atomic():
                yield
        except RefusedError as error:
            self._problem(record, error.message)
        except ValueError as error:
            self._problem(record, message_of(error))
        except (IntegrityError, TypeError):
            log.warning("a row of an archive was left out", exc_info=True)
            words = Message("A row cannot be imported as it is written; it was left out.")
            self._problem(record, words)

    def _problem(self, record: ClubRecord, words: str, *, stored: bool = False) -> None:
        name = f"{record.name}: " if record.name else ""
        self.report.add(
            Problem(record.line, 1, Message("{name}{words}", name=name, words=words), stored)
        )

    def _note_new(self, *rows: models.Model) -> None:
        if self.log is not None:
            self.log.note_new(*rows)


def _entry(entries: Mapping[str, Entry], row: Row) -> Entry:
    entry = entries.get(cell(row, "Entry"))
    if entry is None:
        number = cell(row, "Entry")
        raise RefusedError(Message("There is no entry {number} in this event.", number=number))
    return entry


def _is_same_board(board: Board, there: Board | None) -> bool:
    return there is not None and (there.deal, there.source_table) == (
        board.deal,
        board.source_table,
    )


def _is_deal(deal: str, event: Event) -> bool:
    """Whether a text can be the deal of a board of an event; a table may still have to tell it."""
    if not deal:
        return True
    try:
        return len(split_deal(deal)) in event.sizes
    except ValueError:
        return False


def _choice(word: str, choices: type[models.TextChoices]) -> str:
    if word not in choices.values:
        raise RefusedError(Message("{word} is no word of this table.", word=repr(word)))
    return word


def _amount(text: str) -> str:
    """A fraction as text; empty for none. Raises ValueError."""
    return str(exact(text)) if text else ""
