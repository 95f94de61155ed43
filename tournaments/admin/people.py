"""Clubs and house rules; accounts with their roles, keys and invitations; players."""

from typing import Any

from django.contrib import admin

from tournaments.admin.read_only import ReadOnlyAdmin
from tournaments.models import (
    Account,
    AccountSession,
    ApiKey,
    CalendarAddress,
    Club,
    ClubPicture,
    FormerDetail,
    Invitation,
    PasswordLink,
    Person,
    Player,
    PlayerBar,
    PlayerDevice,
    PlayerSignInCode,
    RecoveryCode,
    Role,
    RuleSet,
    SecondFactor,
    SetupCode,
    SignInCount,
)


@admin.register(Club)
class ClubAdmin(ReadOnlyAdmin):
    list_display = ["name", "is_public", "currency", "time_zone", "confirming", "created_at"]
    list_filter = ["is_public", "confirming", "currency"]
    search_fields = ["name", "=id"]
    date_hierarchy = "created_at"
    ordering = ["name", "pk"]

    def trail(self, row: Club) -> dict[str, Any]:
        """All that was done in the club."""
        return {"club_id__exact": row.pk}


@admin.register(ClubPicture)
class ClubPictureAdmin(ReadOnlyAdmin):
    hidden = ("image",)
    list_display = ["club", "width", "height", "changed_at"]
    list_select_related = ["club"]
    search_fields = ["club__name", "=club__id", "=digest"]
    date_hierarchy = "changed_at"
    ordering = ["-changed_at", "pk"]


@admin.register(RuleSet)
class RuleSetAdmin(ReadOnlyAdmin):
    list_display = ["name", "version", "club", "preset", "keeps_jackpot", "created_at"]
    list_filter = ["preset", "keeps_jackpot"]
    list_select_related = ["club"]
    search_fields = ["name", "club__name", "=id", "=digest"]
    ordering = ["-created_at", "pk"]


@admin.register(Account)
class AccountAdmin(ReadOnlyAdmin):
    hidden = ("password",)
    list_display = ["email", "name", "is_active", "is_superuser", "last_login", "created_at"]
    list_filter = ["is_active", "is_superuser"]
    search_fields = ["email", "name", "=id"]
    date_hierarchy = "created_at"
    ordering = ["email"]


@admin.register(AccountSession)
class AccountSessionAdmin(ReadOnlyAdmin):
    hidden = ("session_key", "session_data")
    list_display = ["account", "network", "made_at", "used_at", "expire_date"]
    list_select_related = ["account"]
    search_fields = ["account__email", "network"]
    ordering = ["-used_at", "pk"]


@admin.register(Role)
class RoleAdmin(ReadOnlyAdmin):
    list_display = ["account", "kind", "club", "player", "created_at"]
    list_filter = ["kind"]
    list_select_related = ["account", "club", "player"]
    search_fields = ["account__email", "account__name", "club__name", "=id"]
    ordering = ["-created_at", "pk"]


@admin.register(ApiKey)
class ApiKeyAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["name", "kind", "club", "made_by", "created_at", "expires_at", "revoked_at"]
    list_filter = ["kind"]
    list_select_related = ["club", "made_by"]
    search_fields = ["name", "club__name", "=id"]
    ordering = ["-created_at", "pk"]


@admin.register(Invitation)
class InvitationAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["club", "kind", "email", "made_by", "ends_at", "used_at", "withdrawn_at"]
    list_display_links = ["kind"]
    list_filter = ["kind"]
    list_select_related = ["club", "made_by"]
    search_fields = ["email", "club__name", "=id"]
    ordering = ["-created_at", "pk"]


@admin.register(SecondFactor)
class SecondFactorAdmin(ReadOnlyAdmin):
    """`manage.py account EMAIL --no-second-step` takes them off."""

    hidden = ("secret",)
    list_display = ["account", "kind", "made_at", "used_at"]
    list_filter = ["kind"]
    list_select_related = ["account"]
    search_fields = ["account__email", "=id"]
    ordering = ["-made_at", "pk"]


@admin.register(RecoveryCode)
class RecoveryCodeAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["account"]
    list_select_related = ["account"]
    search_fields = ["account__email"]
    ordering = ["pk"]


@admin.register(PasswordLink)
class PasswordLinkAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["account", "made_at", "ends_at", "due_at"]
    list_select_related = ["account"]
    search_fields = ["account__email", "=id"]
    ordering = ["-made_at", "pk"]


@admin.register(SetupCode)
class SetupCodeAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["created_at", "ends_at"]
    ordering = ["-created_at", "pk"]


@admin.register(SignInCount)
class SignInCountAdmin(ReadOnlyAdmin):
    """Wrong passwords; `manage.py account EMAIL --unlock` lets somebody try again."""

    list_display = ["email", "address", "tries", "since"]
    search_fields = ["email", "address"]
    ordering = ["-since", "pk"]


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ["number", "person__name", "club", "kind", "merged_into", "left_at"]
    list_filter = ["kind"]
    list_select_related = ["club", "person", "merged_into"]
    search_fields = ["person__name", "person__email", "club__name", "=id"]
    date_hierarchy = "created_at"
    ordering = ["-created_at", "pk"]


@admin.register(Person)
class PersonAdmin(ReadOnlyAdmin):
    list_display = ["name", "player", "player__club", "email", "phone", "shown", "gets_results"]
    list_filter = ["shown"]
    list_select_related = ["player__club"]
    search_fields = ["name", "email", "phone", "=player__id"]
    ordering = ["name", "pk"]


@admin.register(FormerDetail)
class FormerDetailAdmin(ReadOnlyAdmin):
    list_display = ["player", "text"]
    list_select_related = ["player"]
    search_fields = ["text", "=player__id"]
    ordering = ["pk"]


@admin.register(PlayerBar)
class PlayerBarAdmin(ReadOnlyAdmin):
    list_display = ["player", "since", "until", "reason", "by", "lifted_at"]
    list_select_related = ["player"]
    search_fields = ["reason", "=player__id", "=id"]
    date_hierarchy = "since"
    ordering = ["-since", "pk"]


@admin.register(PlayerDevice)
class PlayerDeviceAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["player", "player__club", "method", "event", "table", "made_at", "used_at"]
    list_filter = ["method"]
    list_select_related = ["player__club", "event"]
    search_fields = ["=player__id", "=id"]
    ordering = ["-made_at", "pk"]


@admin.register(CalendarAddress)
class CalendarAddressAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["club", "player", "made_by", "made_at"]
    list_select_related = ["club", "player"]
    search_fields = ["=club__id", "=player__id", "=id"]
    ordering = ["-made_at", "pk"]


@admin.register(PlayerSignInCode)
class PlayerSignInCodeAdmin(ReadOnlyAdmin):
    hidden = ("digest",)
    list_display = ["player", "player__club", "method", "made_at", "ends_at", "due_at"]
    list_filter = ["method"]
    list_select_related = ["player__club"]
    search_fields = ["=player__id", "=id"]
    ordering = ["-made_at", "pk"]
