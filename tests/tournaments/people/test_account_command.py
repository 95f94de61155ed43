"""`manage.py account`: how a fresh installation gets the first one who can sign in."""

import io
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tournaments.models import Account, Role, SignInCount

pytestmark = pytest.mark.django_db
PASSWORD = "a shuffled pack of cards"


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "password"
    path.write_text(PASSWORD + "\n", encoding="utf-8")
    return str(path)


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("account", *arguments, stdout=out)
    return out.getvalue()


def test_an_account_is_made_with_a_password_from_a_file(file: str) -> None:
    said = run("Nora@Club.example", "--name", "Nora Adams", "--password-file", file)
    assert said == "Nora@Club.example can sign in.\n"
    account = Account.objects.get(email="nora@club.example")
    assert account.check_password(PASSWORD)
    assert not Role.objects.exists()


def test_the_password_may_come_from_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(PASSWORD + "\n"))
    run("nora@club.example", "--name", "Nora", "--password-file", "-")
    assert Account.objects.get().check_password(PASSWORD)


def test_a_federation_has_an_admin_without_a_club(file: str) -> None:
    run("nora@club.example", "--name", "Nora", "--password-file", file, "--federation")
    assert Role.objects.get().club_id is None


def test_a_new_password_replaces_the_old_one_and_opens_the_lock(file: str, tmp_path: Path) -> None:
    run("nora@club.example", "--name", "Nora", "--password-file", file)
    old = Account.objects.get()
    SignInCount.objects.create(email=old.email, address="x", tries=5, since=old.created_at)
    other = tmp_path / "other"
    other.write_text("another shuffled pack", encoding="utf-8")
    run("NORA@club.example", "--new-password", "--password-file", str(other))
    assert Account.objects.get().check_password("another shuffled pack")
    assert not SignInCount.objects.exists()


def test_a_lock_is_opened_by_hand() -> None:
    assert run("nora@club.example", "--unlock") == "nora@club.example may try again.\n"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("nobody", "--name", "Nora"), "not an e-mail address"),
        (("n@club.example", "--name", " "), "A name has"),
        (("n@club.example", "--name", "x" * 201), "A name has"),
        (("n@club.example", "--new-password"), "Nobody has an account"),
    ],
)
def test_what_cannot_be_is_said(arguments: tuple[str, ...], words: str, file: str) -> None:
    with pytest.raises(CommandError, match=words):
        run(*arguments, "--password-file", file)


def test_a_weak_password_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("password\n"))
    with pytest.raises(CommandError, match="12 characters"):
        run("n@club.example", "--name", "Nora", "--password-file", "-")


def test_a_file_that_is_not_there_and_no_terminal_are_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="cannot be read"):
        run("n@club.example", "--name", "Nora", "--password-file", "/nowhere/at/all")
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    with pytest.raises(CommandError, match="no terminal"):
        run("n@club.example", "--name", "Nora")
