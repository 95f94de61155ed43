"""The command line in the language that the environment asks for."""

import json

import pytest

from engine.cli.language import languages
from tests.cli.calling import NAMES, RECORDS, SAMPLES, Answer, ask

SAMPLE = str(SAMPLES / NAMES["1"])
BAD = str(RECORDS / "bad.phn")


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANGUAGE", "de_AT:de:en")


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("validate", BAD), "HA und CA sind vertauscht"),
        (("settle", SAMPLE), "Stand nach 1 Spiel"),
        (("show", SAMPLE), "Straffarbe  \N{BLACK HEART SUIT} durch S für 4"),
        (("show", SAMPLE, "--trick", "3"), "Vor Stich 3"),
        (("rules", "hoyle_hearts"), "Wer spielt als Erstes aus?"),
    ],
)
def test_a_german_reader_gets_german(words: tuple[str, ...], told: str) -> None:
    assert told in ask(*words).out


@pytest.mark.usefixtures("german")
def test_complaints_are_german_too() -> None:
    assert "ein Protokoll 9 gibt es nicht" in ask("show", SAMPLE, "--record", "9").err
    assert "ist nicht zu lesen" in ask("show", "nowhere.phn").err


def test_what_programs_read_is_the_same_in_every_language(monkeypatch: pytest.MonkeyPatch) -> None:
    def answers() -> list[Answer]:
        return [
            ask("settle", SAMPLE, "--format", "csv"),
            ask("validate", BAD, "--format", "json"),
            ask("rules", "--switches", "--json"),
        ]

    english = answers()
    monkeypatch.setenv("LANGUAGE", "de")
    assert answers() == english
    assert json.loads(english[2].out)


@pytest.mark.parametrize(
    ("environment", "wanted"),
    [
        ({"LANGUAGE": "de_AT:en:fr", "LANG": "fr_FR.UTF-8"}, ["de_AT"]),
        ({"LC_ALL": "C.UTF-8", "LANG": "de_DE.UTF-8"}, []),
        ({"LC_MESSAGES": "de_DE.UTF-8"}, ["de_DE.UTF-8"]),
        ({}, []),
    ],
)
def test_the_environment_names_the_language(
    environment: dict[str, str], wanted: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert languages() == wanted
