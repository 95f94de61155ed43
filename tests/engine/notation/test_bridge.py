"""Real bridge PBN, as people feed it: read at the level of tags and sections, nothing lost."""

import pytest

from engine.core.faults import Severity
from engine.notation import Comment, Escape, RecordEntry, read, write
from engine.record.record import PASS_CALL

EXPORT = """% PBN 2.1
% EXPORT

[Event "Zomeravond"]
[Site "Utrecht"]
[Date "2019.07.11"]
[Board "1"]
[West "Bakker, P."]
[North "Visser, K."]
[East "Smit, L."]
[South "Meijer, J."]
[Dealer "N"]
[Vulnerable "None"]
[Deal "N:AKQ2.T98.K32.A54 JT9.AKQ.JT9.KQJ2 8765.J76.A87.T98 43.5432.Q654.763"]
[Scoring "MatchPoints;MP1"]
[Declarer "N"]
[Contract "1NT"]
[Result "7"]
{A quiet hand.}
[Auction "N"]
1NT =1= Pass Pass ! Pass $3
[Note "1:15-17"]
[Play "E"]
HA H2 H6 H8
HK H3 H7 H9 $8
D9 ^R D4 - -
*
[Note "1:the ten was led out of turn"]
[OptimumResultTable "Declarer;Denomination\\2R;Result\\2R"]
N NT 7
S NT 7
[OptimumScore "NS 90"]
[Home "made by hand"]
[Extra "odd section"]
some words here
and 1 2 3
"""

LAX = """%Content-type: text/x-pbn; charset=ISO-8859-2
[event "#"][site ""]\t[Date "????.??.??"]
[Board
"2"]
[Dealer "s"] ; who dealt
[Deal "S:- - - -"]
{ a comment

with a blank line in it }
[Contract "4S"]
[ActionTable "Section;Room;+Action\\4R"]
A "Open room" 12

[Event ""]
[Board "3"]
"""


def severities(entries: list[RecordEntry]) -> set[Severity]:
    return {one.severity for entry in entries for one in entry.diagnostics}


def test_an_export_file_is_kept_whole() -> None:
    (entry,) = read(EXPORT)
    assert entry.record is None
    assert severities([entry]) <= {Severity.INFO}
    document = entry.document
    assert document.head == (Escape(" PBN 2.1"), Escape(" EXPORT"))
    auction, play = document.tag("Auction"), document.tag("Play")
    assert auction is not None
    assert auction.rows == (("1NT", "=1=", "Pass", "Pass", "!", "Pass", "$3"),)
    assert play is not None
    assert play.rows[2:] == (("D9", "^R", "D4", "-", "-"), ("*",))
    assert [tag.value for tag in document.tags if tag.name == "Note"] == [
        "1:15-17",
        "1:the ten was led out of turn",
    ]
    extra = document.tag("Extra")
    assert extra is not None
    assert extra.rows == (("some", "words", "here"), ("and", "1", "2", "3"))


def test_every_word_of_an_export_file_is_written_back() -> None:
    entries = list(read(EXPORT))
    text = write(entries)
    assert sorted(text.replace("% PHN 1.0\n", "").split()) == sorted(EXPORT.split())
    (again,) = read(text)
    assert write([again]) == text


def test_notes_stay_with_their_section() -> None:
    text = write(read(EXPORT))
    lines = text.split("\n")
    assert lines[lines.index('[Auction "N"]') + 2] == '[Note "1:15-17"]'
    assert lines.index('[Play "E"]') > lines.index('[Note "1:15-17"]')


def test_a_lax_import_file_is_understood() -> None:
    first, second = read(LAX.encode("iso-8859-2"))
    assert first.document.value("Board") == "2"
    assert first.document.value("Event") == "?"
    assert first.document.value("Site") == ""
    assert [one.text for one in first.document.remarks() if isinstance(one, Comment)] == [
        " who dealt",
        " a comment\n\nwith a blank line in it ",
    ]
    assert second.document.value("Board") == "3"
    table = first.document.tag("ActionTable")
    assert table is not None
    assert table.columns == ("Section", "Room", "Action")
    assert table.rows == (("A", '"Open room"', "12"),)


