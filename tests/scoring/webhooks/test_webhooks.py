"""Webhooks: made, changed, stopped; and told of everything that is done at a table."""

import ast
import base64
import json
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from scoring.games import closing
from scoring.hands import agreements, corrections, recording, rulings
from scoring.hands.corrections import Correction, RivalChoice
from scoring.models import AppealStep, Delivery, Game, Hand, Webhook
from scoring.settlement.changes import RulingRequest
from scoring.settlement.plan import state_before
from scoring.webhooks import subscriptions
from scoring.webhooks.subscriptions import EVENTS_BY_ACTION, WebhookEvent
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    enter,
    make_club,
    make_game,
    seat,
    state_of,
)
from tournaments import audit
from tournaments.core.errors import RefusedError, StaleError
from tournaments.models import AuditEntry, Club
from tournaments.models.club import Confirming

pytestmark = pytest.mark.django_db
URL = "https://hooks.club.example/painsuit"
SCORING = Path(__file__).parents[3] / "scoring"


def make_webhook(club: Club, *events: str, url: str = URL) -> Webhook:
    return subscriptions.add_webhook(
        club_id=club.pk, url=url, events=events or list(WebhookEvent), by=DIRECTOR, at=at()
    )


def told() -> list[str]:
    return list(Delivery.objects.order_by("id").values_list("event", flat=True))


def last_body() -> dict[str, object]:
    found: dict[str, object] = json.loads(Delivery.objects.latest("id").body)
    return found


def test_a_secret_is_made_here_shown_once_and_hard_to_guess() -> None:
    club = make_club()
    first = subscriptions.add_webhook(
        club_id=club.pk, url=URL, events=["hand.entered"], by=DIRECTOR, at=at()
    )
    second = subscriptions.add_webhook(
        club_id=club.pk, url=URL, events=["hand.entered"], by=DIRECTOR, at=at()
    )
    assert first.secret != second.secret
    assert first.secret.startswith("whsec_")
    assert len(base64.b64decode(first.secret.removeprefix("whsec_"))) == 32
    renewed = subscriptions.renew_secret(webhook_id=first.pk, by=DIRECTOR, at=at(1))
    assert renewed.secret != first.secret
    trail = AuditEntry.objects.filter(chain=club.pk).values_list("what", flat=True)
    assert list(trail) == ["webhook added", "webhook added", "webhook secret renewed"]
    assert not [entry for entry in AuditEntry.objects.all() if first.secret in entry.details]
    assert list(audit.find_broken_entries(club.pk)) == []


@pytest.mark.parametrize(
    ("url", "events", "field"),
    [
        ("http://hooks.club.example/", ["hand.entered"], "url"),
        ("https://127.0.0.1/", ["hand.entered"], "url"),
        ("https://me@hooks.club.example/", ["hand.entered"], "url"),
        (URL, ["hand.entered", "hand.eaten"], "events"),
        (URL, [], "events"),
    ],
)
def test_what_cannot_be_is_refused_by_name(url: str, events: list[str], field: str) -> None:
    club = make_club()
    with pytest.raises(RefusedError) as refused:
        subscriptions.add_webhook(club_id=club.pk, url=url, events=events, by=DIRECTOR, at=at())
    assert refused.value.field == field
    assert not Webhook.objects.exists()


def test_a_club_has_a_few_webhooks_and_a_stopped_one_does_not_count() -> None:
    club = make_club()
    made = [make_webhook(club) for _ in range(subscriptions.WEBHOOKS_MAX)]
    with pytest.raises(RefusedError, match="at most"):
        make_webhook(club)
    subscriptions.stop_webhook(webhook_id=made[0].pk, version=1, by=DIRECTOR, at=at(1))
    make_webhook(club)


def test_two_people_who_edit_do_not_overwrite_each_other() -> None:
    hook = make_webhook(make_club())
    changed = subscriptions.edit_webhook(
        webhook_id=hook.pk,
        changes={"events": ["game.closed", "hand.entered"], "url": URL + "/2"},
        version=1,
        by=DIRECTOR,
        at=at(1),
    )
    assert (changed.version, changed.events) == (2, ["hand.entered", "game.closed"])
    with pytest.raises(StaleError) as stale:
        subscriptions.edit_webhook(
            webhook_id=hook.pk, changes={"url": URL}, version=1, by=DIRECTOR, at=at(2)
        )
    assert stale.value.theirs == 2
    assert stale.value.current == {"url": URL + "/2", "events": ["hand.entered", "game.closed"]}
    with pytest.raises(StaleError):
        subscriptions.stop_webhook(webhook_id=hook.pk, version=1, by=DIRECTOR, at=at(2))


