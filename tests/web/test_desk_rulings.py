"""Disputes, rulings, corrections, substitutes and penalties at the desk."""

import html
import json
import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import pytest

from engine.core.seats import Seat
from engine.record.irregularities import find_by_name
from engine.record.rulings import Decision
from scoring.hands import agreements, recording, rulings
from scoring.hands.papers import PaperId, seal_of, seal_paper
from scoring.hands.submission import HandSubmission
from scoring.management.demo.mistakes import revoke
from scoring.management.demo.random_choices import Chance
from scoring.management.demo.slips import text_of
from scoring.management.demo.tables import DemoTable
from scoring.models import (
    Decided,
    Form,
    Game,
    Hand,
    HandVersion,
    PaperKind,
    SeatLink,
    Sitting,
    State,
    Word,
)
from scoring.models.states import read_state
from scoring.presentation.seat_names import names_at_table
from scoring.settlement.plan import rules_of
from tests.scoring.club import (
    DIRECTOR,
    at,
    chip_hand,
    chips,
    enter,
    make_club,
    make_game,
    make_players,
    make_rules,
    seat,
    state_of,
)
from tests.tournaments.night import draw, make_night, play, start
from tests.web.desk import Director, director_of, forms_in
from tournaments.core.ids import new_id
from tournaments.models import Adjustment, Event, SeatDecision

pytestmark = pytest.mark.django_db


def words(response: Any) -> str:
    text = re.sub(r"<[^>]+>", " ", response.content.decode())
    return html.unescape(re.sub(r"\s+", " ", text))


@pytest.fixture
def table() -> tuple[Director, Game, Event]:
    event = make_night(4, rounds=1, hands=4)
    draw(event)
    (game,) = start(event, 1)
    return director_of(event.club), game, event


def wrong_hand(game: Game) -> Hand:
    """Twenty pain cards of thirteen."""
    return enter(game, chip_hand(state_of(game), (5, 5, 5, 5))).hand


def test_a_dispute_opens_with_what_is_wrong_by_names_and_with_choices(table: Any) -> None:
    director, game, _ = table
    hand = wrong_hand(game)
    page = words(director.get(f"/desk/hands/{hand.pk}/"))
    called = names_at_table(game, 1)
    counts = ", ".join(f"{name} 5" for name in called.values())
    assert f"20 of 13 pain cards are accounted for: {counts}." in page
    assert "rule 11.2" in page
    assert page.index("Correct the record") < page.index("The hand is dealt again")
    assert "Something else: The hand is left out" in page
    assert not Decided.objects.exists()


def go_wrong_once(game: Game, wrongly: Any) -> Hand:
    """Play hands by lot, of which the last has somebody's mistake."""
    club = SimpleNamespace(club=game.club_id, chance=Chance(7), director=DIRECTOR)
    demo = DemoTable(
        club=cast("Any", club), game=game.pk, name="t", rules=rules_of(game), now=at(2)
    )
    record = text_of(demo.go_wrong(wrongly).record)
    return enter(game, record).hand


def test_a_revoke_is_told_with_both_tricks_and_each_choice_with_chips_before_and_after(
    table: Any,
) -> None:
    director, game, _ = table
    hand = go_wrong_once(game, revoke)
    looked = director.get(f"/desk/hands/{hand.pk}/")
    page = words(looked)
    told = re.search(r"(Player \d) showed no (\w+) in trick (\d+), and played the", page)
    assert told is not None
    name, suit, trick = told.groups()
    assert f"Hand 1: {name} did not follow suit" in page
    assert f"Trick {trick}, {suit} led by" in page
    assert page.count("What changes later:") == 2
    assert "Hand 2 begins with" in page
    (ruling, ruled), (_stands, stood), *_more = rulings.effects(game, hand)
    shown = [
        re.findall(r'<td class="number(?: strong)?">(\d+)</td>', one)
        for one in looked.content.decode().split("</table>")[:2]
    ]
    for numbers, played in zip(shown, (ruled, stood), strict=True):
        assert [*map(int, numbers[0::2])] == [*played.before.chips, played.before.pot]
        assert [*map(int, numbers[1::2])] == [*played.after.chips, played.after.pot]
    director.fill(f"/desk/hands/{hand.pk}/", "/decide/", do="decide")
    decided = Decided.objects.get()
    assert decided.decision().offenders == ruling.offenders
    assert decided.facts.endswith(f"{name} pays for all thirteen.")
    assert chips(game) == f"{'/'.join(map(str, ruled.after.chips))} pot {ruled.after.pot}"


