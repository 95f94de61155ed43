"""The switches by name: how a value is written, read and checked alone (rules.md 7).

A value has one text, which stands in the Rules tag of a record, in JSON, in a form and on the
rule sheet. What values cannot go together is for `rules.rules` to say.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ..core.cards import PACK, CardSet, parse_cards, show
from ..core.messages import Choice, Message, MessageError, PluralMessage, Sentence, join_items
from ..core.seats import direction_name, pass_places
from . import switches
from .switches import Cap, Ends


class PlayerRange(NamedTuple):
    """The number of people who may sit down: from ``least`` to ``most``.

    >>> str(PlayerRange(3, 6)), str(PlayerRange(4, 4))
    ('3 to 6', '4')
    """

    least: int
    most: int

    def __str__(self) -> str:
        return str(self.in_words())

    def in_words(self) -> Message:
        """The range in a sentence; one number where both are the same."""
        if self.least == self.most:
            return Message("{number}", number=self.least)
        return Message("{least} to {most}", least=self.least, most=self.most)


class Length(NamedTuple):
    """When a game ends; ``count`` is a number of hands or orbits where that is the measure."""

    ends: Ends
    number: int = 0


class UnplayedScore(NamedTuple):
    """The worth of a hand that was not played: ``none``, ``table_average`` or ``penalty``."""

    kind: str
    points: int = 0


Strip = tuple[tuple[int, CardSet], ...]
"""The cards left out of the pack, by number of players."""


@dataclass(frozen=True, slots=True)
class Switch:
    """One house rule: its name, the ids in rules.md, the question it answers, and its values.

    ``read`` makes a value of text and raises MessageError; ``write`` is its inverse; ``choices``
    are the texts to choose from (a ``n`` in one stands for a number); ``say`` puts a value into
    plain words.
    """

    name: str
    ids: str
    question: Message
    choices: tuple[str, ...]
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    say: Callable[[Any], Message]


def _whole(text: str, least: int, most: int) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9 and least <= int(text) <= most):
        raise MessageError(
            Message("a whole number from {least} to {most} is needed", least=least, most=most)
        )
    return int(text)


def _choice(name: str, ids: str, question: Message, kind: type[Choice]) -> Switch:
    return Switch(name, ids, question, tuple(kind), kind.of, str, lambda value: value.words)


def _say_chips(value: int) -> Message:
    return PluralMessage("One chip.", "{count} chips.", count=value)


def _say_cards(value: int) -> Message:
    return PluralMessage("One card.", "{count} cards.", count=value)


def _say_points(value: int) -> Message:
    return PluralMessage("One point.", "{count} points.", count=value)


def _say_minor_units(value: int) -> Message:
    return Message("{amount}.", amount=value) if value else Message("Nothing is paid.")


def _number(
    name: str,
    ids: str,
    question: Message,
    say: Callable[[int], Message],
    bounds: tuple[int, int] = (0, 999_999_999),
) -> Switch:
    return Switch(name, ids, question, ("n",), lambda text: _whole(text, *bounds), str, say)


def _read_players(text: str) -> PlayerRange:
    least, dots, most = text.replace("-", "..").partition("..")
    low = _whole(least, 3, 6)
    high = _whole(most, 3, 6) if dots else low
    if low > high:
        raise MessageError(Message("the smaller number comes first, such as 3..6"))
    return PlayerRange(low, high)


def _write_players(value: PlayerRange) -> str:
    return str(value.least) if value.least == value.most else f"{value.least}..{value.most}"


def _read_strip(text: str) -> Strip:
    rows = {}
    for row in text.split(",") if text not in ("", "none") else ():
        players, colon, cards = row.partition(":")
        if not colon:
            raise MessageError(Message("write number:cards, such as 3:D2,5:D2C2"))
        rows[_whole(players, 3, 6)] = parse_cards(cards)
    return tuple(sorted(rows.items()))


def _write_strip(value: Strip) -> str:
    return ",".join(f"{players}:{show(cards)}" for players, cards in value) or "none"


def _say_strip(value: Strip) -> Message:
    rows = [
        Message("{cards} with {players} players", cards=show(cards), players=players)
        for players, cards in value
        if cards & PACK
    ]
    if not rows:
        return Message("No card is left out.")
    whole, *rest = rows
    for row in rest:
        whole = Message("{rows}; {last}", rows=whole, last=row)
    return Message("{rows}.", rows=whole)


def _read_cycle(text: str) -> tuple[str, ...]:
    cycle = tuple(text.split(","))
    for direction in cycle:
        if all(_no_direction(direction, players) for players in range(3, 7)):
            raise MessageError(
                Message(
                    "{direction} is not left, right, across, hold or k and a number",
                    direction=repr(direction),
                )
            )
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


def _say_cap(value: int | Cap) -> Message:
    if value is Cap.STACK:
        return Message("The chips that the bidder holds.")
    return Message("None.") if value is Cap.NONE else Message("{number}.", number=value)


def _read_centre_cap(text: str) -> int | Cap:
    return Cap.NONE if text == "none" else _whole(text, 0, 999_999)


def _read_length(text: str) -> Length:
    word, colon, number = text.partition(":")
    try:
        ends = Ends.of(word)
    except ValueError:
        raise MessageError(Message("one of {words} is needed", words=", ".join(LENGTHS))) from None
    if (ends in (Ends.HANDS, Ends.DEALER_ORBITS)) != bool(colon):
        raise MessageError(
            Message("a number belongs to hands and dealer_orbits only, such as hands:12")
        )
    return Length(ends, _whole(number, 1, 9999) if colon else 0)


def _write_length(value: Length) -> str:
    return f"{value.ends}:{value.number}" if value.number else str(value.ends)


def _say_length(value: Length) -> Message:
    words = value.ends.words
    if value.number:
        words = Message("{when}: {number}", when=words, number=value.number)
    return Sentence(words)


LENGTHS: Final = ("bust", "hands:n", "dealer_orbits:n", "time", "session", "limit")


def _read_unplayed(text: str) -> UnplayedScore:
    word, colon, number = text.partition(":")
    if word in ("none", "table_average") and not colon:
        return UnplayedScore(word)
    if word == "penalty" and colon:
        return UnplayedScore(word, _whole(number, 0, 9999))
    raise MessageError(Message("one of none, table_average, penalty:n is needed"))


def _write_unplayed(value: UnplayedScore) -> str:
    return f"penalty:{value.points}" if value.kind == "penalty" else value.kind


def _say_unplayed(value: UnplayedScore) -> Message:
    words = {
        "none": Message("No score and no chips."),
        "table_average": Message("The average of the table's other hands."),
        "penalty": Message("A penalty of {points} points to everybody.", points=value.points),
    }
    return words[value.kind]


def _read_period(text: str) -> str:
    hours = text.removeprefix("PT").removesuffix("H")
    if text not in (hours, f"PT{hours}H"):
        raise MessageError(Message("a number of hours is needed, such as 24"))
    return f"PT{_whole(hours, 0, 9999)}H"


def _say_period(value: str) -> Message:
    hours = int(value.removeprefix("PT").removesuffix("H"))
    return PluralMessage("One hour.", "{count} hours.", count=hours)


def _read_currency(text: str) -> str:
    if text != "none" and not (
        text.isascii() and text.isalpha() and text.isupper() and len(text) == 3
    ):
        raise MessageError(Message("a three-letter currency code is needed, such as EUR, or none"))
    return text


def _say_currency(value: str) -> Message:
    if value == "none":
        return Message("None: no money is played for.")
    return Message("{currency}.", currency=value)


_BY_NAME = (
    Switch(
        "players",
        "A1 B1 C1 Q20 Q43",
        Message("How many play?"),
        ("3..6",),
        _read_players,
        _write_players,
        lambda value: Message("{players}.", players=value.in_words()),
    ),
    Switch(
        "strip",
        "K3 B1 E1 Q30",
        Message("Which cards are left out of the pack?"),
        ("none", "3:D2,5:D2C2"),
        _read_strip,
        _write_strip,
        _say_strip,
    ),
    _choice("settlement", "A7 B6 C6 D6", Message("What is played for?"), switches.SettledBy),
    _choice("pain", "A3 B5 C4", Message("Which suit is to be avoided?"), switches.PainBy),
    _choice("queen", "D6 E6", Message("Does the queen of spades count 13?"), switches.Toggle),
    _choice(
        "first_leader", "A4 B3 C5 D3 E3 Q06 Q07", Message("Who leads first?"), switches.FirstLeader
    ),
    _choice(
        "first_trick_penalty", "A5 D4 E4 Q18 Q36", Message("The first trick?"), switches.FirstTrick
    ),
    _choice(
        "pain_lead",
        "A6 D5 E5 Q18 Q38",
        Message("When may the pain suit be led?"),
        switches.PainLead,
    ),
    _choice("broken_by", "A6 D5 E5 Q37", Message("What breaks the suit?"), switches.BrokenBy),
    _choice(
        "hearts_plus_queen",
        "D5 Q39a",
        Message("Only hearts and the queen left?"),
        switches.HeartsPlusQueen,
    ),
    _choice(
        "misdeal_if_all_forbidden",
        "Q19",
        Message("A hand of only forbidden cards is a misdeal?"),
        switches.Toggle,
    ),
    _choice("bid_order", "A3 C3 Q02", Message("In which order are bids made?"), switches.BidOrder),
    _number("min_bid", "Q03", Message("What is the lowest bid?"), _say_chips, (0, 999_999)),
    Switch(
        "max_bid",
        "Q04",
        Message("What is the highest bid?"),
        ("stack", "none", "n"),
        _read_cap,
        _write_cap,
        _say_cap,
    ),
    _choice("all_pass", "Q01", Message("What if everybody passes?"), switches.AllPass),
    _choice("zero_clean", "A7.3 Q13", Message("What if nobody is clean?"), switches.ZeroClean),
    _choice(
        "three_player_sweep",
        "C6.5 Q15",
        Message("A sweep with three players?"),
        switches.ThreePlayerSweep,
    ),
    _choice("odd_chip", "A7.2 Q12 Q17", Message("What becomes of an odd chip?"), switches.OddChip),
    _choice(
        "jackpot_namer",
        "A8 Q11",
        Message("Who names the suit of a jackpot hand?"),
        switches.JackpotNamer,
    ),
    _choice(
        "jackpot_suit",
        "Q08",
        Message("Which suit may be named in a jackpot hand?"),
        switches.JackpotSuit,
    ),
    _choice("jackpot_split", "Q11b", Message("May a jackpot be divided?"), switches.JackpotSplit),
    _choice("moon_all_tricks", "Q21", Message("All the tricks?"), switches.MoonAllTricks),
    _choice("moon", "D7 E6 Q39b Q40", Message("All the points?"), switches.Moon),
    _choice("passing", "D2 E2 Q41", Message("Are cards passed?"), switches.Passing),
    Switch(
        "pass_cycle",
        "D2 Q41",
        Message("In which directions?"),
        ("left,right,across,hold",),
        _read_cycle,
        ",".join,
        lambda value: Message(
            "{directions}.", directions=join_items(list(map(direction_name, value)))
        ),
    ),
    _number("pass_count", "D2 Q41", Message("How many cards are passed?"), _say_cards, (1, 9)),
    _choice("insurance", "D10 D11 D12", Message("Is insurance written?"), switches.Toggle),
    _choice("bad_paper", "Q44", Message("A wrong insurance paper?"), switches.BadPaper),
    _choice(
        "moon_own_insurance",
        "Q45",
        Message("On a moon, do the others add their own insurance?"),
        switches.Toggle,
    ),
    _choice(
        "centre_auction",
        "D20 D21",
        Message("Are four cards auctioned in the centre?"),
        switches.Toggle,
    ),
    _choice("bad_bid", "Q50", Message("A wrong centre bid?"), switches.BadBid),
    Switch(
        "max_centre_bid",
        "Q51",
        Message("The highest centre bid?"),
        ("none", "n"),
        _read_centre_cap,
        _write_cap,
        _say_cap,
    ),
    _choice(
        "bid_points_on_moon", "Q49", Message("Centre bids on a moon?"), switches.BidPointsOnMoon
    ),
    _choice("foot", "D30 D31 D32", Message("May a foot be called, once a game?"), switches.Toggle),
    Switch(
        "length",
        "A9.3 Q28",
        Message("When does the game end?"),
        LENGTHS,
        _read_length,
        _write_length,
        _say_length,
    ),
    _number("limit", "D8 E7 Q42", Message("At how many points?"), _say_points, (1, 999_999)),
    _number(
        "starting_chips",
        "A1 C2 Q35",
        Message("How many chips to begin with?"),
        _say_chips,
        (1, 999_999),
    ),
    _choice("insolvency", "A9.2 Q22", Message("Too few chips to pay?"), switches.Insolvency),
    _choice("end_pot", "Q25 Q29", Message("A pot left at the end?"), switches.EndPot),
    _choice("spare_units", "Q26", Message("Cents that cannot be divided?"), switches.SpareUnits),
    _choice("tie", "A10 Q27 Q33", Message("A tie for the first place?"), switches.Tie),
    _choice("winner", "Q69", Message("Who wins the game?"), switches.Winner),
    _choice("tiebreak", "Q21", Message("What separates equal results?"), switches.Tiebreak),
    _choice("average_each", "B6", Message("When is the average settled?"), switches.AverageEach),
    _choice(
        "average_rounding", "B6 Q31", Message("Fractions of a point?"), switches.AverageRounding
    ),
    _choice("prize", "E8 Q33 Q34", Message("What is the prize?"), switches.Prize),
    _number("ante", "E8", Message("What does everybody ante (minor units)?"), _say_minor_units),
    _number("buy_in", "A1 A11", Message("What do the chips cost (minor units)?"), _say_minor_units),
    _number("unit", "Q31", Message("What is a point worth (minor units)?"), _say_minor_units),
    Switch(
        "currency",
        "A11",
        Message("In which currency?"),
        ("EUR",),
        _read_currency,
        str,
        _say_currency,
    ),
    _choice("claims", "Q65", Message("Are claims allowed?"), switches.Claims),
    _choice("revoke_law", "section 8", Message("What does a revoke cost?"), switches.RevokeLaw),
    _choice("credit", "Q62", Message("Whose is the money when somebody sits in?"), switches.Credit),
    Switch(
        "unplayed",
        "Q63",
        Message("A hand that was not played?"),
        ("none", "table_average", "penalty:n"),
        _read_unplayed,
        _write_unplayed,
        _say_unplayed,
    ),
    Switch(
        "correction_period",
        "Q64",
        Message("How long may a result be corrected?"),
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
