"""Who may do what: every endpoint, asker and kind of club has its answer here.

The endpoints are read off the addresses, so that one without a row fails. A new endpoint needs its
row in NEEDS: the word for what it takes to come in. What each asker may do stands in MAY; both
are written by hand here and not read off the code, so that neither changes without the other.

Each endpoint is asked in the asker's own club, in a private and in a public one where they are
nobody.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests.api.asking import Asking
from tests.api.world import OWN, PLACES, PRIVATE, PUBLIC, World
from tournaments.api.permissions import Authentication
from tournaments.api.views import ApiViewSet

pytestmark = pytest.mark.django_db

ANYBODY, SIGNED_IN = "anybody", "signed in"

NEEDS: Final[dict[str, dict[str, str]]] = {
    "api-session": {"POST": ANYBODY, "DELETE": ANYBODY},
    "api-me": {"GET": SIGNED_IN},
    "api-password": {"POST": SIGNED_IN},
    "api-acceptance-list": {"POST": ANYBODY},
    "api-invitation-list": {"POST": "roles.edit"},
    "api-presets": {"GET": ANYBODY},
    "api-switches": {"GET": ANYBODY},
    "api-limits": {"GET": ANYBODY},
    "api-club-list": {"GET": ANYBODY, "POST": SIGNED_IN},
    "api-club-detail": {"GET": "club.read", "PATCH": "club.edit"},
    "api-player-list": {"GET": "club.read", "POST": "players.edit"},
    "api-player-detail": {"GET": "club.read", "PATCH": "players.edit"},
    "api-player-merge": {"POST": "players.edit"},
    "api-player-person": {"DELETE": "players.erase"},
    "api-bar-list": {"GET": "players.edit", "POST": "players.edit"},
    "api-bar-detail": {"DELETE": "players.edit"},
    "api-role-list": {"GET": "roles.read", "POST": "roles.edit"},
    # Of somebody else; one's own is given up by anybody.
    "api-role-detail": {"DELETE": "roles.edit"},
    "api-key-list": {"GET": "keys.edit", "POST": "keys.edit"},
    "api-key-detail": {"DELETE": "keys.edit"},
    "api-rule-set-list": {"GET": "club.read", "POST": "rules.edit"},
    "api-rule-set-detail": {"GET": "club.read", "PATCH": "rules.edit", "DELETE": "rules.edit"},
    "api-rule-set-sheet": {"GET": "club.read"},
    "api-club-job-list": {"GET": "exports.make"},
    "api-job-detail": {"GET": "exports.make", "DELETE": "exports.make"},
    "api-job-file": {"GET": "exports.make"},
    "api-audit-list": {"GET": "audit.read"},
    "api-audit-detail": {"GET": "audit.read"},
    "api-club-event-list": {"GET": "club.read", "POST": "events.edit"},
    "api-event-detail": {"GET": "club.read", "PATCH": "events.edit", "DELETE": "events.edit"},
    "api-event-cancel": {"POST": "events.edit"},
    "api-event-reinstate": {"POST": "events.edit"},
    "api-event-move": {"POST": "events.edit"},
    "api-event-finish": {"POST": "events.edit"},
    "api-event-end": {"POST": "events.edit"},
    "api-event-end-corrections": {"POST": "events.edit"},
    "api-event-official": {"POST": "events.edit"},
    "api-event-amendment": {"GET": "club.read"},
    "api-event-amendment-confirm": {"POST": "events.edit"},
    "api-event-amendment-decline": {"POST": "events.edit"},
    "api-event-reopen": {"POST": "events.edit"},
    "api-entry-list": {"GET": "club.read", "POST": "events.edit"},
    "api-entry-detail": {"GET": "club.read", "PATCH": "events.edit", "DELETE": "events.edit"},
    "api-apart-list": {"GET": "events.edit", "POST": "events.edit"},
    "api-meet-list": {"POST": "events.edit"},
    "api-adjustment-list": {"GET": "club.read", "POST": "events.edit"},
    "api-adjustment-detail": {"DELETE": "events.edit"},
    "api-decision-list": {"GET": "club.read", "POST": "events.edit"},
    "api-decision-detail": {"DELETE": "events.edit"},
    "job-signature": {"GET": "exports.make"},
    "api-event-game-list": {"POST": "events.edit"},
    "api-event-game-detail": {"DELETE": "events.edit"},
    "api-event-cut": {"GET": "club.read"},
    "api-final-list": {"POST": "events.edit"},
    "api-event-awards": {"GET": "club.read"},
    "api-event-reply-list": {"GET": "events.edit"},
    "api-board-list": {"GET": "club.read", "POST": "events.edit"},
    "api-board-detail": {"GET": "club.read"},
    "api-seatings": {"GET": "events.edit"},
    "api-repeat-free-rounds": {"GET": "club.read"},
    "api-round-list": {"GET": "club.read", "POST": "events.edit"},
    "api-round-detail": {"GET": "club.read", "PUT": "events.edit"},
    "handouts": {"GET": "links.edit"},
    "api-slip-list": {"GET": "hands.rule", "POST": "hands.rule"},
    "api-slip-detail": {"GET": "hands.rule"},
    "api-slip-crop": {"GET": "hands.rule"},
    "api-slip-answer-questions": {"POST": "hands.rule"},
    "api-slip-accept": {"POST": "hands.rule"},
    "api-slip-set-aside": {"POST": "hands.rule"},
    "api-slip-put-back": {"POST": "hands.rule"},
    "game-handouts": {"GET": "links.edit"},
    "league-handouts": {"GET": "links.edit"},
    "api-door": {"GET": "events.edit", "POST": "events.edit", "DELETE": "events.edit"},
    "api-clock": {"GET": "club.read"},
    "api-clock-start": {"POST": "games.open"},
    "api-clock-pause": {"POST": "games.open"},
    "api-clock-resume": {"POST": "games.open"},
    "api-clock-add": {"POST": "games.open"},
    "api-clock-stop": {"POST": "games.open"},
    "api-round-start": {"POST": "games.open"},
    "api-round-close": {"POST": "games.open"},
    "api-round-take-back": {"POST": "games.open"},
    "table-seats": {"PUT": "games.open"},
    "table-adjournment": {"PUT": "games.open", "DELETE": "games.open"},
    "table-end": {"POST": "games.open"},
    "api-club-game-list": {"GET": "club.read", "POST": "games.open"},
    "api-game-detail": {"GET": "club.read", "PATCH": "games.open"},
    "api-game-seats": {"POST": "games.open"},
    "api-game-transfer-list": {"GET": "club.read"},
    "api-game-hand-list": {"GET": "club.read", "POST": "hands.enter"},
    "api-draft-list": {"GET": "hands.enter"},
    "api-draft-detail": {"PUT": "hands.enter"},
    "api-draft-deal": {"POST": "hands.enter"},
    "api-club-hand-list": {"GET": "hands.rule"},
    "api-hand-detail": {"GET": "club.read"},
    "api-hand-record": {"GET": "club.read"},
    "api-hand-analysis": {"GET": "club.read"},
    "api-hand-version-list": {"GET": "club.read", "POST": "hands.correct"},
    "api-correction-preview": {"POST": "hands.correct"},
    "api-correction-undo": {"POST": "hands.correct"},
    "api-hand-confirmation": {"POST": "hands.confirm"},
    "api-hand-objection": {"POST": "hands.confirm"},
    "api-dispute-detail": {"GET": "club.read"},
    "api-dispute-agreement": {"POST": "hands.confirm"},
    "api-dispute-take-back": {"POST": "hands.enter"},
    "api-correction-choice": {"POST": "hands.correct"},
    "api-hand-board-decide": {"POST": "hands.rule"},
    "api-hand-ruling-list": {"GET": "club.read", "POST": "hands.rule"},
    "api-proposal-list": {"GET": "hands.rule"},
    "api-irregularity-list": {"GET": ANYBODY},
    "signature": {"GET": ANYBODY},
    "api-proposal-preview": {"POST": "hands.rule"},
    "api-ruling-appeal": {"POST": "hands.rule"},
    "api-game-end-closing": {"POST": "games.open"},
    "api-game-end-reopening": {"POST": "games.open"},
    "api-game-end-official": {"POST": "games.open"},
    "api-fees": {"GET": "events.edit"},
    "api-prizes": {"POST": "money.edit"},
    "api-entry-fee": {"PUT": "events.edit"},
    "api-link-list": {"GET": "links.edit", "POST": "links.edit"},
    "api-link-detail": {"DELETE": "links.edit"},
    "api-paper-list": {"GET": "club.read", "POST": "hands.enter"},
    "api-paper-opening": {"POST": "hands.enter"},
    "api-paper-revealing": {"POST": "hands.rule"},
    "api-money-list": {"GET": "money.read", "POST": "money.edit"},
    "api-money-reversals": {"POST": "money.edit"},
    "sheet": {"GET": "money.read"},
    "exports": {"GET": "exports.make", "POST": "exports.make"},
    "standings-file": {"GET": "club.read"},
    "calendar": {"GET": "club.read"},
    "feed": {"GET": "club.read"},
    "atom-feed": {"GET": "club.read"},
    "imports": {"GET": "imports.make", "POST": "imports.make"},
    "api-import-detail": {"GET": "imports.make"},
    "api-import-undo": {"POST": "imports.make"},
    "api-club-webhook-list": {"GET": "webhooks.edit", "POST": "webhooks.edit"},
    "api-webhook-detail": {"PATCH": "webhooks.edit", "DELETE": "webhooks.edit"},
    "api-webhook-secret": {"POST": "webhooks.edit"},
    "api-webhook-test": {"POST": "webhooks.edit"},
    "api-delivery-again": {"POST": "webhooks.edit"},
    "api-webhook-delivery-list": {"GET": "webhooks.edit"},
    "api-event-results": {"GET": "club.read", "PUT": "events.edit"},
    "api-event-standings": {"GET": "club.read"},
    "api-club-league-list": {"GET": "club.read", "POST": "leagues.edit"},
    "api-league-detail": {"GET": "club.read", "PATCH": "leagues.edit"},
    "api-league-close": {"POST": "leagues.edit"},
    "api-league-amendment": {"GET": "club.read"},
    "api-league-amendment-confirm": {"POST": "leagues.edit"},
    "api-league-amendment-decline": {"POST": "leagues.edit"},
    "api-league-reopen": {"POST": "leagues.edit"},
    "api-league-member-list": {"GET": "club.read", "POST": "leagues.edit"},
    "api-league-member-detail": {"PATCH": "leagues.edit"},
    "api-league-session-list": {"GET": "club.read", "POST": "leagues.edit"},
    "api-league-session-detail": {"PATCH": "leagues.edit", "DELETE": "leagues.edit"},
    "api-league-promotions": {"GET": "club.read"},
    "api-league-standings": {"GET": "club.read"},
    "api-event-certainty": {"GET": "club.read"},
    "api-league-certainty": {"GET": "club.read"},
    "api-ratings": {"GET": "club.read"},
    "api-player-statistics": {"GET": "names.read"},
}
"""What it takes to come in, by the name of the address and the method."""

OPEN_TO_ALL: Final = {"openapi", "api-docs", "api-check", "api-problems", None}
"""Addresses of the API that are open to everybody and know nothing of clubs."""

_MEMBER: Final = {"club.read", "names.read"}
_DIRECTOR: Final = _MEMBER | {
    "players.edit", "games.open", "hands.enter", "hands.confirm", "hands.rule", "hands.correct",
    "links.edit", "money.read", "events.edit", "leagues.edit",
}  # fmt: skip
_FOR_PEOPLE: Final = {"roles.edit", "keys.edit"}
_ADMIN: Final = _DIRECTOR | _FOR_PEOPLE | {
    "club.edit", "players.erase", "rules.edit", "roles.read", "money.edit", "webhooks.edit",
    "audit.read", "exports.make", "imports.make",
}  # fmt: skip
_FEDERATION: Final = _MEMBER | {"roles.read", "roles.edit", "money.read", "audit.read"}

MAY: Final[dict[str, set[str]]] = {
    "visitor": set(),
    "stranger": set(),
    "player": _MEMBER,
    "treasurer": _MEMBER | {"money.read", "money.edit"},
    "director": _DIRECTOR,
    "admin": _ADMIN,
    "federation": _FEDERATION,
    # A program with the key of an admin and all scopes there are.
    "key": _ADMIN - _FOR_PEOPLE,
    # A phone with a link to this game, and one with a link to another game of the club.
    "scorer": {"club.read", "hands.enter", "hands.confirm"},
    "link": set(),
}
"""What each may do in the club of their own."""


def patterns(found: Any = None) -> Iterator[URLPattern]:
    """Every address of the service but those of Django's admin, which lets in superusers alone."""
    for one in (found or get_resolver()).url_patterns:
        if isinstance(one, URLResolver):
            if one.namespace != "admin":
                yield from patterns(one)
        else:
            yield one


