"""Data about a table for its phones, besides the game itself."""

from datetime import datetime
from typing import TypedDict
from uuid import UUID

from scoring.games import links
from scoring.games.phones import seats_with_phones
from scoring.models import Game, Phase, SeatLink, Sitting
from scoring.models.states import read_state
from scoring.presentation.answers import NextHand, game_answer, seats_of
from scoring.presentation.cards import SEATS
from scoring.presentation.game_titles import game_title, place_title
from scoring.selectors import queries
from scoring.web.phone.average_settlement import AverageSettlement, average_settlement
from tournaments.events.round_clocks import ClockData, clock_data
from tournaments.models import Event, Player, Table
from tournaments.people.display_names import number_suffix, shared_names, table_names
from tournaments.selectors import shown_name


class GameProgress(TypedDict):
    """Facts of the next hand that nobody has to see: how often was dealt, and by whom.

    ``round`` counts the hands of the round so far. ``alike``: each board begins in the same state
    at every table.
    """

    deals: int
    round: int
    alike: bool
    hands: int
    dealt: dict[str, int]
    tricks: dict[str, int]
    pain: str | None
    due: str | None


class Seating(TypedDict):
    """A table as its link opens it; ``seat`` is null for a link of the whole table.

    ``called`` are the names that people use at the table; ``names`` those in full, with ``marks``,
    the numbers of those who share theirs. ``place`` is the table alone, ``title`` also of which
    round. ``boards`` are the numbers of the prepared deals, by hand; ``planned`` is how many hands
    the round has, null outside an event; ``clock`` is that of the round or the break, null where
    none is set. ``averaged`` is what each collects or pays in the end, null where the rules settle
    otherwise. ``phones`` are the seats whose players have a phone of their own at the table.
    """

    game: UUID
    seat: str | None
    seats: list[str]
    called: dict[str, str]
    names: dict[str, str]
    marks: dict[str, str]
    title: str
    place: str
    club: str
    ends_at: datetime
    counted: GameProgress
    boards: list[int]
    planned: int | None
    clock: ClockData | None
    averaged: AverageSettlement | None
    phones: list[str]


def seating_of(link: SeatLink, at: datetime) -> Seating:
    """Return the seating, as a phone at this very table may know it. At most five queries."""
    game = link.game
    seats = seats_of(game)
    sat = _sitting(game, seats)
    shared = shared_names(game.club)
    event = None if game.table is None else _event_at(game.table)
    return {
        "game": game.pk,
        "seat": None if link.seat is None else seats[link.seat],
        "seats": list(seats),
        "called": dict(zip(sat, table_names(list(sat.values())), strict=True)),
        "names": {seat: shown_name(player, in_full=True) for seat, player in sat.items()},
        "marks": {seat: mark for seat, one in sat.items() if (mark := number_suffix(one, shared))},
        "title": game_title(game, isolated=True),
        "place": place_title(game),
        "club": game.club.name,
        "ends_at": links.ends_at(link),
        "counted": _game_progress(game, seats),
        "boards": [] if game.table is None else game.table.boards,
        "planned": None if event is None else event.hands,
        "clock": None if event is None else clock_data(getattr(event, "clock", None), at),
        "averaged": average_settlement(game, seats),
        "phones": [] if event is None else [seats[one] for one in sorted(seats_with_phones(game))],
    }


def _event_at(table: Table) -> Event:
    """The event of a table with its clock. One query."""
    return Event.objects.select_related("clock").get(round_rows=table.round_id)


class Opened(TypedDict):
    """A table as the page needs it at first sight: who sits there, and what the next hand finds."""

    seating: Seating
    rules: dict[str, str]
    next: NextHand
    confirming: str
    phase: str


def opened_at(link: SeatLink, at: datetime) -> Opened:
    """Return the answers to the phone's first requests. Six queries at most."""
    game = game_answer(link.game, queries.sittings(link.game))
    return {
        "seating": seating_of(link, at),
        "rules": game["rules"],
        "next": game["next"],
        "confirming": game["confirming"],
        "phase": game["phase"],
    }


class ShownCode(TypedDict):
    """The code of the table by which a phone came in, to stay with it in this event.

    ``token`` opens the game, ``code`` the table of the ``event``, round after round.
    """

    token: str
    code: str | None
    event: UUID | None


def is_over(opened: Opened) -> bool:
    """Whether no hand follows: the game ended by its rule, or the director closed it."""
    ended = opened["phase"] in (Phase.CLOSED, Phase.OFFICIAL)
    return ended or opened["next"]["phase"] == Phase.OVER


class Place(TypedDict):
    """A seat as it is seen before any script runs; ``held`` are its chips, or its points."""

    name: str
    letter: str
    player: str
    held: int | None
    deals: bool
    is_own: bool


def places(opened: Opened) -> list[Place]:
    """The seats of a table in turn."""
    seating, following = opened["seating"], opened["next"]
    held = following["chips"] or following["totals"] or {}
    return [
        {
            "name": str(SEATS[seat]),
            "letter": seat,
            "player": seating["called"].get(seat, ""),
            "held": held.get(seat),
            "deals": seat == following["dealer"] and not is_over(opened),
            "is_own": seat == seating["seat"],
        }
        for seat in seating["seats"]
    ]


def _sitting(game: Game, seats: tuple[str, ...]) -> dict[str, Player]:
    """Return the sitters of now, with their persons."""
    people = "player__person", "player__merged_into__person"
    sat = Sitting.objects.filter(game=game, last=None).select_related(*people)
    return {seats[row.seat]: row.player.merged_into or row.player for row in sat}


def _game_progress(game: Game, seats: tuple[str, ...]) -> GameProgress:
    state = read_state(game.state)
    return {
        "deals": state.deals,
        "round": game.counted,
        "alike": game.boards_alike,
        "hands": state.hands,
        "dealt": dict(zip(seats, state.dealt, strict=True)),
        "tricks": dict(zip(seats, state.tricks, strict=True)),
        "pain": None if state.pain is None else state.pain.name[0],
        "due": None if state.due is None else str(state.due),
    }
