"""Signing in, also with a second step to come, and giving oneself another password."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django import forms
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.views import RedirectURLMixin
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.generic import FormView

from tournaments.api.permissions import AddressThrottle
from tournaments.core.errors import GoneError, NotThereError, RefusedError, TooOftenError
from tournaments.models import Account
from tournaments.models.limits import max_length
from tournaments.people import accounts, sessions
from tournaments.people.known_devices import remember_device
from tournaments.people.second_factors import has_second_factor
from tournaments.web.desk.base import REFUSED, DeskMixin
from tournaments.web.desk.forms import DeskForm
from tournaments.web.responses import forbid_storing
from tournaments.web.viewer import account_of

SECOND_STEP_LIFE: Final = timedelta(minutes=10)
_KEY: Final = "second_step"


@dataclass(frozen=True, slots=True)
class SecondStep:
    """Somebody about to sign in, and to which page they want to go then."""

    account: Account
    wanted: str


def begin_second_step(request: HttpRequest, account: Account, *, wanted: str, at: datetime) -> None:
    """Remember in the session, for some minutes, that the password was right."""
    request.session.flush()
    request.session[_KEY] = {
        "account": str(account.pk),
        "auth_hash": account.get_session_auth_hash(),
        "ends_at": (at + SECOND_STEP_LIFE).isoformat(),
        "wanted": wanted,
    }


def find_second_step(request: HttpRequest, *, at: datetime) -> SecondStep | None:
    """Return who is about to sign in; None after a while, and after the password was changed."""
    begun = request.session.get(_KEY)
    if begun is None or at >= datetime.fromisoformat(begun["ends_at"]):
        return None
    account = Account.objects.filter(pk=begun["account"], is_active=True).first()
    if account is None or not constant_time_compare(
        begun["auth_hash"], account.get_session_auth_hash()
    ):
        return None
    return SecondStep(account, begun["wanted"])


def end_second_step(request: HttpRequest) -> None:
    """Forget who was about to sign in."""
    request.session.pop(_KEY, None)


class PasswordField(forms.CharField):
    """A password as it is typed, which no page shows again."""

    def __init__(self, *, autocomplete: str, **kwargs: Any) -> None:
        widget = forms.PasswordInput(attrs={"autocomplete": autocomplete})
        most = accounts.PASSWORD_MAX
        super().__init__(max_length=most, strip=False, widget=widget, **kwargs)


class NewPasswordField(PasswordField):
    """A password that somebody chooses; what is asked of it stands there before they type."""

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault(
            "help_text",
            gettext_lazy(
                "12 characters or more: some words that nobody would guess. Not one that many "
                "people use, nor one like your name or address."
            ),
        )
        super().__init__(autocomplete="new-password", **kwargs)
        self.widget.attrs |= {
            "minlength": accounts.PASSWORD_LEAST,
            "data-show": gettext_lazy("Show"),
            "data-hide": gettext_lazy("Hide"),
        }


class SignInForm(DeskForm):
    """The name and the password of somebody."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=max_length(Account, "email"),
        widget=forms.EmailInput(attrs={"autocomplete": "username", "autofocus": True}),
    )
    password = PasswordField(label=gettext_lazy("Password"), autocomplete="current-password")


class PasswordForm(DeskForm):
    """The password that somebody has, and the one that they want."""

    password = PasswordField(
        label=gettext_lazy("Current password"), autocomplete="current-password"
    )
    new_password = NewPasswordField(label=gettext_lazy("New password"))


class SignInThrottle(AddressThrottle):
    """Fewer than other questions, together with those of the API; a whole club has one address."""

    scope = "sign-in"


class ThrottledFormView(FormView):  # type: ignore[type-arg]  # Django's takes one only in its stubs
    """A form with a password: after too many tries from an address it says how long to wait."""

    http_method_names = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return forbid_storing(super().dispatch(request, *args, **kwargs))

    def submit(self, form: Any, address: str) -> HttpResponse:
        """Do what the form asks for. Raises TooOftenError and RefusedError."""
        raise NotImplementedError

    def form_valid(self, form: Any) -> HttpResponse:
        throttle = SignInThrottle()
        if not throttle.allow_request(self.request, None):
            return self._refuse_for(form, int(throttle.wait() or 60))
        try:
            return self.submit(form, throttle.get_ident(self.request))
        except (NotThereError, GoneError):
            raise
        except TooOftenError as error:
            return self._refuse_for(form, error.wait)
        except RefusedError as error:
            form.refuse(error)
            return self.form_invalid(form)

    def form_invalid(self, form: Any) -> HttpResponse:
        return self.render_to_response(self.get_context_data(form=form), status=REFUSED)

    def _refuse_for(self, form: Any, seconds: int) -> HttpResponse:
        minutes = max(-(-seconds // 60), 1)
        words = ngettext(
            "Too many tries. Wait a minute, then try again.",
            "Too many tries. Wait %(minutes)d minutes, then try again.",
            minutes,
        )
        form.add_error(None, words % {"minutes": minutes})
        return self.render_to_response(self.get_context_data(form=form), status=429)


class SignIn(RedirectURLMixin, ThrottledFormView):
    """The sign-in page of the desk; it leads to the page that was wanted, or to the desk."""

    template_name = "desk/sign_in.html"
    form_class = SignInForm
    next_page = "desk"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if account_of(request) is not None:
            return HttpResponseRedirect(self.get_success_url())
        return super().get(request, *args, **kwargs)

    def submit(self, form: SignInForm, address: str) -> HttpResponse:
        at = timezone.now()
        account = accounts.authenticate_account(
            **form.cleaned_data, address=address, request=self.request, at=at
        )
        if account is None:
            raise RefusedError(_("This address and password do not match."))
        if has_second_factor(account):
            begin_second_step(self.request, account, wanted=self.get_success_url(), at=at)
            return redirect("sign-in-code")
        sessions.sign_in(self.request, account, address=address, at=at)
        answer = HttpResponseRedirect(self.get_success_url())
        remember_device(self.request, answer, account)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        nobody_yet = not accounts.has_accounts()
        return super().get_context_data(
            next=self.get_success_url(), nobody_yet=nobody_yet, **kwargs
        )


class Password(DeskMixin, ThrottledFormView):
    """Another password for oneself; what is typed here is kept nowhere."""

    template_name = "desk/password.html"
    form_class = PasswordForm

    def submit(self, form: PasswordForm, address: str) -> HttpResponse:
        account = accounts.replace_password(
            account=self.account,
            **form.cleaned_data,
            address=address,
            request=self.request,
            at=self.at,
        )
        self.request.user = account
        update_session_auth_hash(self.request, account)
        words = _("Your password has been changed. Everywhere else you need to sign in again.")
        messages.success(self.request, words)
        return redirect("desk")
