"""Archives with slips: an import makes one game where there was one (DEC-1), hand by hand."""

import re
from collections.abc import Callable

import pytest

from benchmarks.hands import TABLES
from scoring.models import Game, Hand, HandVersion, Sitting
from scoring.models.states import read_state
from scoring.selectors import queries
from scoring.transfer.exporting.archive import write_archive
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.engine.games.test_game_order import SAME_GAME
from tests.scoring.archives import bring, file, game
from tests.scoring.club import make_club
from tournaments.models import Club, Person

pytestmark = pytest.mark.django_db
SAHARA = next(table for table in TABLES if (table.system, table.players) == ("sahara", 4))
FOUR = TABLES[0]


def story(club: Club) -> list[object]:
    """What the games of a club came to, and their hands in order."""
    rows = Game.objects.filter(club=club).order_by("pk")
    return [
        [(row.players, row.state, row.hands, row.booked, row.phase) for row in rows],
        list(
            Hand.objects.filter(game__club=club)
            .order_by("game", "number")
            .values_list("number", "state", "after")
        ),
    ]


def assert_verifies(club: Club) -> None:
    numbers = list(Game.objects.filter(club=club).values_list("pk", flat=True))
    looked = look_at_games(numbers)
    assert not looked.differences, "\n".join(map(str, looked.differences))
    assert not look_at_club(club.pk)


def assert_again_changes_nothing(club: Club, text: bytes) -> None:
    before = [story(club), list(Sitting.objects.order_by("pk").values())]
    again = bring(club, text, 3)
    assert (again.games, again.hands, again.players) == (0, 0, 0)
    assert [story(club), list(Sitting.objects.order_by("pk").values())] == before


@pytest.mark.parametrize("change", sorted(SAME_GAME))
@pytest.mark.parametrize("at", [1, 3])
def test_a_slip_in_a_tag_makes_no_second_game(change: str, at: int) -> None:
    plain, slipped = make_club("plain"), make_club("slipped")
    texts = game(FOUR, 5, hands=5)
    bring(plain, file(texts))
    last = len(texts) if "midnight" in change else at + 1
    texts[at:last] = [
        SAME_GAME[change](text).replace("2026.01.03", "2019.03.15") for text in texts[at:last]
    ]
    report = bring(slipped, file(texts), 2)
    assert (report.games, report.hands, report.problems) == (1, 5, [])
    assert story(slipped) == story(plain)
    assert_verifies(slipped)
    assert_again_changes_nothing(slipped, file(texts))


@pytest.mark.parametrize("order", [(1, 0, 2, 3, 4), (0, 2, 1, 4, 3), (4, 3, 2, 1, 0)], ids=str)
@pytest.mark.parametrize("chunk", [1, 2, 5, 1024])
def test_hands_in_another_order_are_stored_in_order(order: tuple[int, ...], chunk: int) -> None:
    plain, mixed = make_club("plain"), make_club("mixed")
    texts = game(FOUR, 5, hands=5)
    bring(plain, file(texts))
    text = file([texts[at] for at in order])
    report = bring(mixed, text, chunk)
    assert (report.games, report.hands, report.disputed) == (1, 5, 0)
    assert report.problems
    assert story(mixed) == story(plain)
    assert_verifies(mixed)
    assert_again_changes_nothing(mixed, text)
    assert_again_changes_nothing(mixed, file(texts))


def test_a_substitute_takes_the_seat_and_the_results_from_his_hand_on() -> None:
    club, texts = make_club(), game(FOUR, 5, hands=5)
    texts[2:4] = [text.replace("Clark, Sue", "Young, Ann") for text in texts[2:4]]
    report = bring(club, file(texts), 2)
    assert (report.games, report.hands, report.players) == (1, 5, 5)
    assert [problem.message for problem in report.problems] == [
        "Young, Ann is taken as a substitute for Clark, Sue"
    ]
    names = dict(Person.objects.values_list("player_id", "name"))
    seat = Sitting.objects.filter(player__person__name="Clark, Sue").values_list("seat").first()
    assert seat is not None
    sat = Sitting.objects.filter(seat=seat[0]).order_by("first")
    assert [(names[one.player_id], one.first, one.last, one.is_entrant) for one in sat] == [
        ("Clark, Sue", 1, 2, True),
        ("Young, Ann", 3, 4, False),
        ("Clark, Sue", 5, None, True),
    ]
    assert_verifies(club)
    assert_again_changes_nothing(club, file(texts))


