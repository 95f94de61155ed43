"""Games are closed: chips go back, pots are kept or shared, and all of it can be taken back."""

from datetime import timedelta

import pytest

from engine.record.rulings import Decision, Ruling
from scoring.games.closing import Closed, Closing, close_game, make_official, reopen_game
from scoring.games.opening import NewGame, change_game, open_game
from scoring.hands import rulings
from scoring.hands.agreements import object_to_hand
from scoring.ledger import transfers
from scoring.ledger.transfers import CHIPS
from scoring.models import AppealStep, Certainty, Game, Hand, Holder, Phase, State
from scoring.selectors import queries
from scoring.settlement.changes import RulingRequest
from scoring.settlement.plan import GameOverError
from tests.scoring.club import (
    DIRECTOR,
    assert_recomputes,
    at,
    chip_balances,
    chip_hand,
    chips,
    enter,
    make_club,
    make_game,
    make_players,
    make_rules,
    seat,
    state_of,
)
from tournaments.audit import find_broken_entries
from tournaments.core.errors import RefusedError, StaleError
from tournaments.models import AuditEntry, Club, RuleSet

pytestmark = pytest.mark.django_db

NOBODY_CLEAN = (3, 2, 4, 4)


def close(game: Game, *, reason: str = "It is late.", leave_out: bool = False) -> Closed:
    closing = Closing(reason=reason, leave_out=leave_out)
    return close_game(game_id=game.pk, closing=closing, by=DIRECTOR, at=at(200))


def reopen(game: Game, why: str = "A hand was misread.") -> Game:
    return reopen_game(game_id=game.pk, why=why, by=DIRECTOR, at=at(210))


def play(game: Game, *taken: int, bid: int = 6) -> None:
    enter(game, chip_hand(state_of(game), taken, bid=bid))


def jackpot(club: Club) -> int:
    account = transfers.club_account(club, Holder.JACKPOT, CHIPS)
    return transfers.balances([account])[account.pk]


def table(club: Club, rule_set: RuleSet, name: str = "Table 2") -> Game:
    players = [player.pk for player in make_players(club, 4)]
    opening = NewGame(name=name, rule_set=rule_set.pk, players=players)
    return open_game(club_id=club.pk, opening=opening, by=DIRECTOR, at=at(205))


def test_a_game_ends_by_the_directors_word_and_only_with_a_reason() -> None:
    game = make_game()
    play(game, 5, 4, 4, 0)
    with pytest.raises(RefusedError) as refused:
        close(game, reason=" ")
    assert refused.value.field == "reason"
    closed = close(game)
    assert (closed.game.phase, closed.left_out) == (Phase.CLOSED, ())
    assert Game.objects.get(pk=game.pk).closed_at == at(200)
    assert set(chip_balances(game).values()) == {0}
    with pytest.raises(GameOverError):
        play(game, 5, 4, 4, 0)
    with pytest.raises(RefusedError, match="closed already"):
        close(game)


def test_an_open_hand_keeps_a_game_open_and_is_named() -> None:
    game = make_game()
    play(game, 5, 4, 4, 0)
    play(game, 5, 4, 4, 1)
    with pytest.raises(RefusedError, match="Hand 2 is open") as refused:
        close(game)
    assert refused.value.field == "leave_out"
    assert Game.objects.get(pk=game.pk).phase == Phase.OPEN


def test_hands_that_are_left_out_are_void_and_the_others_count() -> None:
    game = make_game()
    play(game, 5, 4, 4, 0)
    play(game, 5, 4, 4, 1)
    enter(game, chip_hand(state_of(game), (0, 4, 4, 5)))
    enter(game, chip_hand(state_of(game), (0, 4, 4, 5)), number=6)
    assert close(game, leave_out=True).left_out == (2,)
    rows = Hand.objects.filter(game=game).order_by("number")
    assert [row.state for row in rows] == ["accepted", "void", "accepted", "draft"]
    assert set(chip_balances(game).values()) == {0}
    reopen(game)
    assert_recomputes(game)


def test_a_second_record_that_nobody_chose_is_left_out_too() -> None:
    game = make_game()
    play(game, 5, 4, 4, 0)
    enter(game, chip_hand(state_of(make_game()), (4, 5, 4, 0)), number=1)
    with pytest.raises(RefusedError, match="Hand 1 is open"):
        close(game)
    assert close(game, leave_out=True).left_out == (1,)
    reopen(game)
    assert_recomputes(game)


