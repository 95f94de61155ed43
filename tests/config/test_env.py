from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.env import env_address, env_bool, env_int, env_list, env_path, env_secret, env_str

Environment = pytest.MonkeyPatch


@pytest.mark.parametrize(
    ("raw", "meaning"),
    [("1", True), ("yes", True), (" TRUE ", True), ("0", False), ("off", False), ("", False)],
)
def test_yes_and_no_have_several_spellings(
    monkeypatch: Environment, raw: str, meaning: bool
) -> None:
    monkeypatch.setenv("PAINSUIT_X", raw)
    assert env_bool("PAINSUIT_X", default=not meaning) is meaning


@pytest.mark.parametrize("raw", ["maybe", "2", "tru", "1.0"])
def test_nonsense_for_yes_or_no_is_refused_by_name(monkeypatch: Environment, raw: str) -> None:
    monkeypatch.setenv("PAINSUIT_X", raw)
    with pytest.raises(ImproperlyConfigured, match=r"PAINSUIT_X='.*' is neither yes nor no"):
        env_bool("PAINSUIT_X", default=True)


@pytest.mark.parametrize("raw", ["0", "65536", "-1", "1_0", " 7", "\u0667", "", "eight", "+8"])
def test_only_plain_whole_numbers_within_bounds_count(monkeypatch: Environment, raw: str) -> None:
    monkeypatch.setenv("PAINSUIT_X", raw)
    with pytest.raises(ImproperlyConfigured, match="whole number from 1 to 65535"):
        env_int("PAINSUIT_X", default=8, low=1, high=65535)


def test_a_number_within_bounds_is_taken(monkeypatch: Environment) -> None:
    monkeypatch.setenv("PAINSUIT_X", "-3")
    assert env_int("PAINSUIT_X", default=8, low=-5, high=5) == -3


@pytest.mark.parametrize(
    ("read", "default"),
    [
        (lambda: env_bool("PAINSUIT_UNSET", default=True), True),
        (lambda: env_int("PAINSUIT_UNSET", default=8, low=0, high=9), 8),
        (lambda: env_str("PAINSUIT_UNSET", default="text", among={"text"}), "text"),
        (lambda: env_list("PAINSUIT_UNSET", default=["a"]), ["a"]),
        (lambda: env_path("PAINSUIT_UNSET", default=Path("data")), Path("data")),
        (lambda: env_secret("PAINSUIT_UNSET"), None),
    ],
)
def test_what_is_not_set_has_its_default(
    monkeypatch: Environment, read: Callable[[], object], default: object
) -> None:
    monkeypatch.delenv("PAINSUIT_UNSET", raising=False)
    assert read() == default


def test_a_word_outside_the_choices_is_refused_with_the_choices(monkeypatch: Environment) -> None:
    monkeypatch.setenv("PAINSUIT_X", "xml")
    with pytest.raises(ImproperlyConfigured, match=r"'xml' is not one of: json, text"):
        env_str("PAINSUIT_X", default="text", among={"text", "json"})


def test_a_list_is_split_at_commas_and_trimmed(monkeypatch: Environment) -> None:
    monkeypatch.setenv("PAINSUIT_X", "club.example , , 192.168.1.5,")
    assert env_list("PAINSUIT_X") == ["club.example", "192.168.1.5"]


@pytest.mark.parametrize(
    ("raw", "found"), [("proxy:3128", ("proxy", 3128)), ("[::1]:80", ("::1", 80))]
)
def test_an_address_has_a_host_and_a_port(
    monkeypatch: Environment, raw: str, found: tuple[str, int]
) -> None:
    assert env_address("PAINSUIT_T") is None
    monkeypatch.setenv("PAINSUIT_T", raw)
    assert env_address("PAINSUIT_T") == found


@pytest.mark.parametrize(
    "raw",
    ["", "proxy", "proxy:", ":3128", "proxy:0", "proxy:65536", "http://proxy:80", "a@b:1", "p:٣"],
)
def test_what_is_no_address_is_refused_by_name(monkeypatch: Environment, raw: str) -> None:
    monkeypatch.setenv("PAINSUIT_T", raw)
    with pytest.raises(ImproperlyConfigured, match="PAINSUIT_T"):
        env_address("PAINSUIT_T")


def test_a_path_is_made_absolute_and_may_not_be_empty(monkeypatch: Environment) -> None:
    monkeypatch.setenv("PAINSUIT_X", "~/cards")
    assert env_path("PAINSUIT_X", default=Path()) == Path.home() / "cards"
    monkeypatch.setenv("PAINSUIT_X", " ")
    with pytest.raises(ImproperlyConfigured, match="PAINSUIT_X is empty"):
        env_path("PAINSUIT_X", default=Path())


def test_a_secret_may_stand_in_a_file(monkeypatch: Environment, tmp_path: Path) -> None:
    file = tmp_path / "secret"
    file.write_text("s3cret\n", encoding="utf-8")
    monkeypatch.setenv("PAINSUIT_X_FILE", str(file))
    assert env_secret("PAINSUIT_X") == "s3cret"


def test_a_secret_given_twice_too_short_or_unreadable_is_refused(
    monkeypatch: Environment, tmp_path: Path
) -> None:
    monkeypatch.setenv("PAINSUIT_X", "short")
    with pytest.raises(ImproperlyConfigured, match="at least 32 characters"):
        env_secret("PAINSUIT_X", least=32)
    monkeypatch.setenv("PAINSUIT_X_FILE", str(tmp_path / "missing"))
    with pytest.raises(ImproperlyConfigured, match="not both"):
        env_secret("PAINSUIT_X")
    monkeypatch.delenv("PAINSUIT_X")
    with pytest.raises(ImproperlyConfigured, match=r"PAINSUIT_X_FILE=.* cannot be read"):
        env_secret("PAINSUIT_X")
