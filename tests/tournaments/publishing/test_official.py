"""Official means official: what was made official holds until an amendment is confirmed (DEC-7)."""

from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games import nights
from scoring.hands.corrections import Correction, correct_hand
from scoring.models import Game, Hand
from scoring.settlement.plan import state_before
from tests.scoring.club import DIRECTOR, at, chip_hand
from tests.tournaments.publishing.nights import Night, assert_is_cold, publish_all
from tests.tournaments.publishing.test_leagues import add, make_league
from tournaments.core.errors import RefusedError, StaleError
from tournaments.events import events, leagues
from tournaments.events.adjustments import adjust_score
from tournaments.events.amendments import AmendmentChoice
from tournaments.models import Player, Scope, StandingsDecision
from tournaments.people import members
from tournaments.publishing import versions
from tournaments.publishing.amendment_causes import causes_in_event, causes_in_league
from tournaments.publishing.official import TableState, find_as_of, find_current, status_of
from tournaments.publishing.versions import find_latest
from tournaments.verifying import look_at, published_subjects

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


def confirm(night: Night, version: int, *, minutes: int = LATE + 60) -> None:
    events.confirm_amendment(
        event_id=night.event.pk,
        choice=AmendmentChoice(version=version, reason="Hand 1 was misread."),
        by=DIRECTOR,
        at=at(minutes),
    )


def decline(night: Night, version: int, why: str = "The protest came too late.") -> None:
    events.decline_amendment(
        event_id=night.event.pk,
        choice=AmendmentChoice(version=version, reason=why),
        by=DIRECTOR,
        at=at(LATE + 60),
    )


def test_a_confirmed_amendment_takes_the_place_of_the_official_table(night: Night) -> None:
    first = find_current(Scope.EVENT, night.event.pk)
    put_right(night, (0, 13, 0, 0))
    pending = night.version
    confirm(night, pending)
    found = find_current(Scope.EVENT, night.event.pk)
    status = status_of(found)
    assert (status.state, status.because) == (TableState.AMENDED, "Hand 1 was misread.")
    assert (status.since, status.amended_at) == (at(LATE), at(LATE + 60))
    assert (status.before, status.pending) == (first.version, None)
    assert found.rows != first.rows
    assert found.data["status"] == "official"
    decisions = StandingsDecision.objects.count()
    for version in (pending, found.version):
        confirm(night, version, minutes=LATE + 70)
    assert StandingsDecision.objects.count() == decisions
    publish_all(night.clock)
    assert night.version == found.version
    assert_is_cold(Scope.EVENT, night.event.pk)
    assert not [wrong for pk in published_subjects() for wrong in look_at(pk)]


def test_what_changed_since_it_was_seen_is_not_confirmed(night: Night) -> None:
    put_right(night, (0, 13, 0, 0))
    seen = night.version
    put_right(night, (0, 0, 13, 0), minutes=LATE + 6)
    before = rows(night)
    for decide in (confirm, decline):
        with pytest.raises(StaleError):
            decide(night, seen)
    assert rows(night) == before
    with pytest.raises(RefusedError) as refused:
        decline(night, night.version, " ")
    assert refused.value.field == "reason"
    with pytest.raises(RefusedError, match="no version 99"):
        confirm(night, 99)


def test_a_declined_amendment_leaves_the_table_and_the_next_correction_asks_again(
    night: Night,
) -> None:
    before = rows(night)
    put_right(night, (0, 13, 0, 0))
    decline(night, night.version)
    decline(night, night.version)
    status = status_of(find_current(Scope.EVENT, night.event.pk))
    assert (status.state, status.pending) == (TableState.OFFICIAL, None)
    assert status.declined is not None
    assert status.declined.reason == "The protest came too late."
    assert rows(night) == before
    put_right(night, (0, 0, 13, 0), minutes=LATE + 90)
    assert status_of(find_current(Scope.EVENT, night.event.pk)).pending is not None
    assert rows(night) == before


def test_only_what_is_official_is_amended() -> None:
    night = Night(players=4)
    night.play(night.seat(1)[0], (13, 0, 0, 0))
    night.publish()
    with pytest.raises(RefusedError, match="official"):
        confirm(night, night.version)
    with pytest.raises(RefusedError, match="official"):
        decline(night, night.version)


def test_what_was_changed_is_told_with_its_place_and_reason(night: Night) -> None:
    assert causes_in_event(night.event.pk, night.club.pk, at(LATE)) == []
    put_right(night, (0, 13, 0, 0))
    adjust_score(
        event_id=night.event.pk,
        entry=night.entries[0].pk,
        amount="-2",
        reason="Late.",
        by=DIRECTOR,
        at=at(LATE + 7),
    )
    found = causes_in_event(night.event.pk, night.club.pk, at(LATE))
    assert [(one["what"], one["why"]) for one in found] == [
        ("hand corrected", "It was misread."),
        ("score adjusted", "Late."),
    ]
    assert found[0]["place"] == "round 1, table 1, hand 1"


