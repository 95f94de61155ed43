"""Figure: what the server takes for one page of every view of a club with a season behind it."""

import re
import time
from collections.abc import Iterator
from html import unescape
from statistics import median
from typing import Final
from urllib.parse import urljoin

from django.core.management import call_command
from django.test import Client
from django.utils import timezone

import benchmarks.ready  # noqa: F401 (sets Django up for what is imported below)
from benchmarks.figures import Figure, verdict
from benchmarks.ready import database
from scoring.management.demo import Size, build
from tests.web.views_of_links import BEGINNINGS, view_of
from tournaments.models import Account, Event
from tournaments.publishing import publish_due

_GOAL: Final = 0.15
_SEED: Final = 7
_LINK: Final = re.compile(r'<a\b[^>]*?\bhref="([^"#]*)[^>]*>')


def figures(rounds: int) -> Iterator[Figure]:
    """The demo club's season; every page that links lead an administrator to, slowest first."""
    with database():
        call_command("collectstatic", interactive=False, verbosity=0)
        club = build(seed=_SEED, name="Season", size=Size.SMALL)
        while publish_due(clock=timezone.now):
            pass
        client = Client(headers={"host": "localhost"})
        client.force_login(Account.objects.get(email=club.sign_in.email))
        spent = {
            name: median([_seconds(client, address) for _ in range(rounds)])
            for name, address in _pages(client)
        }
        slowest = sorted(spent.items(), key=lambda one: -one[1])
        rows = [
            (name, f"{1000 * seconds:.0f}", verdict(reached=seconds <= _GOAL))
            for name, seconds in slowest
        ]
        note = (
            f"{Event.objects.count()} nights. Processor time of one page on SQLite, medians of"
            f" {rounds}; the goal is {1000 * _GOAL:.0f} ms."
        )
        yield Figure("Pages of a season", ("page", "CPU ms", "reached"), rows, note)


def _pages(client: Client) -> Iterator[tuple[str, str]]:
    """An address of every view, by the view and what its query chooses."""
    waiting, known = [*BEGINNINGS], set[str]()
    while waiting:
        address = waiting.pop(0)
        name = view_of(address)
        if name is None or name in known:
            continue
        known.add(name)
        answer = client.get(address)
        if answer.status_code == 200 and answer["Content-Type"].startswith("text/html"):
            yield name, address
            links = _LINK.findall(answer.content.decode())
            waiting += [urljoin(address, unescape(link)) for link in links]


def _seconds(client: Client, address: str) -> float:
    begun = time.process_time()
    client.get(address)
    return time.process_time() - begun
