"""Bundles: another installation builds the very same club, and nothing that was changed."""

import hashlib
import json
from collections.abc import Iterator
from datetime import date, timedelta
from functools import cache
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import transaction
from django.utils import timezone
from PIL import Image

from scoring.management.demo.build import Size, build
from scoring.transfer.bundling import BundleError, heads_of, restore, write
from scoring.transfer.bundling.cells import line
from scoring.transfer.bundling.contents import CONTENTS, LEFT_OUT
from scoring.transfer.verifying import bundles, look_at_club, look_at_games
from tests.scoring.archives import bring, file, in_turn, night
from tests.scoring.club import DIRECTOR, at, make_club, make_rules
from tests.tournaments.night import make_event
from tests.tournaments.publishing.nights import assert_statistics_are_right, publish_statistics
from tournaments.events.events import create_event
from tournaments.events.recorded_results import NewResult, record_results
from tournaments.events.round_clocks import pause_clock, start_clock
from tournaments.events.schedule import cancel_event, move_event
from tournaments.models import (
    AuditEntry,
    Club,
    Event,
    PlayerBar,
    Published,
    RecordedResult,
    RoundClock,
    Scope,
)
from tournaments.people.bars import bar_player, lift_bar
from tournaments.people.club_pictures import change_picture
from tournaments.people.members import NewPlayer, add_player

pytestmark = pytest.mark.django_db


@cache
def season() -> bytes:
    """The bundle of a club in which everything happened; the club itself is gone again."""
    with transaction.atomic():
        club = build(seed=7, name="Leiden", size=Size.SMALL, nights=1).club
        found = b"".join(write(Club.objects.get(pk=getattr(club, "pk", club))))
        transaction.set_rollback(True)
    return found


def archived() -> bytes:
    """The bundle of a small club with an imported night; the club is gone again."""
    with transaction.atomic():
        club = make_club()
        bring(club, file(in_turn(night(3, hands=2))))
        found = b"".join(write(club))
        transaction.set_rollback(True)
    return found


def rows(bundle: bytes) -> Iterator[tuple[str, dict[str, object]]]:
    for text in bundle.splitlines():
        name, cells = json.loads(text)
        yield name, cells


def test_a_club_is_built_again_byte_for_byte() -> None:
    bundle = season()
    assert not Club.objects.exists()
    restored = restore(BytesIO(bundle))
    club = Club.objects.get()
    assert b"".join(write(club)) == bundle
    assert restored.rows["hand"] == sum(name == "hand" for name, _ in rows(bundle)) > 0
    for part in bundles([club.pk]):
        assert not look_at_games(part.games).differences
    assert not look_at_club(club.pk)
    end = dict(rows(bundle))["end"]
    assert (end["head"], end["heads"]) == (heads_of(club.pk).club, heads_of(club.pk).all)


def test_statistics_are_left_out_and_computed_again() -> None:
    with transaction.atomic():
        club = make_club()
        bring(club, file(in_turn(night(3, hands=2))))
        bundle = b"".join(write(club))
        publish_statistics(timezone.now)
        assert b"".join(write(club)) == bundle
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    publish_statistics(timezone.now)
    assert Published.objects.filter(scope=Scope.STATISTICS).exists()
    assert_statistics_are_right(Club.objects.get())


def test_bars_of_players_are_carried() -> None:
    with transaction.atomic():
        club = make_club()
        nora = NewPlayer(person={"name": "Nora Adams"})
        player = add_player(club_id=club.pk, new=nora, by=DIRECTOR, at=at())
        bar = bar_player(
            club_id=club.pk,
            player_id=player.pk,
            reason="Threw the cards.",
            until=date(2027, 1, 1),
            by=DIRECTOR,
            at=at(),
        )
        lift_bar(club_id=club.pk, bar_id=bar.pk, by=DIRECTOR, at=at(3))
        bundle = b"".join(write(club))
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    assert b"".join(write(Club.objects.get())) == bundle
    kept = PlayerBar.objects.get()
    assert (kept.reason, kept.until, kept.lifted_at) == (bar.reason, bar.until, at(3))


