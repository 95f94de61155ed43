"""Captures from the play, a capture table or a score table (rules.md K6, 11.2)."""

from dataclasses import replace
from typing import Final

from ..core.cards import EMPTY, QUEEN_SET, SUIT_CARDS, CardSet, show
from ..core.faults import Code, Part, Severity
from ..core.messages import Message
from ..core.seats import Seat
from ..core.values import maker
from ..record.facts import Facts, Status
from ..rules.rules import QUEEN_POINTS
from ..rules.switches import OFF, ON, Moon, SettledBy
from ..settlement.scoring import moon_shooter, score
from .findings import Findings

_facts: Final = maker(Facts)
_CHOICE: Final = Moon.SHOOTER_CHOICE


def facts_without_captures(findings: Findings, status: Status) -> Facts:
    """Return the known facts of a hand without its captures."""
    pain, contract = findings.pain, findings.contract
    return Facts(
        status=status,
        whole=0 if pain is None else (SUIT_CARDS[pain] & findings.stock.pack).bit_count(),
        bidder=contract.bidder,
        bid=contract.bid,
        pain=pain,
        namer=findings.namer,
        papers=findings.papers,
        centre=findings.centre,
        feet=findings.feet,
        adjust=findings.adjust,
        chips=findings.chips,
        rebuys=findings.record.rebuys,
    )


def of_play(findings: Findings, status: Status) -> Facts:
    """Facts of a hand of which the play is written."""
    pain, taken, contract = findings.pain, findings.taken, findings.contract
    assert pain is not None
    assert taken is not None
    suit = SUIT_CARDS[pain] & findings.stock.pack
    counts, queen = _count(findings, suit, taken)
    facts = _facts(
        status=status,
        taken=counts,
        whole=suit.bit_count(),
        bidder=contract.bidder,
        bid=contract.bid,
        pain=pain,
        namer=findings.namer,
        queen=queen,
        tricks=_trick_counts(findings),
        papers=findings.papers,
        centre=findings.centre,
        feet=findings.feet,
        adjust=findings.adjust,
        chips=findings.chips,
        rebuys=findings.record.rebuys,
    )
    return facts if findings.rules.moon is not _CHOICE else _with_choice(findings, facts)


def _trick_counts(findings: Findings) -> tuple[int, ...]:
    course, claim = findings.course, findings.record.claim
    if course is None:
        return ()
    counts = course.won
    if claim is not None:
        counts[claim.seat] += max(findings.rules.tricks(findings.players) - len(course.winners), 0)
    return tuple(counts)


def _count(
    findings: Findings, pain: int, taken: list[CardSet]
) -> tuple[tuple[int, ...], Seat | None]:
    """The pain cards by seat, and who took the queen; every one must have been taken (11.2)."""
    counts, whole = tuple([(cards & pain).bit_count() for cards in taken]), pain.bit_count()
    if sum(counts) != whole and not findings.is_blocked:
        missing = CardSet(pain & ~sum(taken))
        words = Message(
            "{count} of {whole} pain cards are accounted for", count=sum(counts), whole=whole
        )
        if missing:
            words = Message(
                "{count} of {whole} pain cards are accounted for; {cards} missing",
                count=sum(counts),
                whole=whole,
                cards=show(missing),
            )
        _report_miscount(findings, words)
    if findings.rules.queen is OFF:
        return counts, None
    takers = [Seat(seat) for seat, cards in enumerate(taken) if cards & QUEEN_SET]
    if len(takers) != 1 and not findings.is_blocked:
        nobody = Message("nobody took the queen of spades")
        _report_miscount(findings, Message("two seats took SQ") if takers else nobody)
    return counts, takers[0] if len(takers) == 1 else None


def _report_miscount(findings: Findings, words: Message) -> None:
    part = Part.PLAY if findings.record.play else Part.CAPTURES
    findings.note(Code.CAPTURE_COUNT, "11.2", words, part, Severity.ERROR)


