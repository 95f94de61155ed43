"""Statistics counted by hands."""

from typing import Final

from engine.core.messages import Message
from tournaments.statistics.catalogue import Extreme, Group, Statistic, Unit
from tournaments.statistics.lines import Exact, PlayerHandLine

WORTHS_LEAST: Final = 20
"""Of fewer hands with cards nothing is said."""


def _clean(line: PlayerHandLine) -> bool | None:
    return None if line.captured is None else line.captured == 0


def _of_namer(line: PlayerHandLine, value: Exact | None) -> Exact | None:
    """The value where they named the suit."""
    return value if line.named else None


def _overpaid(line: PlayerHandLine) -> Exact | None:
    if line.paid is None or line.second is None:
        return None
    return line.paid - line.second - 1


def _beyond_cards(line: PlayerHandLine) -> Exact | None:
    return None if line.net is None or line.worth is None else line.net - line.worth


def _seat(line: PlayerHandLine) -> Group | None:
    return None if line.seat is None else (line.players, line.seat)


def _after_namer(line: PlayerHandLine) -> Group | None:
    return None if line.after_namer is None else (line.players, line.after_namer)


def _suit(line: PlayerHandLine) -> Group | None:
    return (line.suit.name.lower(),) if line.named and line.suit is not None else None


def _paper_value(line: PlayerHandLine) -> Exact | None:
    """The points that a paper brought; None in a hand in which its writer shot the moon."""
    if line.insured is None or (queen := _paper_queen(line)) is None:
        return None
    return line.insured if queen else -line.insured


def _paper_queen(line: PlayerHandLine) -> bool | None:
    """Whether the queen was taken; None in a hand in which the writer shot the moon."""
    return None if line.queen and line.captured == line.whole else line.queen


def _bid(line: PlayerHandLine) -> Group | None:
    if not line.paid:
        return None
    return next((words,) for most, words in _BIDS if most is None or line.paid <= most)


def _has_won(line: PlayerHandLine) -> bool | None:
    return None if line.sharers is None else line.sharers > 0


LEDGER_LEAST: Final = 20
"""Of fewer hands nothing is told of papers and bids."""
_BIDS: Final = ((3, "1\N{EN DASH}3"), (6, "4\N{EN DASH}6"), (None, "7+"))
"""Bids that are told together, by the highest of them."""

