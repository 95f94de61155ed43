"""Secret papers: sealed first, opened later, shown to nobody before all are open (rules.md D10).

A seal is the SHA-256 of ``salt:value`` (UTF-8), as 64 hexadecimal digits. The seat makes it; here
nobody knows the value before it is opened, and nobody can change it after it was sealed. The salt
is at least `SALT_LEAST` characters made at random: without it, seven numbers are soon tried.
"""

import hashlib
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, TypedDict
from uuid import UUID

from django.db import transaction

from engine.core.messages import Message
from engine.core.seats import DEFAULT_SEATS
from scoring.games.opening import check_open
from scoring.hands.corrections import Correction, draft_for_author, write_correction
from scoring.hands.submission import HandSubmission, complete_submission
from scoring.ledger.transfers import Stamp
from scoring.models import Form, Game, Hand, HandVersion, PaperKind, SealedPaper, State
from scoring.settlement.plan import (
    GameOverError,
    carry_out,
    lock,
    plan,
    rules_of,
    state_before,
)
from scoring.settlement.sealed_papers import check_value, paper_kinds
from tournaments import audit
from tournaments.audit import AuditRecord
from tournaments.core.actors import Actor
from tournaments.core.errors import ConflictError, RefusedError
from tournaments.models.limits import max_length

SALT_LEAST: Final = 16
SALT_MAX: Final = max_length(SealedPaper, "salt")
VALUE_MAX: Final = max_length(SealedPaper, "value")
_DIGITS: Final = frozenset("0123456789abcdef")


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperId:
    """One paper: of which hand, which seat, which kind."""

    hand: int
    seat: int
    kind: PaperKind


class PaperOut(TypedDict):
    """A paper as everybody may see it; ``value`` and ``salt`` are null until all are open."""

    seat: str
    kind: str
    seal: str
    sealed_at: datetime
    is_open: bool
    # Null of an open paper: it is missing, since it was never sealed, or never opened.
    value: str | None
    salt: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenedPaper:
    """The outcome of opening a paper: whether it fits its seal, and what is public now."""

    fits: bool
    shown: list[PaperOut]


def seal_of(value: str, salt: str) -> str:
    """The seal of a value.

    >>> seal_of("F3", "c2b7e14a9d0f4c68")[:16]
    'f1b4d49f742b61db'
    """
    return hashlib.sha256(f"{salt}:{value}".encode("utf-8", "replace")).hexdigest()


@transaction.atomic
def seal_paper(
    *, game_id: UUID, paper: PaperId, seal: str, by: Actor, at: datetime
) -> list[PaperOut]:
    """Keep the seal of a seat's paper for the next hand; the same again changes nothing.

    Raises ConflictError for another seal, RefusedError for papers that these rules do not know,
    for another seat's, for another hand's, and for what is no seal.
    """
    game = lock(game_id)
    check_open(game)
    _check(game, paper, by)
    if len(seal) != 64 or not _DIGITS.issuperset(seal):
        raise RefusedError(Message("A seal is a SHA-256 digest: 64 digits 0-9 and a-f."), "seal")
    papers = _papers(game, paper)
    mine = next((row for row in papers if row.seat == paper.seat), None)
    if mine is not None and mine.seal != seal:
        raise ConflictError(
            Message("This paper is sealed already; a seal cannot be replaced."), "seal"
        )
    if mine is not None:
        return papers_of(game, paper.hand)
    _check_due(game, paper)
    if any(row.opened_at is not None for row in papers):
        words = Message("Papers of this hand are open already; tell yours with the result.")
        raise RefusedError(words, "hand")
    if any(row.seal == seal for row in papers):
        raise RefusedError(Message("This is the seal of another seat."), "seal")
    SealedPaper.objects.create(
        game=game,
        hand=paper.hand,
        seat=paper.seat,
        kind=paper.kind,
        seal=seal,
        sealed_at=at,
        sealed_by=by.label,
    )
    _note(game, paper, Message("paper sealed"), Stamp(by, at), seal=seal)
    return papers_of(game, paper.hand)


