"""What the window looks into: a public club with a played night, a season, and a private club."""

from dataclasses import dataclass
from datetime import UTC, datetime

from django.test import Client

from scoring.models import Game, Hand
from tests.api.asking import account_of, role_of
from tests.scoring.club import (
    DIRECTOR,
    at,
    enter,
    make_club,
    make_game,
    make_players,
    make_rules,
)
from tests.tournaments.night import check_in, draw, make_event, play, play_round, start
from tournaments import publishing
from tournaments.core.name_folding import fold_name
from tournaments.events import leagues
from tournaments.models import Club, Event, League, Person, Player, Scope, Stale

LONG = "Wilhelmina Alexandra Vandenberghe-Oosterhuizen van Wassenaer"
NAMES = (LONG, "Bo Lindqvist", "Zoë Grün", "Li Wei", "Nora Adams", "Ed Stone", "Jo Kim", "Ana Paz")


@dataclass(frozen=True, slots=True)
class Window:
    """A club with one round played and the second begun."""

    club: Club
    players: list[Player]
    event: Event
    league: League
    game: Game
    hand: Hand

    @property
    def names_at_the_table(self) -> list[str]:
        """Who sits in the game that is opened."""
        people = Person.objects.filter(player__results__game=self.game.pk).distinct()
        return list(people.values_list("name", flat=True))

    @property
    def addresses(self) -> dict[str, str]:
        """Every page of the club."""
        return {
            "club": f"/c/{self.club.pk}/",
            "event": f"/e/{self.event.pk}/",
            "projector": f"/e/{self.event.pk}/?view=projector",
            "league": f"/l/{self.league.pk}/",
            "player": f"/p/{self.players[0].pk}/",
            "game": f"/g/{self.game.pk}/",
            "hand": f"/h/{self.hand.pk}/",
        }


def make_window(name: str = "Leiden Hearts", *, is_public: bool = True) -> Window:
    """A club night up to its second round, published."""
    club = make_club(name, is_public=is_public)
    players = make_players(club, len(NAMES))
    for player, full in zip(players, NAMES, strict=True):
        Person.objects.filter(player=player).update(name=full, sought=fold_name(full))
    rules = make_rules(club, "bicycle", {"starting_chips": "1000"})
    event = make_event(club, rule_set=rules, rounds=2, hands=2, scoring={"method": "places"})
    check_in(event, players)
    draw(event)
    play_round(event, 1)
    games = start(event, 2)
    play(games[0], 1)
    league = leagues.create_league(
        club_id=club.pk,
        new={"name": "Winter", "planned": 4, "season": {"rule": "best_n", "best": 2}},
        by=DIRECTOR,
        at=at(),
    )
    leagues.add_session(league_id=league.pk, event=event.pk, by=DIRECTOR, at=at())
    publish_all()
    hand = Hand.objects.get(game=games[0], number=1)
    return Window(club, players, event, league, games[0], hand)


def publish_all() -> None:
    """Until nothing is behind."""
    publishing.publish_due(clock=lambda: datetime.now(UTC))
    assert not Stale.objects.exclude(scope=Scope.STATISTICS).exists()


def hand_with_cards(club: Club, text: str) -> Hand:
    """A hand of which every card was written down, in a game outside any event."""
    game = make_game(club, make_rules(club, "bicycle"))
    return enter(game, text.encode()).hand


def member_of(club: Club, kind: str = "player") -> Client:
    """A browser in which a member of the club signed in."""
    client = Client()
    account = account_of(f"{kind}@club.example")
    role_of(account, club, kind)
    client.force_login(account)
    return client
