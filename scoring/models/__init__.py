"""Everything at the tables: games, hands and their versions, rulings, books, papers, links."""

import scoring.models.transfer  # noqa: F401  (known to Django; written to by the ledger alone)
from scoring.models.entry_fee import EntryFee
from scoring.models.entry_kind import EntryKind
from scoring.models.game import Game, Phase, Sitting
from scoring.models.hand import (
    NOT_COUNTED,
    REASON_MAX,
    Certainty,
    Form,
    Hand,
    HandVersion,
    State,
    Word,
)
from scoring.models.hand_draft import HandDraft
from scoring.models.holder import Holder
from scoring.models.incident import Incident
from scoring.models.nightly_task import Heartbeat, NightlyTask
from scoring.models.paper import PaperKind, SealedPaper
from scoring.models.player_phone import PlayerPhone
from scoring.models.ruling import Appeal, AppealStep, Decided, Finding
from scoring.models.seat_link import SeatLink
from scoring.models.shared_record import SharedRecord
from scoring.models.table_code import TableCode
from scoring.models.webhook import Delivery, Webhook

__all__ = [
    "NOT_COUNTED",
    "REASON_MAX",
    "Appeal",
    "AppealStep",
    "Certainty",
    "Decided",
    "Delivery",
    "EntryFee",
    "EntryKind",
    "Finding",
    "Form",
    "Game",
    "Hand",
    "HandDraft",
    "HandVersion",
    "Heartbeat",
    "Holder",
    "Incident",
    "NightlyTask",
    "PaperKind",
    "Phase",
    "PlayerPhone",
    "SealedPaper",
    "SeatLink",
    "SharedRecord",
    "Sitting",
    "State",
    "TableCode",
    "Webhook",
    "Word",
]
