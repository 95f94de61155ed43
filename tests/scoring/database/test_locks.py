"""The lock protocol of docs/locks.md: every use case locks first what it then writes to."""

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.games.fees import mark_fee
from scoring.games.night_end import book_prizes
from scoring.games.settling_up import settle_up
from scoring.models import Game
from tests.scoring.club import DIRECTOR, at
from tests.scoring.database.test_crashes import ACTIONS, game
from tests.tournaments.night import make_event
from tournaments.core.errors import RefusedError

__all__ = ["game"]

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "locks.md").read_text(encoding="utf-8")
_TOKENS = re.compile(
    r"(?P<lock>\b(?:_lock|lock|lock_hand|lock_with_club|lock_event|lock_own|_lock_entry|_locked)\(|\bselect_for_update\b)"
    r"|(?P<read>\.objects\.(?!only\b|select_for_update\b))"
    r"|\b(?P<call>_\w+)\("
)

# Which game a hand is in, and which club a game is of, never changes.
_LOOK_UP = re.compile(r'SELECT "scoring_(hand|game)"."id", "scoring_\1"."(game|club)_id" FROM')


class Module:
    """A module of use cases, as it is written."""

    def __init__(self, path: Path) -> None:
        self.name = f"{path.parent.name}.{path.stem}"
        self.source = path.read_text(encoding="utf-8")
        found = ast.parse(self.source).body
        self.functions = {one.name: one for one in found if isinstance(one, ast.FunctionDef)}

    def use_cases(self) -> Iterator[str]:
        """The functions that are a transaction of their own."""
        for name, function in self.functions.items():
            decorators = [ast.unparse(one) for one in function.decorator_list]
            if any(one.startswith("transaction.atomic") for one in decorators):
                yield name

    def begins(self, name: str) -> str:
        """What a function does first of all: "lock", "read", or "" for nothing of either."""
        body = self.functions[name].body
        text = "\n".join(ast.get_source_segment(self.source, one) or "" for one in body)
        for token in _TOKENS.finditer(text):
            if token["lock"]:
                return "lock"
            if token["read"]:
                return "read"
            if token["call"] in self.functions and (first := self.begins(token["call"])):
                return first
        return ""


NO_USE_CASES = {"demo", "jobs"}
"""Packages that work with their own rows alone, or with a new database."""
LOCK_NOTHING = {
    # They make something new that nobody else can know of.
    "accounts.make_account",
    "clubs.create_club",
    "checks.share_record",
    # The row is made first, if need be, and then locked.
    "accounts.count_try",
    # Whichever of two comes last is the one that counts.
    "setup_code.make_setup_code",
    # One conditional update.
    "subscriptions.send_again",
    "subscriptions.send_all_again",
}


@cache
def use_cases() -> list[tuple[Module, str]]:
    modules = [
        Module(path)
        for folder in ("scoring", "tournaments")
        for path in (ROOT / folder).rglob("*.py")
        if path.parent.name not in NO_USE_CASES
    ]
    return [(module, name) for module in modules for name in module.use_cases()]


def test_a_use_case_locks_before_it_reads(subtests: pytest.Subtests) -> None:
    for module, name in use_cases():
        with subtests.test(f"{module.name}.{name}"):
            if f"{module.name.partition('.')[2]}.{name}" not in LOCK_NOTHING:
                assert module.begins(name) == "lock"


def test_the_page_of_locks_names_every_use_case() -> None:
    assert use_cases()
    assert [name for _, name in use_cases() if f"`{name}`" not in PAGE] == []


@pytest.mark.django_db
@pytest.mark.parametrize("use_case", [mark_fee, book_prizes, settle_up])
def test_who_books_a_fee_waits_for_the_club_before_the_event(use_case: Callable[..., Any]) -> None:
    more: dict[str, dict[str, Any]] = {
        "mark_fee": {"entry_id": None, "paid": True},
        "settle_up": {"seen": {}},
    }
    event = make_event()
    with CaptureQueriesContext(connection) as said, pytest.raises(RefusedError):
        use_case(event_id=event.pk, by=DIRECTOR, at=at(), **more.get(use_case.__name__, {}))
    tables = [found[1] for one in said if (found := re.search(r'FROM "(\w+)"', one["sql"]))]
    assert tables[:3] == ["tournaments_event", "tournaments_club", "tournaments_event"]


@pytest.mark.django_db
@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: str(action.__name__))
def test_the_lock_is_the_first_statement(game: Game, action: Callable[[Game], None]) -> None:
    said: list[str] = []

    def listen(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        said.append(sql)
        return execute(sql, *rest)

    with connection.execute_wrapper(listen):
        action(game)
    began = next(place for place, sql in enumerate(said) if sql.startswith("SAVEPOINT"))
    first = next(sql for sql in said[began + 1 :] if not _LOOK_UP.match(sql))
    table = re.search(r"\bFROM (\w+)", first.replace('"', ""))
    assert table is not None, first
    assert table[1] in ("tournaments_club", "scoring_game")
    if connection.vendor == "postgresql":
        assert "FOR NO KEY UPDATE" in first
