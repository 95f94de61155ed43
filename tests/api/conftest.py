"""What all tests of the API share: clean counters, and a database that threads can share."""

import copy
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import override_settings

from tests.api.world import World, make_world
from tests.committing import shared_database

__all__ = ["files", "fresh_counters", "shared_database", "world"]


@pytest.fixture(autouse=True)
def fresh_counters() -> None:
    cache.clear()


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> Path:
    """A folder for what jobs read and make."""
    settings.FILES = tmp_path / "files"
    return tmp_path / "files"


@pytest.fixture(scope="module")
def _world(
    django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[World, Path]]:
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]
    folder = tmp_path_factory.mktemp("files")
    with django_db_blocker.unblock(), block:
        with override_settings(FILES=folder):
            made = make_world()
        yield made, folder
        transaction.set_rollback(True)


@pytest.fixture
def world(_world: tuple[World, Path], files: Path, db: None) -> Iterator[World]:
    """One small world for all tests of a module: each leaves it, and who asks, as it found them."""
    made, folder = _world
    shutil.copytree(folder, files, dirs_exist_ok=True)
    cookies = {who: copy.deepcopy(one.client.cookies) for who, one in made.askers.items()}
    yield made
    for who, one in made.askers.items():
        one.client.cookies = cookies[who]