def test_results_on_record_are_carried() -> None:
    with transaction.atomic():
        club = make_club()
        people = (NewPlayer(person={"name": name}) for name in ("Nora Adams", "Ed Baker"))
        players = [add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at()) for new in people]
        new = {
            "name": "Last year",
            "starts_at": at(),
            "rule_set": make_rules(club).pk,
            "is_results_only": True,
        }
        event = create_event(club_id=club.pk, new=new, by=DIRECTOR, at=at())
        results = [
            NewResult(player=players[0].pk, points="7/2", place=1, games=4),
            NewResult(player=players[1].pk, points="-1"),
        ]
        record_results(event_id=event.pk, results=results, version=None, by=DIRECTOR, at=at())
        bundle = b"".join(write(club))
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    assert b"".join(write(Club.objects.get())) == bundle
    assert Event.objects.get().is_results_only
    found = RecordedResult.objects.order_by("entry__number").values_list("points", "place", "games")
    assert list(found) == [("7/2", 1, 4), ("-1", None, 0)]


def test_a_clock_is_carried_with_what_is_left_of_it() -> None:
    with transaction.atomic():
        event = make_event(round_minutes=35)
        start_clock(event_id=event.pk, minutes=5, by=DIRECTOR, at=at(1))
        pause_clock(event_id=event.pk, by=DIRECTOR, at=at(1))
        bundle = b"".join(write(Club.objects.get()))
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    assert b"".join(write(Club.objects.get())) == bundle
    kept = RoundClock.objects.get()
    assert (kept.left, kept.is_paused, kept.event.round_minutes) == (300, True, 35)


def test_a_club_takes_its_picture_and_its_text_along() -> None:
    with transaction.atomic():
        club = make_club()
        Club.objects.update(about="We play on Tuesdays.")
        picture = Image.new("RGB", (300, 200), (30, 90, 73))
        change_picture(club_id=club.pk, picture=picture, by=DIRECTOR, at=at())
        bundle = b"".join(write(Club.objects.get()))
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    assert b"".join(write(Club.objects.get())) == bundle
    found = Club.objects.get()
    assert found.about == "We play on Tuesdays."
    assert (found.picture.width, found.picture.height) == (300, 200)


def test_a_season_has_rows_of_nearly_every_table() -> None:
    found = {name for name, _ in rows(season())}
    rare = {"apart", "board", "sits out", "league event", "standings", "snapshot", "adjustment"}
    rare |= {
        "decision",
        "board decision",
        "deal secret",
        "former detail",
        "player bar",
        "entry fee",
    }
    rare |= {"import", "imported object"}
    rare |= {"decision on standings", "recorded result", "round clock", "club picture"}
    assert {content.name for content in CONTENTS} - found <= rare


def test_every_model_is_in_a_bundle_or_left_out_for_a_reason() -> None:
    models = {
        model.__name__
        for app in ("tournaments", "scoring")
        for model in apps.get_app_config(app).get_models()
    }
    kept = {content.model.__name__ for content in CONTENTS}
    assert models == kept | LEFT_OUT.keys()
    assert not kept & LEFT_OUT.keys()


def test_the_same_bundle_again_changes_nothing_and_another_one_is_refused() -> None:
    bundle = archived()
    assert not restore(BytesIO(bundle)).was_there
    count = AuditEntry.objects.count()
    assert restore(BytesIO(bundle)).was_there
    Club.objects.update(name="Another")
    with pytest.raises(BundleError, match="not the same"):
        restore(BytesIO(bundle))
    assert AuditEntry.objects.count() == count


def test_a_dry_run_checks_everything_and_keeps_nothing() -> None:
    restored = restore(BytesIO(archived()), dry_run=True)
    assert restored.rows["hand"] == 6
    assert not Club.objects.exists()


def changed(bundle: bytes, table: str, cells: dict[str, object]) -> bytes:
    """A bundle in which somebody changed the first row of a table, and wrote a fitting digest."""
    lines, done = [], False
    for one, row in rows(bundle):
        if one == table and not done:
            assert cells.keys() <= row.keys()
            row.update(cells)
            done = True
        lines.append(line(one, row))
    assert done
    end = json.loads(lines.pop())[1]
    whole = b"".join(lines)
    return whole + line("end", {**end, "digest": hashlib.sha256(whole).hexdigest()})


