"""The window: what everybody may look at, how much of it, and whether the numbers are right."""

import html
import json
import re
from datetime import date, timedelta
from fractions import Fraction
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.core.faults import Code
from engine.record import irregularities
from engine.record.rulings import Decision, Ruling
from scoring.games import nights
from scoring.hands import agreements, corrections, rulings
from scoring.hands.corrections import Correction
from scoring.models import Hand
from scoring.settlement.changes import RulingRequest
from scoring.web.public import hand_viewer
from tests.scoring.club import DIRECTOR, at, make_club, make_players, seat
from tests.tournaments.night import check_in, draw, make_event, play, play_round, start
from tests.tournaments.publishing.nights import Clock, publish
from tests.web.desk import director_of
from tests.web.texts import REVOKE
from tests.web.window import (
    LONG,
    NAMES,
    Window,
    hand_with_cards,
    make_window,
    member_of,
    publish_all,
)
from tournaments import invalidation
from tournaments.events import leagues
from tournaments.events.adjustments import adjust_score
from tournaments.events.boards import Preparation, prepare_boards
from tournaments.models import (
    Board,
    Entry,
    Event,
    League,
    LeagueMember,
    Person,
    Player,
    Published,
    Scope,
    Snapshot,
    Stale,
    Status,
    Verdict,
)
from tournaments.publishing import versions
from tournaments.web import standings_query
from tournaments.web.season_place import find_season_place
from tournaments.web.standings import StandingsTable

pytestmark = pytest.mark.django_db
CARD = re.compile(r"cards\.svg#[SHDC][2-9TJQKA]|class=\"word suit-")


def text_of(content: bytes) -> str:
    """What a reader sees, in one line."""
    text = re.sub(r"<[^>]*>", " ", content.decode())
    return re.sub(r"\s+", " ", html.unescape(text))


def read(client: Client, address: str, **more: str) -> str:
    answer = client.get(address, more)
    assert answer.status_code == 200, (address, answer.status_code)
    return text_of(answer.content)


def test_a_private_club_is_as_absent_as_one_that_never_was(client: Client) -> None:
    hidden = make_window("Hidden Hearts", is_public=False)
    for name, address in hidden.addresses.items():
        answer = client.get(address)
        nowhere = client.get(re.sub(r"[0-9a-f-]{36}", str(uuid4()), address))
        assert answer.status_code == nowhere.status_code == 404, name
        assert answer.content == nowhere.content, name
    assert "Hidden Hearts" not in read(client, "/clubs/")
    member = member_of(hidden.club)
    for name, address in hidden.addresses.items():
        assert member.get(address).status_code == 200, name
    assert "Hidden Hearts" in read(member, "/clubs/")


def test_a_role_elsewhere_opens_no_private_club(window: Window) -> None:
    hidden = make_window("Hidden Hearts", is_public=False)
    member = member_of(window.club, "admin")
    for name, address in hidden.addresses.items():
        assert member.get(address).status_code == 404, name


def test_strangers_see_short_names_on_every_page(client: Client, window: Window) -> None:
    for name, address in window.addresses.items():
        page = client.get(address, {"open": str(window.players[0].pk)}).content.decode()
        for full in NAMES:
            assert html.escape(full) not in page, (name, full)
    assert "Wilhelmina W." in read(client, window.addresses["event"])
    member = member_of(window.club)
    for name in ("event", "league", "player"):
        assert LONG in read(member, window.addresses[name]), name
    for name in ("game", "hand"):
        assert all(one in read(member, window.addresses[name]) for one in window.names_at_the_table)


def test_every_page_says_in_its_title_and_heading_what_it_shows(
    client: Client, window: Window
) -> None:
    for name, address in window.addresses.items():
        page = client.get(address).content.decode()
        (title,) = re.findall(r"<title>(.*?)</title>", page, re.DOTALL)
        headings = re.findall(r"<h1[^>]*>(.*?)</h1>", page, re.DOTALL)
        assert title.partition(" \u2013 Painsuit")[0].strip(), name
        assert len(headings) == 1, name
        assert all(re.sub(r"<[^>]*>", "", heading).strip() for heading in headings), name


def test_an_erased_person_is_nobodys_name(client: Client, window: Window) -> None:
    player = window.players[0]
    Person.objects.filter(player=player).delete()
    publish_all()
    page = read(member_of(window.club), window.addresses["event"])
    assert f"Former member {player.number}" in page
    assert "Wilhelmina" not in page


def test_standings_are_those_that_were_published(client: Client, window: Window) -> None:
    found = versions.find_latest(Scope.EVENT, window.event.pk)
    page = client.get(window.addresses["event"]).content.decode()
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    rows = [text_of(row.encode()).split() for row in re.findall(r"<tr.*?</tr>", body, re.DOTALL)]
    assert [row[0] for row in rows] == [row["label"] for row in found.rows]
    assert len(rows) == len(NAMES)
    totals = [re.findall(r'class="number strong total"[^>]*>([^<]*)<', body)]
    assert totals[0] == [str(row["total"]).replace("-", "\N{MINUS SIGN}") for row in found.rows]


