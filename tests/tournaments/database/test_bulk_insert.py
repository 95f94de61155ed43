"""Many rows at once are the rows that one after the other would be."""

import gc
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, transaction

from tournaments.core.ids import new_id
from tournaments.database.sql import (
    bulk_insert,
    bulk_insert_models,
    garbage_collection_paused,
    timestamp_parameter,
)
from tournaments.models import AuditEntry, Club

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 11, 21, 19, 30, tzinfo=UTC)
COLUMNS = (
    "chain", "number", "club_id", "what", "by", "source", "why", "details", "at", "before",
    "digest",
)  # fmt: skip
ODD = ("", "a\tb", "line\nline\r\n", "\\N", "\\", "100 %s ?", "Zoë 'the' \"queen\"", "{}")


def entries(count: int) -> list[AuditEntry]:
    """Entries of one chain, in no club, with words that a careless writer would change."""
    chain = new_id()
    return [
        AuditEntry(
            chain=chain,
            number=number,
            what="looked at",
            by="system",
            source="command",
            why=ODD[number % len(ODD)],
            details="{}",
            at=NOW,
            before="0" * 64,
            digest=f"{number:064}",
        )
        for number in range(1, count + 1)
    ]


def cells(entry: AuditEntry) -> tuple[object, ...]:
    """The same as plain values."""
    return (
        entry.chain.hex, entry.number, None, entry.what, entry.by, entry.source, entry.why,
        entry.details, timestamp_parameter(entry.at), entry.before, entry.digest,
    )  # fmt: skip


def stored(entry: AuditEntry) -> list[tuple[object, ...]]:
    found = AuditEntry.objects.filter(chain=entry.chain).order_by("number")
    return list(found.values_list(*COLUMNS))


def values(entry: AuditEntry) -> tuple[object, ...]:
    return tuple(getattr(entry, name) for name in COLUMNS)


@pytest.mark.parametrize("count", [1, 199, 200, 201, 450])
def test_all_rows_are_there_as_they_were_given(count: int) -> None:
    rows = entries(count)
    bulk_insert(AuditEntry, COLUMNS, map(cells, rows))
    assert stored(rows[0]) == list(map(values, rows))


def test_rows_of_a_model_are_the_same_as_one_by_one() -> None:
    rows, others = entries(17), entries(17)
    bulk_insert_models(rows)
    for other in others:
        other.save()
    assert [row[1:] for row in stored(rows[0])] == [row[1:] for row in stored(others[0])]
    bulk_insert_models([])
    club = Club(name="One", created_at=NOW)
    bulk_insert_models([club])
    assert Club.objects.get(pk=club.pk).name == "One"


def test_of_rows_among_which_one_is_refused_there_is_none() -> None:
    rows = entries(450)
    rows[333].number = 5
    with pytest.raises(IntegrityError), transaction.atomic():
        bulk_insert(AuditEntry, COLUMNS, map(cells, rows))
    assert stored(rows[0]) == []


def test_garbage_is_collected_again_afterwards_whatever_happens() -> None:
    with garbage_collection_paused():
        assert not gc.isenabled()
        with garbage_collection_paused():
            assert not gc.isenabled()
        assert not gc.isenabled()
    assert gc.isenabled()
    with pytest.raises(ValueError, match="broken"), garbage_collection_paused():
        raise ValueError("broken")
    assert gc.isenabled()
