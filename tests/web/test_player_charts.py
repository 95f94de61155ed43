"""The page of a player shows what is known of them as pictures, each with its words."""

import re
from datetime import timedelta
from fractions import Fraction

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.tournaments.night import check_in, draw, make_event, play_round
from tests.web.window import Window, member_of, publish_all
from tournaments import publishing
from tournaments.models import Person, Player
from tournaments.statistics import PlayerSummary
from tournaments.statistics.form import NightResult
from tournaments.statistics.sums import Key, Sum
from tournaments.web.player_charts import charts_of
from tournaments.web.plots import HEIGHT, WHOLE, Bar, Series, plot
from tournaments.web.statistics import ledgers_of

pytestmark = pytest.mark.django_db
HOURS = timedelta(hours=2)


def play_another_night(window: Window) -> None:
    event = make_event(
        window.club,
        rule_set=window.event.rule_set,
        rounds=1,
        hands=2,
        scoring={"method": "places"},
        starts_at=window.event.starts_at + timedelta(days=7),
    )
    check_in(event, window.players)
    draw(event)
    play_round(event, 1)
    publish_all()


def publish_statistics() -> None:
    publishing.publish_due(clock=lambda: timezone.now() + HOURS, scopes=publishing.STATISTICS)


def described(page: str) -> dict[str, str]:
    """The text alternatives of the plots by their keys."""
    return dict(re.findall(r'<desc id="([a-z-]+)-words">([^<]*)</desc>', page))


def test_strangers_see_places_and_members_what_hands_say_too(
    client: Client, window: Window
) -> None:
    play_another_night(window)
    address = window.addresses["player"]
    to_strangers = described(client.get(address).content.decode())
    assert set(to_strangers) == {"places", "night-plot"}
    to_members = described(member_of(window.club).get(address).content.decode())
    assert set(to_members) == {"places", "night-plot", "nights", "rating"}
    assert re.fullmatch(r"\d+ \w+ =?\d \(\d+ %\); \d+ \w+ =?\d \(\d+ %\)", to_members["places"])


def test_every_plot_has_a_name_and_words_of_its_own(window: Window) -> None:
    play_another_night(window)
    page = member_of(window.club).get(window.addresses["player"]).content.decode()
    named = re.findall(r'aria-labelledby="([a-z-]+)-name ([a-z-]+)-words"', page)
    assert named
    assert all(name == words for name, words in named)
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))


def test_a_page_asks_no_more_of_somebody_with_more_nights(client: Client, window: Window) -> None:
    address = window.addresses["player"]
    member = member_of(window.club)

    def count(browser: Client) -> int:
        publish_statistics()
        browser.get(address)
        with CaptureQueriesContext(connection) as asked:
            browser.get(address)
        return len(asked)

    before = count(client), count(member)
    play_another_night(window)
    assert (count(client), count(member)) == before
    assert before[0] <= 19, "six of them are the place in the season"
    assert before[1] <= 29


def test_nights_are_drawn_with_the_interval_of_their_mean() -> None:
    nights = tuple(NightResult(f"2026-01-{day:02}", day % 3 - 1) for day in range(1, 13))
    sums = Sum()
    for night in nights:
        sums.add(night.net)
    (chart,) = charts_of(PlayerSummary(nights=nights, by_night=sums))
    assert chart.values.startswith("1 Jan: 0; 2 Jan: +1; 3 Jan: \N{MINUS SIGN}1")
    assert "Mean of all 12 nights: 0" in chart.certainty
    assert "\N{MINUS SIGN}0.44 to +0.44" in chart.certainty
    assert len(chart.plot.columns) == 12
    assert len(chart.plot.areas) == 1


def test_papers_and_bids_are_told_with_their_errors_from_twenty_hands_on() -> None:
    def sums(papers: int) -> dict[Key, Sum]:
        return {
            ("paper_value", (0,)): Sum(9, 0, 0),
            ("paper_value", (4,)): Sum(papers, -40, papers * 16),
            ("insurance", (0,)): Sum(9, 2, 2),
            ("insurance", (4,)): Sum(papers, 10, 10),
            ("bid_value", ("1–3",)): Sum(19, 5, 400),  # noqa: RUF001
        }

    (ledger,) = ledgers_of(PlayerSummary(sums=sums(30), usual=sums(30)))
    assert ledger.sentence == (
        "39 papers, 3.1 on average, the queen 12 times: they cost 1.03 a hand (± 0.54)."
        " Writing 0 always costs nothing."
    )
    few, many = ledger.rows
    assert (few.of, few.n, few.queens, few.mean) == ("0", 9, 2, "")
    assert (many.n, many.queens, many.mean, many.error) == (30, 10, "−1.33", "0.7")  # noqa: RUF001
    assert many.usual == many.mean
    assert list(ledgers_of(PlayerSummary(sums=sums(10)))) == []


def test_of_few_nights_it_is_said_that_they_are_too_few() -> None:
    nights = (NightResult("2026-01-01", 3), NightResult("2026-01-08", -3))
    sums = Sum(2, 0, 18)
    (chart,) = charts_of(PlayerSummary(nights=nights, by_night=sums))
    assert "2 nights: too few" in chart.certainty
    assert chart.plot.areas == []


