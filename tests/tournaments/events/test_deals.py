"""Secret deals: nobody knows them in advance, and afterwards everybody can check them (DEC-5)."""

import base64
import hashlib
import hmac
import json
import re
from importlib import import_module
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from engine.core.cards import CARDS, members
from engine.rules.presets import preset
from scoring.games.nights import end_round
from scoring.transfer.bundling import restore, write
from scoring.transfer.bundling.cells import line
from scoring.transfer.verifying import look_at_club
from tests.api.asking import Asking, account_of, role_of, signed_in
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import draw, make_event, make_night, start
from tournaments.core.deals import (
    board_key,
    commitment_of,
    deal_board,
    shuffle_pack,
    split_deal,
)
from tournaments.events import boards, events
from tournaments.events.boards import Preparation
from tournaments.events.deal_secrets import list_commitments
from tournaments.models import AuditEntry, Board, Club, DealSecret, Event

PAGE = Path(__file__).parents[3] / "docs" / "rules" / "deals.md"
KEYS = st.binary(min_size=32, max_size=32)


def repeated(key: bytes) -> list[int]:
    """The shuffle as docs/rules/deals.md describes it, written down a second time."""
    stream = b"".join(
        hmac.new(key, f"shuffle/{block}".encode(), hashlib.sha256).digest() for block in range(40)
    )
    pack, used = list(range(52)), 0
    for last in range(51, 0, -1):
        size = last + 1
        while stream[used] >= 256 - 256 % size:
            used += 1
        other = stream[used] % size
        used += 1
        pack[last], pack[other] = pack[other], pack[last]
    return pack


@given(KEYS)
def test_anybody_can_repeat_the_shuffle_from_its_description(key: bytes) -> None:
    assert shuffle_pack(key) == repeated(key)


@given(KEYS, st.sampled_from([("bicycle", 4), ("insurance", 4), ("sahara", 5), ("howell", 3)]))
def test_a_deal_has_every_card_of_the_pack_once(key: bytes, at_table: tuple[str, int]) -> None:
    name, players = at_table
    rules = preset(name)
    held = split_deal(deal_board(rules, players, key))
    cards = [card for one in held for card in members(one)]
    assert len(cards) == len(set(cards)) == rules.hand_size(players) * players
    assert len(held) == players
    assert set(cards) <= {card for card in CARDS if rules.pack(players) >> card & 1}


def test_each_card_is_equally_often_first_in_the_pack() -> None:
    shuffles = 5200
    firsts = [0] * 52
    for number in range(shuffles):
        firsts[shuffle_pack(board_key(b"any secret", number))[0]] += 1
    spread = sum((count - 100) ** 2 / 100 for count in firsts)
    assert spread < 103  # chi-squared with 51 degrees of freedom: 1 in 30,000 is above


def test_the_worked_example_of_the_documentation_is_right() -> None:
    text = PAGE.read_text()
    key = board_key(bytes(range(32)), 1)
    assert f"key         {key.hex()}" in text
    assert f"commitment  {commitment_of(key)}" in text
    hands = re.findall(r"^    (?:eldest hand|second|third|dealer)\s+(\S+)$", text, re.MULTILINE)
    assert "; ".join(hands) == deal_board(preset("bicycle"), 4, key)


def run_deal(*words: str) -> tuple[int, str]:
    out = StringIO()
    try:
        call_command("deal", *words, stdout=out, stderr=out)
    except SystemExit as stopped:
        return int(str(stopped.code)), out.getvalue()
    return 0, out.getvalue()


def test_a_command_checks_a_board_without_the_database() -> None:
    key = board_key(bytes(range(32)), 1)
    deal = deal_board(preset("bicycle"), 4, key)
    status, said = run_deal(key.hex(), "--commitment", commitment_of(key), "--deal", deal)
    assert status == 0
    assert said.count(" is the one ") == 2
    other = deal_board(preset("bicycle"), 4, board_key(bytes(range(32)), 2))
    assert run_deal(key.hex(), "--deal", other)[0] == 1
    assert run_deal(key.hex(), "--commitment", "00" * 32)[0] == 1
    assert run_deal("12ab")[0] == 2
    assert run_deal(key.hex(), "--players", "9")[0] == 2
    assert run_deal(key.hex(), "--deal", "SX")[0] == 2


