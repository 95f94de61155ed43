"""A night at the desk without a line of JavaScript: set up, check in, seat, start, close."""

import json
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from smtplib import SMTPServerDisconnected
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from scoring.jobs.kinds import WORK
from tests.scoring.club import DIRECTOR, at, make_club, make_players, make_rules
from tests.tournaments.night import draw, make_event, make_night, play, start
from tests.web.desk import Director, director_of, forms_in
from tests.web.texts import example
from tests.web.window import publish_all
from tournaments.core.name_folding import fold_name
from tournaments.events import entries
from tournaments.events.adjustments import adjust_score
from tournaments.events.entries import NewEntry
from tournaments.models import (
    AuditEntry,
    Board,
    Entry,
    Event,
    Person,
    Player,
    Presence,
    ResultMail,
    Round,
    SitOut,
    Stage,
    Status,
)

pytestmark = pytest.mark.django_db


def words(response: Any) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))


def text_of(response: Any) -> str:
    text: str = response.content.decode()
    return text


def night_of(players: int = 8, **fields: Any) -> tuple[Director, Event, str]:
    event = make_night(players, **fields)
    return director_of(event.club), event, f"/desk/events/{event.pk}/"


def test_a_night_is_set_up_with_every_setting_in_words() -> None:
    club = make_club()
    rules = make_rules(club)
    director = director_of(club)
    path = f"/desk/clubs/{club.pk}/events/new/"
    assert "Points for the place at the table" in words(director.get(path))
    answer = director.fill(
        path, name="Club night", rounds="3", hands="2", scoring_method="chips", sizes=["4"]
    )
    event = Event.objects.get()
    assert answer.headers["Location"] == f"/desk/events/{event.pk}/"
    assert (event.rounds, event.hands, event.sizes, event.sit_outs) == (3, 2, [4], True)
    assert event.scoring["method"] == "chips"
    assert event.rule_set == rules


def test_where_rounds_are_chosen_it_says_how_many_bring_nobody_together_twice() -> None:
    director, event, path = night_of(16)
    assert "With 16 players: You can play up to 5 rounds" in words(director.get(f"{path}settings/"))
    new = words(director.get(f"/desk/clubs/{event.club.pk}/events/new/"))
    assert "With 16 players: You can play up to 5 rounds" in new, "as many as at the last night"
    empty, _event, path = night_of(0)
    assert "16: 5, 19: 5, 20: 5" in words(empty.get(f"{path}settings/"))


def consequence(response: Any, question: str) -> str:
    """What the page says beside a question."""
    groups = response.context["form"].open_groups
    (found,) = [group.words for group in groups if group.title == question]
    return str(found)


def test_six_questions_stand_open_and_everything_else_is_in_one_fold() -> None:
    director, _event, path = night_of(8)
    page = director.get(f"{path}settings/")
    form = page.context["form"]
    assert [group.title for group in form.open_groups] == [
        "When and where?",
        "What is played?",
        "How long?",
        "Who sits with whom?",
        "What counts?",
        "What is paid?",
    ]
    assert not form.is_fold_open
    assert "no clock" in form.fold_words
    assert "results may be corrected for 24 hours" in form.fold_words
    refused = director.fill(f"{path}settings/", round_minutes="-1")
    assert refused.status_code == 422
    assert refused.context["form"].is_fold_open, "what is wrong is in sight"


def test_a_question_says_what_its_answer_comes_to() -> None:
    director, _event, path = night_of(8, rounds=2, hands=4)
    settings = f"{path}settings/"
    page = director.get(settings)
    assert "0:40 hours at 5 minutes a hand" in consequence(page, "How long?")
    met = consequence(page, "Who sits with whom?")
    assert "In 2 rounds everybody meets at most 6 of the 7 others." in met
    worth = consequence(page, "What counts?").replace("\N{MINUS SIGN}", "-")
    assert worth == "At a table of 4 a place is worth +3, +1, -1, -3 points."
    assert consequence(page, "What is paid?") == "Nobody pays anything for the evening."
    form = director.form(settings)
    answers = {"entry_fee": "5", "prizes_prizes": "50 30 20", "round_minutes": "30"}
    answers |= {"scoring_method": "chips"}
    fresh = director.send(form, **answers, read="1")
    paid = consequence(fresh, "What is paid?")
    assert paid == "With 8 people 40.00 are in the pool: 20.00, 12.00, 8.00."
    assert "1:00 hours by the clock" in consequence(fresh, "How long?")
    assert "Every chip won counts one" in consequence(fresh, "What counts?")
    assert Event.objects.get().entry_fee == 0, "reading changes nothing"
    spoilt = director.send(form, rounds="many", prizes_prizes="50%", read="1")
    assert consequence(spoilt, "How long?") == ""


def test_the_pace_of_the_last_nights_says_how_long_the_next_one_takes() -> None:
    director, event, path = night_of(4, rounds=1, hands=2)
    draw(event)
    play(start(event, 1)[0], 2)
    director.fill(path, "/close/")
    closed = Round.objects.get()
    assert closed.started_at is not None
    Round.objects.update(closed_at=closed.started_at + timedelta(minutes=14))
    page = director.get(f"/desk/clubs/{event.club_id}/events/new/")
    assert "a hand took 7 minutes on the last nights" in consequence(page, "How long?")


