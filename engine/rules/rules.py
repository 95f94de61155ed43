"""Rules: one frozen value of all house-rule switches (rules.md 7 and 12).

Rules are data. The engine asks a switch, never the name of a game; a preset is only a set of
values (`rules.presets`), and a club's rule set is a preset with some of them changed.
"""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any, Final, NamedTuple

from ..core.cards import (
    CLUBS,
    EMPTY,
    PACK,
    QUEEN_SET,
    SUIT_CARDS,
    SUIT_NAMES,
    SUITS,
    CardSet,
    Suit,
    count,
)
from ..core.messages import Message, MessageError
from ..core.seats import pass_places
from . import switches as s
from .switch_specs import ALIASES, SWITCHES, Length, PlayerRange, Strip, UnplayedScore

INSURANCE_MAX = 6
"""The highest number on an insurance paper (D10)."""
CENTRE_CARDS = 4
"""Cards laid aside for the centre auction (D20)."""
QUEEN_POINTS = 13
"""What the queen of spades counts (D6)."""


class RulesError(ValueError):
    """A rule set that cannot be: an unknown switch, a bad value or an impossible combination."""

    def __init__(self, switch: str, message: Message) -> None:
        super().__init__(Message("{switch}: {message}", switch=switch, message=message))
        self.switch = switch
        self.message = message


class Stock(NamedTuple):
    """The cards with so many players: left out, in play, laid aside; how many in a hand (K3, K4).

    With a centre auction a hand has one trick more than cards are dealt (D24). ``low_club`` is
    the lowest club in the pack, which may have to open (D3, E3).
    """

    stripped: CardSet
    pack: CardSet
    aside: int
    hand_size: int
    tricks: int
    low_club: CardSet


