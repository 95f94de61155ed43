"""A season: twelve league nights in two divisions, with all that happens in a club's winter.

Forty members take turns in coming; walk-ins come as guests, somebody is late, somebody goes early,
one night is played with prepared deals, and sheets that turn up weeks later correct what long
stood in the table.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import Final
from uuid import UUID

from engine.record.actions import Deal
from scoring.games import nights
from scoring.games.links import actor_of
from scoring.management.demo import late_corrections
from scoring.management.demo.new_club import POT, RISING, Founded
from scoring.management.demo.tables import DemoTable
from scoring.models import Form
from scoring.settlement.plan import rules_of
from tournaments.core.deals import SECRET_BYTES, read_deal
from tournaments.events import adjustments, boards, entries, events, leagues, rounds
from tournaments.events.boards import Preparation
from tournaments.events.entries import NewEntry
from tournaments.events.seating import DrawRequest
from tournaments.models import Board, DealSecret, Entry, League, Player, PlayerKind, Presence
from tournaments.people.members import NewPlayer, add_player
from tournaments.people.rule_sets import HouseRules

NIGHTS: Final = 12
LEAGUE: Final = "Winter season"
DUPLICATE_NIGHT: Final = 8
"""The night with prepared deals."""
SWISS_NIGHT: Final = 10
FOURS_NIGHTS: Final = (3, 6, 9)
"""Nights by rules for four, where somebody may have to sit out."""
CORRECTED: Final = {2: 6, 4: 9}
"""Nights of which a sheet turns up later, and after which night."""
_FIRST_WEEK: Final = 5
_BOARDS_ROUND: Final = 2
_BEFORE: Final = timedelta(minutes=30)
_ROUND_TAKES: Final = timedelta(minutes=35)
_NEXT_DAY: Final = timedelta(days=1)

MORE_MEMBERS: Final = (
    *("Okafor, Ada", "Petrov, Ivan", "Quirke, Niamh", "Rossi, Carla", "Santos, Rui"),
    *("Tanaka, Yui", "Ulrich, Max", "Virtanen, Aino", "Wójcik, Zofia", "Xu, Lan"),
    *("Yilmaz, Deniz", "Zanetti, Ugo", "Abbott, Fay", "Berg, Nils", "Costa, Joana"),
    *("Duarte, Leo", "Ekström, Siv", "Farkas, Béla", "Gruber, Toni", "Hansen, Ida"),
    *("Ivanova, Olga", "Jung, Min-seo", "Kaya, Elif", "Lindqvist, Tor", "Murphy, Orla"),
)
"""With those of the first nights, forty."""
_FIRST_MEMBERS: Final = 15
_GUESTS: Final = ("Walker, Pat", "Strand, Eva", "Bauer, Jo")


@dataclass(slots=True)
class DemoSeason:
    """A season in the making: its members by their places in the club, and what was played."""

    club: Founded
    league: UUID
    members: tuple[UUID, ...]
    guests: tuple[UUID, ...]
    hands: int
    games: dict[int, list[UUID]] = field(default_factory=dict)

    def dice(self, *words: object) -> Random:
        """Dice of the season, named by words."""
        return self.club.chance.dice("season", *words)

    def at(self, night: int) -> datetime:
        """When a night of the season begins."""
        return self.club.chance.night(_FIRST_WEEK + night)


def play_season(club: Founded, hands: int, many: int) -> Iterator[str]:
    """Play so many nights, and name every one that is done."""
    season = _found_season(club, hands)
    for number in range(1, many + 1):
        yield _play_night(season, number)
        for night, after in CORRECTED.items():
            if after == number:
                late_corrections.settle_anew(
                    club, season.games[night], season.at(number) + _NEXT_DAY
                )


def _found_season(club: Founded, hands: int) -> DemoSeason:
    at = club.chance.night(_FIRST_WEEK) - _NEXT_DAY
    first = Player.objects.filter(pk__in=club.players[:_FIRST_MEMBERS]).order_by("number")
    members = [*(player.merged_into_id or player.pk for player in first)]
    members += [_player(club, name, PlayerKind.MEMBER, at) for name in MORE_MEMBERS]
    guests = tuple(_player(club, name, PlayerKind.GUEST, at) for name in _GUESTS)
    new = {
        "name": LEAGUE,
        "planned": NIGHTS,
        "season": {
            "rule": "best_n",
            "best": 8,
            "least_events": 3,
            "rising": "on",
            "divisions": ["1", "2"],
            "moves": 3,
        },
        "id": club.chance.identifier(at, LEAGUE),
    }
    league = leagues.create_league(club_id=club.club, new=new, by=club.director, at=at)
    season = DemoSeason(club, league.pk, tuple(members), guests, hands)
    _enrol(season, league, at)
    return season


def _player(club: Founded, name: str, kind: str, at: datetime) -> UUID:
    new = NewPlayer(person={"name": name}, kind=kind)
    return add_player(club_id=club.club, new=new, by=club.director, at=at).pk


def _enrol(season: DemoSeason, league: League, at: datetime) -> None:
    """The members in two divisions; one brings what they won before the club used this service."""
    half = len(season.members) // 2
    for place, player in enumerate(season.members):
        opening = "9/2" if place == 1 else ""
        leagues.enrol(
            league_id=league.pk,
            player=player,
            division=1 if place < half else 2,
            opening=opening,
            opening_events=1 if opening else 0,
            by=season.club.director,
            at=at,
        )


@dataclass(frozen=True, slots=True)
class _Night:
    season: DemoSeason
    number: int
    event: UUID
    rounds: int

    @property
    def at(self) -> datetime:
        return self.season.at(self.number)


def _play_night(season: DemoSeason, number: int) -> str:
    """One night from check-in to the last round; its name."""
    night, name = _set_up(season, number)
    by = season.club.director
    for round_number in range(1, night.rounds + 1):
        at = night.at + (round_number - 1) * _ROUND_TAKES
        if round_number == 1 or night.number == SWISS_NIGHT:
            rounds.draw(event_id=night.event, wanted=DrawRequest(), version=None, by=by, at=at)
        season.games.setdefault(number, []).extend(_play_round(night, round_number, at))
        if round_number == 1:
            _come_and_go(night, at + _BEFORE)
    _penalise(night)
    done = night.at + night.rounds * _ROUND_TAKES
    nights.finish_night(event_id=night.event, version=None, by=by, at=done)
    return name


def _set_up(season: DemoSeason, number: int) -> tuple[_Night, str]:
    club = season.club
    is_duplicate = number == DUPLICATE_NIGHT
    rules: HouseRules = POT if number in (*FOURS_NIGHTS, DUPLICATE_NIGHT) else RISING
    name = f"{LEAGUE}, night {number}" + (" (duplicate)" if is_duplicate else "")
    many = 3 if season.hands > _BOARDS_ROUND else 2
    at = season.at(number) - _BEFORE
    new = {
        "name": name,
        "starts_at": season.at(number),
        "rule_set": club.rules[rules.name],
        "rounds": many,
        "hands": _BOARDS_ROUND,
        "movement": "swiss" if number == SWISS_NIGHT else "planned",
        "scoring": {"method": "matchpoints"} if is_duplicate else {},
        "duplicate": is_duplicate,
        "id": club.chance.identifier(at, name),
    }
    event = events.create_event(club_id=club.club, new=new, by=club.director, at=at)
    # Matchpoints are many: a sixth of them weighs about as much as the places of another night.
    weight = "1/6" if is_duplicate else "1"
    leagues.add_session(
        league_id=season.league,
        event=event.pk,
        number=number,
        weight=weight,
        by=club.director,
        at=at,
    )
    if is_duplicate:
        secret = club.chance.dice("deals", number).randbytes(SECRET_BYTES)
        DealSecret.objects.filter(event=event).update(secret=secret)
        boards.prepare_boards(event_id=event.pk, preparation=Preparation(), by=club.director, at=at)
    night = _Night(season, number, event.pk, many)
    for player in _who_comes(night):
        _check_in(night, player, at)
    return night, name


def _who_comes(night: _Night) -> list[UUID]:
    dice = night.season.dice("who comes", night.number)
    members = [player for player in night.season.members if dice.random() < 0.7]
    guests = [player for player in night.season.guests if dice.random() < 0.4]
    return [*members, *guests]


def _check_in(night: _Night, player: UUID, at: datetime) -> Entry:
    new = NewEntry(player=player)
    return entries.enter(event_id=night.event, new=new, by=night.season.club.director, at=at)


def _play_round(night: _Night, number: int, at: datetime) -> Iterator[UUID]:
    by = night.season.club.director
    started = nights.start_round(event_id=night.event, number=number, by=by, at=at)
    links = {made.link.game_id: made.link for made in started.links}
    for seated, game in started.games:
        table = DemoTable(
            club=night.season.club,
            game=game.pk,
            name=game.name,
            rules=rules_of(game),
            now=at,
            seats=tuple(actor_of(links[game.pk], seat) for seat in range(game.players)),
        )
        form = _form_of(night, number, seated.number)
        for hand in range(_BOARDS_ROUND):
            deal = _board(night, seated.boards, hand, table)
            table.confirm(table.enter(table.deal(dealt=deal), form))
        yield game.pk
    ends = at + _ROUND_TAKES
    nights.end_round(event_id=night.event, number=number, by=by, at=ends)


def _form_of(night: _Night, round_number: int, table: int) -> Form:
    """Return the form in which a table tells its hands: mostly results, with known deals cards.

    In the first round of a night that is corrected later, every table writes results: only those
    can have been written down wrongly.
    """
    if night.number in CORRECTED and round_number == 1:
        return Form.RESULT
    dice = night.season.dice("form", night.number, round_number, table)
    weights = (1, 4, 1) if night.number == DUPLICATE_NIGHT else (4, 2, 1)
    return dice.choices((Form.RESULT, Form.ACTIONS, Form.RECORD), weights)[0]


def _board(night: _Night, numbers: Sequence[int], hand: int, table: DemoTable) -> Deal | None:
    """The prepared deal of a hand, where there is one."""
    if not numbers:
        return None
    board = Board.objects.get(event=night.event, number=numbers[hand])
    return Deal(read_deal(board.deal, table.state.dealer))


def _come_and_go(night: _Night, at: datetime) -> None:
    """After the first round one comes late and another has to leave; the rest is seated anew."""
    by = night.season.club.director
    there = set(Entry.objects.filter(event=night.event).values_list("player_id", flat=True))
    late = [player for player in night.season.members if player not in there]
    dice = night.season.dice("come and go", night.number)
    if late:
        _check_in(night, dice.choice(late), at)
    leaver = dice.choice(list(Entry.objects.filter(event=night.event).order_by("number")[:20]))
    entries.change_entry(entry_id=leaver.pk, changes={"presence": Presence.LEFT}, by=by, at=at)
    if night.number != SWISS_NIGHT and night.rounds > 1:
        rounds.draw(event_id=night.event, wanted=DrawRequest(), version=None, by=by, at=at)


def _penalise(night: _Night) -> None:
    """On one night somebody comes back from the bar too late, twice."""
    if night.number != FOURS_NIGHTS[0]:
        return
    entry = Entry.objects.filter(event=night.event).order_by("number")[4]
    adjustments.adjust_score(
        event_id=night.event,
        entry=entry.pk,
        amount="-1",
        reason="Late for the table, twice.",
        by=night.season.club.director,
        at=night.at + _NEXT_DAY,
    )
