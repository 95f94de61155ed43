"""The fast path: what it takes, and that it takes nothing that needs a look."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards import CARDS, NAMES
from engine.notation import RecordEntry, read, write
from engine.notation.fast.cells import read_together
from engine.record.record import PASS_CALL
from tests.engine.notation.texts import SAMPLES, read_slowly

TEXTS = [sample.decode() for sample in SAMPLES]
CLAIMED = next(text for text in TEXTS if '"claim"' in text)
WHOLE_GAME = next(text for text in TEXTS if '"game"' in text)
TAGS = (
    "EventDate", "EventSponsor", "Generator", "HomeTeam", "Mode", "OptimumScore", "PairEW",
    "PairNS", "ParContract", "Room", "Score", "ScoreIMP", "ScoreMP", "Section", "Stage",
    "TimeCall", "TimeCard", "TimeControl",
)  # fmt: skip
FOOT = next(text for text in TEXTS if '"foot"' in text)


def both_ways(text: str) -> RecordEntry:
    (quickly,), (slowly,) = read(text), read_slowly(text)
    assert quickly.record == slowly.record
    assert quickly.document == slowly.document
    assert quickly.diagnostics == slowly.diagnostics
    for tag in slowly.document.tags:
        assert quickly.value(tag.name) == slowly.value(tag.name) == tag.value
    assert quickly.value("No_such_tag") is slowly.value("No_such_tag") is None
    return quickly


@pytest.mark.parametrize("text", TEXTS)
def test_every_hand_and_table_takes_the_fast_path(text: str) -> None:
    """The result of a whole game, one record among fifty, is read the complete way."""
    assert both_ways(text).canonical is (text is not WHOLE_GAME)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Date "2025.11.14"]\n', '[Date "2025.11.14"]\n{a comment}\n'),
        ('[Date "2025.11.14"]\n', '[Date "2025.11.14"]\n{over\n[two "lines"]}\n{and one more}\n'),
        ("% PHN 1.0\n", "% PHN 1.0\n{before the first tag}\n"),
        ('Text"]\n', 'Text"]\n{about the rulings}\n'),
        ("C2 CT C3", "C2=1=$7 ^LCT C3$2"),
        ("C2 CT C3", "C2 - C3"),
        ('[Claim "S 13"]', '[Claim "S 0"]'),
        ('6 E slow-play 2 "2', '- - slow-play -2 "2'),
        ('[Recorder "Jansen, A."]', '[Recorder "?"]'),
        ('[Scoring "Points;WinnerTakesAll"]', '[Scoring ""]'),
    ],
)
def test_small_differences_stay_on_the_fast_path(old: str, new: str) -> None:
    assert old in CLAIMED
    assert both_ways(CLAIMED.replace(old, new)).canonical


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('[Date "2025.11.14"]\n', '[Date "2025.11.14"]\n{a\tb}\n'),
        ('[Date "2025.11.14"]\n', '[Date "2025.11.14"]\n{ {twice} }\n'),
        ('[Date "2025.11.14"]\n', '[Date "2025.11.14"]\n{' + "x" * 300 + "}\n"),
        ('[Date "2025.11.14"]\n', '[Date "2025.11.14"] {beside}\n'),
        ("C2 CT C3\n", "C2 CT C3\n{between}\n"),
        ("C2 CT C3", "C2 CT C3 "),
        ("C2 CT C3", "C2  CT C3"),
        ("C2 CT C3", "C2$07 CT C3"),
        ("C2 CT C3", "C2$3$2 CT C3"),
        ("C2 CT C3", "C2? CT C3"),
        ("C2 CT C3", "c2 CT C3"),
        ('[Claim "S 13"]', '[Claim "s 13"]'),
        ('[Claim "S 13"]', '[Claim "S 07"]'),
        ('[Claim "S 13"]\n', ""),
        ('"claim"', '"Claim"'),
        ('"full"', '"play"'),
        ('1 "corrected', '01 "corrected'),
        ('1 "corrected', '1  "corrected'),
        ("E 3 0 2 5 65", "E 3 0 2 5 065"),
        ("E 3 0 2 5 65", "E 3 0 2 5 65 1"),
        ("S 2 0 0 2 73", "E 2 0 0 2 73"),
        ('[Recorder "Jansen, A."]', '[Recorder "#"]'),
        ('[Recorder "Jansen, A."]', '[Recorder "Jansen\u200b"]'),
        ('[Vulnerable ""]', '[Vulnerable "?"]'),
        ('[Board "9"]', '[Board "09"]'),
        ('[Board "9"]', '[Board "#"]'),
        ('"Adams, Nora"', '"Nora Adams"'),
        ('[Ante "5.00"]', '[Ante "5,00"]'),
        ("slow-play", "slow%play"),
    ],
)
def test_whatever_needs_a_look_gets_it(old: str, new: str) -> None:
    assert old in CLAIMED
    assert not both_ways(CLAIMED.replace(old, new, 1)).canonical


@pytest.mark.parametrize(
    ("text", "old", "new"),
    [
        (WHOLE_GAME, '[Hands "6"]\n', ""),
        (WHOLE_GAME, "-Rank", "Rank"),
        (WHOLE_GAME, "2 W ", "2 E "),
        (WHOLE_GAME, " 26 5\n", " 26,0 5\n"),
        (FOOT, '"foot"', '"claim"'),
    ],
)
def test_other_records_are_looked_at_too(text: str, old: str, new: str) -> None:
    assert old in text
    assert not both_ways(text.replace(old, new, 1)).canonical


AUCTION = next(text for text in TEXTS if "[AuctionTable" in text)
CALLS = re.compile(r'(?<=\[AuctionTable ")([^"]*)"\]\n([^\n]*)\n')


@given(st.lists(st.sampled_from(["Pass", "0", "-", "7", "60"]), min_size=6, max_size=6))
def test_a_pass_and_a_bid_of_nothing_are_two_calls(words: list[str]) -> None:
    found = CALLS.search(AUCTION)
    assert found is not None
    row = words[: found[1].count(";") + 1]
    text = AUCTION.replace(found[0], f'{found[1]}"]\n{" ".join(row)}\n')
    entry = both_ways(text)
    assert entry.canonical
    assert entry.record is not None
    meant = {"Pass": PASS_CALL, "-": None}
    assert entry.record.auction == tuple(
        meant[word] if word in meant else int(word) for word in row
    )
    assert " ".join(row) + "\n" in write([entry.record])
    assert write([entry]) == text


@pytest.mark.parametrize("money", ["-5", "05", " 5", "5 ", "+5", "5.", "00", "-0"])
@pytest.mark.parametrize("name", ["Ante", "Stake"])
def test_money_is_a_whole_number_with_decimal_places(name: str, money: str) -> None:
    text = re.sub(r'\[(Ante|Stake) "[^"]*"\]\n', "", CLAIMED)
    after = "[Claim " if name == "Ante" else "[Stripped "
    at = text.index("[Centre " if "[Centre " in text and name == "Ante" else after)
    entry = both_ways(f'{text[:at]}[{name} "{money}"]\n{text[at:]}')
    assert [found.rule for found in entry.diagnostics if found.tag == name] == ["T24"]
    for fine in ("5", "0", "0.50", "12.5"):
        entry = both_ways(f'{text[:at]}[{name} "{fine}"]\n{text[at:]}')
        assert entry.canonical
        assert not entry.diagnostics


def test_cards_are_read_together_as_they_are_one_by_one() -> None:
    text = " ".join(NAMES).encode()
    assert read_together(text, len(NAMES)) == bytes(CARDS)
    for place in (0, 1, 75, 153, 154):
        for code in set(range(256)) - {text[place]}:
            letters = text[:place] + bytes([code]) + text[place + 1 :]
            names = letters.decode("latin-1").split(" ")
            cards = read_together(letters, len(NAMES))
            known = all(name in NAMES for name in names)
            assert cards == (bytes(map(NAMES.index, names)) if known else None)


def with_tag(record: str, tag: str, value: str) -> str:
    """The record with one tag more, where it belongs in the order of names."""
    tags = re.finditer(r"^\[(\w+) ", record, re.MULTILINE)
    later = (found for found in tags if found.start() > record.index("[Detail ") and found[1] > tag)
    at = next(later).start()
    return f'{record[:at]}[{tag} "{value}"]\n{record[at:]}'


def test_later_records_inherit_from_the_nearest_one_of_any_kind() -> None:
    record = TEXTS[0].partition("\n")[2]
    kinds = [with_tag(record, tag, f"{tag} 1") for tag in TAGS]
    others = [with_tag(record, tag, f"{tag} 2") for tag in TAGS]
    heir = "".join(f'[{name} "#"]\n' for name in ("Event", *TAGS))
    for_all = '[Event "Cup"]\n[Room "##Hall"]\n'
    parts = [*kinds, *others[3:], kinds[5], heir, kinds[1], others[2], heir, for_all, *kinds]
    text = "% PHN 1.0\n" + "\n".join(parts)
    quickly, slowly = list(read(text)), read_slowly(text)
    assert len(quickly) == len(slowly) == len(parts)
    for one, other in zip(quickly, slowly, strict=True):
        assert one.document == other.document
        assert one.record == other.record
        assert one.diagnostics == other.diagnostics
        assert (one.line, one.number) == (other.line, other.number)
    assert sum(entry.canonical for entry in quickly) == parts.index(for_all) - 2
    assert quickly[-1].document.value("Room") == "Hall"
