"""Archives: what is imported is what would have been entered, and no archive counts twice."""

import resource
from itertools import chain

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from benchmarks.hands import TABLES, Table
from engine.notation.reader import Reader
from scoring.games.opening import NewGame, open_game
from scoring.hands.recording import enter_hand
from scoring.hands.submission import HandSubmission
from scoring.ledger.transfers import Stamp
from scoring.models import Game, Hand, HandVersion, Sitting
from scoring.models.states import read_state
from scoring.models.transfer import Transfer
from scoring.transfer.importing import ArchiveImport, Options
from scoring.transfer.importing.games import start_of
from scoring.transfer.importing.hands import RESULT, ImportedSeating, judge_completely, play
from scoring.transfer.verifying import look_at_club, look_at_games
from tests.examples import examples
from tests.scoring.archives import VERSION, bring, file, game, in_turn, night
from tests.scoring.club import DIRECTOR, assert_recomputes, at, make_club, make_rules
from tournaments.core.ids import new_id
from tournaments.models import AuditEntry, Club, Person, Player, Result
from tournaments.people.members import NewPlayer, add_player

pytestmark = pytest.mark.django_db
FOUR = TABLES[0]


def flat(games: list[list[str]]) -> list[str]:
    return list(chain.from_iterable(games))


def state_of(club: Club) -> list[object]:
    """All that an import may change, in a form that can be compared."""
    games = Game.objects.filter(club=club).order_by("pk")
    return [
        list(games.values()),
        list(Hand.objects.filter(game__club=club).order_by("pk").values()),
        [
            {**row, "text": bytes(row["text"])}
            for row in HandVersion.objects.filter(hand__game__club=club).order_by("id").values()
        ],
        list(Transfer.objects.filter(payer__club=club).order_by("id").values()),
        list(Result.objects.filter(game__club=club).order_by("id").values()),
        list(AuditEntry.objects.filter(club_id=club.pk).order_by("id").values()),
        list(Person.objects.filter(player__club=club).order_by("player__number").values()),
    ]


def assert_verifies(club: Club) -> None:
    numbers = list(Game.objects.filter(club=club).values_list("pk", flat=True))
    looked = look_at_games(numbers)
    assert not looked.differences, "\n".join(map(str, looked.differences))
    assert not look_at_club(club.pk)


def test_a_night_of_every_system_is_settled_and_booked() -> None:
    club, games = make_club(), night()
    report = bring(club, file(flat(games)))
    assert (report.games, report.hands) == (len(games), sum(map(len, games)))
    assert not report.problems
    assert (report.known, report.disputed, report.left_out) == (0, 0, 0)
    assert_verifies(club)
    for row in Game.objects.filter(club=club):
        assert_recomputes(row)
        assert row.name.startswith("Club night, round 1, table ")
        assert row.opened_at.date().isoformat() == "2019-03-14"


def test_what_is_imported_is_what_would_have_been_entered() -> None:
    games = night(hands=4)
    mine, theirs = make_club("imported"), make_club("entered")
    bring(mine, file(flat(games)))
    imported = {row.name: row for row in Game.objects.filter(club=mine)}
    people = {}
    for number, records in enumerate(games):
        row = imported[f"Club night, round 1, table {number}"]
        sat = Sitting.objects.filter(game=row).order_by("seat").values_list("player_id", flat=True)
        for one in sat:
            if one not in people:
                new = NewPlayer(person={"name": str(one)})
                people[one] = add_player(club_id=theirs.pk, new=new, by=DIRECTOR, at=at()).pk
        rules = make_rules(theirs, TABLES[number].system)
        opening = NewGame(
            name=row.name,
            rule_set=rules.pk,
            players=[people[one] for one in sat],
            dealer=read_state(row.start).dealer,
        )
        other = open_game(club_id=theirs.pk, opening=opening, by=DIRECTOR, at=at())
        for place, text in enumerate(records, 1):
            sent = HandSubmission(id=new_id(), number=place, text=text.encode())
            enter_hand(game_id=other.pk, sent=sent, by=DIRECTOR, at=at())
        assert told(row, {}) == told(
            Game.objects.get(pk=other.pk), {v: k for k, v in people.items()}
        )


