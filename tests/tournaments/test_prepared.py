"""A prepared question finds what the same query finds, whatever its blanks are filled with."""

import uuid
from datetime import UTC, datetime, timedelta
from threading import Thread
from typing import Any

import pytest
from django.db import connection
from django.db.models import CharField, IntegerField, Q, UUIDField
from django.db.transaction import TransactionManagementError

from tests.committing import shared_database
from tournaments.models import ApiKey, Club, Player
from tournaments.prepared import Blank, Prepared

__all__ = ["shared_database"]

NOW = datetime(2026, 11, 21, 19, tzinfo=UTC)
KEYS = Prepared(
    lambda: (
        ApiKey.objects.select_related("club")
        .filter(Q(club=Blank("club", UUIDField())) | Q(name=Blank("name", CharField())))
        .order_by("name")
    )
)
PLAYERS = Prepared(
    lambda: (
        Player.objects.select_related("merged_into")
        .filter(number__gte=Blank("number", IntegerField()))
        .order_by("number")
    )
)
LOCKED = Prepared(
    lambda: Club.objects.select_for_update(no_key=True).filter(pk=Blank("club", UUIDField()))
)

db = pytest.mark.django_db


def club_of(name: str) -> Club:
    return Club.objects.create(name=name, created_at=NOW)


def key_of(club: Club | None, name: str, **more: Any) -> ApiKey:
    return ApiKey.objects.create(
        club=club, kind="director", name=name, digest=uuid.uuid4().hex, created_at=NOW, **more
    )


@db
def test_it_finds_the_rows_with_every_kind_of_value() -> None:
    mine, other = club_of("Mine"), club_of("Other")
    key_of(mine, "a", scopes=["hands.enter", "é"], expires_at=NOW + timedelta(microseconds=1))
    key_of(other, "b")
    key_of(None, "c", revoked_at=NOW)
    for club, name in ((mine, "c"), (other, "a"), (mine, "%s"), (other, "' OR 1=1 --")):
        asked = ApiKey.objects.filter(Q(club=club) | Q(name=name)).order_by("name")
        found = KEYS.rows(club=club.pk, name=name)
        assert found == list(asked)
        for row, expected in zip(found, asked, strict=True):
            fields = [field.attname for field in ApiKey._meta.concrete_fields]
            assert [getattr(row, name) for name in fields] == [
                getattr(expected, name) for name in fields
            ]


@db
def test_what_belongs_to_a_row_comes_with_it(django_assert_num_queries: Any) -> None:
    club = club_of("Mine")
    first = Player.objects.create(club=club, number=1, created_at=NOW)
    Player.objects.create(club=club, number=2, merged_into=first, created_at=NOW)
    with django_assert_num_queries(1):
        found = PLAYERS.rows(number=0)
        assert [row.merged_into for row in found] == [None, first]
    assert [row.number for row in PLAYERS.rows(number=2)] == [2]


@db
def test_a_row_that_was_found_can_be_changed() -> None:
    key_of(club_of("Mine"), "a")
    found = KEYS.first(club=uuid.uuid4(), name="a")
    assert found is not None
    found.name = "b"
    found.save(update_fields=["name"])
    assert KEYS.first(club=uuid.uuid4(), name="a") is None
    assert ApiKey.objects.get().name == "b"


@db
def test_every_blank_is_filled() -> None:
    with pytest.raises(KeyError):
        KEYS.rows(name="a")


def test_a_thread_with_a_connection_of_its_own_asks_by_itself(shared_database: None) -> None:
    club = club_of("Mine")
    key = key_of(club, "a")
    found: list[list[ApiKey]] = []

    def elsewhere() -> None:
        found.extend(KEYS.rows(club=club.pk, name="") for _ in range(3))
        connection.close()

    threads = [Thread(target=elsewhere) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [[key]] * 12


@pytest.mark.django_db(transaction=True)
def test_a_lock_needs_a_transaction() -> None:
    club = club_of("Mine")
    if connection.features.has_select_for_update:
        for _ in range(2):
            with pytest.raises(TransactionManagementError):
                LOCKED.rows(club=club.pk)
    else:
        assert LOCKED.rows(club=club.pk) == [club]
