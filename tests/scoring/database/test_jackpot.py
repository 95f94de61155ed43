"""A jackpot is drawn on once, however many games are opened and closed at the same moment."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connections

from scoring.games.closing import Closing, close_game
from scoring.games.opening import NewGame, open_game
from scoring.ledger import transfers
from scoring.ledger.transfers import CHIPS
from scoring.models import Game, Holder
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.scoring.club import DIRECTOR, at, enter, make_club, make_players, state_of
from tests.scoring.table_money import close, hand_of_chips, open_table

pytestmark = pytest.mark.usefixtures("shared_database")

TABLES = 4


def test_one_of_many_games_draws_and_gives_back() -> None:
    club = make_club()
    first = open_table(club, keeps=True, buy_in="1000")
    enter(first, hand_of_chips(first, (3, 2, 4, 4), bid=6))
    close(first)
    assert first.rule_set_id is not None
    rule_set = first.rule_set_id
    seats = [[player.pk for player in make_players(club, 4)] for _ in range(TABLES)]
    gate = threading.Barrier(TABLES)

    def play(table: int) -> tuple[Game, int]:
        gate.wait(30)
        try:
            opening = NewGame(name=f"Table {table}", rule_set=rule_set, players=seats[table])
            game = open_game(club_id=club.pk, opening=opening, by=DIRECTOR, at=at(210))
            gate.wait(30)
            closing = Closing(reason="It is late.")
            close_game(game_id=game.pk, closing=closing, by=DIRECTOR, at=at(220))
            return game, state_of(game).pot
        finally:
            connections.close_all()

    with ThreadPoolExecutor(TABLES) as pool:
        played = list(pool.map(play, range(TABLES)))
    assert sorted(pot for _, pot in played) == [0] * (TABLES - 1) + [19]
    accounts = [
        transfers.club_account(club, Holder.JACKPOT, unit, "20 EUR") for unit in (CHIPS, "EUR")
    ]
    held = transfers.balances(accounts)
    assert held[accounts[0].pk] == 19
    assert held[accounts[1].pk] == 4380 * 19 // 219
    assert not list(look_at_club(club.pk))
    assert not look_at_games([game.pk for game, _ in played]).differences
