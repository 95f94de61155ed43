"""What a slip says: the result of a hand, what follows from it, and what has to be asked."""

from random import Random

import pytest

from engine.core.cards import SUIT_OF_LETTER
from engine.core.seats import DEFAULT_SEATS
from engine.rules.presets import PRESETS, preset
from engine.rules.switches import PainBy, Toggle
from scoring.slips.interpretation import Origin, Question
from scoring.slips.layout import RowKey
from tests.examples import examples
from tests.scoring.slips.marking import PaperTable

AUCTION = {"bidder": "1", "bid": "5", "pain": "D"}
TAKEN = {"taken N": "5", "taken E": "4", "taken S": "2", "taken W": "2"}
HAND = AUCTION | TAKEN


def only(questions: tuple[Question, ...]) -> Question:
    assert len(questions) == 1, questions
    return questions[0]


def answers(question: Question) -> dict[str | None, str]:
    """The answers to a question about one row, with their reasons."""
    assert {one.row for one in question.answers} == {question.rows[0]}
    return {one.value: " ".join(one.reasons) for one in question.answers}


def test_a_slip_without_a_doubt_is_a_hand_that_is_settled() -> None:
    found = PaperTable.of("bicycle").read(HAND)
    assert found.is_clean
    assert found.fields == {
        "bidder": "E",
        "bid": 5,
        "pain": "D",
        "taken": {"N": 5, "E": 4, "S": 2, "W": 2},
    }
    assert found.played is not None
    assert found.played.after.jackpot == 1
    assert found.played.after.pot == 18


def test_tens_and_units_are_one_bid() -> None:
    found = PaperTable.of("bicycle").read(HAND | {"bid": "2", "bid tens": "10"})
    assert found.fields["bid"] == 12
    found = PaperTable.of("bicycle").read(HAND | {"bid": "0", "bid tens": "20"})
    assert (found.fields["bid"], found.is_clean) == (20, True)


def test_units_that_are_not_marked_are_asked_for() -> None:
    table = PaperTable.of("bicycle")
    asked = only(table.read(HAND | {"bid": "", "bid tens": "20"}).questions)
    assert asked.message == "The bid: 20 is marked, and nothing among the units."
    assert answers(asked)["0"] == "It is 20 then."
    for value, bid in (("0", 20), ("2", 22)):
        found = table.read(HAND | {"bid": "", "bid tens": "20"}, {"bid": value})
        assert (found.fields["bid"], found.is_clean) == (bid, True)
    faint = table.read(HAND | {"bid": "2?", "bid tens": "10"})
    assert only(faint.questions).rows == ("bid",)


def test_units_of_the_points_for_a_centre_card_are_asked_for() -> None:
    table = PaperTable.of("insurance")
    papers = {f"paper {seat}": "1" for seat in "NESW"}
    marked = {**TAKEN, **papers, "queen": "1", "centre tens N": "10"}
    asked = only(table.read(marked).questions)
    assert (
        asked.message == "N, points for the centre card: 10 is marked, and nothing among the units."
    )
    assert table.read(marked, {"centre N": "0"}).fields["bought"] == {"N": 10}


def test_a_bid_of_nothing_is_one_where_the_rules_allow_it() -> None:
    found = PaperTable.of("bicycle", min_bid="0").read(HAND | {"bid": "0"})
    assert found.is_clean, found.questions
    assert found.played is not None
    assert found.played.after.pot == 13
    asked = only(PaperTable.of("bicycle").read(HAND | {"bid": "0"}).questions)
    assert (asked.rows, asked.message) == (("bid",), "The lowest bid is 1.")
    assert [one.value for one in asked.answers] == list("123456789")


def test_the_cards_of_the_fourth_player_follow_from_the_others() -> None:
    found = PaperTable.of("bicycle").read({**HAND, "taken W": ""})
    assert found.is_clean
    row = found.rows["taken W"]
    assert (row.value, row.origin) == ("2", Origin.ARITHMETIC)
    assert row.note == "The others have all but 2 cards of the suit."
    assert found.fields["taken"] == {"N": 5, "E": 4, "S": 2, "W": 2}


