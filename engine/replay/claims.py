"""Claims of a record about a hand, compared with the hand (notation.md 3.5, C60-C69)."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final

from ..core.cards import CardSet, Suit, count, show
from ..core.chips import RebuyTime, in_words
from ..core.faults import Code, Fault, Part, Severity
from ..core.game_identity import fold_name
from ..core.messages import NO_MESSAGE, Message, join_with_and
from ..core.ranking import places
from ..core.seats import Seat
from ..record.facts import Status
from ..record.record import Ending, HandRecord, PotRow, ScoreRow, TotalRow
from ..rules.rules import Rules
from ..rules.switches import AverageRounding, Insolvency, SettledBy, Toggle, Winner
from ..settlement.averages import average, howell, net, odd_to_pot
from ..settlement.scoring import Score
from ..settlement.settlement import Settlement, undecided_rebuys
from ..settlement.tables import pot_row, pot_values, score_rows, score_table
from .play import restrictions
from .replay import Replay


def compare(
    record: HandRecord,
    rules: Rules,
    settled: Settlement,
    taken: Sequence[CardSet] | None = None,
) -> tuple[Fault, ...]:
    """Every written number of the tables that is not what the engine computes.

    ``taken`` are the cards that the play gave to each seat, to compare a capture table with.
    """
    faults: list[Fault] = []
    if record.captures and record.play:
        faults += _captures(record, rules, settled, taken)
    if record.pot is not None and _cells(record.pot) != pot_values(settled):
        faults += _pot(record, record.pot, settled)
    if record.scores is not None and not _all_right(record.scores, rules, settled):
        faults += _scores(record, record.scores, rules, settled)
    if faults and settled.facts.status in _UNSCORED:
        faults = _unscored(faults, settled.facts.status)
    return tuple(faults)


_UNSCORED: Final = {
    Status.PASSED_OUT: Message("nothing is scored in a hand that was passed out"),
    Status.FOOT: Message("nothing is scored in a hand that ended by a foot"),
    Status.VOID_REDEAL: Message("nothing is scored in a hand that is dealt again"),
    Status.VOID_NO_REPLAY: Message("nothing is scored in a hand that was abandoned"),
    Status.NOT_PLAYED: Message("nothing is scored in a hand that was not played"),
    Status.DRAFT: Message("nothing is scored in a hand that is not finished"),
}


def _unscored(faults: list[Fault], status: Status) -> list[Fault]:
    """The faults with one in place of all that say that a cell has to be 0."""
    of_hand = [fault for fault in faults if fault.column not in ("Before", "After", "Total")]
    if len(of_hand) < 2:
        return faults
    hint = Message("delete the scores, or correct the tag Termination")
    cause = replace(of_hand[0], rule="K7 DEC-2", message=_UNSCORED[status], hint=hint)
    return [cause, *(fault for fault in faults if fault not in of_hand)]


def _captures(
    record: HandRecord, rules: Rules, settled: Settlement, taken: Sequence[CardSet] | None
) -> Iterator[Fault]:
    """A capture table beside a play: the same penalty cards (11.2)."""
    pain = settled.facts.pain
    if taken is None or pain is None:
        return
    penalty = restrictions(rules, pain, record.players).penalty
    for row, captured in enumerate(record.captures or ()):
        due = CardSet(taken[captured.seat] & penalty)
        if captured.cards & penalty != due:
            words = Message(
                "{seat}: took {due} in the play, not {cards}",
                seat=record.seats[captured.seat],
                due=show(due),
                cards=show(CardSet(captured.cards & penalty)),
            )
            yield Fault(
                code=Code.CAPTURE_COUNT,
                rule="11.2",
                message=words,
                part=Part.CAPTURES,
                seat=captured.seat,
                index=row,
            )
        tricks = settled.facts.tricks
        took = tricks[captured.seat] if tricks else None
        yield from _captured_besides(record, row, CardSet(~taken[captured.seat] & ~penalty), took)


def _captured_besides(
    record: HandRecord, row: int, not_taken: CardSet, tricks: int | None
) -> Iterator[Fault]:
    """The other cells of a capture table beside a play: cards without penalty, and tricks."""
    captured = (record.captures or ())[row]
    seat, words = record.seats[captured.seat], None
    if other := CardSet(captured.cards & not_taken):
        words = Message("{seat}: did not take {cards} in the play", seat=seat, cards=show(other))
    elif tricks is not None and captured.tricks not in (None, tricks):
        words = Message(
            "{seat}: tricks won in the play: {tricks}, not {written}",
            seat=seat,
            tricks=tricks,
            written=captured.tricks,
        )
    if words is not None:
        yield Fault(
            code=Code.CAPTURE_COUNT,
            rule="11.2",
            message=words,
            part=Part.CAPTURES,
            seat=captured.seat,
            index=row,
        )


def _cells(pot: PotRow) -> tuple[int, int, int, int, int]:
    return pot.before, pot.bid, pot.paid, pot.won, pot.after


def _pot(record: HandRecord, written: PotRow, settled: Settlement) -> Iterator[Fault]:
    right = pot_row(settled)
    for column in ("before", "bid", "paid", "won"):
        value, due = getattr(written, column), getattr(right, column)
        if value != due:
            code = Code.ODD_CHIP if column == "won" else Code.POT
            words = _WORDS[column](in_words(due), value)
            yield Fault(
                code=code,
                rule="A7 C6",
                message=words,
                part=Part.POT,
                column=column.capitalize(),
                hint=_hint_of_pot(record, settled) if code is Code.ODD_CHIP else NO_MESSAGE,
            )
    after = written.before + written.bid + written.paid - written.won
    if written.after not in (after, right.after):
        words = Message(
            "before + bid + paid - won leaves {chips}, not {after}",
            chips=in_words(after),
            after=written.after,
        )
        yield Fault(code=Code.POT, rule="K8", message=words, part=Part.POT, column="After")


_WORDS: Final[Mapping[str, Callable[[Message, int], Message]]] = {
    "before": lambda chips, written: Message(
        "{chips} were in the pot before this hand, not {written}", chips=chips, written=written
    ),
    "bid": lambda chips, written: Message(
        "{chips} were bid into the pot, not {written}", chips=chips, written=written
    ),
    "paid": lambda chips, written: Message(
        "{chips} are paid for captures, not {written}", chips=chips, written=written
    ),
    "won": lambda chips, written: Message(
        "{chips} are won, not {written}", chips=chips, written=written
    ),
}

_CODES = {
    "Pain": (Code.CAPTURE_COUNT, "A7 C6"),
    "Hearts": (Code.CAPTURE_COUNT, "B5 D6"),
    "Queen": (Code.CAPTURE_COUNT, "D6"),
    "Insurance": (Code.INSURANCE_SIGN, "D11 D12"),
    "Centre": (Code.POINTS, "D23"),
    "Moon": (Code.MOON, "D7 E6"),
    "Adjust": (Code.POINTS, "section 8"),
    "Points": (Code.POINTS, "D6 E6"),
    "Total": (Code.RUNNING_TOTAL, "D8 E7"),
    "Before": (Code.CHIPS, "K8"),
    "Bid": (Code.POT, "A3 C3"),
    "Paid": (Code.CHIPS, "A7 A9.2"),
    "Won": (Code.ODD_CHIP, "A7 C6"),
    "After": (Code.CHIPS, "K8"),
}


_FOLLOWS: Final = (
    ("Points", ("Hearts", "Queen", "Insurance", "Centre", "Adjust", "Moon")),
    ("Total", ("Points",)),
    ("After", ("Before", "-Bid", "-Paid", "Won")),
)
"""Columns that follow from others: where these are wrong, that one is judged by what they say."""


def _scores(
    record: HandRecord, rows: tuple[ScoreRow, ...], rules: Rules, settled: Settlement
) -> Iterator[Fault]:
    right = {row.seat: row.values for row in score_rows(rules, settled)}
    for row in rows:
        if row.values == right[row.seat]:
            continue
        true = right[row.seat]
        due = _as_told(row.values, true)
        for column, value in row.values.items():
            if column in _CODES and column in due and value not in (due[column], true[column]):
                fault = _wrong_cell(record, row.seat, column, value, due[column])
                yield replace(fault, hint=_hint(fault.code, record, settled, rules, row.seat))
    written = {row.seat for row in rows}
    for seat in range(record.players):
        if seat not in written:
            words = Message("{seat}: no score is written", seat=record.seats[seat])
            yield Fault(
                code=Code.POINTS,
                rule="K6",
                message=words,
                part=Part.SCORES,
                seat=Seat(seat),
                hint=Message("write a row for this seat"),
            )


def _hint(code: Code, record: HandRecord, settled: Settlement, rules: Rules, seat: Seat) -> Message:
    """Return advice on a wrong number by the outcome of this hand; empty: what its code advises."""
    if code is Code.ODD_CHIP:
        return _hint_of_pot(record, settled)
    if code is Code.RUNNING_TOTAL:
        return Message("the total is that of the last hand plus the points of this one")
    facts = settled.facts
    if code is not Code.INSURANCE_SIGN or facts.queen is None:
        return NO_MESSAGE
    if settled.score is not None and settled.score.shooter is not None:
        return _hint_of_moon(settled.score, rules)
    if seat == facts.queen:
        return Message("who took the queen subtracts the number on the paper")
    return Message("who did not take the queen adds the number on the paper")


def _hint_of_moon(score: Score, rules: Rules) -> Message:
    """Say what becomes of the insurance after a moon, as it was settled (D12, Q45)."""
    assert score.shooter is not None
    if not any(line for seat, line in enumerate(score.moon) if seat != score.shooter):
        return Message("after this moon who took all adds the number on their paper, nobody else")
    if rules.moon_own_insurance is Toggle.ON:
        return Message(
            "after a moon the number of who took all is taken off the others, who add their own"
        )
    return Message("after a moon the number of who took all is taken off the points of the others")


def _hint_of_pot(record: HandRecord, settled: Settlement) -> Message:
    """Return the winner of the pot of this hand, if anybody wins it."""
    if not settled.winners:
        return Message("nobody wins the pot in this hand; all of it stays")
    seats = join_with_and([record.seats[seat] for seat in settled.winners])
    if len(settled.winners) == 1:
        return Message("{seat} wins all that is in the pot", seat=seats)
    if settled.odd:
        return Message("{seats} divide the pot; what cannot be divided stays in it", seats=seats)
    return Message("{seats} divide the pot, and nothing stays in it", seats=seats)


def _all_right(rows: Sequence[ScoreRow], rules: Rules, settled: Settlement) -> bool:
    """Whether a whole score table, in its own order, says what the engine computes."""
    columns, values = score_table(rules, settled)
    if len(rows) != len(values):
        return False
    for seat, row in enumerate(rows):
        written = row.values
        if row.seat != seat or tuple(written.values()) != values[seat] or tuple(written) != columns:
            return False
    return True


def _as_told(written: Mapping[str, int], right: Mapping[str, int]) -> Mapping[str, int]:
    """Return each column's due value, given what the columns it follows from say."""
    due = dict(right)
    for column, causes in _FOLLOWS:
        if column not in due:
            continue
        for cause in causes:
            name = cause.removeprefix("-")
            if name in written and name in right:
                wrong = written[name] - right[name]
                due[column] += -wrong if cause != name else wrong
    return due


