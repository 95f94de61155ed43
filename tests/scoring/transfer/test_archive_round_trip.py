"""The archive of a club, brought into an empty one: the same games, people, hands and money."""

import json
import re
from collections import Counter
from datetime import UTC, datetime
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from engine.notation.reader import Reader
from engine.record.rulings import Decision, Ruling
from scoring.hands import agreements, rulings
from scoring.ledger.transfers import Stamp
from scoring.management import demo
from scoring.management.demo import Size
from scoring.models import Decided, Game, Hand, Sitting, State, Word
from scoring.models.transfer import Transfer
from scoring.selectors import queries
from scoring.settlement.changes import RulingRequest
from scoring.settlement.consequences import Policy
from scoring.settlement.plan import (
    active_rulings,
    current_versions,
    is_in_force,
    words_about,
    words_that_count,
)
from scoring.transfer.exporting.archive import write_archive
from scoring.transfer.importing import AS_WRITTEN, BY_TAGS, ArchiveImport, Options, place_all
from scoring.transfer.importing.report import ImportReport
from tests.examples import examples
from tests.scoring.archives import bring
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    enter,
    make_club,
    make_game,
    seat,
    state_of,
)
from tests.scoring.test_club_machine import ClubMachine
from tests.scoring.transfer.test_imports import assert_verifies
from tournaments.core.ids import new_id
from tournaments.models import (
    Club,
    Entry,
    Event,
    LeagueEvent,
    Player,
    Result,
    RuleSet,
    Scope,
    Status,
)
from tournaments.publishing import publish_due, versions

pytestmark = pytest.mark.django_db


def export(club: Club, **which: Any) -> bytes:
    return b"".join(write_archive(club, queries.select_games(club, **which)))


def bring_back(text: bytes) -> tuple[Club, ImportReport]:
    """An empty club with an archive, brought in after all that it tells."""
    club = make_club("Empty")
    return club, bring(club, text, minutes=60 * 24, kind=AS_WRITTEN)


def people(club: Club) -> dict[Any, tuple[Any, ...]]:
    """Who everybody is, by player; a merged duplicate is the survivor."""
    found = {}
    for row in Player.objects.filter(club=club).select_related("person", "merged_into__person"):
        player = row.merged_into or row
        person = getattr(player, "person", None)
        found[row.pk] = player.number, person and person.name, player.kind
    return found


def said_of(hand: Hand) -> list[Word]:
    return list(Word.objects.filter(version__hand=hand).select_related("version").order_by("id"))


def is_part(hand: Hand) -> bool:
    """Whether a record is one of its game, whose rulings an archive carries."""
    is_outside = hand.rival_id is not None or hand.state == State.TAKEN_BACK
    return not is_outside and hand.number <= hand.game.hands


def hands(game: Game) -> list[Any]:
    """Everything that a game's hands come to, as far as an archive carries it.

    A hand that was taken back and not told again is none; told again, it is a rejected record. What
    a seat said of its own record, and what came after the end, stays with the club.
    """
    kept = Hand.objects.filter(game=game).exclude(rival=None, state=State.TAKEN_BACK)
    rows = list(kept.order_by("number", "entered_at"))
    versions, made = current_versions(rows), active_rulings(rows)
    found = [
        (
            row.number,
            str(State.VOID if row.state == State.TAKEN_BACK else row.state),
            sorted(
                str((word.seat, word.agrees, word.why))
                for word in words_that_count(words_about(versions[row], said_of(row)))
            ),
            row.rival_id is not None,
            row.after,
            row.board,
            [
                (one.decision(), one.trick, one.card, one.law, one.facts)
                for one in made.get(row, ())
                if is_in_force(one, versions[row].digest)
            ],
            chain_of(row, versions[row].digest) if is_part(row) else [],
        )
        for row in rows
    ]
    # Records of one hand that came at the same moment are in no order.
    return sorted(found, key=lambda one: (one[0], one[3], str(one)))


def chain_of(hand: Hand, record: str) -> list[Any]:
    """All rulings on a hand in their order, with which took the place of which.

    What became of the record that was ruled on, and of a hand that was changed, is told by whether
    it still stands: earlier versions are not carried.
    """
    numbers = dict(hand.decisions.values_list("pk", "number"))
    return [
        (
            *(one.number, one.withdrawn, one.restores, one.facts, one.law, one.trick, one.card),
            *(one.at, json.loads(one.ruling), one.supersedes and numbers[one.supersedes.pk]),
            one.record == record,
            one.lets_stand and (one.lets_stand.number, one.lets_stand.current == one.of_version),
        )
        for one in hand.decisions.select_related("supersedes", "lets_stand").order_by("number")
    ]


