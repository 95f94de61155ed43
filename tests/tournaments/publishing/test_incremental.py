"""After a hand only its game is read and ranked again, and only its event of a league.

What comes of it is what all rows give.
"""

import hashlib
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scoring.games import nights
from scoring.games.closing import Closing, close_game
from scoring.games.nights import Permutation
from scoring.games.opening import SeatChange, seat_player
from scoring.hands import corrections
from scoring.hands.corrections import Correction
from scoring.models import Game, Hand
from scoring.settlement.plan import state_before
from tests.scoring.club import DIRECTOR, at, chip_hand, make_players
from tests.tournaments.publishing.nights import Night, assert_is_cold
from tests.tournaments.publishing.nights import publish as published
from tournaments.core.text_fields import CompressedBlock, compress_block, decompress_text
from tournaments.events import adjustments, leagues
from tournaments.events.entries import change_entry
from tournaments.models import Entry, EntryStanding, League, Scope, TableGame
from tournaments.people import members
from tournaments.publishing import (
    PublishOutcome,
    StandingsDocument,
    documents,
    event_standings,
    league_standings,
    publisher,
)
from tournaments.publishing.seat_sums import find_seat_sums, find_seat_sums_of_games
from tournaments.standings.exact import Fragment, canonical
from tournaments.standings.memo import Memo

pytestmark = pytest.mark.django_db

SETTINGS: list[dict[str, Any]] = [
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
    {"method": "places", "incomplete": "neutral"},
    {"method": "places", "total": "hand_average"},
    {"method": "places", "substitute_credit": "person"},
    {"method": "places", "tie_breaks": ["h2h", "opp_cut1", "sb", "progressive", "lot"]},
]


WORDS = ["SELECT", "SELECT", "UPDATE", "INSERT", "DELETE"]
"""Marks and the game are read; the row, the version and the marks are written."""


def publish(night: Night) -> None:
    assert night.publish() is PublishOutcome.NEW
    assert_is_cold(Scope.EVENT, night.event.pk)


def begun(**fields: Any) -> tuple[Night, list[Game]]:
    """A night at which every table has played a hand, published."""
    night = Night(**fields)
    games = night.seat(1)
    for game in games:
        night.play(game, (13, 0, 0, 0))
    publish(night)
    return night, games


@pytest.mark.parametrize("scoring", SETTINGS, ids=lambda one: "-".join(map(str, one.values())))
def test_every_way_of_scoring_is_published_as_its_rows_are(scoring: dict[str, Any]) -> None:
    night = Night(scoring=scoring)
    Entry.objects.filter(event=night.event, number=3).update(handicap="5/2")
    Entry.objects.filter(event=night.event, number=6).update(standing=EntryStanding.GUEST)
    first, second = night.seat(1)
    publish(night)
    for game, taken in ((first, (13, 0, 0, 0)), (first, (5, 4, 4, 0)), (second, (0, 13, 0, 0))):
        night.play(game, taken)
        publish(night)
    night.end(1)
    publish(night)
    third, fourth = night.seat(2, [night.entries[::2], night.entries[1::2]])
    publish(night)
    for game, taken in ((third, (1, 2, 3, 7)), (fourth, (0, 0, 13, 0)), (third, (13, 0, 0, 0))):
        night.play(game, taken)
        publish(night)


def test_after_a_hand_no_other_game_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    night, (first, _) = begun(hands=4)
    monkeypatch.setattr(event_standings, "read_event_inputs", None)
    night.play(first, (0, 13, 0, 0))
    with CaptureQueriesContext(connection) as asked:
        assert night.publish() is PublishOutcome.NEW
    told = [one["sql"].split()[0] for one in asked]
    assert [word for word in told if word in WORDS] == WORDS
    monkeypatch.undo()
    assert_is_cold(Scope.EVENT, night.event.pk)