def test_standard_rules_can_be_chosen_for_a_round_of_a_night_that_is_there() -> None:
    event = make_night(8, rounds=2)
    admin = director_of(event.club, "admin")
    settings = f"/desk/events/{event.pk}/settings/"
    page = admin.fill(
        settings, round_rules_rounds_0="2", round_rules_chosen_0="preset:standard", read="1"
    )
    assert "which game a round plays" in consequence(page, "What is played?")
    answer = admin.fill(settings, round_rules_rounds_0="2", round_rules_chosen_0="preset:standard")
    assert answer.status_code == 302, words(answer)
    event.refresh_from_db()
    (own,) = event.round_rules.values()
    assert event.club.rule_sets.get(pk=own).preset == "standard"
    admin.fill(settings, name="Another")
    action = AuditEntry.objects.filter(what="event changed").order_by("-id").first()
    assert action is not None
    assert json.loads(action.details) == {"fields": ["name"]}, "the rules are as they were"


def test_a_night_is_hidden_from_strangers_also_when_it_is_over() -> None:
    director, event, path = night_of(4, rounds=1)
    Event.objects.update(status=Status.FINISHED, finished_at=event.starts_at)
    settings = f"{path}settings/"
    assert "Only the club" in words(director.get(settings))
    director.fill(settings, is_hidden="on")
    assert Event.objects.get().is_hidden
    assert "hidden" in words(director.get(path))
    assert director.fill(settings, name="Another").status_code == 422
    form = director.form(settings)
    del form.values["is_hidden"]
    director.send(form)
    assert not Event.objects.get().is_hidden


def test_what_the_form_leaves_empty_is_as_the_house_rules_say() -> None:
    club = make_club()
    make_rules(club, overrides={"correction_period": "PT48H"})
    director = director_of(club)
    path = f"/desk/clubs/{club.pk}/events/new/"
    director.fill(path, name="Club night")  # as the page shows it, but for the name
    event = Event.objects.get()
    assert (event.correction_hours, event.round_minutes) == (48, 0)
    assert (event.sizes, event.sit_outs, event.team_best) == ([4], True, None)


def test_an_admin_without_rules_takes_standard_ones() -> None:
    club = make_club()
    admin = director_of(club, "admin")
    path = f"/desk/clubs/{club.pk}/events/new/"
    admin.fill(path, name="First night", rule_set="preset:insurance")
    event = Event.objects.get()
    assert (event.rule_set.preset, event.rule_set.club) == ("insurance", club)
    assert "preset:insurance" not in admin.get(path).content.decode()
    director = director_of(club, name="Ivo Boom")
    assert "preset:" not in director.get(path).content.decode()


def test_other_rules_than_last_time_bring_their_own_tables() -> None:
    club = make_club()
    for_fewer = make_rules(club, "hoyle-hearts")
    for_four = make_rules(club)
    director = director_of(club)
    path = f"/desk/clubs/{club.pk}/events/new/"
    director.fill(path, name="First night", rule_set=str(for_fewer.pk))
    first = Event.objects.get()
    assert (len(first.sizes) > 1, first.sit_outs) == (True, False)
    director.fill(path, name="Second night", rule_set=str(for_four.pk))
    second = Event.objects.get(name="Second night")
    assert (second.sizes, second.sit_outs) == ([4], True)


def test_tables_that_were_chosen_are_chosen_again() -> None:
    club = make_club()
    make_event(club, rule_set=make_rules(club, "hoyle-hearts"), sizes=[4], sit_outs=False)
    director = director_of(club)
    director.fill(f"/desk/clubs/{club.pk}/events/new/", name="Next night")
    event = Event.objects.get(name="Next night")
    assert (event.sizes, event.sit_outs) == ([4], False)


def test_what_cannot_be_is_said_at_its_field() -> None:
    club = make_club()
    make_rules(club)
    director = director_of(club)
    path = f"/desk/clubs/{club.pk}/events/new/"
    answer = director.fill(path, name="Night", scoring_per_hand="on", scoring_method="chips")
    assert answer.status_code == 422
    assert re.search(r'id="id_scoring_par_error">[^<]*is needed', answer.content.decode())
    for wrong in ('{"4": [1, 2, 3, 4]}', "1 2 3 4", "5 3 x 0"):
        answer = director.fill(path, name="Night", sizes=["6"], scoring_scale=wrong)
        assert answer.status_code == 422
    assert not Event.objects.exists()


def test_points_of_places_are_typed_as_people_write_them() -> None:
    club = make_club()
    make_rules(club)
    director = director_of(club)
    new = f"/desk/clubs/{club.pk}/events/new/"
    assert (
        director.fill(new, name="Night", scoring_scale="5 3 1 0; 6, 4, 2, 1, 1/2").status_code
        == 302
    )
    event = Event.objects.get()
    assert event.scoring["scale"] == {"4": ["5", "3", "1", "0"], "5": ["6", "4", "2", "1", "1/2"]}
    shown = director.form(f"/desk/events/{event.pk}/settings/").values["scoring_scale"]
    assert shown == ["5 3 1 0; 6 4 2 1 1/2"]


def test_a_comma_within_a_number_is_a_decimal_mark_and_nothing_typed_is_lost() -> None:
    club = make_club()
    make_rules(club)
    director = director_of(club)
    new = f"/desk/clubs/{club.pk}/events/new/"
    for wrong, why in (
        ("5,3,1,0", "“5,3,1,0” is no number: put a blank between the points of two places."),
        ("5 3 1 0; 4 3 2 1", "Points for tables of 4 are there twice: leave one row out."),
    ):
        answer = director.fill(new, name="Night", scoring_scale=wrong)
        assert answer.status_code == 422
        assert why in words(answer)
    assert not Event.objects.exists()
    assert director.fill(new, name="Night", scoring_scale="5,5 3 1").status_code == 302
    assert Event.objects.get().scoring["scale"] == {"3": ["5.5", "3", "1"]}


