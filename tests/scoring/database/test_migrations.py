"""Migrations: a database of the first release upgrades without loss, and a new one is the same."""

import ast
import lzma
import os
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import django
import pytest
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from pytest_django import DjangoDbBlocker

from scoring.models import Game
from scoring.transfer.verifying import bundles, look_at_club, look_at_games, look_at_standings
from tests.migrated import copy_migrated, database_in
from tournaments.events import boards
from tournaments.models import AnsweredRequest, Board, Club, DealSecret
from tournaments.verifying import published_subjects

FIRST_RELEASE = Path(__file__).parents[1] / "golden" / "database-0.1.0.sql.xz"
"""The data folder's database after `manage.py demo --small --nights 1` with 0.1.0.

Three duplicate events were added that had not begun, for four with and without a centre and for
three, with boards dealt from their public seed, and a player by the API.
"""
ROOT = Path(__file__).parents[3]
OURS = ("scoring", "tournaments")
FOR_MIGRATIONS = {"tournaments.core.ids"}
"""What migrations may import of the application: the function that makes identifiers."""
GONE = {"tournaments_seatsum"}
"""Tables that an upgrade removes: what was in them follows from other rows."""
KNOWN_DIFFERENCES = {
    "scoring_game": {"boards_alike", "counted"},
}
"""Columns that SQLite was given by ALTER TABLE, or left as they were, with the same meaning."""

on_sqlite = pytest.mark.skipif(
    "TEST_DATABASE_URL" in os.environ, reason="the old database is a file of SQLite"
)


class Upgrade(NamedTuple):
    """A database of the first release before and after its upgrade."""

    before: Counter[str]
    path: Path


@pytest.fixture(scope="module")
def upgraded(
    tmp_path_factory: pytest.TempPathFactory, django_db_blocker: DjangoDbBlocker
) -> Upgrade:
    path = tmp_path_factory.mktemp("upgraded") / "painsuit.sqlite3"
    with closing(sqlite3.connect(path)) as database:
        database.executescript(lzma.decompress(FIRST_RELEASE.read_bytes()).decode())
    before = counts(path)
    with django_db_blocker.unblock(), database_in(path):
        call_command("migrate", verbosity=0)
    return Upgrade(before, path)


@pytest.fixture
def upgrade(upgraded: Upgrade, django_db_blocker: DjangoDbBlocker) -> Iterator[Upgrade]:
    """The upgraded database as the default one, which the tests only read."""
    with django_db_blocker.unblock(), database_in(upgraded.path):
        yield upgraded


def counts(path: Path) -> Counter[str]:
    """How many rows each of our tables has."""
    with closing(sqlite3.connect(path)) as database:
        tables = [
            name
            for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            if name.startswith(OURS)
        ]
        return Counter(
            {
                name: database.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0]
                for name in tables
            }
        )


def schema(path: Path) -> dict[str, Any]:
    """Everything that a database is made of, by name; columns and constraints in any order."""
    with closing(sqlite3.connect(path)) as database:
        rows = database.execute("SELECT type, name, tbl_name, sql FROM sqlite_master").fetchall()
    return {
        name: clauses(sql) if kind == "table" else " ".join(str(sql).split())
        for kind, name, table, sql in rows
        if table.startswith(OURS) and not name.startswith("sqlite_autoindex")
    }


def clauses(sql: str) -> set[str]:
    """The clauses between the parentheses of a CREATE TABLE."""
    found, depth = [""], 0
    for letter in sql[sql.index("(") + 1 : sql.rindex(")")]:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            found.append("")
        else:
            found[-1] += letter
    return {" ".join(clause.split()) for clause in found}


@on_sqlite
def test_a_database_of_the_first_release_upgrades_without_loss(upgrade: Upgrade) -> None:
    before, after = upgrade.before, counts(upgrade.path)
    grown = {name: after[name] - before[name] for name in before.keys() - GONE}
    assert {name for name, by in grown.items() if by} <= {
        "tournaments_stale",  # what was published before is computed anew
        "scoring_chore",
    }
    assert not GONE & after.keys()
    found = [look_at_games(part.games) for part in bundles()]
    assert sum(one.hands for one in found) == before["scoring_hand"] - rivals()
    assert not any(one.differences for one in found)
    club = Club.objects.get().pk
    assert not look_at_club(club)
    assert not any(look_at_standings(number) for number in published_subjects(club))


