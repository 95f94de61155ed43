"""What scoring reports of hands is stored whole, and marks what is ranked by it."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.games.closing import Closing, close_game
from tests.examples import examples
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.publishing.nights import Night
from tournaments import invalidation
from tournaments.invalidation import GameReport
from tournaments.models import League, LeagueEvent, Result, Scope, Stale

pytestmark = pytest.mark.django_db

REPORTED = st.lists(
    st.lists(st.tuples(st.integers(0, 1), st.integers(-9, 9), st.integers(0, 3)), max_size=3),
    max_size=5,
)
COLUMNS = ("number", "seat", "player_id", "score", "taken", "queen", "pain", "insured", "dealt")


@pytest.mark.property
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

    @settings(max_examples=examples(20), deadline=None)
    @given(reports=REPORTED)
    def report(reports: list[list[tuple[int, int, int]]]) -> None:
        Result.objects.filter(game=game.pk).delete()
        Stale.objects.all().delete()
        number, rows = 0, []
        for hands in reports:
            first = number + 1
            fresh = []
            for who, score, taken in hands:
                number += 1
                fresh += [row(number, seat, who, score, taken) for seat in range(4)]
            invalidation.report(
                GameReport(game=game.pk, first=first, rows=fresh, had=False, in_event=True, at=at())
            )
            rows += fresh
        stored = Result.objects.filter(game=game.pk).order_by("number", "seat")
        assert list(stored.values_list(*COLUMNS)) == [
            tuple(getattr(one, name) for name in COLUMNS) for one in rows
        ]
        marks = Stale.objects.values_list("scope", "subject", "since", "game")
        both = [("event", night.event.pk, at(), game.pk), ("league", league.pk, at(), game.pk)]
        assert sorted(marks.exclude(scope=Scope.STATISTICS)) == sorted(both * len(reports))
        seated = {(player, at(), game.pk) for player in stored.values_list("player", flat=True)}
        counted = marks.filter(scope=Scope.STATISTICS)
        assert set(counted.values_list("subject", "since", "game")) == seated

    report()


def test_a_phase_marks_all_of_the_event() -> None:
    night = Night()
    game = night.seat(1)[0]
    Stale.objects.all().delete()
    close_game(game_id=game.pk, closing=Closing(reason="Late."), by=DIRECTOR, at=at(2))
    assert set(Stale.objects.values_list("subject", "game")) == {(night.event.pk, None)}
