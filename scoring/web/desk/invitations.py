"""Invitations at the desk: made with a code to scan, listed while they are open, withdrawn."""

from typing import Any

from django import forms
from django.http import HttpResponse
from django.urls import reverse
from django.utils.translation import get_language, gettext_lazy
from django.utils.translation import gettext as _

from scoring.handouts.seating import reaches_phones
from tournaments.access.rights import Right
from tournaments.core.ids import parse_id
from tournaments.core.mail import can_send
from tournaments.core.public_address import public_site, public_url
from tournaments.models import Invitation, RoleKind
from tournaments.models.limits import max_length
from tournaments.people import invitations
from tournaments.tables.press import squares
from tournaments.web.desk.accounts import KINDS
from tournaments.web.desk.base import ButtonsMixin, DeskFormView
from tournaments.web.desk.forms import DeskForm


class InvitationForm(DeskForm):
    """The role to which somebody is invited."""

    kind = forms.ChoiceField(label=gettext_lazy("Becomes"), choices=KINDS)
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=max_length(Invitation, "email"),
        required=False,
        help_text=gettext_lazy("Empty: for whoever opens the link first. An admin needs one."),
    )


class Invite(ButtonsMixin, DeskFormView[InvitationForm]):
    """The open invitations to a club; makes one, whose link is shown this once."""

    needs = Right.ROLES_EDIT
    template_name = "desk/invitations.html"
    form_class = InvitationForm
    initial = {"kind": RoleKind.DIRECTOR}
    buttons = ("withdraw",)
    made: Invitation | None = None

    def withdraw(self, value: str) -> str:
        """Withdraw an invitation."""
        invitations.withdraw(
            club_id=self.club.pk, invitation_id=parse_id(value), by=self.by, at=self.at
        )
        return _("The invitation is withdrawn.")

    def save(self, form: InvitationForm) -> None:
        site = public_site(self.request)
        self.made = invitations.invite(
            club_id=self.club.pk,
            **form.cleaned_data,
            by=self.by,
            at=self.at,
            site=site if can_send() and reaches_phones(site) else "",
            language=get_language() or "",
        )

    def form_valid(self, form: InvitationForm) -> HttpResponse:
        answer = super().form_valid(form)
        if self.made is None:
            return answer
        address = public_url(
            self.request, reverse("invitation", args=[invitations.invitation_token(self.made)])
        )
        side, code = squares(address)
        return self.render(
            form=InvitationForm(initial=self.initial),
            made=self.made,
            address=address,
            side=side,
            code=code,
            is_reached=reaches_phones(address),
        )

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = [
            (row, RoleKind(row.kind).details)
            for row in invitations.open_invitations(self.club, at=self.at)
        ]
        return super().get_context_data(rows=rows, **kwargs)
