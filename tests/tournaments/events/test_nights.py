"""A night from check-in to the last round, with people who come late and leave early."""

from collections import Counter
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest

from scoring.games import nights
from scoring.games.fees import mark_fee
from scoring.games.nights import Permutation
from scoring.models import Game, Phase, Sitting
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, make_players, make_rules, state_of
from tests.tournaments.night import check_in, draw, make_event, make_night, play, play_round, start
from tournaments.core.errors import RefusedError, StaleError
from tournaments.events import entries, events, finals, rounds, seating
from tournaments.events.awards import awards_of
from tournaments.events.finals import CutLine
from tournaments.events.rounds import ByHand
from tournaments.events.seating import DrawRequest
from tournaments.models import (
    Adjustment,
    Entry,
    Event,
    Presence,
    Result,
    Round,
    SitOut,
    Stage,
    Stale,
    Status,
    TableGame,
    TableSeat,
)
from tournaments.movements import CarryOver
from tournaments.publishing.event_inputs import read_event_inputs
from tournaments.publishing.event_standings import rank_event_inputs

pytestmark = pytest.mark.django_db


def seats(event: Event, number: int) -> list[list[int]]:
    """Entry numbers by table, in seat order."""
    found: dict[int, list[int]] = {}
    rows = TableSeat.objects.filter(round__event=event, round__number=number)
    for table, entry in rows.order_by("table__number", "seat").values_list(
        "table__number", "entry__number"
    ):
        found.setdefault(table, []).append(entry)
    return list(found.values())


def test_a_proposal_writes_nothing() -> None:
    event = make_night(16)
    found = seating.propose(event_id=event.pk, wanted=DrawRequest())
    assert len(found.rounds) == 5
    assert found.certificate.repeats == 0
    assert not Round.objects.exists()


def test_sixteen_meet_each_other_once() -> None:
    event = make_night(16)
    draw(event)
    met = Counter(
        frozenset((one, other))
        for number in range(1, 6)
        for table in seats(event, number)
        for one in table
        for other in table
        if one < other
    )
    assert len(met) == 120
    assert set(met.values()) == {1}


def test_a_round_opens_its_games_and_reports_their_hands() -> None:
    event = make_night(8)
    draw(event)
    games = start(event, 1)
    play(games[0], 1)
    entry = Entry.objects.get(event=event, number=seats(event, 1)[0][2])
    assert Result.objects.get(game=games[0].pk, seat=2).player_id == entry.player_id
    assert Stale.objects.filter(scope="event", subject=event.pk).exists()
    event.refresh_from_db()
    assert event.status == Status.RUNNING


def test_results_of_a_hand_sum_to_what_the_pot_took() -> None:
    event = make_night(4)
    draw(event)
    (game,) = start(event, 1)
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    scores = list(
        Result.objects.filter(game=game.pk).order_by("seat").values_list("score", flat=True)
    )
    after = state_of(game)
    assert scores == [chips - 50 for chips in after.chips]
    assert sum(scores) == -after.pot


def test_a_night_is_played_to_the_end() -> None:
    event = make_night(8, rounds=3)
    draw(event)
    for number in (1, 2, 3):
        play_round(event, number)
    assert set(Round.objects.values_list("stage", flat=True)) == {Stage.CLOSED}
    assert set(TableGame.objects.values_list("phase", flat=True)) == {"closed"}
    event.refresh_from_db()
    done = events.finish_event(event_id=event.pk, version=event.version, by=DIRECTOR, at=at(9))
    assert done.status == Status.FINISHED


def test_a_latecomer_is_seated_from_the_next_round_on_and_nothing_begun_changes() -> None:
    event = make_night(8)
    draw(event)
    before = seats(event, 1)
    play_round(event, 1)
    late = check_in(event, make_players(event.club, 1))[0]
    assert late.first == 2
    draw(event)
    assert seats(event, 1) == before
    outs = SitOut.objects.filter(round__event=event, round__number=2)
    seated = [one for table in seats(event, 2) for one in table]
    assert sorted([*seated, *outs.values_list("entry__number", flat=True)]) == list(range(1, 10))
    assert any(9 in table for number in (2, 3) for table in seats(event, number))