def start_of(game: Game) -> dict[str, Any]:
    """What a game began with; who deals first is told by its first hand."""
    start: dict[str, Any] = json.loads(game.start)
    return {name: value for name, value in start.items() if name != "dealer"}


def who_sat(game: Game, who: dict[Any, Any]) -> list[Any]:
    """Who sat where at each hand."""
    rows = list(Sitting.objects.filter(game=game).order_by("seat"))
    return [
        [who[row.player_id] for row in rows if row.first <= at and (row.last or at) >= at]
        for at in range(1, game.hands + 1)
    ]


def money(game: Game, who: dict[Any, Any]) -> Counter[str]:
    """What every account of a game gave and got for what; what was reversed counts for nothing."""
    found: Counter[str] = Counter()
    rows = Transfer.objects.filter(game=game, reverses=None, reversed_by=None)
    for row in rows.select_related("payer", "payee"):
        for account, sign in ((row.payer, -1), (row.payee, 1)):
            holder = who.get(account.player_id, account.holder)
            key = f"{row.kind} {holder} {account.seat} {account.unit} {account.worth}"
            found[key] += sign * row.amount
    return found


def summary(club: Club) -> dict[str, Any]:
    """All that an archive carries, in a form that is the same for the same club."""
    who = people(club)
    games = {}
    for game in Game.objects.filter(club=club).order_by("opened_at", "name"):
        # An official game comes back closed: that it is official is decided where it is.
        phase = "closed" if game.phase == "official" else game.phase
        games[f"{game.opened_at:%Y-%m-%d %H:%M} {game.name}"] = {
            "phase": phase,
            "rules": game.digest,
            "state": (start_of(game), game.state, game.hands, game.booked, game.counted),
            "hands": hands(game),
            "sat": who_sat(game, who),
            "money": money(game, who),
        }
    results = Result.objects.filter(game__club=club).values_list(
        "player_id",
        "number",
        "seat",
        "score",
        "taken",
        "queen",
        "own_bid",
        "won",
        "pain",
        "jackpot",
    )
    return {
        "people": sorted({str(who[key]) for key, *_rest in results}),
        "games": games,
        "results": Counter((who[key], *rest) for key, *rest in results),
    }


