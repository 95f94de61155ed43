"""The values of a hand's secret papers, once all of them are open.

Pure. A paper's value is written as in the moves of a hand: ``3``, ``F`` and ``F3`` for insurance
and foot, ``S3/3/HA`` or ``-/HA`` for the centre auction, a dash for an empty paper.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from engine.core.faults import Code, Fault, Part
from engine.core.messages import Message
from engine.core.seats import Seat
from engine.record.facts import Facts, Status
from engine.record.game_state import GameState
from engine.record.record import CentreBid, HandRecord, Paper
from engine.replay.insurance import callers, effective_paper
from engine.rules.rules import Rules
from engine.rules.switches import Toggle
from scoring.models import PaperKind
from scoring.submissions.writing.fields_from_record import bid_text, paper_text
from scoring.submissions.writing.table import GameContext, SubmittedFields, read_bid, read_paper

_PLAYED = (Status.PLAYED, Status.CLAIMED)


class WrittenPaper(Protocol):
    """A paper of a seat, as it is kept."""

    kind: str
    seat: int
    seal: str
    value: str


@dataclass(frozen=True, slots=True)
class OpenPapers:
    """The open papers of a hand, by seat; None for papers that there are none of.

    ``sealed`` and ``sealed_bids`` are the seats that sealed one: what the table tells counts for
    all others (DEC-17). ``is_complete`` if there is a paper of each seat, also after the director
    waited no longer. ``waiting`` are the seats that sealed one and have not opened it yet.
    """

    papers: tuple[Paper, ...] | None = None
    bids: tuple[CentreBid, ...] | None = None
    sealed: frozenset[int] = frozenset()
    sealed_bids: frozenset[int] = frozenset()
    is_complete: bool = True
    waiting: frozenset[int] = frozenset()

    @property
    def waits(self) -> bool:
        """Whether papers are sealed that nobody can read yet."""
        return bool(self.waiting)


def paper_kinds(rules: Rules) -> tuple[PaperKind, ...]:
    """The papers that each seat writes in secret (D10, D21, D30).

    Where there is insurance, the foot stands on its paper.
    """
    insurance, foot = rules.insurance is Toggle.ON, rules.foot is Toggle.ON
    first = (PaperKind.INSURANCE,) if insurance else (PaperKind.FOOT,) if foot else ()
    centre = (PaperKind.CENTRE,) if rules.centre_auction is Toggle.ON else ()
    return first + centre


def check_value(kind: PaperKind, value: str) -> None:
    """Raises UnclearError for a value that no paper of this kind has."""
    if kind is PaperKind.CENTRE:
        read_bid(Seat(0), value, None, name="value")
    else:
        read_paper(value, name="value")


def read_open_papers(rows: Iterable[WrittenPaper], players: int) -> OpenPapers:
    """Return the texts of the open papers of one hand; an empty one is a paper that is missing."""
    papers = [Paper(None)] * players
    bids: list[CentreBid] = []
    seats: dict[str, set[int]] = {}
    sealed: dict[bool, set[int]] = {True: set(), False: set()}
    for row in sorted(rows, key=lambda row: row.seat):
        seats.setdefault(row.kind, set()).add(row.seat)
        is_bid = row.kind == PaperKind.CENTRE
        if row.seal:
            sealed[is_bid].add(row.seat)
        if not is_bid:
            papers[row.seat] = read_paper(row.value or None)
        elif row.value:
            bids.append(read_bid(Seat(row.seat), row.value, None))
    return OpenPapers(
        papers=tuple(papers) if seats.keys() - {PaperKind.CENTRE} else None,
        bids=tuple(bids) if PaperKind.CENTRE in seats else None,
        sealed=frozenset(sealed[False]),
        sealed_bids=frozenset(sealed[True]),
        is_complete=all(len(seat) == players for seat in seats.values()),
    )


def fill_in_papers(
    fields: Mapping[str, object], opened: OpenPapers | None, table: GameContext
) -> dict[str, Any]:
    """Return what was sent of a hand, filled in with its papers where it does not name them.

    A paper that is sealed and not open yet is left out until it is (DEC-17).
    """
    found: dict[str, Any] = dict(fields)
    if opened is None:
        return found
    slip, seats = SubmittedFields(table, fields), table.seats
    if slip.has("papers"):
        told = {seats[seat]: value for seat, value in slip.by_seat("papers").items()}
        if opened.papers is not None:
            sealed = {seats[seat]: paper_text(opened.papers[seat]) for seat in opened.sealed}
            found["papers"] = sealed | told
    elif opened.papers is not None and opened.is_complete:
        found["papers"] = dict(zip(seats, map(paper_text, opened.papers), strict=True))
    elif len(opened.waiting) == len(seats):
        found["papers"] = dict.fromkeys(seats, "-")
    says_centre = slip.has("bids") or found.get("bought") is not None
    if opened.bids and opened.is_complete and not says_centre:
        found["bids"] = {seats[bid.seat]: bid_text(bid) for bid in opened.bids}
    return found


def take_sealed_paper(
    fields: Mapping[str, object], opened: OpenPapers, table: GameContext, seat: Seat
) -> dict[str, Any]:
    """Return a submitted hand, with the paper of ``seat`` as it was sealed."""
    assert opened.papers is not None, "papers were sealed"
    told = SubmittedFields(table, fields).by_seat("papers")
    papers = {table.seats[one]: value for one, value in told.items()}
    return {**fields, "papers": papers | {table.seats[seat]: paper_text(opened.papers[seat])}}


def contradictions(
    opened: OpenPapers, rules: Rules, before: GameState, record: HandRecord, facts: Facts
) -> Iterator[Fault]:
    """Yield the places where a hand's record contradicts the papers that were opened for it."""
    if opened.papers is not None:
        yield from _paper_contradictions(opened, rules, before, record, facts)
    if opened.bids is not None and facts.status in _PLAYED:
        yield from _bid_contradictions(opened, record, facts)


