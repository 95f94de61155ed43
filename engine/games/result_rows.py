"""Result rows: a settled hand as plain values, one row a seat, for data frames and spreadsheets."""

from ..record.facts import Facts
from ..replay.replay import Replay
from ..settlement.game_end import final_places
from ..settlement.settlement import Settlement
from ..settlement.tables import pot_row, score_rows

Row = dict[str, str | int | bool | None]
"""Values by column."""


def result_rows(judged: Replay, facts: Facts, settled: Settlement) -> list[Row]:
    """A row for each seat; the columns of scores are those that the rules have.

    ``Pot…`` columns are the pot table, ``Next…`` what the next hand inherits, ``Place`` the place
    in the game so far.
    """
    record, rules, after = judged.record, judged.rules, settled.after
    seats, names = record.seats, record.names or (None,) * record.players
    pot = pot_row(settled)
    head: Row = {
        "Board": record.number,
        "Dealer": seats[judged.before.dealer],
        "Status": str(facts.status),
        "Bidder": None if facts.bidder is None else seats[facts.bidder],
        "HighBid": None if facts.bidder is None else facts.bid,
        "PainSuit": None if facts.pain is None else facts.pain.letter,
        "PotBefore": pot.before,
        "PotBid": pot.bid,
        "PotPaid": pot.paid,
        "PotWon": pot.won,
        "PotAfter": pot.after,
    }
    following: Row = {
        "NextDealer": seats[after.dealer],
        "NextJackpot": after.jackpot,
        "NextNamer": None if after.namer is None else seats[after.namer],
        "Over": None if after.over is None else str(after.over),
    }
    places = final_places(rules, after)
    return [
        {
            **head,
            "Seat": seats[row.seat],
            "Player": names[row.seat],
            **row.values,
            **following,
            "Place": places[row.seat],
        }
        for row in score_rows(rules, settled)
    ]
