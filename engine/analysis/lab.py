"""Rules lab: what a game becomes under some rules, played by bots through the rules themselves.

Every card, bid and settlement goes through `engine.live` and `engine.settlement`, so that each
switch does what it does at a table; the bots play by `policy` and `openings`. They are no club: the
figures tell how rules compare, not how people play by them. The shipped ones lie in
`rules_lab.json`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import astuple, dataclass, field
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, Final

from ..core.cards import BIT, CARDS, FOLLOWING, CardSet, Suit, members
from ..core.messages import Choice, Message, MessageError
from ..core.seats import Seat, left_of
from ..live.hand import Hand, Phase, start
from ..record.actions import Action, Bid, ChooseMoon, Insure, NamePain, Pass, Play, Seal
from ..record.facts import Facts
from ..record.game_state import GameState, beginning
from ..replay.deals import deal
from ..replay.play import restrictions
from ..rules.presets import BICYCLE
from ..rules.rules import Rules, change
from ..rules.switches import ON, FirstLeader, SettledBy
from ..settlement.settlement import Kind, Settlement
from .costs import cost_table
from .openings import Naming, choose_pass, value_naming
from .policy import RANDOM_CARDS, choose_card

WORLDS: Final = 16
"""In so many worlds a bot tries what naming a suit is worth."""
SHADE: Final = Fraction(7, 10)
"""Of what naming is worth to it, a bot bids so much."""
HANDS_MAX: Final = 200
"""A game that has no end by its rules ends after so many hands."""
SESSION_HANDS: Final = 24
"""Hands of a session, which ends when its players agree to stop."""
DEALS_MAX: Final = 50
"""A game ends after so many deals in a row that come to no result, such as those all pass."""
_OF_PLAY: Final = (
    "strip", "settlement", "pain", "queen", "first_leader", "first_trick_penalty", "pain_lead",
    "broken_by", "hearts_plus_queen", "bid_order", "min_bid", "max_bid", "all_pass", "zero_clean",
    "three_player_sweep", "jackpot_suit", "jackpot_split", "moon_all_tricks", "moon", "passing",
    "pass_cycle", "pass_count", "length", "limit", "starting_chips", "insolvency", "end_pot", "tie",
)  # fmt: skip
"""The switches that change what becomes of a game; the others its figures do not know."""


class NoHandsError(MessageError):
    """Games of bots without one hand that came to a result."""


class Figure(Choice):
    """Figures of a game; the words say whether each is per game, per hand or per seat."""

    HANDS = "hands", Message("hands of a game")
    NOT_WON = "not_won", Message("hands in which nobody wins the pot")
    DIVIDED = "divided", Message("hands in which two divide the pot")
    LARGEST_POT = "largest_pot", Message("largest pot of a game, in chips")
    BID = "bid", Message("winning bid, in chips")
    NAMER = "namer", Message("gain of who named the suit, a hand")
    OTHERS = "others", Message("gain of each of the others, a hand")
    LEFT_OVER = "left_over", Message("chips left in the pot at the end")
    MOON = "moon", Message("hands with a moon")
    SPREAD = "spread", Message("spread of a seat's result of one hand (standard deviation)")
    MARGIN = "margin", Message("from first to last at the end")


PARTS_OF_HANDS: Final = (Figure.NOT_WON, Figure.DIVIDED, Figure.MOON)
"""Figures that are a part of the hands, from 0 to 1."""


@dataclass(slots=True)
class _Ratio:
    """A sum over games of what was counted, by how often; its standard error is that of games."""

    games: int = 0
    x: float = 0
    n: float = 0
    xx: float = 0
    xn: float = 0
    nn: float = 0

    def add(self, x: float, n: float) -> None:
        """Count a game in which something came to ``x`` in ``n`` cases."""
        self.games += 1
        self.x += x
        self.n += n
        self.xx += x * x
        self.xn += x * n
        self.nn += n * n

    def estimate(self) -> "Estimate | None":
        """The ratio with its standard error; None of fewer than two games, or of no case."""
        if self.games < 2 or not self.n:
            return None
        value = self.x / self.n
        rest = max(0.0, self.xx - 2 * value * self.xn + value * value * self.nn)
        return Estimate(value, sqrt(rest * self.games / (self.games - 1)) / self.n)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure with its standard error."""

    value: float
    error: float

    def differs_from(self, other: "Estimate") -> bool:
        """Whether two figures differ by more than two standard errors of their difference."""
        return abs(self.value - other.value) > 2 * sqrt(self.error**2 + other.error**2)


