"""Tampering with the database past its guards: `verify` names what was touched."""

import hashlib
import io
import json
from base64 import urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from config.operations.backups import write_trails_beside
from scoring.models import Game
from scoring.transfer.bundling import write
from scoring.transfer.bundling.cells import line
from scoring.transfer.bundling.heads import summarize_heads
from scoring.transfer.signatures import Signing
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.scoring.club import chip_hand, enter, make_club, make_game, state_of
from tests.tournaments.night import make_event
from tests.unguarded import unguarded
from tournaments import audit
from tournaments.models import AuditEntry, Event, Trail

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    club = make_club()
    make_event(club)
    game = make_game(club)
    for minute, taken in enumerate([(6, 3, 4, 0), (0, 0, 0, 13), (1, 2, 10, 0)]):
        enter(game, chip_hand(state_of(game), taken), minutes=minute)
    game.refresh_from_db()
    return game


def differences(game: Game) -> list[str]:
    return [
        str(one) for one in (*look_at_games([game.pk]).differences, *look_at_club(game.club_id))
    ]


def damage(sql: str, *values: str | int) -> None:
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(sql, values)
        assert cursor.rowcount


def chain_of(row: Game | Event) -> str:
    return row.pk.hex if connection.vendor == "sqlite" else str(row.pk)


def test_trails_that_nobody_touched_give_no_line(game: Game) -> None:
    assert differences(game) == []
    for trail in Trail.objects.all():
        entries = AuditEntry.objects.filter(chain=trail.chain)
        assert entries.count() == trail.length


@pytest.mark.parametrize(
    ("sql", "said"),
    [
        (
            "DELETE FROM tournaments_auditentry WHERE chain = %s AND number > 2",
            "kept 2 entries: it was cut, right 4 entries",
        ),
        (
            "DELETE FROM tournaments_auditentry WHERE chain = %s",
            "kept no entry: it was deleted, right 4 entries",
        ),
        (
            "DELETE FROM tournaments_trail WHERE chain = %s",
            "kept no length of it, right one that was written down",
        ),
        (
            "UPDATE tournaments_trail SET length = 3 WHERE chain = %s",
            "kept 4 entries: some were added from outside, right 3 entries",
        ),
        (
            "UPDATE tournaments_trail SET digest = 'x' WHERE chain = %s",
            ", entry 4, the last: kept rewritten",
        ),
    ],
)
def test_a_trail_of_a_game_that_was_cut_or_deleted_is_named(
    game: Game, sql: str, said: str
) -> None:
    damage(sql, chain_of(game))
    (found,) = differences(game)
    assert f'game {game.pk}: trail of "{game.name}"' in found
    assert said in found


def rewrite_entries(game: Game) -> None:
    """Say of each entry of a game that somebody else did it; their digests are made to fit."""
    before = audit.FIRST_DIGEST
    for entry in AuditEntry.objects.filter(chain=game.pk).order_by("number"):
        entry.by, entry.before = "somebody else", before
        before = audit.digest_of(entry)
        damage(
            'UPDATE tournaments_auditentry SET "by" = %s, before = %s, digest = %s WHERE id = %s',
            entry.by,
            entry.before,
            before,
            entry.pk,
        )


def test_a_trail_that_was_rewritten_with_fitting_digests_is_named(game: Game) -> None:
    rewrite_entries(game)
    (found,) = differences(game)
    assert ", entry 4, the last: kept rewritten" in found


def test_a_trail_of_an_event_is_named_with_the_event(game: Game) -> None:
    event = Event.objects.get()
    damage("DELETE FROM tournaments_auditentry WHERE chain = %s", chain_of(event))
    (found,) = differences(game)
    assert f'trail of event "{event.name}" ({event.pk}): kept no entry: it was deleted' in found
    damage("DELETE FROM tournaments_trail WHERE chain = %s", chain_of(event))
    (found,) = differences(game)
    assert f'trail of event "{event.name}" ({event.pk}): kept no length of it' in found


def test_what_is_done_after_a_cut_does_not_hide_it(game: Game) -> None:
    damage("DELETE FROM tournaments_auditentry WHERE chain = %s AND number > 2", chain_of(game))
    enter(game, chip_hand(state_of(game), (3, 3, 3, 4)), minutes=9)
    (found,) = differences(game)
    assert "entry 5 (hand entered): kept changed, or out of its place" in found


def verify_against(path: Path) -> tuple[int, str, str]:
    out, err = io.StringIO(), io.StringIO()
    status = 0
    try:
        call_command("verify", "--against", str(path), "--processes", "1", stdout=out, stderr=err)
    except SystemExit as ended:
        status = int(ended.code or 0)
    return status, out.getvalue(), err.getvalue()


@pytest.fixture
def earlier(game: Game, tmp_path: Path, settings: Any) -> Path:
    """A bundle of the club with its signature; a hand was entered after it was written."""
    settings.SIGNING_KEY = urlsafe_b64encode(bytes(32)).decode().rstrip("=")
    settings.SIGNERS = tmp_path / "signers"
    path = tmp_path / "club.bundle"
    signing = Signing()
    path.write_bytes(b"".join(signing.passing(write(game.club))))
    signature = signing.sign()
    assert signature is not None
    Path(f"{path}.sig").write_text(signature.text())
    enter(game, chip_hand(state_of(game), (3, 3, 3, 4)), minutes=9)
    return path


