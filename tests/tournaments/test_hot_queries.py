"""A hot query finds what its queryset finds, and an inserted row is the row that save() writes."""

from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import IntegrityError, transaction
from django.db.models import Model

from tests.tournaments.night import make_event
from tournaments import audit, idempotency, invalidation
from tournaments.database import sql
from tournaments.models import (
    AnsweredRequest,
    ApiKey,
    AuditEntry,
    Club,
    League,
    LeagueEvent,
    Player,
    Scope,
    Stale,
    TableGame,
    Trail,
)
from tournaments.people import api_keys

NOW = datetime(2026, 11, 21, 19, 0, 0, 123456, tzinfo=UTC)
ODD = "/'%s' Zoë \\ ?"

pytestmark = pytest.mark.django_db


def values_of(row: Model | None) -> list[Any] | None:
    if row is None:
        return None
    found = [getattr(row, field.attname) for field in row._meta.concrete_fields]
    return [bytes(value) if isinstance(value, memoryview) else value for value in found]


def make_request(**more: Any) -> AnsweredRequest:
    values: dict[str, Any] = {
        "asker": "key:1",
        "key": str(uuid4()),
        "method": "POST",
        "path": ODD,
        "body_digest": "0" * 64,
        "body": b"\x00\xff'",
        "status": 201,
        "headers": {"ETag": '"1"', "é": None},
        "answer": b"",
        "at": NOW,
    }
    return AnsweredRequest(**values | more)


def make_entry(chain: Any, number: int) -> AuditEntry:
    return AuditEntry(
        chain=chain,
        number=number,
        what="looked at",
        by="system",
        source="command",
        why=ODD,
        details="{}",
        at=NOW,
        before="0" * 64,
        digest=f"{number:064}",
    )


def test_a_key_is_found_by_its_digest_until_it_is_revoked() -> None:
    club = Club.objects.create(name="Mine", created_at=NOW)
    keys: list[dict[str, Any]] = [
        {"club": club, "scopes": ["hands.enter", "é"], "expires_at": NOW + timedelta(1)},
        {"club": None},
        {"club": club, "revoked_at": NOW},
    ]
    for number, more in enumerate(keys):
        ApiKey.objects.create(
            kind="director", name=ODD, digest=f"digest {number}", created_at=NOW, **more
        )
    for digest in ("digest 0", "digest 1", "digest 2", "digest 3", "%s", "' OR 1=1 --"):
        expected = ApiKey.objects.filter(digest=digest, revoked_at=None).first()
        assert values_of(api_keys.find_api_key(digest)) == values_of(expected)
        assert (expected is not None) == (digest in ("digest 0", "digest 1"))


def test_an_answered_request_is_found_by_asker_and_key() -> None:
    mine, other = make_request(), make_request(asker="key:2", club_id=uuid4())
    other.key = mine.key
    AnsweredRequest.objects.bulk_create([mine, other, make_request()])
    for asker, key in (("key:1", mine.key), ("key:2", mine.key), ("key:3", mine.key), ("", "")):
        expected = AnsweredRequest.objects.filter(asker=asker, key=key).first()
        found = idempotency.find_answered_request(asker, key)
        assert values_of(found) == values_of(expected)
        assert (expected is not None) == (asker in ("key:1", "key:2"))


def test_the_end_of_a_chain_is_its_last_entry() -> None:
    chain, other = uuid4(), uuid4()
    AuditEntry.objects.bulk_create(
        [make_entry(chain, 1), make_entry(chain, 10), make_entry(chain, 9), make_entry(other, 11)]
    )
    for one in (chain, other, uuid4()):
        rows = AuditEntry.objects.filter(chain=one).order_by("number")
        expected = rows.values_list("number", "digest").last()
        assert audit.last_number_and_digest(one) == expected
        assert audit.find_chain_ends([one]).get(one) == expected
    club = uuid4()
    for length in (11, 12):
        audit.write_trail(chain, club, length, f"{length:064}")
        trail = Trail.objects.get()
        assert (trail.chain, trail.club_id, trail.length) == (chain, club, length)
        assert audit.last_number_and_digest(chain) == (length, trail.digest)
        assert audit.find_chain_ends([chain, other])[chain] == (length, trail.digest)


def test_an_inserted_row_is_the_row_that_save_writes() -> None:
    chain = uuid4()
    for mine, theirs in (
        (make_request(), make_request(asker="key:2")),
        (make_entry(chain, 1), make_entry(chain, 2)),
        (Club(name=ODD, created_at=NOW), Club(name=ODD, created_at=NOW)),
    ):
        sql.insert_row(mine)
        theirs.save(force_insert=True)
        assert (mine._state.adding, mine._state.db) == (theirs._state.adding, theirs._state.db)
        stored = type(mine)._default_manager.order_by("pk")
        for row, expected in zip(stored, (mine, theirs), strict=True):
            expected.pk = row.pk
            assert values_of(row) == values_of(expected)


def test_a_row_with_a_key_of_its_own_can_be_saved_again() -> None:
    club = Club(name="Mine", created_at=NOW)
    sql.insert_row(club)
    club.name = "Ours"
    club.save()
    player = Player(club=club, number=1, created_at=NOW)
    sql.insert_row(player)
    assert [one.club.name for one in Player.objects.select_related("club")] == ["Ours"]


def test_a_row_that_breaks_a_constraint_is_refused() -> None:
    first = make_request()
    sql.insert_row(first)
    with pytest.raises(IntegrityError), transaction.atomic():
        sql.insert_row(make_request(key=first.key))
    assert AnsweredRequest.objects.count() == 1


def test_the_event_of_a_game_and_its_leagues_are_marked_as_behind() -> None:
    event, other = make_event(), make_event()
    leagues = [
        League.objects.create(club=event.club, name=f"League {number}", created_at=NOW)
        for number in range(3)
    ]
    for league in leagues[:2]:
        LeagueEvent.objects.create(league=league, event=event, number=1)
    LeagueEvent.objects.create(league=leagues[2], event=other, number=1)
    game = TableGame.objects.create(
        id=uuid4(), club=event.club, event=event, phase="open", size=4, opened_at=NOW
    )
    Stale.objects.all().delete()
    found = Stale.objects.values_list("scope", "subject", "since", "game")
    subjects = [(Scope.EVENT, event.pk), *((Scope.LEAGUE, league.pk) for league in leagues[:2])]
    for is_hands_only, named in ((True, game.pk), (False, None)):
        Stale.objects.all().delete()
        invalidation.mark_event_of_game(game.pk, NOW, is_hands_only=is_hands_only)
        assert set(found.all()) == {(*subject, NOW, named) for subject in subjects}
