"""Games, hands and rulings as plain data, the same for the API and for pages.

``in_full``: for those who may know names. Everybody else gets seats and numbers, and None in
place of whatever somebody wrote in words of their own.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, NotRequired, TypedDict, cast
from uuid import UUID

from engine.core.seats import DEFAULT_SEATS
from engine.notation.diagnostics import RULES, NotationRule
from engine.record.rulings import Ruling
from engine.verdicts.report import report_record, report_settlement
from engine.verdicts.settlement_json import next_hand
from scoring.hands.recording import SAID_THE_SAME
from scoring.models import Decided, Game, Hand, HandVersion, Sitting, State
from scoring.models.states import read_state, ruling_data
from scoring.models.transfer import LedgerAccount, Transfer
from scoring.presentation import checks
from scoring.selectors import queries
from scoring.settlement.consequences import Consequence
from scoring.settlement.plan import board_due, rules_of
from scoring.settlement.replay import JudgedHand


class SeatNow(TypedDict):
    """The sitter of a seat; ``first`` is the hand from which they sit there."""

    seat: str
    player: UUID
    first: int
    is_entrant: bool


class Sat(TypedDict):
    """A former sitter, from one hand to another; ``last`` None: they still sit there."""

    seat: str
    player: UUID
    first: int
    last: int | None
    is_entrant: bool


class NextHand(checks.Following):
    """The inheritance of the next hand of a game, its number, and its prepared board if any."""

    number: int
    board: int | None


class GameAnswer(TypedDict):
    """A game; ``booked`` hands stand in the books, the rest waits for a decision.

    ``counted`` are the hands of the round: not those that were misdealt, void, ended by a foot or
    not played, which are on record among ``hands``.
    """

    id: UUID
    club: UUID
    name: str
    phase: str
    version: int
    rule_set: UUID | None
    rules: dict[str, str]
    digest: str
    keeps_jackpot: bool
    confirming: str
    seats: list[str]
    players: list[SeatNow]
    sittings: list[Sat]
    hands: int
    booked: int
    counted: int
    next: NextHand
    opened_at: datetime
    closed_at: datetime | None


class Settled(TypedDict):
    """The judgement of a hand: what is wrong with it, and what came of it."""

    status: str | None
    diagnostics: list[checks.Finding]
    sentence: str
    columns: list[str]
    scores: list[checks.ScoreRow] | None
    pot: checks.Pot | None
    postings: list[checks.Posting]
    clean: list[str]
    winners: list[str]
    odd: int
    shortfalls: dict[str, int]
    next: checks.Next | None


class HandAnswer(TypedDict):
    """A hand; ``settlement`` is None while it waits for an earlier one, and for a rival.

    ``agrees``: this second record of a hand says the same as the first and comes from another seat
    or from the desk. Only then may anybody read that somebody said the same.
    ``director_called_at``: the table did not agree, and nothing was decided since.
    """

    id: UUID
    game: UUID
    number: int
    version: int
    revision: int
    state: str
    certainty: str
    reason: str | None
    is_objection: bool
    in_books: bool
    rival_of: UUID | None
    agrees: bool
    entered_at: datetime
    director_called_at: datetime | None
    settlement: Settled | None


class VersionAnswer(TypedDict):
    """One version of a hand's record, as it came."""

    number: int
    form: str
    text: str | None
    sent: str | None
    by: str
    source: str
    seat: str | None
    why: str | None
    at: datetime


class InheritedByRuling(TypedDict, total=False):
    """The inheritance of the next hand by a ruling, where it is not what follows."""

    dealer: str
    jackpot: int
    namer: str
    pain: str
    deals: int
    feet: list[str]
    play_on: bool


class RulingData(TypedDict):
    """A decision, without what is as usual; by seat are captures, points and chips."""

    decision: str
    code: NotRequired[str]
    offenders: NotRequired[list[str]]
    taken: NotRequired[dict[str, int]]
    queen: NotRequired[str]
    score: NotRequired[dict[str, int]]
    chips: NotRequired[dict[str, int]]
    pot: NotRequired[int]
    then: NotRequired[InheritedByRuling]
    text: NotRequired[str]


class RulingAnswer(TypedDict):
    """A ruling with everything that was written down beside it.

    ``restores`` is the number of the ruling that holds again in it.
    """

    id: UUID
    number: int
    ruling: RulingData | None
    facts: str | None
    law: str | None
    trick: int | None
    card: str
    called_by: str | None
    found: str
    told_to: list[str] | None
    supersedes: UUID | None
    superseded_by: UUID | None
    restores: int | None
    lets_stand: bool
    before: str
    after: str
    by: str
    at: datetime
    appeal: str | None
    appeal_until: datetime | None


class ConsequenceAnswer(TypedDict):
    """The effect of a change on one hand, and each seat's gain by it in that hand alone."""

    number: int
    verdict: str
    was: str
    state: str
    chips: dict[str, int]
    points: dict[str, int]
    pot: int
    premises: list[str]
    questions: list[str]