def test_pain_cards_are_drawn_with_their_intervals_and_what_is_usual() -> None:
    counts = {0: 5, 2: 15}
    sums: dict[Key, Sum] = {("pain_spread", (taken,)): Sum(n, n, n) for taken, n in counts.items()}
    usual: dict[Key, Sum] = {("pain_spread", (taken,)): Sum(20, 20, 20) for taken in range(4)}
    (chart,) = charts_of(PlayerSummary(sums=sums, usual=usual))
    assert [part.split(" (")[0] for part in chart.values.split("; ")] == [
        "0: 25 %",
        "1: 0 %",
        "2: 75 %",
    ]
    none, one, two = chart.plot.columns
    assert one.height == 0
    assert two.height == 3 * none.height
    assert none.usual == two.usual == none.top
    for column in (none, one, two):
        assert column.interval is not None
        low, high = column.interval
        assert low >= column.top >= high


def test_seats_are_drawn_of_the_size_of_table_that_was_sat_at_most() -> None:
    sums: dict[Key, Sum] = {
        ("net_by_size", (3,)): Sum(3, 0, 3),
        ("net_by_size", (4,)): Sum(60, 0, 60),
        ("net_by_seat", (3, 1)): Sum(3, 0, 3),
        ("net_by_seat", (4, 1)): Sum(20, 40, 100),
        ("net_by_seat", (4, 2)): Sum(35, -40, 100),
        ("net_by_seat", (4, 4)): Sum(5, 0, 2),
    }
    (chart,) = charts_of(PlayerSummary(sums=sums, usual=sums))
    assert "at tables of 4" in chart.definition
    values = chart.values.split("; ")
    assert values[0].startswith("1: +2 (")
    assert values[1].startswith("2: \N{MINUS SIGN}1.14 (")
    assert values[2:] == ["3: too few yet", "4: too few yet"]


def test_of_nothing_nothing_is_drawn() -> None:
    assert charts_of(PlayerSummary()) == []
    assert plot([Series("Rating", "c0", [1])], ["1 Jan"]) is None


def test_a_plot_stays_within_its_frame() -> None:
    bars = [Bar(Fraction(-7, 2), "a", low=-5, high=-2), Bar(12, "b", usual=13)]
    drawn = plot([Series("c", "c0", [1, None])], ["1", "2"], bars=bars)
    assert drawn is not None
    for column in drawn.columns:
        assert 0 <= column.left < column.right <= WHOLE
        assert 0 <= column.top <= column.top + column.height <= HEIGHT
    assert [mark.text for mark in drawn.grid] == ["\N{MINUS SIGN}5", "0", "5", "10", "15"]
    assert [mark.percent for mark in drawn.ticks] == ["25.00%", "75.00%"]


def show_statistics(player: Player) -> None:
    Person.objects.filter(player=player).update(shows_statistics=True)


def test_strangers_see_the_statistics_of_who_allows_it_without_names_in_full(
    client: Client, window: Window
) -> None:
    player = window.players[0]
    address = window.addresses["player"]
    assert "Head to head" not in client.get(address).content.decode()
    show_statistics(player)
    page = client.get(address).content.decode()
    assert "Head to head" in page
    assert "Gain a hand" in page
    assert "<form" not in page[page.index('id="statistics"') : page.index('id="met-title"')]
    assert "opponent=" not in page
    members = member_of(window.club).get(address).content.decode()
    for name in Person.objects.exclude(player=player).values_list("name", flat=True):
        if f"<bdi>{name}</bdi>" in members:
            assert name not in page
    met = re.findall(r'href="/p/([0-9a-f-]{36})/"', page[page.index('id="met-title"') :])
    Person.objects.filter(player__in=met).update(shown="hidden")
    page = client.get(address).content.decode()
    assert "Head to head" not in page
    assert not any(one in page for one in met)


def test_strangers_see_no_statistics_while_games_of_the_club_are_hidden(
    client: Client, window: Window
) -> None:
    show_statistics(window.players[0])
    window.event.is_hidden = True
    window.event.save()
    assert "Head to head" not in client.get(window.addresses["player"]).content.decode()


def test_a_query_of_a_stranger_chooses_no_games(client: Client, window: Window) -> None:
    show_statistics(window.players[0])
    address = window.addresses["player"]
    of_none = client.get(address, {"size": "6"}).content.decode()
    assert "Gain a hand" in of_none
    assert "Nothing has been played yet" not in of_none


def test_a_player_sees_season_form_and_last_nights_first_and_the_rest_is_folded(
    client: Client, window: Window
) -> None:
    member, address = member_of(window.club), window.addresses["player"]
    page = member.get(address).content.decode()
    folded = re.findall(r'<details class="sheet"[^>]*>\s*<summary>\s*<h2 id="([\w-]+)"', page)
    assert folded[-4:] == ["night-title", "figures-title", "met-title", "earned-title"]
    assert page.index('id="history-title"') < page.index('<details class="sheet"')


def test_what_is_asked_of_a_folded_part_opens_it(client: Client, window: Window) -> None:
    member, address = member_of(window.club), window.addresses["player"]

    def opened(query: str) -> list[str]:
        page = member.get(f"{address}?{query}").content.decode()
        return re.findall(r'<details class="sheet"\s+id="(\w+)"\s+open', page)

    assert opened("") == []
    assert opened("size=&league=") == ["statistics"]
    assert opened(f"opponent={window.players[1].pk}") == ["statistics"]
    assert opened(f"night={window.event.pk}") == ["night"]