def test_settings_change_only_what_differs() -> None:
    settings = {"sizes": [4], "sit_outs": False, "scoring": {"method": "chips", "par": 7}}
    director, event, path = night_of(4, **settings)
    answer = director.fill(path + "settings/", name="Another name")
    assert answer.status_code == 302, words(answer)
    event.refresh_from_db()
    assert event.name == "Another name"
    assert {name: getattr(event, name) for name in settings} == settings
    director.fill(path + "settings/", sit_outs="yes", scoring_par="8")
    event.refresh_from_db()
    assert (event.sit_outs, event.scoring["par"], event.scoring["method"]) == (True, 8, "chips")


def test_members_are_ticked_and_others_walk_in() -> None:
    event = make_event()
    make_players(event.club, 5)
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    players = [str(player.pk) for player in Player.objects.order_by("number")[:4]]
    form = director.form(path, "check-in")
    for _ in range(2):
        assert director.send(form, player=players).status_code == 302
    assert "4 are here now." in words(director.get(path))
    director.fill(path, "walk-in", name="Zoë Grün")
    director.fill(path, "walk-in", name="player 5", later="1")
    assert [entry.presence for entry in Entry.objects.order_by("number")] == [
        *["here"] * 5,
        "expected",
    ]
    assert Person.objects.get(name="Zoë Grün").player.kind == "member"
    assert Player.objects.count() == 6


def test_a_walk_in_is_a_member_until_the_director_says_guest_and_that_stays() -> None:
    event = make_event()
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    kinds = {"Ann One": {}, "Bea Two": {"kind": "guest"}, "Cy Three": {}, "Di Four": {}}
    for name, chosen in kinds.items():
        assert director.fill(path, "walk-in", name=name, **chosen).status_code == 302
    assert director.fill(path, "walk-in", name="Ed Five", kind="member").status_code == 302
    assert director.fill(path, "walk-in", name="Flo Six").status_code == 302
    found = dict(Person.objects.values_list("name", "player__kind"))
    assert found == {
        "Ann One": "member",
        "Bea Two": "guest",
        "Cy Three": "guest",
        "Di Four": "guest",
        "Ed Five": "member",
        "Flo Six": "member",
    }
    assert set(Entry.objects.values_list("standing", flat=True)) == {"player", "guest"}
    other = make_event(event.club, name="Another night")
    page = director.form(f"/desk/events/{other.pk}/", "walk-in")
    assert page.values["kind"] == ["member"]


def test_the_typed_name_wins_over_the_answer_to_an_older_question() -> None:
    event = make_event()
    nora, _victor = make_players(event.club, 2)
    for player, name in zip(
        Player.objects.order_by("number"), ("Nora Adams", "Łukasz Kos"), strict=True
    ):
        Person.objects.filter(player=player).update(name=name, sought=fold_name(name))
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    asked = director.fill(path, "walk-in", name="Nora Adam")
    (question,) = (one for one in forms_in(asked, path) if "walk-in" in one.action)
    assert question.values["who"] == [str(nora.pk)]
    # Another name that is known, one that is new, and one that asks a question of its own.
    director.send(question, name="łukasz KOS")
    assert "Łukasz Kos is here." in words(director.get(path))
    assert not Entry.objects.filter(player=nora).exists()
    (question,) = (one for one in forms_in(asked, path) if "walk-in" in one.action)
    question.values["key"] = director.form(path, "walk-in").values["key"]
    director.send(question, name="Zoë Grün")
    assert "Zoë Grün is here." in words(director.get(path))
    question.values["key"] = director.form(path, "walk-in").values["key"]
    again = director.send(question, name="Lukasz Ko", who="new")
    assert "Which one do you mean?" in words(again)
    assert set(Entry.objects.values_list("player__person__name", flat=True)) == {
        "Łukasz Kos",
        "Zoë Grün",
    }
    # The name that was asked about: who is chosen is entered, under their own name.
    question.values["key"] = director.form(path, "walk-in").values["key"]
    director.send(question)
    assert "Nora Adams is here." in words(director.get(path))
    assert Entry.objects.filter(player=nora).exists()


def test_a_choice_that_nobody_offered_is_not_entered() -> None:
    event = make_event()
    (nora,) = make_players(event.club, 1)
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    director.fill(path, "walk-in", name="Zoë Grün", who=str(nora.pk))
    assert Entry.objects.get().player.person.name == "Zoë Grün"


def test_a_name_that_is_almost_known_is_asked_about() -> None:
    event = make_event()
    (player,) = make_players(event.club, 1)
    Person.objects.filter(player=player).update(name="Nora Adams", sought="nora adams")
    director, path = director_of(event.club), f"/desk/events/{event.pk}/"
    asked = director.fill(path, "walk-in", name="Nora Adam")
    assert "Which one do you mean?" in words(asked)
    assert not Entry.objects.exists()
    director.fill(path, "walk-in", name="Nora Adam", who=str(player.pk))
    assert Entry.objects.get().player == player
    director.fill(path, "walk-in", name="Nora Adam", who="new")
    assert Player.objects.count() == 2


