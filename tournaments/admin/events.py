"""Events with entries, rounds, tables and boards; leagues; what hands gave."""

from typing import Any

from django.contrib import admin

from tournaments.admin.read_only import ReadOnlyAdmin
from tournaments.models import (
    Adjustment,
    Apart,
    Board,
    BoardDecision,
    DealSecret,
    DoorCode,
    Entry,
    Event,
    EventReply,
    League,
    LeagueEvent,
    LeagueMember,
    Quorum,
    RecordedResult,
    Result,
    ResultMail,
    Round,
    RoundClock,
    SeatDecision,
    SitOut,
    Table,
    TableGame,
    TableSeat,
)


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ["name", "club", "starts_at", "status", "movement", "rounds", "is_hidden"]
    list_filter = ["status", "movement", "duplicate", "rated", "is_hidden", "is_results_only"]
    list_select_related = ["club"]
    search_fields = ["name", "club__name", "=id"]
    date_hierarchy = "starts_at"
    ordering = ["-starts_at", "pk"]

    def trail(self, row: Event) -> dict[str, Any]:
        """Return the entries about the event."""
        return {"chain__exact": row.pk}


@admin.register(DoorCode)
class DoorCodeAdmin(ReadOnlyAdmin):
    """The doors that are open. The codes stay hidden: they would let anybody in."""

    hidden = ("code",)
    list_display = ["event", "made_by", "made_at"]
    list_select_related = ["event"]
    search_fields = ["event__name"]
    ordering = ["-made_at", "pk"]


@admin.register(Entry)
class EntryAdmin(ReadOnlyAdmin):
    list_display = ["number", "event", "player", "standing", "presence", "team", "fee_paid"]
    list_filter = ["standing", "presence"]
    list_select_related = ["event", "player"]
    search_fields = ["event__name", "player__person__name", "team", "=id"]
    ordering = ["-entered_at", "pk"]


@admin.register(Apart)
class ApartAdmin(ReadOnlyAdmin):
    list_display = ["event", "one", "other"]
    list_select_related = ["event", "one", "other"]
    search_fields = ["event__name"]
    ordering = ["pk"]


@admin.register(Adjustment)
class AdjustmentAdmin(ReadOnlyAdmin):
    list_display = ["entry", "entry__event", "amount", "round", "reason", "by", "cancelled_at"]
    list_select_related = ["entry__event"]
    search_fields = ["entry__event__name", "reason", "=id"]
    date_hierarchy = "at"
    ordering = ["-at", "pk"]


@admin.register(SeatDecision)
class SeatDecisionAdmin(ReadOnlyAdmin):
    list_display = ["game", "entry", "kind", "hands", "amount", "reason", "by", "cancelled_at"]
    list_filter = ["kind"]
    list_select_related = ["game", "entry"]
    search_fields = ["reason", "=game__id", "=id"]
    date_hierarchy = "at"
    ordering = ["-at", "pk"]


@admin.register(BoardDecision)
class BoardDecisionAdmin(ReadOnlyAdmin):
    list_display = ["game", "number", "verdict", "other_board", "reason", "by", "cancelled_at"]
    list_filter = ["verdict"]
    list_select_related = ["game"]
    search_fields = ["reason", "=game__id", "=id"]
    date_hierarchy = "at"
    ordering = ["-at", "pk"]


@admin.register(RecordedResult)
class RecordedResultAdmin(ReadOnlyAdmin):
    """Results of events whose games are not on record."""

    list_display = ["entry", "entry__event", "points", "place", "games"]
    list_select_related = ["entry__event"]
    search_fields = ["entry__event__name", "entry__player__person__name"]
    ordering = ["pk"]


@admin.register(Round)
class RoundAdmin(ReadOnlyAdmin):
    list_display = ["number", "event", "stage", "drawn_at", "started_at", "closed_at"]
    list_filter = ["stage"]
    list_select_related = ["event"]
    search_fields = ["event__name", "=id"]
    date_hierarchy = "drawn_at"
    ordering = ["-drawn_at", "pk"]


@admin.register(RoundClock)
class RoundClockAdmin(ReadOnlyAdmin):
    list_display = ["event", "is_break", "seconds", "left", "running_since"]
    list_select_related = ["event"]
    search_fields = ["event__name", "=event__id"]
    ordering = ["pk"]


