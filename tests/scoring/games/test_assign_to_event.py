"""Games that were brought in become part of events: by hand, by an archive, and back."""

from io import BytesIO, StringIO
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from benchmarks.hands import TABLES, Table
from engine.rules.rules import plays_for_chips
from scoring.games import assign_to_event
from scoring.games.assign_to_event import Where
from scoring.jobs.kinds import JOB_TYPES
from scoring.models import Game, Phase
from scoring.transfer.bundling import restore, write
from scoring.transfer.importing import BY_TAGS
from scoring.transfer.verifying import bundles, look_at_club, look_at_games
from tests.scoring.archives import bring, file, game, in_turn
from tests.scoring.club import DIRECTOR, at, make_club, make_rules
from tests.tournaments.publishing.nights import Clock, assert_is_cold, data_of, publish_all
from tournaments import jobs
from tournaments.core.errors import NotThereError, RefusedError
from tournaments.events import decisions, events, leagues
from tournaments.events.decisions import NewDecision
from tournaments.events.layout import RoundTable
from tournaments.jobs import JobRequest
from tournaments.models import Club, Entry, Event, Job, JobState, Result, Round, Scope, TableGame

pytestmark = pytest.mark.django_db
CHIPS = next(one for one in TABLES if plays_for_chips(one.rules) and one.players == 4)
POINTS = next(one for one in TABLES if not plays_for_chips(one.rules) and one.players == 4)


@pytest.fixture(autouse=True)
def files(settings: Any, tmp_path: Path) -> None:
    settings.FILES = str(tmp_path / "files")


def evening(club: Club, name: str = "Club night", **fields: Any) -> Event:
    """An event on the day of the archives of tests."""
    rules = make_rules(club, "bicycle")
    usual: dict[str, Any] = {"starts_at": at().replace(year=2019, month=3, day=14), "hands": 3}
    new = {
        "name": name,
        "rule_set": rules.pk,
        "rounds": fields.pop("rounds", 3),
        **(usual | fields),
    }
    return events.create_event(club_id=club.pk, new=new, by=DIRECTOR, at=at())


def records(table: Table = CHIPS, seed: int = 1, **tags: str) -> list[str]:
    """A game of three hands with other tags."""
    found = game(table, seed, hands=3, name=tags.pop("Table", "1"))
    for tag, value in tags.items():
        usual = {"Event": "Club night", "Round": "1", "Date": "2019.03.14"}[tag]
        found = [text.replace(f'[{tag} "{usual}"]', f'[{tag} "{value}"]') for text in found]
    return found


def brought(club: Club, *games: list[str]) -> list[Game]:
    """Games of an archive, in its order."""
    for one in games:
        bring(club, file(one))
    return list(Game.objects.filter(club=club).order_by("pk"))


def place(event: Event, game_: Game, **where: Any) -> tuple[int, int]:
    spot = assign_to_event.place_game(
        event_id=event.pk, game_id=game_.pk, where=Where(**where), by=DIRECTOR, at=at(9)
    )
    return spot.round, spot.table


def assert_all_is_well(club: Club) -> None:
    for part in bundles([club.pk]):
        assert not look_at_games(part.games).differences
    assert not look_at_club(club.pk)


def test_games_are_placed_together_with_the_queries_of_two() -> None:
    club = make_club()
    event = evening(club, rounds=8)
    played = brought(club, *(records(seed=seed, Round=str(seed)) for seed in range(1, 9)))
    places = {found.pk: Where(round=number) for number, found in enumerate(played, 1)}

    def place_some(numbers: list[UUID]) -> int:
        some = {number: places[number] for number in numbers}
        with CaptureQueriesContext(connection) as said:
            found = assign_to_event.place_games(event_id=event.pk, games=some, by=DIRECTOR, at=at())
        assert found == {one: RoundTable(where.round or 0, 1) for one, where in some.items()}
        return len(said)

    numbers = list(places)
    place_some(numbers[:1])
    assert place_some(numbers[1:3]) == place_some(numbers[3:])
    phases = Game.objects.filter(club=club).values_list("phase", flat=True).distinct()
    assert list(phases) == [Phase.CLOSED]
    assert_all_is_well(club)


