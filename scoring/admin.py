"""The admin of games, hands and books: to look at, as `tournaments.admin` says."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin

from scoring.models import (
    Appeal,
    Decided,
    Delivery,
    DirectorCall,
    EntryFee,
    Game,
    Hand,
    HandAnalysis,
    HandDraft,
    HandVersion,
    Heartbeat,
    Incident,
    NightlyTask,
    PlayerPhone,
    SealedPaper,
    SeatLink,
    SeatLoss,
    SharedRecord,
    Sitting,
    Slip,
    SlipPicture,
    TableCode,
    Webhook,
    Word,
)
from scoring.models.transfer import LedgerAccount, Transfer
from tournaments.admin.read_only import ReadOnlyAdmin, list_url
from tournaments.models import Result


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    list_display = ["name", "club", "table", "phase", "hands", "booked", "opened_at"]
    list_filter = ["phase", "players", "keeps_jackpot"]
    list_select_related = ["club", "table"]
    search_fields = ["name", "club__name", "=id"]
    date_hierarchy = "opened_at"
    ordering = ["-opened_at", "pk"]

    def links(self, row: Game) -> Iterator[tuple[str, str]]:
        """Its results too: they refer to the game as `tournaments` knows it."""
        yield from super().links(row)
        yield "results", list_url(Result, game__exact=row.pk)

    def trail(self, row: Game) -> dict[str, Any]:
        """Return the entries about the game."""
        return {"chain__exact": row.pk}


@admin.register(Sitting)
class SittingAdmin(ReadOnlyAdmin):
    list_display = ["game", "seat", "player", "first", "last", "is_entrant"]
    list_select_related = ["game", "player"]
    search_fields = ["game__name", "player__person__name", "=game__id"]
    ordering = ["-pk"]


@admin.register(Hand)
class HandAdmin(ReadOnlyAdmin):
    list_display = ["number", "game", "state", "certainty", "current", "rival", "entered_at"]
    list_filter = ["state", "certainty"]
    list_select_related = ["game", "rival"]
    search_fields = ["game__name", "=game__id", "=id"]
    date_hierarchy = "entered_at"
    ordering = ["-entered_at", "pk"]

    def trail(self, row: Hand) -> dict[str, Any]:
        """Return the entries about the hand: those entries of its game that name it."""
        return {"chain__exact": row.game_id, "q": row.pk}


@admin.register(HandVersion)
class HandVersionAdmin(ReadOnlyAdmin):
    """Versions of records, without their text: other tables may still play these cards."""

    list_display = ["hand", "number", "form", "by", "source", "seat", "why", "at"]
    list_filter = ["form", "source"]
    list_select_related = ["hand"]
    search_fields = ["=hand__id", "=digest", "why", "by"]
    date_hierarchy = "at"
    ordering = ["-at", "-pk"]


@admin.register(Word)
class WordAdmin(ReadOnlyAdmin):
    list_display = ["version", "version__hand", "agrees", "why", "by", "seat", "at"]
    list_filter = ["agrees", "source"]
    list_select_related = ["version__hand"]
    search_fields = ["=version__hand__id", "why", "by"]
    date_hierarchy = "at"
    ordering = ["-at", "-pk"]


@admin.register(HandAnalysis)
class HandAnalysisAdmin(ReadOnlyAdmin):
    list_display = ["hand", "due_at", "attempts"]
    list_select_related = ["hand"]
    search_fields = ["=hand__id"]
    ordering = ["-due_at", "pk"]


@admin.register(HandDraft)
class HandDraftAdmin(ReadOnlyAdmin):
    """Hands that are being entered, without the cards told so far."""

    hidden = ("answers",)
    list_display = ["game", "number", "seat", "by", "change", "kept_at"]
    list_select_related = ["game"]
    search_fields = ["game__name", "=game__id", "=id"]
    ordering = ["-kept_at", "pk"]


@admin.register(SeatLoss)
class SeatLossAdmin(ReadOnlyAdmin):
    """The hands that were judged; the findings are for the player alone."""

    hidden = ("total", "error", "largest", "cards")
    list_display = ["hand", "seat", "unit", "judge", "revision"]
    list_select_related = ["hand"]
    list_filter = ["unit", "judge"]
    search_fields = ["=hand__id", "=hand__game__id"]
    ordering = ["-pk"]


@admin.register(Decided)
class DecidedAdmin(ReadOnlyAdmin):
    list_display = ["number", "hand", "law", "found", "withdrawn", "by", "at"]
    list_filter = ["found", "withdrawn"]
    list_select_related = ["hand"]
    search_fields = ["=hand__id", "facts", "law", "by", "=id"]
    date_hierarchy = "at"
    ordering = ["-at", "pk"]


@admin.register(Appeal)
class AppealAdmin(ReadOnlyAdmin):
    list_display = ["ruling", "step", "text", "by", "at"]
    list_filter = ["step"]
    list_select_related = ["ruling"]
    search_fields = ["text", "by", "=ruling__id"]
    date_hierarchy = "at"
    ordering = ["-at", "-pk"]


@admin.register(SealedPaper)
class SealedPaperAdmin(ReadOnlyAdmin):
    """Sealed and opened papers; the text on them the seats tell themselves."""

    hidden = ("value", "salt", "seal")
    list_display = ["game", "hand", "seat", "kind", "sealed_at", "opened_at"]
    list_filter = ["kind"]
    list_select_related = ["game"]
    search_fields = ["game__name", "=game__id"]
    ordering = ["-pk"]


@admin.register(SeatLink)
class SeatLinkAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["game", "seat", "made_by", "made_at", "expires_at", "revoked_at", "used_at"]
    list_select_related = ["game"]
    search_fields = ["game__name", "=game__id", "=id"]
    ordering = ["-made_at", "pk"]


@admin.register(TableCode)
class TableCodeAdmin(ReadOnlyAdmin):
    hidden = ("digest", "short_digest")
    list_display = ["club", "event", "number", "made_by", "made_at", "revoked_at", "used_at"]
    list_select_related = ["club", "event"]
    search_fields = ["club__name", "event__name", "=id"]
    ordering = ["-made_at", "pk"]


@admin.register(PlayerPhone)
class PlayerPhoneAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["event", "player", "made_at", "used_at", "replaced_at", "revoked_at"]
    list_select_related = ["event", "player"]
    search_fields = ["event__name", "=event__id", "=player__id", "=id"]
    ordering = ["-made_at", "pk"]


@admin.register(DirectorCall)
class DirectorCallAdmin(ReadOnlyAdmin):
    list_display = ["game", "seat", "reason", "called_at", "taken_at"]
    list_filter = ["reason"]
    list_select_related = ["game"]
    search_fields = ["=game__id"]
    ordering = ["-called_at", "pk"]


@admin.register(SlipPicture)
class SlipPictureAdmin(ReadOnlyAdmin):
    list_display = ["event", "digest", "by", "taken_in_at", "read_at", "due_at", "attempts"]
    list_select_related = ["event"]
    search_fields = ["event__name", "=event__id", "=digest"]
    ordering = ["-taken_in_at", "pk"]


@admin.register(Slip)
class SlipAdmin(ReadOnlyAdmin):
    """Slips as they were read, without the pictures of them: people sign those."""

    list_display = ["event", "table", "number", "state", "reason", "hand", "read_at", "decided_by"]
    list_filter = ["state"]
    list_select_related = ["event", "table", "hand"]
    search_fields = ["event__name", "=event__id", "=hand__id", "=id"]
    date_hierarchy = "read_at"
    ordering = ["-read_at", "pk"]


@admin.register(LedgerAccount)
class LedgerAccountAdmin(ReadOnlyAdmin):
    list_display = ["holder", "unit", "club", "game", "seat", "player", "worth"]
    list_filter = ["holder", "unit"]
    list_select_related = ["club", "game", "player"]
    search_fields = ["club__name", "game__name", "player__person__name", "=game__id"]
    ordering = ["-pk"]


@admin.register(Transfer)
class TransferAdmin(ReadOnlyAdmin):
    list_display = ["kind", "amount", "payer", "payee", "game", "hand", "by", "at"]
    list_filter = ["kind"]
    list_select_related = ["payer", "payee", "game", "hand"]
    search_fields = ["game__name", "note", "=game__id", "=hand__id"]
    date_hierarchy = "at"
    ordering = ["-at", "-pk"]


@admin.register(EntryFee)
class EntryFeeAdmin(ReadOnlyAdmin):
    list_display = ["transfer", "event", "player"]
    list_select_related = ["transfer", "event", "player"]
    search_fields = ["event__name", "player__person__name"]
    ordering = ["-pk"]


@admin.register(Webhook)
class WebhookAdmin(ReadOnlyAdmin):
    hidden = ("secret",)
    list_display = ["url", "club", "failures", "quiet_until", "created_at", "stopped_at"]
    list_select_related = ["club"]
    search_fields = ["url", "club__name", "=id"]
    ordering = ["-created_at", "pk"]


@admin.register(Delivery)
class DeliveryAdmin(ReadOnlyAdmin):
    list_display = ["event", "webhook", "tries", "due_at", "done_at", "last_answer", "created_at"]
    list_filter = ["event"]
    list_select_related = ["webhook"]
    search_fields = ["last_answer", "=webhook__id", "=id"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "pk"]


@admin.register(NightlyTask)
class NightlyTaskAdmin(ReadOnlyAdmin):
    list_display = ["name", "due_at", "attempts", "place", "done_at", "outcome"]
    ordering = ["name"]


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    list_display = ["name", "at", "since"]
    ordering = ["name"]


@admin.register(Incident)
class IncidentAdmin(ReadOnlyAdmin):
    list_display = ["cause", "is_open", "since", "told_at"]
    ordering = ["cause"]


@admin.register(SharedRecord)
class SharedRecordAdmin(ReadOnlyAdmin):
    """Shared texts; who has a link finds its row, but no row tells its link."""

    hidden = ("public_id",)
    list_display = ["id", "mode", "created_at"]
    list_filter = ["mode"]
    search_fields = ["=public_id"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "-pk"]