@pytest.fixture
def trails(game: Game, earlier: Path) -> Path:
    """The trails that lie beside a backup, with their signature; a hand was entered since."""
    write_trails_beside(str(earlier.with_name("night.backup")), at=timezone.now())
    enter(game, chip_hand(state_of(game), (3, 3, 3, 4)), minutes=10)
    return earlier.with_name("night.backup.trails")


def test_what_came_after_a_backup_is_no_difference_from_its_trails(
    game: Game, trails: Path
) -> None:
    status, out, err = verify_against(trails)
    assert (status, err) == (0, "")
    assert "intact; signed by this installation" in out
    assert "no difference." in out


@pytest.mark.parametrize(
    ("length", "kept"),
    [(6, "other entries: it was rewritten"), (2, "2 entries: it was cut")],
)
def test_a_trail_that_was_forged_is_named_by_the_trails_beside_an_older_backup(
    game: Game, trails: Path, length: int, kept: str
) -> None:
    forge_trail(game, length)
    status, out, _err = verify_against(trails)
    assert status == 1
    assert f'trail of "{game.name}": kept {kept}, right 5 entries as' in out


def test_whoever_names_the_backup_is_told_of_the_trails_beside_it(trails: Path) -> None:
    backup = trails.with_suffix("")
    backup.write_bytes(b'{"format": "painsuit backup"}\n')
    status, _out, err = verify_against(backup)
    assert status == 2
    assert f"what belongs to a backup is {trails}" in err


def test_trails_beside_a_backup_that_were_changed_are_refused(game: Game, trails: Path) -> None:
    trails.write_bytes(trails.read_bytes().replace(b'"number":5', b'"number":4'))
    status, _out, err = verify_against(trails)
    assert status == 2
    assert "its digest is another one" in err


def test_what_came_after_a_bundle_is_no_difference_from_it(game: Game, earlier: Path) -> None:
    status, out, err = verify_against(earlier)
    assert (status, err) == (0, "")
    assert "intact; signed by this installation" in out
    assert "1 game, 4 hands: no difference." in out


def forge_trail(game: Game, length: int) -> None:
    """Write other entries, with digests and an end of the trail that fit."""
    where = "DELETE FROM tournaments_auditentry WHERE chain = %s AND number > %s"
    with unguarded(), connection.cursor() as cursor:
        cursor.execute(where, [chain_of(game), length])
    rewrite_entries(game)
    last = AuditEntry.objects.get(chain=game.pk, number=length)
    damage(
        "UPDATE tournaments_trail SET length = %s, digest = %s WHERE chain = %s",
        length,
        last.digest,
        chain_of(game),
    )


@pytest.mark.parametrize(
    ("length", "kept"),
    [(5, "other entries: it was rewritten"), (2, "2 entries: it was cut")],
)
def test_a_trail_that_was_forged_to_its_very_end_is_named_by_an_older_bundle(
    game: Game, earlier: Path, length: int, kept: str
) -> None:
    forge_trail(game, length)
    assert differences(game) == []
    status, out, err = verify_against(earlier)
    assert (status, err) == (1, "")
    assert f'game {game.pk}: trail of "{game.name}": kept {kept}, right 4 entries as' in out


def test_a_trail_that_is_gone_without_a_trace_is_named_by_an_older_bundle(
    game: Game, earlier: Path
) -> None:
    event = Event.objects.get()
    damage("DELETE FROM tournaments_auditentry WHERE chain = %s", chain_of(event))
    damage("DELETE FROM tournaments_trail WHERE chain = %s", chain_of(event))
    status, out, _err = verify_against(earlier)
    assert status == 1
    about = f'trail of event "{event.name}" ({event.pk})'
    assert f"{about}: kept no entry: it was deleted, right 1 entries as in the file" in out


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda text: b"x" + text, "line 1 is no row of a bundle"),
        (lambda text: text[:-20], "breaks off"),
        (lambda text: text.replace(b"hand entered", b"hand omitted"), "its digest is another one"),
        (lambda text: b"", "this is no bundle of a club"),
    ],
)
def test_a_file_that_is_damaged_or_something_else_is_refused_in_one_sentence(
    earlier: Path, change: Callable[[bytes], bytes], said: str
) -> None:
    earlier.write_bytes(change(earlier.read_bytes()))
    status, out, err = verify_against(earlier)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


def test_a_bundle_of_a_club_that_is_not_here_is_refused(game: Game, earlier: Path) -> None:
    other = str(uuid4())
    text = earlier.read_bytes().replace(str(game.club_id).encode(), other.encode())
    *rows, last = text.splitlines(keepends=True)
    found = [cells for name, cells in map(json.loads, rows) if name == "trail"]
    digests = {UUID(cells["chain"]): cells["digest"] for cells in found}
    end = json.loads(last)[1]
    end["digest"] = hashlib.sha256(b"".join(rows)).hexdigest()
    end["heads"] = summarize_heads(UUID(other), digests).all
    earlier.write_bytes(b"".join(rows) + line("end", end))
    Path(f"{earlier}.sig").unlink()
    assert verify_against(earlier)[2].endswith("no club of it is here\n")


def test_a_signature_that_is_not_that_of_the_bundle_is_refused(game: Game, earlier: Path) -> None:
    earlier.write_bytes(b"".join(write(game.club)))
    status, _out, err = verify_against(earlier)
    assert status == 2
    assert "changed after it was signed" in err