def test_a_repeated_record_counts_once_and_a_conflict_is_left_out() -> None:
    club, texts, other = make_club(), game(FOUR, 5, hands=4), game(FOUR, 6, hands=2)
    wrong = other[1].replace('[Table "1"]', '[Table "?"]')
    report = bring(club, file([texts[0], texts[1], texts[1], wrong, *texts[2:]]))
    assert (report.games, report.hands, report.known, report.left_out) == (1, 4, 1, 1)
    first, second = (problem.message for problem in report.problems)
    assert first == "this record is written before, with the same content; it counts once"
    assert second.startswith("hand 2 of this game is written before, and says something else; ")


def test_a_missing_hand_is_told_and_no_second_game_is_made() -> None:
    club, texts = make_club(), game(SAHARA, 5, hands=5)
    report = bring(club, file([*texts[:1], *texts[3:]]))
    assert (report.games, report.hands) == (1, 3)
    assert report.problems[0].message == "hands 2-3 are missing before hand 4"


def test_a_first_hand_from_other_chips_is_told() -> None:
    club, texts = make_club(), game(FOUR, 5, hands=5)
    report = bring(club, file(texts[3:]))
    assert report.problems[0].message == "hands 1-3 are missing before hand 4"
    first = re.sub(r'\[Board "\d+"', '[Board "1"', texts[3])
    report = bring(make_club("other"), file([first]))
    assert report.problems[0].message.startswith("the first hand starts from ")


def test_an_identifier_finds_the_game_again_in_another_file() -> None:
    whole, parts, texts = make_club("whole"), make_club("parts"), game(FOUR, 5, hands=5)
    texts = [text.replace("[PainSuit", '[GameId "Night 7, table 1"]\n[PainSuit') for text in texts]
    bring(whole, file(texts))
    bring(parts, file(texts[:2]))
    report = bring(parts, file([text.replace("Club night", "Evening") for text in texts[2:]]))
    assert (report.games, report.hands, report.problems) == (0, 3, [])
    assert story(whole) == story(parts)
    assert_verifies(parts)


def exported(club: Club) -> bytes:
    return b"".join(write_archive(club, queries.select_games(club)))


ODD: dict[str, Callable[[str], str]] = {
    "plain": lambda text: text,
    "comments": lambda text: text.replace('"]\n[Site', '"]\n{a remark}\n[Site'),
    "not canonical": lambda text: text.replace("[Site", " [Site").replace("\n", "\r\n"),
    "another identifier": lambda text: text.replace("[PainSuit", '[GameId "x"]\n[PainSuit'),
    "a letter": lambda text: text.replace("Baker, Ed", "Bäcker, Zoë"),
}


@pytest.mark.parametrize("how", sorted(ODD))
def test_an_export_names_its_games_and_is_known_where_it_came_from(how: str) -> None:
    here, there = make_club("here"), make_club("there")
    texts = [[ODD[how](text) for text in game(FOUR, seed, hands=3)] for seed in (1, 2)]
    bring(
        here,
        file(
            [text.replace('"x"', f'"{at}"') for at, one in enumerate(texts) for text in one]
            if how == "another identifier"
            else texts[0]
        ),
    )
    text = exported(here)
    assert text.count(b"[GameId ") == HandVersion.objects.filter(hand__game__club=here).count()
    again = bring(here, text)
    assert (again.hands, again.games, again.problems) == (0, 0, [])
    report = bring(there, text)
    assert report.hands == HandVersion.objects.filter(hand__game__club=here).count()
    assert report.games == Game.objects.filter(club=here).count()
    states = [
        sorted(str(read_state(row.state)) for row in Game.objects.filter(club=club))
        for club in (here, there)
    ]
    assert states[0] == states[1]