class TransferAnswer(TypedDict):
    """One row of the books: a positive amount from one account to another."""

    id: int
    hand: int | None
    kind: str
    payer: str
    payee: str
    amount: int
    unit: str
    reverses: int | None
    note: str | None
    by: str
    at: datetime


class Proposal(TypedDict):
    """A proposal of the engine to the director, and its effects."""

    ruling: RulingData
    state: str
    settlement: Settled


def in_words(text: str, *, in_full: bool) -> str | None:
    """Return somebody's words, for those who may read them."""
    return text if in_full else None


def reason_of(hand: Hand, *, in_full: bool) -> str | None:
    """Why a hand is not simply accepted; of a dispute, the words may be those of a seat."""
    return in_words(hand.reason, in_full=in_full or hand.state != State.DISPUTED)


def is_objection(hand: Hand) -> bool:
    """Whether the reason of a hand is in the words of a seat. One query for a disputed hand."""
    if hand.state != State.DISPUTED:
        return False
    return (hand.pk, hand.reason) in queries.objected_reasons(queries.objections([hand.pk]))


def transfer_answer(row: Transfer, seats: Sequence[str], *, in_full: bool) -> TransferAnswer:
    """One row of the books."""
    return {
        "id": row.pk,
        "hand": None if row.hand is None else row.hand.number,
        "kind": row.kind,
        "payer": account_name(row.payer, seats),
        "payee": account_name(row.payee, seats),
        "amount": row.amount,
        "unit": row.payer.unit,
        "reverses": row.reverses_id,
        "note": in_words(row.note, in_full=in_full),
        "by": row.by,
        "at": row.at,
    }


def account_name(account: LedgerAccount, seats: Sequence[str]) -> str:
    """A seat's name, or whose the account is: ``pot``, ``player:...``, ``club fund``."""
    if account.seat is not None:
        return seats[account.seat]
    if account.player_id is not None:
        return f"player:{account.player_id}"
    return account.holder if account.game_id is not None else f"club {account.holder}"


def seats_of(game: Game) -> tuple[str, ...]:
    """The names of a game's seats, clockwise."""
    return DEFAULT_SEATS[game.players]


def game_answer(game: Game, sittings: Iterable[Sitting]) -> GameAnswer:
    """A game as it stands."""
    rules, seats = rules_of(game), seats_of(game)
    following = next_hand(rules, read_state(game.state), seats)
    following |= {"number": game.hands + 1, "board": board_due(game)}
    sat = sorted(sittings, key=lambda one: (one.seat, one.first))
    return {
        "id": game.pk,
        "club": game.club_id,
        "name": game.name,
        "phase": game.phase,
        "version": game.version,
        "rule_set": game.rule_set_id,
        "rules": dict(rules.texts),
        "digest": game.digest,
        "keeps_jackpot": game.keeps_jackpot,
        "confirming": game.confirming,
        "seats": list(seats),
        "players": [
            {
                "seat": seats[sitting.seat],
                "player": sitting.player_id,
                "first": sitting.first,
                "is_entrant": sitting.is_entrant,
            }
            for sitting in sat
            if sitting.last is None
        ],
        "sittings": [
            {
                "seat": seats[sitting.seat],
                "player": sitting.player_id,
                "first": sitting.first,
                "last": sitting.last,
                "is_entrant": sitting.is_entrant,
            }
            for sitting in sat
        ],
        "hands": game.hands,
        "booked": game.booked,
        "counted": game.counted,
        "next": cast("NextHand", following),
        "opened_at": game.opened_at,
        "closed_at": game.closed_at,
    }


def _by_seat(seats: Sequence[str], values: Sequence[int]) -> dict[str, int]:
    return dict(zip(seats, values, strict=True))


def hand_answer(hand: Hand, game: Game, played: JudgedHand | None, *, in_full: bool) -> HandAnswer:
    """A hand as it stands, and how it was judged."""
    return {
        "id": hand.pk,
        "game": game.pk,
        "number": hand.number,
        "version": hand.current,
        "revision": hand.revision,
        "state": hand.state,
        "certainty": hand.certainty,
        "reason": reason_of(hand, in_full=in_full),
        "is_objection": is_objection(hand),
        "in_books": hand.rival_id is None and hand.number <= game.booked,
        "rival_of": hand.rival_id,
        "agrees": hand.rival_id is not None and hand.reason == SAID_THE_SAME,
        "entered_at": hand.entered_at,
        "director_called_at": hand.director_called_at,
        "settlement": None if played is None else settlement_answer(played, in_full=in_full),
    }


def without_cards(answer: HandAnswer) -> HandAnswer:
    """A hand as it stands, without what the engine says of single cards."""
    reason = None if answer["state"] == State.DISPUTED else answer["reason"]
    settlement = answer["settlement"]
    if settlement is not None:
        settlement = {**settlement, "diagnostics": []}
    return {**answer, "reason": reason, "is_objection": False, "settlement": settlement}


