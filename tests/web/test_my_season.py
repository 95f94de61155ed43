"""My season: how a player's device comes in, and what it shows."""

import json
import re
from datetime import timedelta
from fractions import Fraction
from importlib import import_module
from typing import Any

import pytest
from django.apps import apps
from django.core.cache import caches
from django.core.mail import EmailMessage
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scoring.games.links import digest_token
from scoring.jobs.kinds import WORK
from scoring.models import Game, Hand, PlayerPhone, Sitting
from scoring.web.player_cookie import COOKIE
from tests.scoring.club import DIRECTOR, at
from tests.tournaments.night import check_in, draw, make_event, play_round
from tests.web.desk import director_of
from tests.web.window import NAMES, Window, make_window, publish_all
from tournaments import publishing
from tournaments.core.errors import NotAllowedError, NotThereError
from tournaments.core.ids import LONGEST_LIFE, new_id
from tournaments.events import leagues
from tournaments.models import (
    AuditEntry,
    Club,
    Entry,
    Event,
    Person,
    Player,
    PlayerDevice,
    PlayerSignInCode,
    Result,
    Scope,
    Shown,
    SignInMethod,
    Status,
    TableGame,
)
from tournaments.people import members, player_devices
from tournaments.people.player_devices import OWN_CODE_LIFE
from tournaments.publishing.official import find_current
from tournaments.standings.rows import total_of
from tournaments.web.number_format import format_number

pytestmark = pytest.mark.django_db


@pytest.fixture
def window(window: Window) -> Window:
    """A club whose night is over."""
    Event.objects.update(status=Status.FINISHED)
    return window


def signed_in(player: Player) -> Client:
    made = player_devices.sign_in_device(
        player_id=player.pk, method=SignInMethod.CODE, at=timezone.now()
    )
    client = Client()
    client.cookies[COOKIE] = made.token
    return client


def words(answer: Any) -> str:
    text: str = answer.content.decode()
    return text


def phone_of(window: Window, player: Player) -> str:
    """The token of a phone that follows a player."""
    at = timezone.now()
    PlayerPhone.objects.create(
        event=window.event, player=player, digest=digest_token("own phone"), made_at=at, used_at=at
    )
    return "own phone"


def signed_in_from_phone(window: Window, player: Player) -> Client:
    client = Client()
    client.post("/my/phone", {"phone": phone_of(window, player)})
    return client


def code_for(player: Player, life: timedelta = OWN_CODE_LIFE) -> str:
    return player_devices.make_code(player_id=player.pk, life=life, by=DIRECTOR, at=timezone.now())


def test_who_is_not_signed_in_is_told_how(client: Client) -> None:
    answer = client.get("/my/")
    assert answer["Location"] == "/my/sign-in"
    page = client.get("/my/sign-in")
    assert "With a code" in words(page)
    assert page["Cache-Control"] == "private, no-store"


def test_a_phone_that_follows_its_player_opens_their_season(window: Window) -> None:
    client = Client()
    answer = client.post("/my/phone", {"phone": phone_of(window, window.players[1])})
    assert answer["Location"] == "/my/"
    kept = client.cookies[COOKIE]
    assert (kept["httponly"], kept["samesite"], kept["path"]) == (True, "Lax", "/")
    assert kept.value not in str(list(PlayerDevice.objects.values()))
    assert NAMES[1] in words(client.get("/my/"))
    assert AuditEntry.objects.filter(what="device signed in").exists()


def test_a_cookie_is_for_https_alone_where_there_is_https(window: Window, settings: Any) -> None:
    settings.SESSION_COOKIE_SECURE = True
    client = Client()
    client.post("/my/phone", {"phone": phone_of(window, window.players[1])})
    assert client.cookies[COOKIE]["secure"]


@pytest.mark.parametrize("ended", ["revoked_at", "replaced_at"])
def test_a_phone_that_follows_nobody_any_more_opens_nothing(window: Window, ended: str) -> None:
    token = phone_of(window, window.players[1])
    PlayerPhone.objects.update(**{ended: timezone.now()})
    client = Client()
    answer = client.post("/my/phone", {"phone": token})
    assert answer["Location"] == "/my/sign-in"
    assert COOKIE not in client.cookies


