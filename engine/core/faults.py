"""Defects of a record, as data (rules.md K7 and section 8, notation.md 3.5).

A fault never stops a replay: it says what is wrong, where, and what would have been right. The
same ids stand in the command line's output, the pages, the API and the documents.
"""

from dataclasses import dataclass
from enum import StrEnum

from .cards import EMPTY, Card, CardSet
from .messages import NO_MESSAGE, Choice, Message
from .seats import Seat
from .values import quickly_made


class Severity(Choice):
    """Effects of a fault on the hand (K7)."""

    ERROR = "error", Message("error")
    """The hand cannot be settled."""
    RULING = "ruling", Message("ruling")
    """The hand waits for the director; what is settled is provisional."""
    WARNING = "warning", Message("warning")
    """Odd, but harmless."""
    INFO = "info", Message("info")
    """Worth knowing."""


class Code(Choice):
    """Kinds of faults: the ids of notation.md 3.5 under their names in rules.md section 8.

    Ids with L, S, T and W (text, structure, values, portability) belong to the notation. The words
    of a code are a short title for lists and tables, its details say what to do about the fault,
    where nothing better can be said.
    """

    CARD_TWICE = (
        "D30",
        Message("a card twice"),
        Message("see where the card was dealt, and which card the other place had instead"),
    )
    NOT_IN_PACK = (
        "D31",
        Message("a card that is not in this pack"),
        Message("see the cards left out for this number of players, and the card meant"),
    )
    HAND_SIZE = (
        "D32",
        Message("a hand of the wrong size"),
        Message("count the hand again; a card is missing, or one is too many"),
    )
    WRONG_STRIP = (
        "D33",
        Message("the wrong cards stripped"),
        Message("correct the tag Stripped, or name the cards in the house rules"),
    )
    CENTRE_SIZE = (
        "D34",
        Message("the wrong number of centre cards"),
        Message("see how many cards were laid aside"),
    )
    WRONG_PASS = (
        "D35",
        Message("a wrong pass"),
        Message("record the pass that was really made; the director decides whether it stands"),
    )
    MISDEAL = (
        "D36",
        Message("a misdeal"),
        Message("see who dealt, and whether the hand is dealt again"),
    )
    HANDS_EXCHANGED = (
        "D37",
        Message("two hands of the deal exchanged"),
        Message("write each hand for the seat that was dealt it"),
    )
    PLAYERS = (
        "T23",
        Message("a number of players these rules have no table for"),
        Message("choose rules for this number of players, or correct the seats"),
    )
    RULES = (
        "T26",
        Message("house rules that are not the game's"),
        Message("house rules are fixed at the first hand of a game"),
    )

    BID_OUT_OF_TURN = (
        "A40",
        Message("a bid out of turn, or a second bid"),
        Message("write one call a seat, from the left of the dealer"),
    )
    BAD_CALL = (
        "A41",
        Message("a call that is no call"),
        Message("see what each seat called, and how the hand ended"),
    )
    OVER_STACK = (
        "A42",
        Message("a bid above the chips held"),
        Message("see how much was bid; more than the highest bid counts as that"),
    )
    INSUFFICIENT_BID = (
        "A43",
        Message("a bid that is not higher"),
        Message("see what was bid before this call"),
    )
    WRONG_NAMER = (
        "A44",
        Message("the wrong player names the pain suit"),
        Message("see who named the pain suit, and which"),
    )
    AUCTION_IN_JACKPOT = (
        "A45",
        Message("an auction in a jackpot hand"),
        Message("a carried jackpot is played without an auction, other hands with one"),
    )
    BAD_PAPER = (
        "A46",
        Message("an insurance paper outside 0 to 6"),
        Message("write a number from 0 to 6"),
    )
    BAD_FOOT = (
        "A47",
        Message("a foot that cannot be called"),
        Message("a foot is called once a game, on the insurance paper"),
    )
    BAD_BID = (
        "A48",
        Message("a centre bid that does not count"),
        Message("see what stands on the paper of this seat"),
    )
    CENTRE_ORDER = (
        "A49",
        Message("a centre card for the wrong player"),
        Message("the highest number wins, then the strongest card shown; the rest choose"),
    )

    NOT_HELD = (
        "P50",
        Message("a card that was not held"),
        Message("see who really played this card, or correct the deal"),
    )
    REVOKE = (
        "P51",
        Message("a revoke"),
        Message("the director decides; the revoke law is proposed"),
    )
    WRONG_LEADER = (
        "P52",
        Message("the wrong opening leader"),
        Message("see who led to the first trick"),
    )
    OPENING_CARD = (
        "P53",
        Message("the wrong opening card"),
        Message("the lowest club in the pack opens"),
    )
    PAIN_LED = (
        "P54",
        Message("the pain suit led before it was broken"),
        Message("a lead to which all have played stands, with a warning"),
    )
    FIRST_TRICK = (
        "P55",
        Message("a penalty card on the first trick"),
        Message("if nobody noticed in time the result stands, with a warning"),
    )
    PLAYED_TWICE = (
        "P56",
        Message("a card played twice"),
        Message("see which card was really played"),
    )
    TRICK_COUNT = (
        "P57",
        Message("the wrong number of tricks or cards in a trick"),
        Message("write every trick, or how the hand ended"),
    )
    BAD_CLAIM = (
        "P58",
        Message("an impossible claim"),
        Message("write the seat and the number of complete tricks before the claim"),
    )
    OUT_OF_TURN = (
        "P59",
        Message("a lead or play out of turn"),
        Message("the winner of a trick leads to the next; once all have played it stands"),
    )
    REVOKE_CORRECTED = (
        "P60",
        Message("a revoke that was put right"),
        Message("the card withdrawn stays exposed; the score does not change"),
    )
    EXPOSED_CARD = (
        "P61",
        Message("a card exposed early"),
        Message("the card lies face up and is played at the first legal chance"),
    )
    TRICKS_EXCHANGED = (
        "P62",
        Message("two tricks exchanged"),
        Message("write the tricks in the order in which they were played"),
    )

    CAPTURE_COUNT = (
        "C60",
        Message("captures that do not add up"),
        Message("count the captured cards again"),
    )
    POINTS = (
        "C61",
        Message("wrong points"),
        Message("add the points again"),
    )
    MOON = (
        "C62",
        Message("a moon scored wrongly"),
        Message("see the house rule for taking all the points"),
    )
    INSURANCE_SIGN = (
        "C63",
        Message("insurance scored wrongly"),
        Message("see who took the queen, and what stands on the papers"),
    )
    POT = (
        "C64",
        Message("a pot that does not balance"),
        Message("before + bid + paid = won + after"),
    )
    CHIPS = (
        "C65",
        Message("chips that are not conserved"),
        Message("chips only move; count them again"),
    )
    ODD_CHIP = (
        "C66",
        Message("a pot split wrongly"),
        Message("see who took no pain card; only they can win the pot"),
    )
    RUNNING_TOTAL = (
        "C67",
        Message("a total that does not follow from the last record"),
        Message("compare with the hands before this one"),
    )
    SETTLEMENT = (
        "C68",
        Message("a settlement that does not sum to zero"),
        Message("see the totals, and compute the settlement again"),
    )
    GAME_OVER = (
        "C69",
        Message("a hand after the end of the game"),
        Message("begin a new game, or correct the hand that ended this one"),
    )
    REBUY = (
        "C70",
        Message("a rebuy on which the table has to decide"),
        Message("write in the RebuyTable how many stacks the seat bought again, or 0"),
    )


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
