"""The export profiles: their safety, and what they say about what they lose."""

import json

import pytest

from engine.notation import JsonError, read, read_json, write_csv, write_json, write_pbn
from engine.notation.csv_profile import guard_formula

HAND = '[Event "x"]\n[Dealer "N"]\n[Variant "insurance"]\n'


@pytest.mark.parametrize("cell", ["=1", "+1x", "-a", "@A1", "\tx", "\rx", "-", "-7/4", "--1"])
def test_a_dangerous_cell_gets_an_apostrophe(cell: str) -> None:
    assert guard_formula(cell) == "'" + cell


@pytest.mark.parametrize("cell", ["-4", "+4", "4", "-4.25", "x=1", "", "a@b"])
def test_numbers_and_plain_texts_stay_as_they_are(cell: str) -> None:
    assert guard_formula(cell) == cell


def test_scores_without_a_column_of_their_own_are_kept() -> None:
    text = HAND + '[ScoreTable "Seat;Points;Bonus"]\nN 3 9\n'
    assert "Bonus=9" in write_csv(read(text))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[" * 100_000,
        "[]",
        '{"phn": "2.0"}',
        '{"phn": "1.0"}',
        '{"phn": "1.0", "records": [1]}',
        '{"phn": "1.0", "records": [{"tags": [{"name": "a", "value": "x"}]}]}',
        '{"phn": "1.0", "records": [{"tags": [{"name": "A", "value": 7}]}]}',
        '{"phn": "1.0", "records": [{"head": [{"other": "x"}]}]}',
        '{"phn": "1.0", "records": [{"tags": [{"name": "A", "value": "x", "rows": [[1]]}]}]}',
    ],
)
def test_a_json_text_of_another_shape_is_refused(text: str) -> None:
    with pytest.raises(JsonError):
        read_json(text)


def test_the_json_shape_is_the_documented_one() -> None:
    (entry,) = read('{why}\n[Event "x"]\n%esc\n[OwnTable "A;B"]\n1 "two"\n')
    assert json.loads(write_json([entry])) == {
        "phn": "1.0",
        "records": [
            {
                "head": [{"comment": "why"}],
                "tags": [
                    {"name": "Event", "value": "x", "remarks": [{"escape": "esc"}]},
                    {"name": "OwnTable", "value": "A;B", "rows": [["1", '"two"']]},
                ],
            }
        ],
    }


def test_letters_that_latin_1_lacks_are_replaced_and_reported() -> None:
    exported = write_pbn(read(HAND + '[Site "Łódź ☃"]\n{ő}\n'))
    assert b'[Site "L\xf3dz ?"]' in exported.data
    assert [one.rule for one in exported.diagnostics] == ["W91", "W91"]
    assert exported.data.startswith(b"% PBN 2.1\r\n")


def test_a_hand_without_its_play_is_no_contract() -> None:
    exported = write_pbn(read(HAND), as_notrump=True)
    assert [one.rule for one in exported.diagnostics] == ["W93"]
    assert b'[Contract ""]' in exported.data