def test_a_phone_that_lies_on_the_table_opens_nobodys_season(window: Window) -> None:
    client = Client()
    for token in ("", "x" * 500, str(window.game.pk)):
        assert client.post("/my/phone", {"phone": token})["Location"] == "/my/sign-in"
    assert not PlayerDevice.objects.exists()


def test_a_device_from_a_phone_makes_no_code_and_changes_nothing_that_others_see(
    window: Window,
) -> None:
    player = window.players[1]
    client = signed_in_from_phone(window, player)
    page = words(client.get("/my/settings"))
    assert "signed in from a phone at the table" in page
    assert 'name="shown"' not in page
    assert 'name="code"' not in page
    assert client.post("/my/settings", {"code": "1"}).status_code == 403
    assert client.post("/my/settings", {"shown": Shown.FULL}).status_code == 403
    assert not PlayerSignInCode.objects.exists()
    assert Person.objects.get(player=player).shown == Shown.SHORT
    device = PlayerDevice.objects.get()
    with pytest.raises(NotAllowedError):
        player_devices.make_own_code(device=device, at=timezone.now())
    with pytest.raises(NotAllowedError):
        player_devices.change_privacy(
            device=device, changes={"shown": Shown.FULL}, at=timezone.now()
        )


def test_a_device_from_a_phone_may_do_more_once_it_is_signed_in_by_a_code(window: Window) -> None:
    client = signed_in_from_phone(window, window.players[1])
    client.post("/my/sign-in", {"code": code_for(window.players[1])})
    assert PlayerDevice.objects.get().method == SignInMethod.CODE
    # The phone at the table takes nothing of that away.
    client.post("/my/phone", {"phone": "own phone"})
    assert PlayerDevice.objects.get().method == SignInMethod.CODE


def test_a_device_from_a_table_ends_twelve_hours_after_the_event(window: Window) -> None:
    Event.objects.update(finished_at=timezone.now() - timedelta(hours=11, minutes=59))
    client = signed_in_from_phone(window, window.players[1])
    assert client.get("/my/").status_code == 200
    # What was seen once is no longer seen by using it again and again.
    Event.objects.update(finished_at=timezone.now() - timedelta(hours=12))
    for page in ("/my/", "/my/settings", "/my/hands.phn"):
        assert client.get(page)["Location"] == "/my/sign-in", page
    other = signed_in(window.players[1])
    assert "from table" not in words(other.get("/my/")) + words(other.get("/my/settings"))
    assert player_devices.delete_expired(at=timezone.now()) == 1
    assert PlayerDevice.objects.get().method == SignInMethod.CODE


def test_a_device_from_a_table_ends_though_nobody_ends_the_event(window: Window) -> None:
    client = signed_in_from_phone(window, window.players[1])
    PlayerDevice.objects.update(made_at=timezone.now() - LONGEST_LIFE + timedelta(minutes=1))
    assert client.get("/my/").status_code == 200
    PlayerDevice.objects.update(made_at=timezone.now() - LONGEST_LIFE)
    assert client.get("/my/").status_code == 302


def test_a_table_opens_nobodys_season_whose_results_are_hidden(window: Window) -> None:
    player = window.players[1]
    Person.objects.filter(player=player).update(shown=Shown.HIDDEN)
    client = signed_in_from_phone(window, player)
    assert COOKIE not in client.cookies
    assert "results are hidden" in words(client.get("/my/sign-in"))
    assert not PlayerDevice.objects.exists()
    # Who has a code sees them, and so does who comes by one later.
    assert signed_in(player).get("/my/").status_code == 200


def test_a_device_from_a_table_ends_when_its_player_is_hidden(window: Window) -> None:
    client = signed_in_from_phone(window, window.players[1])
    assert client.get("/my/").status_code == 200
    Person.objects.filter(player=window.players[1]).update(shown=Shown.HIDDEN)
    assert client.get("/my/").status_code == 302


