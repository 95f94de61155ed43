"""Old versions of standings are thinned; what stays keeps every promise, and says what is gone."""

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.jobs.nightly import next_night, plan, run
from scoring.models import NightlyTask
from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.publishing.nights import Night, publish
from tournaments.events import leagues
from tournaments.models import Club, Published, Scope, Snapshot, StandingsDecision, Verdict
from tournaments.publishing import thin_versions, versions
from tournaments.publishing.official import counted_versions
from tournaments.publishing.thinning import KEPT_WHOLE
from tournaments.publishing.versions import ThinnedVersions, find_latest
from tournaments.verifying import look_at, published_subjects

pytestmark = pytest.mark.django_db

EVENING = datetime(2026, 9, 3, 19, tzinfo=UTC)
LATER = EVENING + timedelta(days=30)


def played(hands: int = 4, *, club: Club | None = None) -> Night:
    """A night of one table, published after each hand, an hour after another."""
    night = Night(players=4, hands=hands, club=club)
    night.clock.now = EVENING
    game = night.seat(1)[0]
    for turn in range(hands):
        night.play(game, [13 if seat == turn % 3 else 0 for seat in range(4)])
        night.publish()
        night.clock.now = EVENING + timedelta(hours=turn + 1)
    return night


def kept(scope: Scope, subject: UUID) -> list[int]:
    rows = Snapshot.objects.filter(published__scope=scope, published__subject=subject)
    return list(rows.order_by("version").values_list("version", flat=True))


def kept_of(night: Night) -> list[int]:
    return kept(Scope.EVENT, night.event.pk)


def assert_nothing_is_wrong(club: Club) -> None:
    assert [one for pk in published_subjects(club.pk) for one in look_at(pk)] == []


def test_every_version_of_the_last_week_is_kept() -> None:
    night = played()
    assert thin_versions(night.club, at=EVENING + KEPT_WHOLE) == 0
    assert kept_of(night) == [1, 2, 3, 4]


def test_of_older_days_the_last_version_stays_and_the_very_first() -> None:
    night = played(5)
    Snapshot.objects.filter(version=3).update(computed_at=EVENING + timedelta(days=1))
    Snapshot.objects.filter(version__gt=3).update(computed_at=EVENING + timedelta(days=2))
    assert thin_versions(night.club, at=LATER) == 1
    assert kept_of(night) == [1, 2, 3, 5]
    assert_nothing_is_wrong(night.club)
    assert thin_versions(night.club, at=LATER) == 0


def test_a_day_ends_by_the_clock_of_the_club() -> None:
    night = played(4, club=make_club(time_zone="Europe/Berlin"))
    # 21:00, 21:00, 22:00 and 23:00 in Berlin; the fourth is put behind midnight there.
    late = EVENING.replace(hour=22, minute=30)
    Snapshot.objects.filter(version=4).update(computed_at=late)
    assert thin_versions(night.club, at=LATER) == 1
    assert kept_of(night) == [1, 3, 4]


def test_what_a_director_decided_on_stays() -> None:
    night = played()
    row = Published.objects.get(scope=Scope.EVENT)
    StandingsDecision.objects.create(
        published=row, number=1, verdict=Verdict.OFFICIAL, version=2, by="Dora", at=at()
    )
    assert thin_versions(night.club, at=LATER) == 1
    assert kept_of(night) == [1, 2, 4]
    assert_nothing_is_wrong(night.club)


def test_what_a_season_counts_stays() -> None:
    night = Night(players=4, hands=5)
    night.clock.now = EVENING
    league = leagues.create_league(
        club_id=night.club.pk, new={"name": "Autumn"}, by=DIRECTOR, at=at()
    )
    leagues.add_session(league_id=league.pk, event=night.event.pk, by=DIRECTOR, at=at())
    game = night.seat(1)[0]
    for turn in range(5):
        night.play(game, [13 if seat == turn % 3 else 0 for seat in range(4)])
        night.publish()
        if turn in (0, 2):
            publish(Scope.LEAGUE, league.pk, night.clock)
    # The season's last version of that day counts the third of the night.
    assert thin_versions(night.club, at=LATER) == 2
    assert kept(Scope.LEAGUE, league.pk) == [1, 2]
    assert kept_of(night) == [1, 3, 5]
    counted = counted_versions(find_latest(Scope.LEAGUE, league.pk))
    assert counted[str(night.event.pk)].version == 3


