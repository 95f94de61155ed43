"""The summary of a hand: captures, the settlement, and what the next hand inherits."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.record.facts import Status
from engine.settlement.settlement import Kind
from scoring.presentation.cards import CardFace, faces, one, seat_name, suit_name
from scoring.presentation.checks import Judged, Next
from tournaments.core.language import translate
from tournaments.web.number_format import NOTHING, money

COLUMNS = {
    "Pain": gettext_lazy("Taken"),
    "Before": gettext_lazy("Before"),
    "Bid": gettext_lazy("Bid"),
    "Paid": gettext_lazy("Paid"),
    "Won": gettext_lazy("Won"),
    "After": gettext_lazy("After"),
    "Hearts": gettext_lazy("Hearts"),
    "Queen": gettext_lazy("Queen"),
    "Insurance": gettext_lazy("Insurance"),
    "Centre": gettext_lazy("Centre"),
    "Adjust": gettext_lazy("Adjust"),
    "Moon": gettext_lazy("Moon"),
    "Points": gettext_lazy("Points"),
    "Total": gettext_lazy("Total"),
}
_REASONS: Mapping[Kind, tuple[object, object]] = {
    Kind.BID: (gettext_lazy("pays the bid of %(n)s whatever is taken"), ""),
    Kind.CAPTURE: (
        gettext_lazy("pays %(n)s for %(taken)s taken"),
        gettext_lazy("gets %(n)s for cards that others took"),
    ),
    Kind.AWARD: ("", gettext_lazy("wins %(n)s of the pot")),
    Kind.PENALTY: (gettext_lazy("pays a penalty of %(n)s"), ""),
    Kind.ADJUST: (
        gettext_lazy("gives %(n)s by a ruling"),
        gettext_lazy("gets %(n)s by a ruling"),
    ),
    Kind.REBUY: (gettext_lazy("pays back %(n)s"), gettext_lazy("buys in again for %(n)s")),
    Kind.PAYOUT: ("", gettext_lazy("is paid %(n)s")),
}
"""Reasons of a seat that paid, and of one that was paid."""
DETAILS = {
    "full": gettext_lazy("every card"),
    "play": gettext_lazy("the play"),
    "score": gettext_lazy("the result"),
    "game": gettext_lazy("the game's end"),
}
DIRECTIONS = {
    "left": gettext_lazy("to the left"),
    "right": gettext_lazy("to the right"),
    "across": gettext_lazy("across"),
    "hold": gettext_lazy("nothing is passed"),
}
CHANGES = frozenset({"Bid", "Paid", "Won"})
RARE = frozenset({"Queen", "Insurance", "Centre", "Adjust", "Moon"})
"""Columns that are left out where every seat has 0."""
STRONG = frozenset({"After", "Total", "Points"})


@dataclass(frozen=True, slots=True)
class SummaryCell:
    text: str
    kind: str


@dataclass(frozen=True, slots=True)
class ScoreLine:
    seat: str
    seat_name: str
    player: str
    cells: list[SummaryCell]
    wins: bool
    clean: bool


@dataclass(frozen=True, slots=True)
class Taken:
    seat: str
    seat_name: str
    player: str
    cards: list[CardFace]
    pain: int
    queen: bool
    tricks: int | None


@dataclass(frozen=True, slots=True)
class Fact:
    """A word and what it is; ``strong`` ones come first to the eye."""

    label: str
    value: str
    strong: bool = False


def score_lines(record: Judged) -> list[ScoreLine]:
    """The settlement, one line a seat."""
    columns, given = _columns(record), _chips_by_law(record)
    return [
        ScoreLine(
            seat=row["seat"],
            seat_name=seat_name(row["seat"]),
            player=record["players"].get(row["seat"], ""),
            cells=[
                _given_cell(given.get(row["seat"], 0))
                if given and column == "Adjust"
                else _cell(column, row["values"].get(column))
                for column in columns
            ],
            wins=row["seat"] in record["winners"],
            clean=row["seat"] in record["clean"],
        )
        for row in record["scores"] or ()
    ]


def column_names(record: Judged) -> list[str]:
    """The heads of the settlement's columns."""
    return [str(COLUMNS.get(column, column)) for column in _columns(record)]


def _columns(record: Judged) -> list[str]:
    rows = [row["values"] for row in record["scores"] or ()]
    columns = [c for c in record["columns"] if c not in RARE or any(row.get(c) for row in rows)]
    if _chips_by_law(record):
        columns.insert(columns.index("After"), "Adjust")
    return columns


