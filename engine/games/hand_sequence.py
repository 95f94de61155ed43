"""The hands of a game in turn: each is judged in the state that the hands before it left.

Where a table wrote another state than the settled one, it is believed, and what differs is said
once. `game_grouping` says which records are hands of one game.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final, NamedTuple

from ..core.chips import in_words
from ..core.faults import Code, Fault, Part, Severity
from ..core.messages import Message
from ..core.seats import Seat, direction_name
from ..record.facts import Status
from ..record.game_state import GameState, beginning
from ..record.record import HandRecord
from ..replay.claims import compare_ranks
from ..replay.opening_state import agrees, believe, declared_dealer, declared_deals
from ..rules.rules import Rules, plays_for_chips
from ..rules.switches import SettledBy, Winner
from ..settlement.game_end import final_places, standing_values
from .game import HandResult, judge_hand
from .game_grouping import GameProgress, OpenGame


class GroupedHand(NamedTuple):
    """A hand judged in its game: its result, what is odd, and where the game stands after it.

    ``counted`` is the result from which the written numbers were judged, and the state before it.
    """

    result: HandResult
    faults: tuple[Fault, ...]
    progress: GameProgress
    counted: tuple[HandResult, GameState | None]


def judge_next(
    game: OpenGame, progress: GameProgress, number: int, record: HandRecord, rules: Rules
) -> GroupedHand:
    """Judge a hand in the state that the hands before it left.

    ``rules`` are those that the record names; those of the game are applied.
    """
    before, faults = _inherit_state(game.rules, progress, number, record, rules)
    result = judge_hand(game.rules, before, record)
    if progress.state is None and number == 1:
        faults += first_hand_faults(game.rules, result.replay.before)
    state, differences = _state_the_table_used(game.rules, progress, record, result)
    restarted = judge_hand(game.rules, state, record) if state is not None else None
    if restarted is not None and _is_whole(restarted.replay.before, result.replay.before, record):
        result = restarted
    claims = result.claims if restarted is None else restarted.claims
    after = GameProgress(
        number=number,
        state=result.after,
        is_settled=result.settlement is not None,
        last=((restarted or result).after, record),
    )
    game.note_void(number, is_void=result.facts.status in _VOID)
    found = (*faults, *differences, *result.replay.faults, *claims)
    return GroupedHand(
        result, found, after, (restarted or result, before if restarted is None else state)
    )


_VOID: Final = (Status.VOID_REDEAL, Status.NOT_PLAYED)


def first_hand_faults(rules: Rules, declared: GameState) -> tuple[Fault, ...]:
    """Return faults in the start of the first hand that the rules do not give."""
    if not rules.players.least <= declared.players <= rules.players.most:
        return ()
    due = beginning(rules, declared.players, declared.dealer)
    found: list[tuple[Code, str, Part, str, Message]] = []
    if declared.chips != due.chips:
        words = Message(
            "the first hand starts from {chips} chips, not {due} each",
            chips=_format_amounts(declared.chips),
            due=due.chips[0],
        )
        found.append((Code.CHIPS, "A1", Part.SCORES, "Before", words))
    if declared.totals != due.totals:
        words = Message(
            "the first hand starts from totals of {totals}, not 0",
            totals=_format_amounts(declared.totals),
        )
        found.append((Code.RUNNING_TOTAL, "D8 E7", Part.SCORES, "Total", words))
    if declared.pot:
        words = Message("the first hand starts with {pot} in the pot, not 0", pot=declared.pot)
        found.append((Code.POT, "A1", Part.POT, "Before", words))
    if declared.jackpot:
        words = Message("the first hand of a game is no jackpot hand")
        found.append((Code.AUCTION_IN_JACKPOT, "A8", Part.JACKPOT, "", words))
    direction, turned = rules.direction(0), rules.direction(declared.deals)
    if direction != turned:
        words = Message(
            "the first hand of a game passes {direction}, not {turned}",
            direction=direction_name(direction),
            turned=direction_name(turned),
        )
        found.append((Code.WRONG_PASS, "D2", Part.EXCHANGE, "", words))
    seats = [seat for seat in range(declared.players) if _differ(declared, due, seat)]
    return tuple(
        Fault(
            code=code,
            rule=rule,
            message=words,
            severity=Severity.WARNING,
            part=part,
            column=column or None,
            seat=Seat(seats[0]) if part is Part.SCORES and seats else None,
            hint=Message("it is believed; add the hands before it, or correct it"),
        )
        for code, rule, part, column, words in found
    )


def _differ(declared: GameState, due: GameState, seat: int) -> bool:
    return (declared.chips[seat], declared.totals[seat]) != (due.chips[seat], due.totals[seat])


def _format_amounts(amounts: Iterable[int]) -> str:
    return ", ".join(map(str, amounts))


def _inherit_state(
    applied: Rules, progress: GameProgress, number: int, record: HandRecord, rules: Rules
) -> tuple[GameState | None, tuple[Fault, ...]]:
    """The state before a hand, as the hands before it left it, and what is odd about that.

    None means that nothing but the record itself tells what the state was.
    """
    changed = (_other_rules(),) if rules.digest != applied.digest else ()
    state = progress.state
    if state is None or state.players != record.players:
        return None, changed
    if not progress.comes_next(number, record.players):
        return _resume_from_record(state, record, applied), changed
    return state, changed


def _state_the_table_used(
    rules: Rules, progress: GameProgress, record: HandRecord, result: HandResult
) -> tuple[GameState | None, tuple[Fault, ...]]:
    """The state from which the table counted on, where that is not the settled one.

    A difference is a fault only when it is new: a table that goes on from its own wrong number
    repeats nothing. None where table and settlement agree.
    """
    state = result.replay.before
    if progress.state is None or not progress.is_settled or state.players != record.players:
        return None, ()
    if agrees(state, record, rules):
        return None, ()
    declared = believe(state, record, rules)
    if plays_for_chips(rules):
        faults = tuple(_other_chips(progress.table or state, state, declared, record))
    else:
        declared, faults = _other_totals(progress, declared, record, result)
    return (None if declared == state else declared), faults


def _is_whole(declared: GameState, state: GameState, record: HandRecord) -> bool:
    """Whether the chips that a table counted are complete and as many as there are.

    Then the table has moved on from the settled state on purpose, and the game goes on from
    there; a slip of the pen changes the sum.
    """
    counted = {row.seat for row in record.scores or () if "Before" in row.values}
    return declared.bought == state.bought and len(counted) == state.players


def _resume_from_record(state: GameState, record: HandRecord, rules: Rules) -> GameState:
    """The state where the hand before is missing or unsettled: what this record tells, and feet."""
    is_declared = record.direction is not None or bool(record.exchange)
    state = replace(
        state,
        dealer=state.dealer if record.dealer is None else declared_dealer(record, rules),
        deals=declared_deals(record, rules) if is_declared else state.deals,
        jackpot=record.jackpot or 0,
        namer=record.namer if record.jackpot else None,
        over=None,
        due=None,
    )
    return believe(state, record, rules)


def _other_rules() -> Fault:
    words = Message(
        "the house rules changed in the middle of a game; those of its first hand are applied"
    )
    return Fault(
        code=Code.RULES,
        rule="Q68",
        message=words,
        severity=Severity.RULING,
        part=Part.HEADER,
    )


def _other_chips(
    table: GameState, state: GameState, declared: GameState, record: HandRecord
) -> Iterator[Fault]:
    # A jackpot that was forgotten is said as such; its pot is then forgotten with it.
    called = state.jackpot and any((call or 0) > 0 for call in record.auction or ())
    is_forgotten = bool(called) and not declared.pot
    if declared.pot not in (state.pot, table.pot) and not is_forgotten:
        words = Message(
            "the last hand left {chips} in the pot, not {pot}",
            chips=in_words(state.pot),
            pot=declared.pot,
        )
        yield Fault(code=Code.POT, rule="11.1", message=words, part=Part.POT, column="Before")
    for row in record.scores or ():
        due, before = state.chips[row.seat], row.values.get("Before", state.chips[row.seat])
        if before not in (due, table.chips[row.seat]):
            words = Message(
                "{seat}: the last hand left {chips}, not {before}",
                seat=record.seats[row.seat],
                chips=in_words(due),
                before=before,
            )
            yield _in_scores(Code.CHIPS, words, row.seat, "Before")


def _other_totals(
    progress: GameProgress, declared: GameState, record: HandRecord, result: HandResult
) -> tuple[GameState, tuple[Fault, ...]]:
    """Compare totals; one that is right in the end is right, whatever stands beside it."""
    state, after = result.replay.before, result.after
    table = (progress.table or state).totals
    totals, faults = list(declared.totals), []
    for row in record.scores or ():
        seat, total, points = row.seat, row.values.get("Total"), row.values.get("Points")
        before = state.totals[seat]
        if total is None or points is None or total == after.totals[seat]:
            totals[seat] = before
        elif totals[seat] not in (before, table[seat]):
            name, due = record.seats[seat], before + points
            words = Message(
                "{name}: {before} before this hand and {points} make {due}, not {total}",
                name=name,
                before=before,
                points=points,
                due=due,
                total=total,
            )
            faults.append(_in_scores(Code.RUNNING_TOTAL, words, seat, "Total"))
    return replace(declared, totals=tuple(totals)), tuple(faults)


def _in_scores(code: Code, words: Message, seat: Seat, column: str) -> Fault:
    return Fault(code=code, rule="11.1", message=words, part=Part.SCORES, seat=seat, column=column)


def compare_totals(game: OpenGame | None, record: HandRecord) -> Iterator[Fault]:
    """A game's result beside its hands: the same chips, or the same points (notation.md 4)."""
    state = None if game is None or not game.progress.is_settled else game.progress.state
    if game is None or state is None or state.players != record.players:
        return
    if record.hands is not None and record.hands != state.hands:
        words = Message(
            "{count} hands of this game are written before, not {written}",
            count=state.hands,
            written=record.hands,
        )
        yield Fault(
            code=Code.RUNNING_TOTAL,
            rule="11.12",
            message=words,
            severity=Severity.WARNING,
            part=Part.TAG,
            column="Hands",
            hint=Message("add the missing hands, or correct the number"),
        )
    if game.rules.winner is Winner.TRICKS:
        ranked = enumerate(final_places(game.rules, state))
        yield from compare_ranks(record, {Seat(seat): place for seat, place in ranked})
    sign = 1 if game.rules.settlement is SettledBy.POT else -1
    values = standing_values(game.rules, state)
    for row in record.totals or ():
        due = sign * values[row.seat]
        if row.total is not None and row.total != due:
            words = Message(
                "{seat}: the hands before make {due}, not {total}",
                seat=record.seats[row.seat],
                due=due,
                total=row.total,
            )
            yield Fault(
                code=Code.RUNNING_TOTAL,
                rule="11.12",
                message=words,
                part=Part.TOTALS,
                seat=row.seat,
                column="TotalScore",
            )
