"""A dispute as plain data: the records beside each other, and who said what when."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import TypedDict, cast
from uuid import UUID

from django.utils.translation import gettext as _

from scoring.hands.disputes import DirectorDecision, Dispute, DisputedRecord
from scoring.hands.submission import table_of
from scoring.hands.table_choices import list_choices, seats_waited_for
from scoring.models import Phase, State
from scoring.presentation.answers import in_words, reason_of, seats_of
from scoring.presentation.record_comparison import (
    RecordComparison,
    compare_records,
    settled_holdings,
)
from scoring.presentation.seat_names import names_at_table
from scoring.submissions.writing.fields_from_record import said_result
from scoring.submissions.writing.results import ResultFields
from tournaments.core.language import translate


class DisputedRecordAnswer(TypedDict):
    """One record of a hand: who told it, when, in which fields, and which seats stand by it.

    ``hand`` is the id under which it was sent; ``seat`` is null where the desk entered it;
    ``result`` are the fields of a result that says the same, null where nobody can read it.
    ``choices`` are what each seat may say now: between the record that stands and this one, or,
    of the record that stands itself, about the objection to it. ``waits_for`` are the seats whose
    word settles that; empty where the director decides.
    """

    hand: UUID
    version: int
    form: str
    seat: str | None
    source: str
    at: datetime
    result: ResultFields | None
    supported_by: list[str]
    choices: dict[str, list[str]]
    waits_for: list[str]


class StatementAnswer(TypedDict):
    """Something that was said in a dispute: ``said`` is "sent", "agrees" or "objects"."""

    at: datetime
    seat: str | None
    source: str
    hand: UUID
    version: int
    said: str
    why: str | None


class DecisionAnswer(TypedDict):
    """A director's decision about a hand, its reason, and what it changed.

    ``words`` say what: a kind of ruling, or which record holds. ``held_before`` and ``held`` are
    chips (or points) by seat without and with it, null where the hand could not be settled.
    """

    words: str
    why: str | None
    law: str | None
    at: datetime
    held_before: dict[str, int] | None
    held: dict[str, int] | None
    pot_before: int | None
    pot: int | None


class DisputeAnswer(TypedDict):
    """A hand, the record that stands, the others, and each of those compared with it in turn.

    ``names`` are what people at the table call each other, empty for strangers. ``statements`` are
    in order of time. Without ``others`` nobody has entered the hand differently. ``papers`` are the
    seats that sealed another paper than the record says: they are asked which is right, ``second``
    for the sealed one.
    """

    hand: UUID
    number: int
    version: int
    revision: int
    state: str
    reason: str | None
    director_called_at: datetime | None
    seats: list[str]
    names: dict[str, str]
    first: DisputedRecordAnswer
    others: list[DisputedRecordAnswer]
    comparisons: list[RecordComparison]
    statements: list[StatementAnswer]
    papers: list[str]
    decision: DecisionAnswer | None


def dispute_answer(dispute: Dispute, *, in_full: bool) -> DisputeAnswer:
    """Return a dispute as far as the reader may know it."""
    hand, seats = dispute.hand, seats_of(dispute.game)
    names = names_at_table(dispute.game, hand.number) if in_full else {}
    return {
        "hand": hand.pk,
        "number": hand.number,
        "version": hand.current,
        "revision": hand.revision,
        "state": hand.state,
        "reason": reason_of(hand, in_full=in_full),
        "director_called_at": hand.director_called_at,
        "seats": list(seats),
        "names": names,
        "first": _record_answer(dispute, dispute.first),
        "others": [_record_answer(dispute, other) for other in dispute.others],
        "comparisons": list(compare_with_first(dispute, names)),
        "statements": list(_statements(dispute, in_full=in_full)),
        "papers": [seats[seat] for seat in sorted(dispute.paper_seats)],
        "decision": None
        if dispute.decision is None
        else _decision_answer(dispute.decision, seats, in_full=in_full),
    }


def _decision_answer(
    decision: DirectorDecision, seats: Sequence[str], *, in_full: bool
) -> DecisionAnswer:
    ruling = decision.ruling
    if ruling is not None:
        words = translate(ruling.decision().decision.words)
    elif decision.took:
        words = _("the record was corrected")
    else:
        words = _("the record stands")
    held_before, pot_before = settled_holdings(decision.before, seats)
    held, pot = settled_holdings(decision.after, seats)
    return {
        "words": words,
        "why": in_words(decision.why, in_full=in_full),
        "law": in_words("" if ruling is None else ruling.law, in_full=in_full),
        "at": decision.at,
        "held_before": held_before,
        "held": held,
        "pot_before": pot_before,
        "pot": pot,
    }


def compare_with_first(dispute: Dispute, names: Mapping[str, str]) -> Iterator[RecordComparison]:
    """Compare the record that stands with each of the others; none while the hand waits."""
    first, seats = dispute.first.judged, seats_of(dispute.game)
    for other in dispute.others:
        if first is not None and other.judged is not None:
            yield compare_records(first, other.judged, seats=seats, names=names)


def _record_answer(dispute: Dispute, record: DisputedRecord) -> DisputedRecordAnswer:
    seats, version, judged = seats_of(dispute.game), record.version, record.judged
    replayed = None if judged is None or judged.result is None else judged.result.replay
    fits = replayed is not None and replayed.record.seats == seats
    other = None if record is dispute.first else record
    is_open = _is_open(dispute, other) and (other is not None or not dispute.others)
    return {
        "hand": record.hand.pk,
        "version": version.number,
        "form": version.form,
        "seat": None if version.seat is None else seats[version.seat],
        "source": version.source,
        "at": version.at,
        "result": cast(
            "ResultFields", said_result(table_of(dispute.game, dispute.hand.number), replayed)
        )
        if replayed is not None and fits
        else None,
        "supported_by": [seats[seat] for seat in dispute.seats_for(record)],
        "choices": {
            name: [str(choice) for choice in list_choices(dispute, other, seat)] if is_open else []
            for seat, name in enumerate(seats)
        },
        "waits_for": [seats[one] for one in seats_waited_for(dispute, other, len(seats))]
        if is_open
        else [],
    }


def _is_open(dispute: Dispute, other: DisputedRecord | None) -> bool:
    """Whether the table may still say which record is right."""
    is_disputed = dispute.hand.state == State.DISPUTED or other is not None
    return is_disputed and dispute.game.phase not in (Phase.CLOSED, Phase.OFFICIAL)


def _statements(dispute: Dispute, *, in_full: bool) -> Iterator[StatementAnswer]:
    seats = seats_of(dispute.game)
    found: list[StatementAnswer] = [
        {
            "at": version.at,
            "seat": None if version.seat is None else seats[version.seat],
            "source": version.source,
            "hand": version.hand_id,
            "version": version.number,
            "said": "sent",
            "why": in_words(version.why, in_full=in_full),
        }
        for version in dispute.versions
    ]
    found += [
        {
            "at": word.at,
            "seat": None if word.seat is None else seats[word.seat],
            "source": word.source,
            "hand": word.version.hand_id,
            "version": word.version.number,
            "said": "agrees" if word.agrees else "objects",
            "why": in_words(word.why, in_full=in_full),
        }
        for word in dispute.words
    ]
    yield from sorted(found, key=lambda one: one["at"])
