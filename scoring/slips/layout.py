"""The places of everything that is marked on a score slip: printing and reading share them.

Lengths are in millimetres, from the upper left corner of the slip. A slip asks for what the phone
asks for when only the result of a hand is told. It has one of two sizes, of which four or two fit
on a sheet, A4 and Letter alike.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final, NamedTuple

from engine.core.cards import RANKS, SUITS, Suit, count
from engine.core.messages import Choice, Message
from engine.core.seats import Seat
from engine.rules.rules import INSURANCE_MAX, Rules, plays_for_chips
from engine.rules.switches import Insolvency, Moon, MoonAllTricks, PainBy, Toggle
from scoring.slips.codes import Corner

RADIUS: Final = 2.25
"""Of a circle, to the middle of its line."""
MARGIN: Final = 5.0
"""Nothing stands nearer to the edge of a slip: printers cannot print there."""
HUNDRED: Final = 100
SCALE: Final = 6
"""Pixels a millimetre of a slip that was cut out of a picture and straightened."""


class RowKey(Choice):
    """The rows of circles on a slip: of each, one circle at most is marked.

    Several rows make one number, which is the sum of their values: those that end in ``tens`` and
    ``hundreds`` may stay empty. A row that is there for each seat has that seat; the values of the
    others that are about seats are numbers of seats, from 0. The words of a row that is there for
    each seat follow the name of the seat.
    """

    ROUND = "round", Message("Round")
    """The round of a blank slip that was printed for several: no circle, but asked for."""
    TABLE = "table", Message("Table")
    """The number of the table, on a blank slip."""
    TABLE_TENS = "table tens", Message("Table, tens")
    HAND = "hand", Message("Hand")
    """The number of the hand within its round, on a blank slip."""
    HAND_TENS = "hand tens", Message("Hand, tens")
    BID = "bid", Message("The bid")
    BID_TENS = "bid tens", Message("The bid, tens")
    BID_HUNDREDS = "bid hundreds", Message("The bid, hundreds")
    PAIN = "pain", Message("Suit to avoid")
    """The letter of the pain suit."""
    BIDDER = "bidder", Message("Who bid")
    """The seat that made the bid."""
    QUEEN = "queen", Message("Queen of spades")
    """The seat that took the queen of spades."""
    TAKEN = "taken", Message("cards taken")
    """The cards of the pain suit that a seat took."""
    PAPER = "paper", Message("insurance paper")
    """The number on the insurance paper of a seat."""
    FOOT = "foot", Message("foot")
    """Whether a seat called a foot: the circle ``F``."""
    REBUYS = "rebuys", Message("stacks bought again")
    """The stacks that a seat bought again; whether to pay or with nothing left, the game knows."""
    CENTRE_SUIT = "centre suit", Message("suit of the centre card")
    """The suit of the centre card that a seat got. It may be left open, as its rank may."""
    CENTRE_RANK = "centre rank", Message("rank of the centre card")
    CENTRE = "centre", Message("points for the centre card")
    """The points that a seat pays for its centre card; nothing is 0."""
    CENTRE_TENS = "centre tens", Message("points for the centre card, tens")
    MOON = "moon", Message("Somebody took everything")
    """The choice of who took everything: ``others`` or ``self``."""
    TRICKS = "tricks", Message("All the tricks")
    """Whether who took all the pain cards took all the tricks, too: the circle ``all``."""
    ENDING = "ending", Message("What became of the hand")
    """A hand without a play: ``passed out`` or ``redeal``."""
    HERE = "here", Message("Here")
    """Whether somebody is here, on a check-in list: the circle is the place in the list, from 0."""
    DIRECTOR = "director", Message("The director")
    """Whether the table asks for the director: the circle ``please``."""


VALUE_WORDS: Final[Mapping[str, Message]] = {
    "passed out": Message("all passed"),
    "redeal": Message("dealt again"),
    "others": Message("points for the others"),
    "self": Message("points off their own"),
    "all": Message("all the tricks, too"),
    "F": Message("foot"),
    "please": Message("the director, please"),
}
"""The values of circles that are words."""


class Circle(NamedTuple):
    """A circle to mark, by its middle; ``value`` is what a mark in it says."""

    value: str
    x: float
    y: float


class SlipRow(NamedTuple):
    """Circles of which one at most is marked, of a ``seat`` or of the whole table."""

    key: RowKey
    seat: Seat | None
    circles: tuple[Circle, ...]


class Mark(StrEnum):
    """The state of a circle."""

    MARKED = "marked"
    EMPTY = "empty"
    UNSURE = "unsure"


class CircleMark(NamedTuple):
    """A circle as it was read; ``darkness`` in thousandths of the paper around it."""

    mark: Mark
    darkness: int


class CodePlace(NamedTuple):
    """The square of a code, without the white around it."""

    corner: Corner
    x: float
    y: float
    side: float


@dataclass(frozen=True, slots=True)
class SlipLayout:
    """A slip: its size, its circles, and its two codes at opposite corners."""

    width: float
    height: float
    rows: tuple[SlipRow, ...]
    codes: tuple[CodePlace, CodePlace]

    @property
    def pixels(self) -> tuple[int, int]:
        """The size of a straightened slip, at `SCALE`."""
        return round(self.width * SCALE), round(self.height * SCALE)

    def row(self, key: RowKey, seat: Seat | None = None) -> SlipRow | None:
        """The row of a key, of a seat where each has one; None where the rules have no such."""
        return next((row for row in self.rows if (row.key, row.seat) == (key, seat)), None)


class _Size(NamedTuple):
    """A size of slips.

    ``label`` is the least room for a name, ``pitch`` the most between the circles of a seat.
    """

    width: float
    height: float
    code: float
    label: float
    pitch: float

    @property
    def quiet(self) -> float:
        """The white around a code: 4 of its squares, and a little more."""
        return self.code * 4 / CODE_SQUARES + 0.3


SMALL: Final = _Size(139.0, 104.0, 18.0, 33.0, 7.0)
"""A quarter of A4 or Letter."""
LARGE: Final = _Size(209.0, 139.0, 20.0, 40.0, 9.0)
"""Half of A4 or Letter."""

CODE_SQUARES: Final = 25
"""A side of a code."""
_PITCH_MIN = 5.6
"""The least distance between circles of a row."""
_GAP = 4.0
"""Between rows on one line, besides the distance between their circles."""
_LEAD = 7.5
"""From a circle before a line to the line."""
_LINE = 6.5
"""From one line of circles to the next."""
_TITLE, _TITLE_BETWEEN = 9.8, 12.0
"""From a line of circles to the first below the titles of columns; and below another seat."""
_SEAT_MIN, _SEAT_MAX = 7.2, 15.0
"""Bounds of the distance between the lines of two seats."""
_MORE = 3.0
"""What each of the lowest lines but one takes from the seats."""
_LABEL = 22.0
"""Room for the words before the lowest lines."""
_SIGNATURES = 6.5
"""Room for the initials of two who agree, below everything."""


class _Question(NamedTuple):
    """A row before it has its place."""

    key: RowKey
    values: Sequence[str]


@lru_cache(maxsize=256)
def lay_out(rules: Rules, players: int, *, is_blank: bool = False) -> SlipLayout:
    """Place the circles of a slip for a table; a blank one asks for table and hand, too.

    The slip is small where that leaves room for fingers and eyes.
    """
    sheet = _Sheet(SMALL, rules, players)
    if not sheet.place_all(is_blank=is_blank):
        sheet = _Sheet(LARGE, rules, players)
        sheet.place_all(is_blank=is_blank)
    size = sheet.size
    return SlipLayout(size.width, size.height, tuple(sheet.rows), _code_places(size))


def bid_max(rules: Rules) -> int:
    """The highest bid of the rules; 99 or a whole stack where they name none."""
    cap = rules.max_bid
    return cap if isinstance(cap, int) else max(99, rules.starting_chips)


class _Sheet:
    """A slip of one size while its rows get their places, from the top to the bottom."""

    def __init__(self, size: _Size, rules: Rules, players: int) -> None:
        self.size = size
        self.rules = rules
        self.players = players
        self.rows: list[SlipRow] = []
        self.base = MARGIN + size.code + size.quiet - 5
        """The middle of the last line."""
        self.blocks = list(_seat_blocks(rules, players))
        self.has_lead = _lead(rules) is not None
        self.right = size.width - MARGIN - RADIUS
        self.band = size.height - MARGIN - size.code - size.quiet
        """Where the lowest lines begin, beside the second code."""
        self.last_lines = list(_last_lines(rules))

    def place_all(self, *, is_blank: bool) -> bool:
        """Place all rows; whether there was room for them."""
        self.place_numbers(is_blank=is_blank)
        is_roomy = self.place_seats()
        self.place_last_lines()
        return is_roomy

    def left_and_pitch(self, block: Sequence[_Question]) -> tuple[float, float]:
        """The first circle of the lines of a block, and the distance to the next."""
        least = MARGIN + self.size.label + RADIUS + (_LEAD if self.has_lead else 0)
        spaces = sum(len(question.values) for question in block) - 1
        gaps = _GAP * (len(block) - 1)
        pitch = min((self.right - least - gaps) / spaces, self.size.pitch)
        return self.right - spaces * pitch - gaps, pitch

    def place_numbers(self, *, is_blank: bool) -> None:
        """Place table, hand and bid, and the pain suit below them."""
        left, pitch = self.left_and_pitch(self.blocks[0])
        for number in _numbers(self.rules, is_blank=is_blank):
            line: list[_Question] = []
            for question in number:
                if line and self._pitch_of([*line, question], left) < _PITCH_MIN:
                    self._place_number(line, left, pitch)
                    line = []
                line.append(question)
            self._place_number(line, left, pitch)
        if self.rules.pain is PainBy.AUCTION:
            self.base += _LINE
            at = left - _LEAD
            step = (self.right + RADIUS - at) / (len(SUITS) + _WIDE_WORDS)
            spots = []
            for suit in _SUITS:
                spots.append((suit.letter, at))
                at += step * (1 + _WIDE_WORDS if suit is Suit.DIAMONDS else 1)
            self._add(RowKey.PAIN, spots)

    def _pitch_of(self, line: Sequence[_Question], left: float) -> float:
        spaces = sum(len(question.values) for question in line) - 1
        return (self.right - left - _GAP * (len(line) - 1)) / max(spaces, 1)

    def _place_number(self, line: Sequence[_Question], left: float, pitch: float) -> None:
        """Tens that have a line to themselves stand below the units that they begin with."""
        self.base += _LINE
        if line[0].values[0] not in ("0", "1"):
            left += pitch
        pitch = min(pitch, self._pitch_of(line, left))
        for question in line:
            spots = [(value, left + place * pitch) for place, value in enumerate(question.values)]
            self._add(question.key, spots)
            left += len(question.values) * pitch + _GAP

    def place_seats(self) -> bool:
        """Place the lines of the seats, block by block; whether there was room for them."""
        between = _TITLE_BETWEEN * (len(self.blocks) - 1)
        last = self.band - RADIUS - _MORE * (len(self.last_lines) - 1)
        room = last - self.base - _TITLE - between
        height = room / ((self.players - 1) * len(self.blocks))
        is_roomy = height >= _SEAT_MIN
        height = min(height, _SEAT_MAX)
        spare = room - height * (self.players - 1) * len(self.blocks)
        first = self.base + spare / 2 + _TITLE
        for block in self.blocks:
            left, pitch = self.left_and_pitch(block)
            is_roomy = is_roomy and pitch >= _PITCH_MIN
            lines = [first + place * height for place in range(self.players)]
            first = lines[-1] + _TITLE_BETWEEN
            if (lead := _lead(self.rules)) is not None and block is self.blocks[0]:
                circles = (Circle(str(n), left - _LEAD, line) for n, line in enumerate(lines))
                self.rows.append(SlipRow(lead, None, tuple(circles)))
            for seat, self.base in enumerate(lines):
                at = left
                for key, values in block:
                    spots = [(value, at + place * pitch) for place, value in enumerate(values)]
                    self._add(key, spots, Seat(seat))
                    at += len(values) * pitch + _GAP
        return is_roomy

    def place_last_lines(self) -> None:
        """Place what ends a hand, in words, beside the second code."""
        lines = self.last_lines
        left = MARGIN + _LABEL + RADIUS
        right = self.size.width - MARGIN - self.size.code - self.size.quiet
        room = self.size.height - MARGIN - _SIGNATURES - self.band
        self.base = self.band + (room - _LINE * (len(lines) + 1)) / 2
        for line in lines:
            self.base += _LINE
            step = (right - left) / (sum(len(values) for _, values in line) + _WIDE_WORDS)
            step = min(step, _WORDS_MAX)
            at = left
            for key, values in line:
                spots = [(value, at + place * step) for place, value in enumerate(values)]
                self._add(key, spots)
                at += len(values) * step

    def _add(
        self, key: RowKey, spots: Sequence[tuple[str, float]], seat: Seat | None = None
    ) -> None:
        circles = tuple(Circle(value, round(x, 2), round(self.base, 2)) for value, x in spots)
        self.rows.append(SlipRow(key, seat, circles))


_SUITS = tuple(reversed(SUITS))
"""As a table names them: spades first."""
_WIDE_WORDS = 0.3
"""The longest words of a line are longer by so much of the others."""
_WORDS_MAX = 42.0
"""The most from a circle with a word to the next."""


def _digits(most: int, least: int = 0) -> Sequence[str]:
    return [str(number) for number in range(least, most + 1)]


def _tens(most: int, unit: int = 10) -> Sequence[str]:
    return [str(number) for number in range(unit, min(most, 9 * unit) + 1, unit)]


def _numbers(rules: Rules, *, is_blank: bool) -> Iterator[list[_Question]]:
    """The numbers of the whole table, by their digits."""
    if is_blank:
        tens = _tens(90)
        yield [_Question(RowKey.TABLE, _digits(9)), _Question(RowKey.TABLE_TENS, tens)]
        yield [_Question(RowKey.HAND, _digits(9)), _Question(RowKey.HAND_TENS, tens)]
    if rules.pain is PainBy.AUCTION:
        most = bid_max(rules)
        if most < 10:
            yield [_Question(RowKey.BID, _digits(most, min(rules.min_bid, 1)))]
            return
        bid = [_Question(RowKey.BID, _digits(9)), _Question(RowKey.BID_TENS, _tens(most))]
        if most >= HUNDRED:
            bid.append(_Question(RowKey.BID_HUNDREDS, _tens(most, HUNDRED)))
        yield bid


def _lead(rules: Rules) -> RowKey | None:
    """What is marked at one of the seats, in a column before the others."""
    if rules.pain is PainBy.AUCTION:
        return RowKey.BIDDER
    return RowKey.QUEEN if rules.queen is Toggle.ON else None


def _seat_blocks(rules: Rules, players: int) -> Iterator[list[_Question]]:
    """The rows of each seat: those on its line, then those on its second line."""
    suits = SUITS if rules.pain is PainBy.AUCTION else (Suit.HEARTS,)
    most = max(count(rules.suit_cards(suit, players)) for suit in suits)
    taken = _Question(RowKey.TAKEN, _digits(most))
    papers = []
    if rules.insurance is Toggle.ON:
        papers.append(_Question(RowKey.PAPER, _digits(INSURANCE_MAX)))
    if rules.foot is Toggle.ON:
        papers.append(_Question(RowKey.FOOT, ("F",)))
    if rules.insolvency is Insolvency.REBUY and plays_for_chips(rules):
        papers.append(_Question(RowKey.REBUYS, _digits(2)))
    if rules.centre_auction is Toggle.OFF:
        yield [taken, *papers]
        return
    cap = rules.max_centre_bid
    most = cap if isinstance(cap, int) else _CENTRE_MAX
    paid = [_Question(RowKey.CENTRE, _digits(min(most, 9)))]
    if most >= 10:
        paid.append(_Question(RowKey.CENTRE_TENS, _tens(min(most, _CENTRE_MAX))))
    yield [taken, *paid]
    suits_of_centre = [suit.letter for suit in _SUITS]
    yield [
        *papers,
        _Question(RowKey.CENTRE_SUIT, suits_of_centre),
        _Question(RowKey.CENTRE_RANK, RANKS),
    ]


_CENTRE_MAX = 29
"""Nobody pays more than the 26 points of a hand for a card."""


def _last_lines(rules: Rules) -> Iterator[list[_Question]]:
    sweep = []
    if rules.moon is Moon.SHOOTER_CHOICE:
        sweep.append(_Question(RowKey.MOON, ("others", "self")))
    if rules.moon_all_tricks is MoonAllTricks.GAME:
        sweep.append(_Question(RowKey.TRICKS, ("all",)))
    if sweep:
        yield sweep
    endings = ("passed out", "redeal") if rules.pain is PainBy.AUCTION else ("redeal",)
    yield [_Question(RowKey.ENDING, endings), _Question(RowKey.DIRECTOR, ("please",))]


LIST_LINES: Final = 30
"""Names in a column of a check-in list."""
LIST_MAX: Final = 2 * LIST_LINES
"""Names on a page of it."""
_LIST = _Size(190.0, 267.0, 20.0, 0.0, 6.8)
"""A page of A4 or Letter, without its edges."""


def lay_out_list(names: int) -> SlipLayout:
    """Place a circle before each name of a page of a check-in list, in two columns."""
    first = MARGIN + _LIST.code + _LIST.quiet + RADIUS + 4
    rows = []
    for place in range(names):
        column, line = divmod(place, LIST_LINES)
        x = MARGIN + RADIUS + column * _LIST.width / 2
        circle = Circle(str(place), x, round(first + line * _LIST.pitch, 2))
        rows.append(SlipRow(RowKey.HERE, None, (circle,)))
    return SlipLayout(_LIST.width, _LIST.height, tuple(rows), _code_places(_LIST))


def _code_places(size: _Size) -> tuple[CodePlace, CodePlace]:
    near, far = MARGIN, MARGIN + size.code
    return (
        CodePlace(Corner.FIRST, near, near, size.code),
        CodePlace(Corner.LAST, size.width - far, size.height - far, size.code),
    )
