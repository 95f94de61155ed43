"""The faults of the engine, at their lines and columns."""

import time
from pathlib import Path

import pytest

from engine.core.cards import card as card_named
from engine.core.cards import card_set
from engine.core.faults import Code, Fault, Part, Severity
from engine.core.seats import Seat
from engine.notation import RecordEntry, place, read

SAMPLES = Path(__file__).parent / "samples"


def sample(number: int) -> tuple[RecordEntry, list[str]]:
    (path,) = SAMPLES.glob(f"{number}-*.phn")
    (entry,) = read(path.read_bytes())
    return entry, path.read_text(encoding="utf-8").split("\n")


def placed(entry: RecordEntry, lines: list[str], fault: Fault) -> str:
    found = place(entry, fault)
    return lines[found.line - 1][found.col - 1 : found.end_col - 1]


def fault(part: Part, index: int | None = None, **more: object) -> Fault:
    return Fault(code=Code.REVOKE, rule="K5", message="wrong", part=part, index=index, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("number", "part", "more", "text"),
    [
        (3, Part.PLAY, {"index": 31}, "D8"),
        (3, Part.PLAY, {"trick": 3}, "HA H6 H4 H9 H2 HK"),
        (5, Part.PLAY, {"index": 16}, "S4=1="),
        (3, Part.AUCTION, {"index": 3}, "5"),
        (3, Part.SCORES, {"seat": Seat(2), "column": "After"}, "41"),
        (3, Part.POT, {"column": "Paid"}, "12"),
        (3, Part.DEAL, {"seat": Seat(1)}, "NE A 9 QJ4 K75"),
        (1, Part.DEAL, {"seat": Seat(0)}, "JT86.KJT4.QT52.A"),
        (4, Part.PAPERS, {"index": 3}, "4"),
        (4, Part.EXCHANGE, {"index": 1}, "E S S8HJ8"),
        (4, Part.BIDS, {"index": 2}, "S HK 4 HJ HK 4"),
        (6, Part.CAPTURES, {"seat": Seat(2)}, "S DAKQJT765432"),
        (5, Part.RULINGS, {"index": 0}, '6 E slow-play 2 "2 points for repeated slow play"'),
        (7, Part.TOTALS, {"seat": Seat(1), "column": "Settlement"}, "-4"),
        (3, Part.NAMER, {}, "NE"),
        (6, Part.JACKPOT, {}, "1"),
        (5, Part.CLAIM, {}, "S 13"),
        (3, Part.CLAIM, {}, "normal"),
        (3, Part.PAPERS, {"index": 1}, "auction-hoyle"),
    ],
)
def test_a_fault_is_placed_on_its_words(
    number: int, part: Part, more: dict[str, object], text: str
) -> None:
    entry, lines = sample(number)
    assert placed(entry, lines, fault(part, **more)) == text  # type: ignore[arg-type]


def test_a_fault_in_a_section_is_placed_too() -> None:
    text = '[Dealer "N"]\n[Variant "insurance"]\n[Play "W"]\nS2 =1= S5 ^R S6 SA\nH2 H3 ! H4 H5\n'
    (entry,) = read(text)
    assert placed(entry, text.split("\n"), fault(Part.PLAY, 2)) == "S6"
    assert placed(entry, text.split("\n"), fault(Part.PLAY, 6)) == "H4"


def test_every_part_has_a_place_even_in_an_empty_record() -> None:
    (entry,) = read("{nothing}\n")
    for part in Part:
        found = place(entry, fault(part, 5))
        assert (found.line, found.col, found.severity) == (1, 1, Severity.ERROR)


def test_the_hint_names_what_was_legal() -> None:
    entry, _ = sample(3)
    legal = card_set([card_named("D3"), card_named("D9")])
    found = place(entry, fault(Part.PLAY, 0, legal=legal))
    assert (found.rule, found.tag) == ("P51", "PlayTable")
    assert "D93" in found.hint


def test_many_faults_of_one_record_are_placed_in_one_go() -> None:
    text = '[Variant "auction-bicycle"]\n[Auction "E"]\n' + "1 " * 10_000 + "\n"
    calls = [fault(Part.AUCTION, index) for index in range(10_000)]
    (entry,) = read(text)
    assert [place(entry, one).col for one in calls] == list(range(1, 20_001, 2))
    table = '[Variant "sahara"]\n[ScoreTable "Seat;' + ";".join(["P"] * 9_000) + ';Last"]\nE 1\n'
    scores = [fault(Part.SCORES, None, seat=Seat(1), column="Last")] * 1_000
    # To look through the text for each would take many seconds in every try.
    assert any(seconds_to_place(text, calls) < 0.5 for _ in range(10))
    assert any(seconds_to_place(table, scores) < 0.5 for _ in range(10))


def seconds_to_place(text: str, faults: list[Fault]) -> float:
    (entry,) = read(text)
    before = time.process_time()
    for one in faults:
        place(entry, one)
    return time.process_time() - before
