"""Secret papers: nobody sees one before all are open, and nobody changes theirs meanwhile."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from engine.core.faults import Code
from engine.record.rulings import Decision, Ruling
from scoring.hands.agreements import settle_at_table, take_back_hand
from scoring.hands.disputes import read_dispute
from scoring.hands.papers import (
    OpenedPaper,
    PaperId,
    PaperOut,
    open_paper,
    papers_of,
    reveal_papers,
    seal_of,
    seal_paper,
)
from scoring.hands.recording import RecordedHand, enter_hand
from scoring.hands.rulings import decide
from scoring.hands.submission import HandSubmission
from scoring.hands.table_choices import TableChoice
from scoring.models import Form, Game, Hand, HandVersion, PaperKind, SealedPaper, State
from scoring.presentation.disputes import dispute_answer
from scoring.settlement.changes import RulingRequest
from tests.examples import examples
from tests.scoring.club import (
    DIRECTOR,
    SEATS,
    assert_recomputes,
    at,
    make_club,
    make_game,
    make_rules,
    seat,
    state_of,
)
from tournaments.audit import find_broken_entries
from tournaments.core.errors import ConflictError, RefusedError
from tournaments.core.ids import new_id
from tournaments.models import AuditEntry

pytestmark = pytest.mark.django_db

INSURANCE, FOOT, CENTRE = PaperKind.INSURANCE, PaperKind.FOOT, PaperKind.CENTRE
VALUES = ("2", "0", "5", "1")
BIDS = ("S3/3/HA", "-/HQ", "D7/1/C9", "S3/5/DA")
RESULT = {"taken": {"N": 3, "E": 4, "S": 6}, "queen": "S", "bought": {"N": 3}}


def a_game(base: str = "insurance", **overrides: str) -> Game:
    club = make_club()
    return make_game(club, make_rules(club, base, overrides))


def salt(one: PaperId) -> str:
    return f"salt of seat {one.seat} for {one.kind} " + "x" * 8


def paper(place: int, kind: PaperKind = INSURANCE, hand: int = 1) -> PaperId:
    return PaperId(hand=hand, seat=place, kind=kind)


def seal(game: Game, one: PaperId, value: str) -> list[PaperOut]:
    mark = seal_of(value, salt(one))
    return seal_paper(game_id=game.pk, paper=one, seal=mark, by=seat(one.seat), at=at(1))


def show(game: Game, one: PaperId, value: str) -> OpenedPaper:
    written = (value, salt(one))
    return open_paper(game_id=game.pk, paper=one, written=written, by=seat(one.seat), at=at(2))


def reveal(
    game: Game, kind: PaperKind = INSURANCE, hand: int = 1, why: str = "They have gone home."
) -> list[PaperOut]:
    one = paper(0, kind, hand)
    return reveal_papers(game_id=game.pk, paper=one, why=why, by=DIRECTOR, at=at(3))


def all_opened(
    game: Game, values: tuple[str, ...] = VALUES, kind: PaperKind = INSURANCE
) -> list[PaperOut]:
    for place, value in enumerate(values):
        seal(game, paper(place, kind), value)
    openings = [show(game, paper(place, kind), value) for place, value in enumerate(values)]
    assert all(one.fits for one in openings)
    early = [one for opening in openings[:-1] for one in opening.shown if one["kind"] == kind]
    assert not any(one["value"] or one["salt"] for one in early)
    return openings[-1].shown


def send(game: Game, fields: dict[str, Any], number: int = 1) -> RecordedHand:
    text = json.dumps(fields).encode()
    sent = HandSubmission(id=new_id(), number=number, form=Form.RESULT, sent=text)
    return enter_hand(game_id=game.pk, sent=sent, by=seat(0), at=at(3))


def test_values_are_shown_once_all_are_open() -> None:
    game = a_game()
    shown = all_opened(game)
    assert [one["value"] for one in shown] == list(VALUES)
    assert [seal_of(one["value"] or "", one["salt"] or "") for one in shown] == [
        one["seal"] for one in shown
    ]
    assert not list(find_broken_entries(game.pk))


def test_nobody_opens_while_another_can_still_choose() -> None:
    game = a_game()
    for place in (0, 1, 3):
        seal(game, paper(place), VALUES[place])
    with pytest.raises(RefusedError, match="seat S\\.") as refused:
        show(game, paper(0), VALUES[0])
    assert VALUES[0] not in str(refused.value)
    assert not SealedPaper.objects.exclude(value="").exists()


def test_a_seal_cannot_be_replaced_but_sent_again() -> None:
    game = a_game()
    first = seal(game, paper(0), "3")
    assert seal(game, paper(0), "3") == first
    with pytest.raises(ConflictError):
        seal(game, paper(0), "4")


def test_the_seal_of_another_seat_cannot_be_copied() -> None:
    game = a_game()
    (first,) = seal(game, paper(0), "3")
    with pytest.raises(RefusedError) as refused:
        seal_paper(game_id=game.pk, paper=paper(1), seal=first["seal"], by=seat(1), at=at(1))
    assert refused.value.field == "seal"


def test_what_does_not_fit_is_told_and_noted() -> None:
    game = a_game()
    for place, value in enumerate(VALUES):
        seal(game, paper(place), value)
    for written in (("3", salt(paper(0))), ("2", salt(paper(1)))):
        opening = open_paper(game_id=game.pk, paper=paper(0), written=written, by=seat(0), at=at(2))
        assert not opening.fits
        assert not any(one["is_open"] for one in opening.shown)
    noted = AuditEntry.objects.filter(what="paper does not fit its seal")
    assert noted.count() == 2
    assert show(game, paper(0), "2").fits


@pytest.mark.parametrize(
    ("one", "mark", "by", "field"),
    [
        (paper(0, FOOT), "0" * 64, 0, "kind"),
        (paper(4), "0" * 64, 4, "seat"),
        (paper(-1), "0" * 64, -1, "seat"),
        (paper(1), "0" * 64, 0, "seat"),
        (paper(0, hand=2), "0" * 64, 0, "hand"),
        (paper(0, hand=0), "0" * 64, 0, "hand"),
        (paper(0), "0" * 63, 0, "seal"),
        (paper(0), "A" * 64, 0, "seal"),
        (paper(0), "", 0, "seal"),
    ],
)
def test_what_cannot_be_sealed(one: PaperId, mark: str, by: int, field: str) -> None:
    game = a_game()
    with pytest.raises(RefusedError) as refused:
        seal_paper(game_id=game.pk, paper=one, seal=mark, by=seat(by), at=at(1))
    assert refused.value.field == field
    assert not SealedPaper.objects.exists()


@pytest.mark.parametrize(
    ("value", "own_salt", "field"),
    [
        ("", "x" * 16, "value"),
        ("3" * 41, "x" * 16, "value"),
        ("three", "x" * 16, "value"),
        ("3\x00", "x" * 16, "value"),
        ("3", "x" * 15, "salt"),
        ("3", "x" * 65, "salt"),
        ("3", "\x00" * 16, "salt"),
    ],
)
def test_what_no_paper_says(value: str, own_salt: str, field: str) -> None:
    game = a_game()
    for place in range(4):
        seal(game, paper(place), VALUES[place])
    with pytest.raises(RefusedError) as refused:
        open_paper(game_id=game.pk, paper=paper(0), written=(value, own_salt), by=seat(0), at=at(2))
    assert refused.value.field == field


def test_the_papers_are_those_of_the_rules() -> None:
    for overrides, kinds in (
        ({}, {INSURANCE, CENTRE}),
        ({"insurance": "off"}, {FOOT, CENTRE}),
        ({"insurance": "off", "foot": "off"}, {CENTRE}),
        ({"foot": "off", "centre_auction": "off"}, {INSURANCE}),
        ({"insurance": "off", "foot": "off", "centre_auction": "off"}, set()),
    ):
        club = make_club(f"Club {overrides}")
        game = make_game(club, make_rules(club, "insurance", overrides))
        possible = set()
        for kind in PaperKind:
            try:
                seal(game, paper(0, kind), "F" if kind is FOOT else "-/HA")
            except RefusedError as refused:
                assert refused.field  # noqa: PT017 (which are refused is what is compared below)
            else:
                possible.add(kind)
        assert possible == kinds


def test_the_director_waits_no_longer() -> None:
    game = a_game()
    for place in (0, 1):
        seal(game, paper(place), VALUES[place])
    with pytest.raises(RefusedError):
        reveal(game, hand=2)
    with pytest.raises(RefusedError) as refused:
        reveal(game, why=" ")
    assert refused.value.field == "why"
    shown = reveal(game)
    assert AuditEntry.objects.get(what="papers revealed").why == "They have gone home."
    assert [one["value"] for one in shown] == [None] * 4
    with pytest.raises(ConflictError, match="too late"):
        show(game, paper(0), VALUES[0])
    with pytest.raises(ConflictError):
        seal(game, paper(2), VALUES[2])
    hand = send(game, RESULT).hand
    assert hand.state == State.ACCEPTED
    assert state_of(game).totals == (6, 4, 19, 0)


def test_a_result_need_not_repeat_the_papers() -> None:
    game = a_game(foot="off")
    all_opened(game)
    assert send(game, RESULT).hand.state == State.ACCEPTED
    assert b"2 0 5 1" in bytes(HandVersion.objects.get().text)
    assert_recomputes(game)


def test_the_bids_for_the_centre_are_filled_in_too() -> None:
    game = a_game()
    all_opened(game)
    all_opened(game, BIDS, CENTRE)
    fields = {name: value for name, value in RESULT.items() if name != "bought"}
    with pytest.raises(RefusedError) as refused:
        send(game, fields)
    assert refused.value.field == "centre"
    fields |= {"centre": "S3HKD7C2", "took": "N:HK E:C2"}
    hand = send(game, fields).hand
    assert (hand.state, hand.reason) == (State.ACCEPTED, "")
    assert state_of(game).totals == (5, 4, 15, 6)


def test_a_record_that_contradicts_the_papers_is_disputed_and_can_be_ruled_on() -> None:
    game = a_game()
    all_opened(game)
    hand = send(game, RESULT | {"papers": {"N": 2, "E": 3, "S": 5, "W": 1}}).hand
    assert hand.state == State.DISPUTED
    assert hand.reason == "E: the sealed paper counts as 0, the record says 3"
    ruling = Ruling(decision=Decision.RESULT_STANDS, code=Code.BAD_PAPER)
    ruled = decide(
        hand_id=hand.pk, decree=RulingRequest(ruling=ruling), revision=1, by=DIRECTOR, at=at(5)
    )
    assert ruled.recorded.hand.state == State.RULED
    assert_recomputes(game)


def test_a_foot_on_a_sealed_paper_ends_the_hand() -> None:
    game = a_game()
    all_opened(game, ("2", "F3", "5", "1"))
    assert send(game, {"ending": "foot"}).hand.state == State.FOOT
    club = make_club("Another")
    game = make_game(club, make_rules(club, "insurance"))
    all_opened(game, ("2", "F3", "5", "1"))
    hand = send(game, RESULT | {"papers": {"N": 2, "E": 3, "S": 5, "W": 1}}).hand
    assert hand.state == State.DISPUTED
    assert hand.reason.startswith("E: the sealed paper calls a foot")


def test_a_hand_sent_before_the_papers_are_open_is_held_against_them_later() -> None:
    game = a_game()
    for place, value in enumerate(VALUES):
        seal(game, paper(place), value)
    hand = send(game, RESULT | {"papers": {"N": 2, "E": 0, "S": 6, "W": 1}}).hand
    assert hand.state == State.DRAFT
    for place, value in enumerate(VALUES):
        show(game, paper(place), value)
    hand.refresh_from_db()
    assert hand.state == State.DISPUTED
    assert hand.reason.startswith("S: the sealed paper counts as 5")
    assert Game.objects.get(pk=game.pk).booked == 0
    assert_recomputes(game)


def test_papers_wait_for_their_own_hand() -> None:
    game = a_game()
    send(game, RESULT | {"papers": VALUES_BY_SEAT})
    with pytest.raises(RefusedError, match="number 2"):
        seal(game, paper(0), "3")
    assert seal(game, paper(0, hand=2), "3")
    assert papers_of(game, 1) == []


VALUES_BY_SEAT = dict(zip("NESW", VALUES, strict=True))


class Secrets(RuleBasedStateMachine):
    """Seats seal and open in any order; what they wrote is nowhere before all have opened."""

    def __init__(self) -> None:
        super().__init__()
        self.outer = transaction.atomic()
        self.outer.__enter__()
        self.game = a_game()
        self.written: dict[tuple[PaperKind, int], str] = {}
        self.answers: list[str] = []

    def teardown(self) -> None:
        transaction.set_rollback(True)
        self.outer.__exit__(None, None, None)

    def note(self, *shown: PaperOut) -> None:
        """Keep an answer, without what are random digits anyway."""
        self.answers = [str([self.plain(one) for one in shown])]

    @staticmethod
    def plain(one: PaperOut) -> tuple[Any, ...]:
        return one["seat"], one["kind"], one["is_open"], one["value"], one["salt"]

    def attempt(self, *answer: Any) -> None:
        self.answers.append(" ".join(map(str, answer)))

    @rule(
        kind=st.sampled_from((INSURANCE, CENTRE)),
        place=st.integers(0, 3),
        number=st.integers(7000, 9999),
        foot=st.booleans(),
    )
    def a_seat_seals(self, kind: PaperKind, place: int, number: int, foot: bool) -> None:
        value = f"S3/{number}/HA" if kind is CENTRE else f"{'F' if foot else ''}{number}"
        try:
            with transaction.atomic():
                self.note(*seal(self.game, paper(place, kind), value))
            self.written.setdefault((kind, place), value)
        except RefusedError as error:
            self.attempt(error, error.field)

    @rule(kind=st.sampled_from((INSURANCE, CENTRE)), place=st.integers(0, 3), right=st.booleans())
    def a_seat_opens(self, kind: PaperKind, place: int, right: bool) -> None:
        value = self.written.get((kind, place), "-") if right else "-"
        try:
            with transaction.atomic():
                opening = show(self.game, paper(place, kind), value)
            self.note(*opening.shown)
            assert opening.fits == (self.written.get((kind, place)) == value)
        except RefusedError as error:
            self.attempt(error, error.field)

    @rule(kind=st.sampled_from((INSURANCE, CENTRE)))
    def the_director_waits_no_longer(self, kind: PaperKind) -> None:
        if sum(key[0] is kind for key in self.written) < 4:
            return
        self.note(*reveal(self.game, kind))

    @rule()
    def somebody_tries_to_send_the_hand(self) -> None:
        with suppress(RefusedError), transaction.atomic():
            send(self.game, RESULT | {"taken": {"N": 3, "E": 4, "S": 99}})
            self.attempt(*Hand.objects.values_list("reason", "state"))
            self.attempt(*(bytes(one.text).decode() for one in HandVersion.objects.all()))
            transaction.set_rollback(True)

    def secrets(self) -> Iterator[str]:
        """What must not be seen yet: the numbers and the salts of the papers not all open."""
        for kind in (INSURANCE, CENTRE):
            rows = SealedPaper.objects.filter(game=self.game, kind=kind).exclude(opened_at=None)
            if rows.count() < self.game.players:
                for (_, place), value in (one for one in self.written.items() if one[0][0] is kind):
                    yield "".join(re.findall("[0-9]{4}", value))
                    yield salt(paper(place, kind))

    @invariant()
    def nothing_is_seen_too_early(self) -> None:
        self.note(*papers_of(self.game, 1))
        trail = AuditEntry.objects.filter(chain=self.game.pk).values_list("details", flat=True)
        details = [json.loads(one) for one in trail]
        told = [
            {k: v for k, v in one.items() if k not in ("seal", "rules", "players")}
            for one in details
        ]
        seen = " ".join((*self.answers, *map(str, told)))
        for secret in self.secrets():
            assert secret not in seen

    @invariant()
    def what_is_seen_is_what_was_sealed(self) -> None:
        for one in papers_of(self.game, 1):
            if one["value"] is not None:
                assert (
                    one["value"] == self.written[PaperKind(one["kind"]), SEATS.index(one["seat"])]
                )
                assert seal_of(one["value"], one["salt"] or "") == one["seal"]


@pytest.mark.property
def test_no_byte_of_a_sealed_value_is_seen_before_the_reveal() -> None:
    run_state_machine_as_test(
        Secrets,
        settings=settings(
            max_examples=examples(25, 5),
            stateful_step_count=40,
            deadline=None,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        ),
    )


def test_a_hand_waits_for_its_sealed_papers() -> None:
    game = a_game(foot="off")
    for place in range(4):
        seal(game, paper(place), "6")
    hand = send(game, RESULT | {"papers": dict.fromkeys("NESW", "0")}).hand
    assert (hand.state, hand.reason) == (
        State.DRAFT,
        "It waits for the sealed papers of N, E, S and W.",
    )
    assert Game.objects.get(pk=game.pk).booked == 0
    for place in range(4):
        show(game, paper(place), "6")
    hand.refresh_from_db()
    assert (hand.state, "sealed paper" in hand.reason) == (State.DISPUTED, True)
    assert_recomputes(game)


@pytest.mark.parametrize("sealed", [(0,), (1, 3), (0, 1, 2), (0, 1, 2, 3)])
@pytest.mark.parametrize("is_left_out", [True, False])
def test_a_hand_waits_for_those_who_sealed_and_what_is_told_counts_for_the_others(
    sealed: tuple[int, ...], is_left_out: bool
) -> None:
    game = a_game(foot="off", centre_auction="off")
    for place in sealed:
        seal(game, paper(place), VALUES[place])
    told = {
        "NESW"[place]: value
        for place, value in enumerate(VALUES)
        if not (is_left_out and place in sealed)
    }
    result = {"taken": {"N": 3, "E": 4, "S": 6}, "queen": "S"} | ({"papers": told} if told else {})
    hand = send(game, result).hand
    assert (hand.state, str(hand.reason)[:34]) == (
        State.DRAFT,
        "It waits for the sealed papers of ",
    )
    for place in sealed:
        assert show(game, paper(place), VALUES[place]).fits
    hand.refresh_from_db()
    assert (hand.state, hand.reason) == (State.ACCEPTED, "")
    version = HandVersion.objects.get(hand=hand, number=hand.current)
    assert b"2 0 5 1" in bytes(version.text)
    assert version.seat == 0
    assert [one["value"] for one in papers_of(game, 1)] == [VALUES[place] for place in sealed]
    assert_recomputes(game)


def test_nobody_seals_or_waits_for_a_paper_after_the_hand_was_told() -> None:
    game = a_game(foot="off", centre_auction="off")
    seal(game, paper(1), "3")
    hand = send(game, RESULT_ONLY | {"papers": VALUES_BY_SEAT}).hand
    with pytest.raises(RefusedError):
        seal(game, paper(2), "3")
    show(game, paper(1), "3")
    hand.refresh_from_db()
    assert hand.state == State.DISPUTED
    assert hand.reason == "E: the sealed paper counts as 3, the record says 0"
    take_back_hand(hand_id=hand.pk, version=hand.current, by=seat(0), at=at(4))
    with pytest.raises(RefusedError, match="open already"):
        seal(game, paper(2), "3")
    again = send(game, RESULT_ONLY | {"papers": VALUES_BY_SEAT | {"E": "3"}}).hand
    assert again.state == State.ACCEPTED
    assert_recomputes(game)


@pytest.mark.parametrize("choice", [TableChoice.FIRST, TableChoice.SECOND])
def test_a_seat_is_asked_where_its_sealed_paper_says_otherwise(choice: TableChoice) -> None:
    game = a_game(foot="off", centre_auction="off")
    seal(game, paper(1), "3")
    hand = send(game, RESULT_ONLY | {"papers": VALUES_BY_SEAT}).hand
    show(game, paper(1), "3")
    hand.refresh_from_db()
    game.refresh_from_db()
    answer = dispute_answer(read_dispute(game, hand), in_full=True)
    assert answer["papers"] == answer["first"]["waits_for"] == ["E"]
    asked = {seat: set(said) for seat, said in answer["first"]["choices"].items()}
    assert {"first", "second"} <= asked["E"]
    assert not [seat for seat in "NSW" if "second" in asked[seat]]
    with pytest.raises(RefusedError):
        settle_at_table(
            hand_id=hand.pk, version=hand.current, choice=TableChoice.SECOND, by=seat(2), at=at(4)
        )
    settle_at_table(hand_id=hand.pk, version=hand.current, choice=choice, by=seat(1), at=at(4))
    hand.refresh_from_db()
    if choice is TableChoice.FIRST:
        assert (hand.state, hand.director_called_at) == (State.DISPUTED, at(4))
    else:
        assert (hand.state, hand.current) == (State.ACCEPTED, 2)
        version = HandVersion.objects.get(hand=hand, number=2)
        assert json.loads(bytes(version.sent or b""))["papers"] == VALUES_BY_SEAT | {"E": "3"}
        assert version.seat == 0
    assert_recomputes(game)


def test_a_seat_whose_sealed_paper_calls_a_foot_is_asked_and_then_the_director() -> None:
    game = a_game(centre_auction="off")
    seal(game, paper(1), "F")
    hand = send(game, RESULT_ONLY | {"papers": VALUES_BY_SEAT}).hand
    show(game, paper(1), "F")
    hand.refresh_from_db()
    game.refresh_from_db()
    answer = dispute_answer(read_dispute(game, hand), in_full=True)
    assert answer["papers"] == answer["first"]["waits_for"] == ["E"]
    assert "first" in answer["first"]["choices"]["E"]
    assert "second" not in answer["first"]["choices"]["E"]
    said = settle_at_table(
        hand_id=hand.pk, version=hand.current, choice=TableChoice.FIRST, by=seat(1), at=at(4)
    )
    assert said.hand.director_called_at == at(4)


RESULT_ONLY = {"taken": {"N": 3, "E": 4, "S": 6}, "queen": "S"}


def test_the_director_lets_a_hand_wait_no_longer() -> None:
    game = a_game(foot="off")
    seal(game, paper(0), "6")
    hand = send(game, RESULT | {"papers": dict.fromkeys("NESW", "0")}).hand
    assert hand.state == State.DRAFT
    with pytest.raises(RefusedError) as refused:
        seal(game, paper(1), "6")
    assert refused.value.field == "hand"
    reveal(game)
    hand.refresh_from_db()
    assert hand.state == State.ACCEPTED, hand.reason
    assert_recomputes(game)
