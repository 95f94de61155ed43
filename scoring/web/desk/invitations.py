"""Invitations at the desk: made with a code to scan, listed while they are open, withdrawn."""

from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scoring.games.handouts import pages_for_phones, reaches_phones
from tournaments.access.rights import Right
from tournaments.core.ids import parse_id
from tournaments.models import RoleKind
from tournaments.people import invitations
from tournaments.printing.codes import squares
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.role_names import KINDS


class InvitationForm(DeskForm):
    """What somebody is invited to be."""

    kind = forms.ChoiceField(label=gettext_lazy("Becomes"), choices=KINDS)
    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=254,
        required=False,
        help_text=gettext_lazy("Empty: for whoever opens the link first. An admin needs one."),
    )


class Invite(DeskPage):
    """Invitations to a club."""

    needs = Right.ROLES_EDIT
    template = "desk/invitations.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Those that are open."""
        return self._shown(InvitationForm(initial={"kind": RoleKind.DIRECTOR}))

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Make one, whose link is shown this once; or withdraw one."""
        by, at = self.visit.by, self.visit.at
        here = reverse("desk-invitations", args=[club_id])
        if "withdraw" in request.POST:
            number = parse_id(request.POST["withdraw"])

            def withdraw() -> str:
                invitations.withdraw(club_id=club_id, invitation_id=number, by=by, at=at)
                return here

            return self.tried(
                withdraw,
                said=_("The invitation is withdrawn."),
                otherwise=lambda why: self._shown(InvitationForm(), REFUSED, problem=why),
            )
        form, made = InvitationForm(request.POST), list[invitations.NewInvitation]()

        def work() -> str:
            made.append(invitations.invite(club_id=club_id, **form.cleaned_data, by=by, at=at))
            return here

        saved = self.saved(form, work)
        if saved is not None and made:
            return self._shown(InvitationForm(), **self._to_hand_on(made[0]))
        return saved or self._shown(form, REFUSED)

    def _to_hand_on(self, made: invitations.NewInvitation) -> dict[str, Any]:
        """The link and its code, at an address that phones can reach."""
        path = reverse("invitation", args=[made.token])
        pages = self.request.build_absolute_uri(path)
        address = pages_for_phones(pages, settings.ALLOWED_HOSTS)
        side, code = squares(address)
        return {
            "made": made.invitation,
            "address": address,
            "side": side,
            "code": code,
            "is_reached": reaches_phones(address),
        }

    def _shown(self, form: InvitationForm, status: int = 200, **more: Any) -> HttpResponse:
        rows = list(invitations.open_ones(self.visit.club, at=self.visit.at))
        words = dict(KINDS)
        named = [(row, words.get(RoleKind(row.kind), row.kind)) for row in rows]
        return self.shown({"form": form, "rows": named, **more}, status)
