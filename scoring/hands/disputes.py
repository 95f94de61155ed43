"""Disputes: the records that stand beside each other for one hand, and what the table said.

Whoever told a record stands by it until they say otherwise.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from engine.core.faults import Code, Fault
from scoring.models import Decided, Form, Game, Hand, HandVersion, Word
from scoring.selectors import queries
from scoring.settlement.plan import (
    judge_recorded_hand,
    read_carried_state_before,
    recorded_inputs,
    rules_of,
)
from scoring.settlement.replay import HandInput, JudgedHand, find_paper_faults, judge_entered
from scoring.submissions.reading import SubmittedRecord, read_hand
from tournaments.core.actors import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class DisputedRecord:
    """One record of a hand; ``judged`` by itself, without rulings and objections.

    ``judged`` is None while the hand waits for an earlier one. ``hand`` is the row that the record
    came as: the hand itself, or a rival of it.
    """

    hand: Hand
    version: HandVersion
    judged: JudgedHand | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DirectorDecision:
    """The director's last decision about a hand: a ruling, or which record holds.

    ``ruling`` is None where they chose or corrected the record; ``took`` tells whether another one
    took the place of the one that stood. ``before`` is the hand as it stood without the decision.
    """

    ruling: Decided | None
    took: bool
    why: str
    at: datetime
    before: JudgedHand | None
    after: JudgedHand | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispute:
    """A hand with the record that stands, those that contradict it, and everything that was said.

    ``versions`` are those of all these records, ``words`` what was said of them, both in order of
    time.
    """

    game: Game
    hand: Hand
    first: DisputedRecord
    others: Sequence[DisputedRecord]
    versions: Sequence[HandVersion]
    words: Sequence[Word]
    decision: DirectorDecision | None
    paper_faults: Sequence[Fault] = ()
    """Where the record that stands says otherwise than papers that were sealed (DEC-17)."""

    @property
    def paper_seats(self) -> set[int]:
        """Return the seats whose sealed papers the record that stands contradicts."""
        return {fault.seat for fault in self.paper_faults if fault.seat is not None}

    @property
    def sealed_seats(self) -> set[int]:
        """Return those of them whose paper can take the place of what was told."""
        if self.first.version.form == Form.RECORD:
            return set()
        own = (fault for fault in self.paper_faults if fault.code is Code.BAD_PAPER)
        return {fault.seat for fault in own if fault.seat is not None}

    def seats_for(self, record: DisputedRecord) -> list[int]:
        """Return the seats that stand by a record: author and supporters who have not objected."""
        stands: dict[int, bool] = {}
        if record.version.seat is not None:
            stands[record.version.seat] = True
        for word in self.words:
            if word.version_id == record.version.pk and word.seat is not None:
                stands[word.seat] = word.agrees
        return sorted(seat for seat, agrees in stands.items() if agrees)


def read_dispute(game: Game, hand: Hand) -> Dispute:
    """Return what is on record about a hand; a rival stands for the hand that it contradicts.

    A fixed number of queries.
    """
    if hand.rival_id is not None:
        hand = Hand.objects.get(pk=hand.rival_id)
        hand.game = game
    rows = [hand, *queries.contradicting_records(hand)]
    versions = {
        (version.hand_id, version.number): version
        for version in HandVersion.objects.filter(hand__in=rows)
    }
    played = judge_alone(
        game, hand, [read_hand(bytes(versions[row.pk, row.current].text)) for row in rows]
    )
    records = [
        DisputedRecord(hand=row, version=versions[row.pk, row.current], judged=judged)
        for row, judged in zip(rows, played, strict=True)
    ]
    said = Word.objects.filter(version__hand__in=rows).select_related("version")
    words = list(said.order_by("id"))
    return Dispute(
        game=game,
        hand=hand,
        first=records[0],
        others=records[1:],
        versions=sorted(versions.values(), key=lambda one: (one.at, one.pk)),
        words=words,
        decision=_last_decision(game, hand, versions, words, played[0]),
        paper_faults=find_paper_faults(played[0]),
    )


def _last_decision(
    game: Game,
    hand: Hand,
    versions: Mapping[tuple[UUID, int], HandVersion],
    words: Sequence[Word],
    alone: JudgedHand | None,
) -> DirectorDecision | None:
    """Return the last decision about a hand; ``alone`` is its record without any."""
    if hand.number > game.hands:
        return None
    made = Decided.objects.filter(hand=hand, superseded_by=None, withdrawn=False, lets_stand=None)
    ruling = made.order_by("-at", "-number").first()
    stands = versions[hand.pk, hand.current]
    taken = stands if stands.number > 1 and stands.source != Source.TABLE else None
    kept = [
        word for word in words if word.version_id == stands.pk and word.seat is None and word.why
    ]
    at = [one.at for one in (ruling, taken, *kept[-1:]) if one is not None]
    if not at:
        return None
    after = judge_recorded_hand(game, hand)
    if ruling is not None and ruling.at == max(at):
        before, why = alone, ruling.facts
    elif taken is not None and taken.at == max(at):
        earlier = versions[hand.pk, taken.number - 1]
        (before,) = judge_alone(game, hand, [read_hand(bytes(earlier.text))])
        ruling, why = None, taken.why
    else:
        ruling, taken, before, why = None, None, alone, kept[-1].why
    return DirectorDecision(
        ruling=ruling,
        took=taken is not None and ruling is None,
        why=why,
        at=max(at),
        before=before,
        after=after,
    )


def judge_alone(
    game: Game, hand: Hand, records: Sequence[SubmittedRecord]
) -> list[JudgedHand | None]:
    """Judge each record as if it were confirmed, and without rulings and objections.

    Returns None for each while the hand waits for an earlier one.
    """
    if hand.number > game.hands:
        return [None] * len(records)
    (entered,) = recorded_inputs(game, [hand])
    before, rules = read_carried_state_before(game, hand.number), rules_of(game)
    return [judge_entered(rules, before, _without_decisions(entered, record)) for record in records]


def _without_decisions(entered: HandInput, record: SubmittedRecord) -> HandInput:
    return replace(
        entered,
        record=record,
        rulings=(),
        objection="",
        contested=False,
        confirmed=True,
        must_confirm=False,
    )
