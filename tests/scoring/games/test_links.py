"""Seat links: one game, one seat, never guessed, shown once, closed at any time."""

import json
from datetime import timedelta
from uuid import uuid4

import pytest
from pytest_django import DjangoAssertNumQueries

from scoring.games.links import (
    NewSeatLink,
    actor_of,
    find_link,
    is_open,
    list_links,
    make_links,
    revoke_link,
)
from scoring.hands.recording import confirm_hand, enter_hand
from scoring.models import Game, Phase, SeatLink
from scoring.settlement.plan import GameOverError
from tests.scoring.club import DIRECTOR, at, make_club, make_game
from tests.scoring.hands.test_submission_forms import a_result
from tournaments.audit import find_broken_entries
from tournaments.core.actors import ActorKind, Source
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.ids import LONGEST_LIFE
from tournaments.models import AuditEntry

pytestmark = pytest.mark.django_db


def made(game: Game, *seats: int | None) -> list[NewSeatLink]:
    return make_links(game_id=game.pk, seats=seats or (None,), by=DIRECTOR, at=at())


def test_a_link_opens_its_game_for_its_seat() -> None:
    game = make_game()
    links = made(game, 0, 1, 2, 3, None)
    for seat, one in enumerate(links[:4]):
        link = find_link(one.token, at=at(1))
        assert (link.game, link.seat) == (game, seat)
        actor = actor_of(link)
        assert (actor.kind, actor.source) == (ActorKind.LINK, Source.TABLE)
        assert (actor.id, actor.seat) == (link.pk, seat)
    table = find_link(links[4].token, at=at(1))
    assert actor_of(table, 2).seat == 2


def test_a_link_speaks_for_no_other_seat() -> None:
    game = make_game()
    one, table = (find_link(each.token, at=at(1)) for each in made(game, 1, None))
    assert actor_of(one, 1).seat == 1
    for link, seat in ((one, 0), (table, None), (table, 4), (table, -1)):
        with pytest.raises(RefusedError) as refused:
            actor_of(link, seat)
        assert refused.value.field == "seat"


def test_two_seats_enter_and_confirm_by_their_links() -> None:
    game = make_game(make_club(confirming="required"))
    first, second = (actor_of(find_link(one.token, at=at(1))) for one in made(game, 0, 1))
    hand = enter_hand(game_id=game.pk, sent=a_result(), by=first, at=at(2)).hand
    with pytest.raises(RefusedError):
        confirm_hand(hand_id=hand.pk, version=1, by=first, at=at(3))
    assert confirm_hand(hand_id=hand.pk, version=1, by=second, at=at(3)).hand.state == "accepted"


def test_tokens_are_long_and_kept_nowhere() -> None:
    game = make_game()
    tokens = {one.token for one in made(game, *[None] * 50)}
    assert len(tokens) == 50
    assert all(len(token) * 6 >= 128 for token in tokens)
    assert all(set(token) <= set(map(chr, range(45, 123))) - set("./:") for token in tokens)
    rows = str(list(SeatLink.objects.values())) + str(list(AuditEntry.objects.values()))
    assert not any(token in rows for token in tokens)


def test_an_unknown_token_is_nothing_and_a_closed_one_is_gone() -> None:
    game = make_game()
    lost, late = made(game, 0, 1)
    for token in ("", "x", "a" * 1000, "\ud800", lost.token[:-1], lost.token + "A"):
        with pytest.raises(NotThereError):
            find_link(token, at=at(1))
    revoke_link(game_id=game.pk, link_id=lost.link.pk, by=DIRECTOR, at=at(2))
    with pytest.raises(GoneError, match="revoked"):
        find_link(lost.token, at=at(3))
    assert find_link(late.token, at=at() + LONGEST_LIFE - timedelta(hours=1)) == late.link
    with pytest.raises(GoneError, match="expired"):
        find_link(late.token, at=at() + LONGEST_LIFE)


def test_a_link_outlives_its_game_by_half_a_day() -> None:
    game = make_game()
    (one,) = made(game)
    Game.objects.filter(pk=game.pk).update(phase=Phase.CLOSED, closed_at=at(60))
    assert find_link(one.token, at=at(60 + 11 * 60)) == one.link
    with pytest.raises(GoneError):
        find_link(one.token, at=at(60 + 12 * 60))
    with pytest.raises(GameOverError):
        made(game)


@pytest.mark.parametrize("minutes", [0, -1, LONGEST_LIFE // timedelta(minutes=1) + 1])
def test_a_link_lives_for_a_week_at_most(minutes: int) -> None:
    game = make_game()
    with pytest.raises(RefusedError) as refused:
        make_links(game_id=game.pk, seats=[0], by=DIRECTOR, at=at(), expires_at=at(minutes))
    assert refused.value.field == "expires_at"


def test_only_seats_of_the_table_get_links() -> None:
    game = make_game()
    for seats, field in (([0, 4], "seats.1"), ([-1], "seats.0"), ([], "seats")):
        with pytest.raises(RefusedError) as refused:
            make_links(game_id=game.pk, seats=seats, by=DIRECTOR, at=at())
        assert refused.value.field == field
    with pytest.raises(RefusedError):
        made(game, *[0] * 201)
    assert not SeatLink.objects.exists()


def test_a_link_of_another_game_cannot_be_revoked_here() -> None:
    game, other = make_game(make_club("A")), make_game(make_club("B"))
    (one,) = made(game)
    for place in (other.pk, uuid4()):
        with pytest.raises((SeatLink.DoesNotExist, Game.DoesNotExist)):
            revoke_link(game_id=place, link_id=one.link.pk, by=DIRECTOR, at=at(1))
    assert is_open(list_links(game)[0], at(1))


def test_the_last_use_is_known_to_the_minute_and_costs_nothing(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    game = make_game()
    (one,) = made(game)
    with django_assert_num_queries(2):
        find_link(one.token, at=at(1))
    with django_assert_num_queries(1):
        find_link(one.token, at=at(1) + timedelta(seconds=59))
    assert list_links(game)[0].used_at == at(1)
    find_link(one.token, at=at(2))
    assert list_links(game)[0].used_at == at(2)


def test_what_was_done_stands_in_the_trail_of_the_game() -> None:
    game = make_game()
    (one,) = made(game, 3)
    for minute in (1, 2):
        revoke_link(game_id=game.pk, link_id=one.link.pk, by=DIRECTOR, at=at(minute))
    assert list_links(game)[0].revoked_at == at(1)
    entries = AuditEntry.objects.filter(chain=game.pk, what__contains="link").order_by("number")
    assert [entry.what for entry in entries] == ["links made", "link revoked"]
    assert json.loads(entries[0].details)["links"] == [str(one.link.pk)]
    assert not list(find_broken_entries(game.pk))
