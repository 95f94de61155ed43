"""Rows written directly are the rows that Django writes, and fail as those do."""

from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, transaction
from django.db.models import Model

from tournaments.models import AnsweredRequest, Club, Player
from tournaments.rows import add_rows, change_row

NOW = datetime(2026, 11, 21, 19, 0, 0, 123456, tzinfo=UTC)

pytestmark = pytest.mark.django_db


def answered(**more: Any) -> AnsweredRequest:
    values: dict[str, Any] = {
        "asker": "key:1",
        "key": str(uuid4()),
        "method": "POST",
        "path": "/'%s'",
        "body_digest": "0" * 64,
        "body": b"\x00\xff'",
        "status": 201,
        "headers": {"ETag": '"1"', "é": None},
        "answer": b"",
        "at": NOW,
    }
    return AnsweredRequest(**values | more)


def values_of(row: Model) -> list[Any]:
    found = [getattr(row, field.attname) for field in row._meta.concrete_fields]
    return [bytes(value) if isinstance(value, memoryview) else value for value in found]


def test_a_row_is_stored_as_django_stores_it() -> None:
    row = answered()
    add_rows([row])
    theirs = answered(asker="key:2")
    theirs.save(force_insert=True)
    for one in (row, theirs):
        stored = AnsweredRequest.objects.get(pk=one.pk)
        assert values_of(stored) == values_of(one)
        assert (one._state.adding, one._state.db) == (stored._state.adding, stored._state.db)


def test_rows_with_keys_of_their_own_keep_them() -> None:
    club = Club(name="Zoë's", created_at=NOW)
    add_rows([club])
    assert Club.objects.get() == club
    players = [Player(club=club, number=number, created_at=NOW) for number in (1, 2, 3)]
    add_rows(players)
    assert list(Player.objects.order_by("number")) == players


def test_more_rows_than_one_statement_takes_are_numbered_in_order() -> None:
    rows = [answered(path=f"/{number}") for number in range(250)]
    add_rows(rows)
    stored = AnsweredRequest.objects.in_bulk()
    assert len(stored) == 250
    assert all(row.path == stored[row.pk].path for row in rows)


def test_no_rows_are_no_question(django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        add_rows([])


def test_what_the_database_refuses_ends_the_transaction() -> None:
    first = answered()
    add_rows([first])
    with pytest.raises(IntegrityError), transaction.atomic():
        add_rows([answered(key=first.key)])
    assert AnsweredRequest.objects.get() == first
    with transaction.atomic():
        with pytest.raises(IntegrityError):
            add_rows([answered(key=first.key)])
        assert transaction.get_connection().needs_rollback
        transaction.set_rollback(True)


def test_only_the_named_fields_are_changed() -> None:
    row, other = answered(), answered()
    add_rows([row, other])
    row.status, row.answer, row.headers, row.path = 200, b"{}", {}, "elsewhere"
    change_row(row, "headers", "status", "answer")
    stored = AnsweredRequest.objects.get(pk=row.pk)
    assert (stored.status, bytes(stored.answer), stored.headers) == (200, b"{}", {})
    assert stored.path == "/'%s'"
    assert values_of(AnsweredRequest.objects.get(pk=other.pk)) == values_of(other)


def test_a_row_that_is_not_there_cannot_be_changed() -> None:
    club = Club(name="Nowhere", created_at=NOW)
    with pytest.raises(DatabaseError), transaction.atomic():
        change_row(club, "name")


def test_a_field_that_there_is_not_cannot_be_changed() -> None:
    with pytest.raises(AssertionError):
        change_row(Club(name="Nowhere", created_at=NOW), "nam")
