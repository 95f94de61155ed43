"""Signing in and out."""

from typing import Any

from django import forms
from django.contrib.auth import login, logout, update_session_auth_hash
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views import View
from django.views.decorators.http import require_POST

from tournaments.api.throttles import AddressThrottle
from tournaments.core.errors import RefusedError, TooOftenError
from tournaments.models import Account
from tournaments.people import accounts
from tournaments.people.accounts import NewPassword
from tournaments.web.desk.base import REFUSED, DeskPage, private
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.sessions import account_of


class SignInForm(DeskForm):
    """Who somebody says that he is."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=254,
        widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    password = forms.CharField(
        label=gettext_lazy("Password"),
        max_length=accounts.PASSWORD_MOST,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )


class SignInThrottle(AddressThrottle):
    """Fewer than other questions, together with those of the API; a whole club has one address."""

    scope = "sign-in"


class SignIn(View):
    """The sign-in page of the desk."""

    http_method_names = ["get", "head", "post"]

    def get(self, request: HttpRequest) -> HttpResponse:
        """Ask who it is; who signed in already goes on."""
        if account_of(request) is not None:
            return HttpResponseRedirect(_next(request))
        return self._shown(SignInForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        """Let in who has the right password."""
        form = SignInForm(request.POST)
        if not form.is_valid():
            return self._shown(form, REFUSED)
        throttle = SignInThrottle()
        if not throttle.allow_request(request, None):
            form.add_error(None, _wait(int(throttle.wait() or 60)))
            return self._shown(form, 429)
        try:
            account = accounts.authenticate_account(
                **form.cleaned_data,
                address=throttle.get_ident(request),  # type: ignore[arg-type]
                request=request,
                at=timezone.now(),
            )
        except TooOftenError as error:
            form.add_error(None, _wait(error.wait))
            return self._shown(form, 429)
        if account is None:
            form.add_error(None, _("Nobody is known by this address and password."))
            return self._shown(form, REFUSED)
        login(request, account)
        return HttpResponseRedirect(_next(request))

    def _shown(self, form: SignInForm, status: int = 200) -> HttpResponse:
        context: dict[str, Any] = {
            "form": form,
            "next": _next(self.request),
            "nobody_yet": not Account.objects.exists(),
        }
        page = render(self.request, "desk/sign_in.html", context, status=status)
        private(page)
        return page


class PasswordForm(DeskForm):
    """The password that somebody has, and the one that he wants."""

    password = forms.CharField(
        label=gettext_lazy("The password you have"),
        max_length=accounts.PASSWORD_MOST,
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )
    new_password = forms.CharField(
        label=gettext_lazy("The new one"),
        max_length=accounts.PASSWORD_MOST,
        strip=False,
        help_text=gettext_lazy("Long and easy to remember: some words that nobody would guess."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )


class Password(DeskPage):
    """Somebody gives himself another password; what is typed here is kept nowhere."""

    template = "desk/password.html"

    def get(self, request: HttpRequest) -> HttpResponse:
        """Ask for both."""
        return self.shown({"form": PasswordForm()})

    def post(self, request: HttpRequest) -> HttpResponse:
        """Change it and stay signed in, here alone."""
        form = PasswordForm(request.POST)
        throttle = SignInThrottle()
        if not throttle.allow_request(request, None):
            form.add_error(None, _wait(int(throttle.wait() or 60)))
            return self.shown({"form": form}, 429)
        if form.is_valid():
            try:
                # The address is in the request of Django, which the throttle is given here.
                return self._changed(form, throttle.get_ident(request))  # type: ignore[arg-type]
            except TooOftenError as error:
                form.add_error(None, _wait(error.wait))
                return self.shown({"form": form}, 429)
            except RefusedError as error:
                form.refuse(error)
        return self.shown({"form": form}, REFUSED)

    def _changed(self, form: PasswordForm, address: str) -> HttpResponse:
        account = accounts.replace_password(
            account=self.visit.account,
            new=NewPassword(**form.cleaned_data),
            address=address,
            request=self.request,
            at=self.visit.at,
        )
        self.request.user = account
        update_session_auth_hash(self.request, account)
        self.say(_("Your password is changed; elsewhere you have to sign in again."))
        return HttpResponseRedirect(reverse("desk"))


def _wait(seconds: int) -> str:
    minutes = max(-(-seconds // 60), 1)
    words = ngettext(
        "Too many tries. Wait a minute, then try again.",
        "Too many tries. Wait %(minutes)d minutes, then try again.",
        minutes,
    )
    return words % {"minutes": minutes}


def _next(request: HttpRequest) -> str:
    """Where somebody wanted to go: a page of ours, or the desk."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    secure = request.is_secure()
    hosts = {request.get_host()}
    if url_has_allowed_host_and_scheme(wanted, allowed_hosts=hosts, require_https=secure):
        return wanted
    return reverse("desk")


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """End the session; without one nothing happens."""
    logout(request)
    return HttpResponseRedirect(reverse("landing"))
