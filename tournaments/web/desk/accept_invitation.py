"""The page of an invitation: create an account, or add the role to an existing one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth import login
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View

from engine.messages import message_of
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.core.time_zones import zone
from tournaments.models import Account, Invitation, RoleKind
from tournaments.people import accounts, invitations
from tournaments.people.invitations import Acceptance
from tournaments.web.desk.base import REFUSED, private
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.role_names import KINDS
from tournaments.web.desk.sessions import account_of
from tournaments.web.desk.sign_in import SignInThrottle


class GuestForm(DeskForm):
    """Who somebody will be here, and by what he will sign in."""

    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=accounts.NAME_MOST,
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=accounts.PASSWORD_MOST,
        strip=False,
        help_text=gettext_lazy("Long and easy to remember: some words that nobody would guess."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, invitation: Invitation, **more: Any) -> None:
        super().__init__(*args, **more)
        if invitation.email:
            email = self.fields["email"]
            email.initial, email.disabled = invitation.email, True


class Accept(View):
    """What an invitation is to, and the ways to accept it."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest, token: str) -> HttpResponse:
        """Say who invites whom to what."""
        try:
            found = invitations.invitation_of(token, at=timezone.now())
        except (NotThereError, GoneError) as error:
            return self._closed(error)
        return self._shown(found, token, GuestForm(invitation=found))

    def post(self, request: HttpRequest, token: str) -> HttpResponse:
        """Accept it."""
        account = account_of(request)
        try:
            found = invitations.invitation_of(token, at=timezone.now())
            if account is None:
                return self._as_guest(found, token)
            return self._with_account(found, token, account)
        except (NotThereError, GoneError) as error:
            return self._closed(error)

    def _with_account(self, found: Invitation, token: str, account: Account) -> HttpResponse:
        try:
            invitations.accept_as(token=token, account=account, at=timezone.now())
        except (NotThereError, GoneError):
            raise
        except RefusedError as error:
            problem = translate(message_of(error))
            return self._shown(found, token, GuestForm(invitation=found), problem=problem)
        return self._welcome(found)

    def _as_guest(self, found: Invitation, token: str) -> HttpResponse:
        form = GuestForm(self.request.POST, invitation=found)
        throttle = SignInThrottle()
        if not throttle.allow_request(self.request, None):
            problem = _("Too many tries from this address. Wait a minute.")
            return self._shown(found, token, form, 429, problem=problem)
        if not form.is_valid():
            return self._shown(found, token, form, REFUSED)
        acceptance = Acceptance(invitation=token, **form.cleaned_data)
        try:
            role = invitations.accept(acceptance=acceptance, at=timezone.now())
        except (NotThereError, GoneError):
            raise
        except RefusedError as error:
            form.refuse(error)
            return self._shown(found, token, form, REFUSED)
        login(self.request, role.account)
        return self._welcome(found)

    def _welcome(self, found: Invitation) -> HttpResponse:
        words = _("Welcome: the role in %(club)s is yours.") % {"club": found.club.name}
        messages.success(self.request, words)
        is_player = found.kind == RoleKind.PLAYER
        club = reverse("club" if is_player else "desk-club", args=[found.club_id])
        return HttpResponseRedirect(club)

    def _shown(
        self, found: Invitation, token: str, form: GuestForm, status: int = 200, problem: str = ""
    ) -> HttpResponse:
        account = account_of(self.request)
        timezone.activate(zone(found.club.time_zone))
        kind = str(dict(KINDS).get(RoleKind(found.kind), found.kind))
        context = {
            "invitation": found,
            "kind": kind,
            "form": form,
            "account": account,
            "is_another": account is not None and found.email not in ("", account.email),
            "here": reverse("invitation", args=[token]),
            "problem": problem,
        }
        status = REFUSED if problem and status == 200 else status
        return _private(render(self.request, "desk/invitation.html", context, status=status))

    def _closed(self, error: RefusedError) -> HttpResponse:
        if isinstance(error, GoneError):
            status, words = 410, translate(message_of(error))
        else:
            status, words = 404, _("There is no such invitation. Look whether the link is whole.")
        context = {"words": words}
        return _private(render(self.request, "desk/invitation.html", context, status=status))


def _private(page: HttpResponse) -> HttpResponse:
    """Kept, indexed and told on by nobody."""
    private(page)
    page["X-Robots-Tag"] = "noindex, nofollow"
    return page