def _wrong_cell(record: HandRecord, seat: Seat, column: str, value: int, due: int) -> Fault:
    code, rule = _CODES[column]
    words = Message(
        "{seat}: {column} is {due}, not {value}",
        seat=record.seats[seat],
        column=column,
        due=due,
        value=value,
    )
    return Fault(code=code, rule=rule, message=words, part=Part.SCORES, seat=seat, column=column)


def judge_totals(record: HandRecord, rules: Rules) -> tuple[Fault, ...]:
    """Return faults in the written result of a whole game (B5, B6, A10)."""
    rows = record.totals
    if rows is None:
        words = Message("no total score table is written")
        hint = Message("write the table TotalScoreTable")
        return (Fault(code=Code.SETTLEMENT, rule="B6", message=words, part=Part.TOTALS, hint=hint),)
    totals = [row.total for row in rows]
    scores = [total for total in totals if total is not None]
    if len(scores) < len(totals) or len(scores) != record.players:
        words = Message("a total score is missing")
        return (
            Fault(
                code=Code.SETTLEMENT,
                rule="B6",
                message=words,
                part=Part.TOTALS,
                column="TotalScore",
                hint=Message("write the total of every seat"),
            ),
        )
    faults = [*_ranks(record, rules, scores), *_names(record), *_of_one_hand(record)]
    if rules.settlement is SettledBy.AVERAGE:
        faults += [*_average(record, rules, scores), *_zero_cash(record)]
    else:
        faults += _without_average(rows)
    return tuple(faults)


