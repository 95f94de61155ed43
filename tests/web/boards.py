"""Prepared boards that tables play card by card, for tests of travellers and of the hand viewer."""

from engine.games.board_states import start_next_board
from engine.live.hand import Phase, start
from engine.record.actions import Deal
from scoring.models import Game, Hand
from scoring.settlement.plan import rules_of
from scoring.submissions.reading import write_hand
from tests.engine.table import record_of, seeded, some_action
from tests.scoring.club import DIRECTOR, at, enter, state_of
from tests.tournaments.night import check_in, draw, make_event
from tests.tournaments.night import start as start_round
from tests.web.window import Window
from tournaments.core.deals import read_deal
from tournaments.events.boards import Preparation, prepare_boards
from tournaments.models import Board, Event


def start_duplicate(window: Window, hands: int = 2) -> tuple[Event, list[Game]]:
    """Begin the one round of a duplicate event, at two tables."""
    event = make_event(
        window.club,
        rounds=1,
        hands=hands,
        duplicate=True,
        sizes=[4],
        scoring={"method": "matchpoints"},
    )
    check_in(event, window.players)
    draw(event)
    prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    return event, start_round(event, 1)


def play_board(event: Event, game: Game, number: int, seed: int = 1) -> Hand:
    """Enter a board with every card, played by people who only know what is legal."""
    rules, before = rules_of(game), start_next_board(rules_of(game), state_of(game))
    deal = Board.objects.get(event=event, number=number).deal
    hand = start(rules, before, Deal(read_deal(deal, before.dealer)))
    dice = seeded(seed)
    while hand.phase is not Phase.DONE:
        hand = hand.apply(some_action(hand, dice))
    return enter(game, write_hand(record_of(hand)).text).hand