SEASONS: list[dict[str, Any]] = [
    {"rule": "best_n", "best": 1},
    {"rule": "shrunk"},
    {"rule": "sum", "handicaps": "on", "handicap_base": 5},
    {"rule": "sum", "tie_breaks": ["h2h", "places", "last", "lot"]},
    {"rule": "drop_worst", "planned": 3, "highest": 99, "lowest": -99},
]


def season_of(*nights: Night, **fields: Any) -> League:
    """A league of some nights, published."""
    league = leagues.create_league(
        club_id=nights[0].club.pk, new={"name": "Autumn", **fields}, by=DIRECTOR, at=at()
    )
    for night in nights:
        leagues.add_session(league_id=league.pk, event=night.event.pk, by=DIRECTOR, at=at())
    publish_season(league, *nights)
    return league


def publish_season(league: League, *nights: Night) -> None:
    for night in nights:
        night.publish()
    assert published(Scope.LEAGUE, league.pk, nights[0].clock) is PublishOutcome.NEW
    assert_is_cold(Scope.LEAGUE, league.pk)


@pytest.mark.parametrize("season", SEASONS, ids=lambda one: "-".join(map(str, one.values())))
def test_every_way_of_counting_a_season_is_published_as_its_rows_are(
    season: dict[str, Any],
) -> None:
    past, (game, _) = begun()
    tonight = Night(club=past.club, players=past.players, hands=4)
    first, second = tonight.seat(1)
    tonight.play(first, (0, 13, 0, 0))
    league = season_of(past, tonight, season=season)
    for taken in ((13, 0, 0, 0), (5, 4, 4, 0)):
        tonight.play(second, taken)
        publish_season(league, tonight)
    is_corrected(past, game)
    publish_season(league, past)
    has_a_penalty(tonight, first)
    tonight.play(first, (4, 5, 0, 4))
    publish_season(league, tonight)
    later = Night(club=past.club, players=past.players)
    leagues.add_session(league_id=league.pk, event=later.event.pk, by=DIRECTOR, at=at())
    third, _ = later.seat(1)
    later.play(third, (0, 0, 13, 0))
    publish_season(league, later)
    has_a_duplicate(tonight, first)
    tonight.play(second, (0, 0, 0, 13))
    publish_season(league, past, tonight, later)


def test_after_a_hand_no_other_event_of_a_league_is_taken_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    past, _ = begun()
    tonight = Night(club=past.club, players=past.players)
    first, _ = tonight.seat(1)
    tonight.play(first, (0, 13, 0, 0))
    league = season_of(past, tonight)
    monkeypatch.setattr(league_standings, "read_league_inputs", None)
    tonight.play(first, (13, 0, 0, 0))
    tonight.publish()
    with CaptureQueriesContext(connection) as asked:
        assert published(Scope.LEAGUE, league.pk, past.clock) is PublishOutcome.NEW
    told = [one["sql"].split()[0] for one in asked]
    # The marks, the event of the game, and its last version if it is not behind.
    assert [word for word in told if word in WORDS] == ["SELECT"] * 3 + WORDS[2:]
    monkeypatch.undo()
    assert_is_cold(Scope.LEAGUE, league.pk)


