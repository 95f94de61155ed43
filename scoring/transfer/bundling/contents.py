"""The models that belong to a bundle, ordered by their foreign keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.db import models

from scoring.models import (
    Appeal,
    Decided,
    EntryFee,
    Game,
    Hand,
    HandVersion,
    SealedPaper,
    Sitting,
    Word,
)
from scoring.models.transfer import LedgerAccount, Transfer
from tournaments import models as own


@dataclass(frozen=True, slots=True)
class BundleTable:
    """A table: its name in a bundle, its model, and the way from a row to its club.

    ``passing`` are fields that say nothing of the club, with the value that they get; rows with the
    values of ``computed`` are left out, and computed again where the bundle is restored. A row that
    has a number instead of an identifier of its own is known by its place among the rows.
    """

    name: str
    model: type[models.Model]
    club: str
    passing: Mapping[str, Any] = field(default_factory=dict, compare=False)
    computed: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def is_numbered(self) -> bool:
        """Whether its rows have numbers of the database."""
        return isinstance(self.model._meta.pk, models.AutoField)

    @property
    def fields(self) -> list["models.Field[Any, Any]"]:
        """The columns that a bundle has."""
        concrete = self.model._meta.concrete_fields
        return [
            one
            for one in concrete
            if not (isinstance(one, models.AutoField) or one.attname in self.passing)
        ]

    def rows(self, club: object) -> "models.QuerySet[Any]":
        """The rows of a club, in their order."""
        manager: Any = self.model._default_manager
        found: models.QuerySet[Any] = manager.filter(**{self.club: club}).order_by("pk")
        return found.exclude(**self.computed) if self.computed else found


CONTENTS: Final[Sequence[BundleTable]] = (
    BundleTable("club", own.Club, "pk"),
    BundleTable("club picture", own.ClubPicture, "club"),
    BundleTable("player", own.Player, "club"),
    BundleTable("person", own.Person, "player__club"),
    BundleTable("former detail", own.FormerDetail, "player__club"),
    BundleTable("player bar", own.PlayerBar, "player__club"),
    BundleTable("rule set", own.RuleSet, "club"),
    BundleTable("event", own.Event, "club"),
    BundleTable("entry", own.Entry, "event__club"),
    BundleTable("apart", own.Apart, "event__club"),
    BundleTable("recorded result", own.RecordedResult, "entry__event__club"),
    BundleTable("adjustment", own.Adjustment, "entry__event__club"),
    BundleTable("board", own.Board, "event__club"),
    BundleTable("deal secret", own.DealSecret, "event__club"),
    BundleTable("round", own.Round, "event__club"),
    BundleTable("round clock", own.RoundClock, "event__club"),
    BundleTable("table", own.Table, "round__event__club"),
    BundleTable("seat", own.TableSeat, "round__event__club"),
    BundleTable("sits out", own.SitOut, "round__event__club"),
    BundleTable("league", own.League, "club"),
    BundleTable("league member", own.LeagueMember, "league__club"),
    BundleTable("league event", own.LeagueEvent, "league__club"),
    BundleTable("table game", own.TableGame, "club"),
    BundleTable("decision", own.SeatDecision, "game__club"),
    BundleTable("board decision", own.BoardDecision, "game__club"),
    BundleTable("game", Game, "club"),
    BundleTable("sitting", Sitting, "game__club"),
    BundleTable("hand", Hand, "game__club"),
    BundleTable("version", HandVersion, "hand__game__club"),
    BundleTable("word", Word, "version__hand__game__club"),
    BundleTable("ruling", Decided, "hand__game__club"),
    BundleTable("appeal", Appeal, "ruling__hand__game__club"),
    BundleTable("paper", SealedPaper, "game__club"),
    BundleTable("account", LedgerAccount, "club"),
    BundleTable("transfer", Transfer, "payer__club"),
    BundleTable("entry fee", EntryFee, "event__club"),
    BundleTable("result", own.Result, "game__club"),
    BundleTable(
        "standings",
        own.Published,
        "club",
        {"due_at": None, "attempts": 0, "trouble": ""},
        {"scope": own.Scope.STATISTICS},
    ),
    BundleTable(
        "snapshot",
        own.Snapshot,
        "published__club",
        computed={"published__scope": own.Scope.STATISTICS},
    ),
    BundleTable("decision on standings", own.StandingsDecision, "published__club"),
    BundleTable("trail", own.AuditEntry, "club_id"),
    BundleTable("import", own.Import, "club", {"job": None}),
    BundleTable("imported object", own.ImportedObject, "source_import__club"),
)

LEFT_OUT: Final[Mapping[str, str]] = {
    "Account": "people sign in at an installation, not at a club",
    "AccountSession": "people sign in at an installation, not at a club",
    "SecondFactor": "a secret",
    "RecoveryCode": "a secret",
    "PasswordLink": "a secret",
    "ResultMail": "of one installation",
    "Role": "who may do what is for the installation to say",
    "ApiKey": "a secret",
    "Invitation": "a secret",
    "SeatLink": "a secret, and of one night",
    "TableCode": "a secret, made with the key of one installation",
    "PlayerPhone": "a secret, and of one night",
    "PlayerDevice": "a secret, and of one installation",
    "PlayerSignInCode": "a secret, and of one installation",
    "EventReply": "a secret, and of a night to come",
    "Quorum": "of a night to come, with the replies that it counts",
    "DoorCode": "a secret, and of one night",
    "DirectorCall": "of one night, and over with it",
    "CalendarAddress": "a secret, made with the key of one installation",
    "SeatLoss": "estimated again at night",
    "HandAnalysis": "follows from the records, and is made again when it is asked for",
    "SlipPicture": "of one night, and gone once it is read",
    "Slip": "what it says is in the record of its hand; its picture is deleted after the night",
    "HandDraft": "told on a phone, and not on record yet",
    "Webhook": "a secret",
    "Delivery": "on its way from one installation",
    "AnsweredRequest": "kept for a month, for repeated requests",
    "SignInCount": "of one installation",
    "SetupCode": "a secret",
    "Job": "of one installation",
    "Trail": "made again from the audit entries; the end of a bundle names all heads",
    "Stale": "what is behind is computed again",
    "SharedRecord": "belongs to no club",
    "NightlyTask": "of one installation",
    "Heartbeat": "of one installation",
    "Incident": "of one installation",
    "BackupReport": "of one installation",
}
"""The models that no bundle has, and why."""

BY_MODEL: Final = {content.model: content for content in CONTENTS}


def foreign_tables(content: BundleTable) -> list[tuple[str, BundleTable]]:
    """The columns of a table that refer to numbered rows, and the tables of these."""
    found = []
    for column in content.fields:
        # The model, or "self" in the type of Django's field; in a model that is loaded, the model.
        target = BY_MODEL.get(column.related_model) if column.is_relation else None  # type: ignore[arg-type]
        if target is not None and target.is_numbered:
            found.append((column.attname, target))
    return found
