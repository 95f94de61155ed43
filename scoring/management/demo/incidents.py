"""Irregularities at a table, and how they are ruled on the same evening."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Final
from uuid import UUID

from engine.core.faults import Code
from engine.core.seats import DEFAULT_SEATS
from engine.live.hand import Hand as Played
from engine.live.scorer import record_hand
from engine.record.rulings import Decision, Ruling
from scoring.games.opening import SeatChange, seat_player
from scoring.hands import rulings
from scoring.hands.agreements import object_to_hand
from scoring.hands.corrections import Correction, RivalChoice, choose_record, correct_hand
from scoring.hands.papers import PaperId, open_paper, seal_of, seal_paper
from scoring.hands.recording import RecordedHand
from scoring.management.demo.mistakes import early_pain, revoke
from scoring.management.demo.simulated_play import Manner
from scoring.management.demo.slips import result_of
from scoring.management.demo.tables import DemoTable
from scoring.models import AppealStep, Decided, Finding, Form, PaperKind, Sitting
from scoring.settlement.changes import RulingRequest
from scoring.submissions.writing.fields_from_record import bid_text, paper_text

_SOON: Final = timedelta(minutes=2)
_NEXT_HANDS: Final = timedelta(minutes=30)
_AT_ONCE: Final = timedelta(seconds=5)


def revoke_by_the_law(table: DemoTable) -> None:
    """A revoke comes to light with the next trick; the offender bears the hand."""
    _rule_as_proposed(table, _play_revoke(table), "revoke, claimed before the cards were mixed")


def revoke_ruled_twice(table: DemoTable) -> None:
    """A revoke is let stand; a player appeals, and the director corrects their own ruling."""
    recorded = _play_revoke(table)
    stands = Ruling(decision=Decision.RESULT_STANDS, code=Code.REVOKE)
    first = _decide(
        table, recorded.hand.pk, RulingRequest(ruling=stands, facts="it cost nobody a trick")
    )
    _appeal(table, first, AppealStep.PENDING, "It saved him three hearts.")
    decree = RulingRequest(
        ruling=_revoke_law(recorded),
        facts="the trick was counted again: it did",
        law="S2 law 24-26",
        found=Finding.ESTABLISHED,
        supersedes=first.pk,
    )
    _decide(table, recorded.hand.pk, decree, after=_NEXT_HANDS)
    _appeal(table, first, AppealStep.CHANGED, "The revoke law is applied.")


def _play_revoke(table: DemoTable) -> RecordedHand:
    return table.enter_record(table.go_wrong(revoke).record)


def _revoke_law(recorded: RecordedHand) -> Ruling:
    """Return the engine's first proposal for a revoke."""
    return rulings.effects(recorded.game, recorded.hand)[0][0]


def _rule_as_proposed(table: DemoTable, recorded: RecordedHand, facts: str) -> None:
    ruling = _revoke_law(recorded)
    seats = list(DEFAULT_SEATS[recorded.game.players])
    decree = RulingRequest(ruling=ruling, facts=facts, found=Finding.ESTABLISHED, told_to=seats)
    _decide(table, recorded.hand.pk, decree)


def _decide(
    table: DemoTable, hand: UUID, decree: RulingRequest, *, after: timedelta = _SOON
) -> Decided:
    at = table.later(after)
    return rulings.decide(hand_id=hand, decree=decree, by=table.club.director, at=at).decided


def _appeal(table: DemoTable, ruling: Decided, step: AppealStep, text: str) -> None:
    by = table.seats[0] if step == AppealStep.PENDING else table.club.director
    rulings.appeal(ruling_id=ruling.pk, step=step, text=text, by=by, at=table.later(_SOON))


def forbidden_card_stands(table: DemoTable) -> None:
    """A pain card fell on the first trick, all played on, and nobody can take it back."""
    recorded = table.enter_record(table.go_wrong(early_pain).record)
    ruling = Ruling(decision=Decision.RESULT_STANDS, code=Code.FIRST_TRICK)
    facts = "seen only when the hand was over; it stands, with a warning"
    _decide(
        table,
        recorded.hand.pk,
        RulingRequest(ruling=ruling, facts=facts, trick=1, found=Finding.ESTABLISHED),
    )


def objection(table: DemoTable) -> None:
    """A seat thinks that the count is wrong; the cards are counted again, and it was right."""
    recorded = table.enter(table.deal(took_something), Form.RESULT)
    by, at = table.seats[(table.sent + 2) % len(table.seats)], table.later(_SOON)
    hand = recorded.hand.pk
    object_to_hand(hand_id=hand, version=1, why="I took fewer than that.", by=by, at=at)
    stands = Ruling(decision=Decision.RESULT_STANDS)
    _decide(table, hand, RulingRequest(ruling=stands, facts="counted again: the result is right"))