def address_of(name: str) -> tuple[str, list[str]]:
    """The address of a name, with a place for each of what has to be given to make it."""
    forms: Any = get_resolver().reverse_dict[name]
    template, keys = forms[0][0]
    return template, list(keys)


def keys_of(name: str) -> list[str]:
    return address_of(name)[1]


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A method at an address of the API, and what it reads and writes."""

    view: type[ApiViewSet]
    action: Any
    takes_body: bool
    is_idempotent: bool
    if_match: bool


def endpoints() -> Iterator[tuple[tuple[str, str], Endpoint]]:
    """Every endpoint by the name of its address and its method."""
    for pattern in patterns():
        view = getattr(pattern.callback, "cls", None)
        if not isinstance(view, type) or not issubclass(view, ApiViewSet):
            continue
        if pattern.name in OPEN_TO_ALL:
            continue
        assert pattern.name is not None
        actions: dict[str, str] = getattr(pattern.callback, "actions", {})
        for method, name in actions.items():
            if method == "head":
                continue
            action = getattr(view, name)
            yield (
                (pattern.name, method.upper()),
                Endpoint(
                    view,
                    action,
                    takes_body=name in view.inputs,
                    is_idempotent=getattr(action, "is_idempotent", False),
                    if_match=getattr(action, "if_match", False),
                ),
            )


ENDPOINTS: Final = dict(endpoints())


def test_every_endpoint_has_a_row_and_every_row_an_endpoint() -> None:
    rows = {(name, method) for name, methods in NEEDS.items() for method in methods}
    assert rows == set(ENDPOINTS)


def test_every_address_of_the_api_is_an_endpoint_or_open_to_all() -> None:
    named = {
        pattern.name
        for resolver in get_resolver().url_patterns
        if str(resolver.pattern).startswith("api")
        for pattern in ([resolver] if isinstance(resolver, URLPattern) else patterns(resolver))
    }
    assert named == {name for name, _method in ENDPOINTS} | OPEN_TO_ALL


def expected(who: str, place: str, need: str, method: str, endpoint: Endpoint) -> int:
    """The status for somebody who must not come in; 0 for whoever may."""
    if who in ("scorer", "link") and not _knows_links(endpoint):
        return 401
    if who == "visitor" and method != "GET" and need != ANYBODY:
        return 401
    if need in (ANYBODY, SIGNED_IN):
        return 401 if need == SIGNED_IN and who == "visitor" else 0
    if place == PUBLIC and need == "club.read":
        return 0
    is_somebody = who == "federation" or (
        place == OWN and who not in ("visitor", "stranger", "link")
    )
    if not is_somebody and place != PUBLIC:
        return 404
    if is_somebody and need in MAY[who]:
        return 0
    return 401 if who == "visitor" else 403


def _knows_links(endpoint: Endpoint) -> bool:
    ways = [way for way in endpoint.view.authentication_classes if issubclass(way, Authentication)]
    return "seat" in {way.name for way in ways}


@pytest.mark.parametrize(("name", "method"), sorted(ENDPOINTS), ids=lambda word: word)
def test_who_comes_in(world: World, name: str, method: str) -> None:
    endpoint = ENDPOINTS[name, method]
    wrong = []
    for place in PLACES:
        ids = world.corners[place].ids
        path = reverse(name, kwargs={key: ids[key] for key in keys_of(name)})
        for who, asking in world.askers.items():
            status = asked(asking, method, path, takes_body=endpoint.takes_body)
            should = expected(who, place, NEEDS[name][method], method, endpoint)
            if (status if status in (401, 403, 404) else 0) != should or status >= 500:
                wrong.append(f"{who} in {place}: {status}, not {should or 'let in'}")
    assert not wrong, "\n".join(wrong)


def asked(asking: Asking, method: str, path: str, *, takes_body: bool) -> int:
    """The status of an answer; whatever was done is undone, so that the next finds the same."""
    block = transaction.atomic()
    block._from_testcase = True  # type: ignore[attr-defined]
    with block:
        body: dict[str, object] | None = {} if takes_body else None
        status: int = asking.ask(method, path, body, If_Match='"1"').status_code
        transaction.set_rollback(True)
    return status


def test_what_is_private_takes_as_many_questions_as_what_is_not_there(world: World) -> None:
    stranger = world.askers["stranger"]
    nowhere = "0193f000-0000-7000-8000-000000000000"
    for place in (str(world.corners[PRIVATE].club.pk), nowhere):
        with CaptureQueriesContext(connection) as asked_of_it:
            stranger.get(f"/api/v1/clubs/{place}/players")
        assert len(asked_of_it) == 4


def test_what_is_private_and_what_is_not_there_look_the_same(world: World) -> None:
    stranger = world.askers["stranger"]
    private = world.corners[PRIVATE].ids
    nowhere = dict.fromkeys(private, "0193f000-0000-7000-8000-000000000000") | {"number": 1}
    for name, method in ENDPOINTS:
        keys = keys_of(name)
        if not keys or (name, method) == ("api-club-list", "POST"):
            continue
        answers = [
            stranger.ask(
                method,
                reverse(name, kwargs=kwargs),
                {} if ENDPOINTS[name, method].takes_body else None,
                If_Match='"1"',
            )
            for kwargs in ({key: ids[key] for key in keys} for ids in (private, nowhere))
        ]
        assert answers[0].status_code == answers[1].status_code == 404, name
        assert answers[0].content == answers[1].content
        assert dict(answers[0].headers) == dict(answers[1].headers)
