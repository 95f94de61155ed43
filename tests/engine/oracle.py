"""A second opinion on settlement: a scorekeeper with paper, pencil and rules.md, and no engine.

Written from the rules alone, plainly and slowly: purses that change, switches as the words of
the rule sheet, one paragraph of the rules after the other. It shares no code with the engine.
"""

from dataclasses import dataclass, field
from fractions import Fraction
from math import floor


@dataclass
class Sheet:
    """The score sheet of a game; what is written here is rubbed out and written again."""

    purses: list[int]
    totals: list[int]
    tricks: list[int]
    dealt_by: list[int]
    dealer: int = 0
    pot: int = 0
    jackpot: int = 0
    namer: int | None = None
    deals: int = 0
    hands: int = 0
    feet: set[int] = field(default_factory=set)
    bank: int = 0
    due: str | None = None
    over: str | None = None
    winner: int | None = None

    @property
    def n(self) -> int:
        return len(self.purses)


@dataclass
class Story:
    """What is told about a hand that was played."""

    status: str = "PLAYED"
    taken: list[int] = field(default_factory=list)
    suit: int = 13
    bidder: int | None = None
    bid: int = 0
    queen: int | None = None
    tricks: list[int] = field(default_factory=list)
    papers: list[int] = field(default_factory=list)
    centre: list[int] = field(default_factory=list)
    feet: list[int] = field(default_factory=list)
    adds: bool | None = None
    offenders: list[int] = field(default_factory=list)


@dataclass
class Told:
    """What the scorekeeper announces besides the sheet."""

    winners: list[int] = field(default_factory=list)
    short: list[int] = field(default_factory=list)
    points: list[int] = field(default_factory=list)


def keep_score(house: dict[str, str], sheet: Sheet, story: Story) -> Told:
    """Write one hand on the sheet."""
    told = Told(short=[0] * sheet.n)
    if story.status in ("VOID_REDEAL", "DRAFT"):
        return told  # K4: the same dealer deals again, everything else unchanged
    if story.status in ("PASSED_OUT", "FOOT", "VOID_NO_REPLAY"):
        _deal_goes_on(sheet)
        sheet.feet.update(story.feet)
        return told
    dealer = sheet.dealer
    if house["settlement"] == "pot":
        _pot_hand(house, sheet, story, told)
    else:
        told.points = _points(house, sheet.n, story)
        sheet.totals = [a + b for a, b in zip(sheet.totals, told.points, strict=True)]
        if house["settlement"] == "average" and house["average_each"] == "hand":
            _chips_by_average(house, sheet, told)
    _deal_goes_on(sheet)
    sheet.hands += 1
    sheet.dealt_by[dealer] += 1
    for seat, won in enumerate(story.tricks):
        sheet.tricks[seat] += won
    _is_it_over(house, sheet, story)
    return told


def _deal_goes_on(sheet: Sheet) -> None:
    sheet.dealer = sheet.dealer + 1 if sheet.dealer + 1 < sheet.n else 0
    sheet.deals += 1


def _out_of_purse(house: dict[str, str], sheet: Sheet, told: Told, seat: int, owed: int) -> None:
    """Q22: who cannot pay pays what they have, or goes into debt, or buys in again."""
    if house["insolvency"] == "rebuy":
        while sheet.purses[seat] < owed:
            sheet.purses[seat] += int(house["starting_chips"])
            sheet.bank += int(house["starting_chips"])
    can = owed
    if house["insolvency"] == "pay_what_you_have" and sheet.purses[seat] < owed:
        can = sheet.purses[seat]
    sheet.purses[seat] -= can
    sheet.pot += can
    told.short[seat] += owed - can


def _pot_hand(house: dict[str, str], sheet: Sheet, story: Story, told: Told) -> None:
    if not sheet.jackpot:
        sheet.namer = story.bidder
        if story.bidder is not None:
            _out_of_purse(house, sheet, told, story.bidder, story.bid)
    _pay_for_captures(house, sheet, story, told)
    clean = [s for s in range(sheet.n) if not story.taken[s] and s not in story.offenders]
    if len(clean) == 1 or (len(clean) == 2 and _two_may_divide(house, sheet, story)):
        told.winners = clean
        each = sheet.pot // len(clean)
        for seat in clean:
            sheet.purses[seat] += each
            sheet.pot -= each
    nobody = not clean and not story.offenders
    if told.winners or (nobody and house["zero_clean"] == "carry_with_auction"):
        sheet.jackpot, sheet.namer = 0, None
    else:
        sheet.jackpot += 1


def _pay_for_captures(house: dict[str, str], sheet: Sheet, story: Story, told: Told) -> None:
    if story.offenders:
        _revoke_payments(house, sheet, story, told)
    else:
        for seat in range(sheet.n):
            _out_of_purse(house, sheet, told, seat, story.taken[seat])


def _two_may_divide(house: dict[str, str], sheet: Sheet, story: Story) -> bool:
    """A7.2, C6.2; but Q11b for a jackpot and C6.5 for a sweep among three."""
    if sheet.jackpot and house["jackpot_split"] == "sole_winner_only":
        return False
    collide = sheet.n == 3 and any(one == story.suit for one in story.taken)
    return not collide or house["three_player_sweep"] == "divide"


