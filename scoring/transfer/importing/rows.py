"""The rows of one chunk of an archive, inserted table by table."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple
from uuid import UUID

from engine.analysis.worth import worth_version
from engine.core.messages import Message
from engine.rules.rules import plays_for_chips
from scoring.ledger.transfers import Stamp
from scoring.models import (
    NOT_COUNTED,
    Certainty,
    Decided,
    Form,
    Game,
    Hand,
    HandVersion,
    Sitting,
    State,
    Word,
)
from scoring.models.states import digest, write_state
from scoring.transfer.importing.books import ImportedBooks
from scoring.transfer.importing.club_facts import NO_FACTS, HandFacts
from scoring.transfer.importing.games import Imported
from scoring.transfer.importing.hands import RESULT, Cells, ImportedHand
from scoring.transfer.importing.identities import hand_id
from tournaments import invalidation
from tournaments.audit import BatchDigests, write_trails
from tournaments.core.text_fields import write_message
from tournaments.database.sql import bulk_insert, bulk_insert_models, timestamp_parameter
from tournaments.models import AuditEntry, Club, Result, RuleSet, TableGame
from tournaments.models.club import Confirming

_SITTING: Final = ("game_id", "seat", "player_id", "first", "is_entrant")
_HAND: Final = (
    "id", "game_id", "number", "current", "revision", "state", "certainty", "reason", "after",
    "board", "entered_at",
)  # fmt: skip
_VERSION: Final = (
    "hand_id", "number", "form", "text", "sent", "digest", "by", "source", "why", "at",
)  # fmt: skip
_ENTRY: Final = (
    "chain", "number", "club_id", "what", "by", "source", "why", "details", "at", "before",
    "digest",
)  # fmt: skip
_PROVISIONAL: Final = str(Certainty.PROVISIONAL)
_CONFIRMED: Final = str(Certainty.CONFIRMED)
_RECORD: Final = str(Form.RECORD)


class OutsideRecord(NamedTuple):
    """A record that is no part of its game; ``made`` is the digest of its text.

    ``words`` are what second seats said of it.
    """

    text: bytes
    made: str
    state: str
    words: Sequence[Word] = ()


@dataclass(slots=True)
class Rows:
    """Rows to be written of a club's games; nothing is written before `write`."""

    club: Club
    stamp: Stamp
    hands: list[Cells] = field(default_factory=list)
    versions: list[Cells] = field(default_factory=list)
    results: list[Cells] = field(default_factory=list)
    trail: list[Cells] = field(default_factory=list)
    trails: dict[UUID, tuple[int, str]] = field(default_factory=dict)
    rulings: list[Decided] = field(default_factory=list)
    words: list[tuple[str, Word]] = field(default_factory=list)
    rivals: list[Cells] = field(default_factory=list)
    games: dict[UUID, Imported] = field(default_factory=dict)
    books: ImportedBooks = field(init=False)
    _at: str = field(init=False)
    _by: str = field(init=False)
    _source: str = field(init=False)
    _club: str = field(init=False)
    _seals: BatchDigests = field(init=False)

    def __post_init__(self) -> None:
        self.books = ImportedBooks(self.club, self.stamp)
        self._at = timestamp_parameter(self.stamp.at)
        self._by, self._source = self.stamp.by.label, str(self.stamp.by.source)
        self._club = self.club.pk.hex
        self._seals = BatchDigests(self.club.pk, self.stamp.by, self.stamp.at)

    def begin(self, game: Imported) -> None:
        """Note that a game was opened."""
        self.games[game.id] = game
        players = ",".join(f'"{player}"' for player in game.players)
        details = f'{{"players":[{players}],"rules":"{game.rules.digest}"}}'
        self._note(game, "game opened", details)

    def seat(self, game: Imported, players: Sequence[UUID]) -> None:
        """Note that other players sit down before the next hand of a game (Q62)."""
        self.games[game.id] = game
        first = game.hands + 1
        for seat, (player, before) in enumerate(zip(players, game.players, strict=True)):
            if player != before:
                game.sittings.append((seat, first, player))
                details = f'{{"first":{first},"player":"{player}","seat":{seat}}}'
                self._note(game, "seat taken", details)
        game.change_players(list(players))

    def add(
        self, game: Imported, outcome: ImportedHand, made: str, facts: HandFacts = NO_FACTS
    ) -> None:
        """Note the next hand of a game; ``made`` is the digest of its text."""
        self.games[game.id] = game
        game.hands += 1
        number = game.hands
        key = hand_id(game.key, number)
        self.hands.append(
            (
                key,
                game.key,
                number,
                1,
                1,
                outcome.state,
                _CONFIRMED if facts.is_confirmed else _PROVISIONAL,
                write_message(outcome.reason),
                outcome.written,
                outcome.board,
                self._at,
            )
        )
        self.versions.append(
            (
                key,
                1,
                _RECORD,
                outcome.text,
                outcome.sent,
                made,
                self._by,
                self._source,
                "",
                self._at,
            )
        )
        hand = hand_id(game.dashed, number)
        details = f'{{"hand":"{hand}","number":{number},"record":"{made}"}}'
        self._note(game, "hand entered", details)
        self._add_facts(game, hand, outcome, made, facts)
        if outcome.is_sure and game.booked == number - 1:
            game.booked = number
            self.books.add(game.id, key, outcome.postings)
            self.results += outcome.results
        game.counted += outcome.state not in NOT_COUNTED
        game.state = outcome.after
        game.version += 1
        game.is_changed = True

    def _add_facts(
        self, game: Imported, hand: str, outcome: ImportedHand, made: str, facts: HandFacts
    ) -> None:
        """Note the rulings on a hand, and what second seats said of it."""
        rulings = sorted((*facts.rulings, *facts.superseded), key=lambda one: one.number)
        for ruling in rulings:
            ruling.hand_id, ruling.record = UUID(hand), ruling.record or made
            decision = None if ruling.withdrawn else json.loads(ruling.ruling)
            details = {"hand": hand, "decision": decision}
            if ruling.supersedes_id is not None:
                details |= {
                    "restores": ruling.restores,
                    "supersedes": str(ruling.supersedes_id),
                }
            self._note(game, "ruling", json.dumps(details))
        for ruling in facts.rulings:
            ruling.after = digest(outcome.written)
        self.rulings += rulings
        self.words += [(hand, word) for word in facts.words]

    def add_rival(self, game: Imported, number: int, place: int, record: OutsideRecord) -> None:
        """Note a second record of a hand of a game; ``place`` counts them, from 1."""
        key = hand_id(game.key, number + (place << 16))
        row = self._add_outside(game, key, number, record, "")
        self.rivals.append((*row, hand_id(game.key, number)))
        hand = hand_id(game.dashed, number)
        self._note(game, "second record", f'{{"number":{number},"rival of":"{hand}"}}')

    def add_waiting(self, game: Imported, number: int, record: OutsideRecord) -> None:
        """Note a hand that waits for one that never came, or came too late for its game."""
        self.games[game.id] = game
        key = hand_id(game.key, number)
        reason = Message("It waits for hand {number}.", number=game.hands + 1)
        if game.state.over is not None:
            record = record._replace(state=State.VOID)
            reason = Message("The game ended with hand {number}.", number=game.hands)
        self.hands.append(self._add_outside(game, key, number, record, write_message(reason)))
        hand = hand_id(game.dashed, number)
        details = f'{{"hand":"{hand}","number":{number},"record":"{record.made}"}}'
        self._note(game, "hand entered", details)

    def _add_outside(
        self, game: Imported, key: str, number: int, record: OutsideRecord, reason: str
    ) -> Cells:
        text, made, state, words = record
        self.words += [(key, word) for word in words]
        self.versions.append(
            (key, 1, _RECORD, text, None, made, self._by, self._source, "", self._at)
        )
        return (key, game.key, number, 1, 1, state, _PROVISIONAL, reason, "", None, self._at)

    def _note(self, game: Imported, what: str, details: str) -> None:
        game.entries += 1
        made = self._seals.seal(game.head, game.dashed, game.entries, what, details)
        self.trail.append(
            (
                game.key,
                game.entries,
                self._club,
                what,
                self._by,
                self._source,
                "",
                details,
                self._at,
                game.head,
                made,
            )
        )
        game.head = made
        self.trails[game.id] = game.entries, made

    def write(self) -> None:
        """Write everything, in the transaction of whoever holds the lock of the club."""
        changed = [game for game in self.games.values() if game.is_new or game.is_changed]
        new = [game for game in changed if game.is_new]
        self._open(new)
        bulk_insert(Hand, _HAND, self.hands)
        bulk_insert(Hand, (*_HAND, "rival_id"), self.rivals)
        bulk_insert(HandVersion, _VERSION, self.versions)
        Decided.objects.bulk_create(self.rulings)
        hands = {UUID(hand) for hand, _word in self.words}
        versions = dict(HandVersion.objects.filter(hand__in=hands).values_list("hand_id", "pk"))
        for hand, word in self.words:
            word.version_id = versions[UUID(hand)]
        Word.objects.bulk_create(word for _hand, word in self.words)
        self.books.write()
        bulk_insert(Result, RESULT, self.results)
        played = TableGame.objects.filter(pk__in=[game.id for game in changed])
        invalidation.mark_players(played, self.stamp.at)
        bulk_insert(AuditEntry, _ENTRY, self.trail)
        write_trails(self.club.pk, self.trails)
        self._go_on([game for game in changed if not game.is_new])
        self._change_seats([game for game in changed if game.sittings])
        for game in changed:
            game.is_new = game.is_changed = False

    def _open(self, games: Sequence[Imported]) -> None:
        # The club's own house rules, where it has those of these games.
        wanted = {game.rules.digest for game in games}
        own = RuleSet.objects.filter(club=self.club, digest__in=wanted, retired_at=None)
        sets = dict(own.order_by("-created_at").values_list("digest", "pk"))
        rows = [self._game(game, sets) for game in games]
        bulk_insert_models(rows)
        sat = (
            (game.key, seat, player.hex, 1, True)
            for game in games
            for seat, player in enumerate(game.entrants)
        )
        bulk_insert(Sitting, _SITTING, sat)
        places = [
            TableGame(
                id=game.id,
                club=self.club,
                phase=str(game.phase),
                is_open=game.booked < game.hands,
                low=not plays_for_chips(game.rules),
                size=len(game.players),
                opened_at=game.opened_at or self.stamp.at,
                worth_version=worth_version(),
            )
            for game in games
        ]
        bulk_insert_models(places)
        self.books.open(rows, [game.start for game in games], [game.facts.drawn for game in games])

    def _game(self, game: Imported, sets: dict[str, UUID]) -> Game:
        return Game(
            id=game.id,
            club=self.club,
            name=game.name,
            rule_set_id=sets.get(game.rules.digest),
            rules=game.rules.to_json(),
            digest=game.rules.digest,
            # Nobody is left at the tables of an archive who could confirm anything.
            confirming=str(Confirming.OFF),
            players=len(game.players),
            keeps_jackpot=game.facts.drawn is not None,
            boards_alike=game.boards_alike,
            start=write_state(game.start),
            opened_at=game.opened_at or self.stamp.at,
            **self._now(game),
        )

    def _now(self, game: Imported) -> dict[str, Any]:
        return {
            "state": write_state(game.next_state),
            "hands": game.hands,
            "booked": game.booked,
            "counted": game.counted,
            "phase": game.phase,
            "version": game.version,
            "frozen_at": self.stamp.at if game.hands else None,
        }

    @staticmethod
    def _change_seats(games: Sequence[Imported]) -> None:
        """Write who sat down in a seat, and that who sat there before stood up."""
        for game in games:
            for seat, first, _player in game.sittings:
                before = Sitting.objects.filter(game=game.id, seat=seat)
                before.filter(last=None).update(last=first - 1)
            last: dict[int, int] = {}
            for seat, first, player in reversed(game.sittings):
                Sitting.objects.create(
                    game_id=game.id,
                    seat=seat,
                    player_id=player,
                    first=first,
                    last=last[seat] - 1 if seat in last else None,
                    is_entrant=player == game.entrants[seat],
                )
                last[seat] = first
            game.sittings.clear()

    def _go_on(self, games: Sequence[Imported]) -> None:
        for game in games:
            Game.objects.filter(pk=game.id).update(**self._now(game))
            is_open = game.booked < game.hands
            TableGame.objects.filter(pk=game.id).update(phase=str(game.phase), is_open=is_open)