def test_a_game_counts_in_the_standings_of_the_event_it_is_put_into() -> None:
    club = make_club()
    (found,) = brought(club, records())
    event = evening(club)
    league = leagues.create_league(club_id=club.pk, new={"name": "2019"}, by=DIRECTOR, at=at())
    leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
    assert place(event, found) == place(event, found) == (1, 1)
    clock = Clock()
    publish_all(clock)
    publish_all(clock)
    standings = data_of(Scope.EVENT, event.pk)
    assert standings["up_to"] == {"round": 1, "games": 1, "hands": 3}
    assert len(standings["entries"]) == 4
    assert len(data_of(Scope.RATINGS, club.pk)["rows"]) == 0
    assert data_of(Scope.LEAGUE, league.pk)["sessions"][0]["event"] == str(event.pk)
    for scope, subject in ((Scope.EVENT, event.pk), (Scope.LEAGUE, league.pk)):
        assert_is_cold(scope, subject)
    found.refresh_from_db()
    assert found.phase == Phase.CLOSED
    assert_all_is_well(club)


def test_members_of_an_old_night_are_rated() -> None:
    club = make_club()
    (found,) = brought(club, records())
    club.players.update(kind="member")
    event = evening(club)
    place(event, found)
    clock = Clock()
    publish_all(clock)
    publish_all(clock)
    assert len(data_of(Scope.RATINGS, club.pk)["rows"]) == 4
    assert_is_cold(Scope.RATINGS, club.pk)


def test_games_of_the_same_people_go_into_the_next_rounds_and_then_to_the_same_table() -> None:
    club = make_club()
    event = evening(club, rounds=2)
    games = brought(club, *(records(seed=seed) for seed in (1, 5, 9)))
    assert len({*Result.objects.values_list("player", flat=True)}) == 4
    assert [place(event, one) for one in games] == [(1, 1), (2, 1), (1, 1)]
    assert Entry.objects.filter(event=event).count() == 4
    assert_all_is_well(club)


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ({"round": 4}, "Round 4 is not in this event"),
        ({"round": 2}, "Round 1 of this event has not begun"),
        ({"table": 5000}, "no table 5000"),
    ],
)
def test_a_place_that_is_none_is_refused(where: dict[str, int], words: str) -> None:
    club = make_club()
    (found,) = brought(club, records())
    event = evening(club)
    with pytest.raises(RefusedError, match=words), transaction.atomic():
        place(event, found, **where)
    assert not Round.objects.exists()
    found.refresh_from_db()
    assert found.table is None


def test_what_does_not_belong_together_is_refused() -> None:
    club = make_club()
    chips, points = brought(club, records()), None
    points = next(
        one for one in brought(club, records(POINTS, 2)) if one.pk not in {g.pk for g in chips}
    )
    event, other = evening(club), evening(club, "Another")
    place(event, chips[0])
    with pytest.raises(RefusedError, match="part of another event"):
        place(other, chips[0])
    with pytest.raises(RefusedError, match="One counts in chips"):
        place(event, points)
    strange = evening(make_club("Delft Hearts"))
    with pytest.raises(NotThereError):
        place(strange, points)
    events.finish_event(event_id=other.pk, version=None, by=DIRECTOR, at=at(9))
    with pytest.raises(RefusedError, match="finished"):
        place(other, points)


def test_a_game_is_taken_out_again_and_everything_is_as_before() -> None:
    club = make_club()
    (found,) = brought(club, records())
    before = list(Result.objects.order_by("number", "seat").values_list("score", "taken"))
    event = evening(club)
    place(event, found)
    new = NewDecision(kind="forfeit", round=1, table=1, reason="Ill.")
    row = decisions.decide_seats(event_id=event.pk, new=new, by=DIRECTOR, at=at())[0]
    with pytest.raises(RefusedError, match="There is a decision"):
        take_out(event, found)
    for one in row.game.decisions.all():
        decisions.cancel_decision(
            event_id=event.pk, decision_id=one.pk, why="No.", by=DIRECTOR, at=at()
        )
    take_out(event, found)
    assert not Round.objects.filter(event=event).exists()
    assert TableGame.objects.get(pk=found.pk).event is None
    after = list(Result.objects.order_by("number", "seat").values_list("score", "taken"))
    assert after == before
    assert_all_is_well(club)
    assert place(event, found) == (1, 1)
    assert_all_is_well(club)