def miscount(table: DemoTable) -> None:
    """The captures do not add up; the scorer counts again and corrects them."""
    right = result_of(table.deal(took_something))
    seats = DEFAULT_SEATS[len(table.seats)]
    first = max(seats, key=lambda seat: int(right["taken"][seat]))
    wrong = right | {"taken": right["taken"] | {first: right["taken"][first] - 1}}
    recorded = table.enter_data(Form.RESULT, wrong)
    correction = Correction(
        why="One card lay under the table.",
        revision=1,
        form=Form.RESULT,
        sent=json.dumps(right).encode(),
    )
    at = table.later(_SOON)
    correct_hand(hand_id=recorded.hand.pk, correction=correction, by=table.club.director, at=at)


def two_records(table: DemoTable) -> None:
    """Two seats send the hand, and not the same; the director takes the second."""
    right = result_of(table.deal(took_something))
    wrong = right | {"taken": _rotate_captures(right["taken"])}
    first = table.enter_data(Form.RESULT, wrong, seat=0)
    rival = table.enter_again(first.hand.number, right, seat=2)
    choose_record(
        rival_id=rival.hand.pk,
        choice=RivalChoice(keep=False, why="The first scorer was one seat off."),
        by=table.club.director,
        at=table.later(_SOON),
    )


def _rotate_captures(taken: dict[str, int]) -> dict[str, int]:
    """Return everybody's captures, one seat further round."""
    counts = list(taken.values())
    return dict(zip(taken, counts[1:] + counts[:1], strict=True))


def took_something(hand: Played) -> bool:
    """Whether the hand was played, not all took alike, and the game goes on."""
    taken = hand.facts.taken
    return len(set(taken)) > 1 and hand.settle().after.over is None


def play_void_hand(table: DemoTable) -> None:
    """The pack was one card short: the hand is void, and the same dealer deals again."""
    recorded = table.enter(table.deal(took_something), Form.RESULT)
    ruling = Ruling(decision=Decision.VOID_REDEAL, code=Code.MISDEAL)
    _decide(
        table, recorded.hand.pk, RulingRequest(ruling=ruling, facts="a deuce was still in the box")
    )


def passed_out(table: DemoTable) -> None:
    """Nobody bids. In a jackpot hand nobody is asked; that is played first."""
    while table.state.jackpot:
        table.confirm(table.enter(table.deal()))
    table.enter(table.deal(manner=Manner.SHY))


def foot(table: DemoTable) -> None:
    """Somebody calls the foot that they have once a game."""
    table.confirm(table.enter(table.deal(manner=Manner.WEARY), Form.ACTIONS))


def sealed_papers(table: DemoTable) -> None:
    """All papers are sealed before any is opened, and the hand is held against them."""
    hand = table.deal()
    written = [(PaperKind.INSURANCE, paper_text(paper)) for paper in hand.papers]
    bids = {bid.seat: bid_text(bid) for bid in hand.bids}
    written += [(PaperKind.CENTRE, bids[seat]) for seat in sorted(bids)]
    number, count = table.number, len(table.seats)
    papers = [
        (PaperId(hand=number, seat=place % count, kind=kind), value, _salt(table, number, place))
        for place, (kind, value) in enumerate(written)
    ]
    for paper, value, salt in papers:
        by, seal, at = table.seats[paper.seat], seal_of(value, salt), table.later(_AT_ONCE)
        seal_paper(game_id=table.game, paper=paper, seal=seal, by=by, at=at)
    for paper, value, salt in papers:
        by, at = table.seats[paper.seat], table.later(_AT_ONCE)
        open_paper(game_id=table.game, paper=paper, written=(value, salt), by=by, at=at)
    table.confirm(table.enter_record(record_hand(hand)))


def _salt(table: DemoTable, number: int, place: int) -> str:
    return f"{table.chance.dice(table.name, 'salt', number, place).getrandbits(128):032x}"


def substitute(table: DemoTable, seat: int, player: UUID, play: Callable[[], None]) -> None:
    """Somebody sits in for another while some hands are played; then the first comes back."""
    entrant = Sitting.objects.get(game=table.game, seat=seat, last=None).player_id
    _sits_down(table, seat, player)
    play()
    _sits_down(table, seat, entrant)


def _sits_down(table: DemoTable, seat: int, player: UUID) -> None:
    at, by = table.later(_SOON), table.club.director
    change = SeatChange(seat=seat, player=player, first=table.number)
    seat_player(game_id=table.game, change=change, by=by, at=at)