@dataclass(frozen=True, slots=True, kw_only=True)
class LabLine:
    """The outcome of games of some rules: ``low`` to ``high`` are the hands of 80 % of them."""

    digest: str
    players: int
    games: int
    seed: int
    low: int
    high: int
    figures: Mapping[Figure, Estimate]
    program: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain data; `from_json` makes an equal line of it."""
        return {
            "digest": self.digest,
            "players": self.players,
            "games": self.games,
            "seed": self.seed,
            "hands": [self.low, self.high],
            "figures": {
                str(key): [round(one.value, 4), round(one.error, 4)]
                for key, one in self.figures.items()
            },
            "program": self.program,
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "LabLine":
        """The line that `to_json` wrote."""
        return LabLine(
            digest=data["digest"],
            players=data["players"],
            games=data["games"],
            seed=data["seed"],
            low=data["hands"][0],
            high=data["hands"][1],
            figures={Figure.of(key): Estimate(*pair) for key, pair in data["figures"].items()},
            program=data["program"],
        )


@dataclass(slots=True)
class GameCounts:
    """The counts of games, which `line` sums up."""

    hands: list[int] = field(default_factory=list)
    ratios: dict[Figure, _Ratio] = field(default_factory=dict)

    def add(self, key: Figure, x: float, n: float = 1) -> None:
        """Count something of one game."""
        self.ratios.setdefault(key, _Ratio()).add(x, n)

    def to_json(self) -> dict[str, Any]:
        """Plain data; `from_json` makes equal counts of it."""
        ratios = {str(key): [*astuple(one)] for key, one in self.ratios.items()}
        return {"hands": self.hands, "ratios": ratios}

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> "GameCounts":
        """The counts that `to_json` wrote; no counts at all of nothing."""
        ratios = data.get("ratios", {}).items()
        return GameCounts(
            [*data.get("hands", ())], {Figure.of(key): _Ratio(*one) for key, one in ratios}
        )

    def line(self, rules: Rules, players: int, seed: int, program: str) -> LabLine:
        """Sum up. Raises NoHandsError where nothing was counted."""
        if not self.hands:
            words = Message(
                "No hand of the bots came to a result: they never bid as much as these rules ask."
            )
            raise NoHandsError(words)
        ordered = sorted(self.hands)
        found = {
            key: estimate
            for key, ratio in self.ratios.items()
            if (estimate := ratio.estimate()) is not None
        }
        spread = found.get(Figure.SPREAD)
        if spread is not None and spread.value:
            root = sqrt(spread.value)
            found[Figure.SPREAD] = Estimate(root, spread.error / (2 * root))
        return LabLine(
            digest=reduce_rules(rules).digest,
            players=players,
            games=len(ordered),
            seed=seed,
            low=ordered[len(ordered) // 10],
            high=ordered[-1 - len(ordered) // 10],
            figures={key: found[key] for key in Figure if key in found},
            program=program,
        )


def reduce_rules(rules: Rules) -> Rules:
    """The rules as far as they change what becomes of a game: money, claims and the like do not.

    >>> from ..rules.rules import change
    >>> reduce_rules(change(BICYCLE, {"claims": "off"})) == BICYCLE
    True
    """
    wide = {"players": rules.texts["players"]}
    return change(BICYCLE, wide | {name: rules.texts[name] for name in _OF_PLAY})


def play_games(
    rules: Rules, players: int, *, games: Iterable[int], seed: int, counts: GameCounts
) -> Iterator[int]:
    """Play games by their numbers, each with dice of its own, and count them; yields the number."""
    for number in games:
        dice = Random(f"{seed} {number} {players} {reduce_rules(rules).digest}")  # noqa: S311 - no secret
        _count(rules, play_game(rules, players, dice), counts)
        yield number


def play_game(rules: Rules, players: int, dice: Random) -> list[Settlement]:
    """Play one game of bots to its end; the settlements of its hands."""
    state, settled = beginning(rules, players, Seat(dice.randrange(players))), list[Settlement]()
    most = HANDS_MAX if rules.length.ends.value != "session" else SESSION_HANDS
    idle = 0
    while state.over is None and len(settled) < most and idle < DEALS_MAX:
        one = play_hand(rules, state, dice).settle()
        state = one.after
        idle += 1
        if one.facts.status.settles:
            settled.append(one)
            idle = 0
        elif state.deals > 4 * HANDS_MAX:
            break
    return settled


def play_hand(rules: Rules, before: GameState, dice: Random) -> Hand:
    """Deal a hand and play it to its end."""
    eldest = left_of(before.dealer, before.players)
    hand = start(rules, before, deal(rules, before.players, dice.sample(range(52), 52), eldest))
    namings: dict[Seat, Naming] = {}
    seen = 0
    while hand.phase is not Phase.DONE:
        if hand.phase is Phase.PLAY:
            card = _choose_play(hand, seen, dice)
            seen |= 1 << card
            hand = hand.apply(Play(hand.to_act[0], CARDS[card]))
        else:
            hand = hand.apply(_choose_action(hand, namings, dice))
    return hand


def _choose_play(hand: Hand, seen: int, dice: Random) -> int:
    legal = list(members(hand.legal_cards))
    if len(legal) == 1:
        return legal[0]
    if dice.random() < RANDOM_CARDS:
        return dice.choice(legal)
    held, trick = hand.holdings[hand.to_act[0]], hand.trick
    best = max((one for one in trick if FOLLOWING[trick[0]] & BIT[one]), default=-1)
    out = hand.rules.pack(hand.players) & ~seen & ~held
    is_last = len(trick) == hand.players - 1
    return choose_card(hand.limits, held, hand.legal_cards, out, best, is_last=is_last)


def _choose_action(hand: Hand, namings: dict[Seat, Naming], dice: Random) -> Action:
    """Choose what a bot does before the first lead, or after the last trick."""
    seat = hand.to_act[0]
    match hand.phase:
        case Phase.EXCHANGE:
            cards = choose_pass(hand.limits, hand.holdings[seat], hand.rules.pass_count)
            return Pass(seat, CardSet(cards))
        case Phase.PAPERS:
            return Insure(seat, 0 if hand.rules.insurance is ON else None)
        case Phase.CENTRE:
            return Seal(seat, None, 0, next(members(hand.holdings[seat])))
        case Phase.MOON:
            return ChooseMoon(seat, add_to_others=True)
        case Phase.AUCTION:
            return _choose_bid(hand, _value_naming(hand, seat, namings, dice), seat)
        case Phase.NAMING:
            named = NamePain(seat, _value_naming(hand, seat, namings, dice).suit)
            return named if hand.fault(named) is None else hand.legal_actions[0]
        case _:
            return hand.sample_action(dice)


def _value_naming(hand: Hand, seat: Seat, namings: dict[Seat, Naming], dice: Random) -> Naming:
    rules, before = hand.rules, hand.before
    if seat not in namings:
        tables = [
            (
                restrictions(rules, suit, before.players),
                cost_table(rules, before, Facts(pain=suit, bidder=seat)),
            )
            for suit in Suit
        ]
        is_bidders = rules.first_leader is FirstLeader.BIDDER
        leader = None if is_bidders else left_of(before.dealer, before.players)
        namings[seat] = value_naming(tables, hand.holdings, seat, leader, dice.random, WORLDS)
    return namings[seat]


def _choose_bid(hand: Hand, naming: Naming, seat: Seat) -> Bid:
    least = max(hand.rules.min_bid, max(hand.calls, default=0) + 1)
    is_last = len(hand.to_act) == 1
    chips = naming.choose_bid(least, SHADE, is_last=is_last)
    wish = Bid(seat, min(chips, hand.before.chips[seat]))
    return wish if chips and hand.fault(wish) is None else Bid(seat, None)


def _count(rules: Rules, settled: list[Settlement], counts: GameCounts) -> None:
    """Count one game."""
    if not settled:
        return
    counts.hands.append(len(settled))
    counts.add(Figure.HANDS, len(settled))
    is_pot = rules.settlement is SettledBy.POT
    gains = [gains_of(one, is_pot=is_pot) for one in settled]
    squares = sum(gain * gain for hand in gains for gain in hand)
    counts.add(Figure.SPREAD, squares, sum(map(len, gains)))
    end = settled[-1].after
    if not is_pot:
        moons = sum(one.score is not None and one.score.shooter is not None for one in settled)
        counts.add(Figure.MOON, moons, len(settled))
        counts.add(Figure.MARGIN, max(end.totals) - min(end.totals))
        return
    bids = [one.facts.bid for one in settled if one.facts.bidder is not None]
    namers, others = list[float](), list[float]()
    for one, hand in zip(settled, gains, strict=True):
        for seat, gain in enumerate(hand) if one.facts.namer is not None else ():
            (namers if seat == one.facts.namer else others).append(gain)
    pots = [one.moved(Kind.AWARD) + one.after.pot for one in settled]
    counts.add(Figure.NOT_WON, sum(not one.winners for one in settled), len(settled))
    counts.add(Figure.DIVIDED, sum(len(one.winners) > 1 for one in settled), len(settled))
    counts.add(Figure.LARGEST_POT, max(pots))
    counts.add(Figure.BID, sum(bids), len(bids))
    counts.add(Figure.NAMER, sum(namers), len(namers))
    counts.add(Figure.OTHERS, sum(others), len(others))
    counts.add(Figure.LEFT_OVER, end.pot)


def gains_of(one: Settlement, *, is_pot: bool) -> list[float]:
    """Return what each seat gained: chips, or points below the average of the table."""
    if is_pot:
        pairs = zip(one.before.chips, one.after.chips, strict=True)
        return [after - before for before, after in pairs]
    assert one.score is not None
    mean = sum(one.score.points) / len(one.score.points)
    return [mean - points for points in one.score.points]


@cache
def shipped_lines() -> Mapping[tuple[str, int], LabLine]:
    """The shipped figures, by the digest of `reduce_rules` and the number of players."""
    path = Path(__file__).with_name("rules_lab.json")
    lines = map(LabLine.from_json, json.loads(path.read_text(encoding="utf-8"))["lines"])
    return {(one.digest, one.players): one for one in lines}


def find_shipped(rules: Rules, players: int) -> LabLine | None:
    """The shipped figures of some rules; None where nobody has played them."""
    return shipped_lines().get((reduce_rules(rules).digest, players))
