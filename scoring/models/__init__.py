"""Everything at the tables: games, hands and their versions, rulings, books, papers, links."""

from scoring.models.analysis import HandAnalysis
from scoring.models.game import Game, Phase, Sitting
from scoring.models.hand import (
    NOT_COUNTED,
    REASON_MAX,
    Certainty,
    Form,
    Hand,
    HandDraft,
    HandVersion,
    PaperKind,
    SealedPaper,
    SeatLoss,
    State,
    Word,
)
from scoring.models.operations import Heartbeat, Incident, NightlyTask
from scoring.models.phones import CallReason, DirectorCall, PlayerPhone, SeatLink, TableCode
from scoring.models.ruling import Appeal, AppealStep, Decided, Finding
from scoring.models.shared_record import SharedRecord
from scoring.models.slip import Slip, SlipPicture, SlipState
from scoring.models.transfer import EntryFee, EntryKind, Holder
from scoring.models.webhook import Delivery, Webhook

__all__ = [
    "NOT_COUNTED",
    "REASON_MAX",
    "Appeal",
    "AppealStep",
    "CallReason",
    "Certainty",
    "Decided",
    "Delivery",
    "DirectorCall",
    "EntryFee",
    "EntryKind",
    "Finding",
    "Form",
    "Game",
    "Hand",
    "HandAnalysis",
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
    "SeatLoss",
    "SharedRecord",
    "Sitting",
    "Slip",
    "SlipPicture",
    "SlipState",
    "State",
    "TableCode",
    "Webhook",
    "Word",
]
