"""Games of an archive while it is read: begun anew, or known from an import before."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from engine.carried import Carried, beginning
from engine.notation.reader import Entry
from engine.rules import Rules
from engine.told import dealer_told, opening
from scoring.importing.playing import Seating
from scoring.models import Game, HandVersion, Phase, Sitting
from scoring.settling import rules_of
from scoring.states import digest, read_state
from tournaments.audit import START
from tournaments.models import AuditEntry

_NAMED_BY: Final = (("Event", "{}"), ("Round", "round {}"), ("Table", "table {}"))


@dataclass(slots=True)
class Imported:
    """A game of an archive.

    ``known`` are the digests of what was stored of it before, ``place`` how many of its records
    were read; ``fresh`` are rows of hands to be stored. ``head`` and ``entries`` are those of its
    trail. ``refused`` says why nothing can be added to it. ``key`` and ``dashed`` are the
    identifier as databases and people write it.
    """

    id: UUID
    rules: Rules
    players: list[UUID]
    start: Carried
    state: Carried
    name: str = ""
    opened_at: datetime | None = None
    known: list[str] = field(default_factory=list)
    place: int = 0
    hands: int = 0
    booked: int = 0
    version: int = 1
    head: str = START
    entries: int = 0
    is_new: bool = True
    is_changed: bool = False
    refused: str = ""
    key: str = field(init=False)
    dashed: str = field(init=False)

    _seating: Seating | None = None

    def __post_init__(self) -> None:
        self.key, self.dashed = self.id.hex, str(self.id)

    @property
    def seating(self) -> Seating:
        """Who sits where, and by which rules."""
        if self._seating is None:
            self._seating = Seating(self.id, self.rules, self.players)
        return self._seating

    @property
    def phase(self) -> Phase:
        """Where the game is by its rules."""
        return Phase.OPEN if self.state.over is None else Phase.OVER


def start_of(entry: Entry, rules: Rules) -> Carried:
    """The state in which a game begins, as its first record tells it.

    Chips in the pot come from hands that nobody has: then the rules alone say how it begins.
    """
    record = entry.known
    told = opening(record, rules)
    if told.pot or told.jackpot:
        return beginning(rules, record.players, dealer_told(record, rules))
    # For its range of players.
    beginning(rules, record.players)
    return told


def name_of(entry: Entry) -> str:
    """What a game is called, by what its records say of it."""
    said = ((entry.value(tag) or "", words) for tag, words in _NAMED_BY)
    parts = [words.format(value) for value, words in said if value not in ("", "?", "-")]
    return ", ".join(parts)[:200] or "Imported game"


def day_of(entry: Entry, latest: datetime) -> datetime:
    """When a game was opened: on the day that is written, else when it was imported."""
    written = entry.value("Date") or ""
    try:
        day = datetime.strptime(written, "%Y.%m.%d").replace(tzinfo=UTC)
    except ValueError:
        return latest
    return min(day, latest)


def stored_games(club: UUID, numbers: Iterable[UUID], *, locks: bool) -> dict[UUID, Imported]:
    """The games among these that were imported before, locked if asked to. Four queries."""
    rows = Game.objects.filter(club=club, pk__in=list(numbers)).order_by("pk")
    if locks:
        rows = rows.select_for_update(no_key=True)
    found = {game.pk: _stored(game) for game in rows}
    if not found:
        return found
    first = HandVersion.objects.filter(hand__game__in=list(found), number=1, hand__rival=None)
    wanted = ("hand__game_id", "digest", "sent")
    for game, made, sent in first.order_by("hand__game_id", "hand__number").values_list(*wanted):
        found[game].known.append(made if sent is None else digest(bytes(sent)))
    sitting = Sitting.objects.filter(game__in=list(found), last=None).order_by("seat")
    for game, player in sitting.values_list("game_id", "player_id"):
        found[game].players.append(player)
    trail = AuditEntry.objects.filter(chain__in=list(found)).order_by("chain", "-number")
    for chain, number, head in trail.values_list("chain", "number", "digest"):
        if number > found[chain].entries:
            found[chain].entries, found[chain].head = number, head
    return found


def _stored(game: Game) -> Imported:
    closed = game.phase in (Phase.CLOSED, Phase.OFFICIAL)
    return Imported(
        id=game.pk,
        rules=rules_of(game),
        players=[],
        start=read_state(game.start),
        state=read_state(game.state),
        hands=game.hands,
        booked=game.booked,
        version=game.version,
        is_new=False,
        refused="the game was closed since; open it again to add hands" if closed else "",
    )
