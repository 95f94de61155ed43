"""What all tests of the API share: clean counters, and a database that threads can share."""

import copy
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.cache import cache
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
def _world(module_db: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[World, Path]:
    folder = tmp_path_factory.mktemp("files")
    with override_settings(FILES=folder):
        return make_world(), folder


@pytest.fixture
def world(_world: tuple[World, Path], files: Path, db: None) -> Iterator[World]:
    """One small world for all tests of a module: each leaves it, and who asks, as it found them."""
    made, folder = _world
    shutil.copytree(folder, files, dirs_exist_ok=True)
    cookies = {who: copy.deepcopy(one.client.cookies) for who, one in made.askers.items()}
    yield made
    for who, one in made.askers.items():
        one.client.cookies = cookies[who]