@pytest.mark.parametrize(
    ("name", "cells", "why"),
    [
        ("hand", {"state": "void"}, "does not follow from its records"),
        ("version", {"text": {"text": "[Event]"}}, "does not follow from its records"),
        ("transfer", {"amount": 49}, "does not follow from its records"),
        ("trail", {"what": "game closed"}, "does not follow from its records"),
        ("game", {"booked": 1}, "does not follow from its records"),
        ("hand", {"state": "gold"}, "refuses"),
        ("hand", {"number": "1"}, "line "),
        ("hand", {"number": True}, "line "),
        ("transfer", {"payer_id": 10**9}, "there is no account"),
        ("transfer", {"payer_id": 0}, "there is no account"),
        ("transfer", {"amount": -1}, "line |refuses"),
        ("person", {"name": "x" * 300}, "line "),
        ("game", {"club_id": "0193f000-0000-7000-8000-000000000000"}, "another club|refuses"),
        ("player", {"created_at": "2026-11-20T19:30:00"}, "time zone"),
    ],
)
def test_a_bundle_that_was_changed_with_care_is_refused(
    name: str, cells: dict[str, object], why: str
) -> None:
    with pytest.raises(BundleError, match=why):
        restore(BytesIO(changed(archived(), name, cells)))
    assert not Club.objects.exists()


@pytest.mark.parametrize(
    ("damage", "why"),
    [
        (lambda bundle: b"", "no bundle"),
        (lambda bundle: b"PK\x03\x04" + bundle, "line 1 is no row"),
        (lambda bundle: bundle[:-1], "breaks off"),
        (lambda bundle: bundle[: bundle.rindex(b"\n", 0, -1) + 1], "end is missing"),
        (lambda bundle: bundle.replace(b"Club night", b"Club day", 1), "digest|does not follow"),
        (lambda bundle: bundle + bundle, "something comes after"),
        (lambda bundle: bundle.replace(b'"version":1', b'"version":9', 1), "version 1"),
        (lambda bundle: b'["x",' + b"[" * 100_000, "line 1 is no row|breaks off"),
        (lambda bundle: bundle.split(b"\n")[0] + b'\n["account",{}]\n', "with or without"),
        (lambda bundle: bundle.split(b"\n")[0] + b'\n["passwords",{}]\n', "is unknown"),
        (lambda bundle: b"a" * (17 * 1024 * 1024), "too long"),
    ],
)
def test_a_damaged_or_hostile_file_is_refused_in_words(damage, why) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BundleError, match=why):
        restore(BytesIO(damage(archived())))
    assert not Club.objects.exists()


def test_the_commands_take_a_club_from_one_database_to_another(tmp_path: Path) -> None:
    path, out = tmp_path / "club.bundle", StringIO()
    with transaction.atomic():
        club = make_club("Leiden Hearts")
        bring(club, file(in_turn(night(2, hands=2))))
        call_command("export", str(path), club="Leiden Hearts", stdout=out)
        whole = path.read_bytes()
        call_command("export", "-", club=str(club.pk), stdout=out)
        assert out.getvalue().endswith(whole.decode())
        transaction.set_rollback(True)
    call_command("import", str(path), stdout=out, dry_run=True)
    assert not Club.objects.exists()
    call_command("import", str(path), stdout=out)
    call_command("import", str(path), stdout=out)
    assert "is here already, exactly so" in out.getvalue()
    path.write_bytes(whole.replace(b"Club night", b"Club day"))
    with pytest.raises(SystemExit) as exit_:
        call_command("import", str(path), stdout=out)
    assert exit_.value.code == 1


def test_nights_that_were_called_off_or_moved_come_back_with_their_reasons() -> None:
    with transaction.atomic():
        first = make_event()
        second = make_event(first.club, rule_set=first.rule_set)
        who: dict[str, Any] = {"version": None, "by": DIRECTOR, "at": at(1)}
        cancel_event(event_id=first.pk, why="Too few players.", **who)
        later = second.starts_at + timedelta(days=7)
        move_event(event_id=second.pk, starts_at=later, why="A holiday.", **who)
        bundle = b"".join(write(first.club))
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    assert b"".join(write(Club.objects.get())) == bundle
    cancelled, moved = Event.objects.order_by("starts_at")
    assert (cancelled.status, cancelled.cancel_reason) == ("cancelled", "Too few players.")
    assert (moved.moved_from, moved.move_reason) == (second.starts_at, "A holiday.")
