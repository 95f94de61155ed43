"""Check a text: one call to the engine, and the shape of its answer."""

from datetime import date, datetime, timedelta, timezone
from itertools import islice
from typing import Any, Literal, TypedDict, cast

from engine.judge import Judge, Verdict
from engine.notation import Mode
from engine.presets import PRESETS, VARIANTS, preset, rules_of_variant
from engine.report import report
from engine.rules import Rules, RulesError

TEXT_BYTES_MAX = 1024 * 1024
"""The longest text that a door takes; the notation's own caps are finer (notation.md 3.5)."""
RULES_CHARACTERS_MAX = 4096
RECORDS_MAX = 2000
"""A text of 1 MiB has room for fewer real records; hostile ones are a few bytes each."""

Severity = Literal["error", "ruling", "warning", "info"]


_HEAD = 1024
_TEXT_CONTROLS = frozenset(b"\t\n\r\v\f")
_BINARY = (b"\x89PNG", b"PK\x03\x04", b"%PDF-")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
NOT_TEXT = "This is not a text record."


def is_not_text(text: str | bytes) -> bool:
    r"""Whether a file of another kind was given: a picture, an archive, a document.

    >>> is_not_text(b"PK\x03\x04"), is_not_text("% PHN 1.0"), is_not_text("x".encode("utf-16"))
    (True, False, False)
    """
    head = text[:_HEAD].encode("utf-8", "replace") if isinstance(text, str) else text[:_HEAD]
    if head.startswith(_BINARY):
        return True
    if head.startswith(_UTF_16):
        return False
    controls = sum(byte < 0x20 and byte not in _TEXT_CONTROLS for byte in head)
    return controls * 10 > len(head)


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
    """What the next hand of a game finds."""

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
    """What the next hand inherits; ``payout`` is in minor units of the ``currency``, if named."""

    payout: dict[str, int] | None
    currency: str | None


class RuleSheet(TypedDict):
    title: str
    variant: str
    overrides: dict[str, str]
    digest: str
    sheet: list[list[str]]


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
    centre_bids: list[dict[str, Any]] | None
    held: dict[str, str] | None
    auction: list[dict[str, str]] | None
    bidder: str | None
    bid: int | None
    namer: str | None
    pain: str | None
    jackpot: int
    tricks: list[Trick]
    claim: dict[str, Any] | None
    captures: dict[str, Capture] | None
    columns: list[str]
    scores: list[ScoreRow] | None
    pot: Pot | None
    postings: list[dict[str, Any]]
    clean: list[str]
    winners: list[str]
    odd: int
    shortfalls: dict[str, int]
    rulings: list[dict[str, Any]]
    next: Next | None
    totals: list[dict[str, Any]] | None


class GameLine(TypedDict):
    records: list[int]
    title: str


class Report(TypedDict):
    """The whole answer, the same for the page, the API and the command line."""

    ok: bool
    diagnostics: list[Finding]
    records: list[Judged]
    games: list[GameLine]


def check(
    text: str | bytes, *, rules: str = "", mode: str = "", today: date | None = None
) -> Report:
    """Judge a text and report; whatever is wrong with it stands in the report.

    ``rules`` as in a Rules tag, or empty: each record's own. Dates after ``today`` are reported.
    Raises RulesError for rules that cannot be and TooManyRecordsError.
    """
    judging = Judge(text, read_rules(rules), mode=read_mode(mode), today=today)
    records = tuple(islice(judging, RECORDS_MAX + 1))
    if len(records) > RECORDS_MAX:
        raise TooManyRecordsError(f"One answer holds {RECORDS_MAX} records; this text has more.")
    return cast("Report", report(Verdict(records, judging.diagnostics)))


def latest_date(now: datetime) -> date:
    """The date where it is latest on earth: no hand anywhere has been played after it.

    >>> from datetime import UTC
    >>> latest_date(datetime(2025, 12, 31, 11, 30, tzinfo=UTC))
    datetime.date(2026, 1, 1)
    """
    return now.astimezone(_LATEST).date()


_LATEST = timezone(timedelta(hours=14))


def read_mode(text: str) -> Mode:
    """How strict the reader is; lenient when nothing is said. Raises ValueError."""
    return Mode(text) if text else Mode.LENIENT


def read_rules(text: str) -> Rules | None:
    """The rules of ``auction-bicycle/1;min-bid=2``; None for nothing. Raises RulesError.

    >>> read_rules("auction-bicycle/1;min-bid=2").min_bid
    2
    >>> read_rules(" ") is None
    True
    """
    if not text.strip():
        return None
    if len(text) > RULES_CHARACTERS_MAX:
        raise RulesError("rules", f"no rule set needs more than {RULES_CHARACTERS_MAX} characters")
    profile, *pairs = text.split(";")
    name, slash, major = profile.strip().partition("/")
    if slash and major != "1":
        raise RulesError(name, f"version {major!r} is not known here; version 1 is")
    overrides = dict(_override(pair) for pair in pairs if pair.strip())
    if name not in VARIANTS:
        preset(name)  # explains which names there are
        name = next(v for v, key in VARIANTS.items() if key == name.replace("-", "_"))
    return rules_of_variant(name, overrides)


def _override(pair: str) -> tuple[str, str]:
    switch, equals, value = pair.partition("=")
    if not equals:
        raise RulesError(pair.strip(), "write switch=value")
    return switch.strip(), value.strip()


PROFILES = {variant: PRESETS[name] for variant, name in VARIANTS.items()}