def test_the_desk_and_the_own_page_say_from_which_table_a_season_was_opened(
    window: Window,
) -> None:
    player = window.players[1]
    sitting = Sitting.objects.filter(player=player).select_related("game__table")
    table = sitting.order_by("-game__opened_at")[0].game.table
    assert table is not None
    there = signed_in_from_phone(window, player)
    assert PlayerDevice.objects.get().table == table.number
    from_table = f"from table {table.number}"
    for client in (there, signed_in(player)):
        page = " ".join(words(client.get("/my/")).split())
        assert f"{from_table} of <bdi>{window.event.name}</bdi>" in page
        assert from_table in words(client.get("/my/settings"))
    director = director_of(window.club, "admin")
    member = words(director.get(f"/desk/clubs/{window.club.pk}/members/{player.pk}/"))
    assert f"{from_table} of <bdi>{window.event.name}</bdi>" in " ".join(member.split())
    entry = AuditEntry.objects.filter(what="device signed in").earliest("at")
    assert json.loads(entry.details)["table"] == table.number
    other = signed_in(window.players[2])
    assert "from table" not in words(other.get("/my/"))


def test_devices_from_before_the_rule_are_kept_as_far_as_their_table_is_known(
    window: Window,
) -> None:
    migration = import_module("tournaments.migrations.0062_where_devices_were_opened")
    signed_in(window.players[0])
    signed_in_from_phone(window, window.players[1])
    other = make_event(window.club, name="Other")
    PlayerDevice.objects.filter(method=SignInMethod.PHONE).update(event=other, table=None)
    unknown = PlayerDevice.objects.create(
        player=window.players[2],
        digest="unknown",
        method=SignInMethod.PHONE,
        phone_id=new_id(),
        event=other,
        made_at=timezone.now(),
        used_at=timezone.now(),
    )
    migration.note_events(apps, None)
    left = PlayerDevice.objects.exclude(pk=unknown.pk).order_by("made_at")
    assert [row.event for row in left] == [None, window.event]
    assert not PlayerDevice.objects.filter(pk=unknown.pk).exists()


def test_a_device_that_was_signed_out_meanwhile_changes_nothing(window: Window) -> None:
    signed_in(window.players[0])
    device = PlayerDevice.objects.select_related("player").get()
    PlayerDevice.objects.all().delete()
    with pytest.raises(NotThereError):
        player_devices.make_own_code(device=device, at=timezone.now())


def test_a_code_signs_one_device_in_once(window: Window) -> None:
    code = code_for(window.players[2])
    client = Client()
    typed = code.lower().replace("-", " ")
    assert client.post("/my/sign-in", {"code": typed})["Location"] == "/my/"
    assert NAMES[2] in words(client.get("/my/"))
    again = Client().post("/my/sign-in", {"code": code})
    assert again.status_code == 422
    assert "There is no such code" in words(again)


def test_a_code_ends(window: Window) -> None:
    code = code_for(window.players[2], life=timedelta(0))
    assert Client().post("/my/sign-in", {"code": code}).status_code == 422
    assert player_devices.delete_expired(at=timezone.now()) == 1
    assert not PlayerSignInCode.objects.exists()


def test_a_new_code_ends_the_one_before_and_none_is_stored(window: Window) -> None:
    first, second = code_for(window.players[2]), code_for(window.players[2])
    assert Client().post("/my/sign-in", {"code": first}).status_code == 422
    kept = str(list(PlayerSignInCode.objects.values())) + str(list(AuditEntry.objects.values()))
    assert second not in kept
    assert second.replace("-", "") not in kept


def test_who_guesses_codes_has_to_wait() -> None:
    caches["default"].clear()
    client = Client()
    answers = [client.post("/my/sign-in", {"code": f"ABCD-EF{n:02d}"}) for n in range(61)]
    assert {answer.status_code for answer in answers[:60]} == {422}
    assert answers[60].status_code == 429
    assert int(answers[60]["Retry-After"]) > 0
    # Codes of tables are counted with them.
    assert client.post("/t/open", {"code": "ABCD-EFGH"}).status_code == 429
    caches["default"].clear()


def test_a_browser_is_signed_in_as_one_player_at_a_time(window: Window) -> None:
    client = signed_in(window.players[0])
    client.post("/my/sign-in", {"code": code_for(window.players[1])})
    assert [row.player for row in PlayerDevice.objects.all()] == [window.players[1]]
    entry = AuditEntry.objects.get(what="device signed out")
    assert str(window.players[0].pk) in entry.details


def test_a_device_that_nobody_used_for_long_is_signed_out(window: Window) -> None:
    client = signed_in(window.players[0])
    long_ago = timezone.now() - player_devices.UNUSED_LIFE
    PlayerDevice.objects.update(used_at=long_ago)
    assert client.get("/my/").status_code == 302
    assert player_devices.delete_expired(at=timezone.now()) == 1