def test_who_leaves_is_seated_no_more_and_may_come_back() -> None:
    director, event, path = night_of(9)
    entry = event.entries.get(number=9)
    director.fill(path, "/move/", move=f"left:{entry.pk}")
    entry.refresh_from_db()
    assert entry.presence == Presence.LEFT
    director.fill(path, "/move/", move=f"here:{entry.pk}")
    entry.refresh_from_db()
    assert (entry.presence, entry.last) == (Presence.HERE, None)
    director.fill(f"{path}entries/{entry.pk}/", remove="1")
    assert event.entries.count() == 8


def test_entries_keep_their_wishes() -> None:
    director, event, path = night_of(4)
    one, other = event.entries.order_by("number")[:2]
    page = f"{path}entries/{one.pk}/"
    director.fill(page, team="Blue", handicap="5/2", sits_out="on", apart=str(other.pk))
    one.refresh_from_db()
    assert (one.team, one.handicap, one.sits_out) == ("Blue", "5/2", True)
    assert event.apart.count() == 1
    wrong = director.fill(page, handicap="a lot")
    assert wrong.status_code == 422
    assert 'id="id_handicap_error"' in wrong.content.decode()
    director.fill(page, meet=str(other.pk))
    assert event.apart.count() == 0


def test_a_seating_is_looked_at_drawn_again_and_used() -> None:
    director, event, path = night_of(8, rounds=2)
    first = words(director.get(path + "?draw=0"))
    assert "repeat meeting" in first
    assert not Round.objects.exists()
    another = director.get(path + "?draw=1")
    assert "draw=2" in another.content.decode()
    form = director.form(path + "?draw=1", "/draw/")
    entries.change_entry(
        entry_id=event.entries.get(number=1).pk,
        changes={"sits_out": True},
        by=DIRECTOR,
        at=event.created_at,
    )
    assert director.send(form).status_code == 422  # somebody changed the list meanwhile
    assert not Round.objects.exists()
    director.fill(path + "?draw=1", "/draw/")
    assert [row.stage for row in Round.objects.order_by("number")] == ["drawn", "drawn"]


def test_two_players_are_swapped_by_hand() -> None:
    director, _, path = night_of(8, rounds=1)
    director.fill(path + "?draw=0", "/draw/")
    row = Round.objects.get()
    one = row.tables.get(number=1).seats.get(seat=0)
    other = row.tables.get(number=2).seats.get(seat=3)
    director.fill(path, "/swap/", swap=[str(one.entry_id), str(other.entry_id)])
    assert row.tables.get(number=1).seats.get(seat=0).entry_id == other.entry_id
    assert row.tables.get(number=2).seats.get(seat=3).entry_id == one.entry_id
    refused = director.fill(path, "/swap/", swap=[str(one.entry_id)])
    assert "Tick two players" in words(refused)
    refused = director.fill(path, "/swap/", swap=["nobody", str(one.entry_id)])
    assert refused.status_code == 422


def test_a_round_is_started_watched_and_closed_and_the_night_finished() -> None:
    director, event, path = night_of(8, rounds=1)
    director.fill(path + "?draw=0", "/draw/")
    form = director.form(path, "/start/")
    assert director.send(form).status_code == 302
    assert director.send(form).status_code == 302  # a double tap starts nothing twice
    games = list(event.club.games.order_by("opened_at", "id"))
    assert len(games) == 2
    shown = director.get(path)
    assert "handouts?kind=cards" in shown.content.decode()
    play(games[0], 2)
    assert "1 of 2 tables are done" in words(director.get(f"{path}floor/"))
    refused = director.fill(path, "/close/")
    assert refused.status_code == 422
    assert "has played 0 of 2 hands" in words(refused)
    director.fill(path, "/close/", why="The bar closed.")
    assert Round.objects.get().stage == Stage.CLOSED
    assert 'data-round=""' in text_of(director.get(f"{path}floor/"))
    director.fill(path, "/finish/")
    event.refresh_from_db()
    assert event.status == Status.FINISHED
    assert "then they can be made official" in words(director.get(path))
    form = director.form(path, "/reopen/")
    early = director.client.post(f"{path}official/", form.values)
    assert "Say why the correction period ends early." in words(early)
    director.fill(path, "/reopen/", why="A slip turned up.")
    event.refresh_from_db()
    assert event.status == Status.RUNNING


def test_an_amendment_is_seen_at_the_desk_and_confirmed_or_declined() -> None:
    director, event, path = night_of(4, rounds=1)
    director.fill(path + "?draw=0", "/draw/")
    director.fill(path, "/start/")
    play(event.club.games.get(), 2)
    director.fill(path, "/close/")
    director.fill(path, "/finish/")
    assert "The results are official." not in words(director.get(f"{path}penalties/"))
    director.fill(path, "/official/", why="Everybody signed.")
    assert "The results are official." in words(director.get(f"{path}penalties/"))
    entry = event.entries.order_by("number")[0]

    def be_late() -> None:
        adjust_score(
            event_id=event.pk,
            entry=entry.pk,
            amount="-50",
            reason="Late twice.",
            by=DIRECTOR,
            at=timezone.now(),
        )

    be_late()
    publish_all()
    shown = words(director.get(path))
    assert "An amendment waits for you" in shown
    assert "score adjusted" in shown
    form = director.form(path, "/confirm/")
    assert form.values["reason"] == ["Late twice."]
    be_late()
    stale = director.client.post(f"{path}amendment/confirm/", form.values | {"reason": "Mine."})
    assert "has changed this night in the meantime" in words(stale)
    assert "Mine." in stale.content.decode()
    publish_all()
    director.fill(path, "/decline/", reason="The bell was broken.")
    shown = words(director.get(path))
    assert "An amendment waits" not in shown
    assert "The bell was broken." in shown
    be_late()
    publish_all()
    director.fill(path, "/confirm/", reason="Late again.")
    assert "because: Late again." in words(director.get(path))
    assert "official, amended" in words(director.get(f"/e/{event.pk}/"))