def _names(record: HandRecord) -> Iterator[Fault]:
    """The names beside the totals: those of the players at these seats."""
    for row in record.totals or ():
        name = record.names[row.seat] if record.names else ""
        if row.name and fold_name(name) not in ("", fold_name(row.name)):
            yield Fault(
                code=Code.SETTLEMENT,
                rule="K6",
                message=Message(
                    "{seat}: {name} sits here, not {written}",
                    seat=record.seats[row.seat],
                    name=name,
                    written=row.name,
                ),
                severity=Severity.WARNING,
                part=Part.TOTALS,
                seat=row.seat,
                column="Names",
                hint=Message("write the same name in both places"),
            )


_OF_ONE_HAND: Final = (Ending.CLAIM, Ending.FOOT, Ending.PASSED_OUT, Ending.REDEAL)


def _of_one_hand(record: HandRecord) -> Iterator[Fault]:
    """Report what the record of a whole game says of a single hand."""
    written = {
        Part.DEALER: record.dealer is not None,
        Part.NAMER: record.namer is not None,
        Part.PAIN: record.pain is not None,
        Part.CLAIM: record.claim is not None,
        Part.ENDING: record.ending in _OF_ONE_HAND,
    }
    for part in (part for part, is_written in written.items() if is_written):
        words = Message("this tells of one hand; in the result of a whole game it is not used")
        yield Fault(
            code=Code.SETTLEMENT,
            rule="K6",
            message=words,
            severity=Severity.WARNING,
            part=part,
            hint=Message("leave it empty"),
        )


