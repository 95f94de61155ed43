"""Cards that cost you most: a player's own largest losses, found at night, shown to nobody else."""

import re
from datetime import UTC, datetime
from typing import Any, NamedTuple

import pytest
from django.test import Client
from django.utils import timezone

from engine.analysis.costs import Measure
from engine.analysis.losses import JUDGE
from engine.core.seats import Seat
from engine.live.hand import Hand as PlayedHand
from engine.live.hand import start
from scoring.jobs import nightly
from scoring.models import Game, Hand, HandAnalysis, NightlyTask, Phase, SeatLoss, State
from scoring.settlement import hand_losses
from scoring.settlement.plan import rules_of
from scoring.submissions.reading import write_hand
from scoring.web.my import lessons
from scoring.web.player_cookie import COOKIE
from tests.engine.analysis.bots import chance, play_on
from tests.engine.table import record_of, seeded, shuffled
from tests.scoring.club import chip_hand, enter, make_club, make_game, make_rules, state_of
from tests.tournaments.night import make_event
from tournaments.core.ids import new_id
from tournaments.models import Analysis, Club, Player, SignInMethod, TableGame
from tournaments.people import player_devices
from tournaments.people.player_devices import TablePhone

pytestmark = pytest.mark.django_db
LEARN = "/my/learn"
NIGHT = datetime(2026, 11, 21, 3, tzinfo=UTC)


class Played(NamedTuple):
    """A closed game with two hands of which every card is recorded."""

    club: Club
    game: Game
    players: list[Player]

    def judge(self) -> None:
        """Do the night's work."""
        nightly.plan(at=NIGHT)
        NightlyTask.objects.exclude(name="judge losses").delete()
        for _ in range(10):
            NightlyTask.objects.update(due_at=NIGHT)
            nightly.run("judge losses", lambda: NIGHT)
            if not NightlyTask.objects.get().place:
                return
        pytest.fail("the task does not end")


def play_hand(game: Game, seed: str) -> PlayedHand:
    rules, before = rules_of(game), state_of(game)
    dice = seeded(seed)
    eldest = Seat((before.dealer + 1) % 4)
    return play_on(start(rules, before, shuffled(rules, 4, dice, eldest)), [chance] * 4, dice)


def close(game: Game) -> None:
    Game.objects.update(phase=Phase.CLOSED)
    TableGame.objects.update(phase=Phase.CLOSED)


def make_played() -> Played:
    club = make_club()
    game = make_game(club, make_rules(club, "hoyle_hearts"))
    for seed in ("first", "second"):
        enter(game, write_hand(record_of(play_hand(game, seed))).text)
    close(game)
    return Played(club, game, list(Player.objects.order_by("number")))


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Played:
    monkeypatch.setattr(hand_losses, "HALF", 15)
    return make_played()


def signed_in(player: Player) -> Client:
    made = player_devices.sign_in_device(
        player_id=player.pk, method=SignInMethod.CODE, at=timezone.now()
    )
    client = Client()
    client.cookies[COOKIE] = made.token
    return client


def words(answer: Any) -> str:
    """The text of a page, without its tags."""
    text = re.sub(r"<(script|style).*?</\1>|<[^>]+>", " ", answer.content.decode(), flags=re.S)
    return " ".join(text.split())


def worst_of(played: Played) -> tuple[SeatLoss, Player]:
    """The largest loss by one card, and who played it."""
    loss = SeatLoss.objects.order_by("-largest").first()
    assert loss is not None
    assert loss.largest > 0
    return loss, played.players[loss.seat]


def test_hands_of_closed_games_are_judged_at_night_and_not_again(played: Played) -> None:
    played.judge()
    assert SeatLoss.objects.count() == 8
    assert set(SeatLoss.objects.values_list("unit", flat=True)) == {Measure.POINTS}
    assert NightlyTask.objects.get().outcome == "The losses of 2 hands were estimated."
    assert not hand_losses.find_unjudged(played.club).exists()


def test_losses_by_an_older_judge_are_not_shown_beside_new_ones(played: Played) -> None:
    played.judge()
    assert hand_losses.find_current_losses().count() == 8
    SeatLoss.objects.filter(hand__number=1).update(judge=JUDGE - 1)
    shown = hand_losses.find_current_losses()
    assert set(shown.values_list("hand__number", flat=True)) == {2}


def test_a_game_that_is_not_closed_is_not_judged(played: Played) -> None:
    Game.objects.update(phase=Phase.OPEN)
    assert not hand_losses.find_unjudged(played.club).exists()