@pytest.mark.parametrize("name", ["\x00", " \n ", "N" * 201, "Zoë\x00\u200d", "<b>Nora</b>"])
def test_odd_names_are_refused_or_read_as_text(name: str) -> None:
    director, event, path = night_of(4)
    answer = director.fill(path, "walk-in", name=name)
    assert answer.status_code in (302, 422)
    assert event.entries.count() == (5 if answer.status_code == 302 else 4)
    assert "<b>Nora" not in director.get(path).content.decode()


@pytest.mark.parametrize("move", ["", "here", "gone:x", "here:not-an-id", "left:" + "9" * 99])
def test_forged_buttons_find_nothing(move: str) -> None:
    director, _, path = night_of(4)
    assert director.fill(path, "/move/", move=move).status_code == 404


def test_nobody_of_another_club_is_found() -> None:
    director, event, path = night_of(4)
    other = make_night(4)
    stranger = other.entries.get(number=1)
    assert director.get(f"{path}entries/{stranger.pk}/").status_code == 404
    assert director.fill(path, "/move/", move=f"left:{stranger.pk}").status_code == 404
    refused = director.client.post(
        f"{path}check-in/",
        director.form(path, "walk-in").values | {"player": str(stranger.player_id)},
    )
    assert refused.status_code == 422
    assert event.entries.count() == 4


def test_boards_are_prepared_from_the_seed_or_a_file() -> None:
    director, event, path = night_of(8, rounds=1, hands=2, duplicate=True, sizes=[4])
    page = path + "boards/"
    assert "No board is prepared yet." in words(director.get(page))
    director.fill(page)
    first = list(Board.objects.values_list("deal", flat=True))
    assert (len(first), len(set(first))) == (2, 2)
    short = SimpleUploadedFile("one.phn", example("1-bicycle-auction-full").encode())
    refused = director.fill(page, file=short)
    assert refused.status_code == 422
    assert "2 deals are needed; the file has 1." in words(refused)
    assert list(Board.objects.values_list("deal", flat=True)) == first
    assert "Boards" in words(director.get(path))
    plain, _, other = night_of(4)
    assert "This event has no prepared deals." in words(plain.fill(other + "boards/"))
    assert event.boards.count() == 2


def test_a_start_that_came_too_early_is_taken_back() -> None:
    director, event, path = night_of(4, rounds=1)
    draw(event)
    director.fill(path, "start", round="1")
    assert "Started too early?" in words(director.get(path))
    answer = director.fill(path, "take-back")
    assert "is taken back; it is only drawn" in words(director.get(answer.headers["Location"]))
    assert Round.objects.get(event=event).stage == Stage.DRAWN
    (game,) = start(event, 1)
    play(game, 1)
    assert "Started too early?" not in words(director.get(path))


def test_who_came_or_left_since_the_draw_is_told_by_name() -> None:
    director, event, path = night_of(8, rounds=1)
    director.fill(path + "?draw=0", "/draw/")
    (late,) = make_players(event.club, 1)
    Person.objects.filter(player=late).update(name="Zoë Grün")
    entries.enter(event_id=event.pk, new=NewEntry(player=late.pk), by=DIRECTOR, at=at(1))
    gone = Entry.objects.get(event=event, number=2)
    Person.objects.filter(player=gone.player).update(name="Bo Lindqvist")
    left = {"presence": Presence.LEFT}
    entries.change_entry(entry_id=gone.pk, changes=left, by=DIRECTOR, at=at(2))
    refused = director.fill(path, "/start/")
    assert refused.status_code == 422
    said = words(refused)
    assert "Came after the draw: Zoë Grün." in said
    assert "Left after the draw: Bo Lindqvist." in said
    assert "Draw the round again, or seat it by hand." in said
    assert "Entry 9" not in said


def test_who_sits_out_is_told_while_the_round_plays() -> None:
    director, event, path = night_of(5, rounds=1, sizes=[4], sit_outs=True)
    director.fill(path + "?draw=0", "/draw/")
    director.fill(path, "/start/")
    name = SitOut.objects.get().entry.player.person.name
    for page in (director.get(path), director.get(f"{path}floor/")):
        (told,) = re.findall(
            r'<p class="counts-line sitting-out">.*?</p>', text_of(page), re.DOTALL
        )
        assert "Sit out" in told
        assert f"<bdi>{name}</bdi>" in told
    other, _, path = night_of(4, rounds=1, club=event.club)
    other.fill(path + "?draw=0", "/draw/")
    other.fill(path, "/start/")
    assert "sitting-out" not in text_of(other.get(path))


def test_one_button_leads_from_the_last_hand_to_the_official_table() -> None:
    director, event, path = night_of(8, rounds=1, correction_hours=0)
    draw(event)
    for game in start(event, 1):
        play(game, 2)
    answer = director.fill(path, "/official/")
    assert answer.status_code == 302, words(answer)
    event.refresh_from_db()
    assert event.status == Status.OFFICIAL
    assert Round.objects.get().stage == Stage.CLOSED
    shown = text_of(director.get(path))
    assert "handouts/?kind=result" in shown or "handouts?kind=result" in shown
    assert 'id="result-text"' in shown


