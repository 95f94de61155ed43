"""Three Friday nights of a club, table by table, with corrections a week later."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from scoring.games.closing import make_official
from scoring.management.demo import cash, incidents, late_corrections
from scoring.management.demo.new_club import (
    AVERAGE,
    INSURED,
    POT,
    RISING,
    SAHARA,
    SHORT_STACKS,
    Founded,
)
from scoring.management.demo.tables import DemoTable, leaves_jackpot, open_table
from scoring.models import Form
from tournaments.models import Player
from tournaments.people.members import merge_player

LATE: Final = "It is late."
_BEFORE: Final = timedelta(hours=1)
_AFTER: Final = timedelta(hours=4)
_MEMBER, _WRITTEN_DOWN_AGAIN = 8, 17
_GUEST, _VISITOR = 15, 18


def three_nights(club: Founded, hands: int) -> Iterator[str]:
    """Play three nights, and name every table that is done.

    ``hands`` are the uneventful ones at each table.
    """
    first, second, third = map(club.chance.night, (1, 2, 3))
    games = []
    for table in _first_night(club, first, hands):
        games.append(table.game)
        yield table.name
    _put_right(club, games, second - _BEFORE)
    for table in _second_night(club, second, hands):
        yield table.name
    make_official(game_id=games[0], by=club.director, at=third - _BEFORE)
    for table in _third_night(club, third, hands):
        yield table.name


def _first_night(club: Founded, at: datetime, hands: int) -> Iterator[DemoTable]:
    pot = open_table(club, "Night 1, table 1", POT, (0, 1, 2, 3), at)
    pot.play(hands)
    incidents.objection(pot)
    incidents.passed_out(pot)
    pot.confirm(pot.enter(pot.deal(leaves_jackpot)))
    pot.close(LATE)
    yield pot
    average = open_table(club, "Night 1, table 2", AVERAGE, (4, 5, 6, 7, _WRITTEN_DOWN_AGAIN), at)
    incidents.miscount(average)
    average.play(hands)
    average.close(LATE)
    yield average
    rising = open_table(club, "Night 1, table 3", RISING, (9, 10, 11, 12, 13, 14), at)
    rising.play(hands)
    rising.enter(rising.deal(leaves_jackpot), Form.RESULT)
    rising.play(2)
    rising.close(LATE)
    yield rising
    cash.charge(club, [club.players[_WRITTEN_DOWN_AGAIN]], at + _AFTER)
    cash.pay(club, at + _AFTER)


def _put_right(club: Founded, games: Sequence[UUID], at: datetime) -> None:
    """A week later: two corrections that stay, one that does not, and a player known twice."""
    _, average, rising = games
    late_corrections.settle_anew(club, [average], at)
    late_corrections.let_stand(club, rising, at)
    late_corrections.correct_and_undo(club, average, at)
    player = Player.objects.get(pk=club.players[_WRITTEN_DOWN_AGAIN])
    merge_player(
        player_id=player.pk,
        into=club.players[_MEMBER],
        version=player.version,
        by=club.director,
        at=at,
    )


def _second_night(club: Founded, at: datetime, hands: int) -> Iterator[DemoTable]:
    pot = open_table(club, "Night 2, table 1", POT, (4, 1, 2, 5), at)
    pot.play(1)
    incidents.revoke_by_the_law(pot)
    incidents.substitute(pot, 2, club.players[_GUEST], lambda: pot.play(2))
    incidents.two_records(pot)
    incidents.forbidden_card_stands(pot)
    pot.play(hands)
    pot.close(LATE)
    yield pot
    insured = open_table(club, "Night 2, table 2", INSURED, (0, 3, 6, 9), at)
    incidents.sealed_papers(insured)
    incidents.foot(insured)
    insured.play_to_the_end(hands)
    insured.close(LATE)
    yield insured
    limit = open_table(club, "Night 2, table 3", SAHARA, (7, 8, 10, _VISITOR), at)
    limit.play_to_the_end()
    limit.close()
    yield limit
    cash.charge(club, [club.players[_GUEST], club.players[_VISITOR]], at + _AFTER)
    cash.pay_each_other(club, at + _AFTER)


def _third_night(club: Founded, at: datetime, hands: int) -> Iterator[DemoTable]:
    pot = open_table(club, "Night 3, table 1", POT, (0, 4, 8, 12), at)
    incidents.play_void_hand(pot)
    incidents.revoke_ruled_twice(pot)
    pot.play(hands)
    pot.close(LATE)
    yield pot
    short = open_table(club, "Night 3, table 2", SHORT_STACKS, (1, 5, 16), at)
    short.play_to_the_end()
    short.close()
    yield short
    limit = open_table(club, "Night 3, table 3", SAHARA, (2, 6, 7, 9, 13), at)
    limit.play_to_the_end()
    limit.close()
    yield limit
    later = at + _AFTER
    cash.award(club, club.players[0], later)
    cash.write_off(club, club.players[_VISITOR], later)
