"""Every path of what two seats say of one hand: each act in each state that can be reached."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from scoring.hands import agreements, recording
from scoring.hands.disputes import Dispute, read_dispute
from scoring.hands.submission import HandSubmission
from scoring.hands.table_choices import TableChoice, list_choices, opinions
from scoring.models import Form, Game, Hand, State, Word
from scoring.models.states import dumps
from tests.scoring.club import at, seat
from tournaments.core.errors import RefusedError
from tournaments.core.ids import new_id

AUTHOR, OTHER, BYSTANDER = 2, 1, 3
"""South entered the hand, East is the second phone, West has none."""
RESULTS: Final = tuple(
    {"bidder": "E", "bid": 6, "pain": "H", "taken": dict(zip("NESW", taken, strict=True))}
    for taken in ((3, 2, 4, 4), (3, 3, 3, 4), (3, 1, 5, 4))
)
ENDINGS: Final = ("played", "redeal")


@dataclass(frozen=True)
class Act:
    """Something that a seat does; ``is_offered`` if its phone has a key for it."""

    name: str
    seat: int
    run: Callable[[Game, Hand, datetime], object]
    is_offered: bool = False


def submission(result: dict[str, Any], number: int = 1) -> HandSubmission:
    sent = dumps(result).encode()
    return HandSubmission(id=new_id(), number=number, form=Form.RESULT, sent=sent)


def tell(game: Game, at: datetime, ending: str = "played", who: int = AUTHOR) -> Hand:
    result = RESULTS[0] if ending == "played" else {"ending": ending}
    sent = submission(result)
    return recording.enter_hand(game_id=game.pk, sent=sent, by=seat(who), at=at).hand


def acts_of(hand: Hand, who: int, dispute: Dispute) -> Iterator[Act]:
    """Yield what the phone of a seat can send at all, whether it has a key for it or not."""
    version = hand.current

    def confirm(_game: Game, hand: Hand, at: datetime) -> object:
        return recording.confirm_hand(hand_id=hand.pk, version=version, by=seat(who), at=at)

    def object_with(result: dict[str, Any] | None) -> Callable[[Game, Hand, datetime], object]:
        return lambda _game, hand, at: agreements.object_to_hand(
            hand_id=hand.pk,
            version=version,
            why="" if result else "The bid is wrong.",
            submission=None if result is None else submission(result),
            by=seat(who),
            at=at,
        )

    def take_back(result: dict[str, Any] | None) -> Callable[[Game, Hand, datetime], object]:
        return lambda _game, hand, at: agreements.take_back_hand(
            hand_id=hand.pk,
            version=version,
            submission=None if result is None else submission(result),
            by=seat(who),
            at=at,
        )

    yield Act("confirm", who, confirm)
    yield Act("object in words", who, object_with(None))
    yield Act("object", who, object_with(RESULTS[who % 2 + 1]))
    yield Act("take back", who, take_back(None))
    yield Act("correct", who, take_back(RESULTS[who % 2 + 1]))
    yield Act("begin the next hand", who, begin_next(who))
    if hand.state == State.DISPUTED:
        for other in dispute.others or (None,):
            offered = list_choices(dispute, other, who)
            for choice in TableChoice:
                named = hand if other is None else other.hand
                yield Act(
                    f"say {choice}", who, settle(named, version, choice, who), choice in offered
                )


def begin_next(who: int) -> Callable[[Game, Hand, datetime], object]:
    def run(game: Game, _hand: Hand, at: datetime) -> object:
        game.refresh_from_db()
        sent = submission(RESULTS[0], game.hands + 1)
        return recording.enter_hand(game_id=game.pk, sent=sent, by=seat(who), at=at)

    return run


def settle(
    named: Hand, version: int, choice: TableChoice, who: int
) -> Callable[[Game, Hand, datetime], object]:
    return lambda _game, _hand, at: agreements.settle_at_table(
        hand_id=named.pk, version=version, choice=choice, by=seat(who), at=at
    )


def state_of_table(game: Game, hand: Hand, dispute: Dispute) -> tuple[Any, ...]:
    """Return what tells two states of a hand apart for those at the table."""
    said = [
        (word.seat, word.agrees, word.version.hand_id == hand.pk, word.version.number)
        for word in Word.objects.filter(version__hand__in=[hand, *(o.hand for o in dispute.others)])
        .select_related("version")
        .order_by("id")
    ]
    last = {(who, is_first, version): agrees for who, agrees, is_first, version in said}
    return (
        hand.state,
        hand.certainty,
        hand.director_called_at is not None,
        dispute.first.version.seat,
        tuple(dispute.seats_for(dispute.first)),
        tuple(
            (one.version.seat, *sorted(opinions(dispute, one).items())) for one in dispute.others
        ),
        tuple(sorted(last.items())) if not dispute.others else (),
        game.hands,
    )


def walk(
    game: Game,
    hand: Hand,
    see: Callable[[Game, Hand, Dispute, tuple[str, ...]], None],
    steps: int,
    on_offer: Callable[[Hand, Hand, Act], None] = lambda _before, _after, _act: None,
) -> int:
    """Do every act in every state; ``see`` each state once. Gives how many states there were."""
    known: dict[tuple[Any, ...], int] = {}

    def visit(path: tuple[str, ...]) -> None:
        game.refresh_from_db()
        now = Hand.objects.get(pk=hand.pk)
        now.game = game
        dispute = read_dispute(game, now)
        state = state_of_table(game, now, dispute)
        if known.get(state, steps + 1) <= len(path):
            return
        if state not in known:
            see(game, now, dispute, path)
        known[state] = len(path)
        if len(path) == steps or now.state == State.TAKEN_BACK:
            return
        for who in (AUTHOR, OTHER):
            for act in acts_of(now, who, dispute):
                attempt(act, now, path)

    def attempt(act: Act, now: Hand, path: tuple[str, ...]) -> None:
        with transaction.atomic():
            try:
                with transaction.atomic():
                    act.run(game, now, at(len(path) + 2))
            except RefusedError:
                assert not act.is_offered, (path, act)
            else:
                if act.is_offered:
                    on_offer(now, Hand.objects.get(pk=hand.pk), act)
                visit((*path, f"{'NESW'[act.seat]}: {act.name}"))
            transaction.set_rollback(True)

    visit(())
    return len(known)