def test_the_correction_period_is_ended_by_the_same_button_with_a_reason() -> None:
    director, event, path = night_of(4, rounds=1, correction_hours=24)
    draw(event)
    play(start(event, 1)[0], 2)
    refused = director.fill(path, "/official/", why="")
    assert refused.status_code == 422
    assert "Say why the correction period ends early." in words(refused)
    event.refresh_from_db()
    assert event.status == Status.RUNNING, "half of it is not done"
    assert Round.objects.get().stage == Stage.PLAYING
    assert director.fill(path, "/official/").status_code == 302, "the usual reason stands there"
    event.refresh_from_db()
    assert event.status == Status.OFFICIAL


def test_what_hinders_a_table_from_being_official_stands_there_with_links() -> None:
    director, event, path = night_of(8, rounds=1, correction_hours=0)
    draw(event)
    done, late = start(event, 1)
    play(done, 2)
    play(late, 1)
    assert "This has to be decided before" not in words(director.get(path))
    refused = director.fill(path, "/official/")
    assert refused.status_code == 422
    assert "Round 1, table 2 has played 1 of 2 hands" in words(refused)
    assert f'href="/desk/games/{late.pk}/"' in text_of(refused)
    event.refresh_from_db()
    assert event.status == Status.RUNNING


def test_a_night_can_end_before_its_last_round() -> None:
    director, event, path = night_of(8, rounds=3, correction_hours=0)
    draw(event)
    for game in start(event, 1):
        play(game, 2)
    assert "/official/" not in {one.action.rsplit(path)[-1] for one in director.forms(path)}
    director.fill(path, "/close/")
    assert director.fill(path, "/official/").status_code == 302
    event.refresh_from_db()
    assert event.status == Status.OFFICIAL


def test_what_is_sent_round_has_standings_prizes_payments_and_the_page() -> None:
    club = make_club()
    rules = make_rules(club, "bicycle", {"buy_in": "1000"})
    director, event, path = night_of(
        8, club=club, rule_set=rules, rounds=1, correction_hours=0, added=2000
    )
    draw(event)
    for table, game in enumerate(start(event, 1)):
        play(game, 2, seed=table)
    director.fill(path, "/official/")
    text = text_of(director.get(path))
    sent = text[text.index('id="result-text"') :].partition("</textarea>")[0]
    assert event.name in sent
    assert re.search(r"Official since [0-9]+ [A-Z][a-z]+ 20[0-9]{2}, [0-9:]{5} UTC", sent)
    assert "Prizes:" in sent
    assert re.search(r"Player [0-9] pays Player [0-9] [0-9]+\.[0-9]{2}\s+EUR", sent)
    assert f"http://testserver/events/{event.pk}/" in sent or f"/e/{event.pk}" in sent
    assert "To settle up, in few payments" in text
    assert "mailto:?subject=" in text


def test_a_round_is_given_other_house_rules_on_the_form() -> None:
    club = make_club()
    auction, sahara = make_rules(club), make_rules(club, "sahara")
    director = director_of(club)
    path = f"/desk/clubs/{club.pk}/events/new/"
    form = director.form(path)
    chosen = {
        "name": "Two games",
        "rounds": "3",
        "rule_set": str(auction.pk),
        "round_rules_rounds_0": "2, 3",
        "round_rules_chosen_0": str(sahara.pk),
    }
    refused = director.send(form, **chosen, scoring_method="chips")
    assert refused.status_code == 422
    wrong = text_of(refused).partition('id="id_scoring_method_error"')[2]
    assert "different systems cannot be added" in wrong[:400]
    refused = director.send(form, **chosen | {"round_rules_rounds_0": "9"})
    assert "There is no round 9: the night has 3." in words(refused)
    refused = director.send(form, **chosen | {"round_rules_chosen_0": ""})
    assert "Choose the house rules of these rounds." in words(refused)
    refused = director.send(form, **chosen, sizes=["4", "5"])
    assert "a table of 5 cannot be" in words(refused)
    assert director.send(form, **chosen).status_code == 302
    event = Event.objects.get()
    assert event.round_rules == {"2": str(sahara.pk), "3": str(sahara.pk)}
    settings = f"/desk/events/{event.pk}/settings/"
    shown = director.form(settings).values
    assert shown["round_rules_rounds_0"] == ["2, 3"]
    assert shown["round_rules_chosen_0"] == [str(sahara.pk)]
    director.fill(settings, round_rules_rounds_0="2")
    event.refresh_from_db()
    assert event.round_rules == {"2": str(sahara.pk)}
    assert "bicycle 1; round 2: sahara 2" in words(director.get(f"/desk/events/{event.pk}/"))
    assert director.form(path).values["round_rules_rounds_0"] == ["2"], "as at the last night"


def test_standard_rules_are_taken_for_a_round_too() -> None:
    club = make_club()
    admin = director_of(club, "admin")
    admin.fill(
        f"/desk/clubs/{club.pk}/events/new/",
        name="Two games",
        rule_set="preset:bicycle",
        sizes=[],
        round_rules_rounds_0="2",
        round_rules_chosen_0="preset:sahara",
    )
    event = Event.objects.get()
    (own,) = event.round_rules.values()
    assert club.rule_sets.get(pk=own).preset == "sahara"