def test_of_a_long_text_only_the_part_that_changed_is_compressed_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its rows are those of a league of 100 members, of which one has changed."""
    compressed = []

    def compress(pieces: tuple[str, ...]) -> CompressedBlock:
        compressed.append(pieces)
        return compress_block(pieces)

    monkeypatch.setattr(documents, "compress_block", compress)
    memo = Memo()
    rows = [Fragment.of({"entry": f"Ännchen {number}" * 500}) for number in range(100)]
    StandingsDocument("", partial(Fragment.array, rows), memo).make()
    assert len(compressed) == 5
    compressed.clear()
    rows[50] = Fragment.of({"entry": "Bo" * 3000})
    changed = StandingsDocument("", partial(Fragment.array, rows), memo)
    stored = decompress_text(changed.compressed)
    assert stored == changed.text == canonical([row.data for row in rows])
    assert changed.digest == hashlib.sha256(stored.encode()).hexdigest()
    assert len(compressed) == 1


def is_corrected(night: Night, game: Game) -> None:
    hand = Hand.objects.get(game=game, number=1, rival=None)
    change = Correction(text=chip_hand(state_before(game, 1), (0, 0, 0, 13)), why="Misread.")
    corrections.correct_hand(hand_id=hand.pk, correction=change, by=DIRECTOR, at=at(2))


def has_a_substitute(night: Night, game: Game) -> None:
    (other,) = make_players(night.club, 1)
    change = SeatChange(seat=1, player=other.pk, first=2)
    seat_player(game_id=game.pk, change=change, by=DIRECTOR, at=at(2))
    night.play(game, (5, 4, 4, 0), (4, 4, 5, 0))


def is_closed(_: Night, game: Game) -> None:
    close_game(game_id=game.pk, closing=Closing(reason="Late."), by=DIRECTOR, at=at(2))


def has_other_seats(night: Night, game: Game) -> None:
    order = [one.pk for one in reversed(night.entries[:4])]
    assert game.table_id is not None
    permutation = Permutation(entries=order, why="They sat the other way round.")
    nights.permute_seats(table_id=game.table_id, permutation=permutation, by=DIRECTOR, at=at(3))


def has_a_penalty(night: Night, _: Game) -> None:
    adjustments.adjust_score(
        event_id=night.event.pk,
        entry=night.entries[0].pk,
        amount="-7/2",
        reason="Slow.",
        round=1,
        affects_place=True,
        by=DIRECTOR,
        at=at(2),
    )


def lost_a_player(night: Night, _: Game) -> None:
    changes = {"presence": "withdrawn"}
    change_entry(entry_id=night.entries[0].pk, changes=changes, by=DIRECTOR, at=at(3))


def has_a_duplicate(night: Night, _: Game) -> None:
    (other,) = make_players(night.club, 1)
    player = night.players[0]
    members.merge_player(
        player_id=player.pk, into=other.pk, version=player.version, by=DIRECTOR, at=at(3)
    )


@pytest.mark.parametrize(
    "act",
    [
        is_corrected,
        has_a_substitute,
        is_closed,
        has_other_seats,
        has_a_penalty,
        lost_a_player,
        has_a_duplicate,
    ],
)
def test_whatever_happens_besides_is_in_it_and_stays(act: Callable[[Night, Game], None]) -> None:
    night, (first, second) = begun(hands=4)
    act(night, first)
    publish(night)
    night.play(second, (0, 13, 0, 0))
    publish(night)


def test_a_worker_that_another_one_overtook_reads_everything() -> None:
    night, (first, second) = begun()
    mine = dict(event_standings.recent._known), dict(publisher._own)
    for clear in (event_standings.recent.clear, publisher.clear_cache):
        clear()
    night.play(first, (0, 13, 0, 0))
    publish(night)
    event_standings.recent._known.update(mine[0])
    publisher._own.update(mine[1])
    night.play(second, (0, 13, 0, 0))
    publish(night)


def test_sums_of_games_are_those_of_the_event(night_of_many: Night) -> None:
    event = night_of_many.event.pk
    games = list(TableGame.objects.filter(event=event).values_list("pk", flat=True))
    found = find_seat_sums_of_games(event, games)
    assert {game: one.seats for game, one in found.items() if one.seats} == find_seat_sums(event)
    assert {(game, one.phase, one.is_open) for game, one in found.items()} == set(
        TableGame.objects.filter(event=event).values_list("pk", "phase", "is_open")
    )
    assert find_seat_sums_of_games(night_of_many.club.pk, games) == {}


@pytest.fixture
def night_of_many() -> Night:
    """With a substitute, a duplicate, and a game without hands."""
    night, (first, second) = begun(hands=4)
    has_a_substitute(night, first)
    has_a_duplicate(night, second)
    night.end(1)
    night.seat(2)
    return night
