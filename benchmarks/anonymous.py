"""Figure: what every address costs that a stranger may read of a league of 400 players."""

import time
from collections.abc import Iterable, Iterator, Mapping
from statistics import median
from typing import Any, Final

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import NoReverseMatch, URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.figures import Figure, verdict
from benchmarks.league_pages import PLAYERS, make_league
from benchmarks.ready import database
from tournaments import publishing
from tournaments.models import League, Round, Scope, TableGame

NIGHTS: Final = 31
BYTES_MAX: Final = 300_000
"""Bytes of an answer as it is sent to a program that takes what is packed by gzip."""
QUERIES_MAX: Final = 8
"""Of a feed, a calendar, a wall that is polled, and the OpenAPI document."""
_LIGHT: Final = ("calendar", "feed", "openapi.json", "view=projector&part=live")
_LIGHT_MS, _ALL_MS = 10.0, 150.0
_TABLES: Final = ("pdf", "csv", "html", "json", "ods", "xlsx")
_WISHES: Final[Mapping[str, Iterable[str]]] = {
    "event-page": ("", "part=live", "view=projector", "view=projector&part=live", "columns=all"),
    "league-page": (
        *("", "part=live", "view=projector", "view=projector&part=live"),
        *("nights=all", "nights=all&columns=all"),
    ),
    "api-event-standings": ("", "limit=100", "offset=350"),
    "api-league-standings": ("", "limit=100", "offset=350"),
    "standings-file": tuple(
        f"format={form}&{scope}={{{scope}_id}}" for form in _TABLES for scope in ("event", "league")
    ),
}
"""What the addresses of some views may ask for after their question mark."""


def is_light(address: str) -> bool:
    """Whether programs and screens ask for this again and again."""
    return any(word in address for word in _LIGHT)


def figures(rounds: int) -> Iterator[Figure]:
    """Processor time, statements and bytes, the dearest first."""
    with database():
        call_command("collectstatic", interactive=False, verbosity=0)
        client = Client(headers={"host": "localhost", "accept-encoding": "gzip"})
        costs = [
            (address, first, *_measure(client, address, rounds))
            for address, first in _first_answers(client, make_published_league(NIGHTS))
        ]
    rows = [
        (
            shorten(address), f"{first:.0f}", f"{again:.1f}", f"{known:.1f}", str(statements),
            f"{sent / 1000:.0f}", f"{_LIGHT_MS if is_light(address) else _ALL_MS:.0f}",
            verdict(
                reached=again <= (_LIGHT_MS if is_light(address) else _ALL_MS)
                and sent <= BYTES_MAX
                and not (is_light(address) and statements > QUERIES_MAX)
            ),
        )
        for address, first, again, known, statements, sent in sorted(
            costs, key=lambda one: -one[2]
        )
    ]  # fmt: skip
    yield Figure(
        f"What strangers read of a league of {NIGHTS} nights and {PLAYERS} players",
        (
            "address",
            "first ms",
            "again ms",
            "304 ms",
            "statements",
            "sent kB",
            "goal ms",
            "reached",
        ),
        rows,
        f"Processor time on {connection.display_name}, medians of {rounds}: once after something"
        f" changed, every other time, and for who has it. Sent: compressed; at most"
        f" {BYTES_MAX // 1000} kB. At most {QUERIES_MAX} statements where the goal is"
        f" {_LIGHT_MS:.0f} ms.",
    )


def make_published_league(nights: int) -> League:
    """A season whose nights and table are published."""
    league = make_league(nights)
    for night in league.sessions.order_by("number"):
        publishing.publish(scope=Scope.EVENT, subject=night.event_id, clock=timezone.now)
    publishing.publish(scope=Scope.LEAGUE, subject=league.pk, clock=timezone.now)
    return league


def list_addresses(league: League) -> list[str]:
    """Return every address that the parts of a league can be put into, with what it may ask for."""
    event = league.sessions.order_by("-number")[0].event
    entry = event.entries.order_by("number").select_related("player")[0]
    game = TableGame.objects.filter(event=event).earliest("pk")
    ids = {
        "club_id": league.club_id, "league_id": league.pk, "event_id": event.pk,
        "entry_id": entry.pk, "player_id": entry.player_id, "game_id": game.pk,
        "table_id": game.table_id, "round_id": Round.objects.get(event=event).pk, "number": 1,
    }  # fmt: skip
    found = []
    for pattern in _patterns(get_resolver()):
        named = {key: ids[key] for key in pattern.pattern.converters if key in ids}
        try:
            path = reverse(str(pattern.name), kwargs=named)
        except NoReverseMatch:  # of a hand, a code, a file of the help
            continue
        wishes = _WISHES.get(str(pattern.name), ("",))
        found += [f"{path}?{wish.format(**ids)}".removesuffix("?") for wish in wishes]
    return sorted(set(found))


def _patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    for one in resolver.url_patterns:
        if isinstance(one, URLPattern):
            yield one
        elif one.namespace != "admin":
            yield from _patterns(one)


def ask(client: Client, address: str, **headers: str) -> tuple[Any, int]:
    """Return the answer and the number of statements that it took."""
    told: list[str] = []

    def count(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:  # noqa: FBT001
        told.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count):
        answer = client.get(address, headers=headers)
        read(answer)
    return answer, len(told)


def read(answer: Any) -> bytes:
    """Return the whole body of an answer, read once."""
    whole: bytes = answer.getvalue() if answer.streaming else answer.content
    return whole


def shorten(address: str) -> str:
    """Return an address with the kinds of its parts instead of their identifiers.

    >>> shorten("/e/0193f0a4-6a6e-7cc0-9d0c-3a4f5b6c7d8e/?part=live")
    '/e/…/?part=live'
    """
    parts = address.replace("=", "=/").split("/")
    return "/".join("…" if part.count("-") == 4 else part for part in parts).replace("=/", "=")


def _first_answers(client: Client, league: League) -> Iterator[tuple[str, float]]:
    """The addresses that a stranger may read, and the milliseconds of their first answer."""
    for address in list_addresses(league):
        begun = time.process_time()
        answer, _statements = ask(client, address)
        if answer.status_code == 200:
            yield address, 1000 * (time.process_time() - begun)


def _measure(client: Client, address: str, rounds: int) -> tuple[float, float, int, int]:
    """Milliseconds of an answer and of a 304, the statements and the bytes of an answer."""
    answer, statements = ask(client, address)
    known = {"if-none-match": answer["ETag"]} if "ETag" in answer else {}
    return (
        median(_milliseconds(client, address, {}) for _ in range(rounds)),
        median(_milliseconds(client, address, known) for _ in range(rounds)),
        statements,
        len(read(client.get(address))),
    )


def _milliseconds(client: Client, address: str, headers: Mapping[str, str]) -> float:
    begun = time.process_time()
    read(client.get(address, headers=headers))
    return 1000 * (time.process_time() - begun)
