"""Hands: one hand drawn in the terminal, from the deal to the settlement.

It is drawn from the same report that the page shows and the API sends.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from ..core.faults import Severity
from ..core.messages import NO_MESSAGE, Message, PluralMessage
from ..core.seats import direction_name
from ..rules.switches import Toggle
from ..verdicts.judge import Judged
from ..verdicts.report import report_record
from .cards import card, cards, suit
from .diagnostics import STYLES
from .diagram import diagram
from .games import event_words
from .language import say
from .screen import Line, Part, visible
from .settlement import TableWidths, block_of, columns_of, wrap_text
from .tricks import before_trick, trick_by_play, tricks_of

Plain = Mapping[str, Any]
_TWO_DIGITS: Final = 10


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
    yield [(Message("Before trick {number}", number=number), "bold")]
    held = before_trick(plain, number)
    if held is not None:
        yield from diagram(held, plain["players"], plain["dealer"])
    else:
        yield [("  ", ""), (Message("The hands are not known."), "dim")]
    yield []
    yield [
        (Message("Trick {number} of {count}", number=number, count=len(plain["tricks"])), "bold")
    ]
    yield from trick_by_play(plain, number, width)


def trick_count(judged: Judged) -> int:
    """Return the number of complete tricks played, as far as is known."""
    return len(judged.result.replay.tricks) if judged.result is not None else 0


def _report(judged: Judged) -> Plain:
    rules = judged.rules
    return report_record(judged) | {"queen": rules is not None and rules.queen is Toggle.ON}


def _title(judged: Judged, plain: Plain) -> Iterator[Line]:
    title = Message("Record {number}", number=judged.entry.number)
    if plain["number"]:
        title = Message("Hand {number}", number=plain["number"])
    words = event_words(judged)
    yield [(title, "bold"), (f" · {words}" if words else "", "")]
    rules = plain["rules"]
    parts: list[Part] = [(rules["title"], "cyan")] if rules else []
    if plain["dealer"]:
        parts += [(" · ", ""), (Message("{seat} deals", seat=plain["dealer"]), "")]
    if plain["pain"]:
        parts += [(" · ", ""), (Message("pain suit"), ""), (" ", ""), suit(plain["pain"])]
    if plain["jackpot"]:
        jackpot = Message("jackpot hand {number}", number=plain["jackpot"])
        parts += [(" · ", ""), (jackpot, "bold")]
    yield parts


def _deal(plain: Plain) -> Iterator[Line]:
    first = plain["deal"] or plain["held"]
    if first is None:
        return
    yield []
    moved = plain["deal"] and plain["held"] and plain["held"] != plain["deal"]
    if moved or not plain["deal"]:
        deal, played = Message("At the deal"), Message("At the first lead, from the play")
        yield [(deal if plain["deal"] else played, "bold")]
    yield from diagram(first, plain["players"], plain["dealer"])
    if moved:
        yield from _moves(plain)
        yield []
        yield [(Message("At the first lead"), "bold")]
        yield from diagram(plain["held"], plain["players"], plain["dealer"])


def _moves(plain: Plain) -> Iterator[Line]:
    """Yield moves of cards before the play: papers, passes, the centre."""
    yield []
    if plain["papers"]:
        papers = "   ".join(f"{seat} {paper}" for seat, paper in plain["papers"].items())
        yield [_label(Message("Insurance")), (papers, "")]
    for at, passed in enumerate(plain["exchange"] or ()):
        direction = direction_name(plain["passing"] or "")
        label = _label(Message("Pass {direction}", direction=direction) if at == 0 else NO_MESSAGE)
        between = Message("{seat} to {other}", seat=passed["from"], other=passed["to"])
        yield [label, (between, ""), ("  ", ""), *cards(passed["cards"])]
    if plain["centre"]:
        yield [_label(Message("Centre")), *cards(plain["centre"])]
    for bid in plain["centre_bids"] or ():
        yield _centre_bid(bid)


def _centre_bid(bid: Plain) -> Line:
    line: list[Part] = [(" " * 12, ""), (f"{bid['seat']:<2} ", "")]
    if bid["card"]:
        line += [(Message("bids {bid} for", bid=bid["bid"]), ""), (" ", ""), card(bid["card"])]
    else:
        line += [(Message("bids nothing"), "dim"), (" ", "")]
    if bid["shown"]:
        line += [("  ", ""), (Message("shows"), "dim"), (" ", ""), card(bid["shown"])]
    if bid["got"]:
        line += [("  ", ""), (Message("gets"), "dim"), (" ", ""), card(bid["got"])]
        line += [("  ", ""), (Message("pays {chips}", chips=bid["pays"]), "dim")]
    return line


def _lead_up(plain: Plain) -> Iterator[Line]:
    """The papers and the calls before the play, where the diagram has not told of them."""
    moved = plain["deal"] and plain["held"] and plain["held"] != plain["deal"]
    if not moved and (plain["papers"] or plain["exchange"] or plain["centre_bids"]):
        yield from _moves(plain)
    if plain["auction"]:
        calls = "   ".join(f"{one['seat']} {one['call']}" for one in plain["auction"])
        yield []
        yield [_label(Message("Auction")), (calls, "")]
    if plain["pain"] and (plain["bidder"] or plain["namer"]):
        seat = plain["bidder"] or plain["namer"]
        by = Message("by {seat}, for the jackpot", seat=seat)
        if plain["bidder"]:
            by = Message("by {seat} for {bid}", seat=seat, bid=plain["bid"])
        yield [_label(Message("Pain suit")), suit(plain["pain"]), (" ", ""), (by, "")]


def _label(message: Message) -> Part:
    return f"{say(message):<11} ", "bold"


def _claim(plain: Plain) -> Iterator[Line]:
    claim = plain["claim"]
    words = PluralMessage(
        "{seat} claims after {count} trick",
        "{seat} claims after {count} tricks",
        seat=claim["seat"],
        count=claim["tricks"],
    )
    yield [("       ", ""), (words, "bold")]


def _captures(plain: Plain) -> Iterator[Line]:
    rows = plain["captures"]
    if not rows:
        return
    yield []
    yield [(Message("Captured"), "bold")]
    for seat, row in rows.items():
        tricks = "" if row["tricks"] is None else _count_tricks(row["tricks"])
        line: list[Part] = [(f"  {seat:<2}  ", "bold"), (tricks, "dim")]
        yield [*line, *_format_captures(row)]


def _count_tricks(count: int) -> str:
    words = say(PluralMessage("{count} trick", "{count} tricks", count=count))
    return f"{' ' if count < _TWO_DIGITS else ''}{words:<8}  "


def _format_captures(row: Plain) -> list[Part]:
    if row["cards"] is not None:
        return [*cards(row["cards"])]
    if row["queen"]:
        words = Message("{count} of the suit and the queen of spades", count=row["pain"])
    else:
        words = Message("{count} of the suit", count=row["pain"])
    return [(words, "")]


def _rulings(plain: Plain, width: int) -> Iterator[Line]:
    if plain["rulings"]:
        yield []
        yield [(Message("Rulings"), "bold")]
    for ruling in plain["rulings"]:
        whose: str = ruling["seat"] or Message("table")
        if ruling["trick"] is not None:
            whose = Message("trick {number}, {seat}", number=ruling["trick"], seat=whose)
        words = f"{say(whose)}: {ruling['code']} {ruling['points']:+}"
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
    """Yield findings outside the tricks."""
    others = [diagnostic for diagnostic in plain["diagnostics"] if diagnostic["trick"] is None]
    if others:
        yield []
        yield [(Message("Found"), "bold")]
    for other in others:
        words = Message(
            "{severity} {rule}, line {line}: {message}",
            severity=Severity.of(other["severity"]).words,
            rule=other["rule"],
            line=other["line"],
            message=other["message"],
        )
        for at, piece in enumerate(wrap_text(visible(say(words)), width - 4)):
            yield [("  " if at == 0 else "    ", ""), (piece, STYLES[other["severity"]])]
