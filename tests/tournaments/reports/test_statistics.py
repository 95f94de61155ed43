"""Statistics as a file: the numbers of every player's page in one table."""

from statistics import mean, stdev

import pytest

from tests.scoring.club import make_club
from tests.scoring.reports.reading import csv_rows, read
from tests.tournaments.night import draw, make_night, play_round
from tournaments.models import Event, Result
from tournaments.publishing.player_lines import GameSelection
from tournaments.reports.statistics import statistics
from tournaments.web.statistics import statistics_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def event() -> Event:
    """A night of six rounds of two hands, so that there is something to say."""
    found = make_night(4, rounds=6)
    for number in range(1, 7):
        draw(found)
        play_round(found, number)
    return found


def test_a_row_says_what_the_page_of_its_player_says(event: Event) -> None:
    rows = csv_rows(statistics(event.club))
    player = event.club.players.get(number=3)
    page = statistics_of(player, GameSelection())
    shown = {
        (one.title, row.of, row.mean.removesuffix(" %").replace("−", "-"))  # noqa: RUF001
        for one in page["figures"]
        for row in one.rows
        if row.mean
    }
    mine = [row for row in rows if row["Player, member no."] == "3"]
    assert len(mine) == len(shown) > 3
    for row in mine:
        values = [value for title, of, value in shown if (title, of) == (row["Figure"], row["Of"])]
        assert float(row["Value"]) == pytest.approx(float(values[0]), abs=0.5 if row["Unit"] else 0)


def test_what_too_little_is_known_of_is_left_out(event: Event) -> None:
    rows = read(statistics(event.club, event=event.pk))
    assert rows == read(statistics(event.club))
    assert all(row["lines"] >= 10 for row in rows)
    assert all(row["low"] <= row["value"] <= row["high"] for row in rows if row["low"] is not None)
    assert not read(statistics(make_club("Other")))


def test_what_bids_brought_is_told_of_the_whole_club() -> None:
    night = make_night(8, rounds=9)
    for number in range(1, 10):
        draw(night)
        play_round(night, number)
    (row,) = [row for row in read(statistics(night.club)) if row["player"] == "all players"]
    named = Result.objects.filter(from_namer=0, jackpot=False)
    scores = list(named.values_list("score", flat=True))
    assert (row["figure_code"], row["group"], row["player_id"]) == ("bid_value", "1–3", "")  # noqa: RUF001
    assert row["lines"] == len(scores) >= 20
    assert row["value"] == pytest.approx(mean(scores))
    assert float(row["error"]) == pytest.approx(stdev(scores) / len(scores) ** 0.5, abs=0.001)
