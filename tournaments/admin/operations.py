"""Published standings and their marks, jobs, answered requests, and the trail."""

from django.contrib import admin

from tournaments.admin.read_only import ReadOnlyAdmin
from tournaments.models import (
    AnsweredRequest,
    AuditEntry,
    BackupReport,
    Import,
    ImportedObject,
    Job,
    Published,
    Snapshot,
    Stale,
    StandingsDecision,
    Trail,
)


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """The trail. The salt of a reason stays hidden: with it an erased name could be guessed."""

    hidden = ("why_salt",)
    list_display = ["at", "what", "chain", "number", "by", "source", "why"]
    list_filter = ["source"]
    search_fields = ["what", "by", "why", "details"]
    date_hierarchy = "at"
    ordering = ["-at", "-pk"]


@admin.register(Trail)
class TrailAdmin(ReadOnlyAdmin):
    """The length of each chain of audit entries."""

    list_display = ["chain", "club_id", "length", "digest"]
    search_fields = ["=chain", "=club_id"]
    ordering = ["chain"]


@admin.register(Published)
class PublishedAdmin(ReadOnlyAdmin):
    list_display = ["scope", "subject", "club", "version", "official", "due_at", "trouble"]
    list_filter = ["scope"]
    list_select_related = ["club"]
    search_fields = ["=subject", "club__name", "trouble"]
    ordering = ["-computed_at", "pk"]


@admin.register(Snapshot)
class SnapshotAdmin(ReadOnlyAdmin):
    """Versions of standings; a page shows them, their data would be megabytes here."""

    hidden = ("data",)
    list_display = ["published", "version", "program", "computed_at"]
    list_select_related = ["published"]
    search_fields = ["=published__subject", "=digest"]
    date_hierarchy = "computed_at"
    ordering = ["-pk"]


@admin.register(StandingsDecision)
class StandingsDecisionAdmin(ReadOnlyAdmin):
    list_display = ["at", "published", "verdict", "version", "reason", "by"]
    list_filter = ["verdict"]
    list_select_related = ["published"]
    search_fields = ["=published__subject", "reason", "by"]
    date_hierarchy = "at"
    ordering = ["-at", "pk"]


@admin.register(Stale)
class StaleAdmin(ReadOnlyAdmin):
    list_display = ["scope", "subject", "since", "game"]
    list_filter = ["scope"]
    search_fields = ["=subject", "=game"]
    ordering = ["since", "pk"]


@admin.register(Job)
class JobAdmin(ReadOnlyAdmin):
    list_display = ["kind", "club", "state", "done", "total", "by", "created_at", "finished_at"]
    list_filter = ["kind", "state", "dry_run"]
    list_select_related = ["club"]
    search_fields = ["club__name", "file_name", "=id"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "pk"]


@admin.register(Import)
class ImportAdmin(ReadOnlyAdmin):
    list_display = ["kind", "club", "file_name", "by", "created_at", "finished_at", "undone_at"]
    list_filter = ["kind"]
    list_select_related = ["club"]
    search_fields = ["club__name", "file_name", "=id"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "pk"]


@admin.register(ImportedObject)
class ImportedObjectAdmin(ReadOnlyAdmin):
    list_display = ["source_import", "model", "key", "undone_at"]
    list_filter = ["model"]
    list_select_related = ["source_import"]
    search_fields = ["=source_import__id", "model"]
    ordering = ["-pk"]


@admin.register(AnsweredRequest)
class AnsweredRequestAdmin(ReadOnlyAdmin):
    """Answered writes, without what was sent and answered: a new key is told there, once."""

    hidden = ("key", "headers", "body_digest")
    list_display = ["at", "asker", "method", "path", "status"]
    list_filter = ["method", "status"]
    search_fields = ["asker", "path"]
    date_hierarchy = "at"
    ordering = ["-at", "-pk"]


@admin.register(BackupReport)
class BackupReportAdmin(ReadOnlyAdmin):
    list_display = ["kind", "at", "is_good", "good_at", "file_name", "outcome"]
    ordering = ["kind"]
