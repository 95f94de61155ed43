"""Closed games are corrected: the closing follows, and jackpots that are drawn on stay."""

import pytest
from django.db import transaction

from scoring.games import closing_postings
from scoring.games.closing import close_again, close_if_closed, reopen_game
from scoring.games.night_sheets import open_balances
from scoring.games.opening import NewGame, SeatChange, lock_with_club, open_game, seat_player
from scoring.hands.recording import add_version
from scoring.hands.submission import HandSubmission
from scoring.ledger import transfers
from scoring.ledger.transfers import CHIPS, Stamp
from scoring.models import Game, Hand, Holder, Phase, State
from scoring.selectors import queries
from scoring.settlement.plan import carry_out, plan
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_balances,
    chips,
    enter,
    make_club,
    make_game,
    make_players,
    make_rules,
    state_of,
)
from tests.scoring.table_money import (
    arrange,
    balance,
    close,
    hand_of_chips,
    open_table,
    seated,
    won,
)
from tournaments.core.errors import RefusedError
from tournaments.models import Club, Player

pytestmark = pytest.mark.django_db

NOBODY_CLEAN = (3, 2, 4, 4)


@transaction.atomic
def correct(game: Game, number: int, text: bytes) -> bool:
    """Correct a hand of a closed game, and close the game again."""
    locked, stamp = lock_with_club(game.pk), Stamp(DIRECTOR, at(300))
    hand = Hand.objects.get(game=locked, number=number, rival=None)
    hand.current += 1
    hand.save()
    add_version(hand, HandSubmission(id=hand.pk, number=number, text=text), stamp)
    carry_out(plan(locked, number), stamp=stamp)
    return close_again(locked, stamp)


def in_jackpot(club: Club, unit: str) -> int:
    accounts = club.accounts.filter(holder=Holder.JACKPOT, unit=unit)
    return sum(transfers.balances(accounts).values())


def again(game: Game) -> Game:
    """The next night: the same house rules, other people."""
    players = [player.pk for player in make_players(game.club, 4)]
    assert game.rule_set_id is not None
    opening = NewGame(name="The next night", rule_set=game.rule_set_id, players=players)
    return open_game(club_id=game.club_id, opening=opening, by=DIRECTOR, at=at(220))


def test_a_corrected_hand_moves_the_payouts_of_a_closed_game() -> None:
    game = open_table(make_club(), buy_in="1000")
    first = hand_of_chips(game, (5, 4, 4, 0))
    other = hand_of_chips(game, (0, 4, 4, 5))
    enter(game, first)
    close(game)
    assert won(game) == [-100, -140, -80, 320]
    assert correct(game, 1, other)
    assert won(game) == [320, -140, -80, -100]
    assert set(chip_balances(game).values()) == {0}
    game.refresh_from_db()
    assert (game.phase, game.closed_at) == (Phase.CLOSED, at(200))
    rows = queries.transfers(game).count()
    assert correct(game, 1, first + b"; again\n")
    assert won(game) == [-100, -140, -80, 320]
    assert correct(game, 1, first)
    assert queries.transfers(game).count() > rows


def test_a_correction_that_changes_nothing_posts_nothing() -> None:
    game = open_table(make_club(), buy_in="1000")
    text = hand_of_chips(game, (5, 4, 4, 0))
    enter(game, text)
    close(game)
    rows = queries.transfers(game).count()
    assert correct(game, 1, text + b"; a note\n")
    assert queries.transfers(game).count() == rows


def test_a_correction_that_leaves_a_hand_open_opens_the_game() -> None:
    game = open_table(make_club(), buy_in="1000")
    text = hand_of_chips(game, (5, 4, 4, 0))
    wrong = hand_of_chips(game, (5, 4, 4, 1))
    enter(game, text)
    close(game)
    assert not correct(game, 1, wrong)
    game.refresh_from_db()
    assert (game.phase, game.closed_at) == (Phase.OPEN, None)
    assert won(game) == [-1000] * 4
    assert transfers.closing(game) == []


