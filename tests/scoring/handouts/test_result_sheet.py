"""The result of a night on paper: who won, by what, and what the director decided."""

import re

import pytest
from django.test import Client
from django.utils import translation

from scoring.handouts.orders import HandoutKind, PrintOrder, print_handout
from scoring.handouts.properties import SheetOrder
from scoring.handouts.result_sheet import print_result_sheet
from scoring.hands.corrections import Correction, correct_hand
from scoring.models import Hand
from scoring.models.states import read_state
from tests.scoring.club import DIRECTOR, at, chip_hand
from tests.tournaments.night import draw, make_night, play_round
from tests.tournaments.printing.paper import badly_placed, keep_pictures, pages
from tournaments.core.errors import RefusedError
from tournaments.events.adjustments import adjust_score
from tournaments.models import (
    Club,
    Event,
    Person,
    Published,
    Result,
    Scope,
    StandingsDecision,
    Verdict,
)
from tournaments.publishing import publish_due

pytestmark = pytest.mark.django_db
SITE = "https://hearts.example.org"


def played_night(players: int = 8) -> Event:
    event = make_night(players, rounds=2, venue="Parish Hall")
    for number in (1, 2):
        draw(event)
        play_round(event, number)
    publish()
    return event


def publish() -> None:
    while publish_due(clock=lambda: at(100)):
        pass


@pytest.fixture(scope="module")
def night_of_eight(module_db: None) -> Event:
    return played_night()


@pytest.fixture
def event(night_of_eight: Event, db: None) -> Event:
    return Event.objects.get(pk=night_of_eight.pk)


def result_of(event: Event) -> bytes:
    order = PrintOrder(kind=HandoutKind.RESULT, site=SITE)
    return print_handout(Event.objects.get(pk=event.pk), order, at(200))


def test_the_code_of_a_sheet_opens_its_page_also_in_a_private_club() -> None:
    event = played_night(4)
    (page,) = pages(result_of(event), scanned=True)
    address = page.codes[0].removeprefix(SITE).partition("#")[0]
    path, visitor = f"/e/{event.pk}/", Client()
    assert visitor.get(path).status_code == 404
    assert visitor.get(f"{path}?sheet=wrong").status_code == 404
    opened = visitor.get(address)
    assert opened.status_code == 200
    assert "League night" in opened.content.decode()
    assert visitor.get(path).status_code == 200  # as the page asks for its live part
    assert visitor.get(f"/c/{event.club_id}/").status_code == 404
    Club.objects.update(is_public=True)
    (page,) = pages(result_of(event), scanned=True)
    assert page.codes[0].startswith(f"{SITE}{path}#")


def test_the_sheet_says_what_it_is_and_has_everybody_on_it() -> None:
    event = played_night(40)
    data = result_of(event)
    (page,) = pages(data, scanned=True)
    assert badly_placed(data) == []
    keep_pictures(data, "result")
    (code,) = page.codes
    assert code.startswith(f"{SITE}/e/{event.pk}/?sheet=")
    for words in ("Leiden Hearts", "League night", "Parish Hall", "Provisional", "Version"):
        assert words in page.text
    assert "Friday 20 November 2026, 19:30" in page.text
    assert "2 rounds, 2 hands each" in page.text
    for number in range(1, 41):
        assert re.search(rf"\bPlayer {number}\b", page.text)
    assert re.search(r"\bR1\s+R2\s+Chips\s+Points\b", page.text)
    assert "a table of 4 brings 3, 1, −1 and −3 points" in " ".join(page.text.split())  # noqa: RUF001
    assert "None" not in page.text


def test_the_director_and_a_player_can_sign_the_sheet(event: Event) -> None:
    (page,) = pages(result_of(event))
    assert "Director" in page.text
    assert "For the players" in page.text


def test_eight_players_stand_below_each_other_however_much_is_said_below(event: Event) -> None:
    for entry in event.entries.all():
        for _ in range(4):
            adjust_score(
                event_id=event.pk,
                entry=entry.pk,
                amount="-1",
                reason="Late",
                by=DIRECTOR,
                at=at(20),
            )
    publish()
    data = result_of(event)
    assert badly_placed(data) == []
    keep_pictures(data, "result-of-eight")
    assert pages(data)[0].text.count("Name") == 1