def _revoke_payments(house: dict[str, str], sheet: Sheet, story: Story, told: Told) -> None:
    """Section 8: the offender pays the whole suit; foster_full adds the bid."""
    for seat in story.offenders:
        _out_of_purse(house, sheet, told, seat, story.suit)
    if house["revoke_law"] == "foster_full" and story.bidder is not None:
        others = [seat for seat in story.offenders if seat != story.bidder]
        for seat in others:
            _out_of_purse(house, sheet, told, seat, story.bid)
        if others:
            back = min(story.bid, sheet.pot)
            sheet.purses[story.bidder] += back
            sheet.pot -= back


def _points(house: dict[str, str], n: int, story: Story) -> list[int]:
    queen_counts = house["queen"] == "on"
    whole = story.suit + (13 if queen_counts else 0)
    centre = story.centre or [0] * n
    if story.offenders:
        return [(whole if s in story.offenders else 0) + centre[s] for s in range(n)]
    papers = story.papers if house["insurance"] == "on" and story.papers else [0] * n
    for shooter in range(n):
        took_hearts = story.taken[shooter] == story.suit
        if house["moon"] != "none" and took_hearts and (not queen_counts or story.queen == shooter):
            lines = list(zip(papers, centre, strict=True))
            return _moon(house, shooter, whole, lines, story.adds)
    points = []
    for seat in range(n):
        mine = story.taken[seat]
        if queen_counts and story.queen == seat:
            mine += 13 - papers[seat]
        else:
            mine += papers[seat]
        points.append(mine + centre[seat])
    return points


def _moon(
    house: dict[str, str],
    shooter: int,
    whole: int,
    lines: list[tuple[int, int]],
    adds: bool | None,
) -> list[int]:
    off_himself = house["moon"] == "subtract_from_self" or (
        house["moon"] == "shooter_choice" and adds is False
    )
    relief = lines[shooter][0]
    points = []
    for seat, (paper, centre) in enumerate(lines):
        if off_himself:
            mine = relief - whole if seat == shooter else 0
        elif seat == shooter:
            mine = 0
        else:
            mine = whole - relief + (paper if house["moon_own_insurance"] == "on" else 0)
        points.append(mine + (centre if house["bid_points_on_moon"] == "add" else 0))
    return points


def _chips_by_average(house: dict[str, str], sheet: Sheet, told: Told) -> None:
    """B6 after every hand: n chips a point, or one with the odd ones left in the pot (Q31)."""
    due = []
    for mine in told.points:
        exact = Fraction(sum(told.points), sheet.n) - mine
        by_n = house["average_rounding"] == "howell_units"
        due.append(int(exact * sheet.n) if by_n else floor(exact))
    for seat, amount in enumerate(due):
        if amount < 0:
            _out_of_purse(house, sheet, told, seat, -amount)
    for seat, amount in enumerate(due):
        if amount > 0:
            sheet.purses[seat] += amount
            sheet.pot -= amount


def _merit(house: dict[str, str], sheet: Sheet, seat: int) -> tuple[int, int]:
    if house["winner"] == "tricks":
        return sheet.tricks[seat], 0
    by_chips = house["settlement"] == "pot"
    merit = sheet.purses[seat] if by_chips else -sheet.totals[seat]
    return merit, sheet.tricks[seat] if house["tiebreak"] == "tricks" else 0


def _is_it_over(house: dict[str, str], sheet: Sheet, story: Story) -> None:
    """A9.3, D8, E7, Q21, Q27, Q28, Q29."""
    if house["moon_all_tricks"] == "game":
        for seat, won in enumerate(story.tricks):
            if won and won == sum(story.tricks):
                sheet.over, sheet.winner = "moon_all_tricks", seat
                return
    if sheet.due is None:
        sheet.due = _end_reached(house, sheet)
    # Once the end has come it stays due, whatever a won pot brings back.
    if sheet.due is not None and not _must_go_on(house, sheet):
        sheet.over, sheet.due = sheet.due, None


def _end_reached(house: dict[str, str], sheet: Sheet) -> str | None:
    word, _, number = house["length"].partition(":")
    bust = any(purse <= 0 for purse in sheet.purses)
    reached = {
        "bust": bust,
        "hands": bool(number) and sheet.hands >= int(number),
        "dealer_orbits": bool(number) and min(sheet.dealt_by) >= int(number),
        "limit": any(total >= int(house["limit"]) for total in sheet.totals),
        "time": False,
        "session": False,
    }[word]
    if reached:
        return word
    # A9.3: or at the agreed number of hands, whichever is first.
    return "bust" if bust and house["settlement"] == "pot" else None


def _must_go_on(house: dict[str, str], sheet: Sheet) -> bool:
    to_be_won = house["settlement"] == "pot" and (sheet.jackpot > 0 or sheet.pot > 1)
    if house["end_pot"] == "play_until_won" and to_be_won:
        return True
    merits = [_merit(house, sheet, seat) for seat in range(sheet.n)]
    return house["tie"] == "extra_hand" and merits.count(max(merits)) > 1
