"""Damaged values are found by few questions, however many rows there are."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.transfer.verifying import look_at_club
from scoring.transfer.verifying.damage import DAMAGE_MAX, damage_in_rows
from tests.scoring.club import DIRECTOR, at, make_club
from tests.unguarded import unguarded
from tournaments.models import AuditEntry, Club

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.skipif(
        connection.vendor == "postgresql", reason="PostgreSQL takes no damaged value"
    ),
]
ENTRIES = 2000


@pytest.fixture
def club() -> Club:
    found = make_club()
    AuditEntry.objects.bulk_create(
        AuditEntry(
            chain=found.pk,
            number=1000 + number,
            club_id=found.pk,
            what="tried",
            by=DIRECTOR.label,
            source="api",
            at=at() + timedelta(seconds=number),
            before="0" * 64,
            digest="0" * 64,
        )
        for number in range(ENTRIES)
    )
    return found


def damage(sql: str, *values: int) -> None:
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.rowcount


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("'yesterday'", "nothing that is a value of this kind"),
        ("'2026-13-41 25:00'", "ValueError"),
        ("CAST(x'ff' AS TEXT)", "utf-8"),
    ],
)
@pytest.mark.parametrize("number", [1000, 1000 + ENTRIES // 3, 1000 + ENTRIES - 1])
def test_one_damaged_moment_among_thousands_is_named(
    club: Club, value: str, kept: str, number: int
) -> None:
    damage(f"UPDATE tournaments_auditentry SET at = {value} WHERE number = %s", number)
    rows = AuditEntry.objects.filter(club_id=club.pk)
    with CaptureQueriesContext(connection) as queries:
        (found,) = damage_in_rows(rows, club.pk)
    assert found.what.startswith("table tournaments_auditentry, row ")
    assert found.what.endswith(", field at")
    assert kept in found.kept
    assert len(queries) < 120


def test_a_club_with_a_damaged_moment_names_its_row(club: Club) -> None:
    damage("UPDATE tournaments_auditentry SET at = 'yesterday' WHERE number = 2500")
    (found,) = [one for one in look_at_club(club.pk) if "field" in one.what]
    number = AuditEntry.objects.values_list("pk", flat=True).get(number=2500)
    assert found.what == f"table tournaments_auditentry, row {number}, field at"


def test_the_search_ends_where_everything_is_damaged(club: Club) -> None:
    damage("UPDATE tournaments_auditentry SET at = 'yesterday'")
    found = list(damage_in_rows(AuditEntry.objects.filter(club_id=club.pk), club.pk))
    assert len(found) == DAMAGE_MAX + 1
    assert found[-1].kept == "unread"