def test_who_leaves_is_not_seated_again_and_keeps_his_results() -> None:
    event = make_night(9)
    draw(event)
    play_round(event, 1)
    number = seats(event, 1)[0][0]
    gone = Entry.objects.get(event=event, number=number)
    entries.change_entry(
        entry_id=gone.pk, changes={"presence": Presence.LEFT}, by=DIRECTOR, at=at(5)
    )
    draw(event)
    assert all(number not in table for table in seats(event, 2))
    back = entries.enter(
        event_id=event.pk, new=entries.NewEntry(player=gone.player_id), by=DIRECTOR, at=at(6)
    )
    assert (back.pk, back.last) == (gone.pk, None)


def test_sit_outs_are_shared_where_tables_need_four() -> None:
    event = make_night(10, sizes=[4], sit_outs=True, rounds=5)
    draw(event)
    outs = Counter(
        Round.objects.filter(event=event).values_list("sit_outs__entry__number", flat=True)
    )
    assert set(outs.values()) == {1}
    assert len(outs) == 10


def test_what_cannot_be_seated_is_said() -> None:
    event = make_night(2)
    with pytest.raises(RefusedError, match=r"players cannot|Two players"):
        draw(event)
    event = make_night(9, sit_outs=False)
    with pytest.raises(RefusedError, match="9 players"):
        draw(event)


def test_those_kept_apart_never_meet() -> None:
    event = make_night(16)
    one, other = Entry.objects.filter(event=event).order_by("number")[:2]
    entries.keep_apart(event_id=event.pk, one=one.pk, other=other.pk, by=DIRECTOR, at=at())
    draw(event)
    assert all(not {1, 2} <= set(table) for number in range(1, 6) for table in seats(event, number))


def test_a_round_is_seated_by_hand_and_judged() -> None:
    event = make_night(8)
    ids = list(Entry.objects.filter(event=event).order_by("number").values_list("pk", flat=True))
    wanted = ByHand(number=1, tables=[ids[:4], ids[4:]])
    row = rounds.seat_by_hand(event_id=event.pk, wanted=wanted, by=DIRECTOR, at=at())
    assert seats(event, 1) == [[1, 2, 3, 4], [5, 6, 7, 8]]
    assert row.certificate["repeats"] == 0


@pytest.mark.parametrize(
    ("tables", "words"),
    [
        ([[0, 1, 2, 3], [3, 4, 5, 6]], "named twice"),
        ([[0, 1, 2, 3]], "Nobody says where entry 5, 6, 7, 8 sits"),
        ([[0, 1, 2, 3, 4, 5], [6, 7]], "A table of 6"),
    ],
)
def test_a_seating_by_hand_has_everybody_once(tables: list[list[int]], words: str) -> None:
    event = make_night(8)
    ids = list(Entry.objects.filter(event=event).order_by("number").values_list("pk", flat=True))
    wanted = ByHand(number=1, tables=[[ids[one] for one in table] for table in tables])
    with pytest.raises(RefusedError, match=words):
        rounds.seat_by_hand(event_id=event.pk, wanted=wanted, by=DIRECTOR, at=at())


def test_a_round_with_a_table_that_plays_is_not_closed_without_a_word() -> None:
    event = make_night(8)
    draw(event)
    games = start(event, 1)
    play(games[0], 2)
    with pytest.raises(RefusedError, match="table 2 has played 0 of 2 hands"):
        nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(4))
    nights.end_round(event_id=event.pk, number=1, why="A power cut.", by=DIRECTOR, at=at(5))
    assert set(Game.objects.values_list("phase", flat=True)) == {Phase.CLOSED}


def test_the_next_round_waits_for_the_one_before() -> None:
    event = make_night(8)
    draw(event)
    start(event, 1)
    with pytest.raises(RefusedError, match="Round 1 is not closed"):
        start(event, 2)


