"""The sentences of the phone's page, by the keys that the scripts use.

Names in braces are filled in by the scripts.
"""

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from scoring.presentation.cards import SEATS, SUITS


def words() -> dict[str, str]:
    """All of them, in the language of the request."""
    names = {f"seat {seat}": str(name) for seat, name in SEATS.items()}
    suits = {f"suit {suit}": str(name) for suit, name in SUITS.items()}
    return (
        names | suits | _strip() | _questions() | _answers() | _summaries() | _states() | _papers()
    )


def _strip() -> dict[str, str]:
    return {
        "at the table": _("At the table"),
        "scan": _("Scan the code that lies on your table."),
        "no table": _("This code belongs to no table. Scan it again."),
        "loading": _("Looking for your table…"),
        "no network yet": _("No network. Your table is shown as soon as there is one."),
        "not kept": _("This browser keeps nothing. Leave the page open until all is sent."),
        "link closed": _("{why} What waits on this phone stays here: scan the code on the table."),
        "game closed": _("The director has closed this game."),
        "game over": _("This game is over."),
        "over because": _("The reason: {why}."),
        "place": _("Place"),
        "director closes": _("The director closes it and settles up."),
        "collects or pays": _("Collects or pays"),
        "left in pot": _("{count} stays in the pot."),
        "round played": _("All {count} hands of this round are played. The director goes on."),
        "your seat": _("Where do you sit?"),
        "your seat help": _("Tap your seat. You can change it at the top."),
        "you are": _("You: {seat}"),
        "you are, change": _("You: {seat}; change seat"),
        "hand": _("Hand {number}"),
        "no network": _("No network"),
        "badge waiting": _("Waiting: {count}"),
        "badge refused": _("Not taken: {count}"),
        "chips by seat": _("Chips by seat"),
        "points by seat": _("Points by seat"),
        "dealer letter": pgettext("the dealer, in one letter", "D"),
        "deals now": _(", dealer"),
        "dealer is": _("Dealer: {seat}"),
        "bids first": _("Bids first: {seat}"),
        "board": _("Board {number}"),
        "pot": _("Pot: {pot}"),
        "jackpot": _("Jackpot hand {number}"),
        "names": _("Names the suit: {seat}"),
        "passing": _("Pass: {way}"),
        "pass left": _("left"),
        "pass right": _("right"),
        "pass across": _("across"),
        "pass hold": _("hold"),
        "feet used": _("Foot used: {seats}"),
        "over": _("Game over"),
        "over bust": _("somebody has no chips left"),
        "over hands": _("all hands are played"),
        "over dealer_orbits": _("everybody has dealt as often as agreed"),
        "over limit": _("the limit is reached"),
        "over moon_all_tricks": _("all the tricks are taken"),
        "over stopped": _("the director stopped it"),
    }