def _chips_by_law(record: Judged) -> dict[str, int]:
    """The chips that the law gave or took, by seat, where no column of the record has them."""
    if "After" not in record["columns"] or "Adjust" in record["columns"]:
        return {}
    given: dict[str, int] = {}
    for posting in record["postings"]:
        if posting["kind"] == "ADJUST":
            given[posting["payer"]] = given.get(posting["payer"], 0) - posting["amount"]
            given[posting["payee"]] = given.get(posting["payee"], 0) + posting["amount"]
    return given if any(given.get(seat) for seat in record["seats"]) else {}


def _with_sign(number: int) -> str:
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


def _given_cell(chips: int) -> SummaryCell:
    return SummaryCell(_with_sign(chips), "" if chips else "none")


def _cell(column: str, value: int | None) -> SummaryCell:
    if value is None:
        return SummaryCell(NOTHING, "none")
    text = str(value).replace("-", "\N{MINUS SIGN}")
    if column in STRONG:
        return SummaryCell(text, "strong")
    if value == 0 and column != "Before":
        return SummaryCell("0", "none")
    if column in CHANGES:
        return SummaryCell(
            f"+{text}" if column == "Won" else f"\N{MINUS SIGN}{text}", column.lower()
        )
    return SummaryCell(text, "")


def taken_cards(record: Judged) -> list[Taken]:
    """Return the counting cards that each seat took."""
    rows = record["captures"] or {}
    return [
        Taken(
            seat=seat,
            seat_name=seat_name(seat),
            player=record["players"].get(seat, ""),
            cards=faces(rows[seat]["cards"]),
            pain=rows[seat]["pain"],
            queen=rows[seat]["queen"],
            tricks=rows[seat]["tricks"],
        )
        for seat in record["seats"]
        if seat in rows
    ]


def pot_facts(record: Judged) -> list[Fact]:
    """The pot's equation: what came in, what went out, what stays."""
    pot, given = record["pot"], _chips_by_law(record)
    if pot is None:
        return []
    moved = [row for row in record["postings"] if given and row["kind"] == "ADJUST"]
    paid = pot["paid"] - sum(row["amount"] for row in moved if row["payee"] == "pot")
    won = pot["won"] - sum(row["amount"] for row in moved if row["payer"] == "pot")
    adjusted = given.get("pot", 0)
    return [
        Fact(_("Pot before"), str(pot["before"])),
        Fact(_("Bid"), f"+{pot['bid']}" if pot["bid"] else "0"),
        Fact(_("Paid"), f"+{paid}"),
        Fact(_("Won"), f"\N{MINUS SIGN}{won}" if won else "0"),
        *([Fact(_("Adjust"), _with_sign(adjusted))] if adjusted else []),
        Fact(_("Pot after"), str(pot["after"]), strong=True),
    ]


def postings(record: Judged) -> list[dict[str, Any]]:
    """Every chip that moved, in words."""
    return [
        {
            "payer": _account(posting["payer"]),
            "payee": _account(posting["payee"]),
            "amount": posting["amount"],
            "why": translate(Kind.of(posting["kind"]).details or Kind.of(posting["kind"]).words),
        }
        for posting in record["postings"]
    ]


def explain_settlement(record: Judged, called: Mapping[str, str]) -> list[str]:
    """Why everybody won or paid what they did, a sentence for each seat that chips moved for.

    ``called``: what people are called, by seat; without a name they are their seats.
    """
    sentences = []
    for seat in record["seats"]:
        reasons = []
        for posting in record["postings"]:
            if seat not in (posting["payer"], posting["payee"]):
                continue
            paid, won = _REASONS.get(Kind.of(posting["kind"]), ("", ""))
            words = paid if posting["payer"] == seat else won
            if not words:
                continue
            taken = (record["captures"] or {}).get(seat)
            facts = {"n": posting["amount"], "taken": 0 if taken is None else taken["pain"]}
            reasons.append(str(words) % facts)
        if reasons and seat in record["clean"] and seat in record["winners"]:
            reasons.insert(0, _("took none"))
        if reasons:
            name = called.get(seat) or seat_name(seat)
            sentences.append(f"{name}: {', '.join(reasons)}.")
    return sentences


def _account(name: str) -> str:
    words = {"pot": _("the pot"), "bank": _("the bank")}
    return words.get(name) or seat_name(name)


