"""Check a text: one call to the engine, and the shape of its answer; share a text by link."""

import secrets
from datetime import date, datetime
from itertools import islice
from typing import Literal, TypedDict, cast

from django.db import transaction

from engine.core.messages import Message
from engine.notation import Mode
from engine.rules.presets import PRESETS, VARIANTS, parse_rules
from engine.verdicts.judge import Judge, Verdict
from engine.verdicts.report import report
from scoring.models import SharedRecord

TEXT_BYTES_MAX = 1024 * 1024
"""The longest text that one request may have; the notation has finer caps (notation.md 3.5)."""
RECORDS_MAX = 2000
"""A text of 1 MiB has room for fewer real records; hostile ones are a few bytes each."""
PUBLIC_ID_BYTES = 18
"""144 bits: nobody finds a link by guessing, and it is 24 letters without padding."""

Severity = Literal["error", "ruling", "warning", "info"]


class TooManyRecordsError(Exception):
    """More records than one answer holds."""


class Finding(TypedDict):
    """One diagnostic; ``play`` is an index in the flat list of plays."""

    rule: str
    name: str | None
    law: str | None
    severity: Severity
    line: int
    col: int
    end_col: int
    record: int | None
    tag: str | None
    message: str
    hint: str | None
    trick: int | None
    seat: str | None
    card: str | None
    legal: str | None
    play: int | None
    established: bool


class Play(TypedDict):
    seat: str
    card: str
    legal: str | None
    fault: bool


class Trick(TypedDict):
    number: int
    leader: str
    plays: list[Play]
    winner: str | None
    pain: int


class Capture(TypedDict):
    cards: str | None
    pain: int
    queen: bool
    tricks: int | None


class ScoreRow(TypedDict):
    seat: str
    values: dict[str, int]


class Pot(TypedDict):
    before: int
    bid: int
    paid: int
    won: int
    after: int


class Following(TypedDict):
    """The state that the next hand of a game finds."""

    dealer: str
    phase: str
    namer: str | None
    passing: str | None
    pot: int
    jackpot: int
    chips: dict[str, int] | None
    totals: dict[str, int] | None
    feet_used: list[str]
    over: str | None
    places: dict[str, int] | None


class Next(Following):
    """The inheritance of the next hand; ``payout`` is in minor units of ``currency``, if named."""

    payout: dict[str, int] | None
    currency: str | None


class RuleSheet(TypedDict):
    title: str
    variant: str
    overrides: dict[str, str]
    digest: str
    sheet: list[list[str]]


class Posting(TypedDict):
    """Chips or points that go from one account to another: a seat, ``pot``, or the house."""

    kind: str
    payer: str
    payee: str
    amount: int


class CentrePaper(TypedDict):
    """A paper of the centre auction: which card is wanted for how much, which one is shown."""

    seat: str
    card: str | None
    bid: int
    shown: str | None
    got: str | None
    pays: int | None


class ClaimRow(TypedDict):
    """The seat that took the rest, after how many tricks."""

    seat: str
    tricks: int


class RulingRow(TypedDict):
    """A row of the ruling table of a record."""

    trick: int | None
    seat: str | None
    code: str | None
    points: int
    text: str | None


class TotalRow(TypedDict):
    """One seat's line of a whole game's result; amounts as written, exact."""

    rank: str
    seat: str
    name: str | None
    total: int | None
    average: str | None
    settlement: str | None
    cash: str | None


class Judged(TypedDict):
    """One record of a text, judged and settled; None is not known or not written."""

    line: int
    title: str
    number: int | None
    date: str | None
    event: str | None
    site: str | None
    table: str | None
    variant: str | None
    rules: RuleSheet | None
    seats: list[str]
    players: dict[str, str]
    dealer: str | None
    detail: str | None
    status: str | None
    provisional: bool
    diagnostics: list[Finding]
    sentence: str
    deal: dict[str, str] | None
    centre: str | None
    papers: dict[str, str] | None
    passing: str | None
    exchange: list[dict[str, str]] | None
    centre_bids: list[CentrePaper] | None
    held: dict[str, str] | None
    auction: list[dict[str, str]] | None
    bidder: str | None
    bid: int | None
    namer: str | None
    pain: str | None
    jackpot: int
    tricks: list[Trick]
    claim: ClaimRow | None
    captures: dict[str, Capture] | None
    columns: list[str]
    scores: list[ScoreRow] | None
    pot: Pot | None
    postings: list[Posting]
    clean: list[str]
    winners: list[str]
    odd: int
    shortfalls: dict[str, int]
    rulings: list[RulingRow]
    next: Next | None
    totals: list[TotalRow] | None


class GameLine(TypedDict):
    records: list[int]
    title: str


class Report(TypedDict):
    """The whole answer, the same for the page, the API and the command line."""

    ok: bool
    diagnostics: list[Finding]
    records: list[Judged]
    games: list[GameLine]


def judge(
    text: str | bytes, *, rules: str = "", mode: str = "", today: date | None = None
) -> Verdict:
    """Judge all records of a text; whatever is wrong with it stands in the verdict.

    ``rules`` as in a Rules tag, or empty: each record's own. Dates after ``today`` are reported.
    Raises RulesError for rules that cannot be and TooManyRecordsError.
    """
    judging = Judge(text, parse_rules(rules), mode=read_mode(mode), today=today)
    records = tuple(islice(judging, RECORDS_MAX + 1))
    if len(records) > RECORDS_MAX:
        raise TooManyRecordsError(
            Message("One answer holds {most} records; this text has more.", most=RECORDS_MAX)
        )
    return Verdict(records, judging.diagnostics)


def report_on(verdict: Verdict) -> Report:
    """The whole answer to a text."""
    return cast("Report", report(verdict))


def check(
    text: str | bytes, *, rules: str = "", mode: str = "", today: date | None = None
) -> Report:
    """Judge a text, as `judge` does, and report."""
    return report_on(judge(text, rules=rules, mode=mode, today=today))


def read_mode(text: str) -> Mode:
    """Return the strictness of the reader; lenient when nothing is said. Raises ValueError."""
    return Mode(text) if text else Mode.LENIENT


PROFILES = {variant: PRESETS[name] for variant, name in VARIANTS.items()}


class CannotShareError(Exception):
    """There is nothing to share, or too much; the text says which."""


@transaction.atomic
def share_record(*, text: bytes, rules: str, mode: str, at: datetime) -> SharedRecord:
    """Keep a text byte for byte, under a name that nobody can guess.

    Raises CannotShareError, RulesError for rules that cannot be and ValueError for the mode.
    """
    if not text.strip():
        raise CannotShareError(Message("There is nothing to share yet."))
    if len(text) > TEXT_BYTES_MAX:
        raise CannotShareError(Message("A shared text may have 1 MiB."))
    parse_rules(rules)
    read_mode(mode)
    public_id = secrets.token_urlsafe(PUBLIC_ID_BYTES)
    return SharedRecord.objects.create(
        public_id=public_id, text=text, rules=rules, mode=mode, created_at=at
    )
