"""The worth of the cards, kept with the results of hands and shown where cards may be seen."""

import re
from fractions import Fraction
from uuid import UUID

import pytest
from django.test import Client

from engine.analysis.worth import THOUSANDTHS, worth_version
from engine.core.seats import left_of
from engine.live.hand import Phase, start
from engine.replay.deals import deal
from scoring.jobs import nightly
from scoring.models import Game, NightlyTask
from scoring.settlement.plan import rules_of
from scoring.submissions.reading import write_hand
from scoring.transfer.verifying import look_at_games, value_cards
from tests.engine.table import record_of, seeded, some_action
from tests.scoring.club import DIRECTOR, enter, make_players, state_of
from tests.tournaments.publishing.nights import Night, publish_all, publish_statistics
from tests.web.boards import play_board, start_duplicate
from tests.web.window import Window, make_window, member_of
from tournaments.models import Player, Result, Stale, TableGame
from tournaments.people.members import merge_player
from tournaments.publishing.player_lines import GameSelection
from tournaments.publishing.player_statistics import find_statistics

pytestmark = pytest.mark.django_db


def play_cards(game: Game, hands: int) -> None:
    """Enter hands with all their cards."""
    dice, left = seeded(hands), hands
    while left:
        rules, before = rules_of(game), state_of(game)
        order = dice.sample(range(52), 52)
        eldest = left_of(before.dealer, game.players)
        hand = start(rules, before, deal(rules, game.players, order, eldest))
        while hand.phase is not Phase.DONE:
            hand = hand.apply(some_action(hand, dice))
        settled = hand.settle()
        if settled.facts.status.settles and min(settled.after.chips) > 5:
            enter(game, write_hand(record_of(hand)).text)
            game.refresh_from_db()
            left -= 1


@pytest.fixture
def night() -> Night:
    """A table at which two hands are told with all cards, and one by what was taken."""
    night = Night(hands=60)
    game = night.seat(1)[0]
    play_cards(game, 2)
    night.play(game, (5, 4, 4, 0))
    return night


def worths(game: Game) -> list[list[int | None]]:
    rows = Result.objects.filter(game=game.pk).order_by("number", "seat")
    found = list(rows.values_list("worth", flat=True))
    return [found[place : place + game.players] for place in range(0, len(found), game.players)]


def only_game(night: Night) -> Game:
    return Game.objects.get(table__round__event=night.event, table__number=1)


def test_worths_stand_beside_the_results_of_hands_with_all_cards_and_sum_to_nothing(
    night: Night,
) -> None:
    first, second, told = worths(only_game(night))
    assert told == [None] * 4
    for hand in (first, second):
        assert None not in hand
        assert sum(filter(None, hand)) == 0
        assert any(hand)
    assert not look_at_games([only_game(night).pk]).differences


def test_verify_names_a_worth_that_is_not_that_of_the_cards(night: Night) -> None:
    game = only_game(night)
    Result.objects.filter(game=game.pk, number=1, seat=0).update(worth=99_999)
    found = look_at_games([game.pk]).differences
    assert [one.what for one in found] == ["worth in the result of seat 1"]


def test_games_of_before_are_valued_in_the_night_and_are_no_difference_until_then(
    night: Night,
) -> None:
    game = only_game(night)
    right = worths(game)
    Result.objects.update(worth=None)
    TableGame.objects.update(worth_version=0)
    Stale.objects.all().delete()
    assert not look_at_games([game.pk]).differences
    nightly.plan(at=night.clock())
    NightlyTask.objects.update(due_at=night.clock())
    assert nightly.run("value cards", night.clock)
    assert worths(game) == right
    assert set(TableGame.objects.values_list("worth_version", flat=True)) == {worth_version()}
    assert Stale.objects.filter(subject=night.players[0].pk).exists()
    assert not look_at_games([game.pk]).differences


def test_a_game_that_is_not_there_any_more_does_not_keep_others_from_being_valued(
    night: Night,
) -> None:
    TableGame.objects.update(worth_version=0)
    gone = TableGame.objects.get(pk=only_game(night).pk)
    gone.pk = UUID(int=1)
    gone.save(force_insert=True)
    value_cards("", at=night.clock())
    behind = TableGame.objects.exclude(worth_version=worth_version())
    assert [row.pk for row in behind] == [gone.pk]


def test_sums_of_a_player_tell_cards_and_rest_apart(night: Night) -> None:
    game = only_game(night)
    publish_statistics(night.clock)
    seat = Result.objects.filter(game=game.pk, seat=0, worth__isnull=False)
    player = Player.objects.get(pk=seat[0].player_id)
    sums = find_statistics(player, GameSelection()).summary.sums
    cards, rest = sums["cards"], sums["beyond_cards"]
    assert (cards.n, rest.n) == (2, 2)
    assert cards.total == Fraction(sum(row.worth or 0 for row in seat), THOUSANDTHS)
    assert cards.total + rest.total == sum(row.score for row in seat)


def page(client: Client, address: str) -> str:
    return " ".join(client.get(address).content.decode().split())


def test_a_page_says_what_the_cards_were_worth_from_twenty_hands_on(
    night: Night,
) -> None:
    game = only_game(night)
    publish_statistics(night.clock)
    client = member_of(night.club)
    player = Result.objects.filter(game=game.pk, seat=0)[0].player_id
    shown = page(client, f"/p/{player}/")
    assert "2 of 3 hands have all their cards on record." in shown
    assert "From 20 on it is said here what the cards were worth." in shown
    play_cards(game, 18)
    publish_statistics(night.clock)
    shown = page(client, f"/p/{player}/")
    assert "20 of 21 hands have all their cards on record." in shown
    assert "20 hands with all cards on record" in shown


def test_the_column_of_cards_can_be_switched_on_and_never_orders_the_standings(
    night: Night,
) -> None:
    play_cards(only_game(night), 18)
    publish_all(night.clock)
    address = f"/e/{night.event.pk}/"
    client = member_of(night.club)
    plain, with_cards = page(client, address), page(client, f"{address}?columns=cards")
    assert 'value="cards"' in plain
    assert "20 hands with cards" not in plain
    assert with_cards.count("20 hands with cards") == 4
    entries = [re.findall(r'id="open-([^"]+)"', shown) for shown in (plain, with_cards)]
    assert entries[0] == entries[1] != []
    (survivor,) = make_players(night.club, 1)
    duplicate = night.players[0]
    merge_player(
        player_id=duplicate.pk,
        into=survivor.pk,
        version=duplicate.version,
        by=DIRECTOR,
        at=night.clock(),
    )
    merged = page(client, f"{address}?columns=cards")
    assert merged.count("20 hands with cards") == 4, "standings of before name the duplicate"


def test_a_board_shows_worths_beside_its_seats_once_it_is_over(client: Client) -> None:
    window: Window = make_window()
    event, games = start_duplicate(window)
    for seed, game in enumerate(games):
        play_board(event, game, 1, seed)
    title = "what these cards are worth against the average of the table"
    assert title not in page(client, f"/e/{event.pk}/boards/1/")
    director = member_of(window.club, "director")
    assert title in page(director, f"/e/{event.pk}/boards/1/")
