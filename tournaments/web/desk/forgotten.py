"""Another password by a link in an e-mail, for somebody who forgot theirs."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from tournaments.core.errors import NotThereError
from tournaments.core.mail import can_send
from tournaments.core.public_address import public_site
from tournaments.models import Account
from tournaments.models.limits import max_length
from tournaments.people import password_links
from tournaments.people.known_devices import remember_device
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.sign_in import NewPasswordField, ThrottledFormView


class EmailForm(DeskForm):
    """The address to which a link is sent."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=max_length(Account, "email"),
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )


class Forgotten(ThrottledFormView):
    """Have a link sent; nobody learns from the answer whether the address is known."""

    template_name = "desk/forgotten.html"
    form_class = EmailForm

    def submit(self, form: EmailForm, address: str) -> HttpResponse:
        if can_send():
            password_links.request_password_link(
                email=form.cleaned_data["email"],
                site=public_site(self.request),
                language=get_language() or "",
                at=timezone.now(),
            )
        return self.render_to_response(self.get_context_data(form=EmailForm(), is_sent=True))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(
            can_send=can_send(),
            minutes=password_links.LIFE.seconds // 60,
            most=password_links.LINKS_MAX,
            **kwargs,
        )


class ChoiceForm(DeskForm):
    """The password that somebody chooses."""

    password = NewPasswordField(label=gettext_lazy("New password"))


class ChoosePassword(ThrottledFormView):
    """The page of a link: choose another password; then sign in with it."""

    template_name = "desk/choose_password.html"
    form_class = ChoiceForm

    def submit(self, form: ChoiceForm, address: str) -> HttpResponse:
        try:
            account = password_links.use_password_link(
                token=self.kwargs["token"],
                password=form.cleaned_data["password"],
                at=timezone.now(),
            )
        except NotThereError:
            return redirect(self.request.path)
        messages.success(
            self.request, _("Your password has been changed. Sign in with the new one.")
        )
        answer = redirect("sign-in")
        remember_device(self.request, answer, account)
        return answer

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        try:
            link = password_links.find_password_link(self.kwargs["token"], at=timezone.now())
        except NotThereError:
            link = None
        return super().get_context_data(link=link, **kwargs)