def settlement_answer(played: JudgedHand, *, in_full: bool) -> Settled:
    """Return the findings about a hand, and its settlement."""
    found = cast("Settled", report_settlement(played.judged))
    if not in_full:
        found["diagnostics"] = [
            _without_quotation(diagnostic) for diagnostic in found["diagnostics"]
        ]
    return found


def whole_record(played: JudgedHand, *, in_full: bool) -> checks.Judged:
    """A hand with all its cards, as the check of a record gives it."""
    found = cast("checks.Judged", report_record(played.judged))
    return found if in_full else _without_names(found)


def _without_names(found: checks.Judged) -> checks.Judged:
    """A record without anything that is written in it as free text."""
    rules, rows, totals = found["rules"], found["rulings"], found["totals"]
    return {
        **found,
        "title": "",
        "date": None,
        "event": None,
        "site": None,
        "table": None,
        "variant": None if rules is None else rules["variant"],
        "players": {},
        "diagnostics": [_without_quotation(diagnostic) for diagnostic in found["diagnostics"]],
        "rulings": [{**row, "code": None, "text": None} for row in rows],
        "totals": None if totals is None else [{**row, "name": None} for row in totals],
    }


def _without_quotation(one: checks.Finding) -> checks.Finding:
    """A diagnostic in words of our own: the reader's quote what is written."""
    if one["law"] is not None:
        return one
    return {**one, "message": RULES[NotationRule(one["rule"])].title, "hint": None, "tag": None}


def version_answer(version: HandVersion, seats: Sequence[str], *, in_full: bool) -> VersionAnswer:
    """One version of a record."""
    sent = None if version.sent is None else bytes(version.sent).decode("utf-8", "replace")
    return {
        "number": version.number,
        "form": version.form,
        "text": in_words(bytes(version.text).decode("utf-8", "replace"), in_full=in_full),
        "sent": sent if in_full else None,
        "by": version.by,
        "source": version.source,
        "seat": None if version.seat is None else seats[version.seat],
        "why": in_words(version.why, in_full=in_full),
        "at": version.at,
    }


def ruling_answer(row: Decided, seats: Sequence[str], *, in_full: bool) -> RulingAnswer:
    """One ruling; its appeals are read with it."""
    ruling = row.decision()
    ruling = ruling if in_full else replace(ruling, text="")
    appeals = sorted(row.appeals.all(), key=lambda appeal: appeal.pk)
    follower = getattr(row, "superseded_by", None)
    return {
        "id": row.pk,
        "number": row.number,
        "ruling": None if row.withdrawn else ruling_with_seat_names(ruling, seats),
        "facts": in_words(row.facts, in_full=in_full),
        "law": in_words(row.law, in_full=in_full),
        "trick": row.trick,
        "card": row.card,
        "called_by": None if row.called_by is None else seats[row.called_by],
        "found": row.found,
        "told_to": list(row.told_to) if in_full else None,
        "supersedes": row.supersedes_id,
        "superseded_by": None if follower is None else follower.pk,
        "restores": row.restores,
        "lets_stand": row.lets_stand_id is not None,
        "before": row.before,
        "after": row.after,
        "by": row.by,
        "at": row.at,
        "appeal": appeals[-1].step if appeals else None,
        "appeal_until": row.appeal_until,
    }


def ruling_with_seat_names(ruling: Ruling, seats: Sequence[str]) -> RulingData:
    """A ruling with the names of the seats in place of their numbers."""
    found: dict[str, Any] = ruling_data(ruling)
    if "offenders" in found:
        found["offenders"] = [seats[seat] for seat in found["offenders"]]
    for name in ("taken", "score", "chips"):
        if name in found:
            found[name] = _by_seat(seats, found[name])
    if "queen" in found:
        found["queen"] = seats[found["queen"]]
    then = dict(found.get("then", {}))
    for name in ("dealer", "namer"):
        if then.get(name) is not None:
            then[name] = seats[then[name]]
    if "feet" in then:
        then["feet"] = [seats[seat] for seat in then["feet"]]
    return cast("RulingData", found | ({"then": then} if then else {}))


def consequence_answer(consequence: Consequence, seats: Sequence[str]) -> ConsequenceAnswer:
    """Return the effect of a change on one hand."""
    return {
        "number": consequence.number,
        "verdict": str(consequence.verdict),
        "was": consequence.was,
        "state": consequence.state,
        "chips": _by_seat(seats, consequence.chips),
        "points": _by_seat(seats, consequence.points),
        "pot": consequence.pot,
        "premises": list(consequence.premises),
        "questions": list(consequence.questions),
    }


def proposal_answer(
    ruling: Ruling, played: JudgedHand, seats: Sequence[str], *, in_full: bool
) -> Proposal:
    """Return a proposal of the engine, with its effects."""
    return {
        "ruling": ruling_with_seat_names(ruling, seats),
        "state": str(played.state),
        "settlement": settlement_answer(played, in_full=in_full),
    }