def test_a_further_device_signs_out_the_one_used_longest_ago(window: Window) -> None:
    first = signed_in(window.players[0])
    PlayerDevice.objects.update(used_at=timezone.now() - timedelta(days=1))
    for _number in range(player_devices.DEVICES_MAX):
        signed_in(window.players[0])
    assert PlayerDevice.objects.count() == player_devices.DEVICES_MAX
    assert first.get("/my/").status_code == 302
    assert AuditEntry.objects.filter(what="device signed out for a newer one").count() == 1


def test_a_player_lists_their_devices_and_signs_them_out(window: Window) -> None:
    here, there = signed_in(window.players[0]), signed_in(window.players[0])
    stranger = signed_in(window.players[1])
    page = words(here.get("/my/settings"))
    assert page.count("<b>By a code</b>") == 2
    rows = PlayerDevice.objects.filter(player=window.players[0]).order_by("made_at")
    stranger.post("/my/sign-out", {"device": rows[1].pk})
    assert there.get("/my/").status_code == 200
    assert here.post("/my/sign-out", {"device": "nonsense"}).status_code == 404
    here.post("/my/sign-out", {"device": rows[1].pk})
    assert there.get("/my/").status_code == 302
    here.post("/my/sign-out", {"device": rows[0].pk})
    assert here.get("/my/").status_code == 302


def test_a_signed_in_device_makes_a_code_for_another(window: Window) -> None:
    client = signed_in(window.players[0])
    page = client.post("/my/settings", {"code": "1"})
    code = words(page).partition('own-code">')[2].partition("<")[0]
    assert len(code) == 9
    assert Client().post("/my/sign-in", {"code": code})["Location"] == "/my/"


def test_a_merged_player_stays_signed_in_as_whom_they_turned_out_to_be(window: Window) -> None:
    duplicate = Player.objects.create(club=window.club, number=99, created_at=timezone.now())
    Person.objects.create(player=duplicate, name="Bo L.", sought="bo l")
    client = signed_in(duplicate)
    members.merge_player(
        player_id=duplicate.pk,
        into=window.players[1].pk,
        version=duplicate.version,
        by=DIRECTOR,
        at=timezone.now(),
    )
    assert NAMES[1] in words(client.get("/my/"))


def test_an_erased_person_is_signed_out_everywhere(window: Window) -> None:
    client = signed_in(window.players[0])
    code = code_for(window.players[0])
    player = Player.objects.get(pk=window.players[0].pk)
    members.erase_person(
        player_id=player.pk, version=player.version, by=DIRECTOR, at=timezone.now()
    )
    assert client.get("/my/").status_code == 302
    assert Client().post("/my/sign-in", {"code": code}).status_code == 422


def test_the_page_shows_the_night_the_season_and_opponents(window: Window) -> None:
    page = words(signed_in(window.players[0]).get("/my/"))
    for words_shown in ("Last night", "Winter", "Against", "nights count", "nights to come"):
        assert words_shown in page, words_shown
    assert f"/e/{window.event.pk}/" in page


def test_the_place_in_the_league_is_written_as_people_write_it(window: Window) -> None:
    client = signed_in(window.players[0])
    place = re.compile(r"<dd>\s*(=?\d+\.?) <small>(of|von) \d+</small>")
    english = place.search(words(client.get("/my/")))
    german = place.search(words(client.get("/my/", headers={"Accept-Language": "de"})))
    assert english is not None
    assert german is not None
    assert not english[1].endswith(".")
    assert (german[1], german[2]) == (f"{english[1]}.", "von")