def test_a_row_opens_down_to_its_games(client: Client, window: Window) -> None:
    found = versions.find_latest(Scope.EVENT, window.event.pk)
    first = found.rows[0]
    answer = client.get(window.addresses["event"], {"open": first["entry"]})
    page = answer.content.decode()
    games = {game["game"] for game in found.data["games"]}
    linked = set(re.findall(r'href="/g/([0-9a-f-]{36})/"', page))
    assert {one["table"] for one in first["contributions"]} <= linked <= games
    assert "ahead of" in text_of(answer.content)
    player = found.data["entries"][first["entry"]]["player"]
    by_player = client.get(window.addresses["event"], {"open": player}).content.decode()
    assert 'aria-expanded="true"' in by_player


def test_a_dispute_marks_the_lines_that_it_touches(client: Client, window: Window) -> None:
    agreements.object_to_hand(
        hand_id=window.hand.pk, version=1, why="Bo took two, I saw it.", by=seat(2), at=at(9)
    )
    # While it is disputed it does not count.
    assert "not in it yet" in read(client, window.addresses["event"])
    publish_all()
    answer = client.get(window.addresses["event"])
    page = read(client, window.addresses["event"])
    assert "1 open dispute" in page
    assert "not in it yet" not in page
    assert len(re.findall(r'<tr class="open-line', answer.content.decode())) == 4
    # What somebody wrote is for members.
    for name in ("game", "hand"):
        assert "I saw it" not in read(client, window.addresses[name])
        assert "disputed" in read(client, window.addresses[name])
    assert "I saw it" in read(member_of(window.club), window.addresses["hand"])


def test_reasons_of_penalties_are_for_members(client: Client, window: Window) -> None:
    entry = Entry.objects.get(event=window.event, player=window.players[0])
    adjust_score(
        event_id=window.event.pk,
        entry=entry.pk,
        amount="-7/3",
        reason="Came very late",
        by=DIRECTOR,
        at=at(9),
    )
    publish_all()
    opened = {"open": str(entry.pk)}
    page = read(client, window.addresses["event"], **opened)
    assert "\N{MINUS SIGN}2.33" in page
    assert "Came very late" not in page
    assert "Came very late" in read(member_of(window.club), window.addresses["event"], **opened)


