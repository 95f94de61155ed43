"""DATABASE_URL: understood exactly, or refused with a sentence that shows no password."""

import re
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.running.database import LIMITS, database

FILE = Path("painsuit.sqlite3")
ROOT = Path(__file__).parents[2]


def test_without_an_address_it_is_the_embedded_file() -> None:
    found = database(None, file=FILE)
    assert found["ENGINE"] == "django.db.backends.sqlite3"
    assert found["NAME"] == FILE
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "synchronous=FULL" in found["OPTIONS"]["init_command"]


@pytest.mark.parametrize("scheme", ["postgres", "postgresql"])
def test_an_address_says_who_where_and_what(scheme: str) -> None:
    found = database(
        f"{scheme}://club%40home:p%23ss%2Fword@db.example:5433/painsuit?sslmode=require", file=FILE
    )
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["USER"], found["PASSWORD"]) == ("club@home", "p#ss/word")
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("db.example", "5433", "painsuit")
    assert found["OPTIONS"]["sslmode"] == "require"
    assert found["CONN_HEALTH_CHECKS"]
    assert not found["ATOMIC_REQUESTS"]


def test_a_folder_is_the_place_of_a_socket() -> None:
    found = database("postgres://me@/painsuit?host=/run/postgresql", file=FILE)
    assert (found["HOST"], found["PORT"]) == ("/run/postgresql", "")
    assert "host" not in found["OPTIONS"]


def test_every_connection_has_limits() -> None:
    options = database("postgres://me@db/painsuit", file=FILE)["OPTIONS"]["options"]
    assert "-c lock_timeout=3s" in options
    assert "-c statement_timeout=15s" in options
    assert "-c idle_in_transaction_session_timeout=" in options


def test_by_a_pooler_of_transactions_nothing_is_sent_that_belongs_to_a_session() -> None:
    found = database("postgres://me@db/painsuit?pool_mode=transaction", file=FILE)
    assert found["DISABLE_SERVER_SIDE_CURSORS"]
    assert found["OPTIONS"] == {"connect_timeout": "5"}
    with pytest.raises(ImproperlyConfigured, match="leave out schema"):
        database("postgres://me@db/painsuit?pool_mode=transaction&schema=other", file=FILE)
    with pytest.raises(ImproperlyConfigured, match="none of session, transaction"):
        database("postgres://me@db/painsuit?pool_mode=statement", file=FILE)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "painsuit",
        "mysql://me:secret@db/painsuit",
        "sqlite:///painsuit.sqlite3",
        "postgres://me:secret@db",
        "postgres://me:secret@db/",
        "postgres://me:secret@db/a/b",
        "postgres://me:secret@db:many/painsuit",
        "postgres://me:secret@db:99999/painsuit",
        "postgres://me:secret@db/painsuit?options=-cfsync%3Doff",
        "postgres://me:secret@db/painsuit?ssl_mode=require",
        "postgres://me:sec#ret@db/painsuit",
        "postgres://me:secret@[db/painsuit",
    ],
)
def test_nonsense_is_refused_by_name_and_without_the_password(url: str) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        database(url, file=FILE)
    assert str(refused.value).startswith("DATABASE_URL is no address of a database: ")
    assert "sec" not in str(refused.value)


def test_the_page_of_settings_names_every_setting() -> None:
    read = re.compile(r"\benv_\w+\(\s*\"(\w+)\"")
    names = {
        name for file in (ROOT / "config").rglob("*.py") for name in read.findall(file.read_text())
    }
    page = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")
    assert names
    assert sorted(name for name in names if f"`{name}`" not in page) == []


def test_the_page_of_postgresql_names_every_limit() -> None:
    page = (ROOT / "docs" / "postgresql.md").read_text(encoding="utf-8")
    assert [name for name in LIMITS if f"`{name}`" not in page] == []