def test_a_night_of_a_season_is_drawn_with_its_weight(window: Window) -> None:
    league = window.league.pk
    changes = {"weight": "2"}
    leagues.change_session(
        league_id=league,
        event_id=window.event.pk,
        changes=changes,
        version=None,
        by=DIRECTOR,
        at=at(9),
    )
    other = make_event(window.club, rule_set=window.event.rule_set, rounds=1, hands=1)
    check_in(other, window.players)
    draw(other)
    play_round(other, 1)
    Event.objects.update(status=Status.FINISHED)
    leagues.add_session(league_id=league, event=other.pk, by=DIRECTOR, at=at(9))
    publish_all()
    rows = find_current(Scope.LEAGUE, window.league.pk).rows
    row, line = next(
        (row, line)
        for row in rows
        for line in row["lines"]
        if line["number"] == 1 and Fraction(line["net"])
    )
    player = Player.objects.get(pk=row["entry"])
    drawn = format_number(str(2 * Fraction(line["net"])))
    assert total_of(row) == sum(
        Fraction(one["net"]) * Fraction(one["weight"]) for one in row["lines"]
    )
    assert f"Night 1: {drawn} (weight 2)" in words(signed_in(player).get("/my/"))


def test_a_night_that_is_played_comes_first_with_the_own_seat(window: Window) -> None:
    Event.objects.update(status=Status.RUNNING)
    page = words(signed_in(window.players[0]).get("/my/"))
    assert "Being played" in page
    assert re.search(r"Round 2: table \d, seat [NESW]", page)
    assert "Last night" not in page


def test_the_next_night_is_shown_to_who_is_not_entered_yet(window: Window) -> None:
    make_event(window.club, starts_at=timezone.now() + timedelta(days=3), name="Next one")
    page = words(signed_in(window.players[0]).get("/my/"))
    assert "Next one" in page
    assert "You are not entered yet" in page
    Event.objects.filter(name="Next one").update(is_hidden=True)
    assert "Next one" not in words(signed_in(window.players[0]).get("/my/"))


def test_others_appear_as_strangers_see_them(window: Window) -> None:
    page = words(signed_in(window.players[0]).get("/my/"))
    assert NAMES[0] in page
    assert not any(name in page for name in NAMES[1:])


def test_a_device_sees_no_more_of_the_club_than_a_stranger(window: Window) -> None:
    Club.objects.update(is_public=False)
    client = signed_in(window.players[0])
    assert client.get("/my/").status_code == 200
    assert f"/e/{window.event.pk}/" not in words(client.get("/my/"))
    for name, address in window.addresses.items():
        assert client.get(address).status_code == 404, name


def test_a_hidden_night_is_shown_to_who_played_it_without_a_link(window: Window) -> None:
    Event.objects.update(is_hidden=True)
    page = words(signed_in(window.players[0]).get("/my/"))
    assert "Last night" in page
    assert f"/e/{window.event.pk}/" not in page
    assert f"/l/{window.league.pk}/" not in page


def test_who_is_new_is_told_that_nothing_has_been_played() -> None:
    window = make_window()
    new = Player.objects.create(club=window.club, number=50, created_at=timezone.now())
    Person.objects.create(player=new, name="Una New", sought="una new")
    page = words(signed_in(new).get("/my/"))
    assert "Last night" not in page
    assert "Una New" in page


def queries_of(client: Client) -> int:
    client.get("/my/")
    with CaptureQueriesContext(connection) as found:
        assert client.get("/my/").status_code == 200
    return len(found)


def play_night(window: Window, player: Player, days_ago: int) -> None:
    """A night that is over, with thirty hands that the player has won."""
    night = make_event(window.club, starts_at=at(-1440 * days_ago))
    Entry.objects.create(event=night, number=1, player=player, entered_at=at())
    game = TableGame.objects.create(
        id=new_id(), club=window.club, event=night, phase="closed", size=4, opened_at=at()
    )
    Result.objects.bulk_create(
        Result(game=game, number=hand, seat=0, player=player, score=1, to_dealer=0)
        for hand in range(1, 31)
    )
    Event.objects.filter(pk=night.pk).update(status=Status.OFFICIAL)


def test_a_view_takes_as_many_queries_however_long_somebody_has_played(window: Window) -> None:
    player = window.players[0]
    client = signed_in(player)
    play_night(window, player, 1)
    while publishing.publish_due(clock=timezone.now, scopes=publishing.STATISTICS):
        pass
    before = queries_of(client)
    assert before <= 32
    for number in range(2, 22):
        play_night(window, player, number)
    assert queries_of(client) == before


def test_a_player_chooses_what_strangers_see(window: Window) -> None:
    player = window.players[0]
    client = signed_in(player)
    assert Client().get(f"/p/{player.pk}/").status_code == 200
    answer = client.post("/my/settings", {"shown": Shown.HIDDEN})
    assert answer["Location"] == "/my/settings"
    assert Client().get(f"/p/{player.pk}/").status_code == 404
    entry = AuditEntry.objects.filter(what="player changed").get()
    assert entry.by == f"player:{player.pk}"