def test_a_hand_that_changed_is_judged_again_and_one_that_did_not_keeps_its_losses(
    played: Played,
) -> None:
    played.judge()
    first, second = Hand.objects.order_by("number")
    kept = set(SeatLoss.objects.filter(hand=first).values_list("pk", flat=True))
    before = set(SeatLoss.objects.filter(hand=second).values_list("pk", flat=True))
    Hand.objects.update(revision=9)
    SeatLoss.objects.filter(hand=second).update(digest="of another record")
    assert hand_losses.find_unjudged(played.club).count() == 2
    played.judge()
    assert set(SeatLoss.objects.filter(hand=first).values_list("pk", flat=True)) == kept
    assert not before & set(SeatLoss.objects.filter(hand=second).values_list("pk", flat=True))
    assert SeatLoss.objects.filter(revision=9).count() == 8


def test_a_hand_of_which_only_the_result_is_recorded_has_no_losses_and_is_looked_at_once() -> None:
    game = make_game()
    enter(game, chip_hand(state_of(game), (0, 9, 0, 4)))
    close(game)
    hand = hand_losses.find_unjudged(game.club).get()
    hand_losses.judge_losses(hand)
    assert set(SeatLoss.objects.values_list("total", flat=True)) == {None}
    assert not hand_losses.find_unjudged(game.club).exists()


def test_a_night_has_a_limit_for_each_club(played: Played, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hand_losses, "HANDS_A_NIGHT", 1)
    played.judge()
    assert SeatLoss.objects.values("hand").distinct().count() == 1
    played.judge()
    assert SeatLoss.objects.values("hand").distinct().count() == 2


def test_the_position_is_shown_first_and_what_choices_were_worth_after_one_is_chosen(
    played: Played,
) -> None:
    played.judge()
    loss, player = worst_of(played)
    client, (card, *_) = signed_in(player), loss.cards
    before = client.get(LEARN)
    assert "Which card do you play?" in words(before)
    assert "±" not in words(before)
    assert "was better" not in words(before)
    links = re.findall(r'href="\?n=1&amp;card=(\w\w)"', before.content.decode())
    assert len(links) == len(card["choices"])
    best = card["choices"][0]["cards"][:2]
    after = client.get(f"{LEARN}?n=1&card={best}")
    assert "was better" in words(after)
    assert "Your choice now was right." in words(after)
    assert f"{loss.largest / 1000:.1f} points" in words(after)
    wrong = client.get(f"{LEARN}?n=1&card={card['card']}")
    assert "Your choice now was right." not in words(wrong)


def test_a_player_sees_the_losses_of_their_own_seat_alone(played: Played) -> None:
    played.judge()
    for player in played.players:
        seats = {loss.seat for loss in lessons.read_losses(player)}
        assert seats == {played.players.index(player)}


@pytest.mark.parametrize("change", [{"revision": 9}, {"state": State.DISPUTED}])
def test_losses_of_a_hand_that_changed_since_or_is_disputed_are_not_shown(
    played: Played, change: dict[str, Any]
) -> None:
    played.judge()
    loss, player = worst_of(played)
    Hand.objects.filter(pk=loss.hand_id).update(**change)
    assert {other.hand_id for other in lessons.read_losses(player)} == {
        Hand.objects.exclude(pk=loss.hand_id).get().pk
    }


def test_a_hand_that_cannot_be_read_has_no_losses_and_the_others_are_judged(
    played: Played,
) -> None:
    broken, other = Hand.objects.order_by("number")
    Hand.objects.filter(pk=broken.pk).update(current=99)
    played.judge()
    assert set(SeatLoss.objects.filter(hand=broken).values_list("total", flat=True)) == {None}
    assert SeatLoss.objects.filter(hand=other, total__isnull=False).count() == 4
    assert not hand_losses.find_unjudged(played.club).exists()


def test_without_signing_in_nothing_is_shown(played: Played, client: Client) -> None:
    played.judge()
    assert client.get(LEARN).status_code == 302


@pytest.mark.parametrize("query", ["n=0", "n=99", "n=x", "n=1&card=XX"])
def test_addresses_of_nothing_are_not_found(played: Played, query: str) -> None:
    played.judge()
    _loss, player = worst_of(played)
    assert signed_in(player).get(f"{LEARN}?{query}").status_code == 404