def test_whoever_is_left_out_took_nothing_where_the_others_have_all() -> None:
    found = PaperTable.of("bicycle").read(AUCTION | {"taken N": "9", "taken E": "4"})
    assert found.is_clean
    assert found.rows["taken S"].value == found.rows["taken W"].value == "0"


def test_two_marks_are_asked_about_with_what_speaks_for_each() -> None:
    found = PaperTable.of("bicycle").read(HAND | {"taken W": "2?|3"})
    asked = only(found.questions)
    assert asked.rows == ("taken W",)
    assert asked.message == "W, cards taken: 2 and 3 are marked."
    assert answers(asked) == {
        "2": "It is faint. With it the cards add up.",
        "3": "It is darker.",
    }
    assert found.played is None


@pytest.mark.parametrize(
    ("marked", "row", "message"),
    [
        ({"pain": "D|C"}, "pain", "Suit to avoid: diamonds and clubs are marked."),
        ({"bidder": "1|3"}, "bidder", "Who bid: E and W are marked."),
        ({"bid": "3|5"}, "bid", "The bid: 3 and 5 are marked."),
        ({"pain": "D?"}, "pain", "Suit to avoid: it is not sure whether diamonds is marked."),
        ({"taken N": "5?"}, "taken N", "N, cards taken: it is not sure whether 5 is marked."),
        (
            {"ending": "redeal?"},
            "ending",
            "What became of the hand: it is not sure whether dealt again is marked.",
        ),
        ({"bid": ""}, "bid", "The bid: nothing is marked."),
        ({"bidder": ""}, "bidder", "Who bid: nothing is marked."),
        ({"bidder": "", "bid": ""}, "bidder", "Who bid: nothing is marked."),
        ({"director": "please"}, "director", "The table asks for the director."),
        (
            {"director": "please?"},
            "director",
            "The director: it is not sure whether the director, please is marked.",
        ),
    ],
)
def test_nothing_unsure_is_guessed(marked: dict[str, str], row: str, message: str) -> None:
    found = PaperTable.of("bicycle").read(HAND | marked)
    asked = only(found.questions)
    assert (asked.rows[0], asked.message) == (row, message)
    assert asked.answers
    assert not found.is_clean


def test_every_answer_to_a_question_answers_it() -> None:
    table = PaperTable.of("bicycle")
    for marked in ({"bid": "3|5"}, {"bidder": ""}, {"taken N": "5?"}, {"director": "please"}):
        asked = only(table.read(HAND | marked).questions)
        for answer in asked.answers:
            left = table.read(HAND | marked, {answer.row: answer.value}).questions
            assert asked.message not in [one.message for one in left]


def test_a_wrong_sum_is_asked_about_with_each_row_that_would_mend_it() -> None:
    found = PaperTable.of("bicycle").read(HAND | {"taken W": "3"})
    asked = only(found.questions)
    assert asked.message == "14 cards of the suit are marked; the pack has 13."
    assert asked.rows == ("taken N", "taken E", "taken S", "taken W")
    fitting = {one.row: one.value for one in asked.answers}
    assert fitting == {"taken N": "4", "taken E": "3", "taken S": "1", "taken W": "2"}
    mended = PaperTable.of("bicycle").read(HAND | {"taken W": "3"}, {"taken W": "2"})
    assert mended.is_clean
    assert mended.rows["taken W"].origin is Origin.PERSON


def test_several_players_without_a_mark_are_asked_about_one_by_one() -> None:
    found = PaperTable.of("bicycle").read(AUCTION | {"taken N": "5", "taken E": "4"})
    assert [one.rows for one in found.questions] == [("taken S",), ("taken W",)]


def test_a_hand_that_was_not_played_has_no_result() -> None:
    table = PaperTable.of("bicycle")
    assert table.read({"ending": "passed out"}).is_clean
    assert table.read({"ending": "redeal"}).fields == {"ending": "redeal"}
    asked = only(table.read({"ending": "redeal", "taken N": "5"}).questions)
    assert asked.message == "It says “dealt again”, and yet there is a result."
    asked = only(table.read({"ending": "passed out|redeal"}).questions)
    assert asked.rows == ("ending",)


