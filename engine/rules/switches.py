"""The values of the house-rule switches, each with its meaning in plain words (rules.md 7).

The first value of a class is the default of rules.md. The words stand beside the values, so that
a club's rule sheet and the director's form say the same as the rule that is applied.
"""

from enum import Enum
from typing import Final

from ..core.messages import Choice, Message


class Toggle(Choice):
    OFF = "off", Message("No.")
    ON = "on", Message("Yes.")


# An enumeration takes long to find a member by its name, and these are asked of every hand.
ON: Final = Toggle.ON
OFF: Final = Toggle.OFF


class PainBy(Choice):
    AUCTION = "auction", Message("The bid-winner names the pain suit.")
    HEARTS = "hearts", Message("Hearts is always the pain suit.")


class FirstLeader(Choice):
    BIDDER = "bidder", Message("The bid-winner leads to the first trick.")
    ELDEST = "eldest", Message("The player on the dealer's left leads to the first trick.")
    LOW_CLUB = (
        "low_club",
        Message("The holder of the lowest club in the pack leads it to the first trick."),
    )


class FirstTrick(Choice):
    FORBIDDEN = (
        "forbidden",
        Message(
            "No penalty card may be discarded on the first trick, "
            "unless the hand holds nothing else."
        ),
    )
    ALLOWED = "allowed", Message("Penalty cards may be discarded on the first trick.")


class PainLead(Choice):
    AFTER_BROKEN = (
        "after_broken",
        Message(
            "The pain suit may not be led until it is broken, unless the hand holds nothing else."
        ),
    )
    FREE = "free", Message("The pain suit may be led at any time.")


class BrokenBy(Choice):
    PAIN = "pain", Message("A card of the pain suit, played to any trick, breaks it.")
    HEART_OR_QUEEN = (
        "heart_or_queen",
        Message("A heart or the queen of spades, however played, breaks hearts."),
    )
    HEART = "heart", Message("Only a heart breaks hearts.")


class HeartsPlusQueen(Choice):
    MUST_QUEEN = (
        "must_queen",
        Message(
            "On lead with only hearts and the queen of spades, hearts unbroken, "
            "the queen must be led."
        ),
    )
    MAY_LEAD_HEART = (
        "may_lead_heart",
        Message("On lead with only hearts and the queen of spades, a heart may be led."),
    )


class BidOrder(Choice):
    OPEN_FIRST_WINS = (
        "open_first_wins",
        Message("Any bid may be spoken; of equal highest bids the first wins."),
    )
    ASCENDING = "ascending", Message("Each bid must be higher than the one before.")


class AllPass(Choice):
    REDEAL = (
        "redeal",
        Message("If everybody passes, the deal passes left and a new auction follows."),
    )
    PLAY_HEARTS = (
        "play_hearts",
        Message("If everybody passes, hearts is the pain suit and nobody pays."),
    )
    ELDEST_PAYS_MIN = (
        "eldest_pays_min",
        Message(
            "If everybody passes, the player on the dealer's left takes the bid for the minimum."
        ),
    )


class SettledBy(Choice):
    POT = "pot", Message("Chips into a pot, which a player who took no pain card wins.")
    AVERAGE = "average", Message("Points, settled against the average at the end of the session.")
    POINTS = "points", Message("Points; the lowest total wins.")


class AverageEach(Choice):
    SESSION = "session", Message("Scores are settled once, at the end of the session.")
    HAND = "hand", Message("Every hand is settled at once, in chips.")


class Moon(Choice):
    ADD_TO_OTHERS = (
        "add_to_others",
        Message("Taking all the points scores 0; everybody else scores 26."),
    )
    SUBTRACT_FROM_SELF = (
        "subtract_from_self",
        Message("Taking all the points scores minus 26; everybody else scores 0."),
    )
    SHOOTER_CHOICE = (
        "shooter_choice",
        Message("Who takes all the points chooses: 26 to everybody else, or 26 off their own."),
    )
    NONE = "none", Message("Taking all the points is scored like any other hand.")


class Passing(Choice):
    CYCLE = "cycle", Message("Cards are passed, in a direction that changes with every deal.")
    NONE = "none", Message("No cards are passed.")


class BadPaper(Choice):
    ZERO = "zero", Message("A missing, late or wrong insurance paper counts as 0.")
    RULING = "ruling", Message("A missing, late or wrong insurance paper goes to the director.")


class BadBid(Choice):
    NO_BID = "no_bid", Message("A centre bid below its start, or for no centre card, is no bid.")
    RAISE_TO_MINIMUM = (
        "raise_to_minimum",
        Message("A centre bid below its start is raised to the start."),
    )


class BidPointsOnMoon(Choice):
    ADD = "add", Message("Points bid for a centre card count even when somebody shoots the moon.")
    WAIVE = (
        "waive",
        Message("Points bid for a centre card are waived when somebody shoots the moon."),
    )


