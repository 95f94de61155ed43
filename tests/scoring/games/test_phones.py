"""Phones that follow their player: their seat, at this moment, and no other."""

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.core.seats import Seat
from scoring.games.links import actor_of, find_link
from scoring.games.nights import Permutation, end_round, permute_seats
from scoring.games.opening import SeatChange, seat_player
from scoring.games.phones import (
    NewPhone,
    end_phone,
    find_phone,
    follow_player,
    following_phones,
    game_of_player,
    link_phone,
    seats_with_phones,
    sign_in_from_phone,
)
from scoring.games.table_codes import table_link
from scoring.games.undo_round_start import undo_round_start
from scoring.models import Game, PlayerPhone, SeatLink, Sitting
from tests.scoring.club import DIRECTOR, at, make_club, make_game, make_players
from tests.tournaments.night import draw, make_night, start
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.models import AuditEntry, Event, PlayerDevice, SignInMethod, TableSeat
from tournaments.people.player_devices import sign_in_device

pytestmark = pytest.mark.django_db


def opened(game: Game) -> SeatLink:
    found = table_link(game, at(2))
    assert found is not None
    return find_link(found[1], at=at(2))


def claim(game: Game, seat: int, minutes: int = 2) -> NewPhone:
    """Somebody at a table says with their phone that they sit there."""
    return follow_player(link=opened(game), seat=Seat(seat), at=at(minutes))


def a_night(rounds: int = 2) -> tuple[Event, list[Game]]:
    event = make_night(8)
    for _ in range(rounds):
        draw(event)
    return event, start(event, 1)


def go_on(event: Event, number: int = 2) -> list[Game]:
    end_round(event_id=event.pk, number=number - 1, why="Time.", by=DIRECTOR, at=at(20))
    return start(event, number)


def seat_now(token: str, minutes: int = 30) -> int | None:
    return find_link(token, at=at(minutes)).seat


def test_a_phone_follows_its_player_to_the_next_table() -> None:
    event, games = a_night()
    made = claim(games[0], 2)
    player = made.phone.player_id
    assert seat_now(made.link.token, 3) == 2
    tables = go_on(event)
    found = find_phone(made.token, at=at(22))
    game = game_of_player(event, player)
    assert game in tables
    link, token = link_phone(phone=found, game_id=game.pk, at=at(22))
    assert link_phone(phone=found, game_id=game.pk, at=at(23))[1] == token
    sits = game.sittings.get(player=player)
    assert (link.game, link.seat) == (game, sits.seat)
    assert actor_of(find_link(token, at=at(24))).seat == sits.seat
    assert seats_with_phones(game) == {sits.seat}


def test_it_speaks_for_its_own_seat_alone() -> None:
    _event, games = a_night()
    link = find_link(claim(games[0], 1).link.token, at=at(3))
    assert actor_of(link, 1).seat == 1
    for seat in (0, 2, 3):
        with pytest.raises(RefusedError):
            actor_of(link, seat)


def test_it_goes_to_no_table_where_its_player_does_not_sit() -> None:
    event, games = a_night()
    phone = claim(games[0], 1).phone
    other = make_night(8, club=make_club("Delft"))
    draw(other)
    for game in (games[1], start(other, 1)[0], make_game(event.club)):
        with pytest.raises(NotThereError):
            link_phone(phone=phone, game_id=game.pk, at=at(3))


def test_who_changes_places_speaks_for_the_new_seat() -> None:
    _event, games = a_night()
    made = claim(games[0], 0)
    table = games[0].table
    assert table is not None
    seats = list(TableSeat.objects.filter(table=table).order_by("seat"))
    turned = [*(seat.entry_id for seat in seats[1:]), seats[0].entry_id]
    permutation = Permutation(entries=turned, why="We sat differently.")
    permute_seats(table_id=table.pk, permutation=permutation, by=DIRECTOR, at=at(4))
    assert seat_now(made.link.token) == 3