def _without_average(rows: Sequence[TotalRow]) -> Iterator[Fault]:
    """Amounts of an average settlement under rules that have none."""
    for column in ("Average", "Settlement", "Cash"):
        written = [row for row in rows if exact(getattr(row, column.lower()))]
        if written:
            words = Message(
                "{column} is not settled under these rules; the column is not used", column=column
            )
            yield Fault(
                code=Code.SETTLEMENT,
                rule="B6",
                message=words,
                severity=Severity.WARNING,
                part=Part.TOTALS,
                seat=written[0].seat,
                column=column,
                hint=Message("delete it, or name the house rules that it belongs to"),
            )


def _ranks(record: HandRecord, rules: Rules, scores: list[int]) -> Iterator[Fault]:
    # The record of a whole game tells no tricks; where these count, its hands are asked.
    if rules.winner is not Winner.TRICKS:
        sign = 1 if rules.settlement is SettledBy.POT else -1
        seats = [row.seat for row in record.totals or ()]
        ranked = places([sign * score for score in scores])
        yield from compare_ranks(record, dict(zip(seats, ranked, strict=True)))


def compare_ranks(record: HandRecord, due: Mapping[Seat, int]) -> Iterator[Fault]:
    """The written places of a game's result that are others than these, by seat (A10, Q27)."""
    for row in record.totals or ():
        place = due[row.seat]
        if row.rank and row.rank.rstrip("=") != str(place):
            words = Message(
                "{seat}: the place is {place}, not {written}",
                seat=record.seats[row.seat],
                place=place,
                written=row.rank,
            )
            yield Fault(
                code=Code.POINTS,
                rule="A10 Q27",
                message=words,
                part=Part.TOTALS,
                seat=row.seat,
                column="Rank",
                hint=Message("equal totals share a place"),
            )


def _average(record: HandRecord, rules: Rules, scores: list[int]) -> Iterator[Fault]:
    rows = record.totals or ()
    hearts = count(rules.suit_cards(Suit.HEARTS, record.players))
    if record.hands is not None and sum(scores) != hearts * record.hands:
        words = Message(
            "{hands} hands make {due} points, not {points}",
            hands=record.hands,
            due=hearts * record.hands,
            points=sum(scores),
        )
        yield Fault(
            code=Code.POINTS,
            rule="B5",
            message=words,
            part=Part.TOTALS,
            column="TotalScore",
            hint=Message("add the totals again, or count the hands"),
        )
    middle = average(scores)
    if rules.average_rounding is AverageRounding.HOWELL_UNITS:
        due = [Fraction(unit) for unit in howell(scores)]
    elif rules.average_rounding is AverageRounding.ODD_TO_POT:
        due = [Fraction(amount) for amount in odd_to_pot(scores)[0]]
    else:
        due = net(scores)
    for row, amount in zip(rows, due, strict=True):
        yield from _cell(record, row, Message("average"), row.average, middle)
        yield from _cell(record, row, Message("settlement"), row.settlement, amount)