def test_a_hand_that_waits_for_one_that_never_came_does_not_open_a_closed_game() -> None:
    game = open_table(make_club(), buy_in="1000")
    for number in (1, 2, 5):
        enter(game, hand_of_chips(game, (5, 4, 4, 0)), number=number)
    with pytest.raises(RefusedError, match="Hand 5 is open"):
        close(game)
    assert close(game, leave_out=True).left_out == ()
    assert correct(game, 2, hand_of_chips(game, (0, 4, 4, 5)))
    game.refresh_from_db()
    assert (game.phase, game.closed_at) == (Phase.CLOSED, at(200))
    assert won(game) == [220, -280, -160, 220]
    assert Hand.objects.get(game=game, number=5).state == State.DRAFT


@transaction.atomic
def settle_again(game: Game) -> bool:
    return close_if_closed(lock_with_club(game.pk), Stamp(DIRECTOR, at(310)))


def test_whoever_changes_a_hand_hears_whether_its_game_was_opened_again() -> None:
    game = open_table(make_club(), buy_in="1000")
    enter(game, hand_of_chips(game, (5, 4, 4, 0)))
    assert not settle_again(game)
    close(game)
    assert not settle_again(game)
    Hand.objects.filter(game=game).update(state=State.DISPUTED)
    assert settle_again(game)
    game.refresh_from_db()
    assert game.phase == Phase.OPEN
    assert not settle_again(game)


def test_a_jackpot_is_worth_the_same_the_next_night() -> None:
    club = make_club()
    game = open_table(club, keeps=True, buy_in="1000")
    enter(game, hand_of_chips(game, NOBODY_CLEAN, bid=6))
    closed = close(game)
    assert closed.outcome.amounts == (940, 840, 920, 920)
    assert (in_jackpot(club, CHIPS), in_jackpot(club, "EUR")) == (19, 380)
    second = again(game)
    assert chips(second) == "50/50/50/50 pot 19"
    assert (in_jackpot(club, CHIPS), in_jackpot(club, "EUR")) == (0, 0)
    enter(second, hand_of_chips(second, (5, 4, 4, 0), bid=3))
    assert chips(second) == "45/43/46/85 pot 0"
    closed = close(second)
    assert (closed.outcome.pool, closed.outcome.jackpot) == (4380, 0)
    assert sum(won(second)) == 380
    third = again(game)
    assert chips(third) == "50/50/50/50 pot 0"


def other_stakes(club: Club, **overrides: str) -> Game:
    """A night for other stakes, whose house rules keep jackpots as well."""
    return make_game(club, make_rules(club, "bicycle", overrides, keeps_jackpot=True))


def test_chips_and_their_money_never_part() -> None:
    club = make_club()
    game = open_table(club, keeps=True, buy_in="1000")
    enter(game, hand_of_chips(game, NOBODY_CLEAN, bid=6))
    close(game)
    for overrides in (
        {},
        {"buy_in": "2000"},
        {"buy_in": "1000", "starting_chips": "40"},
        {"buy_in": "1000", "currency": "USD"},
    ):
        assert state_of(other_stakes(club, **overrides)).pot == 0
        assert (in_jackpot(club, CHIPS), in_jackpot(club, "EUR")) == (19, 380)
    free = other_stakes(club)
    enter(free, hand_of_chips(free, NOBODY_CLEAN, bid=6))
    close(free)
    assert (in_jackpot(club, CHIPS), in_jackpot(club, "EUR")) == (38, 380)
    assert state_of(other_stakes(club, buy_in="2000", starting_chips="100")).pot == 19
    assert (in_jackpot(club, CHIPS), in_jackpot(club, "EUR")) == (19, 0)
    assert state_of(other_stakes(club)).pot == 19
    assert in_jackpot(club, CHIPS) == 0


def test_the_odd_cent_beside_a_kept_pot_stays_in_it_whatever_the_house_says() -> None:
    """DEC-11: the fund would get what is left over between the players alone."""
    club = make_club()
    game = open_table(club, keeps=True, buy_in="333", spare_units="club_fund")
    arrange(game, chips=(61, 47, 47, 44), pot=1)
    closed = close(game).outcome
    assert (closed.pool, closed.jackpot, closed.fund) == (1332, 7, 0)
    assert closed.amounts == (406, 313, 313, 293)
    assert sum(closed.amounts) + 7 == 1332