def test_values_are_inherited_and_written_out() -> None:
    text = (
        '[Event "Cup"]\n[Site "##Leiden"]\n[Board "1"]\n\n[Event "#"]\n[Board "2"]\n\n'
        '[Event "Other"]\n[Site "Delft"]\n[Deal "#"]\n'
    )
    first, second, third = read(text)
    assert (first.document.value("Site"), second.document.value("Event")) == ("Leiden", "Cup")
    assert second.document.value("Site") == "Leiden"
    assert third.document.value("Site") == "Delft"
    assert third.document.value("Deal") == "#"
    assert [one.rule for one in third.diagnostics] == ["T29"]


def test_a_declared_charset_is_used_and_renewed() -> None:
    text = '%Content-type: text/x-pbn; charset=ISO-8859-2\n[Event "Łódź"]\n'
    (entry,) = read(text.encode("iso-8859-2"))
    assert entry.document.value("Event") == "Łódź"
    written = write([entry])
    assert "charset=UTF-8" in written
    (again,) = read(written.encode())
    assert again.document.value("Event") == "Łódź"


def test_sections_of_a_hearts_record_become_tables() -> None:
    text = """[Dealer "N"]
[Variant "auction-bicycle"]
[Auction "E"]
2 =1= Pass 4 !
AP
[Note "1:a guess"]
[Play "W"]
{led quickly} S2 =1= s5 $2$1 ^R S6 SA ?
*
[Note "1:from three"]
"""
    (entry,) = read(text)
    assert entry.record is not None
    assert entry.record.auction == (2, PASS_CALL, 4, PASS_CALL)
    assert entry.record.first_caller == 1
    assert entry.record.columns == (3, 0, 1, 2)
    assert entry.record.marks == {2: "R"}
    written = write([entry])
    assert '[AuctionTable "E;S;W;N"]\n2=1= Pass 4$1 Pass\n' in written
    assert '[PlayTable "W;N;E;S"]\n{led quickly}\nS2=2= S5$1$2 ^RS6 SA$8\n' in written
    assert '[NoteTable "Id;Text"]\n1 "a guess"\n2 "from three"\n' in written
    (again,) = read(written)
    assert write([again]) == written


def test_end_marks_and_all_pass_are_understood_in_tables() -> None:
    text = """[Dealer "N"]
[Variant "auction-bicycle"]
[AuctionTable "E;S;W;N"]
2 4 AP
[PlayTable "S;W;N;E"]
S2 S5 S6 SA
H2 +
"""
    (entry,) = read(text)
    assert entry.record is not None
    assert entry.record.auction == (2, 4, PASS_CALL, PASS_CALL)
    assert entry.record.play is not None
    assert entry.record.play[4:] == (26, None, None, None)
    assert "S14" not in [one.rule for one in entry.diagnostics]
    assert "\nH2 - - -\n" in write([entry])


@pytest.mark.parametrize(
    "others",
    [
        "".join(
            f'[{name} "{name}, B"]\n'
            for name in ("NorthEast", "SouthEast", "South", "SouthWest", "NorthWest")
        ),
        '[ScoreTable "Seat;Points"]\nNE 1\nSE 2\nS 3\nSW 4\nNW 5\n',
        '[DealTable "Seat;S;H;D;C"]\nNE A - - -\nSE K - - -\nS Q - - -\nSW J - - -\nNW T - - -\n',
    ],
)
def test_a_section_has_the_seats_of_whom_the_record_speaks(others: str) -> None:
    for first in ("NE", "S"):
        (entry,) = read(f'[Variant "hearts-hoyle"]\n{others}[Play "{first}"]\nSA SK SQ SJ ST\n')
        assert entry.record is not None
        assert entry.record.seats == ("NE", "SE", "S", "SW", "NW")
        assert entry.record.columns is not None
        assert entry.record.seats[entry.record.columns[0]] == first
        assert "T22" not in [one.rule for one in entry.diagnostics]


def test_columns_of_the_play_are_clockwise() -> None:
    (entry,) = read('[Variant "sahara"]\n[PlayTable "S;N;W;E"]\nSA SK SQ SJ\n')
    assert [one.rule for one in entry.diagnostics].count("T22") == 1
    (entry,) = read('[Variant "sahara"]\n[PlayTable "S;W;N;E"]\nSA SK SQ SJ\n')
    assert "T22" not in [one.rule for one in entry.diagnostics]
