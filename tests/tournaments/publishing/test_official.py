"""Official means official: what was made official holds until an amendment is confirmed (DEC-7)."""

from typing import Any

import pytest

from scoring.games import nights
from scoring.hands.corrections import Correction, correct_hand
from scoring.models import Game, Hand
from scoring.settlement.plan import state_before
from tests.scoring.club import DIRECTOR, at, chip_hand
from tests.tournaments.publishing.nights import Night, assert_is_cold, publish_all
from tournaments.core.errors import RefusedError
from tournaments.events import events
from tournaments.models import Scope
from tournaments.publishing import versions
from tournaments.publishing.official import TableState, find_as_of, find_current, status_of

pytestmark = pytest.mark.django_db

DAY = 60 * 24
LATE = DAY * 9


def make_official(night: Night, *, minutes: int = LATE) -> None:
    events.finish_event(event_id=night.event.pk, version=None, by=DIRECTOR, at=at(60))
    events.publish_officially(event_id=night.event.pk, version=None, by=DIRECTOR, at=at(minutes))


@pytest.fixture
def night() -> Night:
    night = Night(players=4)
    night.play(night.seat(1)[0], (13, 0, 0, 0), (5, 4, 4, 0))
    night.end(1)
    make_official(night)
    return night


def put_right(night: Night, taken: tuple[int, int, int, int], *, minutes: int = LATE + 5) -> None:
    hand = Hand.objects.get(game__table__round__event=night.event, number=1)
    game = Game.objects.get(pk=hand.game_id)
    correct_hand(
        hand_id=hand.pk,
        correction=Correction(text=chip_hand(state_before(game, 1), taken), why="It was misread."),
        by=DIRECTOR,
        at=at(minutes),
    )
    publish_all(night.clock)


def rows(night: Night) -> Any:
    return find_current(Scope.EVENT, night.event.pk).rows


def test_official_standings_are_published_at_once(night: Night) -> None:
    found = find_current(Scope.EVENT, night.event.pk)
    assert found.data["status"] == "official"
    status = status_of(found)
    assert (status.state, status.since) == (TableState.OFFICIAL, at(LATE))
    assert status.pending is None
    version = found.version
    publish_all(night.clock)
    assert night.version == version
    assert_is_cold(Scope.EVENT, night.event.pk)


def test_a_later_correction_leaves_the_official_table_and_is_a_pending_successor(
    night: Night,
) -> None:
    before = rows(night)
    put_right(night, (0, 13, 0, 0))
    found = find_current(Scope.EVENT, night.event.pk)
    assert found.rows == before
    assert night.data()["status"] == "provisional"
    pending = status_of(found).pending
    assert pending is not None
    assert pending.version == night.version == found.version + 1
    assert len(pending.changes) == 2
    successor = versions.find_version(Scope.EVENT, night.event.pk, pending.version)
    assert successor is not None
    assert status_of(successor).state is TableState.PROVISIONAL
    assert_is_cold(Scope.EVENT, night.event.pk)
    put_right(night, (13, 0, 0, 0), minutes=LATE + 6)
    assert status_of(find_current(Scope.EVENT, night.event.pk)).pending is None
    assert rows(night) == before


def test_what_held_at_a_moment_is_what_was_official_then(night: Night) -> None:
    official = find_current(Scope.EVENT, night.event.pk).version
    put_right(night, (0, 13, 0, 0))
    night.clock.now = at(LATE + DAY)
    for minutes in (LATE, LATE + 30):
        found = find_as_of(Scope.EVENT, night.event.pk, at(minutes))
        assert found is not None
        assert found.version == official
    assert find_as_of(Scope.EVENT, night.event.pk, at(0)) is None


def test_opened_again_the_latest_holds_and_official_anew_is_an_amendment(night: Night) -> None:
    first = find_current(Scope.EVENT, night.event.pk).version
    nights.reopen_night(
        event_id=night.event.pk, why="A hand was missing.", version=None, by=DIRECTOR, at=at(LATE)
    )
    put_right(night, (0, 13, 0, 0))
    found = find_current(Scope.EVENT, night.event.pk)
    status = status_of(found)
    assert (found.version, status.state) == (night.version, TableState.PROVISIONAL)
    assert status.reopened is not None
    assert status.reopened.reason == "A hand was missing."
    make_official(night, minutes=LATE + DAY)
    status = status_of(find_current(Scope.EVENT, night.event.pk))
    assert (status.state, status.because) == (TableState.AMENDED, "A hand was missing.")
    assert (status.since, status.amended_at) == (at(LATE), at(LATE + DAY))
    assert status.before == first
    past = versions.find_version(Scope.EVENT, night.event.pk, first)
    assert past is not None
    assert status_of(past).replaced_at == at(LATE)


def test_the_correction_period_can_be_nothing_or_ended_early_with_a_reason() -> None:
    night = Night(players=4, correction_hours=3)
    night.play(night.seat(1)[0], (13, 0, 0, 0), (5, 4, 4, 0))
    night.end(1)
    event = night.event.pk
    events.finish_event(event_id=event, version=None, by=DIRECTOR, at=at(60))
    with pytest.raises(RefusedError, match="corrected until"):
        events.publish_officially(event_id=event, version=None, by=DIRECTOR, at=at(60 * 4 - 1))
    with pytest.raises(RefusedError) as refused:
        events.end_corrections(event_id=event, why=" ", version=None, by=DIRECTOR, at=at(70))
    assert refused.value.field == "why"
    events.end_corrections(
        event_id=event, why="Everybody signed.", version=None, by=DIRECTOR, at=at(70)
    )
    events.publish_officially(event_id=event, version=None, by=DIRECTOR, at=at(71))
    assert status_of(find_current(Scope.EVENT, event)).state is TableState.OFFICIAL