def test_hands_are_left_out_in_order_and_those_that_are_right_then_stay() -> None:
    game = make_game()
    play(game, 5, 4, 4, 1)
    play(game, 5, 4, 4, 0)
    enter(game, chip_hand(state_of(make_game()), (4, 5, 4, 0)), number=2)
    play(game, 5, 4, 4, 0)
    assert close(game, leave_out=True).left_out == (1, 2)
    assert Hand.objects.get(game=game, number=3).state == State.ACCEPTED
    reopen(game)
    assert_recomputes(game)


def test_a_text_that_is_no_record_is_left_out_too() -> None:
    game = make_game()
    enter(game, b"we forgot")
    enter(game, b"nothing again")
    play(game, 5, 4, 4, 0)
    assert close(game, leave_out=True).left_out == (1, 2)
    reopen(game)
    assert_recomputes(game)
    assert Hand.objects.get(game=game, number=3).state == State.ACCEPTED


def test_reopening_takes_back_exactly_what_closing_moved() -> None:
    game = make_game()
    play(game, *NOBODY_CLEAN)
    before = chip_balances(game)
    close(game)
    with pytest.raises(RefusedError) as refused:
        reopen(game, " ")
    assert refused.value.field == "why"
    again = reopen(game)
    assert (again.phase, again.closed_at) == (Phase.OPEN, None)
    assert chip_balances(game) == before
    assert_recomputes(game)
    with pytest.raises(RefusedError, match="not closed"):
        reopen(game)
    close(game)
    reopen(game)
    assert chip_balances(game) == before
    assert not list(find_broken_entries(game.pk))
    assert AuditEntry.objects.filter(chain=game.pk, what="game reopened").count() == 2


def test_what_people_wrote_is_in_the_trail_and_never_in_the_books_of_a_game() -> None:
    game = make_game()
    play(game, 5, 4, 4, 0)
    play(game, 5, 4, 4, 1)
    close(game, reason="Bob was drunk.", leave_out=True)
    reopen(game, "Bob was sober.")
    notes = {row.note for row in queries.transfers(game)}
    assert notes <= {"", "opened again", "settled anew", "closed anew"}
    trail = AuditEntry.objects.filter(chain=game.pk).values_list("why", flat=True)
    assert {"Bob was drunk.", "Bob was sober."} <= set(trail)


def test_a_kept_pot_waits_for_the_next_game_of_the_club() -> None:
    club = make_club()
    rule_set = make_rules(club, keeps_jackpot=True)
    first = make_game(club, rule_set)
    play(first, *NOBODY_CLEAN)
    assert chips(first) == "47/42/46/46 pot 19"
    close(first)
    assert jackpot(club) == 19
    assert chip_balances(first)["bank"] == -19
    second, third = table(club, rule_set, "Table 2"), table(club, rule_set, "Table 3")
    assert (chips(second), chips(third)) == ("50/50/50/50 pot 19", "50/50/50/50 pot 0")
    assert jackpot(club) == 0
    with pytest.raises(RefusedError, match="Table 2") as refused:
        reopen(first)
    assert refused.value.field == "jackpot"
    close(second)
    assert jackpot(club) == 19
    assert set(chip_balances(second).values()) == {0}
    reopen(second)
    assert jackpot(club) == 0


def test_a_pot_that_nobody_drew_on_comes_back_when_its_game_is_opened_again() -> None:
    club = make_club()
    rule_set = make_rules(club, keeps_jackpot=True)
    game = make_game(club, rule_set)
    play(game, *NOBODY_CLEAN)
    close(game)
    other = table(club, make_rules(club))
    assert chips(other) == "50/50/50/50 pot 0"
    reopen(game)
    assert (jackpot(club), chips(game)) == (0, "47/42/46/46 pot 19")
    assert_recomputes(game)


def test_other_house_rules_give_a_drawn_jackpot_back() -> None:
    club = make_club()
    rule_set = make_rules(club, keeps_jackpot=True)
    first = make_game(club, rule_set)
    play(first, *NOBODY_CLEAN)
    close(first)
    second = table(club, rule_set)
    for rules, held in ((make_rules(club), 0), (rule_set, 19)):
        changes = {"rule_set": rules.pk}
        second.refresh_from_db()
        change_game(
            game_id=second.pk, changes=changes, version=second.version, by=DIRECTOR, at=at(206)
        )
        assert (state_of(second).pot, jackpot(club)) == (held, 19 - held)
        assert chip_balances(second)["pot"] == held


