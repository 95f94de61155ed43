"""Names that pages and tables have for states of hands, kinds of bookings and accounts."""

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _

Words = Mapping[str, object]

PARTS: Final[Words] = {
    "buy_ins": _("Buy-ins"),
    "rebuys": _("Rebuys"),
    "payouts": _("Payouts"),
    "fees": _("Fees"),
    "prizes": _("Prizes"),
    "paid": _("Paid"),
    "written_off": _("Let off"),
}
"""What a balance is made of (`scoring.games.night_sheets.Parts`)."""
