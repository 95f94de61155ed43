"""Clubs and their people, their house rules, who may do what, and the trail of what was done."""

from tournaments.models.account import Account
from tournaments.models.api_key import ApiKey
from tournaments.models.audit import AuditEntry
from tournaments.models.club import Club, Confirming
from tournaments.models.idempotency import AnsweredRequest
from tournaments.models.player import Person, Player, PlayerKind
from tournaments.models.role import Role, RoleKind
from tournaments.models.rule_set import RuleSet
from tournaments.models.sign_in import SignInCount

__all__ = [
    "Account",
    "AnsweredRequest",
    "ApiKey",
    "AuditEntry",
    "Club",
    "Confirming",
    "Person",
    "Player",
    "PlayerKind",
    "Role",
    "RoleKind",
    "RuleSet",
    "SignInCount",
]
