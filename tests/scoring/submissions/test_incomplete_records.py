"""A record that lacks what the game knows gets it; nothing else of it is touched."""

from dataclasses import replace

import pytest

from engine.core.seats import DEFAULT_SEATS, Seat
from engine.notation import Reader, write
from engine.record.game_state import GameState, beginning
from engine.record.record import HandRecord
from engine.rules.presets import preset
from engine.rules.rules import Rules, change
from scoring.models import State
from scoring.settlement.replay import HandInput, judge_entered
from scoring.submissions.reading import read_hand
from scoring.submissions.writing import GameContext, from_record
from tests.engine.table import record_of
from tests.scoring.forms import as_record
from tests.scoring.submissions.test_records import TABLES, hands, house, table_of

BICYCLE = preset("bicycle")
START = beginning(BICYCLE, 4, Seat(1))
JACKPOT = replace(START, pot=9, bought=209, jackpot=2, namer=Seat(2))
PLAIN = '[ScoreTable "Seat;Pain;Bid"]\nN 5 0\nE 4 0\nS 4 0\nW 0 5\n'


def table(before: GameState | None = START, rules: Rules = BICYCLE, number: int = 7) -> GameContext:
    return GameContext(rules=rules, seats=DEFAULT_SEATS[4], number=number, before=before)


def completed(text: str, where: GameContext | None = None) -> str:
    return from_record(where or table(), text.encode()).text.decode()


def state_of(text: str, where: GameContext | None = None) -> State:
    where = where or table()
    assert where.before is not None
    entered = HandInput(number=where.number, record=read_hand(text.encode()))
    return judge_entered(where.rules, where.before, entered).state


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_whole_record_stays_byte_for_byte(name: str, players: int) -> None:
    for hand in hands(name, players):
        text = write([replace(record_of(hand), number=3)]).encode()
        assert from_record(table_of(hand), text).text is text


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_a_record_without_any_tag_settles_as_the_hand_was_played(name: str, players: int) -> None:
    keep = ("[PainSuit", "[Deal", "[Termination", "[Claim", "[Centre")
    for hand in hands(name, players):
        lines = as_record(hand).decode().splitlines()
        bare = [
            line
            for line in lines
            if not line.startswith("[")
            or "Table " in line
            or (line.startswith(keep) and not line.startswith(("[Dealer", "[Detail")))
        ]
        text = from_record(table_of(hand), "\n".join(bare).encode()).text
        played = judge_entered(hand.rules, hand.before, HandInput(number=1, record=read_hand(text)))
        if house(name).moon.value == "shooter_choice" and played.state is State.DISPUTED:
            continue  # the choice stands in no tag
        assert played.state is not State.DISPUTED, (played.reason, text.decode())
        assert played.after == hand.settle().after


def test_what_is_missing_stands_in_the_line_of_the_first_tag() -> None:
    text = '{ a note }\n[Declarer "W"]\n[PainSuit "H"]\n' + PLAIN
    made = completed(text)
    assert made.splitlines()[1] == (
        '[Board "7"] [Dealer "E"] [Variant "auction-bicycle"] [Seats "N E S W"] [Declarer "W"]'
    )
    assert made.splitlines()[2:] == text.splitlines()[2:]
    assert state_of(made) is State.ACCEPTED


def test_a_blank_value_is_filled_in_where_it_stands() -> None:
    text = '[Dealer ""][Board "?"]\r\n[Variant "auction-bicycle"]\r\n[Seats "N E S W"]\r\n'
    text += '[Declarer "W"]\r\n[PainSuit "H"]\r\n' + PLAIN
    assert completed(text) == text.replace('""', '"E"').replace('"?"', '"7"')


def test_nothing_that_is_written_is_contradicted() -> None:
    text = '[Dealer "S"]\n[Board "3"]\n[Rules "auction-hoyle/1"]\n[Seats "N E S W"]\n' + PLAIN
    assert completed(text) == text


def test_seats_of_another_table_are_not_overwritten() -> None:
    text = '[Variant "auction-hoyle"]\n[ScoreTable "Seat;Pain"]\nNE 5\nSE 4\nS 4\nSW 0\nNW 0\n'
    assert "Seats" not in completed(text)


def test_a_jackpot_hand_knows_who_names() -> None:
    made = completed(
        '[PainSuit "D"]\n[ScoreTable "Seat;Pain"]\nN 5\nE 4\nS 4\nW 0\n', table(JACKPOT)
    )
    assert '[Jackpot "2"] [Declarer "S"]' in made
    assert state_of(made, table(JACKPOT)) is State.ACCEPTED


def test_a_table_that_bid_for_a_jackpot_is_not_helped() -> None:
    text = '[PainSuit "D"]\n[AuctionTable "S;W;N;E"]\n3 Pass Pass Pass\n' + PLAIN
    made = completed(text, table(JACKPOT))
    assert "Jackpot" not in made
    assert state_of(made, table(JACKPOT)) is State.DISPUTED


def test_the_winner_of_a_written_auction_is_the_declarer() -> None:
    text = '[PainSuit "D"]\n[AuctionTable "S;W;N;E"]\n3 4 Pass Pass\n[ScoreTable "Seat;Pain"]\n'
    made = completed(text + "N 5\nE 4\nS 4\nW 0\n")
    assert '[Declarer "W"]' in made
    assert state_of(made) is State.ACCEPTED


def test_house_rules_are_written_with_their_overrides() -> None:
    rules = change(BICYCLE, {"insolvency": "debt"})
    made = completed('[Declarer "W"]\n[PainSuit "H"]\n' + PLAIN, table(rules=rules))
    record = next(iter(Reader(made))).record
    assert isinstance(record, HandRecord)
    assert record.rules == rules


def test_a_hand_that_came_too_early_gets_only_what_never_changes() -> None:
    made = completed('[Declarer "W"]\n[PainSuit "H"]\n' + PLAIN, table(None))
    assert made.startswith('[Board "7"] [Variant')
    assert "Dealer" not in made
    assert state_of(made) is State.ACCEPTED


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\n",
        "hello",
        '[Event "a',
        '[Contract "4S"]\n[Declarer "N"]\n',
        '[Vulnerable "All"]\n[Deal "N:- - - -"]\n',
        '[Detail "game"]\n[TotalScoreTable "Rank;Seat"]\n1 N\n',
        '[PainSuit "H"]\n\n[PainSuit "H"]\n',
        "\x00\x00",
    ],
)
def test_what_is_no_record_of_a_hand_stays_as_it_is(text: str) -> None:
    assert completed(text) == text


def test_bytes_that_are_no_utf8_stay_the_same_bytes() -> None:
    text = b'\xef\xbb\xbf[Declarer "W"]\r[PainSuit "H"]\r{caf\xc3\xa9}\r' + PLAIN.encode()
    made = from_record(table(), text).text
    assert made.startswith(b'\xef\xbb\xbf[Board "7"]')
    assert made.endswith(text[3:])
    text = b'[Declarer "W"]\n{caf\xe9}\n[PainSuit "H"]\n' + PLAIN.encode()
    assert from_record(table(), text).text.endswith(text)
