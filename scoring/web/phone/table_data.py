"""Data about a table for its phones, besides the game itself.

A phone that waits asks for the marks of its `News` alone, and mostly hears that they still stand.
"""

import hashlib
from collections.abc import Sequence
from datetime import datetime
from fractions import Fraction
from typing import TypedDict
from uuid import UUID

from django.db.models import Count, Max, Q, Sum

from engine.games.game import final
from scoring.games import links
from scoring.games.director_calls import CallData, call_data
from scoring.games.phones import seats_with_phones
from scoring.games.table_codes import is_adjourned
from scoring.ledger.payouts import currency_of
from scoring.models import Game, HandDraft, Phase, SealedPaper, SeatLink, Sitting
from scoring.models.states import read_state
from scoring.presentation.answers import NextHand, game_answer, seats_of
from scoring.presentation.cards import seat_name
from scoring.presentation.game_titles import game_title, place_title
from scoring.selectors import queries
from scoring.settlement.plan import rules_of
from tournaments.core.entity_tags import tag_of
from tournaments.events.announcements import describe_finish
from tournaments.events.round_clocks import ClockData, clock_data
from tournaments.models import Event, Player, RoundClock, Table
from tournaments.people.display_names import number_suffix, shared_names, table_names
from tournaments.selectors import shown_name
from tournaments.web.number_format import format_exact, format_number, money


class AverageSettlement(TypedDict):
    """By seat, in the language of the reader: points, and money where points are worth some.

    ``left`` is what stays in the pot, empty for nothing.
    """

    points: dict[str, str]
    money: dict[str, str] | None
    left: str


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
    the numbers of those who share theirs. ``place`` is the table, and the game of its round where
    the night has several; ``title`` says of which round. ``boards`` are the numbers of the prepared
    deals, by hand; ``planned`` is how many hands the round has, null outside an event; ``clock`` is
    that of the round or the break, null where none is set. ``averaged`` is what each collects or
    pays in the end, null where the rules settle otherwise. ``phones`` are the seats whose players
    have a phone of their own at the table. ``adjourned`` says when a game is finished that is
    finished another day; empty for others.
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
    adjourned: str


def seating_of(link: SeatLink, at: datetime) -> Seating:
    """Return the seating, as a phone at this very table may know it. At most six queries."""
    game = link.game
    seats = seats_of(game)
    sat = _sitting(game, seats)
    shared = shared_names(game.club)
    event = None if game.table is None else _event_at(game.table)
    place = place_title(game)
    if event is not None and event.round_rules and game.rule_set is not None:
        place = f"{place} · {game.rule_set.name}"
    return {
        "game": game.pk,
        "seat": None if link.seat is None else seats[link.seat],
        "seats": list(seats),
        "called": dict(zip(sat, table_names(list(sat.values())), strict=True)),
        "names": {seat: shown_name(player, in_full=True) for seat, player in sat.items()},
        "marks": {seat: mark for seat, one in sat.items() if (mark := number_suffix(one, shared))},
        "title": game_title(game, isolated=True),
        "place": place,
        "club": game.club.name,
        "ends_at": links.ends_at(link),
        "counted": _game_progress(game, seats),
        "boards": [] if game.table is None else game.table.boards,
        "planned": None if event is None else event.hands,
        "clock": None if event is None else clock_data(getattr(event, "clock", None), at),
        "averaged": average_settlement(game, seats),
        "phones": []
        if event is None
        else [seats[seat] for seat in sorted(seats_with_phones(game))],
        "adjourned": _adjourned(game),
    }


def _adjourned(game: Game) -> str:
    if game.table is None or not is_adjourned(game):
        return ""
    return describe_finish(game.table.finish_on, game.club.time_zone)


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
    """Return the answers to the phone's first requests. Seven queries at most."""
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

    ``token`` opens the game, ``code`` the table of the ``event``, round after round. ``stays``: it
    came for a game that is finished another day, and goes to no other while that is open.
    """

    token: str
    code: str | None
    event: UUID | None
    stays: bool


def is_over(opened: Opened) -> bool:
    """Whether no hand follows: the game ended by its rule, or the director closed it."""
    ended = opened["phase"] in (Phase.CLOSED, Phase.OFFICIAL)
    return ended or opened["next"]["phase"] == Phase.OVER


class Place(TypedDict):
    """A seat as it is seen before any script runs; ``held`` are its chips, or its points."""

    called: str
    letter: str
    held: int | None
    deals: bool
    is_own: bool


def places(opened: Opened) -> list[Place]:
    """The seats of a table in turn."""
    seating, following = opened["seating"], opened["next"]
    held = following["chips"] or following["totals"] or {}
    return [
        {
            "called": seating["called"].get(seat) or seat_name(seat),
            "letter": seat,
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


class News(TypedDict):
    """News of everything that changes by itself: the game, the hands begun on phones, the papers.

    ``clock`` is no mark, but that of the round or the break itself; null where none is set. So is
    ``call``, the table's for the director. ``adjourned`` as in `Seating`.
    """

    game: int
    drafts: str
    papers: str
    clock: ClockData | None
    call: CallData | None
    adjourned: str


def news_of(game: Game, at: datetime) -> News:
    """The marks of a game. Two queries, and one more for the clock of an event."""
    drafts = HandDraft.objects.filter(game=game).aggregate(
        Count("pk"),
        Sum("change"),
        Max("kept_at"),
        deals_seen=Count("pk", filter=Q(sees_deal=True)),
    )
    papers = SealedPaper.objects.filter(game=game).aggregate(Count("pk"), Count("opened_at"))
    clock = None
    if game.table_id is not None:
        clock = RoundClock.objects.filter(event__round_rows__tables=game.table_id).first()
    return {
        "game": game.version,
        "drafts": _mark(drafts),
        "papers": _mark(papers),
        "clock": clock_data(clock, at),
        "call": call_data(game, at),
        "adjourned": _adjourned(game),
    }


def tag_news(news: News) -> str:
    """The ETag of all of them together, whenever they were read."""
    clock = news["clock"]
    return tag_of({**news, "clock": clock and {**clock, "at": None}})


def _mark(values: object) -> str:
    return hashlib.sha256(repr(values).encode()).hexdigest()[:16]


def average_settlement(game: Game, seats: Sequence[str]) -> AverageSettlement | None:
    """Return the settlement of a finished game; None while it is played, and by other rules."""
    rules, state = rules_of(game), read_state(game.state)
    if state.over is None and game.phase not in (Phase.CLOSED, Phase.OFFICIAL):
        return None
    found = final(rules, state)
    if found.net is None:
        return None
    currency = currency_of(game.club.currency, rules)
    paid = None
    if found.payout is not None:
        paid = {
            seat: _format_gain(minor, currency)
            for seat, minor in zip(seats, found.payout.amounts, strict=True)
        }
    return {
        "points": dict(zip(seats, map(_points, found.net), strict=True)),
        "money": paid,
        "left": str(found.left) if found.left else "",
    }


def _points(net: Fraction) -> str:
    exact = format_exact(str(net))
    said = format_number(str(net), signed=True)
    return f"{said} ({exact})" if exact else said


def _format_gain(minor: int, currency: str) -> str:
    sign = "\N{MINUS SIGN}" if minor < 0 else "+" if minor else ""
    return f"{sign}{money(abs(minor), currency)} {currency}"