def test_the_live_part_is_sent_once_for_each_version(client: Client, window: Window) -> None:
    address = window.addresses["event"]
    first = client.get(address, {"part": "live"})
    tag = first["ETag"]
    assert "<html" not in first.content.decode()
    assert first["Cache-Control"] == "private, no-cache"
    again = client.get(address, {"part": "live"}, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    play(window.game, 1)
    behind = client.get(address, {"part": "live"}, headers={"If-None-Match": tag})
    assert behind.status_code == 200
    assert "not in it yet" in text_of(behind.content)
    publish_all()
    fresh = client.get(address, {"part": "live"}, headers={"If-None-Match": behind["ETag"]})
    assert fresh.status_code == 200
    assert "Version 2" in text_of(fresh.content)


def test_a_page_calls_nothing_behind_that_was_entered_a_moment_ago(
    client: Client, window: Window
) -> None:
    address = window.addresses["event"]
    play(window.game, 1)
    Stale.objects.update(since=timezone.now())
    assert "not in it yet" not in read(client, address)
    Stale.objects.update(since=timezone.now() - timedelta(seconds=9))
    assert "not in it yet" in read(client, address)


def test_pages_ask_every_second_while_an_event_is_played(client: Client, window: Window) -> None:
    for name in ("event", "projector", "league"):
        assert 'data-seconds="1"' in client.get(window.addresses[name]).content.decode()
    Event.objects.filter(pk=window.event.pk).update(status=Status.FINISHED)
    for name, seconds in (("event", 4), ("projector", 4), ("league", 15)):
        found = client.get(window.addresses[name]).content.decode()
        assert f'data-seconds="{seconds}"' in found
        assert 'data-seconds="1"' not in found


def test_another_name_and_other_rights_are_another_tag(client: Client, window: Window) -> None:
    address = window.addresses["event"]
    tag = client.get(address, {"part": "live"})["ETag"]
    member = member_of(window.club)
    assert member.get(address, {"part": "live"}, headers={"If-None-Match": tag}).status_code == 200
    Person.objects.filter(player=window.players[0]).update(name="Willie Short")
    renamed = client.get(address, {"part": "live"}, headers={"If-None-Match": tag})
    assert "Willie S." in text_of(renamed.content)


@pytest.mark.parametrize("name", ["event", "league", "game"])
def test_who_hides_his_name_is_hidden_on_pages_that_are_open(
    client: Client, window: Window, name: str
) -> None:
    address = window.addresses[name]
    people = Person.objects.filter(player__results__game=window.game.pk)
    people.update(name="Willie Short")
    seen = client.get(address, {"part": "live"})
    assert "Willie S." in text_of(seen.content)
    people.update(shown="hidden")
    now = client.get(address, {"part": "live"}, headers={"If-None-Match": seen["ETag"]})
    assert now.status_code == 200
    assert "Willie S." not in text_of(now.content)


@pytest.mark.parametrize("name", ["event", "league", "game"])
def test_another_number_is_told_on_pages_that_are_open(
    client: Client, window: Window, name: str
) -> None:
    address = window.addresses[name]
    Person.objects.update(name="Willie Short")
    seen = client.get(address, {"part": "live"})
    player = Player.objects.filter(results__game=window.game.pk).first()
    assert player is not None
    assert f"Willie S. ({player.number})" in text_of(seen.content)
    Player.objects.filter(pk=player.pk).update(number=4711)
    now = client.get(address, {"part": "live"}, headers={"If-None-Match": seen["ETag"]})
    assert now.status_code == 200
    assert "Willie S. (4711)" in text_of(now.content)


def test_older_standings_stay_and_changes_are_told(client: Client, window: Window) -> None:
    address = window.addresses["event"]
    before = read(client, address, part="live")
    play(window.game, 1)
    publish_all()
    stood = client.get(address, {"version": "1"})
    assert "Standings as they stood" in text_of(stood.content)
    assert 'data-seconds="0"' in stood.content.decode()
    rows = re.compile(r"Chips Points (.*?) In the rounds")
    old, new = (read(client, address, part="live", version=n) for n in ("1", "2"))
    found = [rows.search(one) for one in (before, old, new)]
    said = [one and one[1] for one in found]
    assert said[0] == said[1] != said[2]
    assert None not in said
    assert "What changed since version 1" in read(client, address, since="1")
    assert "There are no standings yet" in read(client, address, at="1999-01-01T00:00")


def test_a_page_of_a_version_that_is_no_longer_kept_says_so(client: Client, window: Window) -> None:
    address = window.addresses["event"]
    for _ in range(2):
        play(window.game, 1)
        publish_all()
    Snapshot.objects.get(published__subject=window.event.pk, version=2).delete()
    page = read(client, address, version="2")
    assert "Version 1, computed" in page
    assert "the last one before version 2, which is no longer kept" in page
    page = read(client, address, since="2")
    assert "What changed since version 1" in page
    assert "Version 2 is no longer kept: this is the last one before it." in page


NONSENSE = (
    {"version": "99"},
    {"version": "-1"},
    {"version": "x"},
    {"version": "9" * 5000},
    {"version": "000000000001" + "9" * 5000},
    {"at": "0001-01-01T00:00+14:00"},
    {"since": "99"},
    {"at": "2026-13-41T99:99"},
    {"at": "yesterday"},
    {"open": "everything"},
    {"round": "\u0665"},
)


def test_nonsense_in_an_address_leads_nowhere(client: Client, window: Window) -> None:
    for query in NONSENSE:
        assert client.get(window.addresses["event"], query).status_code == 404, query


def test_an_event_without_anything_has_a_page(client: Client, window: Window) -> None:
    event = make_event(window.club, name="Next week")
    assert "There are no standings yet" in read(client, f"/e/{event.pk}/")
    publish(Scope.EVENT, event.pk, Clock())
    assert "Nobody has entered yet" in read(client, f"/e/{event.pk}/")


def test_teams_and_prizes_are_told(client: Client, window: Window) -> None:
    for entry in Entry.objects.filter(event=window.event):
        entry.team = ("Queens & Co.", "Moons")[entry.number % 2]
        entry.save()
    Event.objects.filter(pk=window.event.pk).update(added=10_000)
    agreements.object_to_hand(
        hand_id=window.hand.pk, version=1, why="Marks the event.", by=seat(2), at=at(9)
    )
    publish_all()
    page = read(client, window.addresses["event"])
    first, second = versions.find_latest(Scope.EVENT, window.event.pk).data["teams"]
    told = f"ahead of {second['entry']} by"
    assert (told in page) is (first["label"] != second["label"])
    assert all(team["entry"] in page[page.index("Teams") :] for team in (first, second))
    assert "Prizes" not in page
    Event.objects.filter(pk=window.event.pk).update(status=Status.FINISHED)
    page = read(client, window.addresses["event"])
    assert "Prizes provisional of 100.00 EUR" in page
    won = re.findall(r"([0-9]+)\.([0-9]{2}) EUR", page[page.index("of 100.00 EUR") + 13 :])
    assert sum(100 * int(whole) + int(part) for whole, part in won) == 10_000


def test_tables_calendars_and_feeds_are_taken_away(client: Client, window: Window) -> None:
    addresses = [
        html.unescape(found)
        for name in ("club", "event", "league")
        for found in re.findall(
            r'href="(/(?:api/v1/clubs/|c/[^"]+/(?:calendar|feed)\.)[^"]+)"',
            client.get(window.addresses[name]).content.decode(),
        )
    ]
    assert len(set(addresses)) == 17
    for address in addresses:
        assert client.get(address).status_code == 200, address


def test_a_season_links_every_number_to_its_event(client: Client, window: Window) -> None:
    found = versions.find_latest(Scope.LEAGUE, window.league.pk)
    page = client.get(window.addresses["league"]).content.decode()
    for row in found.rows:
        assert f"/e/{window.event.pk}/?open={row['entry']}" in page
    opened = read(client, window.addresses["league"], open=found.rows[0]["entry"])
    assert "Total then" in opened


@pytest.mark.parametrize("rule", ["sum", "drop_worst"])
def test_a_row_of_a_season_adds_up_on_its_page(client: Client, window: Window, rule: str) -> None:
    league = window.league
    League.objects.filter(pk=league.pk).update(season={"rule": rule})
    weight = {"weight": "3/2"}
    leagues.change_session(
        league_id=league.pk,
        event_id=window.event.pk,
        changes=weight,
        version=None,
        by=DIRECTOR,
        at=at(9),
    )
    publish_all()
    sheet = client.get(window.addresses["league"]).context["sheet"]
    rows = sheet.rows
    points = [[one.text for one in row.scores if one.address and one.counts] for row in rows]
    assert [found[0] for found in points] == [row.total.text for row in rows]
    assert "×1.5" in read(client, window.addresses["league"])  # noqa: RUF001 (the sign for times)


@pytest.mark.parametrize("name", ["event", "league"])
def test_a_long_table_is_shown_a_page_at_a_time(
    client: Client, window: Window, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings_query, "ROWS_SHOWN", 3)
    scope = Scope.EVENT if name == "event" else Scope.LEAGUE
    subject = window.event.pk if name == "event" else window.league.pk
    rows = [row["entry"] for row in versions.find_latest(scope, subject).rows]
    address = window.addresses[name]

    def shown(**said: str) -> list[str]:
        page = client.get(address, said).content.decode()
        assert [label in page for label in (">1–3<", ">4–6<", ">7–8<")] == [True] * 3  # noqa: RUF001
        return re.findall(r'id="open-([^"]*)"', page)

    assert shown() == shown(page="1") == rows[:3]
    assert shown(page="2") == rows[3:6]
    assert shown(page="3") == shown(page="99") == rows[6:]
    assert shown(open=rows[4]) == rows[3:6]
    projector = client.get(address, {"view": "projector"}).content.decode()
    assert name == "league" or all(text in projector for text in ("Bo L.", "Ana P."))


def test_only_an_opened_row_tells_why_it_stands_there(client: Client, window: Window) -> None:
    for name in ("event", "league"):
        with CaptureQueriesContext(connection) as asked:
            page = client.get(window.addresses[name])
        assert {row.reason for row in page.context["sheet"].rows} == {None}
        assert not any("seatdecision" in one["sql"] for one in asked)


def test_a_table_is_rendered_once_for_each_version_and_reader(
    client: Client, window: Window
) -> None:
    address = window.addresses["league"]
    with CaptureQueriesContext(connection) as first:
        page = read(client, address)
    with CaptureQueriesContext(connection) as again:
        assert read(client, address) == page
    assert len(again) < len(first)
    assert not any('"data"' in one["sql"] for one in again)
    member = member_of(window.club)
    assert read(member, address) != page
    Person.objects.filter(player=window.players[0]).update(name="Somebody Else")
    assert "Somebody E." in read(client, address)
    assert "Somebody Else" in read(member, address)


def test_a_league_says_at_once_that_an_event_has_become_official(
    client: Client, window: Window
) -> None:
    def states() -> list[str]:
        page = client.get(window.addresses["league"])
        return [one.state for one in page.context["counted_events"]]

    assert states() == ["provisional"]
    published = Published.objects.get(scope=Scope.EVENT, subject=window.event.pk)
    published.decisions.create(
        number=1, verdict=Verdict.OFFICIAL, version=published.version, by="director", at=at()
    )
    assert states() == ["official"]


def test_the_columns_of_a_table_can_be_chosen(client: Client, window: Window) -> None:
    event, league = window.addresses["event"], window.addresses["league"]

    def titles(address: str, *keys: str) -> list[str]:
        sheet = client.get(address, {"columns": keys}).context["sheet"]
        return [column.title for column in sheet.columns]

    assert titles(league) == titles(event) == []
    assert titles(league, "counted") == ["Nights counted"]
    assert titles(event, "best", "worst", "<b>") == ["Best result", "Worst result"]
    assert {"Best result", "Worst result", "Average", "Hands"} < set(titles(event, "all"))
    assert client.get(league, {"nights": "none"}).context["sheet"].sessions == []
    assert len(client.get(league, {"nights": "all"}).context["sheet"].sessions) == 1
    kept = client.get(event, {"version": "1", "round": "1", "columns": "best"}).content.decode()
    assert '<input type="hidden" name="version" value="1">' in kept
    assert '<input type="hidden" name="round" value="1">' in kept
    assert re.search(r'value="best"\s+checked', kept)


def test_a_reader_may_ask_how_sure_the_places_are(client: Client) -> None:
    club = make_club(is_public=True)
    event = make_event(club, rounds=3, hands=2)
    check_in(event, make_players(club, 4))
    draw(event)
    for number in (1, 2, 3):
        play_round(event, number)
    publish_all()
    page = f"/e/{event.pk}/"
    assert "could really be the best" not in client.get(page).content.decode()
    sheet = client.get(page, {"columns": ["likely_places", "best_chance"]}).context["sheet"]
    assert [column.title for column in sheet.columns] == ["Likely places", "Could be the best"]
    for row in sheet.rows:
        likely, best = (cell.text for cell in row.cells)
        assert re.fullmatch(rf"{row.label} \([1-4]–[1-4]\)", likely)  # noqa: RUF001
        assert re.fullmatch(r"\d+ %", best)
    leader, second = (row.name for row in sheet.rows[:2])
    certainty = sheet.divisions[0].certainty
    assert re.match(f"{leader} leads; ([1-3] others?|nobody else) .+ the best.", certainty)
    assert f" Between {leader} and {second} it would take " in certainty


def test_too_few_rounds_say_so_and_show_no_figure(client: Client, window: Window) -> None:
    page = client.get(window.addresses["league"], {"columns": "likely_places"})
    assert "Too little has been played" in page.content.decode()
    assert {cell.text for row in page.context["sheet"].rows for cell in row.cells} == {""}


def test_the_address_of_an_opened_row_keeps_the_chosen_columns(
    client: Client, window: Window
) -> None:
    sheet = client.get(window.addresses["event"], {"columns": ["best", "worst"]}).context["sheet"]
    assert all("columns=best&columns=worst" in row.toggle for row in sheet.rows)


def test_the_chips_of_the_rounds_stand_beside_the_points_and_add_up(
    client: Client, window: Window
) -> None:
    sheet = client.get(window.addresses["event"]).context["sheet"]
    assert (sheet.unit, sheet.at_tables) == ("Points", "Chips")
    check_chips(sheet)


def check_chips(sheet: StandingsTable) -> None:
    """Check that the chips of the rounds are those of the night."""
    for row in sheet.rows:
        *rounds, total = (
            int(text.replace("\N{MINUS SIGN}", "-"))
            for text in (*(one.beside for one in row.scores if one.beside), row.at_tables)
        )
        assert sum(rounds) == total


def test_standings_say_in_sentences_how_they_are_counted(client: Client, window: Window) -> None:
    night = read(client, window.addresses["event"])
    assert "a table of 4 brings 3, 1, \N{MINUS SIGN}1 and \N{MINUS SIGN}3 points" in night
    assert "Level totals: games won" in night
    assert "What does a game bring?" not in night
    season = read(client, window.addresses["league"])
    assert "Each night brings its points; the best" in season
    assert "Which events of a season count?" not in season


def test_a_page_of_standings_says_whose_they_are(client: Client, window: Window) -> None:
    for name, title in (("league", "Winter"), ("event", window.event.name)):
        assert f"<h1><bdi>{title}</bdi></h1>" in client.get(window.addresses[name]).content.decode()
    assert "4 events planned" in read(client, window.addresses["league"])
    assert "not rated" not in read(client, window.addresses["league"])


def test_a_line_is_drawn_below_the_places_that_are_promoted(client: Client, window: Window) -> None:
    address = window.addresses["league"]
    assert "above-line" not in read(client, address)
    assert "To the line" not in read(client, address)
    leagues.change_league(
        league_id=window.league.pk,
        changes={"season": {"rule": "sum", "promoted": 4}},
        version=League.objects.get(pk=window.league.pk).version,
        by=DIRECTOR,
        at=at(9),
    )
    publish_all()
    rows = versions.find_latest(Scope.LEAGUE, window.league.pk).rows
    above = [row["entry"] for row in rows if row["rank_to"] and row["rank_to"] <= 4]
    sheet = client.get(address).content.decode()
    lines = re.findall(r'<tr class="[^"]*above-line">.*?id="open-([^"]*)"', sheet, re.DOTALL)
    assert lines == above[-1:] != []
    assert sheet.count('<td class="number more">above</td>') == len(above)
    wall = client.get(address, {"view": "projector"}).content.decode()
    assert wall.count("above-line") == 1


def test_an_opened_row_of_a_season_adds_up(client: Client, window: Window) -> None:
    entry = versions.find_latest(Scope.LEAGUE, window.league.pk).rows[0]["entry"]
    LeagueMember.objects.create(
        league=window.league, player_id=entry, opening="3/2", opening_events=1, joined_at=at()
    )
    invalidation.mark(Scope.LEAGUE, [window.league.pk], window.event.created_at)
    publish_all()
    sheet = client.get(window.addresses["league"], {"open": entry}).context["sheet"]
    row = next(row for row in sheet.rows if row.entry == entry)
    assert [(one.title, one.amount) for one in row.beside] == [("Carried over", "1.5")]
    nights = sum(Fraction(one.points.text) for one in row.played if one.points.counts)
    assert nights + Fraction("1.5") == Fraction(row.total.text)


def test_a_game_shows_chips_after_every_hand(client: Client, window: Window) -> None:
    answer = client.get(window.addresses["game"])
    page = answer.content.decode()
    assert "<polyline" in page
    assert f'href="/h/{window.hand.pk}/"' in page
    rows = re.findall(r"<tr[^>]*>.*?</tr>", page[page.index("<tbody>") :], re.DOTALL)
    after = json.loads(Hand.objects.get(pk=window.hand.pk).after)
    numbers = re.findall(r'<td class="number">\s*(\d+)', rows[1])
    assert numbers == [str(count) for count in (*after["chips"], after["pot"])]


def test_a_hand_that_is_accepted_needs_no_word_in_any_language(
    client: Client, window: Window
) -> None:
    for language, word in (("en", "accepted"), ("de", "angenommen")):
        answer = client.get(window.addresses["game"], headers={"Accept-Language": language})
        assert word not in text_of(answer.content)
        answer = client.get(window.addresses["hand"], headers={"Accept-Language": language})
        assert word in text_of(answer.content)


def test_a_game_that_is_played_keeps_itself_up_to_date(client: Client, window: Window) -> None:
    address = window.addresses["game"]
    assert 'data-seconds="5"' in client.get(address).content.decode()
    tag = client.get(address, {"part": "live"})["ETag"]
    same = client.get(address, {"part": "live"}, headers={"If-None-Match": tag})
    assert (same.status_code, same.content) == (304, b"")
    play(window.game, 1)
    fresh = client.get(address, {"part": "live"}, headers={"If-None-Match": tag})
    assert fresh.status_code == 200
    assert fresh.content.count(b'href="/h/') == 2


def test_a_hand_of_which_only_the_result_is_known_says_so(client: Client, window: Window) -> None:
    page = read(client, window.addresses["hand"])
    assert "Only the result of this hand was written down" in page
    assert "The settlement" in page


@pytest.mark.parametrize(
    ("what", "words"),
    [
        (irregularities.Event.MISDEAL, "a wrong number of cards, a card faced, the wrong pack"),
        (Code.REVOKE, "did not follow suit though able"),
        (Code.PAIN_LED, "the pain suit led before it was broken"),
    ],
    ids=["event", "code of an event", "code"],
)
def test_a_ruling_says_in_words_what_it_is_on(
    client: Client, window: Window, what: irregularities.Named, words: str
) -> None:
    ruling = Ruling(decision=Decision.WARNING, code=what)
    rulings.decide(
        hand_id=window.hand.pk, decree=RulingRequest(ruling=ruling), by=DIRECTOR, at=at(600)
    )
    page = read(client, window.addresses["hand"])
    assert words in page
    assert what.name not in page


def test_a_hand_with_cards_names_nobody_that_its_record_names(
    client: Client, window: Window
) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    answer = client.get(f"/h/{hand.pk}/", {"trick": "3"})
    page = text_of(answer.content)
    assert "disputed" in page
    assert "does not follow" in page
    assert 'class="board seats-4' in answer.content.decode()
    for name in re.findall(r'\[(?:North|East|South|West) "([^"]+)"\]', REVOKE):
        assert name not in page
    assert re.search(r'data-trick="3"[^>]*aria-current="true"', answer.content.decode())


def test_cards_of_a_board_are_secret_while_others_play_it(
    client: Client, window: Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    hand = hand_with_cards(window.club, REVOKE)
    open_page = client.get(f"/h/{hand.pk}/").content.decode()
    assert CARD.search(open_page)
    monkeypatch.setattr(hand_viewer, "is_secret", lambda *_: True)
    page = client.get(f"/h/{hand.pk}/", {"trick": "3"}).content.decode()
    assert not CARD.search(page)
    assert "does not follow" not in page
    assert "Other tables have still to play these cards" in text_of(page.encode())


def test_boards_are_shown_once_their_round_is_over(client: Client, window: Window) -> None:
    event = make_event(
        window.club, rounds=1, hands=1, duplicate=True, sizes=[4], scoring={"method": "matchpoints"}
    )
    check_in(event, window.players)
    draw(event)
    prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    games = start(event, 1)
    play(games[0], 1)
    hand = Hand.objects.get(game=games[0])
    address = f"/e/{event.pk}/boards/1/"
    deal = Board.objects.get(event=event, number=1).deal
    director = member_of(window.club, "director")
    assert "The deal" not in read(client, address)
    assert "The deal" in read(director, address)
    assert "Other tables have still to play" in read(client, f"/h/{hand.pk}/")
    assert "Other tables have still to play" not in read(director, f"/h/{hand.pk}/")
    play(games[1], 1)
    nights.end_round(event_id=event.pk, number=1, by=DIRECTOR, at=at(9))
    page = read(client, address)
    assert "The deal" in page
    spades = re.search(r"S([2-9TJQKA]+)", deal)
    assert spades
    assert " ".join(spades[1]).replace("T", "10") in page
    assert "Other tables have still to play" not in read(client, f"/h/{hand.pk}/")
    assert "2 tables" in read(client, f"/e/{event.pk}/")
    assert client.get(f"/e/{event.pk}/boards/99/").status_code == 404


def test_statistics_are_for_members_and_hidden_below_ten(client: Client, window: Window) -> None:
    address = window.addresses["player"]
    assert "Only members of the club see statistics" in read(client, address)
    page = read(member_of(window.club), address)
    assert "Gain a hand" in page
    assert "too few yet: n = " in page
    assert "Head to head" in page


def test_statistics_are_asked_for_some_games(client: Client, window: Window) -> None:
    address = window.addresses["player"]
    member = member_of(window.club)
    whole = read(member, address)
    rival = re.search(r'href="\?opponent=([0-9a-f-]{36})#', member.get(address).content.decode())
    assert rival
    assert "Statistics of games with" in read(member, address, opponent=rival[1])
    assert "Nothing has been played yet" in read(member, address, size="6")
    assert "Gain a hand" in read(member, address, league=str(window.league.pk), size="4")
    assert "Gain a hand" in whole
    other = make_window("Elsewhere")
    for query in (
        {"size": "7"},
        {"size": "\u0664"},
        {"league": "x"},
        {"league": str(other.league.pk)},
        {"opponent": str(other.players[0].pk)},
    ):
        assert member.get(address, query).status_code == 404, query
        assert client.get(address, query).status_code == 200, query


def test_a_duplicate_player_leads_to_the_one_he_is(client: Client, window: Window) -> None:
    double = Player.objects.create(
        club=window.club, number=99, created_at=at(), merged_into=window.players[0]
    )
    answer = client.get(f"/p/{double.pk}/")
    assert answer.status_code == 302
    assert answer["Location"] == window.addresses["player"]


def test_members_find_each_other_by_any_part_of_a_name(client: Client, window: Window) -> None:
    address = window.addresses["club"]
    assert LONG in read(member_of(window.club), address, q="vandenb")
    assert "Nothing with that name was found" in read(
        member_of(window.club, "director"), address, q="zzz"
    )
    assert "Nothing with that name was found" in read(client, address, q="vandenb")


QUESTIONS = {"event": 25, "league": 16, "game": 20, "hand": 25, "club": 25}


def test_pages_ask_few_questions(client: Client, window: Window) -> None:
    for name, most in QUESTIONS.items():
        with CaptureQueriesContext(connection) as asked:
            client.get(window.addresses[name])
        assert len(asked) <= most, (name, len(asked))


def test_nothing_is_written_by_looking(client: Client, window: Window) -> None:
    for address in window.addresses.values():
        assert client.post(address).status_code == 405


def test_a_night_is_plotted_hand_by_hand_and_adds_up(client: Client, window: Window) -> None:
    player = window.players[0]
    page = client.get(window.addresses["player"]).content.decode()
    section = page[page.index('id="night"') :]
    section = section[: section.index("</table>")]
    assert "Chips over the night" in section
    assert 'class="curve c0"' in section
    scores = list(
        player.results.filter(game__event=window.event)
        .order_by("game__opened_at", "number")
        .values_list("score", flat=True)
    )
    changes = re.findall(r'<td class="number (?:won)?">([^<]*)</td>', section)
    shown = [int(text.replace("\N{MINUS SIGN}", "-")) for text in changes]
    assert shown == scores
    last = re.findall(r'<td class="number strong">([^<]*)</td>', section)[-1]
    assert int(last.replace("\N{MINUS SIGN}", "-")) == sum(scores)


def test_another_night_can_be_chosen_and_nonsense_shows_the_last(
    client: Client, window: Window
) -> None:
    address = window.addresses["player"]
    for named in (str(window.event.pk), str(uuid4()), "x" * 500, "\0"):
        page = client.get(address, {"night": named}).content.decode()
        assert re.search(rf'<option value="{window.event.pk}"\s+selected', page)


def test_who_has_played_nothing_has_no_night(client: Client, window: Window) -> None:
    (idle,) = make_players(window.club, 1)
    assert 'id="night"' not in client.get(f"/p/{idle.pk}/").content.decode()


def test_a_club_is_searched_for_players_nights_and_leagues(client: Client, window: Window) -> None:
    address = window.addresses["club"]
    assert "League night" in read(client, address, q="league N")
    found = client.get(address, {"q": "winter"}).content.decode()
    assert f'href="/l/{window.league.pk}/"' in found
    assert "Leagues found" in read(client, address, q="winter")
    assert "Events found" in read(client, address, q="league N")
    for words, is_found in (
        ("round 2", True),
        ("Table 1", True),
        ("league table 1, round 2", True),
        ("round 1", False),
        ("table 11", False),
        ("summer round 2", False),
    ):
        page = client.get(address, {"q": words}).content.decode()
        games = page.partition("Games found")[2].partition("</ul>")[0]
        assert (f'href="/g/{window.game.pk}/"' in games) is is_found, words
    assert "Nothing with that name was found." in read(client, address, q="nobody at all")
    bo = client.get(address, {"q": "zoe"}).content.decode()
    assert f'href="/p/{window.players[2].pk}/"' in bo
    assert "Zoë G." in bo
    for hostile in ("%", "_", "\0", "' OR 1=1 --", "x" * 5000):
        assert client.get(address, {"q": hostile}).status_code == 200


def test_a_stranger_finds_nobody_by_what_he_may_not_know(client: Client, window: Window) -> None:
    address = window.addresses["club"]
    (idle,) = make_players(window.club, 1)
    Person.objects.filter(player=idle).update(name="Quentin Idle", sought="quentin idle")
    for secret in ("Lindqvist", "Grün", "adams", "Vandenberghe", "Nora Ad", "Quentin"):
        page = client.get(address, {"q": secret}).content.decode()
        assert "Nothing with that name was found." in page, secret
    assert "Bo L." in read(client, address, q="bo l.")
    member = member_of(window.club)
    assert "Bo Lindqvist" in read(member, address, q="lindqvist")
    assert "Quentin Idle" in read(member, address, q="quentin")


@pytest.fixture
def secretive(window: Window) -> Player:
    """Bo Lindqvist, who wants to be no more than a number to strangers."""
    player = window.players[1]
    Person.objects.filter(player=player).update(shown="hidden")
    return player


def test_who_wants_to_be_a_number_is_one_to_strangers(
    client: Client, window: Window, secretive: Player
) -> None:
    number = f"Player {secretive.number}"
    for name, address in window.addresses.items():
        page = client.get(address).content.decode()
        assert "Bo " not in page, name
    assert number in read(client, window.addresses["event"])
    assert client.get(f"/p/{secretive.pk}/").status_code == 404
    club = window.addresses["club"]
    for sought in ("bo", number):
        assert "Nothing with that name was found" in read(client, club, q=sought)
    assert f'href="/p/{secretive.pk}/"' not in client.get(club).content.decode()
    member = member_of(window.club)
    assert "Bo Lindqvist" in read(member, window.addresses["event"])
    assert "Bo Lindqvist" in read(member, f"/p/{secretive.pk}/")
    assert "Bo Lindqvist" in read(member, club, q="lindq")


def test_who_wants_his_whole_name_is_called_by_it(client: Client, window: Window) -> None:
    Person.objects.filter(player=window.players[2]).update(shown="full")
    page = read(client, window.addresses["event"])
    assert "Zoë Grün" in page
    assert "Lindqvist" not in page


def test_what_strangers_see_is_chosen_at_the_desk(window: Window) -> None:
    director = director_of(window.club)
    player = window.players[1]
    path = f"/desk/clubs/{window.club.pk}/members/{player.pk}/"
    assert 'value="short" selected' in director.get(path).content.decode()
    director.fill(path, shown="hidden")
    person = Person.objects.get(player=player)
    assert (person.shown, person.name) == ("hidden", "Bo Lindqvist")
    director.fill(path, name="Bo Lind")
    person.refresh_from_db()
    assert (person.shown, person.name) == ("hidden", "Bo Lind")
    assert director.fill(path, shown="everywhere").status_code == 422


def test_the_days_of_a_rating_are_written_as_people_write_them(window: Window) -> None:
    client = member_of(window.club)
    rows: Any = versions.find_latest(Scope.RATINGS, window.club.pk).rows
    player = next(one for one in window.players if str(one.pk) == rows[0]["player"])
    days = [date.fromisoformat(one["day"]) for one in rows[0]["history"]]
    assert days
    address = f"/p/{player.pk}/"
    english = read(client, address)
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    german = read(client, address)
    for day in days:
        assert f"Day by day {day.day} {day:%b %Y}" in english
        assert f"Tag für Tag {day.day}. " in german
        assert str(day) not in english + german


def test_a_corrected_hand_says_so_with_the_reason_and_no_names_for_strangers(
    window: Window,
) -> None:
    game, hand = window.game, window.hand
    name = window.names_at_the_table[0]
    visitor, member = Client(), member_of(window.club)
    pages = (f"/h/{hand.pk}/", f"/g/{game.pk}/")
    for page in pages:
        assert 'class="corrections"' not in visitor.get(page).content.decode()
    record = bytes(hand.versions.get(number=hand.current).text)
    corrections.correct_hand(
        hand_id=hand.pk,
        correction=Correction(text=record + b"; noted later\n", why=f"{name} misread it."),
        by=DIRECTOR,
        at=at(30),
    )
    for page in pages:
        shown = visitor.get(page).content.decode()
        assert 'class="corrections"' in shown
        assert "misread it." in shown
        assert name not in shown
        assert f"{html.escape(name)} misread it." in member.get(page).content.decode()
    corrections.undo_correction(
        hand_id=hand.pk, correction=Correction(why="It was right."), by=DIRECTOR, at=at(31)
    )
    assert "Correction taken back" in visitor.get(pages[0]).content.decode()


def test_the_page_of_a_player_begins_with_their_place_in_the_season(
    client: Client, window: Window
) -> None:
    path = window.addresses["player"]
    page = client.get(path).content.decode()
    order = [page.index(f'id="{one}-title"') for one in ("season", "history")]
    assert order == sorted(order)
    assert re.search(r"Winter =?\d of \d total", text_of(client.get(path).content))
    League.objects.filter(pk=window.league.pk).update(is_hidden=True)
    assert 'id="season-title"' not in client.get(path).content.decode()


def test_a_place_in_a_table_that_tells_of_a_hidden_night_is_shown_to_no_stranger(
    window: Window,
) -> None:
    other, player = make_event(window.club), window.players[0]
    leagues.add_session(league_id=window.league.pk, event=other.pk, by=DIRECTOR, at=at(40))
    window.league.sessions.filter(event=window.event).delete()
    assert find_season_place(player, [other.pk], hidden=False) is not None
    Event.objects.filter(pk=window.event.pk).update(is_hidden=True)
    assert find_season_place(player, [other.pk], hidden=False) is None
    place = find_season_place(player, [other.pk])
    assert place is not None
    assert not place.is_public