def test_a_season_counts_official_tables_and_is_amended_itself(night: Night) -> None:
    league = make_league(night.club)
    add(league, night)
    close = dict[str, Any](league_id=league.pk, version=None, by=DIRECTOR)
    leagues.close_league(**close, at=at(LATE + 1))
    before = find_current(Scope.LEAGUE, league.pk)
    assert status_of(before).state is TableState.OFFICIAL
    put_right(night, (0, 13, 0, 0))
    assert find_latest(Scope.LEAGUE, league.pk).version == before.version
    confirm(night, night.version)
    publish_all(night.clock)
    found = find_current(Scope.LEAGUE, league.pk)
    assert found.rows == before.rows
    pending = status_of(found).pending
    assert pending is not None
    assert len(pending.changes) == 2
    causes = causes_in_league(league.pk, night.club.pk, at(LATE + 1))
    assert [(one["place"], one["why"]) for one in causes] == [("session 1", "Hand 1 was misread.")]
    choice = AmendmentChoice(version=pending.version, reason="Night 1 was amended.")
    amend = dict[str, Any](league_id=league.pk, choice=choice, by=DIRECTOR, at=at(LATE + 90))
    leagues.confirm_amendment(**amend)
    leagues.confirm_amendment(**amend)
    publish_all(night.clock)
    status = status_of(find_current(Scope.LEAGUE, league.pk))
    assert (status.state, status.because) == (TableState.AMENDED, "Night 1 was amended.")
    assert_is_cold(Scope.LEAGUE, league.pk)
    assert not [wrong for pk in published_subjects() for wrong in look_at(pk)]


def test_erasing_somebody_changes_names_and_no_number(night: Night) -> None:
    put_right(night, (0, 13, 0, 0))
    player = Player.objects.select_related("person").get(pk=night.players[0].pk)
    name = player.person.name
    events.confirm_amendment(
        event_id=night.event.pk,
        choice=AmendmentChoice(version=night.version, reason=f"{name} had it wrong."),
        by=DIRECTOR,
        at=at(LATE + 60),
    )
    before = find_current(Scope.EVENT, night.event.pk)
    members.erase_person(player_id=player.pk, version=player.version, by=DIRECTOR, at=at(LATE + 61))
    publish_all(night.clock)
    found = find_current(Scope.EVENT, night.event.pk)
    assert (found.version, found.rows) == (before.version, before.rows)
    status = status_of(found)
    assert (status.because, status.pending) == ("Former member 1 had it wrong.", None)
    assert not [wrong for pk in published_subjects() for wrong in look_at(pk)]


STEPS = ("correct", "adjust", "publish", "confirm", "decline")


@settings(max_examples=10, deadline=None)
@given(steps=st.lists(st.sampled_from(STEPS), max_size=8))
def test_no_sequence_changes_official_rows_until_they_are_confirmed(steps: list[str]) -> None:
    with transaction.atomic():
        night = Night(players=4)
        night.play(night.seat(1)[0], (13, 0, 0, 0), (5, 4, 4, 0))
        night.end(1)
        make_official(night)
        held, decided = rows(night), 1
        for place, step in enumerate(steps):
            minutes = LATE + 10 + place
            if step == "correct":
                put_right(night, (place + 1, 12 - place, 0, 0), minutes=minutes)
            elif step == "adjust":
                adjust_score(
                    event_id=night.event.pk,
                    entry=night.entries[place % 4].pk,
                    amount="-2",
                    reason="Late.",
                    by=DIRECTOR,
                    at=at(minutes),
                )
            elif step == "publish":
                publish_all(night.clock)
            else:
                publish_all(night.clock)
                pending = status_of(find_current(Scope.EVENT, night.event.pk)).pending
                if pending is not None and step == "confirm":
                    confirm(night, pending.version, minutes=minutes)
                    held = list(pending.successor.rows)
                elif pending is not None:
                    decline(night, pending.version)
                decided += pending is not None
            assert rows(night) == held
            then = find_as_of(Scope.EVENT, night.event.pk, at(minutes))
            assert then is not None
            assert then.rows == held
        assert StandingsDecision.objects.count() == decided
        publish_all(night.clock)
        assert not [wrong for pk in published_subjects(night.club.pk) for wrong in look_at(pk)]
        transaction.set_rollback(True)