def _questions() -> dict[str, str]:
    return {
        "hand deals": _("Hand {number} · {seat} deals"),
        "ask bid": _("What does {seat} bid?"),
        "ask suit": _("Which suit does {seat} name?"),
        "ask taken": _("{seat} took how many {suit}?"),
        "ask queen": _("Who took the queen of spades?"),
        "ask paper": _("What is on {seat}'s paper?"),
        "ask seats": _("Who called a foot?"),
        "ask bought": _("What does {seat} pay for the centre card?"),
        "ask cards": _("Which cards lay in the centre?"),
        "ask moon": _("{seat} took everything. What does {seat} choose?"),
        "ask rebuys": _("{seat} cannot pay. How many stacks does {seat} buy again?"),
        "ask rebuys_after": _("{seat} has no chips left. How many stacks does {seat} buy again?"),
        "short rebuys": _("Stacks bought again by {seat}: {value}"),
        "ask leader": _("Who led first?"),
        "ask card": _("{seat} plays"),
        "trick": _("Trick {number}"),
        "trick won": _("to {seat}"),
        "other card": _("Instead of {what}?"),
        "from here": _("Tell it anew from here"),
        "ask pass": _("What does {seat} pass to {to}?"),
        "not noted": _("Passed cards are not noted"),
        "that happened": _("That is what happened: another card"),
        "bid not higher": _("A bid that was not higher"),
        "rest of trick": _("Or the rest of the trick at once: {seats}"),
        "takes the rest": _("{seat} takes the rest"),
        "claimed by": _("Somebody takes the rest"),
        "tricks so far": _("Tricks so far"),
        "every card": _("Tell every card"),
        "only result": _("Tell only the result"),
        "ask tricks": _("Did {seat} win every trick, too?"),
        "left of": _("{left} of {whole} left"),
        "highest so far": _("Highest so far: {bid}, {seat}"),
        "cards left": _("Cards to choose: {count}"),
        "pass": pgettext("a call in the auction", "Pass"),
        "rest pass": _("The rest pass"),
        "only highest": _("Or only the highest bid. It was made by:"),
        "queen to": _("If {seat} took the queen of spades:"),
        "one took all": _("One seat took everything:"),
        "foot": _("Foot"),
        "nobody pays": _("Nobody pays"),
        "rest pay nothing": _("The rest pay nothing"),
        "done": _("Done"),
        "more": _("More…"),
        "yes": _("Yes"),
        "no": _("No"),
        "moon others": _("The others score"),
        "moon self": _("{seat} loses points"),
        "is it right": _("Is this right?"),
        "send hand": _("Send hand {number}"),
        "told so far": _("Told so far; tap to change"),
        "change that": _("Change: {what}"),
        "one back": _("Undo"),
        "foot called": _("Somebody called a foot"),
        "something else": _("Something else happened"),
        "end not played": _("The hand was not played"),
        "end abandoned": _("Dealt, but not played to its end"),
        "end redeal": _("Misdeal: the same dealer deals again"),
        "draft by": _("{seat} is telling this hand on another phone"),
        "draft of desk": _("This hand is being told at the desk"),
        "draft goes on": _("{seat} goes on with your hand on another phone"),
        "told before": _("Told on other phones before: {count}"),
        "draft differs": _("Not as you told it here: {what}"),
        "sees deal": _("{seat} has looked at the cards of the board"),
        "board played": _("We have played this board"),
        "board seen": _(
            "With its cards known, those that follow are filled in. Everybody at the table and the "
            "director see who looked."
        ),
        "board not shown": _("The cards cannot be shown now. Tell them one by one."),
        "show board": _("Show me its cards"),
        "cards told": _("Cards told: {count}"),
        "go on here": _("Go on here"),
        "leave it there": _("Leave it there"),
        "overtaken": _(
            "Another phone has entered hand {number} meanwhile. Send yours all the same "
            "and both are compared."
        ),
        "throw away": _("Throw mine away"),
        "seat": _("Seat"),
        "took": _("Took"),
        "chips": _("Chips"),
        "points": _("Points"),
        "pot becomes": _("Pot after this hand: {pot}"),
    }


def _answers() -> dict[str, str]:
    return {
        "rival kept": _("Another phone entered this hand first. Both records are kept."),
        "director decides": _("The director decides. You can play on."),
        "record by": _("{seat}'s record"),
        "record of desk": _("The desk's record"),
        "entered by": _("entered by {seat}"),
        "entered at desk": _("entered at the desk"),
        "hand version": _("Hand {number}, version {version}"),
        "also to confirm": _("Hands that wait for your word: {count}"),
        "it is right": _("It is right"),
        "it is wrong": _("It is wrong"),
        "what is wrong": _("What is wrong?"),
        "wrong taken": _("The cards taken are wrong."),
        "wrong bid": _("The bid is wrong."),
        "wrong suit": _("The suit is wrong."),
        "wrong queen": _("Somebody else took the queen."),
        "in your words": _("Or in your words"),
        "object": _("Object"),
        "leave it": _("Leave it"),
        "something wrong": _("Something is wrong here"),
        "hands so far": _("Hands so far: {count}"),
        "waiting here": _("Waiting on this phone"),
        "sent by itself": _("It is sent by itself, in this order, once there is a network."),
        "not taken": _("The server did not take this"),
        "no reason": _("It gave no reason."),
        "item hand": _("Hand {number}"),
        "item word": _("Your word on hand {number}"),
        "item seal": _("A sealed paper for hand {number}"),
        "item opening": _("An opened paper of hand {number}"),
        "change and send": _("Change it and send it again"),
        "try again": _("Try again"),
        "give up": _("Give it up"),
        "really give up": _("Yes, throw it away"),
        "finish first": _("Send the hand you are telling, or take it back, first."),
    }


