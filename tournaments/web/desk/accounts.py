"""Rights in a club: roles of people and what each may do, keys of programs."""

from typing import Any, Final

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournaments import selectors
from tournaments.access.rights import NOT_FOR_KEYS, Right
from tournaments.core.ids import parse_id
from tournaments.models import Account, ApiKey, RoleKind
from tournaments.models.limits import max_length
from tournaments.people import api_keys, roles
from tournaments.web.desk.base import ButtonsMixin, DeskFormView
from tournaments.web.desk.fields import MomentField
from tournaments.web.desk.forms import DeskForm, DeskModelForm

KINDS: Final = tuple(
    (kind, kind.details)
    for kind in (RoleKind.DIRECTOR, RoleKind.TREASURER, RoleKind.ADMIN, RoleKind.PLAYER)
)
"""Roles that a club gives, in the order in which forms offer them."""


class RoleForm(DeskForm):
    """A role for somebody."""

    email = forms.EmailField(
        label=gettext_lazy("Email address"),
        max_length=max_length(Account, "email"),
        help_text=gettext_lazy("Of somebody who has an account here."),
    )
    kind = forms.ChoiceField(label=gettext_lazy("Becomes"), choices=KINDS)


class Roles(ButtonsMixin, DeskFormView[RoleForm]):
    """Roles of a club: who is what, a form to give one, a button to take one away."""

    needs = Right.ROLES_READ
    needs_to_write = Right.ROLES_EDIT
    template_name = "desk/roles.html"
    form_class = RoleForm
    buttons = ("revoke",)
    success_message = gettext_lazy("The role is given.")

    def save(self, form: RoleForm) -> None:
        roles.grant_role(club_id=self.club.pk, **form.cleaned_data, by=self.by, at=self.at)

    def revoke(self, role: str) -> str:
        """Take a role away."""
        roles.revoke_role(club_id=self.club.pk, role_id=parse_id(role), by=self.by, at=self.at)
        return _("The role is taken away.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = selectors.roles(self.club).order_by("account__name", "pk")
        return super().get_context_data(**{"rows": rows, **kwargs})


class KeyForm(DeskModelForm):
    """The purpose of a key."""

    kind = forms.ChoiceField(label=gettext_lazy("Acts as a"), choices=KINDS)
    scopes = forms.MultipleChoiceField(
        label=pgettext_lazy("what somebody is allowed to do", "May"),
        choices=[(str(right), str(right)) for right in Right if right not in NOT_FOR_KEYS],
        widget=forms.CheckboxSelectMultiple,
    )
    expires_at = MomentField(label=gettext_lazy("Until"), required=False)

    class Meta:
        model = ApiKey
        fields = ["name", "kind", "scopes", "expires_at"]
        labels = {"name": gettext_lazy("What it is for")}


class Keys(ButtonsMixin, DeskFormView[KeyForm]):
    """Keys of programs: those that open something and those that did, and a form for one more."""

    needs = Right.KEYS_EDIT
    template_name = "desk/keys.html"
    form_class = KeyForm
    initial = {"kind": RoleKind.PLAYER, "scopes": [Right.CLUB_READ]}
    buttons = ("revoke",)
    secret = ""

    def save(self, form: KeyForm) -> None:
        made = api_keys.make_key(club_id=self.club.pk, **form.cleaned_data, by=self.by, at=self.at)
        self.secret = made[1]

    def form_valid(self, form: KeyForm) -> HttpResponse:
        answer = super().form_valid(form)
        # It is kept nowhere: this answer alone shows it, and a repeated one cannot.
        return self.render(form=KeyForm(), secret=self.secret) if self.secret else answer

    def revoke(self, key: str) -> str:
        """Let a key open nothing any more."""
        api_keys.revoke_key(club_id=self.club.pk, key_id=parse_id(key), by=self.by, at=self.at)
        return _("The key no longer works.")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        rows = selectors.api_keys(self.club).order_by("-created_at", "pk")
        return super().get_context_data(**{"rows": rows, **kwargs})
