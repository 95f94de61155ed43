"""Games of an archive while it is read: begun anew, or known from an import before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from django.db.models import F

from engine.core.messages import Message
from engine.games.board_states import first_state, start_next_board
from engine.notation.reader import RecordEntry
from engine.notation.sheet import NOTHING
from engine.record.game_state import GameState, beginning
from engine.replay.opening_state import declared_dealer, opening
from engine.rules.rules import Rules
from scoring.models import Game, HandVersion, Phase, Sitting
from scoring.models.states import digest, read_state
from scoring.settlement.plan import read_carried_state, rules_of
from scoring.submissions.reading import read_hand
from scoring.transfer.importing.club_facts import NO_GAME_FACTS, GameFacts
from scoring.transfer.importing.hands import ImportedSeating
from scoring.transfer.importing.identities import hand_id, is_imported, next_game_id
from tournaments.audit import FIRST_DIGEST
from tournaments.models import Trail
from tournaments.models.limits import max_length

_NAMED_BY: Final = {"Event": "{}", "Round": "round {}", "Table": "table {}"}
NAME_MAX: Final = max_length(Game, "name")


@dataclass(slots=True)
class Imported:
    """A game of an archive.

    ``known`` are the digests of what is stored of it, ``stored`` how many of them were stored
    before, ``rivals`` those of second records, ``waiting`` the numbers of hands that wait for
    others; ``place`` is how many of its hands were found or stored, ``numbers`` those that they
    have here, by their number in the archive. ``entrants`` sat down first, ``sittings`` are who
    took which seat later, from which hand on. ``facts`` are what its archive tells of the game
    itself. ``head`` and ``entries`` are those of its trail. ``refused`` says why nothing can be
    added to it. ``key`` and ``dashed`` are the identifier as databases and people write it.
    """

    id: UUID
    rules: Rules
    players: list[UUID]
    start: GameState
    state: GameState
    facts: GameFacts = NO_GAME_FACTS
    boards_alike: bool = False
    name: str = ""
    opened_at: datetime | None = None
    known: list[str] = field(default_factory=list)
    rivals: list[str] = field(default_factory=list)
    waiting: set[int] = field(default_factory=set)
    numbers: dict[int | None, int] = field(default_factory=dict)
    stored: int = 0
    place: int = 0
    entrants: list[UUID] = field(default_factory=list)
    sittings: list[tuple[int, int, UUID]] = field(default_factory=list)
    hands: int = 0
    booked: int = 0
    counted: int = 0
    version: int = 1
    head: str = FIRST_DIGEST
    entries: int = 0
    is_new: bool = True
    is_changed: bool = False
    refused: str = ""
    key: str = field(init=False)
    dashed: str = field(init=False)

    _seating: ImportedSeating | None = None
    _contents: list[tuple[bytes, int | None]] | None = None

    def __post_init__(self) -> None:
        self.key, self.dashed = self.id.hex, str(self.id)
        self.entrants = self.entrants or list(self.players)

    @property
    def seating(self) -> ImportedSeating:
        """Return the seating, and the rules by which it plays."""
        if self._seating is None:
            self._seating = ImportedSeating(self.id, self.rules, self.players)
        return self._seating

    def find(self, made: str, content: bytes, number: int | None) -> int | None:
        """The place of a record among the hands that are stored, from 0; None if it is not there.

        ``made`` is the digest of its text; a record of the same content is the same hand (DEC-1).
        """
        if self.place < len(self.known) and self.known[self.place] == made:
            return self.place
        if made in self.known:
            return self.known.index(made)
        if self.place >= self.stored and not self._is_stored(number):
            return None
        found = [one for one, _number in self._stored_contents()]
        return found.index(content) if content in found else None

    def find_entered(self, made: str, number: int | None) -> int | None:
        """The place of a hand of this number that was entered as a text with this digest."""
        is_there = number is not None and number <= self.stored
        return number - 1 if is_there and number and self.known[number - 1] == made else None

    def _is_stored(self, number: int | None) -> bool:
        return number is not None and number <= self.stored

    def find_contradiction(self, number: int | None) -> str:
        """Why a record contradicts the hands that are stored, or nothing."""
        if self.place < self.stored or self._is_stored(number):
            numbers = [one for _content, one in self._stored_contents() if one is not None]
            if number is None or number in numbers or not numbers:
                at = self.place + 1 if number is None else number
                return Message(
                    "hand {number} of this game was imported with another record;"
                    " nothing was changed",
                    number=at,
                )
            if number < max(numbers):
                return Message(
                    "hand {number} comes before hands that were imported; nothing was changed",
                    number=number,
                )
        return ""

    def why_not_next(self) -> str:
        """Why a record cannot be added after the hands that are stored, or nothing."""
        if self.refused:
            return self.refused
        if self.state.over is not None:
            return Message(
                "the game ended with hand {number} ({over})",
                number=self.hands,
                over=self.state.over,
            )
        return ""

    def find_hand(self, number: int) -> UUID | None:
        """The identifier of the hand that has this number in the archive."""
        here = self.numbers.get(number)
        return None if here is None else UUID(hand_id(self.dashed, here))

    @property
    def last_stored_number(self) -> int:
        """The highest hand number among the hands that were stored before; 0 for none."""
        numbers = [number or 0 for _content, number in self._stored_contents()]
        return max(numbers, default=0)

    def _stored_contents(self) -> list[tuple[bytes, int | None]]:
        """The content and the number of every hand that was stored before. One query, once."""
        if self._contents is None:
            rows = HandVersion.objects.filter(
                hand__game=self.id, hand__rival=None, number=F("hand__current")
            )
            texts = rows.order_by("hand__number").values_list("text", flat=True)
            entries = [read_hand(bytes(text)).entry for text in texts[: self.stored]]
            self._contents = [
                (entry.content, None if entry.record is None else entry.record.number)
                for entry in entries
            ]
        return self._contents

    def change_players(self, players: list[UUID]) -> None:
        """Let other players sit from the next hand on."""
        self.players = players
        self.is_changed = True
        self._seating = None

    @property
    def next_state(self) -> GameState:
        """The state in which the next hand is played."""
        return start_next_board(self.rules, self.state) if self.boards_alike else self.state

    @property
    def phase(self) -> Phase:
        """Return the progress of the game by its rules."""
        return Phase.OPEN if self.state.over is None else Phase.OVER


def start_of(entry: RecordEntry, rules: Rules, facts: GameFacts = NO_GAME_FACTS) -> GameState:
    """The state in which a game begins, by its first record.

    Chips in the pot come from the club's jackpot if the archive says so. Else they come from hands
    that are missing, and the game begins as the rules alone say.
    """
    record = entry.required_record
    if facts.board is not None:
        return first_state(rules, record.players, facts.board)
    if facts.drawn is not None:
        start = beginning(rules, record.players, declared_dealer(record, rules))
        drawn = facts.drawn.chips
        return replace(start, pot=drawn, bought=start.bought + drawn)
    opened = opening(record, rules)
    if opened.pot or opened.jackpot:
        return beginning(rules, record.players, declared_dealer(record, rules))
    # For its range of players.
    beginning(rules, record.players)
    return opened


def name_of(entry: RecordEntry) -> str:
    """Return the name of a game: as its records name it, else by what they say of it."""
    named = {tag: entry.value(tag) or "" for tag in ("GameName", *_NAMED_BY)}
    return (named["GameName"] or compose_name(named) or "Imported game")[:NAME_MAX]


def compose_name(tags: Mapping[str, str]) -> str:
    """The name of a game by event, round and table; empty where none of them is known.

    >>> compose_name({"Event": "Club night", "Round": "2", "Table": "?"})
    'Club night, round 2'
    """
    said = ((tags.get(tag, "").strip(), words) for tag, words in _NAMED_BY.items())
    return ", ".join(words.format(value) for value, words in said if value not in NOTHING)


def day_of(entry: RecordEntry, latest: datetime) -> datetime:
    """When a game was opened: as is written, at least the day; else when it was imported."""
    moment = f"{entry.value('UTCDate') or ''} {entry.value('UTCTime') or ''}"
    for written, form in ((moment, "%Y.%m.%d %H:%M:%S"), (entry.value("Date") or "", "%Y.%m.%d")):
        try:
            return min(datetime.strptime(written, form).replace(tzinfo=UTC), latest)
        except ValueError:
            continue
    return latest


def stored_games(club: UUID, numbers: Iterable[UUID], *, locks: bool) -> dict[UUID, Imported]:
    """The games among these that were imported before, locked if asked to. Four queries."""
    rows = Game.objects.filter(club=club, pk__in=list(numbers)).order_by("pk")
    if locks:
        rows = rows.select_for_update(no_key=True)
    found = {game.pk: _store_game(game) for game in rows}
    if not found:
        return found
    first = HandVersion.objects.filter(hand__game__in=list(found), number=1, hand__rival=None)
    wanted = ("hand__game_id", "digest", "sent")
    for game, made, sent in first.order_by("hand__game_id", "hand__number").values_list(*wanted):
        found[game].known.append(made if sent is None else digest(bytes(sent)))
    second = HandVersion.objects.filter(hand__game__in=list(found), hand__rival__isnull=False)
    for game, made in second.order_by("pk").values_list("hand__game_id", "digest"):
        found[game].rivals.append(made)
    for imported in found.values():
        imported.stored = len(imported.known)
    _find_players(found)
    for trail in Trail.objects.filter(chain__in=list(found)):
        found[trail.chain].entries, found[trail.chain].head = trail.length, trail.digest
    return found


def ids_after_removal(club: UUID, numbers: Iterable[UUID]) -> dict[UUID, UUID]:
    """The next identifiers of those games among these that were removed when an import was undone.

    One query, and one more for each time that a game was imported and removed again.
    """
    found: dict[UUID, UUID] = {}
    wanted = list(numbers)
    while wanted:
        rows = Game.all_objects.filter(club=club, pk__in=wanted, removed_at__isnull=False)
        removed = rows.values_list("pk", flat=True)
        wanted = [found.setdefault(number, next_game_id(number)) for number in removed]
    return found


def _find_players(games: Mapping[UUID, Imported]) -> None:
    """Find who sits in the games, and who sat down first."""
    rows = Sitting.objects.filter(game__in=list(games)).order_by("seat", "first")
    for game, player, first, last in rows.values_list("game_id", "player_id", "first", "last"):
        if first == 1:
            games[game].entrants.append(player)
        if last is None:
            games[game].players.append(player)


def _store_game(game: Game) -> Imported:
    refused = ""
    if game.phase in (Phase.CLOSED, Phase.OFFICIAL):
        refused = Message("the game was closed since; open it again to add hands")
    elif not is_imported(game.pk):
        refused = Message(
            "this game was played here; hands are added at its table, not from a file"
        )
    return Imported(
        id=game.pk,
        rules=rules_of(game),
        players=[],
        boards_alike=game.boards_alike,
        start=read_state(game.start),
        state=read_carried_state(game),
        hands=game.hands,
        booked=game.booked,
        counted=game.counted,
        version=game.version,
        is_new=False,
        refused=refused,
    )
