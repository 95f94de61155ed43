"""Boards begin alike at every table (DEC-6); a round is so many settled hands (DEC-4)."""

from fractions import Fraction
from random import Random
from typing import Any

import pytest
from django.test import Client

from engine.record.game_state import GameState, beginning
from engine.rules.presets import preset
from scoring.games import closing_postings, nights
from scoring.games.closing import Closing, close_game
from scoring.hands.corrections import Correction, correct_hand
from scoring.hands.recording import RecordedHand
from scoring.models import Game, Hand, State
from scoring.settlement import plan
from scoring.transfer.verifying import look_at_club, look_at_games
from scoring.web.desk.floor_tables import find_tables
from tests.scoring.club import (
    DIRECTOR,
    SEATS,
    at,
    chip_hand,
    enter,
    make_club,
    make_rules,
    state_of,
)
from tests.tournaments.night import draw, make_night, play, start
from tournaments.core.errors import RefusedError
from tournaments.events import boards
from tournaments.events.boards import Preparation
from tournaments.models import Club, Event, Result, Table
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs

pytestmark = pytest.mark.django_db
JACKPOT = [13, 0, 0, 0]
"""One seat takes every pain card: nobody wins the pot."""


def duplicate(players: int = 8, **fields: Any) -> Event:
    event = make_night(players, duplicate=True, **({"rounds": 2, "hands": 3} | fields))
    Club.objects.filter(pk=event.club_id).update(is_public=True)
    boards.prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    draw(event)
    return event


def stopped(game: Game, ending: str) -> RecordedHand:
    """A hand that had no result."""
    text = chip_hand(state_of(game), JACKPOT).decode()
    head = [line for line in text.splitlines() if not line.startswith(("[Score", "[Pain", "[Decl"))]
    head = [line for line in head if line.startswith(("%", "[")) and "Jackpot" not in line]
    return enter(game, "\n".join([*head, f'[Termination "{ending}"]', ""]).encode())


def played_boards(game: Game) -> list[int | None]:
    return list(Hand.objects.filter(game=game).order_by("number").values_list("board", flat=True))


def is_verified(event: Event) -> bool:
    games = list(Game.objects.filter(table__round__event=event).values_list("pk", flat=True))
    return not look_at_games(games).differences and not look_at_club(event.club_id)


def fresh(board: int, size: int = 4) -> tuple[object, ...]:
    anew = beginning(preset("bicycle"), size)
    return ((board - 1) % size, anew.chips, 0, 0, None, None, board - 1)


def seen(state: GameState) -> tuple[object, ...]:
    return (
        int(state.dealer), state.chips, state.pot, state.jackpot, state.namer, state.over,
        state.deals,
    )  # fmt: skip


def test_after_a_jackpot_at_one_table_the_next_board_begins_alike_at_all() -> None:
    first, second = start(duplicate(), 1)
    assert seen(state_of(first)) == fresh(1)
    assert enter(first, chip_hand(state_of(first), JACKPOT)).hand.state == State.ACCEPTED
    enter(second, chip_hand(state_of(second), [0, 4, 4, 5]))
    for game in (first, second):
        assert seen(state_of(game)) == fresh(2)
        assert enter(game, chip_hand(state_of(game), [0, 0, 6, 7])).hand.state == State.ACCEPTED
        assert seen(state_of(game)) == fresh(3)
        assert played_boards(game) == [1, 2]
        score = Result.objects.filter(game=game.pk, number=2).order_by("seat")
        assert list(score.values_list("score", flat=True)) == [8, 5, -6, -7]


def test_later_rounds_begin_their_boards_by_number_too() -> None:
    event = duplicate()
    for game in start(event, 1):
        play(game, 3)
    nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(1))
    for game in start(event, 2):
        assert seen(state_of(game)) == fresh(4)
        play(game, 1, "jackpot or not")
        assert seen(state_of(game)) == fresh(5)


