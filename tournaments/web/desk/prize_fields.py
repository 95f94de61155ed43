"""Fields for prizes: what there is to win in an event, in the words of its organiser."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from engine.notation.values import read_money
from tournaments.prizes import Fee, OddUnits, PotLeft, PrizeKind, Prizes, Ties
from tournaments.web.desk.fields import MoneyField, amount_of
from tournaments.web.number_format import money as shown_money

_KINDS: Final = (
    (PrizeKind.PLACES, _("Parts of the pool for the first places")),
    (PrizeKind.FIXED, _("Fixed amounts for the first places; the rest is the club's")),
    (PrizeKind.WINNER, _("Everything to the winner")),
    (PrizeKind.CHIPS, _("Everybody by the chips that they hold")),
)
_TIES: Final = (
    (Ties.AVERAGE, _("They share the prizes of their places evenly")),
    (Ties.NONE, _("Each has the prize of their own place after the tie-breaks")),
    (Ties.HORT, _("Half of it shared evenly, half by the tie-breaks")),
)
_POTS: Final = (
    (PotLeft.EQUAL, _("Everybody has an equal part of it")),
    (PotLeft.PRO_RATA, _("It goes by the chips that everybody holds")),
    (PotLeft.CARRY, _("It is kept for the pot of the next night")),
    (PotLeft.HOUSE, _("It is the club's")),
)
_ODD: Final = (
    (OddUnits.TIEBREAK, _("To the first of them by the tie-breaks")),
    (OddUnits.CARRY, _("They are kept for the next night")),
)


def prize_fields(currency: str) -> Iterator[tuple[str, forms.Field]]:
    """The fields, in the order in which an organiser thinks of them."""

    def money(label: Any, help_text: Any = "") -> MoneyField:
        return MoneyField(label=label, help_text=help_text, currency=currency, required=False)

    yield "entry_fee", money(_("Entry fee a player"), _("It goes into the pool."))
    yield "added", money(_("What the club adds to the pool"))
    yield "prizes_kind", forms.ChoiceField(label=_("Who gets the pool"), choices=_KINDS)
    yield (
        "prizes_prizes",
        forms.CharField(
            label=_("Prizes, from the first place on"),
            max_length=2000,
            required=False,
            help_text=_("Parts such as 50 30 20, or amounts, with spaces between them."),
        ),
    )
    yield "prizes_ties", forms.ChoiceField(label=_("Where places are shared"), choices=_TIES)
    yield (
        "prizes_threshold",
        money(
            _("Share only if each gets at least"), _("Below it each has the prize of their place.")
        ),
    )
    yield (
        "prizes_pot_left",
        forms.ChoiceField(label=_("By chips: what lies in a pot at the end"), choices=_POTS),
    )
    yield (
        "prizes_odd",
        forms.ChoiceField(label=_("Winners who share everything: the odd units"), choices=_ODD),
    )
    yield (
        "prizes_fee_basis_points",
        MoneyField(label=_("The club keeps, in per cent of the pool"), required=False),
    )
    yield "prizes_fee_least", money(_("but at least"))
    yield "prizes_fee_most", money(_("and at most"))
    yield (
        "prizes_fee_per_head",
        money(_("or so much a player"), _("Instead of a part of the pool.")),
    )


def read_prizes(typed: Mapping[str, Any], currency: str) -> dict[str, Any]:
    """Return the typed prizes of an event. Raises ValidationError for what is no list."""
    kind = PrizeKind(typed["prizes_kind"])
    fee = {
        "basis_points": typed["prizes_fee_basis_points"] or 0,
        "per_head": typed["prizes_fee_per_head"] or 0,
        "least": typed["prizes_fee_least"] or 0,
        "most": typed["prizes_fee_most"],
    }
    return {
        "kind": kind.value,
        "prizes": _parse_prizes(typed["prizes_prizes"], kind, currency),
        "ties": typed["prizes_ties"],
        "threshold": typed["prizes_threshold"] or 0,
        "pot_left": typed["prizes_pot_left"],
        "odd": typed["prizes_odd"],
        "fee": fee,
    }


def _parse_prizes(text: str, kind: PrizeKind, currency: str) -> list[int]:
    """Prizes of a list: amounts between spaces, or parts between anything."""
    if kind is PrizeKind.FIXED:
        parts = [part.rstrip(",;") for part in text.split()]
        return [amount_of(part, read_money(currency)) for part in parts if part]
    parts = re.findall(r"[^\s,;/:]+", text)
    if not all(part.isascii() and part.isdigit() and len(part) <= 9 for part in parts):
        raise ValidationError(_("Parts are whole numbers, such as 50 30 20."))
    return [int(part) for part in parts] or list(Prizes().prizes)


def initial_for_prizes(prizes: Prizes, currency: str) -> dict[str, Any]:
    """Prizes as their fields show them."""
    fee: Fee = prizes.fee
    by_amount = prizes.kind is PrizeKind.FIXED
    return {
        "prizes_kind": prizes.kind.value,
        "prizes_prizes": " ".join(
            shown_money(prize, currency) if by_amount else str(prize) for prize in prizes.prizes
        ),
        "prizes_ties": prizes.ties.value,
        "prizes_threshold": prizes.threshold or None,
        "prizes_pot_left": prizes.pot_left.value,
        "prizes_odd": prizes.odd.value,
        "prizes_fee_basis_points": fee.basis_points or None,
        "prizes_fee_least": fee.least or None,
        "prizes_fee_most": fee.most,
        "prizes_fee_per_head": fee.per_head or None,
    }
