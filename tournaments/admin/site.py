"""The admin's site: operators alone, let in by the desk's own sign-in."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse


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
