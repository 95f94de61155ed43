"""A whole game driven through the use cases at random; after every step the books are right.

TEST_SCALE=50 in the environment plays that many times as many nights.
"""

from collections.abc import Callable
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from engine.record.rulings import Decision, Ruling
from scoring.games.opening import SeatChange, seat_player
from scoring.hands import agreements, corrections, recording, rulings
from scoring.hands.corrections import Correction, RivalChoice
from scoring.hands.recording import OtherContentError
from scoring.hands.submission import HandSubmission
from scoring.hands.table_choices import TableChoice
from scoring.models import Decided, Game, Hand
from scoring.presentation.answers import hand_answer
from scoring.settlement.changes import RulingRequest
from scoring.settlement.consequences import Policy
from scoring.settlement.plan import GameOverError
from tests.examples import examples
from tests.scoring.club import (
    DIRECTOR,
    SEATS,
    assert_recomputes,
    at,
    chip_hand,
    enter,
    make_club,
    make_game,
    make_players,
    make_rules,
    seat,
    state_of,
)
from tournaments.core.errors import RefusedError, StaleError
from tournaments.core.ids import new_id
from tournaments.models import Club

CUTS = st.lists(st.integers(0, 13), min_size=3, max_size=3).map(sorted)
POLICIES = st.sampled_from(Policy)


def captures(cuts: list[int]) -> tuple[int, ...]:
    """Thirteen cards, divided among four."""
    return cuts[0], cuts[1] - cuts[0], cuts[2] - cuts[1], 13 - cuts[2]