def test_a_board_on_which_a_seat_went_bust_does_not_end_the_night() -> None:
    game, _ = start(duplicate(), 1)
    enter(game, chip_hand(state_of(game), JACKPOT, bidder="N", bid=37))
    state = state_of(game)
    assert seen(state) == fresh(2)
    assert Game.objects.get(pk=game.pk).phase == "open"


def test_what_is_left_in_pots_goes_where_a_jackpot_goes_at_the_end_of_a_game() -> None:
    event = duplicate(rounds=1)
    Club.objects.filter(pk=event.club_id).update(currency="EUR")
    rules = make_rules(event.club, overrides={"buy_in": "1000", "currency": "EUR"})
    event = duplicate(rounds=1, rule_set=rules, club=event.club)
    game, _ = start(event, 1)
    enter(game, chip_hand(state_of(game), JACKPOT))  # 16 chips stay
    enter(game, chip_hand(state_of(game), [0, 0, 6, 7]))
    enter(game, chip_hand(state_of(game), JACKPOT))
    come_to = plan.read_carried_state(Game.objects.get(pk=game.pk))
    assert come_to.pot == 32
    assert come_to.chips == (50 - 13 + 8 - 13, 50 - 3 + 5 - 3, 50 - 6, 50 - 7)
    whole = closing_postings.compute_outcome(Game.objects.get(pk=game.pk))
    assert sum(whole.amounts) == whole.pool == 4000
    equal = [Fraction(4000 * (4 * held + 32), 4 * 200) for held in come_to.chips]
    assert all(abs(paid - share) < 1 for paid, share in zip(whole.amounts, equal, strict=True))
    close_game(game_id=game.pk, closing=Closing(reason="Done."), by=DIRECTOR, at=at(9))
    assert is_verified(event)


@pytest.mark.parametrize("ending", ["redeal", "abandoned"])
def test_a_hand_without_a_result_is_no_hand_of_the_round(ending: str) -> None:
    event = duplicate(hands=2)
    game, other = start(event, 1)
    play(other, 2)
    play(game, 1)
    stopped(game, ending)
    row = Game.objects.get(pk=game.pk)
    assert (row.hands, row.counted) == (2, 1)
    with pytest.raises(RefusedError, match=r"table 1 has played 1 of 2 hands"):
        nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(5))
    round_row = row.table.round if row.table is not None else None
    assert round_row is not None
    floor = {one.number: one for one in find_tables(event, round_row, at(5))}
    assert (floor[1].hands, floor[1].is_done, floor[2].is_done) == (1, False, True)
    assert [one.hands for one in read_event_inputs(event.pk).games] == [1, 2]
    due = 2 if ending == "redeal" else 3
    assert seen(state_of(game)) == fresh(due)
    play(game, 1)
    assert Game.objects.get(pk=game.pk).counted == 2
    assert played_boards(game) == [1, 2, due]
    assert is_verified(event)
    nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(5))


def test_a_misdeal_that_is_found_later_does_not_move_the_boards_of_later_hands() -> None:
    event = duplicate()
    game, _ = start(event, 1)
    first = enter(game, chip_hand(state_of(game), JACKPOT)).hand
    play(game, 1)
    second = Result.objects.filter(game=game.pk, number=2).order_by("seat")
    before = list(second.values_list("seat", "score", "board"))
    text = chip_hand(plan.state_before(game, 1), JACKPOT).decode()
    text = text.split("[ScoreTable")[0].replace('[Declarer "E"]\n[PainSuit "H"]\n', "")
    correct_hand(
        hand_id=first.pk,
        correction=Correction(
            text=(text + '[Termination "redeal"]\n').encode(), why="It was misdealt."
        ),
        by=DIRECTOR,
        at=at(5),
    )
    assert played_boards(game) == [1, 2]
    assert list(second.all().values_list("seat", "score", "board")) == before
    assert seen(state_of(game)) == fresh(3)
    assert is_verified(event)