def test_a_device_from_a_table_is_not_shown_what_is_private(played: Played) -> None:
    played.judge()
    phone = TablePhone(new_id(), make_event(played.club), 3)
    made = player_devices.sign_in_device(
        player_id=played.players[0].pk, method=SignInMethod.PHONE, phone=phone, at=timezone.now()
    )
    client = Client()
    client.cookies[COOKIE] = made.token
    assert "Which card do you play?" not in words(client.get(LEARN))
    assert "Cards that cost you most" not in words(client.get("/my/"))


def test_a_club_can_switch_it_off(played: Played) -> None:
    played.judge()
    Club.objects.update(analysis=Analysis.OFF)
    client = signed_in(played.players[0])
    assert "switched the analysis of hands off" in words(client.get(LEARN))
    assert "Cards that cost you most" not in words(client.get("/my/"))
    played.club.refresh_from_db()
    assert not hand_losses.find_unjudged(played.club).exists()


def test_nothing_is_kept_of_a_club_that_switched_it_off(played: Played) -> None:
    played.judge()
    hand = Hand.objects.first()
    assert hand is not None
    HandAnalysis.objects.create(hand=hand, digest="of the hand")
    played.judge()
    assert (SeatLoss.objects.count(), HandAnalysis.objects.count()) == (8, 1)
    Club.objects.update(analysis=Analysis.OFF)
    played.judge()
    assert (SeatLoss.objects.count(), HandAnalysis.objects.count()) == (0, 0)


def test_a_mean_is_told_from_twenty_hands_on() -> None:
    losses = [SeatLoss(unit="points", total=value) for value in (1000, 3000) * 10]
    assert lessons.describe_means(losses[:19]) == []
    (mean,) = lessons.describe_means(losses)
    assert (mean.hands, mean.loss, mean.error) == (20, "2.0", "0.2")


def test_a_card_that_cost_its_player_has_a_dot_on_the_page_of_the_hand_for_them_alone(
    played: Played,
) -> None:
    played.judge()
    Club.objects.update(is_public=True)
    loss, player = worst_of(played)
    other = next(one for one in played.players if one != player)
    page = f"/h/{loss.hand_id}/"
    told = f"This card cost you about {loss.largest / 1000:.1f} (±"
    shown = signed_in(player).get(page).content.decode()
    assert told in shown
    assert shown.count('class="loss-dot" title=') == len(loss.cards)
    assert shown.count("data-loss") == len(loss.cards)
    assert "only you see this" in shown
    for nobody in (Client(), signed_in(other)):
        assert told not in nobody.get(page).content.decode()
    Club.objects.update(analysis=Analysis.OFF)
    assert "loss-dot" not in signed_in(player).get(page).content.decode()


def test_the_losses_of_months_are_drawn_with_their_errors_and_told_in_a_table() -> None:
    losses = [
        SeatLoss(
            unit="points",
            total=total,
            hand=Hand(game=Game(opened_at=datetime(2026, month, 20, 20, tzinfo=UTC))),
        )
        for month, totals in ((8, (1000, 2000)), (9, (1000, 3000)), (10, (0, 2000)))
        for total in totals * (10 if month != 9 else 9)
    ]
    (curve,) = lessons.draw_months(losses[::-1])
    assert [(row.month, row.hands, row.loss, row.error) for row in curve.rows] == [
        ("Aug 2026", 20, "1.5", "0.1"),
        ("Oct 2026", 20, "1.0", "0.2"),
    ]
    assert curve.values == "Aug 2026: 1.5 (±0.1); Oct 2026: 1.0 (±0.2)"
    assert len(curve.plot.areas) == 1
    assert lessons.draw_months(losses[:30]) == []


def test_the_curve_of_months_stands_on_the_page_once_there_are_two(
    played: Played, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lessons, "HANDS_LEAST", 2)
    played.judge()
    loss, player = worst_of(played)
    assert "month by month" not in words(signed_in(player).get(LEARN))
    own = lessons.read_losses(player)
    losses = [
        SeatLoss(unit=loss.unit, total=one.total, hand=Hand(game=Game(opened_at=at)), cards=[])
        for at in (datetime(2026, 9, 1, tzinfo=UTC), datetime(2026, 10, 1, tzinfo=UTC))
        for one in own
    ]
    monkeypatch.setattr(lessons, "read_losses", lambda _player: [*own, *losses])
    page = words(signed_in(player).get(LEARN))
    assert "What your cards cost you, month by month, in points a hand" in page
    assert "Sep 2026" in page