def test_a_stopped_webhook_is_told_nothing_more_and_forgets_its_secret() -> None:
    game = make_game()
    hook = make_webhook(game.club)
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    subscriptions.stop_webhook(webhook_id=hook.pk, version=1, by=DIRECTOR, at=at(5))
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    (delivery,) = Delivery.objects.all()
    assert (delivery.due_at, delivery.done_at) == (None, None)
    assert Webhook.objects.get().secret == ""
    with pytest.raises(RefusedError, match="stopped"):
        subscriptions.stop_webhook(webhook_id=hook.pk, version=2, by=DIRECTOR, at=at(6))
    with pytest.raises(RefusedError, match="stopped"):
        subscriptions.renew_secret(webhook_id=hook.pk, by=DIRECTOR, at=at(6))
    with pytest.raises(RefusedError, match="stopped"):
        subscriptions.send_again(delivery_id=delivery.pk, by=DIRECTOR, at=at(6))


def test_a_message_that_was_given_up_can_be_sent_again() -> None:
    game = make_game()
    make_webhook(game.club)
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    delivery = Delivery.objects.get()
    with pytest.raises(RefusedError, match="still being tried"):
        subscriptions.send_again(delivery_id=delivery.pk, by=DIRECTOR, at=at(5))
    Delivery.objects.update(due_at=None, attempts=4)
    again = subscriptions.send_again(delivery_id=delivery.pk, by=DIRECTOR, at=at(5))
    assert (again.due_at, again.attempts) == (at(5), 0)


def test_a_night_is_told_from_the_first_hand_to_the_end() -> None:
    club = make_club(confirming=Confirming.OPTIONAL)
    make_webhook(club)
    game = make_game(club)
    text = chip_hand(state_of(game), (13, 0, 0, 0))
    hand = enter(game, text).hand
    recording.confirm_hand(hand_id=hand.pk, version=1, by=seat(1), at=at(2))
    agreements.object_to_hand(hand_id=hand.pk, version=1, why="No!", by=seat(2), at=at(3))
    other = chip_hand(state_of(game), (12, 1, 0, 0))
    correction = Correction(text=other, why="miscounted")
    corrections.correct_hand(hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(4))
    default, _ = rulings.effects(Game.objects.get(), Hand.objects.get())[0]
    decided = rulings.decide(
        hand_id=hand.pk, decree=RulingRequest(ruling=default), by=DIRECTOR, at=at(5)
    ).decided
    rulings.appeal(ruling_id=decided.pk, step=AppealStep.PENDING, text="?", by=DIRECTOR, at=at(6))
    closing.close_game(
        game_id=game.pk,
        closing=closing.Closing(reason="late", leave_out=True),
        by=DIRECTOR,
        at=at(7),
    )
    closing.reopen_game(game_id=game.pk, why="one more", by=DIRECTOR, at=at(8))
    wanted = [
        "game.opened",
        "hand.entered",
        "hand.confirmed",
        "hand.disputed",
        "hand.corrected",
        "hand.ruled",
        "hand.appealed",
        "game.closed",
        "game.reopened",
    ]
    assert [event for event in wanted if event not in told()] == []
    assert sorted(set(told()), key=told().index) == wanted


def test_what_is_told_are_numbers_as_they_are_after_it_all() -> None:
    game = make_game()
    make_webhook(game.club, "hand.entered", "hand.confirmed", "hand.corrected")
    hand = enter(game, chip_hand(state_of(game), (13, 0, 0, 0))).hand
    now = Game.objects.get()
    assert last_body() == {
        "type": "hand.entered",
        "timestamp": "2026-11-20T19:31:00Z",
        "data": {
            "club": str(game.club_id),
            "game": {
                "id": str(game.pk),
                "version": now.version,
                "phase": "open",
                "hands": 1,
                "booked": 1,
            },
            "hand": {
                "id": str(hand.pk),
                "number": 1,
                "version": 1,
                "state": "accepted",
                "certainty": "provisional",
            },
        },
    }
    recording.confirm_hand(hand_id=hand.pk, version=1, by=seat(1), at=at(2))
    body = json.dumps(last_body())
    assert '"certainty": "confirmed"' in body
    assert f'"version": {Game.objects.get().version}' in body
    correction = Correction(text=chip_hand(state_of(game), (0, 13, 0, 0)), why="seats")
    corrections.correct_hand(hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(3))
    data = last_body()["data"]
    assert isinstance(data, dict)
    assert data["hand"]["version"] == 2
    assert data["game"]["version"] == Game.objects.get().version
    assert "Player" not in json.dumps(data)


def test_a_disputed_hand_rings_the_directors_bell() -> None:
    game = make_game()
    make_webhook(game.club, "hand.disputed")
    hand = enter(game, chip_hand(state_of(game), (12, 0, 0, 0))).hand
    assert (Hand.objects.get().state, told()) == ("disputed", ["hand.disputed"])
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)), number=1, by=seat(1))
    assert told() == ["hand.disputed"] * 2
    rival = Hand.objects.exclude(pk=hand.pk).get()
    corrections.choose_record(
        rival_id=rival.pk, choice=RivalChoice(keep=False, why="West"), by=DIRECTOR, at=at(9)
    )
    assert told() == ["hand.disputed"] * 2


