"""Records completed for an archive: in place or read whole, it is the same record."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.hands import TABLES, games, text_of
from engine.core.cards import Suit
from engine.core.faults import Code
from engine.core.seats import DEFAULT_SEATS, Seat
from engine.notation.completion import (
    ClubTable,
    Completion,
    PlainRecord,
    clean_value,
    complete_record,
)
from engine.notation.decisions import format_ruling, parse_ruling
from engine.notation.document import Tag
from engine.notation.reader import Mode, Reader
from engine.record.irregularities import Event, find_by_name
from engine.record.rulings import Decision, NextHand, Ruling, RulingError

SEATS = st.integers(0, 3).map(Seat)
AMOUNTS = st.one_of(st.just(()), st.tuples(*[st.integers(-99, 99)] * 4))
RULINGS = st.builds(
    Ruling,
    decision=st.sampled_from(Decision),
    # Some irregularities have the name of a fault; that is what it means, as in the database.
    code=st.one_of(
        st.none(), st.sampled_from([*Code, *Event]).map(lambda one: find_by_name(one.name))
    ),
    offenders=st.lists(SEATS, unique=True).map(lambda seats: tuple(sorted(seats))),
    taken=AMOUNTS,
    queen=st.one_of(st.none(), SEATS),
    score=AMOUNTS,
    chips=AMOUNTS,
    pot=st.integers(-99, 99),
    then=st.builds(
        NextHand,
        dealer=st.one_of(st.none(), SEATS),
        jackpot=st.one_of(st.none(), st.integers(0, 9)),
        namer=st.one_of(st.none(), SEATS),
        pain=st.one_of(st.none(), st.sampled_from(Suit)),
        deals=st.one_of(st.none(), st.integers(0, 99)),
        feet=st.one_of(st.none(), st.frozensets(SEATS)),
        play_on=st.booleans(),
    ),
    text=st.text(),
)


@given(RULINGS)
def test_a_ruling_is_read_as_it_was_written(ruling: Ruling) -> None:
    text = format_ruling(ruling, DEFAULT_SEATS[4])
    assert parse_ruling(text, DEFAULT_SEATS[4]) == ruling


@pytest.mark.parametrize(
    "text",
    [
        "",
        "MERCY",
        "WARNING;",
        "WARNING;pot",
        "WARNING;pot=x",
        "WARNING;queen=Q",
        "WARNING;luck=1",
        "WARNING;next-luck=1",
        "WARNING;code=LUCK",
        "WARNING;next-pain=X",
        "WARNING;decision=WARNING",
    ],
)
def test_what_is_no_ruling_is_refused(text: str) -> None:
    with pytest.raises(RulingError, match="is no ruling"):
        parse_ruling(text, DEFAULT_SEATS[4])


VALUES = (
    st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=20)
    .map(clean_value)
    .filter(lambda text: text[0] not in " #" and text not in ("?", "-"))
)
KNOWN = st.fixed_dictionaries(
    {"GameId": VALUES, "Board": st.integers(1, 99).map(str)},
    optional={"Event": VALUES, "Round": VALUES, "North": VALUES, "GamePhase": st.just("closed")},
)


@given(
    st.sampled_from(TABLES),
    st.integers(0, 20),
    KNOWN,
    st.fixed_dictionaries({"Site": VALUES, "Date": st.just("2026.11.22")}),
    st.lists(st.text(max_size=20), max_size=2),
)
def test_completing_a_text_in_place_is_completing_its_record(
    table: Any, seed: int, tags: dict[str, str], defaults: dict[str, str], remarks: list[str]
) -> None:
    (written,) = games(table, 1, seed)
    text = text_of(written)
    seat = DEFAULT_SEATS[table.players][0]
    tables = (
        ClubTable(Tag("SeatTable", "Seat;Id;Kind", rows=((seat, "7", "member"),))),
        ClubTable(Tag("CarriedTable", "Seat;Amount", rows=((seat, "50"),))),
    )
    if seat != "N":
        tags.pop("North", None)
    known = Completion(
        tags=tags, defaults=defaults, tables=tables, remarks=tuple(filter(str.isprintable, remarks))
    )
    (entry,) = Reader("% PHN 1.0\n" + text)
    plain = PlainRecord.read(text)
    assert plain is not None
    completed = plain.complete(known)
    assert completed == complete_record(entry, known)
    (again,) = Reader(f"% PHN 1.0\n{completed}\n", mode=Mode.CANONICAL)
    assert [one for one in again.diagnostics if one.rule != "W90"] == []
    assert again.value("GameId") == tags["GameId"]
    assert again.table("CarriedTable") == [{"Seat": seat, "Amount": "50"}]
    number = known.tags["Board"]
    (same,) = Reader("% PHN 1.0\n" + text.replace('[Board "1"]', f'[Board "{number}"]'))
    assert again.content == same.content
    # What an archive told before gives way.
    anew = PlainRecord.read(f"{completed}\n")
    if anew is not None:
        assert anew.complete(known) == completed


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "{a remark}\n" + text,
        lambda text: text.replace('"]\n[Site', '"] [Site'),
        lambda text: text.replace("[Site", '[Event "again"]\n[Site'),
        lambda text: text.replace('[Event "', '[Event "#'),
        lambda text: text.replace("\n", "\r\n"),
        lambda text: text.replace('[Event "', '[Event "a \\"b\\" '),
        lambda text: text + "\n" + text,
        lambda text: text + text,
        lambda text: text.replace("[Site", "%escape\n[Site"),
        lambda text: text.replace("[Event", "[event"),
    ],
)
def test_what_is_not_plain_is_read_whole(change: Any) -> None:
    (written,) = games(TABLES[0], 1)
    assert PlainRecord.read(change(text_of(written))) is None