@pytest.fixture(autouse=True)
def _constraints_wait_again(db: None) -> None:
    """An import checks at once, and PostgreSQL keeps that when a test is rolled back."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def build_demo(seed: int) -> Club:
    founded = demo.build(seed=seed, name=f"Club {seed}", size=Size.SMALL, nights=2)
    return Club.objects.get(pk=founded.club)


@pytest.fixture(scope="module")
def demo_club(module_db: None) -> Club:
    return build_demo(3)


@pytest.mark.slow
def test_another_demo_club_comes_back_as_it_was() -> None:
    assert_comes_back(build_demo(1))


def test_the_demo_club_comes_back_as_it_was(demo_club: Club) -> None:
    assert_comes_back(demo_club)


def assert_comes_back(club: Club) -> None:
    text = export(club)
    there, report = bring_back(text)
    assert (report.problems, report.left_out, report.disputed) == ([], 0, 0)
    before, after = summary(club), summary(there)
    assert after["people"] == before["people"]
    assert after["games"].keys() == before["games"].keys()
    for name, game in before["games"].items():
        assert after["games"][name] == game, name
    assert after["results"] == before["results"]
    assert_verifies(there)
    with transaction.atomic():
        again = bring(there, text, kind=AS_WRITTEN)
    assert (again.games, again.hands, again.players, again.problems) == (0, 0, 0, [])
    here = bring(club, text)
    assert (here.games, here.hands, here.players, here.problems) == (0, 0, 0, [])
    assert summary(club) == before
    assert summary(there) == after


def set_up_events_of(club: Club, there: Club) -> None:
    """The events of one club in another one, as a director sets them up: nobody is entered."""
    rules = {}
    for row in RuleSet.objects.filter(club=club):
        known, row.pk, row.club = row.pk, new_id(), there
        row.save(force_insert=True)
        rules[known] = row
    for event in Event.objects.filter(club=club):
        event.pk, event.club, event.rule_set = new_id(), there, rules[event.rule_set_id]
        event.status = Status.RUNNING
        event.save(force_insert=True)


def standings(club: Club) -> dict[str, dict[Any, Any]]:
    """Places and totals in every event, by the names of the players."""
    publish_due(clock=lambda: datetime.now(UTC))
    found = {}
    who = people(club)
    for event in Event.objects.filter(club=club):
        # A substitute who has not entered is in the table by their player.
        names = {str(player): name for player, name in who.items()} | {
            str(key): who[player]
            for key, player in Entry.objects.filter(event=event).values_list("pk", "player")
        }
        rows = versions.find_latest(Scope.EVENT, event.pk).data["rows"]
        found[event.name] = {names[row["entry"]]: (row["label"], row["total"]) for row in rows}
    return found


def test_standings_of_events_come_back_by_their_tags(demo_club: Club) -> None:
    club, there = demo_club, make_club("Empty")
    set_up_events_of(club, there)
    options = Options(kind=AS_WRITTEN, event=BY_TAGS)
    archive = ArchiveImport(there.pk, export(club), options, Stamp(DIRECTOR, at()))
    while archive.take():
        pass
    place_all(archive, BY_TAGS, there.pk, Stamp(DIRECTOR, at()))
    assert archive.report.problems == []
    assert archive.report.placed == Game.objects.filter(club=club, table__isnull=False).count()
    assert standings(there) == standings(club)
    before, after = summary(club), summary(there)
    assert (after["games"], after["people"]) == (before["games"], before["people"])
    assert_verifies(there)


def test_events_and_leagues_choose_the_hands(demo_club: Club) -> None:
    club = demo_club
    first, second = Event.objects.filter(club=club).order_by("starts_at")
    league = LeagueEvent.objects.get(event=first).league_id
    played = [list(Reader(export(club, event=one.pk)).records()) for one in (first, second)]
    assert [{entry.value("Event") for entry in some} for some in played] == [
        {first.name},
        {second.name},
    ]
    both = Reader(export(club, league=league)).records()
    assert sum(map(len, played)) == len(list(both)) < Hand.objects.filter(game__club=club).count()
    assert export(club, event=new_id()) == b"% PHN 1.0\n"


def test_a_second_record_comes_back_that_was_sent_before_the_one_that_counts() -> None:
    game = make_game()
    enter(game, chip_hand(state_of(game), (2, 1, 5, 5)))
    withdrawn = enter(game, b"we forgot", number=2, minutes=1).hand
    agreements.take_back_hand(hand_id=withdrawn.pk, version=1, by=seat(0), at=at(2))
    told = enter(game, chip_hand(state_of(game), (3, 4, 4, 2)), number=2, minutes=3).hand
    assert Hand.objects.get(pk=withdrawn.pk).rival_id == told.pk
    there, report = bring_back(export(game.club))
    assert (report.problems, report.left_out) == ([], 0)
    assert list(summary(there)["games"].values()) == list(summary(game.club)["games"].values())
    assert_verifies(there)


def ruled_twice() -> Game:
    """A game of which a hand was ruled on twice, and then the second ruling was taken back."""
    game = make_game()
    hand = enter(game, chip_hand(state_of(game), (2, 1, 5, 5))).hand
    enter(game, chip_hand(state_of(game), (3, 4, 4, 2)), number=2, minutes=1)
    chips = [(-2, 0, 2, 0), (0, 3, 0, -3), None]
    before = None
    for minutes, moved in enumerate(chips, 2):
        ruling = None if moved is None else Ruling(decision=Decision.CHIP_ADJUST, chips=moved)
        decree = RulingRequest(
            ruling=ruling, facts=f"said at {minutes}", supersedes=before, policy=Policy.LET_STAND
        )
        made = rulings.decide(hand_id=hand.pk, decree=decree, by=DIRECTOR, at=at(minutes))
        before = made.decided.pk
    return game


def test_rulings_come_back_in_their_order_and_are_taken_back_there_too() -> None:
    game = ruled_twice()
    there, report = bring_back(export(game.club))
    assert report.problems == []
    copy = Game.objects.get(club=there)
    (held,) = Decided.objects.filter(
        hand__game=copy, hand__number=1, superseded_by=None, withdrawn=False, lets_stand=None
    )
    assert (held.number, held.restores, held.at) == (3, 1, at(4))
    for one in (game, copy):
        last = Decided.objects.get(hand__game=one, hand__number=1, restores=1)
        decree = RulingRequest(ruling=None, supersedes=last.pk, facts="no")
        rulings.decide(hand_id=last.hand_id, decree=decree, by=DIRECTOR, at=at(60 * 25))
    assert summary(there)["games"] == summary(game.club)["games"]
    assert_verifies(there)


def test_an_older_archive_comes_in_with_the_rulings_that_hold() -> None:
    game = ruled_twice()
    kept, in_table = [], ""
    for line in export(game.club).decode().split("\n"):
        in_table = line[1:].split()[0] if line.startswith("[") else in_table
        if in_table == "DecisionTable" and line.startswith("["):
            kept.append('[DecisionTable "Ruling;Trick;Card;Law;Facts"]')
        elif in_table == "DecisionTable":
            kept.append(re.sub(r" \S+Z .*$", "", line))
        elif in_table != "SupersededTable":
            kept.append(line)
    there, report = bring_back("\n".join(kept).encode())
    assert report.problems == []
    rows = Decided.objects.filter(hand__game__club=there).order_by("hand__number", "number")
    assert [(one.number, one.supersedes, one.facts) for one in rows] == [(1, None, "said at 4")]
    assert money(Game.objects.get(club=there), people(there)) == money(game, people(game.club))
    assert_verifies(there)


def test_a_ruling_on_an_earlier_record_does_not_hold_by_being_written_so() -> None:
    game = make_game()
    hand = enter(game, chip_hand(state_of(game), (2, 1, 5, 5))).hand
    decree = RulingRequest(ruling=Ruling(decision=Decision.RESULT_STANDS), facts="as told")
    rulings.decide(hand_id=hand.pk, decree=decree, by=DIRECTOR, at=at(1))
    text = export(game.club).decode().replace("Z 1 - - - ", "Z 1 - - earlier ")
    there, report = bring_back(text.encode())
    (problem,) = report.problems
    assert "do not fit together" in problem.message
    assert_verifies(there)


@pytest.mark.parametrize(
    ("written", "changed"),
    [
        ("Z 3 2 1 - ", "Z 3 7 1 - "),
        ("Z 3 2 1 - ", "Z 3 3 1 - "),
        ("Z 3 2 1 - ", "Z 3 1 1 - "),
        ("Z 3 2 1 - ", "Z 3 - - - "),
        ("Z 2 1 - ", "Z 1 1 - "),
        ("Z 2 1 - ", "Z 2 - - "),
        ("Z 1 - - ", "Z 99 - - "),
        ("Z 3 2 1 ", "Z 3 2 x "),
        ('"CHIP_ADJUST;chips=0 3 0 -3', '"NO_SUCH;chips=0 3 0 -3'),
    ],
)
def test_rulings_that_do_not_fit_together_are_a_problem(written: str, changed: str) -> None:
    game = ruled_twice()
    text = export(game.club).decode()
    assert written in text
    there, report = bring_back(text.replace(written, changed, 1).encode())
    (problem,) = report.problems
    assert "do not fit together" in problem.message or "is no ruling" in problem.message
    assert money(Game.objects.get(club=there), people(there)) == money(game, people(game.club))
    assert_verifies(there)


class ArchivedClubMachine(ClubMachine):
    """A night at which anything may happen, of which the archive is brought back in the end."""

    def teardown(self) -> None:
        try:
            self.the_archive_gives_the_same_club()
        finally:
            super().teardown()

    def the_archive_gives_the_same_club(self) -> None:
        before = summary(self.club)
        text = export(self.club)
        there, report = bring_back(text)
        after = summary(there)
        assert report.left_out == 0
        if Hand.objects.filter(game=self.game).exists():
            assert list(after["games"].values()) == list(before["games"].values())
            assert (after["people"], after["results"]) == (before["people"], before["results"])
            assert_verifies(there)
        bring(there, text, kind=AS_WRITTEN)
        assert summary(there) == after
        bring(self.club, text)
        assert summary(self.club) == before


@pytest.mark.property
def test_whatever_happened_comes_back() -> None:
    run_state_machine_as_test(
        ArchivedClubMachine,
        settings=settings(
            max_examples=examples(20, 2),
            stateful_step_count=20,
            deadline=None,
            phases=(Phase.explicit, Phase.reuse, Phase.generate),
            suppress_health_check=list(HealthCheck),
        ),
    )
