"""The peers: what each needs for one of its own hands, games or boards, legality checked.

Every function prepares its hands first, with fixed seeds, and returns a runner that only does
what is measured. Peers come from the optional dependency group ``bench``.
"""

import io
from collections.abc import Callable, Sequence
from typing import Any

import chess.pgn
import numpy as np
import pyspiel  # type: ignore[import-not-found]
from endplay.parsers import pbn
from pokerkit import Automation, HandHistory, NoLimitTexasHoldem
from rlcard.games.bridge.game import BridgeGame
from rlcard.games.bridge.utils.action_event import ActionEvent, BidAction, PassAction

from benchmarks.bridge import boards
from benchmarks.hands import dice
from benchmarks.timing import Runner

OPENSPIEL = "OpenSpiel, Hearts in C++, checked loop"
OPENSPIEL_BLIND = "OpenSpiel, Hearts in C++, unchecked loop"
RLCARD = "RLCard, bridge, checked loop"
POKERKIT = "PokerKit, PHH parsed and replayed"
CHESS = "python-chess, PGN of 80 plies parsed and replayed"
ENDPLAY_READ = "endplay, PBN parsed"
ENDPLAY_WRITE = "endplay, PBN dumped"


def openspiel(hands: int) -> Runner:
    """Hands without a pass: every card is looked up among the legal ones, then played."""
    game = pyspiel.load_game("hearts")
    games = [_spiel_hand(game, seed) for seed in range(hands)]

    def run() -> int:
        for deal, plays in games:
            state = game.new_initial_state()
            for action in deal:
                state.apply_action(action)
            for action in plays:
                assert action in state.legal_actions()
                state.apply_action(action)
        return hands

    return Runner(OPENSPIEL, run)


def openspiel_blind(hands: int) -> Runner:
    """The same hands, taken on trust."""
    game = pyspiel.load_game("hearts")
    games = [_spiel_hand(game, seed) for seed in range(hands)]

    def run() -> int:
        for deal, plays in games:
            state = game.new_initial_state()
            for action in deal:
                state.apply_action(action)
            for action in plays:
                state.apply_action(action)
        return hands

    return Runner(OPENSPIEL_BLIND, run)


def _spiel_hand(game: Any, seed: int) -> tuple[list[int], list[int]]:
    luck = dice(seed)
    deal = [0, *luck.sample(range(52), 52)]
    state = game.new_initial_state()
    for action in deal:
        state.apply_action(action)
    plays: list[int] = []
    while not state.is_terminal():
        plays.append(luck.choice(state.legal_actions()))
        state.apply_action(plays[-1])
    return deal, plays


def rlcard(hands: int) -> Runner:
    """Bridge, its nearest game of tricks: 52 cards and a short auction."""
    games = [_rlcard_hand(seed) for seed in range(hands)]

    def run() -> int:
        for seed, actions in games:
            game = _rlcard_game(seed)
            for action in actions:
                assert action in game.judger.get_legal_actions()
                game.step(action)
        return hands

    return Runner(RLCARD, run)


def _rlcard_game(seed: int) -> Any:
    game = BridgeGame()
    game.np_random = np.random.RandomState(seed)
    game.init_game()
    return game


def _rlcard_hand(seed: int) -> tuple[int, list[ActionEvent]]:
    luck, game = dice(seed), _rlcard_game(seed)
    actions: list[ActionEvent] = [BidAction(1, "H"), *(PassAction() for _ in range(3))]
    for action in actions:
        game.step(action)
    while not game.is_over():
        actions.append(luck.choice(game.judger.get_legal_actions()))
        game.step(actions[-1])
    return seed, actions


def pokerkit(hands: int) -> Runner:
    """Six players at no-limit hold'em, as text in PHH: parsed, and every action replayed."""
    texts = [_poker_hand(seed) for seed in range(hands)]

    def run() -> int:
        for text in texts:
            for _ in HandHistory.loads(text):
                pass
        return hands

    return Runner(POKERKIT, run)


_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


def _poker_hand(seed: int) -> str:
    luck = dice(seed)
    game = NoLimitTexasHoldem(
        _AUTOMATIONS,
        ante_trimming_status=True,
        raw_antes=0,
        raw_blinds_or_straddles=(50, 100),
        min_bet=100,
    )
    state = game((10_000,) * 6, 6)
    while state.status:
        if state.can_deal_hole():
            state.deal_hole()
        elif state.can_burn_card():
            state.burn_card("??")
        elif state.can_deal_board():
            state.deal_board()
        else:
            _poker_action(state, luck.random())
    return str(HandHistory.from_game_state(game, state).dumps())


def _poker_action(state: Any, chance: float) -> None:
    if chance < 0.25 and state.can_fold():
        state.fold()
    elif chance < 0.4 and state.can_complete_bet_or_raise_to():
        state.complete_bet_or_raise_to()
    else:
        state.check_or_call()


def python_chess(games: int) -> Runner:
    """Games of 80 plies in PGN."""
    texts = [_chess_game(seed) for seed in range(games)]

    def run() -> int:
        for text in texts:
            game = chess.pgn.read_game(io.StringIO(text))
            assert game is not None
            assert not game.errors
        return games

    return Runner(CHESS, run)


def _chess_game(seed: int) -> str:
    luck = dice(seed)
    while True:
        board = chess.Board()
        while len(board.move_stack) < 80 and not board.is_game_over():
            board.push(luck.choice(list(board.legal_moves)))
        if len(board.move_stack) == 80:
            return str(chess.pgn.Game.from_board(board))


def endplay(hands: int, size: int) -> tuple[Runner, Runner]:
    """Boards of bridge in PBN, so many characters each: parsed, and dumped."""
    texts = boards(hands, size)
    text = "% PBN 2.1\n" + "\n".join(texts)
    parsed = pbn.loads(text)
    assert len(parsed) == hands
    reading = _count(pbn.loads, text)

    def write() -> int:
        pbn.dumps(parsed)
        return hands

    return Runner(ENDPLAY_READ, reading), Runner(ENDPLAY_WRITE, write)


def _count(parse: Callable[[str], Sequence[object]], text: str) -> Callable[[], int]:
    return lambda: len(parse(text))
