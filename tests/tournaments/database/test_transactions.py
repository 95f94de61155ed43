"""A snapshot can only be read, and a mistake about that is not taken for a disk that is full."""

import pytest
from django.db import connection

from tests.scoring.club import make_club
from tournaments.core.storage import is_disk_full
from tournaments.database.transactions import read_snapshot
from tournaments.models import Club


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite lets it be written")
@pytest.mark.django_db(transaction=True)
def test_a_write_in_a_snapshot_is_a_mistake_and_no_full_disk() -> None:
    make_club()
    with pytest.raises(RuntimeError, match="snapshot") as caught, read_snapshot(is_long=True):
        Club.objects.update(name="written")
    assert not is_disk_full(caught.value)
    assert not Club.objects.filter(name="written").exists()
