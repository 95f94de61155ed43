"""Comments stand where they stood: their position says what they are about (PBN 2.1, 3.8)."""

import pytest

from engine.notation import (
    Comment,
    Document,
    Escape,
    Inset,
    RecordEntry,
    Tag,
    canonical,
    read,
    read_json,
    write,
    write_json,
    write_pbn,
)

BRIDGE = """[Event "Club"]
[Deal "N:AKQ2.T98.K32.A54 - - -"]
[Declarer "N"]
[Contract "1NT"]
[Auction "N"]
{Before the first call.}
1NT =1= {weak} Pass {a long
thought} Pass {really} Pass ; the end
[Note "1:12-14"]
{about the note}
[Play "E"]
HA {top} H2 H6 H8
{a whole line}
HK H3 H7 H9
%an escape
{before} D9 ^R D4 - -
*
{The contract was never in danger.}
"""


def comments(document: Document) -> list[str]:
    return [remark.text for remark in document.remarks() if isinstance(remark, Comment)]


def one(text: str) -> RecordEntry:
    (entry,) = read(text)
    return entry


def tag_of(document: Document, name: str) -> Tag:
    tag = document.tag(name)
    assert tag is not None
    return tag


def test_a_section_keeps_its_comments_at_their_calls_and_cards() -> None:
    entry = one(BRIDGE)
    auction, play = tag_of(entry.document, "Auction"), tag_of(entry.document, "Play")
    assert auction.remarks == (Comment("Before the first call."),)
    assert auction.rows == (("1NT", "=1=", "Pass", "Pass", "Pass"),)
    assert auction.insets == (
        Inset(0, 2, Comment("weak")),
        Inset(0, 3, Comment("a long\nthought")),
        Inset(0, 4, Comment("really")),
        Inset(0, 5, Comment(" the end")),
    )
    assert play.insets == (
        Inset(0, 1, Comment("top")),
        Inset(1, 0, Comment("a whole line")),
        Inset(3, 0, Escape("an escape")),
        Inset(4, 0, Comment("before")),
        Inset(6, 0, Comment("The contract was never in danger.")),
    )
    assert "S15" not in [found.rule for found in entry.diagnostics]


def test_a_section_is_written_as_it_stood() -> None:
    written = write([one(BRIDGE)])
    section = BRIDGE[BRIDGE.index("[Auction") :].replace("; the end", "{ the end}")
    assert written.endswith(section)
    again = one(written)
    assert write([again]) == written
    assert tag_of(again.document, "Play") == tag_of(one(BRIDGE).document, "Play")


def test_the_profiles_keep_the_places_too() -> None:
    entry = one(BRIDGE)
    assert read_json(write_json([entry])) == [entry.document]
    exported = write_pbn([entry]).data.decode("latin-1").replace("\r\n", "\n")
    assert "1NT =1= {weak} Pass {a long\nthought} Pass {really} Pass { the end}\n" in exported
    assert "HA {top} H2 H6 H8\n{a whole line}\nHK H3 H7 H9\n%an escape\n{before} D9" in exported


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_a_comment_does_not_split_its_row(ending: str) -> None:
    text = '[Auction "N"]\n5H Pass {slow\n\nvery} Pass {x}{y} Pass\n6H\n[Play "E"]\n'
    document = one(text.replace("\n", ending)).document
    assert tag_of(document, "Auction").rows == (("5H", "Pass", "Pass", "Pass"), ("6H",))
    assert "5H Pass {slow\n\nvery} Pass {x} {y} Pass\n6H\n" in write([document])


def test_an_unknown_section_keeps_its_comments_as_well() -> None:
    text = '[Extra "words"]\none {1} two\n{3}\nthree ; 4\n'
    document = one(text).document
    assert tag_of(document, "Extra").rows == (("one", "two"), (), ("three",))
    assert write([document]).endswith('[Extra "words"]\none {1} two\n{3}\nthree { 4}\n')


def test_a_comment_of_a_table_says_what_it_was_about() -> None:
    text = (
        '[Variant "insurance"]\n[PlayTable "N;E;S;W"]\n{first}\nS2 S3 S4 S5 {nice}\n{then}\n'
        "H2 {low} H3 H4 H5\n%an escape\n"
    )
    entry = one(text)
    table = tag_of(entry.document, "PlayTable")
    assert table.rows == (("S2", "S3", "S4", "S5"), ("H2", "H3", "H4", "H5"))
    assert table.remarks == (
        Comment("first"),
        Comment("row 1, S5: nice"),
        Comment("row 1: then"),
        Comment("row 2, H2: low"),
        Escape("an escape"),
    )
    assert [found.rule for found in entry.diagnostics].count("S15") == 3
    assert entry.record is not None
    assert entry.record.play == (39, 40, 41, 42, 26, 27, 28, 29)
    written = write([entry])
    assert write(read(written)) == written


def test_a_comment_of_a_hearts_section_moves_to_its_table_with_its_word() -> None:
    text = """[Dealer "N"]
[Variant "auction-bicycle"]
[Auction "E"]
{quick} 2 =1= {bold} Pass 4 ! { sure}
{all pass now} Pass
[Note "1:a guess"]
{the note}
[Play "W"]
S2 S5 ^R {late} S6 SA ; nice
"""
    entry = one(text)
    assert "S15" not in [found.rule for found in entry.diagnostics]
    written = write([entry])
    assert (
        '[AuctionTable "E;S;W;N"]\n{quick}\n{call 1, 2: bold}\n{call 3, 4: sure}\n'
        "{call 3, 4: all pass now}\n{the note}\n2=1= Pass 4$1 Pass\n"
    ) in written
    assert '[PlayTable "W;N;E;S"]\n{card 2, S5: late}\n{card 4, SA: nice}\nS2' in written
    assert write(read(written)) == written


def test_the_rows_of_a_repeated_section_become_comments_after_the_first() -> None:
    text = '[Play "W"]\nSA S2\n[Play "N"]\nHA {x} H2\n"a" b\n%e\n[Site "y"]\n'
    document = one(text).document
    assert tag_of(document, "Play").rows[0] == ("SA", "S2")
    assert comments(document) == ['[Play "N"]', "HA", "x", "H2", '"a" b']
    assert Escape("e") in list(document.remarks())
    assert document.value("Site") == "y"


def test_a_document_made_by_hand_gets_its_remarks_where_reading_finds_them() -> None:
    tag = Tag(
        "Play",
        "W",
        rows=((), ("SA", "S2"), (), ("HA",)),
        insets=(
            Inset(0, 0, Comment("a")),
            Inset(1, 0, Comment("b")),
            Inset(1, 1, Escape("e")),
            Inset(1, 9, Comment("c")),
        ),
    )
    document = canonical(Document((), (tag,)))
    play = tag_of(document, "Play")
    assert play.remarks == (Comment("a"), Comment("b"), Escape("e"))
    assert play.rows == (("SA", "S2"), ("HA",))
    assert play.insets == (Inset(0, 2, Comment("c")),)
    assert one(write([document])).document == document