def test_only_tables_that_some_rules_of_the_club_allow_are_offered() -> None:
    club = make_club()
    make_rules(club)
    director = director_of(club)
    path = f"/desk/clubs/{club.pk}/events/new/"
    offered = re.findall(r'name="sizes" value="(\d)"', text_of(director.get(path)))
    assert offered == ["4"], "bicycle is for four alone"
    make_rules(club, "sahara")
    offered = re.findall(r'name="sizes" value="(\d)"', text_of(director.get(path)))
    assert offered == ["3", "4", "5"]


def test_what_was_usual_under_the_chosen_rules_is_remembered() -> None:
    club = make_club()
    auction, sahara = make_rules(club), make_rules(club, "sahara")
    make_event(club, rule_set=sahara, rounds=7, hands=3, sizes=[3], starts_at=at(-600))
    make_event(club, rule_set=auction, rounds=2, scoring={"method": "chips"})
    director = director_of(club)
    path = f"/desk/clubs/{club.pk}/events/new/"
    usual = director.form(path).values
    assert (usual["rule_set"], usual["rounds"]) == ([str(auction.pk)], ["2"])
    own = director.form(f"{path}?rules={sahara.pk}").values
    assert (own["rule_set"], own["rounds"], own["hands"]) == ([str(sahara.pk)], ["7"], ["3"])
    assert own["sizes"] == ["3"]
    shown = text_of(director.get(path))
    data = json.loads(
        shown.partition('id="rule-data" type="application/json">')[2].partition("<")[0]
    )
    assert data[str(sahara.pk)]["sizes"] == [3, 4, 5]
    assert data[str(sahara.pk)]["usual"]["rounds"] == 7
    assert data[str(auction.pk)]["usual"]["scoring_method"] == "chips"


def test_the_settings_say_at_which_tables_those_who_entered_would_sit() -> None:
    director, _event, path = night_of(7, sizes=[4], sit_outs=False)
    said = words(director.get(f"{path}settings/"))
    assert "7 players cannot be seated at tables of 4 alone without sit-outs." in said
    director.fill(f"{path}settings/", sit_outs="yes")
    said = words(director.get(f"{path}settings/"))
    assert "With 7 players there would be tables of 4. 3 players sit out." in said


def mail_night(settings: Any) -> tuple[Director, Event, str]:
    """An official night in a club with a mail server, of which two of four want results."""
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"
    director, event, path = night_of(4, rounds=1, correction_hours=0)
    for number, wants in enumerate((True, True, False, True)):
        person = Person.objects.order_by("player__number")[number]
        person.email, person.gets_results = f"p{number}@club.example", wants
        person.confirmed_email = person.email
        person.save()
    Player.objects.filter(person__email="p3@club.example").update(left_at=at())
    draw(event)
    play(start(event, 1)[0], 2)
    director.fill(path, "/official/")
    return director, event, path


def send_mails(clock: Callable[[], datetime] = timezone.now) -> None:
    """Do what the worker does."""
    for name, _since in WORK["result mail"].due(clock(), 100):
        WORK["result mail"].run(name, clock)


def test_an_official_result_is_sent_once_to_those_who_agreed(
    settings: Any, mailoutbox: list[Any]
) -> None:
    director, event, path = mail_night(settings)
    assert not mailoutbox  # no page waits for a mail server
    send_mails()
    assert [message.to for message in mailoutbox] == [["p0@club.example"], ["p1@club.example"]]
    sent = mailoutbox[0]
    assert (sent.cc, sent.bcc, sent.subject) == ([], [], event.name)
    assert "Standings" in sent.body
    assert "p1@club.example" not in sent.message().as_string()
    assert "result sent" in AuditEntry.objects.filter(chain=event.pk).values_list("what", flat=True)
    page = words(director.get(path))
    assert "It goes by e-mail to 2 who want results." in page
    assert not [one for one in director.forms(path) if one.action.endswith("/send/")]
    send_mails()
    assert len(mailoutbox) == 2


def test_who_wants_results_later_is_sent_them_by_the_director(
    settings: Any, mailoutbox: list[Any]
) -> None:
    director, _event, path = mail_night(settings)
    Person.objects.filter(email="p2@club.example").update(gets_results=True)
    form = director.form(path, "/send/")
    assert "It is being sent to 1 address." in words(
        director.client.get(director.send(form)["Location"])
    )
    director.send(form)  # a double tap sends nothing twice
    send_mails()
    assert sorted(message.to[0][:2] for message in mailoutbox) == ["p0", "p1", "p2"]


def test_an_old_night_is_sent_to_nobody_by_itself(settings: Any) -> None:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"
    director, event, path = night_of(4, rounds=1, correction_hours=0)
    Event.objects.update(starts_at=timezone.now() - timedelta(days=30))
    Person.objects.update(
        email="p@club.example", confirmed_email="p@club.example", gets_results=True
    )
    draw(event)
    play(start(event, 1)[0], 2)
    director.fill(path, "/official/")
    assert not ResultMail.objects.exists()
    assert [one for one in director.forms(path) if one.action.endswith("/send/")]


def test_a_mail_server_that_cannot_be_reached_is_tried_again_and_then_no_more(
    settings: Any, mailoutbox: list[Any]
) -> None:
    mail_night(settings)
    backend = settings.EMAIL_BACKEND
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", 1
    send_mails()
    settings.EMAIL_BACKEND = backend
    send_mails()
    assert not mailoutbox
    send_mails(lambda: timezone.now() + timedelta(minutes=3))
    assert len(mailoutbox) == 2


