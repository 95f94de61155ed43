"""Report what a record writes that nothing is computed from, and that is never believed.

Every written cell is either compared with what the engine computes (`replay.claims`) or
named here.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..record.record import Detail, Ending, HandRecord
from ..rules.rules import Rules
from ..rules.switches import PainBy, Prize, SettledBy
from ..settlement.tables import score_columns

_CODES: Final = {
    "Pain": Code.CAPTURE_COUNT,
    "Hearts": Code.CAPTURE_COUNT,
    "Queen": Code.CAPTURE_COUNT,
    "Insurance": Code.INSURANCE_SIGN,
    "Centre": Code.POINTS,
    "Adjust": Code.POINTS,
    "Moon": Code.MOON,
    "Points": Code.POINTS,
    "Total": Code.RUNNING_TOTAL,
    "Before": Code.CHIPS,
    "Bid": Code.CHIPS,
    "Paid": Code.CHIPS,
    "Won": Code.CHIPS,
    "After": Code.CHIPS,
}


def find_unused(record: HandRecord, rules: Rules) -> Iterator[Fault]:
    """Yield a warning for everything in a hand's record that these rules do not use.

    A zero in a column that is not used says what is true, and is not reported.
    """
    yield from _columns(record, rules)
    if record.jackpot is not None and rules.settlement is not SettledBy.POT:
        words = Message("these rules carry no jackpot; the tag Jackpot is not used")
        yield _unused_option(Code.AUCTION_IN_JACKPOT, "A8", words, Part.JACKPOT)
    if record.namer is not None and rules.pain is not PainBy.AUCTION:
        words = Message("nobody names a suit under these rules; the tag Declarer is not used")
        yield _unused_option(Code.WRONG_NAMER, "A4", words, Part.NAMER)
    if record.ante is not None and rules.prize is not Prize.WINNER_TAKES_ALL:
        words = Message("these rules have no ante; the tag Ante is not used")
        yield _unused_option(Code.SETTLEMENT, "E8", words, Part.TAG, "Ante")
    if record.stake is not None:
        words = Message("the tag Stake is kept, but nothing is computed from it")
        yield _unused_option(Code.SETTLEMENT, "E8", words, Part.TAG, "Stake")
    if record.detail is not Detail.GAME:
        yield from _of_a_whole_game(record)
    if record.claim is not None or record.ending is Ending.ADJUDICATED:
        yield from _of_the_ending(record)
    for row, paper in enumerate(record.bids or ()):
        if paper.card is None and paper.bid:
            words = Message("{bid} stands beside no card; it is no bid", bid=paper.bid)
            fault = _unused_option(Code.BAD_BID, "D21", words, Part.BIDS, "Bid")
            hint = Message("write the card, or 0")
            yield replace(fault, seat=paper.seat, index=row, hint=hint)
    for row, ruling in enumerate(record.rulings):
        if ruling.trick is not None and not 0 <= ruling.trick <= rules.tricks(record.players):
            words = Message("there is no trick {number} in this hand", number=ruling.trick)
            fault = _unused_option(Code.TRICK_COUNT, "K5", words, Part.RULINGS, "Trick")
            yield replace(fault, index=row, hint=Message("correct the trick of this ruling"))


def _of_the_ending(record: HandRecord) -> Iterator[Fault]:
    """A claim in a hand that ended otherwise, and a decision of which nothing is written."""
    claim, ending = record.claim, record.ending
    if claim is not None and ending is None:
        words = Message("a claim is written, and the tag Termination is missing")
        hint = Message("write claim in the tag Termination")
        yield replace(_unused_option(Code.BAD_CLAIM, "Q65", words, Part.CLAIM), hint=hint)
    elif claim is not None and ending not in (None, Ending.CLAIM, Ending.ADJUDICATED):
        words = Message("a claim is written; the tag Termination says {ending}", ending=ending)
        hint = Message("correct the tag Termination, or delete the tag Claim")
        yield replace(_unused_option(Code.BAD_CLAIM, "Q65", words, Part.CLAIM), hint=hint)
    is_decided = bool(record.rulings) or not (record.play or record.captures)
    if ending is Ending.ADJUDICATED and not is_decided:
        words = Message("the tag Termination tells of a decision, and none is written")
        hint = Message("write the ruling in the RulingTable, or correct the tag Termination")
        yield replace(_unused_option(Code.POINTS, "section 8", words, Part.ENDING), hint=hint)


def _columns(record: HandRecord, rules: Rules) -> Iterator[Fault]:
    used = score_columns(rules)
    reported: set[str] = set()
    for row in record.scores or ():
        for column, value in row.values.items():
            # The reader reports a column that it does not know.
            if column in used or column not in _CODES or not value or column in reported:
                continue
            reported.add(column)
            words = Message(
                "{column} is not scored under these rules; the column is not used", column=column
            )
            yield replace(
                _unused_option(_CODES[column], "K6", words, Part.SCORES, column), seat=row.seat
            )


def _of_a_whole_game(record: HandRecord) -> Iterator[Fault]:
    """Yield tags that only the result of a whole game has."""
    if record.hands is not None:
        words = Message(
            "the tag Hands counts the hands of a whole game; in one hand it is not used"
        )
        yield _unused_option(Code.RUNNING_TOTAL, "11.12", words, Part.TAG, "Hands")
    if record.totals is not None:
        words = Message("a total score table is that of a whole game; in one hand it is not used")
        yield _unused_option(Code.SETTLEMENT, "B6", words, Part.TOTALS)


def _unused_option(
    code: Code, rule: str, words: Message, part: Part, column: str | None = None
) -> Fault:
    return Fault(
        code=code,
        rule=rule,
        message=words,
        severity=Severity.WARNING,
        part=part,
        column=column,
        hint=Message("delete it, or name the house rules that it belongs to"),
    )