def test_a_ruled_hand_says_what_was_ruled_by_whom_and_what_was_told(table: Any) -> None:
    director, game, _ = table
    hand = go_wrong_once(game, revoke)
    path = f"/desk/hands/{hand.pk}/"
    director.fill(path, "/decide/", facts="Counted at the table.", do="decide")
    page = words(director.get(path))
    assert re.search(r"Hand 1 is ruled: Player \d pays for all thirteen", page)
    assert "Counted at the table. Nora Adams," in re.sub(r"\s+", " ", page)
    assert "As entered As ruled" in page
    assert "The director has to rule" not in page
    again = director.get(f"{path}?again=1")
    form = next(one for one in forms_in(again, path) if one.action.endswith("/decide/"))
    assert form.values["supersedes"] == [str(Decided.objects.get().pk)]
    director.send(form, do="decide")
    assert Decided.objects.count() == 2
    assert Decided.objects.filter(superseded_by=None).count() == 1


def test_a_link_to_a_place_of_the_hand_finds_its_cards_open(table: Any) -> None:
    """A browser opens them for the mark in the address too, but late: all below would move."""
    director, game, _ = table
    path = f"/desk/hands/{go_wrong_once(game, revoke).pk}/"
    folded = r'<details class="folded" (open)?>\s*<summary>\s*The whole hand, card by card'
    for query, opened in (("", ""), ("?at=1.0.0", "open"), ("?record=1&trick=0", "open")):
        assert re.findall(folded, director.get(f"{path}{query}").content.decode()) == [opened]


def test_a_choice_says_which_later_hands_are_settled_again(table: Any) -> None:
    director, game, _ = table
    hand = go_wrong_once(game, revoke)
    play(game, 1)
    page = words(director.get(f"/desk/hands/{hand.pk}/"))
    later = "Hand 2 is settled again.", "Later hands stay as they are"
    assert re.search(f"What changes later: ({'|'.join(later)})", page)
    assert "Hand 2 begins with" not in page


def test_a_revoke_in_the_list_of_hands_and_among_the_tasks_names_the_player(table: Any) -> None:
    director, game, event = table
    hand = go_wrong_once(game, revoke)
    seat_of, _colon, message = str(hand.reason).partition(": ")
    assert "does not follow" in message
    name = names_at_table(game, 1)[seat_of]
    for path in (f"/desk/games/{game.pk}/", f"/desk/events/{event.pk}/floor/"):
        page = words(director.get(path))
        assert re.search(rf"{name}: \S+ does not follow", page)
        assert not re.search(rf"\b{seat_of}: \S+ does not follow", page)


def test_a_costly_choice_is_said_with_names_and_a_minus(table: Any) -> None:
    director, game, _ = table
    hand = enter(game, chip_hand(state_of(game), (0, 4, 4, 5))).hand
    path = f"/desk/hands/{hand.pk}/?what=REVOKE&by=E&when=established"
    looked = director.get(path).content.decode()
    costs = re.findall(r'<td class="number minus">([^<]+)</td>', looked)
    assert costs
    assert all(re.fullmatch("\N{MINUS SIGN}[1-9][0-9]*", cost) for cost in costs)
    assert f"{names_at_table(game, 1)['E']} pays for all thirteen" in looked
    assert "East" not in looked.partition('class="folds"')[0]


