"""A table of the demo: plays hands, submits them in every form and confirms them."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from engine.live.hand import Hand as Played
from engine.live.scorer import record_hand
from engine.record.actions import Deal
from engine.record.game_state import GameState
from engine.record.record import HandRecord
from engine.rules.rules import Rules
from scoring.games.closing import Closed, Closing, close_game
from scoring.games.links import actor_of, make_links
from scoring.games.opening import NewGame, open_game
from scoring.hands.recording import RecordedHand, confirm_hand, enter_hand
from scoring.hands.submission import HandSubmission
from scoring.management.demo.mistakes import Mistake
from scoring.management.demo.new_club import Founded
from scoring.management.demo.random_choices import Chance
from scoring.management.demo.simulated_play import DEALS_MAX, DemoPlayers, Manner
from scoring.management.demo.slips import actions_of, result_of, text_of
from scoring.models import Form, Game
from scoring.models.states import read_state
from scoring.settlement.plan import rules_of
from tournaments.core.actors import Actor
from tournaments.people.rule_sets import HouseRules

_HAND_TAKES: Final = timedelta(minutes=6)
_CONFIRMED_AFTER: Final = timedelta(seconds=40)
FORMS: Final = (Form.RECORD, Form.ACTIONS, Form.RESULT)


@dataclass(slots=True)
class DemoTable:
    """A game on its evening: ``now`` is the time at this table, ``seats`` its phones."""

    club: Founded
    game: UUID
    name: str
    rules: Rules
    now: datetime
    seats: tuple[Actor, ...] = ()
    sent: int = field(default=0)

    @property
    def chance(self) -> Chance:
        """The dice of the whole club."""
        return self.club.chance

    @property
    def state(self) -> GameState:
        """Return the state that the next hand inherits."""
        return read_state(Game.objects.get(pk=self.game).state)

    @property
    def number(self) -> int:
        """The number of the next hand."""
        return Game.objects.get(pk=self.game).hands + 1

    def later(self, takes: timedelta = _HAND_TAKES) -> datetime:
        """Let time pass at this table."""
        self.now += takes
        return self.now

    def deal(
        self,
        wanted: Callable[[Played], bool] | None = None,
        manner: Manner = Manner.USUAL,
        dealt: Deal | None = None,
    ) -> Played:
        """Play the next hand: one as it is ``wanted``, else any that does not end the game.

        With a deal that is fixed, ``dealt``, the hand is whatever comes of it.
        """
        people = DemoPlayers(self.chance.dice(self.name, "hand", self.sent), manner)
        if dealt is not None:
            return people.play_out(self.rules, self.state, dealt)
        return people.play_until(self.rules, self.state, wanted or goes_on)

    def go_wrong(self, wrongly: Callable[..., Mistake | None]) -> Mistake:
        """Play the next hand until somebody could have made some mistake, and made it."""
        dice = self.chance.dice(self.name, "mistake", self.sent)
        people = DemoPlayers(self.chance.dice(self.name, "hand", self.sent))
        before = self.state
        for _ in range(DEALS_MAX):
            mistake = wrongly(people.play_until(self.rules, before, goes_on), dice)
            if mistake is not None:
                return mistake
        raise AssertionError(f"nobody could go wrong in {DEALS_MAX} deals")

    def enter(self, hand: Played, form: Form | None = None) -> RecordedHand:
        """Send a hand from a phone; the forms go round."""
        form = form or FORMS[self.sent % len(FORMS)]
        if form is Form.RECORD:
            return self.enter_record(record_hand(hand))
        return self.enter_data(form, actions_of(hand) if form is Form.ACTIONS else result_of(hand))

    def enter_record(self, record: HandRecord) -> RecordedHand:
        """Send a record with every card."""
        return self._send(Form.RECORD, text=text_of(record))

    def enter_data(
        self, form: Form, data: dict[str, Any], *, seat: int | None = None
    ) -> RecordedHand:
        """Send moves or a result."""
        return self._send(form, sent=json.dumps(data).encode(), seat=seat)

    def enter_again(self, number: int, data: dict[str, Any], *, seat: int) -> RecordedHand:
        """Another seat sends a result of a hand that was sent already."""
        return self._send(Form.RESULT, sent=json.dumps(data).encode(), seat=seat, number=number)

    def _send(
        self,
        form: Form,
        *,
        text: bytes = b"",
        sent: bytes | None = None,
        seat: int | None = None,
        number: int | None = None,
    ) -> RecordedHand:
        at = self.later()
        self.sent += 1
        hand = HandSubmission(
            id=self.chance.identifier(at, self.name, "hand", self.sent),
            number=number or self.number,
            text=text,
            form=form,
            sent=sent,
        )
        by = self.seats[seat if seat is not None else self.sent % len(self.seats)]
        return enter_hand(game_id=self.game, sent=hand, by=by, at=at)

    def confirm(self, recorded: RecordedHand) -> RecordedHand:
        """Another seat than the one that sent it agrees with a hand."""
        hand = recorded.hand
        by = self.seats[(self.sent + 1) % len(self.seats)]
        at = self.later(_CONFIRMED_AFTER)
        return confirm_hand(hand_id=hand.pk, version=hand.current, by=by, at=at)

    def play(self, hands: int) -> None:
        """Some hands as they mostly go: played, sent, and two of three confirmed."""
        for _ in range(hands):
            recorded = self.enter(self.deal())
            if self.sent % 3:
                self.confirm(recorded)

    def play_to_the_end(self, most: int | None = None) -> None:
        """Hands until the rules end the game, or until ``most`` were played."""
        while self.state.over is None and most != 0:
            self.confirm(self.enter(self.deal(lambda _: True)))
            most = None if most is None else most - 1

    def close(self, reason: str = "") -> Closed:
        """The director closes the game."""
        closing = Closing(reason=reason)
        by, at = self.club.director, self.later()
        return close_game(game_id=self.game, closing=closing, by=by, at=at)


def goes_on(hand: Played) -> bool:
    """Whether the game goes on after a hand."""
    return hand.settle().after.over is None


def leaves_jackpot(hand: Played) -> bool:
    """Whether nobody wins the pot of a hand, and the game goes on."""
    after = hand.settle().after
    return after.over is None and after.jackpot > 0


def open_table(
    club: Founded, name: str, rules: HouseRules, players: Sequence[int], at: datetime
) -> DemoTable:
    """Open a game for some players by their places in the club, with a link for each seat."""
    who = [club.players[place] for place in players]
    dealer = club.chance.dice(name, "dealer").randrange(len(who))
    opening = NewGame(
        name=name,
        rule_set=club.rules[rules.name],
        players=who,
        dealer=dealer,
        id=club.chance.identifier(at, name),
    )
    game = open_game(club_id=club.club, opening=opening, by=club.director, at=at)
    seats = list(range(len(who)))
    links = make_links(game_id=game.pk, seats=seats, by=club.director, at=at)
    return DemoTable(
        club=club,
        game=game.pk,
        name=name,
        rules=rules_of(game),
        now=at,
        seats=tuple(actor_of(made.link) for made in links),
    )
