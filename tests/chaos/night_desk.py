"""A club night in another process: its tables for phones, and what is published of it.

python -m tests.chaos.night_desk prepare NIGHTS TABLES    a league, and keys of games, as JSON
python -m tests.chaos.night_desk wrong                    what is behind, put aside or missing
"""

import json
import os
import sys
from collections.abc import Iterator
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from benchmarks.club import BY, NIGHT, house_rules  # noqa: E402 (needs settings)
from scoring.games import nights  # noqa: E402
from tests.scoring.club import make_club, make_players  # noqa: E402
from tournaments.events import entries, events, leagues, rounds  # noqa: E402
from tournaments.events.entries import NewEntry  # noqa: E402
from tournaments.events.rounds import ByHand  # noqa: E402
from tournaments.models import Club, Event, Published, Scope, Stale  # noqa: E402
from tournaments.people.api_keys import make_key  # noqa: E402 (needs settings)


def prepare(count: int, tables: int) -> Iterator[dict[str, Any]]:
    """So many nights of a season at once, each with tables that have begun to play."""
    club = make_club()
    league = leagues.create_league(club_id=club.pk, new={"name": "Autumn"}, by=BY, at=NIGHT)
    for number in range(count):
        event = _night(club, number, tables)
        leagues.add_session(league_id=league.pk, event=event.pk, by=BY, at=NIGHT)
        started = nights.start_round(event_id=event.pk, number=1, by=BY, at=NIGHT)
        for place, (_, game) in enumerate(started.games):
            key = make_key(
                club_id=club.pk,
                name=game.name[-50:],
                kind="director",
                scopes=["hands.enter"],
                by=BY,
                at=NIGHT,
            )[1]
            yield {"game": str(game.pk), "key": key, "number": number * tables + place}


def _night(club: Club, number: int, tables: int) -> Event:
    rules = house_rules(club, "bicycle", {}) if not number else club.rule_sets.all()[0].pk
    new = {"name": f"Night {number}", "starts_at": NIGHT, "rule_set": rules, "hands": 12}
    event = events.create_event(club_id=club.pk, new=new, by=BY, at=NIGHT)
    seated = [
        entries.enter(event_id=event.pk, new=NewEntry(player=one.pk), by=BY, at=NIGHT).pk
        for one in make_players(club, 4 * tables)
    ]
    fours = [seated[first : first + 4] for first in range(0, len(seated), 4)]
    wanted = ByHand(number=1, tables=fours)
    rounds.seat_by_hand(event_id=event.pk, wanted=wanted, by=BY, at=NIGHT)
    return event


def wrong() -> Iterator[dict[str, Any]]:
    """What is not as it should be once everything has calmed down."""
    for mark in Stale.objects.exclude(scope=Scope.STATISTICS):
        yield {"behind": str(mark), "subject": str(mark.subject)}
    for row in Published.objects.exclude(trouble=""):
        yield {"trouble": row.trouble, "subject": str(row.subject)}
    there = Published.objects.filter(scope=Scope.EVENT, version__gt=0).values("subject")
    for event in Event.objects.exclude(pk__in=there):
        yield {"missing": str(event.pk)}


if __name__ == "__main__":
    asked = prepare(int(sys.argv[2]), int(sys.argv[3])) if sys.argv[1] == "prepare" else wrong()
    sys.stdout.write(json.dumps(list(asked)))