def centre_lines(record: Judged) -> list[dict[str, Any]]:
    """The sealed bids for the centre cards."""
    return [
        {
            "seat": seat_name(bid["seat"]),
            "card": one(bid["card"]),
            "bid": bid["bid"],
            "shown": one(bid["shown"]),
            "got": one(bid["got"]),
            "pays": bid["pays"],
        }
        for bid in record["centre_bids"] or ()
    ]


def passes(record: Judged) -> list[dict[str, Any]]:
    """Return the cards passed, from whom to whom."""
    return [
        {
            "giver": seat_name(row["from"]),
            "taker": seat_name(row["to"]),
            "cards": faces(row["cards"]),
        }
        for row in record["exchange"] or ()
    ]


def papers(record: Judged) -> list[Fact]:
    """The insurance papers; a foot is said in words."""
    words = {"F": _("foot"), "-": _("none")}
    return [
        Fact(seat_name(seat), words.get(text) or text.replace("F", _("foot") + " "), "F" in text)
        for seat, text in (record["papers"] or {}).items()
    ]


def calls(record: Judged) -> list[Fact]:
    """The chip auction in the order of the calls."""
    words = {"Pass": _("pass"), "-": _("no call")}
    return [
        Fact(
            seat_name(row["seat"]),
            words.get(row["call"], row["call"]),
            strong=row["seat"] == record["bidder"] and row["call"] == str(record["bid"]),
        )
        for row in record["auction"] or ()
    ]


def next_facts(record: Judged) -> list[Fact]:
    """Return the inheritance of the next hand."""
    after = record["next"]
    if after is None:
        return []
    if after["phase"] == "over":
        return [Fact(_("The game"), _("is over"), strong=True), *_places(after)]
    facts = [Fact(_("It begins with"), _beginning(after), strong=True)]
    if after["dealer"]:
        facts.append(Fact(_("Dealer"), seat_name(after["dealer"])))
    if after["passing"]:
        direction = after["passing"]
        facts.append(Fact(_("Passing"), str(DIRECTIONS.get(direction, direction))))
    if after["chips"] is not None:
        facts.append(Fact(_("In the pot"), _chips(after["pot"])))
    if after["feet_used"]:
        seats = ", ".join(seat_name(seat) for seat in after["feet_used"])
        facts.append(Fact(_("Foot already used by"), seats))
    return facts


def _beginning(after: Next) -> str:
    if after["phase"] == "jackpot":
        if not after["namer"]:
            return _("a jackpot: no auction, hearts are the suit to avoid")
        seat = seat_name(after["namer"])
        return _("a jackpot: no auction, %(seat)s names the suit") % {"seat": seat}
    return _("an auction") if after["phase"] == "auction" else _("the deal")


def _places(after: Next) -> list[Fact]:
    places = sorted((after["places"] or {}).items(), key=lambda row: row[1])
    paid, currency = after["payout"] or {}, after["currency"]
    facts = []
    for seat, place in places:
        words = seat_name(seat)
        if paid.get(seat):
            shown = f"{money(paid[seat], currency)} {currency or ''}".rstrip()
            words = _("%(seat)s, who gets %(money)s") % {"seat": words, "money": shown}
        facts.append(Fact(_("Place %(n)d") % {"n": place}, words))
    return facts


def _chips(number: int) -> str:
    return ngettext("%(n)d chip", "%(n)d chips", number) % {"n": number}


def standing(record: Judged) -> list[Fact]:
    """Chips or points per seat with which the next hand begins."""
    after = record["next"] or None
    counts = (after["chips"] or after["totals"] or {}) if after else {}
    return [Fact(seat_name(seat), str(count)) for seat, count in counts.items()]


def status_words(record: Judged) -> str:
    """Return the state of the hand in words; empty where it is not known."""
    return translate(Status[record["status"]].words) if record["status"] else ""


def headline(record: Judged) -> list[Fact]:
    """The record's particulars, those that are known."""
    players = len(record["seats"])
    facts = [
        (_("Date"), (record["date"] or "").replace(".", "-")),
        (_("Table"), record["table"] or ""),
        (_("Players"), str(players) if players else ""),
        (_("Dealer"), seat_name(record["dealer"] or "")),
        (_("Suit to avoid"), suit_name(record["pain"])),
        (_("Jackpot hand"), str(record["jackpot"] or "")),
        (_("Written down"), str(DETAILS.get(record["detail"] or "", ""))),
    ]
    return [Fact(label, value) for label, value in facts if value and value != "?"]
