"""A column that nothing is read from is not passed over in silence."""

import pytest

from engine.core.faults import Severity
from engine.notation import read_text, write
from engine.notation.names import COLUMNS, TABLES
from engine.rules.presets import PRESETS
from engine.rules.rules import Rules
from engine.settlement.tables import score_columns

HEAD = '[Dealer "N"]\n[Detail "score"]\n[Variant "insurance"]\n'


def columns_said(table: str) -> list[tuple[Severity, int, int, str]]:
    (entry,) = read_text(HEAD + table)
    assert write([entry]).endswith(table)  # kept in any case
    return [
        (one.severity, one.col, one.end_col, one.hint)
        for one in entry.diagnostics
        if one.rule == "T29"
    ]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (
            '[ScoreTable "Seat;Heart;Points"]\nN 3 3\n',
            (Severity.WARNING, 19, 24, "did you mean Hearts?"),
        ),
        (
            '[ScoreTable "Seat;Points;-Totel\\5R"]\nN 3 3\n',
            (Severity.WARNING, 26, 35, "did you mean Total?"),
        ),
        (
            '[CaptureTable "Seat;Triks;Cards"]\nN 3 H2\n',
            (Severity.WARNING, 21, 26, "did you mean Tricks?"),
        ),
        (
            '[ScoreTable "Seat;Points;Weather"]\nN 3 3\n',
            (Severity.INFO, 26, 33, "begin private names with X_"),
        ),
    ],
)
def test_a_column_that_is_none_is_named(table: str, said: tuple[Severity, int, int, str]) -> None:
    assert columns_said(table) == [said]


def test_private_columns_and_those_of_other_systems_say_nothing() -> None:
    assert columns_said('[ScoreTable "Seat;Points;X_Mood;Pain"]\nN 3 7 1\n') == []


@pytest.mark.parametrize("rules", PRESETS.values(), ids=list(PRESETS))
def test_every_column_that_a_system_writes_is_known(rules: Rules) -> None:
    assert COLUMNS["ScoreTable"].issuperset(score_columns(rules))


def test_only_tables_that_there_are_have_columns() -> None:
    assert COLUMNS.keys() <= set(TABLES)