def take_out(event: Event, found: Game) -> None:
    assign_to_event.take_out_game(
        event_id=event.pk, game_id=found.pk, why="The wrong night.", by=DIRECTOR, at=at(20)
    )


def upload(club: Club, text: bytes, **params: str) -> Job:
    dry = params.pop("dry_run", "") == "true"
    wanted = JobRequest(kind="archive", params=params, upload=text, dry_run=dry)
    jobs.create(club_id=club.pk, request=wanted, by=DIRECTOR, at=at())
    while due := Job.objects.due_names(at(10**6), 10):
        for name, _since in due:
            jobs.run(job_id=UUID(name), types=JOB_TYPES, clock=lambda: at(10**6), seconds=0)
    return Job.objects.latest("created_at", "pk")


def two_nights() -> bytes:
    """Two rounds of one table, and a table of another night that nobody set up."""
    games = [
        records(seed=1),
        records(seed=5, Round="2"),
        records(seed=9, Event="Forgotten night"),
    ]
    return file(in_turn(games))


def test_an_archive_goes_into_the_events_that_its_tags_name_and_says_so_before() -> None:
    club = make_club()
    event = evening(club)
    evening(club, starts_at=at().replace(year=2018, month=3, day=14))
    tried = upload(club, two_nights(), event=BY_TAGS, dry_run="true")
    assert not Game.objects.exists()
    assert (tried.outcome["placed"], len(tried.problems)) == (2, 1)
    places = [(one["event"], one["round"], one["table"]) for one in tried.outcome["places"]]
    assert places == [(str(event.pk), 1, 1), (str(event.pk), 2, 1)]
    done = upload(club, two_nights(), event=BY_TAGS)
    assert done.state == JobState.DONE
    assert done.outcome["places"] == tried.outcome["places"]
    assert "no event 'Forgotten night'" in done.problems[0]["message"]
    assert TableGame.objects.filter(event=event).count() == 2
    assert TableGame.objects.filter(event=None).count() == 1
    again = upload(club, two_nights(), event=BY_TAGS)
    assert (again.outcome["hands"], again.outcome["placed"]) == (0, 2)
    assert TableGame.objects.filter(event=event).count() == 2
    assert_all_is_well(club)


def test_an_archive_goes_into_an_event_that_is_named() -> None:
    club = make_club()
    event = evening(club, "Whatever it was called", rounds=5)
    more = file(in_turn([records(seed=1), records(seed=5, Round="2"), records(seed=9, Table="2")]))
    job = upload(club, more, event=str(event.pk))
    assert job.outcome["placed"] == 2
    assert "plays elsewhere in round 1" in job.problems[0]["message"]
    other = evening(make_club("Delft Hearts"))
    job = upload(club, two_nights(), event=str(other.pk))
    assert job.outcome["placed"] == 0
    assert {one["message"] for one in job.problems} == {
        "left out of every event: The club has no such event."
    }


def test_the_command_puts_games_into_events_too(tmp_path: Path) -> None:
    club = make_club()
    event = evening(club)
    path = tmp_path / "old.phn"
    path.write_bytes(file(records()))
    out = StringIO()
    for dry in (True, False):
        call_command("import", str(path), club=str(club.pk), event="tags", dry_run=dry, stdout=out)
        assert TableGame.objects.filter(event=event).count() == (0 if dry else 1)
    assert f"would be round 1, table 1 of event {event.pk}" in out.getvalue()
    assert f"is round 1, table 1 of event {event.pk}" in out.getvalue()


def test_a_club_with_such_an_event_is_built_again_byte_for_byte() -> None:
    with transaction.atomic():
        club = make_club()
        (found,) = brought(club, records())
        event = evening(club, rated=False)
        place(event, found)
        new = NewDecision(kind="score", amount="3/2", round=1, table=1, reason="A wrong pack.")
        decisions.decide_seats(event_id=event.pk, new=new, by=DIRECTOR, at=at())
        bundle = b"".join(write(club))
        transaction.set_rollback(True)
    assert not Club.objects.exists()
    assert restore(BytesIO(bundle)).rows["decision"] == 4
    club = Club.objects.get()
    assert b"".join(write(club)) == bundle
    assert_all_is_well(club)