class JackpotSuit(Choice):
    FREE = "free", Message("The namer of a jackpot hand names any suit, after seeing the new hand.")
    SAME = "same", Message("The pain suit of a jackpot hand is the one named first.")


class JackpotNamer(Choice):
    ORIGINAL_BIDDER = (
        "original_bidder",
        Message("The bid-winner of the original auction names the suit in every jackpot hand."),
    )


class JackpotSplit(Choice):
    ALLOWED = "allowed", Message("Two clean players divide a jackpot.")
    SOLE_WINNER_ONLY = (
        "sole_winner_only",
        Message("A jackpot is won only by a single clean player."),
    )


class ZeroClean(Choice):
    JACKPOT = "jackpot", Message("When nobody is clean, the pot is a jackpot.")
    CARRY_WITH_AUCTION = (
        "carry_with_auction",
        Message("When nobody is clean, the pot stays and an ordinary auction follows."),
    )


class ThreePlayerSweep(Choice):
    JACKPOT = (
        "jackpot",
        Message("With three players, one player taking the whole suit makes a jackpot."),
    )
    DIVIDE = (
        "divide",
        Message("With three players, when one takes the whole suit the other two divide."),
    )


class OddChip(Choice):
    STAYS = "stays", Message("An odd chip of a divided pot stays in for the next hand.")


class MoonAllTricks(Choice):
    OFF = "off", Message("Taking all the tricks has no special effect.")
    GAME = "game", Message("A player who takes every trick wins the game at once.")


class Winner(Choice):
    CHIPS = "chips", Message("Whoever has most chips wins.")
    TRICKS = "tricks", Message("Whoever has won most tricks in the game wins it.")


class Tiebreak(Choice):
    NONE = "none", Message("Equal results share the place.")
    TRICKS = "tricks", Message("Equal results are separated by the number of tricks taken.")


class Insolvency(Choice):
    PAY_WHAT_YOU_HAVE = (
        "pay_what_you_have",
        Message(
            "A player who owes more chips than they hold pays what they hold; the rest is forgiven."
        ),
    )
    DEBT = "debt", Message("A player who owes more chips than they hold goes into debt.")
    REBUY = (
        "rebuy",
        Message(
            "A player who cannot pay, or has no chips left, may buy in again; the table decides."
        ),
    )


class EndPot(Choice):
    EQUAL_SPLIT = "equal_split", Message("A pot left at the end is worth the same to everybody.")
    PRO_RATA = "pro_rata", Message("A pot left at the end is shared by the chips held.")
    CLUB_FUND = "club_fund", Message("A pot left at the end goes to the club.")
    PLAY_UNTIL_WON = "play_until_won", Message("The game goes on until the pot is won.")


class SpareUnits(Choice):
    LARGEST_FRACTION = (
        "largest_fraction",
        Message("Spare cents of a payout go to the largest fractions, one each."),
    )
    CLUB_FUND = "club_fund", Message("Spare cents of a payout go to the club.")


class Tie(Choice):
    SHARED = "shared", Message("Equal results share the place.")
    EXTRA_HAND = "extra_hand", Message("A tie for first place is played off by another hand.")


class AverageRounding(Choice):
    EXACT = "exact", Message("Differences from the average are exact.")
    HOWELL_UNITS = (
        "howell_units",
        Message(
            "Whole units: one less than the number of players paid for each heart taken, "
            "one drawn for each not taken."
        ),
    )
    ODD_TO_POT = (
        "odd_to_pot",
        Message("Payments are rounded up and collections down to whole chips; the odd chips stay."),
    )


class Prize(Choice):
    NONE = "none", Message("No stake is played for.")
    WINNER_TAKES_ALL = "winner_takes_all", Message("Everybody antes; the winner takes all.")


class Credit(Choice):
    ENTRANT = "entrant", Message("The player for whom a substitute sits in wins and pays.")
    PER_HAND = "per_hand", Message("Whoever played a hand wins and pays what it came to.")
    MAJORITY = "majority", Message("Whoever played most of the hands wins and pays all of them.")


class Claims(Choice):
    AGREED_ONLY = "agreed_only", Message("A claim is valid when all agree to it.")
    OFF = "off", Message("Every hand is played to the last trick.")


class RevokeLaw(Choice):
    FOSTER = "foster", Message("A revoke costs the offender all losses of the hand.")
    FOSTER_FULL = (
        "foster_full",
        Message("A revoke costs the offender all losses of the hand, and the bid in addition."),
    )


class Ends(Choice):
    BUST = "bust", Message("when a player has no chips left")
    HANDS = "hands", Message("after a number of settled hands")
    DEALER_ORBITS = "dealer_orbits", Message("when everybody has dealt so many settled hands")
    TIME = "time", Message("when the time is up")
    SESSION = "session", Message("when the players agree to stop")
    LIMIT = "limit", Message("after the hand in which a total reaches the limit")


class Cap(Enum):
    """Limits that are not a number."""

    STACK = "stack"
    NONE = "none"