def _paper_contradictions(
    opened: OpenPapers,
    rules: Rules,
    before: GameState,
    record: HandRecord,
    facts: Facts,
) -> Iterator[Fault]:
    told = record.papers or (Paper(None),) * record.players
    papers = tuple(
        one if seat in opened.sealed else told[seat]
        for seat, one in enumerate(opened.papers or told)
    )
    called = set(callers(rules, papers, before.feet))
    if facts.status in _PLAYED or facts.status is Status.FOOT:
        for seat in sorted(called ^ set(facts.feet)):
            words = Message("the sealed paper calls no foot")
            if seat in called:
                words = Message("the sealed paper calls a foot")
            yield _fault(Code.BAD_FOOT, "D30", record, seat, words)
    if facts.status not in _PLAYED or rules.insurance is Toggle.OFF or called:
        return
    written = facts.papers or (0,) * len(papers)
    for place, paper in enumerate(papers):
        due = effective_paper(paper)
        if place in opened.sealed and written[place] != due:
            words = Message(
                "the sealed paper counts as {due}, the record says {written}",
                due=due,
                written=written[place],
            )
            yield _fault(Code.BAD_PAPER, "D10", record, Seat(place), words)


def _bid_contradictions(opened: OpenPapers, record: HandRecord, facts: Facts) -> Iterator[Fault]:
    sealed = {bid.seat: bid for bid in opened.bids or ()}
    written = {bid.seat: bid for bid in record.bids or ()}
    for place in sorted(opened.sealed_bids):
        seat = Seat(place)
        mine, said = sealed.get(seat), written.get(seat)
        if record.bids is None:
            pays = facts.centre[seat] if facts.centre else 0
            fits = pays in (0, mine.bid if mine is not None else 0)
        else:
            fits = _terms(mine) == _terms(said)
        if not fits:
            says = bid_text(mine) if mine is not None else Message("nothing")
            words = Message("the sealed paper says {says}", says=says)
            yield _fault(Code.BAD_BID, "D21", record, seat, words)


def _terms(bid: CentreBid | None) -> tuple[Any, ...] | None:
    return None if bid is None else (bid.card, bid.bid, bid.shown)


def _fault(code: Code, rule: str, record: HandRecord, seat: Seat, words: Message) -> Fault:
    part = Part.BIDS if code is Code.BAD_BID else Part.PAPERS
    message = Message("{seat}: {message}", seat=record.seats[seat], message=words)
    hint = Message("Whose paper it is says which is right; then the director decides.")
    return Fault(code=code, rule=rule, message=message, part=part, seat=seat, hint=hint)