def prepared(**fields: Any) -> Event:
    event = make_night(8, duplicate=True, **({"rounds": 2, "hands": 2} | fields))
    Club.objects.filter(pk=event.club_id).update(is_public=True)
    boards.prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    draw(event)
    return event


def secret_of(event: Event) -> bytes:
    return bytes(DealSecret.objects.get(event=event).secret)


@pytest.mark.django_db
def test_an_event_draws_its_secret_when_it_is_set_up_for_duplicate_play() -> None:
    first, second = make_event(duplicate=True), make_event(duplicate=True)
    assert len(secret_of(first)) == 32
    assert secret_of(first) != secret_of(second)
    plain = make_event()
    assert not DealSecret.objects.filter(event=plain).exists()
    change = {"duplicate": True}
    events.change_event(
        event_id=plain.pk, changes=change, version=plain.version, by=DIRECTOR, at=at()
    )
    assert DealSecret.objects.filter(event=plain).exists()


@pytest.mark.django_db
def test_nothing_public_about_an_event_tells_its_deals() -> None:
    same = {"seed": "the same", "name": "The same", "duplicate": True, "rounds": 1}
    one, other = make_night(8, **same), make_night(8, **same)
    for event in (one, other):
        boards.prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    deals = [
        set(Board.objects.filter(event=event).values_list("deal", flat=True))
        for event in (one, other)
    ]
    assert not deals[0] & deals[1]


@pytest.mark.django_db
def test_all_commitments_are_published_before_the_first_round_and_never_change() -> None:
    event = make_event(duplicate=True, rounds=2, hands=2)
    before = list_commitments(event)
    assert [one.number for one in before] == [1, 2, 3, 4]
    assert not any(one.key for one in before)
    boards.prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    boards.prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    assert list_commitments(event) == before
    assert [row.commitment for row in Board.objects.order_by("number")] == [
        one.commitment for one in before
    ]
    lines = "".join(f"{one.number} {one.commitment}\n" for one in before)
    noted = AuditEntry.objects.filter(what="boards prepared").latest("id")
    told = json.loads(noted.details)
    assert told["commitments"] == hashlib.sha256(lines.encode()).hexdigest()


def answered(client: Client | Asking, event: Event) -> Any:
    return client.get(f"/api/v1/events/{event.pk}/boards").json()


@pytest.mark.django_db
def test_a_key_is_revealed_when_its_board_is_over_everywhere() -> None:
    event = prepared()
    start(event, 1)
    director = account_of("director@club.example")
    role_of(director, event.club, "director")
    for client in (Client(), signed_in(director)):
        shown = answered(client, event)
        assert [one["key"] for one in shown["items"]] == [None] * 4
        assert [one["key"] for one in shown["commitments"]] == [None] * 4
    assert [one["deal"] for one in answered(Client(), event)["items"]] == [None] * 4
    assert all(one["deal"] for one in answered(signed_in(director), event)["items"])
    end_round(event_id=event.pk, number=1, why="Late.", by=DIRECTOR, at=at(1))
    shown = answered(Client(), event)
    for one in shown["items"][:2]:
        key = bytes.fromhex(one["key"])
        assert key == board_key(secret_of(event), one["number"])
        assert commitment_of(key) == one["commitment"]
        assert deal_board(preset("bicycle"), 4, key) == one["deal"]
    assert [one["key"] for one in shown["items"][2:]] == [None] * 2


@pytest.mark.django_db
def test_a_page_shows_commitments_and_checks_the_keys_of_boards_that_are_over() -> None:
    event = prepared()
    start(event, 1)
    page = f"/e/{event.pk}/deals/"
    before = Client().get(page).content.decode()
    keys = [board_key(secret_of(event), number).hex() for number in (1, 2, 3, 4)]
    assert all(one.commitment in before for one in list_commitments(event))
    assert not any(key in before for key in keys)
    end_round(event_id=event.pk, number=1, why="Late.", by=DIRECTOR, at=at(1))
    after = Client().get(page).content.decode()
    assert [key in after for key in keys] == [True, True, False, False]
    assert after.count("The deal is the one of this key.") == 2
    Board.objects.filter(event=event, number=1).update(
        deal=Board.objects.get(event=event, number=2).deal
    )
    assert "The deal is not the one of this key." in Client().get(page).content.decode()
    assert [one.what for one in look_at_club(event.club_id)] == [
        f"deal of board 1 of event {event.pk}"
    ]
    assert Client().get(f"/e/{make_event(event.club).pk}/deals/").status_code == 404


