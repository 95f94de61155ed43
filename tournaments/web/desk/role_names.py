"""Roles in a club, and what each may do, in words."""

from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from tournaments.models import RoleKind

KINDS: Final[tuple[tuple[RoleKind, Promise], ...]] = (
    (RoleKind.DIRECTOR, gettext_lazy("Director: runs nights, rules, corrects")),
    (RoleKind.TREASURER, gettext_lazy("Treasurer: keeps the books")),
    (RoleKind.ADMIN, gettext_lazy("Admin: everything")),
    (RoleKind.PLAYER, gettext_lazy("Player: sees full names")),
)
