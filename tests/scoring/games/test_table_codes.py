"""Codes of tables: the game now played there, of this club and this event alone."""

from typing import Any

import pytest

from scoring.games.links import token_of
from scoring.games.nights import end_round
from scoring.games.table_codes import (
    events_of_code,
    find_code,
    find_printable_codes,
    find_short_code,
    game_of_table,
    make_club_codes,
    make_event_codes,
    revoke_code,
    short_code_of,
    table_link,
)
from scoring.models import Game, TableCode
from tests.scoring.club import DIRECTOR, at, make_club
from tests.tournaments.night import check_in, draw, make_event, make_night, play_round, start
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.ids import ALPHABET
from tournaments.models import AuditEntry, Club, Event, Player

pytestmark = pytest.mark.django_db


def code_of(event: Event, number: int = 1) -> TableCode:
    return TableCode.objects.get(event=event, number=number, revoked_at=None)


def shown(code: TableCode) -> str:
    token = token_of(code)
    assert token is not None
    return token


def opens(code: TableCode, minutes: int = 1) -> Game | None:
    """The game that a code opens."""
    found = find_code(shown(code), at=at(minutes))
    (event,) = events_of_code(found, at(minutes))
    return game_of_table(event, found.number)


def test_a_code_opens_the_game_of_its_table_in_every_round() -> None:
    event = make_night(8)
    draw(event)
    draw(event)
    first = start(event, 1)
    codes = [code_of(event, number) for number in (1, 2)]
    assert [opens(code) for code in codes] == first
    end_round(event_id=event.pk, number=1, why="The bar closes.", by=DIRECTOR, at=at(5))
    assert [opens(code) for code in codes] == first
    second = start(event, 2)
    assert [opens(code) for code in codes] == second
    assert TableCode.objects.count() == 2


def test_a_code_made_before_the_night_opens_nothing_yet() -> None:
    event = make_night(8)
    made = make_event_codes(event_id=event.pk, numbers=[1, 2], by=DIRECTOR, at=at())
    assert opens(made[0]) is None
    draw(event)
    games = start(event, 1)
    assert opens(made[0]) == games[0]


def test_a_short_code_opens_the_same_however_it_is_typed() -> None:
    event = make_night(8)
    (code,) = make_event_codes(event_id=event.pk, numbers=[3], by=DIRECTOR, at=at())
    short = short_code_of(code)
    assert short is not None
    assert set(short) <= {*ALPHABET, "-"}
    assert len(short) == 9
    for typed in (short, short.lower(), short.replace("-", ""), f" {short.replace('-', ' ')} "):
        assert find_short_code(typed, at=at(1)) == code
    for wrong in ("", "ABCD", short[:-1], short + short[-1]):
        with pytest.raises(NotThereError):
            find_short_code(wrong, at=at(1))


def test_tokens_and_short_codes_are_kept_nowhere() -> None:
    event = make_night(8)
    made = make_event_codes(event_id=event.pk, numbers=range(1, 31), by=DIRECTOR, at=at())
    rows = str(list(TableCode.objects.values())) + str(list(AuditEntry.objects.values()))
    secrets = [shown(code) for code in made] + [str(short_code_of(code)) for code in made]
    assert len(set(secrets)) == 60
    assert not any(secret in rows or secret.replace("-", "") in rows for secret in secrets)


def test_an_ended_code_stays_ended_and_its_table_gets_another() -> None:
    event = make_night(8)
    draw(event)
    start(event, 1)
    code = code_of(event)
    for minute in (1, 2):
        revoke_code(code_id=code.pk, by=DIRECTOR, at=at(minute))
    with pytest.raises(GoneError):
        find_code(shown(code), at=at(3))
    with pytest.raises(GoneError):
        find_short_code(str(short_code_of(code)), at=at(3))
    (other,) = make_event_codes(event_id=event.pk, numbers=[1, 2], by=DIRECTOR, at=at(3))
    assert other.number == 1
    assert opens(other) is not None
    with pytest.raises(GoneError):
        find_code(shown(code), at=at(4))
    assert AuditEntry.objects.filter(what="table code revoked").count() == 1


def test_a_code_ends_some_hours_after_its_night() -> None:
    event = make_night(8)
    (code,) = make_event_codes(event_id=event.pk, numbers=[1], by=DIRECTOR, at=at())
    event.finished_at = at(60)
    event.save()
    assert find_code(shown(code), at=at(60 + 12 * 60 - 1)) == code
    with pytest.raises(GoneError):
        find_code(shown(code), at=at(60 + 12 * 60))


def test_links_that_the_director_closed_are_not_opened_by_the_code() -> None:
    event = make_night(8)
    draw(event)
    (game, _other) = start(event, 1)
    assert table_link(game, at(2)) is not None
    game.links.update(revoked_at=at(2))
    assert opens(code_of(event)) == game
    assert table_link(game, at(3)) is None


def a_night_in(club: Club, players: list[Player], **fields: Any) -> Event:
    event = make_event(club, **fields)
    check_in(event, players)
    draw(event)
    return event


def test_a_code_for_every_night_opens_what_its_club_plays_now() -> None:
    one = make_night(8)
    (code,) = make_club_codes(club_id=one.club_id, numbers=[2], by=DIRECTOR, at=at())
    assert events_of_code(find_code(shown(code), at=at(1)), at(1)) == []
    draw(one)
    games = start(one, 1)
    assert opens(code) == games[1]
    stranger = make_night(8, club=make_club("Delft"))
    draw(stranger)
    start(stranger, 1)
    assert opens(code) == games[1]
    players = list(Player.objects.filter(club=one.club_id))
    other = a_night_in(one.club, players, name="In the other room")
    start(other, 1)
    assert set(events_of_code(code, at(2))) == {one, other}
    one.status, one.finished_at = "finished", at(3)
    one.save()
    assert events_of_code(code, at(4)) == [other]


def test_the_codes_of_a_night_are_its_own_and_those_for_every_night() -> None:
    event = make_night(8)
    make_club_codes(club_id=event.club_id, numbers=[1], by=DIRECTOR, at=at())
    draw(event)
    start(event, 1)
    found = find_printable_codes(event.club_id, event, [1, 2])
    assert [(number, code.event_id) for number, code in found.items()] == [(1, None), (2, event.pk)]
    assert list(find_printable_codes(event.club_id, None, [])) == [1]


def test_tables_count_from_one() -> None:
    event = make_night(8)
    for numbers in ([0], [201], [1, -1]):
        with pytest.raises(RefusedError):
            make_event_codes(event_id=event.pk, numbers=numbers, by=DIRECTOR, at=at())
    assert not TableCode.objects.exists()


def test_every_round_of_a_night_keeps_its_codes() -> None:
    event = make_night(8)
    for number in (1, 2, 3):
        draw(event)
        play_round(event, number)
    assert TableCode.objects.filter(event=event).count() == 2