@transaction.atomic
def open_paper(
    *, game_id: UUID, paper: PaperId, written: tuple[str, str], by: Actor, at: datetime
) -> OpenedPaper:
    """Open a seat's paper: ``written`` are its value and its salt; the last one shows them all.

    Once the hand is told, those that were sealed are opened, whoever sealed none (DEC-17).

    What does not fit the seal is noted in the trail, which is why it is told and not raised.
    Raises ConflictError for a paper that was opened before as something else, RefusedError for
    one that was never sealed, that cannot be read, or that is opened while another seat can
    still choose what to write.
    """
    game = lock(game_id)
    check_open(game)
    _check(game, paper, by)
    value, salt = written
    _check_written(paper, value, salt)
    papers = _papers(game, paper)
    mine = next((row for row in papers if row.seat == paper.seat), None)
    if mine is None or not mine.seal:
        raise RefusedError(Message("This seat has sealed no such paper."), "seat")
    if paper.hand > game.hands:
        _check_all_sealed(game, papers)
    if not secrets.compare_digest(seal_of(value, salt), mine.seal):
        _note(game, paper, Message("paper does not fit its seal"), Stamp(by, at))
        return OpenedPaper(fits=False, shown=papers_of(game, paper.hand))
    if mine.opened_at is not None:
        if not mine.value:
            raise ConflictError(Message("It is too late: this paper counts as missing."), "value")
        return OpenedPaper(fits=True, shown=papers_of(game, paper.hand))
    mine.value, mine.salt, mine.opened_at = value, salt, at
    mine.save(update_fields=["value", "salt", "opened_at"])
    _note(game, paper, Message("paper opened"), Stamp(by, at))
    if all(row.opened_at is not None for row in papers):
        _reveal_papers(game, paper, papers, Stamp(by, at))
    return OpenedPaper(fits=True, shown=papers_of(game, paper.hand))


@transaction.atomic
def reveal_papers(
    *, game_id: UUID, paper: PaperId, why: str, by: Actor, at: datetime
) -> list[PaperOut]:
    """The director waits no longer: papers that are not open yet count as missing, for good.

    All of a kind, whosever seat is named. Raises RefusedError where nobody has sealed anything,
    and without a reason.
    """
    if not why.strip():
        raise RefusedError(Message("Say why nobody is waited for any longer."), "why")
    game = lock(game_id)
    check_open(game)
    papers = _papers(game, paper)
    if not papers:
        raise RefusedError(Message("Nobody has sealed such a paper for this hand."), "hand")
    closed = [row for row in papers if row.opened_at is None]
    SealedPaper.objects.filter(pk__in=[row.pk for row in closed]).update(opened_at=at)
    sealed = {row.seat for row in papers}
    never = [seat for seat in range(game.players) if seat not in sealed]
    SealedPaper.objects.bulk_create(
        SealedPaper(
            game=game,
            hand=paper.hand,
            seat=seat,
            kind=paper.kind,
            seal="",
            sealed_at=at,
            sealed_by=by.label,
            opened_at=at,
        )
        for seat in never
    )
    if closed or never:
        _reveal_papers(game, paper, _papers(game, paper), Stamp(by, at), why)
    return papers_of(game, paper.hand)


def papers_of(game: Game, hand: int) -> list[PaperOut]:
    """The papers of a hand as everybody may see them. One query."""
    rows = list(SealedPaper.objects.filter(game=game, hand=hand).order_by("kind", "seat"))
    closed = {row.kind for row in rows if row.opened_at is None}
    return [
        {
            "seat": DEFAULT_SEATS[game.players][row.seat],
            "kind": row.kind,
            "seal": row.seal,
            "sealed_at": row.sealed_at,
            "is_open": row.opened_at is not None,
            "value": (row.value or None) if row.kind not in closed else None,
            "salt": (row.salt or None) if row.kind not in closed else None,
        }
        for row in rows
    ]


def _papers(game: Game, paper: PaperId) -> list[SealedPaper]:
    papers = SealedPaper.objects.filter(game=game, hand=paper.hand, kind=paper.kind)
    return list(papers.order_by("seat"))