class ClubMachine(RuleBasedStateMachine):
    """One game of a club; ``known`` are the hands that were ever taken, with what they said."""

    confirming = "optional"

    def __init__(self) -> None:
        super().__init__()
        self.outer = transaction.atomic()
        self.outer.__enter__()
        self.club: Club = make_club(confirming=self.confirming)
        self.game: Game = make_game(self.club, make_rules(self.club))
        self.known: dict[UUID, bytes] = {}
        self.versions: dict[UUID, int] = {}
        self.told: dict[UUID, tuple[int, object]] = {}
        self.minute = 0

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.outer.__exit__(None, None, None)

    def now(self) -> int:
        self.minute += 1
        return self.minute

    def hands(self, **conditions: Any) -> list[Hand]:
        found = Hand.objects.filter(game=self.game, rival=None, **conditions)
        return list(found.order_by("number"))

    def text(self, cuts: list[int], bid: int, who: int, number: int | None = None) -> bytes:
        state = state_of(self.game)
        text = chip_hand(state, captures(cuts), bidder=SEATS[who], bid=bid, pain="HSDC"[bid % 4])
        return text if number is None else text + f"; {number}\n".encode()

    def send(self, text: bytes, **options: Any) -> None:
        id_ = new_id()
        try:
            recorded = enter(self.game, text, id_=id_, minutes=self.now(), **options)
        except (GameOverError, RefusedError):
            return
        self.known[recorded.hand.pk] = text

    def attempt(self, act: Callable[[], object]) -> None:
        with suppress(RefusedError, StaleError):
            act()

    def note_second_record(self, told: HandSubmission) -> None:
        """What a seat told beside a record is kept, if it was taken."""
        if Hand.objects.filter(pk=told.id).exists():
            self.known[told.id] = told.text

    @rule(cuts=CUTS, bid=st.integers(1, 6), who=st.integers(0, 3))
    def a_hand_is_entered(self, cuts: list[int], bid: int, who: int) -> None:
        self.send(self.text(cuts, bid, who), by=seat(who))

    @rule(cuts=CUTS, bid=st.integers(1, 6), who=st.integers(0, 3), ahead=st.integers(2, 3))
    def a_hand_comes_too_early(self, cuts: list[int], bid: int, who: int, ahead: int) -> None:
        number = Game.objects.get(pk=self.game.pk).hands + ahead
        self.send(self.text(cuts, bid, who), number=number)

    @rule(text=st.sampled_from([b"we forgot", b'[Event "x"]\n', b"\x00\xff\x00"]))
    def a_hand_is_garbage(self, text: bytes) -> None:
        self.send(text)

    @rule(cuts=CUTS, lost=st.integers(0, 3))
    def a_hand_does_not_add_up(self, cuts: list[int], lost: int) -> None:
        taken = list(captures(cuts))
        taken[lost] += 1
        self.send(chip_hand(state_of(self.game), taken))

    @precondition(lambda self: self.known)
    @rule(data=st.data())
    def a_hand_is_sent_again(self, data: st.DataObject) -> None:
        hand = Hand.objects.get(pk=data.draw(st.sampled_from(sorted(self.known))))
        before = Hand.objects.filter(game=self.game).count()
        enter(self.game, self.known[hand.pk], id_=hand.pk, number=hand.number, minutes=self.now())
        assert Hand.objects.filter(game=self.game).count() == before
        with pytest.raises(OtherContentError):
            enter(self.game, b"something else", id_=hand.pk, number=hand.number)

    @precondition(lambda self: self.known)
    @rule(data=st.data(), cuts=CUTS)
    def a_second_record_comes(self, data: st.DataObject, cuts: list[int]) -> None:
        hand = data.draw(st.sampled_from(self.hands()))
        text = self.text(cuts, 2, 1)
        self.send(text, number=hand.number, by=seat(2))

    @precondition(lambda self: Hand.objects.filter(game=self.game, rival__isnull=False).exists())
    @rule(data=st.data(), keep=st.booleans())
    def the_director_chooses(self, data: st.DataObject, keep: bool) -> None:
        rivals = Hand.objects.filter(game=self.game, rival__isnull=False).order_by("id")
        rival = data.draw(st.sampled_from(list(rivals)))
        self.attempt(
            lambda: corrections.choose_record(
                rival_id=rival.pk,
                choice=RivalChoice(keep=keep, why="asked both"),
                by=DIRECTOR,
                at=at(self.now()),
            )
        )

    @precondition(lambda self: self.known)
    @rule(data=st.data(), who=st.integers(0, 3), agrees=st.booleans(), stale=st.booleans())
    def a_seat_speaks(self, data: st.DataObject, who: int, agrees: bool, stale: bool) -> None:
        hand = data.draw(st.sampled_from(self.hands()))
        version = hand.current + 1 if stale else hand.current
        minute = at(self.now())
        if agrees:
            self.attempt(
                lambda: recording.confirm_hand(
                    hand_id=hand.pk, version=version, by=seat(who), at=minute
                )
            )
        else:
            self.attempt(
                lambda: agreements.object_to_hand(
                    hand_id=hand.pk, version=version, why="no", by=seat(who), at=minute
                )
            )

    @precondition(lambda self: self.known)
    @rule(data=st.data(), who=st.integers(0, 3), cuts=CUTS, is_mended=st.booleans())
    def a_seat_takes_back(
        self, data: st.DataObject, who: int, cuts: list[int], is_mended: bool
    ) -> None:
        hand = data.draw(st.sampled_from(self.hands()))
        submission = HandSubmission(id=new_id(), number=0, text=self.text(cuts, 2, 1))
        self.attempt(
            lambda: agreements.take_back_hand(
                hand_id=hand.pk,
                version=hand.current,
                submission=submission if is_mended else None,
                by=seat(who),
                at=at(self.now()),
            )
        )
        self.note_second_record(submission)

    @precondition(lambda self: self.known)
    @rule(data=st.data(), who=st.integers(0, 3), cuts=CUTS)
    def a_seat_tells_otherwise(self, data: st.DataObject, who: int, cuts: list[int]) -> None:
        hand = data.draw(st.sampled_from(self.hands()))
        submission = HandSubmission(id=new_id(), number=0, text=self.text(cuts, 2, 1))
        self.attempt(
            lambda: agreements.object_to_hand(
                hand_id=hand.pk,
                version=hand.current,
                why="",
                submission=submission,
                by=seat(who),
                at=at(self.now()),
            )
        )
        self.note_second_record(submission)

    @precondition(lambda self: Hand.objects.filter(game=self.game, rival__isnull=False).exists())
    @rule(data=st.data(), who=st.integers(0, 3), choice=st.sampled_from(TableChoice))
    def a_seat_says_which_is_right(
        self, data: st.DataObject, who: int, choice: TableChoice
    ) -> None:
        rivals = Hand.objects.select_related("rival").filter(game=self.game, rival__isnull=False)
        rival = data.draw(st.sampled_from(list(rivals.order_by("id"))))
        first = rival.rival
        assert first is not None
        self.attempt(
            lambda: agreements.settle_at_table(
                hand_id=rival.pk,
                version=first.current,
                choice=choice,
                by=seat(who),
                at=at(self.now()),
            )
        )

    @precondition(lambda self: self.known)
    @rule(data=st.data(), policy=POLICIES)
    def the_director_rules(self, data: st.DataObject, policy: Policy) -> None:
        hand = data.draw(st.sampled_from(self.hands()))
        game = Game.objects.get(pk=self.game.pk)
        if hand.number > game.hands:
            return
        offered = [ruling for ruling, _ in rulings.effects(game, hand)]
        chips = Ruling(decision=Decision.CHIP_ADJUST, chips=(-2, 0, 2, 0))
        warning = Ruling(decision=Decision.WARNING, text="slow play")
        ruling = data.draw(st.sampled_from([*offered, chips, warning]))
        self.attempt(
            lambda: rulings.decide(
                hand_id=hand.pk,
                decree=RulingRequest(ruling=ruling, facts="heard both", policy=policy),
                by=DIRECTOR,
                at=at(self.now()),
            )
        )

    @precondition(lambda self: Decided.objects.filter(hand__game=self.game).exists())
    @rule(data=st.data(), policy=POLICIES)
    def a_ruling_is_taken_back(self, data: st.DataObject, policy: Policy) -> None:
        rows = list(Decided.objects.filter(hand__game=self.game).order_by("at", "id"))
        row = data.draw(st.sampled_from(rows))
        decree = RulingRequest(ruling=None, supersedes=row.pk, facts="I was wrong", policy=policy)
        self.attempt(
            lambda: rulings.decide(
                hand_id=row.hand_id, decree=decree, by=DIRECTOR, at=at(self.now())
            )
        )

    @precondition(lambda self: self.known)
    @rule(data=st.data(), cuts=CUTS, bid=st.integers(1, 6), policy=POLICIES)
    def a_hand_is_corrected(
        self, data: st.DataObject, cuts: list[int], bid: int, policy: Policy
    ) -> None:
        hand = data.draw(st.sampled_from(self.hands()))
        correction = Correction(
            text=self.text(cuts, bid, 1), why="misread", revision=hand.revision, policy=policy
        )
        before = [row.after for row in self.hands(number__lt=hand.number)]
        self.attempt(
            lambda: corrections.correct_hand(
                hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(self.now())
            )
        )
        assert [row.after for row in self.hands(number__lt=hand.number)] == before

    @precondition(lambda self: any(hand.current > 1 for hand in self.hands()))
    @rule(data=st.data())
    def a_correction_is_undone(self, data: st.DataObject) -> None:
        hand = data.draw(st.sampled_from([one for one in self.hands() if one.current > 1]))
        correction = Correction(text=b"", why="it was right")
        self.attempt(
            lambda: corrections.undo_correction(
                hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(self.now())
            )
        )

    @precondition(lambda self: self.known)
    @rule(data=st.data(), policy=POLICIES)
    def correcting_and_undoing_changes_nothing(self, data: st.DataObject, policy: Policy) -> None:
        hand = data.draw(st.sampled_from(self.hands()))
        before = [(row.state, row.after) for row in self.hands()]
        text = self.text([1, 5, 8], 2, 3, number=self.now())
        correction = Correction(text=text, why="a slip", policy=policy)
        try:
            corrections.correct_hand(
                hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(self.now())
            )
        except RefusedError:
            return
        assert_recomputes(self.game)
        corrections.undo_correction(
            hand_id=hand.pk, correction=correction, by=DIRECTOR, at=at(self.now())
        )
        assert [(row.state, row.after) for row in self.hands()] == before

    @rule(who=st.integers(0, 3))
    def a_substitute_sits_down(self, who: int) -> None:
        (player,) = make_players(self.club, 1)
        first = Game.objects.get(pk=self.game.pk).hands + 1
        change = SeatChange(seat=who, player=player.pk, first=first)
        self.attempt(
            lambda: seat_player(game_id=self.game.pk, change=change, by=DIRECTOR, at=at(self.now()))
        )

    @invariant()
    def the_books_are_what_the_records_come_to(self) -> None:
        assert_recomputes(self.game)

    @invariant()
    def nothing_else_is_told_of_a_hand_in_the_same_version(self) -> None:
        for id_ in (min(self.known, default=None), max(self.known, default=None)):
            if id_ is None:
                return
            number = Hand.objects.get(pk=id_).number
            sent = HandSubmission(id=id_, number=number, text=self.known[id_])
            game = Game.objects.get(pk=self.game.pk)
            said = recording.find_repeated_hand(game, sent)
            if number > game.hands:  # it waits: whether it still does is asked under the lock
                assert said is None
                continue
            assert said is not None
            told = hand_answer(said.hand, said.game, said.played, in_full=True)
            version, before = self.told.get(id_, (0, None))
            assert said.game.version != version or told == before
            self.told[id_] = (said.game.version, told)

    @invariant()
    def nothing_is_lost(self) -> None:
        kept = set(Hand.objects.filter(game=self.game).values_list("pk", flat=True))
        assert set(self.known) == kept
        for hand in Hand.objects.filter(game=self.game):
            first = hand.versions.get(number=1)
            came = first.text if first.sent is None else first.sent
            assert bytes(came) == self.known[hand.pk]
            assert hand.current >= self.versions.get(hand.pk, 1)
            self.versions[hand.pk] = hand.current


class ConfirmingMachine(ClubMachine):
    """The same in a club where a second seat must confirm."""

    confirming = "required"


@pytest.mark.property
@pytest.mark.django_db
@pytest.mark.parametrize("machine", [ClubMachine, ConfirmingMachine])
def test_a_club_night_whatever_happens(machine: type[ClubMachine]) -> None:
    run_state_machine_as_test(
        machine,
        settings=settings(
            # The second database need not see as many nights as the first.
            max_examples=examples(20 if connection.vendor == "sqlite" else 5, 2),
            stateful_step_count=25,
            deadline=None,
            # Shrinking a club night takes longer than reading it.
            phases=(Phase.explicit, Phase.reuse, Phase.generate),
            suppress_health_check=list(HealthCheck),
        ),
    )
