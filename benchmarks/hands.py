"""Hands to measure with: legal hands of every system, as records and as canonical texts.

The players know only what is legal, and somebody always bids, so that every hand is played to
its last card. The same seed deals and plays the same hands.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final, NamedTuple

from engine.core.cards import Card, card_set, members
from engine.core.seats import Seat, left_of
from engine.live.hand import Hand, Phase, start
from engine.notation import to_document, write_record
from engine.record.actions import Action, Bid, Insure, Pass, Play, Seal
from engine.record.game_state import GameState, beginning
from engine.record.record import HandRecord
from engine.replay.centre import start_of
from engine.replay.deals import deal
from engine.rules.presets import preset
from engine.rules.rules import Rules

HANDS_A_GAME: Final = 12
SEED: Final = 1909


class Table(NamedTuple):
    """A system at a table of so many players."""

    system: str
    players: int

    @property
    def rules(self) -> Rules:
        """The rules of the system."""
        return preset(self.system)

    def __str__(self) -> str:
        return f"{self.system}, {self.players} players"


TABLES: Final = (
    Table("bicycle", 4),
    *(Table("hoyle_hearts", players) for players in range(3, 7)),
    *(Table("hoyle_auction", players) for players in range(3, 7)),
    Table("insurance", 4),
    *(Table("sahara", players) for players in range(3, 6)),
)
"""Every system at every table for which it has one."""


class Written(NamedTuple):
    """A hand as a careful scorer writes it down: the record, and the tags of its game."""

    record: HandRecord
    tags: Mapping[str, str]


def dice(seed: int | str) -> Random:
    """Dice that fall the same way for the same seed."""
    return Random(seed)


def records(table: Table, hands: int, seed: int = SEED) -> list[HandRecord]:
    """So many records of whole hands at one table."""
    return [written.record for written in games(table, hands, seed)]


def texts(table: Table, hands: int, seed: int = SEED) -> list[str]:
    """So many canonical records as text, without the version line."""
    return [text_of(written) for written in games(table, hands, seed)]


def text_of(written: Written) -> str:
    """The canonical text of a written hand."""
    return write_record(to_document(written.record, written.tags))


def games(table: Table, hands: int, seed: int = SEED) -> Iterator[Written]:
    """The hands of one game after the other, until there are so many."""
    luck = dice(f"{seed} {table}")
    game = -1
    state: GameState | None = None
    for number in range(hands):
        if state is None or state.over is not None or state.hands == HANDS_A_GAME:
            state = beginning(table.rules, table.players, Seat(number % table.players))
            game += 1
        hand = played_out(table.rules, state, luck)
        yield Written(record_of(hand, state.hands + 1), _tags(game))
        state = hand.settle().after


def played_out(rules: Rules, before: GameState, luck: Random) -> Hand:
    """A hand dealt and played to its last card."""
    eldest = left_of(before.dealer, before.players)
    shuffled = luck.sample(range(52), 52)
    hand = start(rules, before, deal(rules, before.players, shuffled, eldest))
    while hand.phase is not Phase.DONE:
        hand = hand.apply(_some_action(hand, luck))
    return hand


def _some_action(hand: Hand, luck: Random) -> Action:
    seat = hand.turn
    assert seat is not None
    match hand.phase:
        case Phase.PLAY:
            return Play(seat, _some_card(hand, luck))
        case Phase.PAPERS:
            return Insure(seat, luck.randrange(7))
        case Phase.EXCHANGE:
            held = list(members(hand.holdings[seat]))
            return Pass(seat, card_set(luck.sample(held, hand.rules.pass_count)))
        case Phase.CENTRE:
            shown = luck.choice(list(members(hand.holdings[seat])))
            wanted = luck.choice(list(members(hand.centre)))
            return Seal(seat, wanted, start_of(wanted) + luck.randrange(3), shown)
        case Phase.AUCTION:
            return _some_bid(hand, seat, luck)
        case _:
            return luck.choice(hand.legal_actions)


def _some_card(hand: Hand, luck: Random) -> Card:
    return luck.choice(list(members(hand.legal_cards)))


def _some_bid(hand: Hand, seat: Seat, luck: Random) -> Bid:
    """A small bid or a pass; who speaks last bids where nobody did."""
    bid = Bid(seat, luck.randint(1, 3))
    last = len(hand.calls) == hand.players - 1 and max(hand.calls) <= 0
    wants = last or luck.random() < 0.6
    return bid if wants and hand.fault(bid) is None else Bid(seat, 1 if last else None)


def record_of(hand: Hand, number: int) -> HandRecord:
    """The record of a hand that was played, with everything that came of it."""
    return hand.to_record(number=number, names=NAMES[: hand.players])


NAMES: Final = (
    "Adams, Nora",
    "Baker, Ed",
    "Clark, Sue",
    "de Vries, Wim",
    "Evans, Gwen",
    "Fischer, Jan",
)


def _tags(game: int) -> dict[str, str]:
    return {
        "Event": "Thursday League, spring",
        "Site": "Leiden NLD",
        "Date": f"2026.{game // 28 % 12 + 1:02}.{game % 28 + 1:02}",
        "Round": str(game // 336 + 1),
        "Table": str(game % 8 + 1),
        "Recorder": "Jansen, A.",
    }