def _check(game: Game, paper: PaperId, by: Actor) -> None:
    """Refuse a paper that the rules do not know, or that belongs to another seat."""
    kinds = paper_kinds(rules_of(game))
    if paper.kind not in kinds:
        names = " and ".join(map(str, kinds)) or "none"
        raise RefusedError(
            Message("The secret papers under these rules: {names}.", names=names), "kind"
        )
    if not 0 <= paper.seat < game.players:
        raise RefusedError(
            Message("There is no seat {seat} at this table.", seat=paper.seat + 1), "seat"
        )
    if by.seat is not None and by.seat != paper.seat:
        raise RefusedError(Message("A paper is sealed and opened by its own seat."), "seat")


def _check_due(game: Game, paper: PaperId) -> None:
    """Refuse a paper unless its hand is the next one and not yet on record."""
    if paper.hand != game.hands + 1:
        words = Message(
            "Papers are sealed for the next hand of this game, number {number}.",
            number=game.hands + 1,
        )
        raise RefusedError(words, "hand")
    over = state_before(game, paper.hand).over
    if over is not None:
        raise GameOverError(
            Message("This game ended with hand {number} ({over}).", number=game.hands, over=over)
        )


def _check_written(paper: PaperId, value: str, salt: str) -> None:
    plain = salt.isascii() and salt.isprintable()
    if not (plain and SALT_LEAST <= len(salt) <= SALT_MAX):
        words = Message(
            "A salt has {least} to {most} plain characters, made at random.",
            least=SALT_LEAST,
            most=SALT_MAX,
        )
        raise RefusedError(words, "salt")
    if not value or len(value) > VALUE_MAX:
        raise RefusedError(
            Message("A paper says something, in {most} characters.", most=VALUE_MAX), "value"
        )
    check_value(paper.kind, value)


def _check_all_sealed(game: Game, papers: Sequence[SealedPaper]) -> None:
    missing = sorted(set(range(game.players)) - {row.seat for row in papers})
    if missing:
        seats = " and ".join(DEFAULT_SEATS[game.players][seat] for seat in missing)
        words = Message(
            "Not all have sealed theirs: seat {seats}. Opened now, it could be seen before.",
            seats=seats,
        )
        raise RefusedError(words, "hand")


def _reveal_papers(
    game: Game, paper: PaperId, papers: Sequence[SealedPaper], stamp: Stamp, why: str = ""
) -> None:
    """Note the revealed values in the audit trail; judge a recorded hand again with them."""
    details = {
        "hand": paper.hand,
        "kind": str(paper.kind),
        "values": {row.seat: row.value or None for row in papers},
    }
    action = AuditRecord(Message("papers revealed"), why, details)
    audit.note(action, chain=game.pk, club=game.club_id, by=stamp.by, at=stamp.at)
    if paper.hand <= game.hands:
        _judge_again(game, paper.hand, stamp)


def _judge_again(game: Game, number: int, stamp: Stamp) -> None:
    """Judge a hand that was told before its papers were open.

    Papers that the table left out, since they were sealed, come into the record as a new version.
    """
    on_record = Hand.objects.exclude(state=State.TAKEN_BACK)
    hand = on_record.get(game=game, number=number, rival=None)
    hand.game = game
    version = HandVersion.objects.get(hand=hand, number=hand.current)
    if version.form != Form.RECORD:
        sent = HandSubmission(
            id=hand.pk, number=number, form=Form(version.form), sent=bytes(version.sent or b"")
        )
        filled = complete_submission(game, sent)
        if filled.text != bytes(version.text):
            words = Message("The sealed papers were opened.")
            correction = Correction(
                why=words, text=filled.text, form=sent.form, sent=sent.sent, record=filled.record
            )
            draft = draft_for_author(hand, correction, version, stamp)
            write_correction(game, hand, correction, draft, stamp)
            return
    carry_out(plan(game, number), stamp=stamp)


def _note(game: Game, paper: PaperId, what: Message, stamp: Stamp, **more: Any) -> None:
    """Write an audit entry about a paper, without its content."""
    details = {"hand": paper.hand, "seat": paper.seat, "kind": str(paper.kind), **more}
    action = AuditRecord(what, details=details)
    audit.note(action, chain=game.pk, club=game.club_id, by=stamp.by, at=stamp.at)
