"""Tricks: the play of a hand, trick by trick, in the order of play."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ..core.messages import Message, PluralMessage
from .cards import card, cards
from .diagnostics import STYLES
from .language import say
from .screen import Line, Part, visible
from .settlement import wrap_text

Plain = Mapping[str, Any]
_MARGIN: Final = 7


def tricks_of(plain: Plain, width: int) -> Iterator[Line]:
    """All tricks of a reported record, and under each what was wrong with it."""
    yield [(Message("Trick  Lead first, * wins, ! is irregular"), "bold")]
    for trick in plain["tricks"]:
        yield _trick(trick, plain)
        for finding in _findings(plain, trick["number"]):
            yield from _finding(finding, width)


def trick_by_play(plain: Plain, number: int, width: int) -> Iterator[Line]:
    """One trick, card by card, with what was legal for each."""
    trick = plain["tricks"][number - 1]
    for play in trick["plays"]:
        leads = play["seat"] == trick["leader"]
        verb = say(Message("leads") if leads else Message("plays"))
        line: list[Part] = [(f"  {play['seat']:<2} {verb} ", ""), card(play["card"], "bold")]
        line.append((" !" if play["fault"] else "  ", "bold red"))
        if play["legal"]:
            line += [("   ", ""), (Message("legal:"), "dim"), (" ", ""), *cards(play["legal"])]
        yield line
    wins = say(Message("{seat} wins", seat=trick["winner"]))
    yield [("  ", ""), (f"{wins}{_costs(trick, plain)}", "bold")]
    for finding in _findings(plain, number):
        yield from _finding(finding, width)


def before_trick(plain: Plain, number: int) -> dict[str, str] | None:
    """The holdings before a trick, as far as they are known."""
    if plain["held"] is None:
        return None
    gone = {play["card"] for trick in plain["tricks"][: number - 1] for play in trick["plays"]}
    return {seat: _without(held, gone) for seat, held in plain["held"].items()}


def _without(held: str, gone: set[str]) -> str:
    letter, left = "", ""
    for sign in held.replace("-", ""):
        if sign in "SHDC":
            letter = sign
        elif letter + sign not in gone:
            left += letter + sign
    return left or "-"


def _trick(trick: Plain, plain: Plain) -> Line:
    line: list[Part] = [(f"{trick['number']:>5}  ", "dim")]
    for play in trick["plays"]:
        wins = play["seat"] == trick["winner"]
        style = "bold underline" if wins else ""
        line += [(f"{play['seat']:<2} ", "dim"), card(play["card"], style)]
        marks = ("*" if wins else "") + ("!" if play["fault"] else "")
        line.append((f"{marks:<2} ", "bold red" if play["fault"] else "bold"))
    line.append((f"{trick['winner']}{_costs(trick, plain)}", "bold"))
    return line


def _costs(trick: Plain, plain: Plain) -> str:
    """Return the price that the winner takes with the trick."""
    pain = trick["pain"]
    words: list[str] = [_count_suit(plain["pain"] or "H", pain)] if pain else []
    if plain["queen"] and any(play["card"] == "SQ" for play in trick["plays"]):
        words.append(Message("queen"))
    return "".join(f" +{say(word)}" for word in words)


def _count_suit(suit: str, count: int) -> Message:
    match suit:
        case "S":
            return PluralMessage("{count} spade", "{count} spades", count=count)
        case "D":
            return PluralMessage("{count} diamond", "{count} diamonds", count=count)
        case "C":
            return PluralMessage("{count} club", "{count} clubs", count=count)
        case _:
            return PluralMessage("{count} heart", "{count} hearts", count=count)


def _findings(plain: Plain, number: int) -> Sequence[Plain]:
    return [diagnostic for diagnostic in plain["diagnostics"] if diagnostic["trick"] == number]


def _finding(finding: Plain, width: int) -> Iterator[Line]:
    words = f"! {finding['rule']} {say(finding['message'])} ({finding['law']})"
    for piece in wrap_text(visible(words), width - _MARGIN):
        yield [(" " * _MARGIN, ""), (piece, STYLES[finding["severity"]])]