@dataclass(frozen=True, kw_only=True, eq=False)
class Rules:
    """Every switch of rules.md section 7, with the defaults of Auction Hearts (Bicycle).

    Make one with `change` from a preset; values are checked there and in `from_json`.
    Two rule sets with the same values are equal and have the same `digest`.
    """

    players: PlayerRange = PlayerRange(4, 4)
    strip: Strip = ()
    settlement: s.SettledBy = s.SettledBy.POT
    pain: s.PainBy = s.PainBy.AUCTION
    queen: s.Toggle = s.Toggle.OFF
    first_leader: s.FirstLeader = s.FirstLeader.BIDDER
    first_trick_penalty: s.FirstTrick = s.FirstTrick.FORBIDDEN
    pain_lead: s.PainLead = s.PainLead.AFTER_BROKEN
    broken_by: s.BrokenBy = s.BrokenBy.PAIN
    hearts_plus_queen: s.HeartsPlusQueen = s.HeartsPlusQueen.MUST_QUEEN
    misdeal_if_all_forbidden: s.Toggle = s.Toggle.OFF
    bid_order: s.BidOrder = s.BidOrder.OPEN_FIRST_WINS
    min_bid: int = 1
    max_bid: int | s.Cap = s.Cap.STACK
    all_pass: s.AllPass = s.AllPass.REDEAL
    zero_clean: s.ZeroClean = s.ZeroClean.JACKPOT
    three_player_sweep: s.ThreePlayerSweep = s.ThreePlayerSweep.JACKPOT
    odd_chip: s.OddChip = s.OddChip.STAYS
    jackpot_namer: s.JackpotNamer = s.JackpotNamer.ORIGINAL_BIDDER
    jackpot_suit: s.JackpotSuit = s.JackpotSuit.FREE
    jackpot_split: s.JackpotSplit = s.JackpotSplit.ALLOWED
    moon_all_tricks: s.MoonAllTricks = s.MoonAllTricks.OFF
    moon: s.Moon = s.Moon.NONE
    passing: s.Passing = s.Passing.NONE
    pass_cycle: tuple[str, ...] = ("left", "right", "across", "hold")
    pass_count: int = 3
    insurance: s.Toggle = s.Toggle.OFF
    bad_paper: s.BadPaper = s.BadPaper.ZERO
    moon_own_insurance: s.Toggle = s.Toggle.OFF
    centre_auction: s.Toggle = s.Toggle.OFF
    bad_bid: s.BadBid = s.BadBid.NO_BID
    max_centre_bid: int | s.Cap = s.Cap.NONE
    bid_points_on_moon: s.BidPointsOnMoon = s.BidPointsOnMoon.ADD
    foot: s.Toggle = s.Toggle.OFF
    length: Length = Length(s.Ends.BUST)
    limit: int = 100
    starting_chips: int = 50
    insolvency: s.Insolvency = s.Insolvency.PAY_WHAT_YOU_HAVE
    end_pot: s.EndPot = s.EndPot.EQUAL_SPLIT
    spare_units: s.SpareUnits = s.SpareUnits.LARGEST_FRACTION
    tie: s.Tie = s.Tie.SHARED
    winner: s.Winner = s.Winner.CHIPS
    tiebreak: s.Tiebreak = s.Tiebreak.NONE
    average_each: s.AverageEach = s.AverageEach.SESSION
    average_rounding: s.AverageRounding = s.AverageRounding.EXACT
    prize: s.Prize = s.Prize.NONE
    ante: int = 0
    buy_in: int = 0
    unit: int = 0
    currency: str = "none"
    claims: s.Claims = s.Claims.AGREED_ONLY
    revoke_law: s.RevokeLaw = s.RevokeLaw.FOSTER
    credit: s.Credit = s.Credit.ENTRANT
    unplayed: UnplayedScore = UnplayedScore("none")
    correction_period: str = "PT24H"

    def __eq__(self, other: object) -> bool:
        """Compare digests, which are worked out once: equal values have the same."""
        if not isinstance(other, Rules):
            return NotImplemented
        return self is other or self.digest == other.digest

    def __hash__(self) -> int:
        """That of the digest: rules are a key of many tables."""
        return hash(self.digest)

    @cached_property
    def _stocks(self) -> dict[int, Stock]:
        return {}

    def stock(self, players: int) -> Stock:
        """The cards with so many players, all that can be counted before a deal (K3, K4)."""
        stock = self._stocks.get(players)
        if stock is None:
            stripped = dict(self.strip).get(players, EMPTY)
            pack = CardSet(PACK & ~stripped)
            aside = CENTRE_CARDS if self.centre_auction is s.Toggle.ON else 0
            size = (count(pack) - aside) // max(players, 1)
            clubs = pack & CLUBS
            low_club = CardSet(clubs & -clubs)
            stock = Stock(stripped, pack, aside, size, size + bool(aside), low_club)
            self._stocks[players] = stock
        return stock

    def stripped(self, players: int) -> CardSet:
        """The cards left out of the pack with so many players (K3)."""
        return self.stock(players).stripped

    def pack(self, players: int) -> CardSet:
        """The cards in play with so many players (K3)."""
        return self.stock(players).pack

    def suit_cards(self, suit: Suit, players: int) -> CardSet:
        """The cards of a suit that are in the pack with so many players (Q16)."""
        return CardSet(SUIT_CARDS[suit] & self.pack(players))

    def hand_size(self, players: int) -> int:
        """Return the number of cards that everybody is dealt (K4, D20)."""
        return self.stock(players).hand_size

    def tricks(self, players: int) -> int:
        """Return the number of tricks: with a centre auction everybody gets one card more (D24)."""
        return self.stock(players).tricks

    def direction(self, deals: int) -> str:
        """The passing direction after so many deals of the game (D2, D32)."""
        if self.passing is s.Passing.NONE:
            return "hold"
        return self.pass_cycle[deals % len(self.pass_cycle)]

    @cached_property
    def texts(self) -> dict[str, str]:
        """Every switch with the text of its value, in the order of the rule sheet."""
        return {name: switch.write(getattr(self, name)) for name, switch in SWITCHES.items()}

    @cached_property
    def digest(self) -> str:
        """A stable hash of the values: 64 hexadecimal digits (Q68).

        Only what differs from the defaults is hashed, so that a switch added later changes the
        digest of no rule set that was frozen into a game before.
        """
        special = find_differences(self, Rules())
        return hashlib.sha256(json.dumps(special, sort_keys=True).encode()).hexdigest()

    def to_json(self) -> str:
        """All switches as JSON, the same bytes for the same rules."""
        return json.dumps(self.texts, sort_keys=True, separators=(",", ":"))

    @staticmethod
    def from_json(text: str) -> "Rules":
        """The rules that `to_json` wrote. Raises RulesError."""
        try:
            values = json.loads(text)
        except ValueError:
            values = None
        if not isinstance(values, dict):
            raise RulesError("rules", Message("a JSON object of switches is needed"))
        return change(Rules(), {str(name): str(value) for name, value in values.items()})