def test_the_jackpot_of_the_night_is_the_largest_that_was_won() -> None:
    event = played_night(16)
    won = list(Result.objects.filter(jackpot=True, won__gt=0).order_by("-pot"))
    assert won, "these lots bring a jackpot"
    text = " ".join(pages(result_of(event))[0].text.split())
    said = re.findall(r"won (\d+) chips \(Round (\d), table (\d), hand (\d)\)", text)
    assert said
    assert sum(int(chips) for chips, *_ in said) <= won[0].pot
    _, round_, table, hand = map(int, said[0])
    (pot,) = set(
        Result.objects.filter(
            game__table__round__number=round_, game__table__number=table, number=hand
        ).values_list("pot", flat=True)
    )
    assert pot == won[0].pot


def test_penalties_and_corrections_are_told_without_their_reasons(event: Event) -> None:
    entry = event.entries.get(number=3)
    adjust_score(
        event_id=event.pk,
        entry=entry.pk,
        amount="-2",
        reason="Ann was an hour late",
        by=DIRECTOR,
        at=at(20),
    )
    hand = Hand.objects.get(
        game__table__round__number=1, game__table__number=2, number=1, rival=None
    )
    text = chip_hand(read_state(hand.game.start), (13, 0, 0, 0), pain="C")
    correction = Correction(why="Bob had written nonsense", text=text)
    correct_hand(hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(21))
    publish()
    words = " ".join(pages(result_of(event))[0].text.split())
    assert "Player 3: \N{MINUS SIGN}2" in words
    assert "Round 1, table 2, hand 1: the record was corrected." in words
    assert "late" not in words
    assert "nonsense" not in words


def test_nothing_is_printed_before_there_are_standings() -> None:
    with pytest.raises(RefusedError, match="No standings"):
        result_of(make_night())


def test_the_sheet_is_in_the_language_of_who_asks(event: Event) -> None:
    with translation.override("de"):
        text = pages(result_of(event))[0].text
    for word in ("Vorläufig", "Freitag, 20. November 2026", "Punkte", "2 Runden", "Stand"):
        assert word in text
    assert "Stand: 20. November 2026, 22:50 UTC" in text
    assert not re.search(r"\b(Round|Points|Version \d of|House rules|As of|Provisional)\b", text)


def make_official(event: Event, **amended: str) -> None:
    """Decide that the table is official, or that it takes the place of an earlier one."""
    published = Published.objects.get(scope=Scope.EVENT, subject=event.pk)
    published.official = published.version
    published.save()
    decisions = StandingsDecision.objects.filter(published=published)
    first = 0 if amended else published.version
    common = {"published": published, "by": "system"}
    decisions.create(**common, number=1, verdict=Verdict.OFFICIAL, version=first, at=at(60))
    if amended:
        latest = {"verdict": Verdict.AMENDED, "version": published.version, "at": at(90)}
        decisions.create(**common, number=2, **latest, **amended)


def test_an_official_result_says_since_when(event: Event) -> None:
    make_official(event)
    text = " ".join(pages(result_of(event))[0].text.split())
    assert text.startswith("Official Version 1")
    assert "Official since 20 November 2026, 20:30 UTC" in text


def test_a_result_for_strangers_says_why_with_names_as_they_see_them(event: Event) -> None:
    somebody = Person.objects.filter(player__club=event.club_id).earliest("pk")
    Person.objects.filter(pk=somebody.pk).update(name="Wilma Vandenberg")
    make_official(event, reason="Wilma Vandenberg was miscounted")
    data = print_result_sheet(event, SheetOrder(at=at(200), in_full=False))
    text = " ".join(pages(data)[0].text.split())
    assert "because: Wilma V. was miscounted" in text
    assert "Vandenberg" not in text


def test_an_amended_result_says_why(event: Event) -> None:
    make_official(event, reason="Table 2 was miscounted")
    data = result_of(event)
    text = " ".join(pages(data)[0].text.split())
    assert badly_placed(data) == []
    keep_pictures(data, "result-amended")
    assert text.startswith("Official, amended Version 1")
    assert "amended on 20 November 2026, 21:00 UTC, because: Table 2 was miscounted" in text
