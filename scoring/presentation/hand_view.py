"""A judged hand as pages and paper describe it, from the calls to what the next hand inherits.

A view adds words to the report of a hand (`scoring.presentation.checks.Judged`); templates and
renderers read both.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from engine.record.facts import Status
from engine.settlement.settlement import Kind
from scoring.presentation.cards import seat_name, sitter_name, suit_name
from scoring.presentation.checks import Capture, Judged, Next
from scoring.presentation.ruling_names import title_of
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
class SeatView:
    """A seat: who sat there, what they took as far as it is known, their line of the settlement."""

    seat: str
    player: str
    taken: Capture | None
    cells: list[SummaryCell]
    is_winner: bool
    is_clean: bool


@dataclass(frozen=True, slots=True)
class Fact:
    """A word and what it is; ``strong`` ones come first to the eye."""

    label: str
    value: str
    strong: bool = False


@dataclass(frozen=True)
class HandView:
    """A judged hand; ``number`` is that of its record in its text.

    ``called``: what people are called in sentences, by seat; without a name they are their seats.
    ``losses``: what cards cost who played them, by their place in the play, as far as the viewer
    may know.
    """

    record: Judged
    number: int = 1
    called: Mapping[str, str] = field(default_factory=dict)
    losses: Mapping[int, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return translate(self.record["title"])

    @property
    def sentence(self) -> str:
        """The outcome of the hand in a sentence or two."""
        return translate(self.record["sentence"])

    @property
    def rules(self) -> Any:
        """The rules by which it was judged, in words; None where nobody knows them."""
        return translate(self.record["rules"])

    @property
    def status(self) -> str:
        """The end of the hand in a word; empty where it is not known."""
        status = self.record["status"]
        if status == "GAME":  # the record tells of a game's end, and of no hand
            return _("a whole game")
        return translate(Status[status].words) if status else ""

    @property
    def passing(self) -> str:
        """The direction in which cards are passed."""
        direction = self.record["passing"] or ""
        return str(DIRECTIONS.get(direction, direction))

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of everybody in sentences, by seat."""
        return {seat: self.called.get(seat) or seat_name(seat) for seat in self.record["seats"]}

    @property
    def headline(self) -> list[Fact]:
        """The record's particulars, those that are known."""
        record = self.record
        players = len(record["seats"])
        facts = [
            (_("Date"), (record["date"] or "").replace(".", "-")),
            (_("Table"), record["table"] or ""),
            (_("Players"), str(players) if players else ""),
            (_("Dealer"), self.names.get(record["dealer"] or "", "")),
            (_("Suit to avoid"), suit_name(record["pain"])),
            (_("Jackpot hand"), str(record["jackpot"] or "")),
            (_("Written down"), str(DETAILS.get(record["detail"] or "", ""))),
        ]
        return [Fact(label, value) for label, value in facts if value and value != "?"]

    @property
    def papers(self) -> list[Fact]:
        """The insurance papers; a foot is said in words."""
        words = {"F": _("foot"), "-": _("none")}
        return [
            Fact(
                self.names[seat], words.get(text) or text.replace("F", _("foot") + " "), "F" in text
            )
            for seat, text in (self.record["papers"] or {}).items()
        ]

    @property
    def calls(self) -> list[Fact]:
        """The chip auction in the order of the calls."""
        record = self.record
        words = {"Pass": _("pass"), "-": _("no call")}
        return [
            Fact(
                self.names[row["seat"]],
                words.get(row["call"], row["call"]),
                strong=row["seat"] == record["bidder"] and row["call"] == str(record["bid"]),
            )
            for row in record["auction"] or ()
        ]

    @property
    def rulings(self) -> list[dict[str, Any]]:
        """The rows of the record's ruling table, by the titles of what they are about."""
        return [
            {
                **row,
                "seat": self.called.get(row["seat"] or "")
                or sitter_name(row["seat"] or "", self.record["players"]),
                "code": title_of(row["code"] or "") or row["code"],
            }
            for row in self.record["rulings"]
        ]

    @cached_property
    def seats(self) -> list[SeatView]:
        """Every seat, clockwise."""
        record, given = self.record, self._chips_by_law
        captures = record["captures"] or {}
        rows = {row["seat"]: row["values"] for row in record["scores"] or ()}
        return [
            SeatView(
                seat=seat,
                player=record["players"].get(seat, ""),
                taken=captures.get(seat),
                cells=[
                    SummaryCell(_with_sign(given.get(seat, 0)), "" if given.get(seat) else "none")
                    if given and column == "Adjust"
                    else _cell(column, rows[seat].get(column))
                    for column in self._columns
                    if seat in rows
                ],
                is_winner=seat in record["winners"],
                is_clean=seat in record["clean"],
            )
            for seat in record["seats"]
        ]

    @property
    def columns(self) -> list[str]:
        """The heads of the settlement's columns."""
        return [str(COLUMNS.get(column, column)) for column in self._columns]

    @cached_property
    def _columns(self) -> list[str]:
        rows = [row["values"] for row in self.record["scores"] or ()]
        columns = [
            column
            for column in self.record["columns"]
            if column not in RARE or any(row.get(column) for row in rows)
        ]
        if self._chips_by_law:
            columns.insert(columns.index("After"), "Adjust")
        return columns

    @cached_property
    def _chips_by_law(self) -> dict[str, int]:
        """The chips that the law gave or took, by seat, where no column of the record has them."""
        record = self.record
        if "After" not in record["columns"] or "Adjust" in record["columns"]:
            return {}
        given: dict[str, int] = {}
        for posting in record["postings"]:
            if posting["kind"] == "ADJUST":
                given[posting["payer"]] = given.get(posting["payer"], 0) - posting["amount"]
                given[posting["payee"]] = given.get(posting["payee"], 0) + posting["amount"]
        return given if any(given.get(seat) for seat in record["seats"]) else {}

    @property
    def pot_facts(self) -> list[Fact]:
        """The pot's equation: what came in, what went out, what stays."""
        pot, given = self.record["pot"], self._chips_by_law
        if pot is None:
            return []
        moved = [row for row in self.record["postings"] if given and row["kind"] == "ADJUST"]
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

    @property
    def postings(self) -> list[dict[str, Any]]:
        """Every chip that moved, in words."""
        accounts, rows = {"pot": _("the pot"), "bank": _("the bank")}, []
        for posting in self.record["postings"]:
            kind, payer, payee = Kind.of(posting["kind"]), posting["payer"], posting["payee"]
            rows.append(
                {
                    "payer": accounts.get(payer) or self.names[payer],
                    "payee": accounts.get(payee) or self.names[payee],
                    "amount": posting["amount"],
                    "why": translate(kind.details or kind.words),
                }
            )
        return rows

    @cached_property
    def explained(self) -> list[str]:
        """Why chips moved: a sentence for each seat that won or paid some."""
        sentences = []
        for row in self.seats:
            reasons = []
            for posting in self.record["postings"]:
                if row.seat not in (posting["payer"], posting["payee"]):
                    continue
                paid, won = _REASONS.get(Kind.of(posting["kind"]), ("", ""))
                words = paid if posting["payer"] == row.seat else won
                if words:
                    taken = 0 if row.taken is None else row.taken["pain"]
                    reasons.append(str(words) % {"n": posting["amount"], "taken": taken})
            if reasons and row.is_clean and row.is_winner:
                reasons.insert(0, _("took none"))
            if reasons:
                sentences.append(f"{self.names[row.seat]}: {', '.join(reasons)}.")
        return sentences

    @property
    def next_facts(self) -> list[Fact]:
        """Return the inheritance of the next hand."""
        after = self.record["next"]
        if after is None:
            return []
        if after["phase"] == "over":
            return [Fact(_("The game"), _("is over"), strong=True), *self._places(after)]
        facts = [Fact(_("It begins with"), describe_beginning(after, self.names), strong=True)]
        if after["dealer"]:
            facts.append(Fact(_("Dealer"), self.names[after["dealer"]]))
        if after["passing"]:
            direction = after["passing"]
            facts.append(Fact(_("Passing"), str(DIRECTIONS.get(direction, direction))))
        if after["chips"] is not None:
            chips = ngettext("%(n)d chip", "%(n)d chips", after["pot"]) % {"n": after["pot"]}
            facts.append(Fact(_("In the pot"), chips))
        if after["feet_used"]:
            seats = ", ".join(self.names[seat] for seat in after["feet_used"])
            facts.append(Fact(_("Foot already used by"), seats))
        return facts

    def _places(self, after: Next) -> list[Fact]:
        places = sorted((after["places"] or {}).items(), key=lambda row: row[1])
        paid, currency = after["payout"] or {}, after["currency"]
        facts = []
        for seat, place in places:
            words = self.names[seat]
            if paid.get(seat):
                shown = f"{money(paid[seat], currency)} {currency or ''}".rstrip()
                words = _("%(seat)s, who gets %(money)s") % {"seat": words, "money": shown}
            facts.append(Fact(_("Place %(n)d") % {"n": place}, words))
        return facts

    @property
    def holdings_after(self) -> Mapping[str, int]:
        """Chips or points per seat with which the next hand begins; empty if they are not known."""
        after = self.record["next"]
        return (after["chips"] or after["totals"] or {}) if after else {}


def _with_sign(number: int) -> str:
    return f"{number:+d}".replace("-", "\N{MINUS SIGN}") if number else "0"


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


def describe_beginning(after: Next, names: Mapping[str, str]) -> str:
    """Say how the next hand begins: the deal, an auction, or a jackpot and who names its suit."""
    if after["phase"] == "jackpot":
        if not after["namer"]:
            return _("a jackpot: no auction, hearts are the suit to avoid")
        return _("a jackpot: no auction, %(seat)s names the suit") % {"seat": names[after["namer"]]}
    return _("an auction") if after["phase"] == "auction" else _("the deal")
