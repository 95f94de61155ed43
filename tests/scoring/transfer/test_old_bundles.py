"""Bundles of older programs: restored as the migrations would have left the same club."""

import hashlib
import json
import lzma
from collections.abc import Callable
from importlib import import_module
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from uuid import UUID

import pytest
from django.apps import apps
from django.db import connection, transaction

from engine.rules.presets import preset
from scoring.models import NOT_COUNTED, Game, Hand, State
from scoring.transfer.bundling import restore, write, writer
from scoring.transfer.bundling.cells import line
from scoring.transfer.bundling.upgrades import (
    count_hands,
    take_hours_of_house_rules,
    take_last_versions_as_official,
)
from scoring.transfer.verifying import bundles, look_at_club, look_at_games, look_at_standings
from tests.scoring.club import DIRECTOR, at, make_club, make_rules
from tests.scoring.transfer.test_bundles import rows
from tests.tournaments.night import draw, make_event, make_night, play_round
from tournaments import invalidation
from tournaments.core.deals import deal_board
from tournaments.events import boards, events
from tournaments.events.adjustments import adjust_score
from tournaments.events.amendments import AmendmentChoice
from tournaments.events.leagues import create_league
from tournaments.models import (
    Board,
    Club,
    DealSecret,
    Entry,
    Event,
    League,
    Result,
    Scope,
    Stale,
    StandingsDecision,
    Status,
)
from tournaments.publishing import publish_due
from tournaments.publishing.official import find_current, status_of

pytestmark = pytest.mark.django_db

FIRST_RELEASE = Path(__file__).parents[1] / "golden" / "club-0.1.0.bundle.xz"
"""`manage.py export` of the club that `manage.py demo --small --nights 1` made with 0.1.0."""


def without(bundle: bytes, newer: dict[str, set[str]]) -> bytes:
    """A bundle as a program wrote it that did not know some columns, with a fitting digest."""
    lines = []
    for name, cells in rows(bundle):
        lines.append(line(name, {key: cells[key] for key in cells.keys() - newer.get(name, set())}))
    end = json.loads(lines.pop())[1]
    whole = b"".join(lines)
    return whole + line("end", {**end, "digest": hashlib.sha256(whole).hexdigest()})


def test_a_bundle_of_the_first_release_is_restored() -> None:
    restored = restore(BytesIO(lzma.decompress(FIRST_RELEASE.read_bytes())))
    assert restored.rows["hand"] == 78
    games = Game.objects.exclude(frozen_at=None)
    assert set(games.values_list("old_law", "boards_alike")) == {(True, False)}
    assert set(Entry.objects.values_list("household", flat=True)) == {""}
    assert all(row.never_tables == [] for row in Entry.objects.all())
    uncounted = set(Result.objects.filter(counts=False).values_list("game_id", "number"))
    assert len(uncounted) == 1  # a hand that a foot ended; the void one had no result
    for part in bundles([restored.club]):
        assert not look_at_games(part.games).differences
    assert not look_at_club(restored.club)


def by_migration(_club: UUID) -> None:
    migration = import_module("scoring.migrations.0019_count_hands_of_a_round")
    with connection.cursor() as cursor:
        for statement in (migration.COUNTED, migration.RESULTS, migration.BEHIND):
            cursor.execute(statement)


@pytest.mark.parametrize("count", [count_hands, by_migration])
def test_a_foot_of_before_no_longer_counts_as_a_hand(count: Callable[[UUID], None]) -> None:
    club = restore(BytesIO(lzma.decompress(FIRST_RELEASE.read_bytes()))).club
    game = Game.objects.exclude(table=None).filter(hands__gt=1).order_by("pk")[0]
    assert game.table is not None
    Hand.objects.filter(game=game, number=1, rival=None).update(state=State.FOOT)
    Game.objects.update(counted=0)
    Stale.objects.all().delete()
    count(club)
    assert not Result.objects.filter(game=game.pk, number=1, counts=True).exists()
    assert Result.objects.filter(game=game.pk, number=2, counts=False).count() == 0
    for one in Game.objects.all():
        rows = Hand.objects.filter(game=one, rival=None, number__lte=one.hands)
        assert one.counted == rows.exclude(state__in=NOT_COUNTED).count()
    event = game.table.round.event_id
    assert set(Stale.objects.values_list("scope", "subject")) == {
        (Scope.EVENT, event),
        *((Scope.LEAGUE, league) for league in invalidation.leagues_of(event)),
    }


def test_boards_that_followed_from_a_public_seed_are_dealt_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The first release wrote every deal.
    monkeypatch.setattr(writer, "_public_rows", lambda content, club: content.rows(club.pk))
    with transaction.atomic():
        event = make_night(8, duplicate=True, rounds=1, hands=2)
        DealSecret.objects.all().delete()
        old = deal_board(preset("bicycle"), 4, b"what anybody can compute")
        Board.objects.create(event=event, number=1, deal=old, source="seed")
        bundle = without(b"".join(write(Club.objects.get())), {"board": {"key"}})
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    board = Board.objects.get()
    assert board.deal != old
    assert boards.is_dealt_from_key(board)
    assert DealSecret.objects.filter(event=event.pk).exists()