def test_a_ruling_is_looked_at_and_then_decided_once(table: Any) -> None:
    director, game, _ = table
    hand = wrong_hand(game)
    path = f"/desk/hands/{hand.pk}/"
    assigned = {
        "decision": "ASSIGNED_CAPTURES",
        **dict(zip(("taken_N", "taken_E", "taken_S", "taken_W"), "0427", strict=True)),
        "facts": "Counted again at the table.",
    }
    looked = director.fill(path, "/decide/", **assigned, do="preview")
    assert looked.status_code == 200
    assert "Disputed → Ruled" in words(looked)
    assert 'value="7"' in looked.content.decode()
    assert not Decided.objects.exists()
    form = director.form(path, "/decide/")
    for _ in range(2):
        answer = director.send(form, **assigned, do="decide")
        assert answer.headers["Location"] == path
    hand.refresh_from_db()
    assert (hand.state, Decided.objects.count()) == (State.RULED, 1)
    assert Decided.objects.get().source == "page"
    assert "Counted again at the table." in words(director.get(path))


def test_an_adjustment_that_moves_nothing_is_refused_at_its_field(table: Any) -> None:
    director, game, _ = table
    hand = wrong_hand(game)
    path = f"/desk/hands/{hand.pk}/"
    nothing = {f"chips_{seat}": "0" for seat in "NESW"}
    for typed in ({}, nothing):
        answer = director.fill(path, "/decide/", decision="CHIP_ADJUST", **typed, do="decide")
        assert answer.status_code == 422
        shown = answer.content.decode()
        assert 'id="id_chips_N_error">No chip is moved' in re.sub(r"\s+", " ", shown)
    looked = director.fill(path, "/decide/", decision="CHIP_ADJUST", **nothing, do="preview")
    assert "No chip is moved" in words(looked)
    told = director.get(f"{path}?what=MISCOUNT")
    assert "Chips are moved" in words(told)
    assert "No chip is moved" not in words(told)
    assert not Decided.objects.exists()


def test_what_an_adjustment_says_of_the_next_hand_is_enough(table: Any) -> None:
    director, game, _ = table
    hand = enter(game, chip_hand(state_of(game), (0, 4, 4, 5))).hand
    path = f"/desk/hands/{hand.pk}/"
    director.fill(path, "/decide/", decision="CHIP_ADJUST", dealer="W", do="decide")
    assert Decided.objects.get().hand == hand


def test_what_no_director_can_decide_is_refused(table: Any) -> None:
    director, game, _ = table
    path = f"/desk/hands/{wrong_hand(game).pk}/"
    answer = director.fill(path, "/decide/", decision="CHIP_ADJUST", chips_N="3", do="decide")
    assert answer.status_code == 422
    assert "sum to 3, not to zero" in words(answer)
    answer = director.fill(path, "/decide/", decision="WARNING", code="NONSENSE", do="decide")
    assert 'id="id_code_error"' in answer.content.decode()
    answer = director.fill(path, "/decide/", decision="CHIP_ADJUST", chips_N="three", do="preview")
    assert answer.status_code == 422
    assert not Decided.objects.exists()


def test_a_ruling_on_what_changed_meanwhile_is_refused(table: Any) -> None:
    director, game, _ = table
    hand = wrong_hand(game)
    path = f"/desk/hands/{hand.pk}/"
    form = director.form(path, "/decide/")
    director.fill(path, "/decide/", do="decide")
    late = director.send(form, decision="WARNING", do="decide")
    assert late.status_code == 422
    assert "Somebody else has changed this in the meantime" in words(late)
    assert Decided.objects.count() == 1


def test_a_ruling_is_taken_back_and_stays_on_record(table: Any) -> None:
    director, game, _ = table
    hand = wrong_hand(game)
    path = f"/desk/hands/{hand.pk}/"
    director.fill(path, "/decide/", do="decide")
    director.fill(path, "/take-back/", facts="I read the slip wrong.")
    assert "none holds in its place" in words(director.get(path))
    hand.refresh_from_db()
    assert (hand.state, Decided.objects.count()) == (State.DISPUTED, 2)
    assert "superseded" in words(director.get(path))


