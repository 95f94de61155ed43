"""Defects of a record, as data (rules.md K7 and section 8, notation.md 3.5).

A fault never stops a replay: it says what is wrong, where, and what would have been right. The
same ids stand in the command line's output, the pages, the API and the documents.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.core.cards import EMPTY, Card, CardSet
from engine.core.messages import NO_MESSAGE, Message
from engine.core.seats import Seat
from engine.core.values import quickly_made


class Severity(StrEnum):
    """Effects of a fault on the hand (K7)."""

    ERROR = "error"
    """The hand cannot be settled."""
    RULING = "ruling"
    """The hand waits for the director; what is settled is provisional."""
    WARNING = "warning"
    """Odd, but harmless."""
    INFO = "info"
    """Worth knowing."""


class Code(StrEnum):
    """Kinds of faults: the ids of notation.md 3.5 under their names in rules.md section 8.

    Ids with L, S, T and W (text, structure, values, portability) belong to the notation.
    """

    CARD_TWICE = "D30"
    NOT_IN_PACK = "D31"
    HAND_SIZE = "D32"
    WRONG_STRIP = "D33"
    CENTRE_SIZE = "D34"
    WRONG_PASS = "D35"  # noqa: S105 - cards are passed, no secret
    MISDEAL = "D36"
    HANDS_EXCHANGED = "D37"
    PLAYERS = "T23"
    RULES = "T26"

    BID_OUT_OF_TURN = "A40"
    BAD_CALL = "A41"
    OVER_STACK = "A42"
    INSUFFICIENT_BID = "A43"
    WRONG_NAMER = "A44"
    AUCTION_IN_JACKPOT = "A45"
    BAD_PAPER = "A46"
    BAD_FOOT = "A47"
    BAD_BID = "A48"
    CENTRE_ORDER = "A49"

    NOT_HELD = "P50"
    REVOKE = "P51"
    WRONG_LEADER = "P52"
    OPENING_CARD = "P53"
    PAIN_LED = "P54"
    FIRST_TRICK = "P55"
    PLAYED_TWICE = "P56"
    TRICK_COUNT = "P57"
    BAD_CLAIM = "P58"
    OUT_OF_TURN = "P59"
    REVOKE_CORRECTED = "P60"
    EXPOSED_CARD = "P61"
    TRICKS_EXCHANGED = "P62"

    CAPTURE_COUNT = "C60"
    POINTS = "C61"
    MOON = "C62"
    INSURANCE_SIGN = "C63"
    POT = "C64"
    CHIPS = "C65"
    ODD_CHIP = "C66"
    RUNNING_TOTAL = "C67"
    SETTLEMENT = "C68"
    GAME_OVER = "C69"
    REBUY = "C70"


class Part(StrEnum):
    """Parts of a record for faults; with an index, which cell, row or play of that part."""

    HEADER = "header"
    NAMES = "names"
    NUMBER = "number"
    DEALER = "dealer"
    DEAL = "deal"
    STRIPPED = "stripped"
    CENTRE = "centre"
    PAPERS = "papers"
    EXCHANGE = "exchange"
    BIDS = "bids"
    AUCTION = "auction"
    NAMER = "namer"
    PAIN = "pain"
    JACKPOT = "jackpot"
    PLAY = "play"
    CLAIM = "claim"
    CAPTURES = "captures"
    ENDING = "ending"
    RULINGS = "rulings"
    REBUYS = "rebuys"
    POT = "pot"
    SCORES = "scores"
    TOTALS = "totals"
    TAG = "tag"


@quickly_made
@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """One defect of a record.

    ``rule`` is the id in rules.md that was broken; ``index`` counts from 0 within ``part`` (for
    the play: the card's place in the written rows); ``trick`` counts from 1; ``legal`` is what
    the seat could have played or passed instead; ``column`` is a column of a written table;
    ``established`` says that the offender (or their side of the table) had gone on playing before
    anybody could have corrected it. ``hint`` says what to do, where that is not the advice that
    goes with the code.
    """

    code: Code
    rule: str
    message: Message
    severity: Severity = Severity.ERROR
    part: Part = Part.HEADER
    index: int | None = None
    column: str | None = None
    seat: Seat | None = None
    trick: int | None = None
    card: Card | None = None
    legal: CardSet = EMPTY
    established: bool = False
    hint: Message = NO_MESSAGE


TITLES: Final = {
    Code.CARD_TWICE: Message("a card twice"),
    Code.NOT_IN_PACK: Message("a card that is not in this pack"),
    Code.HAND_SIZE: Message("a hand of the wrong size"),
    Code.WRONG_STRIP: Message("the wrong cards stripped"),
    Code.CENTRE_SIZE: Message("the wrong number of centre cards"),
    Code.WRONG_PASS: Message("a wrong pass"),
    Code.MISDEAL: Message("a misdeal"),
    Code.HANDS_EXCHANGED: Message("two hands of the deal exchanged"),
    Code.PLAYERS: Message("a number of players these rules have no table for"),
    Code.RULES: Message("house rules that are not the game's"),
    Code.BID_OUT_OF_TURN: Message("a bid out of turn, or a second bid"),
    Code.BAD_CALL: Message("a call that is no call"),
    Code.OVER_STACK: Message("a bid above the chips held"),
    Code.INSUFFICIENT_BID: Message("a bid that is not higher"),
    Code.WRONG_NAMER: Message("the wrong player names the pain suit"),
    Code.AUCTION_IN_JACKPOT: Message("an auction in a jackpot hand"),
    Code.BAD_PAPER: Message("an insurance paper outside 0 to 6"),
    Code.BAD_FOOT: Message("a foot that cannot be called"),
    Code.BAD_BID: Message("a centre bid that does not count"),
    Code.CENTRE_ORDER: Message("a centre card for the wrong player"),
    Code.NOT_HELD: Message("a card that was not held"),
    Code.REVOKE: Message("a revoke"),
    Code.WRONG_LEADER: Message("the wrong opening leader"),
    Code.OPENING_CARD: Message("the wrong opening card"),
    Code.PAIN_LED: Message("the pain suit led before it was broken"),
    Code.FIRST_TRICK: Message("a penalty card on the first trick"),
    Code.PLAYED_TWICE: Message("a card played twice"),
    Code.TRICK_COUNT: Message("the wrong number of tricks or cards in a trick"),
    Code.BAD_CLAIM: Message("an impossible claim"),
    Code.OUT_OF_TURN: Message("a lead or play out of turn"),
    Code.REVOKE_CORRECTED: Message("a revoke that was put right"),
    Code.EXPOSED_CARD: Message("a card exposed early"),
    Code.TRICKS_EXCHANGED: Message("two tricks exchanged"),
    Code.CAPTURE_COUNT: Message("captures that do not add up"),
    Code.POINTS: Message("wrong points"),
    Code.MOON: Message("a moon scored wrongly"),
    Code.INSURANCE_SIGN: Message("insurance scored wrongly"),
    Code.POT: Message("a pot that does not balance"),
    Code.CHIPS: Message("chips that are not conserved"),
    Code.ODD_CHIP: Message("a pot split wrongly"),
    Code.RUNNING_TOTAL: Message("a total that does not follow from the last record"),
    Code.SETTLEMENT: Message("a settlement that does not sum to zero"),
    Code.GAME_OVER: Message("a hand after the end of the game"),
    Code.REBUY: Message("a rebuy on which the table has to decide"),
}
"""A short title for each code, for lists and tables."""

ADVICE: Final = {
    Code.CARD_TWICE: Message(
        "see where the card was dealt, and which card the other place had instead"
    ),
    Code.NOT_IN_PACK: Message(
        "see the cards left out for this number of players, and the card meant"
    ),
    Code.HAND_SIZE: Message("count the hand again; a card is missing, or one is too many"),
    Code.WRONG_STRIP: Message("correct the tag Stripped, or name the cards in the house rules"),
    Code.CENTRE_SIZE: Message("see how many cards were laid aside"),
    Code.WRONG_PASS: Message(
        "record the pass that was really made; the director decides whether it stands"
    ),
    Code.MISDEAL: Message("see who dealt, and whether the hand is dealt again"),
    Code.HANDS_EXCHANGED: Message("write each hand for the seat that was dealt it"),
    Code.RULES: Message("house rules are fixed at the first hand of a game"),
    Code.PLAYERS: Message("choose rules for this number of players, or correct the seats"),
    Code.BID_OUT_OF_TURN: Message("write one call a seat, from the left of the dealer"),
    Code.BAD_CALL: Message("see what each seat called, and how the hand ended"),
    Code.OVER_STACK: Message("see how much was bid; more than the highest bid counts as that"),
    Code.INSUFFICIENT_BID: Message("see what was bid before this call"),
    Code.WRONG_NAMER: Message("see who named the pain suit, and which"),
    Code.AUCTION_IN_JACKPOT: Message(
        "a carried jackpot is played without an auction, other hands with one"
    ),
    Code.BAD_PAPER: Message("write a number from 0 to 6"),
    Code.BAD_FOOT: Message("a foot is called once a game, on the insurance paper"),
    Code.BAD_BID: Message("see what stands on the paper of this seat"),
    Code.CENTRE_ORDER: Message(
        "the highest number wins, then the strongest card shown; the rest choose"
    ),
    Code.NOT_HELD: Message("see who really played this card, or correct the deal"),
    Code.REVOKE: Message("the director decides; the revoke law is proposed"),
    Code.WRONG_LEADER: Message("see who led to the first trick"),
    Code.OPENING_CARD: Message("the lowest club in the pack opens"),
    Code.PAIN_LED: Message("a lead to which all have played stands, with a warning"),
    Code.FIRST_TRICK: Message("if nobody noticed in time the result stands, with a warning"),
    Code.PLAYED_TWICE: Message("see which card was really played"),
    Code.TRICK_COUNT: Message("write every trick, or how the hand ended"),
    Code.BAD_CLAIM: Message("write the seat and the number of complete tricks before the claim"),
    Code.OUT_OF_TURN: Message(
        "the winner of a trick leads to the next; once all have played it stands"
    ),
    Code.REVOKE_CORRECTED: Message("the card withdrawn stays exposed; the score does not change"),
    Code.EXPOSED_CARD: Message("the card lies face up and is played at the first legal chance"),
    Code.TRICKS_EXCHANGED: Message("write the tricks in the order in which they were played"),
    Code.CAPTURE_COUNT: Message("count the captured cards again"),
    Code.POINTS: Message("add the points again"),
    Code.MOON: Message("see the house rule for taking all the points"),
    Code.INSURANCE_SIGN: Message("see who took the queen, and what stands on the papers"),
    Code.POT: Message("before + bid + paid = won + after"),
    Code.CHIPS: Message("chips only move; count them again"),
    Code.ODD_CHIP: Message("see who took no pain card; only they can win the pot"),
    Code.RUNNING_TOTAL: Message("compare with the hands before this one"),
    Code.SETTLEMENT: Message("see the totals, and compute the settlement again"),
    Code.GAME_OVER: Message("begin a new game, or correct the hand that ended this one"),
    Code.REBUY: Message("write in the RebuyTable how many stacks the seat bought again, or 0"),
}
"""What to do about each defect, where nothing better can be said."""


def without_legal(message: str) -> str:
    """A message of the engine without the legal cards at its end, for who shows them as cards.

    >>> without_legal(Message("{why}; legal: {cards}", why="HK does not follow clubs", cards="CA"))
    'HK does not follow clubs'
    >>> why = Message("{why}; legal: {cards}", why="HK does not follow clubs", cards="CA")
    >>> without_legal(Message("{seat}: {message}", seat="E", message=why))
    'E: HK does not follow clubs'
    """
    match message:
        case Message(template="legal: {cards}"):
            return ""
        case Message(template="{why}; legal: {cards}"):
            why = message.arguments["why"]
            return why if isinstance(why, Message) else str(why)
        case Message(template="{seat}: {message}"):
            words = message.arguments["message"]
            if not isinstance(words, Message):
                return message
            seat = message.arguments["seat"]
            return Message("{seat}: {message}", seat=seat, message=without_legal(words))
        case _:
            return message