def told(row: Game, people: dict[object, object]) -> list[object]:
    hands = Hand.objects.filter(game=row).order_by("number")
    booked = (
        Transfer.objects.filter(game=row)
        .order_by("id")
        .values_list(
            "hand__number",
            "kind",
            "payer__holder",
            "payer__seat",
            "payee__holder",
            "payee__seat",
            "amount",
        )
    )
    versions = HandVersion.objects.filter(hand__game=row).order_by("hand__number")
    names = [name for name in RESULT if name not in ("game_id", "player_id")]
    results = Result.objects.filter(game_id=row.pk).order_by("number", "seat")
    trail = AuditEntry.objects.filter(chain=row.pk).order_by("number")
    return [
        (row.start, row.state, row.hands, row.booked, row.phase, row.version, row.digest),
        list(hands.values_list("number", "state", "certainty", "reason", "after", "revision")),
        [bytes(version.text) for version in versions],
        list(booked),
        list(results.values_list(*names)),
        [people.get(one, one) for one in results.values_list("player_id", flat=True)],
        list(trail.values_list("what", "number", "by")),
    ]


@pytest.mark.parametrize("chunk", [1, 7, 1024])
def test_the_same_archive_again_changes_nothing(chunk: int) -> None:
    club, text = make_club(), file(in_turn(night(4, hands=3)))
    first = bring(club, text, chunk)
    before = state_of(club)
    again = bring(club, text, 5)
    assert (again.games, again.hands, again.known) == (0, 0, first.hands)
    assert (again.players, again.problems) == (0, [])
    assert state_of(club) == before
    assert_verifies(club)


def test_the_rest_of_an_archive_is_added_to_what_is_there() -> None:
    whole, parts, games = make_club("whole"), make_club("parts"), night(4, hands=5)
    bring(whole, file(in_turn(games)))
    bring(parts, file(in_turn([records[:2] for records in games])))
    report = bring(parts, file(in_turn(games)), 3)
    assert (report.games, report.known) == (0, 8)
    assert_verifies(parts)
    stories = [
        [told(row, {})[:5] for row in Game.objects.filter(club=club).order_by("name")]
        for club in (whole, parts)
    ]
    assert stories[0] == stories[1]


def test_one_file_twice_in_a_row_is_one_archive() -> None:
    club, records = make_club(), flat(night(3, hands=3))
    report = bring(club, file(records + records), 4)
    assert (report.hands, report.known) == (len(records), len(records))
    assert_verifies(club)


def test_a_dry_run_says_what_would_happen_and_does_nothing() -> None:
    club, text = make_club(), file(in_turn(night(5, hands=3)))
    before = state_of(club)
    tried = bring(club, text, 4, dry_run=True)
    assert state_of(club) == before
    done = bring(club, text, 4)
    assert tried.as_data() == done.as_data()
    assert tried.as_data()["new_players"] == 6