def test_only_who_can_be_sent_results_is_asked_about_them(window: Window, settings: Any) -> None:
    client = signed_in(window.players[0])
    assert 'name="gets_results"' not in words(client.get("/my/settings"))
    Person.objects.filter(player=window.players[0]).update(email="ann@example.org")
    assert 'name="gets_results"' not in words(client.get("/my/settings"))
    settings.EMAIL_HOST = "mail.example.org"
    assert 'name="gets_results"' in words(client.get("/my/settings"))
    client.post("/my/settings", {"shown": Shown.SHORT, "gets_results": "on"})
    assert Person.objects.get(player=window.players[0]).gets_results


def test_the_desk_gives_a_player_a_code(window: Window) -> None:
    director = director_of(window.club)
    page = f"/desk/clubs/{window.club.pk}/members/{window.players[3].pk}/"
    # The answer opens where the code stands, far down the page.
    answer = director.fill(page, action="#season", code="1")
    assert answer["Cache-Control"] == "private, no-store"
    code = words(answer).partition('own-code">')[2].partition("<")[0]
    # On that answer alone: not in a message, which the session would keep.
    assert "_messages" not in director.client.session
    assert "own-code" not in words(director.get(page))
    assert Client().post("/my/sign-in", {"code": code})["Location"] == "/my/"


def test_the_desk_signs_all_devices_of_a_player_out(window: Window) -> None:
    player = window.players[3]
    clients = [signed_in(player), signed_in_from_phone(window, player)]
    stranger, code = signed_in(window.players[1]), code_for(player)
    director = director_of(window.club)
    page = f"/desk/clubs/{window.club.pk}/members/{player.pk}/"
    assert "2 devices are signed in" in words(director.get(page))
    director.fill(page, sign_out="1")
    assert [client.get("/my/").status_code for client in clients] == [302, 302]
    assert stranger.get("/my/").status_code == 200
    assert Client().post("/my/sign-in", {"code": code}).status_code == 422
    entries = AuditEntry.objects.filter(what="device signed out")
    assert [entry.by.partition(":")[0] for entry in entries] == ["person", "person"]
    assert "Sign out all devices" not in words(director.get(page))


def ask_for_link(client: Client, address: str) -> Any:
    return client.post("/my/sign-in/email", {"email": address})


def deliver() -> None:
    """What the worker does with links that are due."""
    for name, _since in WORK["sign-in link"].due(timezone.now(), 100):
        WORK["sign-in link"].run(name, timezone.now)


@pytest.fixture
def mail(settings: Any) -> None:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"
    caches["default"].clear()


def link_in(message: EmailMessage) -> str:
    body = str(message.body)
    return body[body.index("/my/link/") :].split(maxsplit=1)[0]


def test_without_a_mail_server_no_link_is_offered_or_made(window: Window) -> None:
    Person.objects.filter(player=window.players[0]).update(email="ann@example.org")
    client = Client()
    assert "Send me a link" not in words(client.get("/my/sign-in"))
    ask_for_link(client, "ann@example.org")
    assert not PlayerSignInCode.objects.exists()


@pytest.mark.usefixtures("mail")
def test_a_link_by_email_signs_one_device_in_once(
    window: Window, mailoutbox: list[EmailMessage]
) -> None:
    Person.objects.filter(player=window.players[4]).update(email="Nora@example.org")
    client = Client()
    ask_for_link(client, "nora@EXAMPLE.org")
    deliver()
    deliver()
    (message,) = mailoutbox
    assert message.to == ["Nora@example.org"]
    link = link_in(message)
    assert link.rpartition("/")[2] not in str(list(PlayerSignInCode.objects.values()))
    # Whoever only looks, such as a program that checks e-mails, does not use it up.
    assert NAMES[4] in words(Client().get(link))
    assert client.post(link)["Location"] == "/my/"
    assert NAMES[4] in words(client.get("/my/"))
    assert "This link has been used" in words(client.get(link))
    assert COOKIE not in Client().post(link).cookies


