"""Boards of bridge as PBN texts, for the peers that read them."""

from random import Random
from typing import Final

from benchmarks.hands import dice
from engine.core.cards import BIT, FOLLOWING, NAMES, Card, CardSet, card_set, members, suit_ranks
from engine.core.cards import SUITS as WEAKEST_FIRST

_SEATS: Final = "NESW"


def boards(hands: int, size: int) -> list[str]:
    """So many boards with their deal, auction and play, filled up to so many characters."""
    return [_board(number, size) for number in range(hands)]


def _board(number: int, size: int) -> str:
    luck = dice(number)
    cards = luck.sample(range(52), 52)
    holdings = [card_set(map(Card, cards[seat::4])) for seat in range(4)]
    deal = " ".join(_hand(held) for held in holdings)
    # North declares three no trumps, so East leads.
    rows = _play(holdings, luck)
    tags = {
        "Event": "Thursday League, spring",
        "Site": "Leiden NLD",
        "Date": "2026.01.01",
        "Board": str(number % 12 + 1),
        "West": "de Vries, Wim",
        "North": "Adams, Nora",
        "East": "Baker, Ed",
        "South": "Clark, Sue",
        "Dealer": "N",
        "Vulnerable": "None",
        "Deal": f"N:{deal}",
        "Scoring": "MP",
        "Declarer": "N",
        "Contract": "3NT",
        "Result": "9",
        "Recorder": "Jansen, A.",
        "Round": "1",
        "Table": "1",
    }
    head = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    tail = "\n".join(('[Auction "N"]', "1NT Pass 3NT Pass", "Pass Pass", '[Play "E"]', *rows, ""))
    filler = max(0, size - len(head) - len(tail) - len('[Annotator ""]\n'))
    return f'{head}[Annotator "{"a" * filler}"]\n{tail}'


def _hand(held: CardSet) -> str:
    return ".".join(suit_ranks(held, suit) for suit in reversed(WEAKEST_FIRST))


def _play(holdings: list[CardSet], luck: Random) -> list[str]:
    """A legal play as thirteen rows, in the columns of East, South, West and North."""
    held, leader = [int(cards) for cards in holdings], 1
    rows: list[str] = []
    while any(held):
        trick: dict[int, Card] = {}
        for place in range(4):
            seat = (leader + place) % 4
            suit = held[seat] & FOLLOWING[trick[leader]] if trick else held[seat]
            trick[seat] = luck.choice(list(members(CardSet(suit or held[seat]))))
            held[seat] &= ~BIT[trick[seat]]
        rows.append(" ".join(NAMES[trick[seat]] for seat in (1, 2, 3, 0)))
        led = FOLLOWING[trick[leader]]
        leader = max(trick, key=lambda seat: trick[seat] if BIT[trick[seat]] & led else -1)
    return rows
