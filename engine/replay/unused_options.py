"""What a record writes of options that its rules do not have: it is reported, and never believed.

Every written cell is either compared with what the engine computes (`engine.replay.claims`) or
named here.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from engine.faults import Code, Fault, Part, Severity
from engine.messages import Message
from engine.record.record import Detail, HandRecord
from engine.rules.rules import Rules
from engine.rules.switches import PainBy, Prize, SettledBy
from engine.tables import score_columns

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
    """What only the result of a whole game says."""
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
