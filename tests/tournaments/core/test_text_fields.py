"""A column of compressed text gives the text back, and refuses to be searched."""

import zlib

import pytest
from django.core.exceptions import FieldError
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from tests.scoring.club import at, make_club
from tournaments.core.text_fields import (
    compress_block,
    compress_text,
    decompress_text,
    join_blocks,
)
from tournaments.models import Published, Scope, Snapshot


@given(st.text())
def test_any_text_comes_back(text: str) -> None:
    assert decompress_text(compress_text(text)) == text


@given(st.lists(st.lists(st.text())))
def test_a_text_compressed_in_blocks_is_read_like_any_other(blocks: list[list[str]]) -> None:
    stored = join_blocks([compress_block(pieces) for pieces in blocks])
    assert decompress_text(stored) == "".join(piece for pieces in blocks for piece in pieces)


def test_a_damaged_block_is_not_read() -> None:
    stored = bytearray(join_blocks([compress_block(["Ann " * 9]), compress_block(["Bo " * 9])]))
    stored[-1] ^= 1
    with pytest.raises(zlib.error):
        decompress_text(bytes(stored))


@pytest.mark.django_db
def test_the_database_holds_it_compressed_and_cannot_search_it() -> None:
    club = make_club()
    row = Published.objects.create(club=club, scope=Scope.RATINGS, subject=club.pk, version=1)
    text = '{"rows":[]}' * 1000
    Snapshot.objects.create(published=row, version=1, data=text, computed_at=at())
    assert Snapshot.objects.values_list("data", flat=True).get() == text
    with connection.cursor() as cursor:
        cursor.execute("SELECT length(data) FROM tournaments_snapshot")
        assert cursor.fetchone()[0] < len(text) / 20
    with pytest.raises(FieldError):
        Snapshot.objects.filter(data__contains="rows").exists()
