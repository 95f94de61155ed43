"""The switches by name: how a value is written, read and checked alone (rules.md 7).

A value has one text, which stands in the Rules tag of a record, in JSON, in a form and on the
rule sheet. What values cannot go together is for `engine.rules.rules` to say.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from engine.cards import PACK, CardSet, parse_cards, show
from engine.rules import switches
from engine.rules.switches import Cap, Choice, Ends
from engine.seats import pass_places


class Players(NamedTuple):
    """How many may sit down: from ``least`` to ``most``.

    >>> str(Players(3, 6)), str(Players(4, 4))
    ('3 to 6', '4')
    """

    least: int
    most: int

    def __str__(self) -> str:
        """The range in words, for messages; one number where both are the same."""
        return f"{self.least}" if self.least == self.most else f"{self.least} to {self.most}"


class Length(NamedTuple):
    """When a game ends; ``count`` is a number of hands or orbits where that is the measure."""

    ends: Ends
    number: int = 0


class Unplayed(NamedTuple):
    """What a hand that was not played is worth: ``none``, ``table_average`` or ``penalty``."""

    kind: str
    points: int = 0


Strip = tuple[tuple[int, CardSet], ...]
"""The cards left out of the pack, by number of players."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One house rule: its name, the ids in rules.md, the question it answers, and its values.

    ``read`` makes a value of text and raises ValueError; ``write`` is its inverse; ``choices``
    are the texts to choose from (a ``n`` in one stands for a number); ``say`` puts a value into
    plain words.
    """

    name: str
    ids: str
    question: str
    choices: tuple[str, ...]
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    say: Callable[[Any], str]


def _whole(text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most):
        raise ValueError(f"a whole number from {least} to {most} is needed")
    return int(text)


def _choice(name: str, ids: str, question: str, kind: type[Choice]) -> Switch:
    return Switch(name, ids, question, tuple(kind), kind.of, str, lambda value: value.words)


_CHIPS: Final = ("One chip.", "{} chips.")
_CARDS: Final = ("One card.", "{} cards.")
_POINTS: Final = ("One point.", "{} points.")
_HOURS: Final = ("One hour.", "{} hours.")
_MINOR_UNITS: Final = ("{}.", "{}.")


def _say_number(value: int, units: tuple[str, str]) -> str:
    """So many of a unit, which is named for one and for more; an amount of 0 is nothing."""
    if units is _MINOR_UNITS and value == 0:
        return "Nothing is paid."
    return units[value != 1].format(value)


def _number(
    name: str,
    ids: str,
    question: str,
    units: tuple[str, str],
    bounds: tuple[int, int] = (0, 999_999_999),
) -> Switch:
    return Switch(
        name,
        ids,
        question,
        ("n",),
        lambda text: _whole(text, *bounds),
        str,
        lambda value: _say_number(value, units),
    )


def _read_players(text: str) -> Players:
    least, dots, most = text.replace("-", "..").partition("..")
    low = _whole(least, 3, 6)
    high = _whole(most, 3, 6) if dots else low
    if low > high:
        raise ValueError("the smaller number comes first, such as 3..6")
    return Players(low, high)


def _write_players(value: Players) -> str:
    return str(value.least) if value.least == value.most else f"{value.least}..{value.most}"


def _read_strip(text: str) -> Strip:
    rows = {}
    for row in text.split(",") if text not in ("", "none") else ():
        players, colon, cards = row.partition(":")
        if not colon:
            raise ValueError("write number:cards, such as 3:D2,5:D2C2")
        rows[_whole(players, 3, 6)] = parse_cards(cards)
    return tuple(sorted(rows.items()))


def _write_strip(value: Strip) -> str:
    return ",".join(f"{players}:{show(cards)}" for players, cards in value) or "none"


def _say_strip(value: Strip) -> str:
    rows = [f"{show(cards)} with {players} players" for players, cards in value if cards & PACK]
    return "; ".join(rows) + "." if rows else "No card is left out."


def _read_cycle(text: str) -> tuple[str, ...]:
    cycle = tuple(text.split(","))
    for direction in cycle:
        if all(_no_direction(direction, players) for players in range(3, 7)):
            raise ValueError(f"{direction!r} is not left, right, across, hold or k and a number")
    return cycle


def _no_direction(direction: str, players: int) -> bool:
    try:
        pass_places(direction, players)
    except ValueError:
        return True
    return False


def _read_cap(text: str) -> int | Cap:
    return Cap(text) if text in ("stack", "none") else _whole(text, 0, 999_999)


def _write_cap(value: int | Cap) -> str:
    return value.value if isinstance(value, Cap) else str(value)


def _say_cap(value: int | Cap) -> str:
    if value is Cap.STACK:
        return "The chips that the bidder holds."
    return "None." if value is Cap.NONE else f"{value}."


def _read_centre_cap(text: str) -> int | Cap:
    return Cap.NONE if text == "none" else _whole(text, 0, 999_999)


def _read_length(text: str) -> Length:
    word, colon, number = text.partition(":")
    try:
        ends = Ends.of(word)
    except ValueError:
        raise ValueError("one of " + ", ".join(LENGTHS) + " is needed") from None
    if (ends in (Ends.HANDS, Ends.DEALER_ORBITS)) != bool(colon):
        raise ValueError("a number belongs to hands and dealer_orbits only, such as hands:12")
    return Length(ends, _whole(number, 1, 9999) if colon else 0)


def _write_length(value: Length) -> str:
    return f"{value.ends}:{value.number}" if value.number else str(value.ends)


def _say_length(value: Length) -> str:
    return f"{value.ends.words.capitalize()}{f': {value.number}' if value.number else ''}."


LENGTHS: Final = ("bust", "hands:n", "dealer_orbits:n", "time", "session", "limit")


def _read_unplayed(text: str) -> Unplayed:
    word, colon, number = text.partition(":")
    if word in ("none", "table_average") and not colon:
        return Unplayed(word)
    if word == "penalty" and colon:
        return Unplayed(word, _whole(number, 0, 9999))
    raise ValueError("one of none, table_average, penalty:n is needed")


def _write_unplayed(value: Unplayed) -> str:
    return f"penalty:{value.points}" if value.kind == "penalty" else value.kind


def _say_unplayed(value: Unplayed) -> str:
    words = {
        "none": "No score and no chips.",
        "table_average": "The average of the table's other hands.",
        "penalty": f"A penalty of {value.points} points to everybody.",
    }
    return words[value.kind]


def _read_period(text: str) -> str:
    hours = text.removeprefix("PT").removesuffix("H")
    if text not in (hours, f"PT{hours}H"):
        raise ValueError("a number of hours is needed, such as 24")
    return f"PT{_whole(hours, 0, 9999)}H"


def _say_period(value: str) -> str:
    return _say_number(int(value.removeprefix("PT").removesuffix("H")), _HOURS)


def _read_currency(text: str) -> str:
    if text != "none" and not (
        text.isascii() and text.isalpha() and text.isupper() and len(text) == 3
    ):
        raise ValueError("a three-letter currency code is needed, such as EUR, or none")
    return text


def _say_currency(value: str) -> str:
    return "None: no money is played for." if value == "none" else f"{value}."


_BY_NAME = (
    Switch(
        "players",
        "A1 B1 C1 Q20 Q43",
        "How many play?",
        ("3..6",),
        _read_players,
        _write_players,
        lambda value: _write_players(value).replace("..", " to ") + ".",
    ),
    Switch(
        "strip",
        "K3 B1 E1 Q30",
        "Which cards are left out of the pack?",
        ("none", "3:D2,5:D2C2"),
        _read_strip,
        _write_strip,
        _say_strip,
    ),
    _choice("settlement", "A7 B6 C6 D6", "What is played for?", switches.SettledBy),
    _choice("pain", "A3 B5 C4", "Which suit is to be avoided?", switches.PainBy),
    _choice("queen", "D6 E6", "Does the queen of spades count 13?", switches.Toggle),
    _choice("first_leader", "A4 B3 C5 D3 E3 Q06 Q07", "Who leads first?", switches.FirstLeader),
    _choice("first_trick_penalty", "A5 D4 E4 Q18 Q36", "The first trick?", switches.FirstTrick),
    _choice("pain_lead", "A6 D5 E5 Q18 Q38", "When may the pain suit be led?", switches.PainLead),
    _choice("broken_by", "A6 D5 E5 Q37", "What breaks the suit?", switches.BrokenBy),
    _choice(
        "hearts_plus_queen", "D5 Q39a", "Only hearts and the queen left?", switches.HeartsPlusQueen
    ),
    _choice(
        "misdeal_if_all_forbidden",
        "Q19",
        "A hand of only forbidden cards is a misdeal?",
        switches.Toggle,
    ),
    _choice("bid_order", "A3 C3 Q02", "In which order are bids made?", switches.BidOrder),
    _number("min_bid", "Q03", "What is the lowest bid?", _CHIPS, (0, 999_999)),
    Switch(
        "max_bid",
        "Q04",
        "What is the highest bid?",
        ("stack", "none", "n"),
        _read_cap,
        _write_cap,
        _say_cap,
    ),
    _choice("all_pass", "Q01", "What if everybody passes?", switches.AllPass),
    _choice("zero_clean", "A7.3 Q13", "What if nobody is clean?", switches.ZeroClean),
    _choice(
        "three_player_sweep", "C6.5 Q15", "A sweep with three players?", switches.ThreePlayerSweep
    ),
    _choice("odd_chip", "A7.2 Q12 Q17", "What becomes of an odd chip?", switches.OddChip),
    _choice(
        "jackpot_namer", "A8 Q11", "Who names the suit of a jackpot hand?", switches.JackpotNamer
    ),
    _choice(
        "jackpot_suit", "Q08", "Which suit may be named in a jackpot hand?", switches.JackpotSuit
    ),
    _choice("jackpot_split", "Q11b", "May a jackpot be divided?", switches.JackpotSplit),
    _choice("moon_all_tricks", "Q21", "All the tricks?", switches.MoonAllTricks),
    _choice("moon", "D7 E6 Q39b Q40", "All the points?", switches.Moon),
    _choice("passing", "D2 E2 Q41", "Are cards passed?", switches.Passing),
    Switch(
        "pass_cycle",
        "D2 Q41",
        "In which directions?",
        ("left,right,across,hold",),
        _read_cycle,
        ",".join,
        lambda value: ", ".join(value) + ".",
    ),
    _number("pass_count", "D2 Q41", "How many cards are passed?", _CARDS, (1, 9)),
    _choice("insurance", "D10 D11 D12", "Is insurance written?", switches.Toggle),
    _choice("bad_paper", "Q44", "A wrong insurance paper?", switches.BadPaper),
    _choice(
        "moon_own_insurance",
        "Q45",
        "On a moon, do the others add their own insurance?",
        switches.Toggle,
    ),
    _choice(
        "centre_auction", "D20 D21", "Are four cards auctioned in the centre?", switches.Toggle
    ),
    _choice("bad_bid", "Q50", "A wrong centre bid?", switches.BadBid),
    Switch(
        "max_centre_bid",
        "Q51",
        "The highest centre bid?",
        ("none", "n"),
        _read_centre_cap,
        _write_cap,
        _say_cap,
    ),
    _choice("bid_points_on_moon", "Q49", "Centre bids on a moon?", switches.BidPointsOnMoon),
    _choice("foot", "D30 D31 D32", "May a foot be called, once a game?", switches.Toggle),
    Switch(
        "length",
        "A9.3 Q28",
        "When does the game end?",
        LENGTHS,
        _read_length,
        _write_length,
        _say_length,
    ),
    _number("limit", "D8 E7 Q42", "At how many points?", _POINTS, (1, 999_999)),
    _number("starting_chips", "A1 C2 Q35", "How many chips to begin with?", _CHIPS, (1, 999_999)),
    _choice("insolvency", "A9.2 Q22", "Too few chips to pay?", switches.Insolvency),
    _choice("end_pot", "Q25 Q29", "A pot left at the end?", switches.EndPot),
    _choice("spare_units", "Q26", "Cents that cannot be divided?", switches.SpareUnits),
    _choice("tie", "A10 Q27 Q33", "A tie for the first place?", switches.Tie),
    _choice("tiebreak", "Q21", "What separates equal results?", switches.Tiebreak),
    _choice("average_each", "B6", "When is the average settled?", switches.AverageEach),
    _choice("average_rounding", "B6 Q31", "Fractions of a point?", switches.AverageRounding),
    _choice("prize", "E8 Q33 Q34", "What is the prize?", switches.Prize),
    _number("ante", "E8", "What does everybody ante (minor units)?", _MINOR_UNITS),
    _number("buy_in", "A1 A11", "What do the chips cost (minor units)?", _MINOR_UNITS),
    _number("unit", "Q31", "What is a point worth (minor units)?", _MINOR_UNITS),
    Switch("currency", "A11", "In which currency?", ("EUR",), _read_currency, str, _say_currency),
    _choice("claims", "Q65", "Are claims allowed?", switches.Claims),
    _choice("revoke_law", "section 8", "What does a revoke cost?", switches.RevokeLaw),
    _choice("credit", "Q62", "Whose is a substitute's result?", switches.Credit),
    Switch(
        "unplayed",
        "Q63",
        "A hand that was not played?",
        ("none", "table_average", "penalty:n"),
        _read_unplayed,
        _write_unplayed,
        _say_unplayed,
    ),
    Switch(
        "correction_period",
        "Q64",
        "How long may a result be corrected?",
        ("PT24H",),
        _read_period,
        str,
        _say_period,
    ),
)

SWITCHES: Final = {switch.name: switch for switch in _BY_NAME}
"""All switches by name, in the order of a rule sheet."""

ALIASES: Final = {"pain_first_trick": "first_trick_penalty"}
"""Other names under which a switch is read, from notation.md 3.1."""