def test_wrong_seats_are_put_right_all_at_once() -> None:
    event = make_night(4)
    draw(event)
    (game,) = start(event, 1)
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    table = TableGame.objects.get(pk=game.pk).table
    assert table is not None
    order = list(
        TableSeat.objects.filter(table=table).order_by("seat").values_list("entry", flat=True)
    )
    turned = [order[1], order[0], order[2], order[3]]
    loser = Result.objects.get(game=game.pk, seat=0).player_id
    wanted = Permutation(entries=turned, why="North and East had changed places.")
    nights.permute_seats(table_id=table.pk, permutation=wanted, by=DIRECTOR, at=at(3))
    assert Result.objects.get(game=game.pk, seat=1).player_id == loser
    sitting = Sitting.objects.get(game=game, seat=0)
    assert sitting.player_id == Entry.objects.get(pk=turned[0]).player_id


def test_two_directors_do_not_overwrite_each_other() -> None:
    event = make_event()
    events.change_event(
        event_id=event.pk, changes={"name": "A"}, version=event.version, by=DIRECTOR, at=at()
    )
    with pytest.raises(StaleError):
        events.change_event(
            event_id=event.pk, changes={"name": "B"}, version=event.version, by=DIRECTOR, at=at()
        )


def test_tables_are_of_sizes_that_the_rules_know() -> None:
    with pytest.raises(RefusedError, match="a table of 5 cannot be") as found:
        make_event(sizes=[4, 5])
    assert found.value.field == "sizes.1"
    club = make_event().club
    rule_set = make_rules(club, "hoyle-auction")
    assert make_event(club, rule_set=rule_set).sizes == [3, 4, 5]


def test_settings_that_cannot_be_are_refused_at_their_name() -> None:
    with pytest.raises(RefusedError) as found:
        make_event(scoring={"method": "magic"})
    assert found.value.field == "scoring.method"


@pytest.mark.parametrize("movement", ["random", "swiss", "danish", "ladder", "snake", "fixed"])
def test_every_movement_goes_on_from_what_was_played(movement: str) -> None:
    event = make_night(8, movement=movement, rounds=2)
    draw(event)
    play_round(event, 1)
    draw(event)
    assert sorted(one for table in seats(event, 2) for one in table) == list(range(1, 9))


def test_danish_puts_the_best_at_the_first_table() -> None:
    event = make_night(8, movement="danish", rounds=2, scoring={"method": "chips"})
    draw(event)
    play_round(event, 1)
    draw(event)
    scores: Counter[int] = Counter()
    rows = Result.objects.filter(game__event=event).select_related("game__table")
    for row in rows:
        seat = TableSeat.objects.get(table=row.game.table, seat=row.seat)
        scores[seat.entry.number] += row.score
    top = seats(event, 2)[0]
    assert min(scores[one] for one in top) >= max(
        scores[one] for one in range(1, 9) if one not in top
    )


def test_a_movement_by_standings_is_drawn_round_by_round() -> None:
    event = make_night(8, movement="swiss")
    with pytest.raises(RefusedError, match="round by round"):
        draw(event, rounds=2)


def test_the_best_play_on_in_a_final_with_half_of_what_they_had() -> None:
    event = make_night(8, rounds=1, scoring={"method": "chips"})
    draw(event)
    play_round(event, 1)
    line = CutLine(places=4)
    field = finals.cut_of(event_id=event.pk, line=line)
    new = {"name": "Final", "starts_at": at(60), "rule_set": event.rule_set_id, "rounds": 1}
    made = finals.make_final(
        event_id=event.pk, new=new, line=line, carry=CarryOver.HALF, by=DIRECTOR, at=at(50)
    )
    players = list(made.entries.order_by("number").values_list("player", flat=True))
    assert players == [entry.player_id for entry in field.entries_at(field.cut.chosen)]
    kept = {one.entry.player_id: Fraction(one.amount) for one in Adjustment.objects.all()}
    for entry in field.entries_at(field.cut.chosen):
        assert kept.get(entry.player_id, 0) == field.totals[entry.pk] / 2
    totals = [field.totals[entry.pk] for entry in field.entries]
    assert totals == sorted(totals, reverse=True)


def test_a_final_needs_players_who_have_a_rank() -> None:
    event = make_night(8, rounds=1)
    draw(event)
    start(event, 1)
    line = CutLine(places=4)
    assert finals.cut_of(event_id=event.pk, line=line).cut.chosen == ()
    new = {"name": "Final", "starts_at": at(60), "rule_set": event.rule_set_id, "rounds": 1}
    with pytest.raises(RefusedError, match="A final needs 4 players; 0 have a rank"):
        finals.make_final(event_id=event.pk, new=new, line=line, by=DIRECTOR, at=at(50))


