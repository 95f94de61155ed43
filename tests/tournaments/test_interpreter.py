"""What is said in English below the pages is told in the language of the reader."""

import pytest
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from engine.faults import ADVICE, TITLES
from engine.notation.diagnostics import RULES
from engine.rule_sheet import sheet
from engine.rules.presets import PRESETS
from engine.rules.presets import TITLES as PRESET_TITLES
from engine.rules.switch_specs import SWITCHES
from tournaments.interpreter import Interpreter, fitting, in_language_of_reader, interpreted
from tournaments.standings import ScoringRules, describe
from tournaments.standings.season import SeasonRules, describe_season

TOLD = [
    (
        "South bid 4 and named hearts. East took none and wins 17.",
        "Süd bot 4 und nannte Herz. Ost nahm keine und gewinnt 17.",
    ),
    (
        "South bid 4 and named spades. East and West took none and win 8 each; 1 stays in the pot.",
        "Süd bot 4 und nannte Pik. Ost und West nahmen keine und gewinnen je 8; 1 bleibt im Topf.",
    ),
    (
        "North-East named clubs for the jackpot. Nobody was clean: the pot of 12 is a jackpot.",
        "Nordost nannte Kreuz für den Jackpot."
        " Niemand war sauber: der Topf mit 12 wird ein Jackpot.",
    ),
    (
        "North scores 3, East scores 5 and South scores 1; West nothing.",
        "Nord bekommt 3, Ost bekommt 5 und Süd bekommt 1; West nichts.",
    ),
    ("S: HK does not follow clubs", "S: HK bedient Kreuz nicht"),
    ("W: the bid of 3 is not higher than 4", "W: das Gebot von 3 ist nicht höher als 4"),
    ("When a player has no chips left.", "Wenn ein Spieler keine Chips mehr hat."),
    ("Auction Hearts (Bicycle), with house rules", "Auktions-Herz (Bicycle), mit Hausregeln"),
]


@pytest.mark.parametrize(("said", "told"), TOLD)
def test_sentences_of_the_engine_are_told_in_german(said: str, told: str) -> None:
    with translation.override("de"):
        assert interpreted(said) == told
    with translation.override("en"):
        assert interpreted(said) == said


@pytest.mark.parametrize(
    "own",
    [
        *("", "Anna and Bert were late.", "Zoë: the lamp broke", "hearts or spades?", "a" * 5000),
        *("a: " * 330, "a; " * 330, "a. " * 330, "a and " * 160, "(" * 999),
    ],
    ids=range(10),
)
def test_what_somebody_wrote_himself_is_left_as_it_is(own: str) -> None:
    with translation.override("de"):
        assert interpreted(own) == own


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_the_sheet_of_every_preset_is_german(preset: str) -> None:
    with translation.override("de"):
        english = [
            words
            for line in sheet(PRESETS[preset])
            for words in line
            if interpreted(words) == words and len(words) > 6
        ]
    assert english == []


def test_every_question_and_every_choice_is_german() -> None:
    said: list[str] = [switch.question for switch in SWITCHES.values()]
    said += [*TITLES.values(), *ADVICE.values(), *PRESET_TITLES.values()]
    said += [rule.title for rule in RULES.values()]
    said += [rule.hint for rule in RULES.values() if rule.hint]
    said += [*describe(ScoringRules()), *describe_season(SeasonRules())]
    with translation.override("de"):
        english = [words for words in said if interpreted(words) == words]
    assert english == []


def test_only_what_stands_under_the_names_is_told() -> None:
    data = {"sentence": "hearts", "name": "hearts", "rows": [{"hint": ["spades", 3, None]}]}
    with translation.override("de"):
        told = in_language_of_reader(data, frozenset({"sentence", "hint"}))
    assert told == {"sentence": "Herz", "name": "hearts", "rows": [{"hint": ["Pik", 3, None]}]}
    assert data["sentence"] == "hearts"


NAMES = st.text(st.characters(codec="utf-8", exclude_characters=".!?:;"), min_size=1, max_size=40)


@given(NAMES, st.integers(0, 10**9))
def test_names_and_numbers_come_through_unchanged(name: str, number: int) -> None:
    told = Interpreter({"{0} takes {1} now": "jetzt nimmt {0} genau {1}"})
    said = f"{name} takes {number} now"
    if name.count(" takes ") == 0:
        assert told.tell(said) == f"jetzt nimmt {name} genau {number}"


@given(st.lists(st.text(max_size=5), min_size=2, max_size=5), st.text(max_size=60))
def test_what_fits_a_pattern_is_its_words_with_the_fields_between(
    between: list[str], words: str
) -> None:
    values = fitting(between, words)
    if values is not None:
        woven = [part for pair in zip(between, [*values, ""], strict=True) for part in pair]
        assert "".join(woven) == words


@given(st.text(max_size=300))
def test_whatever_is_said_something_is_told(words: str) -> None:
    with translation.override("de"):
        assert isinstance(interpreted(words), str)
