"""The admin's site, and the base of all its pages.

They show rows to look at, with links to the rows that name them.

Nothing is editable. Records, books, results, published tables and the trail only grow, and rows of
background work belong to the worker that has their lease. All else has rules that no form of the
admin knows: it is changed at the desk, by the API or by a command, whose services check these
rules, write the trail and mark standings as stale.
"""

from collections.abc import Iterator
from typing import Any, ClassVar
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.db import models
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from tournaments.models import AuditEntry


class OperatorSite(admin.AdminSite):
    """Django's admin without doors of its own.

    The desk's sign-in counts wrong passwords and throttles; so do its pages for another password.
    Whoever is signed in and is no operator is refused (403).
    """

    site_header = site_title = "Painsuit"
    index_title = "Everything on record, to look at"
    site_url = "/desk/"
    index_template = "admin/operator_index.html"

    def login(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send somebody to the desk's sign-in. Raises PermissionDenied for who is signed in."""
        if request.user.is_authenticated and not self.has_permission(request):
            raise PermissionDenied
        wanted = request.GET.get("next") or reverse("admin:index", current_app=self.name)
        return redirect_to_login(wanted, reverse("sign-in"))

    def password_change(  # type: ignore[override]  # a redirect, where Django has a page
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Send somebody to the desk's page for another password."""
        return HttpResponseRedirect(reverse("desk-password"))


class ReadOnlyAdmin(admin.ModelAdmin):  # type: ignore[type-arg]  # it takes none as it runs
    """Rows of one model, to look at.

    ``hidden`` names the columns that nobody sees, searches or filters by, not even an operator:
    keys, tokens, passwords and their digests, and cards that players may not know yet. Columns of
    bytes are always among them.
    """

    hidden: ClassVar[tuple[str, ...]] = ()
    list_per_page = 50
    show_full_result_count = False
    change_form_template = "admin/row.html"

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Never."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Never."""
        return False

    def get_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """All columns but the hidden ones."""
        return [field.name for field in self.opts.concrete_fields if not self._is_hidden(field)]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[Any]:
        """All columns shown, those among them that no form of Django knows."""
        return self.get_fields(request, obj)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Refuse to filter by a hidden column, which would tell it letter by letter."""
        column = lookup.partition("__")[0]
        if any(field.name == column and self._is_hidden(field) for field in self.opts.fields):
            return False
        return super().lookup_allowed(lookup, value, request)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Show a row, with links to what belongs to it."""
        row = self.get_object(request, object_id)
        links = [] if row is None else [*self.links(row)]
        return super().change_view(
            request, object_id, form_url, {"links": links, **(extra_context or {})}
        )

    def links(self, row: Any) -> Iterator[tuple[str, str]]:
        """Yield links that lead on from a row: words and address, rows that refer to it first."""
        for relation in self.opts.get_fields(include_hidden=True):
            if not isinstance(relation, models.ForeignObjectRel) or not relation.field.concrete:
                continue
            model = relation.related_model
            if self.admin_site.is_registered(model):
                column = relation.field.name
                words = f"{model._meta.verbose_name_plural} ({column.replace('_', ' ')})"
                yield words, list_url(model, **{f"{column}__exact": row.pk})
        trail = self.trail(row)
        if trail:
            yield "audit entries", list_url(AuditEntry, **trail)

    def trail(self, row: Any) -> dict[str, Any]:
        """The query that finds the audit entries of a row: those that name it, if any can."""
        return {"q": row.pk} if isinstance(row.pk, UUID) else {}

    def _is_hidden(self, field: "models.Field[Any, Any]") -> bool:
        return field.name in self.hidden or isinstance(field, models.BinaryField)


def list_url(model: type[models.Model], **query: object) -> str:
    """The address of those rows of a model that a query chooses."""
    found = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
    return f"{found}?{urlencode(query)}"
