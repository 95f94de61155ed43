"""The second step of signing in, and how somebody sets it up and removes it."""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django import forms
from django.contrib import messages
from django.core import signing
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.messages import Message
from tournaments.core.errors import RefusedError
from tournaments.models.account import FACTOR_NAME_MAX
from tournaments.people import accounts, passkeys, second_factors, sessions
from tournaments.people.known_devices import find_device, remember_device
from tournaments.tables.press import squares
from tournaments.web.desk.base import DeskMixin
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.sign_in import (
    SECOND_STEP_LIFE,
    PasswordField,
    SecondStep,
    ThrottledFormView,
    end_second_step,
    find_second_step,
)
from tournaments.web.signed_in import describe_device

_PAGE_LIFE: Final = timedelta(hours=1)
_CODE_FIELD = {
    "autocomplete": "one-time-code",
    "autocapitalize": "characters",
    "spellcheck": "false",
    "class": "code-typed",
}


class SecondStepForm(DeskForm):
    """A code, or the answer of a passkey."""

    is_quiet = True

    code = forms.CharField(
        label=gettext_lazy("Code"),
        help_text=gettext_lazy("Six digits, or one of your recovery codes."),
        max_length=second_factors.CODE_MAX,
        required=False,
        widget=forms.TextInput(attrs={**_CODE_FIELD, "autofocus": True}),
    )
    passkey = forms.CharField(
        max_length=passkeys.RESPONSE_MAX, required=False, widget=forms.HiddenInput
    )


class SignInCode(ThrottledFormView):
    """Asks for the second step, after the password was right."""

    template_name = "desk/sign_in_code.html"
    form_class = SecondStepForm
    begun: SecondStep

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        begun = find_second_step(request, at=timezone.now())
        if begun is None:
            return redirect("sign-in")
        self.begun = begun
        return super().dispatch(request, *args, **kwargs)

    def submit(self, form: SecondStepForm, address: str) -> HttpResponse:
        account, at = self.begun.account, timezone.now()
        if response := form.cleaned_data["passkey"]:
            is_right = passkeys.check_passkey(
                account=account, response=response, request=self.request, at=at
            )
        else:
            is_right = second_factors.check_code(
                account=account,
                code=form.cleaned_data["code"],
                address=address,
                device=find_device(self.request, account.email),
                at=at,
            )
        if not is_right:
            words = Message("That is not right. Try again with the next code, or another way.")
            raise RefusedError(words, "code")
        end_second_step(self.request)
        sessions.sign_in(self.request, account, address=address, at=at)
        answer = HttpResponseRedirect(self.begun.wanted)
        remember_device(self.request, answer, account)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        account = self.begun.account
        return super().get_context_data(
            passkey=passkeys.ask_to_sign_in(self.request, account),
            minutes=SECOND_STEP_LIFE.seconds // 60,
            **kwargs,
        )


class OwnPasswordForm(DeskForm):
    """The password once more, for what a stranger at an open page must not do."""

    password = PasswordField(label=gettext_lazy("Your password"), autocomplete="current-password")


class _ChangePage(DeskMixin, ThrottledFormView):
    """A page that changes the second step, once the password was given."""

    title: Promise
    form_class: type[OwnPasswordForm] = OwnPasswordForm

    def submit(self, form: OwnPasswordForm, address: str) -> HttpResponse:
        account = accounts.authenticate_account(
            email=self.account.email,
            password=form.cleaned_data["password"],
            address=address,
            request=self.request,
            at=self.at,
        )
        if account is None or account.pk != self.account.pk:
            raise RefusedError(Message("This is not your password."), "password")
        return self.change(form)

    def change(self, form: OwnPasswordForm) -> HttpResponse:
        """Do what the password was asked for; each page does something else."""
        raise NotImplementedError

    def finish(self, codes: list[str]) -> HttpResponse:
        """Show the recovery codes that come with the first way, or go back to the account."""
        messages.success(
            self.request, _("The second step is set up, and you are signed out everywhere else.")
        )
        if not codes:
            return redirect("desk-account")
        return self.show_codes(codes)

    def show_codes(self, codes: list[str]) -> HttpResponse:
        """Show recovery codes, this once."""
        self.template_name = "desk/recovery_codes.html"
        return self.render(codes=codes, as_text="%0A".join(codes))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(**{"title": self.title, **kwargs})