def test_who_gave_their_seat_to_a_substitute_speaks_for_nobody() -> None:
    event, games = a_night()
    made = claim(games[0], 0)
    (substitute,) = make_players(event.club, 1)
    change = SeatChange(seat=0, player=substitute.pk, first=1, why="Went home.")
    seat_player(game_id=games[0].pk, change=change, by=DIRECTOR, at=at(5))
    with pytest.raises(GoneError):
        find_link(made.link.token, at=at(6))
    with pytest.raises(NotThereError):
        link_phone(phone=made.phone, game_id=games[0].pk, at=at(6))
    assert claim(games[0], 0, 7).phone.player_id == substitute.pk


@settings(max_examples=12, deadline=None)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("turn"), st.integers(1, 3)),
            st.tuples(st.just("substitute"), st.integers(0, 3)),
            st.tuples(st.just("phone"), st.integers(0, 3)),
        ),
        min_size=1,
        max_size=6,
    )
)
def test_no_phone_speaks_for_a_seat_that_its_player_does_not_hold(
    steps: list[tuple[str, int]],
) -> None:
    with transaction.atomic():
        event, games = a_night(1)
        game, table = games[0], games[0].table_id
        assert table is not None
        made: list[NewPhone] = []
        for step, number in steps:
            if step == "phone":
                made.append(claim(game, number))
            elif step == "substitute":
                (player,) = make_players(event.club, 1)
                change = SeatChange(seat=number, player=player.pk, first=1, why="Went home.")
                seat_player(game_id=game.pk, change=change, by=DIRECTOR, at=at(4))
            elif Sitting.objects.filter(game=game).count() == game.players:
                seats = list(TableSeat.objects.filter(table=table).order_by("seat"))
                entries = [seat.entry_id for seat in seats]
                turned = Permutation(entries=entries[number:] + entries[:number], why="So it was.")
                permute_seats(table_id=table, permutation=turned, by=DIRECTOR, at=at(4))
            held = dict(
                Sitting.objects.filter(game=game, last=None).values_list("player_id", "seat")
            )
            for one in made:
                if one.phone.player_id in held:
                    assert seat_now(one.link.token) == held[one.phone.player_id]
                else:
                    with pytest.raises(GoneError):
                        find_link(one.link.token, at=at(30))
        transaction.set_rollback(True)


def test_the_director_ends_a_phone_for_ever() -> None:
    event, games = a_night()
    made = claim(games[0], 0)
    assert following_phones(event) == [made.phone]
    for minute in (3, 4):
        end_phone(event_id=event.pk, phone_id=made.phone.pk, by=DIRECTOR, at=at(minute))
    assert following_phones(event) == []
    for find in (
        lambda: find_link(made.link.token, at=at(5)),
        lambda: find_phone(made.token, at=at(5)),
        lambda: link_phone(phone=made.phone, game_id=games[0].pk, at=at(5)),
    ):
        with pytest.raises(GoneError):
            find()
    assert AuditEntry.objects.filter(what="phone ended").count() == 1
    other = make_night(8, club=make_club("Delft"))
    with pytest.raises(NotThereError):
        end_phone(event_id=other.pk, phone_id=made.phone.pk, by=DIRECTOR, at=at(5))


def test_another_phone_of_the_same_player_takes_over() -> None:
    event, games = a_night()
    first, second = claim(games[0], 0), claim(games[0], 0, 3)
    assert following_phones(event) == [second.phone]
    with pytest.raises(GoneError):
        find_phone(first.token, at=at(4))
    assert seat_now(first.link.token, 4) == 0, "what waits on it can still be sent"


