"""Law: the nights of a league, brought into an empty club, make the same league."""

from collections.abc import Sequence
from datetime import timedelta
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.api.asking import account_of, role_of, signed_in
from tests.scoring.club import DIRECTOR, at, make_club, make_rules
from tests.tournaments.imports.tables import bring
from tests.tournaments.publishing.nights import Clock, data_of, publish_all
from tournaments.events.events import create_event
from tournaments.events.leagues import add_session, create_league
from tournaments.events.recorded_results import NewResult, record_results
from tournaments.imports.numbers import DecimalMark
from tournaments.models import Club, Event, League, Person, Scope
from tournaments.people.members import NewPlayer, add_player

pytestmark = pytest.mark.django_db

NAMES = ("Nora Adams", "Anna Jansen", "Anna Jansen", "Zoë Bäcker", "O'Brien, Pat")
Points = Sequence[Sequence[Fraction | None]]
points = st.none() | st.fractions(-50, 1500, max_denominator=12) | st.integers(-9, 1500)
leagues = st.integers(1, 3).flatmap(
    lambda nights: st.lists(
        st.lists(points, min_size=nights, max_size=nights), min_size=2, max_size=len(NAMES)
    )
)


def play(club: Club, table: Points) -> League:
    """A league of nights with results only; a night without anybody is none."""
    rules = make_rules(club)
    new = {"name": "Autumn", "season": {"rule": "drop_worst", "drop": 0}}
    league = create_league(club_id=club.pk, new=new, by=DIRECTOR, at=at())
    players = [
        add_player(club_id=club.pk, new=NewPlayer(person={"name": name}), by=DIRECTOR, at=at())
        for name, _row in zip(NAMES, table, strict=False)
    ]
    for number, night in enumerate(zip(*table, strict=True)):
        came = [
            NewResult(player=player.pk, points=str(one))
            for player, one in zip(players, night, strict=True)
            if one is not None
        ]
        if came:
            event = {
                "name": f"Night {number + 1}",
                "starts_at": at() - timedelta(days=70 - 7 * number),
                "rule_set": rules.pk,
                "is_results_only": True,
            }
            made = create_event(club_id=club.pk, new=event, by=DIRECTOR, at=at())
            record_results(event_id=made.pk, results=came, version=None, by=DIRECTOR, at=at())
            add_session(league_id=league.pk, event=made.pk, by=DIRECTOR, at=at())
    return league


def table_of(league: League) -> list[tuple[str, str, str, dict[str, str]]]:
    """Place, name with number, total and nights of everybody in a league."""
    publish_all(Clock())
    data: Any = data_of(Scope.LEAGUE, league.pk)
    names = {
        str(one.player_id): f"{one.name} ({one.player.number})"
        for one in Person.objects.filter(player__club=league.club).select_related("player")
    }
    events = {str(one.pk): one.name for one in Event.objects.filter(club=league.club)}
    return [
        (
            row["label"],
            names[row["entry"]],
            row["total"],
            {events[line["event"]]: line["points"] for line in row["lines"]},
        )
        for row in data["rows"]
        if row["lines"]
    ]


def written(text: str | None, habit: tuple[str, str]) -> str:
    """A number as a country writes it, exactly where it has no end."""
    if text is None:
        return "-"
    value = Fraction(text)
    if value.denominator != 1 and value.denominator not in (2, 4, 5, 10):
        return text
    group, mark = habit
    grouped = f"{abs(float(value)):,.2f}".replace(",", "_").replace(".", mark)
    return ("-" if value < 0 else "") + grouped.replace("_", group)


@given(table=leagues, habit=st.sampled_from([(".", ","), (",", "."), (" ", ","), ("", ",")]))
@settings(max_examples=12)
def test_a_league_that_is_brought_into_an_empty_club_is_the_same(
    table: Points, habit: tuple[str, str]
) -> None:
    with transaction.atomic():
        league = play(make_club(), table)
        rows = table_of(league)
        days = {one.name: one.starts_at.date() for one in Event.objects.all()}
        heading = [f"{name} {day.isoformat()}" for name, day in days.items()]
        lines = ["\t".join(("Name", *heading, "Total"))]
        for _label, name, total, nights in rows:
            cells = [written(nights.get(one), habit) for one in days]
            lines.append("\t".join((name, *cells, written(total, habit))))
        empty = make_club("Haarlem")
        make_rules(empty)
        if rows:
            plan = bring(
                "nights",
                empty,
                "\n".join(lines),
                league="new",
                new="member",
                decimals=str(DecimalMark.COMMA if habit[1] == "," else DecimalMark.POINT),
            )
            assert not plan.problems
            again = League.objects.get(club=empty)
            assert table_of(again) == rows
        transaction.set_rollback(True)


@pytest.mark.parametrize("form", ["xlsx", "ods"])
def test_our_own_workbook_of_a_league_of_fractions_makes_the_same_league(form: str) -> None:
    table: Points = [
        [Fraction(5 * row + 7 * night, under) for night, under in enumerate((3, 7, 11, 12, 13, 60))]
        for row in range(5)
    ]
    league = play(make_club(), table)
    rows = table_of(league)
    empty = make_club("Haarlem")
    make_rules(empty)
    plan = bring("nights", empty, own_file(league, form), league="new", new="member")
    assert not plan.problems
    assert [row[:3] for row in table_of(League.objects.get(club=empty))] == [
        row[:3] for row in rows
    ]


def own_file(league: League, form: str) -> bytes:
    admin = account_of("admin@club.example")
    role_of(admin, league.club, "admin")
    path = f"/api/v1/clubs/{league.club_id}/standings-file?league={league.pk}&format={form}"
    answer = signed_in(admin).get(path)
    assert answer.status_code == 200
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


@pytest.mark.parametrize("form", ["csv", "csv-semicolon", "xlsx", "ods"])
@pytest.mark.parametrize(
    "season", [{"rule": "drop_worst", "drop": 0}, {"rule": "best_n", "best": 2}]
)
def test_our_own_file_of_a_league_makes_the_same_league(form: str, season: dict[str, Any]) -> None:
    table: Points = [
        [Fraction(1250, 1), Fraction(7, 2), Fraction(-2), None],
        [Fraction(12), None, Fraction(1, 4), Fraction(1000)],
        [Fraction(3), Fraction(4), Fraction(5), Fraction(6)],
    ]
    league = play(make_club(), table)
    League.objects.update(season=season)
    rows = table_of(league)
    empty = make_club("Haarlem")
    make_rules(empty)
    plan = bring("nights", empty, own_file(league, form), league="new", new="member")
    assert not plan.problems
    again = League.objects.get(club=empty)
    assert again.season == season
    assert [row[:3] for row in table_of(again)] == [row[:3] for row in rows]
