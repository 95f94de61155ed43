"""The page of somebody's own account: password, second step, and where they are signed in."""

from typing import Any

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import AccountSession, FactorKind
from tournaments.people import passkeys, second_factors, sessions
from tournaments.web.desk.base import ButtonsMixin, DeskPage
from tournaments.web.signed_in import SignedIn, describe_device


class AccountPage(ButtonsMixin, DeskPage):
    """Facts about one's own account, and their changes."""

    template_name = "desk/account.html"
    buttons = ("device", "others")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.POST.get("device") == sessions.stored_key(request.session):
            logout(request)
            return redirect("sign-in")
        return super().post(request, *args, **kwargs)

    def device(self, key: str) -> str:
        """Sign one device out."""
        sessions.end_session(account=self.account, key=key)
        return _("The device is signed out.")

    def others(self, _value: str) -> str:
        """Sign out all devices but this one."""
        count = sessions.end_sessions(account=self.account, but=self.request.session)
        return ngettext(
            "%(count)d other device is signed out.",
            "%(count)d other devices are signed out.",
            count,
        ) % {"count": count}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = sessions.list_sessions(self.account, at=self.at)
        factors = list(second_factors.list_factors(self.account))
        devices = [self._describe(row) for row in rows]
        context = {
            "devices": devices,
            "factors": factors,
            "has_app": any(row.kind == FactorKind.APP for row in factors),
            "codes_left": second_factors.count_recovery_codes(self.account),
            "can_use_passkeys": passkeys.can_use(self.request),
        }
        return super().get_context_data(**{**context, **kwargs})

    def _describe(self, row: AccountSession) -> SignedIn:
        return SignedIn(
            title=describe_device(row.user_agent),
            value=row.session_key,
            made_at=row.made_at or self.at,
            used_at=row.used_at or self.at,
            is_here=row.session_key == sessions.stored_key(self.request.session),
            place=row.network,
        )