OF_HANDS: Final[tuple[Statistic[PlayerHandLine], ...]] = (
    Statistic(
        "net",
        Message("Gain a hand"),
        Message("Chips won less chips paid, or points below the average of the table, per hand."),
        Unit.GAIN,
        lambda line: line.net,
    ),
    Statistic(
        "clean",
        Message("Clean rate"),
        Message("The part of the hands in which no pain card was taken."),
        Unit.RATE,
        _clean,
    ),
    Statistic(
        "pain",
        Message("Average pain"),
        Message("Pain cards taken, per hand."),
        Unit.CARDS,
        lambda line: line.captured,
    ),
    Statistic(
        "sweeps",
        Message("All of the pain"),
        Message("The part of the hands in which every pain card of the pack was taken."),
        Unit.RATE,
        lambda line: None if line.captured is None else line.captured == line.whole,
    ),
    Statistic(
        "pots",
        Message("Pots"),
        Message("The part of the hands in which the pot was won, alone or shared."),
        Unit.RATE,
        _has_won,
    ),
    Statistic(
        "clean_wins",
        Message("Clean wins"),
        Message("The part of the hands in which the pot was won alone."),
        Unit.RATE,
        lambda line: None if line.sharers is None else line.sharers == 1,
    ),
    Statistic(
        "shared",
        Message("Shared pots"),
        Message("The part of the hands in which the pot was won with others."),
        Unit.RATE,
        lambda line: None if line.sharers is None else line.sharers > 1,
    ),
    Statistic(
        "pot_won",
        Message("Average pot won"),
        Message("Chips taken from a pot, per pot won or shared."),
        Unit.CHIPS,
        lambda line: line.won if line.sharers else None,
    ),
    Statistic(
        "jackpots",
        Message("Jackpot hands"),
        Message("The part of the hands that were played for a jackpot."),
        Unit.RATE,
        lambda line: line.jackpot,
    ),
    Statistic(
        "jackpots_won",
        Message("Jackpots won"),
        Message("The part of the jackpot hands in which the pot was won, alone or shared."),
        Unit.RATE,
        lambda line: _has_won(line) if line.jackpot else None,
    ),
    Statistic(
        "jackpot_chips",
        Message("Chips from jackpots"),
        Message("Chips taken from the pot, per jackpot hand."),
        Unit.CHIPS,
        lambda line: line.won if line.jackpot else None,
    ),
    Statistic(
        "bids",
        Message("Bids made"),
        Message("The part of the auctions in which something was bid."),
        Unit.RATE,
        lambda line: None if line.bid is None else line.bid > 0,
    ),
    Statistic(
        "bids_won",
        Message("Bids won"),
        Message("The part of the auctions with a bid that the bid won."),
        Unit.RATE,
        lambda line: line.paid is not None if line.bid else None,
    ),
    Statistic(
        "winning_bid",
        Message("Average winning bid"),
        Message("Chips bid, per auction won."),
        Unit.CHIPS,
        lambda line: line.paid,
    ),
    Statistic(
        "second_bid",
        Message("Second-highest bid"),
        Message("The highest bid of the others, per auction won."),
        Unit.CHIPS,
        lambda line: line.second,
    ),
    Statistic(
        "overpaid",
        Message("Overpaid"),
        Message("Chips bid beyond one more than the highest bid of the others, per auction won."),
        Unit.CHIPS,
        _overpaid,
    ),
    Statistic(
        "named",
        Message("Naming"),
        Message("The part of the hands with a named suit in which they named it."),
        Unit.RATE,
        lambda line: line.named,
    ),
    Statistic(
        "namer_net",
        Message("Namer's profit"),
        Message(
            "Chips won less chips paid, the bid included, per hand in which they named the suit."
        ),
        Unit.GAIN,
        lambda line: _of_namer(line, line.net),
    ),
    Statistic(
        "namer_clean",
        Message("Clean as namer"),
        Message("The part of the hands in which they named the suit that were clean."),
        Unit.RATE,
        lambda line: _of_namer(line, _clean(line)),
    ),
    Statistic(
        "queens",
        Message("Queens caught"),
        Message("The part of the hands in which the queen of spades was taken."),
        Unit.RATE,
        lambda line: line.queen,
    ),
    Statistic(
        "moons",
        Message("Moons"),
        Message("The part of the hands in which the moon was shot."),
        Unit.RATE,
        lambda line: line.moon,
    ),
    Statistic(
        "insured_catching",
        Message("Insured and caught"),
        Message("The number on the paper, per hand in which the queen was taken."),
        Unit.POINTS,
        lambda line: line.insured if line.queen else None,
    ),
    Statistic(
        "insured_avoiding",
        Message("Insured in vain"),
        Message("The number on the paper, per hand in which somebody else took the queen."),
        Unit.POINTS,
        lambda line: line.insured if line.queen is False else None,
    ),
    Statistic(
        "feet",
        Message("Feet used"),
        Message("The part of the hands in which they used their foot."),
        Unit.RATE,
        lambda line: line.foot,
    ),
    Statistic(
        "luck",
        Message("Luck of the deal"),
        Message(
            "The mean of their seat over all tables less the mean of the whole deal,"
            " per duplicate hand."
        ),
        Unit.GAIN,
        lambda line: line.luck,
    ),
    Statistic(
        "skill",
        Message("Skill on the deal"),
        Message(
            "Their result less the mean of their seat at the other tables, per duplicate hand."
        ),
        Unit.GAIN,
        lambda line: line.skill,
    ),
    Statistic(
        "cards",
        Message("Worth of the cards"),
        Message(
            "What their cards were worth against the average of the table,"
            " per hand of which all cards are on record."
        ),
        Unit.GAIN,
        lambda line: None if line.net is None else line.worth,
        least=WORTHS_LEAST,
    ),
    Statistic(
        "beyond_cards",
        Message("Beyond the cards"),
        Message("Gain less what the cards were worth, per hand of which all cards are on record."),
        Unit.GAIN,
        _beyond_cards,
        least=WORTHS_LEAST,
    ),
    Statistic(
        "pain_spread",
        Message("Pain cards"),
        Message("The part of the hands by the number of pain cards taken."),
        Unit.SPREAD,
        lambda _: 1,
        lambda line: None if line.captured is None else (line.captured,),
    ),
    Statistic(
        "suits",
        Message("Suits named"),
        Message("The part of the hands in which they named a suit, by the suit."),
        Unit.SPREAD,
        lambda _: 1,
        _suit,
    ),
    Statistic(
        "net_by_size",
        Message("Gain by table"),
        Message("Gain per hand, by the number of players."),
        Unit.GAIN,
        lambda line: line.net,
        lambda line: (line.players,),
    ),
    Statistic(
        "net_by_seat",
        Message("Gain by seat"),
        Message(
            "Gain per hand, by the number of players and the seat,"
            " from the eldest, 1, to the dealer."
        ),
        Unit.GAIN,
        lambda line: line.net,
        _seat,
    ),
    Statistic(
        "net_after_namer",
        Message("Gain beside the namer"),
        Message("Gain per hand, by the number of players and of places left of the namer."),
        Unit.GAIN,
        lambda line: line.net,
        _after_namer,
    ),
    Statistic(
        "pass_by_seat",
        Message("Passes by seat"),
        Message(
            "The part of the auctions in which they passed, by the number of players and the seat."
        ),
        Unit.RATE,
        lambda line: None if line.bid is None else line.bid == 0,
        _seat,
    ),
    Statistic(
        "net_by_suit",
        Message("Profit by suit"),
        Message("Gain per hand in which they named a suit, by the suit."),
        Unit.GAIN,
        lambda line: line.net,
        _suit,
    ),
    Statistic(
        "insurance",
        Message("Calibration"),
        Message(
            "The part of the hands in which the queen was taken, by the number on the paper; hands"
            " in which they shot the moon are left out."
        ),
        Unit.RATE,
        _paper_queen,
        lambda line: None if line.insured is None else (line.insured,),
    ),
    Statistic(
        "paper_value",
        Message("Gain by paper"),
        Message(
            "The number on the paper if they took the queen, less it if not, per paper, by the"
            " number; hands in which they shot the moon are left out."
        ),
        Unit.GAIN,
        _paper_value,
        lambda line: None if line.insured is None else (line.insured,),
        LEDGER_LEAST,
    ),
    Statistic(
        "bid_value",
        Message("Gain by bid"),
        Message(
            "Chips won less chips paid, the bid included, per hand in which they named the suit,"
            " by what they had bid."
        ),
        Unit.GAIN,
        lambda line: line.net,
        _bid,
        LEDGER_LEAST,
    ),
)

EXTREMES: Final = (
    Extreme(
        "largest_pot",
        Message("Largest pot"),
        Message("The most chips taken from one pot."),
        Unit.CHIPS,
        lambda line: line.won or None,
    ),
    Extreme(
        "best_hand",
        Message("Best hand"),
        Message("The highest gain of one hand."),
        Unit.GAIN,
        lambda line: line.net,
    ),
    Extreme(
        "worst_hand",
        Message("Worst hand"),
        Message("The lowest gain of one hand."),
        Unit.GAIN,
        lambda line: line.net,
        highest=False,
    ),
    Extreme(
        "most_pain",
        Message("Most pain"),
        Message("The most pain cards taken in one hand."),
        Unit.CARDS,
        lambda line: line.captured,
    ),
)