def test_players_are_found_by_name_and_others_are_new() -> None:
    club = make_club()
    new = NewPlayer(person={"name": "Adams, Nora"})
    nora = add_player(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    report = bring(club, file(game(FOUR, 1)), kind="visitor")
    assert report.players == 3
    assert set(Sitting.objects.values_list("player_id", flat=True)) >= {nora.pk}
    others = Player.objects.filter(club=club).exclude(pk=nora.pk)
    assert set(others.values_list("kind", flat=True)) == {"visitor"}


def test_a_record_with_a_fault_is_disputed_and_the_others_are_as_they_would_be() -> None:
    club, records = make_club(), game(FOUR, 3, hands=4)
    records[2] = records[2].replace("ScoreTable", "ScoreTable", 1)
    wrong = records[2].splitlines()
    at_row = next(n for n, line in enumerate(wrong) if line.startswith("[ScoreTable")) + 1
    cells = wrong[at_row].split()
    wrong[at_row] = " ".join([cells[0], str(int(cells[1]) + 1), *cells[2:]])
    records[2] = "\n".join(wrong) + "\n"
    report = bring(club, file(records))
    row = Game.objects.get(club=club)
    assert (report.hands, report.disputed) == (4, 1)
    assert (row.hands, row.booked) == (4, 2)
    problem = report.problems[0]
    assert problem.stored
    assert problem.line > 1
    assert_verifies(club)


def test_what_is_no_record_is_listed_with_its_line_and_the_rest_comes_in() -> None:
    club, records = make_club(), game(FOUR, 3, hands=2)
    text = file([records[0], "this is no record at all\n", records[1]])
    report = bring(club, text)
    assert report.hands == 2
    assert [problem.line for problem in report.problems] == [2 + records[0].count("\n") + 1]


def test_after_the_end_of_a_game_nothing_is_added() -> None:
    records = game(next(table for table in TABLES if table.system == "insurance"), 1, hands=60)
    late = records[-1].replace(f'[Board "{len(records)}"]', f'[Board "{len(records) + 1}"]')
    assert len(records) < 60
    report = bring(make_club(), file([*records, late]))
    assert (report.hands, report.left_out) == (len(records), 1)
    assert "ended" in report.problems[0].message


def test_an_archive_is_not_tripped_by_bytes_that_are_no_text() -> None:
    club = make_club()
    records = game(FOUR, 1, hands=1)
    odds = (b"\x00\x01\xff\xfe" * 50, b'[Event "' + b"\xff" * 300, b"\n\n\n", b"\xe9")
    for odd in odds:
        bring(club, VERSION.encode() + odd + b"\n\n" + file(records)[len(VERSION) :])
    assert Game.objects.filter(club=club).count() == 1
    assert_verifies(club)


def test_a_declared_character_set_is_understood_and_kept_as_utf_8() -> None:
    club = make_club()
    text = file(game(FOUR, 1, hands=2)).decode().replace("Baker, Ed", "Bäcker, Zoë")
    text = text.replace(VERSION, VERSION + "%Content-type: text/plain; charset=iso-8859-1\n")
    bring(club, text.encode("latin-1"))
    assert Person.objects.filter(name="Bäcker, Zoë").exists()
    assert_verifies(club)


def test_so_many_queries_however_many_games() -> None:
    counts = []
    for games in (4, 16):
        club = make_club(str(games))
        bring(club, file(flat(night(26, hands=1))))  # everybody is known by now
        text = file(flat([game(FOUR, seed, 2, f"x{seed}") for seed in range(games)]))
        with CaptureQueriesContext(connection) as queries:
            bring(club, text)
        counts.append(len(queries))
    assert counts[0] == counts[1]


@settings(max_examples=examples(60), deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(TABLES), st.integers(0, 10**6))
def test_the_fast_path_gives_the_same_rows_as_the_complete_way(table: Table, seed: int) -> None:
    seating = ImportedSeating(new_id(), table.rules, [new_id() for _ in range(table.players)])
    state = None
    for number, record in enumerate(game(table, seed, hands=8), 1):
        entry = next(iter(Reader(record)))
        before = state or start_of(entry, table.rules)
        text = entry.text.encode()
        quick = play(seating, before, entry, text, number)
        exact = judge_completely(seating, before, text, number)
        for name in quick._fields:
            mine, theirs = getattr(quick, name), getattr(exact, name)
            assert list(mine) == list(theirs) if isinstance(mine, list) else mine == theirs, name
        state = exact.after


class Endless:
    """A file that is longer than any memory should be."""

    def __init__(self, piece: bytes, size: int) -> None:
        self._piece, self._left = piece, size

    def read(self, size: int) -> bytes:
        size = min(size, self._left)
        self._left -= size
        return (self._piece * (size // len(self._piece) + 1))[:size]


@pytest.mark.parametrize(
    "piece",
    [b"x", b"\x00", b"{ a comment ", pytest.param(b'[Event "x"]\n', marks=pytest.mark.slow)],
    ids=["line", "zeros", "open", "tags"],
)
def test_three_hundred_megabytes_of_nothing_need_no_memory(piece: bytes) -> None:
    club = make_club()
    source = Endless(piece, 300 * 1024 * 1024)
    archive = ArchiveImport(club.pk, source, Options(), Stamp(DIRECTOR, at()))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    while archive.take():
        pass
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 100 * 1024
    assert archive.report.hands == 0
    assert archive.report.problem_count
