"""What is kept with results: sums are those of the results, places those that are published."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games import nights
from scoring.games.nights import Permutation
from scoring.games.opening import Change, seat_player
from scoring.hands import corrections
from scoring.hands.corrections import Correction
from scoring.models import Game, Hand
from scoring.settlement.plan import state_before
from tests.scoring.club import DIRECTOR, at, chip_hand, make_players
from tests.tournaments.publishing.nights import Night
from tournaments import invalidation, kept
from tournaments.events import adjustments
from tournaments.events.adjustments import NewAdjustment
from tournaments.events.entries import change_entry
from tournaments.invalidation import Report
from tournaments.models import (
    Entry,
    EntryStanding,
    Event,
    League,
    LeagueEvent,
    Result,
    Scope,
    SeatSum,
    SitOut,
    Stale,
)
from tournaments.publishing import compute

pytestmark = pytest.mark.django_db


def assert_stands_as_published(night: Night) -> kept.Now:
    """What is told now is what would be published now, to the last half point."""
    assert kept.differing(night.event.pk) == []
    now, computed = kept.now(night.event.pk), compute(Scope.EVENT, night.event.pk)
    assert now is not None
    assert computed is not None
    data: Any = computed.data
    rows = {row["entry"]: row for row in [*data["rows"], *data["house"]]}
    entries = {entry: one["player"] for entry, one in data["entries"].items()}
    for one in now.lines:
        row = rows[one.entry]
        place = (one.rank.first, one.rank.last) if one.rank else (None, None)
        assert (row["score_from"], row["score_to"]) == place
        assert one.player == entries[one.entry]
        if one.games:
            assert row["columns"]["games"] == one.games
            assert Fraction(row["total"]) == one.total
    ranked = {entry for entry, row in rows.items() if row["score_from"] is not None}
    assert ranked == {one.entry for one in now.lines if one.rank}
    return now


def correct(game: Game, number: int, taken: tuple[int, int, int, int]) -> None:
    hand = Hand.objects.get(game=game, number=number, rival=None)
    change = Correction(text=chip_hand(state_before(game, number), taken), why="Misread.")
    corrections.correct_hand(hand_id=hand.pk, correction=change, by=DIRECTOR, at=at(2))


SETTINGS = [
    {"method": "chips"},
    {"method": "points"},
    {"method": "settlement"},
    {"method": "places"},
    {"method": "places", "scale": {"4": [7, 4, 2, 0]}, "total": "game_average"},
    {"method": "uma", "uma_unit": "3/2"},
    {"method": "percent", "least_games": 2},
    {"method": "wins", "incomplete": "counts"},
    {"method": "winner_takes_all", "ante": "1/3"},
    {"method": "chips", "per_hand": "on", "par": 5},
    {"method": "chips", "handicaps": "on"},
    {"method": "chips", "direction": "low", "handicaps": "on"},
]


@pytest.mark.parametrize("scoring", SETTINGS, ids=lambda one: "-".join(map(str, one.values())))
def test_every_way_of_scoring_stands_as_it_will_be_published(scoring: dict[str, Any]) -> None:
    night = Night(scoring=scoring)
    Entry.objects.filter(event=night.event, number=3).update(handicap="5/2")
    first, second = night.seat(1)
    assert_stands_as_published(night)
    night.play(first, (13, 0, 0, 0))
    assert_stands_as_published(night)
    night.play(first, (5, 4, 4, 0))
    night.play(second, (0, 13, 0, 0), (6, 7, 0, 0))
    assert_stands_as_published(night)
    night.end(1)
    everybody = night.entries
    third, _ = night.seat(2, [everybody[::2], everybody[1::2]])
    night.play(third, (1, 2, 3, 7), (0, 0, 13, 0))
    assert assert_stands_as_published(night).lines[0].hands


def test_a_corrected_hand_is_added_up_again() -> None:
    night = Night()
    first, _ = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    before = assert_stands_as_published(night)
    correct(first, 1, (0, 13, 0, 0))
    after = assert_stands_as_published(night)
    assert [one.score for one in before.lines] != [one.score for one in after.lines]
    assert sum(one.hands for one in after.lines) == 8


def test_seats_put_right_are_other_peoples_sums() -> None:
    night = Night()
    first, _ = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    assert first.table_id is not None
    order = [one.pk for one in reversed(night.entries[:4])]
    permutation = Permutation(entries=order, why="They sat the other way round.")
    nights.permute_seats(table_id=first.table_id, permutation=permutation, by=DIRECTOR, at=at(3))
    assert_stands_as_published(night)


def test_a_substitute_has_his_own_sum_and_the_entry_the_points() -> None:
    night = Night()
    first, _ = night.seat(1)
    night.play(first, (13, 0, 0, 0))
    (other,) = make_players(night.club, 1)
    change = Change(seat=1, player=other.pk, first=2)
    seat_player(game_id=first.pk, change=change, by=DIRECTOR, at=at(2))
    night.play(first, (5, 4, 4, 0))
    assert SeatSum.objects.filter(game=first.pk, seat=1).count() == 2
    assert_stands_as_published(night)


def test_what_the_director_adds_is_in_it() -> None:
    night = Night()
    first, _ = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    new = NewAdjustment(entry=night.entries[0].pk, amount="-7/2", reason="Slow play.")
    adjustments.adjust(event_id=night.event.pk, new=new, by=DIRECTOR, at=at(2))
    assert_stands_as_published(night)


@pytest.mark.parametrize("rank_guests", [True, False])
def test_guests_are_ranked_if_the_event_says_so_and_the_house_never(rank_guests: bool) -> None:
    night = Night()
    Event.objects.filter(pk=night.event.pk).update(rank_guests=rank_guests)
    Entry.objects.filter(event=night.event, number=1).update(standing=EntryStanding.GUEST)
    Entry.objects.filter(event=night.event, number=2).update(standing=EntryStanding.HOUSE)
    first, _ = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    now = assert_stands_as_published(night)
    unranked = sorted(one.number for one in now.lines if one.rank is None)
    assert unranked == ([2] if rank_guests else [1, 2])


@pytest.mark.parametrize("scoring", SETTINGS, ids=lambda one: "-".join(map(str, one.values())))
def test_who_withdrew_has_no_place(scoring: dict[str, Any]) -> None:
    night = Night(scoring=scoring)
    first, second = night.seat(1)
    for game in (first, second):
        night.play(game, (13, 0, 0, 0), (5, 4, 4, 0))
    before = assert_stands_as_published(night)
    best = before.lines[0]
    entry = next(one for one in night.entries if str(one.pk) == best.entry)
    for presence, gone in (("withdrawn", 1), ("here", 0)):
        change_entry(entry_id=entry.pk, changes={"presence": presence}, by=DIRECTOR, at=at(3))
        now = assert_stands_as_published(night)
        lines = {one.entry: one for one in now.lines}
        ranked = sum(one.rank is not None for one in before.lines)
        assert sum(one.rank is not None for one in now.lines) == max(0, ranked - gone)
        assert lines[best.entry].total == best.total
        assert lines[best.entry].is_withdrawn == bool(gone)


def sits_out(night: Night) -> None:
    row = Night.seat(night, 2)[0].table
    assert row is not None
    SitOut.objects.create(round=row.round, entry=night.entries[0])


def moves_a_place(night: Night) -> None:
    new = NewAdjustment(
        entry=night.entries[0].pk, amount="1", reason="Slow.", round=1, affects_place=True
    )
    adjustments.adjust(event_id=night.event.pk, new=new, by=DIRECTOR, at=at(2))


@pytest.mark.parametrize("act", [sits_out, moves_a_place])
def test_where_more_than_the_sums_decides_nothing_is_told(act: Callable[[Night], None]) -> None:
    night = Night()
    first, _ = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    if act is sits_out:
        night.end(1)
    act(night)
    assert kept.now(night.event.pk) is None


@pytest.mark.parametrize(
    "scoring",
    [
        {"method": "matchpoints"},
        {"total": "hand_average"},
        {"incomplete": "neutral"},
        {"substitute_credit": "person"},
    ],
    ids=lambda one: "-".join(one.values()),
)
def test_where_a_game_does_not_count_by_itself_nothing_is_told(scoring: dict[str, Any]) -> None:
    night = Night(scoring=scoring)
    night.seat(1)
    assert kept.now(night.event.pk) is None


def test_a_club_is_added_up_anew_as_it_was() -> None:
    night = Night()
    first, second = night.seat(1)
    night.play(first, (13, 0, 0, 0), (5, 4, 4, 0))
    night.play(second, (1, 2, 3, 7))
    columns = ("event_id", "game_id", "seat", "player_id", "score", "hands", "clean_hands")
    before = set(SeatSum.objects.values_list(*columns))
    assert len(before) == 8
    SeatSum.objects.filter(seat=0).delete()
    SeatSum.objects.filter(seat=1).update(score=99)
    kept.renew_all(night.club.pk)
    assert set(SeatSum.objects.values_list(*columns)) == before


HANDS = st.lists(
    st.tuples(st.integers(0, 3), st.integers(0, 1), st.integers(-9, 9), st.integers(0, 3)),
    max_size=12,
)


def test_sums_are_those_of_the_results_however_they_are_added() -> None:
    night = Night()
    game = night.seat(1)[0]

    @settings(max_examples=30, deadline=None)
    @given(hands=HANDS)
    def add(hands: list[tuple[int, int, int, int]]) -> None:
        Result.objects.filter(game=game.pk).delete()
        kept.renew(game.pk)
        for number, (seat, who, score, taken) in enumerate(hands, 1):
            row = Result(
                game_id=game.pk,
                number=number,
                seat=seat,
                player_id=night.players[who].pk,
                score=score,
                taken=taken or None,
                to_dealer=0,
            )
            row.save()
            kept.add([row])
        assert kept.differing(night.event.pk) == []
        sat = {(seat, who) for seat, who, *_ in hands}
        assert SeatSum.objects.filter(event=night.event).count() == len(sat)

    add()


REPORTED = st.lists(
    st.lists(st.tuples(st.integers(0, 1), st.integers(-9, 9), st.integers(0, 3)), max_size=3),
    max_size=5,
)
COLUMNS = ("number", "seat", "player_id", "score", "taken", "queen", "pain", "insured", "dealt")


def test_hands_are_reported_whole_however_many_at_a_time() -> None:
    night = Night()
    game = night.seat(1)[0]
    league = League.objects.create(club=night.club, name="Spring", created_at=at())
    LeagueEvent.objects.create(league=league, event=night.event, number=1)

    def row(number: int, seat: int, who: int, score: int, taken: int) -> Result:
        return Result(
            game_id=game.pk,
            number=number,
            seat=seat,
            player_id=night.players[seat + 4 * who].pk,
            score=score,
            taken=taken or None,
            queen=[None, True, False, None][taken],
            to_dealer=seat,
            pain="H'\"\\"[taken],
            insured=taken,
            dealt="A,\\;" * taken,
            played=taken < 2,
        )

    @settings(max_examples=20, deadline=None)
    @given(reports=REPORTED)
    def report(reports: list[list[tuple[int, int, int]]]) -> None:
        Result.objects.filter(game=game.pk).delete()
        kept.renew(game.pk)
        Stale.objects.all().delete()
        number, rows = 0, []
        for hands in reports:
            first = number + 1
            fresh = []
            for who, score, taken in hands:
                number += 1
                fresh += [row(number, seat, who, score, taken) for seat in range(4)]
            invalidation.report(
                Report(game=game.pk, first=first, rows=fresh, had=False, in_event=True, at=at())
            )
            rows += fresh
        stored = Result.objects.filter(game=game.pk).order_by("number", "seat")
        assert list(stored.values_list(*COLUMNS)) == [
            tuple(getattr(one, name) for name in COLUMNS) for one in rows
        ]
        assert kept.differing(night.event.pk) == []
        marks = Stale.objects.values_list("scope", "subject", "since")
        assert sorted(marks) == sorted(
            [("event", night.event.pk, at()), ("league", league.pk, at())] * len(reports)
        )

    report()