def change(base: Rules, overrides: Mapping[str, str]) -> Rules:
    """A rule set with some switches set, values as text.

    >>> change(Rules(), {"min_bid": "2"}).min_bid
    2
    >>> change(Rules(), {"min_bids": "2"})  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
    RulesError: min_bids: is not a switch; did you mean min_bid?

    Raises RulesError naming the switch: unknown, with a bad value, or in an impossible
    combination.
    """
    values: dict[str, Any] = {}
    for written, text in overrides.items():
        name = switch_name(written)
        try:
            values[name] = SWITCHES[name].read(text.strip())
        except MessageError as error:
            words = Message("{text} is not a value; {why}", text=repr(text), why=error.message)
            raise RulesError(name, words) from None
    rules = replace(base, **values)
    check(rules)
    return rules


def switch_name(written: str) -> str:
    """The switch meant by a name with hyphens or underscores. Raises RulesError."""
    name = written.strip().replace("-", "_")
    name = ALIASES.get(name, name)
    if name not in SWITCHES:
        near = get_close_matches(name, SWITCHES, 1)
        if near:
            raise RulesError(
                written, Message("is not a switch; did you mean {near}?", near=near[0])
            )
        raise RulesError(written, Message("is not a switch"))
    return name


def find_differences(rules: Rules, base: Rules) -> dict[str, str]:
    """The switches, with the text of their values, in which one rule set differs from another."""
    return {name: text for name, text in rules.texts.items() if text != base.texts[name]}


def check(rules: Rules) -> None:
    """Refuse an impossible combination of switches. Raises RulesError."""
    for switch, is_impossible, message in _IMPOSSIBLE:
        if is_impossible(rules):
            raise RulesError(switch, message)
    for players in range(rules.players.least, rules.players.most + 1):
        _check_table(rules, players)


_FOR_POT: Final = s.SettledBy.POT
_EACH_HAND: Final = s.AverageEach.HAND


def plays_for_chips(rules: Rules) -> bool:
    """Whether chips change hands after every hand."""
    return rules.settlement is _FOR_POT or rules.average_each is _EACH_HAND


def _has_auction(rules: Rules) -> bool:
    return rules.pain is s.PainBy.AUCTION


def _has_pot(rules: Rules) -> bool:
    return rules.settlement is s.SettledBy.POT


def _has_points(rules: Rules) -> bool:
    return rules.settlement is s.SettledBy.POINTS


def _settles_average_by_hand(rules: Rules) -> bool:
    return rules.average_each is s.AverageEach.HAND


def _counts_tricks(rules: Rules) -> bool:
    return rules.winner is s.Winner.TRICKS


def _is_below_min_bid(rules: Rules) -> bool:
    return isinstance(rules.max_bid, int) and rules.max_bid < rules.min_bid