def _with_choice(findings: Findings, facts: Facts) -> Facts:
    if findings.rules.moon is not _CHOICE:
        return facts
    return replace(facts, moon_adds=_moon_choice(findings, facts))


def _moon_choice(findings: Findings, facts: Facts) -> bool | None:
    """Return the shooter's choice, as the points tell it (Q39b); None where nothing tells."""
    shooter = moon_shooter(findings.rules, facts)
    if shooter is None:
        return None
    row = next((row for row in findings.record.scores or () if row.seat == shooter), None)
    if row is None or not row.values.keys() & {"Points", "Moon"}:
        words = Message("all the points, and the choice what to do with them is not written")
        findings.note(Code.MOON, "Q39b", words, Part.SCORES, seat=shooter)
        return None
    whole = facts.whole + QUEEN_POINTS
    return row.values.get("Points", 0) >= 0 and row.values.get("Moon") != -2 * whole


def of_captures(findings: Findings, facts: Facts) -> Facts:
    """Facts of a capture table."""
    taken = [EMPTY] * findings.players
    tricks = [0] * findings.players
    seen = EMPTY
    pack = findings.rules.pack(findings.players)
    for row, captured in enumerate(findings.record.captures or ()):
        twice, alien = CardSet(captured.cards & seen), CardSet(captured.cards & ~pack)
        if twice or alien:
            words = Message("takes {cards}, which is not in this pack", cards=show(alien))
            if twice:
                words = Message("takes {cards}, which another seat took", cards=show(twice))
            findings.note(
                Code.CAPTURE_COUNT,
                "11.2",
                words,
                Part.CAPTURES,
                Severity.ERROR,
                seat=captured.seat,
                index=row,
            )
        seen = CardSet(seen | captured.cards)
        taken[captured.seat] = CardSet(taken[captured.seat] | captured.cards)
        tricks[captured.seat] += captured.tricks or 0
    findings.taken = taken
    size = findings.rules.tricks(findings.players)
    if any(tricks) and sum(tricks) != size:
        words = Message(
            "{count} tricks are accounted for; this hand has {size}", count=sum(tricks), size=size
        )
        findings.note(Code.TRICK_COUNT, "K5", words, Part.CAPTURES, Severity.WARNING)
    assert facts.pain is not None
    counts, queen = _count(findings, SUIT_CARDS[facts.pain] & pack, taken)
    known_tricks = tuple(tricks) if sum(tricks) == size else ()
    return _with_choice(findings, replace(facts, taken=counts, queen=queen, tricks=known_tricks))


def of_scores(findings: Findings, facts: Facts) -> Facts:
    """Facts of a written score table: the only trace of a hand kept as a result."""
    rows = findings.record.scores
    if rows is None:
        words = Message("neither play, nor captures, nor scores are written")
        findings.note(Code.CAPTURE_COUNT, "K6", words, Part.SCORES, Severity.ERROR)
        return facts
    written = {column for row in rows for column in row.values}
    pot = findings.rules.settlement is SettledBy.POT
    column = ("Pain" if "Pain" in written else "Paid") if pot else "Hearts"
    known = {"Hearts", "Queen"} if findings.rules.queen is ON else {"Hearts"}
    if not pot and not known <= written and written & {"Points", "Total"}:
        return _of_points(findings, facts)
    counts = [0] * findings.players
    takers = []
    for row in rows:
        counts[row.seat] = row.values.get(column, 0)
        if row.values.get("Queen", 0) == QUEEN_POINTS:
            takers.append(row.seat)
    if sum(counts) != facts.whole or min(counts) < 0:
        words = Message(
            "{count} of {whole} pain cards are accounted for", count=sum(counts), whole=facts.whole
        )
        findings.note(Code.CAPTURE_COUNT, "11.2", words, Part.SCORES, Severity.ERROR)
    if findings.rules.queen is ON and len(takers) != 1:
        words = Message("the queen of spades was taken by {count} seats", count=len(takers))
        if not takers:
            words = Message("nobody says who took the queen of spades")
        findings.note(Code.CAPTURE_COUNT, "11.2", words, Part.SCORES, Severity.ERROR)
    queen = takers[0] if takers else None
    return _with_choice(findings, replace(facts, taken=tuple(counts), queen=queen))