def test_what_was_signed_in_from_a_phone_ends_when_another_takes_over() -> None:
    _event, games = a_night()
    first, other = claim(games[0], 0), claim(games[0], 1)
    for made in (first, other):
        sign_in_from_phone(phone=made.phone, at=at(3))
    code = sign_in_device(player_id=first.phone.player_id, method=SignInMethod.CODE, at=at(3))
    claim(games[0], 0, 4)
    left = PlayerDevice.objects.values_list("player", "phone_id").order_by("made_at")
    assert set(left) == {
        (other.phone.player_id, other.phone.pk),
        (code.device.player_id, None),
    }
    entry = AuditEntry.objects.get(what="device signed out with its phone")
    assert str(first.phone.player_id) in entry.details


def test_what_was_signed_in_from_a_phone_ends_when_the_director_ends_the_phone() -> None:
    event, games = a_night()
    made = claim(games[0], 0)
    sign_in_from_phone(phone=made.phone, at=at(3))
    end_phone(event_id=event.pk, phone_id=made.phone.pk, by=DIRECTOR, at=at(4))
    assert not PlayerDevice.objects.exists()
    entry = AuditEntry.objects.get(what="device signed out with its phone")
    assert entry.by == DIRECTOR.label


def test_a_phone_cannot_push_out_the_other_devices_of_its_player() -> None:
    _event, games = a_night()
    made = claim(games[0], 0)
    sign_in_device(player_id=made.phone.player_id, method=SignInMethod.CODE, at=at(3))
    for _number in range(2):
        sign_in_from_phone(phone=made.phone, at=at(4))
    methods = PlayerDevice.objects.order_by("made_at").values_list("method", flat=True)
    assert list(methods) == [SignInMethod.CODE, SignInMethod.PHONE]


def test_a_device_says_at_which_table_its_phone_began_to_follow() -> None:
    event, games = a_night()
    made = claim(games[1], 0)
    table = games[1].table
    assert table is not None
    go_on(event)
    device = sign_in_from_phone(phone=made.phone, at=at(25)).device
    assert (device.event, device.table) == (event, table.number)


def test_a_phone_that_was_replaced_meanwhile_signs_nobody_in() -> None:
    _event, games = a_night()
    first = find_phone(claim(games[0], 0).token, at=at(3))
    claim(games[0], 0, 4)
    with pytest.raises(GoneError):
        sign_in_from_phone(phone=first, at=at(4))
    assert not PlayerDevice.objects.exists()


def test_nobody_is_followed_from_a_table_that_they_have_left() -> None:
    event, games = a_night()
    link = opened(games[0])
    go_on(event)
    with pytest.raises(RefusedError):
        follow_player(link=link, seat=Seat(0), at=at(22))
    assert not PlayerPhone.objects.exists()


def test_a_game_of_no_event_is_followed_by_nobody() -> None:
    game = make_game()
    link = SeatLink(game=game, seat=None)
    with pytest.raises(RefusedError):
        follow_player(link=link, seat=Seat(0), at=at(2))


def test_a_start_that_was_taken_back_ends_the_links_but_not_the_phone() -> None:
    event, games = a_night()
    made = claim(games[0], 0)
    undo_round_start(event_id=event.pk, number=1, by=DIRECTOR, at=at(4))
    with pytest.raises(GoneError):
        find_link(made.link.token, at=at(5))
    started = start(event, 1)
    phone = find_phone(made.token, at=at(6))
    link, _token = link_phone(phone=phone, game_id=started[0].pk, at=at(6))
    assert (link.game, link.seat) == (started[0], 0)


def test_the_night_ends_some_hours_after_its_end() -> None:
    event, games = a_night()
    made = claim(games[0], 0)
    event.refresh_from_db()
    event.finished_at = at(60)
    event.save()
    assert find_phone(made.token, at=at(60 + 12 * 60 - 1)) == made.phone
    with pytest.raises(GoneError):
        find_phone(made.token, at=at(60 + 12 * 60))


def test_its_token_is_kept_nowhere() -> None:
    _event, games = a_night()
    made = claim(games[0], 0)
    rows = str(list(PlayerPhone.objects.values())) + str(list(AuditEntry.objects.values()))
    assert made.token not in rows
    assert len(made.token) * 6 >= 128