def test_a_moment_shows_what_stood_or_says_what_is_no_longer_kept() -> None:
    night = played()
    moments = dict(Snapshot.objects.values_list("version", "computed_at"))
    thin_versions(night.club, at=LATER)

    def as_of(moment: datetime) -> tuple[int, ThinnedVersions | None] | None:
        found = versions.find_as_of(Scope.EVENT, night.event.pk, moment)
        return None if found is None else (found.version, found.thinned)

    assert as_of(EVENING - timedelta(days=1)) is None
    assert as_of(moments[2]) == (1, ThinnedVersions(2, 3))
    assert as_of(moments[4]) == (4, None)
    assert as_of(LATER) == (4, None)
    # Nothing came between two days: what stood at the end of one is known.
    Snapshot.objects.filter(version=1).update(computed_at=EVENING - timedelta(days=2))
    assert as_of(EVENING - timedelta(days=1)) == (1, None)


def test_what_changed_since_a_version_that_is_gone_is_told_from_the_one_before_it() -> None:
    night = played()
    whole = versions.changes_since(find_latest(Scope.EVENT, night.event.pk), 1)
    thin_versions(night.club, at=LATER)
    latest = find_latest(Scope.EVENT, night.event.pk)
    assert versions.changes_since(latest, 3) == whole
    assert versions.changes_since(latest, 5) is None


def test_a_version_that_had_to_stay_is_missed_by_verify() -> None:
    night = played()
    thin_versions(night.club, at=LATER)
    assert_nothing_is_wrong(night.club)
    Snapshot.objects.filter(version=1).delete()
    lines = [one.what for pk in published_subjects(night.club.pk) for one in look_at(pk)]
    assert lines == ["version"]


def test_the_nightly_round_thins_the_standings_of_every_club() -> None:
    first = played()
    second = played()
    plan(at=LATER)
    then = next_night(LATER)
    while run("thin standings", lambda: then):
        pass
    assert kept_of(first) == kept_of(second) == [1, 4]
    outcome = NightlyTask.objects.get(name="thin standings").outcome
    assert outcome == "4 versions of standings were no longer kept."


@given(hours=st.lists(st.integers(0, 40), min_size=1, max_size=12), decided=st.integers(1, 12))
@settings(max_examples=20, deadline=None)
def test_the_end_of_every_day_is_kept_whatever_the_hours(hours: list[int], decided: int) -> None:
    club = make_club()
    row = Published.objects.create(
        club=club, scope=Scope.RATINGS, subject=club.pk, version=len(hours)
    )
    moments = [EVENING + timedelta(hours=sum(hours[: n + 1])) for n in range(len(hours))]
    Snapshot.objects.bulk_create(
        Snapshot(published=row, version=n, data="{}", computed_at=moment)
        for n, moment in enumerate(moments, 1)
    )
    StandingsDecision.objects.create(
        published=row, number=1, verdict=Verdict.OFFICIAL, version=decided, by="Dora", at=at()
    )
    before = {day: stood(club, day) for day in days(moments)}
    thin_versions(club, at=moments[-1] + timedelta(days=9))
    assert {day: stood(club, day) for day in before} == before
    left = kept(Scope.RATINGS, club.pk)
    assert {1, len(hours)} <= set(left)
    assert decided in left or decided > len(hours)
    ends = {moment.date(): n for n, moment in enumerate(moments, 1)}
    assert set(left) == {1, *ends.values()} | ({decided} if decided <= len(hours) else set())
    assert all(one < other for one, other in pairwise(left))


def days(moments: list[datetime]) -> list[datetime]:
    """The last moments of all days from the first on."""
    first = moments[0].replace(hour=23, minute=59)
    return [first + timedelta(days=n) for n in range((moments[-1] - moments[0]).days + 3)]


def stood(club: Club, moment: datetime) -> tuple[int, bool] | None:
    """The version that a moment shows, and whether anything is said to be missing."""
    found = versions.find_as_of(Scope.RATINGS, club.pk, moment)
    return None if found is None else (found.version, found.thinned is not None)