def test_an_older_event_keeps_its_places_and_its_pool() -> None:
    with transaction.atomic():
        event = make_night(8)
        Event.objects.update(status=Status.RUNNING)
        make_event(event.club, name="To come")
        over = make_night(4, club=event.club, entry_fee=500)
        Event.objects.filter(pk=over.pk).update(status=Status.FINISHED)
        bundle = b"".join(write(Club.objects.get()))
        transaction.set_rollback(True)
    restore(BytesIO(without(bundle, {"event": {"rank_guests"}, "entry": {"fee_paid"}})))
    found = dict(Event.objects.values_list("status", "rank_guests"))
    assert found == {"running": False, "planned": True, "finished": False}
    paid = Entry.objects.filter(event__status=Status.FINISHED).values_list("fee_paid", flat=True)
    assert list(paid) == [500] * 4
    assert sum(Entry.objects.values_list("fee_paid", flat=True)) == 2000


def migrate(name: str) -> Callable[[UUID], None]:
    module = import_module("tournaments.migrations.0029_official_versions_of_standings")
    return lambda _club: getattr(module, name)(apps, SimpleNamespace(connection=connection))


@pytest.mark.parametrize(
    "take", [take_last_versions_as_official, migrate("take_last_versions_as_official")]
)
def test_what_was_official_holds_in_its_last_version(take: Callable[[UUID], None]) -> None:
    event = make_night(4)
    league = create_league(club_id=event.club_id, new={"name": "Autumn"}, by=DIRECTOR, at=at())
    Event.objects.filter(pk=event.pk).update(status=Status.OFFICIAL, official_at=at(60))
    League.objects.filter(pk=league.pk).update(closed_at=at(70))
    Stale.objects.create(scope=Scope.EVENT, subject=event.pk, since=at(60))
    publish_due(clock=lambda: at(90))
    take(event.club_id)
    for scope, subject in ((Scope.EVENT, event.pk), (Scope.LEAGUE, league.pk)):
        found = find_current(scope, subject)
        assert (found.version, found.row.official) == (1, 1)
        assert status_of(found).since == at(90)
    assert not look_at_standings(event.club_id)


@pytest.mark.parametrize("take", [take_hours_of_house_rules, migrate("take_hours_of_house_rules")])
def test_an_event_keeps_the_correction_period_of_its_house_rules(
    take: Callable[[UUID], None],
) -> None:
    club = make_club()
    rule_set = make_rules(club, "bicycle", {"correction_period": "2"})
    event = make_event(club, rule_set=rule_set)
    usual = make_event(club)
    assert (event.correction_hours, usual.correction_hours) == (2, 24)
    Event.objects.update(correction_hours=24)
    take(club.pk)
    hours = dict(Event.objects.values_list("pk", "correction_hours"))
    assert hours == {event.pk: 2, usual.pk: 24}


def test_a_bundle_from_before_official_versions_is_restored() -> None:
    with transaction.atomic():
        event = make_night(4)
        Event.objects.filter(pk=event.pk).update(status=Status.OFFICIAL, official_at=at(60))
        Stale.objects.create(scope=Scope.EVENT, subject=event.pk, since=at(60))
        publish_due(clock=lambda: at(90))
        newer = {"event": {"correction_hours", "corrections_ended_at"}, "standings": {"official"}}
        bundle = without(b"".join(write(Club.objects.get())), newer)
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    found = find_current(Scope.EVENT, event.pk)
    assert (found.row.official, status_of(found).since) == (1, at(90))


def test_an_amended_table_goes_round_in_a_bundle() -> None:
    with transaction.atomic():
        event = make_night(4, rounds=1)
        draw(event)
        play_round(event, 1)
        events.finish_event(event_id=event.pk, version=None, by=DIRECTOR, at=at(9))
        events.publish_officially(event_id=event.pk, version=None, by=DIRECTOR, at=at(5000))
        entry = Entry.objects.filter(event=event)[0]
        adjust_score(
            event_id=event.pk,
            entry=entry.pk,
            amount="-50",
            reason="Late.",
            by=DIRECTOR,
            at=at(5001),
        )
        publish_due(clock=lambda: at(5002))
        choice = AmendmentChoice(version=2, reason="Late.")
        events.confirm_amendment(event_id=event.pk, choice=choice, by=DIRECTOR, at=at(5003))
        publish_due(clock=lambda: at(5004))
        bundle = b"".join(write(Club.objects.get()))
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    decided = StandingsDecision.objects.order_by("number").values_list("verdict", "version")
    assert list(decided) == [("official", 1), ("amended", 3)]
    assert status_of(find_current(Scope.EVENT, event.pk)).because == "Late."