def _cell(
    record: HandRecord, row: TotalRow, name: Message, written: str | None, due: Fraction
) -> Iterator[Fault]:
    value = exact(written)
    if written is not None and (value is None or abs(value - due) > _tolerance(written)):
        words = Message(
            "{seat}: the {name} is {due}, not {written}",
            seat=record.seats[row.seat],
            name=name,
            due=str(due),
            written=written,
        )
        yield Fault(
            code=Code.SETTLEMENT,
            rule="B6",
            message=words,
            part=Part.TOTALS,
            seat=row.seat,
            column=name.capitalize(),
        )


def _tolerance(written: str) -> Fraction:
    """Half a unit in the last place of a rounded decimal; nothing for whole numbers and n-ths."""
    _, point, decimals = written.partition(".")
    return Fraction(1, 2 * 10 ** len(decimals)) if point else Fraction(0)


def _zero_cash(record: HandRecord) -> Iterator[Fault]:
    known = [value for row in record.totals or () if (value := exact(row.cash)) is not None]
    if sum(known):
        words = Message("the cash sums to {total}, not 0", total=str(sum(known)))
        yield Fault(code=Code.SETTLEMENT, rule="B6", message=words, part=Part.TOTALS, column="Cash")


def exact(text: str | None) -> Fraction | None:
    """A written amount, exactly: ``5``, ``-7/4``, ``0.25``; None for anything else."""
    if text is None or len(text) > 24 or not text.isascii() or "e" in text.lower():
        return None
    try:
        return Fraction(text.removeprefix("+"))
    except (ValueError, ZeroDivisionError):
        return None


def rebuy_faults(judged: Replay, settled: Settlement) -> Iterator[Fault]:
    """Yield faults in the table's decisions who buys chips again (DEC-9)."""
    rebuys, seats = settled.facts.rebuys, judged.record.seats
    if judged.rules.insolvency is not Insolvency.REBUY:
        words = Message("nobody buys chips again by these house rules")
        hint = Message("remove the RebuyTable, or correct the house rules")
        yield _rebuy_fault(rebuys[0].seat, words, 0, hint)
        return
    for row, (seat, when, _) in enumerate(rebuys):
        if (seat, when) not in settled.offered:
            yield _rebuy_fault(seat, _not_due(when, seats[seat]), row, _REMOVE)
        elif (seat, when) in [rebuy[:2] for rebuy in rebuys[:row]]:
            words = Message("{seat}: two decisions on one rebuy are written", seat=seats[seat])
            yield _rebuy_fault(seat, words, row, _REMOVE)
    for seat, when in undecided_rebuys(rebuys, settled.offered):
        yield _rebuy_fault(seat, _open(when, seats[seat]))
    if judged.rules.settlement is not SettledBy.POT and any(settled.shortfalls):
        short = next(Seat(n) for n, missing in enumerate(settled.shortfalls) if missing)
        words = Message(
            "{seat}: who collects must be paid in full; buy more stacks", seat=seats[short]
        )
        yield _rebuy_fault(short, words)


def _open(when: RebuyTime, seat: str) -> Message:
    if when is RebuyTime.SHORT:
        return Message(
            "{seat}: cannot pay; say how many stacks are bought again, or none", seat=seat
        )
    return Message(
        "{seat}: has no chips left; say how many stacks are bought again, or none", seat=seat
    )


def _not_due(when: RebuyTime, seat: str) -> Message:
    if when is RebuyTime.SHORT:
        return Message("{seat}: could pay without buying chips again", seat=seat)
    return Message("{seat}: had chips left, and no reason to buy more", seat=seat)


_REMOVE: Final = Message("remove this row")


def _rebuy_fault(
    seat: Seat, words: Message, row: int | None = None, hint: Message = NO_MESSAGE
) -> Fault:
    return Fault(
        code=Code.REBUY,
        rule="Q22 DEC-9",
        message=words,
        severity=Severity.RULING,
        part=Part.REBUYS,
        seat=seat,
        index=row,
        hint=hint,
    )
