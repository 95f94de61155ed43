"""The page of an invitation: create an account, or add the role to an existing one."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from engine.core.messages import message_of
from tournaments.core.errors import GoneError, NotThereError, RefusedError
from tournaments.core.language import translate
from tournaments.core.time_zones import zone
from tournaments.models import Account, Invitation, RoleKind
from tournaments.people import invitations, sessions
from tournaments.people.invitations import Acceptance
from tournaments.people.known_devices import remember_device
from tournaments.web.desk.forms import DeskModelForm
from tournaments.web.desk.sign_in import NewPasswordField, ThrottledFormView
from tournaments.web.responses import forbid_storing
from tournaments.web.viewer import account_of


class GuestForm(DeskModelForm):
    """A new account: who they will be here, and by what they will sign in."""

    password = NewPasswordField(label=gettext_lazy("Password"))

    class Meta:
        model = Account
        fields = ["name", "email"]
        labels = {"name": gettext_lazy("Your name"), "email": gettext_lazy("Email address")}
        widgets = {
            "name": forms.TextInput(attrs={"autocomplete": "name"}),
            "email": forms.EmailInput(attrs={"autocomplete": "username"}),
        }

    def __init__(self, *args: Any, invitation: Invitation, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if invitation.email:
            email = self.fields["email"]
            email.initial, email.disabled = invitation.email, True


class Accept(ThrottledFormView):
    """An invitation, and the ways to accept it."""

    template_name = "desk/invitation.html"
    form_class = GuestForm
    invitation: Invitation

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            self.invitation = invitations.find_invitation(kwargs["token"], at=timezone.now())
            timezone.activate(zone(self.invitation.club.time_zone))
            answer = super().dispatch(request, *args, **kwargs)
        except GoneError as error:
            answer = self._closed(translate(message_of(error)), 410)
        except NotThereError:
            words = _("There is no such invitation. Check that the link is complete.")
            answer = self._closed(words, 404)
        # Kept, indexed and told on by nobody.
        answer["X-Robots-Tag"] = "noindex, nofollow"
        return forbid_storing(answer)

    def _closed(self, words: str, status: int) -> HttpResponse:
        return self.render_to_response({"words": words}, status=status)

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        account = account_of(request)
        if account is None:
            return super().post(request, *args, **kwargs)
        try:
            invitations.accept_as(token=kwargs["token"], account=account, at=timezone.now())
        except (NotThereError, GoneError):
            raise
        except RefusedError as error:
            messages.error(request, translate(message_of(error)))
            return self.form_invalid(self.form_class(invitation=self.invitation))
        return self._welcome()

    def submit(self, form: GuestForm, address: str) -> HttpResponse:
        acceptance = Acceptance(invitation=self.kwargs["token"], **form.cleaned_data)
        at = timezone.now()
        role = invitations.accept(acceptance=acceptance, at=at)
        sessions.sign_in(self.request, role.account, address=address, at=at)
        answer = self._welcome()
        remember_device(self.request, answer, role.account)
        return answer

    def _welcome(self) -> HttpResponse:
        invitation = self.invitation
        words = _("Welcome: the role in %(club)s is yours.") % {"club": invitation.club.name}
        messages.success(self.request, words)
        is_player = invitation.kind == RoleKind.PLAYER
        return redirect("club-page" if is_player else "desk-club", invitation.club_id)

    def get_form_kwargs(self) -> dict[str, Any]:
        return super().get_form_kwargs() | {"invitation": self.invitation}

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        invitation, account = self.invitation, account_of(self.request)
        context = {
            "invitation": invitation,
            "kind": RoleKind(invitation.kind).details,
            "account": account,
            "is_another": account is not None and invitation.email not in ("", account.email),
            "here": self.request.path,
        }
        return super().get_context_data(**{**context, **kwargs})