def test_a_draw_that_does_not_fit_who_is_here_is_not_begun() -> None:
    event = make_night(8)
    draw(event)
    late = check_in(event, make_players(event.club, 1))[0]
    assert rounds.outdated_draws(event)[1] == "Entry 9 came after it was drawn."
    with pytest.raises(RefusedError, match=r"came after it was drawn\. Draw the round again"):
        start(event, 1)
    entries.change_entry(
        entry_id=late.pk, changes={"presence": Presence.WITHDRAWN}, by=DIRECTOR, at=at(1)
    )
    assert rounds.outdated_draws(event) == {}
    gone = Entry.objects.get(event=event, number=2)
    entries.change_entry(
        entry_id=gone.pk, changes={"presence": Presence.LEFT}, by=DIRECTOR, at=at(2)
    )
    assert rounds.outdated_draws(event)[1] == "Entry 2 left after it was drawn."


def test_the_pool_is_shared_to_the_cent() -> None:
    event = make_night(8, rounds=1, entry_fee=1250, prizes={"fee": {"basis_points": 500}})
    for entry in Entry.objects.filter(event=event):
        mark_fee(event_id=event.pk, entry_id=entry.pk, paid=True, by=DIRECTOR, at=at())
    draw(event)
    play_round(event, 1)
    sheet = awards_of(Event.objects.get(pk=event.pk)).awards
    assert sheet.pool == 10_000
    assert sheet.fee == 500
    assert sum(sheet.amounts) == 9_500
    places = [one.place for one in sheet.finishers]
    assert places == sorted(places)
    paid: dict[int, set[int]] = {place: set() for place in places}
    for one, amount in zip(sheet.finishers, sheet.amounts, strict=True):
        paid[one.place].add(amount)
    assert all(max(amounts) - min(amounts) <= 1 for amounts in paid.values())


def test_who_withdrew_wins_no_prize_and_plays_no_final() -> None:
    event = make_night(8, rounds=1, entry_fee=1000, prizes={"kind": "winner"})
    for entry in Entry.objects.filter(event=event):
        mark_fee(event_id=event.pk, entry_id=entry.pk, paid=True, by=DIRECTOR, at=at())
    draw(event)
    play_round(event, 1)
    before = awards_of(Event.objects.get(pk=event.pk))
    winner = UUID(before.awards.finishers[0].player)
    entries.change_entry(
        entry_id=winner, changes={"presence": Presence.WITHDRAWN}, by=DIRECTOR, at=at(1)
    )
    after = awards_of(Event.objects.get(pk=event.pk))
    assert winner in after.unranked
    assert len(after.awards.finishers) == 7
    assert min(one.place for one in after.awards.finishers) == 1
    assert (before.awards.pool, after.awards.pool) == (8000, 8000), "they played, and owe the fee"
    assert sum(after.awards.amounts) == 8000
    found = finals.cut_of(event_id=event.pk, line=CutLine(places=4))
    assert winner not in [one.pk for one in found.entries]
    assert len(found.cut.chosen) == 4


def test_teams_are_ranked_by_their_members() -> None:
    event = make_night(8, rounds=1)
    teams = ["Red", "Blue", "Green", "Gold"]
    for place, entry in enumerate(Entry.objects.filter(event=event).order_by("number")):
        Entry.objects.filter(pk=entry.pk).update(team=teams[place % 4])
    draw(event)
    members = dict(Entry.objects.filter(event=event).values_list("number", "team"))
    assert all(len({members[one] for one in table}) == 4 for table in seats(event, 1))
    play_round(event, 1)
    standings: Any = rank_event_inputs(read_event_inputs(event.pk))
    totals = {row["entry"]: Fraction(row["total"]) for row in standings["rows"]}
    assert len(standings["teams"]) == 4
    for team in standings["teams"]:
        assert Fraction(team["total"]) == sum(totals[one] for one in team["members"])