def spelled(value: bytes) -> list[str]:
    return [value.hex(), base64.b64encode(value).decode(), repr(value)]


@pytest.mark.django_db
def test_no_bundle_tells_a_deal_that_is_still_to_be_played() -> None:
    event = prepared(rounds=1)
    club = Club.objects.get(pk=event.club_id)
    rows = list(Board.objects.order_by("number").values("number", "deal", "key"))
    bundle = b"".join(write(club))
    for word in (
        *spelled(secret_of(event)),
        *(row[name] for row in rows for name in ("deal", "key")),
    ):
        assert word.encode() not in bundle
    assert restore(BytesIO(bundle)).was_there


@pytest.mark.django_db
def test_boards_that_nobody_has_played_are_prepared_again_where_a_bundle_comes_in() -> None:
    with transaction.atomic():
        event = prepared(rounds=1)
        old = secret_of(event)
        bundle = b"".join(write(Club.objects.get(pk=event.club_id)))
        transaction.set_rollback(True)
    restore(BytesIO(bundle))
    assert not DealSecret.objects.exists()
    assert not Board.objects.exists()
    boards.prepare_boards(event_id=event.pk, preparation=Preparation(), by=DIRECTOR, at=at())
    assert secret_of(event) != old


@pytest.mark.django_db
def test_a_bundle_with_encrypted_deals_is_restored_without_them() -> None:
    with transaction.atomic():
        event = prepared(rounds=1)
        *rows, end = write(event.club)
        sealed = {"sealed": "Zm9v"}
        rows += [
            line("board", {"event_id": str(event.pk), "number": 1, "deal": sealed, "key": sealed}),
            line("deal secret", {"event_id": str(event.pk), "secret": sealed}),
        ]
        transaction.set_rollback(True)
    whole = b"".join(rows)
    digest = {"digest": hashlib.sha256(whole).hexdigest(), "lines": len(rows)}
    restored = restore(BytesIO(whole + line("end", {**json.loads(end)[1], **digest})))
    assert restored.left_out == 2
    assert Event.objects.filter(pk=event.pk).exists()
    assert not Board.objects.exists()


MIGRATION = import_module("tournaments.migrations.0017_secret_deals")


def dealt_from_the_seed(event: Event) -> list[str]:
    """Boards as they were prepared before there were secrets."""
    DealSecret.objects.filter(event=event).delete()
    deals = [deal_board(preset("bicycle"), 4, f"{event.seed}/{n}".encode()) for n in (1, 2)]
    for number, deal in enumerate(deals, 1):
        Board.objects.create(event=event, number=number, deal=deal, source="seed")
    return deals


@pytest.mark.django_db
def test_an_upgrade_deals_the_boards_of_events_anew_that_have_not_begun() -> None:
    waiting, begun = (make_night(8, duplicate=True, rounds=1) for _ in range(2))
    old = [dealt_from_the_seed(event) for event in (waiting, begun)]
    draw(waiting)
    draw(begun)
    start(begun, 1)
    MIGRATION.give_secrets(apps, None)
    found = list(Board.objects.filter(event=waiting).order_by("number"))
    assert not {row.deal for row in found} & set(old[0])
    assert all(boards.is_dealt_from_key(row) for row in found)
    assert [row.key for row in found] == [board_key(secret_of(waiting), n).hex() for n in (1, 2)]
    kept = Board.objects.filter(event=begun).order_by("number")
    assert list(kept.values_list("deal", "key")) == [(deal, "") for deal in old[1]]
    assert not DealSecret.objects.filter(event=begun).exists()


def test_the_upgrade_shuffles_as_the_program_does() -> None:
    keys = [board_key(b"any secret", number) for number in range(20)]
    assert [MIGRATION.shuffled(key) for key in keys] == [shuffle_pack(key) for key in keys]