def test_a_ruling_that_another_replaced_holds_again(table: Any) -> None:
    director, game, _ = table
    hand = wrong_hand(game)
    path = f"/desk/hands/{hand.pk}/"
    director.fill(path, "/decide/", decision="VOID_NO_REPLAY", do="decide")
    first = Decided.objects.get()
    void = chips(game)
    assigned = dict(zip(("taken_N", "taken_E", "taken_S", "taken_W"), "0427", strict=True))
    director.fill(
        path,
        "/decide/",
        decision="ASSIGNED_CAPTURES",
        supersedes=str(first.pk),
        **assigned,
        do="decide",
    )
    assert chips(game) != void
    director.fill(path, "/take-back/", facts="The first was right.")
    page = words(director.get(path))
    assert "ruling 1, whose place it had, holds again" in page
    assert "Ruling 3: ruling 1 holds again: The hand is void and not played again" in page
    assert chips(game) == void


def test_the_director_tells_what_no_record_shows_and_gets_the_law_for_it(table: Any) -> None:
    director, game, _ = table
    hand = enter(game, chip_hand(state_of(game), (4, 4, 4, 1))).hand
    path = f"/desk/hands/{hand.pk}/"
    plain = words(director.get(path))
    assert "What the rules propose for it" in plain
    assert "looked at a turned trick" in plain
    asked = words(director.get(f"{path}?what=REVOKE"))
    assert "The revoke law needs an offender." in asked
    told = director.get(f"{path}?what=REVOKE&by=E&when=established")
    east = names_at_table(game, 1)["E"]
    assert f"{east} pays for all thirteen the rules say this" in words(told)
    assert f"{east}: did not follow suit though able." in words(told)
    assert "?what=REVOKE&amp;by=E&amp;when=established&amp;proposal=2#ruling" in (
        told.content.decode()
    )
    assert director.get(f"{path}?what=NONSENSE&by=Q&proposal=x").status_code == 200
    warned = f"{path}?what=INSPECT_TRICK&by=N"
    director.fill(warned, "/decide/", facts="North looked.", do="decide")
    decided = Decided.objects.get().decision()
    assert (decided.decision, decided.code) == (Decision.WARNING, find_by_name("INSPECT_TRICK"))
    assert (decided.offenders, chips(game)) == ((0,), chips(game))


def test_a_correction_shows_its_consequences_before_it_is_done(table: Any) -> None:
    director, game, _ = table
    play(game, 2, "one")
    first = Hand.objects.get(game=game, number=1)
    path = f"/desk/hands/{first.pk}/correct/"
    edit = f"{path}?by=record"
    before = chips(game)
    start_state = [0, 3, 4, 6]
    text = chip_hand(read_state(game.start), start_state).decode()
    looked = director.fill(
        edit, path, text=text.replace("\n", "\r\n"), why="Miscounted.", do="preview"
    )
    assert looked.status_code == 200, words(looked)
    assert "Nothing is written yet" in words(looked)
    assert (chips(game), HandVersion.objects.filter(hand=first).count()) == (before, 1)
    form = director.form(edit, path)
    unexplained = director.send(form, text=text, why=" ", do="preview")
    assert (unexplained.status_code, "Nothing is written yet" in words(unexplained)) == (200, True)
    missing = director.send(form, text=text, why="", do="correct")
    assert missing.status_code == 422
    assert 'id="id_why_error"' in missing.content.decode()
    for _ in range(2):
        assert director.send(form, text=text, why="Miscounted.", do="correct").status_code == 302
    assert HandVersion.objects.filter(hand=first).count() == 2
    same = director.fill(edit, path, text=text, why="Again.", do="correct")
    assert "the record that stands already" in words(same)
    director.fill(f"/desk/hands/{first.pk}/", "/undo/", why="It was right.")
    assert HandVersion.objects.filter(hand=first).count() == 3
    assert chips(game) == before