def test_a_second_record_that_says_the_same_is_told_as_a_confirmation() -> None:
    game = make_game()
    make_webhook(game.club, "hand.disputed", "hand.confirmed")
    text = chip_hand(state_of(game), (13, 0, 0, 0))
    enter(game, text)
    enter(game, text, number=1, by=seat(0))
    assert told() == []
    enter(game, text, number=1, by=seat(1))
    assert told() == ["hand.confirmed"]


def test_what_did_not_happen_or_happened_before_is_not_told() -> None:
    game = make_game()
    make_webhook(game.club)
    text = chip_hand(state_of(game), (13, 0, 0, 0))

    @transaction.atomic
    def fail() -> None:
        enter(game, text)
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert told() == []
    hand = enter(game, text).hand
    assert not enter(game, text, number=1, id_=hand.pk).is_new
    assert told() == ["hand.entered"]


def test_another_clubs_webhook_hears_nothing() -> None:
    game = make_game()
    make_webhook(make_club("Delft Hearts"))
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    assert told() == []


@pytest.mark.parametrize(("hooks", "most"), [(0, 1), (3, 3)])
def test_telling_costs_one_query_where_nobody_listens_and_three_elsewhere(
    hooks: int, most: int
) -> None:
    club = make_club()
    for _ in range(hooks):
        make_webhook(club)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        subscriptions.enqueue_event(
            club_id=club.pk, event=WebhookEvent.GAME_OPENED, data={}, at=at()
        )
    assert len(queries) == most
    assert Delivery.objects.count() == hooks


NOT_OF_HANDS = (
    *("drafts.py", "subscriptions.py", "links.py", "money.py", "night_sheets.py", "papers.py"),
    *("fees.py", "night_end.py", "phones.py", "table_codes.py"),
)


def deeds_of_games() -> set[str]:
    """What stands in the code as done to a game or a hand."""
    found = set()
    for path in (path for part in ("games", "hands") for path in (SCORING / part).glob("*.py")):
        if path.name in NOT_OF_HANDS:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "AuditRecord":
                what = node.args[0]
                if isinstance(what, ast.Call):  # Message("hand entered")
                    what = what.args[0]
                if isinstance(what, ast.Constant):
                    found.add(str(what.value))
    return found


def test_no_deed_is_forgotten() -> None:
    found = deeds_of_games()
    assert found, "the code that does something to games lies elsewhere now"
    assert found - set(EVENTS_BY_ACTION) == set()
    # What is told of events and standings; a hand is settled again by what is done to another.
    elsewhere = {
        WebhookEvent.ROUND_STARTED,
        WebhookEvent.ROUND_CLOSED,
        WebhookEvent.EVENT_FINISHED,
        WebhookEvent.EVENT_OFFICIAL,
        WebhookEvent.EVENT_REOPENED,
        WebhookEvent.EVENT_CANCELLED,
        WebhookEvent.EVENT_REINSTATED,
        WebhookEvent.EVENT_MOVED,
        WebhookEvent.EVENT_REMOVED,
        WebhookEvent.STANDINGS_PUBLISHED,
        WebhookEvent.STANDINGS_AMENDMENT,
        WebhookEvent.STANDINGS_AMENDED,
        WebhookEvent.HAND_RESETTLED,
    }
    assert elsewhere | {event for event in EVENTS_BY_ACTION.values() if event} == set(WebhookEvent)


def test_every_later_hand_that_a_correction_changes_is_told_once() -> None:
    game = make_game()
    hands = [enter(game, chip_hand(state_of(game), (13, 0, 0, 0))).hand for _ in range(3)]
    make_webhook(game.club, "hand.resettled", "hand.corrected")
    text = chip_hand(state_before(game, 1), (0, 13, 0, 0))
    correction = Correction(text=text, why="It was misread.")
    corrections.correct_hand(hand_id=hands[0].pk, correction=correction, by=DIRECTOR, at=at(9))
    bodies = [json.loads(row.body) for row in Delivery.objects.order_by("id")]
    resettled = [one["data"]["hand"] for one in bodies if one["type"] == "hand.resettled"]
    changed = Hand.objects.filter(revision__gt=1).exclude(pk=hands[0].pk).order_by("number")
    assert [one["id"] for one in resettled] == [str(hand.pk) for hand in changed] != []
    assert sorted(told()) == ["hand.corrected"] + ["hand.resettled"] * len(resettled)
    assert len({row.pk for row in Delivery.objects.all()}) == len(bodies)


def test_hands_that_nothing_changed_are_not_told() -> None:
    game = make_game()
    first = enter(game, chip_hand(state_of(game), (13, 0, 0, 0))).hand
    enter(game, chip_hand(state_of(game), (13, 0, 0, 0)))
    make_webhook(game.club, "hand.resettled")
    recording.confirm_hand(hand_id=first.pk, version=1, by=seat(2), at=at(3))
    assert told() == []
