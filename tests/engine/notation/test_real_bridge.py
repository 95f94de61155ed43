"""What the bridge programs write is read without a false alarm and written back without a loss."""

from collections import Counter

import pytest

from engine.core.faults import Severity
from engine.notation import (
    Comment,
    Reader,
    RecordEntry,
    canonical,
    read,
    read_json,
    write,
    write_json,
    write_pbn,
)
from tests.engine.notation.bridge_texts import (
    CLEAN,
    COMPOSER,
    DEALER,
    JUNK,
    LAX,
    ONLINE,
    SHARED_VALUES,
)
from tests.engine.notation.preservation import gained, inventory, lost

RECORDS = {
    "composer": 2,
    "double dummy": 2,
    "online": 2,
    "dealer": 4,
    "lax": 1,
    "values": 5,
}


def rules(entry: RecordEntry) -> list[str]:
    return [found.rule for found in entry.diagnostics]


def changed(name: str) -> set[tuple[str, ...]]:
    """What cannot stay in a text that is kept: inherited values and tags in lower case."""
    parts = inventory(CLEAN[name])
    tags = {part for part in parts if part[0] == "tag"}
    inherited = {part for part in tags if part[2][:1] == "#"}
    lower = {part for part in tags if part[1].islower()}
    return inherited | lower | {part for part in parts if "charset=" in part[1]}


@pytest.mark.parametrize("name", CLEAN)
def test_every_record_is_found_and_nothing_is_wrong_with_it(name: str) -> None:
    reader = Reader(CLEAN[name])
    entries = list(reader)
    assert len(entries) == RECORDS[name]
    assert {found.rule for found in reader.diagnostics} <= {"S10"}
    assert all(entry.record is None for entry in entries)
    expected = ["T29", "T29"] if name == "lax" else []
    assert [rule for entry in entries for rule in rules(entry)] == expected


@pytest.mark.parametrize("name", CLEAN)
def test_nothing_is_lost_or_invented(name: str) -> None:
    written = write(read(CLEAN[name]))
    missing, extra = lost(CLEAN[name], written), gained(CLEAN[name], written)
    assert set(missing) == changed(name)
    assert {part[0] for part in extra} <= {part[0] for part in missing}


@pytest.mark.parametrize("name", CLEAN)
def test_what_is_written_is_the_same_document_and_rests(name: str) -> None:
    entries = list(read(CLEAN[name]))
    written = write(entries)
    again = list(read(written))
    assert [entry.document for entry in again] == [canonical(entry.document) for entry in entries]
    assert write(again) == written
    assert [rules(entry) for entry in again] == [[]] * len(entries)


@pytest.mark.parametrize("name", CLEAN)
def test_the_profiles_lose_nothing_either(name: str) -> None:
    entries = list(read(CLEAN[name]))
    written = write(entries)
    exported = write_pbn(entries)
    assert {found.severity for found in exported.diagnostics} <= {Severity.INFO}
    assert not lost(written, exported.data.decode("latin-1")) - Counter(
        [("escape", "% PHN 1.0"), ("escape", "% PBN 2.1"), ("escape", "% EXPORT")]
    )
    assert write(read(exported.data)) == write(read(exported.data.decode("latin-1")))
    assert read_json(write_json(entries)) == [entry.document for entry in entries]


@pytest.mark.parametrize("name", CLEAN)
@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_the_line_ending_makes_no_difference(name: str, ending: str) -> None:
    text = CLEAN[name].replace("\n", ending)
    assert write(read(text.encode())) == write(read(CLEAN[name]))


@pytest.mark.parametrize(
    "end", ["\x1a", "\n\x1a", "\x1a\x1a\x1a", "\n\n\x1a\n", "\f", "\n\f\n", " "]
)
def test_how_a_file_ends_makes_no_difference(end: str) -> None:
    (entry,) = read(DEALER.split("\n")[0] + "\n" + end)
    assert rules(entry) == []
    first, second = read(f"{COMPOSER}{end}")
    assert (rules(first), rules(second)) == ([], [])
    assert write([first, second]) == write(read(COMPOSER))


def test_form_feeds_and_tabs_are_blanks() -> None:
    text = '[Event "a"]\f\n\f[Site\v"b"]\n\t\n\f\n[Event "c"]\n[Auction "N"]\n1C\tPass\vPass\f1D\n'
    first, second = read(text)
    assert (rules(first), rules(second)) == ([], [])
    assert (first.document.value("Site"), second.document.value("Event")) == ("b", "c")
    assert second.document.tags[1].rows == (("1C", "Pass", "Pass", "1D"),)


def test_inherited_values_are_written_out() -> None:
    events = [entry.document.value("Event") for entry in read(SHARED_VALUES)]
    sites = [entry.document.value("Site") for entry in read(SHARED_VALUES)]
    assert events == ["Autumn cup", "Autumn cup", "Autumn cup", "Final", "Autumn cup"]
    assert sites == ["Delft", "Delft", "Leiden", "Leiden", "Leiden"]


