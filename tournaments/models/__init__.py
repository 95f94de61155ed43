"""Clubs and their people, events and seasons, results and standings, and the trail of it all."""

from tournaments.models.account import Account
from tournaments.models.account_session import AccountSession
from tournaments.models.api_key import ApiKey
from tournaments.models.audit import AuditEntry, Trail
from tournaments.models.backup_report import BackupKind, BackupReport
from tournaments.models.club import CLUB_SETTINGS, Club, Confirming
from tournaments.models.club_picture import ClubPicture
from tournaments.models.decision import BoardDecision, BoardVerdict, DecisionKind, SeatDecision
from tournaments.models.door_code import DoorCode
from tournaments.models.event import (
    ENTRY_SETTINGS,
    EVENT_SETTINGS,
    SET_ONCE,
    Adjustment,
    Apart,
    Entry,
    EntryStanding,
    Event,
    Movement,
    Presence,
    RecordedResult,
    Status,
)
from tournaments.models.idempotency import AnsweredRequest
from tournaments.models.import_history import Import, ImportedObject, ImportKind
from tournaments.models.invitation import Invitation
from tournaments.models.job import ALIVE, TABLE_KINDS, Job, JobKind, JobState
from tournaments.models.league import LEAGUE_SETTINGS, League, LeagueEvent, LeagueMember
from tournaments.models.leased_row import ATTEMPTS_MAX, LEASE, LeasedQuerySet, LeasedRow
from tournaments.models.password_link import PasswordLink
from tournaments.models.player import FormerDetail, Person, Player, PlayerBar, PlayerKind, Shown
from tournaments.models.player_device import PlayerDevice, PlayerSignInCode, SignInMethod
from tournaments.models.result import Result
from tournaments.models.result_mail import ResultMail
from tournaments.models.role import Role, RoleKind
from tournaments.models.round import (
    Board,
    DealSecret,
    Round,
    SitOut,
    Stage,
    Table,
    TableGame,
    TableSeat,
)
from tournaments.models.round_clock import RoundClock
from tournaments.models.rule_set import RuleSet
from tournaments.models.second_factor import FactorKind, RecoveryCode, SecondFactor
from tournaments.models.setup_code import SetupCode
from tournaments.models.sign_in import SignInCount
from tournaments.models.standing import (
    Published,
    Scope,
    Snapshot,
    Stale,
    StandingsDecision,
    Verdict,
)

__all__ = [
    "ALIVE",
    "ATTEMPTS_MAX",
    "CLUB_SETTINGS",
    "ENTRY_SETTINGS",
    "EVENT_SETTINGS",
    "LEAGUE_SETTINGS",
    "LEASE",
    "SET_ONCE",
    "TABLE_KINDS",
    "Account",
    "AccountSession",
    "Adjustment",
    "AnsweredRequest",
    "Apart",
    "ApiKey",
    "AuditEntry",
    "BackupKind",
    "BackupReport",
    "Board",
    "BoardDecision",
    "BoardVerdict",
    "Club",
    "ClubPicture",
    "Confirming",
    "DealSecret",
    "DecisionKind",
    "DoorCode",
    "Entry",
    "EntryStanding",
    "Event",
    "FactorKind",
    "FormerDetail",
    "Import",
    "ImportKind",
    "ImportedObject",
    "Invitation",
    "Job",
    "JobKind",
    "JobState",
    "League",
    "LeagueEvent",
    "LeagueMember",
    "LeasedQuerySet",
    "LeasedRow",
    "Movement",
    "PasswordLink",
    "Person",
    "Player",
    "PlayerBar",
    "PlayerDevice",
    "PlayerKind",
    "PlayerSignInCode",
    "Presence",
    "Published",
    "RecordedResult",
    "RecoveryCode",
    "Result",
    "ResultMail",
    "Role",
    "RoleKind",
    "Round",
    "RoundClock",
    "RuleSet",
    "Scope",
    "SeatDecision",
    "SecondFactor",
    "SetupCode",
    "Shown",
    "SignInCount",
    "SignInMethod",
    "SitOut",
    "Snapshot",
    "Stage",
    "Stale",
    "StandingsDecision",
    "Status",
    "Table",
    "TableGame",
    "TableSeat",
    "Trail",
    "Verdict",
]
