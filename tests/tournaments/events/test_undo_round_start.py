"""A round that was begun too early: only drawn again, and everybody's money where it was."""

from collections import Counter
from typing import Any
from uuid import UUID, uuid4

import pytest

from scoring.games.undo_round_start import undo_round_start
from scoring.models import Game, Phase, SeatLink
from scoring.models.transfer import Transfer
from tests.scoring.club import DIRECTOR, assert_recomputes, at, make_club, make_rules
from tests.tournaments.night import draw, make_night, play, play_round, start
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.models import AuditEntry, Event, Round, Stage, Status, TableGame
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs

pytestmark = pytest.mark.django_db


def take_back(event: Event, number: int, why: str = "") -> Round:
    return undo_round_start(event_id=event.pk, number=number, why=why, by=DIRECTOR, at=at(9))


def balances() -> dict[UUID, int]:
    """What everybody has in money, by player."""
    found: Counter[UUID] = Counter()
    for row in Transfer.objects.exclude(payer__unit="chips").select_related("payer", "payee"):
        for account, amount in ((row.payer, -row.amount), (row.payee, row.amount)):
            if account.player_id is not None:
                found[account.player_id] += amount
    return dict(found)


def test_a_round_that_nobody_played_is_only_drawn_again() -> None:
    event = make_night(9)
    draw(event)
    seated = list(Round.objects.get(event=event, number=1).tables.values_list("seats__entry"))
    games = start(event, 1)
    row = take_back(event, 1, "The wine was late.")
    event.refresh_from_db()
    assert (row.stage, row.started_at, event.status) == (Stage.DRAWN, None, Status.PLANNED)
    assert list(row.tables.values_list("seats__entry")) == seated
    assert not SeatLink.objects.filter(revoked_at=None).exists()
    assert not TableGame.objects.exclude(event=None).exists()
    for game in games:
        game.refresh_from_db()
        assert (game.phase, game.table, game.hands) == (Phase.CLOSED, None, 0)
        assert_recomputes(game)
    assert AuditEntry.objects.get(what="round taken back").why == "The wine was late."


def test_it_can_be_started_again_and_only_what_is_played_then_counts() -> None:
    event = make_night(8)
    draw(event)
    start(event, 1)
    take_back(event, 1)
    played = play_round(event, 1)
    standings: Any = rank_event_inputs(read_event_inputs(event.pk))
    assert len(standings["games"]) == len(played) == 2
    assert set(TableGame.objects.filter(event=event).values_list("pk", flat=True)) == set(played)


def test_it_can_be_drawn_anew() -> None:
    event = make_night(8)
    draw(event)
    start(event, 1)
    take_back(event, 1)
    draw(event, attempt=1)
    assert len(start(event, 1)) == 2


def test_a_later_round_is_taken_back_alone() -> None:
    event = make_night(8)
    draw(event)
    first = play_round(event, 1)
    start(event, 2)
    take_back(event, 2)
    event.refresh_from_db()
    assert event.status == Status.RUNNING
    stages = dict(Round.objects.filter(event=event).values_list("number", "stage"))
    assert (stages[1], stages[2]) == (Stage.CLOSED, Stage.DRAWN)
    assert set(TableGame.objects.filter(event=event).values_list("pk", flat=True)) == set(first)


def test_what_was_paid_for_the_games_is_paid_back() -> None:
    club = make_club()
    rules = make_rules(club, overrides={"buy_in": "500", "currency": "EUR"})
    event = make_night(4, club=club, rule_set=rules)
    draw(event)
    start(event, 1)
    assert set(balances().values()) == {-500}
    take_back(event, 1)
    assert set(balances().values()) == {0}


@pytest.mark.parametrize("table", [0, 1])
def test_a_round_of_which_something_is_told_stays(table: int) -> None:
    event = make_night(8)
    draw(event)
    games = start(event, 1)
    play(games[table], 1)
    with pytest.raises(RefusedError, match=f"Table {table + 1} has entered something already"):
        take_back(event, 1)
    assert Round.objects.get(event=event, number=1).stage == Stage.PLAYING
    assert set(Game.objects.values_list("phase", flat=True)) == {Phase.OPEN}


def test_only_a_round_that_is_played_can_be_taken_back() -> None:
    event = make_night(8)
    draw(event)
    with pytest.raises(RefusedError, match="Round 1 is not being played"):
        take_back(event, 1)
    play_round(event, 1)
    with pytest.raises(RefusedError):
        take_back(event, 1)
    with pytest.raises(NotThereError):
        undo_round_start(event_id=uuid4(), number=1, by=DIRECTOR, at=at(9))