@pytest.mark.parametrize(
    ("rules", "marked"),
    [
        ("bicycle", {"bid": "5"}),
        ("bicycle", {"bid tens": "10"}),
        ("bicycle", {"bid": "5?"}),
        ("auction-moon", {"tricks": "all"}),
        ("insurance", {"paper N": "3"}),
        ("insurance", {"foot E": "F"}),
        ("insurance", {"centre S": "4"}),
        ("insurance", {"centre rank W": "9"}),
    ],
)
def test_no_mark_is_left_out_because_a_hand_was_not_played(
    rules: str, marked: dict[str, str]
) -> None:
    table = PaperTable.of(rules)
    asked = table.read({"ending": "redeal", **marked}).questions[-1]
    assert asked.rows == ("ending", *marked)
    assert answers(asked).keys() == {None, "redeal"}
    confirmed = table.read({"ending": "redeal", **marked}, {"ending": "redeal"})
    assert asked not in confirmed.questions
    assert confirmed.fields == {"ending": "redeal"}


def test_what_the_engine_finds_wrong_is_a_question_about_the_hand() -> None:
    found = PaperTable.of("bicycle").read(HAND | {"bid": "9", "bid tens": "90"})
    asked = only(found.questions)
    assert asked.rows == ()
    assert "50" in asked.message
    assert found.played is not None


def test_a_jackpot_hand_has_no_bid() -> None:
    table = PaperTable.of("bicycle")
    table.play(HAND)
    plain = table.read({**TAKEN, "pain": "S"})
    assert plain.is_clean
    assert table.read({**TAKEN, "pain": "S", "bidder": "1"}).is_clean
    asked = only(table.read({**TAKEN, "pain": "S", "bidder": "1", "bid": "4"}).questions)
    assert asked.message == "This is a jackpot hand: nobody bids in it."
    asked = only(table.read({**TAKEN, "pain": "S", "bidder": "0"}).questions)
    assert asked.rows == ("bidder",)


def test_a_hand_waits_for_the_one_before() -> None:
    table = PaperTable.of("bicycle")
    table.before, table.number = None, 2
    for marked in (HAND, TAKEN, {**TAKEN, "pain": "C"}):
        found = table.read(marked)
        assert found.is_waiting
        assert not found.is_clean


def test_the_queen_is_somewhere() -> None:
    table = PaperTable.of("standard")
    assert table.read({**TAKEN, "queen": "2"}).is_clean
    asked = only(table.read(TAKEN).questions)
    assert (asked.rows, len(asked.answers)) == (("queen",), 4)
    asked = only(table.read({"taken N": "13"}).questions)
    assert answers(asked)["0"] == "Who took all the other cards that count."


def test_a_moon_is_read_off_the_cards() -> None:
    table = PaperTable.of("standard", moon="shooter_choice")
    asked = only(table.read({"taken N": "13", "queen": "0"}).questions)
    assert list(answers(asked)) == ["others", "self"]
    assert table.read({"taken N": "13", "queen": "0", "moon": "others"}).is_clean
    asked = only(table.read({**TAKEN, "queen": "0", "moon": "self"}).questions)
    assert asked.message == "Somebody took everything: nobody took everything."


def test_every_seat_has_an_insurance_paper() -> None:
    table = PaperTable.of("insurance")
    marked = {**TAKEN, "queen": "1", "paper N": "0", "paper E": "6", "paper S": "2"}
    asked = only(table.read(marked).questions)
    assert asked.rows == ("paper W",)
    assert answers(asked)[None] == "There was no paper."
    found = table.read(marked | {"paper W": "1"})
    assert found.is_clean, found.questions
    assert found.fields["papers"] == {"N": "0", "E": "6", "S": "2", "W": "1"}
    assert found.fields["bought"] == {}
    without = table.read(marked, {"paper W": None}).fields
    assert without["papers"] == {"N": "0", "E": "6", "S": "2", "W": "-"}


