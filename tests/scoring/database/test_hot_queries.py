"""A hot query of scoring finds what its queryset finds; a hand by API costs so many statements."""

from uuid import uuid4

import pytest
from django.db import connection
from django.db.models import Q
from django.db.transaction import TransactionManagementError
from django.test.utils import CaptureQueriesContext

from scoring.ledger import transfers
from scoring.models import Game, Hand, Sitting, Webhook
from scoring.models.transfer import LedgerAccount
from scoring.selectors.games import find_game_with_club, hands_at_and_after, lock_game
from scoring.settlement import reporting
from scoring.webhooks import subscriptions
from tests.api.desk import Night, taken
from tests.scoring.club import at, chip_hand, enter, make_club, make_game, state_of
from tests.tournaments.test_hot_queries import values_of
from tournaments.core.ids import new_id

HAND_STATEMENTS = 22
"""Of which three say who is signed in, one marks whose statistics are to be counted anew, and one
writes down how long the trail of the game is; on SQLite two of them, bulk inserts, are not seen."""

db = pytest.mark.django_db


@pytest.fixture
def games(db: None) -> list[Game]:
    """Two games of four hands: of the third there is a second record, the sixth waits."""
    found = [make_game(), make_game()]
    for game in found:
        for number, bid in ((1, 3), (2, 4), (3, 5), (4, 3), (6, 3)):
            enter(game, chip_hand(state_of(game), (5, 4, 4, 0), bid=bid), number=number)
        enter(game, chip_hand(state_of(game), (5, 4, 3, 1)), number=3)
    return found


def test_a_game_is_found_with_its_club(games: list[Game]) -> None:
    for number in (*(game.pk for game in games), uuid4()):
        expected = Game.objects.select_related("club").filter(pk=number).first()
        found = find_game_with_club(number)
        assert values_of(found) == values_of(expected)
        if found is not None:
            with CaptureQueriesContext(connection) as queries:
                assert values_of(found.club) == values_of(expected and expected.club)
            assert len(queries) == 0


def test_a_locked_game_is_the_game(games: list[Game]) -> None:
    for number in (*(game.pk for game in games), uuid4()):
        expected = Game.objects.select_for_update(no_key=True).filter(pk=number).first()
        with CaptureQueriesContext(connection) as queries:
            assert values_of(lock_game(number)) == values_of(expected)
        locks = queries.captured_queries[0]["sql"].endswith("FOR NO KEY UPDATE")
        assert locks == (connection.vendor == "postgresql")


@pytest.mark.django_db(transaction=True)
def test_a_game_is_locked_inside_a_transaction_only() -> None:
    with pytest.raises(TransactionManagementError):
        lock_game(uuid4())


def test_the_hands_from_a_number_on_are_found_and_the_one_with_an_id(games: list[Game]) -> None:
    first, second = games
    elsewhere = Hand.objects.filter(game=second).latest("number")
    rival = Hand.objects.get(game=first, number=3, rival__isnull=False)
    for number in range(1, 8):
        for hand in (elsewhere.pk, rival.pk, uuid4()):
            rows = Hand.objects.filter(
                Q(game=first, number__gte=number, rival=None) | Q(pk=hand)
            ).order_by("number", "pk")
            found = hands_at_and_after(first.pk, number, hand)
            assert [row.number for row in found] == sorted(row.number for row in found)
            found.sort(key=lambda row: (row.number, row.pk))
            assert list(map(values_of, found)) == list(map(values_of, rows))


def test_the_accounts_in_chips_are_found(games: list[Game]) -> None:
    game = games[0]
    LedgerAccount.objects.create(club=game.club, game=game, holder="pool", unit="EUR")
    for number in (*(game.pk for game in games), uuid4()):
        rows = LedgerAccount.objects.filter(game=number, unit="chips")
        expected = set(rows.values_list("holder", "seat", "pk"))
        assert set(transfers.find_chip_accounts(number)) == expected


def test_sittings_are_found(games: list[Game]) -> None:
    Sitting.objects.filter(game=games[0], seat=1).update(last=3)
    for number in (*(game.pk for game in games), uuid4()):
        rows = Sitting.objects.filter(game=number)
        expected = set(rows.values_list("seat", "player_id", "first", "last"))
        assert set(reporting.find_sittings(number)) == expected


@db
def test_a_club_has_webhooks_until_they_are_stopped() -> None:
    club = make_club()

    def check(expected: bool) -> None:
        rows = Webhook.objects.filter(club=club, stopped_at=None)
        assert subscriptions.has_webhooks(club.pk) == rows.exists() == expected

    check(expected=False)
    for club_id in (club.pk, make_club().pk):
        Webhook.objects.create(club_id=club_id, url="x", events=[], secret="", created_at=at())
    check(expected=True)
    Webhook.objects.filter(club=club).update(stopped_at=at())
    check(expected=False)


@db
def test_a_hand_by_api_costs_a_fixed_number_of_statements() -> None:
    night = Night()
    path = f"games/{night.game['id']}/hands"
    for number in range(1, 4):
        result = {"bidder": "E", "bid": 3, "pain": "H", "taken": taken("5/4/4/0")}
        hand = {"id": str(new_id()), "number": number, "result": result}
        with CaptureQueriesContext(connection) as queries:
            answered = night.desk.post(path, hand)
        assert answered.status == 201, answered
        statements = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
        assert len(statements) <= HAND_STATEMENTS, "\n".join(statements)