def test_two_records_of_a_hand_wait_for_a_choice(table: Any) -> None:
    director, game, _ = table
    state = state_of(game)
    first = enter(game, chip_hand(state, (13, 0, 0, 0)))
    rival = enter(game, chip_hand(state, (0, 13, 0, 0)), number=1, by=seat(1))
    path = f"/desk/hands/{rival.hand.pk}/dispute/"
    for one in (first, rival):
        led = director.get(f"/desk/hands/{one.hand.pk}/")
        assert led.headers["Location"] == f"/desk/hands/{one.hand.pk}/dispute/"
    page = director.get(path)
    shown = words(page)
    assert "differ in 2 things" in shown
    assert "[Seat" not in page.content.decode()
    assert "PHN" not in shown
    refused = director.fill(path, "/choose/", do="take", why="")
    assert refused.status_code == 422
    director.fill(path, "/choose/", do="take", why="Everybody says so.")
    assert HandVersion.objects.filter(hand=first.hand).count() == 2
    rival.hand.refresh_from_db()
    assert rival.hand.state == State.VOID
    settled = words(director.get(f"/desk/hands/{first.hand.pk}/"))
    assert "Everybody says so." in settled


def test_the_first_of_two_records_stands_also_where_a_seat_objected_in_words(table: Any) -> None:
    director, game, _ = table
    state = state_of(game)
    first = enter(game, chip_hand(state, (13, 0, 0, 0))).hand
    agreements.object_to_hand(hand_id=first.pk, version=1, why="No.", by=seat(1), at=at(2))
    rival = enter(game, chip_hand(state, (0, 13, 0, 0)), number=1, by=seat(1)).hand
    path = f"/desk/hands/{rival.pk}/dispute/"
    assert "objects to the record of" in words(director.get(path))
    director.fill(path, "/choose/", do="keep", why="I counted.")
    first.refresh_from_db()
    assert first.state == State.RULED


def test_a_record_that_the_pack_refuses_cannot_be_chosen(table: Any) -> None:
    director, game, _ = table
    state = state_of(game)
    enter(game, chip_hand(state, (3, 0, 4, 5)))
    rival = enter(game, chip_hand(state, (4, 0, 4, 5)), number=1, by=seat(1)).hand
    page = director.get(f"/desk/hands/{rival.pk}/dispute/")
    shown = words(page)
    assert "12 of 13" in shown
    assert "fits the pack" in shown
    assert 'value="keep"' not in page.content.decode()
    assert 'value="take"' in page.content.decode()


def test_the_director_confirms_in_place_of_a_second_seat() -> None:
    event = make_night(4, rounds=1)
    event.club.confirming = "required"
    event.club.save()
    draw(event)
    (game,) = start(event, 1)
    hand = enter(game, chip_hand(state_of(game), (13, 0, 0, 0))).hand
    assert hand.state == State.DRAFT
    director = director_of(event.club)
    director.fill(f"/desk/hands/{hand.pk}/", "/confirm/")
    hand.refresh_from_db()
    assert hand.state == State.ACCEPTED


def test_an_objection_is_told_in_its_words(table: Any) -> None:
    director, game, _ = table
    hand = enter(game, chip_hand(state_of(game), (13, 0, 0, 0))).hand
    agreements.object_to_hand(
        hand_id=hand.pk, version=1, why="West took the last heart.", by=seat(1), at=at(3)
    )
    page = words(director.get(f"/desk/hands/{hand.pk}/"))
    east = names_at_table(game, 1)["E"]
    assert f"Hand 1: {east} objects" in page
    assert re.search(f"{east} objects, [0-9:]+: West took the last heart.", page)
    assert page.index("The result stands") < page.index("Put the record right")
    assert re.search(r"Pot of \d+ chips in all 0 16 \+16", page)


