"""The page of an empty installation: the first account, and the club that it runs."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy

from tournaments.core.errors import GoneError
from tournaments.models import Account, Club
from tournaments.models.limits import max_length
from tournaments.people import sessions, setup_code
from tournaments.people.accounts import NewAccount
from tournaments.people.known_devices import remember_device
from tournaments.people.setup_code import FirstAccount
from tournaments.web.desk.clubs import currency_field, zone_choices
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.sign_in import NewPasswordField, ThrottledFormView
from tournaments.web.responses import forbid_storing


class FirstAccountForm(DeskForm):
    """The first account, their club, and the proof that the service was started by them."""

    is_quiet = True

    code = forms.CharField(
        label=gettext_lazy("Code"),
        help_text=gettext_lazy(
            "It is shown in the window where Painsuit was started. There, python3 manage.py"
            " setup_code makes another one."
        ),
        max_length=setup_code.CODE_MAX,
        widget=forms.TextInput(
            attrs={
                "class": "code-typed",
                "autocomplete": "off",
                "autocapitalize": "characters",
                "spellcheck": "false",
            }
        ),
    )
    club = forms.CharField(
        label=gettext_lazy("Name of the club"), max_length=max_length(Club, "name")
    )
    name = forms.CharField(
        label=gettext_lazy("Your name"),
        max_length=max_length(Account, "name"),
        widget=forms.TextInput(attrs={"autocomplete": "name"}),
    )
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        help_text=gettext_lazy("You sign in with it; nothing is sent there."),
        max_length=max_length(Account, "email"),
        widget=forms.EmailInput(attrs={"autocomplete": "username"}),
    )
    password = NewPasswordField(label=gettext_lazy("Password"))
    time_zone = forms.ChoiceField(label=gettext_lazy("Time zone"), choices=zone_choices)
    currency = currency_field()

    def to_values(self) -> FirstAccount:
        """Return the typed account, as the service function takes it."""
        typed = self.cleaned_data
        return FirstAccount(
            account=NewAccount(
                email=typed["email"], name=typed["name"], password=typed["password"]
            ),
            club={
                "name": typed["club"],
                "currency": typed["currency"],
                "time_zone": typed["time_zone"],
            },
        )


class FirstAccountPage(ThrottledFormView):
    """Makes the first account and its club; once there is one, the page is closed for good."""

    template_name = "desk/first_account.html"
    form_class = FirstAccountForm

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            setup_code.refuse_later_accounts()
            answer = super().dispatch(request, *args, **kwargs)
        except GoneError:
            answer = self.render_to_response({"is_closed": True}, status=410)
        answer["X-Robots-Tag"] = "noindex, nofollow"
        return forbid_storing(answer)

    def get_initial(self) -> dict[str, Any]:
        return {"time_zone": settings.CLUB_TIME_ZONE}

    def submit(self, form: FirstAccountForm, address: str) -> HttpResponse:
        at = timezone.now()
        account, club = setup_code.make_first_account(
            code=form.cleaned_data["code"], first=form.to_values(), address=address, at=at
        )
        sessions.sign_in(self.request, account, address=address, at=at)
        answer = redirect("desk-first-night", club.pk)
        remember_device(self.request, answer, account)
        return answer