def test_a_game_is_official_when_its_correction_period_is_over() -> None:
    game = make_game()
    play(game, 5, 4, 4, 0)
    closed_at = at(200)
    with pytest.raises(RefusedError, match="Only a closed game"):
        make_official(game_id=game.pk, by=DIRECTOR, at=closed_at)
    close(game)
    early = closed_at + timedelta(hours=23, minutes=59)
    with pytest.raises(RefusedError, match="21 November 2026, 22:50"):
        make_official(game_id=game.pk, by=DIRECTOR, at=early)
    late = closed_at + timedelta(hours=24)
    assert make_official(game_id=game.pk, by=DIRECTOR, at=late).phase == Phase.OFFICIAL
    assert Hand.objects.get(game=game).certainty == Certainty.OFFICIAL
    assert reopen(game).phase == Phase.OPEN
    assert Hand.objects.get(game=game).certainty == Certainty.PROVISIONAL


def test_once_the_correction_period_is_over_seats_are_sent_to_the_director() -> None:
    game = make_game()
    play(game, 5, 4, 4, 0)
    close(game)
    hand = Hand.objects.get(game=game)
    over = at(200) + timedelta(hours=24)
    with pytest.raises(GameOverError, match="only the director can correct results now"):
        object_to_hand(hand_id=hand.pk, version=1, why="Not so.", by=seat(1), at=over)
    within = over - timedelta(seconds=1)
    object_to_hand(hand_id=hand.pk, version=1, why="Not so.", by=seat(1), at=within)
    assert Hand.objects.get(pk=hand.pk).state == State.ACCEPTED  # the director is called


def test_an_appeal_that_nobody_has_answered_keeps_a_game_from_being_official() -> None:
    game = make_game()
    play(game, 5, 4, 4, 0)
    play(game, 5, 4, 4, 0)
    hand = Hand.objects.get(game=game, number=2)
    decree = RulingRequest(ruling=Ruling(decision=Decision.CHIP_ADJUST, chips=(-2, 0, 2, 0)))
    ruled = rulings.decide(hand_id=hand.pk, decree=decree, revision=1, by=DIRECTOR, at=at(3))

    def appeal(step: AppealStep) -> None:
        number = ruled.decided.pk
        rulings.appeal(ruling_id=number, step=step, text="no", by=DIRECTOR, at=at(4))

    appeal(AppealStep.PENDING)
    close(game)
    late = at(200) + timedelta(hours=25)
    with pytest.raises(RefusedError, match="appeal on hand 2 is pending") as refused:
        make_official(game_id=game.pk, by=DIRECTOR, at=late)
    assert refused.value.field == "phase"
    assert Game.objects.get(pk=game.pk).phase == Phase.CLOSED
    appeal(AppealStep.UPHELD)
    assert make_official(game_id=game.pk, by=DIRECTOR, at=late).phase == Phase.OFFICIAL


def test_whoever_saw_another_version_closes_nothing() -> None:
    game = make_game()
    play(game, 5, 4, 4, 0)
    with pytest.raises(StaleError) as stale:
        close_game(
            game_id=game.pk, closing=Closing(reason="late", version=1), by=DIRECTOR, at=at(9)
        )
    assert stale.value.current == {"phase": "open", "hands": 1, "version": stale.value.theirs}
    version = close(game).game.version
    with pytest.raises(StaleError) as stale:
        reopen_game(game_id=game.pk, why="late", by=DIRECTOR, at=at(210), version=version - 1)
    assert stale.value.current == {"phase": "closed", "hands": 1, "version": version}
    assert Hand.objects.get(game=game).state == State.ACCEPTED


def test_the_first_auction_of_a_game_with_the_clubs_jackpot_is_as_it_should_be() -> None:
    club = make_club()
    rule_set = make_rules(club, keeps_jackpot=True)
    first = make_game(club, rule_set)
    play(first, 3, 2, 4, 4)
    close(first)
    following = make_game(club, rule_set)
    assert state_of(following).pot > 1
    played = enter(following, chip_hand(state_of(following), (5, 4, 4, 0))).played
    assert played is not None
    assert not played.judged.faults
