"""Hands: one hand drawn in the terminal, from the deal to the settlement.

It is drawn from the same report that the page shows and the API sends.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from engine.cli.cards import card, cards, suit
from engine.cli.diagnostics import STYLES
from engine.cli.diagram import diagram
from engine.cli.games import event_words
from engine.cli.screen import Line, Part, visible
from engine.cli.settlement import TableWidths, block_of, columns_of, wrap_text
from engine.cli.tricks import before_trick, trick_by_play, tricks_of
from engine.judge import Judged
from engine.report import report_record
from engine.rules.switches import Toggle

Plain = Mapping[str, Any]


def hand_lines(judged: Judged, width: int) -> Iterator[Line]:
    """A whole hand."""
    plain = _report(judged)
    yield from _title(judged, plain)
    yield from _deal(plain)
    yield from _lead_up(plain)
    if plain["tricks"]:
        yield []
        yield from tricks_of(plain, width)
    if plain["claim"]:
        yield from _claim(plain)
    yield from _captures(plain)
    yield from _rulings(plain, width)
    yield from _format_settlement(judged, plain, width)
    yield from _other_findings(plain, width)


def trick_lines(judged: Judged, number: int, width: int) -> Iterator[Line]:
    """One trick: the cards held before it, and what everybody played and could have played."""
    plain = _report(judged)
    yield from _title(judged, plain)
    yield []
    yield [(f"Before trick {number}", "bold")]
    held = before_trick(plain, number)
    if held is not None:
        yield from diagram(held, plain["players"], plain["dealer"])
    else:
        yield [("  The hands are not known.", "dim")]
    yield []
    yield [(f"Trick {number} of {len(plain['tricks'])}", "bold")]
    yield from trick_by_play(plain, number, width)


def trick_count(judged: Judged) -> int:
    """How many complete tricks were played, as far as is known."""
    return len(judged.result.replay.tricks) if judged.result is not None else 0


def _report(judged: Judged) -> Plain:
    rules = judged.rules
    return report_record(judged) | {"queen": rules is not None and rules.queen is Toggle.ON}


def _title(judged: Judged, plain: Plain) -> Iterator[Line]:
    number = f"Hand {plain['number']}" if plain["number"] else f"Record {judged.entry.number}"
    words = event_words(judged)
    yield [(number, "bold"), (f" · {words}" if words else "", "")]
    rules = plain["rules"]
    parts: list[Part] = [(rules["title"], "cyan")] if rules else []
    if plain["dealer"]:
        parts.append((f" · {plain['dealer']} deals", ""))
    if plain["pain"]:
        parts += [(" · pain suit ", ""), suit(plain["pain"])]
    if plain["jackpot"]:
        parts.append((f" · jackpot hand {plain['jackpot']}", "bold"))
    yield parts


def _deal(plain: Plain) -> Iterator[Line]:
    first = plain["deal"] or plain["held"]
    if first is None:
        return
    yield []
    moved = plain["deal"] and plain["held"] and plain["held"] != plain["deal"]
    if moved or not plain["deal"]:
        words = "At the deal" if plain["deal"] else "At the first lead, from the play"
        yield [(words, "bold")]
    yield from diagram(first, plain["players"], plain["dealer"])
    if moved:
        yield from _moves(plain)
        yield []
        yield [("At the first lead", "bold")]
        yield from diagram(plain["held"], plain["players"], plain["dealer"])


def _moves(plain: Plain) -> Iterator[Line]:
    """What changed hands before the play: papers, passes, the centre."""
    yield []
    if plain["papers"]:
        papers = "   ".join(f"{seat} {paper}" for seat, paper in plain["papers"].items())
        yield [("Insurance   ", "bold"), (papers, "")]
    for at, passed in enumerate(plain["exchange"] or ()):
        label = f"Pass {plain['passing'] or ''}" if at == 0 else ""
        line: list[Part] = [(f"{label:<12}", "bold"), (f"{passed['from']} to {passed['to']}  ", "")]
        yield [*line, *cards(passed["cards"])]
    if plain["centre"]:
        yield [("Centre      ", "bold"), *cards(plain["centre"])]
    for bid in plain["centre_bids"] or ():
        yield _centre_bid(bid)


def _centre_bid(bid: Plain) -> Line:
    line: list[Part] = [(" " * 12, ""), (f"{bid['seat']:<2} ", "")]
    if bid["card"]:
        line += [(f"bids {bid['bid']} for ", ""), card(bid["card"])]
    else:
        line.append(("bids nothing ", "dim"))
    if bid["shown"]:
        line += [("  shows ", "dim"), card(bid["shown"])]
    if bid["got"]:
        line += [("  gets ", "dim"), card(bid["got"]), (f"  pays {bid['pays']}", "dim")]
    return line


def _lead_up(plain: Plain) -> Iterator[Line]:
    """The papers and the calls before the play, where the diagram has not told of them."""
    moved = plain["deal"] and plain["held"] and plain["held"] != plain["deal"]
    if not moved and (plain["papers"] or plain["exchange"] or plain["centre_bids"]):
        yield from _moves(plain)
    if plain["auction"]:
        calls = "   ".join(f"{one['seat']} {one['call']}" for one in plain["auction"])
        yield []
        yield [("Auction     ", "bold"), (calls, "")]
    if plain["pain"] and (plain["bidder"] or plain["namer"]):
        seat = plain["bidder"] or plain["namer"]
        bid = f" for {plain['bid']}" if plain["bidder"] else ", for the jackpot"
        line: list[Part] = [("Pain suit   ", "bold"), suit(plain["pain"]), (f" by {seat}{bid}", "")]
        yield line


def _claim(plain: Plain) -> Iterator[Line]:
    claim = plain["claim"]
    yield [("       ", ""), (f"{claim['seat']} claims after {claim['tricks']} tricks", "bold")]


def _captures(plain: Plain) -> Iterator[Line]:
    rows = plain["captures"]
    if not rows:
        return
    yield []
    yield [("Captured", "bold")]
    for seat, row in rows.items():
        tricks = "" if row["tricks"] is None else _tricks(row["tricks"])
        line: list[Part] = [(f"  {seat:<2}  ", "bold"), (tricks, "dim")]
        yield [*line, *_format_captures(row)]


def _tricks(count: int) -> str:
    return f"{count:>2} {'trick ' if count == 1 else 'tricks'}  "


def _format_captures(row: Plain) -> list[Part]:
    if row["cards"] is not None:
        return [*cards(row["cards"])]
    queen = " and the queen of spades" if row["queen"] else ""
    return [(f"{row['pain']} of the suit{queen}", "")]


def _rulings(plain: Plain, width: int) -> Iterator[Line]:
    if plain["rulings"]:
        yield []
        yield [("Rulings", "bold")]
    for ruling in plain["rulings"]:
        where = f"trick {ruling['trick']}, " if ruling["trick"] is not None else ""
        words = f"{where}{ruling['seat'] or 'table'}: {ruling['code']} {ruling['points']:+}"
        for piece in wrap_text(visible(f"{words}: {ruling['text']}"), width - 2):
            yield [("  ", ""), (piece, "")]


def _format_settlement(judged: Judged, plain: Plain, width: int) -> Iterator[Line]:
    result, rules = judged.result, judged.rules
    if result is None or rules is None:
        return
    yield []
    block = block_of(judged)
    layout = TableWidths(columns_of(rules, result.replay.record.seats), [block])
    yield from layout.heading()
    yield from layout.lines(block, width)
    yield []
    for piece in wrap_text(plain["sentence"], width):
        yield [(piece, "bold")]


def _other_findings(plain: Plain, width: int) -> Iterator[Line]:
    """What is wrong outside the tricks."""
    others = [one for one in plain["diagnostics"] if one["trick"] is None]
    if others:
        yield []
        yield [("Found", "bold")]
    for one in others:
        words = f"{one['severity']} {one['rule']}, line {one['line']}: {one['message']}"
        for at, piece in enumerate(wrap_text(visible(words), width - 4)):
            yield [("  " if at == 0 else "    ", ""), (piece, STYLES[one["severity"]])]