def test_nobody_is_told_of_a_pot_where_none_is_played_for() -> None:
    club = make_club()
    event = make_night(4, club=club, rule_set=make_rules(club, "sahara"), rounds=1, hands=4)
    draw(event)
    (game,) = start(event, 1)
    play(game, 1)
    hand = Hand.objects.get(game=game)
    agreements.object_to_hand(hand_id=hand.pk, version=1, why="No.", by=seat(1), at=at(3))
    page = words(director_of(club).get(f"/desk/hands/{hand.pk}/"))
    choices = page[page.index("objects") : page.index("Write your own")]
    assert "before after" in choices
    assert "Pot" not in choices
    assert "chips in all" not in choices


def test_a_substitute_sits_down_and_seats_are_put_right(table: Any) -> None:
    director, game, event = table
    (player,) = make_players(event.club, 1)
    path = f"/desk/games/{game.pk}/"
    director.fill(path, "/seat/", seat="N", player=str(player.pk), first="1")
    assert Sitting.objects.get(game=game, seat=0, last=None).player == player
    refused = director.fill(path, "/seat/", seat="X", player=str(player.pk), first="1")
    assert refused.status_code == 422


def test_a_refused_substitute_is_not_typed_again(table: Any) -> None:
    director, game, event = table
    (player,) = make_players(event.club, 1)
    play(game, 1)
    path, who = f"/desk/games/{game.pk}/", str(player.pk)
    why = 'Fay, "at last"'
    for first in ("0", "-1", "two", "9"):
        refused = director.fill(path, "/seat/", seat="S", player=who, first=first, why=why)
        assert refused.status_code == 422
        (form,) = [one for one in forms_in(refused, path) if one.action.endswith("/seat/")]
        again = form.values
        assert [again[name] for name in ("seat", "player", "first", "why")] == [
            ["S"],
            [who],
            [first],
            [why],
        ]
        assert '<details class="folded" open>' in refused.content.decode()
    assert not Sitting.objects.filter(player=player).exists()
    director.fill(path, "/seat/", seat="S", player=who, first=" ", why="")
    assert Sitting.objects.get(player=player).first == 2


def test_seats_are_put_right_all_at_once(table: Any) -> None:
    director, game, _ = table
    play(game, 1)
    path = f"/desk/games/{game.pk}/"
    form = director.form(path, "/seats/")
    entries = list(reversed(form.values["entry"]))
    assert len(entries) == 4
    refused = director.send(form, entry=entries, why="")
    assert refused.status_code == 422
    before = [row.player_id for row in Sitting.objects.filter(game=game).order_by("seat")]
    director.send(form, entry=entries, why="They sat the other way round.")
    after = [row.player_id for row in Sitting.objects.filter(game=game).order_by("seat")]
    assert after == before[::-1]


def test_why_a_hand_waits_is_a_sentence(table: Any) -> None:
    director, game, _ = table
    carried = replace(state_of(game), jackpot=1, namer=Seat(1))
    hand = enter(game, chip_hand(carried, (1, 7, 3, 2))).hand
    listed = ("games", game.pk, "help"), ("hands", hand.pk, "sentence")
    for page, pk, where in listed:
        said = f'<p class="{where}">No jackpot is carried into this hand; an auction is due'
        assert said in director.get(f"/desk/{page}/{pk}/").content.decode()


def test_links_are_made_and_closed(table: Any) -> None:
    director, game, _ = table
    path = f"/desk/games/{game.pk}/"
    director.fill(path, "/link/")
    assert SeatLink.objects.filter(game=game).count() == 2
    director.fill(path, "/revoke/", link=str(SeatLink.objects.filter(game=game)[0].pk))
    assert SeatLink.objects.filter(game=game, revoked_at=None).count() == 1