@admin.register(Table)
class TableAdmin(ReadOnlyAdmin):
    list_display = ["number", "round", "round__event", "size"]
    list_filter = ["size"]
    list_select_related = ["round__event"]
    search_fields = ["round__event__name", "=id"]
    ordering = ["pk"]


@admin.register(TableSeat)
class TableSeatAdmin(ReadOnlyAdmin):
    list_display = ["seat", "table", "round", "entry", "entry__player"]
    list_select_related = ["table", "round", "entry__player"]
    search_fields = ["round__event__name", "entry__player__person__name"]
    ordering = ["pk"]


@admin.register(SitOut)
class SitOutAdmin(ReadOnlyAdmin):
    list_display = ["entry", "round", "round__event"]
    list_select_related = ["entry", "round__event"]
    search_fields = ["round__event__name"]
    ordering = ["pk"]


@admin.register(TableGame)
class TableGameAdmin(ReadOnlyAdmin):
    """Games as results know them; `scoring.admin` has the games at the tables."""

    list_display = ["id", "club", "event", "table", "phase", "is_open", "opened_at"]
    list_filter = ["phase", "is_open", "size"]
    list_select_related = ["club", "event", "table"]
    search_fields = ["event__name", "club__name", "=id"]
    date_hierarchy = "opened_at"
    ordering = ["-opened_at", "pk"]


@admin.register(Board)
class BoardAdmin(ReadOnlyAdmin):
    """Prepared deals, without their cards: operators may play too."""

    hidden = ("deal", "key")
    list_display = ["number", "event", "source", "source_table"]
    list_select_related = ["event"]
    search_fields = ["event__name"]
    ordering = ["pk"]


@admin.register(DealSecret)
class DealSecretAdmin(ReadOnlyAdmin):
    """Events that have a secret of their deals; the secret itself is shown to nobody."""

    list_display = ["event"]
    list_select_related = ["event"]
    search_fields = ["event__name"]
    ordering = ["pk"]


@admin.register(League)
class LeagueAdmin(ReadOnlyAdmin):
    list_display = ["name", "club", "planned", "is_open", "rated", "is_hidden", "closed_at"]
    list_filter = ["is_open", "rated", "is_hidden"]
    list_select_related = ["club"]
    search_fields = ["name", "club__name", "=id"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "pk"]

    def trail(self, row: League) -> dict[str, Any]:
        """Return the entries about the league."""
        return {"chain__exact": row.pk}


@admin.register(LeagueMember)
class LeagueMemberAdmin(ReadOnlyAdmin):
    list_display = ["league", "player", "division", "opening", "joined_at", "withdrawn_at"]
    list_display_links = ["player"]
    list_select_related = ["league", "player"]
    search_fields = ["league__name", "player__person__name"]
    ordering = ["-joined_at", "pk"]


@admin.register(LeagueEvent)
class LeagueEventAdmin(ReadOnlyAdmin):
    list_display = ["number", "league", "event", "weight", "division"]
    list_select_related = ["league", "event"]
    search_fields = ["league__name", "event__name"]
    ordering = ["pk"]


@admin.register(Result)
class ResultAdmin(ReadOnlyAdmin):
    """Each seat's result of each hand, without the cards of prepared boards."""

    hidden = ("dealt",)
    list_display = ["game", "number", "seat", "player", "score", "taken", "counts", "board"]
    list_filter = ["counts", "played", "jackpot"]
    list_select_related = ["game", "player"]
    search_fields = ["=game__id", "=player__id"]
    ordering = ["-pk"]


@admin.register(ResultMail)
class ResultMailAdmin(ReadOnlyAdmin):
    list_display = ["kind", "event", "player", "made_at", "sent_at", "due_at"]
    list_filter = ["kind"]
    list_select_related = ["event", "player"]
    search_fields = ["event__name", "=event__id", "=player__id"]
    ordering = ["-made_at", "pk"]


@admin.register(EventReply)
class EventReplyAdmin(ReadOnlyAdmin):
    hidden = ("digest", "nonce")
    list_display = ["event", "player", "reply", "replied_at", "asked_at", "due_at"]
    list_filter = ["reply"]
    list_select_related = ["event", "player"]
    search_fields = ["event__name", "=event__id", "=player__id"]
    ordering = ["-made_at", "pk"]


@admin.register(Quorum)
class QuorumAdmin(ReadOnlyAdmin):
    list_display = ["event", "least", "until", "cancel_reason", "due_at"]
    list_select_related = ["event"]
    search_fields = ["event__name", "=event__id"]
    ordering = ["-until", "pk"]
