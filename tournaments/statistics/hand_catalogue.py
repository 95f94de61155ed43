"""What is counted by hands."""

from typing import Final

from tournaments.statistics.catalogue import Extreme, Group, Statistic, Unit
from tournaments.statistics.lines import Exact, HandLine


def _clean(line: HandLine) -> bool | None:
    return None if line.captured is None else line.captured == 0


def _of_namer(line: HandLine, value: Exact | None) -> Exact | None:
    """The value where he named the suit."""
    return value if line.named else None


def _overpaid(line: HandLine) -> Exact | None:
    if line.paid is None or line.second is None:
        return None
    return line.paid - line.second - 1


def _seat(line: HandLine) -> Group | None:
    return None if line.seat is None else (line.players, line.seat)


def _after_namer(line: HandLine) -> Group | None:
    return None if line.after_namer is None else (line.players, line.after_namer)


def _suit(line: HandLine) -> Group | None:
    return (line.suit.name.lower(),) if line.named and line.suit is not None else None


def _won(line: HandLine) -> bool | None:
    return None if line.sharers is None else line.sharers > 0


OF_HANDS: Final[tuple[Statistic[HandLine], ...]] = (
    Statistic(
        "net",
        "Gain a hand",
        "Chips won less chips paid, or points below the average of the table, per hand.",
        Unit.GAIN,
        lambda line: line.net,
    ),
    Statistic(
        "clean",
        "Clean rate",
        "The part of the hands in which no pain card was taken.",
        Unit.RATE,
        _clean,
    ),
    Statistic(
        "pain",
        "Average pain",
        "Pain cards taken, per hand.",
        Unit.CARDS,
        lambda line: line.captured,
    ),
    Statistic(
        "sweeps",
        "All of the pain",
        "The part of the hands in which every pain card of the pack was taken.",
        Unit.RATE,
        lambda line: None if line.captured is None else line.captured == line.whole,
    ),
    Statistic(
        "pots",
        "Pots",
        "The part of the hands in which the pot was won, alone or shared.",
        Unit.RATE,
        _won,
    ),
    Statistic(
        "clean_wins",
        "Clean wins",
        "The part of the hands in which the pot was won alone.",
        Unit.RATE,
        lambda line: None if line.sharers is None else line.sharers == 1,
    ),
    Statistic(
        "shared",
        "Shared pots",
        "The part of the hands in which the pot was won with others.",
        Unit.RATE,
        lambda line: None if line.sharers is None else line.sharers > 1,
    ),
    Statistic(
        "pot_won",
        "Average pot won",
        "Chips taken from a pot, per pot won or shared.",
        Unit.CHIPS,
        lambda line: line.won if line.sharers else None,
    ),
    Statistic(
        "jackpots",
        "Jackpot hands",
        "The part of the hands that were played for a jackpot.",
        Unit.RATE,
        lambda line: line.jackpot,
    ),
    Statistic(
        "jackpots_won",
        "Jackpots won",
        "The part of the jackpot hands in which the pot was won, alone or shared.",
        Unit.RATE,
        lambda line: _won(line) if line.jackpot else None,
    ),
    Statistic(
        "jackpot_chips",
        "Chips from jackpots",
        "Chips taken from the pot, per jackpot hand.",
        Unit.CHIPS,
        lambda line: line.won if line.jackpot else None,
    ),
    Statistic(
        "bids",
        "Bids made",
        "The part of the auctions in which something was bid.",
        Unit.RATE,
        lambda line: None if line.bid is None else line.bid > 0,
    ),
    Statistic(
        "bids_won",
        "Bids won",
        "The part of the auctions with a bid that the bid won.",
        Unit.RATE,
        lambda line: line.paid is not None if line.bid else None,
    ),
    Statistic(
        "winning_bid",
        "Average winning bid",
        "Chips bid, per auction won.",
        Unit.CHIPS,
        lambda line: line.paid,
    ),
    Statistic(
        "second_bid",
        "Second-highest bid",
        "The highest bid of the others, per auction won.",
        Unit.CHIPS,
        lambda line: line.second,
    ),
    Statistic(
        "overpaid",
        "Overpaid",
        "Chips bid beyond one more than the highest bid of the others, per auction won.",
        Unit.CHIPS,
        _overpaid,
    ),
    Statistic(
        "named",
        "Naming",
        "The part of the hands with a named suit in which he named it.",
        Unit.RATE,
        lambda line: line.named,
    ),
    Statistic(
        "namer_net",
        "Namer's profit",
        "Chips won less chips paid, the bid included, per hand in which he named the suit.",
        Unit.GAIN,
        lambda line: _of_namer(line, line.net),
    ),
    Statistic(
        "namer_clean",
        "Clean as namer",
        "The part of the hands in which he named the suit that were clean.",
        Unit.RATE,
        lambda line: _of_namer(line, _clean(line)),
    ),
    Statistic(
        "queens",
        "Queens caught",
        "The part of the hands in which the queen of spades was taken.",
        Unit.RATE,
        lambda line: line.queen,
    ),
    Statistic(
        "moons",
        "Moons",
        "The part of the hands in which the moon was shot.",
        Unit.RATE,
        lambda line: line.moon,
    ),
    Statistic(
        "insured_catching",
        "Insured and caught",
        "The number on the paper, per hand in which the queen was taken.",
        Unit.POINTS,
        lambda line: line.insured if line.queen else None,
    ),
    Statistic(
        "insured_avoiding",
        "Insured in vain",
        "The number on the paper, per hand in which somebody else took the queen.",
        Unit.POINTS,
        lambda line: line.insured if line.queen is False else None,
    ),
    Statistic(
        "feet",
        "Feet used",
        "The part of the hands in which he used his foot.",
        Unit.RATE,
        lambda line: line.foot,
    ),
    Statistic(
        "luck",
        "Luck of the deal",
        "The mean of his seat over all tables less the mean of the whole deal, per duplicate hand.",
        Unit.GAIN,
        lambda line: line.luck,
    ),
    Statistic(
        "skill",
        "Skill on the deal",
        "His result less the mean of his seat at the other tables, per duplicate hand.",
        Unit.GAIN,
        lambda line: line.skill,
    ),
    Statistic(
        "pain_spread",
        "Pain cards",
        "The part of the hands by the number of pain cards taken.",
        Unit.SPREAD,
        lambda _: 1,
        lambda line: None if line.captured is None else (line.captured,),
    ),
    Statistic(
        "suits",
        "Suits named",
        "The part of the hands in which he named a suit, by the suit.",
        Unit.SPREAD,
        lambda _: 1,
        _suit,
    ),
    Statistic(
        "net_by_size",
        "Gain by table",
        "Gain per hand, by the number of players.",
        Unit.GAIN,
        lambda line: line.net,
        lambda line: (line.players,),
    ),
    Statistic(
        "net_by_seat",
        "Gain by seat",
        "Gain per hand, by the number of players and the seat, from the eldest, 1, to the dealer.",
        Unit.GAIN,
        lambda line: line.net,
        _seat,
    ),
    Statistic(
        "net_after_namer",
        "Gain beside the namer",
        "Gain per hand, by the number of players and of places left of the namer.",
        Unit.GAIN,
        lambda line: line.net,
        _after_namer,
    ),
    Statistic(
        "pass_by_seat",
        "Passes by seat",
        "The part of the auctions in which he passed, by the number of players and the seat.",
        Unit.RATE,
        lambda line: None if line.bid is None else line.bid == 0,
        _seat,
    ),
    Statistic(
        "net_by_suit",
        "Profit by suit",
        "Gain per hand in which he named a suit, by the suit.",
        Unit.GAIN,
        lambda line: line.net,
        _suit,
    ),
    Statistic(
        "insurance",
        "Calibration",
        "The part of the hands in which the queen was taken, by the number on the paper.",
        Unit.RATE,
        lambda line: line.queen,
        lambda line: None if line.insured is None else (line.insured,),
    ),
)

EXTREMES: Final = (
    Extreme(
        "largest_pot",
        "Largest pot",
        "The most chips taken from one pot.",
        Unit.CHIPS,
        lambda line: line.won or None,
    ),
    Extreme(
        "best_hand", "Best hand", "The highest gain of one hand.", Unit.GAIN, lambda line: line.net
    ),
    Extreme(
        "worst_hand",
        "Worst hand",
        "The lowest gain of one hand.",
        Unit.GAIN,
        lambda line: line.net,
        highest=False,
    ),
    Extreme(
        "most_pain",
        "Most pain",
        "The most pain cards taken in one hand.",
        Unit.CARDS,
        lambda line: line.captured,
    ),
)