def test_a_penalty_is_given_and_taken_back(table: Any) -> None:
    director, _, event = table
    path = f"/desk/events/{event.pk}/penalties/"
    entry = str(event.entries.get(number=2).pk)
    wrong = director.fill(path, entry=entry, amount="much", reason="Late")
    assert wrong.status_code == 422
    assert 'id="id_amount_error"' in wrong.content.decode()
    form = director.form(path)
    for _ in range(2):
        director.send(form, entry=entry, amount="-3/2", reason="Twenty minutes late")
    row = Adjustment.objects.get()
    assert (row.amount, row.reason) == ("-3/2", "Twenty minutes late")
    director.fill(path, cancel=str(row.pk), why="The train was late.")
    row.refresh_from_db()
    assert row.cancelled_at is not None


def test_a_forfeit_is_decided_and_taken_back(table: Any) -> None:
    director, _, event = table
    path = f"/desk/events/{event.pk}/forfeits/"
    entry = str(event.entries.get(number=2).pk)
    wrong = director.fill(path, kind="forfeit", round="1", entry=entry, amount="3", reason="Ill")
    assert wrong.status_code == 422
    assert 'id="id_amount_error"' in wrong.content.decode()
    form = director.form(path)
    for _ in range(2):
        director.send(form, kind="forfeit", round="1", entry=entry, hands="1", reason="Ill")
    row = SeatDecision.objects.get()
    assert (row.kind, row.hands, row.reason) == ("forfeit", 1, "Ill")
    assert "played 1 hand" in director.get(path).content.decode()
    director.fill(path, cancel=str(row.pk), why="He came back.")
    row.refresh_from_db()
    assert row.cancelled_at is not None


def test_these_pages_ask_for_their_rights(table: Any) -> None:
    _, game, event = table
    hand = wrong_hand(game)
    player = director_of(event.club, "player", "A Player")
    treasurer = director_of(event.club, "treasurer", "A Treasurer")
    for path in (
        f"/desk/hands/{hand.pk}/",
        f"/desk/hands/{hand.pk}/correct/",
        f"/desk/games/{game.pk}/",
        f"/desk/events/{event.pk}/penalties/",
        f"/desk/events/{event.pk}/forfeits/",
    ):
        assert player.get(path).status_code == 403
        assert treasurer.get(path).status_code == 403
    form = director_of(event.club).form(f"/desk/hands/{hand.pk}/", "/decide/")
    assert player.send(form, do="decide").status_code == 403
    assert not Decided.objects.exists()


def test_a_sealed_paper_is_waited_for_by_name_until_the_director_waits_no_longer() -> None:
    """DEC-17; confirming such a hand would change nothing, and says so."""
    club = make_club()
    game = make_game(club, make_rules(club, "insurance", {"foot": "off", "centre_auction": "off"}))
    mark = seal_of("3", "salt" * 8)
    paper = PaperId(hand=1, seat=1, kind=PaperKind.INSURANCE)
    seal_paper(game_id=game.pk, paper=paper, seal=mark, by=seat(1), at=at(1))
    told = {"taken": {"N": 3, "E": 4, "S": 6}, "queen": "S", "papers": {"N": 2, "E": 3}}
    sent = HandSubmission(id=new_id(), number=1, form=Form.RESULT, sent=json.dumps(told).encode())
    hand = recording.enter_hand(game_id=game.pk, sent=sent, by=seat(0), at=at(2)).hand
    director, path = director_of(club), f"/desk/hands/{hand.pk}/"
    shown = words(director.get(path))
    assert "Wait for these papers no longer" in shown
    assert "Confirm it as the director" not in shown
    form = director.form(path, "/papers/")
    form.action = f"{path}confirm/"
    refused = director.send(form, seen="1")
    assert "Confirming it changes nothing: It waits for the sealed papers of" in words(refused)
    assert not Word.objects.exists()
    director.fill(path, "/papers/", why="Her phone is broken.")
    hand.refresh_from_db()
    assert hand.state == State.DISPUTED
    assert str(hand.reason).startswith("E: the sealed paper counts as 0")
    form.action = f"{path}papers/"
    refused = director.send(form, why="Twice.")
    assert "All sealed papers of this hand are open by now." in words(refused)