def test_a_message_that_a_server_was_given_is_never_given_again(
    settings: Any, monkeypatch: pytest.MonkeyPatch, mailoutbox: list[Any]
) -> None:
    mail_night(settings)

    def fail(*_args: object) -> int:
        raise SMTPServerDisconnected

    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.backends.locmem.EmailBackend.send_messages", fail)
        send_mails()
    send_mails(lambda: timezone.now() + timedelta(hours=1))
    assert not mailoutbox


def test_the_link_in_a_result_ends_them(settings: Any, mailoutbox: list[Any]) -> None:
    mail_night(settings)
    send_mails()
    link = mailoutbox[0].extra_headers["List-Unsubscribe"].strip("<>")
    assert link in mailoutbox[0].body
    path = link.removeprefix("http://testserver")
    visitor = Client(enforce_csrf_checks=True)
    assert "Stop these e-mails" in words(visitor.get(path))
    assert Person.objects.get(email="p0@club.example").gets_results
    one_click = {"List-Unsubscribe": "One-Click"}
    assert "You get no more results of" in words(visitor.post(path, one_click))
    assert not Person.objects.get(email="p0@club.example").gets_results
    assert Person.objects.get(email="p1@club.example").gets_results
    assert visitor.post(path, one_click).status_code == 200
    assert visitor.get(path[:-3] + "xyz").status_code == 404


def test_an_address_gets_results_once_its_owner_said_yes(
    settings: Any, mailoutbox: list[Any]
) -> None:
    director, event, path = mail_night(settings)
    send_mails()
    mailoutbox.clear()
    other = Person.objects.get(email="p2@club.example")
    page = f"/desk/clubs/{event.club_id}/members/{other.pk}/"
    form = {"email": "new@club.example", "gets_results": "on"}
    director.fill(page, "", **form)
    assert not [one for one in director.forms(path) if one.action.endswith("/send/")]
    send_mails()
    (asked,) = mailoutbox
    assert asked.to == ["new@club.example"]
    link = re.search(r"http://testserver(/my/results/\S+)", asked.body)
    assert link is not None
    director.fill(page, "", note="asked once", **form)
    send_mails()
    assert len(mailoutbox) == 1
    visitor = Client()
    assert "Yes, send me results" in words(visitor.get(link[1]))
    assert not Person.objects.get(pk=other.pk).is_confirmed
    visitor.post(link[1])
    assert Person.objects.get(pk=other.pk).is_confirmed
    director.fill(path, "/send/")
    send_mails()
    assert mailoutbox[-1].to == ["new@club.example"]
    assert "Standings" in mailoutbox[-1].body
    # Another address was confirmed by nobody, and the link of the first one holds no more.
    Person.objects.filter(pk=other.pk).update(email="third@club.example")
    assert visitor.post(link[1]).status_code == 404
    assert not Person.objects.get(pk=other.pk).is_confirmed


def test_who_was_noted_elsewhere_is_asked_when_a_night_is_official(
    settings: Any, mailoutbox: list[Any]
) -> None:
    settings.EMAIL_HOST, settings.DEFAULT_FROM_EMAIL = "mail.club.example", "club@club.example"
    director, event, path = night_of(4, rounds=1, correction_hours=0)
    person = Person.objects.order_by("player__number")[0]
    Person.objects.filter(pk=person.pk).update(email="p@club.example", gets_results=True)
    draw(event)
    play(start(event, 1)[0], 2)
    director.fill(path, "/official/")
    send_mails()
    assert [message.subject for message in mailoutbox] == ["Results by e-mail"]


def test_nothing_is_sent_to_somebody_who_changed_their_mind_or_was_erased(
    settings: Any, mailoutbox: list[Any]
) -> None:
    mail_night(settings)
    Person.objects.filter(email="p0@club.example").update(gets_results=False)
    Person.objects.filter(email="p1@club.example").delete()
    send_mails()
    assert not mailoutbox
    assert not ResultMail.objects.filter(due_at__isnull=False).exists()


def test_without_a_mail_server_nothing_offers_to_send() -> None:
    director, event, path = night_of(4, rounds=1, correction_hours=0)
    Person.objects.update(
        email="p@club.example", confirmed_email="p@club.example", gets_results=True
    )
    draw(event)
    play(start(event, 1)[0], 2)
    director.fill(path, "/official/")
    assert not [one for one in director.forms(path) if one.action.endswith("/send/")]
    form = director.form(path, "/reopen/")
    assert director.client.post(f"{path}send/", form.values).status_code == 422


@pytest.mark.parametrize("answer", ["public", "private"])
def test_a_club_is_asked_once_whether_its_results_are_public(answer: str) -> None:
    director, event, path = night_of(4, rounds=1, hands=1)
    question = "May anybody see your results?"
    draw(event)
    (game,) = start(event, 1)
    play(game, 1)
    assert question not in words(director.get(path))
    director.fill(path, "/close/", why="The bar closed.")
    director.fill(path, "/finish/")
    assert question not in words(director.get(path))  # who may not answer is not asked
    admin = director_of(event.club, "admin", "Ada Brown")
    assert question in words(admin.get(path))
    form = admin.form(path, "visibility")
    assert director.send(form, **{answer: ""}).status_code == 403
    assert admin.send(form, **{answer: ""}).status_code == 302
    event.club.refresh_from_db()
    assert event.club.is_public is (answer == "public")
    assert question not in words(admin.get(path))