_IMPOSSIBLE: Final[tuple[tuple[str, Callable[[Rules], bool], Message], ...]] = (
    (
        "pain",
        lambda rules: _has_auction(rules) and not _has_pot(rules),
        Message("an auction needs settlement=pot"),
    ),
    (
        "queen",
        lambda rules: _on(rules.queen) and not _has_points(rules),
        Message("the queen counts only with settlement=points"),
    ),
    (
        "first_leader",
        lambda rules: rules.first_leader is s.FirstLeader.BIDDER and not _has_auction(rules),
        Message("there is no bidder to lead without pain=auction"),
    ),
    (
        "broken_by",
        lambda rules: rules.broken_by is not s.BrokenBy.PAIN and _has_auction(rules),
        Message("with an auction the suit is broken by pain"),
    ),
    (
        "broken_by",
        lambda rules: rules.broken_by is s.BrokenBy.HEART_OR_QUEEN and not _on(rules.queen),
        Message("the queen breaks nothing unless queen=on"),
    ),
    (
        "moon",
        lambda rules: rules.moon is not s.Moon.NONE and not _has_points(rules),
        Message("a moon needs settlement=points"),
    ),
    (
        "insurance",
        lambda rules: _on(rules.insurance) and not _on(rules.queen),
        Message("insurance is against queen=on"),
    ),
    (
        "centre_auction",
        lambda rules: _on(rules.centre_auction) and not _has_points(rules),
        Message("needs settlement=points"),
    ),
    (
        "foot",
        lambda rules: _on(rules.foot) and not _has_points(rules),
        Message("needs settlement=points"),
    ),
    (
        "length",
        lambda rules: rules.length.ends is s.Ends.BUST and not _has_pot(rules),
        Message("nobody can go bust without settlement=pot"),
    ),
    (
        "length",
        lambda rules: rules.length.ends is s.Ends.LIMIT and not _has_points(rules),
        Message("a limit needs settlement=points"),
    ),
    ("max_bid", _is_below_min_bid, Message("is below min_bid")),
    (
        "moon_all_tricks",
        lambda rules: rules.moon_all_tricks is s.MoonAllTricks.GAME and not _has_pot(rules),
        Message("winning the game by all the tricks needs settlement=pot"),
    ),
    (
        "winner",
        lambda rules: _counts_tricks(rules) and not _has_pot(rules),
        Message("winning the game by tricks needs settlement=pot"),
    ),
    (
        "tiebreak",
        lambda rules: _counts_tricks(rules) and rules.tiebreak is s.Tiebreak.TRICKS,
        Message("equal numbers of tricks cannot be separated by tricks"),
    ),
    (
        "all_pass",
        lambda rules: rules.all_pass is s.AllPass.ELDEST_PAYS_MIN and not _has_auction(rules),
        Message("nobody bids without pain=auction"),
    ),
    (
        "prize",
        lambda rules: rules.prize is s.Prize.WINNER_TAKES_ALL and not _has_points(rules),
        Message("winner_takes_all needs settlement=points"),
    ),
    (
        "end_pot",
        lambda rules: rules.end_pot is s.EndPot.PLAY_UNTIL_WON and not _has_pot(rules),
        Message("a pot can be won only with settlement=pot"),
    ),
    (
        "average_each",
        lambda rules: (
            _settles_average_by_hand(rules) and rules.settlement is not s.SettledBy.AVERAGE
        ),
        Message("needs settlement=average"),
    ),
    (
        "average_rounding",
        lambda rules: (
            _settles_average_by_hand(rules) and rules.average_rounding is s.AverageRounding.EXACT
        ),
        Message(
            "fractions cannot be paid in chips after every hand; use howell_units or odd_to_pot"
        ),
    ),
    (
        "insolvency",
        lambda rules: (
            _settles_average_by_hand(rules) and rules.insolvency is s.Insolvency.PAY_WHAT_YOU_HAVE
        ),
        Message("who collects from the others must be paid in full; use debt or rebuy"),
    ),
)
"""Combinations of switches that cannot be: the switch that is refused, when, and why."""


def _on(toggle: s.Toggle) -> bool:
    return toggle is s.Toggle.ON


def _check_table(rules: Rules, players: int) -> None:
    aside = CENTRE_CARDS if _on(rules.centre_auction) else 0
    if aside and players != CENTRE_CARDS:
        raise RulesError("centre_auction", Message("needs exactly four players"))
    cards = count(rules.pack(players)) - aside
    if cards % players or cards < players:
        words = Message(
            "{count} cards cannot be dealt to {players} players", count=cards, players=players
        )
        raise RulesError("strip", words)
    _check_pack(rules, players)
    if rules.passing is s.Passing.CYCLE:
        _check_passing(rules, players)


def _check_pack(rules: Rules, players: int) -> None:
    """The cards on which the rules turn must be in the pack."""
    pack = rules.pack(players)
    if rules.first_leader is s.FirstLeader.LOW_CLUB and not pack & CLUBS:
        words = Message("no club is left in the pack of {players} players", players=players)
        raise RulesError("first_leader", words)
    if _on(rules.queen) and not pack & QUEEN_SET:
        words = Message("SQ is not in the pack of {players} players", players=players)
        raise RulesError("queen", words)
    pain = [Suit.HEARTS] if rules.pain is s.PainBy.HEARTS else SUITS
    for suit in pain:
        if not pack & SUIT_CARDS[suit]:
            words = Message(
                "{suit} can be the pain suit, but none is left in the pack of {players} players",
                suit=SUIT_NAMES[suit],
                players=players,
            )
            raise RulesError("strip", words)


def _check_passing(rules: Rules, players: int) -> None:
    if rules.pass_count > rules.hand_size(players):
        words = Message(
            "nobody has {count} cards at {players} players",
            count=rules.pass_count,
            players=players,
        )
        raise RulesError("pass_count", words)
    for direction in rules.pass_cycle:
        try:
            pass_places(direction, players)
        except MessageError as error:
            raise RulesError("pass_cycle", error.message) from None


assert {item.name for item in fields(Rules)} == set(SWITCHES), "every switch is in the catalogue"
