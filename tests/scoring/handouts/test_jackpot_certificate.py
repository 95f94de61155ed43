"""The certificate of the largest jackpot of a season."""

import pytest

from scoring.games.nights import end_round, finish_night
from scoring.handouts.jackpot_certificate import print_jackpot_certificate
from scoring.handouts.properties import SheetOrder
from tests.scoring.club import DIRECTOR, at, chip_hand, enter, state_of
from tests.tournaments.night import draw, make_night, start
from tests.tournaments.printing.paper import badly_placed, keep_pictures, pages
from tests.tournaments.publishing.test_leagues import make_league
from tournaments.core.errors import RefusedError
from tournaments.events import leagues
from tournaments.models import Event, League

pytestmark = pytest.mark.django_db


def season_of(event: Event) -> League:
    league = make_league(event.club)
    leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
    return League.objects.get(pk=league.pk)


def night_with(*hands: tuple[int, ...]) -> Event:
    event = make_night(4, rounds=1, hands=len(hands))
    draw(event)
    (game,) = start(event, 1)
    for taken in hands:
        enter(game, chip_hand(state_of(game), taken))
    end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(2))
    finish_night(event_id=event.pk, version=None, by=DIRECTOR, at=at(2))
    return event


def test_the_certificate_says_who_won_it_where_and_how_the_pot_grew() -> None:
    event = night_with((4, 3, 3, 3), (4, 3, 3, 3), (0, 2, 4, 7))
    sheet = print_jackpot_certificate(season_of(event), SheetOrder(at=at(3)))
    keep_pictures(sheet, "jackpot-certificate")
    assert badly_placed(sheet) == []
    (page,) = pages(sheet)
    text = " ".join(page.text.split())
    assert "Jackpot of the season" in text
    assert "chips, won by Player" in text
    assert "in round 1 at table 1, with Player" in text
    assert "2 hands without a winner had filled the pot." in text
    assert text.count("\N{RIGHTWARDS ARROW}") == 2


def test_a_season_without_a_jackpot_has_no_certificate() -> None:
    event = night_with((0, 2, 4, 7))
    with pytest.raises(RefusedError, match="No jackpot has been won"):
        print_jackpot_certificate(season_of(event), SheetOrder(at=at(3)))