def test_sections_keep_every_mark() -> None:
    first, second = read(ONLINE)
    auction, play = first.document.tag("Auction"), first.document.tag("Play")
    assert auction is not None
    assert auction.rows[1] == (*("X", "!!", "=1=", "^I", "1H", "$3", "$14", "^S", "-", "P"),)
    assert auction.rows[2:] == (("1NT", "D", "RD", "All", "Pass"), ("+",))
    assert play is not None
    assert play.rows == (
        ("S2", "s3", "SA", "^L", "SJ"),
        ("hK", "H2", "H3", "-", "$7"),
        ("+",),
    )
    notes = [tag.value for tag in first.document.tags if tag.name == "Note"]
    assert notes == ["1:negative: 4+ hearts", "1:low = even"]
    assert second.document.value("Contract") == "1N"


def test_tags_over_several_lines_and_several_to_a_line() -> None:
    (entry,) = read(LAX)
    assert entry.document.value("Date") == "2001.01.01"
    assert entry.document.value("Deal") == "N:t953.a7.k8652.t9 - - -"
    site, board = entry.document.tag("Site"), entry.document.tag("Board")
    assert site is not None
    assert site.remarks == ()
    assert board is not None
    assert board.remarks == (Comment(" on the line of a tag "),)


def test_junk_before_the_first_tag_is_kept_as_comments() -> None:
    (entry,) = read(JUNK)
    assert rules(entry) == ["L08", "L08"]
    assert [(found.line, found.col) for found in entry.diagnostics] == [(1, 1), (2, 1)]
    assert entry.document.value("Event") == "after the junk"
    assert [remark.text for remark in entry.document.head] == JUNK.split("\n")[:2]


@pytest.mark.parametrize(
    ("encoding", "name", "read_as"),
    [
        ("latin-1", "Bj\u00f6rn \u00c9tienne", "Bj\u00f6rn \u00c9tienne"),
        ("cp1252", "O\u2019Neil \u0160ar", "O\u2019Neil \u0160ar"),
        ("cp1250", "Wi\u015bniewski", "Wi\u0153niewski"),
        ("cp1250", "\u0179dzis\u0142aw", "\u0179dzis\u0142aw"),
        ("utf-8", "Wi\u015bniewski", "Wi\u015bniewski"),
        ("utf-8-sig", "Wi\u015bniewski", "Wi\u015bniewski"),
        ("utf-16", "Wi\u015bniewski", "Wi\u015bniewski"),
    ],
)
def test_accents_of_any_code_page_are_no_error(encoding: str, name: str, read_as: str) -> None:
    raw = f'[Event "x"]\n[North "{name}"]\n'.encode(encoding)
    (entry,) = read(raw)
    assert entry.document.value("North") == read_as
    assert set(rules(entry)) <= {"L02"}
    assert entry.ok
    (named,) = read(raw, encoding=encoding)
    assert named.document.value("North") == name
    assert rules(named) == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('[Event "x"]\n} stray\n[Board "1"]\n', ["L08"]),
        ('[Event "x"]\n{ one { two } three }\n[Board "1"]\n', ["L08"]),
        ('[Event "x"]\n[Board "1"]\n{ never closed', ["L04"]),
        ('[Event "x"]\n{ never closed\n\n[Board "1"]\n', ["L04"]),
        ('[Event "x]\n[Board "1"]\n', ["L05"]),
        ('[Event "x"\n[Board "1"]\n', ["L05"]),
        ("[Event x]\n[Board 1]\n", ["L09", "L09"]),
        ('[Event "the "big" one"]\n[Board "1"]\n', ["L06"]),
        ('[Event "C:\\dir"]\n[Board "1"]\n', ["L06"]),
        ('[Event "x"]\n[Board "1"]]\n', ["L08"]),
        ('[Event "x"]\n[Board "1"]\n[Board "2"]\n', ["S12"]),
        ('[Event "x"]\n[Board "1"]\n[Deal "N:- - - -"]\n[Board "2"]\n', ["S16"]),
        ('[Event "' + "x" * 300 + '"]\n[Board "1"]\n', ["L07"]),
        ('[Board "1"]\n{' + "long " * 60 + "}\n", ["L07"]),
    ],
)
def test_damage_is_named_once_and_nothing_goes_missing(text: str, expected: list[str]) -> None:
    entries = list(read(text))
    assert [rule for entry in entries for rule in rules(entry)] == expected
    values = {value for entry in entries for value in map(entry.document.value, ("Board",))}
    assert "1" in values
    written = write(entries)
    assert write(read(written)) == written
    for word in ("stray", "one", "two", "three", "never closed", "big", "dir"):
        assert text.count(word) == written.count(word)