class AppForm(OwnPasswordForm):
    """The first code of an app, and the secret that it was given, which the page shows (signed)."""

    field_order = ["signed", "code", "password"]

    signed = forms.CharField(max_length=500, widget=forms.HiddenInput)
    code = forms.CharField(
        label=gettext_lazy("The code that the app shows"),
        help_text=gettext_lazy("Six digits; a new one every half minute."),
        max_length=second_factors.CODE_MAX,
        widget=forms.TextInput(attrs={**_CODE_FIELD, "inputmode": "numeric"}),
    )


class AppPage(_ChangePage):
    """Sets an app up: a code to scan, the same to type, and a field for its first code."""

    title = gettext_lazy("A code from an app")
    template_name = "desk/second_step_app.html"
    form_class = AppForm

    def get_initial(self) -> dict[str, Any]:
        return {"signed": signing.dumps(second_factors.make_app_secret(), salt=self._salt)}

    @property
    def _salt(self) -> str:
        """Nobody else's page can be sent, and nothing else that was signed."""
        return f"app of {self.account.pk}"

    def change(self, form: OwnPasswordForm) -> HttpResponse:
        codes = second_factors.add_app(
            account_id=self.account.pk,
            secret=self._secret(form),
            code=form.cleaned_data["code"],
            session=self.request.session,
            by=self.by,
            at=self.at,
        )
        return self.finish(codes)

    def _secret(self, form: OwnPasswordForm) -> str:
        try:
            found = signing.loads(
                str(form["signed"].value() or ""), salt=self._salt, max_age=_PAGE_LIFE
            )
        except signing.BadSignature as error:
            raise RefusedError(Message("This page has expired; start again.")) from error
        return str(found)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        if "form" in context:
            try:
                secret = self._secret(context["form"])
            except RefusedError as error:
                raise Http404 from error
            address = second_factors.app_address(
                secret, email=self.account.email, issuer=f"Painsuit {self.request.get_host()}"
            )
            side, path = squares(address)
            groups = [secret[at : at + 4] for at in range(0, len(secret), 4)]
            context |= {"side": side, "path": path, "secret": " ".join(groups), "address": address}
        return context


class PasskeyForm(OwnPasswordForm):
    """The name of the passkey, and the credential that the browser made."""

    field_order = ["name", "password"]

    name = forms.CharField(
        label=gettext_lazy("Name of this device"),
        help_text=gettext_lazy("So that you know it again, such as My phone."),
        max_length=FACTOR_NAME_MAX,
    )
    passkey = forms.CharField(
        max_length=passkeys.RESPONSE_MAX, required=False, widget=forms.HiddenInput
    )


class PasskeyPage(_ChangePage):
    """Makes a passkey of the device, or of a security key."""

    title = gettext_lazy("A passkey")
    template_name = "desk/second_step_passkey.html"
    form_class = PasskeyForm

    def get_initial(self) -> dict[str, Any]:
        agent = self.request.headers.get("User-Agent", "")
        return {"name": describe_device(agent)[:FACTOR_NAME_MAX]}

    def change(self, form: OwnPasswordForm) -> HttpResponse:
        codes = passkeys.add_passkey(
            account_id=self.account.pk,
            response=form.cleaned_data["passkey"],
            name=form.cleaned_data["name"],
            request=self.request,
            by=self.by,
            at=self.at,
        )
        return self.finish(codes)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        if "form" in context and passkeys.can_use(self.request):
            context["passkey"] = passkeys.ask_to_register(self.request, self.account)
        return context


class RemoveFactor(_ChangePage):
    """Removes one factor of the second step."""

    title = gettext_lazy("Remove")
    template_name = "desk/second_step_off.html"

    def change(self, form: OwnPasswordForm) -> HttpResponse:
        factor_id: UUID = self.kwargs["factor_id"]
        second_factors.remove_factor(
            account_id=self.account.pk,
            factor_id=factor_id,
            session=self.request.session,
            by=self.by,
            at=self.at,
        )
        messages.success(self.request, _("It is removed, and you are signed out everywhere else."))
        return redirect("desk-account")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        factors = second_factors.list_factors(self.account)
        factor = factors.filter(pk=self.kwargs["factor_id"]).first()
        if factor is None:
            raise Http404
        is_last = factors.count() == 1
        return super().get_context_data(factor=factor, is_last=is_last, **kwargs)


class NewCodes(_ChangePage):
    """Makes new recovery codes."""

    title = gettext_lazy("New recovery codes")
    template_name = "desk/second_step_codes.html"

    def change(self, form: OwnPasswordForm) -> HttpResponse:
        codes = second_factors.make_recovery_codes(
            account_id=self.account.pk, by=self.by, at=self.at
        )
        return self.show_codes(codes)