def test_a_card_of_the_centre_has_a_suit_and_a_rank() -> None:
    table = PaperTable.of("insurance")
    papers = {f"paper {seat}": "1" for seat in "NESW"}
    marked = {**TAKEN, **papers, "queen": "1", "centre N": "3", "centre suit N": "S"}
    asked = only(table.read(marked).questions)
    assert asked.rows == ("centre rank N",)
    found = table.read(marked | {"centre rank N": "9"})
    assert found.fields["bought"] == {"N": "S9 3"}


def test_a_foot_ends_the_hand() -> None:
    table = PaperTable.of("insurance")
    papers = {f"paper {seat}": "1" for seat in "NESW"}
    found = table.read({**papers, "foot E": "F"})
    assert found.is_clean, found.questions
    assert found.fields == {"papers": {"N": "1", "E": "F1", "S": "1", "W": "1"}}


def test_a_foot_beside_a_result_is_asked_about() -> None:
    table = PaperTable.of("insurance")
    papers = {f"paper {seat}": "1" for seat in "NESW"}
    marked = {**papers, **TAKEN, "queen": "1", "foot E": "F"}
    asked = only(table.read(marked).questions)
    assert asked.message == "E called a foot, and yet there is a result."
    assert asked.rows == ("foot E", "queen", *TAKEN)
    assert answers(asked).keys() == {None, "F"}
    played = table.read(marked, {"foot E": None})
    assert (played.is_clean, played.fields["queen"]) == (True, "E")
    cancelled = table.read(marked, {"foot E": "F"})
    assert cancelled.is_clean
    assert "taken" not in cancelled.fields
    asked = only(table.read({**papers, "foot E": "F", "centre N": "3"}).questions)
    assert asked.rows == ("foot E", "centre N")


@pytest.mark.property
def test_what_is_marked_is_what_is_recorded() -> None:
    """Under all rules and sizes: a full slip is clean, and makes the record of its fields."""
    lots = Random("slips")
    for _ in range(examples(40, 4)):
        for name in PRESETS:
            rules = preset(name)
            for players in range(rules.players.least, rules.players.most + 1):
                _check_one(lots, name, players)


def _check_one(lots: Random, name: str, players: int) -> None:
    table, seats = PaperTable.of(name, players), DEFAULT_SEATS[players]
    rules = table.rules
    pain = lots.choice("SHDC") if rules.pain is PainBy.AUCTION else "H"
    size = rules.suit_cards(SUIT_OF_LETTER[pain], players).bit_count()
    cuts = sorted(lots.randint(0, size) for _ in range(players - 1))
    taken = [b - a for a, b in zip([0, *cuts], [*cuts, size], strict=True)]
    marked = {f"taken {seat}": str(cards) for seat, cards in zip(seats, taken, strict=True)}
    if rules.pain is PainBy.AUCTION:
        marked |= {
            "pain": pain,
            "bid": str(lots.randint(1, 9)),
            "bidder": str(lots.randrange(players)),
        }
    if rules.queen is Toggle.ON and table.layout.row(RowKey.QUEEN) is not None:
        marked["queen"] = str(lots.randrange(players))
    if rules.insurance is Toggle.ON:
        marked |= {f"paper {seat}": str(lots.randint(0, 6)) for seat in seats}
    found = table.read(marked)
    assert found.is_clean, (name, players, marked, found.questions)
    assert found.fields["taken"] == dict(zip(seats, taken, strict=True))
    gone = f"taken {lots.choice(seats)}"
    again = table.read({**marked, gone: ""})
    assert again.is_clean, (name, players, marked, gone)
    assert again.rows[gone].value == marked[gone]
    assert again.fields == found.fields


def test_a_bid_of_nothing_is_a_bid_where_the_rules_have_one() -> None:
    table = PaperTable.of("bicycle", min_bid="0")
    found = table.read(HAND | {"bid": "0"})
    assert (found.fields["bid"], found.is_clean) == (0, True)
