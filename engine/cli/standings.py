"""Standings: how a game stands or ended, and the result that a game record holds."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final

from ..core.messages import Message
from ..games.game import Final as Result
from ..games.game import final
from ..notation.values import show_money
from ..record.game_state import GameState
from ..record.record import HandRecord, TotalRow
from ..replay.opening_state import with_stakes
from ..rules.rules import Rules
from ..rules.switches import SettledBy
from ..verdicts.settlement_json import currency_of
from .language import say
from .screen import Line, count_columns, fit, pad, visible

_NAME_WIDTH: Final = 30
_LEFT: Final = (Message("Seat"), Message("Player"))


def end_of_game(rules: Rules, record: HandRecord, state: GameState) -> Result:
    """The result if the game ends in this state, with the ante that the record names."""
    return final(with_stakes(rules, record), state)


def money(units: int, currency: str | None = None) -> str:
    """Minor units of a currency as people write them.

    >>> money(1035, "EUR"), money(1035, "JPY"), money(1035)
    ('10.35 EUR', '1035 JPY', '10.35')
    """
    return f"{show_money(units, currency)} {currency or ''}".rstrip()


def format_signed(amount: Fraction) -> str:
    """Return an amount that somebody collects (+) or pays (-); exact."""
    return f"+{amount}" if amount > 0 else str(amount)


def standing(rules: Rules, record: HandRecord, state: GameState) -> Iterator[Line]:
    """Places, amounts, average settlement and payout, best place first."""
    result = end_of_game(rules, record, state)
    by_chips = rules.settlement is SettledBy.POT
    amounts = state.chips if by_chips else state.totals
    heads = [Message("Place"), *_LEFT, Message("Chips") if by_chips else Message("Points")]
    names = record.names or ("",) * record.players
    rows = [
        [_place(result.places, seat), record.seats[seat], names[seat], str(amounts[seat])]
        for seat in range(record.players)
    ]
    if result.net is not None:
        heads.append(Message("Settlement"))
        rows = [[*row, format_signed(net)] for row, net in zip(rows, result.net, strict=True)]
    pays = result.payout is not None and any(result.payout.amounts)
    if result.payout is not None and pays:
        heads.append(Message("Money") if result.net is not None else Message("Payout"))
        currency = currency_of(rules, record)
        paid = (money(amount, currency) for amount in result.payout.amounts)
        rows = [[*row, amount] for row, amount in zip(rows, paid, strict=True)]
    order = sorted(range(record.players), key=lambda seat: result.places[seat])
    yield from _table(heads, [rows[seat] for seat in order])
    if result.left:
        yield [(Message("{chips} left in the pot", chips=result.left), "yellow")]
    if result.payout is not None and result.payout.fund:
        fund = money(result.payout.fund, currency_of(rules, record))
        yield [(Message("{amount} to the club", amount=fund), "yellow")]


def _place(places: Sequence[int], seat: int) -> str:
    tied = len(set(places)) < len(places)
    return f"{places[seat]}{'=' if places.count(places[seat]) > 1 else ' ' * tied}"


def totals(record: HandRecord) -> Iterator[Line]:
    """The result of a whole game as its record has it; empty columns are left out."""
    rows = record.totals or ()
    named: dict[str, list[Any]] = {
        Message("Place"): [row.rank for row in rows],
        Message("Seat"): [record.seats[row.seat] for row in rows],
        Message("Player"): [_name(record, row) for row in rows],
        Message("Points"): ["" if row.total is None else str(row.total) for row in rows],
        Message("Average"): [row.average or "" for row in rows],
        Message("Settlement"): [row.settlement or "" for row in rows],
        Message("Cash"): [row.cash or "" for row in rows],
    }
    heads = [name for name, cells in named.items() if any(cells)]
    cells = [[named[name][at] for name in heads] for at in range(len(rows))]
    yield from _table(heads, cells)


def _name(record: HandRecord, row: TotalRow) -> str:
    return row.name or (record.names[row.seat] if record.names else "")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[Line]:
    cells = [[fit(visible(cell), _NAME_WIDTH) for cell in row] for row in rows]
    titles = [say(head) for head in heads]
    widths = [max(map(count_columns, column)) for column in zip(titles, *cells, strict=True)]
    head = _row(heads, titles, widths)
    yield [(head.rstrip(), "bold")]
    yield [("─" * count_columns(head), "dim")]
    for row in cells:
        first = row[0].startswith("1")
        yield [(_row(heads, row, widths).rstrip(), "green" if first else "")]


def _row(heads: Sequence[str], row: Sequence[str], widths: Sequence[int]) -> str:
    return "  ".join(
        pad(cell, width) if name in _LEFT else " " * (width - count_columns(cell)) + cell
        for name, cell, width in zip(heads, row, widths, strict=True)
    )