def is_artificial(findings: Findings) -> bool:
    """Whether nothing but points is written of a hand that the director decided."""
    rows = findings.record.scores or ()
    points = findings.rules.settlement is not SettledBy.POT
    bare = not findings.record.play and findings.record.captures is None
    return points and bare and any("Points" in row.values for row in rows)


def artificial(findings: Findings, facts: Facts) -> Facts:
    """A hand whose points the director set (section 8, ARTIFICIAL_SCORE)."""
    points = [0] * findings.players
    for row in findings.record.scores or ():
        points[row.seat] = row.values.get("Points", 0)
    return replace(facts, status=Status.VOID_NO_REPLAY, adjust=tuple(points))


def _of_points(findings: Findings, facts: Facts) -> Facts:
    """Facts that lead to the written points, where nothing else is written.

    Who took the queen, or everything, is tried seat by seat. Different captures can give the
    same points (13 hearts, or the queen alone); what is settled is the same then too.
    """
    points = [0] * findings.players
    for row in findings.record.scores or ():
        since = row.values.get("Total", 0) - findings.before.totals[row.seat]
        points[row.seat] = row.values.get("Points", since)
    for tried in _candidates(findings, facts, points):
        if score(findings.rules, tried).points == tuple(points):
            return tried
    for moon in Moon:
        other = replace(findings.rules, moon=moon)
        if any(
            score(other, candidate).points == tuple(points)
            for candidate in _candidates(findings, facts, points)
        ):
            words = Message("somebody took everything, which is scored otherwise by these rules")
            hint = Message(
                "see the house rule for taking all the points, and write all points anew"
            )
            findings.note(Code.MOON, "D7 E6", words, Part.SCORES, Severity.ERROR, hint=hint)
            return facts
    listed = ", ".join(map(str, points))
    words = Message("no play of the hand gives the points {points}", points=listed)
    if findings.rules.insurance is ON and not any(facts.papers):
        words = Message(
            "no play of the hand gives the points {points}; the insurance papers are not written",
            points=listed,
        )
    findings.note(Code.POINTS, "D6 E6", words, Part.SCORES, Severity.ERROR)
    return facts


def _candidates(findings: Findings, facts: Facts, points: list[int]) -> list[Facts]:
    if findings.rules.queen is OFF:
        extra = facts.adjust or (0,) * findings.players
        taken = tuple(mine - given for mine, given in zip(points, extra, strict=True))
        return [replace(facts, taken=taken)] if _fits(taken, facts.whole) else []
    tried = []
    for place in range(findings.players):
        seat = Seat(place)
        nothing = replace(facts, taken=(0,) * findings.players, queen=seat)
        fixed = _fixed_points(findings, nothing)
        taken = tuple(mine - other for mine, other in zip(points, fixed, strict=True))
        if _fits(taken, facts.whole):
            tried.append(replace(facts, taken=taken, queen=seat))
        everything = tuple(facts.whole if n == place else 0 for n in range(findings.players))
        moon = replace(facts, taken=everything, queen=seat)
        tried += [replace(moon, moon_adds=adds) for adds in (True, False)]
    return tried


def _fits(taken: tuple[int, ...], whole: int) -> bool:
    return min(taken) >= 0 and sum(taken) == whole


def _fixed_points(findings: Findings, facts: Facts) -> tuple[int, ...]:
    """The points of a hand apart from its hearts: queen, insurance, centre, rulings."""
    papers = facts.papers if findings.rules.insurance is ON else ()
    fixed = []
    for seat in range(findings.players):
        paper = papers[seat] if papers else 0
        queen = QUEEN_POINTS - paper if seat == facts.queen else paper
        centre = facts.centre[seat] if facts.centre else 0
        fixed.append(queen + centre + (facts.adjust[seat] if facts.adjust else 0))
    return tuple(fixed)