@pytest.mark.parametrize("seed", range(8))
def test_phone_desk_standings_and_books_agree_whatever_happens(seed: int) -> None:
    event, dice = duplicate(hands=4, rounds=1), Random(seed)
    games = start(event, 1)
    for game in games:
        for _ in range(7):
            if dice.random() < 0.4:
                stopped(game, dice.choice(["redeal", "abandoned"]))
            else:
                play(game, 1, dice.random())
    for game in games:
        rows = Hand.objects.filter(game=game)
        counted = rows.filter(state__in=[State.ACCEPTED, State.PASSED_OUT]).count()
        assert Game.objects.get(pk=game.pk).counted == counted
        (summed,) = (one.hands for one in read_event_inputs(event.pk).games if one.id == game.pk)
        assert summed == counted
        settled = [row.board or 0 for row in rows.order_by("number") if row.state == State.ACCEPTED]
        assert settled == sorted(set(settled))
        shown = Client().get(f"/api/v1/games/{game.pk}").json()
        assert shown["counted"] == counted
        board = state_of(game).deals + 1
        assert shown["next"]["board"] == (board if board <= 4 else None)
        carried = plan.read_carried_state(Game.objects.get(pk=game.pk))
        scores = Result.objects.filter(game=game.pk).order_by("seat")
        gained = [0] * 4
        for row in scores:
            gained[row.seat] += row.score
        assert [50 + gain for gain in gained] == list(carried.chips)
        assert sum(carried.chips) + carried.pot == 200
    assert is_verified(event)


def test_a_table_that_did_not_play_a_board_gets_the_score_that_the_scoring_names() -> None:
    event = duplicate(12, rounds=1, hands=2, scoring={"method": "matchpoints"})
    games = start(event, 1)
    for game in games:
        play(game, 1, game.pk)
    for game in games[:2]:
        play(game, 1, game.pk)
    nights.end_round(event_id=event.pk, number=1, why="Late.", by=DIRECTOR, at=at(5))
    missed = [one for one in read_event_inputs(event.pk).boards if one.score is None]
    assert {(one.game, one.board) for one in missed} == {(games[2].pk, 2)}
    assert sorted(one.to_dealer for one in missed) == [0, 1, 2, 3]
    # At each seat the board of three tables brings 6 matchpoints, played or assigned.
    assert matchpoints(event) == 2 * 4 * 6
    Event.objects.filter(pk=event.pk).update(
        scoring={"method": "matchpoints", "unplayed_boards": "none"}
    )
    assert matchpoints(event) == 2 * 4 * 6 - 4 * 2


def matchpoints(event: Event) -> Fraction:
    standings: Any = rank_event_inputs(read_event_inputs(event.pk))
    return sum((Fraction(row["total"]) for row in standings["rows"]), Fraction(0))


def test_a_foot_on_a_board_is_no_hand_and_the_board_is_dealt_again() -> None:
    club = make_club()
    event = duplicate(4, rounds=1, club=club, rule_set=make_rules(club, "insurance"))
    (game,) = start(event, 1)
    state = state_of(game)
    text = (
        '% PHN 1.0\n[Variant "insurance"]\n[Seats "N E S W"]\n'
        f'[Dealer "{SEATS[state.dealer]}"]\n[Detail "score"]\n[Termination "foot"]\n'
        '[InsuranceTable "N;E;S;W"]\nF 0 0 0\n'
    )
    hand = enter(game, text.encode()).hand
    assert (hand.state, hand.board) == (State.FOOT, 1)
    row = Game.objects.get(pk=game.pk)
    assert (row.hands, row.counted) == (1, 0)
    again = state_of(game)
    assert (again.dealer, again.deals, set(map(int, again.feet))) == (
        state.dealer,
        state.deals,
        {0},
    )
    assert [one.hands for one in read_event_inputs(event.pk).games] == [0]
    assert is_verified(event)


def test_games_outside_of_prepared_boards_carry_on_as_ever() -> None:
    event = make_night(8, rounds=1)
    draw(event)
    game, _ = start(event, 1)
    assert not Table.objects.get(played=game).boards
    enter(game, chip_hand(state_of(game), JACKPOT))
    assert (state_of(game).jackpot, state_of(game).pot) == (1, 16)
    assert played_boards(game) == [None]