def rivals() -> int:
    """Second records, and hands that were never part of their game."""
    hands = sum(Game.objects.values_list("hands", flat=True))
    with connection.cursor() as cursor:
        cursor.execute("SELECT COUNT(*) FROM scoring_hand")
        return int(cursor.fetchone()[0]) - hands


@on_sqlite
def test_prepared_boards_of_the_first_release_are_dealt_from_a_secret(upgrade: Upgrade) -> None:
    found = Board.objects.order_by("event", "number")
    assert Counter(found.values_list("source", flat=True)) == {"key": 18}
    assert all(boards.is_dealt_from_key(board) for board in found)
    sizes = Counter(tuple(map(len, hands(board))) for board in found)
    assert {sum(size) for size in sizes} == {48, 51, 52}
    assert DealSecret.objects.count() == 3


def hands(board: Board) -> list[list[str]]:
    """The cards of each hand."""
    return [re.findall("[2-9TJQKA]", text) for text in board.deal.split(";")]


@on_sqlite
def test_a_request_of_the_first_release_belongs_to_its_club(upgrade: Upgrade) -> None:
    assert set(AnsweredRequest.objects.values_list("club_id", flat=True)) == {Club.objects.get().pk}


@on_sqlite
def test_an_upgraded_database_is_made_like_a_new_one(upgrade: Upgrade, tmp_path: Path) -> None:
    new = tmp_path / "new.sqlite3"
    copy_migrated(new)
    mine, theirs = schema(upgrade.path), schema(new)
    assert mine.keys() == theirs.keys()
    for name, made in theirs.items():
        if isinstance(made, str):
            assert mine[name] == made
            continue
        differing = mine[name] ^ made
        if django.VERSION >= (6,):  # writes the conditions of constraints in another way
            names = [{by_name(clause) for clause in side} for side in (mine[name], made)]
            differing = names[0] ^ names[1]
        columns = {clause.split()[0].strip('"') for clause in differing}
        assert columns == KNOWN_DIFFERENCES.get(name, set()), name


def by_name(clause: str) -> str:
    """A clause, of a constraint only its name."""
    return " ".join(clause.split()[:2]) if clause.startswith("CONSTRAINT") else clause


@on_sqlite
def test_a_database_that_ran_all_old_migrations_runs_none_again(
    tmp_path: Path, django_db_blocker: DjangoDbBlocker
) -> None:
    path = tmp_path / "painsuit.sqlite3"
    copy_migrated(path)
    with django_db_blocker.unblock(), database_in(path):
        recorder, squashed = MigrationRecorder(connection), squashes()
        assert set(OURS) == {app for app, _ in squashed}
        for (app, name), replaced in squashed.items():
            recorder.record_unapplied(app, name)
            for old in replaced:
                recorder.record_applied(*old)
        executor = MigrationExecutor(connection)
        assert executor.migration_plan(executor.loader.graph.leaf_nodes()) == []
        before = schema(path)
        call_command("migrate", verbosity=0)
        assert schema(path) == before
        assert squashed.keys() <= MigrationRecorder(connection).applied_migrations().keys()


def squashes() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The migrations that replace others."""
    loader = MigrationLoader(None)
    found = loader.disk_migrations.items()
    return {key: list(one.replaces) for key, one in found if one.replaces and key[0] in OURS}


def test_a_new_database_needs_one_migration_of_each_application() -> None:
    for app, names in Counter(app for app, _ in squashes()).items():
        assert names <= 2, app


def test_migrations_import_nothing_of_the_application() -> None:
    # What an old migration does may not change with the application.
    wrong = []
    for path in sorted(ROOT.glob("*/migrations/*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = []
            if isinstance(node, ast.Import):
                modules = [one.name for one in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules = [node.module or ""]
            wrong += [
                f"{path.relative_to(ROOT)}: {module}"
                for module in modules
                if module.split(".")[0] in ("config", "engine", *OURS)
                and ".migrations." not in module
                and module not in FOR_MIGRATIONS
            ]
    assert wrong == []