def _summaries() -> dict[str, str]:
    return {
        "short bid": _("{seat} bid {value}"),
        "short pass": _("{seat} passed"),
        "short rest": _("The rest passed"),
        "short top": _("Highest: {seat}"),
        "short taken": _("{seat} {value} {suit}"),
        "short all": _("{seat} took everything"),
        "short leader": _("{seat} led first"),
        "short queen": _("Queen: {seat}"),
        "short paper": _("{seat} wrote {value}"),
        "short passed": _("{seat} passed {cards}"),
        "passes not noted": _("Passes not noted"),
        "short foot": _("{seat} called a foot"),
        "short feet": _("Foot: {seats}"),
        "short bought": _("{seat} pays {value}"),
        "all tricks": _("{seat} won every trick"),
        "not all tricks": _("{seat} did not win every trick"),
        "fact papers": _("Papers: {list}"),
        "fact bought": _("Centre: {list}"),
        "fact taken": _("Took: {list}"),
        "fact points": _("Points: {list}"),
        "told and came": _("{told}; {came}."),
        "told bid": _("{seat} bid {bid} and named {suit}"),
        "told jackpot": _("{seat} named {suit} for the jackpot"),
        "told suit": _("The suit to avoid was {suit}"),
        "told moon": _("{seat} took everything and shot the moon."),
        "told feet": _("{seats} called a foot; the hand is cancelled."),
        "told foot": _("A foot was called; the hand is cancelled."),
        "told passed out": _("Everybody passed; the deal goes on."),
        "told not played": _("The hand was not played."),
        "told abandoned": _("The hand was not played to its end; the deal goes on."),
        "told redeal": _("The hand was misdealt; the same dealer deals again."),
        "told claim": _("The rest was claimed."),
        "buys in again": _("{seat} buys in again for {bought}."),
        "paid less": _("{seat} owed {owed} and paid {paid}."),
        "paid nothing": _("{seat} owed {owed} and had nothing to pay with."),
        "wins": _("{seat} took none and wins {chips}"),
        "divide": _("{seats} took none and win {chips} each"),
        "divide odd": _("{seats} took none and win {chips} each, and {odd} stays in the pot"),
        "sweep jackpot": _("{seat} took them all: the pot of {pot} is a jackpot"),
        "sweep stays": _("{seat} took them all: the pot of {pot} stays"),
        "many clean jackpot": _("{seats} were clean: the pot of {pot} is a jackpot"),
        "many clean stays": _("{seats} were clean: the pot of {pot} stays"),
        "none clean jackpot": _("nobody was clean: the pot of {pot} is a jackpot"),
        "none clean stays": _("nobody was clean: the pot of {pot} stays"),
        "scores": _("{seat} scores {points}"),
        "scores queen": _("{seat} scores {points} with the queen"),
    }


def _states() -> dict[str, str]:
    return {
        "state draft": _("Waits"),
        "state accepted": _("Settled"),
        "state disputed": _("Disputed"),
        "state ruled": _("Ruled"),
        "state void": _("Void"),
        "state agrees": _("Said the same"),
        "state set aside": _("Set aside"),
        "state passed out": _("Passed out"),
        "state foot": _("Foot"),
        "state not played": _("Not played"),
    }


def _papers() -> dict[str, str]:
    return {
        "papers of": _("{papers} · hand {number}"),
        "papers insurance": _("Secret papers: insurance"),
        "papers foot": _("Secret papers: foot"),
        "papers centre": _("Secret papers: the centre"),
        "all sealed": _("All papers are sealed."),
        "none sealed": _("Write on paper as usual, or here: each seat its own."),
        "sealed but": _("Not yet sealed: {seats}."),
        "write for": _("{seat} writes"),
        "write insurance": _("{seat}, your insurance?"),
        "write foot": _("{seat}, do you call a foot?"),
        "write bids": _("{seat}, do you bid for a card?"),
        "write wanted": _("{seat}, for which card?"),
        "write number": _("{seat}, how many points?"),
        "write shown": _("{seat}, which card do you show?"),
        "seal is final": _("A sealed paper cannot be changed."),
        "seal it": _("Seal: {value}"),
        "open insurance": _(
            "Open it when the hand is over, or when somebody calls a foot. Who wrote "
            "a foot says so now."
        ),
        "open foot": _("Open it now: a foot cancels the hand."),
        "open centre": _("Open it now, all together."),
        "open papers": _("Open my paper"),
        "open all papers": _("Open the papers"),
        "open above": _("Open the sealed papers above, then nobody has to say."),
        "others open": _("Yours is open. The others are not yet."),
        "paper lost": _(
            "A paper was not written on this phone, or does not fit its seal. Ask the director."
        ),
        "empty paper": _("nothing"),
        "no bid": _("no bid"),
    }
