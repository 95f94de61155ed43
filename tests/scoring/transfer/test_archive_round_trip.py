"""The archive of a club, brought into an empty one: the same games, people, hands and money."""

import json
from collections import Counter
from typing import Any

import pytest
from django.db import transaction

from scoring.management import demo
from scoring.management.demo import Size
from scoring.models import Game, Hand, Sitting, Word
from scoring.models.transfer import Transfer
from scoring.settlement.plan import active_rulings, current_versions, is_in_force
from scoring.transfer.exporting.archive import games_of, write_archive
from scoring.transfer.importing import AS_WRITTEN
from scoring.transfer.importing.report import ImportReport
from tests.scoring.archives import bring
from tests.scoring.club import make_club
from tests.scoring.transfer.test_imports import assert_verifies
from tournaments.models import Club, Player, Result

pytestmark = pytest.mark.django_db


def export(club: Club, **which: Any) -> bytes:
    return b"".join(write_archive(club, games_of(club, **which)))


def bring_back(text: bytes) -> tuple[Club, ImportReport]:
    """An empty club with an archive."""
    club = make_club("Empty")
    return club, bring(club, text, kind=AS_WRITTEN)


def people(club: Club) -> dict[Any, tuple[Any, ...]]:
    """Who everybody is, by player; a merged duplicate is the survivor."""
    found = {}
    for row in Player.objects.filter(club=club).select_related("person", "merged_into__person"):
        player = row.merged_into or row
        person = getattr(player, "person", None)
        found[row.pk] = player.number, person and person.name, player.kind
    return found


def hands(game: Game) -> list[Any]:
    """Everything that a game's hands come to."""
    rows = list(Hand.objects.filter(game=game).order_by("number", "entered_at"))
    versions, rulings = current_versions(rows), active_rulings(rows)
    return [
        (
            row.number,
            row.state,
            sorted(
                (word.seat, word.agrees, word.why)
                for word in Word.objects.filter(version__hand=row).select_related("version")
                if word.version.digest == versions[row].digest
            ),
            row.rival_id is not None,
            row.after,
            row.board,
            [
                (json.loads(one.ruling), one.trick, one.card, one.law, one.facts)
                for one in rulings.get(row, ())
                if is_in_force(one, versions[row].digest)
            ],
        )
        for row in rows
    ]


def who_sat(game: Game, who: dict[Any, Any]) -> list[Any]:
    """Who sat where at each hand."""
    rows = list(Sitting.objects.filter(game=game).order_by("seat"))
    return [
        [who[row.player_id] for row in rows if row.first <= at and (row.last or at) >= at]
        for at in range(1, game.hands + 1)
    ]


def money(game: Game, who: dict[Any, Any]) -> Counter[str]:
    """What every account of a game gave and got for what; what was reversed counts for nothing."""
    found: Counter[str] = Counter()
    rows = Transfer.objects.filter(game=game, reverses=None, reversed_by=None)
    for row in rows.select_related("payer", "payee"):
        for account, sign in ((row.payer, -1), (row.payee, 1)):
            holder = who.get(account.player_id, account.holder)
            key = f"{row.kind} {holder} {account.seat} {account.unit} {account.worth}"
            found[key] += sign * row.amount
    return found


def summary(club: Club) -> dict[str, Any]:
    """All that an archive carries, in a form that is the same for the same club."""
    who = people(club)
    games = {}
    for game in Game.objects.filter(club=club).order_by("opened_at", "name"):
        # An official game comes back closed: that it is official is decided where it is.
        phase = "closed" if game.phase == "official" else game.phase
        games[f"{game.opened_at:%Y-%m-%d %H:%M} {game.name}"] = {
            "phase": phase,
            "rules": game.digest,
            "state": (game.start, game.state, game.hands, game.booked, game.counted),
            "hands": hands(game),
            "sat": who_sat(game, who),
            "money": money(game, who),
        }
    results = Result.objects.filter(game__club=club).values_list(
        "player_id",
        "number",
        "seat",
        "score",
        "taken",
        "queen",
        "own_bid",
        "won",
        "pain",
        "jackpot",
    )
    return {
        "people": sorted({str(who[key]) for key, *_rest in results}),
        "games": games,
        "results": Counter((who[key], *rest) for key, *rest in results),
    }


@pytest.mark.parametrize("seed", [1, 3])
def test_the_demo_club_comes_back_as_it_was(seed: int) -> None:
    founded = demo.build(seed=seed, name=f"Club {seed}", size=Size.SMALL, nights=1)
    club = Club.objects.get(pk=founded.club)
    text = export(club)
    there, report = bring_back(text)
    assert (report.problems, report.left_out, report.disputed) == ([], 0, 0)
    before, after = summary(club), summary(there)
    assert after["people"] == before["people"]
    assert after["games"].keys() == before["games"].keys()
    for name, game in before["games"].items():
        assert after["games"][name] == game, name
    assert after["results"] == before["results"]
    assert_verifies(there)
    with transaction.atomic():
        again = bring(there, text, kind=AS_WRITTEN)
    assert (again.games, again.hands, again.players, again.problems) == (0, 0, 0, [])
    here = bring(club, text)
    assert (here.games, here.hands, here.players, here.problems) == (0, 0, 0, [])