@pytest.mark.usefixtures("mail")
def test_nobody_learns_whether_an_address_is_known(
    window: Window, mailoutbox: list[EmailMessage]
) -> None:
    Person.objects.filter(player=window.players[4]).update(email="nora@example.org")
    known, unknown = (
        words(ask_for_link(Client(), one)).partition("<h1>")[2]
        for one in ("nora@example.org", "nobody@example.org")
    )
    drop = re.compile('name="csrfmiddlewaretoken" value="[^"]*"')
    assert drop.sub("", known) == drop.sub("", unknown)
    deliver()
    assert len(mailoutbox) == 1


@pytest.mark.usefixtures("mail")
def test_a_player_is_sent_no_second_link_at_once_and_askers_have_to_wait(
    window: Window, mailoutbox: list[EmailMessage]
) -> None:
    Person.objects.filter(player=window.players[4]).update(email="nora@example.org")
    statuses = [ask_for_link(Client(), "nora@example.org").status_code for _n in range(61)]
    assert statuses == [*[200] * 60, 429]
    deliver()
    assert len(mailoutbox) == 1
    caches["default"].clear()


@pytest.mark.usefixtures("mail")
def test_a_player_is_sent_no_link_while_one_is_open_and_five_a_day_at_most(
    window: Window, mailoutbox: list[EmailMessage]
) -> None:
    player = window.players[4]
    Person.objects.filter(player=player).update(email="nora@example.org")
    start = timezone.now()

    def ask(after: timedelta) -> int:
        player_devices.request_links(
            email="nora@example.org", site="", language="en", at=start + after
        )
        player_devices.delete_expired(at=start + after)
        return PlayerSignInCode.objects.count()

    minute = timedelta(minutes=1)
    assert [ask(n * minute) for n in (0, 6, 29)] == [1, 1, 1]
    # One that was used makes room for the next.
    deliver()
    Client().post(link_in(mailoutbox[0]))
    assert [ask(n * minute) for n in (29, 60, 91, 122, 153, 184)] == [2, 3, 4, 5, 5, 5]
    # After a day the first ones are forgotten.
    assert ask(timedelta(days=1, minutes=1)) == 5


@pytest.mark.usefixtures("mail")
def test_a_typed_code_cannot_be_tried_as_a_link(window: Window) -> None:
    code = code_for(window.players[2]).replace("-", "")
    assert "This link has been used" in words(Client().get(f"/my/link/{code}"))


@pytest.mark.usefixtures("mail")
def test_a_link_that_expired_is_not_sent(window: Window, mailoutbox: list[EmailMessage]) -> None:
    Person.objects.filter(player=window.players[4]).update(email="nora@example.org")
    ask_for_link(Client(), "nora@example.org")
    PlayerSignInCode.objects.update(ends_at=timezone.now())
    deliver()
    assert not mailoutbox


@pytest.mark.usefixtures("mail")
def test_a_link_is_sent_again_where_the_mail_server_was_away(
    window: Window, settings: Any, mailoutbox: list[EmailMessage]
) -> None:
    Person.objects.filter(player=window.players[4]).update(email="nora@example.org")
    ask_for_link(Client(), "nora@example.org")
    backend = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    deliver()
    settings.EMAIL_BACKEND = backend
    PlayerSignInCode.objects.update(due_at=timezone.now())
    deliver()
    assert len(mailoutbox) == 1


def records_of(client: Client) -> str:
    answer: Any = client.get("/my/hands.phn")
    assert answer["Content-Type"].startswith("application/x-phn")
    return b"".join(answer.streaming_content).decode()


def test_a_player_takes_the_records_of_their_own_games_away(window: Window) -> None:
    assert Client().get("/my/hands.phn").status_code == 302
    player = window.players[0]
    text = records_of(signed_in(player))
    games = Sitting.objects.filter(player=player).values_list("game", flat=True)
    others = Game.objects.exclude(pk__in=games).values_list("pk", flat=True)
    assert text.startswith("% PHN 1.0")
    assert all(str(game) in text for game in games if Hand.objects.filter(game=game).exists())
    assert not any(str(game) in text for game in others)
    assert not any(name in text for name in NAMES)


def test_cards_that_other_tables_may_still_play_are_not_taken_away(window: Window) -> None:
    Event.objects.update(duplicate=True)
    assert "GameId" not in records_of(signed_in(window.players[0]))
