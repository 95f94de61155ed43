"""An analysis in words and as data: the sentence of a slip, the account of a seat, JSON."""

from collections.abc import Iterator, Sequence
from fractions import Fraction

from ..core.cards import CARD_OF_NAME, NAMES, SUIT_CARDS, CardSet, card_set, members
from ..core.messages import Message, join_with_or
from ..core.seats import Seat
from ..record.json import Plain
from .account import Account, AnalysedCard, Analysis, Caveat, Gift
from .costs import Measure


def format_amount(amount: Fraction) -> str:
    """An amount in points or chips as people write it.

    >>> format_amount(Fraction(33, 5)), format_amount(Fraction(-1, 4)), format_amount(Fraction(3))
    ('6 3/5', '-1/4', '3')
    """
    whole, rest = divmod(abs(amount), 1)
    parts = [str(part) for part in (whole, rest) if part]
    return ("-" if amount < 0 else "") + (" ".join(parts) or "0")


def result_text(analysis: Analysis, cost: int) -> str:
    """A cost as its seat counts it: points taken, chips won (+) or lost (-)."""
    unit = analysis.seats[0].unit
    if analysis.measure is Measure.POINTS:
        return format_amount(cost * unit)
    return ("+" if cost < 0 else "") + format_amount(-cost * unit)


def slips_worth_a_sentence(analysis: Analysis) -> Iterator[AnalysedCard]:
    """The slips of a point or more, in pots of two chips or more, in order of play."""
    least = 1 if analysis.measure is Measure.POINTS else 2
    for one in analysis.cards:
        if one.slip * analysis.seats[one.seat].unit >= least:
            yield one


def describe_slip(analysis: Analysis, one: AnalysedCard, name: str) -> Message:
    """Say in a sentence by how much a card was worse, by the player's name or seat."""
    before = result_text(analysis, one.before)
    after = result_text(analysis, one.before + one.slip)
    kept, played = describe_kept(one), NAMES[one.card]
    if analysis.measure is Measure.POINTS:
        return Message(
            "Trick {trick}: {cards} kept {name} at {before}; with {card} it could become {after}.",
            trick=one.trick,
            cards=kept,
            name=name,
            before=before,
            card=played,
            after=after,
        )
    return Message(
        "Trick {trick}: with {cards} {name} was sure of {before}; after {card} only of {after}.",
        trick=one.trick,
        cards=kept,
        name=name,
        before=before,
        card=played,
        after=after,
    )


def describe_account(analysis: Analysis, account: Account) -> Message:
    """The account of a seat in a line."""
    return Message(
        "Sure at trick {trick}: {sure}. Slips {slips}. Gifts {gifts}. Result {result}.",
        trick=analysis.exact_from or analysis.until + 1,
        sure=result_text(analysis, account.sure),
        slips=format_amount(account.slips * account.unit),
        gifts=format_amount(account.gifts * account.unit),
        result=result_text(analysis, account.result),
    )


def describe_kept(one: AnalysedCard) -> str:
    """The cards that would have lost nothing, as runs: ``H7 or lower``."""
    runs: list[str] = []
    for suit in reversed(SUIT_CARDS):
        kept = list(members(CardSet(one.kept & suit)))
        others = [card for card in members(CardSet(one.legal & suit)) if card not in kept]
        if len(kept) > 1 and all(card > kept[-1] for card in others):
            runs.append(Message("{card} or lower", card=NAMES[kept[-1]]))
        elif len(kept) > 1 and all(card < kept[0] for card in others):
            runs.append(Message("{card} or higher", card=NAMES[kept[0]]))
        else:
            runs += [NAMES[card] for card in kept]
    return join_with_or(runs)


def analysis_to_json(analysis: Analysis, seats: Sequence[str]) -> Plain:
    """An analysis as data: costs are whole numbers of ``unit``, seats are named."""
    parts = analysis.seats[0].unit.denominator if analysis.seats else 1
    word = "chip" if analysis.measure is Measure.CHIPS else "point"
    return {
        "exact_from": analysis.exact_from,
        "until": analysis.until,
        "unit": word if parts == 1 else f"1/{parts} {word}",
        "seats": [
            {
                "seat": seats[seat],
                "sure": account.sure,
                "slips": account.slips,
                "gifts": account.gifts,
                "result": account.result,
            }
            for seat, account in enumerate(analysis.seats)
        ],
        "cards": [
            {
                "trick": one.trick,
                "place": one.place,
                "seat": seats[one.seat],
                "card": NAMES[one.card],
                "legal": [NAMES[card] for card in members(one.legal)],
                "sure": one.before,
                "slip": one.slip,
                "kept": [NAMES[card] for card in members(one.kept)],
                "gifts": [{"to": seats[gift.seat], "amount": gift.amount} for gift in one.gifts],
            }
            for one in analysis.cards
        ],
        "caveats": [str(caveat) for caveat in analysis.caveats],
        "nodes": analysis.nodes,
    }


def analysis_from_json(plain: Plain) -> Analysis:
    """The analysis of which `analysis_to_json` made these data."""
    seats = [row["seat"] for row in plain["seats"]]
    parts, _, word = plain["unit"].rpartition(" ")
    unit = Fraction(parts or 1)
    return Analysis(
        exact_from=plain["exact_from"],
        until=plain["until"],
        measure=Measure.CHIPS if word == "chip" else Measure.POINTS,
        seats=tuple(
            Account(
                sure=row["sure"],
                slips=row["slips"],
                gifts=row["gifts"],
                result=row["result"],
                unit=unit,
            )
            for row in plain["seats"]
        ),
        cards=tuple(
            AnalysedCard(
                trick=row["trick"],
                place=row["place"],
                seat=Seat(seats.index(row["seat"])),
                card=CARD_OF_NAME[row["card"]],
                before=row["sure"],
                slip=row["slip"],
                kept=card_set(CARD_OF_NAME[name] for name in row["kept"]),
                legal=card_set(CARD_OF_NAME[name] for name in row["legal"]),
                gifts=tuple(
                    Gift(Seat(seats.index(gift["to"])), gift["amount"]) for gift in row["gifts"]
                ),
            )
            for row in plain["cards"]
        ),
        caveats=tuple(Caveat.of(code) for code in plain["caveats"]),
        nodes=plain["nodes"],
    )
