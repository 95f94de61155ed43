"""The cards that a table played on a board, and whether they match the board's deal."""

from scoring.settlement.replay import JudgedHand
from tournaments.core.deals import find_dealt_board, write_deal


def format_dealt_cards(played: JudgedHand) -> str:
    """Return the dealt cards in the stored form of a board; empty if the record lacks them."""
    held = played.result.replay.dealt if played.result is not None else None
    return "" if held is None else write_deal(held, played.before.dealer)


def matches_deal(deal: str, played: JudgedHand) -> bool | None:
    """Whether a hand was played with the cards of ``deal``; None if either is unknown."""
    cards = format_dealt_cards(played) if deal else ""
    return cards == deal if cards else None


def find_played_board(played: JudgedHand) -> tuple[int, int | None] | None:
    """The board of the event whose cards a hand was played with, and by how many seats turned."""
    return find_dealt_board(played.entered.deals, format_dealt_cards(played))