def test_a_jackpot_that_is_drawn_on_holds_later_corrections_to_it() -> None:
    club = make_club()
    game = open_table(club, keeps=True, buy_in="1000")
    first = hand_of_chips(game, NOBODY_CLEAN, bid=6)
    same_pot = hand_of_chips(game, (4, 4, 3, 2), bid=6)
    no_pot = hand_of_chips(game, (5, 4, 4, 0), bid=6)
    enter(game, first)
    close(game)
    again(game)
    assert correct(game, 1, same_pot)
    assert won(game) == [-80, -200, -60, -40]
    with pytest.raises(RefusedError, match="The next night"):
        correct(game, 1, no_pot)
    assert won(game) == [-80, -200, -60, -40]
    with pytest.raises(RefusedError, match="The next night"):
        reopen_game(game_id=game.pk, why="misread", by=DIRECTOR, at=at(310))


def substitute(game: Game, seat: int, first: int, player: Player | None = None) -> Player:
    player = player or make_players(game.club, 1)[0]
    change = SeatChange(seat=seat, player=player.pk, first=first)
    seat_player(game_id=game.pk, change=change, by=DIRECTOR, at=at(3))
    return player


def three_hands(game: Game, sits_from: int) -> Player:
    """Somebody sits in for N from a hand on; N's seat ends with 92 of the 200 chips."""
    for _ in range(1, sits_from):
        enter(game, hand_of_chips(game, (0, 4, 4, 5), bid=1))
    player = substitute(game, 0, sits_from)
    for _ in range(sits_from, 4):
        enter(game, hand_of_chips(game, (0, 4, 4, 5), bid=1))
    assert state_of(game).chips[0] == 92
    return player


@pytest.mark.parametrize(
    ("credit", "sits_from", "entrant", "other"),
    [
        ("entrant", 2, 840, 0),
        ("majority", 2, 0, 840),
        ("majority", 3, 840, 0),
        ("per_hand", 2, 280, 560),
        ("per_hand", 3, 560, 280),
    ],
)
def test_a_seats_result_belongs_to_whom_the_house_says(
    credit: str, sits_from: int, entrant: int, other: int
) -> None:
    game = open_table(make_club(), buy_in="1000", credit=credit)
    player = three_hands(game, sits_from)
    before = chip_balances(game)
    close(game)
    assert (won(game)[0], balance(player.pk, game.club)) == (entrant, other)
    reopen_game(game_id=game.pk, why="again", by=DIRECTOR, at=at(210))
    assert (won(game)[0], balance(player.pk, game.club)) == (-1000, 0)
    assert chip_balances(game) == before
    close(game)
    assert (won(game)[0], balance(player.pk, game.club)) == (entrant, other)


def test_who_sits_down_before_the_first_hand_owes_the_stake() -> None:
    game = open_table(make_club(), buy_in="1000")
    (left, *_) = seated(game)
    player = substitute(game, 0, 1)
    assert (balance(left, game.club), balance(player.pk, game.club)) == (0, -1000)
    close(game)
    assert balance(player.pk, game.club) == 0
    assert closing_postings.find_differences([Game.objects.get(pk=game.pk)])[game.pk] == []


def test_whoever_compares_sees_what_the_books_should_say() -> None:
    game = open_table(make_club(), buy_in="1000")
    enter(game, hand_of_chips(game, (5, 4, 4, 0)))
    close(game)
    stamp = Stamp(DIRECTOR, at(300))
    (*_, last) = transfers.closing(game)
    transfers.reverse([last], stamp=stamp, note="a slip")
    ((kept, right),) = closing_postings.find_differences([Game.objects.get(pk=game.pk)])[game.pk]
    lost = set(right.split("; ")) - set(kept.split("; "))
    assert lost == {f"PAYOUT 1320 from the pool in EUR to player {seated(game)[3]} in EUR"}


def test_a_merged_duplicate_is_paid_as_who_he_is() -> None:
    game = open_table(make_club(), buy_in="1000")
    (one, two, *_) = Player.objects.filter(pk__in=seated(game)).order_by("number")
    (known,) = make_players(game.club, 1)
    Player.objects.filter(pk=one.pk).update(merged_into=known)
    arrange(game, chips=(80, 50, 40, 30))
    close(game)
    open_now = {row.player: row.amount for row in open_balances(club_id=game.club_id)}
    assert open_now[known.pk] == 600
    assert (one.pk in open_now, two.pk in open_now) == (False, False)
    assert sum(open_now.values()) == 0
    assert closing_postings.find_differences([Game.objects.get(pk=game.pk)])[game.pk] == []
