"""The hands with which tables played a prepared board: their ids and their opening leads."""

from collections.abc import Collection
from dataclasses import dataclass
from uuid import UUID

from django.db.models import F

from engine.core.cards import NAMES
from engine.core.seats import Seat
from engine.games.board_states import first_state
from engine.replay.replay import replay
from scoring.models import HandVersion
from scoring.settlement.plan import rules_of
from scoring.submissions.reading import read_hand


@dataclass(frozen=True, slots=True, kw_only=True)
class BoardHand:
    """The hand of one table on a board.

    ``lead`` is the code of the card that was led first, and ``leader`` who led it; both are None
    where no card of the play is on record.
    """

    id: UUID
    is_corrected: bool
    leader: Seat | None
    lead: str | None


def find_board_hands(
    played: Collection[tuple[UUID, int]], board: int
) -> dict[tuple[UUID, int], BoardHand]:
    """Return the hands of a board by game and hand number, for those that are asked for.

    One query; each record that has cards is replayed.
    """
    rows = HandVersion.objects.filter(
        hand__game__in={game for game, _number in played},
        hand__number__in={number for _game, number in played},
        hand__rival=None,
        number=F("hand__current"),
    )
    return {
        (row.hand.game_id, row.hand.number): _board_hand(row, board)
        for row in rows.select_related("hand__game")
        if (row.hand.game_id, row.hand.number) in played
    }


def _board_hand(version: HandVersion, board: int) -> BoardHand:
    hand, game = version.hand, version.hand.game
    record = read_hand(bytes(version.text)).entry.record
    leader = lead = None
    if record is not None and record.play and len(record.seats) == game.players:
        rules = rules_of(game)
        tricks = replay(record, rules, first_state(rules, game.players, hand.board or board)).tricks
        if tricks and tricks[0].cards:
            leader, lead = tricks[0].leader, NAMES[tricks[0].cards[0]]
    return BoardHand(id=hand.pk, is_corrected=hand.current > 1, leader=leader, lead=lead)
