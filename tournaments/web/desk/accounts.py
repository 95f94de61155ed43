"""Who may do what in a club: roles of people, keys of programs."""

from typing import Any
from uuid import UUID

from django import forms
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournaments import selectors
from tournaments.access import rights
from tournaments.access.rights import NOT_FOR_KEYS, RIGHTS, Right, RoleInClub
from tournaments.core.ids import parse_id
from tournaments.models import RoleKind
from tournaments.people import api_keys, roles
from tournaments.people.api_keys import NewKey
from tournaments.people.roles import NewRole
from tournaments.web.desk.base import REFUSED, DeskPage
from tournaments.web.desk.datetime_field import MomentField
from tournaments.web.desk.forms import DeskForm
from tournaments.web.desk.role_names import KINDS


class RoleForm(DeskForm):
    """Who becomes what."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=254,
        help_text=gettext_lazy("Of somebody who has an account here."),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Becomes"), choices=KINDS)


class Roles(DeskPage):
    """Roles of a club."""

    needs = Right.ROLES_READ
    template = "desk/roles.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Who is what."""
        return self._shown(RoleForm())

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Give a role, or take one away."""
        assert self.visit.place is not None
        rights.admit(self.visit.asker, self.visit.place, Right.ROLES_EDIT)
        form = RoleForm(request.POST)
        by, at = self.visit.by, self.visit.at
        here = reverse("desk-roles", args=[club_id])
        if "revoke" in request.POST:
            number = parse_id(request.POST["revoke"])

            def revoke() -> str:
                roles.revoke_role(club_id=club_id, role_id=number, by=by, at=at)
                return here

            return self.tried(
                revoke,
                said=_("The role is taken away."),
                otherwise=lambda why: self._shown(RoleForm(), REFUSED, problem=why),
            )

        def work() -> str:
            roles.grant_role(club_id=club_id, new=NewRole(**form.cleaned_data), by=by, at=at)
            self.say(_("The role is given."))
            return here

        return self.saved(form, work) or self._shown(form, REFUSED)

    def _shown(self, form: RoleForm, status: int = 200, **more: Any) -> HttpResponse:
        rows = selectors.roles(self.visit.club).order_by("account__name", "pk")
        return self.shown({"form": form, "rows": rows, **more}, status)


class KeyForm(DeskForm):
    """What a key is for."""

    name = forms.CharField(label=gettext_lazy("What it is for"), max_length=100)
    kind = forms.ChoiceField(label=gettext_lazy("Acts as a"), choices=KINDS)
    scopes = forms.MultipleChoiceField(
        label=gettext_lazy("May"),
        choices=[(str(right), str(right)) for right in Right if right not in NOT_FOR_KEYS],
        widget=forms.CheckboxSelectMultiple,
    )
    expires_at = MomentField(label=gettext_lazy("Until"), required=False)


class Keys(DeskPage):
    """Keys of programs."""

    needs = Right.KEYS_EDIT
    template = "desk/keys.html"

    def get(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Those that open something, and those that did."""
        return self._shown(KeyForm(initial={"kind": RoleKind.PLAYER, "scopes": ["club.read"]}))

    def post(self, request: HttpRequest, club_id: UUID) -> HttpResponse:
        """Make a key, whose secret is shown this once; or revoke one."""
        by, at = self.visit.by, self.visit.at
        here = reverse("desk-keys", args=[club_id])
        if "revoke" in request.POST:
            number = parse_id(request.POST["revoke"])

            def revoke() -> str:
                api_keys.revoke_key(club_id=club_id, key_id=number, by=by, at=at)
                return here

            return self.carried_out(revoke, said=_("The key opens nothing any more."))
        form, made = KeyForm(request.POST), list[str]()

        def work() -> str:
            new = NewKey(**form.cleaned_data)
            made.append(api_keys.make_key(club_id=club_id, new=new, by=by, at=at)[1])
            return here

        saved = self.saved(form, work)
        if saved is not None and made:
            return self._shown(KeyForm(), secret=made[0])
        return saved or self._shown(form, REFUSED)

    def _shown(self, form: KeyForm, status: int = 200, **more: Any) -> HttpResponse:
        rows = selectors.api_keys(self.visit.club).order_by("-created_at", "pk")
        usual = {kind: sorted(RIGHTS[RoleInClub(kind)] - NOT_FOR_KEYS) for kind, _words in KINDS}
        return self.shown({"form": form, "rows": rows, "usual": usual, **more}, status)
