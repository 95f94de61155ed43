"""Bars: whom a club does not let play, where that is refused, and what stays."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from scoring.games.opening import NewGame, SeatChange, open_game, seat_player
from scoring.models import Sitting
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    enter,
    make_club,
    make_game,
    make_players,
    make_rules,
    state_of,
)
from tests.tournaments.night import check_in, draw, make_event, make_night, play_round, start
from tournaments.core.errors import ConflictError, NotThereError, RefusedError
from tournaments.events import entries, rounds
from tournaments.events.entries import NewEntry
from tournaments.events.finals import CutLine, cut_of, make_final
from tournaments.models import AuditEntry, Entry, Event, Player, PlayerBar, Presence, Stage
from tournaments.people.bars import (
    BarredError,
    bar_player,
    check_not_barred,
    lift_bar,
    today,
)
from tournaments.people.members import erase_person, merge_player

pytestmark = pytest.mark.django_db

REASON = "Threw the cards."


def bar(player: Player, until: date | None = None, since: date | None = None) -> PlayerBar:
    return bar_player(
        club_id=player.club_id,
        player_id=player.pk,
        reason=REASON,
        since=since,
        until=until,
        by=DIRECTOR,
        at=at(),
    )


def lift(made: PlayerBar) -> PlayerBar:
    club = made.player.club_id
    return lift_bar(club_id=club, bar_id=made.pk, by=DIRECTOR, at=at(1))


def name(player: Player) -> str:
    return player.person.name


def refused(work: Callable[[], object], player: Player, field: str) -> None:
    """Somebody is not let in: the message names them and not the reason."""
    with pytest.raises(BarredError) as caught:
        work()
    assert str(caught.value).startswith(f'"{name(player)}" is barred from this club until ')
    assert REASON not in str(caught.value)
    assert caught.value.field == field


def test_a_bar_holds_on_its_first_and_on_its_last_day_by_the_clubs_calendar() -> None:
    club = make_club(time_zone="Pacific/Auckland")
    (player,) = make_players(club, 1)
    first = today(club, at())
    assert first != at().date()  # it is the next day in Auckland
    made = bar(player, since=first, until=first + timedelta(days=2))

    def is_barred(days: int) -> bool:
        try:
            moment = at() + timedelta(days=days)
            check_not_barred(club, [player], fields=["player"], at=moment)
        except BarredError:
            return True
        return False

    assert [is_barred(days) for days in (-1, 0, 1, 2, 3)] == [False, True, True, True, False]
    lift(made)
    assert not is_barred(1)


def test_a_bar_without_an_end_holds_until_it_is_lifted() -> None:
    event = make_event()
    (player,) = make_players(event.club, 1)
    made = bar(player)
    refused(lambda: check_in(event, [player]), player, "player")
    assert not Entry.objects.exists()
    lifted = lift(made)
    assert (lifted.lifted_by, lifted.lifted_at) == (DIRECTOR.label, at(1))
    assert lift(made).lifted_at == at(1)
    check_in(event, [player])


def test_a_bar_and_its_end_are_in_the_trail() -> None:
    club = make_club()
    (player,) = make_players(club, 1)
    lift(lift(bar(player)))
    rows = AuditEntry.objects.filter(chain=club.pk, details__contains=str(player.pk))
    barred, lifted = rows.filter(what__contains="bar").order_by("number")
    assert (barred.what, barred.why, lifted.what) == ("player barred", REASON, "bar lifted")
    assert barred.why_seal


def test_what_cannot_be_is_refused() -> None:
    club, other = make_club(), make_club("Other")
    one, two = make_players(club, 2)
    (stranger,) = make_players(other, 1)
    made = bar(one, until=date(2030, 1, 1))
    with pytest.raises(ConflictError):
        bar(one, since=date(2030, 1, 1))
    with pytest.raises(ConflictError):
        bar(one)
    bar(one, since=date(2030, 1, 2))
    with pytest.raises(RefusedError, match="first day or later"):
        bar(two, since=date(2030, 1, 2), until=date(2030, 1, 1))
    with pytest.raises(RefusedError, match="Say why"):
        bar_player(club_id=club.pk, player_id=two.pk, reason=" \t", by=DIRECTOR, at=at())
    with pytest.raises(NotThereError):
        bar_player(club_id=club.pk, player_id=stranger.pk, reason=REASON, by=DIRECTOR, at=at())
    with pytest.raises(NotThereError):
        lift_bar(club_id=other.pk, bar_id=made.pk, by=DIRECTOR, at=at())
    erase_person(player_id=two.pk, version=1, by=DIRECTOR, at=at())
    with pytest.raises(RefusedError, match="erased"):
        bar(two)
    assert PlayerBar.objects.count() == 2


@pytest.mark.parametrize("presence", ["expected", "here"])
def test_nobody_barred_is_entered_or_checked_in(presence: str) -> None:
    event = make_event()
    one, two = make_players(event.club, 2)
    (known,) = check_in(event, [two])
    entries.change_entry(entry_id=known.pk, changes={"presence": "left"}, by=DIRECTOR, at=at())
    bar(one)
    bar(two)

    def enter_again(player: Player) -> Entry:
        new = NewEntry(player=player.pk, presence=presence)
        return entries.enter(event_id=event.pk, new=new, by=DIRECTOR, at=at())

    refused(lambda: enter_again(one), one, "player")
    refused(lambda: enter_again(two), two, "player")
    refused(
        lambda: entries.change_entry(
            entry_id=known.pk, changes={"presence": presence}, by=DIRECTOR, at=at()
        ),
        two,
        "presence",
    )
    entries.change_entry(
        entry_id=known.pk, changes={"presence": "withdrawn", "team": "x"}, by=DIRECTOR, at=at()
    )
    known.refresh_from_db()
    assert known.presence == Presence.WITHDRAWN


def test_nobody_barred_is_seated_and_what_was_played_stays() -> None:
    event = make_night(8)
    draw(event)
    play_round(event, 1)
    player = Player.objects.select_related("person").get(number=3, club=event.club)
    bar(player, until=date(2099, 12, 31))
    refused(lambda: start(event, 2), player, _seat_of(event, player))
    assert event.round_rows.get(number=2).stage == Stage.DRAWN
    refused(lambda: draw(event), player, "entries")
    tables = [
        [seat.entry_id for seat in table.seats.order_by("seat")]
        for table in event.round_rows.get(number=2).tables.order_by("number")
    ]
    wanted = rounds.ByHand(number=2, tables=tables)
    refused(
        lambda: rounds.seat_by_hand(event_id=event.pk, wanted=wanted, by=DIRECTOR, at=at()),
        player,
        "entries",
    )
    played = event.round_rows.get(number=1).tables.count()
    entry = Entry.objects.get(event=event, player=player)
    entries.change_entry(entry_id=entry.pk, changes={"presence": "left"}, by=DIRECTOR, at=at())
    check_in(event, make_players(event.club, 1))
    draw(event)
    start(event, 2)
    assert event.round_rows.get(number=1).tables.count() == played


def _seat_of(event: Event, player: Player) -> str:
    entry = Entry.objects.get(event=event, player=player)
    seat = entry.table_seats.get(round__number=2).seat
    return f"players.{seat}"


def test_nobody_barred_sits_down_to_a_game_or_comes_as_a_substitute() -> None:
    club = make_club()
    game = make_game(club)
    players = [*Player.objects.order_by("number"), *make_players(club, 1)]
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    made = bar(players[4])
    change = SeatChange(seat=1, player=players[4].pk, first=2)

    def substitute() -> Sitting:
        return seat_player(game_id=game.pk, change=change, by=DIRECTOR, at=at())

    refused(substitute, players[4], "player")
    rule_set = make_rules(club, "bicycle", {})
    seats = [player.pk for player in players[1:]]
    opening = NewGame(name="Second", rule_set=rule_set.pk, players=seats)
    refused(
        lambda: open_game(club_id=club.pk, opening=opening, by=DIRECTOR, at=at()),
        players[4],
        "players.3",
    )
    lift(made)
    assert substitute().player_id == players[4].pk


def test_a_bar_goes_with_who_turned_out_to_be_somebody_else() -> None:
    event = make_event()
    one, two = make_players(event.club, 2)
    made = bar(one)
    merge_player(player_id=one.pk, into=two.pk, version=1, by=DIRECTOR, at=at())
    refused(lambda: check_in(event, [one]), two, "player")
    refused(lambda: check_in(event, [two]), two, "player")
    made.refresh_from_db()
    assert made.player_id == two.pk
    lift(made)
    check_in(event, [one])


def test_all_who_are_barred_are_named_at_once() -> None:
    club = make_club()
    players = make_players(club, 4)
    bar(players[1])
    bar(players[3], until=date(2099, 1, 2))
    with pytest.raises(BarredError) as caught:
        check_not_barred(club, players, fields=list("abcd"), at=at())
    assert str(caught.value) == (
        f'"{name(players[1])}" is barred from this club until the bar is lifted. '
        f'"{name(players[3])}" is barred from this club until 2099-01-02.'
    )
    assert caught.value.field == "b"


def test_a_final_does_not_begin_with_a_finalist_who_is_barred() -> None:
    event = make_night(8, rounds=1)
    draw(event)
    play_round(event, 1)
    line = CutLine(places=4)
    first, *_others = cut_of(event_id=event.pk, line=line).entries
    bar(first.player)
    new = {"name": "Final", "starts_at": at(60), "rule_set": event.rule_set_id, "rounds": 1}
    refused(
        lambda: make_final(event_id=event.pk, new=new, line=line, by=DIRECTOR, at=at(50)),
        first.player,
        "places",
    )
    assert Event.objects.count() == 1
